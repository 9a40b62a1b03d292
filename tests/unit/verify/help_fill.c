/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Rows of all sorts for every table.
 */
#include <stdio.h>
#include <string.h>

#include "help_evidence.h"

/* Some value for column @at of row @row; NULL now and then where that may be. */
static void bind_some(sqlite3_stmt *stmt, int at, const char *type, bool may_null, int64_t row)
{
	char text[40];

	if (may_null && (row + at) % 3 == 0) {
		sqlite3_bind_null(stmt, at);
	} else if (strcmp(type, "INTEGER") == 0) {
		static const int64_t odd[] = { 0,   1,	   -1,	    55,		56,	   127,
					       128, 32768, 8388608, 4294967296, INT64_MAX, INT64_MIN };
		sqlite3_bind_int64(stmt, at, odd[(size_t)(row * 7 + at) % (sizeof(odd) / sizeof(odd[0]))]);
	} else if (strcmp(type, "TEXT") == 0) {
		snprintf(text, sizeof(text), "text %lld of column %d", (long long)row, at);
		sqlite3_bind_text(stmt, at, text, -1, SQLITE_TRANSIENT);
	} else {
		memset(text, (int)row, sizeof(text));
		sqlite3_bind_blob(stmt, at, text, (int)((size_t)(row + at) % sizeof(text)), SQLITE_TRANSIENT);
	}
}

static bool fill_row(struct help_evidence *evidence, const struct oev_layout_table *table, int64_t row)
{
	char sql[OEV_LAYOUT_SQL_MAX];
	sqlite3_stmt *stmt = NULL, *columns = NULL;
	size_t used = (size_t)snprintf(sql, sizeof(sql), "INSERT INTO [%s] (rowid", table->name);

	for (unsigned i = 0; i < table->column_count; i++)
		used += (size_t)snprintf(sql + used, sizeof(sql) - used, ", [%s]", table->columns[i]);
	used += (size_t)snprintf(sql + used, sizeof(sql) - used, ") VALUES (?");
	for (unsigned i = 0; i < table->column_count; i++)
		used += (size_t)snprintf(sql + used, sizeof(sql) - used, ", ?");
	snprintf(sql + used, sizeof(sql) - used, ")");
	if (sqlite3_prepare_v2(evidence->db, sql, -1, &stmt, NULL) != SQLITE_OK)
		return false;
	sqlite3_bind_int64(stmt, 1, row);
	sqlite3_prepare_v2(evidence->db, "SELECT name, type, [notnull] FROM pragma_table_info(?)", -1,
			   &columns, NULL);
	sqlite3_bind_text(columns, 1, table->name, -1, SQLITE_STATIC);
	for (int at = 2; sqlite3_step(columns) == SQLITE_ROW;) {
		if (strcmp((const char *)sqlite3_column_text(columns, 0), table->key) == 0)
			continue;
		bool is_batch = strstr((const char *)sqlite3_column_text(columns, 0), "_batch") != NULL;
		if (is_batch || strcmp((const char *)sqlite3_column_text(columns, 0), "version") == 0)
			sqlite3_bind_int64(stmt, at, is_batch ? 0 : row);
		else
			bind_some(stmt, at, (const char *)sqlite3_column_text(columns, 1),
				  sqlite3_column_int(columns, 2) == 0, row);
		at++;
	}
	bool done = sqlite3_step(stmt) == SQLITE_DONE;
	if (!done)
		fprintf(stderr, "help_evidence: %s in %s\n", sqlite3_errmsg(evidence->db), sql);
	sqlite3_finalize(columns);
	sqlite3_finalize(stmt);
	return done;
}

bool help_fill(struct help_evidence *evidence, unsigned rows)
{
	bool done = help_sql(evidence, "BEGIN");

	for (unsigned i = 0; done && i < evidence->layout->count; i++) {
		const struct oev_layout_table *table = &evidence->layout->tables[i];
		if (table->is_log || strcmp(table->name, "meta") == 0)
			continue;
		int64_t last = help_last_row(evidence, table->name);
		for (unsigned row = 1; done && row <= rows; row++)
			done = fill_row(evidence, table, last + row);
	}
	return done && help_sql(evidence, "COMMIT");
}
