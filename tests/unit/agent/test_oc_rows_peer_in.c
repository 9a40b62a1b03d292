/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Peer reports that come in: whose they are, what state they make, what is abated for them (RFC 8581 sections 6.2.3, 6.2.5).
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "help_hop.h"

void test_oc_rows_peer_in_suite(void);

#define B1 "b1.example.net"
#define B2 "b2.example.net"
#define C1 "c1.example.net"
#define S1 "s1.example.net"
#define APP_OTHER 16777236u

static const char *const both[] = { B1, B2 };

/* An answer of s1, features as an agent with peer reports sends them: of @peer. */
static struct oc_msg answer_by(struct help_core *core, const char *peer)
{
	struct oc_msg answer = help_hop_plain_answer(core, S1);

	help_hop_say(core, &answer, OC_FV_LOSS | OC_FV_PEER_REPORT, peer, OC_FV_LOSS);
	return answer;
}

/* A report of @peer about itself. */
static struct help_hop told_by(struct help_core *core, const char *peer, uint64_t sequence, uint32_t pct,
			       uint32_t validity_s)
{
	struct oc_msg request = help_request(core, S1);
	struct oc_msg answer = answer_by(core, peer);

	request.dest_realm = help_name(core, "elsewhere.example");
	help_hop_peer_report(core, &answer, peer, sequence, pct, validity_s);
	struct help_hop hop = { .request = request };
	oc_agent_on_request(core->agent, &request, help_name(core, C1), core->now_ns, 0, &hop.txn);
	oc_agent_caps_for_request(core->agent, &request, &hop.txn, &hop.caps);
	hop.went_to = help_name(core, peer);
	oc_agent_on_sent(core->agent, &hop.txn, hop.went_to, core->now_ns);
	help_hop_answer(core, &hop, &answer);
	return hop;
}

static struct oc_ocs_view state_of(struct help_core *core, const char *peer)
{
	return help_hop_state(core, HELP_APP, OC_REPORT_PEER, peer);
}

static uint32_t held(struct help_core *core)
{
	return oc_agent_snapshot(core->agent, core->now_ns, NULL, 0);
}

/* A report of another, of a stranger, of nobody: no state, and it goes no further; the features' SourceID does not help. */
static void test_only_the_neighbours_own_counts(void)
{
	static const char *const sources[] = { B2, S1, NULL, "b9.example.net" };
	struct help_core *core = help_core_new();
	struct oc_msg request = help_request(core, S1);

	help_hop_say(core, &request, OC_FV_LOSS | OC_FV_PEER_REPORT, C1, 0);
	for (uint32_t i = 0; i < 4; i++) {
		struct oc_msg answer = answer_by(core, B1);
		help_hop_peer_report(core, &answer, sources[i], 5 + i, 100, 60);
		struct help_hop hop = help_hop_pair(core, &request, C1, B1, &answer);
		CU_ASSERT_EQUAL(hop.edit.strip_olr & 1, 1);
		CU_ASSERT_EQUAL(help_last(core, OC_EVENT_REPORT)->u.report.reason, OC_REASON_SOURCE_MISMATCH);
	}
	CU_ASSERT_EQUAL(held(core), 0);
	struct oc_msg answer = answer_by(core, "b9.example.net");
	help_hop_peer_report(core, &answer, "B1.Example.NET", 1, 30, 60);
	struct help_hop hop = help_hop_pair(core, &request, C1, B1, &answer);
	CU_ASSERT_EQUAL(hop.edit.strip_olr & 1, 1);
	CU_ASSERT_EQUAL(state_of(core, B1).reduction_pct, 30);
	CU_ASSERT_EQUAL(held(core), 1);
	help_core_free(core);
}

static void test_states_by_application_and_neighbour(void)
{
	struct help_core *core = help_core_new();

	told_by(core, B1, 5, 100, 60);
	told_by(core, B2, 2, 40, 60);
	CU_ASSERT_EQUAL(state_of(core, B1).sequence, 5);
	CU_ASSERT_EQUAL(state_of(core, B2).sequence, 2);
	CU_ASSERT_EQUAL(help_hop_state(core, HELP_APP, OC_REPORT_PEER, S1).version, 0);
	CU_ASSERT_EQUAL(held(core), 2);
	struct oc_msg request = help_request(core, NULL);
	request.app_id = APP_OTHER;
	struct help_hop_counts counts = help_hop_many(core, &request, C1, both, NULL, 1, 20);
	CU_ASSERT_EQUAL(counts.sent[0], 20);
	help_core_free(core);
}

