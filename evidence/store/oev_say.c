/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Lines for the operator, and how often.
 */
#include "oev_say.h"

#include <stdarg.h>
#include <stdio.h>

#define EVERY_NS 60000000000u

void oev_say(const struct oev_voice *voice, int error, const char *format, ...)
{
	char text[OEV_SAY_TEXT_MAX];
	va_list args;

	if (!voice->log)
		return;
	va_start(args, format);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): started in the line above */
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	voice->log(voice->ctx, error, text);
}

bool oev_may_say(struct oev_limiter *limiter, uint64_t now_ns, uint64_t *silent)
{
	if (limiter->next_ns != 0 && now_ns < limiter->next_ns) {
		limiter->silent++;
		return false;
	}
	*silent = limiter->silent;
	limiter->silent = 0;
	limiter->next_ns = now_ns + EVERY_NS;
	return true;
}
