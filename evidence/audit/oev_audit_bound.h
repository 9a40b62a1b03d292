/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * What one version may differ from its report by: the rate's window bound, and what priorities may let wait.
 *
 * Rate (spec section 2.1.1): any window W holds at most 1 + floor((W + TAU) / T) admissions, T = 1 / rate, TAU the highest
 * threshold of the policy. A decision is stamped when the request is sent, at most OEV_EDGE_NS after it was admitted, so
 * the admissions of that long are allowed beyond it; with anti-resonance, whose increments vary around T, five
 * standard deviations of their sum too.
 *
 * Loss (oc_debt.h): important requests may let their share wait, slack requests for each rank above the least important
 * one; requests that realm or host reports took away earlier count as paid. Ranks are not recorded, so all 15 are allowed.
 */
#pragma once

#include "oev_audit.h"

struct oev_bound {
	double excess;	/* highest found; negative: room was left */
	double allowed; /* on top of the strict bound */
	bool holds;
};

/* Rate versions: excess in requests over 1 + floor((W + TAU) / T), of the worst window. */
struct oev_bound oev_bound_rate(const struct oev_audit *audit, const struct oev_version *version);

/* Loss versions: most requests that waited at any moment. */
struct oev_bound oev_bound_debt(const struct oev_audit *audit, const struct oev_version *version);
