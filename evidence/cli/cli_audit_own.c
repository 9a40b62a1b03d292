/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reports the recording node made itself: what, by whose order, told to whom.
 */
#include <inttypes.h>
#include <string.h>

#include "../../agent/oc_types.h"
#include "../oev_time.h"
#include "cli.h"
#include "cli_audit.h"

static void print_content(const struct oev_own *own, FILE *out)
{
	char text[500], when[OEV_TIME_TEXT_MAX], app[16], number[32];
	int at = snprintf(text, sizeof(text), "%s %s %s%s%s", cli_audit_clock(own->wall_us, when), own->step,
			  own->type, own->subject[0] != '\0' ? " " : "", own->subject);

	if (own->target[0] != '\0')
		at += snprintf(text + at, sizeof(text) - (size_t)at, " for %s", own->target);
	if (own->has_reduction)
		at += snprintf(text + at, sizeof(text) - (size_t)at, ", %" PRIu32 " %%", own->reduction_pct);
	if (own->has_rate)
		at += snprintf(text + at, sizeof(text) - (size_t)at, ", %" PRIu32 "/s", own->rate_rps);
	snprintf(text + at, sizeof(text) - (size_t)at, ", %s, %" PRIu32 " s, sequence %s, in %s answers",
		 own->app_id == OC_APP_ANY ? "all applications" : oev_app_text(own->app_id, app),
		 own->validity_s, own->sequence, oev_number_text(own->answers, number));
	cli_print_wrapped("  own report  ", cli_safe(text), out);
}

static void print_order(const struct oev_order *order, FILE *out)
{
	char text[500];
	int at = snprintf(text, sizeof(text), "%s by %s, %s %" PRIu64, order->how, order->by,
			  strcmp(order->by, "control") == 0 ? "user number" : "version", order->actor);

	if (order->calculation != 0)
		at += snprintf(text + at, sizeof(text) - (size_t)at, ", calculation %" PRIu64,
			       order->calculation);
	if (order->reason[0] != '\0')
		at += snprintf(text + at, sizeof(text) - (size_t)at, ": \"%s\"", order->reason);
	if (order->inputs[0] != '\0')
		snprintf(text + at, sizeof(text) - (size_t)at, "; from %s", order->inputs);
	cli_print_wrapped("              ", cli_safe(text), out);
}

static void print_told(const struct oev_audit *audit, const struct oev_own *own, FILE *out)
{
	for (uint32_t i = 0; i < own->told_count; i++) {
		const struct oev_told *told = &audit->told[own->told_first + i];
		char text[300], number[32];
		snprintf(text, sizeof(text), "told %s %s times, from %.1f s to %.1f s after", told->peer,
			 oev_number_text(told->count, number),
			 ((double)told->first_ns - (double)own->mono_ns) / 1e9,
			 ((double)told->last_ns - (double)own->mono_ns) / 1e9);
		cli_print_wrapped("              ", cli_safe(text), out);
	}
}

/* Renewals of the same content are told with -v only. */
static bool is_shown(const struct oev_audit *audit, const struct oev_own *own, bool verbose)
{
	return own->wall_us >= audit->options.from_us && own->wall_us < audit->options.until_us &&
	       (verbose || strcmp(own->step, "renewed") != 0);
}

void cli_audit_own(const struct oev_audit *audit, const struct cli_audit_view *view)
{
	uint32_t shown = 0, all = 0;

	for (size_t i = 0; i < audit->own_count; i++) {
		const struct oev_own *own = &audit->own[i];
		if (!is_shown(audit, own, view->verbose) || (all++ >= CLI_LISTED_SHORT && !view->verbose))
			continue;
		shown++;
		print_content(own, view->out);
		if (own->order >= 0)
			print_order(&audit->orders[own->order], view->out);
		if (view->verbose)
			print_told(audit, own, view->out);
	}
	if (shown < all)
		fprintf(view->out, "  ... and %" PRIu32 " more contents of own reports (-v)\n", all - shown);
}
