/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Shared texts and the ring of ticks.
 */
#include "oweb_ring.h"

#include <stdlib.h>

struct oweb_shared *oweb_shared_new(struct oweb_text *text)
{
	struct oweb_shared *shared = text->failed || text->data == NULL ? NULL : calloc(1, sizeof(*shared));

	if (shared == NULL) {
		oweb_text_free(text);
		return NULL;
	}
	atomic_init(&shared->holders, 1);
	shared->data = text->data;
	shared->len = text->len;
	*text = (struct oweb_text){ 0 };
	return shared;
}

struct oweb_shared *oweb_shared_hold(struct oweb_shared *shared)
{
	if (shared != NULL)
		atomic_fetch_add_explicit(&shared->holders, 1, memory_order_relaxed);
	return shared;
}

void oweb_shared_drop(struct oweb_shared *shared)
{
	if (shared == NULL || atomic_fetch_sub_explicit(&shared->holders, 1, memory_order_acq_rel) != 1)
		return;
	free(shared->data);
	free(shared);
}

static void forget_first(struct oweb_ring *ring)
{
	struct oweb_shared **place = &ring->tick[ring->first++ % OWEB_TICKS];

	ring->octets -= *place != NULL ? (*place)->len : 0;
	oweb_shared_drop(*place);
	*place = NULL;
}

void oweb_ring_add(struct oweb_ring *ring, struct oweb_shared *tick, struct oweb_shared *snapshot)
{
	size_t octets = tick != NULL ? tick->len : 0;

	ring->first = ring->first == 0 ? 1 : ring->first;
	while (ring->first <= ring->latest &&
	       (ring->latest + 1 - ring->first >= OWEB_TICKS || ring->octets + octets > OWEB_TICKS_OCTETS))
		forget_first(ring);
	ring->tick[++ring->latest % OWEB_TICKS] = tick;
	ring->octets += octets;
	oweb_shared_drop(ring->snapshot);
	ring->snapshot = snapshot;
}

struct oweb_shared *oweb_ring_get(const struct oweb_ring *ring, uint64_t number)
{
	if (number == 0 || number > ring->latest || number < ring->first)
		return NULL;
	return oweb_shared_hold(ring->tick[number % OWEB_TICKS]);
}

enum oweb_turn oweb_ring_next(const struct oweb_ring *ring, struct oweb_reader *reader,
			      struct oweb_shared **out, uint64_t *lost)
{
	*lost = 0;
	if (reader->wants > ring->latest || (reader->wants == 0 && ring->snapshot == NULL)) {
		reader->is_catching_up = false;
		return OWEB_TURN_NOTHING;
	}
	if (reader->wants == 0) {
		*out = oweb_shared_hold(ring->snapshot);
		reader->wants = ring->latest + 1;
		return OWEB_TURN_TEXT;
	}
	bool is_late = !reader->is_catching_up && ring->latest - reader->wants >= OWEB_TICKS_BEHIND;
	*out = is_late ? NULL : oweb_ring_get(ring, reader->wants);
	if (*out == NULL) {
		*lost = ring->latest - reader->wants + 1;
		*reader = (struct oweb_reader){ 0 };
		return OWEB_TURN_RESET;
	}
	reader->wants++;
	return OWEB_TURN_TEXT;
}

void oweb_ring_clear(struct oweb_ring *ring)
{
	for (uint32_t i = 0; i < OWEB_TICKS; i++)
		oweb_shared_drop(ring->tick[i]);
	oweb_shared_drop(ring->snapshot);
	*ring = (struct oweb_ring){ 0 };
}
