/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Populations, and what independent counters are held against.
 */
#include <string.h>

#include "oev_audit_scan.h"

static void count_refusal(struct oev_population *people, const struct oev_row *row)
{
	people->refused++;
	if (row->why == OC_WHY_OUTSTANDING)
		people->refused_outstanding++;
	else if (row->why == OC_WHY_OWN)
		people->refused_own++;
	else if (row->why == OC_WHY_REPORT && row->selected_by == OC_SCOPE_REALM)
		people->refused_realm++;
	else if (row->why == OC_WHY_REPORT && row->selected_by == OC_SCOPE_HOST)
		people->refused_host++;
	else if (row->why == OC_WHY_REPORT && row->selected_by == OC_SCOPE_PEER)
		people->refused_peer++;
}

static void count_class(struct oev_population *people, const struct oev_row *row, bool compared,
			bool survived)
{
	struct oev_class *class = &people->class[row->klass < OEV_CLASSES ? row->klass : OEV_CLASSES - 1];

	class->candidates++;
	class->matched += compared;
	class->survivors += survived;
	class->refused += row->verdict == OC_REFUSE;
	class->diverted += row->verdict == OC_DIVERT;
	class->forwarded += row->verdict == OC_FORWARD && row->next_hop != 0;
}

/* A capture shows what clients announce, and no agent that would react for the others. */
static bool is_left_to_client(const struct oev_scan *scan, const struct oev_row *row)
{
	if (scan->audit->lives[scan->life].is_capture)
		return (row->flags & OC_DEC_DOIC_CLIENT) != 0;
	return (row->flags & OC_DEC_REACTING_FOR) == 0;
}

static void count_people(struct oev_scan *scan, const struct oev_row *row, unsigned retried)
{
	struct oev_population *people = &scan->audit->population;
	bool realm = row->version[OC_SCOPE_REALM] != 0, host = row->version[OC_SCOPE_HOST] != 0;
	bool picked = (row->selected_by == OC_SCOPE_REALM || row->selected_by == OC_SCOPE_HOST) &&
		      (row->flags & OC_DEC_PROBE) == 0;

	people->candidates++;
	people->matched_realm += realm;
	people->matched_host += host;
	people->matched += realm || host;
	people->survivors += (realm || host) && !picked;
	people->matched_peer += row->version[OC_SCOPE_PEER] != 0;
	people->remembered += (row->flags & OC_DEC_REMEMBERED) != 0;
	people->probes += (row->flags & OC_DEC_PROBE) != 0;
	people->observed += (row->flags & OC_DEC_OBSERVED) != 0;
	people->failopen += row->why == OC_WHY_FAILOPEN;
	people->left_to_client += is_left_to_client(scan, row);
	people->unrouted += row->why == OC_WHY_UNROUTED;
	people->retried_session += (retried & OEV_RETRY_SESSION) != 0;
	people->retried_end_to_end += (retried & OEV_RETRY_END_TO_END) != 0;
	people->retried_flag += (retried & OEV_RETRY_FLAG) != 0;
	count_class(people, row, realm || host, (realm || host) && !picked);
	if (row->verdict == OC_REFUSE)
		count_refusal(people, row);
	else if (row->verdict == OC_DIVERT)
		people->diverted++;
	else if (row->verdict == OC_FORWARD && row->next_hop != 0)
		people->forwarded++;
}

/* What a realm or host report took away never reaches the reports behind it (spec rows D-242, D-243). */
static void count_removed(struct oev_scan *scan, const struct oev_row *row)
{
	uint32_t at = 0;

	if (row->selected_by != OC_SCOPE_REALM && row->selected_by != OC_SCOPE_HOST)
		return;
	while (at < scan->removed_count && at + 1 < OEV_SCAN_APPS && scan->removed[at].app_id != row->app_id)
		at++;
	if (at == scan->removed_count)
		scan->removed[scan->removed_count++].app_id = row->app_id;
	scan->removed[at].by_realm += row->selected_by == OC_SCOPE_REALM;
	scan->removed[at].by_host += row->selected_by == OC_SCOPE_HOST;
}

