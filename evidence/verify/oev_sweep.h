/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The rows of a segment as leaves, in the order batches name them: one pass over each table, without random
 * access.
 *
 * Each table is read once in the order of its rowids, while batches name rows nearly in that order. A row
 * that is read before a batch asks for it waits (oev_pending.h); when too many wait, which an honest segment
 * does not bring about, further ones are looked up one by one. What no batch has taken in the end is a row
 * nobody signed.
 */
#pragma once

#include <sqlite3.h>
#include <stdint.h>

#include "../proof/oev_canon.h"
#include "../proof/oev_hash.h"
#include "oev_layout.h"
#include "oev_pending.h"

/* One table on its way. */
struct oev_sweep_table {
	const struct oev_layout_table *layout;
	sqlite3_stmt *stmt;    /* stands at next_row when has_next */
	sqlite3_stmt *look_up; /* made when it is needed */
	bool begun;
	bool has_next;
	bool is_told; /* for the caller: that it is broken was said */
	int broken;   /* why it cannot be read on: OC_EIO, OC_EMALFORMED (rows out of order) */
	int64_t next_row;
	int64_t passed; /* highest row that was read, INT64_MIN none */
	struct oev_pending pending;
	uint64_t dropped; /* rows that were read and could not wait */
};

struct oev_sweep {
	sqlite3 *db;
	const struct oev_layout *layout;
	struct oev_canon canon;
	struct oev_sweep_table tables[OEV_LAYOUT_TABLES_MAX];
};

/* @db and @layout stay with the caller and must outlive the sweep. OC_OK, OC_ENOMEM. */
int oev_sweep_init(struct oev_sweep *sweep, sqlite3 *db, const struct oev_layout *layout);
void oev_sweep_fini(struct oev_sweep *sweep);

/* Takes row @row of table @at as its leaf; rows up to @last will be asked for next. OC_OK; OC_ENOENT: it
 * is not there, nor are the *@missing - 1 rows behind it; OC_EBUSY: it was taken before; OC_EMALFORMED: it
 * holds a value that no column may hold, or the rows are out of order; OC_EIO: SQLite cannot read on in
 * this table; OC_ENOMEM. */
int oev_sweep_take(struct oev_sweep *sweep, unsigned at, int64_t row, int64_t last, struct oev_hash *leaf,
		   uint64_t *missing);

/* Rows of table @at that nobody took: how many (at most @most are counted), and the first of them. OC_OK,
 * OC_EIO. */
int oev_sweep_rest(struct oev_sweep *sweep, unsigned at, uint64_t most, uint64_t *count, int64_t *first);

/* The row @stmt stands at as canonical octets under rowid @row. OC_OK, OC_EMALFORMED, OC_ENOMEM. */
int oev_sweep_row(struct oev_canon *canon, const struct oev_layout_table *table, sqlite3_stmt *stmt,
		  int64_t row);
