/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the reports this agent makes: entries, their numbers, and which answers carry them.
 */
#include "agent/wire/oc_encode.h"
#include "help_report.h"

#include <string.h>

void test_oc_report_suite(void);

static void test_oc_report_one_entry_per_algorithm(void)
{
	struct help_report h = help_report_new(10);
	struct oc_report_order order = help_report_loss(OC_REPORT_HOST, 30, 60);
	order.has_rate = true;
	order.rate_rps = 100;
	help_report_order(&h, order);
	struct oc_report_content loss = help_report_tell(&h, OC_REPORT_HOST, 7, OC_ALGO_LOSS);
	struct oc_report_content rate = help_report_tell(&h, OC_REPORT_HOST, 8, OC_ALGO_RATE);

	CU_ASSERT_EQUAL(loss.algorithm, OC_ALGO_LOSS);
	CU_ASSERT_EQUAL(loss.reduction_pct, 30);
	CU_ASSERT_EQUAL(rate.algorithm, OC_ALGO_RATE);
	CU_ASSERT_EQUAL(rate.rate_rps, 100);
	CU_ASSERT_NOT_EQUAL(loss.sequence, rate.sequence);
	CU_ASSERT_EQUAL(oc_reports_algorithms(h.reports, OC_REPORT_HOST, APP_X, SUBJECT),
			OC_FV_LOSS | OC_FV_RATE);
	order.has_rate = false;
	help_report_order(&h, order);
	struct oc_report_content end = help_report_tell(&h, OC_REPORT_HOST, 8, OC_ALGO_RATE);
	CU_ASSERT_EQUAL(end.validity_s, 0);
	CU_ASSERT_TRUE(end.sequence > rate.sequence);
	/* A client told the end of the rate must not take the loss for older. */
	CU_ASSERT_TRUE(help_report_tell(&h, OC_REPORT_HOST, 8, OC_ALGO_LOSS).sequence > end.sequence);
	CU_ASSERT_EQUAL(oc_reports_algorithms(h.reports, OC_REPORT_HOST, APP_X, SUBJECT), OC_FV_LOSS);
	help_report_free(&h);
}

static struct oc_report_order peer_order(uint32_t peer, uint32_t pct)
{
	struct oc_report_order order = help_report_loss(OC_REPORT_PEER, pct, 60);

	order.key.subject = peer;
	return order;
}

static void test_oc_report_neighbours_have_entries_of_their_own(void)
{
	struct help_report h = help_report_new(10);
	help_report_order(&h, peer_order(7, 10));
	help_report_order(&h, peer_order(8, 30));
	help_report_order(&h, peer_order(OC_NAME_NONE, 50));
	uint64_t before = help_report_tell(&h, OC_REPORT_PEER, 8, OC_ALGO_LOSS).sequence;
	help_report_order(&h, peer_order(7, 20));

	CU_ASSERT_EQUAL(help_report_tell(&h, OC_REPORT_PEER, 7, OC_ALGO_LOSS).reduction_pct, 20);
	CU_ASSERT_EQUAL(help_report_tell(&h, OC_REPORT_PEER, 8, OC_ALGO_LOSS).reduction_pct, 30);
	CU_ASSERT_EQUAL(help_report_tell(&h, OC_REPORT_PEER, 8, OC_ALGO_LOSS).sequence, before);
	CU_ASSERT_EQUAL(help_report_tell(&h, OC_REPORT_PEER, 9, OC_ALGO_LOSS).reduction_pct, 50);
	CU_ASSERT_EQUAL(oc_reports_count(h.reports), 3);
	help_report_free(&h);
}

