/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Our own overload, applied to those it cannot be told: neighbours without peer reports, or without the algorithm we ask by.
 */
#include "oc_agent_inner.h"

#define NS_PER_MS 1000000ull

/* There are as many gates as orders: those of orders that are gone give way in their turn. */
static struct oc_gate *gate_of(struct oc_agent *agent, const struct oc_report_key *key)
{
	uint32_t i = 0;

	while (i < OC_GATES_MAX && agent->gates[i].is_used && !oc_report_same_key(&agent->gates[i].key, key))
		i++;
	if (i == OC_GATES_MAX)
		i = agent->next_gate++ % OC_GATES_MAX;
	else if (agent->gates[i].is_used)
		return &agent->gates[i];
	agent->gates[i] = (struct oc_gate){ .key = *key, .is_used = true };
	return &agent->gates[i];
}

void oc_agent_gate_follow(struct oc_agent *agent, const struct oc_report_content *content, uint64_t now_ns)
{
	bool is_end = content->step == OC_REPORT_ENDED || content->step == OC_REPORT_GONE;

	if (content->key.type != OC_REPORT_PEER || content->algorithm != OC_ALGO_RATE ||
	    (is_end ? content->target != 0 && content->target != agent->self
		    : content->target != agent->self))
		return;
	struct oc_gate *gate = gate_of(agent, &content->key);
	if (!is_end && gate->has_rate)
		oc_rate_change(&gate->rate, &agent->policy.rate, content->rate_rps, now_ns);
	else if (!is_end)
		oc_rate_activate(&gate->rate, &agent->policy.rate, content->rate_rps, now_ns,
				 (uint32_t)(content->sequence * 0x9e3779b9u));
	gate->has_rate = !is_end;
}

/* The gate of the rate in force that is nearest to requests of @app_id from the neighbour @peer, or NULL. */
static struct oc_gate *rate_gate(struct oc_agent *agent, uint32_t app_id, uint32_t peer)
{
	struct oc_gate *best = NULL;
	unsigned best_fit = 0;

	for (uint32_t i = 0; i < OC_GATES_MAX && agent->gates[i].is_used; i++) {
		struct oc_gate *gate = &agent->gates[i];
		const struct oc_report_key *key = &gate->key;
		unsigned fit = 1u + (key->app_id == app_id ? 2u : 0u) + (key->subject == peer ? 1u : 0u);
		if (!gate->has_rate || (key->app_id != app_id && key->app_id != OC_APP_ANY) ||
		    (key->subject != peer && key->subject != OC_NAME_NONE) || fit <= best_fit)
			continue;
		best = gate;
		best_fit = fit;
	}
	return best;
}

/* Whether the order's sampler, or its bucket, takes this request. */
static bool takes(struct oc_agent *agent, const struct oc_msg *msg, uint64_t now_ns, struct oc_txn *txn)
{
	const uint16_t hears = OC_TXN_PEER_DOWN | OC_TXN_RECEIVES;
	const struct oc_decision *d = &txn->decision;
	bool is_told = (txn->state & hears) == hears;
	uint32_t chance = (uint32_t)(((uint64_t)(uint32_t)d->random * 0xd6e8feb86659fd93ull) >> 32);
	struct oc_report_content content;
	struct oc_gate *gate;

	if (oc_reports_peek(agent->reports, OC_REPORT_PEER, msg->app_id, d->client_peer, &content)) {
		if (is_told || content.validity_s == 0 || content.reduction_pct == 0)
			return false;
		gate = gate_of(agent, &content.key);
		uint32_t share = oc_debt_take(&gate->debt, content.reduction_pct * (OC_PPM / 100), txn->rank,
					      agent->policy.priorities.slack);
		txn->state |= OC_TXN_USED_LOW;
		return oc_loss_draw_exact(&gate->loss, share, chance);
	}
	if (is_told && (txn->offered & (1u << OC_ALGO_RATE)))
		return false;
	gate = rate_gate(agent, msg->app_id, d->client_peer);
	if (!gate)
		return false;
	txn->state |= OC_TXN_USED_LOW;
	return !oc_rate_admit(&gate->rate, &agent->policy.rate, d->klass, now_ns, chance);
}

bool oc_agent_is_idle(const struct oc_agent *agent, uint64_t heard_ns, uint64_t now_ns)
{
	return heard_ns == 0 || now_ns - heard_ns >= agent->policy.reports.target_idle_ms * NS_PER_MS;
}

bool oc_agent_gate_note(struct oc_agent *agent, uint64_t now_ns, const struct oc_txn *txn)
{
	const uint16_t hears = OC_TXN_PEER_DOWN | OC_TXN_RECEIVES;
	bool knows_rate = (txn->offered & (1u << OC_ALGO_RATE)) != 0;
	bool has_news = false;

	if ((txn->decision.flags & OC_DEC_REACTING_FOR) || !knows_rate) {
		has_news = oc_agent_is_idle(agent, agent->plain_ns, now_ns);
		agent->plain_ns = now_ns;
	}
	if ((txn->state & hears) != hears || !knows_rate) {
		has_news |= oc_agent_is_idle(agent, agent->untold_ns, now_ns);
		agent->untold_ns = now_ns;
	}
	return has_news;
}

bool oc_agent_gate_refuses(struct oc_agent *agent, const struct oc_msg *msg, uint64_t now_ns,
			   struct oc_txn *txn)
{
	struct oc_decision *d = &txn->decision;

	if (oc_reports_count(agent->reports) == 0 || msg->app_id == 0 || !takes(agent, msg, now_ns, txn))
		return false;
	d->why = OC_WHY_OWN;
	if (oc_agent_observes(agent, agent->self)) {
		d->flags |= OC_DEC_OBSERVED;
		return true;
	}
	/* Another agent may reach the realm; a request for one host is less likely to be helped (D-160 to D-163). */
	d->verdict = OC_REFUSE;
	d->result_code = msg->dest_host == OC_NAME_NONE ? OC_RC_TOO_BUSY : OC_RC_UNABLE_TO_COMPLY;
	return true;
}
