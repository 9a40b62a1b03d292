/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Lists of leaves, one per table, and the tree over them.
 */
#include "oev_leaves.h"

#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../proof/oev_merkle.h"

#define FIRST_SIZE 64u

void oev_leaves_init(struct oev_leaves *leaves)
{
	*leaves = (struct oev_leaves){ .rc = OC_OK };
	oev_canon_init(&leaves->canon);
	oev_spans_init(&leaves->spans);
}

void oev_leaves_fini(struct oev_leaves *leaves)
{
	for (unsigned i = 0; i < OEV_TABLE_COUNT; i++) {
		free(leaves->lists[i].rows);
		free(leaves->lists[i].leaves);
	}
	free(leaves->all);
	free(leaves->marks);
	oev_canon_fini(&leaves->canon);
	oev_spans_fini(&leaves->spans);
	oev_leaves_init(leaves);
}

void oev_leaves_begin(struct oev_leaves *leaves)
{
	for (unsigned i = 0; i < OEV_TABLE_COUNT; i++) {
		leaves->lists[i].count = 0;
		leaves->lists[i].is_mixed = false;
	}
	leaves->rc = OC_OK;
}

static bool grow_list(struct oev_leaf_list *list)
{
	uint32_t size = list->size ? list->size * 2 : FIRST_SIZE;
	int64_t *rows = realloc(list->rows, size * sizeof(*rows));
	struct oev_hash *hashes;

	if (!rows)
		return false;
	list->rows = rows;
	hashes = realloc(list->leaves, size * sizeof(*hashes));
	if (!hashes)
		return false;
	list->leaves = hashes;
	list->size = size;
	return true;
}

void oev_leaves_add(struct oev_leaves *leaves, enum oev_table table, int64_t rowid)
{
	struct oev_leaf_list *list = &leaves->lists[table];

	if (leaves->canon.rc != OC_OK || (list->count == list->size && !grow_list(list))) {
		leaves->rc = OC_ENOMEM;
		return;
	}
	if (list->count > 0 && rowid <= list->rows[list->count - 1])
		list->is_mixed = true;
	oev_canon_hash(&leaves->canon, OEV_MERKLE_TAG_LEAF, &list->leaves[list->count]);
	list->rows[list->count++] = rowid;
}

uint64_t oev_leaves_count(const struct oev_leaves *leaves)
{
	uint64_t count = 0;

	for (unsigned i = 0; i < OEV_TABLE_COUNT; i++)
		count += leaves->lists[i].count;
	return count;
}

static bool make_room(struct oev_leaves *leaves, uint64_t count)
{
	if (count <= leaves->all_size)
		return true;
	free(leaves->all);
	free(leaves->marks);
	leaves->all_size = 0;
	leaves->all = malloc(count * sizeof(*leaves->all));
	leaves->marks = malloc(count * OEV_MARK_OCTETS);
	if (!leaves->all || !leaves->marks)
		return false;
	leaves->all_size = count;
	return true;
}

struct ranked {
	int64_t row;
	uint32_t at;
};

static int by_row(const void *a, const void *b)
{
	const struct ranked *x = a;
	const struct ranked *y = b;

	return (x->row > y->row) - (x->row < y->row);
}

/* Puts a list in order; rows of the small tables alone come otherwise. */
static int sort_list(struct oev_leaf_list *list)
{
	struct ranked *ranked = malloc(list->count * sizeof(*ranked));
	struct oev_hash *sorted = malloc(list->size * sizeof(*sorted));

	if (!ranked || !sorted) {
		free(ranked);
		free(sorted);
		return OC_ENOMEM;
	}
	for (uint32_t i = 0; i < list->count; i++)
		ranked[i] = (struct ranked){ .row = list->rows[i], .at = i };
	qsort(ranked, list->count, sizeof(*ranked), by_row);
	for (uint32_t i = 0; i < list->count; i++) {
		list->rows[i] = ranked[i].row;
		sorted[i] = list->leaves[ranked[i].at];
	}
	free(ranked);
	free(list->leaves);
	list->leaves = sorted;
	list->is_mixed = false;
	return OC_OK;
}

/* Adds the leaves of @table behind the @at that are in the tree. */
static int gather(struct oev_leaves *leaves, enum oev_table table, uint64_t at)
{
	struct oev_leaf_list *list = &leaves->lists[table];

	if (list->is_mixed && sort_list(list) != OC_OK)
		return OC_ENOMEM;
	oev_spans_table(&leaves->spans, oev_table_shape(table)->name);
	for (uint32_t i = 0; i < list->count; i++)
		oev_spans_add(&leaves->spans, list->rows[i]);
	memcpy(&leaves->all[at], list->leaves, list->count * sizeof(*leaves->all));
	for (uint32_t i = 0; i < list->count; i++)
		memcpy(&leaves->marks[(at + i) * OEV_MARK_OCTETS], list->leaves[i].octets, OEV_MARK_OCTETS);
	return OC_OK;
}

int oev_leaves_end(struct oev_leaves *leaves, struct oev_leaves_sum *out)
{
	uint64_t at = 0;

	out->count = oev_leaves_count(leaves);
	if (leaves->rc == OC_OK && !make_room(leaves, out->count))
		leaves->rc = OC_ENOMEM;
	oev_spans_begin(&leaves->spans);
	for (unsigned i = 1; i < OEV_TABLE_COUNT && leaves->rc == OC_OK; i++) {
		if (leaves->lists[i].count == 0)
			continue;
		leaves->rc = gather(leaves, (enum oev_table)i, at);
		at += leaves->lists[i].count;
	}
	if (leaves->rc == OC_OK)
		leaves->rc = oev_spans_end(&leaves->spans, &out->rows, &out->rows_len);
	if (leaves->rc != OC_OK)
		return leaves->rc;
	out->marks = leaves->marks;
	oev_merkle_root_of(leaves->all, out->count, &out->root);
	return OC_OK;
}
