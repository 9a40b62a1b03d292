/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the controlled return to full traffic.
 */
#include <CUnit/CUnit.h>

#include "agent/doic/oc_recover.h"
#include "help_core.h"

void test_oc_recover_suite(void);

static struct oc_policy policy_of(uint32_t ramp_ms, uint32_t probe_ms)
{
	struct oc_policy policy;

	oc_policy_init(&policy);
	policy.ramp_ms = ramp_ms;
	policy.probe_interval_ms = probe_ms;
	return policy;
}

static void settle(struct oc_recover *r, const struct oc_policy *policy, uint64_t now_ns)
{
	uint64_t at_ns;

	while (oc_recover_step(r, policy, now_ns, &at_ns))
		;
}

static void test_oc_recover_share_falls_and_never_rises(void)
{
	for (uint32_t pct = 0; pct <= 100; pct += 10) {
		struct oc_policy policy = policy_of(30000, 1000);
		struct oc_recover r;
		uint32_t last_ppm = pct * 10000;
		oc_recover_begin(&r, last_ppm, 60 * SECOND);
		uint64_t end_ns = pct == 100 ? 390 * SECOND : 90 * SECOND;
		for (uint64_t now_ns = 0; now_ns <= end_ns; now_ns += 137 * MS) {
			settle(&r, &policy, now_ns);
			uint32_t share_ppm = oc_recover_share(&r, now_ns);
			CU_ASSERT_FATAL(share_ppm <= last_ppm);
			last_ppm = share_ppm;
		}
		settle(&r, &policy, end_ns);
		CU_ASSERT_EQUAL(oc_recover_share(&r, end_ns), 0);
		CU_ASSERT_EQUAL(r.phase, OC_PHASE_OVER);
	}
}

static void test_oc_recover_looking_ahead_changes_nothing(void)
{
	struct oc_policy policy = policy_of(30000, 1000);
	struct oc_recover r;

	oc_recover_begin(&r, 500000, 60 * SECOND);
	CU_ASSERT_EQUAL(oc_recover_share_later(&r, &policy, 59 * SECOND), 500000);
	CU_ASSERT_EQUAL(oc_recover_share_later(&r, &policy, 75 * SECOND), 250000);
	CU_ASSERT_EQUAL(oc_recover_share_later(&r, &policy, 90 * SECOND), 0);
	CU_ASSERT_EQUAL(r.phase, OC_PHASE_ACTIVE);
}

static void test_oc_recover_one_probe_per_interval(void)
{
	struct oc_policy policy = policy_of(10000, 1000);
	struct oc_recover r;
	struct oc_probe probe = { 0 };
	uint32_t probes = 0;

	oc_recover_begin(&r, OC_PPM, 60 * SECOND);
	CU_ASSERT_FALSE(oc_recover_take_probe(&r, &probe, &policy, 59 * SECOND));
	for (uint64_t now_ns = 60 * SECOND; now_ns < 70 * SECOND; now_ns += 10 * MS) {
		settle(&r, &policy, now_ns);
		probes += oc_recover_take_probe(&r, &probe, &policy, now_ns);
		CU_ASSERT_EQUAL_FATAL(oc_recover_share(&r, now_ns), OC_PPM);
	}
	CU_ASSERT_EQUAL(probes, 10);
}

static void test_oc_recover_only_an_answer_to_after_the_probe_counts(void)
{
	struct oc_policy policy = policy_of(10000, 1000);
	struct oc_recover r;
	struct oc_probe probe = { 0 };

	oc_recover_begin(&r, OC_PPM, 60 * SECOND);
	oc_recover_answered(&r, &probe, &policy, 61 * SECOND, 61 * SECOND);
	CU_ASSERT_EQUAL(r.phase, OC_PHASE_ACTIVE);
	settle(&r, &policy, 60 * SECOND);
	oc_recover_answered(&r, &probe, &policy, 61 * SECOND, 61 * SECOND);
	CU_ASSERT_EQUAL(r.phase, OC_PHASE_PROBE);
	CU_ASSERT_TRUE(oc_recover_take_probe(&r, &probe, &policy, 62 * SECOND));
	oc_recover_answered(&r, &probe, &policy, 61 * SECOND, 63 * SECOND);
	CU_ASSERT_EQUAL(r.phase, OC_PHASE_PROBE);
	oc_recover_answered(&r, &probe, &policy, 62 * SECOND, 63 * SECOND);
	CU_ASSERT_EQUAL(r.phase, OC_PHASE_RAMP);
	CU_ASSERT_EQUAL(oc_recover_share(&r, 68 * SECOND), 500000);
}

static void test_oc_recover_no_ramp_means_at_once(void)
{
	struct oc_policy policy = policy_of(0, 1000);
	struct oc_recover r;

	oc_recover_begin(&r, OC_PPM, 60 * SECOND);
	settle(&r, &policy, 60 * SECOND);
	CU_ASSERT_EQUAL(r.phase, OC_PHASE_OVER);
	oc_recover_end(&r, 700000, &policy, 5 * SECOND);
	settle(&r, &policy, 5 * SECOND);
	CU_ASSERT_EQUAL(r.phase, OC_PHASE_OVER);
}

static void test_oc_recover_survives_a_clock_step_back(void)
{
	struct oc_policy policy = policy_of(30000, 1000);
	struct oc_recover r;

	oc_recover_end(&r, 700000, &policy, 100 * SECOND);
	CU_ASSERT_EQUAL(oc_recover_share(&r, 50 * SECOND), 700000);
}

void test_oc_recover_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_recover", NULL, NULL);
	CU_add_test(suite, "D-252 D-256 share_falls_and_never_rises",
		    test_oc_recover_share_falls_and_never_rises);
	CU_add_test(suite, "looking_ahead_changes_nothing", test_oc_recover_looking_ahead_changes_nothing);
	CU_add_test(suite, "D-251 one_probe_per_interval", test_oc_recover_one_probe_per_interval);
	CU_add_test(suite, "D-251 only_an_answer_to_after_the_probe_counts",
		    test_oc_recover_only_an_answer_to_after_the_probe_counts);
	CU_add_test(suite, "D-128 no_ramp_means_at_once", test_oc_recover_no_ramp_means_at_once);
	CU_add_test(suite, "D-085 survives_a_clock_step_back", test_oc_recover_survives_a_clock_step_back);
}
