/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The debt of a reduction: one sum per state, collected from the least important first.
 */
#include "oc_debt.h"

static int32_t larger(int32_t a, int32_t b)
{
	return a > b ? a : b;
}

static int32_t smaller(int32_t a, int32_t b)
{
	return a < b ? a : b;
}

/* What "all" and "nothing" mean to those that wait. */
static __attribute__((noinline)) uint32_t take_extreme(struct oc_debt *debt, uint32_t share_ppm)
{
	if (share_ppm == 0)
		debt->owed_ppm = smaller(debt->owed_ppm, 0);
	return share_ppm;
}

static __attribute__((noinline)) void see(struct oc_debt *debt, uint8_t rank)
{
	debt->rank_seen = rank + 1u;
}

uint32_t oc_debt_take(struct oc_debt *debt, uint32_t share_ppm, uint8_t rank, uint32_t slack)
{
	if (rank >= debt->rank_seen)
		see(debt, rank);
	if (share_ppm - 1u >= OC_PPM - 1u)
		return take_extreme(debt, share_ppm);
	uint32_t per_rank_ppm = (slack < OC_DEBT_SLACK_MAX ? slack : OC_DEBT_SLACK_MAX) * OC_PPM;
	int32_t may_wait_ppm = (int32_t)(per_rank_ppm * (debt->rank_seen - 1u - rank));
	int32_t owed_ppm = debt->owed_ppm + (int32_t)share_ppm;
	int32_t pays_ppm = smaller(larger(owed_ppm - may_wait_ppm, 0), (int32_t)OC_PPM);
	debt->owed_ppm = owed_ppm - pays_ppm;
	return (uint32_t)pays_ppm;
}

void oc_debt_credit(struct oc_debt *debt, uint32_t share_ppm)
{
	const int32_t floor_ppm = -(int32_t)(OC_DEBT_CREDIT_MAX * OC_PPM);
	int32_t owed_ppm = debt->owed_ppm - (int32_t)(OC_PPM - share_ppm);

	debt->owed_ppm = larger(owed_ppm, floor_ppm);
}
