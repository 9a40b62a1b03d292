/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The reporting node: what is ordered is told to those who can react, and applied here for those who cannot.
 */
#include "oc_agent_inner.h"

#include "doic/oc_caps.h"
#include "oc_err.h"
#include "wire/oc_avp.h"

#define STEP_EVENTS 12u /* events one content can make, at most */

static void tell_content(struct oc_agent *agent, const struct oc_report_content *content,
			 struct oc_batch *batch)
{
	struct oc_event_own_report *e =
		&oc_batch_add(batch, OC_EVENT_OWN_REPORT, content->made_ns)->u.own_report;
	uint8_t whole[OC_ENCODE_MAX + 8];
	struct oc_group group;
	size_t len = 0;

	e->sequence = content->sequence;
	e->app_id = content->key.app_id;
	e->subject = content->key.subject;
	e->target = content->target;
	e->validity_s = content->validity_s;
	e->reduction_pct = content->reduction_pct;
	e->rate_rps = content->rate_rps;
	e->type = content->key.type;
	e->algorithm = content->algorithm;
	e->step = content->step;
	if (content->step == OC_REPORT_GONE || oc_agent_encode_own(agent, content, &group) != OC_OK ||
	    oc_encode_group(&group, OC_AVP_OLR, whole, sizeof(whole), &len) != OC_OK)
		return;
	e->raw_len = (uint8_t)(len < OC_EVENT_RAW_MAX ? len : OC_EVENT_RAW_MAX);
	memcpy(e->raw, whole, e->raw_len);
}

/* Whether this node holds @content for others: a percentage is for all, of a rate it has a part of its own. */
static bool is_for_us(const struct oc_agent *agent, const struct oc_report_content *content)
{
	return content->key.type != OC_REPORT_PEER &&
	       (content->target == 0 || content->target == agent->self ||
		content->target == agent->self_realm);
}

/* Whether what is in force here is of the part of the order that @content ends. */
static bool is_in_force(struct oc_agent *agent, const struct oc_ocs_key *key,
			const struct oc_report_content *content, uint64_t now_ns, struct oc_batch *batch)
{
	const struct oc_ocs_entry *held = oc_agent_entry(agent, key, now_ns, batch);

	return held && held->recover.phase == OC_PHASE_ACTIVE &&
	       oc_ocs_record(agent->ocs, held)->value.algorithm == content->algorithm;
}

/* The report is a report to ourselves too, on behalf of those who cannot react. One that is gone before its end was told,
 * since nobody else had heard of it, ends here under a number of its own. */
static void apply_here(struct oc_agent *agent, const struct oc_report_content *content, uint64_t now_ns,
		       struct oc_batch *batch)
{
	bool is_gone = content->step == OC_REPORT_GONE;
	struct oc_ocs_key key = { .app_id = content->key.app_id,
				  .subject = content->key.subject,
				  .type = content->key.type };
	struct oc_olr_value value = { .sequence = content->sequence,
				      .reduction_pct = content->reduction_pct,
				      .rate_rps = content->rate_rps,
				      .validity_s = is_gone ? 0 : content->validity_s,
				      .type = content->key.type,
				      .algorithm = content->algorithm };

	if (!is_for_us(agent, content) ||
	    (value.validity_s == 0 && !is_in_force(agent, &key, content, now_ns, batch)))
		return;
	if (is_gone)
		value.sequence = oc_reports_take_number(agent->reports);
	oc_agent_hold_own(agent, &key, &value, now_ns, batch);
}

/* Claims this node's own part of each order that has a rate only. */
static void claim_rates(struct oc_agent *agent, uint64_t now_ns)
{
	struct oc_report_content content;

	for (uint32_t i = 0; i < agent->rate_order_count; i++) {
		const struct oc_report_key *key = &agent->rate_orders[i];
		struct oc_report_receiver self = { .app_id = key->app_id,
						   .host = agent->self,
						   .realm = agent->self_realm,
						   .algorithm = OC_ALGO_RATE };
		(void)oc_reports_content(agent->reports, &agent->policy.reports, key->type, key->subject,
					 &self, now_ns, &content);
	}
}

bool oc_agent_own_step(struct oc_agent *agent, uint64_t now_ns, struct oc_batch *batch)
{
	struct oc_report_content content;

	claim_rates(agent, now_ns);
	while (batch->count + STEP_EVENTS <= OC_BATCH_MAX) {
		if (!oc_reports_step(agent->reports, &agent->policy.reports, now_ns, &content))
			return false;
		tell_content(agent, &content, batch);
		apply_here(agent, &content, now_ns, batch);
	}
	return true;
}

static struct oc_gate *gate_of(struct oc_agent *agent, const struct oc_report_key *key)
{
	for (uint32_t i = 0; i < OC_GATES_MAX; i++) {
		struct oc_gate *gate = &agent->gates[i];
		if (!gate->is_used)
			*gate = (struct oc_gate){ .key = *key, .is_used = true };
		if (oc_agent_same_key(&gate->key, key))
			return gate;
	}
	/* More orders than gates: the first gives way. */
	agent->gates[0] = (struct oc_gate){ .key = *key, .is_used = true };
	return &agent->gates[0];
}

