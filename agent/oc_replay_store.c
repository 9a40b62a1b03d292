/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Places of a replay: open calls, found by their decision, and other things that wait.
 */
#include <stdlib.h>
#include <string.h>

#include "oc_err.h"
#include "oc_replay_inner.h"

#define ROOM_FIRST 64u

int oc_replay_grow(void **array, uint32_t *room, uint32_t count, size_t size)
{
	uint32_t wanted = *room ? *room : ROOM_FIRST;

	if (count <= *room)
		return OC_OK;
	while (wanted < count)
		wanted = wanted < UINT32_MAX / 2 ? wanted * 2 : UINT32_MAX;
	void *grown = realloc(*array, wanted * size);
	if (!grown)
		return OC_ENOMEM;
	memset((uint8_t *)grown + *room * size, 0, (wanted - *room) * size);
	*array = grown;
	*room = wanted;
	return OC_OK;
}

static uint32_t home_of(const struct oc_replay *replay, uint32_t id)
{
	return (uint32_t)((id * 0x9e3779b97f4a7c15ull) >> 32) & replay->slot_mask;
}

static uint32_t slot_of(const struct oc_replay *replay, uint64_t id)
{
	uint32_t at = home_of(replay, (uint32_t)id);

	for (;; at = (at + 1) & replay->slot_mask) {
		const struct oc_replay_slot *slot = &replay->slots[at];
		if (slot->place == OC_REPLAY_NOWHERE ||
		    (slot->id == (uint32_t)id && replay->calls[slot->place].decision.id == id))
			return at;
	}
}

static void fill_slot(struct oc_replay *replay, uint64_t id, uint32_t place)
{
	replay->slots[slot_of(replay, id)] = (struct oc_replay_slot){ .place = place, .id = (uint32_t)id };
}

/* Numbers follow each other, so that nearly every call has a place of its own by the end of its number; the slots are for those that are
 * open so long that a later one came to the same place. */
static uint32_t *near_of(const struct oc_replay *replay, uint64_t id)
{
	return &replay->near[id % OC_REPLAY_NEAR];
}

/* Doubles the index and fills it anew. */
static int grow_slots(struct oc_replay *replay)
{
	uint32_t count = replay->slots ? 2 * (replay->slot_mask + 1) : 2 * ROOM_FIRST;
	struct oc_replay_slot *slots = malloc(count * sizeof(*slots));

	if (!slots)
		return OC_ENOMEM;
	memset(slots, 0xff, count * sizeof(*slots));
	free(replay->slots);
	replay->slots = slots;
	replay->slot_mask = count - 1;
	for (uint32_t i = 0; i < replay->call_room; i++) {
		uint64_t id = replay->calls[i].decision.id;
		if (id != 0 && *near_of(replay, id) != i)
			fill_slot(replay, id, i);
	}
	return OC_OK;
}

int oc_replay_store_init(struct oc_replay *replay)
{
	replay->free_call = replay->free_kept = OC_REPLAY_NOWHERE;
	oc_replay_shared_init(&replay->profile_pool, sizeof(struct oc_profile));
	oc_replay_shared_init(&replay->candidate_pool, sizeof(struct oc_event_candidates));
	replay->near = malloc(OC_REPLAY_NEAR * sizeof(*replay->near));
	if (!replay->near)
		return OC_ENOMEM;
	memset(replay->near, 0xff, OC_REPLAY_NEAR * sizeof(*replay->near));
	return OC_OK;
}

/* The call of @id is at @place. OC_OK, OC_ENOMEM. */
static int enter(struct oc_replay *replay, uint64_t id, uint32_t place)
{
	if (*near_of(replay, id) == OC_REPLAY_NOWHERE) {
		*near_of(replay, id) = place;
		return OC_OK;
	}
	if ((!replay->slots || replay->in_slots >= replay->slot_mask / 2) && grow_slots(replay) != OC_OK)
		return OC_ENOMEM;
	fill_slot(replay, id, place);
	replay->in_slots++;
	return OC_OK;
}

/* All places from @first on become free. */
static void free_calls(struct oc_replay *replay, uint32_t first)
{
	for (uint32_t i = replay->call_room; i > first; i--) {
		replay->calls[i - 1].next = replay->free_call;
		replay->free_call = i - 1;
	}
}

