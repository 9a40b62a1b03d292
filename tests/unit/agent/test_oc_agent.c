/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the facade: one decision and one outcome per request, counts given back, events true to the state.
 */
#include <CUnit/CUnit.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "help_core.h"

void test_oc_agent_suite(void);

static struct oc_candidate only(uint32_t peer)
{
	return (struct oc_candidate){ .peer = peer };
}

static void test_oc_agent_tells_a_request_once(void)
{
	struct help_core *core = help_core_new();
	uint32_t s1 = help_name(core, "s1.example.net");
	uint32_t client = help_name(core, "client.example.net");
	struct oc_msg request = help_request(core, NULL);
	struct oc_msg answer = help_answer(core, "s1.example.net");
	struct oc_candidate candidate = only(s1);
	struct oc_txn txn = { 0 };
	struct oc_answer_edit edit;
	uint32_t pick;

	CU_ASSERT_EQUAL(oc_agent_on_request(core->agent, &request, client, 1000, 5, &txn), OC_FORWARD);
	CU_ASSERT_EQUAL(oc_agent_on_candidates(core->agent, &request, &candidate, 1, 1100, 6, &txn, &pick),
			OC_FORWARD);
	CU_ASSERT_EQUAL(pick, 0);
	oc_agent_on_sent(core->agent, &txn, s1, 1200);
	CU_ASSERT_EQUAL(oc_agent_outstanding(core->agent, s1), 1);
	oc_agent_on_answer(core->agent, &answer, s1, 1900, &txn, &edit);
	CU_ASSERT_EQUAL(oc_agent_outstanding(core->agent, s1), 0);
	CU_ASSERT_FALSE(oc_agent_is_over(&txn)); /* the outcome is owed */
	oc_agent_on_answer_leaving(core->agent, &txn, OC_MADE_UPSTREAM, 0, 2000);
	CU_ASSERT_TRUE(oc_agent_is_over(&txn));
	oc_agent_on_answer_leaving(core->agent, &txn, OC_MADE_UPSTREAM, 0, 2100);
	oc_agent_on_gone(core->agent, &txn, 2200);
	oc_agent_on_gone(core->agent, &txn, 2300);
	CU_ASSERT_EQUAL(help_count(core, OC_EVENT_DECISION), 1);
	CU_ASSERT_EQUAL(help_count(core, OC_EVENT_OUTCOME), 1);
	const struct oc_decision *d = &help_last(core, OC_EVENT_DECISION)->u.decision;
	CU_ASSERT_EQUAL(d->next_hop, s1);
	CU_ASSERT_EQUAL(d->first_choice, s1);
	CU_ASSERT_EQUAL(d->flags, OC_DEC_REALM_ROUTED | OC_DEC_REACTING_FOR);
	const struct oc_event_outcome *o = &help_last(core, OC_EVENT_OUTCOME)->u.outcome;
	CU_ASSERT_EQUAL(o->took_ns, 900); /* to the answer's arrival */
	CU_ASSERT_EQUAL(o->result_code, OC_RC_SUCCESS);
	CU_ASSERT_EQUAL(o->answered_by, s1);
	CU_ASSERT_EQUAL(o->from_peer, s1);
	CU_ASSERT_EQUAL(o->attempts, 1);
	help_core_free(core);
}

static void test_oc_agent_a_request_that_is_never_asked_about_is_told_once(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg request = help_request(core, "s1.example.net");
	struct oc_txn txn = { 0 };
	uint32_t client = help_name(core, "c1.example.net");

	oc_agent_on_unrouted(core->agent, &request, client, core->now_ns, &txn);
	oc_agent_on_unrouted(core->agent, &request, client, core->now_ns, &txn);
	oc_agent_on_answer_leaving(core->agent, &txn, OC_MADE_DAEMON, 3005, core->now_ns);
	oc_agent_on_gone(core->agent, &txn, core->now_ns);
	CU_ASSERT_EQUAL(help_count(core, OC_EVENT_DECISION), 1);
	CU_ASSERT_EQUAL(help_count(core, OC_EVENT_OUTCOME), 1);
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_DECISION)->u.decision.why, OC_WHY_UNROUTED);
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_DECISION)->u.decision.client_peer, client);
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_OUTCOME)->u.outcome.result_code, 3005);
	help_core_free(core);
}

