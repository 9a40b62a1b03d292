/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Replay: what was recorded comes in, and is done when its time has come.
 */
#include "oc_replay.h"

#include <stdlib.h>
#include <string.h>

#include "oc_err.h"
#include "oc_replay_inner.h"

#define NS_PER_S 1000000000ull
#define TICK_NS 100000000ull
#define TICKS_MAX 100u /* at once, however long nothing happened */

static void on_version(struct oc_replay *replay, const struct oc_event_ocs_version *e)
{
	/* Without room some picks cannot be made as they were; the decision will say so. */
	if (oc_replay_grow((void **)&replay->subjects, &replay->subject_room, e->version + 1,
			   sizeof(*replay->subjects)) == OC_OK)
		replay->subjects[e->version] = e->subject;
}

/* The new agent tells. Its outcomes are the record's and nobody's news. */
static void on_event(void *ctx, const struct oc_event *event)
{
	struct oc_replay *replay = ctx;

	if (event->kind == OC_EVENT_OUTCOME)
		return;
	if (event->kind == OC_EVENT_DECISION) {
		replay->told = event->u.decision;
		replay->is_told = true;
	}
	if (event->kind == OC_EVENT_OCS_VERSION)
		on_version(replay, &event->u.ocs_version);
	if (replay->conf.agent.emit)
		replay->conf.agent.emit(replay->conf.agent.emit_ctx, event);
}

static uint32_t self_of(const struct oc_agent_conf *conf)
{
	struct oc_bytes bytes = { .data = (const uint8_t *)conf->identity };

	if (!conf->names || !conf->identity)
		return OC_NAME_NONE;
	bytes.len = strlen(conf->identity);
	return oc_names_find(conf->names, bytes);
}

struct oc_replay *oc_replay_new(const struct oc_replay_conf *conf, const struct oc_policy *policy)
{
	struct oc_replay *replay = calloc(1, sizeof(*replay));
	struct oc_agent_conf agent = conf->agent;

	if (!replay)
		return NULL;
	replay->conf = *conf;
	replay->free_call = replay->free_kept = replay->last_report = OC_REPLAY_NOWHERE;
	replay->outstanding_max = policy->outstanding_max;
	replay->ticked_ns = replay->settled_ns = replay->now_ns = agent.now_ns;
	agent.emit = on_event;
	agent.emit_ctx = replay;
	agent.is_replay = conf->mode == OC_REPLAY_EXACT;
	replay->agent = oc_agent_new(&agent, policy);
	replay->self = self_of(&agent);
	if (!replay->agent) {
		oc_replay_free(replay);
		return NULL;
	}
	return replay;
}

void oc_replay_free(struct oc_replay *replay)
{
	if (!replay)
		return;
	oc_agent_free(replay->agent, replay->now_ns);
	oc_replay_store_free(replay);
	free(replay);
}

int oc_replay_decision(struct oc_replay *replay, const struct oc_decision *decision,
		       const struct oc_profile *profile, const struct oc_event_candidates *candidates)
{
	uint32_t place = oc_replay_call_new(replay, decision->id);

	if (place == OC_REPLAY_NOWHERE)
		return OC_ENOMEM;
	struct oc_replay_call *call = &replay->calls[place];
	call->decision = *decision;
	call->has_profile = profile != NULL;
	call->has_candidates = candidates != NULL;
	if (profile)
		call->profile = *profile;
	if (candidates)
		call->candidates = *candidates;
	int rc = oc_replay_put(replay, decision->at_ns, OC_REPLAY_REQUEST, place);
	if (rc == OC_OK && decision->out_ns != 0)
		rc = oc_replay_put(replay, decision->out_ns, OC_REPLAY_CHOICE, place);
	return rc;
}

int oc_replay_outcome(struct oc_replay *replay, const struct oc_event_outcome *outcome,
		      const struct oc_profile *profile)
{
	uint32_t place = oc_replay_call_find(replay, outcome->id);

	if (place == OC_REPLAY_NOWHERE || replay->calls[place].has_outcome) {
		replay->counts.unknown++;
		return OC_ENOENT;
	}
	struct oc_replay_call *call = &replay->calls[place];
	call->outcome = *outcome;
	call->has_outcome = true;
	call->has_answer_profile = profile != NULL;
	if (profile)
		call->answer_profile = *profile;
	return oc_replay_put(replay, call->decision.at_ns + outcome->took_ns, OC_REPLAY_ANSWER, place);
}

int oc_replay_policy(struct oc_replay *replay, const struct oc_policy *policy, uint64_t at_ns)
{
	uint32_t place = oc_replay_kept_new(replay);
	struct oc_policy *copy = malloc(sizeof(*copy));

	if (place == OC_REPLAY_NOWHERE || !copy) {
		free(copy);
		return OC_ENOMEM;
	}
	*copy = *policy;
	replay->kept[place].policy = copy;
	return oc_replay_put(replay, at_ns, OC_REPLAY_POLICY, place);
}

