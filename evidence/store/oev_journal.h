/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The journal: a bounded ring between the callbacks that make events and the recorder that keeps them.
 *
 * Many threads append, one thread drains. A producer takes a position with one atomic operation, copies
 * the event, and publishes the slot by a release store of its sequence word; the consumer takes slots in order
 * and hands them back the same way. No lock and no system call while there is room.
 *
 * When the ring is full the policy decides: OEV_FULL_BLOCK waits (sleeping in short steps) up to block_max_ms
 * for the recorder, then counts a gap; OEV_FULL_GAP counts at once. After a wait in vain nobody waits again until
 * the recorder has given slots back: a dead disk slows the relay once, not once per message. A gap is
 * reported by oev_journal_take_gap() and becomes a row: evidence may be incomplete, never silently so.
 */
#pragma once

#include "../../agent/oc_event.h"

struct oev_journal;

enum oev_full { OEV_FULL_BLOCK = 0, OEV_FULL_GAP = 1 };

/* @records: slots, a power of two, 64..16777216. NULL when out of memory or out of range. */
struct oev_journal *oev_journal_new(uint32_t records, enum oev_full when_full, uint32_t block_max_ms);
void oev_journal_free(struct oev_journal *journal);

/* Copies the first oc_event_size() octets of @event in. Any thread. Returns OC_OK, or OC_ENOSPC when it was
 * counted as a gap instead; OC_EINVAL (counted as a gap too) for an unknown kind. */
int oev_journal_append(struct oev_journal *journal, const struct oc_event *event);

/* An oc_event_fn: @ctx is the journal. */
void oev_journal_emit(void *ctx, const struct oc_event *event);

/* The oldest event, borrowed until oev_journal_pop(); NULL when there is none. Consumer thread only. */
const struct oc_event *oev_journal_peek(struct oev_journal *journal);
void oev_journal_pop(struct oev_journal *journal);

/* The event @n places behind the oldest, borrowed until it is popped; NULL when there is none yet. Consumer only.
 * A batch is read with this, and popped only when it is safely stored: a failed one is read again. */
const struct oc_event *oev_journal_peek_at(struct oev_journal *journal, uint32_t n);

/* Gives the oldest @n slots back; all of them must have been seen by oev_journal_peek_at(). Consumer only. */
void oev_journal_pop_n(struct oev_journal *journal, uint32_t n);

/* Events lost since the last call. Any thread. */
uint64_t oev_journal_take_gap(struct oev_journal *journal);

/* Events waiting now; slots in all; highest number ever waiting. Any thread. */
uint32_t oev_journal_fill(const struct oev_journal *journal);
uint32_t oev_journal_records(const struct oev_journal *journal);
uint32_t oev_journal_high_water(const struct oev_journal *journal);
