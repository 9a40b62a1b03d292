/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Samples as CSV (RFC 4180): a header that names the columns, then one row per node, application and interval.
 */
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_samples.h"

#define COLUMNS_MAX 64u
#define CELL_MAX 256u

struct cursor {
	struct oev_samples *samples;
	const char *path;
	const char *at, *end;
	const char *line_start;
	uint32_t line;
	bool at_line_end; /* of the row: the last cell was read */
};

static int wrong(const struct cursor *cursor, const char *at, const char *why)
{
	snprintf(cursor->samples->error, sizeof(cursor->samples->error), "%s:%u:%zu: %s", cursor->path,
		 cursor->line, (size_t)(at - cursor->line_start) + 1, why);
	return OC_EMALFORMED;
}

static int put(struct cursor *cursor, const char *start, char *cell, size_t *length)
{
	if (*length + 1 >= CELL_MAX)
		return wrong(cursor, start, "a value of more than 255 octets");
	cell[(*length)++] = *cursor->at++;
	return OC_OK;
}

/* Between quotes: two quotes are one, line ends are not allowed. */
static int take_quoted(struct cursor *cursor, const char *start, char *cell, size_t *length)
{
	int rc = OC_OK;

	cursor->at++;
	for (; rc == OC_OK; rc = put(cursor, start, cell, length)) {
		if (cursor->at == cursor->end || *cursor->at == '\n')
			return wrong(cursor, start, "a quote that is not closed on its line");
		if (*cursor->at == '"' && cursor->at[1] != '"')
			break;
		cursor->at += *cursor->at == '"';
	}
	if (rc == OC_OK)
		cursor->at++;
	return rc;
}

/* The next cell of the row, and where it stands. */
static int take_cell(struct cursor *cursor, char cell[static CELL_MAX], const char **start)
{
	size_t length = 0;
	int rc = OC_OK;

	cursor->at += strspn(cursor->at, " \t");
	*start = cursor->at;
	if (*cursor->at == '"')
		rc = take_quoted(cursor, *start, cell, &length);
	else
		while (rc == OC_OK && strchr(",\r\n", *cursor->at) == NULL)
			rc = put(cursor, *start, cell, &length);
	if (rc != OC_OK)
		return rc;
	if (**start != '"')
		while (length > 0 && (cell[length - 1] == ' ' || cell[length - 1] == '\t'))
			length--;
	cell[length] = '\0';
	cursor->at += strspn(cursor->at, " \t");
	cursor->at_line_end = strchr("\r\n", *cursor->at) != NULL; /* the end of the text too */
	if (!cursor->at_line_end && *cursor->at != ',')
		return wrong(cursor, cursor->at, "something after a quoted value");
	cursor->at += *cursor->at == ',';
	return OC_OK;
}

static void next_line(struct cursor *cursor)
{
	cursor->at += *cursor->at == '\r';
	cursor->at += *cursor->at == '\n';
	cursor->line_start = cursor->at;
	cursor->line++;
	cursor->at_line_end = false;
}

static bool is_blank(const struct cursor *cursor)
{
	const char *at = cursor->at + strspn(cursor->at, " \t");

	return *at == '\r' || *at == '\n' || *at == '\0';
}

static int take_header(struct cursor *cursor, enum oev_field columns[COLUMNS_MAX], size_t *count)
{
	char cell[CELL_MAX], why[400];
	const char *start;
	unsigned long long seen = 0;

	while (!cursor->at_line_end) {
		int rc = take_cell(cursor, cell, &start);
		if (rc != OC_OK)
			return rc;
		enum oev_field field = oev_field_of(cell);
		if (field == OEV_FIELD_COUNT) {
			snprintf(why, sizeof(why),
				 "no column is called \"%.40s\" (time, node, application, requests; realm, "
				 "interval_s, answers,"
				 " answers_2xxx or success, answers_3xxx, busy, answers_4xxx, answers_5xxx, "
				 "other, useful)",
				 cell);
			return wrong(cursor, start, why);
		}
		if (*count == COLUMNS_MAX || (seen & 1ull << field) != 0)
			return wrong(cursor, start, "this column came before");
		seen |= 1ull << field;
		columns[(*count)++] = field;
	}
	static const enum oev_field needed[] = { OEV_FIELD_TIME, OEV_FIELD_NODE, OEV_FIELD_APP,
						 OEV_FIELD_REQUESTS };
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
		if ((seen & 1ull << needed[i]) == 0) {
			snprintf(why, sizeof(why), "the header names no column \"%s\"",
				 oev_field_text(needed[i]));
			return wrong(cursor, cursor->line_start, why);
		}
	return OC_OK;
}

static int take_row(struct cursor *cursor, const enum oev_field *columns, size_t count)
{
	struct oev_sample sample = oev_sample_none();
	char cell[CELL_MAX], why[300];
	const char *start;

	sample.line = cursor->line;
	for (size_t i = 0; i < count; i++) {
		if (cursor->at_line_end) {
			snprintf(why, sizeof(why), "%zu values, the header names %zu columns", i, count);
			return wrong(cursor, cursor->at, why);
		}
		int rc = take_cell(cursor, cell, &start);
		if (rc != OC_OK)
			return rc;
		if (cell[0] == '\0' && columns[i] != OEV_FIELD_TIME && columns[i] != OEV_FIELD_NODE)
			continue; /* not known */
		if (!oev_sample_set(cursor->samples, &sample, columns[i], cell, why, sizeof(why)))
			return wrong(cursor, start, why);
	}
	if (!cursor->at_line_end)
		return wrong(cursor, cursor->at, "more values than the header names columns");
	int rc = oev_sample_add(cursor->samples, &sample, why, sizeof(why));
	if (rc == OC_EMALFORMED || rc == OC_ENOSPC)
		wrong(cursor, cursor->line_start, why);
	return rc;
}

int oev_samples_csv(struct oev_samples *samples, const char *path, const char *text, size_t size)
{
	struct cursor cursor = { .samples = samples,
				 .path = path,
				 .at = text,
				 .end = text + size,
				 .line_start = text,
				 .line = 1 };
	enum oev_field columns[COLUMNS_MAX];
	size_t count = 0;

	if (is_blank(&cursor))
		return wrong(&cursor, cursor.at, "the first line must name the columns");
	int rc = take_header(&cursor, columns, &count);
	while (rc == OC_OK && cursor.at < cursor.end) {
		next_line(&cursor);
		if (is_blank(&cursor))
			cursor.at += strcspn(cursor.at, "\r\n");
		else
			rc = take_row(&cursor, columns, count);
	}
	return rc;
}
