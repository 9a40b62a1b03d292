/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the audit: honest evidence holds, every way to bend it shows.
 */
#include <CUnit/CUnit.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "help_audit.h"

void test_oev_audit_suite(void);

/* The default story bent by @sql, audited: outcome and step as expected. */
static void expect(const char *sql, bool counters, enum oev_outcome outcome, int reached, const char *word)
{
	struct help_segment segment;
	char verdict[1024];

	CU_ASSERT_FATAL(help_segment_new(&segment));
	CU_ASSERT_FATAL(help_segment_tell(&segment, &(struct help_story){ 0 }, counters));
	if (sql != NULL)
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

static void test_honest_evidence_holds_up_to_arrived(void)
{
	expect(NULL, true, OEV_HOLDS, OEV_STEP_ARRIVED, "HOLDS up to \"arrived\"");
}

static void test_numbers_of_an_honest_story_are_exact(void)
{
	struct help_segment segment;

	CU_ASSERT_FATAL(help_segment_new(&segment));
	CU_ASSERT_FATAL(help_segment_tell(&segment, &(struct help_story){ 0 }, true));
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ 0 });
	CU_ASSERT_EQUAL_FATAL(audit->claim_count, 1);
	const struct oev_claim *claim = &audit->claims[0];
	CU_ASSERT_EQUAL(claim->active.matched, 5000); /* 10 s, every second of 1000/s */
	CU_ASSERT_EQUAL(claim->active.selected, 1500);
	CU_ASSERT_EQUAL(claim->ramp.matched, 1500);
	CU_ASSERT(claim->error_max_ppm <= 500000);
	CU_ASSERT_EQUAL(claim->active_us, 10000000);
	CU_ASSERT_EQUAL(claim->asked_us, 10000000);
	CU_ASSERT_EQUAL(claim->receptions, 12);
	CU_ASSERT_EQUAL(claim->recovery.status, OEV_OK);
	CU_ASSERT_EQUAL(audit->population.candidates, 20000);
	CU_ASSERT_EQUAL(audit->population.matched_host, 6500);
	CU_ASSERT_EQUAL(audit->population.survivors + audit->population.refused_host, 6500);
	CU_ASSERT_EQUAL(claim->inner_candidates, 5000);
	CU_ASSERT_EQUAL(claim->inner_arrived, 3500);
	CU_ASSERT_EQUAL(audit->agreement_count, 3);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

static void test_selection_off_by_two_is_refuted(void)
{
	expect("UPDATE wide SET verdict = 0, why = 0, selected_by = 0, next_hop = 3 WHERE id IN"
	       " (SELECT id FROM wide WHERE selected_by = 2 LIMIT 2)",
	       true, OEV_CLAIM_REFUTED, OEV_STEP_HELD, "REFUTED at \"selected\"");
}

/* The node lies consistently: its own counts say the same as its decisions, and still the bound is broken. */
static void test_selection_off_by_two_is_refuted_though_counts_agree(void)
{
	expect("UPDATE wide SET verdict = 0, why = 0, selected_by = 0, next_hop = 3 WHERE id IN"
	       " (SELECT id FROM wide WHERE selected_by = 2 LIMIT 2);"
	       "UPDATE ocs_change SET selected = selected - 2",
	       true, OEV_CLAIM_REFUTED, OEV_STEP_HELD, "bound is below 1");
}

static void test_node_counts_must_agree_with_decisions(void)
{
	expect("UPDATE ocs_change SET matched = matched + 1 WHERE how = 'recovered'", true, OEV_CLAIM_REFUTED,
	       OEV_STEP_HELD, "the node counted");
}

static void test_decision_outside_scope_refused_is_refuted(void)
{
	expect("UPDATE wide SET dest_host = 4, first_choice = 4 WHERE id = (SELECT max(id) FROM wide "
	       "WHERE"
	       " selected_by = 2)",
	       true, OEV_CLAIM_REFUTED, OEV_STEP_ARRIVED, "outside_scope");
}

