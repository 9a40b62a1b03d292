/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The replay for people: one verdict line, the first difference with its inputs, what could not be compared.
 */
#include <inttypes.h>
#include <libsmartcols.h>
#include <string.h>

#include "../../agent/oc_event.h"
#include "../app/oev_app.h"
#include "../app/oev_cut.h"
#include "../audit/oev_audit.h"
#include "../oev_time.h"
#include "../replay/oev_difference.h"
#include "cli_again.h"
#include "cli_replay.h"

static void print_verdict(const struct oev_replay *replay, const struct cli_replay_view *view)
{
	char line[1024], speed[64];

	oev_replay_verdict(replay, line, sizeof(line));
	cli_again_verdict(view->out, cli_safe(line), view->color, oev_replay_exit(replay->outcome));
	cli_again_speed(replay->total.decisions + replay->total.outside, view->took_s, speed, sizeof(speed));
	fprintf(view->out, "   %s\n", speed);
}

static void add_field(struct libscols_table *table, const struct oev_difference *difference,
		      const char *field)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);
	char recorded[OEV_VALUE_MAX], replayed[OEV_VALUE_MAX];

	if (line == NULL)
		return;
	oev_difference_value(field, &difference->recorded, difference->hops[0], difference->hops[1],
			     recorded);
	oev_difference_value(field, &difference->replayed, difference->hops[2], difference->hops[3],
			     replayed);
	scols_line_set_data(line, 0, field);
	scols_line_set_data(line, 1, cli_safe(recorded));
	scols_line_set_data(line, 2, cli_safe(replayed));
	scols_line_set_data(line, 3, strcmp(recorded, replayed) != 0 ? "differs" : "");
}

static void print_sides(const struct oev_difference *difference, const struct cli_replay_view *view)
{
	static const char *const columns[] = { "field", "recorded", "replayed", "", NULL };
	static const char *const fields[] = { "realm", "host",	       "peer",	   "selected_by",
					      "class", "first_choice", "next_hop", "verdict",
					      "why",   "result_code",  "flags" };
	struct libscols_table *table = cli_table_new(false, columns);

	for (size_t i = 0; table != NULL && i < sizeof(fields) / sizeof(fields[0]); i++)
		add_field(table, difference, fields[i]);
	cli_table_print(table, view->out);
}

static const char *or_none(const char *name)
{
	return name[0] != '\0' ? name : "none";
}

static void print_inputs(const struct oev_difference *difference, const struct cli_replay_view *view)
{
	const struct oc_decision *d = &difference->recorded;
	static const char *const scopes[OC_SCOPE_COUNT] = { "", "realm", "host", "peer" };
	char app[16], line[1536];

	snprintf(line, sizeof(line), "application %s, command %" PRIu32 ", from %s (%s, %s) to %s in %s",
		 oev_app_text(d->app_id, app), d->command, or_none(difference->client),
		 or_none(difference->origin_host), or_none(difference->origin_realm),
		 or_none(difference->dest_host), or_none(difference->dest_realm));
	fprintf(view->out, "  inputs      %s\n", cli_safe(line));
	fprintf(view->out, "              chance 0x%016" PRIx64, d->random);
	if (d->drmp != OC_DRMP_NONE)
		fprintf(view->out, ", DRMP %u", d->drmp);
	if (d->cc_request_type != 0)
		fprintf(view->out, ", CC-Request-Type %u", d->cc_request_type);
	snprintf(line, sizeof(line), "%s",
		 difference->candidates[0] != '\0' ? difference->candidates : "not recorded");
	fprintf(view->out, "\n              candidates %s\n", cli_safe(line));
	for (int scope = OC_SCOPE_REALM; scope < OC_SCOPE_COUNT; scope++) {
		const struct oev_replay_state *state = &difference->states[scope];
		if (state->version == 0)
			continue;
		snprintf(line, sizeof(line), "%s", state->text);
		fprintf(view->out, "              %s report: version #%" PRIu32 " %s\n", scopes[scope],
			state->version, line[0] != '\0' ? cli_safe(line) : "is in no table");
	}
}

