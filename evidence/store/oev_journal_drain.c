/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reading a ring that a dead process left: the positions from head to tail, those that hold an event.
 *
 * Nobody appends meanwhile. The file is not believed: a slot counts only when word and sum say that a producer wrote just this
 * at just this position.
 */
#include "oev_journal_ring.h"

#include <string.h>

#include "../../agent/oc_err.h"

enum slot_state { SLOT_WHOLE, SLOT_TORN, SLOT_DAMAGED };

static bool has_end(const char *text, size_t size)
{
	return memchr(text, '\0', size) != NULL;
}

static bool act_has_ends(const struct oc_event_act *act)
{
	return has_end(act->who, OC_ACT_WHO_MAX) && has_end(act->what, OC_ACT_WHAT_MAX) &&
	       has_end(act->object, OC_ACT_OBJECT_MAX) && has_end(act->before, OC_ACT_STATE_MAX) &&
	       has_end(act->after, OC_ACT_STATE_MAX) && has_end(act->reason, OC_ACT_REASON_MAX);
}

/* Whether whoever gets it may read texts up to their NUL and arrays up to their count. */
static bool is_readable(const struct oc_event *event)
{
	switch (event->kind) {
	case OC_EVENT_NAME:
		return has_end(event->u.name.text, sizeof(event->u.name.text));
	case OC_EVENT_REPORT:
		return event->u.report.raw_len <= OC_EVENT_RAW_MAX;
	case OC_EVENT_REPORT_RAW:
		return event->u.report_raw.raw_len <= OC_EVENT_RAW_MAX;
	case OC_EVENT_OWN_REPORT:
		return event->u.own_report.raw_len <= OC_EVENT_RAW_MAX;
	case OC_EVENT_PROFILE:
		return event->u.profile.profile.rating_group_count <= OC_PROFILE_RATING_GROUPS_MAX &&
		       event->u.profile.profile.apn_len <= OC_PROFILE_APN_MAX;
	case OC_EVENT_CANDIDATES:
		return event->u.candidates.count <= OC_CANDIDATES_MAX;
	case OC_EVENT_ORDER:
		return has_end(event->u.order.reason, OC_ORDER_TEXT_MAX) &&
		       has_end(event->u.order.inputs, OC_ORDER_TEXT_MAX);
	case OC_EVENT_ACT:
		return act_has_ends(&event->u.act);
	case OC_EVENT_IDENTITY:
		return event->u.identity.len <= OC_IDENTITY_TEXT_MAX;
	default:
		return true;
	}
}

static enum slot_state look(const struct oev_slot *slot, uint64_t position)
{
	if (atomic_load_explicit(&slot->word, memory_order_relaxed) != position + 1)
		return SLOT_TORN;
	size_t octets = oc_event_size(&slot->event);
	if (octets == 0 || slot->sum != oev_slot_sum_at(oev_slot_sum(&slot->event, octets), position))
		return SLOT_DAMAGED;
	return is_readable(&slot->event) ? SLOT_WHOLE : SLOT_DAMAGED;
}

static void count(struct oev_journal *journal)
{
	struct oev_journal_left *left = &journal->left;
	uint32_t counts[] = { [SLOT_WHOLE] = 0, [SLOT_TORN] = 0, [SLOT_DAMAGED] = 0 };

	left->head = oev_journal_head(journal);
	left->tail = atomic_load_explicit(&journal->ring->tail, memory_order_relaxed);
	for (uint64_t position = left->head; position < left->tail; position++)
		counts[look(oev_journal_slot(journal, position), position)]++;
	left->waiting = counts[SLOT_WHOLE];
	left->torn = counts[SLOT_TORN];
	left->damaged = counts[SLOT_DAMAGED];
	journal->cursor = (struct oev_cursor){ .n = 0, .position = left->head };
}

/* The name goes into a path. */
static void copy_segment(const struct oev_ring *ring, char out[static OEV_JOURNAL_SEGMENT_MAX])
{
	const char *name = ring->segment[atomic_load(&ring->segment_now) & 1u];

	memcpy(out, name, OEV_JOURNAL_SEGMENT_MAX);
	if (!oev_journal_segment_allowed(out))
		memset(out, 0, OEV_JOURNAL_SEGMENT_MAX);
}

void oev_drain_start(struct oev_journal *journal)
{
	struct oev_ring *ring = journal->ring;
	struct oev_journal_left *left = &journal->left;

	/* Killed between two lives, or before the first: nobody has appended anything, and the numbers may be half reset. */
	if (atomic_load(&ring->state) == OEV_RING_EMPTY)
		oev_ring_reset_positions(ring);
	left->found = true;
	left->pid = ring->pid;
	left->run_id = ring->run_id;
	left->started_us = ring->started_us;
	left->offset_us = atomic_load(&ring->offset_us);
	left->gap = oev_journal_gap_total(journal) - atomic_load(&ring->gap_stored);
	copy_segment(ring, left->segment);
	journal->is_draining = true;
	count(journal);
}

/* Moves the cursor behind the @n-th readable event, counted from 1; false when there are fewer. */
static bool walk(struct oev_journal *journal, uint32_t n)
{
	struct oev_cursor at = journal->cursor;

	if (at.n > n)
		at = (struct oev_cursor){ .n = 0, .position = journal->left.head };
	for (; at.n < n && at.position < journal->left.tail; at.position++)
		if (look(oev_journal_slot(journal, at.position), at.position) == SLOT_WHOLE)
			at.n++;
	if (at.n < n)
		return false;
	journal->cursor = at;
	return true;
}

const struct oc_event *oev_drain_peek_at(struct oev_journal *journal, uint32_t n)
{
	if (n >= journal->left.waiting || !walk(journal, n + 1))
		return NULL;
	return &oev_journal_slot(journal, journal->cursor.position - 1)->event;
}

uint64_t oev_drain_reach(struct oev_journal *journal, uint32_t n)
{
	if (n == 0)
		return journal->left.head;
	return walk(journal, n) ? journal->cursor.position : journal->left.tail;
}

void oev_drain_pop_n(struct oev_journal *journal, uint32_t n)
{
	uint64_t head = oev_drain_reach(journal, n);

	atomic_store_explicit(&journal->ring->head, head, memory_order_release);
	journal->left.head = head;
	journal->left.waiting -= n < journal->left.waiting ? n : journal->left.waiting;
	journal->cursor = (struct oev_cursor){ .n = 0, .position = head };
}

int oev_journal_skip_to(struct oev_journal *journal, uint64_t position)
{
	if (!journal->is_draining || position < journal->left.head || position > journal->left.tail)
		return OC_ERANGE;
	atomic_store_explicit(&journal->ring->head, position, memory_order_release);
	count(journal);
	return OC_OK;
}

void oev_journal_recovered(const struct oev_journal *journal, struct oev_journal_left *out)
{
	*out = journal->left;
}
