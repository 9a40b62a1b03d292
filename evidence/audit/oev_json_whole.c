/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What is of the whole audit as JSON: populations, independent counters, own reports.
 */
#include "../../agent/oc_types.h"
#include "../proof/oev_json.h"
#include "oev_json_parts.h"

/* Class 0 first. */
static json_t *classes_json(const struct oev_population *people)
{
	json_t *list = json_array();

	for (int i = 0; i < (int)OEV_CLASSES; i++) {
		const struct oev_class *class = &people->class[i];
		json_array_append_new(list, json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "class", i,
						      "candidates", oev_json_number(class->candidates),
						      "matched", oev_json_number(class->matched), "survivors",
						      oev_json_number(class->survivors), "forwarded",
						      oev_json_number(class->forwarded), "diverted",
						      oev_json_number(class->diverted), "refused",
						      oev_json_number(class->refused)));
	}
	return list;
}

static json_t *loose_json(const uint64_t counts[OEV_LOOSE_COUNT])
{
	json_t *object = json_object();

	for (int i = 0; i < OEV_LOOSE_COUNT; i++)
		json_object_set_new(object, oev_loose_text((enum oev_loose)i), oev_json_number(counts[i]));
	return object;
}

json_t *oev_json_population(const struct oev_population *people)
{
	const struct {
		const char *key;
		uint64_t value;
	} rows[] = {
		{ "candidates", people->candidates },
		{ "matched_realm", people->matched_realm },
		{ "matched_host", people->matched_host },
		{ "matched", people->matched },
		{ "survivors", people->survivors },
		{ "matched_peer", people->matched_peer },
		{ "diverted", people->diverted },
		{ "refused", people->refused },
		{ "refused_realm", people->refused_realm },
		{ "refused_host", people->refused_host },
		{ "refused_peer", people->refused_peer },
		{ "refused_outstanding", people->refused_outstanding },
		{ "refused_own", people->refused_own },
		{ "forwarded", people->forwarded },
		{ "remembered", people->remembered },
		{ "probes", people->probes },
		{ "observed", people->observed },
		{ "failopen", people->failopen },
		{ "unrouted", people->unrouted },
		{ "left_to_client", people->left_to_client },
		{ "without_outcome", people->without_outcome },
		{ "retried_session", people->retried_session },
		{ "retried_end_to_end", people->retried_end_to_end },
		{ "retried_flag", people->retried_flag },
	};
	json_t *object = json_object();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		json_object_set_new(object, rows[i].key, oev_json_number(rows[i].value));
	json_object_set_new(object, "classes", classes_json(people));
	json_object_set_new(object, "without_outcome_because", loose_json(people->loose));
	json_object_set_new(object, "without_decision_because", loose_json(people->without_decision));
	return object;
}

/* One row per (node, application): the same requests, counted by three who do not know of each other. */
json_t *oev_json_counters(const struct oev_audit *audit)
{
	json_t *list = json_array();

	for (size_t i = 0; i < audit->agreement_count; i++) {
		const struct oev_agreement *row = &audit->agreements[i];
		bool server = row->file->role == OEV_ROLE_SERVER;
		json_t *counted = oev_json_number(row->counter_requests),
		       *seen = oev_json_number(row->evidence_requests);
		json_array_append_new(
			list,
			json_pack("{s:o, s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:b, "
				  "s:o, s:o, s:o}",
				  "node", oev_json_text(row->file->node), "role",
				  server ? "server" : "client", "app", (json_int_t)row->app_id,
				  "sent_by_clients", server ? json_null() : counted, "seen_by_node",
				  server ? json_null() : seen, "forwarded", server ? seen : json_null(),
				  "arrived_at_server", server ? counted : json_null(), "answers_counted",
				  row->has_answers ? oev_json_number(row->counter_answers) : json_null(),
				  "answers_in_evidence", oev_json_number(row->evidence_answers), "resent",
				  oev_json_number(row->resent), "covered", row->covered, "agree",
				  oev_json_status(row->status), "file", oev_json_text(row->file->path),
				  "imported", row->file->is_imported, "since",
				  oev_json_time(row->file->started_us), "until",
				  oev_json_time(row->file->ended_us), "may_differ_by",
				  oev_json_number(oev_agreement_apart(row))));
	}
	return list;
}

static json_t *told_json(const struct oev_audit *audit, const struct oev_own *own)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < own->told_count; i++) {
		const struct oev_told *told = &audit->told[own->told_first + i];
		uint64_t first_ns = told->first_ns > own->mono_ns ? told->first_ns - own->mono_ns : 0;
		uint64_t last_ns = told->last_ns > own->mono_ns ? told->last_ns - own->mono_ns : 0;
		json_array_append_new(list,
				      json_pack("{s:o, s:o, s:o, s:o}", "peer", oev_json_text(told->peer),
						"answers", oev_json_number(told->count), "first_seconds",
						oev_json_seconds(first_ns / 1000), "last_seconds",
						oev_json_seconds(last_ns / 1000)));
	}
	return list;
}

static json_t *order_json(const struct oev_audit *audit, const struct oev_own *own)
{
	if (own->order < 0)
		return json_null();
	const struct oev_order *order = &audit->orders[own->order];
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "at", oev_json_time(order->wall_us), "how",
			 oev_json_text(order->how), "by", oev_json_text(order->by), "actor",
			 oev_json_number(order->actor), "calculation", oev_json_number(order->calculation),
			 "reason", oev_json_text(order->reason), "inputs", oev_json_text(order->inputs));
}

/* The decision to report: each content, the order behind it, its octets, who was told. */
json_t *oev_json_own_reports(const struct oev_audit *audit)
{
	json_t *list = json_array();

	for (size_t i = 0; i < audit->own_count; i++) {
		const struct oev_own *own = &audit->own[i];
		if (own->wall_us < audit->options.from_us || own->wall_us >= audit->options.until_us)
			continue;
		json_array_append_new(
			list,
			json_pack(
				"{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o}",
				"sequence", oev_json_text(own->sequence), "at", oev_json_time(own->wall_us),
				"step", oev_json_text(own->step), "report_type", oev_json_text(own->type),
				"application_id",
				own->app_id == OC_APP_ANY ? json_null() : oev_json_number(own->app_id),
				"subject", oev_json_text_or_null(own->subject), "target",
				oev_json_text_or_null(own->target), "algorithm",
				oev_json_text(own->algorithm), "reduction_pct",
				own->has_reduction ? oev_json_number(own->reduction_pct) : json_null(),
				"rate_rps", own->has_rate ? oev_json_number(own->rate_rps) : json_null(),
				"validity_seconds", (json_int_t)own->validity_s, "answers",
				oev_json_number(own->answers), "told", told_json(audit, own), "order",
				order_json(audit, own), "raw", oev_json_hex(own->raw, own->raw_len)));
	}
	return list;
}
