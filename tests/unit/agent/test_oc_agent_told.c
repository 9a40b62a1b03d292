/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of what the agent tells for a replay: times, chance, flags, orders, lost answers.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/oc_err.h"
#include "help_hop.h"
#include "help_protocol.h"

void test_oc_agent_told_suite(void);

#define S1 "s1.example.net"
#define S2 "s2.example.net"

/* A request through steps 1 and 3, sent where that says; it stays unanswered. */
static struct oc_decision send(struct help_core *core, const struct oc_msg *msg,
			       const struct oc_candidate *candidates, uint32_t count, struct oc_txn *txn)
{
	uint32_t pick = count;

	*txn = (struct oc_txn){ 0 };
	if (oc_agent_on_request(core->agent, msg, help_name(core, "client.example.net"), core->now_ns,
				help_random(&core->chance), txn) != OC_REFUSE &&
	    oc_agent_on_candidates(core->agent, msg, candidates, count, core->now_ns,
				   help_random(&core->chance), txn, &pick) != OC_REFUSE &&
	    pick < count)
		oc_agent_on_sent(core->agent, txn, candidates[pick].peer, core->now_ns);
	return help_last(core, OC_EVENT_DECISION)->u.decision;
}

static void test_oc_agent_told_times_rise_while_the_clock_stands(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg msg = help_request(core, NULL);
	struct oc_candidate to = { .peer = help_name(core, S1) };
	struct oc_txn txn[3];
	uint64_t last_ns = 0;
	uint64_t id = 0;

	for (unsigned i = 0; i < 3; i++) {
		struct oc_decision d = send(core, &msg, &to, 1, &txn[i]);
		CU_ASSERT(d.at_ns > last_ns && d.out_ns > d.at_ns && d.id > id);
		last_ns = d.out_ns;
		id = d.id;
		core->now_ns -= MS; /* and when it goes back */
	}
	CU_ASSERT(oc_agent_set_policy(core->agent, &core->policy, core->now_ns) > last_ns);
	help_core_unkept(core);
	for (unsigned i = 0; i < 3; i++)
		oc_agent_on_gone(core->agent, &txn[i], core->now_ns);
	help_core_free(core);
}

static uint64_t chance_of(struct help_core *core, const char *dest_host,
			  const struct oc_candidate *candidates, uint32_t count)
{
	struct oc_msg msg = help_request(core, dest_host);
	struct oc_txn txn;
	uint64_t random = send(core, &msg, candidates, count, &txn).random;

	oc_agent_on_gone(core->agent, &txn, core->now_ns);
	return random;
}

static void test_oc_agent_told_chance_is_what_was_used(void)
{
	struct help_core *core = help_protocol_new(7);
	struct oc_candidate two[] = { { .peer = help_name(core, S1) }, { .peer = help_name(core, S2) } };
	struct oc_msg answer = help_answer(core, S1);

	/* Nothing to draw, and equals are told apart by a lot that needs no replay. */
	CU_ASSERT_EQUAL(chance_of(core, NULL, two, 2), 0);
	help_report_of(core, S1, OC_REPORT_REALM, 1, 10, 600);
	uint64_t random = chance_of(core, NULL, two, 2);
	CU_ASSERT(random != 0 && random >> 32 == 0);
	help_report_of(core, S1, OC_REPORT_HOST, 1, 10, 600);
	random = chance_of(core, S1, two, 1);
	CU_ASSERT(random != 0 && random >> 32 == 0);
	random = chance_of(core, NULL, two, 1);
	CU_ASSERT((uint32_t)random != 0 && random >> 32 != 0);
	/* By load: a draw of step 3. */
	help_report_of(core, S1, OC_REPORT_REALM, 2, 10, 0);
	core->now_ns += SECOND;
	core->policy.default_trust |= OC_TRUST_SEND_LOAD;
	help_core_apply_policy(core);
	answer.caps = (struct oc_caps){ 0 };
	help_hop_load(core, &answer, OC_LOAD_PEER, 5000, S2);
	(void)help_exchange(core, &answer, S2);
	random = chance_of(core, NULL, two + 1, 1);
	CU_ASSERT_EQUAL(random, 0);
	struct oc_candidate three[] = { two[1], { .peer = help_name(core, "s3.example.net") } };
	random = chance_of(core, NULL, three, 2);
	CU_ASSERT((uint32_t)random == 0 && random >> 32 != 0);
	help_core_free(core);
}

