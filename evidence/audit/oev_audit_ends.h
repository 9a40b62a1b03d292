/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The ends of a run of imported intervals: how far a count may differ from the evidence because the two clocks do.
 *
 * A clock that is off moves the whole run: what it gains at one end it loses at the other. So the run is laid over the evidence at every
 * shift up to a second, and the largest difference either way is what the ends allow. Requests are counted by tenths of a second, and
 * where in its tenth a request lies is left open: that much may move over one end without the other, for those under way.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define OEV_ENDS_BINS 10u
#define OEV_ENDS_BIN_US 100000u
#define OEV_ENDS_US 1000000u /* all of them: how far the clock of a counting node may be off */

/* Requests near one end, by tenths of a second away from it. */
struct oev_run_end {
	uint32_t inside[OEV_ENDS_BINS];
	uint32_t outside[OEV_ENDS_BINS];
};

struct oev_ends {
	struct oev_run_end first, last;
};

/* Counts what happened at @wall_us by the evidence for the run [@from_us, @until_us), if it is near an end. */
void oev_ends_add(struct oev_ends *ends, uint64_t from_us, uint64_t until_us, uint64_t wall_us);

struct oev_ends_slack {
	uint64_t less, more; /* than the evidence has in the run */
};

/* @knows_before, @knows_after: whether the evidence tells everything of the second beyond that end; if not, as much as within it may have
 * happened there. */
struct oev_ends_slack oev_ends_allow(const struct oev_ends *ends, bool knows_before, bool knows_after);
