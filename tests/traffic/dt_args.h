/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Command lines of the two roles.
 *
 * Both end the program with status 2 and a hint on a usage error, and with 0 after --help.
 */
#pragma once

#include "dt_client.h"
#include "dt_server.h"

/* Fill *@options from the arguments after the role word. */
void dt_args_server(int argc, char **argv, struct dt_server_options *options);
void dt_args_client(int argc, char **argv, struct dt_client_options *options);

/* Number in [@min, @max], or a usage error naming @what (argp state as void pointer). */
uint64_t dt_args_number(void *state, const char *text, uint64_t min, uint64_t max, const char *what);
uint64_t dt_args_duration_ns(void *state, const char *text, const char *what);
void dt_args_name(void *state, const char *text, char *name, const char *what);
