/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What is of the whole audit: populations, independent counters, exceptions, gaps, inputs.
 */
#include <inttypes.h>

#include "../app/oev_app.h"
#include "../audit/oev_input_hash.h"
#include "../oev_time.h"
#include "oev_page_out.h"
#include "oev_page_parts.h"

struct step {
	const char *text;
	uint64_t value;
	bool is_removed; /* taken away here, rather than left */
};

static void put_bar(FILE *out, const struct step *step, uint64_t whole)
{
	double part = whole ? 100.0 * (double)step->value / (double)whole : 0;
	char share[32];

	fputs("<tr><th scope=row>", out);
	oev_page_text(out, step->text);
	fputs("</th>", out);
	oev_page_number(out, step->value);
	oev_page_cell(out, oev_share_text(step->value, whole, share), true);
	fprintf(out, "<td class=b><span class='bar%s' style='width:%.2f%%'></span></td></tr>\n",
		step->is_removed ? " r" : "", part);
}

void oev_page_population(FILE *out, const struct oev_audit *audit)
{
	static const char *const heads[] = { "", ">requests", ">of all", "", NULL };
	const struct oev_population *people = &audit->population;
	const struct step steps[] = {
		{ "all requests", people->candidates, false },
		{ "compared with a realm report", people->matched_realm, false },
		{ "compared with a host report", people->matched_host, false },
		{ "passed by realm and host reports", people->survivors, false },
		{ "compared with a peer report", people->matched_peer, false },
		{ "refused by a realm report", people->refused_realm, true },
		{ "refused by a host report", people->refused_host, true },
		{ "refused by a peer report", people->refused_peer, true },
		{ "refused since a peer was full", people->refused_outstanding, true },
		{ "refused for this node's own overload", people->refused_own, true },
		{ "diverted", people->diverted, true },
		{ "forwarded", people->forwarded, false },
		{ "verdicts repeated for a retry", people->remembered, false },
		{ "selected, yet forwarded (observe)", people->observed, false },
		{ "left to clients that react themselves", people->left_to_client, false },
		{ "tried again after a refusal", people->retried_session, false },
		{ "without an outcome", people->without_outcome, false },
	};

	fputs("<section><h2>Populations</h2>\n<p>Percentages of two rows are never to be added up: each is "
	      "of its own population.</p>\n",
	      out);
	oev_page_table(out, "Requests in the window", heads);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (i < 2 || steps[i].value > 0)
			put_bar(out, &steps[i], people->candidates);
	oev_page_table_end(out);
	fputs("</section>\n", out);
}

void oev_page_counters(FILE *out, const struct oev_audit *audit)
{
	static const char *const heads[] = { "node",
					     "application",
					     "counts",
					     ">requests it counted",
					     ">requests in evidence",
					     ">answers it counted",
					     ">answers in evidence",
					     "",
					     NULL };

	if (audit->agreement_count == 0)
		return;
	fputs("<section><h2>Independent counters</h2>\n<p>Two numbers for the same thing stand side by side; "
	      "they are never averaged.</p>\n",
	      out);
	oev_page_table(out, "What clients and servers counted themselves", heads);
	for (size_t i = 0; i < audit->agreement_count; i++) {
		const struct oev_agreement *row = &audit->agreements[i];
		char app[16];
		fputs("<tr>", out);
		oev_page_cell(out, row->file->node, false);
		oev_page_cell(out, oev_app_text(row->app_id, app), false);
		oev_page_cell(out, row->file->role == OEV_ROLE_SERVER ? "as a server" : "as a client", false);
		oev_page_number(out, row->counter_requests);
		oev_page_number(out, row->evidence_requests);
		oev_page_number(out, row->counter_answers);
		oev_page_number(out, row->evidence_answers);
		fprintf(out, "<td class=%s>%s</td></tr>\n",
			row->status == OEV_OK	     ? "ok"
			: row->status == OEV_REFUTED ? "no"
						     : "open",
			row->status == OEV_OK	     ? "\xe2\x97\x8f agree"
			: row->status == OEV_REFUTED ? "\xe2\x9c\x95 differ"
						     : "\xe2\x97\x8b not covered");
	}
	oev_page_table_end(out);
	fputs("</section>\n", out);
}

void oev_page_exceptions(FILE *out, const struct oev_audit *audit)
{
	static const char *const heads[] = { "time", ">number", "what", "detail", NULL };
	uint64_t listed = audit->exception_count < OEV_EXCEPTIONS_LISTED ? audit->exception_count
									 : OEV_EXCEPTIONS_LISTED;
	char when[OEV_TIME_TEXT_MAX], number[32];

	fputs("<section><h2>Exceptions</h2>\n", out);
	if (listed == 0) {
		fputs("<p>None: no decision contradicts the state it names.</p></section>\n", out);
		return;
	}
	oev_page_table(out, "Rows that contradict others", heads);
	for (uint64_t i = 0; i < listed; i++) {
		const struct oev_exception *at = &audit->exceptions[i];
		oev_time_text(at->wall_us, when);
		fputs("<tr>", out);
		oev_page_cell(out, when, false);
		oev_page_number(out, at->id);
		oev_page_cell(out, oev_exception_text(at->kind), false);
		oev_page_cell(out, at->detail, false);
		fputs("</tr>\n", out);
	}
	oev_page_table_end(out);
	if (listed < audit->exception_count)
		fprintf(out, "<p>and %s more.</p>\n",
			oev_number_text(audit->exception_count - listed, number));
	fputs("</section>\n", out);
}

