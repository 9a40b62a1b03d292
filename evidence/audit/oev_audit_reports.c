/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reads received reports of one segment into memory, and holds their octets against their columns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../../agent/oc_types.h"
#include "oev_audit_parts.h"

#define REPORTS_MAX 500000u
#define RAW_MAX (1u << 16) /* octets of one report: more than an AVP inside a message of ours can have */

static void fill_report(struct oev_report *report, sqlite3_stmt *stmt)
{
	report->id = (uint64_t)sqlite3_column_int64(stmt, 0);
	report->mono_ns = (uint64_t)sqlite3_column_int64(stmt, 1);
	report->wall_us = (uint64_t)sqlite3_column_int64(stmt, 2);
	oev_query_copy(stmt, 3, report->peer, sizeof(report->peer));
	report->app_id = (uint32_t)sqlite3_column_int64(stmt, 4);
	report->type = (uint32_t)sqlite3_column_int64(stmt, 5);
	oev_query_copy(stmt, 6, report->subject, sizeof(report->subject));
	oev_query_copy(stmt, 7, report->sequence, sizeof(report->sequence));
	report->has_sequence = sqlite3_column_type(stmt, 7) != SQLITE_NULL;
	report->has_reduction = oev_query_take(stmt, 8, &report->reduction_pct);
	report->has_validity = oev_query_take(stmt, 9, &report->validity_s);
	report->has_rate = oev_query_take(stmt, 10, &report->rate_rps);
	oev_query_copy(stmt, 11, report->algorithm, sizeof(report->algorithm));
	const char *verdict = oev_query_word(stmt, 12);
	report->accepted = strcmp(verdict, "new") == 0 || strcmp(verdict, "updated") == 0;
	report->refused = strcmp(verdict, "refused") == 0;
	oev_query_copy(stmt, 12, report->verdict, sizeof(report->verdict));
	oev_query_copy(stmt, 13, report->reason, sizeof(report->reason));
	report->version = (uint32_t)sqlite3_column_int64(stmt, 14);
}

/* All octets of a report: its own column and the rest in table report_raw. NULL when they are too many, or out of memory. */
static uint8_t *whole_raw(const struct oev_segment *segment, const struct oev_report *report,
			  sqlite3_stmt *stmt, size_t *length)
{
	bool whole = sqlite3_column_bytes(stmt, 15) >= sqlite3_column_int64(stmt, 16);
	sqlite3_stmt *more = whole ? NULL : oev_query_new(segment, OEV_Q_RAW);
	uint8_t *raw = malloc(RAW_MAX);

	*length = 0;
	for (sqlite3_stmt *at = stmt; raw != NULL && at != NULL;) {
		size_t size = (size_t)sqlite3_column_bytes(at, at == stmt ? 15 : 0);
		if (size > RAW_MAX - *length)
			break;
		if (size > 0)
			memcpy(raw + *length, sqlite3_column_blob(at, at == stmt ? 15 : 0), size);
		*length += size;
		if (at == stmt && more != NULL)
			sqlite3_bind_int64(more, 1, (int64_t)report->id);
		at = more != NULL && sqlite3_step(more) == SQLITE_ROW ? more : NULL;
	}
	sqlite3_finalize(more);
	return raw;
}

/* A refused report may be refused because its octets make no sense, so only the others must agree. */
static int compare_raw(const struct oev_audit *audit, struct oev_report *report, sqlite3_stmt *stmt)
{
	size_t length;
	uint8_t *raw = whole_raw(&audit->segments[report->segment], report, stmt, &length);

	if (raw == NULL)
		return OC_ENOMEM;
	report->raw_kept = (uint32_t)length;
	report->raw_partial = (int64_t)length < sqlite3_column_int64(stmt, 16);
	if (!report->refused && length > 0 && !report->raw_partial) {
		report->is_specific = report->app_id == OC_APP_GY && oev_audit_raw_is_specific(raw, length);
		report->raw_differs = oev_audit_raw(report, raw, length, report->raw_detail,
						    sizeof(report->raw_detail)) != OC_OK;
	}
	free(raw);
	return OC_OK;
}

/* The report number @id of @life; reports stand in that order. NULL when no row was read. */
struct oev_report *oev_audit_report_of(const struct oev_audit *audit, uint32_t life, uint64_t id)
{
	for (size_t low = 0, high = audit->report_count; low < high;) {
		size_t mid = low + (high - low) / 2;
		struct oev_report *report = &audit->reports[mid];
		if (report->life == life && report->id == id)
			return report;
		if (report->life < life || (report->life == life && report->id < id))
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

int oev_audit_take_report(struct oev_audit *audit, uint32_t life, uint32_t segment, sqlite3_stmt *stmt)
{
	if (oev_audit_report_of(audit, life, (uint64_t)sqlite3_column_int64(stmt, 0)) != NULL)
		return OC_OK; /* repeated from an earlier part */
	if (audit->report_count == REPORTS_MAX)
		return oev_audit_too_many(audit, "reports", REPORTS_MAX);
	struct oev_report *report = oev_audit_grow(&audit->reports, &audit->report_count, sizeof(*report));
	if (report == NULL)
		return OC_ENOMEM;
	report->segment = segment;
	report->life = life;
	fill_report(report, stmt);
	report->claim = -1;
	if (!report->refused) {
		const struct oev_claim *claim =
			oev_audit_claim_of(audit, life, report->type, report->app_id, report->subject, "");
		if (claim == NULL)
			return OC_ENOMEM;
		report->claim = (int32_t)(claim - audit->claims);
	}
	return compare_raw(audit, report, stmt);
}

int oev_audit_take_repeat(struct oev_audit *audit, uint32_t life, uint32_t segment, sqlite3_stmt *stmt)
{
	struct oev_report *report = oev_audit_report_of(audit, life, (uint64_t)sqlite3_column_int64(stmt, 0));

	(void)segment;
	if (report != NULL)
		report->repeats += (uint64_t)sqlite3_column_int64(stmt, 1);
	return OC_OK;
}
