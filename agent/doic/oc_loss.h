/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The loss sampler: which requests make up the p percent, exactly and without a pattern to exploit.
 *
 * Let E be the sum of the shares of all drawn requests and N the number selected. N is kept at floor(E) or
 * floor(E) + 1, so |N - E| < 1 at every moment, for any sequence of shares. The threshold of each unit of E lies
 * anywhere in it with equal chance: while "behind" (N = floor(E), fraction f) a request of share p passes it
 * with chance p / (1 - f). A request that takes E over a whole number either settles the old unit (behind: it is
 * selected, no draw), or may already meet the new unit's threshold: chance b / f for the b that lies in
 * the new unit and the f left behind. That conditional chance keeps P(ahead) = f, hence every single request
 * is selected with exactly its own share p whatever its place in the sequence: a sender cannot gain by timing,
 * and no period locks in. It also means that one request never meets two thresholds, that survivors are
 * spread as selections are (replace p by 1 - p, f by 1 - f, ahead by behind and the rules are the same), and that
 * p may move across 50 % or along a ramp without any re-basing: the state is E - N.
 * Drawing the new threshold freely instead needs a carried-over selection and gives the requests around
 * a whole number a chance other than p.
 */
#pragma once

#include "../oc_types.h"

/* All-zero: nothing drawn yet. */
struct oc_loss {
	int32_t lag_ppm; /* E - N, between -1 and 1: f when behind, f - 1 when ahead */
};

/* Draws one request of @share_ppm (0..OC_PPM). @random: 32 fresh bits. True: treat it. */
bool oc_loss_draw_exact(struct oc_loss *loss, uint32_t share_ppm, uint32_t random);

/* Independent draw (RFC 7683 section 6.3), for comparison. */
bool oc_loss_draw_random(uint32_t share_ppm, uint32_t random);
