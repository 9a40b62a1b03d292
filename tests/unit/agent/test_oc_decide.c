/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of drawing one request under one state: by debt, by bucket, by a share of its own.
 */
#include "help_decide.h"

void test_oc_decide_suite(void);

static void test_oc_decide_each_state_by_its_own_algorithm(void)
{
	struct world loss = world_of();
	struct world rate = world_of();

	report_loss(&loss, 50, 600);
	report_rate(&rate, 10, 600);
	CU_ASSERT_EQUAL(draw_many(&loss, 10000, 10 * MS), 5000);
	/* 100 s at 10/s, and at most the burst of its class more. */
	uint32_t sent = 10000 - draw_many(&rate, 10000, 10 * MS);
	CU_ASSERT(sent >= 1000 && sent <= 1000 + 7);
	oc_ocs_free(loss.ocs);
	oc_ocs_free(rate.ocs);
}

static void test_oc_decide_look_says_the_buckets_verdict(void)
{
	struct world w = world_of();
	report_rate(&w, 10, 60);
	uint32_t selected = 0;

	for (uint32_t i = 1; i <= 100; i++) {
		struct oc_draw d = draw(&w, 10, OC_CLASS_DEFAULT, NULL);
		CU_ASSERT_EQUAL(d.look.version, 1);
		CU_ASSERT_EQUAL(d.look.nth, i);
		CU_ASSERT_EQUAL(d.look.share_ppm, d.is_selected ? OC_PPM : 0);
		CU_ASSERT_FALSE(d.is_recovering);
		selected += d.is_selected;
	}
	CU_ASSERT_EQUAL(w.entry->matched, 100);
	CU_ASSERT_EQUAL(w.entry->selected, selected);
	CU_ASSERT_EQUAL(w.entry->expected_ppm, (uint64_t)selected * OC_PPM);
	CU_ASSERT_EQUAL(selected, 100 - 7);
	/* A more important class still finds room, and counts. */
	CU_ASSERT_FALSE(draw(&w, 10, 0, NULL).is_selected);
	oc_ocs_free(w.ocs);
}

static void test_oc_decide_repeated_report_leaves_the_bucket_alone(void)
{
	struct world w = world_of();
	report_rate(&w, 10, 60);
	struct oc_olr_value same = {
		.sequence = 1, .algorithm = OC_ALGO_RATE, .rate_rps = 10, .validity_s = 60
	};
	draw_many(&w, 50, 0);
	struct oc_rate before = oc_ocs_record(w.ocs, w.entry)->rate;

	w.now_ns += 50 * MS;
	CU_ASSERT_EQUAL(report(&w, same, NULL), OC_INTAKE_REPEATED);
	const struct oc_ocs_record *record = oc_ocs_record(w.ocs, w.entry);
	CU_ASSERT_EQUAL(record->rate.content, before.content);
	CU_ASSERT_EQUAL(record->rate.admitted_ns, before.admitted_ns);
	CU_ASSERT_EQUAL(record->expires_ns, 1060 * SECOND);
	oc_ocs_free(w.ocs);
}

static void test_oc_decide_newer_rate_changes_the_bucket_at_once(void)
{
	struct world w = world_of();

	report_rate(&w, 10, 60);
	draw_many(&w, 50, 0);
	report_rate(&w, 1000, 60);
	struct oc_ocs_record *record = oc_ocs_record(w.ocs, w.entry);
	CU_ASSERT_EQUAL(record->value.rate_rps, 1000);
	CU_ASSERT_EQUAL(record->rate.increment, (int64_t)(MS << 20));
	/* Not activated again: the bucket is full to its brim. */
	CU_ASSERT_TRUE(record->rate.content > 0);
	CU_ASSERT_TRUE(draw(&w, 10, OC_CLASS_DEFAULT, NULL).is_selected);
	w.now_ns += SECOND;
	CU_ASSERT_FALSE(draw(&w, 10, OC_CLASS_DEFAULT, NULL).is_selected);
	oc_ocs_free(w.ocs);
}

