/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of proofs made from a folder, and of what is said of them without it.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "evidence/verify/oev_check_proof.h"
#include "evidence/verify/oev_prove.h"
#include "help_evidence.h"

void test_oev_prove_suite(void);

struct scene {
	struct help_evidence evidence;
	struct oev_prove_result result;
	char proof[200];
	char other_key[200];
};

/* Three segments; in the second of them, decisions go from 1 to 12. */
static void begin(struct scene *scene)
{
	memset(scene, 0, sizeof(*scene));
	CU_ASSERT_FATAL(help_evidence_new(&scene->evidence) && help_whole(&scene->evidence, 3, 4, 3));
	snprintf(scene->proof, sizeof(scene->proof), "%s/proof.json", scene->evidence.base);
}

static void end(struct scene *scene)
{
	oev_prove_fini(&scene->result);
	help_evidence_remove(&scene->evidence);
}

static void remove_segment(const struct scene *scene, unsigned number)
{
	char path[256], seal[300];

	help_path(&scene->evidence, number, path);
	snprintf(seal, sizeof(seal), "%s.seal", path);
	unlink(path);
	unlink(seal);
}

/* A proof of row @row of @table in segment @number. */
static void prove(struct scene *scene, unsigned number, const char *table, int64_t row)
{
	char path[256];

	help_path(&scene->evidence, number, path);
	oev_prove_fini(&scene->result);
	oev_prove(&scene->result, &(struct oev_prove_options){ .path = path, .table = table, .row = row });
}

static void prove_growth(struct scene *scene, const char *older, const char *newer)
{
	oev_prove_fini(&scene->result);
	oev_prove(&scene->result, &(struct oev_prove_options){
					  .path = scene->evidence.folder, .older = older, .newer = newer });
}

/* What check-proof says of the proof at hand with @from, if any, in place of @to. */
static void check(struct scene *scene, const char *key, const char *from, const char *to,
		  struct oev_proof_check *out)
{
	char *at = from != NULL ? strstr(scene->result.text, from) : NULL;
	FILE *file = fopen(scene->proof, "w");

	CU_ASSERT_FATAL(file != NULL && scene->result.text != NULL && (from == NULL || at != NULL));
	if (at == NULL)
		fputs(scene->result.text, file);
	else
		fprintf(file, "%.*s%s%s", (int)(at - scene->result.text), scene->result.text, to,
			at + strlen(from));
	fclose(file);
	oev_proof_check(out, scene->proof, key);
}

static void expect_holds(struct scene *scene)
{
	struct oev_proof_check check_result;

	CU_ASSERT_EQUAL(scene->result.outcome, OEV_VERIFY_INTACT);
	if (scene->result.text == NULL) {
		printf("\n    %s", scene->result.error);
		return;
	}
	check(scene, scene->evidence.key_path, NULL, NULL, &check_result);
	CU_ASSERT_EQUAL(check_result.outcome, OEV_PROOF_HOLDS);
	CU_ASSERT(check_result.is_trusted);
	oev_proof_check_fini(&check_result);
}

static void test_rows_of_every_table_and_segment_can_be_proven(void)
{
	static const char *const tables[] = { "meta",	  "policy",  "report", "way",
					      "decision", "outcome", "removal" };
	struct scene scene;

	begin(&scene);
	for (unsigned number = 1; number <= 3; number++)
		for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
			prove(&scene, number, tables[i], 5);
			expect_holds(&scene);
		}
	end(&scene);
}

static void test_a_proof_needs_no_older_segments(void)
{
	struct scene scene;

	begin(&scene);
	remove_segment(&scene, 1);
	remove_segment(&scene, 2);
	prove(&scene, 3, "decision", 12);
	expect_holds(&scene);
	end(&scene);
}

static void test_the_checkpoint_is_the_first_one_that_covers_the_row(void)
{
	struct scene scene;

	begin(&scene);
	prove(&scene, 1, "decision", 1); /* batches 2 and 4 have one */
	CU_ASSERT_EQUAL(scene.result.batch, 1);
	CU_ASSERT_EQUAL(scene.result.size, 2);
	end(&scene);
}

static void test_a_row_of_several_segments_has_to_be_named(void)
{
	struct scene scene;

	begin(&scene);
	oev_prove(&scene.result, &(struct oev_prove_options){
					 .path = scene.evidence.folder, .table = "decision", .row = 4 });
	CU_ASSERT_EQUAL(scene.result.outcome, OEV_VERIFY_USAGE);
	CU_ASSERT_PTR_NOT_NULL(strstr(scene.result.error, "seg-20261129T140002.db"));
	end(&scene);
}

