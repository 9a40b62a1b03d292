/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The third step: that the requests asked for, and no others, were selected; during the report and after it.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_event.h"
#include "oev_audit_bound.h"
#include "oev_audit_parts.h"
#include "oev_audit_sampler.h"

#define RAMP_RISE_PPM 20000u	   /* rows of one instant may be numbered out of order */
#define RAMP_LATE_NS 1000000000ull /* beyond the policy's ramp */

static void fault(struct oev_finding *finding, const char *text)
{
	if (finding->status == OEV_REFUTED)
		return;
	finding->status = OEV_REFUTED;
	snprintf(finding->why, sizeof(finding->why), "%s", text);
}

static void check_sampler(const struct oev_audit *audit, struct oev_claim *claim,
			  const struct oev_version *version, struct oev_finding *finding)
{
	const struct oev_sampler *sampler = &version->sampler;
	bool random = audit->lives[version->life].sampler_random;
	int64_t error_max_ppm = oev_sampler_error_max(sampler);
	char text[160];

	if (error_max_ppm > claim->error_max_ppm)
		claim->error_max_ppm = error_max_ppm;
	claim->reordered |= sampler->reordered;
	if (random ? oev_sampler_random_holds(sampler) : oev_sampler_holds(sampler))
		return;
	if (sampler->faulty)
		snprintf(text, sizeof(text),
			 "version %" PRIu32 ": a draw's number occurs twice, or its order is broken",
			 version->number);
	else if (sampler->waiting_count > 0)
		snprintf(text, sizeof(text), "version %" PRIu32 ": draw %" PRIu64 " is missing",
			 version->number, sampler->done + 1);
	else
		snprintf(text, sizeof(text),
			 "version %" PRIu32 ": selected and expected differ by %.2f requests%s",
			 version->number, (double)error_max_ppm / 1e6,
			 random ? ", more than five standard deviations" : ", bound is below 1");
	/* the scan stopped in mid-stream: what is missing may still come */
	if (!audit->interrupted || (sampler->waiting_count == 0 && !sampler->faulty))
		fault(finding, text);
}

/* The rate's window bound, or how far shares moved by priorities lag behind the report. */
static void check_bound(const struct oev_audit *audit, const struct oev_version *version,
			struct oev_finding *finding)
{
	struct oev_bound bound =
		version->is_rate ? oev_bound_rate(audit, version) : oev_bound_debt(audit, version);
	char text[200];

	if (bound.holds)
		return;
	if (version->is_rate)
		snprintf(text, sizeof(text),
			 "version %" PRIu32 ": %.0f requests more than 1 + floor((W + TAU) / T) at %" PRIu32
			 "/s, allowed %.0f",
			 version->number, bound.excess, version->rate_rps, bound.allowed);
	else
		snprintf(text, sizeof(text),
			 "version %" PRIu32 ": shares drawn at lag %.2f requests behind the share asked, and "
			 "lead it by %.2f; allowed %.0f and 0",
			 version->number, bound.excess, -(double)version->sampler.owed_min_ppm / 1e6,
			 bound.allowed);
	fault(finding, text);
}

/* The node's own counts, written when the version changed. */
static void check_counts(const struct oev_version *version, struct oev_finding *finding)
{
	char text[200];
	const struct oev_tally *node = &version->node, *rows = &version->all;
	bool same = node->matched == rows->matched && node->selected == rows->selected &&
		    node->expected_ppm == rows->expected_ppm;
	bool within = node->matched <= rows->matched && node->selected <= rows->selected &&
		      node->expected_ppm <= rows->expected_ppm;

	if (!version->counted || (version->counts_final ? same : within))
		return;
	snprintf(text, sizeof(text),
		 "version %" PRIu32 ": the node counted %" PRIu64 " matched, %" PRIu64
		 " selected; its decisions give %" PRIu64 " and %" PRIu64,
		 version->number, node->matched, node->selected, rows->matched, rows->selected);
	fault(finding, text);
}

static void sum_up(struct oev_claim *claim, const struct oev_version *version)
{
	claim->active.matched += version->active.matched;
	claim->active.selected += version->active.selected;
	claim->active.expected_ppm += version->active.expected_ppm;
	claim->ramp.matched += version->ramp.matched;
	claim->ramp.selected += version->ramp.selected;
	claim->ramp.expected_ppm += version->ramp.expected_ppm;
	claim->remembered += version->remembered;
	claim->probes += version->probes;
	claim->observed += version->observed;
}

static void say_exceptions(const struct oev_claim *claim, const enum oev_exception_kind *kinds, size_t count,
			   struct oev_finding *finding)
{
	char text[160], number[32];

