/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The reporting node: orders put in force, told to those who can react, and applied here for those who cannot.
 */
#include "oc_agent_inner.h"

#include "doic/oc_caps.h"
#include "oc_err.h"
#include "wire/oc_avp.h"

#define STEP_EVENTS 12u /* events one content can make, at most */

static bool is_listed(const char (*list)[OC_POLICY_PATTERN_MAX], uint32_t count, const char *name)
{
	for (uint32_t i = 0; i < count && i < OC_POLICY_REALMS_MAX; i++)
		if (oc_policy_pattern_matches(list[i], name))
			return true;
	return false;
}

/* D-035: only for hosts all of whose traffic passes here; D-113: only as the one source of a realm. */
static bool may_report(const struct oc_agent *agent, const struct oc_report_key *key)
{
	const struct oc_report_policy *policy = &agent->policy.reports;

	if (key->type == OC_REPORT_PEER || key->subject <= OC_NAME_OVERFLOW)
		return true;
	const char *name = oc_names_text(agent->names, key->subject);
	return key->type == OC_REPORT_HOST ? is_listed(policy->sole_paths, policy->sole_path_count, name)
					   : is_listed(policy->realms, policy->realm_count, name);
}

static bool same_key(const struct oc_report_key *a, const struct oc_report_key *b)
{
	return a->app_id == b->app_id && a->subject == b->subject && a->type == b->type;
}

/* Place of @key among the rate orders, or their number. */
static uint32_t find_rate_order(const struct oc_agent *agent, const struct oc_report_key *key)
{
	uint32_t at = 0;

	while (at < agent->rate_order_count && !same_key(&agent->rate_orders[at], key))
		at++;
	return at;
}

/* Keeps the list of orders that clients without DOIC can only meet if this node takes a part of the rate for them. */
static void note_rate_order(struct oc_agent *agent, const struct oc_report_order *order, bool is_in_force)
{
	bool wanted =
		is_in_force && order->has_rate && !order->has_reduction && order->key.type != OC_REPORT_PEER;
	uint32_t at = find_rate_order(agent, &order->key);
	bool is_there = at < agent->rate_order_count;
	if (wanted && !is_there && agent->rate_order_count < OC_POLICY_ORDERS_MAX)
		agent->rate_orders[agent->rate_order_count++] = order->key;
	else if (!wanted && is_there)
		agent->rate_orders[at] = agent->rate_orders[--agent->rate_order_count];
}

static int order(struct oc_agent *agent, const struct oc_report_order *order, uint64_t now_ns)
{
	if (!may_report(agent, &order->key))
		return OC_EREFUSED;
	int rc = oc_reports_order(agent->reports, &agent->policy.reports, order, now_ns);
	if (rc != OC_OK)
		return rc;
	note_rate_order(agent, order, true);
	agent->has_any_app |= order->key.app_id == OC_APP_ANY && order->key.type != OC_REPORT_PEER;
	return OC_OK;
}

static int withdraw(struct oc_agent *agent, const struct oc_report_key *key, uint64_t now_ns)
{
	struct oc_report_order gone = { .key = *key };

	note_rate_order(agent, &gone, false);
	return oc_reports_withdraw(agent->reports, &agent->policy.reports, key, now_ns);
}

int oc_agent_order(struct oc_agent *agent, const struct oc_report_order *wanted, uint64_t now_ns)
{
	pthread_mutex_lock(&agent->lock);
	int rc = order(agent, wanted, now_ns);
	pthread_mutex_unlock(&agent->lock);
	return rc;
}

int oc_agent_withdraw(struct oc_agent *agent, const struct oc_report_key *key, uint64_t now_ns)
{
	pthread_mutex_lock(&agent->lock);
	int rc = withdraw(agent, key, now_ns);
	pthread_mutex_unlock(&agent->lock);
	return rc;
}

uint32_t oc_agent_orders(struct oc_agent *agent, struct oc_report_view *out, uint32_t max)
{
	pthread_mutex_lock(&agent->lock);
	uint32_t count = oc_reports_snapshot(agent->reports, out, max);
	pthread_mutex_unlock(&agent->lock);
	return count;
}

uint64_t oc_agent_next_sequence(struct oc_agent *agent)
{
	pthread_mutex_lock(&agent->lock);
	uint64_t sequence = oc_reports_next_sequence(agent->reports);
	pthread_mutex_unlock(&agent->lock);
	return sequence;
}

static struct oc_report_key key_from(struct oc_agent *agent, const struct oc_order_policy *o)
{
	struct oc_bytes text = { .data = (const uint8_t *)o->subject, .len = strlen(o->subject) };

	return (struct oc_report_key){ .app_id = o->app_id,
				       .subject = text.len ? oc_names_id(agent->names, text, NULL) : 0,
				       .type = o->type };
}

static bool is_among(const struct oc_order_policy *o, const struct oc_order_policy *list, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (list[i].type == o->type && list[i].app_id == o->app_id &&
		    strcmp(list[i].subject, o->subject) == 0)
			return true;
	return false;
}

void oc_agent_orders_from(struct oc_agent *agent, const struct oc_policy_orders *old, uint64_t now_ns)
{
	const struct oc_report_policy *policy = &agent->policy.reports;

	for (uint32_t i = 0; i < old->count; i++) {
		struct oc_report_key key = key_from(agent, &old->order[i]);
		if (!is_among(&old->order[i], policy->orders, policy->order_count))
			(void)withdraw(agent, &key, now_ns);
	}
	for (uint32_t i = 0; i < policy->order_count; i++) {
		const struct oc_order_policy *o = &policy->orders[i];
		struct oc_report_order wanted = { .key = key_from(agent, o),
						  .has_reduction = o->has_reduction,
						  .has_rate = o->has_rate,
						  .reduction_pct = o->reduction_pct,
						  .rate_rps = o->rate_rps,
						  .validity_s = o->validity_s };
		(void)order(agent, &wanted, now_ns);
	}
}

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

/* Whether what is held here for @key is a rate. */
static bool holds_rate(const struct oc_agent *agent, const struct oc_ocs_key *key)
{
	const struct oc_ocs_entry *entry = oc_ocs_get(agent->ocs, key);

	return entry && oc_ocs_record(agent->ocs, entry)->value.algorithm == OC_ALGO_RATE;
}

/* Whether @content is for those this node reacts for: under an order with a rate only this node's part of it, else the loss
 * report, and the end of the rate that was there before, which has no target. */
static bool is_mine(const struct oc_agent *agent, const struct oc_report_content *content,
		    const struct oc_ocs_key *key)
{
	bool is_rate_only = find_rate_order(agent, &content->key) != agent->rate_order_count;

	if (content->step == OC_REPORT_GONE || content->key.type == OC_REPORT_PEER)
		return false;
	if (content->target != 0)
		return content->target == agent->self || content->target == agent->self_realm;
	return !is_rate_only && (content->algorithm == OC_ALGO_LOSS || holds_rate(agent, key));
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
	if (is_mine(agent, content, &key))
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

	if (oc_reports_count(agent->reports) == 0)
		return false;
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
		if (same_key(&gate->key, key))
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
					 .realm = txn->origin_realm,
					 .peer = d->client_peer,
					 .algorithm = (uint8_t)*algorithm,
					 .peer_algorithm = (uint8_t)*peer_algorithm };
	const uint32_t subjects[] = { [OC_REPORT_HOST] = host, [OC_REPORT_REALM] = realm };
	for (uint8_t type = OC_REPORT_HOST; type <= OC_REPORT_REALM; type++) {
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
