/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One claim: its ladder, picture and versions.
 */
#include <inttypes.h>

#include "../audit/oev_chain.h"
#include "../oev_time.h"
#include "oev_page_chart.h"
#include "oev_page_out.h"
#include "oev_page_parts.h"

#define VERSIONS_LISTED 40u

static void put_finding(FILE *out, const char *step, const struct oev_finding *finding)
{
	fputs("<tr><th scope=row>", out);
	oev_page_text(out, step);
	fputs("</th>", out);
	oev_page_cell(out, finding->receipt, false);
	oev_page_cell(out, finding->value, false);
	oev_page_cell(out, finding->bound, false);
	fputs("<td>", out);
	oev_page_status(out, finding->status);
	if (finding->status != OEV_OK && finding->why[0] != '\0') {
		fputs("<div class=why>", out);
		oev_page_text(out, finding->why);
		if (finding->hint[0] != '\0') {
			fputs("; ", out);
			oev_page_text(out, finding->hint);
		}
		fputs("</div>", out);
	}
	fputs("</td></tr>\n", out);
}

static void put_ladder(FILE *out, const struct oev_audit *audit, const struct oev_claim *claim)
{
	static const char *const heads[] = { "step", "receipt", "value", "bound", "", NULL };

	oev_page_table(out, "The ladder: it stops at the first step without a receipt", heads);
	for (int i = 0; i < OEV_STEP_COUNT; i++)
		put_finding(out, oev_step_text((enum oev_step)i), &claim->step[i]);
	if (audit->options.parts & OEV_PART_SCOPE)
		put_finding(out, "scope", &claim->scope);
	if (audit->options.parts & OEV_PART_RECOVERY)
		put_finding(out, "recovery", &claim->recovery);
	oev_page_table_end(out);
}

static void put_chain(FILE *out, const struct oev_audit *audit, const struct oev_chain *chain)
{
	const struct oev_version *first = chain->first;
	char text[64], when[OEV_TIME_TEXT_MAX];

	oev_time_text(first->from_us, when);
	fputs("<tr>", out);
	oev_page_cell(out, oev_chain_name(audit, chain, text), false);
	snprintf(text, sizeof(text), "-");
	if (chain->count > 1)
		snprintf(text, sizeof(text), "%" PRIu32 " time%s", chain->count - 1,
			 chain->count > 2 ? "s" : "");
	oev_page_cell(out, text, true);
	oev_page_cell(out, oev_chain_sequences(chain, text), true);
	snprintf(text, sizeof(text), first->is_rate ? "%" PRIu32 "/s" : "%" PRIu32 " %%",
		 first->is_rate ? first->rate_rps : first->reduction_pct);
	oev_page_cell(out, text, true);
	oev_page_cell(out, when, false);
	oev_page_duration(out, chain->active_ns / 1000u);
	oev_page_cell(out, oev_version_ended(audit, chain->last), false);
	oev_page_number(out, chain->matched);
	oev_page_number(out, chain->selected);
	oev_page_cell(out, oev_share_text(chain->selected, chain->matched, text), true);
	fputs("</tr>\n", out);
}

static void put_versions(FILE *out, const struct oev_audit *audit, const struct oev_claim *claim)
{
	static const char *const heads[] = { "version", ">renewed", ">sequence", ">asked", "from", ">active",
					     "ended",	">matched", ">selected", ">share", NULL };
	struct oev_chain chain;
	uint32_t shown = 0, next = oev_chain_next(audit, claim, 0, &chain);

	oev_page_table(out, "Versions of the overload control state", heads);
	for (uint32_t i = 0; chain.count > 0 && i < VERSIONS_LISTED; i++) {
		put_chain(out, audit, &chain);
		shown += chain.count;
		next = oev_chain_next(audit, claim, next, &chain);
	}
	oev_page_table_end(out);
	if (shown < claim->judged)
		fprintf(out, "<p>and %" PRIu32 " more versions.</p>\n", claim->judged - shown);
}

/* When later lives did not hold what was still valid. */
static void put_lapses(FILE *out, const struct oev_audit *audit, size_t number)
{
	static const char *const heads[] = {
		"version",	 "life that held it", "ended", "life that did not", "from", "until",
		">not compared", "what ended this",   NULL
	};
	char text[64], from[OEV_TIME_TEXT_MAX], until[OEV_TIME_TEXT_MAX];
	size_t shown = 0;

	for (size_t i = 0; i < audit->lapse_count && shown < VERSIONS_LISTED; i++) {
		const struct oev_lapse *lapse = &audit->lapses[i];
		if (lapse->claim != number)
			continue;
		if (shown++ == 0)
			oev_page_table(out, "Valid, but not held after a restart", heads);
		oev_time_text(lapse->from_us, from);
		oev_time_text(lapse->until_us, until);
		snprintf(text, sizeof(text), "#%" PRIu32, lapse->number);
		fputs("<tr>", out);
		oev_page_cell(out, text, false);
		oev_page_number(out, oev_life_number(audit, lapse->held_in));
		oev_page_cell(out, lapse->was_stopped ? "stopped" : "killed", false);
		oev_page_number(out, oev_life_number(audit, lapse->life));
		oev_page_cell(out, from, false);
		oev_page_cell(out, until, false);
		oev_page_number(out, lapse->requests);
		oev_page_cell(out,
			      lapse->is_renewed				 ? "a report"
			      : lapse->until_us >= lapse->valid_until_us ? "its validity ran out"
									 : "this evidence, or the life",
			      false);
		fputs("</tr>\n", out);
	}
	if (shown > 0)
		oev_page_table_end(out);
}

void oev_page_claim(FILE *out, const struct oev_audit *audit, size_t number, bool has_chart)
{
	const struct oev_claim *claim = &audit->claims[number];
	const struct oev_series *series = oev_audit_series(audit, number);
	char line[1024];

	oev_audit_verdict(audit, claim, line, sizeof(line));
	fprintf(out, "<section id=claim%zu><h2>", number + 1);
	oev_page_text(out, line);
	fputs("</h2>\n", out);
	put_ladder(out, audit, claim);
	if (series != NULL && has_chart)
		oev_page_chart(out, claim, series, number + 1);
	else if (series != NULL)
		fputs("<p>Its picture is left out: this page draws the first claims only. Ask for this one "
		      "alone with --host or "
		      "--realm.</p>\n",
		      out);
	put_versions(out, audit, claim);
	put_lapses(out, audit, number);
	oev_page_effect(out, audit, number);
	fputs("</section>\n", out);
}