static void test_oc_agent_lost_and_unrouted_requests_are_told_too(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg request = help_request(core, NULL);
	struct oc_txn txn = { 0 };
	struct oc_txn lost = { 0 };
	struct oc_txn never = { 0 };
	uint32_t pick = 9;

	oc_agent_on_request(core->agent, &request, 2, 1000, 5, &txn);
	CU_ASSERT_EQUAL(oc_agent_on_candidates(core->agent, &request, NULL, 0, 1100, 6, &txn, &pick),
			OC_FORWARD);
	CU_ASSERT_EQUAL(pick, 0);
	oc_agent_on_answer_leaving(core->agent, &txn, OC_MADE_DAEMON, OC_RC_UNABLE_TO_DELIVER, 1200);
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_DECISION)->u.decision.why, OC_WHY_UNROUTED);
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_OUTCOME)->u.outcome.result_code, OC_RC_UNABLE_TO_DELIVER);
	oc_agent_on_request(core->agent, &request, 2, 1000, 5, &lost);
	oc_agent_on_sent(core->agent, &lost, 7, 1100);
	oc_agent_on_gone(core->agent, &lost, 1200);
	CU_ASSERT_EQUAL(oc_agent_outstanding(core->agent, 7), 0);
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_OUTCOME)->u.outcome.maker, OC_MADE_LOST);
	oc_agent_on_gone(core->agent, &never, 1300);
	CU_ASSERT_EQUAL(help_count(core, OC_EVENT_DECISION), 2);
	CU_ASSERT_EQUAL(help_count(core, OC_EVENT_OUTCOME), 2);
	help_core_free(core);
}

static void test_oc_agent_tells_what_the_host_answered_before_routing(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg request = help_request(core, NULL);
	struct oc_txn txn = { 0 };

	request.caps = (struct oc_caps){ .has = OC_CAPS_PRESENT };
	oc_agent_on_unrouted(core->agent, &request, 2, 1000, &txn);
	oc_agent_on_unrouted(core->agent, &request, 2, 1000, &txn);
	CU_ASSERT_EQUAL(txn.doic_down, 1);
	oc_agent_on_answer_leaving(core->agent, &txn, OC_MADE_DAEMON, 3007, 1200);
	oc_agent_on_gone(core->agent, &txn, 1300);
	CU_ASSERT_EQUAL(help_count(core, OC_EVENT_DECISION), 1);
	CU_ASSERT_EQUAL(help_count(core, OC_EVENT_OUTCOME), 1);
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_DECISION)->u.decision.why, OC_WHY_UNROUTED);
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_DECISION)->u.decision.next_hop, OC_NAME_NONE);
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_OUTCOME)->u.outcome.result_code, 3007);
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_OUTCOME)->u.outcome.took_ns, 200);
	help_core_free(core);
}

static void test_oc_agent_is_not_over_while_a_peer_owes_the_answer(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg request = help_request(core, NULL);
	struct oc_txn txn = { 0 };

	oc_agent_on_request(core->agent, &request, 2, 1000, 5, &txn);
	oc_agent_on_sent(core->agent, &txn, 7, 1100);
	oc_agent_on_answer_leaving(core->agent, &txn, OC_MADE_DEADLINE, OC_RC_UNABLE_TO_DELIVER, 1200);
	CU_ASSERT_FALSE(oc_agent_is_over(&txn));
	oc_agent_on_gone(core->agent, &txn, 1300);
	CU_ASSERT_TRUE(oc_agent_is_over(&txn));
	CU_ASSERT_EQUAL(oc_agent_outstanding(core->agent, 7), 0);
	help_core_free(core);
}

static void test_oc_agent_moves_the_count_on_failover(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg request = help_request(core, NULL);
	struct oc_txn txn = { 0 };

	oc_agent_on_request(core->agent, &request, 2, 1000, 5, &txn);
	oc_agent_on_sent(core->agent, &txn, 7, 1100);
	oc_agent_on_sent(core->agent, &txn, 8, 1200);
	CU_ASSERT_EQUAL(oc_agent_outstanding(core->agent, 7), 0);
	CU_ASSERT_EQUAL(oc_agent_outstanding(core->agent, 8), 1);
	CU_ASSERT_EQUAL(txn.attempts, 2);
	oc_agent_on_answer_leaving(core->agent, &txn, OC_MADE_DEADLINE, OC_RC_UNABLE_TO_DELIVER, 1250);
	CU_ASSERT_FALSE(oc_agent_is_over(&txn)); /* the peer still counts */
	oc_agent_on_gone(core->agent, &txn, 1300);
	CU_ASSERT(oc_agent_is_over(&txn) && oc_agent_outstanding(core->agent, 8) == 0);
	CU_ASSERT_EQUAL(help_count(core, OC_EVENT_DECISION), 1);
	help_core_free(core);
}

