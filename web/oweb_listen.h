/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Where the server listens: "127.0.0.1:8810", "[::1]:8810", and a UNIX socket that only its owner may open.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "oweb_node.h"

struct oweb_address {
	struct sockaddr_storage address;
	socklen_t len;
	char host[64]; /* as text, without brackets */
	unsigned port;
	bool is_loopback;
};

/* Reads "HOST:PORT"; HOST is an address, IPv6 in brackets, or "localhost". OC_OK, or OC_EINVAL with a sentence. */
int oweb_bind_parse(const char *text, struct oweb_address *out, char error[static OWEB_ERROR_MAX]);

/* A listening socket there; *@port is what was given when it was 0. OC_OK, OC_EBUSY (taken), OC_EIO; then *@error is a sentence. */
int oweb_listen_tcp(const struct oweb_address *where, int *fd, unsigned *port,
		    char error[static OWEB_ERROR_MAX]);

struct oweb_local {
	char path[108];
	ino_t inode; /* of the socket made here; 0 none */
};

/* A listening socket at @path, of mode @mode, in place of one left behind where nobody answers. Errors as above. */
int oweb_listen_local(const char *path, unsigned mode, int *fd, struct oweb_local *local,
		      char error[static OWEB_ERROR_MAX]);

/* Removes the socket when it is still the one made here. */
void oweb_local_remove(const struct oweb_local *local);