static void test_oc_agent_told_who_had_no_room(void)
{
	const uint16_t asked = OC_DEC_FULL | OC_DEC_NO_ROOM | OC_DEC_MOVED;
	struct help_core *core = help_core_new();
	struct oc_msg msg = help_request(core, NULL);
	struct oc_candidate two[] = { { .peer = help_name(core, S1), .score = 2 },
				      { .peer = help_name(core, S2), .score = 1 } };
	struct oc_txn txn[5];

	core->policy.outstanding_max = 1;
	help_core_apply_policy(core);
	struct oc_decision d = send(core, &msg, two, 2, &txn[0]);
	CU_ASSERT_EQUAL(d.flags & asked, 0);
	d = send(core, &msg, two, 2, &txn[1]);
	CU_ASSERT_EQUAL(d.flags & asked, OC_DEC_FULL);
	CU_ASSERT_EQUAL(d.next_hop, two[1].peer);
	d = send(core, &msg, two, 2, &txn[2]);
	CU_ASSERT_EQUAL(d.flags & asked, OC_DEC_FULL | OC_DEC_NO_ROOM);
	CU_ASSERT_EQUAL(d.verdict, OC_REFUSE);
	/* Under a report of the first, with no room at the other. */
	oc_agent_on_gone(core->agent, &txn[0], core->now_ns);
	help_report_of(core, S1, OC_REPORT_HOST, 1, 100, 600);
	d = send(core, &msg, two, 2, &txn[3]);
	CU_ASSERT_EQUAL(d.flags & asked, OC_DEC_NO_ROOM);
	CU_ASSERT_EQUAL(d.verdict, OC_REFUSE);
	for (unsigned i = 1; i < 4; i++)
		oc_agent_on_gone(core->agent, &txn[i], core->now_ns);
	help_core_free(core);
}

static void test_oc_agent_told_a_request_that_moved(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg msg = help_request(core, NULL);
	struct oc_candidate two[] = { { .peer = help_name(core, S1), .score = 2 },
				      { .peer = help_name(core, S2), .score = 1 } };
	struct oc_txn txn = { 0 };
	uint32_t pick;

	/* Sent elsewhere by the host. */
	oc_agent_on_request(core->agent, &msg, two[0].peer, core->now_ns, 1, &txn);
	oc_agent_on_candidates(core->agent, &msg, two, 2, core->now_ns, 1, &txn, &pick);
	oc_agent_on_sent(core->agent, &txn, two[1].peer, core->now_ns);
	struct oc_decision d = help_last(core, OC_EVENT_DECISION)->u.decision;
	CU_ASSERT_EQUAL(d.flags & OC_DEC_MOVED, OC_DEC_MOVED);
	CU_ASSERT_EQUAL(d.first_choice, two[0].peer);
	CU_ASSERT_EQUAL(d.next_hop, two[1].peer);
	oc_agent_on_gone(core->agent, &txn, core->now_ns);
	/* Asked again before it was sent: the peer chosen was lost. */
	txn = (struct oc_txn){ 0 };
	oc_agent_on_request(core->agent, &msg, two[0].peer, core->now_ns, 1, &txn);
	oc_agent_on_candidates(core->agent, &msg, two, 2, core->now_ns, 1, &txn, &pick);
	uint64_t out_ns = txn.decision.out_ns;
	oc_agent_on_candidates(core->agent, &msg, two + 1, 1, core->now_ns, 1, &txn, &pick);
	oc_agent_on_sent(core->agent, &txn, two[1].peer, core->now_ns);
	d = help_last(core, OC_EVENT_DECISION)->u.decision;
	CU_ASSERT_EQUAL(d.flags & OC_DEC_MOVED, OC_DEC_MOVED);
	CU_ASSERT_EQUAL(d.first_choice, two[0].peer);
	CU_ASSERT_EQUAL(d.out_ns, out_ns);
	/* A failover after it was told is another story: the outcome counts its attempts. */
	oc_agent_on_sent(core->agent, &txn, two[0].peer, core->now_ns);
	CU_ASSERT_EQUAL(help_count(core, OC_EVENT_DECISION), 2);
	oc_agent_on_gone(core->agent, &txn, core->now_ns);
	help_core_free(core);
}

