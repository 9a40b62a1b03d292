/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Bulk inserts by SQLite alone.
 */
#include "recorder_bare.h"

#include <sqlite3.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "evidence/oev_clock.h"
#include "evidence/store/oev_tables.h"

#define COLUMNS_MAX 18u
#define SQL_MAX 8192

struct values {
	uint32_t nulls;
	int64_t values[COLUMNS_MAX];
};

struct rows {
	enum oev_table table;
	uint32_t columns; /* rowid included */
	uint32_t count;
	struct values *all;
};

struct bare {
	struct rows decisions;
	struct rows outcomes;
	char schema[2][SQL_MAX]; /* of the two tables */
	int page_octets;
};

__attribute__((format(printf, 1, 2), noreturn)) static void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fprintf(stderr, "bench-recorder: ");
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	exit(2);
}

static void execute(sqlite3 *db, const char *sql)
{
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		die("%s in %s", sqlite3_errmsg(db), sql);
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *stmt;

	if (sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt, NULL) != SQLITE_OK)
		die("%s in %s", sqlite3_errmsg(db), sql);
	return stmt;
}

static void take_row(struct rows *rows, sqlite3_stmt *stmt)
{
	struct values *row = &rows->all[rows->count++];

	for (uint32_t i = 0; i < rows->columns; i++) {
		row->values[i] = sqlite3_column_int64(stmt, (int)i);
		row->nulls |= (uint32_t)(sqlite3_column_type(stmt, (int)i) == SQLITE_NULL) << i;
	}
}

static void load(sqlite3 *db, enum oev_table table, struct rows *rows, char schema[static SQL_MAX])
{
	const struct oev_shape *shape = oev_table_shape(table);
	char sql[512];

	rows->table = table;
	rows->columns = oev_table_columns(table) + 1;
	snprintf(sql, sizeof(sql),
		 "SELECT sql, (SELECT count(*) FROM %s) FROM sqlite_schema WHERE name = '%s'", shape->name,
		 shape->name);
	sqlite3_stmt *stmt = prepare(db, sql);
	sqlite3_step(stmt);
	snprintf(schema, SQL_MAX, "%s", (const char *)sqlite3_column_text(stmt, 0));
	rows->all = calloc((size_t)sqlite3_column_int64(stmt, 1), sizeof(*rows->all));
	sqlite3_finalize(stmt);
	if (!rows->all)
		die("out of memory");
	snprintf(sql, sizeof(sql), shape->key ? "SELECT * FROM %s" : "SELECT rowid, * FROM %s", shape->name);
	stmt = prepare(db, sql);
	while (sqlite3_step(stmt) == SQLITE_ROW)
		take_row(rows, stmt);
	sqlite3_finalize(stmt);
}

struct bare *bare_load(const char *path)
{
	struct bare *bare = calloc(1, sizeof(*bare));
	sqlite3 *db;

	if (!bare || sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
		die("%s cannot be read", path);
	load(db, OEV_TABLE_DECISION, &bare->decisions, bare->schema[0]);
	load(db, OEV_TABLE_OUTCOME, &bare->outcomes, bare->schema[1]);
	sqlite3_stmt *stmt = prepare(db, "PRAGMA page_size");
	sqlite3_step(stmt);
	bare->page_octets = sqlite3_column_int(stmt, 0);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return bare;
}

void bare_free(struct bare *bare)
{
	free(bare->decisions.all);
	free(bare->outcomes.all);
	free(bare);
}

/* As the recorder opens its segments. */
static sqlite3 *open_like_a_segment(const struct bare *bare, const char *path)
{
	char sql[128];
	sqlite3 *db;

	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
			    NULL) != SQLITE_OK)
		die("%s cannot be made", path);
	snprintf(sql, sizeof(sql), "PRAGMA page_size = %d", bare->page_octets);
	execute(db, sql);
	execute(db, "PRAGMA journal_mode = WAL");
	snprintf(sql, sizeof(sql), "PRAGMA wal_autocheckpoint = %d", 32768000 / bare->page_octets);
	execute(db, sql);
	execute(db, "PRAGMA cache_size = -8192; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY");
	execute(db, bare->schema[0]);
	execute(db, bare->schema[1]);
	return db;
}

static sqlite3_stmt *prepare_insert(sqlite3 *db, const struct rows *rows, uint32_t group)
{
	static char sql[1 << 16];
	size_t at = oev_table_insert(rows->table, sql);

	for (uint32_t row = 0; row < group; row++) {
		at += (size_t)snprintf(sql + at, sizeof(sql) - at, row ? ", (?" : "VALUES (?");
		for (uint32_t i = 1; i < rows->columns; i++)
			at += (size_t)snprintf(sql + at, sizeof(sql) - at, ", ?");
		at += (size_t)snprintf(sql + at, sizeof(sql) - at, ")");
	}
	return prepare(db, sql);
}

static void insert(sqlite3_stmt *stmt, const struct rows *rows, uint32_t first, uint32_t group)
{
	int parameter = 1;

	for (uint32_t row = first; row < first + group; row++) {
		const struct values *values = &rows->all[row];
		for (uint32_t i = 0; i < rows->columns; i++, parameter++) {
			if (values->nulls >> i & 1u)
				sqlite3_bind_null(stmt, parameter);
			else
				sqlite3_bind_int64(stmt, parameter, values->values[i]);
		}
	}
	if (sqlite3_step(stmt) != SQLITE_DONE)
		die("a row is refused: %s", sqlite3_errmsg(sqlite3_db_handle(stmt)));
	sqlite3_reset(stmt);
}

/* Rows [@first, @last) in groups; what is left of a group is left out. Returns how many were written. */
static uint32_t insert_range(sqlite3_stmt *stmt, const struct rows *rows, uint32_t first, uint32_t last,
			     uint32_t group)
{
	uint32_t at = first;

	for (; at + group <= last && at + group <= rows->count; at += group)
		insert(stmt, rows, at, group);
	return at - first;
}

static uint64_t write_all(const struct bare *bare, sqlite3 *db, uint32_t transaction, uint32_t group)
{
	sqlite3_stmt *decision = prepare_insert(db, &bare->decisions, group);
	sqlite3_stmt *outcome = prepare_insert(db, &bare->outcomes, group);
	uint32_t half = transaction / 2;
	uint64_t written = 0;

	for (uint32_t at = 0; at < bare->decisions.count || at < bare->outcomes.count; at += half) {
		execute(db, "BEGIN IMMEDIATE");
		written += insert_range(decision, &bare->decisions, at, at + half, group);
		written += insert_range(outcome, &bare->outcomes, at, at + half, group);
		execute(db, "COMMIT");
	}
	sqlite3_finalize(decision);
	sqlite3_finalize(outcome);
	return written;
}

double bare_run(const struct bare *bare, const char *path, uint32_t transaction, uint32_t group)
{
	char beside[1024];
	sqlite3 *db = open_like_a_segment(bare, path);
	uint64_t before_ns = oev_clock_thread_ns();
	uint64_t rows = write_all(bare, db, transaction, group);
	double took_s = (double)(oev_clock_thread_ns() - before_ns) / 1e9;

	sqlite3_close(db);
	unlink(path);
	snprintf(beside, sizeof(beside), "%s-wal", path);
	unlink(beside);
	snprintf(beside, sizeof(beside), "%s-shm", path);
	unlink(beside);
	return (double)rows / took_s;
}
