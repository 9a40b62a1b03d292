/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Fuzzes the life of an agent: the bytes are steps of several transactions at once with hostile messages, orders,
 * policies, time in leaps and restarts. After each step what must always hold is held against a plain model.
 */
#include <stdlib.h>

#include "agent/doic/oc_trust.h"
#include "agent/oc_agent.h"
#include "agent/oc_err.h"
#include "agent_wire.h"

#define TXNS 12u
#define STEPS_MAX 300u
#define BURST 32u
#define SECOND 1000000000ull
#define PEERS 7u /* of hosts[]: who may be a neighbour */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct followed {
	bool is_open;
	bool is_announced;  /* the client sent OC-Supported-Features */
	uint32_t trust;	    /* of the client's neighbour when the request came */
	uint32_t decisions; /* events seen */
	uint32_t outcomes;
	struct oc_msg msg;
	struct oc_txn txn;
};

struct world {
	struct oc_names *names;
	struct oc_agent *agent;
	struct oc_policy policy;
	uint64_t now_ns;
	uint64_t own_sequence; /* last one told */
	bool was_random;       /* the sampler has been random: its bound does not hold */
	struct followed txn[TXNS];
};

static void expect(bool is_true)
{
	if (!is_true)
		abort();
}

static uint32_t name_of(struct world *w, uint8_t choice)
{
	const char *text = hosts[choice % HOSTS];

	return oc_names_id(w->names, (struct oc_bytes){ (const uint8_t *)text, strlen(text) }, NULL);
}

static struct followed *followed_as(struct world *w, uint64_t id)
{
	for (unsigned i = 0; i < TXNS; i++)
		if (w->txn[i].is_open && w->txn[i].txn.decision.id == id)
			return &w->txn[i];
	abort(); /* an event of a request that is none */
}

/* The sampler's promise, for each version of each state. */
static void check_change(const struct world *w, const struct oc_event_ocs_change *e)
{
	int64_t difference = (int64_t)(e->selected * OC_PPM) - (int64_t)e->expected_ppm;

	expect(e->selected <= e->matched && e->how < OC_END_COUNT);
	expect(w->was_random || (difference > -(int64_t)OC_PPM && difference < (int64_t)OC_PPM));
}

static void on_event(void *ctx, const struct oc_event *event)
{
	struct world *w = ctx;

	switch (event->kind) {
	case OC_EVENT_DECISION:
		expect(++followed_as(w, event->u.decision.id)->decisions == 1);
		expect((event->u.decision.verdict == OC_REFUSE) == (event->u.decision.result_code != 0));
		break;
	case OC_EVENT_OUTCOME:
		expect(++followed_as(w, event->u.outcome.id)->outcomes == 1);
		break;
	case OC_EVENT_OCS_CHANGE:
		check_change(w, &event->u.ocs_change);
		break;
	case OC_EVENT_OWN_REPORT:
		if (event->u.own_report.step == OC_REPORT_GONE)
			break;
		expect(event->u.own_report.sequence > w->own_sequence && event->u.own_report.raw_len > 0);
		w->own_sequence = event->u.own_report.sequence;
		break;
	default:
		break;
	}
}

static void start_agent(struct world *w, uint64_t first_sequence)
{
	struct oc_agent_conf conf = { .identity = "agent.example.net",
				      .realm = "example.net",
				      .names = w->names,
				      .ocs_max = 6,
				      .retry_memory = 16,
				      .session_memory = 16,
				      .load_nodes = 4,
				      .first_sequence = first_sequence,
				      .now_ns = w->now_ns,
				      .emit = on_event,
				      .emit_ctx = w };

	w->agent = oc_agent_new(&conf, &w->policy);
}

/* --- the steps of a transaction --- */

