/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * An answer arrives: what it teaches, and what of its overload control may travel on to the client.
 */
#include "oc_agent_inner.h"

#include "doic/oc_caps.h"
#include "doic/oc_trust.h"
#include "wire/oc_avp.h"

/* Conditions of D-290 that hold for all reports of the answer alike. */
static enum oc_report_reason way_of(const struct oc_msg *answer, uint32_t trust, uint32_t from_peer,
				    const struct oc_txn *txn)
{
	bool is_due =
		(txn->state & OC_TXN_BEGUN) && (txn->counted_peer == 0 || txn->counted_peer == from_peer);
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

/* A normal answer without news for a host or realm that is being probed is the go-ahead (D-251). */
static void note_go_ahead(struct oc_agent *agent, const struct oc_msg *answer, uint8_t type, uint64_t now_ns,
			  const struct oc_txn *txn, struct oc_batch *batch)
{
	struct oc_ocs_key key = { .app_id = answer->app_id,
				  .subject = type == OC_REPORT_REALM ? answer->origin_realm
								     : answer->origin_host,
				  .type = type };
	struct oc_ocs_entry *entry = oc_agent_entry(agent, &key, now_ns, batch);

	if (entry)
		oc_recover_answered(&entry->recover, &oc_ocs_record(agent->ocs, entry)->probe, &agent->policy,
				    txn->sent_ns, now_ns);
}

/* Takes in every report; bit i of the result: the i-th may travel on. */
static uint8_t take_reports(struct oc_agent *agent, const struct oc_msg *answer, uint32_t from_peer,
			    enum oc_report_reason way, uint64_t now_ns, struct oc_batch *batch)
{
	uint8_t may_pass = 0;
	uint32_t seen_types = 0;

	for (uint32_t i = 0; i < answer->olr_count && i < OC_MSG_OLR_MAX; i++) {
		uint32_t type = answer->olr[i].type;
		enum oc_report_reason reason =
			oc_agent_intake(agent, answer, i, from_peer, way, now_ns, batch);
		if (oc_trust_may_forward(reason))
			may_pass |= (uint8_t)(1u << i);
		/* Two reports of one type are odd; the sequence rule settles them (D-071). */
		if (type < 32 && (seen_types & (1u << type)))
			agent->stats[OC_STAT_PROTOCOL_WARNINGS]++;
		seen_types |= type < 32 ? 1u << type : 0;
	}
	return may_pass;
}

/* D-022, D-033, D-282, D-284, D-286, D-287: what must be taken out before the answer travels on. */
static void edit_for(const struct oc_msg *answer, uint32_t trust, uint8_t may_pass, const struct oc_txn *txn,
		     struct oc_answer_edit *edit)
{
	bool is_trusted = (trust & OC_TRUST_DOIC) != 0;

	edit->strip_caps = !is_trusted || !txn->doic_down || (answer->caps.has & OC_CAPS_MALFORMED);
	edit->strip_all_olr = edit->strip_caps || !(txn->state & OC_TXN_RECEIVES) || answer->olr_excess > 0;
	edit->strip_olr = (uint8_t)(edit->strip_all_olr ? 0xffu : 0xffu & ~may_pass);
}

void oc_agent_on_answer(struct oc_agent *agent, const struct oc_msg *answer, uint32_t from_peer,
			uint64_t now_ns, struct oc_txn *txn, struct oc_answer_edit *edit)
{
	struct oc_batch batch;

	oc_agent_enter(agent, &batch);
	agent->stats[OC_STAT_ANSWERS]++;
	uint32_t trust = oc_peers_trust(agent->peers, &agent->policy, from_peer);
	enum oc_report_reason way = way_of(answer, trust, from_peer, txn);
	oc_agent_tell_caps(agent, answer, from_peer, now_ns, &batch);
	if (answer->caps.has & (OC_CAPS_REPEATED | OC_CAPS_MALFORMED))
		agent->stats[OC_STAT_PROTOCOL_WARNINGS]++;
	uint8_t may_pass = take_reports(agent, answer, from_peer, way, now_ns, &batch);
	if (is_served(answer)) {
		note_go_ahead(agent, answer, OC_REPORT_HOST, now_ns, txn, &batch);
		note_go_ahead(agent, answer, OC_REPORT_REALM, now_ns, txn, &batch);
	}
	edit_for(answer, trust, may_pass, txn, edit);
	oc_agent_leave(agent, &batch);
	oc_peers_give_back(agent->peers, txn->counted_peer);
	txn->counted_peer = OC_NAME_NONE;
	txn->answered_by = answer->origin_host;
	txn->answer_peer = from_peer;
	txn->result_code = answer->result_code;
}
