/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Outcomes, exit codes, and the line that is said first.
 */
#include <inttypes.h>
#include <stdio.h>

#include "../audit/oev_audit.h"
#include "oev_replay.h"

const char *oev_replay_outcome_text(enum oev_replay_outcome outcome)
{
	static const char *const texts[OEV_REPLAY_OUTCOME_COUNT] = { "identical", "differs", "cannot_tell",
								     "unusable",  "usage",   "interrupted",
								     "bug" };

	return outcome < OEV_REPLAY_OUTCOME_COUNT ? texts[outcome] : "?";
}

int oev_replay_exit(enum oev_replay_outcome outcome)
{
	static const int codes[OEV_REPLAY_OUTCOME_COUNT] = {
		[OEV_REPLAY_IDENTICAL] = 0, [OEV_REPLAY_DIFFERS] = 1, [OEV_REPLAY_UNSURE] = 3,
		[OEV_REPLAY_UNUSABLE] = 4,  [OEV_REPLAY_USAGE] = 2,   [OEV_REPLAY_INTERRUPTED] = 130,
		[OEV_REPLAY_BUG] = 70,
	};

	return outcome < OEV_REPLAY_OUTCOME_COUNT ? codes[outcome] : 70;
}

/* "policy v1", "policies v1 to v3" "3 lives" ... */
static void policies(const struct oev_replay *replay, char *out, size_t size)
{
	const struct oev_replayed_life *life = replay->life_count == 1 ? &replay->lives[0] : NULL;

	if (life == NULL)
		snprintf(out, size, "%zu lives", replay->life_count);
	else if (life->policy_first == life->policy_last)
		snprintf(out, size, "policy v%" PRIu32, life->policy_first);
	else
		snprintf(out, size, "policies v%" PRIu32 " to v%" PRIu32, life->policy_first,
			 life->policy_last);
}

static bool same_core(const struct oev_replay *replay)
{
	for (size_t i = 0; i < replay->life_count; i++)
		if (!replay->lives[i].same_core)
			return false;
	return true;
}

static const struct oev_replayed_life *first_with(const struct oev_replay *replay,
						  enum oev_replay_outcome outcome)
{
	for (size_t i = 0; i < replay->life_count; i++)
		if (replay->lives[i].outcome == outcome)
			return &replay->lives[i];
	return NULL;
}

static void unsure(const struct oev_replay *replay, char *out, size_t size)
{
	const struct oev_replayed_life *life = first_with(replay, OEV_REPLAY_UNSURE);
	char done[32];

	oev_number_text(replay->total.decisions - replay->total.differing - replay->total.inexact, done);
	if (life == NULL)
		snprintf(out, size, "CANNOT TELL  no decision in the window");
	else
		snprintf(out, size, "CANNOT TELL  %s; %s decisions are identical", life->why, done);
}

static void differs(const struct oev_replay *replay, char *out, size_t size)
{
	char count[32], all[32], id[32];

	oev_number_text(replay->total.differing, count);
	oev_number_text(replay->total.decisions, all);
	oev_number_text(replay->difference_count > 0 ? replay->differences[0].recorded.id
						     : replay->total.first_differing,
			id);
	snprintf(out, size, "DIFFERS  %s of %s decisions, the first is decision %s: %s", count, all, id,
		 replay->difference_count > 0 ? replay->differences[0].field : "?");
}

void oev_replay_verdict(const struct oev_replay *replay, char *out, size_t size)
{
	char count[32], words[64];

	switch (replay->outcome) {
	case OEV_REPLAY_IDENTICAL:
		oev_number_text(replay->total.decisions, count);
		policies(replay, words, sizeof(words));
		snprintf(out, size, "IDENTICAL  %s decisions, %s, %s", count, words,
			 same_core(replay) ? "same core" : "another version of the core");
		break;
	case OEV_REPLAY_DIFFERS:
		differs(replay, out, size);
		break;
	case OEV_REPLAY_UNSURE:
		unsure(replay, out, size);
		break;
	case OEV_REPLAY_INTERRUPTED:
		oev_number_text(replay->total.decisions, count);
		snprintf(out, size, "INTERRUPTED  after %s decisions, %" PRIu64 " of which differ", count,
			 replay->total.differing);
		break;
	default:
		snprintf(out, size, "%s", replay->error);
	}
}
