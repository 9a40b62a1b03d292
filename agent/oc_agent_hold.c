/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Holding one request against one state: which state governs it, the draw, the refusal, and what a removal means for the
 * next hop's own report.
 */
#include "oc_agent_inner.h"

#include "doic/oc_match.h"

static enum oc_scope scope_of(uint8_t type)
{
	static const enum oc_scope scopes[OC_REPORT_COUNT] = { [OC_REPORT_HOST] = OC_SCOPE_HOST,
							       [OC_REPORT_REALM] = OC_SCOPE_REALM,
							       [OC_REPORT_PEER] = OC_SCOPE_PEER };
	return scopes[type];
}

static struct oc_look *look_of(struct oc_decision *d, enum oc_scope scope)
{
	if (scope == OC_SCOPE_REALM)
		return &d->realm;
	return scope == OC_SCOPE_HOST ? &d->host : &d->peer;
}

/* Chance of one draw: step 1 has the lower half of the decision's random number, step 3 the upper one, which serves two reports
 * and, stirred in another way, the pick. */
static uint32_t chance_of(const struct oc_txn *txn, enum oc_scope scope)
{
	uint64_t random = txn->decision.random;

	if (!(txn->state & OC_TXN_CHOSEN))
		return (uint32_t)random;
	if (scope == OC_SCOPE_HOST)
		return (uint32_t)(random >> 32);
	return (uint32_t)(((random >> 32) * 0x9e3779b97f4a7c15ull) >> 32);
}

/* Key under which @txn's side may have been allotted a rate of its own. False: none. */
static bool own_key(const struct oc_agent *agent, const struct oc_ocs_key *key, const struct oc_txn *txn,
		    struct oc_ocs_key *own)
{
	if (key->type == OC_REPORT_PEER || oc_ocs_with_origin(agent->ocs) == 0)
		return false;
	/* What this agent reports for has one source (D-115), whatever was heard of it before. */
	if (oc_reports_has(agent->reports, key->type, key->app_id, key->subject))
		return false;
	*own = *key;
	own->origin = (key->type == OC_REPORT_HOST ? txn->decision.origin_host : txn->decision.origin_realm) &
		      0xffffffu;
	return own->origin > OC_NAME_OVERFLOW;
}

/* Whether @own, the rate told to one side alone, came in the place of the report for all at @all: of one row of numbers the
 * highest counts, though it be an end (D-063, D-092). */
static bool takes_place(const struct oc_agent *agent, const struct oc_ocs_entry *own,
			const struct oc_ocs_entry *all)
{
	return oc_olr_is_newer(oc_ocs_record(agent->ocs, all)->value.sequence,
			       oc_ocs_record(agent->ocs, own)->value.sequence);
}

/* @exact, or the order for every application when that is in force and @exact is not. */
static struct oc_ocs_entry *or_any_app(struct oc_agent *agent, const struct oc_ocs_key *key,
				       struct oc_ocs_entry *exact, uint64_t now_ns, struct oc_batch *batch)
{
	struct oc_ocs_key any = *key;

	if (!agent->has_any_app || (exact && exact->recover.phase == OC_PHASE_ACTIVE))
		return exact;
	any.app_id = OC_APP_ANY;
	struct oc_ocs_entry *entry = oc_agent_entry(agent, &any, now_ns, batch);
	return entry && (!exact || entry->recover.phase == OC_PHASE_ACTIVE) ? entry : exact;
}

/* The state that governs @txn for @key: the rate of its own side before the report for all, an order for every application
 * last. */
static struct oc_ocs_entry *entry_for(struct oc_agent *agent, const struct oc_ocs_key *key,
				      const struct oc_txn *txn, uint64_t now_ns, struct oc_batch *batch)
{
	struct oc_ocs_key other;
	struct oc_ocs_entry *own = NULL;

	if (own_key(agent, key, txn, &other))
		own = oc_agent_entry(agent, &other, now_ns, batch);
	if (own && oc_decide_matches(own))
		return own;
	struct oc_ocs_entry *entry = oc_agent_entry(agent, key, now_ns, batch);
	if (own && entry && takes_place(agent, own, entry))
		return own;
	return or_any_app(agent, key, entry, now_ns, batch);
}

bool oc_agent_observes(const struct oc_agent *agent, uint32_t subject)
{
	if (agent->policy.mode == OC_MODE_OBSERVE || agent->policy.shadow_count == 0)
		return agent->policy.mode == OC_MODE_OBSERVE;
	return oc_policy_observes(&agent->policy, oc_names_text(agent->names, subject));
}

/* Lets a retry of a refused session attempt meet the same verdict. */
static bool is_remembered(struct oc_agent *agent, const struct oc_msg *msg, struct oc_ocs_entry *entry,
			  uint64_t now_ns, struct oc_txn *txn)
{
	if (agent->policy.mode == OC_MODE_OBSERVE || !oc_retry_applies(msg) || !oc_decide_matches(entry) ||
	    !oc_retry_knows(agent->retry, msg->session_hash, entry->version) ||
	    oc_agent_observes(agent, entry->key.subject))
		return false;
	oc_ocs_record(agent->ocs, entry)->remembered++;
	txn->decision.flags |= OC_DEC_REMEMBERED;
	txn->decision.flags |= entry->recover.phase != OC_PHASE_ACTIVE ? OC_DEC_RECOVERING : 0;
	*look_of(&txn->decision, scope_of(entry->key.type)) =
		(struct oc_look){ .version = entry->version,
				  .share_ppm = oc_recover_share(&entry->recover, now_ns) };
	return true;
}

