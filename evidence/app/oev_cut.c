/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Where a text may end.
 */
#include "oev_cut.h"

#include <stdbool.h>
#include <string.h>

#define BEHIND_MAX 3u /* octets of a character behind its first */

/* Whether @octet goes on with a character that began before it. */
static bool goes_on(char octet)
{
	return ((unsigned char)octet & 0xc0) == 0x80;
}

static bool begins(char octet)
{
	return ((unsigned char)octet & 0xc0) == 0xc0;
}

int oev_cut(const char *text, size_t most)
{
	size_t end = strnlen(text, most), at = end;

	while (at > 0 && end - at < BEHIND_MAX && goes_on(text[at]))
		at--;
	return (int)(at == end || begins(text[at]) ? at : end);
}
