/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Which rows: "decision 1-4096,4099 report 3". Tables one after the other, the rows of each ascending.
 *
 * Leaf i of a batch is row i (from 0) of its text. There is one text for the same rows: each table once;
 * numbers 0..2^63 - 1 without leading zeros; what can be one range is one range. No rows at all are the
 * empty text.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oev_why.h"

#define OEV_SPANS_TABLE_MAX 31u
#define OEV_SPANS_TABLES 64u /* names in one text */

/* A writer keeps its buffer from text to text. One thread at a time. */
struct oev_spans {
	char *text;
	size_t len;
	size_t size;
	char table[OEV_SPANS_TABLE_MAX + 1];
	bool is_named; /* the table's name is in the text */
	int64_t first; /* of the range that is not in the text yet */
	int64_t last;  /* -1: there is none */
	uint64_t rows; /* added since oev_spans_begin() */
	int rc;	       /* first error: OC_EINVAL (our own bug: descending rows, a bad name), OC_ENOMEM */
};

/* Whether @len octets can name a table: 1..31 of [a-z0-9_], the first a letter. */
bool oev_spans_is_table(const char *name, size_t len);

void oev_spans_init(struct oev_spans *spans);
void oev_spans_fini(struct oev_spans *spans);

/* Starts a text. */
void oev_spans_begin(struct oev_spans *spans);

/* The rows that follow are of @table; a table without rows leaves nothing in the text. */
void oev_spans_table(struct oev_spans *spans, const char *table);

/* Adds a row above all others of its table. */
static inline void oev_spans_add(struct oev_spans *spans, int64_t row);
void oev_spans_add_range(struct oev_spans *spans, int64_t first, int64_t last);

/* Ends the text: *@text is borrowed until the next oev_spans_begin(). Returns spans->rc. */
int oev_spans_end(struct oev_spans *spans, const char **text, size_t *len);

static inline void oev_spans_add(struct oev_spans *spans, int64_t row)
{
	if (spans->last >= 0 && row - 1 == spans->last && spans->rc == 0) {
		spans->last = row;
		spans->rows++;
	} else {
		oev_spans_add_range(spans, row, row);
	}
}

/* A reader; hostile texts. */
struct oev_spans_reader {
	const char *at;
	const char *end;
	char table[OEV_SPANS_TABLE_MAX + 1];
	int64_t last; /* of the range taken last, -1 none */
};

/* One range of a table, whose name is valid until the next call. */
struct oev_span {
	const char *table;
	int64_t first;
	int64_t last;
};

void oev_spans_open(struct oev_spans_reader *reader, const char *text, size_t len);

/* The next range: OC_OK, OC_ENOENT behind the last, OC_EMALFORMED. A name that comes twice is found by
 * oev_spans_count() alone. */
int oev_spans_next(struct oev_spans_reader *reader, struct oev_span *out);

/* Checks a whole text and counts its rows. OC_OK, OC_EMALFORMED with the sentence, OC_ERANGE (more than
 * 2^63 - 1). Compare the count with what it should be before walking over rows: a short text may name very
 * many. */
int oev_spans_count(const char *text, size_t len, uint64_t *rows, struct oev_why *why);

/* Which leaf row @row of @table is, from 0: OC_OK, OC_ENOENT, OC_EMALFORMED. */
int oev_spans_find(const char *text, size_t len, const char *table, int64_t row, uint64_t *index);
