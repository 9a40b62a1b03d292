/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of how each kind of event becomes a row. In help_db.c wall time is monotonic time and 1000 us.
 */
#include <stdio.h>
#include <string.h>

#include "agent/oc_err.h"
#include "agent/wire/oc_msg.h"
#include "help_db.h"

void test_oev_bind_suite(void);

static struct oc_event a_report(void)
{
	struct oc_event event = { .kind = OC_EVENT_REPORT, .mono_ns = 10 };
	struct oc_event_report *e = &event.u.report;

	e->report = 5;
	e->sequence = UINT64_MAX;
	e->version = 2;
	e->peer = 3;
	e->app_id = 4;
	e->subject = 6;
	e->origin_host = 7;
	e->origin_realm = 8;
	e->type = 1;
	e->reduction_pct = 30;
	e->validity_s = 86401;
	e->has = OC_OLR_HAS_TYPE | OC_OLR_HAS_SEQUENCE | OC_OLR_HAS_REDUCTION | OC_OLR_HAS_VALIDITY;
	e->verdict = OC_INTAKE_UPDATED;
	e->algorithm = OC_ALGO_LOSS;
	e->raw_total = OC_EVENT_RAW_MAX + 4;
	e->raw_len = OC_EVENT_RAW_MAX;
	memset(e->raw, 0xff, sizeof(e->raw));
	e->raw[1] = 0;
	return event;
}

static void test_oev_bind_report_fills_every_column(void)
{
	struct oc_event event = a_report();

	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	HELP_DB_TEXT(
		"SELECT id||' '||mono_ns||' '||wall_us||' '||peer||' '||app_id||' '||type||' '||subject||' '"
		"||origin_host||' '||origin_realm||' '||version||' '||raw_total FROM report",
		"5 10 1000 3 4 1 6 7 8 2 188");
	HELP_DB_TEXT("SELECT sequence||' '||reduction_pct||' '||validity_s||' '||algorithm||' '||verdict||' "
		     "'||reason"
		     " FROM report",
		     "18446744073709551615 30 86401 loss updated ");
	HELP_DB_TEXT("SELECT rate_rps FROM report", "(null)");
	event.u.report.report = 6;
	event.u.report.has = 0;
	event.u.report.version = 0;
	event.u.report.reason = OC_REASON_INCOMPLETE;
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	CU_ASSERT_EQUAL(
		help_db_ask(
			"SELECT count(*) FROM report WHERE id = 6 AND coalesce(type, sequence, reduction_pct,"
			" validity_s, rate_rps, version) IS NULL AND reason = 'incomplete'"),
		1);
}

static void test_oev_bind_report_raw_keeps_octets_and_their_place(void)
{
	struct oc_event report = a_report();
	struct oc_event more = { .kind = OC_EVENT_REPORT_RAW };

	more.u.report_raw = (struct oc_event_report_raw){
		.report = 5, .at = OC_EVENT_RAW_MAX, .raw_len = 4, .raw = { 0, 0xfe, 0, 0x41 }
	};
	CU_ASSERT_EQUAL(help_db_put(&report), OC_OK);
	CU_ASSERT_EQUAL(help_db_put(&more), OC_OK);
	HELP_DB_TEXT("SELECT report||' '||at||' '||hex(raw) FROM report_raw", "5 184 00FE0041");
	CU_ASSERT_EQUAL(help_db_ask("SELECT length(raw) FROM report"), OC_EVENT_RAW_MAX);
	HELP_DB_TEXT("SELECT raw_kept||' '||raw_total||' '||substr(raw_hex, 1, 6)||substr(raw_hex, -10)"
		     " FROM v_report",
		     "188 188 FF00FFFF00FE0041");
}

static void test_oev_bind_overload_state_fills_every_column(void)
{
	struct oc_event event = { .kind = OC_EVENT_OCS_VERSION, .mono_ns = 2000 };

	event.u.ocs_version = (struct oc_event_ocs_version){ .report = 5,
							     .sequence = UINT64_MAX,
							     .expires_ns = 9000,
							     .version = 2,
							     .replaces = 1,
							     .app_id = 4,
							     .subject = 6,
							     .reduction_pct = 40,
							     .rate_rps = 77,
							     .validity_s = 30,
							     .type = OC_REPORT_REALM,
							     .origin = 7,
							     .algorithm = OC_ALGO_LOSS };
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	HELP_DB_TEXT("SELECT version||' '||report||' '||replaces||' '||type||' '||app_id||' '||subject||' "
		     "'||sequence"
		     "||' '||algorithm||' '||reduction_pct||' '||ifnull(rate_rps,'-')||' '||validity_s||' "
		     "'||from_ns"
		     "||' '||from_us||' '||expires_ns||' '||origin FROM ocs_version",
		     "2 5 1 realm 4 6 18446744073709551615 loss 40 - 30 2000 1002 9000 7");
	event = (struct oc_event){ .kind = OC_EVENT_OCS_CHANGE, .mono_ns = 3000 };
	event.u.ocs_change = (struct oc_event_ocs_change){ .matched = 100,
							   .selected = 40,
							   .expected_ppm = 40000000,
							   .remembered = 3,
							   .version = 2,
							   .how = OC_END_EXPIRED };
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	HELP_DB_TEXT("SELECT version||' '||mono_ns||' '||wall_us||' '||how||' '||matched||' '||selected||' '"
		     "||expected_ppm||' '||remembered FROM ocs_change",
		     "2 3000 1003 expired 100 40 40000000 3");
}

