/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The longest row of common lines, by the table of lengths; what is alike at both ends is taken off first.
 */
#include "oweb_diff.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_MAX 1000000u /* cells; more lines than that are not compared one by one */

struct line {
	const char *text;
	size_t len;
};

struct lines {
	struct line *line;
	size_t count;
};

static bool split(const char *text, struct lines *out)
{
	size_t count = 1;

	for (const char *at = text; *at != '\0'; at++)
		count += *at == '\n';
	out->line = calloc(count, sizeof(*out->line));
	out->count = 0;
	while (out->line != NULL && *text != '\0') {
		size_t len = strcspn(text, "\n");
		out->line[out->count++] = (struct line){ text, len };
		text += len + (text[len] == '\n');
	}
	return out->line != NULL;
}

static bool alike(const struct line *a, const struct line *b)
{
	return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

static void put(json_t *list, const struct line *line, size_t old_at, size_t new_at)
{
	json_t *entry = json_pack(
		"{s:o, s:o, s:s%}", "old", old_at ? json_integer((json_int_t)old_at) : json_null(), "new",
		new_at ? json_integer((json_int_t)new_at) : json_null(), "text", line->text, line->len);

	if (entry != NULL)
		json_array_append_new(list, entry);
}

/* The part of both texts that differs. */
struct middle {
	const struct line *a, *b;
	size_t a_from, b_from, a_count, b_count;
	uint32_t *
		table; /* (a_count + 1) rows of b_count + 1: length of the longest common row from there on; NULL: not compared */
};

static uint32_t *cell(const struct middle *m, size_t i, size_t j)
{
	return &m->table[i * (m->b_count + 1) + j];
}

static void measure(struct middle *m)
{
	if ((m->a_count + 1) * (m->b_count + 1) > TABLE_MAX)
		return;
	m->table = calloc((m->a_count + 1) * (m->b_count + 1), sizeof(*m->table));
	for (size_t i = m->a_count; m->table != NULL && i-- > 0;)
		for (size_t j = m->b_count; j-- > 0;) {
			uint32_t down = *cell(m, i + 1, j), right = *cell(m, i, j + 1);
			*cell(m, i, j) = alike(&m->a[i], &m->b[j]) ? *cell(m, i + 1, j + 1) + 1
					 : down > right		   ? down
								   : right;
		}
}

static void tell(const struct middle *m, json_t *list)
{
	size_t i = 0, j = 0;

	while (i < m->a_count || j < m->b_count) {
		if (m->table != NULL && i < m->a_count && j < m->b_count && alike(&m->a[i], &m->b[j])) {
			i++;
			j++;
		} else if (i < m->a_count && (j == m->b_count || m->table == NULL ||
					      *cell(m, i + 1, j) >= *cell(m, i, j + 1))) {
			put(list, &m->a[i], m->a_from + i + 1, 0);
			i++;
		} else {
			put(list, &m->b[j], 0, m->b_from + j + 1);
			j++;
		}
	}
}

static void compare(const struct lines *a, const struct lines *b, json_t *list)
{
	size_t head = 0, tail = 0;

	while (head < a->count && head < b->count && alike(&a->line[head], &b->line[head]))
		head++;
	while (tail < a->count - head && tail < b->count - head &&
	       alike(&a->line[a->count - 1 - tail], &b->line[b->count - 1 - tail]))
		tail++;
	struct middle m = { .a = a->line + head,
			    .b = b->line + head,
			    .a_from = head,
			    .b_from = head,
			    .a_count = a->count - head - tail,
			    .b_count = b->count - head - tail };
	measure(&m);
	tell(&m, list);
	free(m.table);
}

json_t *oweb_diff(const char *before, const char *after)
{
	struct lines a = { 0 }, b = { 0 };
	json_t *list = NULL;

	if (split(before, &a) && split(after, &b) && (list = json_array()) != NULL)
		compare(&a, &b, list);
	free(a.line);
	free(b.line);
	return list;
}
