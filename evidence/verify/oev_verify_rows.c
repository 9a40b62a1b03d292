/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The rows of a batch become its root again; rows missing, named twice or left over are told at once.
 */
#include <inttypes.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_verify_parts.h"

#define ROWS_PER_BREATH 8192u /* between two signs of life */
#define LEFT_COUNTED 1000000u /* rows left over beyond that many are not counted */
#define DISORDER_MAX 100000u  /* rows that are not where batches say, before a table is given up */

/* One batch being made into its root. */
struct tree {
	struct oev_verify_work *work;
	const struct oev_batch *batch;
	const struct oev_verify_marks *marks; /* octets NULL: they cannot be used */
	struct oev_frontier frontier;
	uint64_t leaf; /* number of the next one */
	uint64_t bad;
	bool is_whole;
};

static void note_bad(struct tree *tree, unsigned table, int64_t row, const struct oev_hash *leaf)
{
	struct oev_verify_work *work = tree->work;

	tree->bad++;
	if (work->bad_count == OEV_BAD_ROWS_MAX)
		return;
	struct oev_bad_row *bad = &work->bad[work->bad_count++];
	*bad = (struct oev_bad_row){ .table = table,
				     .row = row,
				     .batch = tree->batch->number,
				     .wall_us = tree->batch->wall_us,
				     .good_batch = work->good_batch,
				     .good_us = work->good_us,
				     .good_rows = work->good_rows,
				     .leaf = *leaf };
	memcpy(bad->mark, tree->marks->octets + tree->leaf * OEV_MARK_OCTETS, OEV_MARK_OCTETS);
}

static void take_leaf(struct tree *tree, unsigned table, int64_t row, const struct oev_hash *leaf)
{
	const uint8_t *marks = tree->marks->octets;

	if (marks != NULL && memcmp(marks + tree->leaf * OEV_MARK_OCTETS, leaf->octets, OEV_MARK_OCTETS) != 0)
		note_bad(tree, table, row, leaf);
	oev_frontier_append(&tree->frontier, leaf);
	tree->leaf++;
	tree->work->run->result->rows++;
	tree->work->segment->rows++;
}

/* @count rows from @row on are not what the batch says. */
static void find_rows(struct tree *tree, enum oev_verify_outcome outcome, enum oev_verify_kind kind,
		      unsigned table, int64_t row, uint64_t count, const char *what)
{
	struct oev_verify_work *work = tree->work;
	const char *name = work->layout->tables[table].name;
	struct oev_verify_finding *finding;

	if (count > 1)
		finding = oev_verify_find(work->run, work, outcome, kind,
					  "rows %" PRId64 " to %" PRId64 " of table %s are %s", row,
					  row + (int64_t)(count - 1), name, what);
	else
		finding = oev_verify_find(work->run, work, outcome, kind, "row %" PRId64 " of table %s is %s",
					  row, name, what);
	oev_verify_find_row(finding, name, row);
	oev_verify_find_batch(finding, work, tree->batch->number, tree->batch->wall_us);
	work->disorder++;
}

/* Rows that are not there: with others behind them they were taken out, else the table was cut. */
static void find_missing(struct tree *tree, unsigned table, int64_t row, uint64_t count)
{
	const struct oev_sweep_table *scan = &tree->work->sweep.tables[table];
	bool is_end = !scan->has_next && row > scan->passed;

	find_rows(tree, is_end ? OEV_VERIFY_CUT : OEV_VERIFY_ALTERED, OEV_KIND_MISSING, table, row, count,
		  is_end ? "missing at its end" : "missing");
}

/* Rows nobody can read: their table is hidden, or never was one of evidence. */
static void find_no_table(const struct tree *tree, const struct oev_span *span)
{
	struct oev_verify_finding *finding = oev_verify_find(
		tree->work->run, tree->work, OEV_VERIFY_ALTERED, OEV_KIND_SCHEMA,
		"batch %" PRIu64 " has rows of table %.48s, and the segment has no such table",
		tree->batch->number, span->table);

	oev_verify_find_row(finding, span->table, span->first);
	oev_verify_find_batch(finding, tree->work, tree->batch->number, tree->batch->wall_us);
}

/* SQLite, or the order of rows, fails in the middle of a table: told once for each. */
static void find_broken(struct tree *tree, unsigned table, int64_t row)
{
	struct oev_verify_work *work = tree->work;
	struct oev_sweep_table *scan = &work->sweep.tables[table];

	if (scan->is_told)
		return;
	scan->is_told = true;
	struct oev_verify_finding *finding =
		oev_verify_find(work->run, work, oev_verify_broken(work), OEV_KIND_PAGE, "%s", "");
	oev_verify_page(work, finding, work->layout->tables[table].name);
	oev_verify_find_row(finding, work->layout->tables[table].name, row);
	oev_verify_find_batch(finding, work, tree->batch->number, tree->batch->wall_us);
}

