/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Counting requests into the points of a claim's picture.
 */
#include "oev_series.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../../agent/oc_err.h"
#include "oev_follow.h"

#define SECOND_US 1000000ull

const char *oev_instant_text(enum oev_instant instant)
{
	static const char *const words[] = { "asked", "held", "ended", "normal" };
	_Static_assert(sizeof(words) / sizeof(words[0]) == OEV_INSTANT_COUNT, "one word per instant");
	return words[instant];
}

const struct oev_series *oev_audit_series(const struct oev_audit *audit, size_t claim)
{
	return claim < audit->follow_count && audit->series[claim].count > 0 ? &audit->series[claim] : NULL;
}

/* The finest step that people read as one and that needs no more than OEV_SERIES_POINTS_MAX points. */
static uint64_t step_for(uint64_t span_us)
{
	static const uint64_t steps_s[] = { 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200 };
	uint64_t least_us = span_us / (OEV_SERIES_POINTS_MAX - 2) + 1;

	for (size_t i = 0; i < sizeof(steps_s) / sizeof(steps_s[0]); i++)
		if (steps_s[i] * SECOND_US >= least_us)
			return steps_s[i] * SECOND_US;
	return (least_us / (86400 * SECOND_US) + 1) * 86400 * SECOND_US;
}

static void take_asked(struct oev_audit *audit, uint32_t claim, struct oev_series *series)
{
	uint64_t *asked_us = &series->instant_us[OEV_INSTANT_ASKED];

	for (size_t i = 0; i < audit->report_count; i++)
		if (audit->reports[i].claim == (int32_t)claim && audit->reports[i].accepted &&
		    audit->reports[i].wall_us >= audit->options.from_us &&
		    (*asked_us == 0 || audit->reports[i].wall_us < *asked_us))
			*asked_us = audit->reports[i].wall_us;
}

int oev_series_begin(struct oev_audit *audit, uint32_t claim)
{
	const struct oev_effect *effect = &audit->effects[claim];
	struct oev_series *series = &audit->series[claim];
	uint64_t over_us = effect->normal_us != 0 ? effect->normal_us : effect->ended_us;
	uint64_t from_us = effect->first_us > effect->around_us ? effect->first_us - effect->around_us : 0;
	uint64_t until_us = over_us + effect->around_us;

	if (effect->first_us == 0)
		return OC_OK; /* nothing was held in the window */
	from_us = from_us > audit->from_us ? from_us : audit->from_us;
	until_us = until_us < audit->until_us ? until_us : audit->until_us;
	if (from_us >= until_us)
		return OC_OK;
	series->step_us = step_for(until_us - from_us);
	series->start_us = from_us / series->step_us * series->step_us;
	series->count = (uint32_t)((until_us - series->start_us) / series->step_us + 1);
	series->points = calloc(series->count, sizeof(*series->points));
	if (series->points == NULL) {
		series->count = 0;
		return OC_ENOMEM;
	}
	take_asked(audit, claim, series);
	series->instant_us[OEV_INSTANT_HELD] = effect->first_us;
	series->instant_us[OEV_INSTANT_ENDED] = effect->ended_us;
	series->instant_us[OEV_INSTANT_NORMAL] = effect->normal_us;
	return OC_OK;
}

static struct oev_series_point *point_of(struct oev_series *series, const struct oev_row *row)
{
	uint64_t at = (row->wall_us - series->start_us) / series->step_us;

	return row->wall_us >= series->start_us && at < series->count ? &series->points[at] : NULL;
}

void oev_series_request(const struct oev_follow *follow, const struct oev_concern *concern,
			const struct oev_row *row)
{
	struct oev_series_point *point = point_of(follow->series, row);
	uint32_t times = (uint32_t)concern->times;

	if (point == NULL)
		return;
	if (concern->is_offered) {
		point->offered += times;
		point->matched += concern->is_compared ? times : 0;
		point->selected += concern->is_selected ? times : 0;
		if (row->verdict == OC_REFUSE)
			point->refused[row->why == OC_WHY_REPORT ? row->selected_by % OC_SCOPE_COUNT : 0] +=
				times;
		point->diverted += row->verdict == OC_DIVERT ? times : 0;
	}
	point->arrived += concern->is_arrival ? times : 0;
	point->alternatives += concern->is_alternative ? times : 0;
}

