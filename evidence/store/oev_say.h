/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Telling the operator: one line, at most once a minute of one sort.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define OEV_SAY_TEXT_MAX 1536

/* Where lines go: error 1, notice 0. @log may be NULL. */
struct oev_voice {
	void (*log)(void *ctx, int error, const char *text);
	void *ctx;
};

/* One sort of lines. Zero is a valid start. */
struct oev_limiter {
	uint64_t next_ns;
	uint64_t silent; /* lines not said since the last one */
};

/* Says it. */
__attribute__((format(printf, 3, 4))) void oev_say(const struct oev_voice *voice, int error,
						   const char *format, ...);

/* Whether a line of this sort may be said at @now_ns; *@silent: how many were not. */
bool oev_may_say(struct oev_limiter *limiter, uint64_t now_ns, uint64_t *silent);
