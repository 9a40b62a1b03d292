/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The result document ("doic.traffic/1") and the counters file ("doic.counters/1").
 */
#include <stdio.h>
#include <string.h>

#include "dt_stats.h"

static json_t *number(uint64_t value)
{
	return json_integer((json_int_t)value);
}

static json_t *tally_json(const struct dt_tally *tally)
{
	json_t *root = json_object();
	char key[16];
	for (uint32_t i = 0; i < DT_TALLY_MAX && tally->count[i]; i++) {
		snprintf(key, sizeof(key), "%u", tally->code[i]);
		json_object_set_new(root, key, number(tally->count[i]));
	}
	if (tally->other)
		json_object_set_new(root, "other", number(tally->other));
	return root;
}

static json_t *hist_json(const struct dt_hist *hist)
{
	static const struct {
		const char *name;
		uint32_t ppm;
	} parts[] = { { "p50", 500000 }, { "p90", 900000 }, { "p99", 990000 }, { "p99.9", 999000 } };
	json_t *root = json_object();
	json_object_set_new(root, "count", number(hist->count));
	json_object_set_new(root, "mean",
			    json_real(hist->count ? (double)hist->sum_ns / 1e3 / (double)hist->count : 0));
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		json_object_set_new(root, parts[i].name,
				    json_real((double)dt_hist_quantile(hist, parts[i].ppm) / 1e3));
	json_object_set_new(root, "max", json_real((double)hist->max_ns / 1e3));
	return root;
}

static json_t *seconds_json(const struct dt_name *name)
{
	json_t *list = json_array();
	for (uint32_t i = 0; i < name->seconds; i++)
		json_array_append_new(list, number(name->per_second[i]));
	return list;
}

static json_t *names_json(const struct dt_names *names, bool with_requests)
{
	json_t *root = json_object();
	for (uint32_t i = 0; i < names->count; i++) {
		const struct dt_name *name = &names->entry[i];
		json_t *one = json_object();
		if (with_requests)
			json_object_set_new(one, "requests", number(name->requests));
		json_object_set_new(one, "answers", number(name->answers));
		json_object_set_new(one, "by_result", tally_json(&name->by_result));
		if (with_requests)
			json_object_set_new(one, "per_second", seconds_json(name));
		json_object_set_new(root, name->text, one);
	}
	return root;
}

static json_t *apps_json(const struct dt_stats *stats, bool with_useful)
{
	json_t *list = json_array();
	for (uint32_t i = 0; i < stats->app_count; i++) {
		const struct dt_app_count *app = &stats->app[i];
		uint64_t unanswered = app->requests > app->answers ? app->requests - app->answers : 0;
		json_t *one = json_object();
		json_object_set_new(one, "app_id", number(app->app_id));
		json_object_set_new(one, "requests", number(app->requests));
		json_object_set_new(one, "answers", number(app->answers));
		json_object_set_new(one, "unanswered", number(unanswered));
		json_object_set_new(one, "throttled", number(app->throttled));
		json_object_set_new(one, "by_result", tally_json(&app->by_result));
		if (with_useful)
			json_object_set_new(one, "useful", number(dt_tally_get(&app->by_result, 2001)));
		json_array_append_new(list, one);
	}
	return list;
}

static json_t *by_drmp_json(const struct dt_stats *stats)
{
	json_t *root = json_object();
	for (uint32_t i = 0; i < DT_DRMP_COUNT; i++) {
		const struct dt_drmp_count *drmp = &stats->drmp[i];
		if (!drmp->requests && !drmp->throttled)
			continue;
		uint64_t refused =
			dt_tally_get(&drmp->by_result, 3004) + dt_tally_get(&drmp->by_result, 5012);
		json_t *one = json_object();
		json_object_set_new(one, "requests", number(drmp->requests));
		json_object_set_new(one, "answers", number(drmp->answers));
		json_object_set_new(one, "success", number(dt_tally_get(&drmp->by_result, 2001)));
		json_object_set_new(one, "refused", number(refused));
		json_object_set_new(one, "throttled", number(drmp->throttled));
		json_object_set_new(one, "by_result", tally_json(&drmp->by_result));
		json_object_set_new(root, dt_drmp_name(i), one);
	}
	return root;
}

static json_t *doic_json(const struct dt_stats *stats)
{
	json_t *root = json_object();
	json_t *olr = json_object();
	json_object_set_new(root, "requests_with_sf", number(stats->asked.with_sf));
	json_object_set_new(root, "requests_without_sf", number(stats->requests - stats->asked.with_sf));
	json_object_set_new(root, "answers_with_sf", number(stats->told.with_sf));
	json_object_set_new(root, "answers_with_olr", number(stats->told.with_olr));
	json_object_set_new(olr, "host", number(stats->told.olr[DT_OLR_HOST].count));
	json_object_set_new(olr, "realm", number(stats->told.olr[DT_OLR_REALM].count));
	json_object_set_new(olr, "peer", number(stats->told.olr[DT_OLR_PEER].count));
	json_object_set_new(olr, "other", number(stats->told.olr[DT_OLR_OTHER].count));
	json_object_set_new(root, "olr", olr);
	json_object_set_new(root, "requests", dt_seen_json(&stats->asked));
	json_object_set_new(root, "answers", dt_seen_json(&stats->told));
	return root;
}

