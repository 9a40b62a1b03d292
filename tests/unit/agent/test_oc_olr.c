/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the judgement on single reports.
 */
#include <CUnit/CUnit.h>

#include "agent/doic/oc_olr.h"

void test_oc_olr_suite(void);

static struct oc_olr loss_olr(uint64_t sequence, uint32_t pct, uint32_t validity_s)
{
	return (struct oc_olr){ .sequence = sequence,
				.type = OC_REPORT_HOST,
				.reduction_pct = pct,
				.validity_s = validity_s,
				.has = OC_OLR_HAS_SEQUENCE | OC_OLR_HAS_TYPE | OC_OLR_HAS_REDUCTION |
				       OC_OLR_HAS_VALIDITY };
}

static void test_oc_olr_newer_is_greater_or_wrapped(void)
{
	CU_ASSERT_TRUE(oc_olr_is_newer(5, 6));
	CU_ASSERT_FALSE(oc_olr_is_newer(5, 5));
	CU_ASSERT_FALSE(oc_olr_is_newer(6, 5));
	CU_ASSERT_TRUE(oc_olr_is_newer(0, UINT64_MAX));
	CU_ASSERT_TRUE(oc_olr_is_newer(INT64_MAX, (uint64_t)INT64_MAX + 1));
	CU_ASSERT_TRUE(oc_olr_is_newer(UINT32_MAX, (uint64_t)UINT32_MAX + 1));
}

static void test_oc_olr_wraps_within_one_percent(void)
{
	CU_ASSERT_TRUE(oc_olr_is_newer(UINT64_MAX, 0));
	CU_ASSERT_TRUE(oc_olr_is_newer(18262276632972456099ull, 184467440737095516ull));
	CU_ASSERT_FALSE(oc_olr_is_newer(18262276632972456098ull, 0));
	CU_ASSERT_FALSE(oc_olr_is_newer(UINT64_MAX, 184467440737095517ull));
	CU_ASSERT_FALSE(oc_olr_is_newer(UINT64_MAX, UINT64_MAX));
}

static void test_oc_olr_validity_defaults_to_thirty(void)
{
	struct oc_olr olr = loss_olr(1, 10, 86400);

	CU_ASSERT_EQUAL(oc_olr_validity_s(&olr), 86400);
	olr.validity_s = 86401;
	CU_ASSERT_EQUAL(oc_olr_validity_s(&olr), 30);
	olr.validity_s = UINT32_MAX;
	CU_ASSERT_EQUAL(oc_olr_validity_s(&olr), 30);
	olr.validity_s = 0;
	CU_ASSERT_EQUAL(oc_olr_validity_s(&olr), 0);
	olr.has &= (uint8_t)~OC_OLR_HAS_VALIDITY;
	CU_ASSERT_EQUAL(oc_olr_validity_s(&olr), 30);
}

static void test_oc_olr_percentage_is_judged_not_clamped(void)
{
	struct oc_olr olr = loss_olr(1, 100, 60);
	struct oc_olr_value value = { 0 };

	CU_ASSERT_EQUAL(oc_olr_value_from(&olr, OC_ALGO_LOSS, &value), OC_REASON_NONE);
	CU_ASSERT_EQUAL(value.reduction_pct, 100);
	olr.reduction_pct = 101;
	CU_ASSERT_EQUAL(oc_olr_value_from(&olr, OC_ALGO_LOSS, &value), OC_REASON_PERCENTAGE_RANGE);
	CU_ASSERT_EQUAL(value.reduction_pct, 100);
	olr.has &= (uint8_t)~OC_OLR_HAS_REDUCTION;
	CU_ASSERT_EQUAL(oc_olr_value_from(&olr, OC_ALGO_LOSS, &value), OC_REASON_PERCENTAGE_MISSING);
	olr.validity_s = 0;
	CU_ASSERT_EQUAL(oc_olr_value_from(&olr, OC_ALGO_LOSS, &value), OC_REASON_NONE);
	CU_ASSERT_EQUAL(value.validity_s, 0);
	CU_ASSERT_EQUAL(value.reduction_pct, 0);
	CU_ASSERT_EQUAL(oc_olr_value_from(&olr, OC_ALGO_NONE, &value), OC_REASON_ALGORITHM);
}

static void test_oc_olr_form_names_what_is_wrong(void)
{
	struct oc_olr olr = loss_olr(1, 10, 60);

	for (uint32_t type = OC_REPORT_HOST; type < OC_REPORT_COUNT; type++) {
		olr.type = type;
		CU_ASSERT_EQUAL(oc_olr_check_form(&olr), OC_REASON_NONE);
	}
	olr.type = OC_REPORT_COUNT;
	CU_ASSERT_EQUAL(oc_olr_check_form(&olr), OC_REASON_TYPE_UNSUPPORTED);
	olr.type = UINT32_MAX;
	CU_ASSERT_EQUAL(oc_olr_check_form(&olr), OC_REASON_TYPE_UNSUPPORTED);
	olr.has &= (uint8_t)~OC_OLR_HAS_TYPE;
	CU_ASSERT_EQUAL(oc_olr_check_form(&olr), OC_REASON_INCOMPLETE);
	olr = loss_olr(1, 10, 60);
	olr.has &= (uint8_t)~OC_OLR_HAS_SEQUENCE;
	CU_ASSERT_EQUAL(oc_olr_check_form(&olr), OC_REASON_INCOMPLETE);
	olr.has |= OC_OLR_MALFORMED;
	CU_ASSERT_EQUAL(oc_olr_check_form(&olr), OC_REASON_MALFORMED);
}

static struct oc_olr rate_olr(uint32_t rps, uint32_t validity_s)
{
	struct oc_olr olr = loss_olr(1, 0, validity_s);

