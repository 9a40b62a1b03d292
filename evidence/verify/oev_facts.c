/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Facts out of a segment nobody vouches for yet.
 */
#include "oev_facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/oc_err.h"
#include "../audit/oev_query.h"
#include "../proof/oev_spans.h"

#define META_ROWS_MAX 100000 /* honest ones have some dozens */

struct reading {
	struct oev_facts *facts;
	uint64_t log_size;
	bool has_size, has_rows, has_frontier, has_chain;
};

static void take_text(char *out, size_t size, const char *value)
{
	snprintf(out, size, "%s", value);
}

static bool take_number(const char *value, uint64_t *out)
{
	char *end;

	*out = strtoull(value, &end, 10);
	return value[0] >= '0' && value[0] <= '9' && *end == '\0';
}

static void take_log(struct reading *reading, const char *key, const char *value)
{
	struct oev_facts *facts = reading->facts;

	if (strcmp(key, "log_size") == 0)
		reading->has_size = take_number(value, &reading->log_size);
	else if (strcmp(key, "log_rows") == 0)
		reading->has_rows = take_number(value, &facts->log_rows);
	else if (strcmp(key, "log_broken") == 0)
		take_text(facts->log_broken, sizeof(facts->log_broken), value);
	else if (strcmp(key, "log_frontier") == 0)
		reading->has_frontier =
			oev_frontier_parse(value, strlen(value), &facts->frontier, NULL) == OC_OK;
	else if (strcmp(key, "log_chain") == 0)
		reading->has_chain = oev_hash_parse(value, strlen(value), &facts->chain) == OC_OK;
}

static void take(struct reading *reading, const char *key, const char *value)
{
	struct oev_facts *facts = reading->facts;

	if (strcmp(key, "schema") == 0)
		facts->schema = strtoull(value, NULL, 10);
	else if (strcmp(key, "node") == 0)
		take_text(facts->node, sizeof(facts->node), value);
	else if (strcmp(key, "run") == 0)
		take_text(facts->run, sizeof(facts->run), value);
	else if (strcmp(key, "schema_sha256") == 0)
		facts->has_schema = oev_hash_parse(value, strlen(value), &facts->schema_sha256) == OC_OK;
	else if (strcmp(key, "segment") == 0)
		take_text(facts->segment, sizeof(facts->segment), value);
	else if (strcmp(key, "previous") == 0)
		take_text(facts->previous, sizeof(facts->previous), value);
	else if (strcmp(key, "closed_how") == 0)
		take_text(facts->closed_how, sizeof(facts->closed_how), value);
	else
		take_log(reading, key, value);
}

int oev_facts_read(sqlite3 *db, struct oev_facts *out)
{
	struct reading reading = { .facts = out };
	sqlite3_stmt *stmt = NULL;
	int step = SQLITE_ERROR, rows = 0;

	memset(out, 0, sizeof(*out));
	if (sqlite3_prepare_v2(db, "SELECT [key], [value] FROM [meta] NOT INDEXED", -1, &stmt, NULL) !=
	    SQLITE_OK)
		return OC_EMALFORMED;
	while ((step = sqlite3_step(stmt)) == SQLITE_ROW && rows++ < META_ROWS_MAX) {
		const char *key = (const char *)sqlite3_column_text(stmt, 0);
		const char *value = (const char *)sqlite3_column_text(stmt, 1);
		if (key != NULL && value != NULL)
			take(&reading, key, value);
	}
	sqlite3_finalize(stmt);
	out->is_finished = out->closed_how[0] != '\0';
	out->has_log = reading.has_size && reading.has_rows && reading.has_frontier && reading.has_chain &&
		       out->frontier.size == reading.log_size;
	if (step != SQLITE_DONE)
		return OC_EIO;
	return out->schema != 0 && out->node[0] != '\0' ? OC_OK : OC_EMALFORMED;
}

bool oev_facts_is_blank(sqlite3 *db)
{
	static const char *const questions[] = { "SELECT 1 FROM [meta] LIMIT 1",
						 "SELECT 1 FROM [batch] LIMIT 1" };
	bool is_blank = true;

	for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
		sqlite3_stmt *stmt = NULL;
		if (sqlite3_prepare_v2(db, questions[i], -1, &stmt, NULL) == SQLITE_OK)
			is_blank &= sqlite3_step(stmt) == SQLITE_DONE;
		sqlite3_finalize(stmt);
	}
	return is_blank;
}

