/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Sentences that may quote what others sent.
 */
#include "oev_why.h"

#include <stdarg.h>
#include <stdio.h>

int oev_why(struct oev_why *why, int err, const char *format, ...)
{
	va_list args;

	if (why == NULL)
		return err;
	va_start(args, format);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): started in the line above */
	vsnprintf(why->text, sizeof(why->text), format, args);
	va_end(args);
	for (char *c = why->text; *c != '\0'; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	return err;
}
