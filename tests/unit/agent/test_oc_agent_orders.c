/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of reports of our own at the agent: what of them is applied here, and what a new policy means for them.
 */
#include "agent/oc_err.h"
#include "help_core.h"
#include <CUnit/CUnit.h>
#include <string.h>

void test_oc_agent_orders_suite(void);

#define RATE_RPS 50u
#define LONG_S 86400u

/* A request of a client that cannot react: this node takes its part of a rate for it. */
static void send_plain(struct help_core *core)
{
	struct oc_msg request = help_request(core, "elsewhere.example.org");
	struct oc_txn txn = { 0 };

	oc_agent_on_request(core->agent, &request, help_name(core, "client.example.net"), core->now_ns, 0,
			    &txn);
	oc_agent_on_gone(core->agent, &txn, core->now_ns);
}

/* Reports about every host of example.net and about that realm are allowed. */
static struct help_core *begin(void)
{
	struct help_core *core = help_core_new();

	strcpy(core->policy.reports.sole_paths[0], "*.example.net");
	core->policy.reports.sole_path_count = 1;
	strcpy(core->policy.reports.realms[0], "example.net");
	core->policy.reports.realm_count = 1;
	core->policy.reports.fall_step_pct = 0;
	help_core_apply_policy(core);
	send_plain(core);
	return core;
}

static int order(struct help_core *core, uint8_t type, const char *subject, uint32_t rate_rps,
		 uint64_t until_ns)
{
	struct oc_report_order wanted = { .key = { .app_id = HELP_APP, .type = type },
					  .has_rate = rate_rps != 0,
					  .has_reduction = rate_rps == 0,
					  .reduction_pct = 30,
					  .rate_rps = rate_rps,
					  .validity_s = LONG_S,
					  .until_ns = until_ns };

	wanted.key.subject = help_name(core, subject);
	return oc_agent_order(core->agent, &wanted, NULL, core->now_ns);
}

/* State held here about @subject, or one that is all zero. */
static struct oc_ocs_view held(struct help_core *core, const char *subject)
{
	struct oc_ocs_view views[64];
	uint32_t count = oc_agent_snapshot(core->agent, core->now_ns, views, 64);

	for (uint32_t i = 0; i < count && i < 64; i++)
		if (views[i].subject == help_name(core, subject))
			return views[i];
	return (struct oc_ocs_view){ 0 };
}

static void test_oc_agent_orders_end_of_a_rate_ends_it_here(void)
{
	struct help_core *core = begin();
	struct oc_report_key key = { .app_id = HELP_APP, .type = OC_REPORT_HOST };

	key.subject = help_name(core, "s1.example.net");
	CU_ASSERT_EQUAL(order(core, OC_REPORT_HOST, "s1.example.net", RATE_RPS, 0), OC_OK);
	CU_ASSERT_EQUAL(held(core, "s1.example.net").rate_rps, RATE_RPS);
	CU_ASSERT_TRUE(held(core, "s1.example.net").active);
	CU_ASSERT_TRUE(held(core, "s1.example.net").is_own);
	core->now_ns += SECOND;
	CU_ASSERT_EQUAL(oc_agent_withdraw(core->agent, &key, NULL, core->now_ns), OC_OK);
	CU_ASSERT_FALSE(held(core, "s1.example.net").active);
	help_core_free(core);
}

/* A rate that gives way to a percentage: its end must not end the percentage too. */
static void test_oc_agent_orders_end_of_a_rate_leaves_a_reduction(void)
{
	struct help_core *core = begin();

	order(core, OC_REPORT_HOST, "s1.example.net", RATE_RPS, 0);
	core->now_ns += SECOND;
	order(core, OC_REPORT_HOST, "s1.example.net", 0, 0);
	CU_ASSERT_TRUE(held(core, "s1.example.net").active);
	CU_ASSERT_EQUAL(held(core, "s1.example.net").algorithm, OC_ALGO_LOSS);
	CU_ASSERT_EQUAL(held(core, "s1.example.net").reduction_pct, 30);
	help_core_free(core);
}

static void host_name(char name[static 32], uint32_t i)
{
	strcpy(name, "s000.example.net");
	name[1] = (char)('0' + i / 100 % 10);
	name[2] = (char)('0' + i / 10 % 10);
	name[3] = (char)('0' + i % 10);
}

