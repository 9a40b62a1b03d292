/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What the first rows of a segment say about it, and names.
 */
#include "oev_query.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "oev_query_open.h"

#define OPEN_TRIES 50

sqlite3_stmt *oev_query_new(const struct oev_segment *segment, enum oev_question question)
{
	sqlite3_stmt *stmt = NULL;
	const char *sql = oev_question_sql(question, segment->schema);

	return sqlite3_prepare_v2(segment->db, sql, -1, &stmt, NULL) == SQLITE_OK ? stmt : NULL;
}

const char *oev_query_word(sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return text != NULL ? text : "";
}

void oev_query_copy(sqlite3_stmt *stmt, int column, char *buf, size_t size)
{
	snprintf(buf, size, "%s", oev_query_word(stmt, column));
}

bool oev_query_take(sqlite3_stmt *stmt, int column, uint32_t *out)
{
	*out = (uint32_t)sqlite3_column_int64(stmt, column);
	return sqlite3_column_type(stmt, column) != SQLITE_NULL;
}

uint32_t oev_query_up_to(sqlite3_stmt *stmt, int column, uint32_t most)
{
	int64_t number = sqlite3_column_int64(stmt, column);

	return (uint64_t)number < most ? (uint32_t)number : most;
}

int oev_query_name(const struct oev_segment *segment, uint32_t id, char *buf, size_t size)
{
	sqlite3_stmt *stmt = oev_query_new(segment, OEV_Q_NAME_TEXT);
	int rc = stmt == NULL ? OC_EIO : OC_ENOENT;

	buf[0] = '\0';
	if (stmt != NULL && sqlite3_bind_int64(stmt, 1, id) == SQLITE_OK &&
	    sqlite3_step(stmt) == SQLITE_ROW) {
		snprintf(buf, size, "%s", oev_query_word(stmt, 0));
		rc = OC_OK;
	}
	sqlite3_finalize(stmt);
	return rc;
}

uint32_t oev_query_name_id(const struct oev_segment *segment, const char *name)
{
	sqlite3_stmt *stmt = oev_query_new(segment, OEV_Q_NAME_ID);
	uint32_t id = 0;

	if (stmt != NULL && sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC) == SQLITE_OK &&
	    sqlite3_step(stmt) == SQLITE_ROW)
		id = (uint32_t)sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return id;
}

static int copy_text(char **out, const char *text)
{
	free(*out);
	*out = strdup(text != NULL ? text : "");
	return *out != NULL ? OC_OK : OC_ENOMEM;
}

static int take_meta(struct oev_segment *segment, const char *key, const char *value)
{
	const struct {
		const char *key;
		char **text;
		uint64_t *number;
	} facts[] = {
		{ "node", &segment->node, NULL },
		{ "realm", &segment->realm, NULL },
		{ "run", &segment->run, NULL },
		{ "closed_how", &segment->closed_how, NULL },
		{ "part", NULL, &segment->part },
		{ "base_ns", NULL, &segment->base_ns },
		{ "started_us", NULL, &segment->started_us },
		{ "log_size", NULL, &segment->log_size },
		{ "closed_us", NULL, &segment->closed_us },
	};

	if (strcmp(key, "schema") == 0)
		segment->schema = (uint32_t)strtoul(value, NULL, 10);
	segment->has_log |= strcmp(key, "log_size") == 0;
	segment->is_log_broken |= strcmp(key, "log_broken") == 0 && value[0] != '\0';
	segment->is_capture |= strcmp(key, "kind") == 0 && strcmp(value, "capture") == 0;
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		if (strcmp(key, facts[i].key) != 0)
			continue;
		if (facts[i].text != NULL)
			return copy_text(facts[i].text, value);
		*facts[i].number = strtoull(value, NULL, 10);
	}
	return OC_OK;
}

/* What the segment does not say reads as "". */
static int fill_texts(struct oev_segment *segment)
{
	char **texts[] = { &segment->realm, &segment->run, &segment->closed_how };
	int rc = OC_OK;

	for (size_t i = 0; rc == OC_OK && i < sizeof(texts) / sizeof(texts[0]); i++)
		if (*texts[i] == NULL)
			rc = copy_text(texts[i], "");
	return rc;
}

