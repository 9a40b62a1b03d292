/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of writing on in a segment that an older program began.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/store/oev_bind.h"
#include "evidence/store/oev_db.h"
#include "help_db.h"

void test_oev_db_older_suite(void);

static bool make_older(const char *path)
{
	char command[1024];

	unlink(path);
	snprintf(command, sizeof(command), "sqlite3 '%s' < '%s'", path,
		 DOIC_SOURCE_DIR "/tests/unit/evidence/schema/3.sql");
	return system(command) == 0;
}

static void test_rows_it_has_no_table_for_are_refused_and_the_others_kept(void)
{
	struct oc_event peer = { .kind = OC_EVENT_PEER, .mono_ns = 7, .u.peer = { .peer = 3, .up = 1 } };
	struct oc_event act = { .kind = OC_EVENT_ACT, .mono_ns = 8, .u.act = { .who = "ops2" } };
	struct oev_db *db = NULL;
	char path[HELP_PATH_MAX + 16], error[256] = "", text[HELP_TEXT_MAX];

	snprintf(path, sizeof(path), "%s/older.db", help_db.folder);
	CU_ASSERT_FATAL(make_older(path));
	CU_ASSERT_EQUAL_FATAL(oev_db_reopen(&db, path, OEV_SYNC_OFF, error, sizeof(error)), OC_OK);
	CU_ASSERT_EQUAL(oev_db_begin(db), OC_OK);
	CU_ASSERT_EQUAL(oev_bind(db, &peer, 0), OC_OK);
	CU_ASSERT_NOT_EQUAL(oev_bind(db, &act, 0), OC_OK);
	CU_ASSERT_EQUAL(oev_db_commit(db), OC_OK);
	oev_db_free(db);
	CU_ASSERT_STRING_EQUAL(help_ask_text(path, "SELECT count(*) FROM peer", text), "1");
	unlink(path);
}

void test_oev_db_older_suite(void)
{
	CU_Suite *suite = CU_add_suite_with_setup_and_teardown("oev_db_older", NULL, NULL, help_db_set_up,
							       help_db_tear_down);

	CU_add_test(suite, "rows_it_has_no_table_for_are_refused_and_the_others_kept",
		    test_rows_it_has_no_table_for_are_refused_and_the_others_kept);
}