static void test_what_is_not_there_is_not_found(void)
{
	struct scene scene;

	begin(&scene);
	prove(&scene, 1, "decision", 99);
	CU_ASSERT_EQUAL(scene.result.outcome, OEV_VERIFY_NOT_FOUND);
	prove(&scene, 1, "nothing", 1);
	CU_ASSERT_EQUAL(scene.result.outcome, OEV_VERIFY_NOT_FOUND);
	prove(&scene, 1, "batch", 1);
	CU_ASSERT_EQUAL(scene.result.outcome, OEV_VERIFY_NOT_FOUND);
	oev_prove(&scene.result,
		  &(struct oev_prove_options){ .path = "/nowhere", .table = "decision", .row = 1 });
	CU_ASSERT_EQUAL(scene.result.outcome, OEV_VERIFY_NOT_FOUND);
	end(&scene);
}

/* Decisions of the segment that is left begin at 100: what comes before them was in one that is gone. */
static void test_a_decision_that_retention_removed_is_told_as_such(void)
{
	struct scene scene;
	struct oev_prove_options options = { .table = "decision", .row = 7 };

	begin(&scene);
	CU_ASSERT(help_begin(&scene.evidence) && help_fill(&scene.evidence, 2) &&
		  help_sql(&scene.evidence, "DELETE FROM removal; UPDATE decision SET rowid = rowid + 99;"
					    "INSERT INTO removal VALUES (1796047409000000, "
					    "'seg-20261129T140000.db', 1, 4, '', 'age')") &&
		  help_batch(&scene.evidence) && help_close(&scene.evidence, "stopped") &&
		  help_seal(&scene.evidence));
	for (unsigned number = 1; number <= 3; number++)
		remove_segment(&scene, number);
	options.path = scene.evidence.folder;
	oev_prove(&scene.result, &options);
	CU_ASSERT_EQUAL(scene.result.outcome, OEV_VERIFY_NOT_FOUND);
	CU_ASSERT_PTR_NOT_NULL(strstr(
		scene.result.error, "row 7 of table decision was in seg-20261129T140000.db, which retention "
				    "removed (age, 2026-11-30T14:03:29"));
	CU_ASSERT_PTR_NOT_NULL(strstr(scene.result.error, "batches 1 to 4"));
	options.row = 7000;
	oev_prove(&scene.result, &options);
	CU_ASSERT_PTR_NOT_NULL(strstr(scene.result.error, "is not here; it may have been in seg-2026"));
	end(&scene);
}

static void test_a_row_without_a_checkpoint_has_to_wait(void)
{
	struct scene scene;

	begin(&scene);
	CU_ASSERT(help_begin(&scene.evidence) && help_fill(&scene.evidence, 2) &&
		  help_batch(&scene.evidence));
	prove(&scene, 4, "decision", 1);
	CU_ASSERT_EQUAL(scene.result.outcome, OEV_VERIFY_UNSEALED);
	CU_ASSERT_EQUAL(oev_verify_exit(scene.result.outcome), 3);
	CU_ASSERT(help_checkpoint(&scene.evidence));
	prove(&scene, 4, "decision", 1);
	expect_holds(&scene);
	end(&scene);
}

static void test_altered_evidence_proves_nothing(void)
{
	struct scene scene;
	char path[256];

	begin(&scene);
	help_path(&scene.evidence, 2, path);
	CU_ASSERT(help_alter(&scene.evidence, path, "UPDATE decision SET way = 99 WHERE id = 4"));
	prove(&scene, 2, "decision", 4);
	CU_ASSERT_EQUAL(scene.result.outcome, OEV_VERIFY_ALTERED);
	CU_ASSERT_PTR_NULL(scene.result.text);
	prove(&scene, 2, "decision", 5); /* its neighbour in the same batch */
	CU_ASSERT_EQUAL(scene.result.outcome, OEV_VERIFY_ALTERED);
	prove(&scene, 2, "decision", 1); /* another batch */
	expect_holds(&scene);
	CU_ASSERT(help_alter(&scene.evidence, path, "INSERT INTO outcome VALUES (1, 2, 3)"));
	prove(&scene, 2, "outcome", 13);
	CU_ASSERT_EQUAL(scene.result.outcome, OEV_VERIFY_ALTERED);
	end(&scene);
}

