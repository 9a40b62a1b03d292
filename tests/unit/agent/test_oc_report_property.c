/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Property test of the reports this agent makes: random orders, withdrawals, answers and time, held against a model
 * of the clients that obey them.
 *
 * The model clients do what RFC 7683 section 5.2.1.3 says: they ignore lower numbers as long as what they hold lasts. So
 * whatever the agent does, a client that holds something must always be told the same again or something newer.
 */
#include "agent/wire/oc_encode.h"
#include "agent/wire/oc_hash.h"
#include "help_report.h"

#include <stdlib.h>
#include <string.h>

void test_oc_report_property_suite(void);

#define OPERATIONS 100000u
#define FIRST 1000u
#define CONTENTS_MAX 4000000u
#define NODES 24u
#define SUBJECTS 3u
#define APPS 2u

/* What one client holds about one subject. */
struct held {
	uint64_t sequence;
	uint64_t until_ns;
};

/* What is known of one order by what was made for it. */
struct history {
	uint64_t told_until_ns;
	uint32_t pct; /* of the last loss content; 101 = may be anything */
};

struct world {
	struct help_report h;
	uint64_t chance;
	uint64_t *octets; /* hash of each content, by number */
	uint64_t next;	  /* number that step() must report next */
	struct held held[OC_REPORT_COUNT][APPS][SUBJECTS][NODES];
	struct history history[OC_REPORT_COUNT][APPS + 1][SUBJECTS];
	uint32_t stale;	     /* older than what the client holds */
	uint32_t withheld;   /* nothing told to a client that holds something */
	uint32_t different;  /* one number, two contents */
	uint32_t unordered;  /* not the next number */
	uint32_t risen;	     /* a percentage that rose without an order */
	uint32_t forgotten;  /* gone while somebody held it */
	uint32_t short_told; /* told_until before the state just made ends */
	uint32_t answers;    /* with a content */
	uint32_t ends;	     /* of these */
};

static uint32_t pick(struct world *w, uint32_t n)
{
	return (uint32_t)(help_random(&w->chance) % n);
}

/* Applications 1 and 2, and 0 for all; subjects 50 to 52, of PEER reports every neighbour or one of two. */
static struct oc_report_key key_of(uint8_t type, uint32_t app, uint32_t subject)
{
	uint32_t name = type == OC_REPORT_PEER ? (subject ? 99 + subject : OC_NAME_NONE) : 50 + subject;

	return (struct oc_report_key){ app ? app : OC_APP_ANY, name, type };
}

static struct history *history_of(struct world *w, const struct oc_report_key *key)
{
	uint32_t app = key->app_id == OC_APP_ANY ? 0 : key->app_id;
	uint32_t subject = key->subject - 50;

	if (key->type == OC_REPORT_PEER)
		subject = key->subject ? key->subject - 99 : 0;
	return &w->history[key->type][app][subject];
}

static uint64_t hash_octets(const struct oc_report_content *content)
{
	struct oc_olr olr;
	struct oc_group group;

	oc_report_olr(content, &olr);
	CU_ASSERT_EQUAL_FATAL(oc_encode_olr(&group, &olr, "agent.example.net"), OC_OK);
	return oc_hash(group.data, group.len, 1);
}

static void check_octets(struct world *w, const struct oc_report_content *content)
{
	CU_ASSERT_TRUE_FATAL(content->sequence >= FIRST && content->sequence - FIRST < CONTENTS_MAX);
	uint64_t *known = &w->octets[content->sequence - FIRST];
	uint64_t now = hash_octets(content);

	w->different += *known != 0 && *known != now;
	*known = now;
}

/* Contents for all only: those of targets come and go under their order. */
static void check_life(struct world *w, const struct oc_report_content *content)
{
	struct history *history = history_of(w, &content->key);

	if (content->step == OC_REPORT_GONE) {
		bool is_last = !oc_reports_has(w->h.reports, content->key.type, content->key.app_id,
					       content->key.subject);
		w->forgotten += is_last && w->h.now_ns <= history->told_until_ns;
	} else if (content->algorithm == OC_ALGO_LOSS) {
		w->risen += content->reduction_pct > history->pct;
		history->pct = content->step == OC_REPORT_ENDED ? 101 : content->reduction_pct;
	}
}

static void drain(struct world *w)
{
	struct oc_report_content content;

	while (oc_reports_step(w->h.reports, &w->h.policy, w->h.now_ns, &content)) {
		if (content.is_note)
			continue;
		check_octets(w, &content);
		if (content.step != OC_REPORT_GONE)
			w->unordered += content.sequence != w->next++;
		if (content.target == 0)
			check_life(w, &content);
	}
	w->unordered += oc_reports_next_sequence(w->h.reports) != w->next;
}

static void do_order(struct world *w)
{
	static const uint32_t validities[] = { 0, 1, 10, 100, 600 };
	struct oc_report_order order = { .key = key_of((uint8_t)pick(w, 3), pick(w, 3), pick(w, 3)),
					 .reduction_pct = pick(w, 101),
					 .rate_rps = pick(w, 1000),
					 .validity_s = validities[pick(w, 5)] };
	uint32_t kind = 1 + pick(w, 3);

	order.has_reduction = kind & 1;
	order.has_rate = kind & 2;
	if (pick(w, 4) == 0)
		order.until_ns = w->h.now_ns + pick(w, 60) * SECOND;
	if (order.has_reduction)
		history_of(w, &order.key)->pct = 101;
	CU_ASSERT_EQUAL_FATAL(oc_reports_order(w->h.reports, &w->h.policy, &order, w->h.now_ns), OC_OK);
	drain(w);
}

