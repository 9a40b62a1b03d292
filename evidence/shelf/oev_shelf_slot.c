/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The index of one segment, step by step. Of a segment that still grows, short runs are joined to longer ones by reading their rows
 * again, so that there are never many.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "oev_shelf_index.h"

struct oev_shelf_slot *oev_shelf_slot_new(const struct oev_shelf_part *part)
{
	struct oev_shelf_slot *slot = calloc(1, sizeof(*slot));

	if (slot == NULL)
		return NULL;
	memcpy(slot->name, part->facts.name, sizeof(slot->name));
	slot->inode = part->inode;
	slot->run_key = part->run_key;
	slot->is_sealed = part->facts.is_sealed;
	slot->next = 1;
	return slot;
}

static void drop_runs(struct oev_shelf_slot *slot, size_t from)
{
	for (size_t i = from; i < slot->count; i++)
		oev_shelf_run_put(slot->runs[i]);
	slot->count = from;
}

void oev_shelf_slot_free(struct oev_shelf_slot *slot)
{
	if (slot == NULL)
		return;
	oev_shelf_slot_free(slot->instead);
	drop_runs(slot, 0);
	free(slot->runs);
	free(slot);
}

/* In place of all from @at on. Takes @run. */
static int put_run(struct oev_shelf_slot *slot, size_t at, struct oev_shelf_run *run)
{
	size_t room = at < slot->count ? slot->count : at + 1;
	struct oev_shelf_run **more = realloc(slot->runs, room * sizeof(struct oev_shelf_run *));

	if (more == NULL) {
		oev_shelf_run_put(run);
		return OC_ENOMEM;
	}
	slot->runs = more;
	for (size_t i = at; i < slot->count; i++)
		oev_shelf_run_put(slot->runs[i]);
	slot->runs[at] = run;
	slot->count = at + 1;
	slot->next = run->head->last + 1;
	return OC_OK;
}

/* Of the run that begins with decision @first. False: too long a name, or nowhere. */
static bool path_of(const struct oev_shelf_slot *slot, uint64_t first, const char *folder,
		    char path[static OEV_SHELF_PATH_MAX])
{
	return folder[0] != '\0' &&
	       (size_t)snprintf(path, OEV_SHELF_PATH_MAX, "%s/%s.%" PRIu64 OEV_SHELF_INDEX_SUFFIX, folder,
				slot->name, first) < OEV_SHELF_PATH_MAX;
}

/* Where run number @at begins to look for decisions. */
static uint64_t first_of(const struct oev_shelf_slot *slot, size_t at)
{
	return at > 0 ? slot->runs[at - 1]->head->last + 1 : 1;
}

/* From the first run on whose file could not be read, all is made again; the file is removed. Whether there is one. */
static bool drop_broken(struct oev_shelf_slot *slot, const char *folder)
{
	char path[OEV_SHELF_PATH_MAX];
	size_t at = 0;

	while (at < slot->count && !slot->runs[at]->is_broken)
		at++;
	if (at == slot->count)
		return false;
	slot->next = first_of(slot, at);
	drop_runs(slot, at);
	slot->is_done = false;
	if (path_of(slot, slot->next, folder, path))
		unlink(path);
	return true;
}

/* What is in memory for want of a file goes to its file, if that can be written now. Whether some of it did. */
static bool write_out(struct oev_shelf_slot *slot, struct oev_shelf *shelf, const struct oev_shelf_part *part,
		      const char *folder)
{
	char path[OEV_SHELF_PATH_MAX];
	struct oev_shelf_run *made = NULL;
	bool is_news = false;

	for (size_t i = 0; i < slot->count; i++) {
		struct oev_shelf_run *run = slot->runs[i];
		if (run->held == NULL)
			continue;
		if (!path_of(slot, first_of(slot, i), folder, path) ||
		    oev_shelf_run_write(run, path) != OC_OK ||
		    oev_shelf_run_load(&made, part, first_of(slot, i), path) != OC_OK)
			return is_news;
		oev_shelf_run_settle(made, &shelf->open_runs, path);
		slot->runs[i] = made;
		oev_shelf_run_put(run);
		is_news = true;
	}
	return is_news;
}

