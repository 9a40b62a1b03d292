/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of lives in several parts: together they say what one segment says; without some of them, what is left to say.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/audit/oev_audit_parts.h"
#include "help_audit.h"

#define PARTS 3u
#define UNDER_WAY 20u /* requests whose outcome comes in the next part */

void test_oev_audit_parts_suite(void);

static void part_path(const struct help_segment *segment, unsigned part, char path[static 400])
{
	snprintf(path, 400, "%s/seg-part%u.db", segment->folder, part);
}

/* Part @part of the story: decisions @after + 1 to @last, what earlier parts told that still matters, and no counters. */
static void write_part(struct help_segment *segment, unsigned part, unsigned after, unsigned last)
{
	char path[400];

	part_path(segment, part, path);
	CU_ASSERT_FATAL(help_segment_sql(segment, "VACUUM INTO '%s'; ATTACH '%s' AS part", path, path));
	CU_ASSERT_FATAL(help_segment_sql(
		segment,
		"BEGIN; DELETE FROM part.decision WHERE id <= %u OR id > %u;"
		"DELETE FROM part.outcome WHERE decision <= %d OR decision > %d;"
		"DELETE FROM part.ocs_change WHERE mono_ns <= %lld OR mono_ns > %lld;"
		"DELETE FROM part.report_repeat WHERE first_ns <= %lld OR first_ns > %lld;"
		"DELETE FROM part.report WHERE mono_ns > %lld; DELETE FROM part.ocs_version WHERE from_ns > "
		"%lld;"
		"INSERT INTO part.meta VALUES ('run', 'life-1'), ('part', '%u'), ('closed_how', '%s');"
		"UPDATE part.meta SET value = CAST(%lld AS TEXT) WHERE key = 'started_us';"
		"UPDATE part.meta SET value = CAST(%lld AS TEXT) WHERE key = 'closed_us'",
		after, last, after > 0 ? (int)after - (int)UNDER_WAY : 0,
		last < 20000 ? (int)last - (int)UNDER_WAY : (int)last, HELP_MONO_NS + after * 1000000ull,
		HELP_MONO_NS + last * 1000000ull, HELP_MONO_NS + after * 1000000ull,
		HELP_MONO_NS + last * 1000000ull, HELP_MONO_NS + last * 1000000ull,
		HELP_MONO_NS + last * 1000000ull, part, last < 20000 ? "rotated" : "stopped",
		HELP_WALL_US + after * 1000ull, HELP_WALL_US + last * 1000ull + (last < 20000 ? 0 : 1000)));
	if (part > 1)
		CU_ASSERT_FATAL(help_segment_sql(
			segment,
			"INSERT INTO part.carried SELECT 'report', count(*) FROM part.report WHERE mono_ns "
			"<= %lld"
			" UNION ALL SELECT 'ocs_version', count(*) FROM part.ocs_version WHERE from_ns <= "
			"%lld;"
			"INSERT INTO part.carried_version SELECT host_version, count(*), sum(selected_by = "
			"2), sum(host_share), 0"
			" FROM wide WHERE id <= %u AND host_version IS NOT NULL GROUP BY host_version",
			HELP_MONO_NS + after * 1000000ull, HELP_MONO_NS + after * 1000000ull, after));
	CU_ASSERT_FATAL(help_segment_sql(segment, "COMMIT; DETACH part"));
}

/* The default story in three parts of one life; the whole one is in no file. */
static void tell_parts(struct help_segment *segment)
{
	static const unsigned cuts[PARTS + 1] = { 0, 4000, 9000, 20000 };

	CU_ASSERT_FATAL(help_segment_new(segment));
	CU_ASSERT_FATAL(help_segment_tell(segment, &(struct help_story){ 0 }, false));
	for (unsigned part = 1; part <= PARTS; part++)
		write_part(segment, part, cuts[part - 1], cuts[part]);
	unlink(segment->path);
}

static void remove_part(const struct help_segment *segment, unsigned part)
{
	char path[400];

	part_path(segment, part, path);
	CU_ASSERT_EQUAL(unlink(path), 0);
}

