/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What else can be asked of a segment: SQLite's own check of file and indexes, and whether a policy's digest
 * is of its text.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_verify_parts.h"

static void check_policies(struct oev_verify_work *work)
{
	sqlite3_stmt *stmt = NULL;

	if (sqlite3_prepare_v2(work->db,
			       "SELECT rowid, [version], [sha256], [text] FROM [policy] NOT INDEXED", -1,
			       &stmt, NULL) == SQLITE_OK)
		while (sqlite3_step(stmt) == SQLITE_ROW) {
			const char *said = (const char *)sqlite3_column_text(stmt, 2);
			const char *text = (const char *)sqlite3_column_text(stmt, 3);
			struct oev_hash is;
			char hex[OEV_HASH_HEX];
			if (said == NULL || text == NULL)
				continue;
			oev_hash_of(text, (size_t)sqlite3_column_bytes(stmt, 3), &is);
			oev_hash_hex(&is, hex);
			if (strcmp(hex, said) == 0)
				continue;
			struct oev_verify_finding *finding =
				oev_verify_find(work->run, work, OEV_VERIFY_ALTERED, OEV_KIND_POLICY,
						"the digest of policy version %" PRId64 " is not of its text",
						(int64_t)sqlite3_column_int64(stmt, 1));
			oev_verify_find_row(finding, "policy", sqlite3_column_int64(stmt, 0));
			snprintf(finding->expected, sizeof(finding->expected), "%.64s", said);
			snprintf(finding->found, sizeof(finding->found), "%s", hex);
		}
	sqlite3_finalize(stmt);
}

static void check_file(struct oev_verify_work *work)
{
	sqlite3_stmt *stmt = NULL;
	const char *text = NULL;

	if (work->segment->outcome >= OEV_VERIFY_CUT) /* it is known to be wrong */
		return;
	if (sqlite3_prepare_v2(work->db, "PRAGMA integrity_check(1)", -1, &stmt, NULL) == SQLITE_OK &&
	    sqlite3_step(stmt) == SQLITE_ROW)
		text = (const char *)sqlite3_column_text(stmt, 0);
	if (text == NULL || strcmp(text, "ok") != 0)
		oev_verify_page(
			work, oev_verify_find(work->run, work, OEV_VERIFY_ALTERED, OEV_KIND_INDEX, "%s", ""),
			"");
	sqlite3_finalize(stmt);
}

void oev_verify_deep(struct oev_verify_work *work)
{
	check_policies(work);
	check_file(work);
}
