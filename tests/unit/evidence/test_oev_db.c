/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the write connection, of rows, and of how each kind of event is bound.
 */
#include <CUnit/CUnit.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "agent/wire/oc_msg.h"
#include "evidence/store/oev_bind.h"
#include "help_trail.h"

void test_oev_db_suite(void);

struct fixture {
	char folder[HELP_PATH_MAX];
	char path[HELP_PATH_MAX + 16];
	struct oev_db *db;
};

static struct fixture fix; /* of the running test; made and removed around each */

static void set_up(void)
{
	char error[HELP_TEXT_MAX] = "";

	help_folder_make(fix.folder);
	snprintf(fix.path, sizeof(fix.path), "%s/x.db", fix.folder);
	close(open(fix.path, O_CREAT | O_RDWR, 0600));
	CU_ASSERT_EQUAL_FATAL(oev_db_open(&fix.db, fix.path, OEV_SYNC_NORMAL, error, sizeof(error)), OC_OK);
}

static void tear_down(void)
{
	oev_db_free(fix.db);
	help_folder_remove(fix.folder);
}

static long long ask(const char *sql)
{
	return help_ask_int(fix.path, sql);
}

#define ASSERT_TEXT(sql, expected)                                                                           \
	do {                                                                                                 \
		char text_[HELP_TEXT_MAX];                                                                   \
		CU_ASSERT_STRING_EQUAL(help_ask_text(fix.path, sql, text_), expected);                       \
	} while (0)

/* Binds @count events in one transaction; *@refused (may be NULL) says how many were left out. */
static int put_events(const struct oc_event *events, size_t count, uint64_t *refused)
{
	struct oev_bind bind;
	int rc = oev_db_begin(fix.db);

	oev_bind_start(&bind, fix.db, 1000);
	for (size_t i = 0; rc == OC_OK && i < count; i++)
		rc = oev_bind_event(&bind, &events[i]);
	if (rc == OC_OK)
		rc = oev_bind_end(&bind);
	if (rc == OC_OK)
		rc = oev_db_commit(fix.db);
	oev_db_rollback(fix.db);
	if (refused)
		*refused = bind.refused;
	return rc;
}

static int put_event(const struct oc_event *event)
{
	uint64_t refused = 0;
	int rc = put_events(event, 1, &refused);

	return rc == OC_OK && refused ? OC_EREFUSED : rc;
}

static void test_oev_db_pragmas_hold(void)
{
	CU_ASSERT_EQUAL(ask("PRAGMA page_size"), 8192);
	ASSERT_TEXT("PRAGMA journal_mode", "wal");
	CU_ASSERT_EQUAL(ask("PRAGMA auto_vacuum"), 0);
	CU_ASSERT_EQUAL(ask("SELECT count(*) FROM sqlite_schema WHERE name = 'decision'"), 1);
}

static void test_oev_db_open_says_what_is_wrong(void)
{
	struct oev_db *db = NULL;
	char error[HELP_TEXT_MAX] = "";

	CU_ASSERT_EQUAL(oev_db_open(&db, "/nowhere/x.db", OEV_SYNC_FULL, error, sizeof(error)), OC_EIO);
	CU_ASSERT_PTR_NULL(db);
	CU_ASSERT_PTR_NOT_NULL(strstr(error, "/nowhere/x.db"));
	CU_ASSERT_PTR_NOT_NULL(strstr(error, "unable to open"));
}

static void test_oev_db_rollback_keeps_nothing(void)
{
	struct oc_event event = { .kind = OC_EVENT_PEER };
	struct oev_bind bind;

	CU_ASSERT_EQUAL(oev_db_begin(fix.db), OC_OK);
	oev_bind_start(&bind, fix.db, 0);
	CU_ASSERT_EQUAL(oev_bind_event(&bind, &event), OC_OK);
	oev_db_rollback(fix.db);
	oev_db_rollback(fix.db);
	CU_ASSERT_EQUAL(ask("SELECT count(*) FROM peer"), 0);
	CU_ASSERT_EQUAL(put_event(&event), OC_OK);
	CU_ASSERT_EQUAL(ask("SELECT count(*) FROM peer"), 1);
}

