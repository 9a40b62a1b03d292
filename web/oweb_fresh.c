/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A few texts, their keys, and when their making began.
 */
#include "oweb_fresh.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oweb_inner.h"

#define KEY_MAX 64u

struct slot {
	char key[KEY_MAX];
	uint64_t made_ns;
	char *text; /* NULL: nothing is kept */
	size_t len;
};

struct oweb_fresh {
	pthread_mutex_t lock;
	struct slot slots[OWEB_FRESH_SLOTS];
};

struct oweb_fresh *oweb_fresh_new(void)
{
	struct oweb_fresh *fresh = calloc(1, sizeof(*fresh));

	if (fresh != NULL && pthread_mutex_init(&fresh->lock, NULL) != 0) {
		free(fresh);
		return NULL;
	}
	return fresh;
}

static void empty(struct slot *slot)
{
	free(slot->text);
	*slot = (struct slot){ 0 };
}

void oweb_fresh_forget(struct oweb_fresh *fresh)
{
	pthread_mutex_lock(&fresh->lock);
	for (unsigned i = 0; i < OWEB_FRESH_SLOTS; i++)
		empty(&fresh->slots[i]);
	pthread_mutex_unlock(&fresh->lock);
}

void oweb_fresh_free(struct oweb_fresh *fresh)
{
	if (fresh == NULL)
		return;
	oweb_fresh_forget(fresh);
	pthread_mutex_destroy(&fresh->lock);
	free(fresh);
}

static char *copy_of(const char *text, size_t len)
{
	char *copy = malloc(len + 1);

	if (copy != NULL) {
		memcpy(copy, text, len);
		copy[len] = '\0';
	}
	return copy;
}

/* That of @key; NULL. */
static struct slot *find(struct oweb_fresh *fresh, const char *key)
{
	for (unsigned i = 0; i < OWEB_FRESH_SLOTS; i++)
		if (fresh->slots[i].text != NULL && strcmp(fresh->slots[i].key, key) == 0)
			return &fresh->slots[i];
	return NULL;
}

char *oweb_fresh_get(struct oweb_fresh *fresh, const char *key, uint64_t now_ns, size_t *len)
{
	char *copy = NULL;

	pthread_mutex_lock(&fresh->lock);
	const struct slot *slot = find(fresh, key);
	if (slot != NULL && now_ns - slot->made_ns < OWEB_FRESH_NS) {
		copy = copy_of(slot->text, slot->len);
		*len = slot->len;
	}
	pthread_mutex_unlock(&fresh->lock);
	return copy;
}

static struct slot *oldest(struct oweb_fresh *fresh)
{
	struct slot *found = &fresh->slots[0];

	for (unsigned i = 1; i < OWEB_FRESH_SLOTS; i++)
		if (fresh->slots[i].made_ns < found->made_ns)
			found = &fresh->slots[i];
	return found;
}

void oweb_fresh_put(struct oweb_fresh *fresh, const char *key, uint64_t now_ns, const char *text, size_t len)
{
	char *copy = strlen(key) < KEY_MAX ? copy_of(text, len) : NULL;

	if (copy == NULL)
		return;
	pthread_mutex_lock(&fresh->lock);
	struct slot *slot = find(fresh, key);
	if (slot == NULL)
		slot = oldest(fresh);
	empty(slot);
	slot->text = copy;
	slot->len = len;
	slot->made_ns = now_ns;
	snprintf(slot->key, sizeof(slot->key), "%s", key);
	pthread_mutex_unlock(&fresh->lock);
}

bool oweb_fresh_reply(struct oweb_request *request)
{
	size_t len = 0;
	char *text = oweb_fresh_get(request->server->fresh, request->raw, oweb_server_now_ns(request->server),
				    &len);

	if (text == NULL)
		return false;
	oweb_reply_text(request, 200, "application/json", text, len);
	request->reply.is_kept = true;
	return true;
}

void oweb_fresh_keep(struct oweb_request *request, uint64_t began_ns)
{
	struct oweb_reply *reply = &request->reply;

	reply->is_kept = reply->status == 200 && reply->kind == OWEB_BODY_OCTETS;
	if (reply->is_kept)
		oweb_fresh_put(request->server->fresh, request->raw, began_ns, reply->octets, reply->len);
}
