/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One cursor per table, and what waits behind it.
 */
#include "oev_sweep.h"

#include <string.h>

#include "../../agent/oc_err.h"
#include "../proof/oev_merkle.h"

int oev_sweep_init(struct oev_sweep *sweep, sqlite3 *db, const struct oev_layout *layout)
{
	memset(sweep, 0, sizeof(*sweep));
	sweep->db = db;
	sweep->layout = layout;
	oev_canon_init(&sweep->canon);
	for (unsigned i = 0; i < layout->count; i++)
		sweep->tables[i] =
			(struct oev_sweep_table){ .layout = &layout->tables[i], .passed = INT64_MIN };
	return OC_OK;
}

void oev_sweep_fini(struct oev_sweep *sweep)
{
	for (unsigned i = 0; i < OEV_LAYOUT_TABLES_MAX; i++) {
		sqlite3_finalize(sweep->tables[i].stmt);
		sqlite3_finalize(sweep->tables[i].look_up);
		oev_pending_fini(&sweep->tables[i].pending);
	}
	oev_canon_fini(&sweep->canon);
}

static int put_column(struct oev_canon *canon, sqlite3_stmt *stmt, int column)
{
	switch (sqlite3_column_type(stmt, column)) {
	case SQLITE_INTEGER:
		oev_canon_int(canon, sqlite3_column_int64(stmt, column));
		return OC_OK;
	case SQLITE_NULL:
		oev_canon_null(canon);
		return OC_OK;
	case SQLITE_TEXT: {
		const char *text = (const char *)sqlite3_column_text(stmt, column);
		oev_canon_text(canon, text, (size_t)sqlite3_column_bytes(stmt, column));
		return text != NULL ? OC_OK : OC_ENOMEM;
	}
	case SQLITE_BLOB: {
		const void *blob = sqlite3_column_blob(stmt, column);
		int len = sqlite3_column_bytes(stmt, column);
		oev_canon_blob(canon, blob, (size_t)len);
		return blob != NULL || len == 0 ? OC_OK : OC_ENOMEM;
	}
	default: /* FLOAT: no column of ours is one */
		return OC_EMALFORMED;
	}
}

int oev_sweep_row(struct oev_canon *canon, const struct oev_layout_table *table, sqlite3_stmt *stmt,
		  int64_t row)
{
	int rc = OC_OK;

	oev_canon_begin(canon, table->number, row);
	for (unsigned i = 0; rc == OC_OK && i < table->column_count; i++)
		rc = put_column(canon, stmt, 1 + (int)i);
	return rc == OC_OK ? canon->rc : rc;
}

static int prepare(struct oev_sweep *sweep, struct oev_sweep_table *table, const char *rest,
		   sqlite3_stmt **stmt)
{
	char sql[OEV_LAYOUT_SQL_MAX];

	oev_layout_select(table->layout, rest, sql);
	return sqlite3_prepare_v2(sweep->db, sql, -1, stmt, NULL) == SQLITE_OK ? OC_OK : OC_EIO;
}

/* Moves the cursor one row on, or notes why it cannot be. */
static void advance(struct oev_sweep *sweep, struct oev_sweep_table *table)
{
	int step = SQLITE_ERROR;

	if (table->begun)
		table->passed = table->next_row;
	if (table->begun || prepare(sweep, table, "ORDER BY rowid", &table->stmt) == OC_OK)
		step = sqlite3_step(table->stmt);
	table->has_next = step == SQLITE_ROW;
	if (step == SQLITE_ROW) {
		table->next_row = sqlite3_column_int64(table->stmt, 0);
		if (table->begun && table->next_row <= table->passed) {
			table->broken = OC_EMALFORMED;
			table->has_next = false;
		}
	} else if (step != SQLITE_DONE) {
		table->broken = step == SQLITE_NOMEM ? OC_ENOMEM : OC_EIO;
	}
	table->begun = true;
}

