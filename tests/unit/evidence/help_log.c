/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Making leaves, roots, chain and log again from the rows.
 */
#include "help_log.h"

#include <dirent.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "agent/oc_err.h"
#include "evidence/proof/oev_merkle.h"
#include "evidence/store/oev_digest.h"
#include "evidence/store/oev_place.h"
#include "evidence/store/oev_sealing.h"
#include "evidence/store/oev_tables.h"

#define SEGMENTS_MAX 256

struct check {
	struct help_log *log;
	const char *path;
	const struct oev_public *signer;
	sqlite3 *db;
	struct oev_canon canon;
	uint64_t leaves; /* in this segment */
};

__attribute__((format(printf, 2, 3))) static bool fail(const struct check *check, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "  help_log: %s: ", check->path);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return false;
}

static sqlite3_stmt *prepare(const struct check *check, const char *sql)
{
	sqlite3_stmt *stmt = NULL;

	if (sqlite3_prepare_v2(check->db, sql, -1, &stmt, NULL) != SQLITE_OK)
		fail(check, "%s in %s", sqlite3_errmsg(check->db), sql);
	return stmt;
}

static int64_t ask(const struct check *check, const char *sql)
{
	sqlite3_stmt *stmt = prepare(check, sql);
	int64_t value = sqlite3_step(stmt) == SQLITE_ROW ? sqlite3_column_int64(stmt, 0) : -1;

	sqlite3_finalize(stmt);
	return value;
}

