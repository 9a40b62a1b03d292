/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of what features select and announce.
 */
#include <CUnit/CUnit.h>

#include "agent/doic/oc_caps.h"

void test_oc_caps_suite(void);

static struct oc_caps vector(uint64_t bits)
{
	return (struct oc_caps){ .vector = bits, .has = OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR };
}

static void test_oc_caps_algorithm_follows_the_answer(void)
{
	static const struct {
		uint64_t bits;
		enum oc_algo with_pct;
		enum oc_algo without_pct;
		bool is_odd;
	} cases[] = {
		{ 0x1, OC_ALGO_LOSS, OC_ALGO_LOSS, false }, { 0x11, OC_ALGO_LOSS, OC_ALGO_LOSS, false },
		{ 0x4, OC_ALGO_RATE, OC_ALGO_RATE, false }, { 0x14, OC_ALGO_RATE, OC_ALGO_RATE, false },
		{ 0x5, OC_ALGO_LOSS, OC_ALGO_NONE, true },  { 0x10, OC_ALGO_LOSS, OC_ALGO_LOSS, true },
		{ 0x0, OC_ALGO_LOSS, OC_ALGO_LOSS, true },  { 0x15, OC_ALGO_LOSS, OC_ALGO_NONE, true },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct oc_caps caps = vector(cases[i].bits);
		struct oc_olr with = { .has = OC_OLR_HAS_REDUCTION };
		struct oc_olr without = { 0 };
		bool is_odd = false;
		CU_ASSERT_EQUAL(oc_caps_algorithm(&caps, &with, &is_odd), cases[i].with_pct);
		CU_ASSERT_EQUAL(oc_caps_algorithm(&caps, &without, &is_odd), cases[i].without_pct);
		CU_ASSERT_EQUAL(is_odd, cases[i].is_odd);
	}
}

static void test_oc_caps_no_vector_means_loss(void)
{
	struct oc_caps caps = { .has = OC_CAPS_PRESENT };
	struct oc_olr olr = { 0 };
	bool is_odd = false;

	CU_ASSERT_EQUAL(oc_caps_algorithm(&caps, &olr, &is_odd), OC_ALGO_LOSS);
	CU_ASSERT_FALSE(is_odd);
}

static void test_oc_caps_are_passed_on_unless_we_must_react(void)
{
	struct oc_caps caps = vector(0x5);
	bool is_odd = false;

	CU_ASSERT_EQUAL(oc_caps_wish_for(&caps, true, false, &is_odd), OC_CAPS_WISH_KEEP);
	CU_ASSERT_EQUAL(oc_caps_wish_for(&caps, true, true, &is_odd), OC_CAPS_WISH_NARROW);
	CU_ASSERT_EQUAL(oc_caps_wish_for(&caps, false, true, &is_odd), OC_CAPS_WISH_PLAIN);
	caps = vector(0x11);
	CU_ASSERT_EQUAL(oc_caps_wish_for(&caps, true, true, &is_odd), OC_CAPS_WISH_KEEP);
	CU_ASSERT_FALSE(is_odd);
	caps = vector(0);
	CU_ASSERT_EQUAL(oc_caps_wish_for(&caps, true, false, &is_odd), OC_CAPS_WISH_PLAIN);
	CU_ASSERT_TRUE(is_odd);
}

static void test_oc_caps_narrow_keeps_everything_else(void)
{
	CU_ASSERT_EQUAL(oc_caps_narrow(0x4), 0x1);
	CU_ASSERT_EQUAL(oc_caps_narrow(0x15), 0x11);
	CU_ASSERT_EQUAL(oc_caps_narrow(0x8000000000000005ull), 0x8000000000000001ull);
}

void test_oc_caps_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_caps", NULL, NULL);
	CU_add_test(suite, "D-023 D-028 D-029 algorithm_follows_the_answer",
		    test_oc_caps_algorithm_follows_the_answer);
	CU_add_test(suite, "D-026 no_vector_means_loss", test_oc_caps_no_vector_means_loss);
	CU_add_test(suite, "D-014 D-037 D-038 are_passed_on_unless_we_must_react",
		    test_oc_caps_are_passed_on_unless_we_must_react);
	CU_add_test(suite, "D-011 narrow_keeps_everything_else", test_oc_caps_narrow_keeps_everything_else);
}
