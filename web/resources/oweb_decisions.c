/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * /api/v1/decisions: pages and streams of decisions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../../evidence/app/oev_app.h"
#include "../oweb_evidence.h"
#include "../oweb_fresh.h"
#include "../oweb_inner.h"
#include "../oweb_json.h"
#include "../oweb_resources.h"

static void copy(const struct oweb_request *request, const char *name, char *out, size_t size)
{
	const char *text = oweb_query_text(&request->query, name);

	if (text != NULL)
		snprintf(out, size, "%s", text);
}

static bool take_number(const struct oweb_request *request, const char *name, uint32_t *out)
{
	if (oweb_query_text(&request->query, name) == NULL)
		return false;
	*out = (uint32_t)oweb_query_number(&request->query, name, 0);
	return true;
}

static bool refuse(struct oweb_request *request, const char *name, const char *why)
{
	oweb_problem(request, OWEB_P_BAD_PARAMETER, "parameter %s: %s", name, why);
	oweb_problem_at(request, "parameter", name, why);
	return false;
}

static bool take_app(struct oweb_request *request, struct oev_shelf_filter *filter)
{
	const char *text = oweb_query_text(&request->query, "app");

	if (text == NULL)
		return true;
	filter->has_app = oev_app_parse(text, &filter->app_id) == OC_OK;
	return filter->has_app ||
	       refuse(request, "app", "is no Application-ID, nor one of gx, rx, gy, s6a, cx, swx, gxx, s9");
}

static bool take_pseudonym(struct oweb_request *request, const char *name, uint64_t *out)
{
	const char *text = oweb_query_text(&request->query, name);

	if (text == NULL)
		return true;
	*out = oweb_decimal(text);
	if (*out == 0)
		return refuse(request, name, "is no pseudonym: a decimal number");
	return true;
}

/* The life that is meant when none is named: the one that runs, or the only one there is. */
static bool take_life(const struct oweb_request *request, struct oev_shelf_filter *filter)
{
	struct oev_shelf_segment *segments = NULL;
	size_t count = 0;
	bool is_one = true;

	if (oev_shelf_segments(request->server->shelf, &segments, &count) != OC_OK || count == 0)
		return false;
	const char *newest = segments[count - 1].run;
	for (size_t i = 0; i < count && request->node == NULL; i++)
		is_one = is_one && strcmp(segments[i].run, newest) == 0;
	if (is_one)
		snprintf(filter->run, sizeof(filter->run), "%s", newest);
	free(segments);
	return filter->run[0] != '\0';
}

/* False: the reply says why. */
static bool take_filter(struct oweb_request *request, struct oev_shelf_filter *filter)
{
	uint32_t number = 0;

	filter->from_us = oweb_query_number(&request->query, "from", 0);
	filter->until_us = oweb_query_number(&request->query, "until", 0);
	filter->has_command = take_number(request, "command", &filter->command);
	filter->has_version = take_number(request, "version", &filter->version);
	filter->has_result = take_number(request, "answer_code", &filter->result_code);
	filter->has_class = take_number(request, "class", &number);
	filter->klass = (uint8_t)number;
	copy(request, "run", filter->run, sizeof(filter->run));
	copy(request, "origin_host", filter->origin_host, sizeof(filter->origin_host));
	copy(request, "origin_realm", filter->origin_realm, sizeof(filter->origin_realm));
	copy(request, "dest_host", filter->dest_host, sizeof(filter->dest_host));
	copy(request, "dest_realm", filter->dest_realm, sizeof(filter->dest_realm));
	copy(request, "client", filter->client, sizeof(filter->client));
	copy(request, "next_hop", filter->next_hop, sizeof(filter->next_hop));
	copy(request, "verdict", filter->verdict, sizeof(filter->verdict));
	filter->only_observed = oweb_query_number(&request->query, "observed", 0) != 0;
	const char *order = oweb_query_text(&request->query, "order");
	filter->oldest_first = order != NULL && strcmp(order, "oldest") == 0;
	if (filter->has_version && filter->run[0] == '\0' && !take_life(request, filter))
		return refuse(request, "version",
			      "needs run: versions count up within one life of the agent");
	return take_app(request, filter) && take_pseudonym(request, "session", &filter->session) &&
	       take_pseudonym(request, "subscriber", &filter->subscriber);
}

static int read_page(void *ctx, struct oev_shelf *shelf, const char *cursor, json_t *rows,
		     struct oev_shelf_page *page, char error[static OEV_SHELF_TEXT_MAX])
{
	return oweb_read_decisions(shelf, ctx, cursor, OWEB_STREAM_PAGE, rows, page, error);
}

static void reply_page(struct oweb_request *request, const struct oev_shelf_filter *filter)
{
	const char *cursor = oweb_query_text(&request->query, "cursor");
	uint32_t limit = (uint32_t)oweb_query_number(&request->query, "limit", OWEB_PAGE_DEFAULT);
	char error[OEV_SHELF_TEXT_MAX] = "";
	struct oev_shelf_page page = { 0 };
	json_t *rows = json_array();

	int rc = oweb_read_decisions(request->server->shelf, filter, cursor != NULL ? cursor : "", limit,
				     rows, &page, error);
	if (rc != OC_OK) {
		json_decref(rows);
		oweb_shelf_problem(request, rc, error);
		return;
	}
	json_t *object = json_pack("{s:o}", "decisions", rows);
	oweb_put_page(object, &page);
	oweb_reply_json(request, 200, object);
}

/* What every page shows first: the newest rows, whatever they are. */
static bool is_first_page(const struct oweb_request *request)
{
	static const char path[] = "/api/v1/decisions", with_limit[] = "/api/v1/decisions?limit=";
	const char *digits = request->raw + sizeof(with_limit) - 1;

	return strcmp(request->raw, path) == 0 ||
	       (strncmp(request->raw, with_limit, sizeof(with_limit) - 1) == 0 &&
		strspn(digits, "0123456789") == strlen(digits));
}

/* The reply of a moment ago, or one made now and kept. */
static void reply_first_page(struct oweb_request *request, const struct oev_shelf_filter *filter)
{
	uint64_t began_ns = oweb_server_now_ns(request->server);

	if (oweb_fresh_reply(request))
		return;
	reply_page(request, filter);
	oweb_fresh_keep(request, began_ns);
}

void oweb_decisions_get(struct oweb_request *request)
{
	struct oev_shelf_filter *filter = calloc(1, sizeof(*filter));
	enum oweb_format format = oweb_wanted_format(request);

	if (filter == NULL)
		oweb_problem(request, OWEB_P_INTERNAL, "out of memory");
	else if (oweb_has_shelf(request) && take_filter(request, filter)) {
		if (format != OWEB_FORMAT_JSON) {
			oweb_stream(request, read_page, filter,
				    format == OWEB_FORMAT_CSV ? oweb_decision_columns : NULL);
			return;
		}
		if (is_first_page(request))
			reply_first_page(request, filter);
		else
			reply_page(request, filter);
	}
	free(filter);
}
