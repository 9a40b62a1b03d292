/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of evidence that is being written, or whose writer was killed: no false alarm, and the open tail is
 * named.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "evidence/audit/oev_audit.h"
#include "help_evidence.h"

void test_oev_verify_live_suite(void);

/* One sealed segment, one open: two batches and a checkpoint in it. */
static bool begin_live(struct help_evidence *evidence)
{
	return help_evidence_new(evidence) && help_whole(evidence, 1, 3, 3) && help_begin(evidence) &&
	       help_fill(evidence, 4) && help_batch(evidence) && help_fill(evidence, 4) &&
	       help_batch(evidence) && help_checkpoint(evidence);
}

static void expect_good(const struct help_evidence *evidence, uint64_t tail)
{
	struct oev_verify_result result;

	help_verify(evidence, NULL, &result);
	CU_ASSERT_EQUAL(result.outcome, OEV_VERIFY_INTACT);
	CU_ASSERT_EQUAL(result.findings_all, 0);
	CU_ASSERT_EQUAL(result.tail_rows, tail);
	CU_ASSERT_EQUAL(result.tail_us != 0, tail > 0);
	CU_ASSERT_EQUAL(result.rows, evidence->log.rows);
	for (size_t i = 0; i < result.finding_count; i++)
		printf("\n    %s", result.findings[i].what);
	oev_verify_fini(&result);
}

static void test_a_segment_being_written_is_judged_up_to_its_checkpoint(void)
{
	struct help_evidence evidence;

	CU_ASSERT_FATAL(begin_live(&evidence));
	expect_good(&evidence, 0);
	CU_ASSERT(help_fill(&evidence, 2) && help_batch(&evidence));
	expect_good(&evidence, 2 * HELP_TABLES);
	help_evidence_remove(&evidence);
}

static void test_an_audit_says_how_much_is_not_signed(void)
{
	struct help_evidence evidence;
	struct oev_audit *audit = calloc(1, sizeof(*audit));
	char *paths[] = { evidence.folder };
	const struct oev_audit_options options = {
		.inputs = (const char *const *)paths, .input_count = 1, .until_us = UINT64_MAX, .verify = true
	};

	CU_ASSERT_PTR_NOT_NULL_FATAL(audit);
	CU_ASSERT_FATAL(begin_live(&evidence) && help_fill(&evidence, 2) && help_batch(&evidence));
	(void)oev_audit_run(audit, &options); /* the rows tell no story */
	CU_ASSERT_EQUAL(audit->integrity.tail_rows, 2 * HELP_TABLES);
	CU_ASSERT_EQUAL(audit->integrity.tail_us, evidence.wall_us);
	CU_ASSERT_EQUAL(audit->integrity.tail_after_us, evidence.wall_us - 250000);
	oev_audit_fini(audit);
	free(audit);
	help_evidence_remove(&evidence);
}

static void test_rows_of_an_open_transaction_are_not_seen(void)
{
	struct help_evidence evidence;

	CU_ASSERT_FATAL(begin_live(&evidence));
	CU_ASSERT(help_sql(&evidence, "BEGIN; INSERT INTO outcome VALUES (1, 2, 3)"));
	expect_good(&evidence, 0);
	CU_ASSERT(help_sql(&evidence, "COMMIT") && help_batch(&evidence));
	expect_good(&evidence, 1);
	help_evidence_remove(&evidence);
}

static void test_a_killed_writer_leaves_an_open_tail(void)
{
	struct help_evidence evidence;
	char command[700], to[100];

	CU_ASSERT_FATAL(begin_live(&evidence) && help_fill(&evidence, 1) && help_batch(&evidence));
	/* as the files are at this moment */
	snprintf(to, sizeof(to), "%s/copy", evidence.base);
	snprintf(command, sizeof(command), "cp -rp '%s' '%s' && rm -f '%s'/*-shm", evidence.folder, to, to);
	CU_ASSERT_EQUAL(system(command), 0);
	help_leave(&evidence);
	snprintf(command, sizeof(command), "rm -rf '%s' && mv '%s' '%s'", evidence.folder, to,
		 evidence.folder);
	CU_ASSERT_EQUAL(system(command), 0);
	expect_good(&evidence, HELP_TABLES);
	help_evidence_remove(&evidence);
}

