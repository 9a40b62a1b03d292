/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of what claims did to traffic, of retries, and of the node's own reports.
 */
#include <CUnit/CUnit.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "evidence/audit/oev_retry.h"
#include "help_audit.h"

void test_oev_audit_effect_suite(void);

static void tell(struct help_segment *segment, const char *sql)
{
	CU_ASSERT_FATAL(help_segment_new(segment));
	CU_ASSERT_FATAL(help_segment_tell(segment, &(struct help_story){ 0 }, false));
	if (sql != NULL)
		CU_ASSERT_FATAL(help_segment_sql(segment, "%s", sql));
}

static void test_four_instants_of_a_claim(void)
{
	struct help_segment segment;

	tell(&segment, NULL);
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ 0 });
	const struct oev_series *series = oev_audit_series(audit, 0);
	const struct oev_effect *effect = &audit->effects[0];
	CU_ASSERT_PTR_NOT_NULL_FATAL(series);
	CU_ASSERT_EQUAL(series->instant_us[OEV_INSTANT_ASKED], HELP_WALL_US + 1000000);
	CU_ASSERT_EQUAL(series->instant_us[OEV_INSTANT_HELD], HELP_WALL_US + 1000000);
	CU_ASSERT_EQUAL(series->instant_us[OEV_INSTANT_ENDED], HELP_WALL_US + 11000000);
	CU_ASSERT_EQUAL(series->instant_us[OEV_INSTANT_NORMAL], HELP_WALL_US + 14000000);
	CU_ASSERT_EQUAL_FATAL(series->interval_count, 1);
	CU_ASSERT_EQUAL(series->intervals[0].until_us, HELP_WALL_US + 11000000);
	CU_ASSERT_EQUAL(series->intervals[0].normal_us, HELP_WALL_US + 14000000);
	CU_ASSERT_EQUAL(series->intervals[0].reduction_pct, 30);
	/* the second of the requests naming s1 is the first selected: 2 x 0.3 passes one half */
	CU_ASSERT_EQUAL(effect->slowest_effect_us, 3000);
	CU_ASSERT_EQUAL(effect->slowest_normal_us, 3000000);
	CU_ASSERT(effect->has_normal && effect->is_adjacent);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

static void test_phases_of_the_story(void)
{
	struct help_segment segment;

	tell(&segment, NULL);
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ 0 });
	const struct oev_traffic *phase = audit->effects[0].phase;
	CU_ASSERT_EQUAL(phase[OEV_PHASE_BEFORE].span_us, 1000000);
	CU_ASSERT_EQUAL(phase[OEV_PHASE_BEFORE].offered, 500);
	CU_ASSERT_EQUAL(phase[OEV_PHASE_DURING].offered, 5000);
	CU_ASSERT_EQUAL(phase[OEV_PHASE_DURING].selected, 1500);
	CU_ASSERT_EQUAL(phase[OEV_PHASE_DURING].arrived, 3500);
	CU_ASSERT_EQUAL(phase[OEV_PHASE_DURING].passed, 3500);
	CU_ASSERT_EQUAL(phase[OEV_PHASE_DURING].useful, 3500);
	CU_ASSERT_EQUAL(phase[OEV_PHASE_DURING].alternatives, 5000);
	CU_ASSERT_EQUAL(phase[OEV_PHASE_RAMP].offered, 1500);
	CU_ASSERT_EQUAL(phase[OEV_PHASE_RAMP].span_us, 3000000);
	CU_ASSERT_EQUAL(phase[OEV_PHASE_AFTER].offered, 3000);
	CU_ASSERT_EQUAL_FATAL(audit->hop_count, 2);
	CU_ASSERT_STRING_EQUAL(oev_names_text(&audit->names, audit->hops[0].name), "s1.example.net");
	CU_ASSERT_EQUAL(audit->hops[0].sent, 8275);
	CU_ASSERT_EQUAL(audit->hops[0].answers[OEV_ANSWER_SUCCESS], 8275);
	CU_ASSERT_EQUAL(audit->hops[0].lost, 0);
	CU_ASSERT_EQUAL(audit->hops[0].busiest, 500);
	help_audit_drop(audit);
	/* answers that come too late are answers, but of no use */
	audit = help_audit(&segment, (struct oev_audit_options){ .patience_us = 400 });
	CU_ASSERT_EQUAL(audit->effects[0].phase[OEV_PHASE_DURING].answers[OEV_ANSWER_SUCCESS], 3500);
	CU_ASSERT_EQUAL(audit->effects[0].phase[OEV_PHASE_DURING].useful, 0);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

