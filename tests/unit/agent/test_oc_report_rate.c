/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of rate reports of our own: who is allotted what, and how it is told.
 */
#include "agent/wire/oc_encode.h"
#include "help_report.h"

#include <stdlib.h>

void test_oc_report_rate_suite(void);

static struct oc_report_content tell(struct help_report *h, uint32_t node)
{
	return help_report_tell(h, OC_REPORT_HOST, node, OC_ALGO_RATE);
}

static void test_oc_report_rate_is_split_among_those_heard_of(void)
{
	struct help_report h = help_report_new(10);
	help_report_order(&h, help_report_rate(OC_REPORT_HOST, 100, 60));
	CU_ASSERT_EQUAL(h.made, 0); /* nobody to allot it to yet */
	struct oc_report_content first = tell(&h, 7);
	CU_ASSERT_EQUAL(first.rate_rps, 100);
	CU_ASSERT_EQUAL(first.target, 7);
	CU_ASSERT_EQUAL(first.step, OC_REPORT_BEGUN);
	CU_ASSERT_EQUAL(tell(&h, 8).rate_rps, 50);
	CU_ASSERT_EQUAL(help_report_drain(&h), 3); /* two begun, and the first one again */
	CU_ASSERT_EQUAL(h.last.target, 7);
	CU_ASSERT_EQUAL(h.last.step, OC_REPORT_CHANGED);
	struct oc_report_content again = tell(&h, 7);
	CU_ASSERT_EQUAL(again.rate_rps, 50);
	CU_ASSERT_TRUE(again.sequence > first.sequence);
	/* A third one: the others' next answers carry less, drained or not. */
	CU_ASSERT_EQUAL(tell(&h, 9).rate_rps, 33);
	CU_ASSERT_EQUAL(tell(&h, 7).rate_rps, 33);
	CU_ASSERT_TRUE(tell(&h, 7).sequence > again.sequence);
	CU_ASSERT_EQUAL(help_report_view(&h, 0).targets, 3);
	CU_ASSERT_EQUAL(help_report_view(&h, 0).rate_each_rps, 33);
	help_report_free(&h);
}

static void test_oc_report_rate_entries_are_per_application(void)
{
	struct help_report h = help_report_new(10);
	struct oc_report_order order = help_report_rate(OC_REPORT_HOST, 100, 60);
	struct oc_report_receiver on_y = help_report_client(7, OC_ALGO_RATE);
	on_y.app_id = APP_Y;
	help_report_order(&h, order);
	order.key.app_id = APP_Y;
	order.rate_rps = 30;
	help_report_order(&h, order);
	CU_ASSERT_EQUAL(tell(&h, 7).rate_rps, 100);
	CU_ASSERT_EQUAL(help_report_tell_to(&h, OC_REPORT_HOST, on_y).rate_rps, 30);
	help_report_free(&h);

	/* Under one order for all applications a client counts once in each: it keeps a limit for each. */
	h = help_report_new(10);
	order.key.app_id = OC_APP_ANY;
	help_report_order(&h, order);
	CU_ASSERT_EQUAL(tell(&h, 7).rate_rps, 30);
	struct oc_report_content content = help_report_tell_to(&h, OC_REPORT_HOST, on_y);
	CU_ASSERT_EQUAL(content.rate_rps, 15);
	CU_ASSERT_EQUAL(content.key.app_id, APP_Y);
	CU_ASSERT_EQUAL(tell(&h, 7).rate_rps, 15);
	help_report_free(&h);
}

static void test_oc_report_rate_counts_a_client_once_in_each_application(void)
{
	struct help_report h = help_report_new(10);
	struct oc_report_order order = help_report_rate(OC_REPORT_HOST, 10000, 60);
	struct oc_report_receiver to = help_report_client(7, OC_ALGO_RATE);
	order.key.app_id = OC_APP_ANY;
	help_report_order(&h, order);

	for (uint32_t round = 0; round < 2; round++) {
		for (to.app_id = 1; to.app_id <= 200; to.app_id++) {
			struct oc_report_content content = help_report_tell_to(&h, OC_REPORT_HOST, to);
			CU_ASSERT_EQUAL(content.key.app_id, to.app_id);
			CU_ASSERT_EQUAL(content.rate_rps, 10000 / (round ? 200 : to.app_id));
		}
	}
	CU_ASSERT_EQUAL(help_report_view(&h, 0).targets, 200);
	help_report_free(&h);
}

