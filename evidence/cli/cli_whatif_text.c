/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The what-if for people: one line, then before and after side by side, then what nobody can know.
 */
#include "cli_whatif.h"

#include <inttypes.h>
#include <libsmartcols.h>
#include <string.h>

#include "../../agent/oc_event.h"
#include "../app/oev_app.h"
#include "../app/oev_cut.h"
#include "../audit/oev_audit.h"
#include "cli_again.h"

#define LISTED_SHORT 8u /* rows of a table without -v */
#define CELLS 8u
#define CELL_MAX 64u

/* One row; cells are copied. */
static void add_row(struct libscols_table *table, char cells[][CELL_MAX], size_t count)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);

	for (size_t i = 0; line != NULL && i < count; i++)
		scols_line_set_data(line, i, cli_safe(cells[i]));
}

static void put_name(char cell[CELL_MAX], const char *name, size_t most)
{
	snprintf(cell, CELL_MAX, "%.*s", oev_cut(name, most), name);
}

static void put_number(char cell[CELL_MAX], uint64_t value)
{
	char text[32];

	snprintf(cell, CELL_MAX, "%s", oev_number_text(value, text));
}

static void put_fates(char cells[][CELL_MAX], const struct oev_fate side[static OEV_SIDES])
{
	const uint64_t values[] = { side[1].decisions, side[0].forwarded, side[1].forwarded, side[0].diverted,
				    side[1].diverted,  side[0].refused,	  side[1].refused };

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		put_number(cells[i + 1], values[i]);
}

/* The requests are the same before and now; what becomes of them is not. */
static struct libscols_table *fate_table(const char *what)
{
	const char *const columns[] = { what,	">requests", ">forwarded", ">now", ">diverted",
					">now", ">refused",  ">now",	   NULL };

	return cli_table_new(false, columns);
}

static void print_classes(const struct oev_whatif *whatif, const struct cli_whatif_view *view)
{
	struct libscols_table *table = fate_table("class");
	char cells[CELLS][CELL_MAX];

	for (unsigned i = 0; table != NULL && i < OC_CLASSES; i++) {
		if (whatif->class[i][0].decisions + whatif->class[i][1].decisions == 0)
			continue;
		snprintf(cells[0], CELL_MAX, "%u%s", i,
			 i == 0		       ? " (emergency)"
			 : i == OC_CLASSES - 1 ? " (least important)"
					       : "");
		put_fates(cells, whatif->class[i]);
		add_row(table, cells, CELLS);
	}
	if (table != NULL) {
		snprintf(cells[0], CELL_MAX, "all");
		put_fates(cells, whatif->total);
		add_row(table, cells, CELLS);
	}
	cli_table_print(table, view->out);
}

static void print_clients(const struct oev_whatif *whatif, const struct cli_whatif_view *view)
{
	struct libscols_table *table = fate_table("client");
	char cells[CELLS][CELL_MAX];
	size_t shown = 0;

	for (; table != NULL && shown < whatif->client_count; shown++) {
		const struct oev_whatif_client *client = &whatif->clients[shown];
		if (!view->verbose && shown == LISTED_SHORT)
			break;
		put_name(cells[0], oev_names_text(&whatif->names, client->name), 60);
		put_fates(cells, client->side);
		add_row(table, cells, CELLS);
	}
	cli_table_print(table, view->out);
	if (shown < whatif->client_count)
		fprintf(view->out, "  ... and %zu more clients (-v)\n", whatif->client_count - shown);
}

static void print_servers(const struct oev_whatif *whatif, const struct cli_whatif_view *view)
{
	static const char *const columns[] = { "server", ">requests", ">now", ">peak/s", ">now", NULL };
	struct libscols_table *table = cli_table_new(false, columns);
	char cells[5][CELL_MAX];

	for (size_t i = 0; table != NULL && i < whatif->server_count; i++) {
		const struct oev_whatif_server *server = &whatif->servers[i];
		put_name(cells[0], oev_names_text(&whatif->names, server->name), 60);
		put_number(cells[1], server->side[0].requests);
		put_number(cells[2], server->side[1].requests);
		put_number(cells[3], server->side[0].peak);
		put_number(cells[4], server->side[1].peak);
		add_row(table, cells, 5);
	}
	cli_table_print(table, view->out);
}

static void put_asked(char cell[CELL_MAX], const struct oev_whatif_report *report, unsigned side)
{
	uint64_t matched = report->side[side].matched;

	if (matched == 0)
		snprintf(cell, CELL_MAX, "-");
	else
		snprintf(cell, CELL_MAX, "%.2f %%",
			 (double)report->side[side].asked_ppm / 1e4 / (double)matched);
}

