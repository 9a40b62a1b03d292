/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Capability for one hop: what requests and answers say of this agent to the neighbour they go to (RFC 8581 section 6.1).
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "help_hop.h"

void test_oc_rows_hop_suite(void);

#define US "agent.example.net"
#define B1 "b1.example.net"
#define C3 "c3.example.net"
#define N "n.example.net"
#define S1 "s1.example.net"

#define BOTH (OC_FV_LOSS | OC_FV_PEER_REPORT)

/* What the client hears of features when @answer comes to a request with @vector and @source from the neighbour @client. */
static struct oc_caps heard(struct help_core *core, uint64_t vector, const char *source, const char *client,
			    const struct oc_msg *answer, struct help_hop *hop)
{
	struct oc_msg request = help_request(core, S1);

	request.origin_host = help_name(core, C3);
	help_hop_say(core, &request, vector, source, 0);
	*hop = help_hop_pair(core, &request, client, B1, answer);
	if (hop->edit.add_caps)
		return help_hop_read(core, &hop->edit.caps);
	return hop->edit.strip_caps ? (struct oc_caps){ 0 } : answer->caps;
}

static void assert_says_nothing_of_a_hop(const struct oc_caps *caps)
{
	CU_ASSERT_EQUAL(caps->has & (OC_CAPS_HAS_SOURCE | OC_CAPS_HAS_PEER_ALGO), 0);
	CU_ASSERT_FALSE(caps->has & OC_CAPS_HAS_VECTOR && caps->vector & OC_FV_PEER_REPORT);
}

static void assert_says_ours(struct help_core *core, const struct oc_caps *caps, uint64_t peer_algo)
{
	CU_ASSERT_EQUAL(caps->vector & OC_FV_PEER_REPORT, OC_FV_PEER_REPORT);
	CU_ASSERT_EQUAL(caps->source, help_name(core, US));
	CU_ASSERT_EQUAL(caps->peer_algo, peer_algo);
}

static void order_peer_report(struct help_core *core)
{
	struct oc_report_order order = { .key = { HELP_APP, 0, OC_REPORT_PEER },
					 .has_reduction = true,
					 .reduction_pct = 20 };

	CU_ASSERT_EQUAL(oc_agent_order(core->agent, &order, NULL, core->now_ns), 0);
	oc_agent_tick(core->agent, core->now_ns);
}

/* The same neighbour, one transaction after the other: each answer by its own request, in the overload of this agent too. */
static void test_support_is_of_the_transaction(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg answer = help_answer(core, S1);
	struct help_hop hop;

	order_peer_report(core);
	for (uint32_t i = 0; i < 3; i++) {
		struct oc_caps caps = heard(core, BOTH, C3, C3, &answer, &hop);
		assert_says_ours(core, &caps, OC_FV_LOSS);
		CU_ASSERT_EQUAL_FATAL(hop.edit.own_count, 1);
		CU_ASSERT_EQUAL(help_hop_read_own(core, &hop.edit.own[0]).type, OC_REPORT_PEER);
		CU_ASSERT_EQUAL(help_hop_read_own(core, &hop.edit.own[0]).source, help_name(core, US));
		caps = heard(core, OC_FV_LOSS, NULL, C3, &answer, &hop);
		assert_says_nothing_of_a_hop(&caps);
		CU_ASSERT_EQUAL(hop.edit.own_count, 0);
	}
	help_core_free(core);
}

/* Bit, SourceID, and that SourceID being the neighbour's: one missing, and there is no support. */
static void test_support_needs_all_three(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg answer = help_answer(core, S1);
	struct help_hop hop;

	order_peer_report(core);
	struct oc_caps caps = heard(core, BOTH, NULL, C3, &answer, &hop);
	assert_says_nothing_of_a_hop(&caps);
	CU_ASSERT_EQUAL(hop.edit.own_count, 0);
	caps = heard(core, OC_FV_LOSS, C3, C3, &answer, &hop);
	assert_says_nothing_of_a_hop(&caps);
	CU_ASSERT_EQUAL(hop.edit.own_count, 0);
	/* A plain relay between: SourceID is still the client's, as Origin-Host is, but the neighbour is the relay. */
	caps = heard(core, BOTH, C3, N, &answer, &hop);
	assert_says_nothing_of_a_hop(&caps);
	CU_ASSERT_EQUAL(hop.edit.own_count, 0);
	/* A name is a name whatever its case. */
	caps = heard(core, BOTH, "C3.Example.Net", C3, &answer, &hop);
	assert_says_ours(core, &caps, OC_FV_LOSS);
	CU_ASSERT_EQUAL(hop.edit.own_count, 1);
	help_core_free(core);
}

