/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of states that are valid beyond the life that held them: what later lives did not hold is said, and not called held.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evidence/audit/oev_audit_parts.h"
#include "evidence/page/oev_page.h"
#include "help_audit.h"

#define FIRST_MS 10001u /* length of the first life */

void test_oev_audit_lapse_suite(void);

enum ending { KILLED, RECOVERED, STOPPED };

/* Life 1: s1 asks for 30 % for @validity_s after a second; ten seconds later the life ends. */
static void tell_first(struct help_segment *segment, unsigned validity_s, enum ending how)
{
	CU_ASSERT_FATAL(help_segment_new(segment));
	CU_ASSERT_FATAL(help_segment_tell(
		segment,
		&(struct help_story){ .requests = 10000, .validity_s = validity_s, .open = how == KILLED },
		false));
	if (how == RECOVERED)
		CU_ASSERT_FATAL(
			help_segment_sql(segment, "INSERT INTO meta VALUES ('closed_how', 'recovered')"));
	if (how == STOPPED)
		CU_ASSERT_FATAL(help_segment_sql(segment,
						 "INSERT INTO meta VALUES ('closed_how', 'stopped');"
						 "INSERT INTO ocs_change SELECT 1, %lld, %lld, 'shutdown', "
						 "count(*), sum(selected_by = 2),"
						 " sum(host_share), 0 FROM wide WHERE host_version = 1",
						 HELP_MONO_NS + FIRST_MS * 1000000ull,
						 HELP_WALL_US + FIRST_MS * 1000ull));
}

/* A further life of @story that begins @after_ms after the first one did; its monotonic clock begins anew, as after a reboot. */
static void tell_next(struct help_segment *first, const char *name, uint64_t after_ms,
		      struct help_story story)
{
	struct help_segment segment;

	CU_ASSERT_FATAL(help_segment_beside(&segment, first, name));
	CU_ASSERT_FATAL(help_segment_tell(&segment, &story, false));
	CU_ASSERT_FATAL(help_segment_sql(
		&segment,
		"UPDATE way SET flags = flags | 128; UPDATE clock SET wall_us = wall_us + %llu; UPDATE "
		"policy SET wall_us = wall_us + %llu;"
		"UPDATE report SET wall_us = wall_us + %llu; UPDATE ocs_change SET wall_us = wall_us + %llu;"
		"UPDATE ocs_version SET from_us = from_us + %llu;"
		"UPDATE meta SET value = CAST(value + %llu AS TEXT) WHERE key IN ('started_us', 'closed_us')",
		after_ms * 1000, after_ms * 1000, after_ms * 1000, after_ms * 1000, after_ms * 1000,
		after_ms * 1000));
	help_segment_close(&segment);
}

static const struct help_story silent = { .requests = 10000, .bare = true };

static struct oev_audit *expect(const struct help_segment *segment, struct oev_audit_options options,
				enum oev_outcome outcome, const char *word)
{
	struct oev_audit *audit = help_audit(segment, options);
	char verdict[1024];

	oev_audit_verdict(audit, NULL, verdict, sizeof(verdict));
	CU_ASSERT_EQUAL(audit->outcome, outcome);
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict, word));
	if (audit->outcome != outcome || strstr(verdict, word) == NULL)
		fprintf(stderr, "  wanted \"%s\", got: %s (%s)\n", word, verdict, audit->error);
	CU_ASSERT_EQUAL_FATAL(audit->claim_count, 1);
	return audit;
}

/* The only lapse there is. */
static void expect_lapse(const struct oev_audit *audit, uint64_t from_ms, uint64_t until_ms,
			 uint64_t requests)
{
	CU_ASSERT_EQUAL_FATAL(audit->lapse_count, 1);
	CU_ASSERT_EQUAL(audit->lapses[0].from_us, HELP_WALL_US + from_ms * 1000);
	CU_ASSERT_EQUAL(audit->lapses[0].until_us, HELP_WALL_US + until_ms * 1000);
	CU_ASSERT_EQUAL(audit->lapses[0].requests, requests);
}

static void test_state_lost_with_a_killed_life_is_not_held(void)
{
	for (enum ending how = KILLED; how <= RECOVERED; how++) {
		struct help_segment segment;
		tell_first(&segment, 600, how);
		tell_next(&segment, "seg-20261129T233400.db", 12000, silent);
		struct oev_audit *audit = expect(&segment, (struct oev_audit_options){ 0 }, OEV_CANNOT_TELL,
						 "CANNOT TELL beyond \"asked\": life 2 did not hold version "
						 "#1 of life 1 (killed), still valid:"
						 " from 2026-11-30T00:53:32Z to 2026-11-30T00:53:42.001Z,"
						 " 5,000 requests in scope were not"
						 " compared");
		CU_ASSERT_EQUAL(oev_audit_exit(audit->outcome), 3);
		expect_lapse(audit, 12000, 22001, 5000);
		CU_ASSERT_FALSE(audit->lapses[0].was_stopped);
		CU_ASSERT_FALSE(audit->lapses[0].is_renewed);
		const struct oev_finding *held = &audit->claims[0].step[OEV_STEP_HELD];
		CU_ASSERT_EQUAL(held->status, OEV_UNSURE);
		CU_ASSERT_PTR_NULL(strstr(held->receipt, "no hole"));
		CU_ASSERT_STRING_EQUAL(oev_version_ended(audit, &audit->versions[0]), "cut off");
		help_audit_drop(audit);
		help_segment_remove(&segment);
	}
}

