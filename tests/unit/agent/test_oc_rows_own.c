/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reports of this agent in the answers it passes on, and rate where it reacts (RFC 7683 sections 5.1.3, 5.2.3; RFC 8582).
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/oc_err.h"
#include "help_hop.h"

void test_oc_rows_own_suite(void);

#define C1 "c1.example.net"
#define C2 "c2.example.net"
#define S1 "s1.example.net"
#define S2 "s2.example.net"
#define S3 "s3.example.net"
#define REALM "example.net"

static const char *const servers[] = { S3, S1 };

/* An agent that may report for s3 and for its realm. */
static struct help_core *reporting_core(void)
{
	struct help_core *core = help_core_new();

	core->policy.reports.sole_path_count = 1;
	strcpy(core->policy.reports.sole_paths[0], S3);
	core->policy.reports.realm_count = 1;
	strcpy(core->policy.reports.realms[0], REALM);
	help_core_apply_policy(core);
	return core;
}

static void order(struct help_core *core, uint8_t type, const char *subject, uint32_t pct)
{
	struct oc_report_order wanted = {
		.key = { HELP_APP, subject ? help_name(core, subject) : 0, type },
		.has_reduction = true,
		.reduction_pct = pct,
	};

	CU_ASSERT_EQUAL(oc_agent_order(core->agent, &wanted, NULL, core->now_ns), OC_OK);
	oc_agent_tick(core->agent, core->now_ns);
}

static struct oc_msg doic_request(struct help_core *core, const char *dest_host, uint64_t vector)
{
	struct oc_msg request = help_request(core, dest_host);

	help_hop_say(core, &request, vector, vector & OC_FV_PEER_REPORT ? C1 : NULL, 0);
	return request;
}

static uint32_t types_of(const struct oc_answer_edit *edit)
{
	uint32_t types = 0;

	for (uint32_t i = 0; i < edit->own_count; i++)
		types |= 1u << edit->own[i].key.type;
	return types;
}

/* Towards its clients the agent is a reporting node: for a server without DOIC, under the server's name; in every answer. */
static void test_reports_for_a_server_without_doic(void)
{
	struct help_core *core = reporting_core();
	struct oc_msg request = doic_request(core, S3, OC_FV_LOSS), plain = help_request(core, S3);
	struct oc_msg answer = help_hop_plain_answer(core, S3), other = help_hop_plain_answer(core, S1);

	order(core, OC_REPORT_HOST, S3, 50);
	for (uint32_t i = 0; i < 100; i++) {
		struct help_hop hop = help_hop_pair(core, &request, C1, S3, &answer);
		CU_ASSERT_EQUAL_FATAL(hop.verdict, OC_FORWARD);
		CU_ASSERT_EQUAL_FATAL(hop.edit.own_count, 1);
		struct oc_olr olr = help_hop_read_own(core, &hop.edit.own[0]);
		CU_ASSERT_EQUAL(olr.type, OC_REPORT_HOST);
		CU_ASSERT_EQUAL(olr.reduction_pct, 50);
		CU_ASSERT_EQUAL(hop.edit.own[0].key.subject, help_name(core, S3));
		CU_ASSERT_TRUE(hop.edit.add_caps);
		CU_ASSERT_EQUAL(help_hop_read(core, &hop.edit.caps).vector, OC_FV_LOSS);
	}
	struct help_hop hop = help_hop_pair(core, &request, C1, S1, &other);
	CU_ASSERT_EQUAL(hop.edit.own_count, 0);
	hop = help_hop_send(core, &plain, C2, servers, NULL, 1);
	while (hop.verdict == OC_REFUSE)
		hop = help_hop_send(core, &plain, C2, servers, NULL, 1);
	help_hop_answer(core, &hop, &answer);
	CU_ASSERT_EQUAL(hop.edit.own_count, 0);
	CU_ASSERT_FALSE(hop.edit.add_caps);
	help_core_free(core);
}

/* What survived the client's abatement is not cut a second time; a plain client's is cut here; other limits stand. */
static void test_survivors_are_not_throttled_again(void)
{
	struct help_core *core = reporting_core();
	struct oc_msg request = doic_request(core, S3, OC_FV_LOSS), plain = help_request(core, S3);

	order(core, OC_REPORT_HOST, S3, 50);
	CU_ASSERT_EQUAL(help_hop_many(core, &request, C1, servers, NULL, 1, 1000).refused, 0);
	uint32_t refused = help_hop_many(core, &plain, C2, servers, NULL, 1, 1000).refused;
	CU_ASSERT_TRUE(refused >= 499 && refused <= 501);
	core->policy.outstanding_max = 10;
	help_core_apply_policy(core);
	for (uint32_t i = 0; i < 30; i++) {
		struct help_hop hop = help_hop_send(core, &request, C1, servers, NULL, 1);
		CU_ASSERT_EQUAL(hop.verdict, i < 10 ? OC_FORWARD : OC_REFUSE);
	}
	help_core_free(core);
}

