/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of files: seals, what lies beside them, what is altered outside the rows, what is no segment.
 */
#include <CUnit/CUnit.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "help_evidence.h"

void test_oev_verify_file_suite(void);

struct scene {
	struct help_evidence evidence;
	struct oev_verify_result result;
	char path[256]; /* the first of two segments */
	char other[300];
};

static void begin(struct scene *scene)
{
	memset(scene, 0, sizeof(*scene));
	CU_ASSERT_FATAL(help_evidence_new(&scene->evidence) && help_whole(&scene->evidence, 2, 3, 4));
	help_path(&scene->evidence, 1, scene->path);
}

static void end(struct scene *scene)
{
	oev_verify_fini(&scene->result);
	help_evidence_remove(&scene->evidence);
}

static void beside(struct scene *scene, const char *suffix)
{
	snprintf(scene->other, sizeof(scene->other), "%s%s", scene->path, suffix);
}

static void expect(struct scene *scene, enum oev_verify_outcome outcome, enum oev_verify_kind kind)
{
	help_expect(&scene->evidence, NULL, outcome, kind, "", -1, &scene->result);
}

/* Turns over the bit @bit of octet @at. */
static void flip(const char *path, off_t at, unsigned bit)
{
	int fd;
	uint8_t octet = 0;

	chmod(path, 0644);
	fd = open(path, O_RDWR);
	CU_ASSERT_EQUAL(pread(fd, &octet, 1, at), 1);
	octet ^= (uint8_t)(1u << bit);
	CU_ASSERT_EQUAL(pwrite(fd, &octet, 1, at), 1);
	close(fd);
	chmod(path, 0444);
}

static off_t size_of(const char *path)
{
	struct stat info;

	return stat(path, &info) == 0 ? info.st_size : 0;
}

static void test_a_removed_seal_is_said(void)
{
	struct scene scene;

	begin(&scene);
	beside(&scene, ".seal");
	unlink(scene.other);
	expect(&scene, OEV_VERIFY_UNSEALED, OEV_KIND_SEAL);
	CU_ASSERT_EQUAL(scene.result.segments[0].state, OEV_SEGMENT_UNSEALED);
	end(&scene);
}

static void test_a_seal_of_something_else_is_said(void)
{
	struct scene scene;

	begin(&scene);
	beside(&scene, ".seal");
	CU_ASSERT(help_append(scene.other, "more\n"));
	expect(&scene, OEV_VERIFY_ALTERED, OEV_KIND_SEAL);
	end(&scene);
}

static void test_a_wal_beside_a_sealed_segment_is_said(void)
{
	struct scene scene;

	begin(&scene);
	beside(&scene, "-wal");
	CU_ASSERT(help_append(scene.other, "anything"));
	expect(&scene, OEV_VERIFY_LEFTOVER, OEV_KIND_LEFTOVER);
	end(&scene);
	begin(&scene);
	beside(&scene, "-journal");
	CU_ASSERT(help_append(scene.other, "anything"));
	expect(&scene, OEV_VERIFY_LEFTOVER, OEV_KIND_LEFTOVER);
	end(&scene);
}

/* Octets that SQLite does not use: the application's number in the header (68), which changes no row. */
static void test_a_change_outside_the_rows_is_said(void)
{
	struct scene scene;

	begin(&scene);
	flip(scene.path, 68, 3);
	expect(&scene, OEV_VERIFY_ALTERED, OEV_KIND_OUTSIDE_ROWS);
	const struct oev_verify_finding *first = oev_verify_first(&scene.result);
	CU_ASSERT(first != NULL && strlen(first->expected) == 64 &&
		  strcmp(first->expected, first->found) != 0);
	end(&scene);
}

static void test_a_page_that_cannot_be_read_is_named(void)
{
	struct scene scene;

	begin(&scene);
	flip(scene.path, 5 * 4096, 4); /* kind of page 6 */
	expect(&scene, OEV_VERIFY_ALTERED, OEV_KIND_PAGE);
	CU_ASSERT_EQUAL(oev_verify_first(&scene.result)->page, 6);
	end(&scene);
}

static void test_a_file_cut_short_is_cut(void)
{
	struct scene scene;

	begin(&scene);
	chmod(scene.path, 0644);
	CU_ASSERT_EQUAL(truncate(scene.path, size_of(scene.path) - 4096), 0);
	expect(&scene, OEV_VERIFY_CUT, OEV_KIND_SIZE);
	end(&scene);
}

