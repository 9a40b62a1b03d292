/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Names of nodes and realms in counters from outside, found by their hashes: there may be as many as rows.
 */
#include <stdlib.h>
#include <string.h>

#include "oev_audit_parts.h"
#include "oev_samples.h"

#define ROOM_FIRST 64u

/* FNV-1a. */
static size_t hash_of(const char *name)
{
	uint64_t hash = 14695981039346656037ull;

	for (; *name != '\0'; name++)
		hash = (hash ^ (uint8_t)*name) * 1099511628211ull;
	return (size_t)(hash ^ hash >> 32);
}

/* The slot of @name, or the free one it would have. There always is a free one. */
static size_t slot_of(const struct oev_samples *samples, const char *name)
{
	size_t at = hash_of(name) & (samples->name_room - 1);

	while (samples->name_slots[at] != 0 && strcmp(samples->names[samples->name_slots[at] - 1], name) != 0)
		at = (at + 1) & (samples->name_room - 1);
	return at;
}

/* Twice as many slots, so that half of them stay free; false: out of memory. */
static bool make_room(struct oev_samples *samples)
{
	size_t room = samples->name_room != 0 ? 2 * samples->name_room : ROOM_FIRST;

	if (2 * (samples->name_count + 1) <= samples->name_room)
		return true;
	uint32_t *slots = calloc(room, sizeof(*slots));
	if (slots == NULL)
		return false;
	free(samples->name_slots);
	samples->name_slots = slots;
	samples->name_room = room;
	for (size_t i = 0; i < samples->name_count; i++)
		slots[slot_of(samples, samples->names[i])] = (uint32_t)(i + 1);
	return true;
}

uint32_t oev_samples_name(const struct oev_samples *samples, const char *lower)
{
	return samples->name_room != 0 ? samples->name_slots[slot_of(samples, lower)] : 0;
}

uint32_t oev_samples_name_add(struct oev_samples *samples, const char *lower)
{
	uint32_t known = oev_samples_name(samples, lower);

	if (known != 0)
		return known;
	char *copy = make_room(samples) ? strdup(lower) : NULL;
	char **name =
		copy != NULL ? oev_audit_grow(&samples->names, &samples->name_count, sizeof(*name)) : NULL;
	if (name == NULL) {
		free(copy);
		return 0;
	}
	size_t slot = slot_of(samples, lower);
	*name = copy;
	samples->name_slots[slot] = (uint32_t)samples->name_count;
	return (uint32_t)samples->name_count;
}
