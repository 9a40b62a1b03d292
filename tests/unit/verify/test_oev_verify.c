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

void test_oev_verify_suite(void);

static void print(const struct oev_verify_result *result)
{
	char line[600];

	oev_verify_line(result, line, sizeof(line));
	printf("    %s: %s\n", oev_verify_outcome_text(result->outcome), line);
	for (size_t i = 0; i < result->finding_count; i++)
		printf("    - %s/%s %s: %s\n", oev_verify_outcome_text(result->findings[i].outcome),
		       oev_verify_kind_text(result->findings[i].kind), result->findings[i].segment,
		       result->findings[i].what);
}

static void test_what_the_recorder_wrote_is_intact(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 3, 4, 5));
	help_verify(&evidence, NULL, &result);
	print(&result);
	CU_ASSERT_EQUAL(result.outcome, OEV_VERIFY_INTACT);
	CU_ASSERT_EQUAL(result.findings_all, 0);
	CU_ASSERT_EQUAL(result.segment_count, 3);
	CU_ASSERT_EQUAL(result.rows, evidence.log.rows);
	CU_ASSERT_EQUAL(result.batches, 15);
	CU_ASSERT_EQUAL(result.standing_rows, evidence.log.rows);
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

void test_oev_verify_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_verify", NULL, NULL);

	CU_add_test(suite, "what_the_recorder_wrote_is_intact", test_what_the_recorder_wrote_is_intact);
}
