/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One batch: its rows against its root, its record against the chain, its leaf for the log.
 */
#include <inttypes.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_verify_parts.h"

/* What is needed of table batch, by name; the order in the file does not matter. */
enum { FIRST_NS, LAST_NS, WALL_US, JOURNAL, LEAVES, ROWS, ROOT, CHAIN, MARKS, FIELD_COUNT };
static const char *const fields[FIELD_COUNT] = { "first_ns", "last_ns", "wall_us", "journal", "leaves",
						 "rows",     "root",	"chain",   "marks" };

struct record {
	struct oev_batch batch;
	struct oev_hash chain; /* as stored */
	struct oev_verify_marks marks;
	struct oev_hash computed_chain;
	struct oev_hash leaf; /* for the log */
	bool has_leaf;
};

int oev_verify_batches_open(struct oev_verify_work *work)
{
	char sql[OEV_LAYOUT_SQL_MAX];
	int at = oev_layout_find(work->layout, "batch");

	if (at < 0 || strcmp(work->layout->tables[at].key, "number") != 0)
		return OC_ENOENT;
	const struct oev_layout_table *table = &work->layout->tables[at];
	_Static_assert(FIELD_COUNT == OEV_BATCH_FIELDS, "room for each");
	for (int field = 0; field < FIELD_COUNT; field++) {
		work->batch_columns[field] = -1;
		for (unsigned i = 0; i < table->column_count; i++)
			if (strcmp(table->columns[i], fields[field]) == 0)
				work->batch_columns[field] = (int)i + 1;
		if (work->batch_columns[field] < 0)
			return OC_ENOENT;
	}
	oev_layout_select(table, "ORDER BY rowid", sql);
	return sqlite3_prepare_v2(work->db, sql, -1, &work->batches, NULL) == SQLITE_OK ? OC_OK : OC_EIO;
}

static bool take_number(const struct oev_verify_work *work, int field, uint64_t *out)
{
	int column = work->batch_columns[field];

	*out = (uint64_t)sqlite3_column_int64(work->batches, column);
	return sqlite3_column_type(work->batches, column) == SQLITE_INTEGER;
}

static bool take_hash(const struct oev_verify_work *work, int field, struct oev_hash *out)
{
	int column = work->batch_columns[field];
	const void *blob = sqlite3_column_blob(work->batches, column);

	if (sqlite3_column_type(work->batches, column) != SQLITE_BLOB || blob == NULL ||
	    sqlite3_column_bytes(work->batches, column) != (int)OEV_HASH_OCTETS)
		return false;
	memcpy(out->octets, blob, OEV_HASH_OCTETS);
	return true;
}

/* Where the rows text and the marks lie stays good until the cursor moves. */
static int take_record(const struct oev_verify_work *work, struct record *record)
{
	struct oev_batch *batch = &record->batch;
	int rows = work->batch_columns[ROWS], marks = work->batch_columns[MARKS];
	uint64_t counted;

	batch->number = (uint64_t)sqlite3_column_int64(work->batches, 0);
	snprintf(batch->segment, sizeof(batch->segment), "%s", work->written_as);
	if (sqlite3_column_type(work->batches, rows) == SQLITE_TEXT) /* asked first: reading converts */
		batch->rows = (const char *)sqlite3_column_text(work->batches, rows);
	batch->rows_len = (size_t)sqlite3_column_bytes(work->batches, rows);
	if (sqlite3_column_type(work->batches, marks) == SQLITE_BLOB)
		record->marks.octets = sqlite3_column_blob(work->batches, marks);
	record->marks.len = (size_t)sqlite3_column_bytes(work->batches, marks);
	if (!take_number(work, FIRST_NS, &batch->first_ns) || !take_number(work, LAST_NS, &batch->last_ns) ||
	    !take_number(work, WALL_US, &batch->wall_us) || !take_number(work, JOURNAL, &batch->journal) ||
	    !take_number(work, LEAVES, &batch->leaves) || !take_hash(work, ROOT, &batch->root) ||
	    !take_hash(work, CHAIN, &record->chain) || batch->rows == NULL)
		return OC_EMALFORMED;
	int rc = oev_spans_count(batch->rows, batch->rows_len, &counted, NULL);
	return rc == OC_OK && counted != batch->leaves ? OC_EMALFORMED : rc;
}

