/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the recorder: what a segment holds after a run, and that an outage of the disk loses nothing silently.
 */
#include <CUnit/CUnit.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/oev_clock.h"
#include "evidence/oev_recorder.h"
#include "help_trail.h"

void test_oev_recorder_suite(void);

#define WALL_START_US 1786140900000000u /* 2026-08-07T22:15:00Z */
#define PATIENCE_MS 20000u
#define OUTAGE_OCTETS 524288u

struct fixture {
	char folder[HELP_PATH_MAX];
	char path[1024];
	struct oev_journal *journal;
	struct oev_recorder *recorder;
	atomic_uint errors, notices;
};

static struct fixture fix; /* of the running test; made and removed around each */
static _Atomic uint64_t fake_ns;

static uint64_t fake_mono_ns(void)
{
	return atomic_load(&fake_ns);
}

static uint64_t fake_wall_us(void)
{
	return WALL_START_US + atomic_load(&fake_ns) / 1000u;
}

static void count_log(void *ctx, int error, const char *text)
{
	struct fixture *f = ctx;

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "file="));
	atomic_fetch_add(error ? &f->errors : &f->notices, 1);
}

static void set_up(void)
{
	help_folder_make(fix.folder);
	fix.journal = oev_journal_new(1024, OEV_FULL_GAP, 0);
	atomic_store(&fix.errors, 0);
	atomic_store(&fix.notices, 0);
	atomic_store(&fake_ns, 5000000000u);
}

static void tear_down(void)
{
	oev_journal_free(fix.journal);
	help_folder_remove(fix.folder);
}

static struct oev_recorder_conf a_conf(void)
{
	return (struct oev_recorder_conf){ .folder = fix.folder,
					   .node = "dra1.example",
					   .realm = "example",
					   .policy_text = "mode: enforce\n",
					   .policy_version = 3,
					   .batch_max_rows = 500,
					   .batch_max_ms = 5,
					   .synchronous = OEV_SYNC_NORMAL,
					   .log = count_log,
					   .log_ctx = &fix };
}

static void start(const struct oev_recorder_conf *conf)
{
	char error[HELP_TEXT_MAX] = "";

	CU_ASSERT_EQUAL_FATAL(oev_recorder_start(&fix.recorder, fix.journal, conf, error, sizeof(error)),
			      OC_OK);
	snprintf(fix.path, sizeof(fix.path), "%s", oev_recorder_path(fix.recorder));
}

static long long ask(const char *sql)
{
	return help_ask_int(fix.path, sql);
}

#define ASSERT_TEXT(sql, expected)                                                                           \
	do {                                                                                                 \
		char text_[HELP_TEXT_MAX];                                                                   \
		CU_ASSERT_STRING_EQUAL(help_ask_text(fix.path, sql, text_), expected);                       \
	} while (0)

static int append_decision(uint64_t id)
{
	struct oc_event event = help_decision(id, 6000000000u + id * 1000u);

	return oev_journal_append(fix.journal, &event);
}

/* Waits for other threads, with an end: 0 when @holds came true. */
static int wait_until(bool (*holds)(void))
{
	for (unsigned ms = 0; ms < PATIENCE_MS; ms++) {
		if (holds())
			return 0;
		oev_clock_sleep_us(1000);
	}
	return -1;
}

static void test_oev_recorder_stop_leaves_one_whole_file(void)
{
	struct oev_recorder_conf conf = a_conf();
	char wal[1100];
	struct stat found;

	start(&conf);
	for (uint64_t id = 1; id <= 900; id++)
		CU_ASSERT_EQUAL(append_decision(id), OC_OK);
	oev_recorder_stop(fix.recorder);
	CU_ASSERT_EQUAL(ask("SELECT count(*) FROM decision"), 900);
	CU_ASSERT_EQUAL(ask("SELECT count(*) FROM gap"), 0);
	ASSERT_TEXT("PRAGMA journal_mode", "delete");
	ASSERT_TEXT("PRAGMA integrity_check", "ok");
	snprintf(wal, sizeof(wal), "%s-wal", fix.path);
	CU_ASSERT_NOT_EQUAL(access(wal, F_OK), 0);
	CU_ASSERT_EQUAL(stat(fix.path, &found), 0);
	CU_ASSERT_EQUAL(found.st_mode & 0777, 0640);
	CU_ASSERT_EQUAL(oev_journal_fill(fix.journal), 0);
	CU_ASSERT_EQUAL(atomic_load(&fix.errors) + atomic_load(&fix.notices), 0);
}

