/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A small log out of nothing.
 */
#include "help_log.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "agent/oc_err.h"

#define DECISION 11u
#define REPORT 4u

static const char *const decision_columns[] = { "mono_ns", "app_id", "dest_host", "verdict",
						"session", "why",    NULL };
static const char *const report_columns[] = { "mono_ns", "raw", NULL };

const struct oev_table_names help_tables[2] = { { DECISION, "decision", decision_columns },
						{ REPORT, "report", report_columns } };

static struct oev_value integer(int64_t value)
{
	return (struct oev_value){ .type = OEV_INTEGER, .integer = value };
}

size_t help_log_columns(int64_t salt, int64_t rowid, char *text, struct oev_column out[static 6])
{
	int len = snprintf(text, 16, "row %d", (int)rowid);

	out[0].value = integer(84211003321987 + rowid * 1000);
	out[1].value = integer(16777238);
	out[2].value = (struct oev_value){ .type = OEV_NULL };
	out[3].value =
		(struct oev_value){ .type = OEV_TEXT, .data = (const uint8_t *)text, .len = (size_t)len };
	out[4].value = integer(-8123372036854775807 + salt);
	out[5].value = (struct oev_value){ .type = OEV_BLOB, .data = (const uint8_t *)text + 1, .len = 3 };
	for (size_t i = 0; i < 6; i++)
		out[i].name = decision_columns[i];
	return 6;
}

/* Hashes of the rows of batch @number (from 0), decisions first. */
static void rows_of(int64_t salt, uint64_t number, struct oev_hash out[static HELP_ROWS + 1])
{
	struct oev_column columns[6];
	struct oev_canon canon;
	char text[16];

	oev_canon_init(&canon);
	for (unsigned i = 0; i < HELP_ROWS; i++) {
		int64_t rowid = (int64_t)(number * HELP_ROWS + i + 1);

		oev_canon_begin(&canon, DECISION, rowid);
		help_log_columns(salt, rowid, text, columns);
		for (size_t column = 0; column < 6; column++)
			oev_canon_value(&canon, &columns[column].value);
		oev_canon_hash(&canon, OEV_MERKLE_TAG_LEAF, &out[i]);
	}
	oev_canon_begin(&canon, REPORT, (int64_t)number + 1);
	oev_canon_int(&canon, salt);
	oev_canon_blob(&canon, "raw", 3);
	oev_canon_hash(&canon, OEV_MERKLE_TAG_LEAF, &out[HELP_ROWS]);
	oev_canon_fini(&canon);
}

static void record_of(struct help_log *log, int64_t salt, uint64_t number, struct oev_batch *batch,
		      char rows[64])
{
	struct oev_hash leaves[HELP_ROWS + 1];

	*batch = (struct oev_batch){ .number = number + 1,
				     .segment = "doic-1.sqlite",
				     .first_ns = 1000 * number,
				     .last_ns = 1000 * number + 999,
				     .wall_us = 1796047407114000u + number,
				     .journal = (number + 1) * (HELP_ROWS + 1),
				     .leaves = HELP_ROWS + 1,
				     .rows = rows };
	rows_of(salt, number, leaves);
	oev_merkle_root_of(leaves, HELP_ROWS + 1, &batch->root);
	batch->rows_len =
		(size_t)snprintf(rows, 64, "decision %u-%u report %u", (unsigned)(number * HELP_ROWS + 1),
				 (unsigned)((number + 1) * HELP_ROWS), (unsigned)number + 1);
	if (number > 0)
		batch->previous = log->chains[number - 1];
}

void help_log_init(struct help_log *log, int64_t salt)
{
	struct oev_batch batch;
	char rows[64];

	for (unsigned i = 0; i < HELP_BATCHES; i++) {
		oev_canon_init(&log->batches[i]);
		record_of(log, salt, i, &batch, rows);
		CU_ASSERT_EQUAL_FATAL(oev_batch_octets(&batch, &log->batches[i]), OC_OK);
		oev_canon_hash(&log->batches[i], OEV_MERKLE_TAG_LEAF, &log->leaves[i]);
		oev_canon_hash(&log->batches[i], OEV_BATCH_TAG_CHAIN, &log->chains[i]);
	}
	log->rows_each = HELP_ROWS + 1;
}

void help_log_fini(struct help_log *log)
{
	for (unsigned i = 0; i < HELP_BATCHES; i++)
		oev_canon_fini(&log->batches[i]);
}

void help_log_checkpoint(const struct help_log *log, uint64_t size, const struct oev_key *key,
			 char out[static OEV_NOTE_MAX])
{
	struct oev_checkpoint checkpoint = { .origin = HELP_NODE,
					     .size = size,
					     .segment = "doic-1.sqlite",
					     .rows = size * log->rows_each,
					     .mono_ns = 99000,
					     .wall_us = 1796047407999000u };

	oev_merkle_root(log->leaves, size, &checkpoint.root);
	if (size > 0)
		checkpoint.chain = log->chains[size - 1];
	CU_ASSERT_EQUAL(oev_checkpoint_sign(&checkpoint, key, out, OEV_NOTE_MAX, NULL), OC_OK);
}

void help_log_parts(const struct help_log *log, int64_t salt, int64_t rowid, uint64_t size,
		    const struct oev_key *key, struct help_bundle *out)
{
	uint64_t number = (uint64_t)(rowid - 1) / HELP_ROWS;
	struct oev_bundle *bundle = &out->bundle;
	struct oev_hash leaves[HELP_ROWS + 1];
	struct oev_public signer = { .node = HELP_NODE };

	*bundle = (struct oev_bundle){
		.table = "decision", .table_number = DECISION, .rowid = rowid, .columns = out->columns
	};
	bundle->column_count = help_log_columns(salt, rowid, out->text, out->columns);
	bundle->leaf = (uint64_t)(rowid - 1) % HELP_ROWS;
	rows_of(salt, number, leaves);
	CU_ASSERT_EQUAL(oev_merkle_path(leaves, HELP_ROWS + 1, bundle->leaf, &bundle->leaf_path), OC_OK);
	bundle->batch = oev_canon_octets(&log->batches[number], &bundle->batch_len);
	CU_ASSERT_EQUAL(oev_merkle_path(log->leaves, size, number, &bundle->batch_path), OC_OK);
	help_log_checkpoint(log, size, key, out->note);
	bundle->checkpoint = out->note;
	bundle->checkpoint_len = strlen(out->note);
	memcpy(signer.key, oev_key_public(key), sizeof(signer.key));
	bundle->public_key_len = oev_public_text(&signer, out->public_key);
	bundle->public_key = out->public_key;
}

char *help_log_bundle(const struct help_log *log, int64_t salt, int64_t rowid, uint64_t size,
		      const struct oev_key *key)
{
	struct help_bundle parts;

	help_log_parts(log, salt, rowid, size, key, &parts);
	char *text = oev_bundle_text(&parts.bundle);
	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	return text;
}
