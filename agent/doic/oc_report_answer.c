/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What an answer may carry: the order that counts for its receiver, its content, and the OC-OLR made from that.
 */
#include "oc_report_inner.h"

/* Who is asked for: the answer's application and subject, of a PEER report the neighbour. */
struct question {
	uint32_t app_id;
	uint32_t subject;
	uint8_t type;
};

static bool fits(const struct oc_report_key *key, const struct question *q)
{
	bool has_subject = key->subject == q->subject || key->subject == OC_NAME_NONE;

	return key->type == q->type && has_subject && (key->app_id == q->app_id || key->app_id == OC_APP_ANY);
}

/* Whether @part has something to tell at @now_ns. */
static bool is_told(const struct oc_report_part *part, uint64_t now_ns)
{
	if (part->phase == OC_REPORT_OVER)
		return !part->is_silent && now_ns <= part->told_until_ns;
	return part->phase == OC_REPORT_ACTIVE;
}

static const struct oc_report_part *part_of(const struct oc_report_entry *entry, uint8_t algorithm)
{
	return algorithm == OC_ALGO_RATE ? &entry->rate : &entry->loss;
}

/* An order for this application outranks one for all, then one for this neighbour one for every neighbour. */
static unsigned exactness(const struct oc_report_key *key)
{
	return (key->app_id != OC_APP_ANY ? 2u : 0u) + (key->subject != OC_NAME_NONE ? 1u : 0u);
}

/* What is in force goes before what has ended; of ends, the one with the highest number ends all the others too. */
static bool outranks(const struct oc_report_key *key, const struct oc_report_part *part,
		     const struct oc_report_key *best_key, const struct oc_report_part *best)
{
	if (part->phase != best->phase)
		return part->phase == OC_REPORT_ACTIVE;
	if (part->phase == OC_REPORT_OVER)
		return part->content.sequence > best->content.sequence;
	return exactness(key) > exactness(best_key);
}

/* Number of the order that counts, or OC_REPORT_ORDERS_MAX. */
static uint32_t find(const struct oc_reports *reports, const struct question *q, uint8_t algorithm,
		     uint64_t now_ns)
{
	uint32_t best = OC_REPORT_ORDERS_MAX;
	const struct oc_report_part *best_part = NULL;

	for (uint32_t i = 0; i < reports->span; i++) {
		if (!fits(&reports->keys[i], q))
			continue;
		const struct oc_report_part *part = part_of(&reports->entries[i], algorithm);
		if (!is_told(part, now_ns))
			continue;
		if (best_part && !outranks(&reports->keys[i], part, &reports->keys[best], best_part))
			continue;
		best = i;
		best_part = part;
	}
	return best;
}

static uint32_t target_of(uint8_t type, const struct oc_report_receiver *to)
{
	if (type == OC_REPORT_PEER)
		return to->peer;
	return type == OC_REPORT_REALM ? to->realm : to->host;
}

/* Remote state lasts from now on, transit ignored (D-107). */
static void count_sent(struct oc_report_part *part, const struct oc_report_content *content, uint64_t now_ns)
{
	uint64_t until_ns = now_ns + content->validity_s * OC_NS_PER_S;

	part->sent++;
	if (until_ns > part->told_until_ns)
		part->told_until_ns = until_ns;
}

bool oc_reports_content(struct oc_reports *reports, const struct oc_report_policy *policy, uint8_t type,
			uint32_t subject, const struct oc_report_receiver *to, uint64_t now_ns,
			struct oc_report_content *out)
{
	struct question q = { to->app_id, type == OC_REPORT_PEER ? to->peer : subject, type };
	uint8_t algorithm = type == OC_REPORT_PEER ? to->peer_algorithm : to->algorithm;

	if (algorithm != OC_ALGO_LOSS && algorithm != OC_ALGO_RATE)
		return false;
	uint32_t i = find(reports, &q, algorithm, now_ns);
	if (i == OC_REPORT_ORDERS_MAX)
		return false;
	struct oc_report_entry *entry = &reports->entries[i];
	struct oc_report_part *part = algorithm == OC_ALGO_RATE ? &entry->rate : &entry->loss;
	const struct oc_report_content *content = &part->content;
	if (algorithm == OC_ALGO_RATE && part->phase == OC_REPORT_ACTIVE)
		content =
			oc_report_target_content(reports, policy, i, to->app_id, target_of(type, to), now_ns);
	if (!content)
		return false;
	count_sent(part, content, now_ns);
	*out = *content;
	return true;
}

/* Whether @claim is about order @i; *@target is what this node is called there. */
static bool is_claimed(const struct oc_reports *reports, uint32_t i, const struct oc_report_claim *claim,
		       uint32_t *target)
{
	const struct oc_report_entry *entry = &reports->entries[i];
	const struct oc_report_key *key = &reports->keys[i];
	bool is_wanted = key->type == OC_REPORT_PEER ? claim->for_neighbours : claim->for_clients;

	*target = key->type == OC_REPORT_REALM ? claim->realm : claim->host;
	return is_wanted && !oc_report_is_free(reports, i) && !entry->order.has_reduction &&
	       entry->rate.phase == OC_REPORT_ACTIVE;
}

