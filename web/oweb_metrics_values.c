/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Values of metrics about all traffic, the states, recording, and this server.
 */
#include <stdio.h>

#include "oweb_inner.h"
#include "oweb_metrics.h"

static void put(struct oweb_sample *sample, const struct oweb_metric *metric, const char *label,
		const char *word, uint64_t value)
{
	char labels[64];

	snprintf(labels, sizeof(labels), "%s=\"%s\"", label, word);
	oweb_metric_put(sample, metric, metric->type == OWEB_COUNTER ? "_total" : "", labels, (double)value);
}

static void put_plain(struct oweb_sample *sample, const struct oweb_metric *metric, double value)
{
	oweb_metric_put(sample, metric, metric->type == OWEB_COUNTER ? "_total" : "", NULL, value);
}

void oweb_metric_build(struct oweb_sample *sample, const struct oweb_metric *metric)
{
	oweb_metric_put(sample, metric, "_info", "version=\"" DOIC_VERSION "\"", 1);
}

void oweb_metric_stat(struct oweb_sample *sample, const struct oweb_metric *metric)
{
	if (sample->has_node)
		put_plain(sample, metric, (double)sample->stats.value[metric->which]);
}

void oweb_metric_policy_refusals(struct oweb_sample *sample, const struct oweb_metric *metric)
{
	if (!sample->has_node)
		return;
	put(sample, metric, "source", "file", sample->facts.policy_refused_file);
	put(sample, metric, "source", "http", sample->facts.policy_refused_http);
}

void oweb_metric_requests(struct oweb_sample *sample, const struct oweb_metric *metric)
{
	const uint64_t *value = sample->stats.value;

	if (!sample->has_node)
		return;
	put(sample, metric, "outcome", "forwarded", value[OC_STAT_FORWARDED]);
	put(sample, metric, "outcome", "diverted", value[OC_STAT_DIVERTED]);
	put(sample, metric, "outcome", "refused", value[OC_STAT_REFUSED]);
}

void oweb_metric_classes(struct oweb_sample *sample, const struct oweb_metric *metric)
{
	char word[8];

	for (unsigned i = 0; sample->has_node && i < OC_CLASSES; i++) {
		snprintf(word, sizeof(word), "%u", i);
		put(sample, metric, "class", word, sample->stats.value[OC_STAT_CLASS_0 + i]);
	}
}

void oweb_metric_refusals(struct oweb_sample *sample, const struct oweb_metric *metric)
{
	for (unsigned i = OC_WHY_NONE + 1; sample->server->watch != NULL && i < OC_WHY_COUNT; i++)
		put(sample, metric, "why", oc_why_text(i), sample->sum.refused_why[i]);
}

void oweb_metric_reports(struct oweb_sample *sample, const struct oweb_metric *metric)
{
	static const struct {
		const char *labels;
		unsigned stat;
	} rows[] = {
		{ "direction=\"received\",disposition=\"new\"", OC_STAT_REPORTS_NEW },
		{ "direction=\"received\",disposition=\"updated\"", OC_STAT_REPORTS_UPDATED },
		{ "direction=\"received\",disposition=\"stale\"", OC_STAT_REPORTS_STALE },
		{ "direction=\"received\",disposition=\"repeated\"", OC_STAT_REPORTS_REPEATED },
		{ "direction=\"received\",disposition=\"refused\"", OC_STAT_REPORTS_REFUSED },
		{ "direction=\"sent\",disposition=\"told\"", OC_STAT_OWN_REPORTS },
	};

	for (size_t i = 0; sample->has_node && i < sizeof(rows) / sizeof(rows[0]); i++)
		oweb_metric_put(sample, metric, "_total", rows[i].labels,
				(double)sample->stats.value[rows[i].stat]);
}

void oweb_metric_loads(struct oweb_sample *sample, const struct oweb_metric *metric)
{
	if (!sample->has_node)
		return;
	put(sample, metric, "disposition", "taken", sample->stats.value[OC_STAT_LOADS_TAKEN]);
	put(sample, metric, "disposition", "ignored", sample->stats.value[OC_STAT_LOADS_IGNORED]);
}

void oweb_metric_sum(struct oweb_sample *sample, const struct oweb_metric *metric)
{
	const struct oev_watch_totals *sum = &sample->sum;
	const uint64_t value[] = { [OWEB_SUM_ANSWERS] = sum->answers,
				   [OWEB_SUM_USEFUL] = sum->useful,
				   [OWEB_SUM_LOST] = sum->lost,
				   [OWEB_SUM_DRAWN] = sum->drawn,
				   [OWEB_SUM_SELECTED] = sum->selected };

	if (sample->server->watch != NULL)
		put_plain(sample, metric, (double)value[metric->which]);
}

