/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Life by life: done again, compared, judged.
 */
#include "oev_replay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../../agent/oc_replay.h"
#include "oev_difference.h"
#include "oev_replay_folder.h"
#include "oev_replay_pump.h"

/* What the callbacks of one life need. */
struct course {
	struct oev_replay *result;
	struct oev_replayed_life *told; /* in result->lives */
	const struct oev_replay_life *life;
	struct oc_replay *replay;
	uint64_t inexact; /* seen so far */
	uint64_t before;  /* decisions of earlier lives, for the progress */
	uint64_t all;	  /* of all lives */
	size_t first;	  /* difference of this life in result->differences */
};

/* Everything there is, opened once. */
struct work {
	struct oev_replay *result;
	struct oev_replay_folder folder;
	struct oev_replay_window window;
	uint64_t all;
	uint64_t done;
};

/* --- one decision --- */

static void note_difference(struct course *course, const char *field, const struct oc_decision *recorded,
			    const struct oc_decision *replayed)
{
	struct oev_replay *result = course->result;
	struct oev_replay_tally *tally = &course->told->tally;

	tally->differing++;
	if (tally->first_differing == 0)
		tally->first_differing = recorded->id;
	if (result->difference_count == OEV_DIFFERENCES_LISTED)
		return;
	struct oev_difference *difference = &result->differences[result->difference_count++];
	difference->life = (uint32_t)(course->told - result->lives);
	difference->field = field;
	difference->recorded = *recorded;
	difference->replayed = *replayed;
}

static void on_decided(void *ctx, const struct oc_decision *recorded, const struct oc_decision *replayed)
{
	struct course *course = ctx;
	struct oev_replay_tally *tally = &course->told->tally;
	uint64_t inexact = oc_replay_counts(course->replay).inexact;
	bool was_given = inexact != course->inexact;

	course->inexact = inexact;
	if (recorded->at_ns < course->life->since_ns || recorded->at_ns >= course->life->until_ns) {
		tally->outside++;
		return;
	}
	tally->decisions++;
	tally->inexact += was_given;
	const char *field = was_given ? NULL : oc_replay_difference(recorded, replayed);
	if (field != NULL)
		note_difference(course, field, recorded, replayed);
}

static bool on_stop(void *ctx)
{
	const struct course *course = ctx;
	const struct oev_replay_options *options = &course->result->options;

	if (options->stop_at_first && course->told->tally.differing > 0)
		return true;
	return options->stop != NULL && options->stop(options->ctx);
}

static void on_progress(void *ctx, uint64_t done)
{
	const struct course *course = ctx;
	const struct oev_replay_options *options = &course->result->options;

	if (options->progress != NULL)
		options->progress(options->ctx, course->before + done, course->all);
}

/* --- one life --- */

static void why(struct oev_replayed_life *told, enum oev_replay_outcome outcome, const char *text)
{
	told->outcome = outcome;
	snprintf(told->why, sizeof(told->why), "%s", text);
}

/* A difference after something was lost says nothing about what is there. */
static bool lost_before(const struct course *course, const struct oev_pump_counts *counts)
{
	const struct oev_replay_tally *tally = &course->told->tally;
	const struct oev_replay *result = course->result;

	if (counts->missing > 0 && counts->hole_id < tally->first_differing)
		return true;
	return course->life->gap_ns != UINT64_MAX && course->first < result->difference_count &&
	       result->differences[course->first].recorded.at_ns >= course->life->gap_ns;
}

static void judge(struct course *course, const struct oev_pump_counts *counts)
{
	struct oev_replayed_life *told = course->told;
	const struct oev_replay_tally *tally = &told->tally;
	const struct oev_replay_life *life = course->life;
	char text[OEV_REPLAY_TEXT_MAX];
	bool is_lost = counts->missing > 0 || life->gap_ns != UINT64_MAX;

	told->outcome = OEV_REPLAY_IDENTICAL;
	if (tally->differing > 0 && !lost_before(course, counts)) {
		snprintf(text, sizeof(text), "decision %" PRIu64 " is the first of %" PRIu64 " that differ",
			 tally->first_differing, tally->differing);
		why(told, OEV_REPLAY_DIFFERS, text);
	} else if (life->lack != OEV_LACKS_NOTHING) {
		why(told, OEV_REPLAY_UNSURE, oev_life_lack_text(life->lack));
	} else if (life->gap_ns != UINT64_MAX) {
		snprintf(text, sizeof(text), "%" PRIu64 " events were lost (table gap)", life->gap_events);
		why(told, OEV_REPLAY_UNSURE, text);
	} else if (is_lost && (tally->differing > 0 || !life->was_cut)) {
		snprintf(text, sizeof(text), "decision %" PRIu64 " is not in it, nor are %" PRIu64 " others",
			 counts->hole_id, counts->missing - 1);
		why(told, OEV_REPLAY_UNSURE, text);
	} else if (tally->inexact > 0) {
		snprintf(text, sizeof(text),
			 "the candidates of %" PRIu64
			 " decisions were not recorded: their choice was taken as given",
			 tally->inexact);
		why(told, OEV_REPLAY_UNSURE, text);
	}
}