static void test_a_first_segment_without_a_checkpoint_is_all_tail(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_begin(&evidence) && help_batch(&evidence));
	help_verify(&evidence, NULL, &result);
	CU_ASSERT_EQUAL(result.outcome, OEV_VERIFY_UNWITNESSED);
	CU_ASSERT_EQUAL(result.findings_all, 0);
	CU_ASSERT_EQUAL(result.tail_rows, evidence.log.rows);
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

static void test_a_segment_that_was_only_made_is_no_alarm(void)
{
	struct help_evidence evidence;
	char path[256];

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 2, 3, 3));
	help_path(&evidence, 3, path);
	CU_ASSERT(help_append(path, ""));
	expect_good(&evidence, 0);
	evidence.segments = 2;
	CU_ASSERT(help_begin(&evidence) && help_sql(&evidence, "DELETE FROM meta"));
	expect_good(&evidence, 0);
	help_evidence_remove(&evidence);
}

/* Several threads make decisions: their numbers reach the recorder nearly in order. */
static void test_rows_out_of_order_are_taken_by_the_batch_that_names_them(void)
{
	struct help_evidence evidence;

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_begin(&evidence) && help_batch(&evidence));
	for (int i = 1; i <= 300; i++)
		CU_ASSERT(help_sql(
			&evidence,
			"INSERT INTO decision (id, at_ns, flow, way, end_to_end) VALUES (%d, %d, 1, 1, %d)",
			i, i, i));
	CU_ASSERT(help_batch_of(&evidence, "decision 1-90,95,99,200-300"));
	CU_ASSERT(help_batch_of(&evidence, "decision 93,98,100-199"));
	CU_ASSERT(help_batch_of(&evidence, "decision 91-92,94,96-97"));
	CU_ASSERT(help_checkpoint(&evidence));
	expect_good(&evidence, 0);
	help_evidence_remove(&evidence);
}

static void test_a_row_named_by_two_batches_is_said(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_begin(&evidence) && help_batch(&evidence));
	for (int i = 1; i <= 30; i++)
		CU_ASSERT(help_sql(
			&evidence,
			"INSERT INTO decision (id, at_ns, flow, way, end_to_end) VALUES (%d, %d, 1, 1, %d)",
			i, i, i));
	CU_ASSERT(help_batch_of(&evidence, "decision 1-20"));
	CU_ASSERT(help_batch_of(&evidence, "decision 20-30"));
	CU_ASSERT(help_checkpoint(&evidence));
	help_expect(&evidence, NULL, OEV_VERIFY_ALTERED, OEV_KIND_TWICE, "decision", 20, &result);
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

/* A signed batch may tell of rows in any number; whoever checks it has to cope. */
static void test_a_batch_of_more_rows_than_there_can_be_is_no_burden(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_begin(&evidence) && help_batch(&evidence));
	CU_ASSERT(help_sql(&evidence, "INSERT INTO outcome VALUES (1, 2, 3)"));
	CU_ASSERT(help_batch(&evidence));
	CU_ASSERT(help_sql(&evidence, "UPDATE batch SET rows = 'outcome 0-9223372036854775807', leaves = -1"
				      " WHERE number = 2"));
	CU_ASSERT(help_sql(&evidence,
			   "INSERT INTO batch SELECT 3, first_ns, last_ns, wall_us, journal,"
			   " 9223372036854775806, 'outcome 1-9223372036854775806', root, chain, marks"
			   " FROM batch WHERE number = 1"));
	help_verify(&evidence, NULL, &result);
	CU_ASSERT_EQUAL(result.outcome, OEV_VERIFY_ALTERED);
	CU_ASSERT(result.seconds < 5);
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

static void test_a_seal_that_comes_late_is_waited_for(void)
{
	struct help_evidence evidence;
	char command[700], seal[300], aside[300];

	CU_ASSERT_FATAL(begin_live(&evidence));
	snprintf(seal, sizeof(seal), "%s/seg-20261129T140001.db.seal", evidence.folder);
	snprintf(aside, sizeof(aside), "%s/seal", evidence.base);
	CU_ASSERT_EQUAL(rename(seal, aside), 0);
	snprintf(command, sizeof(command), "(sleep 0.5; mv '%s' '%s') &", aside, seal);
	CU_ASSERT_EQUAL(system(command), 0);
	expect_good(&evidence, 0);
	help_evidence_remove(&evidence);
}