static void expect_verdict(const struct oev_audit *audit, enum oev_outcome outcome, const char *word)
{
	char verdict[1024];

	oev_audit_verdict(audit, NULL, verdict, sizeof(verdict));
	CU_ASSERT_EQUAL(audit->outcome, outcome);
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict, word));
	if (audit->outcome != outcome || strstr(verdict, word) == NULL)
		fprintf(stderr, "  got: %s (%s)\n", verdict, audit->error);
}

static void test_parts_together_say_what_one_segment_says(void)
{
	struct help_segment whole, parts;

	CU_ASSERT_FATAL(help_segment_new(&whole));
	CU_ASSERT_FATAL(help_segment_tell(&whole, &(struct help_story){ 0 }, false));
	tell_parts(&parts);
	struct oev_audit *one = help_audit(&whole, (struct oev_audit_options){ 0 });
	struct oev_audit *three = help_audit(&parts, (struct oev_audit_options){ 0 });
	expect_verdict(three, OEV_HOLDS, "HOLDS up to \"arrived\"");
	CU_ASSERT_EQUAL(three->life_count, 1);
	CU_ASSERT_EQUAL(three->segment_count, 3);
	CU_ASSERT_EQUAL(memcmp(&one->population, &three->population, sizeof(one->population)), 0);
	CU_ASSERT_EQUAL(memcmp(one->effects[0].phase, three->effects[0].phase, sizeof(one->effects[0].phase)),
			0);
	CU_ASSERT_EQUAL(one->report_count, three->report_count);
	CU_ASSERT_EQUAL(one->reports[0].repeats, three->reports[0].repeats);
	CU_ASSERT_EQUAL(one->version_count, three->version_count);
	CU_ASSERT_EQUAL(one->versions[0].all.matched, three->versions[0].all.matched);
	CU_ASSERT_FALSE(three->versions[0].is_carried);
	CU_ASSERT_EQUAL(three->gap_count, 0);
	help_audit_drop(one);
	help_audit_drop(three);
	help_segment_remove(&whole);
	help_segment_remove(&parts);
}

/* Retention took the first parts: the carried sums are the beginning, and the bound is still checked. */
static void test_life_without_its_first_parts_begins_with_carried_sums(void)
{
	for (unsigned gone = 1; gone <= 2; gone++) {
		struct help_segment parts;

		tell_parts(&parts);
		for (unsigned part = 1; part <= gone; part++)
			remove_part(&parts, part);
		struct oev_audit *audit = help_audit(&parts, (struct oev_audit_options){ 0 });
		expect_verdict(audit, OEV_HOLDS, "HOLDS up to \"arrived\"");
		CU_ASSERT(audit->lives[0].lacks_beginning);
		CU_ASSERT(audit->versions[0].is_carried);
		CU_ASSERT_EQUAL(audit->versions[0].all.matched, 6500);
		CU_ASSERT_EQUAL(audit->population.without_decision[OEV_LOOSE_PART], UNDER_WAY);
		CU_ASSERT_EQUAL(audit->population.without_outcome, 0);
		CU_ASSERT_EQUAL(audit->gap_count, 0);
		help_audit_drop(audit);
		help_segment_remove(&parts);
	}
}

static void test_bound_is_checked_after_carried_sums(void)
{
	struct help_segment parts;

	tell_parts(&parts);
	remove_part(&parts, 1);
	struct help_segment second = { 0 };
	snprintf(second.path, sizeof(second.path), "%s/seg-part2.db", parts.folder);
	CU_ASSERT_EQUAL_FATAL(sqlite3_open(second.path, &second.db), SQLITE_OK);
	CU_ASSERT_FATAL(help_segment_sql(&second, "UPDATE carried_version SET selected = selected - 2"));
	help_segment_close(&second);
	struct oev_audit *audit = help_audit(&parts, (struct oev_audit_options){ 0 });
	expect_verdict(audit, OEV_CLAIM_REFUTED, "REFUTED at \"selected\"");
	help_audit_drop(audit);
	help_segment_remove(&parts);
}

