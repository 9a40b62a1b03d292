/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What of a capture could not be decoded, and where: counted by kind, with the first few frames of each.
 *
 * Every frame on a connection that carries Diameter, or on a port of Diameter, is held against the messages that came
 * of it: octets of TCP and DATA chunks of SCTP that were captured but are in no message, those that were never captured, what is
 * encrypted, and what was captured in part.
 */
#pragma once

#include "../../agent/oc_types.h"
#include "oev_frame.h"

enum oev_missed_kind {
	OEV_MISSED_TLS = 0,	    /* TLS on a port of Diameter; amount: octets of TCP */
	OEV_MISSED_DTLS = 1,	    /* Diameter over DTLS over SCTP; amount: DATA chunks */
	OEV_MISSED_ESP = 2,	    /* IPsec: what it holds is not known; amount: frames */
	OEV_MISSED_CUT = 3,	    /* captured in part (snap length); amount: frames */
	OEV_MISSED_LOST = 4,	    /* never captured, TCP; amount: octets */
	OEV_MISSED_LOST_CHUNKS = 5, /* never captured, SCTP; amount: DATA chunks */
	OEV_MISSED_OCTETS = 6,	    /* TCP octets captured, in no message */
	OEV_MISSED_CHUNKS = 7,	    /* SCTP user messages captured, in no message of Diameter */
	OEV_MISSED_MALFORMED = 8,   /* messages whose AVPs do not parse; amount: messages, likewise below */
	OEV_MISSED_TRAILING = 9,    /* octets behind the message in one user message of SCTP */
	OEV_MISSED_ONE_WAY = 10,    /* messages of connections of which one direction is not in the capture */
	OEV_MISSED_UNREADABLE = 11, /* lines or packets of tshark that say nothing; amount: these */
	OEV_MISSED_FILE = 12,	    /* the file ends in the middle, or is broken; amount: files */
	OEV_MISSED_TABLE = 13,	    /* connections beyond those that can be followed; amount: frames */
	OEV_MISSED_COUNT
};

#define OEV_MISSED_LISTED 8u

/* One kind. */
struct oev_missed_sum {
	uint64_t amount;
	uint64_t frames; /* frames it was seen at; those listed are the first */
	uint32_t listed;
	uint32_t frame[OEV_MISSED_LISTED];
};

struct oev_missed {
	struct oev_missed_sum sum[OEV_MISSED_COUNT];
};

/* Adds @amount of @kind, seen at @frame; 0: at none in particular. */
void oev_missed_add(struct oev_missed *missed, enum oev_missed_kind kind, uint64_t amount, uint32_t frame);

/* Whether Diameter is known, or must be feared, to be missing: IPsec on other traffic does not count. */
bool oev_missed_any(const struct oev_missed *missed);

/* "tls", and one sentence that says what it is: "encrypted (TLS) on a port of Diameter". */
const char *oev_missed_word(enum oev_missed_kind kind);
const char *oev_missed_text(enum oev_missed_kind kind);
const char *oev_missed_unit(enum oev_missed_kind kind); /* "octets" */