static void test_growth_is_proven_between_any_two_checkpoints(void)
{
	static const char *const sizes[] = {
		"first", "2", "4", "5", "7", "9", "10", "12", "14", "15", "last"
	};
	struct scene scene;

	begin(&scene);
	for (size_t older = 0; older < sizeof(sizes) / sizeof(sizes[0]); older++)
		for (size_t newer = older; newer < sizeof(sizes) / sizeof(sizes[0]); newer++) {
			prove_growth(&scene, sizes[older], sizes[newer]);
			expect_holds(&scene);
		}
	prove_growth(&scene, "9", "4");
	CU_ASSERT_EQUAL(scene.result.outcome, OEV_VERIFY_USAGE);
	prove_growth(&scene, "3", "4");
	CU_ASSERT_EQUAL(scene.result.outcome, OEV_VERIFY_NOT_FOUND);
	prove_growth(&scene, "none", "4");
	CU_ASSERT_EQUAL(scene.result.outcome, OEV_VERIFY_USAGE);
	end(&scene);
}

static void test_growth_needs_no_older_segments_either(void)
{
	struct scene scene;

	begin(&scene);
	remove_segment(&scene, 1);
	prove_growth(&scene, "first", "last");
	expect_holds(&scene);
	CU_ASSERT_EQUAL(scene.result.batch, 7);
	CU_ASSERT_EQUAL(scene.result.size, 15);
	remove_segment(&scene, 2);
	prove_growth(&scene, "7", "last");
	CU_ASSERT_EQUAL(scene.result.outcome, OEV_VERIFY_NOT_FOUND);
	end(&scene);
}

static void test_a_proof_is_believed_as_far_as_its_key_is(void)
{
	struct scene scene;
	struct help_evidence other;
	struct oev_proof_check result;

	begin(&scene);
	CU_ASSERT_FATAL(help_evidence_new(&other));
	prove(&scene, 2, "decision", 4);
	check(&scene, NULL, NULL, NULL, &result);
	CU_ASSERT_EQUAL(result.outcome, OEV_PROOF_UNCONFIRMED);
	CU_ASSERT_EQUAL(oev_proof_exit(result.outcome), 3);
	oev_proof_check_fini(&result);
	check(&scene, other.key_path, NULL, NULL, &result);
	CU_ASSERT_EQUAL(result.outcome, OEV_PROOF_REFUTED);
	CU_ASSERT_EQUAL(oev_proof_exit(result.outcome), 1);
	CU_ASSERT_STRING_EQUAL(result.step, "key");
	oev_proof_check_fini(&result);
	help_evidence_remove(&other);
	end(&scene);
}

static void test_a_proof_that_was_touched_is_refuted(void)
{
	static const struct {
		const char *from, *to;
	} changes[] = { { "\"end_to_end\"", "\"session_id\"" },
			{ "\"table\": \"decision\"", "\"table\": \"outcome\"" } };
	struct scene scene;
	struct oev_proof_check result;

	begin(&scene);
	prove(&scene, 2, "decision", 4);
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		check(&scene, scene.evidence.key_path, changes[i].from, changes[i].to, &result);
		CU_ASSERT_EQUAL(result.outcome, OEV_PROOF_REFUTED);
		oev_proof_check_fini(&result);
	}
	end(&scene);
}

static void test_what_is_no_proof_is_unusable(void)
{
	struct scene scene;
	struct oev_proof_check result;

	begin(&scene);
	prove(&scene, 2, "decision", 4);
	check(&scene, NULL, "doic.proof/1", "doic.proof/9", &result);
	CU_ASSERT_EQUAL(result.outcome, OEV_PROOF_UNUSABLE);
	CU_ASSERT_EQUAL(oev_proof_exit(result.outcome), 4);
	oev_proof_check_fini(&result);
	check(&scene, NULL, "{", "", &result);
	CU_ASSERT_EQUAL(result.outcome, OEV_PROOF_UNUSABLE);
	oev_proof_check_fini(&result);
	oev_proof_check(&result, "/nowhere", NULL);
	CU_ASSERT_EQUAL(result.outcome, OEV_PROOF_NOT_FOUND);
	oev_proof_check_fini(&result);
	oev_proof_check(&result, scene.evidence.folder, NULL);
	CU_ASSERT_EQUAL(result.outcome, OEV_PROOF_UNUSABLE);
	oev_proof_check_fini(&result);
	end(&scene);
}

static void test_the_row_is_told_in_words(void)
{
	struct scene scene;
	struct oev_proof_check result;

	begin(&scene);
	prove(&scene, 2, "outcome", 4);
	check(&scene, NULL, NULL, NULL, &result);
	CU_ASSERT_PTR_NOT_NULL_FATAL(result.row);
	CU_ASSERT_STRING_EQUAL(result.table, "outcome");
	CU_ASSERT_EQUAL(result.rowid, 4);
	CU_ASSERT_EQUAL(strncmp(result.row, "outcome 4: decision ", 20), 0);
	CU_ASSERT_STRING_EQUAL(result.node, HELP_NODE);
	CU_ASSERT_STRING_EQUAL(result.segment, "seg-20261129T140002.db");
	oev_proof_check_fini(&result);
	end(&scene);
}