uint32_t oc_replay_call_new(struct oc_replay *replay, uint64_t id)
{
	uint32_t room = replay->call_room;

	if (replay->free_call == OC_REPLAY_NOWHERE) {
		if (oc_replay_grow((void **)&replay->calls, &replay->call_room, room + 1,
				   sizeof(*replay->calls)) != OC_OK)
			return OC_REPLAY_NOWHERE;
		free_calls(replay, room);
	}
	uint32_t place = replay->free_call;
	struct oc_replay_call *call = &replay->calls[place];
	if (enter(replay, id, place) != OC_OK)
		return OC_REPLAY_NOWHERE;
	replay->free_call = call->next;
	call->profile = call->answer_profile = call->candidates = OC_REPLAY_NOWHERE;
	call->has_outcome = call->is_answer_put = false;
	call->is_begun = call->is_finished = call->is_over = false;
	call->waiting = 0;
	call->decision.id = id;
	return place;
}

/* Empties slot @at and moves up those behind it that would no longer be found. */
static void clear_slot(struct oc_replay *replay, uint32_t at)
{
	uint32_t mask = replay->slot_mask;

	for (uint32_t i = (at + 1) & mask; replay->slots[i].place != OC_REPLAY_NOWHERE; i = (i + 1) & mask) {
		uint32_t home = home_of(replay, replay->slots[i].id);
		if (((i - home) & mask) < ((i - at) & mask))
			continue;
		replay->slots[at] = replay->slots[i];
		at = i;
	}
	replay->slots[at].place = OC_REPLAY_NOWHERE;
}

void oc_replay_call_drop(struct oc_replay *replay, uint32_t place)
{
	struct oc_replay_call *call = &replay->calls[place];

	if (*near_of(replay, call->decision.id) == place) {
		*near_of(replay, call->decision.id) = OC_REPLAY_NOWHERE;
	} else {
		clear_slot(replay, slot_of(replay, call->decision.id));
		replay->in_slots--;
	}
	oc_replay_shared_drop(&replay->profile_pool, call->profile);
	oc_replay_shared_drop(&replay->profile_pool, call->answer_profile);
	oc_replay_shared_drop(&replay->candidate_pool, call->candidates);
	call->decision.id = 0;
	call->next = replay->free_call;
	replay->free_call = place;
}

uint32_t oc_replay_call_find(const struct oc_replay *replay, uint64_t id)
{
	uint32_t place = *near_of(replay, id);

	if (place != OC_REPLAY_NOWHERE && replay->calls[place].decision.id == id)
		return place;
	return replay->in_slots != 0 ? replay->slots[slot_of(replay, id)].place : OC_REPLAY_NOWHERE;
}

uint32_t oc_replay_kept_new(struct oc_replay *replay)
{
	uint32_t room = replay->kept_room;

	if (replay->free_kept == OC_REPLAY_NOWHERE) {
		if (oc_replay_grow((void **)&replay->kept, &replay->kept_room, room + 1,
				   sizeof(*replay->kept)) != OC_OK)
			return OC_REPLAY_NOWHERE;
		for (uint32_t i = replay->kept_room; i > room; i--) {
			replay->kept[i - 1].next = replay->free_kept;
			replay->free_kept = i - 1;
		}
	}
	uint32_t place = replay->free_kept;
	replay->free_kept = replay->kept[place].next;
	replay->kept[place].raw_len = 0;
	return place;
}

void oc_replay_kept_drop(struct oc_replay *replay, uint32_t place)
{
	struct oc_replay_kept *kept = &replay->kept[place];

	free(kept->policy);
	kept->policy = NULL;
	kept->event.kind = OC_EVENT_NONE;
	kept->next = replay->free_kept;
	replay->free_kept = place;
	if (replay->last_report == place)
		replay->last_report = OC_REPLAY_NOWHERE;
}

void oc_replay_store_free(struct oc_replay *replay)
{
	for (uint32_t i = 0; i < replay->kept_room; i++)
		free(replay->kept[i].policy);
	for (uint32_t i = 0; i < OC_REPLAY_LANES; i++)
		free(replay->lanes[i].items);
	free(replay->items);
	free(replay->calls);
	oc_replay_shared_fini(&replay->profile_pool);
	oc_replay_shared_fini(&replay->candidate_pool);
	free(replay->near);
	free(replay->slots);
	free(replay->kept);
	free(replay->subjects);
	free(replay->profiles);
	free(replay->candidates);
}
