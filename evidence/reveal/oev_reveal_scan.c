/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * All decisions of all segments, held against the pseudonyms looked for.
 */
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../verify/oev_facts.h"
#include "oev_reveal_parts.h"

#define LOOK_EVERY 65536u /* decisions between two signs of life */

/* Questions to one segment. */
struct scan {
	struct oev_reveal_run *run;
	uint32_t at; /* of the segment */
	sqlite3_stmt *decisions;
	sqlite3_stmt *way;
	sqlite3_stmt *clock;
	uint64_t base_ns;
	/* Wall time of a decision follows the last pair of clocks before it; decisions come in order of time. */
	bool has_pair, has_next;
	int64_t mono_ns, wall_us, next_ns, next_us;
	uint64_t last_id; /* of the segment, for progress */
};

static int ask(sqlite3 *db, const char *sql, sqlite3_stmt **out)
{
	return sqlite3_prepare_v2(db, sql, -1, out, NULL) == SQLITE_OK ? OC_OK : OC_EIO;
}

static int ask_number(sqlite3 *db, const char *sql, uint64_t *out)
{
	sqlite3_stmt *stmt = NULL;
	int rc = ask(db, sql, &stmt);

	if (rc == OC_OK && sqlite3_step(stmt) == SQLITE_ROW)
		*out = (uint64_t)sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return rc;
}

static void next_pair(struct scan *scan)
{
	scan->mono_ns = scan->next_ns;
	scan->wall_us = scan->next_us;
	scan->has_pair = scan->has_next;
	scan->has_next = sqlite3_step(scan->clock) == SQLITE_ROW;
	if (scan->has_next) {
		scan->next_ns = sqlite3_column_int64(scan->clock, 0);
		scan->next_us = sqlite3_column_int64(scan->clock, 1);
	}
}

static uint64_t wall_of(struct scan *scan, int64_t at_ns)
{
	uint64_t mono_ns = scan->base_ns + (uint64_t)at_ns;

	while (scan->has_next && (!scan->has_pair || (uint64_t)scan->next_ns <= mono_ns)) {
		next_pair(scan);
	}
	return (uint64_t)scan->wall_us - (uint64_t)scan->mono_ns / 1000 + mono_ns / 1000;
}

static int open_scan(struct scan *scan, sqlite3 *db)
{
	int rc = ask(db, "SELECT id, at_ns, way, session, subscriber FROM decision", &scan->decisions);

	if (rc == OC_OK)
		rc = ask(db, "SELECT verdict FROM way WHERE id = ?", &scan->way);
	if (rc == OC_OK)
		rc = ask(db, "SELECT mono_ns, wall_us FROM clock ORDER BY mono_ns", &scan->clock);
	if (rc == OC_OK)
		rc = ask_number(db, "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'base_ns'",
				&scan->base_ns);
	if (rc == OC_OK)
		rc = ask_number(db, "SELECT max(id) FROM decision", &scan->last_id);
	if (rc == OC_OK)
		next_pair(scan);
	return rc;
}

static void close_scan(struct scan *scan)
{
	sqlite3_finalize(scan->decisions);
	sqlite3_finalize(scan->way);
	sqlite3_finalize(scan->clock);
}

static int64_t verdict_of(struct scan *scan, int64_t way)
{
	int64_t verdict = OC_FORWARD;

	sqlite3_bind_int64(scan->way, 1, way);
	if (sqlite3_step(scan->way) == SQLITE_ROW)
		verdict = sqlite3_column_int64(scan->way, 0);
	sqlite3_reset(scan->way);
	return verdict;
}

/* The session @pseudonym among those of the subscriber at @owner; OEV_TRACE_NONE when there is no room for it. */
static int session_of(struct oev_reveal *reveal, uint32_t owner, uint64_t pseudonym, uint32_t *place)
{
	struct oev_traces *sessions = &reveal->sessions;
	struct oev_trace *subscriber = &reveal->traces.items[owner];
	uint32_t at = OEV_TRACE_NONE;

	while ((at = oev_traces_find(sessions, pseudonym, OC_IDENTITY_SESSION, at)) != OEV_TRACE_NONE)
		if (sessions->items[at].owner == owner)
			break;
	*place = at;
	if (at != OEV_TRACE_NONE)
		return OC_OK;
	int rc =
		oev_traces_add(sessions, pseudonym, OC_IDENTITY_SESSION, owner, &subscriber->sessions, place);
	subscriber->session_count += rc == OC_OK;
	subscriber->has_more |= rc == OC_ENOSPC;
	*place = rc == OC_OK ? *place : OEV_TRACE_NONE;
	return rc == OC_ENOSPC ? OC_OK : rc;
}

