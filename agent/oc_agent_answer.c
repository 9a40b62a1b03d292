/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Step 5: an answer arrives or is made here: what it teaches, what of it may travel on to the client, and what of
 * ours goes with it.
 */
#include "oc_agent_inner.h"

#include "doic/oc_caps.h"
#include "doic/oc_trust.h"
#include "wire/oc_avp.h"

/* Conditions of D-290 that hold for all reports of the answer alike. */
static enum oc_report_reason way_of(const struct oc_msg *answer, uint32_t trust, uint32_t from_peer,
				    const struct oc_txn *txn)
{
	bool is_due = (txn->state & OC_TXN_BEGUN) &&
		      (txn->counted_peer == OC_NAME_NONE || oc_name_is_same(txn->counted_peer, from_peer));
	struct oc_trust_case c = { .flags = trust,
				   .is_answer_due = is_due,
				   .is_announced = txn->announced != 0,
				   .has_features = oc_caps_usable(&answer->caps) };

	return oc_trust_check_way(&c);
}

/* Whether the request was served: one refused for overload, or told of an error on its way, says nothing good
 * about who was to serve it (D-251). */
static bool is_served(const struct oc_msg *answer)
{
	return !(answer->flags & OC_FLAG_ERROR) && answer->result_code != OC_RC_UNABLE_TO_COMPLY;
}

/* A normal answer without news for a host, realm or next hop that is being probed is the go-ahead (D-251). */
static void note_go_ahead(struct oc_agent *agent, const struct oc_ocs_key *key, uint64_t now_ns,
			  const struct oc_txn *txn, struct oc_batch *batch)
{
	const struct oc_decision *d = &txn->decision;
	struct oc_ocs_entry *entry = oc_agent_entry(agent, key, now_ns, batch);

	if (entry)
		oc_recover_answered(&entry->recover, &oc_ocs_record(agent->ocs, entry)->probe, &agent->policy,
				    d->out_ns ? d->out_ns : d->at_ns, now_ns);
}

/* For whichever states may have governed the request: for all, for its own side alone, for every application. A request that was
 * never asked about has application 0, and no state. */
static void note_go_aheads(struct oc_agent *agent, const struct oc_msg *answer, uint32_t from_peer,
			   uint64_t now_ns, const struct oc_txn *txn, struct oc_batch *batch)
{
	const uint32_t subjects[OC_REPORT_COUNT] = { answer->origin_host, answer->origin_realm, from_peer };
	const struct oc_decision *d = &txn->decision;
	const uint32_t origins[OC_REPORT_COUNT] = { d->origin_host, d->origin_realm, 0 };

	for (unsigned i = 0; is_served(answer) && i < OC_REPORT_COUNT; i++) {
		struct oc_ocs_key key = { .app_id = d->app_id, .subject = subjects[i], .type = (uint8_t)i };
		note_go_ahead(agent, &key, now_ns, txn, batch);
		if (origins[i] != 0 && oc_ocs_with_origin(agent->ocs) != 0) {
			key.origin = origins[i] & 0xffffffu;
			note_go_ahead(agent, &key, now_ns, txn, batch);
		}
		if (agent->has_any_app) {
			key = (struct oc_ocs_key){ .app_id = OC_APP_ANY,
						   .subject = subjects[i],
						   .type = (uint8_t)i };
			note_go_ahead(agent, &key, now_ns, txn, batch);
		}
	}
}

/* Takes in every report; bit i of the result: the i-th may travel on. Peer reports never do (D-213). */
static uint8_t take_reports(struct oc_agent *agent, const struct oc_msg *answer, uint32_t from_peer,
			    enum oc_report_reason way, const struct oc_txn *txn, uint64_t now_ns,
			    struct oc_batch *batch)
{
	uint8_t may_pass = 0;
	uint32_t seen_types = 0;

