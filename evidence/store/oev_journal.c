/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The ring of the journal at work: taking, publishing and giving back positions.
 *
 * What costs on this path is memory that another processor wrote last: 80 ns a line and more. A producer meets two such lines:
 * the tail, which oev_journal_expect() fetches ahead, and the head, which changes once per batch. Slots it only writes to.
 */
#include "oev_journal_ring.h"

#include <string.h>

#include "../../agent/oc_err.h"
#include "../oev_clock.h"

#define FETCH_AHEAD 8u /* positions, for producers */
#define READ_AHEAD 32u /* positions, for the consumer */
#define TEND_MIN 256u  /* positions */
#define STEP_MIN_US 50u
#define STEP_MAX_US 200u

/* A position for one event; false when the ring is full. */
static inline bool take(struct oev_journal *journal, uint64_t *position)
{
	struct oev_ring *ring = journal->ring;
	uint64_t at = atomic_load_explicit(&ring->tail, memory_order_relaxed);

	do {
		uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
		/* Below 0 when others went on in between; then the exchange fails. */
		if ((int64_t)(at - head) >= (int64_t)journal->room)
			return false;
	} while (!atomic_compare_exchange_weak_explicit(&ring->tail, &at, at + 1, memory_order_relaxed,
							memory_order_relaxed));
	*position = at;
	return true;
}

static inline bool is_stalled(const struct oev_journal *journal)
{
	return atomic_load_explicit(&journal->stalled, memory_order_relaxed);
}

/* take() after it failed: waits for room in short sleeps when the policy says so. The first wait that ends in vain ends all of
 * them, so an outage holds up the producers for block_max_ns together, however many there are. */
static bool wait_and_take(struct oev_journal *journal, uint64_t *position)
{
	if (journal->when_full == OEV_FULL_GAP || journal->room == 0 || is_stalled(journal))
		return false;
	uint64_t give_up_ns = oev_clock_mono_ns() + journal->block_max_ns;
	uint32_t step_us = STEP_MIN_US;
	bool taken = false;
	while (!taken && !is_stalled(journal) && oev_clock_mono_ns() < give_up_ns) {
		oev_clock_sleep_us(step_us);
		if (step_us < STEP_MAX_US)
			step_us += STEP_MIN_US;
		taken = take(journal, position);
	}
	if (!taken)
		atomic_store_explicit(&journal->stalled, true, memory_order_relaxed);
	return taken;
}

static int count_gap(struct oev_journal *journal, int err)
{
	atomic_fetch_add_explicit(&journal->ring->gap, 1, memory_order_relaxed);
	return err;
}

void oev_journal_expect(const struct oev_journal *journal)
{
	if (!journal)
		return;
	__builtin_prefetch(&journal->ring->tail, 1);
	__builtin_prefetch(&journal->ring->head, 0);
	/* Without it the optimizer finds that nothing is done here, and leaves the call out. */
	atomic_signal_fence(memory_order_seq_cst);
}

/* Asks for the lines of a slot that will be written soon, by an event as large as this one. */
static inline void fetch_slot(const struct oev_journal *journal, uint64_t position, size_t octets)
{
	const char *line = (const char *)oev_journal_slot(journal, position);

	for (size_t at = 0; at < octets; at += OEV_CACHE_LINE)
		__builtin_prefetch(line + at, 1);
}

int oev_journal_append(struct oev_journal *journal, const struct oc_event *event)
{
	__builtin_prefetch(&journal->ring->tail, 1);
	size_t octets = oc_event_size(event);
	uint64_t position;

	if (octets == 0)
		return count_gap(journal, OC_EINVAL);
	uint64_t sum = oev_slot_sum(event, octets);
	if (!take(journal, &position) && !wait_and_take(journal, &position))
		return count_gap(journal, OC_ENOSPC);
	struct oev_slot *slot = oev_journal_slot(journal, position);
	fetch_slot(journal, position + FETCH_AHEAD, octets);
	memcpy(&slot->event, event, octets);
	slot->sum = oev_slot_sum_at(sum, position);
	atomic_store_explicit(&slot->word, position + 1, memory_order_release);
	return OC_OK;
}

void oev_journal_emit(void *ctx, const struct oc_event *event)
{
	oev_journal_append(ctx, event);
}

