/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A server and a client of the traffic tool as two processes on an ephemeral port.
 */
#pragma once

#include <jansson.h>
#include <sys/types.h>

#include "dt_client.h"
#include "dt_server.h"

struct help_pair {
	char folder[64];
	char server_json[96];
	char client_json[96];
	char server_record[96];
	char client_record[96];
	char server_counters[96];
	char client_counters[96];
	char control[96];
	struct dt_server_options server;
	struct dt_client_options client;
	pid_t server_pid;
};

/* Options with defaults; the listening socket is open. */
void help_pair_init(struct help_pair *pair);
void help_pair_start_server(struct help_pair *pair);
/* Runs a client to its end and returns its exit status. */
int help_pair_run_client(const struct help_pair *pair);
/* SIGTERM, and the server's exit status. */
int help_pair_stop_server(struct help_pair *pair);
/* Sends one control line and reads the reply line. */
void help_pair_control(const struct help_pair *pair, const char *line, char *reply, size_t size);
void help_pair_fini(struct help_pair *pair);

/* Integer at a path like "doic/olr/host" of a JSON file; -1 when absent. */
long long help_json_number(const char *path, const char *where);
