/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the replay piece by piece: what is not in the record as such, a record that was changed, and what-if.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "help_hop.h"
#include "help_protocol.h"

void test_oc_replay_steps_suite(void);

#define A "s1.example.net"
#define B "s2.example.net"

static struct oc_candidate only(struct help_core *core, const char *peer)
{
	return (struct oc_candidate){ .peer = help_name(core, peer), .score = 1 };
}

/* @count realm-routed requests of a client without DOIC to @peer, answered without news. */
static void send(struct help_core *core, const char *peer, uint32_t count)
{
	struct oc_msg request = help_request(core, NULL);

	(void)help_hop_many(core, &request, "client.example.net", &peer, NULL, 1, count);
}

/* A request on its way to A. */
static struct oc_txn under_way(struct help_core *core)
{
	struct oc_msg request = help_request(core, NULL);
	struct oc_candidate candidate = only(core, A);
	struct oc_txn txn = { 0 };
	struct oc_group group;
	uint32_t pick = 1;

	oc_agent_on_request(core->agent, &request, help_name(core, "client.example.net"), ++core->now_ns, 1,
			    &txn);
	(void)oc_agent_caps_for_request(core->agent, &request, &txn, &group);
	oc_agent_on_candidates(core->agent, &request, &candidate, 1, ++core->now_ns, 1, &txn, &pick);
	oc_agent_on_sent(core->agent, &txn, candidate.peer, core->now_ns);
	return txn;
}

/* That a request ended is no step and may have the time of another thread's answer, whose reports stay its own. */
static void test_oc_replay_an_end_takes_no_reports_of_others(void)
{
	struct help_core *core = help_core_new();
	struct oc_txn lost = under_way(core);
	struct oc_txn answered = under_way(core);
	struct oc_msg answer = help_answer(core, A);
	struct oc_answer_edit edit = { 0 };

	help_olr(&answer, OC_REPORT_HOST, 1, 50, 3600);
	core->now_ns += SECOND;
	oc_agent_on_gone(core->agent, &lost, core->now_ns);
	oc_agent_on_answer(core->agent, &answer, help_name(core, A), core->now_ns, &answered, &edit);
	oc_agent_on_answer_leaving(core->agent, &answered, OC_MADE_UPSTREAM, 0, core->now_ns);
	oc_agent_on_gone(core->agent, &answered, core->now_ns);
	send(core, A, 100);
	CU_ASSERT(help_count(core, OC_EVENT_OCS_VERSION) == 1);
	help_core_free(core);
}

/* The next hop of a realm's requests is noted while there are peer reports, and nobody cleared away the one that ran out. */
static void test_oc_replay_next_hops_do_not_depend_on_who_looked(void)
{
	struct help_core *core = help_protocol_new(3);

	core->policy.ended_memory_ms = 0;
	help_core_apply_policy(core);
	help_report_of(core, A, OC_REPORT_PEER, 1, 10, 1);
	help_report_of(core, A, OC_REPORT_REALM, 1, 50, 3600);
	core->now_ns += 5 * SECOND;
	send(core, B, 20);
	core->now_ns += 5 * SECOND;
	send(core, B, 20);
	help_report_of(core, B, OC_REPORT_PEER, 1, 60, 3600);
	send(core, B, 200);
	help_core_free(core);
}

/* A report that goes on to the client fixes the algorithm of the answer; repeated word for word it is in no event. */
static void test_oc_replay_repeated_reports_are_known(void)
{
	struct help_core *core = help_protocol_new(4);
	struct oc_report_policy *reports = &core->policy.reports;
	struct oc_msg request = help_request(core, A);
	struct oc_msg answer = help_answer(core, A);
	struct oc_report_order order = { .key = { .type = OC_REPORT_REALM,
						  .app_id = HELP_APP,
						  .subject = help_name(core, "example.net") },
					 .has_rate = true,
					 .rate_rps = 100,
					 .validity_s = 600 };

	memcpy(reports->realms[reports->realm_count++], "example.net", sizeof("example.net"));
	help_core_apply_policy(core);
	help_hop_say(core, &request, OC_FV_LOSS | OC_FV_RATE, NULL, 0);
	help_olr(&answer, OC_REPORT_HOST, 1, 10, 3600);
	help_hop_pair(core, &request, "c1.example.net", A, &answer);
	CU_ASSERT_EQUAL(oc_agent_order(core->agent, &order, NULL, core->now_ns), 0);
	for (uint32_t i = 0; i < 20; i++)
		help_hop_pair(core, &request, "c1.example.net", A, &answer);
	core->now_ns += SECOND;
	oc_agent_tick(core->agent, core->now_ns);
	send(core, A, 300);
	help_core_free(core);
}

