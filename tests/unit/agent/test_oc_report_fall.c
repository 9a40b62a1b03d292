/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of how reports of our own fall and end, and how long the end is told.
 */
#include "agent/wire/oc_encode.h"
#include "help_report.h"

void test_oc_report_fall_suite(void);

static struct help_report falling(uint32_t step_pct, uint32_t interval_ms)
{
	struct help_report h = help_report_new(10);

	h.policy.fall_step_pct = step_pct;
	h.policy.fall_interval_ms = interval_ms;
	return h;
}

/* Percentages told second by second from now on, the end as 1000; how many were different. */
static uint32_t told_series(struct help_report *h, uint8_t type, uint32_t *series, uint32_t max)
{
	uint32_t count = 0;
	uint64_t sequence = 0;

	for (uint32_t s = 0; s < 100 && count < max; s++) {
		struct oc_report_content content = help_report_tell(h, type, 7, OC_ALGO_LOSS);
		if (content.sequence != sequence) {
			CU_ASSERT_TRUE(content.sequence > sequence);
			series[count++] = content.validity_s ? content.reduction_pct : 1000;
		}
		sequence = content.sequence;
		help_report_pass(h, 1);
	}
	return count;
}

static void falls_in_steps(uint8_t type)
{
	static const uint32_t want[] = { 40, 20, 1000 };
	struct help_report h = falling(20, 5000);
	uint32_t series[3] = { 0 };
	help_report_order(&h, help_report_loss(type, 60, 600));
	help_report_tell(&h, type, 7, OC_ALGO_LOSS);
	uint64_t begun_ns = h.now_ns;
	help_report_withdraw(&h, help_report_key(type));

	CU_ASSERT_EQUAL(h.last.step, OC_REPORT_CHANGED);
	CU_ASSERT_TRUE(help_report_view(&h, 0).is_withdrawn);
	CU_ASSERT_FALSE(help_report_view(&h, 0).is_ended);
	CU_ASSERT_EQUAL(told_series(&h, type, series, 3), 3);
	for (uint32_t i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(series[i], want[i]);
	CU_ASSERT_EQUAL(h.now_ns - begun_ns, 11 * SECOND); /* two intervals, and the second it was seen in */
	CU_ASSERT_TRUE(help_report_view(&h, 0).is_ended);
	help_report_free(&h);
}

static void test_oc_report_falls_in_steps_before_it_ends(void)
{
	falls_in_steps(OC_REPORT_HOST);
	falls_in_steps(OC_REPORT_REALM);
	falls_in_steps(OC_REPORT_PEER);
}

static void test_oc_report_lower_order_falls_higher_one_jumps(void)
{
	struct help_report h = falling(20, 5000);
	uint32_t series[4] = { 0 };
	help_report_order(&h, help_report_loss(OC_REPORT_HOST, 90, 600));
	help_report_tell(&h, OC_REPORT_HOST, 7, OC_ALGO_LOSS);
	help_report_order(&h, help_report_loss(OC_REPORT_HOST, 35, 600));

	CU_ASSERT_EQUAL(told_series(&h, OC_REPORT_HOST, series, 3), 3);
	CU_ASSERT_EQUAL(series[0], 70);
	CU_ASSERT_EQUAL(series[1], 50);
	CU_ASSERT_EQUAL(series[2], 35);
	CU_ASSERT_EQUAL(told_series(&h, OC_REPORT_HOST, series, 2), 1); /* and there it stays */
	help_report_order(&h, help_report_loss(OC_REPORT_HOST, 80, 600));
	CU_ASSERT_EQUAL(help_report_tell(&h, OC_REPORT_HOST, 7, OC_ALGO_LOSS).reduction_pct, 80);
	help_report_free(&h);
}

/* However often the order changes, one step per interval. */
static void test_oc_report_many_orders_do_not_hasten_the_fall(void)
{
	struct help_report h = falling(20, 5000);
	help_report_order(&h, help_report_loss(OC_REPORT_HOST, 90, 600));
	help_report_tell(&h, OC_REPORT_HOST, 7, OC_ALGO_LOSS);

	for (uint32_t pct = 89; pct > 50; pct--) {
		help_report_order(&h, help_report_loss(OC_REPORT_HOST, pct, 600));
		CU_ASSERT_EQUAL(help_report_tell(&h, OC_REPORT_HOST, 7, OC_ALGO_LOSS).reduction_pct, 89);
	}
	help_report_withdraw(&h, help_report_key(OC_REPORT_HOST));
	CU_ASSERT_EQUAL(help_report_tell(&h, OC_REPORT_HOST, 7, OC_ALGO_LOSS).reduction_pct, 89);
	help_report_pass(&h, 5);
	CU_ASSERT_EQUAL(help_report_tell(&h, OC_REPORT_HOST, 7, OC_ALGO_LOSS).reduction_pct, 69);
	help_report_free(&h);
}

static void test_oc_report_ordered_again_while_falling_or_ended(void)
{
	struct help_report h = falling(20, 5000);
	help_report_order(&h, help_report_loss(OC_REPORT_HOST, 60, 600));
	help_report_tell(&h, OC_REPORT_HOST, 7, OC_ALGO_LOSS);
	help_report_withdraw(&h, help_report_key(OC_REPORT_HOST));
	help_report_order(&h, help_report_loss(OC_REPORT_HOST, 50, 600));
	CU_ASSERT_EQUAL(h.last.step, OC_REPORT_CHANGED);
	CU_ASSERT_EQUAL(help_report_tell(&h, OC_REPORT_HOST, 7, OC_ALGO_LOSS).reduction_pct, 50);
	help_report_withdraw(&h, help_report_key(OC_REPORT_HOST));
	help_report_pass(&h, 20);
	struct oc_report_content end = help_report_tell(&h, OC_REPORT_HOST, 7, OC_ALGO_LOSS);
	CU_ASSERT_EQUAL(end.validity_s, 0);
	help_report_order(&h, help_report_loss(OC_REPORT_HOST, 30, 600));
	CU_ASSERT_EQUAL(h.last.step, OC_REPORT_BEGUN);
	CU_ASSERT_TRUE(h.last.sequence > end.sequence);
	/* Nobody holds the new one: no steps, but those that hold the old one are told the end. */
	help_report_withdraw(&h, help_report_key(OC_REPORT_HOST));
	CU_ASSERT_EQUAL(h.last.step, OC_REPORT_ENDED);
	CU_ASSERT_TRUE(help_report_tell(&h, OC_REPORT_HOST, 7, OC_ALGO_LOSS).sequence > end.sequence);
	help_report_free(&h);
}

static void test_oc_report_never_sent_is_gone_at_once(void)
{
	struct help_report h = falling(20, 5000);
	help_report_order(&h, help_report_loss(OC_REPORT_HOST, 60, 600));
	help_report_pass(&h, 2);
	help_report_withdraw(&h, help_report_key(OC_REPORT_HOST));
	CU_ASSERT_EQUAL(h.last.step, OC_REPORT_GONE);
	CU_ASSERT_EQUAL(h.last.made_ns, h.now_ns); /* of its end, not of the content */
	CU_ASSERT_EQUAL(h.last.sequence, 10);
	CU_ASSERT_EQUAL(oc_reports_next_sequence(h.reports), 11);
	CU_ASSERT_EQUAL(oc_reports_count(h.reports), 0);
	/* The same when all that was sent has run out: order at 0, last answer at 0, withdrawn at 31. */
	help_report_order(&h, help_report_loss(OC_REPORT_HOST, 60, 30));
	help_report_tell(&h, OC_REPORT_HOST, 7, OC_ALGO_LOSS);
	help_report_pass(&h, 31);
	help_report_withdraw(&h, help_report_key(OC_REPORT_HOST));
	CU_ASSERT_EQUAL(h.gone, 2);
	CU_ASSERT_EQUAL(oc_reports_count(h.reports), 0);
	help_report_free(&h);
}

/* Validity 600 sent at 0 and at 100, end at 120: told until 700. */
static void end_is_told_to_the_last(uint8_t type)
{
	struct help_report h = help_report_new(10);
	uint64_t zero_ns = h.now_ns;
	help_report_order(&h, help_report_loss(type, 60, 600));
	help_report_tell(&h, type, 7, OC_ALGO_LOSS);
	help_report_pass(&h, 100);
	uint64_t told = help_report_tell(&h, type, 8, OC_ALGO_LOSS).sequence;
	help_report_pass(&h, 20);
	help_report_withdraw(&h, help_report_key(type));
	CU_ASSERT_EQUAL(h.last.step, OC_REPORT_ENDED);
	CU_ASSERT_EQUAL(help_report_view(&h, 0).told_until_ns, zero_ns + 700 * SECOND);
	struct oc_report_content end = help_report_tell(&h, type, 7, OC_ALGO_LOSS);
	CU_ASSERT_TRUE(end.sequence > told);
	CU_ASSERT_EQUAL(end.validity_s, 0);
	CU_ASSERT_EQUAL(end.reduction_pct, 0);
	help_report_pass(&h, 579); /* 699 */
	CU_ASSERT_EQUAL(help_report_tell(&h, type, 8, OC_ALGO_LOSS).sequence, end.sequence);
	help_report_pass(&h, 1); /* 700 */
	CU_ASSERT_EQUAL(help_report_tell(&h, type, 9, OC_ALGO_LOSS).sequence, end.sequence);
	h.now_ns++;
	CU_ASSERT_EQUAL(help_report_tell(&h, type, 8, OC_ALGO_LOSS).sequence, 0);
	CU_ASSERT_EQUAL(h.gone, 0);
	help_report_drain(&h);
	CU_ASSERT_EQUAL(h.gone, 1);
	CU_ASSERT_EQUAL(h.last.sequence, end.sequence);
	CU_ASSERT_EQUAL(oc_reports_count(h.reports), 0);
	help_report_free(&h);
}

static void test_oc_report_end_is_told_until_the_last_state_is_over(void)
{
	end_is_told_to_the_last(OC_REPORT_HOST);
	end_is_told_to_the_last(OC_REPORT_REALM);
}

static void test_oc_report_end_of_peer_reports_is_told_too(void)
{
	end_is_told_to_the_last(OC_REPORT_PEER);
}

static void test_oc_report_end_has_a_percentage_and_reaches_the_silent(void)
{
	struct help_report h = help_report_new(10);
	help_report_order(&h, help_report_loss(OC_REPORT_HOST, 60, 600));
	help_report_tell(&h, OC_REPORT_HOST, 7, OC_ALGO_LOSS);
	help_report_tell(&h, OC_REPORT_HOST, 8, OC_ALGO_LOSS);
	help_report_withdraw(&h, help_report_key(OC_REPORT_HOST));
	for (uint32_t i = 0; i < 50; i++)
		help_report_tell(&h, OC_REPORT_HOST, 7, OC_ALGO_LOSS);
	help_report_pass(&h, 400);
	struct oc_report_content end = help_report_tell(&h, OC_REPORT_HOST, 8, OC_ALGO_LOSS);
	struct oc_olr olr;
	struct oc_group group;

	oc_report_olr(&end, &olr);
	CU_ASSERT_EQUAL(olr.has,
			OC_OLR_HAS_SEQUENCE | OC_OLR_HAS_TYPE | OC_OLR_HAS_VALIDITY | OC_OLR_HAS_REDUCTION);
	CU_ASSERT_EQUAL(olr.validity_s, 0);
	CU_ASSERT_EQUAL(olr.reduction_pct, 0);
	CU_ASSERT_EQUAL(oc_encode_olr(&group, &olr, NULL), OC_OK);
	help_report_free(&h);
}

static void test_oc_report_end_may_be_left_to_expiry(void)
{
	struct help_report h = help_report_new(10);
	h.policy.is_end_explicit = false;
	help_report_order(&h, help_report_loss(OC_REPORT_HOST, 60, 600));
	help_report_tell(&h, OC_REPORT_HOST, 7, OC_ALGO_LOSS);
	help_report_withdraw(&h, help_report_key(OC_REPORT_HOST));

	CU_ASSERT_EQUAL(h.made, 1);
	CU_ASSERT_EQUAL(help_report_tell(&h, OC_REPORT_HOST, 7, OC_ALGO_LOSS).sequence, 0);
	CU_ASSERT_FALSE(oc_reports_has(h.reports, OC_REPORT_HOST, APP_X, SUBJECT));
	help_report_pass(&h, 600);
	CU_ASSERT_EQUAL(h.gone, 0);
	help_report_pass(&h, 1);
	CU_ASSERT_EQUAL(h.gone, 1);
	CU_ASSERT_EQUAL(oc_reports_next_sequence(h.reports), 11);
	CU_ASSERT_EQUAL(oc_reports_count(h.reports), 0);
	help_report_free(&h);
}

static void test_oc_report_is_withdrawn_by_itself(void)
{
	struct help_report h = help_report_new(10);
	struct oc_report_order order = help_report_loss(OC_REPORT_HOST, 60, 600);
	order.until_ns = h.now_ns + 10 * SECOND;
	help_report_order(&h, order);
	help_report_tell(&h, OC_REPORT_HOST, 7, OC_ALGO_LOSS);
	help_report_pass(&h, 9);
	CU_ASSERT_EQUAL(h.made, 1);
	help_report_pass(&h, 1);
	CU_ASSERT_EQUAL(h.made, 2);
	CU_ASSERT_EQUAL(h.last.step, OC_REPORT_ENDED);
	help_report_free(&h);
}

void test_oc_report_fall_suite(void)
{
	static const CU_TestInfo tests[] = {
		{ "D-110 D-257 D-099 D-232 falls_in_steps_before_it_ends",
		  test_oc_report_falls_in_steps_before_it_ends },
		{ "D-110 lower_order_falls_higher_one_jumps",
		  test_oc_report_lower_order_falls_higher_one_jumps },
		{ "D-110 many_orders_do_not_hasten_the_fall",
		  test_oc_report_many_orders_do_not_hasten_the_fall },
		{ "D-092 ordered_again_while_falling_or_ended",
		  test_oc_report_ordered_again_while_falling_or_ended },
		{ "D-097 never_sent_is_gone_at_once", test_oc_report_never_sent_is_gone_at_once },
		{ "D-098 D-107 end_is_told_until_the_last_state_is_over",
		  test_oc_report_end_is_told_until_the_last_state_is_over },
		{ "D-099 D-232 end_of_peer_reports_is_told_too",
		  test_oc_report_end_of_peer_reports_is_told_too },
		{ "D-104 D-105 end_has_a_percentage_and_reaches_the_silent",
		  test_oc_report_end_has_a_percentage_and_reaches_the_silent },
		{ "D-106 end_may_be_left_to_expiry", test_oc_report_end_may_be_left_to_expiry },
		{ "is_withdrawn_by_itself", test_oc_report_is_withdrawn_by_itself },
	};
	CU_pSuite suite = CU_add_suite("oc_report_fall", NULL, NULL);

	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		CU_add_test(suite, tests[i].pName, tests[i].pTestFunc);
}
