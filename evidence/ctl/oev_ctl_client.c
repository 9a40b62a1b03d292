/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Lines in, lines out, one at a time: the next line is not looked at before the last reply is written.
 */
#define _GNU_SOURCE /* struct ucred */
#include "oev_ctl_client.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../agent/oc_err.h"

/* Number of the user at the other end; nobody when the system does not say. */
static uint32_t user_of(int fd)
{
	struct ucred who;
	socklen_t len = sizeof(who);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len) == 0 ? (uint32_t)who.uid : UINT32_MAX;
}

int oev_ctl_client_open(struct oev_ctl_client *client, int fd, int64_t now_ms)
{
	if (client->line == NULL)
		client->line = malloc(OEV_CTL_LINE_MAX);
	if (client->line == NULL)
		return OC_ENOMEM;
	client->fd = fd;
	client->used = 0;
	client->active_ms = now_ms;
	client->user = user_of(fd);
	client->closing = false;
	return OC_OK;
}

void oev_ctl_client_close(struct oev_ctl_client *client)
{
	if (client->fd >= 0)
		close(client->fd);
	client->fd = -1;
	free(client->reply);
	client->reply = NULL;
}

short oev_ctl_client_wants(const struct oev_ctl_client *client)
{
	return client->reply != NULL ? POLLOUT : POLLIN;
}

/* Makes @reply (given away; NULL: out of memory) the one being written. */
static void start_reply(struct oev_ctl_client *client, char *reply)
{
	char *line = reply != NULL ? realloc(reply, strlen(reply) + 2) : NULL;

	if (line == NULL) {
		free(reply);
		oev_ctl_client_close(client);
		return;
	}
	client->reply = line;
	client->reply_len = strlen(line);
	client->reply[client->reply_len++] = '\n';
	client->written = 0;
}

/* Carries out the line of @len octets at the beginning, newline not counted. */
static void carry_out(struct oev_ctl_client *client, size_t len, oev_ctl_answer_fn answer, void *ctx)
{
	struct oev_ctl_command command;
	char error[OEV_CTL_ERROR_MAX];

	if (oev_ctl_parse(client->line, len, &command, error) != OC_OK) {
		start_reply(client, oev_ctl_reply_error(OEV_CTL_INVALID, error));
		return;
	}
	command.user = client->user;
	start_reply(client, answer(ctx, &command));
}

static void take_line(struct oev_ctl_client *client, oev_ctl_answer_fn answer, void *ctx)
{
	char *end = memchr(client->line, '\n', client->used);

	if (end != NULL) {
		size_t len = (size_t)(end - client->line);
		carry_out(client, len, answer, ctx);
		client->used -= len + 1;
		memmove(client->line, end + 1, client->used);
	} else if (client->used == OEV_CTL_LINE_MAX) {
		client->closing = true;
		start_reply(client,
			    oev_ctl_reply_error(OEV_CTL_INVALID, "a line is longer than 65536 octets"));
	}
}

/* True when something came; closes at the end. */
static bool receive(struct oev_ctl_client *client)
{
	ssize_t got =
		recv(client->fd, client->line + client->used, OEV_CTL_LINE_MAX - client->used, MSG_DONTWAIT);

	if (got > 0) {
		client->used += (size_t)got;
		return true;
	}
	if (got == 0 || (errno != EAGAIN && errno != EINTR))
		oev_ctl_client_close(client);
	return false;
}

/* True when the whole reply is out. */
static bool flush_reply(struct oev_ctl_client *client, int64_t now_ms)
{
	while (client->written < client->reply_len) {
		ssize_t put = send(client->fd, client->reply + client->written,
				   client->reply_len - client->written, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0 && errno == EAGAIN)
			return false;
		if (put <= 0) {
			oev_ctl_client_close(client);
			return false;
		}
		client->written += (size_t)put;
		client->active_ms = now_ms;
	}
	free(client->reply);
	client->reply = NULL;
	if (client->closing)
		oev_ctl_client_close(client);
	return !client->closing;
}

void oev_ctl_client_serve(struct oev_ctl_client *client, oev_ctl_answer_fn answer, void *ctx, int64_t now_ms)
{
	if (client->reply == NULL && receive(client))
		client->active_ms = now_ms;
	while (client->fd >= 0) {
		if (client->reply == NULL)
			take_line(client, answer, ctx);
		if (client->fd < 0 || client->reply == NULL || !flush_reply(client, now_ms))
			return;
	}
}
