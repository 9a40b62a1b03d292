/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The audit from end to end: load, scan once, judge step by step, one outcome.
 */
#include "oev_audit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_audit_parts.h"
#include "oev_audit_sampler.h"

void oev_audit_except(struct oev_audit *audit, const struct oev_exception *exception)
{
	if (audit->exception_count < OEV_EXCEPTIONS_LISTED)
		audit->exceptions[audit->exception_count] = *exception;
	audit->exception_count++;
	if (exception->claim >= 0)
		audit->claims[exception->claim].exceptions[exception->kind]++;
	else
		audit->stray++;
}

bool oev_audit_wants_app(const struct oev_audit *audit, uint32_t app_id)
{
	return !audit->options.has_app || audit->options.app_id == app_id;
}

const char *oev_audit_refuted_at(const struct oev_audit *audit, const struct oev_claim *claim,
				 const struct oev_finding **finding)
{
	for (int step = 0; step < OEV_STEP_COUNT; step++) {
		*finding = &claim->step[step];
		if ((*finding)->status == OEV_REFUTED)
			return oev_step_text((enum oev_step)step);
	}
	*finding = &claim->scope;
	if ((audit->options.parts & OEV_PART_SCOPE) != 0 && claim->scope.status == OEV_REFUTED)
		return "scope";
	*finding = &claim->recovery;
	if ((audit->options.parts & OEV_PART_RECOVERY) != 0 && claim->recovery.status == OEV_REFUTED)
		return "recovery";
	return NULL;
}

/* Only ends were told in the window, of what is another claim's or lies before it: nothing was to be selected. */
static bool asks_nothing(const struct oev_claim *claim)
{
	return !claim->asked_loss && !claim->asked_rate && claim->reached >= OEV_STEP_HELD &&
	       claim->active.matched == 0;
}

static void conclude(const struct oev_audit *audit, struct oev_claim *claim)
{
	const struct oev_finding *finding;

	claim->reached = -1;
	for (int step = 0; step < OEV_STEP_COUNT && claim->step[step].status == OEV_OK; step++)
		claim->reached = step;
	if (oev_audit_refuted_at(audit, claim, &finding) != NULL)
		claim->outcome = OEV_CLAIM_REFUTED;
	else if (claim->reached >= (int)audit->options.required || asks_nothing(claim))
		claim->outcome = OEV_HOLDS;
	else
		claim->outcome = OEV_CANNOT_TELL;
}

/* 1 beats 3 beats 0. */
static enum oev_outcome worst(enum oev_outcome a, enum oev_outcome b)
{
	if (a == OEV_CLAIM_REFUTED || b == OEV_CLAIM_REFUTED)
		return OEV_CLAIM_REFUTED;
	return a == OEV_CANNOT_TELL || b == OEV_CANNOT_TELL ? OEV_CANNOT_TELL : OEV_HOLDS;
}

/* Altered evidence is a definite no whatever it says; evidence that is not all there, or, if asked for, that nobody outside
 * confirms, decides nothing. */
static void weigh_integrity(struct oev_audit *audit)
{
	enum oev_integrity_weight weight = audit->integrity.weight;
	bool unseen =
		audit->options.strict && (weight != OEV_INTEGRITY_GOOD || audit->integrity.is_key_of_folder ||
					  oev_integrity_is_tail_judged(audit));

	audit->integrity_decides = true;
	if (weight == OEV_INTEGRITY_ALTERED)
		audit->outcome = OEV_CLAIM_REFUTED;
	else if (audit->outcome == OEV_HOLDS && (weight == OEV_INTEGRITY_PARTIAL || unseen))
		audit->outcome = OEV_CANNOT_TELL;
	else
		audit->integrity_decides = false;
}

/* Without memory for it, the order is that of the claims. */
static void put_in_order(struct oev_audit *audit)
{
	static const enum oev_outcome ranks[] = { OEV_CLAIM_REFUTED, OEV_CANNOT_TELL, OEV_HOLDS };
	size_t count = 0;

	free(audit->order);
	audit->order = calloc(audit->claim_count + 1, sizeof(*audit->order));
	for (size_t rank = 0; audit->order != NULL && rank < sizeof(ranks) / sizeof(ranks[0]); rank++)
		for (uint32_t i = 0; i < audit->claim_count; i++)
			if (audit->claims[i].outcome == ranks[rank])
				audit->order[count++] = i;
}

