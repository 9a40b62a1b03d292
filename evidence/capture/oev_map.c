/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The table: open addressing, at most half full, entries moved up on removal.
 */
#include "oev_map.h"

#include <stdlib.h>

#include "../../agent/oc_err.h"

#define FIRST_SIZE 64u
#define LAST_SIZE (1u << 28)

void oev_map_fini(struct oev_map *map)
{
	free(map->prints);
	free(map->values);
	*map = (struct oev_map){ 0 };
}

static void place(struct oev_map *map, uint64_t print, uint32_t value)
{
	uint32_t at = (uint32_t)print & map->mask;

	while (map->values[at] != 0)
		at = (at + 1) & map->mask;
	map->prints[at] = print;
	map->values[at] = value;
}

static int grow(struct oev_map *map)
{
	uint32_t size = map->values != NULL ? (map->mask + 1) * 2 : FIRST_SIZE;
	struct oev_map old = *map;

	if (size > LAST_SIZE)
		return OC_ENOMEM;
	map->prints = calloc(size, sizeof(*map->prints));
	map->values = calloc(size, sizeof(*map->values));
	if (map->prints == NULL || map->values == NULL) {
		free(map->prints);
		free(map->values);
		*map = old;
		return OC_ENOMEM;
	}
	map->mask = size - 1;
	for (uint32_t i = 0; old.values != NULL && i <= old.mask; i++)
		if (old.values[i] != 0)
			place(map, old.prints[i], old.values[i]);
	free(old.prints);
	free(old.values);
	return OC_OK;
}

int oev_map_add(struct oev_map *map, uint64_t print, uint32_t value)
{
	if (map->values == NULL || map->count >= (map->mask + 1) / 2) {
		int rc = grow(map);
		if (rc != OC_OK)
			return rc;
	}
	place(map, print, value);
	map->count++;
	return OC_OK;
}

/* Closes the gap at @hole: an entry further on moves up when its own place lies at or before the gap. */
static void close_gap(struct oev_map *map, uint32_t hole)
{
	for (uint32_t at = (hole + 1) & map->mask; map->values[at] != 0; at = (at + 1) & map->mask) {
		uint32_t home = (uint32_t)map->prints[at] & map->mask;
		if (((at - home) & map->mask) < ((at - hole) & map->mask))
			continue;
		map->prints[hole] = map->prints[at];
		map->values[hole] = map->values[at];
		hole = at;
	}
	map->values[hole] = 0;
}

void oev_map_remove(struct oev_map *map, uint64_t print, uint32_t value)
{
	if (map->values == NULL)
		return;
	for (uint32_t at = (uint32_t)print & map->mask; map->values[at] != 0; at = (at + 1) & map->mask) {
		if (map->prints[at] != print || map->values[at] != value)
			continue;
		close_gap(map, at);
		map->count--;
		return;
	}
}

struct oev_map_walk oev_map_first(const struct oev_map *map, uint64_t print)
{
	return (struct oev_map_walk){ .map = map, .print = print, .at = (uint32_t)print & map->mask };
}

uint32_t oev_map_next(struct oev_map_walk *walk)
{
	const struct oev_map *map = walk->map;

	while (map->values != NULL && map->values[walk->at] != 0) {
		uint32_t at = walk->at;
		walk->at = (at + 1) & map->mask;
		if (map->prints[at] == walk->print)
			return map->values[at];
	}
	return 0;
}
