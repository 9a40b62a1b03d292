/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A request encoded once and sent many times: a copy of its octets with a few places patched.
 */
#pragma once

#include "dt_wire.h"

#define DT_PATCHES_MAX 12u
#define DT_SESSION_DIGITS 10u

enum dt_patch_kind {
	DT_PATCH_DIGITS = 1, /* decimal digits: base + subscriber * step, modulo their number */
	DT_PATCH_IPV4,	     /* address: base + subscriber * step */
	DT_PATCH_CC_NUMBER,  /* CC-Request-Number: the step of the session's life */
	DT_PATCH_DRMP
};

struct dt_patch {
	uint32_t at;
	uint32_t len;
	uint64_t base;
	uint64_t step;
	enum dt_patch_kind kind;
};

struct dt_tmpl {
	uint8_t *data;
	uint32_t len;
	uint32_t session_at; /* of the DT_SESSION_DIGITS digits that number the session; 0: no Session-Id */
	uint32_t patches;
	struct dt_patch patch[DT_PATCHES_MAX];
};

struct dt_fill {
	uint32_t hop;
	uint32_t end_to_end;
	uint32_t session;
	uint64_t subscriber;
	uint32_t step;
	uint32_t drmp;
};

/* Adds a place to patch: OC_OK or OC_ENOSPC. */
int dt_tmpl_patch(struct dt_tmpl *tmpl, const struct dt_patch *patch);
/* "HOST;NNNNNNNNNN;NNNNNNNNNN;dt" with @high in the first number; the second is the one patched. */
void dt_tmpl_session(struct dt_tmpl *tmpl, struct dt_out *out, const char *host, uint32_t high);
/* Copies the octets of @out: OC_OK, OC_ENOSPC (it overflowed), OC_ENOMEM. */
int dt_tmpl_keep(struct dt_tmpl *tmpl, const struct dt_out *out);
void dt_tmpl_fini(struct dt_tmpl *tmpl);

/* Writes the message to @to, which has room for tmpl->len octets. */
void dt_tmpl_emit(const struct dt_tmpl *tmpl, uint8_t *to, const struct dt_fill *fill);
