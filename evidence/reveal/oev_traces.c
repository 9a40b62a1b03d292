/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * An array of traces, and an open-addressed index at most half full.
 */
#include "oev_traces.h"

#include <stdlib.h>

#include "../../agent/oc_err.h"

#define ROOM_FIRST 64u

void oev_traces_init(struct oev_traces *traces, uint32_t limit)
{
	*traces = (struct oev_traces){ .limit = limit };
}

void oev_traces_fini(struct oev_traces *traces)
{
	for (uint32_t i = 0; i < traces->count; i++)
		free(traces->items[i].text);
	free(traces->items);
	free(traces->index);
	*traces = (struct oev_traces){ 0 };
}

/* Pseudonyms are evenly spread already, but a hostile file may hold any numbers. */
static uint32_t slot_of(const struct oev_traces *traces, uint64_t pseudonym)
{
	return (uint32_t)((pseudonym * 0x9e3779b97f4a7c15u) >> 32) & traces->mask;
}

static void enter(struct oev_traces *traces, uint32_t place)
{
	uint32_t at = slot_of(traces, traces->items[place].pseudonym);

	while (traces->index[at] != 0)
		at = (at + 1) & traces->mask;
	traces->index[at] = place + 1;
}

static int grow(struct oev_traces *traces)
{
	uint32_t room = traces->room == 0 ? ROOM_FIRST : traces->room * 2;
	struct oev_trace *items = realloc(traces->items, room * sizeof(*items));

	if (items == NULL)
		return OC_ENOMEM;
	traces->items = items;
	uint32_t *index = calloc(2 * (size_t)room, sizeof(*index));
	if (index == NULL)
		return OC_ENOMEM;
	free(traces->index);
	traces->index = index;
	traces->mask = 2 * room - 1;
	traces->room = room;
	for (uint32_t i = 0; i < traces->count; i++)
		enter(traces, i);
	return OC_OK;
}

uint32_t oev_traces_find(const struct oev_traces *traces, uint64_t pseudonym, unsigned kind, uint32_t after)
{
	bool is_behind = after == OEV_TRACE_NONE;

	if (traces->count == 0)
		return OEV_TRACE_NONE;
	for (uint32_t at = slot_of(traces, pseudonym); traces->index[at] != 0; at = (at + 1) & traces->mask) {
		uint32_t place = traces->index[at] - 1;
		const struct oev_trace *trace = &traces->items[place];
		if (is_behind && trace->pseudonym == pseudonym && trace->kind == kind)
			return place;
		is_behind = is_behind || place == after;
	}
	return OEV_TRACE_NONE;
}

int oev_traces_add(struct oev_traces *traces, uint64_t pseudonym, unsigned kind, uint32_t owner,
		   uint32_t *head, uint32_t *place)
{
	if (traces->count >= traces->limit)
		return OC_ENOSPC;
	if (traces->count == traces->room && grow(traces) != OC_OK)
		return OC_ENOMEM;
	*place = traces->count++;
	traces->items[*place] = (struct oev_trace){ .pseudonym = pseudonym,
						    .owner = owner,
						    .next = *head,
						    .kind = (uint8_t)kind,
						    .sessions = OEV_TRACE_NONE };
	*head = *place;
	enter(traces, *place);
	return OC_OK;
}

void oev_traces_reverse(struct oev_traces *traces, uint32_t *head)
{
	uint32_t turned = OEV_TRACE_NONE;

	while (*head != OEV_TRACE_NONE) {
		uint32_t place = *head;
		*head = traces->items[place].next;
		traces->items[place].next = turned;
		turned = place;
	}
	*head = turned;
}

void oev_trace_note(struct oev_trace *trace, const struct oev_spot *spot, int64_t verdict)
{
	trace->diverted += verdict == OC_DIVERT;
	trace->refused += verdict == OC_REFUSE;
	if (trace->decisions++ == 0 || spot->wall_us < trace->first.wall_us)
		trace->first = *spot;
	if (spot->wall_us >= trace->last.wall_us)
		trace->last = *spot;
}
