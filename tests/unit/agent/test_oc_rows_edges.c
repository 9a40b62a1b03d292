/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Rows where two rules meet: one algorithm for two reports, more reports than are read, who is asked to bear what.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/oc_err.h"
#include "help_hop.h"

void test_oc_rows_edges_suite(void);

#define B1 "b1.example.net"
#define B2 "b2.example.net"
#define C1 "c1.example.net"
#define S1 "s1.example.net"
#define S2 "s2.example.net"
#define REALM "example.net"
#define EVERY_RATE (OC_FV_LOSS | OC_FV_RATE)

static const char *const both[] = { B1, B2 };

/* An agent that may report for s1 and for its realm. */
static struct help_core *reporting_core(void)
{
	struct help_core *core = help_core_new();

	core->policy.reports.sole_path_count = 1;
	strcpy(core->policy.reports.sole_paths[0], S1);
	core->policy.reports.realm_count = 1;
	strcpy(core->policy.reports.realms[0], REALM);
	help_core_apply_policy(core);
	return core;
}

static void order(struct help_core *core, uint8_t type, const char *subject, bool is_rate, uint32_t value)
{
	struct oc_report_order wanted = { .key = { HELP_APP, subject ? help_name(core, subject) : 0, type },
					  .has_reduction = !is_rate,
					  .has_rate = is_rate,
					  .reduction_pct = is_rate ? 0 : value,
					  .rate_rps = is_rate ? value : 0 };

	CU_ASSERT_EQUAL(oc_agent_order(core->agent, &wanted, NULL, core->now_ns), OC_OK);
	oc_agent_tick(core->agent, core->now_ns);
}

static struct help_hop answered(struct help_core *core, const struct oc_msg *answer)
{
	struct oc_msg request = help_request(core, S1);

	help_hop_say(core, &request, EVERY_RATE, NULL, 0);
	return help_hop_pair(core, &request, C1, S1, answer);
}

/* The server selected rate and reports under it: an order that has a percentage only is no reason to say loss beside it. Without
 * the server's report it is. */
static void test_a_passing_report_fixes_the_algorithm(void)
{
	struct help_core *core = reporting_core();
	struct oc_msg answer = help_hop_plain_answer(core, S1);

	order(core, OC_REPORT_REALM, REALM, false, 20);
	help_hop_say(core, &answer, OC_FV_RATE, NULL, 0);
	struct help_hop hop = answered(core, &answer);
	CU_ASSERT_EQUAL(hop.edit.own_count, 1);
	CU_ASSERT_EQUAL(help_hop_read(core, &hop.edit.caps).vector, OC_FV_LOSS);
	struct oc_olr *olr = help_olr(&answer, OC_REPORT_HOST, 1, 0, 60);
	olr->has = (uint8_t)((olr->has & ~OC_OLR_HAS_REDUCTION) | OC_OLR_HAS_RATE);
	olr->rate_rps = 1000;
	hop = answered(core, &answer);
	CU_ASSERT_EQUAL(hop.edit.strip_olr & 1, 0);
	CU_ASSERT_EQUAL(hop.edit.own_count, 0);
	CU_ASSERT_FALSE(hop.edit.add_caps);
	help_core_free(core);
}

/* One order with a percentage, one with a rate: one answer has one algorithm, and no report of the other. */
static void test_two_reports_of_ours_have_one_algorithm(void)
{
	struct help_core *core = reporting_core();
	struct oc_msg answer = help_hop_plain_answer(core, S1);

	order(core, OC_REPORT_HOST, S1, true, 1000);
	order(core, OC_REPORT_REALM, REALM, false, 20);
	struct help_hop hop = answered(core, &answer);
	CU_ASSERT_EQUAL_FATAL(hop.edit.own_count, 1);
	CU_ASSERT_EQUAL(hop.edit.own[0].key.type, OC_REPORT_HOST);
	CU_ASSERT_EQUAL(help_hop_read(core, &hop.edit.caps).vector, OC_FV_RATE);
	help_core_free(core);
}

/* What was not read may be a neighbour's own report: none of them leaves. */
static void test_reports_beyond_those_read_do_not_leave(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg answer = help_answer(core, S1);

	help_olr(&answer, OC_REPORT_HOST, 1, 10, 60);
	answer.olr_excess = 1;
	CU_ASSERT_TRUE(answered(core, &answer).edit.strip_all_olr);
	CU_ASSERT_EQUAL(help_hop_state(core, HELP_APP, OC_REPORT_HOST, S1).reduction_pct, 10);
	help_core_free(core);
}

/* A neighbour that could use a report but may not have it is no better off than one that could not. */
static void test_who_may_not_hear_is_abated_here(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg request = help_request(core, S1);
	static const char *const s1[] = { S1 };

	help_trust(core, "c5.example.net", OC_TRUST_DOIC, NULL);
	help_hop_say(core, &request, OC_FV_LOSS | OC_FV_PEER_REPORT, "c5.example.net", 0);
	order(core, OC_REPORT_PEER, NULL, false, 30);
	CU_ASSERT_EQUAL(help_hop_many(core, &request, "c5.example.net", s1, NULL, 1, 100).refused, 30);
	help_core_free(core);
}

