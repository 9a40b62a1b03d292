/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Step 1: a request arrives, is known, and is held against our own overload and the reports of its realm or host.
 */
#include "oc_agent_inner.h"

#include "doic/oc_caps.h"
#include "doic/oc_match.h"
#include "oc_err.h"
#include "wire/oc_avp.h"

/* Whether the client's side speaks DOIC, and what of it (D-020, D-183, D-184). */
static void take_caps(const struct oc_msg *msg, uint32_t client_peer, uint32_t trust, struct oc_txn *txn)
{
	txn->doic_down = (msg->caps.has & OC_CAPS_PRESENT) && (trust & OC_TRUST_DOIC);
	if (!txn->doic_down)
		return;
	txn->offered = oc_caps_offered(&msg->caps);
	if (oc_caps_is_peer_capable(&msg->caps, client_peer))
		txn->state |= OC_TXN_PEER_DOWN;
}

static uint16_t flags_of(const struct oc_msg *msg, const struct oc_txn *txn)
{
	bool receives = (txn->state & OC_TXN_RECEIVES) != 0;
	unsigned flags = txn->doic_down ? OC_DEC_DOIC_CLIENT : 0;

	flags |= txn->state & OC_TXN_PEER_DOWN ? OC_DEC_PEER_CLIENT : 0;
	flags |= msg->dest_host == OC_NAME_NONE ? OC_DEC_REALM_ROUTED : 0;
	flags |= (msg->flags & OC_FLAG_RETRANSMIT) ? OC_DEC_RETRANSMIT : 0;
	if (msg->app_id != 0 && oc_match_reacting(txn->doic_down, receives))
		flags |= OC_DEC_REACTING_FOR;
	return (uint16_t)flags;
}

/* Fills what is known of the request before anything is decided. */
static void begin(struct oc_agent *agent, const struct oc_msg *msg, uint32_t client_peer, uint64_t now_ns,
		  struct oc_txn *txn, struct oc_batch *batch)
{
	struct oc_decision *d = &txn->decision;
	uint32_t trust = oc_peers_trust(agent->peers, &agent->policy, client_peer);

	txn->state |= OC_TXN_BEGUN;
	txn->state |= trust & OC_TRUST_RECEIVE_REPORTS ? OC_TXN_RECEIVES : 0;
	txn->state |= trust & OC_TRUST_RECEIVE_LOAD ? OC_TXN_TAKES_LOAD : 0;
	txn->state |= trust & OC_TRUST_RECEIVE_DRMP ? OC_TXN_TAKES_DRMP : 0;
	take_caps(msg, client_peer, trust, txn);
	d->id = ++agent->next_decision;
	d->at_ns = now_ns;
	d->session_hash = msg->session_hash;
	d->subscriber_hash = msg->subscriber_hash;
	d->app_id = msg->app_id;
	d->command = msg->command;
	d->end_to_end = msg->end_to_end;
	d->client_peer = client_peer;
	d->origin_host = msg->origin_host;
	d->origin_realm = msg->origin_realm;
	d->dest_host = msg->dest_host;
	d->dest_realm = msg->dest_realm;
	d->drmp = msg->drmp;
	d->cc_request_type = msg->cc_request_type;
	d->flags |= flags_of(msg, txn);
	d->profile = oc_agent_tell_profile(agent, msg, msg->hints, now_ns, batch);
	oc_agent_take_priority(agent, msg, trust, txn);
	oc_agent_tell_caps(agent, msg, client_peer, now_ns, batch);
	agent->stats[OC_STAT_REQUESTS]++;
}

/* A rate is split anew before the first request of somebody it was not split for. */
static void follow_rates(struct oc_agent *agent, uint64_t now_ns, const struct oc_txn *txn,
			 struct oc_batch *batch)
{
	bool has_news = oc_agent_gate_note(agent, now_ns, txn);

	if (oc_reports_count(agent->reports) == 0)
		return;
	oc_agent_own_heard(agent, now_ns);
	if (has_news)
		(void)oc_agent_own_step(agent, now_ns, batch);
}

/* The realm's report or that of the Destination-Host (D-121, D-122). */
static void apply_arrival_report(struct oc_agent *agent, const struct oc_msg *msg, uint64_t now_ns,
				 struct oc_txn *txn, struct oc_batch *batch)
{
	bool is_reacting = (txn->decision.flags & OC_DEC_REACTING_FOR) != 0;
	struct oc_ocs_key key;

	if (!is_reacting && oc_agent_is_left_out(agent, msg, txn)) {
		txn->decision.flags |= OC_DEC_REACTING_FOR;
		is_reacting = true;
	}
	if (!oc_match_on_arrival(msg, is_reacting, &key) ||
	    !oc_agent_hold(agent, msg, &key, now_ns, txn, batch))
		return;
	oc_agent_refuse(agent, msg, txn);
	if (txn->decision.verdict == OC_REFUSE)
		oc_agent_credit_arrival(agent, &key, txn, now_ns, batch);
}

enum oc_verdict oc_agent_on_request(struct oc_agent *agent, const struct oc_msg *msg, uint32_t client_peer,
				    uint64_t now_ns, uint64_t random, struct oc_txn *txn)
{
	struct oc_batch batch;

	txn->decision.random = (uint32_t)random;
	uint64_t at_ns = oc_agent_enter(agent, &batch, now_ns);
	begin(agent, msg, client_peer, at_ns, txn, &batch);
	if (agent->policy.load.capacity_rps != 0)
		oc_load_own_count(agent->own_load, at_ns);
	for (uint32_t i = 0; i < msg->olr_count && i < OC_MSG_OLR_MAX; i++)
		oc_agent_intake(agent, msg, i, client_peer, OC_REASON_IN_REQUEST, txn, at_ns, &batch);
	if (msg->app_id != 0)
		follow_rates(agent, at_ns, txn, &batch);
	if (!oc_agent_gate_refuses(agent, msg, at_ns, txn))
		apply_arrival_report(agent, msg, at_ns, txn, &batch);
	if (txn->decision.verdict == OC_REFUSE)
		oc_agent_tell_decision(agent, txn, at_ns, &batch);
	oc_agent_leave(agent, &batch);
	return (enum oc_verdict)txn->decision.verdict;
}

void oc_agent_on_unrouted(struct oc_agent *agent, const struct oc_msg *msg, uint32_t client_peer,
			  uint64_t now_ns, struct oc_txn *txn)
{
	struct oc_batch batch;

	if (txn->state & OC_TXN_BEGUN)
		return;
	uint64_t at_ns = oc_agent_enter(agent, &batch, now_ns);
	txn->decision.flags |= OC_DEC_UNASKED;
	begin(agent, msg, client_peer, at_ns, txn, &batch);
	oc_agent_leave(agent, &batch);
}
