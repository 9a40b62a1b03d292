/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The server's event loop.
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

int dt_server_watch(struct dt_server *server, int fd, enum dt_event_kind kind, uint32_t index)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u64 = (uint64_t)kind << 32 | index };
	return epoll_ctl(server->epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0 ? OC_OK : OC_EIO;
}

static void accept_conn(struct dt_server *server)
{
	uint32_t slot = 0;
	int fd = accept4(server->listen_fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

	if (fd < 0)
		return;
	while (slot < DT_SERVER_CONNS_MAX && server->conn[slot])
		slot++;
	if (slot == DT_SERVER_CONNS_MAX) {
		close(fd);
		return;
	}
	server->conn[slot] = dt_conn_new(fd, true, server->dump, server->record);
	if (!server->conn[slot])
		return;
	server->serial[slot]++;
	server->watched[slot] = EPOLLIN;
	dt_server_watch(server, fd, DT_EVENT_CONN, slot);
}

static void close_conn(struct dt_server *server, uint32_t slot)
{
	dt_conn_free(server->conn[slot]); /* closing the descriptor leaves epoll as well */
	server->conn[slot] = NULL;
}

/* Handles what is in the input buffer; says whether there was anything. */
static bool drain_messages(struct dt_server *server, uint32_t slot, uint64_t now_ns)
{
	struct dt_conn *conn = server->conn[slot];
	const uint8_t *msg;
	uint32_t len;
	bool any = false;

	while (dt_conn_has_room(conn) && (msg = dt_conn_next(conn, &len)) != NULL) {
		dt_serve_msg(server, slot, msg, len, now_ns);
		any = true;
	}
	return any;
}

static void read_conn(struct dt_server *server, uint32_t slot, uint64_t now_ns)
{
	struct dt_conn *conn = server->conn[slot];
	if (!conn || server->stalled)
		return;
	dt_conn_read(conn);
	drain_messages(server, slot, now_ns);
}

/* Asks epoll for what the connection can use: input unless stalled or full, output while some is left. */
static void rewatch(struct dt_server *server, uint32_t slot, bool is_blocked)
{
	struct dt_conn *conn = server->conn[slot];
	bool wants_input = !server->stalled && dt_conn_has_room(conn);
	uint32_t wanted = (wants_input ? EPOLLIN : 0) | (is_blocked ? EPOLLOUT : 0);
	if (wanted == server->watched[slot])
		return;
	struct epoll_event event = { .events = wanted, .data.u64 = (uint64_t)DT_EVENT_CONN << 32 | slot };
	epoll_ctl(server->epoll_fd, EPOLL_CTL_MOD, conn->fd, &event);
	server->watched[slot] = wanted;
}

static void flush_conns(struct dt_server *server, uint64_t now_ns)
{
	for (uint32_t slot = 0; slot < DT_SERVER_CONNS_MAX; slot++) {
		struct dt_conn *conn = server->conn[slot];
		if (!conn)
			continue;
		bool is_blocked;
		do { /* messages may have been left behind while the output was full */
			is_blocked = dt_conn_flush(conn) == OC_EBUSY;
		} while (!is_blocked && !server->stalled && drain_messages(server, slot, now_ns));
		if (conn->closed)
			close_conn(server, slot);
		else
			rewatch(server, slot, is_blocked);
	}
}

static void dispatch(struct dt_server *server, uint64_t tag, uint64_t now_ns)
{
	uint32_t index = (uint32_t)tag;
	switch ((enum dt_event_kind)(tag >> 32)) {
	case DT_EVENT_LISTEN:
		accept_conn(server);
		break;
	case DT_EVENT_SIGNAL:
		server->quit = true;
		break;
	case DT_EVENT_CONTROL:
		dt_console_accept(server);
		break;
	case DT_EVENT_CONSOLE:
		dt_console_read(server, index, now_ns);
		break;
	case DT_EVENT_CONN:
		read_conn(server, index, now_ns);
		break;
	}
}

static void wait_and_dispatch(struct dt_server *server, uint64_t until_ns)
{
	struct epoll_event events[64];
	uint64_t now_ns = dt_now_ns();
	uint64_t left_ns = until_ns > now_ns ? until_ns - now_ns : 0;
	struct timespec timeout = { .tv_sec = (time_t)(left_ns / 1000000000u),
				    .tv_nsec = (long)(left_ns % 1000000000u) };

	int count = epoll_pwait2(server->epoll_fd, events, 64, &timeout, NULL);
	now_ns = dt_now_ns();
	server->stalled = now_ns < server->stall_until_ns;
	for (int i = 0; i < count; i++)
		dispatch(server, events[i].data.u64, now_ns);
}

static void finish_jobs(struct dt_server *server, uint64_t now_ns)
{
	struct dt_job *job;
	while (server->work && (job = dt_work_take(server->work, now_ns)) != NULL)
		dt_serve_job(server, job, now_ns);
}

static uint64_t earliest(const struct dt_server *server, uint64_t end_ns, uint64_t progress_ns)
{
	uint64_t until_ns = end_ns < progress_ns ? end_ns : progress_ns;
	uint64_t job_ns = server->work ? dt_work_next_ns(server->work) : UINT64_MAX;
	if (server->stalled && server->stall_until_ns < until_ns)
		until_ns = server->stall_until_ns;
	return job_ns < until_ns ? job_ns : until_ns;
}

static void say_progress(const struct dt_server *server, uint64_t now_ns)
{
	const struct dt_stats *stats = server->stats;
	fprintf(stderr, "%.1f s requests=%llu answers=%llu dropped=%llu waiting=%u\n",
		(double)(now_ns - stats->started_ns) / 1e9, (unsigned long long)stats->requests,
		(unsigned long long)stats->answers, (unsigned long long)stats->dropped,
		server->work ? dt_work_waiting(server->work, now_ns) : 0);
}

static void loop(struct dt_server *server)
{
	const struct dt_server_options *options = server->options;
	uint64_t end_ns = server->stats->started_ns + options->duration_ns;
	uint64_t progress_ns = options->progress ? server->stats->started_ns + 1000000000u : UINT64_MAX;

	while (!server->quit && !server->die) {
		wait_and_dispatch(server, earliest(server, end_ns, progress_ns));
		uint64_t now_ns = dt_now_ns();
		finish_jobs(server, now_ns);
		flush_conns(server, now_ns);
		if (now_ns >= progress_ns) {
			say_progress(server, now_ns);
			progress_ns += 1000000000u;
		}
		if (now_ns >= end_ns)
			server->quit = true;
	}
}

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
		close_conn(server, slot);
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
		close_conn(server, slot);
	}
}

