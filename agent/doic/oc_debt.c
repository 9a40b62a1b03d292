/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The debt of a reduction: one sum per state, collected from the least important first.
 */
#include "oc_debt.h"

uint32_t oc_debt_take(struct oc_debt *debt, uint32_t share_ppm, uint8_t rank, uint32_t slack)
{
	uint32_t seen = debt->rank_seen > rank ? debt->rank_seen : rank + 1u;
	uint32_t may_wait = (slack < OC_DEBT_SLACK_MAX ? slack : OC_DEBT_SLACK_MAX) * (seen - 1u - rank);
	int32_t owed_ppm = debt->owed_ppm;

	if (share_ppm == 0)
		owed_ppm = owed_ppm < 0 ? owed_ppm : 0;
	owed_ppm += (int32_t)share_ppm;
	/* Written without branches where ranks come in any order: see oc_loss.c. */
	int32_t pays_ppm = owed_ppm - (int32_t)(may_wait * OC_PPM);
	pays_ppm = pays_ppm > 0 ? pays_ppm : 0;
	pays_ppm = pays_ppm < (int32_t)OC_PPM && share_ppm != OC_PPM ? pays_ppm : (int32_t)OC_PPM;
	debt->owed_ppm = owed_ppm - pays_ppm;
	debt->rank_seen = seen;
	return (uint32_t)pays_ppm;
}

void oc_debt_credit(struct oc_debt *debt, uint32_t share_ppm)
{
	const int32_t floor_ppm = -(int32_t)(OC_DEBT_CREDIT_MAX * OC_PPM);
	int32_t owed_ppm = debt->owed_ppm - (int32_t)(OC_PPM - share_ppm);

	debt->owed_ppm = owed_ppm > floor_ppm ? owed_ppm : floor_ppm;
}
