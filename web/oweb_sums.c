/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The sums of the watch, copied once a second.
 */
#include "oweb_sums.h"

void oweb_sums_init(struct oweb_sums *sums)
{
	*sums = (struct oweb_sums){ 0 };
	pthread_mutex_init(&sums->lock, NULL);
}

/* Of seconds that are not known nothing is added: counters stand still, and the gap is told elsewhere. */
void oweb_sums_take(struct oweb_sums *sums, struct oev_watch *watch)
{
	struct oev_watch_totals totals;

	if (watch == NULL)
		return;
	oev_watch_totals(watch, &totals);
	pthread_mutex_lock(&sums->lock);
	sums->sum = totals;
	pthread_mutex_unlock(&sums->lock);
}

void oweb_sums_read(struct oweb_sums *sums, struct oev_watch_totals *out)
{
	pthread_mutex_lock(&sums->lock);
	*out = sums->sum;
	pthread_mutex_unlock(&sums->lock);
}
