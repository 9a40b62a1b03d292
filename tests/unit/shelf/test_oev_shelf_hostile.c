/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of folders that no node wrote: answers or errors, nothing else.
 */
#include <CUnit/CUnit.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/oev_clock.h"
#include "evidence/shelf/oev_shelf_find.h"
#include "evidence/shelf/oev_shelf_list.h"
#include "tests/unit/evidence/help_segment.h"

void test_oev_shelf_hostile_suite(void);

static bool is_text(const char *text)
{
	for (; *text != '\0'; text++)
		if ((unsigned char)*text < 0x20 && *text != '\n' && *text != '\t')
			return false;
	return true;
}

static bool take_decision(void *ctx, const struct oev_shelf_decision *row)
{
	unsigned *count = ctx;

	CU_ASSERT_TRUE(is_text(row->run) && is_text(row->origin_host) && is_text(row->next_hop));
	return ++*count < 1000000;
}

static bool take_row(void *ctx, const struct oev_shelf_list_row *row)
{
	unsigned *count = ctx;

	CU_ASSERT_TRUE(is_text(row->run) && is_text(row->cells[0].text));
	return ++*count < 1000000;
}

static bool take_session(void *ctx, const struct oev_shelf_session *row)
{
	unsigned *count = ctx;

	(void)row;
	return ++*count < 1000000;
}

static unsigned walk(struct oev_shelf *shelf, const struct oev_shelf_filter *f, int *rc)
{
	struct oev_shelf_page page = { 0 };
	char cursor[OEV_SHELF_CURSOR_MAX] = "", error[OEV_SHELF_TEXT_MAX];
	unsigned rows = 0;

	for (unsigned pages = 0; pages < 1000; pages++) {
		*rc = oev_shelf_decisions(shelf, f, cursor, 100, 0, take_decision, &rows, &page, error);
		memcpy(cursor, page.next, sizeof(cursor));
		if (*rc != OC_OK || page.is_end)
			return rows;
	}
	CU_FAIL("the pages have no end");
	return rows;
}

/* Every question there is; how many rows of decisions were told. */
static unsigned ask_everything(const char *folder, int *rc)
{
	struct oev_shelf *shelf = NULL;
	struct oev_shelf_find_state state;
	struct oev_shelf_segment *segments;
	struct oev_shelf_whole *whole;
	struct oev_shelf_page page;
	char error[OEV_SHELF_TEXT_MAX];
	const struct oev_shelf_filter some[] = { { 0 },
						 { .oldest_first = true },
						 { .from_us = 1, .until_us = HELP_WALL_US + 5000000 },
						 { .verdict = "refused", .client = "c1" },
						 { .session = 7 },
						 { .has_result = true, .result_code = 2001 } };
	const struct oev_shelf_list_filter any = { 0 };
	const struct oev_shelf_session_filter all = { 0 };
	unsigned rows = 0, count = 0;
	size_t found;

	CU_ASSERT_EQUAL_FATAL(oev_shelf_open(&shelf, folder, NULL, error), OC_OK);
	for (int i = 0; i < 15; i++) {
		oev_shelf_find_state(shelf, &state);
		if (state.is_whole || state.trouble[0] != '\0')
			break;
		oev_clock_sleep_us(10000);
	}
	CU_ASSERT_EQUAL(oev_shelf_segments(shelf, &segments, &found), OC_OK);
	free(segments);
	for (size_t i = sizeof(some) / sizeof(some[0]); i-- > 0;)
		rows = walk(shelf, &some[i], rc);
	for (int list = 0; list < OEV_SHELF_LIST_COUNT; list++)
		(void)oev_shelf_list(shelf, (enum oev_shelf_list)list, &any, "", 1000, take_row, &count,
				     &page, error);
	(void)oev_shelf_sessions(shelf, &all, "", 1000, take_session, &count, &page, error);
	for (uint64_t id = 1; id < 3000; id += 500) {
		(void)oev_shelf_decision(shelf, "", id, &whole, error);
		oev_shelf_whole_free(whole);
	}
	oev_shelf_close(shelf);
	return rows;
}

