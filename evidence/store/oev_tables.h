/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The tables of a segment as the writer knows them: numbers, names, columns. A test holds them against schema.sql.
 *
 * A table's number is its place in schema.sql, from 1; it stands in the canonical octets of its rows, so it never changes.
 */
#pragma once

#include <stddef.h>

enum oev_table {
	OEV_TABLE_META = 1,
	OEV_TABLE_CARRIED,
	OEV_TABLE_CARRIED_VERSION,
	OEV_TABLE_POLICY,
	OEV_TABLE_CLOCK,
	OEV_TABLE_CODE,
	OEV_TABLE_NAME,
	OEV_TABLE_PEER,
	OEV_TABLE_CAPABILITY,
	OEV_TABLE_REPORT,
	OEV_TABLE_REPORT_RAW,
	OEV_TABLE_REPORT_REPEAT,
	OEV_TABLE_OCS_VERSION,
	OEV_TABLE_OCS_CHANGE,
	OEV_TABLE_PROFILE,
	OEV_TABLE_CANDIDATES,
	OEV_TABLE_IDENTITY,
	OEV_TABLE_FLOW,
	OEV_TABLE_WAY,
	OEV_TABLE_ENDING,
	OEV_TABLE_DECISION,
	OEV_TABLE_OUTCOME,
	OEV_TABLE_ORDER_CHANGE,
	OEV_TABLE_OWN_REPORT,
	OEV_TABLE_OWN_SENT,
	OEV_TABLE_LOAD,
	OEV_TABLE_GAP,
	OEV_TABLE_RECOVERY,
	OEV_TABLE_REMOVAL,
	OEV_TABLE_ACT, /* since schema 4 */
	OEV_TABLE_BATCH,
	OEV_TABLE_CHECKPOINT,
	OEV_TABLE_COUNT
};

#define OEV_TABLE_COLUMNS_MAX 19u /* with the end */
#define OEV_TABLE_SQL_MAX 1024u

struct oev_shape {
	const char *name;
	const char *key; /* column that is the rowid; NULL: the rowid has no name */
	const char *columns
		[OEV_TABLE_COLUMNS_MAX]; /* the others in the order of the schema, NULL behind the last */
};

/* @table below OEV_TABLE_COUNT; number 0 has no columns. Constant. Any thread. */
const struct oev_shape *oev_table_shape(enum oev_table table);

/* How many columns stand behind the rowid. */
unsigned oev_table_columns(enum oev_table table);

/* "INSERT OR FAIL INTO name (id, text) ": the rowid first, then the columns. Returns its length. */
size_t oev_table_insert(enum oev_table table, char out[static OEV_TABLE_SQL_MAX]);
