/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Puts Diameter messages together again from SCTP DATA chunks and TCP segments. For dt_capture.c.
 */
#pragma once

#include "dt_capture.h"

#define DT_STREAMS_MAX 4096u
#define DT_PIECES_MAX 64u
#define DT_SEEN_MAX 1024u

/* Octets that arrived before those due ahead of them. */
struct dt_piece {
	uint32_t at; /* TSN or TCP sequence number */
	uint32_t len;
	uint8_t flags; /* of the DATA chunk */
	const uint8_t *data;
	uint8_t *kept; /* heap, the same octets: of a piece that waits */
};

/* One direction of an association or connection. */
struct dt_stream {
	uint8_t key[48];
	size_t key_len;
	bool is_started;
	uint32_t next; /* TCP: sequence number due */
	uint8_t *buffer;
	size_t len;
	size_t room;
	struct dt_piece piece[DT_PIECES_MAX];
	uint32_t pieces;
	uint32_t seen[DT_SEEN_MAX]; /* SCTP: TSNs met lately, so that a packet captured twice counts once */
	uint32_t seen_count;
};

struct dt_reasm {
	struct dt_capture *capture;
	struct dt_stream *stream[DT_STREAMS_MAX];
	uint32_t streams;
};

/* The stream of @key, made when new; NULL when there are too many. */
struct dt_stream *dt_reasm_stream(struct dt_reasm *reasm, const uint8_t *key, size_t len);
/* Keeps a copy of a piece: OC_OK, OC_ENOSPC or OC_ENOMEM. */
int dt_reasm_keep(struct dt_stream *stream, const struct dt_piece *piece);
void dt_reasm_forget(struct dt_stream *stream, uint32_t index);
void dt_reasm_fini(struct dt_reasm *reasm);

/* Whether these octets can begin a Diameter message; @len >= DT_HEADER_SIZE. */
bool dt_reasm_is_header(const uint8_t *data);

/* @packet begins with the SCTP or TCP header; @addresses tells the two ends apart. */
void dt_reasm_sctp(struct dt_reasm *reasm, const uint8_t *packet, size_t len);
void dt_reasm_tcp(struct dt_reasm *reasm, struct dt_cap_msg addresses, const uint8_t *packet, size_t len);
