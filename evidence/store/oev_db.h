/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The write connection of one segment: its pragmas, its prepared statements, its transactions.
 *
 * All SQL that writes is in the table of oev_db.c. A row is written by oev_db_row(), one oev_row_*() per column in
 * the order of the table (oev_row.h), and oev_row_put(). One thread uses a connection at a time; no lock inside.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "oev_recorder.h"
#include "oev_row.h"

struct oev_db;

enum oev_put {
	OEV_PUT_META = 0,
	OEV_PUT_POLICY,
	OEV_PUT_CLOCK,
	OEV_PUT_CODE,
	OEV_PUT_NAME,
	OEV_PUT_PEER,
	OEV_PUT_CAPABILITY,
	OEV_PUT_REPORT,
	OEV_PUT_REPORT_RAW, /* appends to report.raw: id, octets, place they belong to */
	OEV_PUT_REPORT_REPEAT,
	OEV_PUT_OCS_VERSION,
	OEV_PUT_OCS_CHANGE,
	OEV_PUT_DECISION,
	OEV_PUT_OUTCOME,
	OEV_PUT_OWN_REPORT,
	OEV_PUT_OWN_SENT,
	OEV_PUT_LOAD,
	OEV_PUT_GAP,
	OEV_BEGIN,
	OEV_COMMIT,
	OEV_ROLLBACK,
	OEV_PUT_DECISIONS, /* OEV_GROUP_ROWS rows by one statement */
	OEV_PUT_OUTCOMES,
	OEV_STATEMENT_COUNT
};

/* Most of the cost of a small INSERT is the statement around it, so the two busy tables are filled in groups. */
#define OEV_GROUP_ROWS 16u

/* Opens the empty file @path, sets the pragmas and checks each by reading it back, makes schema and views, and
 * prepares every statement. On failure *@error is one sentence. Returns OC_OK, OC_EIO, OC_ENOMEM. */
int oev_db_open(struct oev_db **out, const char *path, enum oev_synchronous synchronous, char *error,
		size_t error_size);

/* Closes without ceremony: what was committed stays, in the file or in its -wal. NULL is fine. */
void oev_db_free(struct oev_db *db);

/* Folds the -wal into the file and leaves WAL mode, so that one file is all there is.
 * Returns OC_OK, or OC_EIO when it could not (a reader is at it): the segment is then still whole with its -wal. */
int oev_db_fold(struct oev_db *db);

/* OC_OK or OC_EIO. After a failure of anything, roll back: nothing of the transaction is kept. */
int oev_db_begin(struct oev_db *db);
int oev_db_commit(struct oev_db *db);
void oev_db_rollback(struct oev_db *db);

/* True when the file is no longer where it was opened: removed, moved or replaced. What is written still goes to it. */
bool oev_db_is_gone(struct oev_db *db);

/* A row of @put to be filled from its first column on. */
struct oev_row oev_db_row(struct oev_db *db, enum oev_put put);

/* What SQLite said about the last failure; "" when nothing failed yet. Valid until the next failure. */
const char *oev_db_error(const struct oev_db *db);
