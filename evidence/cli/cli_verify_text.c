/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A verification for people: one verdict line, where it is wrong, what was checked, who vouches for it.
 */
#include <inttypes.h>
#include <libsmartcols.h>
#include <string.h>

#include "../audit/oev_audit.h"
#include "../oev_time.h"
#include "cli.h"
#include "cli_verify.h"

#define LISTED_SHORT 5u /* findings without -v */
#define HASH_SHORT 12	/* digits of a hash without -v */

static const char *color_of(enum oev_verify_outcome outcome)
{
	return outcome == OEV_VERIFY_INTACT	    ? "\033[1;32m"
	       : oev_verify_exit(outcome) == CLI_NO ? "\033[1;31m"
						    : "\033[1;33m";
}

static void print_title(const struct oev_verify_result *result, const struct cli_verify_view *view)
{
	fprintf(view->out, "%s%s%s  ", view->color ? color_of(result->outcome) : "",
		oev_verify_outcome_title(result->outcome), view->color ? "\033[0m" : "");
}

/* "seg-20261129T13.db  decision 88,120  13:22:41.114Z": where a finding is. */
static void print_place(const struct oev_verify_finding *finding, FILE *out)
{
	char at[OEV_TIME_TEXT_MAX], number[32];

	if (finding->segment[0] != '\0')
		fprintf(out, "%s  ", finding->segment);
	if (finding->table[0] != '\0')
		fprintf(out, "%s%s%s  ", finding->table, finding->has_row ? " " : "",
			finding->has_row && finding->row >= 0
				? oev_number_text((uint64_t)finding->row, number)
				: "");
	if (finding->wall_us != 0) {
		oev_time_text(finding->wall_us, at);
		fprintf(out, "%s", at);
	}
}

static void print_hashes(const struct oev_verify_finding *finding, const struct cli_verify_view *view)
{
	int digits = view->verbose ? 64 : HASH_SHORT;

	if (finding->expected[0] != '\0')
		fprintf(view->out, "  expected %.*s%s  found %.*s%s\n", digits, finding->expected,
			strlen(finding->expected) < 64 || !view->verbose ? ".." : "", digits, finding->found,
			view->verbose ? "" : "..");
}

static void print_good(const struct oev_verify_finding *finding, FILE *out)
{
	char at[OEV_TIME_TEXT_MAX], number[32];

	if (finding->good_batch == 0)
		return;
	oev_time_text(finding->good_us, at);
	fprintf(out, "  last good checkpoint %s (%s rows of the segment stand)\n", at,
		oev_number_text(finding->good_rows, number));
}

/* The verdict of evidence that is not as it was: the first finding that decided it. */
static void print_first(const struct oev_verify_result *result, const struct cli_verify_view *view)
{
	const struct oev_verify_finding *first = oev_verify_first(result);

	if (first == NULL) {
		fputc('\n', view->out);
		return;
	}
	if (first->kind == OEV_KIND_ROW && first->has_row) {
		fprintf(view->out, "first bad row: ");
		print_place(first, view->out);
		fputc('\n', view->out);
	} else {
		fprintf(view->out, "%s%s%s\n", first->segment, first->segment[0] != '\0' ? "  " : "",
			first->what);
	}
	if (view->quiet)
		return;
	print_hashes(first, view);
	print_good(first, view->out);
}

static const char *missing_witness(const struct oev_verify_result *result)
{
	if (result->trust == OEV_TRUST_NONE)
		return "intact as far as it goes, but there is no public key to check signatures with: pass "
		       "--key";
	if (result->signed_us == 0)
		return "intact, but nothing is signed yet";
	if (result->witness == OEV_WITNESS_NONE && result->trust < OEV_TRUST_OUTSIDE)
		return "intact, but nothing outside this folder confirms key or end: pass --checkpoint, or "
		       "--key you trust";
	if (result->witness == OEV_WITNESS_NONE)
		return "intact, but nothing outside this folder confirms the end: pass --checkpoint";
	return "intact, but nobody outside this folder confirms the key: pass --key, or --checkpoint";
}

static void print_verdict(const struct oev_verify_result *result, const struct cli_verify_view *view)
{
	char at[OEV_TIME_TEXT_MAX], rows[32];

	print_title(result, view);
	if (result->outcome == OEV_VERIFY_INTACT) {
		oev_time_text(result->signed_us, at);
		fprintf(view->out, "%zu segment%s, %s rows, signed until %s\n", result->segment_count,
			result->segment_count == 1 ? "" : "s", oev_number_text(result->rows, rows), at);
	} else if (result->outcome == OEV_VERIFY_UNWITNESSED) {
		fprintf(view->out, "%s\n", missing_witness(result));
	} else if (result->outcome > OEV_VERIFY_ALTERED) {
		fprintf(view->out, "%s\n", result->error);
	} else {
		print_first(result, view);
	}
}

