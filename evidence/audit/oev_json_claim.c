/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * One claim as JSON: its ladder, its versions with their bounds.
 */
#include <stdio.h>

#include "../../agent/oc_event.h"
#include "oev_audit_bound.h"
#include "oev_audit_parts.h"
#include "oev_json_parts.h"

static json_t *finding_json(const char *step, const struct oev_finding *finding)
{
	return json_pack("{s:s, s:o, s:s, s:o, s:o, s:s, s:o, s:o}", "step", step, "ok",
			 oev_json_status(finding->status), "status", oev_status_text(finding->status),
			 "receipt", oev_json_text(finding->receipt), "value", oev_json_text(finding->value),
			 "bound", finding->bound, "why",
			 finding->status == OEV_OK ? json_null() : oev_json_text(finding->why), "hint",
			 finding->hint[0] == '\0' ? json_null() : oev_json_text(finding->hint));
}

static void add_tally(json_t *object, const struct oev_tally *tally, const char *prefix)
{
	char key[32];

	snprintf(key, sizeof(key), "%smatched", prefix);
	json_object_set_new(object, key, oev_json_number(tally->matched));
	snprintf(key, sizeof(key), "%sselected", prefix);
	json_object_set_new(object, key, oev_json_number(tally->selected));
	snprintf(key, sizeof(key), "%sexpected", prefix);
	json_object_set_new(object, key, json_real((double)tally->expected_ppm / 1e6));
}

static json_t *steps_json(const struct oev_claim *claim)
{
	json_t *list = json_array(), *step[OEV_STEP_COUNT];

	for (int i = 0; i < OEV_STEP_COUNT; i++) {
		step[i] = finding_json(oev_step_text((enum oev_step)i), &claim->step[i]);
		json_array_append_new(list, step[i]);
	}
	json_object_set_new(step[OEV_STEP_ASKED], "reports", oev_json_number(claim->reports));
	json_object_set_new(step[OEV_STEP_ASKED], "receptions", oev_json_number(claim->receptions));
	json_object_set_new(step[OEV_STEP_ASKED], "refused", oev_json_number(claim->refused));
	json_object_set_new(step[OEV_STEP_HELD], "active_seconds", json_real((double)claim->active_us / 1e6));
	json_object_set_new(step[OEV_STEP_HELD], "asked_seconds", json_real((double)claim->asked_us / 1e6));
	json_t *selected = step[OEV_STEP_SELECTED];
	add_tally(selected, &claim->active, "");
	json_object_set_new(selected, "asked_ratio",
			    claim->active.matched > 0 ? json_real((double)claim->active.expected_ppm / 1e6 /
								  (double)claim->active.matched)
						      : json_null());
	json_object_set_new(selected, "error_max", json_real((double)claim->error_max_ppm / 1e6));
	json_object_set_new(selected, "reordered", json_boolean(claim->reordered));
	json_object_set_new(selected, "remembered", oev_json_number(claim->remembered));
	json_object_set_new(selected, "probes", oev_json_number(claim->probes));
	json_object_set_new(selected, "observed", oev_json_number(claim->observed));
	json_t *arrived = step[OEV_STEP_ARRIVED];
	json_object_set_new(arrived, "counted", oev_json_number(claim->arrived_counter));
	json_object_set_new(arrived, "sent", oev_json_number(claim->arrived_evidence));
	bool measured = claim->inner_candidates > 0 && claim->inner_arrived <= claim->inner_candidates;
	json_object_set_new(
		arrived, "reduction_ratio",
		measured ? json_real(1.0 - (double)claim->inner_arrived / (double)claim->inner_candidates)
			 : json_null());
	json_object_set_new(step[OEV_STEP_USEFUL], "useful",
			    claim->has_useful ? oev_json_number(claim->useful) : json_null());
	return list;
}

/* Rate: the window bound. Loss: what was asked in total against what was selected, and what waited at most. */
static json_t *bound_json(const struct oev_audit *audit, const struct oev_version *version)
{
	struct oev_bound bound =
		version->is_rate ? oev_bound_rate(audit, version) : oev_bound_debt(audit, version);

	if (version->is_rate)
		return json_pack("{s:s, s:o, s:f, s:f, s:b}", "kind", "window", "admitted",
				 oev_json_number(version->sampler.admitted), "excess_max",
				 version->sampler.admitted > 0 ? bound.excess : 0.0, "allowed", bound.allowed,
				 "holds", bound.holds);
	return json_pack("{s:s, s:f, s:o, s:o, s:f, s:f, s:b}", "kind", "debt", "asked_total",
			 (double)version->asked_ppm / 1e6, "selected",
			 oev_json_number(version->asked_selected), "moved", oev_json_number(version->moved),
			 "waiting_max", bound.excess, "allowed", bound.allowed, "holds", bound.holds);
}

