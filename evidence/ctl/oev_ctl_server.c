/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Binding the socket, and the loop over its clients.
 */
#include "oev_ctl_server.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "oev_ctl_client.h"

#define SOCKET_MODE 0600
#define FOLDER_MODE 0755
#define TURN_MS 1000 /* how often idle clients are looked for */

struct oev_ctl_server {
	struct sockaddr_un address;
	ino_t inode; /* of the socket made here */
	oev_ctl_answer_fn answer;
	void *ctx;
	int listener;
	bool is_short; /* of file descriptors: who wants to come in waits for the next turn */
	int wake[2];   /* a pipe: its end closes, the thread ends */
	pthread_t thread;
	struct oev_ctl_client clients[OEV_CTL_CLIENTS_MAX];
};

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* What does not fit is told so and let go: it is a handful of octets, which a fresh socket always takes. */
static void turn_away(int fd)
{
	char *line = oev_ctl_reply_error(OEV_CTL_FULL, "too many clients");

	if (line != NULL && send(fd, line, strlen(line), MSG_DONTWAIT | MSG_NOSIGNAL) > 0)
		(void)!send(fd, "\n", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
	free(line);
	close(fd);
}

static void accept_one(struct oev_ctl_server *server)
{
	int fd = accept(server->listener, NULL, NULL);

	server->is_short = fd < 0 && errno != EAGAIN && errno != EINTR && errno != ECONNABORTED;
	if (fd < 0)
		return;
	for (size_t i = 0; i < OEV_CTL_CLIENTS_MAX; i++)
		if (server->clients[i].fd < 0 &&
		    oev_ctl_client_open(&server->clients[i], fd, now_ms()) == OC_OK)
			return;
	turn_away(fd);
}

static void serve_clients(struct oev_ctl_server *server, const struct pollfd *fds)
{
	int64_t now = now_ms();

	for (size_t i = 0; i < OEV_CTL_CLIENTS_MAX; i++) {
		struct oev_ctl_client *client = &server->clients[i];
		if (client->fd < 0)
			continue;
		if (fds[i].revents != 0)
			oev_ctl_client_serve(client, server->answer, server->ctx, now);
		if (client->fd >= 0 && now - client->active_ms > OEV_CTL_IDLE_MS)
			oev_ctl_client_close(client);
	}
}

static void *run(void *ctx)
{
	struct oev_ctl_server *server = ctx;
	struct pollfd fds[OEV_CTL_CLIENTS_MAX + 2];

	for (;;) {
		for (size_t i = 0; i < OEV_CTL_CLIENTS_MAX; i++)
			fds[i] = (struct pollfd){ .fd = server->clients[i].fd,
						  .events = oev_ctl_client_wants(&server->clients[i]) };
		fds[OEV_CTL_CLIENTS_MAX] = (struct pollfd){ .fd = server->wake[0], .events = POLLIN };
		fds[OEV_CTL_CLIENTS_MAX + 1] =
			(struct pollfd){ .fd = server->is_short ? -1 : server->listener, .events = POLLIN };
		server->is_short = false;
		if (poll(fds, OEV_CTL_CLIENTS_MAX + 2, TURN_MS) < 0 && errno != EINTR)
			return NULL;
		if (fds[OEV_CTL_CLIENTS_MAX].revents != 0)
			return NULL;
		serve_clients(server, fds);
		if (fds[OEV_CTL_CLIENTS_MAX + 1].revents != 0)
			accept_one(server);
	}
}

static int complain(char *error, size_t size, const char *path, const char *what)
{
	char reason[128];
	int failed = strerror_r(errno, reason, sizeof(reason));

	snprintf(error, size, "control socket \"%s\" %s: %s", path, what,
		 failed == 0 ? reason : "unknown error");
	return OC_EIO;
}

/* @server's path holds a socket nobody listens at? */
static bool is_left_behind(const struct oev_ctl_server *server)
{
	struct stat info;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int rc = fd < 0 ? 0 : connect(fd, (const struct sockaddr *)&server->address, sizeof(server->address));
	bool refused = rc < 0 && errno == ECONNREFUSED;

	if (fd >= 0)
		close(fd);
	return refused && lstat(server->address.sun_path, &info) == 0 && S_ISSOCK(info.st_mode);
}

/* Makes the folder of @path when only that is missing: /run is empty after each start of the machine. */
static bool make_folder(const char *path)
{
	char folder[sizeof(((struct sockaddr_un *)0)->sun_path)];
	const char *slash = strrchr(path, '/');

	if (slash == NULL || slash == path)
		return false;
	snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path), path);
	return mkdir(folder, FOLDER_MODE) == 0;
}

