/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reads reports, OCS versions, their changes and gaps of one segment into memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../../agent/oc_event.h"
#include "oev_audit_parts.h"

static void copy_column(char *out, size_t size, sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	snprintf(out, size, "%s", text != NULL ? text : "");
}

/* Never NULL, whatever the file holds. */
static const char *column_word(sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return text != NULL ? text : "";
}

/* True and the value, or false for NULL. */
static bool take_word(sqlite3_stmt *stmt, int column, uint32_t *out)
{
	*out = (uint32_t)sqlite3_column_int64(stmt, column);
	return sqlite3_column_type(stmt, column) != SQLITE_NULL;
}

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

static struct oev_claim *claim_of(struct oev_audit *audit, uint32_t segment, uint32_t type, uint32_t app_id,
				  const char *subject, const char *origin)
{
	const char *node = audit->segments[segment].node;

	for (size_t i = 0; i < audit->claim_count; i++) {
		struct oev_claim *claim = &audit->claims[i];
		if (claim->type == type && claim->app_id == app_id && strcmp(claim->subject, subject) == 0 &&
		    strcmp(claim->origin, origin) == 0 && strcmp(claim->recorded_by, node) == 0)
			return claim;
	}
	struct oev_claim *claim = oev_audit_grow(&audit->claims, &audit->claim_count, sizeof(*claim));
	if (claim == NULL)
		return NULL;
	claim->type = type;
	claim->app_id = app_id;
	claim->reached = -1;
	snprintf(claim->subject, sizeof(claim->subject), "%s", subject);
	snprintf(claim->origin, sizeof(claim->origin), "%s", origin);
	snprintf(claim->recorded_by, sizeof(claim->recorded_by), "%s", node);
	return claim;
}

static void fill_report(struct oev_report *report, sqlite3_stmt *stmt)
{
	report->id = (uint64_t)sqlite3_column_int64(stmt, 0);
	report->mono_ns = (uint64_t)sqlite3_column_int64(stmt, 1);
	report->wall_us = (uint64_t)sqlite3_column_int64(stmt, 2);
	copy_column(report->peer, sizeof(report->peer), stmt, 3);
	report->app_id = (uint32_t)sqlite3_column_int64(stmt, 4);
	report->type = (uint32_t)sqlite3_column_int64(stmt, 5);
	copy_column(report->subject, sizeof(report->subject), stmt, 6);
	copy_column(report->sequence, sizeof(report->sequence), stmt, 7);
	report->has_sequence = sqlite3_column_type(stmt, 7) != SQLITE_NULL;
	report->has_reduction = take_word(stmt, 8, &report->reduction_pct);
	report->has_validity = take_word(stmt, 9, &report->validity_s);
	report->has_rate = take_word(stmt, 10, &report->rate_rps);
	copy_column(report->algorithm, sizeof(report->algorithm), stmt, 11);
	const char *verdict = column_word(stmt, 12);
	report->accepted = strcmp(verdict, "new") == 0 || strcmp(verdict, "updated") == 0;
	report->refused = strcmp(verdict, "refused") == 0;
	copy_column(report->reason, sizeof(report->reason), stmt, 13);
	report->version = (uint32_t)sqlite3_column_int64(stmt, 14);
	report->raw_kept = (uint32_t)sqlite3_column_bytes(stmt, 15);
	report->raw_partial = (int64_t)report->raw_kept < sqlite3_column_int64(stmt, 16);
	report->repeats = (uint64_t)sqlite3_column_int64(stmt, 17);
}

/* A refused report may be refused because its octets make no sense, so only the others must agree. */
static void compare_raw(struct oev_report *report, sqlite3_stmt *stmt)
{
	if (report->refused || report->raw_kept == 0 || report->raw_partial)
		return;
	report->is_specific = report->app_id == OC_APP_GY &&
			      oev_audit_raw_is_specific(sqlite3_column_blob(stmt, 15), report->raw_kept);
	report->raw_differs = oev_audit_raw(report, sqlite3_column_blob(stmt, 15), report->raw_kept,
					    report->raw_detail, sizeof(report->raw_detail)) != OC_OK;
}

static int take_report(struct oev_audit *audit, uint32_t segment, sqlite3_stmt *stmt)
{
	struct oev_report *report = oev_audit_grow(&audit->reports, &audit->report_count, sizeof(*report));
	struct oev_claim *claim = NULL;

	if (report == NULL)
		return OC_ENOMEM;
	report->segment = segment;
	fill_report(report, stmt);
	report->claim = -1;
	if (!report->refused) {
		claim = claim_of(audit, segment, report->type, report->app_id, report->subject, "");
		if (claim == NULL)
			return OC_ENOMEM;
		report->claim = (int32_t)(claim - audit->claims);
	}
	compare_raw(report, stmt);
	return OC_OK;
}

static uint32_t type_of(const char *word)
{
	for (uint32_t type = 0; type < OC_REPORT_COUNT; type++)
		if (strcmp(word, oc_report_type_text(type)) == 0)
			return type;
	return OC_REPORT_COUNT;
}