static int keep(struct oc_replay *replay, const struct oc_event *event, enum oc_replay_kind kind)
{
	uint32_t place = oc_replay_kept_new(replay);

	if (place == OC_REPLAY_NOWHERE)
		return OC_ENOMEM;
	struct oc_replay_kept *kept = &replay->kept[place];
	memcpy(&kept->event, event, oc_event_size(event));
	if (kind == OC_REPLAY_REPORT) {
		const struct oc_event_report *e = &event->u.report;
		kept->raw_len = e->raw_len < OC_EVENT_RAW_MAX ? e->raw_len : OC_EVENT_RAW_MAX;
		memcpy(kept->raw, e->raw, kept->raw_len);
		replay->last_report = place;
	}
	return oc_replay_put(replay, event->mono_ns, kind, place);
}

/* More octets of the report given last. */
static void keep_raw(struct oc_replay *replay, const struct oc_event_report_raw *e)
{
	if (replay->last_report == OC_REPLAY_NOWHERE)
		return;
	struct oc_replay_kept *kept = &replay->kept[replay->last_report];
	if (kept->event.u.report.report != e->report || e->at != kept->raw_len ||
	    e->at + e->raw_len > OC_MSG_RAW_MAX || e->raw_len > OC_EVENT_RAW_MAX)
		return;
	memcpy(kept->raw + e->at, e->raw, e->raw_len);
	kept->raw_len = (uint16_t)(kept->raw_len + e->raw_len);
}

static int learn_profile(struct oc_replay *replay, const struct oc_event_profile *e)
{
	int rc = oc_replay_grow((void **)&replay->profiles, &replay->profile_room, e->id + 1,
				sizeof(*replay->profiles));

	if (rc == OC_OK)
		replay->profiles[e->id] = e->profile;
	return rc;
}

static int learn_candidates(struct oc_replay *replay, const struct oc_event_candidates *e)
{
	int rc = oc_replay_grow((void **)&replay->candidates, &replay->candidates_room, e->id + 1,
				sizeof(*replay->candidates));

	if (rc == OC_OK)
		replay->candidates[e->id] = *e;
	return rc;
}

static const struct oc_profile *profile_of(const struct oc_replay *replay, uint32_t id)
{
	return id != 0 && id < replay->profile_room ? &replay->profiles[id] : NULL;
}

static int give_decision(struct oc_replay *replay, const struct oc_decision *d)
{
	bool is_known = d->candidates != 0 && d->candidates < replay->candidates_room;

	return oc_replay_decision(replay, d, profile_of(replay, d->profile),
				  is_known ? &replay->candidates[d->candidates] : NULL);
}

/* One step may have made several contents. */
static int give_due(struct oc_replay *replay, uint64_t at_ns)
{
	if (replay->due_given_ns == at_ns)
		return OC_OK;
	replay->due_given_ns = at_ns;
	return oc_replay_put(replay, at_ns, OC_REPLAY_DUE, OC_REPLAY_NOWHERE);
}

int oc_replay_feed(struct oc_replay *replay, const struct oc_event *event)
{
	switch (event->kind) {
	case OC_EVENT_DECISION:
		return give_decision(replay, &event->u.decision);
	case OC_EVENT_OUTCOME:
		return oc_replay_outcome(replay, &event->u.outcome,
					 profile_of(replay, event->u.outcome.profile));
	case OC_EVENT_REPORT: /* nor is our own report to ourselves */
		return event->u.report.peer == replay->self ? OC_OK : keep(replay, event, OC_REPLAY_REPORT);
	case OC_EVENT_REPORT_RAW:
		keep_raw(replay, &event->u.report_raw);
		return OC_OK;
	case OC_EVENT_LOAD: /* our own is no news to us */
		return event->u.load.peer == OC_NAME_NONE ? OC_OK : keep(replay, event, OC_REPLAY_LOAD);
	case OC_EVENT_PEER:
		return keep(replay, event, OC_REPLAY_PEER);
	case OC_EVENT_ORDER: /* those of the policy come with it */
		return event->u.order.by == OC_BY_POLICY ? OC_OK : keep(replay, event, OC_REPLAY_ORDER);
	case OC_EVENT_OWN_REPORT:
		return give_due(replay, event->mono_ns);
	case OC_EVENT_PROFILE:
		return learn_profile(replay, &event->u.profile);
	case OC_EVENT_CANDIDATES:
		return learn_candidates(replay, &event->u.candidates);
	default:
		return OC_OK;
	}
}

static void do_policy(struct oc_replay *replay, const struct oc_policy *policy, uint64_t at_ns)
{
	(void)oc_agent_set_policy(replay->agent, policy, at_ns);
	replay->outstanding_max = policy->outstanding_max;
}

