/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the bucket: the vectors of spec section 2.1.2 and the properties of section 2.1.1.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>

#include "agent/doic/oc_rate.h"
#include "help_core.h"

void test_oc_rate_suite(void);

#define PRIORITY 0u
#define NORMAL 4u
#define ADMITTED_MAX 2048u
#define DAY (86400 * SECOND)

/* Thresholds for the two classes the tests use, in thousandths of T; those between get the priority's. */
static struct oc_rate_policy policy_of(uint32_t normal, uint32_t priority, uint32_t initial)
{
	struct oc_rate_policy policy = { .is_on = true, .initial_permille = initial };

	for (uint32_t i = 0; i < OC_CLASSES; i++)
		policy.threshold_permille[i] = i == NORMAL ? normal : priority;
	return policy;
}

/* A bucket of 10/s (T = 100 ms) activated at 0, and what it admitted, in ms. */
struct run {
	struct oc_rate_policy policy;
	struct oc_rate rate;
	uint32_t count[OC_CLASSES];
	uint32_t total;
	uint32_t at_ms[ADMITTED_MAX];
};

static struct run run_of(uint32_t normal, uint32_t priority, uint32_t initial)
{
	struct run run = { .policy = policy_of(normal, priority, initial) };

	oc_rate_activate(&run.rate, &run.policy, 10, 0, 0);
	return run;
}

static void arrive(struct run *run, uint8_t klass, uint32_t at_ms)
{
	if (!oc_rate_admit(&run->rate, &run->policy, klass, at_ms * MS, 0))
		return;
	run->count[klass]++;
	run->at_ms[run->total++ % ADMITTED_MAX] = at_ms;
}

static void every_10_ms(struct run *run, uint32_t until_ms)
{
	for (uint32_t at_ms = 0; at_ms < until_ms; at_ms += 10)
		arrive(run, NORMAL, at_ms);
}

static void check_list(const struct run *run, const uint32_t *at_ms, uint32_t count)
{
	CU_ASSERT_EQUAL(run->total, count);
	for (uint32_t i = 0; i < count && i < run->total; i++)
		CU_ASSERT_EQUAL(run->at_ms[i], at_ms[i]);
}

static void test_oc_rate_vectors_a_and_b_one_class(void)
{
	static const uint32_t a[] = { 0, 10, 20, 30, 40, 100, 200, 300, 400, 500, 600, 700, 800, 900 };
	static const uint32_t spaced[] = { 0, 100, 200, 300, 400, 500, 600, 700, 800, 900 };
	struct run run = run_of(4000, 4000, 0);

	every_10_ms(&run, 1000);
	check_list(&run, a, 14);
	run = run_of(4000, 4000, 0);
	every_10_ms(&run, 10000);
	CU_ASSERT_EQUAL(run.total, 104);
	run = run_of(4000, 4000, 4000);
	every_10_ms(&run, 1000);
	check_list(&run, spaced, 10);
	run = run_of(4000, 4000, 4000);
	every_10_ms(&run, 10000);
	CU_ASSERT_EQUAL(run.total, 100);
	run = run_of(0, 0, 0);
	every_10_ms(&run, 1000);
	check_list(&run, spaced, 10);
}

/* "<=": what stands exactly at the threshold is admitted. */
static void test_oc_rate_vector_a_in_detail(void)
{
	struct run run = run_of(4000, 4000, 0);
	static const int64_t content_ms[] = { 100, 190, 280, 370, 460 };

	for (uint32_t i = 0; i < 5; i++) {
		arrive(&run, NORMAL, 10 * i);
		CU_ASSERT_EQUAL(run.rate.content, content_ms[i] * (int64_t)(MS << 20));
	}
	struct oc_rate before = run.rate;
	arrive(&run, NORMAL, 50);
	CU_ASSERT_EQUAL(run.total, 5);
	CU_ASSERT_EQUAL(run.rate.content, before.content);
	CU_ASSERT_EQUAL(run.rate.admitted_ns, before.admitted_ns);
	arrive(&run, NORMAL, 100);
	CU_ASSERT_EQUAL(run.total, 6);
	CU_ASSERT_EQUAL(run.rate.content, 500 * (int64_t)(MS << 20));
}

