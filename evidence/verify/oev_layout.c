/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tables and columns of a segment, as its own schema names them.
 */
#include "oev_layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_sql_text.h"

#define SCHEMA_ROWS "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema ORDER BY rowid"

int oev_layout_model(sqlite3 **db)
{
	if (sqlite3_open_v2(":memory:", db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX,
			    NULL) == SQLITE_OK &&
	    sqlite3_exec(*db, schema_sql, NULL, NULL, NULL) == SQLITE_OK &&
	    sqlite3_exec(*db, views_sql, NULL, NULL, NULL) == SQLITE_OK)
		return OC_OK;
	sqlite3_close(*db);
	*db = NULL;
	return OC_ENOMEM;
}

/* Names that can stand in brackets, and in a batch's list of rows. */
static bool is_name(const char *name)
{
	size_t len = name != NULL ? strlen(name) : 0;

	return len > 0 && len <= OEV_SPANS_TABLE_MAX &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == len && strcmp(name, "rowid") != 0 &&
	       strcmp(name, "oid") != 0 && strcmp(name, "_rowid_") != 0;
}

static const char *text_at(sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return text != NULL ? text : "";
}

/* One column of table_xinfo: cid, name, type, notnull, default, pk, hidden. */
static int take_column(struct oev_layout_table *table, sqlite3_stmt *stmt)
{
	const char *name = text_at(stmt, 1);

	if (!is_name(name) || sqlite3_column_int(stmt, 6) != 0)
		return OC_EMALFORMED;
	if (sqlite3_column_int(stmt, 5) == 1 && sqlite3_stricmp(text_at(stmt, 2), "INTEGER") == 0) {
		snprintf(table->key, sizeof(table->key), "%s", name);
		return OC_OK;
	}
	if (table->column_count == OEV_LAYOUT_COLUMNS_MAX)
		return OC_EMALFORMED;
	char *out = table->columns[table->column_count];
	snprintf(out, sizeof(table->columns[0]), "%s", name);
	table->names[table->column_count++] = out;
	return OC_OK;
}

static int read_columns(sqlite3_stmt *stmt, struct oev_layout_table *table)
{
	int rc = OC_OK, step = SQLITE_ERROR;

	sqlite3_reset(stmt);
	if (sqlite3_bind_text(stmt, 1, table->name, -1, SQLITE_STATIC) == SQLITE_OK)
		while (rc == OC_OK && (step = sqlite3_step(stmt)) == SQLITE_ROW)
			rc = take_column(table, stmt);
	if (rc == OC_OK && step != SQLITE_DONE)
		return OC_EIO;
	return rc == OC_OK && table->column_count == 0 ? OC_EMALFORMED : rc;
}

static int take_table(sqlite3_stmt *columns, struct oev_layout *layout, const char *name, bool without_rowid)
{
	if (layout->count == OEV_LAYOUT_TABLES_MAX || !is_name(name) || without_rowid)
		return OC_EMALFORMED;
	struct oev_layout_table *table = &layout->tables[layout->count++];
	snprintf(table->name, sizeof(table->name), "%s", name);
	table->number = (uint8_t)layout->count;
	table->is_log = strcmp(name, "batch") == 0 || strcmp(name, "checkpoint") == 0;
	return read_columns(columns, table);
}

/* Views are not read from; virtual tables would be code. */
static const char tables_sql[] =
	"SELECT s.name, l.wr FROM sqlite_schema s JOIN pragma_table_list l ON l.schema = 'main' AND l.name = "
	"s.name"
	" WHERE s.type = 'table' AND l.type = 'table' AND substr(s.name, 1, 7) <> 'sqlite_' ORDER BY s.rowid";

int oev_layout_read(sqlite3 *db, struct oev_layout **out, char *what, size_t size)
{
	struct oev_layout *layout = calloc(1, sizeof(*layout));
	sqlite3_stmt *stmt = NULL, *columns = NULL;
	int rc = layout != NULL ? OC_OK : OC_ENOMEM, step = SQLITE_ERROR;

	snprintf(what, size, "the list of tables");
	if (rc == OC_OK && sqlite3_prepare_v2(db, tables_sql, -1, &stmt, NULL) == SQLITE_OK &&
	    sqlite3_prepare_v2(db, "SELECT * FROM pragma_table_xinfo(?1)", -1, &columns, NULL) == SQLITE_OK)
		while (rc == OC_OK && (step = sqlite3_step(stmt)) == SQLITE_ROW) {
			rc = take_table(columns, layout, text_at(stmt, 0), sqlite3_column_int(stmt, 1) != 0);
			if (rc != OC_OK)
				snprintf(what, size, "table %.60s", text_at(stmt, 0));
		}
	sqlite3_finalize(stmt);
	sqlite3_finalize(columns);
	if (rc == OC_OK && step != SQLITE_DONE)
		rc = OC_EIO;
	if (rc == OC_OK)
		*out = layout;
	else
		free(layout);
	return rc;
}