static int open_files(struct dt_server *server)
{
	const struct dt_server_options *options = server->options;
	if (options->dump_path && !(server->dump = dt_dump_open(options->dump_path)))
		return OC_EIO;
	if (options->record_path && !(server->record = fopen(options->record_path, "w")))
		return OC_EIO;
	return OC_OK;
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
	if (open_files(server) != OC_OK)
		return complain("cannot write the dump or the record", strerror(errno));
	getsockname(server->listen_fd, (struct sockaddr *)&bound, &len);
	if (!options->quiet)
		fprintf(stderr, "doic-traffic: %s listens on %s:%u\n", options->me.host,
			inet_ntoa(bound.sin_addr), ntohs(bound.sin_port));
	return OC_OK;
}

static int write_results(struct dt_server *server)
{
	const struct dt_server_options *options = server->options;
	int rc = OC_OK;

	server->stats->ended_ns = dt_now_ns();
	server->stats->ended_us = dt_now_wall_us();
	if (options->json_path || !options->quiet)
		rc |= dt_json_write(dt_stats_json(server->stats),
				    options->json_path ? options->json_path : "-", false);
	if (options->counters_path)
		rc |= dt_json_write(dt_stats_counters_json(server->stats, options->telemetry),
				    options->counters_path, true);
	if (server->dump)
		rc |= fclose(server->dump);
	if (server->record)
		rc |= fclose(server->record);
	return rc == OC_OK ? OC_OK : OC_EIO;
}

static struct dt_server *server_new(const struct dt_server_options *options)
{
	struct dt_server *server = calloc(1, sizeof(*server));
	if (!server)
		return NULL;
	server->options = options;
	server->listen_fd = server->epoll_fd = server->control_fd = server->signal_fd = -1;
	server->stats = dt_stats_new("server", &options->me, dt_now_wall_us(), dt_now_ns());
	server->plan = dt_serve_plan(&options->work, options->capacity_rps);
	bool has_work = server->plan.workers || server->plan.delay_ns;
	server->work = has_work ? dt_work_new(&server->plan, options->seed) : NULL;
	server->mix = options->mix;
	server->reports = options->reports;
	server->rng.state = options->seed;
	server->script_ns = options->from_first || !server->stats ? 0 : server->stats->started_ns;
	return server;
}

static void server_free(struct dt_server *server)
{
	for (uint32_t slot = 0; slot < DT_SERVER_CONNS_MAX; slot++)
		close_conn(server, slot);
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
	if (!server || !server->stats) {
		fprintf(stderr, "doic-traffic: out of memory\n");
		return 1;
	}
	int rc = start(server);
	if (rc == OC_OK) {
		loop(server);
		if (server->die)
			hang_up(server);
		else
			say_goodbye(server);
		rc = write_results(server);
	}
	server_free(server);
	return rc == OC_OK ? 0 : 1;
}
