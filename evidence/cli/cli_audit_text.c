/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The audit for people: one verdict line, the ladder, the funnel, exceptions, gaps, and what is not claimed.
 */
#include <inttypes.h>
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_event.h"
#include "../audit/oev_audit_bound.h"
#include "../oev_time.h"
#include "cli.h"
#include "cli_audit.h"

#define LISTED_SHORT 5u /* exceptions and versions without -v */

static const char *color_of(enum oev_status status)
{
	return status == OEV_OK ? "green" : status == OEV_REFUTED ? "red" : "yellow";
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
	scols_line_set_data(line, 1, finding->receipt);
	scols_line_set_data(line, 2, finding->value);
	scols_line_set_data(line, 3, finding->bound);
	scols_line_set_data(line, 4, oev_status_text(finding->status));
	scols_cell_set_color(scols_line_get_cell(line, 4), color_of(finding->status));
}

static void print_why(const char *step, const struct oev_finding *finding, FILE *out)
{
	char why[sizeof(finding->why)];

	if (finding->status == OEV_OK || finding->why[0] == '\0')
		return;
	snprintf(why, sizeof(why), "%s", finding->why);
	fprintf(out, "  %s: %s%s%s\n", step, cli_safe(why), finding->hint[0] != '\0' ? "; " : "",
		finding->hint);
}

static void print_ladder(const struct oev_audit *audit, const struct oev_claim *claim,
			 const struct cli_audit_view *view)
{
	static const char *const columns[] = { "step", "receipt", "value", "bound", "", NULL };
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

static void add_version(struct libscols_table *table, const struct oev_version *version)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);
	char text[8][64], from[OEV_TIME_TEXT_MAX], number[32];

	if (line == NULL)
		return;
	oev_time_text(version->from_us, from);
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
	snprintf(text[7], 64, "%s of %" PRIu64, oev_number_text(version->ramp.selected, number),
		 version->ramp.matched);
	const char *cells[] = { text[0],      text[1], text[2], from,	 text[3],
				version->how, text[4], text[5], text[6], text[7] };
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++)
		scols_line_set_data(line, i, cells[i]);
}

static void print_versions(const struct oev_audit *audit, const struct oev_claim *claim,
			   const struct cli_audit_view *view)
{
	static const char *const columns[] = { "version", ">sequence", ">asked",   "from",
					       ">active", "ended",     ">matched", ">selected",
					       ">share",  ">on ramp",  NULL };
	uint32_t shown = 0;

	if (claim->judged == 0 || (claim->judged == 1 && !view->verbose))
		return;
	struct libscols_table *table = cli_table_new(false, columns);
	for (uint32_t i = 0; table != NULL && i < claim->version_count; i++) {
		const struct oev_version *version = &audit->versions[claim->version_first + i];
		if (version->in_window && (view->verbose || shown < LISTED_SHORT)) {
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
	char number[32];

	fprintf(out, "  rate        version #%" PRIu32 ": %" PRIu32 "/s for %.1f s, %s admitted",
		version->number, version->rate_rps, (double)(version->end_ns - version->from_ns) / 1e9,
		oev_number_text(version->sampler.admitted, number));
	if (version->sampler.admitted > 0)
		fprintf(out,
			"; worst window %+.0f against 1+floor((W+TAU)/T), allowed %+.0f (stamps up to 0.1 s "
			"late)",
			bound.excess, bound.allowed);
	fprintf(out, ": %s\n", bound.holds ? "holds" : "does not hold");
}

/* Only where priorities, or what other reports took away, moved shares; elsewhere the ladder says it all. */
static void print_debt(const struct oev_audit *audit, const struct oev_version *version, FILE *out)
{
	struct oev_bound bound = oev_bound_debt(audit, version);
	char number[32], number2[32];

	if (version->is_specific)
		fprintf(out,
			"  asked total version #%" PRIu32
			": specific reductions (3GPP-OC-Specific-Reduction): each request by its rating "
			"groups, "
			"so no one total was asked\n",
			version->number);
	if (version->is_specific || version->moved == 0)
		return;
	fprintf(out,
		"  asked total version #%" PRIu32
		": %.2f asked, %s selected, shares moved for %s requests; up to "
		"%.2f waited, allowed %.0f: %s\n",
		version->number, (double)version->asked_ppm / 1e6,
		oev_number_text(version->asked_selected, number), oev_number_text(version->moved, number2),
		bound.excess, bound.allowed, bound.holds ? "holds" : "does not hold");
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
		if (!view->verbose && shown++ == LISTED_SHORT)
			return;
		if (version->is_rate)
			print_rate(audit, version, view->out);
		else
			print_debt(audit, version, view->out);
	}
}

static void add_agreement(struct libscols_table *table, const struct oev_agreement *row)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);
	bool server = row->file->role == OEV_ROLE_SERVER;
	char counted[32], seen[32], answers[32], seen_answers[32], app[16];

	if (line == NULL)
		return;
	oev_number_text(row->counter_requests, counted);
	oev_number_text(row->evidence_requests, seen);
	oev_number_text(row->counter_answers, answers);
	oev_number_text(row->evidence_answers, seen_answers);
	const char *cells[] = { row->file->node,
				oev_app_text(row->app_id, app),
				server ? "-" : counted,
				server ? "-" : seen,
				server ? seen : "-",
				server ? counted : "-",
				answers,
				seen_answers,
				row->status == OEV_OK	     ? "agree"
				: row->status == OEV_REFUTED ? "differ"
							     : "not covered" };
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++)
		scols_line_set_data(line, i, cells[i]);
	scols_cell_set_color(scols_line_get_cell(line, 8), color_of(row->status));
}