/* Takes one row or tells why not; *@count is how many rows of the range are done with. OC_OK, OC_EIO (no
 * more from this table), OC_ENOMEM. */
static int take_row(struct tree *tree, unsigned table, int64_t row, int64_t last, uint64_t *count)
{
	struct oev_hash leaf;

	*count = 1;
	int rc = oev_sweep_take(&tree->work->sweep, table, row, last, &leaf, count);
	if (rc == OC_OK) {
		take_leaf(tree, table, row, &leaf);
		return OC_OK;
	}
	tree->is_whole = false;
	if (rc == OC_ENOENT)
		find_missing(tree, table, row, *count);
	else if (rc == OC_EBUSY)
		find_rows(tree, OEV_VERIFY_ALTERED, OEV_KIND_TWICE, table, row, 1, "named by two batches");
	else if (rc == OC_EMALFORMED)
		find_rows(tree, OEV_VERIFY_ALTERED, OEV_KIND_ROW, table, row, 1,
			  "none that evidence can have");
	else
		return rc;
	tree->leaf += *count;
	return tree->work->disorder <= DISORDER_MAX ? OC_OK : OC_EIO;
}

static int take_range(struct tree *tree, unsigned table, int64_t first, int64_t last)
{
	uint64_t left = (uint64_t)last - (uint64_t)first + 1, count;

	for (int64_t row = first; left > 0; row += (int64_t)count, left -= count) {
		int rc = take_row(tree, table, row, last, &count);
		if (rc == OC_EIO) {
			find_broken(tree, table, row);
			return OC_OK;
		}
		if (rc != OC_OK)
			return rc;
		if (tree->work->run->result->rows % ROWS_PER_BREATH == 0 &&
		    !oev_verify_rows_breathe(tree->work))
			return OC_EINTERRUPTED;
		if (count >= left)
			return OC_OK;
	}
	return OC_OK;
}

int oev_verify_rows(struct oev_verify_work *work, const struct oev_batch *batch,
		    const struct oev_verify_marks *marks, struct oev_hash *root, bool *is_whole,
		    uint64_t *bad)
{
	struct tree tree = { .work = work, .batch = batch, .marks = marks, .is_whole = true };
	struct oev_spans_reader reader;
	struct oev_span span;
	uint64_t leaf = 0;

	oev_spans_open(&reader, batch->rows, batch->rows_len);
	while (oev_spans_next(&reader, &span) == OC_OK) {
		int table = oev_layout_find(work->layout, span.table);
		tree.leaf = leaf;
		leaf += (uint64_t)(span.last - span.first) + 1;
		if (table < 0 || work->layout->tables[table].is_log) {
			tree.is_whole = false;
			find_no_table(&tree, &span);
			continue; /* the record, or the schema, cannot be honest; its root cannot come out right */
		}
		int rc = take_range(&tree, (unsigned)table, span.first, span.last);
		if (rc != OC_OK)
			return rc;
	}
	oev_frontier_root(&tree.frontier, root);
	*is_whole = tree.is_whole;
	*bad = tree.bad;
	return OC_OK;
}

void oev_verify_rows_left(struct oev_verify_work *work)
{
	for (unsigned i = 0; i < work->layout->count; i++) {
		const char *name = work->layout->tables[i].name;
		uint64_t count = 0;
		int64_t first = 0;
		if (work->layout->tables[i].is_log)
			continue;
		if (oev_sweep_rest(&work->sweep, i, LEFT_COUNTED, &count, &first) != OC_OK &&
		    !work->sweep.tables[i].is_told) {
			struct oev_verify_finding *finding = oev_verify_find(
				work->run, work, oev_verify_broken(work), OEV_KIND_PAGE, "%s", "");
			oev_verify_page(work, finding, name);
		}
		if (count == 0 || work->rows_unknown)
			continue;
		struct oev_verify_finding *finding =
			oev_verify_find(work->run, work, OEV_VERIFY_ALTERED, OEV_KIND_INSERTED,
					"row %" PRId64 " of table %s is in no batch: inserted afterwards%s",
					first, name, count > 1 ? "; so are others" : "");
		if (count > 1)
			snprintf(finding->what, sizeof(finding->what),
				 "row %" PRId64
				 " of table %s is in no batch: inserted afterwards; so are %" PRIu64
				 "%s others",
				 first, name, count - 1, count >= LEFT_COUNTED ? " or more" : "");
		oev_verify_find_row(finding, name, first);
	}
}
