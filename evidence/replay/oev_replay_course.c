/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The decisions of one life, made again, compared and judged.
 */
#include "oev_replay_course.h"

#include <inttypes.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_difference.h"
#include "oev_replay_pump.h"

static void note_difference(struct oev_course *course, const char *field, const struct oc_decision *recorded,
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
	struct oev_course *course = ctx;
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
	const struct oev_course *course = ctx;

	if (course->result->options.stop_at_first && course->told->tally.differing > 0)
		return true;
	return oev_lives_stop(course->lives);
}

static void on_progress(void *ctx, uint64_t done)
{
	const struct oev_course *course = ctx;

	oev_lives_progress(course->lives, done);
}

static void why(struct oev_replayed_life *told, enum oev_replay_outcome outcome, const char *text)
{
	told->outcome = outcome;
	snprintf(told->why, sizeof(told->why), "%s", text);
}

/* A difference after something was lost says nothing about what is there. */
static bool lost_before(const struct oev_course *course, const struct oev_pump_counts *counts)
{
	const struct oev_replay_tally *tally = &course->told->tally;
	const struct oev_replay *result = course->result;

	if (counts->missing > 0 && counts->hole_id < tally->first_differing)
		return true;
	return course->life->gap_ns != UINT64_MAX && course->first < result->difference_count &&
	       result->differences[course->first].recorded.at_ns >= course->life->gap_ns;
}

static void judge(struct oev_course *course, const struct oev_pump_counts *counts)
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

static int describe(struct oev_course *course)
{
	struct oev_replay *result = course->result;
	int rc = OC_OK;

	for (size_t i = course->first; rc == OC_OK && i < result->difference_count; i++)
		rc = oev_difference_describe(&result->differences[i], course->life);
	return rc;
}

static void take_counts(struct oev_course *course, const struct oev_pump_counts *counts)
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

static int run_replay(struct oev_course *course, uint32_t ahead)
{
	struct oev_replay *result = course->result;
	struct oev_pump_counts counts;
	const struct oev_pump_conf conf = { .life = course->life,
					    .group = { { course->replay }, 1 },
					    .ahead = ahead,
					    .stop = on_stop,
					    .progress = on_progress,
					    .ctx = course,
					    .error = result->error };
	int rc = oev_pump_run(&conf, &counts);

	take_counts(course, &counts);
	if (rc == OC_OK || rc == OC_EINTERRUPTED) {
		judge(course, &counts);
		if (describe(course) != OC_OK)
			rc = OC_EIO;
	}
	return rc;
}

static int run_with(struct oev_course *course, uint32_t ahead)
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
static void forget(struct oev_course *course)
{
	struct oev_replay *result = course->result;
	uint64_t beyond = course->told->tally.beyond;

	course->told->tally = (struct oev_replay_tally){ .beyond = beyond };
	memset(&result->differences[course->first], 0,
	       (result->difference_count - course->first) * sizeof(*result->differences));
	result->difference_count = course->first;
}

/* What came out otherwise while rows were late is done once more, reading further ahead. */
int oev_course_run(struct oev_course *course)
{
	const struct oev_replay_tally *tally = &course->told->tally;
	int rc = run_with(course, OEV_PUMP_NEAR);

	if ((rc != OC_OK && rc != OC_EINTERRUPTED) || tally->late == 0 || tally->differing == 0)
		return rc;
	forget(course);
	return run_with(course, OEV_PUMP_FAR);
}
