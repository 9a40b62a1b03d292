/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What other nodes said of their load, the weights that follow, and the weighted pick.
 */
#include "oc_load.h"

#include <assert.h>
#include <stdlib.h>

#include "oc_nodes.h"

#define NS_PER_MS 1000000ull
#define NS_PER_US 1000ull
#define US_PER_MS 1000ull

/* A node that comes up starts with 1/16 of its weight. */
#define SLOW_START_PARTS 16u

struct said {
	uint64_t at_ns;
	uint32_t value;
	bool is_known;
};

struct node_load {
	struct said said[OC_LOAD_TYPE_COUNT];
	uint64_t up_ns;
	bool came_up; /* false: it was there when the agent began, or is no neighbour */
};

struct oc_loads {
	struct oc_nodes nodes;
	struct node_load *entries; /* by place */
};

struct oc_loads *oc_loads_new(uint32_t max)
{
	struct oc_loads *loads = calloc(1, sizeof(*loads));

	if (!loads)
		return NULL;
	if (oc_nodes_init(&loads->nodes, max))
		loads->entries = calloc(oc_nodes_places(&loads->nodes), sizeof(*loads->entries));
	if (!loads->entries) {
		oc_loads_free(loads);
		return NULL;
	}
	return loads;
}

void oc_loads_free(struct oc_loads *loads)
{
	if (!loads)
		return;
	oc_nodes_fini(&loads->nodes);
	free(loads->entries);
	free(loads);
}

void oc_loads_on_up(struct oc_loads *loads, uint32_t node, uint64_t now_ns)
{
	uint32_t at = oc_nodes_add(&loads->nodes, node);

	if (at == OC_NODES_NOWHERE)
		return;
	loads->entries[at].came_up = true;
	loads->entries[at].up_ns = now_ns;
}

/* Readings of two threads may be in the wrong order by a little: then no time has passed. */
static uint64_t elapsed_ns(uint64_t since_ns, uint64_t now_ns)
{
	return now_ns > since_ns ? now_ns - since_ns : 0;
}

static bool is_fresh(const struct said *said, const struct oc_load_policy *policy, uint64_t now_ns)
{
	return said->is_known && elapsed_ns(said->at_ns, now_ns) < policy->max_age_ms * NS_PER_MS;
}

static bool is_news(const struct said *said, const struct oc_load_policy *policy, uint32_t value,
		    uint64_t now_ns)
{
	uint32_t moved = said->value > value ? said->value - value : value - said->value;

	if (!is_fresh(said, policy, now_ns) || (said->value == 0) != (value == 0))
		return true;
	return (moved != 0 && moved >= policy->change_min) ||
	       elapsed_ns(said->at_ns, now_ns) >= policy->max_age_ms * NS_PER_MS / OC_LOAD_RENEWALS;
}

bool oc_loads_note(struct oc_loads *loads, const struct oc_load_policy *policy, uint32_t node,
		   enum oc_load_type type, uint32_t value, uint64_t now_ns)
{
	/* Out of range says nothing (RFC 8583 section 7.3): not even that the node is known. */
	uint32_t at = value <= OC_LOAD_IDLE ? oc_nodes_add(&loads->nodes, node) : OC_NODES_NOWHERE;

	if (at == OC_NODES_NOWHERE || !is_news(&loads->entries[at].said[type], policy, value, now_ns))
		return false;
	loads->entries[at].said[type] = (struct said){ .at_ns = now_ns, .value = value, .is_known = true };
	return true;
}

static const struct node_load *find(const struct oc_loads *loads, uint32_t node)
{
	uint32_t at = oc_nodes_find(&loads->nodes, node);

	return at == OC_NODES_NOWHERE ? NULL : &loads->entries[at];
}

int32_t oc_loads_value(const struct oc_loads *loads, const struct oc_load_policy *policy, uint32_t node,
		       enum oc_load_type type, uint64_t now_ns)
{
	const struct node_load *entry = find(loads, node);

	return entry && is_fresh(&entry->said[type], policy, now_ns) ? (int32_t)entry->said[type].value : -1;
}

uint32_t oc_loads_places(const struct oc_loads *loads)
{
	return oc_nodes_places(&loads->nodes);
}

uint32_t oc_loads_at(const struct oc_loads *loads, uint32_t i)
{
	return loads->nodes.ids[i];
}

/* @weight in a straight line from 1/16 at the start to all of it. Rounded up, so that no node loses its last chance by it. In
 * microseconds every product stays below 2^63. */
static uint32_t slow_start(uint32_t weight, const struct node_load *entry,
			   const struct oc_load_policy *policy, uint64_t now_ns)
{
	uint64_t whole_us = policy->slow_start_ms * US_PER_MS;
	uint64_t passed_us = elapsed_ns(entry->up_ns, now_ns) / NS_PER_US;

	if (!entry->came_up || passed_us >= whole_us)
		return weight;
	uint64_t parts = whole_us + (SLOW_START_PARTS - 1) * passed_us;
	uint64_t all = SLOW_START_PARTS * whole_us;
	return (uint32_t)((weight * parts + all - 1) / all);
}

uint32_t oc_loads_weight(const struct oc_loads *loads, const struct oc_load_policy *policy, uint32_t node,
			 uint64_t now_ns, bool *is_known)
{
	const struct node_load *entry = find(loads, node);
	const struct said *said = NULL;

	if (entry && is_fresh(&entry->said[OC_LOAD_PEER], policy, now_ns))
		said = &entry->said[OC_LOAD_PEER];
	else if (entry && is_fresh(&entry->said[OC_LOAD_HOST], policy, now_ns))
		said = &entry->said[OC_LOAD_HOST];
	*is_known = said != NULL;
	uint32_t weight = said ? said->value : policy->neutral;
	return entry ? slow_start(weight, entry, policy, now_ns) : weight;
}

/* Position of number @nth (from 0) of the weights that are zero, or of all when @zeros is 0. */
static uint32_t nth_of(const uint32_t *weights, uint32_t count, uint32_t zeros, uint32_t nth)
{
	if (zeros == 0)
		return nth;
	uint32_t i = 0;
	for (; i < count - 1; i++)
		if (weights[i] == 0 && nth-- == 0)
			break;
	return i;
}

uint32_t oc_load_pick(const uint32_t *weights, uint32_t count, uint64_t random)
{
	uint64_t sum = 0;
	uint32_t zeros = 0;

	assert(count != 0);
	for (uint32_t i = 0; i < count; i++) {
		sum += weights[i];
		zeros += weights[i] == 0;
	}
	/* The remainder is the number drawn, the quotient is chance left over. */
	uint64_t drawn = random % (sum + 1);
	if (drawn == 0)
		return nth_of(weights, count, zeros,
			      (uint32_t)(random / (sum + 1) % (zeros != 0 ? zeros : count)));
	uint32_t i = 0;
	for (uint64_t running = weights[0]; running < drawn; running += weights[i])
		i++;
	return i;
}