/* What the next agent said of its hop is not for this one. */
static void test_words_of_another_hop_go(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg answer = help_hop_plain_answer(core, S1);
	struct help_hop hop;

	help_hop_say(core, &answer, BOTH, B1, OC_FV_LOSS);
	struct oc_caps caps = heard(core, OC_FV_LOSS, NULL, C3, &answer, &hop);
	assert_says_nothing_of_a_hop(&caps);
	CU_ASSERT_TRUE(hop.edit.strip_caps);
	caps = heard(core, BOTH, C3, C3, &answer, &hop);
	assert_says_ours(core, &caps, OC_FV_LOSS);
	help_core_free(core);
}

/* A second set of features in the answer could hold anything, a SourceID too: one set leaves, and it is known. */
static void test_one_set_of_features_leaves(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg answer = help_hop_plain_answer(core, S1);
	struct help_hop hop;

	help_hop_say(core, &answer, OC_FV_LOSS, NULL, 0);
	answer.caps.has |= OC_CAPS_REPEATED;
	struct oc_caps caps = heard(core, OC_FV_LOSS, NULL, C3, &answer, &hop);
	CU_ASSERT_TRUE(hop.edit.strip_caps && hop.edit.add_caps);
	CU_ASSERT_EQUAL(caps.vector, OC_FV_LOSS);
	assert_says_nothing_of_a_hop(&caps);
	help_core_free(core);
}

static void test_features_are_made_when_the_server_has_none(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg answer = help_hop_plain_answer(core, "s3.example.net");
	struct help_hop hop;
	struct oc_caps caps = heard(core, BOTH, C3, C3, &answer, &hop);

	CU_ASSERT_TRUE(hop.edit.add_caps);
	CU_ASSERT_EQUAL(caps.vector, BOTH);
	assert_says_ours(core, &caps, OC_FV_LOSS);
	caps = heard(core, OC_FV_LOSS, NULL, C3, &answer, &hop);
	CU_ASSERT_FALSE(hop.edit.add_caps);
	help_core_free(core);
}

/* One bit of those the request offers, its own choice whatever the vector says of host and realm reports. */
static void test_peer_algorithm_is_one_of_those_offered(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg answer = help_answer(core, S1);
	struct help_hop hop;

	core->policy.reports.prefers = OC_ALGO_RATE;
	help_core_apply_policy(core);
	struct oc_caps caps = heard(core, BOTH | OC_FV_RATE, C3, C3, &answer, &hop);
	assert_says_ours(core, &caps, OC_FV_RATE);
	CU_ASSERT_EQUAL(caps.vector, BOTH);
	caps = heard(core, BOTH, C3, C3, &answer, &hop);
	assert_says_ours(core, &caps, OC_FV_LOSS);
	help_core_free(core);
}

/* The identity of the agent, in requests of all clients; what a client said of its own hop goes. */
static void test_requests_name_the_agent(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg answer = help_answer(core, S1), plain = help_request(core, S1);
	struct help_hop hop;

	heard(core, BOTH, C3, C3, &answer, &hop);
	CU_ASSERT_EQUAL(hop.action, OC_CAPS_REPLACE);
	struct oc_caps caps = help_hop_read(core, &hop.caps);
	CU_ASSERT_EQUAL(caps.vector, BOTH);
	CU_ASSERT_EQUAL(caps.source, help_name(core, US));
	CU_ASSERT_FALSE(caps.has & OC_CAPS_HAS_PEER_ALGO);
	hop = help_hop_pair(core, &plain, C3, B1, &answer);
	CU_ASSERT_EQUAL(hop.action, OC_CAPS_ADD);
	caps = help_hop_read(core, &hop.caps);
	CU_ASSERT_EQUAL(caps.vector, BOTH | OC_FV_RATE);
	CU_ASSERT_EQUAL(caps.source, help_name(core, US));
	help_core_free(core);
}

