/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The leaves of the batch that is being written: one per row, and the root over all of them in the end.
 *
 * A row's canonical octets (oev_canon.h) are made from the values that are bound; its hash is its leaf. In the tree leaves are in
 * the order of tables in schema.sql, then of rowids. Memory is kept from batch to batch. One thread.
 */
#pragma once

#include "../proof/oev_canon.h"
#include "../proof/oev_spans.h"
#include "oev_tables.h"

#define OEV_MARK_OCTETS 2u /* of each leaf, kept in the batch row */

struct oev_leaf_list {
	int64_t *rows;
	struct oev_hash *leaves;
	uint32_t count;
	uint32_t size;
	bool is_mixed; /* not in ascending order */
};

struct oev_leaves {
	struct oev_canon canon; /* the row that is being written */
	struct oev_leaf_list lists[OEV_TABLE_COUNT];
	struct oev_spans spans;
	struct oev_hash *all;
	uint8_t *marks;
	uint64_t all_size;
	int rc; /* first error: OC_ENOMEM */
};

/* What a batch record says of them; borrowed until the next oev_leaves_begin(). */
struct oev_leaves_sum {
	uint64_t count;
	struct oev_hash root;
	const char *rows;
	size_t rows_len;
	const uint8_t *marks; /* count * OEV_MARK_OCTETS */
};

void oev_leaves_init(struct oev_leaves *leaves);
void oev_leaves_fini(struct oev_leaves *leaves);

/* Starts a batch. */
void oev_leaves_begin(struct oev_leaves *leaves);

/* The row in leaves->canon is kept, as @rowid of @table. */
void oev_leaves_add(struct oev_leaves *leaves, enum oev_table table, int64_t rowid);

/* How many so far. */
uint64_t oev_leaves_count(const struct oev_leaves *leaves);

/* Ends the batch: OC_OK, OC_ENOMEM, OC_EINVAL (a rowid twice: our own bug). */
int oev_leaves_end(struct oev_leaves *leaves, struct oev_leaves_sum *out);
