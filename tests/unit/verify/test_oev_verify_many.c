/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the log across very many segments.
 */
#include <CUnit/CUnit.h>

#include "help_evidence.h"

void test_oev_verify_many_suite(void);

/* One batch and that of its end in each of @count segments; all odd ones but the last are then removed. */
static bool make_holes(struct help_evidence *evidence, unsigned count)
{
	if (!help_evidence_new(evidence) || !help_whole(evidence, count, 1, 1) || !help_begin(evidence))
		return false;
	for (unsigned number = 1; number + 2 < count; number += 2)
		if (!help_sql(evidence, "INSERT INTO removal VALUES (1, 'removed', %u, %u, 'digest', 'age')",
			      2 * number - 1, 2 * number))
			return false;
	for (unsigned number = 1; number < count; number += 2)
		help_remove_segment(evidence, number);
	return help_batch(evidence) && help_close(evidence, "stopped") && help_seal(evidence);
}

static void test_one_hole_among_very_many_is_found(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;

	CU_ASSERT_FATAL(make_holes(&evidence, 2 * 260));
	help_expect(&evidence, NULL, OEV_VERIFY_GAP, OEV_KIND_HOLE, "", -1, &result);
	CU_ASSERT_EQUAL(result.findings_all, 1);
	CU_ASSERT_EQUAL(oev_verify_first(&result)->batch, 2 * 519 - 1);
	CU_ASSERT_EQUAL(result.removed_segments, 259);
	CU_ASSERT_EQUAL(result.removed_batches, 2 * 259);
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

void test_oev_verify_many_suite(void)
{
	CU_Suite *suite = CU_add_suite("oev_verify_many", NULL, NULL);

	CU_add_test(suite, "one_hole_among_very_many_is_found", test_one_hole_among_very_many_is_found);
}
