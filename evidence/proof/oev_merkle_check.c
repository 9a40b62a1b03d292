/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Merkle trees: proofs held against roots (RFC 9162 sections 2.1.3.2 and 2.1.4.2).
 */
#include <stdbool.h>

#include "../../agent/oc_err.h"
#include "oev_merkle.h"

/* Where a walk from a leaf to the root is: number of its node on this level, and of the level's last node. */
struct place {
	uint64_t node;
	uint64_t last;
};

/* One level up. */
static void climb(struct place *place)
{
	place->node >>= 1;
	place->last >>= 1;
}

/* Goes up to where the node has a sibling: one that is last on an odd level has none, and stays the same
 * node further up, until it is a right child. Returns whether the sibling stands left of it. */
static bool rise_to_pair(struct place *place)
{
	if ((place->node & 1) != 0)
		return true;
	if (place->node != place->last)
		return false;
	while ((place->node & 1) == 0 && place->node != 0)
		climb(place);
	return true;
}

int oev_merkle_check_path(const struct oev_hash *leaf, uint64_t index, uint64_t count,
			  const struct oev_path *path, const struct oev_hash *root)
{
	struct place place = { .node = index, .last = count - 1 };
	struct oev_hash hash = *leaf;

	if (index >= count)
		return OC_ERANGE;
	for (unsigned i = 0; i < path->count; i++) {
		if (place.last == 0)
			return OC_EMALFORMED;
		if (rise_to_pair(&place))
			oev_merkle_node(&path->hashes[i], &hash, &hash);
		else
			oev_merkle_node(&hash, &path->hashes[i], &hash);
		climb(&place);
	}
	if (place.last != 0)
		return OC_EMALFORMED;
	return oev_hash_equal(&hash, root) ? OC_OK : OC_EREFUSED;
}

/* Follows a proof of more than its first hash, from @place up; @old_hash and @hash are that node in the two
 * trees. */
static int follow(struct place place, const struct oev_hash *hashes, unsigned count,
		  struct oev_hash *old_hash, struct oev_hash *hash)
{
	for (unsigned i = 0; i < count; i++) {
		if (place.last == 0)
			return OC_EMALFORMED;
		if (rise_to_pair(&place)) {
			oev_merkle_node(&hashes[i], old_hash, old_hash);
			oev_merkle_node(&hashes[i], hash, hash);
		} else {
			oev_merkle_node(hash, &hashes[i], hash);
		}
		climb(&place);
	}
	return place.last == 0 ? OC_OK : OC_EMALFORMED;
}

static int check_proper_growth(uint64_t old, uint64_t count, const struct oev_path *path,
			       const struct oev_hash *old_root, const struct oev_hash *root)
{
	struct place place = { .node = old - 1, .last = count - 1 };
	bool is_complete = (old & (old - 1)) == 0; /* then its root is a node of the new tree, and left out */
	struct oev_hash old_hash, hash;
	int rc;

	if (path->count == 0)
		return OC_EMALFORMED;
	while ((place.node & 1) != 0)
		climb(&place);
	old_hash = hash = is_complete ? *old_root : path->hashes[0];
	unsigned first = is_complete ? 0 : 1;
	rc = follow(place, path->hashes + first, path->count - first, &old_hash, &hash);
	if (rc != OC_OK)
		return rc;
	return oev_hash_equal(&old_hash, old_root) && oev_hash_equal(&hash, root) ? OC_OK : OC_EREFUSED;
}

int oev_merkle_check_growth(uint64_t old, uint64_t count, const struct oev_path *path,
			    const struct oev_hash *old_root, const struct oev_hash *root)
{
	if (old == 0 || old > count)
		return OC_ERANGE;
	if (old < count)
		return check_proper_growth(old, count, path, old_root, root);
	if (path->count != 0)
		return OC_EMALFORMED;
	return oev_hash_equal(old_root, root) ? OC_OK : OC_EREFUSED;
}
