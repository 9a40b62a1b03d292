/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The right edge of a Merkle tree: adding, folding, and its text.
 */
#include "oev_frontier.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_merkle.h"

static unsigned width(uint64_t size)
{
	return (unsigned)__builtin_popcountll(size);
}

void oev_frontier_append(struct oev_frontier *frontier, const struct oev_hash *leaf)
{
	struct oev_hash hash = *leaf;
	unsigned at = width(frontier->size);

	assert(frontier->size < UINT64_MAX);
	/* Every low bit that is set is a complete tree of the size of the one that is being added. */
	for (uint64_t rest = frontier->size; (rest & 1) != 0; rest >>= 1)
		oev_merkle_node(&frontier->edge[--at], &hash, &hash);
	frontier->edge[at] = hash;
	frontier->size++;
}

void oev_frontier_root(const struct oev_frontier *frontier, struct oev_hash *out)
{
	unsigned at = width(frontier->size);

	if (at == 0) {
		oev_hash_of("", 0, out);
		return;
	}
	*out = frontier->edge[--at];
	while (at > 0)
		oev_merkle_node(&frontier->edge[--at], out, out);
}

void oev_frontier_text(const struct oev_frontier *frontier, char out[static OEV_FRONTIER_TEXT_MAX])
{
	int used = snprintf(out, OEV_FRONTIER_TEXT_MAX, "%" PRIu64, frontier->size);
	char *at = out + used;

	for (unsigned i = 0; i < width(frontier->size); i++) {
		*at++ = ' ';
		oev_hash_hex(&frontier->edge[i], at);
		at += OEV_HASH_HEX - 1;
	}
}

/* The number that @text begins with; returns how many digits it has, 0 when it is none. */
static size_t take_size(const char *text, size_t len, uint64_t *size)
{
	size_t used = 0;

	for (*size = 0; used < len && text[used] >= '0' && text[used] <= '9'; used++) {
		unsigned digit = (unsigned)(text[used] - '0');

		if (*size > (UINT64_MAX - digit) / 10 || (used == 1 && *size == 0))
			return 0;
		*size = *size * 10 + digit;
	}
	return used;
}

int oev_frontier_parse(const char *text, size_t len, struct oev_frontier *out, struct oev_why *why)
{
	struct oev_frontier frontier;
	size_t at = take_size(text, len, &frontier.size);

	if (at == 0)
		return oev_why(why, OC_EMALFORMED, "the edge of the tree does not begin with its size");
	if (len - at != (size_t)width(frontier.size) * OEV_HASH_HEX)
		return oev_why(why, OC_EMALFORMED, "a tree of %" PRIu64 " leaves has an edge of %u hashes",
			       frontier.size, width(frontier.size));
	for (unsigned i = 0; i < width(frontier.size); i++, at += OEV_HASH_HEX)
		if (text[at] != ' ' ||
		    oev_hash_parse(text + at + 1, OEV_HASH_HEX - 1, &frontier.edge[i]) != OC_OK)
			return oev_why(why, OC_EMALFORMED, "hash %u of the edge is no hash", i + 1);
	out->size = frontier.size;
	memcpy(out->edge, frontier.edge, width(frontier.size) * sizeof(out->edge[0]));
	return OC_OK;
}
