/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Calibration and order statistics.
 */
#include "bench_latency.h"

#include <stdlib.h>
#include <string.h>

#include "evidence/oev_clock.h"

#define READINGS 10001u
#define CALIBRATE_NS 50000000u
#define VALUES_MAX 64u

static int by_ticks(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a;
	uint32_t y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

void bench_sort(uint32_t *samples, size_t count)
{
	qsort(samples, count, sizeof(*samples), by_ticks);
}

void bench_sort_values(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), by_value);
}

struct bench_clock bench_clock_calibrate(void)
{
	static uint32_t readings[READINGS];
	uint64_t begin_ns = oev_clock_mono_ns();
	uint64_t begin = bench_ticks();

	for (unsigned i = 0; i < READINGS; i++) {
		uint64_t before = bench_ticks();
		readings[i] = (uint32_t)(bench_ticks() - before);
	}
	while (oev_clock_mono_ns() - begin_ns < CALIBRATE_NS)
		;
	uint64_t ticks = bench_ticks() - begin;
	uint64_t ns = oev_clock_mono_ns() - begin_ns;
	bench_sort(readings, READINGS);
	return (struct bench_clock){ .ns_per_tick = (double)ns / (double)ticks,
				     .cost = readings[READINGS / 2] };
}

double bench_percentile_ns(const struct bench_clock *clock, const uint32_t *sorted, size_t count,
			   double permille)
{
	size_t at = (size_t)((double)count * permille / 1000.0);
	uint32_t ticks = sorted[at < count ? at : count - 1];

	return ticks > clock->cost ? (ticks - clock->cost) * clock->ns_per_tick : 0;
}

double bench_median(const double *values, size_t count)
{
	double sorted[VALUES_MAX];

	if (count == 0 || count > VALUES_MAX)
		return 0;
	memcpy(sorted, values, count * sizeof(*values));
	bench_sort_values(sorted, count);
	return sorted[count / 2];
}
