/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of imported counters in the audit: they complete what this side recorded, or contradict it with both numbers.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/audit/oev_cover.h"
#include "evidence/audit/oev_samples.h"
#include "help_audit.h"

void test_oev_audit_telemetry_suite(void);

/* The counts of @node, a second each, from @from to @until seconds after the beginning, by a clock that is @off_us behind; columns bent by
 * SQL. */
static void import_off(struct help_segment *segment, unsigned name, unsigned from, unsigned until,
		       int64_t off_us, const char *requests, const char *success)
{
	struct oev_samples samples = { 0 };
	char path[700], sql[600];
	char text[20000] = "time,node,application,requests,success,useful\n";
	size_t at = strlen(text);

	for (unsigned second = from; second < until; second++) {
		snprintf(sql, sizeof(sql),
			 "SELECT %s FROM wide WHERE next_hop = %u AND wall_us >= %llu AND wall_us < %llu",
			 requests, name, HELP_WALL_US + second * 1000000ull + (uint64_t)off_us,
			 HELP_WALL_US + second * 1000000ull + 1000000 + (uint64_t)off_us);
		long long arrived = help_segment_get(segment, sql);
		snprintf(sql, sizeof(sql),
			 "SELECT %s FROM wide WHERE next_hop = %u AND wall_us >= %llu AND wall_us < %llu",
			 success, name, HELP_WALL_US + second * 1000000ull + (uint64_t)off_us,
			 HELP_WALL_US + second * 1000000ull + 1000000 + (uint64_t)off_us);
		long long given = help_segment_get(segment, sql);
		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       "%llu,s%u.example.net,gx,%lld,%lld,%lld\n",
				       HELP_WALL_US / 1000000 + second, name - 2, arrived, given, given);
	}
	CU_ASSERT_FATAL(help_segment_file(segment, "in.csv", text));
	snprintf(path, sizeof(path), "%s/in.csv", segment->folder);
	CU_ASSERT_EQUAL(oev_samples_read(&samples, path), OC_OK);
	CU_ASSERT_EQUAL(oev_samples_check(&samples), OC_OK);
	CU_ASSERT_EQUAL(oev_samples_store(&samples, segment->folder, "test", "test", HELP_WALL_US + from),
			OC_OK);
	if (samples.error[0] != '\0')
		fprintf(stderr, "  %s\n", samples.error);
	oev_samples_fini(&samples);
}

static void import(struct help_segment *segment, unsigned name, unsigned from, unsigned until,
		   const char *requests, const char *success)
{
	import_off(segment, name, from, until, 0, requests, success);
}

static void tell(struct help_segment *segment)
{
	CU_ASSERT_FATAL(help_segment_new(segment));
	CU_ASSERT_FATAL(help_segment_tell(segment, &(struct help_story){ 0 }, false));
}

static struct oev_audit *expect(const struct help_segment *segment, enum oev_outcome outcome,
				const char *word)
{
	struct oev_audit *audit =
		help_audit(segment, (struct oev_audit_options){ .required = OEV_STEP_USEFUL });
	char verdict[1024];

	oev_audit_verdict(audit, NULL, verdict, sizeof(verdict));
	CU_ASSERT_EQUAL(audit->outcome, outcome);
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict, word));
	if (audit->outcome != outcome || strstr(verdict, word) == NULL)
		fprintf(stderr, "  wanted \"%s\", got: %s (%s)\n", word, verdict, audit->error);
	return audit;
}

