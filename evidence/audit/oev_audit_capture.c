/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Evidence made from a capture: which receipts it has, and which it cannot give.
 *
 * A capture shows reports on the wire, and requests and answers that passed. What a node believed it does not show, only what it should
 * have believed; nor which requests it held back, only that fewer came.
 */
#include <stdio.h>
#include <string.h>

#include "oev_audit_parts.h"

static bool is_captured(const struct oev_audit *audit, const struct oev_claim *claim)
{
	for (size_t i = 0; i < audit->life_count; i++)
		if (audit->lives[i].is_capture &&
		    strcmp(audit->segments[audit->lives[i].first].node, claim->recorded_by) == 0)
			return true;
	return false;
}

static void cannot_give(struct oev_finding *finding, enum oev_status status, const char *why)
{
	if (finding->status == OEV_REFUTED)
		return; /* what contradicts itself does so in a capture too */
	finding->status = status;
	snprintf(finding->why, sizeof(finding->why), "%s", why);
	snprintf(finding->hint, sizeof(finding->hint), "only the node's own evidence has that receipt");
}

/* "400.0/s before, 280.0/s during (-30.00 %)" of what @before and @during counted. */
static void say_change(const struct oev_traffic *before, uint64_t count_before,
		       const struct oev_traffic *during, uint64_t count_during, struct oev_finding *finding)
{
	double rate_before = before->span_us > 0 ? (double)count_before * 1e6 / (double)before->span_us : 0;
	double rate_during = during->span_us > 0 ? (double)count_during * 1e6 / (double)during->span_us : 0;
	int at = 0;

	if (before->span_us > 0)
		at = snprintf(finding->value, sizeof(finding->value), "%.1f/s before, ", rate_before);
	if (during->span_us > 0)
		at += snprintf(finding->value + at, sizeof(finding->value) - (size_t)at, "%.1f/s during",
			       rate_during);
	if (rate_before > 0 && during->span_us > 0)
		snprintf(finding->value + at, sizeof(finding->value) - (size_t)at, " (%+.2f %%)",
			 100.0 * (rate_during - rate_before) / rate_before);
}

void oev_audit_judge_capture(struct oev_audit *audit, struct oev_claim *claim)
{
	size_t at = (size_t)(claim - audit->claims);
	struct oev_finding *selected = &claim->step[OEV_STEP_SELECTED];

	if (!is_captured(audit, claim))
		return;
	cannot_give(&claim->step[OEV_STEP_HELD], OEV_UNSURE,
		    "a capture shows what the node should have held, not what it held");
	cannot_give(selected, OEV_MISSING, "a capture does not show which requests a node held back");
	cannot_give(&claim->scope, OEV_MISSING, "a capture shows no selection");
	cannot_give(&claim->recovery, OEV_MISSING, "a capture shows no selection");
	snprintf(selected->receipt, sizeof(selected->receipt), "none: made from a capture");
	snprintf(selected->bound, sizeof(selected->bound), "-");
	if (at >= audit->follow_count || audit->effects[at].first_us == 0)
		return;
	const struct oev_traffic *phase = audit->effects[at].phase;
	say_change(&phase[OEV_PHASE_BEFORE], phase[OEV_PHASE_BEFORE].offered, &phase[OEV_PHASE_DURING],
		   phase[OEV_PHASE_DURING].offered, selected);
	if (claim->step[OEV_STEP_ARRIVED].status == OEV_OK)
		say_change(&phase[OEV_PHASE_BEFORE], phase[OEV_PHASE_BEFORE].arrived,
			   &phase[OEV_PHASE_DURING], phase[OEV_PHASE_DURING].arrived,
			   &claim->step[OEV_STEP_ARRIVED]);
}
