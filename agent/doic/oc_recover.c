/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Phases of a report: arithmetic on integers, no clock of its own.
 */
#include "oc_recover.h"

#define NS_PER_MS 1000000ull
#define NS_PER_US 1000ull
#define US_PER_MS 1000ull

static void enter_ramp(struct oc_recover *r, const struct oc_policy *policy, uint64_t from_ns)
{
	r->phase = OC_PHASE_RAMP;
	r->ramp_ms = r->share_ppm == 0 ? 0 : policy->ramp_ms;
	r->until_ns = from_ns + r->ramp_ms * NS_PER_MS;
}

static void enter_probe(struct oc_recover *r, const struct oc_policy *policy, uint64_t from_ns)
{
	r->phase = OC_PHASE_PROBE;
	r->until_ns = from_ns + OC_RECOVER_PROBE_RAMPS * policy->ramp_ms * NS_PER_MS;
}

void oc_recover_begin(struct oc_recover *r, uint32_t share_ppm, uint64_t expires_ns)
{
	*r = (struct oc_recover){ .until_ns = expires_ns, .share_ppm = share_ppm, .phase = OC_PHASE_ACTIVE };
}

void oc_recover_end(struct oc_recover *r, uint32_t share_ppm, const struct oc_policy *policy, uint64_t now_ns)
{
	*r = (struct oc_recover){ .share_ppm = share_ppm };
	enter_ramp(r, policy, now_ns);
}

bool oc_recover_step(struct oc_recover *r, const struct oc_policy *policy, uint64_t now_ns, uint64_t *at_ns)
{
	if (now_ns < r->until_ns || r->phase == OC_PHASE_OVER)
		return false;
	*at_ns = r->until_ns;
	if (r->phase == OC_PHASE_RAMP) {
		r->phase = OC_PHASE_OVER;
		r->until_ns = UINT64_MAX;
	} else if (r->phase == OC_PHASE_ACTIVE && r->share_ppm == OC_PPM) {
		enter_probe(r, policy, r->until_ns);
	} else {
		enter_ramp(r, policy, r->until_ns);
	}
	return true;
}

uint32_t oc_recover_share(const struct oc_recover *r, uint64_t now_ns)
{
	if (r->phase == OC_PHASE_OVER)
		return 0;
	if (r->phase != OC_PHASE_RAMP)
		return r->share_ppm;
	if (now_ns >= r->until_ns)
		return 0;
	uint64_t left_us = (r->until_ns - now_ns) / NS_PER_US;
	uint64_t ramp_us = r->ramp_ms * US_PER_MS;
	/* A clock that went back must not ask for more than the ramp began with. */
	return left_us >= ramp_us ? r->share_ppm : (uint32_t)(r->share_ppm * left_us / ramp_us);
}

uint32_t oc_recover_share_later(const struct oc_recover *r, const struct oc_policy *policy, uint64_t now_ns)
{
	struct oc_recover copy = *r;
	uint64_t at_ns;

	while (oc_recover_step(&copy, policy, now_ns, &at_ns))
		;
	return oc_recover_share(&copy, now_ns);
}

bool oc_recover_take_probe(const struct oc_recover *r, struct oc_probe *probe, const struct oc_policy *policy,
			   uint64_t now_ns)
{
	if (r->phase != OC_PHASE_PROBE || now_ns < probe->next_ns)
		return false;
	probe->next_ns = now_ns + policy->probe_interval_ms * NS_PER_MS;
	if (probe->first_ns == 0)
		probe->first_ns = now_ns;
	return true;
}

void oc_recover_answered(struct oc_recover *r, const struct oc_probe *probe, const struct oc_policy *policy,
			 uint64_t sent_ns, uint64_t now_ns)
{
	if (r->phase == OC_PHASE_PROBE && probe->first_ns != 0 && sent_ns >= probe->first_ns)
		enter_ramp(r, policy, now_ns);
}
