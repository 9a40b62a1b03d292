/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of contents kept once for all who hold them.
 */
#include <CUnit/CUnit.h>
#include <stdint.h>

#include "agent/oc_err.h"
#include "agent/oc_replay_shared.h"

void test_oc_replay_shared_suite(void);

static uint32_t hold(struct oc_replay_shared *shared, uint32_t number, uint64_t content)
{
	uint32_t place = 0;

	CU_ASSERT_EQUAL(oc_replay_shared_hold(shared, number, &content, &place), OC_OK);
	return place;
}

static uint64_t at(const struct oc_replay_shared *shared, uint32_t place)
{
	return *(const uint64_t *)oc_replay_shared_at(shared, place);
}

static void test_oc_replay_shared_same_content_has_one_place(void)
{
	struct oc_replay_shared shared;

	oc_replay_shared_init(&shared, sizeof(uint64_t));
	uint32_t first = hold(&shared, 7, 70);
	CU_ASSERT_EQUAL(hold(&shared, 7, 70), first);
	CU_ASSERT_NOT_EQUAL(hold(&shared, 8, 80), first);
	oc_replay_shared_drop(&shared, first);
	oc_replay_shared_drop(&shared, first);
	CU_ASSERT_EQUAL(hold(&shared, 7, 70), first); /* nobody held it, but it was not forgotten */
	oc_replay_shared_fini(&shared);
}

static void test_oc_replay_shared_everybody_keeps_what_was_given(void)
{
	struct oc_replay_shared shared;
	uint32_t places[1000];

	oc_replay_shared_init(&shared, sizeof(uint64_t));
	for (uint32_t i = 0; i < 1000;
	     i++) /* many share a memory of numbers, and 9 means something else each time */
		places[i] = hold(&shared, i % 3 ? i : 9, i);
	for (uint32_t i = 0; i < 1000; i++)
		CU_ASSERT_EQUAL(at(&shared, places[i]), i);
	oc_replay_shared_fini(&shared);
}

static void test_oc_replay_shared_places_are_used_again(void)
{
	struct oc_replay_shared shared;

	oc_replay_shared_init(&shared, sizeof(uint64_t));
	for (uint32_t i = 0; i < 100000; i++)
		oc_replay_shared_drop(&shared, hold(&shared, i, i));
	CU_ASSERT(shared.room <= 2 * OC_REPLAY_RECENT);
	oc_replay_shared_fini(&shared);
}

static void test_oc_replay_shared_nothing_has_no_place(void)
{
	struct oc_replay_shared shared;
	uint32_t place = 0;

	oc_replay_shared_init(&shared, sizeof(uint64_t));
	CU_ASSERT_EQUAL(oc_replay_shared_hold(&shared, 0, NULL, &place), OC_OK);
	CU_ASSERT_EQUAL(place, OC_REPLAY_NOWHERE);
	CU_ASSERT_PTR_NULL(oc_replay_shared_at(&shared, place));
	oc_replay_shared_drop(&shared, place);
	oc_replay_shared_fini(&shared);
}

void test_oc_replay_shared_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_replay_shared", NULL, NULL);

	CU_add_test(suite, "same_content_has_one_place", test_oc_replay_shared_same_content_has_one_place);
	CU_add_test(suite, "everybody_keeps_what_was_given",
		    test_oc_replay_shared_everybody_keeps_what_was_given);
	CU_add_test(suite, "places_are_used_again", test_oc_replay_shared_places_are_used_again);
	CU_add_test(suite, "nothing_has_no_place", test_oc_replay_shared_nothing_has_no_place);
}
