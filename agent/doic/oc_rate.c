/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The leaky bucket in fixed point: 64 bits throughout, whatever the rate and however long nobody called.
 */
#include "oc_rate.h"

#define TICKS_SHIFT 20 /* a tick is 2^-20 ns */
#define TICKS_PER_S (1000000000ull << TICKS_SHIFT)
#define PERMILLE_MAX 1000000u /* higher thresholds count as this many: with 1/s more would not fit 64 bits */

/* Rounded up, so that the rate is never exceeded in the long run. */
static int64_t increment_of(uint32_t rps)
{
	return rps == 0 ? 0 : (int64_t)((TICKS_PER_S + rps - 1) / rps);
}

/* @permille thousandths of T, which alone may be too large to be multiplied. */
static int64_t part_of(int64_t increment, uint32_t permille)
{
	int64_t part = permille < PERMILLE_MAX ? permille : PERMILLE_MAX;

	return increment / 1000 * part + increment % 1000 * part / 1000;
}

/* @increment times a number evenly spread over [0, 1). */
static int64_t random_part_of(int64_t increment, uint32_t random)
{
	uint64_t high = (uint64_t)increment >> 32;
	uint64_t low = (uint64_t)increment & UINT32_MAX;

	return (int64_t)(high * random + (low * random >> 32));
}

/* The time back to the last admission is not kept in ticks: days would not fit. */
static int64_t drained(const struct oc_rate *rate, uint64_t now_ns)
{
	uint64_t idle_ns = now_ns > rate->admitted_ns ? now_ns - rate->admitted_ns : 0;

	if (idle_ns > (uint64_t)rate->content >> TICKS_SHIFT)
		return 0;
	return rate->content - (int64_t)(idle_ns << TICKS_SHIFT);
}

void oc_rate_activate(struct oc_rate *rate, const struct oc_rate_policy *policy, uint32_t rps,
		      uint64_t now_ns, uint32_t random)
{
	*rate = (struct oc_rate){ .increment = increment_of(rps), .admitted_ns = now_ns };
	rate->content = part_of(rate->increment, policy->initial_permille);
	if (policy->is_anti_resonant)
		rate->content += random_part_of(rate->increment, random) - rate->increment / 2;
	rate->content = rate->content > 0 ? rate->content : 0;
}

void oc_rate_change(struct oc_rate *rate, const struct oc_rate_policy *policy, uint32_t rps, uint64_t now_ns)
{
	if (rate->increment == 0)
		rate->admitted_ns = now_ns;
	rate->increment = increment_of(rps);
	int64_t most = part_of(rate->increment, policy->threshold_permille[0]) + rate->increment;
	if (policy->is_anti_resonant)
		most += rate->increment / 2;
	rate->content = rate->content < most ? rate->content : most;
}

bool oc_rate_admit(struct oc_rate *rate, const struct oc_rate_policy *policy, uint8_t klass, uint64_t now_ns,
		   uint32_t random)
{
	int64_t content = drained(rate, now_ns);

	if (rate->increment == 0 || content > part_of(rate->increment, policy->threshold_permille[klass]))
		return false;
	int64_t increment = rate->increment;
	if (policy->is_anti_resonant && content == 0)
		increment += random_part_of(increment, random) - increment / 2;
	rate->content = content + increment;
	/* A caller whose clock was read before another's must not take time out of the bucket twice. */
	rate->admitted_ns = now_ns > rate->admitted_ns ? now_ns : rate->admitted_ns;
	return true;
}
