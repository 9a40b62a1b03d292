/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * For tests of the shelf: a folder with two lives, made by the real core and recorder, and the same questions asked in SQL.
 */
#pragma once

#include "evidence/shelf/oev_shelf_find.h"
#include "evidence/shelf/oev_shelf_list.h"
#include "tests/unit/replay/help_traffic.h"

#define HELP_FIRST_LIFE 40000u /* decisions */
#define HELP_SECOND_LIFE 5000u
#define HELP_SESSIONS 1000u

struct help_shelf {
	char folder[HELP_FOLDER_MAX];
	char index[HELP_FOLDER_MAX + 8];
	char runs[2][OEV_SHELF_RUN_MAX]; /* of the lives, in their order */
	struct help_traffic traffic;
	struct oev_shelf *shelf;
	char error[OEV_SHELF_TEXT_MAX];
};

/* With an empty folder. Aborts when that fails, like all below. */
struct help_shelf *help_shelf_new(void);
void help_shelf_free(struct help_shelf *h);

/* Two lives, the first in several segments: a host report and a realm report, an end, a peer that goes. */
void help_shelf_record(struct help_shelf *h);
/* Opens it; once all is indexed when @is_whole. */
void help_shelf_open(struct help_shelf *h, bool is_whole);
void help_shelf_wait(struct help_shelf *h);
void help_shelf_close(struct help_shelf *h);
/* Both of the above. */
struct help_shelf *help_shelf_whole(void);
/* Between the two: adds @count segments, sealed ones, copies of the last. */
void help_shelf_multiply(const struct help_shelf *h, unsigned count);

/* Sum of the first column of the first row over all segments. */
int64_t help_shelf_sum(const struct help_shelf *h, const char *sql);
/* The same of one segment, by its place; and a text of it. */
int64_t help_shelf_ask(const struct help_shelf *h, size_t segment, const char *sql);
void help_shelf_text(const struct help_shelf *h, size_t segment, const char *sql, char *out, size_t size);
size_t help_shelf_segments(const struct help_shelf *h);

/* What a walk through all pages found. */
struct help_walk {
	uint64_t rows, pages;
	uint64_t examined;
	bool is_ordered; /* every row behind the one before it */
	bool oldest_first;
	unsigned broken, without_outcome;
	struct oev_shelf_decision last;
	int rc;
};
/* Pages of @limit rows until the end, each looking at @examine rows at most. */
struct help_walk help_walk(struct help_shelf *h, const struct oev_shelf_filter *filter, uint32_t limit,
			   uint64_t examine);
