/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Three ways to open a segment: as it is, immutable, or as a private copy with its WAL.
 */
#include "oev_query_open.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "../proof/oev_file.h"

#define PATH_MAX_BYTES 4096u
#define BUSY_MS 2000

/* "file:" URI of @path: everything but plain characters is escaped. */
static int make_uri(char *uri, size_t size, const char *path, const char *query)
{
	size_t at = (size_t)snprintf(uri, size, "file:");

	for (const char *c = path; *c != '\0'; c++) {
		bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
			     (*c >= '0' && *c <= '9') || strchr("/-_.", *c) != NULL;
		if (at + 4 >= size)
			return OC_ENOSPC;
		at += (size_t)snprintf(uri + at, size - at, plain ? "%c" : "%%%02X", (unsigned char)*c);
	}
	return (size_t)snprintf(uri + at, size - at, "?%s", query) < size - at ? OC_OK : OC_ENOSPC;
}

/* Opens and reads the first page, which is where a bad file or an unreachable WAL shows. SQLite code. */
static int try_open(const char *path, const char *query, sqlite3 **db)
{
	char uri[3 * PATH_MAX_BYTES];

	if (make_uri(uri, sizeof(uri), path, query) != OC_OK)
		return SQLITE_CANTOPEN;
	int rc = sqlite3_open_v2(uri, db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
	if (rc == SQLITE_OK) {
		sqlite3_busy_timeout(*db, BUSY_MS);
		rc = sqlite3_exec(*db,
				  "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; BEGIN;"
				  " SELECT count(*) FROM sqlite_schema",
				  NULL, NULL, NULL);
	}
	if (rc != SQLITE_OK) {
		sqlite3_close(*db);
		*db = NULL;
	}
	return rc;
}

static bool wal_holds_rows(const char *path)
{
	char wal[PATH_MAX_BYTES + 8];
	struct stat info;

	snprintf(wal, sizeof(wal), "%s-wal", path);
	return stat(wal, &info) == 0 && info.st_size > 0;
}

static int copy_file(const char *from, const char *to)
{
	static const size_t block = 1u << 20;
	FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
	char *buf = malloc(block);
	int rc = in != NULL && out != NULL && buf != NULL ? OC_OK : OC_EIO;

	while (rc == OC_OK) {
		size_t got = fread(buf, 1, block, in);
		if (got == 0)
			break;
		if (fwrite(buf, 1, got, out) != got)
			rc = OC_EIO;
	}
	if (rc == OC_OK && ferror(in))
		rc = OC_EIO;
	free(buf);
	if (in != NULL)
		fclose(in);
	if (out != NULL && fclose(out) != 0)
		rc = OC_EIO;
	return rc;
}

/* Reads a copy. Its files are unlinked once SQLite has them open, so that nothing stays behind. */
static int open_copy(const char *path, sqlite3 **db)
{
	const char *base = getenv("TMPDIR");
	char folder[PATH_MAX_BYTES], from[PATH_MAX_BYTES + 8], to[PATH_MAX_BYTES + 32];
	int rc = SQLITE_CANTOPEN;

	snprintf(folder, sizeof(folder), "%s/doic-audit-XXXXXX", base != NULL ? base : "/tmp");
	if (mkdtemp(folder) == NULL)
		return rc;
	snprintf(from, sizeof(from), "%s-wal", path);
	snprintf(to, sizeof(to), "%s/seg.db-wal", folder);
	if (copy_file(from, to) == OC_OK) {
		snprintf(to, sizeof(to), "%s/seg.db", folder);
		if (copy_file(path, to) == OC_OK)
			rc = try_open(to, "mode=ro", db);
	}
	static const char *const leftovers[] = { "seg.db", "seg.db-wal", "seg.db-shm" };
	for (size_t i = 0; i < sizeof(leftovers) / sizeof(leftovers[0]); i++) {
		snprintf(to, sizeof(to), "%s/%s", folder, leftovers[i]);
		unlink(to);
	}
	rmdir(folder);
	return rc;
}

int oev_query_open(const char *path, sqlite3 **db, char *error, size_t error_size)
{
	struct stat info;

	if (!oev_file_is_database(path) || stat(path, &info) != 0 || access(path, R_OK) != 0) {
		snprintf(error, error_size, "%s: %s", path, oev_file_problem(errno));
		return OC_EIO;
	}
	bool tail = wal_holds_rows(path);
	bool sealed = !tail && ((info.st_mode & 0222) == 0 || access(path, W_OK) != 0);
	int rc = try_open(path, sealed ? "mode=ro&immutable=1" : "mode=ro", db);
	if (rc != SQLITE_OK && rc != SQLITE_NOTADB && !sealed)
		rc = tail ? open_copy(path, db) : try_open(path, "mode=ro&immutable=1", db);
	if (rc == SQLITE_OK)
		return OC_OK;
	snprintf(error, error_size, "%s: %s", path,
		 rc == SQLITE_NOTADB ? "not an evidence segment (not a SQLite database; a capture goes "
				       "through doic import first)"
				     : sqlite3_errstr(rc));
	return rc == SQLITE_NOTADB ? OC_EMALFORMED : OC_EIO;
}
