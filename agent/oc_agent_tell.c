/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * How the agent tells what happened: a step under the lock, its events after it; events of states, repeats, features, decisions.
 */
#include "oc_agent_inner.h"

void oc_agent_enter(struct oc_agent *agent, struct oc_batch *batch)
{
	batch->count = 0;
	pthread_mutex_lock(&agent->lock);
}

void oc_agent_leave(struct oc_agent *agent, struct oc_batch *batch)
{
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

void oc_agent_tell_decision(struct oc_agent *agent, struct oc_txn *txn, uint64_t now_ns,
			    struct oc_batch *batch)
{
	static const enum oc_stat by_verdict[OC_VERDICT_COUNT] = {
		[OC_FORWARD] = OC_STAT_FORWARDED,
		[OC_DIVERT] = OC_STAT_DIVERTED,
		[OC_REFUSE] = OC_STAT_REFUSED,
	};
	const struct oc_decision *d = &txn->decision;

	if (txn->state & OC_TXN_DECIDED)
		return;
	txn->state |= OC_TXN_DECIDED;
	agent->stats[by_verdict[d->verdict]]++;
	if (d->verdict == OC_REFUSE && d->why == OC_WHY_OUTSTANDING)
		agent->stats[OC_STAT_REFUSED_OUTSTANDING]++;
	oc_batch_next(batch, OC_EVENT_DECISION, now_ns)->u.decision = *d;
}
