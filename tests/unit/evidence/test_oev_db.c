/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the write connection and of rows.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/store/oev_bind.h"
#include "help_db.h"

void test_oev_db_suite(void);

static void test_oev_db_pragmas_hold(void)
{
	CU_ASSERT_EQUAL(help_db_ask("PRAGMA page_size"), 8192);
	HELP_DB_TEXT("PRAGMA journal_mode", "wal");
	CU_ASSERT_EQUAL(help_db_ask("PRAGMA auto_vacuum"), 0);
	CU_ASSERT_EQUAL(help_db_ask("SELECT count(*) FROM sqlite_schema WHERE name = 'decision'"), 1);
}

static void test_oev_db_open_says_what_is_wrong(void)
{
	struct oev_db *db = NULL;
	char error[HELP_TEXT_MAX] = "";

	CU_ASSERT_EQUAL(oev_db_create(&db, "/nowhere/x.db", OEV_SYNC_FULL, error, sizeof(error)), OC_EIO);
	CU_ASSERT_PTR_NULL(db);
	CU_ASSERT_PTR_NOT_NULL(strstr(error, "/nowhere/x.db"));
	CU_ASSERT_PTR_NOT_NULL(strstr(error, "unable to open"));
}

static void test_oev_db_fold_leaves_one_file(void)
{
	char wal[sizeof(help_db.path) + 8];

	snprintf(wal, sizeof(wal), "%s-wal", help_db.path);
	CU_ASSERT_EQUAL(access(wal, F_OK), 0);
	CU_ASSERT_EQUAL(oev_db_fold(help_db.db), OC_OK);
	CU_ASSERT_NOT_EQUAL(access(wal, F_OK), 0);
	HELP_DB_TEXT("PRAGMA journal_mode", "delete");
}

static struct oc_event a_peer(uint32_t peer)
{
	struct oc_event event = { .kind = OC_EVENT_PEER };

	event.u.peer.peer = peer;
	return event;
}

static void test_oev_db_rollback_keeps_nothing(void)
{
	struct oc_event event = a_peer(7);

	CU_ASSERT_EQUAL(oev_db_begin(help_db.db), OC_OK);
	CU_ASSERT_EQUAL(oev_bind(help_db.db, &event, 0), OC_OK);
	oev_db_rollback(help_db.db);
	oev_db_rollback(help_db.db);
	CU_ASSERT_EQUAL(help_db_ask("SELECT count(*) FROM peer"), 0);
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	CU_ASSERT_EQUAL(help_db_ask("SELECT count(*) FROM peer"), 1);
}

static void test_oev_db_rowids_have_no_holes(void)
{
	struct oc_event events[] = { a_peer(1), a_peer(2), a_peer(3) };

	CU_ASSERT_EQUAL(help_db_put_all(events, 2, NULL), OC_OK);
	CU_ASSERT_EQUAL(oev_db_begin(help_db.db), OC_OK);
	CU_ASSERT_EQUAL(oev_bind(help_db.db, &events[0], 0), OC_OK);
	oev_db_rollback(help_db.db);
	CU_ASSERT_EQUAL(help_db_put(&events[2]), OC_OK);
	CU_ASSERT_EQUAL(help_db_ask("SELECT count(*) FROM peer WHERE rowid = peer"), 3);
	CU_ASSERT_EQUAL(help_db_ask("SELECT max(rowid) FROM peer"), 3);
}

static void test_oev_db_refused_row_leaves_the_transaction_alone(void)
{
	struct oc_event events[] = { { .kind = OC_EVENT_NAME },
				     { .kind = OC_EVENT_NAME },
				     { .kind = OC_EVENT_NAME } };
	uint64_t refused = 0;

	events[0].u.name = (struct oc_event_name){ 4, "first" };
	events[1].u.name = (struct oc_event_name){ 4, "second" };
	events[2].u.name = (struct oc_event_name){ 5, "third" };
	CU_ASSERT_EQUAL(help_db_put_all(events, 3, &refused), OC_OK);
	CU_ASSERT_EQUAL(refused, 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(oev_db_error(help_db.db), "name.id"));
	HELP_DB_TEXT("SELECT group_concat(text) FROM name", "first,third");
}

void test_oev_db_suite(void)
{
	CU_pSuite suite =
		CU_add_suite_with_setup_and_teardown("oev_db", NULL, NULL, help_db_set_up, help_db_tear_down);

	CU_add_test(suite, "pragmas_hold", test_oev_db_pragmas_hold);
	CU_add_test(suite, "open_says_what_is_wrong", test_oev_db_open_says_what_is_wrong);
	CU_add_test(suite, "rollback_keeps_nothing", test_oev_db_rollback_keeps_nothing);
	CU_add_test(suite, "rowids_without_holes", test_oev_db_rowids_have_no_holes);
	CU_add_test(suite, "refused_row", test_oev_db_refused_row_leaves_the_transaction_alone);
	CU_add_test(suite, "fold_leaves_one_file", test_oev_db_fold_leaves_one_file);
}
