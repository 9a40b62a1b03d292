/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Repeats of reports that no entry holds: stale and refused ones, told once and then only counted.
 *
 * A small fixed cache. A report pushed out of it is recorded in full when it comes again, so the trail may
 * hold more than it must, never less.
 */
#pragma once

#include "doic/oc_ocs.h"

#define OC_REPEATS_SLOTS 256u

struct oc_repeats {
	struct oc_repeat slots[OC_REPEATS_SLOTS];
};

/* Starts counting @r at its first reception. */
static inline void oc_repeat_begin(struct oc_repeat *r, uint64_t report, uint64_t fingerprint)
{
	*r = (struct oc_repeat){ .report = report, .fingerprint = fingerprint };
}

static inline void oc_repeat_count(struct oc_repeat *r, uint64_t now_ns)
{
	if (r->count++ == 0)
		r->first_ns = now_ns;
	r->last_ns = now_ns;
}

/* Slot for @fingerprint: holds it already (slot->report != 0 and slot->fingerprint equal) or is to be reused. */
static inline struct oc_repeat *oc_repeats_slot(struct oc_repeats *repeats, uint64_t fingerprint)
{
	return &repeats->slots[(fingerprint >> 40) % OC_REPEATS_SLOTS];
}
