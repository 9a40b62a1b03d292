/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of opening segments: sealed, live, killed, foreign.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/audit/oev_query.h"
#include "help_segment.h"

void test_oev_query_suite(void);

static const struct help_story small = { .requests = 100 };

static int64_t count_decisions(const struct oev_segment *segment)
{
	sqlite3_stmt *stmt = oev_query_new(segment, OEV_Q_DECISION);
	int64_t count = 0;

	sqlite3_bind_int64(stmt, 1, (int64_t)segment->decisions);
	sqlite3_bind_int64(stmt, 2, 0);
	while (sqlite3_step(stmt) == SQLITE_ROW)
		count++;
	sqlite3_finalize(stmt);
	return count;
}

static void expect_rows(const char *path, int64_t rows)
{
	struct oev_segment segment = { 0 };
	char error[512] = "";

	CU_ASSERT_EQUAL(oev_segment_open(&segment, path, error, sizeof(error)), OC_OK);
	CU_ASSERT_STRING_EQUAL(error, "");
	if (segment.db != NULL) {
		CU_ASSERT_STRING_EQUAL(segment.node, "dra-01.example.net");
		CU_ASSERT_EQUAL(count_decisions(&segment), rows);
	}
	oev_segment_fini(&segment);
}

static void test_sealed_segment_leaves_nothing_beside_it(void)
{
	struct help_segment help;
	char **paths;
	size_t count;

	CU_ASSERT_FATAL(help_segment_new(&help) && help_segment_tell(&help, &small, false));
	help_segment_close(&help);
	chmod(help.path, 0444);
	expect_rows(help.path, 100);
	CU_ASSERT_EQUAL(oev_paths_list(help.folder, "seg-", "", &paths, &count), OC_OK);
	CU_ASSERT_EQUAL(count, 1);
	oev_paths_free(paths, count);
	help_segment_remove(&help);
}

static void test_live_wal_is_read_with_its_tail(void)
{
	struct help_segment help;

	CU_ASSERT_FATAL(help_segment_new(&help));
	CU_ASSERT(help_segment_sql(&help, "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0"));
	CU_ASSERT_FATAL(help_segment_tell(&help, &small, false));
	expect_rows(help.path, 100); /* the writer still has it open */
	help_segment_remove(&help);
}

/* A killed node's folder on a medium that cannot be written: the WAL is there, its index is not. */
static void test_wal_without_index_is_read_from_a_copy(void)
{
	struct help_segment help, copy = { 0 };
	char command[3600];

	CU_ASSERT_FATAL(help_segment_new(&help));
	CU_ASSERT(help_segment_sql(&help, "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0"));
	CU_ASSERT_FATAL(help_segment_tell(&help, &small, false));
	snprintf(copy.folder, sizeof(copy.folder), "%.200s-copy", help.folder);
	snprintf(copy.path, sizeof(copy.path), "%s/seg-1.db", copy.folder);
	snprintf(command, sizeof(command), "mkdir %s && cp %s %s && cp %s-wal %s-wal && mkdir %s-shm",
		 copy.folder, help.path, copy.path, help.path, copy.path,
		 copy.path); /* a folder in its place: no index can be made */
	CU_ASSERT_EQUAL_FATAL(system(command), 0);
	expect_rows(copy.path, 100);
	snprintf(command, sizeof(command), "rmdir %s-shm", copy.path);
	CU_ASSERT_EQUAL(system(command), 0);
	help_segment_remove(&copy);
	help_segment_remove(&help);
}

static void expect_refused(const char *path, int rc, const char *word)
{
	struct oev_segment segment = { 0 };
	char error[512] = "";

	CU_ASSERT_EQUAL(oev_segment_open(&segment, path, error, sizeof(error)), rc);
	CU_ASSERT_PTR_NOT_NULL(strstr(error, word));
	oev_segment_fini(&segment);
}

static void test_what_is_no_segment_is_named(void)
{
	struct help_segment help;
	char path[600];

	expect_refused("/nonexistent/seg-1.db", OC_EIO, "No such file");
	expect_refused("/dev/zero", OC_EIO, "not a regular file");
	expect_refused("/etc/passwd", OC_EMALFORMED, "not a SQLite database");
	CU_ASSERT_FATAL(help_segment_new(&help));
	expect_refused(help.path, OC_EMALFORMED, "meta");
	CU_ASSERT(help_segment_sql(&help, "DROP TABLE meta"));
	expect_refused(help.path, OC_EMALFORMED, "not an evidence segment");
	CU_ASSERT(help_segment_file(&help, "seg-empty.db", ""));
	snprintf(path, sizeof(path), "%s/seg-empty.db", help.folder);
	expect_refused(path, OC_EMALFORMED, "not an evidence segment");
	help_segment_remove(&help);
}

static void test_paths_with_odd_characters_open(void)
{
	struct help_segment help;
	char path[700];

	CU_ASSERT_FATAL(help_segment_new(&help) && help_segment_tell(&help, &small, false));
	help_segment_close(&help);
	snprintf(path, sizeof(path), "%s/seg-a?b=c #%%d&e.db", help.folder);
	CU_ASSERT_EQUAL(rename(help.path, path), 0);
	expect_rows(path, 100);
	help_segment_remove(&help);
}

void test_oev_query_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_query", NULL, NULL);

	CU_add_test(suite, "sealed_segment_leaves_nothing_beside_it",
		    test_sealed_segment_leaves_nothing_beside_it);
	CU_add_test(suite, "live_wal_is_read_with_its_tail", test_live_wal_is_read_with_its_tail);
	CU_add_test(suite, "wal_without_index_is_read_from_a_copy",
		    test_wal_without_index_is_read_from_a_copy);
	CU_add_test(suite, "what_is_no_segment_is_named", test_what_is_no_segment_is_named);
	CU_add_test(suite, "paths_with_odd_characters_open", test_paths_with_odd_characters_open);
}
