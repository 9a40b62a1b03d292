/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Finding lives, loading one at a time.
 */
#include "oev_lives.h"

#include <stdio.h>
#include <stdlib.h>

#include "../../agent/oc_err.h"
#include "oev_replay_folder.h"

static int find_all(struct oev_lives *lives, struct oev_replay_folder *folder)
{
	const struct oev_lives_options *options = lives->options;
	int rc = OC_OK;

	for (size_t i = 0; rc == OC_OK && i < options->input_count; i++)
		rc = oev_replay_folder_add(folder, options->inputs[i], lives->error);
	if (rc != OC_OK)
		return rc;
	oev_replay_folder_order(folder, options->node);
	lives->window = (struct oev_replay_window){ options->since_us, options->until_us };
	if (options->last_us != 0 && options->last_us < folder->until_us)
		lives->window.since_us = folder->until_us - options->last_us;
	for (size_t i = 0; i < folder->count; i++)
		lives->all += folder->segments[i].decisions;
	if (folder->count > 0)
		return OC_OK;
	snprintf(lives->error, OEV_REPLAY_ERROR_MAX, "no segment recorded by node %s",
		 options->node != NULL ? options->node : "?");
	return OC_ENOENT;
}

static bool is_outside(const struct oev_lives *lives, const struct oev_replay_life *life)
{
	return life->until_us < lives->window.since_us || life->started_us >= lives->window.until_us;
}

static int do_life(struct oev_lives *lives, const struct oev_life_segment *segments, uint32_t count)
{
	struct oev_replay_life *life = calloc(1, sizeof(*life));

	if (life == NULL)
		return OC_ENOMEM;
	int rc = oev_replay_life_load(life, segments, count, &lives->window, lives->error);
	if (rc == OC_OK && !is_outside(lives, life))
		rc = lives->life(lives->ctx, life);
	lives->done += life->decisions;
	oev_replay_life_fini(life);
	free(life);
	return rc;
}

int oev_lives_walk(struct oev_lives *lives)
{
	struct oev_replay_folder folder = { 0 };
	int rc = find_all(lives, &folder);

	for (size_t i = 0; rc == OC_OK && i < folder.count;) {
		uint32_t count = oev_replay_folder_life(&folder, i);
		rc = do_life(lives, &folder.segments[i], count);
		i += count;
	}
	oev_replay_folder_fini(&folder);
	return rc;
}

void oev_lives_progress(const struct oev_lives *lives, uint64_t done)
{
	if (lives->options->progress != NULL)
		lives->options->progress(lives->options->ctx, lives->done + done, lives->all);
}

bool oev_lives_stop(const struct oev_lives *lives)
{
	return lives->options->stop != NULL && lives->options->stop(lives->options->ctx);
}