static void test_oc_agent_told_what_the_host_did_not_ask_about(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg msg = help_request(core, NULL);
	struct oc_txn txn = { 0 };

	oc_agent_on_unrouted(core->agent, &msg, help_name(core, S1), core->now_ns, &txn);
	oc_agent_on_gone(core->agent, &txn, core->now_ns);
	CU_ASSERT(help_last(core, OC_EVENT_DECISION)->u.decision.flags & OC_DEC_UNASKED);
	help_core_free(core);
}

/* It has taught the agent what it had to say, so it is told. */
static void test_oc_agent_told_an_answer_lost_on_its_way_out(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg msg = help_request(core, NULL);
	struct oc_msg answer = help_answer(core, S1);
	struct oc_candidate to = { .peer = help_name(core, S1) };
	struct oc_answer_edit edit = { 0 };
	struct oc_txn txn;

	answer.flags |= 0x20;
	answer.result_code = OC_RC_TOO_BUSY;
	(void)send(core, &msg, &to, 1, &txn);
	oc_agent_on_answer(core->agent, &answer, to.peer, core->now_ns + MS, &txn, &edit);
	oc_agent_on_gone(core->agent, &txn, core->now_ns + SECOND);
	const struct oc_event_outcome *o = &help_last(core, OC_EVENT_OUTCOME)->u.outcome;
	CU_ASSERT_EQUAL(o->maker, OC_MADE_LOST);
	CU_ASSERT_EQUAL(o->from_peer, to.peer);
	CU_ASSERT_EQUAL(o->answered_by, to.peer);
	CU_ASSERT_EQUAL(o->answered_realm, help_name(core, "example.net"));
	CU_ASSERT_EQUAL(o->result_code, OC_RC_TOO_BUSY);
	CU_ASSERT_EQUAL(txn.decision.at_ns + o->took_ns, txn.answered_ns);
	CU_ASSERT(o->took_ns < SECOND);
	const struct oc_event_profile *p = &help_last(core, OC_EVENT_PROFILE)->u.profile;
	CU_ASSERT_EQUAL(p->id, o->profile);
	CU_ASSERT_EQUAL(p->profile.hints, OC_HINT_ERROR);
	help_core_free(core);
}