/* A realm report goes with answers of that realm, in all three types at once where they fit. */
static void test_realm_report_goes_with_its_realm(void)
{
	struct help_core *core = reporting_core();
	struct oc_msg request = doic_request(core, S3, OC_FV_LOSS | OC_FV_PEER_REPORT);
	struct oc_msg answer = help_hop_plain_answer(core, S3), foreign = help_hop_plain_answer(core, S3);

	foreign.origin_host = help_name(core, "s9.example.com");
	foreign.origin_realm = help_name(core, "example.com");
	order(core, OC_REPORT_REALM, REALM, 10);
	struct help_hop hop = help_hop_pair(core, &request, C1, S3, &foreign);
	CU_ASSERT_EQUAL(types_of(&hop.edit), 0);
	hop = help_hop_pair(core, &request, C1, S3, &answer);
	CU_ASSERT_EQUAL(types_of(&hop.edit), 2);
	order(core, OC_REPORT_HOST, S3, 20);
	order(core, OC_REPORT_PEER, NULL, 30);
	hop = help_hop_pair(core, &request, C1, S3, &answer);
	CU_ASSERT_EQUAL(hop.edit.own_count, 3);
	CU_ASSERT_EQUAL(types_of(&hop.edit), 7);
	help_core_free(core);
}

/* A report from upstream of what this agent reports for does not travel on beside its own. */
static void test_no_second_series(void)
{
	struct help_core *core = reporting_core();
	struct oc_msg request = doic_request(core, S1, OC_FV_LOSS), answer = help_answer(core, S1);
	struct oc_stats stats;

	help_olr(&answer, OC_REPORT_REALM, 3, 70, 60);
	help_olr(&answer, OC_REPORT_HOST, 4, 40, 60);
	struct help_hop hop = help_hop_pair(core, &request, C1, S1, &answer);
	CU_ASSERT_EQUAL(hop.edit.strip_olr & 3, 0);
	order(core, OC_REPORT_REALM, REALM, 10);
	hop = help_hop_pair(core, &request, C1, S1, &answer);
	CU_ASSERT_EQUAL(hop.edit.strip_olr & 3, 1);
	CU_ASSERT_EQUAL(types_of(&hop.edit), 2);
	CU_ASSERT_EQUAL(hop.edit.own[0].reduction_pct, 10);
	oc_agent_stats(core->agent, &stats);
	CU_ASSERT_EQUAL(stats.value[OC_STAT_REPORT_CLASHES], 1);
	help_core_free(core);
}

/* Neither algorithm nor report for a client that announced nothing; loss for one that offers no rate. */
static void test_selection_follows_the_request(void)
{
	struct help_core *core = reporting_core();
	struct oc_msg plain = help_request(core, S1), loss = doic_request(core, S3, OC_FV_LOSS);
	struct oc_msg rate = doic_request(core, S3, OC_FV_LOSS | OC_FV_RATE);
	struct oc_msg answer = help_hop_plain_answer(core, S3), said = help_answer(core, S1);
	struct oc_report_order wanted = {
		.key = { HELP_APP, help_name(core, S3), OC_REPORT_HOST },
		.has_reduction = true,
		.reduction_pct = 0,
		.has_rate = true,
		.rate_rps = 1000,
	};

	core->policy.reports.prefers = OC_ALGO_RATE;
	help_core_apply_policy(core);
	CU_ASSERT_EQUAL(oc_agent_order(core->agent, &wanted, NULL, core->now_ns), OC_OK);
	oc_agent_tick(core->agent, core->now_ns);
	struct help_hop hop = help_hop_pair(core, &plain, C2, S1, &said);
	CU_ASSERT_TRUE(hop.edit.strip_caps && !hop.edit.add_caps);
	CU_ASSERT_EQUAL(hop.edit.own_count, 0);
	hop = help_hop_pair(core, &loss, C1, S3, &answer);
	CU_ASSERT_EQUAL(help_hop_read(core, &hop.edit.caps).vector, OC_FV_LOSS);
	CU_ASSERT_EQUAL_FATAL(hop.edit.own_count, 1);
	CU_ASSERT_FALSE(help_hop_read_own(core, &hop.edit.own[0]).has & OC_OLR_HAS_RATE);
	hop = help_hop_pair(core, &rate, C1, S3, &answer);
	CU_ASSERT_EQUAL(help_hop_read(core, &hop.edit.caps).vector, OC_FV_RATE);
	CU_ASSERT_EQUAL_FATAL(hop.edit.own_count, 1);
	CU_ASSERT_TRUE(help_hop_read_own(core, &hop.edit.own[0]).has & OC_OLR_HAS_RATE);
	help_core_free(core);
}

