/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Rates of single clients beside reports for all, and orders beside each other: which one governs (RFC 8582 sections 6.2 to 6.5).
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/oc_err.h"
#include "help_hop.h"

void test_oc_rows_rate_suite(void);

#define C1 "c1.example.net"
#define C2 "c2.example.net"
#define S1 "s1.example.net"
#define S3 "s3.example.net"
#define EVERY_RATE (OC_FV_LOSS | OC_FV_RATE)

static const char *const s1[] = { S1 };
static const char *const s3[] = { S3 };

/* A report of s1 with @algorithm in an answer to the plain client c2. */
static void told(struct help_core *core, uint64_t algorithm, uint64_t sequence, uint32_t value,
		 uint32_t validity_s)
{
	struct oc_msg request = help_request(core, "nobody.example.net");
	struct oc_msg answer = help_hop_plain_answer(core, S1);

	help_hop_say(core, &answer, algorithm, NULL, 0);
	struct oc_olr *olr = help_olr(&answer, OC_REPORT_HOST, sequence, value, validity_s);
	if (algorithm == OC_FV_RATE) {
		olr->has = (uint8_t)((olr->has & ~OC_OLR_HAS_REDUCTION) | OC_OLR_HAS_RATE);
		olr->rate_rps = value;
	}
	help_hop_pair(core, &request, C2, S1, &answer);
}

/* Rate 0 for one client runs out: one probe, a normal answer to it, and the return begins (D-251). */
static void test_probe_of_one_clients_rate_is_answered(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg request = help_request(core, S1);

	core->policy.ramp_ms = 10000;
	help_core_apply_policy(core);
	told(core, OC_FV_RATE, 1, 0, 10);
	CU_ASSERT_EQUAL(help_hop_many(core, &request, C2, s1, NULL, 1, 20).refused, 20);
	core->now_ns += 10 * SECOND + MS;
	CU_ASSERT_EQUAL(help_hop_many(core, &request, C2, s1, NULL, 1, 1).sent[0], 1);
	core->now_ns += 10 * SECOND + MS;
	CU_ASSERT_EQUAL(help_hop_many(core, &request, C2, s1, NULL, 1, 100).refused, 0);
	help_core_free(core);
}

/* The node that told a percentage tells a rate, then the end: that is the end of both. */
static void test_end_of_a_rate_ends_the_loss_before_it(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg request = help_request(core, S1);

	told(core, OC_FV_LOSS, 1, 50, 600);
	CU_ASSERT_EQUAL(help_hop_many(core, &request, C2, s1, NULL, 1, 100).refused, 50);
	told(core, OC_FV_RATE, 2, 1000000, 600);
	CU_ASSERT_EQUAL(help_hop_many(core, &request, C2, s1, NULL, 1, 5).refused, 0);
	told(core, OC_FV_RATE, 3, 0, 0);
	CU_ASSERT_EQUAL(help_hop_many(core, &request, C2, s1, NULL, 1, 100).refused, 0);
	/* Of another client the percentage is still asked. */
	request.origin_host = help_name(core, C1);
	CU_ASSERT_EQUAL(help_hop_many(core, &request, C1, s1, NULL, 1, 100).refused, 50);
	help_core_free(core);
}

static struct help_core *reporting_core(void)
{
	struct help_core *core = help_core_new();

	core->policy.reports.sole_path_count = 1;
	strcpy(core->policy.reports.sole_paths[0], S3);
	help_core_apply_policy(core);
	return core;
}

static void order(struct help_core *core, uint32_t app_id, bool is_rate, uint32_t value)
{
	struct oc_report_order wanted = { .key = { app_id, help_name(core, S3), OC_REPORT_HOST },
					  .has_reduction = !is_rate,
					  .has_rate = is_rate,
					  .reduction_pct = is_rate ? 0 : value,
					  .rate_rps = is_rate ? value : 0 };

	CU_ASSERT_EQUAL(oc_agent_order(core->agent, &wanted, NULL, core->now_ns), OC_OK);
	oc_agent_tick(core->agent, core->now_ns);
}

