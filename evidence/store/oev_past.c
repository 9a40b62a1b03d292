/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Facts of a segment, and its log made again.
 */
#include "oev_past.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../proof/oev_file.h"
#include "oev_place.h"

#define NUMBER_TEXT_MAX 24
#define URI_MAX (3u * OEV_PLACE_PATH_MAX + 64u)
#define META_SQL "SELECT value FROM meta WHERE key = ?"
#define BATCH_SQL                                                                                            \
	"SELECT number, first_ns, last_ns, wall_us, journal, leaves, root, rows, chain FROM batch ORDER BY " \
	"number"
#define CHECKPOINT_SQL "SELECT note FROM checkpoint ORDER BY batch DESC, rowid DESC LIMIT 1"

static sqlite3 *open_with(const char *name, int flags)
{
	sqlite3 *db = NULL;

	if (sqlite3_open_v2(name, &db, flags | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK &&
	    sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL) == SQLITE_OK &&
	    sqlite3_exec(db, "PRAGMA trusted_schema = OFF", NULL, NULL, NULL) == SQLITE_OK)
		return db;
	sqlite3_close(db);
	return NULL;
}

sqlite3 *oev_past_open(const char *path)
{
	return oev_file_is_database(path) ? open_with(path, SQLITE_OPEN_READWRITE) : NULL;
}

/* "file:PATH?immutable=1", whatever octets PATH has. */
static bool uri_of(const char *path, char out[static URI_MAX])
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-";
	size_t at = (size_t)snprintf(out, URI_MAX, "file:");

	for (; *path && at + 32 < URI_MAX; path++)
		at += (size_t)snprintf(out + at, URI_MAX - at, strchr(plain, *path) ? "%c" : "%%%02x",
				       (unsigned char)*path);
	snprintf(out + at, URI_MAX - at, "?immutable=1");
	return *path == '\0';
}

sqlite3 *oev_past_open_sealed(const char *path)
{
	char uri[URI_MAX];

	return oev_file_is_regular(path) && uri_of(path, uri)
		       ? open_with(uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
		       : NULL;
}

bool oev_past_meta(sqlite3 *db, const char *key, char *out, size_t size)
{
	sqlite3_stmt *stmt = NULL;
	bool found = sqlite3_prepare_v2(db, META_SQL, -1, &stmt, NULL) == SQLITE_OK &&
		     sqlite3_bind_text(stmt, 1, key, -1, SQLITE_STATIC) == SQLITE_OK &&
		     sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_text(stmt, 0) != NULL;

	if (found)
		found = snprintf(out, size, "%s", (const char *)sqlite3_column_text(stmt, 0)) < (int)size;
	sqlite3_finalize(stmt);
	return found;
}

bool oev_past_number(sqlite3 *db, const char *key, uint64_t *out)
{
	char text[NUMBER_TEXT_MAX], *end;

	if (!oev_past_meta(db, key, text, sizeof(text)) || text[0] < '0' || text[0] > '9')
		return false;
	errno = 0;
	*out = strtoull(text, &end, 10);
	return errno == 0 && *end == '\0';
}

int64_t oev_past_ask(sqlite3 *db, const char *sql, int64_t fallback)
{
	sqlite3_stmt *stmt = NULL;
	int64_t value = fallback;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW)
		value = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return value;
}

/* The log as meta says it was before this segment. */
static int read_start(sqlite3 *db, struct oev_ledger *out, struct oev_why *why)
{
	char text[OEV_FRONTIER_TEXT_MAX];
	int rc;

	*out = (struct oev_ledger){ 0 };
	if (!oev_past_number(db, "log_size", &out->number) || !oev_past_number(db, "log_rows", &out->rows) ||
	    !oev_past_meta(db, "log_chain", text, sizeof(text)) ||
	    oev_hash_parse(text, strlen(text), &out->chain) != OC_OK ||
	    !oev_past_meta(db, "log_frontier", text, sizeof(text)))
		return oev_why(why, OC_EMALFORMED, "it does not say how the log was before it");
	rc = oev_frontier_parse(text, strlen(text), &out->frontier, why);
	if (rc == OC_OK && out->frontier.size != out->number)
		return oev_why(why, OC_EMALFORMED, "what it says of the log before it does not agree");
	return rc;
}

static bool take_hash(sqlite3_stmt *stmt, int column, struct oev_hash *out)
{
	const void *octets = sqlite3_column_blob(stmt, column);

	if (!octets || sqlite3_column_bytes(stmt, column) != (int)OEV_HASH_OCTETS)
		return false;
	memcpy(out->octets, octets, OEV_HASH_OCTETS);
	return true;
}

