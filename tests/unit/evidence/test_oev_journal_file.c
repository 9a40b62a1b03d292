/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the journal in a file: who may have it, where it cannot be made, what is left of it.
 */
#include <CUnit/CUnit.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "help_journal.h"

void test_oev_journal_file_suite(void);

static off_t size_of(const char *path)
{
	struct stat found;

	return stat(path, &found) == 0 ? found.st_size : -1;
}

static void test_oev_journal_file_is_ours_alone_and_whole_from_the_start(void)
{
	struct help_journal h;
	struct stat found = { 0 };

	help_journal_set_up(&h);
	CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, 1024), OC_OK);
	CU_ASSERT_FALSE(h.left.found);
	CU_ASSERT_EQUAL(stat(h.path, &found), 0);
	CU_ASSERT_EQUAL(found.st_mode & 0777u, 0600u);
	CU_ASSERT_EQUAL((size_t)found.st_size, oev_ring_octets(1024));
	CU_ASSERT((size_t)found.st_blocks * 512u >= oev_ring_octets(1024));
	help_journal_tear_down(&h);
}

static void test_oev_journal_file_clean_end_leaves_nothing(void)
{
	struct help_journal h;

	help_journal_set_up(&h);
	help_journal_leave(&h, 64, 5, 5);
	CU_ASSERT_EQUAL(help_journal_files(&h), 0);
	CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, 64), OC_OK);
	CU_ASSERT_FALSE(h.left.found);
	help_journal_tear_down(&h);
}

static void test_oev_journal_file_one_event_or_gap_keeps_it(void)
{
	struct help_journal h;

	help_journal_set_up(&h);
	help_journal_leave(&h, 64, 5, 4);
	CU_ASSERT_EQUAL(help_journal_files(&h), 1);
	CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, 64), OC_OK);
	CU_ASSERT(help_journal_drains(&h, 5, 5, 8));
	help_journal_begin(&h);
	struct oc_event unknown = { .kind = 999 };
	oev_journal_emit(h.journal, &unknown);
	help_journal_close(&h);
	CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, 64), OC_OK);
	CU_ASSERT_EQUAL(h.left.gap, 1);
	CU_ASSERT_EQUAL(oev_journal_take_gap(h.journal), 1);
	help_journal_tear_down(&h);
}

static void test_oev_journal_file_second_process_is_told_the_holder(void)
{
	struct help_journal h, other;
	char holder[32];

	help_journal_set_up(&h);
	CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, 64), OC_OK);
	other = h;
	CU_ASSERT_EQUAL(help_journal_open(&other, 64), OC_EBUSY);
	CU_ASSERT_PTR_NULL(other.journal);
	snprintf(holder, sizeof(holder), "process %ld", (long)getpid());
	CU_ASSERT_PTR_NOT_NULL(strstr(other.error, holder));
	CU_ASSERT_PTR_NOT_NULL(strstr(other.error, h.path));
	help_journal_begin(&h);
	help_journal_append(&h, 1, 1);
	help_journal_close(&h);
	CU_ASSERT_EQUAL(help_journal_open(&h, 64), OC_OK);
	help_journal_tear_down(&h);
}

static void test_oev_journal_file_folder_that_cannot_take_it_is_an_error(void)
{
	struct help_journal h;
	char folder[HELP_PATH_MAX];

	help_journal_set_up(&h);
	memcpy(folder, h.folder, sizeof(folder));
	snprintf(h.path, sizeof(h.path), "%s/absent/%s", folder, OEV_JOURNAL_FILE);
	CU_ASSERT_EQUAL(help_journal_open(&h, 64), OC_EIO);
	CU_ASSERT_PTR_NOT_NULL(strstr(h.error, "absent"));
	CU_ASSERT_PTR_NOT_NULL(strstr(h.error, strerror(ENOENT)));
	snprintf(h.path, sizeof(h.path), "%s/%s", folder, OEV_JOURNAL_FILE);
	chmod(folder, 0500);
	if (geteuid() != 0) {
		CU_ASSERT_EQUAL(help_journal_open(&h, 64), OC_EIO);
		CU_ASSERT_PTR_NOT_NULL(strstr(h.error, strerror(EACCES)));
	} else {
		printf("(read-only folder: skipped, root may write there) ");
	}
	chmod(folder, 0700);
	help_journal_tear_down(&h);
}

/* Files may have 1 MiB: the ring of 65536 records does not fit. Ends the process with 0 when that was told well. */
static void find_no_room(struct help_journal *h)
{
	struct rlimit limit = { .rlim_cur = 1u << 20, .rlim_max = 1u << 20 };

	signal(SIGXFSZ, SIG_IGN);
	if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
		_exit(10);
	if (help_journal_open(h, 65536) != OC_EIO)
		_exit(11);
	if (!strstr(h->error, "no room for ") || !strstr(h->error, strerror(EFBIG)))
		_exit(12);
	_exit(help_journal_files(h) == 0 ? 0 : 13);
}

