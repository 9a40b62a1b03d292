/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A row that is in no segment any more: what retention says it removed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../oev_time.h"
#include "oev_prove_parts.h"
#include "oev_source.h"

#define REMOVED_MAX 330u
#define LIVES_SHOWN 5u
#define LIFE_TEXT_MAX 34u

struct absence {
	struct oev_facts_removal first, last; /* by time */
	uint64_t count;
	int64_t begins_at; /* lowest decision that is there, of the life asked for or of any */
	bool has_life;	   /* the one asked for */
	char lives[LIVES_SHOWN][LIFE_TEXT_MAX];
	unsigned life_count;
	bool has_more; /* than are kept */
};

static int take(void *ctx, const struct oev_facts_removal *removal)
{
	struct absence *absence = ctx;

	if (absence->count == 0 || removal->wall_us < absence->first.wall_us)
		absence->first = *removal;
	if (absence->count == 0 || removal->wall_us >= absence->last.wall_us)
		absence->last = *removal;
	absence->count++;
	return OC_OK;
}

static int64_t first_decision(sqlite3 *db)
{
	sqlite3_stmt *stmt = NULL;
	int64_t first = 0;

	if (sqlite3_prepare_v2(db, "SELECT min(rowid) FROM [decision]", -1, &stmt, NULL) == SQLITE_OK &&
	    sqlite3_step(stmt) == SQLITE_ROW)
		first = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return first;
}

static void note_life(struct absence *absence, const char *life, const char *run)
{
	if (life[0] == '\0')
		return;
	absence->has_life = absence->has_life || strcmp(life, run) == 0;
	for (unsigned i = 0; i < absence->life_count; i++)
		if (strncmp(absence->lives[i], life, LIFE_TEXT_MAX - 1) == 0)
			return;
	if (absence->life_count < LIVES_SHOWN)
		snprintf(absence->lives[absence->life_count++], LIFE_TEXT_MAX, "%.*s", (int)LIFE_TEXT_MAX - 1,
			 life);
	else
		absence->has_more = true;
}

static void look_into(struct absence *absence, const char *path, const char *run)
{
	struct oev_proving segment;

	if (oev_proving_open(&segment, path) == OC_OK) {
		int64_t first = first_decision(segment.db);
		if (run != NULL)
			note_life(absence, segment.facts.run, run);
		(void)oev_facts_removals(segment.db, take, absence);
		if (first > 0 && (run == NULL || strcmp(run, segment.facts.run) == 0) &&
		    (absence->begins_at == 0 || first < absence->begins_at))
			absence->begins_at = first;
	}
	oev_proving_close(&segment);
}

/* "seg-A.db (age, 2026-11-29T14:00:00Z, batches 1 to 40)", "one of 3 segments, seg-A.db (...) to seg-C.db (...)". */
static void removed_text(const struct absence *absence, char out[static REMOVED_MAX])
{
	char first_at[OEV_TIME_TEXT_MAX], last_at[OEV_TIME_TEXT_MAX];
	const struct oev_facts_removal *first = &absence->first, *last = &absence->last;

	oev_time_text(first->wall_us, first_at);
	oev_time_text(last->wall_us, last_at);
	if (absence->count == 1)
		snprintf(out, REMOVED_MAX,
			 "%.60s, which retention removed (%s, %s, batches %" PRIu64 " to %" PRIu64 ")",
			 first->segment, first->reason, first_at, first->first, first->last);
	else
		snprintf(
			out, REMOVED_MAX,
			"one of %" PRIu64
			" segments that retention removed, %.60s (%s, %s) to %.60s (%s, %s), batches %" PRIu64
			" to %" PRIu64,
			absence->count, first->segment, first->reason, first_at, last->segment, last->reason,
			last_at, first->first, last->last);
}

/* The life asked for is in no segment: which are. */
static int fail_life(struct oev_prover *prover, const struct absence *absence)
{
	char lives[LIVES_SHOWN * (LIFE_TEXT_MAX + 2) + 8] = "none", removed[REMOVED_MAX] = "";
	size_t used = 0;

	for (unsigned i = 0; i < absence->life_count; i++)
		used += (size_t)snprintf(lives + used, sizeof(lives) - used, "%s%s", i > 0 ? ", " : "",
					 absence->lives[i]);
	if (absence->has_more)
		snprintf(lives + used, sizeof(lives) - used, ", ...");
	if (absence->count > 0)
		removed_text(absence, removed);
	return oev_prove_fail(prover, OEV_VERIFY_NOT_FOUND, "no life %.60s here; lives here: %s%s%.200s",
			      prover->options->run, lives, absence->count > 0 ? "; it may have been in " : "",
			      removed);
}

int oev_prove_absent(struct oev_prover *prover)
{
	const struct oev_prove_options *options = prover->options;
	struct absence absence = { .count = 0 };
	char removed[REMOVED_MAX];

	for (size_t i = 0; i < prover->path_count; i++)
		look_into(&absence, prover->paths[i], options->run);
	if (options->run != NULL && !absence.has_life)
		return fail_life(prover, &absence);
	if (absence.count == 0)
		return oev_prove_fail(prover, OEV_VERIFY_NOT_FOUND,
				      "no row %" PRId64 " in table %.40s of %.200s", options->row,
				      options->table, options->path);
	removed_text(&absence, removed);
	bool was_there = strcmp(options->table, "decision") == 0 && options->row > 0 &&
			 options->row < absence.begins_at;
	return oev_prove_fail(prover, OEV_VERIFY_NOT_FOUND, "row %" PRId64 " of table %.40s %s %s",
			      options->row, options->table,
			      was_there ? "was in" : "is not here; it may have been in", removed);
}
