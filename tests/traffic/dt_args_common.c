/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Checks of option values that both roles use.
 */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dt_args.h"
#include "dt_net.h"

uint64_t dt_args_number(void *state, const char *text, uint64_t min, uint64_t max, const char *what)
{
	char *end;
	errno = 0;
	unsigned long long value = strtoull(text, &end, 0);
	if (*text == '\0' || *text == '-' || *end || errno || value < min || value > max)
		argp_error(state, "%s: '%s' is not a number from %llu to %llu", what, text,
			   (unsigned long long)min, (unsigned long long)max);
	return value;
}

uint64_t dt_args_duration_ns(void *state, const char *text, const char *what)
{
	uint64_t duration_ns = 0;
	if (dt_duration_parse(text, &duration_ns) != OC_OK)
		argp_error(state, "%s: '%s' is not a duration such as 2s or 150ms", what, text);
	return duration_ns;
}

void dt_args_name(void *state, const char *text, char *name, const char *what)
{
	if (*text == '\0' || strlen(text) >= DT_NAME_MAX - 16)
		argp_error(state, "%s: empty or too long", what);
	else
		memcpy(name, text, strlen(text) + 1);
}