/* The rate of an order for all takes over with a higher number than the end of the exact one had. */
static void test_oc_report_rate_hands_over(void)
{
	struct help_report h = help_report_new(10);
	struct oc_report_order any = help_report_rate(OC_REPORT_HOST, 100, 60);
	any.key.app_id = OC_APP_ANY;
	help_report_order(&h, any);
	CU_ASSERT_EQUAL(tell(&h, 7).rate_rps, 100);
	help_report_order(&h, help_report_rate(OC_REPORT_HOST, 30, 60));
	struct oc_report_content exact = tell(&h, 7);
	CU_ASSERT_EQUAL(exact.rate_rps, 30);
	help_report_withdraw(&h, help_report_key(OC_REPORT_HOST));
	struct oc_report_content general = tell(&h, 7);
	CU_ASSERT_EQUAL(general.rate_rps, 100);
	CU_ASSERT_TRUE(general.sequence > exact.sequence);
	CU_ASSERT_EQUAL(general.step, OC_REPORT_RENEWED);
	help_report_free(&h);
}

static void test_oc_report_rate_target_is_who_the_type_says(void)
{
	static const uint32_t want[OC_REPORT_COUNT] = { 71, 72, 73 };
	struct oc_report_receiver to = { APP_X, 71, 72, 73, OC_ALGO_RATE, OC_ALGO_RATE };

	for (uint8_t type = 0; type < OC_REPORT_COUNT; type++) {
		struct help_report h = help_report_new(10);
		help_report_order(&h, help_report_rate(type, 100, 60));
		CU_ASSERT_EQUAL(help_report_tell_to(&h, type, to).target, want[type]);
		help_report_free(&h);
	}
	struct help_report h = help_report_new(10);
	help_report_order(&h, help_report_rate(OC_REPORT_HOST, 100, 60));
	CU_ASSERT_EQUAL(tell(&h, OC_NAME_OVERFLOW).sequence, 0);
	CU_ASSERT_EQUAL(tell(&h, OC_NAME_NONE).sequence, 0);
	CU_ASSERT_EQUAL(help_report_view(&h, 0).targets, 0);
	help_report_free(&h);
}

static void test_oc_report_rate_olr_has_a_rate_and_no_percentage(void)
{
	struct help_report h = help_report_new(10);
	struct oc_olr olr;
	struct oc_group group;
	help_report_order(&h, help_report_rate(OC_REPORT_HOST, 0, 60));

	for (uint32_t i = 0; i < 2; i++) {
		struct oc_report_content content = tell(&h, 7);
		oc_report_olr(&content, &olr);
		CU_ASSERT_EQUAL(olr.has, OC_OLR_HAS_SEQUENCE | OC_OLR_HAS_TYPE | OC_OLR_HAS_VALIDITY |
						 OC_OLR_HAS_RATE);
		CU_ASSERT_EQUAL(olr.rate_rps, 0);
		CU_ASSERT_EQUAL(olr.validity_s, i == 0 ? 60 : 0);
		CU_ASSERT_EQUAL(oc_encode_olr(&group, &olr, NULL), OC_OK);
		if (i == 0)
			help_report_withdraw(&h, help_report_key(OC_REPORT_HOST));
	}
	help_report_free(&h);
}

/* The end says the total, so that who overlooks the validity is not shut out. */
static void test_oc_report_rate_ends_without_steps(void)
{
	struct help_report h = help_report_new(10);
	h.policy.fall_step_pct = 20;
	help_report_order(&h, help_report_rate(OC_REPORT_HOST, 100, 600));
	tell(&h, 7);
	tell(&h, 8);
	uint64_t told = tell(&h, 7).sequence;
	help_report_withdraw(&h, help_report_key(OC_REPORT_HOST));
	struct oc_report_content end = tell(&h, 7);
	CU_ASSERT_EQUAL(end.step, OC_REPORT_ENDED);
	CU_ASSERT_EQUAL(end.validity_s, 0);
	CU_ASSERT_EQUAL(end.rate_rps, 100);
	CU_ASSERT_EQUAL(end.target, 0);
	CU_ASSERT_TRUE(end.sequence > told);
	CU_ASSERT_EQUAL(tell(&h, 8).sequence, end.sequence);
	CU_ASSERT_EQUAL(help_report_view(&h, 0).targets, 0);
	help_report_pass(&h, 600);
	CU_ASSERT_EQUAL(tell(&h, 8).sequence, end.sequence);
	help_report_pass(&h, 1);
	CU_ASSERT_EQUAL(h.last.step, OC_REPORT_GONE);
	CU_ASSERT_EQUAL(oc_reports_count(h.reports), 0);
	help_report_order(&h, help_report_rate(OC_REPORT_HOST, 100, 600));
	help_report_withdraw(&h, help_report_key(OC_REPORT_HOST));
	CU_ASSERT_EQUAL(oc_reports_count(h.reports), 0); /* never sent */
	help_report_free(&h);
}

