/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the loss samplers: bound, edges, chance of each request, no lock on periodic traffic.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>

#include "agent/doic/oc_loss.h"
#include "help_core.h"

void test_oc_loss_suite(void);

/* Draws @count requests at @share_ppm and asserts the bound after each one. Returns how many were selected. */
static uint64_t draw_many(uint32_t count, uint32_t share_ppm, uint64_t *chance)
{
	struct oc_loss loss = { 0 };
	uint64_t selected = 0;
	uint64_t expected_ppm = 0;
	uint32_t violations = 0;

	for (uint32_t i = 0; i < count; i++) {
		expected_ppm += share_ppm;
		selected += oc_loss_draw_exact(&loss, share_ppm, (uint32_t)help_random(chance));
		violations += llabs((int64_t)(selected * OC_PPM) - (int64_t)expected_ppm) >= OC_PPM;
	}
	CU_ASSERT_EQUAL(violations, 0);
	return selected;
}

static void test_oc_loss_is_exact_for_every_percentage(void)
{
	for (uint64_t seed = 1; seed <= 3; seed++)
		for (uint32_t pct = 1; pct < 100; pct++) {
			uint64_t chance = seed * 1000 + pct;
			uint64_t selected = draw_many(100000, pct * 10000, &chance);
			CU_ASSERT_EQUAL(selected, 1000ull * pct);
		}
}

static void test_oc_loss_zero_selects_none_and_hundred_all(void)
{
	uint64_t chance = 7;

	CU_ASSERT_EQUAL(draw_many(10000, 0, &chance), 0);
	CU_ASSERT_EQUAL(draw_many(10000, OC_PPM, &chance), 10000);
	/* From any state, for the extreme chances too. */
	for (uint32_t i = 0; i < 1000; i++) {
		int32_t fraction_ppm = (int32_t)(help_random(&chance) % OC_PPM);
		bool is_ahead = fraction_ppm > 0 && (help_random(&chance) & 1);
		struct oc_loss loss = { .lag_ppm = fraction_ppm - (is_ahead ? (int32_t)OC_PPM : 0) };
		struct oc_loss other = loss;
		CU_ASSERT_FALSE(oc_loss_draw_exact(&loss, 0, i & 1 ? 0 : UINT32_MAX));
		CU_ASSERT_TRUE(oc_loss_draw_exact(&other, OC_PPM, i & 1 ? 0 : UINT32_MAX));
	}
}

/* Shares as nasty as they come: jumps, ramps, flips across 50 %, 0 and 100 % in between. */
static uint32_t next_share(uint32_t share_ppm, uint64_t *chance)
{
	uint64_t r = help_random(chance);

	switch (r % 6) {
	case 0:
		return (uint32_t)((r >> 8) % (OC_PPM + 1));
	case 1:
		return share_ppm > 7 ? share_ppm - 7 : 0;
	case 2:
		return 499999u + (uint32_t)((r >> 8) % 3);
	case 3:
		return (r >> 8) % 5 == 0 ? 0 : (r >> 8) % 5 == 1 ? OC_PPM : share_ppm;
	case 4:
		return OC_PPM - share_ppm;
	default:
		return share_ppm;
	}
}

static void test_oc_loss_bound_holds_for_any_sequence_of_shares(void)
{
	uint64_t chance = 42;
	uint32_t violations = 0;

	for (uint32_t run = 0; run < 300; run++) {
		struct oc_loss loss = { 0 };
		int64_t error_ppm = 0; /* selected - expected */
		uint32_t share_ppm = 300000;
		for (uint32_t i = 0; i < 5000; i++) {
			share_ppm = next_share(share_ppm, &chance);
			error_ppm -= share_ppm;
			error_ppm += oc_loss_draw_exact(&loss, share_ppm, (uint32_t)help_random(&chance)) *
				     (int64_t)OC_PPM;
			violations += llabs(error_ppm) >= OC_PPM;
		}
	}
	CU_ASSERT_EQUAL(violations, 0);
}

/* Each of the first 20 requests of many short series is selected with its own share: no place is better. */
static void test_oc_loss_every_place_has_its_own_share(void)
{
	static const uint32_t shares[] = { 100000, 250000, 400000, 500000, 600000, 830000, 990000 };
	enum { PLACES = 20, SERIES = 40000 };
	uint64_t chance = 3;

	for (size_t s = 0; s < sizeof(shares) / sizeof(shares[0]); s++) {
		uint32_t hits[PLACES] = { 0 };
		for (uint32_t n = 0; n < SERIES; n++) {
			struct oc_loss loss = { 0 };
			for (uint32_t i = 0; i < PLACES; i++)
				hits[i] +=
					oc_loss_draw_exact(&loss, shares[s], (uint32_t)help_random(&chance));
		}
		for (uint32_t i = 0; i < PLACES; i++) {
			double share = hits[i] / (double)SERIES;
			CU_ASSERT_DOUBLE_EQUAL(share, shares[s] / 1e6, 0.012);
		}
	}
}

/* One long series, periodic senders: every phase gets the share, so nobody can hide in a phase. */
static void test_oc_loss_does_not_lock_to_periodic_traffic(void)
{
	enum { COUNT = 100000 };
	uint64_t chance = 11;

	for (uint32_t period = 2; period <= 10; period++)
		for (uint32_t pct = 10; pct <= 90; pct += 10) {
			struct oc_loss loss = { 0 };
			uint32_t hits[10] = { 0 };
			for (uint32_t i = 0; i < COUNT; i++)
				hits[i % period] += oc_loss_draw_exact(&loss, pct * 10000,
								       (uint32_t)help_random(&chance));
			for (uint32_t phase = 0; phase < period; phase++)
				CU_ASSERT_DOUBLE_EQUAL(hits[phase] * (double)period / COUNT, pct / 100.0,
						       0.02);
		}
}

static void test_oc_loss_random_is_a_plain_draw(void)
{
	uint64_t chance = 5;
	uint32_t selected = 0;

	for (uint32_t i = 0; i < 10000; i++) {
		selected += oc_loss_draw_random(250000, (uint32_t)help_random(&chance));
		CU_ASSERT_FALSE_FATAL(oc_loss_draw_random(0, i));
		CU_ASSERT_TRUE_FATAL(oc_loss_draw_random(OC_PPM, UINT32_MAX - i));
	}
	CU_ASSERT(selected >= 2500 - 173 && selected <= 2500 + 173);
}

void test_oc_loss_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_loss", NULL, NULL);
	CU_add_test(suite, "D-152 D-153 is_exact_for_every_percentage",
		    test_oc_loss_is_exact_for_every_percentage);
	CU_add_test(suite, "D-154 zero_selects_none_and_hundred_all",
		    test_oc_loss_zero_selects_none_and_hundred_all);
	CU_add_test(suite, "D-151 bound_holds_for_any_sequence_of_shares",
		    test_oc_loss_bound_holds_for_any_sequence_of_shares);
	CU_add_test(suite, "every_place_has_its_own_share", test_oc_loss_every_place_has_its_own_share);
	CU_add_test(suite, "does_not_lock_to_periodic_traffic",
		    test_oc_loss_does_not_lock_to_periodic_traffic);
	CU_add_test(suite, "D-153 random_is_a_plain_draw", test_oc_loss_random_is_a_plain_draw);
}
