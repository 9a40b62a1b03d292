/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the ends of a run: whatever the traffic, a clock that is off is allowed for, and a factor over all of the run is not.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "evidence/audit/oev_audit_ends.h"
#include "help_audit.h"

#define RUNS 400u
#define START_US 10000000ull
#define REQUESTS_MAX 200000u

void test_oev_audit_ends_suite(void);

static uint64_t times[REQUESTS_MAX];

/* Requests from 8 s on, in bursts and silences about a rate of their own, until two seconds after the run. Returns how many. */
static size_t make_traffic(uint64_t *seed, uint64_t until_us)
{
	uint64_t at = START_US - 2000000, mean_us = 500 + help_chance(seed, 2000);
	size_t count = 0;

	while (at < until_us + 2000000 && count < REQUESTS_MAX) {
		times[count++] = at;
		at += help_chance(seed, 2 * mean_us + 1);
		if (help_chance(seed, 3000) == 0)
			at += help_chance(seed, 700000);
	}
	return count;
}

static uint64_t count_between(size_t count, uint64_t from_us, uint64_t until_us)
{
	uint64_t found = 0;

	for (size_t i = 0; i < count; i++)
		found += times[i] >= from_us && times[i] < until_us;
	return found;
}

static struct oev_ends ends_of(size_t count, uint64_t until_us)
{
	struct oev_ends ends = { 0 };

	for (size_t i = 0; i < count; i++)
		oev_ends_add(&ends, START_US, until_us, times[i]);
	return ends;
}

static bool fits(uint64_t counted, uint64_t sent, const struct oev_ends_slack *slack)
{
	return counted <= sent + slack->more && counted + slack->less >= sent;
}

static void test_any_constant_shift_agrees(void)
{
	uint64_t seed = 11;

	for (unsigned run = 0; run < RUNS; run++) {
		uint64_t until_us = START_US + (2 + help_chance(&seed, 40)) * 1000000;
		size_t count = make_traffic(&seed, until_us);
		uint64_t off_us = help_chance(&seed, 2000001) - 1000000; /* wraps as it should */
		struct oev_ends ends = ends_of(count, until_us);
		struct oev_ends_slack slack = oev_ends_allow(&ends, true, true);
		uint64_t counted = count_between(count, START_US + off_us, until_us + off_us);
		uint64_t sent = count_between(count, START_US, until_us);
		CU_ASSERT(fits(counted, sent, &slack));
		slack = oev_ends_allow(&ends, false, false);
		CU_ASSERT(fits(counted, sent, &slack));
	}
}

/* Within a steady rate nothing but some per cent of the seconds at the ends is allowed. */
static void test_any_factor_contradicts(void)
{
	uint64_t seed = 12;

	for (unsigned run = 0; run < RUNS; run++) {
		uint64_t seconds = 60 + help_chance(&seed, 30), until_us = START_US + seconds * 1000000;
		uint64_t mean_us = 500 + help_chance(&seed, 2000), at = START_US - 2000000;
		size_t count = 0;
		for (; at < until_us + 2000000 && count < REQUESTS_MAX;
		     at += help_chance(&seed, 2 * mean_us + 1))
			times[count++] = at;
		struct oev_ends ends = ends_of(count, until_us);
		struct oev_ends_slack slack = oev_ends_allow(&ends, true, true);
		uint64_t sent = count_between(count, START_US, until_us);
		uint64_t permille = 10 + help_chance(&seed, 200);
		CU_ASSERT_FALSE(fits(sent * (1000 - permille) / 1000, sent, &slack));
		CU_ASSERT_FALSE(fits(sent * (1000 + permille) / 1000 + 1, sent, &slack));
	}
}

static void test_ends_of_silence_allow_nothing(void)
{
	struct oev_ends ends = { 0 };
	struct oev_ends_slack slack;

	for (uint64_t at = START_US + 1000000; at < START_US + 4000000; at += 1000)
		oev_ends_add(&ends, START_US, START_US + 5000000, at);
	slack = oev_ends_allow(&ends, true, true);
	CU_ASSERT_EQUAL(slack.less, 0);
	CU_ASSERT_EQUAL(slack.more, 0);
}

/* What is not known beyond an end may have been as much as within it, and as little as nothing. */
static void test_unknown_neighbour_is_no_silence(void)
{
	struct oev_ends ends = { 0 };
	struct oev_ends_slack slack;

	for (uint64_t at = START_US; at < START_US + 5000000; at += 1000)
		oev_ends_add(&ends, START_US, START_US + 5000000, at);
	slack = oev_ends_allow(&ends, true, true);
	CU_ASSERT_EQUAL(slack.more, 0);
	CU_ASSERT_EQUAL(slack.less, 1000);
	slack = oev_ends_allow(&ends, false, true);
	CU_ASSERT_EQUAL(slack.more, 100);
	CU_ASSERT_EQUAL(slack.less, 1000);
}

void test_oev_audit_ends_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_audit_ends", NULL, NULL);

	CU_add_test(suite, "any_constant_shift_agrees", test_any_constant_shift_agrees);
	CU_add_test(suite, "any_factor_contradicts", test_any_factor_contradicts);
	CU_add_test(suite, "silence_allows_nothing", test_ends_of_silence_allow_nothing);
	CU_add_test(suite, "unknown_neighbour_is_no_silence", test_unknown_neighbour_is_no_silence);
}
