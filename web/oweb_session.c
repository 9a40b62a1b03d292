/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The table of sessions. Kept are keyed hashes of the cookies, so that a copy of the memory's table is no use.
 */
#include "oweb_session.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PURPOSE_ID 2
#define PURPOSE_CSRF 3
#define SECOND_NS 1000000000ull

struct place {
	struct oev_hash id;
	struct oweb_who who;   /* role NONE: free */
	struct oev_hash token; /* of those of its name the one that was there when it began */
	uint64_t began_ns, used_ns;
};

struct oweb_sessions {
	pthread_mutex_t lock;
	struct oweb_keyring *keyring;
	struct oweb_key key;
	struct place place[OWEB_SESSIONS_MAX];
	uint64_t ended;
};

struct oweb_sessions *oweb_sessions_new(struct oweb_keyring *keyring)
{
	struct oweb_sessions *sessions = calloc(1, sizeof(*sessions));

	if (sessions == NULL || !oweb_key_new(&sessions->key)) {
		free(sessions);
		return NULL;
	}
	pthread_mutex_init(&sessions->lock, NULL);
	sessions->keyring = keyring;
	return sessions;
}

void oweb_sessions_free(struct oweb_sessions *sessions)
{
	if (sessions == NULL)
		return;
	pthread_mutex_destroy(&sessions->lock);
	explicit_bzero(sessions, sizeof(*sessions));
	free(sessions);
}

static bool is_live(const struct place *place, uint64_t now_ns)
{
	return place->who.role != OWEB_ROLE_NONE &&
	       now_ns < place->used_ns + OWEB_SESSION_IDLE_S * SECOND_NS &&
	       now_ns < place->began_ns + OWEB_SESSION_LIFE_S * SECOND_NS;
}

static void describe(struct oweb_sessions *sessions, const struct place *place, const char *id,
		     struct oweb_session *out)
{
	struct oev_hash csrf;
	uint64_t end_ns = place->began_ns + OWEB_SESSION_LIFE_S * SECOND_NS;

	oweb_keyed(&sessions->key, PURPOSE_CSRF, id, strlen(id), &csrf);
	oev_hash_hex(&csrf, out->csrf);
	out->who = place->who;
	out->until_ns = place->used_ns + OWEB_SESSION_IDLE_S * SECOND_NS;
	if (out->until_ns > end_ns)
		out->until_ns = end_ns;
}

/* A free place, or the one used longest ago. */
static struct place *room(struct oweb_sessions *sessions, uint64_t now_ns)
{
	struct place *oldest = &sessions->place[0];

	for (uint32_t i = 0; i < OWEB_SESSIONS_MAX; i++) {
		if (!is_live(&sessions->place[i], now_ns))
			return &sessions->place[i];
		if (sessions->place[i].used_ns < oldest->used_ns)
			oldest = &sessions->place[i];
	}
	return oldest;
}

bool oweb_session_begin(struct oweb_sessions *sessions, const struct oweb_who *who, uint64_t now_ns,
			char id[static OWEB_WORD_OCTETS], struct oweb_session *out)
{
	if (!oweb_word_new(id))
		return false;
	pthread_mutex_lock(&sessions->lock);
	struct place *place = room(sessions, now_ns);
	*place = (struct place){ .who = *who, .began_ns = now_ns, .used_ns = now_ns };
	place->who.how = OWEB_BY_SESSION;
	(void)oweb_keyring_role(sessions->keyring, who->name, &place->token);
	oweb_keyed(&sessions->key, PURPOSE_ID, id, strlen(id), &place->id);
	describe(sessions, place, id, out);
	pthread_mutex_unlock(&sessions->lock);
	return true;
}

/* Under the lock. */
static struct place *find(struct oweb_sessions *sessions, const char *id)
{
	struct oev_hash hash;

	oweb_keyed(&sessions->key, PURPOSE_ID, id, strlen(id), &hash);
	for (uint32_t i = 0; i < OWEB_SESSIONS_MAX; i++)
		if (sessions->place[i].who.role != OWEB_ROLE_NONE &&
		    oweb_same_hash(&sessions->place[i].id, &hash))
			return &sessions->place[i];
	return NULL;
}

/* Whether the token it began with is there, with the role it had then. */
static bool has_token(struct oweb_sessions *sessions, const struct place *place)
{
	struct oev_hash now;

	return oweb_keyring_role(sessions->keyring, place->who.name, &now) == place->who.role &&
	       oweb_same_hash(&now, &place->token);
}

bool oweb_session_use(struct oweb_sessions *sessions, const char *id, uint64_t now_ns,
		      struct oweb_session *out)
{
	pthread_mutex_lock(&sessions->lock);
	struct place *place = find(sessions, id);
	bool ok = place != NULL && is_live(place, now_ns) && has_token(sessions, place);
	if (ok) {
		place->used_ns = now_ns > place->used_ns ? now_ns : place->used_ns;
		describe(sessions, place, id, out);
	} else if (place != NULL)
		*place = (struct place){ 0 };
	pthread_mutex_unlock(&sessions->lock);
	return ok;
}

void oweb_session_end(struct oweb_sessions *sessions, const char *id)
{
	pthread_mutex_lock(&sessions->lock);
	struct place *place = find(sessions, id);
	if (place != NULL) {
		*place = (struct place){ 0 };
		sessions->ended++;
	}
	pthread_mutex_unlock(&sessions->lock);
}

uint64_t oweb_sessions_ended(struct oweb_sessions *sessions)
{
	pthread_mutex_lock(&sessions->lock);
	uint64_t ended = sessions->ended;
	pthread_mutex_unlock(&sessions->lock);
	return ended;
}

uint32_t oweb_sessions_count(struct oweb_sessions *sessions, uint64_t now_ns)
{
	uint32_t count = 0;

	pthread_mutex_lock(&sessions->lock);
	for (uint32_t i = 0; i < OWEB_SESSIONS_MAX; i++)
		count += is_live(&sessions->place[i], now_ns);
	pthread_mutex_unlock(&sessions->lock);
	return count;
}
