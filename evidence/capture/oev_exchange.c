/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Requests waiting: a map by identifiers over blocks of slots, and a list by age.
 */
#include "oev_exchange.h"

#include <stdlib.h>

#include "oev_map.h"

#define BLOCK 1024u
#define BLOCKS_MAX (OEV_EXCHANGES_MAX / BLOCK)

/* Numbers of slots are from 1. A free slot has next alone. */
struct slot {
	struct oev_exchange exchange;
	uint32_t older, newer;
};

struct oev_exchanges {
	oev_exchange_over_fn over;
	void *ctx;
	struct oev_map map;
	struct slot *blocks[BLOCKS_MAX];
	uint32_t made, free_head, oldest, newest;
};

struct oev_exchanges *oev_exchanges_new(oev_exchange_over_fn over, void *ctx)
{
	struct oev_exchanges *exchanges = calloc(1, sizeof(*exchanges));

	if (exchanges != NULL) {
		exchanges->over = over;
		exchanges->ctx = ctx;
	}
	return exchanges;
}

void oev_exchanges_free(struct oev_exchanges *exchanges)
{
	if (exchanges == NULL)
		return;
	for (uint32_t i = 0; i < BLOCKS_MAX; i++)
		free(exchanges->blocks[i]);
	oev_map_fini(&exchanges->map);
	free(exchanges);
}

static struct slot *slot_at(const struct oev_exchanges *exchanges, uint32_t number)
{
	return &exchanges->blocks[(number - 1) / BLOCK][(number - 1) % BLOCK];
}

static uint64_t print_of(uint32_t contact, uint8_t side, uint32_t hop_by_hop, uint32_t end_to_end)
{
	uint64_t print =
		((uint64_t)contact << 33 | (uint64_t)side << 32 | hop_by_hop) * 0x9e3779b97f4a7c15ull;

	return (print ^ print >> 32 ^ end_to_end) * 0xbf58476d1ce4e5b9ull >> 5;
}

static uint64_t print_of_exchange(const struct oev_exchange *x)
{
	return print_of(x->contact, x->side, x->hop_by_hop, x->end_to_end);
}

/* Out of the map and the list; its slot is free. */
static void take_out(struct oev_exchanges *exchanges, uint32_t number)
{
	struct slot *slot = slot_at(exchanges, number);

	oev_map_remove(&exchanges->map, print_of_exchange(&slot->exchange), number);
	if (slot->older != 0)
		slot_at(exchanges, slot->older)->newer = slot->newer;
	else
		exchanges->oldest = slot->newer;
	if (slot->newer != 0)
		slot_at(exchanges, slot->newer)->older = slot->older;
	else
		exchanges->newest = slot->older;
	slot->older = 0;
	slot->newer = exchanges->free_head;
	exchanges->free_head = number;
}

static void give_up_oldest(struct oev_exchanges *exchanges)
{
	uint32_t number = exchanges->oldest;
	struct oev_exchange exchange = slot_at(exchanges, number)->exchange;

	take_out(exchanges, number);
	exchanges->over(exchanges->ctx, &exchange);
}

/* A free slot's number, 0 when out of memory. */
static uint32_t free_slot(struct oev_exchanges *exchanges)
{
	if (exchanges->free_head == 0 && exchanges->made == OEV_EXCHANGES_MAX)
		give_up_oldest(exchanges);
	if (exchanges->free_head != 0) {
		uint32_t number = exchanges->free_head;
		exchanges->free_head = slot_at(exchanges, number)->newer;
		return number;
	}
	uint32_t block = exchanges->made / BLOCK;
	if (exchanges->made % BLOCK == 0) {
		exchanges->blocks[block] = calloc(BLOCK, sizeof(struct slot));
		if (exchanges->blocks[block] == NULL)
			return 0;
	}
	return ++exchanges->made;
}

struct oev_exchange *oev_exchanges_add(struct oev_exchanges *exchanges, const struct oev_exchange *exchange)
{
	uint32_t number = free_slot(exchanges);

	if (number == 0)
		return NULL;
	struct slot *slot = slot_at(exchanges, number);
	if (oev_map_add(&exchanges->map, print_of_exchange(exchange), number) != 0) {
		slot->newer = exchanges->free_head;
		exchanges->free_head = number;
		return NULL;
	}
	*slot = (struct slot){ .exchange = *exchange, .older = exchanges->newest };
	if (exchanges->newest != 0)
		slot_at(exchanges, exchanges->newest)->newer = number;
	else
		exchanges->oldest = number;
	exchanges->newest = number;
	return &slot->exchange;
}

bool oev_exchanges_take(struct oev_exchanges *exchanges, uint32_t contact, uint8_t side, uint32_t hop_by_hop,
			uint32_t end_to_end, uint32_t command, struct oev_exchange *out)
{
	struct oev_map_walk walk =
		oev_map_first(&exchanges->map, print_of(contact, side, hop_by_hop, end_to_end));
	uint32_t best = 0;

	for (uint32_t number; (number = oev_map_next(&walk)) != 0;) {
		const struct oev_exchange *x = &slot_at(exchanges, number)->exchange;
		if (x->contact != contact || x->side != side || x->hop_by_hop != hop_by_hop ||
		    x->end_to_end != end_to_end || x->command != command)
			continue;
		if (best == 0 || x->number < slot_at(exchanges, best)->exchange.number)
			best = number;
	}
	if (best == 0)
		return false;
	*out = slot_at(exchanges, best)->exchange;
	take_out(exchanges, best);
	return true;
}

void oev_exchanges_expire(struct oev_exchanges *exchanges, uint64_t now_ns)
{
	while (exchanges->oldest != 0 &&
	       slot_at(exchanges, exchanges->oldest)->exchange.time_ns + OEV_EXCHANGE_WAIT_NS < now_ns)
		give_up_oldest(exchanges);
}
