/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What a claim did to traffic, as JSON.
 */
#include "../../agent/oc_types.h"
#include "oev_json_parts.h"

#define ORIGINS_LISTED 100u

static json_t *answers_json(const uint64_t answers[OEV_ANSWER_COUNT])
{
	json_t *object = json_object();

	for (int i = 0; i < OEV_ANSWER_COUNT; i++)
		json_object_set_new(object, oev_class_of_answer_text((enum oev_class_of_answer)i),
				    oev_json_number(answers[i]));
	return object;
}

static json_t *per_second(uint64_t count, uint64_t span_us)
{
	return span_us > 0 ? json_real((double)count * 1e6 / (double)span_us) : json_null();
}

static json_t *phase_json(enum oev_phase phase, const struct oev_traffic *at)
{
	json_t *object =
		json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "phase",
			  oev_phase_text(phase), "span_seconds", oev_json_seconds(at->span_us), "offered",
			  oev_json_number(at->offered), "matched", oev_json_number(at->matched), "selected",
			  oev_json_number(at->selected), "refused", oev_json_number(at->refused), "diverted",
			  oev_json_number(at->diverted), "retried", oev_json_number(at->retried), "arrived",
			  oev_json_number(at->arrived), "answers", answers_json(at->answers), "unanswered",
			  oev_json_number(at->arrived - oev_traffic_answered(at)), "useful",
			  oev_json_number(at->useful));

	json_object_set_new(object, "alternatives", oev_json_number(at->alternatives));
	json_object_set_new(object, "alternatives_useful", oev_json_number(at->alternatives_useful));
	json_object_set_new(object, "offered_per_second", per_second(at->offered, at->span_us));
	json_object_set_new(object, "arrived_per_second", per_second(at->arrived, at->span_us));
	json_object_set_new(object, "goodput_per_second",
			    per_second(at->useful + at->alternatives_useful, at->span_us));
	return object;
}

static json_t *alternatives_json(const struct oev_audit *audit, const struct oev_effect *effect)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < effect->alternative_count; i++) {
		const struct oev_alternative *at = &effect->alternative[i];
		json_t *object =
			json_pack("{s:o}", "node", oev_json_text(oev_names_text(&audit->names, at->name)));
		for (int phase = 0; phase < OEV_PHASE_COUNT; phase++)
			json_object_set_new(object, oev_phase_text((enum oev_phase)phase),
					    json_pack("{s:o, s:o}", "sent", oev_json_number(at->sent[phase]),
						      "useful", oev_json_number(at->useful[phase])));
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *origins_json(const struct oev_audit *audit, size_t claim, uint64_t *all)
{
	json_t *list = json_array();

	*all = 0;
	for (size_t i = 0; i < audit->origin_count; i++) {
		const struct oev_origin *at = &audit->origins[i];
		if (at->claim != claim || (*all)++ >= ORIGINS_LISTED)
			continue;
		json_array_append_new(
			list,
			json_pack("{s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:f}", "origin",
				  oev_json_text(oev_names_text(&audit->names, at->name)), "obedience",
				  oev_obedience_text(at->obedience), "why", oev_obedience_why(at->obedience),
				  "before", oev_json_number(at->before), "during",
				  oev_json_number(at->during), "after", oev_json_number(at->after),
				  "unaddressed", oev_json_number(at->unaddressed), "reacting",
				  oev_json_number(at->reacting), "answered", oev_json_number(at->answered),
				  "told", oev_json_number(at->told), "told_since", oev_json_time(at->told_us),
				  "expected_if_obeyed", at->expected));
	}
	return list;
}

static json_t *instants_json(const struct oev_audit *audit, size_t claim)
{
	const struct oev_series *series = oev_audit_series(audit, claim);
	json_t *object = json_object();

	for (int i = 0; i < OEV_INSTANT_COUNT; i++)
		json_object_set_new(object, oev_instant_text((enum oev_instant)i),
				    oev_json_time(series != NULL ? series->instant_us[i] : 0));
	return object;
}

json_t *oev_json_effect(const struct oev_audit *audit, size_t claim)
{
	static const struct oev_effect none = { 0 };
	bool followed = claim < audit->follow_count && audit->effects[claim].first_us != 0;
	const struct oev_effect *effect = followed ? &audit->effects[claim] : &none;
	json_t *phases = json_array();
	uint64_t origins = 0;

	for (int i = 0; i < OEV_PHASE_COUNT; i++)
		json_array_append_new(phases, phase_json((enum oev_phase)i, &effect->phase[i]));
	json_t *listed = origins_json(audit, claim, &origins);
	return json_pack("{s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "followed", followed,
			 "instants", instants_json(audit, claim), "around_seconds",
			 oev_json_seconds(effect->around_us), "effect_seconds",
			 effect->selected_us != 0 ? oev_json_seconds(effect->slowest_effect_us) : json_null(),
			 "normal_seconds",
			 effect->has_normal ? oev_json_seconds(effect->slowest_normal_us) : json_null(),
			 "phases", phases, "alternatives", alternatives_json(audit, effect),
			 "alternatives_unlisted", oev_json_number(effect->alternatives_unlisted), "origins",
			 listed, "origin_count", oev_json_number(origins));
}

/* One row per next hop and application, over the whole window. */
json_t *oev_json_hops(const struct oev_audit *audit)
{
	json_t *list = json_array();

	for (size_t i = 0; i < audit->hop_count; i++) {
		const struct oev_hop *at = &audit->hops[i];
		json_array_append_new(
			list,
			json_pack("{s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "node",
				  oev_json_text(oev_names_text(&audit->names, at->name)), "application_id",
				  (json_int_t)at->app_id, "sent", oev_json_number(at->sent), "diverted_here",
				  oev_json_number(at->diverted), "resent", oev_json_number(at->resent),
				  "answers", answers_json(at->answers), "useful", oev_json_number(at->useful),
				  "unanswered", oev_json_number(at->lost), "busiest_second",
				  oev_json_number(at->busiest), "busiest_at", oev_json_time(at->busiest_us)));
	}
	return list;
}
