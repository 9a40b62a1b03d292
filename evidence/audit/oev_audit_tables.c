/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Lookup tables of one life for the scan: versions by number, claims and counters by name.
 */
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_audit_sampler.h"
#include "oev_audit_scan.h"

static int index_versions(struct oev_scan *scan)
{
	const struct oev_audit *audit = scan->audit;
	int rc = OC_OK;

	for (uint32_t i = 0; rc == OC_OK && i < audit->version_count; i++)
		if (audit->versions[i].life == scan->life)
			rc = oev_index_put(&scan->version_at, audit->versions[i].number, i + 1);
	return rc;
}

static int index_counters(struct oev_scan *scan)
{
	const struct oev_audit *audit = scan->audit;
	int rc = OC_OK;

	for (uint32_t i = 0; rc == OC_OK && i < audit->agreement_count; i++) {
		const struct oev_counters *file = audit->agreements[i].file;
		uint32_t name = oev_life_name_id(audit, scan->life, file->node);
		struct oev_index *at = file->role == OEV_ROLE_SERVER ? &scan->server_at : &scan->client_at;
		if (name != 0 && oev_index_get(at, name) == 0)
			rc = oev_index_put(at, name, i + 1);
	}
	return rc;
}

int oev_scan_init(struct oev_scan *scan, struct oev_audit *audit, uint32_t life)
{
	scan->audit = audit;
	scan->life = life;
	scan->segment = audit->lives[life].first;
	int rc = oev_subjects_make(scan);
	if (rc == OC_OK)
		rc = index_counters(scan);
	if (rc == OC_OK)
		rc = index_versions(scan);
	if (rc == OC_OK)
		rc = oev_open_init(&scan->open);
	if (rc == OC_OK)
		rc = oev_retries_init(&scan->retries);
	return rc == OC_OK ? oev_follows_init(scan) : rc;
}

void oev_scan_fini(struct oev_scan *scan)
{
	oev_follows_fini(scan);
	oev_scan_late_fini(scan);
	oev_index_fini(&scan->version_at);
	oev_index_fini(&scan->subject_at);
	oev_index_fini(&scan->server_at);
	oev_index_fini(&scan->client_at);
	oev_index_fini(&scan->hop_at);
	free(scan->subjects);
	oev_open_fini(&scan->open);
	oev_retries_fini(&scan->retries);
	*scan = (struct oev_scan){ 0 };
}

static void carry(struct oev_version *version, sqlite3_stmt *stmt)
{
	const struct oev_tally sums = { .matched = (uint64_t)sqlite3_column_int64(stmt, 1),
					.selected = (uint64_t)sqlite3_column_int64(stmt, 2),
					.expected_ppm = (uint64_t)sqlite3_column_int64(stmt, 3) };

	version->is_carried = true;
	version->all = sums;
	oev_sampler_carry(&version->sampler, &sums);
}

int oev_scan_begin_part(struct oev_scan *scan)
{
	const struct oev_segment *segment = &scan->audit->segments[scan->segment];
	sqlite3_stmt *stmt;
	int step = SQLITE_ERROR;

	if (oev_life_follows(scan->audit, scan->segment))
		return OC_OK; /* all of it is known from the parts before */
	stmt = oev_query_new(segment, OEV_Q_CARRIED_VERSION);
	while (stmt != NULL && (step = sqlite3_step(stmt)) == SQLITE_ROW) {
		uint64_t at = oev_index_get(&scan->version_at, oev_query_up_to(stmt, 0, UINT32_MAX));
		if (at != 0)
			carry(&scan->audit->versions[at - 1], stmt);
	}
	sqlite3_finalize(stmt);
	return step == SQLITE_DONE ? OC_OK : OC_EIO;
}
