/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * /api/v1/evidence/LIST, and the same under other names: rows of the smaller tables, and segments.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../oweb_evidence.h"
#include "../oweb_json.h"
#include "../oweb_resources.h"

/* What a stream reads; the texts are its own. */
struct asked {
	enum oev_shelf_list list;
	struct oev_shelf_list_filter filter;
	char run[OEV_SHELF_RUN_MAX], name[OEV_SHELF_NAME_MAX];
};

static void fill(const struct oweb_request *request, struct asked *asked)
{
	const char *run = oweb_query_text(&request->query, "run"),
		   *name = oweb_query_text(&request->query, "name");
	const char *order = oweb_query_text(&request->query, "order");

	snprintf(asked->run, sizeof(asked->run), "%s", run != NULL ? run : "");
	snprintf(asked->name, sizeof(asked->name), "%s", name != NULL ? name : "");
	asked->filter = (struct oev_shelf_list_filter){
		.from_us = oweb_query_number(&request->query, "from", 0),
		.until_us = oweb_query_number(&request->query, "until", 0),
		.run = asked->run,
		.name = asked->name,
		.has_number = oweb_query_text(&request->query, "number") != NULL,
		.number = oweb_query_number(&request->query, "number", 0),
		.oldest_first = order != NULL && strcmp(order, "oldest") == 0,
	};
}

static int read_page(void *ctx, struct oev_shelf *shelf, const char *cursor, json_t *rows,
		     struct oev_shelf_page *page, char error[static OEV_SHELF_TEXT_MAX])
{
	const struct asked *asked = ctx;

	return oweb_read_list(shelf, asked->list, &asked->filter, cursor, OWEB_STREAM_PAGE, rows, page,
			      error);
}

static void reply_page(struct oweb_request *request, const struct asked *asked, const char *key)
{
	const char *cursor = oweb_query_text(&request->query, "cursor");
	uint32_t limit = (uint32_t)oweb_query_number(&request->query, "limit", OWEB_PAGE_DEFAULT);
	char error[OEV_SHELF_TEXT_MAX] = "";
	struct oev_shelf_page page = { 0 };
	json_t *rows = json_array();

	int rc = oweb_read_list(request->server->shelf, asked->list, &asked->filter,
				cursor != NULL ? cursor : "", limit, rows, &page, error);
	if (rc != OC_OK) {
		json_decref(rows);
		oweb_shelf_problem(request, rc, error);
		return;
	}
	json_t *object = json_pack("{s:o}", key, rows);
	oweb_put_page(object, &page);
	oweb_reply_json(request, 200, object);
}

/* Replies with @list under the key @key. */
static void reply(struct oweb_request *request, enum oev_shelf_list list, const char *key)
{
	struct asked *asked = calloc(1, sizeof(*asked));

	if (asked == NULL) {
		oweb_problem(request, OWEB_P_INTERNAL, "out of memory");
		return;
	}
	asked->list = list;
	fill(request, asked);
	if (oweb_wanted_format(request) == OWEB_FORMAT_NDJSON) {
		oweb_stream(request, read_page, asked, NULL);
		return;
	}
	reply_page(request, asked, key);
	free(asked);
}

void oweb_list_get(struct oweb_request *request)
{
	const char *name = oweb_request_part(request, "list");

	if (!oweb_has_shelf(request))
		return;
	for (int list = 0; list < OEV_SHELF_LIST_COUNT; list++)
		if (strcmp(oev_shelf_list_text((enum oev_shelf_list)list), name) == 0) {
			reply(request, (enum oev_shelf_list)list, name);
			return;
		}
	oweb_problem(request, OWEB_P_NOT_FOUND, "the evidence has no such list; see /api/openapi.yaml");
}

void oweb_received_get(struct oweb_request *request)
{
	if (oweb_has_shelf(request))
		reply(request, OEV_SHELF_REPORTS, "reports");
}

void oweb_capabilities_get(struct oweb_request *request)
{
	if (oweb_has_shelf(request))
		reply(request, OEV_SHELF_CAPABILITIES, "capabilities");
}

