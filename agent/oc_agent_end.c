/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The later steps of a request: it is sent, its answer leaves, its memory goes.
 */
#include "oc_agent_inner.h"

void oc_agent_on_sent(struct oc_agent *agent, struct oc_txn *txn, uint32_t peer, uint64_t now_ns)
{
	struct oc_batch batch;

	oc_peers_give_back(agent->peers, txn->counted_peer);
	oc_peers_add(agent->peers, peer);
	txn->counted_peer = peer;
	txn->attempts += txn->attempts < UINT8_MAX;
	if (!(txn->state & OC_TXN_BEGUN) || (txn->state & OC_TXN_DECIDED))
		return;
	txn->decision.next_hop = peer;
	if ((txn->state & OC_TXN_CHOSEN) && txn->picked != peer)
		oc_agent_note_move(txn);
	batch.count = 0;
	oc_agent_tell_decision(agent, txn, now_ns, &batch);
	oc_agent_emit(agent, &batch);
}

/* A request nobody was found for still gets its decision. */
static void tell_owed_decision(struct oc_agent *agent, struct oc_txn *txn, uint64_t now_ns)
{
	struct oc_batch batch;

	if (txn->state & OC_TXN_DECIDED)
		return;
	if (txn->decision.why == OC_WHY_NONE)
		txn->decision.why = OC_WHY_UNROUTED;
	batch.count = 0;
	oc_agent_tell_decision(agent, txn, now_ns, &batch);
	oc_agent_emit(agent, &batch);
}

/* Speaks of the transaction alone, so no lock is needed. */
static void tell_outcome(const struct oc_agent *agent, struct oc_txn *txn, enum oc_maker maker,
			 uint32_t result_code, uint64_t now_ns)
{
	struct oc_batch batch;
	/* One that was lost on its way to the client has taught the agent what it had to say all the same. */
	bool is_relayed = maker == OC_MADE_UPSTREAM || maker == OC_MADE_LOST;
	uint64_t at_ns = txn->answered_ns ? txn->answered_ns : now_ns;

	/* A clock read before another thread's step may be behind that. */
	at_ns = at_ns > txn->decision.out_ns ? at_ns : txn->decision.out_ns;
	batch.count = 0;
	struct oc_event_outcome *o = &oc_batch_add(&batch, OC_EVENT_OUTCOME, now_ns)->u.outcome;
	txn->state |= OC_TXN_FINISHED;
	o->id = txn->decision.id;
	o->took_ns = at_ns > txn->decision.at_ns ? at_ns - txn->decision.at_ns : 0;
	o->result_code = result_code;
	o->answered_by = is_relayed ? txn->answered_by : 0;
	o->answered_realm = is_relayed ? txn->answered_realm : 0;
	o->profile = is_relayed ? txn->answer_profile : 0;
	o->from_peer = is_relayed ? txn->answer_peer : 0;
	o->maker = (uint8_t)maker;
	o->attempts = txn->attempts;
	oc_agent_emit(agent, &batch);
}

void oc_agent_on_answer_leaving(struct oc_agent *agent, struct oc_txn *txn, enum oc_maker maker,
				uint32_t result_code, uint64_t now_ns)
{
	if (!(txn->state & OC_TXN_BEGUN) || (txn->state & OC_TXN_FINISHED))
		return;
	tell_owed_decision(agent, txn, now_ns);
	tell_outcome(agent, txn, maker, result_code ? result_code : txn->result_code, now_ns);
}

bool oc_agent_is_over(const struct oc_txn *txn)
{
	return (txn->state & OC_TXN_FINISHED) && txn->counted_peer == OC_NAME_NONE;
}

void oc_agent_on_gone(struct oc_agent *agent, struct oc_txn *txn, uint64_t now_ns)
{
	oc_peers_give_back(agent->peers, txn->counted_peer);
	txn->counted_peer = OC_NAME_NONE;
	if (!(txn->state & OC_TXN_BEGUN) || (txn->state & OC_TXN_FINISHED))
		return;
	tell_owed_decision(agent, txn, now_ns);
	tell_outcome(agent, txn, OC_MADE_LOST, txn->result_code, now_ns);
}

void oc_agent_on_failopen(struct oc_agent *agent, struct oc_txn *txn)
{
	agent->stats[OC_STAT_FAILOPEN]++;
	if (txn->state & OC_TXN_DECIDED)
		return;
	txn->decision.verdict = OC_FORWARD;
	txn->decision.why = OC_WHY_FAILOPEN;
}
