/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * gzip of a whole reply.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "oweb_inner.h"

#define LEVEL 5
#define WINDOW (15 + 16) /* gzip's frame */
#define MEMORY 8

char *oweb_pack(const char *data, size_t len, size_t *packed_len)
{
	z_stream stream = { 0 };
	size_t room = len - len / 16; /* less is no gain */

	if (deflateInit2(&stream, LEVEL, Z_DEFLATED, WINDOW, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
		return NULL;
	char *packed = malloc(room);
	stream.next_in = (unsigned char *)(uintptr_t)data;
	stream.avail_in = (unsigned)len;
	stream.next_out = (unsigned char *)packed;
	stream.avail_out = (unsigned)room;
	bool ok = packed != NULL && deflate(&stream, Z_FINISH) == Z_STREAM_END;
	*packed_len = stream.total_out;
	deflateEnd(&stream);
	if (ok)
		return packed;
	free(packed);
	return NULL;
}
