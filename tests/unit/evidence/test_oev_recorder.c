/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the recorder: what a segment holds after a run.
 */
#include <CUnit/CUnit.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/oev_clock.h"
#include "evidence/store/oev_recorder.h"
#include "help_recorder.h"

void test_oev_recorder_suite(void);

#define WALL_START_US 1786140900000000u /* 2026-08-07T22:15:00Z */

static void test_oev_recorder_stop_leaves_one_whole_file(void)
{
	struct oev_recorder_conf conf = help_recorder_conf();
	char wal[1100];
	struct stat found;

	help_recorder_start(&conf);
	for (uint64_t id = 1; id <= 900; id++)
		CU_ASSERT_EQUAL(help_recorder_append(id), OC_OK);
	oev_recorder_stop(help_recorder.recorder);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM decision"), 900);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM gap"), 0);
	HELP_ASSERT_TEXT("PRAGMA journal_mode", "delete");
	HELP_ASSERT_TEXT("PRAGMA integrity_check", "ok");
	snprintf(wal, sizeof(wal), "%s-wal", help_recorder.path);
	CU_ASSERT_NOT_EQUAL(access(wal, F_OK), 0);
	CU_ASSERT_EQUAL(stat(help_recorder.path, &found), 0);
	CU_ASSERT_EQUAL(found.st_mode & 0777, 0444);
	CU_ASSERT_EQUAL(oev_journal_fill(help_recorder.journal), 0);
	CU_ASSERT_EQUAL(atomic_load(&help_recorder.errors) + atomic_load(&help_recorder.notices), 0);
}

static void test_oev_recorder_keeps_every_policy(void)
{
	struct oev_recorder_conf conf = help_recorder_conf();

	help_recorder_start(&conf);
	CU_ASSERT_EQUAL(oev_recorder_policy(help_recorder.recorder, "sampler: exact\n", 101, 5), OC_OK);
	CU_ASSERT_EQUAL(oev_recorder_policy(help_recorder.recorder, "sampler: random\n", 102, 6), OC_OK);
	CU_ASSERT_EQUAL(
		oev_recorder_policy(help_recorder.recorder, "another text of the same number", 102, 7),
		OC_OK);
	oev_recorder_stop(help_recorder.recorder);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM policy"), 3);
	HELP_ASSERT_TEXT("SELECT group_concat(text, '') FROM (SELECT text FROM policy WHERE version > 100 "
			 "ORDER BY version)",
			 "sampler: exact\nsampler: random\n");
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(DISTINCT sha256) FROM policy"), 3);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM meta WHERE key = 'closed_us'"), 1);
}

static void test_oev_recorder_segment_says_who_and_when(void)
{
	static const struct oev_fact facts[] = { { "core.seed", "77" } };
	struct oev_recorder_conf conf = help_recorder_conf();
	char host[HELP_TEXT_MAX] = "";

	conf.facts = facts;
	conf.fact_count = 1;
	conf.mono_ns = help_recorder_mono_ns;
	conf.wall_us = help_recorder_wall_us;
	help_recorder_start(&conf);
	oev_recorder_stop(help_recorder.recorder);
	CU_ASSERT_PTR_NOT_NULL(strstr(help_recorder.path, "/seg-20260807T221505.db"));
	HELP_ASSERT_TEXT(
		"SELECT group_concat(value, ' ') FROM (SELECT value FROM meta WHERE key IN"
		" ('schema','product','node','realm','journal_records','started_us','closed_us') ORDER "
		"BY key)",
		"1786140905000000 1024 dra1.example doic-agent example 4 1786140905000000");
	HELP_ASSERT_TEXT("SELECT group_concat(key||'='||value, ' ') FROM (SELECT * FROM meta WHERE key IN"
			 " ('kind','part','base_ns','closed_how','core.seed') ORDER BY key)",
			 "base_ns=5000000000 closed_how=stopped core.seed=77 kind=agent part=1");
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT value FROM meta WHERE key = 'pid'"), getpid());
	gethostname(host, sizeof(host) - 1);
	HELP_ASSERT_TEXT("SELECT value FROM meta WHERE key = 'host'", host);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT length(value) > 0 FROM meta WHERE key = 'version'"), 1);
	HELP_ASSERT_TEXT("SELECT version||' '||mono_ns||' '||wall_us||' '||text FROM policy",
			 "3 5000000000 1786140905000000 mode: enforce\n");
	HELP_ASSERT_TEXT("SELECT sha256 FROM policy",
			 "ac17ce3f2bec0ae47dadb95fd2f4991eb473b0ad709214440a55c69e3cd58438");
	CU_ASSERT_EQUAL(
		help_recorder_ask(
			"SELECT count(*) FROM clock WHERE wall_us - mono_ns / 1000 = 1786140900000000"),
		1); /* its clock stood still */
}

