/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The second look: outcomes whose decision is not at hand, decisions that never got one, and why.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_audit_scan.h"

#define UNDER_WAY_US 60000000ull /* before a cut: longer than any request waits */

static void take_one(sqlite3_context *context, int count, sqlite3_value **values)
{
	struct oev_late *late = sqlite3_user_data(context);

	oev_read_decisions.fill(&late->reader, late->row, count, values);
	late->found = true;
}

void oev_scan_late_fini(struct oev_scan *scan)
{
	struct oev_late *late = &scan->late;

	sqlite3_finalize(late->stmt);
	oev_reader_fini(&late->reader);
	oev_times_fini(&late->times);
	*late = (struct oev_late){ 0 };
}

/* Makes scan->late read @segment. */
static bool make_ready(struct oev_scan *scan, uint32_t segment)
{
	struct oev_late *late = &scan->late;
	const struct oev_segment *from = &scan->audit->segments[segment];

	if (late->is_ready && late->segment == segment)
		return true;
	oev_scan_late_fini(scan);
	late->segment = segment;
	if (oev_times_load(&late->times, from) != OC_OK ||
	    oev_reader_init_few(&late->reader, from, &late->times) != OC_OK ||
	    sqlite3_create_function(from->db, "oev_take", -1, SQLITE_UTF8, late, take_one, NULL, NULL) !=
		    SQLITE_OK)
		return false;
	late->stmt = oev_query_new(from, OEV_Q_DECISION_ONE);
	late->is_ready = late->stmt != NULL;
	return late->is_ready;
}

/* Reads decision @id from the part at hand or one before it. */
static bool look_up(struct oev_scan *scan, uint64_t id, struct oev_row *row)
{
	const struct oev_audit *audit = scan->audit;
	uint32_t first = audit->lives[scan->life].first;

	for (uint32_t i = scan->segment + 1; i-- > first;) {
		const struct oev_segment *segment = &audit->segments[i];
		if (segment->is_gone || id < segment->first_decision || id > segment->decisions ||
		    !make_ready(scan, i))
			continue;
		scan->late.row = row;
		scan->late.found = false;
		sqlite3_bind_int64(scan->late.stmt, 1, (int64_t)id);
		sqlite3_step(scan->late.stmt);
		sqlite3_reset(scan->late.stmt);
		if (scan->late.found)
			return true;
	}
	return false;
}

/* Whether events of this life were lost around @wall_us (0: at any time), or a part of it is not there. */
static bool is_in_gap(const struct oev_scan *scan, enum oev_gap_kind kind, uint64_t wall_us)
{
	const struct oev_audit *audit = scan->audit;
	const struct oev_life *life = &audit->lives[scan->life];

	for (size_t i = 0; i < audit->gap_count; i++) {
		const struct oev_gap *gap = &audit->gaps[i];
		if (gap->kind == kind && gap->segment >= life->first &&
		    gap->segment < life->first + life->count &&
		    (wall_us == 0 || (wall_us + UNDER_WAY_US >= gap->since_us && wall_us <= gap->wall_us)))
			return true;
	}
	return false;
}

static enum oev_loose why_without_decision(const struct oev_scan *scan, uint64_t id)
{
	const struct oev_life *life = &scan->audit->lives[scan->life];
	bool before = life->lacks_beginning && id < scan->audit->segments[life->first].first_decision;

	if (before || is_in_gap(scan, OEV_GAP_PART, 0))
		return OEV_LOOSE_PART;
	return is_in_gap(scan, OEV_GAP_EVENTS, 0) ? OEV_LOOSE_GAP : OEV_LOOSE_UNEXPLAINED;
}

static void note_twice(struct oev_scan *scan, const struct oev_row *row)
{
	struct oev_exception found = { .kind = OEV_X_TWICE,
				       .claim = -1,
				       .segment = scan->segment,
				       .id = row->id,
				       .wall_us = row->wall_us,
				       .detail = "has more than one outcome" };

	if (row->wall_us >= scan->audit->options.from_us && row->wall_us < scan->audit->options.until_us)
		oev_audit_except(scan->audit, &found);
}

bool oev_scan_late(struct oev_scan *scan, const struct oev_answer *answer, enum oev_wait wait,
		   struct oev_row *row)
{
	const struct oev_audit_options *options = &scan->audit->options;

	if (!look_up(scan, answer->decision, row)) {
		enum oev_loose why = why_without_decision(scan, answer->decision);
		scan->audit->population.without_decision[why]++;
		return false;
	}
	row->in_window = row->wall_us >= options->from_us && row->wall_us < options->until_us;
	if (wait == OEV_WAIT_NOT) {
		note_twice(scan, row);
		return false;
	}
	oev_scan_loose(scan, row, -1);
	return true;
}

static enum oev_loose why_loose(const struct oev_scan *scan, const struct oev_row *row)
{
	const struct oev_life *life = &scan->audit->lives[scan->life];
	bool at_end = row->wall_us + UNDER_WAY_US >= life->until_us;

	if (is_in_gap(scan, OEV_GAP_EVENTS, row->wall_us))
		return OEV_LOOSE_GAP;
	if (is_in_gap(scan, OEV_GAP_PART, row->wall_us) || (at_end && life->lacks_end))
		return OEV_LOOSE_PART;
	if (at_end && (life->was_cut || is_in_gap(scan, OEV_GAP_CUT, row->wall_us)))
		return OEV_LOOSE_CUT;
	return at_end && life->is_open ? OEV_LOOSE_RECORDING : OEV_LOOSE_UNEXPLAINED;
}

void oev_scan_loose(struct oev_scan *scan, const struct oev_row *row, int by)
{
	struct oev_population *people = &scan->audit->population;

	if (!row->in_window || !oev_audit_wants_app(scan->audit, row->app_id))
		return;
	people->without_outcome += (uint64_t)by;
	people->loose[why_loose(scan, row)] += (uint64_t)by;
}