static void test_oc_report_rate_needs_no_overload(void)
{
	struct help_report h = help_report_new(10);
	struct oc_report_order order = help_report_loss(OC_REPORT_HOST, 0, 60);
	order.has_rate = true;
	order.rate_rps = 5000;
	help_report_order(&h, order);

	CU_ASSERT_EQUAL(tell(&h, 7).rate_rps, 5000);
	CU_ASSERT_EQUAL(help_report_tell(&h, OC_REPORT_HOST, 8, OC_ALGO_LOSS).reduction_pct, 0);
	for (uint32_t i = 0; i < 100; i++)
		CU_ASSERT_EQUAL(tell(&h, 7).rate_rps, 5000); /* in every answer */
	help_report_free(&h);
}

static void test_oc_report_rate_of_the_idle_goes_to_the_others(void)
{
	struct help_report h = help_report_new(10);
	h.policy.target_idle_ms = 20000;
	help_report_order(&h, help_report_rate(OC_REPORT_HOST, 100, 600));
	tell(&h, 7);
	tell(&h, 8);
	for (uint32_t i = 0; i < 20; i++) {
		help_report_pass(&h, 1);
		CU_ASSERT_EQUAL(tell(&h, 7).rate_rps, 50);
	}
	CU_ASSERT_EQUAL(h.gone, 0);
	help_report_pass(&h, 1);
	CU_ASSERT_EQUAL(h.gone, 1);
	CU_ASSERT_EQUAL(tell(&h, 7).rate_rps, 100);
	CU_ASSERT_EQUAL(help_report_view(&h, 0).targets, 1);
	/* What it was told may last: the end is told as long. */
	CU_ASSERT_EQUAL(help_report_view(&h, 0).told_until_ns, h.now_ns + 600 * SECOND);
	CU_ASSERT_EQUAL(tell(&h, 8).rate_rps, 50);
	help_report_free(&h);
}

static void test_oc_report_rate_total_changes_all_and_is_renewed(void)
{
	struct help_report h = help_report_new(10);
	h.policy.target_idle_ms = 600000;
	help_report_order(&h, help_report_rate(OC_REPORT_HOST, 100, 60));
	tell(&h, 7);
	tell(&h, 8);
	help_report_drain(&h);
	help_report_order(&h, help_report_rate(OC_REPORT_HOST, 61, 60));
	CU_ASSERT_EQUAL(h.made, 5);
	CU_ASSERT_EQUAL(tell(&h, 7).rate_rps, 30);
	CU_ASSERT_EQUAL(tell(&h, 8).rate_rps, 30);
	uint64_t before = tell(&h, 8).sequence;
	help_report_pass(&h, 30);
	CU_ASSERT_EQUAL(h.made, 7);
	CU_ASSERT_EQUAL(h.last.step, OC_REPORT_RENEWED);
	CU_ASSERT_TRUE(tell(&h, 8).sequence > before);
	help_report_free(&h);
}

static void test_oc_report_rate_has_no_room_for_one_more(void)
{
	struct help_report h = help_report_new(10);
	h.policy.target_idle_ms = 5000;
	help_report_order(&h, help_report_rate(OC_REPORT_HOST, 100000, 600));
	for (uint32_t i = 0; i < OC_REPORT_TARGETS_MAX; i++) {
		CU_ASSERT_EQUAL(tell(&h, 100 + i).rate_rps, 100000 / (i + 1));
		if (i % 100 == 0)
			help_report_drain(&h);
	}
	CU_ASSERT_EQUAL(tell(&h, 99).sequence, 0);
	help_report_drain(&h);
	CU_ASSERT_EQUAL(tell(&h, 99).sequence, 0);
	CU_ASSERT_EQUAL(help_report_view(&h, 0).targets, OC_REPORT_TARGETS_MAX);
	help_report_pass(&h, 6);
	CU_ASSERT_EQUAL(help_report_view(&h, 0).targets, 0);
	CU_ASSERT_EQUAL(tell(&h, 99).rate_rps, 100000);
	help_report_free(&h);
}