/* What the answer of a client that hears reports, or of one that does not, is told to have been. */
static uint16_t hints_of_answer(uint32_t trust, bool with_report)
{
	struct help_core *core = help_core_new();
	struct oc_msg msg = help_request(core, S1), answer = help_answer(core, S1);
	struct oc_answer_edit edit = { 0 };
	struct oc_txn txn = { 0 };
	struct oc_group group;
	uint32_t to = help_name(core, S1);

	help_trust(core, "client.example.net", trust, NULL);
	msg.caps = (struct oc_caps){ .vector = OC_FV_LOSS, .has = OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR };
	answer.caps.source = to; /* of the hop: not for the client, so they are made anew */
	answer.caps.has |= OC_CAPS_HAS_SOURCE;
	if (with_report)
		help_olr(&answer, OC_REPORT_HOST, 1, 30, 10);
	(void)oc_agent_on_request(core->agent, &msg, help_name(core, "client.example.net"), core->now_ns, 0,
				  &txn);
	(void)oc_agent_caps_for_request(core->agent, &msg, &txn, &group);
	oc_agent_on_sent(core->agent, &txn, to, core->now_ns);
	oc_agent_on_answer(core->agent, &answer, to, core->now_ns + MS, &txn, &edit);
	CU_ASSERT(edit.strip_caps);
	CU_ASSERT_EQUAL(edit.strip_all_olr, (trust & OC_TRUST_RECEIVE_REPORTS) == 0);
	oc_agent_on_gone(core->agent, &txn, core->now_ns + SECOND);
	uint16_t hints = help_last(core, OC_EVENT_PROFILE)->u.profile.profile.hints;
	help_core_free(core);
	return hints;
}

static void test_oc_agent_told_a_report_that_went_on(void)
{
	CU_ASSERT_EQUAL(hints_of_answer(OC_TRUST_DOIC | OC_TRUST_RECEIVE_REPORTS, true), OC_HINT_PASSES);
	CU_ASSERT_EQUAL(hints_of_answer(OC_TRUST_DOIC | OC_TRUST_RECEIVE_REPORTS, false), 0);
	CU_ASSERT_EQUAL(hints_of_answer(OC_TRUST_DOIC, true), 0);
}

static struct oc_report_order peer_order(uint32_t pct)
{
	return (struct oc_report_order){ .key = { .type = OC_REPORT_PEER, .app_id = OC_APP_ANY },
					 .has_reduction = true,
					 .reduction_pct = pct };
}

static void test_oc_agent_told_who_ordered_and_why(void)
{
	char longer[OC_ORDER_TEXT_MAX + 10];
	struct help_core *core = help_core_new();
	struct oc_report_order order = peer_order(30);
	struct oc_order_origin origin = {
		.by = OC_BY_LAW, .actor = 4, .calculation = 2, .reason = longer, .inputs = "cpu=93 queue=80"
	};

	memset(longer, 'r', sizeof(longer));
	longer[sizeof(longer) - 1] = '\0';
	order.until_ns = core->now_ns + 60 * SECOND;
	CU_ASSERT_EQUAL(oc_agent_order(core->agent, &order, &origin, core->now_ns), OC_OK);
	struct oc_event_order e = help_last(core, OC_EVENT_ORDER)->u.order;
	CU_ASSERT_EQUAL(e.by, OC_BY_LAW);
	CU_ASSERT_EQUAL(e.actor, 4);
	CU_ASSERT_EQUAL(e.calculation, 2);
	CU_ASSERT_EQUAL(e.has, OC_ORDER_HAS_REDUCTION);
	CU_ASSERT_EQUAL(e.reduction_pct, 30);
	CU_ASSERT_EQUAL(e.until_ns, order.until_ns);
	CU_ASSERT_EQUAL(strlen(e.reason), OC_ORDER_TEXT_MAX - 1);
	CU_ASSERT_STRING_EQUAL(e.inputs, "cpu=93 queue=80");
	CU_ASSERT_EQUAL(oc_agent_withdraw(core->agent, &order.key, NULL, core->now_ns), OC_OK);
	e = help_last(core, OC_EVENT_ORDER)->u.order;
	CU_ASSERT_EQUAL(e.is_withdrawal, 1);
	CU_ASSERT_EQUAL(e.by, OC_BY_CONTROL);
	CU_ASSERT_STRING_EQUAL(e.reason, "");
	/* What is refused is no order. */
	CU_ASSERT_EQUAL(oc_agent_withdraw(core->agent, &order.key, NULL, core->now_ns), OC_ENOENT);
	CU_ASSERT_EQUAL(help_count(core, OC_EVENT_ORDER), 2);
	help_core_free(core);
}