static void test_oc_agent_events_of_a_report_fit_together(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg answer = help_answer(core, "s1.example.net");

	help_olr(&answer, OC_REPORT_HOST, 7, 25, 60);
	help_exchange(core, &answer, "s1.example.net");
	struct oc_event_report r = help_last(core, OC_EVENT_REPORT)->u.report;
	struct oc_event_ocs_version v = help_last(core, OC_EVENT_OCS_VERSION)->u.ocs_version;
	CU_ASSERT_EQUAL(r.report, 1);
	CU_ASSERT_EQUAL(r.verdict, OC_INTAKE_NEW);
	CU_ASSERT_EQUAL(r.version, v.version);
	CU_ASSERT_EQUAL(r.raw_len, 60);
	CU_ASSERT_EQUAL(v.report, r.report);
	CU_ASSERT_EQUAL(v.replaces, 0);
	CU_ASSERT_EQUAL(v.sequence, 7);
	CU_ASSERT_EQUAL(v.expires_ns, help_last(core, OC_EVENT_OCS_VERSION)->mono_ns + 60 * SECOND);
	answer = help_answer(core, "s1.example.net");
	help_olr(&answer, OC_REPORT_HOST, 8, 25, 0);
	help_exchange(core, &answer, "s1.example.net");
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_OCS_VERSION)->u.ocs_version.replaces, v.version);
	CU_ASSERT_EQUAL(help_count(core, OC_EVENT_OCS_CHANGE), 2);
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_OCS_CHANGE)->u.ocs_change.how, OC_END_RECOVERED);
	help_core_free(core);
}

static void test_oc_agent_tells_all_octets_of_a_long_report(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg answer = help_answer(core, "s1.example.net");
	struct oc_olr *olr = help_olr(&answer, OC_REPORT_HOST, 7, 25, 60);

	olr->raw_len = 380;
	for (uint32_t i = 0; i < 380; i++)
		answer.raw[i] = (uint8_t)i;
	help_exchange(core, &answer, "s1.example.net");
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_REPORT)->u.report.raw_total, 380);
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_REPORT)->u.report.raw_len, OC_EVENT_RAW_MAX);
	CU_ASSERT_EQUAL(help_count(core, OC_EVENT_REPORT_RAW), 2);
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_REPORT_RAW)->u.report_raw.at, 368);
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_REPORT_RAW)->u.report_raw.raw_len, 12);
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_REPORT_RAW)->u.report_raw.raw[0], (uint8_t)368);
	help_core_free(core);
}

/* At the end of the agent only what is still in force or on its way back ends by it; what is over had its end. */
static void test_oc_agent_shutdown_is_told_of_living_states_only(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg answer = help_answer(core, "s1.example.net");

	help_olr(&answer, OC_REPORT_HOST, 7, 0, 1);
	help_exchange(core, &answer, "s1.example.net");
	answer = help_answer(core, "s2.example.net");
	help_olr(&answer, OC_REPORT_HOST, 7, 25, 600);
	help_exchange(core, &answer, "s2.example.net");
	core->now_ns += 2 * SECOND;
	oc_agent_tick(core->agent, core->now_ns);
	uint32_t before = help_count(core, OC_EVENT_OCS_CHANGE);
	oc_agent_free(core->agent, core->now_ns);
	core->agent = NULL;
	CU_ASSERT_EQUAL(help_count(core, OC_EVENT_OCS_CHANGE), before + 1);
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_OCS_CHANGE)->u.ocs_change.how, OC_END_SHUTDOWN);
	help_core_free(core);
}

