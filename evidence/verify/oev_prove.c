/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Proving: the folder, its key, its segments in the order of the log, and the walk over batches.
 */
#include "oev_prove.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../../agent/oc_err.h"
#include "../audit/oev_query.h"
#include "../proof/oev_seal.h"
#include "oev_prove_parts.h"
#include "oev_source.h"
#include "oev_verify_parts.h"

#define NO_PLACE UINT64_MAX

static const char batch_sql[] =
	"SELECT [number], [first_ns], [last_ns], [wall_us], [journal], [leaves], [rows], [root]"
	" FROM [batch] NOT INDEXED ORDER BY rowid";

int oev_prove_fail(struct oev_prover *prover, enum oev_verify_outcome outcome, const char *format, ...)
{
	va_list args;

	prover->result->outcome = outcome;
	va_start(args, format);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): started in the line above */
	vsnprintf(prover->result->error, sizeof(prover->result->error), format, args);
	va_end(args);
	return OC_EREFUSED;
}

static bool has_seal(const char *path, char **name)
{
	struct stat info;

	*name = oev_verify_join(path, OEV_SEAL_SUFFIX);
	return *name != NULL && stat(*name, &info) == 0;
}

/* The name that batch records hold: the seal knows it when the file was renamed. */
static void take_name(struct oev_proving *segment, const char *seal_path)
{
	struct oev_seal seal;

	if (oev_seal_read(seal_path, NULL, &seal, NULL) == OC_OK)
		snprintf(segment->written_as, sizeof(segment->written_as), "%s", seal.segment);
}

int oev_proving_open(struct oev_proving *segment, const char *path)
{
	char error[200], what[120], *seal = NULL;
	const char *slash = strrchr(path, '/');
	bool is_sealed = has_seal(path, &seal);

	*segment = (struct oev_proving){ .db = NULL };
	snprintf(segment->name, sizeof(segment->name), "%s", slash != NULL ? slash + 1 : path);
	snprintf(segment->written_as, sizeof(segment->written_as), "%.*s", (int)OEV_SEGMENT_MAX,
		 segment->name);
	if (is_sealed)
		take_name(segment, seal);
	free(seal);
	int rc = oev_source_open(path, is_sealed, &segment->db, error, sizeof(error));
	if (rc == OC_OK)
		rc = oev_facts_read(segment->db, &segment->facts);
	if (rc == OC_OK && !segment->facts.has_log)
		rc = OC_EMALFORMED;
	if (rc == OC_OK)
		rc = oev_layout_read(segment->db, &segment->layout, what, sizeof(what));
	return rc;
}

void oev_proving_close(struct oev_proving *segment)
{
	free(segment->layout);
	sqlite3_close(segment->db);
	*segment = (struct oev_proving){ .db = NULL };
}

/* The row of table batch where @stmt stands. */
static int take_batch(sqlite3_stmt *stmt, const struct oev_proving *segment, struct oev_batch *batch)
{
	const void *root = sqlite3_column_blob(stmt, 7);

	batch->number = (uint64_t)sqlite3_column_int64(stmt, 0);
	batch->first_ns = (uint64_t)sqlite3_column_int64(stmt, 1);
	batch->last_ns = (uint64_t)sqlite3_column_int64(stmt, 2);
	batch->wall_us = (uint64_t)sqlite3_column_int64(stmt, 3);
	batch->journal = (uint64_t)sqlite3_column_int64(stmt, 4);
	batch->leaves = (uint64_t)sqlite3_column_int64(stmt, 5);
	batch->rows = (const char *)sqlite3_column_text(stmt, 6);
	batch->rows_len = (size_t)sqlite3_column_bytes(stmt, 6);
	if (root == NULL || sqlite3_column_bytes(stmt, 7) != (int)OEV_HASH_OCTETS || batch->rows == NULL)
		return OC_EMALFORMED;
	memcpy(batch->root.octets, root, OEV_HASH_OCTETS);
	snprintf(batch->segment, sizeof(batch->segment), "%s", segment->written_as);
	return OC_OK;
}

struct walk {
	struct oev_log *log;
	struct oev_hash chain;
	struct oev_canon canon;
	int (*take)(void *ctx, const struct oev_prove_step *step);
	void *ctx;
};