/* A life with half of its requests refused; the caller frees it. */
static struct help_core *half_refused(void)
{
	struct help_core *core = help_protocol_new(5);

	help_report_of(core, A, OC_REPORT_REALM, 1, 50, 3600);
	send(core, A, 1000);
	return core;
}

struct found {
	struct oc_policy policy;
	uint64_t refused_then;
	uint64_t refused_now;
	uint64_t decisions;
	const char *first; /* what differed first */
	uint64_t first_id;
};

static void on_decided(void *ctx, const struct oc_decision *recorded, const struct oc_decision *replayed)
{
	struct found *found = ctx;
	const char *what = oc_replay_difference(recorded, replayed);

	found->decisions++;
	found->refused_then += recorded->verdict == OC_REFUSE;
	found->refused_now += replayed->verdict == OC_REFUSE;
	if (what && !found->first) {
		found->first = what;
		found->first_id = recorded->id;
	}
}

static struct oc_replay_counts live_again(struct help_core *core, enum oc_replay_mode mode,
					  help_life_fn change, struct found *found)
{
	struct oc_replay_conf conf = {
		.agent = *help_life_conf(core->life), .mode = mode, .decided = on_decided, .ctx = found
	};
	struct oc_replay *replay = oc_replay_new(&conf, &found->policy);

	CU_ASSERT_PTR_NOT_NULL_FATAL(replay);
	help_life_give(core->life, replay, change, found);
	CU_ASSERT_EQUAL(oc_replay_run(replay, UINT64_MAX), 0);
	struct oc_replay_counts counts = oc_replay_counts(replay);
	oc_replay_free(replay);
	return counts;
}

static bool is_at(const struct oc_event *event, uint64_t id)
{
	return event->kind == OC_EVENT_DECISION && event->u.decision.id == id;
}

static bool change_draw(void *ctx, struct oc_event *event)
{
	(void)ctx;
	if (is_at(event, 500))
		event->u.decision.realm.nth++;
	return true;
}

static bool change_verdict(void *ctx, struct oc_event *event)
{
	(void)ctx;
	if (is_at(event, 500))
		event->u.decision.why = OC_WHY_OUTSTANDING;
	return true;
}

static bool change_chance(void *ctx, struct oc_event *event)
{
	(void)ctx;
	if (event->kind == OC_EVENT_DECISION && event->u.decision.id >= 500)
		event->u.decision.random ^= 0x80000000u;
	return true;
}

static bool leave_out(void *ctx, struct oc_event *event)
{
	(void)ctx;
	return !is_at(event, 500);
}

static void test_oc_replay_a_changed_record_is_found(void)
{
	static const struct {
		help_life_fn change;
		const char *what; /* NULL: whatever */
		uint64_t id;	  /* 0: whichever */
	} cases[] = { { change_draw, "realm", 500 },
		      { change_verdict, "why", 500 },
		      { change_chance, NULL, 0 },
		      { leave_out, "realm", 0 } };
	struct help_core *core = half_refused();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct found found = { .policy = core->policy };
		struct oc_replay_counts counts = live_again(core, OC_REPLAY_EXACT, cases[i].change, &found);
		CU_ASSERT(counts.differing > 0);
		CU_ASSERT_PTR_NOT_NULL_FATAL(found.first);
		if (cases[i].what)
			CU_ASSERT_STRING_EQUAL(found.first, cases[i].what);
		if (cases[i].id)
			CU_ASSERT_EQUAL(found.first_id, cases[i].id);
	}
	help_core_free(core);
}