static void print_counters(const struct oev_audit *audit, const struct cli_audit_view *view)
{
	static const char *const columns[] = { "node",
					       "app",
					       ">sent by client",
					       ">seen here",
					       ">forwarded",
					       ">arrived at server",
					       ">answers there",
					       ">here",
					       "",
					       NULL };

	if (audit->agreement_count == 0)
		return;
	struct libscols_table *table = cli_table_new(view->color, columns);
	for (size_t i = 0; table != NULL && i < audit->agreement_count; i++)
		add_agreement(table, &audit->agreements[i]);
	fprintf(view->out, "three independent counters: clients, evidence, servers\n");
	cli_table_print(table, view->out);
}

/* One row per class, when there is more than one. */
static void print_classes(const struct oev_population *people, const struct cli_audit_view *view)
{
	static const char *const columns[] = { ">class",     ">requests", ">matched", ">passed",
					       ">forwarded", ">diverted", ">refused", NULL };
	struct libscols_table *table = cli_table_new(false, columns);
	uint32_t rows = 0;

	for (uint32_t i = 0; table != NULL && i < OEV_CLASSES; i++) {
		const struct oev_class *class = &people->class[i];
		const uint64_t cells[] = { class->candidates, class->matched,  class->survivors,
					   class->forwarded,  class->diverted, class->refused };
		struct libscols_line *line = class->candidates > 0 ? scols_table_new_line(table, NULL) : NULL;
		char text[32];
		if (line == NULL)
			continue;
		rows++;
		snprintf(text, sizeof(text), "%" PRIu32, i);
		scols_line_set_data(line, 0, text);
		for (size_t cell = 0; cell < sizeof(cells) / sizeof(cells[0]); cell++)
			scols_line_set_data(line, cell + 1, oev_number_text(cells[cell], text));
	}
	if (rows > 1)
		cli_table_print(table, view->out);
	else
		scols_unref_table(table);
}

static void print_population(const struct oev_population *people, FILE *out)
{
	char n[5][32];

	fprintf(out,
		"  population  %s requests; compared with a realm report %s, a host report %s; passed by "
		"these %s",
		oev_number_text(people->candidates, n[0]), oev_number_text(people->matched_realm, n[1]),
		oev_number_text(people->matched_host, n[2]), oev_number_text(people->survivors, n[3]));
	if (people->matched_peer > 0)
		fprintf(out, ", a peer report %s", oev_number_text(people->matched_peer, n[4]));
	fprintf(out, "\n              refused %s (realm), %s (host), %s (peer); diverted %s; forwarded %s\n",
		oev_number_text(people->refused_realm, n[0]), oev_number_text(people->refused_host, n[1]),
		oev_number_text(people->refused_peer, n[2]), oev_number_text(people->diverted, n[3]),
		oev_number_text(people->forwarded, n[4]));
	const struct {
		const char *text;
		uint64_t value;
	} rest[] = {
		{ "refused because a peer was full", people->refused_outstanding },
		{ "refused for this node's own overload", people->refused_own },
		{ "verdicts remembered for a retry", people->remembered },
		{ "probes", people->probes },
		{ "selected but forwarded (observe mode)", people->observed },
		{ "passed because the agent failed open", people->failopen },
		{ "from clients that react by themselves", people->left_to_client },
		{ "without a route", people->unrouted },
		{ "without an outcome", people->without_outcome },
	};
	for (size_t i = 0; i < sizeof(rest) / sizeof(rest[0]); i++)
		if (rest[i].value > 0)
			fprintf(out, "              %s %s\n", oev_number_text(rest[i].value, n[0]),
				rest[i].text);
}

