/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Metrics: one table, from which /metrics and docs/metrics.md are made.
 *
 * Labels come from the configuration or from fixed words, never from messages: a peer that is not configured, or one beyond
 * OWEB_METRIC_PEERS_MAX, is counted under "other", and doic_series_dropped_total says how often that happened.
 */
#pragma once

#include <stdatomic.h>

#include "oweb_node.h"
#include "oweb_request.h"
#include "oweb_text.h"

#define OWEB_METRIC_PEERS_MAX 512u

enum oweb_metric_type {
	OWEB_COUNTER = 0,
	OWEB_GAUGE = 1,
	OWEB_HISTOGRAM = 2,
	OWEB_INFO = 3,
	OWEB_METRIC_TYPES
};

struct oweb_sample;
struct oweb_metric;
typedef void (*oweb_metric_fn)(struct oweb_sample *sample, const struct oweb_metric *metric);

struct oweb_metric {
	const char *name; /* without "_total", "_info", "_bucket" */
	enum oweb_metric_type type;
	const char *unit;   /* the name ends with it; "" none */
	const char *labels; /* "peer, state"; "" none */
	const char *help;
	oweb_metric_fn write;
	unsigned which; /* for @write */
};

/* The table; its last row has name NULL. */
extern const struct oweb_metric oweb_metrics[];

/* Everything the metrics are made of, read at one moment. */
struct oweb_sample {
	struct oweb_text text;
	bool is_open_metrics;
	struct oweb_server *server;
	bool has_node;
	struct oweb_facts facts;
	struct oc_stats stats;
	struct oev_watch_totals sum;
	uint32_t peers, states, loads, nodes;
	struct oweb_peer *peer; /* configured ones first */
	uint32_t named;		/* of these have a label of their own */
	struct oc_ocs_view *state;
	struct oc_load_view *load;
	struct oev_watch_node *node;
};

/* One line: name, suffix, labels ("peer=\"a\"", NULL none), value. */
void oweb_metric_put(struct oweb_sample *sample, const struct oweb_metric *metric, const char *suffix,
		     const char *labels, double value);

/* All of /metrics for @sample, which is read before. */
void oweb_metrics_write(struct oweb_sample *sample);
void oweb_metrics_read(struct oweb_sample *sample, struct oweb_server *server);
void oweb_metrics_drop(struct oweb_sample *sample);

/* The page docs/metrics.md. */
void oweb_metrics_page(struct oweb_text *text);

/* Values, for the table (oweb_metrics_values.c, oweb_metrics_kinds.c, oweb_metrics_peers.c). */
void oweb_metric_build(struct oweb_sample *sample, const struct oweb_metric *metric);
void oweb_metric_policy_refusals(struct oweb_sample *sample, const struct oweb_metric *metric);
void oweb_metric_stat(struct oweb_sample *sample, const struct oweb_metric *metric);
void oweb_metric_requests(struct oweb_sample *sample, const struct oweb_metric *metric);
void oweb_metric_classes(struct oweb_sample *sample, const struct oweb_metric *metric);
void oweb_metric_refused_classes(struct oweb_sample *sample, const struct oweb_metric *metric);
void oweb_metric_apps(struct oweb_sample *sample, const struct oweb_metric *metric);
void oweb_metric_results(struct oweb_sample *sample, const struct oweb_metric *metric);
void oweb_metric_report_types(struct oweb_sample *sample, const struct oweb_metric *metric);
void oweb_metric_refusals(struct oweb_sample *sample, const struct oweb_metric *metric);
void oweb_metric_reports(struct oweb_sample *sample, const struct oweb_metric *metric);
void oweb_metric_loads(struct oweb_sample *sample, const struct oweb_metric *metric);
void oweb_metric_sum(struct oweb_sample *sample, const struct oweb_metric *metric);
void oweb_metric_took(struct oweb_sample *sample, const struct oweb_metric *metric);
void oweb_metric_ocs(struct oweb_sample *sample, const struct oweb_metric *metric);
void oweb_metric_fact(struct oweb_sample *sample, const struct oweb_metric *metric);
void oweb_metric_http(struct oweb_sample *sample, const struct oweb_metric *metric);
void oweb_metric_wanted(struct oweb_sample *sample, const struct oweb_metric *metric);
void oweb_metric_is(struct oweb_sample *sample, const struct oweb_metric *metric);
void oweb_metric_outstanding(struct oweb_sample *sample, const struct oweb_metric *metric);
void oweb_metric_load_value(struct oweb_sample *sample, const struct oweb_metric *metric);
void oweb_metric_traffic(struct oweb_sample *sample, const struct oweb_metric *metric);

enum oweb_metric_sum { OWEB_SUM_ANSWERS, OWEB_SUM_USEFUL, OWEB_SUM_LOST, OWEB_SUM_DRAWN, OWEB_SUM_SELECTED };
enum oweb_metric_ocs { OWEB_OCS_ACTIVE, OWEB_OCS_REDUCTION, OWEB_OCS_RATE };
enum oweb_metric_fact {
	OWEB_FACT_STARTED,
	OWEB_FACT_OBSERVING,
	OWEB_FACT_POLICY_VERSION,
	OWEB_FACT_RELOAD_SUCCESS,
	OWEB_FACT_RELOAD_TIME,
	OWEB_FACT_POLICY_IN_FILE,
	OWEB_FACT_JOURNAL_FILL,
	OWEB_FACT_LAG,
	OWEB_FACT_ROWS,
	OWEB_FACT_FAILURES,
	OWEB_FACT_GAPS,
	OWEB_FACT_RECORDING,
	OWEB_FACT_CHECKPOINT,
	OWEB_FACT_DISK_FREE,
	OWEB_FACT_DISK_SIZE
};
enum oweb_metric_http {
	OWEB_HTTP_CONNECTIONS,
	OWEB_HTTP_STREAMS,
	OWEB_HTTP_SESSIONS,
	OWEB_HTTP_LOST_TICKS,
	OWEB_HTTP_FOLDED
};
enum oweb_metric_traffic { OWEB_TRAFFIC_RECEIVED, OWEB_TRAFFIC_SENT, OWEB_TRAFFIC_USEFUL };