static int walk_batch(struct walk *walk, struct oev_proving *segment, struct oev_batch *batch)
{
	struct oev_hash leaf;
	size_t len;

	if (batch->number != walk->log->base.size + walk->log->count + 1)
		return OC_EMALFORMED;
	batch->previous = walk->chain;
	if (oev_batch_octets(batch, &walk->canon) != OC_OK)
		return OC_EMALFORMED;
	const uint8_t *octets = oev_canon_octets(&walk->canon, &len);
	oev_batch_chain(octets, len, &walk->chain);
	oev_batch_leaf(octets, len, &leaf);
	int rc = oev_log_add(walk->log, &leaf);
	if (rc != OC_OK)
		return rc;
	struct oev_prove_step step = { .segment = segment, .batch = batch, .octets = octets, .len = len };
	return walk->take(walk->ctx, &step);
}

static int walk_segment(struct walk *walk, struct oev_proving *segment)
{
	sqlite3_stmt *stmt = NULL;
	int rc = OC_OK, step = SQLITE_ERROR;

	if (sqlite3_prepare_v2(segment->db, batch_sql, -1, &stmt, NULL) != SQLITE_OK)
		return OC_EMALFORMED;
	while (rc == OC_OK && (step = sqlite3_step(stmt)) == SQLITE_ROW) {
		struct oev_batch batch = { .number = 0 };
		rc = take_batch(stmt, segment, &batch);
		if (rc == OC_OK)
			rc = walk_batch(walk, segment, &batch);
	}
	sqlite3_finalize(stmt);
	return rc == OC_OK && step != SQLITE_DONE ? OC_EIO : rc;
}

int oev_prove_walk(struct oev_prover *prover, size_t at, struct oev_log *log,
		   int (*take)(void *ctx, const struct oev_prove_step *step), void *ctx)
{
	struct walk walk = { .log = log, .take = take, .ctx = ctx };
	int rc = OC_OK;

	oev_canon_init(&walk.canon);
	for (bool begun = false; rc == OC_OK && at < prover->path_count; at++) {
		struct oev_proving segment;
		rc = oev_proving_open(&segment, prover->paths[at]);
		if (rc == OC_OK && begun && segment.facts.frontier.size != log->base.size + log->count)
			rc = OC_ENOENT; /* the log as far as it is here ends */
		prover->has_hole |= rc == OC_ENOENT && segment.facts.log_broken[0] == '\0';
		if (rc == OC_OK && !begun) {
			oev_log_init(log, &segment.facts.frontier);
			walk.chain = segment.facts.chain;
			begun = true;
		}
		if (rc == OC_OK)
			rc = walk_segment(&walk, &segment);
		oev_proving_close(&segment);
		if (rc == OC_ENOENT && begun)
			break;
		if (prover->options->stop != NULL && prover->options->stop(prover->options->ctx))
			rc = OC_EINTERRUPTED;
	}
	oev_canon_fini(&walk.canon);
	return rc == OC_ENOENT ? OC_OK : rc;
}

int oev_prove_note(struct oev_proving *segment, uint64_t number, char **note, size_t *len)
{
	sqlite3_stmt *stmt = NULL;
	int rc = OC_ENOENT;

	if (sqlite3_prepare_v2(segment->db, "SELECT [note] FROM [checkpoint] NOT INDEXED WHERE [batch] = ?1",
			       -1, &stmt, NULL) == SQLITE_OK &&
	    sqlite3_bind_int64(stmt, 1, (int64_t)number) == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW) {
		const char *text = (const char *)sqlite3_column_text(stmt, 0);
		*note = text != NULL ? strdup(text) : NULL;
		*len = *note != NULL ? strlen(*note) : 0;
		rc = *note != NULL ? OC_OK : OC_ENOMEM;
	}
	sqlite3_finalize(stmt);
	return rc;
}

static int read_key(struct oev_prover *prover)
{
	char *path = oev_verify_join(prover->folder, "/" OEV_PUBLIC_FILE);
	struct oev_public found;
	struct oev_why why;

	if (path == NULL)
		return OC_ENOMEM;
	int rc = oev_public_read(path, &found, &why);
	free(path);
	if (rc == OC_ENOENT)
		return oev_prove_fail(prover, OEV_VERIFY_NOT_FOUND,
				      "%.300s: no " OEV_PUBLIC_FILE " in it, so no evidence folder",
				      prover->folder);
	if (rc != OC_OK)
		return oev_prove_fail(prover, OEV_VERIFY_NOT_EVIDENCE, "no public key: %.300s", why.text);
	prover->public_key = malloc(OEV_PUBLIC_TEXT_MAX);
	if (prover->public_key == NULL)
		return OC_ENOMEM;
	prover->public_key_len = oev_public_text(&found, prover->public_key);
	return OC_OK;
}

