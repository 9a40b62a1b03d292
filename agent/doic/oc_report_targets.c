/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The rate split: who shares the total of a rate order, and what each is told (RFC 8582 sections 6.1, 6.3, 8.2; spec
 * rows ).
 *
 * A target is a reacting node in one application, since that is what reacting nodes keep states by. Each of n is
 * allotted floor(total / n), so what is allotted never sums above the total. Whoever comes or leaves changes all
 * of it; each target's content is made again before it is told the next time, and by oc_reports_step() at the latest.
 */
#include "oc_report_inner.h"

static uint16_t *bucket_of(struct oc_reports *reports, uint32_t i, uint32_t app_id, uint32_t target)
{
	uint64_t x = ((uint64_t)app_id << 32) | target;

	x = (x + i) * 0x9e3779b97f4a7c15ull;
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93ull;
	return &reports->buckets[(x >> 32) & (OC_REPORT_BUCKETS - 1)];
}

void oc_report_targets_init(struct oc_reports *reports)
{
	for (uint32_t b = 0; b < OC_REPORT_BUCKETS; b++)
		reports->buckets[b] = OC_REPORT_NO_TARGET;
	for (uint32_t t = 0; t < OC_REPORT_TARGETS_MAX; t++)
		reports->targets[t].next =
			t + 1 < OC_REPORT_TARGETS_MAX ? (uint16_t)(t + 1) : OC_REPORT_NO_TARGET;
}

struct oc_report_target *oc_report_target_get(struct oc_reports *reports, uint32_t i, uint32_t app_id,
					      uint32_t target)
{
	uint16_t at = *bucket_of(reports, i, app_id, target);

	while (at != OC_REPORT_NO_TARGET) {
		struct oc_report_target *entry = &reports->targets[at];
		if (entry->entry == i && entry->content.target == target &&
		    entry->content.key.app_id == app_id)
			return entry;
		at = entry->next;
	}
	return NULL;
}

static struct oc_report_target *target_add(struct oc_reports *reports, uint32_t i, uint32_t app_id,
					   uint32_t target)
{
	uint16_t at = reports->free_target;

	if (at == OC_REPORT_NO_TARGET)
		return NULL;
	uint16_t *bucket = bucket_of(reports, i, app_id, target);
	struct oc_report_target *added = &reports->targets[at];
	reports->free_target = added->next;
	*added = (struct oc_report_target){ .entry = (uint16_t)i, .next = *bucket, .is_used = true };
	added->content.key = reports->keys[i];
	added->content.key.app_id = app_id;
	added->content.target = target;
	added->content.algorithm = OC_ALGO_RATE;
	*bucket = at;
	reports->entries[i].targets++;
	return added;
}

static void target_remove(struct oc_reports *reports, struct oc_report_target *target)
{
	uint16_t at = (uint16_t)(target - reports->targets);
	uint16_t *link =
		bucket_of(reports, target->entry, target->content.key.app_id, target->content.target);

	while (*link != at)
		link = &reports->targets[*link].next;
	*link = target->next;
	reports->entries[target->entry].targets--;
	target->is_used = false;
	target->next = reports->free_target;
	reports->free_target = at;
}

static void make_rate(struct oc_reports *reports, const struct oc_report_policy *policy,
		      struct oc_report_target *target, enum oc_report_step step, uint64_t now_ns)
{
	struct oc_report_entry *entry = &reports->entries[target->entry];

	target->content.rate_rps = entry->order.rate_rps / entry->targets;
	target->content.validity_s = oc_report_validity_s(entry, policy);
	oc_report_make(reports, &target->content, step, now_ns);
	entry->rate.content = target->content;
	oc_report_due(reports, oc_report_renewal_ns(&target->content));
}

/* Makes the content of @target again when it is not what it should be. False: it should, but the queue is full. */
static bool refresh(struct oc_reports *reports, const struct oc_report_policy *policy,
		    struct oc_report_target *target, uint64_t now_ns)
{
	const struct oc_report_entry *entry = &reports->entries[target->entry];
	const struct oc_report_content *content = &target->content;
	uint64_t renewal_ns = oc_report_renewal_ns(content);
	bool is_changed = content->rate_rps != entry->order.rate_rps / entry->targets ||
			  content->validity_s != oc_report_validity_s(entry, policy);

	if (!is_changed && content->sequence >= entry->rate.floor && now_ns < renewal_ns) {
		oc_report_due(reports, renewal_ns);
		return true;
	}
	if (!oc_report_has_room(reports)) {
		oc_report_due(reports, now_ns);
		return false;
	}
	make_rate(reports, policy, target, is_changed ? OC_REPORT_CHANGED : OC_REPORT_RENEWED, now_ns);
	return true;
}

void oc_report_targets_leave(struct oc_reports *reports, const struct oc_report_policy *policy,
			     uint64_t now_ns)
{
	for (uint32_t t = 0; t < OC_REPORT_TARGETS_MAX; t++) {
		struct oc_report_target *target = &reports->targets[t];
		uint64_t idle_ns = target->heard_ns + policy->target_idle_ms * OC_NS_PER_MS;
		if (!target->is_used)
			continue;
		if (now_ns <= idle_ns) {
			oc_report_due(reports, idle_ns + 1);
		} else if (oc_report_has_room(reports)) {
			oc_report_tell_gone(reports, &target->content, now_ns);
			target_remove(reports, target);
		} else {
			oc_report_due(reports, now_ns);
		}
	}
}

void oc_report_targets_refresh(struct oc_reports *reports, const struct oc_report_policy *policy,
			       uint64_t now_ns)
{
	for (uint32_t t = 0; t < OC_REPORT_TARGETS_MAX; t++)
		if (reports->targets[t].is_used && !refresh(reports, policy, &reports->targets[t], now_ns))
			return;
}

void oc_report_targets_drop(struct oc_reports *reports, uint32_t i)
{
	for (uint32_t t = 0; t < OC_REPORT_TARGETS_MAX; t++)
		if (reports->targets[t].is_used && reports->targets[t].entry == i)
			target_remove(reports, &reports->targets[t]);
}

const struct oc_report_content *oc_report_target_content(struct oc_reports *reports,
							 const struct oc_report_policy *policy, uint32_t i,
							 uint32_t app_id, uint32_t target, uint64_t now_ns)
{
	struct oc_report_target *known = oc_report_target_get(reports, i, app_id, target);

	if (!known) {
		if (target <= OC_NAME_OVERFLOW || !oc_report_has_room(reports))
			return NULL;
		known = target_add(reports, i, app_id, target);
		if (!known)
			return NULL;
		make_rate(reports, policy, known, OC_REPORT_BEGUN, now_ns);
		oc_report_due(reports, now_ns); /* the others' shares are smaller now */
	} else if (!refresh(reports, policy, known, now_ns)) {
		return NULL;
	}
	known->heard_ns = now_ns;
	return &known->content;
}