const struct oc_event *oev_journal_peek_at(struct oev_journal *journal, uint32_t n)
{
	if (journal->is_draining)
		return oev_drain_peek_at(journal, n);
	uint64_t position = oev_journal_head(journal) + n;
	struct oev_slot *slot = oev_journal_slot(journal, position);

	/* Whoever reads on finds the next ones there. */
	__builtin_prefetch(oev_journal_slot(journal, position + READ_AHEAD), 0);
	return atomic_load_explicit(&slot->word, memory_order_acquire) == position + 1 ? &slot->event : NULL;
}

/* Four times as far as producers came since the last time. */
void oev_journal_tend(struct oev_journal *journal)
{
	if (journal->lock < 0 || journal->is_draining)
		return;
	uint64_t tail = atomic_load_explicit(&journal->ring->tail, memory_order_relaxed);
	uint64_t ahead = (tail - journal->tended_at) * 4u;
	uint64_t most = (journal->mask + 1) / 4u;
	if (ahead < TEND_MIN)
		ahead = TEND_MIN;
	if (ahead > most)
		ahead = most;
	for (uint64_t position = tail; position < tail + ahead; position += OEV_RING_TOUCH_STEP)
		oev_slot_touch(oev_journal_slot(journal, position));
	journal->tended_at = tail;
}

void oev_journal_pop_n(struct oev_journal *journal, uint32_t n)
{
	struct oev_ring *ring = journal->ring;

	if (journal->is_draining) {
		oev_drain_pop_n(journal, n);
		return;
	}
	if (n && atomic_load_explicit(&journal->stalled, memory_order_relaxed))
		atomic_store_explicit(&journal->stalled, false, memory_order_relaxed);
	/* The fill only grows between two pops, so its maximum is what it is now. */
	atomic_store_explicit(&ring->high_water, oev_journal_high_water(journal), memory_order_relaxed);
	atomic_store_explicit(&ring->head, oev_journal_head(journal) + n, memory_order_release);
	oev_journal_tend(journal);
}

const struct oc_event *oev_journal_peek(struct oev_journal *journal)
{
	return oev_journal_peek_at(journal, 0);
}

void oev_journal_pop(struct oev_journal *journal)
{
	oev_journal_pop_n(journal, 1);
}

uint64_t oev_journal_head(const struct oev_journal *journal)
{
	return atomic_load_explicit(&journal->ring->head, memory_order_relaxed);
}

uint64_t oev_journal_reach(struct oev_journal *journal, uint32_t n)
{
	return journal->is_draining ? oev_drain_reach(journal, n) : oev_journal_head(journal) + n;
}

uint64_t oev_journal_gap_total(const struct oev_journal *journal)
{
	return atomic_load_explicit(&journal->ring->gap, memory_order_relaxed);
}

void oev_journal_gap_stored(struct oev_journal *journal, uint64_t total)
{
	atomic_store_explicit(&journal->ring->gap_stored, total, memory_order_relaxed);
}

uint64_t oev_journal_take_gap(struct oev_journal *journal)
{
	uint64_t total = oev_journal_gap_total(journal);

	/* A plain look first: asked every few milliseconds, and nearly always there is nothing to take. */
	if (total == atomic_load_explicit(&journal->ring->gap_stored, memory_order_relaxed))
		return 0;
	return total - atomic_exchange_explicit(&journal->ring->gap_stored, total, memory_order_relaxed);
}

uint32_t oev_journal_fill(const struct oev_journal *journal)
{
	if (journal->is_draining)
		return journal->left.waiting;
	uint64_t head = atomic_load_explicit(&journal->ring->head, memory_order_acquire);
	uint64_t tail = atomic_load_explicit(&journal->ring->tail, memory_order_relaxed);

	/* The two are not read at one moment: between them others may have popped and appended. */
	if (tail < head)
		return 0;
	return tail - head > journal->mask ? (uint32_t)journal->mask + 1 : (uint32_t)(tail - head);
}

uint32_t oev_journal_records(const struct oev_journal *journal)
{
	return (uint32_t)journal->mask + 1;
}

uint32_t oev_journal_high_water(const struct oev_journal *journal)
{
	uint32_t high = atomic_load_explicit(&journal->ring->high_water, memory_order_relaxed);
	uint32_t fill = oev_journal_fill(journal);

	return fill > high ? fill : high;
}
