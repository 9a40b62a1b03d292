/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Sums over seconds.
 */
#include "oweb_sums.h"

#define AT_ONCE 16u

void oweb_sums_init(struct oweb_sums *sums)
{
	*sums = (struct oweb_sums){ 0 };
	pthread_mutex_init(&sums->lock, NULL);
}

/* Of seconds that are not known nothing is added: counters stand still, and the gap is told elsewhere. */
static void add(struct oweb_sum *sum, const struct oev_watch_second *second)
{
	const struct oev_watch_population *of = &second->population;

	if (!second->is_known)
		return;
	sum->answers += second->count.answers;
	sum->useful += second->count.useful;
	sum->lost += second->count.lost;
	sum->drawn += of->drawn;
	sum->selected += of->selected;
	for (unsigned i = 0; i < OC_WHY_COUNT; i++)
		sum->refused_why[i] += of->refused_why[i];
	for (unsigned i = 0; i < OEV_WATCH_TOOK; i++)
		sum->took[i] += of->took[i];
}

void oweb_sums_take(struct oweb_sums *sums, struct oev_watch *watch)
{
	struct oev_watch_second second[AT_ONCE];
	uint64_t latest = watch == NULL ? 0 : oev_watch_latest(watch);

	if (latest > OEV_WATCH_SECONDS && sums->second + OEV_WATCH_SECONDS < latest)
		sums->second = latest - OEV_WATCH_SECONDS;
	while (sums->second < latest) {
		uint32_t count =
			latest - sums->second < AT_ONCE ? (uint32_t)(latest - sums->second) : AT_ONCE;
		oev_watch_seconds(watch, sums->second + count, count, second);
		pthread_mutex_lock(&sums->lock);
		for (uint32_t i = 0; i < count; i++)
			add(&sums->sum, &second[i]);
		sums->second += count;
		pthread_mutex_unlock(&sums->lock);
	}
}

void oweb_sums_read(struct oweb_sums *sums, struct oweb_sum *out)
{
	pthread_mutex_lock(&sums->lock);
	*out = sums->sum;
	pthread_mutex_unlock(&sums->lock);
}
