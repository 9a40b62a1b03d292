/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * /api/v1/series: the last ten minutes by the second, hours and days in longer steps, in columns, oldest first; null where a value is not
 * known.
 */
#include <math.h>
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
#define COUNT_NAMES 13u /* the rest are ratios and times */

struct wanted {
	uint32_t count;
	const char *name[NAMES_MAX];
};

static bool is_count(const char *name)
{
	for (size_t i = 0; i < COUNT_NAMES; i++)
		if (names[i] == name)
			return true;
	return false;
}

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

static json_t *body_of(struct oweb_request *request, const struct wanted *wanted, uint32_t step_s)
{
	json_t *columns = json_object(),
	       *body = json_pack("{s:i, s:o}", "step_seconds", (int)step_s, "columns", columns);
	uint64_t since = oev_watch_since(request->watch);

	for (uint32_t i = 0; i < wanted->count; i++)
		json_object_set_new(columns, wanted->name[i], json_array());
	if (since != 0)
		oweb_json_time(body, "known_since", since * 1000000);
	return body;
}

static void reply(struct oweb_request *request, const struct wanted *wanted, uint32_t window,
		  const char *node, uint32_t place)
{
	struct oev_watch_second *second = calloc(window, sizeof(*second));
	struct oev_watch_count *count = node == NULL ? NULL : calloc(window, sizeof(*count));
	const char *side = oweb_query_text(&request->query, "side");
	bool is_client = side != NULL && strcmp(side, "client") == 0;
	json_t *body = body_of(request, wanted, 1), *columns = json_object_get(body, "columns");
	uint64_t latest = oev_watch_latest(request->watch);

	if (second != NULL && (node == NULL || count != NULL)) {
		if (count == NULL) {
			oev_watch_seconds(request->watch, latest, window, second);
		} else {
			oev_watch_seconds_of_nodes(request->watch, latest, window, second);
			oev_watch_node_seconds(request->watch, place,
					       is_client ? OEV_WATCH_CLIENT : OEV_WATCH_SERVER, latest,
					       window, count);
		}
		fill(request, columns, wanted, second, count, window);
	}
	oweb_json_time(body, "first", latest == 0 ? 0 : (latest - window + 1) * 1000000);
	oweb_json_time(body, "last", latest * 1000000);
	oweb_reply_json(request, 200, body);
	free(second);
	free(count);
}

/* The means of one step: counts by the second. */
static json_t *view_step(const struct oev_watch_step *step, const struct wanted *wanted)
{
	json_t *values = oweb_view_second(&step->sum);

	for (uint32_t i = 0; i < wanted->count && step->known_s > 0; i++) {
		json_t *value = json_object_get(values, wanted->name[i]);
		if (value != NULL && is_count(wanted->name[i]))
			json_object_set_new(
				values, wanted->name[i],
				json_real(round((double)json_integer_value(value) * 1000 / step->known_s) /
					  1000));
	}
	return values;
}

/* How many steps were kept since anything is known. */
static uint32_t steps_known(struct oweb_request *request, uint32_t step_s, uint64_t latest)
{
	uint64_t since = oev_watch_since(request->watch);

	return since == 0 || latest < since ? 1 : (uint32_t)(latest / step_s - since / step_s + 1);
}

static void reply_steps(struct oweb_request *request, const struct wanted *wanted, uint32_t step_s)
{
	uint64_t latest = oev_watch_latest(request->watch), begin = latest - latest % step_s;
	uint32_t kept = step_s == 10   ? OEV_WATCH_STEPS_10
			: step_s == 60 ? OEV_WATCH_STEPS_60
				       : OEV_WATCH_STEPS_600;
	uint32_t asked = (uint32_t)oweb_query_number(&request->query, "window", 0);
	uint32_t count = asked != 0 ? (asked + step_s - 1) / step_s : steps_known(request, step_s, latest);
	json_t *body = body_of(request, wanted, step_s), *columns = json_object_get(body, "columns");

	count = count < kept ? count : kept;
	struct oev_watch_step *step = calloc(count, sizeof(*step));
	if (step != NULL && oev_watch_step_read(request->watch, step_s, latest, count, step))
		for (uint32_t i = 0; i < count; i++)
			add(columns, wanted, view_step(&step[i], wanted));
	free(step);
	oweb_json_time(body, "first", latest == 0 ? 0 : (begin - (uint64_t)(count - 1) * step_s) * 1000000);
	oweb_json_time(body, "last", begin * 1000000);
	oweb_reply_json(request, 200, body);
}

static bool refuse_parameter(struct oweb_request *request, const char *name, const char *why)
{
	oweb_problem(request, OWEB_P_BAD_PARAMETER, "%s: %s", name, why);
	oweb_problem_at(request, "parameter", name, why);
	return false;
}

static bool fits(struct oweb_request *request, const char *node, uint32_t step_s, uint32_t window)
{
	if (node == NULL && oweb_query_text(&request->query, "side") != NULL)
		return refuse_parameter(request, "side", "is said of a node");
	if (node != NULL && step_s != 1)
		return refuse_parameter(request, "step", "of one node only seconds are kept");
	if (step_s == 1 && window > OEV_WATCH_SECONDS)
		return refuse_parameter(request, "window", "above 600 needs a longer step: 10, 60 or 600");
	return true;
}

void oweb_series_get(struct oweb_request *request)
{
	struct wanted wanted = { 0 };
	const char *node = oweb_query_text(&request->query, "node"),
		   *step = oweb_query_text(&request->query, "step");
	uint32_t window = (uint32_t)oweb_query_number(&request->query, "window", WINDOW_DEFAULT), place = 0;
	uint32_t step_s = step == NULL ? 1 : (uint32_t)strtoul(step, NULL, 10);

	if (request->watch == NULL) {
		oweb_problem(request, OWEB_P_NOT_SERVED, "nothing is recorded, so there is no series");
		return;
	}
	if (!fits(request, node, step_s, window) || !read_names(request, node != NULL, &wanted) ||
	    (node != NULL && !find_node(request, node, &place)))
		return;
	if (step_s == 1)
		reply(request, &wanted, window, node, place);
	else
		reply_steps(request, &wanted, step_s);
}
