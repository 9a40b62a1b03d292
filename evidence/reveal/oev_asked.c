/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * An array of texts, and an open-addressed index at most half full.
 */
#include "oev_asked.h"

#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../../agent/wire/oc_hash.h"

#define ROOM_FIRST 64u

void oev_asked_fini(struct oev_asked *asked)
{
	for (uint32_t i = 0; i < asked->count; i++)
		free(asked->items[i].text);
	free(asked->items);
	free(asked->index);
	*asked = (struct oev_asked){ 0 };
}

/* Where the search for @text ends: at its slot, or at a free one. */
static uint32_t slot_of(const struct oev_asked *asked, const char *text, size_t len)
{
	uint32_t at = (uint32_t)oc_hash(text, len, 0) & asked->mask;

	for (; asked->index[at] != 0; at = (at + 1) & asked->mask) {
		const struct oev_identity *identity = &asked->items[asked->index[at] - 1];
		if (identity->len == len && memcmp(identity->text, text, len) == 0)
			break;
	}
	return at;
}

static int grow(struct oev_asked *asked)
{
	uint32_t room = asked->room == 0 ? ROOM_FIRST : asked->room * 2;
	struct oev_identity *items = realloc(asked->items, room * sizeof(*items));

	if (items == NULL)
		return OC_ENOMEM;
	asked->items = items;
	uint32_t *index = calloc(2 * (size_t)room, sizeof(*index));
	if (index == NULL)
		return OC_ENOMEM;
	free(asked->index);
	asked->index = index;
	asked->mask = 2 * room - 1;
	asked->room = room;
	for (uint32_t i = 0; i < asked->count; i++)
		index[slot_of(asked, items[i].text, items[i].len)] = i + 1;
	return OC_OK;
}

uint32_t oev_asked_find(const struct oev_asked *asked, const char *text, size_t len)
{
	return asked->count == 0 ? OEV_ASKED_NONE : asked->index[slot_of(asked, text, len)] - 1;
}

int oev_asked_add(struct oev_asked *asked, const char *text, size_t len, uint32_t limit)
{
	if (oev_asked_find(asked, text, len) != OEV_ASKED_NONE)
		return OC_OK;
	if (asked->count >= limit)
		return OC_ENOSPC;
	if (asked->count == asked->room && grow(asked) != OC_OK)
		return OC_ENOMEM;
	char *own = malloc(len + 1);
	if (own == NULL)
		return OC_ENOMEM;
	memcpy(own, text, len);
	own[len] = '\0';
	uint32_t at = slot_of(asked, own, len);
	asked->items[asked->count] =
		(struct oev_identity){ .text = own, .len = (uint32_t)len, .traces = OEV_TRACE_NONE };
	asked->index[at] = ++asked->count;
	return OC_OK;
}