static void test_oev_journal_file_no_room_is_told_at_once(void)
{
	struct help_journal h;
	int status = -1;

	help_journal_set_up(&h);
	pid_t child = fork();
	if (child == 0)
		find_no_room(&h);
	CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
	CU_ASSERT(WIFEXITED(status));
	CU_ASSERT_EQUAL(WEXITSTATUS(status), 0);
	help_journal_tear_down(&h);
}

static void test_oev_journal_file_takes_the_wanted_size_when_it_begins(void)
{
	struct help_journal h;

	help_journal_set_up(&h);
	help_journal_leave(&h, 64, 3, 0);
	CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, 256), OC_OK);
	CU_ASSERT_EQUAL(oev_journal_records(h.journal), 64);
	CU_ASSERT(help_journal_drains(&h, 1, 3, 8));
	help_journal_begin(&h);
	CU_ASSERT_EQUAL(oev_journal_records(h.journal), 256);
	CU_ASSERT_EQUAL((size_t)size_of(h.path), oev_ring_octets(256));
	help_journal_append(&h, 1, 256);
	CU_ASSERT(help_journal_drains(&h, 1, 256, 100));
	help_journal_tear_down(&h);
}

static void test_oev_journal_file_before_begin_an_append_is_a_gap(void)
{
	struct help_journal h;
	struct oev_journal_conf conf = { .records = 64, .when_full = OEV_FULL_BLOCK, .block_max_ms = 60000 };
	struct oc_event event = { .kind = OC_EVENT_OUTCOME };

	help_journal_set_up(&h);
	conf.path = h.path;
	CU_ASSERT_EQUAL_FATAL(oev_journal_open(&h.journal, &conf, h.error, sizeof(h.error)), OC_OK);
	CU_ASSERT_EQUAL(oev_journal_append(h.journal, &event), OC_ENOSPC);
	CU_ASSERT_EQUAL(oev_journal_take_gap(h.journal), 1);
	help_journal_tear_down(&h);
}

static void test_oev_journal_file_wrong_conf_is_refused(void)
{
	struct help_journal h;
	char longer[OEV_JOURNAL_PATH_MAX + 8];
	struct oev_journal_conf conf = { .path = "", .records = 64 };

	help_journal_set_up(&h);
	CU_ASSERT_EQUAL(help_journal_open(&h, 65), OC_EINVAL);
	CU_ASSERT_EQUAL(oev_journal_open(&h.journal, &conf, h.error, sizeof(h.error)), OC_EINVAL);
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	conf.path = longer;
	CU_ASSERT_EQUAL(oev_journal_open(&h.journal, &conf, h.error, sizeof(h.error)), OC_EINVAL);
	longer[OEV_JOURNAL_PATH_MAX - 1] = '\0';
	CU_ASSERT_EQUAL(oev_journal_open(&h.journal, &conf, h.error, sizeof(h.error)), OC_EIO);
	help_journal_tear_down(&h);
}

static void test_oev_journal_file_can_be_set_aside_and_put_back(void)
{
	struct help_journal h;
	char aside[OEV_JOURNAL_PATH_MAX] = "";

	help_journal_set_up(&h);
	help_journal_leave(&h, 64, 7, 2);
	CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, 64), OC_OK);
	CU_ASSERT_EQUAL(oev_journal_set_aside(h.journal, aside, sizeof(aside)), OC_OK);
	CU_ASSERT_PTR_NOT_NULL(strstr(aside, OEV_JOURNAL_FILE ".undrained-1"));
	CU_ASSERT_EQUAL(oev_journal_fill(h.journal), 0);
	help_journal_begin(&h);
	help_journal_append(&h, 1, 64);
	CU_ASSERT(help_journal_drains(&h, 1, 64, 10));
	help_journal_close(&h);
	CU_ASSERT_EQUAL(rename(aside, h.path), 0);
	CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, 64), OC_OK);
	CU_ASSERT(help_journal_drains(&h, 3, 7, 10));
	help_journal_tear_down(&h);
}

void test_oev_journal_file_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_journal_file", NULL, NULL);

	CU_add_test(suite, "ours_alone_and_whole",
		    test_oev_journal_file_is_ours_alone_and_whole_from_the_start);
	CU_add_test(suite, "clean_end_leaves_nothing", test_oev_journal_file_clean_end_leaves_nothing);
	CU_add_test(suite, "one_event_or_gap_keeps_it", test_oev_journal_file_one_event_or_gap_keeps_it);
	CU_add_test(suite, "second_process_is_told", test_oev_journal_file_second_process_is_told_the_holder);
	CU_add_test(suite, "folder_that_cannot_take_it",
		    test_oev_journal_file_folder_that_cannot_take_it_is_an_error);
	CU_add_test(suite, "no_room_is_told_at_once", test_oev_journal_file_no_room_is_told_at_once);
	CU_add_test(suite, "wanted_size_at_begin",
		    test_oev_journal_file_takes_the_wanted_size_when_it_begins);
	CU_add_test(suite, "before_begin_a_gap", test_oev_journal_file_before_begin_an_append_is_a_gap);
	CU_add_test(suite, "wrong_conf", test_oev_journal_file_wrong_conf_is_refused);
	CU_add_test(suite, "set_aside_and_put_back", test_oev_journal_file_can_be_set_aside_and_put_back);
}
