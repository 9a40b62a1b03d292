/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What tshark says of one frame of a capture: one line of tab-separated fields, read into numbers.
 *
 * The lines tell what became of the payload of every frame that may carry Diameter; the messages themselves come
 * another way (oev_pdu.h). A field may hold several values, comma-separated.
 */
#pragma once

#include <stdbool.h>

#include "oev_end.h"

/* The fields of a line, in order. */
enum oev_field {
	OEV_FIELD_NUMBER = 0,
	OEV_FIELD_LENGTH,
	OEV_FIELD_CAPTURED,
	OEV_FIELD_IPV4_FROM,
	OEV_FIELD_IPV4_TO,
	OEV_FIELD_IPV6_FROM,
	OEV_FIELD_IPV6_TO,
	OEV_FIELD_TCP_FROM,
	OEV_FIELD_TCP_TO,
	OEV_FIELD_TCP_STREAM,
	OEV_FIELD_TCP_SEQUENCE,
	OEV_FIELD_TCP_LENGTH,
	OEV_FIELD_TCP_PARTS,
	OEV_FIELD_SCTP_FROM,
	OEV_FIELD_SCTP_TO,
	OEV_FIELD_SCTP_TAG,
	OEV_FIELD_SCTP_TSN,
	OEV_FIELD_SCTP_PPID,
	OEV_FIELD_SCTP_LAST,
	OEV_FIELD_SCTP_PARTS,
	OEV_FIELD_DIAMETER,
	OEV_FIELD_TLS,
	OEV_FIELD_DTLS,
	OEV_FIELD_ESP,
	OEV_FIELD_COUNT
};

/* tshark's name of a field. */
const char *oev_field_name(enum oev_field field);

#define OEV_FRAME_CHUNKS_MAX 1024u
#define OEV_FRAME_PARTS_MAX 1024u

struct oev_chunk {
	uint32_t tsn;
	uint32_t ppid;
	bool is_last; /* ends a user message */
};

struct oev_frame {
	uint32_t number; /* from 1 */
	uint32_t stream; /* TCP: tshark's number of the connection */
	uint32_t tag;	 /* SCTP: verification tag */
	uint32_t sequence;
	uint32_t payload;	 /* octets of TCP payload, on the wire */
	uint64_t message_octets; /* of the Diameter messages that were complete with this frame */
	uint32_t messages;
	uint32_t chunk_count; /* SCTP DATA chunks */
	uint32_t part_count;  /* frames that hold parts of these messages */
	struct oev_end from, to;
	uint8_t transport; /* enum oev_transport */
	bool is_cut;	   /* captured in part */
	bool has_tls, has_dtls, has_esp;
	struct oev_chunk chunk[OEV_FRAME_CHUNKS_MAX];
	uint32_t part[OEV_FRAME_PARTS_MAX];
};

/* Fills *@out from the @len octets of @line, without its newline. OC_OK or OC_EMALFORMED. */
int oev_frame_parse(struct oev_frame *out, const char *line, size_t len);
