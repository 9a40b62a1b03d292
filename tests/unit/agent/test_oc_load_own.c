/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of our own load: what is measured, and which neighbour is told when.
 */
#include <CUnit/CUnit.h>

#include "agent/balance/oc_load_own.h"
#include "help_core.h"

void test_oc_load_own_suite(void);

#define PEER 7u
#define OTHER 8u
#define START (1000 * SECOND)

static struct oc_load_policy policy_with(enum oc_load_send send, uint32_t capacity_rps)
{
	struct oc_policy policy;

	oc_policy_init(&policy);
	policy.load.send = send;
	policy.load.capacity_rps = capacity_rps;
	return policy.load;
}

/* @rps requests, evenly, for each of @seconds from @start_ns on. */
static void offer(struct oc_load_own *own, uint32_t rps, uint32_t seconds, uint64_t start_ns)
{
	for (uint32_t i = 0; i < rps * seconds; i++)
		oc_load_own_count(own, start_ns + i * (SECOND / rps));
}

static bool tells(struct oc_load_own *own, const struct oc_load_policy *policy, uint32_t peer,
		  uint64_t now_ns)
{
	uint32_t value = 0;

	return oc_load_own_tell(own, policy, peer, now_ns, &value);
}

/* Value after @rps for some seconds, at any moment within a window. */
static void assert_value(uint32_t rps, uint32_t capacity_rps, uint32_t expected)
{
	struct oc_load_policy policy = policy_with(OC_LOAD_SEND_CHANGE, capacity_rps);

	for (uint64_t into_ns = 0; into_ns < 2 * SECOND; into_ns += 333 * MS) {
		struct oc_load_own *own = oc_load_own_new(4);
		offer(own, rps, 7, START + into_ns);
		double value = oc_load_own_value(own, &policy, START + into_ns + 7 * SECOND);
		CU_ASSERT_DOUBLE_EQUAL(value, expected, 65535.0 / capacity_rps + 1);
		oc_load_own_free(own);
	}
}

static void test_oc_load_own_value_is_the_free_share(void)
{
	assert_value(1, 1000, 65469);
	assert_value(250, 1000, 49151);
	assert_value(500, 1000, 32768);
	assert_value(999, 1000, 66);
	assert_value(1000, 1000, 0);
	assert_value(3000, 1000, 0);
}

/* The same value means the same free share on a node of any size. */
static void test_oc_load_own_value_does_not_depend_on_size(void)
{
	for (uint32_t size = 10; size <= 10000; size *= 10)
		assert_value(size * 3 / 10, size, 45875);
}

static void test_oc_load_own_without_capacity_is_idle(void)
{
	struct oc_load_policy policy = policy_with(OC_LOAD_SEND_CHANGE, 0);
	struct oc_load_own *own = oc_load_own_new(4);

	offer(own, 5000, 3, START);
	CU_ASSERT_EQUAL(oc_load_own_value(own, &policy, START + 3 * SECOND), OC_LOAD_IDLE);
	policy.capacity_rps = UINT32_MAX;
	CU_ASSERT(oc_load_own_value(own, &policy, START + 3 * SECOND) >= OC_LOAD_IDLE - 1);
	oc_load_own_free(own);
}

static void test_oc_load_own_measures_the_last_two_seconds(void)
{
	struct oc_load_policy policy = policy_with(OC_LOAD_SEND_CHANGE, 1000);
	struct oc_load_own *own = oc_load_own_new(4);
	uint64_t end = START + 4 * SECOND;

	CU_ASSERT_EQUAL(oc_load_own_value(own, &policy, START), OC_LOAD_IDLE);
	offer(own, 1000, 4, START);
	CU_ASSERT_EQUAL(oc_load_own_value(own, &policy, end), 0);
	CU_ASSERT_EQUAL(oc_load_own_value(own, &policy, end + SECOND), 32767);
	/* A clock reading from before this window changes nothing. */
	CU_ASSERT_EQUAL(oc_load_own_value(own, &policy, START), 0);
	CU_ASSERT_EQUAL(oc_load_own_value(own, &policy, end + 2 * SECOND), OC_LOAD_IDLE);
	offer(own, 1000, 2, end + 2 * SECOND);
	/* After a long silence nothing is left of what came before it. */
	CU_ASSERT_EQUAL(oc_load_own_value(own, &policy, end + 3600 * SECOND), OC_LOAD_IDLE);
	oc_load_own_free(own);
}