/* The report number @id of @segment; reports stand in that order. NULL when its row is missing. */
static const struct oev_report *report_of(const struct oev_audit *audit, uint32_t segment, uint64_t id)
{
	for (size_t low = 0, high = audit->report_count; low < high;) {
		size_t mid = low + (high - low) / 2;
		const struct oev_report *report = &audit->reports[mid];
		if (report->segment == segment && report->id == id)
			return report;
		if (report->segment < segment || (report->segment == segment && report->id < id))
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

static int take_version(struct oev_audit *audit, uint32_t segment, sqlite3_stmt *stmt)
{
	struct oev_version *version =
		oev_audit_grow(&audit->versions, &audit->version_count, sizeof(*version));
	char subject[sizeof(audit->claims->subject)], origin[sizeof(audit->claims->origin)];

	if (version == NULL)
		return OC_ENOMEM;
	version->segment = segment;
	version->number = (uint32_t)sqlite3_column_int64(stmt, 0);
	version->report = (uint64_t)sqlite3_column_int64(stmt, 1);
	version->replaces = (uint32_t)sqlite3_column_int64(stmt, 2);
	version->subject = (uint32_t)sqlite3_column_int64(stmt, 5);
	copy_column(version->sequence, sizeof(version->sequence), stmt, 7);
	copy_column(version->algorithm, sizeof(version->algorithm), stmt, 8);
	version->is_rate = strcmp(version->algorithm, "rate") == 0;
	const struct oev_report *report = report_of(audit, segment, version->report);
	version->is_specific = report != NULL && report->is_specific;
	version->has_reduction = take_word(stmt, 9, &version->reduction_pct) && !version->is_rate;
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
	copy_column(subject, sizeof(subject), stmt, 6);
	copy_column(origin, sizeof(origin), stmt, 16);
	const struct oev_claim *claim = claim_of(audit, segment, type_of(column_word(stmt, 3)),
						 (uint32_t)sqlite3_column_int64(stmt, 4), subject, origin);
	if (claim == NULL)
		return OC_ENOMEM;
	version->claim = (uint32_t)(claim - audit->claims);
	return OC_OK;
}

/* The version of number @number in @segment, whose versions came last and in order of number; NULL when there is none. */
static struct oev_version *version_of(const struct oev_audit *audit, uint32_t segment, uint32_t number)
{
	for (size_t low = 0, high = audit->version_count; low < high;) {
		size_t mid = low + (high - low) / 2;
		struct oev_version *at = &audit->versions[mid];
		if (at->segment == segment && at->number == number)
			return at;
		if (at->segment < segment || at->number < number)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

/* A rate allotted to one client is a claim of its own, and only the version tells whose it is. */
static void follow_versions(struct oev_audit *audit, uint32_t segment)
{
	for (size_t i = 0; i < audit->report_count; i++) {
		struct oev_report *report = &audit->reports[i];
		const struct oev_version *version = report->segment == segment && report->claim >= 0
							    ? version_of(audit, segment, report->version)
							    : NULL;
		if (version != NULL && version->origin != 0)
			report->claim = (int32_t)version->claim;
	}
}

/* Rows come in order of time. The first change ends the active interval; all but expiry and explicit end, which a
 * ramp may follow, end every effect. */
static int take_change(struct oev_audit *audit, uint32_t segment, sqlite3_stmt *stmt)
{
	uint32_t number = (uint32_t)sqlite3_column_int64(stmt, 0);
	uint64_t at_ns = (uint64_t)sqlite3_column_int64(stmt, 1);
	const char *how = column_word(stmt, 2);
	struct oev_version *version = version_of(audit, segment, number);

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

static int take_gap(struct oev_audit *audit, uint32_t segment, sqlite3_stmt *stmt)
{
	struct oev_gap *gap = oev_audit_grow(&audit->gaps, &audit->gap_count, sizeof(*gap));

	if (gap == NULL)
		return OC_ENOMEM;
	gap->segment = segment;
	gap->wall_us = (uint64_t)sqlite3_column_int64(stmt, 0);
	gap->events = (uint64_t)sqlite3_column_int64(stmt, 1);
	copy_column(gap->reason, sizeof(gap->reason), stmt, 2);
	gap->since_us = (uint64_t)sqlite3_column_int64(stmt, 3);
	gap->in_window = gap->wall_us >= audit->options.from_us && gap->since_us < audit->options.until_us;
	audit->gaps_in_window += gap->in_window;
	return OC_OK;
}

int oev_audit_rows(struct oev_audit *audit, uint32_t segment)
{
	static const struct {
		enum oev_question question;
		int (*take)(struct oev_audit *audit, uint32_t segment, sqlite3_stmt *stmt);
	} kinds[] = {
		{ OEV_Q_REPORT, take_report },
		{ OEV_Q_VERSION, take_version },
		{ OEV_Q_CHANGE, take_change },
		{ OEV_Q_GAP, take_gap },
	};
	int rc = OC_OK;

	for (size_t i = 0; rc == OC_OK && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		sqlite3_stmt *stmt = oev_query_new(&audit->segments[segment], kinds[i].question);
		int step = SQLITE_ERROR;
		while (stmt != NULL && rc == OC_OK && (step = sqlite3_step(stmt)) == SQLITE_ROW)
			rc = kinds[i].take(audit, segment, stmt);
		sqlite3_finalize(stmt);
		if (rc == OC_OK && step != SQLITE_DONE) {
			snprintf(audit->error, sizeof(audit->error), "%s: %s", audit->segments[segment].path,
				 sqlite3_errmsg(audit->segments[segment].db));
			rc = OC_EIO;
		}
	}
	follow_versions(audit, segment);
	return rc;
}