/* The rows @span of table removal, which are in batch @batch. */
static int take_removals(sqlite3_stmt *stmt, const struct oev_span *span, uint64_t batch,
			 int (*take_one)(void *ctx, const struct oev_facts_removal *removal), void *ctx)
{
	int rc = OC_OK, step = SQLITE_ERROR;

	sqlite3_reset(stmt);
	sqlite3_bind_int64(stmt, 1, span->first);
	sqlite3_bind_int64(stmt, 2, span->last);
	while (rc == OC_OK && (step = sqlite3_step(stmt)) == SQLITE_ROW) {
		struct oev_facts_removal removal = {
			.first = (uint64_t)sqlite3_column_int64(stmt, 0),
			.last = (uint64_t)sqlite3_column_int64(stmt, 1),
			.batch = batch,
			.wall_us = (uint64_t)sqlite3_column_int64(stmt, 2),
		};
		take_text(removal.segment, sizeof(removal.segment), oev_query_word(stmt, 3));
		take_text(removal.reason, sizeof(removal.reason), oev_query_word(stmt, 4));
		rc = take_one(ctx, &removal);
	}
	return rc == OC_OK && step != SQLITE_DONE ? OC_EIO : rc;
}

/* Those of the batch where @batches stands. */
static int removals_of_batch(sqlite3_stmt *batches, sqlite3_stmt *rows,
			     int (*take_one)(void *ctx, const struct oev_facts_removal *removal), void *ctx)
{
	const char *text = (const char *)sqlite3_column_text(batches, 1);
	struct oev_spans_reader reader;
	struct oev_span span;
	int rc = OC_OK;

	if (text == NULL)
		return OC_OK;
	oev_spans_open(&reader, text, (size_t)sqlite3_column_bytes(batches, 1));
	while (rc == OC_OK && oev_spans_next(&reader, &span) == OC_OK)
		if (strcmp(span.table, "removal") == 0)
			rc = take_removals(rows, &span, (uint64_t)sqlite3_column_int64(batches, 0), take_one,
					   ctx);
	return rc;
}

int oev_facts_removals(sqlite3 *db, int (*take_one)(void *ctx, const struct oev_facts_removal *removal),
		       void *ctx)
{
	sqlite3_stmt *batches = NULL, *rows = NULL;
	int rc = OC_ENOENT, step = SQLITE_DONE;

	if (sqlite3_prepare_v2(db,
			       "SELECT [first_batch], [last_batch], [wall_us], [segment], [reason] FROM "
			       "[removal] NOT INDEXED"
			       " WHERE rowid BETWEEN ?1 AND ?2",
			       -1, &rows, NULL) == SQLITE_OK &&
	    sqlite3_prepare_v2(db,
			       "SELECT [number], [rows] FROM [batch] NOT INDEXED"
			       " WHERE EXISTS (SELECT 1 FROM [removal]) AND instr([rows], 'removal') > 0",
			       -1, &batches, NULL) == SQLITE_OK)
		rc = OC_OK;
	while (rc == OC_OK && (step = sqlite3_step(batches)) == SQLITE_ROW)
		rc = removals_of_batch(batches, rows, take_one, ctx);
	sqlite3_finalize(batches);
	sqlite3_finalize(rows);
	return rc == OC_OK && step != SQLITE_DONE ? OC_EIO : rc;
}

static uint64_t number(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *stmt = NULL;
	int64_t value = 0;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW)
		value = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return value > 0 ? (uint64_t)value : 0;
}

uint64_t oev_facts_gap_events(sqlite3 *db)
{
	return number(db, "SELECT CAST(total([events]) AS INTEGER) FROM [gap]");
}

uint64_t oev_facts_recoveries(sqlite3 *db)
{
	return number(db, "SELECT count(*) FROM [recovery]");
}

uint64_t oev_facts_leaves(sqlite3 *db)
{
	return number(db, "SELECT CAST(total([leaves]) AS INTEGER) FROM [batch]");
}
