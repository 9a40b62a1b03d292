/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * SQL on a segment.
 */
#include "help_evidence.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "agent/oc_err.h"
#include "evidence/audit/oev_query.h"

static sqlite3 *open_first(const char *folder)
{
	char **paths;
	size_t count;
	sqlite3 *db = NULL;

	if (oev_paths_list(folder, "seg-", ".db", &paths, &count) != OC_OK || count == 0 ||
	    chmod(paths[0], 0600) != 0 ||
	    sqlite3_open_v2(paths[0], &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
		abort();
	oev_paths_free(paths, count);
	return db;
}

int64_t help_evidence_get(const char *folder, const char *sql)
{
	sqlite3 *db = open_first(folder);
	sqlite3_stmt *stmt = NULL;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK || sqlite3_step(stmt) != SQLITE_ROW) {
		fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(db));
		abort();
	}
	int64_t value = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return value;
}

void help_evidence_alter(const char *folder, const char *sql)
{
	sqlite3 *db = open_first(folder);
	char *error = NULL;

	if (sqlite3_exec(db, sql, NULL, NULL, &error) != SQLITE_OK) {
		fprintf(stderr, "%s: %s\n", sql, error);
		abort();
	}
	sqlite3_close(db);
}
