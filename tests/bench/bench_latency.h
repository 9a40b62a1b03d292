/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Timing of things that take less than the clock does: the processor's own counter, what reading it costs, percentiles.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <x86intrin.h>

/* Nothing before it is still under way, nothing after it has begun. */
static inline uint64_t bench_ticks(void)
{
	_mm_lfence();
	uint64_t ticks = __rdtsc();
	_mm_lfence();
	return ticks;
}
#else
#include <time.h>

static inline uint64_t bench_ticks(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
#endif

struct bench_clock {
	double ns_per_tick;
	uint32_t cost; /* ticks between two readings with nothing in between: median of many */
};

/* Measures both; takes about 50 ms. */
struct bench_clock bench_clock_calibrate(void);

/* Sorts @samples. */
void bench_sort(uint32_t *samples, size_t count);

void bench_sort_values(double *values, size_t count);

/* The sample that a share of @permille parts in a thousand does not exceed, of sorted ones, in nanoseconds, the
 * clock's own cost taken off. */
double bench_percentile_ns(const struct bench_clock *clock, const uint32_t *sorted, size_t count,
			   double permille);

/* Of at most 64 values. */
double bench_median(const double *values, size_t count);
