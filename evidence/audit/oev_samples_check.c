/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Intervals of samples, and samples against each other and against what the folder has.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../app/oev_app.h"
#include "../oev_time.h"
#include "oev_samples.h"
#include "oev_telemetry.h"

static const char *node_text(const struct oev_samples *samples, const struct oev_sample *sample)
{
	return samples->names[sample->node - 1];
}

static bool same_series(const struct oev_sample *a, const struct oev_sample *b)
{
	return a->node == b->node && a->app_id == b->app_id;
}

static bool same_numbers(const struct oev_sample *a, const struct oev_sample *b)
{
	return a->requests == b->requests && a->answers == b->answers && a->useful == b->useful &&
	       memcmp(a->by_class, b->by_class, sizeof(a->by_class)) == 0;
}

static int by_time(const void *a, const void *b)
{
	const struct oev_sample *left = a, *right = b;

	if (left->node != right->node)
		return left->node < right->node ? -1 : 1;
	if (left->app_id != right->app_id)
		return left->app_id < right->app_id ? -1 : 1;
	if (left->start_us != right->start_us)
		return left->start_us < right->start_us ? -1 : 1;
	if (left->source != right->source)
		return left->source < right->source ? -1 : 1;
	return (left->line > right->line) - (left->line < right->line);
}

/* "FILE:LINE:1: node s1 (Gx) at TIME" and @what. */
static int wrong(struct oev_samples *samples, const struct oev_sample *sample, const char *what)
{
	char when[OEV_TIME_TEXT_MAX], app[16], whole[640];

	oev_time_text(sample->start_us, when);
	snprintf(whole, sizeof(whole), "%s (%s) at %s %s", node_text(samples, sample),
		 oev_app_text(sample->app_id, app), when, what);
	return oev_sample_wrong(samples, samples->sources[sample->source].path, sample->line, 1, whole);
}

static void place_text(const struct oev_samples *samples, const struct oev_sample *sample, char *buf,
		       size_t size)
{
	snprintf(buf, size, "%s:%u", samples->sources[sample->source].path, sample->line);
}

/* The least time between two rows of [@first, @last): their interval. 0: there is one time only. */
static uint64_t least_step(const struct oev_sample *first, const struct oev_sample *last)
{
	uint64_t step_us = 0;

	for (const struct oev_sample *at = first + 1; at < last; at++) {
		uint64_t apart_us = at->start_us - at[-1].start_us;
		if (apart_us > 0 && (step_us == 0 || apart_us < step_us))
			step_us = apart_us;
	}
	return step_us;
}

/* One node and application: rows without an interval get the one their times show. */
static int settle_spans(struct oev_samples *samples, struct oev_sample *first, const struct oev_sample *last)
{
	uint64_t step_us = samples->derived_us != 0 ? samples->derived_us : least_step(first, last);

	for (struct oev_sample *at = first; at < last; at++) {
		if (at->span_us != 0)
			continue;
		if (step_us == 0)
			return wrong(
				samples, at,
				"stands alone, so its interval does not show: give interval_s or --interval");
		if (samples->derived_us == 0 && (at->start_us - first->start_us) % step_us != 0) {
			char what[120];
			snprintf(what, sizeof(what),
				 "is not on the step of %.3f s that the rows before it show",
				 (double)step_us / 1e6);
			return wrong(samples, at, what);
		}
		at->span_us = step_us;
	}
	return OC_OK;
}

/* Keeps @at, drops it as a repeat of the row kept last, or says why neither can be. */
static int keep(struct oev_samples *samples, const struct oev_sample *at, size_t *kept)
{
	const struct oev_sample *last = *kept > 0 ? &samples->items[*kept - 1] : NULL;
	char what[360], place[300];

	if (last == NULL || !same_series(last, at) || last->start_us + last->span_us <= at->start_us) {
		samples->items[(*kept)++] = *at;
		return OC_OK;
	}
	place_text(samples, last, place, sizeof(place));
	if (last->start_us == at->start_us && last->span_us == at->span_us) {
		if (same_numbers(last, at)) {
			samples->sources[at->source].duplicates++;
			return OC_OK;
		}
		snprintf(what, sizeof(what),
			 "came before (%s) with other numbers: %" PRIu64 " requests there, %" PRIu64 " here",
			 place, last->requests, at->requests);
	} else {
		snprintf(what, sizeof(what), "overlaps %s, which counts %.3f s from its time on", place,
			 (double)last->span_us / 1e6);
	}
	return wrong(samples, at, what);
}

