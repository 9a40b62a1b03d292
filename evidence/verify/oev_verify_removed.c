/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What retention says it removed, and whether that is signed: whoever has no key can write rows behind the
 * last checkpoint.
 */
#include <stdlib.h>

#include "../../agent/oc_err.h"
#include "../audit/oev_query.h"
#include "oev_source.h"
#include "oev_verify_parts.h"

#define REMOVALS_MAX ((size_t)1 << 20)
#define NO_FILE SIZE_MAX

struct taking {
	struct oev_verify_run *run;
	size_t listed;
	uint64_t signed_batch;
};

static int take(void *ctx, const struct oev_facts_removal *removal)
{
	const struct taking *taking = ctx;
	struct oev_verify_run *run = taking->run;

	if (removal->first == 0 || removal->last < removal->first)
		return OC_OK; /* it holds no batch */
	if (run->removal_count == REMOVALS_MAX)
		return OC_ENOSPC;
	if (run->removal_count == run->removal_size) {
		size_t size = run->removal_size == 0 ? 16 : run->removal_size * 2;
		struct oev_verify_removal *removals = realloc(run->removals, size * sizeof(*removals));
		if (removals == NULL)
			return OC_ENOMEM;
		run->removals = removals;
		run->removal_size = size;
	}
	run->removals[run->removal_count++] =
		(struct oev_verify_removal){ .first = removal->first,
					     .last = removal->last,
					     .batch = removal->batch,
					     .file = taking->listed,
					     .is_signed = removal->batch <= taking->signed_batch };
	return OC_OK;
}

int oev_verify_removals(struct oev_verify_run *run, sqlite3 *db, size_t listed)
{
	struct taking taking = { .run = run, .listed = listed };

	return oev_facts_removals(db, take, &taking) == OC_ENOMEM ? OC_ENOMEM : OC_OK;
}

/* Size of the log in the newest checkpoint of @db with a good signature. */
static uint64_t newest_note(const struct oev_verify_run *run, sqlite3 *db)
{
	sqlite3_stmt *stmt = NULL;
	struct oev_checkpoint checkpoint = { .size = 0 };
	struct oev_why why;

	if (sqlite3_prepare_v2(db, "SELECT [note] FROM [checkpoint] NOT INDEXED ORDER BY rowid DESC LIMIT 1",
			       -1, &stmt, NULL) == SQLITE_OK &&
	    sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_type(stmt, 0) == SQLITE_TEXT) {
		const char *note = (const char *)sqlite3_column_text(stmt, 0);
		size_t len = (size_t)sqlite3_column_bytes(stmt, 0);
		if (oev_verify_note_judge(run, note, len, &checkpoint, &why) != OEV_NOTE_GOOD)
			checkpoint.size = 0;
	}
	sqlite3_finalize(stmt);
	return checkpoint.size;
}

/* What is told now may stand in segments, or behind checkpoints, that nobody judged: their own newest
 * checkpoint tells how far they are signed. */
void oev_verify_removals_again(struct oev_verify_run *run)
{
	char **paths = NULL, error[200];
	size_t count = 0;

	if (oev_paths_list(run->folder, OEV_SEGMENT_PREFIX, OEV_SEGMENT_SUFFIX, &paths, &count) != OC_OK)
		return;
	for (size_t i = 0; i < count; i++) {
		struct taking taking = { .run = run, .listed = NO_FILE };
		sqlite3 *db = NULL;
		if (oev_source_open(paths[i], false, &db, error, sizeof(error)) == OC_OK) {
			taking.signed_batch = newest_note(run, db);
			(void)oev_facts_removals(db, take, &taking);
		}
		sqlite3_close(db);
	}
	oev_paths_free(paths, count);
}

static int compare_removals(const void *a, const void *b)
{
	const struct oev_verify_removal *one = a, *two = b;

	return (one->first > two->first) - (one->first < two->first);
}

void oev_verify_removals_end(struct oev_verify_run *run)
{
	/* by log, and by place in the list; there are no more logs than files */
	uint64_t *newest = calloc(run->file_count + 1, sizeof(*newest));
	uint64_t *bound = calloc(run->file_count + 1, sizeof(*bound));

	for (size_t i = 0; newest != NULL && i < run->file_count; i++) {
		const struct oev_verify_file *file = &run->files[i];
		if (file->signed_batch > newest[file->log])
			newest[file->log] = file->signed_batch;
	}
	for (size_t i = 0; newest != NULL && bound != NULL && i < run->file_count; i++)
		bound[run->files[i].listed] = newest[run->files[i].log];
	for (size_t i = 0; bound != NULL && i < run->removal_count; i++) {
		struct oev_verify_removal *removal = &run->removals[i];
		if (removal->file != NO_FILE)
			removal->is_signed = removal->batch <= bound[removal->file];
	}
	if (run->removal_count > 1)
		qsort(run->removals, run->removal_count, sizeof(*run->removals), compare_removals);
	free(bound);
	free(newest);
}
