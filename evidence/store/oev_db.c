/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The pragmas of a segment, its statements, and its transactions.
 */
#include "oev_db.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_bulk.h"
#include "oev_sql_text.h"
#include "oev_statement.h"

#define ERROR_MAX 256u
#define PRAGMA_TEXT_MAX 96

/* SQLite takes an unknown pragma or value without a word, so each is read back. Order matters: page_size and
 * auto_vacuum must come before the file gets its first page, which journal_mode writes. Measured with 300,000 pairs: a
 * cache of 2 to 64 MiB and a checkpoint every 1000 to 16000 pages cost the same within the noise, since rows only go
 * to the end; so 8 MiB, which holds the pages of a large batch, and a -wal of about 32 MiB. */
static const struct pragma {
	const char *name;
	const char *value;
	const char *reads; /* what it reads as afterwards */
} pragmas[] = {
	{ "page_size", "8192", "8192" },	  { "auto_vacuum", "NONE", "0" },
	{ "encoding", "'UTF-8'", "UTF-8" },	  { "journal_mode", "WAL", "wal" },
	{ "wal_autocheckpoint", "4000", "4000" }, { "cache_size", "-8192", "-8192" },
	{ "secure_delete", "OFF", "0" }, /* nothing is ever deleted */
	{ "temp_store", "MEMORY", "2" },	  { "trusted_schema", "OFF", "0" },
};
static const char *const synchronous_reads[] = { "0", "1", "2" }; /* indexed by enum oev_synchronous */

enum plain { BEGIN, COMMIT, ROLLBACK, PLAIN_COUNT };
static const char *const plain_sql[PLAIN_COUNT] = { "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK" };

struct oev_db {
	sqlite3 *handle;
	int last_rc; /* SQLite's code of the last failure */
	char error[ERROR_MAX];
	struct oev_statement inserts[OEV_TABLE_COUNT];
	sqlite3_stmt *plain[PLAIN_COUNT];
	struct oev_bulk decisions;
	struct oev_bulk outcomes;
};

static int note_failure(struct oev_db *db, const char *doing)
{
	db->last_rc = sqlite3_errcode(db->handle);
	snprintf(db->error, sizeof(db->error), "%.100s: %.150s", doing, sqlite3_errmsg(db->handle));
	return OC_EIO;
}

