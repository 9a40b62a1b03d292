/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The decision itself: hold one request against one state. A pure function of state, request, time and chance.
 */
#pragma once

#include "../oc_event.h"
#include "oc_ocs.h"

struct oc_draw {
	struct oc_look look;
	bool is_selected;
	bool is_probe;	    /* let through to learn whether the overload is over; not counted as drawn */
	bool is_recovering; /* the report itself is over */
};

/* Holds a request against @entry, which is settled at @now_ns, and counts it there. @random: 32 fresh bits.
 * A state whose return is over matches nothing: the look's version is 0 then. */
struct oc_draw oc_decide_draw(struct oc_ocs *ocs, struct oc_ocs_entry *entry, const struct oc_policy *policy,
			      uint64_t now_ns, uint32_t random);

/* Whether @entry has a say on requests at @now_ns, without drawing. */
static inline bool oc_decide_matches(const struct oc_ocs_entry *entry)
{
	return entry->recover.phase != OC_PHASE_OVER;
}

/* Share a host's report asks for now, 0 when there is none: is it a good place to send more to (D-140)? */
uint32_t oc_decide_share(struct oc_ocs *ocs, const struct oc_ocs_key *key, const struct oc_policy *policy,
			 uint64_t now_ns);