/* Answers made here tell our load to those who may have it, and to nobody else, whatever they know of DOIC. */
static void test_own_answers_keep_load_to_those_who_may_have_it(void)
{
	static const char *const clients[] = { C1, "c5.example.net" };
	struct help_core *core = help_core_new();

	core->policy.default_trust |= OC_TRUST_RECEIVE_LOAD;
	core->policy.load.send = OC_LOAD_SEND_ALWAYS;
	help_trust(core, clients[1], OC_TRUST_DOIC, NULL);
	for (uint32_t i = 0; i < 2; i++) {
		struct oc_msg request = help_request(core, S1);
		struct oc_answer_edit edit = { 0 };
		struct oc_txn txn = { 0 };
		help_hop_say(core, &request, OC_FV_LOSS, NULL, 0);
		oc_agent_on_unrouted(core->agent, &request, help_name(core, clients[i]), core->now_ns, &txn);
		oc_agent_on_own_answer(core->agent, &txn, core->now_ns, &edit);
		CU_ASSERT_TRUE(edit.add_caps);
		CU_ASSERT_EQUAL(edit.add_load, i == 0);
		oc_agent_on_gone(core->agent, &txn, core->now_ns);
	}
	help_core_free(core);
}

/* A report of the neighbour @peer about itself, in an answer of @host that may have one too. */
static void told(struct help_core *core, const char *peer, const char *host, uint32_t peer_pct,
		 uint32_t host_pct)
{
	struct oc_msg request = help_request(core, "nobody.example.net");
	struct oc_msg answer = help_hop_plain_answer(core, host);

	help_hop_say(core, &answer, OC_FV_LOSS | OC_FV_PEER_REPORT, peer, OC_FV_LOSS);
	if (host_pct)
		help_olr(&answer, OC_REPORT_HOST, 1, host_pct, 3600);
	if (peer_pct)
		help_hop_peer_report(core, &answer, peer, 1, peer_pct, 3600);
	help_hop_pair(core, &request, C1, peer, &answer);
}

/* Half of the requests through b1 are for s1, of which half is refused already: a quarter counts towards the 30 % that b1 asks,
 * though b2 brought the report. */
static void test_credit_follows_the_way_requests_take(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg to_s1 = help_request(core, S1), to_s2 = help_request(core, S2);
	struct help_hop_counts counts[2] = { { { 0 }, 0, 0, 0 }, { { 0 }, 0, 0, 0 } };

	told(core, B2, S1, 0, 50);
	told(core, B1, S2, 30, 0);
	for (uint32_t i = 0; i < 2000; i++) {
		struct help_hop_counts one = help_hop_many(core, &to_s1, C1, both, NULL, 1, 1);
		counts[0].sent[0] += one.sent[0];
		one = help_hop_many(core, &to_s2, C1, both, NULL, 1, 1);
		counts[1].sent[0] += one.sent[0];
	}
	uint32_t sent = counts[0].sent[0] + counts[1].sent[0];
	CU_ASSERT_TRUE(sent >= 2795 && sent <= 2805); /* 70 % of 4000 */
	help_core_free(core);
}

/* Two that are equal are no active and standby: the one is not left to the other whole. */
static void test_equals_are_no_standby(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg request = help_request(core, S1);

	core->policy.standby_takes_all = true;
	help_core_apply_policy(core);
	told(core, B1, S1, 10, 0);
	struct help_hop_counts counts = help_hop_many(core, &request, C1, both, NULL, 2, 2000);
	CU_ASSERT_TRUE(counts.sent[0] > 800);
	CU_ASSERT_EQUAL(counts.refused, 0);
	help_core_free(core);
}

void test_oc_rows_edges_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_rows_edges", NULL, NULL);
	CU_add_test(suite, "D-023 D-024 R-5 a_passing_report_fixes_the_algorithm",
		    test_a_passing_report_fixes_the_algorithm);
	CU_add_test(suite, "D-023 R-5 two_reports_of_ours_have_one_algorithm",
		    test_two_reports_of_ours_have_one_algorithm);
	CU_add_test(suite, "D-213 reports_beyond_those_read_do_not_leave",
		    test_reports_beyond_those_read_do_not_leave);
	CU_add_test(suite, "Q-18 D-288 who_may_not_hear_is_abated_here",
		    test_who_may_not_hear_is_abated_here);
	CU_add_test(suite, "L-25 own_answers_keep_load_to_those_who_may_have_it",
		    test_own_answers_keep_load_to_those_who_may_have_it);
	CU_add_test(suite, "D-242 D-243 credit_follows_the_way_requests_take",
		    test_credit_follows_the_way_requests_take);
	CU_add_test(suite, "D-239 equals_are_no_standby", test_equals_are_no_standby);
}
