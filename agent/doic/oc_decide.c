/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Drawing one request under one overload control state (RFC 7683 sections 5.2.2, 6.3).
 */
#include "oc_decide.h"

struct oc_draw oc_decide_draw(struct oc_ocs *ocs, struct oc_ocs_entry *entry, const struct oc_policy *policy,
			      uint64_t now_ns, uint32_t random)
{
	struct oc_draw draw = { 0 };

	if (!oc_decide_matches(entry))
		return draw;
	uint32_t share_ppm = oc_recover_share(&entry->recover, now_ns);
	draw.look = (struct oc_look){ .version = entry->version, .share_ppm = share_ppm };
	draw.is_recovering = entry->recover.phase != OC_PHASE_ACTIVE;
	if (entry->recover.phase == OC_PHASE_PROBE &&
	    oc_recover_take_probe(&entry->recover, &oc_ocs_record(ocs, entry)->probe, policy, now_ns)) {
		draw.is_probe = true;
		return draw;
	}
	draw.is_selected = policy->sampler == OC_SAMPLER_RANDOM
				   ? oc_loss_draw_random(share_ppm, random)
				   : oc_loss_draw_exact(&entry->loss, share_ppm, random);
	entry->matched++;
	entry->expected_ppm += share_ppm;
	entry->selected += draw.is_selected;
	draw.look.nth = (uint32_t)entry->matched;
	return draw;
}

uint32_t oc_decide_share(struct oc_ocs *ocs, const struct oc_ocs_key *key, const struct oc_policy *policy,
			 uint64_t now_ns)
{
	const struct oc_ocs_entry *entry = oc_ocs_get(ocs, key);

	return entry ? oc_recover_share_later(&entry->recover, policy, now_ns) : 0;
}
