/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of parts that are missing: seen by their numbers, told apart from those retention removed.
 */
#include <CUnit/CUnit.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/shelf/oev_shelf_missing.h"
#include "help_shelf.h"

void test_oev_shelf_missing_suite(void);

struct fix {
	struct help_shelf *h;
	struct oev_shelf_segment *segments; /* before anything was removed */
	size_t segment_count;
	struct oev_shelf_missing *missing;
	size_t count;
};

static void fix_init(struct fix *fix)
{
	*fix = (struct fix){ .h = help_shelf_whole() };
	CU_ASSERT_EQUAL_FATAL(oev_shelf_segments(fix->h->shelf, &fix->segments, &fix->segment_count), OC_OK);
	CU_ASSERT_FATAL(fix->segment_count >= 4);
	CU_ASSERT_EQUAL_FATAL(fix->segments[2].part, 3);
	help_shelf_close(fix->h);
}

static void fix_fini(struct fix *fix)
{
	free(fix->missing);
	free(fix->segments);
	help_shelf_free(fix->h);
}

static void path_of(const struct fix *fix, size_t segment, char *out, size_t size)
{
	snprintf(out, size, "%s/%s", fix->h->folder, fix->segments[segment].name);
}

static void look(struct fix *fix)
{
	free(fix->missing);
	help_shelf_open(fix->h, false);
	CU_ASSERT_EQUAL(oev_shelf_missing(fix->h->shelf, &fix->missing, &fix->count, fix->h->error), OC_OK);
	help_shelf_close(fix->h);
}

static void drop(const struct fix *fix, size_t segment)
{
	char path[600];

	path_of(fix, segment, path, sizeof(path));
	CU_ASSERT_EQUAL(unlink(path), 0);
}

/* Writes into the newest segment, as retention does, that batches @first to @last went. */
static void tell_removal(const struct fix *fix, uint64_t first, uint64_t last)
{
	char path[600], sql[300];
	sqlite3 *db = NULL;

	path_of(fix, fix->segment_count - 1, path, sizeof(path));
	(void)chmod(path, 0644);
	snprintf(sql, sizeof(sql),
		 "INSERT INTO removal VALUES (1796000000000000, 'seg-x.db', %llu, %llu, '', 'age')",
		 (unsigned long long)first, (unsigned long long)last);
	CU_ASSERT_EQUAL(sqlite3_open(path, &db), SQLITE_OK);
	CU_ASSERT_EQUAL(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static void test_nothing_is_missing_of_a_whole_folder(void)
{
	struct fix fix;

	fix_init(&fix);
	look(&fix);
	CU_ASSERT_EQUAL(fix.count, 0);
	fix_fini(&fix);
}

static void test_a_part_in_the_middle_is_missing(void)
{
	struct fix fix;

	fix_init(&fix);
	drop(&fix, 1);
	look(&fix);
	CU_ASSERT_EQUAL_FATAL(fix.count, 1);
	CU_ASSERT_STRING_EQUAL(fix.missing[0].run, fix.segments[0].run);
	CU_ASSERT_STRING_EQUAL(fix.missing[0].segment, fix.segments[2].name);
	CU_ASSERT_EQUAL(fix.missing[0].first, 2);
	CU_ASSERT_EQUAL(fix.missing[0].last, 2);
	CU_ASSERT_EQUAL(fix.missing[0].since_us, fix.segments[0].until_us);
	CU_ASSERT_EQUAL(fix.missing[0].until_us, fix.segments[2].from_us);
	CU_ASSERT_FALSE(fix.missing[0].is_removed);
	CU_ASSERT_FALSE(fix.missing[0].may_be_here);
	fix_fini(&fix);
}

static void test_what_retention_removed_is_told_as_that(void)
{
	struct fix fix;

	fix_init(&fix);
	drop(&fix, 0);
	drop(&fix, 1);
	look(&fix);
	CU_ASSERT_EQUAL_FATAL(fix.count, 1);
	CU_ASSERT_EQUAL(fix.missing[0].last, 2);
	CU_ASSERT_EQUAL(fix.missing[0].since_us, 0);
	CU_ASSERT_FALSE(fix.missing[0].is_removed);
	tell_removal(&fix, fix.segments[1].batches_first, fix.segments[1].batches_last);
	tell_removal(&fix, fix.segments[0].batches_first, fix.segments[0].batches_last);
	look(&fix);
	CU_ASSERT_EQUAL_FATAL(fix.count, 1);
	CU_ASSERT_TRUE(fix.missing[0].is_removed);
	fix_fini(&fix);
}

static void test_a_part_that_retention_did_not_remove_is_not_hidden_by_one_it_did(void)
{
	struct fix fix;

	fix_init(&fix);
	drop(&fix, 1);
	tell_removal(&fix, fix.segments[1].batches_first, fix.segments[1].batches_last - 1);
	look(&fix);
	CU_ASSERT_EQUAL_FATAL(fix.count, 1);
	CU_ASSERT_FALSE(fix.missing[0].is_removed);
	fix_fini(&fix);
}

static void test_a_part_that_cannot_be_read_may_be_the_missing_one(void)
{
	struct fix fix;
	char path[600];

	fix_init(&fix);
	path_of(&fix, 1, path, sizeof(path));
	(void)chmod(path, 0644);
	CU_ASSERT_EQUAL(truncate(path, 5000), 0);
	look(&fix);
	CU_ASSERT_EQUAL_FATAL(fix.count, 1);
	CU_ASSERT_TRUE(fix.missing[0].may_be_here);
	fix_fini(&fix);
}

static void test_the_end_of_a_life_is_missing_by_its_batches(void)
{
	struct fix fix;
	size_t last = 0;

	fix_init(&fix);
	while (last + 1 < fix.segment_count && strcmp(fix.segments[last + 1].run, fix.segments[0].run) == 0)
		last++;
	CU_ASSERT_FATAL(last + 1 < fix.segment_count);
	drop(&fix, last);
	look(&fix);
	CU_ASSERT_EQUAL_FATAL(fix.count, 1);
	CU_ASSERT_EQUAL(fix.missing[0].first, 0);
	CU_ASSERT_EQUAL(fix.missing[0].first_batch, fix.segments[last].batches_first);
	CU_ASSERT_EQUAL(fix.missing[0].last_batch, fix.segments[last].batches_last);
	CU_ASSERT_STRING_EQUAL(fix.missing[0].segment, fix.segments[last + 1].name);
	fix_fini(&fix);
}

void test_oev_shelf_missing_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_shelf_missing", NULL, NULL);

	CU_add_test(suite, "nothing_is_missing_of_a_whole_folder", test_nothing_is_missing_of_a_whole_folder);
	CU_add_test(suite, "a_part_in_the_middle", test_a_part_in_the_middle_is_missing);
	CU_add_test(suite, "the_end_of_a_life", test_the_end_of_a_life_is_missing_by_its_batches);
	CU_add_test(suite, "what_retention_removed", test_what_retention_removed_is_told_as_that);
	CU_add_test(suite, "a_part_retention_did_not_remove",
		    test_a_part_that_retention_did_not_remove_is_not_hidden_by_one_it_did);
	CU_add_test(suite, "a_part_that_cannot_be_read",
		    test_a_part_that_cannot_be_read_may_be_the_missing_one);
}