static void test_oc_agent_told_orders_of_the_policy(void)
{
	struct help_core *core = help_core_new();
	struct oc_report_policy *reports = &core->policy.reports;

	reports->orders[0] = (struct oc_order_policy){
		.type = OC_REPORT_PEER, .app_id = OC_APP_ANY, .has_rate = true, .rate_rps = 50
	};
	reports->order_count = 1;
	core->policy.version = 7;
	help_core_apply_policy(core);
	const struct oc_event_order *e = &help_last(core, OC_EVENT_ORDER)->u.order;
	CU_ASSERT_EQUAL(e->by, OC_BY_POLICY);
	CU_ASSERT_EQUAL(e->actor, 7);
	CU_ASSERT_EQUAL(e->rate_rps, 50);
	CU_ASSERT_EQUAL(e->is_withdrawal, 0);
	reports->order_count = 0;
	core->policy.version = 8;
	help_core_apply_policy(core);
	e = &help_last(core, OC_EVENT_ORDER)->u.order;
	CU_ASSERT_EQUAL(e->actor, 8);
	CU_ASSERT_EQUAL(e->is_withdrawal, 1);
	help_core_free(core);
}

/* The end of a report that is left to expiry is told to nobody but the trail. */
static void test_oc_agent_told_a_silent_end(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg request = help_request(core, NULL);
	struct oc_msg answer = help_hop_plain_answer(core, S1);
	struct oc_report_order order = peer_order(10);

	core->policy.reports.is_end_explicit = false;
	core->policy.reports.fall_step_pct = 0;
	help_core_apply_policy(core);
	CU_ASSERT_EQUAL(oc_agent_order(core->agent, &order, NULL, core->now_ns), OC_OK);
	uint64_t sequence = help_last(core, OC_EVENT_OWN_REPORT)->u.own_report.sequence;
	help_hop_say(core, &request, OC_FV_LOSS | OC_FV_PEER_REPORT, "client.example.net", 0);
	help_hop_pair(core, &request, "client.example.net", S1, &answer);
	CU_ASSERT_EQUAL(oc_agent_withdraw(core->agent, &order.key, NULL, core->now_ns), OC_OK);
	const struct oc_event_own_report *e = &help_last(core, OC_EVENT_OWN_REPORT)->u.own_report;
	CU_ASSERT_EQUAL(e->step, OC_REPORT_ENDED);
	CU_ASSERT_EQUAL(e->sequence, sequence);
	CU_ASSERT_EQUAL(e->raw_len, 0);
	CU_ASSERT_EQUAL(e->validity_s, 0);
	help_core_free(core);
}

void test_oc_agent_told_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_agent_told", NULL, NULL);

	CU_add_test(suite, "times_rise_while_the_clock_stands",
		    test_oc_agent_told_times_rise_while_the_clock_stands);
	CU_add_test(suite, "chance_is_what_was_used", test_oc_agent_told_chance_is_what_was_used);
	CU_add_test(suite, "who_had_no_room", test_oc_agent_told_who_had_no_room);
	CU_add_test(suite, "a_request_that_moved", test_oc_agent_told_a_request_that_moved);
	CU_add_test(suite, "what_the_host_did_not_ask_about",
		    test_oc_agent_told_what_the_host_did_not_ask_about);
	CU_add_test(suite, "an_answer_lost_on_its_way_out", test_oc_agent_told_an_answer_lost_on_its_way_out);
	CU_add_test(suite, "a_report_that_went_on", test_oc_agent_told_a_report_that_went_on);
	CU_add_test(suite, "who_ordered_and_why", test_oc_agent_told_who_ordered_and_why);
	CU_add_test(suite, "orders_of_the_policy", test_oc_agent_told_orders_of_the_policy);
	CU_add_test(suite, "D-106 a_silent_end", test_oc_agent_told_a_silent_end);
}