	for (size_t i = 0; i < count; i++) {
		if (claim->exceptions[kinds[i]] == 0)
			continue;
		snprintf(text, sizeof(text), "%s requests: %s",
			 oev_number_text(claim->exceptions[kinds[i]], number), oev_exception_text(kinds[i]));
		fault(finding, text);
	}
}

static void unsure(struct oev_finding *finding, const char *text)
{
	finding->status = OEV_UNSURE;
	snprintf(finding->why, sizeof(finding->why), "%s", text);
}

/* Highest excess over the window bound of its rate versions, in place of the shares. */
static void rate_text(const struct oev_audit *audit, const struct oev_claim *claim,
		      struct oev_finding *finding)
{
	double most = -INFINITY;

	for (uint32_t i = 0; i < claim->version_count; i++) {
		const struct oev_version *version = &audit->versions[claim->version_first + i];
		if (!version->in_window || !version->is_rate || version->sampler.admitted == 0)
			continue;
		double excess = oev_bound_rate(audit, version).excess;
		most = excess > most ? excess : most;
	}
	snprintf(finding->bound, sizeof(finding->bound), "%s1+floor((W+TAU)/T)",
		 claim->asked_loss ? "|d| < 1, " : "");
	if (isfinite(most) && !claim->asked_loss)
		snprintf(finding->value, sizeof(finding->value), "excess %+.0f", most);
}

static void judge_reduction(const struct oev_audit *audit, struct oev_claim *claim,
			    struct oev_finding *finding)
{
	static const enum oev_exception_kind kinds[] = { OEV_X_NOT_COMPARED, OEV_X_SHARE,
							 OEV_X_UNKNOWN_VERSION };
	char number[32], number2[32];
	const struct oev_version *versions = &audit->versions[claim->version_first];

	snprintf(finding->receipt, sizeof(finding->receipt), "%s of %s matched",
		 oev_number_text(claim->active.selected, number),
		 oev_number_text(claim->active.matched, number2));
	oev_share_text(claim->active.selected, claim->active.matched, finding->value);
	snprintf(finding->bound, sizeof(finding->bound), "|d| < 1 always");
	finding->status = OEV_OK;
	if (claim->asked_rate)
		rate_text(audit, claim, finding);
	if (oev_audit_has_gap(audit, claim)) {
		unsure(finding, "events were lost (see gaps), so sums over decisions prove nothing");
		return;
	}
	for (uint32_t i = 0; i < claim->version_count; i++) {
		if (!versions[i].in_window)
			continue;
		check_sampler(audit, claim, &versions[i], finding);
		check_bound(audit, &versions[i], finding);
		if (!audit->interrupted)
			check_counts(&versions[i], finding);
	}
	say_exceptions(claim, kinds, sizeof(kinds) / sizeof(kinds[0]), finding);
	if (finding->status != OEV_OK && claim->error_max_ppm >= (int64_t)OC_PPM)
		snprintf(finding->bound, sizeof(finding->bound), "|d| up to %.2f",
			 (double)claim->error_max_ppm / 1e6);
	else if (claim->version_count > 0 && !claim->asked_rate &&
		 audit->lives[versions[0].life].sampler_random)
		snprintf(finding->bound, sizeof(finding->bound), "5 sigma (random)");
	if (finding->status == OEV_OK && claim->active.matched == 0) {
		finding->status = OEV_MISSING;
		snprintf(finding->why, sizeof(finding->why),
			 "no request in its scope was recorded while it was held, so nothing could be "
			 "selected");
	}
}

static void judge_scope(const struct oev_audit *audit, struct oev_claim *claim, struct oev_finding *finding)
{
	static const enum oev_exception_kind kinds[] = { OEV_X_OUTSIDE_SCOPE, OEV_X_NOT_IN_FORCE };
	uint64_t chosen = claim->active.selected + claim->ramp.selected + claim->remembered;
	uint64_t outside = claim->exceptions[OEV_X_OUTSIDE_SCOPE] + claim->exceptions[OEV_X_NOT_IN_FORCE];
	char number[32], number2[32];

	(void)audit;
	snprintf(finding->receipt, sizeof(finding->receipt), "%s of %s selected outside scope or time",
		 oev_number_text(outside, number), oev_number_text(chosen, number2));
	snprintf(finding->value, sizeof(finding->value), "%s exceptions", oev_number_text(outside, number));
	snprintf(finding->bound, sizeof(finding->bound), "none");
	finding->status = OEV_OK;
	say_exceptions(claim, kinds, sizeof(kinds) / sizeof(kinds[0]), finding);
}

/* With priorities single shares go up and down: the mean of each quarter of the ramp is at most that of the one before,
 * but for what the debt may shift between two. */
static void check_fall(const struct oev_audit *audit, const struct oev_version *version,
		       struct oev_finding *finding)
{
	double slack = audit->lives[version->life].slack * (double)(OC_RANKS - 1u) + 1.0;
	const struct oev_tally *before = NULL;
	char text[160];

