/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The audit for people: one verdict line, then for each claim its ladder, and what is of the whole.
 */
#include <inttypes.h>
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_event.h"
#include "../app/oev_cut.h"
#include "../oev_time.h"
#include "cli.h"
#include "cli_audit.h"

#define RECEIPT_WIDTH 42u
#define VALUE_WIDTH 26u
#define OVERVIEW_CLAIMS 40u /* without -v */

const char *cli_audit_color(enum oev_status status)
{
	return status == OEV_OK ? "green" : status == OEV_REFUTED ? "red" : "yellow";
}

const char *cli_audit_clock(uint64_t wall_us, char *buf)
{
	char text[OEV_TIME_TEXT_MAX];

	oev_time_text(wall_us / 1000 * 1000, text); /* milliseconds say enough */
	snprintf(buf, OEV_TIME_TEXT_MAX, "%.*s", (int)strcspn(text + 11, "Z"), text + 11);
	return buf;
}

/* "HOLDS", "REFUTED" and "CANNOT TELL" in colour; the rest of the line plain. */
static void print_verdict(const struct oev_audit *audit, const struct oev_claim *claim,
			  const struct cli_audit_view *view)
{
	char line[1024];
	static const struct {
		const char *word, *code;
	} words[] = { { "HOLDS", "\033[1;32m" },
		      { "REFUTED", "\033[1;31m" },
		      { "CANNOT TELL", "\033[1;33m" } };

	oev_audit_verdict(audit, claim, line, sizeof(line));
	cli_safe(line);
	for (size_t i = 0; view->color && i < sizeof(words) / sizeof(words[0]); i++) {
		size_t length = strlen(words[i].word);
		if (strncmp(line, words[i].word, length) != 0)
			continue;
		fprintf(view->out, "%s%s\033[0m%s\n", words[i].code, words[i].word, line + length);
		return;
	}
	fprintf(view->out, "%s\n", line);
}

static void add_finding(struct libscols_table *table, const char *step, const struct oev_finding *finding)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);

	if (line == NULL)
		return;
	scols_line_set_data(line, 0, step);
	cli_table_wrap(line, 1, finding->receipt, RECEIPT_WIDTH);
	cli_table_wrap(line, 2, finding->value, VALUE_WIDTH);
	scols_line_set_data(line, 3, finding->bound);
	scols_line_set_data(line, 4, oev_status_text(finding->status));
	scols_cell_set_color(scols_line_get_cell(line, 4), cli_audit_color(finding->status));
}

static void print_why(const char *step, const struct oev_finding *finding, FILE *out)
{
	char text[sizeof(finding->why) + sizeof(finding->hint) + 40];

	if (finding->status == OEV_OK || finding->why[0] == '\0')
		return;
	snprintf(text, sizeof(text), "%s: %s%s%s", step, finding->why, finding->hint[0] != '\0' ? "; " : "",
		 finding->hint);
	cli_print_wrapped("  ", cli_safe(text), out);
}

static void print_ladder(const struct oev_audit *audit, const struct oev_claim *claim,
			 const struct cli_audit_view *view)
{
	static const char *const columns[] = { "step", "~receipt", "~value", "bound", "", NULL };
	struct libscols_table *table = cli_table_new(view->color, columns);
	bool scope = (audit->options.parts & OEV_PART_SCOPE) != 0;
	bool recovery = (audit->options.parts & OEV_PART_RECOVERY) != 0;

	if (table == NULL)
		return;
	for (int i = 0; i < OEV_STEP_COUNT; i++)
		add_finding(table, oev_step_text((enum oev_step)i), &claim->step[i]);
	if (scope)
		add_finding(table, "scope", &claim->scope);
	if (recovery)
		add_finding(table, "recovery", &claim->recovery);
	cli_table_print(table, view->out);
	for (int i = 0; i < OEV_STEP_COUNT; i++)
		print_why(oev_step_text((enum oev_step)i), &claim->step[i], view->out);
	if (scope)
		print_why("scope", &claim->scope, view->out);
	if (recovery && claim->recovery.status != OEV_MISSING)
		print_why("recovery", &claim->recovery, view->out);
}