static void do_withdraw(struct world *w)
{
	struct oc_report_key key = key_of((uint8_t)pick(w, 3), pick(w, 3), pick(w, 3));

	oc_reports_withdraw(w->h.reports, &w->h.policy, &key, w->h.now_ns);
	if (pick(w, 2))
		drain(w);
}

static void do_time(struct world *w)
{
	w->h.now_ns += pick(w, 10) ? pick(w, 2000) * MS : pick(w, 60) * SECOND;
	drain(w);
}

/* Whether the snapshot says that what was just told lasts as long as it does. */
static bool is_covered(struct world *w, const struct oc_report_content *content)
{
	struct oc_report_view views[OC_REPORT_ORDERS_MAX];
	uint32_t count = oc_reports_snapshot(w->h.reports, views, OC_REPORT_ORDERS_MAX);
	uint64_t until_ns = w->h.now_ns + content->validity_s * SECOND;

	for (uint32_t i = 0; i < count; i++) {
		const struct oc_report_key *key = &views[i].order.key;
		bool is_app = key->app_id == content->key.app_id || key->app_id == OC_APP_ANY;
		if (is_app && key->subject == content->key.subject && key->type == content->key.type &&
		    views[i].told_until_ns >= until_ns)
			return true;
	}
	return false;
}

static void take_in(struct world *w, struct held *held, const struct oc_report_content *content)
{
	bool is_held = w->h.now_ns < held->until_ns;

	w->answers++;
	w->ends += content->validity_s == 0;
	w->short_told += content->validity_s != 0 && !is_covered(w, content);
	w->stale += is_held && content->sequence < held->sequence;
	if (!is_held || content->sequence > held->sequence)
		*held = (struct held){ content->sequence, w->h.now_ns + content->validity_s * SECOND };
}

/* An answer to a client; even ones speak loss, odd ones rate. */
static void do_answer(struct world *w)
{
	uint8_t type = (uint8_t)pick(w, 3);
	uint32_t app = pick(w, APPS);
	uint32_t node = pick(w, NODES);
	uint32_t subject = type == OC_REPORT_PEER ? 0 : pick(w, SUBJECTS);
	uint8_t algorithm = node % 2 ? OC_ALGO_RATE : OC_ALGO_LOSS;
	struct oc_report_receiver to = { app + 1, 100 + node, 100 + node, 100 + node, algorithm, algorithm };
	struct held *held = &w->held[type][app][subject][node];
	struct oc_report_content content;

	if (!oc_reports_content(w->h.reports, &w->h.policy, type, 50 + subject, &to, w->h.now_ns, &content)) {
		w->withheld += w->h.now_ns < held->until_ns;
		return;
	}
	check_octets(w, &content);
	take_in(w, held, &content);
	if (content.target == 0 && content.validity_s != 0) {
		struct history *history = history_of(w, &content.key);
		uint64_t until_ns = w->h.now_ns + content.validity_s * SECOND;
		if (until_ns > history->told_until_ns)
			history->told_until_ns = until_ns;
	}
}

static void run(struct world *w)
{
	for (uint32_t i = 0; i < OPERATIONS; i++) {
		uint32_t what = pick(w, 100);
		if (what < 4)
			do_order(w);
		else if (what < 10)
			do_withdraw(w);
		else if (what < 40)
			do_time(w);
		else
			do_answer(w);
	}
}

static void test_oc_report_property_clients_never_go_astray(void)
{
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct world *w = calloc(1, sizeof(*w));
		CU_ASSERT_PTR_NOT_NULL_FATAL(w);
		w->octets = calloc(CONTENTS_MAX, sizeof(*w->octets));
		CU_ASSERT_PTR_NOT_NULL_FATAL(w->octets);
		w->h = help_report_new(FIRST);
		w->h.policy.fall_step_pct = seed == 3 ? 0 : 20;
		w->h.policy.target_idle_ms = 20000;
		w->chance = seed;
		w->next = FIRST;
		run(w);
		CU_ASSERT_EQUAL(w->stale, 0);
		CU_ASSERT_EQUAL(w->withheld, 0);
		CU_ASSERT_EQUAL(w->different, 0);
		CU_ASSERT_EQUAL(w->unordered, 0);
		CU_ASSERT_EQUAL(w->risen, 0);
		CU_ASSERT_EQUAL(w->forgotten, 0);
		CU_ASSERT_EQUAL(w->short_told, 0);
		CU_ASSERT_TRUE(w->answers > OPERATIONS / 10);
		CU_ASSERT_TRUE(w->ends > 1000);
		help_report_free(&w->h);
		free(w->octets);
		free(w);
	}
}

void test_oc_report_property_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_report_property", NULL, NULL);
	CU_add_test(suite, "D-092 D-096 D-098 D-110 D-232 clients_never_go_astray",
		    test_oc_report_property_clients_never_go_astray);
}
