/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Which segments there are. The folder is looked at again at most four times a second, and of what did not change since, what was
 * known stays.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "../oev_clock.h"
#include "../proof/oev_seal.h"
#include "../store/oev_place.h"
#include "oev_shelf_inner.h"

#define LOOK_NS 250000000ull
#define PARTS_MAX 65536u

static bool has_beside(const struct oev_shelf_part *part, const char *suffix)
{
	char path[OEV_SHELF_PATH_MAX + 8];
	struct stat info;

	snprintf(path, sizeof(path), "%s%s", part->path, suffix);
	return lstat(path, &info) == 0;
}

/* What was known of the same octets. */
static const struct oev_shelf_part *unchanged(const struct oev_shelf_catalog *old,
					      const struct oev_shelf_part *part)
{
	for (size_t i = 0; old != NULL && i < old->count; i++) {
		const struct oev_shelf_part *at = &old->parts[i];
		if (at->inode == part->inode && strcmp(at->facts.name, part->facts.name) == 0)
			return at->changed_ns == part->changed_ns && at->facts.octets == part->facts.octets
				       ? at
				       : NULL;
	}
	return NULL;
}

/* A seal outlives the mode of the file: archives and some file systems give everything back writable. What a writer has open has a WAL or
 * its index beside it, whatever a seal says. */
static bool seal_fits(const struct oev_shelf_catalog *old, struct oev_shelf_part *part)
{
	const struct oev_shelf_part *before = unchanged(old, part);

	if (!has_beside(part, OEV_SEAL_SUFFIX) || has_beside(part, "-wal") || has_beside(part, "-shm"))
		return false;
	if (before == NULL || before->facts.sha256[0] == '\0')
		oev_shelf_facts_seal(part);
	return part->facts.sha256[0] != '\0' || (before != NULL && before->facts.is_sealed);
}

/* Whether it is as before: also what is not in it yet, but in its WAL. */
static void stamp(const struct oev_shelf_catalog *old, struct oev_shelf_part *part, const struct stat *info)
{
	char wal[OEV_SHELF_PATH_MAX + 8];
	struct stat tail = { 0 };

	snprintf(wal, sizeof(wal), "%s-wal", part->path);
	bool has_tail = stat(wal, &tail) == 0 && tail.st_size > 0;
	int64_t file_ns = info->st_mtim.tv_sec * 1000000000ll + info->st_mtim.tv_nsec;
	int64_t tail_ns = has_tail ? tail.st_mtim.tv_sec * 1000000000ll + tail.st_mtim.tv_nsec : 0;
	part->inode = (uint64_t)info->st_ino;
	part->octets = (uint64_t)info->st_size;
	part->changed_ns = file_ns > tail_ns ? file_ns : tail_ns;
	part->facts.octets = part->octets + (has_tail ? (uint64_t)tail.st_size : 0);
	part->facts.is_sealed = !has_tail && ((info->st_mode & 0222) == 0 || seal_fits(old, part));
}

static const struct oev_shelf_part *known(const struct oev_shelf_catalog *old,
					  const struct oev_shelf_part *part)
{
	const struct oev_shelf_part *at = unchanged(old, part);

	return at != NULL && at->facts.is_sealed == part->facts.is_sealed && !at->may_pass ? at : NULL;
}

/* Fills @part for the file @name; false when it is none. */
static bool look_at(struct oev_shelf *shelf, const char *name, struct oev_shelf_part *part)
{
	struct stat info;

	memset(part, 0, sizeof(*part));
	if (!oev_place_is_segment(name) || strlen(name) >= sizeof(part->facts.name) ||
	    (size_t)snprintf(part->path, sizeof(part->path), "%s/%s", shelf->folder, name) >=
		    sizeof(part->path) ||
	    stat(part->path, &info) != 0 || !S_ISREG(info.st_mode))
		return false;
	snprintf(part->facts.name, sizeof(part->facts.name), "%s", name);
	stamp(shelf->catalog, part, &info);
	const struct oev_shelf_part *before = known(shelf->catalog, part);
	if (before != NULL)
		*part = *before;
	else
		oev_shelf_facts(shelf, part);
	if (part->facts.is_sealed && part->facts.sha256[0] == '\0') /* its seal follows */
		oev_shelf_facts_seal(part);
	return true;
}

static int by_time(const void *a, const void *b)
{
	const struct oev_shelf_part *left = a, *right = b;
	int runs = strcmp(left->facts.run, right->facts.run);

	if (left->life_us != right->life_us)
		return left->life_us < right->life_us ? -1 : 1;
	if (runs != 0)
		return runs;
	if (left->facts.part != right->facts.part)
		return left->facts.part < right->facts.part ? -1 : 1;
	return strcmp(left->facts.name, right->facts.name);
}

static int by_run(const void *a, const void *b)
{
	const struct oev_shelf_part *left = a, *right = b;
	int runs = strcmp(left->facts.run, right->facts.run);

	return runs != 0			      ? runs
	       : left->facts.part < right->facts.part ? -1
						      : left->facts.part > right->facts.part;
}

