/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A segment opened for reading: where it is, how to open it without writing, and every question asked of it.
 *
 * Sealed segments (no write permission, no -wal beside them) are opened immutable; live ones share the
 * writer's WAL. Where a WAL cannot be joined because the folder cannot be written, the segment and its WAL are copied
 * to a private temporary folder and read there: evidence is never written to, and never read without its tail.
 * One read transaction spans the life of the object, so that all answers speak of the same moment.
 */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OEV_SCHEMA_VERSION 3 /* newest known */

struct oev_segment {
	sqlite3 *db;
	char *path;
	char *node;	     /* whose evidence */
	char *realm;	     /* "" when not said */
	uint64_t started_us; /* 0 when not said */
	uint64_t closed_us;  /* 0: still recording, or killed */
	uint64_t last_us;    /* wall time of the last row of any kind */
	uint64_t last_ns;    /* monotonic time of the same */
	uint64_t decisions;  /* highest decision number */
	uint32_t name_max;   /* highest name number */
	uint32_t schema;
	bool sampler_random;	     /* policy said sampler: random */
	uint64_t ramp_ms;	     /* longest ramp a policy of this segment allowed */
	uint32_t slack;		     /* most requests per rank that priorities may let wait (oc_debt.h) */
	uint32_t threshold_permille; /* highest threshold of the rate bucket, multiples of T in thousandths */
	bool anti_resonant;
};

enum oev_question {
	OEV_Q_META,
	OEV_Q_LAST,
	OEV_Q_POLICY,
	OEV_Q_NAME_TEXT,
	OEV_Q_NAME_ID,
	OEV_Q_REPORT,
	OEV_Q_VERSION,
	OEV_Q_CHANGE,
	OEV_Q_GAP,
	OEV_Q_DECISION,
	OEV_Q_OUTCOME,
	OEV_Q_VERSION_1,     /* OEV_Q_VERSION of schema 1; oev_query_new() chooses */
	OEV_Q_DECISION_TAKE, /* the same, handed to the SQL function oev_take(), which the caller registers */
	OEV_Q_COUNT
};

/* Opens @path. *@error says what is wrong and with which file. Returns OC_OK, OC_EIO (cannot be read), OC_EMALFORMED
 * (not a segment), OC_EVERSION (newer schema), OC_ENOMEM. Free with _fini in every case; zero it before. */
int oev_segment_open(struct oev_segment *out, const char *path, char *error, size_t error_size);
void oev_segment_fini(struct oev_segment *segment);

/* Prepares @question; NULL when that fails. The caller finalises it. Columns: see oev_query.c. */
sqlite3_stmt *oev_query_new(const struct oev_segment *segment, enum oev_question question);

/* Writes the text of name @id into @buf, "" for 0. Returns OC_OK, OC_ENOENT, OC_EIO. */
int oev_query_name(const struct oev_segment *segment, uint32_t id, char *buf, size_t size);

/* Number of @name in this segment, without regard to case; 0 when it does not occur. */
uint32_t oev_query_name_id(const struct oev_segment *segment, const char *name);

/* Paths in @folder that match @prefix*@suffix, sorted; *@paths is allocated (each and all by the caller to free with
 * oev_paths_free). Returns OC_OK (also with none), OC_EIO, OC_ENOMEM. */
int oev_paths_list(const char *folder, const char *prefix, const char *suffix, char ***paths, size_t *count);
void oev_paths_free(char **paths, size_t count);
