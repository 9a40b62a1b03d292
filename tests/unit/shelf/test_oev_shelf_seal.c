/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of what is called sealed: the seal beside a segment says it, not the mode of its file; what is being written never is.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "help_shelf.h"

void test_oev_shelf_seal_suite(void);

/* Of the first segment, as a shelf that is opened now sees it. */
static struct oev_shelf_segment first(struct help_shelf *h)
{
	struct oev_shelf_segment *all = NULL, found = { 0 };
	size_t count = 0;

	help_shelf_open(h, false);
	CU_ASSERT_EQUAL(oev_shelf_segments(h->shelf, &all, &count), OC_OK);
	if (count > 0)
		found = all[0];
	free(all);
	help_shelf_close(h);
	return found;
}

static void path_of(const struct help_shelf *h, const struct oev_shelf_segment *at, const char *suffix,
		    char *out, size_t size)
{
	snprintf(out, size, "%s/%s%s", h->folder, at->name, suffix);
}

static void put(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fputs(text, file);
	fclose(file);
}

/* The first segment's @path, of a mode that archives and some file systems give; what it said before. */
static struct oev_shelf_segment give_back_writable(struct help_shelf *h, char *path, size_t size)
{
	help_shelf_close(h);
	struct oev_shelf_segment before = first(h);
	path_of(h, &before, "", path, size);
	CU_ASSERT_EQUAL(chmod(path, 0644), 0);
	return before;
}

static void test_a_writable_file_with_its_seal_is_sealed(void)
{
	struct help_shelf *h = help_shelf_whole();
	char path[600];

	struct oev_shelf_segment before = give_back_writable(h, path, sizeof(path));
	CU_ASSERT_TRUE(before.is_sealed);
	CU_ASSERT_NOT_EQUAL(before.sealed_us, 0);
	struct oev_shelf_segment after = first(h);
	CU_ASSERT_TRUE(after.is_sealed);
	CU_ASSERT_EQUAL(after.sealed_us, before.sealed_us);
	CU_ASSERT_STRING_EQUAL(after.sha256, before.sha256);
	help_shelf_free(h);
}

static void test_a_seal_makes_nothing_sealed_that_is_written(void)
{
	static const char *const beside[] = { "-wal", "-shm" };
	struct help_shelf *h = help_shelf_whole();
	char path[600];

	struct oev_shelf_segment before = give_back_writable(h, path, sizeof(path));
	for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
		path_of(h, &before, beside[i], path, sizeof(path));
		put(path, "");
		CU_ASSERT_FALSE(first(h).is_sealed);
		(void)unlink(path);
	}
	CU_ASSERT_TRUE(first(h).is_sealed);
	help_shelf_free(h);
}

static void test_a_seal_of_another_file_counts_for_nothing(void)
{
	struct help_shelf *h = help_shelf_whole();
	char path[600];

	struct oev_shelf_segment before = give_back_writable(h, path, sizeof(path));
	FILE *file = fopen(path, "a");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fputs("more", file);
	fclose(file);
	CU_ASSERT_FALSE(first(h).is_sealed);
	CU_ASSERT_EQUAL(truncate(path, (off_t)before.octets), 0);
	CU_ASSERT_TRUE(first(h).is_sealed);
	path_of(h, &before, ".seal", path, sizeof(path));
	(void)unlink(path);
	CU_ASSERT_FALSE(first(h).is_sealed);
	put(path, "no seal");
	CU_ASSERT_FALSE(first(h).is_sealed);
	help_shelf_free(h);
}

/* One shelf that stays open sees it too, and does not read the seal of what did not change again. */
static void test_a_shelf_sees_the_seal_come_and_go(void)
{
	struct help_shelf *h = help_shelf_whole();
	struct oev_shelf_segment *all = NULL;
	char path[600], away[620];
	size_t count = 0;

	struct oev_shelf_segment before = give_back_writable(h, path, sizeof(path));
	path_of(h, &before, ".seal", path, sizeof(path));
	snprintf(away, sizeof(away), "%s.away", path);
	help_shelf_open(h, false);
	for (int i = 0; i < 4; i++) {
		bool is_away = i % 2 == 1;
		CU_ASSERT_EQUAL(is_away ? rename(path, away) : i > 0 ? rename(away, path) : 0, 0);
		usleep(300000);
		CU_ASSERT_EQUAL(oev_shelf_segments(h->shelf, &all, &count), OC_OK);
		CU_ASSERT_EQUAL(all[0].is_sealed, !is_away);
		if (!is_away)
			CU_ASSERT_EQUAL(all[0].sealed_us, before.sealed_us);
		free(all);
	}
	help_shelf_free(h);
}

void test_oev_shelf_seal_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_shelf_seal", NULL, NULL);

	CU_add_test(suite, "a_writable_file_with_its_seal", test_a_writable_file_with_its_seal_is_sealed);
	CU_add_test(suite, "a_seal_of_what_is_written", test_a_seal_makes_nothing_sealed_that_is_written);
	CU_add_test(suite, "a_seal_of_another_file", test_a_seal_of_another_file_counts_for_nothing);
	CU_add_test(suite, "a_seal_comes_and_goes", test_a_shelf_sees_the_seal_come_and_go);
}