static void test_oev_db_refused_row_leaves_the_transaction_alone(void)
{
	struct oc_event events[] = { help_decision(1, 1), help_decision(1, 2), help_decision(2, 3) };
	uint64_t refused = 0;

	CU_ASSERT_EQUAL(put_events(events, 3, &refused), OC_OK);
	CU_ASSERT_EQUAL(refused, 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(oev_db_error(fix.db), "decision.id"));
	CU_ASSERT_EQUAL(ask("SELECT count(*) FROM decision"), 2);
	CU_ASSERT_EQUAL(ask("SELECT mono_ns FROM decision WHERE id = 1"), 1);
}

#define MANY ((size_t)200)

static void test_oev_bind_groups_hold_the_same_rows_as_single_ones(void)
{
	static struct oc_event events[2 * MANY];
	uint64_t refused = 0;

	for (uint64_t id = 1; id <= MANY; id++) {
		events[2 * id - 2] = help_decision(id, id * 10);
		events[2 * id - 2].u.decision.host.version = id % 3 == 0 ? (uint32_t)id : 0;
		events[2 * id - 1] = help_outcome(id, id * 10 + 1);
		events[2 * id - 1].u.outcome.answered_by = (uint32_t)(id % 5);
	}
	CU_ASSERT_EQUAL(put_events(events, 2 * MANY, &refused), OC_OK);
	CU_ASSERT_EQUAL(refused, 0);
	CU_ASSERT_EQUAL(ask("SELECT count(*) FROM decision WHERE mono_ns = id * 10 AND random <> 0 AND"
			    " (host_version IS CASE id % 3 WHEN 0 THEN id END)"),
			MANY);
	CU_ASSERT_EQUAL(ask("SELECT count(*) FROM outcome WHERE mono_ns = id * 10 + 1 AND"
			    " answered_by IS nullif(id % 5, 0)"),
			MANY);
}

static void test_oev_bind_group_leaves_out_only_what_is_refused(void)
{
	static struct oc_event events[MANY];
	uint64_t refused = 0;

	for (uint64_t i = 0; i < MANY; i++) /* every seventh has the number of the one before */
		events[i] = help_decision(i % 7 == 6 ? i : i + 1, i);
	CU_ASSERT_EQUAL(put_events(events, MANY, &refused), OC_OK);
	CU_ASSERT_EQUAL(refused, MANY / 7);
	CU_ASSERT_EQUAL(ask("SELECT count(*) FROM decision WHERE mono_ns = id - 1"), MANY - MANY / 7);
	CU_ASSERT_EQUAL(ask("SELECT count(*) FROM decision"), MANY - MANY / 7);
}

static void test_oev_db_fold_leaves_one_file(void)
{
	char wal[sizeof(fix.path) + 8];

	snprintf(wal, sizeof(wal), "%s-wal", fix.path);
	CU_ASSERT_EQUAL(access(wal, F_OK), 0);
	CU_ASSERT_EQUAL(oev_db_fold(fix.db), OC_OK);
	CU_ASSERT_NOT_EQUAL(access(wal, F_OK), 0);
	ASSERT_TEXT("PRAGMA journal_mode", "delete");
}