static void test_request_in_scope_not_compared_is_refuted(void)
{
	expect("UPDATE wide SET host_version = NULL, host_share = NULL WHERE id = 5001", true,
	       OEV_CLAIM_REFUTED, OEV_STEP_HELD, "REFUTED at \"selected\"");
}

static void test_hole_in_the_held_interval_is_refuted(void)
{
	expect("INSERT INTO ocs_change SELECT 1, mono_ns - 5000000000, wall_us - 5000000, 'forgotten', 0, 0, "
	       "0, 0 FROM"
	       " ocs_change WHERE how = 'expired'",
	       true, OEV_CLAIM_REFUTED, OEV_STEP_ASKED, "hole");
}

static void test_repeat_that_extends_is_refuted(void)
{
	expect("UPDATE ocs_version SET expires_ns = expires_ns + 1000000000", true, OEV_CLAIM_REFUTED,
	       OEV_STEP_ASKED, "D-082");
}

static void test_raw_octets_must_agree_with_columns(void)
{
	expect("UPDATE report SET reduction_pct = 40; UPDATE ocs_version SET reduction_pct = 40", true,
	       OEV_CLAIM_REFUTED, -1, "REFUTED at \"asked\"");
}

static void test_share_other_than_asked_is_refuted(void)
{
	expect("UPDATE wide SET host_share = 299999 WHERE id = 5001", true, OEV_CLAIM_REFUTED, OEV_STEP_HELD,
	       "REFUTED at \"selected\"");
}

static void test_gap_inside_the_window_cannot_be_told(void)
{
	expect("INSERT INTO gap SELECT mono_ns, wall_us, 5, 'ring full' FROM wide WHERE id = 3000", true,
	       OEV_CANNOT_TELL, OEV_STEP_HELD, "CANNOT TELL beyond \"held\"");
}

/* Without counters of the server, its answers are the receipt; whoever wants a witness beside this node's word gets none. */
static void test_missing_counters_leave_the_answers(void)
{
	struct help_segment segment;
	char verdict[512];

	expect(NULL, false, OEV_HOLDS, OEV_STEP_ARRIVED, "HOLDS up to \"arrived\"");
	CU_ASSERT_FATAL(help_segment_new(&segment));
	CU_ASSERT_FATAL(help_segment_tell(&segment, &(struct help_story){ 0 }, false));
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ .strict = true });
	oev_audit_verdict(audit, NULL, verdict, sizeof(verdict));
	CU_ASSERT_EQUAL(audit->outcome, OEV_CANNOT_TELL);
	CU_ASSERT_EQUAL(audit->reached, OEV_STEP_SELECTED);
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict, "no counters from s1.example.net (required: arrived)"));
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

static void test_server_that_answers_nothing_is_no_receipt(void)
{
	expect("UPDATE outcome SET ending = (SELECT id FROM ending WHERE maker = 1)", false, OEV_CANNOT_TELL,
	       OEV_STEP_SELECTED, "s1.example.net answered nothing in this time");
	expect("UPDATE wide SET next_hop = 4 WHERE next_hop = 3; UPDATE outcome SET ending = 2", false,
	       OEV_CANNOT_TELL, OEV_STEP_SELECTED, "nothing was sent to s1.example.net");
}

static void test_ramp_that_rises_is_refuted(void)
{
	expect("UPDATE wide SET host_share = 290000 WHERE id = (SELECT max(id) - 200 FROM wide WHERE "
	       "host_version"
	       " = 1)",
	       true, OEV_CLAIM_REFUTED, OEV_STEP_HELD, "REFUTED");
}

