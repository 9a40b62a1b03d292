/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the log across segments: what is missing, what does not belong, who signed, who vouches from
 * outside.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "help_evidence.h"

void test_oev_verify_log_suite(void);

/* Removes @number of four segments. */
static void expect_without(unsigned number, enum oev_verify_outcome outcome, enum oev_verify_kind kind)
{
	struct help_evidence evidence;
	struct oev_verify_result result;

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 4, 3, 3));
	help_remove_segment(&evidence, number);
	help_expect(&evidence, NULL, outcome, kind, "", -1, &result);
	CU_ASSERT_EQUAL(result.findings_all, 1);
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

static void test_a_deleted_middle_segment_is_a_gap(void)
{
	expect_without(2, OEV_VERIFY_GAP, OEV_KIND_HOLE);
}

static void test_a_deleted_first_segment_is_a_gap(void)
{
	expect_without(1, OEV_VERIFY_GAP, OEV_KIND_HOLE);
}

static void test_a_deleted_last_segment_is_a_cut_that_the_outside_tells(void)
{
	expect_without(4, OEV_VERIFY_CUT, OEV_KIND_END);
}

static void test_a_cut_end_is_not_seen_without_the_outside(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 3, 3, 3));
	help_remove_segment(&evidence, 3);
	unlink(evidence.beside);
	help_verify(&evidence, NULL, &result);
	CU_ASSERT_EQUAL(result.outcome, OEV_VERIFY_UNWITNESSED);
	CU_ASSERT_EQUAL(oev_verify_exit(result.outcome), 3);
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

static void test_checkpoints_taken_out_are_a_cut_that_the_outside_tells(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_begin(&evidence) && help_fill(&evidence, 3) &&
			help_batch(&evidence) && help_checkpoint(&evidence) &&
			help_sql(&evidence, "DELETE FROM checkpoint; PRAGMA wal_checkpoint(TRUNCATE); "
					    "PRAGMA journal_mode=DELETE"));
	help_leave(&evidence);
	help_expect(&evidence, NULL, OEV_VERIFY_CUT, OEV_KIND_CHECKPOINT, "", -1, &result);
	CU_ASSERT_EQUAL(result.findings_all, 1);
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

/* Three segments; the third tells that retention removed batches @first to @last. */
static bool tell_removal(struct help_evidence *evidence, unsigned first, unsigned last)
{
	return help_evidence_new(evidence) && help_whole(evidence, 2, 3, 3) && help_begin(evidence) &&
	       help_sql(evidence,
			"INSERT INTO removal VALUES (1, 'seg-20261129T140001.db', %u, %u, 'digest', 'age')",
			first, last) &&
	       help_batch(evidence) && help_close(evidence, "stopped") && help_seal(evidence);
}

static void test_what_retention_removed_is_no_gap(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;

	CU_ASSERT_FATAL(tell_removal(&evidence, 1, 4));
	help_remove_segment(&evidence, 1);
	help_verify(&evidence, NULL, &result);
	CU_ASSERT_EQUAL(result.outcome, OEV_VERIFY_INTACT);
	CU_ASSERT_EQUAL(result.removed_batches, 4);
	CU_ASSERT_EQUAL(result.removed_segments, 1);
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

/* Whoever has no key can add a batch behind the last checkpoint, chained as it should be. */
static void test_a_removal_that_is_not_signed_excuses_nothing(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 2, 3, 3) &&
			help_begin(&evidence) && help_fill(&evidence, 2) && help_batch(&evidence) &&
			help_checkpoint(&evidence));
	CU_ASSERT(
		help_sql(&evidence,
			 "INSERT INTO removal VALUES (1, 'seg-20261129T140001.db', 1, 4, 'digest', 'age')"));
	CU_ASSERT(help_batch(&evidence));
	help_remove_segment(&evidence, 1);
	help_expect(&evidence, NULL, OEV_VERIFY_GAP, OEV_KIND_HOLE, "", -1, &result);
	CU_ASSERT_PTR_NOT_NULL(strstr(oev_verify_first(&result)->what, "not signed"));
	CU_ASSERT_EQUAL(result.removed_batches, 0);
	CU_ASSERT_EQUAL(result.removed_segments, 0);
	oev_verify_fini(&result);
	CU_ASSERT(help_checkpoint(&evidence)); /* now it is */
	help_verify(&evidence, NULL, &result);
	CU_ASSERT_EQUAL(result.outcome, OEV_VERIFY_INTACT);
	CU_ASSERT_EQUAL(result.removed_batches, 4);
	CU_ASSERT_EQUAL(result.removed_segments, 1);
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

