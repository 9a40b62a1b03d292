/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Speed of the decision core: decisions per second with many states held, and allocations per decision.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "agent/doic/oc_decide.h"
#include "agent/doic/oc_match.h"
#include "agent/oc_agent.h"
#include "bench_latency.h"
#include "bench_report.h"
#include "tests/unit/agent/help_alloc.h"

#define ENTRIES 10000u
#define HOSTS (ENTRIES / 2)
#define REQUESTS 65536u /* distinct requests, walked round and round */
#define SECOND 1000000000ull
#define ROUNDS 9

/* What differs between the requests: the message itself is in the cache when it is decided about, having just
 * been scanned, so it is filled from this. */
struct ask {
	uint32_t app_id;
	uint32_t dest_host;
	uint32_t dest_realm;
	uint8_t rank;
};

struct bench {
	struct oc_policy policy;
	struct oc_names *names;
	struct ask *requests;
	struct oc_msg msg;
	uint64_t chance;
	uint64_t treated; /* keeps the compiler honest */
	uint64_t allocations;
	uint64_t decisions;
};

static inline uint64_t next_random(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15ull);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	return z ^ (z >> 27);
}

/* Processor time of this thread: what else runs on the machine does not count. */
static double seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint32_t add_name(struct bench *b, const char *prefix, uint32_t i)
{
	char text[64];
	int len = snprintf(text, sizeof(text), "%s%u.example.net", prefix, i);
	struct oc_bytes bytes = { .data = (const uint8_t *)text, .len = (size_t)len };

	return oc_names_id(b->names, bytes, NULL);
}

/* Half the requests come with a Destination-Host, of which 80 % has a report; the rest is realm-routed to 5000
 * realms with reports. Every tenth is of an application without any. Uniform: no locality is assumed. */
static int bench_init(struct bench *b)
{
	memset(b, 0, sizeof(*b));
	oc_policy_init(&b->policy);
	b->policy.default_trust = 0xf;
	b->chance = 1;
	b->names = oc_names_new(65536, 1);
	b->requests = calloc(REQUESTS, sizeof(*b->requests));
	if (!b->names || !b->requests)
		return -1;
	uint32_t first_host = add_name(b, "h", 0);
	for (uint32_t i = 1; i < HOSTS * 5 / 4; i++)
		add_name(b, "h", i);
	uint32_t first_realm = add_name(b, "r", 0);
	for (uint32_t i = 1; i < HOSTS; i++)
		add_name(b, "r", i);
	b->msg = (struct oc_msg){ .command = 272, .flags = 0xc0, .origin_host = first_host };
	for (uint32_t i = 0; i < REQUESTS; i++) {
		uint64_t r = next_random(&b->chance);
		struct ask *m = &b->requests[i];
		m->app_id = (r & 0xff) < 26 ? 99 : 16777238;
		m->dest_realm = first_realm + (uint32_t)((r >> 16) % HOSTS);
		m->rank = (uint8_t)(r >> 60);
		m->dest_host =
			r & 0x100 ? first_host + (uint32_t)((r >> 32) % (HOSTS * 5 / 4)) : OC_NAME_NONE;
	}
	return 0;
}

static inline const struct oc_msg *message(struct bench *b, uint32_t i)
{
	const struct ask *ask = &b->requests[i % REQUESTS];

	b->msg.app_id = ask->app_id;
	b->msg.dest_host = ask->dest_host;
	b->msg.dest_realm = ask->dest_realm;
	return &b->msg;
}

static void fill(struct bench *b, struct oc_ocs *ocs)
{
	for (uint32_t i = 0; i < ENTRIES; i++) {
		bool is_realm = i >= HOSTS;
		struct oc_ocs_key key = { .app_id = 16777238, .type = is_realm };
		key.subject = is_realm ? add_name(b, "r", i - HOSTS) : add_name(b, "h", i);
		struct oc_olr_value value = { .sequence = 1,
					      .reduction_pct = 1 + i % 99,
					      .validity_s = 86400,
					      .type = key.type,
					      .algorithm = OC_ALGO_LOSS };
		struct oc_ocs_birth birth = { .policy = &b->policy, .now_ns = SECOND, .version = i + 1 };
		oc_ocs_put(ocs, NULL, &key, &value, &birth);
	}
}

