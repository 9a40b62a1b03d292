/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Latency histogram with log-linear buckets: 64 linear steps per power of two, so at most 1.6 % off.
 */
#pragma once

#include <stdint.h>

#define DT_HIST_STEPS 64u
#define DT_HIST_BUCKETS (DT_HIST_STEPS * 36u) /* up to 2^40 ns and beyond; the last bucket takes the rest */

/* All-zero is empty. Values are nanoseconds. */
struct dt_hist {
	uint64_t count;
	uint64_t sum_ns;
	uint64_t max_ns;
	uint64_t bucket[DT_HIST_BUCKETS];
};

void dt_hist_add(struct dt_hist *hist, uint64_t value_ns);

/* Upper edge of the bucket holding the value of rank @part_ppm (millionths), never above the maximum; 0 when empty. */
uint64_t dt_hist_quantile(const struct dt_hist *hist, uint32_t part_ppm);
