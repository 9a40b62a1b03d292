/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Counting arrivals by second.
 */
#include "oev_arrivals.h"

#include <stdlib.h>

#define NS_PER_S 1000000000ull

void oev_arrivals_fini(struct oev_arrivals *arrivals)
{
	for (uint32_t i = 0; i < arrivals->count; i++)
		free(arrivals->flows[i]);
	free(arrivals->flows);
	oev_map_fini(&arrivals->map);
	*arrivals = (struct oev_arrivals){ 0 };
}

static uint64_t print_of(const struct oc_ocs_key *key)
{
	uint64_t print = ((uint64_t)key->app_id << 32 | key->subject) * 0x9e3779b97f4a7c15ull;

	return (print ^ print >> 31 ^ ((uint64_t)key->origin << 8 | key->type)) * 0xbf58476d1ce4e5b9ull >> 9;
}

struct oev_flow *oev_arrivals_find(const struct oev_arrivals *arrivals, const struct oc_ocs_key *key)
{
	struct oev_map_walk walk = oev_map_first(&arrivals->map, print_of(key));

	for (uint32_t i; (i = oev_map_next(&walk)) != 0;) {
		struct oev_flow *flow = arrivals->flows[i - 1];
		if (flow->key.app_id == key->app_id && flow->key.subject == key->subject &&
		    flow->key.origin == key->origin && flow->key.type == key->type)
			return flow;
	}
	return NULL;
}

static struct oev_flow *add(struct oev_arrivals *arrivals, const struct oc_ocs_key *key)
{
	if (arrivals->count == arrivals->room) {
		uint32_t room = arrivals->room != 0 ? arrivals->room * 2 : 16;
		struct oev_flow **grown = realloc(arrivals->flows, room * sizeof(struct oev_flow *));
		if (grown == NULL)
			return NULL;
		arrivals->flows = grown;
		arrivals->room = room;
	}
	struct oev_flow *flow = calloc(1, sizeof(*flow));
	if (flow == NULL || oev_map_add(&arrivals->map, print_of(key), arrivals->count + 1) != 0) {
		free(flow);
		return NULL;
	}
	flow->key = *key;
	arrivals->flows[arrivals->count++] = flow;
	return flow;
}

struct oev_flow *oev_arrivals_flow(struct oev_arrivals *arrivals, const struct oc_ocs_key *key,
				   uint64_t now_ns)
{
	struct oev_flow *flow = oev_arrivals_find(arrivals, key);

	if (flow != NULL)
		return flow;
	flow = arrivals->count < OEV_ARRIVALS_FLOWS_MAX ? add(arrivals, key) : NULL;
	if (flow != NULL)
		flow->first_ns = now_ns;
	else
		arrivals->not_counted++;
	return flow;
}

void oev_flow_count(struct oev_flow *flow, uint64_t now_ns)
{
	uint64_t second = now_ns / NS_PER_S;
	uint32_t at = (uint32_t)(second % OEV_ARRIVALS_SECONDS);

	if (flow->second[at] != second) {
		flow->second[at] = second;
		flow->count[at] = 0;
	}
	flow->count[at]++;
	flow->total++;
}

uint64_t oev_flow_before(const struct oev_flow *flow, uint64_t now_ns, uint32_t *seconds)
{
	uint64_t now = now_ns / NS_PER_S,
		 first = flow->first_ns / NS_PER_S + 1; /* the first one is not whole */
	uint64_t sum = 0;

	*seconds = 0;
	for (uint64_t second = now; second-- > first && *seconds < OEV_ARRIVALS_BEFORE_S;) {
		uint32_t at = (uint32_t)(second % OEV_ARRIVALS_SECONDS);
		sum += flow->second[at] == second ? flow->count[at] : 0;
		++*seconds;
	}
	return sum;
}
