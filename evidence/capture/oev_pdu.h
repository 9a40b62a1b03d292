/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reads what tshark exports: a capture file in which each packet is one reassembled Diameter message with tags that
 * say where it came from (link type 252, "Wireshark Upper PDU export").
 *
 * The file is made from hostile input by another program, so every tag is checked against the end of its packet.
 */
#pragma once

#include <stdio.h>

#include "../../agent/oc_types.h"
#include "oev_end.h"

struct oev_pdu {
	uint64_t time_ns;  /* UTC since 1970, of the frame that completed the message */
	uint32_t frame;	   /* number of that frame in the capture, from 1; 0 not told */
	uint8_t transport; /* enum oev_transport */
	struct oev_end from, to;
	struct oc_bytes
		octets; /* borrowed until the next read; fewer than the message has when it was captured in part */
};

struct oev_pdu_file;

/* Reads from the start of @file, which it owns from now on, also on failure. On failure *@error is one sentence.
 * Returns OC_OK, OC_EMALFORMED, OC_ENOMEM. */
int oev_pdu_open(struct oev_pdu_file **out, FILE *file, char *error, size_t error_size);
void oev_pdu_close(struct oev_pdu_file *file);

/* Fills *@out with the next Diameter message. OC_OK; OC_ENOENT at the end; OC_EMALFORMED when the file is broken from
 * here on. What is not Diameter is passed over; what is, but has no two ends or broken tags, is counted. */
int oev_pdu_next(struct oev_pdu_file *file, struct oev_pdu *out);
uint64_t oev_pdu_broken(const struct oev_pdu_file *file);

/* One exported packet: tags, then the message. OC_OK; OC_ENOENT: not Diameter; OC_EMALFORMED. time_ns is left alone. */
int oev_pdu_parse(struct oc_bytes packet, struct oev_pdu *out);
