/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The reporting node: what is ordered is told to those who can react, and applied here for those who cannot.
 */
#include "oc_agent_inner.h"

#include "doic/oc_caps.h"
#include "oc_err.h"
#include "wire/oc_avp.h"

#define CONTENT_EVENTS 12u /* events one content can make, at most */
#define STEP_CONTENTS (OC_OWN_STEP_EVENTS / CONTENT_EVENTS)

static void tell_content(struct oc_agent *agent, const struct oc_report_content *content, uint64_t now_ns,
			 struct oc_batch *batch)
{
	struct oc_event_own_report *e = &oc_batch_add(batch, OC_EVENT_OWN_REPORT, now_ns)->u.own_report;
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
	if (content->step == OC_REPORT_GONE || content->is_note ||
	    oc_agent_encode_own(agent, content, &group) != OC_OK ||
	    oc_encode_group(&group, OC_AVP_OLR, whole, sizeof(whole), &len) != OC_OK)
		return;
	e->raw_len = (uint8_t)(len < OC_EVENT_RAW_MAX ? len : OC_EVENT_RAW_MAX);
	memcpy(e->raw, whole, e->raw_len);
}

/* Whether @content says that what this node holds for @key is over. The end of a rate has no target; a report that nobody was told
 * of goes without an end. */
static bool is_end_here(struct oc_agent *agent, const struct oc_report_content *content,
			const struct oc_ocs_key *key, uint64_t now_ns, struct oc_batch *batch)
{
	const struct oc_ocs_entry *entry = oc_agent_entry(agent, key, now_ns, batch);

	if (!entry || entry->recover.phase != OC_PHASE_ACTIVE)
		return false;
	const struct oc_olr_value *held = &oc_ocs_record(agent->ocs, entry)->value;
	return held->algorithm == content->algorithm &&
	       (content->step == OC_REPORT_ENDED || held->sequence == content->sequence);
}

/* Whether @content is for those this node reacts for: this node's part of a rate, or the loss report for all, unless a rate
 * came in its place and it only falls for those who hold it. */
static bool is_mine(const struct oc_agent *agent, const struct oc_report_content *content)
{
	if (content->target != 0)
		return content->target == agent->self || content->target == agent->self_realm;
	return content->algorithm == OC_ALGO_LOSS && !oc_reports_is_rate_only(agent->reports, &content->key);
}

/* The report is a report to ourselves too, on behalf of those who cannot react. */
static void apply_here(struct oc_agent *agent, const struct oc_report_content *content, uint64_t now_ns,
		       struct oc_batch *batch)
{
	struct oc_ocs_key key = { .app_id = content->key.app_id,
				  .subject = content->key.subject,
				  .type = content->key.type };
	struct oc_olr_value value = { .sequence = content->sequence,
				      .reduction_pct = content->reduction_pct,
				      .rate_rps = content->rate_rps,
				      .validity_s = content->validity_s,
				      .type = content->key.type,
				      .algorithm = content->algorithm };
	bool is_end = content->step == OC_REPORT_ENDED || content->step == OC_REPORT_GONE;

	if (content->key.type == OC_REPORT_PEER ||
	    !(is_end ? is_end_here(agent, content, &key, now_ns, batch) : is_mine(agent, content)))
		return;
	value.validity_s = is_end ? 0 : value.validity_s;
	/* Gone before its end was told, since nobody else had heard of it: it ends here under a number of its own. */
	if (content->step == OC_REPORT_GONE)
		value.sequence = oc_reports_take_number(agent->reports);
	oc_agent_hold_own(agent, &key, &value, now_ns, batch);
}

/* This node takes a part of a rate only while somebody needs it: capacity is not kept for nobody. */
static void claim_rates(struct oc_agent *agent, uint64_t now_ns)
{
	const struct oc_report_claim claim = {
		.host = agent->self,
		.realm = agent->self_realm,
		.for_clients = !oc_agent_is_idle(agent, agent->plain_ns, now_ns),
		.for_neighbours = !oc_agent_is_idle(agent, agent->untold_ns, now_ns),
	};

	if (claim.for_clients || claim.for_neighbours)
		oc_reports_claim(agent->reports, &agent->policy.reports, &claim, now_ns);
}

void oc_agent_own_heard(struct oc_agent *agent, uint64_t now_ns)
{
	const struct oc_report_claim claim = {
		.host = agent->self,
		.realm = agent->self_realm,
		.for_clients = agent->plain_ns == now_ns,
		.for_neighbours = agent->untold_ns == now_ns,
	};

	if (claim.for_clients || claim.for_neighbours)
		oc_reports_keep(agent->reports, &claim, now_ns);
}

/* How much is done at once depends on the contents alone and not on what else there is to tell: a replay must stop at the same. */
bool oc_agent_own_step(struct oc_agent *agent, uint64_t now_ns, struct oc_batch *batch)
{
	struct oc_report_content content;

	claim_rates(agent, now_ns);
	for (unsigned i = 0; i < STEP_CONTENTS; i++) {
		if (!oc_reports_step(agent->reports, &agent->policy.reports, now_ns, &content))
			return false;
		tell_content(agent, &content, now_ns, batch);
		if (content.is_note)
			continue;
		apply_here(agent, &content, now_ns, batch);
		oc_agent_gate_follow(agent, &content, now_ns);
	}
	return true;
}

bool oc_agent_fall_due(struct oc_agent *agent, uint64_t now_ns)
{
	struct oc_batch batch;

	uint64_t at_ns = oc_agent_enter(agent, &batch, now_ns);
	bool is_more = oc_agent_own_step(agent, at_ns, &batch);
	oc_agent_leave(agent, &batch);
	return is_more;
}

void oc_agent_step_own(struct oc_agent *agent, uint64_t now_ns)
{
	while (!agent->is_replay && oc_agent_fall_due(agent, now_ns))
		;
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

/* Content of @type about @subject under *@algorithm, or under another one that is offered: what is in force goes before what
 * has ended, and of two ends the later one, which ends both. */
static bool find(struct oc_agent *agent, uint8_t type, uint32_t subject, struct oc_report_receiver *to,
		 uint8_t offered, uint8_t *algorithm, uint64_t now_ns, struct oc_report_content *content)
{
	const struct oc_report_policy *policy = &agent->policy.reports;
	struct oc_report_content other;
	uint8_t first = *algorithm;
	bool is_found = oc_reports_content(agent->reports, policy, type, subject, to, now_ns, content);

	if (is_found && content->validity_s != 0)
		return true;
	*algorithm = first == OC_ALGO_LOSS ? OC_ALGO_RATE : OC_ALGO_LOSS;
	if ((offered & (1u << *algorithm)) &&
	    oc_reports_content(agent->reports, policy, type, subject, to, now_ns, &other) &&
	    (!is_found || other.validity_s != 0 || other.sequence > content->sequence)) {
		*content = other;
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
					 .realm = d->origin_realm,
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
