/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * All SQL that writes, the pragmas of a segment, and its transactions.
 */
#include "oev_db.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_sql_text.h"
#include "oev_statement.h"

#define ERROR_MAX 256u
#define PRAGMA_TEXT_MAX 96
#define GROUP_SQL_MAX 4096

/* Without text: made from the single row's (group_sql). */
static const char *const statement_sql[OEV_STATEMENT_COUNT] = {
	[OEV_PUT_META] = "INSERT INTO meta (key, value) VALUES (?, ?)",
	[OEV_PUT_POLICY] =
		"INSERT INTO policy (version, mono_ns, wall_us, sha256, text) VALUES (?, ?, ?, ?, ?)",
	[OEV_PUT_CLOCK] = "INSERT INTO clock (mono_ns, wall_us) VALUES (?, ?)",
	[OEV_PUT_CODE] = "INSERT INTO code (kind, value, text) VALUES (?, ?, ?)",
	[OEV_PUT_NAME] = "INSERT INTO name (id, text) VALUES (?, ?)",
	[OEV_PUT_PEER] = "INSERT INTO peer (mono_ns, wall_us, peer, up) VALUES (?, ?, ?, ?)",
	[OEV_PUT_CAPABILITY] =
		"INSERT INTO capability (mono_ns, wall_us, peer, origin_host, direction, app_id,"
		" present, vector, peer_algo, source) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[OEV_PUT_REPORT] =
		"INSERT INTO report (id, mono_ns, wall_us, peer, app_id, type, subject, origin_host,"
		" origin_realm, sequence, reduction_pct, validity_s, rate_rps, algorithm, verdict, reason,"
		" version, raw, raw_total)"
		" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	/* || makes a text of any octets; the cast gives them back unchanged. */
	[OEV_PUT_REPORT_RAW] =
		"UPDATE report SET raw = CAST(raw || ?2 AS BLOB) WHERE id = ?1 AND length(raw) = ?3",
	[OEV_PUT_REPORT_REPEAT] =
		"INSERT INTO report_repeat (report, first_ns, last_ns, count) VALUES (?, ?, ?, ?)",
	[OEV_PUT_OCS_VERSION] =
		"INSERT INTO ocs_version (version, report, replaces, type, app_id, subject, sequence,"
		" algorithm, reduction_pct, rate_rps, validity_s, from_ns, from_us, expires_ns, origin)"
		" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[OEV_PUT_OCS_CHANGE] = "INSERT INTO ocs_change (version, mono_ns, wall_us, how, matched, selected,"
			       " expected_ppm, remembered) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
	[OEV_PUT_DECISION] =
		"INSERT INTO decision (id, mono_ns, wall_us, app_id, command, client, origin_host,"
		" dest_host, dest_realm, realm_version, realm_share, host_version, host_share,"
		" peer_version, peer_share, verdict, why, selected_by, class, flags, first_choice,"
		" next_hop, result_code, end_to_end, session, random, drmp, cc_request_type,"
		" realm_nth, host_nth, peer_nth)"
		" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
		" ?, ?, ?, ?, ?, ?)",
	[OEV_PUT_OUTCOME] =
		"INSERT INTO outcome (id, mono_ns, took_ns, result_code, maker, answered_by, from_peer,"
		" attempts) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
	[OEV_PUT_OWN_REPORT] = "INSERT INTO own_report (sequence, mono_ns, wall_us, type, app_id, subject, "
			       "target, algorithm,"
			       " reduction_pct, rate_rps, validity_s, step, raw)"
			       " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[OEV_PUT_OWN_SENT] = "INSERT INTO own_sent (sequence, peer, type, first_ns, last_ns, count)"
			     " VALUES (?, ?, ?, ?, ?, ?)",
	[OEV_PUT_LOAD] = "INSERT INTO load (mono_ns, wall_us, node, peer, type, value)"
			 " VALUES (?, ?, ?, ?, ?, ?)",
	[OEV_PUT_GAP] = "INSERT INTO gap (mono_ns, wall_us, events, reason) VALUES (?, ?, ?, ?)",
	[OEV_BEGIN] = "BEGIN IMMEDIATE",
	[OEV_COMMIT] = "COMMIT",
	[OEV_ROLLBACK] = "ROLLBACK",
};

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

struct oev_db {
	sqlite3 *handle;
	char error[ERROR_MAX];
	struct oev_statement statements[OEV_STATEMENT_COUNT];
};

static int note_failure(struct oev_db *db, const char *doing)
{
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

/* The INSERT of one row, @single, made into one of OEV_GROUP_ROWS rows. OR FAIL: the rows before a refused one stay,
 * and SQLite need not keep copies of pages to undo them. */
static void group_sql(const char *single, char out[static GROUP_SQL_MAX])
{
	const char *values = strstr(single, "(?");
	size_t at = (size_t)snprintf(out, GROUP_SQL_MAX, "INSERT OR FAIL%s", single + strlen("INSERT"));

	for (unsigned i = 1; i < OEV_GROUP_ROWS; i++)
		at += (size_t)snprintf(out + at, GROUP_SQL_MAX - at, ", %s", values);
	assert(at < GROUP_SQL_MAX);
}

static int prepare_one(struct oev_db *db, enum oev_put which, const char *sql)
{
	struct oev_statement *statement = &db->statements[which];

	statement->error = db->error;
	statement->error_size = sizeof(db->error);
	if (sqlite3_prepare_v3(db->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement->stmt, NULL) !=
	    SQLITE_OK)
		return note_failure(db, sql);
	statement->parameters = (uint32_t)sqlite3_bind_parameter_count(statement->stmt);
	statement->bound = calloc(statement->parameters + 1u, sizeof(*statement->bound));
	return statement->bound ? OC_OK : OC_ENOMEM;
}

static int prepare(struct oev_db *db)
{
	char sql[GROUP_SQL_MAX];
	int rc = OC_OK;

	for (int i = 0; rc == OC_OK && i < OEV_STATEMENT_COUNT; i++)
		if (statement_sql[i])
			rc = prepare_one(db, (enum oev_put)i, statement_sql[i]);
	group_sql(statement_sql[OEV_PUT_DECISION], sql);
	if (rc == OC_OK)
		rc = prepare_one(db, OEV_PUT_DECISIONS, sql);
	group_sql(statement_sql[OEV_PUT_OUTCOME], sql);
	if (rc == OC_OK)
		rc = prepare_one(db, OEV_PUT_OUTCOMES, sql);
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
	for (size_t i = 0; i < OEV_STATEMENT_COUNT; i++) {
		sqlite3_finalize(db->statements[i].stmt);
		free(db->statements[i].bound);
	}
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

static int step_plain(struct oev_db *db, enum oev_put which)
{
	sqlite3_stmt *stmt = db->statements[which].stmt;
	int rc = sqlite3_step(stmt) == SQLITE_DONE ? OC_OK : note_failure(db, statement_sql[which]);

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
	return step_plain(db, OEV_BEGIN);
}

int oev_db_commit(struct oev_db *db)
{
	return step_plain(db, OEV_COMMIT);
}

void oev_db_rollback(struct oev_db *db)
{
	/* After some failures SQLite has rolled back already. The first error is the one worth keeping. */
	if (sqlite3_get_autocommit(db->handle))
		return;
	sqlite3_step(db->statements[OEV_ROLLBACK].stmt);
	sqlite3_reset(db->statements[OEV_ROLLBACK].stmt);
}

struct oev_row oev_db_row(struct oev_db *db, enum oev_put put)
{
	return (struct oev_row){ .statement = &db->statements[put] };
}

const char *oev_db_error(const struct oev_db *db)
{
	return db->error;
}