static void meta(const struct check *check, const char *key, char *out, size_t size)
{
	sqlite3_stmt *stmt = prepare(check, "SELECT value FROM meta WHERE key = ?");

	out[0] = '\0';
	sqlite3_bind_text(stmt, 1, key, -1, SQLITE_STATIC);
	if (sqlite3_step(stmt) == SQLITE_ROW)
		snprintf(out, size, "%s", sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
}

static enum oev_table table_of(const char *name)
{
	for (unsigned i = 1; i < OEV_TABLE_BATCH; i++)
		if (strcmp(oev_table_shape(i)->name, name) == 0)
			return i;
	return 0;
}

static void put_column(struct oev_canon *canon, sqlite3_stmt *stmt, int column)
{
	switch (sqlite3_column_type(stmt, column)) {
	case SQLITE_NULL:
		oev_canon_null(canon);
		break;
	case SQLITE_INTEGER:
		oev_canon_int(canon, sqlite3_column_int64(stmt, column));
		break;
	case SQLITE_TEXT:
		oev_canon_text(canon, (const char *)sqlite3_column_text(stmt, column),
			       (size_t)sqlite3_column_bytes(stmt, column));
		break;
	default:
		oev_canon_blob(canon, sqlite3_column_blob(stmt, column),
			       (size_t)sqlite3_column_bytes(stmt, column));
	}
}

/* Leaves of a range of rows, from leaves[at] on. */
static bool take_span(struct check *check, const struct oev_span *span, struct oev_hash *leaves, uint64_t *at)
{
	enum oev_table table = table_of(span->table);
	const char *key = oev_table_shape(table)->key;
	char sql[256];
	bool holds = table != 0;

	snprintf(sql, sizeof(sql), "SELECT rowid, * FROM %s WHERE rowid BETWEEN ? AND ? ORDER BY rowid",
		 span->table);
	sqlite3_stmt *stmt = prepare(check, sql);
	sqlite3_bind_int64(stmt, 1, span->first);
	sqlite3_bind_int64(stmt, 2, span->last);
	for (int64_t row = span->first; holds && row <= span->last; row++) {
		holds = sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_int64(stmt, 0) == row;
		if (!holds)
			return fail(check, "row %" PRId64 " of %s is not there", row, span->table);
		oev_canon_begin(&check->canon, (uint8_t)table, row);
		for (int i = key ? 2 : 1; i < sqlite3_column_count(stmt); i++)
			put_column(&check->canon, stmt, i);
		oev_canon_hash(&check->canon, OEV_MERKLE_TAG_LEAF, &leaves[(*at)++]);
	}
	sqlite3_finalize(stmt);
	return holds || fail(check, "no table %s", span->table);
}

static bool has_marks(sqlite3_stmt *stmt, const struct oev_hash *leaves, uint64_t count)
{
	const uint8_t *marks = sqlite3_column_blob(stmt, 9);
	bool holds = (uint64_t)sqlite3_column_bytes(stmt, 9) == 2 * count;

	for (uint64_t i = 0; holds && i < count; i++)
		holds = memcmp(&marks[2 * i], leaves[i].octets, 2) == 0;
	return holds;
}

static bool check_rows(struct check *check, sqlite3_stmt *stmt, const struct oev_batch *batch)
{
	struct oev_hash *leaves = malloc((batch->leaves + 1) * sizeof(*leaves));
	struct oev_spans_reader reader;
	struct oev_span span;
	struct oev_hash root;
	uint64_t rows = 0, at = 0;
	bool holds =
		oev_spans_count(batch->rows, batch->rows_len, &rows, NULL) == OC_OK && rows == batch->leaves;

	oev_spans_open(&reader, batch->rows, batch->rows_len);
	while (holds && oev_spans_next(&reader, &span) == OC_OK)
		holds = take_span(check, &span, leaves, &at);
	if (holds && !has_marks(stmt, leaves, batch->leaves))
		holds = fail(check, "marks of batch %" PRIu64, batch->number);
	if (holds)
		oev_merkle_root(leaves, batch->leaves, &root);
	free(leaves);
	check->leaves += batch->leaves;
	return (holds && oev_hash_equal(&root, &batch->root)) ||
	       fail(check, "rows of batch %" PRIu64, batch->number);
}

static bool check_batch(struct check *check, sqlite3_stmt *stmt, uint64_t *journal)
{
	struct oev_ledger *ledger = &check->log->ledger;
	uint64_t number = (uint64_t)sqlite3_column_int64(stmt, 0);
	struct oev_batch batch = { .first_ns = (uint64_t)sqlite3_column_int64(stmt, 1),
				   .last_ns = (uint64_t)sqlite3_column_int64(stmt, 2),
				   .wall_us = (uint64_t)sqlite3_column_int64(stmt, 3),
				   .journal = (uint64_t)sqlite3_column_int64(stmt, 4),
				   .leaves = (uint64_t)sqlite3_column_int64(stmt, 5),
				   .rows = (const char *)sqlite3_column_text(stmt, 6),
				   .rows_len = (size_t)sqlite3_column_bytes(stmt, 6) };

	snprintf(batch.segment, sizeof(batch.segment), "%s", oev_place_name(check->path));
	memcpy(batch.root.octets, sqlite3_column_blob(stmt, 7), OEV_HASH_OCTETS);
	if (oev_ledger_add(ledger, &batch, &check->canon) != OC_OK || batch.number != number)
		return fail(check, "batch %" PRIu64 " is not the next one", number);
	if (memcmp(ledger->chain.octets, sqlite3_column_blob(stmt, 8), OEV_HASH_OCTETS) != 0)
		return fail(check, "chain of batch %" PRIu64, number);
	if (batch.journal < *journal)
		return fail(check, "journal position of batch %" PRIu64 " goes back", number);
	*journal = batch.journal;
	return check_rows(check, stmt, &batch);
}

static bool check_checkpoints(struct check *check)
{
	struct oev_ledger *ledger = &check->log->ledger;
	sqlite3_stmt *stmt = prepare(check, "SELECT note FROM checkpoint WHERE batch = ?");
	struct oev_checkpoint point;
	struct oev_hash root;
	struct oev_why why = { "" };
	bool holds = true;

	oev_frontier_root(&ledger->frontier, &root);
	sqlite3_bind_int64(stmt, 1, (int64_t)ledger->number);
	while (holds && sqlite3_step(stmt) == SQLITE_ROW) {
		const char *note = (const char *)sqlite3_column_text(stmt, 0);
		holds = oev_checkpoint_open(note, strlen(note), check->signer, &point, &why) == OC_OK &&
			point.size == ledger->number && point.rows == ledger->rows &&
			oev_hash_equal(&point.root, &root) && oev_hash_equal(&point.chain, &ledger->chain) &&
			strcmp(point.segment, oev_place_name(check->path)) == 0;
		check->log->checkpoints++;
	}
	sqlite3_finalize(stmt);
	return holds || fail(check, "checkpoint at batch %" PRIu64 ": %s", ledger->number, why.text);
}

static bool check_start(struct check *check)
{
	char expected[OEV_FRONTIER_TEXT_MAX], found[OEV_FRONTIER_TEXT_MAX];
	const struct oev_ledger *ledger = &check->log->ledger;

	oev_frontier_text(&ledger->frontier, expected);
	meta(check, "log_frontier", found, sizeof(found));
	if (strcmp(expected, found) != 0)
		return fail(check, "edge %s instead of %s", found, expected);
	oev_hash_hex(&ledger->chain, expected);
	meta(check, "log_chain", found, sizeof(found));
	if (strcmp(expected, found) != 0)
		return fail(check, "chain %s instead of %s", found, expected);
	meta(check, "log_rows", found, sizeof(found));
	if (strtoull(found, NULL, 10) != ledger->rows)
		return fail(check, "log_rows is %s", found);
	meta(check, "log_size", found, sizeof(found));
	return strtoull(found, NULL, 10) == ledger->number || fail(check, "log_size is %s", found);
}

/* As many leaves as rows: with every leaf a row and no row twice (spans ascend), none is left over. */
static bool check_count(struct check *check)
{
	uint64_t rows = 0;
	char sql[128];

	for (unsigned i = 1; i < OEV_TABLE_BATCH; i++) {
		snprintf(sql, sizeof(sql), "SELECT count(*) FROM %s", oev_table_shape(i)->name);
		rows += (uint64_t)ask(check, sql);
	}
	check->log->rows += rows;
	return rows == check->leaves ||
	       fail(check, "%" PRIu64 " rows, %" PRIu64 " leaves", rows, check->leaves);
}

bool help_log_segment(struct help_log *log, const char *path, const struct oev_public *signer)
{
	struct check check = { .log = log, .path = path, .signer = signer };
	uint64_t journal = 0;

	oev_canon_init(&check.canon);
	if (sqlite3_open_v2(path, &check.db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
		return fail(&check, "cannot be opened");
	bool holds = check_start(&check);
	sqlite3_stmt *stmt = prepare(&check, "SELECT * FROM batch ORDER BY number");
	while (holds && sqlite3_step(stmt) == SQLITE_ROW)
		holds = check_batch(&check, stmt, &journal) && check_checkpoints(&check);
	sqlite3_finalize(stmt);
	holds = holds && check_count(&check);
	sqlite3_close(check.db);
	oev_canon_fini(&check.canon);
	return holds;
}

struct found {
	char path[1024];
	uint64_t log_size;
};

static int by_size(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return (x->log_size > y->log_size) - (x->log_size < y->log_size);
}

static bool check_seal(struct check *check, const struct oev_ledger *ledger, uint64_t first)
{
	struct oev_digest *digest = oev_digest_new();
	struct oev_why why = { "" };
	struct oev_seal seal;
	struct oev_hash hash, root;
	uint8_t piece[4096];
	size_t got;
	int rc = oev_sealing_read(check->path, check->signer, &seal, &why);
	FILE *file = fopen(check->path, "r");

	while (file && (got = fread(piece, 1, sizeof(piece), file)) > 0)
		oev_digest_add(digest, piece, got);
	oev_digest_end(digest, &hash);
	if (file)
		fclose(file);
	if (rc == OC_ENOENT)
		return true;
	oev_frontier_root(&ledger->frontier, &root);
	return (rc == OC_OK && oev_hash_equal(&hash, &seal.sha256) && seal.first == first &&
		seal.last == ledger->number && oev_hash_equal(&root, &seal.root)) ||
	       fail(check, "seal: %s", why.text);
}

static size_t list(const char *folder, struct found *found)
{
	struct dirent *entry;
	DIR *dir = opendir(folder);
	size_t count = 0;

	while (dir && (entry = readdir(dir)) != NULL && count < SEGMENTS_MAX) {
		if (!oev_place_is_segment(entry->d_name))
			continue;
		struct check check = { .path = found[count].path };
		char size[32] = "";
		snprintf(found[count].path, sizeof(found[count].path), "%s/%s", folder, entry->d_name);
		if (sqlite3_open_v2(check.path, &check.db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK)
			meta(&check, "log_size", size, sizeof(size));
		sqlite3_close(check.db);
		found[count++].log_size = strtoull(size, NULL, 10);
	}
	if (dir)
		closedir(dir);
	qsort(found, count, sizeof(*found), by_size);
	return count;
}

bool help_log_folder(struct help_log *log, const char *folder)
{
	struct found *found = calloc(SEGMENTS_MAX, sizeof(*found));
	size_t count = list(folder, found);
	struct oev_public signer;
	char path[1024];
	bool holds = count > 0;

	*log = (struct help_log){ .rows = 0 };
	snprintf(path, sizeof(path), "%s/%s", folder, OEV_PUBLIC_FILE);
	holds = holds && oev_public_read(path, &signer, NULL) == OC_OK;
	for (size_t i = 0; holds && i < count; i++) {
		struct check check = { .log = log, .path = found[i].path, .signer = &signer };
		uint64_t first = log->ledger.number + 1;
		holds = help_log_segment(log, found[i].path, &signer) &&
			check_seal(&check, &log->ledger, first);
	}
	free(found);
	return holds;
}
