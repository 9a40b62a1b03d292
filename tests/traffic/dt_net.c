/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Sockets and clocks.
 */
#include "dt_net.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "agent/oc_err.h"

uint64_t dt_now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t dt_now_wall_us(void)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

int dt_addr_parse(const char *text, struct sockaddr_in *addr)
{
	char host[64];
	char *end;
	const char *colon = strrchr(text, ':');

	if (!colon || (size_t)(colon - text) >= sizeof(host))
		return OC_EINVAL;
	memcpy(host, text, (size_t)(colon - text));
	host[colon - text] = '\0';
	unsigned long port = strtoul(colon + 1, &end, 10);
	*addr = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	if (colon[1] == '\0' || *end || port > 65535 || inet_pton(AF_INET, host, &addr->sin_addr) != 1)
		return OC_EINVAL;
	return OC_OK;
}

static int listen_on(int fd, const void *addr, socklen_t len)
{
	if (fd < 0)
		return -1;
	if (bind(fd, addr, len) == 0 && listen(fd, 128) == 0)
		return fd;
	int saved = errno;
	close(fd);
	errno = saved;
	return -1;
}

int dt_listen_tcp(const struct sockaddr_in *addr)
{
	const int on = 1;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd >= 0)
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	return listen_on(fd, addr, sizeof(*addr));
}

int dt_listen_unix(const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	if (strlen(path) >= sizeof(addr.sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(addr.sun_path, path, strlen(path) + 1);
	unlink(path);
	return listen_on(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), &addr, sizeof(addr));
}

int dt_connect_tcp(const struct sockaddr_in *addr, int timeout_ms)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int err = 0;
	socklen_t len = sizeof(err);

	if (fd < 0)
		return -1;
	if (connect(fd, (const struct sockaddr *)addr, sizeof(*addr)) == 0)
		return fd;
	struct pollfd poll_one = { .fd = fd, .events = POLLOUT };
	if (errno == EINPROGRESS && poll(&poll_one, 1, timeout_ms) == 1) {
		getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len);
		if (err == 0)
			return fd;
		errno = err;
	} else if (errno == EINPROGRESS) {
		errno = ETIMEDOUT;
	}
	err = errno;
	close(fd);
	errno = err;
	return -1;
}

int dt_signals_fd(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	int fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	sigaddset(&set, SIGPIPE);
	if (fd >= 0 && sigprocmask(SIG_BLOCK, &set, NULL) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

int dt_duration_parse(const char *text, uint64_t *duration_ns)
{
	static const struct {
		const char *unit;
		double scale_ns;
	} units[] = { { "", 1e9 }, { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "min", 60e9 } };
	char *end;
	double value = strtod(text, &end);

	if (end == text || !isfinite(value) || value < 0 || value > 1e6)
		return OC_EINVAL;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].unit) == 0) {
			*duration_ns = (uint64_t)(value * units[i].scale_ns);
			return OC_OK;
		}
	}
	return OC_EINVAL;
}
