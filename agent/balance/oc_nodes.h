/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Places for nodes: a fixed open-addressed index by name number that only grows.
 *
 * A node keeps its place for ever, so whoever wants to remember something of nodes keeps an array of
 * oc_nodes_places() entries beside it. Not locked: it belongs to its owner.
 */
#pragma once

#include "../oc_types.h"

#define OC_NODES_MAX 1048576u
#define OC_NODES_NOWHERE UINT32_MAX

struct oc_nodes {
	uint32_t *ids; /* by place, OC_NAME_NONE = free; at least half of them stay free */
	uint32_t mask;
	uint32_t max;
	uint32_t held;
};

/* Room for @max nodes, at most OC_NODES_MAX; false when out of memory or range, then *@nodes is all zero. */
bool oc_nodes_init(struct oc_nodes *nodes, uint32_t max);
void oc_nodes_fini(struct oc_nodes *nodes);

uint32_t oc_nodes_places(const struct oc_nodes *nodes);

/* Place of @node, or OC_NODES_NOWHERE. The two reserved numbers are no nodes and have none. */
uint32_t oc_nodes_find(const struct oc_nodes *nodes, uint32_t node);

/* As oc_nodes_find(), but gives @node a place when it has none; OC_NODES_NOWHERE when there is no room. */
uint32_t oc_nodes_add(struct oc_nodes *nodes, uint32_t node);
