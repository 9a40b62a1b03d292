/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Values of metrics about peers. The first of the sample's peers have labels of their own; what is left is "other", where a sum
 * means something.
 */
#include <stdio.h>

#include "oweb_inner.h"
#include "oweb_metrics.h"
#include "oweb_view.h"

#define LABELS_MAX (OC_IDENT_MAX * 2u + 64u)

/* peer="...": names are visible ASCII (oc_names.h), of which two need a backslash here. */
static void label(struct oweb_sample *sample, uint32_t name, const char *more, char out[static LABELS_MAX])
{
	char escaped[OC_IDENT_MAX * 2 + 1];
	size_t used = 0;

	for (const char *text = oweb_view_name(sample->server, name);
	     *text != '\0' && used + 2 < sizeof(escaped); text++) {
		if (*text == '"' || *text == '\\')
			escaped[used++] = '\\';
		escaped[used++] = *text;
	}
	escaped[used] = '\0';
	snprintf(out, LABELS_MAX, "peer=\"%s\"%s", escaped, more);
}

static void put_state(struct oweb_sample *sample, const struct oweb_metric *metric,
		      const struct oweb_peer *peer, const char *more, bool is_so)
{
	char labels[LABELS_MAX];

	label(sample, peer->name, more, labels);
	oweb_metric_put(sample, metric, "", labels, is_so);
}

void oweb_metric_wanted(struct oweb_sample *sample, const struct oweb_metric *metric)
{
	for (uint32_t i = 0; i < sample->named; i++) {
		put_state(sample, metric, &sample->peer[i], ",state=\"in\"", !sample->peer[i].is_out);
		put_state(sample, metric, &sample->peer[i], ",state=\"out\"", sample->peer[i].is_out);
	}
}

void oweb_metric_is(struct oweb_sample *sample, const struct oweb_metric *metric)
{
	for (uint32_t i = 0; i < sample->named; i++) {
		put_state(sample, metric, &sample->peer[i], ",state=\"up\"", sample->peer[i].is_up);
		put_state(sample, metric, &sample->peer[i], ",state=\"down\"", !sample->peer[i].is_up);
	}
}

void oweb_metric_outstanding(struct oweb_sample *sample, const struct oweb_metric *metric)
{
	char labels[LABELS_MAX];
	uint64_t other = 0;

	for (uint32_t i = 0; i < sample->named; i++) {
		label(sample, sample->peer[i].name, "", labels);
		oweb_metric_put(sample, metric, "", labels, sample->peer[i].outstanding);
	}
	for (uint32_t i = sample->named; i < sample->peers; i++)
		other += sample->peer[i].outstanding;
	if (sample->named < sample->peers)
		oweb_metric_put(sample, metric, "", "peer=\"other\"", (double)other);
}

static const struct oc_load_view *load_of(const struct oweb_sample *sample, uint32_t name)
{
	for (uint32_t i = 0; i < sample->loads; i++)
		if (sample->load[i].node == name)
			return &sample->load[i];
	return NULL;
}

void oweb_metric_load_value(struct oweb_sample *sample, const struct oweb_metric *metric)
{
	char labels[LABELS_MAX];

	for (uint32_t i = 0; i < sample->named; i++) {
		const struct oc_load_view *load = load_of(sample, sample->peer[i].name);
		if (load != NULL && load->host_value >= 0) {
			label(sample, load->node, ",type=\"host\"", labels);
			oweb_metric_put(sample, metric, "", labels, load->host_value);
		}
		if (load != NULL && load->peer_value >= 0) {
			label(sample, load->node, ",type=\"peer\"", labels);
			oweb_metric_put(sample, metric, "", labels, load->peer_value);
		}
	}
}

static bool is_named(const struct oweb_sample *sample, uint32_t name)
{
	for (uint32_t i = 0; i < sample->named; i++)
		if (sample->peer[i].name == name)
			return true;
	return false;
}

static uint64_t traffic(struct oweb_sample *sample, uint32_t place, unsigned which)
{
	struct oev_watch_count count = { 0 };
	bool is_client = which == OWEB_TRAFFIC_RECEIVED;

	oev_watch_node_total(sample->server->watch, place, is_client ? OEV_WATCH_CLIENT : OEV_WATCH_SERVER,
			     &count);
	return is_client ? count.requests : which == OWEB_TRAFFIC_SENT ? count.sent : count.useful;
}

/* Only of a running agent: without its configuration every name would be one of a message. */
void oweb_metric_traffic(struct oweb_sample *sample, const struct oweb_metric *metric)
{
	char labels[LABELS_MAX];
	uint64_t other = 0;
	bool has_other = false;

	for (uint32_t i = 0; sample->has_node && i < sample->nodes; i++) {
		uint64_t value = traffic(sample, i, metric->which);
		if (!is_named(sample, sample->node[i].name)) {
			other += value;
			has_other = has_other || value > 0;
			continue;
		}
		label(sample, sample->node[i].name, "", labels);
		oweb_metric_put(sample, metric, "_total", labels, (double)value);
	}
	if (has_other)
		oweb_metric_put(sample, metric, "_total", "peer=\"other\"", (double)other);
}
