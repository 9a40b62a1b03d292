/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One reply, its key, and when its making began.
 */
#include "oweb_fresh.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY_MAX 64u

struct oweb_fresh {
	pthread_mutex_t lock;
	char key[KEY_MAX];
	uint64_t made_ns;
	char *text; /* NULL: nothing is kept */
	size_t len;
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

void oweb_fresh_free(struct oweb_fresh *fresh)
{
	if (fresh == NULL)
		return;
	pthread_mutex_destroy(&fresh->lock);
	free(fresh->text);
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

char *oweb_fresh_get(struct oweb_fresh *fresh, const char *key, uint64_t now_ns, size_t *len)
{
	char *copy = NULL;

	pthread_mutex_lock(&fresh->lock);
	if (fresh->text != NULL && strcmp(fresh->key, key) == 0 && now_ns - fresh->made_ns < OWEB_FRESH_NS) {
		copy = copy_of(fresh->text, fresh->len);
		*len = fresh->len;
	}
	pthread_mutex_unlock(&fresh->lock);
	return copy;
}

void oweb_fresh_put(struct oweb_fresh *fresh, const char *key, uint64_t now_ns, const char *text, size_t len)
{
	char *copy = strlen(key) < KEY_MAX ? copy_of(text, len) : NULL;

	if (copy == NULL)
		return;
	pthread_mutex_lock(&fresh->lock);
	free(fresh->text);
	fresh->text = copy;
	fresh->len = len;
	fresh->made_ns = now_ns;
	snprintf(fresh->key, sizeof(fresh->key), "%s", key);
	pthread_mutex_unlock(&fresh->lock);
}
