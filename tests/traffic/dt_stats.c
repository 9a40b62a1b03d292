/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Counting.
 */
#include "dt_stats.h"

#include <stdlib.h>

struct dt_stats *dt_stats_new(const char *role, const struct dt_identity *me, uint64_t now_us,
			      uint64_t now_ns)
{
	struct dt_stats *stats = calloc(1, sizeof(*stats));
	if (!stats)
		return NULL;
	stats->role = role;
	stats->me = *me;
	stats->started_us = now_us;
	stats->started_ns = now_ns;
	return stats;
}

void dt_stats_free(struct dt_stats *stats)
{
	if (stats) {
		dt_names_fini(&stats->origins);
		dt_names_fini(&stats->answerers);
	}
	free(stats);
}

static struct dt_app_count *app_of(struct dt_stats *stats, uint32_t app_id)
{
	for (uint32_t i = 0; i < stats->app_count; i++) {
		if (stats->app[i].app_id == app_id)
			return &stats->app[i];
	}
	if (stats->app_count == DT_APPS_MAX)
		return &stats->app[DT_APPS_MAX - 1];
	stats->app[stats->app_count].app_id = app_id;
	return &stats->app[stats->app_count++];
}

static void count_series(struct dt_stats *stats, struct dt_name *origin, uint64_t now_ns)
{
	/* Intervals begin at whole multiples of the wall clock, so that the series of two nodes can be added. */
	uint64_t offset_us = stats->started_us % DT_SERIES_INTERVAL_US + (now_ns - stats->started_ns) / 1000;
	uint64_t at = offset_us / DT_SERIES_INTERVAL_US;
	if (at >= DT_SERIES_MAX)
		return;
	uint64_t second_us = stats->started_us % 1000000u + (now_ns - stats->started_ns) / 1000;
	dt_name_count_second(origin, (uint32_t)(second_us / 1000000u));
	stats->series[at]++;
	if (at >= stats->series_len)
		stats->series_len = (uint32_t)at + 1;
}

struct dt_name *dt_stats_request(struct dt_stats *stats, const uint8_t *msg, const struct dt_scan *scan,
				 uint64_t now_ns)
{
	stats->requests++;
	dt_seen_add(&stats->asked, scan);
	stats->drmp[dt_scan_drmp(scan)].requests++;
	if (stats->first_ns == 0)
		stats->first_ns = now_ns;
	stats->last_ns = now_ns;
	app_of(stats, dt_msg_app(msg))->requests++;
	struct dt_name *origin = dt_names_get(&stats->origins, scan->origin.data, scan->origin.len);
	origin->requests++;
	count_series(stats, origin, now_ns);
	return origin;
}

void dt_stats_answer(struct dt_stats *stats, const uint8_t *msg, const struct dt_scan *scan,
		     struct dt_name *origin, uint32_t drmp)
{
	struct dt_app_count *app = app_of(stats, dt_msg_app(msg));
	struct dt_name *from = dt_names_get(&stats->answerers, scan->origin.data, scan->origin.len);

	stats->answers++;
	app->answers++;
	from->answers++;
	origin->answers++;
	stats->drmp[drmp].answers++;
	dt_tally_add(&stats->by_result, scan->result);
	dt_tally_add(&app->by_result, scan->result);
	dt_tally_add(&from->by_result, scan->result);
	dt_tally_add(&origin->by_result, scan->result);
	dt_tally_add(&stats->drmp[drmp].by_result, scan->result);
	dt_seen_add(&stats->told, scan);
}

void dt_stats_throttled(struct dt_stats *stats, const uint8_t *msg, const struct dt_scan *scan)
{
	stats->throttled++;
	app_of(stats, dt_msg_app(msg))->throttled++;
	stats->drmp[dt_scan_drmp(scan)].throttled++;
}