static void test_oc_report_an_order_makes_an_entry(void)
{
	struct help_report h = help_report_new(10);

	CU_ASSERT_EQUAL(oc_reports_count(h.reports), 0);
	CU_ASSERT_FALSE(oc_reports_has(h.reports, OC_REPORT_HOST, APP_X, SUBJECT));
	help_report_order(&h, help_report_loss(OC_REPORT_HOST, 30, 0));
	CU_ASSERT_EQUAL(h.made, 1);
	CU_ASSERT_EQUAL(h.last.step, OC_REPORT_BEGUN);
	CU_ASSERT_EQUAL(h.last.validity_s, h.policy.validity_s);
	CU_ASSERT_TRUE(oc_reports_has(h.reports, OC_REPORT_HOST, APP_X, SUBJECT));
	CU_ASSERT_FALSE(oc_reports_has(h.reports, OC_REPORT_REALM, APP_X, SUBJECT));
	CU_ASSERT_FALSE(oc_reports_has(h.reports, OC_REPORT_HOST, APP_Y, SUBJECT));
	CU_ASSERT_FALSE(oc_reports_has(h.reports, OC_REPORT_HOST, APP_X, SUBJECT + 1));
	struct oc_report_view view = help_report_view(&h, 0);
	CU_ASSERT_EQUAL(view.reduction_pct, 30);
	CU_ASSERT_EQUAL(view.sequence, 10);
	CU_ASSERT_EQUAL(view.sent, 0);
	CU_ASSERT_FALSE(view.is_withdrawn);
	help_report_free(&h);
}

static void test_oc_report_row_begins_where_the_last_life_left_it(void)
{
	struct help_report h = help_report_new(7700);
	help_report_order(&h, help_report_loss(OC_REPORT_HOST, 50, 3600));
	help_report_order(&h, help_report_loss(OC_REPORT_HOST, 60, 3600));
	uint64_t told = help_report_tell(&h, OC_REPORT_HOST, 7, OC_ALGO_LOSS).sequence;
	uint64_t next = oc_reports_next_sequence(h.reports);
	help_report_free(&h);
	struct help_report second = help_report_new(next);
	help_report_order(&second, help_report_loss(OC_REPORT_HOST, 50, 3600));

	CU_ASSERT_EQUAL(told, 7701);
	CU_ASSERT_EQUAL(next, 7702);
	CU_ASSERT_TRUE(help_report_tell(&second, OC_REPORT_HOST, 7, OC_ALGO_LOSS).sequence > told);
	help_report_free(&second);
}

static void new_condition_exceeds_what_was_told(uint8_t type)
{
	struct help_report h = help_report_new(9);
	help_report_order(&h, help_report_loss(type, 50, 600));
	uint64_t told = help_report_tell(&h, type, 7, OC_ALGO_LOSS).sequence;
	help_report_withdraw(&h, help_report_key(type));
	uint64_t end = help_report_tell(&h, type, 7, OC_ALGO_LOSS).sequence;
	help_report_order(&h, help_report_rate(type, 100, 600));
	struct oc_report_content rate = help_report_tell(&h, type, 7, OC_ALGO_RATE);

	CU_ASSERT_TRUE(end > told);
	CU_ASSERT_TRUE(rate.sequence > end);
	CU_ASSERT_EQUAL(rate.step, OC_REPORT_BEGUN);
	help_report_free(&h);
}

static void test_oc_report_new_condition_exceeds_all_told(void)
{
	new_condition_exceeds_what_was_told(OC_REPORT_HOST);
	new_condition_exceeds_what_was_told(OC_REPORT_REALM);
}

static struct oc_report_order any_order(uint32_t pct)
{
	struct oc_report_order order = help_report_loss(OC_REPORT_HOST, pct, 600);

	order.key.app_id = OC_APP_ANY;
	return order;
}

/* @any_last: which of the two was ordered first must not matter. */
static void exact_goes_first_and_hands_over(bool any_last)
{
	struct help_report h = help_report_new(10);
	struct oc_report_key key = help_report_key(OC_REPORT_HOST);
	struct oc_report_receiver other = help_report_client(7, OC_ALGO_LOSS);
	other.app_id = APP_Y;
	help_report_order(&h, any_last ? help_report_loss(OC_REPORT_HOST, 50, 600) : any_order(20));
	help_report_order(&h, any_last ? any_order(20) : help_report_loss(OC_REPORT_HOST, 50, 600));
	struct oc_report_content exact = help_report_tell(&h, OC_REPORT_HOST, 7, OC_ALGO_LOSS);
	CU_ASSERT_EQUAL(exact.reduction_pct, 50);
	CU_ASSERT_EQUAL(help_report_tell_to(&h, OC_REPORT_HOST, other).reduction_pct, 20);

	CU_ASSERT_EQUAL(oc_reports_withdraw(h.reports, &h.policy, &key, h.now_ns), OC_OK);
	struct oc_report_content general = help_report_tell(&h, OC_REPORT_HOST, 7, OC_ALGO_LOSS);
	CU_ASSERT_EQUAL(general.reduction_pct, 20);
	CU_ASSERT_TRUE(general.sequence > exact.sequence);

	key.app_id = OC_APP_ANY;
	help_report_withdraw(&h, key);
	struct oc_report_content end = help_report_tell(&h, OC_REPORT_HOST, 7, OC_ALGO_LOSS);
	CU_ASSERT_EQUAL(end.validity_s, 0);
	CU_ASSERT_TRUE(end.sequence > general.sequence);
	help_report_free(&h);
}

