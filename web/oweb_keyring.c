/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tokens in force, and those found right.
 */
#include "oweb_keyring.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../agent/oc_err.h"
#include "oweb_secret.h"

#define REMEMBERED 64u
#define PURPOSE_TOKEN 1
#define PURPOSE_MARK 4

struct oweb_keyring {
	pthread_mutex_t lock;
	char path[OWEB_PATH_MAX];
	struct stat seen;
	bool was_there;
	uint64_t generation;
	struct oweb_tokens tokens;
	struct oweb_key key;
	uint32_t next; /* place of remembered[] that is taken next */
	struct {
		struct oev_hash hash;
		struct oweb_who who; /* role NONE: free */
	} remembered[REMEMBERED];
	void (*log)(void *ctx, int error, const char *text);
	void *log_ctx;
};

struct oweb_keyring *oweb_keyring_new(const char *path, void (*log)(void *ctx, int error, const char *text),
				      void *log_ctx)
{
	struct oweb_keyring *keyring = calloc(1, sizeof(*keyring));

	if (keyring == NULL || !oweb_key_new(&keyring->key)) {
		free(keyring);
		return NULL;
	}
	pthread_mutex_init(&keyring->lock, NULL);
	snprintf(keyring->path, sizeof(keyring->path), "%s", path);
	keyring->log = log;
	keyring->log_ctx = log_ctx;
	oweb_keyring_generation(keyring);
	return keyring;
}

void oweb_keyring_free(struct oweb_keyring *keyring)
{
	if (keyring == NULL)
		return;
	pthread_mutex_destroy(&keyring->lock);
	explicit_bzero(keyring, sizeof(*keyring));
	free(keyring);
}

static bool is_as_seen(struct oweb_keyring *keyring, const struct stat *now, bool is_there)
{
	const struct stat *seen = &keyring->seen;

	return keyring->generation > 0 && is_there == keyring->was_there &&
	       (!is_there || (seen->st_ino == now->st_ino && seen->st_size == now->st_size &&
			      seen->st_mode == now->st_mode && seen->st_mtim.tv_sec == now->st_mtim.tv_sec &&
			      seen->st_mtim.tv_nsec == now->st_mtim.tv_nsec &&
			      seen->st_ctim.tv_sec == now->st_ctim.tv_sec &&
			      seen->st_ctim.tv_nsec == now->st_ctim.tv_nsec));
}

/* Under the lock. A file that cannot be used leaves nobody a token: it may have been changed to shut somebody out. */
static void refresh(struct oweb_keyring *keyring)
{
	char error[OWEB_ERROR_MAX];
	struct stat now = { 0 };
	bool is_there = keyring->path[0] != '\0' && stat(keyring->path, &now) == 0;

	if (is_as_seen(keyring, &now, is_there))
		return;
	keyring->seen = now;
	keyring->was_there = is_there;
	keyring->generation++;
	memset(keyring->remembered, 0, sizeof(keyring->remembered));
	keyring->tokens = (struct oweb_tokens){ 0 };
	if (keyring->path[0] != '\0' && oweb_tokens_load(keyring->path, &keyring->tokens, error) != OC_OK &&
	    keyring->log != NULL)
		keyring->log(keyring->log_ctx, 1, error);
}

uint64_t oweb_keyring_generation(struct oweb_keyring *keyring)
{
	pthread_mutex_lock(&keyring->lock);
	refresh(keyring);
	uint64_t generation = keyring->generation;
	pthread_mutex_unlock(&keyring->lock);
	return generation;
}

bool oweb_keyring_recall(struct oweb_keyring *keyring, const char *presented, struct oweb_who *who)
{
	struct oev_hash hash;
	bool found = false;

	oweb_keyed(&keyring->key, PURPOSE_TOKEN, presented, strlen(presented), &hash);
	pthread_mutex_lock(&keyring->lock);
	refresh(keyring);
	for (uint32_t i = 0; i < REMEMBERED && !found; i++) {
		found = keyring->remembered[i].who.role != OWEB_ROLE_NONE &&
			oweb_same_hash(&keyring->remembered[i].hash, &hash);
		if (found)
			*who = keyring->remembered[i].who;
	}
	pthread_mutex_unlock(&keyring->lock);
	return found;
}

static void remember(struct oweb_keyring *keyring, const char *presented, const struct oweb_who *who,
		     uint64_t generation)
{
	struct oev_hash hash;

	oweb_keyed(&keyring->key, PURPOSE_TOKEN, presented, strlen(presented), &hash);
	pthread_mutex_lock(&keyring->lock);
	if (generation == keyring->generation) {
		keyring->remembered[keyring->next].hash = hash;
		keyring->remembered[keyring->next].who = *who;
		keyring->next = (keyring->next + 1) % REMEMBERED;
	}
	pthread_mutex_unlock(&keyring->lock);
}

bool oweb_keyring_check(struct oweb_keyring *keyring, const char *presented, struct oweb_who *who)
{
	struct oweb_token token = { .role = OWEB_ROLE_NONE };

	pthread_mutex_lock(&keyring->lock);
	refresh(keyring);
	uint64_t generation = keyring->generation;
	const struct oweb_token *named = oweb_tokens_named(&keyring->tokens, presented);
	if (named != NULL)
		token = *named;
	pthread_mutex_unlock(&keyring->lock);
	if (token.role == OWEB_ROLE_NONE || !oweb_token_is(&token, presented))
		return false;
	*who = (struct oweb_who){ .role = token.role, .how = OWEB_BY_TOKEN };
	snprintf(who->name, sizeof(who->name), "%s", token.name);
	remember(keyring, presented, who, generation);
	return true;
}

enum oweb_role oweb_keyring_role(struct oweb_keyring *keyring, const char *name, struct oev_hash *mark)
{
	*mark = (struct oev_hash){ 0 };
	pthread_mutex_lock(&keyring->lock);
	refresh(keyring);
	const struct oweb_token *token = oweb_tokens_named(&keyring->tokens, name);
	enum oweb_role role = token == NULL ? OWEB_ROLE_NONE : token->role;
	if (token != NULL)
		oweb_keyed(&keyring->key, PURPOSE_MARK, token->hash, strlen(token->hash), mark);
	pthread_mutex_unlock(&keyring->lock);
	return role;
}

uint32_t oweb_keyring_count(struct oweb_keyring *keyring)
{
	pthread_mutex_lock(&keyring->lock);
	refresh(keyring);
	uint32_t count = keyring->tokens.count;
	pthread_mutex_unlock(&keyring->lock);
	return count;
}
