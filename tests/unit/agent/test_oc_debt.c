/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the debt: the total is met whatever the mix of ranks, and the important pay last.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>

#include "agent/doic/oc_debt.h"
#include "agent/doic/oc_loss.h"
#include "help_core.h"

void test_oc_debt_suite(void);

#define SLACK 2u /* as in the default policy */

struct drawer {
	struct oc_debt debt;
	struct oc_loss loss;
	uint64_t chance;
	uint32_t seen[OC_RANKS];
	uint32_t selected[OC_RANKS];
};

static bool draw(struct drawer *d, uint32_t share_ppm, uint8_t rank, uint32_t slack)
{
	uint32_t own_ppm = oc_debt_take(&d->debt, share_ppm, rank, slack);

	CU_ASSERT_FATAL(own_ppm <= OC_PPM);
	bool is_selected = oc_loss_draw_exact(&d->loss, own_ppm, (uint32_t)help_random(&d->chance));
	d->seen[rank]++;
	d->selected[rank] += is_selected;
	return is_selected;
}

/* Shares as reports and ramps make them: steps up and down, slow falls, but never 0, which forgives. */
static uint32_t next_share(uint32_t share_ppm, uint64_t *chance)
{
	uint64_t r = help_random(chance);

	if (r % 500 == 0)
		return 1 + (uint32_t)((r >> 16) % OC_PPM);
	if (r % 500 == 1)
		return OC_PPM;
	return r % 7 == 0 && share_ppm > 100 ? share_ppm - 37 : share_ppm;
}

/* A rank of a mix that leans to either end and moves on in the run. */
static uint8_t next_rank(uint32_t mask, uint64_t *chance)
{
	uint64_t r = help_random(chance);

	return (uint8_t)(((r & (r >> 4) & mask) | ((r >> 8) & ~mask)) % OC_RANKS);
}

static void test_oc_debt_total_stays_within_its_bound(void)
{
	uint32_t violations = 0;

	for (uint64_t seed = 1; seed <= 24; seed++) {
		struct drawer d = { .chance = seed };
		uint32_t slack = (uint32_t)(seed % (OC_DEBT_SLACK_MAX + 1));
		uint32_t share_ppm = 300000;
		uint32_t mask = 15;
		uint32_t least = 0, most = OC_RANKS;
		int64_t ahead_ppm = 0; /* selected - sum of p */
		for (uint32_t i = 0; i < 100000; i++) {
			share_ppm = next_share(share_ppm, &d.chance);
			mask = i % 5000 == 0 ? (uint32_t)help_random(&d.chance) : mask;
			uint8_t rank = next_rank(mask, &d.chance);
			least = rank > least ? rank : least;
			most = rank < most ? rank : most;
			ahead_ppm -= share_ppm;
			ahead_ppm += draw(&d, share_ppm, rank, slack) * (int64_t)OC_PPM;
			int64_t may_lack_ppm = (1 + slack * (least - most)) * (int64_t)OC_PPM;
			violations += ahead_ppm > OC_PPM || ahead_ppm < -may_lack_ppm;
		}
	}
	CU_ASSERT_EQUAL(violations, 0);
}

static void test_oc_debt_is_exact_without_ranks(void)
{
	uint32_t violations = 0;

	for (uint64_t seed = 1; seed <= 8; seed++) {
		struct drawer d = { .chance = seed };
		bool is_one_rank = seed % 2;
		uint32_t share_ppm = 700000;
		int64_t ahead_ppm = 0;
		for (uint32_t i = 0; i < 100000; i++) {
			share_ppm = next_share(share_ppm, &d.chance);
			uint8_t rank = is_one_rank ? (uint8_t)seed : next_rank(15, &d.chance);
			ahead_ppm -= share_ppm;
			ahead_ppm += draw(&d, share_ppm, rank, is_one_rank ? SLACK : 0) * (int64_t)OC_PPM;
			violations += llabs(ahead_ppm) >= OC_PPM;
			violations += d.debt.owed_ppm != 0;
		}
	}
	CU_ASSERT_EQUAL(violations, 0);
}

