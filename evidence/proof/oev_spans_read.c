/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Which rows: reading the text, whoever wrote it.
 */
#include "oev_spans.h"

#include <inttypes.h>
#include <string.h>

#include "../../agent/oc_err.h"

bool oev_spans_is_table(const char *name, size_t len)
{
	if (len == 0 || len > OEV_SPANS_TABLE_MAX || name[0] < 'a' || name[0] > 'z')
		return false;
	for (size_t i = 0; i < len; i++)
		if (!((name[i] >= 'a' && name[i] <= 'z') || (name[i] >= '0' && name[i] <= '9') ||
		      name[i] == '_'))
			return false;
	return true;
}

void oev_spans_open(struct oev_spans_reader *reader, const char *text, size_t len)
{
	if (len == 0)
		text = ""; /* nothing may be nowhere */
	*reader = (struct oev_spans_reader){ .at = text, .end = text + len, .last = -1 };
}

static bool take_char(struct oev_spans_reader *reader, char c)
{
	if (reader->at == reader->end || *reader->at != c)
		return false;
	reader->at++;
	return true;
}

static bool take_number(struct oev_spans_reader *reader, int64_t *out)
{
	const char *start = reader->at;
	int64_t sum = 0;

	for (; reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9'; reader->at++) {
		int digit = *reader->at - '0';

		if (sum > (INT64_MAX - digit) / 10 || (reader->at > start && sum == 0))
			return false; /* too large, or a leading zero */
		sum = sum * 10 + digit;
	}
	*out = sum;
	return reader->at > start;
}

/* "decision ", another table than the one before. */
static bool take_table(struct oev_spans_reader *reader)
{
	const char *space = memchr(reader->at, ' ', (size_t)(reader->end - reader->at));
	size_t len = space != NULL ? (size_t)(space - reader->at) : 0;

	if (!oev_spans_is_table(reader->at, len) ||
	    (strlen(reader->table) == len && memcmp(reader->table, reader->at, len) == 0))
		return false;
	memcpy(reader->table, reader->at, len);
	reader->table[len] = '\0';
	reader->at = space + 1;
	reader->last = -1;
	return true;
}

int oev_spans_next(struct oev_spans_reader *reader, struct oev_span *out)
{
	bool is_first = reader->table[0] == '\0';

	if (reader->at == reader->end)
		return OC_ENOENT;
	if (is_first || take_char(reader, ' ')) {
		if (!take_table(reader))
			return OC_EMALFORMED;
	} else if (!take_char(reader, ',')) {
		return OC_EMALFORMED;
	}
	if (!take_number(reader, &out->first))
		return OC_EMALFORMED;
	out->last = out->first;
	if (take_char(reader, '-') && (!take_number(reader, &out->last) || out->last <= out->first))
		return OC_EMALFORMED;
	if (reader->last >= 0 && out->first - 1 <= reader->last)
		return OC_EMALFORMED; /* not ascending, or the range before could have held it */
	reader->last = out->last;
	out->table = reader->table;
	return OC_OK;
}

/* The names met so far. */
struct seen {
	char names[OEV_SPANS_TABLES][OEV_SPANS_TABLE_MAX + 1];
	unsigned count;
};

/* False when the table was met before another one, or when there are too many. */
static bool note_table(struct seen *seen, const char *table)
{
	if (seen->count > 0 && strcmp(seen->names[seen->count - 1], table) == 0)
		return true;
	for (unsigned i = 0; i < seen->count; i++)
		if (strcmp(seen->names[i], table) == 0)
			return false;
	if (seen->count == OEV_SPANS_TABLES)
		return false;
	memcpy(seen->names[seen->count++], table, strlen(table) + 1);
	return true;
}

int oev_spans_count(const char *text, size_t len, uint64_t *rows, struct oev_why *why)
{
	struct oev_spans_reader reader;
	struct seen seen = { .count = 0 };
	struct oev_span span;
	uint64_t sum = 0;
	int rc;

	oev_spans_open(&reader, text, len);
	while ((rc = oev_spans_next(&reader, &span)) == OC_OK) {
		uint64_t more = (uint64_t)(span.last - span.first) + 1;

		if (!note_table(&seen, span.table))
			return oev_why(why, OC_EMALFORMED,
				       "rows of table %s stand in two places, or there are too many tables",
				       span.table);
		if (more > INT64_MAX - sum)
			return oev_why(why, OC_ERANGE, "more rows than can be counted");
		sum += more;
	}
	if (rc != OC_ENOENT)
		return oev_why(why, OC_EMALFORMED,
			       "octet %zu of the text that names the rows is not as it must be",
			       (size_t)(reader.at - text));
	*rows = sum;
	return OC_OK;
}

int oev_spans_find(const char *text, size_t len, const char *table, int64_t row, uint64_t *index)
{
	struct oev_spans_reader reader;
	struct oev_span span;
	uint64_t before = 0;
	int rc;

	oev_spans_open(&reader, text, len);
	while ((rc = oev_spans_next(&reader, &span)) == OC_OK) {
		if (strcmp(span.table, table) == 0 && span.first <= row && row <= span.last) {
			*index = before + (uint64_t)(row - span.first);
			return OC_OK;
		}
		before += (uint64_t)(span.last - span.first) + 1;
	}
	return rc;
}