	for (uint32_t i = 0; i < answer->olr_count && i < OC_MSG_OLR_MAX; i++) {
		uint32_t type = answer->olr[i].type;
		enum oc_report_reason reason =
			oc_agent_intake(agent, answer, i, from_peer, way, txn, now_ns, batch);
		bool is_for_this_hop = (answer->olr[i].has & OC_OLR_HAS_TYPE) && type == OC_REPORT_PEER;
		if (oc_trust_may_forward(reason) && !is_for_this_hop)
			may_pass |= (uint8_t)(1u << i);
		/* Two reports of one type are odd; the sequence rule settles them (D-071). */
		if (type < 32 && (seen_types & (1u << type)))
			agent->stats[OC_STAT_PROTOCOL_WARNINGS]++;
		seen_types |= type < 32 ? 1u << type : 0;
	}
	return may_pass;
}

/* D-022, D-033, D-282, D-284, D-286, D-287: what must be taken out before the answer travels on. */
static void edit_reports(const struct oc_msg *answer, uint32_t trust, uint8_t may_pass,
			 const struct oc_txn *txn, struct oc_answer_edit *edit)
{
	bool is_trusted = (trust & OC_TRUST_DOIC) != 0;

	edit->strip_caps = !is_trusted || !txn->doic_down || (answer->caps.has & OC_CAPS_MALFORMED);
	edit->strip_all_olr = edit->strip_caps || !(txn->state & OC_TXN_RECEIVES) || answer->olr_excess > 0;
	edit->strip_olr = (uint8_t)(edit->strip_all_olr ? 0xffu : 0xffu & ~may_pass);
}

/* P-10, P-11, P-19, P-20: an answer's own priority, if its sender is trusted with it, else the request's stays. */
static void edit_drmp(const struct oc_agent *agent, const struct oc_msg *answer, uint32_t trust,
		      uint32_t from_peer, struct oc_txn *txn, struct oc_answer_edit *edit)
{
	if (!(answer->hints & OC_HINT_DRMP))
		return;
	edit->strip_drmp =
		!oc_agent_believes_drmp(answer, from_peer, trust) || !(txn->state & OC_TXN_TAKES_DRMP);
	if (edit->strip_drmp || answer->drmp == OC_DRMP_NONE)
		return;
	txn->rank = oc_agent_mapped_drmp(agent, answer->drmp, from_peer, trust);
	edit->rewrite_drmp = txn->rank != answer->drmp;
	edit->drmp_to = edit->rewrite_drmp ? txn->rank : 0;
}

/* L-16, L-17, L-25: the same for load. */
static void edit_loads(const struct oc_msg *answer, uint8_t loads, const struct oc_txn *txn,
		       struct oc_answer_edit *edit)
{
	edit->strip_all_load = answer->load_avps != 0 &&
			       (!(txn->state & OC_TXN_TAKES_LOAD) || answer->load_avps > answer->load_count);
	edit->strip_load = (uint8_t)(edit->strip_all_load ? 0xffu : 0xffu & ~loads);
}

/* Whether the client may learn from the answer's own features what algorithm is meant. */
static bool is_upstream(const struct oc_msg *answer, const struct oc_answer_edit *edit)
{
	return answer && !edit->strip_caps && oc_caps_usable(&answer->caps);
}

/* Whether a host or realm report of others goes on to the client: then its algorithm is the answer's. Its octets may be known no
 * longer; the answer's profile says it then. */
static bool is_passing(const struct oc_msg *answer, const struct oc_answer_edit *edit)
{
	uint32_t olrs = (1u << answer->olr_count) - 1u;

	if (edit->strip_all_olr || !is_upstream(answer, edit))
		return false;
	return (olrs & ~(uint32_t)edit->strip_olr) != 0 || (answer->hints & OC_HINT_PASSES);
}

/* What a replay and an audit must know of the answer beside its reports and loads. @passes: is_passing(), before ours was put in
 * the place of the answer's features. */
static uint32_t profile_of(struct oc_agent *agent, const struct oc_msg *answer, bool passes, uint64_t now_ns,
			   struct oc_batch *batch)
{
	unsigned hints = answer->flags & OC_FLAG_ERROR ? OC_HINT_ERROR : 0;

	hints |= passes ? OC_HINT_PASSES : 0;
	return oc_agent_tell_profile(agent, answer, (uint16_t)hints, now_ns, batch);
}

