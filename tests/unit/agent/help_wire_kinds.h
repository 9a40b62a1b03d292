/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One message of each kind the scanner tells apart, as mutation starts from and the fuzz corpus holds.
 */
#pragma once

#include "help_wire.h"

enum help_wire_kind {
	HELP_KIND_CCR = 0,	/* help_wire_ccr() */
	HELP_KIND_REPORTS,	/* answer with every byte vector but TV1..TV3 */
	HELP_KIND_REPORTS_MORE, /* answer with every byte vector but TV4 */
	HELP_KIND_RATE,		/* answer with the vectors of rate and Load */
	HELP_KIND_LOADS,	/* answer with more Load AVPs than are read */
	HELP_KIND_SPECIFIC,	/* Gy answer with 3GPP-OC-Specific-Reduction */
	HELP_KIND_GX_INITIAL,	/* Gx CCR with APN and many AVPs of 3GPP */
	HELP_KIND_GX_RELEASE,	/* Gx RAR that ends the session */
	HELP_KIND_GY_GROUPS,	/* Gy CCR with two MSCC */
	HELP_KIND_RX,		/* Rx AAR: emergency, MPS, Reservation-Priority, DRMP */
	HELP_KIND_CX_UAR,	/* emergency registration */
	HELP_KIND_CX_SAR,	/* de-registration */
	HELP_KIND_SWX_SAR,
	HELP_KIND_S6A_ULR, /* initial attach */
	HELP_KIND_S9_CCR,  /* a new subsession */
	HELP_KIND_COUNT
};

/* Builds the message of @kind, whole and well-formed. */
void help_wire_kind(struct help_wire *wire, enum help_wire_kind kind);
