/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of reading rows in the order batches ask for them.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "evidence/verify/oev_sweep.h"

#define ROWS 200000

void test_oev_sweep_suite(void);

struct rig {
	sqlite3 *db;
	struct oev_layout *layout;
	struct oev_sweep *sweep;
	unsigned table;
};

/* Rows @first to @last of table outcome, without those in [@hole, @hole_end]. */
static void begin(struct rig *rig, int first, int last, int hole, int hole_end)
{
	char what[120], sql[300];

	oev_gcrypt_ready();
	CU_ASSERT_EQUAL_FATAL(oev_layout_model(&rig->db), OC_OK);
	snprintf(sql, sizeof(sql),
		 "WITH RECURSIVE n(i) AS (SELECT %d UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
		 " INSERT INTO outcome (rowid, decision, took_ns, ending) SELECT i, i, i, i FROM n"
		 " WHERE i NOT BETWEEN %d AND %d",
		 first, last, hole, hole_end);
	CU_ASSERT_EQUAL(sqlite3_exec(rig->db, sql, NULL, NULL, NULL), SQLITE_OK);
	CU_ASSERT_EQUAL_FATAL(oev_layout_read(rig->db, &rig->layout, what, sizeof(what)), OC_OK);
	rig->table = (unsigned)oev_layout_find(rig->layout, "outcome");
	rig->sweep = malloc(sizeof(*rig->sweep));
	CU_ASSERT_EQUAL(oev_sweep_init(rig->sweep, rig->db, rig->layout), OC_OK);
}

static void end(struct rig *rig)
{
	oev_sweep_fini(rig->sweep);
	free(rig->sweep);
	free(rig->layout);
	sqlite3_close(rig->db);
}

static int take(struct rig *rig, int64_t row, int64_t last, uint64_t *missing)
{
	struct oev_hash leaf;

	*missing = 0;
	return oev_sweep_take(rig->sweep, rig->table, row, last, &leaf, missing);
}

static uint64_t left(struct rig *rig, int64_t *first)
{
	uint64_t count = 0;

	CU_ASSERT_EQUAL(oev_sweep_rest(rig->sweep, rig->table, 1000000, &count, first), OC_OK);
	return count;
}

static void test_rows_are_taken_once_and_the_rest_is_counted(void)
{
	struct rig rig;
	uint64_t missing;
	int64_t first = 0;

	begin(&rig, 1, 10, 0, 0);
	CU_ASSERT_EQUAL(take(&rig, 3, 3, &missing), OC_OK);
	CU_ASSERT_EQUAL(take(&rig, 3, 3, &missing), OC_EBUSY);
	CU_ASSERT_EQUAL(take(&rig, 1, 1, &missing), OC_OK);
	CU_ASSERT_EQUAL(take(&rig, 7, 7, &missing), OC_OK);
	CU_ASSERT_EQUAL(take(&rig, 2, 2, &missing), OC_OK);
	CU_ASSERT_EQUAL(left(&rig, &first), 6);
	CU_ASSERT_EQUAL(first, 4);
	end(&rig);
}

static void test_a_missing_run_is_told_at_once(void)
{
	struct rig rig;
	uint64_t missing;

	begin(&rig, 1, 100, 40, 59);
	CU_ASSERT_EQUAL(take(&rig, 39, 100, &missing), OC_OK);
	CU_ASSERT_EQUAL(take(&rig, 40, 100, &missing), OC_ENOENT);
	CU_ASSERT_EQUAL(missing, 20);
	CU_ASSERT_EQUAL(take(&rig, 60, 100, &missing), OC_OK);
	CU_ASSERT_EQUAL(take(&rig, 45, 50, &missing), OC_ENOENT); /* behind the cursor too */
	CU_ASSERT_EQUAL(missing, 6);
	CU_ASSERT_EQUAL(take(&rig, 101, INT64_MAX, &missing), OC_ENOENT);
	CU_ASSERT_EQUAL(missing, (uint64_t)INT64_MAX - 100);
	end(&rig);
}

/* More rows wait than there is room for: they are looked up, and none is lost or taken twice. */
static void test_rows_that_cannot_wait_are_looked_up(void)
{
	struct rig rig;
	uint64_t missing, bad = 0;
	int64_t first = 0;

	begin(&rig, 1, ROWS, 0, 0);
	CU_ASSERT_EQUAL(take(&rig, ROWS, ROWS, &missing), OC_OK);
	for (int64_t row = ROWS - 1; row > 1; row--)
		bad += take(&rig, row, row, &missing) != OC_OK;
	CU_ASSERT_EQUAL(bad, 0);
	CU_ASSERT_EQUAL(left(&rig, &first), 1);
	CU_ASSERT_EQUAL(take(&rig, 1, 1, &missing), OC_OK);
	CU_ASSERT_EQUAL(take(&rig, 1, 1, &missing), OC_EBUSY);
	CU_ASSERT_EQUAL(left(&rig, &first), 0);
	end(&rig);
}

static void test_a_layout_is_refused_when_its_names_could_be_sql(void)
{
	static const char *const tables[] = { "CREATE TABLE \"a]; DROP TABLE meta; --\" (x)",
					      "CREATE TABLE a (\"x] FROM meta; --\")",
					      "CREATE TABLE a (rowid TEXT)",
					      "CREATE TABLE a (x INTEGER, y AS (x + 1))",
					      "CREATE TABLE a (x PRIMARY KEY) WITHOUT ROWID",
					      "CREATE TABLE a (id INTEGER PRIMARY KEY)" };
	char what[120];

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		sqlite3 *db = NULL;
		struct oev_layout *layout = NULL;
		CU_ASSERT_EQUAL(sqlite3_open(":memory:", &db), SQLITE_OK);
		CU_ASSERT_EQUAL(sqlite3_exec(db, tables[i], NULL, NULL, NULL), SQLITE_OK);
		CU_ASSERT_EQUAL(oev_layout_read(db, &layout, what, sizeof(what)), OC_EMALFORMED);
		CU_ASSERT_PTR_NULL(layout);
		sqlite3_close(db);
	}
}

void test_oev_sweep_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_sweep", NULL, NULL);

	CU_add_test(suite, "rows_are_taken_once_and_the_rest_is_counted",
		    test_rows_are_taken_once_and_the_rest_is_counted);
	CU_add_test(suite, "a_missing_run_is_told_at_once", test_a_missing_run_is_told_at_once);
	CU_add_test(suite, "rows_that_cannot_wait_are_looked_up", test_rows_that_cannot_wait_are_looked_up);
	CU_add_test(suite, "a_layout_is_refused_when_its_names_could_be_sql",
		    test_a_layout_is_refused_when_its_names_could_be_sql);
}