/* Somebody read the segment when it ended, so that its -wal stayed; the agent folds it in when nobody does, and seals. Check 19. */
static void test_a_seal_that_a_reader_held_up_is_waited_for(void)
{
	struct help_evidence evidence;
	char command[1300], seal[300], aside[300], wal[300];

	CU_ASSERT_FATAL(begin_live(&evidence));
	snprintf(seal, sizeof(seal), "%s/seg-20261129T140001.db.seal", evidence.folder);
	snprintf(wal, sizeof(wal), "%s/seg-20261129T140001.db-wal", evidence.folder);
	snprintf(aside, sizeof(aside), "%s/seal", evidence.base);
	CU_ASSERT_EQUAL(rename(seal, aside), 0);
	snprintf(command, sizeof(command), ": >'%s'; (sleep 0.7; rm -f '%s'; mv '%s' '%s') &", wal, wal,
		 aside, seal);
	CU_ASSERT_EQUAL(system(command), 0);
	expect_good(&evidence, 0);
	help_evidence_remove(&evidence);
}

static void test_what_was_read_once_is_not_read_again(void)
{
	struct help_evidence evidence;
	struct oev_verify_result first, second;
	char path[256];

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 3, 3, 3));
	struct oev_verify_memory *memory = oev_verify_memory_new();
	struct oev_verify_options options = { .path = evidence.folder,
					      .key = evidence.key_path,
					      .memory = memory };
	help_verify(&evidence, &options, &first);
	help_verify(&evidence, &options, &second);
	CU_ASSERT_EQUAL(first.outcome, OEV_VERIFY_INTACT);
	CU_ASSERT_EQUAL(second.outcome, OEV_VERIFY_INTACT);
	CU_ASSERT_EQUAL(first.rows, second.rows);
	CU_ASSERT_EQUAL(first.batches, second.batches);
	CU_ASSERT_EQUAL(first.standing_rows, second.standing_rows);
	CU_ASSERT_EQUAL(first.signed_batch, second.signed_batch);
	CU_ASSERT_EQUAL(first.witness_batch, second.witness_batch);
	oev_verify_fini(&second);
	help_path(&evidence, 2, path);
	CU_ASSERT(help_alter(&evidence, path, "UPDATE decision SET way = 77 WHERE id = 3"));
	help_expect(&evidence, &options, OEV_VERIFY_ALTERED, OEV_KIND_ROW, "decision", 3, &second);
	oev_verify_fini(&first);
	oev_verify_fini(&second);
	oev_verify_memory_free(memory);
	help_evidence_remove(&evidence);
}

void test_oev_verify_live_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_verify_live", NULL, NULL);

	CU_add_test(suite, "a_segment_being_written_is_judged_up_to_its_checkpoint",
		    test_a_segment_being_written_is_judged_up_to_its_checkpoint);
	CU_add_test(suite, "an_audit_says_how_much_is_not_signed", test_an_audit_says_how_much_is_not_signed);
	CU_add_test(suite, "rows_of_an_open_transaction_are_not_seen",
		    test_rows_of_an_open_transaction_are_not_seen);
	CU_add_test(suite, "a_killed_writer_leaves_an_open_tail", test_a_killed_writer_leaves_an_open_tail);
	CU_add_test(suite, "a_first_segment_without_a_checkpoint_is_all_tail",
		    test_a_first_segment_without_a_checkpoint_is_all_tail);
	CU_add_test(suite, "a_segment_that_was_only_made_is_no_alarm",
		    test_a_segment_that_was_only_made_is_no_alarm);
	CU_add_test(suite, "rows_out_of_order_are_taken_by_the_batch_that_names_them",
		    test_rows_out_of_order_are_taken_by_the_batch_that_names_them);
	CU_add_test(suite, "a_row_named_by_two_batches_is_said", test_a_row_named_by_two_batches_is_said);
	CU_add_test(suite, "a_batch_of_more_rows_than_there_can_be_is_no_burden",
		    test_a_batch_of_more_rows_than_there_can_be_is_no_burden);
	CU_add_test(suite, "a_seal_that_comes_late_is_waited_for", test_a_seal_that_comes_late_is_waited_for);
	CU_add_test(suite, "a_seal_that_a_reader_held_up_is_waited_for",
		    test_a_seal_that_a_reader_held_up_is_waited_for);
	CU_add_test(suite, "what_was_read_once_is_not_read_again", test_what_was_read_once_is_not_read_again);
}
