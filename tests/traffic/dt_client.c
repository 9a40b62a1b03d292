/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The client's life and event loop.
 */
#include "dt_client.h"

#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "dt_doic.h"
#include "dt_net.h"

#define TAG_SIGNAL UINT64_MAX

static void expand_name(const char *pattern, uint32_t number, char *name)
{
	const char *hash = strchr(pattern, '#');
	if (!hash)
		snprintf(name, DT_NAME_MAX, "%s", pattern);
	else
		snprintf(name, DT_NAME_MAX, "%.*s%u%s", (int)(hash - pattern), pattern, number, hash + 1);
}

/* "c1.example.net" as origin 7 of several is "c1-7.example.net". */
static void origin_variant(const char *host, uint32_t number, char *name)
{
	int label = (int)strcspn(host, ".");
	snprintf(name, DT_NAME_MAX, "%.*s-%u%s", label, host, number, host + label);
}

static int name_origins(struct dt_client *client)
{
	const struct dt_client_options *options = client->options;
	uint32_t count = options->connections * options->origins;

	client->peer_name = calloc(options->connections, DT_NAME_MAX);
	client->neighbour = calloc(options->connections, DT_NAME_MAX);
	client->origin_name = calloc(count, DT_NAME_MAX);
	client->origin = calloc(count, sizeof(*client->origin));
	client->source_id = calloc(count, sizeof(*client->source_id));
	if (!client->peer_name || !client->neighbour || !client->origin_name || !client->origin ||
	    !client->source_id)
		return OC_ENOMEM;
	for (uint32_t i = 0; i < options->connections; i++)
		expand_name(options->common.me.host, i + 1, client->peer_name[i]);
	for (uint32_t i = 0; i < count; i++) {
		const char *host = client->peer_name[i / options->origins];
		if (options->origins == 1)
			memcpy(client->origin_name[i], host, DT_NAME_MAX);
		else
			origin_variant(host, i % options->origins + 1, client->origin_name[i]);
		client->origin[i] = client->origin_name[i];
		client->source_id[i] =
			dt_common_source(&options->common, options->peer_reports ? host : NULL);
	}
	client->source.origin = client->origin;
	client->source.source_id = client->source_id;
	client->source.origin_count = count;
	return OC_OK;
}

static const char *told_dest_host(const struct dt_client_options *options)
{
	const char *host = options->dest_host;
	return host && strcmp(host, "none") != 0 && strcmp(host, "learn") != 0 ? host : "";
}

static struct dt_tail request_tail(const struct dt_client_options *options)
{
	return (struct dt_tail){ .with_sf = options->common.doic || options->peer_reports || options->obey,
				 .vector = options->common.vector |
					   (options->peer_reports ? DT_FEATURE_PEER : 0),
				 .drmp = options->drmp,
				 .raw = &options->raw };
}

static int load_synthetic(struct dt_client *client)
{
	const struct dt_client_options *options = client->options;
	client->source.dest[0] = told_dest_host(options);
	client->source.subscribers = options->subscribers;
	client->source.synth =
		(struct dt_synth){ .origin_realm = options->common.me.realm,
				   .dest_realm = options->dest_realm ? options->dest_realm
								     : options->common.me.realm,
				   .session_high = client->end_to_end,
				   .tail = request_tail(options) };
	return dt_source_synthetic(&client->source, options->template, options->sessions > 0,
				   options->updates);
}

static int load_capture(struct dt_client *client)
{
	const struct dt_client_options *options = client->options;
	struct dt_capture capture = { 0 };
	struct dt_rewrite rewrite = { .session_host = client->peer_name[0],
				      .session_high = client->end_to_end,
				      .origin_host = options->rewrite_origin ? client->peer_name[0] : NULL,
				      .origin_realm = options->common.me.realm,
				      .dest_host = options->strip_dest_host ? "" : NULL,
				      .dest_realm = options->dest_realm,
				      .tail = request_tail(options),
				      .source_id = client->source_id[0],
				      .app_id = options->capture_app };
	char why[256] = "no such requests in it";

	if (options->dest_host)
		rewrite.dest_host = told_dest_host(options);
	client->source.subscribers = options->multiply;
	int rc = dt_capture_load(&capture, options->capture_path, why, sizeof(why));
	if (rc == OC_OK)
		rc = dt_source_captured(&client->source, &capture, &rewrite);
	if (!options->common.quiet)
		fprintf(stderr,
			"doic-traffic: %s: %u packets, %u Diameter messages, %u requests kept, %u lives\n",
			options->capture_path, capture.packets, capture.messages,
			client->source.captured_count, client->source.life_count);
	dt_capture_fini(&capture);
	if (rc != OC_OK)
		fprintf(stderr, "doic-traffic: %s: %s\n", options->capture_path, why);
	return rc;
}

