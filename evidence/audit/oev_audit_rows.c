/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reads OCS versions, their changes and gaps of one segment into memory, and makes claims. What an earlier part of the life told is
 * left out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../../agent/oc_err.h"
#include "../../agent/oc_event.h"
#include "oev_audit_parts.h"

void *oev_audit_grow(void *items_pointer, size_t *count, size_t size)
{
	void *items;

	memcpy(&items, items_pointer, sizeof(items));
	if ((*count & (*count - 1)) == 0) { /* full at every power of two */
		void *bigger = realloc(items, (*count == 0 ? 1 : *count * 2) * size);
		if (bigger == NULL)
			return NULL;
		items = bigger;
		memcpy(items_pointer, &items, sizeof(items));
	}
	void *item = (char *)items + *count * size;
	memset(item, 0, size);
	(*count)++;
	return item;
}

static bool is_claim(const struct oev_claim *claim, const struct oev_claim *wanted)
{
	return claim->type == wanted->type && claim->app_id == wanted->app_id &&
	       strcmp(claim->subject, wanted->subject) == 0 && strcmp(claim->origin, wanted->origin) == 0 &&
	       strcmp(claim->recorded_by, wanted->recorded_by) == 0;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; *text != '\0'; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return (hash ^ 0xffu) * 0x100000001b3u;
}

/* Each of them is held in memory: a file that holds absurdly many is refused instead. */
#define CLAIMS_MAX 20000u
#define VERSIONS_MAX 300000u
#define GAPS_MAX 100000u

int oev_audit_too_many(struct oev_audit *audit, const char *what, unsigned most)
{
	snprintf(audit->error, sizeof(audit->error), "more than %u %s: audit fewer segments at once", most,
		 what);
	return OC_ENOSPC;
}

struct oev_claim *oev_audit_claim_of(struct oev_audit *audit, uint32_t life, uint32_t type, uint32_t app_id,
				     const char *subject, const char *origin)
{
	struct oev_claim wanted = { .type = type, .app_id = app_id, .reached = -1 };
	uint64_t number, hash;

	snprintf(wanted.subject, sizeof(wanted.subject), "%s", subject);
	snprintf(wanted.origin, sizeof(wanted.origin), "%s", origin);
	snprintf(wanted.recorded_by, sizeof(wanted.recorded_by), "%s",
		 audit->segments[audit->lives[life].first].node);
	hash = hash_text(
		hash_text(hash_text(type * 0x9e3779b97f4a7c15u + app_id, wanted.subject), wanted.origin),
		wanted.recorded_by);
	for (; (number = oev_index_get(&audit->claim_index, hash)) != 0; hash++)
		if (is_claim(&audit->claims[number - 1], &wanted))
			return &audit->claims[number - 1];
	if (audit->claim_count == CLAIMS_MAX) {
		oev_audit_too_many(audit, "nodes, applications and clients with reports", CLAIMS_MAX);
		return NULL;
	}
	struct oev_claim *claim = oev_audit_grow(&audit->claims, &audit->claim_count, sizeof(*claim));
	if (claim == NULL || oev_index_put(&audit->claim_index, hash, audit->claim_count) != OC_OK)
		return NULL;
	*claim = wanted;
	return claim;
}

static uint32_t type_of(const char *word)
{
	for (uint32_t type = 0; type < OC_REPORT_COUNT; type++)
		if (strcmp(word, oc_report_type_text(type)) == 0)
			return type;
	return OC_REPORT_COUNT;
}

