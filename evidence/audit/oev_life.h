/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Lives: the segments of one run of a node, one part after the other, read as one.
 *
 * Numbers of names, reports, versions and decisions belong to a life. What a part repeats from an earlier one at the beginning of
 * its tables is left out when that one is there. Parts that are not there leave a gap, unless they are the first ones: then the
 * life begins with what its first part carries.
 */
#pragma once

#include "oev_query.h"

struct oev_audit;

struct oev_life {
	uint32_t first, count; /* of audit->segments */
	uint64_t started_us;
	uint64_t until_us; /* it is told of until then */
	uint64_t last_ns;  /* monotonic time of its last row */
	uint64_t ramp_ms;  /* this and what follows: of its policies what allows most, as of oev_segment */
	uint32_t slack;
	uint32_t threshold_permille;
	bool anti_resonant;
	bool sampler_random;
	bool is_capture;
	bool was_cut;	      /* it did not end by itself: a later one finished it */
	bool is_open;	      /* its last part was never closed: recording, or killed */
	bool lacks_beginning; /* its first parts are not there */
	bool lacks_end;	      /* its last part says that another follows */
};

/* Orders audit->segments by life and part, and fills audit->lives. Returns OC_OK, OC_ENOMEM. */
int oev_lives_make(struct oev_audit *audit);

/* Whether the part before segment number @segment is there, and was read: then what it repeats is known already. */
bool oev_life_follows(const struct oev_audit *audit, uint32_t segment);

/* The life of the same node that came after @life, UINT32_MAX when there is none. Where the log of the node tells the order it counts, since a
 * wall clock may have been set back between two lives; else the times they began at. */
uint32_t oev_life_after(const struct oev_audit *audit, uint32_t life);

/* Which life of its node @life is among those that are here, from 1. */
uint32_t oev_life_number(const struct oev_audit *audit, uint32_t life);

/* Number of @name in the life @life, without regard to case; 0 when it does not occur. */
uint32_t oev_life_name_id(const struct oev_audit *audit, uint32_t life, const char *name);

/* Text of the name numbered @id in the life @life; "" when it has none. */
void oev_life_name(const struct oev_audit *audit, uint32_t life, uint32_t id, char *buf, size_t size);

/* How much of [@from_us, @until_us) the segments of @node tell of, microseconds. */
uint64_t oev_lives_cover(const struct oev_audit *audit, const char *node, uint64_t from_us,
			 uint64_t until_us);
