/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of other nodes' load: what is remembered and for how long, weights, slow start, the weighted pick.
 */
#include <CUnit/CUnit.h>

#include "agent/balance/oc_load.h"
#include "help_chi.h"
#include "help_core.h"

void test_oc_load_suite(void);

#define NODE 7u
#define OTHER 8u
#define START (1000 * SECOND)
#define PICKS 100000u

static struct oc_load_policy policy_of_load(void)
{
	struct oc_policy policy;

	oc_policy_init(&policy);
	return policy.load;
}

static uint32_t weight_at(const struct oc_loads *loads, uint32_t node, uint64_t now_ns)
{
	struct oc_load_policy policy = policy_of_load();
	bool is_known;

	return oc_loads_weight(loads, &policy, node, now_ns, &is_known);
}

static void test_oc_load_news_is_what_differs(void)
{
	struct oc_load_policy policy = policy_of_load();
	struct oc_loads *loads = oc_loads_new(4);

	CU_ASSERT_TRUE(oc_loads_note(loads, &policy, NODE, OC_LOAD_HOST, 0, START));
	CU_ASSERT_FALSE(oc_loads_note(loads, &policy, NODE, OC_LOAD_HOST, 0, START + SECOND / 2));
	CU_ASSERT_TRUE(oc_loads_note(loads, &policy, NODE, OC_LOAD_HOST, 1, START + SECOND));
	/* The two types are two values of one node. */
	CU_ASSERT_TRUE(oc_loads_note(loads, &policy, NODE, OC_LOAD_PEER, 1, START + SECOND));
	CU_ASSERT_TRUE(oc_loads_note(loads, &policy, OTHER, OC_LOAD_HOST, 1, START + SECOND));
	oc_loads_free(loads);
}

static void test_oc_load_values_outside_the_range_are_discarded(void)
{
	struct oc_load_policy policy = policy_of_load();
	struct oc_loads *loads = oc_loads_new(4);

	CU_ASSERT_TRUE(oc_loads_note(loads, &policy, NODE, OC_LOAD_HOST, OC_LOAD_IDLE, START));
	CU_ASSERT_FALSE(oc_loads_note(loads, &policy, NODE, OC_LOAD_HOST, OC_LOAD_IDLE + 1, START));
	CU_ASSERT_EQUAL(oc_loads_value(loads, &policy, NODE, OC_LOAD_HOST, START), 65535);
	CU_ASSERT_FALSE(oc_loads_note(loads, &policy, OTHER, OC_LOAD_HOST, UINT32_MAX, START));
	CU_ASSERT_EQUAL(oc_loads_value(loads, &policy, OTHER, OC_LOAD_HOST, START), -1);
	oc_loads_free(loads);
}

static void test_oc_load_values_age(void)
{
	struct oc_load_policy policy = policy_of_load();
	struct oc_loads *loads = oc_loads_new(4);
	uint64_t end = START + policy.max_age_ms * MS;

	oc_loads_note(loads, &policy, NODE, OC_LOAD_HOST, 0, START);
	CU_ASSERT_EQUAL(oc_loads_value(loads, &policy, NODE, OC_LOAD_HOST, START - 1), 0);
	CU_ASSERT_EQUAL(oc_loads_value(loads, &policy, NODE, OC_LOAD_HOST, end - 1), 0);
	CU_ASSERT_EQUAL(oc_loads_value(loads, &policy, NODE, OC_LOAD_HOST, end), -1);
	CU_ASSERT_EQUAL(oc_loads_value(loads, &policy, NODE, OC_LOAD_PEER, START), -1);
	CU_ASSERT_EQUAL(weight_at(loads, NODE, end - 1), 0);
	CU_ASSERT_EQUAL(weight_at(loads, NODE, end), policy.neutral);
	/* The same value again renews it. */
	oc_loads_note(loads, &policy, NODE, OC_LOAD_HOST, 0, end - 1);
	CU_ASSERT_EQUAL(oc_loads_value(loads, &policy, NODE, OC_LOAD_HOST, end), 0);
	oc_loads_free(loads);
}