static void print_exceptions(const struct oev_audit *audit, const struct cli_audit_view *view)
{
	uint64_t listed = audit->exception_count < OEV_EXCEPTIONS_LISTED ? audit->exception_count
									 : OEV_EXCEPTIONS_LISTED;

	if (!view->verbose && listed > LISTED_SHORT)
		listed = LISTED_SHORT;
	for (uint64_t i = 0; i < listed; i++) {
		const struct oev_exception *at = &audit->exceptions[i];
		char when[OEV_TIME_TEXT_MAX], detail[sizeof(at->detail)];
		oev_time_text(at->wall_us, when);
		snprintf(detail, sizeof(detail), "%s", at->detail);
		fprintf(view->out, "  exception   %s  #%" PRIu64 "  %s: %s\n", when, at->id,
			oev_exception_text(at->kind), cli_safe(detail));
	}
	if (listed < audit->exception_count)
		fprintf(view->out, "  ... and %" PRIu64 " more exceptions\n",
			audit->exception_count - listed);
}

static void print_gaps(const struct oev_audit *audit, FILE *out)
{
	for (size_t i = 0; i < audit->gap_count; i++) {
		const struct oev_gap *gap = &audit->gaps[i];
		char when[OEV_TIME_TEXT_MAX], reason[sizeof(gap->reason)];
		oev_time_text(gap->wall_us, when);
		snprintf(reason, sizeof(reason), "%s", gap->reason);
		fprintf(out, "  gap         %s  %" PRIu64 " events lost: %s%s\n", when, gap->events,
			cli_safe(reason), gap->in_window ? "" : " (outside the window)");
	}
}

static void print_notes(const struct oev_audit *audit, FILE *out)
{
	uint64_t refused = 0;
	const struct oev_report *last = NULL;

	for (size_t i = 0; i < audit->segment_count; i++)
		if (audit->segments[i].closed_us == 0)
			fprintf(out,
				"  note        open segment %s: still recording, or the node was killed\n",
				audit->segments[i].path);
	for (size_t i = 0; i < audit->report_count; i++)
		if (audit->reports[i].refused) {
			refused++;
			last = &audit->reports[i];
		}
	if (last != NULL) {
		char line[200];
		snprintf(line, sizeof(line), "%" PRIu64 " reports were refused, the last from %.60s: %.24s",
			 refused, last->peer, last->reason);
		fprintf(out, "  note        %s\n", cli_safe(line));
	}
}

static void print_end(const struct oev_audit *audit, const struct cli_audit_view *view)
{
	char from[OEV_TIME_TEXT_MAX], until[OEV_TIME_TEXT_MAX], number[32];
	double rate = view->took_s > 0 ? (double)audit->scanned / view->took_s : 0;

	oev_time_text(audit->from_us, from);
	oev_time_text(audit->until_us, until);
	fprintf(view->out,
		"  exceptions %" PRIu64 "   gaps %" PRIu64
		" in the window   integrity not sealed (seals and signatures"
		" come with sealed segments)\n",
		audit->exception_count, audit->gaps_in_window);
	fprintf(view->out, "  not claimed: that the overloaded node recovered, or that traffic elsewhere was "
			   "unaffected\n");
	fprintf(view->out, "window %s to %s, %zu segment%s   (%s decisions, %.1f s, %.1f M decisions/s)\n",
		from, until, audit->segment_count, audit->segment_count == 1 ? "" : "s",
		oev_number_text(audit->scanned, number), view->took_s, rate / 1e6);
}

void cli_audit_print(const struct oev_audit *audit, const struct cli_audit_view *view)
{
	print_verdict(audit, NULL, view);
	if (view->quiet)
		return;
	for (size_t i = 0; i < audit->claim_count; i++) {
		if (audit->claim_count > 1 || audit->outcome == OEV_INTERRUPTED) {
			fputc('\n', view->out);
			print_verdict(audit, &audit->claims[i], view);
		}
		print_ladder(audit, &audit->claims[i], view);
		print_versions(audit, &audit->claims[i], view);
		print_bounds(audit, &audit->claims[i], view);
	}
	if (audit->claim_count > 1)
		fputc('\n', view->out);
	print_counters(audit, view);
	print_population(&audit->population, view->out);
	print_classes(&audit->population, view);
	print_exceptions(audit, view);
	print_gaps(audit, view->out);
	print_notes(audit, view->out);
	print_end(audit, view);
}
