/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The audit as one JSON object, "doic.audit/1": the same keys on every outcome.
 */
#include <errno.h>
#include <gcrypt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../../agent/oc_err.h"
#include "../../agent/oc_event.h"
#include "../oev_time.h"
#include "oev_audit_bound.h"
#include "oev_audit_parts.h"

static json_t *number(uint64_t value)
{
	return json_integer((json_int_t)value);
}

static json_t *time_value(uint64_t wall_us)
{
	char text[OEV_TIME_TEXT_MAX];

	if (wall_us == 0 || wall_us == UINT64_MAX)
		return json_null();
	oev_time_text(wall_us, text);
	return json_string(text);
}

/* true, false, or null when it cannot be told. */
static json_t *status_value(enum oev_status status)
{
	return status == OEV_OK ? json_true() : status == OEV_REFUTED ? json_false() : json_null();
}

/* Strings come from a database: what is not UTF-8 becomes a mark, never a missing key. */
static json_t *text_value(const char *text)
{
	json_t *value = json_string(text);

	return value != NULL ? value : json_string("(not UTF-8)");
}

static json_t *finding_json(const char *step, const struct oev_finding *finding)
{
	return json_pack("{s:s, s:o, s:s, s:o, s:o, s:s, s:o, s:o}", "step", step, "ok",
			 status_value(finding->status), "status", oev_status_text(finding->status), "receipt",
			 text_value(finding->receipt), "value", text_value(finding->value), "bound",
			 finding->bound, "why",
			 finding->status == OEV_OK ? json_null() : text_value(finding->why), "hint",
			 finding->hint[0] == '\0' ? json_null() : text_value(finding->hint));
}

static void add_tally(json_t *object, const struct oev_tally *tally, const char *prefix)
{
	char key[32];

	snprintf(key, sizeof(key), "%smatched", prefix);
	json_object_set_new(object, key, number(tally->matched));
	snprintf(key, sizeof(key), "%sselected", prefix);
	json_object_set_new(object, key, number(tally->selected));
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
	json_object_set_new(step[OEV_STEP_ASKED], "reports", number(claim->reports));
	json_object_set_new(step[OEV_STEP_ASKED], "receptions", number(claim->receptions));
	json_object_set_new(step[OEV_STEP_ASKED], "refused", number(claim->refused));
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
	json_object_set_new(selected, "remembered", number(claim->remembered));
	json_object_set_new(selected, "probes", number(claim->probes));
	json_object_set_new(selected, "observed", number(claim->observed));
	json_t *arrived = step[OEV_STEP_ARRIVED];
	json_object_set_new(arrived, "counted", number(claim->arrived_counter));
	json_object_set_new(arrived, "sent", number(claim->arrived_evidence));
	bool measured = claim->inner_candidates > 0 && claim->inner_arrived <= claim->inner_candidates;
	json_object_set_new(
		arrived, "reduction_ratio",
		measured ? json_real(1.0 - (double)claim->inner_arrived / (double)claim->inner_candidates)
			 : json_null());
	json_object_set_new(step[OEV_STEP_USEFUL], "useful",
			    claim->has_useful ? number(claim->useful) : json_null());
	return list;
}

/* Rate: the window bound. Loss: what was asked in total against what was selected, and what waited at most. */
static json_t *bound_json(const struct oev_audit *audit, const struct oev_version *version)
{
	struct oev_bound bound =
		version->is_rate ? oev_bound_rate(audit, version) : oev_bound_debt(audit, version);

	if (version->is_rate)
		return json_pack("{s:s, s:o, s:f, s:f, s:b}", "kind", "window", "admitted",
				 number(version->sampler.admitted), "excess_max",
				 version->sampler.admitted > 0 ? bound.excess : 0.0, "allowed", bound.allowed,
				 "holds", bound.holds);
	return json_pack("{s:s, s:f, s:o, s:o, s:f, s:f, s:b}", "kind", "debt", "asked_total",
			 (double)version->asked_ppm / 1e6, "selected", number(version->asked_selected),
			 "moved", number(version->moved), "waiting_max", bound.excess, "allowed",
			 bound.allowed, "holds", bound.holds);
}

