/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Private to oev_db.c, oev_row.c and oev_bulk.c: a prepared INSERT.
 */
#pragma once

#include <sqlite3.h>

#include "oev_leaves.h"
#include "oev_row.h"

struct oev_statement {
	sqlite3_stmt *stmt;
	char *error; /* of the connection */
	size_t error_size;
	int *last_rc;		   /* of the connection: SQLite's code of the last failure, 0 none */
	struct oev_leaves *leaves; /* of the connection */
	enum oev_table table;
	bool is_proven;	    /* its rows are leaves */
	bool is_keyed;	    /* the caller gives the rowid */
	uint32_t values;    /* columns behind the rowid */
	int64_t next_rowid; /* unless it is keyed */
	int64_t kept_rowid; /* next_rowid as of the last commit */
};

/* Keeps what SQLite says about a failed step: OC_EREFUSED when only this row is meant, OC_EIO else. */
int oev_statement_failed(struct oev_statement *statement, int rc);
