/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The HTTP server: one object, with libmicrohttpd's threads, over an evidence folder and, perhaps, the running agent that writes it.
 *
 * It listens on TCP (127.0.0.1 unless told otherwise; TLS when certificates are given) and on a UNIX socket. Whoever may open the
 * UNIX socket is administrator, by the system's word; over TCP a token or a session says who asks (oweb_auth.h). It reads evidence
 * through connections of its own, and asks the agent only through struct oweb_node, so no callback of the daemon waits for a client.
 */
#pragma once

#include <stddef.h>

#include "oweb_node.h"

#define OWEB_PATH_MAX 512u

struct oweb_conf {
	char bind[64];		      /* "127.0.0.1:8810"; "" no TCP; port 0: any */
	char socket_path[108];	      /* "" none */
	unsigned socket_mode;	      /* 0: 0600 */
	char tls_cert[OWEB_PATH_MAX]; /* PEM; both or none */
	char tls_key[OWEB_PATH_MAX];
	char tokens_path[OWEB_PATH_MAX];  /* salted hashes of tokens; "" nobody has one */
	bool reads_need_token;		  /* false: whoever reaches the address may read (observer) */
	char folder[OWEB_PATH_MAX];	  /* evidence */
	char index_folder[OWEB_PATH_MAX]; /* of sessions; "" in memory */
	char key_path
		[OWEB_PATH_MAX]; /* the node's secret key, for pseudonyms; "" the folder's name and .key */
	char public_key[OWEB_PATH_MAX]; /* for verification; "" the folder's own */
	char names[256];	  /* further names it may be asked by, "dra.example ops.example"; "" none */
	char label[32];		  /* shown beside the name: "LAB" */
	unsigned connections_max; /* 0: 256 */
	unsigned connections_per_address; /* 0: 64 */
	unsigned timeout_s;		  /* of an idle or slow connection; 0: 15 */
	size_t body_max;		  /* 0: 1 MiB */
};

struct oweb_server;

/* Starts. @node: the running agent, NULL for a finished folder; borrowed until the stop, like @watch (what the folder's end
 * was; taken from @node when there is one). @log: one line, error or notice; may be NULL. On failure *@error is one sentence.
 * Returns OC_OK, OC_EINVAL, OC_EBUSY (address taken), OC_EIO, OC_ENOMEM. */
int oweb_server_start(struct oweb_server **out, const struct oweb_conf *conf, const struct oweb_node *node,
		      struct oev_watch *watch, void (*log)(void *ctx, int error, const char *text),
		      void *log_ctx, char error[static OWEB_ERROR_MAX]);

/* The TCP port it listens on; 0 none. */
unsigned oweb_server_port(const struct oweb_server *server);

/* Ends streams and jobs, closes, frees. NULL is fine. */
void oweb_server_stop(struct oweb_server *server);