/* A small story, bent by @sql. */
static unsigned bend(const char *sql, int *rc)
{
	const struct help_story story = { .requests = 3000 };
	struct help_segment segment;

	CU_ASSERT_TRUE_FATAL(help_segment_new(&segment));
	CU_ASSERT_TRUE(help_segment_tell(&segment, &story, false));
	CU_ASSERT_TRUE(help_segment_sql(&segment, "%s", sql));
	help_segment_close(&segment);
	unsigned rows = ask_everything(segment.folder, rc);
	help_segment_remove(&segment);
	return rows;
}

static void test_oev_shelf_tells_an_honest_story(void)
{
	int rc;

	CU_ASSERT_EQUAL(bend("SELECT 1", &rc), 3000);
	CU_ASSERT_EQUAL(rc, OC_OK);
}

static bool take_nothing(void *ctx, const struct oev_shelf_list_row *row)
{
	(void)ctx;
	(void)row;
	return true;
}

/* What cannot be read looks like silence, when nobody says that it is missing. */
static void test_oev_shelf_names_a_segment_it_leaves_out(void)
{
	const struct help_story story = { .requests = 100 };
	const struct oev_shelf_filter all = { 0 };
	const struct oev_shelf_list_filter any = { 0 };
	struct oev_shelf *shelf = NULL;
	struct help_segment segment;
	struct oev_shelf_page page;
	char error[OEV_SHELF_TEXT_MAX];
	unsigned count = 0;

	CU_ASSERT_TRUE_FATAL(help_segment_new(&segment));
	CU_ASSERT_TRUE(help_segment_tell(&segment, &story, false));
	help_segment_close(&segment);
	CU_ASSERT_EQUAL_FATAL(oev_shelf_open(&shelf, segment.folder, NULL, error), OC_OK);
	CU_ASSERT_EQUAL(oev_shelf_decisions(shelf, &all, "", 1000, 0, take_decision, &count, &page, error),
			OC_OK);
	CU_ASSERT_STRING_EQUAL(page.left_out, "");
	oev_shelf_close(shelf);
	CU_ASSERT_TRUE(help_segment_file(&segment, "seg-20990101T000000Z-1.db", "no database at all"));
	CU_ASSERT_EQUAL_FATAL(oev_shelf_open(&shelf, segment.folder, NULL, error), OC_OK);
	CU_ASSERT_EQUAL(oev_shelf_decisions(shelf, &all, "", 1000, 0, take_decision, &count, &page, error),
			OC_OK);
	CU_ASSERT_EQUAL(page.rows, 100);
	CU_ASSERT_EQUAL(strncmp(page.left_out, "seg-20990101T000000Z-1.db: ", 27), 0);
	CU_ASSERT_EQUAL(
		oev_shelf_list(shelf, OEV_SHELF_REPORTS, &any, "", 1000, take_nothing, NULL, &page, error),
		OC_OK);
	CU_ASSERT_EQUAL(strncmp(page.left_out, "seg-20990101T000000Z-1.db: ", 27), 0);
	oev_shelf_close(shelf);
	help_segment_remove(&segment);
}

