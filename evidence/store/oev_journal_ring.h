/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Inside the journal: how the ring lies in memory and in the file. Included by oev_journal*.c and their tests alone.
 *
 * Position p lies in slot p mod records; the slot's word is p + 1 once the event is published, and anything else before:
 * zeroed memory is an empty ring. Positions from head to tail are taken and not given back, never more than there are
 * slots. Everything is in one block without pointers, so that a mapping of the file is all that is needed to read it.
 */
#pragma once

#include <stdatomic.h>

#include "../../agent/wire/oc_hash.h"
#include "oev_journal.h"

#define OEV_CACHE_LINE 64u
#define OEV_LINE_PAIR 128u /* what the processor fetches together */
#define OEV_RING_PAGE 4096u
#define OEV_RING_MAGIC 0x4c4e524a56454fu /* "OEVJRNL" in memory order on little-endian machines */
#define OEV_RING_FORMAT 2u
#define OEV_RING_POSITION_MAX (1ull << 62)

/* A lock in place of an instruction would die with its holder. */
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2 && ATOMIC_INT_LOCK_FREE == 2, "atomics are single instructions");

enum oev_ring_state {
	OEV_RING_EMPTY = 0, /* made, or on its way from one life to the next: there is nothing in it */
	OEV_RING_LIVE = 1,
};

struct oev_slot {
	_Alignas(OEV_CACHE_LINE) _Atomic uint64_t word;
	uint64_t sum; /* oev_slot_sum() of the event; looked at only in a ring that was left behind */
	_Atomic uint64_t touch; /* written by the consumer to have the page ready, read by nobody */
	struct oc_event event;
};

/* How the file is to be read. */
struct oev_ring_kind {
	uint64_t magic;
	uint32_t format;
	uint32_t slot_octets;
	uint64_t layout; /* of events: oev_ring_kind_of() */
	uint32_t records;
	uint32_t reserved;
};

struct oev_ring {
	struct oev_ring_kind kind;

	/* The life that writes it. */
	_Alignas(OEV_LINE_PAIR) _Atomic uint32_t state; /* enum oev_ring_state */
	uint32_t pid;
	uint64_t run_id;
	uint64_t started_us;
	_Atomic int64_t offset_us;
	_Atomic uint32_t
		segment_now; /* which of the two is the name; the other is the next one in the making */
	char segment[2][OEV_JOURNAL_SEGMENT_MAX];

	_Alignas(OEV_LINE_PAIR) _Atomic uint64_t tail; /* next position to take; producers write it */
	_Alignas(OEV_LINE_PAIR) _Atomic uint64_t gap;  /* events lost */
	_Atomic uint64_t gap_stored;		       /* of these, known to the consumer */
	_Alignas(OEV_LINE_PAIR) _Atomic uint64_t
		head; /* oldest position not given back; the consumer writes it */
	_Atomic uint32_t high_water;

	_Alignas(OEV_RING_PAGE) struct oev_slot slots[];
};

/* Where the walk through a ring left behind is. */
struct oev_cursor {
	uint32_t n;	   /* readable events from head to position */
	uint64_t position; /* next one to look at */
};

struct oev_journal {
	/* Producers read these. */
	struct oev_ring *ring;
	uint64_t mask;
	uint64_t room; /* records, or 0 while nobody may append */
	uint64_t block_max_ns;
	enum oev_full when_full;
	/* Changes with every outage: a wait ended without room, nobody waits again until slots were given back. */
	_Alignas(OEV_LINE_PAIR) atomic_bool stalled;
	/* From here on the consumer's own. */
	_Alignas(OEV_LINE_PAIR) bool is_draining;
	struct oev_cursor cursor;
	uint64_t tended_at; /* tail at the last oev_journal_tend() */
	struct oev_journal_left left;
	uint32_t records; /* wanted */
	int lock;	  /* descriptor, -1 in memory */
	char path[OEV_JOURNAL_PATH_MAX];
};

static inline struct oev_slot *oev_journal_slot(const struct oev_journal *journal, uint64_t position)
{
	return &journal->ring->slots[position & journal->mask];
}

/* Octets of a ring in memory and in the file. */
static inline size_t oev_ring_octets(uint32_t records)
{
	return sizeof(struct oev_ring) + (size_t)records * sizeof(struct oev_slot);
}

/* Over what a producer copies, and where to: an event of an earlier turn of the slot has another one. @octets: oc_event_size(). */
static inline uint64_t oev_slot_sum(const struct oc_event *event, size_t octets)
{
	return oc_hash(event, octets, OEV_RING_MAGIC);
}

static inline uint64_t oev_slot_sum_at(uint64_t sum, uint64_t position)
{
	return sum + position * 0x9e3779b97f4a7c15u;
}

static inline void oev_ring_reset_positions(struct oev_ring *ring)
{
	atomic_store(&ring->head, 0);
	atomic_store(&ring->tail, 0);
	atomic_store(&ring->gap_stored, 0);
	atomic_store(&ring->gap, 0);
	atomic_store(&ring->high_water, 0);
}

static inline bool oev_ring_records_allowed(uint32_t records)
{
	return records >= 64u && records <= 16777216u && (records & (records - 1u)) == 0;
}

#define OEV_RING_TOUCH_STEP                                                                                  \
	(OEV_RING_PAGE / sizeof(struct oev_slot)) /* slots whose touch reaches every page */
_Static_assert(OEV_RING_TOUCH_STEP >= 1, "a slot is smaller than a page");

/* Writes to the page of @slot, so that the next write finds it there and writable. */
static inline void oev_slot_touch(struct oev_slot *slot)
{
	atomic_store_explicit(&slot->touch, 1, memory_order_relaxed);
}

/* Whether @name, which ends within OEV_JOURNAL_SEGMENT_MAX, is one oev_journal_note_segment() takes. */
bool oev_journal_segment_allowed(const char name[static OEV_JOURNAL_SEGMENT_MAX]);

/* oev_journal_drain.c: a ring that was left behind. */
void oev_drain_start(struct oev_journal *journal);
const struct oc_event *oev_drain_peek_at(struct oev_journal *journal, uint32_t n);
uint64_t oev_drain_reach(struct oev_journal *journal, uint32_t n);
void oev_drain_pop_n(struct oev_journal *journal, uint32_t n);
