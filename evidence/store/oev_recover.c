/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * From what lies in a folder to how the log goes on.
 */
#include "oev_recover.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "oev_finish.h"
#include "oev_outside.h"
#include "oev_past.h"

struct work {
	const struct oev_recovery *recovery;
	struct oev_folder folder;
	struct oev_past_life *out;
	struct oev_past_witness witness; /* the last checkpoint outside */
};

/* Seals @segment as it is; @ledger: the log at its end, NULL when that is not known. */
static void seal(struct work *work, const struct oev_found_segment *segment, const struct oev_ledger *ledger)
{
	const struct oev_recovery *recovery = work->recovery;
	struct oev_seal seal_of = { .wall_us = segment->closed_us };

	if (ledger) {
		seal_of.first = segment->first;
		seal_of.last = ledger->number;
		oev_frontier_root(&ledger->frontier, &seal_of.root);
	}
	if (oev_notary_seal(recovery->notary, segment->path, &seal_of) != OC_OK)
		oev_say(recovery->voice, 1, "evidence segment is not sealed file=%s reason=\"out of memory\"",
			segment->path);
}

/* The log at the end of @segment, believed. */
static int read_ledger(struct work *work, const struct oev_found_segment *segment,
		       struct oev_past_witness *witness, struct oev_ledger *out, struct oev_why *why)
{
	sqlite3 *db = segment->state == OEV_FOUND_SEALED ? oev_past_open_sealed(segment->path)
							 : oev_past_open(segment->path);
	int rc = db ? oev_past_ledger(db, segment->path, work->recovery->self, witness, out, why)
		    : oev_why(why, OC_EIO, "it cannot be opened");

	sqlite3_close(db);
	return rc;
}

/* Segments that are not the end of the log: nothing can be added to them any more. */
static void tidy(struct work *work, const struct oev_found_segment *segment)
{
	struct oev_ledger ledger = { 0 };
	struct oev_why why;

	switch (segment->state) {
	case OEV_FOUND_EMPTY:
		oev_place_discard(segment->path);
		break;
	case OEV_FOUND_UNSEALED:
		seal(work, segment,
		     read_ledger(work, segment, NULL, &ledger, &why) == OC_OK ? &ledger : NULL);
		break;
	case OEV_FOUND_OLD:
		seal(work, segment, NULL);
		break;
	case OEV_FOUND_UNREADABLE:
		oev_say(work->recovery->voice, 1,
			"evidence segment cannot be read file=%s remedy=\"it is left as it is\"",
			segment->path);
		break;
	default:
		break;
	}
}

/* The log does not go on: why, as the operator and the next segment tell it. */
static void break_log(struct work *work, const struct oev_found_segment *tip, const char *why)
{
	struct oev_past_life *out = work->out;

	snprintf(out->broken, sizeof(out->broken), "%.100s: %.200s",
		 tip ? oev_place_name(tip->path) : "evidence folder", why);
	out->ledger = (struct oev_ledger){ 0 };
	oev_say(work->recovery->voice, 1,
		"evidence log cannot be continued file=%s reason=\"%s\" remedy=\"a new one begins, verify "
		"the "
		"folder\"",
		tip ? tip->path : work->recovery->conf->folder, why);
}

static void check_end(struct work *work, const struct oev_found_segment *tip)
{
	const struct oev_past_witness *witness = &work->witness;
	char text[OEV_WHY_MAX];

	if (witness->point.size <= work->out->ledger.number)
		return;
	snprintf(text, sizeof(text),
		 "the log was told outside up to batch %" PRIu64 " and ends at batch %" PRIu64,
		 witness->point.size, work->out->ledger.number);
	break_log(work, tip, text);
}

static bool has_leftovers(const struct oev_journal_left *left)
{
	return left->found && (left->waiting > 0 || left->torn > 0 || left->damaged > 0 || left->gap > 0);
}

static bool is_unfinished(const struct work *work, const struct oev_found_segment *tip)
{
	struct oev_journal_left left;

	oev_journal_recovered(work->recovery->journal, &left);
	return tip->closed_how[0] == '\0' || strcmp(tip->closed_how, "rotated") == 0 ||
	       (left.run_id == tip->run_id && has_leftovers(&left));
}

