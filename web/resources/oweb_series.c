/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * /api/v1/series: the last ten minutes by the second, in columns, oldest first; null where a value is not known.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../../evidence/app/oev_nearest.h"
#include "../oweb_inner.h"
#include "../oweb_resources.h"
#include "../oweb_view.h"

#define NAMES_MAX 24u
#define WINDOW_DEFAULT 600u

/* Those of a node come first. */
static const char *const names[] = { "requests",
				     "refused",
				     "diverted",
				     "sent",
				     "answers",
				     "useful",
				     "lost",
				     "matched",
				     "survivors",
				     "matched_peer",
				     "observed",
				     "drawn",
				     "selected",
				     "share_ratio",
				     "selected_ratio",
				     "asked_ratio",
				     "took_p50_seconds",
				     "took_p90_seconds",
				     "took_p99_seconds",
				     NULL };
#define NODE_NAMES 7u

struct wanted {
	uint32_t count;
	const char *name[NAMES_MAX];
};

static const char *find(const char *name, size_t len)
{
	for (size_t i = 0; names[i] != NULL; i++)
		if (strlen(names[i]) == len && strncmp(names[i], name, len) == 0)
			return names[i];
	return NULL;
}

static bool refuse(struct oweb_request *request, const char *name, const char *detail)
{
	const char *nearest = oev_nearest(name, names);

	oweb_problem(request, OWEB_P_BAD_PARAMETER, "names: %s %s", name, detail);
	oweb_problem_at(request, "parameter", "names", detail);
	if (nearest != NULL)
		oweb_problem_try(request, "Did you mean %s?", nearest);
	return false;
}

/* "requests,refused"; all of them when nothing is named. */
static bool read_names(struct oweb_request *request, bool is_node, struct wanted *wanted)
{
	const char *text = oweb_query_text(&request->query, "names");

	if (text == NULL)
		for (size_t i = 0; names[i] != NULL && (!is_node || i < NODE_NAMES); i++)
			wanted->name[wanted->count++] = names[i];
	for (size_t len; text != NULL && *text != '\0'; text += len, text += *text == ',') {
		char word[64];
		len = strcspn(text, ",");
		const char *known = find(text, len);
		snprintf(word, sizeof(word), "%.*s", (int)len, text);
		if (known == NULL)
			return refuse(request, word, "is no series");
		if (is_node && strstr("requests refused diverted sent answers useful lost", known) == NULL)
			return refuse(request, word, "is not counted for one node");
		if (wanted->count == NAMES_MAX)
			return refuse(request, word, "is one too many");
		wanted->name[wanted->count++] = known;
	}
	return true;
}

/* Adds one second to each column: what @values has, null for what it has not. */
static void add(json_t *columns, const struct wanted *wanted, json_t *values)
{
	for (uint32_t i = 0; i < wanted->count; i++) {
		json_t *value = json_object_get(values, wanted->name[i]);
		json_array_append_new(json_object_get(columns, wanted->name[i]),
				      value == NULL ? json_null() : json_incref(value));
	}
	json_decref(values);
}

/* The place of the node of that name; false: it was not seen. */
static bool find_node(struct oweb_request *request, const char *name, uint32_t *place)
{
	struct oev_watch_node *node = calloc(OEV_WATCH_NODES_MAX, sizeof(*node));
	uint32_t count = node == NULL ? 0 : oev_watch_nodes(request->watch, node, OEV_WATCH_NODES_MAX);
	bool found = false;

	for (uint32_t i = 0; i < count && i < OEV_WATCH_NODES_MAX && !found; i++) {
		found = strcasecmp(oweb_view_name(request->server, node[i].name), name) == 0;
		*place = i;
	}
	free(node);
	if (!found)
		oweb_problem(request, OWEB_P_NOT_FOUND, "no node %s was seen in traffic", name);
	return found;
}

static void fill(struct oweb_request *request, json_t *columns, const struct wanted *wanted,
		 const struct oev_watch_second *second, const struct oev_watch_count *count, uint32_t window)
{
	(void)request;
	for (uint32_t i = 0; i < window; i++) {
		bool is_known = second[i].is_known;
		add(columns, wanted,
		    count == NULL ? oweb_view_second(&second[i])
		    : is_known	  ? oweb_view_count(&count[i])
				  : json_object());
	}
}

static void reply(struct oweb_request *request, const struct wanted *wanted, uint32_t window,
		  const char *node, uint32_t place)
{
	struct oev_watch_second *second = calloc(window, sizeof(*second));
	struct oev_watch_count *count = node == NULL ? NULL : calloc(window, sizeof(*count));
	const char *side = oweb_query_text(&request->query, "side");
	bool is_client = side != NULL && strcmp(side, "client") == 0;
	json_t *columns = json_object(),
	       *body = json_pack("{s:i, s:o}", "step_seconds", 1, "columns", columns);
	uint64_t latest = oev_watch_latest(request->watch);

	for (uint32_t i = 0; i < wanted->count; i++)
		json_object_set_new(columns, wanted->name[i], json_array());
	if (second != NULL && (node == NULL || count != NULL)) {
		oev_watch_seconds(request->watch, latest, window, second);
		if (count != NULL)
			oev_watch_node_seconds(request->watch, place,
					       is_client ? OEV_WATCH_CLIENT : OEV_WATCH_SERVER, latest,
					       window, count);
		fill(request, columns, wanted, second, count, window);
	}
	oweb_json_time(body, "first", latest == 0 ? 0 : (latest - window + 1) * 1000000);
	oweb_json_time(body, "last", latest * 1000000);
	oweb_reply_json(request, 200, body);
	free(second);
	free(count);
}

void oweb_series_get(struct oweb_request *request)
{
	struct wanted wanted = { 0 };
	const char *node = oweb_query_text(&request->query, "node");
	uint32_t window = (uint32_t)oweb_query_number(&request->query, "window", WINDOW_DEFAULT), place = 0;

	if (request->watch == NULL) {
		oweb_problem(request, OWEB_P_NOT_SERVED, "nothing is recorded, so there is no series");
		return;
	}
	if (node == NULL && oweb_query_text(&request->query, "side") != NULL) {
		oweb_problem(request, OWEB_P_BAD_PARAMETER, "side: is said of a node");
		oweb_problem_at(request, "parameter", "side", "needs the parameter node");
		return;
	}
	if (read_names(request, node != NULL, &wanted) && (node == NULL || find_node(request, node, &place)))
		reply(request, &wanted, window, node, place);
}
