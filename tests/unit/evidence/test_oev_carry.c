/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of what a segment begins with: everything that still matters, and no more.
 */
#include <string.h>

#include "agent/oc_err.h"
#include "agent/wire/oc_msg.h"
#include "evidence/store/oev_carry.h"
#include "help_db.h"

void test_oev_carry_suite(void);

#define SECOND_NS 1000000000ull

static struct oev_carry carry; /* of the running test */

static void set_up(void)
{
	help_db_set_up();
	CU_ASSERT_EQUAL_FATAL(oev_carry_init(&carry), OC_OK);
	help_db.traffic.carry = &carry;
}

static void tear_down(void)
{
	oev_carry_fini(&carry);
	help_db_tear_down();
}

static void tell(struct oc_event *event, uint64_t at_s)
{
	event->mono_ns = at_s * SECOND_NS;
	oev_carry_event(&carry, event, 1000);
}

static void tell_name(uint32_t id)
{
	struct oc_event event = { .kind = OC_EVENT_NAME };

	event.u.name = (struct oc_event_name){ .id = id, .text = "x.example" };
	tell(&event, 1);
}

static void tell_report(uint64_t report, uint16_t octets)
{
	struct oc_event event = { .kind = OC_EVENT_REPORT };

	event.u.report.report = report;
	event.u.report.raw_total = octets;
	event.u.report.raw_len = octets < OC_EVENT_RAW_MAX ? octets : OC_EVENT_RAW_MAX;
	tell(&event, 1);
	for (uint16_t at = OC_EVENT_RAW_MAX; at < octets; at += OC_EVENT_RAW_MAX) {
		event = (struct oc_event){ .kind = OC_EVENT_REPORT_RAW };
		event.u.report_raw = (struct oc_event_report_raw){ .report = report, .at = at, .raw_len = 5 };
		tell(&event, 1);
	}
}

static void tell_version(uint32_t version, uint64_t report)
{
	struct oc_event event = { .kind = OC_EVENT_OCS_VERSION };

	event.u.ocs_version = (struct oc_event_ocs_version){ .report = report, .version = version };
	tell(&event, 1);
}

static void tell_change(uint32_t version, enum oc_ocs_end how, uint64_t at_s)
{
	struct oc_event event = { .kind = OC_EVENT_OCS_CHANGE };

	event.u.ocs_change = (struct oc_event_ocs_change){ .version = version, .how = (uint8_t)how };
	tell(&event, at_s);
}

/* Has the next segment begin at @at_s. */
static void begin_part(uint32_t part, uint64_t at_s)
{
	CU_ASSERT_EQUAL(oev_db_begin(help_db.db), OC_OK);
	CU_ASSERT_EQUAL(oev_carry_write(&carry, help_db.db, at_s * SECOND_NS, 0), OC_OK);
	CU_ASSERT_EQUAL(oev_db_commit(help_db.db), OC_OK);
	oev_carry_begun(&carry, part);
}

static void test_oev_carry_says_how_many_rows_it_wrote(void)
{
	struct oc_event peer = { .kind = OC_EVENT_PEER };

	tell_name(1);
	tell_name(2);
	peer.u.peer = (struct oc_event_peer){ .peer = 1, .up = 1 };
	tell(&peer, 1);
	begin_part(2, 2);
	HELP_DB_TEXT("SELECT group_concat(tbl||' '||rows) FROM carried", "name 2,peer 1");
	HELP_DB_TEXT("SELECT mono_ns||' '||wall_us||' '||peer||' '||up FROM peer", "1000000000 1001000 1 1");
}

static void test_oev_carry_peers_that_are_up(void)
{
	struct oc_event peer = { .kind = OC_EVENT_PEER };

	for (uint32_t id = 1; id <= 3; id++) {
		peer.u.peer = (struct oc_event_peer){ .peer = id, .up = 1 };
		tell(&peer, id);
	}
	peer.u.peer = (struct oc_event_peer){ .peer = 2, .up = 0 };
	tell(&peer, 9);
	begin_part(2, 10);
	HELP_DB_TEXT("SELECT group_concat(peer) FROM peer", "1,3");
}

