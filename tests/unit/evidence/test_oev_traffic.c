/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of how decisions and outcomes become lean rows.
 */
#include <string.h>

#include "agent/oc_err.h"
#include "evidence/store/oev_bulk.h"
#include "help_db.h"

void test_oev_traffic_suite(void);

#define MANY ((size_t)3 * OEV_BULK_ROWS)

static struct oc_event full_decision(void)
{
	struct oc_event event = help_decision(7, HELP_BASE_NS + 5000000);
	struct oc_decision *d = &event.u.decision;

	d->out_ns = d->at_ns + 250;
	d->session_hash = 0x7fffffffffff;
	d->subscriber_hash = 77;
	d->random = 0x8000000000000001u;
	d->realm = (struct oc_look){ 11, 100000, 1 };
	d->host = (struct oc_look){ 12, 0, 2 };
	d->peer = (struct oc_look){ 13, 1000000, 3 };
	d->end_to_end = UINT32_MAX;
	d->origin_realm = 14;
	d->dest_host = 8;
	d->profile = 15;
	d->candidates = 16;
	d->first_choice = 9;
	d->result_code = 5012;
	d->verdict = OC_REFUSE;
	d->why = OC_WHY_REPORT;
	d->selected_by = OC_SCOPE_HOST;
	d->klass = 3;
	d->flags = OC_DEC_RETRANSMIT | OC_DEC_NO_ROOM;
	d->drmp = 0;
	d->cc_request_type = 1;
	return event;
}

static void test_oev_traffic_decision_fills_every_column(void)
{
	struct oc_event event = full_decision();

	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	HELP_DB_TEXT(
		"SELECT id||' '||at_ns||' '||out_ns||' '||flow||' '||way||' '||end_to_end||' '||session||' '"
		"||subscriber||' '||random FROM decision",
		"7 5000000 250 1 1 4294967295 140737488355327 77 -9223372036854775807");
	HELP_DB_TEXT(
		"SELECT realm_version||' '||realm_share||' '||realm_nth||' '||host_version||' '||host_share"
		"||' '||host_nth||' '||peer_version||' '||peer_share||' '||peer_nth FROM decision",
		"11 100000 1 12 0 2 13 1000000 3");
	HELP_DB_TEXT(
		"SELECT id||' '||app_id||' '||command||' '||client||' '||origin_host||' '||origin_realm||' '"
		"||dest_host||' '||dest_realm||' '||drmp||' '||cc_request_type||' '||profile FROM flow",
		"1 16777238 272 2 3 14 8 4 0 1 15");
	HELP_DB_TEXT(
		"SELECT id||' '||verdict||' '||why||' '||selected_by||' '||class||' '||flags||' '||candidates"
		"||' '||first_choice||' '||next_hop||' '||result_code FROM way",
		"1 2 1 2 3 4128 16 9 5 5012");
}

static void test_oev_traffic_columns_do_not_leak_into_the_next_row(void)
{
	struct oc_event events[] = { full_decision(), { .kind = OC_EVENT_DECISION }, full_decision() };

	events[1].u.decision.id = 8;
	events[1].u.decision.drmp = OC_DRMP_NONE;
	events[2].u.decision.id = 9;
	CU_ASSERT_EQUAL(help_db_put_all(events, 3, NULL), OC_OK);
	CU_ASSERT_EQUAL(
		help_db_ask("SELECT count(*) FROM decision WHERE id = 8 AND coalesce(out_ns,"
			    " realm_version, realm_share, realm_nth, host_version, host_share, host_nth,"
			    " peer_version, peer_share, peer_nth, session, subscriber, random) IS NULL"),
		1);
	CU_ASSERT_EQUAL(
		help_db_ask("SELECT count(*) FROM decision JOIN flow f ON f.id = flow JOIN way w ON w.id ="
			    " way WHERE decision.id = 8 AND coalesce(dest_host, dest_realm, drmp,"
			    " cc_request_type, profile, candidates, first_choice, next_hop, result_code)"
			    " IS NULL AND client + origin_host + app_id + verdict + flags = 0"),
		1);
	CU_ASSERT_EQUAL(
		help_db_ask("SELECT count(*) FROM decision WHERE id <> 8 AND peer_nth = 3 AND flow = 1"), 2);
}

static void test_oev_traffic_outcome_fills_every_column(void)
{
	struct oc_event event = help_outcome(7, 99);

	event.u.outcome.maker = OC_MADE_DEADLINE;
	event.u.outcome.answered_realm = 12;
	event.u.outcome.profile = 13;
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	HELP_DB_TEXT(
		"SELECT o.rowid||' '||decision||' '||took_ns||' '||ending||' '||result_code||' '||maker||' '"
		"||answered_by||' '||answered_realm||' '||from_peer||' '||attempts||' '||profile"
		" FROM outcome o JOIN ending e ON e.id = o.ending",
		"1 7 1000000 1 2001 2 6 12 5 1 13");
	event.u.outcome = (struct oc_event_outcome){ .id = 8, .maker = OC_MADE_LOST };
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	CU_ASSERT_EQUAL(help_db_ask("SELECT count(*) FROM outcome o JOIN ending e ON e.id = o.ending WHERE"
				    " decision = 8 AND coalesce(result_code, answered_by, answered_realm,"
				    " from_peer, profile) IS NULL AND attempts = 0"),
			1);
}

