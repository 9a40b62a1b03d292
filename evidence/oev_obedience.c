/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What a sender offered, held against what it was told.
 */
#include "oev_obedience.h"

#include <math.h>

#define SIGMAS 5.0
#define TOO_FEW 25.0 /* expected at the old rate: below, five deviations are more than all of them */

const char *oev_obedience_text(enum oev_obedience obedience)
{
	static const char *const words[] = { "obeyed",	      "went_on", "held_here", "too_few", "not_told",
					     "not_addressed", "absent",	 "partly",    "unknown" };
	_Static_assert(sizeof(words) / sizeof(words[0]) == OEV_OBEDIENCE_COUNT, "one word per kind");
	return words[obedience];
}

const char *oev_obedience_why(enum oev_obedience obedience)
{
	static const char *const words[] = {
		"it was told, and sent as few as asked",
		"it was told, and went on as before",
		"this node held back in its place",
		"cannot be told: it sent too few requests for a difference beyond chance",
		"cannot be told: no answer that carried the report went to it",
		"cannot be told: its requests name no host, so it cannot know which of them the report means",
		"it sent nothing in scope before the report or while it was in force",
		"it was told, and sent more than asked, fewer than before",
		"cannot be told: nothing tells what it sent before, or events were lost"
	};
	_Static_assert(sizeof(words) / sizeof(words[0]) == OEV_OBEDIENCE_COUNT, "one reason per kind");
	return words[obedience];
}

bool oev_obedience_is_open(enum oev_obedience obedience)
{
	return obedience == OEV_TOO_FEW || obedience == OEV_NOT_TOLD || obedience == OEV_NOT_ADDRESSED ||
	       obedience == OEV_UNKNOWN;
}

int oev_obedience_rank(enum oev_obedience obedience)
{
	return obedience == OEV_WENT_ON ? 0 : obedience == OEV_PARTLY ? 1 : 2;
}

/* Requests that what was asked would let one offer, of @usual at its old rate. */
static double expected_of(const struct oev_demand *asked, double usual)
{
	if (!(asked->active_s > 0))
		return usual;
	double left = usual * (1.0 - asked->share_s / asked->active_s);
	double rated = asked->allowed + usual * asked->untold_s / asked->active_s;

	return asked->allowed > 0 && rated < left ? rated : left;
}

/* What it offered, held against what it would have offered by its rate before: told by chance as far as that is, both of how many
 * came before and of how many came during. */
static enum oev_obedience compare(const struct oev_conduct *conduct, double usual, double expected)
{
	double seen = (double)conduct->during, part = usual > 0 ? expected / usual : 0;
	double before = usual * conduct->times_before; /* variance of usual */

	if (usual < TOO_FEW || usual - expected < SIGMAS * sqrt(usual + before))
		return OEV_TOO_FEW;
	if (seen <= expected + SIGMAS * sqrt(expected + before * part * part))
		return OEV_OBEYED;
	return seen > (usual + expected) / 2 ? OEV_WENT_ON : OEV_PARTLY;
}

/* OEV_OBEYED: nothing stands against a comparison. */
static enum oev_obedience without_numbers(const struct oev_conduct *conduct)
{
	if (conduct->seen == 0)
		return OEV_ABSENT;
	if (conduct->is_peer || conduct->reacting * 2 < conduct->seen)
		return OEV_HELD_HERE;
	if (conduct->before + conduct->during == 0 && conduct->unaddressed > 0)
		return OEV_NOT_ADDRESSED;
	if (conduct->has_loss)
		return OEV_UNKNOWN;
	if (conduct->told == 0)
		return OEV_NOT_TOLD;
	return conduct->knows_before ? OEV_OBEYED : OEV_UNKNOWN;
}

struct oev_judgement oev_obedience_judge(const struct oev_conduct *conduct)
{
	struct oev_judgement out = { .obedience = without_numbers(conduct) };

	out.usual = (double)conduct->before * conduct->times_before;
	out.expected = expected_of(&conduct->asked, out.usual);
	if (out.obedience == OEV_OBEYED)
		out.obedience = compare(conduct, out.usual, out.expected);
	return out;
}
