/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The decision itself: hold one request against one state. A pure function of state, request, time and chance.
 */
#pragma once

#include "../oc_event.h"
#include "../wire/oc_msg.h"
#include "oc_ocs.h"

/* The request in question and how much it matters (oc_prio.h). */
struct oc_ask {
	const struct oc_msg *request;
	uint8_t rank;  /* 0 .. OC_RANKS - 1: who pays for a loss report (oc_debt.h) */
	uint8_t klass; /* 0 .. OC_CLASSES - 1: threshold of a rate report (oc_rate.h) */
};

struct oc_draw {
	struct oc_look look;
	bool is_selected;
	bool is_probe;	    /* let through to learn whether the overload is over; not counted as drawn */
	bool is_recovering; /* the report itself is over */
};

/* Holds a request against @entry, which is settled at @now_ns, and counts it there. @random: 32 fresh bits.
 * A state whose return is over matches nothing: the look's version is 0 then. The look's share is the one drawn at: of
 * a loss report what the debt makes of its share for this rank, of a rate report in force 0 or OC_PPM by the bucket. */
struct oc_draw oc_decide_draw(struct oc_ocs *ocs, struct oc_ocs_entry *entry, const struct oc_policy *policy,
			      const struct oc_ask *ask, uint64_t now_ns, uint32_t random);

/* A request that @entry, settled at @now_ns, would have seen was taken away by another report: under loss it has paid its
 * part (D-243). A bucket knows only what is sent, so a rate report needs no telling. */
void oc_decide_credit(struct oc_ocs *ocs, struct oc_ocs_entry *entry, const struct oc_policy *policy,
		      uint64_t now_ns);

/* Whether @entry has a say on requests at @now_ns, without drawing. */
static inline bool oc_decide_matches(const struct oc_ocs_entry *entry)
{
	return entry->recover.phase != OC_PHASE_OVER;
}

/* Share a host's report asks for now, 0 when there is none: is it a good place to send more to (D-140)? Of a rate report in
 * force the share its bucket took away lately, and never 0: it has asked for no more than so much. */
uint32_t oc_decide_share(struct oc_ocs *ocs, const struct oc_ocs_key *key, const struct oc_policy *policy,
			 uint64_t now_ns);
