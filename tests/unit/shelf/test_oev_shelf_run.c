/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of searches in a run: each session and subscriber is found, and none that is not there, however pseudonyms lie.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/shelf/oev_shelf_run.h"

#define ENTRIES 3000u
#define OF_A_SUBSCRIBER 3u /* entries */

void test_oev_shelf_run_suite(void);

typedef uint64_t (*spread_fn)(uint32_t at);

/* Rising by 2 at least. */
static uint64_t evenly(uint32_t at)
{
	return 7 + (uint64_t)at * (UINT64_MAX / (ENTRIES + 1));
}

static uint64_t in_two_heaps(uint32_t at)
{
	return at < ENTRIES / 2 ? 1 + 2 * (uint64_t)at : UINT64_MAX - 2 * (uint64_t)(ENTRIES - at);
}

static uint64_t ever_farther(uint32_t at)
{
	return ((uint64_t)1 << (at / 50)) + 2 * (uint64_t)at;
}

static struct oev_shelf_run *make(spread_fn spread, const char *path)
{
	const struct oev_shelf_run_head head = { .first = 1,
						 .last = ENTRIES,
						 .rows = ENTRIES,
						 .entries = ENTRIES,
						 .hits = ENTRIES,
						 .known = ENTRIES };
	struct oev_shelf_run *run = NULL;

	if (oev_shelf_run_new(&run, &head) != OC_OK)
		abort();
	struct oev_shelf_arrays arrays = oev_shelf_run_arrays(run);
	for (uint32_t i = 0; i < ENTRIES; i++) {
		uint32_t who = i - i % OF_A_SUBSCRIBER;
		arrays.entries[i] = (struct oev_shelf_entry){
			.session = spread(i), .subscriber = spread(who), .last_us = i, .at = i, .count = 1
		};
		arrays.hits[i] = i;
		arrays.by_last[i] = ENTRIES - 1 - i;
		arrays.by_subscriber[i] = who + OF_A_SUBSCRIBER - 1 - i % OF_A_SUBSCRIBER; /* newest first */
	}
	if (oev_shelf_run_seal(run, path) != OC_OK)
		abort();
	return run;
}

static void assert_found(struct oev_shelf_run *run, spread_fn spread)
{
	unsigned wrong = 0;

	for (uint32_t i = 0; i < ENTRIES; i++) {
		uint64_t session = spread(i);
		struct oev_shelf_entry entry;
		size_t from, to;
		wrong += !oev_shelf_run_find(run, session, &entry) || entry.at != i;
		wrong += oev_shelf_run_find(run, session + 1, &entry);
		oev_shelf_run_range(run, session, &from, &to);
		wrong += from != i - i % OF_A_SUBSCRIBER + (i % OF_A_SUBSCRIBER == 0 ? 0 : OF_A_SUBSCRIBER);
		wrong += to - from != (i % OF_A_SUBSCRIBER == 0 ? OF_A_SUBSCRIBER : 0);
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_FALSE(run->is_broken);
}

static void test_oev_shelf_run_finds_what_is_there_however_pseudonyms_lie(void)
{
	static const spread_fn spreads[] = { evenly, in_two_heaps, ever_farther };

	for (size_t i = 0; i < sizeof(spreads) / sizeof(spreads[0]); i++) {
		struct oev_shelf_run *run = make(spreads[i], NULL);
		assert_found(run, spreads[i]);
		oev_shelf_run_put(run);
	}
}

static void test_oev_shelf_run_of_a_file_finds_the_same(void)
{
	char path[] = "/tmp/doic-run-XXXXXX";
	int fd = mkstemp(path);
	struct oev_shelf_run *run = make(evenly, path);

	CU_ASSERT_TRUE(run->fd >= 0);
	assert_found(run, evenly);
	oev_shelf_run_put(run);
	unlink(path);
	close(fd);
}

static void test_oev_shelf_run_that_is_not_sorted_ends_a_search(void)
{
	struct oev_shelf_run *run = make(evenly, NULL);
	struct oev_shelf_arrays arrays = oev_shelf_run_arrays(run);
	struct oev_shelf_entry entry;
	size_t from, to;

	for (uint32_t i = 0; i < ENTRIES; i++) {
		arrays.entries[i].session = i % 7 == 0 ? 0 : evenly((i * 1103515245u + 12345u) % ENTRIES);
		arrays.entries[i].subscriber = arrays.entries[i].session;
		arrays.by_subscriber[i] = i % 5 == 0 ? UINT32_MAX : i;
	}
	for (uint32_t i = 0; i < ENTRIES; i++) {
		if (oev_shelf_run_find(run, evenly(i), &entry))
			CU_ASSERT_EQUAL(entry.session, evenly(i));
		oev_shelf_run_range(run, evenly(i), &from, &to);
		CU_ASSERT_TRUE(from <= ENTRIES && to <= ENTRIES);
	}
	CU_ASSERT_FALSE(oev_shelf_run_find(run, UINT64_MAX, &entry));
	(void)oev_shelf_run_find(run, 0, &entry);
	oev_shelf_run_put(run);
}

void test_oev_shelf_run_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_shelf_run", NULL, NULL);

	CU_ADD_TEST(suite, test_oev_shelf_run_finds_what_is_there_however_pseudonyms_lie);
	CU_ADD_TEST(suite, test_oev_shelf_run_of_a_file_finds_the_same);
	CU_ADD_TEST(suite, test_oev_shelf_run_that_is_not_sorted_ends_a_search);
}
