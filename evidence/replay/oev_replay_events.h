/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The rare events of one segment, read back in the order of their rows: reports, loads, peers, orders, reports of our own.
 */
#pragma once

#include "../audit/oev_query.h"
#include "oev_replay_group.h"

enum oev_replay_stream {
	OEV_STREAM_REPORT,
	OEV_STREAM_LOAD,
	OEV_STREAM_PEER,
	OEV_STREAM_ORDER,
	OEV_STREAM_OWN_REPORT,
	OEV_STREAM_COUNT
};

#define OEV_REPLAY_EVENTS_MAX (1u << 20) /* given at once: more than any node tells in that time */

/* One kind of rows. */
struct oev_replay_cursor {
	sqlite3_stmt *stmt; /* stands at the next row; NULL after the last */
	uint64_t next_ns;   /* time of that row */
	uint64_t report;    /* number of the report given last, for its further octets */
};

struct oev_replay_events { /* zeroed: nothing left */
	struct oev_replay_cursor cursors[OEV_STREAM_COUNT];
};

/* Those of @segment, which outlives it, without what its tables carry. Returns OC_OK, OC_EIO. Free with _fini, also then. */
int oev_replay_events_open(struct oev_replay_events *events, const struct oev_segment *segment);
void oev_replay_events_fini(struct oev_replay_events *events);

/* Gives @to those up to @until_ns. Returns OC_OK, OC_EIO, OC_ENOMEM, OC_EMALFORMED (what no node writes). */
int oev_replay_events_give(struct oev_replay_events *events, uint64_t until_ns,
			   const struct oev_replay_group *to);

/* Whether all were given. */
bool oev_replay_events_over(const struct oev_replay_events *events);