/* The next run of a sealed segment, from its file when there is one. */
static int step_sealed(struct oev_shelf_slot *slot, struct oev_shelf *shelf,
		       const struct oev_shelf_part *part, const char *folder, const _Atomic bool *stop,
		       char *error)
{
	char path[OEV_SHELF_PATH_MAX];
	bool is_kept = part->facts.sha256[0] != '\0' && path_of(slot, slot->next, folder, path);
	struct oev_shelf_run *run = NULL;
	int rc = is_kept ? oev_shelf_run_load(&run, part, slot->next, path) : OC_ENOENT;

	if (rc == OC_EBUSY)
		return oev_shelf_say(error, rc, "the index of segment %s cannot be opened: %s", slot->name,
				     "too many files are open");
	if (rc != OC_OK && slot->lacks != 0 && !oev_shelf_run_has_room(path, slot->lacks))
		return oev_shelf_say(error, OC_EIO, "the index of segment %s finds no room in %.300s",
				     slot->name, folder);
	if (rc == OC_EMALFORMED)
		unlink(path);
	if (rc != OC_OK)
		rc = oev_shelf_run_make(&run, shelf, part, slot->next, OEV_SHELF_RUN_ROWS,
					is_kept ? path : NULL, stop, error);
	if (rc != OC_OK)
		return rc;
	bool is_homeless = is_kept && run != NULL && run->fd < 0;
	slot->lacks = is_homeless && !oev_shelf_run_hold(run, &shelf->held, shelf->held_max) ? run->size : 0;
	if (slot->lacks != 0) { /* read again when there is room, and not before */
		oev_shelf_run_put(run);
		return OC_EIO;
	}
	slot->is_done = run == NULL || run->head->last >= part->facts.last_decision;
	if (run == NULL)
		return OC_OK;
	oev_shelf_run_settle(run, &shelf->open_runs, path);
	return put_run(slot, slot->count, run);
}

/* From where to read again, so that the new run is longer than half of the one before it. */
static size_t join_from(const struct oev_shelf_slot *slot, uint64_t fresh, uint64_t *first)
{
	size_t at = slot->count;
	uint64_t rows = fresh;

	*first = slot->next;
	while (at > 0 && slot->runs[at - 1]->head->rows < 2 * rows &&
	       rows + slot->runs[at - 1]->head->rows <= OEV_SHELF_RUN_ROWS) {
		at--;
		rows += slot->runs[at]->head->rows;
		*first = slot->runs[at]->head->first;
	}
	return at;
}

/* What came to a segment that grows. */
static int step_growing(struct oev_shelf_slot *slot, struct oev_shelf *shelf,
			const struct oev_shelf_part *part, const _Atomic bool *stop, bool *is_news,
			char *error)
{
	uint64_t first, last = part->facts.last_decision;
	struct oev_shelf_run *run = NULL;

	*is_news = false;
	slot->is_done = last < slot->next;
	if (slot->is_done)
		return OC_OK;
	uint64_t fresh = last - slot->next + 1;
	size_t at = join_from(slot, fresh < OEV_SHELF_RUN_ROWS ? fresh : OEV_SHELF_RUN_ROWS, &first);
	int rc = oev_shelf_run_make(&run, shelf, part, first, OEV_SHELF_RUN_ROWS, NULL, stop, error);
	if (rc != OC_OK)
		return rc;
	*is_news = run != NULL;
	slot->is_done = run == NULL || run->head->last >= last;
	return run != NULL ? put_run(slot, at, run) : OC_OK;
}

/* The slot becomes what was made to take its place. */
static void exchange(struct oev_shelf_slot *slot)
{
	struct oev_shelf_slot *made = slot->instead;

	drop_runs(slot, 0);
	free(slot->runs);
	bool is_wanted = slot->is_wanted;
	*slot = *made;
	slot->is_wanted = is_wanted;
	free(made);
}

int oev_shelf_slot_step(struct oev_shelf_slot *slot, struct oev_shelf *shelf,
			const struct oev_shelf_part *part, const char *folder, const _Atomic bool *stop,
			bool *is_news, char *error)
{
	bool is_same = slot->inode == part->inode && slot->is_sealed == part->facts.is_sealed;
	int rc = OC_OK;

	*is_news = false;
	if (is_same && slot->is_sealed && !drop_broken(slot, folder) && slot->is_done) {
		*is_news = write_out(slot, shelf, part, folder);
		return OC_OK;
	}
	if (is_same && slot->is_sealed) {
		rc = step_sealed(slot, shelf, part, folder, stop, error);
		*is_news = rc == OC_OK;
		return rc;
	}
	if (is_same)
		return step_growing(slot, shelf, part, stop, is_news, error);
	if (slot->instead == NULL || slot->instead->inode != part->inode) {
		oev_shelf_slot_free(slot->instead);
		slot->instead = oev_shelf_slot_new(part);
	}
	if (slot->instead == NULL)
		return oev_shelf_say(error, OC_ENOMEM, "out of memory");
	rc = oev_shelf_slot_step(slot->instead, shelf, part, folder, stop, is_news, error);
	*is_news = rc == OC_OK && slot->instead->is_done;
	if (*is_news)
		exchange(slot);
	return rc;
}
