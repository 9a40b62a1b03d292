/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What a decision was held against: versions, and the reports that made them, octet for octet.
 */
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_shelf_whole.h"

#define RAW_MAX (1u << 24) /* an AVP has no more */

static bool ask(struct oev_shelf_conn *conn, unsigned which, uint64_t id, sqlite3_stmt **stmt)
{
	*stmt = oev_shelf_stmt(conn, which);
	return *stmt != NULL && sqlite3_bind_int64(*stmt, 1, (sqlite3_int64)id) == SQLITE_OK &&
	       sqlite3_step(*stmt) == SQLITE_ROW;
}

static void fill_version(struct oev_shelf_conn *conn, struct oev_shelf_look *look)
{
	sqlite3_stmt *stmt;

	look->has_version_row = ask(conn, OEV_SHELF_S_VERSION, look->version, &stmt);
	if (!look->has_version_row)
		return;
	look->report = oev_shelf_number(stmt, 0);
	oev_shelf_word(stmt, 1, look->type, sizeof(look->type));
	look->app_id = oev_query_up_to(stmt, 2, UINT32_MAX);
	uint32_t subject = oev_query_up_to(stmt, 3, UINT32_MAX);
	oev_shelf_word(stmt, 4, look->sequence, sizeof(look->sequence));
	oev_shelf_word(stmt, 5, look->algorithm, sizeof(look->algorithm));
	look->has_reduction = sqlite3_column_type(stmt, 6) != SQLITE_NULL;
	look->reduction_pct = oev_query_up_to(stmt, 6, UINT32_MAX);
	look->has_rate = sqlite3_column_type(stmt, 7) != SQLITE_NULL;
	look->rate_rps = oev_query_up_to(stmt, 7, UINT32_MAX);
	look->validity_s = oev_query_up_to(stmt, 8, UINT32_MAX);
	look->from_us = oev_shelf_number(stmt, 9);
	sqlite3_reset(stmt);
	oev_shelf_name(conn, subject, look->subject);
}

static int add_octets(struct oev_shelf_look *look, const void *octets, int len)
{
	if (octets == NULL || len <= 0 || look->raw_len + (size_t)len > RAW_MAX)
		return OC_OK;
	uint8_t *more = realloc(look->raw, look->raw_len + (size_t)len);
	if (more == NULL)
		return OC_ENOMEM;
	memcpy(more + look->raw_len, octets, (size_t)len);
	look->raw = more;
	look->raw_len += (size_t)len;
	return OC_OK;
}

static int fill_raw(struct oev_shelf_conn *conn, struct oev_shelf_look *look, char *error)
{
	sqlite3_stmt *stmt = oev_shelf_stmt(conn, OEV_SHELF_S_RAW);
	int rc = OC_OK, step = SQLITE_ERROR;

	if (stmt != NULL && sqlite3_bind_int64(stmt, 1, (sqlite3_int64)look->report) == SQLITE_OK)
		while (rc == OC_OK && (step = sqlite3_step(stmt)) == SQLITE_ROW) {
			const void *octets = sqlite3_column_blob(stmt, 0);
			rc = add_octets(look, octets, sqlite3_column_bytes(stmt, 0));
		}
	if (rc == OC_OK && step != SQLITE_DONE)
		return oev_shelf_fail(conn, error);
	return rc == OC_OK ? rc : oev_shelf_say(error, rc, "out of memory");
}

static int fill_report(struct oev_shelf_conn *conn, struct oev_shelf_look *look, char *error)
{
	sqlite3_stmt *stmt;

	look->has_report_row = look->report != 0 && ask(conn, OEV_SHELF_S_REPORT, look->report, &stmt);
	if (!look->has_report_row)
		return OC_OK;
	look->report_us = oev_shelf_number(stmt, 0);
	uint32_t peer = oev_query_up_to(stmt, 1, UINT32_MAX);
	look->raw_total = oev_query_up_to(stmt, 2, UINT32_MAX);
	sqlite3_reset(stmt);
	oev_shelf_name(conn, peer, look->report_peer);
	return fill_raw(conn, look, error);
}

int oev_shelf_looks(struct oev_shelf_conn *conn, struct oev_shelf_whole *whole, char *error)
{
	const struct oc_decision *d = &whole->row.d;
	const struct oc_look *const drawn[OC_SCOPE_COUNT] = {
		[OC_SCOPE_REALM] = &d->realm, [OC_SCOPE_HOST] = &d->host, [OC_SCOPE_PEER] = &d->peer
	};
	int rc = OC_OK;

	for (unsigned i = 0; rc == OC_OK && i < OC_SCOPE_COUNT; i++) {
		struct oev_shelf_look *look = &whole->looks[i];
		if (drawn[i] == NULL || drawn[i]->version == 0)
			continue;
		look->version = drawn[i]->version;
		look->share_ppm = drawn[i]->share_ppm;
		look->nth = drawn[i]->nth;
		fill_version(conn, look);
		rc = fill_report(conn, look, error);
	}
	return rc;
}
