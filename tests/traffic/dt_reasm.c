/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Streams of a capture.
 */
#include "dt_reasm.h"

#include <stdlib.h>
#include <string.h>

struct dt_stream *dt_reasm_stream(struct dt_reasm *reasm, const uint8_t *key, size_t len)
{
	for (uint32_t i = 0; i < reasm->streams; i++) {
		struct dt_stream *stream = reasm->stream[i];
		if (stream->key_len == len && memcmp(stream->key, key, len) == 0)
			return stream;
	}
	if (reasm->streams == DT_STREAMS_MAX || len > sizeof(reasm->stream[0]->key))
		return NULL;
	struct dt_stream *fresh = calloc(1, sizeof(*fresh));
	if (!fresh)
		return NULL;
	memcpy(fresh->key, key, len);
	fresh->key_len = len;
	reasm->stream[reasm->streams++] = fresh;
	return fresh;
}

int dt_reasm_keep(struct dt_stream *stream, const struct dt_piece *piece)
{
	if (stream->pieces == DT_PIECES_MAX)
		return OC_ENOSPC;
	struct dt_piece *kept = &stream->piece[stream->pieces];
	uint8_t *copy = malloc(piece->len ? piece->len : 1);
	if (!copy)
		return OC_ENOMEM;
	memcpy(copy, piece->data, piece->len);
	*kept = *piece;
	kept->data = kept->kept = copy;
	stream->pieces++;
	return OC_OK;
}

void dt_reasm_forget(struct dt_stream *stream, uint32_t index)
{
	free(stream->piece[index].kept);
	stream->piece[index] = stream->piece[--stream->pieces];
}

void dt_reasm_fini(struct dt_reasm *reasm)
{
	for (uint32_t i = 0; i < reasm->streams; i++) {
		while (reasm->stream[i]->pieces)
			dt_reasm_forget(reasm->stream[i], 0);
		free(reasm->stream[i]->buffer);
		free(reasm->stream[i]);
	}
	reasm->streams = 0;
}

bool dt_reasm_is_header(const uint8_t *data)
{
	uint32_t len = dt_msg_length(data);
	return data[0] == 1 && len >= DT_HEADER_SIZE && len <= DT_MSG_MAX && len % 4 == 0 &&
	       (data[4] & 0x0f) == 0; /* reserved command flags, RFC 6733 section 3 */
}
