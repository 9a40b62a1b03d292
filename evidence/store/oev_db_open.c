/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Opening a connection: pragmas, schema, statements.
 */
#include "oev_db_inner.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../proof/oev_file.h"
#include "oev_sql_text.h"

static const char *const plain_sql[OEV_DB_PLAIN_COUNT] = { "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK" };

/* SQLite takes an unknown pragma or value without a word, so each is read back. Order matters: page_size and
 * auto_vacuum must come before the file gets its first page, which journal_mode writes. Measured with 300,000 pairs: a
 * cache of 2 to 64 MiB and a checkpoint every 1000 to 16000 pages cost the same within the noise, since rows only go
 * to the end; so 8 MiB, which holds the pages of a large batch, and a -wal of about 32 MiB. */
static const struct pragma {
	const char *name;
	const char *value;
	const char *reads; /* what it reads as afterwards */
	bool shapes;	   /* the file, for ever */
} pragmas[] = {
	{ "page_size", "8192", "8192", true },		 { "auto_vacuum", "NONE", "0", true },
	{ "encoding", "'UTF-8'", "UTF-8", true },	 { "journal_mode", "WAL", "wal", false },
	{ "wal_autocheckpoint", "4000", "4000", false }, { "cache_size", "-8192", "-8192", false },
	{ "secure_delete", "OFF", "0", false }, /* nothing is ever deleted */
	{ "temp_store", "MEMORY", "2", false },		 { "trusted_schema", "OFF", "0", false },
};
static const char *const synchronous_reads[] = { "0", "1", "2" }; /* indexed by enum oev_synchronous */

/* How a connection is opened. */
struct opening {
	const char *path;
	enum oev_synchronous synchronous;
	bool is_new;
};

/* Of a file that is there already, those that shape it stay as they are. */
static int set_pragmas(struct oev_db *db, const struct opening *opening)
{
	const char *synchronous = synchronous_reads[opening->synchronous];
	int rc = OC_OK;

	for (size_t i = 0; rc == OC_OK && i < sizeof(pragmas) / sizeof(pragmas[0]); i++)
		if (opening->is_new || !pragmas[i].shapes)
			rc = oev_db_pragma(db, pragmas[i].name, pragmas[i].value, pragmas[i].reads);
	return rc == OC_OK ? oev_db_pragma(db, "synchronous", synchronous, synchronous) : rc;
}

static int execute(struct oev_db *db, const char *sql, const char *doing)
{
	return sqlite3_exec(db->handle, sql, NULL, NULL, NULL) == SQLITE_OK ? OC_OK
									    : oev_db_note_failure(db, doing);
}

static int make_schema(struct oev_db *db)
{
	int rc = execute(db, "BEGIN", "begin");

	if (rc == OC_OK)
		rc = execute(db, schema_sql, "schema");
	return rc == OC_OK ? execute(db, views_sql, "views") : rc;
}