static int watch(struct dt_client *client)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u64 = TAG_SIGNAL };

	client->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	int rc = epoll_ctl(client->epoll_fd, EPOLL_CTL_ADD, client->signal_fd, &event);
	for (uint32_t slot = 0; slot < client->options->connections && rc == 0; slot++) {
		event.data.u64 = slot;
		rc = epoll_ctl(client->epoll_fd, EPOLL_CTL_ADD, client->conn[slot]->fd, &event);
	}
	return rc == 0 ? OC_OK : OC_EIO;
}

static void set_limits(struct dt_client *client)
{
	const struct dt_client_options *options = client->options;
	uint64_t now_ns = dt_now_ns();

	client->count = options->count ? options->count : UINT64_MAX;
	client->lives_max = UINT64_MAX;
	if (!options->count && !options->common.duration_ns) {
		client->count = options->capture_path ? client->source.step_count * options->multiply : 1000;
		if (options->capture_path)
			client->lives_max = client->source.life_count * options->multiply;
	}
	client->end_ns =
		now_ns + (options->common.duration_ns ? options->common.duration_ns : DT_DURATION_MAX_NS);
	client->stats = dt_stats_new("client", &options->common.me, dt_now_wall_us(), now_ns);
	if (client->stats)
		memcpy(client->stats->me.host, client->peer_name[0], DT_NAME_MAX);
}

static int start(struct dt_client *client)
{
	const struct dt_client_options *options = client->options;

	client->signal_fd = dt_signals_fd();
	client->rng.state = options->common.seed;
	/* High bits from the time of day, so that identifiers do not repeat over restarts (RFC 6733 section 3). */
	client->end_to_end = (uint32_t)(dt_now_wall_us() / 1000);
	if (options->obey && !(client->obey = dt_obey_new(options->common.seed)))
		return OC_ENOMEM;
	if (name_origins(client) != OC_OK)
		return OC_ENOMEM;
	int rc = options->capture_path ? load_capture(client) : load_synthetic(client);
	if (rc != OC_OK || (rc = dt_notes_open(&client->notes, &options->common)) != OC_OK)
		return rc;
	if (dt_client_connect(client) != OC_OK || dt_client_probe(client) != OC_OK)
		return OC_EIO;
	set_limits(client);
	if (!client->stats || dt_client_flow_init(client) != OC_OK)
		return OC_ENOMEM;
	return watch(client);
}

static void flush_conns(struct dt_client *client)
{
	for (uint32_t slot = 0; slot < client->options->connections; slot++) {
		struct dt_conn *conn = client->conn[slot];
		if (!conn)
			continue;
		bool is_blocked = dt_conn_flush(conn) == OC_EBUSY;
		if (conn->closed) {
			fprintf(stderr, "doic-traffic: the connection of %s was closed by its peer\n",
				client->peer_name[slot]);
			dt_conn_free(conn);
			client->conn[slot] = NULL;
			client->alive--;
		} else if (is_blocked != client->blocked[slot]) {
			struct epoll_event event = { .events = EPOLLIN | (is_blocked ? EPOLLOUT : 0),
						     .data.u64 = slot };
			epoll_ctl(client->epoll_fd, EPOLL_CTL_MOD, conn->fd, &event);
			client->blocked[slot] = is_blocked;
		}
	}
}

static void wait_and_receive(struct dt_client *client, uint64_t until_ns)
{
	struct epoll_event events[DT_CLIENT_CONNS_MAX];
	uint64_t now_ns = dt_now_ns();
	uint64_t left_ns = until_ns > now_ns ? until_ns - now_ns : 0;
	struct timespec timeout = { .tv_sec = (time_t)(left_ns / 1000000000u),
				    .tv_nsec = (long)(left_ns % 1000000000u) };

	int count = epoll_pwait2(client->epoll_fd, events, DT_CLIENT_CONNS_MAX, &timeout, NULL);
	now_ns = dt_now_ns();
	for (int i = 0; i < count; i++) {
		uint64_t tag = events[i].data.u64;
		if (tag == TAG_SIGNAL)
			client->stopping = true;
		else if (client->conn[tag])
			dt_client_receive(client, (uint32_t)tag, now_ns);
	}
}

