/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Property of the reports this node makes, through the facade: no client is told less than it knows, nor left alone with it.
 */
#include "help_protocol.h"

#include <CUnit/CUnit.h>
#include <string.h>

void test_oc_protocol_own_suite(void);

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
	struct oc_report_key key = { .type = (uint8_t)help_below(core, OC_REPORT_COUNT),
				     .app_id = app_of(help_below(core, 3)) };

	if (key.type == without)
		key.type = OC_REPORT_PEER;
	if (key.type == OC_REPORT_PEER) {
		uint32_t n = help_below(core, 3);
		key.subject = n ? help_name(core, neighbours[n]) : OC_NAME_NONE;
	} else {
		key.subject = help_name(core, key.type == OC_REPORT_HOST ? "s3.example.net" : "example.net");
	}
	return key;
}

static void give_order(struct help_core *core, uint32_t without)
{
	struct oc_report_order order = { .key = random_key(core, without),
					 .has_reduction = help_below(core, 3) != 0,
					 .reduction_pct = help_below(core, 101),
					 .rate_rps = help_below(core, 1000),
					 .validity_s = 1 + help_below(core, 300) };

	order.has_rate = !order.has_reduction || help_below(core, 4) == 0;
	if (help_below(core, 3) != 0)
		(void)oc_agent_order(core->agent, &order, NULL, core->now_ns);
	else
		(void)oc_agent_withdraw(core->agent, &order.key, NULL, core->now_ns);
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
	uint32_t n = help_below(core, NODES);
	uint32_t a = help_below(core, 2);
	struct help_going g = { .msg = help_request(core, "s3.example.net") };
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

static bool is_end_of_ours(const struct help_core *core, uint64_t sequence)
{
	for (uint32_t i = 0; i < core->event_count && i < HELP_EVENTS_MAX; i++) {
		const struct oc_event *e = &core->events[i];
		if (e->kind == OC_EVENT_REPORT && e->u.report.validity_s == 0 &&
		    e->u.report.sequence == sequence)
			return true;
	}
	return false;
}

/* Numbers of the trail: each content takes the next one, and so does an end here of what nobody else had heard of. */
static uint32_t numbers_out_of_row(const struct help_core *core, uint64_t *next)
{
	uint32_t wrong = 0;

	for (uint32_t i = 0; i < core->event_count && i < HELP_EVENTS_MAX; i++) {
		const struct oc_event *e = &core->events[i];
		if (e->kind != OC_EVENT_OWN_REPORT || e->u.own_report.step == OC_REPORT_GONE)
			continue;
		while (e->u.own_report.sequence > *next && is_end_of_ours(core, *next))
			(*next)++;
		wrong += e->u.own_report.sequence != (*next)++;
	}
	while (is_end_of_ours(core, *next))
		(*next)++;
	return wrong;
}

static struct help_core *new_reporter(uint64_t seed)
{
	struct help_core *core = help_protocol_new(seed);
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
			for (uint32_t i = help_below(c.core, 8); i > 0; i--)
				ask(&c);
			c.core->now_ns += help_below(c.core, 40) == 0 ? help_below(c.core, 400) * SECOND
								      : help_below(c.core, 2000) * MS;
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

void test_oc_protocol_own_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_protocol_own", NULL, NULL);

	CU_add_test(suite, "D-092 D-096 D-098 own_reports_never_go_back",
		    test_oc_protocol_own_reports_never_go_back);
}