static void test_state_lost_with_a_planned_stop_is_not_held(void)
{
	struct help_segment segment;

	tell_first(&segment, 600, STOPPED);
	tell_next(&segment, "seg-20261129T233400.db", 12000, silent);
	struct oev_audit *audit = expect(&segment, (struct oev_audit_options){ 0 }, OEV_CANNOT_TELL,
					 "of life 1 (stopped), still valid");
	expect_lapse(audit, 12000, 22001, 5000);
	CU_ASSERT(audit->lapses[0].was_stopped);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

/* No life came after it: nobody failed to hold anything. */
static void test_last_life_leaves_no_hole(void)
{
	struct help_segment segment;

	tell_first(&segment, 600, KILLED);
	struct oev_audit *audit = expect(&segment, (struct oev_audit_options){ 0 }, OEV_HOLDS, "HOLDS");
	CU_ASSERT_EQUAL(audit->lapse_count, 0);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

static void test_renewal_after_the_restart_ends_the_hole(void)
{
	struct help_segment segment;

	tell_first(&segment, 600, KILLED);
	tell_next(&segment, "seg-20261129T233400.db", 12000,
		  (struct help_story){ .report_at_ms = 400, .validity_s = 600, .requests = 10000 });
	struct oev_audit *audit = expect(&segment, (struct oev_audit_options){ 0 }, OEV_CANNOT_TELL,
					 "to 2026-11-30T00:53:32.400Z, when a report came, 200 requests");
	expect_lapse(audit, 12000, 12400, 200);
	CU_ASSERT(audit->lapses[0].is_renewed);
	CU_ASSERT_PTR_NOT_NULL(strstr(audit->claims[0].step[OEV_STEP_HELD].receipt,
				      "2 OCS versions #1 of life 1 to #1 of life 2"));
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

/* Validity runs by the wall clock over lives: 14 s and an hour of being away are over for every state of 10 s and of 600 s. */
static void test_state_that_expired_before_the_restart_leaves_no_hole(void)
{
	static const struct {
		unsigned validity_s;
		uint64_t after_ms;
	} cases[] = { { 10, 14000 }, { 600, 3600000 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct help_segment segment;
		tell_first(&segment, cases[i].validity_s, KILLED);
		tell_next(&segment, "seg-20261129T233400.db", cases[i].after_ms, silent);
		struct oev_audit *audit =
			expect(&segment, (struct oev_audit_options){ .required = OEV_STEP_SELECTED },
			       OEV_HOLDS, "HOLDS");
		CU_ASSERT_EQUAL(audit->lapse_count, 0);
		help_audit_drop(audit);
		help_segment_remove(&segment);
	}
}

static void test_hole_ends_when_the_state_would_have_expired(void)
{
	struct help_segment segment;

	tell_first(&segment, 15, KILLED); /* until 16 s */
	tell_next(&segment, "seg-20261129T233400.db", 12000, silent);
	struct oev_audit *audit =
		expect(&segment, (struct oev_audit_options){ 0 }, OEV_CANNOT_TELL, "to 2026-11-30T00:53:36Z");
	expect_lapse(audit, 12000, 16000, 2000);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

static void test_hole_goes_on_over_several_lives(void)
{
	struct help_segment segment;

	tell_first(&segment, 600, KILLED);
	tell_next(&segment, "seg-20261129T233400.db", 12000, silent);
	tell_next(&segment, "seg-20261129T233500.db", 24000,
		  (struct help_story){ .report_at_ms = 1000, .requests = 10000 });
	struct oev_audit *audit =
		expect(&segment, (struct oev_audit_options){ 0 }, OEV_CANNOT_TELL, "compared; and 1 more");
	CU_ASSERT_EQUAL_FATAL(audit->lapse_count, 2);
	CU_ASSERT_EQUAL(audit->lapses[0].requests, 5000);
	CU_ASSERT_EQUAL(audit->lapses[1].requests, 500);
	CU_ASSERT_EQUAL(oev_life_number(audit, audit->lapses[1].life), 3);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

/* A window that lies in the later life alone is about the state all the same. */
static void test_window_after_the_restart_is_about_the_state(void)
{
	struct help_segment segment;

	tell_first(&segment, 600, KILLED);
	tell_next(&segment, "seg-20261129T233400.db", 12000, silent);
	struct oev_audit *audit =
		expect(&segment,
		       (struct oev_audit_options){ .from_us = HELP_WALL_US + 13000000,
						   .until_us = HELP_WALL_US + 15000000 },
		       OEV_CANNOT_TELL, "from 2026-11-30T00:53:33Z to 2026-11-30T00:53:35Z, 1,000 requests");
	expect_lapse(audit, 13000, 15000, 1000);
	help_audit_drop(audit);
	audit = expect(&segment,
		       (struct oev_audit_options){ .until_us = HELP_WALL_US + 11000000,
						   .required = OEV_STEP_SELECTED },
		       OEV_HOLDS, "HOLDS");
	CU_ASSERT_EQUAL(audit->lapse_count, 0);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

/* The clock was set back while the node was away: its log tells which life came first. */
static void test_clock_that_was_set_back_hides_no_hole(void)
{
	struct help_segment segment, next = { 0 };

	tell_first(&segment, 600, KILLED);
	tell_next(&segment, "seg-20261129T233310.db", 0, silent);
	CU_ASSERT_FATAL(help_segment_sql(&segment, "INSERT INTO meta VALUES ('log_size', '0')"));
	snprintf(next.path, sizeof(next.path), "%s/seg-20261129T233310.db", segment.folder);
	CU_ASSERT_EQUAL_FATAL(sqlite3_open(next.path, &next.db), SQLITE_OK);
	CU_ASSERT_FATAL(help_segment_sql(
		&next, "INSERT INTO meta VALUES ('log_size', '77'); UPDATE clock SET wall_us ="
		       " wall_us - 5000000; UPDATE meta SET value = CAST(value - 5000000 AS TEXT)"
		       " WHERE key IN ('started_us', 'closed_us')"));
	help_segment_close(&next);
	struct oev_audit *audit = expect(&segment, (struct oev_audit_options){ 0 }, OEV_CANNOT_TELL,
					 "life 2 did not hold version #1 of life 1 (killed)");
	CU_ASSERT_EQUAL_FATAL(audit->lapse_count, 1);
	CU_ASSERT_EQUAL(audit->lapses[0].requests, 5000);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

/* What a missing part told is not known: neither how the state ended in it, nor whether a report came. */
static void test_missing_part_tells_of_no_hole(void)
{
	static const char *const bends[] = {
		"INSERT INTO meta VALUES ('run', 'one'), ('part', '1'), ('closed_how', 'rotated')",
		"INSERT INTO meta VALUES ('run', 'two'), ('part', '2')",
	};

	for (size_t i = 0; i < 2; i++) {
		struct help_segment segment, next = { 0 };
		tell_first(&segment, 600, KILLED);
		tell_next(&segment, "seg-20261129T233400.db", 12000, silent);
		snprintf(next.path, sizeof(next.path), "%s/seg-20261129T233400.db", segment.folder);
		CU_ASSERT_EQUAL_FATAL(sqlite3_open(next.path, &next.db), SQLITE_OK);
		CU_ASSERT_FATAL(help_segment_sql(i == 0 ? &segment : &next, "%s", bends[i]));
		help_segment_close(&next);
		struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ 0 });
		CU_ASSERT_EQUAL(audit->lapse_count, 0);
		help_audit_drop(audit);
		help_segment_remove(&segment);
	}
}

/* JSON and page name interval, count and lives. */
static void test_every_output_names_the_hole(void)
{
	struct help_segment segment;
	char *text = NULL;
	size_t size = 0;

	tell_first(&segment, 600, KILLED);
	tell_next(&segment, "seg-20261129T233400.db", 12000, silent);
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ 0 });
	FILE *out = open_memstream(&text, &size);
	CU_ASSERT_EQUAL(oev_audit_json(audit, "test", out), 0);
	fclose(out);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"requests_not_compared\": 5000"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"held_in_life\": 1"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"ended\": \"cut off\""));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"since\": \"2026-11-30T00:53:32Z\""));
	free(text);
	text = NULL;
	out = open_memstream(&text, &size);
	CU_ASSERT_EQUAL(oev_page_write(audit, &(struct oev_page_conf){ "test", "doic audit" }, out), 0);
	fclose(out);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "Valid, but not held after a restart"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "5,000 requests in scope were not compared"));
	free(text);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

