/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A little writer of proven evidence, step by step, so that tests can go wrong at every step.
 */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "evidence/proof/oev_frontier.h"
#include "evidence/proof/oev_key.h"
#include "evidence/verify/oev_layout.h"
#include "evidence/verify/oev_verify.h"

#define HELP_NODE "dra-01.example.net"
#define HELP_TABLES 29u /* that help_fill() puts rows into */
#define HELP_WALL_US 1796047407000000ull

struct help_log {
	struct oev_frontier frontier;
	struct oev_hash chain;
	uint64_t rows;
};

struct help_evidence {
	char base[64];	      /* a folder of our own */
	char folder[128];     /* the evidence in it */
	char beside[160];     /* its checkpoints */
	char key_path[160];   /* public-key.txt as somebody outside has it */
	char folder_key[160]; /* that of the folder itself */
	struct oev_key *key;
	struct oev_public public_key;
	const char *node;
	int schema;	    /* 4; 3: with the tables of that time */
	unsigned page_size; /* 4096 */
	struct help_log log;
	/* the segment that is open */
	sqlite3 *db;
	struct oev_layout *layout;
	char name[64];
	char path[256];
	int64_t covered[OEV_LAYOUT_TABLES_MAX]; /* last row of each table that is in a batch */
	uint64_t first;				/* batch of it */
	unsigned segments;
	uint64_t wall_us;
};

/* A folder with a key; free with _remove. */
bool help_evidence_new(struct help_evidence *evidence);
void help_evidence_remove(struct help_evidence *evidence);

/* Another key from now on; the folder's public key is not touched. */
bool help_evidence_rekey(struct help_evidence *evidence, const char *name);

/* Begins the next segment, seg-20261129T1400NN.db, with its meta. */
bool help_begin(struct help_evidence *evidence);
/* @format as of sqlite3_mprintf(). */
bool help_sql(struct help_evidence *evidence, const char *format, ...);

/* @rows rows into every table but meta, batch and checkpoint, with values of all sorts. */
bool help_fill(struct help_evidence *evidence, unsigned rows);

/* Highest rowid of @table, 0 none. */
int64_t help_last_row(struct help_evidence *evidence, const char *table);

/* One batch of all rows that are in none; or of @spans. */
bool help_batch(struct help_evidence *evidence);
bool help_batch_of(struct help_evidence *evidence, const char *spans);
bool help_checkpoint(struct help_evidence *evidence);

/* meta closed_how, last batch and checkpoint; then the seal. */
bool help_close(struct help_evidence *evidence, const char *how);
bool help_seal(struct help_evidence *evidence);

/* Closes the database as a kill would leave it: nothing is finished. */
void help_leave(struct help_evidence *evidence);

/* Signs the seal of a closed segment anew, with the key of the moment. */
bool help_seal_again(struct help_evidence *evidence, const char *name);

/* @count sealed segments with @batches batches of @rows rows per table each. */
bool help_whole(struct help_evidence *evidence, unsigned count, unsigned batches, unsigned rows);

/* Opens a sealed segment for a change, without its seal's knowledge; and one statement on it. */
bool help_alter(struct help_evidence *evidence, const char *name, const char *sql);

/* Verifies the folder with its key; @options NULL: nothing else. */
void help_verify(const struct help_evidence *evidence, const struct oev_verify_options *options,
		 struct oev_verify_result *out);

/* Path of segment @number (from 1). */
void help_path(const struct help_evidence *evidence, unsigned number, char out[static 256]);

/* Removes segment @number and its seal. */
void help_remove_segment(const struct help_evidence *evidence, unsigned number);

/* The first finding of @kind, NULL when there is none. */
const struct oev_verify_finding *help_find(const struct oev_verify_result *result, enum oev_verify_kind kind);

/* Verifies and asserts: the outcome, and a finding of @kind that decided it, of @table ("" any) and @row
 * (-1 any). The result stays in *@out; free it. */
void help_expect(const struct help_evidence *evidence, const struct oev_verify_options *options,
		 enum oev_verify_outcome outcome, enum oev_verify_kind kind, const char *table, int64_t row,
		 struct oev_verify_result *out);

/* Copies a file; removes one; appends @text to one. */
bool help_copy(const char *from, const char *to);
bool help_append(const char *path, const char *text);
