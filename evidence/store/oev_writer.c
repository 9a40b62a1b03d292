/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Making, filling and finishing segment files.
 */
#include "oev_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "../../agent/oc_err.h"
#include "../../agent/oc_event.h"
#include "oev_digest.h"

#ifndef DOIC_VERSION
#define DOIC_VERSION "0.1.0"
#endif

#define SCHEMA_VERSION "3"
#define FOLDER_MODE 0750
#define FILE_MODE 0640
#define SAME_SECOND_MAX 1000u
#define STAMP_MAX 32
#define NUMBER_MAX 24

/* Where a sentence about a failure goes. */
struct complaint {
	char *text;
	size_t size;
};

__attribute__((format(printf, 3, 4))) static int complain(const struct complaint *to, int err,
							  const char *format, ...)
{
	va_list args;

	va_start(args, format);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): started in the line above */
	vsnprintf(to->text, to->size, format, args);
	va_end(args);
	return err;
}

/* Makes the folders above @folder that are not there, as the default needs on a new machine. What goes wrong here
 * is told by making @folder itself. */
static void make_parents(const char *folder)
{
	char path[OEV_SEGMENT_PATH_MAX];

	if (snprintf(path, sizeof(path), "%s", folder) >= (int)sizeof(path))
		return;
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		(void)mkdir(path, FOLDER_MODE);
		*slash = '/';
	}
}

static int make_folder(const char *folder, const struct complaint *error)
{
	struct stat found;

	if (!folder || !*folder)
		return complain(error, OC_EINVAL, "no evidence folder is given");
	make_parents(folder);
	if (mkdir(folder, FOLDER_MODE) == 0)
		return OC_OK;
	if (errno != EEXIST)
		return complain(error, OC_EIO, "evidence folder \"%s\" cannot be made: %s", folder,
				strerror(errno));
	if (stat(folder, &found) != 0)
		return complain(error, OC_EIO, "evidence folder \"%s\": %s", folder, strerror(errno));
	if (!S_ISDIR(found.st_mode))
		return complain(error, OC_EIO, "evidence folder \"%s\" is not a folder", folder);
	return OC_OK;
}

static void stamp_of(uint64_t wall_us, char out[static STAMP_MAX])
{
	time_t seconds = (time_t)(wall_us / 1000000u);
	struct tm utc = { 0 };

	gmtime_r(&seconds, &utc);
	strftime(out, STAMP_MAX, "%Y%m%dT%H%M%S", &utc);
}

/* The @n-th name for this second: "seg-20260807T101500.db", then "-2", "-3"... */
static bool name_file(struct oev_writer *segment, const char *folder, uint64_t wall_us, unsigned n)
{
	char stamp[STAMP_MAX];
	char suffix[NUMBER_MAX] = "";

	stamp_of(wall_us, stamp);
	if (n > 1)
		snprintf(suffix, sizeof(suffix), "-%u", n);
	int len = snprintf(segment->path, sizeof(segment->path), "%s/seg-%s%s.db", folder, stamp, suffix);
	return len > 0 && (size_t)len < sizeof(segment->path);
}

/* O_EXCL decides between recorders that start in the same second. */
static int make_file(struct oev_writer *segment, const char *folder, uint64_t wall_us,
		     const struct complaint *error)
{
	int fd = -1;

	for (unsigned n = 1; fd < 0 && n <= SAME_SECOND_MAX; n++) {
		if (!name_file(segment, folder, wall_us, n))
			return complain(error, OC_EINVAL, "the evidence folder's path is too long: \"%s\"",
					folder);
		fd = open(segment->path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, FILE_MODE);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd < 0)
		return complain(error, OC_EIO, "evidence segment \"%s\" cannot be made: %s", segment->path,
				strerror(errno));
	/* The umask may have taken bits that the auditors' group needs; SQLite gives -wal and -shm the same mode. */
	int rc = fchmod(fd, FILE_MODE);
	close(fd);
	return rc == 0 ? OC_OK
		       : complain(error, OC_EIO, "mode of \"%s\": %s", segment->path, strerror(errno));
}

