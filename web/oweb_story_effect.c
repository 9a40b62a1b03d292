/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Does it help: by what is sent to the nodes a state is about, and what they answer, now and before it was asked for.
 */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "oweb_inner.h"
#include "oweb_story.h"
#include "oweb_view.h"
#include "oweb_words.h"

#define NOW_S 10     /* "now" is the mean of so many seconds */
#define BEFORE_S 30  /* "before" is the mean of so many seconds before a state was held */
#define EARLY_S 3    /* so long nothing is said of the effect */
#define NOTABLE 0.05 /* of a rate: less is no change */
#define BETTER 0.02  /* of the useful share of answers, likewise */
#define GOOD 0.95    /* a useful share that nothing has to be done about */
#define SHOWN 0.005  /* less is 0 % */

enum verdict { NOTHING_BEFORE, HELPS, LESS, NO_CHANGE, SERVES, NO_HELP };

/* Of a realm all nodes whose names lie in it. */
static bool is_about(const struct oc_ocs_view *ocs, const char *subject, const char *node)
{
	size_t len = strlen(node), of = strlen(subject);

	if (ocs->type != OC_REPORT_REALM)
		return strcasecmp(subject, node) == 0;
	return len > of + 1 && node[len - of - 1] == '.' && strcasecmp(node + len - of, subject) == 0;
}

static void add(double *sum, double value)
{
	if (!isnan(value))
		*sum = (isnan(*sum) ? 0 : *sum) + value;
}

/* Adds the node that was looked at. */
static void add_node(struct oweb_change *change, const struct oweb_past *past, enum oweb_column column,
		     int for_s)
{
	int now = for_s - 1 < NOW_S - 1 ? for_s - 1 : NOW_S - 1;

	add(&change->now, oweb_past_mean(past, column, (struct oweb_span){ now, 0 }));
	add(&change->before, oweb_past_mean(past, column, (struct oweb_span){ for_s + BEFORE_S, for_s + 2 }));
}

struct oweb_effect oweb_story_effect_of(const struct oweb_server *server, struct oweb_past *past,
					const struct oc_ocs_view *ocs)
{
	static const struct oweb_change unknown = { NAN, NAN };
	struct oweb_effect effect = { .is_recorded = past != NULL,
				      .for_s = oweb_seconds_since(ocs->begun_ns, oweb_server_now_ns(server)),
				      .asked =
					      ocs->algorithm == OC_ALGO_RATE ? 0 : ocs->reduction_pct / 100.0,
				      .sent = unknown,
				      .useful = unknown,
				      .answers = unknown };
	int for_s = effect.for_s < OEV_WATCH_SECONDS ? (int)effect.for_s : (int)OEV_WATCH_SECONDS;

	for (uint32_t i = 0; past != NULL && i < past->nodes; i++) {
		if (!is_about(ocs, oweb_view_name(server, ocs->subject),
			      oweb_view_name(server, past->node[i].name)))
			continue;
		oweb_past_look(past, i, OEV_WATCH_SERVER);
		add_node(&effect.sent, past, OWEB_COLUMN_SENT, for_s);
		add_node(&effect.useful, past, OWEB_COLUMN_USEFUL, for_s);
		add_node(&effect.answers, past, OWEB_COLUMN_ANSWERS, for_s);
	}
	return effect;
}

/* How much it rose, as part of what it was. */
static double gain(const struct oweb_change *of)
{
	if (of->before > 0)
		return of->now / of->before - 1;
	return of->now > 0 ? INFINITY : 0;
}

static enum verdict judge(const struct oweb_effect *e)
{
	double share = e->useful.now / e->answers.now,
	       was = e->answers.before > 0 ? e->useful.before / e->answers.before : 0, sent = gain(&e->sent),
	       useful = gain(&e->useful);

	if (!(e->sent.before > 0))
		return NOTHING_BEFORE;
	bool is_better = share > was + BETTER || (useful > NOTABLE && useful > sent + NOTABLE);
	bool has_fallen = sent <= -(e->asked > 0 ? e->asked / 2 : NOTABLE);
	if (is_better)
		return HELPS;
	if (has_fallen && share >= GOOD)
		return LESS; /* its answers were good before: that less arrives is all that is seen */
	if (fabs(sent) <= NOTABLE && fabs(useful) <= NOTABLE && fabs(share - was) <= BETTER)
		return NO_CHANGE;
	return share >= GOOD ? SERVES
			     : NO_HELP; /* load may rise, and a realm's report is about part of it only */
}

static void say_sent(struct oweb_sentence *sentence, const struct oweb_effect *e, enum verdict verdict)
{
	double change = gain(&e->sent);

	if (verdict == NOTHING_BEFORE)
		return;
	if (verdict == NO_CHANGE || fabs(change) <= SHOWN)
		oweb_sentence_say(sentence, "what is sent there stayed the same, ");
	else
		oweb_sentence_say(sentence, "what is sent there %s %.0f %%, ", change < 0 ? "fell" : "rose",
				  100 * fabs(change));
}

static void say_verdict(struct oweb_sentence *sentence, const struct oweb_effect *e)
{
	static const char *const words[] = {
		[NOTHING_BEFORE] = "whether it helps is not known, nothing before to compare with",
		[HELPS] = "it helps",
		[LESS] = "less arrives there",
		[NO_CHANGE] = "no change seen",
		[SERVES] = "it serves what it gets",
		[NO_HELP] = "it does not help"
	};
	enum verdict verdict = judge(e);
	char text[OWEB_WORDS_MAX];

	oweb_sentence_say(sentence, "%s: ", words[verdict]);
	say_sent(sentence, e, verdict);
	oweb_sentence_say(sentence, "useful answers %s", oweb_words_rate(e->useful.now, text));
	if (!isnan(e->useful.before))
		oweb_sentence_say(sentence, ", %s before", oweb_words_rate(e->useful.before, text));
}

void oweb_story_effect(struct oweb_sentence *sentence, const struct oweb_effect *e)
{
	if (!e->is_recorded)
		oweb_sentence_say(sentence,
				  "whether it helps is not known here: nothing tells of the last minutes");
	else if (e->for_s < EARLY_S)
		oweb_sentence_say(sentence, "too early to tell whether it helps");
	else if (!(e->answers.now > 0))
		oweb_sentence_say(sentence, e->sent.now > 0
						    ? "it answers nothing, so nothing is claimed about the "
						      "effect"
						    : "no traffic to it is seen here, so nothing is "
						      "claimed about the effect");
	else
		say_verdict(sentence, e);
}
