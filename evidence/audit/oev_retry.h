/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Requests that came before: the same session tried again after a refusal, the same end-to-end identifier of the same origin, or
 * said so by the T bit.
 *
 * What was seen in the last OEV_RETRY_US is remembered in two tables of fixed size, one entry to a place; the newest
 * stays. Under very high rates a retry may therefore be missed, never one be invented.
 */
#pragma once

#include "oev_read.h"

#define OEV_RETRY_US 60000000ull
#define OEV_RETRY_BITS 18u
#define OEV_RETRY_PLACES (1u << OEV_RETRY_BITS)

enum oev_retry { OEV_RETRY_SESSION = 1, OEV_RETRY_END_TO_END = 2, OEV_RETRY_FLAG = 4 };

struct oev_retry_place {
	uint64_t key;
	uint64_t wall_us; /* 0: free */
};

struct oev_retries {			    /* zeroed before oev_retries_init() */
	struct oev_retry_place *refused;    /* sessions */
	struct oev_retry_place *end_to_end; /* identifiers */
};

/* Returns OC_OK, OC_ENOMEM. Free with _fini, also then. */
int oev_retries_init(struct oev_retries *retries);
void oev_retries_fini(struct oev_retries *retries);

/* @row will be taken soon. */
void oev_retries_expect(const struct oev_retries *retries, const struct oev_row *row);

/* Bits of enum oev_retry that @row is, in the order of decisions. */
unsigned oev_retries_take(struct oev_retries *retries, const struct oev_row *row);
