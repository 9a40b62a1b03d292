/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Counting decisions of the two sides of a what-if. Private to oev_whatif.
 */
#pragma once

#include "../../agent/oc_event.h"
#include "../audit/oev_index.h"
#include "oev_whatif.h"

#define OEV_PAIRS 131072u /* decisions that wait for their other side */

struct oev_pair {
	uint64_t id; /* 0: free */
	uint32_t next_hop;
	uint8_t verdict;
	uint8_t side;
	bool is_moved;
};

/* What numbers of a life stand for, and what of it waits. Zeroed, then the first two filled; free with _fini. */
struct oev_whatif_book {
	struct oev_whatif *whatif;
	const struct oev_replay_life *life;
	struct oev_index clients, servers;    /* by name number of the life: place and one */
	struct oev_index versions[OEV_SIDES]; /* by version: place of the report and one */
	struct oev_pair *pairs;		      /* by number modulo OEV_PAIRS */
	int rc;				      /* OC_ENOMEM once something could not be counted */
};

void oev_book_fini(struct oev_whatif_book *book);

/* @version of @side is of such a report. */
void oev_book_version(struct oev_whatif_book *book, unsigned side,
		      const struct oc_event_ocs_version *version);

/* A decision of @side. */
void oev_book_decision(struct oev_whatif_book *book, unsigned side, const struct oc_decision *decision);

/* The same request on both sides. */
void oev_book_compare(struct oev_whatif_book *book, const struct oc_decision *before,
		      const struct oc_decision *after);

/* The same, when they come one after the other. */
void oev_book_pair(struct oev_whatif_book *book, unsigned side, const struct oc_decision *decision);

/* All lives are over: the last seconds count. */
void oev_whatif_settle(struct oev_whatif *whatif);
