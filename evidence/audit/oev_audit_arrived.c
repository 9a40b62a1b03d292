/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The last two steps: what arrived by the protected node's own count, and what it found useful.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "../../agent/oc_types.h"
#include "oev_audit_parts.h"

/* Whether @row is a receipt of @claim's protected side. */
static bool speaks_for(const struct oev_agreement *row, const struct oev_claim *claim)
{
	if (row->file->role != OEV_ROLE_SERVER || !oev_audit_covers(claim, row->app_id))
		return false;
	return strcasecmp(claim->type == OC_REPORT_REALM ? row->file->realm : row->file->node,
			  claim->subject) == 0;
}

struct arrived {
	const struct oev_agreement *bad; /* the first that does not agree */
	size_t rows;
	size_t useful_rows;
	bool reached; /* the evidence saw requests leave towards it */
	uint64_t resent;
	uint64_t apart; /* of imported ones: how far the ends let them differ */
};

/* Whether counters of a whole run of the protected side are there: imported ones would count the same once more. */
static bool has_files(const struct oev_audit *audit, const struct oev_claim *claim)
{
	for (size_t i = 0; i < audit->agreement_count; i++)
		if (!audit->agreements[i].file->is_imported && speaks_for(&audit->agreements[i], claim))
			return true;
	return false;
}

static struct arrived collect(const struct oev_audit *audit, struct oev_claim *claim)
{
	struct arrived sum = { 0 };
	bool files = has_files(audit, claim);

	for (size_t i = 0; i < audit->agreement_count; i++) {
		const struct oev_agreement *row = &audit->agreements[i];
		if (!speaks_for(row, claim))
			continue;
		const struct oev_counter_app *app = oev_counters_app(row->file, row->app_id);
		if (row->status != OEV_OK && (sum.bad == NULL || row->status > sum.bad->status))
			sum.bad = row;
		if (files && row->file->is_imported)
			continue;
		sum.rows++;
		sum.apart += oev_agreement_apart(row) - row->resent;
		sum.reached |= row->evidence_requests > 0;
		sum.resent += row->resent;
		claim->arrived_counter += row->counter_requests;
		claim->arrived_evidence += row->evidence_requests;
		if (app != NULL && app->has_useful) {
			sum.useful_rows++;
			claim->useful += app->useful;
		}
	}
	return sum;
}

static void say_missing(const struct oev_claim *claim, struct oev_finding *finding)
{
	snprintf(finding->receipt, sizeof(finding->receipt), "no counters from %.60s", claim->subject);
	snprintf(finding->value, sizeof(finding->value), "-");
	snprintf(finding->bound, sizeof(finding->bound), "-");
	snprintf(finding->why, sizeof(finding->why), "no counters from %.60s", claim->subject);
	snprintf(finding->hint, sizeof(finding->hint),
		 "put its counter file (doic.counters/1, role server) into FOLDER/counters/, or give "
		 "--counters FILE");
}

/* What the outcomes of this node tell of the time in which the claim had effect; false when it was not followed. */
static bool own_count(const struct oev_audit *audit, const struct oev_claim *claim, struct oev_traffic *sum)
{
	size_t at = (size_t)(claim - audit->claims);

	*sum = (struct oev_traffic){ 0 };
	if (at >= audit->follow_count || audit->effects[at].first_us == 0)
		return false;
	for (int phase = OEV_PHASE_DURING; phase <= OEV_PHASE_RAMP; phase++) {
		const struct oev_traffic *traffic = &audit->effects[at].phase[phase];
		sum->offered += traffic->offered;
		sum->passed += traffic->passed;
		sum->arrived += traffic->arrived;
		sum->useful += traffic->useful;
		for (int i = 0; i < OEV_ANSWER_COUNT; i++)
			sum->answers[i] += traffic->answers[i];
	}
	return true;
}

/* An answer that came back is a receipt of the servers' side, though this node wrote it down. */
static void judge_own(const struct oev_audit *audit, struct oev_claim *claim, const struct oev_traffic *own,
		      struct oev_finding *finding)
{
	uint64_t answered = oev_traffic_answered(own), all = own->arrived + own->offered - own->passed;
	char number[32], number2[32], share[32];

