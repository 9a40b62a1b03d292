/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of rows that are not what was signed: changed, swapped, inserted, taken out, cut off.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "help_evidence.h"

void test_oev_verify_rows_suite(void);

/* Three segments of four batches with five rows in every table; @sql goes to the second one. */
static void expect_after(const char *sql, enum oev_verify_outcome outcome, enum oev_verify_kind kind,
			 const char *table, int64_t row)
{
	struct help_evidence evidence;
	struct oev_verify_result result;
	char path[256];

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 3, 4, 5));
	help_path(&evidence, 2, path);
	CU_ASSERT(help_alter(&evidence, path, sql));
	help_expect(&evidence, NULL, outcome, kind, table, row, &result);
	const struct oev_verify_finding *first = oev_verify_first(&result);
	CU_ASSERT(first != NULL && strcmp(first->segment, "seg-20261129T140002.db") == 0);
	CU_ASSERT(result.segment_count == 3 && result.segments[0].outcome == OEV_VERIFY_INTACT);
	CU_ASSERT(result.segment_count == 3 && result.segments[2].outcome == OEV_VERIFY_INTACT);
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

static void test_a_changed_value_names_its_row(void)
{
	expect_after("UPDATE decision SET way = way + 1 WHERE id = 12", OEV_VERIFY_ALTERED, OEV_KIND_ROW,
		     "decision", 12);
}

static void test_a_changed_text_names_its_row(void)
{
	expect_after("UPDATE meta SET value = 'dra-02.example.net' WHERE key = 'realm'", OEV_VERIFY_ALTERED,
		     OEV_KIND_ROW, "meta", 5);
}

static void test_null_in_place_of_a_value_names_its_row(void)
{
	expect_after("UPDATE way SET next_hop = CASE WHEN next_hop IS NULL THEN 0 END WHERE id = 7",
		     OEV_VERIFY_ALTERED, OEV_KIND_ROW, "way", 7);
}

static void test_a_row_under_another_number_is_missing(void)
{
	expect_after("UPDATE decision SET id = 1000 WHERE id = 7", OEV_VERIFY_ALTERED, OEV_KIND_MISSING,
		     "decision", 7);
}

static void test_two_rows_that_changed_places_are_named_as_such(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;
	char path[256];

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 2, 4, 5));
	help_path(&evidence, 1, path);
	CU_ASSERT(help_alter(&evidence, path,
			     "UPDATE outcome SET rowid = -1 WHERE rowid = 3; UPDATE outcome SET rowid = 3 "
			     "WHERE rowid = 14;"
			     "UPDATE outcome SET rowid = 14 WHERE rowid = -1"));
	help_expect(&evidence, NULL, OEV_VERIFY_ALTERED, OEV_KIND_SWAPPED, "outcome", 3, &result);
	CU_ASSERT_EQUAL(result.findings_all, 1);
	CU_ASSERT_STRING_EQUAL(result.findings[0].what, "rows 3 and 14 of table outcome have changed places");
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

static void test_an_inserted_row_is_in_no_batch(void)
{
	expect_after("INSERT INTO outcome VALUES (5, 1, 1)", OEV_VERIFY_ALTERED, OEV_KIND_INSERTED, "outcome",
		     21);
}

static void test_a_row_inserted_where_none_was_is_in_no_batch(void)
{
	expect_after("INSERT INTO clock VALUES (-5, 5)", OEV_VERIFY_ALTERED, OEV_KIND_INSERTED, "clock", -5);
}

static void test_a_row_taken_out_is_missing(void)
{
	expect_after("DELETE FROM decision WHERE id = 8", OEV_VERIFY_ALTERED, OEV_KIND_MISSING, "decision",
		     8);
}

static void test_a_table_without_its_last_rows_is_cut(void)
{
	expect_after("DELETE FROM decision WHERE id > 16", OEV_VERIFY_CUT, OEV_KIND_MISSING, "decision", 17);
}

static void test_a_segment_without_its_last_batches_is_cut(void)
{
	expect_after("DELETE FROM checkpoint WHERE rowid > 1; DELETE FROM batch WHERE number > 8;"
		     "DELETE FROM decision WHERE id > 15; DELETE FROM outcome WHERE rowid > 15",
		     OEV_VERIFY_CUT, OEV_KIND_END, "", -1);
}

static void test_a_batch_taken_out_is_named(void)
{
	expect_after("DELETE FROM batch WHERE number = 8", OEV_VERIFY_ALTERED, OEV_KIND_HOLE, "batch", 8);
}

static void test_a_changed_batch_record_is_named(void)
{
	static const char *const changes[] = {
		"first_ns = 5", "last_ns = 5",		 "wall_us = wall_us + 1",
		"journal = 1",	"root = randomblob(32)", "chain = randomblob(32)",
		"leaves = 3",	"rows = 'clock 1'",	 "marks = zeroblob(length(marks))",
		"marks = x''",	"root = x'01'"
	};
	char sql[128];

	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		snprintf(sql, sizeof(sql), "UPDATE batch SET %s WHERE number = 8", changes[i]);
		expect_after(sql, OEV_VERIFY_ALTERED, OEV_KIND_BATCH, "batch", 8);
	}
}