/* The rows that a decision names are proven beside it, and are no more to be touched than its own. */
static void test_a_decision_is_told_by_what_it_names(void)
{
	static const struct {
		const char *from, *to;
	} changes[] = { { "\"verdict\": ", "\"verdict\": 1" },
			{ "\"beside\": [", "\"beside\": [ {}," },
			{ "\"beside\": [", "\"beside\": [ 5," } };
	struct scene scene;
	struct oev_proof_check result;

	begin(&scene);
	prove(&scene, 2, "decision", 8); /* its way is row 1 */
	check(&scene, scene.evidence.key_path, NULL, NULL, &result);
	CU_ASSERT_EQUAL(result.outcome, OEV_PROOF_HOLDS);
	CU_ASSERT_PTR_NOT_NULL_FATAL(result.says);
	CU_ASSERT_EQUAL(strncmp(result.says, "decision 8: ", 12), 0);
	CU_ASSERT_PTR_NULL(strstr(result.says, "which is not in the file"));
	oev_proof_check_fini(&result);
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		check(&scene, scene.evidence.key_path, changes[i].from, changes[i].to, &result);
		CU_ASSERT_EQUAL(result.outcome, OEV_PROOF_REFUTED);
		CU_ASSERT_FALSE(result.is_trusted);
		CU_ASSERT_PTR_NULL(result.says);
		oev_proof_check_fini(&result);
	}
	end(&scene);
}

static void test_a_decision_alone_says_what_is_missing(void)
{
	struct scene scene;
	struct oev_proof_check result;
	char path[256];

	begin(&scene);
	help_path(&scene.evidence, 2, path);
	oev_prove(&scene.result,
		  &(struct oev_prove_options){ .path = path, .table = "decision", .row = 4, .alone = true });
	check(&scene, scene.evidence.key_path, NULL, NULL, &result);
	CU_ASSERT_EQUAL(result.outcome, OEV_PROOF_HOLDS);
	CU_ASSERT_PTR_NOT_NULL_FATAL(result.says);
	CU_ASSERT_PTR_NOT_NULL(strstr(result.says, "which is not in the file"));
	oev_proof_check_fini(&result);
	end(&scene);
}

void test_oev_prove_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_prove", NULL, NULL);

	CU_add_test(suite, "rows_of_every_table_and_segment_can_be_proven",
		    test_rows_of_every_table_and_segment_can_be_proven);
	CU_add_test(suite, "a_proof_needs_no_older_segments", test_a_proof_needs_no_older_segments);
	CU_add_test(suite, "the_checkpoint_is_the_first_one_that_covers_the_row",
		    test_the_checkpoint_is_the_first_one_that_covers_the_row);
	CU_add_test(suite, "a_row_of_several_segments_has_to_be_named",
		    test_a_row_of_several_segments_has_to_be_named);
	CU_add_test(suite, "what_is_not_there_is_not_found", test_what_is_not_there_is_not_found);
	CU_add_test(suite, "removed_by_retention", test_a_decision_that_retention_removed_is_told_as_such);
	CU_add_test(suite, "a_row_without_a_checkpoint_has_to_wait",
		    test_a_row_without_a_checkpoint_has_to_wait);
	CU_add_test(suite, "altered_evidence_proves_nothing", test_altered_evidence_proves_nothing);
	CU_add_test(suite, "growth_is_proven_between_any_two_checkpoints",
		    test_growth_is_proven_between_any_two_checkpoints);
	CU_add_test(suite, "growth_needs_no_older_segments_either",
		    test_growth_needs_no_older_segments_either);
	CU_add_test(suite, "a_proof_is_believed_as_far_as_its_key_is",
		    test_a_proof_is_believed_as_far_as_its_key_is);
	CU_add_test(suite, "a_proof_that_was_touched_is_refuted", test_a_proof_that_was_touched_is_refuted);
	CU_add_test(suite, "what_is_no_proof_is_unusable", test_what_is_no_proof_is_unusable);
	CU_add_test(suite, "a_decision_is_told_by_what_it_names", test_a_decision_is_told_by_what_it_names);
	CU_add_test(suite, "a_decision_alone", test_a_decision_alone_says_what_is_missing);
	CU_add_test(suite, "the_row_is_told_in_words", test_the_row_is_told_in_words);
}