static json_t *version_json(const struct oev_audit *audit, const struct oev_version *version)
{
	json_t *object = json_pack(
		"{s:i, s:o, s:o, s:s, s:s, s:o, s:I, s:o, s:f}", "version", (int)version->number, "report",
		number(version->report), "sequence", text_value(version->sequence), "algorithm",
		version->algorithm, "ended", version->how, "reduction_pct",
		version->has_reduction ? number(version->reduction_pct) : json_null(), "validity_seconds",
		(json_int_t)version->validity_s, "from", time_value(version->from_us), "active_seconds",
		(double)(version->end_ns - version->from_ns) / 1e9);

	add_tally(object, &version->active, "");
	add_tally(object, &version->ramp, "ramp_");
	json_object_set_new(object, "rate_rps", version->is_rate ? number(version->rate_rps) : json_null());
	json_object_set_new(object, "bound", bound_json(audit, version));
	return object;
}

static json_t *claim_json(const struct oev_audit *audit, const struct oev_claim *claim)
{
	json_t *versions = json_array();

	for (uint32_t i = 0; i < claim->version_count; i++)
		if (audit->versions[claim->version_first + i].in_window)
			json_array_append_new(
				versions, version_json(audit, &audit->versions[claim->version_first + i]));
	json_t *object = json_pack(
		"{s:o, s:o, s:I, s:s, s:s, s:s, s:i, s:s, s:o}", "node", text_value(claim->subject),
		"recorded_by", text_value(claim->recorded_by), "application_id", (json_int_t)claim->app_id,
		"report_type", oc_report_type_text(claim->type), "algorithm", claim->algorithm, "outcome",
		oev_outcome_text(claim->outcome), "exit", oev_audit_exit(claim->outcome), "reached",
		claim->reached >= 0 ? oev_step_text((enum oev_step)claim->reached) : "nothing", "steps",
		steps_json(claim));
	json_t *scope = finding_json("scope", &claim->scope);
	json_t *recovery = finding_json("recovery", &claim->recovery);
	add_tally(recovery, &claim->ramp, "");
	json_object_set_new(object, "scope", scope);
	json_object_set_new(object, "recovery", recovery);
	json_object_set_new(object, "origin",
			    claim->origin[0] != '\0' ? text_value(claim->origin) : json_null());
	json_object_set_new(object, "versions", versions);
	return object;
}

/* Class 0 first. */
static json_t *classes_json(const struct oev_population *people)
{
	json_t *list = json_array();

	for (int i = 0; i < (int)OEV_CLASSES; i++) {
		const struct oev_class *class = &people->class[i];
		json_array_append_new(list,
				      json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "class", i,
						"candidates", number(class->candidates), "matched",
						number(class->matched), "survivors", number(class->survivors),
						"forwarded", number(class->forwarded), "diverted",
						number(class->diverted), "refused", number(class->refused)));
	}
	return list;
}

static json_t *population_json(const struct oev_population *people)
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
	};
	json_t *object = json_object();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		json_object_set_new(object, rows[i].key, number(rows[i].value));
	json_object_set_new(object, "classes", classes_json(people));
	return object;
}

static json_t *gaps_json(const struct oev_audit *audit)
{
	json_t *list = json_array();

	for (size_t i = 0; i < audit->gap_count; i++)
		json_array_append_new(list,
				      json_pack("{s:o, s:o, s:o, s:o, s:b, s:o}", "since",
						time_value(audit->gaps[i].since_us), "at",
						time_value(audit->gaps[i].wall_us), "events",
						number(audit->gaps[i].events), "reason",
						text_value(audit->gaps[i].reason), "in_window",
						audit->gaps[i].in_window, "segment",
						text_value(audit->segments[audit->gaps[i].segment].path)));
	return list;
}

