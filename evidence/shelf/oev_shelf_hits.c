/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Decisions of one session or one subscriber in one segment, by the index.
 */
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_shelf_index.h"

struct gathering {
	struct oev_shelf_hits *hits;
	size_t room;
	uint64_t low, high;
};

static int add(struct gathering *g, uint64_t id)
{
	struct oev_shelf_hits *hits = g->hits;

	if (id < g->low || id > g->high)
		return OC_OK;
	if (hits->count == g->room) {
		size_t room = g->room != 0 ? 2 * g->room : 64;
		uint64_t *more = realloc(hits->ids, room * sizeof(*more));
		if (more == NULL)
			return OC_ENOMEM;
		hits->ids = more;
		g->room = room;
	}
	hits->ids[hits->count++] = id;
	return OC_OK;
}

static int add_entry(struct gathering *g, struct oev_shelf_run *run, const struct oev_shelf_entry *entry)
{
	uint64_t ids[OEV_SHELF_HITS_AT_ONCE];
	uint32_t from = 0, count;
	int rc = OC_OK;

	while (rc == OC_OK &&
	       (count = oev_shelf_run_hits(run, entry, from, OEV_SHELF_HITS_AT_ONCE, ids)) != 0) {
		for (uint32_t i = 0; rc == OC_OK && i < count; i++)
			rc = add(g, ids[i]);
		from += count;
	}
	return rc;
}

static int add_run(struct gathering *g, struct oev_shelf_run *run, uint64_t session, uint64_t subscriber)
{
	struct oev_shelf_entry entry;
	size_t from, to;
	int rc = OC_OK;

	if (session != 0)
		return oev_shelf_run_find(run, session, &entry) ? add_entry(g, run, &entry) : OC_OK;
	oev_shelf_run_range(run, subscriber, &from, &to);
	for (; rc == OC_OK && from < to; from++)
		if (oev_shelf_run_entry(run, OEV_SHELF_BY_SUBSCRIBER, from, &entry))
			rc = add_entry(g, run, &entry);
	return rc;
}

static int by_number(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

int oev_shelf_hits(struct oev_shelf_hits *out, const struct oev_shelf_runs *runs,
		   const struct oev_shelf_part *part, uint64_t session, uint64_t subscriber, uint64_t low,
		   uint64_t high)
{
	struct gathering g = { .hits = out, .low = low, .high = high };
	int rc = OC_OK;

	*out = (struct oev_shelf_hits){ 0 };
	for (size_t i = 0; rc == OC_OK && i < runs->count; i++) {
		struct oev_shelf_run *run = runs->runs[i];
		if (run->head->run_key != part->run_key ||
		    strncmp(run->head->segment, part->facts.name, sizeof(run->head->segment)) != 0)
			continue;
		unsigned misses = atomic_load(&run->misses);
		out->covered = run->head->last > out->covered ? run->head->last : out->covered;
		if (run->head->first <= high && run->head->last >= low)
			rc = add_run(&g, run, session, subscriber);
		if (rc == OC_OK && (run->is_broken || atomic_load(&run->misses) != misses))
			rc = OC_EIO;
	}
	if (out->count > 1)
		qsort(out->ids, out->count, sizeof(*out->ids), by_number);
	return rc;
}