static int put_meta(struct oev_db *db, const char *key, const char *value)
{
	struct oev_row row = oev_db_row(db, OEV_TABLE_META);

	oev_row_text(&row, key);
	oev_row_text(&row, value ? value : "");
	return oev_row_put(&row);
}

static int put_meta_number(struct oev_db *db, const char *key, uint64_t value)
{
	char text[NUMBER_MAX];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	return put_meta(db, key, text);
}

static int put_meta_hex(struct oev_db *db, const char *key, uint64_t value)
{
	char text[NUMBER_MAX];

	snprintf(text, sizeof(text), "%016" PRIx64, value);
	return put_meta(db, key, text);
}

/* Who writes this, and what. */
static int put_origin(struct oev_db *db, const struct oev_recorder_conf *conf)
{
	struct utsname system;
	const char *host = uname(&system) == 0 ? system.nodename : "";
	const struct oev_fact facts[] = {
		{ "schema", SCHEMA_VERSION },
		{ "product", "doic-agent" },
		{ "version", DOIC_VERSION },
		{ "kind", "agent" },
		{ "node", conf->node },
		{ "realm", conf->realm },
		{ "host", host },
	};
	int rc = OC_OK;

	for (size_t i = 0; rc == OC_OK && i < sizeof(facts) / sizeof(facts[0]); i++)
		rc = put_meta(db, facts[i].key, facts[i].value);
	for (size_t i = 0; rc == OC_OK && i < conf->fact_count; i++)
		rc = put_meta(db, conf->facts[i].key, conf->facts[i].value);
	return rc;
}

static int put_part(struct oev_db *db, const struct oev_part *part)
{
	int rc = put_meta_number(db, "pid", (uint64_t)getpid());

	if (rc == OC_OK)
		rc = put_meta_hex(db, "run", part->run_id);
	if (rc == OC_OK)
		rc = put_meta_number(db, "part", part->number);
	if (rc == OC_OK)
		rc = put_meta_number(db, "base_ns", part->now.mono_ns);
	if (rc == OC_OK)
		rc = put_meta_number(db, "started_us", part->now.wall_us);
	return rc == OC_OK ? put_meta_number(db, "journal_records", part->journal_records) : rc;
}

/* The words for the small numbers of decision and outcome, from the same tables the program uses. */
static const struct {
	const char *kind;
	unsigned count;
	const char *(*text)(unsigned value);
} codes[] = {
	{ "verdict", OC_VERDICT_COUNT, oc_verdict_text },
	{ "why", OC_WHY_COUNT, oc_why_text },
	{ "scope", OC_SCOPE_COUNT, oc_scope_text },
	{ "maker", OC_MADE_COUNT, oc_maker_text },
};

static int put_code(struct oev_db *db, const char *kind, unsigned value, const char *text)
{
	struct oev_row row = oev_db_row(db, OEV_TABLE_CODE);

	oev_row_text(&row, kind);
	oev_row_int(&row, value);
	oev_row_text(&row, text);
	return oev_row_put(&row);
}

static int put_codes(struct oev_db *db)
{
	int rc = OC_OK;

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		for (unsigned value = 0; rc == OC_OK && value < codes[i].count; value++)
			rc = put_code(db, codes[i].kind, value, codes[i].text(value));
	return rc;
}

int oev_writer_put_policy(struct oev_writer *segment, const char *text, uint32_t version,
			  const struct oev_moment *from)
{
	struct oev_row row = oev_db_row(segment->db, OEV_TABLE_POLICY);
	char digest[OEV_SHA256_HEX];

	oev_digest_sha256_hex(text, strlen(text), digest);
	oev_row_int(&row, version);
	oev_row_bits(&row, from->mono_ns);
	oev_row_bits(&row, from->wall_us);
	oev_row_text(&row, digest);
	oev_row_text(&row, text);
	return oev_row_put(&row);
}