	snprintf(finding->receipt, sizeof(finding->receipt), "%s answered of %s sent (%s)",
		 oev_number_text(answered, number), oev_number_text(own->arrived, number2),
		 oev_audit_is_capture(audit, claim) ? "capture" : "this node");
	snprintf(finding->bound, sizeof(finding->bound), "no witness");
	snprintf(finding->value, sizeof(finding->value), "-");
	if (answered == 0) {
		snprintf(finding->why, sizeof(finding->why), "%s%.60s%s",
			 own->arrived == 0 ? "nothing was sent to " : "", claim->subject,
			 own->arrived == 0
				 ? " in this time, and nobody there tells what arrived"
				 : " answered nothing in this time, and nobody there tells what arrived");
		return;
	}
	finding->status = OEV_OK;
	snprintf(finding->value, sizeof(finding->value), "-%s at %.60s%s",
		 oev_share_text(all - own->arrived, all, share), claim->subject,
		 answered < own->arrived ? ", at least" : "");
	if (!audit->effects[claim - audit->claims].is_adjacent) {
		finding->status = OEV_UNSURE;
		snprintf(finding->why, sizeof(finding->why),
			 "%.60s is no next hop of this node: others stand between", claim->subject);
	} else if (oev_audit_has_gap_in_effect(audit, claim)) {
		finding->status = OEV_UNSURE;
		snprintf(finding->why, sizeof(finding->why), "events were lost in this window (see gaps)");
	}
}

/* Measured reduction at the protected node over whole buckets of its series. */
static void say_value(const struct oev_audit *audit, struct oev_claim *claim, struct oev_finding *finding)
{
	char share[32], number[32];

	for (uint32_t i = 0; i < claim->version_count; i++) {
		claim->inner_candidates += audit->versions[claim->version_first + i].inner_candidates;
		claim->inner_arrived += audit->versions[claim->version_first + i].inner_arrived;
	}
	if (claim->inner_candidates > 0 && claim->inner_arrived <= claim->inner_candidates)
		snprintf(finding->value, sizeof(finding->value), "-%s at %.60s",
			 oev_share_text(claim->inner_candidates - claim->inner_arrived,
					claim->inner_candidates, share),
			 claim->subject);
	else
		snprintf(finding->value, sizeof(finding->value), "%s arrived at %.60s",
			 oev_number_text(claim->arrived_counter, number), claim->subject);
}

static void say_bad(const struct oev_audit *audit, const struct oev_agreement *bad,
		    struct oev_finding *finding)
{
	uint64_t more = bad->counter_requests > bad->evidence_requests
				? bad->counter_requests - bad->evidence_requests
				: bad->evidence_requests - bad->counter_requests;

	const struct oev_counter_app *app = oev_counters_app(bad->file, bad->app_id);

	finding->status = bad->status;
	if (bad->status == OEV_REFUTED && bad->is_success_short && app != NULL)
		snprintf(finding->why, sizeof(finding->why),
			 "%.60s says that it gave %" PRIu64 " answers with 2xxx, but %" PRIu64 " came back",
			 bad->file->node, app->success, bad->evidence_success);
	else if (bad->status == OEV_REFUTED && bad->file->is_imported)
		snprintf(finding->why, sizeof(finding->why),
			 "%.60s counted %" PRIu64 " requests, the evidence sent it %" PRIu64 " (%" PRIu64
			 " apart, allowed %" PRIu64 " for the ends and %" PRIu32 " ppm)",
			 bad->file->node, bad->counter_requests, bad->evidence_requests, more,
			 oev_agreement_apart(bad), audit->options.tolerance_ppm);
	else if (bad->status == OEV_REFUTED)
		snprintf(finding->why, sizeof(finding->why),
			 "%.60s counted %" PRIu64 " requests, the evidence sent it %" PRIu64 " (%" PRIu64
			 " apart, allowed %" PRIu32 " ppm)",
			 bad->file->node, bad->counter_requests, bad->evidence_requests, more,
			 audit->options.tolerance_ppm);
	else if (bad->file->is_imported)
		snprintf(finding->why, sizeof(finding->why),
			 "%.60s counted %" PRIu64 " requests, but this node never sent to it",
			 bad->file->node, bad->counter_requests);
	else
		snprintf(finding->why, sizeof(finding->why),
			 "%.60s counted %" PRIu64 " requests, the evidence sent it %" PRIu64
			 ", but the evidence does not cover the whole time of its counters",
			 bad->file->node, bad->counter_requests, bad->evidence_requests);
}