static int prepare_one(struct oev_db *db, const char *sql, sqlite3_stmt **out)
{
	int rc = sqlite3_prepare_v3(db->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL);

	return rc == SQLITE_OK ? OC_OK : oev_db_note_failure(db, sql);
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

/* A segment that an older program began lacks the tables of newer schemas, and gets no rows for them. */
static bool lacks(struct oev_db *db, enum oev_table table)
{
	return table == OEV_TABLE_ACT && sqlite3_table_column_metadata(db->handle, NULL, "act", NULL, NULL,
								       NULL, NULL, NULL, NULL) != SQLITE_OK;
}

static int prepare_insert(struct oev_db *db, enum oev_table table)
{
	struct oev_statement *insert = &db->inserts[table];
	struct oev_bulk *bulk = oev_db_bulk(db, table);
	char sql[OEV_TABLE_SQL_MAX];

	*insert = (struct oev_statement){ .error = db->error,
					  .error_size = sizeof(db->error),
					  .last_rc = &db->last_rc,
					  .leaves = &db->leaves,
					  .table = table,
					  .is_proven = table < OEV_TABLE_BATCH,
					  .is_keyed = oev_table_shape(table)->key != NULL,
					  .values = oev_table_columns(table),
					  .next_rowid = 1,
					  .kept_rowid = 1 };
	if (lacks(db, table))
		return OC_OK;
	if (!bulk) {
		single_sql(table, sql);
		return prepare_one(db, sql, &insert->stmt);
	}
	bulk->statement = insert;
	if (oev_bulk_offer(bulk, db->handle, table, sql) != OC_OK)
		return oev_db_note_failure(db, "offering rows");
	return prepare_one(db, sql, &insert->stmt);
}

static int prepare(struct oev_db *db)
{
	int rc = OC_OK;

	for (int i = 1; rc == OC_OK && i < OEV_TABLE_COUNT; i++)
		rc = prepare_insert(db, (enum oev_table)i);
	for (int i = 0; rc == OC_OK && i < OEV_DB_PLAIN_COUNT; i++)
		rc = prepare_one(db, plain_sql[i], &db->plain[i]);
	return rc == OC_OK ? prepare_one(db, "PRAGMA page_count", &db->page_count) : rc;
}

static int read_number(struct oev_db *db, const char *sql, int64_t *out)
{
	char text[OEV_DB_PRAGMA_MAX];

	if (oev_db_read_text(db, sql, text, sizeof(text)) != OC_OK)
		return OC_EIO;
	*out = strtoll(text, NULL, 10);
	return OC_OK;
}

/* Where numbering goes on in a file that has rows. */
static int find_rowids(struct oev_db *db)
{
	char sql[OEV_DB_PRAGMA_MAX];
	int64_t last = 0;
	int rc = OC_OK;

	for (int i = 1; rc == OC_OK && i < OEV_TABLE_COUNT; i++) {
		if (!db->inserts[i].stmt)
			continue;
		snprintf(sql, sizeof(sql), "SELECT coalesce(max(rowid), 0) FROM %s",
			 oev_table_shape((enum oev_table)i)->name);
		rc = read_number(db, sql, &last);
		db->inserts[i].next_rowid = db->inserts[i].kept_rowid = last + 1;
	}
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

static int fill_connection(struct oev_db *db, const struct opening *opening)
{
	int64_t page_octets = 0;
	int rc = OC_OK;

	if (!oev_file_is_database(opening->path)) {
		snprintf(db->error, sizeof(db->error), "unable to open: %s", oev_file_problem(errno));
		return OC_EIO;
	}
	/* One thread at a time uses the connection, so SQLite need not lock on every call. */
	if (sqlite3_open_v2(opening->path, &db->handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) !=
	    SQLITE_OK)
		rc = oev_db_note_failure(db, "open");
	if (rc == OC_OK)
		rc = set_pragmas(db, opening);
	if (rc == OC_OK)
		rc = read_number(db, "PRAGMA page_size", &page_octets);
	db->page_octets = (uint64_t)page_octets;
	if (rc == OC_OK && opening->is_new)
		rc = make_schema(db);
	if (rc == OC_OK)
		rc = prepare(db);
	return rc == OC_OK && !opening->is_new ? find_rowids(db) : rc;
}

static int open_connection(struct oev_db **out, const struct opening *opening, char *error, size_t error_size)
{
	struct oev_db *db = calloc(1, sizeof(*db));

	if (!db) {
		snprintf(error, error_size, "out of memory");
		return OC_ENOMEM;
	}
	configure_once();
	oev_leaves_init(&db->leaves);
	int rc = fill_connection(db, opening);
	if (rc == OC_OK) {
		*out = db;
		return OC_OK;
	}
	snprintf(error, error_size, "evidence segment \"%s\" cannot be opened: %s", opening->path, db->error);
	oev_db_free(db);
	return rc;
}

int oev_db_create(struct oev_db **out, const char *path, enum oev_synchronous synchronous, char *error,
		  size_t error_size)
{
	const struct opening opening = { .path = path, .synchronous = synchronous, .is_new = true };

	return open_connection(out, &opening, error, error_size);
}

int oev_db_reopen(struct oev_db **out, const char *path, enum oev_synchronous synchronous, char *error,
		  size_t error_size)
{
	const struct opening opening = { .path = path, .synchronous = synchronous, .is_new = false };

	return open_connection(out, &opening, error, error_size);
}
