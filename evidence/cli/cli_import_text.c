/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The import for people: one line, messages by application, nodes, states, what could not be decoded and what a capture never shows.
 */
#include <inttypes.h>
#include <libsmartcols.h>
#include <stdarg.h>
#include <string.h>

#include "../app/oev_app.h"
#include "../audit/oev_audit.h"
#include "../oev_time.h"
#include "cli_import.h"

#define STATES_SHORT 10u /* states and nodes without -v */
#define CELL 96u

static void set_cell(struct libscols_line *line, size_t column, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void set_cell(struct libscols_line *line, size_t column, const char *format, ...)
{
	char text[CELL];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	scols_line_set_data(line, column, cli_safe(text));
}

static void set_number(struct libscols_line *line, size_t column, uint64_t value)
{
	char text[32];

	scols_line_set_data(line, column, oev_number_text(value, text));
}

static void print_headline(const struct oev_capture *capture, const struct cli_import_view *view)
{
	const struct oev_capture_count *count = &capture->count;
	const char *word = view->outcome == CLI_IMPORTED	? "IMPORTED"
			   : view->outcome == CLI_IMPORTED_PART ? "IMPORTED IN PART"
								: "NOTHING DECODED";
	const char *code = view->outcome == CLI_IMPORTED ? "\033[1;32m" : "\033[1;33m";
	char number[4][32], from[OEV_TIME_TEXT_MAX];

	fprintf(view->out, "%s%s%s", view->color ? code : "", word, view->color ? "\033[0m" : "");
	if (count->messages > 0) {
		oev_time_text(count->first_ns / 1000, from);
		fprintf(view->out, "  %s messages of %.1f s from %s: %s requests, %s answers, %s%s sessions",
			oev_number_text(count->messages, number[0]),
			(double)(count->last_ns - count->first_ns) / 1e9, from,
			oev_number_text(count->requests, number[1]),
			oev_number_text(count->answers, number[2]),
			count->has_more_sessions ? "more than " : "",
			oev_number_text(count->sessions, number[3]));
	}
	fputc('\n', view->out);
}

static void add_row(struct libscols_table *table, const struct oev_count_row *row, bool by_command)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);
	char app[16];
	size_t at = 0;

	if (line == NULL)
		return;
	set_cell(line, at++, "%s", row->app_id == 0 ? "base" : oev_app_text(row->app_id, app));
	if (by_command)
		set_cell(line, at++, "%" PRIu32, row->command);
	set_number(line, at++, row->requests);
	set_number(line, at++, row->answers);
	set_number(line, at++, row->unanswered);
	set_number(line, at++, row->again);
	set_number(line, at++, row->result[2]);
	set_number(line, at++, row->result[3]);
	set_number(line, at++, row->result[4] + row->result[5]);
	set_number(line, at++, row->with_report);
}

static void add_to(struct oev_count_row *sum, const struct oev_count_row *row)
{
	sum->requests += row->requests;
	sum->answers += row->answers;
	sum->unanswered += row->unanswered;
	sum->again += row->again;
	sum->with_report += row->with_report;
	for (unsigned i = 0; i < 10; i++)
		sum->result[i] += row->result[i];
}

static void print_counts(const struct oev_capture *capture, const struct cli_import_view *view)
{
	static const char *const by_command[] = { "application", ">command",	 ">requests", ">answers",
						  ">unanswered", ">sent again",	 ">2xxx",     ">3xxx",
						  ">4xxx, 5xxx", ">with report", NULL };
	static const char *const by_app[] = { "application",  ">requests", ">answers", ">unanswered",
					      ">sent again",  ">2xxx",	   ">3xxx",    ">4xxx, 5xxx",
					      ">with report", NULL };
	const struct oev_capture_count *count = &capture->count;
	struct libscols_table *table = cli_table_new(view->color, view->verbose ? by_command : by_app);

	for (uint32_t i = 0; table != NULL && i < count->row_count;) {
		struct oev_count_row sum = count->row[i];
		while (++i < count->row_count && !view->verbose && count->row[i].app_id == sum.app_id)
			add_to(&sum, &count->row[i]);
		add_row(table, &sum, view->verbose);
	}
	cli_table_print(table, view->out);
}

static void add_node(struct libscols_table *table, const struct oev_capture *capture,
		     const struct oev_node *node)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);
	uint64_t refused = node->reports[OC_INTAKE_REFUSED];

	if (line == NULL)
		return;
	set_cell(line, 0, "%s", oc_names_text(capture->names, node->name));
	if (node->with_doic > 0)
		set_cell(line, 1, "0x%" PRIx64, node->vectors);
	else
		set_cell(line, 1, "%s", "no");
	set_number(line, 2, node->requests);
	set_number(line, 3, node->answers);
	set_number(line, 4, node->receptions);
	set_number(line, 5, node->reports[OC_INTAKE_NEW] + node->reports[OC_INTAKE_UPDATED]);
	set_number(line, 6, refused);
}

static void print_nodes(const struct oev_capture *capture, const struct cli_import_view *view)
{
	static const char *const columns[] = { "node",	   "DOIC",	">requests", ">answers",
					       ">reports", ">accepted", ">refused",  NULL };
	uint32_t count;
	const struct oev_node *nodes = oev_capture_model_nodes(capture->model, &count);
	struct libscols_table *table = count > 0 ? cli_table_new(view->color, columns) : NULL;
	uint32_t shown = view->verbose || count < STATES_SHORT ? count : STATES_SHORT;

	for (uint32_t i = 0; table != NULL && i < shown; i++)
		add_node(table, capture, &nodes[i]);
	cli_table_print(table, view->out);
	if (shown < count)
		fprintf(view->out, "  ... %" PRIu32 " more nodes (-v)\n", count - shown);
}