/* A gap row stands at the end of an outage; what it counts was lost since the last clock row before it. */
static void test_gap_outside_the_window_does_not_matter(void)
{
	for (unsigned outage_before_window = 0; outage_before_window < 2; outage_before_window++) {
		struct help_segment segment;

		CU_ASSERT_FATAL(help_segment_new(&segment));
		CU_ASSERT_FATAL(help_segment_tell(&segment, &(struct help_story){ 0 }, true));
		CU_ASSERT(help_segment_sql(&segment, "INSERT INTO gap VALUES (%lld, %lld, 5, 'ring full')",
					   HELP_MONO_NS + 19000000000ull, HELP_WALL_US + 19000000));
		if (!outage_before_window)
			CU_ASSERT(help_segment_sql(&segment, "INSERT INTO clock VALUES (%lld, %lld)",
						   HELP_MONO_NS + 18000000000ull, HELP_WALL_US + 18000000));
		struct oev_audit *audit = help_audit(
			&segment, (struct oev_audit_options){ .until_us = HELP_WALL_US + 15000000 });
		CU_ASSERT_EQUAL(audit->outcome, outage_before_window ? OEV_CANNOT_TELL : OEV_HOLDS);
		CU_ASSERT_EQUAL(audit->gap_count, 1);
		CU_ASSERT_EQUAL(audit->gaps_in_window, outage_before_window);
		help_audit_drop(audit);
		help_segment_remove(&segment);
	}
}

static void test_counters_off_by_one_message_are_refuted(void)
{
	expect("DELETE FROM decision WHERE id = 2", true, OEV_CLAIM_REFUTED, OEV_STEP_ARRIVED, "REFUTED");
	expect("UPDATE wide SET next_hop = 4 WHERE id = 19999", true, OEV_CLAIM_REFUTED, OEV_STEP_SELECTED,
	       "REFUTED at \"arrived\"");
}

static void test_numbers_no_node_writes_are_not_cut_to_fit(void)
{
	expect("UPDATE wide SET host_share = -1 WHERE host_version = 1", true, OEV_CLAIM_REFUTED,
	       OEV_STEP_HELD, "REFUTED");
	expect("UPDATE wide SET host_version = host_version + 4294967296", true, OEV_CLAIM_REFUTED,
	       OEV_STEP_HELD, "REFUTED");
}

/* Counters may hold more than a killed node could write: the row of the client, as judged. */
static enum oev_status judged_beside_a_killed_segment(const char *killed)
{
	struct help_segment segment;

	CU_ASSERT_FATAL(help_segment_new(&segment));
	CU_ASSERT_FATAL(help_segment_tell(&segment, &(struct help_story){ .bare = true }, true));
	CU_ASSERT_FATAL(help_segment_sql(
		&segment,
		"VACUUM INTO '%s/seg-later.db'; ATTACH '%s/seg-later.db' AS later;"
		"DELETE FROM later.decision; DELETE FROM later.outcome;"
		"UPDATE later.meta SET value = CAST(value + 1000000 AS TEXT) WHERE key = 'closed_us';"
		"DELETE FROM decision WHERE id > 19990; DELETE FROM outcome WHERE decision > 19990;"
		"%s; DETACH later",
		segment.folder, segment.folder, killed));
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ 0 });
	enum oev_status status = audit->agreement_count > 0 ? audit->agreements[0].status : OEV_OK;
	CU_ASSERT_EQUAL(status == OEV_REFUTED, audit->exception_count > 0);
	help_audit_drop(audit);
	help_segment_remove(&segment);
	return status;
}

static void test_counters_beside_a_killed_node_are_not_refuted(void)
{
	CU_ASSERT_EQUAL(judged_beside_a_killed_segment("DELETE FROM main.meta WHERE key = 'closed_us'"),
			OEV_UNSURE);
	CU_ASSERT_EQUAL(judged_beside_a_killed_segment("SELECT 1"), OEV_REFUTED);
}

static void test_tolerance_lets_a_message_go(void)
{
	struct help_segment segment;

	CU_ASSERT_FATAL(help_segment_new(&segment));
	CU_ASSERT_FATAL(help_segment_tell(&segment, &(struct help_story){ 0 }, true));
	CU_ASSERT(help_segment_sql(&segment, "UPDATE wide SET next_hop = 4 WHERE id = 19999"));
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ .tolerance_ppm = 1000 });
	CU_ASSERT_EQUAL(audit->outcome, OEV_HOLDS);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

