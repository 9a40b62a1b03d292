/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the index of sessions: it says what SQL says, outlives its maker in files, and is made anew when these are damaged.
 */
#include <CUnit/CUnit.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/proof/oev_key.h"
#include "evidence/reveal/oev_pseudonym.h"
#include "help_shelf.h"

void test_oev_shelf_find_suite(void);

struct found {
	uint64_t rows, decisions, refused;
	bool is_ordered;
	struct oev_shelf_session last;
};

static bool take(void *ctx, const struct oev_shelf_session *row)
{
	struct found *found = ctx;

	found->is_ordered &= found->rows == 0 || row->last_us < found->last.last_us ||
			     (row->last_us == found->last.last_us && row->session < found->last.session);
	found->rows++;
	found->decisions += row->decisions;
	found->refused += row->refused;
	found->last = *row;
	return true;
}

static struct found walk(struct help_shelf *h, const struct oev_shelf_session_filter *filter)
{
	struct found found = { .is_ordered = true };
	struct oev_shelf_page page = { 0 };
	char cursor[OEV_SHELF_CURSOR_MAX] = "";
	int rc;

	do {
		rc = oev_shelf_sessions(h->shelf, filter, cursor, 7, take, &found, &page, h->error);
		memcpy(cursor, page.next, sizeof(cursor));
	} while (rc == OC_OK && !page.is_end);
	CU_ASSERT_EQUAL(rc, OC_OK);
	return found;
}

static void assert_all(struct help_shelf *h)
{
	const struct oev_shelf_session_filter any = { 0 };
	struct found found = walk(h, &any);

	CU_ASSERT_EQUAL(found.rows, HELP_SESSIONS);
	CU_ASSERT_EQUAL(found.decisions, HELP_FIRST_LIFE + HELP_SECOND_LIFE);
	CU_ASSERT_EQUAL((int64_t)found.refused,
			help_shelf_sum(h, "SELECT count(*) FROM v_decision WHERE verdict = 'refused'"));
	CU_ASSERT_TRUE(found.is_ordered);
}

static void test_oev_shelf_sessions_are_summed_up_over_segments_and_lives(void)
{
	struct help_shelf *h = help_shelf_whole();
	int64_t session = help_shelf_ask(h, 1, "SELECT session FROM decision LIMIT 1");
	struct oev_shelf_session one;
	char sql[200];

	assert_all(h);
	CU_ASSERT_EQUAL(oev_shelf_session(h->shelf, (uint64_t)session, &one, h->error), OC_OK);
	snprintf(sql, sizeof(sql), "SELECT count(*) FROM decision WHERE session = %" PRId64, session);
	CU_ASSERT_EQUAL((int64_t)one.decisions, help_shelf_sum(h, sql));
	snprintf(sql, sizeof(sql), "SELECT max(wall_us) FROM v_decision WHERE session = %" PRId64, session);
	CU_ASSERT_EQUAL((int64_t)one.last_us, help_shelf_ask(h, help_shelf_segments(h) - 1, sql));
	CU_ASSERT_EQUAL(oev_shelf_session(h->shelf, 12345, &one, h->error), OC_ENOENT);
	help_shelf_free(h);
}

static void test_oev_shelf_subscriber_has_its_sessions(void)
{
	struct help_shelf *h = help_shelf_whole();
	struct oev_shelf_session_filter f = { .subscriber = (uint64_t)help_shelf_ask(
						      h, 0, "SELECT subscriber FROM decision LIMIT 1") };
	struct found found = walk(h, &f);
	char sql[200];

	CU_ASSERT_TRUE(found.rows > 1);
	CU_ASSERT_TRUE(found.is_ordered);
	snprintf(sql, sizeof(sql), "SELECT count(*) FROM decision WHERE subscriber = %" PRIu64, f.subscriber);
	CU_ASSERT_TRUE((int64_t)found.decisions >= help_shelf_sum(h, sql));
	CU_ASSERT_EQUAL(found.last.subscriber, f.subscriber);
	f.subscriber++;
	CU_ASSERT_EQUAL(walk(h, &f).rows, 0);
	help_shelf_free(h);
}

static size_t index_files(const struct help_shelf *h, glob_t *found)
{
	char pattern[HELP_FOLDER_MAX + 32];

	snprintf(pattern, sizeof(pattern), "%s/*.sessions", h->index);
	if (glob(pattern, 0, NULL, found) != 0)
		memset(found, 0, sizeof(*found));
	return found->gl_pathc;
}