/* A rate report of s1 to the plain client c2, from the neighbour @from. */
static struct help_hop rate_report(struct help_core *core, const char *from, uint64_t vector,
				   uint64_t sequence, uint32_t value)
{
	struct oc_msg request = help_request(core, "nobody.example.net");
	struct oc_msg answer = help_hop_plain_answer(core, S1);

	help_hop_say(core, &answer, vector, NULL, 0);
	struct oc_olr *olr = help_olr(&answer, OC_REPORT_HOST, sequence, value, 600);
	if (vector == OC_FV_RATE) {
		olr->has = (uint8_t)((olr->has & ~OC_OLR_HAS_REDUCTION) | OC_OLR_HAS_RATE);
		olr->rate_rps = value;
	}
	return help_hop_pair(core, &request, C2, from, &answer);
}

/* @count states about s1, whatever their origin. */
static struct oc_ocs_view only_state(struct help_core *core)
{
	struct oc_ocs_view view = { 0 };

	CU_ASSERT_EQUAL(oc_agent_snapshot(core->agent, core->now_ns, &view, 1), 1);
	return view;
}

static void test_loss_after_rate_takes_over(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg request = help_request(core, S1);
	const char *const s1[] = { S1 };

	rate_report(core, S1, OC_FV_RATE, 1, 5);
	CU_ASSERT_EQUAL(only_state(core).algorithm, OC_ALGO_RATE);
	CU_ASSERT_EQUAL(only_state(core).rate_rps, 5);
	uint32_t refused = help_hop_many(core, &request, C2, s1, NULL, 1, 100).refused;
	CU_ASSERT_TRUE(refused >= 89 && refused <= 99);
	rate_report(core, S1, OC_FV_LOSS, 2, 50);
	CU_ASSERT_EQUAL(help_hop_many(core, &request, C2, s1, NULL, 1, 100).refused, 50);
	help_core_free(core);
}

/* Beyond the rate: another server if there is one, else an error. */
static void test_rate_diverts_then_throttles(void)
{
	static const int32_t scores[] = { 20, 10 };
	const char *const list[] = { S1, S2 };
	struct help_core *core = help_core_new();
	struct oc_msg request = help_request(core, NULL);

	rate_report(core, S1, OC_FV_RATE, 1, 5);
	struct help_hop_counts counts = help_hop_many(core, &request, C2, list, scores, 2, 100);
	CU_ASSERT_EQUAL(counts.refused, 0);
	CU_ASSERT_EQUAL(counts.diverted, counts.sent[1]);
	CU_ASSERT_TRUE(counts.sent[0] >= 1 && counts.sent[0] <= 11);
	counts = help_hop_many(core, &request, C2, list, scores, 1, 100);
	CU_ASSERT_EQUAL(counts.refused, 100);
	CU_ASSERT_EQUAL(counts.result_code, OC_RC_UNABLE_TO_COMPLY);
	help_core_free(core);
}

static void test_rate_of_the_untrusted_is_nothing(void)
{
	struct help_core *core = help_core_new();

	help_trust(core, "x9.example.net", OC_TRUST_DOIC, NULL);
	struct help_hop hop = rate_report(core, "x9.example.net", OC_FV_RATE, 1, 0);
	CU_ASSERT_TRUE(hop.edit.strip_all_olr || (hop.edit.strip_olr & 1));
	CU_ASSERT_EQUAL(oc_agent_snapshot(core->agent, core->now_ns, NULL, 0), 0);
	help_core_free(core);
}

void test_oc_rows_own_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_rows_own", NULL, NULL);
	CU_add_test(suite, "D-006 D-035 D-036 D-100 D-022 reports_for_a_server_without_doic",
		    test_reports_for_a_server_without_doic);
	CU_add_test(suite, "D-006 D-108 D-109 survivors_are_not_throttled_again",
		    test_survivors_are_not_throttled_again);
	CU_add_test(suite, "D-114 D-116 realm_report_goes_with_its_realm",
		    test_realm_report_goes_with_its_realm);
	CU_add_test(suite, "D-113 D-115 no_second_series", test_no_second_series);
	CU_add_test(suite, "R-6 R-17 D-024 D-025 D-048 selection_follows_the_request",
		    test_selection_follows_the_request);
	CU_add_test(suite, "R-4 R-12 R-13 D-017 loss_after_rate_takes_over", test_loss_after_rate_takes_over);
	CU_add_test(suite, "R-21 D-135 rate_diverts_then_throttles", test_rate_diverts_then_throttles);
	CU_add_test(suite, "R-35 D-282 rate_of_the_untrusted_is_nothing",
		    test_rate_of_the_untrusted_is_nothing);
}