static json_t *exceptions_json(const struct oev_audit *audit)
{
	json_t *list = json_array();

	for (uint64_t i = 0; i < audit->exception_count && i < OEV_EXCEPTIONS_LISTED; i++) {
		const struct oev_exception *at = &audit->exceptions[i];
		json_array_append_new(
			list, json_pack("{s:s, s:o, s:o, s:o, s:o}", "kind", oev_exception_text(at->kind),
					"claim", at->claim >= 0 ? number((uint64_t)at->claim) : json_null(),
					"id", number(at->id), "at", time_value(at->wall_us), "detail",
					text_value(at->detail)));
	}
	return list;
}

/* One row per (node, application): the same requests, counted by three who do not know of each other. */
static json_t *counters_json(const struct oev_audit *audit)
{
	json_t *list = json_array();

	for (size_t i = 0; i < audit->agreement_count; i++) {
		const struct oev_agreement *row = &audit->agreements[i];
		bool server = row->file->role == OEV_ROLE_SERVER;
		json_t *counted = number(row->counter_requests), *seen = number(row->evidence_requests);
		json_array_append_new(
			list, json_pack("{s:o, s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o}",
					"node", text_value(row->file->node), "role",
					server ? "server" : "client", "app", (json_int_t)row->app_id,
					"sent_by_clients", server ? json_null() : counted, "seen_by_node",
					server ? json_null() : seen, "forwarded", server ? seen : json_null(),
					"arrived_at_server", server ? counted : json_null(),
					"answers_counted", number(row->counter_answers),
					"answers_in_evidence", number(row->evidence_answers), "resent",
					number(row->resent), "covered", row->covered, "agree",
					status_value(row->status), "file", text_value(row->file->path)));
	}
	return list;
}

/* SHA-256 of @path in hexadecimal; null for a segment that is still being written. */
static json_t *hash_of(const char *path, bool stable)
{
	static const size_t block = 1u << 20;
	gcry_md_hd_t hash;
	char text[65];
	unsigned char *buf = malloc(block);
	struct stat info; /* a pipe that was refused as input must not hang here */
	bool readable = stable && buf != NULL && stat(path, &info) == 0 && S_ISREG(info.st_mode);
	FILE *file = readable ? fopen(path, "rb") : NULL;
	json_t *value = NULL;

	if (!gcry_control(GCRYCTL_INITIALIZATION_FINISHED_P)) {
		gcry_check_version(NULL);
		gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
		gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
	}
	if (file != NULL && gcry_md_open(&hash, GCRY_MD_SHA256, 0) == 0) {
		size_t got;
		while ((got = fread(buf, 1, block, file)) > 0)
			gcry_md_write(hash, buf, got);
		const unsigned char *digest = gcry_md_read(hash, GCRY_MD_SHA256);
		for (size_t i = 0; i < 32; i++)
			snprintf(text + 2 * i, 3, "%02x", digest[i]);
		if (!ferror(file))
			value = json_string(text);
		gcry_md_close(hash);
	}
	if (file != NULL)
		fclose(file);
	free(buf);
	return value != NULL ? value : json_null();
}

static json_t *inputs_json(const struct oev_audit *audit)
{
	json_t *list = json_array();

	for (size_t i = 0; i < audit->segment_count; i++) {
		const struct oev_segment *segment = &audit->segments[i];
		if (segment->path == NULL)
			continue;
		json_array_append_new(
			list, json_pack("{s:o, s:s, s:o, s:o, s:o, s:b, s:o}", "path",
					text_value(segment->path), "kind", "segment", "node",
					segment->node != NULL ? text_value(segment->node) : json_null(),
					"started", time_value(segment->started_us), "closed",
					time_value(segment->closed_us), "open", segment->closed_us == 0,
					"sha256", hash_of(segment->path, segment->closed_us != 0)));
	}
	for (size_t i = 0; i < audit->counters_count; i++) {
		const struct oev_counters *file = &audit->counters[i];
		if (file->path == NULL)
			continue;
		json_array_append_new(
			list, json_pack("{s:o, s:s, s:o, s:o, s:o, s:b, s:o}", "path", text_value(file->path),
					"kind", "counters", "node",
					file->node != NULL ? text_value(file->node) : json_null(), "started",
					time_value(file->started_us), "closed", time_value(file->ended_us),
					"open", 0, "sha256", hash_of(file->path, true)));
	}
	return list;
}

