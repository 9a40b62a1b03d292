/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Properties of the whole protocol, through the facade alone: what holds for any mix, any order of events, any time.
 */
#include "agent/oc_agent.h"
#include "help_core.h"

#include <CUnit/CUnit.h>
#include <string.h>

void test_oc_protocol_suite(void);

#define PENDING 1000u

/* One request on its way. */
struct going {
	struct oc_msg msg;
	struct oc_txn txn;
};

static uint32_t below(struct help_core *core, uint32_t n)
{
	return (uint32_t)(help_random(&core->chance) % n);
}

static struct help_core *new_core(uint64_t seed)
{
	struct help_core *core = help_core_new();

	core->chance = seed;
	core->policy.outstanding_max = 0;
	core->policy.default_trust |= OC_TRUST_DRMP | OC_TRUST_RELAY_DRMP;
	help_core_apply_policy(core);
	return core;
}

/* Lets @peer report @pct of @type about itself or its realm. */
static void report(struct help_core *core, const char *peer, uint32_t type, uint64_t sequence, uint32_t pct,
		   uint32_t validity_s)
{
	struct oc_msg answer = help_answer(core, peer);
	struct oc_olr *olr = help_olr(&answer, type, sequence, pct, validity_s);

	answer.caps.has |= OC_CAPS_HAS_PEER_ALGO;
	answer.caps.peer_algo = OC_FV_LOSS;
	olr->source = help_name(core, peer);
	olr->has |= type == OC_REPORT_PEER ? OC_OLR_HAS_SOURCE : 0;
	(void)help_exchange(core, &answer, peer);
}

/* Same for a rate, given to the client or to us. */
static void report_rate(struct help_core *core, const char *peer, uint32_t type, uint64_t sequence,
			uint32_t rps, uint32_t validity_s)
{
	struct oc_msg answer = help_answer(core, peer);
	struct oc_olr *olr = help_olr(&answer, type, sequence, 0, validity_s);

	answer.caps.has |= OC_CAPS_HAS_PEER_ALGO;
	answer.caps.vector = OC_FV_RATE;
	answer.caps.peer_algo = OC_FV_RATE;
	olr->rate_rps = rps;
	olr->has = (uint8_t)((olr->has & ~OC_OLR_HAS_REDUCTION) | OC_OLR_HAS_RATE);
	olr->source = help_name(core, peer);
	olr->has |= type == OC_REPORT_PEER ? OC_OLR_HAS_SOURCE : 0;
	(void)help_exchange(core, &answer, peer);
}

/* Steps 1 to 4 to the first of @count peers that will do. False: refused. */
static bool pass(struct help_core *core, struct going *g, const struct oc_candidate *to, uint32_t count)
{
	uint32_t pick = count;

	if (!(g->txn.sent_ns) &&
	    oc_agent_on_request(core->agent, &g->msg, help_name(core, "client.example.net"), core->now_ns,
				help_random(&core->chance), &g->txn) == OC_REFUSE)
		return false;
	if (oc_agent_on_candidates(core->agent, &g->msg, to, count, core->now_ns, help_random(&core->chance),
				   &g->txn, &pick) == OC_REFUSE ||
	    pick == count)
		return false;
	oc_agent_on_sent(core->agent, &g->txn, to[pick].peer, core->now_ns);
	return true;
}

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
static void fill(struct help_core *core, struct going *pending, const struct oc_candidate *to)
{
	for (uint32_t n = 0; n < PENDING;) {
		struct going *g = &pending[n];
		memset(g, 0, sizeof(*g));
		g->msg = help_request(core, below(core, 2) ? "b1.example.net" : NULL);
		if (g->msg.dest_host)
			g->msg.dest_host = help_name(core, "s1.example.net");
		n += pass(core, g, to, 1);
	}
}

