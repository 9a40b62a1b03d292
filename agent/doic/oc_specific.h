/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reductions of a Gy report for some rating groups or request types only: 3GPP-OC-Specific-Reduction (TS 32.299 B.2, spec
 * section 3.5).
 *
 * A CCR matches a reduction when its CC-Request-Type is listed (or none is) and all its rating groups are listed (or
 * none is): an agent cannot split a request, so one that also asks for an unrestricted group passes for unrestricted.
 * A CCR without rating groups falls under no reduction that lists some. The first reduction that matches counts, else the
 * report's general percentage.
 */
#pragma once

#include "../wire/oc_msg.h"

#define OC_SPECIFIC_MAX 8u /* reductions of one report */
#define OC_SPECIFIC_GROUPS_MAX 16u

struct oc_specific_reduction {
	uint32_t rating_group[OC_SPECIFIC_GROUPS_MAX];
	uint8_t group_count;
	uint8_t request_types; /* bit t: CC-Request-Type t is listed; 0 = all */
	uint8_t reduction_pct; /* 0..100 */
};

struct oc_specific {
	uint32_t count;
	uint8_t highest_pct; /* of all of them */
	struct oc_specific_reduction reduction[OC_SPECIFIC_MAX];
};

/* Reads the reductions of one OC-OLR (the whole AVP @whole): children in any order, M set or clear. False: none is there, or
 * one of them is malformed, above 100 %, for a request type that is none, or more than fit; then *@out has count 0 and
 * only the general percentage can be applied. A group without OC-Reduction-Percentage means the general one
 * @general_pct. Any thread. */
bool oc_specific_read(struct oc_bytes whole, uint8_t general_pct, struct oc_specific *out);

/* Percentage for @request: the matching reduction's, else @general_pct. Any thread. */
uint8_t oc_specific_pct(const struct oc_specific *specific, const struct oc_msg *request,
			uint8_t general_pct);
