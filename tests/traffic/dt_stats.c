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

static void count_series(struct dt_stats *stats, uint64_t now_ns)
{
	/* Intervals begin at whole multiples of the wall clock, so that the series of two nodes can be added. */
	uint64_t offset_us = stats->started_us % DT_SERIES_INTERVAL_US + (now_ns - stats->started_ns) / 1000;
	uint64_t at = offset_us / DT_SERIES_INTERVAL_US;
	if (at >= DT_SERIES_MAX)
		return;
	stats->series[at]++;
	if (at >= stats->series_len)
		stats->series_len = (uint32_t)at + 1;
}

struct dt_name *dt_stats_request(struct dt_stats *stats, const uint8_t *msg, const struct dt_scan *scan,
				 uint64_t now_ns)
{
	stats->requests++;
	stats->requests_sf += scan->has_sf;
	if (stats->first_ns == 0)
		stats->first_ns = now_ns;
	stats->last_ns = now_ns;
	app_of(stats, dt_msg_app(msg))->requests++;
	count_series(stats, now_ns);
	struct dt_name *origin = dt_names_get(&stats->origins, scan->origin.data, scan->origin.len);
	origin->requests++;
	return origin;
}

void dt_stats_answer_code(struct dt_stats *stats, uint32_t app_id, uint32_t result, struct dt_name *origin)
{
	struct dt_app_count *app = app_of(stats, app_id);
	stats->answers++;
	app->answers++;
	dt_tally_add(&stats->by_result, result);
	dt_tally_add(&app->by_result, result);
	if (origin) {
		origin->answers++;
		dt_tally_add(&origin->by_result, result);
	}
}

void dt_stats_answer(struct dt_stats *stats, const uint8_t *msg, const struct dt_scan *scan,
		     struct dt_name *origin)
{
	dt_stats_answer_code(stats, dt_msg_app(msg), scan->result, origin);
	stats->answers_sf += scan->has_sf;
	stats->answers_olr += scan->has_olr;
	for (int i = 0; i < DT_OLR_TYPE_COUNT; i++)
		stats->olr[i] += scan->olr[i];
	struct dt_name *from = dt_names_get(&stats->answerers, scan->origin.data, scan->origin.len);
	from->answers++;
	dt_tally_add(&from->by_result, scan->result);
}
