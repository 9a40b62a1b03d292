/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The OCS table: open addressing over small slots, each an entry's number and a tag of its key.
 *
 * The tag keeps lookups from touching entries of other keys: an absent key costs no entry at all, a present one
 * its own (but for one in 4096).
 */
#include "oc_ocs.h"

#include <stdlib.h>
#include <string.h>

#define NS_PER_S 1000000000ull
#define NS_PER_MS 1000000ull

#define INDEX_BITS 20u /* of a slot; the upper bits are the tag */
#define INDEX_MASK ((1u << INDEX_BITS) - 1)
#define ENTRIES_MAX (INDEX_MASK - 1) /* so that no slot in use equals FREE */
#define FREE UINT32_MAX
struct oc_ocs {
	struct oc_ocs_entry *entries;
	uint32_t *slots; /* power of two of them, never more than two thirds in use */
	struct oc_ocs_record *records;
	uint32_t max;
	uint32_t mask;
	uint32_t free_head;
	uint32_t span; /* positions from here on were never taken since the table was last empty */
	uint32_t held;
	uint32_t active;
	uint32_t with_origin;
	uint32_t of_type[OC_REPORT_COUNT];
	struct oc_specifics specifics;
};
/* The two small parts of a key as the one word they are. */
static uint32_t origin_and_type(const struct oc_ocs_key *key)
{
	return ((uint32_t)key->type << 24) | key->origin;
}

static uint64_t hash_of(const struct oc_ocs_key *key)
{
	uint64_t x = ((uint64_t)key->app_id << 32) | key->subject;

	x = (x + ((uint64_t)origin_and_type(key) << 20)) * 0x9e3779b97f4a7c15ull;
	x ^= x >> 32;
	return x * 0xd6e8feb86659fd93ull;
}

static uint32_t home_of(const struct oc_ocs *ocs, uint64_t hash)
{
	return (uint32_t)(hash >> 32) & ocs->mask;
}

static uint32_t tag_of(uint64_t hash)
{
	return (uint32_t)hash & ~INDEX_MASK;
}

static bool same_key(const struct oc_ocs_key *a, const struct oc_ocs_key *b)
{
	return a->subject == b->subject && a->app_id == b->app_id && origin_and_type(a) == origin_and_type(b);
}

/* A free entry keeps the place of the next free one in its key. */
static struct oc_ocs_entry free_before(uint32_t next)
{
	return (struct oc_ocs_entry){ .key.subject = next };
}

struct oc_ocs *oc_ocs_new(uint32_t max)
{
	if (max == 0 || max > ENTRIES_MAX)
		return NULL;
	struct oc_ocs *ocs = calloc(1, sizeof(*ocs));
	if (!ocs)
		return NULL;
	uint32_t slots = 4;
	while (slots < max + max / 2)
		slots *= 2;
	ocs->max = max;
	ocs->mask = slots - 1;
	ocs->entries = aligned_alloc(64, max * sizeof(*ocs->entries));
	ocs->records = calloc(max, sizeof(*ocs->records));
	ocs->slots = malloc(slots * sizeof(*ocs->slots));
	if (!ocs->entries || !ocs->slots || !ocs->records) {
		oc_ocs_free(ocs);
		return NULL;
	}
	memset(ocs->slots, 0xff, slots * sizeof(*ocs->slots));
	for (uint32_t i = 0; i < max; i++)
		ocs->entries[i] = free_before(i + 1 < max ? i + 1 : FREE);
	return ocs;
}

void oc_ocs_free(struct oc_ocs *ocs)
{
	if (!ocs)
		return;
	free(ocs->entries);
	free(ocs->records);
	free(ocs->slots);
	free(ocs);
}

/* Slot that holds @key, or the free one where the search ended. */
static inline uint32_t find_slot(const struct oc_ocs *ocs, const struct oc_ocs_key *key)
{
	uint64_t hash = hash_of(key);
	uint32_t tag = tag_of(hash);
	uint32_t at = home_of(ocs, hash);

	for (;; at = (at + 1) & ocs->mask) {
		uint32_t slot = ocs->slots[at];
		if (slot == FREE)
			return at;
		if ((slot & ~INDEX_MASK) == tag && same_key(&ocs->entries[slot & INDEX_MASK].key, key))
			return at;
	}
}