/* The one report of ours in an answer of s3 to c1, who offers both algorithms. */
static struct oc_olr heard(struct help_core *core, uint64_t *vector)
{
	struct oc_msg request = help_request(core, S3), answer = help_hop_plain_answer(core, S3);

	help_hop_say(core, &request, EVERY_RATE, NULL, 0);
	struct help_hop hop = help_hop_pair(core, &request, C1, S3, &answer);
	CU_ASSERT_EQUAL_FATAL(hop.edit.own_count, 1);
	*vector = help_hop_read(core, &hop.edit.caps).vector;
	return help_hop_read_own(core, &hop.edit.own[0]);
}

/* A percentage was ordered, now a rate: who can do both hears the rate, not the end of the percentage. */
static void test_what_is_in_force_is_told_before_an_end(void)
{
	struct help_core *core = reporting_core();
	uint64_t vector = 0;

	core->policy.reports.fall_step_pct = 0;
	help_core_apply_policy(core);
	order(core, HELP_APP, false, 50);
	struct oc_olr before = heard(core, &vector);
	CU_ASSERT_EQUAL(vector, OC_FV_LOSS);
	order(core, HELP_APP, true, 100);
	struct oc_olr after = heard(core, &vector);
	CU_ASSERT_EQUAL(vector, OC_FV_RATE);
	CU_ASSERT_TRUE(after.has & OC_OLR_HAS_RATE);
	CU_ASSERT_NOT_EQUAL(after.validity_s, 0);
	CU_ASSERT_TRUE(after.sequence > before.sequence);
	help_core_free(core);
}

/* An order for one application is withdrawn, one for all stays: clients without DOIC meet that at once. */
static void test_order_for_all_applications_takes_over(void)
{
	struct help_core *core = reporting_core();
	struct oc_msg request = help_request(core, S3);
	struct oc_report_key exact = { HELP_APP, help_name(core, S3), OC_REPORT_HOST };

	order(core, OC_APP_ANY, false, 50);
	order(core, HELP_APP, false, 100);
	CU_ASSERT_EQUAL(help_hop_many(core, &request, C2, s3, NULL, 1, 100).refused, 100);
	CU_ASSERT_EQUAL(oc_agent_withdraw(core->agent, &exact, NULL, core->now_ns), OC_OK);
	oc_agent_tick(core->agent, core->now_ns);
	CU_ASSERT_EQUAL(help_hop_many(core, &request, C2, s3, NULL, 1, 100).refused, 50);
	help_core_free(core);
}

/* No client that could be told ever came: what is withdrawn is over for the others all the same. */
static void test_withdrawn_is_over_for_plain_clients(void)
{
	struct oc_report_key key = { HELP_APP, 0, OC_REPORT_HOST };

	for (uint32_t is_rate = 0; is_rate < 2; is_rate++) {
		struct help_core *core = reporting_core();
		struct oc_msg request = help_request(core, S3);
		key.subject = help_name(core, S3);
		order(core, HELP_APP, is_rate, is_rate ? 1 : 100);
		CU_ASSERT_TRUE(help_hop_many(core, &request, C2, s3, NULL, 1, 100).refused > 85);
		CU_ASSERT_EQUAL(oc_agent_withdraw(core->agent, &key, NULL, core->now_ns), OC_OK);
		oc_agent_tick(core->agent, core->now_ns);
		CU_ASSERT_EQUAL(help_hop_many(core, &request, C2, s3, NULL, 1, 100).refused, 0);
		/* And what is ordered then counts again. */
		order(core, HELP_APP, !is_rate, is_rate ? 100 : 1);
		CU_ASSERT_TRUE(help_hop_many(core, &request, C2, s3, NULL, 1, 100).refused > 85);
		help_core_free(core);
	}
}