static void test_oc_rate_vector_c_spaced_by_t_is_never_abated(void)
{
	struct run run = run_of(4000, 4000, 0);
	uint64_t chance = 1;

	for (uint32_t i = 0; i < 100; i++)
		arrive(&run, NORMAL, 125 * i);
	CU_ASSERT_EQUAL(run.total, 100);
	/* The same for any rate and threshold, at T exactly and above. */
	for (uint32_t i = 0; i < 200; i++) {
		uint32_t rps = 1 + (uint32_t)(help_random(&chance) % 100000);
		struct oc_rate_policy policy = policy_of((uint32_t)(help_random(&chance) % 10000), 10000, 0);
		uint64_t t_ns = (SECOND + rps - 1) / rps;
		uint64_t now_ns = help_random(&chance) % DAY;
		struct oc_rate rate;
		uint32_t abated = 0;
		oc_rate_activate(&rate, &policy, rps, now_ns, 0);
		for (uint32_t n = 0; n < 200; n++) {
			abated += !oc_rate_admit(&rate, &policy, NORMAL, now_ns, 0);
			now_ns += t_ns + (n & 1 ? 0 : help_random(&chance) % t_ns);
		}
		CU_ASSERT_EQUAL(abated, 0);
	}
}

static void test_oc_rate_vectors_d_two_classes(void)
{
	static const uint32_t d[] = { 0,   10,	20,  30,  40,  50,  70,	 90,  110, 130,
				      150, 170, 210, 310, 410, 510, 610, 710, 810, 910 };
	struct run run = run_of(5000, 10000, 0);

	for (uint32_t i = 0; i < 100; i++)
		arrive(&run, i & 1 ? PRIORITY : NORMAL, 10 * i);
	check_list(&run, d, 20);
	for (uint32_t i = 100; i < 1000; i++)
		arrive(&run, i & 1 ? PRIORITY : NORMAL, 10 * i);
	CU_ASSERT_EQUAL(run.count[NORMAL], 3);
	CU_ASSERT_EQUAL(run.count[PRIORITY], 107);

	run = run_of(5000, 10000, 0);
	for (uint32_t at_ms = 0; at_ms < 10000; at_ms += 5) {
		if (at_ms % 10 == 0)
			arrive(&run, NORMAL, at_ms);
		if (at_ms % 200 == 5)
			arrive(&run, PRIORITY, at_ms);
	}
	CU_ASSERT_EQUAL(run.count[PRIORITY], 50);
	CU_ASSERT_EQUAL(run.count[NORMAL], 55);
}

static void test_oc_rate_vectors_f_and_g_bursts(void)
{
	struct run run = run_of(4000, 4000, 0);

	for (uint32_t i = 0; i < 20; i++)
		arrive(&run, NORMAL, 5000);
	CU_ASSERT_EQUAL(run.total, 5);
	run = run_of(5000, 10000, 0);
	for (uint32_t i = 0; i < 20; i++)
		arrive(&run, PRIORITY, 5000);
	CU_ASSERT_EQUAL(run.total, 11);
	run = run_of(5000, 10000, 0);
	for (uint32_t i = 0; i < 20; i++)
		arrive(&run, NORMAL, 5000);
	CU_ASSERT_EQUAL(run.total, 6);
}

/* The defaults are five classes: the burst of each is one and its threshold, and the more important never has the shorter. */
static void test_oc_rate_default_thresholds_rank_the_classes(void)
{
	static const uint32_t bursts[OC_CLASSES] = { 11, 9, 8, 7, 6 };
	struct oc_policy policy;
	oc_policy_init(&policy);

	for (uint8_t klass = 0; klass < OC_CLASSES; klass++) {
		struct oc_rate rate;
		uint32_t burst = 0;
		oc_rate_activate(&rate, &policy.rate, 10, SECOND, 0);
		while (oc_rate_admit(&rate, &policy.rate, klass, SECOND, 0))
			burst++;
		CU_ASSERT_EQUAL(burst, bursts[klass]);
		/* Nobody is exempt: with only important traffic the bucket says no as well. */
		CU_ASSERT_FALSE(oc_rate_admit(&rate, &policy.rate, klass, SECOND + MS, 0));
	}
}

