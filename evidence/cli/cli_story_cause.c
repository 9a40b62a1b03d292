/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Who causes it: senders that offer more than they usually did before the trouble, and whether they slow down.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../app/oev_cut.h"
#include "cli_board_cells.h"
#include "cli_series.h"
#include "cli_story.h"

#define NOW_S 10    /* "now" is the mean of so many seconds */
#define USUAL_S 300 /* "usual" is the median of so many seconds before */
#define STORM 2.0   /* so many times its usual is a storm */
#define WORTH 0.05  /* of all that is offered: less excess is no cause */
#define OF_ONE 0.2  /* of the excess: nobody below that is named */
#define EASES 0.9   /* of what it sent before: it slows down */

struct sender {
	const char *name;
	double offered, usual, refused, earlier, excess;
};

static struct sender sender_of(const json_t *entry, int held)
{
	struct sender out = { .name = json_string_value(json_object_get(entry, "node")) };

	out.offered = cli_series_mean(entry, "client", "requests", (struct cli_span){ NOW_S - 1, 0 });
	out.refused = cli_series_mean(entry, "client", "refused", (struct cli_span){ NOW_S - 1, 0 });
	out.earlier = cli_series_mean(entry, "client", "requests", (struct cli_span){ 30, 20 });
	out.usual =
		cli_series_median(entry, "client", "requests", (struct cli_span){ held + USUAL_S, held + 1 });
	return out;
}

struct sum {
	struct sender top;
	unsigned senders, storms;
	double offered, excess, usual;
};

static struct sum sum_of(const json_t *series, int held)
{
	struct sum sum = { 0 };
	json_t *entry;
	size_t i;

	json_array_foreach(json_object_get(series, "nodes"), i, entry)
	{
		struct sender sender = sender_of(entry, held);
		if (!(sender.offered > 0) || sender.name == NULL)
			continue;
		sender.excess = isnan(sender.usual) ? 0 : fmax(0, sender.offered - sender.usual);
		sum.senders++;
		sum.storms += sender.usual >= 0 && sender.offered >= STORM * sender.usual;
		sum.offered += sender.offered;
		sum.usual += sender.usual > 0 ? sender.usual : 0;
		sum.excess += sender.excess;
		if (sum.top.name == NULL || sender.excess > sum.top.excess)
			sum.top = sender;
	}
	return sum;
}

static void say_one(const struct sum *sum, char *out)
{
	const struct sender *top = &sum->top;
	char offered[40], refused[40], times[64] = "which sent nothing before";
	bool eases = top->offered < EASES * top->earlier;

	if (top->usual > 0)
		snprintf(times, sizeof(times), "%.1f times its usual", top->offered / top->usual);
	int len = snprintf(out, CLI_STORY_TEXT, "%.0f %% of the excess comes from %.*s: %s/s offered, %s; ",
			   100 * top->excess / sum->excess, oev_cut(top->name, 255), top->name,
			   cli_grouped(top->offered, offered, sizeof(offered)), times);
	if (eases || !(top->refused >= 0.5))
		snprintf(out + len, CLI_STORY_TEXT - (size_t)len,
			 eases ? "it slows down" : "it does not slow down");
	else
		snprintf(out + len, CLI_STORY_TEXT - (size_t)len,
			 "it does not slow down although %s/s are refused",
			 cli_grouped(top->refused, refused, sizeof(refused)));
}

void cli_story_cause(const json_t *series, double held_s, char *out)
{
	struct sum sum = sum_of(series, (int)fmax(0, fmin(held_s, CLI_SERIES_SECONDS)));

	/* Where nobody sent anything before, nothing says what is usual. */
	if (series == NULL || sum.usual <= 0 || sum.excess <= WORTH * sum.offered) {
		snprintf(out, CLI_STORY_TEXT, "%s",
			 series == NULL	 ? "who causes it is not known here"
			 : sum.usual > 0 ? "nobody sends more than usual"
					 : "who causes it is not known: nothing was recorded before");
		return;
	}
	if (sum.top.excess < OF_ONE * sum.excess)
		snprintf(out, CLI_STORY_TEXT,
			 "the excess comes from many: %u of %u senders offer twice their usual or more, none "
			 "of "
			 "them makes up a fifth of it",
			 sum.storms, sum.senders);
	else
		say_one(&sum, out);
}