static void test_part_that_is_not_here_is_a_gap(void)
{
	struct help_segment parts;

	tell_parts(&parts);
	remove_part(&parts, 2);
	struct oev_audit *audit = help_audit(&parts, (struct oev_audit_options){ 0 });
	expect_verdict(audit, OEV_CANNOT_TELL, "CANNOT TELL beyond \"held\"");
	CU_ASSERT_EQUAL_FATAL(audit->gap_count, 1);
	CU_ASSERT_EQUAL(audit->gaps[0].kind, OEV_GAP_PART);
	CU_ASSERT_PTR_NOT_NULL(strstr(audit->gaps[0].reason, "part 2"));
	CU_ASSERT_EQUAL(audit->gaps[0].since_us, HELP_WALL_US + 4000000);
	CU_ASSERT_EQUAL(audit->population.loose[OEV_LOOSE_PART], UNDER_WAY);
	CU_ASSERT_EQUAL(audit->population.without_decision[OEV_LOOSE_PART], UNDER_WAY);
	CU_ASSERT_EQUAL(audit->exception_count, 0);
	help_audit_drop(audit);
	/* after the gap everything can be told again: the sums are carried over it */
	audit = help_audit(&parts, (struct oev_audit_options){ .from_us = HELP_WALL_US + 9100000 });
	expect_verdict(audit, OEV_HOLDS, "HOLDS up to \"arrived\"");
	help_audit_drop(audit);
	help_segment_remove(&parts);
}

static void test_life_without_its_last_part_says_so(void)
{
	struct help_segment parts;

	tell_parts(&parts);
	remove_part(&parts, 3);
	struct oev_audit *audit = help_audit(&parts, (struct oev_audit_options){ 0 });
	CU_ASSERT(audit->lives[0].lacks_end);
	CU_ASSERT_EQUAL(audit->population.loose[OEV_LOOSE_PART], UNDER_WAY);
	CU_ASSERT_EQUAL(audit->versions[0].sampler.faulty, false);
	help_audit_drop(audit);
	help_segment_remove(&parts);
}

/* The draws around a cut stand in another order than their numbers: some of the first part came later. */
static void test_draws_that_cross_a_cut_are_not_missing(void)
{
	struct help_segment parts;

	tell_parts(&parts);
	for (unsigned part = 1; part <= 2; part++) {
		struct help_segment at = { 0 };
		snprintf(at.path, sizeof(at.path), "%s/seg-part%u.db", parts.folder, part);
		CU_ASSERT_EQUAL_FATAL(sqlite3_open(at.path, &at.db), SQLITE_OK);
		/* decisions 3999 (draw 1500) and 4001 (draw 1501) change their draws */
		CU_ASSERT_FATAL(help_segment_sql(
			&at, "UPDATE decision SET host_nth = 3001 - host_nth WHERE id IN (3999, 4001)"));
		help_segment_close(&at);
	}
	struct oev_audit *audit = help_audit(&parts, (struct oev_audit_options){ 0 });
	expect_verdict(audit, OEV_HOLDS, "HOLDS");
	CU_ASSERT(audit->versions[0].sampler.reordered);
	help_audit_drop(audit);
	remove_part(&parts, 1);
	audit = help_audit(&parts, (struct oev_audit_options){ 0 });
	expect_verdict(audit, OEV_HOLDS, "HOLDS");
	CU_ASSERT_EQUAL(audit->versions[0].sampler.waiting_count, 0);
	help_audit_drop(audit);
	help_segment_remove(&parts);
}

