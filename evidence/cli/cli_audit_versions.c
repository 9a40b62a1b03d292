/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Versions of a claim, and what they may differ from their reports by.
 */
#include <inttypes.h>
#include <libsmartcols.h>
#include <math.h>

#include "../audit/oev_audit_bound.h"
#include "../audit/oev_chain.h"
#include "../oev_time.h"
#include "cli.h"
#include "cli_audit.h"

static void add_chain(struct libscols_table *table, const struct oev_audit *audit,
		      const struct oev_chain *chain)
{
	const struct oev_version *first = chain->first;
	struct libscols_line *line = scols_table_new_line(table, NULL);
	char text[9][64], from[OEV_TIME_TEXT_MAX], number[32], numbers[64];

	if (line == NULL)
		return;
	cli_audit_clock(first->from_us, from);
	snprintf(text[0], 64, "-");
	if (chain->count > 1)
		snprintf(text[0], 64, "%" PRIu32 " time%s", chain->count - 1, chain->count > 2 ? "s" : "");
	oev_chain_sequences(chain, text[1]);
	if (first->is_rate)
		snprintf(text[2], 64, "%" PRIu32 "/s", first->rate_rps);
	else
		snprintf(text[2], 64, "%" PRIu32 " %%", first->reduction_pct);
	snprintf(text[3], 64, "%.1f s", (double)chain->active_ns / 1e9);
	snprintf(text[4], 64, "%s", oev_number_text(chain->matched, number));
	snprintf(text[5], 64, "%s", oev_number_text(chain->selected, number));
	oev_share_text(chain->selected, chain->matched, text[6]);
	oev_number_text(chain->ramp_selected, text[7]);
	snprintf(text[8], 64, "-");
	if (chain->selected_ns >= first->from_ns)
		snprintf(text[8], 64, "%.1f s", (double)(chain->selected_ns - first->from_ns) / 1e9);
	const char *cells[] = {
		oev_chain_name(audit, chain, numbers), text[0], text[1], text[2], from,	   text[3],
		oev_version_ended(audit, chain->last), text[4], text[5], text[6], text[8], text[7]
	};
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++)
		scols_line_set_data(line, i, cells[i]);
}

static void print_versions(const struct oev_audit *audit, const struct oev_claim *claim,
			   const struct cli_audit_view *view)
{
	static const char *const columns[] = { "version", ">renewed", ">sequence", ">asked",	"from",
					       ">active", "ended",    ">matched",  ">selected", ">share",
					       ">after",  ">on ramp", NULL };
	struct oev_chain chain;
	uint32_t lines = 0, shown = 0, next = oev_chain_next(audit, claim, 0, &chain);

	if (claim->judged == 0 || (claim->judged == 1 && !view->verbose))
		return;
	struct libscols_table *table = cli_table_new(false, columns);
	for (; table != NULL && chain.count > 0; next = oev_chain_next(audit, claim, next, &chain)) {
		if (!view->verbose && lines++ >= CLI_LISTED_SHORT)
			break;
		add_chain(table, audit, &chain);
		shown += chain.count;
	}
	cli_table_print(table, view->out);
	if (shown < claim->judged)
		fprintf(view->out, "  ... and %" PRIu32 " more versions (-v)\n", claim->judged - shown);
}

/* "version #7", of a chain "version #7, the worst of 12", of several lives "version #7 of life 2". */
static const char *version_text(const struct oev_audit *audit, const struct oev_version *version, uint32_t of,
				char buf[static 64])
{
	int at = snprintf(buf, 64, "version #%" PRIu32, version->number);

	if (oev_claim_has_lives(audit, &audit->claims[version->claim]))
		at += snprintf(buf + at, 64 - (size_t)at, " of life %" PRIu32,
			       oev_life_number(audit, version->life));
	if (of > 1)
		snprintf(buf + at, 64 - (size_t)at, ", the worst of %" PRIu32, of);
	return buf;
}

static void print_rate(const struct oev_audit *audit, const struct oev_version *version, uint32_t of,
		       FILE *out)
{
	struct oev_bound bound = oev_bound_rate(audit, version);
	char number[32], name[64], text[400];
	int at = snprintf(text, sizeof(text), "%s: %" PRIu32 "/s for %.1f s, %s admitted",
			  version_text(audit, version, of, name), version->rate_rps,
			  (double)(version->end_ns - version->from_ns) / 1e9,
			  oev_number_text(version->sampler.admitted, number));

	if (version->sampler.admitted > 0)
		at += snprintf(text + at, sizeof(text) - (size_t)at,
			       "; worst window %+.0f against 1+floor((W+TAU)/T), allowed %+.0f (stamps up to "
			       "0.1 s late)",
			       bound.excess, bound.allowed);
	snprintf(text + at, sizeof(text) - (size_t)at, ": %s", bound.holds ? "holds" : "does not hold");
	cli_print_wrapped("  rate        ", text, out);
}

