/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Sums over the seconds that were told since the server started: what counters of /metrics need and the watch, which forgets after ten
 * minutes, does not keep.
 */
#pragma once

#include <pthread.h>

#include "oweb_node.h"

struct oweb_sum {
	uint64_t answers, useful, lost;
	uint64_t drawn, selected;
	uint64_t refused_why[OC_WHY_COUNT];
	uint64_t took[OEV_WATCH_TOOK];
};

struct oweb_sums {
	pthread_mutex_t lock;
	uint64_t second; /* the last one that is in it */
	struct oweb_sum sum;
};

void oweb_sums_init(struct oweb_sums *sums);
/* Adds the seconds told since; called once a second. @watch NULL: nothing. */
void oweb_sums_take(struct oweb_sums *sums, struct oev_watch *watch);
void oweb_sums_read(struct oweb_sums *sums, struct oweb_sum *out);
