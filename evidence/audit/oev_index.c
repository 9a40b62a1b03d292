/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Open addressing with linear probing, at most half full.
 */
#include "oev_index.h"

#include <stdlib.h>

#include "../../agent/oc_err.h"

#define FIRST_SIZE 64u

static struct oev_index_entry *place_of(const struct oev_index *map, uint64_t key)
{
	size_t at = oev_index_place(map, key);

	while (map->entries[at].value != 0 && map->entries[at].key != key)
		at = (at + 1) & (map->size - 1);
	return &map->entries[at];
}

static int grow(struct oev_index *map)
{
	struct oev_index bigger = { .size = map->size != 0 ? 2 * map->size : FIRST_SIZE,
				    .count = map->count };

	bigger.entries = calloc(bigger.size, sizeof(*bigger.entries));
	if (bigger.entries == NULL)
		return OC_ENOMEM;
	for (size_t i = 0; i < map->size; i++)
		if (map->entries[i].value != 0)
			*place_of(&bigger, map->entries[i].key) = map->entries[i];
	free(map->entries);
	*map = bigger;
	return OC_OK;
}

int oev_index_put(struct oev_index *map, uint64_t key, uint64_t value)
{
	if (2 * (map->count + 1) > map->size && grow(map) != OC_OK)
		return OC_ENOMEM;
	struct oev_index_entry *entry = place_of(map, key);
	map->count += entry->value == 0;
	*entry = (struct oev_index_entry){ .key = key, .value = value };
	return OC_OK;
}

void oev_index_fini(struct oev_index *map)
{
	free(map->entries);
	*map = (struct oev_index){ 0 };
}
