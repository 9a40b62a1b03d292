/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Open-addressing table of names and the tally of result codes.
 */
#include "dt_names.h"

#include <stdlib.h>
#include <string.h>

void dt_tally_add(struct dt_tally *tally, uint32_t code)
{
	for (uint32_t i = 0; i < DT_TALLY_MAX; i++) {
		if (tally->count[i] == 0)
			tally->code[i] = code;
		if (tally->code[i] == code) {
			tally->count[i]++;
			return;
		}
	}
	tally->other++;
}

uint64_t dt_tally_get(const struct dt_tally *tally, uint32_t code)
{
	for (uint32_t i = 0; i < DT_TALLY_MAX && tally->count[i]; i++) {
		if (tally->code[i] == code)
			return tally->count[i];
	}
	return 0;
}

static struct dt_name *append(struct dt_names *names, const void *text, size_t len)
{
	struct dt_name *name = &names->entry[names->count++];
	memcpy(name->text, text, len);
	name->len = (uint32_t)len;
	return name;
}

struct dt_name *dt_names_get(struct dt_names *names, const uint8_t *text, size_t len)
{
	uint32_t hash = 2166136261u;

	if (len >= DT_NAME_MAX) {
		text = (const uint8_t *)"(other)";
		len = 7;
	}
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ text[i]) * 16777619u;
	for (uint32_t i = hash;; i++) {
		uint16_t *slot = &names->slot[i % (DT_NAMES_MAX * 2)];
		if (*slot == 0) {
			if (names->count == DT_NAMES_MAX)
				return &names->entry[DT_NAMES_MAX - 1];
			struct dt_name *name = names->count == DT_NAMES_MAX - 1 ? append(names, "(other)", 7)
										: append(names, text, len);
			*slot = (uint16_t)names->count;
			return name;
		}
		struct dt_name *name = &names->entry[*slot - 1];
		if (name->len == len && memcmp(name->text, text, len) == 0)
			return name;
	}
}

static int grow(struct dt_name *name, uint32_t room)
{
	uint32_t *more = realloc(name->per_second, room * sizeof(*more));
	if (!more)
		return OC_ENOMEM;
	memset(more + name->seconds_room, 0, (room - name->seconds_room) * sizeof(*more));
	name->per_second = more;
	name->seconds_room = room;
	return OC_OK;
}

void dt_name_count_second(struct dt_name *name, uint32_t second)
{
	if (second >= name->seconds_room && grow(name, second * 2 + 16) != OC_OK)
		return;
	name->per_second[second]++;
	if (second >= name->seconds)
		name->seconds = second + 1;
}

void dt_names_fini(struct dt_names *names)
{
	for (uint32_t i = 0; i < names->count; i++)
		free(names->entry[i].per_second);
}