static void test_oc_load_weight_is_peer_then_host_then_neutral(void)
{
	struct oc_load_policy policy = policy_of_load();
	struct oc_loads *loads = oc_loads_new(4);
	bool is_known = true;

	CU_ASSERT_EQUAL(oc_loads_weight(loads, &policy, NODE, START, &is_known), policy.neutral);
	CU_ASSERT_FALSE(is_known);
	/* A server that is a neighbour sends HOST only. */
	oc_loads_note(loads, &policy, NODE, OC_LOAD_HOST, 111, START);
	CU_ASSERT_EQUAL(oc_loads_weight(loads, &policy, NODE, START, &is_known), 111);
	CU_ASSERT_TRUE(is_known);
	oc_loads_note(loads, &policy, NODE, OC_LOAD_PEER, 0, START - SECOND);
	CU_ASSERT_EQUAL(oc_loads_weight(loads, &policy, NODE, START, &is_known), 0);
	CU_ASSERT_TRUE(is_known);
	/* The PEER value grows old first. */
	uint64_t later_ns = START + policy.max_age_ms * MS - SECOND;
	CU_ASSERT_EQUAL(oc_loads_weight(loads, &policy, NODE, later_ns, &is_known), 111);
	CU_ASSERT_EQUAL(oc_loads_weight(loads, &policy, OTHER, START, &is_known), policy.neutral);
	CU_ASSERT_FALSE(is_known);
	oc_loads_free(loads);
}

static void test_oc_load_a_full_table_forgets_nobody(void)
{
	struct oc_load_policy policy = policy_of_load();
	struct oc_loads *loads = oc_loads_new(300);

	for (uint32_t node = 2; node < 302; node++)
		CU_ASSERT_TRUE(oc_loads_note(loads, &policy, node * 64, OC_LOAD_PEER, node, START));
	CU_ASSERT_FALSE(oc_loads_note(loads, &policy, 5, OC_LOAD_PEER, 5, START));
	oc_loads_on_up(loads, 5, START);
	CU_ASSERT_EQUAL(weight_at(loads, 5, START), policy.neutral);
	for (uint32_t node = 2; node < 302; node++)
		CU_ASSERT_EQUAL(oc_loads_value(loads, &policy, node * 64, OC_LOAD_PEER, START),
				(int32_t)node);
	oc_loads_free(loads);
}

static void test_oc_load_odd_sizes_and_numbers_that_name_nobody(void)
{
	struct oc_load_policy policy = policy_of_load();
	struct oc_loads *loads = oc_loads_new(0);

	CU_ASSERT_FALSE(oc_loads_note(loads, &policy, NODE, OC_LOAD_PEER, 1, START));
	oc_loads_free(loads);
	oc_loads_free(NULL);
	CU_ASSERT_PTR_NULL(oc_loads_new(UINT32_MAX));
	loads = oc_loads_new(4);
	for (uint32_t id = OC_NAME_NONE; id <= OC_NAME_OVERFLOW; id++) {
		CU_ASSERT_FALSE(oc_loads_note(loads, &policy, id, OC_LOAD_PEER, 1, START));
		oc_loads_on_up(loads, id, START);
		CU_ASSERT_EQUAL(oc_loads_value(loads, &policy, id, OC_LOAD_PEER, START), -1);
		CU_ASSERT_EQUAL(weight_at(loads, id, START), policy.neutral);
	}
	oc_loads_free(loads);
}

static void test_oc_load_slow_start_is_a_line_from_a_sixteenth(void)
{
	struct oc_load_policy policy = policy_of_load();
	struct oc_loads *loads = oc_loads_new(4);
	uint64_t whole_ns = policy.slow_start_ms * MS;

	/* Nobody saw it come up: it was there before the agent. */
	oc_loads_note(loads, &policy, NODE, OC_LOAD_PEER, 64000, START);
	CU_ASSERT_EQUAL(weight_at(loads, NODE, START), 64000);
	oc_loads_on_up(loads, NODE, START);
	CU_ASSERT_EQUAL(weight_at(loads, NODE, START - 1), 4000);
	CU_ASSERT_EQUAL(weight_at(loads, NODE, START), 4000);
	CU_ASSERT_EQUAL(weight_at(loads, NODE, START + whole_ns / 4), 4000 + 15000);
	CU_ASSERT_EQUAL(weight_at(loads, NODE, START + whole_ns / 2), 4000 + 30000);
	CU_ASSERT_EQUAL(weight_at(loads, NODE, START + whole_ns), 64000);
	/* Every time it comes up; a neutral weight rises as well; one that is not zero does not become it. */
	oc_loads_on_up(loads, NODE, START + whole_ns);
	CU_ASSERT_EQUAL(weight_at(loads, NODE, START + whole_ns), 4000);
	oc_loads_on_up(loads, OTHER, START);
	CU_ASSERT_EQUAL(weight_at(loads, OTHER, START), policy.neutral / 16);
	oc_loads_note(loads, &policy, OTHER, OC_LOAD_PEER, 1, START);
	CU_ASSERT_EQUAL(weight_at(loads, OTHER, START), 1);
	oc_loads_note(loads, &policy, OTHER, OC_LOAD_PEER, 0, START);
	CU_ASSERT_EQUAL(weight_at(loads, OTHER, START), 0);
	oc_loads_free(loads);
}