static void test_oev_recorder_code_has_the_words_of_every_number(void)
{
	struct oev_recorder_conf conf = help_recorder_conf();
	char sql[HELP_TEXT_MAX];

	help_recorder_start(&conf);
	oev_recorder_stop(help_recorder.recorder);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM code"),
			OC_VERDICT_COUNT + OC_WHY_COUNT + OC_SCOPE_COUNT + OC_MADE_COUNT);
	for (unsigned maker = 0; maker < OC_MADE_COUNT; maker++) {
		snprintf(sql, sizeof(sql), "SELECT text FROM code WHERE kind = 'maker' AND value = %u",
			 maker);
		HELP_ASSERT_TEXT(sql, oc_maker_text(maker));
	}
	HELP_ASSERT_TEXT("SELECT text FROM code WHERE kind = 'verdict' AND value = 2", "refused");
	HELP_ASSERT_TEXT("SELECT text FROM code WHERE kind = 'scope' AND value = 2", "host");
	HELP_ASSERT_TEXT("SELECT text FROM code WHERE kind = 'why' AND value = 3", "failopen");
}

static bool has_second_clock_row(void)
{
	return help_recorder_ask("SELECT count(*) FROM clock") >= 2;
}

static void test_oev_recorder_wall_time_follows_the_last_clock_row(void)
{
	struct oev_recorder_conf conf = help_recorder_conf();

	conf.mono_ns = help_recorder_mono_ns;
	conf.wall_us = help_recorder_wall_us;
	help_recorder_start(&conf);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM clock"), 1);
	atomic_fetch_add(&help_recorder_ns, 1000000000u);
	CU_ASSERT_EQUAL(help_recorder_wait(has_second_clock_row), 0);
	help_recorder_append(1);
	oev_recorder_stop(help_recorder.recorder);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM clock"), 2);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT mono_ns FROM v_decision"), 6000001000);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT wall_us FROM v_decision"), WALL_START_US + 6000001);
}

static void test_oev_recorder_full_journal_becomes_a_gap_row(void)
{
	struct oev_recorder_conf conf = help_recorder_conf();
	unsigned refused = 0;

	for (uint64_t id = 1; id <= 1030; id++)
		refused += help_recorder_append(id) != OC_OK;
	CU_ASSERT_EQUAL(refused, 6);
	help_recorder_start(&conf);
	oev_recorder_stop(help_recorder.recorder);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM decision"), 1024);
	HELP_ASSERT_TEXT("SELECT events||' '||reason FROM gap", "6 journal full");
}

static void test_oev_recorder_row_that_cannot_be_is_a_gap_and_a_message(void)
{
	struct oev_recorder_conf conf = help_recorder_conf();

	help_recorder_append(1);
	help_recorder_append(1);
	help_recorder_append(2);
	help_recorder_start(&conf);
	oev_recorder_stop(help_recorder.recorder);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM decision"), 2);
	HELP_ASSERT_TEXT("SELECT events||' '||reason FROM gap", "1 refused by the database");
	CU_ASSERT_EQUAL(atomic_load(&help_recorder.errors), 1);
}

static void test_oev_recorder_same_second_gets_another_name(void)
{
	struct oev_recorder_conf conf = help_recorder_conf();

	conf.mono_ns = help_recorder_mono_ns;
	conf.wall_us = help_recorder_wall_us;
	help_recorder_start(&conf);
	oev_recorder_stop(help_recorder.recorder);
	help_recorder_start(&conf);
	CU_ASSERT_PTR_NOT_NULL(strstr(help_recorder.path, "/seg-20260807T221505-2.db"));
	help_recorder_append(1);
	oev_recorder_stop(help_recorder.recorder);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM decision"), 1);
}

static void refuses(const struct oev_recorder_conf *conf, int err, const char *word1, const char *word2)
{
	struct oev_recorder *recorder = NULL;
	char error[HELP_TEXT_MAX] = "";

	CU_ASSERT_EQUAL(oev_recorder_start(&recorder, help_recorder.journal, conf, error, sizeof(error)),
			err);
	CU_ASSERT_PTR_NULL(recorder);
	CU_ASSERT_PTR_NOT_NULL(strstr(error, word1));
	CU_ASSERT_PTR_NOT_NULL(strstr(error, word2));
}

