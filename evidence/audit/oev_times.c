/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Clock pairs in memory.
 */
#include "oev_times.h"

#include <stdlib.h>

#include "../../agent/oc_err.h"

static int add_pair(struct oev_times *times, size_t *room, uint64_t mono_ns, uint64_t wall_us)
{
	if (times->count == *room) {
		*room = *room != 0 ? 2 * *room : 256;
		uint64_t *mono = realloc(times->mono_ns, *room * sizeof(*mono));
		if (mono == NULL)
			return OC_ENOMEM;
		times->mono_ns = mono;
		uint64_t *wall = realloc(times->wall_us, *room * sizeof(*wall));
		if (wall == NULL)
			return OC_ENOMEM;
		times->wall_us = wall;
	}
	times->mono_ns[times->count] = mono_ns;
	times->wall_us[times->count++] = wall_us;
	return OC_OK;
}

int oev_times_load(struct oev_times *times, const struct oev_segment *segment)
{
	sqlite3_stmt *stmt = oev_query_new(segment, OEV_Q_CLOCK);
	int rc = stmt != NULL ? OC_OK : OC_EIO, step = SQLITE_DONE;
	size_t room = 0;

	while (rc == OC_OK && times->count < OEV_TIMES_MAX && (step = sqlite3_step(stmt)) == SQLITE_ROW)
		rc = add_pair(times, &room, (uint64_t)sqlite3_column_int64(stmt, 0),
			      (uint64_t)sqlite3_column_int64(stmt, 1));
	sqlite3_finalize(stmt);
	return rc == OC_OK && step != SQLITE_DONE && step != SQLITE_ROW ? OC_EIO : rc;
}

void oev_times_fini(struct oev_times *times)
{
	free(times->mono_ns);
	free(times->wall_us);
	*times = (struct oev_times){ 0 };
}

/* Place of the last pair at or before @mono_ns; 0 also when there is none. */
static size_t search(const struct oev_times *times, uint64_t mono_ns)
{
	size_t low = 0, high = times->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (times->mono_ns[mid] <= mono_ns)
			low = mid + 1;
		else
			high = mid;
	}
	return low > 0 ? low - 1 : 0;
}

uint64_t oev_times_wall(const struct oev_times *times, uint64_t mono_ns, size_t *hint)
{
	size_t at = *hint;

	if (times->count == 0)
		return mono_ns / 1000;
	bool near = at < times->count && times->mono_ns[at] <= mono_ns;
	if (near && at + 1 < times->count && times->mono_ns[at + 1] <= mono_ns)
		near = ++at + 1 >= times->count || times->mono_ns[at + 1] > mono_ns;
	if (!near)
		at = search(times, mono_ns);
	*hint = at;
	return mono_ns / 1000 + times->wall_us[at] - times->mono_ns[at] / 1000;
}