static bool is_success(const struct oev_answer *answer)
{
	return answer->maker == OC_MADE_UPSTREAM && answer->result_code / 1000 == 2;
}

static bool is_near(uint64_t a, uint64_t b)
{
	return (a > b ? a - b : b - a) < OEV_ENDS_US;
}

/* What a clock that is off may move over an end of an imported run. */
static void count_ends(struct oev_agreement *at, const struct oev_row *row, const struct oev_answer *answer)
{
	const struct oev_counters *file = at->file;

	if (!is_near(row->wall_us, file->started_us) && !is_near(row->wall_us, file->ended_us))
		return;
	at->edge += answer == NULL;
	if (answer == NULL)
		oev_ends_add(&at->ends, file->started_us, file->ended_us + 1, row->wall_us);
	else if (is_success(answer))
		oev_ends_add(&at->success_ends, file->started_us, file->ended_us + 1, row->wall_us);
}

/* Counts the decision, or its answer, for every counter row of @name's files that tells of its application and time. */
static void count_for(struct oev_scan *scan, const struct oev_index *places, uint32_t name,
		      const struct oev_row *row, const struct oev_answer *answer)
{
	struct oev_audit *audit = scan->audit;
	enum oev_role role = places == &scan->server_at ? OEV_ROLE_SERVER : OEV_ROLE_CLIENT;
	uint64_t first = oev_index_get(places, name);

	if (first == 0)
		return;
	const char *node = audit->agreements[first - 1].file->node;
	for (size_t i = first - 1; i < audit->agreement_count; i++) {
		struct oev_agreement *at = &audit->agreements[i];
		if (strcmp(at->file->node, node) != 0)
			break; /* rows of one node lie together */
		if (at->file->role != role || at->app_id != row->app_id)
			continue;
		if (at->file->is_imported)
			count_ends(at, row, answer);
		if (row->wall_us < at->file->started_us || row->wall_us > at->file->ended_us)
			continue;
		if (answer == NULL) {
			at->evidence_requests++;
			continue;
		}
		if (role == OEV_ROLE_SERVER ? answer->maker == OC_MADE_UPSTREAM : answer->result_code != 0)
			at->evidence_answers++;
		at->evidence_success += is_success(answer);
		if (answer->attempts > 1)
			at->resent += answer->attempts - 1u;
	}
}

static void count_realm(struct oev_scan *scan, const struct oev_subject *subject)
{
	for (; subject != NULL; subject = subject->is_last ? NULL : subject + 1)
		scan->audit->claims[subject->claim].uncounted += subject->type == OC_REPORT_REALM;
}

/* For realm claims: what left towards the realm, but to a next hop that gave no counters. */
static void count_uncounted(struct oev_scan *scan, const struct oev_row *row)
{
	if (row->next_hop == 0 || row->dest_realm == 0 || oev_index_get(&scan->server_at, row->next_hop) != 0)
		return;
	count_realm(scan, oev_subjects_of(scan, row->dest_realm, row->app_id));
	if (scan->has_any_app)
		count_realm(scan, oev_subjects_of(scan, row->dest_realm, OC_APP_ANY));
}

void oev_scan_count(struct oev_scan *scan, const struct oev_row *row, unsigned retried)
{
	struct oev_audit *audit = scan->audit;

	if (audit->agreement_count > 0) {
		count_for(scan, &scan->server_at, row->next_hop, row, NULL);
		count_for(scan, &scan->client_at, row->client, row, NULL);
	}
	if (!oev_audit_wants_app(audit, row->app_id))
		return;
	if (row->in_window) {
		count_people(scan, row, retried);
		count_uncounted(scan, row);
	}
	count_removed(scan, row);
}

void oev_scan_count_answer(struct oev_scan *scan, const struct oev_row *row, const struct oev_answer *answer)
{
	if (scan->audit->agreement_count == 0)
		return;
	count_for(scan, &scan->server_at, row->next_hop, row, answer);
	count_for(scan, &scan->client_at, row->client, row, answer);
}
