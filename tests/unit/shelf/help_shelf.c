/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A folder for the shelf, and SQL to hold its answers against.
 */
#include "help_shelf.h"

#include <glob.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/oev_clock.h"

#define START_NS 1000000000000ull
#define WAIT_US 10000u
#define WAITS 3000u

struct help_shelf *help_shelf_new(void)
{
	struct help_shelf *h = calloc(1, sizeof(*h));

	if (h == NULL)
		abort();
	help_record_folder(h->folder);
	snprintf(h->index, sizeof(h->index), "%s.index", h->folder);
	return h;
}

void help_shelf_free(struct help_shelf *h)
{
	help_shelf_close(h);
	help_record_remove(h->folder);
	help_record_remove(h->index);
	help_record_segment_mib(0);
	free(h);
}

static void first_life(struct help_shelf *h)
{
	struct help_traffic *t = &h->traffic;

	help_record_segment_mib(1);
	help_traffic_begin(t, h->folder, START_NS, help_policy);
	t->apps = 3;
	t->sessions = HELP_SESSIONS;
	help_traffic_loss(t, 0, OC_REPORT_HOST, 30, 5);
	help_traffic_run(t, HELP_FIRST_LIFE / 4);
	help_traffic_loss(t, 1, OC_REPORT_REALM, 10, 5);
	help_traffic_run(t, HELP_FIRST_LIFE / 4);
	help_traffic_peer(t, 2, false);
	help_traffic_order(t, 10);
	help_traffic_run(t, HELP_FIRST_LIFE / 4);
	help_traffic_peer(t, 2, true);
	help_traffic_withdraw(t);
	t->servers[3].has_load = true;
	t->servers[3].load = 4000;
	help_traffic_run(t, HELP_FIRST_LIFE / 4);
	help_traffic_end(t);
}

static void second_life(struct help_shelf *h)
{
	struct help_traffic *t = &h->traffic;

	help_record_segment_mib(0);
	help_traffic_begin(t, h->folder, START_NS + 3600000000000ull, help_policy);
	t->sessions = HELP_SESSIONS;
	t->apps = 1;
	help_traffic_loss(t, 0, OC_REPORT_HOST, 50, 600);
	help_traffic_run(t, HELP_SECOND_LIFE);
	help_traffic_end(t);
}

/* The folder the others are copies of: made once, as it takes the longest of all a test does. */
static char original[HELP_FOLDER_MAX];

static void remove_original(void)
{
	help_record_remove(original);
}

static void make_original(void)
{
	struct help_shelf *h = calloc(1, sizeof(*h));

	if (h == NULL)
		abort();
	help_record_folder(h->folder);
	first_life(h);
	second_life(h);
	help_record_segment_mib(0);
	memcpy(original, h->folder, sizeof(original));
	atexit(remove_original);
	free(h);
}

static void copy_original(const struct help_shelf *h)
{
	char command[8 * HELP_FOLDER_MAX];

	snprintf(command, sizeof(command),
		 "cp -pR '%s/.' '%s/' && cp -p '%s.key' '%s.key' && cp -p '%s.checkpoints' '%s.checkpoints'",
		 original, h->folder, original, h->folder, original, h->folder);
	if (system(command) != 0)
		abort();
}

void help_shelf_record(struct help_shelf *h)
{
	if (original[0] == '\0')
		make_original();
	copy_original(h);
	help_shelf_text(h, 0, "SELECT value FROM meta WHERE key = 'run'", h->runs[0], sizeof(h->runs[0]));
	help_shelf_text(h, help_shelf_segments(h) - 1, "SELECT value FROM meta WHERE key = 'run'", h->runs[1],
			sizeof(h->runs[1]));
}

void help_shelf_multiply(const struct help_shelf *h, unsigned count)
{
	char file[HELP_FOLDER_MAX], command[8 * HELP_FOLDER_MAX];

	help_shelf_text(h, help_shelf_segments(h) - 1,
			"SELECT file FROM pragma_database_list WHERE name = 'main'", file, sizeof(file));
	snprintf(command, sizeof(command),
		 "for i in $(seq 100 %u); do to=seg-20990101T000000Z-$i.db && cp -p '%s' '%s'/$to && "
		 "sed \"s/%s/$to/\" '%s.seal' >'%s'/$to.seal; done",
		 99 + count, file, h->folder, strrchr(file, '/') + 1, file, h->folder);
	if (system(command) != 0)
		abort();
}