static void test_no_report_is_no_claim(void)
{
	struct help_segment segment;
	char verdict[512];

	CU_ASSERT_FATAL(help_segment_new(&segment));
	CU_ASSERT_FATAL(help_segment_tell(&segment, &(struct help_story){ .bare = true }, true));
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ 0 });
	CU_ASSERT_EQUAL(audit->outcome, OEV_NO_CLAIM);
	CU_ASSERT_EQUAL(oev_audit_exit(audit->outcome), 3);
	oev_audit_verdict(audit, NULL, verdict, sizeof(verdict));
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict, "no overload report"));
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

static void test_newer_schema_is_unusable(void)
{
	expect("UPDATE meta SET value = '5' WHERE key = 'schema'", true, OEV_UNUSABLE, -1, "schema 5");
}

static void test_realm_routed_requests_belong_to_a_host_report_by_first_choice(void)
{
	struct help_segment segment;

	CU_ASSERT_FATAL(help_segment_new(&segment));
	CU_ASSERT_FATAL(help_segment_tell(&segment, &(struct help_story){ .realm_routed = true }, true));
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ 0 });
	CU_ASSERT_EQUAL(audit->outcome, OEV_HOLDS);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

/* The story bent into a realm report: those who named s1 name nobody now. */
#define REALM_STORY                                                                                          \
	"UPDATE report SET type = 1, subject = 6, raw = x'0000026f0000003c00000270000000100000000000000005"  \
	"000002720000000c00000001000002730000000c0000001e000002710000000c0000000a',"                         \
	" raw_total = 60;"                                                                                   \
	"UPDATE ocs_version SET type = 'realm', subject = 6;"                                                \
	"UPDATE wide SET realm_version = host_version, realm_share = host_share, host_version = NULL,"       \
	" host_share = NULL, realm_nth = host_nth, host_nth = NULL, selected_by = selected_by / 2, "         \
	"dest_host = NULL, flags = flags | 2"                                                                \
	" WHERE host_version IS NOT NULL;"

static void test_realm_claim_needs_counters_of_all_its_servers(void)
{
	expect("UPDATE report SET raw = x'0000026f0000003c00000270000000100000000000000005"
	       "000002720000000c00000000000002730000000c0000001e000002710000000c0000000a'",
	       true, OEV_HOLDS, OEV_STEP_ARRIVED, "HOLDS"); /* the octets this test builds on decode */
	expect(REALM_STORY, true, OEV_HOLDS, OEV_STEP_ARRIVED,
	       "example.net asked for 30 % (loss, realm, Gx)");
	expect(REALM_STORY "UPDATE name SET text = 's3.example.net' WHERE id = 4;", true, OEV_CLAIM_REFUTED,
	       OEV_STEP_SELECTED, "s2.example.net");
}

static void test_realm_claim_with_a_server_without_counters_cannot_be_told(void)
{
	struct help_segment segment;
	char path[400];

	CU_ASSERT_FATAL(help_segment_new(&segment));
	CU_ASSERT_FATAL(help_segment_tell(&segment, &(struct help_story){ 0 }, true));
	CU_ASSERT_FATAL(help_segment_sql(&segment, "%s", REALM_STORY));
	snprintf(path, sizeof(path), "%s/counters/s2.json", segment.folder);
	CU_ASSERT_EQUAL(remove(path), 0);
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ .strict = true });
	CU_ASSERT_EQUAL(audit->outcome, OEV_CANNOT_TELL);
	CU_ASSERT_EQUAL(audit->reached, OEV_STEP_SELECTED);
	CU_ASSERT_EQUAL(audit->claims[0].uncounted, 10000);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

