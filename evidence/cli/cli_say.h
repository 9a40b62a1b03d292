/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What a verb says of its outcome: words on stderr, and one object on stdout where JSON was asked for.
 */
#pragma once

#include <jansson.h>

#include "cli.h"

/* schema "doic.VERB/1", tool, outcome, exit; for the caller to add to. NULL when out of memory. */
json_t *cli_object(const char *verb, int code, const char *outcome);

/* Prints @object, which is taken. 0, or -1 when it could not be written. */
int cli_put_object(json_t *object, FILE *out);

/* Says @text on stderr and, with @json, an object with "error" on stdout. Returns @code (CLI_BUG when that fails). */
int cli_fail(const char *verb, bool json, int code, const char *outcome, const char *text);
