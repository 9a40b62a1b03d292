/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * From recorded time to wall time and back to numbers of decisions.
 */
#include "oev_shelf_inner.h"

/* Wall time follows the last pair before it; before the first one, that. */
uint64_t oev_shelf_wall(struct oev_shelf_conn *conn, uint64_t mono_ns)
{
	if (mono_ns >= conn->clock.from_ns && mono_ns < conn->clock.until_ns)
		return mono_ns / 1000 + conn->clock.offset_us;
	sqlite3_stmt *stmt = oev_shelf_stmt(conn, OEV_SHELF_S_CLOCK);
	if (stmt == NULL || sqlite3_bind_int64(stmt, 1, (sqlite3_int64)mono_ns) != SQLITE_OK)
		return mono_ns / 1000;
	bool is_found = sqlite3_step(stmt) == SQLITE_ROW;
	if (!is_found) {
		sqlite3_reset(stmt);
		stmt = oev_shelf_stmt(conn, OEV_SHELF_S_CLOCK_FIRST);
		if (stmt == NULL || sqlite3_step(stmt) != SQLITE_ROW)
			return mono_ns / 1000;
	}
	uint64_t pair_ns = oev_shelf_number(stmt, 0), next_ns = oev_shelf_number(stmt, 2);
	conn->clock.offset_us = oev_shelf_number(stmt, 1) - pair_ns / 1000;
	conn->clock.from_ns = is_found ? pair_ns : 0;
	conn->clock.until_ns = next_ns != 0 ? next_ns : UINT64_MAX;
	sqlite3_reset(stmt);
	return mono_ns / 1000 + conn->clock.offset_us;
}

/* One number that an aggregate gives for @us; false: NULL. */
static bool ask(struct oev_shelf_conn *conn, unsigned which, uint64_t us, uint64_t *out)
{
	sqlite3_stmt *stmt = oev_shelf_stmt(conn, which);
	bool is_there = stmt != NULL && sqlite3_bind_int64(stmt, 1, (sqlite3_int64)us) == SQLITE_OK &&
			sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_type(stmt, 0) != SQLITE_NULL;

	if (is_there)
		*out = oev_shelf_number(stmt, 0);
	if (stmt != NULL)
		sqlite3_reset(stmt);
	return is_there;
}

/* The first decision at or after @mono_ns in [low, high]; high + 1 when there is none. */
static uint64_t first_at(struct oev_shelf_conn *conn, uint64_t mono_ns, uint64_t low, uint64_t high)
{
	uint64_t end = high + 1;

	while (low < end) {
		uint64_t mid = low + (end - low) / 2;
		sqlite3_stmt *stmt = oev_shelf_stmt(conn, OEV_SHELF_S_AFTER);
		if (stmt == NULL || sqlite3_bind_int64(stmt, 1, (sqlite3_int64)mid) != SQLITE_OK)
			return low;
		bool is_there = sqlite3_step(stmt) == SQLITE_ROW;
		uint64_t id = is_there ? oev_shelf_number(stmt, 0) : end;
		bool is_before = is_there && id < end && conn->base_ns + oev_shelf_number(stmt, 1) < mono_ns;
		sqlite3_reset(stmt);
		if (is_before)
			low = id + 1;
		else
			end = mid;
	}
	return low;
}

void oev_shelf_between(struct oev_shelf_conn *conn, uint64_t from_us, uint64_t until_us, uint64_t *low,
		       uint64_t *high)
{
	uint64_t mono_ns, first = *low, last = *high;

	if (first > last)
		return;
	if (from_us != 0 && ask(conn, OEV_SHELF_S_CLOCK_FROM, from_us, &mono_ns))
		*low = first_at(conn, mono_ns, first, last);
	if (until_us != 0 && ask(conn, OEV_SHELF_S_CLOCK_UNTIL, until_us, &mono_ns)) {
		uint64_t end = first_at(conn, mono_ns, first, last);
		*high = end > 0 ? end - 1 : 0;
	}
}