/* One octet is another one. */
static void damage(const char *path, long at)
{
	FILE *file = fopen(path, "r+");

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fseek(file, at, at < 0 ? SEEK_END : SEEK_SET);
	int octet = fgetc(file);
	fseek(file, at, at < 0 ? SEEK_END : SEEK_SET);
	fputc(octet ^ 0x41, file);
	fclose(file);
}

static void test_oev_shelf_index_is_kept_in_files_and_made_anew_when_damaged(void)
{
	struct help_shelf *h = help_shelf_whole();
	glob_t files;

	CU_ASSERT_TRUE_FATAL(index_files(h, &files) >= 4);
	struct stat before, after;
	stat(files.gl_pathv[1], &before);
	help_shelf_close(h);
	damage(files.gl_pathv[0], 200);
	damage(files.gl_pathv[2], -100);
	CU_ASSERT_EQUAL(truncate(files.gl_pathv[3], 100), 0);
	help_shelf_open(h, true);
	assert_all(h);
	stat(files.gl_pathv[1], &after);
	CU_ASSERT_EQUAL(before.st_ino, after.st_ino);
	help_shelf_close(h);
	CU_ASSERT_EQUAL(rename(files.gl_pathv[0], files.gl_pathv[1]), 0); /* of another segment */
	help_shelf_open(h, true);
	assert_all(h);
	globfree(&files);
	help_shelf_free(h);
}

/* Whether a search in files that end too early fails by saying so, and works again once they are made anew. */
static void test_oev_shelf_index_that_is_cut_under_its_reader_is_made_anew(void)
{
	struct help_shelf *h = help_shelf_whole();
	int64_t session = help_shelf_ask(h, 1, "SELECT session FROM decision LIMIT 1");
	const struct oev_shelf_session_filter any = { 0 };
	struct oev_shelf_session one;
	struct oev_shelf_page page;
	struct found found = { 0 };
	glob_t files;
	int rc;

	CU_ASSERT_TRUE_FATAL(index_files(h, &files) >= 4);
	for (size_t i = 0; i < files.gl_pathc; i++)
		CU_ASSERT_EQUAL(truncate(files.gl_pathv[i], 100), 0);
	CU_ASSERT_EQUAL(oev_shelf_session(h->shelf, (uint64_t)session, &one, h->error), OC_EIO);
	CU_ASSERT_PTR_NOT_NULL(strstr(h->error, "made anew"));
	for (int i = 0; i < 1000; i++) {
		rc = oev_shelf_sessions(h->shelf, &any, "", 10, take, &found, &page, h->error);
		if (rc == OC_OK)
			break;
		CU_ASSERT_EQUAL(rc, OC_EIO);
		usleep(10000);
	}
	CU_ASSERT_EQUAL(rc, OC_OK);
	help_shelf_wait(h);
	assert_all(h);
	globfree(&files);
	help_shelf_free(h);
}

/* How many files of the index this process has open. */
static unsigned open_files(void)
{
	char target[1024];
	unsigned count = 0;
	glob_t links;

	if (glob("/proc/self/fd/*", 0, NULL, &links) != 0)
		return 0;
	for (size_t i = 0; i < links.gl_pathc; i++) {
		ssize_t len = readlink(links.gl_pathv[i], target, sizeof(target) - 1);
		target[len > 0 ? len : 0] = '\0';
		count += strstr(target, ".sessions") != NULL;
	}
	globfree(&links);
	return count;
}

/* So that a folder of years leaves files to be opened for those who connect. */
static void test_oev_shelf_index_of_many_segments_keeps_few_files_open(void)
{
	struct help_shelf *h = help_shelf_new();
	struct oev_shelf_session one;
	char sql[100];
	glob_t files;

	help_shelf_record(h);
	size_t last = help_shelf_segments(h) - 1;
	uint64_t session = (uint64_t)help_shelf_ask(h, last, "SELECT session FROM decision LIMIT 1");
	help_shelf_multiply(h, 70);
	help_shelf_open(h, true);
	CU_ASSERT_TRUE(index_files(h, &files) > 70);
	CU_ASSERT_EQUAL(open_files(), 64);
	snprintf(sql, sizeof(sql), "SELECT count(*) FROM decision WHERE session = %" PRId64,
		 (int64_t)session);
	int64_t all = help_shelf_sum(h, sql);
	CU_ASSERT_EQUAL(oev_shelf_session(h->shelf, session, &one, h->error), OC_OK);
	CU_ASSERT_EQUAL((int64_t)one.decisions, all);
	for (size_t i = 1; i < files.gl_pathc; i++)
		CU_ASSERT_EQUAL(rename(files.gl_pathv[i], files.gl_pathv[0]), 0);
	CU_ASSERT_EQUAL(oev_shelf_session(h->shelf, session, &one, h->error), OC_EIO);
	CU_ASSERT_PTR_NOT_NULL(strstr(h->error, "made anew"));
	help_shelf_wait(h);
	CU_ASSERT_TRUE(open_files() <= 64);
	globfree(&files);
	help_shelf_free(h);
}

