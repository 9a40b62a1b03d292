/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Sealed segments that were found whole need not be read again while they are the same files in the same
 * place of the log.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../../agent/oc_err.h"
#include "oev_verify_parts.h"

/* Which file it is: another one, or one that was written to, has other numbers. */
struct identity {
	dev_t device;
	ino_t inode;
	off_t size;
	struct timespec modified, changed;
};

struct entry {
	struct identity file, seal;
	struct oev_verify_log before, after;
	struct oev_verify_segment segment;
	uint64_t batches, standing, gap_events, recoveries;
	uint64_t signed_batch;
	char signed_root[OEV_VERIFY_HEX];
	char *newest;
};

struct oev_verify_memory {
	sqlite3 *model; /* making it takes longer than reading a small segment */
	struct oev_layout *model_layout;
	struct entry *entries;
	size_t count;
};

struct oev_verify_memory *oev_verify_memory_new(void)
{
	return calloc(1, sizeof(struct oev_verify_memory));
}

void oev_verify_memory_free(struct oev_verify_memory *memory)
{
	if (memory == NULL)
		return;
	for (size_t i = 0; i < memory->count; i++)
		free(memory->entries[i].newest);
	free(memory->entries);
	free(memory->model_layout);
	sqlite3_close(memory->model);
	free(memory);
}

static int make_model(sqlite3 **model, struct oev_layout **layout)
{
	char what[120];
	int rc = oev_layout_model(model);

	return rc == OC_OK ? oev_layout_read(*model, layout, what, sizeof(what)) : rc;
}

int oev_verify_memory_model(struct oev_verify_run *run)
{
	struct oev_verify_memory *memory = run->options->memory;
	int rc = OC_OK;

	if (memory == NULL)
		return make_model(&run->model, &run->model_layout);
	if (memory->model == NULL)
		rc = make_model(&memory->model, &memory->model_layout);
	run->model = memory->model;
	run->model_layout = memory->model_layout;
	return rc;
}

static bool identify(const char *path, const char *suffix, struct identity *out)
{
	char *whole = oev_verify_join(path, suffix);
	struct stat info;
	bool found = whole != NULL && stat(whole, &info) == 0;

	memset(out, 0, sizeof(*out)); /* they are compared octet by octet */
	if (found) {
		out->device = info.st_dev;
		out->inode = info.st_ino;
		out->size = info.st_size;
		out->modified = info.st_mtim;
		out->changed = info.st_ctim;
	}
	free(whole);
	return found;
}

static bool same_log(const struct oev_verify_log *a, const struct oev_verify_log *b)
{
	char one[OEV_FRONTIER_TEXT_MAX], two[OEV_FRONTIER_TEXT_MAX];

	if (a->number != b->number || a->is_known != b->is_known || !oev_hash_equal(&a->chain, &b->chain))
		return false;
	oev_frontier_text(&a->frontier, one);
	oev_frontier_text(&b->frontier, two);
	return strcmp(one, two) == 0;
}

static struct entry *find(const struct oev_verify_memory *memory, const char *name)
{
	for (size_t i = 0; i < memory->count; i++)
		if (strcmp(memory->entries[i].segment.name, name) == 0)
			return &memory->entries[i];
	return NULL;
}

bool oev_verify_memory_recall(struct oev_verify_run *run, const struct oev_verify_file *file)
{
	const struct oev_verify_memory *memory = run->options->memory;
	const struct entry *entry = memory != NULL ? find(memory, file->name) : NULL;
	struct oev_verify_result *result = run->result;
	struct identity is, seal;

	if (entry == NULL || entry->newest == NULL || run->options->deep || !identify(file->path, "", &is) ||
	    !identify(file->path, OEV_SEAL_SUFFIX, &seal) || memcmp(&is, &entry->file, sizeof(is)) != 0 ||
	    memcmp(&seal, &entry->seal, sizeof(seal)) != 0 || !same_log(&run->log, &entry->before))
		return false;
	char *newest = strdup(entry->newest);
	if (newest == NULL)
		return false;
	free(run->newest);
	run->newest = newest;
	run->log = entry->after;
	result->segments[result->segment_count++] = entry->segment;
	result->rows += entry->segment.rows;
	result->checkpoints += entry->segment.checkpoints;
	result->bytes += entry->segment.bytes;
	result->batches += entry->batches;
	result->standing_rows += entry->standing;
	result->gap_events += entry->gap_events;
	result->recoveries += entry->recoveries;
	result->signed_us = entry->segment.signed_us;
	result->signed_batch = entry->signed_batch;
	memcpy(result->signed_root, entry->signed_root, sizeof(entry->signed_root));
	return true;
}

/* What a segment added is the difference between what was before and what is now. */
static void fill(struct entry *entry, const struct oev_verify_run *run,
		 const struct oev_verify_result *before, const struct oev_verify_log *log_before)
{
	const struct oev_verify_result *now = run->result;

	entry->before = *log_before;
	entry->after = run->log;
	entry->segment = now->segments[now->segment_count - 1];
	entry->batches = now->batches - before->batches;
	entry->standing = now->standing_rows - before->standing_rows;
	entry->gap_events = now->gap_events - before->gap_events;
	entry->recoveries = now->recoveries - before->recoveries;
	entry->signed_batch = now->signed_batch;
	memcpy(entry->signed_root, now->signed_root, sizeof(entry->signed_root));
}

void oev_verify_memory_keep(const struct oev_verify_run *run, const struct oev_verify_file *file,
			    const struct oev_verify_result *before, const struct oev_verify_log *log_before)
{
	struct oev_verify_memory *memory = run->options->memory;
	const struct oev_verify_result *now = run->result;
	struct entry entry = { .batches = 0 };

	if (memory == NULL || !file->has_seal || now->findings_all != before->findings_all ||
	    run->newest == NULL || now->segment_count == before->segment_count || !run->log.is_known ||
	    !identify(file->path, "", &entry.file) || !identify(file->path, OEV_SEAL_SUFFIX, &entry.seal))
		return;
	struct entry *place = find(memory, file->name);
	if (place == NULL) {
		struct entry *entries = realloc(memory->entries, (memory->count + 1) * sizeof(*entries));
		if (entries == NULL)
			return;
		memory->entries = entries;
		place = &entries[memory->count++];
		place->newest = NULL;
	}
	free(place->newest);
	fill(&entry, run, before, log_before);
	entry.newest = strdup(run->newest);
	*place = entry;
	if (place->newest == NULL) /* worth nothing without it: forgotten */
		memset(&place->file, 0, sizeof(place->file));
}
