/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the sampler's bound as the audit follows it.
 */
#include <CUnit/CUnit.h>

#include "agent/oc_err.h"
#include "evidence/audit/oev_audit_sampler.h"

void test_oev_audit_sampler_suite(void);

static void take(struct oev_sampler *sampler, uint64_t nth, bool selected, int rc)
{
	const struct oev_draw draw = { .nth = nth, .share_ppm = 500000, .selected = selected };

	CU_ASSERT_EQUAL(oev_sampler_take(sampler, &draw), rc);
}

static void test_sampler_bound_is_exact(void)
{
	struct oev_sampler sampler = { 0 };

	take(&sampler, 1, true, OC_OK);
	take(&sampler, 2, false, OC_OK);
	take(&sampler, 3, true, OC_OK);
	CU_ASSERT(oev_sampler_holds(&sampler));
	take(&sampler, 4, true, OC_OK); /* one too many */
	CU_ASSERT_EQUAL(oev_sampler_error_max(&sampler), 1000000);
	CU_ASSERT(!oev_sampler_holds(&sampler));
	oev_sampler_fini(&sampler);
}

static void test_sampler_follows_the_order_of_drawing(void)
{
	struct oev_sampler sampler = { 0 };

	/* as the rows come two selections meet; as drawn they never do */
	take(&sampler, 3, true, OC_OK);
	take(&sampler, 1, true, OC_OK);
	CU_ASSERT(!oev_sampler_holds(&sampler)); /* draw 2 is missing */
	take(&sampler, 2, false, OC_OK);
	CU_ASSERT(oev_sampler_holds(&sampler));
	CU_ASSERT_EQUAL(oev_sampler_error_max(&sampler), 500000);
	for (uint64_t nth = 1000; nth >= 4; nth--) /* all backwards: room is made */
		take(&sampler, nth, nth % 2 == 1, OC_OK);
	CU_ASSERT(oev_sampler_holds(&sampler));
	CU_ASSERT_EQUAL(sampler.done, 1000);
	oev_sampler_fini(&sampler);
}

static void test_sampler_finds_double_and_absurd_numbers(void)
{
	struct oev_sampler sampler = { 0 };

	take(&sampler, 1, true, OC_OK);
	take(&sampler, 1, false, OC_EINVAL);
	CU_ASSERT(!oev_sampler_holds(&sampler));
	oev_sampler_fini(&sampler);
	take(&sampler, 5, true, OC_OK);
	take(&sampler, 5, true, OC_EINVAL);
	take(&sampler, UINT32_MAX, true, OC_ENOSPC);
	CU_ASSERT(!oev_sampler_holds(&sampler));
	oev_sampler_fini(&sampler);
}

/* Three admissions at one instant, one more than a drained bucket later, in the order of drawing. */
static void test_sampler_measures_the_fullest_window(void)
{
	static const uint64_t at_ms[] = { 5000, 5000, 5000, 5010, 5500, 5499 };
	struct oev_sampler sampler = { .rate_rps = 100 };

	for (uint64_t i = 6; i >= 1; i--) {
		const struct oev_draw draw = { .nth = i,
					       .mono_ns = at_ms[i - 1] * 1000000,
					       .asked_ppm = OEV_NOT_ASKED,
					       .is_admission = true };
		CU_ASSERT_EQUAL(oev_sampler_take(&sampler, &draw), OC_OK);
	}
	CU_ASSERT_EQUAL(sampler.admitted, 6);
	CU_ASSERT_DOUBLE_EQUAL(sampler.level_max, 3.0, 1e-9); /* 1, 2, 3, then 3 - 1 + 1 */
	CU_ASSERT_DOUBLE_EQUAL(sampler.level, 2.1, 1e-9);     /* a stamp that runs back */
	oev_sampler_fini(&sampler);
}

static void test_sampler_measures_what_waits(void)
{
	static const uint32_t shares[] = { 0, 0, 900000, 300000 };
	struct oev_sampler sampler = { 0 };

	for (uint64_t i = 0; i < 4; i++) {
		const struct oev_draw draw = { .nth = i + 1, .share_ppm = shares[i], .asked_ppm = 300000 };
		CU_ASSERT_EQUAL(oev_sampler_take(&sampler, &draw), OC_OK);
	}
	CU_ASSERT_EQUAL(sampler.owed_max_ppm, 600000);
	CU_ASSERT_EQUAL(sampler.owed_min_ppm, 0);
	CU_ASSERT_EQUAL(sampler.owed_ppm, 0);
	oev_sampler_fini(&sampler);
}

void test_oev_audit_sampler_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_audit_sampler", NULL, NULL);

	CU_add_test(suite, "bound_is_exact", test_sampler_bound_is_exact);
	CU_add_test(suite, "follows_the_order_of_drawing", test_sampler_follows_the_order_of_drawing);
	CU_add_test(suite, "R-20 measures_the_fullest_window", test_sampler_measures_the_fullest_window);
	CU_add_test(suite, "D-272 measures_what_waits", test_sampler_measures_what_waits);
	CU_add_test(suite, "finds_double_and_absurd_numbers", test_sampler_finds_double_and_absurd_numbers);
}
