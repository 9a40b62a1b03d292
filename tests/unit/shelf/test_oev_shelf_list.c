/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of lists: every row once, though segments repeat rows of earlier ones, and octets complete.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "help_shelf.h"
#include "tests/unit/evidence/help_segment.h"

void test_oev_shelf_list_suite(void);

struct seen {
	uint64_t rows;
	char first[2000]; /* texts of the first row, with bars between */
	enum oev_shelf_list list;
};

static bool take(void *ctx, const struct oev_shelf_list_row *row)
{
	struct seen *seen = ctx;
	size_t count, at = 0;
	const struct oev_shelf_column *columns = oev_shelf_list_columns(seen->list, &count);

	for (size_t i = 0; i < count && at < sizeof(seen->first); i++) {
		CU_ASSERT_TRUE(row->cells[i].kind == OEV_SHELF_NOTHING ||
			       row->cells[i].kind == columns[i].kind);
		CU_ASSERT_PTR_NOT_NULL(row->cells[i].text);
		if (seen->rows > 0)
			continue;
		if (row->cells[i].kind == OEV_SHELF_NUMBER)
			at += (size_t)snprintf(seen->first + at, sizeof(seen->first) - at, "%llu|",
					       (unsigned long long)row->cells[i].number);
		else
			at += (size_t)snprintf(seen->first + at, sizeof(seen->first) - at, "%s|",
					       row->cells[i].text);
	}
	seen->rows++;
	return true;
}

static struct seen see(struct help_shelf *h, enum oev_shelf_list list,
		       const struct oev_shelf_list_filter *filter)
{
	struct seen seen = { .list = list };
	struct oev_shelf_page page = { 0 };
	char cursor[OEV_SHELF_CURSOR_MAX] = "";
	int rc;

	do {
		rc = oev_shelf_list(h->shelf, list, filter, cursor, 3, take, &seen, &page, h->error);
		memcpy(cursor, page.next, sizeof(cursor));
	} while (rc == OC_OK && !page.is_end);
	CU_ASSERT_EQUAL(rc, OC_OK);
	if (rc != OC_OK)
		fprintf(stderr, "%s: %s\n", oev_shelf_list_text(list), h->error);
	return seen;
}

#define CARRIED(t) "coalesce((SELECT rows FROM carried WHERE tbl = '" t "'), 0)"
#define OWN(t)                                                                                               \
	"SELECT (SELECT count(*) FROM " t                                                                    \
	") - CASE WHEN (SELECT value FROM meta WHERE key = 'part') = '1' THEN 0 ELSE " CARRIED(t) " END"

static void test_oev_shelf_lists_give_every_row_once(void)
{
	static const struct {
		enum oev_shelf_list list;
		const char *sql;
	} lists[] = { { OEV_SHELF_REPORTS, OWN("report") },
		      { OEV_SHELF_VERSIONS, OWN("ocs_version") },
		      { OEV_SHELF_CHANGES, OWN("ocs_change") },
		      { OEV_SHELF_ORDERS, OWN("order_change") },
		      { OEV_SHELF_OWN_REPORTS, OWN("own_report") },
		      { OEV_SHELF_PEERS, OWN("peer") },
		      { OEV_SHELF_CAPABILITIES, OWN("capability") },
		      { OEV_SHELF_LOADS, OWN("load") },
		      { OEV_SHELF_CHECKPOINTS, OWN("checkpoint") },
		      { OEV_SHELF_POLICIES, OWN("policy") },
		      { OEV_SHELF_GAPS, OWN("gap") },
		      { OEV_SHELF_REMOVALS, OWN("removal") },
		      { OEV_SHELF_RECOVERIES, OWN("recovery") },
		      { OEV_SHELF_REPEATS, OWN("report_repeat") } };
	const struct oev_shelf_list_filter any = { 0 }, turned = { .oldest_first = true };
	struct help_shelf *h = help_shelf_whole();

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		int64_t want = help_shelf_sum(h, lists[i].sql);
		struct seen seen = see(h, lists[i].list, &any);
		CU_ASSERT_EQUAL((int64_t)seen.rows, want);
		if ((int64_t)seen.rows != want)
			fprintf(stderr, "%s: %lld, %llu\n", oev_shelf_list_text(lists[i].list),
				(long long)want, (unsigned long long)seen.rows);
		CU_ASSERT_EQUAL((int64_t)see(h, lists[i].list, &turned).rows, want);
	}
	CU_ASSERT_EQUAL(see(h, OEV_SHELF_ACTS, &any).rows, 0);
	help_shelf_free(h);
}

static void test_oev_shelf_list_of_reports_has_their_octets(void)
{
	struct help_shelf *h = help_shelf_whole();
	struct oev_shelf_list_filter f = { .has_number = true, .number = 1, .run = h->runs[0] };
	char want[2000];

	struct seen seen = see(h, OEV_SHELF_REPORTS, &f);
	CU_ASSERT_EQUAL(seen.rows, 1);
	help_shelf_text(
		h, 0,
		"SELECT id || '|' || peer || '|' || app_id || '|' || type || '|' || subject || '|' ||"
		" origin_host || '|' || origin_realm || '|' || sequence || '|' || reduction_pct || '|' ||"
		" validity_s || '||' || algorithm || '|' || verdict || '|' || reason || '|' || version ||"
		" '|' || raw_hex || '|' || raw_total || '|' FROM v_report WHERE id = 1",
		want, sizeof(want));
	CU_ASSERT_STRING_EQUAL(seen.first, want);
	f = (struct oev_shelf_list_filter){ .name = "nobody.example" };
	CU_ASSERT_EQUAL(see(h, OEV_SHELF_REPORTS, &f).rows, 0);
	f = (struct oev_shelf_list_filter){ .from_us = 1, .until_us = 2 };
	CU_ASSERT_EQUAL(see(h, OEV_SHELF_REPORTS, &f).rows, 0);
	help_shelf_free(h);
}

