/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The last ten minutes of one node after the other, by the second: means and medians of a stretch. What is not known is NaN, never 0.
 */
#pragma once

#include "../evidence/watch/oev_watch.h"

enum oweb_column {
	OWEB_COLUMN_REQUESTS,
	OWEB_COLUMN_REFUSED,
	OWEB_COLUMN_SENT,
	OWEB_COLUMN_ANSWERS,
	OWEB_COLUMN_USEFUL
};

/* A stretch of seconds, both ends included, as how long before the newest second they are: 0 is the newest. */
struct oweb_span {
	int from_ago, until_ago; /* from_ago >= until_ago; an empty stretch has it the other way */
};

struct oweb_past {
	struct oev_watch *watch; /* borrowed */
	uint64_t last;		 /* newest second that is told */
	uint32_t nodes;
	struct oev_watch_node node[OEV_WATCH_NODES_MAX];
	bool is_known[OEV_WATCH_SECONDS];		 /* the newest is the last, likewise below */
	struct oev_watch_count count[OEV_WATCH_SECONDS]; /* of the node that was looked at */
};

/* What @watch holds now, to be free()d; NULL when that is nothing yet, @watch is NULL or there is no memory. */
struct oweb_past *oweb_past_new(struct oev_watch *watch);

/* The functions below are about node number @node on @side from now on. */
void oweb_past_look(struct oweb_past *past, uint32_t node, enum oev_watch_side side);

/* Mean of the known seconds; NaN when none is. */
double oweb_past_mean(const struct oweb_past *past, enum oweb_column column, struct oweb_span span);
/* The middle one of them, which a short storm does not move. */
double oweb_past_median(const struct oweb_past *past, enum oweb_column column, struct oweb_span span);
