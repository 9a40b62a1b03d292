/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A replay as one JSON object, "doic.replay/1": the same keys on every outcome.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include "../oev_time.h"
#include "oev_difference.h"
#include "oev_replay.h"
#include "oev_replay_value.h"

static void set(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, value);
}

static json_t *look_json(const struct oc_look *look)
{
	if (look->version == 0)
		return json_null();
	return json_pack("{s:o, s:o, s:o}", "version", oev_value_number(look->version), "share_ppm",
			 oev_value_number(look->share_ppm), "draw",
			 look->nth != 0 ? oev_value_number(look->nth) : json_null());
}

static json_t *decision_json(const struct oc_decision *d, const char *first_choice, const char *next_hop)
{
	json_t *object = json_object();

	set(object, "verdict", json_string(oc_verdict_text(d->verdict)));
	set(object, "why", json_string(oc_why_text(d->why)));
	set(object, "selected_by", json_string(oc_scope_text(d->selected_by)));
	set(object, "class", oev_value_number(d->klass));
	set(object, "flags", oev_value_number(d->flags));
	set(object, "realm", look_json(&d->realm));
	set(object, "host", look_json(&d->host));
	set(object, "peer", look_json(&d->peer));
	set(object, "first_choice", oev_value_name(first_choice));
	set(object, "next_hop", oev_value_name(next_hop));
	set(object, "result_code", d->result_code != 0 ? oev_value_number(d->result_code) : json_null());
	return object;
}

static json_t *inputs_json(const struct oev_difference *difference)
{
	const struct oc_decision *d = &difference->recorded;
	json_t *object = json_object(), *states = json_array();
	char chance[24];

	snprintf(chance, sizeof(chance), "0x%016" PRIx64, d->random);
	set(object, "application_id", oev_value_number(d->app_id));
	set(object, "command", oev_value_number(d->command));
	set(object, "client", oev_value_name(difference->client));
	set(object, "origin_host", oev_value_name(difference->origin_host));
	set(object, "origin_realm", oev_value_name(difference->origin_realm));
	set(object, "dest_host", oev_value_name(difference->dest_host));
	set(object, "dest_realm", oev_value_name(difference->dest_realm));
	set(object, "drmp", d->drmp != OC_DRMP_NONE ? oev_value_number(d->drmp) : json_null());
	set(object, "chance", json_string(chance));
	set(object, "candidates", oev_value_name(difference->candidates));
	for (int scope = OC_SCOPE_REALM; scope < OC_SCOPE_COUNT; scope++) {
		const struct oev_replay_state *state = &difference->states[scope];
		if (state->version != 0)
			json_array_append_new(states, json_pack("{s:o, s:o}", "version",
								oev_value_number(state->version), "report",
								oev_value_name(state->text)));
	}
	set(object, "states", states);
	return object;
}

static json_t *difference_json(const struct oev_difference *difference)
{
	json_t *object = json_object();
	char value[OEV_VALUE_MAX];

	set(object, "decision", oev_value_number(difference->recorded.id));
	set(object, "time", oev_value_time(difference->wall_us));
	set(object, "life", oev_value_number(difference->life));
	set(object, "field", json_string(difference->field));
	oev_difference_value(difference->field, &difference->recorded, difference->hops[0],
			     difference->hops[1], value);
	set(object, "recorded", oev_value_text(value));
	oev_difference_value(difference->field, &difference->replayed, difference->hops[2],
			     difference->hops[3], value);
	set(object, "replayed", oev_value_text(value));
	set(object, "inputs", inputs_json(difference));
	set(object, "recorded_decision",
	    decision_json(&difference->recorded, difference->hops[0], difference->hops[1]));
	set(object, "replayed_decision",
	    decision_json(&difference->replayed, difference->hops[2], difference->hops[3]));
	return object;
}

static void add_tally(json_t *object, const struct oev_replay_tally *tally)
{
	set(object, "decisions", oev_value_number(tally->decisions));
	set(object, "differing", oev_value_number(tally->differing));
	set(object, "first_differing",
	    tally->first_differing != 0 ? oev_value_number(tally->first_differing) : json_null());
	set(object, "made_as_given", oev_value_number(tally->inexact));
	set(object, "outside_window", oev_value_number(tally->outside));
	set(object, "not_replayable", oev_value_number(tally->beyond));
	set(object, "missing", oev_value_number(tally->missing));
	set(object, "late", oev_value_number(tally->late));
	set(object, "orphans", oev_value_number(tally->orphans));
	set(object, "unknown", oev_value_number(tally->unknown));
}

static json_t *life_json(const struct oev_replayed_life *life)
{
	json_t *object = json_object();

	set(object, "node", oev_value_text(life->node));
	set(object, "run", oev_value_text(life->run));
	set(object, "outcome", json_string(oev_replay_outcome_text(life->outcome)));
	set(object, "why", oev_value_name(life->why));
	set(object, "version", oev_value_text(life->version));
	set(object, "same_core", json_boolean(life->same_core));
	set(object, "started", oev_value_time(life->started_us));
	set(object, "until", oev_value_time(life->until_us));
	set(object, "parts", oev_value_number(life->parts));
	set(object, "parts_not_replayable", oev_value_number(life->parts_beyond));
	set(object, "policy_first", oev_value_number(life->policy_first));
	set(object, "policy_last", oev_value_number(life->policy_last));
	set(object, "ended_by_itself", json_boolean(!life->was_cut));
	set(object, "events_lost", oev_value_number(life->gap_events));
	add_tally(object, &life->tally);
	return object;
}

int oev_replay_json(const struct oev_replay *replay, const char *tool, double seconds, FILE *out)
{
	json_t *object = json_object(), *lives = json_array(), *differences = json_array();

	for (size_t i = 0; i < replay->life_count; i++)
		json_array_append_new(lives, life_json(&replay->lives[i]));
	for (size_t i = 0; i < replay->difference_count; i++)
		json_array_append_new(differences, difference_json(&replay->differences[i]));
	set(object, "schema", json_string("doic.replay/1"));
	set(object, "tool", json_string(tool));
	set(object, "outcome", json_string(oev_replay_outcome_text(replay->outcome)));
	set(object, "exit", oev_value_number((uint64_t)oev_replay_exit(replay->outcome)));
	set(object, "error", oev_value_name(replay->error));
	set(object, "window",
	    json_pack("{s:o, s:o}", "since", oev_value_time(replay->options.lives.since_us), "until",
		      oev_value_time(replay->options.lives.until_us)));
	set(object, "inputs",
	    oev_value_inputs(replay->options.lives.inputs, replay->options.lives.input_count));
	add_tally(object, &replay->total);
	set(object, "seconds", json_real(seconds));
	set(object, "lives", lives);
	set(object, "differences", differences);
	return oev_value_write(object, out);
}
