/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Drawing one request under one overload control state (RFC 7683 sections 5.2.2, 6.3).
 */
#include "oc_decide.h"

#define MEASURED_OVER 64 /* requests a measured share forgets in */

static bool is_bucket(const struct oc_recover *recover)
{
	return recover->is_rate && recover->phase == OC_PHASE_ACTIVE;
}

/* Nearly all decisions: a loss report in force, the same for all requests. */
static bool is_plain(const struct oc_recover *recover)
{
	return recover->phase == OC_PHASE_ACTIVE && !recover->is_rate && !recover->is_specific;
}

/* Counts one request drawn at @share_ppm. */
static struct oc_draw drawn(struct oc_ocs_entry *entry, uint32_t share_ppm, bool is_selected)
{
	entry->matched++;
	entry->expected_ppm += share_ppm;
	entry->selected += is_selected;
	return (struct oc_draw){ .look = { .version = entry->version,
					   .share_ppm = share_ppm,
					   .nth = (uint32_t)entry->matched },
				 .is_selected = is_selected,
				 .is_recovering = entry->recover.phase != OC_PHASE_ACTIVE };
}

static inline struct oc_draw draw_loss(struct oc_ocs_entry *entry, const struct oc_policy *policy,
				       uint8_t rank, uint32_t asked_ppm, uint32_t random)
{
	uint32_t share_ppm = oc_debt_take(&entry->debt, asked_ppm, rank, policy->priorities.slack);
	bool is_selected = policy->sampler == OC_SAMPLER_RANDOM
				   ? oc_loss_draw_random(share_ppm, random)
				   : oc_loss_draw_exact(&entry->loss, share_ppm, random);

	return drawn(entry, share_ppm, is_selected);
}

/* The bucket's verdict is noted in the share the return will begin with. */
static struct oc_draw draw_rate(struct oc_ocs *ocs, struct oc_ocs_entry *entry,
				const struct oc_policy *policy, uint8_t klass, uint64_t now_ns,
				uint32_t random)
{
	struct oc_rate *rate = &oc_ocs_record(ocs, entry)->rate;
	bool is_admitted = oc_rate_admit(rate, &policy->rate, klass, now_ns, random);
	int32_t share_ppm = is_admitted ? 0 : (int32_t)OC_PPM;
	int32_t measured_ppm = (int32_t)entry->recover.share_ppm;

	entry->recover.share_ppm = (uint32_t)(measured_ppm + (share_ppm - measured_ppm) / MEASURED_OVER);
	return drawn(entry, (uint32_t)share_ppm, !is_admitted);
}

/* Share for one request of a report with specific reductions: its own percentage, less on the ramp as all are. */
static uint32_t specific_share(const struct oc_ocs *ocs, const struct oc_ocs_entry *entry,
			       const struct oc_msg *request, uint32_t share_ppm)
{
	uint8_t general_pct;
	const struct oc_specific *specific = oc_ocs_specific(ocs, entry, &general_pct);
	uint64_t own_ppm = oc_specific_pct(specific, request, general_pct) * (uint64_t)(OC_PPM / 100);

	return share_ppm == 0 ? 0 : (uint32_t)(own_ppm * share_ppm / entry->recover.share_ppm);
}

/* What is not plain; not inlined, so that what is does not pay for it. */
static __attribute__((noinline)) struct oc_draw draw_odd(struct oc_ocs *ocs, struct oc_ocs_entry *entry,
							 const struct oc_policy *policy,
							 const struct oc_ask *ask, uint64_t now_ns,
							 uint32_t random)
{
	struct oc_recover *recover = &entry->recover;

	if (!oc_decide_matches(entry))
		return (struct oc_draw){ 0 };
	if (is_bucket(recover))
		return draw_rate(ocs, entry, policy, ask->klass, now_ns, random);
	uint32_t share_ppm = oc_recover_share(recover, now_ns);
	if (recover->is_specific)
		share_ppm = specific_share(ocs, entry, ask->request, share_ppm);
	/* A request with a lower share of its own would teach nothing about those that may not pass. */
	if (recover->phase == OC_PHASE_PROBE && share_ppm == OC_PPM &&
	    oc_recover_take_probe(recover, &oc_ocs_record(ocs, entry)->probe, policy, now_ns))
		return (struct oc_draw){ .look = { .version = entry->version, .share_ppm = share_ppm },
					 .is_probe = true,
					 .is_recovering = true };
	/* Requests that nothing is asked of have no part in what the others owe. */
	if (recover->is_specific && share_ppm == 0)
		return drawn(entry, 0, false);
	return draw_loss(entry, policy, ask->rank, share_ppm, random);
}

struct oc_draw oc_decide_draw(struct oc_ocs *ocs, struct oc_ocs_entry *entry, const struct oc_policy *policy,
			      const struct oc_ask *ask, uint64_t now_ns, uint32_t random)
{
	if (is_plain(&entry->recover))
		return draw_loss(entry, policy, ask->rank, entry->recover.share_ppm, random);
	return draw_odd(ocs, entry, policy, ask, now_ns, random);
}

void oc_decide_credit(struct oc_ocs *ocs, struct oc_ocs_entry *entry, const struct oc_policy *policy,
		      uint64_t now_ns)
{
	(void)ocs;
	(void)policy;
	if (oc_decide_matches(entry) && !is_bucket(&entry->recover))
		oc_debt_credit(&entry->debt, oc_recover_share(&entry->recover, now_ns));
}

uint32_t oc_decide_share(struct oc_ocs *ocs, const struct oc_ocs_key *key, const struct oc_policy *policy,
			 uint64_t now_ns)
{
	const struct oc_ocs_entry *entry = oc_ocs_get(ocs, key);

	if (!entry)
		return 0;
	uint32_t share_ppm = oc_recover_share_later(&entry->recover, policy, now_ns);
	bool is_in_force = is_bucket(&entry->recover) && now_ns < entry->recover.until_ns;
	return share_ppm == 0 && is_in_force ? 1 : share_ppm;
}