static const char *key_words(const struct oev_verify_result *result)
{
	switch (result->trust) {
	case OEV_TRUST_GIVEN:
		return "given with --key";
	case OEV_TRUST_OUTSIDE:
		return "the one of an outside checkpoint";
	case OEV_TRUST_FOLDER:
		return "the folder's own, not confirmed";
	default:
		return "none";
	}
}

static void print_checked(const struct oev_verify_result *result, FILE *out)
{
	char rows[32], rate[32], at[OEV_TIME_TEXT_MAX];
	double per_s = result->seconds > 0 ? (double)result->rows / result->seconds : 0;

	fprintf(out, "  checked %zu segment%s, %s rows, %.1f s (%s rows/s); key %s (%s)",
		result->segment_count, result->segment_count == 1 ? "" : "s",
		oev_number_text(result->rows, rows), result->seconds, oev_number_text((uint64_t)per_s, rate),
		result->key[0] != '\0' ? result->key : "-", key_words(result));
	if (result->witness == OEV_WITNESS_NONE) {
		fprintf(out, "; no outside checkpoint\n");
		return;
	}
	oev_time_text(result->witness_us, at);
	fprintf(out, "; outside checkpoint (%s): matches until %s\n",
		oev_verify_witness_text(result->witness), at);
}

static void print_notes(const struct oev_verify_result *result, FILE *out)
{
	char number[32], at[OEV_TIME_TEXT_MAX];

	if (result->is_key_of_folder)
		fprintf(out, "  the key given lies in the folder itself: it proves nothing about who made "
			     "either\n");
	if (result->tail_rows > 0) {
		oev_time_text(result->tail_us, at);
		fprintf(out,
			"  open tail %s rows since %s (written after the last checkpoint; not an error)\n",
			oev_number_text(result->tail_rows, number), at);
	}
	if (result->removed_batches > 0)
		fprintf(out, "  %s batches were removed by retention, as its rows tell\n",
			oev_number_text(result->removed_batches, number));
	if (result->gap_events > 0)
		fprintf(out, "  %s events could not be kept, as rows of table gap tell\n",
			oev_number_text(result->gap_events, number));
	if (result->recoveries > 0)
		fprintf(out, "  %s times a life was cut off, and finished by the next\n",
			oev_number_text(result->recoveries, number));
}

static void print_findings(const struct oev_verify_result *result, const struct cli_verify_view *view)
{
	size_t most = view->verbose ? result->finding_count : LISTED_SHORT;
	char number[32];

	if (result->findings_all < 2)
		return;
	fprintf(view->out, "  findings %s\n", oev_number_text(result->findings_all, number));
	for (size_t i = 0; i < result->finding_count && i < most; i++) {
		const struct oev_verify_finding *finding = &result->findings[i];
		fprintf(view->out, "    %s/%s  %s%s%s\n", oev_verify_outcome_text(finding->outcome),
			oev_verify_kind_text(finding->kind), finding->segment,
			finding->segment[0] != '\0' ? ": " : "", finding->what);
	}
	if (result->findings_all > most)
		fprintf(view->out, "    ... %s\n",
			view->verbose ? "more were counted, not listed" : "-v lists more");
}

static void print_segments(const struct oev_verify_result *result, const struct cli_verify_view *view)
{
	static const char *const columns[] = { "segment",      "state", ">rows", ">batches",
					       "signed until", "",	NULL };
	struct libscols_table *table = cli_table_new(view->color, columns);

	for (size_t i = 0; table != NULL && i < result->segment_count; i++) {
		const struct oev_verify_segment *segment = &result->segments[i];
		struct libscols_line *line = scols_table_new_line(table, NULL);
		char rows[32], batches[64], at[OEV_TIME_TEXT_MAX] = "-";
		if (line == NULL)
			break;
		snprintf(batches, sizeof(batches), "%" PRIu64 "-%" PRIu64, segment->first_batch,
			 segment->last_batch);
		if (segment->signed_us != 0)
			oev_time_text(segment->signed_us, at);
		const char *cells[] = { segment->name,
					oev_verify_state_text(segment->state),
					oev_number_text(segment->rows, rows),
					batches,
					at,
					oev_verify_outcome_text(segment->outcome) };
		for (size_t cell = 0; cell < sizeof(cells) / sizeof(cells[0]); cell++)
			scols_line_set_data(line, cell, cells[cell]);
	}
	if (table != NULL)
		cli_table_print(table, view->out);
}

void cli_verify_print(const struct oev_verify_result *result, const struct cli_verify_view *view)
{
	print_verdict(result, view);
	if (view->quiet || result->outcome > OEV_VERIFY_INTERRUPTED || result->segment_count == 0)
		return;
	print_checked(result, view->out);
	print_notes(result, view->out);
	print_findings(result, view);
	if (view->verbose)
		print_segments(result, view);
}