static void test_oev_shelf_bears_values_no_node_writes(void)
{
	static const char *const all[] = {
		"UPDATE decision SET at_ns = -9223372036854775807 - 1, flow = -1, way = 9223372036854775807",
		"UPDATE decision SET session = -5, subscriber = 9223372036854775807, realm_version = -3",
		"UPDATE decision SET id = 9223372036854775807 WHERE id = 3000",
		"UPDATE decision SET id = -id",
		"UPDATE decision SET id = id * 1000000007",
		"UPDATE outcome SET took_ns = -1, ending = -1",
		"UPDATE outcome SET decision = 1",
		"UPDATE outcome SET rowid = rowid * 999999999",
		"UPDATE clock SET wall_us = -9223372036854775807",
		"UPDATE clock SET mono_ns = -mono_ns",
		"DELETE FROM clock",
		"DELETE FROM flow; DELETE FROM way; DELETE FROM ending; DELETE FROM name",
		"UPDATE name SET text = CAST(x'ff00fe0a1bc3' AS TEXT)",
		"UPDATE name SET text = CAST(zeroblob(3000000) AS TEXT) WHERE id = 3",
		"UPDATE way SET verdict = 77, class = 999, flags = -1, candidates = 1; INSERT INTO "
		"candidates VALUES"
		" (1, '99999999999999999999:5 :: 3:99999999999999 x')",
		"UPDATE flow SET profile = 1, drmp = -1; INSERT INTO profile VALUES (1, -1, -1, 'zz', '', "
		"-1, -1,"
		" '1,2,99999999999999999999,,', zeroblob(200))",
		"UPDATE ocs_version SET replaces = version, report = 99",
		"UPDATE report SET version = id, raw_total = 9999999; INSERT INTO report_raw VALUES (1, -7, "
		"x'00')",
		"UPDATE meta SET value = '99999999999999999999' WHERE key IN ('base_ns', 'part', "
		"'started_us')",
		"UPDATE meta SET value = '' WHERE key = 'run'",
		"INSERT INTO carried VALUES ('report', -1), ('ocs_version', 9223372036854775807), (' ', 1)"
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		int rc;
		(void)bend(all[i], &rc);
		CU_ASSERT_TRUE(rc == OC_OK || rc == OC_EIO);
	}
}

static void test_oev_shelf_bears_segments_that_are_none(void)
{
	static const char *const all[] = { "DROP VIEW v_decision; DROP TABLE outcome",
					   "DROP TABLE decision",
					   "DROP TABLE meta",
					   "DROP TABLE name",
					   "DROP TABLE carried",
					   "DROP TABLE way",
					   "DROP TABLE clock; CREATE TABLE clock (x)",
					   "DELETE FROM meta WHERE key = 'schema'",
					   "UPDATE meta SET value = '77' WHERE key = 'schema'",
					   "UPDATE meta SET value = '2' WHERE key = 'schema'",
					   "UPDATE meta SET value = '4' WHERE key = 'schema'",
					   "ALTER TABLE decision RENAME TO d2; CREATE VIEW decision AS WITH "
					   "RECURSIVE n(i) AS (SELECT 1 UNION ALL"
					   " SELECT i + 1 FROM n) SELECT i AS id FROM n",
					   "DROP TABLE peer; CREATE VIRTUAL TABLE peer USING fts5(x)" };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		int rc;
		(void)bend(all[i], &rc);
		CU_ASSERT_TRUE(rc == OC_OK || rc == OC_EIO);
	}
}

/* Columns of another kind: the table without STRICT. */
static void test_oev_shelf_bears_text_in_place_of_numbers(void)
{
	static const char *const tables[] = { "decision", "outcome",	 "flow",  "way",
					      "ending",	  "report",	 "clock", "policy",
					      "batch",	  "ocs_version", "peer",  "load" };

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		char sql[600];
		int rc;
		snprintf(sql, sizeof(sql),
			 "PRAGMA legacy_alter_table = ON; CREATE TABLE other AS SELECT * FROM %s; PRAGMA "
			 "writable_schema = ON; DROP TABLE %s;"
			 " ALTER TABLE other RENAME TO %s; PRAGMA writable_schema = OFF",
			 tables[i], tables[i], tables[i]);
		(void)bend(sql, &rc);
		CU_ASSERT_TRUE(rc == OC_OK || rc == OC_EIO);
	}
	int rc;
	(void)bend("PRAGMA legacy_alter_table = ON; CREATE TABLE other (id INTEGER PRIMARY KEY, at_ns, "
		   "out_ns, flow, way, realm_version, "
		   "realm_share,"
		   " realm_nth, host_version, host_share, host_nth, peer_version, peer_share, peer_nth, "
		   "end_to_end,"
		   " session, subscriber, random); INSERT INTO other SELECT id, 'x' || at_ns, x'ff', 'one', "
		   "'2 ways',"
		   " 'v', 1e300, -1e300, 'h', '', x'', 'p', 'q', 'r', 's', 't', 'u', 'v' FROM decision;"
		   " DROP TABLE decision; ALTER TABLE other RENAME TO decision",
		   &rc);
	CU_ASSERT_TRUE(rc == OC_OK || rc == OC_EIO);
}