/* The clock's key is its monotonic time: a pair of the same moment is there already. */
int oev_writer_put_clock(struct oev_writer *segment, const struct oev_moment *now)
{
	struct oev_row row = oev_db_row(segment->db, OEV_TABLE_CLOCK);

	oev_row_bits(&row, now->mono_ns);
	oev_row_bits(&row, now->wall_us);
	int rc = oev_row_put(&row);
	return rc == OC_EREFUSED ? OC_OK : rc;
}

int oev_writer_put_gap(struct oev_writer *segment, const struct oev_moment *now, uint64_t events,
		       const char *reason)
{
	if (events == 0)
		return OC_OK;
	struct oev_row row = oev_db_row(segment->db, OEV_TABLE_GAP);
	oev_row_bits(&row, now->mono_ns);
	oev_row_bits(&row, now->wall_us);
	oev_row_bits(&row, events);
	oev_row_text(&row, reason);
	return oev_row_put(&row);
}

static int put_first_rows(struct oev_writer *segment, const struct oev_recorder_conf *conf,
			  const struct oev_part *part)
{
	int rc = oev_db_begin(segment->db);

	if (rc == OC_OK)
		rc = put_origin(segment->db, conf);
	if (rc == OC_OK)
		rc = put_part(segment->db, part);
	if (rc == OC_OK)
		rc = put_codes(segment->db);
	if (rc == OC_OK)
		rc = oev_writer_put_policy(segment, conf->policy_text ? conf->policy_text : "",
					   conf->policy_version, &part->now);
	if (rc == OC_OK)
		rc = oev_writer_put_clock(segment, &part->now);
	return rc == OC_OK ? oev_db_commit(segment->db) : rc;
}

static void remove_files(const struct oev_writer *segment)
{
	static const char *const suffixes[] = { "", "-wal", "-shm", "-journal" };
	char path[OEV_SEGMENT_PATH_MAX + STAMP_MAX];

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		snprintf(path, sizeof(path), "%s%s", segment->path, suffixes[i]);
		unlink(path);
	}
}

int oev_writer_open(struct oev_writer *out, const struct oev_recorder_conf *conf, const struct oev_part *part,
		    char *error, size_t error_size)
{
	struct complaint complaint = { .text = error, .size = error_size };
	int rc = make_folder(conf->folder, &complaint);

	if (rc == OC_OK)
		rc = make_file(out, conf->folder, part->now.wall_us, &complaint);
	if (rc != OC_OK)
		return rc;
	oev_digest_init();
	rc = oev_db_open(&out->db, out->path, conf->synchronous, error, error_size);
	if (rc == OC_OK && put_first_rows(out, conf, part) != OC_OK)
		rc = complain(&complaint, OC_EIO, "evidence segment \"%s\" cannot be written: %s", out->path,
			      oev_db_error(out->db));
	if (rc == OC_OK)
		return OC_OK;
	oev_writer_close(out);
	remove_files(out);
	return rc;
}

int oev_writer_finish(struct oev_writer *segment, const struct oev_moment *now, const char *how)
{
	int rc = oev_db_begin(segment->db);

	if (rc == OC_OK)
		rc = oev_writer_put_clock(segment, now);
	if (rc == OC_OK)
		rc = put_meta_number(segment->db, "closed_us", now->wall_us);
	if (rc == OC_OK)
		rc = put_meta(segment->db, "closed_how", how);
	if (rc == OC_OK)
		rc = oev_db_commit(segment->db);
	oev_db_rollback(segment->db); /* does nothing after a commit */
	return rc;
}

void oev_writer_close(struct oev_writer *segment)
{
	oev_db_free(segment->db);
	segment->db = NULL;
}
