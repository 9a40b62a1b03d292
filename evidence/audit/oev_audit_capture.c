/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Claims out of a capture: which receipts it gives, which it cannot give, and what was seen instead.
 *
 * Reports are there octet for octet. What follows from them should have been held, which is no proof that it was. What a node refused
 * never reached the wire, so nothing is said of it. What passed the point of capture is counted before, during and after.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "oev_audit_parts.h"

static void judge_held(struct oev_claim *claim)
{
	struct oev_finding *finding = &claim->step[OEV_STEP_HELD];
	char receipt[sizeof(finding->receipt)];

	if (finding->status != OEV_OK)
		return;
	finding->status = OEV_UNSURE;
	snprintf(receipt, sizeof(receipt), "should hold %.180s", finding->receipt);
	memcpy(finding->receipt, receipt, sizeof(receipt));
	snprintf(finding->why, sizeof(finding->why),
		 "a capture shows what %.60s should hold, not that it does", claim->recorded_by);
	snprintf(finding->hint, sizeof(finding->hint), "only its own evidence can say so");
}

/* Unless rows contradict themselves, nothing can be told: there are none. */
static void judge_unseen(struct oev_finding *finding, const char *why)
{
	if (finding->status == OEV_REFUTED)
		return;
	*finding = (struct oev_finding){ .status = OEV_MISSING };
	snprintf(finding->receipt, sizeof(finding->receipt), "not in a capture");
	snprintf(finding->value, sizeof(finding->value), "-");
	snprintf(finding->bound, sizeof(finding->bound), "-");
	snprintf(finding->why, sizeof(finding->why), "%s", why);
}

/* "478.0/s" into @buf, "-" when the evidence tells of less than a second. */
static const char *rate_text(const struct oev_traffic *traffic, char buf[24])
{
	if (traffic->span_us < 1000000u)
		snprintf(buf, 24, "-");
	else
		snprintf(buf, 24, "%.1f/s", (double)traffic->offered * 1e6 / (double)traffic->span_us);
	return buf;
}

/* The rates seen stand where the share taken away would: that is not known. */
static void say_seen(const struct oev_audit *audit, const struct oev_claim *claim,
		     struct oev_finding *finding)
{
	size_t at = (size_t)(claim - audit->claims);
	char before[24], during[24], after[24];

	if (at >= audit->follow_count || audit->effects[at].first_us == 0)
		return;
	const struct oev_traffic *phase = audit->effects[at].phase;
	snprintf(finding->value, sizeof(finding->value), "%s before, %s during, %s after",
		 rate_text(&phase[OEV_PHASE_BEFORE], before), rate_text(&phase[OEV_PHASE_DURING], during),
		 rate_text(&phase[OEV_PHASE_AFTER], after));
}

bool oev_audit_is_capture(const struct oev_audit *audit, const struct oev_claim *claim)
{
	return claim->version_count > 0 &&
	       audit->lives[audit->versions[claim->version_first].life].is_capture;
}

void oev_audit_judge_capture(struct oev_audit *audit, struct oev_claim *claim)
{
	if (!oev_audit_is_capture(audit, claim))
		return;
	judge_held(claim);
	judge_unseen(&claim->step[OEV_STEP_SELECTED],
		     "what a node refuses never reaches the wire, so a capture cannot show it");
	judge_unseen(&claim->scope, "a capture does not show what was selected");
	judge_unseen(&claim->recovery, "a capture does not show what was selected");
	say_seen(audit, claim, &claim->step[OEV_STEP_ARRIVED]);
}
