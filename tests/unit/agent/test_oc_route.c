/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the choice of a peer: what is recorded when several rules meet on one request.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "help_core.h"

void test_oc_route_suite(void);

struct tried {
	struct oc_txn txn;
	enum oc_verdict verdict;
	uint32_t pick;
};

/* A realm-routed request with two candidates, s1 scoring higher. */
static struct tried try_request(struct help_core *core, uint64_t random_1, uint64_t random_2)
{
	struct tried t = { .pick = 99 };
	struct oc_msg request = help_request(core, NULL);
	struct oc_candidate candidates[2] = { { .peer = help_name(core, "s1.example.net"), .score = 20 },
					      { .peer = help_name(core, "s2.example.net"), .score = 10 } };
	uint32_t client = help_name(core, "client.example.net");

	t.verdict = oc_agent_on_request(core->agent, &request, client, core->now_ns, random_1, &t.txn);
	if (t.verdict != OC_REFUSE)
		t.verdict = oc_agent_on_candidates(core->agent, &request, candidates, 2, core->now_ns,
						   random_2, &t.txn, &t.pick);
	return t;
}

static void report(struct help_core *core, uint32_t type, uint64_t sequence, uint32_t pct,
		   uint32_t validity_s)
{
	struct oc_msg answer = help_answer(core, "s1.example.net");

	help_olr(&answer, type, sequence, pct, validity_s);
	help_exchange(core, &answer, "s1.example.net");
}

static void test_oc_route_chance_is_recorded_by_half(void)
{
	struct help_core *core = help_core_new();

	help_core_unkept(core);
	core->policy.sampler = OC_SAMPLER_RANDOM;
	help_core_apply_policy(core);
	report(core, OC_REPORT_REALM, 1, 50, 60);
	report(core, OC_REPORT_HOST, 1, 50, 60);
	struct tried t = try_request(core, 0x00000000ffffffffull, 0x00000000ffffffffull);
	CU_ASSERT_EQUAL(t.txn.decision.random, 0x00000000ffffffffull);
	CU_ASSERT_EQUAL(t.verdict, OC_DIVERT);
	CU_ASSERT_EQUAL(t.txn.decision.selected_by, OC_SCOPE_HOST);
	t = try_request(core, 0x00000000ffffffffull, 0xffffffff00000000ull);
	CU_ASSERT_EQUAL(t.txn.decision.random, 0xffffffffffffffffull);
	CU_ASSERT_EQUAL(t.verdict, OC_FORWARD);
	t = try_request(core, 0xffffffff00000000ull, 0);
	CU_ASSERT_EQUAL(t.verdict, OC_REFUSE);
	CU_ASSERT_EQUAL(t.txn.decision.selected_by, OC_SCOPE_REALM);
	CU_ASSERT_EQUAL(t.txn.decision.host.version, 0);
	help_core_free(core);
}

/* A realm that is being probed, and the probe's host says no: the request was no probe. */
static void test_oc_route_probe_taken_away_was_none(void)
{
	struct help_core *core = help_core_new();

	core->policy.ramp_ms = 10000;
	help_core_apply_policy(core);
	report(core, OC_REPORT_REALM, 1, 100, 10);
	report(core, OC_REPORT_HOST, 1, 100, 600);
	core->now_ns += 11 * SECOND;
	struct tried t = try_request(core, 0, 0);
	CU_ASSERT_EQUAL(t.verdict, OC_DIVERT);
	CU_ASSERT_EQUAL(t.txn.decision.flags & OC_DEC_PROBE, 0);
	CU_ASSERT_EQUAL(t.txn.decision.realm.version, 0);
	CU_ASSERT_EQUAL(t.txn.decision.selected_by, OC_SCOPE_HOST);
	help_core_free(core);
}

