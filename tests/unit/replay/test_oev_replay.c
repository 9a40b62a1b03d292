/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the replay of an evidence folder: what was recorded comes out the same.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>

#include "help_again.h"
#include "help_evidence.h"

void test_oev_replay_suite(void);

static void test_oev_replay_loss_comes_out_the_same(void)
{
	struct help_again *h = help_again_new();

	help_again_loss(h);
	help_traffic_end(&h->traffic);
	CU_ASSERT_TRUE(h->traffic.refused > 200);
	help_again_run(h, NULL);
	help_again_assert_identical(h, 30000);
	CU_ASSERT_EQUAL(h->result.life_count, 1);
	CU_ASSERT_TRUE(h->result.lives[0].same_core);
	help_again_free(h);
}

static void test_oev_replay_realm_and_peer_reports_come_out_the_same(void)
{
	struct help_again *h = help_again_new();

	help_traffic_begin(&h->traffic, h->folder, START_NS, help_policy);
	h->traffic.apps = 3;
	help_traffic_loss(&h->traffic, 1, OC_REPORT_REALM, 20, 30);
	help_traffic_run(&h->traffic, 3000);
	help_traffic_loss(&h->traffic, 2, OC_REPORT_PEER, 60, 30);
	help_traffic_run(&h->traffic, 5000);
	help_traffic_loss(&h->traffic, 3, OC_REPORT_HOST, 100, 1);
	help_traffic_run(&h->traffic, 20000);
	help_traffic_end(&h->traffic);
	CU_ASSERT_TRUE(h->traffic.diverted > 0);
	help_again_run(h, NULL);
	help_again_assert_identical(h, 28000);
	help_again_free(h);
}

static void test_oev_replay_rates_and_loads_come_out_the_same(void)
{
	struct help_again *h = help_again_new();

	help_traffic_begin(&h->traffic, h->folder, START_NS, help_policy);
	for (uint32_t i = 0; i < HELP_SERVERS; i++)
		h->traffic.servers[i].has_load = true;
	h->traffic.servers[1].load = OC_LOAD_IDLE;
	help_traffic_rate(&h->traffic, 0, 50, 60);
	help_traffic_run(&h->traffic, 5000);
	h->traffic.servers[2].load = 20000;
	help_traffic_rate(&h->traffic, 0, 20, 60);
	help_traffic_run(&h->traffic, 10000);
	help_traffic_end(&h->traffic);
	CU_ASSERT_TRUE(h->traffic.refused > 100);
	help_again_run(h, NULL);
	help_again_assert_identical(h, 15000);
	help_again_free(h);
}

static void test_oev_replay_own_reports_come_out_the_same(void)
{
	struct help_again *h = help_again_new();

	help_traffic_begin(&h->traffic, h->folder, START_NS, help_policy);
	help_traffic_run(&h->traffic, 1000);
	help_traffic_order(&h->traffic, 40);
	help_traffic_run(&h->traffic, 9000);
	help_traffic_pass(&h->traffic, 20 * SECOND);
	help_traffic_run(&h->traffic, 1000);
	help_traffic_withdraw(&h->traffic);
	help_traffic_run(&h->traffic, 5000);
	help_traffic_pass(&h->traffic, 20 * SECOND);
	help_traffic_run(&h->traffic, 1000);
	help_traffic_end(&h->traffic);
	CU_ASSERT_TRUE(h->traffic.refused > 100);
	help_again_run(h, NULL);
	help_again_assert_identical(h, 17000);
	help_again_free(h);
}

static void test_oev_replay_observation_comes_out_the_same(void)
{
	struct help_again *h = help_again_new();
	char policy[1024];

	snprintf(policy, sizeof(policy), "mode: observe\nsampler: random\noutstanding_max: 20\n%s",
		 help_policy);
	help_traffic_begin(&h->traffic, h->folder, START_NS, policy);
	help_traffic_loss(&h->traffic, 0, OC_REPORT_HOST, 50, 60);
	help_traffic_run(&h->traffic, 10000);
	help_traffic_end(&h->traffic);
	CU_ASSERT_EQUAL(h->traffic.refused, 0);
	help_again_run(h, NULL);
	help_again_assert_identical(h, 10000);
	help_again_free(h);
}