/* D-272: a tenth of the traffic is exempt (rank 0), the rest at rank 10, in random order. */
static struct drawer tenth_exempt(uint32_t share_ppm)
{
	struct drawer d = { .chance = 272 };

	draw(&d, share_ppm, 10, SLACK);
	for (uint32_t i = 1; i < 100000; i++)
		draw(&d, share_ppm, help_random(&d.chance) % 10 == 0 ? 0 : 10, SLACK);
	return d;
}

static void test_oc_debt_the_rest_carries_the_whole_reduction(void)
{
	struct drawer d = tenth_exempt(250000);

	CU_ASSERT_EQUAL(d.selected[0], 0);
	CU_ASSERT_DOUBLE_EQUAL(d.selected[10] / (double)d.seen[10], 0.278, 0.002);
	CU_ASSERT_DOUBLE_EQUAL(d.selected[10], 25000, 22);
	d = tenth_exempt(950000);
	CU_ASSERT(d.seen[10] - d.selected[10] <= 60); /* while the first exempt ones were spared */
	CU_ASSERT_DOUBLE_EQUAL(d.selected[0] + d.selected[10], 95000, 22);
	CU_ASSERT_DOUBLE_EQUAL(d.selected[0] / (double)d.seen[0], 0.5, 0.02);
}

/* D-275: no exempt request is refused before all others are. */
static void test_oc_debt_first_exempt_one_only_when_all_others_are_refused(void)
{
	struct drawer d = { .chance = 275 };
	uint32_t passed = 0; /* others in the last 200 before the first exempt one was selected */

	draw(&d, 950000, 10, SLACK);
	for (uint32_t i = 1; i < 100000 && d.selected[0] == 0; i++) {
		bool is_exempt = help_random(&d.chance) % 10 == 0;
		bool is_selected = draw(&d, 950000, is_exempt ? 0 : 10, SLACK);
		passed = is_exempt ? passed : is_selected ? (passed > 0 ? passed - 1 : 0) : 200;
	}
	CU_ASSERT_EQUAL(d.selected[0], 1);
	CU_ASSERT_EQUAL(passed, 0);
}

static void test_oc_debt_half_at_two_and_half_at_twelve(void)
{
	struct drawer d = { .chance = 3 };

	for (uint32_t i = 0; i < 50000; i++) {
		/* Each pair in random order, after a 12. */
		bool is_swapped = i > 0 && (help_random(&d.chance) & 1);
		draw(&d, 500000, is_swapped ? 2 : 12, SLACK);
		draw(&d, 500000, is_swapped ? 12 : 2, SLACK);
	}
	CU_ASSERT_EQUAL(d.selected[2], 0);
	CU_ASSERT_DOUBLE_EQUAL(d.selected[12], 50000, 3);
}

static void test_oc_debt_lower_number_never_loses_to_a_higher(void)
{
	for (uint8_t low = 0; low < OC_RANKS; low++)
		for (uint8_t high = low + 1; high < OC_RANKS; high++)
			for (uint32_t share_ppm = 50000; share_ppm <= 500000; share_ppm += 50000) {
				struct drawer d = { .chance = low * 100u + high };
				for (uint32_t i = 0; i < 1000; i++) {
					draw(&d, share_ppm, high, SLACK);
					draw(&d, share_ppm, low, SLACK);
				}
				CU_ASSERT_EQUAL(d.selected[low], 0);
				CU_ASSERT_DOUBLE_EQUAL(d.selected[high], 2000 * (share_ppm / 1e6), 2);
			}
}

/* A host report takes @host_ppm of @count requests away before the peer's report of @peer_ppm sees them. Returns how many
 * are left. */
static uint32_t after_both(uint32_t count, uint32_t host_ppm, uint32_t peer_ppm)
{
	struct drawer d = { .chance = 243 };
	struct oc_loss host = { 0 };
	uint32_t left = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (oc_loss_draw_exact(&host, host_ppm, (uint32_t)help_random(&d.chance)))
			oc_debt_credit(&d.debt, peer_ppm);
		else
			left += !draw(&d, peer_ppm, 10, SLACK);
	}
	return left;
}

