/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The leaves of a node's log from some segment on, and proofs about it that need no older leaves.
 *
 * A segment tells the edge of the log before it. Every hash left of that edge that a proof about later
 * batches can need is part of the edge itself, so that old segments may be gone.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../proof/oev_frontier.h"
#include "../proof/oev_merkle.h"

struct oev_log {
	struct oev_frontier base; /* the log before the first leaf here */
	struct oev_hash *leaves;
	uint64_t count; /* so the log's size is base.size + count */
	uint64_t size;	/* room */
};

void oev_log_init(struct oev_log *log, const struct oev_frontier *base);
void oev_log_fini(struct oev_log *log);

/* OC_OK, OC_ENOMEM. */
int oev_log_add(struct oev_log *log, const struct oev_hash *leaf);

/* Root of the log when it had @size batches. OC_OK, OC_ERANGE (before the base, or beyond the end). */
int oev_log_root(const struct oev_log *log, uint64_t size, struct oev_hash *out);

/* Inclusion path of leaf @index, which is not left of the base, in the log of @size batches; as
 * oev_merkle_path(). */
int oev_log_path(const struct oev_log *log, uint64_t size, uint64_t index, struct oev_path *out);

/* Consistency proof from @old, not left of the base, to @size batches; as oev_merkle_growth(). */
int oev_log_growth(const struct oev_log *log, uint64_t size, uint64_t old, struct oev_path *out);
