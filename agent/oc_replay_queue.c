/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The queue of a replay: a lane for each kind of thing that is given in the order of its times, and a binary heap for the rest.
 *
 * What is read ahead waits in the lanes, where a place costs nothing. The heap holds the rest of what is under way: choices, and answers that
 * were not told in the order in which they came. Most choices are the very next thing to do: what comes before all in the heap
 * waits in front of it.
 */
#include <string.h>

#include "oc_err.h"
#include "oc_replay_inner.h"

#define FETCH_AHEAD 4u /* requests */
#define CACHE_LINE 64u

static bool is_before(const struct oc_replay_item *a, const struct oc_replay_item *b)
{
	return a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->order < b->order;
}

/* Number of the lane of @kind from 1 on, 0 when it has none. */
static uint32_t lane_of(enum oc_replay_kind kind)
{
	static const uint8_t numbers[OC_REPLAY_KIND_COUNT] = {
		[OC_REPLAY_REQUEST] = 1, [OC_REPLAY_REPORT] = 2, [OC_REPLAY_LOAD] = 3, [OC_REPLAY_ANSWER] = 4
	};

	return numbers[kind];
}

bool oc_replay_is_last(const struct oc_replay *replay, uint64_t at_ns, enum oc_replay_kind kind)
{
	uint32_t number = lane_of(kind);

	if (number == 0)
		return false;
	const struct oc_replay_lane *lane = &replay->lanes[number - 1];
	return lane->first == lane->end || at_ns >= lane->items[lane->end - 1].at_ns;
}

static int append(struct oc_replay_lane *lane, const struct oc_replay_item *item)
{
	if (lane->end == lane->room && lane->first > lane->room / 2) {
		memmove(lane->items, lane->items + lane->first, (lane->end - lane->first) * sizeof(*item));
		lane->end -= lane->first;
		lane->first = 0;
	}
	if (oc_replay_grow((void **)&lane->items, &lane->room, lane->end + 1, sizeof(*item)) != OC_OK)
		return OC_ENOMEM;
	lane->items[lane->end++] = *item;
	return OC_OK;
}

static int rise(struct oc_replay *replay, const struct oc_replay_item *item)
{
	uint32_t i = replay->item_count;

	if (oc_replay_grow((void **)&replay->items, &replay->item_room, i + 1, sizeof(*item)) != OC_OK)
		return OC_ENOMEM;
	replay->item_count++;
	for (; i > 0 && is_before(item, &replay->items[(i - 1) / 2]); i = (i - 1) / 2)
		replay->items[i] = replay->items[(i - 1) / 2];
	replay->items[i] = *item;
	return OC_OK;
}

static const struct oc_replay_item *first_under_way(const struct oc_replay *replay)
{
	if (replay->has_front)
		return &replay->front;
	return replay->item_count != 0 ? replay->items : NULL;
}

/* Into the heap or in front of it. */
static int put_under_way(struct oc_replay *replay, const struct oc_replay_item *item)
{
	const struct oc_replay_item *first = first_under_way(replay);

	if (first && !is_before(item, first))
		return rise(replay, item);
	int rc = replay->has_front ? rise(replay, &replay->front) : OC_OK;
	replay->front = *item;
	replay->has_front = true;
	return rc;
}

int oc_replay_put(struct oc_replay *replay, uint64_t at_ns, enum oc_replay_kind kind, uint32_t ref)
{
	struct oc_replay_item item = { .at_ns = at_ns,
				       .order = (uint64_t)kind << 56 | replay->next_order++,
				       .ref = ref };
	int rc = oc_replay_is_last(replay, at_ns, kind) ? append(&replay->lanes[lane_of(kind) - 1], &item)
							: put_under_way(replay, &item);

	if (rc == OC_OK &&
	    (kind == OC_REPLAY_REQUEST || kind == OC_REPLAY_CHOICE || kind == OC_REPLAY_ANSWER))
		replay->calls[ref].waiting++;
	return rc;
}

/* Lets @item sink from the top to where it belongs. */
static void sink(struct oc_replay *replay, const struct oc_replay_item *item)
{
	struct oc_replay_item *items = replay->items;
	uint32_t count = replay->item_count;
	uint32_t i = 0;

	for (uint32_t child = 1; child < count; child = 2 * i + 1) {
		if (child + 1 < count && is_before(&items[child + 1], &items[child]))
			child++;
		if (!is_before(&items[child], item))
			break;
		items[i] = items[child];
		i = child;
	}
	items[i] = *item;
}

static void take_top(struct oc_replay *replay)
{
	struct oc_replay_item last = replay->items[--replay->item_count];

	if (replay->item_count != 0)
		sink(replay, &last);
}

/* The requests that come next lie far apart in memory and were last touched long ago. */
static void fetch_ahead(const struct oc_replay *replay, const struct oc_replay_lane *lane)
{
	if (lane != &replay->lanes[0] || lane->first + FETCH_AHEAD >= lane->end)
		return;
	const char *call = (const char *)&replay->calls[lane->items[lane->first + FETCH_AHEAD].ref];
	for (size_t at = 0; at < sizeof(struct oc_replay_call); at += CACHE_LINE)
		__builtin_prefetch(call + at);
}

static void take_first(struct oc_replay *replay, struct oc_replay_lane *lane)
{
	fetch_ahead(replay, lane);
	if (++lane->first == lane->end)
		lane->first = lane->end = 0;
}

bool oc_replay_take(struct oc_replay *replay, uint64_t until_ns, struct oc_replay_item *item)
{
	const struct oc_replay_item *next = first_under_way(replay);
	struct oc_replay_lane *from = NULL;

	for (uint32_t i = 0; i < OC_REPLAY_LANES; i++) {
		struct oc_replay_lane *lane = &replay->lanes[i];
		if (lane->first == lane->end || (next && is_before(next, &lane->items[lane->first])))
			continue;
		next = &lane->items[lane->first];
		from = lane;
	}
	if (!next || next->at_ns >= until_ns)
		return false;
	*item = *next;
	if (from)
		take_first(replay, from);
	else if (replay->has_front)
		replay->has_front = false;
	else
		take_top(replay);
	return true;
}