static struct oev_verify_finding *find_record(struct oev_verify_work *work, const struct oev_batch *batch,
					      const char *what)
{
	struct oev_verify_finding *finding =
		oev_verify_find(work->run, work, OEV_VERIFY_ALTERED, OEV_KIND_BATCH, "batch %" PRIu64 ": %s",
				batch->number, what);

	oev_verify_find_row(finding, "batch", (int64_t)batch->number);
	oev_verify_find_batch(finding, work, batch->number, batch->wall_us);
	return finding;
}

/* Chain hash and log leaf of the record with @root, after @previous. */
static int make_record(struct oev_verify_work *work, struct record *record, const struct oev_hash *root,
		       const struct oev_hash *previous)
{
	struct oev_batch batch = record->batch;
	size_t len;

	batch.root = *root;
	batch.previous = *previous;
	int rc = oev_batch_octets(&batch, &work->sweep.canon);
	if (rc != OC_OK)
		return rc;
	const uint8_t *octets = oev_canon_octets(&work->sweep.canon, &len);
	oev_batch_chain(octets, len, &record->computed_chain);
	oev_batch_leaf(octets, len, &record->leaf);
	record->has_leaf = true;
	return OC_OK;
}

/* Tries what may stand before this record: the chain value that is stored there, or the one that should
 * be. */
static int follow_chain(struct oev_verify_work *work, struct record *record, const struct oev_hash *root,
			bool *holds)
{
	struct oev_verify_log *log = &work->run->log;
	int rc = make_record(work, record, root, &log->chain);

	*holds = rc == OC_OK && oev_hash_equal(&record->computed_chain, &record->chain);
	if (rc != OC_OK || *holds || !log->has_other_chain)
		return rc;
	rc = make_record(work, record, root, &log->other_chain);
	*holds = rc == OC_OK && oev_hash_equal(&record->computed_chain, &record->chain);
	return rc == OC_OK && !*holds ? make_record(work, record, root, &log->chain) : rc;
}

/* The record goes into the log as it should be, so that a checkpoint can say whether that was right. */
static void grow_log(struct oev_verify_log *log, const struct record *record, bool holds)
{
	log->is_known &= record->has_leaf;
	if (log->is_known)
		oev_frontier_append(&log->frontier, &record->leaf);
	log->is_doubtful |= !holds;
	log->has_other_chain = !holds;
	log->other_chain = record->computed_chain;
	log->chain = record->chain;
	log->has_chain = true;
	log->number = record->batch.number;
	log->rows += record->batch.leaves;
}

/* The rows did not give @record's root: which of them is told by their marks, later, or not at all. */
static void find_root(struct oev_verify_work *work, const struct record *record, const struct oev_hash *root)
{
	struct oev_verify_finding *finding =
		oev_verify_find(work->run, work, OEV_VERIFY_ALTERED, OEV_KIND_ROW,
				"one of the %" PRIu64 " rows of batch %" PRIu64
				" is not what was signed; which, its marks do not tell: %.100s",
				record->batch.leaves, record->batch.number, record->batch.rows);

	oev_verify_find_batch(finding, work, record->batch.number, record->batch.wall_us);
	oev_hash_hex(&record->batch.root, finding->expected);
	oev_hash_hex(root, finding->found);
}

/* The root of the record's rows: made again, or taken from a file that is as it was sealed. */
static int take_root(struct oev_verify_work *work, const struct record *record, struct oev_hash *root,
		     bool *is_whole, uint64_t *bad)
{
	if (!work->is_by_seal)
		return oev_verify_rows(work, &record->batch, &record->marks, root, is_whole, bad);
	*root = record->batch.root;
	*is_whole = true;
	work->segment->rows += record->batch.leaves;
	work->run->result->rows += record->batch.leaves;
	work->run->result->by_seal_rows += record->batch.leaves;
	return OC_OK;
}