static void test_oc_agent_orders_every_rate_is_applied_here(void)
{
	struct help_core *core = begin();
	char name[32];

	for (uint32_t i = 0; i < OC_REPORT_ORDERS_MAX; i++) {
		host_name(name, i);
		CU_ASSERT_EQUAL(order(core, OC_REPORT_HOST, name, RATE_RPS, 0), OC_OK);
		CU_ASSERT_EQUAL(held(core, name).rate_rps, RATE_RPS);
	}
	help_core_free(core);
}

/* Orders that ended by themselves take nothing away from those that come later. */
static void test_oc_agent_orders_rates_that_ran_out_leave_no_trace(void)
{
	struct help_core *core = begin();
	char name[32];

	for (uint32_t i = 0; i < 100; i++) {
		host_name(name, i);
		send_plain(core);
		order(core, OC_REPORT_HOST, name, RATE_RPS, core->now_ns + SECOND);
		CU_ASSERT_EQUAL(held(core, name).rate_rps, RATE_RPS);
		core->now_ns += (LONG_S + 60) * SECOND;
		oc_agent_tick(core->agent, core->now_ns);
	}
	help_core_free(core);
}

/* What no client was told of leaves no trace but here, where plain clients were held to it. */
static void test_oc_agent_orders_end_nobody_was_told_of_ends_it_here(void)
{
	struct help_core *core = begin();
	struct oc_report_key key = { .app_id = HELP_APP, .type = OC_REPORT_HOST };

	key.subject = help_name(core, "s1.example.net");
	order(core, OC_REPORT_HOST, "s1.example.net", 0, 0);
	CU_ASSERT_TRUE(held(core, "s1.example.net").active);
	core->now_ns += SECOND;
	oc_agent_withdraw(core->agent, &key, NULL, core->now_ns);
	CU_ASSERT_FALSE(held(core, "s1.example.net").active);
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_OWN_REPORT)->u.own_report.step, OC_REPORT_GONE);
	help_core_free(core);
}

/* A state that is over is remembered for a while; what is ordered for every application counts all the same. */
static void test_oc_agent_orders_for_all_counts_beside_an_ended_state(void)
{
	struct help_core *core = begin();
	struct oc_msg answer = help_answer(core, "s1.example.net");
	struct oc_msg request = help_request(core, "s1.example.net");
	struct oc_report_order wanted = { .key = { .app_id = OC_APP_ANY, .type = OC_REPORT_HOST },
					  .has_reduction = true,
					  .reduction_pct = 100 };
	struct oc_txn txn = { 0 };

	help_olr(&answer, OC_REPORT_HOST, 1, 50, 1);
	help_exchange(core, &answer, "s1.example.net");
	core->now_ns += 2 * SECOND;
	wanted.key.subject = help_name(core, "s1.example.net");
	CU_ASSERT_EQUAL(oc_agent_order(core->agent, &wanted, NULL, core->now_ns), OC_OK);
	CU_ASSERT_EQUAL(oc_agent_on_request(core->agent, &request, 3, core->now_ns, 0, &txn), OC_REFUSE);
	oc_agent_on_gone(core->agent, &txn, core->now_ns);
	help_core_free(core);
}

/* What the server allotted to one client before we took over must not shield that client. */
static void test_oc_agent_orders_come_before_rates_of_others(void)
{
	struct help_core *core = begin();
	struct oc_msg answer = help_answer(core, "s1.example.net");
	struct oc_msg request = help_request(core, "s1.example.net");
	struct oc_report_order wanted = { .key = { .app_id = HELP_APP, .type = OC_REPORT_HOST },
					  .has_reduction = true,
					  .reduction_pct = 100 };
	struct oc_olr *olr = help_olr(&answer, OC_REPORT_HOST, 1, 0, 3600);
	struct oc_txn txn = { 0 };

	answer.caps.vector = OC_FV_RATE;
	olr->rate_rps = 1000;
	olr->has = (uint8_t)((olr->has & ~OC_OLR_HAS_REDUCTION) | OC_OLR_HAS_RATE);
	help_exchange(core, &answer, "s1.example.net");
	CU_ASSERT_EQUAL(held(core, "s1.example.net").origin, help_name(core, "client.example.net"));
	wanted.key.subject = help_name(core, "s1.example.net");
	CU_ASSERT_EQUAL(oc_agent_order(core->agent, &wanted, NULL, core->now_ns), OC_OK);
	CU_ASSERT_EQUAL(oc_agent_on_request(core->agent, &request, 3, core->now_ns, 0, &txn), OC_REFUSE);
	oc_agent_on_gone(core->agent, &txn, core->now_ns);
	help_core_free(core);
}

