/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * /api/v1/changes and /api/v1/series/nodes: what the watch remembers of the last ten minutes.
 */
#include <stdlib.h>

#include "../oweb_inner.h"
#include "../oweb_resources.h"
#include "../oweb_view.h"

#define CHANGES_DEFAULT 200u

static bool has_watch(struct oweb_request *request)
{
	if (request->watch != NULL)
		return true;
	oweb_problem(request, OWEB_P_NOT_SERVED, "nothing is recorded here, so nothing is remembered");
	return false;
}

void oweb_changes_get(struct oweb_request *request)
{
	uint32_t limit = (uint32_t)oweb_query_number(&request->query, "limit", CHANGES_DEFAULT);
	struct oev_watch_change *changes = calloc(limit, sizeof(*changes));
	json_t *list = json_array();

	if (has_watch(request) && changes != NULL) {
		uint32_t count = oev_watch_changes(request->watch, 0, changes, limit);
		for (uint32_t i = 0; i < count; i++)
			json_array_append_new(list, oweb_view_change(&changes[i]));
		oweb_reply_json(request, 200, json_pack("{s:O}", "changes", list));
	} else if (changes == NULL)
		oweb_problem(request, OWEB_P_INTERNAL, "out of memory");
	json_decref(list);
	free(changes);
}

/* Column @key of @counts: the value at @offset of each, null where the second is not known. */
static void put_column(json_t *object, const char *key, const struct oev_watch_count *counts,
		       const struct oev_watch_second *seconds, uint32_t count, size_t offset)
{
	json_t *column = json_array();

	for (uint32_t i = 0; i < count; i++) {
		const uint32_t *value = (const uint32_t *)(const void *)((const char *)&counts[i] + offset);
		json_array_append_new(column,
				      seconds[i].is_known ? json_integer((json_int_t)*value) : json_null());
	}
	json_object_set_new(object, key, column);
}

static json_t *client_of(const struct oev_watch_count *counts, const struct oev_watch_second *seconds,
			 uint32_t count)
{
	json_t *object = json_object();

	put_column(object, "requests", counts, seconds, count, offsetof(struct oev_watch_count, requests));
	put_column(object, "refused", counts, seconds, count, offsetof(struct oev_watch_count, refused));
	return object;
}

static json_t *server_of(const struct oev_watch_count *counts, const struct oev_watch_second *seconds,
			 uint32_t count)
{
	json_t *object = json_object();

	put_column(object, "sent", counts, seconds, count, offsetof(struct oev_watch_count, sent));
	put_column(object, "answers", counts, seconds, count, offsetof(struct oev_watch_count, answers));
	put_column(object, "useful", counts, seconds, count, offsetof(struct oev_watch_count, useful));
	return object;
}

struct window {
	uint64_t last;
	uint32_t count;
	struct oev_watch_second *seconds;
	struct oev_watch_count *counts;
};

static json_t *node_of(struct oweb_request *request, const struct window *window, uint32_t at, uint32_t name)
{
	json_t *object = json_pack("{s:s}", "node", oweb_view_name(request->server, name));
	struct oev_watch_count total;

	for (int side = OEV_WATCH_CLIENT; side <= OEV_WATCH_SERVER; side++) {
		oev_watch_node_total(request->watch, at, (enum oev_watch_side)side, &total);
		if (total.requests == 0 && total.answers == 0)
			continue;
		oev_watch_node_seconds(request->watch, at, (enum oev_watch_side)side, window->last,
				       window->count, window->counts);
		json_object_set_new(object, side == OEV_WATCH_CLIENT ? "client" : "server",
				    side == OEV_WATCH_CLIENT
					    ? client_of(window->counts, window->seconds, window->count)
					    : server_of(window->counts, window->seconds, window->count));
	}
	return object;
}

static json_t *nodes_of(struct oweb_request *request, const struct window *window)
{
	struct oev_watch_node *nodes = calloc(OEV_WATCH_NODES_MAX, sizeof(*nodes));
	uint32_t count = nodes != NULL ? oev_watch_nodes(request->watch, nodes, OEV_WATCH_NODES_MAX) : 0;
	json_t *list = json_array();

	for (uint32_t i = 0; i < count && i < OEV_WATCH_NODES_MAX; i++)
		json_array_append_new(list, node_of(request, window, i, nodes[i].name));
	free(nodes);
	return list;
}

void oweb_series_nodes_get(struct oweb_request *request)
{
	struct window window = { .count = (uint32_t)oweb_query_number(&request->query, "window",
								      OEV_WATCH_SECONDS) };

	if (!has_watch(request))
		return;
	window.seconds = calloc(window.count, sizeof(*window.seconds));
	window.counts = calloc(window.count, sizeof(*window.counts));
	if (window.seconds != NULL && window.counts != NULL) {
		window.last = oev_watch_latest(request->watch);
		oev_watch_seconds(request->watch, window.last, window.count, window.seconds);
		json_t *object =
			json_pack("{s:i, s:o}", "step_seconds", 1, "nodes", nodes_of(request, &window));
		oweb_json_time(object, "first", (window.last + 1 - window.count) * 1000000u);
		oweb_json_time(object, "last", window.last * 1000000u);
		oweb_reply_json(request, 200, object);
	} else
		oweb_problem(request, OWEB_P_INTERNAL, "out of memory");
	free(window.seconds);
	free(window.counts);
}