/* The record that @stmt stands at. */
static int take_batch(sqlite3_stmt *stmt, const char *segment, struct oev_ledger *ledger,
		      struct oev_canon *canon, struct oev_why *why)
{
	uint64_t number = (uint64_t)sqlite3_column_int64(stmt, 0);
	struct oev_batch batch = { .first_ns = (uint64_t)sqlite3_column_int64(stmt, 1),
				   .last_ns = (uint64_t)sqlite3_column_int64(stmt, 2),
				   .wall_us = (uint64_t)sqlite3_column_int64(stmt, 3),
				   .journal = (uint64_t)sqlite3_column_int64(stmt, 4),
				   .leaves = (uint64_t)sqlite3_column_int64(stmt, 5),
				   .rows = (const char *)sqlite3_column_text(stmt, 7),
				   .rows_len = (size_t)sqlite3_column_bytes(stmt, 7) };
	struct oev_hash chain;

	snprintf(batch.segment, sizeof(batch.segment), "%s", segment);
	if (!batch.rows || !take_hash(stmt, 6, &batch.root) || !take_hash(stmt, 8, &chain))
		return oev_why(why, OC_EMALFORMED, "batch %" PRIu64 " is no record", number);
	int rc = oev_ledger_add(ledger, &batch, canon);
	if (rc != OC_OK)
		return oev_why(why, rc, "batch %" PRIu64 " is no record", number);
	if (batch.number != number || !oev_hash_equal(&chain, &ledger->chain))
		return oev_why(why, OC_EREFUSED, "batch %" PRIu64 " does not follow the one before it",
			       number);
	return OC_OK;
}

static bool says_the_same(const struct oev_checkpoint *point, const struct oev_ledger *ledger)
{
	struct oev_hash root;

	oev_frontier_root(&ledger->frontier, &root);
	return point->size == ledger->number && oev_hash_equal(&point->root, &root);
}

/* Whether the log, having one of the sizes that were signed, is what was signed. */
static int hold_against(const struct oev_ledger *ledger, const struct oev_checkpoint *own,
			struct oev_past_witness *witness, struct oev_why *why)
{
	if (own->size == ledger->number && own->size > 0 && !says_the_same(own, ledger))
		return oev_why(why, OC_EREFUSED, "at batch %" PRIu64 " the log is not what was signed",
			       own->size);
	if (!witness || witness->point.size != ledger->number || witness->point.size == 0)
		return OC_OK;
	witness->is_met = says_the_same(&witness->point, ledger);
	return witness->is_met ? OC_OK
			       : oev_why(why, OC_EREFUSED,
					 "at batch %" PRIu64 " the log is not what was told outside",
					 witness->point.size);
}

/* The last checkpoint in the segment, believed; size 0: there is none. */
static int read_checkpoint(sqlite3 *db, const struct oev_public *signer, struct oev_checkpoint *out,
			   struct oev_why *why)
{
	sqlite3_stmt *stmt = NULL;
	int rc = OC_OK;

	*out = (struct oev_checkpoint){ .size = 0 };
	if (sqlite3_prepare_v2(db, CHECKPOINT_SQL, -1, &stmt, NULL) != SQLITE_OK)
		return oev_why(why, OC_EMALFORMED, "it has no checkpoints: %.100s", sqlite3_errmsg(db));
	if (sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_text(stmt, 0))
		rc = oev_checkpoint_open((const char *)sqlite3_column_text(stmt, 0),
					 (size_t)sqlite3_column_bytes(stmt, 0), signer, out, why);
	sqlite3_finalize(stmt);
	return rc;
}

static int walk(sqlite3 *db, const char *segment, const struct oev_checkpoint *own,
		struct oev_past_witness *witness, struct oev_ledger *ledger, struct oev_why *why)
{
	sqlite3_stmt *stmt = NULL;
	struct oev_canon canon;
	int step = SQLITE_ROW;
	int rc = sqlite3_prepare_v2(db, BATCH_SQL, -1, &stmt, NULL) == SQLITE_OK ? OC_OK : OC_EIO;

	oev_canon_init(&canon);
	if (rc == OC_OK)
		rc = hold_against(ledger, own, witness, why);
	while (rc == OC_OK && (step = sqlite3_step(stmt)) == SQLITE_ROW) {
		rc = take_batch(stmt, segment, ledger, &canon, why);
		if (rc == OC_OK)
			rc = hold_against(ledger, own, witness, why);
	}
	if (rc == OC_EIO || (rc == OC_OK && step != SQLITE_DONE))
		rc = oev_why(why, OC_EIO, "its batches cannot be read: %.150s", sqlite3_errmsg(db));
	oev_canon_fini(&canon);
	sqlite3_finalize(stmt);
	return rc;
}

int oev_past_ledger(sqlite3 *db, const char *path, const struct oev_public *signer,
		    struct oev_past_witness *witness, struct oev_ledger *out, struct oev_why *why)
{
	struct oev_checkpoint own = { 0 };
	int rc = read_start(db, out, why);

	if (rc == OC_OK)
		rc = read_checkpoint(db, signer, &own, why);
	if (rc == OC_OK)
		rc = walk(db, oev_place_name(path), &own, witness, out, why);
	if (rc == OC_OK && own.size > out->number)
		return oev_why(why, OC_EREFUSED,
			       "a checkpoint in it tells of batch %" PRIu64 ", but it ends at %" PRIu64,
			       own.size, out->number);
	return rc;
}
