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
	bool was_ahead = loss->is_ahead;
	bool is_over = next >= OC_PPM;

	/* Written without branches: which way they go is a coin toss, and guessing wrong costs more than all of this. */
	next -= is_over ? OC_PPM : 0;
	bool is_hit = chance(random, is_over ? next : share_ppm, is_over ? fraction : OC_PPM - fraction);
	bool is_selected = is_over ? !was_ahead | is_hit : !was_ahead & is_hit;
	loss->fraction_ppm = next;
	loss->is_ahead = is_over ? was_ahead & is_selected : was_ahead | is_selected;
	return is_selected;
}

bool oc_loss_draw_random(uint32_t share_ppm, uint32_t random)
{
	return chance(random, share_ppm, OC_PPM);
}
