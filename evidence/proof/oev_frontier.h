/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The right edge of a Merkle tree: what is needed to go on with a log without its old leaves.
 *
 * A tree of n leaves is a row of complete trees, one for each bit of n, the largest first; the edge holds
 * their roots.
 */
#pragma once

#include <stdint.h>

#include "oev_hash.h"
#include "oev_why.h"

#define OEV_FRONTIER_MAX 64u
#define OEV_FRONTIER_TEXT_MAX (21u + OEV_FRONTIER_MAX * (OEV_HASH_HEX)) /* with NUL */

struct oev_frontier {
	uint64_t size;				/* leaves; 0 is the empty tree */
	struct oev_hash edge[OEV_FRONTIER_MAX]; /* as many as size has bits set */
};

/* Adds one leaf hash. At most 2^64 - 1 leaves (asserted). */
void oev_frontier_append(struct oev_frontier *frontier, const struct oev_hash *leaf);

/* Root of the tree so far. */
void oev_frontier_root(const struct oev_frontier *frontier, struct oev_hash *out);

/* "5 HEX HEX": the size and the edge. One text for the same edge. */
void oev_frontier_text(const struct oev_frontier *frontier, char out[static OEV_FRONTIER_TEXT_MAX]);

/* OC_OK, OC_EMALFORMED with the sentence (@out is untouched). */
int oev_frontier_parse(const char *text, size_t len, struct oev_frontier *out, struct oev_why *why);
