/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Rows of lists as the events they were. Private to the feed.
 */
#pragma once

#include "../shelf/oev_shelf_list.h"
#include "oev_watch.h"

#define OEV_WATCH_FEED_ROWS 10000u /* of one list, the newest */

/* Something that was told beside the requests. */
struct oev_watch_fact {
	uint64_t wall_us;
	int64_t offset_us;
	uint64_t gap_events; /* of a gap; the event is of kind NONE then */
	char gap_reason[64];
	struct oc_event event;
};

struct oev_watch_facts {
	struct oc_names *names;
	struct oev_watch_fact *facts;
	size_t count, room;
	int rc; /* OC_ENOMEM */
};

/* Those of life @run, in the order of time. OC_OK, OC_EIO, OC_ENOMEM. */
int oev_watch_facts_read(struct oev_watch_facts *facts, struct oev_shelf *shelf, const char *run,
			 char *error);
void oev_watch_facts_fini(struct oev_watch_facts *facts);

/* Number of @text among @names; 0: none. */
uint32_t oev_watch_feed_name(struct oc_names *names, const char *text);
