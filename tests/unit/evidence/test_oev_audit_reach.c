/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of what a verdict counts and names: arrivals nobody drew, reports of the node itself, dry runs.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "help_audit.h"

void test_oev_audit_reach_suite(void);

/* The default story bent by @sql, audited: outcome and step as expected. */
static void expect(const char *sql, enum oev_outcome outcome, int reached, const char *word)
{
	struct help_segment segment;
	char verdict[1024];

	CU_ASSERT_FATAL(help_segment_new(&segment));
	CU_ASSERT_FATAL(help_segment_tell(&segment, &(struct help_story){ 0 }, true));
	CU_ASSERT_FATAL(help_segment_sql(&segment, "%s", sql));
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ 0 });
	oev_audit_verdict(audit, NULL, verdict, sizeof(verdict));
	CU_ASSERT_EQUAL(audit->outcome, outcome);
	CU_ASSERT_EQUAL(audit->reached, reached);
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict, word));
	if (audit->outcome != outcome || strstr(verdict, word) == NULL)
		fprintf(stderr, "  got: %s (%s)\n", verdict, audit->error);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

/* A client that reacts itself is not held against the report, but what it sends arrives. */
static void test_measured_reduction_knows_of_undrawn_arrivals(void)
{
	struct help_segment segment;

	CU_ASSERT_FATAL(help_segment_new(&segment));
	CU_ASSERT_FATAL(help_segment_tell(&segment, &(struct help_story){ 0 }, true));
	CU_ASSERT_FATAL(help_segment_sql(
		&segment, "%s",
		"UPDATE wide SET dest_host = 3, first_choice = 3, next_hop = 3, flags = flags & ~128"
		" WHERE id IN (SELECT id FROM wide WHERE host_version IS NULL AND wall_us > 1000000 +"
		" (SELECT min(wall_us) FROM wide WHERE host_version IS NOT NULL) LIMIT 100)"));
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ 0 });
	CU_ASSERT_EQUAL_FATAL(audit->claim_count, 1);
	CU_ASSERT_EQUAL(audit->claims[0].active.matched, 5000);
	CU_ASSERT_EQUAL(audit->claims[0].inner_candidates, 5100);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

static void test_dry_run_holds_up_to_selected_only(void)
{
	expect("UPDATE wide SET flags = flags | 16 WHERE selected_by = 2", OEV_CANNOT_TELL, OEV_STEP_SELECTED,
	       "a dry run: 1,725 selected requests were sent all the same");
}

static void test_report_of_the_node_itself_is_named_so(void)
{
	expect("INSERT INTO name SELECT 99, value FROM meta WHERE key = 'node'; UPDATE report SET peer = 99",
	       OEV_HOLDS, OEV_STEP_ARRIVED, "on behalf of s1.example.net");
}

/* What a capture of the story would show: what was sent, and answers; no draw, no choice. */
#define AS_A_CAPTURE                                                                                         \
	"INSERT INTO meta VALUES ('kind', 'capture'); DELETE FROM ocs_change; INSERT INTO ocs_change VALUES" \
	" (1, 5015000000000, 1796000015000000, 'expired', 0, 0, 0, 0);"                                      \
	"DELETE FROM decision WHERE id IN (SELECT id FROM wide WHERE verdict = 2);"                          \
	"DELETE FROM outcome WHERE decision NOT IN (SELECT id FROM decision);"                               \
	"UPDATE wide SET host_version = NULL, host_share = NULL, host_nth = NULL, first_choice = NULL,"      \
	" selected_by = 0, flags = 1;"