struct oc_ocs_entry *oc_ocs_get(struct oc_ocs *ocs, const struct oc_ocs_key *key)
{
	/* Without overload nothing is held at all. */
	if (ocs->held == 0)
		return NULL;
	uint32_t slot = ocs->slots[find_slot(ocs, key)];
	return slot == FREE ? NULL : &ocs->entries[slot & INDEX_MASK];
}

struct oc_ocs_record *oc_ocs_record(struct oc_ocs *ocs, const struct oc_ocs_entry *entry)
{
	return &ocs->records[entry - ocs->entries];
}

struct oc_ocs_entry *oc_ocs_at(struct oc_ocs *ocs, uint32_t i)
{
	return i < ocs->max && ocs->entries[i].version != 0 ? &ocs->entries[i] : NULL;
}

uint32_t oc_ocs_span(const struct oc_ocs *ocs)
{
	return ocs->span;
}

uint32_t oc_ocs_held(const struct oc_ocs *ocs)
{
	return ocs->held;
}

uint32_t oc_ocs_active(const struct oc_ocs *ocs)
{
	return ocs->active;
}

uint32_t oc_ocs_with_origin(const struct oc_ocs *ocs)
{
	return ocs->with_origin;
}

uint32_t oc_ocs_of_type(const struct oc_ocs *ocs, uint8_t type)
{
	return type < OC_REPORT_COUNT ? ocs->of_type[type] : 0;
}

/* The two reserved numbers are no identities and match nothing, so nothing is held for them. */
static bool is_usable(const struct oc_ocs_key *key)
{
	return key->subject > OC_NAME_OVERFLOW && key->origin != OC_NAME_OVERFLOW &&
	       key->type < OC_REPORT_COUNT;
}

/* Clients can make up origins without end: a quarter of the places is for reports that are for all. */
static bool has_room(const struct oc_ocs *ocs, const struct oc_ocs_key *key)
{
	if (key->origin != 0 && ocs->with_origin >= ocs->max - ocs->max / 4)
		return false;
	return ocs->free_head != FREE;
}

static struct oc_ocs_entry *entry_take(struct oc_ocs *ocs, const struct oc_ocs_key *key)
{
	uint32_t i = ocs->free_head;

	if (!has_room(ocs, key) || !is_usable(key))
		return NULL;
	struct oc_ocs_entry *entry = &ocs->entries[i];
	ocs->slots[find_slot(ocs, key)] = tag_of(hash_of(key)) | i;
	ocs->free_head = entry->key.subject;
	*entry = (struct oc_ocs_entry){ .key = *key };
	ocs->records[i] = (struct oc_ocs_record){ 0 };
	if (i >= ocs->span)
		ocs->span = i + 1;
	ocs->held++;
	ocs->with_origin += key->origin != 0;
	ocs->of_type[key->type]++;
	return entry;
}

/* Empties slot @at and moves up those behind it that would no longer be found. */
static void clear_slot(struct oc_ocs *ocs, uint32_t at)
{
	uint32_t hole = at;

	for (uint32_t i = (at + 1) & ocs->mask; ocs->slots[i] != FREE; i = (i + 1) & ocs->mask) {
		uint32_t home = home_of(ocs, hash_of(&ocs->entries[ocs->slots[i] & INDEX_MASK].key));
		if (((i - home) & ocs->mask) < ((i - hole) & ocs->mask))
			continue;
		ocs->slots[hole] = ocs->slots[i];
		hole = i;
	}
	ocs->slots[hole] = FREE;
}

static void drop_specific(struct oc_ocs *ocs, struct oc_ocs_record *record)
{
	oc_specifics_drop(&ocs->specifics, record->specific);
	record->specific = 0;
}
void oc_ocs_forget(struct oc_ocs *ocs, struct oc_ocs_entry *entry)
{
	drop_specific(ocs, oc_ocs_record(ocs, entry));
	clear_slot(ocs, find_slot(ocs, &entry->key));
	ocs->held--;
	ocs->with_origin -= entry->key.origin != 0;
	ocs->of_type[entry->key.type]--;
	*entry = free_before(ocs->free_head);
	ocs->free_head = (uint32_t)(entry - ocs->entries);
	if (ocs->held == 0)
		ocs->span = 0;
}

