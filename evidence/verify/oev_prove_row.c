/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The proof of one row: where it is, its batch, the first checkpoint that covers it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../proof/oev_bundle.h"
#include "oev_prove_parts.h"
#include "oev_sweep.h"

#define LEAVES_MAX ((uint64_t)1 << 23) /* of one batch */
#define FOUND_MAX 8u

/* What is gathered on the way. */
struct gathered {
	struct oev_prover *prover;
	const char *home; /* name of the segment the row is in */
	uint8_t *batch;	  /* octets of its record */
	size_t batch_len;
	uint64_t number, leaves;
	struct oev_hash root;
	char *rows;
	size_t rows_len;
	char *note; /* of the checkpoint */
	size_t note_len;
	uint64_t size;
};

/* Whether segment @path has the row and is of the life asked for. */
static bool has_row(const struct oev_prover *prover, const char *path, char run[static 128])
{
	const struct oev_prove_options *options = prover->options;
	struct oev_proving segment;
	sqlite3_stmt *stmt = NULL;
	char sql[OEV_LAYOUT_SQL_MAX];
	bool found = false;

	if (oev_proving_open(&segment, path) == OC_OK &&
	    (options->run == NULL || strcmp(options->run, segment.facts.run) == 0)) {
		int table = oev_layout_find(segment.layout, options->table);
		if (table >= 0 && !segment.layout->tables[table].is_log) {
			oev_layout_select(&segment.layout->tables[table], "WHERE rowid = ?1", sql);
			found = sqlite3_prepare_v2(segment.db, sql, -1, &stmt, NULL) == SQLITE_OK &&
				sqlite3_bind_int64(stmt, 1, options->row) == SQLITE_OK &&
				sqlite3_step(stmt) == SQLITE_ROW;
			sqlite3_finalize(stmt);
		}
	}
	memcpy(run, segment.facts.run, sizeof(segment.facts.run));
	oev_proving_close(&segment);
	return found;
}

static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* Place of the one segment that has the row. */
static int find_segment(struct oev_prover *prover, size_t *at)
{
	char runs[FOUND_MAX][128], list[300] = "";
	const char *only = NULL;
	unsigned found = 0;

	for (size_t i = 0; i < prover->path_count; i++) /* one segment was named */
		if (strcmp(prover->paths[i], prover->options->path) == 0)
			only = prover->paths[i];
	for (size_t i = 0; i < prover->path_count && found < FOUND_MAX; i++) {
		if ((only != NULL && only != prover->paths[i]) ||
		    !has_row(prover, prover->paths[i], runs[found]))
			continue;
		size_t used = strlen(list);
		snprintf(list + used, sizeof(list) - used, "%s%.60s (run %.30s)", used > 0 ? ", " : "",
			 name_of(prover->paths[i]), runs[found]);
		*at = i;
		found++;
	}
	if (found == 1)
		return OC_OK;
	if (found == 0)
		return oev_prove_absent(prover);
	return oev_prove_fail(prover, OEV_VERIFY_USAGE,
			      "row %" PRId64 " of table %.40s is in %s: name one, or its --run",
			      prover->options->row, prover->options->table, list);
}

/* Keeps what the row's own batch says. */
static int keep_batch(struct gathered *gathered, const struct oev_prove_step *step)
{
	gathered->batch = malloc(step->len);
	gathered->rows = strndup(step->batch->rows, step->batch->rows_len);
	if (gathered->batch == NULL || gathered->rows == NULL)
		return OC_ENOMEM;
	memcpy(gathered->batch, step->octets, step->len);
	gathered->batch_len = step->len;
	gathered->rows_len = step->batch->rows_len;
	gathered->number = step->batch->number;
	gathered->leaves = step->batch->leaves;
	gathered->root = step->batch->root;
	return OC_OK;
}

/* OC_ENOENT ends the walk: the checkpoint is there. */
static int gather(void *ctx, const struct oev_prove_step *step)
{
	struct gathered *gathered = ctx;
	const struct oev_prove_options *options = gathered->prover->options;
	uint64_t index;
	int rc = OC_OK;

	if (gathered->batch == NULL && strcmp(step->segment->name, gathered->home) == 0 &&
	    oev_spans_find(step->batch->rows, step->batch->rows_len, options->table, options->row, &index) ==
		    OC_OK)
		rc = keep_batch(gathered, step);
	if (rc != OC_OK || gathered->batch == NULL)
		return rc;
	rc = oev_prove_note(step->segment, step->batch->number, &gathered->note, &gathered->note_len);
	if (rc != OC_OK)
		return rc == OC_ENOENT ? OC_OK : rc;
	gathered->size = step->batch->number;
	return OC_ENOENT;
}

