/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * SCTP DATA chunks (RFC 9260 section 3.3.1) to Diameter messages.
 */
#include <string.h>

#include "dt_reasm.h"

#define CHUNK_DATA 0
#define FLAG_END 0x01u
#define FLAG_BEGIN 0x02u

static bool is_seen(struct dt_stream *stream, uint32_t tsn)
{
	uint32_t known = stream->seen_count < DT_SEEN_MAX ? stream->seen_count : DT_SEEN_MAX;
	for (uint32_t i = 0; i < known; i++) {
		if (stream->seen[i] == tsn)
			return true;
	}
	stream->seen[stream->seen_count++ % DT_SEEN_MAX] = tsn;
	return false;
}

static void take_message(struct dt_capture *capture, const uint8_t *data, size_t len)
{
	bool is_whole = len >= DT_HEADER_SIZE && dt_reasm_is_header(data) && dt_msg_length(data) == len;
	if (is_whole)
		dt_capture_take(capture, data, len);
}

static int find(const struct dt_stream *stream, uint32_t tsn)
{
	for (uint32_t i = 0; i < stream->pieces; i++) {
		if (stream->piece[i].at == tsn)
			return (int)i;
	}
	return -1;
}

/* Joins the run of fragments that begins with @first, if it is complete; fragments used are forgotten. */
static bool join(struct dt_capture *capture, struct dt_stream *stream, uint32_t first)
{
	uint8_t message[DT_MSG_MAX];
	size_t len = 0;
	uint32_t tsn = stream->piece[first].at, begin = tsn;
	int at = (int)first;

	for (;; tsn++) {
		if (at < 0 || stream->piece[at].len > sizeof(message) - len)
			return false;
		memcpy(message + len, stream->piece[at].data, stream->piece[at].len);
		len += stream->piece[at].len;
		if (stream->piece[at].flags & FLAG_END)
			break;
		at = find(stream, tsn + 1);
	}
	for (uint32_t used = begin; used != tsn + 1; used++)
		dt_reasm_forget(stream, (uint32_t)find(stream, used));
	take_message(capture, message, len);
	return true;
}

static void take_fragment(struct dt_reasm *reasm, struct dt_stream *stream, const struct dt_piece *piece)
{
	if (dt_reasm_keep(stream, piece) != OC_OK) {
		reasm->capture->lost++;
		return;
	}
	for (uint32_t i = 0; i < stream->pieces; i++) {
		if ((stream->piece[i].flags & FLAG_BEGIN) && join(reasm->capture, stream, i))
			return;
	}
}

static void take_data(struct dt_reasm *reasm, struct dt_stream *stream, const uint8_t *chunk, uint32_t len)
{
	const uint8_t both = FLAG_BEGIN | FLAG_END;
	struct dt_piece piece = {
		.at = dt_get_u32(chunk + 4), .len = len - 16, .flags = chunk[1] & both, .data = chunk + 16
	};

	if (is_seen(stream, piece.at))
		return;
	if (piece.flags == both) {
		take_message(reasm->capture, chunk + 16, piece.len);
		return;
	}
	take_fragment(reasm, stream, &piece);
}

void dt_reasm_sctp(struct dt_reasm *reasm, const uint8_t *packet, size_t len)
{
	if (len < 12)
		return;
	/* Ports and verification tag: a retransmission may come from another address of the same end. */
	struct dt_stream *stream = dt_reasm_stream(reasm, packet, 8);
	for (size_t at = 12; stream && at + 4 <= len;) {
		uint32_t size = (uint32_t)packet[at + 2] << 8 | packet[at + 3];
		if (size < 4 || at + size > len) {
			reasm->capture->lost++;
			return;
		}
		if (packet[at] == CHUNK_DATA && size >= 16)
			take_data(reasm, stream, packet + at, size);
		at += (size + 3) & ~3u;
	}
}