static json_t *segment_of(const struct oev_shelf_segment *at)
{
	json_t *object = json_pack("{s:s, s:I, s:I, s:b}", "name", at->name, "part", (json_int_t)at->part,
				   "octets", (json_int_t)at->octets, "is_capture", at->is_capture);

	oweb_json_text(object, "run", at->run);
	oweb_json_text(object, "node", at->node);
	oweb_json_text(object, "closed_how", at->closed_how);
	oweb_json_text(object, "sha256", at->sha256);
	oweb_json_text(object, "trouble", at->trouble);
	if (at->from_us != 0)
		oweb_json_time(object, "from", at->from_us);
	if (at->until_us != 0)
		oweb_json_time(object, "until", at->until_us);
	if (at->is_sealed)
		oweb_json_time(object, "sealed", at->sealed_us);
	if (at->last_decision != 0) {
		json_object_set_new(object, "first_decision", json_integer((json_int_t)at->first_decision));
		json_object_set_new(object, "last_decision", json_integer((json_int_t)at->last_decision));
	}
	return object;
}

void oweb_segments_get(struct oweb_request *request)
{
	struct oev_shelf_segment *segments = NULL;
	size_t count = 0;

	if (!oweb_has_shelf(request))
		return;
	int rc = oev_shelf_segments(request->server->shelf, &segments, &count);
	if (rc != OC_OK) {
		oweb_shelf_problem(request, rc, "the folder cannot be read");
		return;
	}
	json_t *list = json_array();
	for (size_t i = count; i-- > 0;)
		json_array_append_new(list, segment_of(&segments[i]));
	free(segments);
	oweb_reply_json(request, 200, json_pack("{s:o}", "segments", list));
}

/* What stands behind "@key " on a line of @note. */
static void note_value(const char *note, const char *key, char *out, size_t size)
{
	size_t len = strlen(key);

	out[0] = '\0';
	for (const char *at = note; at != NULL && *at != '\0'; at = strchr(at, '\n'), at += at != NULL) {
		if (strncmp(at, key, len) != 0 || at[len] != ' ')
			continue;
		snprintf(out, size, "%.*s", (int)strcspn(at + len + 1, "\n"), at + len + 1);
		return;
	}
}

/* A checkpoint's note: whose log, its batches, its rows, its root. */
static json_t *checkpoint_of(const json_t *row)
{
	const char *note = json_string_value(json_object_get(row, "note"));
	json_t *object = json_object();
	char value[160];

	note_value(note, "origin", value, sizeof(value));
	oweb_json_text(object, "origin", value);
	note_value(note, "size", value, sizeof(value));
	json_object_set_new(object, "size", json_integer((json_int_t)strtoull(value, NULL, 10)));
	note_value(note, "rows", value, sizeof(value));
	json_object_set_new(object, "rows", json_integer((json_int_t)strtoull(value, NULL, 10)));
	note_value(note, "root", value, sizeof(value));
	oweb_json_text(object, "root", value);
	json_object_set(object, "time", json_object_get(row, "time"));
	json_object_set(object, "note", json_object_get(row, "note"));
	return object;
}

void oweb_checkpoint_get(struct oweb_request *request)
{
	const struct oev_shelf_list_filter newest = { 0 };
	json_t *rows = json_array();
	char error[OEV_SHELF_TEXT_MAX] = "";
	struct oev_shelf_page page = { 0 };

	if (oweb_has_shelf(request)) {
		int rc = oweb_read_list(request->server->shelf, OEV_SHELF_CHECKPOINTS, &newest, "", 1, rows,
					&page, error);
		if (rc != OC_OK)
			oweb_shelf_problem(request, rc, error);
		else if (json_array_size(rows) == 0)
			oweb_problem(request, OWEB_P_NOT_FOUND, "no checkpoint was signed yet");
		else
			oweb_reply_json(request, 200, checkpoint_of(json_array_get(rows, 0)));
	}
	json_decref(rows);
}