static void test_oc_load_own_may_be_set_by_hand(void)
{
	struct oc_load_policy policy = policy_with(OC_LOAD_SEND_CHANGE, 1000);
	struct oc_load_own *own = oc_load_own_new(4);
	uint32_t value = 0;

	offer(own, 500, 4, START);
	oc_load_own_set(own, 0);
	CU_ASSERT_EQUAL(oc_load_own_value(own, &policy, START + 4 * SECOND), 0);
	oc_load_own_set(own, OC_LOAD_IDLE);
	CU_ASSERT_TRUE(oc_load_own_tell(own, &policy, PEER, START + 4 * SECOND, &value));
	CU_ASSERT_EQUAL(value, OC_LOAD_IDLE);
	/* Measurement went on meanwhile. */
	oc_load_own_set(own, OC_LOAD_IDLE + 1);
	CU_ASSERT_EQUAL(oc_load_own_value(own, &policy, START + 4 * SECOND), 32767);
	oc_load_own_free(own);
}

static void test_oc_load_own_modes_off_and_always(void)
{
	struct oc_load_policy off = policy_with(OC_LOAD_SEND_OFF, 1000);
	struct oc_load_policy always = policy_with(OC_LOAD_SEND_ALWAYS, 1000);
	struct oc_load_own *own = oc_load_own_new(4);
	uint32_t value = 77;

	CU_ASSERT_FALSE(oc_load_own_tell(own, &off, PEER, START, &value));
	CU_ASSERT_EQUAL(value, 77);
	for (uint32_t i = 0; i < 3; i++) {
		value = 77;
		CU_ASSERT_TRUE(oc_load_own_tell(own, &always, PEER, START, &value));
		CU_ASSERT_EQUAL(value, OC_LOAD_IDLE);
	}
	oc_load_own_free(own);
}

static void test_oc_load_own_each_peer_hears_of_a_change_once(void)
{
	struct oc_load_policy policy = policy_with(OC_LOAD_SEND_CHANGE, 1000);
	struct oc_load_own *own = oc_load_own_new(4);
	uint32_t value = 0;

	oc_load_own_set(own, 30000);
	CU_ASSERT_TRUE(oc_load_own_tell(own, &policy, PEER, START, &value));
	CU_ASSERT_EQUAL(value, 30000);
	CU_ASSERT_FALSE(tells(own, &policy, PEER, START));
	CU_ASSERT_TRUE(tells(own, &policy, OTHER, START));
	/* Down and up: below change_min is no news, measured from what was told. */
	oc_load_own_set(own, 30000 - policy.change_min + 1);
	CU_ASSERT_FALSE(tells(own, &policy, PEER, START));
	oc_load_own_set(own, 30000 - policy.change_min);
	CU_ASSERT_TRUE(tells(own, &policy, PEER, START));
	oc_load_own_set(own, 30000 + policy.change_min);
	CU_ASSERT_TRUE(tells(own, &policy, OTHER, START));
	CU_ASSERT_TRUE(tells(own, &policy, PEER, START));
	CU_ASSERT_FALSE(tells(own, &policy, PEER, START));
	CU_ASSERT_FALSE(tells(own, &policy, OTHER, START));
	policy.change_min = 0;
	CU_ASSERT_FALSE(tells(own, &policy, PEER, START));
	oc_load_own_set(own, 30001 + policy_with(OC_LOAD_SEND_CHANGE, 0).change_min);
	CU_ASSERT_TRUE(tells(own, &policy, PEER, START));
	oc_load_own_free(own);
}

