/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Events remembered by sort and key: the newest of each key, in the order in which they came. One thread.
 */
#pragma once

#include <stdbool.h>

#include "../../agent/oc_event.h"

#define OEV_RECALL_SORTS 16u

struct oev_recall_item {
	struct oev_recall_item *next; /* of its sort, newer */
	struct oev_recall_item *before;
	struct oev_recall_item *same;	    /* of its bucket */
	struct oev_recall_item *same_batch; /* for the caller, as used and written */
	uint64_t key;
	uint64_t over_ns;  /* from when on it matters no more; 0 it still does */
	int64_t offset_us; /* as of oev_bind() */
	uint32_t used;
	uint32_t written;
	unsigned sort;
	struct oc_event event; /* as many octets of it are there as say something */
};

struct oev_recall_list {
	struct oev_recall_item *first;
	struct oev_recall_item *last;
	uint32_t count;
};

struct oev_recall {
	struct oev_recall_list lists[OEV_RECALL_SORTS];
	struct oev_recall_item **buckets;
	uint32_t bucket_count; /* a power of two */
	uint32_t count;
};

/* OC_OK or OC_ENOMEM. */
int oev_recall_init(struct oev_recall *recall);
void oev_recall_fini(struct oev_recall *recall);

/* Remembers @event in place of the one with that key, as the newest; NULL: no memory, or no known kind. */
struct oev_recall_item *oev_recall_put(struct oev_recall *recall, unsigned sort, uint64_t key,
				       const struct oc_event *event, int64_t offset_us);

/* NULL: none. */
struct oev_recall_item *oev_recall_get(const struct oev_recall *recall, unsigned sort, uint64_t key);

/* Forgets @item; NULL is fine. */
void oev_recall_drop(struct oev_recall *recall, struct oev_recall_item *item);

/* Has @item count as of another sort, as its newest. */
void oev_recall_move(struct oev_recall *recall, struct oev_recall_item *item, unsigned sort);
