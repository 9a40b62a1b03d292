/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Which rows: writing the text.
 */
#include "oev_spans.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"

#define FIRST_SIZE ((size_t)256)
#define ROOM ((size_t)64) /* what one range or one name takes at most, with NUL */

void oev_spans_init(struct oev_spans *spans)
{
	*spans = (struct oev_spans){ .last = -1 };
}

void oev_spans_fini(struct oev_spans *spans)
{
	free(spans->text);
	oev_spans_init(spans);
}

static bool make_room(struct oev_spans *spans)
{
	size_t size = spans->size > 0 ? 2 * spans->size : FIRST_SIZE;
	char *larger;

	if (spans->size - spans->len >= ROOM)
		return true;
	larger = realloc(spans->text, size);
	if (larger == NULL) {
		spans->rc = OC_ENOMEM;
		return false;
	}
	spans->text = larger;
	spans->size = size;
	return true;
}

__attribute__((format(printf, 2, 3))) static void print(struct oev_spans *spans, const char *format, ...)
{
	va_list args;

	if (!make_room(spans))
		return;
	va_start(args, format);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): started in the line above */
	spans->len += (size_t)vsnprintf(spans->text + spans->len, spans->size - spans->len, format, args);
	va_end(args);
}

void oev_spans_begin(struct oev_spans *spans)
{
	spans->rc = OC_OK;
	spans->len = 0;
	spans->rows = 0;
	spans->last = -1;
	spans->is_named = false;
	spans->table[0] = '\0';
}

/* Writes the range that waits, the table's name before the first of its ranges. */
static void flush(struct oev_spans *spans)
{
	if (spans->last < 0 || spans->rc != OC_OK)
		return;
	if (spans->is_named)
		print(spans, ",");
	else
		print(spans, spans->len > 0 ? " %s " : "%s ", spans->table);
	spans->is_named = true;
	if (spans->first == spans->last)
		print(spans, "%" PRId64, spans->first);
	else
		print(spans, "%" PRId64 "-%" PRId64, spans->first, spans->last);
}

/* Whether the text has rows of @table already. */
static bool has_table(const struct oev_spans *spans, const char *table)
{
	struct oev_spans_reader reader;
	struct oev_span span;

	oev_spans_open(&reader, spans->text, spans->len);
	while (oev_spans_next(&reader, &span) == OC_OK)
		if (strcmp(span.table, table) == 0)
			return true;
	return false;
}

void oev_spans_table(struct oev_spans *spans, const char *table)
{
	size_t len = strnlen(table, OEV_SPANS_TABLE_MAX + 1);

	flush(spans);
	if (spans->rc == OC_OK && (!oev_spans_is_table(table, len) || has_table(spans, table)))
		spans->rc = OC_EINVAL;
	if (spans->rc != OC_OK)
		return;
	memcpy(spans->table, table, len + 1);
	spans->is_named = false;
	spans->last = -1;
}

void oev_spans_add_range(struct oev_spans *spans, int64_t first, int64_t last)
{
	if (spans->table[0] == '\0' || first < 0 || last < first || first <= spans->last)
		spans->rc = spans->rc == OC_OK ? OC_EINVAL : spans->rc;
	if (spans->rc != OC_OK)
		return;
	if (spans->last < 0 || first - 1 != spans->last) {
		flush(spans);
		spans->first = first;
	}
	spans->last = last;
	spans->rows += (uint64_t)(last - first) + 1;
}

int oev_spans_end(struct oev_spans *spans, const char **text, size_t *len)
{
	flush(spans);
	spans->last = -1;
	spans->table[0] = '\0';
	*text = spans->len > 0 ? spans->text : "";
	*len = spans->len;
	return spans->rc;
}