static void test_oev_recorder_segment_says_who_and_when(void)
{
	struct oev_recorder_conf conf = a_conf();
	char host[HELP_TEXT_MAX] = "";

	conf.mono_ns = fake_mono_ns;
	conf.wall_us = fake_wall_us;
	start(&conf);
	oev_recorder_stop(fix.recorder);
	CU_ASSERT_PTR_NOT_NULL(strstr(fix.path, "/seg-20260807T221505.db"));
	ASSERT_TEXT("SELECT group_concat(value, ' ') FROM (SELECT value FROM meta WHERE key IN"
		    " ('schema','product','node','realm','journal_records','started_us','closed_us') ORDER "
		    "BY key)",
		    "1786140905000000 1024 dra1.example doic-agent example 1 1786140905000000");
	CU_ASSERT_EQUAL(ask("SELECT value FROM meta WHERE key = 'pid'"), getpid());
	gethostname(host, sizeof(host) - 1);
	ASSERT_TEXT("SELECT value FROM meta WHERE key = 'host'", host);
	CU_ASSERT_EQUAL(ask("SELECT length(value) > 0 FROM meta WHERE key = 'version'"), 1);
	ASSERT_TEXT("SELECT version||' '||mono_ns||' '||wall_us||' '||text FROM policy",
		    "3 5000000000 1786140905000000 mode: enforce\n");
	ASSERT_TEXT("SELECT sha256 FROM policy",
		    "ac17ce3f2bec0ae47dadb95fd2f4991eb473b0ad709214440a55c69e3cd58438");
	CU_ASSERT_EQUAL(ask("SELECT count(*) FROM clock WHERE wall_us - mono_ns / 1000 = 1786140900000000"),
			2);
}

static void test_oev_recorder_code_has_the_words_of_every_number(void)
{
	struct oev_recorder_conf conf = a_conf();
	char sql[HELP_TEXT_MAX];

	start(&conf);
	oev_recorder_stop(fix.recorder);
	CU_ASSERT_EQUAL(ask("SELECT count(*) FROM code"),
			OC_VERDICT_COUNT + OC_WHY_COUNT + OC_SCOPE_COUNT + OC_MADE_COUNT);
	for (unsigned maker = 0; maker < OC_MADE_COUNT; maker++) {
		snprintf(sql, sizeof(sql), "SELECT text FROM code WHERE kind = 'maker' AND value = %u",
			 maker);
		ASSERT_TEXT(sql, oc_maker_text(maker));
	}
	ASSERT_TEXT("SELECT text FROM code WHERE kind = 'verdict' AND value = 2", "refused");
	ASSERT_TEXT("SELECT text FROM code WHERE kind = 'scope' AND value = 2", "host");
	ASSERT_TEXT("SELECT text FROM code WHERE kind = 'why' AND value = 3", "failopen");
}

static bool has_second_clock_row(void)
{
	return ask("SELECT count(*) FROM clock") >= 2;
}

