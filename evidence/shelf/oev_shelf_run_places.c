/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Which outcome belongs to which decision of a sealed segment: all its outcomes are gone through once.
 */
#include "../../agent/oc_err.h"
#include "oev_shelf_run.h"

#define SLICE 65536u /* outcomes of one read */

static int read_slice(uint32_t *places, const struct oev_shelf_run_head *head, struct oev_shelf_conn *conn,
		      uint64_t from, uint64_t to, char *error)
{
	sqlite3_stmt *stmt = oev_shelf_stmt(conn, OEV_SHELF_S_OUTCOMES);
	int step = SQLITE_ERROR;

	if (stmt != NULL && sqlite3_bind_int64(stmt, 1, (sqlite3_int64)from) == SQLITE_OK &&
	    sqlite3_bind_int64(stmt, 2, (sqlite3_int64)to) == SQLITE_OK)
		while ((step = sqlite3_step(stmt)) == SQLITE_ROW) {
			uint64_t place = oev_shelf_number(stmt, 3),
				 at = oev_shelf_number(stmt, 0) - head->first;
			if (at < head->places && place <= UINT32_MAX)
				places[at] = (uint32_t)place;
		}
	if (stmt != NULL)
		sqlite3_reset(stmt);
	return step == SQLITE_DONE ? OC_OK : oev_shelf_fail(conn, error);
}

int oev_shelf_run_places(uint32_t *places, const struct oev_shelf_run_head *head, struct oev_shelf *shelf,
			 const struct oev_shelf_part *part, const _Atomic bool *stop, char *error)
{
	struct oev_shelf_conn *conn = NULL;
	int rc = oev_shelf_conn_take(shelf, part, &conn, error);
	sqlite3_stmt *stmt = rc == OC_OK ? oev_shelf_stmt(conn, OEV_SHELF_S_OUTCOME_LAST) : NULL;
	uint64_t last = 0;

	if (stmt != NULL && sqlite3_step(stmt) == SQLITE_ROW)
		last = oev_shelf_number(stmt, 0);
	else if (rc == OC_OK)
		rc = oev_shelf_fail(conn, error);
	if (stmt != NULL)
		sqlite3_reset(stmt);
	last = last < UINT32_MAX ? last : UINT32_MAX;
	for (uint64_t from = 1; rc == OC_OK && from <= last; from += SLICE) {
		rc = atomic_load(stop) ? oev_shelf_say(error, OC_EINTERRUPTED, "stopped")
				       : read_slice(places, head, conn, from, from + SLICE - 1, error);
	}
	oev_shelf_conn_give(shelf, conn);
	return rc;
}
