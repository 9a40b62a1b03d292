/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A table of states and a clock, to draw requests in.
 */
#pragma once

#include "agent/doic/oc_decide.h"
#include "help_core.h"
#include <CUnit/CUnit.h>

#define HOST 7u

/* One table, one state of app 1 and HOST, and a clock. */
struct world {
	struct oc_policy policy;
	struct oc_ocs *ocs;
	struct oc_ocs_entry *entry;
	struct oc_ocs_key key;
	uint64_t now_ns;
	uint64_t chance;
	uint64_t sequence;
	uint32_t version;
};

static inline struct world world_of(void)
{
	struct world w = { .ocs = oc_ocs_new(128),
			   .key = { .app_id = 1, .subject = HOST, .type = OC_REPORT_HOST },
			   .now_ns = 1000 * SECOND,
			   .chance = 5 };

	oc_policy_init(&w.policy);
	return w;
}

static inline void settle(struct world *w)
{
	enum oc_ocs_end how;
	uint64_t at_ns;

	while (oc_ocs_settle(w->ocs, w->entry, &w->policy, w->now_ns, &how, &at_ns) &&
	       how != OC_END_FORGOTTEN)
		;
}

static inline enum oc_intake report(struct world *w, struct oc_olr_value value,
				    const struct oc_specific *specific)
{
	struct oc_ocs_birth birth = { .policy = &w->policy,
				      .now_ns = w->now_ns,
				      .random = (uint32_t)help_random(&w->chance),
				      .specific = specific };
	struct oc_ocs_entry *old;

	if (w->entry)
		settle(w);
	value.type = (uint8_t)w->key.type;
	value.sequence = value.sequence ? value.sequence : ++w->sequence;
	enum oc_intake intake = oc_ocs_compare(w->ocs, &w->key, &value, w->now_ns, &old);
	if (intake == OC_INTAKE_STALE || intake == OC_INTAKE_REPEATED)
		return intake;
	birth.version = ++w->version;
	w->entry = oc_ocs_put(w->ocs, old, &w->key, &value, &birth);
	settle(w);
	return intake;
}

static inline void report_loss(struct world *w, uint32_t pct, uint32_t validity_s)
{
	report(w,
	       (struct oc_olr_value){
		       .algorithm = OC_ALGO_LOSS, .reduction_pct = pct, .validity_s = validity_s },
	       NULL);
}

static inline void report_rate(struct world *w, uint32_t rps, uint32_t validity_s)
{
	report(w,
	       (struct oc_olr_value){ .algorithm = OC_ALGO_RATE, .rate_rps = rps, .validity_s = validity_s },
	       NULL);
}

static inline struct oc_draw draw(struct world *w, uint8_t rank, uint8_t klass, const struct oc_msg *request)
{
	struct oc_ask ask = { .request = request, .rank = rank, .klass = klass };

	settle(w);
	return oc_decide_draw(w->ocs, w->entry, &w->policy, &ask, w->now_ns,
			      (uint32_t)help_random(&w->chance));
}

/* Draws @count plain requests @gap_ns apart; returns how many were selected. */
static inline uint32_t draw_many(struct world *w, uint32_t count, uint64_t gap_ns)
{
	uint32_t selected = 0;

	for (uint32_t i = 0; i < count; i++) {
		selected += draw(w, 10, OC_CLASS_DEFAULT, NULL).is_selected;
		w->now_ns += gap_ns;
	}
	return selected;
}