static void test_oev_bind_small_kinds_fill_every_column(void)
{
	struct oc_event event = { .kind = OC_EVENT_NAME };

	event.u.name = (struct oc_event_name){ .id = 2, .text = "pcrf1.example" };
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	HELP_DB_TEXT("SELECT id||' '||text FROM name", "2 pcrf1.example");
	event = (struct oc_event){ .kind = OC_EVENT_PEER, .mono_ns = 1000 };
	event.u.peer = (struct oc_event_peer){ .peer = 2, .up = 1 };
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	HELP_DB_TEXT("SELECT mono_ns||' '||wall_us||' '||peer||' '||up FROM peer", "1000 1001 2 1");
	event = (struct oc_event){ .kind = OC_EVENT_REPORT_REPEAT };
	event.u.report_repeat = (struct oc_event_report_repeat){ 5, 6, 7, 8 };
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	HELP_DB_TEXT("SELECT report||' '||first_ns||' '||last_ns||' '||count FROM report_repeat", "5 6 7 8");
	event = (struct oc_event){ .kind = OC_EVENT_CAPABILITY };
	event.u.capability = (struct oc_event_capability){ .vector = 0x11,
							   .peer_algo = 5,
							   .peer = 2,
							   .app_id = 4,
							   .source = 9,
							   .origin_host = 3,
							   .direction = OC_DIR_ANSWER,
							   .has = OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR };
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	HELP_DB_TEXT(
		"SELECT peer||' '||origin_host||' '||direction||' '||app_id||' '||present||' '||vector||' '"
		"||ifnull(peer_algo,'-')||' '||ifnull(source,'-') FROM capability",
		"2 3 answer 4 1 0x11 - -");
}

static void test_oev_bind_own_reports_fill_every_column(void)
{
	struct oc_event event = { .kind = OC_EVENT_OWN_REPORT, .mono_ns = 2000 };

	event.u.own_report = (struct oc_event_own_report){ .sequence = UINT64_MAX,
							   .app_id = 4,
							   .subject = 6,
							   .target = 7,
							   .validity_s = 30,
							   .reduction_pct = 40,
							   .rate_rps = 77,
							   .type = OC_REPORT_HOST,
							   .algorithm = OC_ALGO_RATE,
							   .step = OC_REPORT_CHANGED,
							   .raw_len = 3,
							   .raw = { 0, 0xfe, 0 } };
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	HELP_DB_TEXT("SELECT sequence||' '||mono_ns||' '||wall_us||' '||type||' '||app_id||' '||subject||' "
		     "'||target"
		     "||' '||algorithm||' '||ifnull(reduction_pct,'-')||' '||rate_rps||' '||validity_s||' "
		     "'||step||' '"
		     "||hex(raw) FROM own_report",
		     "18446744073709551615 2000 1002 host 4 6 7 rate - 77 30 changed 00FE00");
	event.u.own_report = (struct oc_event_own_report){ .sequence = 8,
							   .app_id = OC_APP_ANY,
							   .type = OC_REPORT_PEER,
							   .reduction_pct = 40,
							   .algorithm = OC_ALGO_LOSS,
							   .step = OC_REPORT_ENDED };
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	HELP_DB_TEXT("SELECT type||(app_id IS NULL)||(subject IS NULL)||(target IS "
		     "NULL)||reduction_pct||step||length(raw)"
		     " FROM own_report WHERE sequence = '8'",
		     "peer11140ended0");
	event = (struct oc_event){ .kind = OC_EVENT_OWN_SENT, .mono_ns = 3000 };
	event.u.own_sent = (struct oc_event_own_sent){ .sequence = UINT64_MAX,
						       .first_ns = 2100,
						       .last_ns = 2900,
						       .count = 12,
						       .peer = 2,
						       .type = OC_REPORT_REALM };
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	HELP_DB_TEXT("SELECT sequence||' '||peer||' '||type||' '||first_ns||' '||last_ns||' '||count FROM "
		     "own_sent",
		     "18446744073709551615 2 realm 2100 2900 12");
}

