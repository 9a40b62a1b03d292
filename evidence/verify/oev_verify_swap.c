/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Which rows differ, by their marks; and whether two of them only changed places.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../proof/oev_merkle.h"
#include "oev_verify_parts.h"

/* The mark of what stands in @from if it stood in row @as. */
static bool mark_as(struct oev_verify_work *work, const struct oev_bad_row *from, int64_t as,
		    uint8_t mark[static OEV_MARK_OCTETS])
{
	const struct oev_layout_table *table = &work->layout->tables[from->table];
	char sql[OEV_LAYOUT_SQL_MAX];
	sqlite3_stmt *stmt = NULL;
	struct oev_hash leaf;
	bool done = false;

	oev_layout_select(table, "WHERE rowid = ?1", sql);
	if (sqlite3_prepare_v2(work->db, sql, -1, &stmt, NULL) == SQLITE_OK &&
	    sqlite3_bind_int64(stmt, 1, from->row) == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW &&
	    oev_sweep_row(&work->sweep.canon, table, stmt, as) == OC_OK) {
		oev_canon_hash(&work->sweep.canon, OEV_MERKLE_TAG_LEAF, &leaf);
		memcpy(mark, leaf.octets, OEV_MARK_OCTETS);
		done = true;
	}
	sqlite3_finalize(stmt);
	return done;
}

static bool are_swapped(struct oev_verify_work *work, const struct oev_bad_row *a,
			const struct oev_bad_row *b)
{
	uint8_t a_in_b[OEV_MARK_OCTETS], b_in_a[OEV_MARK_OCTETS];

	return a->table == b->table && mark_as(work, a, b->row, a_in_b) && mark_as(work, b, a->row, b_in_a) &&
	       memcmp(a_in_b, b->mark, OEV_MARK_OCTETS) == 0 && memcmp(b_in_a, a->mark, OEV_MARK_OCTETS) == 0;
}

static void tell(struct oev_verify_work *work, const struct oev_bad_row *bad, const struct oev_bad_row *other)
{
	const char *table = work->layout->tables[bad->table].name;
	struct oev_verify_finding *finding;

	if (other != NULL)
		finding = oev_verify_find(work->run, work, OEV_VERIFY_ALTERED, OEV_KIND_SWAPPED,
					  "rows %" PRId64 " and %" PRId64 " of table %s have changed places",
					  bad->row, other->row, table);
	else
		finding = oev_verify_find(work->run, work, OEV_VERIFY_ALTERED, OEV_KIND_ROW,
					  "row %" PRId64 " of table %s is not what was signed", bad->row,
					  table);
	oev_verify_find_row(finding, table, bad->row);
	finding->batch = bad->batch;
	finding->wall_us = bad->wall_us;
	finding->good_batch = bad->good_batch;
	finding->good_us = bad->good_us;
	finding->good_rows = bad->good_rows;
	for (size_t i = 0; i < OEV_MARK_OCTETS; i++)
		snprintf(finding->expected + 2 * i, 3, "%02x", bad->mark[i]);
	oev_hash_hex(&bad->leaf, finding->found);
}

void oev_verify_bad_rows(struct oev_verify_work *work)
{
	for (unsigned i = 0; i < work->bad_count; i++) {
		struct oev_bad_row *other = NULL;
		if (work->bad[i].is_told)
			continue;
		for (unsigned j = i + 1; j < work->bad_count && other == NULL; j++)
			if (!work->bad[j].is_told && are_swapped(work, &work->bad[i], &work->bad[j]))
				other = &work->bad[j];
		tell(work, &work->bad[i], other);
		if (other != NULL)
			other->is_told = true;
	}
	if (work->bad_rows > work->bad_count)
		oev_verify_find(work->run, work, OEV_VERIFY_ALTERED, OEV_KIND_ROW,
				"%" PRIu64 " more rows are not what was signed",
				work->bad_rows - work->bad_count);
}