static void test_sequence_silence_and_end(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg request = help_request(core, S1);

	told_by(core, B1, 5, 10, 60);
	told_by(core, B1, 6, 20, 60);
	told_by(core, B1, 6, 90, 60);
	told_by(core, B1, 4, 0, 0);
	CU_ASSERT_EQUAL(state_of(core, B1).sequence, 6);
	CU_ASSERT_EQUAL(state_of(core, B1).reduction_pct, 20);
	for (uint32_t i = 0; i < 50; i++) {
		struct oc_msg answer = answer_by(core, B1);
		help_hop_pair(core, &request, C1, B1, &answer);
	}
	CU_ASSERT_EQUAL(state_of(core, B1).active, 1);
	CU_ASSERT_EQUAL(state_of(core, B1).share_ppm, 200000);
	told_by(core, B1, UINT64_MAX, 30, 60);
	told_by(core, B1, 0, 40, 60);
	CU_ASSERT_EQUAL(state_of(core, B1).reduction_pct, 40);
	told_by(core, B1, 1, 0, 0);
	CU_ASSERT_EQUAL(state_of(core, B1).active, 0);
	help_core_free(core);
}

static void test_three_types_in_every_order(void)
{
	static const uint8_t orders[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
					      { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };

	for (uint32_t i = 0; i < 6; i++) {
		struct help_core *core = help_core_new();
		struct oc_msg request = help_request(core, S1), answer = answer_by(core, B1);
		for (uint32_t k = 0; k < 3; k++) {
			if (orders[i][k] == OC_REPORT_PEER)
				help_hop_peer_report(core, &answer, B1, 3, 30, 60);
			else
				help_olr(&answer, orders[i][k], 1 + orders[i][k], 10 * (1 + orders[i][k]),
					 60);
		}
		help_hop_pair(core, &request, C1, B1, &answer);
		CU_ASSERT_EQUAL(help_hop_state(core, HELP_APP, OC_REPORT_HOST, S1).reduction_pct, 10);
		CU_ASSERT_EQUAL(help_hop_state(core, HELP_APP, OC_REPORT_REALM, "example.net").reduction_pct,
				20);
		CU_ASSERT_EQUAL(state_of(core, B1).reduction_pct, 30);
		CU_ASSERT_EQUAL(held(core), 3);
		help_core_free(core);
	}
}

/* Whatever the Destination-Host and whoever the client: the way is what counts. */
static void test_the_chosen_next_hop_is_matched(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg requests[] = { help_request(core, S1), help_request(core, NULL),
				     help_request(core, S1) };

	help_hop_say(core, &requests[2], OC_FV_LOSS, NULL, 0);
	told_by(core, B1, 1, 100, 60);
	for (uint32_t i = 0; i < 3; i++) {
		struct help_hop_counts counts = help_hop_many(core, &requests[i], C1, both, NULL, 1, 20);
		CU_ASSERT_EQUAL(counts.refused, 20);
		CU_ASSERT_EQUAL(counts.result_code, OC_RC_UNABLE_TO_COMPLY);
		counts = help_hop_many(core, &requests[i], C1, both + 1, NULL, 1, 20);
		CU_ASSERT_EQUAL(counts.sent[0], 20);
	}
	core->policy.refusal_code_peer = OC_RC_TOO_BUSY;
	help_core_apply_policy(core);
	CU_ASSERT_EQUAL(help_hop_many(core, &requests[1], C1, both, NULL, 1, 1).result_code, OC_RC_TOO_BUSY);
	help_core_free(core);
}

static void test_diverts_to_who_has_room(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg request = help_request(core, S1);

	told_by(core, B1, 1, 10, 600);
	struct help_hop_counts counts = help_hop_many(core, &request, C1, both, NULL, 2, 10000);
	CU_ASSERT_EQUAL(counts.refused, 0);
	CU_ASSERT_TRUE(counts.diverted * 9 + 9 >= counts.sent[0] &&
		       counts.diverted * 9 <= counts.sent[0] + 9);
	CU_ASSERT_EQUAL(counts.sent[0] + counts.sent[1], 10000);
	help_core_free(core);
}

/* Both overloaded: each gets less by what it asked for, and nothing moves between them. */
static void test_reductions_add_up(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg request = help_request(core, S1);

	told_by(core, B1, 1, 10, 600);
	told_by(core, B2, 1, 30, 600);
	struct help_hop_counts counts = help_hop_many(core, &request, C1, both, NULL, 2, 10000);
	CU_ASSERT_EQUAL(counts.diverted, 0);
	CU_ASSERT_EQUAL(counts.sent[0] + counts.sent[1] + counts.refused, 10000);
	uint64_t looked1 = state_of(core, B1).matched, looked2 = state_of(core, B2).matched;
	CU_ASSERT_EQUAL(looked1 + looked2, 10000);
	CU_ASSERT_TRUE(looked1 > 4500 && looked1 < 5500);
	CU_ASSERT_TRUE(counts.sent[0] * 10 + 10 >= looked1 * 9 && counts.sent[0] * 10 <= looked1 * 9 + 10);
	CU_ASSERT_TRUE(counts.sent[1] * 10 + 10 >= looked2 * 7 && counts.sent[1] * 10 <= looked2 * 7 + 10);
	help_core_free(core);
}

static void test_standby_takes_all_if_told_so(void)
{
	static const int32_t scores[] = { 20, 10 };
	struct help_core *core = help_core_new();
	struct oc_msg request = help_request(core, S1);

	told_by(core, B1, 1, 10, 600);
	struct help_hop_counts counts = help_hop_many(core, &request, C1, both, scores, 2, 1000);
	CU_ASSERT_TRUE(counts.sent[0] >= 899 && counts.sent[0] <= 901);
	CU_ASSERT_EQUAL(counts.refused, 0);
	core->policy.standby_takes_all = true;
	help_core_apply_policy(core);
	counts = help_hop_many(core, &request, C1, both, scores, 2, 1000);
	CU_ASSERT_EQUAL(counts.sent[1], 1000);
	help_core_free(core);
}

/* Requests that the host's report removes never come before the peer's. */
static void test_host_and_realm_go_first(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg request = help_request(core, S1), answer = answer_by(core, B1);

	help_olr(&answer, OC_REPORT_HOST, 1, 50, 600);
	help_hop_pair(core, &request, C1, B1, &answer);
	told_by(core, B1, 1, 100, 600);
	struct help_hop_counts counts = help_hop_many(core, &request, C1, both, NULL, 1, 1000);
	CU_ASSERT_EQUAL(counts.refused, 1000);
	CU_ASSERT_EQUAL(help_hop_state(core, HELP_APP, OC_REPORT_HOST, S1).matched, 1000 + 1);
	CU_ASSERT_TRUE(state_of(core, B1).matched >= 499 && state_of(core, B1).matched <= 501);
	help_core_free(core);
}

/* The end by time and the end by word: traffic returns along the ramp. */
static void test_end_is_controlled_either_way(void)
{
	for (uint32_t is_told = 0; is_told < 2; is_told++) {
		struct help_core *core = help_core_new();
		core->policy.ramp_ms = 10000;
		help_core_apply_policy(core);
		told_by(core, B1, 1, 50, 10);
		core->now_ns += 10 * SECOND;
		if (is_told)
			told_by(core, B1, 2, 0, 0);
		uint32_t last = 500000; /* what was asked for, in ppm */
		for (uint32_t i = 0; i < 10; i++) {
			oc_agent_tick(core->agent, core->now_ns);
			uint32_t share = state_of(core, B1).share_ppm;
			CU_ASSERT_TRUE(share > 0 && share <= last);
			last = share;
			core->now_ns += SECOND;
		}
		CU_ASSERT_TRUE(last <= 50000);
		oc_agent_tick(core->agent, core->now_ns);
		CU_ASSERT_EQUAL(state_of(core, B1).share_ppm, 0);
		help_core_free(core);
	}
}

static void test_servers_may_send_them_too(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg request = help_request(core, NULL);
	const char *const server[] = { S1 };

	told_by(core, S1, 1, 50, 60);
	CU_ASSERT_EQUAL(state_of(core, S1).reduction_pct, 50);
	struct help_hop_counts counts = help_hop_many(core, &request, C1, server, NULL, 1, 100);
	CU_ASSERT_EQUAL(counts.refused, 50);
	help_core_free(core);
}

void test_oc_rows_peer_in_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_rows_peer_in", NULL, NULL);
	CU_add_test(suite, "D-200 D-201 D-202 D-203 D-204 D-213 D-214 only_the_neighbours_own_counts",
		    test_only_the_neighbours_own_counts);
	CU_add_test(suite, "D-047 D-127 D-205 D-208 states_by_application_and_neighbour",
		    test_states_by_application_and_neighbour);
	CU_add_test(suite, "D-206 D-207 D-209 D-210 sequence_silence_and_end", test_sequence_silence_and_end);
	CU_add_test(suite, "D-212 D-058 three_types_in_every_order", test_three_types_in_every_order);
	CU_add_test(suite, "D-126 D-165 D-237 D-244 the_chosen_next_hop_is_matched",
		    test_the_chosen_next_hop_is_matched);
	CU_add_test(suite, "D-236 D-235 diverts_to_who_has_room", test_diverts_to_who_has_room);
	CU_add_test(suite, "D-238 D-140 reductions_add_up", test_reductions_add_up);
	CU_add_test(suite, "D-239 L-26 standby_takes_all_if_told_so", test_standby_takes_all_if_told_so);
	CU_add_test(suite, "D-241 host_and_realm_go_first", test_host_and_realm_go_first);
	CU_add_test(suite, "D-254 end_is_controlled_either_way", test_end_is_controlled_either_way);
	CU_add_test(suite, "D-234 servers_may_send_them_too", test_servers_may_send_them_too);
}
