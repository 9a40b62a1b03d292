/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Shared by the tests of the reports this agent makes: a fixture with a clock, and short words for orders and answers.
 */
#pragma once

#include <CUnit/CUnit.h>

#include "agent/doic/oc_report.h"
#include "agent/oc_err.h"
#include "help_core.h"

#define APP_X 16777238u
#define APP_Y 16777236u
#define SUBJECT 50u /* the host or realm reported about */

struct help_report {
	struct oc_reports *reports;
	struct oc_report_policy policy;
	uint64_t now_ns;
	uint32_t made; /* contents read from oc_reports_step() so far, without those gone and notes */
	uint32_t gone; /* of these */
	struct oc_report_content last; /* the last one read */
};

/* No steps down unless a test asks for them. */
static inline struct help_report help_report_new(uint64_t first_sequence)
{
	struct oc_policy policy;

	oc_policy_init(&policy);
	struct help_report h = { .reports = oc_reports_new(first_sequence), .policy = policy.reports };
	CU_ASSERT_PTR_NOT_NULL_FATAL(h.reports);
	h.policy.fall_step_pct = 0;
	h.now_ns = 1000 * SECOND;
	return h;
}

static inline void help_report_free(struct help_report *h)
{
	oc_reports_free(h->reports);
}

/* A neighbour gets PEER reports meant for every one. */
static inline struct oc_report_key help_report_key(uint8_t type)
{
	return (struct oc_report_key){ APP_X, type == OC_REPORT_PEER ? OC_NAME_NONE : SUBJECT, type };
}

static inline struct oc_report_order help_report_loss(uint8_t type, uint32_t pct, uint32_t validity_s)
{
	return (struct oc_report_order){ .key = help_report_key(type),
					 .has_reduction = true,
					 .reduction_pct = pct,
					 .validity_s = validity_s };
}

static inline struct oc_report_order help_report_rate(uint8_t type, uint32_t rps, uint32_t validity_s)
{
	return (struct oc_report_order){
		.key = help_report_key(type), .has_rate = true, .rate_rps = rps, .validity_s = validity_s
	};
}

/* Reads all that was made; how many contents that were. */
static inline uint32_t help_report_drain(struct help_report *h)
{
	struct oc_report_content content;
	uint32_t before = h->made;

	while (oc_reports_step(h->reports, &h->policy, h->now_ns, &content)) {
		if (content.is_note)
			continue;
		h->last = content;
		if (content.step == OC_REPORT_GONE)
			h->gone++;
		else
			h->made++;
	}
	return h->made - before;
}

/* Lets time pass second by second, as the daemon's tick does. */
static inline void help_report_pass(struct help_report *h, uint32_t seconds)
{
	for (uint32_t i = 0; i < seconds; i++) {
		h->now_ns += SECOND;
		help_report_drain(h);
	}
}

static inline void help_report_order(struct help_report *h, struct oc_report_order order)
{
	CU_ASSERT_EQUAL(oc_reports_order(h->reports, &h->policy, &order, h->now_ns), OC_OK);
	help_report_drain(h);
}

static inline void help_report_withdraw(struct help_report *h, struct oc_report_key key)
{
	CU_ASSERT_EQUAL(oc_reports_withdraw(h->reports, &h->policy, &key, h->now_ns), OC_OK);
	help_report_drain(h);
}

/* Client @node in APP_X; its host, realm and neighbour carry the same number. */
static inline struct oc_report_receiver help_report_client(uint32_t node, uint8_t algorithm)
{
	return (struct oc_report_receiver){ APP_X, node, node, node, algorithm, algorithm };
}

/* The content an answer to @to carries; all zero when there is none. */
static inline struct oc_report_content help_report_tell_to(struct help_report *h, uint8_t type,
							   struct oc_report_receiver to)
{
	struct oc_report_content content = { 0 };

	if (!oc_reports_content(h->reports, &h->policy, type, SUBJECT, &to, h->now_ns, &content))
		content = (struct oc_report_content){ 0 };
	return content;
}

static inline struct oc_report_content help_report_tell(struct help_report *h, uint8_t type, uint32_t node,
							uint8_t algorithm)
{
	return help_report_tell_to(h, type, help_report_client(node, algorithm));
}

/* The only order, or the one of number @i. */
static inline struct oc_report_view help_report_view(const struct help_report *h, uint32_t i)
{
	static struct oc_report_view views[OC_REPORT_ORDERS_MAX];
	uint32_t count = oc_reports_snapshot(h->reports, views, OC_REPORT_ORDERS_MAX);

	CU_ASSERT_TRUE_FATAL(i < count);
	return views[i];
}
