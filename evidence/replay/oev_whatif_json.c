/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A what-if as one JSON object, "doic.whatif/1": the same keys on every outcome.
 */
#include <jansson.h>

#include "../../agent/oc_event.h"
#include "oev_replay_value.h"
#include "oev_whatif.h"

static void set(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, value);
}

static json_t *fate_json(const struct oev_fate *fate)
{
	json_t *object = json_object();

	set(object, "decisions", oev_value_number(fate->decisions));
	set(object, "forwarded", oev_value_number(fate->forwarded));
	set(object, "diverted", oev_value_number(fate->diverted));
	set(object, "refused", oev_value_number(fate->refused));
	return object;
}

static json_t *fates_json(const struct oev_fate side[static OEV_SIDES])
{
	json_t *object = json_object();

	set(object, "before", fate_json(&side[0]));
	set(object, "after", fate_json(&side[1]));
	return object;
}

static json_t *pair_json(uint64_t before, uint64_t after)
{
	return json_pack("{s:o, s:o}", "before", oev_value_number(before), "after", oev_value_number(after));
}

static json_t *classes_json(const struct oev_whatif *whatif)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < OC_CLASSES; i++) {
		json_t *object = fates_json(whatif->class[i]);
		set(object, "class", oev_value_number(i));
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *clients_json(const struct oev_whatif *whatif)
{
	json_t *list = json_array();

	for (size_t i = 0; i < whatif->client_count; i++) {
		json_t *object = fates_json(whatif->clients[i].side);
		set(object, "client",
		    oev_value_text(oev_names_text(&whatif->names, whatif->clients[i].name)));
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *servers_json(const struct oev_whatif *whatif)
{
	json_t *list = json_array();

	for (size_t i = 0; i < whatif->server_count; i++) {
		const struct oev_whatif_server *server = &whatif->servers[i];
		json_t *object = json_object();
		set(object, "server", oev_value_text(oev_names_text(&whatif->names, server->name)));
		set(object, "requests", pair_json(server->side[0].requests, server->side[1].requests));
		set(object, "peak_per_second", pair_json(server->side[0].peak, server->side[1].peak));
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *report_side(const struct oev_whatif_report *report, unsigned side)
{
	json_t *object = json_object();
	uint64_t matched = report->side[side].matched;

	set(object, "versions", oev_value_number(report->side[side].versions));
	set(object, "matched", oev_value_number(matched));
	set(object, "asked_ratio",
	    matched > 0 ? json_real((double)report->side[side].asked_ppm / 1e6 / (double)matched)
			: json_null());
	set(object, "selected", oev_value_number(report->side[side].selected));
	return object;
}

static json_t *reports_json(const struct oev_whatif *whatif)
{
	json_t *list = json_array();

	for (size_t i = 0; i < whatif->report_count; i++) {
		const struct oev_whatif_report *report = &whatif->reports[i];
		json_t *object = json_object();
		set(object, "type", json_string(oc_report_type_text(report->type)));
		set(object, "subject", oev_value_name(oev_names_text(&whatif->names, report->subject)));
		set(object, "application_id",
		    report->app_id != OC_APP_ANY ? oev_value_number(report->app_id) : json_null());
		set(object, "algorithm", json_string(oc_algo_text(report->algorithm)));
		set(object, "before", report_side(report, 0));
		set(object, "after", report_side(report, 1));
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *limits_json(void)
{
	json_t *list = json_array();

	for (const char *const *limit = oev_whatif_limits(); *limit != NULL; limit++)
		json_array_append_new(list, json_string(*limit));
	return list;
}

static void add_head(json_t *object, const struct oev_whatif *whatif, const char *tool)
{
	const struct oev_whatif_options *options = &whatif->options;

	set(object, "schema", json_string("doic.whatif/1"));
	set(object, "tool", json_string(tool));
	set(object, "outcome", json_string(oev_whatif_outcome_text(whatif->outcome)));
	set(object, "exit", oev_value_number((uint64_t)oev_whatif_exit(whatif->outcome)));
	set(object, "error", oev_value_name(whatif->error));
	set(object, "why", oev_value_name(whatif->why));
	set(object, "policy", options->policy_name ? oev_value_text(options->policy_name) : json_null());
	set(object, "against", oev_value_text(options->against_name ? options->against_name : "running"));
	set(object, "window",
	    json_pack("{s:o, s:o}", "since", oev_value_time(options->lives.since_us), "until",
		      oev_value_time(options->lives.until_us)));
	set(object, "inputs", oev_value_inputs(options->lives.inputs, options->lives.input_count));
}

int oev_whatif_json(const struct oev_whatif *whatif, const char *tool, double seconds, FILE *out)
{
	json_t *object = json_object();

	add_head(object, whatif, tool);
	set(object, "lives", oev_value_number(whatif->lives));
	set(object, "lives_not_whole", oev_value_number(whatif->lives_partly));
	set(object, "decisions", oev_value_number(whatif->total[1].decisions));
	set(object, "changed", oev_value_number(whatif->changed));
	set(object, "now_sent", oev_value_number(whatif->now_sent));
	set(object, "now_refused", oev_value_number(whatif->now_refused));
	set(object, "elsewhere", oev_value_number(whatif->elsewhere));
	set(object, "unpaired", oev_value_number(whatif->unpaired));
	set(object, "candidates_assumed", oev_value_number(whatif->inexact));
	set(object, "not_replayable", oev_value_number(whatif->skipped));
	set(object, "total", fates_json(whatif->total));
	set(object, "refused_full", pair_json(whatif->full[0], whatif->full[1]));
	set(object, "emergency_refused", pair_json(whatif->class[0][0].refused, whatif->class[0][1].refused));
	set(object, "classes", classes_json(whatif));
	set(object, "clients", clients_json(whatif));
	set(object, "servers", servers_json(whatif));
	set(object, "reports", reports_json(whatif));
	set(object, "beyond_the_record", limits_json());
	set(object, "seconds", json_real(seconds));
	return oev_value_write(object, out);
}
