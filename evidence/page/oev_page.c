/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The page from head to foot.
 */
#include <inttypes.h>

#include "../../agent/oc_err.h"
#include "../oev_time.h"
#include "oev_page_out.h"
#include "oev_page_parts.h"

struct badge {
	const char *class, *shape, *word;
};

static void put_badge(FILE *out, const struct badge *badge)
{
	fprintf(out, "<span class=%s>%s %s</span>", badge->class, badge->shape, badge->word);
}

/* Shapes tell what colours tell: a filled circle, a cross, an open circle. */
void oev_page_outcome(FILE *out, enum oev_outcome outcome)
{
	static const struct badge badges[OEV_OUTCOME_COUNT] = {
		[OEV_HOLDS] = { "ok", "\xe2\x97\x8f", "holds" },
		[OEV_CLAIM_REFUTED] = { "no", "\xe2\x9c\x95", "refuted" },
		[OEV_CANNOT_TELL] = { "open", "\xe2\x97\x8b", "cannot tell" },
		[OEV_NO_CLAIM] = { "open", "\xe2\x97\x8b", "nothing was asked" },
		[OEV_UNUSABLE] = { "no", "\xe2\x9c\x95", "unusable input" },
		[OEV_USAGE] = { "no", "\xe2\x9c\x95", "wrong use" },
		[OEV_INTERRUPTED] = { "open", "\xe2\x97\x8b", "interrupted" },
		[OEV_BUG] = { "no", "\xe2\x9c\x95", "internal error" },
	};

	put_badge(out, &badges[outcome < OEV_OUTCOME_COUNT ? outcome : OEV_BUG]);
}

void oev_page_status(FILE *out, enum oev_status status)
{
	static const struct badge badges[] = {
		[OEV_MISSING] = { "open", "\xe2\x97\x8b", "missing" },
		[OEV_OK] = { "ok", "\xe2\x97\x8f", "ok" },
		[OEV_UNSURE] = { "open", "\xe2\x97\x8b", "not decided" },
		[OEV_REFUTED] = { "no", "\xe2\x9c\x95", "refuted" },
	};

	put_badge(out, &badges[status]);
}

static void put_head(FILE *out, const char *verdict)
{
	fputs("<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>\n"
	      "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src "
	      "'unsafe-inline'\">\n"
	      "<meta name=viewport content='width=device-width,initial-scale=1'>\n<title>",
	      out);
	oev_page_text(out, verdict);
	fputs("</title>\n<style>", out);
	fputs(oev_page_style, out);
	fputs("</style></head><body>\n", out);
}

/* Whose evidence; each name once. */
static void put_nodes(FILE *out, const struct oev_audit *audit)
{
	const char *last = "";

	for (size_t i = 0; i < audit->segment_count; i++) {
		const char *node = audit->segments[i].node ? audit->segments[i].node : "";
		bool is_same = true;
		for (size_t c = 0; node[c] != '\0' || last[c] != '\0'; c++)
			if (node[c] != last[c]) {
				is_same = false;
				break;
			}
		if (is_same || *node == '\0')
			continue;
		fputs(*last ? ", " : "", out);
		oev_page_text(out, node);
		last = node;
	}
}

static void put_summary(FILE *out, const struct oev_audit *audit, const struct oev_page_conf *conf)
{
	char verdict[1024], from[OEV_TIME_TEXT_MAX], until[OEV_TIME_TEXT_MAX], number[32];

	oev_audit_verdict(audit, NULL, verdict, sizeof(verdict));
	oev_time_text(audit->from_us, from);
	oev_time_text(audit->until_us, until);
	fputs("<main><h1>", out);
	oev_page_text(out, verdict);
	fputs("</h1>\n<p>", out);
	oev_page_outcome(out, audit->outcome);
	fputs(" &ensp; evidence of ", out);
	put_nodes(out, audit);
	fprintf(out,
		"</p>\n<p class=facts>window %s to %s, wall clock of the recording node, UTC. %s decisions "
		"in %zu segment%s.</p>\n",
		from, until, oev_number_text(audit->scanned, number), audit->segment_count,
		audit->segment_count == 1 ? "" : "s");
	if (audit->error[0] != '\0') {
		fputs("<p class=no>", out);
		oev_page_text(out, audit->error);
		fputs("</p>\n", out);
	}
	fputs("<p class=facts>Again: <code>", out);
	oev_page_text(out, conf->command);
	fputs("</code> with ", out);
	oev_page_text(out, conf->tool);
	fputs("</p>\n<p>Not claimed: that the overloaded node recovered, or that traffic elsewhere was "
	      "unaffected.</p>\n",
	      out);
}

/* One line per claim when there are several. */
static void put_overview(FILE *out, const struct oev_audit *audit)
{
	static const char *const heads[] = { "claim", "result", "up to", ">matched", ">selected", NULL };
	char line[1024];

	if (audit->claim_count < 2)
		return;
	oev_page_table(out, "All claims", heads);
	for (size_t i = 0; i < audit->claim_count && i < OEV_PAGE_CLAIMS_MAX; i++) {
		size_t at = oev_audit_place(audit, i);
		const struct oev_claim *claim = &audit->claims[at];
		oev_audit_verdict(audit, claim, line, sizeof(line));
		fprintf(out, "<tr><td><a href='#claim%zu'>", at + 1);
		oev_page_text(out, line);
		fputs("</a></td><td>", out);
		oev_page_outcome(out, claim->outcome);
		fputs("</td>", out);
		oev_page_cell(out,
			      claim->reached >= 0 ? oev_step_text((enum oev_step)claim->reached) : "nothing",
			      false);
		oev_page_number(out, claim->active.matched);
		oev_page_number(out, claim->active.selected);
		fputs("</tr>\n", out);
	}
	oev_page_table_end(out);
	if (audit->claim_count > OEV_PAGE_CLAIMS_MAX)
		fprintf(out,
			"<p>%zu more claims are left out here; the text form (-v) and JSON tell of "
			"all.</p>\n",
			audit->claim_count - OEV_PAGE_CLAIMS_MAX);
}

int oev_page_write(const struct oev_audit *audit, const struct oev_page_conf *conf, FILE *out)
{
	char verdict[1024];

	oev_audit_verdict(audit, NULL, verdict, sizeof(verdict));
	put_head(out, verdict);
	put_summary(out, audit, conf);
	put_overview(out, audit);
	for (size_t i = 0; i < audit->claim_count && i < OEV_PAGE_CLAIMS_MAX; i++)
		oev_page_claim(out, audit, oev_audit_place(audit, i), i < OEV_PAGE_CHARTS_MAX);
	oev_page_population(out, audit);
	oev_page_counters(out, audit);
	oev_page_exceptions(out, audit);
	oev_page_gaps(out, audit);
	oev_page_inputs(out, audit);
	oev_page_words(out);
	fputs("</main></body></html>\n", out);
	return ferror(out) ? OC_EIO : OC_OK;
}
