/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A weighted mix of numbers, result codes or priorities: "2001", or "2001=95,3004=5".
 */
#pragma once

#include "dt_rng.h"

#define DT_MIX_MAX 16u

struct dt_mix {
	uint32_t code[DT_MIX_MAX];
	uint32_t weight[DT_MIX_MAX];
	uint32_t count;
	uint32_t total;
};

/* Numbers from @min to @max; OC_OK or OC_EINVAL. */
int dt_mix_parse(const char *text, uint32_t min, uint32_t max, struct dt_mix *mix);
/* The mix of result codes. */
int dt_mix_results(const char *text, struct dt_mix *mix);
uint32_t dt_mix_pick(const struct dt_mix *mix, struct dt_rng *rng);