static void test_capture_says_which_receipts_it_cannot_give(void)
{
	struct help_segment segment;
	char verdict[512];

	CU_ASSERT_FATAL(help_segment_new(&segment));
	CU_ASSERT_FATAL(help_segment_tell(&segment,
					  &(struct help_story){ .report_at_ms = 5000, .ramp_ms = 1 }, false));
	CU_ASSERT_FATAL(help_segment_sql(&segment, "%s", AS_A_CAPTURE));
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ 0 });
	oev_audit_verdict(audit, NULL, verdict, sizeof(verdict));
	CU_ASSERT_EQUAL(audit->outcome, OEV_CANNOT_TELL);
	CU_ASSERT_EQUAL(audit->reached, OEV_STEP_ASKED);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(verdict,
		       "CANNOT TELL beyond \"asked\": a capture shows what dra-01.example.net should hold"));
	CU_ASSERT_EQUAL_FATAL(audit->claim_count, 1);
	const struct oev_finding *step = audit->claims[0].step;
	CU_ASSERT_EQUAL(step[OEV_STEP_SELECTED].status, OEV_MISSING);
	CU_ASSERT_EQUAL(step[OEV_STEP_ARRIVED].status, OEV_OK);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(step[OEV_STEP_ARRIVED].value, "500.0/s before, 350.0/s during, 499.9/s after"));
	CU_ASSERT_EQUAL(audit->exception_count, 0);
	CU_ASSERT_EQUAL_FATAL(audit->origin_count, 1);
	CU_ASSERT_EQUAL(audit->origins[0].obedience, OEV_OBEYED);
	help_audit_drop(audit);
	audit = help_audit(&segment, (struct oev_audit_options){ .required = OEV_STEP_HELD });
	CU_ASSERT_EQUAL(audit->outcome, OEV_CANNOT_TELL);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

/* Of a capture only those that announced OC-Supported-Features react by themselves; the others may know nothing of DOIC. */
static void test_capture_counts_clients_that_announced_doic(void)
{
	static const struct {
		const char *sql;
		uint64_t announced; /* UINT64_MAX all */
	} cases[] = { { "UPDATE way SET flags = 0", 0 },
		      { "UPDATE way SET flags = 1", UINT64_MAX },
		      { "UPDATE way SET flags = 0; UPDATE wide SET flags = 1 WHERE id <= 25", 25 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct help_segment segment;
		CU_ASSERT_FATAL(help_segment_new(&segment));
		CU_ASSERT_FATAL(help_segment_tell(&segment, &(struct help_story){ 0 }, false));
		CU_ASSERT_FATAL(help_segment_sql(&segment, "%s", AS_A_CAPTURE));
		CU_ASSERT_FATAL(help_segment_sql(&segment, "%s", cases[i].sql));
		struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ 0 });
		CU_ASSERT_EQUAL(audit->population.left_to_client, cases[i].announced != UINT64_MAX
									  ? cases[i].announced
									  : audit->population.candidates);
		help_audit_drop(audit);
		help_segment_remove(&segment);
	}
}

/* One folder for each node: the folder above them is as good as all of them. */
static void test_folder_of_folders_is_read(void)
{
	struct help_segment segment;
	char inner[300], path[400];

	CU_ASSERT_FATAL(help_segment_new(&segment));
	CU_ASSERT_FATAL(help_segment_tell(&segment, &(struct help_story){ 0 }, false));
	snprintf(inner, sizeof(inner), "%s/counters", segment.folder); /* the helper removes that one */
	CU_ASSERT_EQUAL_FATAL(mkdir(inner, 0755), 0);
	snprintf(path, sizeof(path), "%s/seg-1.db", inner);
	CU_ASSERT_EQUAL_FATAL(rename(segment.path, path), 0);
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ 0 });
	CU_ASSERT_EQUAL(audit->outcome, OEV_HOLDS);
	CU_ASSERT_EQUAL(audit->segment_count, 1);
	CU_ASSERT_EQUAL_FATAL(audit->place_count, 1);
	CU_ASSERT_STRING_EQUAL(audit->places[0], inner);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

/* As a kill in the middle of a rotation leaves it, and as every rotation has it for a moment. */
static void test_file_without_rows_is_no_segment(void)
{
	struct help_segment segment;
	char path[400];

	CU_ASSERT_FATAL(help_segment_new(&segment));
	CU_ASSERT_FATAL(help_segment_tell(&segment, &(struct help_story){ 0 }, false));
	snprintf(path, sizeof(path), "%s/seg-99991231T235959.db", segment.folder);
	FILE *file = fopen(path, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fclose(file);
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ 0 });
	CU_ASSERT_EQUAL(audit->outcome, OEV_HOLDS);
	CU_ASSERT_EQUAL(audit->segment_count, 1);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

