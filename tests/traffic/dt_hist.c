/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Log-linear histogram.
 */
#include "dt_hist.h"

static uint32_t bucket_of(uint64_t value_ns)
{
	if (value_ns < DT_HIST_STEPS)
		return (uint32_t)value_ns;
	uint32_t power = 63u - (uint32_t)__builtin_clzll(value_ns); /* >= 6 */
	uint32_t step = (uint32_t)(value_ns >> (power - 6)) - DT_HIST_STEPS;
	uint32_t bucket = (power - 5) * DT_HIST_STEPS + step;
	return bucket < DT_HIST_BUCKETS ? bucket : DT_HIST_BUCKETS - 1;
}

static uint64_t upper_edge(uint32_t bucket)
{
	if (bucket < DT_HIST_STEPS)
		return bucket;
	uint32_t power = bucket / DT_HIST_STEPS + 5;
	uint64_t step = bucket % DT_HIST_STEPS + DT_HIST_STEPS;
	return ((step + 1) << (power - 6)) - 1;
}

void dt_hist_add(struct dt_hist *hist, uint64_t value_ns)
{
	hist->bucket[bucket_of(value_ns)]++;
	hist->count++;
	hist->sum_ns += value_ns;
	if (value_ns > hist->max_ns)
		hist->max_ns = value_ns;
}

uint64_t dt_hist_quantile(const struct dt_hist *hist, uint32_t part_ppm)
{
	uint64_t rank = (hist->count * part_ppm + 999999u) / 1000000u;
	uint64_t seen = 0;
	for (uint32_t i = 0; i < DT_HIST_BUCKETS && hist->count; i++) {
		seen += hist->bucket[i];
		if (seen >= rank && seen > 0) {
			uint64_t edge = upper_edge(i);
			return edge < hist->max_ns && i + 1 < DT_HIST_BUCKETS ? edge : hist->max_ns;
		}
	}
	return hist->max_ns;
}
