/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Orders: given, changed, withdrawn, and what time makes of them; the one row of numbers.
 */
#include "../oc_err.h"
#include "oc_report_inner.h"

#include <stdlib.h>

#define LOOK_AGAIN_NS OC_NS_PER_S /* however little is due: the policy may have been replaced */
#define VALIDITY_MAX_S 86400u

struct oc_reports *oc_reports_new(uint64_t first_sequence)
{
	struct oc_reports *reports = calloc(1, sizeof(*reports));

	if (!reports)
		return NULL;
	reports->sequence = first_sequence;
	for (uint32_t i = 0; i < OC_REPORT_ORDERS_MAX; i++)
		reports->keys[i].type = OC_REPORT_COUNT;
	oc_report_targets_init(reports);
	return reports;
}

void oc_reports_free(struct oc_reports *reports)
{
	free(reports);
}

uint32_t oc_reports_count(const struct oc_reports *reports)
{
	return reports->count;
}

uint64_t oc_reports_next_sequence(const struct oc_reports *reports)
{
	return reports->sequence;
}

uint64_t oc_reports_take_number(struct oc_reports *reports)
{
	return reports->sequence++;
}

static void queue_put(struct oc_reports *reports, const struct oc_report_content *content)
{
	uint32_t at = (reports->queue_head + reports->queue_len++) & (OC_REPORT_QUEUE - 1);

	reports->queue[at] = *content;
}

static bool queue_take(struct oc_reports *reports, struct oc_report_content *out)
{
	if (reports->queue_len == 0)
		return false;
	*out = reports->queue[reports->queue_head];
	reports->queue_head = (reports->queue_head + 1) & (OC_REPORT_QUEUE - 1);
	reports->queue_len--;
	return true;
}

void oc_report_make(struct oc_reports *reports, struct oc_report_content *content, enum oc_report_step step,
		    uint64_t now_ns)
{
	content->sequence = reports->sequence++;
	content->made_ns = now_ns;
	content->step = (uint8_t)step;
	queue_put(reports, content);
}

void oc_report_tell_gone(struct oc_reports *reports, const struct oc_report_content *content, uint64_t now_ns)
{
	struct oc_report_content gone = *content;

	gone.made_ns = now_ns;
	gone.step = OC_REPORT_GONE;
	queue_put(reports, &gone);
}

void oc_report_tell_note(struct oc_reports *reports, const struct oc_report_content *content,
			 enum oc_report_step step, uint64_t now_ns)
{
	struct oc_report_content note = *content;

	note.made_ns = now_ns;
	note.step = (uint8_t)step;
	note.validity_s = 0;
	note.is_note = 1;
	queue_put(reports, &note);
}

/* Whether an answer may be one for both orders. */
static bool keys_overlap(const struct oc_report_key *a, const struct oc_report_key *b)
{
	bool has_app = a->app_id == b->app_id || a->app_id == OC_APP_ANY || b->app_id == OC_APP_ANY;
	bool has_subject =
		a->subject == b->subject || a->subject == OC_NAME_NONE || b->subject == OC_NAME_NONE;

	return a->type == b->type && has_app && has_subject;
}

/* Receivers that were told an end, or hold something newer, ignore what other orders and the other algorithm told before:
 * these contents need higher numbers (D-092). */
static void raise_floors(struct oc_reports *reports, const struct oc_report_key *key, uint64_t now_ns)
{
	for (uint32_t i = 0; i < reports->span; i++) {
		if (!keys_overlap(&reports->keys[i], key))
			continue;
		reports->entries[i].loss.floor = reports->sequence;
		reports->entries[i].rate.floor = reports->sequence;
		oc_report_due(reports, now_ns);
	}
}

void oc_report_end(struct oc_reports *reports, const struct oc_report_policy *policy,
		   struct oc_report_entry *entry, struct oc_report_part *part, uint64_t now_ns)
{
	bool is_rate = part == &entry->rate;

	part->phase = OC_REPORT_OVER;
	part->is_silent = !policy->is_end_explicit;
	if (part->is_silent) {
		oc_report_tell_note(reports, &part->content, OC_REPORT_ENDED, now_ns);
	} else {
		part->content =
			(struct oc_report_content){ .key = entry->order.key,
						    .rate_rps = is_rate ? entry->order.rate_rps : 0,
						    .algorithm = is_rate ? OC_ALGO_RATE : OC_ALGO_LOSS };
		oc_report_make(reports, &part->content, OC_REPORT_ENDED, now_ns);
	}
	raise_floors(reports, &entry->order.key, now_ns);
	oc_report_due(reports, part->told_until_ns + 1);
}

/* Nobody got a part of the rate. */
static void drop_untold(struct oc_reports *reports, struct oc_report_entry *entry, uint64_t now_ns)
{
	const struct oc_report_content none = { .key = entry->order.key,
						.rate_rps = entry->order.rate_rps,
						.algorithm = OC_ALGO_RATE };

	entry->rate.phase = OC_REPORT_NONE;
	oc_report_tell_note(reports, &none, OC_REPORT_GONE, now_ns);
}