	for (uint32_t i = 0; !version->is_rate && !version->is_specific && i < OEV_RAMP_PARTS; i++) {
		const struct oev_tally *at = &version->ramp_part[i];
		if (at->matched == 0)
			continue;
		double mean = (double)at->expected_ppm / (double)at->matched;
		double limit = INFINITY;
		if (before != NULL)
			limit = (double)before->expected_ppm / (double)before->matched + RAMP_RISE_PPM +
				slack * 1e6 / (double)before->matched + slack * 1e6 / (double)at->matched;
		if (mean > limit) {
			snprintf(text, sizeof(text),
				 "version %" PRIu32 ": after its end the share rose again to %.2f %%",
				 version->number, mean / 1e4);
			fault(finding, text);
		}
		before = at;
	}
}

static void check_ramp(const struct oev_audit *audit, const struct oev_version *version,
		       struct oev_finding *finding)
{
	char text[160];
	uint64_t start_ns =
		version->probe_last_ns > version->end_ns ? version->probe_last_ns : version->end_ns;
	uint64_t ramp_ns = audit->lives[version->life].ramp_ms * 1000000u;

	if (version->ramp_rise_ppm > RAMP_RISE_PPM) {
		snprintf(text, sizeof(text),
			 "version %" PRIu32 ": after its end the share rose again by %.2f %%",
			 version->number, version->ramp_rise_ppm / 1e4);
		fault(finding, text);
	}
	if (version->ramp_last_ns > start_ns + ramp_ns + RAMP_LATE_NS) {
		snprintf(text, sizeof(text),
			 "version %" PRIu32 ": still reducing %.1f s after its end, the ramp is %.1f s",
			 version->number, (double)(version->ramp_last_ns - start_ns) / 1e9,
			 (double)ramp_ns / 1e9);
		fault(finding, text);
	}
}

/* Spec rows D-250 to D-256: a controlled return, falling and bounded. */
static void judge_recovery(const struct oev_audit *audit, struct oev_claim *claim,
			   struct oev_finding *finding)
{
	static const enum oev_exception_kind kinds[] = { OEV_X_AFTER_RECOVERY };
	const struct oev_version *versions = &audit->versions[claim->version_first];
	char number[32], number2[32], number3[32];
	uint64_t longest_ns = 0;

	finding->status = claim->ramp.matched > 0 || claim->probes > 0 ? OEV_OK : OEV_MISSING;
	for (uint32_t i = 0; i < claim->version_count; i++) {
		if (!versions[i].in_window)
			continue;
		if (versions[i].ramp_last_ns > versions[i].end_ns + longest_ns)
			longest_ns = versions[i].ramp_last_ns - versions[i].end_ns;
		check_ramp(audit, &versions[i], finding);
		check_fall(audit, &versions[i], finding);
	}
	say_exceptions(claim, kinds, sizeof(kinds) / sizeof(kinds[0]), finding);
	snprintf(finding->bound, sizeof(finding->bound), "falling, bounded");
	if (finding->status == OEV_MISSING) {
		snprintf(finding->receipt, sizeof(finding->receipt), "no request was compared after its end");
		snprintf(finding->why, sizeof(finding->why), "no decision shows the return to full traffic");
		snprintf(finding->value, sizeof(finding->value), "-");
		return;
	}
	snprintf(finding->receipt, sizeof(finding->receipt), "%s of %s after its end, %s probes",
		 oev_number_text(claim->ramp.selected, number), oev_number_text(claim->ramp.matched, number2),
		 oev_number_text(claim->probes, number3));
	snprintf(finding->value, sizeof(finding->value), "back to 0 %% after %.1f s",
		 (double)longest_ns / 1e9);
}

/* Without the reduction itself, "selected" says what the other parts say. */
static void borrow(const struct oev_claim *claim, unsigned parts, struct oev_finding *finding)
{
	const struct oev_finding *scope = &claim->scope, *recovery = &claim->recovery;

	if ((parts & OEV_PART_REDUCTION) != 0)
		return;
	*finding = (parts & OEV_PART_SCOPE) != 0 ? *scope : *recovery;
}

void oev_audit_judge_selected(struct oev_audit *audit, struct oev_claim *claim)
{
	for (uint32_t i = 0; i < claim->version_count; i++)
		sum_up(claim, &audit->versions[claim->version_first + i]);
	judge_reduction(audit, claim, &claim->step[OEV_STEP_SELECTED]);
	judge_scope(audit, claim, &claim->scope);
	judge_recovery(audit, claim, &claim->recovery);
	borrow(claim, audit->options.parts, &claim->step[OEV_STEP_SELECTED]);
}