static void test_telemetry_of_the_subject_completes_the_ladder(void)
{
	struct help_segment segment;

	tell(&segment);
	import(&segment, HELP_S1, 0, 20, "count(*)", "count(*)");
	struct oev_audit *audit = expect(&segment, OEV_HOLDS, "HOLDS up to \"useful\"");
	CU_ASSERT_EQUAL_FATAL(audit->agreement_count, 1);
	CU_ASSERT_EQUAL(audit->agreements[0].counter_requests, audit->agreements[0].evidence_requests);
	CU_ASSERT_EQUAL(audit->claims[0].useful, audit->claims[0].arrived_counter);
	CU_ASSERT_EQUAL(audit->claims[0].inner_candidates, 5000);
	CU_ASSERT_EQUAL(audit->claims[0].inner_arrived, 3500); /* exact over whole seconds of the report */
	const struct oev_series *series = oev_audit_series(audit, 0);
	CU_ASSERT_FATAL(series != NULL && series->has_counted && series->has_counted_useful);
	for (uint32_t i = 0; i < series->count; i++)
		if (series->points[i].counted != OEV_SERIES_UNKNOWN)
			CU_ASSERT_EQUAL(series->points[i].counted, series->points[i].arrived);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

static void test_contradiction_is_a_finding_with_both_numbers(void)
{
	struct help_segment segment;

	tell(&segment);
	import(&segment, HELP_S1, 2, 10, "count(*) + 300", "count(*)");
	struct oev_audit *audit =
		expect(&segment, OEV_CLAIM_REFUTED, "counted 5200 requests, the evidence sent it 2800");
	CU_ASSERT_EQUAL(audit->claims[0].exceptions[OEV_X_COUNTERS], 1);
	help_audit_drop(audit);
	help_segment_remove(&segment);
	tell(&segment);
	import(&segment, HELP_S1, 2, 10, "count(*)", "0");
	help_audit_drop(expect(&segment, OEV_CLAIM_REFUTED, "gave 0 answers with 2xxx, but 2800 came back"));
	help_segment_remove(&segment);
}

/* A clock that is off moves the run: what it gains at one end it loses at the other. */
static void test_clock_that_is_off_agrees(void)
{
	static const int64_t off_us[] = { -900000, -333000, -70000, 1000, 250000, 480000, 990000 };

	for (size_t i = 0; i < sizeof(off_us) / sizeof(off_us[0]); i++) {
		struct help_segment segment;
		tell(&segment);
		import_off(&segment, HELP_S1, 2, 11, off_us[i], "count(*)",
			   "count(*)"); /* ends on the edge */
		struct oev_audit *audit = expect(&segment, OEV_HOLDS, "HOLDS");
		CU_ASSERT_EQUAL(audit->agreements[0].status, OEV_OK);
		CU_ASSERT_FALSE(audit->agreements[0].is_vague);
		help_audit_drop(audit);
		help_segment_remove(&segment);
	}
}

/* The ends explain a tenth of a second of traffic, and how far the rates at both differ; not their seconds added up. */
static void test_factor_over_all_of_a_run_is_a_contradiction(void)
{
	static const struct {
		unsigned from, until;
		const char *requests, *word;
	} cases[] = {
		{ 2, 62, "CAST(count(*) * 0.97 AS INTEGER)",
		  "counted 27566 requests, the evidence sent it 28425" },
		{ 2, 62, "CAST(count(*) * 1.03 AS INTEGER)",
		  "counted 29272 requests, the evidence sent it 28425" },
		{ 30, 35, "CAST(count(*) * 0.87 AS INTEGER)",
		  "counted 2175 requests, the evidence sent it 2500" },
		{ 30, 35, "CAST(count(*) * 1.13 AS INTEGER)",
		  "counted 2825 requests, the evidence sent it 2500" },
		{ 2, 10, "count(*) + 170", "counted 4160 requests, the evidence sent it 2800" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct help_segment segment;
		CU_ASSERT_FATAL(help_segment_new(&segment));
		CU_ASSERT_FATAL(
			help_segment_tell(&segment, &(struct help_story){ .requests = 64000 }, false));
		import(&segment, HELP_S1, cases[i].from, cases[i].until, cases[i].requests,
		       cases[i].requests);
		struct oev_audit *audit = expect(&segment, OEV_CLAIM_REFUTED, cases[i].word);
		CU_ASSERT_EQUAL(audit->claims[0].step[OEV_STEP_ARRIVED].status, OEV_REFUTED);
		CU_ASSERT(oev_agreement_apart(&audit->agreements[0]) <= 200);
		help_audit_drop(audit);
		help_segment_remove(&segment);
	}
}

/* Two seconds are all ends: what is not equal may be as far apart as it is large. */
static void test_counts_as_small_as_their_margin_say_nothing(void)
{
	struct help_segment segment;

	tell(&segment);
	import(&segment, HELP_S1, 2, 4, "count(*) + 20", "count(*)");
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ 0 });
	CU_ASSERT_EQUAL_FATAL(audit->agreement_count, 1);
	CU_ASSERT(audit->agreements[0].is_vague);
	CU_ASSERT_EQUAL(audit->agreements[0].status, OEV_UNSURE);
	CU_ASSERT_EQUAL(audit->exception_count, 0);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

static void test_time_without_evidence_is_not_compared(void)
{
	struct help_segment segment;

	tell(&segment);
	CU_ASSERT_FATAL(help_segment_sql(&segment,
					 "INSERT INTO gap VALUES (%lld, %lld, 5, 'ring full');"
					 "INSERT INTO clock VALUES (%lld, %lld)",
					 HELP_MONO_NS + 18500000000ull, HELP_WALL_US + 18500000,
					 HELP_MONO_NS + 18200000000ull, HELP_WALL_US + 18200000));
	import(&segment, HELP_S1, 0, 30, "count(*)", "count(*)");
	struct oev_audit *audit =
		help_audit(&segment, (struct oev_audit_options){ .until_us = HELP_WALL_US + 18000000 });
	CU_ASSERT_EQUAL(audit->outcome, OEV_HOLDS);
	CU_ASSERT_EQUAL(audit->agreement_count, 1);
	help_audit_drop(audit);
	audit = help_audit(&segment, (struct oev_audit_options){ 0 });
	CU_ASSERT_EQUAL(audit->telemetry_outside, 11); /* seconds 18, and 20 to 29 */
	CU_ASSERT_EQUAL(audit->agreement_count, 2);    /* before the gap and after it */
	CU_ASSERT_EQUAL(audit->agreements[0].status, OEV_OK);
	CU_ASSERT_EQUAL(audit->agreements[1].status, OEV_OK);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

static void test_counters_of_a_node_never_sent_to_say_nothing(void)
{
	struct help_segment segment;

	tell(&segment);
	CU_ASSERT_FATAL(help_segment_sql(&segment, "INSERT INTO name VALUES (9, 's7.example.net')"));
	import(&segment, 9, 2, 10, "count(*) + 77", "count(*) + 77");
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ 0 });
	CU_ASSERT_EQUAL(audit->outcome, OEV_HOLDS);
	CU_ASSERT_EQUAL(audit->exception_count, 0);
	CU_ASSERT_EQUAL(audit->agreements[0].status, OEV_UNSURE);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

static void test_bent_telemetry_is_unusable(void)
{
	struct help_segment segment;
	char path[400];

	tell(&segment);
	snprintf(path, sizeof(path), "%s/telemetry-1.db", segment.folder);
	CU_ASSERT_FATAL(help_segment_sql(&segment, "VACUUM INTO '%s'", path));
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ 0 });
	CU_ASSERT_EQUAL(audit->outcome, OEV_UNUSABLE);
	CU_ASSERT_PTR_NOT_NULL(strstr(audit->error, "no imported counters"));
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