int oev_samples_check(struct oev_samples *samples)
{
	size_t kept = 0;
	int rc = OC_OK;

	if (samples->count > 1)
		qsort(samples->items, samples->count, sizeof(*samples->items), by_time);
	for (size_t i = 0, next; oev_samples_goes_on(samples, rc) && i < samples->count; i = next) {
		for (next = i + 1;
		     next < samples->count && same_series(&samples->items[i], &samples->items[next]);)
			next++;
		rc = settle_spans(samples, &samples->items[i], &samples->items[next]);
	}
	rc = oev_samples_outcome(samples, rc);
	if (rc != OC_OK)
		return rc;
	for (size_t i = 0; oev_samples_goes_on(samples, rc) && i < samples->count; i++) {
		const struct oev_sample at = samples->items[i];
		rc = keep(samples, &at, &kept);
	}
	rc = oev_samples_outcome(samples, rc);
	if (rc == OC_OK)
		samples->count = kept;
	return rc;
}

/* The first sample of the same node and application that ends after @known begins. */
static struct oev_sample *find(const struct oev_samples *samples, const struct oev_sample *known)
{
	size_t low = 0, high = samples->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct oev_sample *at = &samples->items[mid];
		bool before = at->node != known->node	    ? at->node < known->node
			      : at->app_id != known->app_id ? at->app_id < known->app_id
							    : at->start_us + at->span_us <= known->start_us;
		if (before)
			low = mid + 1;
		else
			high = mid;
	}
	return low < samples->count ? &samples->items[low] : NULL;
}

struct comparison {
	struct oev_samples *samples;
	const char *path; /* of the earlier import */
};

/* One row the folder has: marks the same one here (span 0), or says that it contradicts. */
static int compare_one(void *ctx, const struct oev_telemetry_row *row)
{
	struct comparison *with = ctx;
	struct oev_samples *samples = with->samples;
	struct oev_sample known = { .app_id = row->app_id,
				    .start_us = row->start_us,
				    .span_us = row->span_us,
				    .requests = row->requests,
				    .answers = row->answers,
				    .useful = row->useful };
	char what[400];

	memcpy(known.by_class, row->by_class, sizeof(known.by_class));
	known.node = oev_samples_name(samples, row->node);
	struct oev_sample *at = known.node != 0 ? find(samples, &known) : NULL;
	if (at == NULL || !same_series(at, &known) || at->start_us >= known.start_us + known.span_us)
		return OC_OK;
	if (at->start_us == known.start_us && at->span_us == known.span_us && same_numbers(at, &known)) {
		at->line = 0; /* known; taken out when all were compared */
		samples->known++;
		return OC_OK;
	}
	if (at->start_us == known.start_us && at->span_us == known.span_us)
		snprintf(what, sizeof(what),
			 "is in %s with other numbers: %" PRIu64 " requests there, %" PRIu64 " here",
			 with->path, known.requests, at->requests);
	else
		snprintf(what, sizeof(what), "overlaps an interval that is in %s", with->path);
	int rc = wrong(samples, at, what);
	return oev_samples_goes_on(samples, rc) ? OC_OK : OC_EREFUSED;
}

/* Where the rows lie in time. */
static void window_of(const struct oev_samples *samples, uint64_t *from_us, uint64_t *until_us)
{
	*from_us = samples->count > 0 ? UINT64_MAX : 0;
	*until_us = 0;
	for (size_t i = 0; i < samples->count; i++) {
		uint64_t start_us = samples->items[i].start_us, end_us = start_us + samples->items[i].span_us;
		*from_us = start_us < *from_us ? start_us : *from_us;
		*until_us = end_us > *until_us ? end_us : *until_us;
	}
	/* What overlaps them may begin before, and end after. */
	*from_us -= *from_us > OEV_SAMPLE_SPAN_MAX_US ? OEV_SAMPLE_SPAN_MAX_US : *from_us;
	*until_us += OEV_SAMPLE_SPAN_MAX_US;
}

int oev_samples_compare(struct oev_samples *samples, const char *folder)
{
	char **paths = NULL;
	size_t count = 0, kept = 0;
	uint64_t from_us, until_us;
	int rc = oev_paths_list(folder, OEV_TELEMETRY_PREFIX, ".db", &paths, &count);

	window_of(samples, &from_us, &until_us);
	for (size_t i = 0; rc == OC_OK && i < count; i++) {
		struct comparison with = { .samples = samples, .path = paths[i] };
		rc = oev_telemetry_each(paths[i], from_us, until_us, compare_one, &with, samples->error,
					sizeof(samples->error));
	}
	oev_paths_free(paths, count);
	if (oev_samples_outcome(samples, rc) == OC_EMALFORMED && rc == OC_OK)
		rc = OC_EREFUSED;
	for (size_t i = 0; rc == OC_OK && i < samples->count; i++)
		if (samples->items[i].line != 0)
			samples->items[kept++] = samples->items[i];
	if (rc == OC_OK)
		samples->count = kept;
	return rc;
}