static void test_oc_load_slow_start_of_any_length(void)
{
	struct oc_load_policy policy = policy_of_load();
	struct oc_loads *loads = oc_loads_new(4);
	bool is_known;

	oc_loads_note(loads, &policy, NODE, OC_LOAD_PEER, OC_LOAD_IDLE, START);
	oc_loads_on_up(loads, NODE, START);
	policy.slow_start_ms = 0;
	CU_ASSERT_EQUAL(oc_loads_weight(loads, &policy, NODE, START, &is_known), OC_LOAD_IDLE);
	policy.slow_start_ms = policy.max_age_ms = UINT32_MAX;
	uint64_t last_ns = START + UINT32_MAX * MS - 1;
	CU_ASSERT_EQUAL(oc_loads_weight(loads, &policy, NODE, START, &is_known), 4096);
	CU_ASSERT_EQUAL(oc_loads_weight(loads, &policy, NODE, last_ns, &is_known), OC_LOAD_IDLE);
	oc_loads_free(loads);
}

/* A new, idle node beside two idle ones gets in its first second far less than a third, and a third in the end. */
static void test_oc_load_slow_start_keeps_the_share_small(void)
{
	struct oc_load_policy policy = policy_of_load();
	static const double full[] = { PICKS / 3.0, PICKS / 3.0, PICKS / 3.0 };
	struct oc_loads *loads = oc_loads_new(4);
	uint64_t chance = 22;
	uint32_t first[3] = { 0 };
	uint32_t settled[3] = { 0 };

	for (uint32_t i = 0; i < 3; i++)
		oc_loads_note(loads, &policy, NODE + i, OC_LOAD_PEER, OC_LOAD_IDLE, START);
	oc_loads_on_up(loads, NODE, START);
	for (uint32_t n = 0; n < PICKS; n++) {
		uint32_t weights[3];
		for (uint32_t i = 0; i < 3; i++)
			weights[i] = weight_at(loads, NODE + i, START + n * (SECOND / PICKS));
		first[oc_load_pick(weights, 3, help_random(&chance))]++;
		for (uint32_t i = 0; i < 3; i++)
			weights[i] = weight_at(loads, NODE + i, START + 10 * SECOND + n);
		settled[oc_load_pick(weights, 3, help_random(&chance))]++;
	}
	/* The weight goes from 1/16 to 5/32 in that second: the share is the mean of w / (2 + w), 5.2 %. */
	CU_ASSERT_DOUBLE_EQUAL(first[0] / (double)PICKS, 0.0517, 0.004);
	CU_ASSERT_TRUE(help_chi_fits(settled, full, 3));
	oc_loads_free(loads);
}

/* Picks PICKS times and asks whether the counts fit weight / (sum + 1), the share of RFC 2782. Weights below 5 in 1e5 are
 * left to test_oc_load_pick_by_every_number_drawn. */
static bool fits_weights(const uint32_t *weights, uint32_t count, uint64_t *chance)
{
	uint32_t hits[8] = { 0 };
	double expected[8];
	double sum = 0;

	for (uint32_t i = 0; i < count; i++)
		sum += weights[i];
	for (uint32_t i = 0; i < count; i++)
		expected[i] = PICKS * (weights[i] + 1.0 / count) / (sum + 1);
	for (uint32_t n = 0; n < PICKS; n++)
		hits[oc_load_pick(weights, count, help_random(chance))]++;
	return help_chi_fits(hits, expected, count);
}

static void test_oc_load_pick_of_a_zero_among_others(void)
{
	static const uint32_t weights[] = { 65535, 32768, 0 };
	static const double expected[] = { PICKS * 65535.0 / 98303, PICKS * 32768.0 / 98303 };
	uint64_t chance = 19;
	uint32_t hits[3] = { 0 };

	for (uint32_t n = 0; n < PICKS; n++)
		hits[oc_load_pick(weights, 3, help_random(&chance))]++;
	CU_ASSERT_TRUE(help_chi_fits(hits, expected, 2));
	/* One hit is expected; nine or more happen once in a million. */
	CU_ASSERT(hits[2] < 9);
}