static json_t *claims_json(const struct oev_audit *audit)
{
	json_t *list = json_array();

	for (size_t i = 0; i < audit->claim_count; i++)
		json_array_append_new(list, claim_json(audit, &audit->claims[i]));
	return list;
}

static json_t *refused_reports_json(const struct oev_audit *audit)
{
	json_t *list = json_array();

	for (size_t i = 0; i < audit->report_count; i++) {
		const struct oev_report *at = &audit->reports[i];
		if (!at->refused || json_array_size(list) >= OEV_EXCEPTIONS_LISTED)
			continue;
		json_array_append_new(
			list, json_pack("{s:o, s:o, s:o, s:o, s:o}", "report", number(at->id), "at",
					time_value(at->wall_us), "peer", text_value(at->peer), "subject",
					text_value(at->subject), "reason", text_value(at->reason)));
	}
	return list;
}

static json_t *root_json(const struct oev_audit *audit, const char *tool)
{
	bool failed =
		audit->outcome == OEV_UNUSABLE || audit->outcome == OEV_USAGE || audit->outcome == OEV_BUG;
	json_t *root =
		json_pack("{s:s, s:s, s:s, s:i, s:s, s:s}", "schema", "doic.audit/1", "tool", tool, "outcome",
			  oev_outcome_text(audit->outcome), "exit", oev_audit_exit(audit->outcome), "reached",
			  audit->reached >= 0 ? oev_step_text((enum oev_step)audit->reached) : "nothing",
			  "required", oev_step_text(audit->options.required));
	char verdict[1024];

	oev_audit_verdict(audit, NULL, verdict, sizeof(verdict));
	json_object_set_new(root, "verdict", text_value(verdict));
	json_object_set_new(root, "window",
			    json_pack("{s:o, s:o}", "since", time_value(audit->from_us), "until",
				      time_value(audit->until_us)));
	json_object_set_new(root, "claims", claims_json(audit));
	json_object_set_new(root, "population", population_json(&audit->population));
	json_object_set_new(root, "counters", counters_json(audit));
	json_object_set_new(root, "gaps", gaps_json(audit));
	json_object_set_new(root, "exceptions", exceptions_json(audit));
	json_object_set_new(root, "exception_count", number(audit->exception_count));
	json_object_set_new(root, "refused_reports", refused_reports_json(audit));
	json_object_set_new(root, "integrity",
			    json_pack("{s:s, s:I, s:n, s:n, s:s}", "outcome", "not sealed", "segments",
				      (json_int_t)audit->segment_count, "signed_at", "outside_checkpoint",
				      "note", "seals and signatures come with sealed segments"));
	json_object_set_new(root, "not_claimed",
			    json_pack("[s, s]", "recovery_of_the_subject", "other_nodes"));
	json_object_set_new(root, "inputs", inputs_json(audit));
	json_object_set_new(root, "decisions_read", number(audit->scanned));
	json_object_set_new(root, "error", failed ? text_value(audit->error) : json_null());
	return root;
}

int oev_audit_json(const struct oev_audit *audit, const char *tool, FILE *out)
{
	json_t *root = root_json(audit, tool);

	if (root == NULL)
		return OC_ENOMEM;
	int rc =
		json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) == 0 && fputc('\n', out) != EOF
			? OC_OK
			: OC_EIO;
	json_decref(root);
	return rc;
}