static int read_meta(struct oev_segment *segment, char *error, size_t error_size)
{
	sqlite3_stmt *stmt = oev_query_new(segment, OEV_Q_META);
	int rc = OC_OK, step = SQLITE_ERROR;

	while (stmt != NULL && rc == OC_OK && (step = sqlite3_step(stmt)) == SQLITE_ROW)
		rc = take_meta(segment, oev_query_word(stmt, 0), oev_query_word(stmt, 1));
	sqlite3_finalize(stmt);
	if (rc == OC_OK && (step != SQLITE_DONE || segment->schema == 0 || segment->node == NULL)) {
		snprintf(error, error_size,
			 "%s: not an evidence segment (no table meta with schema and node)", segment->path);
		return OC_EMALFORMED;
	}
	if (rc == OC_OK && segment->schema > OEV_SCHEMA_VERSION) {
		snprintf(error, error_size, "%s: schema %u, this program reads up to %d; use a newer doic",
			 segment->path, segment->schema, OEV_SCHEMA_VERSION);
		return OC_EVERSION;
	}
	return rc == OC_OK ? fill_texts(segment) : rc;
}

static int read_carried(struct oev_segment *segment)
{
	sqlite3_stmt *stmt = oev_query_new(segment, OEV_Q_CARRIED);

	if (stmt == NULL)
		return OC_EMALFORMED;
	while (sqlite3_step(stmt) == SQLITE_ROW && segment->carried_count < OEV_CARRIED_MAX) {
		struct oev_carried *carried = &segment->carried[segment->carried_count++];
		snprintf(carried->table, sizeof(carried->table), "%s", oev_query_word(stmt, 0));
		carried->rows = (uint64_t)sqlite3_column_int64(stmt, 1);
	}
	sqlite3_finalize(stmt);
	return OC_OK;
}

uint64_t oev_segment_carried(const struct oev_segment *segment, const char *table)
{
	for (size_t i = 0; i < segment->carried_count; i++)
		if (strcmp(segment->carried[i].table, table) == 0)
			return segment->carried[i].rows;
	return 0;
}

uint64_t oev_segment_until(const struct oev_segment *segment)
{
	bool proper = segment->closed_us != 0 && strcmp(segment->closed_how, "recovered") != 0 &&
		      strcmp(segment->closed_how, "damaged") != 0;

	return proper ? segment->closed_us : segment->last_us;
}

/* Every table the audit asks of must be one: a view in its place could do anything. */
static bool has_all_tables(const struct oev_segment *segment)
{
	static const char sql[] =
		"SELECT count(*) FROM sqlite_schema WHERE type = 'view' AND name NOT LIKE 'v\\_%'"
		" ESCAPE '\\'";
	sqlite3_stmt *stmt = NULL;
	bool done = sqlite3_prepare_v2(segment->db, sql, -1, &stmt, NULL) == SQLITE_OK &&
		    sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_int64(stmt, 0) == 0;

	sqlite3_finalize(stmt);
	return done;
}

static void ignore_take(sqlite3_context *context, int count, sqlite3_value **values)
{
	(void)context;
	(void)count;
	(void)values;
}

/* Whether everything that will be asked can be: then tables and columns are those of the schema. */
static bool answers_all(const struct oev_segment *segment)
{
	bool done = has_all_tables(segment);

	sqlite3_create_function(segment->db, "oev_take", -1, SQLITE_UTF8, NULL, ignore_take, NULL, NULL);
	for (int q = 0; done && q < OEV_Q_COUNT; q++) {
		sqlite3_stmt *stmt = oev_query_new(segment, (enum oev_question)q);
		done = stmt != NULL;
		sqlite3_finalize(stmt);
	}
	return done;
}

