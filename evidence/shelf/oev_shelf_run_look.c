/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Searches in a run, in memory or in its file.
 */
#include <string.h>
#include <unistd.h>

#include "oev_shelf_run.h"

/* Where the arrays begin, in octets from the front. */
static size_t hits_at(const struct oev_shelf_run_head *head)
{
	return sizeof(*head) + head->entries * sizeof(struct oev_shelf_entry);
}

static size_t order_at(const struct oev_shelf_run_head *head, enum oev_shelf_order order)
{
	size_t skipped = head->hits + (order == OEV_SHELF_BY_SUBSCRIBER ? head->entries : 0);

	return hits_at(head) + skipped * sizeof(uint32_t);
}

static size_t places_at(const struct oev_shelf_run_head *head)
{
	return order_at(head, OEV_SHELF_BY_SUBSCRIBER) + head->known * sizeof(uint32_t);
}

static bool read_at(struct oev_shelf_run *run, size_t at, void *out, size_t size)
{
	if (run->fd < 0) {
		memcpy(out, (const char *)run->memory + at, size);
		return true;
	}
	bool is_read = pread(run->fd, out, size, (off_t)at) == (ssize_t)size;
	if (!is_read)
		run->is_broken = true;
	return is_read;
}

/* Entry number @at, by session. */
static bool entry_at(struct oev_shelf_run *run, size_t at, struct oev_shelf_entry *out)
{
	return at < run->head->entries &&
	       read_at(run, sizeof(*run->head) + at * sizeof(*out), out, sizeof(*out));
}

bool oev_shelf_run_find(struct oev_shelf_run *run, uint64_t session, struct oev_shelf_entry *out)
{
	size_t low = 0, high = run->head->entries;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (!entry_at(run, mid, out))
			return false;
		if (out->session == session)
			return true;
		if (out->session < session)
			low = mid + 1;
		else
			high = mid;
	}
	return false;
}

uint32_t oev_shelf_run_hits(struct oev_shelf_run *run, const struct oev_shelf_entry *entry, uint32_t from,
			    uint32_t count, uint64_t *out)
{
	uint64_t at = (uint64_t)entry->at + from, hits = run->head->hits;
	uint32_t offs[OEV_SHELF_HITS_AT_ONCE];

	if (count > OEV_SHELF_HITS_AT_ONCE)
		count = OEV_SHELF_HITS_AT_ONCE;
	if (from >= entry->count || at >= hits)
		return 0;
	if (count > entry->count - from)
		count = entry->count - from;
	if (count > hits - at)
		count = (uint32_t)(hits - at);
	if (!read_at(run, hits_at(run->head) + at * sizeof(*offs), offs, count * sizeof(*offs)))
		return 0;
	for (uint32_t i = 0; i < count; i++)
		out[i] = run->head->first + offs[i];
	return count;
}

bool oev_shelf_run_entry(struct oev_shelf_run *run, enum oev_shelf_order order, size_t at,
			 struct oev_shelf_entry *out)
{
	size_t count = order == OEV_SHELF_BY_LAST ? run->head->entries : run->head->known;
	uint32_t number;

	return at < count &&
	       read_at(run, order_at(run->head, order) + at * sizeof(number), &number, sizeof(number)) &&
	       entry_at(run, number, out);
}

/* The first place whose subscriber is not below @subscriber. */
static size_t place(struct oev_shelf_run *run, uint64_t subscriber)
{
	size_t low = 0, high = run->head->known;
	struct oev_shelf_entry entry;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (!oev_shelf_run_entry(run, OEV_SHELF_BY_SUBSCRIBER, mid, &entry))
			return low;
		if (entry.subscriber < subscriber)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

void oev_shelf_run_range(struct oev_shelf_run *run, uint64_t subscriber, size_t *from, size_t *to)
{
	*from = place(run, subscriber);
	*to = place(run, subscriber + 1);
}

uint32_t oev_shelf_run_place(struct oev_shelf_run *run, uint64_t id)
{
	uint64_t at = id - run->head->first;
	uint32_t place = 0;

	if (at < run->head->places)
		read_at(run, places_at(run->head) + at * sizeof(place), &place, sizeof(place));
	return place;
}