static void test_two_reports_far_apart_are_not_one_during(void)
{
	struct help_segment segment;

	tell(&segment,
	     "INSERT INTO report SELECT 2, mono_ns + 16000000000, wall_us + 16000000, peer, app_id, type, "
	     "subject,"
	     " origin_host, origin_realm, '6', reduction_pct, 2, rate_rps, algorithm, verdict, reason, 2,"
	     " x'"
	     "0000026f0000003c00000270000000100000000000000006000002720000000c00000000000002730000000c0000001"
	     "e"
	     "000002710000000c00000002', 60 FROM report;"
	     "INSERT INTO ocs_version SELECT 2, 2, NULL, type, app_id, subject, '6', algorithm, "
	     "reduction_pct, NULL, 2,"
	     " from_ns + 16000000000, from_us + 16000000, from_ns + 18000000000, NULL FROM ocs_version");
	struct oev_audit *audit =
		help_audit(&segment, (struct oev_audit_options){ .required = OEV_STEP_HELD });
	const struct oev_traffic *phase = audit->effects[0].phase;
	CU_ASSERT_EQUAL(phase[OEV_PHASE_DURING].span_us, 12000000);
	CU_ASSERT_EQUAL(phase[OEV_PHASE_DURING].offered, 6000);
	CU_ASSERT_EQUAL(phase[OEV_PHASE_APART].offered,
			1500); /* between normal at 14 s and the second at 17 s */
	CU_ASSERT_EQUAL(phase[OEV_PHASE_BEFORE].offered, 500);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

static struct oev_row attempt(uint64_t session, uint32_t end_to_end, uint64_t at_s, uint8_t verdict)
{
	return (struct oev_row){ .session = session,
				 .end_to_end = end_to_end,
				 .origin_host = 5,
				 .wall_us = HELP_WALL_US + at_s * 1000000,
				 .verdict = verdict };
}

static unsigned take(struct oev_retries *retries, struct oev_row row)
{
	return oev_retries_take(retries, &row);
}

static void test_retries_are_those_after_a_refusal(void)
{
	struct oev_retries retries = { 0 };

	CU_ASSERT_EQUAL_FATAL(oev_retries_init(&retries), 0);
	CU_ASSERT_EQUAL(take(&retries, attempt(7, 1, 0, OC_REFUSE)), 0);
	CU_ASSERT_EQUAL(take(&retries, attempt(7, 2, 1, OC_REFUSE)), OEV_RETRY_SESSION);
	CU_ASSERT_EQUAL(take(&retries, attempt(7, 3, 2, OC_FORWARD)), OEV_RETRY_SESSION);
	CU_ASSERT_EQUAL(take(&retries, attempt(7, 4, 3, OC_FORWARD)), 0); /* the session is under way */
	CU_ASSERT_EQUAL(take(&retries, attempt(8, 5, 4, OC_REFUSE)), 0);
	CU_ASSERT_EQUAL(take(&retries, attempt(8, 6, 70, OC_FORWARD)), 0); /* too long after */
	CU_ASSERT_EQUAL(take(&retries, attempt(0, 7, 71, OC_REFUSE)), 0);
	CU_ASSERT_EQUAL(take(&retries, attempt(0, 8, 72, OC_REFUSE)), 0); /* no session is not a session */
	CU_ASSERT_EQUAL(take(&retries, attempt(9, 8, 73, OC_FORWARD)), OEV_RETRY_END_TO_END);
	struct oev_row flagged = attempt(9, 9, 74, OC_FORWARD);
	flagged.flags = OC_DEC_RETRANSMIT;
	CU_ASSERT_EQUAL(take(&retries, flagged), OEV_RETRY_FLAG);
	struct oev_row other = attempt(9, 9, 75, OC_FORWARD);
	other.origin_host = 6; /* the identifier of somebody else */
	CU_ASSERT_EQUAL(take(&retries, other), 0);
	oev_retries_fini(&retries);
}

static void test_own_reports_have_order_octets_and_audience(void)
{
	struct help_segment segment;
	char *text = NULL;
	size_t size = 0;

	tell(&segment, "INSERT INTO order_change VALUES"
		       " (5001000000000, 1796000001000000, 'ordered', 'host', 16777238, 3, 20, NULL, 30, "
		       "NULL, 'policy', 1, 0, '', ''),"
		       " (5002000000000, 1796000002000000, 'ordered', 'host', 16777238, 3, 40, NULL, 30, "
		       "NULL, 'control', 1000, 7,"
		       " 'CHG-4411', 'load=0.93 limit=0.8');"
		       "INSERT INTO own_report VALUES"
		       " ('9', 5001500000000, 1796000001500000, 'host', 16777238, 3, NULL, 'loss', 20, NULL, "
		       "30, 'begun', x'0102'),"
		       " ('10', 5002500000000, 1796000002500000, 'host', 16777238, 3, NULL, 'loss', 40, "
		       "NULL, 30, 'changed', x'0a0b'),"
		       " ('10', 5003500000000, 1796000003500000, 'host', 16777238, 3, NULL, 'loss', 40, "
		       "NULL, 30, 'gone', x'');"
		       "INSERT INTO own_sent VALUES ('10', 5, 'host', 5002600000000, 5002700000000, 2),"
		       " ('10', 5, 'host', 5002800000000, 5002900000000, 3), ('10', 4, 'host', "
		       "5002800000000, 5002800000000, 1),"
		       " ('9', 5, 'host', 5001600000000, 5001700000000, 4)");
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ 0 });
	CU_ASSERT_EQUAL_FATAL(audit->own_count, 3);
	CU_ASSERT_EQUAL(audit->own[0].answers, 4);
	CU_ASSERT_EQUAL(audit->own[1].answers, 6);
	CU_ASSERT_EQUAL(audit->own[1].told_count, 2);
	CU_ASSERT_EQUAL(audit->own[2].told_count, 0); /* what is gone is told nobody */
	CU_ASSERT_EQUAL_FATAL(audit->own[1].order, 1);
	CU_ASSERT_STRING_EQUAL(audit->orders[1].reason, "CHG-4411");
	FILE *out = open_memstream(&text, &size);
	CU_ASSERT_EQUAL(oev_audit_json(audit, "doic test", out), 0);
	fclose(out);
	json_t *root = json_loads(text, 0, NULL);
	const char *raw = NULL, *inputs = NULL, *by = NULL;
	json_int_t calculation = 0, answers = 0;
	CU_ASSERT_EQUAL(json_unpack(json_array_get(json_object_get(root, "own_reports"), 1),
				    "{s:s, s:I, s:{s:s, s:s, s:I}}", "raw", &raw, "answers", &answers,
				    "order", "inputs", &inputs, "by", &by, "calculation", &calculation),
			0);
	CU_ASSERT(raw != NULL && strcmp(raw, "0a0b") == 0);
	CU_ASSERT(inputs != NULL && strcmp(inputs, "load=0.93 limit=0.8") == 0);
	CU_ASSERT(by != NULL && strcmp(by, "control") == 0 && calculation == 7 && answers == 6);
	json_decref(root);
	free(text);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

