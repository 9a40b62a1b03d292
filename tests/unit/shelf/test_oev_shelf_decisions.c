/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of pages of decisions: every one once, in order, and what passes a filter is what SQL says passes it.
 */
#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "help_shelf.h"

void test_oev_shelf_decisions_suite(void);

#define ALL (HELP_FIRST_LIFE + HELP_SECOND_LIFE)

static void test_oev_shelf_pages_give_every_decision_once_newest_first(void)
{
	struct help_shelf *h = help_shelf_whole();
	struct oev_shelf_filter filter = { 0 };
	struct help_walk walk = help_walk(h, &filter, 997, 0);

	CU_ASSERT_TRUE(help_shelf_segments(h) >= 4);
	CU_ASSERT_EQUAL(walk.rc, OC_OK);
	CU_ASSERT_EQUAL(walk.rows, ALL);
	CU_ASSERT_TRUE(walk.is_ordered);
	CU_ASSERT_EQUAL(walk.broken, 0);
	CU_ASSERT_EQUAL(walk.without_outcome, 0);
	CU_ASSERT_STRING_EQUAL(walk.last.run, h->runs[0]);
	CU_ASSERT_EQUAL(walk.last.id, 1);
	filter.oldest_first = true;
	walk = help_walk(h, &filter, 1000, 0);
	CU_ASSERT_EQUAL(walk.rows, ALL);
	CU_ASSERT_TRUE(walk.is_ordered);
	CU_ASSERT_STRING_EQUAL(walk.last.run, h->runs[1]);
	CU_ASSERT_EQUAL(walk.last.id, HELP_SECOND_LIFE);
	help_shelf_free(h);
}

/* As many pass as @sql counts, in both directions, also when few rows are looked at for each page. */
static void assert_passes(struct help_shelf *h, struct oev_shelf_filter filter, const char *sql)
{
	int64_t want = help_shelf_sum(h, sql);

	for (int i = 0; i < 3; i++) {
		filter.oldest_first = i == 1;
		struct help_walk walk = help_walk(h, &filter, 100, i == 2 ? 777 : 0);
		CU_ASSERT_EQUAL(walk.rc, OC_OK);
		CU_ASSERT_EQUAL((int64_t)walk.rows, want);
		CU_ASSERT_TRUE(walk.is_ordered);
		if ((int64_t)walk.rows != want)
			fprintf(stderr, "%s: %lld wanted, %llu found %s\n", sql, (long long)want,
				(unsigned long long)walk.rows, h->error);
	}
}

#define COUNT "SELECT count(*) FROM v_decision WHERE "

static void test_oev_shelf_filters_pass_what_sql_passes(void)
{
	struct help_shelf *h = help_shelf_whole();
	struct oev_shelf_filter f = { .has_app = true, .app_id = OC_APP_S6A };

	assert_passes(h, f, COUNT "app_id = 16777251");
	f = (struct oev_shelf_filter){ .verdict = "Refused" };
	assert_passes(h, f, COUNT "verdict = 'refused'");
	f = (struct oev_shelf_filter){ .has_class = true, .klass = 2, .has_command = true, .command = 272 };
	assert_passes(h, f, COUNT "class = 2 AND command = 272");
	f = (struct oev_shelf_filter){ 0 };
	help_shelf_text(h, 0, "SELECT next_hop FROM v_decision WHERE next_hop IS NOT NULL", f.next_hop,
			sizeof(f.next_hop));
	char sql[400];
	snprintf(sql, sizeof(sql), COUNT "next_hop = '%s'", f.next_hop);
	f.next_hop[0] = 'S'; /* without regard to case */
	assert_passes(h, f, sql);
	f = (struct oev_shelf_filter){ .client = "nobody.example" };
	assert_passes(h, f, COUNT "0");
	help_shelf_free(h);
}

