/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the replay of evidence that was altered: the first decision that came out otherwise is named.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "help_again.h"
#include "help_evidence.h"

void test_oev_replay_altered_suite(void);

static void assert_named(const char *sql, uint64_t id, const char *field)
{
	struct help_again *h = help_again_new();

	help_again_loss(h);
	help_traffic_end(&h->traffic);
	help_evidence_alter(h->folder, sql);
	help_again_run(h, NULL);
	CU_ASSERT_EQUAL(h->result.outcome, OEV_REPLAY_DIFFERS);
	CU_ASSERT_EQUAL(oev_replay_exit(h->result.outcome), 1);
	CU_ASSERT_FATAL(h->result.difference_count > 0);
	CU_ASSERT_EQUAL(h->result.differences[0].recorded.id, id);
	CU_ASSERT_STRING_EQUAL(h->result.differences[0].field, field);
	help_again_free(h);
}

static void test_oev_replay_altered_share_is_named(void)
{
	uint64_t id = help_again_drawn("0");
	char sql[128];

	snprintf(sql, sizeof(sql), "UPDATE decision SET host_share = host_share + 1 WHERE id = %llu",
		 (unsigned long long)id);
	assert_named(sql, id, "host");
}

static void test_oev_replay_altered_verdict_is_named(void)
{
	uint64_t id = help_again_drawn("2");
	char sql[256];

	snprintf(sql, sizeof(sql),
		 "UPDATE decision SET way = (SELECT way FROM decision WHERE id = 5) WHERE id = %llu",
		 (unsigned long long)id);
	assert_named(sql, id, "selected_by");
}

static void test_oev_replay_altered_chance_is_named(void)
{
	struct help_again *h = help_again_new();
	uint64_t id = help_again_drawn("2");
	char sql[128];

	help_again_loss(h);
	help_traffic_end(&h->traffic);
	/* the highest chance selects as few as may be */
	snprintf(sql, sizeof(sql),
		 "UPDATE decision SET random = random | 4294967295 WHERE id BETWEEN %llu AND %llu",
		 (unsigned long long)id, (unsigned long long)id + 99);
	help_evidence_alter(h->folder, sql);
	help_again_run(h, NULL);
	CU_ASSERT_EQUAL(h->result.outcome, OEV_REPLAY_DIFFERS);
	CU_ASSERT_FATAL(h->result.difference_count > 0);
	CU_ASSERT_TRUE(h->result.differences[0].recorded.id >= id &&
		       h->result.differences[0].recorded.id < id + 100);
	CU_ASSERT_STRING_EQUAL(h->result.differences[0].field, "selected_by");
	help_again_free(h);
}

static void test_oev_replay_altered_says_what_went_into_a_difference(void)
{
	struct help_again *h = help_again_new();
	uint64_t id = help_again_drawn("0");
	char sql[128];
	const struct oev_difference *first;

	help_again_loss(h);
	help_traffic_end(&h->traffic);
	snprintf(sql, sizeof(sql), "UPDATE decision SET host_share = 1 WHERE id >= %llu AND host_nth > 0",
		 (unsigned long long)id);
	help_evidence_alter(h->folder, sql);
	help_again_run(h, NULL);
	CU_ASSERT_TRUE(h->result.total.differing > OEV_DIFFERENCES_LISTED);
	CU_ASSERT_EQUAL_FATAL(h->result.difference_count, OEV_DIFFERENCES_LISTED);
	first = &h->result.differences[0];
	CU_ASSERT_EQUAL(first->recorded.id, id);
	CU_ASSERT_EQUAL(first->recorded.host.share_ppm, 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(first->states[OC_SCOPE_HOST].text, "host s1.example.net: loss 30 %"));
	CU_ASSERT_PTR_NOT_NULL(strstr(first->candidates, "s1.example.net (9)"));
	CU_ASSERT_STRING_EQUAL(first->dest_host, "s1.example.net");
	CU_ASSERT_STRING_EQUAL(first->origin_realm, "example.net");
	CU_ASSERT_EQUAL(first->wall_us, HELP_WALL_US + first->recorded.at_ns / 1000);
	help_again_free(h);
}

static void test_oev_replay_altered_stops_at_the_first(void)
{
	struct help_again *h = help_again_new();
	const struct oev_replay_options options = { .stop_at_first = true };

	help_again_loss(h);
	help_traffic_end(&h->traffic);
	help_evidence_alter(h->folder, "UPDATE decision SET host_share = 1 WHERE host_nth > 0");
	help_again_run(h, &options);
	CU_ASSERT_EQUAL(h->result.outcome, OEV_REPLAY_DIFFERS);
	help_again_free(h);
}

void test_oev_replay_altered_suite(void)
{
	CU_TestInfo tests[] = {
		{ "share_is_named", test_oev_replay_altered_share_is_named },
		{ "verdict_is_named", test_oev_replay_altered_verdict_is_named },
		{ "chance_is_named", test_oev_replay_altered_chance_is_named },
		{ "says_what_went_into_a_difference",
		  test_oev_replay_altered_says_what_went_into_a_difference },
		{ "stops_at_the_first", test_oev_replay_altered_stops_at_the_first },
		CU_TEST_INFO_NULL,
	};
	CU_SuiteInfo suites[] = { { "oev_replay_altered", NULL, NULL, NULL, NULL, tests },
				  CU_SUITE_INFO_NULL };

	CU_register_suites(suites);
}
