/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Binding columns, making their canonical octets beside it, and stepping.
 */
#include "oev_row.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_statement.h"

#define NUMBER_TEXT_MAX 24 /* "18446744073709551615", "0xffffffffffffffff" and NUL */

/* The parameter to bind next. */
static int next_column(struct oev_row *row)
{
	assert(row->column <= row->statement->values);
	return (int)++row->column;
}

static void keep_error(struct oev_row *row, int rc)
{
	if (rc != SQLITE_OK && row->rc == SQLITE_OK)
		row->rc = rc;
}

static struct oev_canon *canon_of(struct oev_row *row)
{
	return &row->statement->leaves->canon;
}

void oev_row_int(struct oev_row *row, int64_t value)
{
	if (row->column == 0) {
		row->rowid = value;
		oev_canon_begin(canon_of(row), (uint8_t)row->statement->table, value);
	} else {
		oev_canon_int(canon_of(row), value);
	}
	int column = next_column(row);
	keep_error(row, sqlite3_bind_int64(row->statement->stmt, column, value));
}

void oev_row_null(struct oev_row *row)
{
	int column = next_column(row);

	oev_canon_null(canon_of(row));
	keep_error(row, sqlite3_bind_null(row->statement->stmt, column));
}

void oev_row_int_or_null(struct oev_row *row, uint64_t value)
{
	if (value == 0)
		oev_row_null(row);
	else
		oev_row_int(row, (int64_t)value);
}

void oev_row_bits(struct oev_row *row, uint64_t value)
{
	oev_row_int(row, (int64_t)value);
}

static void bind_text(struct oev_row *row, const char *text, size_t len, sqlite3_destructor_type keeper)
{
	int column = next_column(row);

	oev_canon_text(canon_of(row), text, len);
	keep_error(row, sqlite3_bind_text64(row->statement->stmt, column, text, len, keeper, SQLITE_UTF8));
}

void oev_row_text_n(struct oev_row *row, const char *text, size_t len)
{
	bind_text(row, text, len, SQLITE_STATIC);
}

void oev_row_text(struct oev_row *row, const char *text)
{
	bind_text(row, text, strlen(text), SQLITE_STATIC);
}

void oev_row_blob(struct oev_row *row, const void *data, size_t len)
{
	int column = next_column(row);

	oev_canon_blob(canon_of(row), data, len);
	keep_error(row, sqlite3_bind_blob64(row->statement->stmt, column, data, len, SQLITE_STATIC));
}

void oev_row_decimal(struct oev_row *row, uint64_t value)
{
	char text[NUMBER_TEXT_MAX];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	bind_text(row, text, strlen(text), SQLITE_TRANSIENT);
}

void oev_row_hex(struct oev_row *row, uint64_t value)
{
	char text[NUMBER_TEXT_MAX];

	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	bind_text(row, text, strlen(text), SQLITE_TRANSIENT);
}

/* Errors of this one row, which SQLite undoes by itself without touching the rest of the transaction. */
static bool row_refused(int rc)
{
	return rc == SQLITE_CONSTRAINT || rc == SQLITE_MISMATCH || rc == SQLITE_TOOBIG;
}

int oev_statement_failed(struct oev_statement *statement, int rc)
{
	*statement->last_rc = rc;
	snprintf(statement->error, statement->error_size, "%s",
		 sqlite3_errmsg(sqlite3_db_handle(statement->stmt)));
	return row_refused(rc & 0xff) ? OC_EREFUSED : OC_EIO;
}

int oev_row_put(struct oev_row *row)
{
	struct oev_statement *statement = row->statement;
	int rc = row->rc;

	assert(row->column == statement->values + 1);
	if (row->rowid < 0)
		return OC_EREFUSED; /* no number that is given here: a ring left by others may hold it */
	if (rc == SQLITE_OK)
		rc = sqlite3_step(statement->stmt);
	int result = rc == SQLITE_DONE ? OC_OK : oev_statement_failed(statement, rc);
	sqlite3_reset(statement->stmt);
	if (result != OC_OK)
		return result;
	if (!statement->is_keyed)
		statement->next_rowid++;
	if (statement->is_proven)
		oev_leaves_add(statement->leaves, statement->table, row->rowid);
	return OC_OK;
}
