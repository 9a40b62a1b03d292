/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Versions of a claim, and what they may differ from their reports by.
 */
#include <inttypes.h>
#include <libsmartcols.h>

#include "../audit/oev_audit_bound.h"
#include "../oev_time.h"
#include "cli.h"
#include "cli_audit.h"

static void add_version(struct libscols_table *table, const struct oev_version *version)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);
	char text[9][64], from[OEV_TIME_TEXT_MAX], number[32];

	if (line == NULL)
		return;
	cli_audit_clock(version->from_us, from);
	snprintf(text[0], 64, "#%" PRIu32, version->number);
	snprintf(text[1], 64, "%s", version->sequence);
	if (version->is_rate)
		snprintf(text[2], 64, "%" PRIu32 "/s", version->rate_rps);
	else
		snprintf(text[2], 64, "%" PRIu32 " %%", version->reduction_pct);
	snprintf(text[3], 64, "%.1f s", (double)(version->end_ns - version->from_ns) / 1e9);
	snprintf(text[4], 64, "%s", oev_number_text(version->active.matched, number));
	snprintf(text[5], 64, "%s", oev_number_text(version->active.selected, number));
	oev_share_text(version->active.selected, version->active.matched, text[6]);
	oev_number_text(version->ramp.selected, text[7]);
	snprintf(text[8], 64, "-");
	if (version->selected_ns >= version->from_ns)
		snprintf(text[8], 64, "%.1f s", (double)(version->selected_ns - version->from_ns) / 1e9);
	const char *cells[] = { text[0], text[1], text[2], from,    text[3], version->how,
				text[4], text[5], text[6], text[8], text[7] };
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++)
		scols_line_set_data(line, i, cells[i]);
}

static void print_versions(const struct oev_audit *audit, const struct oev_claim *claim,
			   const struct cli_audit_view *view)
{
	static const char *const columns[] = { "version", ">sequence", ">asked",   "from",
					       ">active", "ended",     ">matched", ">selected",
					       ">share",  ">after",    ">on ramp", NULL };
	uint32_t shown = 0;

	if (claim->judged == 0 || (claim->judged == 1 && !view->verbose))
		return;
	struct libscols_table *table = cli_table_new(false, columns);
	for (uint32_t i = 0; table != NULL && i < claim->version_count; i++) {
		const struct oev_version *version = &audit->versions[claim->version_first + i];
		if (version->in_window && (view->verbose || shown < CLI_LISTED_SHORT)) {
			add_version(table, version);
			shown++;
		}
	}
	cli_table_print(table, view->out);
	if (shown < claim->judged)
		fprintf(view->out, "  ... and %" PRIu32 " more versions (-v)\n", claim->judged - shown);
}

static void print_rate(const struct oev_audit *audit, const struct oev_version *version, FILE *out)
{
	struct oev_bound bound = oev_bound_rate(audit, version);
	char number[32], text[400];
	int at = snprintf(text, sizeof(text), "version #%" PRIu32 ": %" PRIu32 "/s for %.1f s, %s admitted",
			  version->number, version->rate_rps,
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
static void print_debt(const struct oev_audit *audit, const struct oev_version *version, FILE *out)
{
	struct oev_bound bound = oev_bound_debt(audit, version);
	char number[32], number2[32], text[400];

	if (version->is_specific)
		snprintf(text, sizeof(text),
			 "version #%" PRIu32
			 ": specific reductions (3GPP-OC-Specific-Reduction): each request by its rating "
			 "groups, so no one total was asked",
			 version->number);
	else
		snprintf(
			text, sizeof(text),
			"version #%" PRIu32
			": %.2f asked, %s selected, shares moved for %s requests; up to %.2f waited, allowed "
			"%.0f: %s",
			version->number, (double)version->asked_ppm / 1e6,
			oev_number_text(version->asked_selected, number),
			oev_number_text(version->moved, number2), bound.excess, bound.allowed,
			bound.holds ? "holds" : "does not hold");
	if (version->is_specific || version->moved > 0)
		cli_print_wrapped("  asked total ", text, out);
}

static void print_bounds(const struct oev_audit *audit, const struct oev_claim *claim,
			 const struct cli_audit_view *view)
{
	uint32_t shown = 0;

	for (uint32_t i = 0; i < claim->version_count; i++) {
		const struct oev_version *version = &audit->versions[claim->version_first + i];
		if (!version->in_window || version->validity_s == 0 ||
		    (!version->is_rate && version->moved == 0))
			continue;
		if (!view->verbose && shown++ == CLI_LISTED_SHORT)
			return;
		if (version->is_rate)
			print_rate(audit, version, view->out);
		else
			print_debt(audit, version, view->out);
	}
}

void cli_audit_versions(const struct oev_audit *audit, const struct oev_claim *claim,
			const struct cli_audit_view *view)
{
	print_versions(audit, claim, view);
	print_bounds(audit, claim, view);
}
