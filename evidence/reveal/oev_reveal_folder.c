/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The segments of a folder, opened one after the other.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../../agent/oc_err.h"
#include "../audit/oev_query.h"
#include "../proof/oev_seal.h"
#include "../store/oev_place.h"
#include "../verify/oev_facts.h"
#include "../verify/oev_source.h"
#include "oev_reveal_parts.h"

/* Before it pseudonyms were made with a key that nobody kept. */
#define SCHEMA_FIRST 3u

static int add(struct oev_reveal_run *run, const char *path)
{
	struct oev_reveal *reveal = run->reveal;
	struct oev_reveal_segment *segment = &reveal->segments[reveal->segment_count];
	struct stat info;

	segment->path = strdup(path);
	if (segment->path == NULL)
		return OC_ENOMEM;
	reveal->segment_count++;
	snprintf(segment->name, sizeof(segment->name), "%s", oev_place_name(path));
	segment->bytes = stat(path, &info) == 0 ? (uint64_t)info.st_size : 0;
	run->total_bytes += segment->bytes;
	return OC_OK;
}

static int list_folder(struct oev_reveal_run *run, const char *folder)
{
	char **paths = NULL;
	size_t count = 0;
	int rc = oev_paths_list(folder, "seg-", ".db", &paths, &count);

	if (rc == OC_OK && count == 0)
		rc = OC_ENOENT;
	if (rc == OC_OK) {
		run->reveal->segments = calloc(count, sizeof(*run->reveal->segments));
		rc = run->reveal->segments != NULL ? OC_OK : OC_ENOMEM;
	}
	for (size_t i = 0; rc == OC_OK && i < count; i++)
		rc = add(run, paths[i]);
	oev_paths_free(paths, count);
	return rc;
}

int oev_reveal_list(struct oev_reveal_run *run)
{
	struct oev_reveal *reveal = run->reveal;
	const char *path = reveal->options.path;
	struct stat info;
	int rc;

	if (stat(path, &info) != 0) {
		snprintf(reveal->error, sizeof(reveal->error), "%.400s: %s", path, strerror(errno));
		return OC_ENOENT;
	}
	if (S_ISDIR(info.st_mode)) {
		rc = list_folder(run, path);
	} else {
		reveal->segments = calloc(1, sizeof(*reveal->segments));
		rc = reveal->segments != NULL ? add(run, path) : OC_ENOMEM;
	}
	if (rc == OC_ENOENT)
		snprintf(reveal->error, sizeof(reveal->error), "%.400s: no segment (seg-*.db) in this folder",
			 path);
	else if (rc == OC_EIO)
		snprintf(reveal->error, sizeof(reveal->error), "%.400s: %s", path, strerror(errno));
	return rc;
}

static bool has_seal(const char *path)
{
	size_t size = strlen(path) + sizeof(OEV_SEAL_SUFFIX);
	char *seal = malloc(size);
	struct stat info;

	if (seal == NULL)
		return false;
	snprintf(seal, size, "%s" OEV_SEAL_SUFFIX, path);
	bool is_there = stat(seal, &info) == 0;
	free(seal);
	return is_there;
}

/* Whether its pseudonyms can be told at all. */
static int judge(struct oev_reveal_segment *segment, sqlite3 *db)
{
	struct oev_facts facts;
	int rc = oev_facts_read(db, &facts);

	if (rc != OC_OK)
		snprintf(segment->why, sizeof(segment->why), "no evidence segment");
	else if (facts.schema < SCHEMA_FIRST)
		snprintf(segment->why, sizeof(segment->why),
			 "of an older agent, whose pseudonyms nobody can reveal");
	else if (facts.schema > OEV_SCHEMA_VERSION)
		snprintf(segment->why, sizeof(segment->why), "of a newer format");
	else
		return OC_OK;
	return OC_EREFUSED;
}

int oev_reveal_open(struct oev_reveal_run *run, uint32_t at, sqlite3 **db)
{
	struct oev_reveal_segment *segment = &run->reveal->segments[at];
	int rc = oev_source_open(segment->path, has_seal(segment->path), db, segment->why,
				 sizeof(segment->why));

	*db = rc == OC_OK ? *db : NULL;
	if (rc == OC_OK)
		rc = judge(segment, *db);
	if (rc == OC_OK || rc == OC_ENOMEM)
		return rc;
	sqlite3_close(*db);
	*db = NULL;
	return OC_EREFUSED;
}

int oev_reveal_tell(struct oev_reveal_run *run, uint32_t at, uint64_t part, uint64_t parts)
{
	const struct oev_reveal_options *options = &run->reveal->options;
	double share = parts > 0 && part < parts ? (double)part / (double)parts : 1;
	uint64_t done = run->done_bytes + (uint64_t)((double)run->reveal->segments[at].bytes * share);

	if (options->progress != NULL)
		options->progress(options->ctx, done, run->total_bytes);
	return options->stop != NULL && options->stop(options->ctx) ? OC_EINTERRUPTED : OC_OK;
}

int oev_reveal_each(struct oev_reveal_run *run,
		    int (*read)(struct oev_reveal_run *run, uint32_t at, sqlite3 *db))
{
	struct oev_reveal *reveal = run->reveal;
	int rc = OC_OK;

	for (uint32_t i = 0; rc == OC_OK && i < reveal->segment_count; i++) {
		struct oev_reveal_segment *segment = &reveal->segments[i];
		sqlite3 *db = NULL;
		rc = oev_reveal_open(run, i, &db);
		if (rc == OC_OK)
			rc = read(run, i, db);
		if (rc == OC_EIO)
			snprintf(segment->why, sizeof(segment->why), "cannot be read on: %.120s",
				 sqlite3_errmsg(db));
		sqlite3_close(db);
		rc = rc == OC_EIO || rc == OC_EREFUSED ? OC_OK : rc;
	}
	return rc;
}
