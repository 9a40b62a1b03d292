/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A journal in a file, for tests: begun, left behind, found again, tampered with.
 */
#pragma once

#include <stdbool.h>

#include "evidence/store/oev_journal_ring.h"
#include "help_trail.h"

#define HELP_RUN 0x1122334455667788u

struct help_journal {
	struct oev_journal *journal;
	struct oev_journal_left left;
	char folder[HELP_PATH_MAX];
	char path[HELP_PATH_MAX + 32];
	char error[512];
};

/* A folder of its own, nothing in it; and its removal. */
void help_journal_set_up(struct help_journal *h);
void help_journal_tear_down(struct help_journal *h);

/* Opens with @records and OEV_FULL_GAP, and looks at what was left. Returns what oev_journal_open() did. */
int help_journal_open(struct help_journal *h, uint32_t records);

/* Begins HELP_RUN with segment "seg-a.db". */
void help_journal_begin(struct help_journal *h);

/* Appends outcomes with ids @from .. @to. */
void help_journal_append(struct help_journal *h, uint64_t from, uint64_t to);

/* Gives the journal up, as it is; what waits stays in the file. */
void help_journal_close(struct help_journal *h);

/* Open, begin, append 1 .. @events, pop @popped, close: a file that was left behind. */
void help_journal_leave(struct help_journal *h, uint32_t records, uint64_t events, uint32_t popped);

/* The ring in the file, to tamper with while nobody has it open; and the end of that. */
struct oev_ring *help_journal_map(struct help_journal *h, size_t *octets);
void help_journal_unmap(struct oev_ring *ring, size_t octets);

/* Peeks and pops everything, @batch at a time; true when the ids are @from .. @to, in order, and nothing else. */
bool help_journal_drains(struct help_journal *h, uint64_t from, uint64_t to, uint32_t batch);

/* Files in the folder. */
unsigned help_journal_files(const struct help_journal *h);
