/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * From decisions and outcomes to rows: what many requests have in common goes to the dictionaries flow, way and ending.
 *
 * The dictionaries live as long as the agent; oev_traffic_segment() says that what they hold is not in the file yet.
 */
#pragma once

#include "../../agent/oc_event.h"
#include "oev_carry.h"
#include "oev_numbering.h"

struct oev_traffic {
	struct oev_db *db;
	struct oev_carry *carry; /* borrowed; NULL: nobody goes on with this life */
	uint64_t base_ns;
	uint64_t refused; /* events left out since oev_traffic_begin() */
	struct oev_numbering flows;
	struct oev_numbering ways;
	struct oev_numbering endings;
};

/* Numbers the dictionaries begin with; those of a new life are 1. */
struct oev_traffic_first {
	uint64_t flow;
	uint64_t way;
	uint64_t ending;
};

/* OC_OK or OC_ENOMEM. */
int oev_traffic_init(struct oev_traffic *traffic, const struct oev_traffic_first *first);
void oev_traffic_fini(struct oev_traffic *traffic);

/* From now on rows go to @db, whose times count from @base_ns. */
void oev_traffic_segment(struct oev_traffic *traffic, struct oev_db *db, uint64_t base_ns);

/* Inside one transaction: begin, any number of the two below, end. Events need not stay. OC_OK, also when an event is left out;
 * OC_EIO. Decisions cost least in ascending order of id. */
void oev_traffic_begin(struct oev_traffic *traffic);
int oev_traffic_decision(struct oev_traffic *traffic, const struct oc_decision *decision);
int oev_traffic_outcome(struct oev_traffic *traffic, const struct oc_event_outcome *outcome);
int oev_traffic_end(struct oev_traffic *traffic);

/* After the commit, or after a rollback. */
void oev_traffic_keep(struct oev_traffic *traffic);
void oev_traffic_undo(struct oev_traffic *traffic);
