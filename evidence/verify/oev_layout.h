/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What tables a segment has, how they are numbered, and which columns make up a row's canonical octets
 * (oev_canon.h).
 *
 * A table's number is its place in schema.sql, from 1. A segment's layout is read from the segment itself,
 * whose schema is then held against the one this program writes; hostile files end up with OC_EMALFORMED,
 * never with SQL of their making.
 */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../proof/oev_spans.h"

#define OEV_LAYOUT_TABLES_MAX 64u
#define OEV_LAYOUT_COLUMNS_MAX 40u
#define OEV_LAYOUT_SQL_MAX 2048u

struct oev_layout_table {
	char name[OEV_SPANS_TABLE_MAX + 1];
	uint8_t number;
	bool is_log; /* batch and checkpoint: their rows are no leaves */
	unsigned column_count;
	char columns[OEV_LAYOUT_COLUMNS_MAX][OEV_SPANS_TABLE_MAX + 1]; /* of the canonical octets */
	const char *names[OEV_LAYOUT_COLUMNS_MAX + 1];		       /* the same, NULL behind the last */
	char key[OEV_SPANS_TABLE_MAX + 1];			       /* column that is the rowid; "" none */
};

struct oev_layout {
	unsigned count;
	struct oev_layout_table tables[OEV_LAYOUT_TABLES_MAX];
};

/* Opens an empty database in memory with the schema this program writes; the caller closes it. OC_OK,
 * OC_ENOMEM. */
int oev_layout_model(sqlite3 **db);

/* Reads the layout of @db; free it with free(). OC_OK, OC_ENOMEM, OC_EIO (cannot be read), OC_EMALFORMED
 * (tables that no segment has); *@what then says which. */
int oev_layout_read(sqlite3 *db, struct oev_layout **out, char *what, size_t size);

/* Are tables, views and indexes of @db those of @model, word for word? OC_OK, OC_EREFUSED with the first
 * that is not in *@what, OC_EIO. */
int oev_layout_compare(sqlite3 *model, sqlite3 *db, char *what, size_t size);

/* Whether kind, name and table of each part of the schema are what its text says. */
bool oev_layout_is_as_told(sqlite3 *db);

/* Place of table @name, -1 when there is none. */
int oev_layout_find(const struct oev_layout *layout, const char *name);

/* "SELECT rowid, columns FROM table" and @rest into @sql. Reads the table itself, never an index. */
void oev_layout_select(const struct oev_layout_table *table, const char *rest,
		       char sql[static OEV_LAYOUT_SQL_MAX]);
