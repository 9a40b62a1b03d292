/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Orders of reports of our own: which are allowed, put in force, withdrawn, by hand or by the policy document.
 */
#include "oc_agent_inner.h"

#include "oc_err.h"

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

/* One order or withdrawal on its way into force. */
struct ordering {
	const struct oc_order_origin *origin;
	uint64_t now_ns;
	struct oc_batch *batch;
};

static void copy_text(char out[static OC_ORDER_TEXT_MAX], const char *text)
{
	size_t len = text ? strlen(text) : 0;

	memcpy(out, text ? text : "", len < OC_ORDER_TEXT_MAX ? len : OC_ORDER_TEXT_MAX - 1);
}

static void tell_order(const struct ordering *o, const struct oc_report_order *order, bool is_withdrawal)
{
	struct oc_event_order *e = &oc_batch_add(o->batch, OC_EVENT_ORDER, o->now_ns)->u.order;

	e->until_ns = order->until_ns;
	e->app_id = order->key.app_id;
	e->subject = order->key.subject;
	e->reduction_pct = order->reduction_pct;
	e->rate_rps = order->rate_rps;
	e->validity_s = order->validity_s;
	e->actor = o->origin->actor;
	e->calculation = o->origin->calculation;
	e->type = order->key.type;
	e->has = (uint8_t)((order->has_reduction ? OC_ORDER_HAS_REDUCTION : 0) |
			   (order->has_rate ? OC_ORDER_HAS_RATE : 0));
	e->by = o->origin->by;
	e->is_withdrawal = is_withdrawal;
	copy_text(e->reason, o->origin->reason);
	copy_text(e->inputs, o->origin->inputs);
}

static int order(struct oc_agent *agent, const struct oc_report_order *order, const struct ordering *o)
{
	if (!may_report(agent, &order->key))
		return OC_EREFUSED;
	int rc = oc_reports_order(agent->reports, &agent->policy.reports, order, o->now_ns);
	if (rc != OC_OK)
		return rc;
	agent->has_any_app |= order->key.app_id == OC_APP_ANY && order->key.type != OC_REPORT_PEER;
	tell_order(o, order, false);
	return OC_OK;
}

static int withdraw(struct oc_agent *agent, const struct oc_report_key *key, const struct ordering *o)
{
	const struct oc_report_order order = { .key = *key };
	int rc = oc_reports_withdraw(agent->reports, &agent->policy.reports, key, o->now_ns);

	if (rc == OC_OK)
		tell_order(o, &order, true);
	return rc;
}

static const struct oc_order_origin by_hand = { .by = OC_BY_CONTROL };

/* @wanted is ordered, or its key withdrawn; what follows from that at once is done in the same step. */
static int change(struct oc_agent *agent, const struct oc_report_order *wanted, bool withdrawn,
		  const struct oc_order_origin *origin, uint64_t now_ns)
{
	struct oc_batch batch;
	struct ordering o = { .origin = origin ? origin : &by_hand, .batch = &batch };

	o.now_ns = oc_agent_enter(agent, &batch, now_ns);
	int rc = withdrawn ? withdraw(agent, &wanted->key, &o) : order(agent, wanted, &o);
	bool is_more = oc_agent_own_step(agent, o.now_ns, &batch);
	oc_agent_leave(agent, &batch);
	if (is_more)
		oc_agent_step_own(agent, now_ns);
	return rc;
}

int oc_agent_order(struct oc_agent *agent, const struct oc_report_order *order,
		   const struct oc_order_origin *origin, uint64_t now_ns)
{
	return change(agent, order, false, origin, now_ns);
}

int oc_agent_withdraw(struct oc_agent *agent, const struct oc_report_key *key,
		      const struct oc_order_origin *origin, uint64_t now_ns)
{
	const struct oc_report_order order = { .key = *key };

	return change(agent, &order, true, origin, now_ns);
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

/* Withdraws what the policy no longer lets this agent report, whoever ordered it (D-035, D-113). */
static void take_back(struct oc_agent *agent, const struct ordering *o)
{
	struct oc_report_view views[OC_REPORT_ORDERS_MAX];
	uint32_t count = oc_reports_snapshot(agent->reports, views, OC_REPORT_ORDERS_MAX);

	for (uint32_t i = 0; i < count && i < OC_REPORT_ORDERS_MAX; i++)
		if (!may_report(agent, &views[i].order.key))
			(void)withdraw(agent, &views[i].order.key, o);
}

void oc_agent_orders_from(struct oc_agent *agent, const struct oc_policy_orders *old, uint64_t now_ns,
			  struct oc_batch *batch)
{
	const struct oc_report_policy *policy = &agent->policy.reports;
	const struct oc_order_origin origin = { .by = OC_BY_POLICY, .actor = agent->policy.version };
	const struct ordering by_policy = { .origin = &origin, .now_ns = now_ns, .batch = batch };

	for (uint32_t i = 0; i < old->count; i++) {
		struct oc_report_key key = key_from(agent, &old->order[i]);
		if (!is_among(&old->order[i], policy->orders, policy->order_count))
			(void)withdraw(agent, &key, &by_policy);
	}
	take_back(agent, &by_policy);
	for (uint32_t i = 0; i < policy->order_count; i++) {
		const struct oc_order_policy *o = &policy->orders[i];
		struct oc_report_order wanted = { .key = key_from(agent, o),
						  .has_reduction = o->has_reduction,
						  .has_rate = o->has_rate,
						  .reduction_pct = o->reduction_pct,
						  .rate_rps = o->rate_rps,
						  .validity_s = o->validity_s };
		(void)order(agent, &wanted, &by_policy);
	}
}

bool oc_agent_is_left_out(const struct oc_agent *agent, const struct oc_msg *msg, const struct oc_txn *txn)
{
	bool is_realm_routed = msg->dest_host == OC_NAME_NONE;
	struct oc_report_key key = { .app_id = msg->app_id,
				     .subject = is_realm_routed ? msg->dest_realm : msg->dest_host,
				     .type = is_realm_routed ? OC_REPORT_REALM : OC_REPORT_HOST };

	if (oc_reports_count(agent->reports) == 0 || (txn->offered & (1u << OC_ALGO_RATE)))
		return false;
	if (oc_reports_is_rate_only(agent->reports, &key))
		return true;
	key.app_id = OC_APP_ANY;
	return oc_reports_is_rate_only(agent->reports, &key);
}