static void test_oc_decide_newer_report_may_switch_the_algorithm(void)
{
	struct world w = world_of();

	report_rate(&w, 0, 60);
	CU_ASSERT_EQUAL(draw_many(&w, 100, MS), 100);
	report_loss(&w, 20, 60);
	CU_ASSERT_FALSE(w.entry->recover.is_rate);
	CU_ASSERT_EQUAL(oc_ocs_record(w.ocs, w.entry)->value.algorithm, OC_ALGO_LOSS);
	CU_ASSERT_EQUAL(draw_many(&w, 1000, MS), 200);
	report_rate(&w, 10, 60);
	CU_ASSERT_EQUAL(oc_ocs_record(w.ocs, w.entry)->value.algorithm, OC_ALGO_RATE);
	/* A new bucket: its burst, then nobody. */
	CU_ASSERT_EQUAL(draw_many(&w, 1000, 0), 1000 - 7);
	CU_ASSERT_EQUAL(oc_ocs_active(w.ocs), 1);
	oc_ocs_free(w.ocs);
}

static void test_oc_decide_rate_zero_takes_all_and_is_probed_after(void)
{
	struct world w = world_of();

	report_rate(&w, 0, 60);
	CU_ASSERT_EQUAL(draw_many(&w, 100, MS), 100);
	w.now_ns = 1060 * SECOND;
	struct oc_draw d = draw(&w, 10, 0, NULL);
	CU_ASSERT_TRUE(d.is_probe);
	CU_ASSERT_TRUE(d.is_recovering);
	CU_ASSERT_EQUAL(w.entry->recover.phase, OC_PHASE_PROBE);
	CU_ASSERT_TRUE(draw(&w, 10, 0, NULL).is_selected);
	report_rate(&w, 0, 0); /* validity 0 ends it, by the ramp */
	CU_ASSERT_EQUAL(w.entry->recover.phase, OC_PHASE_RAMP);
	w.now_ns += 15 * SECOND;
	CU_ASSERT_DOUBLE_EQUAL(draw_many(&w, 1000, 0), 500, 1);
	oc_ocs_free(w.ocs);
}

static void test_oc_decide_rate_returns_from_what_it_took_lately(void)
{
	for (uint32_t is_end = 0; is_end < 2; is_end++) {
		struct world w = world_of();
		report_rate(&w, 50, 60);
		draw_many(&w, 5000, 10 * MS); /* 100/s against 50/s */
		CU_ASSERT_DOUBLE_EQUAL(w.entry->recover.share_ppm, 500000, 60000);
		uint32_t share_ppm = w.entry->recover.share_ppm;
		if (is_end)
			report_rate(&w, 50, 0);
		else
			w.now_ns = 1060 * SECOND;
		settle(&w);
		CU_ASSERT_EQUAL(w.entry->recover.phase, OC_PHASE_RAMP);
		CU_ASSERT_EQUAL(oc_recover_share(&w.entry->recover, w.now_ns), share_ppm);
		/* Half way down, it is drawn like any loss report. */
		w.now_ns += 15 * SECOND;
		uint64_t before = w.entry->matched;
		CU_ASSERT_DOUBLE_EQUAL(draw_many(&w, 10000, 0), share_ppm / 200.0, 2);
		CU_ASSERT_EQUAL(w.entry->matched, before + 10000);
		w.now_ns += 15 * SECOND;
		CU_ASSERT_EQUAL(draw(&w, 10, 0, NULL).look.version, 0);
		oc_ocs_free(w.ocs);
	}
}

/* A rate nobody came near to is over when it is over. */
static void test_oc_decide_rate_that_took_nothing_needs_no_return(void)
{
	struct world w = world_of();

	report_rate(&w, 1000, 60);
	CU_ASSERT_EQUAL(draw_many(&w, 1000, 10 * MS), 0);
	w.now_ns = 1060 * SECOND;
	settle(&w);
	CU_ASSERT_EQUAL(w.entry->recover.phase, OC_PHASE_OVER);
	oc_ocs_free(w.ocs);
}