static void test_oev_replay_policies_take_turns(void)
{
	struct help_again *h = help_again_new();
	char policy[1024];

	help_traffic_begin(&h->traffic, h->folder, START_NS, help_policy);
	help_traffic_loss(&h->traffic, 0, OC_REPORT_HOST, 50, 60);
	help_traffic_run(&h->traffic, 5000);
	snprintf(policy, sizeof(policy), "sampler: random\n%s", help_policy);
	help_traffic_policy(&h->traffic, policy, 2);
	help_traffic_run(&h->traffic, 5000);
	help_traffic_policy(&h->traffic, "{}", 3);
	help_traffic_run(&h->traffic, 5000);
	help_traffic_end(&h->traffic);
	help_again_run(h, NULL);
	help_again_assert_identical(h, 15000);
	CU_ASSERT_EQUAL(h->result.lives[0].policy_first, 1);
	CU_ASSERT_EQUAL(h->result.lives[0].policy_last, 3);
	help_again_free(h);
}

static void test_oev_replay_full_peers_and_failover_come_out_the_same(void)
{
	struct help_again *h = help_again_new();
	char policy[1024];

	snprintf(policy, sizeof(policy), "outstanding_max: 12\n%s", help_policy);
	help_traffic_begin(&h->traffic, h->folder, START_NS, policy);
	help_traffic_loss(&h->traffic, 2, OC_REPORT_PEER, 40, 60);
	help_traffic_run(&h->traffic, 3000);
	help_traffic_peer(&h->traffic, 1, false);
	help_traffic_run(&h->traffic, 3000);
	help_traffic_peer(&h->traffic, 1, true);
	help_traffic_peer(&h->traffic, 0, false);
	help_traffic_run(&h->traffic, 3000);
	for (uint32_t i = 1; i < HELP_SERVERS; i++)
		help_traffic_peer(&h->traffic, i, false);
	help_traffic_run(&h->traffic, 100); /* nobody is there */
	help_traffic_end(&h->traffic);
	help_again_run(h, NULL);
	help_again_assert_identical(h, 9100);
	help_again_free(h);
}

static void test_oev_replay_every_life_begins_anew(void)
{
	struct help_again *h = help_again_new();

	help_again_loss(h);
	help_traffic_end(&h->traffic);
	help_traffic_begin(&h->traffic, h->folder, START_NS + 10 * SECOND, help_policy);
	help_traffic_loss(&h->traffic, 1, OC_REPORT_HOST, 70, 60);
	help_traffic_run(&h->traffic, 5000);
	help_traffic_end(&h->traffic);
	help_again_run(h, NULL);
	help_again_assert_identical(h, 35000);
	CU_ASSERT_EQUAL(h->result.life_count, 2);
	CU_ASSERT_TRUE(h->result.lives[0].started_us < h->result.lives[1].started_us);
	help_again_free(h);
}

static void test_oev_replay_of_a_killed_life_ends_where_it_ended(void)
{
	struct help_again *h = help_again_new();

	help_again_loss(h);
	help_traffic_kill(&h->traffic);
	help_evidence_alter(h->folder, "UPDATE meta SET value = 'recovered' WHERE key = 'closed_how'");
	help_again_run(h, NULL);
	help_again_assert_identical(h, 30000);
	help_again_free(h);
}

void test_oev_replay_suite(void)
{
	CU_TestInfo tests[] = {
		{ "loss_comes_out_the_same", test_oev_replay_loss_comes_out_the_same },
		{ "realm_and_peer_reports_come_out_the_same",
		  test_oev_replay_realm_and_peer_reports_come_out_the_same },
		{ "rates_and_loads_come_out_the_same", test_oev_replay_rates_and_loads_come_out_the_same },
		{ "own_reports_come_out_the_same", test_oev_replay_own_reports_come_out_the_same },
		{ "observation_comes_out_the_same", test_oev_replay_observation_comes_out_the_same },
		{ "policies_take_turns", test_oev_replay_policies_take_turns },
		{ "full_peers_and_failover_come_out_the_same",
		  test_oev_replay_full_peers_and_failover_come_out_the_same },
		{ "every_life_begins_anew", test_oev_replay_every_life_begins_anew },
		{ "of_a_killed_life_ends_where_it_ended",
		  test_oev_replay_of_a_killed_life_ends_where_it_ended },
		CU_TEST_INFO_NULL,
	};
	CU_SuiteInfo suites[] = { { "oev_replay", NULL, NULL, NULL, NULL, tests }, CU_SUITE_INFO_NULL };

	CU_register_suites(suites);
}
