/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * How the agent tells what happened: a step under the lock, its events after it; events of states, repeats, features, decisions.
 */
#include "oc_agent_inner.h"

void oc_agent_lock(struct oc_agent *agent)
{
	if (!agent->is_replay)
		pthread_mutex_lock(&agent->lock);
}

uint64_t oc_agent_enter(struct oc_agent *agent, struct oc_batch *batch, uint64_t now_ns)
{
	batch->count = 0;
	oc_agent_lock(agent);
	agent->last_ns = now_ns > agent->last_ns ? now_ns : agent->last_ns + 1;
	return agent->last_ns;
}

void oc_agent_leave(struct oc_agent *agent, struct oc_batch *batch)
{
	if (!agent->is_replay)
		pthread_mutex_unlock(&agent->lock);
	oc_agent_emit(agent, batch);
}

void oc_agent_emit(const struct oc_agent *agent, const struct oc_batch *batch)
{
	for (uint32_t i = 0; agent->emit && i < batch->count; i++)
		agent->emit(agent->emit_ctx, &batch->events[i]);
}

void oc_agent_tell_repeat(struct oc_repeat *repeat, uint64_t now_ns, struct oc_batch *batch)
{
	if (repeat->count == 0)
		return;
	struct oc_event_report_repeat *e =
		&oc_batch_add(batch, OC_EVENT_REPORT_REPEAT, now_ns)->u.report_repeat;
	e->report = repeat->report;
	e->first_ns = repeat->first_ns;
	e->last_ns = repeat->last_ns;
	e->count = repeat->count;
	repeat->count = 0;
}

void oc_agent_tell_change(struct oc_agent *agent, struct oc_ocs_entry *entry, enum oc_ocs_end how,
			  uint64_t at_ns, struct oc_batch *batch)
{
	struct oc_ocs_record *record = oc_ocs_record(agent->ocs, entry);

	oc_agent_tell_repeat(&record->repeat, at_ns, batch);
	struct oc_event_ocs_change *e = &oc_batch_add(batch, OC_EVENT_OCS_CHANGE, at_ns)->u.ocs_change;
	e->matched = entry->matched;
	e->selected = entry->selected;
	e->expected_ppm = entry->expected_ppm;
	e->remembered = record->remembered;
	e->version = entry->version;
	e->how = (uint8_t)how;
}

bool oc_agent_settle(struct oc_agent *agent, struct oc_ocs_entry *entry, uint64_t now_ns,
		     struct oc_batch *batch)
{
	enum oc_ocs_end how;
	uint64_t at_ns;

	while (oc_ocs_settle(agent->ocs, entry, &agent->policy, now_ns, &how, &at_ns)) {
		oc_agent_tell_change(agent, entry, how, at_ns, batch);
		if (how != OC_END_FORGOTTEN)
			continue;
		oc_ocs_forget(agent->ocs, entry);
		return false;
	}
	return true;
}

struct oc_ocs_entry *oc_agent_entry(struct oc_agent *agent, const struct oc_ocs_key *key, uint64_t now_ns,
				    struct oc_batch *batch)
{
	struct oc_ocs_entry *entry = oc_ocs_get(agent->ocs, key);

	return entry && oc_agent_settle(agent, entry, now_ns, batch) ? entry : NULL;
}

void oc_agent_tell_caps(struct oc_agent *agent, const struct oc_msg *msg, uint32_t peer, uint64_t now_ns,
			struct oc_batch *batch)
{
	enum oc_direction direction = oc_msg_is_request(msg) ? OC_DIR_REQUEST : OC_DIR_ANSWER;

	if (!oc_peers_note_caps(agent->peers, peer, direction, &msg->caps))
		return;
	struct oc_event_capability *e = &oc_batch_add(batch, OC_EVENT_CAPABILITY, now_ns)->u.capability;
	e->vector = msg->caps.vector;
	e->peer_algo = msg->caps.peer_algo;
	e->peer = peer;
	e->app_id = msg->app_id;
	e->source = msg->caps.source;
	e->origin_host = msg->origin_host;
	e->direction = (uint8_t)direction;
	e->has = msg->caps.has;
}

uint32_t oc_agent_tell_profile(struct oc_agent *agent, const struct oc_msg *msg, uint16_t hints,
			       uint64_t now_ns, struct oc_batch *batch)
{
	const struct oc_profile *fresh;

	if (!agent->emit || agent->is_replay)
		return 0;
	uint32_t number = oc_profiles_number(agent->profiles, msg, hints, &fresh);
	if (fresh) {
		struct oc_event_profile *e = &oc_batch_next(batch, OC_EVENT_PROFILE, now_ns)->u.profile;
		memset(e, 0, sizeof(*e));
		e->id = number;
		e->profile = *fresh;
	}
	return number;
}

uint32_t oc_agent_tell_candidates(struct oc_agent *agent, const struct oc_candidate *candidates,
				  uint32_t count, uint64_t now_ns, struct oc_batch *batch)
{
	bool is_fresh;

	if (!agent->emit || agent->is_replay)
		return 0;
	uint32_t number = oc_candidate_sets_number(agent->sets, candidates, count, &is_fresh);
	if (!is_fresh)
		return number;
	struct oc_event_candidates *e = &oc_batch_add(batch, OC_EVENT_CANDIDATES, now_ns)->u.candidates;
	e->id = number;
	e->count = count;
	for (uint32_t i = 0; i < count; i++) {
		e->peer[i] = candidates[i].peer;
		e->score[i] = candidates[i].score;
	}
	return number;
}

void oc_agent_tell_decision(struct oc_agent *agent, struct oc_txn *txn, uint64_t now_ns,
			    struct oc_batch *batch)
{
	static const enum oc_stat by_verdict[OC_VERDICT_COUNT] = {
		[OC_FORWARD] = OC_STAT_FORWARDED,
		[OC_DIVERT] = OC_STAT_DIVERTED,
		[OC_REFUSE] = OC_STAT_REFUSED,
	};
	struct oc_decision *d = &txn->decision;

	if (txn->state & OC_TXN_DECIDED)
		return;
	txn->state |= OC_TXN_DECIDED;
	/* Chance that decided nothing is not worth a number. */
	d->random &= (txn->state & OC_TXN_USED_LOW ? UINT32_MAX : 0) |
		     (txn->state & OC_TXN_USED_HIGH ? (uint64_t)UINT32_MAX << 32 : 0);
	agent->stats[by_verdict[d->verdict]]++;
	if (d->verdict == OC_REFUSE && d->why == OC_WHY_OUTSTANDING)
		agent->stats[OC_STAT_REFUSED_OUTSTANDING]++;
	oc_batch_next(batch, OC_EVENT_DECISION, now_ns)->u.decision = *d;
}