/* Leaf hashes of one range of rows, at most @room. */
static uint64_t range_leaves(struct oev_proving *segment, const struct oev_span *span,
			     struct oev_hash *leaves, uint64_t room)
{
	int at = oev_layout_find(segment->layout, span->table);
	char sql[OEV_LAYOUT_SQL_MAX];
	sqlite3_stmt *stmt = NULL;
	struct oev_canon canon;
	uint64_t count = 0;

	if (at < 0)
		return 0;
	const struct oev_layout_table *table = &segment->layout->tables[at];
	oev_canon_init(&canon);
	oev_layout_select(table, "WHERE rowid BETWEEN ?1 AND ?2 ORDER BY rowid", sql);
	if (sqlite3_prepare_v2(segment->db, sql, -1, &stmt, NULL) == SQLITE_OK &&
	    sqlite3_bind_int64(stmt, 1, span->first) == SQLITE_OK &&
	    sqlite3_bind_int64(stmt, 2, span->last) == SQLITE_OK)
		while (count < room && sqlite3_step(stmt) == SQLITE_ROW &&
		       oev_sweep_row(&canon, table, stmt, sqlite3_column_int64(stmt, 0)) == OC_OK)
			oev_canon_hash(&canon, OEV_MERKLE_TAG_LEAF, &leaves[count++]);
	sqlite3_finalize(stmt);
	oev_canon_fini(&canon);
	return count;
}

/* Those of the whole batch, which then must give its root. OC_OK, OC_EREFUSED (they do not). */
static int make_leaves(const struct gathered *gathered, struct oev_proving *segment, struct oev_hash *leaves)
{
	struct oev_spans_reader reader;
	struct oev_span span;
	struct oev_hash root;
	uint64_t at = 0;

	oev_spans_open(&reader, gathered->rows, gathered->rows_len);
	while (oev_spans_next(&reader, &span) == OC_OK)
		at += range_leaves(segment, &span, leaves + at, gathered->leaves - at);
	if (at != gathered->leaves)
		return OC_EREFUSED;
	oev_merkle_root(leaves, at, &root);
	return oev_hash_equal(&root, &gathered->root) ? OC_OK : OC_EREFUSED;
}

/* Values of the row where @stmt stands; borrowed from it. */
static void take_columns(sqlite3_stmt *stmt, const struct oev_layout_table *table, struct oev_column *columns)
{
	for (unsigned i = 0; i < table->column_count; i++) {
		int at = 1 + (int)i;
		struct oev_value *value = &columns[i].value;
		columns[i].name = table->columns[i];
		switch (sqlite3_column_type(stmt, at)) {
		case SQLITE_INTEGER:
			*value = (struct oev_value){ .type = OEV_INTEGER,
						     .integer = sqlite3_column_int64(stmt, at) };
			break;
		case SQLITE_TEXT:
			*value =
				(struct oev_value){ .type = OEV_TEXT, .data = sqlite3_column_text(stmt, at) };
			break;
		case SQLITE_BLOB:
			*value =
				(struct oev_value){ .type = OEV_BLOB, .data = sqlite3_column_blob(stmt, at) };
			break;
		default:
			*value = (struct oev_value){ .type = OEV_NULL };
			break;
		}
		if (value->type == OEV_TEXT || value->type == OEV_BLOB)
			value->len = (size_t)sqlite3_column_bytes(stmt, at);
	}
}

/* Everything put together, written, and checked as its reader will. */
static int put_together(struct gathered *gathered, struct oev_bundle *bundle)
{
	struct oev_prover *prover = gathered->prover;
	struct oev_verdict verdict = { .why = { "it cannot be written" } };

	bundle->batch = gathered->batch;
	bundle->batch_len = gathered->batch_len;
	bundle->checkpoint = gathered->note;
	bundle->checkpoint_len = gathered->note_len;
	bundle->public_key = prover->public_key;
	bundle->public_key_len = prover->public_key_len;
	char *text = oev_bundle_text(bundle);
	if (text == NULL || !oev_bundle_check(text, strlen(text), NULL, &verdict)) {
		free(text);
		return oev_prove_fail(prover, OEV_VERIFY_ALTERED,
				      "the row cannot be proven: %.350s; see doic verify", verdict.why.text);
	}
	prover->result->text = text;
	return OC_OK;
}

