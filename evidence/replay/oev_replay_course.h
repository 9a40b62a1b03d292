/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One life done again and judged. Private to oev_replay.
 */
#pragma once

#include "../../agent/oc_replay.h"
#include "oev_replay.h"

/* What the work on one life needs: the first five by the caller, the rest zero. */
struct oev_course {
	struct oev_replay *result;
	const struct oev_lives *lives;
	struct oev_replayed_life *told; /* in result->lives */
	const struct oev_replay_life *life;
	size_t first; /* difference of this life in result->differences */
	struct oc_replay *replay;
	uint64_t inexact; /* seen so far */
};

/* Does it, and fills told, result->differences and result->error. Returns as oev_replay_run(). */
int oev_course_run(struct oev_course *course);
