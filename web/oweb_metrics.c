/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * /metrics in both formats (text 0.0.4 and OpenMetrics 1.0.0), and the page about it.
 */
#include "oweb_metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oweb_inner.h"
#include "oweb_resources.h"

static const char plain_type[] = "text/plain; version=0.0.4; charset=utf-8";
static const char open_type[] = "application/openmetrics-text; version=1.0.0; charset=utf-8";

static const struct {
	const char *word;
	const char *plain_word; /* the older format has no "info" */
	const char *suffix;
} types[] = {
	[OWEB_COUNTER] = { "counter", "counter", "_total" },
	[OWEB_GAUGE] = { "gauge", "gauge", "" },
	[OWEB_HISTOGRAM] = { "histogram", "histogram", "" },
	[OWEB_INFO] = { "info", "gauge", "_info" },
};
_Static_assert(sizeof(types) / sizeof(types[0]) == OWEB_METRIC_TYPES, "every type has its words");

void oweb_metric_put(struct oweb_sample *sample, const struct oweb_metric *metric, const char *suffix,
		     const char *labels, double value)
{
	bool is_whole = value == floor(value) && fabs(value) < 1e15;

	oweb_text_format(&sample->text, "%s%s%s%s%s ", metric->name, suffix, labels == NULL ? "" : "{",
			 labels == NULL ? "" : labels, labels == NULL ? "" : "}");
	oweb_text_format(&sample->text, is_whole ? "%.0f\n" : "%.13g\n", value);
}

static void write_head(struct oweb_sample *sample, const struct oweb_metric *metric)
{
	bool is_open = sample->is_open_metrics;
	const char *suffix = is_open ? "" : types[metric->type].suffix;

	oweb_text_format(&sample->text, "# HELP %s%s %s\n# TYPE %s%s %s\n", metric->name, suffix,
			 metric->help, metric->name, suffix,
			 is_open ? types[metric->type].word : types[metric->type].plain_word);
	if (is_open && metric->unit[0] != '\0')
		oweb_text_format(&sample->text, "# UNIT %s %s\n", metric->name, metric->unit);
}

/* A metric without a value now is not told of at all. */
void oweb_metrics_write(struct oweb_sample *sample)
{
	for (const struct oweb_metric *metric = oweb_metrics; metric->name != NULL; metric++) {
		size_t before = sample->text.len;
		write_head(sample, metric);
		size_t head = sample->text.len;
		metric->write(sample, metric);
		if (sample->text.len == head && !sample->text.failed)
			sample->text.data[sample->text.len = before] = '\0';
	}
	if (sample->is_open_metrics)
		oweb_text_put(&sample->text, "# EOF\n");
}

static int by_name(const void *a, const void *b)
{
	const struct oweb_peer *x = a, *y = b;

	if (x->is_configured != y->is_configured)
		return x->is_configured ? -1 : 1;
	return (x->name > y->name) - (x->name < y->name);
}

static void read_peers(struct oweb_sample *sample, const struct oweb_node *node)
{
	uint32_t room = node->peers(node->ctx, NULL, 0);

	sample->peer = calloc(room + 1, sizeof(*sample->peer));
	sample->peers = sample->peer == NULL || room == 0 ? 0 : node->peers(node->ctx, sample->peer, room);
	sample->peers = sample->peers < room ? sample->peers : room;
	if (sample->peers > 0)
		qsort(sample->peer, sample->peers, sizeof(*sample->peer), by_name);
	while (sample->named < sample->peers && sample->named < OWEB_METRIC_PEERS_MAX &&
	       sample->peer[sample->named].is_configured)
		sample->named++;
	atomic_fetch_add(&sample->server->folded, sample->peers - sample->named);
}

static void read_node(struct oweb_sample *sample, const struct oweb_node *node)
{
	uint32_t room = node->states(node->ctx, NULL, 0), load_room = node->loads(node->ctx, NULL, 0);

	node->facts(node->ctx, &sample->facts);
	node->stats(node->ctx, &sample->stats);
	sample->state = calloc(room + 1, sizeof(*sample->state));
	sample->states =
		sample->state == NULL || room == 0 ? 0 : node->states(node->ctx, sample->state, room);
	sample->states = sample->states < room ? sample->states : room;
	sample->load = calloc(load_room + 1, sizeof(*sample->load));
	sample->loads =
		sample->load == NULL || load_room == 0 ? 0 : node->loads(node->ctx, sample->load, load_room);
	sample->loads = sample->loads < load_room ? sample->loads : load_room;
	read_peers(sample, node);
}

void oweb_metrics_read(struct oweb_sample *sample, struct oweb_server *server)
{
	sample->server = server;
	sample->has_node = server->node != NULL;
	if (sample->has_node)
		read_node(sample, server->node);
	if (server->watch == NULL)
		return;
	oev_watch_totals(server->watch, &sample->sum);
	sample->node = calloc(OEV_WATCH_NODES_MAX, sizeof(*sample->node));
	uint32_t count =
		sample->node == NULL ? 0 : oev_watch_nodes(server->watch, sample->node, OEV_WATCH_NODES_MAX);
	sample->nodes = count < OEV_WATCH_NODES_MAX ? count : OEV_WATCH_NODES_MAX;
}

void oweb_metrics_drop(struct oweb_sample *sample)
{
	free(sample->peer);
	free(sample->state);
	free(sample->load);
	free(sample->node);
	oweb_text_free(&sample->text);
}

void oweb_metrics_get(struct oweb_request *request)
{
	struct oweb_sample sample = { .is_open_metrics =
					      oweb_request_accepts(request, "application/openmetrics-text") };

	oweb_metrics_read(&sample, request->server);
	oweb_metrics_write(&sample);
	oweb_reply_text(request, 200, sample.is_open_metrics ? open_type : plain_type, sample.text.data,
			sample.text.len);
	sample.text = (struct oweb_text){ 0 };
	oweb_metrics_drop(&sample);
}

void oweb_metrics_page(struct oweb_text *text)
{
	oweb_text_put(text,
		      "# Metrics\n\n"
		      "Made from the table in `web/oweb_metrics_table.c` by `doic-metrics-doc`; a test "
		      "holds the two against each other.\n"
		      "`GET /metrics` speaks the text format 0.0.4, and OpenMetrics 1.0.0 to who accepts "
		      "it. What is not known is absent, not 0.\n"
		      "Labels come from the configuration or are fixed words, so the number of series "
		      "does not grow with traffic.\n\n"
		      "| metric | type | unit | labels | meaning |\n|---|---|---|---|---|\n");
	for (const struct oweb_metric *metric = oweb_metrics; metric->name != NULL; metric++)
		oweb_text_format(text, "| `%s%s` | %s | %s | %s | %s |\n", metric->name,
				 types[metric->type].suffix, types[metric->type].word, metric->unit,
				 metric->labels, metric->help);
}