static void test_oc_load_pick_fits_random_weights(void)
{
	uint64_t chance = 1919;
	uint32_t misfits = 0;

	for (uint32_t set = 0; set < 40; set++) {
		uint32_t weights[8];
		uint32_t count = 2 + (uint32_t)(help_random(&chance) % 7);
		for (uint32_t i = 0; i < count; i++)
			weights[i] = 64 + (uint32_t)(help_random(&chance) % (OC_LOAD_IDLE - 63));
		misfits += !fits_weights(weights, count, &chance);
	}
	CU_ASSERT_EQUAL(misfits, 0);
}

static void test_oc_load_pick_of_equals_is_even(void)
{
	static const uint32_t sets[][4] = {
		{ 0, 0, 0, 0 }, { 1, 1, 1, 1 }, { 65535, 65535, 65535, 65535 }, { 32768, 32768, 32768, 32768 }
	};
	static const uint32_t big[] = { UINT32_MAX, UINT32_MAX, UINT32_MAX };
	uint64_t chance = 4;

	for (uint32_t set = 0; set < 4; set++)
		CU_ASSERT_TRUE(fits_weights(sets[set], 4, &chance));
	CU_ASSERT_TRUE(fits_weights(big, 3, &chance));
}

/* Every number that can be drawn, once for each order of the equals: shares without any chance in them. */
static void test_oc_load_pick_by_every_number_drawn(void)
{
	static const uint32_t weights[] = { 0, 3, 0, 2, 0, 1 };
	uint32_t hits[6] = { 0 };

	for (uint64_t random = 0; random < 3 * 7; random++)
		hits[oc_load_pick(weights, 6, random)]++;
	for (uint32_t i = 0; i < 6; i++)
		CU_ASSERT_EQUAL(hits[i], weights[i] != 0 ? 3 * weights[i] : 1);
}

static void test_oc_load_pick_of_one_is_that_one(void)
{
	static const uint32_t weights[] = { 0, 1, OC_LOAD_IDLE, UINT32_MAX };
	uint64_t chance = 1;

	for (uint32_t i = 0; i < 4; i++)
		for (uint32_t n = 0; n < 100; n++)
			CU_ASSERT_EQUAL(oc_load_pick(&weights[i], 1, help_random(&chance)), 0);
	CU_ASSERT_EQUAL(oc_load_pick(&weights[3], 1, 0), 0);
	CU_ASSERT_EQUAL(oc_load_pick(&weights[3], 1, UINT64_MAX), 0);
}

void test_oc_load_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_load", NULL, NULL);
	CU_add_test(suite, "L-12 news_is_what_differs", test_oc_load_news_is_what_differs);
	CU_add_test(suite, "L-20 values_outside_the_range_are_discarded",
		    test_oc_load_values_outside_the_range_are_discarded);
	CU_add_test(suite, "L-12 values_age", test_oc_load_values_age);
	CU_add_test(suite, "L-12 L-15 weight_is_peer_then_host_then_neutral",
		    test_oc_load_weight_is_peer_then_host_then_neutral);
	CU_add_test(suite, "a_full_table_forgets_nobody", test_oc_load_a_full_table_forgets_nobody);
	CU_add_test(suite, "odd_sizes_and_numbers_that_name_nobody",
		    test_oc_load_odd_sizes_and_numbers_that_name_nobody);
	CU_add_test(suite, "L-22 slow_start_is_a_line_from_a_sixteenth",
		    test_oc_load_slow_start_is_a_line_from_a_sixteenth);
	CU_add_test(suite, "L-22 slow_start_of_any_length", test_oc_load_slow_start_of_any_length);
	CU_add_test(suite, "L-22 slow_start_keeps_the_share_small",
		    test_oc_load_slow_start_keeps_the_share_small);
	CU_add_test(suite, "L-19 L-20 pick_of_a_zero_among_others", test_oc_load_pick_of_a_zero_among_others);
	CU_add_test(suite, "L-19 pick_fits_random_weights", test_oc_load_pick_fits_random_weights);
	CU_add_test(suite, "L-19 pick_of_equals_is_even", test_oc_load_pick_of_equals_is_even);
	CU_add_test(suite, "L-19 L-20 pick_by_every_number_drawn", test_oc_load_pick_by_every_number_drawn);
	CU_add_test(suite, "pick_of_one_is_that_one", test_oc_load_pick_of_one_is_that_one);
}
