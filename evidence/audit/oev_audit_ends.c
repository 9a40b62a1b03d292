/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Laying a run over the evidence at every shift.
 */
#include "oev_audit_ends.h"

_Static_assert(OEV_ENDS_US == OEV_ENDS_BINS * OEV_ENDS_BIN_US, "the tenths make up the second");

static void count(uint32_t bins[OEV_ENDS_BINS], uint64_t away_us)
{
	if (away_us < OEV_ENDS_US)
		bins[away_us / OEV_ENDS_BIN_US]++;
}

void oev_ends_add(struct oev_ends *ends, uint64_t from_us, uint64_t until_us, uint64_t wall_us)
{
	if (wall_us < from_us) {
		count(ends->first.outside, from_us - 1 - wall_us);
	} else if (wall_us >= until_us) {
		count(ends->last.outside, wall_us - until_us);
	} else {
		count(ends->first.inside, wall_us - from_us);
		count(ends->last.inside, until_us - 1 - wall_us);
	}
}

/* Widens @slack by shifts that lose at @loses and gain at @gains. */
static void shift(const struct oev_run_end *loses, const struct oev_run_end *gains, bool knows,
		  struct oev_ends_slack *slack)
{
	uint64_t lost = 0, gained = 0, within = 0;

	for (unsigned i = 0; i < OEV_ENDS_BINS; i++) {
		uint64_t lost_next = lost + loses->inside[i], gained_next = gained + gains->outside[i];
		within += gains->inside[i];
		uint64_t most = knows || gained_next > within ? gained_next : within;
		if (most > lost && most - lost > slack->more)
			slack->more = most - lost;
		if (lost_next > gained && lost_next - gained > slack->less)
			slack->less = lost_next - gained;
		lost = lost_next;
		gained = gained_next;
	}
}

struct oev_ends_slack oev_ends_allow(const struct oev_ends *ends, bool knows_before, bool knows_after)
{
	struct oev_ends_slack slack = { 0 };

	shift(&ends->first, &ends->last, knows_after, &slack);
	shift(&ends->last, &ends->first, knows_before, &slack);
	return slack;
}