/* What the node counts per version equals what its decision events add up to. */
static void test_oc_agent_counts_agree_with_its_decisions(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg answer = help_answer(core, "s1.example.net");
	struct oc_msg request = help_request(core, "s1.example.net");
	uint64_t expected_ppm = 0, selected = 0, matched = 0;

	core->policy.ramp_ms = 10000;
	help_core_apply_policy(core);
	help_olr(&answer, OC_REPORT_HOST, 7, 70, 1);
	help_exchange(core, &answer, "s1.example.net");
	for (uint32_t i = 0; i < 1500; i++) {
		struct oc_txn txn = { 0 };
		core->now_ns += 5 * MS;
		oc_agent_on_request(core->agent, &request, 3, core->now_ns, help_random(&core->chance), &txn);
		oc_agent_on_gone(core->agent, &txn, core->now_ns);
		matched += txn.decision.host.version == 1;
		expected_ppm += txn.decision.host.share_ppm;
		selected += txn.decision.selected_by == OC_SCOPE_HOST;
	}
	core->now_ns += 60 * SECOND;
	oc_agent_tick(core->agent, core->now_ns);
	const struct oc_event_ocs_change *c = &help_last(core, OC_EVENT_OCS_CHANGE)->u.ocs_change;
	CU_ASSERT_EQUAL(c->matched, matched);
	CU_ASSERT_EQUAL(c->expected_ppm, expected_ppm);
	CU_ASSERT_EQUAL(c->selected, selected);
	CU_ASSERT(llabs((int64_t)(selected * OC_PPM) - (int64_t)expected_ppm) < OC_PPM);
	CU_ASSERT_EQUAL(c->how, OC_END_FORGOTTEN);
	help_core_free(core);
}

static void test_oc_agent_is_deterministic(void)
{
	uint64_t digest[2] = { 0 };

	for (uint32_t run = 0; run < 2; run++) {
		struct help_core *core = help_core_new();
		struct oc_msg answer = help_answer(core, "s1.example.net");
		struct oc_msg request = help_request(core, NULL);
		struct oc_candidate candidates[2] = { only(help_name(core, "s1.example.net")),
						      only(help_name(core, "s2.example.net")) };
		help_olr(&answer, OC_REPORT_HOST, 1, 37, 60);
		help_exchange(core, &answer, "s1.example.net");
		for (uint32_t i = 0; i < 1000; i++) {
			struct oc_txn txn = { 0 };
			uint32_t pick;
			oc_agent_on_request(core->agent, &request, 3, core->now_ns,
					    help_random(&core->chance), &txn);
			oc_agent_on_candidates(core->agent, &request, candidates, 2, core->now_ns,
					       help_random(&core->chance), &txn, &pick);
			digest[run] = digest[run] * 31 + pick * 4ull + txn.decision.verdict;
			oc_agent_on_gone(core->agent, &txn, core->now_ns);
		}
		help_core_free(core);
	}
	CU_ASSERT_EQUAL(digest[0], digest[1]);
}

static void test_oc_agent_capability_is_told_when_it_changes(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg request = help_request(core, NULL);

	for (uint32_t i = 0; i < 10; i++) {
		struct oc_txn txn = { 0 };
		request.caps.has = i % 2 ? OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR : 0;
		request.caps.vector = i < 6 ? 0x1 : 0x11;
		oc_agent_on_request(core->agent, &request, 3, core->now_ns, 0, &txn);
	}
	CU_ASSERT_EQUAL(help_count(core, OC_EVENT_CAPABILITY), 3);
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_CAPABILITY)->u.capability.vector, 0x11);
	help_core_free(core);
}

static void test_oc_agent_report_in_a_request_is_not_obeyed(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg request = help_request(core, NULL);
	struct oc_txn txn = { 0 };
	struct oc_stats stats;

	help_olr(&request, OC_REPORT_HOST, 1, 100, 600);
	oc_agent_on_request(core->agent, &request, 3, core->now_ns, 0, &txn);
	oc_agent_stats(core->agent, &stats);
	CU_ASSERT_EQUAL(stats.value[OC_STAT_OCS_HELD], 0);
	CU_ASSERT_EQUAL(stats.value[OC_STAT_REPORTS_REFUSED], 1);
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_REPORT)->u.report.reason, OC_REASON_IN_REQUEST);
	help_core_free(core);
}

