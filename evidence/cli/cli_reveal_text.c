/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A revelation for people: one verdict line, then what there is of each identity.
 */
#include <inttypes.h>
#include <libsmartcols.h>
#include <string.h>

#include "../audit/oev_audit.h"
#include "../oev_time.h"
#include "cli.h"
#include "cli_reveal.h"

#define SESSIONS_SHORT 5u /* of one subscriber, without -v */
#define TEXT_MAX 256u	  /* of an identity on the screen */

static const char *color_of(enum oev_reveal_outcome outcome)
{
	return outcome == OEV_REVEAL_FOUND	 ? "\033[1;32m"
	       : outcome == OEV_REVEAL_NOT_FOUND ? "\033[1;31m"
						 : "\033[1;33m";
}

/* @text as far as it can be shown: from a network, or a file somebody else wrote. */
static const char *shown(const char *text, char buf[static TEXT_MAX])
{
	snprintf(buf, TEXT_MAX, "%s", text);
	return cli_safe(buf);
}

struct tally {
	uint64_t found, absent, unsure;
};

static void count(struct tally *tally, enum oev_reveal_outcome outcome)
{
	tally->found += outcome == OEV_REVEAL_FOUND;
	tally->absent += outcome == OEV_REVEAL_NOT_FOUND;
	tally->unsure += outcome == OEV_REVEAL_CANNOT_TELL;
}

static void print_verdict(const struct oev_reveal *reveal, const struct cli_reveal_view *view)
{
	struct tally tally = { 0 };
	char number[32], error[sizeof(reveal->error)];

	for (uint32_t i = 0; i < reveal->asked.count; i++)
		count(&tally, oev_reveal_of(reveal, &reveal->asked.items[i]));
	for (size_t i = 0; i < reveal->answer_count; i++)
		count(&tally, oev_reveal_of_answer(reveal, &reveal->answers[i]));
	fprintf(view->out, "%s%s%s  %s found", view->color ? color_of(reveal->outcome) : "",
		oev_reveal_title(reveal->outcome), view->color ? "\033[0m" : "",
		oev_number_text(tally.found, number));
	if (tally.absent > 0)
		fprintf(view->out, ", %s not %s", oev_number_text(tally.absent, number),
			reveal->answer_count > 0 ? "among the candidates"
						 : "in this evidence under this key");
	if (tally.unsure > 0)
		fprintf(view->out, ", %s cannot be told", oev_number_text(tally.unsure, number));
	snprintf(error, sizeof(error), "%s", reveal->error);
	fprintf(view->out, "%s%s\n", error[0] != '\0' ? ": " : "", cli_safe(error));
}

static void print_spot(const struct oev_reveal *reveal, const char *word, const struct oev_spot *spot,
		       FILE *out)
{
	char at[OEV_TIME_TEXT_MAX], name[TEXT_MAX];

	oev_time_text(spot->wall_us, at);
	fprintf(out, "    %s  %s  decision %" PRIu64 " of %s\n", word, at, spot->decision,
		shown(reveal->segments[spot->segment].name, name));
}

static void add_session(struct libscols_table *table, const struct oev_trace *session)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);
	char text[TEXT_MAX], number[32];

	if (line == NULL)
		return;
	snprintf(text, sizeof(text), "%" PRIu64, session->pseudonym);
	scols_line_set_data(line, 0, text);
	scols_line_set_data(line, 1, oev_number_text(session->decisions, number));
	scols_line_set_data(line, 2, oev_number_text(session->diverted, number));
	scols_line_set_data(line, 3, oev_number_text(session->refused, number));
	oev_time_text(session->first.wall_us, text);
	scols_line_set_data(line, 4, text);
	oev_time_text(session->last.wall_us, text);
	scols_line_set_data(line, 5, text);
	scols_line_set_data(line, 6, session->text != NULL ? shown(session->text, text) : "");
}

static void print_sessions(const struct oev_reveal *reveal, const struct oev_trace *trace,
			   const struct cli_reveal_view *view)
{
	static const char *const columns[] = { ">session", ">decisions", ">diverted",  ">refused",
					       "first",	   "last",	 "Session-Id", NULL };
	struct libscols_table *table = trace->session_count > 0 ? cli_table_new(false, columns) : NULL;
	uint32_t at = trace->sessions, left = trace->session_count;
	char number[32];

	if (table == NULL)
		return;
	for (; at != OEV_TRACE_NONE && (view->verbose || trace->session_count - left < SESSIONS_SHORT);
	     left--) {
		add_session(table, &reveal->sessions.items[at]);
		at = reveal->sessions.items[at].next;
	}
	cli_table_print(table, view->out);
	if (left > 0)
		fprintf(view->out, "    ... and %s more sessions (-v)\n", oev_number_text(left, number));
	if (trace->has_more)
		fprintf(view->out, "    ... and further ones that were not kept\n");
}

