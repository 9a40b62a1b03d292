/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the watch remembers, whole, for a page that begins: /api/v1/series/nodes and /api/v1/changes.
 *
 * Five hundred nodes by ten minutes are a million numbers, so these are written as text at once, not made as objects first.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../../evidence/oev_time.h"
#include "../oweb_inner.h"
#include "../oweb_resources.h"
#include "../oweb_text.h"
#include "../oweb_view.h"

#define CHANGES_DEFAULT 50u

static bool has_watch(struct oweb_request *request)
{
	if (request->watch != NULL)
		return true;
	oweb_problem(request, OWEB_P_NOT_SERVED, "nothing is recorded, so nothing is remembered");
	return false;
}

void oweb_changes_get(struct oweb_request *request)
{
	uint32_t limit = (uint32_t)oweb_query_number(&request->query, "limit", CHANGES_DEFAULT);
	struct oev_watch_change *change = calloc(limit, sizeof(*change));
	uint64_t after = oweb_query_number(&request->query, "after", 0);
	json_t *list = json_array();

	if (has_watch(request)) {
		uint32_t count = change == NULL ? 0 : oev_watch_changes(request->watch, after, change, limit);
		for (uint32_t i = 0; i < count; i++)
			json_array_append_new(list, oweb_view_change(&change[i]));
		oweb_reply_json(request, 200, json_pack("{s:O}", "changes", list));
	}
	json_decref(list);
	free(change);
}

/* What is told of each side. */
struct column {
	const char *name;
	size_t at;
};

static const struct column columns[2][4] = {
	[OEV_WATCH_CLIENT] = { { "requests", offsetof(struct oev_watch_count, requests) },
			       { "refused", offsetof(struct oev_watch_count, refused) },
			       { NULL, 0 } },
	[OEV_WATCH_SERVER] = { { "sent", offsetof(struct oev_watch_count, sent) },
			       { "answers", offsetof(struct oev_watch_count, answers) },
			       { "useful", offsetof(struct oev_watch_count, useful) },
			       { NULL, 0 } },
};
static const char *const sides[] = { "client", "server" };

/* The seconds that are asked for, the same for every node. */
struct window {
	uint64_t last;
	uint32_t count;
	struct oev_watch_second *second; /* whether it is known */
	struct oev_watch_count *of;	 /* of one node and side */
};

static uint32_t value_at(const struct oev_watch_count *of, size_t at)
{
	uint32_t value;

	memcpy(&value, (const char *)of + at, sizeof(value));
	return value;
}

static void add_number(struct oweb_text *text, uint32_t value)
{
	char digits[12];
	size_t at = sizeof(digits);

	do
		digits[--at] = (char)('0' + value % 10);
	while ((value /= 10) != 0);
	oweb_text_add(text, digits + at, sizeof(digits) - at);
}

static void add_column(struct oweb_text *text, const struct window *window, const struct column *column)
{
	oweb_text_format(text, "\"%s\":[", column->name);
	for (uint32_t i = 0; i < window->count; i++) {
		if (i > 0)
			oweb_text_add(text, ",", 1);
		if (window->second[i].is_known)
			add_number(text, value_at(&window->of[i], column->at));
		else
			oweb_text_add(text, "null", 4);
	}
	oweb_text_add(text, "]", 1);
}

/* A side where nothing happened is left out. */
static void add_side(struct oweb_text *text, struct oev_watch *watch, const struct window *window,
		     uint32_t place, enum oev_watch_side side)
{
	bool has_any = false;

	oev_watch_node_seconds(watch, place, side, window->last, window->count, window->of);
	for (uint32_t i = 0; i < window->count && !has_any; i++)
		for (const struct column *column = columns[side]; column->name != NULL; column++)
			has_any = has_any || value_at(&window->of[i], column->at) > 0;
	if (!has_any)
		return;
	oweb_text_format(text, ",\"%s\":{", sides[side]);
	for (const struct column *column = columns[side]; column->name != NULL; column++) {
		if (column != columns[side])
			oweb_text_add(text, ",", 1);
		add_column(text, window, column);
	}
	oweb_text_add(text, "}", 1);
}

static void add_quoted(struct oweb_text *text, const char *string)
{
	json_t *value = json_string(string);
	char *quoted = value == NULL ? NULL : json_dumps(value, JSON_ENCODE_ANY);

	json_decref(value);
	oweb_text_put(text, quoted == NULL ? "\"\"" : quoted);
	free(quoted);
}

static void add_head(struct oweb_text *text, const struct window *window)
{
	char first[OEV_TIME_TEXT_MAX], last[OEV_TIME_TEXT_MAX];

	oweb_text_put(text, "{\"step_seconds\":1,");
	if (window->last == 0)
		oweb_text_put(text, "\"first\":null,\"last\":null,\"nodes\":[");
	else {
		oev_time_text((window->last - window->count + 1) * 1000000, first);
		oev_time_text(window->last * 1000000, last);
		oweb_text_format(text, "\"first\":\"%s\",\"last\":\"%s\",\"nodes\":[", first, last);
	}
}

static void add_nodes(struct oweb_request *request, struct oweb_text *text, const struct window *window)
{
	struct oev_watch_node *node = calloc(OEV_WATCH_NODES_MAX, sizeof(*node));
	uint32_t count = node == NULL ? 0 : oev_watch_nodes(request->watch, node, OEV_WATCH_NODES_MAX);

	oev_watch_seconds_of_nodes(request->watch, window->last, window->count, window->second);
	for (uint32_t i = 0; i < count && i < OEV_WATCH_NODES_MAX; i++) {
		oweb_text_put(text, i > 0 ? ",{\"node\":" : "{\"node\":");
		add_quoted(text, oweb_view_name(request->server, node[i].name));
		add_side(text, request->watch, window, i, OEV_WATCH_CLIENT);
		add_side(text, request->watch, window, i, OEV_WATCH_SERVER);
		oweb_text_add(text, "}", 1);
	}
	free(node);
}

void oweb_series_nodes_get(struct oweb_request *request)
{
	struct oweb_text text = { 0 };
	struct window window = { .count = (uint32_t)oweb_query_number(&request->query, "window",
								      OEV_WATCH_SECONDS) };

	if (!has_watch(request))
		return;
	window.last = oev_watch_latest(request->watch);
	window.second = calloc(window.count, sizeof(*window.second));
	window.of = calloc(window.count, sizeof(*window.of));
	add_head(&text, &window);
	if (window.second != NULL && window.of != NULL && window.last != 0)
		add_nodes(request, &text, &window);
	oweb_text_put(&text, "]}");
	oweb_reply_text(request, 200, "application/json", text.data, text.len);
	free(window.second);
	free(window.of);
}