/* The same octets as text are not enough: a BLOB is not equal to it for whoever asks in SQL. */
static bool same_value(sqlite3_stmt *a, sqlite3_stmt *b, int column)
{
	return sqlite3_column_type(a, column) == sqlite3_column_type(b, column) &&
	       sqlite3_column_bytes(a, column) == sqlite3_column_bytes(b, column) &&
	       strcmp(text_at(a, column), text_at(b, column)) == 0;
}

/* Rows of both are of the same text, or *@what names the first that is not. */
static int compare_rows(sqlite3_stmt *model, sqlite3_stmt *found, char *what, size_t size)
{
	static const char *const parts[] = { "kind", "name", "table", "text" };

	for (int i = 0; i < 4; i++)
		if (!same_value(model, found, i)) {
			snprintf(what, size, "%.16s %.60s: its %s is another one", text_at(found, 0),
				 text_at(found, 1), parts[i]);
			return OC_EREFUSED;
		}
	return OC_OK;
}

static int compare(sqlite3_stmt *model, sqlite3_stmt *found, char *what, size_t size)
{
	for (;;) {
		int a = sqlite3_step(model), b = sqlite3_step(found);
		if (a == SQLITE_DONE && b == SQLITE_DONE)
			return OC_OK;
		if (a == SQLITE_DONE && b == SQLITE_ROW)
			snprintf(what, size, "%.16s %.60s: not in a segment's schema", text_at(found, 0),
				 text_at(found, 1));
		else if (a == SQLITE_ROW && b == SQLITE_DONE)
			snprintf(what, size, "%.16s %.60s is missing", text_at(model, 0), text_at(model, 1));
		else if (a != SQLITE_ROW || b != SQLITE_ROW)
			return OC_EIO;
		if (a != b || compare_rows(model, found, what, size) != OC_OK)
			return OC_EREFUSED;
	}
}

int oev_layout_compare(sqlite3 *model, sqlite3 *db, char *what, size_t size)
{
	sqlite3_stmt *a = NULL, *b = NULL;
	int rc = OC_EIO;

	what[0] = '\0';
	if (sqlite3_prepare_v2(model, SCHEMA_ROWS, -1, &a, NULL) == SQLITE_OK &&
	    sqlite3_prepare_v2(db, SCHEMA_ROWS, -1, &b, NULL) == SQLITE_OK)
		rc = compare(a, b, what, size);
	sqlite3_finalize(a);
	sqlite3_finalize(b);
	return rc;
}

/* Of what a row of sqlite_schema says its text tells the same; what has no text is the index a table has by itself. Values of other
 * kinds, and other letters, hide a table from those who look for it. */
static const char odd_sql[] =
	"SELECT count(*) FROM sqlite_schema WHERE NOT (typeof(type) = 'text' AND typeof(name) = 'text' AND "
	"typeof(tbl_name) = 'text' AND CASE WHEN sql IS NULL"
	" THEN type = 'index' AND instr(name, 'sqlite_autoindex_' || tbl_name || '_') = 1"
	" WHEN type = 'index' THEN instr(sql, 'CREATE INDEX ' || name || ' ON ' || tbl_name) = 1"
	" ELSE type IN ('table', 'view') AND tbl_name = name AND"
	" instr(replace(sql, '(', ' '), 'CREATE ' || upper(type) || ' ' || name || ' ') = 1 END)";

bool oev_layout_is_as_told(sqlite3 *db)
{
	sqlite3_stmt *stmt = NULL;
	bool is_as_told = sqlite3_prepare_v2(db, odd_sql, -1, &stmt, NULL) == SQLITE_OK &&
			  sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_int64(stmt, 0) == 0;

	sqlite3_finalize(stmt);
	return is_as_told;
}

int oev_layout_find(const struct oev_layout *layout, const char *name)
{
	for (unsigned i = 0; i < layout->count; i++)
		if (strcmp(layout->tables[i].name, name) == 0)
			return (int)i;
	return -1;
}

void oev_layout_select(const struct oev_layout_table *table, const char *rest,
		       char sql[static OEV_LAYOUT_SQL_MAX])
{
	size_t at = (size_t)snprintf(sql, OEV_LAYOUT_SQL_MAX, "SELECT rowid");

	for (unsigned i = 0; i < table->column_count; i++)
		at += (size_t)snprintf(sql + at, OEV_LAYOUT_SQL_MAX - at, ", [%s]", table->columns[i]);
	snprintf(sql + at, OEV_LAYOUT_SQL_MAX - at, " FROM [%s] NOT INDEXED %s", table->name, rest);
}