static void test_oev_shelf_list_of_changes_tells_the_history_of_a_state(void)
{
	struct help_shelf *h = help_shelf_whole();
	const struct oev_shelf_list_filter f = { .has_number = true, .number = 1, .run = h->runs[0] };
	char sql[300];

	snprintf(sql, sizeof(sql), OWN("ocs_change"));
	struct seen changes = see(h, OEV_SHELF_CHANGES, &f), versions = see(h, OEV_SHELF_VERSIONS, &f);
	CU_ASSERT_EQUAL(versions.rows, 1);
	CU_ASSERT_TRUE(changes.rows >= 1);
	CU_ASSERT_TRUE(
		strstr(changes.first, "expired") != NULL || strstr(changes.first, "recovered") != NULL ||
		strstr(changes.first, "replaced") != NULL || strstr(changes.first, "ended") != NULL ||
		strstr(changes.first, "forgotten") != NULL || strstr(changes.first, "shutdown") != NULL);
	help_shelf_free(h);
}

static void test_oev_shelf_list_of_policies_has_them_word_for_word(void)
{
	struct help_shelf *h = help_shelf_whole();
	const struct oev_shelf_list_filter any = { 0 };
	struct seen seen = see(h, OEV_SHELF_POLICIES, &any);

	CU_ASSERT_PTR_NOT_NULL(strstr(seen.first, help_policy));
	help_shelf_free(h);
}

static void test_oev_shelf_list_refuses_cursors_of_other_lists(void)
{
	struct help_shelf *h = help_shelf_whole();
	const struct oev_shelf_list_filter any = { 0 };
	struct seen seen = { .list = OEV_SHELF_CHECKPOINTS };
	struct oev_shelf_page page, next;

	CU_ASSERT_EQUAL(
		oev_shelf_list(h->shelf, OEV_SHELF_CHECKPOINTS, &any, "", 1, take, &seen, &page, h->error),
		OC_OK);
	CU_ASSERT_FALSE(page.is_end);
	CU_ASSERT_EQUAL(
		oev_shelf_list(h->shelf, OEV_SHELF_LOADS, &any, page.next, 1, take, &seen, &next, h->error),
		OC_EINVAL);
	CU_ASSERT_EQUAL(
		oev_shelf_list(h->shelf, OEV_SHELF_LIST_COUNT, &any, "", 1, take, &seen, &next, h->error),
		OC_EINVAL);
	help_shelf_free(h);
}

static void test_oev_shelf_list_of_acts_is_that_of_newer_segments(void)
{
	struct help_segment segment;
	struct oev_shelf_list_filter f = { .name = "gx-east/pcrf-3" };
	struct seen seen = { .list = OEV_SHELF_ACTS };
	struct oev_shelf *shelf = NULL;
	struct oev_shelf_page page;
	char error[OEV_SHELF_TEXT_MAX];

	CU_ASSERT_TRUE_FATAL(help_segment_new(&segment));
	CU_ASSERT_TRUE(help_segment_tell(&segment, &(struct help_story){ .requests = 2000 }, false));
	CU_ASSERT_TRUE(help_segment_sql(&segment,
					"UPDATE meta SET value = '4' WHERE key = 'schema'; INSERT INTO act "
					"VALUES (5, 1796000000000001, 'ops2', 'drain',"
					" 'gx-east/pcrf-3', 'in', 'drain', 'CHG-4398'), (6,"
					" 1796000000000002, 'ops2', 'drain', 'other', '', 'in', '')"));
	help_segment_close(&segment);
	CU_ASSERT_EQUAL_FATAL(oev_shelf_open(&shelf, segment.folder, NULL, error), OC_OK);
	CU_ASSERT_EQUAL(oev_shelf_list(shelf, OEV_SHELF_ACTS, &f, "", 10, take, &seen, &page, error), OC_OK);
	CU_ASSERT_EQUAL(seen.rows, 1);
	CU_ASSERT_STRING_EQUAL(seen.first, "5|ops2|drain|gx-east/pcrf-3|in|drain|CHG-4398|");
	oev_shelf_close(shelf);
	help_segment_remove(&segment);
}

void test_oev_shelf_list_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_shelf_list", NULL, NULL);

	CU_ADD_TEST(suite, test_oev_shelf_lists_give_every_row_once);
	CU_ADD_TEST(suite, test_oev_shelf_list_of_reports_has_their_octets);
	CU_ADD_TEST(suite, test_oev_shelf_list_of_changes_tells_the_history_of_a_state);
	CU_ADD_TEST(suite, test_oev_shelf_list_of_policies_has_them_word_for_word);
	CU_ADD_TEST(suite, test_oev_shelf_list_of_acts_is_that_of_newer_segments);
	CU_ADD_TEST(suite, test_oev_shelf_list_refuses_cursors_of_other_lists);
}
