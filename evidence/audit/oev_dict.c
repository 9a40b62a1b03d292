/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Two sorted arrays, and a direct-mapped cache for what did not fit.
 */
#include "oev_dict.h"

#include <stdlib.h>

#include "../../agent/oc_err.h"

static int make_room(struct oev_dict *dict)
{
	size_t room = dict->room != 0 ? 2 * dict->room : 64;

	if (dict->count < dict->room)
		return OC_OK;
	uint64_t *ids = realloc(dict->ids, room * sizeof(*ids));
	if (ids == NULL)
		return OC_ENOMEM;
	dict->ids = ids;
	char *items = realloc(dict->items, room * dict->item_size);
	if (items == NULL)
		return OC_ENOMEM;
	dict->items = items;
	dict->room = room;
	return OC_OK;
}

static int make_cache(struct oev_dict *dict, const struct oev_segment *segment, enum oev_question one)
{
	dict->one = oev_query_new(segment, one);
	dict->cache_ids = calloc(OEV_DICT_CACHE, sizeof(*dict->cache_ids));
	dict->cache_items = calloc(OEV_DICT_CACHE, dict->item_size);
	dict->has_item = calloc(OEV_DICT_CACHE, 1);
	if (dict->cache_ids == NULL || dict->cache_items == NULL || dict->has_item == NULL)
		return OC_ENOMEM;
	return dict->one != NULL ? OC_OK : OC_EIO;
}

int oev_dict_ask(struct oev_dict *dict, const struct oev_segment *segment, enum oev_question one,
		 size_t item_size, void (*take)(void *item, sqlite3_stmt *stmt))
{
	dict->take = take;
	dict->item_size = item_size;
	return make_cache(dict, segment, one);
}

int oev_dict_load(struct oev_dict *dict, const struct oev_segment *segment, enum oev_question all,
		  enum oev_question one, size_t item_size, void (*take)(void *item, sqlite3_stmt *stmt))
{
	sqlite3_stmt *stmt = oev_query_new(segment, all);
	int step = SQLITE_ERROR, rc = OC_OK;

	dict->take = take;
	dict->item_size = item_size;
	while (stmt != NULL && rc == OC_OK && dict->count < OEV_DICT_ROWS &&
	       (step = sqlite3_step(stmt)) == SQLITE_ROW) {
		rc = make_room(dict);
		if (rc != OC_OK)
			break;
		dict->ids[dict->count] = (uint64_t)sqlite3_column_int64(stmt, 0);
		take(dict->items + dict->count * item_size, stmt);
		dict->count++;
	}
	sqlite3_finalize(stmt);
	if (rc == OC_OK && step == SQLITE_ROW)
		return make_cache(dict, segment, one);
	return rc != OC_OK || step == SQLITE_DONE ? rc : OC_EIO;
}

void oev_dict_fini(struct oev_dict *dict)
{
	sqlite3_finalize(dict->one);
	free(dict->ids);
	free(dict->items);
	free(dict->cache_ids);
	free(dict->cache_items);
	free(dict->has_item);
	*dict = (struct oev_dict){ 0 };
}

static const void *search(const struct oev_dict *dict, uint64_t id)
{
	size_t low = 0, high = dict->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (dict->ids[mid] == id)
			return dict->items + mid * dict->item_size;
		if ((int64_t)dict->ids[mid] < (int64_t)id) /* as SQLite orders them */
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

static const void *ask(struct oev_dict *dict, uint64_t id)
{
	size_t at = (size_t)(id % OEV_DICT_CACHE);
	char *item = dict->cache_items + at * dict->item_size;

	if (dict->cache_ids[at] != id) {
		sqlite3_bind_int64(dict->one, 1, (int64_t)id);
		dict->has_item[at] = sqlite3_step(dict->one) == SQLITE_ROW;
		if (dict->has_item[at])
			dict->take(item, dict->one);
		sqlite3_reset(dict->one);
		dict->cache_ids[at] = id;
	}
	return dict->has_item[at] ? item : NULL;
}

const void *oev_dict_find(struct oev_dict *dict, uint64_t id)
{
	const void *item = search(dict, id);

	return item != NULL || dict->one == NULL || id == 0 ? item : ask(dict, id);
}
