/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * From recorded time to wall time and back to numbers of decisions.
 */
#include "../../agent/oc_err.h"
#include "oev_shelf_inner.h"

#define SCHEMA 3u /* the clock is as it was then */

uint64_t oev_shelf_at_ns(const struct oev_shelf_conn *conn, sqlite3_stmt *stmt, int column)
{
	return conn->base_ns + (uint64_t)sqlite3_column_int64(stmt, column);
}

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
		bool is_before = is_there && id < end && oev_shelf_at_ns(conn, stmt, 1) < mono_ns;
		sqlite3_reset(stmt);
		if (is_before)
			low = id + 1;
		else
			end = mid;
	}
	return low;
}

/* Wall time up to which pair @i holds. */
static uint64_t end_of(const struct oev_times *times, size_t i)
{
	return i + 1 < times->count
		       ? times->wall_us[i] + (times->mono_ns[i + 1] - times->mono_ns[i]) / 1000 + 1
		       : UINT64_MAX;
}

/* Monotonic times between which all of the window lies. Before the first pair, that holds. */
static void bounds(const struct oev_times *times, uint64_t from_us, uint64_t until_us, uint64_t *from_ns,
		   uint64_t *until_ns)
{
	size_t first = 0, last = times->count;

	while (first < times->count && end_of(times, first) < from_us)
		first++;
	while (until_us != 0 && last > 0 && times->wall_us[last - 1] >= until_us)
		last--;
	*from_ns = first > 0 && first < times->count ? times->mono_ns[first] : 0;
	*until_ns = last < times->count ? times->mono_ns[last] : UINT64_MAX;
}

/* The pairs; of a live segment others may have come. */
static int load(struct oev_shelf_conn *conn)
{
	const struct oev_segment at = { .db = conn->db, .schema = SCHEMA };

	if (conn->times.count != 0 && conn->is_sealed)
		return OC_OK;
	oev_times_fini(&conn->times);
	return oev_times_load(&conn->times, &at);
}

int oev_shelf_between(struct oev_shelf_conn *conn, uint64_t from_us, uint64_t until_us, uint64_t *low,
		      uint64_t *high)
{
	uint64_t from_ns, until_ns, first = *low, last = *high;
	int rc = load(conn);

	if (rc != OC_OK || first > last)
		return rc;
	bounds(&conn->times, from_us, until_us, &from_ns, &until_ns);
	if (from_ns != 0)
		*low = first_at(conn, from_ns, first, last);
	if (until_ns != UINT64_MAX) {
		uint64_t end = first_at(conn, until_ns, first, last);
		*high = end > 0 ? end - 1 : 0;
	}
	return OC_OK;
}