static void test_another_schema_is_said(void)
{
	static const char *const changes[] = {
		"CREATE INDEX i ON decision (way)",
		"DROP VIEW v_population; CREATE VIEW v_population AS SELECT 0 AS matched",
		"CREATE TABLE more (x)",
		"ALTER TABLE ocs_change RENAME COLUMN matched TO found",
		"CREATE TRIGGER t AFTER INSERT ON decision BEGIN SELECT 1; END",
	};

	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		struct scene scene;
		begin(&scene);
		CU_ASSERT(help_alter(&scene.evidence, scene.path, changes[i]));
		expect(&scene, OEV_VERIFY_ALTERED, OEV_KIND_SCHEMA);
		end(&scene);
	}
}

static void test_what_is_no_database_is_altered_evidence_when_a_seal_says_so(void)
{
	struct scene scene;

	begin(&scene);
	flip(scene.path, 3, 0);
	expect(&scene, OEV_VERIFY_ALTERED, OEV_KIND_FORMAT);
	end(&scene);
}

static void test_a_folder_of_other_files_is_no_evidence(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;
	char path[256];

	CU_ASSERT_FATAL(help_evidence_new(&evidence));
	unlink(evidence.folder_key);
	help_path(&evidence, 1, path);
	CU_ASSERT(help_append(path, "this is no database, and never was one"));
	help_verify(&evidence, &(struct oev_verify_options){ .path = evidence.folder }, &result);
	CU_ASSERT_EQUAL(result.outcome, OEV_VERIFY_NOT_EVIDENCE);
	CU_ASSERT_EQUAL(oev_verify_exit(result.outcome), 4);
	CU_ASSERT_NOT_EQUAL(strlen(result.error), 0);
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

/* The folder above those of an import: which of them to name is said. */
static void test_folder_above_the_evidence_names_it(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;
	char hint[300];

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 1, 1, 1));
	help_verify(&evidence, &(struct oev_verify_options){ .path = evidence.base }, &result);
	CU_ASSERT_EQUAL(result.outcome, OEV_VERIFY_NOT_EVIDENCE);
	snprintf(hint, sizeof(hint),
		 "no segments (seg-*.db) in it; of an import, name the folder of one node: %s",
		 evidence.folder);
	CU_ASSERT_PTR_NOT_NULL(strstr(result.error, hint));
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

static void test_no_such_folder_or_file_is_not_found(void)
{
	struct scene scene;

	begin(&scene);
	help_verify(&scene.evidence, &(struct oev_verify_options){ .path = "/nowhere/at/all" },
		    &scene.result);
	CU_ASSERT_EQUAL(scene.result.outcome, OEV_VERIFY_NOT_FOUND);
	oev_verify_fini(&scene.result);
	help_verify(&scene.evidence,
		    &(struct oev_verify_options){ .path = scene.evidence.folder, .key = "/nowhere/key.txt" },
		    &scene.result);
	CU_ASSERT_EQUAL(scene.result.outcome, OEV_VERIFY_NOT_FOUND);
	oev_verify_fini(&scene.result);
	help_verify(
		&scene.evidence,
		&(struct oev_verify_options){ .path = scene.evidence.folder, .checkpoint = "/nowhere/notes" },
		&scene.result);
	CU_ASSERT_EQUAL(scene.result.outcome, OEV_VERIFY_NOT_FOUND);
	end(&scene);
}