static bool is_before(const struct oev_prover *prover, size_t a, size_t b)
{
	return prover->logs[a] != prover->logs[b] ? prover->logs[a] < prover->logs[b]
						  : prover->orders[a] < prover->orders[b];
}

static void exchange(struct oev_prover *prover, size_t a, size_t b)
{
	uint64_t order = prover->orders[a];
	unsigned log = prover->logs[a];
	char *path = prover->paths[a];

	prover->orders[a] = prover->orders[b];
	prover->logs[a] = prover->logs[b];
	prover->paths[a] = prover->paths[b];
	prover->orders[b] = order;
	prover->logs[b] = log;
	prover->paths[b] = path;
}

/* By log, then its size, then by name; those without a place last. */
static void sort(struct oev_prover *prover)
{
	for (size_t i = 1; i < prover->path_count; i++)
		for (size_t at = i; at > 0 && is_before(prover, at, at - 1); at--)
			exchange(prover, at, at - 1);
}

static int list(struct oev_prover *prover)
{
	char **paths = NULL;
	size_t count = 0, placed = 0;
	unsigned log = 0;

	if (oev_paths_list(prover->folder, "seg-", ".db", &paths, &count) != OC_OK)
		return oev_prove_fail(prover, OEV_VERIFY_UNREADABLE, "%.300s: cannot be read",
				      prover->folder);
	prover->paths = paths;
	prover->path_count = count;
	prover->orders = calloc(prover->path_count + 1, sizeof(*prover->orders));
	prover->logs = calloc(prover->path_count + 1, sizeof(*prover->logs));
	if (prover->orders == NULL || prover->logs == NULL)
		return OC_ENOMEM;
	for (size_t i = 0; i < prover->path_count; i++) {
		struct oev_proving segment;
		bool is_good = oev_proving_open(&segment, prover->paths[i]) == OC_OK;
		prover->orders[i] = is_good ? segment.facts.frontier.size : NO_PLACE;
		log += is_good && segment.facts.log_broken[0] != '\0';
		prover->logs[i] = is_good ? log : UINT_MAX;
		placed += is_good;
		oev_proving_close(&segment);
	}
	sort(prover);
	for (size_t i = placed; i < prover->path_count; i++)
		free(prover->paths[i]);
	prover->path_count = placed;
	return placed > 0 ? OC_OK
			  : oev_prove_fail(prover, OEV_VERIFY_NOT_EVIDENCE,
					   "%.300s: no segments with proofs in it", prover->folder);
}

static int prove(struct oev_prover *prover)
{
	const char *path = prover->options->path, *slash = strrchr(path, '/');
	struct stat info;

	if (stat(path, &info) != 0)
		return oev_prove_fail(prover, errno == ENOENT ? OEV_VERIFY_NOT_FOUND : OEV_VERIFY_UNREADABLE,
				      "%.300s: %.100s", path, strerror(errno));
	if (S_ISDIR(info.st_mode))
		prover->folder = strdup(path);
	else
		prover->folder = slash == NULL ? strdup(".")
					       : strndup(path, slash == path ? 1 : (size_t)(slash - path));
	int rc = prover->folder != NULL ? read_key(prover) : OC_ENOMEM;
	if (rc == OC_OK)
		rc = list(prover);
	if (rc == OC_OK)
		rc = prover->options->older != NULL ? oev_prove_growth(prover) : oev_prove_row(prover);
	return rc;
}

void oev_prove(struct oev_prove_result *out, const struct oev_prove_options *options)
{
	struct oev_prover prover = { .result = out, .options = options };

	*out = (struct oev_prove_result){ .outcome = OEV_VERIFY_INTACT };
	oev_gcrypt_ready();
	int rc = prove(&prover);
	if (rc == OC_ENOMEM)
		oev_prove_fail(&prover, OEV_VERIFY_UNREADABLE, "out of memory");
	else if (rc == OC_EINTERRUPTED)
		oev_prove_fail(&prover, OEV_VERIFY_INTERRUPTED, "interrupted");
	else if (rc != OC_OK && out->outcome == OEV_VERIFY_INTACT)
		oev_prove_fail(&prover, OEV_VERIFY_ALTERED,
			       "%.300s: its batches cannot be followed; see doic verify", options->path);
	oev_paths_free(prover.paths, prover.path_count);
	free(prover.orders);
	free(prover.logs);
	free(prover.folder);
	free(prover.public_key);
}

void oev_prove_fini(struct oev_prove_result *result)
{
	free(result->text);
	result->text = NULL;
}