static void test_oc_rate_zero_admits_nobody(void)
{
	struct oc_rate_policy policy = policy_of(10000, 10000, 0);
	struct oc_rate rate;

	oc_rate_activate(&rate, &policy, 0, SECOND, 0);
	for (uint8_t klass = 0; klass < OC_CLASSES; klass++) {
		CU_ASSERT_FALSE(oc_rate_admit(&rate, &policy, klass, SECOND, 0));
		CU_ASSERT_FALSE(oc_rate_admit(&rate, &policy, klass, 30 * DAY, 0));
	}
	/* A rate after 0 starts from an empty bucket now, not from the time nobody was admitted. */
	oc_rate_change(&rate, &policy, 10, 60 * SECOND);
	uint32_t burst = 0;
	while (oc_rate_admit(&rate, &policy, NORMAL, 60 * SECOND, 0))
		burst++;
	CU_ASSERT_EQUAL(burst, 11);
	oc_rate_change(&rate, &policy, 0, 61 * SECOND);
	CU_ASSERT_FALSE(oc_rate_admit(&rate, &policy, PRIORITY, 30 * DAY, 0));
}

/* Admissions since the rate was last set: no window of them may exceed 1 + floor((W + TAU) / T). */
struct segment {
	uint32_t rps;
	uint32_t count;
	uint64_t at_ns[512];
};

static uint32_t excesses(const struct segment *s, uint32_t threshold_permille)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < s->count; i++)
		for (uint32_t j = i; j < s->count; j++) {
			long double room = (long double)(s->at_ns[j] - s->at_ns[i]) * s->rps / SECOND +
					   threshold_permille / 1000.0L;
			found += (long double)(j - i) > room;
		}
	return found;
}

static uint32_t random_rate(uint64_t *chance)
{
	static const uint32_t limits[] = { 1, 10, 1000, 1000000, UINT32_MAX };

	return 1 + (uint32_t)(help_random(chance) % limits[help_random(chance) % 5]);
}

static void test_oc_rate_no_window_exceeds_its_bound(void)
{
	uint64_t chance = 8582;
	uint32_t found = 0;
	uint32_t admitted = 0;

	for (uint32_t i = 0; i < 120; i++) {
		uint32_t threshold = (uint32_t)(help_random(&chance) % 12000);
		struct oc_rate_policy policy =
			policy_of(threshold, threshold, (uint32_t)(help_random(&chance) % (threshold + 1)));
		struct segment s = { .rps = random_rate(&chance) };
		struct oc_rate rate;
		uint64_t now_ns = help_random(&chance) % DAY;
		oc_rate_activate(&rate, &policy, s.rps, now_ns, 0);
		for (uint32_t n = 0; n < 1500; n++) {
			/* Bursts, rates around T, long gaps. */
			uint64_t r = help_random(&chance);
			uint64_t gap_ns = SECOND / s.rps + 1;
			now_ns += r % 3 == 0 ? 0 : r % 61 == 1 ? (r >> 8) % (gap_ns * 40) : (r >> 8) % gap_ns;
			if (s.count < 512 && oc_rate_admit(&rate, &policy, NORMAL, now_ns, 0))
				s.at_ns[s.count++] = now_ns;
			if (r % 199 != 0 && s.count < 512)
				continue;
			found += excesses(&s, threshold);
			admitted += s.count;
			s = (struct segment){ .rps = random_rate(&chance) };
			oc_rate_change(&rate, &policy, s.rps, now_ns);
		}
		found += excesses(&s, threshold);
	}
	CU_ASSERT_EQUAL(found, 0);
	CU_ASSERT(admitted > 10000);
}

static void test_oc_rate_ten_times_the_limit_is_held_for_a_minute(void)
{
	struct oc_policy policy;
	oc_policy_init(&policy);
	struct oc_rate rate;
	uint64_t chance = 2;
	uint64_t now_ns = 77 * SECOND;
	uint32_t sent = 0;

	oc_rate_activate(&rate, &policy.rate, 100, now_ns, 0);
	for (uint64_t end_ns = now_ns + 60 * SECOND; now_ns < end_ns;) {
		/* Only the most important: it counts against the rate like any other. */
		sent += oc_rate_admit(&rate, &policy.rate, PRIORITY, now_ns, 0);
		now_ns += help_random(&chance) % (2 * MS);
	}
	CU_ASSERT(sent <= 100 * 60 + 11);
	CU_ASSERT(sent >= 100 * 60);
}

