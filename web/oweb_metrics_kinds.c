/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Values of metrics by application, class, result and type: fixed words, so the number of series is fixed too.
 */
#include <stdio.h>

#include "oweb_inner.h"
#include "oweb_metrics.h"

/* "LABEL="WORD",OTHER="WORD"" with its value. */
static void put_two(struct oweb_sample *sample, const struct oweb_metric *metric, const char *first,
		    const char *second, uint64_t value)
{
	char labels[96];

	snprintf(labels, sizeof(labels), "%s,%s", first, second);
	oweb_metric_put(sample, metric, "_total", labels, (double)value);
}

void oweb_metric_refused_classes(struct oweb_sample *sample, const struct oweb_metric *metric)
{
	char label[24];

	for (unsigned i = 0; sample->server->watch != NULL && i < OC_CLASSES; i++) {
		snprintf(label, sizeof(label), "class=\"%u\"", i);
		oweb_metric_put(sample, metric, "_total", label, (double)sample->sum.refused_class[i]);
	}
}

/* An application nothing was heard of is left out. */
void oweb_metric_apps(struct oweb_sample *sample, const struct oweb_metric *metric)
{
	static const char *const outcomes[OC_VERDICT_COUNT] = { "outcome=\"forwarded\"",
								"outcome=\"diverted\"",
								"outcome=\"refused\"" };
	char app[24];

	for (unsigned place = 0; sample->server->watch != NULL && place < OEV_APP_PLACES; place++) {
		const uint64_t *value = sample->sum.app_verdict[place];
		if (value[OC_FORWARD] + value[OC_DIVERT] + value[OC_REFUSE] == 0)
			continue;
		snprintf(app, sizeof(app), "app=\"%s\"", oev_app_place_text(place));
		for (unsigned i = 0; i < OC_VERDICT_COUNT; i++)
			put_two(sample, metric, app, outcomes[i], value[i]);
	}
}

void oweb_metric_results(struct oweb_sample *sample, const struct oweb_metric *metric)
{
	static const char *const results[OEV_WATCH_RESULTS] = { "result=\"other\"", "result=\"1xxx\"",
								"result=\"2xxx\"",  "result=\"3xxx\"",
								"result=\"4xxx\"",  "result=\"5xxx\"" };
	char app[24];

	for (unsigned place = 0; sample->server->watch != NULL && place < OEV_APP_PLACES; place++) {
		const uint64_t *value = sample->sum.app_result[place];
		uint64_t all = 0;
		for (unsigned i = 0; i < OEV_WATCH_RESULTS; i++)
			all += value[i];
		snprintf(app, sizeof(app), "app=\"%s\"", oev_app_place_text(place));
		for (unsigned i = 0; all > 0 && i < OEV_WATCH_RESULTS; i++)
			put_two(sample, metric, app, results[i], value[i]);
	}
}

void oweb_metric_report_types(struct oweb_sample *sample, const struct oweb_metric *metric)
{
	char type[24], disposition[40];

	for (unsigned i = 0; sample->server->watch != NULL && i < OC_REPORT_COUNT; i++) {
		snprintf(type, sizeof(type), "type=\"%s\"", oc_report_type_text(i));
		for (unsigned j = 0; j < OC_INTAKE_COUNT; j++) {
			snprintf(disposition, sizeof(disposition), "disposition=\"%s\"", oc_intake_text(j));
			put_two(sample, metric, type, disposition, sample->sum.reports[i][j]);
		}
	}
}