static void test_a_newer_schema_asks_for_a_newer_program(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;

	CU_ASSERT_FATAL(help_evidence_new(&evidence) && help_whole(&evidence, 1, 3, 4));
	evidence.schema = 5;
	CU_ASSERT(help_whole(&evidence, 1, 3, 4));
	help_verify(&evidence, NULL, &result);
	CU_ASSERT_EQUAL(result.outcome, OEV_VERIFY_NEWER_FORMAT);
	CU_ASSERT_PTR_NOT_NULL(strstr(result.error, "newer doic"));
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

static void test_segments_of_the_schema_before_are_verified_too(void)
{
	struct help_evidence evidence;
	struct oev_verify_result result;
	char path[256];

	CU_ASSERT_FATAL(help_evidence_new(&evidence));
	evidence.schema = 3;
	CU_ASSERT_FATAL(help_whole(&evidence, 2, 3, 4));
	evidence.schema = 4;
	CU_ASSERT_FATAL(help_whole(&evidence, 1, 3, 4));
	help_verify(&evidence, NULL, &result);
	CU_ASSERT_EQUAL(result.findings_all, 0);
	CU_ASSERT_EQUAL(result.outcome, OEV_VERIFY_INTACT);
	oev_verify_fini(&result);
	help_path(&evidence, 1, path);
	CU_ASSERT(help_alter(&evidence, path, "UPDATE decision SET at_ns = at_ns + 1 WHERE rowid = 5"));
	help_expect(&evidence, NULL, OEV_VERIFY_ALTERED, OEV_KIND_ROW, "decision", 5, &result);
	oev_verify_fini(&result);
	help_evidence_remove(&evidence);
}

static void test_a_renamed_segment_is_still_whole(void)
{
	struct scene scene;
	char seal[300], to[300];

	begin(&scene);
	beside(&scene, ".seal");
	snprintf(seal, sizeof(seal), "%s", scene.other);
	snprintf(to, sizeof(to), "%s/seg-renamed.db", scene.evidence.folder);
	CU_ASSERT_EQUAL(rename(scene.path, to), 0);
	snprintf(to, sizeof(to), "%s/seg-renamed.db.seal", scene.evidence.folder);
	CU_ASSERT_EQUAL(rename(seal, to), 0);
	help_verify(&scene.evidence, NULL, &scene.result);
	CU_ASSERT_EQUAL(scene.result.outcome, OEV_VERIFY_INTACT);
	end(&scene);
}

/* In place of a segment that was sealed: opening a pipe might never end, and reading zeroes would not. */
static void test_what_is_no_file_does_not_hang(void)
{
	struct scene scene;

	alarm(20);
	begin(&scene);
	CU_ASSERT(unlink(scene.path) == 0 && mkfifo(scene.path, 0600) == 0);
	expect(&scene, OEV_VERIFY_UNREADABLE, OEV_KIND_FORMAT);
	end(&scene);
	begin(&scene);
	CU_ASSERT(unlink(scene.path) == 0 && symlink("/dev/zero", scene.path) == 0);
	expect(&scene, OEV_VERIFY_UNREADABLE, OEV_KIND_FORMAT);
	end(&scene);
	begin(&scene);
	CU_ASSERT(unlink(scene.path) == 0 && mkdir(scene.path, 0700) == 0);
	expect(&scene, OEV_VERIFY_UNREADABLE, OEV_KIND_FORMAT);
	rmdir(scene.path);
	end(&scene);
	alarm(0);
}

/* Beside a segment, in place of keys and checkpoints, and of a database's own files while it is not sealed. */
static void test_pipes_beside_a_segment_do_not_hang(void)
{
	static const char *const suffixes[] = { ".seal", "-journal", "-wal", "-shm" };
	struct scene scene;
	char pipe_path[300];

	alarm(20);
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		begin(&scene);
		beside(&scene, ".seal");
		CU_ASSERT_EQUAL(unlink(scene.other), 0);
		beside(&scene, suffixes[i]);
		CU_ASSERT_EQUAL(mkfifo(scene.other, 0600), 0);
		help_verify(&scene.evidence, NULL, &scene.result);
		CU_ASSERT(scene.result.outcome != OEV_VERIFY_INTACT);
		end(&scene);
	}
	begin(&scene);
	snprintf(pipe_path, sizeof(pipe_path), "%s/pipe", scene.evidence.base);
	CU_ASSERT_EQUAL(mkfifo(pipe_path, 0600), 0);
	oev_verify_folder(&scene.result,
			  &(struct oev_verify_options){ .path = scene.evidence.folder, .key = pipe_path });
	CU_ASSERT_EQUAL(scene.result.outcome, OEV_VERIFY_UNREADABLE);
	CU_ASSERT_PTR_NOT_NULL(strstr(scene.result.error, "not a regular file"));
	oev_verify_fini(&scene.result);
	oev_verify_folder(&scene.result, &(struct oev_verify_options){ .path = scene.evidence.folder,
								       .checkpoint = pipe_path });
	CU_ASSERT_EQUAL(scene.result.outcome, OEV_VERIFY_UNREADABLE);
	end(&scene);
	alarm(0);
}

