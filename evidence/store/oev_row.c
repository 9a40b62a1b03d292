/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Binding columns, skipping those that hold their value already, and stepping.
 */
#include "oev_row.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "../../agent/oc_err.h"
#include "oev_statement.h"

#define NUMBER_TEXT_MAX 24 /* "18446744073709551615", "0xffffffffffffffff" and NUL */

static struct oev_bound *next_column(struct oev_row *row)
{
	assert(row->column < row->statement->parameters);
	return &row->statement->bound[row->column++];
}

static void keep_error(struct oev_row *row, int rc)
{
	if (rc != SQLITE_OK && row->rc == SQLITE_OK)
		row->rc = rc;
}

void oev_row_int(struct oev_row *row, int64_t value)
{
	struct oev_bound *bound = next_column(row);

	if (bound->kind == OEV_BOUND_INT && bound->value == value)
		return;
	keep_error(row, sqlite3_bind_int64(row->statement->stmt, (int)row->column, value));
	bound->kind = OEV_BOUND_INT;
	bound->value = value;
}

void oev_row_null(struct oev_row *row)
{
	struct oev_bound *bound = next_column(row);

	if (bound->kind == OEV_BOUND_NULL)
		return;
	keep_error(row, sqlite3_bind_null(row->statement->stmt, (int)row->column));
	bound->kind = OEV_BOUND_NULL;
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

void oev_row_text(struct oev_row *row, const char *text)
{
	next_column(row)->kind = OEV_BOUND_OTHER;
	keep_error(row, sqlite3_bind_text(row->statement->stmt, (int)row->column, text, -1, SQLITE_STATIC));
}

void oev_row_blob(struct oev_row *row, const void *data, size_t len)
{
	next_column(row)->kind = OEV_BOUND_OTHER;
	keep_error(row,
		   sqlite3_bind_blob64(row->statement->stmt, (int)row->column, data, len, SQLITE_STATIC));
}

static void copied_text(struct oev_row *row, const char *text)
{
	next_column(row)->kind = OEV_BOUND_OTHER;
	keep_error(row,
		   sqlite3_bind_text(row->statement->stmt, (int)row->column, text, -1, SQLITE_TRANSIENT));
}

void oev_row_decimal(struct oev_row *row, uint64_t value)
{
	char text[NUMBER_TEXT_MAX];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	copied_text(row, text);
}

void oev_row_hex(struct oev_row *row, uint64_t value)
{
	char text[NUMBER_TEXT_MAX];

	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	copied_text(row, text);
}

/* Errors of this one row, which SQLite undoes by itself without touching the rest of the transaction. */
static bool row_refused(int rc)
{
	return rc == SQLITE_CONSTRAINT || rc == SQLITE_MISMATCH || rc == SQLITE_TOOBIG;
}

int oev_row_put(struct oev_row *row)
{
	struct oev_statement *statement = row->statement;
	sqlite3 *handle = sqlite3_db_handle(statement->stmt);
	int rc = row->rc;

	assert(row->column == statement->parameters);
	if (rc == SQLITE_OK)
		rc = sqlite3_step(statement->stmt);
	row->kept = (uint32_t)sqlite3_changes(handle);
	if (rc == SQLITE_DONE) {
		sqlite3_reset(statement->stmt);
		return row->kept > 0 ? OC_OK : OC_ENOENT;
	}
	snprintf(statement->error, statement->error_size, "%s", sqlite3_errmsg(handle));
	sqlite3_reset(statement->stmt);
	return row_refused(rc & 0xff) ? OC_EREFUSED : OC_EIO;
}