/* The row the cursor stands at becomes a leaf, and the cursor moves on. */
static int take_next(struct oev_sweep *sweep, struct oev_sweep_table *table, struct oev_hash *leaf)
{
	int rc = oev_sweep_row(&sweep->canon, table->layout, table->stmt, table->next_row);

	if (rc == OC_OK)
		oev_canon_hash(&sweep->canon, OEV_MERKLE_TAG_LEAF, leaf);
	advance(sweep, table);
	return rc;
}

/* A row that is read too early waits, or at least is counted. */
static int put_aside(struct oev_sweep *sweep, struct oev_sweep_table *table)
{
	struct oev_hash leaf;
	int64_t row = table->next_row;
	int rc = take_next(sweep, table, &leaf);

	if (rc == OC_OK)
		rc = oev_pending_add(&table->pending, row, &leaf);
	if (rc != OC_ENOSPC && rc != OC_EMALFORMED)
		return rc;
	table->dropped++;
	return OC_OK;
}

/* Puts table->look_up at @row or the first one above it: OC_OK, OC_ENOENT (another one, or none: *@next),
 * OC_EIO. */
static int seek(struct oev_sweep *sweep, struct oev_sweep_table *table, int64_t row, int64_t *next)
{
	if (table->look_up == NULL &&
	    prepare(sweep, table, "WHERE rowid >= ?1 ORDER BY rowid LIMIT 1", &table->look_up) != OC_OK)
		return OC_EIO;
	sqlite3_reset(table->look_up);
	sqlite3_bind_int64(table->look_up, 1, row);
	int step = sqlite3_step(table->look_up);
	*next = step == SQLITE_ROW ? sqlite3_column_int64(table->look_up, 0) : INT64_MAX;
	if (step != SQLITE_ROW)
		return step == SQLITE_DONE ? OC_ENOENT : OC_EIO;
	return *next == row ? OC_OK : OC_ENOENT;
}

/* A row that was read already waits, or was dropped, or was taken before; or there is none. */
static int take_passed(struct oev_sweep *sweep, struct oev_sweep_table *table, int64_t row, int64_t last,
		       struct oev_hash *leaf, uint64_t *missing)
{
	int64_t next;

	if (oev_pending_take(&table->pending, row, leaf) == OC_OK)
		return OC_OK;
	int rc = seek(sweep, table, row, &next);
	if (rc == OC_ENOENT)
		*missing = (uint64_t)(next > last ? last : next - 1) - (uint64_t)row + 1;
	if (rc != OC_OK)
		return rc;
	rc = oev_sweep_row(&sweep->canon, table->layout, table->look_up, row);
	if (table->dropped == 0)
		return rc == OC_OK ? OC_EBUSY : rc;
	table->dropped--;
	if (rc == OC_OK)
		oev_canon_hash(&sweep->canon, OEV_MERKLE_TAG_LEAF, leaf);
	return rc;
}

int oev_sweep_take(struct oev_sweep *sweep, unsigned at, int64_t row, int64_t last, struct oev_hash *leaf,
		   uint64_t *missing)
{
	struct oev_sweep_table *table = &sweep->tables[at];
	int rc = OC_OK;

	if (!table->begun)
		advance(sweep, table);
	while (rc == OC_OK && table->has_next && table->next_row < row)
		rc = put_aside(sweep, table);
	if (rc != OC_OK)
		return rc;
	if (table->has_next && table->next_row == row)
		return take_next(sweep, table, leaf);
	if (row <= table->passed)
		return take_passed(sweep, table, row, last, leaf, missing);
	if (table->broken != OC_OK)
		return table->broken;
	int64_t behind = table->has_next && table->next_row <= last ? table->next_row - 1 : last;
	*missing = (uint64_t)behind - (uint64_t)row + 1;
	return OC_ENOENT;
}

int oev_sweep_rest(struct oev_sweep *sweep, unsigned at, uint64_t most, uint64_t *count, int64_t *first)
{
	struct oev_sweep_table *table = &sweep->tables[at];

	if (!table->begun)
		advance(sweep, table);
	*first = table->next_row;
	*count = oev_pending_left(&table->pending, first) + table->dropped;
	while (table->has_next && *count < most) {
		advance(sweep, table);
		++*count;
	}
	return table->broken;
}
