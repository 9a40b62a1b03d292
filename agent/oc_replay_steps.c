/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The steps of one recorded request, done again.
 */
#include <string.h>

#include "doic/oc_caps.h"
#include "oc_replay_inner.h"

static bool is_what_if(const struct oc_replay *replay)
{
	return replay->conf.mode == OC_REPLAY_WHAT_IF;
}

/* Chance of step 1 (lower half) and 3. Under another policy something may be left to chance that was not: then the number of the
 * decision serves, so that the same question has the same answer. */
static uint64_t chance_of(const struct oc_replay *replay, const struct oc_decision *d)
{
	uint64_t made_up = (d->id + 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;

	if (!is_what_if(replay))
		return d->random;
	made_up = (made_up ^ (made_up >> 31)) * 0x94d049bb133111ebull;
	uint64_t low = (uint32_t)d->random ? (uint32_t)d->random : (uint32_t)made_up;
	uint64_t high = d->random >> 32 ? d->random >> 32 : made_up >> 32;
	return high << 32 | low;
}

/* Where the request went, 0 nowhere. */
static uint32_t sent_to(const struct oc_replay *replay, const struct oc_replay_call *call)
{
	const struct oc_decision *d = &call->decision;

	if (is_what_if(replay) && (d->out_ns != 0 || d->verdict == OC_REFUSE))
		return call->txn.picked;
	if (d->next_hop == OC_NAME_NONE || (d->flags & OC_DEC_MOVED) || d->out_ns == 0)
		return d->next_hop;
	return call->txn.picked;
}

/* A success, when what became of a request is not known since it was refused in the record. */
static void answer_at_once(struct oc_replay *replay, struct oc_replay_call *call, uint64_t at_ns)
{
	const struct oc_decision *d = &call->decision;
	uint32_t from = call->txn.counted_peer;
	struct oc_answer_edit edit;
	struct oc_msg msg;

	oc_replay_request(replay, call, &msg);
	msg.flags = 0;
	msg.result_code = OC_RC_SUCCESS;
	msg.origin_host = d->dest_host ? d->dest_host : from;
	msg.origin_realm = d->dest_realm;
	msg.hints = 0;
	msg.caps = (struct oc_caps){ 0 };
	memset(&edit, 0, offsetof(struct oc_answer_edit, own));
	oc_agent_on_answer(replay->agent, &msg, from, at_ns, &call->txn, &edit);
}

static void answer_here(struct oc_replay *replay, struct oc_replay_call *call, uint64_t at_ns)
{
	struct oc_answer_edit edit;

	memset(&edit, 0, offsetof(struct oc_answer_edit, own));
	oc_agent_on_own_answer(replay->agent, &call->txn, at_ns, &edit);
}

/* What-if: the record does not know what became of a request that was treated otherwise. */
static void follow(struct oc_replay *replay, struct oc_replay_call *call, uint64_t at_ns)
{
	bool was_refused = call->decision.verdict == OC_REFUSE;

	if (was_refused && call->txn.counted_peer != OC_NAME_NONE)
		answer_at_once(replay, call, at_ns);
	else if (!was_refused && call->txn.decision.verdict == OC_REFUSE)
		answer_here(replay, call, at_ns);
}

/* The decision is made: it is told, and held against the recorded one. */
static void finish(struct oc_replay *replay, struct oc_replay_call *call, uint64_t at_ns, bool is_exact)
{
	uint32_t peer = sent_to(replay, call);

	call->is_finished = true;
	if (!replay->is_told && !is_what_if(replay) && (call->decision.flags & OC_DEC_MOVED))
		oc_agent_assume_moved(&call->txn);
	if (!replay->is_told && peer != OC_NAME_NONE)
		oc_agent_on_sent(replay->agent, &call->txn, peer, at_ns);
	if (!replay->is_told)
		oc_agent_on_gone(replay->agent, &call->txn, at_ns);
	replay->counts.decisions++;
	replay->counts.inexact += !is_exact;
	replay->counts.differing += is_exact && oc_replay_difference(&call->decision, &replay->told) != NULL;
	if (replay->conf.decided)
		replay->conf.decided(replay->conf.ctx, &call->decision, &replay->told);
	if (is_what_if(replay))
		follow(replay, call, at_ns);
}

/* What-if: a request that was refused on arrival then may be sent now. */
static bool has_choice(const struct oc_replay *replay, const struct oc_replay_call *call)
{
	const struct oc_decision *d = &call->decision;

	if (!is_what_if(replay) || d->out_ns != 0)
		return d->out_ns != 0;
	return d->verdict == OC_REFUSE && !replay->is_told;
}

void oc_replay_do_request(struct oc_replay *replay, uint32_t place, uint64_t at_ns)
{
	struct oc_replay_call *call = &replay->calls[place];
	const struct oc_decision *d = &call->decision;
	struct oc_msg msg;

	oc_replay_request(replay, call, &msg);
	memset(&call->txn, 0, sizeof(call->txn));
	replay->is_told = false;
	if (d->flags & OC_DEC_UNASKED)
		oc_agent_on_unrouted(replay->agent, &msg, d->client_peer, at_ns, &call->txn);
	else
		oc_agent_on_request(replay->agent, &msg, d->client_peer, at_ns, chance_of(replay, d),
				    &call->txn);
	if (d->why == OC_WHY_FAILOPEN && !replay->is_told)
		oc_agent_on_failopen(replay->agent, &call->txn);
	call->txn.announced = d->app_id != 0;
	if (replay->is_told || (d->flags & OC_DEC_UNASKED) || !has_choice(replay, call))
		finish(replay, call, at_ns, true);
	else if (d->out_ns == 0)
		oc_replay_do_choice(replay, place, at_ns);
}

void oc_replay_do_choice(struct oc_replay *replay, uint32_t place, uint64_t at_ns)
{
	struct oc_replay_call *call = &replay->calls[place];
	struct oc_candidate candidates[OC_CANDIDATES_MAX];
	struct oc_event_candidates set;
	struct oc_msg msg;
	bool is_exact;
	uint32_t pick;

	if (call->is_finished)
		return;
	oc_replay_candidates(replay, call, &set, &is_exact);
	for (uint32_t i = 0; i < set.count; i++)
		candidates[i] = (struct oc_candidate){ .peer = set.peer[i], .score = set.score[i] };
	pick = set.count;
	oc_replay_request(replay, call, &msg);
	oc_replay_steer(replay, call, &set);
	replay->is_told = false;
	oc_agent_on_candidates(replay->agent, &msg, candidates, set.count, at_ns,
			       chance_of(replay, &call->decision), &call->txn, &pick);
	finish(replay, call, at_ns, is_exact);
}

/* The answer of the record, to a request that may not have been sent there this time. */
static void take_answer(struct oc_replay *replay, struct oc_replay_call *call, uint64_t at_ns)
{
	uint32_t counted_peer = call->txn.counted_peer;
	struct oc_answer_edit edit;
	struct oc_msg msg;
	bool is_announced, is_due;

	oc_replay_answer(replay, call, &msg, &is_announced, &is_due);
	if (is_what_if(replay) && call->txn.decision.verdict == OC_REFUSE)
		msg.result_code = 0;
	call->txn.announced = call->txn.announced && is_announced;
	call->txn.counted_peer = is_due ? OC_NAME_NONE : OC_NAME_OVERFLOW;
	memset(&edit, 0, offsetof(struct oc_answer_edit, own));
	oc_agent_on_answer(replay->agent, &msg, call->outcome.from_peer, at_ns, &call->txn, &edit);
	call->txn.counted_peer = counted_peer;
}

void oc_replay_do_answer(struct oc_replay *replay, uint32_t place, uint64_t at_ns)
{
	struct oc_replay_call *call = &replay->calls[place];
	enum oc_maker maker = (enum oc_maker)call->outcome.maker;
	bool is_ours = maker == OC_MADE_AGENT || maker == OC_MADE_DEADLINE || maker == OC_MADE_DAEMON;
	bool was_otherwise = is_what_if(replay) && (call->decision.verdict == OC_REFUSE) !=
							   (call->txn.decision.verdict == OC_REFUSE);

	/* A request that merely ended is no step: another answer may have the same time, and what was heard then. */
	if (call->outcome.from_peer != OC_NAME_NONE) {
		take_answer(replay, call, at_ns);
		oc_replay_drop_heard(replay);
	} else if (is_ours && !was_otherwise) {
		answer_here(replay, call, at_ns);
	}
	if (call->txn.answered_ns != 0)
		replay->stepped_ns = at_ns;
	oc_agent_on_gone(replay->agent, &call->txn, at_ns);
	call->is_over = true;
}

void oc_replay_drop_heard(struct oc_replay *replay)
{
	for (uint32_t i = 0; i < replay->heard_count; i++)
		oc_replay_kept_drop(replay, replay->heard[i]);
	replay->heard_count = 0;
}

/* A request of which no end was recorded, since the life was cut off: one that went to @peer. */
static struct oc_replay_call *find_unanswered(struct oc_replay *replay, uint32_t peer, uint32_t app_id)
{
	for (uint32_t i = 0; i < replay->call_room; i++) {
		struct oc_replay_call *call = &replay->calls[i];
		if (call->decision.id != 0 && call->is_finished && !call->has_outcome &&
		    call->decision.next_hop == peer && call->decision.app_id == app_id)
			return call;
	}
	return NULL;
}

static void take_orphan(struct oc_replay *replay, const struct oc_replay_kept *kept)
{
	const struct oc_event_report *e = &kept->event.u.report;
	bool is_report = kept->event.kind == OC_EVENT_REPORT;
	struct oc_replay_call *call = is_report ? find_unanswered(replay, e->peer, e->app_id) : NULL;
	uint32_t from_peer = is_report ? e->peer : kept->event.u.load.peer;
	uint64_t vector = is_report ? oc_caps_bit((enum oc_algo)e->algorithm) : 0;
	struct oc_answer_edit edit;
	struct oc_txn none = { 0 };
	struct oc_msg msg = { .origin_host = is_report ? e->origin_host : kept->event.u.load.node,
			      .origin_realm = is_report ? e->origin_realm : OC_NAME_NONE,
			      .caps = { .vector = vector,
					.peer_algo = vector,
					.has = OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR |
					       OC_CAPS_HAS_PEER_ALGO } };

	oc_replay_hear(kept, &msg);
	memset(&edit, 0, offsetof(struct oc_answer_edit, own));
	oc_agent_on_answer(replay->agent, &msg, from_peer, replay->heard_ns, call ? &call->txn : &none,
			   &edit);
	replay->counts.orphans++;
}

void oc_replay_do_orphans(struct oc_replay *replay)
{
	for (uint32_t i = 0; i < replay->heard_count; i++) {
		const struct oc_replay_kept *kept = &replay->kept[replay->heard[i]];
		bool is_report = kept->event.kind == OC_EVENT_REPORT;
		/* A report in a request changes nothing. */
		if (!is_report || kept->event.u.report.reason != OC_REASON_IN_REQUEST)
			take_orphan(replay, kept);
	}
	oc_replay_drop_heard(replay);
}
