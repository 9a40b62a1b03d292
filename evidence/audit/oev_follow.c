/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Hands each request and each answer to the claims it concerns.
 */
#include "oev_follow.h"

#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"

/* Versions of a claim stand by life, then time. */
static void find_versions(const struct oev_audit *audit, uint32_t life, struct oev_follow *follow)
{
	const struct oev_claim *claim = &audit->claims[follow->claim];

	for (uint32_t i = 0; i < claim->version_count; i++) {
		const struct oev_version *version = &audit->versions[claim->version_first + i];
		if (version->life != life)
			continue;
		if (follow->version_count++ == 0)
			follow->version_first = claim->version_first + i;
		follow->subject = version->subject;
		follow->origin = version->origin;
	}
}

static void begin_follow(struct oev_scan *scan, uint32_t claim, struct oev_follow *follow)
{
	struct oev_audit *audit = scan->audit;
	struct oev_series *series = &audit->series[claim];

	*follow = (struct oev_follow){ .claim = claim,
				       .app_id = audit->claims[claim].app_id,
				       .type = audit->claims[claim].type,
				       .effect = &audit->effects[claim],
				       .series = series,
				       .from_us = series->start_us,
				       .until_us = series->start_us + series->step_us * series->count };
	find_versions(audit, scan->life, follow);
	if (follow->subject == 0)
		follow->subject = oev_life_name_id(audit, scan->life, audit->claims[claim].subject);
}

int oev_follows_init(struct oev_scan *scan)
{
	const struct oev_audit *audit = scan->audit;
	const char *node = audit->segments[audit->lives[scan->life].first].node;
	struct oev_follows *follows = calloc(1, sizeof(*follows));

	scan->follows = follows;
	if (follows == NULL)
		return OC_ENOMEM;
	follows->all = calloc(audit->follow_count + 1, sizeof(*follows->all));
	if (follows->all == NULL || oev_strands_init(&follows->strands) != OC_OK)
		return OC_ENOMEM;
	for (uint32_t i = 0; i < audit->follow_count; i++)
		if (audit->series[i].count > 0 && strcmp(audit->claims[i].recorded_by, node) == 0)
			begin_follow(scan, i, &follows->all[follows->count++]);
	return oev_follows_edges(audit, follows);
}

void oev_follows_fini(struct oev_scan *scan)
{
	struct oev_follows *follows = scan->follows;

	if (follows == NULL)
		return;
	free(follows->all);
	oev_strands_fini(&follows->strands);
	oev_instants_fini(&follows->requests);
	oev_instants_fini(&follows->answers);
	oev_edges_fini(&follows->told);
	oev_index_fini(&follows->names);
	free(follows);
	scan->follows = NULL;
}

uint32_t oev_follow_name(struct oev_scan *scan, uint32_t id, bool may_ask)
{
	struct oev_index *names = &scan->follows->names;
	uint64_t number = oev_index_get(names, id);
	char text[256];

	if (number != 0 || !may_ask || id == 0)
		return (uint32_t)number;
	oev_life_name(scan->audit, scan->life, id, text, sizeof(text));
	number = oev_names_put(&scan->audit->names, text[0] != '\0' ? text : "(no name)");
	if (number != 0 && oev_index_put(names, id, number) != OC_OK)
		return 0;
	return (uint32_t)number;
}

static bool is_in_scope(const struct oev_follow *follow, const struct oev_row *row)
{
	/* where nobody chose, as in a capture, it went where it was to go */
	uint32_t choice = row->first_choice != 0 ? row->first_choice : row->next_hop;

	if (follow->origin != 0 && follow->type == OC_REPORT_HOST && follow->origin != row->origin_host)
		return false;
	switch (follow->type) {
	case OC_REPORT_HOST:
		return (row->dest_host != 0 ? row->dest_host : choice) == follow->subject;
	case OC_REPORT_REALM:
		return row->dest_host == 0 && row->dest_realm == follow->subject;
	default:
		return choice == follow->subject;
	}
}

/* The last version that began at or before @mono_ns; NULL when none did in this life. */
static const struct oev_version *begun_at(const struct oev_audit *audit, const struct oev_follow *follow,
					  uint64_t mono_ns)
{
	const struct oev_version *versions = &audit->versions[follow->version_first];
	size_t low = 0, high = follow->version_count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (versions[mid].from_ns <= mono_ns)
			low = mid + 1;
		else
			high = mid;
	}
	return low > 0 ? &versions[low - 1] : NULL;
}

bool oev_follow_is_in_force(const struct oev_audit *audit, const struct oev_follow *follow, uint64_t mono_ns)
{
	const struct oev_version *version = begun_at(audit, follow, mono_ns);

	return version != NULL && mono_ns < version->end_ns;
}

