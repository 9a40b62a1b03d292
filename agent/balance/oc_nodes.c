/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The index of nodes: linear probing, never more than half full, nothing ever taken out.
 */
#include "oc_nodes.h"

#include <stdlib.h>
#include <string.h>

bool oc_nodes_init(struct oc_nodes *nodes, uint32_t max)
{
	uint32_t places = 4;

	memset(nodes, 0, sizeof(*nodes));
	if (max > OC_NODES_MAX)
		return false;
	while (places < 2 * max)
		places *= 2;
	nodes->ids = calloc(places, sizeof(*nodes->ids));
	if (!nodes->ids)
		return false;
	nodes->mask = places - 1;
	nodes->max = max;
	return true;
}

void oc_nodes_fini(struct oc_nodes *nodes)
{
	free(nodes->ids);
	memset(nodes, 0, sizeof(*nodes));
}

uint32_t oc_nodes_places(const struct oc_nodes *nodes)
{
	return nodes->mask + 1;
}

/* Place that holds @node, or the free one where the search ended. */
static uint32_t look_up(const struct oc_nodes *nodes, uint32_t node)
{
	/* Numbers are given out in order: the upper half of the product spreads them. */
	uint32_t at = (uint32_t)((node * 0x9e3779b97f4a7c15ull) >> 32) & nodes->mask;

	while (nodes->ids[at] != OC_NAME_NONE && nodes->ids[at] != node)
		at = (at + 1) & nodes->mask;
	return at;
}

uint32_t oc_nodes_find(const struct oc_nodes *nodes, uint32_t node)
{
	if (node <= OC_NAME_OVERFLOW)
		return OC_NODES_NOWHERE;
	uint32_t at = look_up(nodes, node);
	return nodes->ids[at] == node ? at : OC_NODES_NOWHERE;
}

uint32_t oc_nodes_add(struct oc_nodes *nodes, uint32_t node)
{
	if (node <= OC_NAME_OVERFLOW)
		return OC_NODES_NOWHERE;
	uint32_t at = look_up(nodes, node);
	if (nodes->ids[at] == node)
		return at;
	if (nodes->held == nodes->max)
		return OC_NODES_NOWHERE;
	nodes->ids[at] = node;
	nodes->held++;
	return at;
}