bool oc_agent_own_refuses(struct oc_agent *agent, const struct oc_msg *msg, struct oc_txn *txn)
{
	const uint16_t told = OC_TXN_PEER_DOWN | OC_TXN_RECEIVES;
	struct oc_decision *d = &txn->decision;
	struct oc_report_content content;

	if (oc_reports_count(agent->reports) == 0 || (txn->state & told) == told || msg->app_id == 0)
		return false;
	if (!oc_reports_peek(agent->reports, OC_REPORT_PEER, msg->app_id, d->client_peer, &content) ||
	    content.validity_s == 0 || content.reduction_pct == 0)
		return false;
	struct oc_gate *gate = gate_of(agent, &content.key);
	uint32_t share = oc_debt_take(&gate->debt, content.reduction_pct * (OC_PPM / 100), txn->rank,
				      agent->policy.priorities.slack);
	uint32_t chance = (uint32_t)(((d->random ^ (d->random >> 31)) * 0xd6e8feb86659fd93ull) >> 32);
	if (!oc_loss_draw_exact(&gate->loss, share, chance))
		return false;
	d->why = OC_WHY_OWN;
	if (agent->policy.mode == OC_MODE_OBSERVE) {
		d->flags |= OC_DEC_OBSERVED;
		return true;
	}
	/* Another agent may reach the realm; a request for one host is less likely to be helped (D-160 to D-163). */
	d->verdict = OC_REFUSE;
	d->result_code = msg->dest_host == OC_NAME_NONE ? OC_RC_TOO_BUSY : OC_RC_UNABLE_TO_COMPLY;
	return true;
}

static void add(struct oc_agent *agent, const struct oc_report_content *content, uint32_t peer,
		uint64_t now_ns, struct oc_answer_edit *edit, struct oc_batch *batch)
{
	struct oc_event_own_sent pushed;

	edit->own[edit->own_count++] = *content;
	agent->stats[OC_STAT_OWN_REPORTS]++;
	if (oc_sent_count(&agent->sent, content->sequence, content->key.type, peer, now_ns, &pushed))
		oc_batch_add(batch, OC_EVENT_OWN_SENT, now_ns)->u.own_sent = pushed;
}

/* Content of @type about @subject under *@algorithm, or under the other one if that is offered and says more: what is in force
 * goes before an end, and a later end before an earlier one. */
static bool find(struct oc_agent *agent, uint8_t type, uint32_t subject, struct oc_report_receiver *to,
		 uint8_t offered, uint8_t *algorithm, uint64_t now_ns, struct oc_report_content *content)
{
	const struct oc_report_policy *policy = &agent->policy.reports;
	uint8_t first = *algorithm;
	uint8_t other = first == OC_ALGO_LOSS ? OC_ALGO_RATE : OC_ALGO_LOSS;
	struct oc_report_content second;

	bool is_found = oc_reports_content(agent->reports, policy, type, subject, to, now_ns, content);
	if ((is_found && content->validity_s != 0) || !(offered & (1u << other)))
		return is_found;
	*algorithm = other;
	if (oc_reports_content(agent->reports, policy, type, subject, to, now_ns, &second) &&
	    (!is_found || second.validity_s != 0 || second.sequence > content->sequence)) {
		*content = second;
		return true;
	}
	*algorithm = first;
	return is_found;
}

void oc_agent_edit_own(struct oc_agent *agent, struct oc_txn *txn, uint32_t host, uint32_t realm,
		       bool is_fixed, uint64_t now_ns, enum oc_algo *algorithm, enum oc_algo *peer_algorithm,
		       struct oc_answer_edit *edit, struct oc_batch *batch)
{
	const struct oc_decision *d = &txn->decision;
	uint8_t offered = agent->policy.rate.is_on ? txn->offered : 1u << OC_ALGO_LOSS;
	bool is_peer = (txn->state & OC_TXN_PEER_DOWN) != 0;
	struct oc_report_content content;

	*peer_algorithm = is_peer ? oc_caps_choose(offered, agent->policy.reports.prefers) : OC_ALGO_NONE;
	if (oc_reports_count(agent->reports) == 0 || !txn->doic_down || !(txn->state & OC_TXN_RECEIVES))
		return;
	struct oc_report_receiver to = { .app_id = d->app_id,
					 .host = d->origin_host,
					 .realm = txn->origin_realm,
					 .peer = d->client_peer,
					 .algorithm = (uint8_t)*algorithm,
					 .peer_algorithm = (uint8_t)*peer_algorithm };
	const uint32_t subjects[] = { [OC_REPORT_HOST] = host, [OC_REPORT_REALM] = realm };
	for (unsigned i = OC_REPORT_HOST; i <= OC_REPORT_REALM; i++) {
		uint8_t type = (uint8_t)i;
		uint8_t others = is_fixed ? 0 : offered;
		if (subjects[type] <= OC_NAME_OVERFLOW ||
		    !find(agent, type, subjects[type], &to, others, &to.algorithm, now_ns, &content))
			continue;
		is_fixed = true;
		add(agent, &content, d->client_peer, now_ns, edit, batch);
	}
	*algorithm = (enum oc_algo)to.algorithm;
	if (is_peer && find(agent, OC_REPORT_PEER, 0, &to, offered, &to.peer_algorithm, now_ns, &content))
		add(agent, &content, d->client_peer, now_ns, edit, batch);
	*peer_algorithm = (enum oc_algo)to.peer_algorithm;
}

int oc_agent_encode_own(const struct oc_agent *agent, const struct oc_report_content *content,
			struct oc_group *out)
{
	struct oc_olr olr = { 0 };

	oc_report_olr(content, &olr);
	return oc_encode_olr(out, &olr, agent->identity);
}
