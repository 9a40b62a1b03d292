/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of who is said to have ignored a report: nobody who was not told, and nobody for requests the report cannot mean.
 */
#include <CUnit/CUnit.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "help_audit.h"
#include "help_told.h"

void test_oev_audit_origin_suite(void);

/* s1 asks for 30 % from 5 s to 15 s. */
/* Decisions are one a millisecond: from @from to @until milliseconds s1's answers carry the report. */
#define TOLD(from, until)                                                                                    \
	"UPDATE outcome SET ending = 50 WHERE decision % 2 = 1 AND decision >= " #from                       \
	" AND decision < " #until ";"
/* c1 keeps this many in a hundred of those that name s1. */
#define KEEPS(percent)                                                                                       \
	"DELETE FROM decision WHERE id % 2 = 1 AND id >= 5000 AND id < 15000 AND (id / 2) % 100 "            \
	">= " #percent "; DELETE FROM outcome WHERE decision NOT IN (SELECT id FROM decision);"
#define NAMES_NO_HOST(condition) "UPDATE wide SET dest_host = NULL WHERE dest_host = 3 AND " condition ";"

static struct oev_audit *audit_of(struct help_segment *segment, const char *sql)
{
	CU_ASSERT_FATAL(help_segment_new(segment));
	CU_ASSERT_FATAL(help_segment_tell(segment, &(struct help_story){ .report_at_ms = 5000 }, false));
	CU_ASSERT_FATAL(help_segment_sql(segment, "%s", HELP_LEFT_TO_CLIENT));
	CU_ASSERT_FATAL(help_segment_sql(segment, "%s", sql));
	return help_audit(segment, (struct oev_audit_options){ 0 });
}

/* What the audit says of c1, the only origin. */
static struct oev_origin c1_after(const char *sql)
{
	struct help_segment segment;
	struct oev_origin found = { .obedience = OEV_OBEDIENCE_COUNT };
	struct oev_audit *audit = audit_of(&segment, sql);

	CU_ASSERT_EQUAL(audit->origin_count, 1);
	if (audit->origin_count == 1) {
		found = audit->origins[0];
		CU_ASSERT_STRING_EQUAL(oev_names_text(&audit->names, found.name), "c1.example.net");
	}
	help_audit_drop(audit);
	help_segment_remove(&segment);
	return found;
}

static void test_client_that_was_told_and_goes_on_is_named(void)
{
	struct oev_origin c1 = c1_after(TOLD(5000, 15000));

	CU_ASSERT_EQUAL(c1.obedience, OEV_WENT_ON);
	CU_ASSERT_EQUAL(c1.before, 2500);
	CU_ASSERT_EQUAL(c1.during, 5000);
	CU_ASSERT_EQUAL(c1.answered, 5000);
	CU_ASSERT_EQUAL(c1.told, 5000);
	CU_ASSERT_DOUBLE_EQUAL(c1.expected, 3500, 1);
	CU_ASSERT_EQUAL(c1_after(TOLD(5000, 15000) KEEPS(95)).obedience, OEV_WENT_ON);
}

static void test_client_that_sends_fewer_obeyed(void)
{
	CU_ASSERT_EQUAL(c1_after(TOLD(5000, 15000) KEEPS(70)).obedience, OEV_OBEYED);
	CU_ASSERT_EQUAL(c1_after(TOLD(5000, 15000) KEEPS(20)).obedience, OEV_OBEYED);
}

/* 17 of 30 %: beyond what chance explains, short of half way back. Half way is 4,250, chance reaches to about 3,900. */
static void test_client_that_holds_back_a_part_did_neither(void)
{
	struct oev_origin c1 = c1_after(TOLD(5000, 15000) KEEPS(83));

	CU_ASSERT_EQUAL(c1.during, 4150);
	CU_ASSERT_DOUBLE_EQUAL(c1.expected, 3500, 1);
	CU_ASSERT_EQUAL(c1.obedience, OEV_PARTLY);
	CU_ASSERT_STRING_EQUAL(oev_obedience_text(c1.obedience), "partly");
	CU_ASSERT_PTR_NOT_NULL(strstr(oev_obedience_why(c1.obedience), "more than asked, fewer than before"));
	CU_ASSERT_FALSE(oev_obedience_is_open(c1.obedience));
	CU_ASSERT_EQUAL(c1_after(TOLD(5000, 15000) KEEPS(73)).obedience, OEV_OBEYED);
	CU_ASSERT_EQUAL(c1_after(TOLD(5000, 15000) KEEPS(87)).obedience, OEV_WENT_ON);
}

/* The answer that began the state was to a request from before it; nothing was sent after that. */
static void test_client_told_once_that_falls_silent_obeyed(void)
{
	struct oev_origin c1 = c1_after(
		"UPDATE ocs_version SET reduction_pct = 100;"
		"UPDATE outcome SET took_ns = 1500000 WHERE decision = 4999;" TOLD(4999, 5000) KEEPS(0));

	CU_ASSERT_EQUAL(c1.told, 1);
	CU_ASSERT_EQUAL(c1.during, 0);
	CU_ASSERT_EQUAL(c1.obedience, OEV_OBEYED);
}