static void test_oev_shelf_index_of_a_segment_that_is_gone_is_removed(void)
{
	struct help_shelf *h = help_shelf_whole();
	char file[HELP_FOLDER_MAX];
	glob_t files;

	size_t before = index_files(h, &files);
	globfree(&files);
	help_shelf_text(h, 1, "SELECT file FROM pragma_database_list WHERE name = 'main'", file,
			sizeof(file));
	CU_ASSERT_EQUAL(unlink(file), 0);
	size_t after = before;
	for (int i = 0; i < 300 && after == before; i++) {
		usleep(20000);
		after = index_files(h, &files);
		globfree(&files);
	}
	CU_ASSERT_EQUAL(after, before - 1);
	help_shelf_free(h);
}

static void test_oev_shelf_index_can_be_in_memory_but_not_in_the_evidence(void)
{
	struct help_shelf *h = help_shelf_new();
	char inside[HELP_FOLDER_MAX + 16];

	help_shelf_record(h);
	snprintf(inside, sizeof(inside), "%s/index", h->folder);
	CU_ASSERT_EQUAL(oev_shelf_open(&h->shelf, h->folder, inside, h->error), OC_EIO);
	CU_ASSERT_PTR_NULL(h->shelf);
	help_record_remove(inside);
	CU_ASSERT_EQUAL_FATAL(oev_shelf_open(&h->shelf, h->folder, NULL, h->error), OC_OK);
	help_shelf_wait(h);
	assert_all(h);
	help_shelf_free(h);
}

static void test_oev_shelf_folder_must_be_there(void)
{
	struct oev_shelf *shelf = NULL;
	char error[OEV_SHELF_TEXT_MAX];

	CU_ASSERT_EQUAL(oev_shelf_open(&shelf, "/nowhere/at/all", NULL, error), OC_ENOENT);
	CU_ASSERT_PTR_NULL(shelf);
	CU_ASSERT_EQUAL(oev_shelf_open(&shelf, "/dev/null", NULL, error), OC_EIO);
	oev_shelf_close(NULL);
}

static void test_oev_shelf_pseudonym_is_that_of_the_key(void)
{
	struct help_shelf *h = help_shelf_new();
	char path[HELP_FOLDER_MAX + 8];
	struct oev_key *key = NULL;
	struct oev_why why;
	uint64_t pseudonym;

	help_shelf_record(h);
	snprintf(path, sizeof(path), "%s.key", h->folder);
	CU_ASSERT_EQUAL_FATAL(oev_key_read(path, &key, &why), OC_OK);
	struct oc_keyed_key secret = oev_pseudonym_key(key);
	CU_ASSERT_EQUAL(oev_shelf_pseudonym(path, "c1;1;2", &pseudonym, h->error), OC_OK);
	CU_ASSERT_EQUAL(pseudonym, oev_pseudonym(&secret, "c1;1;2", 6));
	CU_ASSERT_EQUAL(oev_shelf_pseudonym(path, "", &pseudonym, h->error), OC_EINVAL);
	CU_ASSERT_EQUAL(oev_shelf_pseudonym("/nowhere", "x", &pseudonym, h->error), OC_ENOENT);
	oev_key_free(key);
	help_shelf_free(h);
}

void test_oev_shelf_find_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_shelf_find", NULL, NULL);

	CU_ADD_TEST(suite, test_oev_shelf_sessions_are_summed_up_over_segments_and_lives);
	CU_ADD_TEST(suite, test_oev_shelf_subscriber_has_its_sessions);
	CU_ADD_TEST(suite, test_oev_shelf_index_is_kept_in_files_and_made_anew_when_damaged);
	CU_ADD_TEST(suite, test_oev_shelf_index_that_is_cut_under_its_reader_is_made_anew);
	CU_ADD_TEST(suite, test_oev_shelf_index_of_many_segments_keeps_few_files_open);
	CU_ADD_TEST(suite, test_oev_shelf_index_of_a_segment_that_is_gone_is_removed);
	CU_ADD_TEST(suite, test_oev_shelf_index_can_be_in_memory_but_not_in_the_evidence);
	CU_ADD_TEST(suite, test_oev_shelf_folder_must_be_there);
	CU_ADD_TEST(suite, test_oev_shelf_pseudonym_is_that_of_the_key);
}