void oev_series_answer(struct oev_scan *scan, const struct oev_follow *follow,
		       const struct oev_concern *concern, const struct oev_row *row,
		       const struct oev_answer *answer)
{
	struct oev_series_point *point = point_of(follow->series, row);
	uint32_t times = (uint32_t)concern->times;
	bool useful = oev_effect_is_useful(scan->audit, answer);
	bool through = oev_effect_came_through(follow, row, answer);

	if (point == NULL)
		return;
	point->arrived += through ? times : 0;
	point->alternatives -= through && concern->is_alternative ? times : 0;
	if ((concern->is_arrival || through) && answer->maker == OC_MADE_UPSTREAM) {
		point->answered += times;
		point->useful += useful ? times : 0;
	}
	point->alternatives_useful += concern->is_alternative && !through && useful ? times : 0;
}

static int by_time(const void *a, const void *b)
{
	const struct oev_series_interval *left = a, *right = b;

	if (left->from_us != right->from_us)
		return left->from_us < right->from_us ? -1 : 1;
	return left->version < right->version ? -1 : left->version > right->version;
}

static void add_interval(struct oev_series *series, const struct oev_version *version)
{
	uint64_t normal_ns = oev_version_normal(version), until_us = oev_audit_wall(version, version->end_ns);
	struct oev_series_interval *interval = &series->intervals[series->interval_count++];

	*interval = (struct oev_series_interval){
		.from_us = version->from_us,
		.until_us = until_us,
		.normal_us = normal_ns > version->end_ns ? oev_audit_wall(version, normal_ns) : until_us,
		.first_selected_us =
			version->selected_ns != 0 ? oev_audit_wall(version, version->selected_ns) : 0,
		.version = version->number,
		.reduction_pct = version->has_reduction ? version->reduction_pct : 0,
		.rate_rps = version->is_rate ? version->rate_rps : 0,
		.is_rate = version->is_rate,
		.is_end = version->validity_s == 0,
	};
}

/* What the subject counted itself, where its series covers a whole point. */
static void take_counted(const struct oev_audit *audit, uint32_t claim, struct oev_series *series)
{
	const struct oev_claim *of = &audit->claims[claim];

	for (uint32_t i = 0; i < series->count; i++)
		series->points[i].counted = series->points[i].counted_useful = OEV_SERIES_UNKNOWN;
	for (size_t i = 0; of->type == OC_REPORT_HOST && i < audit->counters_count; i++) {
		const struct oev_counters *file = &audit->counters[i];
		struct oev_counter_span span;
		if (file->role != OEV_ROLE_SERVER || strcasecmp(file->node, of->subject) != 0 ||
		    file->app_count != 1 || !oev_audit_covers(of, file->apps[0].app_id))
			continue;
		for (uint32_t j = 0; j < series->count; j++) {
			uint64_t from_us = series->start_us + j * series->step_us;
			if (!oev_counters_between(file, from_us, from_us + series->step_us, &span) ||
			    span.last_us - span.first_us != series->step_us)
				continue;
			series->points[j].counted = (uint32_t)span.sum;
			series->has_counted = true;
			if (file->useful_series == NULL)
				continue;
			series->points[j].counted_useful = (uint32_t)span.useful;
			series->has_counted_useful = true;
		}
	}
}

int oev_series_end(struct oev_audit *audit, uint32_t claim)
{
	const struct oev_claim *of = &audit->claims[claim];
	struct oev_series *series = &audit->series[claim];

	if (series->count == 0)
		return OC_OK;
	series->intervals = calloc(of->version_count + 1, sizeof(*series->intervals));
	if (series->intervals == NULL)
		return OC_ENOMEM;
	for (uint32_t i = 0; i < of->version_count; i++)
		if (audit->versions[of->version_first + i].in_window)
			add_interval(series, &audit->versions[of->version_first + i]);
	if (series->interval_count > 1)
		qsort(series->intervals, series->interval_count, sizeof(*series->intervals), by_time);
	take_counted(audit, claim, series);
	return OC_OK;
}
