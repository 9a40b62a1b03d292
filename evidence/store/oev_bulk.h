/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Many rows of one busy table on their way in, read by SQLite from where they lie.
 *
 * Binding eighteen parameters per row costs more than storing them. So the rows of a bulk are offered as a virtual table of the
 * connection, and "INSERT ... SELECT" copies them: one call per column, one statement for all rows. All columns are integers.
 */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "oev_tables.h"

struct oev_statement;

#define OEV_BULK_ROWS 256u /* that many fit the processor's nearest caches */
#define OEV_BULK_COLUMNS 18u

struct oev_bulk_row {
	uint32_t nulls; /* bit n: column n is NULL; column 0 is the rowid */
	int64_t values[OEV_BULK_COLUMNS];
};

struct oev_bulk {
	struct oev_statement *statement;
	uint32_t columns; /* rowid included */
	uint32_t count;
	uint32_t at; /* the one SQLite is at */
	struct oev_bulk_row rows[OEV_BULK_ROWS];
};

/* Makes @bulk the source "NAME_rows" of table @table for the connection and tells the text that copies from it. @bulk must
 * stay as long as the connection. OC_OK or OC_EIO. */
int oev_bulk_offer(struct oev_bulk *bulk, sqlite3 *handle, enum oev_table table,
		   char sql[static OEV_TABLE_SQL_MAX]);

/* Writes the rows that are in @bulk and empties it. *@refused grows by those the table does not take. OC_OK, or OC_EIO:
 * roll back. */
int oev_bulk_put(struct oev_bulk *bulk, uint64_t *refused);

static inline bool oev_bulk_is_full(const struct oev_bulk *bulk)
{
	return bulk->count == OEV_BULK_ROWS;
}

/* The number that a row of a table without a key of its own gets. */
int64_t oev_bulk_rowid(struct oev_bulk *bulk);

/* The next row, to be filled from column 0 on. */
static inline struct oev_bulk_row *oev_bulk_next(struct oev_bulk *bulk)
{
	struct oev_bulk_row *row = &bulk->rows[bulk->count++];

	row->nulls = 0;
	return row;
}

/* Column @at of @row: @value, or NULL when @present is false. */
static inline void oev_bulk_set(struct oev_bulk_row *row, unsigned at, int64_t value, bool present)
{
	row->values[at] = value;
	row->nulls |= (uint32_t)!present << at;
}
