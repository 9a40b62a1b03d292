/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Shared by the recorder's tests: a recorder in a folder of its own, a clock that is told the time, and questions to its segment.
 */
#pragma once

#include <CUnit/CUnit.h>
#include <stdatomic.h>

#include "evidence/store/oev_recorder.h"
#include "help_trail.h"

struct help_recorder {
	char base[HELP_PATH_MAX];	/* key and checkpoints lie here */
	char folder[HELP_PATH_MAX + 8]; /* in it */
	struct oev_key *key;
	char path[1024];
	struct oev_journal *journal;
	struct oev_recorder *recorder;
	atomic_uint errors;
	atomic_uint notices;
};

extern struct help_recorder help_recorder; /* of the running test; made and removed around each */
extern _Atomic uint64_t help_recorder_ns;  /* what the told clock says */

/* Of every suite: journal and folder for one test. */
void help_recorder_set_up(void);
void help_recorder_tear_down(void);

struct oev_recorder_conf help_recorder_conf(void);

/* Replaces the journal in memory by one of @records in a file of the folder. False with a line on stderr. */
bool help_recorder_journal(uint32_t records);

/* One integer out of every segment of the folder, added up. */
long long help_recorder_ask_all(const char *sql);

/* Paths of the segments in the order of their names; how many. */
size_t help_recorder_segments(char (*paths)[1024], size_t max);

uint64_t help_recorder_mono_ns(void);
uint64_t help_recorder_wall_us(void);
void help_recorder_start(const struct oev_recorder_conf *conf);
long long help_recorder_ask(const char *sql);
int help_recorder_append(uint64_t id);

/* Waits for other threads, with an end: 0 when @holds came true. */
int help_recorder_wait(bool (*holds)(void));

#define HELP_ASSERT_TEXT(sql, expected)                                                                      \
	do {                                                                                                 \
		char text_[HELP_TEXT_MAX];                                                                   \
		CU_ASSERT_STRING_EQUAL(help_ask_text(help_recorder.path, sql, text_), expected);             \
	} while (0)

/* A life with a journal that outlives it, from its start to its stop: decisions @first to @last. */
void help_recorder_live(uint64_t first, uint64_t last);
/* Whether the segment at @path has its seal. */
bool help_recorder_is_sealed(const char *path);
/* A database of another's, seg-20250101T000000.db in the folder, made by @sql; its path goes to @path. */
void help_recorder_put(char path[static HELP_PATH_MAX + 64], const char *sql);
