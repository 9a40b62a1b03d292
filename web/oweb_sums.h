/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Sums of all that was recorded since the start, for the counters of /metrics: of one moment for all who read within a second.
 */
#pragma once

#include <pthread.h>

#include "oweb_node.h"

struct oweb_sums {
	pthread_mutex_t lock;
	struct oev_watch_totals sum;
};

void oweb_sums_init(struct oweb_sums *sums);
/* Takes them over; called once a second. @watch NULL: nothing. */
void oweb_sums_take(struct oweb_sums *sums, struct oev_watch *watch);
void oweb_sums_read(struct oweb_sums *sums, struct oev_watch_totals *out);
