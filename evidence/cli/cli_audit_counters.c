/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What clients and servers counted, beside the evidence.
 */
#include <inttypes.h>
#include <libsmartcols.h>

#include "cli.h"
#include "cli_audit.h"

#define NODE_WIDTH 30u

/* "agree", "agree, up to 12 apart", "too few (up to 12 apart)": what could not be told apart is said. */
static const char *agreement_text(const struct oev_agreement *row, char buf[static 64])
{
	uint64_t apart = oev_agreement_apart(row);
	char number[32];

	if (row->is_vague)
		snprintf(buf, 64, "too few (up to %s apart)", oev_number_text(apart, number));
	else if (row->status == OEV_OK && apart > 0 && row->counter_requests != row->evidence_requests)
		snprintf(buf, 64, "agree, up to %s apart", oev_number_text(apart, number));
	else
		snprintf(buf, 64, "%s",
			 row->status == OEV_OK	      ? "agree"
			 : row->status == OEV_REFUTED ? "differ"
						      : "not covered");
	return buf;
}

static void add_agreement(struct libscols_table *table, const struct oev_agreement *row)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);
	bool server = row->file->role == OEV_ROLE_SERVER;
	char counted[32], seen[32], answers[32], seen_answers[32], verdict[64], app[16];

	if (line == NULL)
		return;
	oev_number_text(row->counter_requests, counted);
	oev_number_text(row->evidence_requests, seen);
	if (row->has_answers)
		oev_number_text(row->counter_answers, answers);
	else
		snprintf(answers, sizeof(answers), "-");
	oev_number_text(row->evidence_answers, seen_answers);
	const char *cells[] = { row->file->node,
				oev_app_text(row->app_id, app),
				server ? "-" : counted,
				server ? "-" : seen,
				server ? seen : "-",
				server ? counted : "-",
				answers,
				seen_answers,
				agreement_text(row, verdict) };
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++)
		cli_table_wrap(line, i, cells[i], NODE_WIDTH);
	scols_cell_set_color(scols_line_get_cell(line, 8), cli_audit_color(row->status));
}

/* Runs of imported intervals that agree need no row each. */
static bool is_shown(const struct oev_agreement *row, const struct cli_audit_view *view)
{
	return view->verbose || !row->file->is_imported || row->status != OEV_OK;
}

static void print_imported(const struct oev_audit *audit, FILE *out)
{
	uint64_t agree = 0, all = 0;
	char text[300];

	for (size_t i = 0; i < audit->agreement_count; i++) {
		all += audit->agreements[i].file->is_imported;
		agree += audit->agreements[i].file->is_imported && audit->agreements[i].status == OEV_OK;
	}
	if (all == 0 && audit->telemetry_outside == 0)
		return;
	int at = snprintf(text, sizeof(text), "%" PRIu64 " of %" PRIu64 " runs of imported counters agree",
			  agree, all);
	if (audit->telemetry_outside > 0)
		snprintf(text + at, sizeof(text) - (size_t)at,
			 "; %" PRIu64 " intervals lie where the evidence does not tell everything",
			 audit->telemetry_outside);
	cli_print_wrapped("  imported    ", text, out);
}

void cli_audit_counters(const struct oev_audit *audit, const struct cli_audit_view *view)
{
	static const char *const columns[] = {
		"~node", "app", ">sent there", ">seen here", ">forwarded", ">arrived there", ">answers there",
		">here", "",	NULL
	};
	size_t shown = 0;

	print_imported(audit, view->out);
	for (size_t i = 0; i < audit->agreement_count; i++)
		shown += is_shown(&audit->agreements[i], view);
	if (shown == 0)
		return;
	struct libscols_table *table = cli_table_new(view->color, columns);
	for (size_t i = 0; table != NULL && i < audit->agreement_count; i++)
		if (is_shown(&audit->agreements[i], view))
			add_agreement(table, &audit->agreements[i]);
	fprintf(view->out, "three independent counters: clients, evidence, servers\n");
	cli_table_print(table, view->out);
}