/* A node that was killed drew for requests it never sent: the last draws may have holes, earlier ones may not. */
static void test_last_draws_of_a_killed_node_may_be_missing(void)
{
	static const struct {
		const char *sql;
		enum oev_outcome outcome;
	} cases[] = {
		{ "DELETE FROM decision WHERE id > 6000; DELETE FROM ocs_change; DELETE FROM decision WHERE "
		  "id = 5991;"
		  "DELETE FROM meta WHERE key = 'closed_us'",
		  OEV_HOLDS },
		{ "DELETE FROM decision WHERE id > 6000; DELETE FROM ocs_change; DELETE FROM decision WHERE "
		  "id = 5991;"
		  "INSERT INTO meta VALUES ('closed_how', 'recovered');"
		  "INSERT INTO recovery VALUES (1796000050000000, 77, 5, 1)",
		  OEV_HOLDS },
		{ "DELETE FROM decision WHERE id > 6000; DELETE FROM ocs_change; DELETE FROM decision WHERE "
		  "id = 5991;"
		  "INSERT INTO meta VALUES ('closed_how', 'stopped')",
		  OEV_CLAIM_REFUTED },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct help_segment segment;
		CU_ASSERT_FATAL(help_segment_new(&segment));
		CU_ASSERT_FATAL(help_segment_tell(&segment, &(struct help_story){ 0 }, false));
		CU_ASSERT_FATAL(help_segment_sql(&segment, "%s", cases[i].sql));
		CU_ASSERT_FATAL(help_segment_sql(
			&segment, "DELETE FROM outcome WHERE decision NOT IN (SELECT id FROM decision)"));
		struct oev_audit *audit =
			help_audit(&segment, (struct oev_audit_options){ .required = OEV_STEP_SELECTED });
		expect_verdict(audit, cases[i].outcome,
			       cases[i].outcome == OEV_HOLDS ? "HOLDS" : "is missing");
		help_audit_drop(audit);
		help_segment_remove(&segment);
	}
}

/* As oev_audit_run(), with retention at work after the folder was listed and opened. */
static void run_while_part_is_removed(struct oev_audit *audit, const struct help_segment *segment,
				      unsigned part)
{
	const char *inputs[] = { segment->folder };

	audit->options = (struct oev_audit_options){ .inputs = inputs,
						     .input_count = 1,
						     .until_us = UINT64_MAX,
						     .parts = OEV_PART_ALL,
						     .required = OEV_STEP_SELECTED };
	CU_ASSERT_EQUAL_FATAL(oev_audit_load(audit), OC_OK);
	remove_part(segment, part);
	CU_ASSERT_EQUAL_FATAL(oev_audit_agree_init(audit), OC_OK);
	CU_ASSERT_EQUAL_FATAL(oev_follow_begin(audit), OC_OK);
	CU_ASSERT_EQUAL(oev_audit_scan(audit), OC_OK);
	CU_ASSERT_EQUAL(oev_follow_end(audit), OC_OK);
	oev_audit_judge(audit);
}

static void test_part_removed_while_it_is_read_is_a_gap(void)
{
	for (unsigned part = 1; part <= PARTS; part++) {
		struct oev_audit *audit = calloc(1, sizeof(*audit));
		struct help_segment segment;
		tell_parts(&segment);
		CU_ASSERT_FATAL(audit != NULL);
		run_while_part_is_removed(audit, &segment, part);
		expect_verdict(audit, OEV_CANNOT_TELL, "events were lost");
		CU_ASSERT_EQUAL(audit->exception_count, 0);
		CU_ASSERT_EQUAL_FATAL(audit->gap_count, 1);
		CU_ASSERT_EQUAL(audit->gaps[0].kind, OEV_GAP_PART);
		CU_ASSERT(audit->gaps[0].in_window && audit->gaps_in_window == 1);
		CU_ASSERT_PTR_NOT_NULL(strstr(audit->gaps[0].reason, ".db was removed while it was read"));
		oev_audit_fini(audit);
		free(audit);
		help_segment_remove(&segment);
	}
}

void test_oev_audit_parts_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_audit_parts", NULL, NULL);

	CU_add_test(suite, "parts_together_say_what_one_says", test_parts_together_say_what_one_segment_says);
	CU_add_test(suite, "life_without_its_first_parts",
		    test_life_without_its_first_parts_begins_with_carried_sums);
	CU_add_test(suite, "bound_is_checked_after_carried_sums", test_bound_is_checked_after_carried_sums);
	CU_add_test(suite, "part_that_is_not_here_is_a_gap", test_part_that_is_not_here_is_a_gap);
	CU_add_test(suite, "part_removed_while_it_is_read", test_part_removed_while_it_is_read_is_a_gap);
	CU_add_test(suite, "life_without_its_last_part", test_life_without_its_last_part_says_so);
	CU_add_test(suite, "draws_that_cross_a_cut", test_draws_that_cross_a_cut_are_not_missing);
	CU_add_test(suite, "last_draws_of_a_killed_node", test_last_draws_of_a_killed_node_may_be_missing);
}
