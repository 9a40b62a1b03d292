/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the replay of evidence that lacks something: it cannot tell, or cannot be used, and says why.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "help_again.h"
#include "help_evidence.h"

void test_oev_replay_lacking_suite(void);

static void assert_unsure(const struct help_again *h, const char *why)
{
	CU_ASSERT_EQUAL(h->result.outcome, OEV_REPLAY_UNSURE);
	CU_ASSERT_EQUAL(oev_replay_exit(h->result.outcome), 3);
	CU_ASSERT_FATAL(h->result.life_count > 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(h->result.lives[0].why, why));
	if (!strstr(h->result.lives[0].why, why))
		printf("\n  %s\n", h->result.lives[0].why);
}

static void test_oev_replay_lacking_a_decision_cannot_tell(void)
{
	struct help_again *h = help_again_new();
	uint64_t id = help_again_drawn("0");
	char sql[128], why[64];

	help_again_loss(h);
	help_traffic_end(&h->traffic);
	snprintf(sql, sizeof(sql), "DELETE FROM decision WHERE id = %llu", (unsigned long long)id);
	help_evidence_alter(h->folder, sql);
	help_again_run(h, NULL);
	snprintf(why, sizeof(why), "decision %llu is not in it", (unsigned long long)id);
	assert_unsure(h, why);
	CU_ASSERT_EQUAL(h->result.total.missing, 1);
	CU_ASSERT_EQUAL(h->result.total.unknown, 1);
	help_again_free(h);
}

static void test_oev_replay_lacking_candidates_cannot_tell(void)
{
	struct help_again *h = help_again_new();

	help_again_loss(h);
	help_traffic_end(&h->traffic);
	help_evidence_alter(h->folder, "UPDATE way SET candidates = NULL");
	help_again_run(h, NULL);
	assert_unsure(h, "candidates of ");
	CU_ASSERT_TRUE(h->result.total.inexact > 20000);
	CU_ASSERT_EQUAL(h->result.total.differing, 0);
	help_again_free(h);
}

/* As a kill in the middle of a rotation leaves it, and as every rotation has it for a moment. */
static void test_oev_replay_lacking_rows_a_file_is_no_segment(void)
{
	struct help_again *h = help_again_new();
	char path[HELP_FOLDER_MAX + 32];

	help_again_loss(h);
	help_traffic_end(&h->traffic);
	snprintf(path, sizeof(path), "%s/seg-99991231T235959.db", h->folder);
	FILE *file = fopen(path, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fclose(file);
	help_again_run(h, NULL);
	help_again_assert_identical(h, 30000);
	help_again_free(h);
}

static void test_oev_replay_lacking_the_first_part_cannot_tell(void)
{
	struct help_again *h = help_again_new();

	help_again_loss(h);
	help_traffic_end(&h->traffic);
	help_evidence_alter(h->folder, "UPDATE meta SET value = '2' WHERE key = 'part'");
	help_again_run(h, NULL);
	assert_unsure(h, "its first part is not there");
	CU_ASSERT_EQUAL(h->result.total.decisions, 0);
	CU_ASSERT_EQUAL(h->result.total.beyond, 30000);
	help_again_free(h);
}

static void test_oev_replay_lacking_lost_events_cannot_tell(void)
{
	struct help_again *h = help_again_new();

	help_again_loss(h);
	help_traffic_end(&h->traffic);
	help_evidence_alter(h->folder,
			    "INSERT INTO gap VALUES (1000500000000, 1796000000000000 + 1000500000, 7, 'x')");
	help_again_run(h, NULL);
	assert_unsure(h, "7 events were lost");
	help_again_free(h);
}

static void test_oev_replay_lacking_how_the_agent_began_cannot_tell(void)
{
	struct help_again *h = help_again_new();

	help_again_loss(h);
	help_traffic_end(&h->traffic);
	help_evidence_alter(h->folder, "DELETE FROM meta WHERE key = 'core.ocs_max'");
	help_again_run(h, NULL);
	assert_unsure(h, "meta core.*");
	help_again_free(h);
}

static void test_oev_replay_lacking_everything_is_refused(void)
{
	struct help_again *h = help_again_new();

	help_again_run(h, NULL);
	CU_ASSERT_EQUAL(h->result.outcome, OEV_REPLAY_UNUSABLE);
	CU_ASSERT_EQUAL(oev_replay_exit(h->result.outcome), 4);
	help_record_remove(h->folder);
	snprintf(h->folder, sizeof(h->folder), "/nonexistent/evidence");
	help_again_run(h, NULL);
	CU_ASSERT_EQUAL(h->result.outcome, OEV_REPLAY_UNUSABLE);
	help_again_free(h);
}

static void test_oev_replay_lacking_what_numbers_lead_to_is_refused(void)
{
	struct help_again *h = help_again_new();

	help_again_loss(h);
	help_traffic_end(&h->traffic);
	help_evidence_alter(h->folder, "UPDATE decision SET flow = 999999999 WHERE id = 77");
	help_again_run(h, NULL);
	CU_ASSERT_EQUAL(h->result.outcome, OEV_REPLAY_UNUSABLE);
	CU_ASSERT_PTR_NOT_NULL(strstr(h->result.error, "decision 77 "));
	help_evidence_alter(h->folder,
			    "UPDATE decision SET flow = 1 WHERE id = 77;"
			    "UPDATE name SET text = 'c2.example.net' WHERE text = 'c1.example.net'");
	help_again_run(h, NULL);
	CU_ASSERT_EQUAL(h->result.outcome, OEV_REPLAY_UNUSABLE);
	help_evidence_alter(h->folder, "UPDATE name SET text = 'c1.example.net' WHERE id ="
				       " (SELECT min(id) FROM name WHERE text = 'c2.example.net');"
				       "UPDATE policy SET text = 'no: policy'");
	help_again_run(h, NULL);
	CU_ASSERT_EQUAL(h->result.outcome, OEV_REPLAY_UNUSABLE);
	CU_ASSERT_PTR_NOT_NULL(strstr(h->result.error, "policy v1:1:1"));
	help_again_free(h);
}

void test_oev_replay_lacking_suite(void)
{
	CU_TestInfo tests[] = {
		{ "a_decision_cannot_tell", test_oev_replay_lacking_a_decision_cannot_tell },
		{ "candidates_cannot_tell", test_oev_replay_lacking_candidates_cannot_tell },
		{ "rows_a_file_is_no_segment", test_oev_replay_lacking_rows_a_file_is_no_segment },
		{ "the_first_part_cannot_tell", test_oev_replay_lacking_the_first_part_cannot_tell },
		{ "lost_events_cannot_tell", test_oev_replay_lacking_lost_events_cannot_tell },
		{ "how_the_agent_began_cannot_tell",
		  test_oev_replay_lacking_how_the_agent_began_cannot_tell },
		{ "everything_is_refused", test_oev_replay_lacking_everything_is_refused },
		{ "what_numbers_lead_to_is_refused",
		  test_oev_replay_lacking_what_numbers_lead_to_is_refused },
		CU_TEST_INFO_NULL,
	};
	CU_SuiteInfo suites[] = { { "oev_replay_lacking", NULL, NULL, NULL, NULL, tests },
				  CU_SUITE_INFO_NULL };

	CU_register_suites(suites);
}