static void test_filters_leave_other_claims_out(void)
{
	struct help_segment segment;
	char verdict[1024];

	CU_ASSERT_FATAL(help_segment_new(&segment));
	CU_ASSERT_FATAL(help_segment_tell(&segment, &(struct help_story){ 0 }, true));
	struct oev_audit *audit =
		help_audit(&segment, (struct oev_audit_options){ .host = "S1.example.net" });
	CU_ASSERT_EQUAL(audit->claim_count, 1);
	help_audit_drop(audit);
	audit = help_audit(&segment, (struct oev_audit_options){ .host = "s2.example.net" });
	CU_ASSERT_EQUAL(audit->outcome, OEV_NO_CLAIM);
	CU_ASSERT_EQUAL(oev_audit_exit(audit->outcome), 3);
	oev_audit_verdict(audit, NULL, verdict, sizeof(verdict));
	CU_ASSERT_PTR_NOT_NULL(
		strstr(verdict, "CANNOT TELL  none about s2.example.net in this window; there is 1 other: "
				"s1.example.net (host, Gx)"));
	help_audit_drop(audit);
	audit = help_audit(&segment, (struct oev_audit_options){ .has_app = true, .app_id = 4 });
	CU_ASSERT_EQUAL(audit->outcome, OEV_NO_CLAIM);
	CU_ASSERT_EQUAL(audit->filtered.count, 1);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

/* In force from 5 s to 15 s, on its ramp until 18 s. */
static void test_state_that_was_over_before_the_window_is_no_claim(void)
{
	struct help_segment segment;
	char verdict[1024];

	CU_ASSERT_FATAL(help_segment_new(&segment));
	CU_ASSERT_FATAL(help_segment_tell(&segment, &(struct help_story){ .report_at_ms = 5000 }, false));
	struct oev_audit *audit =
		help_audit(&segment, (struct oev_audit_options){ .from_us = HELP_WALL_US + 16000000 });
	CU_ASSERT_EQUAL(audit->claim_count, 0);
	CU_ASSERT_EQUAL(audit->ended.count, 1);
	CU_ASSERT_EQUAL(audit->outcome, OEV_NO_CLAIM);
	oev_audit_verdict(audit, NULL, verdict, sizeof(verdict));
	CU_ASSERT_PTR_NOT_NULL(strstr(
		verdict, "CANNOT TELL  nobody asked for a reduction in this window; 1 ended before the "
			 "window: s1.example.net (host, Gx)"));
	help_audit_drop(audit);
	audit = help_audit(&segment, (struct oev_audit_options){ .from_us = HELP_WALL_US + 14000000 });
	CU_ASSERT_EQUAL(audit->claim_count, 1);
	CU_ASSERT_EQUAL(audit->ended.count, 0);
	CU_ASSERT_EQUAL(audit->claims[0].step[OEV_STEP_ASKED].status, OEV_OK);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

void test_oev_audit_reach_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_audit_reach", NULL, NULL);

	CU_add_test(suite, "capture_counts_who_announced_doic",
		    test_capture_counts_clients_that_announced_doic);
	CU_add_test(suite, "measured_reduction_knows_of_undrawn_arrivals",
		    test_measured_reduction_knows_of_undrawn_arrivals);
	CU_add_test(suite, "dry_run_holds_up_to_selected_only", test_dry_run_holds_up_to_selected_only);
	CU_add_test(suite, "report_of_the_node_itself_is_named_so",
		    test_report_of_the_node_itself_is_named_so);
	CU_add_test(suite, "capture_says_what_it_cannot_give",
		    test_capture_says_which_receipts_it_cannot_give);
	CU_add_test(suite, "folder_of_folders_is_read", test_folder_of_folders_is_read);
	CU_add_test(suite, "file_without_rows_is_no_segment", test_file_without_rows_is_no_segment);
	CU_add_test(suite, "state_over_before_the_window",
		    test_state_that_was_over_before_the_window_is_no_claim);
	CU_add_test(suite, "filters_leave_other_claims_out", test_filters_leave_other_claims_out);
}
