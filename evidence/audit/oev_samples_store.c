/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Writing samples to a file of their own, whole or not at all.
 */
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "../oev_time.h"
#include "oev_samples.h"
#include "oev_telemetry.h"

static const char schema[] = "PRAGMA journal_mode=OFF; PRAGMA synchronous=FULL; BEGIN;"
			     "CREATE TABLE meta (key TEXT NOT NULL UNIQUE, value TEXT NOT NULL) STRICT;"
			     "CREATE TABLE source ( -- files that were imported\n"
			     "	id        INTEGER PRIMARY KEY,\n"
			     "	path      TEXT NOT NULL,\n"
			     "	sha256    TEXT NOT NULL,\n"
			     "	octets    INTEGER NOT NULL,\n"
			     "	format    TEXT NOT NULL, -- csv, json\n"
			     "	times     TEXT NOT NULL, -- how its times were read\n"
			     "	rows      INTEGER NOT NULL,\n"
			     "	duplicates INTEGER NOT NULL -- rows that say again what another said\n"
			     ") STRICT;"
			     "CREATE TABLE sample ( -- what one node counted of one application in "
			     "[start_us, start_us + span_us)\n"
			     "	start_us  INTEGER NOT NULL, -- UTC microseconds since 1970\n"
			     "	span_us   INTEGER NOT NULL,\n"
			     "	node      TEXT NOT NULL,\n"
			     "	realm     TEXT NOT NULL, -- '' not given\n"
			     "	app_id    INTEGER NOT NULL,\n"
			     "	requests  INTEGER NOT NULL, -- that arrived there\n"
			     "	answers   INTEGER, -- NULL not given; likewise below\n"
			     "	answers_2xxx INTEGER,\n"
			     "	answers_3xxx INTEGER, -- without 3004\n"
			     "	answers_3004 INTEGER, -- too busy\n"
			     "	answers_4xxx INTEGER,\n"
			     "	answers_5xxx INTEGER,\n"
			     "	answers_other INTEGER,\n"
			     "	useful    INTEGER, -- requests whose result the node itself calls useful\n"
			     "	source    INTEGER NOT NULL,\n"
			     "	line      INTEGER NOT NULL -- in that file\n"
			     ") STRICT";

static void bind_known(sqlite3_stmt *stmt, int at, uint64_t value)
{
	if (value == OEV_SAMPLE_UNKNOWN)
		sqlite3_bind_null(stmt, at);
	else
		sqlite3_bind_int64(stmt, at, (int64_t)value);
}

static bool step(sqlite3_stmt *stmt)
{
	bool done = sqlite3_step(stmt) == SQLITE_DONE;

	return sqlite3_reset(stmt) == SQLITE_OK && done;
}

static bool put_meta(sqlite3_stmt *stmt, const char *key, const char *value)
{
	sqlite3_bind_text(stmt, 1, key, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 2, value, -1, SQLITE_STATIC);
	return step(stmt);
}

static bool put_source(sqlite3_stmt *stmt, const struct oev_sample_source *source, int64_t id)
{
	sqlite3_bind_int64(stmt, 1, id);
	sqlite3_bind_text(stmt, 2, source->path, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 3, source->sha256, -1, SQLITE_STATIC);
	sqlite3_bind_int64(stmt, 4, (int64_t)source->octets);
	sqlite3_bind_text(stmt, 5, source->is_json ? "json" : "csv", -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 6, oev_time_unit_text(source->unit), -1, SQLITE_STATIC);
	sqlite3_bind_int64(stmt, 7, (int64_t)source->rows);
	sqlite3_bind_int64(stmt, 8, (int64_t)source->duplicates);
	return step(stmt);
}

static bool put_sample(sqlite3_stmt *stmt, const struct oev_samples *samples, const struct oev_sample *sample)
{
	const char *realm = sample->realm != 0 ? samples->names[sample->realm - 1] : "";

	sqlite3_bind_int64(stmt, 1, (int64_t)sample->start_us);
	sqlite3_bind_int64(stmt, 2, (int64_t)sample->span_us);
	sqlite3_bind_text(stmt, 3, samples->names[sample->node - 1], -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 4, realm, -1, SQLITE_STATIC);
	sqlite3_bind_int64(stmt, 5, sample->app_id);
	bind_known(stmt, 6, sample->requests);
	bind_known(stmt, 7, sample->answers);
	for (int i = 0; i < OEV_ANSWER_COUNT; i++)
		bind_known(stmt, 8 + i, sample->by_class[i]);
	bind_known(stmt, 8 + OEV_ANSWER_COUNT, sample->useful);
	sqlite3_bind_int64(stmt, 9 + OEV_ANSWER_COUNT, sample->source + 1);
	sqlite3_bind_int64(stmt, 10 + OEV_ANSWER_COUNT, sample->line);
	return step(stmt);
}