static void test_more_than_retention_removed_is_a_gap(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;

	CU_ASSERT_FATAL(tell_removal(&evidence, 1, 4));
	help_remove_segment(&evidence, 1);
	help_remove_segment(&evidence, 2);
	help_expect(&evidence, NULL, OEV_VERIFY_GAP, OEV_KIND_HOLE, "", -1, &result);
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

/* Whoever has no key can make every row, root and chain value fit, but not the checkpoints. */
static void test_a_chain_made_anew_does_not_fit_the_checkpoints(void)
{
	struct help_evidence evidence, forged;
	struct oev_verify_result result;
	char path[256], from[256];

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 1, 4, 3));
	CU_ASSERT_FATAL(help_evidence_new(&forged) && help_begin(&forged));
	for (int i = 0; i < 4; i++) /* the same rows but one */
		CU_ASSERT(help_fill(&forged, 3) && help_sql(&forged, "UPDATE way SET why = 5 WHERE id = 4") &&
			  help_batch(&forged) && (i % 2 == 0 || help_checkpoint(&forged)));
	CU_ASSERT(help_close(&forged, "stopped"));
	help_leave(&forged);
	help_path(&evidence, 1, path);
	help_path(&forged, 1, from);
	char sql[1200];
	snprintf(sql, sizeof(sql),
		 "ATTACH '%s' AS good; DELETE FROM checkpoint; INSERT INTO checkpoint SELECT * FROM "
		 "good.checkpoint",
		 path);
	CU_ASSERT(help_alter(&forged, from, sql));
	unlink(path);
	CU_ASSERT(help_copy(from, path));
	CU_ASSERT(help_seal_again(&evidence, path)); /* as if the digest were right */
	unlink(evidence.beside);
	help_expect(&evidence, NULL, OEV_VERIFY_ALTERED, OEV_KIND_LOG, "", -1, &result);
	CU_ASSERT_EQUAL(oev_verify_first(&result)->batch, 2);
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
	help_evidence_remove(&forged);
}

/* The whole folder anew, with another key. */
static void restamp(struct help_evidence *evidence, struct help_evidence *forged)
{
	char command[900];

	CU_ASSERT_FATAL(help_evidence_new(evidence) && help_whole(evidence, 2, 3, 3));
	CU_ASSERT_FATAL(help_evidence_new(forged) && help_whole(forged, 2, 3, 3));
	snprintf(command, sizeof(command),
		 "cp '%s/public-key.txt' '%s/trusted.txt' && rm -rf '%s' && cp -rp '%s' '%s'",
		 evidence->folder, evidence->base, evidence->folder, forged->folder, evidence->folder);
	CU_ASSERT_EQUAL_FATAL(system(command), 0);
}

static void test_evidence_stamped_anew_is_found_by_the_trusted_key(void)
{
	struct help_evidence evidence, forged;
	struct oev_verify_result result;
	char key[200];

	restamp(&evidence, &forged);
	snprintf(key, sizeof(key), "%s/trusted.txt", evidence.base);
	help_expect(&evidence, &(struct oev_verify_options){ .path = evidence.folder, .key = key },
		    OEV_VERIFY_FOREIGN_KEY, OEV_KIND_KEY, "", -1, &result);
	oev_verify_fini(&result);
	unlink(key);
	help_evidence_remove(&evidence);
	help_evidence_remove(&forged);
}

static void test_evidence_stamped_anew_is_found_by_a_saved_checkpoint(void)
{
	struct help_evidence evidence, forged;
	struct oev_verify_result result;
	char saved[200], key[200];

	restamp(&evidence, &forged);
	snprintf(saved, sizeof(saved), "%s/saved", evidence.base);
	snprintf(key, sizeof(key), "%s/trusted.txt", evidence.base);
	CU_ASSERT_EQUAL(rename(evidence.beside, saved), 0);
	CU_ASSERT(help_copy(forged.beside, evidence.beside));
	help_verify(&evidence, &(struct oev_verify_options){ .path = evidence.folder }, &result);
	CU_ASSERT_EQUAL(result.outcome, OEV_VERIFY_UNWITNESSED); /* by itself it is all in order */
	oev_verify_fini(&result);
	help_expect(&evidence, &(struct oev_verify_options){ .path = evidence.folder, .checkpoint = saved },
		    OEV_VERIFY_FOREIGN_KEY, OEV_KIND_KEY, "", -1, &result);
	oev_verify_fini(&result);
	unlink(key);
	unlink(saved);
	help_evidence_remove(&evidence);
	help_evidence_remove(&forged);
}

static void test_a_segment_signed_by_another_key_is_named(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 2, 3, 3));
	CU_ASSERT(help_evidence_rekey(&evidence, "other"));
	CU_ASSERT(help_begin(&evidence) && help_fill(&evidence, 3) && help_batch(&evidence) &&
		  help_close(&evidence, "stopped") && help_seal(&evidence));
	help_expect(&evidence, NULL, OEV_VERIFY_FOREIGN_KEY, OEV_KIND_KEY, "", -1, &result);
	CU_ASSERT_STRING_EQUAL(oev_verify_first(&result)->segment, "seg-20261129T140003.db");
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

