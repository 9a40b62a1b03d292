/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the feed of a watch: it shows the end of the folder, and no more than that.
 */
#include <CUnit/CUnit.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "evidence/watch/oev_watch_feed.h"
#include "help_shelf.h"

void test_oev_watch_feed_suite(void);

struct sums {
	uint64_t requests, refused, answers, matched, known;
	int16_t asked;
};

static struct sums sum(struct oev_watch *watch)
{
	static struct oev_watch_second seconds[OEV_WATCH_SECONDS];
	struct sums sums = { .asked = -1 };

	oev_watch_seconds(watch, oev_watch_latest(watch), OEV_WATCH_SECONDS, seconds);
	for (unsigned i = 0; i < OEV_WATCH_SECONDS; i++) {
		sums.requests += seconds[i].count.requests;
		sums.refused += seconds[i].count.refused;
		sums.answers += seconds[i].count.answers;
		sums.matched += seconds[i].population.matched;
		sums.known += seconds[i].is_known;
		sums.asked = seconds[i].population.asked_pct > sums.asked ? seconds[i].population.asked_pct
									  : sums.asked;
	}
	return sums;
}

static void test_oev_watch_feed_shows_the_last_life_as_it_was_recorded(void)
{
	struct help_shelf *h = help_shelf_whole();
	size_t last = help_shelf_segments(h) - 1;
	struct oev_watch_feed *feed = NULL;
	struct oev_watch_decision decisions[OEV_WATCH_LAST];
	struct oev_watch_change changes[OEV_WATCH_CHANGES];
	struct oev_watch_node nodes[64];

	CU_ASSERT_EQUAL_FATAL(oev_watch_feed_new(&feed, h->shelf, NULL, h->error), OC_OK);
	struct oev_watch *watch = oev_watch_feed_watch(feed);
	struct sums sums = sum(watch);
	CU_ASSERT_EQUAL(sums.requests, HELP_SECOND_LIFE);
	CU_ASSERT_EQUAL((int64_t)sums.refused,
			help_shelf_ask(h, last, "SELECT count(*) FROM v_decision WHERE verdict = 'refused'"));
	CU_ASSERT_EQUAL((int64_t)sums.answers,
			help_shelf_ask(h, last, "SELECT count(*) FROM v_outcome WHERE maker = 'upstream'"));
	CU_ASSERT_EQUAL(sums.asked, 50);
	CU_ASSERT_TRUE(sums.matched > 0);
	CU_ASSERT_TRUE(sums.known < OEV_WATCH_SECONDS / 2); /* before the life began nothing is known */
	CU_ASSERT_EQUAL(oev_watch_last(watch, decisions, OEV_WATCH_LAST), OEV_WATCH_LAST);
	CU_ASSERT_EQUAL(decisions[0].decision.id, HELP_SECOND_LIFE);
	CU_ASSERT_TRUE(decisions[0].took_ns != 0);
	CU_ASSERT_STRING_EQUAL(oc_names_text(oev_watch_feed_names(feed), 9999), "(overflow)");
	CU_ASSERT_TRUE(oev_watch_nodes(watch, nodes, 64) >= HELP_SERVERS);
	uint32_t count = oev_watch_changes(watch, 0, changes, OEV_WATCH_CHANGES);
	bool has_state = false;
	for (uint32_t i = 0; i < count; i++)
		has_state |= strstr(changes[i].text, "state #1 held: host") != NULL;
	CU_ASSERT_TRUE(has_state);
	oev_watch_feed_free(feed);
	help_shelf_free(h);
}

static void test_oev_watch_feed_of_an_empty_folder_is_empty_and_it_can_be_stopped(void)
{
	struct help_shelf *h = help_shelf_new();
	struct oev_watch_feed *feed = NULL;
	const _Atomic bool stop = true;

	help_shelf_open(h, false);
	CU_ASSERT_EQUAL_FATAL(oev_watch_feed_new(&feed, h->shelf, NULL, h->error), OC_OK);
	CU_ASSERT_EQUAL(oev_watch_latest(oev_watch_feed_watch(feed)), 0);
	oev_watch_feed_free(feed);
	help_shelf_close(h);
	help_shelf_record(h);
	help_shelf_open(h, false);
	CU_ASSERT_EQUAL(oev_watch_feed_new(&feed, h->shelf, &stop, h->error), OC_EINTERRUPTED);
	CU_ASSERT_PTR_NULL(feed);
	oev_watch_feed_free(NULL);
	help_shelf_free(h);
}

void test_oev_watch_feed_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_watch_feed", NULL, NULL);

	CU_ADD_TEST(suite, test_oev_watch_feed_shows_the_last_life_as_it_was_recorded);
	CU_ADD_TEST(suite, test_oev_watch_feed_of_an_empty_folder_is_empty_and_it_can_be_stopped);
}
