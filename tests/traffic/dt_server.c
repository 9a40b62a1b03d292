/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The server's life: what it opens, how it ends, what it writes.
 */
#include "dt_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "dt_net.h"

/* Says DPR on every connection and gives the peers a moment to take it. */
static void say_goodbye(struct dt_server *server)
{
	for (uint32_t slot = 0; slot < DT_SERVER_CONNS_MAX; slot++) {
		struct dt_conn *conn = server->conn[slot];
		struct dt_out out;
		if (!conn)
			continue;
		dt_conn_reserve(conn, &out);
		dt_base_dpr(&out, &server->stats->me);
		dt_conn_commit(conn, &out);
		dt_conn_flush(conn);
		struct pollfd wait_answer = { .fd = conn->fd, .events = POLLIN };
		shutdown(conn->fd, SHUT_WR);
		poll(&wait_answer, 1, 100);
		dt_server_drop(server, slot);
	}
}

/* Resets every connection, as a process that crashed would. */
static void hang_up(struct dt_server *server)
{
	const struct linger at_once = { .l_onoff = 1, .l_linger = 0 };
	for (uint32_t slot = 0; slot < DT_SERVER_CONNS_MAX; slot++) {
		if (!server->conn[slot])
			continue;
		setsockopt(server->conn[slot]->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
		dt_server_drop(server, slot);
	}
}

static int complain(const char *what, const char *detail)
{
	fprintf(stderr, "doic-traffic: %s: %s\n", what, detail);
	return OC_EIO;
}

static int start(struct dt_server *server)
{
	const struct dt_server_options *options = server->options;
	struct sockaddr_in bound = { 0 };
	socklen_t len = sizeof(bound);
	char what[64];

	snprintf(what, sizeof(what), "cannot listen on %s:%u", inet_ntoa(options->listen.sin_addr),
		 ntohs(options->listen.sin_port));
	server->listen_fd = options->listen_fd >= 0 ? options->listen_fd : dt_listen_tcp(&options->listen);
	if (server->listen_fd < 0)
		return complain(what, strerror(errno));
	server->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	server->signal_fd = dt_signals_fd();
	if (dt_server_watch(server, server->listen_fd, DT_EVENT_LISTEN, 0) != OC_OK ||
	    dt_server_watch(server, server->signal_fd, DT_EVENT_SIGNAL, 0) != OC_OK)
		return complain("cannot watch descriptors", strerror(errno));
	if (dt_console_open(server) != OC_OK)
		return complain("cannot open the control channel", strerror(errno));
	if (dt_notes_open(&server->notes, &options->common) != OC_OK)
		return OC_EIO;
	getsockname(server->listen_fd, (struct sockaddr *)&bound, &len);
	if (!options->common.quiet)
		fprintf(stderr, "doic-traffic: %s listens on %s:%u\n", options->common.me.host,
			inet_ntoa(bound.sin_addr), ntohs(bound.sin_port));
	return OC_OK;
}

static int write_results(struct dt_server *server)
{
	const struct dt_server_options *options = server->options;
	int rc = OC_OK;

	server->stats->ended_ns = dt_now_ns();
	server->stats->ended_us = dt_now_wall_us();
	if (options->common.json_path || !options->common.quiet)
		rc |= dt_json_write(dt_stats_json(server->stats),
				    options->common.json_path ? options->common.json_path : "-", false);
	if (options->common.counters_path)
		rc |= dt_json_write(dt_stats_counters_json(server->stats, options->telemetry),
				    options->common.counters_path, true);
	rc |= dt_notes_close(&server->notes);
	return rc == OC_OK ? OC_OK : OC_EIO;
}

static struct dt_server *server_new(const struct dt_server_options *options)
{
	struct dt_server *server = calloc(1, sizeof(*server));
	if (!server)
		return NULL;
	server->options = options;
	server->listen_fd = server->epoll_fd = server->control_fd = server->signal_fd = -1;
	server->stats = dt_stats_new("server", &options->common.me, dt_now_wall_us(), dt_now_ns());
	if (!server->stats) {
		free(server);
		return NULL;
	}
	server->plan = dt_serve_plan(&options->work, options->capacity_rps);
	bool has_work = server->plan.workers || server->plan.delay_ns;
	server->work = has_work ? dt_work_new(&server->plan, options->common.seed) : NULL;
	server->mix = options->mix;
	server->reports = options->reports;
	server->loads = options->loads;
	server->rng.state = options->common.seed;
	server->script_ns = options->from_first ? 0 : server->stats->started_ns;
	return server;
}

static void server_free(struct dt_server *server)
{
	for (uint32_t slot = 0; slot < DT_SERVER_CONNS_MAX; slot++)
		dt_server_drop(server, slot);
	dt_console_close(server);
	const int fds[] = { server->listen_fd, server->epoll_fd, server->signal_fd };
	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
		if (fds[i] >= 0)
			close(fds[i]);
	}
	dt_work_free(server->work);
	dt_stats_free(server->stats);
	free(server);
}

int dt_server_run(const struct dt_server_options *options)
{
	struct dt_server *server = server_new(options);
	if (!server) {
		fprintf(stderr, "doic-traffic: out of memory\n");
		return 1;
	}
	int rc = start(server);
	if (rc == OC_OK) {
		dt_server_loop(server);
		if (server->die)
			hang_up(server);
		else
			say_goodbye(server);
		rc = write_results(server);
	}
	server_free(server);
	return rc == OC_OK ? 0 : 1;
}
