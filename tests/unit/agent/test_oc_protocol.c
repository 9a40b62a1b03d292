/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Properties of the whole protocol, through the facade alone: no request is decided twice, totals hold for any mix.
 */
#include "help_protocol.h"

#include <CUnit/CUnit.h>
#include <string.h>

void test_oc_protocol_suite(void);

#define PENDING 1000u

static uint64_t matched_sum(struct help_core *core)
{
	struct oc_ocs_view views[64];
	uint32_t count = oc_agent_snapshot(core->agent, core->now_ns, views, 64);
	uint64_t sum = 0;

	for (uint32_t i = 0; i < count && i < 64; i++)
		sum += views[i].matched;
	return sum;
}

/* Fills @pending with requests that passed all three kinds of reports of b1. */
static void fill(struct help_core *core, struct help_going *pending, const struct oc_candidate *to)
{
	for (uint32_t n = 0; n < PENDING;) {
		struct help_going *g = &pending[n];
		memset(g, 0, sizeof(*g));
		g->msg = help_request(core, help_below(core, 2) ? "b1.example.net" : NULL);
		if (g->msg.dest_host)
			g->msg.dest_host = help_name(core, "s1.example.net");
		n += help_pass(core, g, to, 1);
	}
}

static void test_oc_protocol_nothing_is_decided_twice(void)
{
	static struct help_going pending[PENDING];
	struct help_core *core = help_protocol_new(11);
	const char *const names[] = { "b1.example.net", "b2.example.net", "b3.example.net" };
	struct oc_candidate to[3];
	uint32_t decisions;
	uint32_t lost = 0;

	for (uint32_t i = 0; i < 3; i++) {
		to[i] = (struct oc_candidate){ .peer = help_name(core, names[i]), .score = 10 };
		help_report_of(core, names[i], OC_REPORT_HOST, 1, 50, 3600);
		help_report_of(core, names[i], OC_REPORT_PEER, 1, 50, 3600);
	}
	help_report_of(core, "s1.example.net", OC_REPORT_HOST, 1, 50, 3600);
	help_report_of(core, "s1.example.net", OC_REPORT_REALM, 1, 50, 3600);
	fill(core, pending, to);
	uint64_t matched = matched_sum(core);
	decisions = core->event_count;
	/* The connection breaks, again and again, and all of them are routed anew. */
	for (uint32_t round = 1; round < 4; round++) {
		oc_agent_on_peer(core->agent, to[(round - 1) % 3].peer, false, core->now_ns);
		for (uint32_t n = 0; n < PENDING; n++)
			lost += !help_pass(core, &pending[n], &to[round % 3], 1);
	}
	CU_ASSERT_EQUAL(lost, 0);
	CU_ASSERT_EQUAL(matched_sum(core), matched);
	CU_ASSERT_EQUAL(core->event_count - decisions, 3); /* the peers, and no decision */
	for (uint32_t n = 0; n < PENDING; n++)
		oc_agent_on_gone(core->agent, &pending[n].txn, core->now_ns);
	for (uint32_t i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(oc_agent_outstanding(core->agent, to[i].peer), 0);
	help_core_free(core);
}

/* Sends @count requests of random priorities under one report and says how often the bound was broken. */
static uint32_t breaches(struct help_core *core, uint32_t type, uint32_t pct, uint32_t count, int64_t slack)
{
	struct oc_candidate to = { .peer = help_name(core, "b1.example.net"), .score = 10 };
	uint8_t ranks[4];
	int64_t expected = 0; /* in hundredths, as is */
	int64_t refused = 0;
	uint32_t wrong = 0;

	for (uint32_t i = 0; i < 4; i++)
		ranks[i] = (uint8_t)help_below(core, OC_RANKS);
	for (uint32_t n = 0; n < count; n++) {
		struct help_going g = { .msg = help_request(core, NULL) };
		if (type == OC_REPORT_HOST && help_below(core, 2))
			g.msg.dest_host = to.peer;
		g.msg.drmp = ranks[help_below(core, help_below(core, 2) ? 4 : 2)];
		g.msg.hints = OC_HINT_DRMP;
		refused += 100 * !help_pass(core, &g, &to, 1);
		oc_agent_on_gone(core->agent, &g.txn, core->now_ns);
		expected += pct;
		wrong += refused > expected + 100 * slack || refused < expected - 100 * slack;
	}
	return wrong;
}

static void test_oc_protocol_total_holds_for_any_mix(void)
{
	uint32_t wrong = 0;

	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct help_core *core = help_protocol_new(seed);
		uint32_t type = help_below(core, OC_REPORT_COUNT);
		/* One selection, and what 15 ranks of a slack of 2 may leave unpaid (oc_debt.h). */
		for (uint64_t sequence = 1; sequence < 5; sequence++) {
			uint32_t pct = help_below(core, 101);
			help_report_of(core, "b1.example.net", type, sequence, pct, 3600);
			wrong += breaches(core, type, pct, 500, 2 + 2 * 31);
		}
		help_core_free(core);
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

static void test_oc_protocol_one_version_is_exact(void)
{
	uint32_t wrong = 0;

	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct help_core *core = help_protocol_new(seed);
		uint32_t type = help_below(core, OC_REPORT_COUNT);
		uint32_t pct = help_below(core, 101);
		help_report_of(core, "b1.example.net", type, 1, pct, 3600);
		wrong += breaches(core, type, pct, 2000, 1 + 1 + 2 * 15);
		help_core_free(core);
		core = help_protocol_new(seed);
		core->policy.priorities.slack = 0; /* all ranks alike: the sampler's own bound */
		help_core_apply_policy(core);
		help_report_of(core, "b1.example.net", type, 1, pct, 3600);
		wrong += breaches(core, type, pct, 2000, 1);
		help_core_free(core);
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

/* Host or realm report, then the next hop's: together the greater of the two, whatever came before. */
static void test_oc_protocol_reports_in_a_row_take_the_greater(void)
{
	uint32_t wrong = 0;

	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct help_core *core = help_protocol_new(seed);
		uint32_t first = help_below(core, 100);
		uint32_t second = help_below(core, 100);
		uint32_t most = first > second ? first : second;
		core->policy.priorities.slack = 0;
		help_core_apply_policy(core);
		help_report_of(core, "b1.example.net", help_below(core, 2) ? OC_REPORT_HOST : OC_REPORT_REALM,
			       1, first, 3600);
		help_report_of(core, "b1.example.net", OC_REPORT_PEER, 1, second, 3600);
		struct oc_candidate to = { .peer = help_name(core, "b1.example.net"), .score = 10 };
		int64_t refused = 0;
		for (uint32_t n = 0; n < 4000; n++) {
			struct help_going g = { .msg = help_request(core, NULL) };
			refused += !help_pass(core, &g, &to, 1);
			oc_agent_on_gone(core->agent, &g.txn, core->now_ns);
		}
		int64_t gap = refused - 40 * (int64_t)most;
		/* What was paid in advance is at most OC_DEBT_CREDIT_MAX requests, and less than one is drawn too many. */
		wrong += gap > 62 || gap < -62;
		help_core_free(core);
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

void test_oc_protocol_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_protocol", NULL, NULL);

	CU_add_test(suite, "D-158 nothing_is_decided_twice", test_oc_protocol_nothing_is_decided_twice);
	CU_add_test(suite, "D-152 D-272 total_holds_for_any_mix", test_oc_protocol_total_holds_for_any_mix);
	CU_add_test(suite, "D-152 D-272 one_version_is_exact", test_oc_protocol_one_version_is_exact);
	CU_add_test(suite, "D-242 D-243 reports_in_a_row_take_the_greater",
		    test_oc_protocol_reports_in_a_row_take_the_greater);
}