/* A report with the old rate and a new number is no activation: it admits nobody the old one would not have. */
static void test_oc_rate_change_is_no_activation(void)
{
	struct oc_rate_policy policy = policy_of(5000, 10000, 5000);
	struct oc_rate plain;
	struct oc_rate renewed;
	uint64_t chance = 3;
	uint64_t now_ns = 0;
	uint32_t different = 0;

	oc_rate_activate(&plain, &policy, 50, 0, 0);
	oc_rate_activate(&renewed, &policy, 50, 0, 0);
	for (uint32_t i = 0; i < 20000; i++) {
		uint8_t klass = help_random(&chance) & 1 ? PRIORITY : NORMAL;
		now_ns += help_random(&chance) % (20 * MS);
		oc_rate_change(&renewed, &policy, 50, now_ns);
		different += oc_rate_admit(&plain, &policy, klass, now_ns, 0) !=
			     oc_rate_admit(&renewed, &policy, klass, now_ns, 0);
	}
	CU_ASSERT_EQUAL(different, 0);
}

static void test_oc_rate_change_clamps_to_the_new_bucket(void)
{
	struct oc_rate_policy policy = policy_of(5000, 10000, 0);
	struct oc_rate rate;

	oc_rate_activate(&rate, &policy, 1, 0, 0);
	while (oc_rate_admit(&rate, &policy, PRIORITY, 0, 0))
		;
	CU_ASSERT_EQUAL(rate.content, 11 * (int64_t)(SECOND << 20));
	oc_rate_change(&rate, &policy, 1000, 0);
	CU_ASSERT_EQUAL(rate.content, 11 * (int64_t)(MS << 20));
	CU_ASSERT_EQUAL(rate.admitted_ns, 0);
	CU_ASSERT_FALSE(oc_rate_admit(&rate, &policy, PRIORITY, MS - 1, 0));
	CU_ASSERT_TRUE(oc_rate_admit(&rate, &policy, PRIORITY, MS, 0));
	/* A slower rate holds at once too: T is the new one. */
	oc_rate_change(&rate, &policy, 10, MS);
	CU_ASSERT_EQUAL(rate.increment, (int64_t)(100 * MS << 20));
}

static void test_oc_rate_survives_days_and_the_highest_rate(void)
{
	static const uint32_t rates[] = { 1, 7, 1000000000, UINT32_MAX };
	static const uint64_t idle_ns[] = { 9000 * SECOND, 17593 * SECOND, DAY, 1000 * DAY, INT64_MAX };
	struct oc_rate_policy policy = policy_of(UINT32_MAX, UINT32_MAX, UINT32_MAX);

	for (uint32_t r = 0; r < 4; r++)
		for (uint32_t i = 0; i < 5; i++) {
			struct oc_rate rate;
			oc_rate_activate(&rate, &policy, rates[r], 5, 0);
			CU_ASSERT(rate.increment >= 244141);
			CU_ASSERT(rate.content > 0);
			CU_ASSERT_TRUE(oc_rate_admit(&rate, &policy, NORMAL, 5, 0));
			CU_ASSERT_TRUE(oc_rate_admit(&rate, &policy, NORMAL, 5 + idle_ns[i], 0));
			CU_ASSERT_EQUAL(rate.content, rate.increment);
		}
	struct oc_rate rate;
	policy = policy_of(0, 0, 0);
	oc_rate_activate(&rate, &policy, UINT32_MAX, 0, 0);
	CU_ASSERT_TRUE(oc_rate_admit(&rate, &policy, NORMAL, 0, 0));
	CU_ASSERT_FALSE(oc_rate_admit(&rate, &policy, NORMAL, 0, 0));
	CU_ASSERT_TRUE(oc_rate_admit(&rate, &policy, NORMAL, 1, 0));
}

static void test_oc_rate_survives_clock_step_back(void)
{
	struct oc_rate_policy policy = policy_of(0, 0, 0);
	struct oc_rate rate;

	oc_rate_activate(&rate, &policy, 10, 100 * SECOND, 0);
	CU_ASSERT_TRUE(oc_rate_admit(&rate, &policy, NORMAL, 50 * SECOND, 0));
	CU_ASSERT_FALSE(oc_rate_admit(&rate, &policy, NORMAL, 99 * SECOND, 0));
	CU_ASSERT_FALSE(oc_rate_admit(&rate, &policy, NORMAL, 100 * SECOND + 99 * MS, 0));
	CU_ASSERT_TRUE(oc_rate_admit(&rate, &policy, NORMAL, 100 * SECOND + 100 * MS, 0));
}

