/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A watch that shows the end of a folder: its last life, as far as a watch keeps, fed out of the evidence with the recorded times.
 *
 * What was in force before (states, connections, loads) is told first. Of the last 200,000 requests at most is told; what was before stays
 * unknown.
 */
#pragma once

#include "../shelf/oev_shelf.h"
#include "oev_watch.h"

struct oev_watch_feed;

/* Reads what @shelf holds now, which takes up to a few seconds. A folder without a life gives an empty watch. *@stop (may be NULL):
 * looked at now and then. OC_OK, OC_EINTERRUPTED, OC_EIO, OC_ENOMEM; then *@error is one sentence. */
int oev_watch_feed_new(struct oev_watch_feed **out, struct oev_shelf *shelf, const _Atomic bool *stop,
		       char error[static OEV_SHELF_TEXT_MAX]);
void oev_watch_feed_free(struct oev_watch_feed *feed);

/* Both belong to the feed. The names are its own. */
struct oev_watch *oev_watch_feed_watch(struct oev_watch_feed *feed);
const struct oc_names *oev_watch_feed_names(const struct oev_watch_feed *feed);