static enum oev_phase phase_of(const struct oev_audit *audit, const struct oev_follow *follow,
			       const struct oev_row *row)
{
	const struct oev_version *version = begun_at(audit, follow, row->mono_ns);
	const struct oev_effect *effect = follow->effect;
	uint64_t over_us = effect->normal_us != 0 ? effect->normal_us : effect->ended_us;

	if (version != NULL && row->mono_ns < version->end_ns)
		return OEV_PHASE_DURING;
	if (version != NULL && row->mono_ns < version->effect_ns)
		return OEV_PHASE_RAMP;
	if (row->wall_us < effect->first_us)
		return row->wall_us + effect->around_us >= effect->first_us ? OEV_PHASE_BEFORE
									    : OEV_PHASE_APART;
	if (row->wall_us >= over_us && row->wall_us - over_us < effect->around_us)
		return OEV_PHASE_AFTER;
	return OEV_PHASE_APART;
}

static enum oc_scope scope_of(uint32_t type)
{
	return type == OC_REPORT_REALM	? OC_SCOPE_REALM
	       : type == OC_REPORT_HOST ? OC_SCOPE_HOST
					: OC_SCOPE_PEER;
}

/* False when the request does not concern the claim at all. */
static bool see(const struct oev_scan *scan, const struct oev_follow *follow, const struct oev_row *row,
		struct oev_concern *concern)
{
	const struct oev_audit *audit = scan->audit;
	bool is_realm = follow->type == OC_REPORT_REALM;
	enum oc_scope scope = scope_of(follow->type);

	if ((follow->app_id != row->app_id && follow->app_id != OC_APP_ANY) ||
	    row->wall_us < follow->from_us || row->wall_us >= follow->until_us)
		return false;
	concern->is_offered = is_in_scope(follow, row);
	concern->is_arrival =
		row->next_hop != 0 && (is_realm ? row->dest_realm : row->next_hop) == follow->subject;
	concern->is_alternative = row->next_hop != 0 && !is_realm && !concern->is_arrival;
	if (!concern->is_offered && !concern->is_arrival && !concern->is_alternative)
		return false;
	uint64_t at = row->version[scope] != 0 ? oev_index_get(&scan->version_at, row->version[scope]) : 0;
	concern->is_compared = at != 0 && audit->versions[at - 1].claim == follow->claim;
	concern->is_selected =
		concern->is_compared && row->selected_by == scope && (row->flags & OC_DEC_PROBE) == 0;
	concern->phase = phase_of(audit, follow, row);
	return true;
}

static void tell(struct oev_scan *scan, const struct oev_strand *strand)
{
	const struct oev_follows *follows = scan->follows;
	struct oev_concern concern = { .times = strand->count };

	for (size_t i = 0; i < follows->count; i++) {
		const struct oev_follow *follow = &follows->all[i];
		if (!see(scan, follow, &strand->row, &concern))
			continue;
		if (strand->is_answer) {
			oev_series_answer(scan, follow, &concern, &strand->row, &strand->answer);
			oev_effect_answer(scan, follow, &concern, &strand->row, &strand->answer);
			oev_origin_answer(scan, follow, &concern, &strand->row, &strand->answer);
		} else {
			oev_effect_request(scan, follow, &concern, &strand->row, strand->retried);
			oev_series_request(follow, &concern, &strand->row);
			oev_origin_request(scan, follow, &concern, &strand->row);
		}
	}
}

void oev_follows_tell(struct oev_scan *scan)
{
	struct oev_strands *strands = &scan->follows->strands;

	for (uint32_t i = 0; i < strands->count; i++)
		tell(scan, &strands->all[i]);
	oev_strands_clear(strands);
}

int oev_follow_begin(struct oev_audit *audit)
{
	size_t count =
		audit->claim_count < OEV_SERIES_CLAIMS_MAX ? audit->claim_count : OEV_SERIES_CLAIMS_MAX;
	int rc = OC_OK;

	audit->effects = calloc(count + 1, sizeof(*audit->effects));
	audit->series = calloc(count + 1, sizeof(*audit->series));
	if (audit->effects == NULL || audit->series == NULL)
		return OC_ENOMEM;
	audit->follow_count = count;
	for (uint32_t i = 0; rc == OC_OK && i < count; i++) {
		oev_effect_begin(audit, i);
		rc = oev_series_begin(audit, i);
	}
	return rc;
}

int oev_follow_end(struct oev_audit *audit)
{
	int rc = OC_OK;

	for (uint32_t i = 0; rc == OC_OK && i < audit->follow_count; i++) {
		oev_effect_end(audit, i);
		rc = oev_series_end(audit, i);
	}
	oev_origins_end(audit);
	oev_hops_end(audit);
	return rc;
}

void oev_follow_fini(struct oev_audit *audit)
{
	for (size_t i = 0; i < audit->follow_count; i++) {
		free(audit->series[i].points);
		free(audit->series[i].intervals);
	}
	free(audit->effects);
	free(audit->series);
	free(audit->origins);
	oev_index_fini(&audit->origin_index);
}
