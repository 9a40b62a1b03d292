/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Repeatable random numbers: splitmix64, uniform and exponential.
 */
#pragma once

#include <math.h>
#include <stdint.h>

struct dt_rng {
	uint64_t state;
};

static inline uint64_t dt_rng_next(struct dt_rng *rng)
{
	uint64_t z = (rng->state += 0x9e3779b97f4a7c15u);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* In (0, 1]. */
static inline double dt_rng_unit(struct dt_rng *rng)
{
	return ((double)(dt_rng_next(rng) >> 11) + 1.0) / 9007199254740992.0;
}

/* Exponential with mean @mean_ns. */
static inline uint64_t dt_rng_exponential(struct dt_rng *rng, uint64_t mean_ns)
{
	return (uint64_t)(-log(dt_rng_unit(rng)) * (double)mean_ns);
}
