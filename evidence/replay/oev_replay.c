/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Life by life: done again, compared, judged.
 */
#include "oev_replay.h"

#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_replay_course.h"
#include "oev_replay_folder.h"

/* Everything there is, opened once. */
struct work {
	struct oev_replay *result;
	struct oev_replay_folder folder;
	struct oev_replay_window window;
	uint64_t all;
	uint64_t done;
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
		struct oev_course course = { .result = result,
					     .told = add_life(result),
					     .life = life,
					     .before = work->done,
					     .all = work->all,
					     .first = result->difference_count };
		rc = course.told != NULL ? OC_OK : OC_ENOMEM;
		if (rc == OC_OK) {
			take_words(course.told, life, &result->options);
			course.told->outcome = OEV_REPLAY_UNSURE;
			snprintf(course.told->why, sizeof(course.told->why), "%s",
				 oev_life_lack_text(life->lack));
			if (life->part_count > 0)
				rc = oev_course_run(&course);
		}
	}
	work->done += life->decisions;
	oev_replay_life_fini(life);
	free(life);
	return rc;
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
