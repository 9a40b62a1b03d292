/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * TCP segments to Diameter messages.
 */
#include <stdlib.h>
#include <string.h>

#include "dt_reasm.h"

#define FLAG_SYN 0x02u

static int append(struct dt_stream *stream, const uint8_t *data, size_t len)
{
	if (stream->len + len > stream->room) {
		size_t room = (stream->len + len) * 2;
		uint8_t *larger = realloc(stream->buffer, room);
		if (!larger)
			return OC_ENOMEM;
		stream->buffer = larger;
		stream->room = room;
	}
	memcpy(stream->buffer + stream->len, data, len);
	stream->len += len;
	return OC_OK;
}

/* Takes whole messages off the front. What does not look like Diameter is dropped up to the next segment. */
static void cut_messages(struct dt_reasm *reasm, struct dt_stream *stream)
{
	size_t at = 0;
	while (stream->len - at >= DT_HEADER_SIZE) {
		const uint8_t *msg = stream->buffer + at;
		if (!dt_reasm_is_header(msg)) {
			at = stream->len;
			break;
		}
		if (dt_msg_length(msg) > stream->len - at)
			break;
		dt_capture_take(reasm->capture, msg, dt_msg_length(msg));
		at += dt_msg_length(msg);
	}
	memmove(stream->buffer, stream->buffer + at, stream->len - at);
	stream->len -= at;
}

/* Appends the part of the segment that is new; false when octets before it are still missing. */
static bool take_segment(struct dt_reasm *reasm, struct dt_stream *stream, const struct dt_piece *piece)
{
	uint32_t old = stream->next - piece->at; /* octets of it that are known already, modulo 2^32 */
	if (old > 0x7fffffffu)
		return false;
	if (old >= piece->len)
		return true;
	if (append(stream, piece->data + old, piece->len - old) != OC_OK)
		return true;
	stream->next = piece->at + piece->len;
	cut_messages(reasm, stream);
	return true;
}

/* The capture missed octets for good: goes on with the earliest segment kept. */
static void skip_gap(struct dt_reasm *reasm, struct dt_stream *stream)
{
	uint32_t first = 0;
	for (uint32_t i = 1; i < stream->pieces; i++) {
		if (stream->piece[i].at - stream->next < stream->piece[first].at - stream->next)
			first = i;
	}
	stream->next = stream->piece[first].at;
	stream->len = 0;
	reasm->capture->lost++;
}

static void take_kept(struct dt_reasm *reasm, struct dt_stream *stream)
{
	for (uint32_t i = 0; i < stream->pieces;) {
		if (!take_segment(reasm, stream, &stream->piece[i])) {
			i++;
			continue;
		}
		dt_reasm_forget(stream, i);
		i = 0;
	}
}

static void add_segment(struct dt_reasm *reasm, struct dt_stream *stream, const struct dt_piece *piece)
{
	if (!take_segment(reasm, stream, piece)) {
		if (dt_reasm_keep(stream, piece) != OC_OK) {
			skip_gap(reasm, stream);
			dt_reasm_keep(stream, piece);
		}
	}
	take_kept(reasm, stream);
}

void dt_reasm_tcp(struct dt_reasm *reasm, struct dt_cap_msg addresses, const uint8_t *packet, size_t len)
{
	uint8_t key[48];
	size_t header = len >= 20 ? (packet[12] >> 4) * 4u : 0;

	if (header < 20 || header > len || addresses.len > 32)
		return;
	memcpy(key, addresses.data, addresses.len);
	memcpy(key + addresses.len, packet, 4);
	struct dt_stream *stream = dt_reasm_stream(reasm, key, addresses.len + 4);
	if (!stream)
		return;
	uint32_t seq = dt_get_u32(packet + 4);
	if (packet[13] & FLAG_SYN) {
		stream->is_started = true;
		stream->next = seq + 1;
		stream->len = 0;
		return;
	}
	if (len == header)
		return;
	if (!stream->is_started) /* the capture began in the middle of the connection */
		stream->next = seq;
	stream->is_started = true;
	struct dt_piece piece = { .at = seq, .len = (uint32_t)(len - header), .data = packet + header };
	add_segment(reasm, stream, &piece);
}