static void test_oc_report_exact_application_goes_first_and_hands_over(void)
{
	exact_goes_first_and_hands_over(false);
	exact_goes_first_and_hands_over(true);
}

static void changes_take_new_numbers(uint8_t type)
{
	struct help_report h = help_report_new(10);
	const struct oc_report_order wanted[] = {
		help_report_loss(type, 20, 60), help_report_loss(type, 50, 60),
		help_report_loss(type, 10, 60), help_report_loss(type, 10, 90), help_report_loss(type, 10, 30)
	};

	for (uint32_t i = 0; i < 5; i++) {
		help_report_order(&h, wanted[i]);
		struct oc_report_content content = help_report_tell(&h, type, 7, OC_ALGO_LOSS);
		CU_ASSERT_EQUAL(content.sequence, 10 + i);
		CU_ASSERT_EQUAL(content.reduction_pct, wanted[i].reduction_pct);
		CU_ASSERT_EQUAL(content.validity_s, wanted[i].validity_s);
		CU_ASSERT_EQUAL(content.step, i == 0 ? OC_REPORT_BEGUN : OC_REPORT_CHANGED);
	}
	help_report_order(&h, wanted[4]);
	CU_ASSERT_EQUAL(h.made, 5); /* the same again is no change */
	help_report_free(&h);
}

static void test_oc_report_changes_take_new_numbers(void)
{
	changes_take_new_numbers(OC_REPORT_HOST);
	changes_take_new_numbers(OC_REPORT_REALM);
}

static void test_oc_report_validity_of_the_policy_reaches_contents(void)
{
	struct help_report h = help_report_new(10);
	help_report_order(&h, help_report_loss(OC_REPORT_HOST, 20, 0));
	h.policy.validity_s = 300;
	help_report_pass(&h, 2);

	CU_ASSERT_EQUAL(h.made, 2);
	CU_ASSERT_EQUAL(h.last.step, OC_REPORT_CHANGED);
	CU_ASSERT_EQUAL(h.last.validity_s, 300);
	help_report_free(&h);
}

/* Repeats do not extend a validity (D-082), so a client asking now and then is never left without. */
static void test_oc_report_is_renewed_at_half_its_validity(void)
{
	struct help_report h = help_report_new(10);
	help_report_order(&h, help_report_loss(OC_REPORT_HOST, 20, 60));
	help_report_pass(&h, 29);
	CU_ASSERT_EQUAL(h.made, 1);
	help_report_pass(&h, 1);
	CU_ASSERT_EQUAL(h.made, 2);
	CU_ASSERT_EQUAL(h.last.step, OC_REPORT_RENEWED);
	CU_ASSERT_EQUAL(h.last.sequence, 11);
	CU_ASSERT_EQUAL(h.last.reduction_pct, 20);
	help_report_pass(&h, 300);
	CU_ASSERT_EQUAL(h.made, 12);
	help_report_free(&h);
}

static void test_oc_report_peer_reports_follow_the_same_rules(void)
{
	new_condition_exceeds_what_was_told(OC_REPORT_PEER);
	changes_take_new_numbers(OC_REPORT_PEER);
}

