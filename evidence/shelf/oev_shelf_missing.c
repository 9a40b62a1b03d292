/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Parts that are missing, and whether retention removed them: its rows name the batches that went.
 */
#include "oev_shelf_missing.h"

#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_shelf_inner.h"

struct batches {
	uint64_t first, last;
};

struct search {
	struct oev_shelf_missing *holes;
	size_t count;
	struct batches *removed;
	size_t removed_count, removed_room;
	bool is_out_of_memory;
};

/* The part before @at that a question can be put to, of whatever life of its node; NULL none. */
static const struct oev_shelf_part *part_before(const struct oev_shelf_catalog *catalog, size_t at)
{
	for (size_t i = at; i-- > 0;)
		if (catalog->parts[i].facts.trouble[0] == '\0' &&
		    strcmp(catalog->parts[i].facts.node, catalog->parts[at].facts.node) == 0)
			return &catalog->parts[i];
	return NULL;
}

/* Whether something is missing in front of part @at of @catalog, by the numbers of parts or of batches; then @hole is filled. */
static bool look_before(const struct oev_shelf_catalog *catalog, size_t at, struct oev_shelf_missing *hole)
{
	const struct oev_shelf_segment *here = &catalog->parts[at].facts;
	const struct oev_shelf_part *part = part_before(catalog, at);
	const struct oev_shelf_segment *before = part != NULL ? &part->facts : NULL;
	bool goes_on = part != NULL && part->run_key == catalog->parts[at].run_key;
	uint64_t next_part = goes_on ? before->part + 1 : 1;
	uint64_t next_batch = before != NULL && before->batches_last != 0 ? before->batches_last + 1 : 0;
	bool lacks_parts = here->part > next_part;
	bool lacks_batches = next_batch != 0 && here->batches_first > next_batch && !here->is_capture;

	if (here->trouble[0] != '\0' || !(lacks_parts || lacks_batches))
		return false;
	*hole = (struct oev_shelf_missing){ .since_us = before != NULL ? before->until_us : 0,
					    .until_us = here->from_us };
	if (lacks_parts) {
		hole->first = next_part;
		hole->last = here->part - 1;
	}
	if (here->batches_first > 1) {
		hole->last_batch = here->batches_first - 1;
		hole->first_batch = lacks_batches ? next_batch : hole->last_batch;
	}
	memcpy(hole->run, here->run, sizeof(hole->run));
	memcpy(hole->segment, here->name, sizeof(hole->segment));
	return true;
}

static bool find_holes(const struct oev_shelf_catalog *catalog, struct search *search)
{
	bool is_one_unread = false;

	search->holes = calloc(catalog->count + 1, sizeof(*search->holes));
	if (search->holes == NULL)
		return false;
	for (size_t i = 0; i < catalog->count; i++) {
		is_one_unread |= catalog->parts[i].facts.trouble[0] != '\0';
		search->count += look_before(catalog, i, &search->holes[search->count]);
	}
	for (size_t i = 0; i < search->count; i++)
		search->holes[i].may_be_here = is_one_unread;
	return true;
}

/* Cells of the list: segment, first_batch, last_batch. */
static bool take_removal(void *ctx, const struct oev_shelf_list_row *row)
{
	struct search *search = ctx;

	if (search->removed_count == search->removed_room) {
		size_t room = search->removed_room != 0 ? 2 * search->removed_room : 64;
		struct batches *more = realloc(search->removed, room * sizeof(*more));
		search->is_out_of_memory = more == NULL;
		if (more == NULL)
			return false;
		search->removed = more;
		search->removed_room = room;
	}
	search->removed[search->removed_count++] =
		(struct batches){ .first = row->cells[1].number, .last = row->cells[2].number };
	return true;
}

static int read_removals(struct oev_shelf *shelf, struct search *search, char *error)
{
	const struct oev_shelf_list_filter all = { .oldest_first = true };
	struct oev_shelf_page page = { 0 };
	char cursor[OEV_SHELF_CURSOR_MAX];
	int rc = OC_OK;

	while (rc == OC_OK && !page.is_end) {
		memcpy(cursor, page.next, sizeof(cursor));
		rc = oev_shelf_list(shelf, OEV_SHELF_REMOVALS, &all, cursor, OEV_SHELF_LIMIT_MAX,
				    take_removal, search, &page, error);
		if (search->is_out_of_memory)
			rc = oev_shelf_say(error, OC_ENOMEM, "out of memory");
	}
	return rc;
}

static int by_batch(const void *a, const void *b)
{
	const struct batches *left = a, *right = b;

	return (left->first > right->first) - (left->first < right->first);
}

/* Whether the rows of retention name every batch of @hole. */
static bool is_removed(const struct search *search, const struct oev_shelf_missing *hole)
{
	uint64_t next = hole->first_batch;

	for (size_t i = 0; i < search->removed_count && next <= hole->last_batch; i++)
		if (search->removed[i].first <= next && next <= search->removed[i].last)
			next = search->removed[i].last + 1;
	return hole->last_batch != 0 && next > hole->last_batch;
}

int oev_shelf_missing(struct oev_shelf *shelf, struct oev_shelf_missing **out, size_t *count,
		      char error[static OEV_SHELF_TEXT_MAX])
{
	struct oev_shelf_catalog *catalog = oev_shelf_catalog_get(shelf);
	struct search search = { 0 };
	int rc = OC_OK;

	*out = NULL;
	*count = 0;
	if (catalog == NULL)
		return oev_shelf_say(error, OC_EIO, "the folder cannot be read");
	if (!find_holes(catalog, &search))
		rc = oev_shelf_say(error, OC_ENOMEM, "out of memory");
	oev_shelf_catalog_put(catalog);
	if (rc == OC_OK && search.count > 0) /* that is rare */
		rc = read_removals(shelf, &search, error);
	if (search.removed_count > 1)
		qsort(search.removed, search.removed_count, sizeof(*search.removed), by_batch);
	for (size_t i = 0; rc == OC_OK && i < search.count; i++)
		search.holes[i].is_removed = is_removed(&search, &search.holes[i]);
	free(search.removed);
	if (rc != OC_OK || search.count == 0) {
		free(search.holes);
		return rc;
	}
	*out = search.holes;
	*count = search.count;
	return OC_OK;
}
