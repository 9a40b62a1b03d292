/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The answer a server gives to a request.
 */
#pragma once

#include "dt_base.h"
#include "dt_doic.h"
#include "dt_report.h"
#include "dt_scan.h"

/* What a server says about its load (RFC 8583); HOST is always of itself. */
struct dt_loads {
	bool has_host;
	bool has_peer;
	uint64_t host;
	uint64_t peer;
	char peer_source[DT_NAME_MAX]; /* of the PEER load; empty: itself */
};

struct dt_answer {
	uint32_t result; /* 3xxx sets the E bit (RFC 6733 section 7.1.3) */
	bool with_sf;
	uint64_t vector;		  /* 0: OC-Supported-Features without OC-Feature-Vector */
	bool for_peer;			  /* SourceID and OC-Peer-Algo as well */
	uint64_t peer_algo;		  /* 0: without OC-Peer-Algo */
	const char *source;		  /* own SourceID; NULL: none */
	const struct dt_reports *reports; /* NULL: no OC-OLR */
	struct dt_report_to to;
	const struct dt_loads *loads; /* NULL: no Load */
	const struct dt_octets *raw;  /* appended as they are; NULL: none */
};

/* Appends the whole answer to @out. @scan is the request's. */
void dt_answer_put(struct dt_out *out, const struct dt_identity *me, const uint8_t *request,
		   const struct dt_scan *scan, const struct dt_answer *answer);
