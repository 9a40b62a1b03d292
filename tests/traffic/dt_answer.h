/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The answer a server gives to a request.
 */
#pragma once

#include "dt_base.h"
#include "dt_doic.h"
#include "dt_report.h"
#include "dt_scan.h"

struct dt_answer {
	uint32_t result; /* 3xxx sets the E bit (RFC 6733 section 7.1.3) */
	bool with_sf;
	uint64_t vector;		  /* 0: OC-Supported-Features without OC-Feature-Vector */
	const struct dt_reports *reports; /* NULL: no OC-OLR */
	uint64_t since_ns;		  /* since the origin of the report script */
	const struct dt_octets *raw;	  /* appended as they are; NULL: none */
};

/* Appends the whole answer to @out. @scan is the request's. */
void dt_answer_put(struct dt_out *out, const struct dt_identity *me, const uint8_t *request,
		   const struct dt_scan *scan, const struct dt_answer *answer);
