/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Opening with all that SQLite offers against hostile files.
 */
#include "oev_source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "../audit/oev_query_open.h"
#include "../proof/oev_file.h"

#define PATH_MAX_OCTETS 4096u
#define BUSY_MS 5000
#define CACHE_PAGES "PRAGMA cache_size = -4096"

static int make_uri(char *uri, size_t size, const char *path, const char *query)
{
	size_t at = (size_t)snprintf(uri, size, "file:");

	for (const char *c = path; *c != '\0' && at + 4 < size; c++) {
		bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
			     (*c >= '0' && *c <= '9') || strchr("/-_.", *c) != NULL;
		at += (size_t)snprintf(uri + at, size - at, plain ? "%c" : "%%%02X", (unsigned char)*c);
	}
	return (size_t)snprintf(uri + at, size - at, "?%s", query) < size - at ? OC_OK : OC_ENOSPC;
}

/* Before the first statement, which reads the schema. */
static void harden(sqlite3 *db)
{
	static const struct {
		int what;
		int on;
	} switches[] = {
		{ SQLITE_DBCONFIG_DEFENSIVE, 1 },
		{ SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
		{ SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 },
		{ SQLITE_DBCONFIG_ENABLE_VIEW, 0 },
		{ SQLITE_DBCONFIG_DQS_DDL, 0 },
		{ SQLITE_DBCONFIG_DQS_DML, 0 },
		{ SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0 },
	};
	static const struct {
		int what;
		int most;
	} limits[] = {
		{ SQLITE_LIMIT_LENGTH, OEV_SOURCE_VALUE_MAX },
		{ SQLITE_LIMIT_SQL_LENGTH, 100000 },
		{ SQLITE_LIMIT_COLUMN, 100 },
		{ SQLITE_LIMIT_EXPR_DEPTH, 100 },
		{ SQLITE_LIMIT_COMPOUND_SELECT, 10 },
		{ SQLITE_LIMIT_ATTACHED, 0 },
		{ SQLITE_LIMIT_WORKER_THREADS, 0 },
	};

	for (size_t i = 0; i < sizeof(switches) / sizeof(switches[0]); i++)
		sqlite3_db_config(db, switches[i].what, switches[i].on, NULL);
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		sqlite3_limit(db, limits[i].what, limits[i].most);
	sqlite3_busy_timeout(db, BUSY_MS);
}

static int begin(sqlite3 *db)
{
	return sqlite3_exec(db,
			    "PRAGMA mmap_size = 0; " CACHE_PAGES
			    "; PRAGMA query_only = ON; PRAGMA cell_size_check = ON;"
			    " BEGIN; SELECT count(*) FROM sqlite_schema",
			    NULL, NULL, NULL);
}

static int try_open(const char *path, const char *query, sqlite3 **db, char *error, size_t size)
{
	char uri[3 * PATH_MAX_OCTETS];

	if (make_uri(uri, sizeof(uri), path, query) != OC_OK)
		return SQLITE_CANTOPEN;
	int rc = sqlite3_open_v2(uri, db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
	if (rc == SQLITE_OK) {
		harden(*db);
		rc = begin(*db);
	}
	if (rc != SQLITE_OK) {
		snprintf(error, size, "%s", *db != NULL ? sqlite3_errmsg(*db) : sqlite3_errstr(rc));
		sqlite3_close(*db);
		*db = NULL;
	}
	return rc;
}

/* The writer's WAL cannot be joined (the folder cannot be written): its copy is read. */
static int open_copy(const char *path, sqlite3 **db, char *error, size_t size)
{
	char told[PATH_MAX_OCTETS + 256];

	if (oev_query_open(path, db, told, sizeof(told)) != OC_OK)
		return SQLITE_CANTOPEN;
	harden(*db);
	int rc = sqlite3_exec(*db, "ROLLBACK", NULL, NULL, NULL);
	if (rc == SQLITE_OK)
		rc = begin(*db);
	if (rc != SQLITE_OK) {
		snprintf(error, size, "%s", sqlite3_errmsg(*db));
		sqlite3_close(*db);
		*db = NULL;
	}
	return rc;
}

int oev_source_open(const char *path, bool is_sealed, sqlite3 **db, char *error, size_t size)
{
	*db = NULL;
	bool is_fit = is_sealed ? oev_file_is_regular(path) : oev_file_is_database(path);
	if (!is_fit || access(path, R_OK) != 0) {
		snprintf(error, size, "%s", oev_file_problem(errno));
		return errno == ENOENT ? OC_ENOENT : OC_EIO;
	}
	int rc = try_open(path, is_sealed ? "mode=ro&immutable=1" : "mode=ro", db, error, size);
	if (!is_sealed && (rc == SQLITE_CANTOPEN || rc == SQLITE_READONLY))
		rc = open_copy(path, db, error, size);
	switch (rc) {
	case SQLITE_OK:
		return OC_OK;
	case SQLITE_NOTADB:
	case SQLITE_CORRUPT:
	case SQLITE_ERROR: /* a schema that cannot be parsed */
		return OC_EMALFORMED;
	default:
		return OC_EIO;
	}
}