static void test_oev_bind_load_fills_every_column(void)
{
	struct oc_event event = { .kind = OC_EVENT_LOAD, .mono_ns = 4000 };

	event.u.load = (struct oc_event_load){ .node = 9, .peer = 2, .value = 65535, .type = OC_LOAD_PEER };
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	HELP_DB_TEXT("SELECT mono_ns||' '||wall_us||' '||node||' '||peer||' '||type||' '||value FROM load",
		     "4000 1004 9 2 peer 65535");
	event.u.load = (struct oc_event_load){ .node = 1, .type = OC_LOAD_HOST };
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	HELP_DB_TEXT("SELECT (peer IS NULL)||type||value FROM load WHERE node = 1", "1host0");
}

static void test_oev_bind_profile_fills_every_column(void)
{
	struct oc_event event = { .kind = OC_EVENT_PROFILE };
	struct oc_profile *p = &event.u.profile.profile;

	event.u.profile.id = 3;
	*p = (struct oc_profile){ .vector = UINT64_MAX,
				  .peer_algo = 2,
				  .source = 9,
				  .rating_group = { 10, UINT32_MAX },
				  .hints = OC_HINT_MPS,
				  .caps_has = OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR | OC_CAPS_HAS_SOURCE |
					      OC_CAPS_HAS_PEER_ALGO,
				  .reservation_priority = 7,
				  .rating_group_count = 2,
				  .has_more_rating_groups = 1,
				  .apn_len = 3,
				  .apn = { 'i', '\0', 's' } };
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	HELP_DB_TEXT("SELECT id||' '||hints||' '||caps||' '||vector||' '||peer_algo||' '||source||' '"
		     "||reservation_priority||' '||rating_groups||' '||hex(apn) FROM profile",
		     "3 2 15 0xffffffffffffffff 0x2 9 7 10,4294967295,... 690073");
	event.u.profile = (struct oc_event_profile){ .id = 4 };
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	CU_ASSERT_EQUAL(help_db_ask("SELECT count(*) FROM profile WHERE id = 4 AND hints = 0 AND caps = 0 AND"
				    " coalesce(vector, peer_algo, source, rating_groups, apn) IS NULL"),
			1);
}

static void test_oev_bind_candidates_keep_their_order(void)
{
	struct oc_event event = { .kind = OC_EVENT_CANDIDATES };

	event.u.candidates = (struct oc_event_candidates){
		.id = 8, .count = 3, .peer = { 5, 2, UINT32_MAX }, .score = { 10, -3, INT32_MIN }
	};
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	HELP_DB_TEXT("SELECT id||' '||peers FROM candidates", "8 5:10 2:-3 4294967295:-2147483648");
}

static void test_oev_bind_order_says_who_why_and_from_what(void)
{
	struct oc_event event = { .kind = OC_EVENT_ORDER, .mono_ns = 5000 };

	event.u.order = (struct oc_event_order){ .until_ns = 9000,
						 .app_id = 4,
						 .subject = 6,
						 .reduction_pct = 30,
						 .rate_rps = 77,
						 .validity_s = 20,
						 .actor = 1000,
						 .calculation = 2,
						 .type = OC_REPORT_REALM,
						 .has = 1,
						 .by = OC_BY_CONTROL,
						 .reason = "too hot",
						 .inputs = "cpu_pct=97 queue=12" };
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	HELP_DB_TEXT(
		"SELECT mono_ns||' '||wall_us||' '||how||' '||type||' '||app_id||' '||subject||' '"
		"||reduction_pct||' '||ifnull(rate_rps,'-')||' '||validity_s||' '||until_ns||' '||by||' '"
		"||actor||' '||calculation||' '||reason||', '||inputs FROM order_change",
		"5000 1005 ordered realm 4 6 30 - 20 9000 control 1000 2 too hot, cpu_pct=97 queue=12");
	event.u.order =
		(struct oc_event_order){ .app_id = OC_APP_ANY, .rate_rps = 5, .has = 2, .is_withdrawal = 1 };
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	CU_ASSERT_EQUAL(
		help_db_ask("SELECT count(*) FROM order_change WHERE how = 'withdrawn' AND by = 'policy'"
			    " AND rate_rps = 5 AND coalesce(app_id, subject, reduction_pct, until_ns)"
			    " IS NULL AND reason = '' AND inputs = ''"),
		1);
}

