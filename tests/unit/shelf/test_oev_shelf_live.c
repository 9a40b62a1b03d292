/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of a folder that is being written: what is stored is found, nothing is found twice, and segments are sealed all the same.
 */
#include <CUnit/CUnit.h>
#include <glob.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/oev_clock.h"
#include "help_shelf.h"

void test_oev_shelf_live_suite(void);

#define ASKERS 3

struct asker {
	struct help_shelf *h;
	pthread_t thread;
	_Atomic bool *stop;
	unsigned asked, failed, unordered;
	uint64_t most;
};

struct page_check {
	struct oev_shelf_decision last;
	bool is_ordered;
	unsigned rows;
};

static bool check(void *ctx, const struct oev_shelf_decision *row)
{
	struct page_check *at = ctx;

	at->is_ordered &= at->rows++ == 0 || row->id < at->last.id;
	at->last = *row;
	return true;
}

static void *ask(void *ctx)
{
	struct asker *asker = ctx;
	struct oev_shelf_filter f = { 0 };
	struct page_check at;
	struct oev_shelf_page page;
	struct oev_shelf_whole *whole;
	char error[OEV_SHELF_TEXT_MAX];

	while (!atomic_load(asker->stop)) {
		at = (struct page_check){ .is_ordered = true };
		int rc = oev_shelf_decisions(asker->h->shelf, &f, "", 50, 0, check, &at, &page, error);
		if (rc == OC_OK && at.rows > 0) {
			rc = oev_shelf_decision(asker->h->shelf, at.last.run, at.last.id, &whole, error);
			asker->most = at.last.id > asker->most ? at.last.id : asker->most;
			oev_shelf_whole_free(whole);
		}
		asker->asked++;
		asker->failed += rc != OC_OK;
		if (rc != OC_OK)
			fprintf(stderr, "asker: %s\n", error);
		asker->unordered += !at.is_ordered;
		oev_clock_sleep_us(20000); /* people pause: who never does keeps segments from being sealed */
	}
	return NULL;
}

static size_t seals(const struct help_shelf *h)
{
	char pattern[HELP_FOLDER_MAX + 16];
	glob_t found = { 0 };

	snprintf(pattern, sizeof(pattern), "%s/seg-*.seal", h->folder);
	size_t count = glob(pattern, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
	globfree(&found);
	return count;
}

static void test_oev_shelf_is_asked_by_many_while_the_recorder_writes_and_seals(void)
{
	struct help_shelf *h = help_shelf_new();
	struct help_traffic *t = &h->traffic;
	struct asker askers[ASKERS];
	struct oev_shelf_filter all = { 0 };
	_Atomic bool stop = false;

	help_record_segment_mib(1);
	help_traffic_begin(t, h->folder, 1000000000000ull, help_policy);
	t->sessions = HELP_SESSIONS;
	help_shelf_open(h, false);
	for (int i = 0; i < ASKERS; i++) {
		askers[i] = (struct asker){ .h = h, .stop = &stop };
		pthread_create(&askers[i].thread, NULL, ask, &askers[i]);
	}
	for (int i = 0; i < 50; i++) {
		help_traffic_loss(t, (uint32_t)i % HELP_SERVERS, OC_REPORT_HOST, 20, 5);
		help_traffic_run(t, 1000);
		oev_clock_sleep_us(20000);
	}
	for (int i = 0; i < 1200 && seals(h) + 1 < help_shelf_segments(h); i++)
		oev_clock_sleep_us(50000);
	CU_ASSERT_TRUE(seals(h) + 1 >= help_shelf_segments(h)); /* all but the one that is open */
	help_traffic_end(t);
	atomic_store(&stop, true);
	for (int i = 0; i < ASKERS; i++) {
		pthread_join(askers[i].thread, NULL);
		CU_ASSERT_TRUE(askers[i].asked > 10);
		CU_ASSERT_EQUAL(askers[i].failed, 0);
		CU_ASSERT_EQUAL(askers[i].unordered, 0);
		CU_ASSERT_TRUE(askers[i].most > 10000);
	}
	CU_ASSERT_TRUE(help_shelf_segments(h) >= 3);
	help_shelf_wait(h);
	struct help_walk walk = help_walk(h, &all, 1000, 0);
	CU_ASSERT_EQUAL(walk.rows, 50000);
	CU_ASSERT_EQUAL(walk.without_outcome, 0);
	help_shelf_free(h);
}

static void test_oev_shelf_finds_sessions_of_a_segment_that_is_being_written(void)
{
	struct help_shelf *h = help_shelf_new();
	struct help_traffic *t = &h->traffic;
	struct oev_shelf_session one;
	int rc = OC_ENOENT;

	help_record_segment_mib(0);
	help_traffic_begin(t, h->folder, 1000000000000ull, help_policy);
	t->sessions = 1;
	help_shelf_open(h, false);
	help_traffic_run(t, 5000);
	for (int i = 0; i < 500 && (rc != OC_OK || one.decisions < 4000); i++) {
		help_traffic_pass(t, 100000000); /* so that what was told is stored */
		oev_clock_sleep_us(20000);
		int64_t session = help_shelf_sum(h, "SELECT coalesce(max(session), 0) FROM decision");
		rc = oev_shelf_session(h->shelf, (uint64_t)session, &one, h->error);
	}
	CU_ASSERT_EQUAL(rc, OC_OK);
	CU_ASSERT_TRUE(one.decisions >= 4000);
	help_traffic_run(t, 5000);
	help_traffic_end(t);
	help_shelf_wait(h);
	for (int i = 0; i < 500 && one.decisions < 10000; i++) {
		oev_clock_sleep_us(20000);
		CU_ASSERT_EQUAL(oev_shelf_session(h->shelf, one.session, &one, h->error), OC_OK);
	}
	CU_ASSERT_EQUAL(one.decisions, 10000);
	help_shelf_free(h);
}

void test_oev_shelf_live_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_shelf_live", NULL, NULL);

	CU_ADD_TEST(suite, test_oev_shelf_is_asked_by_many_while_the_recorder_writes_and_seals);
	CU_ADD_TEST(suite, test_oev_shelf_finds_sessions_of_a_segment_that_is_being_written);
}
