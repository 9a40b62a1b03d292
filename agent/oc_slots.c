/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A stack of free places, linked by their numbers.
 *
 * The top is one 64-bit word: how often it was changed, and the number of the first free place plus one. Counting the changes
 * keeps a thread that was held up between its look and its exchange from putting back an old next: the same
 * place on top again is not the same word. It would take 2^32 changes in that time to fool it.
 */
#include "oc_slots.h"

#include <stdatomic.h>
#include <stdlib.h>

#define COUNT_MAX 0x80000000u
#define ONE_CHANGE 0x100000000ull

struct oc_slots {
	_Atomic uint64_t top;
	_Atomic uint32_t next[]; /* number plus one of the free place below, 0 none */
};

struct oc_slots *oc_slots_new(uint32_t count)
{
	if (count == 0 || count > COUNT_MAX)
		return NULL;
	struct oc_slots *slots = malloc(sizeof(*slots) + (size_t)count * sizeof(slots->next[0]));
	if (!slots)
		return NULL;
	for (uint32_t i = 0; i < count; i++)
		atomic_init(&slots->next[i], i + 1 < count ? i + 2 : 0);
	atomic_init(&slots->top, 1);
	return slots;
}

void oc_slots_free(struct oc_slots *slots)
{
	free(slots);
}

static uint64_t changed(uint64_t top, uint32_t first)
{
	return ((top + ONE_CHANGE) & ~(ONE_CHANGE - 1)) | first;
}

uint32_t oc_slots_take(struct oc_slots *slots)
{
	uint64_t top = atomic_load_explicit(&slots->top, memory_order_acquire);

	while ((uint32_t)top != 0) {
		uint32_t slot = (uint32_t)top - 1;
		uint32_t below = atomic_load_explicit(&slots->next[slot], memory_order_relaxed);
		if (atomic_compare_exchange_weak_explicit(&slots->top, &top, changed(top, below),
							  memory_order_acquire, memory_order_acquire))
			return slot;
	}
	return OC_SLOTS_NONE;
}

void oc_slots_give(struct oc_slots *slots, uint32_t slot)
{
	uint64_t top = atomic_load_explicit(&slots->top, memory_order_relaxed);

	do
		atomic_store_explicit(&slots->next[slot], (uint32_t)top, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(&slots->top, &top, changed(top, slot + 1),
						      memory_order_release, memory_order_relaxed));
}
