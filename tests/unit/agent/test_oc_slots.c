/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the free list: nobody gets what another holds, nothing is lost, threads or not.
 */
#include <CUnit/CUnit.h>
#include <pthread.h>
#include <stdatomic.h>

#include "agent/oc_slots.h"

#define PLACES 8u
#define THREADS 4u
#define TURNS 50000u

void test_oc_slots_suite(void);

static void test_oc_slots_hands_out_each_place_once(void)
{
	struct oc_slots *slots = oc_slots_new(PLACES);
	unsigned seen = 0;

	for (uint32_t i = 0; i < PLACES; i++) {
		uint32_t slot = oc_slots_take(slots);
		CU_ASSERT_FATAL(slot < PLACES);
		CU_ASSERT_FALSE(seen & 1u << slot);
		seen |= 1u << slot;
	}
	CU_ASSERT_EQUAL(seen, (1u << PLACES) - 1);
	CU_ASSERT_EQUAL(oc_slots_take(slots), OC_SLOTS_NONE);
	oc_slots_give(slots, 5);
	CU_ASSERT_EQUAL(oc_slots_take(slots), 5);
	CU_ASSERT_EQUAL(oc_slots_take(slots), OC_SLOTS_NONE);
	oc_slots_free(slots);
}

static void test_oc_slots_takes_first_what_came_back_last(void)
{
	struct oc_slots *slots = oc_slots_new(PLACES);
	uint32_t a = oc_slots_take(slots);
	uint32_t b = oc_slots_take(slots);

	oc_slots_give(slots, b);
	oc_slots_give(slots, a);
	CU_ASSERT_EQUAL(oc_slots_take(slots), a);
	CU_ASSERT_EQUAL(oc_slots_take(slots), b);
	oc_slots_free(slots);
}

static void test_oc_slots_refuses_counts_out_of_range(void)
{
	CU_ASSERT_PTR_NULL(oc_slots_new(0));
	CU_ASSERT_PTR_NULL(oc_slots_new(0x80000001u));
}

/* What the threads share: a plain word per place, so that a place held twice shows, under TSan too. */
struct shared {
	struct oc_slots *slots;
	uint32_t holder[PLACES];
	atomic_uint clashes;
};

static void *take_and_give(void *arg)
{
	struct shared *shared = arg;

	for (uint32_t turn = 1; turn <= TURNS; turn++) {
		uint32_t slot = oc_slots_take(shared->slots);
		if (slot == OC_SLOTS_NONE)
			continue;
		if (shared->holder[slot] != 0)
			atomic_fetch_add(&shared->clashes, 1);
		shared->holder[slot] = turn;
		shared->holder[slot] = 0;
		oc_slots_give(shared->slots, slot);
	}
	return NULL;
}

static void test_oc_slots_threads_never_hold_the_same_place(void)
{
	struct shared shared = { .slots = oc_slots_new(PLACES / 4) };
	pthread_t threads[THREADS];

	for (uint32_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, take_and_give, &shared);
	for (uint32_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	CU_ASSERT_EQUAL(atomic_load(&shared.clashes), 0);
	for (uint32_t i = 0; i < PLACES / 4; i++)
		CU_ASSERT_NOT_EQUAL(oc_slots_take(shared.slots), OC_SLOTS_NONE);
	CU_ASSERT_EQUAL(oc_slots_take(shared.slots), OC_SLOTS_NONE);
	oc_slots_free(shared.slots);
}

void test_oc_slots_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_slots", NULL, NULL);

	CU_add_test(suite, "hands_out_each_place_once", test_oc_slots_hands_out_each_place_once);
	CU_add_test(suite, "takes_first_what_came_back_last", test_oc_slots_takes_first_what_came_back_last);
	CU_add_test(suite, "refuses_counts_out_of_range", test_oc_slots_refuses_counts_out_of_range);
	CU_add_test(suite, "threads_never_hold_the_same_place",
		    test_oc_slots_threads_never_hold_the_same_place);
}
