/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The overload AVPs of one message, as they are on the wire: read without judging, written as told.
 *
 * RFC 7683 (OC-Supported-Features, OC-OLR), RFC 8581 (SourceID, OC-Peer-Algo), RFC 8582 (OC-Maximum-Rate), RFC 8583 (Load).
 */
#pragma once

#include "dt_wire.h"

enum dt_feature { DT_FEATURE_LOSS = 0x1, DT_FEATURE_RATE = 0x4, DT_FEATURE_PEER = 0x10 };

enum dt_olr_type {
	DT_OLR_HOST = 0,
	DT_OLR_REALM = 1,
	DT_OLR_PEER = 2,
	DT_OLR_OTHER = 3,
	DT_OLR_TYPE_COUNT = 4
};

enum dt_load_type { DT_LOAD_HOST = 0, DT_LOAD_PEER = 1, DT_LOAD_OTHER = 2, DT_LOAD_TYPE_COUNT = 3 };

/* A DiameterIdentity inside a message; data NULL: absent. */
struct dt_text {
	const uint8_t *data;
	uint32_t len;
};

struct dt_features {
	bool has_vector;
	bool has_peer_algo;
	uint64_t vector;
	uint64_t peer_algo;
	struct dt_text source;
};

struct dt_olr {
	bool has_sequence;
	bool has_type;
	bool has_reduction;
	bool has_validity;
	bool has_rate;
	uint64_t sequence;
	uint32_t type;
	uint32_t reduction_pct;
	uint32_t validity_s;
	uint32_t rate_rps;
	struct dt_text source;
};

struct dt_load {
	bool has_type;
	bool has_value;
	uint32_t type;
	uint64_t value;
	struct dt_text source;
};

/* From a Grouped AVP; a group that does not parse is read up to its defect, a child of a wrong length is absent. */
void dt_features_read(const struct dt_avp *group, struct dt_features *features);
void dt_olr_read(const struct dt_avp *group, struct dt_olr *olr);
void dt_load_read(const struct dt_avp *group, struct dt_load *load);
/* The place of a report or load in counts: its type, or "other" when absent or unknown. */
enum dt_olr_type dt_olr_kind(const struct dt_olr *olr);
enum dt_load_type dt_load_kind(const struct dt_load *load);

/* OC-Supported-Features; a vector or algorithm of 0 and a source of NULL are left out. */
void dt_put_features(struct dt_out *out, uint64_t vector, const char *source, uint64_t peer_algo);
void dt_put_load(struct dt_out *out, enum dt_load_type type, uint64_t value, const char *source);

/* Whether @text is the identity @name, without regard to case. */
bool dt_text_is(const struct dt_text *text, const char *name);
