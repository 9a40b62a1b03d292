/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reading files of imported counters.
 */
#include "oev_telemetry.h"

#include <stdio.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "oev_query_open.h"
#include "oev_samples.h"

static uint64_t value_of(sqlite3_stmt *stmt, int column)
{
	int64_t value = sqlite3_column_int64(stmt, column);

	return sqlite3_column_type(stmt, column) == SQLITE_NULL || value < 0 ? OEV_SAMPLE_UNKNOWN
									     : (uint64_t)value;
}

/* Whether it says it is what it is named for. */
static int check_schema(sqlite3 *db, const char *path, char *error, size_t error_size)
{
	static const char sql[] = "SELECT value FROM meta WHERE key = 'schema'";
	sqlite3_stmt *stmt = NULL;
	int rc = OC_EMALFORMED;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW) {
		const char *schema = oev_query_word(stmt, 0);
		if (strcmp(schema, OEV_TELEMETRY_SCHEMA) == 0)
			rc = OC_OK;
		else if (strncmp(schema, "doic.telemetry/", 15) == 0)
			rc = OC_EVERSION;
	}
	sqlite3_finalize(stmt);
	if (rc != OC_OK)
		snprintf(error, error_size, "%s: no imported counters (schema " OEV_TELEMETRY_SCHEMA ")%s",
			 path, rc == OC_EVERSION ? "; use a newer doic" : "");
	return rc;
}

static struct oev_telemetry_row row_of(sqlite3_stmt *stmt)
{
	struct oev_telemetry_row row = { .start_us = (uint64_t)sqlite3_column_int64(stmt, 0),
					 .span_us = (uint64_t)sqlite3_column_int64(stmt, 1),
					 .node = oev_query_word(stmt, 2),
					 .realm = oev_query_word(stmt, 3),
					 .app_id = oev_query_up_to(stmt, 4, UINT32_MAX),
					 .requests = value_of(stmt, 5),
					 .answers = value_of(stmt, 6),
					 .useful = value_of(stmt, 7) };

	for (int i = 0; i < OEV_ANSWER_COUNT; i++)
		row.by_class[i] = value_of(stmt, 8 + i);
	return row;
}

int oev_telemetry_each(const char *path, uint64_t from_us, uint64_t until_us,
		       int (*take)(void *ctx, const struct oev_telemetry_row *row), void *ctx, char *error,
		       size_t error_size)
{
	static const char sql[] =
		"SELECT start_us, span_us, node, realm, app_id, requests, answers, useful, answers_2xxx, "
		"answers_3xxx,"
		" answers_3004, answers_4xxx, answers_5xxx, answers_other FROM sample"
		" WHERE start_us >= ?1 AND start_us + span_us <= ?2 ORDER BY node, app_id, start_us";
	sqlite3_stmt *stmt = NULL;
	sqlite3 *db = NULL;
	int rc = oev_query_open(path, &db, error, error_size), step = SQLITE_ERROR;

	if (rc == OC_OK)
		rc = check_schema(db, path, error, error_size);
	if (rc == OC_OK && sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK) {
		sqlite3_bind_int64(stmt, 1, (int64_t)from_us);
		sqlite3_bind_int64(stmt, 2, until_us > INT64_MAX ? INT64_MAX : (int64_t)until_us);
		while (rc == OC_OK && (step = sqlite3_step(stmt)) == SQLITE_ROW) {
			struct oev_telemetry_row row = row_of(stmt);
			rc = take(ctx, &row);
		}
	}
	if (rc == OC_OK && step != SQLITE_DONE) {
		snprintf(error, error_size, "%s: %s", path, sqlite3_errmsg(db));
		rc = OC_EIO;
	}
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return rc;
}