void help_shelf_wait(struct help_shelf *h)
{
	struct oev_shelf_find_state state;

	for (unsigned i = 0; i < WAITS; i++) {
		oev_shelf_find_state(h->shelf, &state);
		if (state.is_whole && state.indexed == state.decisions)
			return;
		oev_clock_sleep_us(WAIT_US);
	}
	fprintf(stderr, "the index is not whole: %s\n", state.trouble);
	abort();
}

void help_shelf_open(struct help_shelf *h, bool is_whole)
{
	if (oev_shelf_open(&h->shelf, h->folder, h->index, h->error) != OC_OK) {
		fprintf(stderr, "shelf: %s\n", h->error);
		abort();
	}
	if (is_whole)
		help_shelf_wait(h);
}

void help_shelf_close(struct help_shelf *h)
{
	oev_shelf_close(h->shelf);
	h->shelf = NULL;
}

struct help_shelf *help_shelf_whole(void)
{
	struct help_shelf *h = help_shelf_new();

	help_shelf_record(h);
	help_shelf_open(h, true);
	return h;
}

/* In the order they were begun: of one second the first has no number behind its time, and the tenth has two digits. */
static int by_time(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	int order = strncmp(strrchr(x, '/'), strrchr(y, '/'), sizeof("/seg-YYYYMMDDTHHMMSS") - 1);

	if (order == 0 && strlen(x) != strlen(y))
		return strlen(x) < strlen(y) ? -1 : 1;
	return order != 0 ? order : strcmp(x, y);
}

static void find(const struct help_shelf *h, glob_t *found)
{
	char pattern[HELP_FOLDER_MAX + 16];

	snprintf(pattern, sizeof(pattern), "%s/seg-*.db", h->folder);
	if (glob(pattern, 0, NULL, found) != 0)
		memset(found, 0, sizeof(*found));
	if (found->gl_pathc > 0)
		qsort(found->gl_pathv, found->gl_pathc, sizeof(*found->gl_pathv), by_time);
}

size_t help_shelf_segments(const struct help_shelf *h)
{
	glob_t found;

	find(h, &found);
	size_t count = found.gl_pathc;
	globfree(&found);
	return count;
}

void help_shelf_text(const struct help_shelf *h, size_t segment, const char *sql, char *out, size_t size)
{
	sqlite3_stmt *stmt = NULL;
	sqlite3 *db = NULL;
	glob_t found;

	find(h, &found);
	if (segment >= found.gl_pathc ||
	    sqlite3_open_v2(found.gl_pathv[segment], &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK ||
	    sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK || sqlite3_step(stmt) != SQLITE_ROW) {
		fprintf(stderr, "%s: %s\n", sql, db != NULL ? sqlite3_errmsg(db) : "no segment");
		abort();
	}
	const char *text = (const char *)sqlite3_column_text(stmt, 0);
	snprintf(out, size, "%s", text != NULL ? text : "");
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	globfree(&found);
}

int64_t help_shelf_ask(const struct help_shelf *h, size_t segment, const char *sql)
{
	char text[32];

	help_shelf_text(h, segment, sql, text, sizeof(text));
	return strtoll(text, NULL, 10);
}

int64_t help_shelf_sum(const struct help_shelf *h, const char *sql)
{
	int64_t sum = 0;

	for (size_t i = 0; i < help_shelf_segments(h); i++)
		sum += help_shelf_ask(h, i, sql);
	return sum;
}

static bool walk_row(void *ctx, const struct oev_shelf_decision *row)
{
	struct help_walk *walk = ctx;
	bool is_same = strcmp(walk->last.run, row->run) == 0;

	if (walk->rows++ > 0) {
		bool goes_on =
			is_same ? row->id != walk->last.id && (row->id > walk->last.id) == walk->oldest_first
				: (row->wall_us > walk->last.wall_us) == walk->oldest_first;
		walk->is_ordered &= goes_on;
	}
	walk->broken += row->is_broken;
	walk->without_outcome += !row->has_outcome;
	walk->last = *row;
	return true;
}

struct help_walk help_walk(struct help_shelf *h, const struct oev_shelf_filter *filter, uint32_t limit,
			   uint64_t examine)
{
	struct help_walk walk = { .is_ordered = true, .oldest_first = filter->oldest_first };
	struct oev_shelf_page page = { 0 };
	char cursor[OEV_SHELF_CURSOR_MAX] = "";

	do {
		walk.rc = oev_shelf_decisions(h->shelf, filter, cursor, limit, examine, walk_row, &walk,
					      &page, h->error);
		walk.pages++;
		walk.examined += page.examined;
		memcpy(cursor, page.next, sizeof(cursor));
	} while (walk.rc == OC_OK && !page.is_end && walk.pages < 100000);
	return walk;
}
