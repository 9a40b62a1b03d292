/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * All rows of a question, page after page, while they are sent.
 */
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
};

/* OC_OK, or what went wrong; rows may be none. */
static int turn(struct stream *stream)
{
	char error[OEV_SHELF_TEXT_MAX] = "", cursor[OEV_SHELF_CURSOR_MAX] = "";

	if (stream->has_page)
		memcpy(cursor, stream->page.next, sizeof(cursor));
	json_array_clear(stream->rows);
	stream->at = 0;
	stream->page = (struct oev_shelf_page){ 0 };
	stream->has_page = true;
	return stream->read(stream->ctx, stream->shelf, cursor, stream->rows, &stream->page, error);
}

static int next(void *ctx, json_t **row)
{
	struct stream *stream = ctx;

	while (stream->at == json_array_size(stream->rows)) {
		if (stream->has_page && stream->page.is_end)
			return 0;
		if (turn(stream) != OC_OK)
			return -1;
	}
	*row = json_incref(json_array_get(stream->rows, stream->at++));
	return 1;
}

static void done(void *ctx)
{
	struct stream *stream = ctx;

	json_decref(stream->rows);
	free(stream->ctx);
	free(stream);
}

static bool take_gap(void *ctx, const struct oev_shelf_list_row *row)
{
	json_array_append_new(ctx, oweb_view_row(OEV_SHELF_GAPS, row));
	return true;
}

static json_t *gaps(void *ctx)
{
	struct stream *stream = ctx;
	struct oev_shelf_page page;
	char error[OEV_SHELF_TEXT_MAX];
	json_t *list = json_array();
	const struct oev_shelf_list_filter all = { 0 };

	(void)oev_shelf_list(stream->shelf, OEV_SHELF_GAPS, &all, "", OWEB_PAGE_MAX, take_gap, list, &page,
			     error);
	return list;
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
	const struct oweb_rows rows = { .columns = columns,
					.next = next,
					.gaps = gaps,
					.done = done,
					.ctx = stream,
					.is_csv = columns != NULL };
	oweb_reply_rows(request, &rows);
}