static void step_request(struct world *w, struct bytes *in, struct followed *f)
{
	uint32_t peer = name_of(w, take(in));
	uint64_t random = (uint64_t)take_u32(in) * 0x9e3779b97f4a7c15ull;
	struct oc_group group;

	if (f->is_open)
		return;
	*f = (struct followed){ .is_open = true };
	make_message(in, w->names, NULL, &f->msg);
	f->trust = oc_trust_flags(&w->policy, peer > OC_NAME_OVERFLOW ? oc_names_text(w->names, peer) : "");
	f->is_announced = (f->msg.caps.has & OC_CAPS_PRESENT) != 0;
	if (take(in) > 250) {
		oc_agent_on_unrouted(w->agent, &f->msg, peer, w->now_ns, &f->txn);
		return;
	}
	if (oc_agent_on_request(w->agent, &f->msg, peer, w->now_ns, random, &f->txn) == OC_REFUSE)
		return;
	expect(oc_agent_caps_for_request(w->agent, &f->msg, &f->txn, &group) == OC_CAPS_KEEP ||
	       group.len <= OC_ENCODE_MAX);
	if ((f->msg.hints & OC_HINT_DRMP) && !(f->trust & (OC_TRUST_DRMP | OC_TRUST_RELAY_DRMP)))
		expect(oc_agent_drmp_for_request(&f->txn) == OC_DRMP_STRIP);
}

static void step_out(struct world *w, struct bytes *in, struct followed *f)
{
	struct oc_candidate candidates[4];
	uint32_t count = take(in) % 5;
	uint32_t pick = 99;

	if (!f->is_open || (f->txn.decision.verdict == OC_REFUSE) || oc_agent_is_over(&f->txn))
		return;
	for (uint32_t i = 0; i < count; i++) {
		candidates[i].peer = name_of(w, take(in) % PEERS);
		candidates[i].score = (int32_t)(take(in) % 4) * 10 - 10;
	}
	uint64_t random = (uint64_t)take_u32(in) * 0x9e3779b97f4a7c15ull;
	enum oc_verdict verdict = oc_agent_on_candidates(w->agent, &f->msg, candidates, count, w->now_ns,
							 random, &f->txn, &pick);
	if (verdict == OC_REFUSE || pick == count)
		return;
	expect(pick < count && candidates[pick].score >= 0);
	oc_agent_on_sent(w->agent, &f->txn, candidates[pick].peer, w->now_ns);
}

/* What never goes to a client, whatever the answer says (D-022, D-213, D-286, D-287, L-16, L-25). */
static void check_edit(const struct followed *f, const struct oc_msg *answer,
		       const struct oc_answer_edit *edit)
{
	bool speaks = f->is_announced && (f->trust & OC_TRUST_DOIC);
	bool may_have_reports = speaks && (f->trust & OC_TRUST_RECEIVE_REPORTS);
	bool may_have_load = (f->trust & OC_TRUST_RECEIVE_LOAD) != 0;

	expect(edit->own_count <= OC_ANSWER_OWN_MAX && (may_have_reports || edit->own_count == 0));
	expect(speaks || !edit->add_caps);
	expect(may_have_load || !edit->add_load);
	if (!answer)
		return;
	expect(speaks || !(answer->caps.has & OC_CAPS_PRESENT) || edit->strip_caps);
	expect(may_have_reports || answer->olr_count == 0 || edit->strip_all_olr);
	expect(may_have_load || answer->load_avps == 0 || edit->strip_all_load);
	for (uint32_t i = 0; i < answer->olr_count && !edit->strip_all_olr; i++)
		expect(answer->olr[i].type != OC_REPORT_PEER || (edit->strip_olr & 1u << i));
	for (uint32_t i = 0; i < answer->load_count && !edit->strip_all_load; i++)
		expect(answer->load[i].type == OC_LOAD_HOST || (edit->strip_load & 1u << i));
	if ((answer->hints & OC_HINT_DRMP) && !(f->trust & OC_TRUST_RECEIVE_DRMP))
		expect(edit->strip_drmp);
}

static void check_own(const struct world *w, const struct oc_answer_edit *edit)
{
	struct oc_group group;

	for (uint8_t i = 0; i < edit->own_count; i++)
		expect(oc_agent_encode_own(w->agent, &edit->own[i], &group) == OC_OK);
	if (edit->add_load)
		expect(oc_agent_encode_load(w->agent, edit->load_value, &group) == OC_OK);
}