/* From its beginning to the first request it selected, from its end to normal; null: it did not happen. */
static void add_instants(json_t *object, const struct oev_audit *audit, const struct oev_version *version)
{
	uint64_t normal_ns = oev_version_normal(version);
	bool over = normal_ns >= version->end_ns && version->replaced_ns == 0;

	(void)audit;
	json_object_set_new(object, "until", oev_json_time(oev_audit_wall(version, version->end_ns)));
	json_object_set_new(object, "effect_seconds",
			    version->selected_ns >= version->from_ns
				    ? oev_json_seconds((version->selected_ns - version->from_ns) / 1000)
				    : json_null());
	json_object_set_new(object, "normal_seconds",
			    over ? oev_json_seconds((normal_ns - version->end_ns) / 1000) : json_null());
	json_object_set_new(object, "carried", json_boolean(version->is_carried));
}

static json_t *version_json(const struct oev_audit *audit, const struct oev_version *version)
{
	json_t *object = json_pack(
		"{s:i, s:I, s:o, s:o, s:s, s:s, s:o, s:I, s:o, s:f}", "version", (int)version->number, "life",
		(json_int_t)oev_life_number(audit, version->life), "report", oev_json_number(version->report),
		"sequence", oev_json_text(version->sequence), "algorithm", version->algorithm, "ended",
		oev_version_ended(audit, version), "reduction_pct",
		version->has_reduction ? oev_json_number(version->reduction_pct) : json_null(),
		"validity_seconds", (json_int_t)version->validity_s, "from", oev_json_time(version->from_us),
		"active_seconds", (double)(version->end_ns - version->from_ns) / 1e9);

	add_tally(object, &version->active, "");
	add_tally(object, &version->ramp, "ramp_");
	json_object_set_new(object, "rate_rps",
			    version->is_rate ? oev_json_number(version->rate_rps) : json_null());
	json_object_set_new(object, "bound", bound_json(audit, version));
	add_instants(object, audit, version);
	return object;
}

static json_t *lapses_json(const struct oev_audit *audit, size_t claim)
{
	json_t *list = json_array();

	for (size_t i = 0; i < audit->lapse_count; i++) {
		const struct oev_lapse *at = &audit->lapses[i];
		if (at->claim != claim)
			continue;
		json_array_append_new(list,
				      json_pack("{s:I, s:I, s:I, s:s, s:o, s:o, s:o, s:o, s:b, s:o}",
						"version", (json_int_t)at->number, "held_in_life",
						(json_int_t)oev_life_number(audit, at->held_in), "life",
						(json_int_t)oev_life_number(audit, at->life), "ended_how",
						at->was_stopped ? "stopped" : "killed", "since",
						oev_json_time(at->from_us), "until",
						oev_json_time(at->until_us), "seconds",
						oev_json_seconds(at->until_us - at->from_us), "valid_until",
						oev_json_time(at->valid_until_us), "renewed", at->is_renewed,
						"requests_not_compared", oev_json_number(at->requests)));
	}
	return list;
}

static json_t *claim_json(const struct oev_audit *audit, const struct oev_claim *claim)
{
	json_t *versions = json_array();

	for (uint32_t i = 0; i < claim->version_count; i++)
		if (audit->versions[claim->version_first + i].in_window)
			json_array_append_new(
				versions, version_json(audit, &audit->versions[claim->version_first + i]));
	json_t *object = json_pack(
		"{s:o, s:o, s:I, s:s, s:s, s:s, s:i, s:s, s:o}", "node", oev_json_text(claim->subject),
		"recorded_by", oev_json_text(claim->recorded_by), "application_id", (json_int_t)claim->app_id,
		"report_type", oc_report_type_text(claim->type), "algorithm", claim->algorithm, "outcome",
		oev_outcome_text(claim->outcome), "exit", oev_audit_exit(claim->outcome), "reached",
		claim->reached >= 0 ? oev_step_text((enum oev_step)claim->reached) : "nothing", "steps",
		steps_json(claim));
	json_t *scope = finding_json("scope", &claim->scope);
	json_t *recovery = finding_json("recovery", &claim->recovery);
	add_tally(recovery, &claim->ramp, "");
	json_object_set_new(object, "scope", scope);
	json_object_set_new(object, "recovery", recovery);
	json_object_set_new(object, "reports", oev_json_reports(audit, (size_t)(claim - audit->claims)));
	json_object_set_new(object, "effect", oev_json_effect(audit, (size_t)(claim - audit->claims)));
	json_object_set_new(object, "origin",
			    claim->origin[0] != '\0' ? oev_json_text(claim->origin) : json_null());
	json_object_set_new(object, "versions", versions);
	json_object_set_new(object, "not_held", lapses_json(audit, (size_t)(claim - audit->claims)));
	return object;
}

json_t *oev_json_claims(const struct oev_audit *audit)
{
	json_t *list = json_array();

	for (size_t i = 0; i < audit->claim_count; i++)
		json_array_append_new(list, claim_json(audit, &audit->claims[i]));
	return list;
}
