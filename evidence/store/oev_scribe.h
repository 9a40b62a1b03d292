/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * From the journal into a segment: the rows of one batch of events, for the running agent and for what a dead one left.
 */
#pragma once

#include "oev_haul.h"
#include "oev_traffic.h"
#include "oev_writer.h"

struct oev_scribe {
	struct oev_journal *journal;
	struct oev_haul haul;
	struct oev_traffic traffic;
	struct oev_carry *carry; /* borrowed; NULL: nobody goes on with this life */
	int64_t offset_us;	 /* wall clock minus monotonic clock */
};

/* @most: events of one batch; @carry: as of struct oev_scribe. OC_OK or OC_ENOMEM. */
int oev_scribe_init(struct oev_scribe *scribe, struct oev_journal *journal, struct oev_carry *carry,
		    uint32_t most, const struct oev_traffic_first *first);
void oev_scribe_fini(struct oev_scribe *scribe);

/* From now on rows go to @segment, whose times count from @base_ns. */
void oev_scribe_segment(struct oev_scribe *scribe, struct oev_writer *segment, uint64_t base_ns);

/* Writes what waits in the journal, inside a transaction; what was taken is in scribe->haul. *@refused grows by the events
 * left out. OC_OK, OC_EIO. */
int oev_scribe_write(struct oev_scribe *scribe, uint64_t *refused);

/* After the commit, with the events still in the journal; or after a rollback: the same events come again. */
void oev_scribe_keep(struct oev_scribe *scribe);
void oev_scribe_undo(struct oev_scribe *scribe);
