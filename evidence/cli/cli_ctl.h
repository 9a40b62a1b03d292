/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Parts of the verb ctl: talking to the socket, and the reply for people. Private to it.
 */
#pragma once

#include <jansson.h>

#include "cli.h"

/* cli_ctl_socket.c: sends @line (a newline is added) to the socket @path and waits at most @timeout_ms for the reply. Returns
 * it (free() it), or NULL with *@error in words. */
char *cli_ctl_exchange(const char *path, const char *line, int timeout_ms, char *error, size_t size);

/* cli_ctl_text.c: prints the good reply @root: a table of what it lists, or one line. */
void cli_ctl_print(const json_t *root, FILE *out);