static void test_answer_without_the_report_tells_nothing(void)
{
	struct oev_origin c1 = c1_after(TOLD(0, 4999)); /* before there was one */

	CU_ASSERT_EQUAL(c1.obedience, OEV_NOT_TOLD);
	CU_ASSERT_EQUAL(c1.answered, 5000);
	CU_ASSERT_EQUAL(c1.told, 0);
}

static void test_report_of_another_server_tells_nothing(void)
{
	struct oev_origin c1 = c1_after(TOLD(5000, 15000) "UPDATE ending SET answered_by = 4 WHERE id = 50");

	CU_ASSERT_EQUAL(c1.obedience, OEV_NOT_TOLD);
	CU_ASSERT_EQUAL(c1.told, 0);
}

static void test_requests_that_name_no_host_accuse_nobody(void)
{
	struct oev_origin c1 = c1_after(TOLD(5000, 15000) NAMES_NO_HOST("1"));

	CU_ASSERT_EQUAL(c1.obedience, OEV_NOT_ADDRESSED);
	CU_ASSERT_EQUAL(c1.before + c1.during + c1.after, 0);
	CU_ASSERT_EQUAL(c1.unaddressed, 5000);
	CU_ASSERT_EQUAL(c1.told, 5000);
}

/* Half of what goes to s1 names it. The rest goes on, and nobody but who chose s1 could hold it back. */
static void test_only_requests_that_name_the_host_are_judged(void)
{
	struct oev_origin c1 = c1_after(TOLD(5000, 15000) NAMES_NO_HOST(
		"id % 4 = 1") "DELETE FROM decision WHERE id % 4 = 3 AND id >= 5000 AND id < 15000"
			      " AND (id / 4) % 100 >= 70;"
			      "DELETE FROM outcome WHERE decision NOT IN (SELECT id FROM decision)");

	CU_ASSERT_EQUAL(c1.before, 1250);
	CU_ASSERT_EQUAL(c1.during, 1750);
	CU_ASSERT_EQUAL(c1.unaddressed, 2500);
	CU_ASSERT_DOUBLE_EQUAL(c1.expected, 1750, 2);
	CU_ASSERT_EQUAL(c1.obedience, OEV_OBEYED);
}

/* What it sent before it could know is not held against it. */
static void test_client_told_late_owes_from_then_on(void)
{
	struct oev_origin c1 = c1_after(TOLD(10000, 15000));

	CU_ASSERT_DOUBLE_EQUAL(c1.expected, 4250, 2);
	CU_ASSERT_EQUAL(c1.obedience, OEV_WENT_ON);
	c1 = c1_after(TOLD(13000, 15000));
	CU_ASSERT_DOUBLE_EQUAL(c1.expected, 4700, 2);
	CU_ASSERT_EQUAL(c1.obedience, OEV_TOO_FEW);
}

/* It began to send at 2.5 s: what it sent then is its rate, not half of it. Of one that began right before, no rate is known. */
static void test_client_that_had_just_begun_is_judged_by_its_own_rate(void)
{
	struct oev_origin c1 =
		c1_after(TOLD(5000, 15000) KEEPS(70) "DELETE FROM decision WHERE id < 2500;"
						     "DELETE FROM outcome WHERE decision < 2500");

	CU_ASSERT_EQUAL(c1.before, 1250);
	CU_ASSERT_DOUBLE_EQUAL(c1.expected, 3500, 2);
	CU_ASSERT_EQUAL(c1.obedience, OEV_OBEYED);
	c1 = c1_after(TOLD(5000, 15000) "DELETE FROM decision WHERE id < 4500;"
					"DELETE FROM outcome WHERE decision < 4500");
	CU_ASSERT_EQUAL(c1.before, 250);
	CU_ASSERT_EQUAL(c1.obedience, OEV_TOO_FEW);
}

static void test_client_that_came_later_has_nothing_to_do_with_it(void)
{
	struct oev_origin c1 = c1_after("DELETE FROM decision WHERE id < 15000;"
					"DELETE FROM outcome WHERE decision < 15000");

	CU_ASSERT_EQUAL(c1.obedience, OEV_ABSENT);
	CU_ASSERT(c1.after > 0);
}

/* Nor does one that announced nothing, and stopped. */
static void test_silent_client_without_doic_is_held_here(void)
{
	CU_ASSERT_EQUAL(c1_after("UPDATE wide SET flags = 128;" KEEPS(0)).obedience, OEV_HELD_HERE);
}

static void test_client_without_doic_is_held_here(void)
{
	CU_ASSERT_EQUAL(c1_after("UPDATE wide SET flags = 129").obedience, OEV_HELD_HERE);
	CU_ASSERT_EQUAL(c1_after(NAMES_NO_HOST("1") "UPDATE wide SET flags = 128").obedience, OEV_HELD_HERE);
}

