/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Load and priority on their way through the agent: whose words count, what travels on, what they decide (RFC 8583, RFC 7944).
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "help_hop.h"

void test_oc_rows_hints_suite(void);

#define B1 "b1.example.net"
#define B2 "b2.example.net"
#define C1 "c1.example.net"
#define S1 "s1.example.net"
#define S2 "s2.example.net"
#define S3 "s3.example.net"

/* Everybody is trusted with load and DRMP too. */
static struct help_core *hinting_core(void)
{
	struct help_core *core = help_core_new();

	core->policy.default_trust |= OC_TRUST_SEND_LOAD | OC_TRUST_RELAY_LOAD | OC_TRUST_RECEIVE_LOAD |
				      OC_TRUST_DRMP | OC_TRUST_RELAY_DRMP | OC_TRUST_RECEIVE_DRMP;
	core->policy.load.slow_start_ms = 0;
	help_core_apply_policy(core);
	return core;
}

/* An answer of @host through @peer with one Load. */
static struct help_hop load_of(struct help_core *core, const char *peer, const char *host,
			       enum oc_load_type type, uint64_t value, const char *source)
{
	struct oc_msg request = help_request(core, NULL), answer = help_answer(core, host);

	help_hop_load(core, &answer, type, value, source);
	return help_hop_pair(core, &request, C1, peer, &answer);
}

static uint64_t stat(struct help_core *core, enum oc_stat which)
{
	struct oc_stats stats;

	oc_agent_stats(core->agent, &stats);
	return stats.value[which];
}

