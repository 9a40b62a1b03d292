/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The first steps of a request: it arrives, is held against reports, and is made to announce features.
 */
#include "oc_agent_inner.h"

#include "doic/oc_caps.h"
#include "doic/oc_match.h"
#include "oc_err.h"
#include "wire/oc_avp.h"

/* Fills what is known of the request before anything is decided. */
static void begin(struct oc_agent *agent, const struct oc_msg *msg, uint32_t client_peer, struct oc_txn *txn)
{
	struct oc_decision *d = &txn->decision;
	uint32_t trust = oc_peers_trust(agent->peers, &agent->policy, client_peer);

	txn->state |= OC_TXN_BEGUN;
	txn->doic_down = (msg->caps.has & OC_CAPS_PRESENT) && (trust & OC_TRUST_DOIC);
	if (trust & OC_TRUST_RECEIVE_REPORTS)
		txn->state |= OC_TXN_RECEIVES;
	d->id = ++agent->next_decision;
	d->session_hash = msg->session_hash;
	d->app_id = msg->app_id;
	d->command = msg->command;
	d->end_to_end = msg->end_to_end;
	d->client_peer = client_peer;
	d->origin_host = msg->origin_host;
	d->dest_host = msg->dest_host;
	d->dest_realm = msg->dest_realm;
	d->drmp = msg->drmp;
	d->cc_request_type = msg->cc_request_type;
	d->flags |= txn->doic_down ? OC_DEC_DOIC_CLIENT : 0;
	d->flags |= msg->dest_host == OC_NAME_NONE ? OC_DEC_REALM_ROUTED : 0;
	d->flags |= (msg->flags & OC_FLAG_RETRANSMIT) ? OC_DEC_RETRANSMIT : 0;
	if (msg->app_id != 0 && oc_match_reacting(txn->doic_down, (trust & OC_TRUST_RECEIVE_REPORTS) != 0))
		d->flags |= OC_DEC_REACTING_FOR;
}

enum oc_verdict oc_agent_on_request(struct oc_agent *agent, const struct oc_msg *msg, uint32_t client_peer,
				    uint64_t now_ns, uint64_t random, struct oc_txn *txn)
{
	struct oc_batch batch;
	struct oc_ocs_key key;

	txn->received_ns = now_ns;
	txn->decision.random = random;
	oc_agent_enter(agent, &batch);
	agent->stats[OC_STAT_REQUESTS]++;
	begin(agent, msg, client_peer, txn);
	oc_agent_tell_caps(agent, msg, client_peer, now_ns, &batch);
	for (uint32_t i = 0; i < msg->olr_count && i < OC_MSG_OLR_MAX; i++)
		oc_agent_intake(agent, msg, i, client_peer, OC_REASON_IN_REQUEST, now_ns, &batch);
	bool is_reacting = (txn->decision.flags & OC_DEC_REACTING_FOR) != 0;
	if (oc_match_on_arrival(msg, is_reacting, &key) &&
	    oc_agent_hold(agent, msg, &key, now_ns, txn, &batch)) {
		oc_agent_refuse(agent, msg, txn);
		if (txn->decision.verdict == OC_REFUSE)
			oc_agent_tell_decision(agent, txn, now_ns, &batch);
	}
	oc_agent_leave(agent, &batch);
	return (enum oc_verdict)txn->decision.verdict;
}

void oc_agent_on_unrouted(struct oc_agent *agent, const struct oc_msg *msg, uint32_t client_peer,
			  uint64_t now_ns, struct oc_txn *txn)
{
	struct oc_batch batch;

	if (txn->state & OC_TXN_BEGUN)
		return;
	oc_agent_enter(agent, &batch);
	agent->stats[OC_STAT_REQUESTS]++;
	begin(agent, msg, client_peer, txn);
	oc_agent_tell_caps(agent, msg, client_peer, now_ns, &batch);
	oc_agent_leave(agent, &batch);
}

/* Lets a retry of a refused session attempt meet the same verdict. */
static bool is_remembered(struct oc_agent *agent, const struct oc_msg *msg, struct oc_ocs_entry *entry,
			  uint64_t now_ns, struct oc_txn *txn)
{
	if (agent->policy.mode == OC_MODE_OBSERVE || !oc_retry_applies(msg) || !oc_decide_matches(entry) ||
	    !oc_retry_knows(agent->retry, msg->session_hash, entry->version))
		return false;
	oc_ocs_record(agent->ocs, entry)->remembered++;
	txn->decision.flags |= OC_DEC_REMEMBERED;
	txn->decision.flags |= entry->recover.phase != OC_PHASE_ACTIVE ? OC_DEC_RECOVERING : 0;
	struct oc_look look = { .version = entry->version,
				.share_ppm = oc_recover_share(&entry->recover, now_ns) };
	*(entry->key.type == OC_REPORT_REALM ? &txn->decision.realm : &txn->decision.host) = look;
	return true;
}