static void test_realm_report_speaks_of_requests_without_host(void)
{
	struct oev_origin c1 = c1_after(TOLD(5000, 15000) HELP_OF_REALM NAMES_NO_HOST("1"));

	CU_ASSERT_EQUAL(c1.before, 2500); /* those that name s2 are not in its scope */
	CU_ASSERT_EQUAL(c1.obedience, OEV_WENT_ON);
	c1 = c1_after(TOLD(5000, 15000) HELP_OF_REALM NAMES_NO_HOST("1") KEEPS(70));
	CU_ASSERT_EQUAL(c1.obedience, OEV_OBEYED);
	c1 = c1_after(HELP_OF_REALM NAMES_NO_HOST("1"));
	CU_ASSERT_EQUAL(c1.obedience, OEV_NOT_TOLD);
	c1 = c1_after(TOLD(5000, 15000) HELP_OF_REALM NAMES_NO_HOST(
		"1") "UPDATE ending SET answered_realm = 5 WHERE id = 50");
	CU_ASSERT_EQUAL(c1.obedience, OEV_NOT_TOLD);
}

/* Clients never get one. */
static void test_peer_report_is_the_relays_to_obey(void)
{
	struct oev_origin c1 = c1_after(TOLD(5000, 15000) "UPDATE report SET type = 2;"
							  "UPDATE ocs_version SET type = 'peer'");

	CU_ASSERT_EQUAL(c1.obedience, OEV_HELD_HERE);
}

/* No answer of others carries it, but this node puts it into each. */
static void test_report_of_the_node_itself_tells_who_reacts(void)
{
	struct oev_origin c1 = c1_after("INSERT INTO name SELECT 99, value FROM meta WHERE key = 'node';"
					"UPDATE report SET peer = 99");

	CU_ASSERT_EQUAL(c1.told, 5000);
	CU_ASSERT_EQUAL(c1.obedience, OEV_WENT_ON);
}

static void test_reason_is_told_to_programs(void)
{
	struct help_segment segment;
	struct oev_audit *audit = audit_of(&segment, TOLD(5000, 15000) NAMES_NO_HOST("1"));
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	const char *obedience = "", *why = "";
	json_int_t told = 0, unaddressed = 0;

	CU_ASSERT_EQUAL(oev_audit_json(audit, "doic test", out), 0);
	fclose(out);
	json_t *root = json_loads(text, 0, NULL);
	json_t *claim = json_array_get(json_object_get(root, "claims"), 0);
	json_t *origins = json_object_get(json_object_get(claim, "effect"), "origins");
	CU_ASSERT_EQUAL(json_unpack(json_array_get(origins, 0), "{s:s, s:s, s:I, s:I}", "obedience",
				    &obedience, "why", &why, "told", &told, "unaddressed", &unaddressed),
			0);
	CU_ASSERT_STRING_EQUAL(obedience, "not_addressed");
	CU_ASSERT_PTR_NOT_NULL(strstr(why, "cannot be told: its requests name no host"));
	CU_ASSERT_EQUAL(told, 5000);
	CU_ASSERT_EQUAL(unaddressed, 5000);
	json_decref(root);
	free(text);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

void test_oev_audit_origin_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_audit_origin", NULL, NULL);

	CU_add_test(suite, "client_that_goes_on_is_named", test_client_that_was_told_and_goes_on_is_named);
	CU_add_test(suite, "client_that_sends_fewer_obeyed", test_client_that_sends_fewer_obeyed);
	CU_add_test(suite, "client_that_holds_back_a_part", test_client_that_holds_back_a_part_did_neither);
	CU_add_test(suite, "client_told_once_that_falls_silent",
		    test_client_told_once_that_falls_silent_obeyed);
	CU_add_test(suite, "answer_without_the_report", test_answer_without_the_report_tells_nothing);
	CU_add_test(suite, "report_of_another_server", test_report_of_another_server_tells_nothing);
	CU_add_test(suite, "requests_that_name_no_host", test_requests_that_name_no_host_accuse_nobody);
	CU_add_test(suite, "only_requests_that_name_the_host",
		    test_only_requests_that_name_the_host_are_judged);
	CU_add_test(suite, "client_told_late", test_client_told_late_owes_from_then_on);
	CU_add_test(suite, "client_that_had_just_begun",
		    test_client_that_had_just_begun_is_judged_by_its_own_rate);
	CU_add_test(suite, "client_that_came_later", test_client_that_came_later_has_nothing_to_do_with_it);
	CU_add_test(suite, "silent_client_without_doic", test_silent_client_without_doic_is_held_here);
	CU_add_test(suite, "client_without_doic_is_held_here", test_client_without_doic_is_held_here);
	CU_add_test(suite, "realm_report", test_realm_report_speaks_of_requests_without_host);
	CU_add_test(suite, "peer_report", test_peer_report_is_the_relays_to_obey);
	CU_add_test(suite, "report_of_the_node_itself", test_report_of_the_node_itself_tells_who_reacts);
	CU_add_test(suite, "reason_is_told_to_programs", test_reason_is_told_to_programs);
}