static void set_rate(struct libscols_line *line, size_t column, uint64_t requests, double seconds)
{
	if (seconds >= 0.5)
		set_cell(line, column, "%.1f/s", (double)requests / seconds);
	else
		set_cell(line, column, "%s", "-");
}

static void add_state(struct libscols_table *table, const struct oev_capture *capture,
		      const struct oev_state *state)
{
	const struct oc_event_ocs_version *version = &state->version;
	struct libscols_line *line = scols_table_new_line(table, NULL);
	uint32_t count;
	const struct oev_node *nodes = oev_capture_model_nodes(capture->model, &count);
	double active_s = (double)(state->until_ns - state->from_ns) / 1e9;
	char app[16], from[OEV_TIME_TEXT_MAX];

	if (line == NULL)
		return;
	oev_time_text(state->from_ns / 1000, from);
	set_cell(line, 0, "%s", oc_names_text(capture->names, nodes[state->node].name));
	set_cell(line, 1, "%s %s", oc_report_type_text(version->type),
		 oc_names_text(capture->names, version->subject));
	set_cell(line, 2, "%s", oev_app_text(version->app_id, app));
	set_cell(line, 3, "%" PRIu64, version->sequence);
	if (version->algorithm == OC_ALGO_RATE)
		set_cell(line, 4, "%" PRIu32 "/s", version->rate_rps);
	else
		set_cell(line, 4, "%" PRIu32 " %%", version->reduction_pct);
	set_cell(line, 5, "%s", from);
	set_cell(line, 6, "%.1f s, %s", active_s,
		 state->how == OC_END_SHUTDOWN ? "to the end" : oc_ocs_end_text(state->how));
	set_rate(line, 7, state->before, state->before_s);
	set_rate(line, 8, state->during, active_s);
	set_rate(line, 9, state->after, (double)state->after_ns / 1e9);
	char share[32];
	scols_line_set_data(line, 10, oev_share_text(state->success, state->during, share));
}

static void print_states(const struct oev_capture *capture, const struct cli_import_view *view)
{
	static const char *const columns[] = { "node",	  "should hold", "application",	   ">sequence",
					       ">asked",  "from",	 ">for",	   ">before",
					       ">during", ">after",	 ">answered 2xxx", NULL };
	uint32_t count, shown = 0, left = 0;
	const struct oev_state *states = oev_capture_model_states(capture->model, &count);
	struct libscols_table *table = count > 0 ? cli_table_new(view->color, columns) : NULL;

	for (uint32_t i = 0; table != NULL && i < count; i++) {
		if (states[i].version.validity_s == 0)
			continue; /* an end; the state it ended says so */
		if (view->verbose || shown < STATES_SHORT) {
			add_state(table, capture, &states[i]);
			shown++;
		} else {
			left++;
		}
	}
	cli_table_print(table, view->out);
	if (left > 0)
		fprintf(view->out, "  ... %" PRIu32 " more states (-v)\n", left);
}

static void print_missed(const struct oev_capture *capture, const struct cli_import_view *view)
{
	char number[32];
	bool any = false;

	for (unsigned kind = 0; kind < OEV_MISSED_COUNT; kind++) {
		const struct oev_missed_sum *sum = &capture->missed.sum[kind];
		if (sum->amount == 0)
			continue;
		fprintf(view->out, "%s  %s: %s %s", any ? "" : "not decoded\n",
			oev_missed_text((enum oev_missed_kind)kind), oev_number_text(sum->amount, number),
			oev_missed_unit((enum oev_missed_kind)kind));
		for (uint32_t i = 0; i < sum->listed; i++)
			fprintf(view->out, "%s%" PRIu32, i == 0 ? ", frames " : ", ", sum->frame[i]);
		fprintf(view->out, "%s\n", sum->frames > sum->listed ? ", ..." : "");
		any = true;
	}
	if (!any)
		fprintf(view->out, "not decoded: nothing\n");
	if (capture->said[0] != '\0')
		fprintf(view->out, "  tshark: %s\n", capture->said);
	if (any && view->file_count > 1)
		fprintf(view->out, "  frames are those of all files together: mergecap -w ALL FILES\n");
}

static void print_folders(const struct cli_import_view *view)
{
	const char *folder;
	uint32_t count = 0;

	while (view->store != NULL && (folder = oev_capture_store_folder(view->store, count)) != NULL) {
		if (view->verbose || count < STATES_SHORT)
			fprintf(view->out, "%s%s\n", count == 0 ? "evidence: " : "          ", folder);
		count++;
	}
	if (!view->verbose && count > STATES_SHORT)
		fprintf(view->out, "          ... %" PRIu32 " more (-v)\n", count - STATES_SHORT);
	if (view->store != NULL && oev_capture_store_left_out(view->store) > 0)
		fprintf(view->out, "  nodes not written: %" PRIu32 " (more than %u; --node picks one)\n",
			oev_capture_store_left_out(view->store), OEV_CAPTURE_FOLDERS_MAX);
}

void cli_import_print(const struct oev_capture *capture, const struct cli_import_view *view)
{
	print_headline(capture, view);
	if (view->quiet)
		return;
	if (capture->count.messages > 0) {
		print_counts(capture, view);
		print_nodes(capture, view);
		print_states(capture, view);
	}
	print_missed(capture, view);
	print_folders(view);
	fprintf(view->out,
		"not in a capture: what a node held and refused (selected), what a server counted (arrived)\n"
		"(%.1f s)\n",
		view->took_s);
}
