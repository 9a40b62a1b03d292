/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What is heard of the agent: a snapshot and merge patches make its state; changes are kept as they come.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli_top.h"

#define AGAIN_US 100000u
#define AGAIN_ROUNDS 10u

struct cli_feed {
	struct cli_http *http;
	pthread_t thread;
	pthread_mutex_t lock;
	atomic_bool is_ended;
	json_t *status, *changes;
	double at_s; /* of the last tick; 0 never */
	char error[CLI_HTTP_ERROR_MAX];
};

void cli_merge_patch(json_t *object, const json_t *patch)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)patch, key, value)
	{
		json_t *old = json_object_get(object, key);
		if (json_is_null(value)) {
			json_object_del(object, key);
		} else if (json_is_object(value)) {
			if (!json_is_object(old))
				json_object_set_new(object, key, json_object());
			cli_merge_patch(json_object_get(object, key), value);
		} else {
			json_object_set(object, key, value);
		}
	}
}

/* Under the lock. */
static void take(struct cli_feed *feed, const char *name, const json_t *data)
{
	const json_t *time = json_object_get(data, "time");

	if (strcmp(name, "snapshot") == 0) {
		json_decref(feed->status);
		feed->status = json_deep_copy(json_object_get(data, "state"));
	} else if (strcmp(name, "tick") == 0 && feed->status != NULL) {
		cli_merge_patch(feed->status, json_object_get(data, "changed"));
	} else if (strcmp(name, "event") == 0) {
		json_array_insert_new(feed->changes, 0, json_deep_copy(data));
		if (json_array_size(feed->changes) > CLI_TOP_CHANGES)
			json_array_remove(feed->changes, CLI_TOP_CHANGES);
		return;
	} else {
		return;
	}
	if (time != NULL)
		json_object_set_new(feed->status, "time", json_deep_copy(time));
	feed->at_s = cli_now_s();
	feed->error[0] = '\0';
}

static bool on_event(void *ctx, const char *name, const char *text)
{
	struct cli_feed *feed = ctx;
	json_t *data = json_loads(text, 0, NULL);

	pthread_mutex_lock(&feed->lock);
	if (data != NULL)
		take(feed, name, data);
	pthread_mutex_unlock(&feed->lock);
	json_decref(data);
	return !atomic_load(&feed->is_ended);
}

static void *follow(void *ctx)
{
	struct cli_feed *feed = ctx;
	char error[CLI_HTTP_ERROR_MAX];

	while (!atomic_load(&feed->is_ended)) {
		error[0] = '\0';
		(void)cli_http_follow(feed->http, "/api/v1/events", on_event, feed, error);
		pthread_mutex_lock(&feed->lock);
		snprintf(feed->error, sizeof(feed->error), "%s", error);
		pthread_mutex_unlock(&feed->lock);
		for (unsigned i = 0; i < AGAIN_ROUNDS && !atomic_load(&feed->is_ended); i++)
			usleep(AGAIN_US);
	}
	return NULL;
}

int cli_feed_start(struct cli_feed **out, const struct cli_http_place *place,
		   char error[static CLI_HTTP_ERROR_MAX])
{
	struct cli_feed *feed = calloc(1, sizeof(*feed));
	int rc = feed != NULL ? cli_http_open(&feed->http, place, error) : CLI_BUG;

	if (rc == CLI_OK) {
		feed->changes = json_array();
		pthread_mutex_init(&feed->lock, NULL);
		rc = feed->changes != NULL && pthread_create(&feed->thread, NULL, follow, feed) == 0
			     ? CLI_OK
			     : CLI_BUG;
	}
	if (rc == CLI_OK) {
		*out = feed;
		return CLI_OK;
	}
	if (feed != NULL) {
		json_decref(feed->changes);
		cli_http_close(feed->http);
	}
	free(feed);
	return rc;
}

void cli_feed_look(struct cli_feed *feed, struct cli_feed_view *out)
{
	pthread_mutex_lock(&feed->lock);
	*out = (struct cli_feed_view){ .status = json_deep_copy(feed->status),
				       .changes = json_deep_copy(feed->changes),
				       .heard_s = feed->at_s > 0 ? cli_now_s() - feed->at_s : -1 };
	memcpy(out->error, feed->error, sizeof(out->error));
	pthread_mutex_unlock(&feed->lock);
}

void cli_feed_drop(struct cli_feed_view *view)
{
	json_decref(view->status);
	json_decref(view->changes);
	*view = (struct cli_feed_view){ 0 };
}

void cli_feed_stop(struct cli_feed *feed)
{
	if (feed == NULL)
		return;
	atomic_store(&feed->is_ended, true);
	cli_http_end(feed->http);
	pthread_join(feed->thread, NULL);
	pthread_mutex_destroy(&feed->lock);
	json_decref(feed->status);
	json_decref(feed->changes);
	cli_http_close(feed->http);
	free(feed);
}
