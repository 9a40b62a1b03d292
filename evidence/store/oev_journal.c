/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The ring of the journal: claiming, publishing and giving back slots.
 *
 * Positions count up for ever; position p lives in slot p mod records, in turn p div records of that slot. The
 * word of a slot says where it is: 2 * turn free for that turn, 2 * turn + 1 published, 2 * turn + 2 given
 * back (which is "free" for the next turn). So zeroed memory is an empty ring.
 *
 * Everything the ring knows is in one block without pointers (struct ring), so that the block can be a file
 * mapping: what a killed process had published is still there to be read.
 */
#include "oev_journal.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../oev_clock.h"

#define CACHE_LINE 64u
#define RING_MAGIC 0x4c4e524a56454fu /* "OEVJRNL" in memory order on little-endian machines */
#define RING_FORMAT 1u
#define RECORDS_MIN 64u
#define RECORDS_MAX 16777216u
#define STEP_MIN_US 50u
#define STEP_MAX_US 200u

struct slot {
	_Alignas(CACHE_LINE) _Atomic uint64_t word;
	struct oc_event event;
};

struct ring {
	uint64_t magic;
	uint32_t format;
	uint32_t records;
	uint32_t slot_octets;
	_Alignas(CACHE_LINE) _Atomic uint64_t tail; /* next position to claim; written by producers */
	_Alignas(CACHE_LINE) _Atomic uint64_t gap;  /* events lost and not yet taken */
	_Alignas(CACHE_LINE) _Atomic uint64_t
		head; /* oldest position not given back; written by the consumer */
	_Atomic uint32_t high_water;
	struct slot slots[];
};

struct oev_journal {
	struct ring *ring;
	uint64_t mask;
	unsigned turn_shift;
	enum oev_full when_full;
	uint64_t block_max_ns;
	atomic_bool
		stalled; /* a wait ended without room: nobody waits again until the consumer gave slots back */
};

static bool records_allowed(uint32_t records)
{
	return records >= RECORDS_MIN && records <= RECORDS_MAX && (records & (records - 1)) == 0;
}

static struct ring *ring_new(uint32_t records)
{
	size_t octets = sizeof(struct ring) + (size_t)records * sizeof(struct slot);
	struct ring *ring = aligned_alloc(CACHE_LINE, octets);

	if (!ring)
		return NULL;
	/* Written, not only reserved: the first turn of the ring must not pay for page faults on the message path. */
	memset(ring, 0, octets);
	ring->magic = RING_MAGIC;
	ring->format = RING_FORMAT;
	ring->records = records;
	ring->slot_octets = sizeof(struct slot);
	return ring;
}

struct oev_journal *oev_journal_new(uint32_t records, enum oev_full when_full, uint32_t block_max_ms)
{
	if (!records_allowed(records))
		return NULL;
	struct oev_journal *journal = calloc(1, sizeof(*journal));
	if (!journal)
		return NULL;
	journal->ring = ring_new(records);
	if (!journal->ring) {
		free(journal);
		return NULL;
	}
	journal->mask = records - 1u;
	while ((1u << journal->turn_shift) < records)
		journal->turn_shift++;
	journal->when_full = when_full;
	journal->block_max_ns = (uint64_t)block_max_ms * 1000000u;
	return journal;
}

void oev_journal_free(struct oev_journal *journal)
{
	if (!journal)
		return;
	free(journal->ring);
	free(journal);
}

static struct slot *slot_of(const struct oev_journal *journal, uint64_t position)
{
	return &journal->ring->slots[position & journal->mask];
}

static uint64_t free_word(const struct oev_journal *journal, uint64_t position)
{
	return 2u * (position >> journal->turn_shift);
}

/* A slot for one event and its position, or NULL when the ring is full. */
static struct slot *claim(struct oev_journal *journal, uint64_t *position)
{
	uint64_t at = atomic_load_explicit(&journal->ring->tail, memory_order_relaxed);

	for (;;) {
		struct slot *slot = slot_of(journal, at);
		uint64_t word = atomic_load_explicit(&slot->word, memory_order_acquire);
		uint64_t free_now = free_word(journal, at);
		if (word < free_now)
			return NULL; /* still holds an event of the turn before */
		if (word > free_now) {
			at = atomic_load_explicit(&journal->ring->tail, memory_order_relaxed);
		} else if (atomic_compare_exchange_weak_explicit(&journal->ring->tail, &at, at + 1,
								 memory_order_relaxed,
								 memory_order_relaxed)) {
			*position = at;
			return slot;
		}
	}
}