/* Features and reports of ours. @answer: NULL when it is made here. */
static void dress(struct oc_agent *agent, const struct oc_msg *answer, struct oc_txn *txn, uint64_t now_ns,
		  struct oc_answer_edit *edit, struct oc_batch *batch)
{
	if (!txn->doic_down)
		return;
	bool is_said = is_upstream(answer, edit);
	enum oc_algo algorithm = is_said ? oc_caps_selected(&answer->caps)
					 : oc_caps_choose(txn->offered, agent->policy.reports.prefers);
	enum oc_algo peer_algorithm;
	bool is_fixed = is_said && (is_passing(answer, edit) || algorithm == OC_ALGO_NONE);
	if (!agent->policy.rate.is_on && !is_said)
		algorithm = OC_ALGO_LOSS;
	oc_agent_edit_own(agent, txn, answer ? answer->origin_host : OC_NAME_NONE,
			  answer ? answer->origin_realm : agent->self_realm, is_fixed, now_ns, &algorithm,
			  &peer_algorithm, edit, batch);
	oc_agent_edit_caps(agent, answer, txn, algorithm, peer_algorithm, edit);
}

void oc_agent_on_answer(struct oc_agent *agent, const struct oc_msg *answer, uint32_t from_peer,
			uint64_t now_ns, struct oc_txn *txn, struct oc_answer_edit *edit)
{
	struct oc_batch batch;

	uint64_t at_ns = oc_agent_enter(agent, &batch, now_ns);
	agent->stats[OC_STAT_ANSWERS]++;
	uint32_t trust = oc_peers_trust(agent->peers, &agent->policy, from_peer);
	enum oc_report_reason way = way_of(answer, trust, from_peer, txn);
	oc_agent_tell_caps(agent, answer, from_peer, at_ns, &batch);
	if (answer->caps.has & (OC_CAPS_REPEATED | OC_CAPS_MALFORMED))
		agent->stats[OC_STAT_PROTOCOL_WARNINGS]++;
	uint8_t may_pass = take_reports(agent, answer, from_peer, way, txn, at_ns, &batch);
	uint8_t loads = oc_agent_take_loads(agent, answer, from_peer, trust, at_ns, &batch);
	note_go_aheads(agent, answer, from_peer, at_ns, txn, &batch);
	if (txn->state & (OC_TXN_STARTS | OC_TXN_ENDS))
		oc_agent_follow_session(agent, answer, txn);
	edit_reports(answer, trust, may_pass, txn, edit);
	edit_loads(answer, loads, txn, edit);
	edit_drmp(agent, answer, trust, from_peer, txn, edit);
	bool passes = is_passing(answer, edit);
	dress(agent, answer, txn, at_ns, edit, &batch);
	if (txn->state & OC_TXN_TAKES_LOAD)
		oc_agent_edit_load(agent, txn->decision.client_peer, at_ns, edit, &batch);
	txn->answer_profile = profile_of(agent, answer, passes, at_ns, &batch);
	oc_agent_leave(agent, &batch);
	oc_peers_give_back(agent->peers, txn->counted_peer);
	txn->counted_peer = OC_NAME_NONE;
	txn->answered_ns = at_ns;
	txn->answered_by = answer->origin_host;
	txn->answered_realm = answer->origin_realm;
	txn->answer_peer = from_peer;
	txn->result_code = answer->result_code;
}

void oc_agent_on_own_answer(struct oc_agent *agent, struct oc_txn *txn, uint64_t now_ns,
			    struct oc_answer_edit *edit)
{
	struct oc_batch batch;

	if (!txn->doic_down && !(txn->state & OC_TXN_TAKES_LOAD))
		return;
	txn->answered_ns = oc_agent_enter(agent, &batch, now_ns);
	dress(agent, NULL, txn, txn->answered_ns, edit, &batch);
	if (txn->state & OC_TXN_TAKES_LOAD)
		oc_agent_edit_load(agent, txn->decision.client_peer, txn->answered_ns, edit, &batch);
	oc_agent_leave(agent, &batch);
}
