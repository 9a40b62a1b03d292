/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Life by life: done again, compared, judged.
 */
#include "oev_replay.h"

#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_replay_course.h"

struct work {
	struct oev_replay *result;
	struct oev_lives lives;
};

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

static int do_life(void *ctx, const struct oev_replay_life *life)
{
	struct work *work = ctx;
	struct oev_replay *result = work->result;
	struct oev_course course = { .result = result,
				     .lives = &work->lives,
				     .told = add_life(result),
				     .life = life,
				     .first = result->difference_count };

	if (course.told == NULL)
		return OC_ENOMEM;
	take_words(course.told, life, &result->options);
	course.told->outcome = OEV_REPLAY_UNSURE;
	snprintf(course.told->why, sizeof(course.told->why), "%s", oev_life_lack_text(life->lack));
	return life->part_count > 0 ? oev_course_run(&course) : OC_OK;
}

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

int oev_replay_run(struct oev_replay *out, const struct oev_replay_options *options)
{
	struct work work = {
		.result = out,
		.lives = { .options = &options->lives, .error = out->error, .life = do_life, .ctx = &work }
	};

	out->options = *options;
	out->differences = calloc(OEV_DIFFERENCES_LISTED, sizeof(*out->differences));
	int rc = out->differences != NULL ? oev_lives_walk(&work.lives) : OC_ENOMEM;
	out->options.lives.since_us = work.lives.window.since_us;
	out->options.lives.until_us = work.lives.window.until_us;
	if (rc == OC_EINTERRUPTED && options->stop_at_first && out->difference_count > 0)
		rc = OC_OK; /* as was wished */
	conclude(out, rc);
	return rc;
}

void oev_replay_fini(struct oev_replay *replay)
{
	free(replay->lives);
	free(replay->differences);
	*replay = (struct oev_replay){ 0 };
}