void test_oev_audit_lapse_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_audit_lapse", NULL, NULL);

	CU_add_test(suite, "lost_with_a_killed_life", test_state_lost_with_a_killed_life_is_not_held);
	CU_add_test(suite, "lost_with_a_planned_stop", test_state_lost_with_a_planned_stop_is_not_held);
	CU_add_test(suite, "last_life_leaves_no_hole", test_last_life_leaves_no_hole);
	CU_add_test(suite, "renewal_ends_the_hole", test_renewal_after_the_restart_ends_the_hole);
	CU_add_test(suite, "expired_before_the_restart",
		    test_state_that_expired_before_the_restart_leaves_no_hole);
	CU_add_test(suite, "hole_ends_with_the_validity", test_hole_ends_when_the_state_would_have_expired);
	CU_add_test(suite, "hole_over_several_lives", test_hole_goes_on_over_several_lives);
	CU_add_test(suite, "window_after_the_restart", test_window_after_the_restart_is_about_the_state);
	CU_add_test(suite, "clock_set_back", test_clock_that_was_set_back_hides_no_hole);
	CU_add_test(suite, "missing_part_tells_of_no_hole", test_missing_part_tells_of_no_hole);
	CU_add_test(suite, "every_output_names_the_hole", test_every_output_names_the_hole);
}