static void test_oev_bind_decision_fills_every_column(void)
{
	struct oc_event event = help_decision(7, 5000000);
	struct oc_decision *d = &event.u.decision;

	d->session_hash = UINT64_MAX;
	d->random = 0x8000000000000001u;
	d->realm = (struct oc_look){ 11, 100000, 1 };
	d->host = (struct oc_look){ 12, 0, 2 };
	d->peer = (struct oc_look){ 13, 1000000, 3 };
	d->end_to_end = UINT32_MAX;
	d->dest_host = 8;
	d->first_choice = 9;
	d->result_code = 5012;
	d->verdict = OC_REFUSE;
	d->why = OC_WHY_REPORT;
	d->selected_by = OC_SCOPE_HOST;
	d->klass = 3;
	d->flags = OC_DEC_RETRANSMIT;
	d->drmp = 0;
	d->cc_request_type = 1;
	CU_ASSERT_EQUAL(put_event(&event), OC_OK);
	ASSERT_TEXT("SELECT id||' '||mono_ns||' '||wall_us||' '||app_id||' '||command||' '||client||' "
		    "'||origin_host"
		    "||' '||dest_host||' '||dest_realm FROM decision",
		    "7 5000000 6000 16777238 272 2 3 8 4");
	ASSERT_TEXT("SELECT realm_version||' '||realm_share||' '||host_version||' '||host_share||' "
		    "'||peer_version"
		    "||' '||peer_share FROM decision",
		    "11 100000 12 0 13 1000000");
	ASSERT_TEXT(
		"SELECT verdict||' '||why||' '||selected_by||' '||class||' '||flags||' '||first_choice||' '"
		"||next_hop||' '||result_code||' '||end_to_end FROM decision",
		"2 1 2 3 32 9 5 5012 4294967295");
	ASSERT_TEXT("SELECT realm_nth||' '||host_nth||' '||peer_nth FROM decision", "1 2 3");
	ASSERT_TEXT("SELECT session||' '||random||' '||drmp||' '||cc_request_type FROM decision",
		    "-1 -9223372036854775807 0 1");
}

static void test_oev_bind_columns_do_not_leak_into_the_next_row(void)
{
	struct oc_event full = help_decision(1, 1);
	struct oc_event bare = { .kind = OC_EVENT_DECISION };

	full.u.decision.host = (struct oc_look){ 12, 300000, 9 };
	full.u.decision.drmp = 5;
	bare.u.decision.id = 2;
	bare.u.decision.drmp = OC_DRMP_NONE;
	CU_ASSERT_EQUAL(put_event(&full), OC_OK);
	CU_ASSERT_EQUAL(put_event(&bare), OC_OK);
	full.u.decision.id = 3;
	CU_ASSERT_EQUAL(put_event(&full), OC_OK);
	CU_ASSERT_EQUAL(ask("SELECT count(*) FROM decision WHERE id = 2 AND coalesce(dest_host, dest_realm,"
			    " realm_version, realm_share, host_version, host_share, peer_version, peer_share,"
			    " first_choice, next_hop, result_code, drmp, cc_request_type, host_nth) IS NULL"),
			1);
	CU_ASSERT_EQUAL(ask("SELECT client + origin_host + app_id + session FROM decision WHERE id = 2"), 0);
	CU_ASSERT_EQUAL(ask("SELECT count(*) FROM decision WHERE id <> 2 AND host_share = 300000 AND drmp = 5"
			    " AND next_hop = 5"),
			2);
}

static void test_oev_bind_outcome_fills_every_column(void)
{
	struct oc_event event = help_outcome(7, 99);

	event.u.outcome.maker = OC_MADE_DEADLINE;
	CU_ASSERT_EQUAL(put_event(&event), OC_OK);
	ASSERT_TEXT(
		"SELECT id||' '||mono_ns||' '||took_ns||' '||result_code||' '||maker||' '||answered_by||' '"
		"||from_peer||' '||attempts FROM outcome",
		"7 99 1000000 2001 2 6 5 1");
	event.u.outcome = (struct oc_event_outcome){ .id = 8, .maker = OC_MADE_LOST };
	CU_ASSERT_EQUAL(put_event(&event), OC_OK);
	CU_ASSERT_EQUAL(ask("SELECT count(*) FROM outcome WHERE id = 8 AND coalesce(result_code, answered_by,"
			    " from_peer) IS NULL"),
			1);
}

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

	CU_ASSERT_EQUAL(put_event(&event), OC_OK);
	ASSERT_TEXT(
		"SELECT id||' '||mono_ns||' '||wall_us||' '||peer||' '||app_id||' '||type||' '||subject||' '"
		"||origin_host||' '||origin_realm||' '||version||' '||raw_total FROM report",
		"5 10 1000 3 4 1 6 7 8 2 188");
	ASSERT_TEXT("SELECT sequence||' '||reduction_pct||' '||validity_s||' '||algorithm||' '||verdict||' "
		    "'||reason"
		    " FROM report",
		    "18446744073709551615 30 86401 loss updated ");
	ASSERT_TEXT("SELECT rate_rps FROM report", "(null)");
	event.u.report.report = 6;
	event.u.report.has = 0;
	event.u.report.version = 0;
	event.u.report.reason = OC_REASON_INCOMPLETE;
	CU_ASSERT_EQUAL(put_event(&event), OC_OK);
	CU_ASSERT_EQUAL(
		ask("SELECT count(*) FROM report WHERE id = 6 AND coalesce(type, sequence, reduction_pct,"
		    " validity_s, rate_rps, version) IS NULL AND reason = 'incomplete'"),
		1);
}

