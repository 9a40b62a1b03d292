/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The write connection of one segment: its pragmas, its prepared statements, its transactions.
 *
 * A row is written by oev_db_row(), one oev_row_*() per column in the order of the table (oev_row.h), and oev_row_put();
 * rows of the two busy tables by oev_bulk.h. Rows are only ever added. One thread uses a connection at a time; no lock inside.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "oev_leaves.h"
#include "oev_recorder.h"
#include "oev_row.h"

struct oev_bulk;
struct oev_db;

/* Opens the empty file @path, sets the pragmas and checks each by reading it back, makes schema and views in a transaction that
 * is left open for the first rows, and prepares every statement. On failure *@error is one sentence. Returns OC_OK, OC_EIO, OC_ENOMEM. */
int oev_db_create(struct oev_db **out, const char *path, enum oev_synchronous synchronous, char *error,
		  size_t error_size);

/* Opens a file that oev_db_create() made, to go on with it; what its writer had committed is there. Same returns. */
int oev_db_reopen(struct oev_db **out, const char *path, enum oev_synchronous synchronous, char *error,
		  size_t error_size);

/* Closes without ceremony: what was committed stays, in the file or in its -wal. NULL is fine. */
void oev_db_free(struct oev_db *db);

/* The same without touching the files any more: what could not be trusted to be written is left as it is. */
void oev_db_leave(struct oev_db *db);

/* Folds the -wal into the file and leaves WAL mode, so that one file is all there is.
 * Returns OC_OK, or OC_EIO when it could not (a reader is at it): the segment is then still whole with its -wal. */
int oev_db_fold(struct oev_db *db);

/* OC_OK or OC_EIO. A transaction is a batch: its leaves are counted from begin on. After a failure of anything, roll back: nothing of the transaction is kept. */
int oev_db_begin(struct oev_db *db);
int oev_db_commit(struct oev_db *db);
void oev_db_rollback(struct oev_db *db);

/* True when the file is no longer where it was opened: removed, moved or replaced. What is written still goes to it. */
bool oev_db_is_gone(struct oev_db *db);

/* True when the last failure says that the file is no whole database any more, or not the one that was made. */
bool oev_db_is_damaged(const struct oev_db *db);

/* Octets the file will have once all is folded in. */
uint64_t oev_db_octets(struct oev_db *db);

/* SHA-256 of the texts of tables and views (meta schema_sha256). OC_OK, OC_EIO, OC_ENOMEM. */
int oev_db_schema_hash(struct oev_db *db, struct oev_hash *out);

/* The leaves of the transaction so far. */
struct oev_leaves *oev_db_leaves(struct oev_db *db);

/* A row of @table to be filled from its first column on. */
struct oev_row oev_db_row(struct oev_db *db, enum oev_table table);

/* Where rows of OEV_TABLE_DECISION or OEV_TABLE_OUTCOME gather. */
struct oev_bulk *oev_db_bulk(struct oev_db *db, enum oev_table table);

/* Notes @text as the last failure and returns @err: something but the database failed. */
int oev_db_refuse(struct oev_db *db, int err, const char *text);

/* What SQLite said about the last failure; "" when nothing failed yet. Valid until the next failure. */
const char *oev_db_error(const struct oev_db *db);