void oev_page_gaps(FILE *out, const struct oev_audit *audit)
{
	static const char *const heads[] = { "after", "before", ">events lost", "reason", "", NULL };
	char since[OEV_TIME_TEXT_MAX], until[OEV_TIME_TEXT_MAX];

	fputs("<section><h2>Gaps</h2>\n", out);
	if (audit->gap_count == 0) {
		fputs("<p>None: every event that was made is in the evidence.</p></section>\n", out);
		return;
	}
	oev_page_table(out, "Where the evidence is not complete", heads);
	for (size_t i = 0; i < audit->gap_count && i < OEV_EXCEPTIONS_LISTED; i++) {
		const struct oev_gap *gap = &audit->gaps[i];
		oev_time_text(gap->since_us, since);
		oev_time_text(gap->wall_us, until);
		fputs("<tr>", out);
		oev_page_cell(out, gap->since_us ? since : "\xe2\x80\x93", false);
		oev_page_cell(out, until, false);
		if (gap->events)
			oev_page_number(out, gap->events);
		else
			oev_page_cell(out, "not known", true);
		oev_page_cell(out, gap->reason, false);
		oev_page_cell(out, gap->in_window ? "in the window" : "outside the window", false);
		fputs("</tr>\n", out);
	}
	oev_page_table_end(out);
	fputs("</section>\n", out);
}

static void put_fact(FILE *out, const char *what, const char *text)
{
	if (text[0] == '\0')
		return;
	fprintf(out, "<p class=facts>%s", what);
	oev_page_text(out, text);
	fputs(".</p>\n", out);
}

static void put_integrity(FILE *out, const struct oev_audit *audit)
{
	const struct oev_integrity *integrity = &audit->integrity;
	bool is_good = integrity->weight == OEV_INTEGRITY_GOOD;
	bool is_bad = integrity->weight == OEV_INTEGRITY_ALTERED;
	char tail[OEV_INTEGRITY_TAIL_MAX], text[OEV_INTEGRITY_TEXT_MAX];

	fputs("<section><h2>Integrity</h2>\n<p>", out);
	if (!integrity->is_checked) {
		fputs("<span class=open>\xe2\x97\x8b not checked</span> here; <code>doic verify</code> "
		      "does.</p></section>\n",
		      out);
		return;
	}
	fprintf(out, "<span class=%s>%s ",
		is_good	 ? "ok"
		: is_bad ? "no"
			 : "open",
		is_good	 ? "\xe2\x97\x8f"
		: is_bad ? "\xe2\x9c\x95"
			 : "\xe2\x97\x8b");
	/* what is only unseen is a note here, not a verdict (oev_integrity.h) */
	oev_page_text(out, integrity->weight == OEV_INTEGRITY_UNSEEN
				   ? "not confirmed from outside:"
				   : oev_verify_outcome_title(integrity->outcome));
	fputs("</span> ", out);
	oev_page_text(out, integrity->line);
	fprintf(out,
		"</p>\n<p class=facts>%" PRIu64 " rows of %" PRIu64 " segment%s checked, %" PRIu64
		" of them by the seals of their files.",
		integrity->rows, integrity->segments, integrity->segments == 1 ? " were" : "s were",
		integrity->by_seal_rows);
	if (integrity->tail_rows > 0)
		fprintf(out, " %s.", oev_integrity_tail_text(integrity, tail, sizeof(tail)));
	fputs("</p>\n", out);
	put_fact(out, "First bad record: ", oev_integrity_bad_text(integrity, text, sizeof(text)));
	put_fact(out, "Signed by ", oev_integrity_signer_text(integrity, text, sizeof(text)));
	fputs("</section>\n", out);
}

static void put_input(FILE *out, const char *path, const char *node, const char *from, const char *until,
		      bool is_whole)
{
	char hash[OEV_HASH_HEX];

	fputs("<tr>", out);
	oev_page_cell(out, path, false);
	oev_page_cell(out, node != NULL ? node : "", false);
	oev_page_cell(out, from, false);
	oev_page_cell(out, until, false);
	oev_page_cell(out, is_whole ? oev_input_hash(path, hash) : "", false);
	fputs("</tr>\n", out);
}

static void put_segment(FILE *out, const struct oev_segment *segment)
{
	char started[OEV_TIME_TEXT_MAX], closed[OEV_TIME_TEXT_MAX];

	oev_time_text(segment->started_us, started);
	oev_time_text(segment->closed_us, closed);
	put_input(out, segment->path, segment->node, started, segment->closed_us ? closed : "still open",
		  segment->closed_us != 0);
}

static void put_counters(FILE *out, const struct oev_counters *file)
{
	char started[OEV_TIME_TEXT_MAX], ended[OEV_TIME_TEXT_MAX];

	oev_time_text(file->started_us, started);
	oev_time_text(file->ended_us, ended);
	put_input(out, file->path, file->node, started, ended, true);
}

void oev_page_inputs(FILE *out, const struct oev_audit *audit)
{
	static const char *const heads[] = { "file", "node", "from", "until", "SHA-256", NULL };

	put_integrity(out, audit);
	fputs("<section><h2>Inputs</h2>\n", out);
	oev_page_table(out, "What was read", heads);
	for (size_t i = 0; i < audit->segment_count && i < OEV_EXCEPTIONS_LISTED; i++)
		if (audit->segments[i].path != NULL)
			put_segment(out, &audit->segments[i]);
	for (size_t i = 0; i < audit->counters_count && i < OEV_EXCEPTIONS_LISTED; i++)
		if (audit->counters[i].path != NULL && !audit->counters[i].is_imported)
			put_counters(out, &audit->counters[i]);
	for (size_t i = 0; i < audit->telemetry_count && i < OEV_EXCEPTIONS_LISTED; i++)
		put_input(out, audit->telemetry[i], "", "", "", true);
	oev_page_table_end(out);
	fputs("</section>\n", out);
}