static void test_oev_shelf_filters_by_version_outcome_and_life(void)
{
	struct help_shelf *h = help_shelf_whole();
	struct oev_shelf_filter f = { .has_version = true, .version = 1 };
	struct oev_shelf_page page;
	char sql[400];

	CU_ASSERT_EQUAL(oev_shelf_decisions(h->shelf, &f, "", 10, 0, NULL, NULL, &page, h->error), OC_EINVAL);
	memcpy(f.run, h->runs[0], sizeof(f.run));
	snprintf(sql, sizeof(sql),
		 "SELECT count(*) FROM decision WHERE 1 IN (realm_version, host_version, peer_version)"
		 " AND (SELECT value FROM meta WHERE key = 'run') = '%s'",
		 h->runs[0]);
	assert_passes(h, f, sql);
	f = (struct oev_shelf_filter){ 0 };
	memcpy(f.run, h->runs[1], sizeof(f.run));
	CU_ASSERT_EQUAL(help_walk(h, &f, 500, 0).rows, HELP_SECOND_LIFE);
	f = (struct oev_shelf_filter){ .has_result = true, .result_code = 2001 };
	assert_passes(h, f, "SELECT count(*) FROM v_outcome WHERE result_code = 2001");
	f = (struct oev_shelf_filter){ .has_maker = true, .maker = OC_MADE_AGENT };
	assert_passes(h, f, "SELECT count(*) FROM v_outcome WHERE maker = 'agent'");
	help_shelf_free(h);
}

static void test_oev_shelf_windows_are_exact(void)
{
	struct help_shelf *h = help_shelf_whole();
	int64_t from = help_shelf_ask(h, 1, "SELECT min(wall_us) FROM v_decision") + 12345;
	char sql[200];

	for (int i = 0; i < 3; i++) {
		struct oev_shelf_filter f = { .from_us = i != 1 ? (uint64_t)from : 0,
					      .until_us = i != 2 ? (uint64_t)from + 3000000 : 0 };
		snprintf(sql, sizeof(sql), COUNT "wall_us >= %llu AND wall_us < %llu",
			 (unsigned long long)f.from_us,
			 f.until_us != 0 ? (unsigned long long)f.until_us : 1ull << 62);
		assert_passes(h, f, sql);
	}
	help_shelf_free(h);
}

static void test_oev_shelf_sessions_and_subscribers_pass_with_and_without_the_index(void)
{
	struct help_shelf *h = help_shelf_new();
	char sql[200];

	help_shelf_record(h);
	int64_t session = help_shelf_ask(h, 0, "SELECT session FROM decision WHERE id = 7");
	int64_t subscriber = help_shelf_ask(h, 0, "SELECT subscriber FROM decision WHERE id = 7");
	for (int i = 0; i < 2; i++) {
		help_shelf_open(h, i == 1);
		struct oev_shelf_filter f = { .session = (uint64_t)session };
		snprintf(sql, sizeof(sql), "SELECT count(*) FROM decision WHERE session = %lld",
			 (long long)session);
		assert_passes(h, f, sql);
		f = (struct oev_shelf_filter){ .subscriber = (uint64_t)subscriber, .verdict = "refused" };
		snprintf(sql, sizeof(sql), COUNT "subscriber = %lld AND verdict = 'refused'",
			 (long long)subscriber);
		assert_passes(h, f, sql);
		help_shelf_close(h);
	}
	help_shelf_free(h);
}

static void test_oev_shelf_refuses_cursors_of_other_pages(void)
{
	struct help_shelf *h = help_shelf_whole();
	struct oev_shelf_filter all = { 0 }, refused = { .verdict = "refused" };
	static const char *const odd[] = { "x", "a0", "a", "\xff\xff", "%s%n" };
	struct oev_shelf_page page, next;
	struct help_walk walk = { .is_ordered = true };
	char long_one[300];

	memset(long_one, 'a', sizeof(long_one) - 1);
	long_one[sizeof(long_one) - 1] = '\0';
	(void)walk;
	help_walk(h, &all, 10000, 0);
	CU_ASSERT_EQUAL(oev_shelf_decisions(h->shelf, &all, "", 0, 0, NULL, NULL, &page, h->error),
			OC_EINVAL);
	CU_ASSERT_EQUAL(oev_shelf_decisions(h->shelf, &all, "", 10001, 0, NULL, NULL, &page, h->error),
			OC_EINVAL);
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
		CU_ASSERT_EQUAL(
			oev_shelf_decisions(h->shelf, &all, odd[i], 5, 0, NULL, NULL, &page, h->error),
			OC_EINVAL);
	CU_ASSERT_EQUAL(oev_shelf_decisions(h->shelf, &all, long_one, 5, 0, NULL, NULL, &page, h->error),
			OC_EINVAL);
	all.verdict[0] = '\0';
	all.has_command = true; /* nothing passes: no row is taken */
	all.command = 1;
	CU_ASSERT_EQUAL(oev_shelf_decisions(h->shelf, &all, "", 5, 100, NULL, NULL, &page, h->error), OC_OK);
	CU_ASSERT_FALSE(page.is_end);
	CU_ASSERT_EQUAL(page.rows, 0);
	CU_ASSERT_EQUAL(page.examined, 100);
	CU_ASSERT_TRUE(page.reached_us != 0);
	CU_ASSERT_EQUAL(oev_shelf_decisions(h->shelf, &refused, page.next, 5, 0, NULL, NULL, &next, h->error),
			OC_EINVAL);
	all.from_us = 1; /* "the last ten minutes", asked a second later */
	all.until_us = INT64_MAX;
	CU_ASSERT_EQUAL(oev_shelf_decisions(h->shelf, &all, page.next, 5, 100, NULL, NULL, &next, h->error),
			OC_OK);
	all.command = 2;
	CU_ASSERT_EQUAL(oev_shelf_decisions(h->shelf, &all, page.next, 5, 0, NULL, NULL, &next, h->error),
			OC_EINVAL);
	help_shelf_free(h);
}

