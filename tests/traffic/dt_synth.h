/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Synthetic requests of the 3GPP applications, near to what real nodes send (300 to 600 octets).
 */
#pragma once

#include "dt_tail.h"

enum dt_kind {
	DT_KIND_GX_INITIAL = 0,
	DT_KIND_GX_UPDATE,
	DT_KIND_GX_TERMINATE,
	DT_KIND_GY_INITIAL,
	DT_KIND_GY_UPDATE,
	DT_KIND_GY_TERMINATE,
	DT_KIND_RX_AAR,
	DT_KIND_RX_STR,
	DT_KIND_S6A_ULR,
	DT_KIND_S6A_AIR,
	DT_KIND_COUNT
};

struct dt_synth {
	const char *origin_host;
	const char *origin_realm;
	const char *dest_host; /* NULL or "": none */
	const char *dest_realm;
	uint32_t session_high;
	const char *source_id; /* SourceID; NULL: none */
	struct dt_tail tail;
};

/* OC_OK, OC_ENOSPC or OC_ENOMEM. The caller ends it with dt_tmpl_fini. */
int dt_synth_make(enum dt_kind kind, const struct dt_synth *synth, struct dt_tmpl *tmpl);
