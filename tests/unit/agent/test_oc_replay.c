/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the replay: random lives of an agent, in several threads at once, must go as they went when they are lived again.
 */
#include <CUnit/CUnit.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "help_core.h"
#include "help_world.h"

void test_oc_replay_suite(void);

#define THREADS 4
#define KEPT 6u /* requests a thread leaves unanswered */

/* One request on its way. */
struct going {
	bool is_used;
	struct oc_msg msg;
	struct oc_txn txn;
};

struct worker {
	struct help_world *w;
	uint64_t chance;
	struct going going[KEPT];
};

static uint32_t below(struct worker *k, uint32_t n)
{
	return (uint32_t)(help_random(&k->chance) % n);
}

static bool one_in(struct worker *k, uint32_t n)
{
	return below(k, n) == 0;
}

/* What a thread reads is old when it is used. */
static uint64_t now(struct worker *k)
{
	return atomic_fetch_add(&k->w->clock_ns, help_random(&k->chance) % k->w->pace_ns);
}

static struct oc_caps random_caps(struct worker *k, uint32_t source)
{
	struct oc_caps caps = { .vector = OC_FV_LOSS | (one_in(k, 2) ? OC_FV_RATE : 0),
				.has = OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR };

	if (one_in(k, 2)) {
		caps.vector |= OC_FV_PEER_REPORT;
		caps.source = source;
		caps.has |= OC_CAPS_HAS_SOURCE;
	}
	return caps;
}

/* The even clients speak overload control. */
static void make_request(struct worker *k, uint32_t client, struct oc_msg *msg)
{
	struct help_world *w = k->w;
	uint32_t r = below(k, 64);

	*msg = (struct oc_msg){ .app_id = r & 1u   ? OC_APP_GX
					  : r & 2u ? OC_APP_GY
						   : OC_APP_RX,
				.command = r & 1u   ? 272
					   : r & 2u ? 272
						    : 265,
				.flags = (uint8_t)(0xc0u | (one_in(k, 16) ? 0x10u : 0)),
				.drmp = OC_DRMP_NONE,
				.end_to_end = (uint32_t)help_random(&k->chance),
				.origin_host = one_in(k, 8) ? w->clients[(client + 1) % CLIENTS]
							    : w->clients[client],
				.origin_realm = w->realm,
				.dest_realm = w->realm,
				.dest_host = r & 4u ? w->servers[below(k, SERVERS)] : OC_NAME_NONE,
				.session_hash = below(k, 40),
				.cc_request_type = (uint8_t)below(k, 4) };
	if (client % 2 == 0)
		msg->caps = random_caps(k, w->clients[client]);
	if (one_in(k, 4)) {
		msg->hints = OC_HINT_DRMP;
		msg->drmp = (uint8_t)below(k, OC_RANKS);
	}
	if (msg->app_id == OC_APP_GX && one_in(k, 8)) {
		memcpy(msg->apn, "sos", 3);
		msg->apn_len = 3;
	}
	if (msg->app_id == OC_APP_GY && one_in(k, 2))
		msg->rating_group[msg->rating_group_count++] = 1 + below(k, 3);
}

static void put_report(struct worker *k, struct oc_msg *answer, uint32_t from)
{
	struct oc_olr *olr = &answer->olr[answer->olr_count++];
	bool is_rate = answer->caps.vector == OC_FV_RATE;

	*olr = (struct oc_olr){ .sequence = atomic_load(&k->w->clock_ns) / 50000000u + below(k, 3),
				.type = below(k, 4) ? below(k, OC_REPORT_COUNT) : OC_REPORT_HOST,
				.reduction_pct = below(k, 4) ? below(k, 101) : 100,
				.rate_rps = below(k, 500),
				.validity_s = below(k, 4),
				.has = OC_OLR_HAS_SEQUENCE | OC_OLR_HAS_TYPE | OC_OLR_HAS_VALIDITY };
	olr->has |= is_rate ? OC_OLR_HAS_RATE : OC_OLR_HAS_REDUCTION;
	if (olr->type == OC_REPORT_PEER) {
		olr->source = from;
		olr->has |= OC_OLR_HAS_SOURCE;
	}
}

