/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The picture of one claim over time: what was offered, selected, what arrived and was useful, with the four instants and the
 * intervals of its versions. Drawn by others; filled by the scan.
 *
 * All columns count requests by the wall time of their decision, also those about answers: a point tells what became of the
 * requests of its step. Requests and answers of the same point therefore add up. Only what decisions and outcomes of this
 * node tell is counted, except in the two columns of outside counters.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OEV_SERIES_POINTS_MAX 2000u
#define OEV_SERIES_UNKNOWN UINT32_MAX /* nobody tells: never to be drawn as 0 */

struct oev_series_point {
	uint32_t offered;  /* requests in scope of the claim, whether a version was in force or not */
	uint32_t matched;  /* of these, compared with a version of it, drawn or not */
	uint32_t selected; /* of these, taken away by it: refused, diverted, or let pass by "observe" */
	uint32_t refused
		[4]; /* of the offered, refused: by enum oc_scope of the report; [0] for other reasons */
	uint32_t diverted; /* of the offered, sent elsewhere than first chosen */
	uint32_t arrived;  /* requests sent to the subject, in scope or not (diverted to it, say) */
	uint32_t answered; /* of these, answered by it or through it */
	uint32_t useful;   /* of these, with 2xxx and within the client's patience */
	uint32_t
		alternatives; /* requests of the same application sent to other next hops; 0 of realm claims */
	uint32_t alternatives_useful;
	uint32_t
		counted; /* arrived at the subject by its own count (imported counters); OEV_SERIES_UNKNOWN */
	uint32_t counted_useful; /* likewise, by its own word */
};

/* Marks in time, wall clock in microseconds; 0: it did not happen, or no row tells of it. */
enum oev_instant {
	OEV_INSTANT_ASKED = 0,	/* emission: first report of the claim came in (or, own, was ordered) */
	OEV_INSTANT_HELD = 1,	/* acceptance: first version began */
	OEV_INSTANT_ENDED = 2,	/* the last version expired or was ended */
	OEV_INSTANT_NORMAL = 3, /* nothing was reduced any more: its ramp was over */
	OEV_INSTANT_COUNT
};

/* One version inside the range. */
struct oev_series_interval {
	uint64_t from_us;
	uint64_t until_us;  /* active until */
	uint64_t normal_us; /* effect until: end of its ramp, or when it was replaced; at least until_us */
	uint64_t first_selected_us; /* 0: none was */
	uint32_t version;
	uint32_t reduction_pct; /* share asked; of loss versions */
	uint32_t rate_rps;	/* of rate versions */
	bool is_rate;
	bool is_end; /* validity 0: it asks for nothing */
};

struct oev_series {
	uint64_t start_us; /* of the first point: a whole step since 1970 */
	uint64_t step_us;  /* 1 s, or coarser so that all fit */
	uint32_t count;
	struct oev_series_point *points;
	bool has_counted; /* some point has outside counters */
	bool has_counted_useful;
	uint64_t instant_us[OEV_INSTANT_COUNT];
	struct oev_series_interval *intervals; /* in order of time */
	size_t interval_count;
};

struct oev_audit;

/* The series of claim number @claim; NULL when it has none (no version, or more claims than are followed: the first
 * OEV_SERIES_CLAIMS_MAX are). Owned by the audit. */
#define OEV_SERIES_CLAIMS_MAX 256u
const struct oev_series *oev_audit_series(const struct oev_audit *audit, size_t claim);

/* "asked", "held", "ended", "normal". */
const char *oev_instant_text(enum oev_instant instant);