static void test_oev_bind_act_says_who_what_and_why(void)
{
	struct oc_event event = { .kind = OC_EVENT_ACT, .mono_ns = 5000000 };

	event.u.act = (struct oc_event_act){ .who = "ops2",
					     .what = "want",
					     .object = "pcrf-3.example.net",
					     .before = "in",
					     .after = "out",
					     .reason = "CHG-4411" };
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	HELP_DB_TEXT("SELECT who||' '||what||' '||object||' '||before||' '||after||' '||reason||' '||mono_ns "
		     "FROM act",
		     "ops2 want pcrf-3.example.net in out CHG-4411 5000000");
}

static void test_oev_bind_identity_is_kept_octet_for_octet(void)
{
	struct oc_event event = { .kind = OC_EVENT_IDENTITY };

	event.u.identity = (struct oc_event_identity){ .pseudonym = 0x7fffffffffff,
						       .kind = OC_IDENTITY_SUBSCRIBER,
						       .len = 5,
						       .text = { 'a', 0, 'b', 'c', 'd' } };
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	HELP_DB_TEXT("SELECT pseudonym||' '||kind||' '||hex(text)||' '||typeof(text) FROM identity",
		     "140737488355327 subscriber 6100626364 text");
}

/* As a ring left by another process may hold them. */
static void test_oev_bind_impossible_lengths_are_cut(void)
{
	struct oc_event event = { .kind = OC_EVENT_PROFILE };

	event.u.profile.profile.apn_len = 255;
	event.u.profile.profile.rating_group_count = 255;
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	HELP_DB_TEXT("SELECT length(apn)||' '||rating_groups FROM profile", "64 0,0,0,0,0,0,0,0");
	event = (struct oc_event){ .kind = OC_EVENT_CANDIDATES };
	event.u.candidates.count = UINT32_MAX;
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	CU_ASSERT_EQUAL(help_db_ask("SELECT length(peers) FROM candidates"), OC_CANDIDATES_MAX * 4 - 1);
	event = (struct oc_event){ .kind = OC_EVENT_NAME };
	memset(event.u.name.text, 'x', sizeof(event.u.name.text));
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	CU_ASSERT_EQUAL(help_db_ask("SELECT length(text) FROM name"), OC_IDENT_MAX + 1);
	event = (struct oc_event){ .kind = OC_EVENT_REPORT_RAW };
	event.u.report_raw.raw_len = UINT16_MAX;
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	CU_ASSERT_EQUAL(help_db_ask("SELECT length(raw) FROM report_raw"), OC_EVENT_RAW_MAX);
	event = (struct oc_event){ .kind = OC_EVENT_IDENTITY };
	event.u.identity.len = 255;
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	CU_ASSERT_EQUAL(help_db_ask("SELECT length(CAST(text AS BLOB)) FROM identity"), OC_IDENTITY_TEXT_MAX);
}

static void test_oev_bind_kind_from_the_future_is_refused(void)
{
	struct oc_event event = { .kind = OC_EVENT_KIND_COUNT };

	CU_ASSERT_EQUAL(help_db_put(&event), OC_EREFUSED);
	event.kind = OC_EVENT_NONE;
	CU_ASSERT_EQUAL(help_db_put(&event), OC_EREFUSED);
}

void test_oev_bind_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oev_bind", NULL, NULL, help_db_set_up,
							       help_db_tear_down);

	CU_add_test(suite, "report", test_oev_bind_report_fills_every_column);
	CU_add_test(suite, "report_raw", test_oev_bind_report_raw_keeps_octets_and_their_place);
	CU_add_test(suite, "overload_state", test_oev_bind_overload_state_fills_every_column);
	CU_add_test(suite, "small_kinds", test_oev_bind_small_kinds_fill_every_column);
	CU_add_test(suite, "D-092 own_reports", test_oev_bind_own_reports_fill_every_column);
	CU_add_test(suite, "load", test_oev_bind_load_fills_every_column);
	CU_add_test(suite, "profile", test_oev_bind_profile_fills_every_column);
	CU_add_test(suite, "candidates", test_oev_bind_candidates_keep_their_order);
	CU_add_test(suite, "order", test_oev_bind_order_says_who_why_and_from_what);
	CU_add_test(suite, "act_says_who_what_and_why", test_oev_bind_act_says_who_what_and_why);
	CU_add_test(suite, "identity", test_oev_bind_identity_is_kept_octet_for_octet);
	CU_add_test(suite, "impossible_lengths", test_oev_bind_impossible_lengths_are_cut);
	CU_add_test(suite, "future_kind", test_oev_bind_kind_from_the_future_is_refused);
}
