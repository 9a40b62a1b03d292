/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Places with a count of holders, and a memory of the last place of each number.
 */
#include "oc_replay_shared.h"

#include <stdlib.h>
#include <string.h>

#include "oc_err.h"

#define ROOM_FIRST 64u

static size_t stride_of(const struct oc_replay_shared *shared)
{
	return sizeof(struct oc_replay_content) + shared->size;
}

static struct oc_replay_content *head_of(const struct oc_replay_shared *shared, uint32_t place)
{
	return (struct oc_replay_content *)(void *)(shared->items + place * stride_of(shared));
}

void oc_replay_shared_init(struct oc_replay_shared *shared, size_t size)
{
	*shared = (struct oc_replay_shared){ .size = size, .free_place = OC_REPLAY_NOWHERE };
	memset(shared->recent, 0xff, sizeof(shared->recent));
}

void oc_replay_shared_fini(struct oc_replay_shared *shared)
{
	free(shared->items);
	shared->items = NULL;
}

static int grow(struct oc_replay_shared *shared)
{
	uint32_t room = shared->room ? 2 * shared->room : ROOM_FIRST;
	uint8_t *items =
		shared->room < UINT32_MAX / 2 ? realloc(shared->items, room * stride_of(shared)) : NULL;

	if (!items)
		return OC_ENOMEM;
	shared->items = items;
	for (uint32_t i = room; i > shared->room; i--) {
		*head_of(shared, i - 1) = (struct oc_replay_content){ .next = shared->free_place };
		shared->free_place = i - 1;
	}
	shared->room = room;
	return OC_OK;
}

const void *oc_replay_shared_at(const struct oc_replay_shared *shared, uint32_t place)
{
	return place != OC_REPLAY_NOWHERE ? head_of(shared, place) + 1 : NULL;
}

void oc_replay_shared_drop(struct oc_replay_shared *shared, uint32_t place)
{
	if (place == OC_REPLAY_NOWHERE || --head_of(shared, place)->holders != 0)
		return;
	head_of(shared, place)->next = shared->free_place;
	shared->free_place = place;
}

static int keep(struct oc_replay_shared *shared, const void *content, uint32_t *place)
{
	if (shared->free_place == OC_REPLAY_NOWHERE && grow(shared) != OC_OK)
		return OC_ENOMEM;
	*place = shared->free_place;
	struct oc_replay_content *head = head_of(shared, *place);
	shared->free_place = head->next;
	head->holders = 1;
	memcpy(head + 1, content, shared->size);
	return OC_OK;
}

int oc_replay_shared_hold(struct oc_replay_shared *shared, uint32_t number, const void *content,
			  uint32_t *place)
{
	uint32_t *recent = &shared->recent[number % OC_REPLAY_RECENT];

	*place = OC_REPLAY_NOWHERE;
	if (!content)
		return OC_OK;
	if (*recent == OC_REPLAY_NOWHERE ||
	    memcmp(oc_replay_shared_at(shared, *recent), content, shared->size) != 0) {
		oc_replay_shared_drop(shared, *recent);
		*recent = OC_REPLAY_NOWHERE;
		if (keep(shared, content, recent) != OC_OK)
			return OC_ENOMEM;
	}
	head_of(shared, *recent)->holders++;
	*place = *recent;
	return OC_OK;
}