static void do_order(struct oc_replay *replay, const struct oc_event_order *e, uint64_t at_ns)
{
	const struct oc_order_origin origin = { .by = e->by,
						.actor = e->actor,
						.calculation = e->calculation,
						.reason = e->reason,
						.inputs = e->inputs };
	const struct oc_report_order order = {
		.key = { .app_id = e->app_id, .subject = e->subject, .type = e->type },
		.has_reduction = (e->has & OC_ORDER_HAS_REDUCTION) != 0,
		.has_rate = (e->has & OC_ORDER_HAS_RATE) != 0,
		.reduction_pct = e->reduction_pct,
		.rate_rps = e->rate_rps,
		.validity_s = e->validity_s,
		.until_ns = e->until_ns
	};

	if (e->is_withdrawal)
		(void)oc_agent_withdraw(replay->agent, &order.key, &origin, at_ns);
	else
		(void)oc_agent_order(replay->agent, &order, &origin, at_ns);
}

static void do_kept(struct oc_replay *replay, const struct oc_replay_item *item)
{
	struct oc_replay_kept *kept = &replay->kept[item->ref];
	enum oc_replay_kind kind = oc_replay_kind_of(item);

	if (kind == OC_REPLAY_REPORT || kind == OC_REPLAY_LOAD) {
		replay->heard_ns = item->at_ns;
		if (replay->heard_count < OC_REPLAY_HEARD_MAX)
			replay->heard[replay->heard_count++] = item->ref;
		else
			oc_replay_kept_drop(replay, item->ref);
		return;
	}
	if (kind == OC_REPLAY_POLICY)
		do_policy(replay, kept->policy, item->at_ns);
	else if (kind == OC_REPLAY_ORDER)
		do_order(replay, &kept->event.u.order, item->at_ns);
	else
		oc_agent_on_peer(replay->agent, kept->event.u.peer.peer, kept->event.u.peer.up != 0,
				 item->at_ns);
	oc_replay_kept_drop(replay, item->ref);
}

static void do_call(struct oc_replay *replay, const struct oc_replay_item *item)
{
	enum oc_replay_kind kind = oc_replay_kind_of(item);

	replay->calls[item->ref].waiting--;
	if (kind == OC_REPLAY_REQUEST)
		oc_replay_do_request(replay, item->ref, item->at_ns);
	else if (kind == OC_REPLAY_CHOICE)
		oc_replay_do_choice(replay, item->ref, item->at_ns);
	else
		oc_replay_do_answer(replay, item->ref, item->at_ns);
	if (replay->calls[item->ref].is_over && replay->calls[item->ref].waiting == 0)
		oc_replay_call_drop(replay, item->ref);
}

/* What time alone does. Exactly: nothing is done that was not recorded, but what ran out is cleared away. What-if: the
 * pulse of the agent. */
static void pass(struct oc_replay *replay, uint64_t at_ns)
{
	if (replay->conf.mode == OC_REPLAY_EXACT) {
		if (replay->now_ns >= replay->settled_ns + NS_PER_S)
			oc_agent_settle_due(replay->agent, replay->settled_ns = replay->now_ns);
		return;
	}
	for (uint32_t i = 0; replay->ticked_ns + TICK_NS < at_ns; i++) {
		uint64_t gap_ns = at_ns - replay->ticked_ns;
		uint64_t step_ns = gap_ns / TICKS_MAX > TICK_NS ? gap_ns / TICKS_MAX : TICK_NS;
		oc_agent_tick(replay->agent, replay->ticked_ns += step_ns);
	}
}

static void do_item(struct oc_replay *replay, const struct oc_replay_item *item)
{
	enum oc_replay_kind kind = oc_replay_kind_of(item);
	bool is_first = item->at_ns != replay->now_ns;

	if (replay->heard_count != 0 && replay->heard_ns != item->at_ns)
		oc_replay_do_orphans(replay);
	pass(replay, item->at_ns);
	replay->counts.late += item->at_ns < replay->now_ns;
	if (item->at_ns > replay->now_ns)
		replay->now_ns = item->at_ns;
	if (kind == OC_REPLAY_REQUEST || kind == OC_REPLAY_CHOICE || kind == OC_REPLAY_ANSWER)
		do_call(replay, item);
	else if (kind != OC_REPLAY_DUE)
		do_kept(replay, item);
	else if (is_first && replay->conf.mode == OC_REPLAY_EXACT)
		(void)oc_agent_fall_due(replay->agent, item->at_ns);
}

int oc_replay_run(struct oc_replay *replay, uint64_t until_ns)
{
	struct oc_replay_item item;

	while (oc_replay_take(replay, until_ns, &item))
		do_item(replay, &item);
	oc_replay_do_orphans(replay);
	return OC_OK;
}

struct oc_replay_counts oc_replay_counts(const struct oc_replay *replay)
{
	return replay->counts;
}

struct oc_agent *oc_replay_agent(struct oc_replay *replay)
{
	return replay->agent;
}
