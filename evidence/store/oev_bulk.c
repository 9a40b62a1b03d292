/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The virtual table that SQLite copies rows from.
 */
#include "oev_bulk.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_statement.h"

#define NAME_MAX_OCTETS 64

struct source {
	sqlite3_vtab base;
	struct oev_bulk *bulk;
};

struct cursor {
	sqlite3_vtab_cursor base;
	struct oev_bulk *bulk;
};

static int source_connect(sqlite3 *handle, void *aux, int argc, const char *const *argv, sqlite3_vtab **out,
			  char **error)
{
	struct source *source;
	int rc =
		sqlite3_declare_vtab(handle, "CREATE TABLE rows (c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10,"
					     " c11, c12, c13, c14, c15, c16, c17)");

	(void)argc;
	(void)argv;
	(void)error;
	if (rc != SQLITE_OK)
		return rc;
	source = calloc(1, sizeof(*source));
	if (!source)
		return SQLITE_NOMEM;
	source->bulk = aux;
	*out = &source->base;
	return SQLITE_OK;
}

static int source_disconnect(sqlite3_vtab *source)
{
	free(source);
	return SQLITE_OK;
}

static int source_plan(sqlite3_vtab *source, sqlite3_index_info *info)
{
	(void)source;
	info->estimatedRows = OEV_BULK_ROWS;
	info->estimatedCost = OEV_BULK_ROWS;
	return SQLITE_OK;
}

static int source_open(sqlite3_vtab *source, sqlite3_vtab_cursor **out)
{
	struct cursor *cursor = calloc(1, sizeof(*cursor));

	if (!cursor)
		return SQLITE_NOMEM;
	cursor->bulk = ((struct source *)source)->bulk;
	*out = &cursor->base;
	return SQLITE_OK;
}

static int source_close(sqlite3_vtab_cursor *cursor)
{
	free(cursor);
	return SQLITE_OK;
}

/* The walk goes on where it ended: behind a row that was refused. */
static int source_filter(sqlite3_vtab_cursor *cursor, int index, const char *name, int argc,
			 sqlite3_value **argv)
{
	(void)cursor;
	(void)index;
	(void)name;
	(void)argc;
	(void)argv;
	return SQLITE_OK;
}

static int source_next(sqlite3_vtab_cursor *cursor)
{
	((struct cursor *)cursor)->bulk->at++;
	return SQLITE_OK;
}

static int source_eof(sqlite3_vtab_cursor *cursor)
{
	const struct oev_bulk *bulk = ((const struct cursor *)cursor)->bulk;

	return bulk->at >= bulk->count;
}

static int source_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
	const struct oev_bulk *bulk = ((const struct cursor *)cursor)->bulk;
	const struct oev_bulk_row *row = &bulk->rows[bulk->at];

	if ((row->nulls >> column & 1u) == 0)
		sqlite3_result_int64(context, row->values[column]);
	return SQLITE_OK;
}

static int source_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *out)
{
	*out = ((const struct cursor *)cursor)->bulk->at;
	return SQLITE_OK;
}

/* Without a function to create it, it exists in every connection that knows the module, and in no schema. */
static const sqlite3_module source_module = {
	.xConnect = source_connect,
	.xBestIndex = source_plan,
	.xDisconnect = source_disconnect,
	.xOpen = source_open,
	.xClose = source_close,
	.xFilter = source_filter,
	.xNext = source_next,
	.xEof = source_eof,
	.xColumn = source_column,
	.xRowid = source_rowid,
};

int oev_bulk_offer(struct oev_bulk *bulk, sqlite3 *handle, enum oev_table table,
		   char sql[static OEV_TABLE_SQL_MAX])
{
	size_t at = oev_table_insert(table, sql);
	char name[NAME_MAX_OCTETS];

	bulk->columns = oev_table_columns(table) + 1;
	assert(bulk->columns <= OEV_BULK_COLUMNS);
	at += (size_t)snprintf(sql + at, OEV_TABLE_SQL_MAX - at, "SELECT c0");
	for (unsigned i = 1; i < bulk->columns; i++)
		at += (size_t)snprintf(sql + at, OEV_TABLE_SQL_MAX - at, ", c%u", i);
	snprintf(name, sizeof(name), "%s_rows", oev_table_shape(table)->name);
	at += (size_t)snprintf(sql + at, OEV_TABLE_SQL_MAX - at, " FROM %s", name);
	assert(at < OEV_TABLE_SQL_MAX);
	return sqlite3_create_module(handle, name, &source_module, bulk) == SQLITE_OK ? OC_OK : OC_EIO;
}

int64_t oev_bulk_rowid(struct oev_bulk *bulk)
{
	return bulk->statement->next_rowid++;
}

/* Takes out the row SQLite is at; those behind it move up. */
static void drop_row(struct oev_bulk *bulk)
{
	bulk->count--;
	memmove(&bulk->rows[bulk->at], &bulk->rows[bulk->at + 1],
		(bulk->count - bulk->at) * sizeof(bulk->rows[0]));
}

/* Has SQLite take all rows; those it refuses are taken out. */
static int copy_rows(struct oev_bulk *bulk, uint64_t *refused)
{
	struct oev_statement *statement = bulk->statement;
	int rc = OC_OK;

	bulk->at = 0;
	while (rc == OC_OK && bulk->at < bulk->count) {
		int step = sqlite3_step(statement->stmt);
		rc = step == SQLITE_DONE ? OC_OK : oev_statement_failed(statement, step);
		sqlite3_reset(statement->stmt);
		if (rc != OC_EREFUSED)
			continue;
		drop_row(bulk);
		(*refused)++;
		rc = OC_OK;
	}
	return rc;
}

static void add_leaf(struct oev_leaves *leaves, enum oev_table table, const struct oev_bulk_row *row,
		     uint32_t columns)
{
	struct oev_canon *canon = &leaves->canon;

	oev_canon_begin(canon, (uint8_t)table, row->values[0]);
	for (uint32_t i = 1; i < columns; i++) {
		if (row->nulls >> i & 1u)
			oev_canon_null(canon);
		else
			oev_canon_int(canon, row->values[i]);
	}
	oev_leaves_add(leaves, table, row->values[0]);
}

int oev_bulk_put(struct oev_bulk *bulk, uint64_t *refused)
{
	struct oev_statement *statement = bulk->statement;
	int rc = copy_rows(bulk, refused);

	for (uint32_t i = 0; rc == OC_OK && i < bulk->count; i++)
		add_leaf(statement->leaves, statement->table, &bulk->rows[i], bulk->columns);
	bulk->count = 0;
	return rc;
}