static void step_answer(struct world *w, struct bytes *in, struct followed *f)
{
	uint8_t from = take(in);
	uint32_t peer = f->txn.counted_peer && from < 230 ? f->txn.counted_peer : name_of(w, from % PEERS);
	struct oc_answer_edit edit = { 0 };
	struct oc_msg answer;

	if (!f->is_open || oc_agent_is_over(&f->txn) || f->txn.decision.verdict == OC_REFUSE)
		return;
	make_message(in, w->names, &f->msg, &answer);
	oc_agent_on_answer(w->agent, &answer, peer, w->now_ns, &f->txn, &edit);
	check_edit(f, &answer, &edit);
	check_own(w, &edit);
	if (take(in) < 200)
		oc_agent_on_answer_leaving(w->agent, &f->txn, OC_MADE_UPSTREAM, 0, w->now_ns);
}

static void step_own_answer(struct world *w, struct followed *f)
{
	struct oc_answer_edit edit = { 0 };

	if (!f->is_open || oc_agent_is_over(&f->txn))
		return;
	oc_agent_on_own_answer(w->agent, &f->txn, w->now_ns, &edit);
	check_edit(f, NULL, &edit);
	check_own(w, &edit);
	oc_agent_on_answer_leaving(w->agent, &f->txn, OC_MADE_DAEMON, OC_RC_UNABLE_TO_DELIVER, w->now_ns);
}

static void step_gone(struct world *w, struct followed *f)
{
	if (!f->is_open)
		return;
	oc_agent_on_gone(w->agent, &f->txn, w->now_ns);
	oc_agent_on_gone(w->agent, &f->txn, w->now_ns);
	expect(f->decisions == 1 && f->outcomes == 1);
	expect(oc_agent_is_over(&f->txn));
	f->is_open = false;
}

/* Many requests alike, as samplers and buckets meet them. */
static void step_burst(struct world *w, struct bytes *in, struct followed *f)
{
	uint32_t peer = name_of(w, take(in));
	uint32_t server = name_of(w, take(in) % 3);
	uint64_t random = take(in);
	struct oc_candidate candidate = { .peer = server };
	struct oc_msg msg;
	uint32_t pick;

	if (f->is_open)
		return;
	make_message(in, w->names, NULL, &msg);
	for (unsigned i = 0; i < BURST; i++) {
		random = random * 6364136223846793005ull + 1442695040888963407ull;
		*f = (struct followed){ .is_open = true };
		if (oc_agent_on_request(w->agent, &msg, peer, w->now_ns, random, &f->txn) != OC_REFUSE &&
		    oc_agent_on_candidates(w->agent, &msg, &candidate, 1, w->now_ns, ~random, &f->txn,
					   &pick) != OC_REFUSE)
			oc_agent_on_sent(w->agent, &f->txn, server, w->now_ns);
		step_gone(w, f);
	}
}

/* --- the steps of the agent --- */

static void step_order(struct world *w, struct bytes *in)
{
	uint8_t has = take(in);
	struct oc_report_order order = { .has_reduction = has & 1, .has_rate = has & 2 };

	order.key.type = take(in) % 4;
	order.key.app_id = has & 4 ? OC_APP_ANY : OC_APP_GX;
	order.key.subject = name_of(w, take(in));
	order.reduction_pct = odd_values[take(in) % ODD];
	order.rate_rps = odd_values[take(in) % ODD];
	order.validity_s = odd_values[take(in) % ODD];
	order.until_ns = has & 8 ? w->now_ns + take(in) * SECOND : 0;
	if (has & 16)
		(void)oc_agent_withdraw(w->agent, &order.key, NULL, w->now_ns);
	else
		(void)oc_agent_order(w->agent, &order, NULL, w->now_ns);
}

static uint32_t take_flags(struct bytes *in)
{
	uint32_t high = take(in);

	return (high << 4 | take(in)) & 0x7ffu;
}