/* One decision: find out which state counts, look it up, bring it up to date, draw and count. */
static double run_core(struct bench *b, struct oc_ocs *ocs, uint32_t count)
{
	uint64_t now_ns = 2 * SECOND;
	uint64_t before = help_allocations();
	double start = seconds_now();

	for (uint32_t i = 0; i < count; i++) {
		struct oc_ocs_key key;
		enum oc_ocs_end how;
		uint64_t at_ns;
		uint64_t random = next_random(&b->chance);
		now_ns += 100;
		if (!oc_match_on_arrival(message(b, i), true, &key))
			continue;
		struct oc_ocs_entry *entry = oc_ocs_get(ocs, &key);
		if (!entry || oc_ocs_settle(ocs, entry, &b->policy, now_ns, &how, &at_ns))
			continue;
		struct oc_ask ask = { .request = &b->msg,
				      .rank = b->requests[i % REQUESTS].rank,
				      .klass = OC_CLASS_DEFAULT };
		b->treated +=
			oc_decide_draw(ocs, entry, &b->policy, &ask, now_ns, (uint32_t)random).is_selected;
	}
	double took = seconds_now() - start;
	b->allocations += help_allocations() - before;
	b->decisions += count;
	return count / took;
}

static void count_event(void *ctx, const struct oc_event *event)
{
	*(uint64_t *)ctx += event->kind;
}

/* The states come in as reports in answers, like any other. */
static void teach(struct bench *b, struct oc_agent *agent)
{
	for (uint32_t i = 0; i < ENTRIES; i++) {
		bool is_realm = i >= HOSTS;
		struct oc_msg request = { .app_id = 16777238 };
		struct oc_msg answer = { .app_id = 16777238, .caps.has = OC_CAPS_PRESENT, .olr_count = 1 };
		struct oc_txn txn = { 0 };
		struct oc_group group;
		struct oc_answer_edit edit;
		answer.origin_host = add_name(b, "h", is_realm ? 0 : i);
		answer.origin_realm = add_name(b, "r", is_realm ? i - HOSTS : 0);
		answer.olr[0] =
			(struct oc_olr){ .sequence = 1, .type = is_realm, .reduction_pct = 1 + i % 99 };
		answer.olr[0].validity_s = 86400;
		answer.olr[0].has =
			OC_OLR_HAS_SEQUENCE | OC_OLR_HAS_TYPE | OC_OLR_HAS_REDUCTION | OC_OLR_HAS_VALIDITY;
		oc_agent_on_request(agent, &request, 2, SECOND, 0, &txn);
		oc_agent_caps_for_request(agent, &request, &txn, &group);
		oc_agent_on_answer(agent, &answer, answer.origin_host, SECOND, &txn, &edit);
		oc_agent_on_gone(agent, &txn, SECOND);
	}
}

/* All steps of a request through the facade, with its mutex and both events. */
static double run_facade(struct bench *b, struct oc_agent *agent, uint32_t count)
{
	struct oc_candidate candidates[4];
	uint64_t now_ns = 2 * SECOND;

	for (uint32_t i = 0; i < 4; i++)
		candidates[i] = (struct oc_candidate){ .peer = add_name(b, "h", HOSTS + i) };
	uint64_t before = help_allocations();
	double start = seconds_now();
	for (uint32_t i = 0; i < count; i++) {
		const struct oc_msg *m = message(b, i);
		struct oc_txn txn = { 0 };
		uint32_t pick = 0;
		now_ns += 100;
		if (oc_agent_on_request(agent, m, 3, now_ns, next_random(&b->chance), &txn) != OC_REFUSE &&
		    oc_agent_on_candidates(agent, m, candidates, 4, now_ns, next_random(&b->chance), &txn,
					   &pick) != OC_REFUSE)
			oc_agent_on_sent(agent, &txn, candidates[pick].peer, now_ns);
		oc_agent_on_answer_leaving(agent, &txn, OC_MADE_UPSTREAM, OC_RC_SUCCESS, now_ns);
		oc_agent_on_gone(agent, &txn, now_ns);
	}
	double took = seconds_now() - start;
	b->allocations += help_allocations() - before;
	b->decisions += count;
	return count / took;
}

