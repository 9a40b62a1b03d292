/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Who pays for a reduction: the important requests last, and what was removed elsewhere counts (spec rows D-242, D-243,
 * D-272).
 *
 * Every matching request owes the report's share p. A request of the least important rank seen pays its p and what
 * others left unpaid, as far as one request can (a share of 1); a more important one lets its p stand as debt until
 * the debt exceeds what its rank may leave: @slack requests for every rank between it and the least important one.
 * So the total asked is met at all times within a bound that no mix of classes can exceed:
 *     sum of p - (1 + slack * ranks) <= selected <= sum of p + 1, and with one rank only, or slack 0, within 1.
 * A request that never reached the state, since another report removed it on its way here, pays in full in advance:
 * the debt falls by 1 - p, down to a credit of OC_DEBT_CREDIT_MAX requests.
 */
#pragma once

#include "../oc_types.h"

#define OC_DEBT_CREDIT_MAX 60u /* requests */
#define OC_DEBT_SLACK_MAX 4u   /* requests per rank; 15 ranks of it fit the debt */

/* All-zero: nothing owed, no rank seen. */
struct oc_debt {
	int32_t owed_ppm : 27;	/* unpaid so far, negative: paid in advance */
	uint32_t rank_seen : 5; /* 1 + the least important rank seen, 0 = none */
};

/* The share to draw a request of @rank (0 the most important) at, when the report asks for @share_ppm; the
 * rest stays owed. @slack: requests per rank, 0 = all ranks are alike. At @share_ppm = OC_PPM always OC_PPM;
 * at 0, 0: what is still owed then is forgiven. */
uint32_t oc_debt_take(struct oc_debt *debt, uint32_t share_ppm, uint8_t rank, uint32_t slack);

/* A request that would have come was removed by another report (D-243). */
void oc_debt_credit(struct oc_debt *debt, uint32_t share_ppm);
