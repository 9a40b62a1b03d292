/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of what a client may not gain at the cost of others by what it says.
 */
#include "help_core.h"
#include <CUnit/CUnit.h>
#include <string.h>

void test_oc_agent_gain_suite(void);

#define REQUESTS 20000u
#define REDUCTION_PCT 40u

/* Two clients, half of the requests each; all that @liar sends says emergency. Requests of either refused, in per cent. */
struct shares {
	uint32_t honest;
	uint32_t liar;
};

static struct shares refused_of(struct help_core *core)
{
	struct oc_msg answer = help_answer(core, "s1.example.net");
	uint32_t refused[2] = { 0 };

	answer.app_id = OC_APP_CX;
	help_olr(&answer, OC_REPORT_HOST, 1, REDUCTION_PCT, 3600);
	help_exchange(core, &answer, "s1.example.net");
	for (uint32_t i = 0; i < REQUESTS; i++) {
		const char *client = i % 2 ? "liar.example.org" : "honest.example.net";
		struct oc_msg request = help_request(core, "s1.example.net");
		struct oc_txn txn = { 0 };
		request.app_id = OC_APP_CX;
		request.command = 300; /* User-Authorization */
		request.origin_host = help_name(core, client);
		request.hints = i % 2 ? OC_HINT_EMERGENCY : 0;
		refused[i % 2] +=
			oc_agent_on_request(core->agent, &request, request.origin_host, core->now_ns,
					    help_random(&core->chance), &txn) == OC_REFUSE;
		oc_agent_on_gone(core->agent, &txn, core->now_ns);
	}
	return (struct shares){ refused[0] * 200 / REQUESTS, refused[1] * 200 / REQUESTS };
}

static void test_oc_agent_gain_emergency_that_is_believed_goes_last(void)
{
	struct help_core *core = help_core_new();
	struct shares refused = refused_of(core);

	CU_ASSERT(refused.liar <= 1);
	CU_ASSERT(refused.honest >= 2 * REDUCTION_PCT - 2);
	help_core_free(core);
}

static void test_oc_agent_gain_emergency_that_is_not_believed_gains_nothing(void)
{
	struct help_core *core = help_core_new();

	help_trust(core, "liar.example.org", OC_TRUST_BORDER | OC_TRUST_NO_EMERGENCY, NULL);
	struct shares refused = refused_of(core);
	CU_ASSERT(refused.liar >= REDUCTION_PCT - 2 && refused.liar <= REDUCTION_PCT + 2);
	CU_ASSERT(refused.honest >= REDUCTION_PCT - 2 && refused.honest <= REDUCTION_PCT + 2);
	help_core_free(core);
}

void test_oc_agent_gain_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_agent_gain", NULL, NULL);

	CU_add_test(suite, "D-272 D-275 emergency_that_is_believed_goes_last",
		    test_oc_agent_gain_emergency_that_is_believed_goes_last);
	CU_add_test(suite, "D-292 P-18 emergency_that_is_not_believed_gains_nothing",
		    test_oc_agent_gain_emergency_that_is_not_believed_gains_nothing);
}
