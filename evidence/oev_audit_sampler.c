/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Following the running difference of selected and expected through all orders the draws may have had.
 */
#include "oev_audit_sampler.h"

#include "../agent/oc_types.h"

static bool inside(int64_t error_ppm)
{
	return error_ppm < (int64_t)OC_PPM && error_ppm > -(int64_t)OC_PPM;
}

/* Difference when the last @outstanding late draws have not happened yet, for every @outstanding. Those that
 * leave the bound are struck out; from each that stays the oldest outstanding draw may happen. */
static uint64_t settle(const struct oev_sampler *sampler, uint64_t reach)
{
	int64_t without[OEV_SAMPLER_PENDING];
	uint64_t kept = 0;

	without[0] = sampler->error_ppm;
	for (uint32_t k = 1; k < OEV_SAMPLER_PENDING; k++)
		without[k] = without[k - 1] - sampler->ring[(sampler->late_seen - k) % OEV_SAMPLER_PENDING];
	for (uint32_t k = OEV_SAMPLER_PENDING; k-- > 0;)
		if (inside(without[k]) && ((reach >> k & 1u) != 0 || (kept >> (k + 1) & 1u) != 0))
			kept |= 1ull << k;
	return kept;
}

/* A late draw may stay outstanding; an early one happens at once, whatever is outstanding. */
static void follow(struct oev_sampler *sampler, bool late)
{
	uint64_t all = (1ull << OEV_SAMPLER_PENDING) - 1;

	sampler->reach = settle(sampler, late ? (sampler->reach << 1) & all : sampler->reach);
	sampler->broken = sampler->reach == 0;
}

/* When the second kind first shows. Only late draws before: any number of the last may still be outstanding. */
static uint64_t reach_at_start(const struct oev_sampler *sampler, bool late)
{
	uint64_t most =
		sampler->late_seen < OEV_SAMPLER_PENDING ? sampler->late_seen : OEV_SAMPLER_PENDING - 1;

	return late ? 1 : (2ull << most) - 1;
}

void oev_sampler_take(struct oev_sampler *sampler, uint32_t share_ppm, bool selected, bool late)
{
	int64_t step = (selected ? (int64_t)OC_PPM : 0) - (int64_t)share_ppm;
	bool was_mixed = sampler->early_seen && sampler->late_seen > 0;

	sampler->error_ppm += step;
	sampler->variance_ppm += (int64_t)share_ppm * (int64_t)(OC_PPM - share_ppm) / OC_PPM;
	int64_t size = sampler->error_ppm < 0 ? -sampler->error_ppm : sampler->error_ppm;
	if (size > sampler->error_max_ppm)
		sampler->error_max_ppm = size;
	if (late)
		sampler->ring[sampler->late_seen++ % OEV_SAMPLER_PENDING] = step;
	else
		sampler->early_seen = true;
	if (sampler->broken)
		return;
	if (sampler->early_seen && sampler->late_seen > 0) {
		if (!was_mixed)
			sampler->reach = reach_at_start(sampler, late);
		follow(sampler, late);
	} else if (!inside(sampler->error_ppm)) {
		sampler->broken = true;
	}
}

bool oev_sampler_holds(const struct oev_sampler *sampler)
{
	bool mixed = sampler->early_seen && sampler->late_seen > 0;

	return !sampler->broken && inside(sampler->error_ppm) && (!mixed || (sampler->reach & 1u) != 0);
}