static void test_oev_carry_states_until_they_are_over_and_a_while_more(void)
{
	for (uint32_t version = 1; version <= 3; version++) {
		tell_report(version, 300);
		tell_version(version, version);
	}
	tell_change(1, OC_END_REPLACED, 100);
	tell_change(2, OC_END_EXPIRED, 100);
	begin_part(2, 150);
	HELP_DB_TEXT("SELECT group_concat(version||how) FROM ocs_change", "1replaced,2expired");
	HELP_DB_TEXT("SELECT group_concat(version) FROM ocs_version", "1,2,3");
	CU_ASSERT_EQUAL(help_db_ask("SELECT count(*) FROM report_raw"), 3);
	CU_ASSERT_EQUAL(help_db_ask("SELECT count(*) FROM carried_version"), 3);
	oev_carry_sweep(&carry, 161 * SECOND_NS);
	help_db_tear_down();
	help_db_set_up();
	begin_part(3, 161);
	HELP_DB_TEXT("SELECT group_concat(version) FROM ocs_version", "2,3");
	HELP_DB_TEXT("SELECT group_concat(id) FROM report", "2,3");
	HELP_DB_TEXT("SELECT group_concat(report) FROM report_raw", "2,3");
	HELP_DB_TEXT("SELECT group_concat(version||how) FROM ocs_change", "2expired");
}

static void test_oev_carry_counts_of_versions(void)
{
	struct oc_event decision = help_decision(1, 1);

	tell_version(4, 1);
	for (uint32_t nth = 1; nth <= 10; nth++) {
		decision.u.decision.realm = (struct oc_look){ 4, 250000, nth };
		decision.u.decision.selected_by = nth % 4 == 0 ? OC_SCOPE_REALM : OC_SCOPE_NONE;
		oev_tally_add(&carry.tally, &decision.u.decision);
	}
	oev_carry_keep(&carry);
	begin_part(2, 2);
	HELP_DB_TEXT("SELECT version||' '||matched||' '||selected||' '||expected_ppm||' '||remembered FROM "
		     "carried_version",
		     "4 10 2 2500000 0");
}

static void test_oev_carry_loose_reports_in_a_bounded_number(void)
{
	for (uint64_t report = 1; report <= 1000; report++)
		tell_report(report, 200);
	begin_part(2, 2);
	CU_ASSERT_EQUAL(help_db_ask("SELECT count(*) FROM report"), 512);
	CU_ASSERT_EQUAL(help_db_ask("SELECT min(id) FROM report"), 489);
	CU_ASSERT_EQUAL(help_db_ask("SELECT count(*) FROM report_raw"), 512);
}

static struct oc_event own(uint64_t sequence, enum oc_report_step step)
{
	struct oc_event event = { .kind = OC_EVENT_OWN_REPORT };

	event.u.own_report = (struct oc_event_own_report){
		.sequence = sequence, .app_id = 4, .subject = 5, .step = (uint8_t)step
	};
	return event;
}

static void test_oev_carry_own_reports_and_orders_in_force(void)
{
	struct oc_event first = own(1, OC_REPORT_BEGUN), second = own(2, OC_REPORT_CHANGED),
			gone = own(2, OC_REPORT_GONE);
	struct oc_event order = { .kind = OC_EVENT_ORDER };

	order.u.order = (struct oc_event_order){ .app_id = 4, .subject = 5, .until_ns = 500 * SECOND_NS };
	tell(&order, 1);
	order.u.order.subject = 6;
	order.u.order.until_ns = 0;
	tell(&order, 1);
	tell(&first, 1);
	tell(&second, 10);
	begin_part(2, 100);
	HELP_DB_TEXT("SELECT group_concat(sequence) FROM own_report", "1,2");
	HELP_DB_TEXT("SELECT group_concat(subject) FROM order_change", "5,6");
	tell(&gone, 700);
	order.u.order.is_withdrawal = 1;
	tell(&order, 700);
	help_db_tear_down();
	help_db_set_up();
	begin_part(3, 701);
	HELP_DB_TEXT("SELECT group_concat(sequence) FROM own_report", "2");
	CU_ASSERT_EQUAL(help_db_ask("SELECT count(*) FROM order_change"), 0);
	help_db_tear_down();
	help_db_set_up();
	begin_part(4, 1400);
	CU_ASSERT_EQUAL(help_db_ask("SELECT count(*) FROM own_report"), 0);
}

