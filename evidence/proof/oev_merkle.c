/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Merkle trees: roots and proofs from leaves.
 */
#include "oev_merkle.h"

#include <assert.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_frontier.h"

void oev_merkle_leaf(const void *data, size_t len, struct oev_hash *out)
{
	oev_hash_tagged(OEV_MERKLE_TAG_LEAF, data, len, out);
}

void oev_merkle_node(const struct oev_hash *left, const struct oev_hash *right, struct oev_hash *out)
{
	uint8_t octets[1 + 2 * OEV_HASH_OCTETS];

	octets[0] = OEV_MERKLE_TAG_NODE;
	memcpy(octets + 1, left->octets, OEV_HASH_OCTETS);
	memcpy(octets + 1 + OEV_HASH_OCTETS, right->octets, OEV_HASH_OCTETS);
	oev_hash_of(octets, sizeof(octets), out);
}

void oev_merkle_root(const struct oev_hash *leaves, uint64_t count, struct oev_hash *out)
{
	struct oev_frontier frontier;

	frontier.size = 0;
	for (uint64_t i = 0; i < count; i++)
		oev_frontier_append(&frontier, &leaves[i]);
	oev_frontier_root(&frontier, out);
}

/* Level by level. The last one of an odd level goes up as it is, which is where the split at the largest
 * power of two puts it (RFC 9162 section 2.1.1). */
void oev_merkle_root_of(struct oev_hash *leaves, uint64_t count, struct oev_hash *out)
{
	if (count == 0) {
		oev_hash_of("", 0, out);
		return;
	}
	for (; count > 1; count = (count + 1) / 2) {
		for (uint64_t i = 0; i + 1 < count; i += 2)
			oev_merkle_node(&leaves[i], &leaves[i + 1], &leaves[i / 2]);
		if (count % 2 != 0)
			leaves[count / 2] = leaves[count - 1];
	}
	*out = leaves[0];
}

/* The largest power of two below @count, which is at least 2. */
static uint64_t split_of(uint64_t count)
{
	return UINT64_C(1) << (63 - __builtin_clzll(count - 1));
}

/* Proofs are found from the root downwards and told from the leaves upwards. */
static void reverse(struct oev_path *path)
{
	for (unsigned i = 0; i < path->count / 2; i++) {
		struct oev_hash other = path->hashes[path->count - 1 - i];

		path->hashes[path->count - 1 - i] = path->hashes[i];
		path->hashes[i] = other;
	}
}

static void add(struct oev_path *path, const struct oev_hash *leaves, uint64_t count)
{
	assert(path->count < OEV_PATH_MAX);
	oev_merkle_root(leaves, count, &path->hashes[path->count++]);
}

int oev_merkle_path(const struct oev_hash *leaves, uint64_t count, uint64_t index, struct oev_path *out)
{
	if (index >= count)
		return OC_ERANGE;
	out->count = 0;
	while (count > 1) {
		uint64_t split = split_of(count);

		if (index < split) {
			add(out, leaves + split, count - split);
			count = split;
		} else {
			add(out, leaves, split);
			leaves += split;
			index -= split;
			count -= split;
		}
	}
	reverse(out);
	return OC_OK;
}

/* SUBPROOF(old, leaves, whole) of RFC 9162 section 2.1.4.1 without recursion. */
int oev_merkle_growth(const struct oev_hash *leaves, uint64_t count, uint64_t old, struct oev_path *out)
{
	bool whole = true; /* the old tree is all of what is looked at: its root is known to the verifier */

	if (old == 0 || old > count)
		return OC_ERANGE;
	out->count = 0;
	while (old < count) {
		uint64_t split = split_of(count);

		if (old <= split) {
			add(out, leaves + split, count - split);
			count = split;
		} else {
			add(out, leaves, split);
			leaves += split;
			old -= split;
			count -= split;
			whole = false;
		}
	}
	if (!whole)
		add(out, leaves, count);
	reverse(out);
	return OC_OK;
}
