/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One command and its reply over the control socket, never longer than allowed.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli_ctl.h"

#define REPLY_FIRST 4096u
#define REPLY_MAX (64u << 20)

static int fail(const char *path, const char *what, char *error, size_t size)
{
	snprintf(error, size, "%s: %s: %s", path, what, strerror(errno));
	return -1;
}

/* What may be wrong with the socket, for somebody who does not know the agent. */
static void fail_to_dial(const char *path, char *error, size_t size)
{
	const char *hint =
		errno == EACCES || errno == EPERM
			? "only the daemon's own user and root may open it"
			: "is the daemon running, and is this control.socket of its doic.yaml? else "
			  "--socket PATH";

	snprintf(error, size, "%.200s: nobody answers: %s (%s)", path, strerror(errno), hint);
}

static int dial(const char *path, char *error, size_t size)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (snprintf(address.sun_path, sizeof(address.sun_path), "%s", path) >=
	    (int)sizeof(address.sun_path)) {
		errno = ENAMETOOLONG;
		fail(path, "no socket", error, size);
	} else if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof(address)) != 0) {
		fail_to_dial(path, error, size);
	} else {
		return fd;
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Waits for @events until the clock reads @until_s. */
static int wait_for(int fd, short events, double until_s)
{
	struct pollfd wait = { .fd = fd, .events = events };
	double left_s = until_s - cli_now_s();
	int ready = left_s > 0 ? poll(&wait, 1, (int)(left_s * 1000) + 1) : 0;

	if (ready == 0)
		errno = ETIMEDOUT;
	return ready > 0 ? 0 : -1;
}

static int send_line(int fd, const char *line, double until_s)
{
	size_t len = strlen(line), sent = 0;

	while (sent <= len) { /* the newline is the last octet */
		const char *from = sent < len ? line + sent : "\n";
		ssize_t put;
		if (wait_for(fd, POLLOUT, until_s) != 0)
			return -1;
		put = send(fd, from, sent < len ? len - sent : 1, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (put < 0 && errno != EAGAIN && errno != EINTR)
			return -1;
		sent += put > 0 ? (size_t)put : 0;
	}
	return 0;
}

/* The line that comes, without its newline; NULL (errno). */
static char *receive_line(int fd, double until_s)
{
	size_t size = REPLY_FIRST, used = 0;
	char *text = malloc(size);

	while (text != NULL) {
		if (used + 1 == size) {
			char *bigger = size < REPLY_MAX ? realloc(text, size * 2) : NULL;
			if (bigger == NULL)
				break;
			text = bigger;
			size *= 2;
		}
		if (wait_for(fd, POLLIN, until_s) != 0)
			break;
		ssize_t got = recv(fd, text + used, size - used - 1, MSG_DONTWAIT);
		if (got == 0)
			errno = ECONNRESET;
		if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
			break;
		used += got > 0 ? (size_t)got : 0;
		text[used] = '\0';
		char *end = memchr(text, '\n', used);
		if (end != NULL) {
			*end = '\0';
			return text;
		}
	}
	free(text);
	return NULL;
}

char *cli_ctl_exchange(const char *path, const char *line, int timeout_ms, char *error, size_t size)
{
	double until_s = cli_now_s() + timeout_ms / 1e3;
	int fd = dial(path, error, size);
	char *reply = NULL;

	if (fd < 0)
		return NULL;
	if (send_line(fd, line, until_s) == 0)
		reply = receive_line(fd, until_s);
	if (reply == NULL)
		fail(path,
		     errno == ECONNRESET ? "no reply (if this is http.socket of doic.yaml: the command goes "
					   "over control.socket)"
					 : "no reply",
		     error, size);
	close(fd);
	return reply;
}
