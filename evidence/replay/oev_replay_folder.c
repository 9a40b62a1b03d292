/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Segments found, and put in order.
 */
#include "oev_replay_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "../../agent/oc_err.h"

static char *copy(const char *text)
{
	return strdup(text != NULL ? text : "");
}

static void free_segment(struct oev_life_segment *segment)
{
	free(segment->path);
	free(segment->node);
	free(segment->run);
}

static int add_open(struct oev_replay_folder *folder, const struct oev_segment *segment)
{
	struct oev_life_segment *bigger =
		realloc(folder->segments, (folder->count + 1) * sizeof(*folder->segments));
	uint64_t until_us = oev_segment_until(segment);

	if (bigger == NULL)
		return OC_ENOMEM;
	folder->segments = bigger;
	struct oev_life_segment *added = &bigger[folder->count++];
	/* before lives had names, each segment was one */
	*added = (struct oev_life_segment){ .path = copy(segment->path),
					    .node = copy(segment->node),
					    .run = copy(segment->run[0] != '\0' ? segment->run
										: segment->path),
					    .part = segment->part,
					    .started_us = segment->started_us,
					    .decisions = oev_life_decisions(segment) };
	folder->until_us = until_us > folder->until_us ? until_us : folder->until_us;
	return added->path != NULL && added->node != NULL && added->run != NULL ? OC_OK : OC_ENOMEM;
}

static int add_segment(struct oev_replay_folder *folder, const char *path,
		       char error[static OEV_REPLAY_ERROR_MAX])
{
	struct oev_segment segment = { 0 };
	int rc = oev_segment_open(&segment, path, error, OEV_REPLAY_ERROR_MAX);

	if (rc == OC_OK)
		rc = add_open(folder, &segment);
	oev_segment_fini(&segment);
	return rc;
}

/* One of a folder. */
static int add_listed(struct oev_replay_folder *folder, const char *path,
		      char error[static OEV_REPLAY_ERROR_MAX])
{
	int rc = add_segment(folder, path, error);

	if (rc == OC_OK || rc == OC_ENOMEM || !oev_segment_is_absent(path))
		return rc;
	error[0] = '\0';
	return OC_OK;
}

static int add_all(struct oev_replay_folder *folder, const char *path,
		   char error[static OEV_REPLAY_ERROR_MAX])
{
	char **paths;
	size_t count;
	int rc = oev_paths_list(path, "seg-", ".db", &paths, &count);

	if (rc == OC_EIO)
		snprintf(error, OEV_REPLAY_ERROR_MAX, "%s: cannot be read", path);
	if (rc == OC_OK && count == 0) {
		char hint[300];
		snprintf(error, OEV_REPLAY_ERROR_MAX, "%s: no evidence segments (seg-*.db) in it%s", path,
			 oev_paths_hint(path, hint, sizeof(hint)));
		rc = OC_ENOENT;
	}
	for (size_t i = 0; rc == OC_OK && i < count; i++)
		rc = add_listed(folder, paths[i], error);
	oev_paths_free(paths, count);
	return rc;
}

int oev_replay_folder_add(struct oev_replay_folder *folder, const char *path,
			  char error[static OEV_REPLAY_ERROR_MAX])
{
	struct stat info;

	if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
		return add_all(folder, path, error);
	return add_segment(folder, path, error);
}

void oev_replay_folder_fini(struct oev_replay_folder *folder)
{
	for (size_t i = 0; i < folder->count; i++)
		free_segment(&folder->segments[i]);
	free(folder->segments);
	*folder = (struct oev_replay_folder){ 0 };
}

static bool is_same_life(const struct oev_life_segment *a, const struct oev_life_segment *b)
{
	return strcmp(a->run, b->run) == 0 && strcmp(a->node, b->node) == 0;
}

static int by_part(const void *left, const void *right)
{
	const struct oev_life_segment *a = left, *b = right;
	int order = (a->life_us > b->life_us) - (a->life_us < b->life_us);

	if (order == 0)
		order = strcmp(a->node, b->node);
	if (order == 0)
		order = strcmp(a->run, b->run);
	if (order == 0)
		order = (a->part > b->part) - (a->part < b->part);
	return order != 0 ? order : strcmp(a->path, b->path);
}

static void sort(struct oev_replay_folder *folder)
{
	if (folder->count > 1)
		qsort(folder->segments, folder->count, sizeof(*folder->segments), by_part);
}

static void leave_out_others(struct oev_replay_folder *folder, const char *node)
{
	size_t kept = 0;

	for (size_t i = 0; i < folder->count; i++) {
		if (node == NULL || strcasecmp(folder->segments[i].node, node) == 0)
			folder->segments[kept++] = folder->segments[i];
		else
			free_segment(&folder->segments[i]);
	}
	folder->count = kept;
}

void oev_replay_folder_order(struct oev_replay_folder *folder, const char *node)
{
	leave_out_others(folder, node);
	sort(folder); /* by life, whenever it began */
	for (size_t i = 0; i < folder->count;) {
		uint32_t length = oev_replay_folder_life(folder, i);
		for (uint32_t k = 0; k < length; k++)
			folder->segments[i + k].life_us = folder->segments[i].started_us;
		i += length;
	}
	sort(folder);
}

uint32_t oev_replay_folder_life(const struct oev_replay_folder *folder, size_t first)
{
	uint32_t count = 1;

	while (first + count < folder->count &&
	       is_same_life(&folder->segments[first], &folder->segments[first + count]))
		count++;
	return count;
}
