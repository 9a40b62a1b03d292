/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Turning over bits.
 */
#include "help_flips.h"

#include <fcntl.h>
#include <gcrypt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "help_cells.h"
#include "help_evidence.h"

#define PAGE_OCTETS 1024u
#define BATCHES 2u
#define ROWS 1u /* per table and batch */
#define BITS 8u
#define TABLES_MAX 64

struct subject {
	struct help_evidence evidence;
	char path[256];
	char seal[300];
	uint8_t *file;
	uint8_t *marks;
	size_t len;
	int fd;
	struct oev_verify_memory *memory; /* makes the runs quicker; an open segment is always read */
	struct oev_hash seen;		  /* what a reader sees of the file as it was */
};

static bool read_file(struct subject *subject)
{
	struct stat info;

	if (stat(subject->path, &info) != 0)
		return false;
	subject->len = (size_t)info.st_size;
	subject->file = malloc(subject->len);
	subject->marks = calloc(subject->len, 1);
	chmod(subject->path, 0644);
	subject->fd = open(subject->path, O_RDWR);
	return subject->file != NULL && subject->marks != NULL && subject->fd >= 0 &&
	       pread(subject->fd, subject->file, subject->len, 0) == (ssize_t)subject->len;
}

/* All rows of all tables and the schema, as SQLite gives them to whoever asks, in one hash; zero when it
 * cannot read on. */
static void see(const char *path, struct oev_hash *out)
{
	sqlite3 *db = NULL;
	sqlite3_stmt *tables = NULL;
	gcry_md_hd_t md;
	int step = SQLITE_ERROR;
	bool whole = true;

	memset(out, 0, sizeof(*out));
	gcry_md_open(&md, GCRY_MD_SHA256, 0);
	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
	    sqlite3_prepare_v2(db,
			       "SELECT name, 'SELECT rowid, * FROM \"' || name || '\" NOT INDEXED ORDER BY "
			       "rowid', sql FROM"
			       " sqlite_schema WHERE type = 'table' UNION ALL SELECT name, 'SELECT 1', sql "
			       "FROM sqlite_schema"
			       " WHERE type <> 'table'",
			       -1, &tables, NULL) == SQLITE_OK)
		while (whole && (step = sqlite3_step(tables)) == SQLITE_ROW) {
			sqlite3_stmt *rows = NULL;
			int row = SQLITE_ERROR;
			const char *sql = (const char *)sqlite3_column_text(tables, 2);
			gcry_md_write(md, sql != NULL ? sql : "", sql != NULL ? strlen(sql) : 0);
			if (sqlite3_prepare_v2(db, (const char *)sqlite3_column_text(tables, 1), -1, &rows,
					       NULL) == SQLITE_OK)
				while ((row = sqlite3_step(rows)) == SQLITE_ROW)
					for (int i = 0; i < sqlite3_column_count(rows); i++) {
						int type = sqlite3_column_type(rows, i);
						const void *data = sqlite3_column_blob(rows, i);
						int len = sqlite3_column_bytes(rows, i);
						gcry_md_write(md, &type, sizeof(type));
						gcry_md_write(md, &len, sizeof(len));
						gcry_md_write(md, data != NULL ? data : "",
							      data != NULL ? (size_t)len : 0);
					}
			whole = row == SQLITE_DONE;
			sqlite3_finalize(rows);
		}
	if (whole && step == SQLITE_DONE)
		memcpy(out->octets, gcry_md_read(md, GCRY_MD_SHA256), OEV_HASH_OCTETS);
	sqlite3_finalize(tables);
	sqlite3_close(db);
	gcry_md_close(md);
}

