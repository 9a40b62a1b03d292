/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The thread of the index: the newest segments first, one step at a time, and pauses when there is nothing new.
 */
#define _DEFAULT_SOURCE /* realpath */
#include "oev_shelf_index.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../../agent/oc_err.h"
#include "../oev_idle.h"
#include "../store/oev_place.h"

#define PAUSE_NS 500000000u

struct oev_shelf_index {
	struct oev_shelf *shelf;
	char folder[OEV_SHELF_PATH_MAX]; /* "" in memory */
	struct oev_idle idle;
	pthread_mutex_t lock; /* of what follows */
	struct oev_shelf_runs *runs;
	char trouble[OEV_SHELF_TEXT_MAX];
	/* The thread's alone. */
	struct oev_shelf_slot **slots;
	size_t slot_count;
	bool is_swept; /* files of segments that were removed while nobody looked */
};

static struct oev_shelf_slot *slot_of(struct oev_shelf_index *index, const struct oev_shelf_part *part)
{
	for (size_t i = 0; i < index->slot_count; i++)
		if (strcmp(index->slots[i]->name, part->facts.name) == 0)
			return index->slots[i];
	struct oev_shelf_slot **more =
		realloc(index->slots, (index->slot_count + 1) * sizeof(struct oev_shelf_slot *));
	if (more == NULL)
		return NULL;
	index->slots = more;
	more[index->slot_count] = oev_shelf_slot_new(part);
	return more[index->slot_count] != NULL ? more[index->slot_count++] : NULL;
}

/* Forgets segments that are gone; true when there were some. */
static bool sweep(struct oev_shelf_index *index)
{
	size_t kept = 0;

	for (size_t i = 0; i < index->slot_count; i++) {
		struct oev_shelf_slot *slot = index->slots[i];
		if (slot->is_wanted)
			index->slots[kept++] = slot;
		else
			oev_shelf_slot_free(slot);
	}
	bool is_less = kept != index->slot_count;
	index->slot_count = kept;
	return is_less;
}

static int by_time(const void *a, const void *b)
{
	const struct oev_shelf_run_head *left = (*(struct oev_shelf_run *const *)a)->head;
	const struct oev_shelf_run_head *right = (*(struct oev_shelf_run *const *)b)->head;

	if (left->run_key == right->run_key)
		return left->first < right->first ? -1 : left->first > right->first;
	return left->from_us < right->from_us ? -1 : left->from_us > right->from_us;
}

/* For all who ask. */
static void publish(struct oev_shelf_index *index, bool is_whole)
{
	size_t count = 0;

	for (size_t i = 0; i < index->slot_count; i++)
		count += index->slots[i]->count;
	struct oev_shelf_runs *made = malloc(sizeof(*made) + count * sizeof(struct oev_shelf_run *));
	if (made == NULL)
		return;
	*made = (struct oev_shelf_runs){ .refs = 1, .is_whole = is_whole };
	for (size_t i = 0; i < index->slot_count; i++)
		for (size_t j = 0; j < index->slots[i]->count; j++) {
			struct oev_shelf_run *run = index->slots[i]->runs[j];
			atomic_fetch_add(&run->refs, 1);
			made->indexed += run->head->rows;
			made->runs[made->count++] = run;
		}
	if (made->count > 1)
		qsort(made->runs, made->count, sizeof(struct oev_shelf_run *), by_time);
	pthread_mutex_lock(&index->lock);
	struct oev_shelf_runs *old = index->runs;
	index->runs = made;
	pthread_mutex_unlock(&index->lock);
	oev_shelf_runs_put(old);
}

static void say(struct oev_shelf_index *index, const char *trouble)
{
	pthread_mutex_lock(&index->lock);
	memcpy(index->trouble, trouble, sizeof(index->trouble));
	pthread_mutex_unlock(&index->lock);
}

/* One step for the newest segment that has something to do; true: there was one. */
static bool step(struct oev_shelf_index *index, const struct oev_shelf_catalog *catalog, bool *is_whole)
{
	char error[OEV_SHELF_TEXT_MAX] = "";
	bool is_worked = false;

	*is_whole = true;
	for (size_t i = catalog->count; i-- > 0 && !atomic_load(&index->idle.is_over);) {
		const struct oev_shelf_part *part = &catalog->parts[i];
		if (part->facts.trouble[0] != '\0' || part->facts.last_decision == 0)
			continue;
		struct oev_shelf_slot *slot = slot_of(index, part);
		bool is_news = false;
		if (slot == NULL) {
			*is_whole = false;
			continue;
		}
		slot->is_wanted = true;
		if (!is_worked)
			(void)oev_shelf_slot_step(slot, index->shelf, part, index->folder,
						  &index->idle.is_over, &is_news, error);
		is_worked |= is_news;
		*is_whole &= slot->is_done && slot->instead == NULL;
	}
	size_t held = atomic_load(&index->shelf->held);
	if (error[0] == '\0' && held > 0)
		oev_shelf_say(error, OC_EIO,
			      "the index folder %.300s cannot be written to: %zu KiB of the index are held "
			      "in memory",
			      index->folder, held / 1024 + 1);
	say(index, error);
	return is_worked;
}