static void test_a_segment_of_another_node_is_mixed_in(void)
{
	struct help_evidence evidence, other;
	struct oev_verify_result result;
	char command[900];

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 2, 3, 3));
	CU_ASSERT_FATAL(help_evidence_new(&other));
	other.node = "dra-02.example.net";
	CU_ASSERT(help_whole(&other, 3, 3, 3));
	snprintf(command, sizeof(command), "cp '%s'/seg-*03.db* '%s'", other.folder, evidence.folder);
	CU_ASSERT_EQUAL(system(command), 0);
	help_verify(&evidence, NULL, &result);
	CU_ASSERT_EQUAL(result.outcome, OEV_VERIFY_FOREIGN_KEY); /* the worse of the two */
	const struct oev_verify_finding *node = help_find(&result, OEV_KIND_NODE);
	CU_ASSERT(node != NULL && node->outcome == OEV_VERIFY_MIXED);
	CU_ASSERT(node != NULL && strcmp(node->segment, "seg-20261129T140003.db") == 0);
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
	help_evidence_remove(&other);
}

/* The same node and key, but another log: a test system's folder, an older start. */
static void test_a_segment_of_another_log_is_mixed_in(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 2, 3, 3));
	evidence.log = (struct help_log){ .rows = 0 };
	unlink(evidence.beside);
	CU_ASSERT(help_whole(&evidence, 1, 3, 3));
	unlink(evidence.beside);
	help_expect(&evidence, NULL, OEV_VERIFY_MIXED, OEV_KIND_PLACE, "", -1, &result);
	CU_ASSERT_EQUAL(result.signed_batch, 8); /* of the log that is the folder's */
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

static void test_two_logs_signed_by_one_key_are_told_apart_by_a_checkpoint(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;
	char saved[200];

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 1, 3, 3));
	snprintf(saved, sizeof(saved), "%s/saved", evidence.base);
	CU_ASSERT_EQUAL(rename(evidence.beside, saved), 0);
	help_remove_segment(&evidence, 1);
	evidence.log = (struct help_log){ .rows = 0 };
	evidence.segments = 0;
	CU_ASSERT(help_whole(&evidence, 1, 3, 4)); /* the node itself tells another story now */
	help_expect(&evidence,
		    &(struct oev_verify_options){
			    .path = evidence.folder, .key = evidence.key_path, .checkpoint = saved },
		    OEV_VERIFY_ALTERED, OEV_KIND_LOG, "", -1, &result);
	CU_ASSERT_EQUAL(result.findings_all, 1); /* though every later checkpoint differs too */
	CU_ASSERT_EQUAL(oev_verify_first(&result)->batch, 2);
	oev_verify_fini(&result);
	unlink(saved);
	help_evidence_remove(&evidence);
}

static void test_who_vouches_decides_between_intact_and_cannot_tell(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;
	char saved[200];

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 2, 3, 3));
	snprintf(saved, sizeof(saved), "%s/saved", evidence.base);
	const struct {
		struct oev_verify_options options;
		enum oev_verify_outcome outcome;
		enum oev_verify_trust trust;
		enum oev_verify_witness witness;
		bool with_beside;
	} cases[] = {
		{ { .key = NULL }, OEV_VERIFY_UNWITNESSED, OEV_TRUST_FOLDER, OEV_WITNESS_BESIDE, true },
		{ { .accept_unwitnessed = true },
		  OEV_VERIFY_INTACT,
		  OEV_TRUST_FOLDER,
		  OEV_WITNESS_BESIDE,
		  true },
		{ { .key = evidence.key_path },
		  OEV_VERIFY_INTACT,
		  OEV_TRUST_GIVEN,
		  OEV_WITNESS_BESIDE,
		  true },
		{ { .key = evidence.key_path },
		  OEV_VERIFY_UNWITNESSED,
		  OEV_TRUST_GIVEN,
		  OEV_WITNESS_NONE,
		  false },
		{ { .checkpoint = saved }, OEV_VERIFY_INTACT, OEV_TRUST_OUTSIDE, OEV_WITNESS_GIVEN, false },
		{ { .remember = saved },
		  OEV_VERIFY_INTACT,
		  OEV_TRUST_OUTSIDE,
		  OEV_WITNESS_REMEMBERED,
		  false },
	};
	CU_ASSERT(help_copy(evidence.beside, saved));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct oev_verify_options options = cases[i].options;
		options.path = evidence.folder;
		if (!cases[i].with_beside)
			unlink(evidence.beside);
		help_verify(&evidence, &options, &result);
		CU_ASSERT_EQUAL(result.outcome, cases[i].outcome);
		CU_ASSERT_EQUAL(result.trust, cases[i].trust);
		CU_ASSERT_EQUAL(result.witness, cases[i].witness);
		oev_verify_fini(&result);
	}
	unlink(saved);
	help_evidence_remove(&evidence);
}