/* By SourceID and connection, whatever the case; another's, a stranger's and nobody's do not count. All of them are stripped. */
static void test_peer_load_is_the_neighbours_own(void)
{
	static const char *const sources[] = { B2, S1, NULL };
	static const char *const both[] = { B1, B2 };
	struct help_core *core = hinting_core();
	struct oc_msg request = help_request(core, NULL);

	for (uint32_t i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(load_of(core, B1, S1, OC_LOAD_PEER, 0, sources[i]).edit.strip_load & 1, 1);
	CU_ASSERT_EQUAL(stat(core, OC_STAT_LOADS_TAKEN), 0);
	CU_ASSERT_EQUAL(stat(core, OC_STAT_LOADS_IGNORED), 3);
	CU_ASSERT_EQUAL(load_of(core, B1, S1, OC_LOAD_PEER, 0, "B1.Example.NET").edit.strip_load & 1, 1);
	load_of(core, B2, S1, OC_LOAD_PEER, 60000, B2);
	CU_ASSERT_EQUAL(stat(core, OC_STAT_LOADS_TAKEN), 2);
	struct help_hop_counts counts = help_hop_many(core, &request, C1, both, NULL, 2, 1000);
	CU_ASSERT_TRUE(counts.sent[0] <= 5);
	help_core_free(core);
}

/* The load of a server behind an agent says nothing of the agents it can be reached by, and travels on. */
static void test_host_load_moves_no_choice_of_agents(void)
{
	static const char *const both[] = { B1, B2 };
	struct help_core *core = hinting_core();
	struct oc_msg request = help_request(core, NULL);

	CU_ASSERT_EQUAL(load_of(core, B1, S1, OC_LOAD_HOST, 0, S1).edit.strip_load & 1, 0);
	CU_ASSERT_FALSE(load_of(core, B1, S1, OC_LOAD_HOST, 0, S1).edit.strip_all_load);
	struct help_hop_counts counts = help_hop_many(core, &request, C1, both, NULL, 2, 4000);
	CU_ASSERT_TRUE(counts.sent[0] > 1750 && counts.sent[0] < 2250);
	help_core_free(core);
}

/* Two PEER loads came; one leaves, our own. */
static void test_at_most_one_peer_load_leaves(void)
{
	struct help_core *core = hinting_core();
	struct oc_msg request = help_request(core, NULL), answer = help_answer(core, S1);

	core->policy.load.send = OC_LOAD_SEND_ALWAYS;
	help_core_apply_policy(core);
	oc_agent_set_load(core->agent, 12345);
	help_hop_load(core, &answer, OC_LOAD_PEER, 1, B1);
	help_hop_load(core, &answer, OC_LOAD_HOST, 2, S1);
	help_hop_load(core, &answer, OC_LOAD_PEER, 3, B2);
	struct help_hop hop = help_hop_pair(core, &request, C1, B1, &answer);
	CU_ASSERT_FALSE(hop.edit.strip_all_load);
	CU_ASSERT_EQUAL(hop.edit.strip_load & 7, 5);
	CU_ASSERT_TRUE(hop.edit.add_load);
	CU_ASSERT_EQUAL(hop.edit.load_value, 12345);
	help_core_free(core);
}

/* Idle or not: what a report asks for is removed. */
static void test_a_report_obliges_whatever_the_load(void)
{
	static const char *const two[] = { S1, S2 };
	struct help_core *core = hinting_core();
	struct oc_msg request = help_request(core, S1), realm_routed = help_request(core, NULL);
	struct oc_msg answer = help_answer(core, S1);

	help_olr(&answer, OC_REPORT_HOST, 1, 50, 600);
	help_hop_load(core, &answer, OC_LOAD_HOST, OC_LOAD_IDLE, S1);
	help_hop_pair(core, &realm_routed, C1, S1, &answer);
	CU_ASSERT_EQUAL(help_hop_many(core, &request, C1, two, NULL, 1, 1000).refused, 500);
	/* And load alone moves traffic, without any report. */
	load_of(core, S2, S2, OC_LOAD_HOST, 20000, S2);
	request = help_request(core, NULL);
	request.app_id = 16777236u;
	struct help_hop_counts counts = help_hop_many(core, &request, C1, two, NULL, 2, 4000);
	CU_ASSERT_EQUAL(counts.refused, 0);
	CU_ASSERT_TRUE(counts.sent[0] > 2900 && counts.sent[0] < 3250); /* 65535 : 20000 */
	help_core_free(core);
}

/* Who may not hear of load gets none, neither others' nor ours; of who may not speak of it nothing is used or passed on. */
static void test_load_is_for_those_who_may_have_it(void)
{
	struct help_core *core = hinting_core();
	struct oc_msg request = help_request(core, NULL), answer = help_answer(core, S1);

	core->policy.load.send = OC_LOAD_SEND_ALWAYS;
	help_trust(core, "foreign.example.org", OC_TRUST_DOIC | OC_TRUST_RECEIVE_REPORTS, NULL);
	help_trust(core, "x9.example.net", OC_TRUST_DOIC | OC_TRUST_SEND_LOAD, NULL);
	help_hop_load(core, &answer, OC_LOAD_HOST, 40000, S1);
	help_hop_load(core, &answer, OC_LOAD_PEER, 40000, S1);
	struct help_hop hop = help_hop_pair(core, &request, "foreign.example.org", S1, &answer);
	CU_ASSERT_TRUE(hop.edit.strip_all_load);
	CU_ASSERT_FALSE(hop.edit.add_load);
	CU_ASSERT_EQUAL(stat(core, OC_STAT_LOADS_TAKEN), 2);
	/* x9 may speak for itself, not for the server behind it. */
	hop = load_of(core, "x9.example.net", S1, OC_LOAD_HOST, 1, S1);
	CU_ASSERT_EQUAL(hop.edit.strip_load & 1, 1);
	CU_ASSERT_EQUAL(stat(core, OC_STAT_LOADS_TAKEN), 2);
	load_of(core, "x9.example.net", S1, OC_LOAD_PEER, 1, "x9.example.net");
	CU_ASSERT_EQUAL(stat(core, OC_STAT_LOADS_TAKEN), 3);
	help_core_free(core);
}

/* What is diverted goes to the others by their load. */
static void test_diverted_requests_go_by_load(void)
{
	static const char *const three[] = { S1, S2, S3 };
	static const int32_t scores[] = { 20, 10, 10 };
	struct help_core *core = hinting_core();
	struct oc_msg request = help_request(core, NULL), answer = help_answer(core, S1);

	help_olr(&answer, OC_REPORT_HOST, 1, 50, 600);
	help_hop_pair(core, &request, C1, S1, &answer);
	load_of(core, S2, S2, OC_LOAD_HOST, 60000, S2);
	load_of(core, S3, S3, OC_LOAD_HOST, 20000, S3);
	struct help_hop_counts counts = help_hop_many(core, &request, C1, three, scores, 3, 8000);
	CU_ASSERT_EQUAL(counts.refused, 0);
	CU_ASSERT_TRUE(counts.sent[0] >= 3999 && counts.sent[0] <= 4001);
	CU_ASSERT_TRUE(counts.sent[1] > 2850 && counts.sent[1] < 3150); /* 3 : 1 of 4000 */
	help_core_free(core);
}

/* A standby gets nothing while an active one can be used, however idle it says it is; then everything. */
static void test_standby_waits(void)
{
	static const char *const pair[] = { S1, S2 };
	static const int32_t active[] = { 20, 10 };
	struct help_core *core = hinting_core();
	struct oc_msg request = help_request(core, NULL);

	load_of(core, S1, S1, OC_LOAD_HOST, 100, S1);
	load_of(core, S2, S2, OC_LOAD_HOST, OC_LOAD_IDLE, S2);
	CU_ASSERT_EQUAL(help_hop_many(core, &request, C1, pair, active, 2, 1000).sent[1], 0);
	CU_ASSERT_EQUAL(help_hop_many(core, &request, C1, pair + 1, active, 1, 10).sent[0], 10);
	help_core_free(core);
}

static struct oc_msg request_with(struct help_core *core, uint8_t drmp, uint16_t hints)
{
	struct oc_msg request = help_request(core, NULL);

	request.drmp = drmp;
	request.hints = hints;
	request.origin_host = help_name(core, C1);
	return request;
}

/* A priority is passed on as it came and none is made up, not even when the default counts. */
static void test_drmp_is_left_as_it_is(void)
{
	const char *const one[] = { S1 };
	struct help_core *core = hinting_core();

	for (uint8_t drmp = 0; drmp <= 15; drmp++) {
		struct oc_msg request = request_with(core, drmp, OC_HINT_DRMP);
		struct help_hop hop = help_hop_send(core, &request, C1, one, NULL, 1);
		CU_ASSERT_EQUAL(oc_agent_drmp_for_request(&hop.txn), OC_DRMP_KEEP);
		CU_ASSERT_EQUAL(hop.txn.rank, drmp);
	}
	struct oc_msg none = request_with(core, OC_DRMP_NONE, 0);
	struct help_hop hop = help_hop_send(core, &none, C1, one, NULL, 1);
	CU_ASSERT_EQUAL(oc_agent_drmp_for_request(&hop.txn), OC_DRMP_KEEP);
	help_core_free(core);
}

/* What an untrusted client says of its importance goes, and it is as important as anybody who says nothing. */
static void test_drmp_of_the_untrusted_goes(void)
{
	const char *const one[] = { S1 };
	struct help_core *core = hinting_core();
	struct oc_msg request = request_with(core, 0, OC_HINT_DRMP),
		      none = request_with(core, OC_DRMP_NONE, 0);

	help_trust(core, C1, OC_TRUST_DOIC, NULL);
	struct help_hop hop = help_hop_send(core, &request, C1, one, NULL, 1);
	CU_ASSERT_EQUAL(oc_agent_drmp_for_request(&hop.txn), OC_DRMP_STRIP);
	CU_ASSERT_EQUAL(hop.txn.rank, help_hop_send(core, &none, C1, one, NULL, 1).txn.rank);
	CU_ASSERT_EQUAL(stat(core, OC_STAT_DRMP_STRIPPED), 1);
	help_core_free(core);
}

/* Another plan of priorities beyond the border: what comes is mapped, and nothing goes there unless the rule says so. */
static void test_drmp_is_mapped_at_a_border(void)
{
	const char *const one[] = { S1 };
	struct help_core *core = hinting_core();
	struct oc_msg request = request_with(core, 2, OC_HINT_DRMP),
		      same = request_with(core, 9, OC_HINT_DRMP);

	help_trust(core, C1, OC_TRUST_BORDER | OC_TRUST_DOIC | OC_TRUST_DRMP | OC_TRUST_RELAY_DRMP, NULL);
	struct oc_trust_rule *rule = &core->policy.rules[core->policy.rule_count - 1];
	rule->has_drmp_map = true;
	for (uint8_t i = 0; i < OC_RANKS; i++)
		rule->drmp_map[i] = i < 9 ? 9 : i;
	help_core_apply_policy(core);
	struct help_hop hop = help_hop_send(core, &request, C1, one, NULL, 1);
	CU_ASSERT_EQUAL(oc_agent_drmp_for_request(&hop.txn), OC_DRMP_REWRITE);
	CU_ASSERT_EQUAL(hop.txn.drmp_to, 9);
	CU_ASSERT_EQUAL(hop.txn.rank, 9);
	hop = help_hop_send(core, &same, C1, one, NULL, 1);
	CU_ASSERT_EQUAL(oc_agent_drmp_for_request(&hop.txn), OC_DRMP_KEEP);
	CU_ASSERT_FALSE(oc_agent_may_carry_drmp(core->agent, help_name(core, C1)));
	CU_ASSERT_TRUE(oc_agent_may_carry_drmp(core->agent, help_name(core, S1)));
	help_core_free(core);
}

/* What an answer from beyond the border says is mapped as requests are, before anybody goes by it. */
static void test_drmp_of_answers_is_mapped_too(void)
{
	static const uint8_t said[] = { 2, 12, OC_DRMP_NONE };
	static const uint8_t wanted[] = { 9, 12, 10 };
	const char *const one[] = { S1 };
	struct help_core *core = hinting_core();
	struct oc_msg request = request_with(core, 10, OC_HINT_DRMP);

	help_trust(core, S1, OC_TRUST_BORDER | OC_TRUST_DOIC | OC_TRUST_DRMP | OC_TRUST_RELAY_DRMP, NULL);
	struct oc_trust_rule *rule = &core->policy.rules[core->policy.rule_count - 1];
	rule->has_drmp_map = true;
	for (uint8_t i = 0; i < OC_RANKS; i++)
		rule->drmp_map[i] = i < 9 ? 9 : i;
	help_core_apply_policy(core);
	for (uint32_t i = 0; i < 3; i++) {
		struct oc_msg answer = help_answer(core, S1);
		answer.drmp = said[i];
		answer.hints = OC_HINT_DRMP;
		struct help_hop hop = help_hop_send(core, &request, C1, one, NULL, 1);
		help_hop_answer(core, &hop, &answer);
		CU_ASSERT_FALSE(hop.edit.strip_drmp);
		CU_ASSERT_EQUAL(hop.edit.rewrite_drmp, i == 0);
		CU_ASSERT_EQUAL(hop.edit.drmp_to, i == 0 ? 9 : 0);
		CU_ASSERT_EQUAL(hop.txn.rank, wanted[i]);
	}
	help_core_free(core);
}

/* The answer's own priority, else its request's. */
static void test_an_answer_has_its_requests_priority(void)
{
	static const uint8_t said[] = { OC_DRMP_NONE, 1, 14 };
	static const uint8_t wanted[] = { 12, 1, 14 };
	const char *const one[] = { S1 };
	struct help_core *core = hinting_core();
	struct oc_msg request = request_with(core, 12, OC_HINT_DRMP);

	for (uint32_t i = 0; i < 3; i++) {
		struct oc_msg answer = help_answer(core, S1);
		answer.drmp = said[i];
		answer.hints = said[i] == OC_DRMP_NONE ? 0 : OC_HINT_DRMP;
		struct help_hop hop = help_hop_send(core, &request, C1, one, NULL, 1);
		help_hop_answer(core, &hop, &answer);
		CU_ASSERT_EQUAL(hop.txn.rank, wanted[i]);
	}
	help_core_free(core);
}

static void test_classes_are_counted(void)
{
	const char *const one[] = { S1 };
	struct help_core *core = hinting_core();

	for (uint8_t drmp = 0; drmp <= 15; drmp++) {
		struct oc_msg request = request_with(core, drmp, OC_HINT_DRMP);
		help_hop_many(core, &request, C1, one, NULL, 1, 1);
	}
	static const uint64_t wanted[OC_CLASSES] = { 5, 3, 2, 2, 4 };
	for (uint32_t i = 0; i < OC_CLASSES; i++)
		CU_ASSERT_EQUAL(stat(core, (enum oc_stat)(OC_STAT_CLASS_0 + i)), wanted[i]);
	help_core_free(core);
}

void test_oc_rows_hints_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_rows_hints", NULL, NULL);
	CU_add_test(suite, "L-13 L-14 L-15 L-16 peer_load_is_the_neighbours_own",
		    test_peer_load_is_the_neighbours_own);
	CU_add_test(suite, "L-11 L-17 host_load_moves_no_choice_of_agents",
		    test_host_load_moves_no_choice_of_agents);
	CU_add_test(suite, "L-16 L-17 L-18 at_most_one_peer_load_leaves", test_at_most_one_peer_load_leaves);
	CU_add_test(suite, "L-23 a_report_obliges_whatever_the_load",
		    test_a_report_obliges_whatever_the_load);
	CU_add_test(suite, "L-25 Q-29 load_is_for_those_who_may_have_it",
		    test_load_is_for_those_who_may_have_it);
	CU_add_test(suite, "L-24 Q-23 diverted_requests_go_by_load", test_diverted_requests_go_by_load);
	CU_add_test(suite, "L-26 standby_waits", test_standby_waits);
	CU_add_test(suite, "P-6 P-7 P-15 drmp_is_left_as_it_is", test_drmp_is_left_as_it_is);
	CU_add_test(suite, "D-274 P-19 drmp_of_the_untrusted_goes", test_drmp_of_the_untrusted_goes);
	CU_add_test(suite, "P-18 P-20 drmp_is_mapped_at_a_border", test_drmp_is_mapped_at_a_border);
	CU_add_test(suite, "P-20 drmp_of_answers_is_mapped_too", test_drmp_of_answers_is_mapped_too);
	CU_add_test(suite, "P-5 P-10 P-11 an_answer_has_its_requests_priority",
		    test_an_answer_has_its_requests_priority);
	CU_add_test(suite, "P-22 classes_are_counted", test_classes_are_counted);
}