static void test_oc_protocol_nothing_is_decided_twice(void)
{
	static struct going pending[PENDING];
	struct help_core *core = new_core(11);
	const char *const names[] = { "b1.example.net", "b2.example.net", "b3.example.net" };
	struct oc_candidate to[3];
	uint32_t decisions;
	uint32_t lost = 0;

	for (uint32_t i = 0; i < 3; i++) {
		to[i] = (struct oc_candidate){ .peer = help_name(core, names[i]), .score = 10 };
		report(core, names[i], OC_REPORT_HOST, 1, 50, 3600);
		report(core, names[i], OC_REPORT_PEER, 1, 50, 3600);
	}
	report(core, "s1.example.net", OC_REPORT_HOST, 1, 50, 3600);
	report(core, "s1.example.net", OC_REPORT_REALM, 1, 50, 3600);
	fill(core, pending, to);
	uint64_t matched = matched_sum(core);
	decisions = core->event_count;
	/* The connection breaks, again and again, and all of them are routed anew. */
	for (uint32_t round = 1; round < 4; round++) {
		oc_agent_on_peer(core->agent, to[(round - 1) % 3].peer, false, core->now_ns);
		for (uint32_t n = 0; n < PENDING; n++)
			lost += !pass(core, &pending[n], &to[round % 3], 1);
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
		ranks[i] = (uint8_t)below(core, OC_RANKS);
	for (uint32_t n = 0; n < count; n++) {
		struct going g = { .msg = help_request(core, NULL) };
		if (type == OC_REPORT_HOST && below(core, 2))
			g.msg.dest_host = to.peer;
		g.msg.drmp = ranks[below(core, below(core, 2) ? 4 : 2)];
		g.msg.hints = OC_HINT_DRMP;
		refused += 100 * !pass(core, &g, &to, 1);
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
		struct help_core *core = new_core(seed);
		uint32_t type = below(core, OC_REPORT_COUNT);
		/* One selection, and what 15 ranks of a slack of 2 may leave unpaid (oc_debt.h). */
		for (uint64_t sequence = 1; sequence < 5; sequence++) {
			uint32_t pct = below(core, 101);
			report(core, "b1.example.net", type, sequence, pct, 3600);
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
		struct help_core *core = new_core(seed);
		uint32_t type = below(core, OC_REPORT_COUNT);
		uint32_t pct = below(core, 101);
		report(core, "b1.example.net", type, 1, pct, 3600);
		wrong += breaches(core, type, pct, 2000, 1 + 1 + 2 * 15);
		help_core_free(core);
		core = new_core(seed);
		core->policy.priorities.slack = 0; /* all ranks alike: the sampler's own bound */
		help_core_apply_policy(core);
		report(core, "b1.example.net", type, 1, pct, 3600);
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
		struct help_core *core = new_core(seed);
		uint32_t first = below(core, 100);
		uint32_t second = below(core, 100);
		uint32_t most = first > second ? first : second;
		core->policy.priorities.slack = 0;
		help_core_apply_policy(core);
		report(core, "b1.example.net", below(core, 2) ? OC_REPORT_HOST : OC_REPORT_REALM, 1, first,
		       3600);
		report(core, "b1.example.net", OC_REPORT_PEER, 1, second, 3600);
		struct oc_candidate to = { .peer = help_name(core, "b1.example.net"), .score = 10 };
		int64_t refused = 0;
		for (uint32_t n = 0; n < 4000; n++) {
			struct going g = { .msg = help_request(core, NULL) };
			refused += !pass(core, &g, &to, 1);
			oc_agent_on_gone(core->agent, &g.txn, core->now_ns);
		}
		int64_t gap = refused - 40 * (int64_t)most;
		/* What was paid in advance is at most OC_DEBT_CREDIT_MAX requests, and less than one is drawn too many. */
		wrong += gap > 62 || gap < -62;
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

/* --- reports of our own --- */

#define NODES 6u

struct held {
	uint64_t sequence;
	uint64_t until_ns;
	struct oc_group octets;
};

struct clients {
	struct help_core *core;
	uint32_t without; /* no orders of this type */
	struct held held[OC_REPORT_COUNT][2][NODES];
	uint32_t older;
	uint32_t different;
	uint32_t silent;
	uint32_t told;
};

static uint32_t app_of(uint32_t i)
{
	return i == 0 ? HELP_APP : i == 1 ? OC_APP_GY : OC_APP_ANY;
}

static struct oc_report_key random_key(struct help_core *core, uint32_t without)
{
	static const char *const neighbours[] = { "", "n0.example.net", "n1.example.net" };
	struct oc_report_key key = { .type = (uint8_t)below(core, OC_REPORT_COUNT),
				     .app_id = app_of(below(core, 3)) };

	if (key.type == without)
		key.type = OC_REPORT_PEER;
	if (key.type == OC_REPORT_PEER) {
		uint32_t n = below(core, 3);
		key.subject = n ? help_name(core, neighbours[n]) : OC_NAME_NONE;
	} else {
		key.subject = help_name(core, key.type == OC_REPORT_HOST ? "s3.example.net" : "example.net");
	}
	return key;
}

static void give_order(struct help_core *core, uint32_t without)
{
	struct oc_report_order order = { .key = random_key(core, without),
					 .has_reduction = below(core, 3) != 0,
					 .reduction_pct = below(core, 101),
					 .rate_rps = below(core, 1000),
					 .validity_s = 1 + below(core, 300) };

	order.has_rate = !order.has_reduction || below(core, 4) == 0;
	if (below(core, 3) != 0)
		(void)oc_agent_order(core->agent, &order, core->now_ns);
	else
		(void)oc_agent_withdraw(core->agent, &order.key, core->now_ns);
}

/* What RFC 7683 section 5.2.1.3 makes of one report. Between what was told for one neighbour and now another, numbers rise. */
static void hear(struct clients *c, struct held *held, const struct oc_report_content *content)
{
	struct oc_group octets;

	CU_ASSERT_EQUAL_FATAL(oc_agent_encode_own(c->core->agent, content, &octets), 0);
	c->told++;
	bool is_held = c->core->now_ns < held->until_ns;
	if (is_held && content->sequence < held->sequence)
		c->older++;
	if (held->sequence == content->sequence && held->octets.len != 0 &&
	    (held->octets.len != octets.len || memcmp(held->octets.data, octets.data, octets.len) != 0))
		c->different++;
	if (!is_held || content->sequence > held->sequence)
		held->until_ns = c->core->now_ns + content->validity_s * SECOND;
	held->sequence = content->sequence;
	held->octets = octets;
}

static void ask(struct clients *c)
{
	static const char *const nodes[NODES] = { "n0.example.net", "n1.example.net", "n2.example.net",
						  "n3.example.net", "n4.example.net", "n5.example.net" };
	struct help_core *core = c->core;
	uint32_t n = below(core, NODES);
	uint32_t a = below(core, 2);
	struct going g = { .msg = help_request(core, "s3.example.net") };
	struct oc_answer_edit edit = { 0 };
	struct oc_msg answer = help_answer(core, "s3.example.net");
	bool seen[OC_REPORT_COUNT] = { false };

	g.msg.app_id = answer.app_id = app_of(a);
	g.msg.origin_host = help_name(core, nodes[n]);
	g.msg.caps = (struct oc_caps){ .has = OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR | OC_CAPS_HAS_SOURCE,
				       .vector = OC_FV_LOSS | OC_FV_PEER_REPORT | (n & 1u ? OC_FV_RATE : 0),
				       .source = g.msg.origin_host };
	answer.caps = (struct oc_caps){ 0 };
	oc_agent_on_request(core->agent, &g.msg, g.msg.origin_host, core->now_ns, help_random(&core->chance),
			    &g.txn);
	oc_agent_on_sent(core->agent, &g.txn, answer.origin_host, core->now_ns);
	oc_agent_on_answer(core->agent, &answer, answer.origin_host, core->now_ns, &g.txn, &edit);
	oc_agent_on_gone(core->agent, &g.txn, core->now_ns);
	for (uint32_t i = 0; i < edit.own_count; i++) {
		seen[edit.own[i].key.type] = true;
		hear(c, &c->held[edit.own[i].key.type][a][n], &edit.own[i]);
	}
	/* Who holds something is not left alone with it. */
	for (uint32_t type = 0; type < OC_REPORT_COUNT; type++)
		c->silent += !seen[type] && core->now_ns < c->held[type][a][n].until_ns;
}

/* Numbers of the trail: each content takes the next one. */
static uint32_t numbers_out_of_row(const struct help_core *core, uint64_t *next)
{
	uint32_t wrong = 0;

	for (uint32_t i = 0; i < core->event_count && i < HELP_EVENTS_MAX; i++) {
		const struct oc_event *e = &core->events[i];
		if (e->kind != OC_EVENT_OWN_REPORT || e->u.own_report.step == OC_REPORT_GONE)
			continue;
		wrong += e->u.own_report.sequence != (*next)++;
	}
	return wrong;
}

static struct help_core *new_reporter(uint64_t seed)
{
	struct help_core *core = new_core(seed);
	struct oc_report_policy *policy = &core->policy.reports;

	policy->sole_path_count = policy->realm_count = 1;
	memcpy(policy->sole_paths[0], "s3.example.net", sizeof("s3.example.net"));
	memcpy(policy->realms[0], "example.net", sizeof("example.net"));
	help_core_apply_policy(core);
	core->event_count = 0;
	return core;
}

/* Host and realm orders in turn: one answer has one algorithm for both, so that of two with different ones only one can be
 * told. */
static void test_oc_protocol_own_reports_never_go_back(void)
{
	static struct clients c;
	uint32_t wrong = 0;

	for (uint32_t without = OC_REPORT_HOST; without <= OC_REPORT_REALM; without++) {
		uint64_t next = 0;
		memset(&c, 0, sizeof(c));
		c.core = new_reporter(5 + without);
		c.without = without;
		for (uint32_t n = 0; n < 10000; n++) {
			give_order(c.core, without);
			for (uint32_t i = below(c.core, 8); i > 0; i--)
				ask(&c);
			c.core->now_ns += below(c.core, 40) == 0 ? below(c.core, 400) * SECOND
								 : below(c.core, 2000) * MS;
			oc_agent_tick(c.core->agent, c.core->now_ns);
			wrong += numbers_out_of_row(c.core, &next);
			c.core->event_count = 0;
		}
		CU_ASSERT_EQUAL(c.older, 0);
		CU_ASSERT_EQUAL(c.different, 0);
		CU_ASSERT_EQUAL(c.silent, 0);
		CU_ASSERT(c.told > 10000);
		CU_ASSERT_EQUAL(next, oc_agent_next_sequence(c.core->agent));
		help_core_free(c.core);
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

/* --- the way back --- */

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
		core->now_ns += below(core, 700) * MS + 1;
		if (below(core, 2))
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
		struct help_core *core = new_core(seed);
		uint32_t type = below(core, OC_REPORT_COUNT);
		uint32_t left = 1;
		core->policy.ramp_ms = 1000 + below(core, 30000);
		core->policy.ended_memory_ms = 600000;
		help_core_apply_policy(core);
		uint32_t pct = 1 + below(core, 99);
		report(core, "b1.example.net", type, 1, pct, 10);
		not_begun += share_now(core) != pct * 10000;
		if (below(core, 2))
			report(core, "b1.example.net", type, 2, 0, 0);
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
		struct help_core *core = new_core(seed);
		uint32_t left = 1;
		struct oc_candidate to = { .peer = help_name(core, "b1.example.net"), .score = 10 };
		core->policy.ramp_ms = 1000 + below(core, 30000);
		help_core_apply_policy(core);
		report_rate(core, "b1.example.net", OC_REPORT_PEER, 1, 10 + below(core, 40), 10);
		for (uint32_t n = 0; n < 990; n++) {
			struct going g = { .msg = help_request(core, NULL) };
			(void)pass(core, &g, &to, 1);
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

void test_oc_protocol_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_protocol", NULL, NULL);

	CU_add_test(suite, "D-158 nothing_is_decided_twice", test_oc_protocol_nothing_is_decided_twice);
	CU_add_test(suite, "D-152 D-272 total_holds_for_any_mix", test_oc_protocol_total_holds_for_any_mix);
	CU_add_test(suite, "D-152 D-272 one_version_is_exact", test_oc_protocol_one_version_is_exact);
	CU_add_test(suite, "D-242 D-243 reports_in_a_row_take_the_greater",
		    test_oc_protocol_reports_in_a_row_take_the_greater);
	CU_add_test(suite, "D-092 D-096 D-098 own_reports_never_go_back",
		    test_oc_protocol_own_reports_never_go_back);
	CU_add_test(suite, "D-252 D-254 D-256 ramps_only_fall", test_oc_protocol_ramps_only_fall);
	CU_add_test(suite, "D-252 D-254 R-28 ramps_of_rate_only_fall",
		    test_oc_protocol_ramps_of_rate_only_fall);
}