/* First column of the first row of @sql as text, "" when there is none. */
static int read_text(struct oev_db *db, const char *sql, char *out, size_t out_size)
{
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(db->handle, sql, -1, &stmt, NULL);

	out[0] = '\0';
	if (rc == SQLITE_OK)
		rc = sqlite3_step(stmt);
	if (rc == SQLITE_ROW && sqlite3_column_text(stmt, 0))
		snprintf(out, out_size, "%s", (const char *)sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? OC_OK : note_failure(db, sql);
}

static int set_pragma(struct oev_db *db, const char *name, const char *value, const char *reads)
{
	char sql[PRAGMA_TEXT_MAX];
	char now[PRAGMA_TEXT_MAX];

	snprintf(sql, sizeof(sql), "PRAGMA %s = %s", name, value);
	if (read_text(db, sql, now, sizeof(now)) < 0)
		return OC_EIO;
	snprintf(sql, sizeof(sql), "PRAGMA %s", name);
	if (read_text(db, sql, now, sizeof(now)) < 0)
		return OC_EIO;
	if (strcmp(now, reads) == 0)
		return OC_OK;
	snprintf(db->error, sizeof(db->error), "pragma %s reads %s after it was set to %s", name, now, value);
	return OC_EIO;
}

static int set_pragmas(struct oev_db *db, enum oev_synchronous synchronous)
{
	int rc = OC_OK;

	for (size_t i = 0; rc == OC_OK && i < sizeof(pragmas) / sizeof(pragmas[0]); i++)
		rc = set_pragma(db, pragmas[i].name, pragmas[i].value, pragmas[i].reads);
	if (rc == OC_OK)
		rc = set_pragma(db, "synchronous", synchronous_reads[synchronous],
				synchronous_reads[synchronous]);
	return rc;
}

static int execute(struct oev_db *db, const char *sql, const char *doing)
{
	return sqlite3_exec(db->handle, sql, NULL, NULL, NULL) == SQLITE_OK ? OC_OK : note_failure(db, doing);
}

static int make_schema(struct oev_db *db)
{
	int rc = execute(db, "BEGIN", "begin");

	if (rc == OC_OK)
		rc = execute(db, schema_sql, "schema");
	if (rc == OC_OK)
		rc = execute(db, views_sql, "views");
	if (rc == OC_OK)
		rc = execute(db, "COMMIT", "commit of the schema");
	return rc;
}

static int prepare_one(struct oev_db *db, const char *sql, sqlite3_stmt **out)
{
	int rc = sqlite3_prepare_v3(db->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL);

	return rc == SQLITE_OK ? OC_OK : note_failure(db, sql);
}

/* "INSERT ... VALUES (?, ?)" */
static void single_sql(enum oev_table table, char sql[static OEV_TABLE_SQL_MAX])
{
	size_t at = oev_table_insert(table, sql);

	at += (size_t)snprintf(sql + at, OEV_TABLE_SQL_MAX - at, "VALUES (?");
	for (unsigned i = 0; i < oev_table_columns(table); i++)
		at += (size_t)snprintf(sql + at, OEV_TABLE_SQL_MAX - at, ", ?");
	at += (size_t)snprintf(sql + at, OEV_TABLE_SQL_MAX - at, ")");
	assert(at < OEV_TABLE_SQL_MAX);
}

static int prepare_insert(struct oev_db *db, enum oev_table table)
{
	struct oev_statement *insert = &db->inserts[table];
	struct oev_bulk *bulk = oev_db_bulk(db, table);
	char sql[OEV_TABLE_SQL_MAX];

	*insert = (struct oev_statement){ .error = db->error,
					  .error_size = sizeof(db->error),
					  .last_rc = &db->last_rc,
					  .table = table,
					  .is_keyed = oev_table_shape(table)->key != NULL,
					  .values = oev_table_columns(table),
					  .next_rowid = 1,
					  .kept_rowid = 1 };
	if (!bulk) {
		single_sql(table, sql);
		return prepare_one(db, sql, &insert->stmt);
	}
	bulk->statement = insert;
	if (oev_bulk_offer(bulk, db->handle, table, sql) != OC_OK)
		return note_failure(db, "offering rows");
	return prepare_one(db, sql, &insert->stmt);
}

static int prepare(struct oev_db *db)
{
	int rc = OC_OK;

	for (int i = 1; rc == OC_OK && i < OEV_TABLE_COUNT; i++)
		rc = prepare_insert(db, (enum oev_table)i);
	for (int i = 0; rc == OC_OK && i < PLAIN_COUNT; i++)
		rc = prepare_one(db, plain_sql[i], &db->plain[i]);
	return rc;
}

/* SQLite counts its memory under a process-wide lock, twice per row, for figures nobody here asks for. When SQLite is
 * in use already it says no, and only the speed differs. */
static void stop_memory_statistics(void)
{
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

static void configure_once(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, stop_memory_statistics);
}

int oev_db_open(struct oev_db **out, const char *path, enum oev_synchronous synchronous, char *error,
		size_t error_size)
{
	struct oev_db *db = calloc(1, sizeof(*db));
	int rc = OC_OK;

	if (!db) {
		snprintf(error, error_size, "out of memory");
		return OC_ENOMEM;
	}
	configure_once();
	/* One thread at a time uses the connection, so SQLite need not lock on every call. */
	if (sqlite3_open_v2(path, &db->handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) !=
	    SQLITE_OK)
		rc = note_failure(db, "open");
	if (rc == OC_OK)
		rc = set_pragmas(db, synchronous);
	if (rc == OC_OK)
		rc = make_schema(db);
	if (rc == OC_OK)
		rc = prepare(db);
	if (rc == OC_OK) {
		*out = db;
		return OC_OK;
	}
	snprintf(error, error_size, "evidence segment \"%s\" cannot be opened: %s", path, db->error);
	oev_db_free(db);
	return rc;
}

void oev_db_free(struct oev_db *db)
{
	if (!db)
		return;
	for (size_t i = 0; i < OEV_TABLE_COUNT; i++)
		sqlite3_finalize(db->inserts[i].stmt);
	for (size_t i = 0; i < PLAIN_COUNT; i++)
		sqlite3_finalize(db->plain[i]);
	sqlite3_close(db->handle);
	free(db);
}

int oev_db_fold(struct oev_db *db)
{
	char busy[PRAGMA_TEXT_MAX];

	if (read_text(db, "PRAGMA wal_checkpoint(TRUNCATE)", busy, sizeof(busy)) < 0)
		return OC_EIO;
	if (strcmp(busy, "0") != 0) {
		snprintf(db->error, sizeof(db->error), "a reader keeps the -wal from being folded in");
		return OC_EIO;
	}
	return set_pragma(db, "journal_mode", "DELETE", "delete");
}

static int step_plain(struct oev_db *db, enum plain which)
{
	sqlite3_stmt *stmt = db->plain[which];
	int rc = sqlite3_step(stmt) == SQLITE_DONE ? OC_OK : note_failure(db, plain_sql[which]);

	sqlite3_reset(stmt);
	return rc;
}

bool oev_db_is_gone(struct oev_db *db)
{
	int moved = 0;

	return sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK &&
	       moved != 0;
}

int oev_db_begin(struct oev_db *db)
{
	return step_plain(db, BEGIN);
}

int oev_db_commit(struct oev_db *db)
{
	int rc = step_plain(db, COMMIT);

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
	sqlite3_step(db->plain[ROLLBACK]);
	sqlite3_reset(db->plain[ROLLBACK]);
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

const char *oev_db_error(const struct oev_db *db)
{
	return db->error;
}