/* One decision that has an identity somebody asked for. */
struct hit {
	struct oev_spot spot;
	int64_t verdict;
	uint64_t session; /* 0 none */
};

static int note(struct oev_reveal *reveal, uint32_t place, const struct hit *hit)
{
	struct oev_trace *trace = &reveal->traces.items[place];
	uint32_t session = OEV_TRACE_NONE;
	int rc = OC_OK;

	oev_trace_note(trace, &hit->spot, hit->verdict);
	if (trace->kind == OC_IDENTITY_SUBSCRIBER && hit->session != 0)
		rc = session_of(reveal, place, hit->session, &session);
	if (rc == OC_OK && session != OEV_TRACE_NONE)
		oev_trace_note(&reveal->sessions.items[session], &hit->spot, hit->verdict);
	return rc;
}

static int take_decision(struct scan *scan)
{
	struct oev_reveal *reveal = scan->run->reveal;
	sqlite3_stmt *row = scan->decisions;
	uint64_t pseudonyms[OC_IDENTITY_KIND_COUNT];
	struct hit hit = { .verdict = -1 };
	int rc = OC_OK;

	pseudonyms[OC_IDENTITY_SESSION] = (uint64_t)sqlite3_column_int64(row, 3); /* NULL: 0 */
	pseudonyms[OC_IDENTITY_SUBSCRIBER] = (uint64_t)sqlite3_column_int64(row, 4);
	for (unsigned kind = 0; rc == OC_OK && kind < OC_IDENTITY_KIND_COUNT; kind++) {
		uint32_t place = OEV_TRACE_NONE;
		while (rc == OC_OK && pseudonyms[kind] != 0 &&
		       (place = oev_traces_find(&reveal->traces, pseudonyms[kind], kind, place)) !=
			       OEV_TRACE_NONE) {
			if (hit.verdict < 0) {
				hit.spot.decision = (uint64_t)sqlite3_column_int64(row, 0);
				hit.spot.wall_us = wall_of(scan, sqlite3_column_int64(row, 1));
				hit.spot.segment = scan->at;
				hit.session = pseudonyms[OC_IDENTITY_SESSION];
				hit.verdict = verdict_of(scan, sqlite3_column_int64(row, 2));
			}
			rc = note(reveal, place, &hit);
		}
	}
	return rc;
}

static int read_decisions(struct scan *scan)
{
	struct oev_reveal_segment *segment = &scan->run->reveal->segments[scan->at];
	uint64_t first_id = 0;
	int rc = OC_OK, step = SQLITE_DONE;

	while (rc == OC_OK && (step = sqlite3_step(scan->decisions)) == SQLITE_ROW) {
		rc = take_decision(scan);
		if (segment->decisions++ == 0)
			first_id = (uint64_t)sqlite3_column_int64(scan->decisions, 0);
		if (rc == OC_OK && segment->decisions % LOOK_EVERY == 0)
			rc = oev_reveal_tell(scan->run, scan->at,
					     (uint64_t)sqlite3_column_int64(scan->decisions, 0) - first_id,
					     scan->last_id - first_id);
	}
	scan->run->reveal->decisions += segment->decisions;
	return rc == OC_OK && step != SQLITE_DONE ? OC_EIO : rc;
}

static int read_segment(struct oev_reveal_run *run, uint32_t at, sqlite3 *db)
{
	struct scan scan = { .run = run, .at = at };
	int rc = open_scan(&scan, db);

	run->reveal->gap_events += oev_facts_gap_events(db);
	if (rc == OC_OK)
		rc = read_decisions(&scan);
	close_scan(&scan);
	if (rc != OC_OK)
		return rc;
	rc = oev_reveal_tell(run, at, 1, 1);
	run->done_bytes += run->reveal->segments[at].bytes;
	return rc;
}

int oev_reveal_scan(struct oev_reveal_run *run)
{
	return oev_reveal_each(run, read_segment);
}