static void test_oev_bind_report_raw_appends_octets_at_their_place(void)
{
	struct oc_event report = a_report();
	struct oc_event more = { .kind = OC_EVENT_REPORT_RAW };

	more.u.report_raw = (struct oc_event_report_raw){
		.report = 5, .at = OC_EVENT_RAW_MAX, .raw_len = 4, .raw = { 0, 0xfe, 0, 0x41 }
	};
	CU_ASSERT_EQUAL(put_event(&more), OC_EREFUSED);
	CU_ASSERT_EQUAL(put_event(&report), OC_OK);
	CU_ASSERT_EQUAL(put_event(&more), OC_OK);
	CU_ASSERT_EQUAL(put_event(&more), OC_EREFUSED);
	CU_ASSERT_EQUAL(ask("SELECT length(raw) = raw_total AND typeof(raw) = 'blob' FROM report"), 1);
	ASSERT_TEXT("SELECT hex(substr(raw, 1, 3)) || hex(substr(raw, 184)) FROM report", "FF00FFFF00FE0041");
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
	CU_ASSERT_EQUAL(put_event(&event), OC_OK);
	ASSERT_TEXT("SELECT version||' '||report||' '||replaces||' '||type||' '||app_id||' '||subject||' "
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
	CU_ASSERT_EQUAL(put_event(&event), OC_OK);
	ASSERT_TEXT("SELECT version||' '||mono_ns||' '||wall_us||' '||how||' '||matched||' '||selected||' '"
		    "||expected_ppm||' '||remembered FROM ocs_change",
		    "2 3000 1003 expired 100 40 40000000 3");
}

static void test_oev_bind_small_kinds_fill_every_column(void)
{
	struct oc_event event = { .kind = OC_EVENT_NAME };

	event.u.name = (struct oc_event_name){ .id = 2, .text = "pcrf1.example" };
	CU_ASSERT_EQUAL(put_event(&event), OC_OK);
	ASSERT_TEXT("SELECT id||' '||text FROM name", "2 pcrf1.example");
	event = (struct oc_event){ .kind = OC_EVENT_PEER, .mono_ns = 1000 };
	event.u.peer = (struct oc_event_peer){ .peer = 2, .up = 1 };
	CU_ASSERT_EQUAL(put_event(&event), OC_OK);
	ASSERT_TEXT("SELECT mono_ns||' '||wall_us||' '||peer||' '||up FROM peer", "1000 1001 2 1");
	event = (struct oc_event){ .kind = OC_EVENT_REPORT_REPEAT };
	event.u.report_repeat = (struct oc_event_report_repeat){ 5, 6, 7, 8 };
	CU_ASSERT_EQUAL(put_event(&event), OC_OK);
	ASSERT_TEXT("SELECT report||' '||first_ns||' '||last_ns||' '||count FROM report_repeat", "5 6 7 8");
	event = (struct oc_event){ .kind = OC_EVENT_CAPABILITY };
	event.u.capability = (struct oc_event_capability){ .vector = 0x11,
							   .peer_algo = 5,
							   .peer = 2,
							   .app_id = 4,
							   .source = 9,
							   .origin_host = 3,
							   .direction = OC_DIR_ANSWER,
							   .has = OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR };
	CU_ASSERT_EQUAL(put_event(&event), OC_OK);
	ASSERT_TEXT(
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
	CU_ASSERT_EQUAL(put_event(&event), OC_OK);
	ASSERT_TEXT("SELECT sequence||' '||mono_ns||' '||wall_us||' '||type||' '||app_id||' '||subject||' "
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
	CU_ASSERT_EQUAL(put_event(&event), OC_OK);
	ASSERT_TEXT("SELECT type||(app_id IS NULL)||(subject IS NULL)||(target IS "
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
	CU_ASSERT_EQUAL(put_event(&event), OC_OK);
	ASSERT_TEXT("SELECT sequence||' '||peer||' '||type||' '||first_ns||' '||last_ns||' '||count FROM "
		    "own_sent",
		    "18446744073709551615 2 realm 2100 2900 12");
}

static void test_oev_bind_load_fills_every_column(void)
{
	struct oc_event event = { .kind = OC_EVENT_LOAD, .mono_ns = 4000 };

	event.u.load = (struct oc_event_load){ .node = 9, .peer = 2, .value = 65535, .type = OC_LOAD_PEER };
	CU_ASSERT_EQUAL(put_event(&event), OC_OK);
	ASSERT_TEXT("SELECT mono_ns||' '||wall_us||' '||node||' '||peer||' '||type||' '||value FROM load",
		    "4000 1004 9 2 peer 65535");
	event.u.load = (struct oc_event_load){ .node = 1, .type = OC_LOAD_HOST };
	CU_ASSERT_EQUAL(put_event(&event), OC_OK);
	ASSERT_TEXT("SELECT (peer IS NULL)||type||value FROM load WHERE node = 1", "1host0");
}

static void test_oev_bind_kind_from_the_future_is_refused(void)
{
	struct oc_event event = { .kind = OC_EVENT_KIND_COUNT };

	CU_ASSERT_EQUAL(put_event(&event), OC_EREFUSED);
	event.kind = OC_EVENT_NONE;
	CU_ASSERT_EQUAL(put_event(&event), OC_EREFUSED);
}

void test_oev_db_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oev_db", NULL, NULL, set_up, tear_down);

	CU_add_test(suite, "pragmas_hold", test_oev_db_pragmas_hold);
	CU_add_test(suite, "open_says_what_is_wrong", test_oev_db_open_says_what_is_wrong);
	CU_add_test(suite, "rollback_keeps_nothing", test_oev_db_rollback_keeps_nothing);
	CU_add_test(suite, "refused_row", test_oev_db_refused_row_leaves_the_transaction_alone);
	CU_add_test(suite, "fold_leaves_one_file", test_oev_db_fold_leaves_one_file);
	CU_add_test(suite, "bind_decision", test_oev_bind_decision_fills_every_column);
	CU_add_test(suite, "bind_no_leak", test_oev_bind_columns_do_not_leak_into_the_next_row);
	CU_add_test(suite, "bind_groups", test_oev_bind_groups_hold_the_same_rows_as_single_ones);
	CU_add_test(suite, "bind_group_refused", test_oev_bind_group_leaves_out_only_what_is_refused);
	CU_add_test(suite, "bind_outcome", test_oev_bind_outcome_fills_every_column);
	CU_add_test(suite, "bind_report", test_oev_bind_report_fills_every_column);
	CU_add_test(suite, "bind_report_raw", test_oev_bind_report_raw_appends_octets_at_their_place);
	CU_add_test(suite, "bind_overload_state", test_oev_bind_overload_state_fills_every_column);
	CU_add_test(suite, "bind_small_kinds", test_oev_bind_small_kinds_fill_every_column);
	CU_add_test(suite, "D-092 bind_own_reports", test_oev_bind_own_reports_fill_every_column);
	CU_add_test(suite, "bind_load", test_oev_bind_load_fills_every_column);
	CU_add_test(suite, "bind_future_kind", test_oev_bind_kind_from_the_future_is_refused);
}
