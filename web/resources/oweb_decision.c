/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * /api/v1/decisions/RUN-N: one decision with everything it depends on, and its proof.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../../evidence/verify/oev_prove.h"
#include "../oweb_evidence.h"
#include "../oweb_json.h"
#include "../oweb_resources.h"

static json_t *octets_of(const uint8_t *octets, size_t len)
{
	char *text = malloc(2 * len + 1);

	for (size_t i = 0; text != NULL && i < len; i++)
		snprintf(text + 2 * i, 3, "%02x", octets[i]);
	json_t *value = text != NULL && len > 0 ? json_string(text) : json_null();
	free(text);
	return value;
}

static json_t *report_of(const struct oev_shelf_look *look)
{
	json_t *object = json_pack("{s:I, s:o}", "number", (json_int_t)look->report, "raw",
				   octets_of(look->raw, look->raw_len));

	oweb_json_text(object, "peer", look->report_peer);
	oweb_json_time(object, "time", look->report_us);
	return object;
}

static json_t *look_of(const struct oev_shelf_look *look)
{
	json_t *object = json_pack("{s:I, s:f}", "version", (json_int_t)look->version, "share_ratio",
				   (double)look->share_ppm / OC_PPM);

	if (look->nth != 0)
		json_object_set_new(object, "nth", json_integer((json_int_t)look->nth));
	if (!look->has_version_row)
		return object;
	oweb_json_text(object, "type", look->type);
	oweb_json_text(object, "subject", look->subject);
	oweb_json_text(object, "algorithm", look->algorithm);
	oweb_json_text(object, "sequence", look->sequence);
	if (look->has_reduction)
		json_object_set_new(object, "reduction_ratio", json_real((double)look->reduction_pct / 100));
	if (look->has_rate)
		json_object_set_new(object, "rate_per_second", json_integer((json_int_t)look->rate_rps));
	json_object_set_new(object, "validity_seconds", json_integer((json_int_t)look->validity_s));
	oweb_json_time(object, "held_from", look->from_us);
	if (look->has_report_row)
		json_object_set_new(object, "report", report_of(look));
	return object;
}

static json_t *looks_of(const struct oev_shelf_whole *whole)
{
	json_t *object = json_object();

	for (unsigned scope = OC_SCOPE_REALM; scope < OC_SCOPE_COUNT; scope++)
		if (whole->looks[scope].version != 0)
			json_object_set_new(object, oc_scope_text(scope), look_of(&whole->looks[scope]));
	return object;
}

static json_t *candidates_of(const struct oev_shelf_whole *whole)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < whole->candidate_count; i++)
		json_array_append_new(list, json_pack("{s:s, s:i}", "peer", whole->candidates[i].name,
						      "score", (int)whole->candidates[i].score));
	return list;
}

static json_t *retries_of(const struct oev_shelf_whole *whole)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < whole->retry_count; i++) {
		const struct oev_shelf_retry *at = &whole->retries[i];
		json_t *entry = json_pack("{s:s}", "verdict", oc_verdict_text(at->verdict));
		oweb_json_id(entry, at->run, at->id);
		oweb_json_time(entry, "time", at->wall_us);
		json_array_append_new(list, entry);
	}
	return list;
}

static json_t *view(const struct oev_shelf_whole *whole)
{
	const struct oev_shelf_decision *row = &whole->row;
	json_t *object = oweb_view_decision(row);
	char random[20];

	oweb_json_text(object, "first_choice", row->first_choice);
	oweb_json_text(object, "answered_by", row->answered_by);
	oweb_json_text(object, "segment", whole->segment);
	if (row->d.drmp != OC_DRMP_NONE)
		json_object_set_new(object, "drmp", json_integer(row->d.drmp));
	if (row->d.flags & OC_DEC_DRMP_STRIPPED)
		json_object_set_new(object, "is_drmp_stripped", json_true());
	if (row->d.random != 0) {
		snprintf(random, sizeof(random), "%016" PRIx64, row->d.random);
		oweb_json_text(object, "random", random);
	}
	if (whole->has_policy) {
		json_object_set_new(object, "policy_version",
				    json_integer((json_int_t)whole->policy.version));
		oweb_json_text(object, "policy_sha256", whole->policy.sha256);
	}
	json_object_set_new(object, "candidates", candidates_of(whole));
	json_object_set_new(object, "looks", looks_of(whole));
	json_object_set_new(object, "same_session", retries_of(whole));
	json_object_set_new(object, "is_same_session_whole", json_boolean(whole->is_retries_whole));
	return object;
}

/* The decision the path names; NULL: the reply says why not. */
static struct oev_shelf_whole *find(struct oweb_request *request)
{
	char run[OEV_SHELF_RUN_MAX] = "", error[OEV_SHELF_TEXT_MAX] = "";
	struct oev_shelf_whole *whole = NULL;
	uint64_t id = 0;

	if (!oweb_has_shelf(request))
		return NULL;
	if (oev_shelf_id_parse(oweb_request_part(request, "id"), run, &id) != OC_OK) {
		oweb_problem(request, OWEB_P_NOT_FOUND,
			     "a decision is named RUN-N: its life and its number; to a Session-Id, "
			     "/api/v1/sessions/find leads");
		return NULL;
	}
	int rc = oev_shelf_decision(request->server->shelf, run, id, &whole, error);
	if (rc == OC_OK)
		return whole;
	oweb_shelf_problem(request, rc, error);
	return NULL;
}

void oweb_decision_get(struct oweb_request *request)
{
	struct oev_shelf_whole *whole = find(request);

	if (whole == NULL)
		return;
	oweb_reply_json(request, 200, view(whole));
	oev_shelf_whole_free(whole);
}

void oweb_decision_proof_get(struct oweb_request *request)
{
	struct oev_shelf_whole *whole = find(request);
	struct oev_prove_result result;

	if (whole == NULL)
		return;
	const struct oev_prove_options options = { .path = request->server->conf.folder,
						   .table = "decision",
						   .row = (int64_t)whole->row.id,
						   .run = whole->row.run };
	oev_prove(&result, &options);
	if (result.text != NULL) {
		oweb_reply_text(request, 200, "application/json", result.text, strlen(result.text));
		oweb_reply_header(request, "Content-Disposition",
				  "attachment; filename=\"decision-proof.json\"");
		result.text = NULL;
	} else if (result.outcome == OEV_VERIFY_UNSEALED) {
		oweb_problem(request, OWEB_P_CONFLICT, "no checkpoint covers this decision yet");
		oweb_problem_try(request,
				 "Ask again in a few seconds: checkpoints come every evidence.checkpoint_s.");
	} else
		oweb_problem(request, OWEB_P_UNAVAILABLE, "%s",
			     result.error[0] != '\0' ? result.error : "it cannot be proven");
	oev_prove_fini(&result);
	oev_shelf_whole_free(whole);
}