/* The next agent's overload is this one's business; a client hears of this one's alone. */
static void test_each_hop_hears_of_the_next_alone(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg answer = help_hop_plain_answer(core, S1);
	struct help_hop hop;

	help_hop_say(core, &answer, BOTH, B1, OC_FV_LOSS);
	help_hop_peer_report(core, &answer, B1, 9, 60, 60);
	heard(core, BOTH, C3, C3, &answer, &hop);
	CU_ASSERT_EQUAL(hop.edit.strip_olr & 1, 1);
	CU_ASSERT_EQUAL(hop.edit.own_count, 0);
	order_peer_report(core);
	heard(core, BOTH, C3, C3, &answer, &hop);
	while (hop.verdict == OC_REFUSE)
		heard(core, BOTH, C3, C3, &answer, &hop);
	CU_ASSERT_EQUAL(hop.edit.strip_olr & 1, 1);
	CU_ASSERT_EQUAL_FATAL(hop.edit.own_count, 1);
	CU_ASSERT_EQUAL(help_hop_read_own(core, &hop.edit.own[0]).reduction_pct, 20);
	help_core_free(core);
}

/* @edit of an answer to c3 has our features and our peer report. */
static void assert_has_peer_report(struct help_core *core, const struct oc_answer_edit *edit)
{
	struct oc_caps caps = help_hop_read(core, &edit->caps);

	CU_ASSERT_TRUE(edit->add_caps);
	assert_says_ours(core, &caps, OC_FV_LOSS);
	CU_ASSERT_EQUAL_FATAL(edit->own_count, 1);
	CU_ASSERT_EQUAL(edit->own[0].key.type, OC_REPORT_PEER);
}

/* Every answer to a supporting neighbour has the report: relayed, a refusal, or made by the daemon. */
static void test_every_answer_has_the_peer_report(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg answer = help_answer(core, S1), request = help_request(core, NULL);
	struct oc_msg report = help_hop_plain_answer(core, S1);
	struct help_hop hop;
	struct oc_txn txn = { 0 };
	struct oc_answer_edit edit = { 0 };

	order_peer_report(core);
	for (uint32_t i = 0; i < 100; i++) {
		heard(core, BOTH, C3, C3, &answer, &hop);
		CU_ASSERT_EQUAL(hop.verdict, OC_FORWARD);
		assert_has_peer_report(core, &hop.edit);
	}
	help_hop_say(core, &report, BOTH, B1, OC_FV_LOSS);
	help_hop_peer_report(core, &report, B1, 1, 100, 60);
	heard(core, BOTH, C3, C3, &report, &hop);
	heard(core, BOTH, C3, C3, &answer, &hop);
	CU_ASSERT_EQUAL(hop.verdict, OC_REFUSE);
	assert_has_peer_report(core, &hop.edit);
	help_hop_say(core, &request, BOTH, C3, 0);
	oc_agent_on_unrouted(core->agent, &request, help_name(core, C3), core->now_ns, &txn);
	oc_agent_on_own_answer(core->agent, &txn, core->now_ns, &edit);
	assert_has_peer_report(core, &edit);
	oc_agent_on_gone(core->agent, &txn, core->now_ns);
	help_core_free(core);
}

void test_oc_rows_hop_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_rows_hop", NULL, NULL);
	CU_add_test(suite, "D-183 D-185 D-187 D-188 D-189 D-190 D-231 D-233 support_is_of_the_transaction",
		    test_support_is_of_the_transaction);
	CU_add_test(suite, "D-184 D-192 D-197 D-103 support_needs_all_three", test_support_needs_all_three);
	CU_add_test(suite, "D-186 D-191 words_of_another_hop_go", test_words_of_another_hop_go);
	CU_add_test(suite, "D-021 D-186 one_set_of_features_leaves", test_one_set_of_features_leaves);
	CU_add_test(suite, "D-193 features_are_made_when_the_server_has_none",
		    test_features_are_made_when_the_server_has_none);
	CU_add_test(suite, "D-194 D-195 R-5 peer_algorithm_is_one_of_those_offered",
		    test_peer_algorithm_is_one_of_those_offered);
	CU_add_test(suite, "D-180 D-181 D-182 D-192 D-196 R-3 requests_name_the_agent",
		    test_requests_name_the_agent);
	CU_add_test(suite, "D-213 D-240 each_hop_hears_of_the_next_alone",
		    test_each_hop_hears_of_the_next_alone);
	CU_add_test(suite, "D-230 D-168 every_answer_has_the_peer_report",
		    test_every_answer_has_the_peer_report);
}