static void test_oc_report_only_for_those_who_support_it(void)
{
	struct help_report h = help_report_new(10);
	help_report_order(&h, help_report_loss(OC_REPORT_PEER, 20, 60));
	help_report_order(&h, help_report_loss(OC_REPORT_HOST, 20, 60));
	struct oc_report_receiver to = help_report_client(7, OC_ALGO_LOSS);

	to.peer_algorithm = OC_ALGO_NONE;
	CU_ASSERT_EQUAL(help_report_tell_to(&h, OC_REPORT_PEER, to).sequence, 0);
	CU_ASSERT_NOT_EQUAL(help_report_tell_to(&h, OC_REPORT_HOST, to).sequence, 0);
	to = help_report_client(7, OC_ALGO_LOSS);
	to.algorithm = OC_ALGO_RATE; /* the two choices may differ */
	CU_ASSERT_NOT_EQUAL(help_report_tell_to(&h, OC_REPORT_PEER, to).sequence, 0);
	CU_ASSERT_EQUAL(help_report_tell_to(&h, OC_REPORT_HOST, to).sequence, 0);
	to.app_id = APP_Y;
	CU_ASSERT_EQUAL(help_report_tell_to(&h, OC_REPORT_PEER, to).sequence, 0);
	help_report_free(&h);
}

static void test_oc_report_every_answer_carries_it_to_all_alike(void)
{
	struct help_report h = help_report_new(10);
	help_report_order(&h, help_report_loss(OC_REPORT_HOST, 20, 60));

	for (uint32_t i = 0; i < 100; i++) {
		struct oc_report_content content =
			help_report_tell(&h, OC_REPORT_HOST, 7 + i % 2, OC_ALGO_LOSS);
		CU_ASSERT_EQUAL(content.sequence, 10);
		CU_ASSERT_EQUAL(content.reduction_pct, 20);
	}
	CU_ASSERT_EQUAL(help_report_view(&h, 0).sent, 100);
	help_report_free(&h);
}

static void olr_group(struct help_report *h, struct oc_group *group)
{
	struct oc_report_content content = help_report_tell(h, OC_REPORT_HOST, 7, OC_ALGO_LOSS);
	struct oc_olr olr;

	oc_report_olr(&content, &olr);
	CU_ASSERT_EQUAL(oc_encode_olr(group, &olr, NULL), OC_OK);
}

/* Two sources that want the same: one changes its mind, the other lets the policy say the validity. The third numbers agree. */
static void test_oc_report_equal_percentages_give_equal_octets(void)
{
	struct help_report h[2] = { help_report_new(10), help_report_new(10) };
	struct oc_group groups[2];

	help_report_order(&h[0], help_report_loss(OC_REPORT_HOST, 20, 60));
	help_report_order(&h[1], help_report_loss(OC_REPORT_HOST, 20, 0));
	h[1].policy.validity_s = 60;
	help_report_order(&h[1], help_report_loss(OC_REPORT_HOST, 20, 0));
	help_report_order(&h[0], help_report_loss(OC_REPORT_HOST, 35, 60));
	help_report_order(&h[0], help_report_loss(OC_REPORT_HOST, 20, 60));
	help_report_order(&h[1], help_report_loss(OC_REPORT_HOST, 20, 60));
	h[1].now_ns += 30 * SECOND;
	help_report_drain(&h[1]);
	for (uint32_t i = 0; i < 2; i++)
		olr_group(&h[i], &groups[i]);
	CU_ASSERT_EQUAL(groups[0].len, groups[1].len);
	CU_ASSERT_EQUAL(memcmp(groups[0].data, groups[1].data, groups[0].len), 0);
	help_report_free(&h[0]);
	help_report_free(&h[1]);
}

static void test_oc_report_peer_olr_names_its_source(void)
{
	struct help_report h = help_report_new(10);
	help_report_order(&h, help_report_loss(OC_REPORT_PEER, 20, 60));
	struct oc_report_content content = help_report_tell(&h, OC_REPORT_PEER, 7, OC_ALGO_LOSS);
	struct oc_olr olr;
	struct oc_group group;

	oc_report_olr(&content, &olr);
	CU_ASSERT_EQUAL(olr.type, OC_REPORT_PEER);
	CU_ASSERT_TRUE(olr.has & OC_OLR_HAS_SOURCE);
	CU_ASSERT_EQUAL(oc_encode_olr(&group, &olr, "agent.example.net"), OC_OK);
	help_report_free(&h);
}