/* Only where priorities, or what other reports took away, moved shares; elsewhere the ladder says it all. */
static void print_debt(const struct oev_audit *audit, const struct oev_version *version, uint32_t of,
		       FILE *out)
{
	struct oev_bound bound = oev_bound_debt(audit, version);
	char number[32], number2[32], name[64], text[400];

	version_text(audit, version, of, name);
	if (version->is_specific)
		snprintf(text, sizeof(text),
			 "%s: specific reductions (3GPP-OC-Specific-Reduction): each request by its rating "
			 "groups, so no one total was asked",
			 name);
	else
		snprintf(text, sizeof(text),
			 "%s: %.2f asked, %s selected, shares moved for %s requests; up to %.2f waited, "
			 "allowed "
			 "%.0f: %s",
			 name, (double)version->asked_ppm / 1e6,
			 oev_number_text(version->asked_selected, number),
			 oev_number_text(version->moved, number2), bound.excess, bound.allowed,
			 bound.holds ? "holds" : "does not hold");
	if (version->is_specific || version->moved > 0)
		cli_print_wrapped("  asked total ", text, out);
}

/* How far it was beyond what is allowed; of versions without a bound of their own, far below. */
static double beyond(const struct oev_audit *audit, const struct oev_version *version)
{
	if (version->validity_s == 0 || (!version->is_rate && version->moved == 0))
		return -INFINITY;
	struct oev_bound bound =
		version->is_rate ? oev_bound_rate(audit, version) : oev_bound_debt(audit, version);
	return bound.holds ? bound.excess - bound.allowed : INFINITY;
}

/* The worst of a chain stands for all of it; those that do not hold stand for themselves. Returns how many lines that took. */
static uint32_t print_bound(const struct oev_audit *audit, const struct oev_chain *chain, FILE *out)
{
	const struct oev_version *worst = NULL;
	double most = -INFINITY;
	uint32_t lines = 0;

	for (const struct oev_version *at = chain->first; at <= chain->last; at++) {
		double by = beyond(audit, at);
		worst = by > most ? at : worst;
		most = by > most ? by : most;
	}
	for (const struct oev_version *at = chain->first; at <= chain->last; at++) {
		if (most == -INFINITY || (at != worst && beyond(audit, at) < INFINITY))
			continue;
		uint32_t of = most < INFINITY ? chain->count : 1;
		if (at->is_rate)
			print_rate(audit, at, of, out);
		else
			print_debt(audit, at, of, out);
		lines++;
	}
	return lines;
}

static void print_bounds(const struct oev_audit *audit, const struct oev_claim *claim,
			 const struct cli_audit_view *view)
{
	struct oev_chain chain;
	uint32_t lines = 0, next = oev_chain_next(audit, claim, 0, &chain);

	for (; chain.count > 0; next = oev_chain_next(audit, claim, next, &chain)) {
		if (!view->verbose && lines >= CLI_LISTED_SHORT)
			return;
		lines += print_bound(audit, &chain, view->out);
	}
}

static void print_lapses(const struct oev_audit *audit, const struct oev_claim *claim,
			 const struct cli_audit_view *view)
{
	size_t shown = 0, all = 0;
	char text[OEV_LAPSE_TEXT_MAX];

	for (size_t i = 0; i < audit->lapse_count; i++) {
		if (audit->lapses[i].claim != (uint32_t)(claim - audit->claims))
			continue;
		all++;
		if (!view->verbose && shown >= CLI_LISTED_SHORT)
			continue;
		shown++;
		cli_print_wrapped("  not held    ",
				  oev_lapse_text(audit, &audit->lapses[i], text, sizeof(text)), view->out);
	}
	if (shown < all)
		fprintf(view->out, "  ... and %zu more times (-v)\n", all - shown);
}

void cli_audit_versions(const struct oev_audit *audit, const struct oev_claim *claim,
			const struct cli_audit_view *view)
{
	print_versions(audit, claim, view);
	print_lapses(audit, claim, view);
	print_bounds(audit, claim, view);
}
