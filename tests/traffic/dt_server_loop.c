/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The server's event loop.
 */
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "dt_net.h"
#include "dt_server.h"

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
	server->conn[slot] = dt_conn_new(fd, true, &server->notes);
	if (!server->conn[slot])
		return;
	server->serial[slot]++;
	server->watched[slot] = EPOLLIN;
	dt_server_watch(server, fd, DT_EVENT_CONN, slot);
}

void dt_server_drop(struct dt_server *server, uint32_t slot)
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
			dt_server_drop(server, slot);
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

void dt_server_loop(struct dt_server *server)
{
	const struct dt_server_options *options = server->options;
	uint64_t run_ns = options->common.duration_ns ? options->common.duration_ns : DT_DURATION_MAX_NS;
	uint64_t end_ns = server->stats->started_ns + run_ns;
	uint64_t progress_ns =
		options->common.progress ? server->stats->started_ns + 1000000000u : UINT64_MAX;

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
