/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * How a segment goes on with the log: right behind the one before, behind a hole, or not at all.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_verify_parts.h"

/* The log goes on as the segment itself says it stood when it was begun. */
static void take_own(struct oev_verify_log *log, const struct oev_facts *facts)
{
	*log = (struct oev_verify_log){ .frontier = facts->frontier,
					.chain = facts->chain,
					.number = facts->frontier.size,
					.rows = facts->log_rows,
					.has_chain = true,
					.has_rows = true,
					.is_known = true };
}

/* The segment is judged by itself, and the log of the others goes on behind it as if it were not there. */
static void put_aside(struct oev_verify_work *work)
{
	work->is_aside = true;
	work->saved = work->run->log;
}

static void judge_node(struct oev_verify_work *work)
{
	struct oev_verify_result *result = work->run->result;

	if (strcmp(work->facts.node, result->node) == 0)
		return;
	oev_verify_find(work->run, work, OEV_VERIFY_MIXED, OEV_KIND_NODE,
			"this is a segment of %.80s, the folder is one of %.80s", work->facts.node,
			result->node);
	put_aside(work);
}

/* Batches between the segment before and this one are not here: excused by retention, or not
 * (oev_verify_holes()). */
static void note_hole(struct oev_verify_work *work, uint64_t first, uint64_t last)
{
	struct oev_verify_run *run = work->run;

	if (run->is_single)
		return;
	run->holes[run->hole_count++] = (struct oev_verify_hole){ .first = first, .last = last };
	snprintf(run->holes[run->hole_count - 1].before, OEV_VERIFY_NAME_MAX, "%s", work->file->name);
}

/* The recorder itself found that the log could not be continued: what came before is not tied to what
 * follows. */
static void find_broken(struct oev_verify_work *work)
{
	oev_verify_find(work->run, work, OEV_VERIFY_GAP, OEV_KIND_HOLE,
			"the recorder could not go on with the log before it and began another: %.150s",
			work->facts.log_broken);
	if (work->run->log.number > 0)
		oev_verify_outside_anew(work->run);
}

static void judge_place(struct oev_verify_work *work)
{
	struct oev_verify_log *log = &work->run->log;
	const struct oev_facts *facts = &work->facts;
	char mine[OEV_FRONTIER_TEXT_MAX], before[OEV_FRONTIER_TEXT_MAX];
	uint64_t size = facts->frontier.size;

	if (facts->log_broken[0] != '\0') {
		find_broken(work);
		take_own(log, facts);
		return;
	}
	if (size > log->number) {
		note_hole(work, log->number + 1, size);
		take_own(log, facts);
		return;
	}
	if (size < log->number) {
		oev_verify_find(work->run, work, OEV_VERIFY_MIXED, OEV_KIND_PLACE,
				"its batches begin with %" PRIu64 ", but those up to %" PRIu64
				" were told before: a segment of another log",
				size + 1, log->number);
		put_aside(work);
		take_own(log, facts);
		return;
	}
	oev_frontier_text(&facts->frontier, mine);
	oev_frontier_text(&log->frontier, before);
	bool goes_on =
		strcmp(mine, before) == 0 && (!log->has_chain || oev_hash_equal(&facts->chain, &log->chain));
	if (log->is_known && !goes_on) {
		oev_verify_find(
			work->run, work, OEV_VERIFY_MIXED, OEV_KIND_PLACE,
			"it does not go on where the segment before ends: one of them is of another log");
		put_aside(work);
	}
	if (!log->is_known || !goes_on)
		take_own(log, facts);
}

void oev_verify_link(struct oev_verify_work *work)
{
	struct oev_verify_log *log = &work->run->log;

	snprintf(work->written_as, sizeof(work->written_as), "%s",
		 work->has_seal			  ? work->seal.segment
		 : work->facts.segment[0] != '\0' ? work->facts.segment
						  : work->file->name);
	if (!work->facts.has_log) {
		oev_verify_find(work->run, work, OEV_VERIFY_ALTERED, OEV_KIND_PLACE,
				"table meta does not tell how the log stood before it");
		log->is_known = log->has_chain = log->has_rows = false;
		return;
	}
	judge_node(work);
	if (work->is_aside)
		take_own(log, &work->facts);
	else
		judge_place(work);
}

void oev_verify_link_end(struct oev_verify_work *work)
{
	if (work->is_aside)
		work->run->log = work->saved;
}

/* Smallest first batch of a removal that covers @batch, 0 none; of those that are signed, or of the others. */
static uint64_t removed_down_to(const struct oev_verify_run *run, uint64_t batch, bool is_signed)
{
	uint64_t first = 0;

	for (size_t i = 0; i < run->removal_count; i++)
		if (run->removals[i].is_signed == is_signed && run->removals[i].first <= batch &&
		    batch <= run->removals[i].last && (first == 0 || run->removals[i].first < first))
			first = run->removals[i].first;
	return first;
}

/* Segments in @hole that signed rows name. One can be told twice: the agent was killed in between. */
static uint64_t removed_segments(const struct oev_verify_run *run, const struct oev_verify_hole *hole)
{
	uint64_t count = 0, first = 0; /* of the one counted last */

	for (size_t i = 0; i < run->removal_count; i++) { /* they rise (oev_verify_removals_end()) */
		const struct oev_verify_removal *removal = &run->removals[i];
		if (!removal->is_signed || removal->first < hole->first || removal->last > hole->last ||
		    removal->first == first)
			continue;
		first = removal->first;
		count++;
	}
	return count;
}

/* Down from the end of the hole; what retention removed earlier may be told by segments it removed later,
 * so that nothing is known of the time before the oldest removal when the hole reaches back to the
 * beginning. */
static void judge_hole(struct oev_verify_run *run, const struct oev_verify_hole *hole)
{
	uint64_t left = hole->last;

	while (left >= hole->first) {
		uint64_t first = removed_down_to(run, left, true);
		if (first == 0)
			break;
		left = first - 1;
	}
	if (left < hole->first || (hole->first == 1 && left < hole->last)) {
		run->result->removed_batches += hole->last - hole->first + 1;
		run->result->removed_segments += removed_segments(run, hole);
		return;
	}
	struct oev_verify_finding *finding = oev_verify_find(
		run, NULL, OEV_VERIFY_GAP, OEV_KIND_HOLE,
		"batches %" PRIu64 " to %" PRIu64 " are missing before %.100s, and %s", hole->first, left,
		hole->before,
		removed_down_to(run, left, false) == 0
			? "no removal row says why"
			: "the removal row that says why is not signed: no checkpoint covers it");
	finding->batch = hole->first;
}

void oev_verify_holes(struct oev_verify_run *run)
{
	for (size_t i = 0; i < run->hole_count; i++)
		judge_hole(run, &run->holes[i]);
}
