/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What a claim did to traffic: before, during and after; elsewhere; who obeyed, and who went on as before.
 */
#include <inttypes.h>
#include <libsmartcols.h>

#include "../app/oev_cut.h"
#include "../oev_time.h"
#include "cli.h"
#include "cli_audit.h"

#define NODE_WIDTH 40u
#define NAME_SIZE 160u

/* Of less time no rate can be told. */
#define SPAN_LEAST_US 1000000u

static void rate_text(uint64_t count, uint64_t span_us, char buf[static 32])
{
	if (span_us < SPAN_LEAST_US)
		snprintf(buf, 32, "-");
	else
		snprintf(buf, 32, "%.1f", (double)count * 1e6 / (double)span_us);
}

static void put_name(const struct oev_audit *audit, uint32_t number, char out[static NAME_SIZE])
{
	const char *name = oev_names_text(&audit->names, number);

	snprintf(out, NAME_SIZE, "%.*s", oev_cut(name, NAME_SIZE - 1), name);
}

static void add_phase(struct libscols_table *table, enum oev_phase phase, const struct oev_traffic *at)
{
	const uint64_t counts[] = { at->offered,
				    at->selected,
				    at->refused,
				    at->arrived,
				    at->useful,
				    at->alternatives,
				    at->useful + at->alternatives_useful,
				    at->retried };
	struct libscols_line *line = scols_table_new_line(table, NULL);
	char text[32];

	if (line == NULL)
		return;
	scols_line_set_data(line, 0, oev_phase_text(phase));
	snprintf(text, sizeof(text), "%.1f s", (double)at->span_us / 1e6);
	scols_line_set_data(line, 1, text);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		rate_text(counts[i], at->span_us, text);
		scols_line_set_data(line, i + 2, text);
	}
}

static void print_phases(const struct oev_effect *effect, FILE *out)
{
	static const char *const columns[] = { "per second", ">for",	 ">offered", ">selected",
					       ">refused",   ">arrived", ">useful",  ">elsewhere",
					       ">goodput",   ">retries", NULL };
	struct libscols_table *table = cli_table_new(false, columns);

	for (int i = 0; table != NULL && i < OEV_PHASE_COUNT; i++) {
		const struct oev_traffic *at = &effect->phase[i];
		if (i != OEV_PHASE_APART && (at->span_us > 0 || at->offered > 0))
			add_phase(table, (enum oev_phase)i, at);
	}
	cli_table_print(table, out);
}

static void print_times(const struct oev_effect *effect, FILE *out)
{
	char text[200];
	int at = 0;

	if (effect->selected_us != 0)
		at = snprintf(text, sizeof(text), "first request selected %.3f s after it was held%s",
			      (double)effect->slowest_effect_us / 1e6, effect->has_normal ? "; " : "");
	if (effect->has_normal)
		at += snprintf(text + at, sizeof(text) - (size_t)at, "normal %.1f s after its end",
			       (double)effect->slowest_normal_us / 1e6);
	if (at > 0)
		cli_print_wrapped("  effect      ", text, out);
}

static void print_alternatives(const struct oev_audit *audit, const struct oev_effect *effect,
			       const struct cli_audit_view *view)
{
	uint32_t shown = view->verbose ? effect->alternative_count : CLI_LISTED_SHORT;

	shown = shown < effect->alternative_count ? shown : effect->alternative_count;
	for (uint32_t i = 0; i < shown; i++) {
		const struct oev_alternative *at = &effect->alternative[i];
		char name[NAME_SIZE], text[400], rates[3][32];
		static const enum oev_phase phases[] = { OEV_PHASE_BEFORE, OEV_PHASE_DURING,
							 OEV_PHASE_AFTER };
		for (int j = 0; j < 3; j++)
			rate_text(at->sent[phases[j]], effect->phase[phases[j]].span_us, rates[j]);
		put_name(audit, at->name, name);
		snprintf(text, sizeof(text), "%s got %s/s before, %s/s during, %s/s after", cli_safe(name),
			 rates[0], rates[1], rates[2]);
		cli_print_wrapped("  elsewhere   ", text, view->out);
	}
	if (shown < effect->alternative_count)
		fprintf(view->out, "  ... and %" PRIu32 " more next hops (-v)\n",
			effect->alternative_count - shown);
}

static const char *answer_text(enum oev_obedience obedience)
{
	if (obedience == OEV_PARTLY)
		return "sent more than asked, fewer than before";
	return obedience == OEV_WENT_ON ? "went on as before" : "obeyed";
}

/* One that reacts by itself: what it sent, what it was to send, and whether that tells. */
static void print_origin(const struct oev_audit *audit, const struct oev_origin *at, FILE *out)
{
	char name[NAME_SIZE], text[600], number[32], number2[32], number3[32];

	put_name(audit, at->name, name);
	if (oev_obedience_is_open(at->obedience))
		snprintf(text, sizeof(text), "%s %s", cli_safe(name), oev_obedience_why(at->obedience));
	else
		snprintf(text, sizeof(text),
			 "%s %s: %s requests the report speaks of, at most %s asked; %s answers told it",
			 cli_safe(name), answer_text(at->obedience), oev_number_text(at->during, number),
			 oev_number_text((uint64_t)(at->expected + 0.5), number2),
			 oev_number_text(at->told, number3));
	cli_print_wrapped("              ", text, out);
}

