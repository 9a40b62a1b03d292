/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the agent when the table of names is full: two nodes without a number of their own are never taken for one.
 */
#include "agent/oc_err.h"
#include "help_core.h"
#include <CUnit/CUnit.h>

void test_oc_agent_full_suite(void);

static void test_oc_agent_full_drmp_of_another_node_is_not_the_peers_own(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg request = help_request(core, NULL);
	struct oc_txn txn = { 0 };

	core->policy.default_trust |= OC_TRUST_DRMP;
	help_core_apply_policy(core);
	request.origin_host = OC_NAME_OVERFLOW;
	request.hints = OC_HINT_DRMP;
	request.drmp = 0;
	oc_agent_on_request(core->agent, &request, OC_NAME_OVERFLOW, core->now_ns, 0, &txn);
	CU_ASSERT_EQUAL(oc_agent_drmp_for_request(&txn), OC_DRMP_STRIP);
	oc_agent_on_gone(core->agent, &txn, core->now_ns);
	help_core_free(core);
}

/* A host without a number may be anywhere: it is no reason to leave the peers that have one. */
static void test_oc_agent_full_destination_is_no_candidate(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg request = help_request(core, NULL);
	struct oc_candidate candidates[] = { { .peer = OC_NAME_OVERFLOW },
					     { .peer = help_name(core, "s1.example.net"), .score = 5 } };
	struct oc_txn txn = { 0 };
	uint32_t pick = 9;

	request.dest_host = OC_NAME_OVERFLOW;
	oc_agent_on_request(core->agent, &request, help_name(core, "c1.example.net"), core->now_ns, 0, &txn);
	oc_agent_on_candidates(core->agent, &request, candidates, 2, core->now_ns, 0, &txn, &pick);
	CU_ASSERT_EQUAL(pick, 1);
	oc_agent_on_gone(core->agent, &txn, core->now_ns);
	help_core_free(core);
}

/* Answer of @from_peer about itself or another: whether its report travels on. */
static bool passes(struct help_core *core, uint32_t sent_to, uint32_t from_peer, uint32_t origin_host)
{
	struct oc_msg request = help_request(core, NULL);
	struct oc_msg answer = help_answer(core, "s1.example.net");
	struct oc_answer_edit edit = { 0 };
	struct oc_txn txn = { 0 };
	struct oc_group group;

	answer.origin_host = origin_host;
	help_olr(&answer, OC_REPORT_HOST, 1, 10, 30);
	request.caps = (struct oc_caps){ .vector = OC_FV_LOSS, .has = OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR };
	oc_agent_on_request(core->agent, &request, help_name(core, "c1.example.net"), core->now_ns, 0, &txn);
	oc_agent_caps_for_request(core->agent, &request, &txn, &group);
	oc_agent_on_sent(core->agent, &txn, sent_to, core->now_ns);
	oc_agent_on_answer(core->agent, &answer, from_peer, core->now_ns, &txn, &edit);
	oc_agent_on_gone(core->agent, &txn, core->now_ns);
	return !edit.strip_all_olr && !(edit.strip_olr & 1u);
}

static void test_oc_agent_full_reports_of_another_node_are_not_the_peers_own(void)
{
	struct help_core *core = help_core_new();
	uint32_t s1 = help_name(core, "s1.example.net");

	core->policy.default_trust = OC_TRUST_DOIC | OC_TRUST_SEND_REPORTS | OC_TRUST_RECEIVE_REPORTS;
	help_core_apply_policy(core);
	CU_ASSERT_TRUE(passes(core, s1, s1, s1));
	CU_ASSERT_FALSE(passes(core, OC_NAME_OVERFLOW, OC_NAME_OVERFLOW, OC_NAME_OVERFLOW));
	help_core_free(core);
}

static void test_oc_agent_full_source_without_number_is_not_the_peer(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg answer = help_answer(core, "s1.example.net");
	struct oc_olr *olr = help_olr(&answer, OC_REPORT_PEER, 1, 10, 30);
	struct oc_txn txn = { 0 };
	struct oc_answer_edit edit = { 0 };
	struct oc_msg request = help_request(core, NULL);
	struct oc_group group;

	help_core_unkept(core);
	olr->source = OC_NAME_OVERFLOW;
	olr->has |= OC_OLR_HAS_SOURCE;
	answer.caps.vector |= OC_FV_PEER_REPORT;
	answer.caps.peer_algo = OC_FV_LOSS;
	answer.caps.has |= OC_CAPS_HAS_PEER_ALGO;
	oc_agent_on_request(core->agent, &request, help_name(core, "c1.example.net"), core->now_ns, 0, &txn);
	oc_agent_caps_for_request(core->agent, &request, &txn, &group);
	oc_agent_on_sent(core->agent, &txn, OC_NAME_NONE, core->now_ns);
	oc_agent_on_answer(core->agent, &answer, OC_NAME_OVERFLOW, core->now_ns, &txn, &edit);
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_REPORT)->u.report.reason, OC_REASON_SOURCE_MISMATCH);
	oc_agent_on_gone(core->agent, &txn, core->now_ns);
	help_core_free(core);
}

void test_oc_agent_full_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_agent_full", NULL, NULL);

	CU_add_test(suite, "P-18 P-19 drmp_of_another_node_is_not_the_peers_own",
		    test_oc_agent_full_drmp_of_another_node_is_not_the_peers_own);
	CU_add_test(suite, "destination_is_no_candidate", test_oc_agent_full_destination_is_no_candidate);
	CU_add_test(suite, "D-283 reports_of_another_node_are_not_the_peers_own",
		    test_oc_agent_full_reports_of_another_node_are_not_the_peers_own);
	CU_add_test(suite, "D-202 source_without_number_is_not_the_peer",
		    test_oc_agent_full_source_without_number_is_not_the_peer);
}