static int describe(struct course *course)
{
	struct oev_replay *result = course->result;
	int rc = OC_OK;

	for (size_t i = course->first; rc == OC_OK && i < result->difference_count; i++)
		rc = oev_difference_describe(&result->differences[i], course->life);
	return rc;
}

static void take_counts(struct course *course, const struct oev_pump_counts *counts)
{
	struct oc_replay_counts again = oc_replay_counts(course->replay);
	struct oev_replay_tally *tally = &course->told->tally;

	tally->missing = counts->missing;
	tally->late = again.late;
	tally->orphans = again.orphans;
	tally->unknown = again.unknown;
	if (counts->policy_version != 0)
		course->told->policy_last = counts->policy_version;
}

static int run_replay(struct course *course, uint32_t ahead)
{
	struct oev_replay *result = course->result;
	struct oev_pump_counts counts;
	const struct oev_pump_conf conf = { .life = course->life,
					    .replay = course->replay,
					    .ahead = ahead,
					    .stop = on_stop,
					    .progress = on_progress,
					    .ctx = course,
					    .error = result->error };
	int rc = oev_pump_run(&conf, &counts);

	take_counts(course, &counts);
	if (rc == OC_EINTERRUPTED && course->told->tally.differing > 0 && result->options.stop_at_first)
		rc = OC_OK;
	if (rc == OC_OK || rc == OC_EINTERRUPTED) {
		judge(course, &counts);
		if (describe(course) != OC_OK)
			rc = OC_EIO;
	}
	return rc;
}

static int run_with(struct course *course, uint32_t ahead)
{
	struct oev_replay *result = course->result;
	const struct oc_replay_conf conf = {
		.agent = course->life->conf, .mode = OC_REPLAY_EXACT, .decided = on_decided, .ctx = course
	};

	course->inexact = 0;
	course->replay = oc_replay_new(&conf, &course->life->policy);
	if (course->replay == NULL) {
		snprintf(result->error, sizeof(result->error),
			 "%s: an agent cannot begin as its meta core.* says, or memory is out",
			 course->life->parts[0].path);
		return OC_EMALFORMED;
	}
	int rc = run_replay(course, ahead);
	oc_replay_free(course->replay);
	return rc;
}

/* As if it had not been done. */
static void forget(struct course *course)
{
	struct oev_replay *result = course->result;
	uint64_t beyond = course->told->tally.beyond;

	course->told->tally = (struct oev_replay_tally){ .beyond = beyond };
	memset(&result->differences[course->first], 0,
	       (result->difference_count - course->first) * sizeof(*result->differences));
	result->difference_count = course->first;
}

/* What came out otherwise while rows were late is done once more, reading further ahead. */
static int run_life(struct course *course)
{
	const struct oev_replay_tally *tally = &course->told->tally;
	int rc = run_with(course, OEV_PUMP_NEAR);

	if (rc != OC_OK || tally->late == 0 || tally->differing == 0)
		return rc;
	forget(course);
	return run_with(course, OEV_PUMP_FAR);
}

static void take_words(struct oev_replayed_life *told, const struct oev_replay_life *life,
		       const struct oev_replay_options *options)
{
	memcpy(told->node, life->node, sizeof(told->node));
	memcpy(told->run, life->run, sizeof(told->run));
	memcpy(told->version, life->version, sizeof(told->version));
	told->started_us = life->started_us;
	told->until_us = life->until_us;
	told->parts = life->part_count;
	told->parts_beyond = life->parts_beyond;
	told->policy_first = told->policy_last = life->policy_version;
	told->same_core = strcmp(life->version, options->version) == 0;
	told->was_cut = life->was_cut;
	told->gap_events = life->gap_events;
	told->tally.beyond = life->decisions_beyond;
}

static struct oev_replayed_life *add_life(struct oev_replay *result)
{
	struct oev_replayed_life *lives =
		realloc(result->lives, (result->life_count + 1) * sizeof(*result->lives));

	if (lives == NULL)
		return NULL;
	result->lives = lives;
	memset(&lives[result->life_count], 0, sizeof(*lives));
	return &lives[result->life_count++];
}

static bool is_outside(const struct work *work, const struct oev_replay_life *life)
{
	return life->until_us < work->window.since_us || life->started_us >= work->window.until_us;
}

