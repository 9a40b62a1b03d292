/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * How much a request matters: whose DRMP counts, its class, and what its session remembers (RFC 7944 sections 8, 12.3).
 */
#include "oc_agent_inner.h"

#include "doic/oc_prio.h"
#include "doic/oc_trust.h"

uint8_t oc_agent_mapped_drmp(const struct oc_agent *agent, uint8_t drmp, uint32_t peer, uint32_t trust)
{
	if (!(trust & OC_TRUST_MAPS_DRMP) || drmp >= OC_RANKS)
		return drmp;
	const struct oc_trust_rule *rule =
		oc_policy_rule_for(&agent->policy, oc_names_text(agent->names, peer));
	return rule && rule->has_drmp_map ? rule->drmp_map[drmp] : drmp;
}

/* The DRMP of @msg under the plan here, noted if it must be rewritten. */
static uint8_t map_drmp(const struct oc_agent *agent, const struct oc_msg *msg, uint32_t trust,
			struct oc_txn *txn)
{
	uint8_t drmp = oc_agent_mapped_drmp(agent, msg->drmp, txn->decision.client_peer, trust);

	if (drmp != msg->drmp) {
		txn->drmp_to = drmp;
		txn->state |= OC_TXN_DRMP_REWRITE;
	}
	return drmp;
}

bool oc_agent_believes_drmp(const struct oc_msg *msg, uint32_t from_peer, uint32_t trust)
{
	bool is_own = oc_name_is_same(msg->origin_host, from_peer);

	return (trust & (is_own ? OC_TRUST_DRMP | OC_TRUST_RELAY_DRMP : OC_TRUST_RELAY_DRMP)) != 0;
}

/* The DRMP that counts, or OC_DRMP_NONE. */
static uint8_t take_drmp(struct oc_agent *agent, const struct oc_msg *msg, uint32_t trust, struct oc_txn *txn)
{
	if (!(msg->hints & OC_HINT_DRMP))
		return OC_DRMP_NONE;
	if (!oc_agent_believes_drmp(msg, txn->decision.client_peer, trust)) {
		txn->state |= OC_TXN_DRMP_STRIP;
		txn->decision.flags |= OC_DEC_DRMP_STRIPPED;
		agent->stats[OC_STAT_DRMP_STRIPPED]++;
		return OC_DRMP_NONE;
	}
	if (msg->drmp == OC_DRMP_NONE) {
		agent->stats[OC_STAT_DRMP_ODD]++;
		return OC_DRMP_NONE;
	}
	return map_drmp(agent, msg, trust, txn);
}

/* Rx tells the first request of a session from a later one by memory alone; elsewhere only what is better than the
 * request itself would say is worth keeping. */
static void note_session(const struct oc_msg *msg, const struct oc_prio_session *session, uint8_t klass,
			 struct oc_txn *txn)
{
	enum oc_stage stage;

	if (session->is_known) {
		stage = oc_prio_stage(msg, true);
		txn->state |= stage == OC_STAGE_END ? OC_TXN_ENDS : 0;
		return;
	}
	if (klass > 1 && msg->app_id != OC_APP_RX)
		return;
	stage = oc_prio_stage(msg, false);
	if (stage == OC_STAGE_INITIAL || stage == OC_STAGE_BINDING)
		txn->state |= OC_TXN_STARTS;
}

void oc_agent_take_priority(struct oc_agent *agent, const struct oc_msg *msg, uint32_t trust,
			    struct oc_txn *txn)
{
	struct oc_prio_session session = { .is_unbelievable = (trust & OC_TRUST_NO_EMERGENCY) != 0 };
	uint8_t drmp = take_drmp(agent, msg, trust, txn);

	if (msg->session_hash != 0 && msg->cc_request_type != 1)
		session.is_known = oc_sessions_knows(agent->sessions, msg->session_hash, &session.klass);
	struct oc_prio prio = oc_prio_of(&agent->policy.priorities, msg, drmp, &session);
	txn->decision.klass = prio.klass;
	txn->decision.flags |= prio.is_inherited ? OC_DEC_INHERITED : 0;
	txn->rank = prio.rank;
	agent->stats[OC_STAT_CLASS_0 + prio.klass]++;
	if (msg->session_hash != 0)
		note_session(msg, &session, prio.klass, txn);
}

void oc_agent_follow_session(struct oc_agent *agent, const struct oc_msg *answer, struct oc_txn *txn)
{
	bool is_success = answer->result_code / 1000 == 2;

	if ((txn->state & OC_TXN_STARTS) && is_success)
		oc_sessions_begin(agent->sessions, txn->decision.session_hash, txn->decision.klass);
	if (txn->state & OC_TXN_ENDS)
		oc_sessions_end(agent->sessions, txn->decision.session_hash);
}

enum oc_drmp_action oc_agent_drmp_for_request(const struct oc_txn *txn)
{
	if (txn->state & OC_TXN_DRMP_STRIP)
		return OC_DRMP_STRIP;
	return txn->state & OC_TXN_DRMP_REWRITE ? OC_DRMP_REWRITE : OC_DRMP_KEEP;
}

bool oc_agent_may_carry_drmp(struct oc_agent *agent, uint32_t peer)
{
	pthread_mutex_lock(&agent->lock);
	uint32_t trust = oc_peers_trust(agent->peers, &agent->policy, peer);
	pthread_mutex_unlock(&agent->lock);
	return (trust & OC_TRUST_RECEIVE_DRMP) != 0;
}
