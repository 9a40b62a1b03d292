/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Received reports as JSON, with their octets.
 */
#include <string.h>

#include "../proof/oev_json.h"
#include "oev_json_parts.h"

#define REPORTS_LISTED 100u
#define RAW_LISTED 4096u /* octets of one report */

/* The report octet for octet, in hexadecimal; null when it cannot be read any more. */
static json_t *raw_json(const struct oev_audit *audit, const struct oev_report *report)
{
	sqlite3_stmt *stmt = oev_query_new(&audit->segments[report->segment], OEV_Q_RAW_ALL);
	uint8_t raw[RAW_LISTED];
	size_t length = 0;

	if (stmt != NULL)
		sqlite3_bind_int64(stmt, 1, (int64_t)report->id);
	while (stmt != NULL && sqlite3_step(stmt) == SQLITE_ROW) {
		size_t size = (size_t)sqlite3_column_bytes(stmt, 0);
		size = size < RAW_LISTED - length ? size : RAW_LISTED - length;
		if (size > 0)
			memcpy(raw + length, sqlite3_column_blob(stmt, 0), size);
		length += size;
	}
	sqlite3_finalize(stmt);
	return length > 0 ? oev_json_hex(raw, length) : json_null();
}

static json_t *report_json(const struct oev_audit *audit, const struct oev_report *report)
{
	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:b}", "report",
		oev_json_number(report->id), "at", oev_json_time(report->wall_us), "peer",
		oev_json_text(report->peer), "sequence",
		report->has_sequence ? oev_json_text(report->sequence) : json_null(), "reduction_pct",
		report->has_reduction ? oev_json_number(report->reduction_pct) : json_null(), "rate_rps",
		report->has_rate ? oev_json_number(report->rate_rps) : json_null(), "validity_seconds",
		report->has_validity ? oev_json_number(report->validity_s) : json_null(), "verdict",
		report->verdict, "version",
		report->version != 0 ? oev_json_number(report->version) : json_null(), "receptions",
		oev_json_number(1 + report->repeats), "raw", raw_json(audit, report), "raw_whole",
		report->raw_kept > 0 && !report->raw_partial);
}

/* Reports of claim number @claim in the window: the first REPORTS_LISTED. */
json_t *oev_json_reports(const struct oev_audit *audit, size_t claim)
{
	json_t *list = json_array();

	for (size_t i = 0; i < audit->report_count && json_array_size(list) < REPORTS_LISTED; i++) {
		const struct oev_report *report = &audit->reports[i];
		uint64_t valid_us = 1000000ull * (report->has_validity ? report->validity_s : 0);
		if (report->claim == (int32_t)claim && report->wall_us < audit->options.until_us &&
		    report->wall_us + valid_us >= audit->options.from_us)
			json_array_append_new(list, report_json(audit, report));
	}
	return list;
}
