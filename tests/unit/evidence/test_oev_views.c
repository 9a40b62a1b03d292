/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the views: what an auditor with nothing but sqlite3 reads.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "help_segment.h"

void test_oev_views_suite(void);

static void expect(const char *sql, int64_t value)
{
	struct help_segment help;

	CU_ASSERT_FATAL(help_segment_new(&help) &&
			help_segment_tell(&help, &(struct help_story){ 0 }, false));
	int64_t got = help_segment_get(&help, sql);
	CU_ASSERT_EQUAL(got, value);
	if (got != value)
		fprintf(stderr, "  %s gives %lld\n", sql, (long long)got);
	help_segment_remove(&help);
}

static void test_v_decision_speaks_in_words(void)
{
	expect("SELECT count(*) FROM v_decision WHERE verdict = 'refused' AND why = 'report' AND selected_by "
	       "= 'host'"
	       " AND client = 'c1.example.net' AND dest_host = 's1.example.net' AND next_hop IS NULL",
	       1725);
	expect("SELECT count(*) FROM v_decision", 20000);
	expect("SELECT time = '2026-11-30T00:53:20.001000Z' FROM v_decision WHERE id = 1", 1);
	expect("SELECT host_share_pct = 30.0 FROM v_decision WHERE id = 5001", 1);
}

static void test_v_report_counts_repeats(void)
{
	expect("SELECT receptions FROM v_report WHERE type = 'host' AND subject = 's1.example.net' AND "
	       "sequence = '5'",
	       12);
	expect("SELECT length(raw_hex) FROM v_report", 120);
}

static void test_v_ocs_has_interval_and_end(void)
{
	expect("SELECT active_s = 10.0 AND how_ended = 'expired' AND last_change = 'recovered' FROM v_ocs",
	       1);
	expect("SELECT matched FROM v_ocs", 6500);
}

static void test_v_population_matches_the_nodes_counts(void)
{
	expect("SELECT p.matched = o.matched AND p.selected = o.selected AND p.expected = o.expected FROM "
	       "v_population p"
	       " JOIN v_ocs o USING (version) WHERE p.scope = 'host'",
	       1);
	expect("SELECT survivors + selected - matched FROM v_population", 0);
	expect("SELECT on_ramp FROM v_population", 1500);
}

static void test_v_outcome_names_who_answered(void)
{
	expect("SELECT count(*) FROM v_outcome WHERE maker = 'agent' AND result_code = 5012", 1725);
	expect("SELECT count(*) FROM v_outcome WHERE maker = 'upstream' AND answered_by = 's2.example.net'",
	       10000);
}

static void test_v_by_server_and_client_add_up(void)
{
	expect("SELECT requests FROM v_by_server WHERE server = 's1.example.net'", 8275);
	expect("SELECT sum(requests) FROM v_by_server", 18275);
	expect("SELECT requests - forwarded - refused FROM v_by_client", 0);
	expect("SELECT answered FROM v_by_client", 20000);
}

static void test_v_own_report_says_who_was_told(void)
{
	static const char rows[] = "INSERT INTO own_report VALUES ('9', 5000, 1796000000000005, 'peer', "
				   "NULL, NULL, NULL, 'loss', 30, NULL,"
				   " 30, 'begun', x'0102'), ('10', 6000, 1796000000000006, 'host', 4, 3, 5, "
				   "'rate', NULL, 7, 30, 'changed',"
				   " x''), ('9', 7000, 7, 'peer', NULL, NULL, NULL, 'loss', 30, NULL, 30, "
				   "'gone', x'');"
				   "INSERT INTO own_sent VALUES ('9', 5, 'peer', 1000005000, 2000005000, 2),"
				   " ('9', 5, 'peer', 3000005000, 4000005000, 3), ('9', 4, 'peer', 1, 2, 1);"
				   "INSERT INTO load VALUES (5000, 1796000000000005, 2, NULL, 'peer', "
				   "65535), (6000, 6, 3, 3, 'host', 0)";
	static const char *const asks[] = {
		"SELECT count(*) = 4 AND sum(answers) = 6 FROM v_own_report",
		"SELECT answers = 5 AND first_s = 1.0 AND last_s = 4.0 AND app_id IS NULL AND raw_hex = "
		"'0102'"
		" AND time = '2026-11-30T00:53:20.000005Z' FROM v_own_report WHERE peer = 'c1.example.net'",
		"SELECT answers = 0 AND peer IS NULL AND target = 'c1.example.net' AND subject = "
		"'s1.example.net'"
		" FROM v_own_report WHERE sequence = '10'",
		"SELECT node = 'dra-01.example.net' AND peer IS NULL AND abs(free_pct - 100) < 1e-9 FROM "
		"v_load"
		" WHERE type = 'peer'",
		"SELECT peer = 's1.example.net' AND free_pct = 0 FROM v_load WHERE type = 'host'",
	};
	struct help_segment help;

	CU_ASSERT_FATAL(help_segment_new(&help) &&
			help_segment_tell(&help, &(struct help_story){ .requests = 1 }, false));
	CU_ASSERT_FATAL(help_segment_sql(&help, "%s", rows));
	for (size_t i = 0; i < sizeof(asks) / sizeof(asks[0]); i++)
		CU_ASSERT_EQUAL(help_segment_get(&help, asks[i]), 1);
	help_segment_remove(&help);
}

static void test_v_refusals_by_reason(void)
{
	expect("SELECT requests FROM v_refusals_by_reason WHERE why = 'report' AND result_code = 5012", 1725);
}

void test_oev_views_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_views", NULL, NULL);

	CU_add_test(suite, "v_decision_speaks_in_words", test_v_decision_speaks_in_words);
	CU_add_test(suite, "v_report_counts_repeats", test_v_report_counts_repeats);
	CU_add_test(suite, "v_ocs_has_interval_and_end", test_v_ocs_has_interval_and_end);
	CU_add_test(suite, "v_population_matches_the_nodes_counts",
		    test_v_population_matches_the_nodes_counts);
	CU_add_test(suite, "v_outcome_names_who_answered", test_v_outcome_names_who_answered);
	CU_add_test(suite, "v_by_server_and_client_add_up", test_v_by_server_and_client_add_up);
	CU_add_test(suite, "v_own_report_says_who_was_told", test_v_own_report_says_who_was_told);
	CU_add_test(suite, "v_refusals_by_reason", test_v_refusals_by_reason);
}
