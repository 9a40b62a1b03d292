/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of what the writer knows of the tables, held against schema.sql.
 */
#include <sqlite3.h>
#include <string.h>

#include "help_db.h"

void test_oev_tables_suite(void);

/* Numbers stand in hashed octets, so they must be the places in schema.sql for ever. */
static void test_oev_tables_are_those_of_the_schema_in_its_order(void)
{
	sqlite3 *db = NULL;
	sqlite3_stmt *stmt = NULL;
	unsigned number = 0;

	CU_ASSERT_EQUAL_FATAL(sqlite3_open(help_db.path, &db), SQLITE_OK);
	CU_ASSERT_EQUAL_FATAL(
		sqlite3_prepare_v2(db, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid",
				   -1, &stmt, NULL),
		SQLITE_OK);
	while (sqlite3_step(stmt) == SQLITE_ROW && ++number < OEV_TABLE_COUNT)
		CU_ASSERT_STRING_EQUAL(sqlite3_column_text(stmt, 0), oev_table_shape(number)->name);
	CU_ASSERT_EQUAL(number, OEV_TABLE_COUNT - 1);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
}

/* The columns of @number as the database has them: the one that is the rowid in front, marked. */
static void columns_of(sqlite3 *db, unsigned number, char *out, size_t size)
{
	char *sql =
		sqlite3_mprintf("SELECT group_concat(iif(pk, '*', '')||name, ' ') FROM (SELECT name, pk FROM"
				" pragma_table_info(%Q) ORDER BY cid)",
				oev_table_shape(number)->name);
	sqlite3_stmt *stmt = NULL;

	CU_ASSERT_EQUAL_FATAL(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
	CU_ASSERT_EQUAL_FATAL(sqlite3_step(stmt), SQLITE_ROW);
	snprintf(out, size, "%s", sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
	sqlite3_free(sql);
}

static void test_oev_tables_have_the_columns_of_the_schema_in_its_order(void)
{
	char expected[HELP_TEXT_MAX], found[HELP_TEXT_MAX];
	sqlite3 *db = NULL;

	CU_ASSERT_EQUAL_FATAL(sqlite3_open(help_db.path, &db), SQLITE_OK);
	for (unsigned number = 1; number < OEV_TABLE_COUNT; number++) {
		const struct oev_shape *shape = oev_table_shape(number);
		size_t at = 0;
		if (shape->key)
			at = (size_t)snprintf(found, sizeof(found), "*%s", shape->key);
		for (unsigned i = 0; shape->columns[i]; i++)
			at += (size_t)snprintf(found + at, sizeof(found) - at, "%s%s", at > 0 ? " " : "",
					       shape->columns[i]);
		columns_of(db, number, expected, sizeof(expected));
		CU_ASSERT_STRING_EQUAL(found, expected);
	}
	sqlite3_close(db);
}

void test_oev_tables_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oev_tables", NULL, NULL, help_db_set_up,
							       help_db_tear_down);

	CU_add_test(suite, "order", test_oev_tables_are_those_of_the_schema_in_its_order);
	CU_add_test(suite, "columns", test_oev_tables_have_the_columns_of_the_schema_in_its_order);
}
