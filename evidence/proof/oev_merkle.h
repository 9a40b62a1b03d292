/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Merkle trees as RFC 6962 section 2.1 and RFC 9162 section 2.1 have them: leaf SHA-256(0x00 || data),
 * node SHA-256(0x01 || left || right), empty tree SHA-256().
 *
 * No function allocates. Any thread.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "oev_hash.h"
#include "oev_why.h"

#define OEV_MERKLE_TAG_LEAF 0x00u
#define OEV_MERKLE_TAG_NODE 0x01u
#define OEV_PATH_MAX 65u /* hashes in a proof for trees of up to 2^64 - 1 leaves */

struct oev_path {
	unsigned count;
	struct oev_hash hashes[OEV_PATH_MAX]; /* from the leaves upwards, as in RFC 9162 */
};

void oev_merkle_leaf(const void *data, size_t len, struct oev_hash *out);
void oev_merkle_node(const struct oev_hash *left, const struct oev_hash *right, struct oev_hash *out);

/* Root over @count leaf hashes. oev_merkle_root_of() uses @leaves as its scratch memory and leaves rubbish
 * there. */
void oev_merkle_root(const struct oev_hash *leaves, uint64_t count, struct oev_hash *out);
void oev_merkle_root_of(struct oev_hash *leaves, uint64_t count, struct oev_hash *out);

/* Inclusion path of leaf @index (from 0) among @count leaf hashes (RFC 9162 section 2.1.3.1).
 * OC_OK or OC_ERANGE (@index is not below @count). Hashes all leaves once. */
int oev_merkle_path(const struct oev_hash *leaves, uint64_t count, uint64_t index, struct oev_path *out);

/* Consistency proof between the first @old leaves and all @count (RFC 9162 section 2.1.4.1).
 * OC_OK or OC_ERANGE (not 1 <= @old <= @count). */
int oev_merkle_growth(const struct oev_hash *leaves, uint64_t count, uint64_t old, struct oev_path *out);

/* Is @leaf number @index of the @count under @root (RFC 9162 section 2.1.3.2)? OC_OK, OC_ERANGE (no such
 * index), OC_EMALFORMED (the path has not the length it must have), OC_EREFUSED (it leads to another root). */
int oev_merkle_check_path(const struct oev_hash *leaf, uint64_t index, uint64_t count,
			  const struct oev_path *path, const struct oev_hash *root);

/* Did the tree of @old leaves and root @old_root become the one of @count and @root by additions alone (RFC
 * 9162 section 2.1.4.2)? @old at least 1: everything grows out of nothing. Same returns. */
int oev_merkle_check_growth(uint64_t old, uint64_t count, const struct oev_path *path,
			    const struct oev_hash *old_root, const struct oev_hash *root);
