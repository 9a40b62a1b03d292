/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The OCS table: chained hashing over a fixed array of entries.
 */
#include "oc_ocs.h"

#include <stdlib.h>
#include <string.h>

#define NS_PER_S 1000000000ull
#define NS_PER_MS 1000000ull
#define NONE UINT32_MAX

struct oc_ocs {
	struct oc_ocs_entry *entries;
	uint32_t *heads; /* power of two of them, at least twice the entries */
	uint32_t max;
	uint32_t mask;
	uint32_t free_head;
	uint32_t held;
	uint32_t active;
};

static uint32_t bucket_of(const struct oc_ocs *ocs, const struct oc_ocs_key *key)
{
	uint64_t x = ((uint64_t)key->app_id << 32) | key->subject;

	x = (x + key->type) * 0x9e3779b97f4a7c15ull;
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93ull;
	return (uint32_t)(x >> 32) & ocs->mask;
}

static bool same_key(const struct oc_ocs_key *a, const struct oc_ocs_key *b)
{
	return a->subject == b->subject && a->app_id == b->app_id && a->type == b->type;
}

struct oc_ocs *oc_ocs_new(uint32_t max)
{
	if (max == 0 || max > 1048576u)
		return NULL;
	struct oc_ocs *ocs = calloc(1, sizeof(*ocs));
	if (!ocs)
		return NULL;
	uint32_t buckets = 4;
	while (buckets < 2 * max)
		buckets *= 2;
	ocs->max = max;
	ocs->mask = buckets - 1;
	ocs->entries = calloc(max, sizeof(*ocs->entries));
	ocs->heads = malloc(buckets * sizeof(*ocs->heads));
	if (!ocs->entries || !ocs->heads) {
		oc_ocs_free(ocs);
		return NULL;
	}
	memset(ocs->heads, 0xff, buckets * sizeof(*ocs->heads));
	for (uint32_t i = 0; i < max; i++)
		ocs->entries[i].next = i + 1 < max ? i + 1 : NONE;
	return ocs;
}

void oc_ocs_free(struct oc_ocs *ocs)
{
	if (!ocs)
		return;
	free(ocs->entries);
	free(ocs->heads);
	free(ocs);
}

struct oc_ocs_entry *oc_ocs_get(struct oc_ocs *ocs, const struct oc_ocs_key *key)
{
	/* The two reserved numbers are no identities and match nothing. */
	if (key->subject <= OC_NAME_OVERFLOW)
		return NULL;
	for (uint32_t i = ocs->heads[bucket_of(ocs, key)]; i != NONE; i = ocs->entries[i].next)
		if (same_key(&ocs->entries[i].key, key))
			return &ocs->entries[i];
	return NULL;
}

struct oc_ocs_entry *oc_ocs_at(struct oc_ocs *ocs, uint32_t i)
{
	return i < ocs->max && ocs->entries[i].is_held ? &ocs->entries[i] : NULL;
}

uint32_t oc_ocs_max(const struct oc_ocs *ocs)
{
	return ocs->max;
}

uint32_t oc_ocs_held(const struct oc_ocs *ocs)
{
	return ocs->held;
}

uint32_t oc_ocs_active(const struct oc_ocs *ocs)
{
	return ocs->active;
}

static struct oc_ocs_entry *entry_take(struct oc_ocs *ocs, const struct oc_ocs_key *key)
{
	uint32_t i = ocs->free_head;

	if (i == NONE || key->subject <= OC_NAME_OVERFLOW)
		return NULL;
	struct oc_ocs_entry *entry = &ocs->entries[i];
	uint32_t *head = &ocs->heads[bucket_of(ocs, key)];
	ocs->free_head = entry->next;
	*entry = (struct oc_ocs_entry){ .key = *key, .next = *head, .is_held = true };
	*head = i;
	ocs->held++;
	return entry;
}

void oc_ocs_forget(struct oc_ocs *ocs, struct oc_ocs_entry *entry)
{
	uint32_t i = (uint32_t)(entry - ocs->entries);
	uint32_t *link = &ocs->heads[bucket_of(ocs, &entry->key)];

	while (*link != i)
		link = &ocs->entries[*link].next;
	*link = entry->next;
	*entry = (struct oc_ocs_entry){ .next = ocs->free_head };
	ocs->free_head = i;
	ocs->held--;
}

bool oc_ocs_settle(struct oc_ocs *ocs, struct oc_ocs_entry *entry, const struct oc_policy *policy,
		   uint64_t now_ns, enum oc_ocs_end *how, uint64_t *at_ns)
{
	for (;;) {
		uint8_t phase = entry->recover.phase;
		if (!oc_recover_step(&entry->recover, policy, now_ns, at_ns))
			break;
		if (phase == OC_PHASE_ACTIVE) {
			ocs->active--;
			*how = OC_END_EXPIRED;
			return true;
		}
		if (entry->recover.phase == OC_PHASE_OVER) {
			*how = OC_END_RECOVERED;
			return true;
		}
	}
	if (entry->recover.phase != OC_PHASE_OVER || now_ns < entry->forget_ns)
		return false;
	*how = OC_END_FORGOTTEN;
	*at_ns = entry->forget_ns;
	return true;
}

enum oc_intake oc_ocs_compare(struct oc_ocs *ocs, const struct oc_ocs_key *key,
			      const struct oc_olr_value *value, uint64_t now_ns, struct oc_ocs_entry **entry)
{
	*entry = oc_ocs_get(ocs, key);
	if (!*entry)
		return OC_INTAKE_NEW;
	/* Past forget_ns any number starts a new condition, even if the ramp still runs (D-070). */
	if ((*entry)->recover.phase != OC_PHASE_ACTIVE && now_ns >= (*entry)->forget_ns)
		return OC_INTAKE_NEW;
	if (oc_olr_is_newer((*entry)->value.sequence, value->sequence))
		return OC_INTAKE_UPDATED;
	return value->sequence == (*entry)->value.sequence ? OC_INTAKE_REPEATED : OC_INTAKE_STALE;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

struct oc_ocs_entry *oc_ocs_put(struct oc_ocs *ocs, struct oc_ocs_entry *old, const struct oc_ocs_key *key,
				const struct oc_olr_value *value, const struct oc_ocs_birth *birth)
{
	struct oc_ocs_entry *entry = old ? old : entry_take(ocs, key);
	uint64_t memory_ns = birth->policy->ended_memory_ms * NS_PER_MS;

	if (!entry)
		return NULL;
	uint32_t share_ppm = old ? oc_recover_share(&old->recover, birth->now_ns) : 0;
	if (old && old->recover.phase == OC_PHASE_ACTIVE)
		ocs->active--;
	struct oc_ocs_entry next = { .key = entry->key,
				     .next = entry->next,
				     .is_held = true,
				     .version = birth->version,
				     .value = *value,
				     .since_ns = birth->now_ns,
				     .expires_ns = birth->now_ns + value->validity_s * NS_PER_S };
	next.forget_ns = next.expires_ns + memory_ns;
	if (value->validity_s == 0) {
		next.nonzero_expires_ns = entry->nonzero_expires_ns;
		next.forget_ns = later(next.nonzero_expires_ns, next.forget_ns);
		oc_recover_end(&next.recover, share_ppm, birth->policy, birth->now_ns);
	} else {
		next.nonzero_expires_ns = next.expires_ns;
		oc_recover_begin(&next.recover, value->reduction_pct * (OC_PPM / 100), next.expires_ns);
		ocs->active++;
	}
	*entry = next;
	return entry;
}