static void test_oev_traffic_many_at_once_are_all_there(void)
{
	static struct oc_event events[2 * MANY];
	uint64_t refused = 0;

	for (uint64_t id = 1; id <= MANY; id++) {
		events[2 * id - 2] = help_decision(id, HELP_BASE_NS + id * 10);
		events[2 * id - 2].u.decision.host.version = id % 3 == 0 ? (uint32_t)id : 0;
		events[2 * id - 1] = help_outcome(id, id * 10 + 1);
		events[2 * id - 1].u.outcome.answered_by = (uint32_t)(id % 5);
	}
	CU_ASSERT_EQUAL(help_db_put_all(events, 2 * MANY, &refused), OC_OK);
	CU_ASSERT_EQUAL(refused, 0);
	CU_ASSERT_EQUAL(help_db_ask("SELECT count(*) FROM decision WHERE at_ns = id * 10 AND random <> 0 AND"
				    " (host_version IS CASE id % 3 WHEN 0 THEN id END)"),
			MANY);
	CU_ASSERT_EQUAL(help_db_ask("SELECT count(*) FROM outcome o JOIN ending e ON e.id = ending WHERE"
				    " o.rowid = decision AND answered_by IS nullif(decision % 5, 0)"),
			MANY);
	CU_ASSERT_EQUAL(help_db_ask("SELECT count(*) FROM ending"), 5);
	CU_ASSERT_EQUAL(help_db_ask("SELECT count(*) FROM flow"), 1);
}

static void test_oev_traffic_leaves_out_only_what_is_refused(void)
{
	static struct oc_event events[MANY];
	uint64_t refused = 0;

	for (uint64_t i = 0; i < MANY; i++) /* every seventh has the number of the one before */
		events[i] = help_decision(i % 7 == 6 ? i : i + 1, HELP_BASE_NS + i);
	CU_ASSERT_EQUAL(help_db_put_all(events, MANY, &refused), OC_OK);
	CU_ASSERT_EQUAL(refused, MANY / 7);
	CU_ASSERT_PTR_NOT_NULL(strstr(oev_db_error(help_db.db), "decision.id"));
	CU_ASSERT_EQUAL(help_db_ask("SELECT count(*) FROM decision WHERE at_ns = id - 1"), MANY - MANY / 7);
	CU_ASSERT_EQUAL(help_db_ask("SELECT count(*) FROM decision"), MANY - MANY / 7);
}

static void test_oev_traffic_dictionary_is_written_again_after_a_rollback(void)
{
	struct oc_event event = help_decision(1, HELP_BASE_NS);

	CU_ASSERT_EQUAL(oev_db_begin(help_db.db), OC_OK);
	oev_traffic_begin(&help_db.traffic);
	CU_ASSERT_EQUAL(oev_traffic_decision(&help_db.traffic, &event.u.decision), OC_OK);
	CU_ASSERT_EQUAL(oev_traffic_end(&help_db.traffic), OC_OK);
	oev_db_rollback(help_db.db);
	oev_traffic_undo(&help_db.traffic);
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	CU_ASSERT_EQUAL(help_db_ask("SELECT count(*) FROM decision d JOIN flow f ON f.id = d.flow JOIN way w "
				    "ON w.id = d.way"),
			1);
	HELP_DB_TEXT("SELECT flow.id||' '||way.id FROM flow, way", "1 1");
}

static void test_oev_traffic_numbers_go_on_in_the_next_segment(void)
{
	struct oc_event event = help_decision(1, HELP_BASE_NS);

	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	oev_traffic_segment(&help_db.traffic, help_db.db, 0);
	event.u.decision.id = 2;
	CU_ASSERT_EQUAL(help_db_put(&event), OC_OK);
	HELP_DB_TEXT("SELECT group_concat(flow||' '||way||' '||at_ns) FROM decision", "1 1 0,2 2 1000000");
}

void test_oev_traffic_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oev_traffic", NULL, NULL, help_db_set_up,
							       help_db_tear_down);

	CU_add_test(suite, "decision", test_oev_traffic_decision_fills_every_column);
	CU_add_test(suite, "no_leak", test_oev_traffic_columns_do_not_leak_into_the_next_row);
	CU_add_test(suite, "outcome", test_oev_traffic_outcome_fills_every_column);
	CU_add_test(suite, "many", test_oev_traffic_many_at_once_are_all_there);
	CU_add_test(suite, "refused", test_oev_traffic_leaves_out_only_what_is_refused);
	CU_add_test(suite, "after_rollback", test_oev_traffic_dictionary_is_written_again_after_a_rollback);
	CU_add_test(suite, "next_segment", test_oev_traffic_numbers_go_on_in_the_next_segment);
}