static void test_oev_recorder_start_says_what_is_wrong_with_the_folder(void)
{
	struct oev_recorder_conf conf = help_recorder_conf();
	char inside[HELP_PATH_MAX + 16];

	snprintf(inside, sizeof(inside), "%s/file", help_recorder.folder);
	close(open(inside, O_CREAT | O_RDWR, 0600));
	conf.folder = inside;
	refuses(&conf, OC_EIO, inside, "is not a folder");
	strcat(inside, "/a/b");
	refuses(&conf, OC_EIO, inside, "Not a directory");
	conf.folder = "";
	refuses(&conf, OC_EINVAL, "no evidence folder", "given");
	conf = help_recorder_conf();
	conf.batch_max_rows = 0;
	refuses(&conf, OC_EINVAL, "batch_max_rows", "1..1000000");
}

static void test_oev_recorder_start_says_when_the_folder_is_not_writable(void)
{
	struct oev_recorder_conf conf = help_recorder_conf();
	uid_t user = geteuid();

	CU_ASSERT_EQUAL(chmod(help_recorder.folder, 0555), 0);
	if (user == 0)
		CU_ASSERT_EQUAL(seteuid(65534), 0); /* root may write everywhere */
	refuses(&conf, OC_EIO, help_recorder.folder, "Permission denied");
	if (user == 0)
		CU_ASSERT_EQUAL(seteuid(0), 0);
	CU_ASSERT_EQUAL(chmod(help_recorder.folder, 0755), 0);
}

static void test_oev_recorder_makes_the_folder(void)
{
	struct oev_recorder_conf conf = help_recorder_conf();
	char inside[HELP_PATH_MAX + 16];
	struct stat found;

	snprintf(inside, sizeof(inside), "%s/new", help_recorder.folder);
	conf.folder = inside;
	help_recorder_start(&conf);
	oev_recorder_stop(help_recorder.recorder);
	CU_ASSERT_EQUAL(stat(inside, &found), 0);
	CU_ASSERT_EQUAL(found.st_mode & 0027, 0);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM meta WHERE key = 'closed_us'"), 1);
	help_folder_remove(inside);
}

static void test_oev_recorder_stop_beside_a_reader_leaves_a_whole_segment(void)
{
	struct oev_recorder_conf conf = help_recorder_conf();
	sqlite3 *reader = NULL;

	help_recorder_start(&conf);
	CU_ASSERT_EQUAL(sqlite3_open_v2(help_recorder.path, &reader, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	CU_ASSERT_EQUAL(sqlite3_exec(reader, "BEGIN; SELECT count(*) FROM decision", NULL, NULL, NULL),
			SQLITE_OK);
	help_recorder_append(1);
	oev_recorder_stop(help_recorder.recorder);
	CU_ASSERT_EQUAL(atomic_load(&help_recorder.notices), 1);
	CU_ASSERT_EQUAL(atomic_load(&help_recorder.errors), 0);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM decision"), 1);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM meta WHERE key = 'closed_us'"), 1);
	sqlite3_close(reader);
}

void test_oev_recorder_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oev_recorder", NULL, NULL,
							       help_recorder_set_up, help_recorder_tear_down);

	CU_add_test(suite, "stop_leaves_one_file", test_oev_recorder_stop_leaves_one_whole_file);
	CU_add_test(suite, "keeps_every_policy", test_oev_recorder_keeps_every_policy);
	CU_add_test(suite, "who_and_when", test_oev_recorder_segment_says_who_and_when);
	CU_add_test(suite, "code_words", test_oev_recorder_code_has_the_words_of_every_number);
	CU_add_test(suite, "wall_time", test_oev_recorder_wall_time_follows_the_last_clock_row);
	CU_add_test(suite, "gap_row", test_oev_recorder_full_journal_becomes_a_gap_row);
	CU_add_test(suite, "refused_row_is_a_gap",
		    test_oev_recorder_row_that_cannot_be_is_a_gap_and_a_message);
	CU_add_test(suite, "same_second", test_oev_recorder_same_second_gets_another_name);
	CU_add_test(suite, "wrong_folder", test_oev_recorder_start_says_what_is_wrong_with_the_folder);
	CU_add_test(suite, "folder_not_writable",
		    test_oev_recorder_start_says_when_the_folder_is_not_writable);
	CU_add_test(suite, "makes_the_folder", test_oev_recorder_makes_the_folder);
	CU_add_test(suite, "reader_at_stop", test_oev_recorder_stop_beside_a_reader_leaves_a_whole_segment);
}