static void test_recoveries_and_removals_are_said_in_words(void)
{
	struct help_segment segment;
	char text[300];

	tell(&segment, "INSERT INTO recovery VALUES (1796000050000000, 4711, 12, 1);"
		       "INSERT INTO removal VALUES (1796000051000000, 'seg-20261101T000000.db', 1, 500, "
		       "'abcd', 'age')");
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ 0 });
	CU_ASSERT_EQUAL_FATAL(audit->incident_count, 2);
	CU_ASSERT_STRING_EQUAL(oev_incident_text(&audit->incidents[0], text, sizeof(text)),
			       "cut off; finished from its journal by process 4711: 12 events taken over, 1 "
			       "half-written ones dropped");
	CU_ASSERT_STRING_EQUAL(oev_incident_text(&audit->incidents[1], text, sizeof(text)),
			       "seg-20261101T000000.db was removed by retention (age): batches 1 to 500");
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

/* What nodes wrote before says the same in every schema. */
static void test_all_schemas_say_the_same(void)
{
	struct oev_audit *audits[3];
	struct help_segment segments[3];

	for (uint32_t i = 0; i < 3; i++) {
		CU_ASSERT_FATAL(help_segment_new(&segments[i]));
		CU_ASSERT_FATAL(
			help_segment_tell(&segments[i], &(struct help_story){ .schema = i + 1 }, true));
		audits[i] = help_audit(&segments[i], (struct oev_audit_options){ 0 });
		CU_ASSERT_EQUAL(audits[i]->outcome, OEV_HOLDS);
		CU_ASSERT_EQUAL(audits[i]->segments[0].schema, i + 1);
		CU_ASSERT_EQUAL(
			memcmp(&audits[i]->population, &audits[0]->population, sizeof(audits[0]->population)),
			0);
		CU_ASSERT_EQUAL(memcmp(audits[i]->effects[0].phase, audits[0]->effects[0].phase,
				       sizeof(audits[0]->effects[0].phase)),
				0);
		CU_ASSERT_EQUAL(audits[i]->versions[0].all.expected_ppm,
				audits[0]->versions[0].all.expected_ppm);
		CU_ASSERT_EQUAL(audits[i]->hops[0].useful, audits[0]->hops[0].useful);
	}
	for (uint32_t i = 0; i < 3; i++) {
		help_audit_drop(audits[i]);
		help_segment_remove(&segments[i]);
	}
}

void test_oev_audit_effect_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_audit_effect", NULL, NULL);

	CU_add_test(suite, "four_instants_of_a_claim", test_four_instants_of_a_claim);
	CU_add_test(suite, "phases_of_the_story", test_phases_of_the_story);
	CU_add_test(suite, "two_reports_far_apart", test_two_reports_far_apart_are_not_one_during);
	CU_add_test(suite, "retries_are_those_after_a_refusal", test_retries_are_those_after_a_refusal);
	CU_add_test(suite, "own_reports_have_order_and_audience",
		    test_own_reports_have_order_octets_and_audience);
	CU_add_test(suite, "recoveries_and_removals_in_words",
		    test_recoveries_and_removals_are_said_in_words);
	CU_add_test(suite, "all_schemas_say_the_same", test_all_schemas_say_the_same);
}