/* What is given when its time is over is done all the same, and counted. */
static void test_oc_replay_late_and_unknown_things_are_counted(void)
{
	struct help_core *core = half_refused();
	struct found found = { .policy = core->policy };
	struct oc_replay_conf conf = { .agent = *help_life_conf(core->life),
				       .decided = on_decided,
				       .ctx = &found };
	struct oc_replay *replay = oc_replay_new(&conf, &core->policy);
	struct oc_event_outcome outcome = { .id = 77777 };
	struct oc_decision early = { .id = 88888, .at_ns = core->now_ns + SECOND };
	struct oc_decision late = { .id = 99999, .at_ns = core->now_ns };

	CU_ASSERT_EQUAL(oc_replay_outcome(replay, &outcome, NULL), -2);
	CU_ASSERT_EQUAL(oc_replay_decision(replay, &early, NULL, NULL), 0);
	CU_ASSERT_EQUAL(oc_replay_run(replay, early.at_ns), 0);
	CU_ASSERT_EQUAL(oc_replay_counts(replay).decisions, 0);
	CU_ASSERT_EQUAL(oc_replay_run(replay, early.at_ns + 1), 0);
	CU_ASSERT_EQUAL(oc_replay_counts(replay).decisions, 1);
	CU_ASSERT_EQUAL(oc_replay_decision(replay, &late, NULL, NULL), 0);
	CU_ASSERT_EQUAL(oc_replay_run(replay, UINT64_MAX), 0);
	struct oc_replay_counts counts = oc_replay_counts(replay);
	CU_ASSERT_EQUAL(counts.decisions, 2);
	CU_ASSERT_EQUAL(counts.late, 1);
	CU_ASSERT_EQUAL(counts.unknown, 1);
	oc_replay_free(replay);
	help_core_free(core);
}

/* A life that was cut off: the outcome of the request whose answer brought the report was not told. */
static bool cut_off(void *ctx, struct oc_event *event)
{
	(void)ctx;
	return event->kind != OC_EVENT_OUTCOME || event->u.outcome.id != 1;
}

static void test_oc_replay_a_report_without_its_outcome_counts(void)
{
	struct help_core *core = half_refused();
	struct found found = { .policy = core->policy };
	struct oc_replay_counts counts = live_again(core, OC_REPLAY_EXACT, cut_off, &found);

	CU_ASSERT_EQUAL(counts.differing, 0);
	CU_ASSERT_EQUAL(counts.orphans, 1);
	CU_ASSERT_EQUAL(found.refused_now, found.refused_then);
	help_core_free(core);
}

static bool without_candidates(void *ctx, struct oc_event *event)
{
	(void)ctx;
	if (event->kind == OC_EVENT_DECISION)
		event->u.decision.candidates = 0;
	return true;
}

static void test_oc_replay_unknown_candidates_are_told_apart(void)
{
	struct help_core *core = half_refused();
	struct found found = { .policy = core->policy };
	struct oc_replay_counts counts = live_again(core, OC_REPLAY_EXACT, without_candidates, &found);

	CU_ASSERT(counts.inexact > 400);
	CU_ASSERT_EQUAL(counts.differing, 0);
	help_core_free(core);
}

/* --- what-if --- */

/* No policy but the one asked about. */
static void test_oc_replay_what_if_nobody_were_trusted(void)
{
	struct help_core *core = half_refused();
	struct found found = { .policy = core->policy };

	found.policy.default_trust = 0;
	help_life_forget_policies(core->life);
	struct oc_replay_counts counts = live_again(core, OC_REPLAY_WHAT_IF, NULL, &found);
	CU_ASSERT_EQUAL(counts.decisions, 1001);
	CU_ASSERT_EQUAL(found.refused_then, 500);
	CU_ASSERT_EQUAL(found.refused_now, 0);
	help_core_unkept(core);
	help_core_free(core);
}

static void test_oc_replay_what_if_nothing_were_different(void)
{
	struct help_core *core = half_refused();
	struct found found = { .policy = core->policy };

	help_life_forget_policies(core->life);
	struct oc_replay_counts counts = live_again(core, OC_REPLAY_WHAT_IF, NULL, &found);
	CU_ASSERT_EQUAL(counts.differing, 0);
	CU_ASSERT_EQUAL(found.refused_now, 500);
	help_core_unkept(core);
	help_core_free(core);
}