/* Two nodes: only the time both are told of counts; parts that touch are one. */
static void test_cover_is_what_all_nodes_tell(void)
{
	struct oev_segment segments[] = {
		{ .node = (char[]){ "a" },
		  .closed_how = (char[]){ "" },
		  .started_us = 1000000,
		  .closed_us = 5000000 },
		{ .node = (char[]){ "a" },
		  .closed_how = (char[]){ "" },
		  .started_us = 5050000,
		  .closed_us = 9000000 },
		{ .node = (char[]){ "b" },
		  .closed_how = (char[]){ "" },
		  .started_us = 2000000,
		  .closed_us = 8000000 },
	};
	struct oev_gap gaps[] = { { .since_us = 6000000, .wall_us = 6500000 } };
	struct oev_audit *audit = calloc(1, sizeof(*audit));
	struct oev_cover cover = { 0 };

	audit->segments = segments;
	audit->segment_count = 3;
	audit->gaps = gaps;
	audit->gap_count = 1;
	CU_ASSERT_EQUAL(oev_cover_make(&cover, audit), OC_OK);
	CU_ASSERT_EQUAL(cover.count, 2);
	CU_ASSERT(oev_cover_holds(&cover, 2000000, 6000000));
	CU_ASSERT_FALSE(oev_cover_holds(&cover, 1999999, 3000000));
	CU_ASSERT_FALSE(oev_cover_holds(&cover, 5900000, 6100000));
	CU_ASSERT_FALSE(oev_cover_holds(&cover, 6500000, 7000000));
	CU_ASSERT(oev_cover_holds(&cover, 6500001, 8000000));
	CU_ASSERT_FALSE(oev_cover_holds(&cover, 7000000, 8000001));
	oev_cover_fini(&cover);
	free(audit);
}

void test_oev_audit_telemetry_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_audit_telemetry", NULL, NULL);

	CU_add_test(suite, "telemetry_completes_the_ladder",
		    test_telemetry_of_the_subject_completes_the_ladder);
	CU_add_test(suite, "contradiction_has_both_numbers",
		    test_contradiction_is_a_finding_with_both_numbers);
	CU_add_test(suite, "clock_that_is_off_agrees", test_clock_that_is_off_agrees);
	CU_add_test(suite, "factor_is_a_contradiction", test_factor_over_all_of_a_run_is_a_contradiction);
	CU_add_test(suite, "counts_as_small_as_their_margin",
		    test_counts_as_small_as_their_margin_say_nothing);
	CU_add_test(suite, "time_without_evidence", test_time_without_evidence_is_not_compared);
	CU_add_test(suite, "node_never_sent_to", test_counters_of_a_node_never_sent_to_say_nothing);
	CU_add_test(suite, "bent_telemetry_is_unusable", test_bent_telemetry_is_unusable);
	CU_add_test(suite, "cover_is_what_all_nodes_tell", test_cover_is_what_all_nodes_tell);
}