/* An order for every application, left to expiry: its probe is answered as well. */
static void test_probe_for_all_applications_is_answered(void)
{
	struct help_core *core = reporting_core();
	struct oc_msg request = help_request(core, S3);
	struct oc_report_key key = { OC_APP_ANY, help_name(core, S3), OC_REPORT_HOST };
	uint64_t vector = 0;

	core->policy.ramp_ms = 10000;
	core->policy.reports.fall_step_pct = 0;
	core->policy.reports.is_end_explicit = false;
	help_core_apply_policy(core);
	order(core, OC_APP_ANY, false, 100);
	heard(core, &vector);
	CU_ASSERT_EQUAL(oc_agent_withdraw(core->agent, &key, NULL, core->now_ns), OC_OK);
	core->now_ns += 30 * SECOND;
	CU_ASSERT_EQUAL(help_hop_many(core, &request, C2, s3, NULL, 1, 10).sent[0], 1);
	core->now_ns += 10 * SECOND;
	CU_ASSERT_EQUAL(help_hop_many(core, &request, C2, s3, NULL, 1, 100).refused, 0);
	help_core_free(core);
}

/* The operator's exceptional case: rate is switched off while a host holds us to one. It is announced no more, from the next
 * request on, and what was asked is kept until it ends. */
static void test_rate_switched_off_under_a_report(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg request = help_request(core, S1), answer = help_answer(core, S1);

	told(core, OC_FV_RATE, 1, 0, 600);
	core->policy.rate.is_on = false;
	help_core_apply_policy(core);
	CU_ASSERT_EQUAL(help_hop_many(core, &request, C2, s1, NULL, 1, 20).refused, 20);
	request.dest_host = help_name(core, "nobody.example.net");
	struct help_hop hop = help_hop_pair(core, &request, C2, S1, &answer);
	CU_ASSERT_EQUAL(help_hop_read(core, &hop.caps).vector, OC_FV_LOSS | OC_FV_PEER_REPORT);
	/* So the host goes on with loss. */
	told(core, OC_FV_LOSS, 2, 50, 600);
	request.dest_host = help_name(core, S1);
	CU_ASSERT_EQUAL(help_hop_many(core, &request, C2, s1, NULL, 1, 100).refused, 50);
	help_core_free(core);
}

/* One that held the rate hears its end, not the earlier end of the percentage before that. */
static void test_the_later_end_is_told(void)
{
	struct help_core *core = reporting_core();
	struct oc_report_key key = { HELP_APP, help_name(core, S3), OC_REPORT_HOST };
	uint64_t vector = 0;

	core->policy.reports.fall_step_pct = 0;
	help_core_apply_policy(core);
	order(core, HELP_APP, false, 50);
	heard(core, &vector);
	order(core, HELP_APP, true, 100);
	struct oc_olr held = heard(core, &vector);
	CU_ASSERT_EQUAL(oc_agent_withdraw(core->agent, &key, NULL, core->now_ns), OC_OK);
	struct oc_olr end = heard(core, &vector);
	CU_ASSERT_EQUAL(end.validity_s, 0);
	CU_ASSERT_TRUE(end.sequence > held.sequence);
	CU_ASSERT_EQUAL(vector, OC_FV_RATE);
	help_core_free(core);
}

void test_oc_rows_rate_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_rows_rate", NULL, NULL);
	CU_add_test(suite, "D-251 R-28 probe_of_one_clients_rate_is_answered",
		    test_probe_of_one_clients_rate_is_answered);
	CU_add_test(suite, "D-063 D-017 R-12 end_of_a_rate_ends_the_loss_before_it",
		    test_end_of_a_rate_ends_the_loss_before_it);
	CU_add_test(suite, "R-17 D-092 what_is_in_force_is_told_before_an_end",
		    test_what_is_in_force_is_told_before_an_end);
	CU_add_test(suite, "D-015 rate_switched_off_under_a_report", test_rate_switched_off_under_a_report);
	CU_add_test(suite, "D-251 D-106 probe_for_all_applications_is_answered",
		    test_probe_for_all_applications_is_answered);
	CU_add_test(suite, "D-097 D-098 D-105 the_later_end_is_told", test_the_later_end_is_told);
	CU_add_test(suite, "D-034 D-084 R-28 withdrawn_is_over_for_plain_clients",
		    test_withdrawn_is_over_for_plain_clients);
	CU_add_test(suite, "D-034 Q-18 order_for_all_applications_takes_over",
		    test_order_for_all_applications_takes_over);
}