/* An order of our own that ends by itself does so when the pulse of that life came, whenever its pulse began. */
static void test_oc_replay_what_if_falls_when_it_fell(void)
{
	struct help_core *core = help_protocol_new(7);
	struct oc_report_order order = { .key = { .type = OC_REPORT_PEER, .app_id = OC_APP_ANY },
					 .has_reduction = true,
					 .reduction_pct = 50,
					 .validity_s = 6 };
	uint64_t start_ns = core->now_ns;

	order.until_ns = start_ns + 4 * SECOND;
	CU_ASSERT_EQUAL(oc_agent_order(core->agent, &order, NULL, core->now_ns), 0);
	for (uint64_t ms = 1; ms < 5000; ms++) {
		core->now_ns = start_ns + ms * MS;
		if (ms % 100 == 87)
			oc_agent_tick(core->agent, core->now_ns);
		else if (ms % 2 == 0)
			send(core, A, 1);
	}
	struct found found = { .policy = core->policy };
	help_life_forget_policies(core->life);
	struct oc_replay_counts counts = live_again(core, OC_REPLAY_WHAT_IF, NULL, &found);
	CU_ASSERT(found.refused_then > 900);
	CU_ASSERT_EQUAL(counts.differing, 0);
	CU_ASSERT_EQUAL(found.refused_now, found.refused_then);
	help_core_unkept(core);
	help_core_free(core);
}

/* The number of unanswered requests is modelled: ten wait at once, and a cap of six turns the last four away. */
static void test_oc_replay_what_if_there_were_a_cap(void)
{
	struct help_core *core = help_protocol_new(6);
	struct oc_candidate to = only(core, A);
	struct help_going going[10];
	struct oc_msg answer = help_answer(core, A);

	for (uint32_t round = 0; round < 5; round++) {
		for (uint32_t i = 0; i < 10; i++) {
			going[i] = (struct help_going){ .msg = help_request(core, NULL) };
			CU_ASSERT_TRUE(help_pass(core, &going[i], &to, 1));
		}
		core->now_ns += SECOND;
		for (uint32_t i = 0; i < 10; i++) {
			struct oc_answer_edit edit = { 0 };
			oc_agent_on_answer(core->agent, &answer, to.peer, core->now_ns, &going[i].txn, &edit);
			oc_agent_on_answer_leaving(core->agent, &going[i].txn, OC_MADE_UPSTREAM, 0,
						   core->now_ns);
			oc_agent_on_gone(core->agent, &going[i].txn, core->now_ns);
		}
		core->now_ns += SECOND;
	}
	struct found found = { .policy = core->policy };
	found.policy.outstanding_max = 6;
	help_life_forget_policies(core->life);
	(void)live_again(core, OC_REPLAY_WHAT_IF, NULL, &found);
	CU_ASSERT_EQUAL(found.refused_then, 0);
	CU_ASSERT_EQUAL(found.refused_now, 20);
	help_core_unkept(core);
	help_core_free(core);
}

void test_oc_replay_steps_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_replay_steps", NULL, NULL);

	CU_add_test(suite, "an_end_takes_no_reports_of_others",
		    test_oc_replay_an_end_takes_no_reports_of_others);
	CU_add_test(suite, "next_hops_do_not_depend_on_who_looked",
		    test_oc_replay_next_hops_do_not_depend_on_who_looked);
	CU_add_test(suite, "repeated_reports_are_known", test_oc_replay_repeated_reports_are_known);
	CU_add_test(suite, "a_changed_record_is_found", test_oc_replay_a_changed_record_is_found);
	CU_add_test(suite, "late_and_unknown_things_are_counted",
		    test_oc_replay_late_and_unknown_things_are_counted);
	CU_add_test(suite, "a_report_without_its_outcome_counts",
		    test_oc_replay_a_report_without_its_outcome_counts);
	CU_add_test(suite, "unknown_candidates_are_told_apart",
		    test_oc_replay_unknown_candidates_are_told_apart);
	CU_add_test(suite, "what_if_nobody_were_trusted", test_oc_replay_what_if_nobody_were_trusted);
	CU_add_test(suite, "what_if_nothing_were_different", test_oc_replay_what_if_nothing_were_different);
	CU_add_test(suite, "what_if_falls_when_it_fell", test_oc_replay_what_if_falls_when_it_fell);
	CU_add_test(suite, "what_if_there_were_a_cap", test_oc_replay_what_if_there_were_a_cap);
}
