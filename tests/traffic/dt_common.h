/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The options that client and server have in common.
 */
#pragma once

#include "dt_base.h"

#define DT_DURATION_MAX_NS (3600ull * 1000000000u)

struct dt_common {
	struct dt_identity me;
	bool doic;	       /* client: announce; server: answer those who announce */
	uint64_t vector;       /* OC-Feature-Vector announced or supported; 0: the AVP is left out */
	const char *source_id; /* instead of the own identity in every SourceID; NULL: none told */
	const char *dump_path;
	const char *record_path;
	const char *receipts_path;
	const char *json_path;
	const char *counters_path;
	bool progress;
	bool quiet;
	uint64_t duration_ns; /* 0: no limit of its own */
	uint64_t seed;
};

/* What to say as SourceID: the identity @own unless the options tell another; NULL: leave it out. */
const char *dt_common_source(const struct dt_common *common, const char *own);