/* Whoever made the folder made it, too. */
static void test_key_of_the_folder_itself_confirms_nothing(void)
{
	struct scene scene;
	char copy[300], command[700], line[300];

	begin(&scene);
	snprintf(copy, sizeof(copy), "%s/key.txt", scene.evidence.base);
	snprintf(command, sizeof(command), "cp %s %s", scene.evidence.folder_key, copy);
	CU_ASSERT_EQUAL(system(command), 0);
	oev_verify_folder(&scene.result, &(struct oev_verify_options){ .path = scene.evidence.folder,
								       .key = scene.evidence.folder_key });
	CU_ASSERT_EQUAL(scene.result.outcome, OEV_VERIFY_UNWITNESSED);
	CU_ASSERT(scene.result.is_key_of_folder);
	oev_verify_line(&scene.result, line, sizeof(line));
	CU_ASSERT_PTR_NOT_NULL(strstr(line, "the key given is the folder's own"));
	oev_verify_fini(&scene.result);
	oev_verify_folder(&scene.result, &(struct oev_verify_options){ .path = scene.evidence.folder,
								       .key = scene.evidence.folder_key,
								       .accept_unwitnessed = true });
	CU_ASSERT_EQUAL(scene.result.outcome, OEV_VERIFY_INTACT);
	oev_verify_fini(&scene.result);
	oev_verify_folder(&scene.result,
			  &(struct oev_verify_options){ .path = scene.evidence.folder, .key = copy });
	CU_ASSERT_EQUAL(scene.result.outcome, OEV_VERIFY_INTACT);
	CU_ASSERT_FALSE(scene.result.is_key_of_folder);
	oev_verify_fini(&scene.result);
	snprintf(copy, sizeof(copy), "%s/another.txt", scene.evidence.folder);
	snprintf(command, sizeof(command), "cp %s %s", scene.evidence.folder_key, copy);
	CU_ASSERT_EQUAL(system(command), 0);
	oev_verify_folder(&scene.result,
			  &(struct oev_verify_options){ .path = scene.evidence.folder, .key = copy });
	CU_ASSERT(scene.result.is_key_of_folder);
	end(&scene);
}

static void test_reading_leaves_nothing_behind(void)
{
	struct scene scene;
	char command[400];

	begin(&scene);
	snprintf(command, sizeof(command), "ls -lR --time-style=full-iso '%s' > '%s/before'",
		 scene.evidence.folder, scene.evidence.base);
	CU_ASSERT_EQUAL(system(command), 0);
	chmod(scene.evidence.folder, 0555);
	help_verify(&scene.evidence, NULL, &scene.result);
	CU_ASSERT_EQUAL(scene.result.outcome, OEV_VERIFY_INTACT);
	chmod(scene.evidence.folder, 0755);
	snprintf(command, sizeof(command), "ls -lR --time-style=full-iso '%s' | cmp -s - '%s/before'",
		 scene.evidence.folder, scene.evidence.base);
	CU_ASSERT_EQUAL(system(command), 0);
	end(&scene);
}

void test_oev_verify_file_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_verify_file", NULL, NULL);

	CU_add_test(suite, "a_removed_seal_is_said", test_a_removed_seal_is_said);
	CU_add_test(suite, "a_seal_of_something_else_is_said", test_a_seal_of_something_else_is_said);
	CU_add_test(suite, "a_wal_beside_a_sealed_segment_is_said",
		    test_a_wal_beside_a_sealed_segment_is_said);
	CU_add_test(suite, "a_change_outside_the_rows_is_said", test_a_change_outside_the_rows_is_said);
	CU_add_test(suite, "a_page_that_cannot_be_read_is_named", test_a_page_that_cannot_be_read_is_named);
	CU_add_test(suite, "a_file_cut_short_is_cut", test_a_file_cut_short_is_cut);
	CU_add_test(suite, "another_schema_is_said", test_another_schema_is_said);
	CU_add_test(suite, "what_is_no_database_is_altered_evidence_when_a_seal_says_so",
		    test_what_is_no_database_is_altered_evidence_when_a_seal_says_so);
	CU_add_test(suite, "a_folder_of_other_files_is_no_evidence",
		    test_a_folder_of_other_files_is_no_evidence);
	CU_add_test(suite, "no_such_folder_or_file_is_not_found", test_no_such_folder_or_file_is_not_found);
	CU_add_test(suite, "a_newer_schema_asks_for_a_newer_program",
		    test_a_newer_schema_asks_for_a_newer_program);
	CU_add_test(suite, "segments_of_the_schema_before_are_verified_too",
		    test_segments_of_the_schema_before_are_verified_too);
	CU_add_test(suite, "a_renamed_segment_is_still_whole", test_a_renamed_segment_is_still_whole);
	CU_add_test(suite, "what_is_no_file_does_not_hang", test_what_is_no_file_does_not_hang);
	CU_add_test(suite, "pipes_beside_a_segment", test_pipes_beside_a_segment_do_not_hang);
	CU_add_test(suite, "key_of_the_folder_itself", test_key_of_the_folder_itself_confirms_nothing);
	CU_add_test(suite, "folder_above_the_evidence", test_folder_above_the_evidence_names_it);
	CU_add_test(suite, "reading_leaves_nothing_behind", test_reading_leaves_nothing_behind);
}
