/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reading and choosing OC-Feature-Vector (RFC 7683 sections 5.1.1, 5.1.2, 7.2).
 */
#include "oc_caps.h"

enum oc_algo oc_caps_algorithm(const struct oc_caps *caps, const struct oc_olr *olr, bool *odd)
{
	uint64_t algorithms = caps->vector & OC_FV_ALGORITHMS;

	if (!(caps->has & OC_CAPS_HAS_VECTOR))
		return OC_ALGO_LOSS;
	if (algorithms == OC_FV_LOSS)
		return OC_ALGO_LOSS;
	if (algorithms == OC_FV_RATE)
		return OC_ALGO_RATE;
	/* Neither or both: against D-023, yet loss is what every node can do (D-014, D-028, D-029). */
	*odd = true;
	if (algorithms == 0 || (olr->has & OC_OLR_HAS_REDUCTION))
		return OC_ALGO_LOSS;
	return OC_ALGO_NONE;
}

enum oc_caps_wish oc_caps_wish_for(const struct oc_caps *caps, bool trusted, bool reacting, bool *odd)
{
	if (!trusted)
		return OC_CAPS_WISH_PLAIN;
	bool has_vector = (caps->has & OC_CAPS_HAS_VECTOR) != 0;
	if ((caps->has & OC_CAPS_MALFORMED) || (has_vector && caps->vector == 0)) {
		*odd = true;
		return OC_CAPS_WISH_PLAIN;
	}
	if (reacting && has_vector && (caps->vector & OC_FV_ALGORITHMS & ~OC_FV_LOSS))
		return OC_CAPS_WISH_NARROW;
	return OC_CAPS_WISH_KEEP;
}

uint64_t oc_caps_narrow(uint64_t vector)
{
	return (vector & ~OC_FV_ALGORITHMS) | OC_FV_LOSS;
}
