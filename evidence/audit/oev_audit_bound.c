/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The window bound of a rate and the debt of a loss, from what the scan summed up.
 */
#include "oev_audit_bound.h"

#include <math.h>

#include "../../agent/doic/oc_debt.h"
#include "oev_audit_parts.h"

#define ROUNDING 1e-6 /* of a request: sums of doubles */

struct oev_bound oev_bound_rate(const struct oev_audit *audit, const struct oev_version *version)
{
	const struct oev_life *life = &audit->lives[version->life];
	const struct oev_sampler *sampler = &version->sampler;
	double tau = life->threshold_permille / 1e3; /* in units of T */
	struct oev_bound bound = { .holds = true };

	if (version->rate_rps == 0) { /* nobody is to be admitted */
		bound.excess = (double)sampler->admitted;
		bound.holds = sampler->admitted == 0;
		return bound;
	}
	/* n admissions in W fill the bucket to n - W / T; n <= 1 + floor(x) is the same as n - 1 <= x */
	bound.excess = ceil(sampler->level_max - 1.0 - tau - ROUNDING) + 0.0; /* no "-0" */
	bound.allowed = ceil((double)OEV_EDGE_NS / 1e9 * version->rate_rps);
	if (life->anti_resonant) /* each increment uniform in [T/2, 3T/2]: variance T^2 / 12 */
		bound.allowed += ceil(5.0 * sqrt((double)sampler->admitted / 12.0)) + 1.0;
	bound.holds = bound.excess <= bound.allowed;
	return bound;
}

struct oev_bound oev_bound_debt(const struct oev_audit *audit, const struct oev_version *version)
{
	double slack = audit->lives[version->life].slack * (double)(OC_RANKS - 1u);
	double share = version->reduction_pct / 1e2;
	double paid = (double)(version->removed_last - version->removed_first) * (1.0 - share);
	/* what waited, or was paid in advance, under the version it replaced */
	double before = version->replaces != 0 ? slack : 0.0;
	struct oev_bound bound = { .excess = (double)version->sampler.owed_max_ppm / 1e6,
				   .allowed = slack + paid };

	if (version->replaces != 0 && audit->claims[version->claim].type != OC_REPORT_REALM)
		bound.allowed += OC_DEBT_CREDIT_MAX;
	bound.holds =
		version->is_specific || (bound.excess <= bound.allowed + ROUNDING &&
					 (double)version->sampler.owed_min_ppm / 1e6 >= -before - ROUNDING);
	return bound;
}
