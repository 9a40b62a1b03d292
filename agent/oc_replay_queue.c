/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The queue of a replay: a binary heap by time.
 */
#include "oc_err.h"
#include "oc_replay_inner.h"

static bool is_before(const struct oc_replay_item *a, const struct oc_replay_item *b)
{
	return a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->order < b->order;
}

int oc_replay_put(struct oc_replay *replay, uint64_t at_ns, enum oc_replay_kind kind, uint32_t ref)
{
	struct oc_replay_item item = { .at_ns = at_ns,
				       .order = (uint64_t)kind << 56 | replay->next_order++,
				       .ref = ref };
	uint32_t i = replay->item_count;

	if (oc_replay_grow((void **)&replay->items, &replay->item_room, i + 1, sizeof(item)) != OC_OK)
		return OC_ENOMEM;
	replay->item_count++;
	for (; i > 0 && is_before(&item, &replay->items[(i - 1) / 2]); i = (i - 1) / 2)
		replay->items[i] = replay->items[(i - 1) / 2];
	replay->items[i] = item;
	if (kind == OC_REPLAY_REQUEST || kind == OC_REPLAY_CHOICE || kind == OC_REPLAY_ANSWER)
		replay->calls[ref].waiting++;
	return OC_OK;
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

bool oc_replay_take(struct oc_replay *replay, uint64_t until_ns, struct oc_replay_item *item)
{
	if (replay->item_count == 0 || replay->items[0].at_ns >= until_ns)
		return false;
	*item = replay->items[0];
	struct oc_replay_item last = replay->items[--replay->item_count];
	if (replay->item_count != 0)
		sink(replay, &last);
	return true;
}
