/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of a choice while other threads send and answer: counts of unanswered requests change at any moment.
 */
#include <CUnit/CUnit.h>
#include <pthread.h>
#include <stdatomic.h>

#include "help_core.h"

void test_oc_agent_counts_suite(void);

#define ROUNDS 500000u

struct flicker {
	struct oc_agent *agent;
	uint32_t peer;
	atomic_bool is_over;
};

/* A request to @peer is on its way, and is not, as fast as can be. */
static void *flicker(void *arg)
{
	struct flicker *f = arg;
	struct oc_txn txn = { 0 };

	while (!atomic_load(&f->is_over)) {
		oc_agent_on_sent(f->agent, &txn, f->peer, 0);
		oc_agent_on_gone(f->agent, &txn, 0);
	}
	return NULL;
}

struct verdicts {
	uint32_t of[OC_VERDICT_COUNT];
};

/* Requests for which @candidates[0] is the best. */
static struct verdicts choose(struct help_core *core, const struct oc_candidate candidates[2])
{
	struct oc_msg request = help_request(core, NULL);
	uint32_t client = help_name(core, "c1.example.net");
	struct verdicts verdicts = { 0 };

	for (uint32_t i = 0; i < ROUNDS; i++) {
		struct oc_txn txn = { 0 };
		uint32_t pick = 2;
		oc_agent_on_request(core->agent, &request, client, core->now_ns, 0, &txn);
		verdicts.of[oc_agent_on_candidates(core->agent, &request, candidates, 2, core->now_ns, 0,
						   &txn, &pick)]++;
		oc_agent_on_gone(core->agent, &txn, core->now_ns);
	}
	return verdicts;
}

/* One place, nearly always taken or just free again; the other neighbour asks for nothing to come. So a request goes to the
 * first or is refused. One that left the first for want of room and then came back to it would be called diverted. */
static void test_oc_agent_counts_are_looked_at_once_in_a_choice(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg answer = help_answer(core, "s2.example.net");
	struct oc_candidate candidates[] = { { .peer = help_name(core, "s1.example.net"), .score = 2 },
					     { .peer = help_name(core, "s2.example.net"), .score = 1 } };
	struct flicker f = { .agent = core->agent, .peer = candidates[0].peer };
	pthread_t thread;

	help_core_unkept(core);
	help_olr(&answer, OC_REPORT_HOST, 1, 100, 30);
	(void)help_exchange(core, &answer, "s2.example.net");
	core->policy.outstanding_max = 1;
	help_core_apply_policy(core);
	pthread_create(&thread, NULL, flicker, &f);
	struct verdicts verdicts = choose(core, candidates);
	atomic_store(&f.is_over, true);
	pthread_join(thread, NULL);
	CU_ASSERT_EQUAL(verdicts.of[OC_DIVERT], 0);
	CU_ASSERT_EQUAL(verdicts.of[OC_FORWARD] + verdicts.of[OC_REFUSE], ROUNDS);
	help_core_free(core);
}

void test_oc_agent_counts_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_agent_counts", NULL, NULL);

	CU_add_test(suite, "are_looked_at_once_in_a_choice",
		    test_oc_agent_counts_are_looked_at_once_in_a_choice);
}
