/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the table from fingerprints to numbers.
 */
#include <CUnit/CUnit.h>

#include "agent/oc_err.h"
#include "evidence/capture/oev_map.h"

void test_oev_map_suite(void);

static unsigned count_of(const struct oev_map *map, uint64_t print, uint32_t value)
{
	struct oev_map_walk walk = oev_map_first(map, print);
	unsigned count = 0;

	for (uint32_t found; (found = oev_map_next(&walk)) != 0;)
		count += found == value;
	return count;
}

static void test_an_empty_table_has_nothing(void)
{
	struct oev_map map = { 0 };

	CU_ASSERT_EQUAL(count_of(&map, 7, 1), 0);
	oev_map_remove(&map, 7, 1);
	oev_map_fini(&map);
}

static void test_one_fingerprint_may_have_several_values(void)
{
	struct oev_map map = { 0 };

	oev_map_add(&map, 7, 1);
	oev_map_add(&map, 7, 2);
	oev_map_add(&map, 7 + 64, 3); /* the same place */
	CU_ASSERT_EQUAL(count_of(&map, 7, 1), 1);
	CU_ASSERT_EQUAL(count_of(&map, 7, 2), 1);
	CU_ASSERT_EQUAL(count_of(&map, 7, 3), 0);
	CU_ASSERT_EQUAL(count_of(&map, 7 + 64, 3), 1);
	oev_map_remove(&map, 7, 1);
	CU_ASSERT_EQUAL(count_of(&map, 7, 1), 0);
	CU_ASSERT_EQUAL(count_of(&map, 7, 2), 1);
	CU_ASSERT_EQUAL(count_of(&map, 7 + 64, 3), 1);
	oev_map_fini(&map);
}

#define KEYS 2000u

static uint64_t print_of(uint32_t key)
{
	return key * 0x9e3779b97f4a7c15ull % 509; /* many meet */
}

static void test_what_was_put_in_is_there_until_it_is_taken_out(void)
{
	struct oev_map map = { 0 };
	uint64_t random = 42;

	for (uint32_t i = 1; i <= KEYS; i++)
		CU_ASSERT_EQUAL(oev_map_add(&map, print_of(i), i), OC_OK);
	for (uint32_t i = 1; i <= KEYS; i += 2)
		oev_map_remove(&map, print_of(i), i);
	for (uint32_t i = 1; i <= KEYS; i++)
		CU_ASSERT_EQUAL(count_of(&map, print_of(i), i), (i + 1) % 2);
	for (uint32_t i = 0; i < KEYS; i++) {
		random = random * 6364136223846793005ull + 1442695040888963407ull;
		uint32_t key = (uint32_t)(random >> 40) % KEYS + 1;
		if (count_of(&map, print_of(key), key) == 1)
			oev_map_remove(&map, print_of(key), key);
		else
			oev_map_add(&map, print_of(key), key);
	}
	uint32_t left = 0;
	for (uint32_t i = 1; i <= KEYS; i++)
		left += count_of(&map, print_of(i), i);
	CU_ASSERT_EQUAL(left, map.count);
	oev_map_fini(&map);
}

void test_oev_map_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_map", NULL, NULL);

	CU_add_test(suite, "an empty table has nothing", test_an_empty_table_has_nothing);
	CU_add_test(suite, "one fingerprint may have several values",
		    test_one_fingerprint_may_have_several_values);
	CU_add_test(suite, "what was put in is there until it is taken out",
		    test_what_was_put_in_is_there_until_it_is_taken_out);
}
