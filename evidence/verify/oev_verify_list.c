/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Which segments there are, in the order of their log, and what retention says of those that are not.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "../audit/oev_query.h"
#include "oev_source.h"
#include "oev_verify_parts.h"

/* Where the batches of a file that cannot be read begin, its seal tells. */
static void place_by_seal(struct oev_verify_file *file, const char *seal_path)
{
	struct oev_seal seal;

	if (oev_seal_read(seal_path, NULL, &seal, NULL) == OC_OK && seal.first > 0) {
		file->order = seal.first - 1;
		file->has_place = true;
	}
}

static int read_facts(struct oev_verify_run *run, struct oev_verify_file *file, sqlite3 *db)
{
	struct oev_facts facts;

	if (oev_facts_read(db, &facts) != OC_OK)
		return OC_OK;
	file->is_segment = true;
	file->has_place = facts.has_log;
	file->order = facts.frontier.size;
	file->begins_anew = facts.log_broken[0] != '\0';
	snprintf(file->node, sizeof(file->node), "%s", facts.node);
	return oev_verify_removals(run, db, file->listed);
}

/* A first look at a file: where it belongs. What is wrong with it is told when it is judged. */
static int peek(struct oev_verify_run *run, struct oev_verify_file *file)
{
	struct stat info;
	sqlite3 *db = NULL;
	char error[200], *seal = oev_verify_join(file->path, OEV_SEAL_SUFFIX);
	int rc = OC_OK;

	if (seal == NULL)
		return OC_ENOMEM;
	file->has_seal = stat(seal, &info) == 0;
	file->bytes = stat(file->path, &info) == 0 ? (uint64_t)info.st_size : 0;
	run->total_bytes += 2 * file->bytes;
	if (oev_source_open(file->path, file->has_seal, &db, error, sizeof(error)) == OC_OK)
		rc = read_facts(run, file, db);
	sqlite3_close(db);
	if (!file->has_place && file->has_seal)
		place_by_seal(file, seal);
	free(seal);
	return rc;
}

/* A file of which not even that is known is the newest one, just made; or nobody can tell. */
static void set_places(struct oev_verify_run *run)
{
	unsigned log = 0;

	for (size_t i = 0; i < run->file_count; i++) {
		struct oev_verify_file *file = &run->files[i];
		log += file->begins_anew && i > 0;
		file->log = log;
	}
	for (size_t i = 0; i < run->file_count; i++)
		if (!run->files[i].has_place) {
			run->files[i].log = log;
			run->files[i].order = UINT64_MAX;
		}
}

static int compare_files(const void *a, const void *b)
{
	const struct oev_verify_file *one = a, *two = b;

	if (one->log != two->log)
		return one->log < two->log ? -1 : 1;
	if (one->order != two->order)
		return one->order < two->order ? -1 : 1;
	return strcmp(one->path, two->path);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static int add_file(struct oev_verify_run *run, const char *path)
{
	struct oev_verify_file *file = &run->files[run->file_count];

	file->path = strdup(path);
	if (file->path == NULL)
		return OC_ENOMEM;
	file->listed = run->file_count++;
	snprintf(file->name, sizeof(file->name), "%s", base_name(path));
	return peek(run, file);
}

static int list_folder(struct oev_verify_run *run)
{
	char **paths = NULL;
	size_t count = 0;
	int rc = oev_paths_list(run->folder, OEV_SEGMENT_PREFIX, OEV_SEGMENT_SUFFIX, &paths, &count);

	if (rc == OC_OK) {
		run->files = calloc(count + 1, sizeof(*run->files));
		rc = run->files != NULL ? OC_OK : OC_ENOMEM;
	}
	for (size_t i = 0; rc == OC_OK && i < count; i++)
		rc = add_file(run, paths[i]);
	oev_paths_free(paths, count);
	return rc;
}

/* Folder of one segment. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL)
		return strdup(".");
	return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

static int fail(struct oev_verify_run *run, enum oev_verify_outcome outcome, const char *what)
{
	run->result->outcome = outcome;
	snprintf(run->result->error, sizeof(run->result->error), "%.400s: %s", run->options->path, what);
	return outcome == OEV_VERIFY_NOT_FOUND ? OC_ENOENT : OC_EIO;
}

static int fail_empty(struct oev_verify_run *run)
{
	char hint[300];

	run->result->outcome = OEV_VERIFY_NOT_EVIDENCE;
	snprintf(run->result->error, sizeof(run->result->error),
		 "%.160s: no segments (" OEV_SEGMENT_PREFIX "*" OEV_SEGMENT_SUFFIX ") in it%s",
		 run->options->path, oev_paths_hint(run->options->path, hint, sizeof(hint)));
	return OC_EIO;
}

int oev_verify_place(struct oev_verify_run *run)
{
	const char *path = run->options->path;
	struct stat info;

	if (stat(path, &info) != 0)
		return errno == ENOENT || errno == ENOTDIR
			       ? fail(run, OEV_VERIFY_NOT_FOUND, "no such folder")
			       : fail(run, OEV_VERIFY_UNREADABLE, strerror(errno));
	run->is_single = !S_ISDIR(info.st_mode);
	run->folder = run->is_single ? folder_of(path) : strdup(path);
	return run->folder != NULL ? OC_OK : OC_ENOMEM;
}

int oev_verify_list(struct oev_verify_run *run)
{
	int rc;

	if (run->is_single) {
		run->files = calloc(1, sizeof(*run->files));
		rc = run->files != NULL ? add_file(run, run->options->path) : OC_ENOMEM;
	} else {
		rc = list_folder(run);
	}
	if (rc == OC_ENOMEM)
		return rc;
	if (rc != OC_OK)
		return fail(run, OEV_VERIFY_UNREADABLE, "the folder cannot be read");
	if (run->file_count == 0)
		return fail_empty(run);
	set_places(run);
	qsort(run->files, run->file_count, sizeof(*run->files), compare_files);
	run->files[run->file_count - 1].is_last = true;
	for (size_t i = 0; i < run->file_count && run->result->node[0] == '\0'; i++)
		snprintf(run->result->node, sizeof(run->result->node), "%s", run->files[i].node);
	return OC_OK;
}