static void test_oev_recorder_wall_time_follows_the_last_clock_row(void)
{
	struct oev_recorder_conf conf = a_conf();

	conf.mono_ns = fake_mono_ns;
	conf.wall_us = fake_wall_us;
	start(&conf);
	CU_ASSERT_EQUAL(ask("SELECT count(*) FROM clock"), 1);
	atomic_fetch_add(&fake_ns, 1000000000u);
	CU_ASSERT_EQUAL(wait_until(has_second_clock_row), 0);
	append_decision(1);
	oev_recorder_stop(fix.recorder);
	CU_ASSERT_EQUAL(ask("SELECT count(*) FROM clock"), 3);
	CU_ASSERT_EQUAL(ask("SELECT wall_us FROM decision"), WALL_START_US + 6000001);
}

static void test_oev_recorder_full_journal_becomes_a_gap_row(void)
{
	struct oev_recorder_conf conf = a_conf();
	unsigned refused = 0;

	for (uint64_t id = 1; id <= 1030; id++)
		refused += append_decision(id) != OC_OK;
	CU_ASSERT_EQUAL(refused, 6);
	start(&conf);
	oev_recorder_stop(fix.recorder);
	CU_ASSERT_EQUAL(ask("SELECT count(*) FROM decision"), 1024);
	ASSERT_TEXT("SELECT events||' '||reason FROM gap", "6 journal full");
}

static void test_oev_recorder_row_that_cannot_be_is_a_gap_and_a_message(void)
{
	struct oev_recorder_conf conf = a_conf();

	append_decision(1);
	append_decision(1);
	append_decision(2);
	start(&conf);
	oev_recorder_stop(fix.recorder);
	CU_ASSERT_EQUAL(ask("SELECT count(*) FROM decision"), 2);
	ASSERT_TEXT("SELECT events||' '||reason FROM gap", "1 refused by the database");
	CU_ASSERT_EQUAL(atomic_load(&fix.errors), 1);
}

static void test_oev_recorder_same_second_gets_another_name(void)
{
	struct oev_recorder_conf conf = a_conf();
	struct oev_journal *other_journal = oev_journal_new(64, OEV_FULL_GAP, 0);
	struct oev_recorder *other = NULL;
	char error[HELP_TEXT_MAX] = "";

	conf.mono_ns = fake_mono_ns;
	conf.wall_us = fake_wall_us;
	start(&conf);
	CU_ASSERT_EQUAL_FATAL(oev_recorder_start(&other, other_journal, &conf, error, sizeof(error)), OC_OK);
	CU_ASSERT_PTR_NOT_NULL(strstr(oev_recorder_path(other), "/seg-20260807T221505-2.db"));
	append_decision(1);
	oev_recorder_stop(other);
	oev_recorder_stop(fix.recorder);
	CU_ASSERT_EQUAL(ask("SELECT count(*) FROM decision"), 1);
	oev_journal_free(other_journal);
}

static void refuses(const struct oev_recorder_conf *conf, int err, const char *word1, const char *word2)
{
	struct oev_recorder *recorder = NULL;
	char error[HELP_TEXT_MAX] = "";

	CU_ASSERT_EQUAL(oev_recorder_start(&recorder, fix.journal, conf, error, sizeof(error)), err);
	CU_ASSERT_PTR_NULL(recorder);
	CU_ASSERT_PTR_NOT_NULL(strstr(error, word1));
	CU_ASSERT_PTR_NOT_NULL(strstr(error, word2));
}

static void test_oev_recorder_start_says_what_is_wrong_with_the_folder(void)
{
	struct oev_recorder_conf conf = a_conf();
	char inside[HELP_PATH_MAX + 16];

	snprintf(inside, sizeof(inside), "%s/a/b", fix.folder);
	conf.folder = inside;
	refuses(&conf, OC_EIO, inside, "No such file or directory");
	snprintf(inside, sizeof(inside), "%s/file", fix.folder);
	close(open(inside, O_CREAT | O_RDWR, 0600));
	refuses(&conf, OC_EIO, inside, "is not a folder");
	conf.folder = "";
	refuses(&conf, OC_EINVAL, "no evidence folder", "given");
	conf = a_conf();
	conf.batch_max_rows = 0;
	refuses(&conf, OC_EINVAL, "batch_max_rows", "1..1000000");
}

