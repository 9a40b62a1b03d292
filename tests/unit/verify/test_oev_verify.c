/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of what is said of evidence nobody touched, and of what cannot be vouched for.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "help_evidence.h"
#include "help_flips.h"

void test_oev_verify_suite(void);

static void test_what_the_recorder_wrote_is_intact(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 3, 4, 5));
	help_verify(&evidence, NULL, &result);
	CU_ASSERT_EQUAL(result.outcome, OEV_VERIFY_INTACT);
	CU_ASSERT_EQUAL(result.findings_all, 0);
	CU_ASSERT_EQUAL(result.segment_count, 3);
	CU_ASSERT_EQUAL(result.rows, evidence.log.rows);
	CU_ASSERT_EQUAL(result.batches, 15);
	CU_ASSERT_EQUAL(result.standing_rows, evidence.log.rows);
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

/* Memory errors show in fewer. */
#ifdef __SANITIZE_ADDRESS__
#define SPARSE 10u
#else
#define SPARSE 1u
#endif

/* A sample of the bits; ./run bench verify turns over each one. */
static void test_no_turned_bit_goes_unseen(void)
{
	struct help_flips flips = { .every_row_bit = 97 * SPARSE,
				    .every = 997 * SPARSE,
				    .every_digest = 997 * SPARSE };

	CU_ASSERT_EQUAL(help_flips_run(&flips), 0);
	CU_ASSERT(flips.cell_octets > 2000);
	CU_ASSERT(flips.cell_bits > 200 / SPARSE && flips.other_bits > 200 / SPARSE &&
		  flips.digest_bits > 200 / SPARSE);
	CU_ASSERT_EQUAL(flips.missed, 0);
	CU_ASSERT_EQUAL(flips.digest_missed, 0);
}

/* Headers of records say what type a value has: the same octets as BLOB are not what was written as TEXT. */
static void test_no_turned_bit_in_a_record_header_goes_unseen(void)
{
	static const struct {
		const char *behind;
		size_t before;
	} places[] = { { "CREATE TABLE load", 18 },
		       { "CREATE TABLE act",
			 24 }, /* in the schema's record, and the last one a batch names */
		       { "CREATE VIEW v_own_report", 30 },
		       { "carried 2 carried_version", 40 },
		       { "doic.checkpoint/1", 16 } };

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		struct help_flips flips = { .behind = places[i].behind, .before = places[i].before };
		CU_ASSERT_EQUAL(help_flips_run(&flips), 0);
		CU_ASSERT_EQUAL(flips.cell_bits, 8 * places[i].before);
		CU_ASSERT_EQUAL(flips.missed, 0);
	}
}

/* Every outcome has its words, its exit code, and the same object in JSON. */
static void test_every_outcome_has_words_and_a_code(void)
{
	static const int codes[] = { 0, 3, 3, 1, 1, 1, 1, 1, 1, 4, 4, 4, 4, 2, 130, 70 };
	char text[8192];

	_Static_assert(sizeof(codes) / sizeof(codes[0]) == OEV_VERIFY_OUTCOME_COUNT, "one code per outcome");
	for (int i = 0; i < OEV_VERIFY_OUTCOME_COUNT; i++) {
		struct oev_verify_result result = { .outcome = (enum oev_verify_outcome)i };
		FILE *out = fmemopen(text, sizeof(text), "w");
		CU_ASSERT_EQUAL(oev_verify_exit(result.outcome), codes[i]);
		CU_ASSERT_EQUAL(oev_verify_json(&result, "doic test", out, true), 0);
		fclose(out);
		CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"schema\":\"doic.verify/1\""));
		CU_ASSERT_PTR_NOT_NULL(strstr(text, oev_verify_outcome_text(result.outcome)));
		CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"outside_checkpoint\":null"));
		CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"findings\":[]"));
		for (int j = 0; j < i; j++)
			CU_ASSERT_STRING_NOT_EQUAL(oev_verify_outcome_text((enum oev_verify_outcome)j),
						   oev_verify_outcome_text(result.outcome));
	}
}

void test_oev_verify_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_verify", NULL, NULL);

	CU_add_test(suite, "every_outcome_has_words_and_a_code", test_every_outcome_has_words_and_a_code);
	CU_add_test(suite, "no_turned_bit_goes_unseen", test_no_turned_bit_goes_unseen);
	CU_add_test(suite, "no_turned_bit_in_a_record_header_goes_unseen",
		    test_no_turned_bit_in_a_record_header_goes_unseen);
	CU_add_test(suite, "what_the_recorder_wrote_is_intact", test_what_the_recorder_wrote_is_intact);
}
