/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Private to oev_db.c and oev_row.c: a prepared statement and what its parameters hold.
 */
#pragma once

#include <sqlite3.h>

#include "oev_row.h"

enum oev_bound_kind {
	OEV_BOUND_NULL = 0, /* as SQLite prepares it */
	OEV_BOUND_INT = 1,
	OEV_BOUND_OTHER = 2 /* borrowed octets: never taken for bound */
};

struct oev_bound {
	int64_t value;
	enum oev_bound_kind kind;
};

struct oev_statement {
	sqlite3_stmt *stmt;
	char *error; /* of the connection */
	size_t error_size;
	struct oev_bound *bound; /* one per parameter */
	uint32_t parameters;
};
