/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The two ways to draw the requests of a loss report (RFC 7683 section 6.3).
 */
#include "oc_loss.h"

/* True with chance @part / @whole, part <= whole <= OC_PPM: both products stay below 2^52. */
static bool chance(uint32_t random, uint32_t part, uint32_t whole)
{
	return (uint64_t)random * whole < ((uint64_t)part << 32);
}

bool oc_loss_draw_exact(struct oc_loss *loss, uint32_t share_ppm, uint32_t random)
{
	uint32_t fraction = loss->fraction_ppm;
	uint32_t next = fraction + share_ppm;
	bool selected;

	if (next < OC_PPM) {
		selected = !loss->is_ahead && chance(random, share_ppm, OC_PPM - fraction);
		loss->is_ahead |= selected;
	} else {
		next -= OC_PPM;
		selected = !loss->is_ahead || chance(random, next, fraction);
		loss->is_ahead &= selected;
	}
	loss->fraction_ppm = next;
	return selected;
}

bool oc_loss_draw_random(uint32_t share_ppm, uint32_t random)
{
	return chance(random, share_ppm, OC_PPM);
}
