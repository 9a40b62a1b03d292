/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A table from numbers to numbers: evidence may name any number, so nothing is indexed by one.
 *
 * Memory follows the entries, never the numbers. Entries are never removed. Not safe for several threads.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct oev_index_entry {
	uint64_t key;
	uint64_t value; /* 0: the place is free */
};

struct oev_index { /* zeroed: empty */
	struct oev_index_entry *entries;
	size_t size; /* a power of two, or 0 */
	size_t count;
};

/* Sets @key to @value, which is not 0. Returns OC_OK, OC_ENOMEM. */
int oev_index_put(struct oev_index *map, uint64_t key, uint64_t value);

void oev_index_fini(struct oev_index *map);

static inline size_t oev_index_place(const struct oev_index *map, uint64_t key)
{
	return (size_t)((key * 0x9e3779b97f4a7c15u) >> 20) & (map->size - 1);
}

/* The value of @key, 0 when there is none. */
static inline uint64_t oev_index_get(const struct oev_index *map, uint64_t key)
{
	if (map->size == 0)
		return 0;
	for (size_t at = oev_index_place(map, key);; at = (at + 1) & (map->size - 1)) {
		if (map->entries[at].value == 0 || map->entries[at].key == key)
			return map->entries[at].value;
	}
}
