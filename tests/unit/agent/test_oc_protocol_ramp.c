/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Property of reports that end, through the facade: the share only falls, and is gone in time.
 */
#include "help_protocol.h"

#include <CUnit/CUnit.h>
#include <string.h>

void test_oc_protocol_ramp_suite(void);

/* Share of the one state there is, 0 when it is gone. */
static uint32_t share_now(struct help_core *core)
{
	struct oc_ocs_view view = { 0 };

	return oc_agent_snapshot(core->agent, core->now_ns, &view, 1) == 0 ? 0 : view.share_ppm;
}

/* How often the share rose after the report was over; *@left what remains when the ramp must be. */
static uint32_t rises(struct help_core *core, uint64_t for_ns, uint32_t *left)
{
	uint64_t end_ns = core->now_ns + for_ns;
	uint32_t before = share_now(core);
	uint32_t wrong = 0;

	while (core->now_ns < end_ns) {
		core->now_ns += help_below(core, 700) * MS + 1;
		if (help_below(core, 2))
			oc_agent_tick(core->agent, core->now_ns);
		uint32_t share = share_now(core);
		wrong += share > before;
		before = share;
	}
	*left = before;
	return wrong;
}

static void test_oc_protocol_ramps_only_fall(void)
{
	uint32_t wrong = 0;
	uint32_t not_over = 0;
	uint32_t not_begun = 0;

	for (uint64_t seed = 1; seed <= 100; seed++) {
		struct help_core *core = help_protocol_new(seed);
		uint32_t type = help_below(core, OC_REPORT_COUNT);
		uint32_t left = 1;
		core->policy.ramp_ms = 1000 + help_below(core, 30000);
		core->policy.ended_memory_ms = 600000;
		help_core_apply_policy(core);
		uint32_t pct = 1 + help_below(core, 99);
		help_report_of(core, "b1.example.net", type, 1, pct, 10);
		not_begun += share_now(core) != pct * 10000;
		if (help_below(core, 2))
			help_report_of(core, "b1.example.net", type, 2, 0, 0);
		else
			core->now_ns += 10 * SECOND;
		not_begun += share_now(core) > pct * 10000 || share_now(core) < pct * 9999;
		wrong += rises(core, core->policy.ramp_ms * MS, &left);
		not_over += left != 0;
		help_core_free(core);
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(not_begun, 0);
	CU_ASSERT_EQUAL(not_over, 0);
}

/* A rate leaves from the share it took away lately. */
static void test_oc_protocol_ramps_of_rate_only_fall(void)
{
	uint32_t wrong = 0;
	uint32_t not_over = 0;
	uint32_t not_begun = 0;

	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct help_core *core = help_protocol_new(seed);
		uint32_t left = 1;
		struct oc_candidate to = { .peer = help_name(core, "b1.example.net"), .score = 10 };
		core->policy.ramp_ms = 1000 + help_below(core, 30000);
		help_core_apply_policy(core);
		help_report_rate_of(core, "b1.example.net", OC_REPORT_PEER, 1, 10 + help_below(core, 40), 10);
		for (uint32_t n = 0; n < 990; n++) {
			struct help_going g = { .msg = help_request(core, NULL) };
			(void)help_pass(core, &g, &to, 1);
			oc_agent_on_gone(core->agent, &g.txn, core->now_ns);
			core->now_ns += 10 * MS;
		}
		core->now_ns += 100 * MS;
		oc_agent_tick(core->agent, core->now_ns);
		not_begun += share_now(core) < 300000;
		wrong += rises(core, core->policy.ramp_ms * MS, &left);
		not_over += left != 0;
		help_core_free(core);
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(not_begun, 0);
	CU_ASSERT_EQUAL(not_over, 0);
}

void test_oc_protocol_ramp_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_protocol_ramp", NULL, NULL);

	CU_add_test(suite, "D-252 D-254 D-256 ramps_only_fall", test_oc_protocol_ramps_only_fall);
	CU_add_test(suite, "D-252 D-254 R-28 ramps_of_rate_only_fall",
		    test_oc_protocol_ramps_of_rate_only_fall);
}
