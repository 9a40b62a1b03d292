/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What is to be said of the evidence itself: exceptions, gaps, recoveries and removals, integrity, and what is not claimed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../app/oev_cut.h"
#include "../oev_time.h"
#include "cli.h"
#include "cli_audit.h"

static void print_exceptions(const struct oev_audit *audit, const struct cli_audit_view *view)
{
	uint64_t listed = audit->exception_count < OEV_EXCEPTIONS_LISTED ? audit->exception_count
									 : OEV_EXCEPTIONS_LISTED;

	if (!view->verbose && listed > CLI_LISTED_SHORT)
		listed = CLI_LISTED_SHORT;
	for (uint64_t i = 0; i < listed; i++) {
		const struct oev_exception *at = &audit->exceptions[i];
		char when[OEV_TIME_TEXT_MAX], text[300];
		oev_time_text(at->wall_us, when);
		snprintf(text, sizeof(text), "%s  #%" PRIu64 "  %s: %s", when, at->id,
			 oev_exception_text(at->kind), at->detail);
		cli_print_wrapped("  exception   ", cli_safe(text), view->out);
	}
	if (listed < audit->exception_count)
		fprintf(view->out, "  ... and %" PRIu64 " more exceptions\n",
			audit->exception_count - listed);
}

static void print_gaps(const struct oev_audit *audit, FILE *out)
{
	for (size_t i = 0; i < audit->gap_count; i++) {
		const struct oev_gap *gap = &audit->gaps[i];
		char since[OEV_TIME_TEXT_MAX], until[OEV_TIME_TEXT_MAX], text[400];
		oev_time_text(gap->since_us, since);
		oev_time_text(gap->wall_us, until);
		int at = snprintf(text, sizeof(text), "%s%s%s  ", gap->since_us != 0 ? since : "",
				  gap->since_us != 0 ? " to " : "until ", until);
		if (gap->kind == OEV_GAP_EVENTS)
			at += snprintf(text + at, sizeof(text) - (size_t)at,
				       "%" PRIu64 " events lost: ", gap->events);
		snprintf(text + at, sizeof(text) - (size_t)at, "%s%s", gap->reason,
			 gap->in_window ? "" : " (outside the window)");
		cli_print_wrapped("  gap         ", cli_safe(text), out);
	}
}

static void print_incidents(const struct oev_audit *audit, const struct cli_audit_view *view)
{
	size_t shown = view->verbose || audit->incident_count <= CLI_LISTED_SHORT ? audit->incident_count
										  : CLI_LISTED_SHORT;

	for (size_t i = 0; i < shown; i++) {
		const struct oev_incident *at = &audit->incidents[i];
		char when[OEV_TIME_TEXT_MAX], words[256], text[600];
		oev_time_text(at->wall_us, when);
		snprintf(text, sizeof(text), "%s  %s", when, oev_incident_text(at, words, sizeof(words)));
		cli_print_wrapped(at->kind == OEV_INCIDENT_RECOVERY ? "  recovery    " : "  removal     ",
				  cli_safe(text), view->out);
	}
	if (shown < audit->incident_count || audit->incidents_unlisted > 0)
		fprintf(view->out, "  ... and %" PRIu64 " more recoveries and removals\n",
			audit->incident_count - shown + audit->incidents_unlisted);
}

static void print_lives(const struct oev_audit *audit, FILE *out)
{
	for (size_t i = 0; i < audit->life_count; i++) {
		const struct oev_life *life = &audit->lives[i];
		const struct oev_segment *first = &audit->segments[life->first];
		const char *last = audit->segments[life->first + life->count - 1].path;
		char text[4400];
		if (life->is_open) {
			snprintf(text, sizeof(text),
				 "open segment %.4000s: still recording, or the node was killed", last);
			cli_print_wrapped("  note        ", text, out);
		}
		if (life->lacks_beginning) {
			snprintf(text, sizeof(text),
				 "%.4000s is part %" PRIu64
				 " of its life: what was before is known by its sums only",
				 first->path, first->part);
			cli_print_wrapped("  note        ", text, out);
		}
		if (life->lacks_end) {
			snprintf(text, sizeof(text),
				 "after %.4000s another part was begun, which is not here", last);
			cli_print_wrapped("  note        ", text, out);
		}
		if (life->is_capture)
			cli_print_wrapped("  note        ",
					  "made from a capture: no agent took part, so nothing shows what a "
					  "node believed, or "
					  "which requests it meant to hold back",
					  out);
	}
}

static void print_refused(const struct oev_audit *audit, FILE *out)
{
	uint64_t refused = 0;
	const struct oev_report *last = NULL;
	char line[200];

	for (size_t i = 0; i < audit->report_count; i++)
		if (audit->reports[i].refused) {
			refused++;
			last = &audit->reports[i];
		}
	if (last == NULL)
		return;
	snprintf(line, sizeof(line), "%" PRIu64 " reports were refused, the last from %.*s: %.24s", refused,
		 oev_cut(last->peer, 60), last->peer, last->reason);
	cli_print_wrapped("  note        ", cli_safe(line), out);
}

/* One line, however long: it is there to be copied. */
static void print_repeat(const struct oev_audit *audit, FILE *out)
{
	char *repeat = oev_audit_repeat(audit);

	if (repeat != NULL)
		fprintf(out, "repeat: %s\n", cli_safe(repeat));
	free(repeat);
}

static void print_end(const struct oev_audit *audit, const struct cli_audit_view *view)
{
	char from[OEV_TIME_TEXT_MAX], until[OEV_TIME_TEXT_MAX], number[32], text[600];
	double rate = view->took_s > 0 ? (double)audit->scanned / view->took_s : 0;

	oev_time_text(audit->from_us, from);
	oev_time_text(audit->until_us, until);
	fprintf(view->out, "  exceptions  %" PRIu64 "; gaps in the window %" PRIu64 "\n",
		audit->exception_count, audit->gaps_in_window);
	snprintf(text, sizeof(text), "%s%s%s%s", audit->integrity.input,
		 audit->integrity.input[0] != '\0' ? ": " : "", audit->integrity.line,
		 audit->integrity.is_checked ? " (doic verify tells more)" : "");
	cli_print_wrapped("  integrity   ", cli_safe(text), view->out);
	if (oev_integrity_bad_text(&audit->integrity, text, sizeof(text))[0] != '\0')
		cli_print_wrapped("  first bad   ", cli_safe(text), view->out);
	if (oev_integrity_signer_text(&audit->integrity, text, sizeof(text))[0] != '\0')
		cli_print_wrapped("  signed by   ", cli_safe(text), view->out);
	if (audit->integrity.tail_rows > 0)
		cli_print_wrapped("  not signed  ",
				  oev_integrity_tail_text(&audit->integrity, text, sizeof(text)), view->out);
	cli_print_wrapped("  not claimed ",
			  "that the overloaded node recovered, or that traffic elsewhere was unaffected",
			  view->out);
	fprintf(view->out, "window %s to %s, %zu segment%s   (%s decisions, %.1f s, %.1f M decisions/s)\n",
		from, until, audit->segment_count, audit->segment_count == 1 ? "" : "s",
		oev_number_text(audit->scanned, number), view->took_s, rate / 1e6);
	print_repeat(audit, view->out);
}

void cli_audit_trail(const struct oev_audit *audit, const struct cli_audit_view *view)
{
	print_exceptions(audit, view);
	print_gaps(audit, view->out);
	print_incidents(audit, view);
	print_lives(audit, view->out);
	print_refused(audit, view->out);
	print_end(audit, view);
}