static void add_report(struct libscols_table *table, const struct oev_whatif *whatif,
		       const struct oev_whatif_report *report)
{
	char cells[7][CELL_MAX], app[16];

	const char *subject = oev_names_text(&whatif->names, report->subject);
	snprintf(cells[0], CELL_MAX, "%s %.*s %.10s %s", oc_report_type_text(report->type),
		 oev_cut(subject, 40), subject,
		 report->app_id == OC_APP_ANY ? "all" : oev_app_text(report->app_id, app),
		 oc_algo_text(report->algorithm));
	put_number(cells[1], report->side[0].matched);
	put_number(cells[2], report->side[1].matched);
	put_asked(cells[3], report, 0);
	put_asked(cells[4], report, 1);
	put_number(cells[5], report->side[0].selected);
	put_number(cells[6], report->side[1].selected);
	add_row(table, cells, 7);
}

static void print_reports(const struct oev_whatif *whatif, const struct cli_whatif_view *view)
{
	static const char *const columns[] = { "report", ">matched",  ">now", ">asked",
					       ">now",	 ">selected", ">now", NULL };
	struct libscols_table *table = cli_table_new(false, columns);
	size_t shown = 0;

	for (; table != NULL && shown < whatif->report_count; shown++) {
		if (!view->verbose && shown == LISTED_SHORT)
			break;
		add_report(table, whatif, &whatif->reports[shown]);
	}
	cli_table_print(table, view->out);
	if (shown < whatif->report_count)
		fprintf(view->out, "  ... and %zu more reports (-v)\n", whatif->report_count - shown);
}

static void print_notes(const struct oev_whatif *whatif, FILE *out)
{
	const struct {
		const char *text;
		uint64_t value;
	} notes[] = {
		{ "refused then are sent now", whatif->now_sent },
		{ "sent then are refused now", whatif->now_refused },
		{ "sent then go to another peer now", whatif->elsewhere },
		{ "refused then, since a peer had no room", whatif->full[0] },
		{ "refused now, since a peer has no room", whatif->full[1] },
		{ "have no peers on record: those of the last request to the same destination are used",
		  whatif->inexact },
		{ "are in parts that cannot be done again", whatif->skipped },
		{ "could not be held against each other: too far apart in time", whatif->unpaired },
	};
	char count[32], why[sizeof(whatif->why)];

	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
		if (notes[i].value > 0)
			fprintf(out, "  note        %s %s\n", oev_number_text(notes[i].value, count),
				notes[i].text);
	if (whatif->options.policy->mode == OC_MODE_OBSERVE)
		fprintf(out, "  note        the policy now only observes: what a report selects is sent all "
			     "the same\n");
	snprintf(why, sizeof(why), "%s", whatif->why);
	if (why[0] != '\0')
		fprintf(out, "  not whole   %" PRIu32 " of %" PRIu32 " lives, the first since %s\n",
			whatif->lives_partly, whatif->lives, cli_safe(why));
	for (const char *const *limit = oev_whatif_limits(); *limit != NULL; limit++)
		fprintf(out, "%s%s\n",
			limit == oev_whatif_limits() ? "beyond the record: " : "                   ", *limit);
}

void cli_whatif_print(const struct oev_whatif *whatif, const struct cli_whatif_view *view)
{
	const struct oev_whatif_options *options = &whatif->options;
	char line[1024], speed[64], lives[32] = "";

	oev_whatif_verdict(whatif, line, sizeof(line));
	cli_again_verdict(view->out, cli_safe(line), view->color, oev_whatif_exit(whatif->outcome));
	cli_again_speed(whatif->total[1].decisions, view->took_s, speed, sizeof(speed));
	fprintf(view->out, "   %s\n", speed);
	if (view->quiet || whatif->total[1].decisions == 0)
		return;
	if (whatif->lives > 1)
		snprintf(lives, sizeof(lives), "   %" PRIu32 " lives", whatif->lives);
	snprintf(line, sizeof(line), "%.400s, now: %.400s%s",
		 options->against_name != NULL ? options->against_name : "as recorded", options->policy_name,
		 lives);
	fprintf(view->out, "  before: %s\n", cli_safe(line));
	print_classes(whatif, view);
	print_servers(whatif, view);
	print_reports(whatif, view);
	print_clients(whatif, view);
	print_notes(whatif, view->out);
}
