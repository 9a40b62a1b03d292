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
	return oev_sample_wrong(cursor->samples, cursor->path, cursor->line,
				(size_t)(at - cursor->line_start) + 1, why);
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

/* The columns a header names. */
struct header {
	enum oev_field columns[COLUMNS_MAX];
	size_t count;
	unsigned long long seen; /* bits of enum oev_field */
};

static int take_column(const struct cursor *cursor, struct header *header, const char *cell,
		       const char *start)
{
	enum oev_field field = oev_field_of(cell);
	char why[400];

	if (field == OEV_FIELD_COUNT) {
		snprintf(why, sizeof(why),
			 "no column is called \"%.40s\" (time, node, application, requests; realm, "
			 "interval_s, answers,"
			 " answers_2xxx or success, answers_3xxx, busy, answers_4xxx, answers_5xxx, "
			 "other, useful)",
			 cell);
		return wrong(cursor, start, why);
	}
	if (header->count == COLUMNS_MAX || (header->seen & 1ull << field) != 0)
		return wrong(cursor, start, "this column came before");
	header->seen |= 1ull << field;
	header->columns[header->count++] = field;
	return OC_OK;
}

/* Whether every column is there that is needed. */
static int check_header(const struct cursor *cursor, const struct header *header)
{
	static const enum oev_field needed[] = { OEV_FIELD_TIME, OEV_FIELD_NODE, OEV_FIELD_APP,
						 OEV_FIELD_REQUESTS };
	char why[80];
	int rc = OC_OK;

	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		if ((header->seen & 1ull << needed[i]) != 0 || !oev_samples_goes_on(cursor->samples, rc))
			continue;
		snprintf(why, sizeof(why), "the header names no column \"%s\"", oev_field_text(needed[i]));
		rc = wrong(cursor, cursor->line_start, why);
	}
	return rc;
}

static int take_header(struct cursor *cursor, struct header *header)
{
	char cell[CELL_MAX];
	const char *start;

	while (!cursor->at_line_end) {
		int rc = take_cell(cursor, cell, &start);
		if (rc != OC_OK)
			return rc;
		rc = take_column(cursor, header, cell, start);
		if (!oev_samples_goes_on(cursor->samples, rc))
			return rc;
	}
	/* Rows mean nothing below a header that is wrong. */
	return oev_samples_outcome(cursor->samples, check_header(cursor, header));
}

/* One value of a row. *@is_bad when it is wrong, and the row is read on for what else is. */
static int take_value(struct cursor *cursor, enum oev_field column, struct oev_sample *sample, bool *is_bad)
{
	char cell[CELL_MAX], why[300];
	const char *start;
	int rc = take_cell(cursor, cell, &start);

	if (rc != OC_OK || (cell[0] == '\0' && column != OEV_FIELD_TIME && column != OEV_FIELD_NODE))
		return rc; /* an empty one is not known */
	if (oev_sample_set(cursor->samples, sample, column, cell, why, sizeof(why)))
		return OC_OK;
	*is_bad = true;
	rc = wrong(cursor, start, why);
	return oev_samples_goes_on(cursor->samples, rc) ? OC_OK : rc;
}

static int take_row(struct cursor *cursor, const struct header *header)
{
	struct oev_sample sample = oev_sample_none();
	bool is_bad = false;
	char why[300];

	sample.line = cursor->line;
	for (size_t i = 0; i < header->count; i++) {
		if (cursor->at_line_end) {
			snprintf(why, sizeof(why), "%zu values, the header names %zu columns", i,
				 header->count);
			return wrong(cursor, cursor->at, why);
		}
		int rc = take_value(cursor, header->columns[i], &sample, &is_bad);
		if (rc != OC_OK)
			return rc;
	}
	if (!cursor->at_line_end)
		return wrong(cursor, cursor->at, "more values than the header names columns");
	if (is_bad)
		return OC_EMALFORMED;
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
	struct header header = { .count = 0 };

	if (is_blank(&cursor))
		return wrong(&cursor, cursor.at, "the first line must name the columns");
	int rc = take_header(&cursor, &header);
	if (rc != OC_OK)
		return rc;
	while (oev_samples_goes_on(samples, rc) && cursor.at < cursor.end) {
		cursor.at += strcspn(cursor.at, "\r\n"); /* what is left of a row that is wrong */
		next_line(&cursor);
		rc = OC_OK;
		if (is_blank(&cursor))
			cursor.at += strcspn(cursor.at, "\r\n");
		else
			rc = take_row(&cursor, &header);
	}
	return rc;
}