static void test_oc_agent_full_table_refuses_and_forwards(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg answer = { 0 };

	for (uint32_t app_id = 1; app_id <= 65; app_id++) {
		answer = help_answer(core, "s1.example.net");
		answer.app_id = app_id;
		help_olr(&answer, OC_REPORT_HOST, 1, 10, 60);
		help_exchange(core, &answer, "s1.example.net");
	}
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_REPORT)->u.report.verdict, OC_INTAKE_REFUSED);
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_REPORT)->u.report.reason, OC_REASON_TABLE_FULL);
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_OCS_VERSION)->u.ocs_version.version, 64);
	help_core_free(core);
}

static void test_oc_agent_shutdown_tells_what_was_held(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg answer = help_answer(core, "s1.example.net");

	help_olr(&answer, OC_REPORT_HOST, 1, 10, 60);
	help_olr(&answer, OC_REPORT_REALM, 1, 10, 60);
	help_exchange(core, &answer, "s1.example.net");
	help_exchange(core, &answer, "s1.example.net");
	oc_agent_free(core->agent, core->now_ns);
	core->agent = NULL;
	CU_ASSERT_EQUAL(help_count(core, OC_EVENT_OCS_CHANGE), 2);
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_OCS_CHANGE)->u.ocs_change.how, OC_END_SHUTDOWN);
	CU_ASSERT_EQUAL(help_count(core, OC_EVENT_REPORT_REPEAT), 2);
	help_core_free(core);
}

/* The worst answer there can be: six reports that end, repeat, replace and start versions. */
static void test_oc_agent_largest_answer_fits_a_batch(void)
{
	struct help_core *core = help_core_new();

	for (uint32_t round = 0; round < 40; round++) {
		struct oc_msg answer = help_answer(core, "s1.example.net");
		for (uint32_t i = 0; i < OC_MSG_OLR_MAX; i++) {
			struct oc_olr *olr = help_olr(&answer, i & 1, round * 10 + i, 100 - round, round % 3);
			olr->raw_at = 0;
			olr->raw_len = OC_MSG_RAW_MAX;
		}
		help_exchange(core, &answer, "s1.example.net");
		help_exchange(core, &answer, "s1.example.net");
		core->now_ns += 500 * MS;
	}
	CU_ASSERT(help_count(core, OC_EVENT_REPORT) > 200);
	help_core_free(core);
}

void test_oc_agent_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_agent", NULL, NULL);
	CU_add_test(suite, "D-021 tells_what_the_host_answered_before_routing",
		    test_oc_agent_tells_what_the_host_answered_before_routing);
	CU_add_test(suite, "tells_a_request_once", test_oc_agent_tells_a_request_once);
	CU_add_test(suite, "a_request_that_is_never_asked_about_is_told_once",
		    test_oc_agent_a_request_that_is_never_asked_about_is_told_once);
	CU_add_test(suite, "lost_and_unrouted_requests_are_told_too",
		    test_oc_agent_lost_and_unrouted_requests_are_told_too);
	CU_add_test(suite, "is_not_over_while_a_peer_owes_the_answer",
		    test_oc_agent_is_not_over_while_a_peer_owes_the_answer);
	CU_add_test(suite, "D-158 moves_the_count_on_failover", test_oc_agent_moves_the_count_on_failover);
	CU_add_test(suite, "D-046 D-063 events_of_a_report_fit_together",
		    test_oc_agent_events_of_a_report_fit_together);
	CU_add_test(suite, "tells_all_octets_of_a_long_report",
		    test_oc_agent_tells_all_octets_of_a_long_report);
	CU_add_test(suite, "D-152 counts_agree_with_its_decisions",
		    test_oc_agent_counts_agree_with_its_decisions);
	CU_add_test(suite, "is_deterministic", test_oc_agent_is_deterministic);
	CU_add_test(suite, "shutdown_is_told_of_living_states_only",
		    test_oc_agent_shutdown_is_told_of_living_states_only);
	CU_add_test(suite, "capability_is_told_when_it_changes",
		    test_oc_agent_capability_is_told_when_it_changes);
	CU_add_test(suite, "D-073 report_in_a_request_is_not_obeyed",
		    test_oc_agent_report_in_a_request_is_not_obeyed);
	CU_add_test(suite, "full_table_refuses_and_forwards", test_oc_agent_full_table_refuses_and_forwards);
	CU_add_test(suite, "shutdown_tells_what_was_held", test_oc_agent_shutdown_tells_what_was_held);
	CU_add_test(suite, "largest_answer_fits_a_batch", test_oc_agent_largest_answer_fits_a_batch);
}