static int read_last(struct oev_segment *segment, char *error, size_t error_size)
{
	sqlite3_stmt *stmt = answers_all(segment) ? oev_query_new(segment, OEV_Q_LAST) : NULL;
	int rc = OC_EMALFORMED;

	if (stmt != NULL && sqlite3_step(stmt) == SQLITE_ROW) {
		segment->last_us = (uint64_t)sqlite3_column_int64(stmt, 0);
		segment->last_ns = (uint64_t)sqlite3_column_int64(stmt, 1);
		segment->decisions = (uint64_t)sqlite3_column_int64(stmt, 2);
		segment->first_decision = (uint64_t)sqlite3_column_int64(stmt, 3);
		segment->outcomes = (uint64_t)sqlite3_column_int64(stmt, 4);
		rc = OC_OK;
	}
	sqlite3_finalize(stmt);
	if (rc == OC_OK)
		rc = read_carried(segment);
	if (rc != OC_OK)
		snprintf(error, error_size, "%s: not an evidence segment (%s)", segment->path,
			 sqlite3_errmsg(segment->db));
	return rc;
}

/* A word that differs when rows differ. */
static void stamp_of(const struct oev_segment *segment, sqlite3 *db, char stamp[static 128])
{
	const struct oev_segment at = { .db = db, .schema = segment->schema };
	sqlite3_stmt *stmt = oev_query_new(&at, OEV_Q_STAMP);

	stamp[0] = '\0';
	if (stmt != NULL && sqlite3_step(stmt) == SQLITE_ROW)
		snprintf(stamp, 128, "%s", oev_query_word(stmt, 0));
	sqlite3_finalize(stmt);
}

/* Connections for the reading threads that see the same rows as the first one; it begins anew until they do. */
static int open_threads(struct oev_segment *segment, char *error, size_t error_size)
{
	int rc = OC_OK, try = 0;
	bool same = false;

	for (; rc == OC_OK && !same && try < OPEN_TRIES; try++) {
		char stamp[128], other[128];
		if (try > 0)
			sqlite3_exec(segment->db, "COMMIT; BEGIN", NULL, NULL, NULL);
		stamp_of(segment, segment->db, stamp);
		same = true;
		for (size_t i = 0; rc == OC_OK && i < OEV_SEGMENT_THREADS; i++) {
			sqlite3_close(segment->thread_db[i]);
			segment->thread_db[i] = NULL;
			rc = oev_query_open(segment->path, &segment->thread_db[i], error, error_size);
			if (rc == OC_OK)
				stamp_of(segment, segment->thread_db[i], other);
			same &= rc == OC_OK && strcmp(stamp, other) == 0;
		}
	}
	return rc;
}

int oev_segment_open(struct oev_segment *out, const char *path, char *error, size_t error_size)
{
	int rc = copy_text(&out->path, path);

	if (rc == OC_OK)
		rc = oev_query_open(path, &out->db, error, error_size);
	if (rc == OC_OK)
		rc = read_meta(out, error, error_size);
	if (rc == OC_OK && out->closed_us == 0)
		rc = open_threads(out, error, error_size);
	if (rc == OC_OK)
		rc = read_last(out, error, error_size);
	if (rc == OC_OK)
		oev_query_policies(out);
	return rc;
}

bool oev_segment_is_absent(const char *path)
{
	sqlite3_stmt *stmt = NULL;
	sqlite3 *db = NULL;
	char error[512];
	bool absent = access(path, F_OK) != 0 && errno == ENOENT;

	if (!absent && oev_query_open(path, &db, error, sizeof(error)) == OC_OK)
		absent = sqlite3_prepare_v2(db, "SELECT count(*) FROM sqlite_schema", -1, &stmt, NULL) ==
				 SQLITE_OK &&
			 sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_int64(stmt, 0) == 0;
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return absent;
}

void oev_segment_fini(struct oev_segment *segment)
{
	for (size_t i = 0; i < OEV_SEGMENT_THREADS; i++)
		sqlite3_close(segment->thread_db[i]);
	sqlite3_close(segment->db);
	free(segment->path);
	free(segment->node);
	free(segment->realm);
	free(segment->run);
	free(segment->closed_how);
	*segment = (struct oev_segment){ 0 };
}
