/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Addresses and listening sockets.
 */
#include "oweb_listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "../agent/oc_err.h"

#define FOLDER_MODE 0755
#define BACKLOG 512

static int complain(char error[static OWEB_ERROR_MAX], const char *where, const char *what)
{
	int number = errno;
	const char *reason = strerrordesc_np(number); /* unlike strerror() for any thread */

	snprintf(error, OWEB_ERROR_MAX, "\"%s\" %s: %s", where, what, reason == NULL ? "?" : reason);
	return number == EADDRINUSE ? OC_EBUSY : OC_EIO;
}

static bool read_port(const char *text, unsigned *port)
{
	char *end = NULL;
	unsigned long value = strtoul(text, &end, 10);

	*port = (unsigned)value;
	return text[0] >= '0' && text[0] <= '9' && *end == '\0' && value <= 65535;
}

static bool set_address(struct oweb_address *out, bool is_six)
{
	struct sockaddr_in *four = (struct sockaddr_in *)&out->address;
	struct sockaddr_in6 *six = (struct sockaddr_in6 *)&out->address;

	out->address = (struct sockaddr_storage){ .ss_family = is_six ? AF_INET6 : AF_INET };
	if (is_six) {
		six->sin6_port = htons((uint16_t)out->port);
		out->len = sizeof(*six);
		bool ok = inet_pton(AF_INET6, out->host, &six->sin6_addr) == 1;
		out->is_loopback = ok && IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
		return ok;
	}
	four->sin_port = htons((uint16_t)out->port);
	out->len = sizeof(*four);
	bool ok = inet_pton(AF_INET, out->host, &four->sin_addr) == 1;
	out->is_loopback = ok && ntohl(four->sin_addr.s_addr) >> 24 == 127;
	return ok;
}

int oweb_bind_parse(const char *text, struct oweb_address *out, char error[static OWEB_ERROR_MAX])
{
	const char *colon = strrchr(text, ':');
	bool is_six = text[0] == '[';
	size_t skip = is_six ? 1 : 0;
	size_t len = colon == NULL ? 0 : (size_t)(colon - text);

	*out = (struct oweb_address){ 0 };
	if (colon != NULL && len > 2 * skip && (!is_six || colon[-1] == ']') &&
	    len - 2 * skip < sizeof(out->host) && read_port(colon + 1, &out->port)) {
		snprintf(out->host, sizeof(out->host), "%.*s", (int)(len - 2 * skip), text + skip);
		if (strcmp(out->host, "localhost") == 0)
			snprintf(out->host, sizeof(out->host), "127.0.0.1");
		if (set_address(out, is_six))
			return OC_OK;
	}
	snprintf(error, OWEB_ERROR_MAX,
		 "\"%s\" is no address to listen on: \"127.0.0.1:8810\" or \"[::1]:8810\"", text);
	return OC_EINVAL;
}

static unsigned port_of(int fd)
{
	struct sockaddr_storage address;
	socklen_t len = sizeof(address);

	if (getsockname(fd, (struct sockaddr *)&address, &len) != 0)
		return 0;
	return address.ss_family == AF_INET6 ? ntohs(((struct sockaddr_in6 *)&address)->sin6_port)
					     : ntohs(((struct sockaddr_in *)&address)->sin_port);
}

int oweb_listen_tcp(const struct oweb_address *where, int *fd, unsigned *port,
		    char error[static OWEB_ERROR_MAX])
{
	int on = 1;
	int made = socket(where->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (made < 0)
		return complain(error, where->host, "cannot be listened on");
	(void)setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (where->address.ss_family == AF_INET6)
		(void)setsockopt(made, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
	if (bind(made, (const struct sockaddr *)&where->address, where->len) != 0 ||
	    listen(made, BACKLOG) != 0) {
		int rc = complain(error, where->host, "cannot be listened on");
		close(made);
		return rc;
	}
	*fd = made;
	*port = port_of(made);
	return OC_OK;
}

/* The path holds a socket nobody listens at? */
static bool is_left_behind(const struct sockaddr_un *address)
{
	struct stat info;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int rc = fd < 0 ? 0 : connect(fd, (const struct sockaddr *)address, sizeof(*address));
	bool refused = rc < 0 && errno == ECONNREFUSED;

	if (fd >= 0)
		close(fd);
	return refused && lstat(address->sun_path, &info) == 0 && S_ISSOCK(info.st_mode);
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

static int bind_local(int fd, const struct sockaddr_un *address, char error[static OWEB_ERROR_MAX])
{
	const struct sockaddr *where = (const struct sockaddr *)address;

	if (bind(fd, where, sizeof(*address)) == 0)
		return OC_OK;
	if (errno == ENOENT && make_folder(address->sun_path) && bind(fd, where, sizeof(*address)) == 0)
		return OC_OK;
	if (errno != EADDRINUSE)
		return complain(error, address->sun_path, "cannot be listened on");
	if (!is_left_behind(address)) {
		snprintf(error, OWEB_ERROR_MAX,
			 "\"%s\": another daemon answers there (give each its own), or it is no socket",
			 address->sun_path);
		return OC_EBUSY;
	}
	if (unlink(address->sun_path) != 0 || bind(fd, where, sizeof(*address)) != 0)
		return complain(error, address->sun_path, "was left behind and cannot be replaced");
	return OC_OK;
}

/* Nobody can connect before listen(), so the mode is set in time. */
static int open_local(int fd, const struct sockaddr_un *address, unsigned mode, struct oweb_local *local,
		      char error[static OWEB_ERROR_MAX])
{
	struct stat info;
	int rc = bind_local(fd, address, error);

	if (rc != OC_OK)
		return rc;
	if (chmod(address->sun_path, mode) != 0 || lstat(address->sun_path, &info) != 0 ||
	    listen(fd, BACKLOG) != 0) {
		rc = complain(error, address->sun_path, "cannot be opened");
		unlink(address->sun_path);
		return rc;
	}
	snprintf(local->path, sizeof(local->path), "%s", address->sun_path);
	local->inode = info.st_ino;
	return OC_OK;
}

int oweb_listen_local(const char *path, unsigned mode, int *fd, struct oweb_local *local,
		      char error[static OWEB_ERROR_MAX])
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	*local = (struct oweb_local){ 0 };
	if (snprintf(address.sun_path, sizeof(address.sun_path), "%s", path) >=
	    (int)sizeof(address.sun_path)) {
		snprintf(error, OWEB_ERROR_MAX, "\"%.100s...\": the path is too long for a socket", path);
		return OC_EINVAL;
	}
	int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (made < 0)
		return complain(error, path, "cannot be listened on");
	int rc = open_local(made, &address, mode, local, error);
	if (rc == OC_OK)
		*fd = made;
	else
		close(made);
	return rc;
}

void oweb_local_remove(const struct oweb_local *local)
{
	struct stat info;

	if (local->inode != 0 && lstat(local->path, &info) == 0 && S_ISSOCK(info.st_mode) &&
	    info.st_ino == local->inode)
		unlink(local->path);
}
