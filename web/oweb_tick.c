/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Texts of a tick.
 */
#include "oweb_tick.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../evidence/oev_time.h"
#include "oweb_inner.h"
#include "oweb_patch.h"
#include "oweb_view.h"

#define SECONDS_MAX 30u /* in one tick; a client that needs more asks /api/v1/series */
#define CHANGES_MAX 50u
#define BEAT_TICKS 15u /* between comments that show proxies a live connection */

/* One event; @data is taken. Only what ends a tick has its number as id (@number, 0 none): a client that was cut off inside a tick
 * gets all of it again. */
static void add_event(struct oweb_text *text, const char *event, uint64_t life, uint64_t number, json_t *data)
{
	char *line = data == NULL ? NULL : json_dumps(data, OWEB_JSON_DUMP);

	json_decref(data);
	if (line == NULL) {
		oweb_text_free(text);
		text->failed = true;
		return;
	}
	oweb_text_format(text, "event: %s\n", event);
	if (number != 0)
		oweb_text_format(text, "id: %" PRIx64 "-%" PRIu64 "\n", life, number);
	oweb_text_put(text, "data: ");
	oweb_text_put(text, line);
	oweb_text_put(text, "\n\n");
	free(line);
}

static json_t *head(struct oweb_server *server, uint64_t number)
{
	json_t *object = json_pack("{s:I}", "tick", (json_int_t)number);

	oweb_json_time(object, "time", oweb_server_wall_us(server));
	return object;
}

/* Seconds told since, oldest first. */
static json_t *seconds_since(struct oev_watch *watch, uint64_t *last)
{
	struct oev_watch_second second[SECONDS_MAX];
	uint64_t latest = watch == NULL ? 0 : oev_watch_latest(watch);
	uint64_t count = latest > *last ? latest - *last : 0;
	json_t *list = json_array();

	if (count > SECONDS_MAX)
		count = SECONDS_MAX;
	if (count > 0)
		oev_watch_seconds(watch, latest, (uint32_t)count, second);
	for (uint64_t i = 0; i < count; i++)
		json_array_append_new(list, oweb_view_second(&second[i]));
	if (latest != 0) /* less than before: the clock was set back */
		*last = latest;
	return list;
}

static void add_changes(struct oweb_server *server, struct oweb_tick *last, struct oweb_text *text)
{
	struct oev_watch_change *change = calloc(CHANGES_MAX, sizeof(*change));
	uint32_t count = change == NULL || server->watch == NULL
				 ? 0
				 : oev_watch_changes(server->watch, last->change, change, CHANGES_MAX);

	for (uint32_t i = count; i > 0; i--) /* newest first there, oldest first here */
		add_event(text, "event", 0, 0, oweb_view_change(&change[i - 1]));
	if (count > 0)
		last->change = change[0].number;
	free(change);
}

void oweb_tick_make(struct oweb_server *server, uint64_t life, struct oweb_tick *last, struct oweb_text *tick,
		    struct oweb_text *snapshot)
{
	json_t *state = oweb_view_state(server);
	json_t *told = head(server, ++last->number), *whole = head(server, last->number);

	json_object_set_new(told, "seconds", seconds_since(server->watch, &last->second));
	json_object_set_new(told, "changed",
			    last->state == NULL ? json_incref(state) : oweb_patch(last->state, state));
	json_object_set(whole, "state", state);
	add_changes(server, last, tick);
	add_event(tick, "tick", life, last->number, told);
	if (last->number % BEAT_TICKS == 0)
		oweb_text_put(tick, ": beat\n\n");
	add_event(snapshot, "snapshot", life, last->number, whole);
	json_decref(last->state);
	last->state = state;
}
