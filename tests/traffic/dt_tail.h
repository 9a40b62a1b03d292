/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the options add to the end of every request, made up or captured: DRMP, OC-Supported-Features, octets as told.
 */
#pragma once

#include "dt_mix.h"
#include "dt_tmpl.h"

struct dt_tail {
	bool with_sf;
	uint64_t vector;
	struct dt_mix drmp;	     /* count 0: none; more than one: drawn per request (dt_fill.drmp) */
	const struct dt_octets *raw; /* NULL: none; borrowed */
};

/* Appends to @out, the request that becomes @tmpl. @source: SourceID, NULL for none. */
void dt_tail_put(const struct dt_tail *tail, const char *source, struct dt_tmpl *tmpl, struct dt_out *out);
