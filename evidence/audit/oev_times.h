/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * How wall time follows monotonic time in one segment: its clock pairs.
 */
#pragma once

#include "oev_query.h"

#define OEV_TIMES_MAX (1u << 20) /* pairs kept: twelve days at one a second */

struct oev_times {	   /* zeroed: empty; unchanged once loaded, so any number of threads may read */
	uint64_t *mono_ns; /* rising */
	uint64_t *wall_us;
	size_t count;
};

/* Returns OC_OK, OC_EIO, OC_ENOMEM. Free with _fini, also then. */
int oev_times_load(struct oev_times *times, const struct oev_segment *segment);
void oev_times_fini(struct oev_times *times);

/* Wall time of @mono_ns by the last pair before it (or the first one), microseconds. *@hint: place of the pair found last, 0 at
 * first; times that rise are found at once. */
uint64_t oev_times_wall(const struct oev_times *times, uint64_t mono_ns, size_t *hint);
