/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Whether a report helps, by the rule of the page (effect() of web/assets/story.js): only what changed since before is an effect.
 */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "cli_board_cells.h"
#include "cli_series.h"
#include "cli_story.h"

#define NOW_S 10     /* "now" is the mean of so many seconds */
#define BEFORE_S 30  /* "before" is the mean of so many seconds before a state was held */
#define EARLY_S 3    /* so long nothing is said of the effect */
#define NOTABLE 0.05 /* of a rate: less is no change */
#define BETTER 0.02  /* of the useful share of answers, likewise */
#define GOOD 0.95    /* a useful share that nothing has to be done about */

/* One column of all nodes a state is about, now and before it was held; NaN when it is known of none. */
struct change {
	double now, before;
};

struct receipts {
	struct change sent, useful, answers;
};

enum verdict { NOTHING_BEFORE, HELPS, NO_CHANGE, NO_HELP };

static void add(double *sum, double value)
{
	if (!isnan(value))
		*sum = (isnan(*sum) ? 0 : *sum) + value;
}

/* Of a realm all nodes whose names lie in it. */
static bool is_about(const json_t *state, const char *node)
{
	const char *subject = json_string_value(json_object_get(state, "subject"));
	size_t len = strlen(node), of = subject != NULL ? strlen(subject) : 0;

	if (subject == NULL || !cli_is(state, "type", "realm"))
		return subject != NULL && strcasecmp(subject, node) == 0;
	return len > of + 1 && node[len - of - 1] == '.' && strcasecmp(node + len - of, subject) == 0;
}

double cli_story_lasting(const json_t *state)
{
	return cli_number(state, "condition_seconds", cli_number(state, "held_seconds", 0));
}

static struct change change_of(const json_t *series, const json_t *state, const char *column)
{
	int held = (int)fmax(0, fmin(cli_story_lasting(state), CLI_SERIES_SECONDS)),
	    now = held - 1 < NOW_S - 1 ? held - 1 : NOW_S - 1;
	struct change out = { .now = NAN, .before = NAN };
	json_t *entry;
	size_t i;

	json_array_foreach(json_object_get(series, "nodes"), i, entry)
	{
		const char *node = json_string_value(json_object_get(entry, "node"));
		if (node == NULL || !is_about(state, node))
			continue;
		add(&out.now, cli_series_mean(entry, "server", column, (struct cli_span){ now, 0 }));
		add(&out.before,
		    cli_series_mean(entry, "server", column, (struct cli_span){ held + BEFORE_S, held + 2 }));
	}
	return out;
}

/* How much it rose, as part of what it was. */
static double gain(const struct change *of)
{
	if (of->before > 0)
		return of->now / of->before - 1;
	return of->now > 0 ? INFINITY : 0;
}

/* @asked: the share to be taken away, 0 when a rate is asked for. */
static enum verdict judge(const struct receipts *r, double asked)
{
	double share = r->useful.now / r->answers.now,
	       was = r->answers.before > 0 ? r->useful.before / r->answers.before : 0, sent = gain(&r->sent),
	       useful = gain(&r->useful);

	if (!(r->sent.before > 0))
		return NOTHING_BEFORE;
	bool is_better = share > was + BETTER || (useful > NOTABLE && useful > sent + NOTABLE);
	bool has_fallen = sent <= -(asked > 0 ? asked / 2 : NOTABLE);
	if (is_better || (has_fallen && share >= GOOD))
		return HELPS;
	return fabs(sent) <= NOTABLE && fabs(useful) <= NOTABLE && fabs(share - was) <= BETTER ? NO_CHANGE
											       : NO_HELP;
}

static const char *rate_text(double value, char out[static 40])
{
	if (value < 10)
		snprintf(out, 40, "%.1f/s", value);
	else
		snprintf(out, 40, "%s/s", cli_grouped(value, (char[40]){ 0 }, 40));
	return out;
}

static void put_sent(FILE *out, const struct receipts *r, enum verdict verdict)
{
	double change = gain(&r->sent);

	if (verdict == NO_CHANGE || fabs(change) <= 0.005)
		fputs("what is sent there stayed the same, ", out);
	else if (verdict != NOTHING_BEFORE)
		fprintf(out, "what is sent there %s %.0f %%, ", change < 0 ? "fell" : "rose",
			100 * fabs(change));
}

static void put_verdict(FILE *out, const struct receipts *r, const json_t *state)
{
	static const char *const words[] = {
		[NOTHING_BEFORE] = "whether it helps is not known, nothing before to compare with",
		[HELPS] = "it helps",
		[NO_CHANGE] = "no change seen",
		[NO_HELP] = "it does not help"
	};
	double asked = cli_is(state, "algorithm", "rate") ? 0 : cli_number(state, "reduction_ratio", 0);
	enum verdict verdict = judge(r, asked);
	char text[40];

	fprintf(out, "%s: ", words[verdict]);
	put_sent(out, r, verdict);
	fprintf(out, "useful answers %s", rate_text(r->useful.now, text));
	if (!isnan(r->useful.before))
		fprintf(out, ", %s before", rate_text(r->useful.before, text));
}

void cli_story_effect(FILE *out, const json_t *series, const json_t *state)
{
	const struct receipts r = { .sent = change_of(series, state, "sent"),
				    .useful = change_of(series, state, "useful"),
				    .answers = change_of(series, state, "answers") };

	if (series == NULL)
		fputs("whether it helps is not known here: nothing tells of the last minutes", out);
	else if (cli_story_lasting(state) < EARLY_S)
		fputs("too early to tell whether it helps", out);
	else if (!(r.answers.now > 0))
		fputs(r.sent.now > 0
			      ? "it answers nothing, so nothing is claimed about the effect"
			      : "no traffic to it is seen here, so nothing is claimed about the effect",
		      out);
	else
		put_verdict(out, &r, state);
}