static int make_bundle(struct gathered *gathered, struct oev_proving *segment, const struct oev_log *log,
		       struct oev_hash *leaves)
{
	const struct oev_prove_options *options = gathered->prover->options;
	const struct oev_layout_table *table =
		&segment->layout->tables[oev_layout_find(segment->layout, options->table)];
	struct oev_column columns[OEV_LAYOUT_COLUMNS_MAX];
	struct oev_bundle bundle = { .table = table->name,
				     .table_number = table->number,
				     .rowid = options->row,
				     .columns = columns,
				     .column_count = table->column_count };
	char sql[OEV_LAYOUT_SQL_MAX];
	sqlite3_stmt *stmt = NULL;

	if (oev_spans_find(gathered->rows, gathered->rows_len, options->table, options->row, &bundle.leaf) !=
		    OC_OK ||
	    oev_merkle_path(leaves, gathered->leaves, bundle.leaf, &bundle.leaf_path) != OC_OK ||
	    oev_log_path(log, gathered->size, gathered->number - 1, &bundle.batch_path) != OC_OK)
		return OC_EREFUSED;
	oev_layout_select(table, "WHERE rowid = ?1", sql);
	int rc = OC_EIO;
	if (sqlite3_prepare_v2(segment->db, sql, -1, &stmt, NULL) == SQLITE_OK &&
	    sqlite3_bind_int64(stmt, 1, options->row) == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW) {
		take_columns(stmt, table, columns);
		rc = put_together(gathered, &bundle);
	}
	sqlite3_finalize(stmt);
	return rc;
}

static int make(struct gathered *gathered, size_t at, const struct oev_log *log)
{
	struct oev_hash *leaves =
		gathered->leaves <= LEAVES_MAX ? calloc(gathered->leaves + 1, sizeof(*leaves)) : NULL;
	struct oev_proving segment;
	int rc = leaves != NULL ? oev_proving_open(&segment, gathered->prover->paths[at]) : OC_ENOMEM;

	if (rc == OC_OK) {
		rc = make_leaves(gathered, &segment, leaves);
		if (rc == OC_EREFUSED)
			oev_prove_fail(gathered->prover, OEV_VERIFY_ALTERED,
				       "the rows of batch %" PRIu64
				       " of %.100s are not those that were signed; see doic verify",
				       gathered->number, segment.name);
		if (rc == OC_OK)
			rc = make_bundle(gathered, &segment, log, leaves);
	}
	if (leaves != NULL)
		oev_proving_close(&segment);
	free(leaves);
	return rc;
}

static int prove_in(struct gathered *gathered, size_t at)
{
	struct oev_prover *prover = gathered->prover;
	const struct oev_prove_options *options = prover->options;
	struct oev_checkpoint checkpoint = { .wall_us = 0 };
	struct oev_log log = { .count = 0 };
	int rc = oev_prove_walk(prover, at, &log, gather, gathered);

	if (rc == OC_OK && gathered->batch == NULL)
		rc = oev_prove_fail(prover, OEV_VERIFY_ALTERED,
				    "row %" PRId64
				    " of table %.40s is in no batch of %.100s; see doic verify",
				    options->row, options->table, gathered->home);
	else if (rc == OC_OK && gathered->note == NULL)
		rc = oev_prove_fail(prover, OEV_VERIFY_UNSEALED,
				    "no checkpoint covers batch %" PRIu64 " yet: try again in some seconds",
				    gathered->number);
	if (rc == OC_OK)
		rc = make(gathered, at, &log);
	oev_log_fini(&log);
	if (rc == OC_OK &&
	    oev_checkpoint_open(gathered->note, gathered->note_len, NULL, &checkpoint, NULL) == OC_OK)
		prover->result->signed_us = checkpoint.wall_us;
	prover->result->batch = gathered->number;
	prover->result->size = gathered->size;
	return rc;
}

int oev_prove_row(struct oev_prover *prover)
{
	struct gathered gathered = { .prover = prover };
	size_t at = 0;
	int rc = find_segment(prover, &at);

	if (rc != OC_OK)
		return rc;
	gathered.home = name_of(prover->paths[at]);
	snprintf(prover->result->segment, sizeof(prover->result->segment), "%s", gathered.home);
	rc = prove_in(&gathered, at);
	if (rc == OC_OK && strcmp(prover->options->table, "decision") == 0 && !prover->options->alone)
		rc = oev_prove_beside(prover, prover->paths[at]);
	free(gathered.batch);
	free(gathered.rows);
	free(gathered.note);
	return rc;
}