/* Rows and record are there; do they hold? *@holds: both. */
static int judge(struct oev_verify_work *work, struct record *record, bool *holds)
{
	struct oev_hash root;
	bool is_whole = false, is_chained = true;
	uint64_t bad = 0;
	int rc = take_root(work, record, &root, &is_whole, &bad);

	if (rc == OC_OK && work->run->log.has_chain)
		rc = follow_chain(work, record, &record->batch.root, &is_chained);
	if (rc != OC_OK)
		return rc;
	bool is_root = is_whole && oev_hash_equal(&root, &record->batch.root);
	*holds = is_root && is_chained;
	if (is_chained) {
		if (is_whole && !is_root && bad == 0)
			find_root(work, record, &root);
	} else if (is_whole && !is_root && follow_chain(work, record, &root, &is_chained) == OC_OK &&
		   is_chained) {
		find_record(work, &record->batch, "its root is not the one that was chained; its rows hold");
	} else {
		rc = follow_chain(work, record, &record->batch.root, &is_chained);
		struct oev_verify_finding *finding =
			find_record(work, &record->batch, "the record is not the one that was chained");
		oev_hash_hex(&record->chain, finding->expected);
		oev_hash_hex(&record->computed_chain, finding->found);
	}
	if (is_root && (bad > 0 || record->marks.octets == NULL))
		find_record(work, &record->batch, "its marks are not those of its rows; the rows hold");
	while (is_root && work->bad_count > 0 && work->bad[work->bad_count - 1].batch == record->batch.number)
		work->bad_count--;
	work->bad_rows += is_root ? 0 : bad;
	grow_log(&work->run->log, record, is_chained);
	return rc;
}

/* Records of the batches before @number are not there. */
static void skip_missing(struct oev_verify_work *work, const struct oev_batch *batch)
{
	struct oev_verify_log *log = &work->run->log;
	struct oev_verify_finding *finding = oev_verify_find(
		work->run, work, OEV_VERIFY_ALTERED, OEV_KIND_HOLE,
		"the records of batches %" PRIu64 " to %" PRIu64 " were taken out of table batch",
		log->number + 1, batch->number - 1);

	oev_verify_find_row(finding, "batch", (int64_t)(log->number + 1));
	oev_verify_find_batch(finding, work, log->number + 1, batch->wall_us);
	log->is_known = log->has_chain = log->has_rows = false;
	work->rows_unknown = true;
}

int oev_verify_batch(struct oev_verify_work *work)
{
	struct record record = { 0 };
	struct oev_verify_log *log = &work->run->log;
	bool holds = false;
	int rc = take_record(work, &record);

	if (rc == OC_ENOMEM)
		return rc;
	if (record.batch.number > log->number + 1)
		skip_missing(work, &record.batch);
	else if (record.batch.number <= log->number)
		rc = OC_EMALFORMED;
	if (rc != OC_OK) {
		find_record(work, &record.batch, "the record is none that evidence can have");
		work->rows_unknown = true;
		log->is_known = log->has_chain = log->has_rows = false;
		log->number = record.batch.number;
		return OC_OK;
	}
	if (record.marks.len != record.batch.leaves * OEV_MARK_OCTETS)
		record.marks.octets = NULL;
	rc = judge(work, &record, &holds);
	work->fresh_rows += holds ? record.batch.leaves : 0;
	work->segment->tail_rows += record.batch.leaves;
	if (work->tail_us == 0)
		work->tail_us = record.batch.wall_us;
	work->run->result->batches++;
	if (work->segment->first_batch == 0)
		work->segment->first_batch = record.batch.number;
	work->segment->last_batch = record.batch.number;
	return rc;
}
