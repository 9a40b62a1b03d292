/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The loss part of an order: a percentage that rises at once and falls in steps (spec rows D-095, D-110, D-257).
 *
 * Steps are for the sake of those who hold a report. When nobody does, the new value, or the end, counts at once
 * (D-097).
 */
#include "oc_report_inner.h"

/* Whether nobody can hold the percentage told now. */
static bool is_unheld(const struct oc_report_part *part, uint64_t now_ns)
{
	return part->sent == part->sent_before || oc_report_is_forgotten(part, now_ns);
}

/* What to tell next on the way from the percentage told now to @goal. */
static uint32_t next_pct(struct oc_reports *reports, const struct oc_report_policy *policy,
			 const struct oc_report_part *part, uint32_t goal, uint64_t now_ns)
{
	uint32_t pct = part->content.reduction_pct;
	uint32_t step = policy->fall_step_pct;

	if (goal >= pct || step == 0 || is_unheld(part, now_ns))
		return goal;
	if (now_ns < part->may_fall_ns) {
		oc_report_due(reports, part->may_fall_ns);
		return pct;
	}
	return pct - goal > step ? pct - step : goal;
}

static void make_loss(struct oc_reports *reports, const struct oc_report_policy *policy,
		      struct oc_report_entry *entry, uint32_t pct, enum oc_report_step step, uint64_t now_ns)
{
	struct oc_report_part *part = &entry->loss;
	bool is_fall = part->phase == OC_REPORT_ACTIVE && pct < part->content.reduction_pct;

	if (is_fall)
		part->may_fall_ns = now_ns + policy->fall_interval_ms * OC_NS_PER_MS;
	if (step == OC_REPORT_BEGUN)
		part->sent_before = part->sent;
	part->phase = OC_REPORT_ACTIVE;
	part->content = (struct oc_report_content){ .key = entry->order.key,
						    .validity_s = oc_report_validity_s(entry, policy),
						    .reduction_pct = pct,
						    .algorithm = OC_ALGO_LOSS };
	oc_report_make(reports, &part->content, step, now_ns);
	if (is_fall)
		oc_report_due(reports, part->may_fall_ns);
	oc_report_due(reports, oc_report_renewal_ns(&part->content));
}

static void settle_active(struct oc_reports *reports, const struct oc_report_policy *policy,
			  struct oc_report_entry *entry, uint32_t goal, uint64_t now_ns)
{
	struct oc_report_content *content = &entry->loss.content;
	uint32_t pct = next_pct(reports, policy, &entry->loss, goal, now_ns);
	uint64_t renewal_ns = oc_report_renewal_ns(content);

	if (pct != content->reduction_pct || oc_report_validity_s(entry, policy) != content->validity_s)
		make_loss(reports, policy, entry, pct, OC_REPORT_CHANGED, now_ns);
	else if (content->sequence < entry->loss.floor || now_ns >= renewal_ns)
		make_loss(reports, policy, entry, pct, OC_REPORT_RENEWED, now_ns);
	else
		oc_report_due(reports, renewal_ns);
}

/* Down to nothing. Ended when the next step would leave nothing to reduce. */
static void settle_unwanted(struct oc_reports *reports, const struct oc_report_policy *policy,
			    struct oc_report_entry *entry, uint64_t now_ns)
{
	struct oc_report_part *part = &entry->loss;

	if (oc_report_is_forgotten(part, now_ns)) {
		oc_report_tell_gone(reports, &part->content, now_ns);
		part->phase = OC_REPORT_NONE;
	} else if (part->phase == OC_REPORT_OVER) {
		oc_report_due(reports, part->told_until_ns + 1);
	} else if (next_pct(reports, policy, part, 0, now_ns) == 0) {
		oc_report_end(reports, policy, entry, part, now_ns);
	} else {
		settle_active(reports, policy, entry, 0, now_ns);
	}
}

void oc_report_settle_loss(struct oc_reports *reports, const struct oc_report_policy *policy,
			   struct oc_report_entry *entry, uint64_t now_ns)
{
	bool is_wanted = entry->order.has_reduction && !entry->is_withdrawn;
	uint8_t phase = entry->loss.phase;

	if (is_wanted && phase == OC_REPORT_ACTIVE)
		settle_active(reports, policy, entry, entry->order.reduction_pct, now_ns);
	else if (is_wanted)
		make_loss(reports, policy, entry, entry->order.reduction_pct, OC_REPORT_BEGUN, now_ns);
	else if (phase != OC_REPORT_NONE)
		settle_unwanted(reports, policy, entry, now_ns);
}