static void test_oc_decide_rate_is_no_diversion_target(void)
{
	struct world w = world_of();

	CU_ASSERT_EQUAL(oc_decide_share(w.ocs, &w.key, &w.policy, w.now_ns), 0);
	report_rate(&w, 1000, 60);
	CU_ASSERT_EQUAL(oc_decide_share(w.ocs, &w.key, &w.policy, w.now_ns), 1);
	CU_ASSERT_EQUAL(oc_decide_share(w.ocs, &w.key, &w.policy, 1060 * SECOND), 0);
	report_rate(&w, 0, 60);
	CU_ASSERT_EQUAL(oc_decide_share(w.ocs, &w.key, &w.policy, w.now_ns), OC_PPM);
	report_rate(&w, 1, 60);
	draw_many(&w, 1000, MS);
	CU_ASSERT(oc_decide_share(w.ocs, &w.key, &w.policy, w.now_ns) > 900000);
	report_loss(&w, 0, 60);
	CU_ASSERT_EQUAL(oc_decide_share(w.ocs, &w.key, &w.policy, w.now_ns), 0);
	oc_ocs_free(w.ocs);
}

/* 10000 requests by a peer that asks for @peer_pct less, of which @host_pct are removed before. Returns what it gets. */
static uint32_t through_both(uint32_t host_pct, uint32_t peer_pct, enum oc_sampler_kind sampler)
{
	struct world w = world_of();
	struct oc_loss host = { 0 };
	uint32_t left = 0;

	w.policy.sampler = sampler;
	w.key.type = OC_REPORT_PEER;
	report_loss(&w, peer_pct, 600);
	for (uint32_t i = 0; i < 10000; i++) {
		if (oc_loss_draw_exact(&host, host_pct * 10000, (uint32_t)help_random(&w.chance)))
			oc_decide_credit(w.ocs, w.entry, &w.policy, w.now_ns);
		else
			left += !draw(&w, 10, OC_CLASS_DEFAULT, NULL).is_selected;
	}
	oc_ocs_free(w.ocs);
	return left;
}

static void test_oc_decide_peer_report_counts_what_others_removed(void)
{
	CU_ASSERT_DOUBLE_EQUAL(through_both(20, 30, OC_SAMPLER_EXACT), 7000, 3);
	CU_ASSERT_DOUBLE_EQUAL(through_both(20, 30, OC_SAMPLER_RANDOM), 7000, 183);
	CU_ASSERT_DOUBLE_EQUAL(through_both(50, 30, OC_SAMPLER_EXACT), 5000, 1);
	CU_ASSERT_EQUAL(through_both(0, 30, OC_SAMPLER_EXACT), 7000);
	CU_ASSERT_EQUAL(through_both(20, 100, OC_SAMPLER_EXACT), 0);
}

static void test_oc_decide_credit_is_nothing_to_a_bucket(void)
{
	struct world w = world_of();

	report_rate(&w, 10, 60);
	struct oc_ocs_entry before = *w.entry;
	for (uint32_t i = 0; i < 100; i++)
		oc_decide_credit(w.ocs, w.entry, &w.policy, w.now_ns);
	CU_ASSERT_EQUAL(w.entry->debt.owed_ppm, before.debt.owed_ppm);
	CU_ASSERT_EQUAL(draw_many(&w, 100, 0), 100 - 7);
	oc_ocs_free(w.ocs);
}

