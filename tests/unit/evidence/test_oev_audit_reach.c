/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of what a verdict counts and names: arrivals nobody drew, reports of the node itself, dry runs.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "evidence/audit/oev_audit.h"
#include "help_segment.h"

void test_oev_audit_reach_suite(void);

/* Audits the folder of @segment, all of it; the result is for the caller to free. */
static struct oev_audit *audit_of(const struct help_segment *segment)
{
	struct oev_audit *audit = calloc(1, sizeof(*audit));
	const char *inputs[] = { segment->folder };
	const struct oev_audit_options options = { .inputs = inputs,
						   .input_count = 1,
						   .until_us = UINT64_MAX,
						   .parts = OEV_PART_ALL,
						   .required = OEV_STEP_ARRIVED };

	oev_audit_run(audit, &options);
	return audit;
}

static void drop(struct oev_audit *audit)
{
	oev_audit_fini(audit);
	free(audit);
}

/* The default story bent by @sql, audited: outcome and step as expected. */
static void expect(const char *sql, enum oev_outcome outcome, int reached, const char *word)
{
	struct help_segment segment;
	char verdict[1024];

	CU_ASSERT_FATAL(help_segment_new(&segment));
	CU_ASSERT_FATAL(help_segment_tell(&segment, &(struct help_story){ 0 }, true));
	CU_ASSERT_FATAL(help_segment_sql(&segment, "%s", sql));
	struct oev_audit *audit = audit_of(&segment);
	oev_audit_verdict(audit, NULL, verdict, sizeof(verdict));
	CU_ASSERT_EQUAL(audit->outcome, outcome);
	CU_ASSERT_EQUAL(audit->reached, reached);
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict, word));
	if (audit->outcome != outcome || strstr(verdict, word) == NULL)
		fprintf(stderr, "  got: %s (%s)\n", verdict, audit->error);
	drop(audit);
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
	struct oev_audit *audit = audit_of(&segment);
	CU_ASSERT_EQUAL_FATAL(audit->claim_count, 1);
	CU_ASSERT_EQUAL(audit->claims[0].active.matched, 5000);
	CU_ASSERT_EQUAL(audit->claims[0].inner_candidates, 5100);
	drop(audit);
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

void test_oev_audit_reach_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_audit_reach", NULL, NULL);

	CU_add_test(suite, "measured_reduction_knows_of_undrawn_arrivals",
		    test_measured_reduction_knows_of_undrawn_arrivals);
	CU_add_test(suite, "dry_run_holds_up_to_selected_only", test_dry_run_holds_up_to_selected_only);
	CU_add_test(suite, "report_of_the_node_itself_is_named_so",
		    test_report_of_the_node_itself_is_named_so);
}