static void test_oc_route_probe_into_a_full_peer_was_none(void)
{
	struct help_core *core = help_core_new();
	struct oc_txn busy[2];

	core->policy.ramp_ms = 10000;
	memset(busy, 0, sizeof(busy));
	core->policy.outstanding_max = 1;
	help_core_apply_policy(core);
	report(core, OC_REPORT_REALM, 1, 100, 10);
	core->now_ns += 11 * SECOND;
	oc_agent_on_sent(core->agent, &busy[0], help_name(core, "s1.example.net"), core->now_ns);
	oc_agent_on_sent(core->agent, &busy[1], help_name(core, "s2.example.net"), core->now_ns);
	struct tried t = try_request(core, 0, 0);
	CU_ASSERT_EQUAL(t.verdict, OC_REFUSE);
	CU_ASSERT_EQUAL(t.txn.decision.why, OC_WHY_OUTSTANDING);
	CU_ASSERT_EQUAL(t.txn.decision.flags & OC_DEC_PROBE, 0);
	CU_ASSERT_EQUAL(t.txn.decision.realm.version, 0);
	CU_ASSERT_EQUAL(t.txn.decision.selected_by, OC_SCOPE_NONE);
	help_core_free(core);
}

static void test_oc_route_probe_names_its_scope(void)
{
	struct help_core *core = help_core_new();

	core->policy.ramp_ms = 10000;
	help_core_apply_policy(core);
	report(core, OC_REPORT_HOST, 1, 100, 10);
	report(core, OC_REPORT_REALM, 1, 0, 600);
	core->now_ns += 11 * SECOND;
	struct tried t = try_request(core, 0, 0);
	CU_ASSERT_EQUAL(t.verdict, OC_FORWARD);
	CU_ASSERT_EQUAL(t.txn.decision.flags & OC_DEC_PROBE, OC_DEC_PROBE);
	CU_ASSERT_EQUAL(t.txn.decision.selected_by, OC_SCOPE_HOST);
	CU_ASSERT_EQUAL(t.txn.decision.realm.version, 2);
	t = try_request(core, 0, 0);
	CU_ASSERT_EQUAL(t.verdict, OC_DIVERT);
	CU_ASSERT_EQUAL(t.txn.decision.first_choice, help_name(core, "s1.example.net"));
	help_core_free(core);
}

static void test_oc_route_spreads_equals_by_unanswered_then_chance(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg request = help_request(core, NULL);
	struct oc_candidate candidates[4];
	uint32_t hits[4] = { 0 };
	struct oc_txn busy = { 0 };

	for (uint32_t i = 0; i < 4; i++)
		candidates[i] = (struct oc_candidate){ .peer = 100 + i };
	oc_agent_on_sent(core->agent, &busy, 102, core->now_ns);
	for (uint32_t i = 0; i < 4000; i++) {
		struct oc_txn txn = { 0 };
		uint32_t pick;
		oc_agent_on_request(core->agent, &request, 3, core->now_ns, 0, &txn);
		oc_agent_on_candidates(core->agent, &request, candidates, 4, core->now_ns,
				       help_random(&core->chance), &txn, &pick);
		hits[pick]++;
	}
	CU_ASSERT_EQUAL(hits[2], 0);
	for (uint32_t i = 0; i < 4; i++)
		CU_ASSERT(i == 2 || (hits[i] > 1200 && hits[i] < 1470));
	help_core_free(core);
}

void test_oc_route_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_route", NULL, NULL);
	CU_add_test(suite, "chance_is_recorded_by_half", test_oc_route_chance_is_recorded_by_half);
	CU_add_test(suite, "D-251 probe_taken_away_was_none", test_oc_route_probe_taken_away_was_none);
	CU_add_test(suite, "D-251 probe_into_a_full_peer_was_none",
		    test_oc_route_probe_into_a_full_peer_was_none);
	CU_add_test(suite, "D-251 probe_names_its_scope", test_oc_route_probe_names_its_scope);
	CU_add_test(suite, "spreads_equals_by_unanswered_then_chance",
		    test_oc_route_spreads_equals_by_unanswered_then_chance);
}
