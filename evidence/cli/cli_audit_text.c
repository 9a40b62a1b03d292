/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The audit for people: one verdict line, then for each claim its ladder, and what is of the whole.
 */
#include <inttypes.h>
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_event.h"
#include "../oev_time.h"
#include "cli.h"
#include "cli_audit.h"

#define RECEIPT_WIDTH 42u
#define VALUE_WIDTH 26u

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

void cli_audit_print(const struct oev_audit *audit, const struct cli_audit_view *view)
{
	print_verdict(audit, NULL, view);
	if (view->quiet)
		return;
	for (size_t i = 0; i < audit->claim_count; i++) {
		if (audit->claim_count > 1 || audit->outcome == OEV_INTERRUPTED || audit->integrity_decides) {
			fputc('\n', view->out);
			print_verdict(audit, &audit->claims[i], view);
		}
		print_ladder(audit, &audit->claims[i], view);
		cli_audit_versions(audit, &audit->claims[i], view);
		cli_audit_effect(audit, &audit->claims[i], view);
	}
	if (audit->claim_count > 1)
		fputc('\n', view->out);
	cli_audit_own(audit, view);
	cli_audit_counters(audit, view);
	cli_audit_hops(audit, view);
	cli_audit_people(audit, view);
	cli_audit_trail(audit, view);
}