/* claim(), waiting for room in short sleeps when the policy says so. */
static struct slot *claim_or_wait(struct oev_journal *journal, uint64_t *position)
{
	struct slot *slot = claim(journal, position);

	if (slot || journal->when_full == OEV_FULL_GAP ||
	    atomic_load_explicit(&journal->stalled, memory_order_relaxed))
		return slot;
	uint64_t give_up_ns = oev_clock_mono_ns() + journal->block_max_ns;
	uint32_t step_us = STEP_MIN_US;
	while (!slot && oev_clock_mono_ns() < give_up_ns) {
		oev_clock_sleep_us(step_us);
		if (step_us < STEP_MAX_US)
			step_us += STEP_MIN_US;
		slot = claim(journal, position);
	}
	if (!slot)
		atomic_store_explicit(&journal->stalled, true, memory_order_relaxed);
	return slot;
}

static int count_gap(struct oev_journal *journal, int err)
{
	atomic_fetch_add_explicit(&journal->ring->gap, 1, memory_order_relaxed);
	return err;
}

int oev_journal_append(struct oev_journal *journal, const struct oc_event *event)
{
	size_t octets = oc_event_size(event);
	uint64_t position;

	if (octets == 0)
		return count_gap(journal, OC_EINVAL);
	struct slot *slot = claim_or_wait(journal, &position);
	if (!slot)
		return count_gap(journal, OC_ENOSPC);
	memcpy(&slot->event, event, octets);
	atomic_store_explicit(&slot->word, free_word(journal, position) + 1, memory_order_release);
	return OC_OK;
}

void oev_journal_emit(void *ctx, const struct oc_event *event)
{
	oev_journal_append(ctx, event);
}

const struct oc_event *oev_journal_peek_at(struct oev_journal *journal, uint32_t n)
{
	uint64_t position = atomic_load_explicit(&journal->ring->head, memory_order_relaxed) + n;
	struct slot *slot = slot_of(journal, position);
	uint64_t word = atomic_load_explicit(&slot->word, memory_order_acquire);

	return word == free_word(journal, position) + 1 ? &slot->event : NULL;
}

void oev_journal_pop_n(struct oev_journal *journal, uint32_t n)
{
	struct ring *ring = journal->ring;
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);

	if (n && atomic_load_explicit(&journal->stalled, memory_order_relaxed))
		atomic_store_explicit(&journal->stalled, false, memory_order_relaxed);
	/* The fill only grows between two pops, so its maximum is what it is now. */
	uint32_t high = oev_journal_high_water(journal);

	atomic_store_explicit(&ring->high_water, high, memory_order_relaxed);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t position = head + i;
		atomic_store_explicit(&slot_of(journal, position)->word, free_word(journal, position) + 2,
				      memory_order_release);
	}
	atomic_store_explicit(&ring->head, head + n, memory_order_release);
}

const struct oc_event *oev_journal_peek(struct oev_journal *journal)
{
	return oev_journal_peek_at(journal, 0);
}

void oev_journal_pop(struct oev_journal *journal)
{
	oev_journal_pop_n(journal, 1);
}

uint64_t oev_journal_take_gap(struct oev_journal *journal)
{
	/* A plain look first: asked every few milliseconds, and nearly always there is nothing to take. */
	if (atomic_load_explicit(&journal->ring->gap, memory_order_relaxed) == 0)
		return 0;
	return atomic_exchange_explicit(&journal->ring->gap, 0, memory_order_relaxed);
}

uint32_t oev_journal_fill(const struct oev_journal *journal)
{
	uint64_t head = atomic_load_explicit(&journal->ring->head, memory_order_acquire);
	uint64_t tail = atomic_load_explicit(&journal->ring->tail, memory_order_relaxed);

	/* The two are not read at one moment: between them others may have popped and appended. */
	if (tail < head)
		return 0;
	return tail - head > journal->ring->records ? journal->ring->records : (uint32_t)(tail - head);
}

uint32_t oev_journal_records(const struct oev_journal *journal)
{
	return journal->ring->records;
}

uint32_t oev_journal_high_water(const struct oev_journal *journal)
{
	uint32_t high = atomic_load_explicit(&journal->ring->high_water, memory_order_relaxed);
	uint32_t fill = oev_journal_fill(journal);

	return fill > high ? fill : high;
}