/* A rate ends without steps: each share is a bound, not a reduction, and receivers return slowly by themselves. */
static void settle_rate(struct oc_reports *reports, const struct oc_report_policy *policy, uint32_t i,
			uint64_t now_ns)
{
	struct oc_report_entry *entry = &reports->entries[i];
	struct oc_report_part *part = &entry->rate;

	if (entry->order.has_rate && !entry->is_withdrawn) {
		part->phase = OC_REPORT_ACTIVE;
	} else if (part->phase == OC_REPORT_ACTIVE) {
		oc_report_targets_drop(reports, i);
		if (part->sent == 0)
			drop_untold(reports, entry, now_ns);
		else
			oc_report_end(reports, policy, entry, part, now_ns);
	} else if (part->phase == OC_REPORT_OVER) {
		if (!oc_report_is_forgotten(part, now_ns)) {
			oc_report_due(reports, part->told_until_ns + 1);
			return;
		}
		oc_report_tell_gone(reports, &part->content, now_ns);
		part->phase = OC_REPORT_NONE;
	}
}

static void entry_remove(struct oc_reports *reports, uint32_t i)
{
	reports->keys[i] = (struct oc_report_key){ .type = OC_REPORT_COUNT };
	reports->count--;
	while (reports->span > 0 && oc_report_is_free(reports, reports->span - 1))
		reports->span--;
}

static void settle_entry(struct oc_reports *reports, const struct oc_report_policy *policy, uint32_t i,
			 uint64_t now_ns)
{
	struct oc_report_entry *entry = &reports->entries[i];

	if (entry->order.until_ns != 0 && now_ns >= entry->order.until_ns)
		entry->is_withdrawn = true;
	else if (entry->order.until_ns != 0)
		oc_report_due(reports, entry->order.until_ns);
	if (oc_report_has_room(reports))
		oc_report_settle_loss(reports, policy, entry, now_ns);
	if (oc_report_has_room(reports))
		settle_rate(reports, policy, i, now_ns);
	else
		oc_report_due(reports, now_ns);
	if (entry->is_withdrawn && entry->loss.phase == OC_REPORT_NONE && entry->rate.phase == OC_REPORT_NONE)
		entry_remove(reports, i);
}

static void settle_once(struct oc_reports *reports, const struct oc_report_policy *policy, uint64_t now_ns)
{
	reports->due_ns = now_ns + LOOK_AGAIN_NS;
	oc_report_targets_leave(reports, policy, now_ns);
	for (uint32_t i = 0; i < OC_REPORT_ORDERS_MAX; i++)
		if (!oc_report_is_free(reports, i))
			settle_entry(reports, policy, i, now_ns);
	oc_report_targets_refresh(reports, policy, now_ns);
}

/* An end may make the contents of other orders due in the same moment. */
void oc_report_settle(struct oc_reports *reports, const struct oc_report_policy *policy, uint64_t now_ns)
{
	do
		settle_once(reports, policy, now_ns);
	while (reports->due_ns <= now_ns && oc_report_has_room(reports));
}

bool oc_reports_step(struct oc_reports *reports, const struct oc_report_policy *policy, uint64_t now_ns,
		     struct oc_report_content *out)
{
	if (reports->queue_len == 0 && reports->count != 0 && now_ns >= reports->due_ns)
		oc_report_settle(reports, policy, now_ns);
	return queue_take(reports, out);
}

/* Number of the order of @key, or OC_REPORT_ORDERS_MAX. */
static uint32_t find_key(const struct oc_reports *reports, const struct oc_report_key *key)
{
	for (uint32_t i = 0; i < reports->span && key->type < OC_REPORT_COUNT; i++) {
		const struct oc_report_key *k = &reports->keys[i];
		if (k->type == key->type && k->app_id == key->app_id && k->subject == key->subject)
			return i;
	}
	return OC_REPORT_ORDERS_MAX;
}

static uint32_t find_free(const struct oc_reports *reports)
{
	uint32_t i = 0;

	while (i < OC_REPORT_ORDERS_MAX && !oc_report_is_free(reports, i))
		i++;
	return i;
}

static bool order_is_valid(const struct oc_report_order *order)
{
	bool is_for_all = order->key.type == OC_REPORT_PEER && order->key.subject == OC_NAME_NONE;

	if (order->key.type >= OC_REPORT_COUNT || (order->key.subject <= OC_NAME_OVERFLOW && !is_for_all))
		return false;
	if (order->has_reduction && order->reduction_pct > 100)
		return false;
	return (order->has_reduction || order->has_rate) && order->validity_s <= VALIDITY_MAX_S;
}

int oc_reports_order(struct oc_reports *reports, const struct oc_report_policy *policy,
		     const struct oc_report_order *order, uint64_t now_ns)
{
	if (!order_is_valid(order))
		return OC_EINVAL;
	uint32_t i = find_key(reports, &order->key);
	if (i == OC_REPORT_ORDERS_MAX) {
		i = find_free(reports);
		if (i == OC_REPORT_ORDERS_MAX)
			return OC_ENOSPC;
		reports->keys[i] = order->key;
		reports->entries[i] = (struct oc_report_entry){ 0 };
		reports->count++;
		if (i >= reports->span)
			reports->span = i + 1;
	}
	reports->entries[i].order = *order;
	reports->entries[i].is_withdrawn = false;
	oc_report_settle(reports, policy, now_ns);
	return OC_OK;
}

int oc_reports_withdraw(struct oc_reports *reports, const struct oc_report_policy *policy,
			const struct oc_report_key *key, uint64_t now_ns)
{
	uint32_t i = find_key(reports, key);

	if (i == OC_REPORT_ORDERS_MAX || reports->entries[i].is_withdrawn)
		return OC_ENOENT;
	reports->entries[i].is_withdrawn = true;
	oc_report_settle(reports, policy, now_ns);
	return OC_OK;
}
