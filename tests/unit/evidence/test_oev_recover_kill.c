/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of recovery: a life that is killed before any of SQLite's writes, or right after it, loses nothing.
 *
 * A child records decisions in small batches, with checkpoints and segments that follow each other. The test counts the
 * system calls by which SQLite changes files; the child kills itself before number n, or after it. The next life must leave
 * a folder whose log holds, with every decision whose append returned, once.
 */
#include "help_recorder.h"

#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/oev_clock.h"
#include "help_log.h"

void test_oev_recover_kill_suite(void);

#define DECISIONS_MAX 2000u
#define PARTS 3u
#define PER_PART 100u

/* What the child tells by memory, which its death leaves whole. */
struct told {
	_Atomic uint64_t appended; /* ids 1..n whose append returned */
	_Atomic uint64_t calls;	   /* of SQLite so far */
	uint64_t kill_at;
	bool kill_after;
	_Atomic bool is_done;
};

static struct told *told;
static struct help_log checked;

/* A kill leaves what the system has, on the disk or not: in memory the same is tried in a fraction of the time. */
static int set_up_suite(void)
{
	if (!getenv("TMPDIR") && access("/dev/shm", W_OK) == 0)
		setenv("TMPDIR", "/dev/shm", 1);
	told = mmap(NULL, sizeof(*told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return told == MAP_FAILED;
}

static int tear_down_suite(void)
{
	const char *tmp = getenv("TMPDIR");

	if (tmp && strcmp(tmp, "/dev/shm") == 0)
		unsetenv("TMPDIR");
	return munmap(told, sizeof(*told));
}

/* Whether this is the one to die at, beforehand or afterwards. */
static bool is_last_call(uint64_t *number)
{
	*number = atomic_fetch_add(&told->calls, 1) + 1;
	return *number == told->kill_at;
}

static void die(void)
{
	kill(getpid(), SIGKILL);
}

static ssize_t counted_pwrite(int fd, const void *data, size_t len, off_t at)
{
	uint64_t number;
	bool is_last = is_last_call(&number);

	if (is_last && !told->kill_after)
		die();
	ssize_t rc = pwrite(fd, data, len, at);
	if (is_last)
		die();
	return rc;
}

static int counted_unlink(const char *path)
{
	uint64_t number;
	bool is_last = is_last_call(&number);

	if (is_last && !told->kill_after)
		die();
	int rc = unlink(path);
	if (is_last)
		die();
	return rc;
}

static int counted_ftruncate(int fd, off_t len)
{
	uint64_t number;
	bool is_last = is_last_call(&number);

	if (is_last && !told->kill_after)
		die();
	int rc = ftruncate(fd, len);
	if (is_last)
		die();
	return rc;
}

static void count_calls(void)
{
	sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);

	vfs->xSetSystemCall(vfs, "pwrite", (sqlite3_syscall_ptr)counted_pwrite);
	vfs->xSetSystemCall(vfs, "pwrite64", (sqlite3_syscall_ptr)counted_pwrite);
	vfs->xSetSystemCall(vfs, "unlink", (sqlite3_syscall_ptr)counted_unlink);
	vfs->xSetSystemCall(vfs, "ftruncate", (sqlite3_syscall_ptr)counted_ftruncate);
}

static void wait_empty(void)
{
	for (unsigned i = 0; i < 50000 && oev_journal_fill(help_recorder.journal) > 0; i++) {
		atomic_fetch_add(&help_recorder_ns, 2000000u); /* batches are due by the told clock */
		oev_clock_sleep_us(100);
	}
}

static struct oev_recorder_conf kill_conf(void)
{
	struct oev_recorder_conf conf = help_recorder_conf();

	conf.mono_ns = help_recorder_mono_ns;
	conf.wall_us = help_recorder_wall_us;
	conf.log = NULL;
	conf.batch_max_rows = 16;
	conf.batch_max_ms = 1;
	conf.checkpoint_s = 1;
	conf.segment_max_s = 100;
	return conf;
}

static void child_life(uint64_t first)
{
	struct oev_recorder_conf conf = kill_conf();
	char error[HELP_TEXT_MAX] = "";
	uint64_t id = first;

	count_calls();
	if (!help_recorder_journal(64) || oev_recorder_start(&help_recorder.recorder, help_recorder.journal,
							     &conf, error, sizeof(error)) != OC_OK) {
		fprintf(stderr, "  child: %s\n", error);
		_exit(2);
	}
	for (unsigned part = 0; part < PARTS; part++) {
		for (unsigned i = 0; i < PER_PART; i++) {
			if (help_recorder_append(id) != OC_OK)
				_exit(3);
			atomic_store(&told->appended, id++);
		}
		wait_empty();
		atomic_fetch_add(&help_recorder_ns, 50000000000u); /* every second part has a successor */
	}
	oev_recorder_stop(help_recorder.recorder);
	atomic_store(&told->is_done, true);
	_exit(0);
}

/* One life in a child that dies at call @at. False when it lived to its end. */
static bool live_and_die(uint64_t first, uint64_t at, bool after)
{
	int status = 0;

	atomic_store(&told->calls, 0);
	atomic_store(&told->is_done, false);
	told->kill_at = at;
	told->kill_after = after;
	fflush(NULL);
	pid_t child = fork();
	if (child == 0)
		child_life(first);
	waitpid(child, &status, 0);
	CU_ASSERT(atomic_load(&told->is_done) ? WIFEXITED(status) && WEXITSTATUS(status) == 0
					      : WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	return !atomic_load(&told->is_done);
}

/* Each decision once, in whatever segment. */
static bool has_each_once(uint64_t count)
{
	static char paths[64][1024];
	static uint8_t seen[DECISIONS_MAX];
	size_t segments = help_recorder_segments(paths, 64);
	bool holds = true;

	memset(seen, 0, sizeof(seen));
	for (size_t i = 0; i < segments; i++) {
		sqlite3 *db = NULL;
		sqlite3_stmt *stmt = NULL;
		sqlite3_open_v2(paths[i], &db, SQLITE_OPEN_READONLY, NULL);
		sqlite3_prepare_v2(db, "SELECT id FROM decision", -1, &stmt, NULL);
		while (sqlite3_step(stmt) == SQLITE_ROW)
			seen[sqlite3_column_int64(stmt, 0) % DECISIONS_MAX]++;
		sqlite3_finalize(stmt);
		sqlite3_close(db);
	}
	for (uint64_t id = 1; holds && id <= count; id++)
		holds = seen[id] == 1;
	/* One more may have been on its way. */
	for (uint64_t id = count + 1; holds && id < DECISIONS_MAX; id++)
		holds = seen[id] == 0 || (id == count + 1 && seen[id] == 1);
	return holds;
}

/* The life after: it finishes what was left, and lives to its end. */
static void survive(uint64_t at, bool after)
{
	struct oev_recorder_conf conf = kill_conf();
	uint64_t appended = atomic_load(&told->appended);

	atomic_fetch_add(&help_recorder_ns, 7000000000u);
	CU_ASSERT_FATAL(help_recorder_journal(64));
	help_recorder_start(&conf);
	oev_recorder_stop(help_recorder.recorder);
	bool holds = help_log_folder(&checked, help_recorder.folder) && has_each_once(appended) &&
		     help_recorder_ask_all("SELECT count(*) FROM gap") == 0 &&
		     help_recorder_ask_all("SELECT count(*) FROM meta WHERE key = 'log_broken'") == 0 &&
		     help_recorder_ask_all("SELECT 1 - count(*) FROM meta WHERE key = 'closed_how'") == 0;
	CU_ASSERT(holds);
	if (!holds)
		fprintf(stderr, "  killed %s call %llu, %llu appended\n", after ? "after" : "before",
			(unsigned long long)at, (unsigned long long)appended);
}

/* Fresh folder, one kill, the life after. */
static bool one_round(uint64_t at, bool after)
{
	help_recorder_tear_down();
	help_recorder_set_up();
	atomic_store(&told->appended, 0);
	bool died = live_and_die(1, at, after);
	if (died)
		survive(at, after);
	return died;
}

/* Steps between the calls that are tried: every one with DOIC_KILL_EVERY=1. */
static uint64_t stride(void)
{
	const char *text = getenv("DOIC_KILL_EVERY");
	uint64_t every = text ? strtoull(text, NULL, 10) : 0;

	return every > 0 ? every : 23;
}

static void test_oev_recover_kill_before_any_write_loses_nothing(void)
{
	uint64_t at = 1;

	while (one_round(at, false))
		at += stride();
	CU_ASSERT(at > 100);
}

static void test_oev_recover_kill_after_any_write_loses_nothing(void)
{
	uint64_t at = 7 % stride() + 1;

	while (one_round(at, true))
		at += stride();
	CU_ASSERT(at > 100);
}

/* Recovery itself is killed, again and again, and each life after it goes on. */
static void test_oev_recover_kill_of_the_recovery_loses_nothing(void)
{
	for (uint64_t at = 2; at < 60; at += 1 + stride() / 4) {
		help_recorder_tear_down();
		help_recorder_set_up();
		atomic_store(&told->appended, 0);
		CU_ASSERT_FATAL(live_and_die(1, 150 + 3 * at, at % 2 == 0));
		for (unsigned again = 0; again < 3; again++) {
			atomic_fetch_add(&help_recorder_ns, 3000000000u);
			live_and_die(atomic_load(&told->appended) + 2, at + again, again % 2 == 0);
		}
		struct oev_recorder_conf conf = kill_conf();
		CU_ASSERT_FATAL(help_recorder_journal(64));
		help_recorder_start(&conf);
		oev_recorder_stop(help_recorder.recorder);
		CU_ASSERT(help_log_folder(&checked, help_recorder.folder));
		CU_ASSERT_EQUAL(help_recorder_ask_all("SELECT count(*) FROM gap"), 0);
		CU_ASSERT_EQUAL(help_recorder_ask_all("SELECT count(*) - count(DISTINCT id) FROM decision"),
				0);
	}
}

void test_oev_recover_kill_suite(void)
{
	CU_pSuite suite =
		CU_add_suite_with_setup_and_teardown("oev_recover_kill", set_up_suite, tear_down_suite,
						     help_recorder_set_up, help_recorder_tear_down);

	CU_add_test(suite, "before_any_write", test_oev_recover_kill_before_any_write_loses_nothing);
	CU_add_test(suite, "after_any_write", test_oev_recover_kill_after_any_write_loses_nothing);
	CU_add_test(suite, "of_the_recovery", test_oev_recover_kill_of_the_recovery_loses_nothing);
}
