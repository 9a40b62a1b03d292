/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The one pass over decisions and outcomes: populations, counters, and each decision handed on to its versions.
 */
#include "oev_audit_feed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"

#define PROGRESS_ROWS 0x3fffu

struct outcome {
	uint64_t id; /* UINT64_MAX: no more */
	bool answered;
	uint8_t maker;
	uint32_t from_peer;
	uint64_t attempts;
};

static void next_outcome(sqlite3_stmt *stmt, struct outcome *outcome)
{
	if (outcome->id == UINT64_MAX)
		return;
	if (sqlite3_step(stmt) != SQLITE_ROW) {
		outcome->id = UINT64_MAX;
		return;
	}
	outcome->id = (uint64_t)sqlite3_column_int64(stmt, 0);
	outcome->answered = sqlite3_column_type(stmt, 1) != SQLITE_NULL;
	outcome->maker = (uint8_t)sqlite3_column_int64(stmt, 2);
	outcome->from_peer = (uint32_t)sqlite3_column_int64(stmt, 3);
	outcome->attempts = (uint64_t)sqlite3_column_int64(stmt, 4);
}

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

static void count_people(struct oev_population *people, const struct oev_row *row, bool has_outcome)
{
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
	people->left_to_client += (row->flags & OC_DEC_REACTING_FOR) == 0;
	people->unrouted += row->why == OC_WHY_UNROUTED;
	people->without_outcome += !has_outcome;
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

/* Adds the decision to every counter row of @node's files that tells of its application and time. */
static void count_for(struct oev_scan *scan, uint32_t first, const struct oev_row *row,
		      const struct outcome *outcome, enum oev_role role)
{
	struct oev_audit *audit = scan->audit;

	if (first == 0)
		return;
	const char *node = audit->agreements[first - 1].file->node;
	for (size_t i = first - 1; i < audit->agreement_count; i++) {
		struct oev_agreement *at = &audit->agreements[i];
		if (strcmp(at->file->node, node) != 0)
			break; /* rows of one node lie together */
		if (at->file->role != role || at->app_id != row->app_id ||
		    row->wall_us < at->file->started_us || row->wall_us > at->file->ended_us)
			continue;
		at->evidence_requests++;
		if (outcome == NULL)
			continue;
		if (role == OEV_ROLE_SERVER ? outcome->maker == OC_MADE_UPSTREAM : outcome->answered)
			at->evidence_answers++;
		if (outcome->attempts > 1)
			at->resent += outcome->attempts - 1;
	}
}

/* For realm claims: what left towards the realm, but to a next hop that gave no counters. */
static void count_uncounted(struct oev_scan *scan, const struct oev_row *row)
{
	if (row->next_hop == 0 || row->dest_realm == 0 || row->dest_realm > scan->name_max ||
	    (row->next_hop <= scan->name_max && scan->server_at[row->next_hop] != 0))
		return;
	for (uint32_t i = scan->claim_head[row->dest_realm]; i != 0; i = scan->claim_next[i - 1]) {
		struct oev_claim *claim = &scan->audit->claims[i - 1];
		claim->uncounted += claim->type == OC_REPORT_REALM && oev_audit_covers(claim, row->app_id);
	}
}

static void take_row(struct oev_scan *scan, struct oev_row *row, const struct outcome *outcome)
{
	struct oev_audit *audit = scan->audit;

	row->in_window = row->wall_us >= audit->options.from_us && row->wall_us < audit->options.until_us;
	if (audit->agreement_count > 0) {
		if (row->next_hop <= scan->name_max && row->next_hop != 0)
			count_for(scan, scan->server_at[row->next_hop], row, outcome, OEV_ROLE_SERVER);
		if (row->client <= scan->name_max && row->client != 0)
			count_for(scan, scan->client_at[row->client], row, outcome, OEV_ROLE_CLIENT);
	}
	if (!oev_audit_wants_app(audit, row->app_id))
		return;
	if (row->in_window) {
		count_people(&audit->population, row, outcome != NULL);
		count_uncounted(scan, row);
	}
	oev_scan_decision(scan, row);
	count_removed(scan, row);
}

static int run(struct oev_scan *scan, struct oev_feed *feed, sqlite3_stmt *outcomes, uint64_t total)
{
	struct oev_audit *audit = scan->audit;
	struct outcome outcome = { 0 };
	struct oev_row *row;

	next_outcome(outcomes, &outcome);
	while ((row = oev_feed_next(feed)) != NULL) {
		while (outcome.id < row->id)
			next_outcome(outcomes, &outcome);
		take_row(scan, row, outcome.id == row->id ? &outcome : NULL);
		if ((++audit->scanned & PROGRESS_ROWS) != 0)
			continue;
		if (audit->options.progress != NULL)
			audit->options.progress(audit->options.ctx, audit->scanned, total);
		if (audit->options.stop != NULL && audit->options.stop(audit->options.ctx))
			return OC_EINTERRUPTED;
	}
	return OC_OK;
}

static int scan_segment(struct oev_audit *audit, uint32_t segment, uint64_t total)
{
	const struct oev_segment *from = &audit->segments[segment];
	sqlite3_stmt *outcomes = oev_query_new(from, OEV_Q_OUTCOME);
	struct oev_scan scan = { 0 };
	struct oev_feed *feed = NULL;
	int rc = outcomes != NULL ? oev_scan_init(&scan, audit, segment) : OC_EIO;

	if (rc == OC_OK)
		rc = oev_feed_start(&feed, from, audit->error, sizeof(audit->error));
	if (rc == OC_OK)
		rc = run(&scan, feed, outcomes, total);
	int read = oev_feed_stop(feed);
	if (rc == OC_OK)
		rc = read;
	if (rc == OC_EIO && audit->error[0] == '\0')
		snprintf(audit->error, sizeof(audit->error),
			 "%s: damaged: its rows cannot be read to the end", from->path);
	sqlite3_finalize(outcomes);
	oev_scan_fini(&scan);
	return rc;
}

int oev_audit_scan(struct oev_audit *audit)
{
	uint64_t total = 0;
	int rc = OC_OK;

	for (size_t i = 0; i < audit->segment_count; i++)
		total += audit->segments[i].decisions;
	for (uint32_t i = 0; rc == OC_OK && i < audit->segment_count; i++)
		rc = scan_segment(audit, i, total);
	return rc;
}
