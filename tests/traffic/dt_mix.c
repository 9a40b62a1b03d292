/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Weighted choice of a number.
 */
#include "dt_mix.h"

#include <stdlib.h>

#include "agent/oc_err.h"

int dt_mix_parse(const char *text, uint32_t min, uint32_t max, struct dt_mix *mix)
{
	struct dt_mix made = { 0 };
	char *end;

	for (;; text = end + 1) {
		unsigned long weight = 1, code = strtoul(text, &end, 10);
		if (end == text || code < min || code > max || made.count == DT_MIX_MAX)
			return OC_EINVAL;
		if (*end == '=') {
			text = end + 1;
			weight = strtoul(text, &end, 10);
			if (end == text || weight > 1000000)
				return OC_EINVAL;
		}
		made.code[made.count] = (uint32_t)code;
		made.weight[made.count++] = (uint32_t)weight;
		made.total += (uint32_t)weight;
		if (*end != ',')
			break;
	}
	if (*end || made.total == 0)
		return OC_EINVAL;
	*mix = made;
	return OC_OK;
}

int dt_mix_results(const char *text, struct dt_mix *mix)
{
	return dt_mix_parse(text, 1, 99999, mix);
}

uint32_t dt_mix_pick(const struct dt_mix *mix, struct dt_rng *rng)
{
	if (mix->count == 1)
		return mix->code[0];
	uint32_t draw = (uint32_t)(dt_rng_next(rng) % mix->total);
	uint32_t i = 0;
	while (draw >= mix->weight[i])
		draw -= mix->weight[i++];
	return mix->code[i];
}
