/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A segment opened for reading: where it is, how to open it without writing, and every question asked of it.
 *
 * Sealed segments (no write permission, no -wal beside them) are opened immutable; live ones share the
 * writer's WAL. Where a WAL cannot be joined because the folder cannot be written, the segment and its WAL are copied
 * to a private temporary folder and read there: evidence is never written to, and never read without its tail.
 * One read transaction spans the life of the object, so that all answers speak of the same moment; of a live segment the
 * connections for the reading threads are opened at that same moment too.
 *
 * Every schema ever written is read. Questions give the same columns for all of them, those about decisions and outcomes
 * apart (oev_read.h).
 */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OEV_SCHEMA_VERSION 4 /* newest known */
#define OEV_CARRIED_MAX 32u
#define OEV_TABLE_NAME_MAX 32u
#define OEV_SEGMENT_THREADS 2u /* reading threads: decisions, outcomes */

struct oev_carried {
	char table[OEV_TABLE_NAME_MAX];
	uint64_t rows;
};

struct oev_segment {
	sqlite3 *db;
	sqlite3 *thread_db[OEV_SEGMENT_THREADS]; /* of a live segment; NULL: to be opened when needed */
	char *path;
	char *node;	     /* whose evidence */
	char *realm;	     /* "" when not said */
	char *run;	     /* name of the life it is a part of; "" when not said */
	char *closed_how;    /* "stopped", "rotated", "recovered", "damaged"; "" not said */
	uint64_t part;	     /* of the life, from 1; 0 when not said */
	uint64_t base_ns;    /* what at_ns counts from */
	uint64_t started_us; /* 0 when not said */
	uint64_t log_size;   /* batches of the log before it; 0: its first, or not said */
	uint64_t closed_us;  /* 0: still recording, or killed */
	uint64_t last_us;    /* wall time of the last row of any kind */
	uint64_t last_ns;    /* monotonic time of the same */
	uint64_t first_decision;
	uint64_t decisions; /* highest decision number */
	uint64_t outcomes;  /* highest rowid of an outcome */
	uint32_t schema;
	bool has_log;		     /* its place in the log of its node is known: log_size */
	bool is_log_broken;	     /* the log was begun anew here */
	bool is_gone;		     /* its file was removed while an audit read the folder */
	bool is_capture;	     /* made from a capture: no agent took part */
	bool sampler_random;	     /* policy said sampler: random */
	uint64_t ramp_ms;	     /* longest ramp a policy of this segment allowed */
	uint32_t slack;		     /* most requests per rank that priorities may let wait (oc_debt.h) */
	uint32_t threshold_permille; /* highest threshold of the rate bucket, multiples of T in thousandths */
	bool anti_resonant;
	struct oev_carried carried[OEV_CARRIED_MAX];
	size_t carried_count;
};

enum oev_question {
	OEV_Q_META,
	OEV_Q_CARRIED,
	OEV_Q_LAST,
	OEV_Q_STAMP, /* differs between two moments at which rows differ */
	OEV_Q_POLICY,
	OEV_Q_NAME_TEXT, /* ?1 number */
	OEV_Q_NAME_ID,	 /* ?1 text */
	OEV_Q_CLOCK,
	OEV_Q_REPORT,
	OEV_Q_RAW,     /* ?1 report: octets beyond the first */
	OEV_Q_RAW_ALL, /* ?1 report: all of them */
	OEV_Q_REPEAT,  /* ?1 rows to leave out at the beginning of the table; likewise below */
	OEV_Q_VERSION,
	OEV_Q_CHANGE,
	OEV_Q_CARRIED_VERSION,
	OEV_Q_GAP,
	OEV_Q_RECOVERY,
	OEV_Q_REMOVAL,
	OEV_Q_ORDER,
	OEV_Q_OWN_REPORT,
	OEV_Q_OWN_SENT,
	OEV_Q_FLOW,
	OEV_Q_FLOW_ONE, /* ?1 number; likewise below */
	OEV_Q_WAY,
	OEV_Q_WAY_ONE,
	OEV_Q_ENDING,
	OEV_Q_ENDING_ONE,
	OEV_Q_DECISION, /* ?1 highest number, ?2 rows to leave out; calls oev_take(), which the caller registers */
	OEV_Q_DECISION_ONE,
	OEV_Q_OUTCOME, /* ?1 highest rowid, ?2 rows to leave out; calls oev_take() */
	/* What a replay needs, every column as a number or word of the trail; schema 3 alone has it. */
	OEV_Q_ALL_NAMES,
	OEV_Q_ALL_POLICIES, /* ?1 rows to leave out */
	OEV_Q_PROFILE,
	OEV_Q_PROFILE_ONE, /* ?1 number; likewise below */
	OEV_Q_CANDIDATES,
	OEV_Q_CANDIDATES_ONE,
	OEV_Q_WHOLE_FLOW,
	OEV_Q_WHOLE_FLOW_ONE,
	OEV_Q_WHOLE_WAY,
	OEV_Q_WHOLE_WAY_ONE,
	OEV_Q_WHOLE_ENDING,
	OEV_Q_WHOLE_ENDING_ONE,
	OEV_Q_WHOLE_DECISION, /* as OEV_Q_DECISION */
	OEV_Q_EVENT_REPORT, /* with its further octets, a row for each piece; ?1 rows to leave out, likewise below */
	OEV_Q_EVENT_LOAD,
	OEV_Q_EVENT_PEER,
	OEV_Q_EVENT_ORDER,
	OEV_Q_EVENT_OWN_REPORT,
	OEV_Q_VERSION_ONE, /* ?1 number */
	OEV_Q_ALL_VERSIONS,
	OEV_Q_COUNT
};

