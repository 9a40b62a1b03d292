/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Leaves of rows that were read before a batch asked for them: ascending by row, few in honest segments,
 * never many.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../proof/oev_hash.h"

#define OEV_PENDING_MAX 65536u

struct oev_pending_row {
	int64_t row;
	struct oev_hash leaf;
	bool taken;
};

struct oev_pending {
	struct oev_pending_row *rows;
	uint32_t count; /* those taken included */
	uint32_t taken;
	uint32_t size;
};

void oev_pending_fini(struct oev_pending *pending);

/* Adds a row above all others. OC_OK, OC_ENOSPC, OC_ENOMEM. */
int oev_pending_add(struct oev_pending *pending, int64_t row, const struct oev_hash *leaf);

/* Takes @row out. OC_OK, OC_ENOENT. */
int oev_pending_take(struct oev_pending *pending, int64_t row, struct oev_hash *leaf);

/* How many there are, and the first of them, untouched when there are none. */
uint32_t oev_pending_left(const struct oev_pending *pending, int64_t *first);