static void test_oev_carry_last_capabilities_and_loads(void)
{
	struct oc_event caps = { .kind = OC_EVENT_CAPABILITY }, load = { .kind = OC_EVENT_LOAD };

	caps.u.capability = (struct oc_event_capability){ .vector = 1, .peer = 2, .app_id = 3 };
	tell(&caps, 1);
	caps.u.capability.vector = 9;
	caps.u.capability.has = OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR;
	tell(&caps, 2);
	caps.u.capability.app_id = 4;
	tell(&caps, 3);
	load.u.load = (struct oc_event_load){ .node = 1, .value = 5 };
	tell(&load, 1);
	load.u.load.value = 6;
	tell(&load, 2);
	begin_part(2, 5);
	HELP_DB_TEXT("SELECT group_concat(app_id||vector) FROM capability", "30x9,40x9");
	HELP_DB_TEXT("SELECT group_concat(value) FROM load", "6");
}

static void tell_profile(uint32_t id)
{
	struct oc_event event = { .kind = OC_EVENT_PROFILE };

	event.u.profile.id = id;
	event.u.profile.profile.hints = (uint16_t)id;
	tell(&event, 1);
}

static int put_decision(uint64_t id, uint32_t profile)
{
	struct oc_event event = help_decision(id, 1);

	event.u.decision.profile = profile;
	int rc = help_db_put(&event);
	oev_carry_keep(&carry);
	return rc;
}

/* Numbers are given by a cache of the core: one may rest for long, and be used again. */
static void test_oev_carry_numbers_are_there_when_they_are_used(void)
{
	for (uint32_t id = 1; id <= 3; id++)
		tell_profile(id);
	begin_part(2, 2);
	HELP_DB_TEXT("SELECT group_concat(id) FROM profile", "1,2,3");
	CU_ASSERT_EQUAL(put_decision(1, 2), OC_OK); /* 1 and 3 rest in this part */
	help_db_tear_down();
	help_db_set_up();
	begin_part(3, 3);
	help_db.traffic.carry = &carry;
	HELP_DB_TEXT("SELECT group_concat(id) FROM profile", "2");
	HELP_DB_TEXT("SELECT group_concat(tbl||rows) FROM carried", "profile1");
	CU_ASSERT_EQUAL(put_decision(2, 3), OC_OK);
	CU_ASSERT_EQUAL(put_decision(3, 2), OC_OK);
	CU_ASSERT_EQUAL(put_decision(4, 3), OC_OK);
	CU_ASSERT_EQUAL(put_decision(5, 99), OC_OK); /* its event is on the way */
	HELP_DB_TEXT("SELECT group_concat(id||':'||hints) FROM (SELECT * FROM profile ORDER BY id)",
		     "2:2,3:3");
}

static void test_oev_carry_number_is_written_again_after_a_rollback(void)
{
	struct oc_event event = help_decision(1, 1);

	tell_profile(7);
	oev_carry_begun(&carry, 2); /* a part that does not carry it */
	carry.part = 3;
	event.u.decision.profile = 7;
	CU_ASSERT_EQUAL(oev_db_begin(help_db.db), OC_OK);
	oev_traffic_begin(&help_db.traffic);
	CU_ASSERT_EQUAL(oev_traffic_decision(&help_db.traffic, &event.u.decision), OC_OK);
	oev_db_rollback(help_db.db);
	oev_traffic_undo(&help_db.traffic);
	oev_carry_undo(&carry);
	CU_ASSERT_EQUAL(put_decision(1, 7), OC_OK);
	CU_ASSERT_EQUAL(help_db_ask("SELECT count(*) FROM profile WHERE id = 7"), 1);
}

void test_oev_carry_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oev_carry", NULL, NULL, set_up, tear_down);

	CU_add_test(suite, "how_many", test_oev_carry_says_how_many_rows_it_wrote);
	CU_add_test(suite, "peers_up", test_oev_carry_peers_that_are_up);
	CU_add_test(suite, "states", test_oev_carry_states_until_they_are_over_and_a_while_more);
	CU_add_test(suite, "counts", test_oev_carry_counts_of_versions);
	CU_add_test(suite, "loose_reports", test_oev_carry_loose_reports_in_a_bounded_number);
	CU_add_test(suite, "own_reports", test_oev_carry_own_reports_and_orders_in_force);
	CU_add_test(suite, "last_ones", test_oev_carry_last_capabilities_and_loads);
	CU_add_test(suite, "numbers", test_oev_carry_numbers_are_there_when_they_are_used);
	CU_add_test(suite, "numbers_rollback", test_oev_carry_number_is_written_again_after_a_rollback);
}