static void test_oc_load_own_a_peer_that_comes_back_is_told_again(void)
{
	struct oc_load_policy policy = policy_with(OC_LOAD_SEND_CHANGE, 0);
	struct oc_load_own *own = oc_load_own_new(4);

	oc_load_own_on_up(own, PEER);
	CU_ASSERT_TRUE(tells(own, &policy, PEER, START));
	CU_ASSERT_TRUE(tells(own, &policy, OTHER, START));
	CU_ASSERT_FALSE(tells(own, &policy, PEER, START));
	oc_load_own_on_up(own, PEER);
	CU_ASSERT_TRUE(tells(own, &policy, PEER, START));
	CU_ASSERT_FALSE(tells(own, &policy, PEER, START));
	CU_ASSERT_FALSE(tells(own, &policy, OTHER, START));
	oc_load_own_free(own);
}

static void test_oc_load_own_nobody_forgets_it_from_age(void)
{
	struct oc_load_policy policy = policy_with(OC_LOAD_SEND_CHANGE, 0);
	struct oc_load_own *own = oc_load_own_new(4);
	uint64_t half_ns = policy.max_age_ms * MS / 2;

	CU_ASSERT_TRUE(tells(own, &policy, PEER, START));
	CU_ASSERT_FALSE(tells(own, &policy, PEER, START - SECOND));
	CU_ASSERT_FALSE(tells(own, &policy, PEER, START + half_ns - 1));
	CU_ASSERT_TRUE(tells(own, &policy, PEER, START + half_ns));
	CU_ASSERT_FALSE(tells(own, &policy, PEER, START + half_ns + 1));
	oc_load_own_free(own);
}

static void test_oc_load_own_peers_beyond_the_table_hear_it_every_time(void)
{
	struct oc_load_policy policy = policy_with(OC_LOAD_SEND_CHANGE, 0);
	struct oc_load_own *own = oc_load_own_new(1);

	CU_ASSERT_TRUE(tells(own, &policy, PEER, START));
	for (uint32_t i = 0; i < 3; i++) {
		CU_ASSERT_TRUE(tells(own, &policy, OTHER, START));
		CU_ASSERT_TRUE(tells(own, &policy, OC_NAME_OVERFLOW, START));
		CU_ASSERT_FALSE(tells(own, &policy, PEER, START));
	}
	oc_load_own_on_up(own, OTHER);
	oc_load_own_free(own);
	oc_load_own_free(NULL);
	CU_ASSERT_PTR_NULL(oc_load_own_new(UINT32_MAX));
}

void test_oc_load_own_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_load_own", NULL, NULL);
	CU_add_test(suite, "L-5 value_is_the_free_share", test_oc_load_own_value_is_the_free_share);
	CU_add_test(suite, "L-5 value_does_not_depend_on_size",
		    test_oc_load_own_value_does_not_depend_on_size);
	CU_add_test(suite, "L-20 without_capacity_is_idle", test_oc_load_own_without_capacity_is_idle);
	CU_add_test(suite, "L-6 measures_the_last_two_seconds",
		    test_oc_load_own_measures_the_last_two_seconds);
	CU_add_test(suite, "L-6 may_be_set_by_hand", test_oc_load_own_may_be_set_by_hand);
	CU_add_test(suite, "L-6 modes_off_and_always", test_oc_load_own_modes_off_and_always);
	CU_add_test(suite, "L-7 L-9 each_peer_hears_of_a_change_once",
		    test_oc_load_own_each_peer_hears_of_a_change_once);
	CU_add_test(suite, "L-7 L-9 a_peer_that_comes_back_is_told_again",
		    test_oc_load_own_a_peer_that_comes_back_is_told_again);
	CU_add_test(suite, "L-7 nobody_forgets_it_from_age", test_oc_load_own_nobody_forgets_it_from_age);
	CU_add_test(suite, "L-7 peers_beyond_the_table_hear_it_every_time",
		    test_oc_load_own_peers_beyond_the_table_hear_it_every_time);
}