bool oc_agent_hold(struct oc_agent *agent, const struct oc_msg *msg, const struct oc_ocs_key *key,
		   uint64_t now_ns, struct oc_txn *txn, struct oc_batch *batch)
{
	struct oc_decision *d = &txn->decision;
	struct oc_ocs_entry *entry = oc_agent_entry(agent, key, now_ns, batch);
	bool is_realm = key->type == OC_REPORT_REALM;

	if (!entry)
		return false;
	enum oc_scope scope = is_realm ? OC_SCOPE_REALM : OC_SCOPE_HOST;
	if (is_remembered(agent, msg, entry, now_ns, txn)) {
		d->selected_by = (uint8_t)scope;
		return true;
	}
	uint32_t random = (uint32_t)(is_realm ? d->random : d->random >> 32);
	struct oc_draw draw = oc_decide_draw(agent->ocs, entry, &agent->policy, now_ns, random);
	*(is_realm ? &d->realm : &d->host) = draw.look;
	d->flags |= draw.is_recovering ? OC_DEC_RECOVERING : 0;
	d->flags |= draw.is_probe ? OC_DEC_PROBE : 0;
	/* Of a probe or a remembered verdict, selected_by says which of the two looks it was. */
	if (draw.is_selected || draw.is_probe)
		d->selected_by = (uint8_t)scope;
	return draw.is_selected;
}

void oc_agent_refuse(struct oc_agent *agent, const struct oc_msg *msg, struct oc_txn *txn)
{
	struct oc_decision *d = &txn->decision;
	bool is_realm = d->selected_by == OC_SCOPE_REALM;

	d->why = OC_WHY_REPORT;
	if (agent->policy.mode == OC_MODE_OBSERVE) {
		d->flags |= OC_DEC_OBSERVED;
		return;
	}
	d->verdict = OC_REFUSE;
	d->result_code = is_realm ? agent->policy.refusal_code_realm : agent->policy.refusal_code_host;
	if (oc_retry_applies(msg) && !(d->flags & OC_DEC_REMEMBERED))
		oc_retry_remember(agent->retry, msg->session_hash,
				  is_realm ? d->realm.version : d->host.version);
}

/* Writes the features of @wish into @out; what cannot be rewritten is replaced by our own words. */
static enum oc_caps_action announce(struct oc_agent *agent, const struct oc_msg *msg, enum oc_caps_wish wish,
				    struct oc_group *out, bool *odd)
{
	const struct oc_caps *caps = &msg->caps;
	struct oc_bytes whole = { .data = msg->raw + caps->raw_at, .len = caps->raw_len };

	if (wish == OC_CAPS_WISH_KEEP)
		return OC_CAPS_KEEP;
	if (wish == OC_CAPS_WISH_NARROW) {
		bool has_source = (caps->has & OC_CAPS_HAS_SOURCE) && caps->source > OC_NAME_OVERFLOW;
		const char *source = has_source ? oc_names_text(agent->names, caps->source) : NULL;
		if (!(caps->has & OC_CAPS_RAW_CUT) &&
		    oc_encode_caps_rewrite(out, whole, oc_caps_narrow(caps->vector), source, 0) == OC_OK)
			return OC_CAPS_REPLACE;
		*odd = true;
	}
	oc_encode_caps(out, OC_FV_LOSS, NULL, 0);
	return OC_CAPS_REPLACE;
}

enum oc_caps_action oc_agent_caps_for_request(struct oc_agent *agent, const struct oc_msg *msg,
					      struct oc_txn *txn, struct oc_group *out)
{
	bool is_odd = false;
	/* Not in the base protocol's own messages (D-007). */
	if (msg->app_id == 0)
		return OC_CAPS_KEEP;
	txn->announced = 1;
	if (!(msg->caps.has & OC_CAPS_PRESENT)) {
		oc_encode_caps(out, OC_FV_LOSS, NULL, 0);
		return OC_CAPS_ADD;
	}
	bool is_reacting = msg->dest_host == OC_NAME_NONE || (txn->decision.flags & OC_DEC_REACTING_FOR);
	enum oc_caps_wish wish = oc_caps_wish_for(&msg->caps, txn->doic_down, is_reacting, &is_odd);
	enum oc_caps_action action = announce(agent, msg, wish, out, &is_odd);
	if (is_odd || (msg->caps.has & OC_CAPS_REPEATED))
		agent->stats[OC_STAT_PROTOCOL_WARNINGS]++;
	return action;
}
