/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the cover of sequence numbers, held against a bitmap.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "evidence/capture/oev_cover.h"

void test_oev_cover_suite(void);

static void test_what_comes_in_order_leaves_no_hole(void)
{
	struct oev_cover cover = { 0 };

	CU_ASSERT_EQUAL(oev_cover_add(&cover, 1000, 100), 100);
	CU_ASSERT_EQUAL(oev_cover_add(&cover, 1100, 50), 50);
	CU_ASSERT_EQUAL(oev_cover_missing(&cover), 0);
	CU_ASSERT_EQUAL(cover.seen, 150);
	CU_ASSERT_EQUAL(cover.count, 1);
}

static void test_what_comes_again_is_not_new(void)
{
	struct oev_cover cover = { 0 };

	oev_cover_add(&cover, 1000, 100);
	CU_ASSERT_EQUAL(oev_cover_add(&cover, 1000, 100), 0);
	CU_ASSERT_EQUAL(oev_cover_add(&cover, 1050, 100), 50);
	CU_ASSERT_EQUAL(oev_cover_add(&cover, 900, 50), 50);
	CU_ASSERT_EQUAL(oev_cover_add(&cover, 940, 70), 50); /* 950 to 999 */
	CU_ASSERT_EQUAL(cover.seen, 250);
	CU_ASSERT_EQUAL(oev_cover_missing(&cover), 0);
}

static void test_a_hole_is_counted_until_it_is_filled(void)
{
	struct oev_cover cover = { 0 };

	oev_cover_add(&cover, 1, 1);
	oev_cover_add(&cover, 5, 1);
	CU_ASSERT_EQUAL(oev_cover_missing(&cover), 3);
	oev_cover_add(&cover, 3, 1);
	CU_ASSERT_EQUAL(oev_cover_missing(&cover), 2);
	CU_ASSERT_EQUAL(oev_cover_add(&cover, 1, 5), 2);
	CU_ASSERT_EQUAL(oev_cover_missing(&cover), 0);
}

static void test_numbers_wrap(void)
{
	struct oev_cover cover = { 0 };

	oev_cover_add(&cover, 0xffffff00u, 0x100);
	CU_ASSERT_EQUAL(oev_cover_add(&cover, 0, 100), 100);
	CU_ASSERT_EQUAL(oev_cover_missing(&cover), 0);
	CU_ASSERT_EQUAL(oev_cover_add(&cover, 0xfffffff0u, 32), 0);
	CU_ASSERT_EQUAL(cover.count, 1);
}

static void test_old_holes_are_given_up_when_there_are_too_many(void)
{
	struct oev_cover cover = { 0 };

	for (uint32_t i = 0; i < 3 * OEV_COVER_PIECES; i++)
		oev_cover_add(&cover, 10 * i, 4);
	CU_ASSERT_EQUAL(cover.count, OEV_COVER_PIECES);
	CU_ASSERT_EQUAL(oev_cover_missing(&cover), (3 * OEV_COVER_PIECES - 1) * 6);
	CU_ASSERT_EQUAL(oev_cover_add(&cover, 4, 6), 0); /* too late for this one */
	CU_ASSERT_EQUAL(cover.seen, 3 * OEV_COVER_PIECES * 4);
	CU_ASSERT_EQUAL(oev_cover_add(&cover, 10 * (3 * OEV_COVER_PIECES - 2) + 4, 6), 6);
}

#define SPAN 4096u

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static uint32_t mark(uint8_t *seen, uint32_t at, uint32_t len)
{
	uint32_t fresh = 0;

	for (uint32_t i = at; i < at + len; i++) {
		fresh += !seen[i];
		seen[i] = 1;
	}
	return fresh;
}

static uint32_t count_missing(const uint8_t *seen)
{
	uint32_t first = 0, last = SPAN - 1, missing = 0;

	while (!seen[first])
		first++;
	while (!seen[last])
		last--;
	for (uint32_t i = first; i <= last; i++)
		missing += !seen[i];
	return missing;
}

/* Segments a little out of order, some lost, some twice: never more pieces than are kept. */
static void test_any_order_says_the_same_as_a_bitmap(void)
{
	uint64_t random = 88172645463325252ull;

	for (int round = 0; round < 200; round++) {
		uint8_t seen[SPAN] = { 0 };
		struct oev_cover cover = { 0 };
		uint32_t base = (uint32_t)next(&random), total = 0;
		for (int i = 0; i < 60; i++) {
			uint32_t at = (uint32_t)(next(&random) % 40) * 100,
				 len = (uint32_t)(next(&random) % 90) + 1;
			uint32_t fresh = mark(seen, at, len);
			total += fresh;
			CU_ASSERT_EQUAL_FATAL(oev_cover_add(&cover, base + at, len), fresh);
			if (cover.count >= OEV_COVER_PIECES)
				break;
		}
		CU_ASSERT_EQUAL(cover.seen, total);
		CU_ASSERT_EQUAL(oev_cover_missing(&cover), count_missing(seen));
	}
}

void test_oev_cover_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_cover", NULL, NULL);

	CU_add_test(suite, "what comes in order leaves no hole", test_what_comes_in_order_leaves_no_hole);
	CU_add_test(suite, "what comes again is not new", test_what_comes_again_is_not_new);
	CU_add_test(suite, "a hole is counted until it is filled", test_a_hole_is_counted_until_it_is_filled);
	CU_add_test(suite, "numbers wrap", test_numbers_wrap);
	CU_add_test(suite, "old holes are given up when there are too many",
		    test_old_holes_are_given_up_when_there_are_too_many);
	CU_add_test(suite, "any order says the same as a bitmap", test_any_order_says_the_same_as_a_bitmap);
}
