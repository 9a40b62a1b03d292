/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Rows that are made while they are sent: NDJSON, whose last line says that it is the last ({"end":true,"rows":n,"gaps":[...]}), and
 * CSV, in which no cell is taken for a formula.
 */
#include "oweb_csv.h"
#include "oweb_inner.h"
#include "oweb_json.h"

#include <stdlib.h>
#include <string.h>

#include "oweb_text.h"

#define BLOCK 32768u

struct source {
	struct oweb_rows rows;
	struct oweb_text text; /* made, and not sent yet from @at on */
	size_t at;
	uint64_t count;
	bool is_over;
};

static void add_json(struct oweb_text *text, json_t *value)
{
	char *line = value == NULL ? NULL : json_dumps(value, OWEB_JSON_DUMP);

	json_decref(value);
	if (line == NULL) {
		oweb_text_free(text);
		text->failed = true;
		return;
	}
	oweb_text_put(text, line);
	oweb_text_put(text, "\n");
	free(line);
}

/* What is cut, or not whole, is to be seen as such. */
static void add_end(struct source *source, int rc)
{
	json_t *last = json_pack("{s:b, s:I}", "end", 0, "rows", (json_int_t)source->count);
	const char *missing = source->rows.end == NULL ? "" : source->rows.end(source->rows.ctx, last);
	const char *error = rc < 0 ? "the rows could not be read to their end" : missing;

	source->is_over = true;
	json_object_set_new(last, "end", json_boolean(error[0] == '\0'));
	oweb_json_text(last, "error", error);
	if (!source->rows.is_csv) {
		add_json(&source->text, last);
		return;
	}
	json_decref(last);
	if (error[0] != '\0') { /* no line end after this */
		oweb_text_put(&source->text, "\"cut off: ");
		for (const char *c = error; *c != '\0'; c++)
			oweb_text_add(&source->text, *c == '"' ? "'" : c, 1);
		oweb_text_put(&source->text, "\"");
	}
}

/* Makes rows until a block is full. */
static void fill(struct source *source)
{
	source->text.len = source->at = 0;
	while (!source->is_over && !source->text.failed && source->text.len < BLOCK) {
		json_t *row = NULL;
		int rc = source->rows.next(source->rows.ctx, &row);
		if (rc == OWEB_ROWS_LATER)
			return;
		if (rc <= 0) {
			add_end(source, rc);
			return;
		}
		source->count++;
		if (source->rows.is_csv) {
			oweb_csv_row(&source->text, source->rows.columns, row);
			json_decref(row);
		} else
			add_json(&source->text, row);
	}
}

static ssize_t read_rows(void *ctx, uint64_t position, char *out, size_t max)
{
	struct source *source = ctx;

	(void)position;
	if (source->at == source->text.len) {
		if (source->is_over)
			return MHD_CONTENT_READER_END_OF_STREAM;
		fill(source);
	}
	if (source->text.failed)
		return MHD_CONTENT_READER_END_WITH_ERROR;
	size_t len = source->text.len - source->at < max ? source->text.len - source->at : max;
	if (len == 0) /* 0: the library calls again when it has looked at its other connections */
		return source->is_over ? MHD_CONTENT_READER_END_OF_STREAM : 0;
	memcpy(out, source->text.data + source->at, len);
	source->at += len;
	return (ssize_t)len;
}

static void drop(void *ctx)
{
	struct source *source = ctx;

	if (source->rows.done != NULL)
		source->rows.done(source->rows.ctx);
	oweb_text_free(&source->text);
	free(source);
}

struct MHD_Response *oweb_rows_response(struct oweb_request *request)
{
	struct source *source = calloc(1, sizeof(*source));

	if (source == NULL)
		return NULL;
	source->rows = request->reply.rows;
	if (source->rows.is_csv)
		oweb_csv_head(&source->text, source->rows.columns);
	struct MHD_Response *response =
		MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read_rows, source, drop);
	if (response == NULL)
		free(source); /* the reply still owns the rows */
	else
		request->reply.kind = OWEB_BODY_NONE;
	return response;
}