static void make_answer(struct worker *k, const struct going *g, uint32_t from, struct oc_msg *msg)
{
	static const uint32_t codes[] = { 2001, 2001, 2001, 2002, 3004, 5012, 0 };
	struct help_world *w = k->w;

	*msg = (struct oc_msg){ .app_id = g->msg.app_id,
				.command = g->msg.command,
				.flags = (uint8_t)(one_in(k, 10) ? 0x20u : 0),
				.result_code = codes[below(k, 7)],
				.origin_host = one_in(k, 6) ? w->servers[below(k, SERVERS)] : from,
				.origin_realm = w->realm };
	if (!one_in(k, 4)) {
		bool is_rate = one_in(k, 3);
		msg->caps.vector = msg->caps.peer_algo = is_rate ? OC_FV_RATE : OC_FV_LOSS;
		msg->caps.has = OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR | OC_CAPS_HAS_PEER_ALGO;
	}
	while (one_in(k, 6) && msg->olr_count < OC_MSG_OLR_MAX)
		put_report(k, msg, from);
	if (one_in(k, 3)) {
		bool is_peer = one_in(k, 2);
		msg->load[0] = (struct oc_load_avp){ .value = below(k, 70000),
						     .type = is_peer ? OC_LOAD_PEER : OC_LOAD_HOST,
						     .source = is_peer ? from : msg->origin_host,
						     .has = OC_LOAD_HAS_TYPE | OC_LOAD_HAS_VALUE |
							    OC_LOAD_HAS_SOURCE };
		msg->load_count = msg->load_avps = 1;
	}
}

static void end(struct worker *k, struct going *g, enum oc_maker maker, uint32_t result_code)
{
	if (maker != OC_MADE_LOST)
		oc_agent_on_answer_leaving(k->w->agent, &g->txn, maker, result_code, now(k));
	oc_agent_on_gone(k->w->agent, &g->txn, now(k));
	g->is_used = false;
}

static void answer_here(struct worker *k, struct going *g, enum oc_maker maker, uint32_t result_code)
{
	struct oc_answer_edit edit = { 0 };

	oc_agent_on_own_answer(k->w->agent, &g->txn, now(k), &edit);
	end(k, g, maker, result_code);
}

/* An answer comes, or none; what came may be lost on its way to the client. */
static void answer(struct worker *k, struct going *g)
{
	struct oc_answer_edit edit = { 0 };
	struct oc_msg msg;
	uint32_t from = g->txn.counted_peer;

	if (one_in(k, 12)) {
		answer_here(k, g, OC_MADE_DEADLINE, OC_RC_UNABLE_TO_DELIVER);
		return;
	}
	if (one_in(k, 12)) {
		end(k, g, OC_MADE_LOST, 0);
		return;
	}
	make_answer(k, g, from, &msg);
	oc_agent_on_answer(k->w->agent, &msg, from, now(k), &g->txn, &edit);
	end(k, g, one_in(k, 10) ? OC_MADE_LOST : OC_MADE_UPSTREAM, 0);
}

static uint32_t candidates_of(struct worker *k, struct oc_candidate out[SERVERS])
{
	uint32_t count = 0;
	bool is_alike = one_in(k, 2);

	for (uint32_t i = 0; i < SERVERS; i++)
		if (!one_in(k, 5))
			out[count++] = (struct oc_candidate){ .peer = k->w->servers[i],
							      .score = is_alike ? 1 : (int32_t)(i / 2) };
	return count;
}

