/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of drawing one request under one state: by debt, by bucket, by a share of its own.
 */
#include <CUnit/CUnit.h>

#include "agent/doic/oc_decide.h"
#include "help_core.h"

void test_oc_decide_suite(void);

#define HOST 7u

/* One table, one state of app 1 and HOST, and a clock. */
struct world {
	struct oc_policy policy;
	struct oc_ocs *ocs;
	struct oc_ocs_entry *entry;
	struct oc_ocs_key key;
	uint64_t now_ns;
	uint64_t chance;
	uint64_t sequence;
	uint32_t version;
};

static struct world world_of(void)
{
	struct world w = { .ocs = oc_ocs_new(128),
			   .key = { .app_id = 1, .subject = HOST, .type = OC_REPORT_HOST },
			   .now_ns = 1000 * SECOND,
			   .chance = 5 };

	oc_policy_init(&w.policy);
	return w;
}

static void settle(struct world *w)
{
	enum oc_ocs_end how;
	uint64_t at_ns;

	while (oc_ocs_settle(w->ocs, w->entry, &w->policy, w->now_ns, &how, &at_ns) &&
	       how != OC_END_FORGOTTEN)
		;
}

static enum oc_intake report(struct world *w, struct oc_olr_value value, const struct oc_specific *specific)
{
	struct oc_ocs_birth birth = { .policy = &w->policy,
				      .now_ns = w->now_ns,
				      .random = (uint32_t)help_random(&w->chance),
				      .specific = specific };
	struct oc_ocs_entry *old;

	if (w->entry)
		settle(w);
	value.type = (uint8_t)w->key.type;
	value.sequence = value.sequence ? value.sequence : ++w->sequence;
	enum oc_intake intake = oc_ocs_compare(w->ocs, &w->key, &value, w->now_ns, &old);
	if (intake == OC_INTAKE_STALE || intake == OC_INTAKE_REPEATED)
		return intake;
	birth.version = ++w->version;
	w->entry = oc_ocs_put(w->ocs, old, &w->key, &value, &birth);
	settle(w);
	return intake;
}

static void report_loss(struct world *w, uint32_t pct, uint32_t validity_s)
{
	report(w,
	       (struct oc_olr_value){
		       .algorithm = OC_ALGO_LOSS, .reduction_pct = pct, .validity_s = validity_s },
	       NULL);
}

static void report_rate(struct world *w, uint32_t rps, uint32_t validity_s)
{
	report(w,
	       (struct oc_olr_value){ .algorithm = OC_ALGO_RATE, .rate_rps = rps, .validity_s = validity_s },
	       NULL);
}

static struct oc_draw draw(struct world *w, uint8_t rank, uint8_t klass, const struct oc_msg *request)
{
	struct oc_ask ask = { .request = request, .rank = rank, .klass = klass };

	settle(w);
	return oc_decide_draw(w->ocs, w->entry, &w->policy, &ask, w->now_ns,
			      (uint32_t)help_random(&w->chance));
}

/* Draws @count plain requests @gap_ns apart; returns how many were selected. */
static uint32_t draw_many(struct world *w, uint32_t count, uint64_t gap_ns)
{
	uint32_t selected = 0;

	for (uint32_t i = 0; i < count; i++) {
		selected += draw(w, 10, OC_CLASS_DEFAULT, NULL).is_selected;
		w->now_ns += gap_ns;
	}
	return selected;
}

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

/* Gy: 80 % for rating group 5, 100 % for group 6, nothing named for the rest. */
static struct oc_specific two_groups(uint8_t first_pct, uint8_t second_pct)
{
	struct oc_specific specific = { .count = 2,
					.highest_pct = first_pct > second_pct ? first_pct : second_pct };

	specific.reduction[0] = (struct oc_specific_reduction){ .rating_group = { 5 },
								.group_count = 1,
								.reduction_pct = first_pct };
	specific.reduction[1] = (struct oc_specific_reduction){ .rating_group = { 6 },
								.group_count = 1,
								.reduction_pct = second_pct };
	return specific;
}

static struct oc_msg credit_request(uint32_t group)
{
	return (struct oc_msg){ .cc_request_type = 2, .rating_group = { group }, .rating_group_count = 1 };
}

static void report_groups(struct world *w, uint32_t general_pct, const struct oc_specific *specific,
			  uint32_t validity_s)
{
	report(w,
	       (struct oc_olr_value){
		       .algorithm = OC_ALGO_LOSS, .reduction_pct = general_pct, .validity_s = validity_s },
	       specific);
}

static uint32_t draw_group(struct world *w, uint32_t group, uint32_t count)
{
	struct oc_msg request = credit_request(group);
	uint32_t selected = 0;

	for (uint32_t i = 0; i < count; i++)
		selected += draw(w, 10, OC_CLASS_DEFAULT, &request).is_selected;
	return selected;
}