static void judge_useful(struct oev_claim *claim, const struct arrived *sum, const struct oev_traffic *own,
			 struct oev_finding *finding)
{
	char share[32], number[32], number2[32];

	snprintf(finding->bound, sizeof(finding->bound), "-");
	if (sum->rows > 0 && sum->useful_rows == sum->rows) {
		claim->has_useful = true;
		finding->status = OEV_OK;
		snprintf(finding->receipt, sizeof(finding->receipt), "telemetry of %.60s", claim->subject);
		snprintf(finding->value, sizeof(finding->value), "%s useful of %s arrived (%s)",
			 oev_number_text(claim->useful, number),
			 oev_number_text(claim->arrived_counter, number2),
			 oev_share_text(claim->useful, claim->arrived_counter, share));
		return;
	}
	snprintf(finding->receipt, sizeof(finding->receipt), "no telemetry from %.60s", claim->subject);
	snprintf(finding->value, sizeof(finding->value), "-");
	if (own != NULL && own->arrived > 0) /* what this node can say of it is no receipt of usefulness */
		snprintf(finding->value, sizeof(finding->value), "%s with 2xxx in time",
			 oev_number_text(own->useful, number));
	snprintf(finding->why, sizeof(finding->why), "no telemetry from %.60s", claim->subject);
	snprintf(finding->hint, sizeof(finding->hint), "its counter file may say \"useful\" per application");
}

/* Selected in a dry run: chosen rightly, and sent all the same. */
static void judge_observed(const struct oev_claim *claim, struct oev_finding *finding)
{
	char number[32];

	if (claim->observed == 0 || finding->status != OEV_OK)
		return;
	finding->status = OEV_UNSURE;
	snprintf(finding->why, sizeof(finding->why),
		 "a dry run: %s selected requests were sent all the same (policy: mode observe, or shadow)",
		 oev_number_text(claim->observed, number));
}

void oev_audit_judge_arrived(struct oev_audit *audit, struct oev_claim *claim)
{
	struct oev_finding *finding = &claim->step[OEV_STEP_ARRIVED];
	struct arrived sum = collect(audit, claim);
	char number[32], number2[32];

	struct oev_traffic own;
	bool followed = own_count(audit, claim, &own);

	judge_useful(claim, &sum, followed ? &own : NULL, &claim->step[OEV_STEP_USEFUL]);
	if (sum.rows == 0 && followed && !audit->options.strict) {
		judge_own(audit, claim, &own, finding);
		judge_observed(claim, finding);
		return;
	}
	if (sum.rows == 0) {
		say_missing(claim, finding);
		return;
	}
	finding->status = OEV_OK;
	snprintf(finding->receipt, sizeof(finding->receipt), "%s counted there, %s sent there",
		 oev_number_text(claim->arrived_counter, number),
		 oev_number_text(claim->arrived_evidence, number2));
	if (sum.apart > 0)
		snprintf(finding->bound, sizeof(finding->bound), "equal but %" PRIu64 " at the ends",
			 sum.apart + sum.resent);
	else if (sum.resent > 0)
		snprintf(finding->bound, sizeof(finding->bound), "equal but %" PRIu64 " resent", sum.resent);
	else
		snprintf(finding->bound, sizeof(finding->bound), "equal to the message");
	say_value(audit, claim, finding);
	if (!sum.reached && claim->arrived_counter > 0 && claim->type == OC_REPORT_HOST) {
		finding->status = OEV_UNSURE;
		snprintf(finding->why, sizeof(finding->why),
			 "%.60s is no next hop of this node: others stand between", claim->subject);
	} else if (sum.bad != NULL) {
		say_bad(audit, sum.bad, finding);
	} else if (claim->uncounted > 0) {
		finding->status = OEV_UNSURE;
		snprintf(finding->why, sizeof(finding->why),
			 "%s requests went to next hops of this realm that gave no counters",
			 oev_number_text(claim->uncounted, number));
	} else if (audit->gaps_in_window > 0) {
		finding->status = OEV_UNSURE;
		snprintf(finding->why, sizeof(finding->why), "events were lost in this window (see gaps)");
	}
	judge_observed(claim, finding);
}