/* Steps 3 and 4. False: it is over. */
static bool route(struct worker *k, struct going *g)
{
	struct oc_candidate candidates[SERVERS];
	uint32_t count = candidates_of(k, candidates);
	uint32_t pick = count;

	if (oc_agent_on_candidates(k->w->agent, &g->msg, candidates, count, now(k), help_random(&k->chance),
				   &g->txn, &pick) == OC_REFUSE) {
		answer_here(k, g, OC_MADE_AGENT, g->txn.decision.result_code);
		return false;
	}
	if (pick == count && (count == 0 || one_in(k, 2))) {
		answer_here(k, g, OC_MADE_DAEMON, OC_RC_UNABLE_TO_DELIVER);
		return false;
	}
	if (pick == count || one_in(k, 20)) /* the host has its own mind */
		pick = below(k, count);
	if (one_in(k, 30)) /* the peer is gone before it could be sent */
		return route(k, g);
	oc_agent_on_sent(k->w->agent, &g->txn, candidates[pick].peer, now(k));
	return true;
}

static void begin(struct worker *k, struct going *g)
{
	uint32_t client = below(k, CLIENTS);
	struct oc_group group;

	*g = (struct going){ .is_used = true };
	make_request(k, client, &g->msg);
	if (one_in(k, 40)) {
		oc_agent_on_unrouted(k->w->agent, &g->msg, k->w->clients[client], now(k), &g->txn);
		answer_here(k, g, OC_MADE_DAEMON, OC_RC_UNABLE_TO_DELIVER);
		return;
	}
	if (oc_agent_on_request(k->w->agent, &g->msg, k->w->clients[client], now(k), help_random(&k->chance),
				&g->txn) == OC_REFUSE) {
		answer_here(k, g, OC_MADE_AGENT, g->txn.decision.result_code);
		return;
	}
	(void)oc_agent_caps_for_request(k->w->agent, &g->msg, &g->txn, &group);
	if (one_in(k, 60)) {
		g->txn.announced = 0;
		oc_agent_on_failopen(k->w->agent, &g->txn);
	}
	if (one_in(k, 50)) /* dropped on its way through the host */
		end(k, g, OC_MADE_LOST, 0);
	else
		(void)route(k, g);
}

static void go_on(struct worker *k)
{
	struct going *g = &k->going[below(k, KEPT)];

	if (!g->is_used)
		begin(k, g);
	else if (one_in(k, 15)) /* its peer is lost */
		(void)route(k, g);
	else
		answer(k, g);
}

static void finish(struct worker *k)
{
	for (uint32_t i = 0; i < KEPT; i++)
		if (k->going[i].is_used)
			end(k, &k->going[i], OC_MADE_LOST, 0);
}

static void *work(void *arg)
{
	struct worker *k = arg;

	for (uint32_t i = 0; i < k->w->rounds; i++)
		go_on(k);
	finish(k);
	return NULL;
}

static void give_order(struct worker *k)
{
	static const struct oc_order_origin origin = { .by = OC_BY_LAW, .actor = 3, .reason = "test" };
	struct help_world *w = k->w;
	struct oc_report_order order = { .key = { .type = (uint8_t)below(k, OC_REPORT_COUNT),
						  .app_id = one_in(k, 3) ? OC_APP_ANY : OC_APP_GX },
					 .has_reduction = !one_in(k, 3),
					 .reduction_pct = below(k, 101),
					 .rate_rps = below(k, 300),
					 .validity_s = below(k, 5) };

	order.has_rate = !order.has_reduction || one_in(k, 3);
	if (order.key.type != OC_REPORT_PEER)
		order.key.subject = order.key.type == OC_REPORT_HOST ? w->servers[0] : w->realm;
	else if (one_in(k, 2))
		order.key.subject = w->clients[below(k, CLIENTS)];
	if (one_in(k, 4))
		order.until_ns = now(k) + 2 * SECOND;
	if (one_in(k, 3))
		(void)oc_agent_withdraw(w->agent, &order.key, &origin, now(k));
	else
		(void)oc_agent_order(w->agent, &order, &origin, now(k));
}