/* Two of the watch's buckets are one here: each ends at twice the one before. */
void oweb_metric_took(struct oweb_sample *sample, const struct oweb_metric *metric)
{
	uint64_t count = 0;
	double sum_s = 0;
	char labels[40];

	for (unsigned i = 0; sample->server->watch != NULL && i < OEV_WATCH_TOOK; i++) {
		double low_s = (double)oev_watch_took_floor_ns(i) / 1e9;
		bool is_last = i + 1 == OEV_WATCH_TOOK;
		double high_s = is_last ? low_s : (double)oev_watch_took_floor_ns(i + 1) / 1e9;
		count += sample->sum.took[i];
		sum_s += (double)sample->sum.took[i] * (low_s + high_s) / 2;
		if (i % 2 != 0 || is_last)
			continue;
		snprintf(labels, sizeof(labels), "le=\"%.9g\"", high_s);
		oweb_metric_put(sample, metric, "_bucket", labels, (double)count);
	}
	if (sample->server->watch == NULL)
		return;
	oweb_metric_put(sample, metric, "_bucket", "le=\"+Inf\"", (double)count);
	oweb_metric_put(sample, metric, "_sum", NULL, sum_s);
	oweb_metric_put(sample, metric, "_count", NULL, (double)count);
}

/* Over the states in force of one type: how many, the highest share, the lowest rate. */
static void write_type(struct oweb_sample *sample, const struct oweb_metric *metric, unsigned type)
{
	uint32_t active = 0, most_pct = 0, least_rps = UINT32_MAX;
	bool has_loss = false, has_rate = false;
	char labels[32];

	for (uint32_t i = 0; i < sample->states; i++) {
		const struct oc_ocs_view *state = &sample->state[i];
		if (state->type != type || !state->active)
			continue;
		active++;
		if (state->algorithm == OC_ALGO_RATE) {
			has_rate = true;
			least_rps = state->rate_rps < least_rps ? state->rate_rps : least_rps;
		} else {
			has_loss = true;
			most_pct = state->reduction_pct > most_pct ? state->reduction_pct : most_pct;
		}
	}
	snprintf(labels, sizeof(labels), "type=\"%s\"", oc_report_type_text(type));
	if (metric->which == OWEB_OCS_ACTIVE)
		oweb_metric_put(sample, metric, "", labels, active);
	else if (metric->which == OWEB_OCS_REDUCTION && has_loss)
		oweb_metric_put(sample, metric, "", labels, most_pct / 100.0);
	else if (metric->which == OWEB_OCS_RATE && has_rate)
		oweb_metric_put(sample, metric, "", labels, least_rps);
}

void oweb_metric_ocs(struct oweb_sample *sample, const struct oweb_metric *metric)
{
	for (unsigned type = 0; sample->has_node && type < OC_REPORT_COUNT; type++)
		write_type(sample, metric, type);
}

void oweb_metric_fact(struct oweb_sample *sample, const struct oweb_metric *metric)
{
	const struct oweb_facts *of = &sample->facts;
	double fill = of->journal_records > 0 ? (double)of->journal_waiting / of->journal_records : 0;
	bool is_recorded = oweb_node_records(sample->server->node);
	const struct {
		double value;
		bool is_known;
	} values[] = {
		[OWEB_FACT_STARTED] = { (double)of->started_us / 1e6, of->started_us != 0 },
		[OWEB_FACT_OBSERVING] = { of->is_observing, true },
		[OWEB_FACT_POLICY_VERSION] = { of->policy_version, true },
		[OWEB_FACT_RELOAD_SUCCESS] = { !of->policy_reload_failed, true },
		[OWEB_FACT_RELOAD_TIME] = { (double)of->policy_reload_us / 1e6, of->policy_reload_us != 0 },
		[OWEB_FACT_POLICY_IN_FILE] = { !of->policy_file_is_older, true },
		[OWEB_FACT_JOURNAL_FILL] = { fill, of->journal_records > 0 },
		[OWEB_FACT_LAG] = { (double)of->lag_us / 1e6, is_recorded },
		[OWEB_FACT_ROWS] = { (double)of->rows, is_recorded },
		[OWEB_FACT_FAILURES] = { (double)of->failures, is_recorded },
		[OWEB_FACT_GAPS] = { (double)of->gap_events, is_recorded },
		[OWEB_FACT_RECORDING] = { is_recorded && of->recording_error[0] == '\0', true },
		[OWEB_FACT_CHECKPOINT] = { (double)of->checkpoint_us / 1e6, of->checkpoint_us != 0 },
		[OWEB_FACT_DISK_FREE] = { (double)of->disk_free, of->disk_size != 0 },
		[OWEB_FACT_DISK_SIZE] = { (double)of->disk_size, of->disk_size != 0 },
	};

	if (sample->has_node && values[metric->which].is_known)
		put_plain(sample, metric, values[metric->which].value);
}

void oweb_metric_http(struct oweb_sample *sample, const struct oweb_metric *metric)
{
	struct oweb_server *server = sample->server;
	uint64_t value = 0;

	switch ((enum oweb_metric_http)metric->which) {
	case OWEB_HTTP_CONNECTIONS:
		value = oweb_links_count(server->links);
		break;
	case OWEB_HTTP_STREAMS:
		value = oweb_events_streams(server->events);
		break;
	case OWEB_HTTP_SESSIONS:
		value = oweb_sessions_count(server->auth.sessions, oweb_server_now_ns(server));
		break;
	case OWEB_HTTP_LOST_TICKS:
		value = oweb_events_dropped(server->events);
		break;
	case OWEB_HTTP_FOLDED:
		value = atomic_load(&server->folded);
		break;
	}
	put_plain(sample, metric, (double)value);
}