static void add_claim(struct libscols_table *table, const struct oev_claim *claim)
{
	static const char *const words[] = { "HOLDS", "REFUTED", "CANNOT TELL" };
	static const char *const colors[] = { "green", "red", "yellow" };
	struct libscols_line *line = scols_table_new_line(table, NULL);
	char who[300], asked[64], number[32];

	if (line == NULL)
		return;
	oev_audit_asked_text(claim, asked, sizeof(asked));
	snprintf(who, sizeof(who), "%.*s%s%.*s", oev_cut(claim->subject, 127), claim->subject,
		 claim->origin[0] != '\0' ? " of " : "", oev_cut(claim->origin, 127), claim->origin);
	scols_line_set_data(line, 0, words[claim->outcome]);
	scols_cell_set_color(scols_line_get_cell(line, 0), colors[claim->outcome]);
	scols_line_set_data(line, 1,
			    claim->reached >= 0 ? oev_step_text((enum oev_step)claim->reached) : "nothing");
	cli_table_wrap(line, 2, who, RECEIPT_WIDTH);
	scols_line_set_data(line, 3, asked);
	scols_line_set_data(line, 4, oc_report_type_text(claim->type));
	scols_line_set_data(line, 5, oev_app_text(claim->app_id, number));
	scols_line_set_data(line, 6, oev_number_text(claim->active.matched, number));
	scols_line_set_data(line, 7, oev_number_text(claim->active.selected, number));
}

/* Of many claims first a line each, what does not hold before all others. */
static void print_overview(const struct oev_audit *audit, const struct cli_audit_view *view)
{
	static const char *const columns[] = { "",    "up to",	  "~claim of", ">asked", "type",
					       "app", ">matched", ">selected", NULL };
	size_t shown =
		view->verbose || audit->claim_count < OVERVIEW_CLAIMS ? audit->claim_count : OVERVIEW_CLAIMS;

	if (audit->claim_count <= CLI_LISTED_SHORT)
		return;
	struct libscols_table *table = cli_table_new(view->color, columns);
	for (size_t i = 0; table != NULL && i < shown; i++)
		add_claim(table, &audit->claims[oev_audit_place(audit, i)]);
	cli_table_print(table, view->out);
	if (shown < audit->claim_count)
		fprintf(view->out, "  ... and %zu more claims (-v)\n", audit->claim_count - shown);
}

static void print_claim(const struct oev_audit *audit, const struct oev_claim *claim,
			const struct cli_audit_view *view)
{
	if (audit->claim_count > 1 || audit->outcome == OEV_INTERRUPTED || audit->integrity_decides) {
		fputc('\n', view->out);
		print_verdict(audit, claim, view);
	}
	print_ladder(audit, claim, view);
	cli_audit_versions(audit, claim, view);
	cli_audit_effect(audit, claim, view);
}

void cli_audit_print(const struct oev_audit *audit, const struct cli_audit_view *view)
{
	size_t told = view->verbose || audit->claim_count < CLI_LISTED_SHORT ? audit->claim_count
									     : CLI_LISTED_SHORT;
	char ended[512];

	print_verdict(audit, NULL, view);
	if (view->quiet)
		return;
	print_overview(audit, view);
	if (audit->ended.count > 0 && audit->claim_count > 0) {
		oev_audit_aside_text(&audit->ended, "ended before the window, not judged", ended,
				     sizeof(ended));
		cli_print_wrapped("", cli_safe(ended), view->out);
	}
	for (size_t i = 0; i < told; i++)
		print_claim(audit, &audit->claims[oev_audit_place(audit, i)], view);
	if (told < audit->claim_count)
		fprintf(view->out, "\n... and %zu more claims in full: -v, or --host, --realm, --app\n",
			audit->claim_count - told);
	if (audit->claim_count > 1)
		fputc('\n', view->out);
	cli_audit_own(audit, view);
	cli_audit_counters(audit, view);
	cli_audit_hops(audit, view);
	cli_audit_people(audit, view);
	cli_audit_trail(audit, view);
}