static void put_totals(json_t *root, const struct dt_stats *stats)
{
	double span_s = (double)(stats->last_ns - stats->first_ns) / 1e9;
	uint64_t unanswered = stats->requests > stats->answers ? stats->requests - stats->answers : 0;

	json_object_set_new(root, "started_us", number(stats->started_us));
	json_object_set_new(root, "ended_us", number(stats->ended_us));
	json_object_set_new(root, "duration_s",
			    json_real((double)(stats->ended_ns - stats->started_ns) / 1e9));
	json_object_set_new(root, "requests", number(stats->requests));
	json_object_set_new(root, "answers", number(stats->answers));
	json_object_set_new(root, "unanswered", number(unanswered));
	json_object_set_new(root, "throughput_rps",
			    json_real(span_s > 0 ? (double)stats->answers / span_s : 0));
	json_object_set_new(root, "late", number(stats->late));
	json_object_set_new(root, "timeouts", number(stats->timeouts));
	json_object_set_new(root, "not_sent", number(stats->not_sent));
	json_object_set_new(root, "throttled", number(stats->throttled));
	json_object_set_new(root, "dropped", number(stats->dropped));
	json_object_set_new(root, "malformed", number(stats->malformed));
	json_object_set_new(root, "unexpected", number(stats->unexpected));
}

json_t *dt_stats_json(const struct dt_stats *stats)
{
	json_t *root = json_object();
	json_object_set_new(root, "schema", json_string("doic.traffic/1"));
	json_object_set_new(root, "role", json_string(stats->role));
	json_object_set_new(root, "node", json_string(stats->me.host));
	json_object_set_new(root, "realm", json_string(stats->me.realm));
	put_totals(root, stats);
	json_object_set_new(root, "by_result", tally_json(&stats->by_result));
	json_object_set_new(root, "apps", apps_json(stats, false));
	json_object_set_new(root, "by_drmp", by_drmp_json(stats));
	json_object_set_new(root, "by_origin", names_json(&stats->origins, true));
	json_object_set_new(root, "by_answering_host", names_json(&stats->answerers, false));
	json_object_set_new(root, "doic", doic_json(stats));
	if (stats->latency.count) {
		json_object_set_new(root, "latency_us", hist_json(&stats->latency));
		json_object_set_new(root, "latency_ok_us", hist_json(&stats->latency_ok));
	}
	return root;
}

static json_t *series_json(const struct dt_stats *stats)
{
	json_t *root = json_object();
	json_t *list = json_array();
	uint64_t start_us = stats->started_us - stats->started_us % DT_SERIES_INTERVAL_US;

	for (uint32_t i = 0; i < stats->series_len; i++)
		json_array_append_new(list, number(stats->series[i]));
	json_object_set_new(root, "start_us", number(start_us));
	json_object_set_new(root, "interval_us", number(DT_SERIES_INTERVAL_US));
	json_object_set_new(root, "requests", list);
	return root;
}

json_t *dt_stats_counters_json(const struct dt_stats *stats, bool with_telemetry)
{
	bool with_useful = with_telemetry && strcmp(stats->role, "server") == 0;
	json_t *root = json_object();
	json_object_set_new(root, "schema", json_string("doic.counters/1"));
	json_object_set_new(root, "role", json_string(stats->role));
	json_object_set_new(root, "node", json_string(stats->me.host));
	json_object_set_new(root, "realm", json_string(stats->me.realm));
	json_object_set_new(root, "started_us", number(stats->started_us));
	json_object_set_new(root, "ended_us", number(stats->ended_us));
	json_object_set_new(root, "apps", apps_json(stats, with_useful));
	json_object_set_new(root, "series", series_json(stats));
	return root;
}

int dt_json_write(json_t *root, const char *path, bool one_line)
{
	size_t flags = one_line ? JSON_COMPACT : JSON_INDENT(2);
	FILE *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
	int rc = file ? json_dumpf(root, file, flags | JSON_REAL_PRECISION(9)) : -1;

	if (file && fputc('\n', file) == EOF)
		rc = -1;
	if (file && (file == stdout ? fflush(file) : fclose(file)) != 0)
		rc = -1;
	json_decref(root);
	if (rc != 0)
		fprintf(stderr, "doic-traffic: cannot write %s\n", path);
	return rc == 0 ? OC_OK : OC_EIO;
}