/* D-272 through the whole decision, for both samplers; the look tells the share each was drawn at. */
static void test_oc_decide_important_requests_pay_last(void)
{
	for (uint32_t s = 0; s < 2; s++) {
		struct world w = world_of();
		uint32_t selected[2] = { 0, 0 };
		uint64_t shares_ppm = 0;
		w.policy.sampler = s ? OC_SAMPLER_RANDOM : OC_SAMPLER_EXACT;
		report_loss(&w, 25, 600);
		for (uint32_t i = 0; i < 100000; i++) {
			bool is_exempt = i % 10 == 9;
			struct oc_draw d = draw(&w, is_exempt ? 0 : 10, OC_CLASS_DEFAULT, NULL);
			selected[is_exempt] += d.is_selected;
			shares_ppm += d.look.share_ppm;
		}
		CU_ASSERT_EQUAL(selected[1], 0);
		CU_ASSERT_DOUBLE_EQUAL(selected[0], 25000, s ? 500 : 2);
		CU_ASSERT_EQUAL(w.entry->expected_ppm, shares_ppm);
		oc_ocs_free(w.ocs);
	}
}

static void test_oc_decide_debt_outlives_the_version(void)
{
	struct world w = world_of();
	uint32_t selected[2] = { 0, 0 };

	/* A node that numbers every answer anew is not let off, and its first important request is not the one to pay. */
	for (uint32_t i = 0; i < 1000; i++) {
		report_loss(&w, 25, 60);
		bool is_exempt = i % 10 == 9;
		selected[is_exempt] += draw(&w, is_exempt ? 0 : 10, OC_CLASS_DEFAULT, NULL).is_selected;
	}
	CU_ASSERT_EQUAL(selected[1], 0);
	CU_ASSERT_DOUBLE_EQUAL(selected[0], 250, 40);
	w.now_ns += 100 * SECOND;
	settle(&w);
	report_loss(&w, 25, 60);
	CU_ASSERT_EQUAL(w.entry->debt.rank_seen, 0);
	CU_ASSERT_EQUAL(w.entry->debt.owed_ppm, 0);
	oc_ocs_free(w.ocs);
}

void test_oc_decide_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_decide", NULL, NULL);
	CU_add_test(suite, "D-135 R-20 each_state_by_its_own_algorithm",
		    test_oc_decide_each_state_by_its_own_algorithm);
	CU_add_test(suite, "R-12 R-22 look_says_the_buckets_verdict",
		    test_oc_decide_look_says_the_buckets_verdict);
	CU_add_test(suite, "R-11 D-082 repeated_report_leaves_the_bucket_alone",
		    test_oc_decide_repeated_report_leaves_the_bucket_alone);
	CU_add_test(suite, "R-13 newer_rate_changes_the_bucket_at_once",
		    test_oc_decide_newer_rate_changes_the_bucket_at_once);
	CU_add_test(suite, "R-4 R-12 R-13 newer_report_may_switch_the_algorithm",
		    test_oc_decide_newer_report_may_switch_the_algorithm);
	CU_add_test(suite, "R-28 D-250 D-251 rate_zero_takes_all_and_is_probed_after",
		    test_oc_decide_rate_zero_takes_all_and_is_probed_after);
	CU_add_test(suite, "R-11 R-28 D-252 D-253 rate_returns_from_what_it_took_lately",
		    test_oc_decide_rate_returns_from_what_it_took_lately);
	CU_add_test(suite, "D-252 rate_that_took_nothing_needs_no_return",
		    test_oc_decide_rate_that_took_nothing_needs_no_return);
	CU_add_test(suite, "D-140 rate_is_no_diversion_target", test_oc_decide_rate_is_no_diversion_target);
	CU_add_test(suite, "D-242 D-243 peer_report_counts_what_others_removed",
		    test_oc_decide_peer_report_counts_what_others_removed);
	CU_add_test(suite, "D-243 credit_is_nothing_to_a_bucket",
		    test_oc_decide_credit_is_nothing_to_a_bucket);
	CU_add_test(suite, "D-272 D-275 important_requests_pay_last",
		    test_oc_decide_important_requests_pay_last);
	CU_add_test(suite, "D-272 debt_outlives_the_version", test_oc_decide_debt_outlives_the_version);
}
