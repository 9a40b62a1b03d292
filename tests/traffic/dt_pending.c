/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Outstanding requests.
 */
#include "dt_pending.h"

#include <stdlib.h>

#define PLACE_BITS 18u

int dt_pending_init(struct dt_client *client, uint32_t size)
{
	client->pending = calloc(size, sizeof(*client->pending));
	if (!client->pending)
		return OC_ENOMEM;
	client->pending_size = size;
	client->oldest = client->newest = DT_NO_PENDING;
	for (uint32_t i = 0; i < size; i++)
		client->pending[i].next = i + 1 < size ? i + 1 : DT_NO_PENDING;
	client->spare = 0;
	return OC_OK;
}

struct dt_pending *dt_pending_take(struct dt_client *client)
{
	uint32_t place = client->spare;
	if (place == DT_NO_PENDING)
		return NULL;
	struct dt_pending *pending = &client->pending[place];
	client->spare = pending->next;
	pending->used = true;
	pending->hop = ++pending->serial << PLACE_BITS | place;
	pending->next = DT_NO_PENDING;
	pending->prev = client->newest;
	if (client->newest != DT_NO_PENDING)
		client->pending[client->newest].next = place;
	else
		client->oldest = place;
	client->newest = place;
	client->outstanding++;
	return pending;
}

struct dt_pending *dt_pending_find(struct dt_client *client, uint32_t hop, uint32_t end_to_end)
{
	uint32_t place = hop & ((1u << PLACE_BITS) - 1);
	if (place >= client->pending_size)
		return NULL;
	struct dt_pending *pending = &client->pending[place];
	bool fits = pending->used && pending->hop == hop && pending->end_to_end == end_to_end;
	return fits ? pending : NULL;
}

void dt_pending_release(struct dt_client *client, struct dt_pending *pending)
{
	if (pending->prev != DT_NO_PENDING)
		client->pending[pending->prev].next = pending->next;
	else
		client->oldest = pending->next;
	if (pending->next != DT_NO_PENDING)
		client->pending[pending->next].prev = pending->prev;
	else
		client->newest = pending->prev;
	pending->used = false;
	pending->next = client->spare;
	client->spare = (uint32_t)(pending - client->pending);
	client->outstanding--;
}