static int bind_path(struct oev_ctl_server *server, char *error, size_t size)
{
	const struct sockaddr *address = (const struct sockaddr *)&server->address;
	const char *path = server->address.sun_path;

	if (bind(server->listener, address, sizeof(server->address)) == 0)
		return OC_OK;
	if (errno == ENOENT && make_folder(path) &&
	    bind(server->listener, address, sizeof(server->address)) == 0)
		return OC_OK;
	if (errno != EADDRINUSE)
		return complain(error, size, path, "cannot be made");
	if (!is_left_behind(server)) {
		snprintf(error, size,
			 "control socket \"%s\": another daemon answers there (give each its own), or it is "
			 "no socket",
			 path);
		return OC_EBUSY;
	}
	if (unlink(path) != 0 || bind(server->listener, address, sizeof(server->address)) != 0)
		return complain(error, size, path, "was left behind and cannot be replaced");
	return OC_OK;
}

/* Nobody can connect before listen(), so the mode is set in time. */
static int open_listener(struct oev_ctl_server *server, char *error, size_t size)
{
	struct stat info;
	const char *path = server->address.sun_path;

	server->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (server->listener < 0 || pipe(server->wake) != 0)
		return complain(error, size, path, "cannot be made");
	int rc = bind_path(server, error, size);
	if (rc != OC_OK)
		return rc;
	if (chmod(path, SOCKET_MODE) != 0 || stat(path, &info) != 0 ||
	    listen(server->listener, OEV_CTL_CLIENTS_MAX) != 0) {
		rc = complain(error, size, path, "cannot be opened");
		unlink(path);
		return rc;
	}
	server->inode = info.st_ino;
	return OC_OK;
}

/* Signals are the daemon's, not this thread's. */
static int start_thread(struct oev_ctl_server *server)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	int rc = pthread_create(&server->thread, NULL, run, server);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = rc;
	return rc == 0 ? OC_OK : OC_EIO;
}

static void remove_socket(const struct oev_ctl_server *server)
{
	struct stat info;

	if (server->inode != 0 && lstat(server->address.sun_path, &info) == 0 && S_ISSOCK(info.st_mode) &&
	    info.st_ino == server->inode)
		unlink(server->address.sun_path);
}

/* All but the thread. */
static void release(struct oev_ctl_server *server)
{
	remove_socket(server);
	for (size_t i = 0; i < OEV_CTL_CLIENTS_MAX; i++) {
		oev_ctl_client_close(&server->clients[i]);
		free(server->clients[i].line);
	}
	for (size_t i = 0; i < 2; i++)
		if (server->wake[i] >= 0)
			close(server->wake[i]);
	if (server->listener >= 0)
		close(server->listener);
	free(server);
}

int oev_ctl_server_start(struct oev_ctl_server **out, const char *path, oev_ctl_answer_fn answer, void *ctx,
			 char *error, size_t error_size)
{
	struct oev_ctl_server *server = calloc(1, sizeof(*server));
	int rc = OC_OK;

	if (server == NULL) {
		snprintf(error, error_size, "out of memory");
		return OC_ENOMEM;
	}
	server->answer = answer;
	server->ctx = ctx;
	server->listener = server->wake[0] = server->wake[1] = -1;
	for (size_t i = 0; i < OEV_CTL_CLIENTS_MAX; i++)
		server->clients[i].fd = -1;
	server->address.sun_family = AF_UNIX;
	if (snprintf(server->address.sun_path, sizeof(server->address.sun_path), "%s", path) >=
	    (int)sizeof(server->address.sun_path)) {
		snprintf(error, error_size, "control socket \"%s\": the path is too long", path);
		rc = OC_EIO;
	}
	if (rc == OC_OK)
		rc = open_listener(server, error, error_size);
	if (rc == OC_OK && start_thread(server) != OC_OK)
		rc = complain(error, error_size, path, "has no thread");
	if (rc == OC_OK)
		*out = server;
	else
		release(server);
	return rc;
}

void oev_ctl_server_stop(struct oev_ctl_server *server)
{
	if (server == NULL)
		return;
	close(server->wake[1]);
	server->wake[1] = -1;
	pthread_join(server->thread, NULL);
	release(server);
}