static int run(struct bench *b, uint32_t count, double *core_per_s, double *facade_per_s)
{
	double core[ROUNDS];
	double facade[ROUNDS];
	uint64_t events = 0;
	struct oc_agent_conf conf = { .identity = "agent.example.net",
				      .names = b->names,
				      .ocs_max = ENTRIES,
				      .retry_memory = 65536,
				      .emit = count_event,
				      .emit_ctx = &events };
	struct oc_ocs *ocs = oc_ocs_new(ENTRIES);
	struct oc_agent *agent = oc_agent_new(&conf, &b->policy);

	if (!ocs || !agent)
		return -1;
	fill(b, ocs);
	teach(b, agent);
	for (size_t i = 0; i < ROUNDS; i++) {
		core[i] = run_core(b, ocs, count);
		facade[i] = run_facade(b, agent, count / 8);
	}
	*core_per_s = bench_median(core, ROUNDS);
	*facade_per_s = bench_median(facade, ROUNDS);
	oc_agent_free(agent, 3 * SECOND);
	oc_ocs_free(ocs);
	return 0;
}

static int report(const struct bench *b, double core, double facade, const char *commit, const char *json)
{
	double per_decision = b->decisions ? (double)b->allocations / (double)b->decisions : -1;
	bool is_counted = help_allocations_are_counted();
	const struct bench_figure figures[] = {
		{ "core.decisions_per_s", core, "1/s", ">= 10000000", core >= 1e7,
		  "one thread, 10,000 states held (5,000 hosts, 5,000 realms); one decision = choose the "
		  "state that "
		  "counts for a request, look it up, bring it up to date, draw with the exact sampler and "
		  "count; half "
		  "with Destination-Host, 10 % of an application without states, keys uniform; median of 9 "
		  "runs" },
		{ "core.facade_decisions_per_s", facade, "1/s", "", -1,
		  "the same requests through oc_agent.h: on_request, on_candidates with 4 peers, on_sent, "
		  "on_answer_leaving, on_gone, one mutex, DECISION and OUTCOME events handed to a counter" },
		{ "core.allocations_per_decision", per_decision, "1", "= 0",
		  is_counted ? per_decision == 0 : -1,
		  "calls of malloc, calloc and realloc during both runs, divided by decisions" },
	};
	return bench_report("core", commit, figures, sizeof(figures) / sizeof(figures[0]), json);
}

int main(int argc, char **argv)
{
	struct bench b;
	uint32_t count = 8000000;
	const char *json = NULL;
	const char *commit = "";
	double core = 0;
	double facade = 0;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--quick") == 0)
			count = 1000000;
		else if (strcmp(argv[i], "--json") == 0 && i + 1 < argc)
			json = argv[++i];
		else if (strcmp(argv[i], "--commit") == 0 && i + 1 < argc)
			commit = argv[++i];
		else
			return fprintf(stderr, "usage: bench-core [--quick] [--json FILE] [--commit SHA]\n"),
			       2;
	}
	if (bench_init(&b) != 0 || run(&b, count, &core, &facade) != 0)
		return fprintf(stderr, "out of memory\n"), 2;
	int rc = report(&b, core, facade, commit, json);
	free(b.requests);
	oc_names_free(b.names);
	return rc;
}