bool oc_agent_hold(struct oc_agent *agent, const struct oc_msg *msg, const struct oc_ocs_key *key,
		   uint64_t now_ns, struct oc_txn *txn, struct oc_batch *batch)
{
	struct oc_decision *d = &txn->decision;
	struct oc_ocs_entry *entry = entry_for(agent, key, txn, now_ns, batch);
	enum oc_scope scope = scope_of(key->type);

	if (!entry)
		return false;
	if (is_remembered(agent, msg, entry, now_ns, txn)) {
		d->selected_by = (uint8_t)scope;
		return true;
	}
	struct oc_ask ask = { .request = msg, .rank = txn->rank, .klass = d->klass };
	struct oc_draw draw =
		oc_decide_draw(agent->ocs, entry, &agent->policy, &ask, now_ns, chance_of(txn, scope));
	*look_of(d, scope) = draw.look;
	if (draw.look.nth != 0)
		txn->state |= txn->state & OC_TXN_CHOSEN ? OC_TXN_USED_HIGH : OC_TXN_USED_LOW;
	d->flags |= draw.is_recovering ? OC_DEC_RECOVERING : 0;
	d->flags |= draw.is_probe ? OC_DEC_PROBE : 0;
	/* Of a probe or a remembered verdict, selected_by says which of the looks it was. */
	if (draw.is_selected || draw.is_probe)
		d->selected_by = (uint8_t)scope;
	if (draw.is_selected && oc_agent_observes(agent, key->subject))
		txn->state |= OC_TXN_SHADOW;
	return draw.is_selected;
}

static uint32_t code_for(const struct oc_policy *policy, enum oc_scope scope)
{
	if (scope == OC_SCOPE_REALM)
		return policy->refusal_code_realm;
	return scope == OC_SCOPE_HOST ? policy->refusal_code_host : policy->refusal_code_peer;
}

void oc_agent_refuse(struct oc_agent *agent, const struct oc_msg *msg, struct oc_txn *txn)
{
	struct oc_decision *d = &txn->decision;

	d->why = OC_WHY_REPORT;
	if (txn->state & OC_TXN_SHADOW) {
		d->flags |= OC_DEC_OBSERVED;
		return;
	}
	d->verdict = OC_REFUSE;
	d->result_code = code_for(&agent->policy, (enum oc_scope)d->selected_by);
	if (oc_retry_applies(msg) && !(d->flags & OC_DEC_REMEMBERED))
		oc_retry_remember(agent->retry, msg->session_hash,
				  look_of(d, (enum oc_scope)d->selected_by)->version);
}

void oc_agent_credit(struct oc_agent *agent, uint32_t app_id, uint32_t peer, uint64_t now_ns,
		     struct oc_batch *batch)
{
	struct oc_ocs_key key = { .app_id = app_id, .subject = peer, .type = OC_REPORT_PEER };

	if (oc_ocs_of_type(agent->ocs, OC_REPORT_PEER) == 0 || agent->policy.mode == OC_MODE_OBSERVE)
		return;
	struct oc_ocs_entry *entry = oc_agent_entry(agent, &key, now_ns, batch);
	if (entry)
		oc_decide_credit(agent->ocs, entry, &agent->policy, now_ns);
}

void oc_agent_credit_arrival(struct oc_agent *agent, const struct oc_ocs_key *key, const struct oc_txn *txn,
			     uint64_t now_ns, struct oc_batch *batch)
{
	if (oc_ocs_of_type(agent->ocs, OC_REPORT_PEER) == 0)
		return;
	const struct oc_ocs_entry *entry = entry_for(agent, key, txn, now_ns, batch);
	if (entry)
		oc_agent_credit(agent, key->app_id, oc_ocs_record(agent->ocs, entry)->via, now_ns, batch);
}

void oc_agent_note_via(struct oc_agent *agent, const struct oc_msg *msg, const struct oc_txn *txn,
		       uint32_t peer, uint64_t now_ns, struct oc_batch *batch)
{
	struct oc_ocs_key key;

	/* Not whether there is one now: that may depend on when somebody last looked for what ran out. */
	if (!agent->has_peer_states || !oc_match_on_arrival(msg, true, &key))
		return;
	const struct oc_ocs_entry *entry = entry_for(agent, &key, txn, now_ns, batch);
	if (entry)
		oc_ocs_record(agent->ocs, entry)->via = peer;
}

bool oc_agent_peer_asks(struct oc_agent *agent, uint32_t app_id, uint32_t peer, uint64_t now_ns)
{
	const struct oc_ocs_key key = { .app_id = app_id, .subject = peer, .type = OC_REPORT_PEER };

	pthread_mutex_lock(&agent->lock);
	uint32_t share = oc_decide_share(agent->ocs, &key, &agent->policy, now_ns);
	pthread_mutex_unlock(&agent->lock);
	return share != 0;
}

uint32_t oc_agent_share(const struct oc_agent *agent, const struct oc_msg *msg, uint8_t type,
			uint32_t subject, uint64_t now_ns)
{
	struct oc_ocs_key key = { .app_id = msg->app_id, .subject = subject, .type = type };
	uint32_t share = oc_decide_share(agent->ocs, &key, &agent->policy, now_ns);

	if (share == 0 && type == OC_REPORT_HOST && oc_ocs_with_origin(agent->ocs)) {
		key.origin = msg->origin_host & 0xffffffu;
		share = oc_decide_share(agent->ocs, &key, &agent->policy, now_ns);
	}
	if (share == 0 && agent->has_any_app) {
		key = (struct oc_ocs_key){ .app_id = OC_APP_ANY, .subject = subject, .type = type };
		share = oc_decide_share(agent->ocs, &key, &agent->policy, now_ns);
	}
	return share;
}