/* Opens @path. *@error says what is wrong and with which file. Returns OC_OK, OC_EIO (cannot be read), OC_EMALFORMED
 * (not a segment), OC_EVERSION (newer schema), OC_ENOMEM. Free with _fini in every case; zero it before. */
int oev_segment_open(struct oev_segment *out, const char *path, char *error, size_t error_size);
void oev_segment_fini(struct oev_segment *segment);

/* Whether a segment that was listed, and could not be opened, is none: removed by retention since, or made a moment ago, or by
 * somebody who was killed, and without a row. */
bool oev_segment_is_absent(const char *path);

/* Rows at the beginning of @table that repeat what an earlier part of the life holds. */
uint64_t oev_segment_carried(const struct oev_segment *segment, const char *table);

/* Until when the segment tells of its node: its end, or its last row when nobody ended it properly. Wall clock, us. */
uint64_t oev_segment_until(const struct oev_segment *segment);

/* Prepares @question; NULL when that fails. The caller finalises it. Columns: see oev_questions.c. */
sqlite3_stmt *oev_query_new(const struct oev_segment *segment, enum oev_question question);

/* oev_questions.c: the SQL of @question for @schema. */
const char *oev_question_sql(enum oev_question question, uint32_t schema);

/* Text of @column, never NULL, whatever the file holds. */
const char *oev_query_word(sqlite3_stmt *stmt, int column);

/* The same into @buf, as much as has room. */
void oev_query_copy(sqlite3_stmt *stmt, int column, char *buf, size_t size);

/* True and the low 32 bits of the value, or false and 0 for NULL. */
bool oev_query_take(sqlite3_stmt *stmt, int column, uint32_t *out);

/* What no node writes (negative, too large) reads as @most, not as a harmless number: never one cut to fit. NULL is 0. */
uint32_t oev_query_up_to(sqlite3_stmt *stmt, int column, uint32_t most);

/* Writes the text of name @id into @buf, "" for 0. Returns OC_OK, OC_ENOENT, OC_EIO. */
int oev_query_name(const struct oev_segment *segment, uint32_t id, char *buf, size_t size);

/* Number of @name in this segment, without regard to case; 0 when it does not occur. */
uint32_t oev_query_name_id(const struct oev_segment *segment, const char *name);

/* Paths in @folder that match @prefix*@suffix, sorted; *@paths is allocated (each and all by the caller to free with
 * oev_paths_free). Returns OC_OK (also with none), OC_EIO, OC_ENOMEM. */
int oev_paths_list(const char *folder, const char *prefix, const char *suffix, char ***paths, size_t *count);
void oev_paths_free(char **paths, size_t count);

/* For whoever named @folder, in which no segment lies, when folders in it hold some, as those of an import do: "; of an import, name the
 * folder of one node: imp/dra-01.example.net", "" when none does. Returns buf. */
const char *oev_paths_hint(const char *folder, char *buf, size_t size);
