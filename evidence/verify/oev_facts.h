/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What a segment says of itself in table meta, as far as integrity needs it, and what retention says it
 * removed.
 */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../proof/oev_checkpoint.h"
#include "../proof/oev_frontier.h"

struct oev_facts {
	uint64_t schema; /* 0: no such row, so no segment */
	char node[OEV_NODE_MAX + 1];
	char run[128];			   /* life of the agent */
	char segment[OEV_SEGMENT_MAX + 1]; /* its name when it was written; "" not said */
	char previous[OEV_SEGMENT_MAX + 1];
	char closed_how[32];
	char log_broken[160]; /* why the log does not go on with an earlier one; "" it does */
	bool is_finished;     /* has closed_how */
	bool has_schema;
	struct oev_hash schema_sha256;
	bool has_log; /* what is needed of the log before it is there and agrees */
	uint64_t log_rows;
	struct oev_frontier frontier;
	struct oev_hash chain; /* of the batch before; zero octets for the first one */
};

/* OC_OK, OC_EMALFORMED (no table meta, or none of its kind), OC_EIO. */
int oev_facts_read(sqlite3 *db, struct oev_facts *out);

/* No tables, or neither facts nor batches in them: the file was made, and never written to. */
bool oev_facts_is_blank(sqlite3 *db);

/* What a row of table removal says; @batch is the one that took the row. */
struct oev_facts_removal {
	uint64_t first, last;
	uint64_t batch;
	uint64_t wall_us;
	char segment[OEV_SEGMENT_MAX + 1];
	char reason[16]; /* age, size */
};

/* Calls @take for each row of table removal that a batch took. OC_OK, OC_ENOENT (no such table), OC_EIO, or
 * what @take returns but OC_OK. */
int oev_facts_removals(sqlite3 *db, int (*take)(void *ctx, const struct oev_facts_removal *removal),
		       void *ctx);

/* Sum of a column or number of rows, by one of these: 0 when it cannot be told. */
uint64_t oev_facts_gap_events(sqlite3 *db);
uint64_t oev_facts_recoveries(sqlite3 *db);
uint64_t oev_facts_leaves(sqlite3 *db); /* that batches tell of */