static void change_policy(struct worker *k)
{
	struct oc_policy *p = &k->w->policy;

	p->version++;
	p->mode = one_in(k, 8) ? OC_MODE_OBSERVE : OC_MODE_ENFORCE;
	p->outstanding_max = one_in(k, 3) ? 0 : 1 + below(k, 6);
	p->ramp_ms = below(k, 3) * 700;
	p->ended_memory_ms = below(k, 3) * 500;
	p->probe_interval_ms = 50 + below(k, 200);
	p->sampler = one_in(k, 4) ? OC_SAMPLER_RANDOM : OC_SAMPLER_EXACT;
	p->standby_takes_all = one_in(k, 3);
	p->rate.is_on = !one_in(k, 5);
	p->rate.is_anti_resonant = one_in(k, 2);
	p->load.balances = !one_in(k, 4);
	p->load.max_age_ms = 500 + below(k, 2000);
	p->load.slow_start_ms = below(k, 3000);
	p->reports.is_end_explicit = !one_in(k, 3);
	p->reports.target_idle_ms = 300 + below(k, 2000);
	p->reports.fall_interval_ms = 100 + below(k, 500);
	help_life_policy(k->w->life, p, oc_agent_set_policy(k->w->agent, p, now(k)));
}

/* What else happens in a life: peers, orders, policies, the pulse. */
static void stir(struct worker *k, uint32_t i)
{
	struct help_world *w = k->w;

	if (one_in(k, 20))
		oc_agent_on_peer(w->agent, w->servers[below(k, SERVERS)], one_in(k, 2), now(k));
	if (one_in(k, 12))
		give_order(k);
	if (one_in(k, 40))
		change_policy(k);
	if (i % 5 == 0)
		oc_agent_tick(w->agent, now(k));
}

static void live_alone(struct help_world *w, uint64_t seed)
{
	struct worker *k = calloc(1, sizeof(*k));

	*k = (struct worker){ .w = w, .chance = seed };
	for (uint32_t i = 0; i < 1500; i++) {
		go_on(k);
		if (i % 4 == 0)
			stir(k, i);
	}
	finish(k);
	free(k);
}

static void test_oc_replay_one_thread_lives_again(void)
{
	uint64_t decisions = 0;

	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct help_world *w = help_world_new(20 * MS, 0);
		live_alone(w, seed);
		decisions += help_world_end(w);
	}
	CU_ASSERT(decisions > 20000);
}

static void test_oc_replay_contents_told_between_those_of_another_step(void)
{
	uint32_t mixed = 0;

	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct help_world *w = help_world_new(2, 0); /* one step right after the other */
		w->is_mixed = true;
		live_alone(w, seed);
		mixed += w->mixed;
		CU_ASSERT(help_world_end(w) > 0);
	}
	CU_ASSERT(mixed > 20);
}

static void test_oc_replay_many_threads_live_again(void)
{
	uint64_t decisions = 0;

	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct help_world *w = help_world_new(2 * MS, 4000);
		struct worker *k = calloc(THREADS + 1, sizeof(*k));
		pthread_t threads[THREADS];
		for (uint32_t i = 0; i <= THREADS; i++)
			k[i] = (struct worker){ .w = w, .chance = seed * 100 + i };
		for (uint32_t i = 0; i < THREADS; i++)
			pthread_create(&threads[i], NULL, work, &k[i]);
		for (uint32_t i = 0; i < 600; i++) {
			stir(&k[THREADS], i);
			oc_agent_tick(w->agent, now(&k[THREADS]));
		}
		for (uint32_t i = 0; i < THREADS; i++)
			pthread_join(threads[i], NULL);
		free(k);
		decisions += help_world_end(w);
	}
	CU_ASSERT(decisions > 20000);
}

void test_oc_replay_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_replay", NULL, NULL);

	CU_add_test(suite, "one_thread_lives_again", test_oc_replay_one_thread_lives_again);
	CU_add_test(suite, "contents_told_between_those_of_another_step",
		    test_oc_replay_contents_told_between_those_of_another_step);
	CU_add_test(suite, "many_threads_live_again", test_oc_replay_many_threads_live_again);
}