static bool count_three(void *ctx, const struct oev_shelf_decision *row)
{
	unsigned *count = ctx;

	(void)row;
	return ++*count < 3;
}

/* As retention does: the @count oldest segments. */
static void remove_oldest(struct help_shelf *h, size_t count)
{
	char file[HELP_FOLDER_MAX];

	for (size_t i = 0; i < count; i++) {
		help_shelf_text(h, 0, "SELECT file FROM pragma_database_list WHERE name = 'main'", file,
				sizeof(file));
		CU_ASSERT_EQUAL(unlink(file), 0);
	}
	usleep(300000);
}

static void test_oev_shelf_page_tells_what_was_removed_in_front_of_it(void)
{
	struct help_shelf *h = help_shelf_whole();
	struct oev_shelf_filter f = { .oldest_first = true };
	struct oev_shelf_page page, next;
	char removed[120];
	unsigned count = 0;

	CU_ASSERT_EQUAL(oev_shelf_decisions(h->shelf, &f, "", 100, 0, count_three, &count, &page, h->error),
			OC_OK);
	CU_ASSERT_STRING_EQUAL(page.left_out, "");
	remove_oldest(h, 1);
	CU_ASSERT_EQUAL(
		oev_shelf_decisions(h->shelf, &f, page.next, 100, 0, count_three, &count, &next, h->error),
		OC_OK);
	int64_t first = help_shelf_ask(h, 0, "SELECT min(id) FROM decision");
	snprintf(removed, sizeof(removed), "decisions 4 to %" PRId64 " of run ", first - 1);
	CU_ASSERT_EQUAL(strncmp(next.left_out, removed, strlen(removed)), 0);
	help_shelf_free(h);
}

static void test_oev_shelf_page_ends_where_the_asker_wants_and_life_may_be_gone(void)
{
	struct help_shelf *h = help_shelf_whole();
	struct oev_shelf_filter f = { .oldest_first = true };
	struct oev_shelf_page page, next;
	unsigned count = 0;

	CU_ASSERT_EQUAL(oev_shelf_decisions(h->shelf, &f, "", 100, 0, count_three, &count, &page, h->error),
			OC_OK);
	CU_ASSERT_EQUAL(count, 3);
	CU_ASSERT_EQUAL(page.rows, 3);
	CU_ASSERT_FALSE(page.is_end);
	remove_oldest(h, help_shelf_segments(h) - 1); /* all of the first life */
	CU_ASSERT_EQUAL(
		oev_shelf_decisions(h->shelf, &f, page.next, 100, 0, count_three, &count, &next, h->error),
		OC_ENOENT);
	CU_ASSERT_TRUE(h->error[0] != '\0');
	CU_ASSERT_EQUAL(help_walk(h, &f, 1000, 0).rows, HELP_SECOND_LIFE);
	help_shelf_free(h);
}

void test_oev_shelf_decisions_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_shelf_decisions", NULL, NULL);

	CU_ADD_TEST(suite, test_oev_shelf_pages_give_every_decision_once_newest_first);
	CU_ADD_TEST(suite, test_oev_shelf_filters_pass_what_sql_passes);
	CU_ADD_TEST(suite, test_oev_shelf_filters_by_version_outcome_and_life);
	CU_ADD_TEST(suite, test_oev_shelf_windows_are_exact);
	CU_ADD_TEST(suite, test_oev_shelf_sessions_and_subscribers_pass_with_and_without_the_index);
	CU_ADD_TEST(suite, test_oev_shelf_refuses_cursors_of_other_pages);
	CU_ADD_TEST(suite, test_oev_shelf_page_tells_what_was_removed_in_front_of_it);
	CU_ADD_TEST(suite, test_oev_shelf_page_ends_where_the_asker_wants_and_life_may_be_gone);
}
