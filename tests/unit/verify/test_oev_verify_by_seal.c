/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of sealed files that are taken for what was sealed, and of those that are not.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "help_evidence.h"

void test_oev_verify_by_seal_suite(void);

static void begin(struct help_evidence *evidence)
{
	CU_ASSERT_FATAL(help_evidence_new(evidence) && help_whole(evidence, 3, 3, 4));
}

static struct oev_verify_options by_seals(const struct help_evidence *evidence)
{
	return (struct oev_verify_options){ .path = evidence->folder,
					    .key = evidence->key_path,
					    .by_seals = true };
}

/* Changes row 5 of the second segment's decisions. */
static void alter(struct help_evidence *evidence, char path[static 256])
{
	help_path(evidence, 2, path);
	CU_ASSERT_FATAL(help_alter(evidence, path, "UPDATE decision SET at_ns = at_ns + 1 WHERE rowid = 5"));
}

static void test_a_good_seal_answers_for_the_rows(void)
{
	struct help_evidence evidence;
	struct oev_verify_result all, sealed;

	begin(&evidence);
	struct oev_verify_options options = by_seals(&evidence);
	help_verify(&evidence, NULL, &all);
	help_verify(&evidence, &options, &sealed);
	CU_ASSERT_EQUAL(sealed.outcome, all.outcome);
	CU_ASSERT_EQUAL(sealed.rows, all.rows);
	CU_ASSERT_EQUAL(sealed.by_seal_rows, all.rows);
	CU_ASSERT_EQUAL(all.by_seal_rows, 0);
	CU_ASSERT_EQUAL(sealed.standing_rows, all.standing_rows);
	oev_verify_fini(&all);
	oev_verify_fini(&sealed);
	help_evidence_remove(&evidence);
}

static void test_a_changed_row_is_named_all_the_same(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;
	char path[256];

	begin(&evidence);
	struct oev_verify_options options = by_seals(&evidence);
	alter(&evidence, path);
	help_expect(&evidence, &options, OEV_VERIFY_ALTERED, OEV_KIND_ROW, "decision", 5, &result);
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

/* Whoever has the key can seal anything; then only the rows tell, and only to those who make them into leaves again. */
static void test_rows_changed_under_a_new_seal_need_the_whole_look(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;
	char path[256];

	begin(&evidence);
	struct oev_verify_options options = by_seals(&evidence);
	alter(&evidence, path);
	CU_ASSERT(help_seal_again(&evidence, path));
	help_expect(&evidence, NULL, OEV_VERIFY_ALTERED, OEV_KIND_ROW, "decision", 5, &result);
	oev_verify_fini(&result);
	help_verify(&evidence, &options, &result);
	CU_ASSERT_NOT_EQUAL(result.outcome, OEV_VERIFY_ALTERED);
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

static void test_without_a_key_or_a_seal_rows_are_made_again(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;
	char path[256], seal[300];

	begin(&evidence);
	struct oev_verify_options options = by_seals(&evidence);
	help_path(&evidence, 1, path);
	snprintf(seal, sizeof(seal), "%s.seal", path);
	CU_ASSERT_EQUAL(unlink(seal), 0);
	help_verify(&evidence, &options, &result);
	CU_ASSERT_EQUAL(result.outcome, OEV_VERIFY_UNSEALED);
	CU_ASSERT_EQUAL(result.rows - result.by_seal_rows, result.segments[0].rows);
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

void test_oev_verify_by_seal_suite(void)
{
	CU_Suite *suite = CU_add_suite("oev_verify_by_seal", NULL, NULL);

	CU_add_test(suite, "a_good_seal_answers_for_the_rows", test_a_good_seal_answers_for_the_rows);
	CU_add_test(suite, "a_changed_row_is_named_all_the_same", test_a_changed_row_is_named_all_the_same);
	CU_add_test(suite, "rows_changed_under_a_new_seal_need_the_whole_look",
		    test_rows_changed_under_a_new_seal_need_the_whole_look);
	CU_add_test(suite, "without_a_key_or_a_seal_rows_are_made_again",
		    test_without_a_key_or_a_seal_rows_are_made_again);
}