static void test_oc_rate_anti_resonance_moves_only_empty_buckets(void)
{
	struct oc_rate_policy policy = policy_of(4000, 4000, 0);
	uint64_t chance = 34;
	int64_t least = INT64_MAX;
	int64_t most = 0;
	double sum = 0;

	policy.is_anti_resonant = true;
	for (uint32_t i = 0; i < 10000; i++) {
		struct oc_rate rate;
		uint32_t random = i == 0 ? 0 : i == 1 ? UINT32_MAX : (uint32_t)help_random(&chance);
		oc_rate_activate(&rate, &policy, 10, 0, random);
		int64_t t = rate.increment;
		CU_ASSERT_FATAL(rate.content >= 0 && rate.content <= t / 2);
		CU_ASSERT_TRUE_FATAL(oc_rate_admit(&rate, &policy, NORMAL, SECOND, random));
		CU_ASSERT_FATAL(rate.content >= t / 2 && rate.content <= t + t / 2);
		least = rate.content < least ? rate.content : least;
		most = rate.content > most ? rate.content : most;
		sum += (double)rate.content / (double)t;
		int64_t before = rate.content;
		CU_ASSERT_TRUE_FATAL(oc_rate_admit(&rate, &policy, NORMAL, SECOND, random));
		CU_ASSERT_EQUAL_FATAL(rate.content, before + t);
	}
	CU_ASSERT_EQUAL(least, (int64_t)(50 * MS << 20));
	CU_ASSERT(most > (int64_t)(149 * MS << 20));
	CU_ASSERT_DOUBLE_EQUAL(sum / 10000, 1.0, 0.01);
}

/* In the long run the random increments add up to the rate and no more. */
static void test_oc_rate_anti_resonance_keeps_the_rate(void)
{
	struct oc_rate_policy policy = policy_of(0, 0, 0);
	struct oc_rate rate;
	uint64_t chance = 35;
	uint32_t sent = 0;

	policy.is_anti_resonant = true;
	oc_rate_activate(&rate, &policy, 100, 0, 0);
	for (uint64_t now_ns = 0; now_ns < 600 * SECOND; now_ns += MS / 2)
		sent += oc_rate_admit(&rate, &policy, NORMAL, now_ns, (uint32_t)help_random(&chance));
	CU_ASSERT(sent <= 60000 + 400);
	CU_ASSERT(sent >= 57000);
}

void test_oc_rate_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_rate", NULL, NULL);
	CU_add_test(suite, "R-29 R-30 vectors_a_and_b_one_class", test_oc_rate_vectors_a_and_b_one_class);
	CU_add_test(suite, "R-20 vector_a_in_detail", test_oc_rate_vector_a_in_detail);
	CU_add_test(suite, "R-27 vector_c_spaced_by_t_is_never_abated",
		    test_oc_rate_vector_c_spaced_by_t_is_never_abated);
	CU_add_test(suite, "R-31 R-32 vectors_d_two_classes", test_oc_rate_vectors_d_two_classes);
	CU_add_test(suite, "R-30 R-32 vectors_f_and_g_bursts", test_oc_rate_vectors_f_and_g_bursts);
	CU_add_test(suite, "R-31 R-32 R-33 default_thresholds_rank_the_classes",
		    test_oc_rate_default_thresholds_rank_the_classes);
	CU_add_test(suite, "R-22 R-28 zero_admits_nobody", test_oc_rate_zero_admits_nobody);
	CU_add_test(suite, "R-20 R-27 no_window_exceeds_its_bound", test_oc_rate_no_window_exceeds_its_bound);
	CU_add_test(suite, "R-20 R-24 ten_times_the_limit_is_held_for_a_minute",
		    test_oc_rate_ten_times_the_limit_is_held_for_a_minute);
	CU_add_test(suite, "R-13 change_is_no_activation", test_oc_rate_change_is_no_activation);
	CU_add_test(suite, "R-13 change_clamps_to_the_new_bucket",
		    test_oc_rate_change_clamps_to_the_new_bucket);
	CU_add_test(suite, "R-22 survives_days_and_the_highest_rate",
		    test_oc_rate_survives_days_and_the_highest_rate);
	CU_add_test(suite, "D-085 survives_clock_step_back", test_oc_rate_survives_clock_step_back);
	CU_add_test(suite, "R-34 anti_resonance_moves_only_empty_buckets",
		    test_oc_rate_anti_resonance_moves_only_empty_buckets);
	CU_add_test(suite, "R-34 anti_resonance_keeps_the_rate", test_oc_rate_anti_resonance_keeps_the_rate);
}