static void say_progress(const struct dt_client *client, uint64_t now_ns)
{
	const struct dt_stats *stats = client->stats;
	fprintf(stderr, "%.1f s requests=%llu answers=%llu outstanding=%u timeouts=%llu p99_us=%.0f\n",
		(double)(now_ns - stats->started_ns) / 1e9, (unsigned long long)stats->requests,
		(unsigned long long)stats->answers, client->outstanding, (unsigned long long)stats->timeouts,
		(double)dt_hist_quantile(&stats->latency, 990000) / 1e3);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void loop(struct dt_client *client)
{
	const struct dt_client_options *options = client->options;
	bool has_progress = options->common.progress && !options->common.quiet;
	uint64_t progress_ns = has_progress ? client->stats->started_ns + 1000000000u : UINT64_MAX;
	uint64_t drain_ns = UINT64_MAX; /* end of draining, once nothing more is sent */

	for (;;) {
		uint64_t now_ns = dt_now_ns();
		dt_client_expire(client, now_ns);
		dt_client_send_due(client, now_ns);
		flush_conns(client);
		client->stopping |=
			now_ns >= client->end_ns || dt_client_has_sent_all(client) || client->alive == 0;
		if (client->stopping && drain_ns == UINT64_MAX)
			drain_ns = now_ns + options->drain_ns;
		if (client->alive == 0 ||
		    (client->stopping && (client->outstanding == 0 || now_ns >= drain_ns)))
			break;
		if (now_ns >= progress_ns) {
			say_progress(client, now_ns);
			progress_ns += 1000000000u;
		}
		uint64_t end_ns = client->stopping ? drain_ns : client->end_ns;
		wait_and_receive(client, least(least(end_ns, progress_ns), dt_client_next_ns(client)));
	}
}

static json_t *result_json(const struct dt_client *client)
{
	json_t *root = dt_stats_json(client->stats);
	if (!client->obey)
		return root;
	const struct dt_obey_counts *counts = dt_obey_counts(client->obey);
	json_object_set_new(root, "obey",
			    json_pack("{s:I,s:I,s:I,s:I,s:I}", "accepted", (json_int_t)counts->accepted,
				      "repeated", (json_int_t)counts->repeated, "old",
				      (json_int_t)counts->old, "foreign", (json_int_t)counts->foreign,
				      "useless", (json_int_t)counts->useless));
	return root;
}

static int write_results(struct dt_client *client)
{
	const struct dt_client_options *options = client->options;
	int rc = OC_OK;

	client->stats->ended_ns = dt_now_ns();
	client->stats->ended_us = dt_now_wall_us();
	if (options->common.json_path || !options->common.quiet)
		rc |= dt_json_write(result_json(client),
				    options->common.json_path ? options->common.json_path : "-", false);
	if (options->common.counters_path)
		rc |= dt_json_write(dt_stats_counters_json(client->stats, false),
				    options->common.counters_path, true);
	return rc == OC_OK ? OC_OK : OC_EIO;
}

static int client_free(struct dt_client *client)
{
	for (uint32_t slot = 0; slot < DT_CLIENT_CONNS_MAX; slot++)
		dt_conn_free(client->conn[slot]);
	int rc = dt_notes_close(&client->notes);
	if (client->signal_fd >= 0)
		close(client->signal_fd);
	if (client->epoll_fd >= 0)
		close(client->epoll_fd);
	dt_client_flow_fini(client);
	dt_source_fini(&client->source);
	dt_stats_free(client->stats);
	free(client->origin);
	free(client->origin_name);
	free(client->source_id);
	free(client->peer_name);
	free(client->neighbour);
	dt_obey_free(client->obey);
	free(client);
	return rc;
}

int dt_client_run(const struct dt_client_options *options)
{
	struct dt_client *client = calloc(1, sizeof(*client));
	if (!client) {
		fprintf(stderr, "doic-traffic: out of memory\n");
		return 1;
	}
	client->options = options;
	client->epoll_fd = client->signal_fd = -1;
	int rc = start(client);
	if (rc == OC_OK) {
		loop(client);
		dt_client_goodbye(client);
		rc = write_results(client);
		if (client->failed || client->alive < options->connections)
			rc = OC_EIO;
	} else if (rc == OC_ENOMEM) {
		fprintf(stderr, "doic-traffic: out of memory\n");
	}
	int closed = client_free(client);
	return rc == OC_OK && closed == OC_OK ? 0 : 1;
}