static void test_window_cuts_numbers_but_not_the_bound(void)
{
	struct help_segment segment;

	CU_ASSERT_FATAL(help_segment_new(&segment));
	CU_ASSERT_FATAL(help_segment_tell(&segment, &(struct help_story){ 0 }, true));
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){
							       .from_us = HELP_WALL_US + 3000000,
							       .until_us = HELP_WALL_US + 5000000,
						       });
	CU_ASSERT_EQUAL(audit->outcome, OEV_HOLDS);
	CU_ASSERT_EQUAL_FATAL(audit->claim_count, 1);
	CU_ASSERT_EQUAL(audit->claims[0].active.matched, 1000);
	CU_ASSERT_EQUAL(audit->claims[0].active_us, 2000000);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

static void test_useful_needs_telemetry(void)
{
	struct help_segment segment;

	CU_ASSERT_FATAL(help_segment_new(&segment));
	CU_ASSERT_FATAL(help_segment_tell(&segment, &(struct help_story){ 0 }, true));
	struct oev_audit *audit =
		help_audit(&segment, (struct oev_audit_options){ .required = OEV_STEP_USEFUL });
	CU_ASSERT_EQUAL(audit->outcome, OEV_CANNOT_TELL);
	CU_ASSERT_EQUAL(audit->claims[0].step[OEV_STEP_USEFUL].status, OEV_MISSING);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

static bool stop_at_once(void *ctx)
{
	(void)ctx;
	return true;
}

static void test_interrupt_says_what_was_covered(void)
{
	struct help_segment segment;

	CU_ASSERT_FATAL(help_segment_new(&segment));
	CU_ASSERT_FATAL(help_segment_tell(&segment, &(struct help_story){ 0 }, true));
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ .stop = stop_at_once });
	CU_ASSERT_EQUAL(audit->outcome, OEV_INTERRUPTED);
	CU_ASSERT_EQUAL(oev_audit_exit(audit->outcome), 130);
	CU_ASSERT(audit->scanned > 0 && audit->scanned < 20000);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

/* The JSON of every outcome has the same keys. */
static void check_keys(const struct oev_audit *audit)
{
	static const char *const keys[] = { "schema",	   "tool",     "outcome",    "exit",
					    "reached",	   "required", "window",     "claims",
					    "population",  "gaps",     "exceptions", "integrity",
					    "not_claimed", "inputs",   "counters",   "error",
					    "verdict" };
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	CU_ASSERT_EQUAL(oev_audit_json(audit, "doic test", out), OC_OK);
	fclose(out);
	json_t *root = json_loads(text, 0, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(root);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		CU_ASSERT_PTR_NOT_NULL(json_object_get(root, keys[i]));
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(root, "exit")), oev_audit_exit(audit->outcome));
	json_decref(root);
	free(text);
}

static void test_json_has_all_keys_on_every_outcome(void)
{
	struct help_segment segment;
	struct oev_audit bad = { .outcome = OEV_USAGE, .reached = -1, .error = "usage" };

	check_keys(&bad);
	CU_ASSERT_FATAL(help_segment_new(&segment));
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ 0 });
	CU_ASSERT_EQUAL(audit->outcome, OEV_UNUSABLE); /* tables, but no meta */
	check_keys(audit);
	help_audit_drop(audit);
	CU_ASSERT_FATAL(help_segment_tell(&segment, &(struct help_story){ 0 }, true));
	audit = help_audit(&segment, (struct oev_audit_options){ 0 });
	check_keys(audit);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

static void test_draw_that_is_missing_is_refuted(void)
{
	/* the row is there, but says it was not drawn: neither a probe nor remembered */
	expect("UPDATE wide SET host_nth = NULL WHERE id = 5001;"
	       "UPDATE ocs_change SET matched = matched - 1, expected_ppm = expected_ppm - 300000",
	       true, OEV_CLAIM_REFUTED, OEV_STEP_HELD, "is missing");
}

static void test_client_that_reacts_by_itself_is_left_alone(void)
{
	expect("UPDATE wide SET flags = 1, host_version = NULL, host_share = NULL, host_nth = NULL WHERE "
	       "id = 13001",
	       true, OEV_CLAIM_REFUTED, OEV_STEP_HELD, "missing"); /* the hole in the numbers */
	expect("UPDATE wide SET flags = 1 WHERE id = 14201", true, OEV_HOLDS, OEV_STEP_ARRIVED, "HOLDS");
}

