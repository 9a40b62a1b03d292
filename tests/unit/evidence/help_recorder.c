/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The recorder that the recorder's tests work on.
 */
#include "help_recorder.h"

#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/oev_clock.h"
#include "evidence/proof/oev_hash.h"
#include "evidence/store/oev_place.h"

#define WALL_START_US 1786140900000000u /* 2026-08-07T22:15:00Z */
#define PATIENCE_MS 20000u

struct help_recorder help_recorder;
_Atomic uint64_t help_recorder_ns;

uint64_t help_recorder_mono_ns(void)
{
	return atomic_load(&help_recorder_ns);
}

uint64_t help_recorder_wall_us(void)
{
	return WALL_START_US + atomic_load(&help_recorder_ns) / 1000u;
}

static void count_log(void *ctx, int error, const char *text)
{
	struct help_recorder *f = ctx;

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "file="));
	atomic_fetch_add(error ? &f->errors : &f->notices, 1);
}

void help_recorder_set_up(void)
{
	char path[HELP_PATH_MAX + 16];
	struct oev_why why;
	bool made;

	help_folder_make(help_recorder.base);
	snprintf(help_recorder.folder, sizeof(help_recorder.folder), "%s/e", help_recorder.base);
	mkdir(help_recorder.folder, 0755);
	snprintf(path, sizeof(path), "%s/e.key", help_recorder.base);
	oev_gcrypt_ready();
	CU_ASSERT_EQUAL_FATAL(oev_key_open(path, &help_recorder.key, &made, &why), OC_OK);
	help_recorder.journal = oev_journal_new(1024, OEV_FULL_GAP, 0);
	atomic_store(&help_recorder.errors, 0);
	atomic_store(&help_recorder.notices, 0);
	atomic_store(&help_recorder_ns, 5000000000u);
}

void help_recorder_tear_down(void)
{
	oev_journal_free(help_recorder.journal);
	oev_key_free(help_recorder.key);
	help_folder_remove(help_recorder.folder);
	help_folder_remove(help_recorder.base);
}

struct oev_recorder_conf help_recorder_conf(void)
{
	return (struct oev_recorder_conf){ .folder = help_recorder.folder,
					   .node = "dra1.example",
					   .realm = "example",
					   .policy_text = "mode: enforce\n",
					   .policy_version = 3,
					   .key = help_recorder.key,
					   .batch_max_rows = 500,
					   .batch_max_ms = 5,
					   .synchronous = OEV_SYNC_NORMAL,
					   .log = count_log,
					   .log_ctx = &help_recorder };
}

bool help_recorder_journal(uint32_t records)
{
	char path[HELP_PATH_MAX + 64], error[HELP_TEXT_MAX] = "";
	const struct oev_journal_conf conf = {
		.path = path, .records = records, .when_full = OEV_FULL_BLOCK, .block_max_ms = 10000
	};

	snprintf(path, sizeof(path), "%s/%s", help_recorder.folder, OEV_JOURNAL_FILE);
	oev_journal_free(help_recorder.journal);
	if (oev_journal_open(&help_recorder.journal, &conf, error, sizeof(error)) == OC_OK)
		return true;
	fprintf(stderr, "  help_recorder: %s\n", error);
	return false;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

size_t help_recorder_segments(char (*paths)[1024], size_t max)
{
	const struct dirent *entry;
	DIR *dir = opendir(help_recorder.folder);
	size_t count = 0;

	while (dir && (entry = readdir(dir)) != NULL && count < max)
		if (oev_place_is_segment(entry->d_name))
			snprintf(paths[count++], 1024, "%s/%s", help_recorder.folder, entry->d_name);
	if (dir)
		closedir(dir);
	qsort(paths, count, sizeof(*paths), by_name);
	return count;
}

long long help_recorder_ask_all(const char *sql)
{
	static char paths[64][1024];
	size_t count = help_recorder_segments(paths, 64);
	long long sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += help_ask_int(paths[i], sql);
	return sum;
}

void help_recorder_start(const struct oev_recorder_conf *conf)
{
	char error[HELP_TEXT_MAX] = "";

	CU_ASSERT_EQUAL_FATAL(oev_recorder_start(&help_recorder.recorder, help_recorder.journal, conf, error,
						 sizeof(error)),
			      OC_OK);
	oev_recorder_path(help_recorder.recorder, help_recorder.path, sizeof(help_recorder.path));
}

long long help_recorder_ask(const char *sql)
{
	return help_ask_int(help_recorder.path, sql);
}

int help_recorder_append(uint64_t id)
{
	struct oc_event event = help_decision(id, 6000000000u + id * 1000u);

	return oev_journal_append(help_recorder.journal, &event);
}

int help_recorder_wait(bool (*holds)(void))
{
	for (unsigned ms = 0; ms < PATIENCE_MS; ms++) {
		if (holds())
			return 0;
		oev_clock_sleep_us(1000);
	}
	return -1;
}

bool help_recorder_is_sealed(const char *path)
{
	char seal[1100];

	snprintf(seal, sizeof(seal), "%s.seal", path);
	return access(seal, F_OK) == 0;
}

void help_recorder_live(uint64_t first, uint64_t last)
{
	struct oev_recorder_conf conf = help_recorder_conf();

	CU_ASSERT_FATAL(help_recorder_journal(1024));
	help_recorder_start(&conf);
	for (uint64_t id = first; id <= last; id++)
		CU_ASSERT_EQUAL(help_recorder_append(id), OC_OK);
	oev_recorder_stop(help_recorder.recorder);
}

void help_recorder_put(char path[static HELP_PATH_MAX + 64], const char *sql)
{
	sqlite3 *db = NULL;

	snprintf(path, HELP_PATH_MAX + 64, "%s/seg-20250101T000000.db", help_recorder.folder);
	CU_ASSERT_EQUAL(sqlite3_open(path, &db), SQLITE_OK);
	sqlite3_exec(db, sql, NULL, NULL, NULL);
	sqlite3_close(db);
}
