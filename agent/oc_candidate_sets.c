/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The table of candidate sets: direct-mapped, the one met last looked at first.
 */
#include "oc_candidate_sets.h"

#include <stdlib.h>
#include <string.h>

#include "wire/oc_hash.h"

_Static_assert(sizeof(struct oc_candidate) == 8, "no octet of it is padding");

struct place {
	uint32_t number; /* 0 = free */
	uint32_t count;
	struct oc_candidate candidates[OC_CANDIDATES_MAX];
};

struct oc_candidate_sets {
	uint32_t next;
	const struct place *last;
	struct place places[OC_CANDIDATE_SETS_PLACES];
};

struct oc_candidate_sets *oc_candidate_sets_new(void)
{
	struct oc_candidate_sets *sets = calloc(1, sizeof(*sets));

	if (sets)
		sets->last = &sets->places[0];
	return sets;
}

void oc_candidate_sets_free(struct oc_candidate_sets *sets)
{
	free(sets);
}

static bool is_same(const struct place *place, const struct oc_candidate *candidates, uint32_t count)
{
	return place->number != 0 && place->count == count &&
	       (count == 0 || memcmp(place->candidates, candidates, count * sizeof(*candidates)) == 0);
}

uint32_t oc_candidate_sets_number(struct oc_candidate_sets *sets, const struct oc_candidate *candidates,
				  uint32_t count, bool *is_fresh)
{
	*is_fresh = false;
	if (count > OC_CANDIDATES_MAX)
		return 0;
	if (is_same(sets->last, candidates, count))
		return sets->last->number;
	uint64_t hash = count == 0 ? 0 : oc_hash(candidates, count * sizeof(*candidates), count);
	struct place *place = &sets->places[hash % OC_CANDIDATE_SETS_PLACES];
	if (!is_same(place, candidates, count)) {
		*is_fresh = true;
		place->number = ++sets->next;
		place->count = count;
		if (count != 0)
			memcpy(place->candidates, candidates, count * sizeof(*candidates));
	}
	sets->last = place;
	return place->number;
}