	olr.rate_rps = rps;
	olr.has = OC_OLR_HAS_SEQUENCE | OC_OLR_HAS_TYPE | OC_OLR_HAS_RATE | OC_OLR_HAS_VALIDITY;
	return olr;
}

static void test_oc_olr_rate_is_taken_for_every_report_type(void)
{
	for (uint32_t type = OC_REPORT_HOST; type < OC_REPORT_COUNT; type++) {
		struct oc_olr olr = rate_olr(UINT32_MAX, 60);
		struct oc_olr_value value = { 0 };
		olr.type = type;
		CU_ASSERT_EQUAL(oc_olr_check_form(&olr), OC_REASON_NONE);
		CU_ASSERT_EQUAL(oc_olr_value_from(&olr, OC_ALGO_RATE, &value), OC_REASON_NONE);
		CU_ASSERT_EQUAL(value.algorithm, OC_ALGO_RATE);
		CU_ASSERT_EQUAL(value.rate_rps, UINT32_MAX);
		CU_ASSERT_EQUAL(value.type, type);
		CU_ASSERT_EQUAL(value.validity_s, 60);
	}
}

static void test_oc_olr_rate_missing_is_good_only_in_an_end(void)
{
	struct oc_olr olr = rate_olr(10, 60);
	struct oc_olr_value value = { 0 };

	olr.has &= (uint8_t)~OC_OLR_HAS_RATE;
	CU_ASSERT_EQUAL(oc_olr_value_from(&olr, OC_ALGO_RATE, &value), OC_REASON_RATE_MISSING);
	olr.has |= OC_OLR_HAS_REDUCTION;
	CU_ASSERT_EQUAL(oc_olr_value_from(&olr, OC_ALGO_RATE, &value), OC_REASON_RATE_MISSING);
	CU_ASSERT_EQUAL(value.sequence, 0);
	olr.validity_s = 0;
	CU_ASSERT_EQUAL(oc_olr_value_from(&olr, OC_ALGO_RATE, &value), OC_REASON_NONE);
	CU_ASSERT_EQUAL(value.rate_rps, 0);
	CU_ASSERT_EQUAL(value.validity_s, 0);
}

static void test_oc_olr_the_other_algorithms_value_is_ignored(void)
{
	struct oc_olr olr = rate_olr(10, 60);
	struct oc_olr_value value = { 0 };

	olr.has |= OC_OLR_HAS_REDUCTION;
	olr.reduction_pct = 400; /* not even looked at */
	CU_ASSERT_EQUAL(oc_olr_value_from(&olr, OC_ALGO_RATE, &value), OC_REASON_NONE);
	CU_ASSERT_EQUAL(value.rate_rps, 10);
	CU_ASSERT_EQUAL(value.reduction_pct, 0);
	olr.reduction_pct = 40;
	CU_ASSERT_EQUAL(oc_olr_value_from(&olr, OC_ALGO_LOSS, &value), OC_REASON_NONE);
	CU_ASSERT_EQUAL(value.reduction_pct, 40);
	CU_ASSERT_EQUAL(value.rate_rps, 0);
}

static void test_oc_olr_specific_reductions_stand_in_for_the_general_one(void)
{
	struct oc_olr olr = loss_olr(1, 0, 60);
	struct oc_olr_value value = { .reduction_pct = 99 };

	olr.has &= (uint8_t)~OC_OLR_HAS_REDUCTION;
	CU_ASSERT_EQUAL(oc_olr_value_from(&olr, OC_ALGO_LOSS, &value), OC_REASON_PERCENTAGE_MISSING);
	CU_ASSERT_EQUAL(oc_olr_value_with_specific(&olr, OC_ALGO_LOSS, &value), OC_REASON_NONE);
	CU_ASSERT_EQUAL(value.reduction_pct, 0);
	CU_ASSERT_EQUAL(oc_olr_value_with_specific(&olr, OC_ALGO_RATE, &value), OC_REASON_RATE_MISSING);
	olr.has |= OC_OLR_HAS_REDUCTION;
	olr.reduction_pct = 101;
	CU_ASSERT_EQUAL(oc_olr_value_with_specific(&olr, OC_ALGO_LOSS, &value), OC_REASON_PERCENTAGE_RANGE);
}

void test_oc_olr_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_olr", NULL, NULL);
	CU_add_test(suite, "D-059 D-060 newer_is_greater_or_wrapped",
		    test_oc_olr_newer_is_greater_or_wrapped);
	CU_add_test(suite, "D-061 wraps_within_one_percent", test_oc_olr_wraps_within_one_percent);
	CU_add_test(suite, "D-080 D-081 validity_defaults_to_thirty",
		    test_oc_olr_validity_defaults_to_thirty);
	CU_add_test(suite, "D-260 D-261 percentage_is_judged_not_clamped",
		    test_oc_olr_percentage_is_judged_not_clamped);
	CU_add_test(suite, "D-072 D-262 D-263 form_names_what_is_wrong",
		    test_oc_olr_form_names_what_is_wrong);
	CU_add_test(suite, "R-1 R-13 rate_is_taken_for_every_report_type",
		    test_oc_olr_rate_is_taken_for_every_report_type);
	CU_add_test(suite, "R-10 rate_missing_is_good_only_in_an_end",
		    test_oc_olr_rate_missing_is_good_only_in_an_end);
	CU_add_test(suite, "the_other_algorithms_value_is_ignored",
		    test_oc_olr_the_other_algorithms_value_is_ignored);
	CU_add_test(suite, "specific_reductions_stand_in_for_the_general_one",
		    test_oc_olr_specific_reductions_stand_in_for_the_general_one);
}