static void test_oc_debt_what_others_removed_counts(void)
{
	CU_ASSERT_DOUBLE_EQUAL(after_both(10000, 200000, 300000), 7000, 3);
	CU_ASSERT_EQUAL(after_both(10000, 0, 300000), 7000);
	CU_ASSERT_EQUAL(after_both(10000, 300000, 0), 7000);
	CU_ASSERT_EQUAL(after_both(10000, 200000, OC_PPM), 0);
	CU_ASSERT_EQUAL(after_both(10000, OC_PPM, 300000), 0);
	/* p_eff is 0; at most the first request is drawn before the host's report took any. */
	CU_ASSERT_DOUBLE_EQUAL(after_both(10000, 500000, 300000), 5000, 1);
}

static void test_oc_debt_credit_has_a_floor(void)
{
	struct drawer d = { .chance = 1 };
	uint32_t spared = 0;

	for (uint32_t i = 0; i < 100000; i++)
		oc_debt_credit(&d.debt, 500000);
	CU_ASSERT_EQUAL(d.debt.owed_ppm, -(int32_t)(OC_DEBT_CREDIT_MAX * OC_PPM));
	while (oc_debt_take(&d.debt, 500000, 10, SLACK) == 0)
		spared++;
	CU_ASSERT_EQUAL(spared, 2 * OC_DEBT_CREDIT_MAX);
}

static void test_oc_debt_all_and_nothing(void)
{
	static const int32_t owed[] = { -60000000, -1, 0, 1, 999999, 60000000 };

	for (uint32_t i = 0; i < 6; i++)
		for (uint8_t rank = 0; rank < OC_RANKS; rank++) {
			struct oc_debt debt = { .owed_ppm = owed[i], .rank_seen = OC_RANKS };
			CU_ASSERT_EQUAL(oc_debt_take(&debt, OC_PPM, rank, UINT32_MAX), OC_PPM);
			CU_ASSERT_EQUAL(debt.owed_ppm, owed[i]);
			CU_ASSERT_EQUAL(oc_debt_take(&debt, 0, rank, SLACK), 0);
			CU_ASSERT_EQUAL(debt.owed_ppm, owed[i] < 0 ? owed[i] : 0);
			CU_ASSERT_EQUAL(debt.rank_seen, OC_RANKS);
		}
	/* The longest wait there is fits: rank 0 below rank 15 at the highest slack. */
	struct oc_debt debt = { 0 };
	uint32_t waited = 0;
	oc_debt_take(&debt, 1, 15, UINT32_MAX);
	while (oc_debt_take(&debt, 999999, 0, UINT32_MAX) == 0)
		waited++;
	CU_ASSERT_EQUAL(waited, 15 * OC_DEBT_SLACK_MAX);
}

void test_oc_debt_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_debt", NULL, NULL);
	CU_add_test(suite, "D-272 total_stays_within_its_bound", test_oc_debt_total_stays_within_its_bound);
	CU_add_test(suite, "D-152 is_exact_without_ranks", test_oc_debt_is_exact_without_ranks);
	CU_add_test(suite, "D-272 the_rest_carries_the_whole_reduction",
		    test_oc_debt_the_rest_carries_the_whole_reduction);
	CU_add_test(suite, "D-275 C-15 first_exempt_one_only_when_all_others_are_refused",
		    test_oc_debt_first_exempt_one_only_when_all_others_are_refused);
	CU_add_test(suite, "P-3 half_at_two_and_half_at_twelve", test_oc_debt_half_at_two_and_half_at_twelve);
	CU_add_test(suite, "P-16 lower_number_never_loses_to_a_higher",
		    test_oc_debt_lower_number_never_loses_to_a_higher);
	CU_add_test(suite, "D-242 D-243 what_others_removed_counts", test_oc_debt_what_others_removed_counts);
	CU_add_test(suite, "D-243 credit_has_a_floor", test_oc_debt_credit_has_a_floor);
	CU_add_test(suite, "D-154 all_and_nothing", test_oc_debt_all_and_nothing);
}