static void test_oc_decide_specific_reductions_have_their_own_share(void)
{
	struct world w = world_of();
	struct oc_specific specific = two_groups(80, 60);

	report_groups(&w, 10, &specific, 60);
	CU_ASSERT_EQUAL(w.entry->recover.share_ppm, 800000);
	CU_ASSERT_DOUBLE_EQUAL(draw_group(&w, 5, 1000), 800, 1);
	CU_ASSERT_DOUBLE_EQUAL(draw_group(&w, 6, 1000), 600, 1);
	CU_ASSERT_DOUBLE_EQUAL(draw_group(&w, 7, 1000), 100, 1);
	/* Ended, it keeps them on the ramp. */
	report_groups(&w, 0, NULL, 0);
	w.now_ns += 15 * SECOND;
	CU_ASSERT_DOUBLE_EQUAL(draw_group(&w, 5, 1000), 400, 1);
	CU_ASSERT_DOUBLE_EQUAL(draw_group(&w, 6, 1000), 300, 1);
	CU_ASSERT_DOUBLE_EQUAL(draw_group(&w, 7, 1000), 50, 1);
	/* A newer report without any means all again. */
	report_groups(&w, 10, NULL, 60);
	CU_ASSERT_DOUBLE_EQUAL(draw_group(&w, 5, 1000), 100, 1);
	oc_ocs_free(w.ocs);
}

static void test_oc_decide_only_restricted_groups_are_probed(void)
{
	struct world w = world_of();
	struct oc_specific specific = two_groups(100, 0);
	struct oc_msg restricted = credit_request(5);
	struct oc_msg other = credit_request(7);

	report_groups(&w, 0, &specific, 60);
	CU_ASSERT_EQUAL(draw_group(&w, 5, 100), 100);
	CU_ASSERT_EQUAL(draw_group(&w, 7, 100), 0);
	w.now_ns += 60 * SECOND;
	CU_ASSERT_FALSE(draw(&w, 10, 3, &other).is_probe);
	CU_ASSERT_FALSE(draw(&w, 10, 3, &other).is_selected);
	CU_ASSERT_EQUAL(w.entry->recover.phase, OC_PHASE_PROBE);
	CU_ASSERT_TRUE(draw(&w, 10, 3, &restricted).is_probe);
	CU_ASSERT_TRUE(draw(&w, 10, 3, &restricted).is_selected);
	oc_ocs_free(w.ocs);
}

/* Requests that nothing is asked of neither pay for the others nor forgive them. */
static void test_oc_decide_unrestricted_groups_leave_the_debt_alone(void)
{
	struct world w = world_of();
	struct oc_specific specific = two_groups(50, 0);
	struct oc_msg restricted = credit_request(5);
	struct oc_msg other = credit_request(7);
	uint32_t selected = 0;

	report_groups(&w, 0, &specific, 600);
	for (uint32_t i = 0; i < 10000; i++) {
		selected += draw(&w, i & 1 ? 2 : 12, OC_CLASS_DEFAULT, &restricted).is_selected;
		CU_ASSERT_FALSE(draw(&w, 12, OC_CLASS_DEFAULT, &other).is_selected);
	}
	CU_ASSERT_DOUBLE_EQUAL(selected, 5000, 22);
	oc_ocs_free(w.ocs);
}

static void test_oc_decide_specific_pool_is_given_back(void)
{
	struct world w = world_of();
	struct oc_specific specific = two_groups(80, 60);
	uint32_t kept = 0;

	for (uint32_t i = 0; i < 3 * OC_SPECIFICS_MAX; i++) {
		w.key.subject = 2 + i % (OC_SPECIFICS_MAX + 8);
		w.entry = NULL;
		report_groups(&w, 10, &specific, 60);
		kept += w.entry->recover.is_specific;
		/* Without a place the general percentage is applied, not the highest. */
		CU_ASSERT_EQUAL(w.entry->recover.share_ppm, w.entry->recover.is_specific ? 800000u : 100000u);
		if (i >= OC_SPECIFICS_MAX + 8)
			oc_ocs_forget(w.ocs, w.entry);
	}
	/* 64 at first, 8 without; every one that came again had, or found, a place. */
	CU_ASSERT_EQUAL(kept, 3 * OC_SPECIFICS_MAX - 8);
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
	CU_add_test(suite, "specific_reductions_have_their_own_share",
		    test_oc_decide_specific_reductions_have_their_own_share);
	CU_add_test(suite, "D-251 only_restricted_groups_are_probed",
		    test_oc_decide_only_restricted_groups_are_probed);
	CU_add_test(suite, "D-272 unrestricted_groups_leave_the_debt_alone",
		    test_oc_decide_unrestricted_groups_leave_the_debt_alone);
	CU_add_test(suite, "specific_pool_is_given_back", test_oc_decide_specific_pool_is_given_back);
}
