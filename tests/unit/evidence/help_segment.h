/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Builds evidence segments for tests: an empty one, or a whole small overload told row by row.
 *
 * While the database is open, two temporary views show decisions and outcomes with everything they name in one row: wide and
 * wide_outcome, with the columns of schema 2. UPDATE of wide makes the flows and ways it needs, so that a test can bend one request.
 */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#define HELP_WALL_US 1796000000000000ull /* 2026-11-30T00:53:20Z: begin of every story */
#define HELP_MONO_NS 5000000000000ull
#define HELP_GX 16777238u

enum help_name { HELP_DRA = 2, HELP_S1 = 3, HELP_S2 = 4, HELP_C1 = 5, HELP_REALM = 6 };

struct help_segment {
	sqlite3 *db;
	char folder[256];
	char path[512];
};

/* One overload of s1 in a stream of requests of c1: odd ones name s1, even ones s2. Zero fields: the default. */
struct help_story {
	uint32_t requests;	/* 20000 */
	uint32_t spacing_us;	/* 1000 */
	uint32_t report_at_ms;	/* 1000 */
	uint32_t validity_s;	/* 10 */
	uint32_t reduction_pct; /* 30 */
	uint32_t ramp_ms;	/* 3000 */
	uint32_t slack;		/* 0: priorities move no share */
	bool realm_routed;	/* requests name no host; the report still speaks of s1 */
	bool open;		/* the segment is not closed */
	bool bare;		/* no report, no version: only traffic */
	uint32_t schema;	/* 3; 1 and 2 as older nodes wrote them */
};

/* A new folder under the system's temporary one, with an empty segment in it. False when that failed. */
bool help_segment_new(struct help_segment *segment);
/* Another empty segment @name in the folder of @first, whose removal removes it too. */
bool help_segment_beside(struct help_segment *segment, const struct help_segment *first, const char *name);
/* Makes it an empty segment of an older @schema: the tables of its time, no temporary views. */
bool help_segment_age(struct help_segment *segment, uint32_t schema);
/* Closes the database; the files stay. */
void help_segment_close(struct help_segment *segment);
/* Removes the folder and all in it. */
void help_segment_remove(struct help_segment *segment);

/* Runs SQL, printf style; false on error. */
bool help_segment_sql(struct help_segment *segment, const char *format, ...);

/* Writes the story: policy, names, report, version, changes, decisions, outcomes, closing; and counter files
 * c1.json, s1.json, s2.json in folder/counters when @counters. */
bool help_segment_tell(struct help_segment *segment, const struct help_story *story, bool counters);

/* One integer from a query. */
int64_t help_segment_get(struct help_segment *segment, const char *sql);

/* Writes @text into the file @name below the segment's folder. */
bool help_segment_file(const struct help_segment *segment, const char *name, const char *text);