static size_t mark_cells(struct subject *subject)
{
	uint32_t roots[TABLES_MAX];
	size_t count = 0;
	sqlite3 *db = NULL;
	sqlite3_stmt *stmt = NULL;

	if (sqlite3_open_v2(subject->path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
	    sqlite3_prepare_v2(db, "SELECT rootpage FROM sqlite_schema WHERE type = 'table'", -1, &stmt,
			       NULL) == SQLITE_OK)
		while (count < TABLES_MAX && sqlite3_step(stmt) == SQLITE_ROW)
			roots[count++] = (uint32_t)sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return help_cells_mark(subject->file, subject->len, roots, count, subject->marks);
}

/* Every bit against the digest of the seal. What stands before the octet is hashed once. */
static void flip_digest(struct subject *subject, struct help_flips *flips)
{
	gcry_md_hd_t before, md;
	uint8_t sealed[OEV_HASH_OCTETS];

	gcry_md_hash_buffer(GCRY_MD_SHA256, sealed, subject->file, subject->len);
	gcry_md_open(&before, GCRY_MD_SHA256, 0);
	for (size_t at = 0; at < subject->len; at++) {
		for (unsigned bit = 0; bit < BITS; bit++) {
			if ((at * BITS + bit) % flips->every_digest != 0)
				continue;
			uint8_t octet = (uint8_t)(subject->file[at] ^ 1u << bit);
			gcry_md_copy(&md, before);
			gcry_md_write(md, &octet, 1);
			gcry_md_write(md, subject->file + at + 1, subject->len - at - 1);
			flips->digest_missed +=
				memcmp(gcry_md_read(md, GCRY_MD_SHA256), sealed, sizeof(sealed)) == 0;
			flips->digest_bits++;
			gcry_md_close(md);
		}
		gcry_md_write(before, subject->file + at, 1);
	}
	gcry_md_close(before);
}

static void verify(const struct subject *subject, struct oev_verify_result *result)
{
	const struct oev_verify_options options = { .path = subject->evidence.folder,
						    .key = subject->evidence.key_path,
						    .memory = subject->memory };

	help_verify(&subject->evidence, &options, result);
}

static void flip_row(struct subject *subject, struct help_flips *flips, size_t at, unsigned bit)
{
	uint8_t octet = (uint8_t)(subject->file[at] ^ 1u << bit);
	struct oev_verify_result result;
	struct oev_hash seen;

	if (pwrite(subject->fd, &octet, 1, (off_t)at) != 1)
		abort();
	verify(subject, &result);
	if (result.findings_all == 0 && result.outcome <= OEV_VERIFY_UNWITNESSED) {
		see(subject->path, &seen);
		bool same = oev_hash_equal(&seen, &subject->seen);
		flips->no_change += same;
		flips->cell_no_change += same && subject->marks[at] != 0;
		flips->missed += !same;
		if (!same)
			fprintf(stderr, "bench-verify: octet %zu bit %u is missed\n", at, bit);
	}
	oev_verify_fini(&result);
	if (pwrite(subject->fd, subject->file + at, 1, (off_t)at) != 1)
		abort();
}

static void flip_rows(struct subject *subject, struct help_flips *flips)
{
	uint64_t cell = 0, other = 0;

	for (size_t at = 0; at < subject->len; at++)
		for (unsigned bit = 0; bit < BITS; bit++) {
			bool is_cell = subject->marks[at] != 0;
			uint64_t number = is_cell ? cell++ : other++;
			if (number % (is_cell ? flips->every_row_bit : flips->every) != 0)
				continue;
			flip_row(subject, flips, at, bit);
			flips->cell_bits += is_cell;
			flips->other_bits += !is_cell;
		}
}

/* Every bit of the octets before the first place of flips->behind. */
static void flip_window(struct subject *subject, struct help_flips *flips)
{
	const uint8_t *found = memmem(subject->file, subject->len, flips->behind, strlen(flips->behind));
	size_t end = found != NULL ? (size_t)(found - subject->file) : 0;

	for (size_t at = end > flips->before ? end - flips->before : 0; at < end; at++)
		for (unsigned bit = 0; bit < BITS; bit++) {
			flip_row(subject, flips, at, bit);
			flips->cell_bits++;
		}
}

/* The unsealed copy must be good as it is, or every flip would be "found". */
static bool is_good(struct subject *subject)
{
	struct oev_verify_result result;

	verify(subject, &result);
	bool good = result.findings_all == 0 && result.outcome == OEV_VERIFY_INTACT;
	if (!good)
		fprintf(stderr, "bench-verify: the segment is %s without any flip\n",
			oev_verify_outcome_text(result.outcome));
	oev_verify_fini(&result);
	return good;
}

/* A segment that nobody finished: it has no seal, and needs none. */
static bool make(struct subject *subject)
{
	struct help_evidence *evidence = &subject->evidence;

	if (!help_evidence_new(evidence))
		return false;
	evidence->page_size = PAGE_OCTETS;
	if (!help_begin(evidence))
		return false;
	for (unsigned i = 0; i < BATCHES; i++)
		if (!help_fill(evidence, ROWS) || !help_batch(evidence))
			return false;
	if (!help_checkpoint(evidence) ||
	    !help_sql(evidence, "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode=DELETE"))
		return false;
	help_leave(evidence);
	help_path(evidence, 1, subject->path);
	return read_file(subject) && is_good(subject);
}

int help_flips_run(struct help_flips *flips)
{
	struct subject subject = { .fd = -1, .memory = oev_verify_memory_new() };
	int failed = 1;

	if (make(&subject)) {
		see(subject.path, &subject.seen);
		flips->file_octets = subject.len;
		flips->cell_octets = mark_cells(&subject);
		failed = flips->cell_octets == 0;
		if (flips->behind != NULL) {
			flip_window(&subject, flips);
		} else {
			flip_digest(&subject, flips);
			flip_rows(&subject, flips);
		}
	}
	if (subject.fd >= 0)
		close(subject.fd);
	free(subject.file);
	free(subject.marks);
	oev_verify_memory_free(subject.memory);
	help_evidence_remove(&subject.evidence);
	return failed;
}