static void test_oc_report_refuses_orders_that_make_no_sense(void)
{
	struct help_report h = help_report_new(10);
	struct oc_report_order bad[6];
	for (uint32_t i = 0; i < 6; i++)
		bad[i] = help_report_loss(OC_REPORT_HOST, 20, 60);
	bad[0].has_reduction = false;
	bad[1].reduction_pct = 101;
	bad[2].validity_s = 86401;
	bad[3].key.subject = OC_NAME_NONE;
	bad[4].key.subject = OC_NAME_OVERFLOW;
	bad[5].key.type = OC_REPORT_COUNT;

	for (uint32_t i = 0; i < 6; i++) {
		CU_ASSERT_EQUAL(oc_reports_order(h.reports, &h.policy, &bad[i], h.now_ns), OC_EINVAL);
		CU_ASSERT_EQUAL(oc_reports_withdraw(h.reports, &h.policy, &bad[i].key, h.now_ns), OC_ENOENT);
	}
	CU_ASSERT_EQUAL(oc_reports_count(h.reports), 0);
	CU_ASSERT_EQUAL(oc_reports_next_sequence(h.reports), 10);
	help_report_free(&h);
	oc_reports_free(NULL);
}

static void test_oc_report_holds_up_to_its_capacity(void)
{
	struct help_report h = help_report_new(10);
	struct oc_report_order order = help_report_loss(OC_REPORT_HOST, 20, 60);
	for (uint32_t i = 0; i < OC_REPORT_ORDERS_MAX; i++) {
		order.key.subject = 100 + i;
		help_report_order(&h, order);
	}
	order.key.subject = 99;
	CU_ASSERT_EQUAL(oc_reports_order(h.reports, &h.policy, &order, h.now_ns), OC_ENOSPC);
	CU_ASSERT_EQUAL(oc_reports_count(h.reports), OC_REPORT_ORDERS_MAX);
	order.key.subject = 130;
	help_report_withdraw(&h, order.key);
	CU_ASSERT_EQUAL(oc_reports_withdraw(h.reports, &h.policy, &order.key, h.now_ns), OC_ENOENT);
	order.key.subject = 99;
	help_report_order(&h, order);
	CU_ASSERT_EQUAL(oc_reports_snapshot(h.reports, NULL, 0), OC_REPORT_ORDERS_MAX);
	help_report_free(&h);
}

void test_oc_report_suite(void)
{
	static const CU_TestInfo tests[] = {
		{ "D-048 one_entry_per_algorithm", test_oc_report_one_entry_per_algorithm },
		{ "D-049 neighbours_have_entries_of_their_own",
		  test_oc_report_neighbours_have_entries_of_their_own },
		{ "D-090 an_order_makes_an_entry", test_oc_report_an_order_makes_an_entry },
		{ "D-091 D-093 row_begins_where_the_last_life_left_it",
		  test_oc_report_row_begins_where_the_last_life_left_it },
		{ "D-092 new_condition_exceeds_all_told", test_oc_report_new_condition_exceeds_all_told },
		{ "D-092 exact_application_goes_first_and_hands_over",
		  test_oc_report_exact_application_goes_first_and_hands_over },
		{ "D-094 D-095 D-096 D-156 changes_take_new_numbers",
		  test_oc_report_changes_take_new_numbers },
		{ "D-094 validity_of_the_policy_reaches_contents",
		  test_oc_report_validity_of_the_policy_reaches_contents },
		{ "D-094 D-082 is_renewed_at_half_its_validity",
		  test_oc_report_is_renewed_at_half_its_validity },
		{ "D-099 D-232 peer_reports_follow_the_same_rules",
		  test_oc_report_peer_reports_follow_the_same_rules },
		{ "D-101 R-5 only_for_those_who_support_it", test_oc_report_only_for_those_who_support_it },
		{ "D-102 D-112 every_answer_carries_it_to_all_alike",
		  test_oc_report_every_answer_carries_it_to_all_alike },
		{ "D-111 equal_percentages_give_equal_octets",
		  test_oc_report_equal_percentages_give_equal_octets },
		{ "D-231 D-232 peer_olr_names_its_source", test_oc_report_peer_olr_names_its_source },
		{ "D-104 refuses_orders_that_make_no_sense",
		  test_oc_report_refuses_orders_that_make_no_sense },
		{ "holds_up_to_its_capacity", test_oc_report_holds_up_to_its_capacity },
	};
	CU_pSuite suite = CU_add_suite("oc_report", NULL, NULL);

	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		CU_add_test(suite, tests[i].pName, tests[i].pTestFunc);
}
