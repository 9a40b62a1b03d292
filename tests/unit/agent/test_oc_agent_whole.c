/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the agent as a whole: birth, memory, threads, failing open.
 */
#include "help_alloc.h"
#include "help_core.h"
#include <CUnit/CUnit.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void test_oc_agent_whole_suite(void);

static struct oc_candidate only(uint32_t peer)
{
	return (struct oc_candidate){ .peer = peer };
}

static void test_oc_agent_whole_incomplete_conf_gives_none(void)
{
	struct oc_policy policy;
	struct oc_agent_conf conf = { .identity = "a" };

	oc_policy_init(&policy);
	CU_ASSERT_PTR_NULL(oc_agent_new(&conf, &policy));
	conf.names = oc_names_new(16, 1);
	CU_ASSERT_PTR_NULL(oc_agent_new(&conf, &policy));
	conf.ocs_max = 4;
	conf.retry_memory = 3;
	CU_ASSERT_PTR_NULL(oc_agent_new(&conf, &policy));
	oc_agent_free(NULL, 0);
	oc_names_free(conf.names);
}

static void test_oc_agent_whole_failopen_is_recorded(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg request = help_request(core, NULL);
	struct oc_txn txn = { 0 };

	oc_agent_on_request(core->agent, &request, 3, core->now_ns, 0, &txn);
	oc_agent_on_failopen(core->agent, &txn);
	oc_agent_on_sent(core->agent, &txn, 7, core->now_ns);
	CU_ASSERT_EQUAL(help_last(core, OC_EVENT_DECISION)->u.decision.why, OC_WHY_FAILOPEN);
	oc_agent_on_gone(core->agent, &txn, core->now_ns);
	help_core_free(core);
}

/* A busy stretch: reports of every kind, refusals, retries, answers, ticks. */
static void stir(struct help_core *core, uint64_t *chance, uint32_t rounds)
{
	struct oc_candidate candidates[2] = { only(help_name(core, "s1.example.net")),
					      only(help_name(core, "s2.example.net")) };
	for (uint32_t i = 0; i < rounds; i++) {
		uint64_t r = help_random(chance);
		struct oc_msg answer = help_answer(core, r & 1 ? "s1.example.net" : "s2.example.net");
		struct oc_msg request = help_request(core, r & 2 ? "s1.example.net" : NULL);
		struct oc_txn txn = { 0 };
		uint32_t pick;
		help_olr(&answer, (uint32_t)(r >> 8) % 3, (r >> 16) % 64, (uint32_t)(r >> 24) % 110,
			 (uint32_t)(r >> 32) % 3);
		help_exchange(core, &answer, "s1.example.net");
		request.session_hash = r % 16 + 1;
		request.cc_request_type = 1;
		uint64_t now_ns = core->now_ns + 3 * MS * i;
		if (oc_agent_on_request(core->agent, &request, 3, now_ns, r, &txn) != OC_REFUSE &&
		    oc_agent_on_candidates(core->agent, &request, candidates, 2, now_ns, r, &txn, &pick) !=
			    OC_REFUSE)
			oc_agent_on_sent(core->agent, &txn, candidates[pick].peer, now_ns);
		oc_agent_on_gone(core->agent, &txn, now_ns);
		oc_agent_tick(core->agent, now_ns);
	}
}

static void test_oc_agent_whole_allocates_nothing_after_new(void)
{
	struct help_core *core = help_core_new();
	uint64_t chance = 1;

	help_core_unkept(core);
	stir(core, &chance, 10); /* names and peers are met */
	uint64_t before = help_allocations();
	stir(core, &chance, 2000);
	CU_ASSERT_EQUAL(help_allocations(), before);
	if (help_allocations_are_counted())
		CU_ASSERT(before > 0);
	help_core_free(core);
}

static void drop(void *ctx, const struct oc_event *event)
{
	(void)ctx;
	(void)event;
}

static void *stir_in_thread(void *arg)
{
	struct help_core *core = arg;
	uint64_t chance = (uint64_t)(uintptr_t)&chance;

	stir(core, &chance, 500);
	return NULL;
}

/* For the thread sanitizer; without it, that the counts of unanswered requests come back to 0. */
static void test_oc_agent_whole_threads_share_one_agent(void)
{
	struct help_core *core = help_core_new();
	struct oc_agent_conf conf = { .identity = "agent.example.net",
				      .names = core->names,
				      .ocs_max = 64,
				      .retry_memory = 64,
				      .emit = drop };
	pthread_t threads[3];

	oc_agent_free(core->agent, 0);
	help_core_unkept(core);
	core->agent = oc_agent_new(&conf, &core->policy);
	uint64_t chance = 5;
	stir(core, &chance, 5);
	for (size_t i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, stir_in_thread, core);
	for (uint32_t i = 0; i < 400; i++) {
		core->policy.rate.is_on = i % 2 != 0;
		help_core_apply_policy(core);
	}
	for (size_t i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	CU_ASSERT_EQUAL(oc_agent_outstanding(core->agent, help_name(core, "s1.example.net")), 0);
	CU_ASSERT_EQUAL(oc_agent_outstanding(core->agent, help_name(core, "s2.example.net")), 0);
	help_core_free(core);
}

/* More than the agent looks at in one stay under its lock. */
static void test_oc_agent_whole_snapshot_has_every_state_once(void)
{
	enum { HOSTS = 400 };
	struct help_core *core = help_core_new();
	struct oc_agent_conf conf = { .identity = "agent.example.net",
				      .names = core->names,
				      .ocs_max = 512,
				      .retry_memory = 64,
				      .emit = drop };
	static struct oc_ocs_view views[HOSTS + 8];
	bool seen[HOSTS] = { false };
	char host[24];

	oc_agent_free(core->agent, 0);
	help_core_unkept(core);
	core->agent = oc_agent_new(&conf, &core->policy);
	for (unsigned i = 0; i < HOSTS; i++) {
		snprintf(host, sizeof(host), "s%u.example.net", i);
		struct oc_msg answer = help_answer(core, host);
		help_olr(&answer, 0, 1, 10, 100);
		help_exchange(core, &answer, host);
	}
	CU_ASSERT_EQUAL(oc_agent_snapshot(core->agent, core->now_ns, views, 10), HOSTS);
	CU_ASSERT_EQUAL(oc_agent_snapshot(core->agent, core->now_ns, views, HOSTS + 8), HOSTS);
	for (unsigned i = 0; i < HOSTS; i++) {
		unsigned number = HOSTS;
		CU_ASSERT_EQUAL(sscanf(oc_names_text(core->names, views[i].subject), "s%u.", &number), 1);
		CU_ASSERT_TRUE_FATAL(number < HOSTS);
		CU_ASSERT_FALSE(seen[number]);
		seen[number] = true;
	}
	help_core_free(core);
}

void test_oc_agent_whole_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_agent_whole", NULL, NULL);

	CU_add_test(suite, "incomplete_conf_gives_none", test_oc_agent_whole_incomplete_conf_gives_none);
	CU_add_test(suite, "allocates_nothing_after_new", test_oc_agent_whole_allocates_nothing_after_new);
	CU_add_test(suite, "threads_share_one_agent", test_oc_agent_whole_threads_share_one_agent);
	CU_add_test(suite, "snapshot_has_every_state_once",
		    test_oc_agent_whole_snapshot_has_every_state_once);
	CU_add_test(suite, "failopen_is_recorded", test_oc_agent_whole_failopen_is_recorded);
}
