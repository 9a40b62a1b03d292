/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One row on its way into a table: a cursor over its columns, with a sticky error.
 *
 * Every oev_row_*() fills the next column. Where the table has a column that is the rowid it comes first, as an integer;
 * else the row gets the number after the last one. Texts and blobs are borrowed until oev_row_put().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct oev_statement; /* owned by struct oev_db */

struct oev_row {
	struct oev_statement *statement;
	uint32_t column; /* filled so far, rowid included */
	int64_t rowid;
	int rc; /* first SQLite error, 0 none */
};

void oev_row_int(struct oev_row *row, int64_t value);
void oev_row_null(struct oev_row *row);

/* @value, or NULL when it is 0: how "no name", "no code" and "no version" are written. */
void oev_row_int_or_null(struct oev_row *row, uint64_t value);

/* 64 bits as they are: the sign bit is just the highest bit. */
void oev_row_bits(struct oev_row *row, uint64_t value);

void oev_row_text(struct oev_row *row, const char *text);
void oev_row_text_n(struct oev_row *row, const char *text, size_t len);
void oev_row_blob(struct oev_row *row, const void *data, size_t len);

/* An unsigned 64-bit number as decimal text, since SQLite integers are signed. */
void oev_row_decimal(struct oev_row *row, uint64_t value);

/* As "0x1f". */
void oev_row_hex(struct oev_row *row, uint64_t value);

/* Writes the row. Returns OC_OK; OC_EREFUSED when the table does not take it (a key is there already): the transaction goes on
 * without it; OC_EIO for everything else: roll back. */
int oev_row_put(struct oev_row *row);