static void put(const char *folder, const char *name, const char *text)
{
	char path[400];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *file = fopen(path, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fputs(text, file);
	fclose(file);
}

static void test_oev_shelf_bears_files_that_are_no_segments(void)
{
	struct help_segment segment;
	char path[400];
	int rc;

	CU_ASSERT_TRUE_FATAL(help_segment_new(&segment));
	CU_ASSERT_TRUE(help_segment_tell(&segment, &(struct help_story){ .requests = 2500 }, false));
	help_segment_close(&segment);
	put(segment.folder, "seg-20261129T000001.db", "");
	put(segment.folder, "seg-20261129T000002.db", "no database at all, but long enough to be looked at");
	put(segment.folder, "seg-20261129T000003.db.seal", "doic.seal/1\n");
	snprintf(path, sizeof(path), "%s/seg-20261129T000004.db", segment.folder);
	CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
	snprintf(path, sizeof(path), "%s/seg-20261129T000005.db", segment.folder);
	CU_ASSERT_EQUAL(symlink("/dev/zero", path), 0);
	CU_ASSERT_EQUAL(truncate(segment.path, 20000), 0); /* and the only one is cut off */
	(void)ask_everything(segment.folder, &rc);
	CU_ASSERT_TRUE(rc == OC_OK || rc == OC_EIO);
	help_segment_remove(&segment);
}

static void test_oev_shelf_bears_changed_octets(void)
{
	for (unsigned i = 0; i < 40; i++) {
		struct help_segment segment;
		unsigned seed = i * 2654435761u + 1;
		int rc;

		CU_ASSERT_TRUE_FATAL(help_segment_new(&segment));
		CU_ASSERT_TRUE(help_segment_tell(&segment, &(struct help_story){ .requests = 600 }, false));
		help_segment_close(&segment);
		int fd = open(segment.path, O_RDWR);
		off_t size = lseek(fd, 0, SEEK_END);
		for (unsigned j = 0; j < 1 + i * 4; j++) {
			seed = seed * 1103515245u + 12345u;
			unsigned char octet = (unsigned char)(seed >> 16);
			seed = seed * 1103515245u + 12345u;
			CU_ASSERT_EQUAL(pwrite(fd, &octet, 1, 100 + (off_t)(seed % (unsigned)(size - 100))),
					1);
		}
		close(fd);
		(void)ask_everything(segment.folder, &rc);
		help_segment_remove(&segment);
	}
}

void test_oev_shelf_hostile_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_shelf_hostile", NULL, NULL);

	CU_ADD_TEST(suite, test_oev_shelf_tells_an_honest_story);
	CU_ADD_TEST(suite, test_oev_shelf_names_a_segment_it_leaves_out);
	CU_ADD_TEST(suite, test_oev_shelf_bears_values_no_node_writes);
	CU_ADD_TEST(suite, test_oev_shelf_bears_segments_that_are_none);
	CU_ADD_TEST(suite, test_oev_shelf_bears_text_in_place_of_numbers);
	CU_ADD_TEST(suite, test_oev_shelf_bears_files_that_are_no_segments);
	CU_ADD_TEST(suite, test_oev_shelf_bears_changed_octets);
}
