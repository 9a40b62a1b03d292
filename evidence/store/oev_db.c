/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A connection in use: its transactions, its rows, what it can tell of the file.
 */
#include "oev_db_inner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_digest.h"

#define SCHEMA_TEXTS "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid"

int oev_db_note_failure(struct oev_db *db, const char *doing)
{
	db->last_rc = sqlite3_errcode(db->handle);
	snprintf(db->error, sizeof(db->error), "%.100s: %.150s", doing, sqlite3_errmsg(db->handle));
	return OC_EIO;
}

/* First column of the first row of @sql as text, "" when there is none. */
int oev_db_read_text(struct oev_db *db, const char *sql, char *out, size_t out_size)
{
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(db->handle, sql, -1, &stmt, NULL);

	out[0] = '\0';
	if (rc == SQLITE_OK)
		rc = sqlite3_step(stmt);
	if (rc == SQLITE_ROW && sqlite3_column_text(stmt, 0))
		snprintf(out, out_size, "%s", (const char *)sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? OC_OK : oev_db_note_failure(db, sql);
}

int oev_db_pragma(struct oev_db *db, const char *name, const char *value, const char *reads)
{
	char sql[OEV_DB_PRAGMA_MAX];
	char now[OEV_DB_PRAGMA_MAX];

	snprintf(sql, sizeof(sql), "PRAGMA %s = %s", name, value);
	if (oev_db_read_text(db, sql, now, sizeof(now)) < 0)
		return OC_EIO;
	snprintf(sql, sizeof(sql), "PRAGMA %s", name);
	if (oev_db_read_text(db, sql, now, sizeof(now)) < 0)
		return OC_EIO;
	if (strcmp(now, reads) == 0)
		return OC_OK;
	snprintf(db->error, sizeof(db->error), "pragma %s reads %s after it was set to %s", name, now, value);
	return OC_EIO;
}

void oev_db_free(struct oev_db *db)
{
	if (!db)
		return;
	for (size_t i = 0; i < OEV_TABLE_COUNT; i++)
		sqlite3_finalize(db->inserts[i].stmt);
	for (size_t i = 0; i < OEV_DB_PLAIN_COUNT; i++)
		sqlite3_finalize(db->plain[i]);
	sqlite3_finalize(db->page_count);
	sqlite3_close(db->handle);
	oev_leaves_fini(&db->leaves);
	free(db);
}

void oev_db_leave(struct oev_db *db)
{
	if (db)
		sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	oev_db_free(db);
}

int oev_db_fold(struct oev_db *db)
{
	char busy[OEV_DB_PRAGMA_MAX];

	if (oev_db_read_text(db, "PRAGMA wal_checkpoint(TRUNCATE)", busy, sizeof(busy)) < 0)
		return OC_EIO;
	if (strcmp(busy, "0") != 0) {
		snprintf(db->error, sizeof(db->error), "a reader keeps the -wal from being folded in");
		return OC_EIO;
	}
	return oev_db_pragma(db, "journal_mode", "DELETE", "delete");
}

static int step_plain(struct oev_db *db, enum oev_db_plain which)
{
	sqlite3_stmt *stmt = db->plain[which];
	int rc = sqlite3_step(stmt) == SQLITE_DONE ? OC_OK : oev_db_note_failure(db, sqlite3_sql(stmt));

	sqlite3_reset(stmt);
	return rc;
}

bool oev_db_is_gone(struct oev_db *db)
{
	int moved = 0;

	return sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK &&
	       moved != 0;
}

bool oev_db_is_damaged(const struct oev_db *db)
{
	int code = db->last_rc & 0xff;

	/* ERROR: a statement that was prepared does not fit the tables any more. */
	return code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_ERROR ||
	       code == SQLITE_SCHEMA;
}

uint64_t oev_db_octets(struct oev_db *db)
{
	uint64_t pages = 0;

	if (sqlite3_step(db->page_count) == SQLITE_ROW)
		pages = (uint64_t)sqlite3_column_int64(db->page_count, 0);
	sqlite3_reset(db->page_count);
	return pages * db->page_octets;
}

int oev_db_schema_hash(struct oev_db *db, struct oev_hash *out)
{
	struct oev_digest *digest = oev_digest_new();
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(db->handle, SCHEMA_TEXTS, -1, &stmt, NULL);

	while (rc == SQLITE_OK && digest && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		oev_digest_add(digest, sqlite3_column_text(stmt, 0), (size_t)sqlite3_column_bytes(stmt, 0));
		oev_digest_add(digest, "\n", 1);
		rc = SQLITE_OK;
	}
	sqlite3_finalize(stmt);
	if (!digest)
		return OC_ENOMEM;
	oev_digest_end(digest, out);
	return rc == SQLITE_DONE ? OC_OK : oev_db_note_failure(db, "reading the schema");
}

struct oev_leaves *oev_db_leaves(struct oev_db *db)
{
	return &db->leaves;
}

int oev_db_begin(struct oev_db *db)
{
	oev_leaves_begin(&db->leaves);
	return step_plain(db, OEV_DB_BEGIN);
}

int oev_db_commit(struct oev_db *db)
{
	int rc = step_plain(db, OEV_DB_COMMIT);

	for (size_t i = 0; rc == OC_OK && i < OEV_TABLE_COUNT; i++)
		db->inserts[i].kept_rowid = db->inserts[i].next_rowid;
	return rc;
}

void oev_db_rollback(struct oev_db *db)
{
	for (size_t i = 0; i < OEV_TABLE_COUNT; i++)
		db->inserts[i].next_rowid = db->inserts[i].kept_rowid;
	/* After some failures SQLite has rolled back already. The first error is the one worth keeping. */
	if (sqlite3_get_autocommit(db->handle))
		return;
	sqlite3_step(db->plain[OEV_DB_ROLLBACK]);
	sqlite3_reset(db->plain[OEV_DB_ROLLBACK]);
}

struct oev_row oev_db_row(struct oev_db *db, enum oev_table table)
{
	struct oev_row row = { .statement = &db->inserts[table] };

	if (!row.statement->is_keyed)
		oev_row_int(&row, row.statement->next_rowid);
	return row;
}

struct oev_bulk *oev_db_bulk(struct oev_db *db, enum oev_table table)
{
	if (table == OEV_TABLE_DECISION)
		return &db->decisions;
	return table == OEV_TABLE_OUTCOME ? &db->outcomes : NULL;
}

int oev_db_refuse(struct oev_db *db, int err, const char *text)
{
	db->last_rc = SQLITE_OK;
	snprintf(db->error, sizeof(db->error), "%s", text);
	return err;
}

const char *oev_db_error(const struct oev_db *db)
{
	return db->error;
}