/* oc_ocs_settle() for an entry that something may be due for. Not inlined: hardly ever is. */
static __attribute__((noinline)) bool settle_due(struct oc_ocs *ocs, struct oc_ocs_entry *entry,
						 const struct oc_policy *policy, uint64_t now_ns,
						 enum oc_ocs_end *how, uint64_t *at_ns)
{
	struct oc_ocs_record *record = oc_ocs_record(ocs, entry);

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
			drop_specific(ocs, record);
			*how = OC_END_RECOVERED;
			return true;
		}
	}
	if (entry->recover.phase != OC_PHASE_OVER || now_ns < record->forget_ns)
		return false;
	*how = OC_END_FORGOTTEN;
	*at_ns = record->forget_ns;
	return true;
}

bool oc_ocs_settle(struct oc_ocs *ocs, struct oc_ocs_entry *entry, const struct oc_policy *policy,
		   uint64_t now_ns, enum oc_ocs_end *how, uint64_t *at_ns)
{
	if (now_ns < entry->recover.until_ns && entry->recover.phase != OC_PHASE_OVER)
		return false;
	return settle_due(ocs, entry, policy, now_ns, how, at_ns);
}

enum oc_intake oc_ocs_compare(struct oc_ocs *ocs, const struct oc_ocs_key *key,
			      const struct oc_olr_value *value, uint64_t now_ns, struct oc_ocs_entry **entry)
{
	*entry = oc_ocs_get(ocs, key);
	if (!*entry)
		return OC_INTAKE_NEW;
	/* Past forget_ns any number starts a new condition, even if the ramp still runs (D-070). */
	const struct oc_ocs_record *record = oc_ocs_record(ocs, *entry);
	if ((*entry)->recover.phase != OC_PHASE_ACTIVE && now_ns >= record->forget_ns)
		return OC_INTAKE_NEW;
	if (oc_olr_is_newer(record->value.sequence, value->sequence))
		return OC_INTAKE_UPDATED;
	return value->sequence == record->value.sequence ? OC_INTAKE_REPEATED : OC_INTAKE_STALE;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Begins or changes the bucket of a rate. @share_ppm was in force until now: the measured share goes on from there, but
 * only a rate of 0 asks for everything. */
static void begin_rate(struct oc_ocs_entry *entry, struct oc_ocs_record *next, const struct oc_rate *running,
		       uint32_t share_ppm, const struct oc_ocs_birth *birth)
{
	const struct oc_rate_policy *policy = &birth->policy->rate;
	uint32_t rps = next->value.rate_rps;
	uint32_t measured_ppm = share_ppm < OC_PPM ? share_ppm : OC_PPM - 1;

	oc_recover_begin(&entry->recover, rps == 0 ? OC_PPM : measured_ppm, next->expires_ns);
	entry->recover.is_rate = 1;
	entry->debt = (struct oc_debt){ 0 };
	if (running) {
		next->rate = *running;
		oc_rate_change(&next->rate, policy, rps, birth->now_ns);
	} else {
		oc_rate_activate(&next->rate, policy, rps, birth->now_ns, birth->random);
	}
}

/* Frees the places of states whose return is over by now, though nobody has looked at them since. */
static void reclaim_specifics(struct oc_ocs *ocs, const struct oc_ocs_birth *birth)
{
	for (uint32_t i = 0; i < OC_SPECIFICS_MAX; i++) {
		uint32_t owner = ocs->specifics.place[i].owner;
		struct oc_recover copy = ocs->entries[owner].recover;
		uint64_t at_ns;
		while (oc_recover_step(&copy, birth->policy, birth->now_ns, &at_ns))
			;
		if (copy.phase == OC_PHASE_OVER)
			drop_specific(ocs, &ocs->records[owner]);
	}
}

/* Place of @specific for @entry, 0 when there is none. */
static uint8_t take_specific(struct oc_ocs *ocs, const struct oc_ocs_entry *entry, uint8_t general_pct,
			     const struct oc_ocs_birth *birth)
{
	uint32_t owner = (uint32_t)(entry - ocs->entries);

	if (!birth->specific || birth->specific->count == 0)
		return 0;
	uint8_t place = oc_specifics_take(&ocs->specifics, birth->specific, general_pct, owner);
	if (place != 0)
		return place;
	reclaim_specifics(ocs, birth);
	return oc_specifics_take(&ocs->specifics, birth->specific, general_pct, owner);
}

/* Puts a report with a duration in force. */
static void begin(struct oc_ocs *ocs, struct oc_ocs_entry *entry, struct oc_ocs_record *next,
		  const struct oc_rate *running, uint32_t share_ppm, const struct oc_ocs_birth *birth)
{
	if (next->value.algorithm == OC_ALGO_RATE) {
		begin_rate(entry, next, running, share_ppm, birth);
		return;
	}
	uint32_t highest_pct = next->value.reduction_pct;
	next->specific = take_specific(ocs, entry, (uint8_t)highest_pct, birth);
	if (next->specific != 0 && birth->specific->highest_pct > highest_pct)
		highest_pct = birth->specific->highest_pct;
	oc_recover_begin(&entry->recover, highest_pct * (OC_PPM / 100), next->expires_ns);
}

/* How @value is kept from @birth on, in place of @old. */
static struct oc_ocs_record record_of(const struct oc_olr_value *value, const struct oc_ocs_birth *birth,
				      const struct oc_ocs_record *old)
{
	struct oc_ocs_record next = { .value = *value,
				      .since_ns = birth->now_ns,
				      .expires_ns = birth->now_ns + value->validity_s * NS_PER_S,
				      .via = old->via };
	uint64_t remembered_ns = next.expires_ns + birth->policy->ended_memory_ms * NS_PER_MS;

	next.nonzero_expires_ns = value->validity_s == 0 ? old->nonzero_expires_ns : next.expires_ns;
	next.forget_ns = later(next.nonzero_expires_ns, remembered_ns);
	return next;
}

/* Since when what @old told of, and was in phase @phase, has been asked for, if it goes on at @now_ns. */
static uint64_t begin_of(const struct oc_ocs_record *old, uint8_t phase, uint64_t now_ns)
{
	bool goes_on = phase != OC_PHASE_OVER ||
		       (old->begun_ns != 0 && now_ns - old->expires_ns <= OC_OCS_UNBROKEN_NS);

	return goes_on ? old->begun_ns : now_ns;
}

/* What was drawn under @entry until now still speaks of @next if that only says again what @old did. */
static void keep_sums(struct oc_ocs_record *next, const struct oc_ocs_record *old,
		      const struct oc_ocs_entry *entry)
{
	if (next->begun_ns != old->begun_ns || next->value.algorithm != old->value.algorithm ||
	    next->value.reduction_pct != old->value.reduction_pct ||
	    next->value.rate_rps != old->value.rate_rps)
		return;
	next->earlier_matched = old->earlier_matched + entry->matched;
	next->earlier_selected = old->earlier_selected + entry->selected;
}

struct oc_ocs_entry *oc_ocs_put(struct oc_ocs *ocs, struct oc_ocs_entry *old, const struct oc_ocs_key *key,
				const struct oc_olr_value *value, const struct oc_ocs_birth *birth)
{
	struct oc_ocs_entry *entry = old ? old : entry_take(ocs, key);

	if (!entry)
		return NULL;
	struct oc_ocs_record *record = oc_ocs_record(ocs, entry);
	struct oc_ocs_record next = record_of(value, birth, record);
	struct oc_recover was = old ? old->recover : (struct oc_recover){ .phase = OC_PHASE_OVER };
	uint32_t share_ppm = oc_recover_share(&was, birth->now_ns);
	bool was_active = was.phase == OC_PHASE_ACTIVE;
	next.begun_ns = begin_of(record, was.phase, birth->now_ns);
	keep_sums(&next, record, entry);
	*entry = (struct oc_ocs_entry){ .key = entry->key, .debt = entry->debt, .version = birth->version };
	if (was.phase == OC_PHASE_OVER)
		entry->debt = (struct oc_debt){ 0 };
	if (value->validity_s == 0) {
		/* What had a share of its own until now keeps it on the ramp. */
		next.specific = record->specific;
		oc_recover_end(&entry->recover, share_ppm, birth->policy, birth->now_ns);
	} else {
		drop_specific(ocs, record);
		begin(ocs, entry, &next, was_active && was.is_rate ? &record->rate : NULL, share_ppm, birth);
	}
	entry->recover.is_specific = next.specific != 0;
	ocs->active -= was_active;
	ocs->active += value->validity_s != 0;
	*record = next;
	return entry;
}

const struct oc_specific *oc_ocs_specific(const struct oc_ocs *ocs, const struct oc_ocs_entry *entry,
					  uint8_t *general_pct)
{
	return oc_specifics_get(&ocs->specifics, ocs->records[entry - ocs->entries].specific, general_pct);
}
