/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The batch record: what the recorder says of rows it wrote in one transaction, the leaf of the log.
 *
 * Canonical octets as of a row of table 0 (oev_canon.h): rowid is the number; then segment TEXT, first_ns,
 * last_ns, wall_us, journal, leaves INTEGER (64 bits as they are), root BLOB, rows TEXT, previous BLOB. The
 * log's leaf is SHA-256(0x00 || octets) and the chain goes on with SHA-256(0x02 || octets), which the next
 * record holds as previous; the first one has 32 zero octets.
 */
#pragma once

#include "oev_canon.h"
#include "oev_checkpoint.h"
#include "oev_spans.h"

#define OEV_BATCH_TAG_CHAIN 0x02u

struct oev_batch {
	uint64_t number; /* in the log, from 1 */
	char segment[OEV_SEGMENT_MAX + 1];
	uint64_t first_ns; /* monotonic times of the first and the last event in it */
	uint64_t last_ns;
	uint64_t wall_us; /* of writing */
	uint64_t journal; /* events of this life's journal up to which this and all earlier batches reach */
	uint64_t leaves;
	struct oev_hash root; /* over the leaves, in the order of @rows */
	const char *rows;     /* text of oev_spans.h, borrowed; no NUL behind it when it was read */
	size_t rows_len;
	struct oev_hash previous; /* chain hash of the record before */
};

/* Writes the record as the row in @canon. OC_OK, OC_EINVAL (segment name, number 0), OC_ENOMEM. */
int oev_batch_octets(const struct oev_batch *batch, struct oev_canon *canon);

/* Reads a record; the rows text counts as many rows as there are leaves. OC_OK, OC_EMALFORMED. */
int oev_batch_parse(const uint8_t *octets, size_t len, struct oev_batch *out, struct oev_why *why);

/* Chain hash and log leaf of a record's octets. */
void oev_batch_chain(const uint8_t *octets, size_t len, struct oev_hash *out);
void oev_batch_leaf(const uint8_t *octets, size_t len, struct oev_hash *out);
