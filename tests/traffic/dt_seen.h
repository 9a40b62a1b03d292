/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the overload AVPs of all requests, or of all answers, said: counts of values and the last reports.
 */
#pragma once

#include <jansson.h>

#include "dt_base.h"
#include "dt_scan.h"

#define DT_SEEN_VALUES_MAX 16u

/* Counts of different numbers; beyond the table: other. */
struct dt_seen_values {
	uint64_t value[DT_SEEN_VALUES_MAX];
	uint64_t count[DT_SEEN_VALUES_MAX];
	uint64_t other;
};

struct dt_seen_name {
	char text[DT_NAME_MAX];
	uint32_t len;
	uint64_t count;
	uint64_t last; /* Load-Value */
};

/* Counts of different identities; beyond the table, or too long: other. */
struct dt_seen_names {
	struct dt_seen_name entry[DT_SEEN_VALUES_MAX];
	uint64_t other;
};

struct dt_seen_olr {
	uint64_t count;
	struct dt_olr last; /* its source is in source, not in a message that is gone */
	char source[DT_NAME_MAX];
};

/* All-zero is empty. */
struct dt_seen {
	uint64_t messages;
	uint64_t with_sf;
	uint64_t with_olr;
	uint64_t without_vector; /* OC-Supported-Features without OC-Feature-Vector */
	struct dt_seen_values vectors;
	struct dt_seen_values peer_algos;
	struct dt_seen_names sources; /* SourceID in OC-Supported-Features */
	struct dt_seen_olr olr[DT_OLR_TYPE_COUNT];
	uint64_t load[DT_LOAD_TYPE_COUNT];
	struct dt_seen_names load_sources[DT_LOAD_TYPE_COUNT];
	uint64_t drmp[DT_DRMP_COUNT];
};

/* Counts one message. */
void dt_seen_add(struct dt_seen *seen, const struct dt_scan *scan);
/* New reference. */
json_t *dt_seen_json(const struct dt_seen *seen);
/* "0" to "15", or "none". */
const char *dt_drmp_name(uint32_t drmp);