static void print_trace(const struct oev_reveal *reveal, const struct oev_trace *trace,
			const struct cli_reveal_view *view)
{
	char numbers[5][32];

	fprintf(view->out, "  %s %" PRIu64 "%s: %s decisions (%s forwarded, %s diverted, %s refused)",
		oc_identity_kind_text(trace->kind), trace->pseudonym, trace->in_table ? ", kept clear" : "",
		oev_number_text(trace->decisions, numbers[0]),
		oev_number_text(trace->decisions - trace->diverted - trace->refused, numbers[1]),
		oev_number_text(trace->diverted, numbers[2]), oev_number_text(trace->refused, numbers[3]));
	if (trace->session_count > 0)
		fprintf(view->out, " in %s%s sessions", trace->has_more ? "more than " : "",
			oev_number_text(trace->session_count, numbers[4]));
	fputc('\n', view->out);
	if (trace->decisions == 0)
		return;
	print_spot(reveal, "first", &trace->first, view->out);
	print_spot(reveal, "last ", &trace->last, view->out);
	print_sessions(reveal, trace, view);
}

static void print_identity(const struct oev_reveal *reveal, const struct oev_identity *identity,
			   const struct cli_reveal_view *view)
{
	enum oev_reveal_outcome outcome = oev_reveal_of(reveal, identity);
	char text[TEXT_MAX];

	fprintf(view->out, "%s: %s\n", shown(identity->text, text),
		outcome == OEV_REVEAL_FOUND	  ? "found"
		: outcome == OEV_REVEAL_NOT_FOUND ? "not in this evidence under this key"
						  : "cannot tell");
	for (uint32_t at = identity->traces; at != OEV_TRACE_NONE; at = reveal->traces.items[at].next) {
		const struct oev_trace *trace = &reveal->traces.items[at];
		if (trace->decisions > 0 || trace->in_table || view->verbose)
			print_trace(reveal, trace, view);
	}
}

static void print_answer(const struct oev_reveal *reveal, const struct oev_reveal_answer *answer, FILE *out)
{
	char text[TEXT_MAX];

	if (answer->text != NULL)
		fprintf(out, "%" PRIu64 ": %s %s%s\n", answer->pseudonym, oc_identity_kind_text(answer->kind),
			shown(answer->text, text), answer->in_table ? " (kept clear)" : "");
	else
		fprintf(out, "%" PRIu64 ": %s\n", answer->pseudonym,
			oev_reveal_of_answer(reveal, answer) == OEV_REVEAL_NOT_FOUND
				? "none of the candidates"
				: "cannot tell");
}

static void print_notes(const struct oev_reveal *reveal, const struct cli_reveal_view *view)
{
	char number[3][32], text[TEXT_MAX];

	for (size_t i = 0; i < reveal->segment_count; i++)
		if (reveal->segments[i].why[0] != '\0')
			fprintf(view->out, "not read: %s: %s\n", shown(reveal->segments[i].name, text),
				reveal->segments[i].why);
	if (reveal->gap_events > 0)
		fprintf(view->out,
			"note: the recorder could not keep %s events; decisions may be among them\n",
			oev_number_text(reveal->gap_events, number[0]));
	fprintf(view->out, "read %s decisions of %s segments for %s identities, %.1f s",
		oev_number_text(reveal->decisions, number[0]),
		oev_number_text(reveal->segment_count, number[1]),
		oev_number_text(reveal->candidates, number[2]), view->took_s);
	if (reveal->key_print[0] != '\0')
		fprintf(view->out, "; key %s%s", reveal->key_print,
			reveal->key == OEV_REVEAL_KEY_SAME ? ", the one of this folder" : "");
	fputc('\n', view->out);
}

void cli_reveal_print(const struct oev_reveal *reveal, const struct cli_reveal_view *view)
{
	print_verdict(reveal, view);
	if (view->quiet)
		return;
	for (uint32_t i = 0; i < reveal->asked.count; i++)
		print_identity(reveal, &reveal->asked.items[i], view);
	for (size_t i = 0; i < reveal->answer_count; i++)
		print_answer(reveal, &reveal->answers[i], view->out);
	print_notes(reveal, view);
}
