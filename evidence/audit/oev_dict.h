/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Rows that other rows name by number (flow, way, ending), held in memory for a join without a query per row.
 *
 * The first OEV_DICT_ROWS rows are loaded at once. What is beyond them is asked for one by one and remembered in a cache of fixed
 * size, so memory is bounded whatever the segment holds, and every number is found. One thread.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "oev_query.h"

#define OEV_DICT_ROWS (1u << 20)
#define OEV_DICT_CACHE (1u << 14)

struct oev_dict { /* zeroed: empty */
	void (*take)(void *item, sqlite3_stmt *stmt);
	size_t item_size;
	uint64_t *ids; /* rising */
	char *items;
	size_t count, room;
	sqlite3_stmt *one;   /* asks for one row; NULL when all are loaded */
	uint64_t *cache_ids; /* by number modulo OEV_DICT_CACHE; 0 free */
	char *cache_items;
	char *has_item; /* of the cache: there is such a row */
};

/* Loads the rows of @all (columns: number, then what @take reads). Returns OC_OK, OC_EIO, OC_ENOMEM. Free with _fini, also then. */
int oev_dict_load(struct oev_dict *dict, const struct oev_segment *segment, enum oev_question all,
		  enum oev_question one, size_t item_size, void (*take)(void *item, sqlite3_stmt *stmt));
void oev_dict_fini(struct oev_dict *dict);

/* The same without loading anything: for a few rows. */
int oev_dict_ask(struct oev_dict *dict, const struct oev_segment *segment, enum oev_question one,
		 size_t item_size, void (*take)(void *item, sqlite3_stmt *stmt));

/* The row of @id that is not among the first by position; used by oev_dict_get(). */
const void *oev_dict_find(struct oev_dict *dict, uint64_t id);

/* The row numbered @id, valid until the next call; NULL when there is none. */
static inline const void *oev_dict_get(struct oev_dict *dict, uint64_t id)
{
	uint64_t at = dict->count > 0 ? id - dict->ids[0] : UINT64_MAX;

	if (at < dict->count && dict->ids[at] == id) /* numbers without a hole */
		return dict->items + at * dict->item_size;
	return oev_dict_find(dict, id);
}