static int do_life(struct work *work, size_t first, uint32_t count)
{
	struct oev_replay *result = work->result;
	struct oev_replay_life *life = calloc(1, sizeof(*life));

	if (life == NULL)
		return OC_ENOMEM;
	int rc = oev_replay_life_load(life, &work->folder.segments[first], count, &work->window,
				      result->error);
	if (rc == OC_OK && !is_outside(work, life)) {
		struct course course = { .result = result,
					 .told = add_life(result),
					 .life = life,
					 .before = work->done,
					 .all = work->all,
					 .first = result->difference_count };
		rc = course.told != NULL ? OC_OK : OC_ENOMEM;
		if (rc == OC_OK) {
			take_words(course.told, life, &result->options);
			why(course.told, OEV_REPLAY_UNSURE, oev_life_lack_text(life->lack));
			if (life->part_count > 0)
				rc = run_life(&course);
		}
	}
	work->done += life->decisions;
	oev_replay_life_fini(life);
	free(life);
	return rc;
}

/* --- all of them --- */

static void add_tally(struct oev_replay_tally *sum, const struct oev_replay_tally *tally)
{
	sum->decisions += tally->decisions;
	sum->differing += tally->differing;
	sum->inexact += tally->inexact;
	sum->outside += tally->outside;
	sum->beyond += tally->beyond;
	sum->missing += tally->missing;
	sum->late += tally->late;
	sum->orphans += tally->orphans;
	sum->unknown += tally->unknown;
	if (sum->first_differing == 0)
		sum->first_differing = tally->first_differing;
}

/* 1 beats 3 beats 0. */
static void conclude(struct oev_replay *result, int rc)
{
	bool differs = false, is_unsure = false;

	for (size_t i = 0; i < result->life_count; i++) {
		add_tally(&result->total, &result->lives[i].tally);
		differs |= result->lives[i].outcome == OEV_REPLAY_DIFFERS;
		is_unsure |= result->lives[i].outcome == OEV_REPLAY_UNSURE;
	}
	if (rc == OC_ENOMEM)
		result->outcome = OEV_REPLAY_BUG;
	else if (rc == OC_EINTERRUPTED)
		result->outcome = OEV_REPLAY_INTERRUPTED;
	else if (rc != OC_OK)
		result->outcome = OEV_REPLAY_UNUSABLE;
	else if (differs)
		result->outcome = OEV_REPLAY_DIFFERS;
	else if (is_unsure || result->total.decisions == 0)
		result->outcome = OEV_REPLAY_UNSURE;
	else
		result->outcome = OEV_REPLAY_IDENTICAL;
	if (result->outcome >= OEV_REPLAY_UNUSABLE && rc != OC_EINTERRUPTED && result->error[0] == '\0')
		snprintf(result->error, sizeof(result->error), "%s", oc_err_text(rc));
}

static int find_all(struct work *work)
{
	struct oev_replay *result = work->result;
	const struct oev_replay_options *options = &result->options;
	int rc = OC_OK;

	for (size_t i = 0; rc == OC_OK && i < options->input_count; i++)
		rc = oev_replay_folder_add(&work->folder, options->inputs[i], result->error);
	if (rc != OC_OK)
		return rc;
	oev_replay_folder_order(&work->folder, options->node);
	work->window = (struct oev_replay_window){ options->since_us, options->until_us };
	if (options->last_us != 0 && options->last_us < work->folder.until_us)
		work->window.since_us = work->folder.until_us - options->last_us;
	for (size_t i = 0; i < work->folder.count; i++)
		work->all += work->folder.segments[i].decisions;
	if (work->folder.count > 0)
		return OC_OK;
	snprintf(result->error, sizeof(result->error), "no segment recorded by node %s",
		 options->node != NULL ? options->node : "?");
	return OC_ENOENT;
}

int oev_replay_run(struct oev_replay *out, const struct oev_replay_options *options)
{
	struct work work = { .result = out };

	out->options = *options;
	out->differences = calloc(OEV_DIFFERENCES_LISTED, sizeof(*out->differences));
	int rc = out->differences != NULL ? find_all(&work) : OC_ENOMEM;
	out->options.since_us = work.window.since_us;
	out->options.until_us = work.window.until_us;
	for (size_t i = 0; rc == OC_OK && i < work.folder.count;) {
		uint32_t count = oev_replay_folder_life(&work.folder, i);
		rc = do_life(&work, i, count);
		i += count;
		if (options->stop_at_first && out->difference_count > 0)
			break;
	}
	conclude(out, rc);
	oev_replay_folder_fini(&work.folder);
	return rc;
}

void oev_replay_fini(struct oev_replay *replay)
{
	free(replay->lives);
	free(replay->differences);
	*replay = (struct oev_replay){ 0 };
}
