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

/* cli_ctl_say.c: the object every outcome is told in, with all its keys: schema, tool, ok, exit, outcome, command (NULL: none was
 * understood), error (the outcome's word), message, status (of HTTP) and reply, the last two null. On CLI_OK error and message are null.
 * NULL when out of memory. */
json_t *cli_ctl_outcome(const char *command, int code, const char *message);
/* Prints @object, which is taken, on stdout; on one line when @is_line. 0, or -1. */
int cli_ctl_put(json_t *object, bool is_line);