static void print_first(const struct oev_replay *replay, const struct cli_replay_view *view)
{
	const struct oev_difference *difference = &replay->differences[0];
	char when[OEV_TIME_TEXT_MAX], node[OC_IDENT_MAX + 1];

	oev_time_text(difference->wall_us, when);
	snprintf(node, sizeof(node), "%s", replay->lives[difference->life].node);
	fprintf(view->out, "  decision    %" PRIu64 " at %s by %s, life %" PRIu32 " of %zu\n",
		difference->recorded.id, when, cli_safe(node), difference->life + 1, replay->life_count);
	print_sides(difference, view);
	print_inputs(difference, view);
}

static void print_others(const struct oev_replay *replay, const struct cli_replay_view *view)
{
	for (size_t i = 1; view->verbose && i < replay->difference_count; i++) {
		const struct oev_difference *at = &replay->differences[i];
		char when[OEV_TIME_TEXT_MAX], recorded[OEV_VALUE_MAX], replayed[OEV_VALUE_MAX];
		oev_time_text(at->wall_us, when);
		oev_difference_value(at->field, &at->recorded, at->hops[0], at->hops[1], recorded);
		oev_difference_value(at->field, &at->replayed, at->hops[2], at->hops[3], replayed);
		fprintf(view->out, "  also        %" PRIu64 " at %s: %s recorded \"%s\", replayed \"%s\"\n",
			at->recorded.id, when, at->field, cli_safe(recorded), cli_safe(replayed));
	}
	uint64_t shown = view->verbose ? replay->difference_count : 1;
	if (replay->total.differing > shown)
		fprintf(view->out, "  ... and %" PRIu64 " more%s\n", replay->total.differing - shown,
			view->verbose ? "" : " (-v)");
}

static void print_life(const struct oev_replayed_life *life, const struct cli_replay_view *view)
{
	char from[OEV_TIME_TEXT_MAX], until[OEV_TIME_TEXT_MAX], count[32], line[512];

	oev_time_text(life->started_us, from);
	oev_time_text(life->until_us, until);
	snprintf(line, sizeof(line), "%.*s, %.60s core %s", oev_cut(life->node, 200), life->node,
		 life->version, life->same_core ? "(same)" : "(another)");
	fprintf(view->out, "  life        %s to %s, %s decisions, %s: %s%s%s\n", from, until,
		oev_number_text(life->tally.decisions, count), cli_safe(line),
		oev_replay_outcome_text(life->outcome), life->why[0] != '\0' ? ", " : "", life->why);
}

static void print_notes(const struct oev_replay *replay, FILE *out)
{
	const struct oev_replay_tally *total = &replay->total;
	const struct {
		const char *text;
		uint64_t value;
	} notes[] = {
		{ "made as given: their candidates were not recorded", total->inexact },
		{ "done again for the state, outside the window", total->outside },
		{ "in parts that cannot be done again", total->beyond },
		{ "are not in the evidence", total->missing },
		{ "rows stood too far from their place in time (late)", total->late },
		{ "reports or loads came in answers that nothing tells of", total->orphans },
		{ "outcomes of decisions that are not there", total->unknown },
	};
	char count[32];

	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
		if (notes[i].value > 0)
			fprintf(out, "  note        %s %s\n", oev_number_text(notes[i].value, count),
				notes[i].text);
}

void cli_replay_print(const struct oev_replay *replay, const struct cli_replay_view *view)
{
	print_verdict(replay, view);
	if (view->quiet)
		return;
	if (replay->difference_count > 0) {
		print_first(replay, view);
		print_others(replay, view);
	}
	for (size_t i = 0; i < replay->life_count; i++)
		if (view->verbose || replay->lives[i].outcome == OEV_REPLAY_UNSURE)
			print_life(&replay->lives[i], view);
	print_notes(replay, view->out);
}