/* The end of the log: finished when it is not, sealed when it is not. */
static int take_tip(struct work *work, const struct oev_found_segment *tip, struct oev_why *why)
{
	struct oev_past_life *out = work->out;
	struct oev_why said;
	int rc = read_ledger(work, tip, &work->witness, &out->ledger, &said);

	snprintf(out->previous, sizeof(out->previous), "%s", oev_place_name(tip->path));
	if (rc == OC_ENOMEM)
		return oev_why(why, rc, "out of memory");
	if (rc != OC_OK)
		break_log(work, tip, said.text);
	else
		check_end(work, tip);
	if (tip->state == OEV_FOUND_SEALED)
		return OC_OK;
	if (!out->broken[0] && is_unfinished(work, tip)) {
		rc = oev_finish(work->recovery, tip, &out->ledger, &said);
		if (rc == OC_EREFUSED)
			break_log(work, tip, said.text);
		else if (rc != OC_OK)
			return oev_why(why, rc, "evidence segment \"%.200s\": %.100s", tip->path, said.text);
	}
	seal(work, tip, out->broken[0] ? NULL : &out->ledger);
	return OC_OK;
}

/* A ring that no segment could take: kept, and told. */
static int set_aside(struct work *work, const struct oev_journal_left *left, struct oev_why *why)
{
	struct oev_past_life *out = work->out;
	char aside[OEV_JOURNAL_PATH_MAX];

	if (oev_journal_set_aside(work->recovery->journal, aside, sizeof(aside)) != OC_OK)
		return oev_why(why, OC_EIO, "%s", aside);
	out->lost_events += (uint64_t)left->waiting + left->damaged;
	snprintf(out->lost_reason, sizeof(out->lost_reason),
		 "of an earlier run: its segment is not there, the journal lies in %.200s",
		 oev_place_name(aside));
	oev_say(work->recovery->voice, 1,
		"evidence events have no segment any more events=%" PRIu64 " file=%s", out->lost_events,
		aside);
	return OC_OK;
}

/* What the journal still holds that no segment took. */
static int take_leftovers(struct work *work, struct oev_why *why)
{
	struct oev_past_life *out = work->out;
	struct oev_journal *journal = work->recovery->journal;
	struct oev_journal_left left;

	oev_journal_recovered(journal, &left); /* what a segment took is no longer among it */
	if (left.aside[0]) {
		snprintf(out->lost_reason, sizeof(out->lost_reason),
			 "of an earlier run: its journal cannot be read (%.100s) and lies in %.150s",
			 left.why, oev_place_name(left.aside));
		out->lost_events = 1; /* at least: nobody can tell how many */
		oev_say(work->recovery->voice, 1, "evidence journal cannot be read file=%s reason=\"%s\"",
			left.aside, left.why);
	}
	if (!left.found)
		return OC_OK;
	out->lost_events = oev_journal_take_gap(journal);
	snprintf(out->lost_reason, sizeof(out->lost_reason), "of an earlier run: its journal was full");
	return left.waiting > 0 || left.damaged > 0 ? set_aside(work, &left, why) : OC_OK;
}

static int recover(struct work *work, struct oev_why *why)
{
	const struct oev_found_segment *tip = oev_folder_tip(&work->folder);
	int rc = OC_OK;

	for (size_t i = 0; i < work->folder.count; i++)
		if (&work->folder.segments[i] != tip)
			tidy(work, &work->folder.segments[i]);
	if (tip)
		rc = take_tip(work, tip, why);
	else
		check_end(work, NULL);
	return rc == OC_OK ? take_leftovers(work, why) : rc;
}

int oev_recover(const struct oev_recovery *recovery, struct oev_past_life *out, struct oev_why *why)
{
	struct work work = { .recovery = recovery, .out = out };

	*out = (struct oev_past_life){ .lost_events = 0 };
	int rc = oev_folder_scan(&work.folder, recovery->conf->folder, recovery->self);
	if (rc != OC_OK)
		return oev_why(why, rc, "the evidence folder \"%.200s\" cannot be read",
			       recovery->conf->folder);
	if (oev_outside_last(recovery->conf->checkpoint_path, recovery->self, &work.witness.point) == OC_EIO)
		oev_say(recovery->voice, 1, "evidence checkpoints cannot be read file=%s",
			recovery->conf->checkpoint_path);
	rc = recover(&work, why);
	oev_folder_fini(&work.folder);
	return rc;
}
