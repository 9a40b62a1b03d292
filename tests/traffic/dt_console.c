/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Control connections of a server: standard input or clients of a UNIX socket, one command per line.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "dt_net.h"
#include "dt_server.h"

static void reply(const struct dt_console *console, const char *text)
{
	/* A console that does not read its replies loses them: the traffic must not wait. */
	ssize_t ignored = write(console->out_fd, text, strlen(text));
	(void)ignored;
}

static void reply_stats(struct dt_server *server, const struct dt_console *console, uint64_t now_ns)
{
	server->stats->ended_ns = now_ns;
	server->stats->ended_us = dt_now_wall_us();
	json_t *root = dt_stats_json(server->stats);
	char *text = json_dumps(root, JSON_COMPACT);
	if (text) {
		reply(console, text);
		reply(console, "\n");
	}
	free(text);
	json_decref(root);
}

static void set_capacity(struct dt_server *server, uint64_t capacity_rps)
{
	struct dt_work_plan plan = dt_serve_plan(&server->options->work, capacity_rps);
	if (!server->work)
		server->work = dt_work_new(&plan, server->options->common.seed);
	else
		dt_work_replan(server->work, &plan);
}

static void set_load_peer(struct dt_server *server, const struct dt_control *control)
{
	server->loads.has_peer = !control->off;
	server->loads.peer = control->amount;
	memcpy(server->loads.peer_source, control->name, sizeof(control->name));
}

static void obey(struct dt_server *server, struct dt_control *control, const struct dt_console *console,
		 uint64_t now_ns)
{
	switch (control->kind) {
	case DT_COMMAND_REPORT:
		control->report.at_ns += server->script_ns ? now_ns - server->script_ns : 0;
		dt_reports_replace(&server->reports, &control->report);
		break;
	case DT_COMMAND_REPORT_OFF:
		server->reports.count = 0;
		break;
	case DT_COMMAND_STALL:
		server->stall_until_ns = now_ns + control->amount;
		break;
	case DT_COMMAND_MUTE_COUNT:
		server->mute_count = control->amount;
		server->mute_until_ns = 0;
		break;
	case DT_COMMAND_MUTE_FOR:
		server->mute_until_ns = now_ns + control->amount;
		break;
	case DT_COMMAND_CAPACITY:
		set_capacity(server, control->amount);
		break;
	case DT_COMMAND_RESULT:
		server->mix = control->mix;
		break;
	case DT_COMMAND_LOAD:
		server->loads.has_host = !control->off;
		server->loads.host = control->amount;
		break;
	case DT_COMMAND_LOAD_PEER:
		set_load_peer(server, control);
		break;
	case DT_COMMAND_STATS:
		reply_stats(server, console, now_ns);
		return;
	case DT_COMMAND_QUIT:
		server->quit = true;
		break;
	case DT_COMMAND_DIE:
		server->die = true;
		break;
	default:
		return;
	}
	reply(console, "ok\n");
}

static void take_line(struct dt_server *server, struct dt_console *console, uint64_t now_ns)
{
	struct dt_control control;
	const char *why;

	if (dt_control_parse(console->line, &control, &why) == OC_OK) {
		obey(server, &control, console, now_ns);
		return;
	}
	reply(console, "error: ");
	reply(console, why);
	reply(console, "\n");
}

static void close_console(struct dt_console *console)
{
	if (console->fd > STDIN_FILENO)
		close(console->fd);
	console->fd = -1;
}

void dt_console_read(struct dt_server *server, uint32_t index, uint64_t now_ns)
{
	struct dt_console *console = &server->console[index];
	char *end;

	ssize_t got =
		read(console->fd, console->line + console->len, sizeof(console->line) - 1 - console->len);
	if (got < 0 && errno == EAGAIN)
		return;
	if (got <= 0) {
		epoll_ctl(server->epoll_fd, EPOLL_CTL_DEL, console->fd, NULL);
		close_console(console);
		return;
	}
	console->len += (size_t)got;
	console->line[console->len] = '\0';
	while ((end = strchr(console->line, '\n')) != NULL) {
		*end = '\0';
		take_line(server, console, now_ns);
		console->len -= (size_t)(end + 1 - console->line);
		memmove(console->line, end + 1, console->len + 1);
	}
	if (console->len == sizeof(console->line) - 1)
		console->len = 0; /* a line too long is thrown away */
}

static int add_console(struct dt_server *server, int fd, int out_fd)
{
	for (uint32_t i = 0; i < DT_SERVER_CONSOLES_MAX; i++) {
		if (server->console[i].fd >= 0)
			continue;
		server->console[i] = (struct dt_console){ .fd = fd, .out_fd = out_fd };
		return dt_server_watch(server, fd, DT_EVENT_CONSOLE, i);
	}
	return OC_ENOSPC;
}

void dt_console_accept(struct dt_server *server)
{
	int fd = accept4(server->control_fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (fd >= 0 && add_console(server, fd, fd) != OC_OK)
		close(fd);
}

int dt_console_open(struct dt_server *server)
{
	const char *path = server->options->control_path;

	for (uint32_t i = 0; i < DT_SERVER_CONSOLES_MAX; i++)
		server->console[i].fd = -1;
	if (!path)
		return OC_OK;
	if (strcmp(path, "-") == 0)
		return add_console(server, STDIN_FILENO, STDERR_FILENO);
	server->control_fd = dt_listen_unix(path);
	if (server->control_fd < 0)
		return OC_EIO;
	return dt_server_watch(server, server->control_fd, DT_EVENT_CONTROL, 0);
}

void dt_console_close(struct dt_server *server)
{
	for (uint32_t i = 0; i < DT_SERVER_CONSOLES_MAX; i++)
		close_console(&server->console[i]);
	if (server->control_fd >= 0) {
		close(server->control_fd);
		unlink(server->options->control_path);
	}
}