/* Lives by their beginnings, parts by their numbers. */
static void arrange(struct oev_shelf_catalog *catalog)
{
	struct oev_shelf_part *parts = catalog->parts;

	qsort(parts, catalog->count, sizeof(*parts), by_run);
	for (size_t i = 0; i < catalog->count; i++) {
		bool goes_on = i > 0 && parts[i].facts.run[0] != '\0' &&
			       strcmp(parts[i].facts.run, parts[i - 1].facts.run) == 0;
		parts[i].is_first = !goes_on;
		parts[i].life_us = goes_on ? parts[i - 1].life_us : parts[i].facts.from_us;
	}
	qsort(parts, catalog->count, sizeof(*parts), by_time);
}

/* Room for one more; false: out of memory. */
static bool make_room(struct oev_shelf_catalog **catalog, size_t *room)
{
	if ((*catalog)->count < *room)
		return true;
	struct oev_shelf_catalog *more =
		realloc(*catalog, sizeof(*more) + 2 * *room * sizeof(more->parts[0]));
	if (more == NULL)
		return false;
	*catalog = more;
	*room *= 2;
	return true;
}

/* NULL: out of memory, or the folder cannot be read. */
static struct oev_shelf_catalog *look(struct oev_shelf *shelf)
{
	size_t room = 16;
	struct oev_shelf_catalog *made = malloc(sizeof(*made) + room * sizeof(made->parts[0]));
	DIR *dir = opendir(shelf->folder);
	const struct dirent *entry;

	if (made == NULL || dir == NULL) {
		free(made);
		if (dir != NULL)
			closedir(dir);
		return NULL;
	}
	*made = (struct oev_shelf_catalog){ .refs = 1 };
	while ((entry = readdir(dir)) != NULL && made->count < PARTS_MAX && make_room(&made, &room))
		made->count += look_at(shelf, entry->d_name, &made->parts[made->count]);
	closedir(dir);
	arrange(made);
	return made;
}

/* By one thread at a time; meanwhile others use what is known. */
static void look_again(struct oev_shelf *shelf)
{
	struct oev_shelf_catalog *made = look(shelf), *old = NULL;

	if (made != NULL)
		oev_shelf_conns_sweep(shelf, made);

	pthread_mutex_lock(&shelf->lock);
	if (made != NULL) {
		old = shelf->catalog;
		shelf->catalog = made;
	}
	shelf->looked_ns = oev_clock_mono_ns();
	shelf->is_looking = false;
	pthread_mutex_unlock(&shelf->lock);
	oev_shelf_catalog_put(old);
}

static struct oev_shelf_catalog *current(struct oev_shelf *shelf)
{
	pthread_mutex_lock(&shelf->lock);
	struct oev_shelf_catalog *catalog = shelf->catalog;
	if (catalog != NULL)
		atomic_fetch_add(&catalog->refs, 1);
	pthread_mutex_unlock(&shelf->lock);
	return catalog;
}

struct oev_shelf_catalog *oev_shelf_catalog_get(struct oev_shelf *shelf)
{
	pthread_mutex_lock(&shelf->lock);
	bool is_due = !shelf->is_looking &&
		      (shelf->catalog == NULL || oev_clock_mono_ns() - shelf->looked_ns >= LOOK_NS);
	shelf->is_looking |= is_due;
	pthread_mutex_unlock(&shelf->lock);
	if (is_due)
		look_again(shelf);
	return current(shelf);
}

struct oev_shelf_catalog *oev_shelf_catalog_seen(struct oev_shelf *shelf)
{
	struct oev_shelf_catalog *catalog = current(shelf);

	return catalog != NULL ? catalog : oev_shelf_catalog_get(shelf);
}

void oev_shelf_catalog_put(struct oev_shelf_catalog *catalog)
{
	if (catalog != NULL && atomic_fetch_sub(&catalog->refs, 1) == 1)
		free(catalog);
}

const struct oev_shelf_part *oev_shelf_part_of(const struct oev_shelf_catalog *catalog, uint64_t run_key,
					       uint64_t id)
{
	const struct oev_shelf_part *open = NULL;

	for (size_t i = catalog->count; i-- > 0;) {
		const struct oev_shelf_part *part = &catalog->parts[i];
		if (part->run_key != run_key || part->facts.trouble[0] != '\0')
			continue;
		if (part->facts.first_decision <= id && id <= part->facts.last_decision)
			return part;
		if (open == NULL && part->facts.closed_how[0] == '\0' && part->facts.last_decision < id)
			open = part; /* it may have come since */
	}
	return open;
}

const struct oev_shelf_part *oev_shelf_part_after(const struct oev_shelf_catalog *catalog,
						  const struct oev_shelf_part *part)
{
	size_t next = (size_t)(part - catalog->parts) + 1;

	return next < catalog->count && catalog->parts[next].run_key == part->run_key ? &catalog->parts[next]
										      : NULL;
}

uint64_t oev_shelf_carried(const struct oev_shelf_part *part, const char *table)
{
	for (size_t i = 0; i < part->carried_count; i++)
		if (strcmp(part->carried[i].table, table) == 0)
			return part->carried[i].rows;
	return 0;
}
