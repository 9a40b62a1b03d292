/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of files put whole: what a killed writer left does not stay, and a writer that lives is not disturbed.
 */
#include <CUnit/CUnit.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/proof/oev_file.h"
#include "evidence/proof/oev_fresh.h"
#include "help_proof.h"

void test_oev_fresh_suite(void);

static char folder[HELP_PATH_MAX], path[HELP_PATH_MAX + 16], beside[HELP_PATH_MAX + 32];

static void set_up(void)
{
	help_folder_make(folder);
	snprintf(path, sizeof(path), "%s/list", folder);
	snprintf(beside, sizeof(beside), "%s" OEV_FRESH_SUFFIX, path);
}

static void tear_down(void)
{
	help_folder_remove(folder);
}

static void assert_text(const char *wanted)
{
	size_t len = 0;
	char *text = help_file(path, &len);

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	CU_ASSERT_STRING_EQUAL(text, wanted);
	free(text);
}

/* A process that is killed while it writes. */
static void killed_writer(void)
{
	pid_t child = fork();
	char fresh[OEV_FRESH_PATH_MAX];
	int status;

	if (child == 0) {
		int fd = oev_fresh_open(path, fresh);
		if (fd >= 0 && write(fd, "half", 4) == 4)
			raise(SIGKILL);
		_exit(1);
	}
	CU_ASSERT_EQUAL_FATAL(waitpid(child, &status, 0), child);
	CU_ASSERT_TRUE_FATAL(WIFSIGNALED(status));
	CU_ASSERT_EQUAL(access(beside, F_OK), 0);
}

static void test_oev_fresh_left_by_a_killed_writer_is_removed(void)
{
	killed_writer();
	oev_fresh_sweep(path);
	CU_ASSERT_EQUAL(access(beside, F_OK), -1);
	killed_writer();
	CU_ASSERT_EQUAL(oev_file_put(path, "whole", 5, 0640, OEV_FILE_OVER), OC_OK);
	CU_ASSERT_EQUAL(access(beside, F_OK), -1);
	assert_text("whole");
	oev_fresh_sweep(path); /* nothing there */
	assert_text("whole");
}

static void test_oev_fresh_of_a_killed_writer_is_not_written_to(void)
{
	killed_writer();
	int reader = open(beside, O_RDONLY); /* whoever opened it then sees no secret that comes later */
	CU_ASSERT_EQUAL(oev_file_put(path, "secret", 6, 0600, OEV_FILE_NEW), OC_OK);
	char seen[16] = "";
	CU_ASSERT_EQUAL(read(reader, seen, sizeof(seen) - 1), 4);
	CU_ASSERT_STRING_EQUAL(seen, "half");
	close(reader);
	assert_text("secret");
}

static void test_oev_fresh_of_a_living_writer_is_left_alone(void)
{
	char fresh[OEV_FRESH_PATH_MAX];
	int fd = oev_fresh_open(path, fresh);

	CU_ASSERT_TRUE_FATAL(fd >= 0);
	CU_ASSERT_STRING_EQUAL(fresh, beside);
	oev_fresh_sweep(path);
	CU_ASSERT_EQUAL(access(beside, F_OK), 0);
	errno = 0;
	CU_ASSERT_EQUAL(oev_file_put(path, "x", 1, 0600, OEV_FILE_OVER), OC_EIO);
	CU_ASSERT_EQUAL(errno, EWOULDBLOCK);
	CU_ASSERT_EQUAL(write(fd, "mine", 4), 4);
	CU_ASSERT_EQUAL(rename(fresh, path), 0);
	close(fd);
	assert_text("mine");
}

static void *put_many(void *ctx)
{
	long *failed = ctx;

	for (int i = 0; i < 50; i++)
		*failed += oev_file_put(path, "0123456789", 10, 0600, OEV_FILE_OVER) != OC_OK;
	return NULL;
}

static void test_oev_fresh_writers_take_turns(void)
{
	pthread_t threads[4];
	long failed[4] = { 0 };

	for (int i = 0; i < 4; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, put_many, &failed[i]), 0);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	CU_ASSERT_EQUAL(failed[0] + failed[1] + failed[2] + failed[3], 0);
	assert_text("0123456789");
	CU_ASSERT_EQUAL(access(beside, F_OK), -1);
}

static void test_oev_fresh_something_else_of_that_name_stays(void)
{
	char target[HELP_PATH_MAX + 32];

	CU_ASSERT_EQUAL(mkdir(beside, 0700), 0);
	CU_ASSERT_EQUAL(oev_file_put(path, "x", 1, 0600, OEV_FILE_OVER), OC_EIO);
	CU_ASSERT_EQUAL(rmdir(beside), 0);
	snprintf(target, sizeof(target), "%s/other", folder);
	CU_ASSERT_EQUAL(symlink(target, beside), 0);
	CU_ASSERT_EQUAL(oev_file_put(path, "x", 1, 0600, OEV_FILE_OVER), OC_EIO);
	CU_ASSERT_EQUAL(access(target, F_OK), -1);
	CU_ASSERT_EQUAL(access(path, F_OK), -1);
}

static void test_oev_file_put_new_is_never_over_another(void)
{
	struct stat info;

	CU_ASSERT_EQUAL(oev_file_put(path, "one", 3, 0640, OEV_FILE_NEW), OC_OK);
	CU_ASSERT_EQUAL(oev_file_put(path, "two", 3, 0640, OEV_FILE_NEW), OC_EBUSY);
	CU_ASSERT_EQUAL(access(beside, F_OK), -1);
	assert_text("one");
	CU_ASSERT_EQUAL(stat(path, &info), 0);
	CU_ASSERT_EQUAL(info.st_mode & 0777, 0640);
	CU_ASSERT_EQUAL(info.st_nlink, 1);
}

void test_oev_fresh_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oev_fresh", NULL, NULL, set_up, tear_down);

	CU_ADD_TEST(suite, test_oev_fresh_left_by_a_killed_writer_is_removed);
	CU_ADD_TEST(suite, test_oev_fresh_of_a_killed_writer_is_not_written_to);
	CU_ADD_TEST(suite, test_oev_fresh_of_a_living_writer_is_left_alone);
	CU_ADD_TEST(suite, test_oev_fresh_writers_take_turns);
	CU_ADD_TEST(suite, test_oev_fresh_something_else_of_that_name_stays);
	CU_ADD_TEST(suite, test_oev_file_put_new_is_never_over_another);
}
