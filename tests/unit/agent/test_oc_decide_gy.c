/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of drawing under a Gy report with specific reductions.
 */
#include "help_decide.h"

void test_oc_decide_gy_suite(void);

/* Gy: 80 % for rating group 5, 100 % for group 6, nothing named for the rest. */
static struct oc_specific two_groups(uint8_t first_pct, uint8_t second_pct)
{
	struct oc_specific specific = { .count = 2,
					.highest_pct = first_pct > second_pct ? first_pct : second_pct };

	specific.reduction[0] = (struct oc_specific_reduction){ .rating_group = { 5 },
								.group_count = 1,
								.reduction_pct = first_pct };
	specific.reduction[1] = (struct oc_specific_reduction){ .rating_group = { 6 },
								.group_count = 1,
								.reduction_pct = second_pct };
	return specific;
}

static struct oc_msg credit_request(uint32_t group)
{
	return (struct oc_msg){ .cc_request_type = 2, .rating_group = { group }, .rating_group_count = 1 };
}

static void report_groups(struct world *w, uint32_t general_pct, const struct oc_specific *specific,
			  uint32_t validity_s)
{
	report(w,
	       (struct oc_olr_value){
		       .algorithm = OC_ALGO_LOSS, .reduction_pct = general_pct, .validity_s = validity_s },
	       specific);
}

static uint32_t draw_group(struct world *w, uint32_t group, uint32_t count)
{
	struct oc_msg request = credit_request(group);
	uint32_t selected = 0;

	for (uint32_t i = 0; i < count; i++)
		selected += draw(w, 10, OC_CLASS_DEFAULT, &request).is_selected;
	return selected;
}

static void test_oc_decide_gy_specific_reductions_have_their_own_share(void)
{
	struct world w = world_of();
	struct oc_specific specific = two_groups(80, 60);

	report_groups(&w, 10, &specific, 60);
	CU_ASSERT_EQUAL(w.entry->recover.share_ppm, 800000);
	CU_ASSERT_DOUBLE_EQUAL(draw_group(&w, 5, 1000), 800, 1);
	CU_ASSERT_DOUBLE_EQUAL(draw_group(&w, 6, 1000), 600, 1);
	CU_ASSERT_DOUBLE_EQUAL(draw_group(&w, 7, 1000), 100, 1);
	/* Ended, it keeps them on the ramp. */
	report_groups(&w, 0, NULL, 0);
	w.now_ns += 15 * SECOND;
	CU_ASSERT_DOUBLE_EQUAL(draw_group(&w, 5, 1000), 400, 1);
	CU_ASSERT_DOUBLE_EQUAL(draw_group(&w, 6, 1000), 300, 1);
	CU_ASSERT_DOUBLE_EQUAL(draw_group(&w, 7, 1000), 50, 1);
	/* A newer report without any means all again. */
	report_groups(&w, 10, NULL, 60);
	CU_ASSERT_DOUBLE_EQUAL(draw_group(&w, 5, 1000), 100, 1);
	oc_ocs_free(w.ocs);
}

static void test_oc_decide_gy_only_restricted_groups_are_probed(void)
{
	struct world w = world_of();
	struct oc_specific specific = two_groups(100, 0);
	struct oc_msg restricted = credit_request(5);
	struct oc_msg other = credit_request(7);

	report_groups(&w, 0, &specific, 60);
	CU_ASSERT_EQUAL(draw_group(&w, 5, 100), 100);
	CU_ASSERT_EQUAL(draw_group(&w, 7, 100), 0);
	w.now_ns += 60 * SECOND;
	CU_ASSERT_FALSE(draw(&w, 10, 3, &other).is_probe);
	CU_ASSERT_FALSE(draw(&w, 10, 3, &other).is_selected);
	CU_ASSERT_EQUAL(w.entry->recover.phase, OC_PHASE_PROBE);
	CU_ASSERT_TRUE(draw(&w, 10, 3, &restricted).is_probe);
	CU_ASSERT_TRUE(draw(&w, 10, 3, &restricted).is_selected);
	oc_ocs_free(w.ocs);
}

/* Requests that nothing is asked of neither pay for the others nor forgive them. */
static void test_oc_decide_gy_unrestricted_groups_leave_the_debt_alone(void)
{
	struct world w = world_of();
	struct oc_specific specific = two_groups(50, 0);
	struct oc_msg restricted = credit_request(5);
	struct oc_msg other = credit_request(7);
	uint32_t selected = 0;

	report_groups(&w, 0, &specific, 600);
	for (uint32_t i = 0; i < 10000; i++) {
		selected += draw(&w, i & 1 ? 2 : 12, OC_CLASS_DEFAULT, &restricted).is_selected;
		CU_ASSERT_FALSE(draw(&w, 12, OC_CLASS_DEFAULT, &other).is_selected);
	}
	CU_ASSERT_DOUBLE_EQUAL(selected, 5000, 22);
	oc_ocs_free(w.ocs);
}

static void test_oc_decide_gy_specific_pool_is_given_back(void)
{
	struct world w = world_of();
	struct oc_specific specific = two_groups(80, 60);
	uint32_t kept = 0;

	for (uint32_t i = 0; i < 3 * OC_SPECIFICS_MAX; i++) {
		w.key.subject = 2 + i % (OC_SPECIFICS_MAX + 8);
		w.entry = NULL;
		report_groups(&w, 10, &specific, 60);
		kept += w.entry->recover.is_specific;
		/* Without a place the general percentage is applied, not the highest. */
		CU_ASSERT_EQUAL(w.entry->recover.share_ppm, w.entry->recover.is_specific ? 800000u : 100000u);
		if (i >= OC_SPECIFICS_MAX + 8)
			oc_ocs_forget(w.ocs, w.entry);
	}
	/* 64 at first, 8 without; every one that came again had, or found, a place. */
	CU_ASSERT_EQUAL(kept, 3 * OC_SPECIFICS_MAX - 8);
	oc_ocs_free(w.ocs);
}

void test_oc_decide_gy_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_decide_gy", NULL, NULL);

	CU_add_test(suite, "specific_reductions_have_their_own_share",
		    test_oc_decide_gy_specific_reductions_have_their_own_share);
	CU_add_test(suite, "D-251 only_restricted_groups_are_probed",
		    test_oc_decide_gy_only_restricted_groups_are_probed);
	CU_add_test(suite, "D-272 unrestricted_groups_leave_the_debt_alone",
		    test_oc_decide_gy_unrestricted_groups_leave_the_debt_alone);
	CU_add_test(suite, "specific_pool_is_given_back", test_oc_decide_gy_specific_pool_is_given_back);
}
