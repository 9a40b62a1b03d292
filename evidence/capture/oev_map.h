/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A growing table from a 64-bit fingerprint to a number above 0. Keys are kept by the caller, who compares them: several
 * entries may have one fingerprint.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct oev_map {
	uint64_t *prints;
	uint32_t *values; /* 0 = free */
	uint32_t mask;	  /* size - 1; 0 and no arrays: empty */
	uint32_t count;
};

/* Walks the entries of one fingerprint: start with oev_map_first(), 0 ends. */
struct oev_map_walk {
	const struct oev_map *map;
	uint64_t print;
	uint32_t at;
};

void oev_map_fini(struct oev_map *map);

/* OC_OK or OC_ENOMEM. @value is not 0. */
int oev_map_add(struct oev_map *map, uint64_t print, uint32_t value);

/* Removes the entry of @print with @value, if it is there. */
void oev_map_remove(struct oev_map *map, uint64_t print, uint32_t value);

struct oev_map_walk oev_map_first(const struct oev_map *map, uint64_t print);
uint32_t oev_map_next(struct oev_map_walk *walk);
