/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What a claim did to traffic: before, during, after; at its subject and at the alternatives; and who went on as before.
 */
#include <inttypes.h>

#include "oev_page_out.h"
#include "oev_page_parts.h"

#define LISTED 20u

static void put_phase(FILE *out, enum oev_phase phase, const struct oev_traffic *traffic)
{
	fputs("<tr><th scope=row>", out);
	oev_page_text(out, oev_phase_text(phase));
	fputs("</th>", out);
	oev_page_duration(out, traffic->span_us);
	oev_page_rate(out, traffic->offered, traffic->span_us);
	oev_page_rate(out, traffic->selected, traffic->span_us);
	oev_page_rate(out, traffic->refused, traffic->span_us);
	oev_page_rate(out, traffic->diverted, traffic->span_us);
	oev_page_rate(out, traffic->retried, traffic->span_us);
	oev_page_rate(out, traffic->arrived, traffic->span_us);
	oev_page_rate(out, oev_traffic_answered(traffic), traffic->span_us);
	oev_page_rate(out, traffic->useful, traffic->span_us);
	oev_page_rate(out, traffic->alternatives, traffic->span_us);
	fputs("</tr>\n", out);
}

static void put_phases(FILE *out, const struct oev_effect *effect)
{
	static const char *const heads[] = { "",	  ">lasts",    ">offered",	   ">selected",
					     ">refused",  ">diverted", ">retried",	   ">arrived",
					     ">answered", ">useful",   ">at alternatives", NULL };

	oev_page_table(out, "Effect: the same counts before, while it was in force, and after", heads);
	for (int i = 0; i < OEV_PHASE_APART; i++)
		put_phase(out, (enum oev_phase)i, &effect->phase[i]);
	oev_page_table_end(out);
}

static void put_alternatives(FILE *out, const struct oev_audit *audit, const struct oev_effect *effect)
{
	static const char *const heads[] = { "alternative", ">before",	      ">during",
					     ">after",	    ">useful during", NULL };

	if (effect->alternative_count == 0)
		return;
	oev_page_table(out, "Other next hops of the same application: what was diverted arrives somewhere",
		       heads);
	for (uint32_t i = 0; i < effect->alternative_count && i < LISTED; i++) {
		const struct oev_alternative *at = &effect->alternative[i];
		fputs("<tr>", out);
		oev_page_cell(out, oev_names_text(&audit->names, at->name), false);
		oev_page_rate(out, at->sent[OEV_PHASE_BEFORE], effect->phase[OEV_PHASE_BEFORE].span_us);
		oev_page_rate(out, at->sent[OEV_PHASE_DURING], effect->phase[OEV_PHASE_DURING].span_us);
		oev_page_rate(out, at->sent[OEV_PHASE_AFTER], effect->phase[OEV_PHASE_AFTER].span_us);
		oev_page_rate(out, at->useful[OEV_PHASE_DURING], effect->phase[OEV_PHASE_DURING].span_us);
		fputs("</tr>\n", out);
	}
	oev_page_table_end(out);
}

static void put_times(FILE *out, const struct oev_effect *effect)
{
	static const char *const heads[] = { "slowest time", ">", NULL };

	oev_page_table(out, "From word to deed", heads);
	fputs("<tr><td>from acceptance to the first selection</td>", out);
	oev_page_duration(out, effect->slowest_effect_us);
	fputs("</tr><tr><td>from expiry or end to normal</td>", out);
	oev_page_duration(out, effect->has_normal ? effect->slowest_normal_us : 0);
	fputs("</tr>\n", out);
	oev_page_table_end(out);
}

static bool stands_first(const struct oev_origin *origin)
{
	return origin->obedience == OEV_WENT_ON || origin->obedience == OEV_PARTLY;
}

/* Those that were told and did not obey, or not in full, come first; the rest while there is room. */
static void put_origins(FILE *out, const struct oev_audit *audit, size_t claim)
{
	static const char *const heads[] = { "client", ">before",	    ">during", ">had it obeyed",
					     ">told",  "whether it obeyed", NULL };
	uint32_t shown = 0;

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < audit->origin_count && shown < LISTED; i++) {
			const struct oev_origin *at = &audit->origins[i];
			if (at->claim != claim || stands_first(at) != (pass == 0))
				continue;
			if (shown++ == 0)
				oev_page_table(out,
					       "Who offered how much of what the report speaks of, and who "
					       "obeyed",
					       heads);
			fputs("<tr>", out);
			oev_page_cell(out, oev_names_text(&audit->names, at->name), false);
			oev_page_number(out, at->before);
			oev_page_number(out, at->during);
			oev_page_number(out, (uint64_t)(at->expected + 0.5));
			oev_page_number(out, at->told);
			fprintf(out, "<td class=%s>", at->obedience == OEV_WENT_ON ? "no" : "why");
			oev_page_text(out, oev_obedience_why(at->obedience));
			fputs("</td></tr>\n", out);
		}
	if (shown != 0)
		oev_page_table_end(out);
}

void oev_page_effect(FILE *out, const struct oev_audit *audit, size_t claim)
{
	if (claim >= audit->follow_count)
		return;
	const struct oev_effect *effect = &audit->effects[claim];
	put_phases(out, effect);
	put_alternatives(out, audit, effect);
	put_origins(out, audit, claim);
	put_times(out, effect);
}
