/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A table of strands by key, and sorted edges.
 */
#include "oev_strand.h"

#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"

#define PLACES ((size_t)2 * OEV_STRANDS)
_Static_assert((PLACES & (PLACES - 1)) == 0 && OEV_STRANDS < UINT16_MAX, "a mask, and numbers that fit");

int oev_strands_init(struct oev_strands *strands)
{
	strands->keys = calloc(OEV_STRANDS, sizeof(*strands->keys));
	strands->all = calloc(OEV_STRANDS, sizeof(*strands->all));
	strands->places = calloc(PLACES, sizeof(*strands->places));
	return strands->keys != NULL && strands->all != NULL && strands->places != NULL ? OC_OK : OC_ENOMEM;
}

void oev_strands_fini(struct oev_strands *strands)
{
	free(strands->keys);
	free(strands->all);
	free(strands->places);
	*strands = (struct oev_strands){ 0 };
}

void oev_strands_clear(struct oev_strands *strands)
{
	memset(strands->places, 0, PLACES * sizeof(*strands->places));
	strands->count = 0;
}

#define WORDS (sizeof(struct oev_strand_key) / sizeof(uint64_t))

static uint32_t hash_of(const uint64_t words[static WORDS])
{
	uint64_t hash = 0;

	for (size_t i = 0; i < WORDS; i++) {
		hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 29;
	}
	return (uint32_t)(hash >> 32);
}

/* In line: a call costs more than this. */
static bool is_same(const struct oev_strand_key *key, const uint64_t words[static WORDS])
{
	uint64_t other[WORDS], differ = 0;

	memcpy(other, key, sizeof(other));
	for (size_t i = 0; i < WORDS; i++)
		differ |= words[i] ^ other[i];
	return differ == 0;
}

struct oev_strand *oev_strands_count(struct oev_strands *strands, const struct oev_strand_key *key,
				     bool *is_new)
{
	uint64_t words[WORDS];

	memcpy(words, key, sizeof(words));
	uint32_t place = hash_of(words) & (PLACES - 1);
	for (; strands->places[place] != 0; place = (place + 1) & (PLACES - 1)) {
		uint32_t at = strands->places[place] - 1u;
		if (!is_same(&strands->keys[at], words))
			continue;
		*is_new = false;
		strands->all[at].count++;
		return &strands->all[at];
	}
	if (strands->count == OEV_STRANDS)
		return NULL;
	struct oev_strand *strand = &strands->all[strands->count];
	strands->keys[strands->count++] = *key;
	strands->places[place] = (uint16_t)strands->count;
	strand->count = 1;
	*is_new = true;
	return strand;
}

int oev_edges_add(struct oev_edges *edges, uint64_t at)
{
	if (edges->count == edges->room) {
		size_t room = edges->room != 0 ? 2 * edges->room : 64;
		uint64_t *bigger = realloc(edges->at, room * sizeof(*bigger));
		if (bigger == NULL)
			return OC_ENOMEM;
		edges->at = bigger;
		edges->room = room;
	}
	edges->at[edges->count++] = at;
	return OC_OK;
}

static int by_time(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

void oev_edges_sort(struct oev_edges *edges)
{
	if (edges->count > 1)
		qsort(edges->at, edges->count, sizeof(*edges->at), by_time);
	oev_edges_find(edges, 0);
}

void oev_edges_fini(struct oev_edges *edges)
{
	free(edges->at);
	*edges = (struct oev_edges){ 0 };
}

void oev_edges_find(struct oev_edges *edges, uint64_t at)
{
	size_t low = 0, high = edges->count; /* how many edges are at or before it */

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (edges->at[mid] <= at)
			low = mid + 1;
		else
			high = mid;
	}
	edges->stretch = (uint32_t)low;
	edges->from = low > 0 ? edges->at[low - 1] : 0;
	edges->until = low < edges->count ? edges->at[low] : UINT64_MAX;
}