static void test_oev_recorder_start_says_when_the_folder_is_not_writable(void)
{
	struct oev_recorder_conf conf = a_conf();
	uid_t user = geteuid();

	CU_ASSERT_EQUAL(chmod(fix.folder, 0555), 0);
	if (user == 0)
		CU_ASSERT_EQUAL(seteuid(65534), 0); /* root may write everywhere */
	refuses(&conf, OC_EIO, fix.folder, "Permission denied");
	if (user == 0)
		CU_ASSERT_EQUAL(seteuid(0), 0);
	CU_ASSERT_EQUAL(chmod(fix.folder, 0755), 0);
}

static void test_oev_recorder_makes_the_folder(void)
{
	struct oev_recorder_conf conf = a_conf();
	char inside[HELP_PATH_MAX + 16];
	struct stat found;

	snprintf(inside, sizeof(inside), "%s/new", fix.folder);
	conf.folder = inside;
	start(&conf);
	oev_recorder_stop(fix.recorder);
	CU_ASSERT_EQUAL(stat(inside, &found), 0);
	CU_ASSERT_EQUAL(found.st_mode & 0027, 0);
	CU_ASSERT_EQUAL(ask("SELECT count(*) FROM meta WHERE key = 'closed_us'"), 1);
	help_folder_remove(inside);
}

static bool has_failed_twice(void)
{
	struct oev_recorder_stats stats;

	oev_recorder_stats(fix.recorder, &stats);
	return stats.failures >= 2;
}

static bool has_kept_a_gap(void)
{
	struct oev_recorder_stats stats;

	oev_recorder_stats(fix.recorder, &stats);
	return stats.gap_events > 0;
}

/* How the disk is made to fail and to work again. */
struct outage {
	void (*begin)(void);
	void (*end)(void);
};

static void survive_outage(const struct outage *outage)
{
	struct oev_recorder_conf conf = a_conf();
	struct oev_recorder_stats stats;
	uint64_t id = 0;

	start(&conf);
	while (id < 200)
		append_decision(++id);
	outage->begin();
	do /* into a database that soon takes nothing more, until the ring is full */
		oev_clock_sleep_us(append_decision(++id) == OC_OK ? 1 : 1000);
	while (id < 100000 && !(has_failed_twice() && oev_journal_fill(fix.journal) == 1024));
	for (unsigned i = 0; i < 10; i++)
		CU_ASSERT_EQUAL(append_decision(++id), OC_ENOSPC);
	outage->end();
	CU_ASSERT_EQUAL(wait_until(has_kept_a_gap), 0);
	for (unsigned i = 0; i < 100; i++)
		append_decision(++id);
	oev_recorder_stats(fix.recorder, &stats);
	oev_recorder_stop(fix.recorder);
	CU_ASSERT(stats.failures >= 2);
	CU_ASSERT(ask("SELECT sum(events) FROM gap WHERE reason = 'journal full'") >= 10);
	CU_ASSERT_EQUAL(ask("SELECT (SELECT count(*) FROM decision) + (SELECT sum(events) FROM gap)"),
			(long long)id);
	CU_ASSERT_EQUAL(ask("SELECT count(*) FROM meta WHERE key = 'closed_us'"), 1);
	ASSERT_TEXT("PRAGMA integrity_check", "ok");
	CU_ASSERT_EQUAL(atomic_load(&fix.errors), 1);
	CU_ASSERT_EQUAL(atomic_load(&fix.notices), 1);
}