static void count_origins(const uint64_t kinds[OEV_OBEDIENCE_COUNT], FILE *out)
{
	static const char *const words[OEV_OBEDIENCE_COUNT] = { [OEV_TOO_FEW] = "sent too few",
								[OEV_NOT_TOLD] = "got no answer with it",
								[OEV_NOT_ADDRESSED] = "named no host",
								[OEV_UNKNOWN] = "not fully recorded" };
	uint64_t open = 0;
	char text[400];
	size_t at = (size_t)snprintf(text, sizeof(text),
				     "of those who react by themselves %" PRIu64 " obeyed, %" PRIu64
				     " went on as before",
				     kinds[OEV_OBEYED], kinds[OEV_WENT_ON]);

	for (int i = 0; i < OEV_OBEDIENCE_COUNT; i++)
		open += oev_obedience_is_open((enum oev_obedience)i) ? kinds[i] : 0;
	if (kinds[OEV_PARTLY] > 0)
		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       ", %" PRIu64 " sent more than asked, fewer than before",
				       kinds[OEV_PARTLY]);
	if (open > 0)
		at += (size_t)snprintf(text + at, sizeof(text) - at, ", of %" PRIu64 " it cannot be told (",
				       open);
	for (int i = 0, listed = 0; i < OEV_OBEDIENCE_COUNT; i++)
		if (words[i] != NULL && kinds[i] > 0)
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%" PRIu64 " %s",
					       listed++ > 0 ? ", " : "", kinds[i], words[i]);
	snprintf(text + at, sizeof(text) - at, "%s; for %" PRIu64 " this node held back", open > 0 ? ")" : "",
		 kinds[OEV_HELD_HERE]);
	cli_print_wrapped("  origins     ", text, out);
}

static void print_origins(const struct oev_audit *audit, size_t claim, const struct cli_audit_view *view)
{
	uint64_t kinds[OEV_OBEDIENCE_COUNT] = { 0 }, all = 0, shown = 0;

	for (size_t i = 0; i < audit->origin_count; i++)
		if (audit->origins[i].claim == claim && ++all > 0)
			kinds[audit->origins[i].obedience]++;
	if (all == kinds[OEV_HELD_HERE] + kinds[OEV_ABSENT])
		return; /* nobody reacts by itself */
	count_origins(kinds, view->out);
	for (size_t i = 0; i < audit->origin_count; i++) {
		const struct oev_origin *at = &audit->origins[i];
		bool wanted = view->verbose ? at->obedience != OEV_HELD_HERE && at->obedience != OEV_ABSENT
					    : (at->obedience == OEV_WENT_ON || at->obedience == OEV_PARTLY) &&
						      shown < CLI_LISTED_SHORT;
		if (at->claim != claim || !wanted)
			continue;
		print_origin(audit, at, view->out);
		shown++;
	}
}

void cli_audit_effect(const struct oev_audit *audit, const struct oev_claim *claim,
		      const struct cli_audit_view *view)
{
	size_t at = (size_t)(claim - audit->claims);

	if (at >= audit->follow_count || audit->effects[at].first_us == 0)
		return;
	print_times(&audit->effects[at], view->out);
	print_phases(&audit->effects[at], view->out);
	print_alternatives(audit, &audit->effects[at], view);
	print_origins(audit, at, view);
}

static void add_hop(struct libscols_table *table, const struct oev_audit *audit, const struct oev_hop *at)
{
	uint64_t other = at->answers[OEV_ANSWER_PROTOCOL] + at->answers[OEV_ANSWER_TRANSIENT] +
			 at->answers[OEV_ANSWER_PERMANENT] + at->answers[OEV_ANSWER_OTHER];
	const uint64_t counts[] = { at->sent,
				    at->diverted,
				    at->answers[OEV_ANSWER_SUCCESS],
				    at->useful,
				    at->answers[OEV_ANSWER_BUSY],
				    other,
				    at->lost,
				    at->busiest };
	struct libscols_line *line = scols_table_new_line(table, NULL);
	char text[32];

	if (line == NULL)
		return;
	cli_table_wrap(line, 0, oev_names_text(&audit->names, at->name), NODE_WIDTH);
	scols_line_set_data(line, 1, oev_app_text(at->app_id, text));
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		scols_line_set_data(line, i + 2, oev_number_text(counts[i], text));
}

void cli_audit_hops(const struct oev_audit *audit, const struct cli_audit_view *view)
{
	static const char *const columns[] = { "~next hop", "app",	">sent", ">diverted",
					       ">2xxx",	    ">in time", ">3004", ">other",
					       ">none",	    ">most/s",	NULL };
	const size_t most = (size_t)2 * CLI_LISTED_SHORT;
	size_t shown = view->verbose || audit->hop_count <= most ? audit->hop_count : most;

	if (audit->hop_count == 0)
		return;
	struct libscols_table *table = cli_table_new(false, columns);
	for (size_t i = 0; table != NULL && i < shown; i++)
		add_hop(table, audit, &audit->hops[i]);
	fprintf(view->out, "sent to each next hop, and what came back, as this node saw it\n");
	cli_table_print(table, view->out);
	if (shown < audit->hop_count)
		fprintf(view->out, "  ... and %zu more next hops (-v)\n", audit->hop_count - shown);
}