static void test_a_changed_record_leaves_the_rest_standing(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;
	char path[256];

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 2, 4, 5));
	help_path(&evidence, 1, path);
	CU_ASSERT(help_alter(&evidence, path, "UPDATE batch SET chain = randomblob(32) WHERE number = 2"));
	help_expect(&evidence, NULL, OEV_VERIFY_ALTERED, OEV_KIND_BATCH, "batch", 2, &result);
	CU_ASSERT_EQUAL(result.findings_all, 1);
	CU_ASSERT_EQUAL(result.signed_batch, 10);
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

static void test_a_changed_checkpoint_is_named(void)
{
	expect_after("UPDATE checkpoint SET batch = batch + 1 WHERE rowid = 1", OEV_VERIFY_ALTERED,
		     OEV_KIND_CHECKPOINT, "checkpoint", 1);
	expect_after("UPDATE checkpoint SET wall_us = 1 WHERE rowid = 2", OEV_VERIFY_ALTERED,
		     OEV_KIND_CHECKPOINT, "checkpoint", 2);
	expect_after("UPDATE checkpoint SET note = replace(note, 'rows ', 'rows 1') WHERE rowid = 2",
		     OEV_VERIFY_ALTERED, OEV_KIND_SIGNATURE, "checkpoint", 2);
	expect_after("UPDATE checkpoint SET rowid = 9 WHERE rowid = 3", OEV_VERIFY_ALTERED,
		     OEV_KIND_CHECKPOINT, "checkpoint", 9);
	expect_after("DELETE FROM checkpoint WHERE rowid = 2", OEV_VERIFY_ALTERED, OEV_KIND_CHECKPOINT,
		     "checkpoint", 3);
	expect_after("UPDATE checkpoint SET note = 'nothing' WHERE rowid = 2", OEV_VERIFY_ALTERED,
		     OEV_KIND_CHECKPOINT, "checkpoint", 2);
}

/* The good times before the bad row, and what stands, are told with it. */
static void test_the_last_good_checkpoint_is_told(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;
	char path[256];

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 1, 6, 5));
	help_path(&evidence, 1, path);
	CU_ASSERT(help_alter(&evidence, path, "UPDATE decision SET at_ns = 1 WHERE id = 23"));
	help_expect(&evidence, NULL, OEV_VERIFY_ALTERED, OEV_KIND_ROW, "decision", 23, &result);
	const struct oev_verify_finding *first = oev_verify_first(&result);
	CU_ASSERT_PTR_NOT_NULL_FATAL(first);
	CU_ASSERT_EQUAL(first->batch, 5);
	CU_ASSERT_EQUAL(first->good_batch, 4);
	CU_ASSERT_EQUAL(first->good_rows, 14 + 4 * HELP_TABLES * 5);
	CU_ASSERT_EQUAL(first->wall_us, HELP_WALL_US + 5 * 250000);
	CU_ASSERT_EQUAL(strlen(first->expected), 4);
	CU_ASSERT_EQUAL(strlen(first->found), 64);
	CU_ASSERT_EQUAL(result.standing_rows, result.rows - HELP_TABLES * 5);
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

void test_oev_verify_rows_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_verify_rows", NULL, NULL);

	CU_add_test(suite, "a_changed_value_names_its_row", test_a_changed_value_names_its_row);
	CU_add_test(suite, "a_changed_text_names_its_row", test_a_changed_text_names_its_row);
	CU_add_test(suite, "null_in_place_of_a_value_names_its_row",
		    test_null_in_place_of_a_value_names_its_row);
	CU_add_test(suite, "a_row_under_another_number_is_missing",
		    test_a_row_under_another_number_is_missing);
	CU_add_test(suite, "two_rows_that_changed_places_are_named_as_such",
		    test_two_rows_that_changed_places_are_named_as_such);
	CU_add_test(suite, "an_inserted_row_is_in_no_batch", test_an_inserted_row_is_in_no_batch);
	CU_add_test(suite, "a_row_inserted_where_none_was_is_in_no_batch",
		    test_a_row_inserted_where_none_was_is_in_no_batch);
	CU_add_test(suite, "a_row_taken_out_is_missing", test_a_row_taken_out_is_missing);
	CU_add_test(suite, "a_table_without_its_last_rows_is_cut", test_a_table_without_its_last_rows_is_cut);
	CU_add_test(suite, "a_segment_without_its_last_batches_is_cut",
		    test_a_segment_without_its_last_batches_is_cut);
	CU_add_test(suite, "a_batch_taken_out_is_named", test_a_batch_taken_out_is_named);
	CU_add_test(suite, "a_changed_batch_record_is_named", test_a_changed_batch_record_is_named);
	CU_add_test(suite, "a_changed_record_leaves_the_rest_standing",
		    test_a_changed_record_leaves_the_rest_standing);
	CU_add_test(suite, "a_changed_checkpoint_is_named", test_a_changed_checkpoint_is_named);
	CU_add_test(suite, "the_last_good_checkpoint_is_told", test_the_last_good_checkpoint_is_told);
}
