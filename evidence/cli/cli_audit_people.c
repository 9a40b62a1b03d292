/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Populations: who was compared with what, and what became of them.
 */
#include <inttypes.h>
#include <libsmartcols.h>
#include <string.h>

#include "cli.h"
#include "cli_audit.h"

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

static void print_funnel(const struct oev_population *people, FILE *out)
{
	char n[5][32], text[400];

	snprintf(text, sizeof(text),
		 "%s requests > %s compared (realm report %s, host report %s) > %s passed",
		 oev_number_text(people->candidates, n[0]), oev_number_text(people->matched, n[1]),
		 oev_number_text(people->matched_realm, n[2]), oev_number_text(people->matched_host, n[3]),
		 oev_number_text(people->survivors, n[4]));
	if (people->matched_peer > 0) {
		size_t at = strlen(text);
		snprintf(text + at, sizeof(text) - at, " > %s compared with a peer report",
			 oev_number_text(people->matched_peer, n[0]));
	}
	cli_print_wrapped("  population  ", text, out);
	snprintf(text, sizeof(text), "refused %s (realm), %s (host), %s (peer); diverted %s; forwarded %s",
		 oev_number_text(people->refused_realm, n[0]), oev_number_text(people->refused_host, n[1]),
		 oev_number_text(people->refused_peer, n[2]), oev_number_text(people->diverted, n[3]),
		 oev_number_text(people->forwarded, n[4]));
	cli_print_wrapped("              ", text, out);
}

static const char *loose_words(enum oev_loose why)
{
	static const char *const words[] = { "under way while the segment is still written",
					     "under way when the node was cut off",
					     "the other half is in a part that is not here",
					     "about the time of lost events", "unexplained" };
	_Static_assert(sizeof(words) / sizeof(words[0]) == OEV_LOOSE_COUNT, "words for each reason");
	return words[why];
}

static void print_loose(const char *what, const uint64_t counts[OEV_LOOSE_COUNT], FILE *out)
{
	char text[500], number[32];
	uint64_t sum = 0;

	for (int i = 0; i < OEV_LOOSE_COUNT; i++)
		sum += counts[i];
	if (sum == 0)
		return;
	int at = snprintf(text, sizeof(text), "%s %s", oev_number_text(sum, number), what);
	for (int i = 0, said = 0; i < OEV_LOOSE_COUNT; i++)
		if (counts[i] > 0)
			at += snprintf(text + at, sizeof(text) - (size_t)at, "%s %s %s",
				       said++ == 0 ? ":" : ",", oev_number_text(counts[i], number),
				       loose_words((enum oev_loose)i));
	cli_print_wrapped("              ", text, out);
}

static void print_rest(const struct oev_population *people, FILE *out)
{
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
		{ "tried again after a refusal (same Session-Id)", people->retried_session },
		{ "came before (same end-to-end identifier)", people->retried_end_to_end },
		{ "marked as retransmitted (T bit)", people->retried_flag },
	};
	char number[32];

	for (size_t i = 0; i < sizeof(rest) / sizeof(rest[0]); i++)
		if (rest[i].value > 0)
			fprintf(out, "              %s %s\n", oev_number_text(rest[i].value, number),
				rest[i].text);
	print_loose("decisions without an outcome", people->loose, out);
	print_loose("outcomes without a decision", people->without_decision, out);
}

void cli_audit_people(const struct oev_audit *audit, const struct cli_audit_view *view)
{
	print_funnel(&audit->population, view->out);
	print_rest(&audit->population, view->out);
	print_classes(&audit->population, view);
}
