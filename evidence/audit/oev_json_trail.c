/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What is of the evidence itself as JSON: gaps, recoveries, exceptions, integrity, inputs.
 */
#include <stdio.h>

#include "oev_input_hash.h"
#include "oev_json_parts.h"

json_t *oev_json_gaps(const struct oev_audit *audit)
{
	json_t *list = json_array();

	for (size_t i = 0; i < audit->gap_count; i++)
		json_array_append_new(list,
				      json_pack("{s:s, s:o, s:o, s:o, s:o, s:b, s:o}", "kind",
						oev_gap_kind_text(audit->gaps[i].kind), "since",
						oev_json_time(audit->gaps[i].since_us), "at",
						oev_json_time(audit->gaps[i].wall_us), "events",
						oev_json_number(audit->gaps[i].events), "reason",
						oev_json_text(audit->gaps[i].reason), "in_window",
						audit->gaps[i].in_window, "segment",
						oev_json_text(audit->segments[audit->gaps[i].segment].path)));
	return list;
}

json_t *oev_json_incidents(const struct oev_audit *audit)
{
	json_t *list = json_array();

	for (size_t i = 0; i < audit->incident_count; i++) {
		const struct oev_incident *at = &audit->incidents[i];
		char text[256];
		json_array_append_new(
			list,
			json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "kind", oev_incident_kind_text(at->kind),
				  "at", oev_json_time(at->wall_us), "segment",
				  oev_json_text(audit->segments[at->segment].path), "text",
				  oev_json_text(oev_incident_text(at, text, sizeof(text))), "events",
				  oev_json_number(at->events), "sha256", oev_json_text_or_null(at->sha256)));
	}
	return list;
}

static json_t *first_bad_json(const struct oev_integrity *at)
{
	if (!at->first_bad.is_known)
		return json_null();
	return json_pack("{s:o, s:o, s:o}", "segment", oev_json_text_or_null(at->first_bad.segment), "table",
			 oev_json_text_or_null(at->first_bad.table), "row",
			 at->first_bad.has_row ? json_integer(at->first_bad.row) : json_null());
}

json_t *oev_json_integrity(const struct oev_audit *audit)
{
	const struct oev_integrity *at = &audit->integrity;
	char tail[OEV_INTEGRITY_TAIL_MAX];

	return json_pack("{s:s, s:s, s:I, s:o, s:o, s:o, s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "outcome",
			 at->is_checked ? oev_verify_outcome_text(at->outcome) : "not_checked", "weight",
			 oev_integrity_weight_text(at->is_checked ? at->weight : OEV_INTEGRITY_NOT_CHECKED),
			 "segments", (json_int_t)audit->segment_count, "rows", oev_json_number(at->rows),
			 "by_seal_rows", oev_json_number(at->by_seal_rows), "signed_at",
			 oev_json_time(at->signed_us), "outside_checkpoint", oev_json_time(at->witness_us),
			 "witness", oev_verify_witness_text(at->witness), "trust",
			 oev_verify_trust_text(at->trust), "note", oev_json_text(at->line), "unsigned",
			 json_pack("{s:o, s:o, s:o}", "rows", oev_json_number(at->tail_rows), "since",
				   oev_json_time(at->tail_us), "text",
				   oev_json_text_or_null(oev_integrity_tail_text(at, tail, sizeof(tail)))),
			 "key_fingerprint", oev_json_text_or_null(at->key), "root",
			 at->root[0] == '\0' ? json_null()
					     : json_pack("{s:s, s:o}", "sha256", at->root, "batches",
							 oev_json_number(at->root_batches)),
			 "first_bad", first_bad_json(at));
}

json_t *oev_json_exceptions(const struct oev_audit *audit)
{
	json_t *list = json_array();

	for (uint64_t i = 0; i < audit->exception_count && i < OEV_EXCEPTIONS_LISTED; i++) {
		const struct oev_exception *at = &audit->exceptions[i];
		json_array_append_new(
			list,
			json_pack("{s:s, s:o, s:o, s:o, s:o}", "kind", oev_exception_text(at->kind), "claim",
				  at->claim >= 0 ? oev_json_number((uint64_t)at->claim) : json_null(), "id",
				  oev_json_number(at->id), "at", oev_json_time(at->wall_us), "detail",
				  oev_json_text(at->detail)));
	}
	return list;
}

json_t *oev_json_refused_reports(const struct oev_audit *audit)
{
	json_t *list = json_array();

	for (size_t i = 0; i < audit->report_count; i++) {
		const struct oev_report *at = &audit->reports[i];
		if (!at->refused || json_array_size(list) >= OEV_EXCEPTIONS_LISTED)
			continue;
		json_array_append_new(
			list,
			json_pack("{s:o, s:o, s:o, s:o, s:o}", "report", oev_json_number(at->id), "at",
				  oev_json_time(at->wall_us), "peer", oev_json_text(at->peer), "subject",
				  oev_json_text(at->subject), "reason", oev_json_text(at->reason)));
	}
	return list;
}

/* Null for a segment that is still being written. */
static json_t *hash_of(const char *path, bool stable)
{
	char text[OEV_HASH_HEX];

	return oev_json_text_or_null(stable ? oev_input_hash(path, text) : "");
}

json_t *oev_json_inputs(const struct oev_audit *audit)
{
	json_t *list = json_array();

	for (size_t i = 0; i < audit->segment_count; i++) {
		const struct oev_segment *segment = &audit->segments[i];
		if (segment->path == NULL)
			continue;
		json_array_append_new(
			list, json_pack("{s:o, s:s, s:o, s:o, s:o, s:b, s:o}", "path",
					oev_json_text(segment->path), "kind", "segment", "node",
					segment->node != NULL ? oev_json_text(segment->node) : json_null(),
					"started", oev_json_time(segment->started_us), "closed",
					oev_json_time(segment->closed_us), "open", segment->closed_us == 0,
					"sha256", hash_of(segment->path, segment->closed_us != 0)));
	}
	for (size_t i = 0; i < audit->counters_count; i++) {
		const struct oev_counters *file = &audit->counters[i];
		if (file->path == NULL || file->is_imported)
			continue;
		json_array_append_new(list,
				      json_pack("{s:o, s:s, s:o, s:o, s:o, s:b, s:o}", "path",
						oev_json_text(file->path), "kind", "counters", "node",
						file->node != NULL ? oev_json_text(file->node) : json_null(),
						"started", oev_json_time(file->started_us), "closed",
						oev_json_time(file->ended_us), "open", 0, "sha256",
						hash_of(file->path, true)));
	}
	for (size_t i = 0; i < audit->telemetry_count; i++)
		json_array_append_new(list,
				      json_pack("{s:o, s:s, s:n, s:n, s:n, s:b, s:o}", "path",
						oev_json_text(audit->telemetry[i]), "kind",
						"imported_counters", "node", "started", "closed", "open", 0,
						"sha256", hash_of(audit->telemetry[i], true)));
	return list;
}
