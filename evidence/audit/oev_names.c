/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Texts in an array, found by a hash; texts of one hash stand in a row of numbers after it.
 */
#include "oev_names.h"

#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"

static uint64_t hash_of(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (; *text != '\0'; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return hash;
}

static int make_room(struct oev_names *names)
{
	if ((names->count & (names->count - 1)) != 0) /* full at every power of two */
		return OC_OK;
	char **texts = realloc(names->texts, (names->count == 0 ? 1 : 2 * names->count) * sizeof(*texts));
	if (texts == NULL)
		return OC_ENOMEM;
	names->texts = texts;
	return OC_OK;
}

uint32_t oev_names_put(struct oev_names *names, const char *text)
{
	uint64_t hash = hash_of(text), number;

	for (; (number = oev_index_get(&names->by_hash, hash)) != 0; hash++)
		if (strcmp(names->texts[number - 1], text) == 0)
			return (uint32_t)number;
	if (names->count >= UINT32_MAX || make_room(names) != OC_OK)
		return 0;
	names->texts[names->count] = strdup(text);
	if (names->texts[names->count] == NULL)
		return 0;
	if (oev_index_put(&names->by_hash, hash, names->count + 1) != OC_OK) {
		free(names->texts[names->count]);
		return 0;
	}
	return (uint32_t)++names->count;
}

const char *oev_names_text(const struct oev_names *names, uint32_t number)
{
	return number != 0 && number <= names->count ? names->texts[number - 1] : "";
}

void oev_names_fini(struct oev_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->texts[i]);
	free(names->texts);
	oev_index_fini(&names->by_hash);
	*names = (struct oev_names){ 0 };
}