static void test_without_any_key_nothing_can_be_accepted(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 1, 3, 3));
	unlink(evidence.folder_key);
	help_verify(&evidence,
		    &(struct oev_verify_options){ .path = evidence.folder, .accept_unwitnessed = true },
		    &result);
	CU_ASSERT_EQUAL(result.outcome, OEV_VERIFY_UNWITNESSED);
	CU_ASSERT_EQUAL(result.trust, OEV_TRUST_NONE);
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

/* The file grows with the log; what it remembers is held against a later folder. */
static void test_what_was_seen_once_is_remembered(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;
	char memory[200];

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 1, 3, 3));
	snprintf(memory, sizeof(memory), "%s/memory", evidence.base);
	struct oev_verify_options options = { .path = evidence.folder,
					      .key = evidence.key_path,
					      .remember = memory };
	help_verify(&evidence, &options, &result); /* the first time there is nothing to compare with */
	oev_verify_fini(&result);
	CU_ASSERT(help_whole(&evidence, 1, 3, 3));
	help_verify(&evidence, &options, &result);
	CU_ASSERT_EQUAL(result.outcome, OEV_VERIFY_INTACT);
	CU_ASSERT_EQUAL(result.witness, OEV_WITNESS_REMEMBERED);
	CU_ASSERT_EQUAL(result.witness_batch, 4);
	oev_verify_fini(&result);
	help_remove_segment(&evidence, 2);
	unlink(evidence.beside);
	help_expect(&evidence, &options, OEV_VERIFY_CUT, OEV_KIND_END, "", -1, &result);
	oev_verify_fini(&result);
	unlink(memory);
	help_evidence_remove(&evidence);
}

void test_oev_verify_log_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_verify_log", NULL, NULL);

	CU_add_test(suite, "a_deleted_middle_segment_is_a_gap", test_a_deleted_middle_segment_is_a_gap);
	CU_add_test(suite, "a_deleted_first_segment_is_a_gap", test_a_deleted_first_segment_is_a_gap);
	CU_add_test(suite, "a_deleted_last_segment_is_a_cut_that_the_outside_tells",
		    test_a_deleted_last_segment_is_a_cut_that_the_outside_tells);
	CU_add_test(suite, "checkpoints_taken_out_are_a_cut_that_the_outside_tells",
		    test_checkpoints_taken_out_are_a_cut_that_the_outside_tells);
	CU_add_test(suite, "a_cut_end_is_not_seen_without_the_outside",
		    test_a_cut_end_is_not_seen_without_the_outside);
	CU_add_test(suite, "what_retention_removed_is_no_gap", test_what_retention_removed_is_no_gap);
	CU_add_test(suite, "a_removal_that_is_not_signed_excuses_nothing",
		    test_a_removal_that_is_not_signed_excuses_nothing);
	CU_add_test(suite, "more_than_retention_removed_is_a_gap", test_more_than_retention_removed_is_a_gap);
	CU_add_test(suite, "a_chain_made_anew_does_not_fit_the_checkpoints",
		    test_a_chain_made_anew_does_not_fit_the_checkpoints);
	CU_add_test(suite, "evidence_stamped_anew_is_found_by_the_trusted_key",
		    test_evidence_stamped_anew_is_found_by_the_trusted_key);
	CU_add_test(suite, "evidence_stamped_anew_is_found_by_a_saved_checkpoint",
		    test_evidence_stamped_anew_is_found_by_a_saved_checkpoint);
	CU_add_test(suite, "a_segment_signed_by_another_key_is_named",
		    test_a_segment_signed_by_another_key_is_named);
	CU_add_test(suite, "a_segment_of_another_node_is_mixed_in",
		    test_a_segment_of_another_node_is_mixed_in);
	CU_add_test(suite, "a_segment_of_another_log_is_mixed_in", test_a_segment_of_another_log_is_mixed_in);
	CU_add_test(suite, "two_logs_signed_by_one_key_are_told_apart_by_a_checkpoint",
		    test_two_logs_signed_by_one_key_are_told_apart_by_a_checkpoint);
	CU_add_test(suite, "who_vouches_decides_between_intact_and_cannot_tell",
		    test_who_vouches_decides_between_intact_and_cannot_tell);
	CU_add_test(suite, "without_any_key_nothing_can_be_accepted",
		    test_without_any_key_nothing_can_be_accepted);
	CU_add_test(suite, "what_was_seen_once_is_remembered", test_what_was_seen_once_is_remembered);
}
