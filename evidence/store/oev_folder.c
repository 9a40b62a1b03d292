/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Looking at the files of a folder.
 */
#include "oev_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../../agent/oc_err.h"
#include "oev_past.h"
#include "oev_sealing.h"

#define SCHEMA_PROVEN 3u
#define FIRST_BATCH_SQL "SELECT min(number) FROM batch"
#define LAST_BATCH_SQL "SELECT max(number) FROM batch"
#define TABLES_SQL "SELECT count(*) FROM sqlite_schema"

/* What meta says of an unsealed segment. */
static enum oev_found_state read_meta(struct oev_found_segment *segment, sqlite3 *db,
				      const struct oev_public *signer)
{
	char node[OEV_NODE_MAX + 1], kind[16], run[24];
	uint64_t schema = 0;

	if (!oev_past_number(db, "schema", &schema))
		return OEV_FOUND_UNREADABLE;
	if (!oev_past_meta(db, "node", node, sizeof(node)) || strcmp(node, signer->node) != 0)
		return OEV_FOUND_FOREIGN;
	if (schema < SCHEMA_PROVEN)
		return OEV_FOUND_OLD;
	if (!oev_past_meta(db, "kind", kind, sizeof(kind)) || strcmp(kind, "agent") != 0)
		return OEV_FOUND_FOREIGN;
	if (!oev_past_meta(db, "closed_how", segment->closed_how, sizeof(segment->closed_how)))
		segment->closed_how[0] = '\0';
	if (oev_past_meta(db, "run", run, sizeof(run)))
		segment->run_id = strtoull(run, NULL, 16);
	if (!oev_past_meta(db, "previous", segment->previous, sizeof(segment->previous)))
		segment->previous[0] = '\0';
	(void)oev_past_number(db, "closed_us", &segment->closed_us);
	(void)oev_past_number(db, "part", &segment->part);
	segment->first = (uint64_t)oev_past_ask(db, FIRST_BATCH_SQL, 0);
	segment->last = (uint64_t)oev_past_ask(db, LAST_BATCH_SQL, 0);
	return OEV_FOUND_UNSEALED;
}

static enum oev_found_state look_inside(struct oev_found_segment *segment, const struct oev_public *signer)
{
	sqlite3 *db = oev_past_open(segment->path);
	enum oev_found_state state = OEV_FOUND_UNREADABLE;
	int64_t tables = db ? oev_past_ask(db, TABLES_SQL, -1) : -1;

	/* Schema and first rows are one transaction. */
	if (tables == 0)
		state = OEV_FOUND_EMPTY;
	else if (tables > 0)
		state = read_meta(segment, db, signer);
	sqlite3_close(db);
	return state;
}

/* A sealed one is opened as the file it is. */
static void read_previous(struct oev_found_segment *segment)
{
	sqlite3 *db = oev_past_open_sealed(segment->path);

	if (db && !oev_past_meta(db, "previous", segment->previous, sizeof(segment->previous)))
		segment->previous[0] = '\0';
	sqlite3_close(db);
}

static void look_at(struct oev_found_segment *segment, const struct oev_public *signer)
{
	struct oev_seal seal;
	struct stat found;
	int rc = oev_sealing_read(segment->path, signer, &seal, NULL);

	if (stat(segment->path, &found) == 0) {
		segment->bytes = (uint64_t)found.st_size;
		segment->changed_us =
			(uint64_t)found.st_mtim.tv_sec * 1000000u + (uint64_t)found.st_mtim.tv_nsec / 1000u;
	}
	if (rc == OC_ENOENT) {
		segment->state = look_inside(segment, signer);
		return;
	}
	segment->state = rc == OC_OK ? OEV_FOUND_SEALED : OEV_FOUND_FOREIGN;
	if (rc != OC_OK)
		return;
	segment->first = seal.first;
	segment->last = seal.last;
	segment->sha256 = seal.sha256;
	segment->changed_us = seal.wall_us;
	read_previous(segment);
}

static int add_file(struct oev_folder *out, const char *folder, const char *name,
		    const struct oev_public *signer)
{
	struct oev_found_segment *larger = realloc(out->segments, (out->count + 1) * sizeof(*out->segments));

	if (!larger)
		return OC_ENOMEM;
	out->segments = larger;
	struct oev_found_segment *segment = &out->segments[out->count];
	*segment = (struct oev_found_segment){ .state = OEV_FOUND_UNREADABLE };
	if (snprintf(segment->path, sizeof(segment->path), "%s/%s", folder, name) >=
	    (int)sizeof(segment->path))
		return OC_OK; /* none of ours */
	look_at(segment, signer);
	out->count++;
	return OC_OK;
}

static int by_last(const void *a, const void *b)
{
	const struct oev_found_segment *x = a;
	const struct oev_found_segment *y = b;

	if (x->last != y->last)
		return x->last > y->last ? 1 : -1;
	return strcmp(x->path, y->path);
}

int oev_folder_scan(struct oev_folder *out, const char *folder, const struct oev_public *signer)
{
	const struct dirent *entry;
	int rc = OC_OK;

	*out = (struct oev_folder){ .count = 0 };
	DIR *dir = opendir(folder);
	if (!dir)
		return errno == ENOENT ? OC_OK : OC_EIO;
	while (rc == OC_OK && (entry = readdir(dir)) != NULL)
		if (oev_place_is_segment(entry->d_name))
			rc = add_file(out, folder, entry->d_name, signer);
	closedir(dir);
	if (rc != OC_OK) {
		oev_folder_fini(out);
		return rc;
	}
	if (out->count > 0)
		qsort(out->segments, out->count, sizeof(*out->segments), by_last);
	return OC_OK;
}

void oev_folder_fini(struct oev_folder *folder)
{
	free(folder->segments);
	*folder = (struct oev_folder){ .count = 0 };
}

static bool can_be_tip(const struct oev_found_segment *segment)
{
	return segment->last > 0 &&
	       (segment->state == OEV_FOUND_SEALED || segment->state == OEV_FOUND_UNSEALED);
}

static bool is_followed(const struct oev_folder *folder, const struct oev_found_segment *segment)
{
	const char *name = oev_place_name(segment->path);

	for (size_t i = 0; i < folder->count; i++)
		if (can_be_tip(&folder->segments[i]) && strcmp(folder->segments[i].previous, name) == 0)
			return true;
	return false;
}

struct oev_found_segment *oev_folder_tip(const struct oev_folder *folder)
{
	for (size_t i = folder->count; i-- > 0;)
		if (can_be_tip(&folder->segments[i]) && !is_followed(folder, &folder->segments[i]))
			return &folder->segments[i];
	return NULL;
}
