/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Roots and proofs over a log of which the left part is known by its edge alone (RFC 9162 sections 2.1.3 and
 * 2.1.4).
 */
#include "oev_log.h"

#include <stdlib.h>

#include "../../agent/oc_err.h"

#define SIZE_FIRST 256u

void oev_log_init(struct oev_log *log, const struct oev_frontier *base)
{
	*log = (struct oev_log){ .base = *base };
}

void oev_log_fini(struct oev_log *log)
{
	free(log->leaves);
	log->leaves = NULL;
}

int oev_log_add(struct oev_log *log, const struct oev_hash *leaf)
{
	if (log->count == log->size) {
		uint64_t size = log->size == 0 ? SIZE_FIRST : log->size * 2;
		struct oev_hash *leaves = realloc(log->leaves, size * sizeof(*leaves));
		if (leaves == NULL)
			return OC_ENOMEM;
		log->leaves = leaves;
		log->size = size;
	}
	log->leaves[log->count++] = *leaf;
	return OC_OK;
}

/* Largest power of two below @n, which is at least 2. */
static uint64_t split(uint64_t n)
{
	return (uint64_t)1 << (63 - __builtin_clzll(n - 1));
}

/* The complete tree over [@low, @high) that is part of the edge; NULL when it is none. */
static const struct oev_hash *on_edge(const struct oev_log *log, uint64_t low, uint64_t high)
{
	uint64_t at = 0;
	unsigned i = 0;

	for (int bit = 63; bit >= 0; bit--) {
		uint64_t width = (uint64_t)1 << bit;
		if ((log->base.size & width) == 0)
			continue;
		if (at == low && at + width == high)
			return &log->base.edge[i];
		at += width;
		i++;
	}
	return NULL;
}

/* Hash of the tree over leaves [@low, @high), at least one. OC_OK, OC_ERANGE when it cannot be known. */
static int range(const struct oev_log *log, uint64_t low, uint64_t high, struct oev_hash *out)
{
	const struct oev_hash *edge = on_edge(log, low, high);
	struct oev_hash left, right;

	if (edge != NULL) {
		*out = *edge;
		return OC_OK;
	}
	if (low >= log->base.size) {
		if (high > log->base.size + log->count)
			return OC_ERANGE;
		oev_merkle_root(log->leaves + (low - log->base.size), high - low, out);
		return OC_OK;
	}
	if (high - low < 2)
		return OC_ERANGE;
	uint64_t middle = low + split(high - low);
	int rc = range(log, low, middle, &left);
	if (rc == OC_OK)
		rc = range(log, middle, high, &right);
	if (rc == OC_OK)
		oev_merkle_node(&left, &right, out);
	return rc;
}

int oev_log_root(const struct oev_log *log, uint64_t size, struct oev_hash *out)
{
	if (size < log->base.size || size > log->base.size + log->count)
		return OC_ERANGE;
	if (size == log->base.size) {
		oev_frontier_root(&log->base, out);
		return OC_OK;
	}
	return range(log, 0, size, out);
}

static int put(const struct oev_log *log, uint64_t low, uint64_t high, struct oev_path *out)
{
	if (out->count == OEV_PATH_MAX)
		return OC_ERANGE;
	int rc = range(log, low, high, &out->hashes[out->count]);
	out->count += rc == OC_OK;
	return rc;
}

/* From the leaf upwards: the inner part first, then its sibling. */
static int path_in(const struct oev_log *log, uint64_t low, uint64_t high, uint64_t index,
		   struct oev_path *out)
{
	if (high - low < 2)
		return OC_OK;
	uint64_t middle = low + split(high - low);
	bool is_left = index < middle;
	int rc = path_in(log, is_left ? low : middle, is_left ? middle : high, index, out);

	return rc == OC_OK ? put(log, is_left ? middle : low, is_left ? high : middle, out) : rc;
}

int oev_log_path(const struct oev_log *log, uint64_t size, uint64_t index, struct oev_path *out)
{
	out->count = 0;
	if (index < log->base.size || index >= size || size > log->base.size + log->count)
		return OC_ERANGE;
	return path_in(log, 0, size, index, out);
}

/* SUBPROOF of RFC 9162; @is_whole: the tree so far is one that the older root is made of. */
static int growth_in(const struct oev_log *log, uint64_t low, uint64_t high, uint64_t old, bool is_whole,
		     struct oev_path *out)
{
	if (old == high)
		return is_whole ? OC_OK : put(log, low, high, out);
	uint64_t middle = low + split(high - low);
	bool is_left = old <= middle;
	int rc = growth_in(log, is_left ? low : middle, is_left ? middle : high, old, is_left && is_whole,
			   out);

	return rc == OC_OK ? put(log, is_left ? middle : low, is_left ? high : middle, out) : rc;
}

int oev_log_growth(const struct oev_log *log, uint64_t size, uint64_t old, struct oev_path *out)
{
	out->count = 0;
	if (old == 0 || old < log->base.size || old > size || size > log->base.size + log->count)
		return OC_ERANGE;
	return growth_in(log, 0, size, old, true, out);
}