void oc_reports_claim(struct oc_reports *reports, const struct oc_report_policy *policy,
		      const struct oc_report_claim *claim, uint64_t now_ns)
{
	uint32_t target;

	for (uint32_t i = 0; i < reports->span; i++) {
		uint32_t app_id = reports->keys[i].app_id;
		if (!is_claimed(reports, i, claim, &target) ||
		    oc_report_target_get(reports, i, app_id, target))
			continue;
		const struct oc_report_content *content =
			oc_report_target_content(reports, policy, i, app_id, target, now_ns);
		if (content)
			count_sent(&reports->entries[i].rate, content, now_ns);
	}
}

void oc_reports_keep(struct oc_reports *reports, const struct oc_report_claim *claim, uint64_t now_ns)
{
	uint32_t target;

	for (uint32_t i = 0; i < reports->span; i++) {
		if (!is_claimed(reports, i, claim, &target))
			continue;
		struct oc_report_target *known =
			oc_report_target_get(reports, i, reports->keys[i].app_id, target);
		if (!known)
			continue;
		known->heard_ns = now_ns;
		count_sent(&reports->entries[i].rate, &known->content, now_ns);
	}
}

bool oc_reports_is_rate_only(const struct oc_reports *reports, const struct oc_report_key *key)
{
	for (uint32_t i = 0; i < reports->span; i++) {
		const struct oc_report_key *k = &reports->keys[i];
		const struct oc_report_entry *entry = &reports->entries[i];
		if (oc_report_same_key(k, key))
			return !entry->order.has_reduction && entry->rate.phase == OC_REPORT_ACTIVE;
	}
	return false;
}

uint64_t oc_reports_algorithms(const struct oc_reports *reports, uint8_t type, uint32_t app_id,
			       uint32_t subject)
{
	struct question q = { app_id, subject, type };
	uint64_t in_force = 0;
	uint64_t ended = 0;

	for (uint32_t i = 0; i < reports->span; i++) {
		if (!fits(&reports->keys[i], &q))
			continue;
		const struct oc_report_entry *entry = &reports->entries[i];
		if (is_told(&entry->loss, 0))
			*(entry->loss.phase == OC_REPORT_ACTIVE ? &in_force : &ended) |= OC_FV_LOSS;
		if (is_told(&entry->rate, 0))
			*(entry->rate.phase == OC_REPORT_ACTIVE ? &in_force : &ended) |= OC_FV_RATE;
	}
	return in_force ? in_force : ended;
}

bool oc_reports_peek(const struct oc_reports *reports, uint8_t type, uint32_t app_id, uint32_t subject,
		     struct oc_report_content *out)
{
	struct question q = { app_id, subject, type };
	unsigned best = 0;

	for (uint32_t i = 0; i < reports->span; i++) {
		const struct oc_report_key *key = &reports->keys[i];
		const struct oc_report_part *part = &reports->entries[i].loss;
		if (!fits(key, &q) || part->phase != OC_REPORT_ACTIVE)
			continue;
		unsigned fit = 1u + (key->app_id == app_id ? 2u : 0u) + (key->subject == subject ? 1u : 0u);
		if (fit <= best)
			continue;
		best = fit;
		*out = part->content;
	}
	return best != 0;
}

bool oc_reports_has(const struct oc_reports *reports, uint8_t type, uint32_t app_id, uint32_t subject)
{
	return oc_reports_algorithms(reports, type, app_id, subject) != 0;
}

static uint64_t higher(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static struct oc_report_view view_of(const struct oc_report_entry *entry)
{
	const struct oc_report_part *loss = &entry->loss;
	const struct oc_report_part *rate = &entry->rate;
	bool is_active = loss->phase == OC_REPORT_ACTIVE || rate->phase == OC_REPORT_ACTIVE;

	return (struct oc_report_view){
		.order = entry->order,
		.sequence = higher(loss->content.sequence, rate->content.sequence),
		.told_until_ns = higher(loss->told_until_ns, rate->told_until_ns),
		.sent = loss->sent + rate->sent,
		.reduction_pct = loss->phase == OC_REPORT_ACTIVE ? loss->content.reduction_pct : 0,
		.rate_each_rps = entry->targets ? entry->order.rate_rps / entry->targets : 0,
		.targets = entry->targets,
		.is_withdrawn = entry->is_withdrawn,
		.is_ended = entry->is_withdrawn && !is_active
	};
}

uint32_t oc_reports_snapshot(const struct oc_reports *reports, struct oc_report_view *out, uint32_t max)
{
	uint32_t copied = 0;

	for (uint32_t i = 0; i < reports->span && copied < max; i++)
		if (!oc_report_is_free(reports, i))
			out[copied++] = view_of(&reports->entries[i]);
	return reports->count;
}

void oc_report_olr(const struct oc_report_content *content, struct oc_olr *olr)
{
	bool is_rate = content->algorithm == OC_ALGO_RATE;

	*olr = (struct oc_olr){ .sequence = content->sequence,
				.type = content->key.type,
				.validity_s = content->validity_s,
				.has = OC_OLR_HAS_SEQUENCE | OC_OLR_HAS_TYPE | OC_OLR_HAS_VALIDITY };
	if (is_rate)
		olr->rate_rps = content->rate_rps;
	else
		olr->reduction_pct = content->reduction_pct;
	olr->has |= is_rate ? OC_OLR_HAS_RATE : OC_OLR_HAS_REDUCTION;
	if (content->key.type == OC_REPORT_PEER)
		olr->has |= OC_OLR_HAS_SOURCE;
}
