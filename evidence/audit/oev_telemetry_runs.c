/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Imported counters as the audit compares them: runs of intervals without a hole, wherever the evidence tells everything.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_audit_parts.h"
#include "oev_cover.h"
#include "oev_samples.h"
#include "oev_telemetry.h"

#define BINS_MAX 2000000u /* intervals held in memory */

struct builder {
	struct oev_audit *audit;
	struct oev_cover cover;
	const char *path;
	struct oev_counters *run; /* the one that goes on; NULL none */
	size_t room;		  /* of its series */
	size_t bins;		  /* of all runs */
};

static bool goes_on(const struct builder *builder, const struct oev_telemetry_row *row)
{
	const struct oev_counters *run = builder->run;

	return run != NULL && strcmp(run->path, builder->path) == 0 && strcmp(run->node, row->node) == 0 &&
	       run->apps[0].app_id == row->app_id && run->series_interval_us == row->span_us &&
	       run->series_start_us + run->series_count * run->series_interval_us == row->start_us;
}

static int begin_run(struct builder *builder, const struct oev_telemetry_row *row)
{
	struct oev_audit *audit = builder->audit;
	struct oev_counters *run = oev_audit_grow(&audit->counters, &audit->counters_count, sizeof(*run));

	builder->run = run;
	builder->room = 0;
	if (run == NULL)
		return OC_ENOMEM;
	run->is_imported = true;
	run->role = OEV_ROLE_SERVER;
	run->path = strdup(builder->path);
	run->node = strdup(row->node);
	run->realm = strdup(row->realm);
	run->apps = calloc(1, sizeof(*run->apps));
	if (run->path == NULL || run->node == NULL || run->realm == NULL || run->apps == NULL)
		return OC_ENOMEM;
	run->app_count = 1;
	run->apps[0] = (struct oev_counter_app){
		.app_id = row->app_id, .has_answers = true, .has_useful = true, .has_success = true
	};
	run->started_us = run->series_start_us = row->start_us;
	run->series_interval_us = row->span_us;
	run->knows_before = row->start_us >= OEV_ENDS_US &&
			    oev_cover_holds(&builder->cover, row->start_us - OEV_ENDS_US, row->start_us);
	return OC_OK;
}

static int make_room(struct builder *builder)
{
	struct oev_counters *run = builder->run;

	if (run->series_count < builder->room)
		return OC_OK;
	builder->room = builder->room != 0 ? 2 * builder->room : 64;
	uint64_t *series = realloc(run->series, builder->room * sizeof(*series));
	if (series == NULL)
		return OC_ENOMEM;
	run->series = series;
	uint64_t *useful = realloc(run->useful_series, builder->room * sizeof(*useful));
	if (useful == NULL)
		return OC_ENOMEM;
	run->useful_series = useful;
	return OC_OK;
}

static void add_known(uint64_t value, uint64_t *sum, bool *has)
{
	*has &= value != OEV_SAMPLE_UNKNOWN;
	*sum += value != OEV_SAMPLE_UNKNOWN ? value : 0;
}

static void add_row(struct oev_counters *run, const struct oev_cover *cover,
		    const struct oev_telemetry_row *row)
{
	struct oev_counter_app *app = &run->apps[0];

	app->requests += row->requests;
	add_known(row->answers, &app->answers, &app->has_answers);
	add_known(row->useful, &app->useful, &app->has_useful);
	add_known(row->by_class[OEV_ANSWER_SUCCESS], &app->success, &app->has_success);
	run->series[run->series_count] = row->requests;
	run->useful_series[run->series_count++] = row->useful != OEV_SAMPLE_UNKNOWN ? row->useful : 0;
	run->ended_us = row->start_us + row->span_us - 1; /* both ends of a counter's time are inside it */
	run->knows_after = oev_cover_holds(cover, run->ended_us + 1, run->ended_us + 1 + OEV_ENDS_US);
}

static int take(void *ctx, const struct oev_telemetry_row *row)
{
	struct builder *builder = ctx;
	int rc = OC_OK;

	if (row->span_us == 0 || row->requests == OEV_SAMPLE_UNKNOWN ||
	    !oev_cover_holds(&builder->cover, row->start_us, row->start_us + row->span_us)) {
		builder->audit->telemetry_outside++;
		return OC_OK;
	}
	if (++builder->bins > BINS_MAX) {
		snprintf(builder->audit->error, sizeof(builder->audit->error),
			 "more than %u intervals of imported counters: narrow the window with --since and "
			 "--until",
			 BINS_MAX);
		return OC_ENOSPC;
	}
	if (!goes_on(builder, row))
		rc = begin_run(builder, row);
	if (rc == OC_OK)
		rc = make_room(builder);
	if (rc == OC_OK)
		add_row(builder->run, &builder->cover, row);
	return rc;
}

int oev_telemetry_load(struct oev_audit *audit)
{
	struct builder builder = { .audit = audit };
	size_t first = audit->counters_count;
	int rc = audit->telemetry_count > 0 ? oev_cover_make(&builder.cover, audit) : OC_OK;

	for (size_t i = 0; rc == OC_OK && i < audit->telemetry_count; i++) {
		builder.path = audit->telemetry[i];
		builder.run = NULL;
		rc = oev_telemetry_each(builder.path, audit->options.from_us, audit->options.until_us, take,
					&builder, audit->error, sizeof(audit->error));
	}
	for (size_t i = first; i < audit->counters_count; i++)
		if (!audit->counters[i].apps[0].has_useful) {
			free(audit->counters[i].useful_series);
			audit->counters[i].useful_series = NULL;
		}
	oev_cover_fini(&builder.cover);
	return rc;
}
