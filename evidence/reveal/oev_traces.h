/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What evidence holds of pseudonyms: one trace for each, found by its number. Memory is bounded by the limit given.
 *
 * A trace belongs to an owner, whose traces form a chain: to an identity that was asked for, or, a session, to the trace of its
 * subscriber. Places are numbers from 0; OEV_TRACE_NONE is none.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "../../agent/oc_event.h"

#define OEV_TRACE_NONE UINT32_MAX

/* Where a decision stands. */
struct oev_spot {
	uint64_t wall_us;
	uint64_t decision;
	uint32_t segment; /* place in the list of segments */
};

struct oev_trace {
	uint64_t pseudonym;
	uint32_t owner;
	uint32_t next;	   /* of the same owner */
	uint8_t kind;	   /* enum oc_identity_kind */
	bool in_table;	   /* its text stands in table identity */
	bool has_more;	   /* sessions than were kept */
	uint32_t sessions; /* first of its chain of sessions */
	uint32_t session_count;
	uint64_t decisions, diverted, refused;
	struct oev_spot first, last; /* when decisions > 0 */
	char *text;		     /* of a session, when it is known */
};

struct oev_traces { /* zeroed before oev_traces_init() */
	struct oev_trace *items;
	uint32_t count, room, limit;
	uint32_t *index; /* place + 1; 0 free */
	uint32_t mask;	 /* its size - 1 */
};

void oev_traces_init(struct oev_traces *traces, uint32_t limit);
void oev_traces_fini(struct oev_traces *traces);

/* The first trace of @pseudonym and @kind behind @after (OEV_TRACE_NONE: from the beginning); several owners may have the same. */
uint32_t oev_traces_find(const struct oev_traces *traces, uint64_t pseudonym, unsigned kind, uint32_t after);

/* A new one, at the head of the chain *@head. *@place says where. OC_OK, OC_ENOSPC (the limit), OC_ENOMEM. */
int oev_traces_add(struct oev_traces *traces, uint64_t pseudonym, unsigned kind, uint32_t owner,
		   uint32_t *head, uint32_t *place);

/* Turns the chain *@head round: the one added first comes first. */
void oev_traces_reverse(struct oev_traces *traces, uint32_t *head);

/* A decision of that pseudonym. @verdict: enum oc_verdict. */
void oev_trace_note(struct oev_trace *trace, const struct oev_spot *spot, int64_t verdict);
