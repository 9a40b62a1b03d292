/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Sums by application, class, result and type. What stands in a message chooses among fixed places only.
 */
#include "oev_watch_inner.h"

void oev_watch_sum_decision(struct oev_watch_totals *totals, const struct oc_decision *d)
{
	if (d->verdict < OC_VERDICT_COUNT)
		totals->app_verdict[oev_app_place(d->app_id)][d->verdict]++;
	if (d->verdict != OC_REFUSE)
		return;
	totals->refused_why[d->why < OC_WHY_COUNT ? d->why : 0]++;
	totals->refused_class[d->klass < OC_CLASSES ? d->klass : OC_CLASSES - 1]++;
}

void oev_watch_sum_answer(struct oev_watch_totals *totals, const struct oc_event_outcome *o,
			  uint32_t app_place)
{
	uint32_t family = o->result_code / 1000u;

	if (o->maker == OC_MADE_UPSTREAM)
		totals->app_result[app_place][family < OEV_WATCH_RESULTS ? family : 0]++;
}

void oev_watch_sum_report(struct oev_watch_totals *totals, const struct oc_event_report *r)
{
	if (r->type < OC_REPORT_COUNT && r->verdict < OC_INTAKE_COUNT)
		totals->reports[r->type][r->verdict]++;
}
