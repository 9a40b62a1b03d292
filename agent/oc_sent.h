/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Answers that carried our reports, counted per content and neighbour until they are told.
 *
 * A small fixed cache: a count pushed out of it is told at once, so none is lost.
 */
#pragma once

#include "oc_event.h"

#define OC_SENT_SLOTS 256u

struct oc_sent {
	struct oc_event_own_sent slots[OC_SENT_SLOTS];
};

/* Counts one answer to @peer that carried contents @sequence. True: *@out is a count that had to make room, to be
 * told. */
static inline bool oc_sent_count(struct oc_sent *sent, uint64_t sequence, uint8_t type, uint32_t peer,
				 uint64_t now_ns, struct oc_event_own_sent *out)
{
	uint64_t hash = (sequence ^ ((uint64_t)peer << 40)) * 0x9e3779b97f4a7c15ull;
	struct oc_event_own_sent *slot = &sent->slots[(hash >> 40) % OC_SENT_SLOTS];
	bool is_other = slot->count != 0 && (slot->sequence != sequence || slot->peer != peer);

	if (is_other)
		*out = *slot;
	if (is_other || slot->count == 0)
		*slot = (struct oc_event_own_sent){
			.sequence = sequence, .first_ns = now_ns, .peer = peer, .type = type
		};
	slot->last_ns = now_ns;
	slot->count++;
	return is_other;
}
