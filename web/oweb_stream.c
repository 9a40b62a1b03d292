/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * All rows of a question, page after page, while they are sent.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../agent/oc_err.h"
#include "oweb_evidence.h"

struct stream {
	struct oev_shelf *shelf;
	oweb_page_fn read;
	void *ctx;
	json_t *rows; /* of the page at hand */
	size_t at;
	struct oev_shelf_page page;
	bool has_page;
	char run[OEV_SHELF_RUN_MAX];
	struct oev_shelf_list_filter of_gaps;
	char left_out[sizeof(((struct oev_shelf_page *)NULL)->left_out)];
	uint64_t left;	 /* rows the asker still wants */
	bool is_limited; /* there are more than that */
	bool tells_end;	 /* there is a last line to say so in */
	bool may_turn;	 /* one page at a call: the thread has others to serve */
};

/* OC_OK, or what went wrong; rows may be none. */
static int turn(struct stream *stream, char error[static OEV_SHELF_TEXT_MAX])
{
	char cursor[OEV_SHELF_CURSOR_MAX] = "";

	if (stream->has_page)
		memcpy(cursor, stream->page.next, sizeof(cursor));
	json_array_clear(stream->rows);
	stream->at = 0;
	stream->page = (struct oev_shelf_page){ 0 };
	stream->has_page = true;
	int rc = stream->read(stream->ctx, stream->shelf, cursor, stream->rows, &stream->page, error);
	if (stream->page.left_out[0] != '\0')
		memcpy(stream->left_out, stream->page.left_out, sizeof(stream->left_out));
	return rc;
}

/* 1 when there is a row at hand; else as next(). */
static int reach(struct stream *stream)
{
	char error[OEV_SHELF_TEXT_MAX] = "";

	while (stream->at == json_array_size(stream->rows)) {
		if (stream->has_page && stream->page.is_end)
			return 0;
		stream->may_turn = !stream->may_turn;
		if (stream->may_turn)
			return OWEB_ROWS_LATER;
		if (turn(stream, error) != OC_OK)
			return -1;
	}
	return 1;
}

static int next(void *ctx, json_t **row)
{
	struct stream *stream = ctx;

	if (stream->left == 0 && !stream->tells_end)
		return 0;
	int is_there = reach(stream);
	if (stream->left == 0 &&
	    is_there != OWEB_ROWS_LATER) { /* all that was wanted is sent: what cannot be read may be more */
		stream->is_limited = is_there != 0;
		return 0;
	}
	if (is_there != 1)
		return is_there;
	*row = json_incref(json_array_get(stream->rows, stream->at++));
	stream->left--;
	return 1;
}

static void done(void *ctx)
{
	struct stream *stream = ctx;

	json_decref(stream->rows);
	free(stream->ctx);
	free(stream);
}

static const char *end(void *ctx, json_t *last)
{
	struct stream *stream = ctx;

	json_object_set_new(
		last, "gaps",
		oweb_read_gaps(stream->shelf, &stream->of_gaps, stream->left_out, sizeof(stream->left_out)));
	if (stream->is_limited)
		json_object_set_new(last, "is_limited", json_true());
	return stream->left_out;
}

/* Behind what @cursor had given, as a page would be. False: it is none of these rows, and the reply says so. */
static bool begin_at(struct oweb_request *request, struct stream *stream, const char *cursor)
{
	char error[OEV_SHELF_TEXT_MAX] = "";

	snprintf(stream->page.next, sizeof(stream->page.next), "%s", cursor);
	stream->has_page = true;
	int rc = turn(stream, error);
	if (rc != OC_OK)
		oweb_shelf_problem(request, rc, error);
	return rc == OC_OK;
}

void oweb_stream(struct oweb_request *request, oweb_page_fn read, void *ctx, const char *const *columns)
{
	struct stream *stream = calloc(1, sizeof(*stream));

	if (stream == NULL || (stream->rows = json_array()) == NULL) {
		free(stream);
		free(ctx);
		oweb_problem(request, OWEB_P_INTERNAL, "out of memory");
		return;
	}
	stream->shelf = request->server->shelf;
	stream->read = read;
	stream->ctx = ctx;
	stream->of_gaps.from_us = oweb_query_number(&request->query, "from", 0);
	stream->of_gaps.until_us = oweb_query_number(&request->query, "until", 0);
	stream->left = oweb_query_number(&request->query, "limit", UINT64_MAX);
	stream->tells_end = columns == NULL;
	const char *run = oweb_query_text(&request->query, "run");
	snprintf(stream->run, sizeof(stream->run), "%s", run != NULL ? run : "");
	stream->of_gaps.run = stream->run;
	const char *cursor = oweb_query_text(&request->query, "cursor");
	if (cursor != NULL && !begin_at(request, stream, cursor)) {
		done(stream);
		return;
	}
	const struct oweb_rows rows = { .columns = columns,
					.next = next,
					.end = end,
					.done = done,
					.ctx = stream,
					.is_csv = columns != NULL };
	oweb_reply_rows(request, &rows);
}