/* Neighbours that cannot be told, each with an order of its own. */
static void test_oc_agent_orders_about_us_hold_for_many_neighbours(void)
{
	struct help_core *core = begin();
	uint32_t refused[OC_REPORT_ORDERS_MAX] = { 0 };
	char name[32];

	for (uint32_t i = 0; i < 2 * OC_REPORT_ORDERS_MAX; i++) {
		struct oc_report_key key = { .app_id = HELP_APP, .type = OC_REPORT_PEER };
		host_name(name, i);
		key.subject = help_name(core, name);
		CU_ASSERT_EQUAL(order(core, OC_REPORT_PEER, name, 0, 0), OC_OK);
		if (i < OC_REPORT_ORDERS_MAX)
			oc_agent_withdraw(core->agent, &key, NULL, core->now_ns);
		oc_agent_tick(core->agent, core->now_ns);
	}
	for (uint32_t n = 0; n < 100 * OC_REPORT_ORDERS_MAX; n++) {
		struct oc_msg request = help_request(core, NULL);
		struct oc_txn txn = { 0 };
		host_name(name, OC_REPORT_ORDERS_MAX + n % OC_REPORT_ORDERS_MAX);
		refused[n % OC_REPORT_ORDERS_MAX] +=
			oc_agent_on_request(core->agent, &request, help_name(core, name), core->now_ns,
					    help_random(&core->chance), &txn) == OC_REFUSE;
		oc_agent_on_gone(core->agent, &txn, core->now_ns);
	}
	for (uint32_t i = 0; i < OC_REPORT_ORDERS_MAX; i++)
		CU_ASSERT(refused[i] >= 29 && refused[i] <= 31);
	help_core_free(core);
}

static void test_oc_agent_orders_policy_takes_back_what_it_allowed(void)
{
	struct help_core *core = begin();
	struct oc_report_view view[2];

	CU_ASSERT_EQUAL(order(core, OC_REPORT_HOST, "s1.example.net", 0, 0), OC_OK);
	CU_ASSERT_EQUAL(order(core, OC_REPORT_REALM, "example.net", 0, 0), OC_OK);
	core->policy.reports.sole_path_count = 0;
	core->policy.reports.realm_count = 0;
	help_core_apply_policy(core);
	uint32_t count = oc_agent_orders(core->agent, view, 2);
	for (uint32_t i = 0; i < count; i++)
		CU_ASSERT_TRUE(view[i].is_withdrawn);
	CU_ASSERT_FALSE(held(core, "s1.example.net").active);
	CU_ASSERT_FALSE(held(core, "example.net").active);
	help_core_free(core);
}

void test_oc_agent_orders_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_agent_orders", NULL, NULL);

	CU_add_test(suite, "D-098 D-108 end_of_a_rate_ends_it_here",
		    test_oc_agent_orders_end_of_a_rate_ends_it_here);
	CU_add_test(suite, "D-048 end_of_a_rate_leaves_a_reduction",
		    test_oc_agent_orders_end_of_a_rate_leaves_a_reduction);
	CU_add_test(suite, "R-8 every_rate_is_applied_here", test_oc_agent_orders_every_rate_is_applied_here);
	CU_add_test(suite, "R-8 rates_that_ran_out_leave_no_trace",
		    test_oc_agent_orders_rates_that_ran_out_leave_no_trace);
	CU_add_test(suite, "D-097 D-108 end_nobody_was_told_of_ends_it_here",
		    test_oc_agent_orders_end_nobody_was_told_of_ends_it_here);
	CU_add_test(suite, "D-034 for_all_counts_beside_an_ended_state",
		    test_oc_agent_orders_for_all_counts_beside_an_ended_state);
	CU_add_test(suite, "D-115 come_before_rates_of_others",
		    test_oc_agent_orders_come_before_rates_of_others);
	CU_add_test(suite, "Q-18 about_us_hold_for_many_neighbours",
		    test_oc_agent_orders_about_us_hold_for_many_neighbours);
	CU_add_test(suite, "D-035 D-113 policy_takes_back_what_it_allowed",
		    test_oc_agent_orders_policy_takes_back_what_it_allowed);
}