void test_oev_audit_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_audit", NULL, NULL);

	CU_add_test(suite, "honest_evidence_holds_up_to_arrived", test_honest_evidence_holds_up_to_arrived);
	CU_add_test(suite, "numbers_of_an_honest_story_are_exact", test_numbers_of_an_honest_story_are_exact);
	CU_add_test(suite, "selection_off_by_two_is_refuted", test_selection_off_by_two_is_refuted);
	CU_add_test(suite, "selection_off_by_two_though_counts_agree",
		    test_selection_off_by_two_is_refuted_though_counts_agree);
	CU_add_test(suite, "node_counts_must_agree", test_node_counts_must_agree_with_decisions);
	CU_add_test(suite, "outside_scope_refused_is_refuted",
		    test_decision_outside_scope_refused_is_refuted);
	CU_add_test(suite, "in_scope_not_compared_is_refuted", test_request_in_scope_not_compared_is_refuted);
	CU_add_test(suite, "hole_in_the_held_interval", test_hole_in_the_held_interval_is_refuted);
	CU_add_test(suite, "D-082 repeat_that_extends_is_refuted", test_repeat_that_extends_is_refuted);
	CU_add_test(suite, "raw_octets_must_agree", test_raw_octets_must_agree_with_columns);
	CU_add_test(suite, "share_other_than_asked_is_refuted", test_share_other_than_asked_is_refuted);
	CU_add_test(suite, "gap_inside_the_window", test_gap_inside_the_window_cannot_be_told);
	CU_add_test(suite, "gap_outside_the_window", test_gap_outside_the_window_does_not_matter);
	CU_add_test(suite, "missing_counters_leave_the_answers", test_missing_counters_leave_the_answers);
	CU_add_test(suite, "server_that_answers_nothing", test_server_that_answers_nothing_is_no_receipt);
	CU_add_test(suite, "D-256 ramp_that_rises_is_refuted", test_ramp_that_rises_is_refuted);
	CU_add_test(suite, "numbers_not_cut_to_fit", test_numbers_no_node_writes_are_not_cut_to_fit);
	CU_add_test(suite, "counters_beside_a_killed_node",
		    test_counters_beside_a_killed_node_are_not_refuted);
	CU_add_test(suite, "counters_off_by_one_message", test_counters_off_by_one_message_are_refuted);
	CU_add_test(suite, "tolerance_lets_a_message_go", test_tolerance_lets_a_message_go);
	CU_add_test(suite, "no_report_is_no_claim", test_no_report_is_no_claim);
	CU_add_test(suite, "newer_schema_is_unusable", test_newer_schema_is_unusable);
	CU_add_test(suite, "realm_routed_first_choice",
		    test_realm_routed_requests_belong_to_a_host_report_by_first_choice);
	CU_add_test(suite, "realm_claim_needs_all_servers",
		    test_realm_claim_needs_counters_of_all_its_servers);
	CU_add_test(suite, "realm_claim_with_a_server_without_counters",
		    test_realm_claim_with_a_server_without_counters_cannot_be_told);
	CU_add_test(suite, "window_cuts_numbers_but_not_the_bound",
		    test_window_cuts_numbers_but_not_the_bound);
	CU_add_test(suite, "useful_needs_telemetry", test_useful_needs_telemetry);
	CU_add_test(suite, "interrupt_says_what_was_covered", test_interrupt_says_what_was_covered);
	CU_add_test(suite, "json_has_all_keys", test_json_has_all_keys_on_every_outcome);
	CU_add_test(suite, "draw_that_is_missing_is_refuted", test_draw_that_is_missing_is_refuted);
	CU_add_test(suite, "client_that_reacts_by_itself", test_client_that_reacts_by_itself_is_left_alone);
}