/* Nothing is told that waits in no queue: contents that find it full are not made. */
static void test_oc_report_rate_waits_for_the_trail(void)
{
	struct help_report h = help_report_new(10);
	h.policy.target_idle_ms = 600000;
	help_report_order(&h, help_report_rate(OC_REPORT_HOST, 100000, 600));
	uint32_t refused = 0;
	uint64_t highest = 0;
	for (uint32_t round = 0; round < 8; round++) {
		h.now_ns += 300 * SECOND; /* all are due for renewal */
		for (uint32_t i = 0; i < 500; i++) {
			uint64_t sequence = tell(&h, 100 + i).sequence;
			refused += sequence == 0;
			highest = sequence > highest ? sequence : highest;
		}
	}
	CU_ASSERT_TRUE(refused > 0);
	CU_ASSERT_EQUAL(oc_reports_next_sequence(h.reports), highest + 1);
	uint32_t read = help_report_drain(&h);
	CU_ASSERT_EQUAL(oc_reports_next_sequence(h.reports), 10 + read);
	CU_ASSERT_NOT_EQUAL(tell(&h, 100).sequence, 0);
	help_report_free(&h);
}

/* Clients that come and go at random: what is allotted never sums above the total, and over time they share all of it. */
static void test_oc_report_rate_sum_never_exceeds_the_total(void)
{
	struct help_report h = help_report_new(10);
	uint32_t *allotted = calloc(400, sizeof(*allotted));
	uint64_t chance = 6;
	h.policy.target_idle_ms = 3000;
	help_report_order(&h, help_report_rate(OC_REPORT_HOST, 10007, 60));

	for (uint32_t i = 0; i < 100000; i++) {
		uint32_t crowd = 1 + i / 500 % 200; /* more and more of them, then few again */
		h.now_ns += help_random(&chance) % (20 * MS);
		uint32_t node = 100 + (uint32_t)(help_random(&chance) % crowd);
		struct oc_report_content content = tell(&h, node);
		struct oc_report_view view = help_report_view(&h, 0);
		CU_ASSERT_EQUAL(content.rate_rps, view.rate_each_rps);
		if ((uint64_t)view.rate_each_rps * view.targets > 10007)
			CU_FAIL_FATAL("more is allotted than there is");
		while (oc_reports_step(h.reports, &h.policy, h.now_ns, &content))
			allotted[content.target] = content.step == OC_REPORT_GONE ? 0 : content.rate_rps;
		uint64_t sum = 0;
		for (uint32_t t = 0; t < 400; t++)
			sum += allotted[t];
		if (sum > 10007 || sum + 200 < 10007)
			CU_FAIL_FATAL("the contents made do not share the total");
	}
	free(allotted);
	help_report_free(&h);
}

void test_oc_report_rate_suite(void)
{
	static const CU_TestInfo tests[] = {
		{ "R-7 R-9 R-14 R-16 rate_is_split_among_those_heard_of",
		  test_oc_report_rate_is_split_among_those_heard_of },
		{ "R-8 rate_entries_are_per_application", test_oc_report_rate_entries_are_per_application },
		{ "R-8 rate_counts_a_client_once_in_each_application",
		  test_oc_report_rate_counts_a_client_once_in_each_application },
		{ "D-092 rate_hands_over", test_oc_report_rate_hands_over },
		{ "R-15 R-1 rate_target_is_who_the_type_says",
		  test_oc_report_rate_target_is_who_the_type_says },
		{ "R-10 R-19 R-22 rate_olr_has_a_rate_and_no_percentage",
		  test_oc_report_rate_olr_has_a_rate_and_no_percentage },
		{ "R-11 D-098 rate_ends_without_steps", test_oc_report_rate_ends_without_steps },
		{ "R-17 R-18 rate_needs_no_overload", test_oc_report_rate_needs_no_overload },
		{ "R-23 rate_of_the_idle_goes_to_the_others",
		  test_oc_report_rate_of_the_idle_goes_to_the_others },
		{ "R-11 R-16 rate_total_changes_all_and_is_renewed",
		  test_oc_report_rate_total_changes_all_and_is_renewed },
		{ "R-23 rate_has_no_room_for_one_more", test_oc_report_rate_has_no_room_for_one_more },
		{ "rate_waits_for_the_trail", test_oc_report_rate_waits_for_the_trail },
		{ "R-23 R-26 rate_sum_never_exceeds_the_total",
		  test_oc_report_rate_sum_never_exceeds_the_total },
	};
	CU_pSuite suite = CU_add_suite("oc_report_rate", NULL, NULL);

	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		CU_add_test(suite, tests[i].pName, tests[i].pTestFunc);
}