static bool put_rows(sqlite3 *db, const struct oev_samples *samples)
{
	sqlite3_stmt *source = NULL, *sample = NULL;
	bool done = sqlite3_prepare_v2(db, "INSERT INTO source VALUES (?,?,?,?,?,?,?,?)", -1, &source,
				       NULL) == SQLITE_OK &&
		    sqlite3_prepare_v2(db, "INSERT INTO sample VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", -1,
				       &sample, NULL) == SQLITE_OK;

	for (size_t i = 0; done && i < samples->source_count; i++)
		done = put_source(source, &samples->sources[i], (int64_t)i + 1);
	for (size_t i = 0; done && i < samples->count; i++)
		done = put_sample(sample, samples, &samples->items[i]);
	sqlite3_finalize(source);
	sqlite3_finalize(sample);
	return done;
}

static bool put_facts(sqlite3 *db, const char *tool, const char *by, uint64_t now_us)
{
	sqlite3_stmt *stmt = NULL;
	char number[32];
	bool done = sqlite3_prepare_v2(db, "INSERT INTO meta VALUES (?,?)", -1, &stmt, NULL) == SQLITE_OK;

	snprintf(number, sizeof(number), "%llu", (unsigned long long)now_us);
	done = done && put_meta(stmt, "schema", OEV_TELEMETRY_SCHEMA) && put_meta(stmt, "tool", tool) &&
	       put_meta(stmt, "imported_by", by) && put_meta(stmt, "imported_us", number);
	sqlite3_finalize(stmt);
	return done;
}

static bool fill(const char *path, const struct oev_samples *samples, const char *tool, const char *by,
		 uint64_t now_us, char *error, size_t error_size)
{
	sqlite3 *db = NULL;
	bool done =
		sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) == SQLITE_OK &&
		sqlite3_exec(db, schema, NULL, NULL, NULL) == SQLITE_OK && put_facts(db, tool, by, now_us) &&
		put_rows(db, samples) && sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;

	if (!done)
		snprintf(error, error_size, "%.300s: cannot be written: %.150s", path,
			 db != NULL ? sqlite3_errmsg(db) : "");
	return sqlite3_close(db) == SQLITE_OK && done;
}

/* The first free name of this second: telemetry-20261129T140000.db, then -2 and so on. False with errno. */
static bool publish(const char *temp, const char *folder, uint64_t now_us, char *path, size_t size)
{
	char when[OEV_TIME_TEXT_MAX], stamp[20], more[16] = "";
	size_t at = 0;

	oev_time_text(now_us / 1000000 * 1000000, when);
	for (const char *c = when; *c != '\0' && *c != 'Z' && at + 1 < sizeof(stamp); c++)
		if (*c != '-' && *c != ':')
			stamp[at++] = *c;
	stamp[at] = '\0';
	for (int i = 1; i < 100; i++) {
		if (i > 1)
			snprintf(more, sizeof(more), "-%d", i);
		snprintf(path, size, "%s/" OEV_TELEMETRY_PREFIX "%s%s.db", folder, stamp, more);
		if (link(temp, path) == 0)
			return true;
		if (errno != EEXIST)
			return false;
	}
	return false;
}

static void sync_folder(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
}

int oev_samples_store(struct oev_samples *samples, const char *folder, const char *tool, const char *by,
		      uint64_t now_us)
{
	char temp[4200];
	int rc = OC_OK;

	samples->stored[0] = '\0';
	if (samples->count == 0)
		return OC_OK;
	snprintf(temp, sizeof(temp), "%.4000s/.telemetry-XXXXXX", folder);
	int fd = mkstemp(temp);
	if (fd < 0) {
		snprintf(samples->error, sizeof(samples->error), "%s: cannot be written to: %s", folder,
			 strerror(errno));
		return OC_EIO;
	}
	close(fd);
	if (!fill(temp, samples, tool, by, now_us, samples->error, sizeof(samples->error))) {
		rc = OC_EIO;
	} else if (chmod(temp, 0444) != 0 ||
		   !publish(temp, folder, now_us, samples->stored, sizeof(samples->stored))) {
		snprintf(samples->error, sizeof(samples->error), "%s: cannot be sealed: %s", folder,
			 strerror(errno));
		samples->stored[0] = '\0';
		rc = OC_EIO;
	}
	unlink(temp);
	sync_folder(folder);
	return rc;
}