/* The version of number @number in @life, whose versions came last and in order of number; NULL when there is none. */
static struct oev_version *version_of(const struct oev_audit *audit, uint32_t life, uint32_t number)
{
	for (size_t low = 0, high = audit->version_count; low < high;) {
		size_t mid = low + (high - low) / 2;
		struct oev_version *at = &audit->versions[mid];
		if (at->life == life && at->number == number)
			return at;
		if (at->life < life || (at->life == life && at->number < number))
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

static int take_version(struct oev_audit *audit, uint32_t life, uint32_t segment, sqlite3_stmt *stmt)
{
	(void)segment;
	if (version_of(audit, life, (uint32_t)sqlite3_column_int64(stmt, 0)) != NULL)
		return OC_OK; /* repeated from an earlier part */
	if (audit->version_count == VERSIONS_MAX)
		return oev_audit_too_many(audit, "OCS versions", VERSIONS_MAX);
	struct oev_version *version =
		oev_audit_grow(&audit->versions, &audit->version_count, sizeof(*version));
	char subject[sizeof(audit->claims->subject)], origin[sizeof(audit->claims->origin)];

	if (version == NULL)
		return OC_ENOMEM;
	version->life = life;
	version->number = (uint32_t)sqlite3_column_int64(stmt, 0);
	version->report = (uint64_t)sqlite3_column_int64(stmt, 1);
	version->replaces = (uint32_t)sqlite3_column_int64(stmt, 2);
	version->subject = (uint32_t)sqlite3_column_int64(stmt, 5);
	oev_query_copy(stmt, 7, version->sequence, sizeof(version->sequence));
	oev_query_copy(stmt, 8, version->algorithm, sizeof(version->algorithm));
	version->is_rate = strcmp(version->algorithm, "rate") == 0;
	const struct oev_report *report = oev_audit_report_of(audit, life, version->report);
	version->is_specific = report != NULL && report->is_specific;
	version->has_reduction = oev_query_take(stmt, 9, &version->reduction_pct) && !version->is_rate;
	version->rate_rps = (uint32_t)sqlite3_column_int64(stmt, 10);
	version->sampler.rate_rps = version->rate_rps;
	version->validity_s = (uint32_t)sqlite3_column_int64(stmt, 11);
	version->from_ns = (uint64_t)sqlite3_column_int64(stmt, 12);
	version->from_us = (uint64_t)sqlite3_column_int64(stmt, 13);
	version->expires_ns = (uint64_t)sqlite3_column_int64(stmt, 14);
	version->origin = (uint32_t)sqlite3_column_int64(stmt, 15);
	version->end_ns = version->expires_ns;
	version->effect_ns = UINT64_MAX;
	version->ramp_least_ppm = UINT32_MAX;
	snprintf(version->how, sizeof(version->how), "open");
	oev_query_copy(stmt, 6, subject, sizeof(subject));
	oev_query_copy(stmt, 16, origin, sizeof(origin));
	const struct oev_claim *claim =
		oev_audit_claim_of(audit, life, type_of(oev_query_word(stmt, 3)),
				   (uint32_t)sqlite3_column_int64(stmt, 4), subject, origin);
	if (claim == NULL)
		return OC_ENOMEM;
	version->claim = (uint32_t)(claim - audit->claims);
	return OC_OK;
}

void oev_audit_follow_versions(struct oev_audit *audit, uint32_t life)
{
	for (size_t i = 0; i < audit->report_count; i++) {
		struct oev_report *report = &audit->reports[i];
		const struct oev_version *version = report->life == life && report->claim >= 0
							    ? version_of(audit, life, report->version)
							    : NULL;
		if (version != NULL && version->origin != 0)
			report->claim = (int32_t)version->claim;
		if (report->life == life && report->claim >= 0) {
			struct oev_claim *claim = &audit->claims[report->claim];
			claim->is_own |= strcasecmp(report->peer, claim->recorded_by) == 0;
		}
	}
}

/* Rows come in order of time. The first change ends the active interval; all but expiry and explicit end, which a
 * ramp may follow, end every effect. */
static int take_change(struct oev_audit *audit, uint32_t life, uint32_t segment, sqlite3_stmt *stmt)
{
	uint32_t number = (uint32_t)sqlite3_column_int64(stmt, 0);
	uint64_t at_ns = (uint64_t)sqlite3_column_int64(stmt, 1);
	const char *how = oev_query_word(stmt, 2);
	struct oev_version *version = version_of(audit, life, number);

	(void)segment;
	if (version == NULL)
		return OC_OK; /* decisions that name it become exceptions */
	if (strcmp(version->how, "open") == 0) {
		snprintf(version->how, sizeof(version->how), "%s", how);
		if (at_ns < version->end_ns)
			version->end_ns = at_ns;
	}
	bool final = strcmp(how, "expired") != 0 && strcmp(how, "ended") != 0;
	if (!final && strcmp(how, "expired") == 0)
		version->expired_ns = at_ns;
	if (strcmp(how, "replaced") == 0)
		version->replaced_ns = at_ns;
	if (strcmp(how, "recovered") == 0)
		version->recovered_ns = at_ns;
	if (final && at_ns < version->effect_ns)
		version->effect_ns = at_ns;
	version->counted = true;
	version->counts_final = final;
	version->node.matched = (uint64_t)sqlite3_column_int64(stmt, 3);
	version->node.selected = (uint64_t)sqlite3_column_int64(stmt, 4);
	version->node.expected_ppm = (uint64_t)sqlite3_column_int64(stmt, 5);
	version->node_remembered = (uint64_t)sqlite3_column_int64(stmt, 6);
	return OC_OK;
}

static int take_gap(struct oev_audit *audit, uint32_t life, uint32_t segment, sqlite3_stmt *stmt)
{
	(void)life;
	if (audit->gap_count == GAPS_MAX)
		return oev_audit_too_many(audit, "gaps", GAPS_MAX);
	struct oev_gap *gap = oev_audit_grow(&audit->gaps, &audit->gap_count, sizeof(*gap));
	if (gap == NULL)
		return OC_ENOMEM;
	gap->segment = segment;
	gap->wall_us = (uint64_t)sqlite3_column_int64(stmt, 0);
	gap->events = (uint64_t)sqlite3_column_int64(stmt, 1);
	oev_query_copy(stmt, 2, gap->reason, sizeof(gap->reason));
	gap->since_us = (uint64_t)sqlite3_column_int64(stmt, 3);
	return OC_OK;
}

struct kind {
	enum oev_question question;
	const char *table; /* whose repeated rows are left out by the question itself; NULL: by number */
	int (*take)(struct oev_audit *audit, uint32_t life, uint32_t segment, sqlite3_stmt *stmt);
};

static int read_kind(struct oev_audit *audit, uint32_t life, uint32_t segment, const struct kind *kind)
{
	const struct oev_segment *from = &audit->segments[segment];
	sqlite3_stmt *stmt = oev_query_new(from, kind->question);
	bool repeats = kind->table != NULL && oev_life_follows(audit, segment);
	int rc = OC_OK, step = SQLITE_ERROR;

	if (stmt != NULL && kind->table != NULL)
		sqlite3_bind_int64(stmt, 1, repeats ? (int64_t)oev_segment_carried(from, kind->table) : 0);
	while (stmt != NULL && rc == OC_OK && (step = sqlite3_step(stmt)) == SQLITE_ROW)
		rc = kind->take(audit, life, segment, stmt);
	sqlite3_finalize(stmt);
	if (rc == OC_OK && step != SQLITE_DONE) {
		snprintf(audit->error, sizeof(audit->error), "%s: %s", from->path, sqlite3_errmsg(from->db));
		rc = OC_EIO;
	}
	return rc;
}

int oev_audit_rows(struct oev_audit *audit, uint32_t life, uint32_t segment)
{
	static const struct kind kinds[] = {
		{ OEV_Q_REPORT, NULL, oev_audit_take_report },
		{ OEV_Q_REPEAT, "report_repeat", oev_audit_take_repeat },
		{ OEV_Q_VERSION, NULL, take_version },
		{ OEV_Q_CHANGE, "ocs_change", take_change },
		{ OEV_Q_GAP, "gap", take_gap },
		{ OEV_Q_RECOVERY, "recovery", oev_incident_take_recovery },
		{ OEV_Q_REMOVAL, "removal", oev_incident_take_removal },
		{ OEV_Q_ORDER, "order_change", oev_own_take_order },
		{ OEV_Q_OWN_REPORT, "own_report", oev_own_take_report },
		{ OEV_Q_OWN_SENT, "own_sent", oev_own_take_told },
	};
	int rc = OC_OK;

	for (size_t i = 0; rc == OC_OK && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		rc = read_kind(audit, life, segment, &kinds[i]);
	return rc;
}
