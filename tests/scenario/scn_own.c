/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Commands about what the agent says of itself: its reports, its load, its next life.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scn_command.h"

/* TYPE NAME, NAME "all" for a PEER report to every neighbour. */
static bool key_of(struct scn_world *w, const struct scn_words *words, struct oc_report_key *key)
{
	const char *app = scn_words_get(words, "app", 1);

	if (words->count < 3)
		return false;
	*key = (struct oc_report_key){ .type = (uint8_t)scn_type(words->word[1]), .app_id = w->app_id };
	if (strcmp(words->word[2], "all") != 0)
		key->subject = scn_name(w, words->word[2]);
	if (app)
		key->app_id = strcmp(app, "any") == 0 ? OC_APP_ANY : (uint32_t)strtoul(app, NULL, 0);
	return true;
}

static struct oc_order_policy *find(struct scn_world *w, const struct oc_report_key *key, const char *subject)
{
	struct oc_report_policy *r = &w->policy.reports;

	for (uint32_t i = 0; i < r->order_count; i++)
		if (r->orders[i].type == key->type && r->orders[i].app_id == key->app_id &&
		    strcmp(r->orders[i].subject, subject) == 0)
			return &r->orders[i];
	return NULL;
}

/* The same order as one of the policy document. */
static int order_by_policy(struct scn_world *w, const struct oc_report_order *order)
{
	struct oc_report_policy *r = &w->policy.reports;
	const char *subject = order->key.subject ? oc_names_text(w->names, order->key.subject) : "";
	struct oc_order_policy *o = find(w, &order->key, subject);

	if (!o && r->order_count == OC_POLICY_ORDERS_MAX)
		return -1;
	if (!o)
		o = &r->orders[r->order_count++];
	*o = (struct oc_order_policy){ .type = order->key.type,
				       .app_id = order->key.app_id,
				       .has_reduction = order->has_reduction,
				       .has_rate = order->has_rate,
				       .reduction_pct = order->reduction_pct,
				       .rate_rps = order->rate_rps,
				       .validity_s = order->validity_s };
	snprintf(o->subject, sizeof(o->subject), "%.120s", subject);
	scn_apply_policy(w);
	return 0;
}

int scn_run_order(struct scn_world *w, const struct scn_words *words)
{
	const char *until = scn_words_get(words, "for", 1);
	struct oc_report_order order = { .has_reduction = scn_words_get(words, "pct", 1) != NULL,
					 .has_rate = scn_words_get(words, "rate", 1) != NULL };

	if (!key_of(w, words, &order.key))
		return -1;
	scn_words_u32(words, "pct", &order.reduction_pct);
	scn_words_u32(words, "rate", &order.rate_rps);
	scn_words_u32(words, "validity", &order.validity_s);
	order.until_ns = until ? w->now_ns + scn_seconds_ns(until) : 0;
	if (scn_words_has(words, "by-policy"))
		return order_by_policy(w, &order);
	w->order_result = oc_agent_order(w->agent, &order, NULL, w->now_ns);
	oc_agent_tick(w->agent, w->now_ns);
	return 0;
}

int scn_run_withdraw(struct scn_world *w, const struct scn_words *words)
{
	struct oc_report_key key;
	struct oc_report_policy *r = &w->policy.reports;

	if (!key_of(w, words, &key))
		return -1;
	if (!scn_words_has(words, "by-policy")) {
		w->order_result = oc_agent_withdraw(w->agent, &key, NULL, w->now_ns);
		oc_agent_tick(w->agent, w->now_ns);
		return 0;
	}
	struct oc_order_policy *o = find(w, &key, key.subject ? oc_names_text(w->names, key.subject) : "");
	if (!o)
		return -1;
	*o = r->orders[--r->order_count];
	scn_apply_policy(w);
	return 0;
}

int scn_run_own_load(struct scn_world *w, const struct scn_words *words)
{
	if (words->count != 2)
		return -1;
	bool is_measured = strcmp(words->word[1], "measured") == 0;
	oc_agent_set_load(w->agent, is_measured ? UINT32_MAX : (uint32_t)strtoul(words->word[1], NULL, 0));
	return 0;
}

int scn_run_restart(struct scn_world *w, const struct scn_words *words)
{
	const char *first = scn_words_get(words, "first", 1);
	uint64_t next = oc_agent_next_sequence(w->agent);

	scn_restart(w, first && strcmp(first, "next") != 0 ? strtoull(first, NULL, 0) : next);
	return 0;
}
