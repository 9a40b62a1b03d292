/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Who asks whom how often, in steps of five seconds, so that there is a before when somebody asks for less.
 */
#include <stdlib.h>
#include <string.h>

#include "oev_watch_inner.h"

#define US_PER_S 1000000ull
#define CELLS (OEV_WATCH_BEFORE_S / OEV_WATCH_CELL_S)
#define PAIRS_MAX 4096u
#define INDEX_SIZE 16384u

struct cell {
	uint32_t requests, reacting;
};

struct pair {
	struct oev_watch_ask ask;
	uint64_t last;	   /* cell of the newest count; counted in OEV_WATCH_CELL_S since 1970 */
	uint64_t began_us; /* first request after a silence of all cells */
	struct cell cell[CELLS];
};

struct oev_watch_pairs {
	uint32_t count;
	uint64_t swept; /* cell in which they were last looked through for those that are silent */
	struct pair pair[PAIRS_MAX];
	uint32_t index[INDEX_SIZE]; /* 1 + place, 0 free */
};

struct oev_watch_pairs *oev_watch_pairs_new(void)
{
	return calloc(1, sizeof(struct oev_watch_pairs));
}

void oev_watch_pairs_free(struct oev_watch_pairs *pairs)
{
	free(pairs);
}

void oev_watch_pairs_clear(struct oev_watch_pairs *pairs)
{
	memset(pairs, 0, sizeof(*pairs));
}

/* Where the index has @ask, or could have it. */
static uint32_t *place_of(struct oev_watch_pairs *pairs, const struct oev_watch_ask *ask)
{
	uint64_t hash = oev_watch_hash((uint64_t)ask->origin << 32 | ask->app_id,
				       (uint64_t)ask->to << 32 | ask->realm);
	uint32_t at = (uint32_t)hash & (INDEX_SIZE - 1);

	for (; pairs->index[at] != 0; at = (at + 1) & (INDEX_SIZE - 1)) {
		const struct oev_watch_ask *of = &pairs->pair[pairs->index[at] - 1].ask;
		if (of->origin == ask->origin && of->app_id == ask->app_id && of->to == ask->to &&
		    of->realm == ask->realm)
			break;
	}
	return &pairs->index[at];
}

/* Makes room of pairs that were silent for so long that all their cells are over. */
static void sweep(struct oev_watch_pairs *pairs, uint64_t cell)
{
	uint32_t count = pairs->count;

	if (pairs->swept == cell)
		return;
	pairs->swept = cell;
	pairs->count = 0;
	memset(pairs->index, 0, sizeof(pairs->index));
	for (uint32_t i = 0; i < count; i++) {
		if (pairs->pair[i].last + CELLS <= cell)
			continue;
		pairs->pair[pairs->count] = pairs->pair[i];
		uint32_t *place = place_of(pairs, &pairs->pair[pairs->count].ask);
		*place = ++pairs->count;
	}
}

/* The pair of @ask, made when there is room; else NULL. */
static struct pair *pair_of(struct oev_watch_pairs *pairs, const struct oev_watch_ask *ask, uint64_t cell)
{
	uint32_t *place = place_of(pairs, ask);

	if (*place == 0 && pairs->count == PAIRS_MAX) {
		sweep(pairs, cell);
		place = place_of(pairs, ask);
	}
	if (*place == 0 && pairs->count == PAIRS_MAX)
		return NULL;
	if (*place == 0) {
		pairs->pair[pairs->count] = (struct pair){ .ask = *ask };
		*place = ++pairs->count;
	}
	return &pairs->pair[*place - 1];
}

void oev_watch_pairs_count(struct oev_watch_pairs *pairs, const struct oc_decision *d, bool reacts,
			   uint64_t wall_us)
{
	const struct oev_watch_ask ask = { .origin = d->origin_host,
					   .app_id = d->app_id,
					   .to = d->dest_host,
					   .realm = d->dest_host == 0 ? d->dest_realm : 0 };
	uint64_t cell = wall_us / US_PER_S / OEV_WATCH_CELL_S;
	struct pair *pair = pair_of(pairs, &ask, cell);

	if (pair == NULL || cell + CELLS <= pair->last)
		return;
	if (pair->last + CELLS <= cell)
		pair->began_us = wall_us;
	for (uint64_t next = pair->last + CELLS < cell ? cell - CELLS + 1 : pair->last + 1; next <= cell;
	     next++)
		pair->cell[next % CELLS] = (struct cell){ 0 };
	pair->last = cell > pair->last ? cell : pair->last;
	pair->cell[cell % CELLS].requests++;
	pair->cell[cell % CELLS].reacting += reacts;
}

bool oev_watch_pair_before(const struct oev_watch_pairs *pairs, uint32_t at, uint64_t wall_us,
			   struct oev_watch_before *out)
{
	uint64_t end = wall_us / US_PER_S / OEV_WATCH_CELL_S;

	if (at >= pairs->count)
		return false;
	const struct pair *pair = &pairs->pair[at];
	*out = (struct oev_watch_before){ .ask = pair->ask };
	for (uint64_t cell = end - CELLS + 1; cell < end; cell++) {
		if (cell > pair->last || cell + CELLS <= pair->last)
			continue;
		uint64_t from_us = cell * OEV_WATCH_CELL_S * US_PER_S;
		if (out->requests == 0)
			out->since_us = from_us > pair->began_us ? from_us : pair->began_us;
		out->requests += pair->cell[cell % CELLS].requests;
		out->reacting += pair->cell[cell % CELLS].reacting;
	}
	return true;
}