static void limit_files(rlim_t octets)
{
	struct rlimit limit;

	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = octets;
	CU_ASSERT_EQUAL(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void limit_begin(void)
{
	limit_files(OUTAGE_OCTETS);
}

static void limit_end(void)
{
	limit_files(RLIM_INFINITY);
}

static void test_oev_recorder_failing_writes_lose_nothing_silently(void)
{
	static const struct outage outage = { limit_begin, limit_end };
	void (*before)(int) = signal(SIGXFSZ, SIG_IGN);

	survive_outage(&outage);
	signal(SIGXFSZ, before);
}

/* A file that leaves almost no room on the file system. */
static void ballast_begin(void)
{
	static char zeros[4096];
	char path[HELP_PATH_MAX + 16];

	snprintf(path, sizeof(path), "%s/ballast", fix.folder);
	int fd = open(path, O_CREAT | O_WRONLY, 0600);
	while (write(fd, zeros, sizeof(zeros)) == (ssize_t)sizeof(zeros))
		;
	close(fd);
}

static void ballast_end(void)
{
	char path[HELP_PATH_MAX + 16];

	snprintf(path, sizeof(path), "%s/ballast", fix.folder);
	unlink(path);
}

/* In a mount namespace of this thread alone, which goes when the thread does. */
static void *fill_a_small_disk(void *ctx)
{
	static const struct outage outage = { ballast_begin, ballast_end };

	(void)ctx;
	if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("tmpfs", fix.folder, "tmpfs", 0, "size=4m") != 0)
		return NULL; /* needs privileges; the test above makes writes fail without */
	survive_outage(&outage);
	help_folder_remove(fix.folder);
	return NULL;
}

static void test_oev_recorder_full_disk_loses_nothing_silently(void)
{
	pthread_t thread;

	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, fill_a_small_disk, NULL), 0);
	pthread_join(thread, NULL);
}

static void test_oev_recorder_stop_with_a_dead_disk_ends_and_says_so(void)
{
	struct oev_recorder_conf conf = a_conf();
	void (*before)(int) = signal(SIGXFSZ, SIG_IGN);

	start(&conf);
	limit_files(4096);
	append_decision(1);
	oev_recorder_stop(fix.recorder);
	limit_end();
	signal(SIGXFSZ, before);
	CU_ASSERT_EQUAL(ask("SELECT count(*) FROM meta WHERE key = 'closed_us'"), 0);
	CU_ASSERT_EQUAL(ask("SELECT count(*) FROM decision"), 0);
	CU_ASSERT_EQUAL(oev_journal_fill(fix.journal), 1);
	CU_ASSERT(atomic_load(&fix.errors) >= 2);
}

static void test_oev_recorder_stop_beside_a_reader_leaves_a_whole_segment(void)
{
	struct oev_recorder_conf conf = a_conf();
	sqlite3 *reader = NULL;

	start(&conf);
	CU_ASSERT_EQUAL(sqlite3_open_v2(fix.path, &reader, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	CU_ASSERT_EQUAL(sqlite3_exec(reader, "BEGIN; SELECT count(*) FROM decision", NULL, NULL, NULL),
			SQLITE_OK);
	append_decision(1);
	oev_recorder_stop(fix.recorder);
	CU_ASSERT_EQUAL(atomic_load(&fix.notices), 1);
	CU_ASSERT_EQUAL(atomic_load(&fix.errors), 0);
	CU_ASSERT_EQUAL(ask("SELECT count(*) FROM decision"), 1);
	CU_ASSERT_EQUAL(ask("SELECT count(*) FROM meta WHERE key = 'closed_us'"), 1);
	sqlite3_close(reader);
}

void test_oev_recorder_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oev_recorder", NULL, NULL, set_up, tear_down);

	CU_add_test(suite, "stop_leaves_one_file", test_oev_recorder_stop_leaves_one_whole_file);
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
	CU_add_test(suite, "failing_writes", test_oev_recorder_failing_writes_lose_nothing_silently);
	CU_add_test(suite, "full_disk", test_oev_recorder_full_disk_loses_nothing_silently);
	CU_add_test(suite, "reader_at_stop", test_oev_recorder_stop_beside_a_reader_leaves_a_whole_segment);
	CU_add_test(suite, "dead_disk_at_stop", test_oev_recorder_stop_with_a_dead_disk_ends_and_says_so);
}
