/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the recorder: an outage of the disk loses nothing silently.
 */
#include "help_recorder.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/oev_clock.h"

void test_oev_recorder_outage_suite(void);

#define OUTAGE_OCTETS 524288u

static bool has_failed_twice(void)
{
	struct oev_recorder_stats stats;

	oev_recorder_stats(help_recorder.recorder, &stats);
	return stats.failures >= 2;
}

static bool has_kept_a_gap(void)
{
	struct oev_recorder_stats stats;

	oev_recorder_stats(help_recorder.recorder, &stats);
	return stats.gap_events > 0;
}

/* How the disk is made to fail and to work again. */
struct outage {
	void (*begin)(void);
	void (*end)(void);
};

static void survive_outage(const struct outage *outage)
{
	struct oev_recorder_conf conf = help_recorder_conf();
	struct oev_recorder_stats stats;
	uint64_t id = 0;

	help_recorder_start(&conf);
	while (id < 200)
		help_recorder_append(++id);
	outage->begin();
	do /* into a database that soon takes nothing more, until the ring is full */
		oev_clock_sleep_us(help_recorder_append(++id) == OC_OK ? 1 : 1000);
	while (id < 100000 && !(has_failed_twice() && oev_journal_fill(help_recorder.journal) == 1024));
	for (unsigned i = 0; i < 10; i++)
		CU_ASSERT_EQUAL(help_recorder_append(++id), OC_ENOSPC);
	outage->end();
	CU_ASSERT_EQUAL(help_recorder_wait(has_kept_a_gap), 0);
	for (unsigned i = 0; i < 100; i++)
		help_recorder_append(++id);
	oev_recorder_stats(help_recorder.recorder, &stats);
	oev_recorder_stop(help_recorder.recorder);
	CU_ASSERT(stats.failures >= 2);
	CU_ASSERT(help_recorder_ask("SELECT sum(events) FROM gap WHERE reason = 'journal full'") >= 10);
	CU_ASSERT_EQUAL(
		help_recorder_ask("SELECT (SELECT count(*) FROM decision) + (SELECT sum(events) FROM gap)"),
		(long long)id);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM meta WHERE key = 'closed_us'"), 1);
	HELP_ASSERT_TEXT("PRAGMA integrity_check", "ok");
	CU_ASSERT_EQUAL(atomic_load(&help_recorder.errors), 1);
	CU_ASSERT_EQUAL(atomic_load(&help_recorder.notices), 1);
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

static void test_oev_recorder_outage_failing_writes_lose_nothing_silently(void)
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

	snprintf(path, sizeof(path), "%s/ballast", help_recorder.folder);
	int fd = open(path, O_CREAT | O_WRONLY, 0600);
	while (write(fd, zeros, sizeof(zeros)) == (ssize_t)sizeof(zeros))
		;
	close(fd);
}

static void ballast_end(void)
{
	char path[HELP_PATH_MAX + 16];

	snprintf(path, sizeof(path), "%s/ballast", help_recorder.folder);
	unlink(path);
}

/* In a mount namespace of this thread alone, which goes when the thread does. */
static void *fill_a_small_disk(void *ctx)
{
	static const struct outage outage = { ballast_begin, ballast_end };

	(void)ctx;
	if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("tmpfs", help_recorder.folder, "tmpfs", 0, "size=4m") != 0)
		return NULL; /* needs privileges; the test above makes writes fail without */
	survive_outage(&outage);
	help_folder_remove(help_recorder.folder);
	return NULL;
}

static void test_oev_recorder_outage_full_disk_loses_nothing_silently(void)
{
	pthread_t thread;

	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, fill_a_small_disk, NULL), 0);
	pthread_join(thread, NULL);
}

static void test_oev_recorder_outage_stop_with_a_dead_disk_ends_and_says_so(void)
{
	struct oev_recorder_conf conf = help_recorder_conf();
	void (*before)(int) = signal(SIGXFSZ, SIG_IGN);

	help_recorder_start(&conf);
	limit_files(4096);
	help_recorder_append(1);
	oev_recorder_stop(help_recorder.recorder);
	limit_end();
	signal(SIGXFSZ, before);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM meta WHERE key = 'closed_us'"), 0);
	CU_ASSERT_EQUAL(help_recorder_ask("SELECT count(*) FROM decision"), 0);
	CU_ASSERT_EQUAL(oev_journal_fill(help_recorder.journal), 1);
	CU_ASSERT(atomic_load(&help_recorder.errors) >= 2);
}

static bool has_said_an_error(void)
{
	return atomic_load(&help_recorder.errors) > 0;
}

static void test_oev_recorder_outage_removed_segment_is_told(void)
{
	struct oev_recorder_conf conf = help_recorder_conf();

	help_recorder_start(&conf);
	help_recorder_append(1);
	CU_ASSERT_EQUAL(unlink(help_recorder.path), 0);
	CU_ASSERT_EQUAL(help_recorder_wait(has_said_an_error), 0);
	oev_recorder_stop(help_recorder.recorder);
	CU_ASSERT_EQUAL(atomic_load(&help_recorder.errors), 1);
}

static void test_oev_recorder_outage_folder_made_anew_has_the_public_key(void)
{
	struct oev_recorder_conf conf = help_recorder_conf();
	char key[HELP_PATH_MAX + 32];

	snprintf(key, sizeof(key), "%s/" OEV_PUBLIC_FILE, help_recorder.folder);
	help_recorder_start(&conf);
	CU_ASSERT_EQUAL(unlink(help_recorder.path), 0);
	CU_ASSERT_EQUAL(unlink(key), 0);
	CU_ASSERT_EQUAL(help_recorder_wait(has_said_an_error), 0);
	oev_recorder_stop(help_recorder.recorder);
	CU_ASSERT_EQUAL(access(key, R_OK), 0);
}

void test_oev_recorder_outage_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oev_recorder_outage", NULL, NULL,
							       help_recorder_set_up, help_recorder_tear_down);

	CU_add_test(suite, "failing_writes", test_oev_recorder_outage_failing_writes_lose_nothing_silently);
	CU_add_test(suite, "full_disk", test_oev_recorder_outage_full_disk_loses_nothing_silently);
	CU_add_test(suite, "dead_disk_at_stop",
		    test_oev_recorder_outage_stop_with_a_dead_disk_ends_and_says_so);
	CU_add_test(suite, "removed_segment", test_oev_recorder_outage_removed_segment_is_told);
	CU_add_test(suite, "folder_made_anew", test_oev_recorder_outage_folder_made_anew_has_the_public_key);
}
