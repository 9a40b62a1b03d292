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

/* @a or @b without a branch, which compilers make of "?:" here: the way it goes is a coin toss, and guessing wrong costs
 * more than all of this. */
static uint32_t either(bool is_a, uint32_t a, uint32_t b)
{
	return b ^ ((a ^ b) & (0u - is_a));
}

bool oc_loss_draw_exact(struct oc_loss *loss, uint32_t share_ppm, uint32_t random)
{
	bool is_behind = loss->lag_ppm >= 0;
	uint32_t fraction = (uint32_t)loss->lag_ppm + either(is_behind, 0, OC_PPM);
	uint32_t next = fraction + share_ppm;
	bool is_over = next >= OC_PPM;
	bool is_hit = chance(random, either(is_over, next - OC_PPM, share_ppm),
			     either(is_over, fraction, OC_PPM - fraction));
	bool is_selected = (is_over & is_hit) | (is_behind & (is_over | is_hit));

	loss->lag_ppm += (int32_t)(share_ppm - either(is_selected, OC_PPM, 0));
	return is_selected;
}

bool oc_loss_draw_random(uint32_t share_ppm, uint32_t random)
{
	return chance(random, share_ppm, OC_PPM);
}
