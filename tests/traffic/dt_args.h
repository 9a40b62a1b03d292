/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Command lines of the two roles.
 *
 * Both end the program with status 2 and a hint on a usage error, and with 0 after --help.
 */
#pragma once

#include "dt_client.h"
#include "dt_server.h"

struct argp;
struct argp_state;

/* Fill *@options from the arguments after the role word. */
void dt_args_server(int argc, char **argv, struct dt_server_options *options);
void dt_args_client(int argc, char **argv, struct dt_client_options *options);

/* The options of both roles, a child of each role's own; its input is a struct dt_common. */
extern const struct argp dt_args_common;
/* What those options are when not given. */
struct dt_common dt_args_common_default(void);

/* Number in [@min, @max], or a usage error naming @what. */
uint64_t dt_args_number(const struct argp_state *state, const char *text, uint64_t min, uint64_t max,
			const char *what);
uint64_t dt_args_duration_ns(const struct argp_state *state, const char *text, const char *what);
/* Appends the octets of hexadecimal @text to those at @octets; whole AVPs are the caller's care. */
void dt_args_hex(const struct argp_state *state, const char *text, struct dt_octets *octets,
		 const char *what);
