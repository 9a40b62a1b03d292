/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The one pass over decisions and outcomes: life by life, part by part, each decision handed on to everybody who counts it.
 */
#include "oev_audit_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_feed.h"

#define PROGRESS_ROWS 0x3fffu

/* The two streams of one part. */
struct part {
	struct oev_times times;
	struct oev_feed *decisions, *outcomes;
	const struct oev_answer *answer; /* the next one; NULL: no more */
	uint64_t last;			 /* highest decision number */
};

static void note_broken(struct oev_scan *scan, uint64_t id, uint64_t wall_us, const char *detail)
{
	struct oev_exception found = {
		.kind = OEV_X_BROKEN, .claim = -1, .segment = scan->segment, .id = id, .wall_us = wall_us
	};

	snprintf(found.detail, sizeof(found.detail), "%s", detail);
	oev_audit_except(scan->audit, &found);
}

/* Memory that a row will need soon is asked for now: the tables are larger than the caches. */
static void expect(const struct oev_scan *scan, const struct part *part)
{
	const struct oev_row *soon = oev_feed_peek(part->decisions);

	if (soon == NULL)
		return;
	oev_retries_expect(&scan->retries, soon);
	oev_open_expect(&scan->open, soon->id);
}

static void take_row(struct oev_scan *scan, struct oev_row *row)
{
	struct oev_audit *audit = scan->audit;
	struct oev_row evicted;
	unsigned retried = oev_retries_take(&scan->retries, row);

	row->in_window = row->wall_us >= audit->options.from_us && row->wall_us < audit->options.until_us;
	if (row->is_broken && row->in_window)
		note_broken(scan, row->id, row->wall_us, "names a flow or a way that no row tells of");
	if (oev_audit_wants_app(audit, row->app_id)) {
		oev_scan_decision(scan, row);
		oev_follow_decision(scan, row, retried);
		oev_hop_request(scan, row);
	}
	oev_scan_count(scan, row, retried);
	if (oev_open_put(&scan->open, row, &evicted))
		oev_scan_loose(scan, &evicted, 1);
}

static void take_answer(struct oev_scan *scan, const struct oev_answer *answer)
{
	struct oev_row row;
	enum oev_wait wait = oev_open_take(&scan->open, answer->decision, &row);

	if (wait != OEV_WAIT_HERE && !oev_scan_late(scan, answer, wait, &row))
		return;
	if (answer->is_broken && row.in_window)
		note_broken(scan, row.id, row.wall_us, "its outcome names an ending that no row tells of");
	oev_scan_count_answer(scan, &row, answer);
	if (!oev_audit_wants_app(scan->audit, row.app_id))
		return;
	oev_follow_answer(scan, &row, answer);
	oev_hop_answer(scan, &row, answer);
}

/* Outcomes of decisions up to @id; those of decisions that the part does not have come too. */
static void take_answers(struct oev_scan *scan, struct part *part, uint64_t id)
{
	while (part->answer != NULL &&
	       (part->answer->decision <= id || part->answer->decision > part->last)) {
		const struct oev_answer *soon = oev_feed_peek(part->outcomes);
		if (soon != NULL)
			oev_open_expect(&scan->open, soon->decision);
		take_answer(scan, part->answer);
		part->answer = oev_feed_next(part->outcomes);
	}
}

static int run(struct oev_scan *scan, struct part *part, uint64_t total)
{
	struct oev_audit *audit = scan->audit;
	struct oev_row *row;

	part->answer = oev_feed_next(part->outcomes);
	while ((row = oev_feed_next(part->decisions)) != NULL) {
		expect(scan, part);
		take_row(scan, row);
		take_answers(scan, part, row->id);
		if ((++audit->scanned & PROGRESS_ROWS) != 0)
			continue;
		if (audit->options.progress != NULL)
			audit->options.progress(audit->options.ctx, audit->scanned, total);
		if (audit->options.stop != NULL && audit->options.stop(audit->options.ctx))
			return OC_EINTERRUPTED;
	}
	take_answers(scan, part, UINT64_MAX);
	return OC_OK;
}

static int start(const struct oev_scan *scan, struct part *part, const struct oev_segment *segment)
{
	struct oev_audit *audit = scan->audit;
	bool follows = oev_life_follows(audit, scan->segment);
	int rc = oev_times_load(&part->times, segment);

	part->last = segment->decisions;
	if (rc == OC_OK)
		rc = oev_feed_start(&part->decisions, &oev_read_decisions, segment, &part->times,
				    segment->decisions,
				    follows ? oev_segment_carried(segment, "decision") : 0, audit->error,
				    sizeof(audit->error));
	if (rc == OC_OK)
		rc = oev_feed_start(&part->outcomes, &oev_read_outcomes, segment, &part->times,
				    segment->outcomes, follows ? oev_segment_carried(segment, "outcome") : 0,
				    audit->error, sizeof(audit->error));
	return rc;
}

static int stop(struct part *part)
{
	int decisions = oev_feed_stop(part->decisions), outcomes = oev_feed_stop(part->outcomes);

	oev_times_fini(&part->times);
	return decisions != OC_OK ? decisions : outcomes;
}

static int scan_part(struct oev_scan *scan, uint32_t segment, uint64_t total)
{
	struct oev_audit *audit = scan->audit;
	struct part part = { 0 };

	scan->segment = segment;
	int rc = oev_scan_begin_part(scan);
	if (rc == OC_OK)
		rc = start(scan, &part, &audit->segments[segment]);
	bool is_gone = rc == OC_EIO && oev_segment_is_absent(audit->segments[segment].path);
	if (rc == OC_OK)
		rc = run(scan, &part, total);
	int read = stop(&part);
	if (is_gone) {
		audit->error[0] = '\0';
		return oev_audit_part_gone(audit, segment);
	}
	if (rc == OC_OK)
		rc = read;
	if (rc == OC_EIO && audit->error[0] == '\0')
		snprintf(audit->error, sizeof(audit->error),
			 "%s: damaged: its rows cannot be read to the end", audit->segments[segment].path);
	return rc;
}

/* What still waits when a life is over has no outcome. */
static void end_life(struct oev_scan *scan)
{
	for (size_t i = 0; i < OEV_OPEN_ROWS; i++)
		if (scan->open.used[i])
			oev_scan_loose(scan, &scan->open.rows[i], 1);
}

static int scan_life(struct oev_audit *audit, uint32_t life, uint64_t total)
{
	const struct oev_life *at = &audit->lives[life];
	struct oev_scan scan = { 0 };
	int rc = oev_scan_init(&scan, audit, life);

	for (uint32_t i = 0; rc == OC_OK && i < at->count; i++)
		rc = scan_part(&scan, at->first + i, total);
	if (rc == OC_OK || rc == OC_EINTERRUPTED) {
		oev_follows_tell(&scan);
		end_life(&scan);
	}
	oev_scan_fini(&scan);
	return rc;
}

int oev_audit_scan(struct oev_audit *audit)
{
	uint64_t total = 0;
	int rc = OC_OK;

	for (size_t i = 0; i < audit->segment_count; i++)
		total += audit->segments[i].decisions > 0
				 ? audit->segments[i].decisions - audit->segments[i].first_decision + 1
				 : 0;
	for (uint32_t i = 0; rc == OC_OK && i < audit->life_count; i++)
		rc = scan_life(audit, i, total);
	return rc;
}