static void change_policy(struct world *w, struct bytes *in)
{
	uint8_t bits = take(in);

	w->policy.mode = bits & 1 ? OC_MODE_OBSERVE : OC_MODE_ENFORCE;
	w->policy.sampler = (bits & 6) == 6 ? OC_SAMPLER_RANDOM : OC_SAMPLER_EXACT;
	w->was_random |= w->policy.sampler == OC_SAMPLER_RANDOM;
	w->policy.rate.is_on = !(bits & 8);
	w->policy.rate.is_anti_resonant = (bits & 16) != 0;
	w->policy.standby_takes_all = (bits & 32) != 0;
	w->policy.outstanding_max = bits & 64 ? 2 : 0;
	w->policy.reports.is_end_explicit = !(bits & 128);
	w->policy.ramp_ms = take(in) * 100u;
	w->policy.ended_memory_ms = take(in) * 200u;
	w->policy.priorities.slack = take(in) % 5;
	w->policy.reports.fall_step_pct = take(in) % 101;
	w->policy.reports.prefers = take(in) & 1 ? OC_ALGO_RATE : OC_ALGO_LOSS;
	w->policy.load.send = take(in) % 3;
	w->policy.load.capacity_rps = take(in);
	w->policy.default_trust = take_flags(in);
	w->policy.reports.sole_path_count = w->policy.reports.realm_count = take(in) & 1;
	strcpy(w->policy.reports.sole_paths[0], "*.example.net");
	strcpy(w->policy.reports.realms[0], "example.net");
	w->policy.rule_count = 1;
	strcpy(w->policy.rules[0].peer, hosts[take(in) % PEERS]);
	w->policy.rules[0].flags = take_flags(in);
	w->policy.version++;
}

static void step_policy(struct world *w, struct bytes *in)
{
	change_policy(w, in);
	oc_agent_set_policy(w->agent, &w->policy, w->now_ns);
}

/* Mostly forwards, now and then back a little: two threads may read the clock in one order and come in the other. */
static void step_time(struct world *w, struct bytes *in)
{
	static const uint64_t leaps[] = { 1, 1000000, 100000000, SECOND, 30 * SECOND, 86401 * SECOND };
	uint8_t way = take(in);

	if (way > 240)
		w->now_ns -= (way - 240) * 100000000ull;
	else
		w->now_ns += leaps[way % 6] * (1 + way / 32);
	oc_agent_tick(w->agent, w->now_ns);
}

static void step_restart(struct world *w)
{
	uint64_t next;

	for (unsigned i = 0; i < TXNS; i++)
		step_gone(w, &w->txn[i]);
	next = oc_agent_next_sequence(w->agent);
	expect(next > w->own_sequence);
	oc_agent_free(w->agent, w->now_ns);
	start_agent(w, next);
}

static void step(struct world *w, struct bytes *in)
{
	uint8_t what = take(in);
	struct followed *f = &w->txn[what / 16 % TXNS];

	switch (what % 16) {
	case 0:
	case 1:
	case 2:
		step_request(w, in, f);
		break;
	case 3:
	case 4:
	case 5:
		step_out(w, in, f);
		break;
	case 6:
	case 7:
	case 8:
		step_answer(w, in, f);
		break;
	case 9:
		step_own_answer(w, f);
		break;
	case 10:
		step_gone(w, f);
		break;
	case 11:
		step_order(w, in);
		break;
	case 12:
		oc_agent_on_peer(w->agent, name_of(w, take(in)), what & 16, w->now_ns);
		oc_agent_set_load(w->agent, take_u32(in));
		break;
	case 13:
		step_policy(w, in);
		break;
	case 14:
		step_time(w, in);
		break;
	default:
		if (what < 32)
			step_restart(w);
		else
			step_burst(w, in, f);
		break;
	}
}

/* Each peer has as many unanswered requests as there are transactions that say so. */
static void check_counts(const struct world *w)
{
	for (uint32_t peer = OC_NAME_OVERFLOW + 1; peer < oc_names_count(w->names); peer++) {
		uint32_t count = 0;
		for (unsigned i = 0; i < TXNS; i++)
			count += w->txn[i].is_open && w->txn[i].txn.counted_peer == peer;
		expect(oc_agent_outstanding(w->agent, peer) == count);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes in = { data, size };
	struct world *w = calloc(1, sizeof(*w));

	if (w == NULL)
		return 0;
	w->now_ns = 1000 * SECOND;
	w->names = oc_names_new(take(&in) & 1 ? 12 : 256, 1);
	oc_policy_init(&w->policy);
	change_policy(w, &in);
	start_agent(w, 1);
	for (unsigned i = 0; i < STEPS_MAX && in.left > 0; i++) {
		step(w, &in);
		check_counts(w);
	}
	for (unsigned i = 0; i < TXNS; i++)
		step_gone(w, &w->txn[i]);
	oc_agent_free(w->agent, w->now_ns);
	oc_names_free(w->names);
	free(w);
	return 0;
}
