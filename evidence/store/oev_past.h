/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reading a segment that an earlier life left: its facts, and the log up to its end.
 *
 * Files are hostile until read: nothing in them is believed but what the chain, the tree and a signature confirm.
 */
#pragma once

#include <sqlite3.h>

#include "../proof/oev_public.h"
#include "oev_ledger.h"

/* Opens @path to be read, with what is in its -wal, which stays as it is. NULL when SQLite cannot. Close with sqlite3_close(). */
sqlite3 *oev_past_open(const char *path);

/* The same of a sealed file: there is no -wal, and what lies beside it under that name does not count. */
sqlite3 *oev_past_open_sealed(const char *path);

/* Value of a row of table meta; false when there is none, or it does not fit. */
bool oev_past_meta(sqlite3 *db, const char *key, char *out, size_t size);
bool oev_past_number(sqlite3 *db, const char *key, uint64_t *out);

/* One number out of a query without parameters; @fallback when there is no row, or no such table. */
int64_t oev_past_ask(sqlite3 *db, const char *sql, int64_t fallback);

/* A checkpoint the log is held against while it is walked over, beside those in the segment. */
struct oev_past_witness {
	struct oev_checkpoint point; /* size 0: none */
	bool is_met;		     /* the log had that size on the way, and that root */
};

/* Makes the log up to the end of the segment @path again, from its edge in table meta and its batch records; the last checkpoint in it
 * must be signed by @signer and say the same. @witness may be NULL. OC_OK; OC_EREFUSED, OC_EMALFORMED, OC_EIO, OC_ENOMEM with the
 * sentence: *@out is worth nothing. */
int oev_past_ledger(sqlite3 *db, const char *path, const struct oev_public *signer,
		    struct oev_past_witness *witness, struct oev_ledger *out, struct oev_why *why);
