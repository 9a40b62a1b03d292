/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Private to oev_db.c and oev_db_open.c: the connection.
 */
#pragma once

#include "oev_bulk.h"
#include "oev_db.h"
#include "oev_statement.h"

#define OEV_DB_ERROR_MAX 256u
#define OEV_DB_PRAGMA_MAX 96

enum oev_db_plain { OEV_DB_BEGIN, OEV_DB_COMMIT, OEV_DB_ROLLBACK, OEV_DB_PLAIN_COUNT };

struct oev_db {
	sqlite3 *handle;
	int last_rc; /* SQLite's code of the last failure */
	uint64_t page_octets;
	char error[OEV_DB_ERROR_MAX];
	struct oev_statement inserts[OEV_TABLE_COUNT];
	struct oev_leaves leaves;
	sqlite3_stmt *plain[OEV_DB_PLAIN_COUNT];
	sqlite3_stmt *page_count;
	struct oev_bulk decisions;
	struct oev_bulk outcomes;
};

/* Keeps what SQLite says went wrong while @doing something. Returns OC_EIO. */
int oev_db_note_failure(struct oev_db *db, const char *doing);

/* First column of the first row of @sql as text, "" when there is none. OC_OK, OC_EIO. */
int oev_db_read_text(struct oev_db *db, const char *sql, char *out, size_t out_size);

/* Sets a pragma and reads it back. OC_OK, OC_EIO. */
int oev_db_pragma(struct oev_db *db, const char *name, const char *value, const char *reads);
