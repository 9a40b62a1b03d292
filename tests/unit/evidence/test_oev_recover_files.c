/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the start over a folder in which lie files that are not ours, or no files at all.
 */
#include "help_recorder.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

void test_oev_recover_files_suite(void);

static char paths[64][1024];

static void test_oev_recover_leaves_files_of_others_alone(void)
{
	char path[HELP_PATH_MAX + 64];

	help_recorder_put(
		path, "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);"
		      "INSERT INTO meta VALUES ('schema', '3'), ('node', 'dra2.example'), ('kind', 'agent')");
	help_recorder_live(1, 10);
	CU_ASSERT_FALSE(help_recorder_is_sealed(path));
	CU_ASSERT_EQUAL(access(path, F_OK), 0);
}

static void test_oev_recover_file_without_a_row_is_removed(void)
{
	char path[HELP_PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/seg-20250101T000000.db", help_recorder.folder);
	close(open(path, O_CREAT | O_WRONLY, 0600));
	help_recorder_live(1, 10);
	CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
}

static void test_oev_recover_file_that_is_no_database_is_told_and_left(void)
{
	char path[HELP_PATH_MAX + 64];
	FILE *file;

	snprintf(path, sizeof(path), "%s/seg-20250101T000000.db", help_recorder.folder);
	file = fopen(path, "w");
	fputs("This is no database, but it is longer than nothing, and somebody may still want to look at "
	      "it.",
	      file);
	fclose(file);
	help_recorder_live(1, 10);
	CU_ASSERT_EQUAL(access(path, F_OK), 0);
	CU_ASSERT_EQUAL(atomic_load(&help_recorder.errors), 1);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM decision"), 10);
}

/* Opening a pipe would wait for its writer. */
static void test_oev_recover_pipe_in_place_of_a_file_is_told_and_left(void)
{
	static const char *const names[] = { "seg-20250101T000000.db", "seg-20250101T000000.db-journal",
					     "seg-20250101T000000.db.seal" };
	char path[HELP_PATH_MAX + 64];

	alarm(30);
	help_recorder_live(1, 10);
	help_recorder_segments(paths, 64);
	CU_ASSERT_FATAL(help_recorder_is_sealed(paths[0]));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", help_recorder.folder, names[i]);
		CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
	}
	CU_ASSERT_EQUAL(chmod(paths[0], 0600), 0); /* a sealed one too */
	CU_ASSERT(unlink(paths[0]) == 0 && mkfifo(paths[0], 0600) == 0);
	help_recorder_live(11, 20);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM decision"), 10);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", help_recorder.folder, names[i]);
		CU_ASSERT_EQUAL(unlink(path), 0); /* still there */
	}
	unlink(paths[0]);
	alarm(0);
}

void test_oev_recover_files_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oev_recover_files", NULL, NULL,
							       help_recorder_set_up, help_recorder_tear_down);

	CU_add_test(suite, "files_of_others", test_oev_recover_leaves_files_of_others_alone);
	CU_add_test(suite, "file_without_a_row", test_oev_recover_file_without_a_row_is_removed);
	CU_add_test(suite, "no_database", test_oev_recover_file_that_is_no_database_is_told_and_left);
	CU_add_test(suite, "pipe_in_place_of_a_file",
		    test_oev_recover_pipe_in_place_of_a_file_is_told_and_left);
}