/* All that can be done now. */
static void work(struct oev_shelf_index *index)
{
	bool is_whole = false, is_worked = true;

	while (is_worked && !atomic_load(&index->idle.is_over)) {
		struct oev_shelf_catalog *catalog = oev_shelf_catalog_get(index->shelf);
		if (catalog == NULL)
			return;
		for (size_t i = 0; i < index->slot_count; i++)
			index->slots[i]->is_wanted = false;
		is_worked = step(index, catalog, &is_whole);
		bool is_less = !atomic_load(&index->idle.is_over) && sweep(index);
		bool was_whole = index->runs != NULL && index->runs->is_whole;
		if (!atomic_load(&index->idle.is_over) && (is_worked || is_less || was_whole != is_whole))
			publish(index, is_whole);
		if (is_less || !index->is_swept) /* what nobody who asks from now on looks into */
			oev_shelf_sweep(index->folder, catalog);
		index->is_swept = true;
		oev_shelf_catalog_put(catalog);
	}
}

static void run(void *ctx)
{
	struct oev_shelf_index *index = ctx;

	do
		work(index);
	while (oev_idle_pause(&index->idle, 0, PAUSE_NS));
}

/* Made when absent; never inside the evidence, where it would be taken for a part of it. */
static int take_folder(struct oev_shelf_index *index, const char *folder, char *error)
{
	char *own = NULL, *theirs = NULL;
	int rc = oev_place_make(folder, error, OEV_SHELF_TEXT_MAX);

	if (rc != OC_OK)
		return rc == OC_EINVAL ? OC_EIO : rc;
	own = realpath(folder, NULL);
	theirs = realpath(index->shelf->folder, NULL);
	if (own == NULL || theirs == NULL || strlen(own) >= sizeof(index->folder) - 200)
		rc = oev_shelf_say(error, OC_EIO, "%.300s cannot hold the index of sessions", folder);
	else if (strncmp(own, theirs, strlen(theirs)) == 0 &&
		 (own[strlen(theirs)] == '\0' || own[strlen(theirs)] == '/'))
		rc = oev_shelf_say(error, OC_EIO, "the index of sessions must not lie inside the evidence");
	else
		memcpy(index->folder, own, strlen(own) + 1);
	free(own);
	free(theirs);
	return rc;
}

int oev_shelf_index_start(struct oev_shelf_index **out, struct oev_shelf *shelf, const char *folder,
			  char *error)
{
	struct oev_shelf_index *index = calloc(1, sizeof(*index));
	int rc = OC_OK;

	if (index == NULL)
		return oev_shelf_say(error, OC_ENOMEM, "out of memory");
	index->shelf = shelf;
	pthread_mutex_init(&index->lock, NULL);
	if (folder != NULL)
		rc = take_folder(index, folder, error);
	publish(index, false);
	*out = index;
	if (rc == OC_OK && oev_idle_start(&index->idle, run, index) != OC_OK)
		rc = oev_shelf_say(error, OC_ENOMEM, "no thread for the index");
	return rc;
}

void oev_shelf_index_stop(struct oev_shelf_index *index)
{
	if (index == NULL)
		return;
	oev_idle_stop(&index->idle);
	for (size_t i = 0; i < index->slot_count; i++)
		oev_shelf_slot_free(index->slots[i]);
	free(index->slots);
	oev_shelf_runs_put(index->runs);
	pthread_mutex_destroy(&index->lock);
	free(index);
}

struct oev_shelf_runs *oev_shelf_runs_get(struct oev_shelf_index *index)
{
	pthread_mutex_lock(&index->lock);
	struct oev_shelf_runs *runs = index->runs;
	if (runs != NULL)
		atomic_fetch_add(&runs->refs, 1);
	pthread_mutex_unlock(&index->lock);
	return runs;
}

void oev_shelf_runs_put(struct oev_shelf_runs *runs)
{
	if (runs == NULL || atomic_fetch_sub(&runs->refs, 1) != 1)
		return;
	for (size_t i = 0; i < runs->count; i++)
		oev_shelf_run_put(runs->runs[i]);
	free(runs);
}

unsigned oev_shelf_runs_misses(const struct oev_shelf_runs *runs)
{
	unsigned misses = 0;

	for (size_t i = 0; i < runs->count; i++)
		misses += atomic_load(&runs->runs[i]->misses);
	return misses;
}

int oev_shelf_runs_sound(const struct oev_shelf_runs *runs, unsigned misses, char *error)
{
	for (size_t i = 0; i < runs->count; i++)
		if (runs->runs[i]->is_broken)
			return oev_shelf_say(
				error, OC_EIO,
				"the index of segment %.127s cannot be read any more; it is being made anew",
				runs->runs[i]->head->segment);
	if (oev_shelf_runs_misses(runs) != misses)
		return oev_shelf_say(error, OC_EBUSY,
				     "the index of sessions cannot be read now: too many files are open");
	return OC_OK;
}

void oev_shelf_index_trouble(struct oev_shelf_index *index, char out[static OEV_SHELF_TEXT_MAX])
{
	pthread_mutex_lock(&index->lock);
	memcpy(out, index->trouble, OEV_SHELF_TEXT_MAX);
	pthread_mutex_unlock(&index->lock);
}
