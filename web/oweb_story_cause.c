/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Who causes it: senders that offer more than they usually did before the trouble, and whether they slow down.
 */
#include <math.h>
#include <string.h>

#include "oweb_inner.h"
#include "oweb_story.h"
#include "oweb_view.h"
#include "oweb_words.h"

#define NOW_S 10    /* "now" is the mean of so many seconds */
#define USUAL_S 300 /* "usual" is the median of so many seconds before */
#define STORM 2.0   /* so many times its usual is a storm */
#define WORTH 0.05  /* of all that is offered: less excess is no cause */
#define OF_ONE 0.2  /* of the excess: nobody below that is named */
#define EASES 0.9   /* of what it sent before: it slows down */
#define SHOWN 0.05  /* of a rate: less is 0/s */

struct sender {
	uint32_t name; /* 0 none */
	double offered, usual, refused, earlier, excess;
};

struct sum {
	struct sender top;
	unsigned senders, storms;
	double offered, excess, usual;
};

static struct sender sender_of(struct oweb_past *past, uint32_t node, int for_s)
{
	struct sender out = { .name = past->node[node].name };

	oweb_past_look(past, node, OEV_WATCH_CLIENT);
	out.offered = oweb_past_mean(past, OWEB_COLUMN_REQUESTS, (struct oweb_span){ NOW_S - 1, 0 });
	if (!(out.offered > 0))
		return out;
	out.refused = oweb_past_mean(past, OWEB_COLUMN_REFUSED, (struct oweb_span){ NOW_S - 1, 0 });
	out.earlier = oweb_past_mean(past, OWEB_COLUMN_REQUESTS, (struct oweb_span){ 30, 20 });
	out.usual = oweb_past_median(past, OWEB_COLUMN_REQUESTS,
				     (struct oweb_span){ for_s + USUAL_S, for_s + 1 });
	out.excess = isnan(out.usual) ? 0 : fmax(0, out.offered - out.usual);
	return out;
}

static bool is_storm(const struct sender *sender)
{
	return sender->usual >= 0 && sender->offered >= STORM * sender->usual;
}

static struct sum sum_of(struct oweb_past *past, int for_s)
{
	struct sum sum = { 0 };

	for (uint32_t i = 0; i < past->nodes; i++) {
		struct sender sender = sender_of(past, i, for_s);
		if (!(sender.offered > 0))
			continue;
		sum.senders++;
		sum.storms += is_storm(&sender);
		sum.offered += sender.offered;
		sum.usual += sender.usual > 0 ? sender.usual : 0;
		sum.excess += sender.excess;
		if (sum.top.name == 0 || sender.excess > sum.top.excess)
			sum.top = sender;
	}
	return sum;
}

static json_t *say_one(const struct oweb_server *server, const struct sum *sum)
{
	const struct sender *top = &sum->top;
	struct oweb_sentence sentence = { 0 };
	char text[OWEB_WORDS_MAX];
	bool eases = top->offered < EASES * top->earlier;

	oweb_sentence_say(&sentence, "%.0f %% of the excess comes from ", 100 * top->excess / sum->excess);
	oweb_sentence_node(&sentence, oweb_view_name(server, top->name));
	oweb_sentence_say(&sentence, ": %s offered, ", oweb_words_rate(top->offered, text));
	if (top->usual > 0)
		oweb_sentence_say(&sentence, "%.1f times its usual; ", top->offered / top->usual);
	else
		oweb_sentence_say(&sentence, "which sent nothing before; ");
	oweb_sentence_say(&sentence, eases ? "it slows down" : "it does not slow down");
	if (!eases && top->refused >= SHOWN)
		oweb_sentence_say(&sentence, " although %s are refused", oweb_words_rate(top->refused, text));
	oweb_sentence_say(&sentence, ".");
	return oweb_sentence_end(&sentence, eases ? "busy" : is_storm(top) ? "bad" : "warn");
}

json_t *oweb_story_cause(const struct oweb_server *server, struct oweb_past *past, uint64_t for_s)
{
	struct sum sum = { 0 };
	struct oweb_sentence sentence = { 0 };

	if (past != NULL)
		sum = sum_of(past, for_s < OEV_WATCH_SECONDS ? (int)for_s : (int)OEV_WATCH_SECONDS);
	/* Where nobody sent anything before, nothing says what is usual. */
	if (sum.usual <= 0 || sum.excess <= WORTH * sum.offered) {
		oweb_sentence_say(&sentence,
				  past == NULL ? "Who causes it is not known here."
				  : sum.usual > 0
					  ? "Nobody sends more than usual."
					  : "Who causes it is not known: nothing was recorded before.");
		return oweb_sentence_end(&sentence, sum.usual > 0 ? "ok" : "busy");
	}
	if (sum.top.excess >= OF_ONE * sum.excess)
		return say_one(server, &sum);
	oweb_sentence_say(
		&sentence,
		"The excess comes from many: %u of %u senders offer twice their usual or more; none of "
		"them makes up a fifth of it.",
		sum.storms, sum.senders);
	return oweb_sentence_end(&sentence, "warn");
}