size_t oev_audit_place(const struct oev_audit *audit, size_t place)
{
	return audit->order != NULL ? audit->order[place] : place;
}

void oev_audit_judge(struct oev_audit *audit)
{
	oev_audit_agree(audit);
	audit->reached = audit->claim_count > 0 ? OEV_STEP_COUNT - 1 : -1;
	audit->outcome = audit->stray > 0 ? OEV_CLAIM_REFUTED : OEV_HOLDS;
	for (size_t i = 0; i < audit->claim_count; i++) {
		struct oev_claim *claim = &audit->claims[i];
		oev_audit_judge_asked(audit, claim);
		oev_audit_judge_held(audit, claim);
		oev_audit_judge_selected(audit, claim);
		oev_audit_judge_arrived(audit, claim);
		oev_audit_judge_capture(audit, claim);
		conclude(audit, claim);
		audit->outcome = worst(audit->outcome, claim->outcome);
		if (!asks_nothing(claim) && claim->reached < audit->reached)
			audit->reached = claim->reached;
	}
	put_in_order(audit);
	if (audit->claim_count == 0 && audit->outcome == OEV_HOLDS)
		audit->outcome = OEV_NO_CLAIM;
	weigh_integrity(audit);
	if (audit->interrupted)
		audit->outcome = OEV_INTERRUPTED;
}

int oev_audit_run(struct oev_audit *out, const struct oev_audit_options *options)
{
	out->options = *options;
	out->reached = -1;
	int rc = oev_integrity_begin(out);
	if (rc == OC_OK)
		rc = oev_audit_load(out);
	if (rc == OC_OK)
		rc = oev_telemetry_load(out);
	if (rc == OC_OK)
		rc = oev_audit_agree_init(out);
	if (rc == OC_OK)
		rc = oev_follow_begin(out);
	if (rc == OC_OK)
		rc = oev_audit_scan(out);
	for (size_t i = 0; i < out->version_count && (rc == OC_OK || rc == OC_EINTERRUPTED); i++) {
		struct oev_version *version = &out->versions[i];
		const struct oev_life *life = &out->lives[version->life];
		oev_sampler_end(&version->sampler, life->was_cut || life->is_open);
	}
	out->interrupted = rc == OC_EINTERRUPTED;
	oev_integrity_check(out);
	if ((rc == OC_OK || rc == OC_EINTERRUPTED) && oev_follow_end(out) != OC_OK)
		rc = OC_ENOMEM;
	if (rc == OC_OK || rc == OC_EINTERRUPTED)
		oev_audit_judge(out);
	else
		out->outcome = rc == OC_ENOMEM ? OEV_BUG : OEV_UNUSABLE;
	if (rc != OC_OK && out->error[0] == '\0')
		snprintf(out->error, sizeof(out->error), "%s", oc_err_text(rc));
	return rc;
}

void oev_audit_fini(struct oev_audit *audit)
{
	for (size_t i = 0; i < audit->segment_count; i++)
		oev_segment_fini(&audit->segments[i]);
	for (size_t i = 0; i < audit->counters_count; i++)
		oev_counters_fini(&audit->counters[i]);
	for (size_t i = 0; i < audit->version_count; i++)
		oev_sampler_fini(&audit->versions[i].sampler);
	oev_follow_fini(audit);
	oev_own_fini(audit);
	free(audit->hops);
	free(audit->incidents);
	oev_names_fini(&audit->names);
	oev_index_fini(&audit->claim_index);
	free(audit->segments);
	free(audit->lives);
	free(audit->counters);
	free(audit->versions);
	free(audit->lapses);
	free(audit->reports);
	free(audit->claims);
	free(audit->order);
	free(audit->gaps);
	oev_paths_free(audit->places, audit->place_count);
	oev_paths_free(audit->telemetry, audit->telemetry_count);
	free(audit->agreements);
	*audit = (struct oev_audit){ 0 };
}
