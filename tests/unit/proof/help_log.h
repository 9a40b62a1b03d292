/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A small log out of nothing: batches of rows of two tables, checkpoints, and bundles about any of its rows.
 */
#pragma once

#include "evidence/proof/oev_growth.h"

#define HELP_BATCHES 7u
#define HELP_ROWS 5u /* of table decision in each batch, and one of table report */
#define HELP_NODE "dra.example.net"

/* What the tables are called, for those who check names. */
extern const struct oev_table_names help_tables[2];

struct help_log {
	struct oev_canon batches[HELP_BATCHES]; /* records */
	struct oev_hash leaves[HELP_BATCHES];	/* of the log */
	struct oev_hash chains[HELP_BATCHES];
	uint64_t rows_each; /* what checkpoints say a batch has */
};

/* Builds it; @salt goes into every row. */
void help_log_init(struct help_log *log, int64_t salt);
void help_log_fini(struct help_log *log);

/* Columns of row @rowid of table decision; @text is 16 octets that must stay. */
size_t help_log_columns(int64_t salt, int64_t rowid, char *text, struct oev_column out[static 6]);

/* The bundle of one row of table decision, rowid 1 .. HELP_BATCHES * HELP_ROWS, under a checkpoint of @size
 * batches. To be freed. */
char *help_log_bundle(const struct help_log *log, int64_t salt, int64_t rowid, uint64_t size,
		      const struct oev_key *key);

/* The same, as a struct to change before it is written: everything in it lies in @parts. */
struct help_bundle {
	struct oev_bundle bundle;
	struct oev_column columns[6];
	char text[16];
	char note[OEV_NOTE_MAX];
	char public_key[OEV_PUBLIC_TEXT_MAX];
};
void help_log_parts(const struct help_log *log, int64_t salt, int64_t rowid, uint64_t size,
		    const struct oev_key *key, struct help_bundle *out);

/* A signed checkpoint of the first @size batches. */
void help_log_checkpoint(const struct help_log *log, uint64_t size, const struct oev_key *key,
			 char out[static OEV_NOTE_MAX]);
