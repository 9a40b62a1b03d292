/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reading and choosing OC-Feature-Vector and OC-Peer-Algo (RFC 7683 sections 5.1.1, 5.1.2, 7.2; RFC 8581 section 7.1).
 */
#include "oc_caps.h"

/* The algorithm of a vector that should name one; @olr decides when it does not. */
static enum oc_algo algorithm_of(uint64_t bits, const struct oc_olr *olr, bool *odd)
{
	uint64_t algorithms = bits & OC_FV_ALGORITHMS;
	bool has_percentage = (olr->has & OC_OLR_HAS_REDUCTION) != 0;

	if (algorithms == OC_FV_LOSS)
		return OC_ALGO_LOSS;
	if (algorithms == OC_FV_RATE)
		return OC_ALGO_RATE;
	*odd = true;
	return algorithms == 0 || has_percentage ? OC_ALGO_LOSS : OC_ALGO_NONE;
}

enum oc_algo oc_caps_algorithm(const struct oc_caps *caps, const struct oc_olr *olr, bool *odd)
{
	bool is_peer = (olr->has & OC_OLR_HAS_TYPE) && olr->type == OC_REPORT_PEER;

	if (is_peer && !(caps->has & OC_CAPS_HAS_PEER_ALGO)) {
		*odd = true;
		return olr->has & OC_OLR_HAS_REDUCTION ? OC_ALGO_LOSS : OC_ALGO_NONE;
	}
	if (is_peer) {
		enum oc_algo algorithm = algorithm_of(caps->peer_algo, olr, odd);
		bool is_named = (caps->peer_algo & OC_FV_ALGORITHMS) != 0;
		return is_named || (olr->has & OC_OLR_HAS_REDUCTION) ? algorithm : OC_ALGO_NONE;
	}
	if (!(caps->has & OC_CAPS_HAS_VECTOR))
		return OC_ALGO_LOSS;
	return algorithm_of(caps->vector, olr, odd);
}

enum oc_algo oc_caps_selected(const struct oc_caps *caps)
{
	uint64_t algorithms = caps->has & OC_CAPS_HAS_VECTOR ? caps->vector & OC_FV_ALGORITHMS : 0;

	if (algorithms == OC_FV_ALGORITHMS)
		return OC_ALGO_NONE;
	return algorithms == OC_FV_RATE ? OC_ALGO_RATE : OC_ALGO_LOSS;
}

uint64_t oc_caps_vector(const struct oc_caps *caps, bool *odd)
{
	bool has_vector = (caps->has & OC_CAPS_HAS_VECTOR) != 0;

	if ((caps->has & OC_CAPS_MALFORMED) || (has_vector && caps->vector == 0)) {
		*odd = true;
		return 0;
	}
	return has_vector ? caps->vector : 0;
}

uint8_t oc_caps_offered(const struct oc_caps *caps)
{
	bool is_odd = false;
	uint64_t vector = oc_caps_vector(caps, &is_odd);

	return (uint8_t)((1u << OC_ALGO_LOSS) | (vector & OC_FV_RATE ? 1u << OC_ALGO_RATE : 0));
}

enum oc_algo oc_caps_choose(uint8_t offered, enum oc_algo prefers)
{
	return offered & (1u << prefers) ? prefers : OC_ALGO_LOSS;
}

bool oc_caps_is_peer_capable(const struct oc_caps *caps, uint32_t peer)
{
	const unsigned needed = OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR | OC_CAPS_HAS_SOURCE;

	return (caps->has & (needed | OC_CAPS_MALFORMED)) == needed && (caps->vector & OC_FV_PEER_REPORT) &&
	       oc_name_is_same(caps->source, peer);
}

uint64_t oc_caps_answer_vector(const struct oc_caps *caps, enum oc_algo algorithm, bool is_peer)
{
	uint64_t vector = caps->has & OC_CAPS_HAS_VECTOR ? caps->vector & ~OC_FV_PEER_REPORT : 0;
	uint64_t bit = oc_caps_bit(algorithm);

	if (bit != 0)
		vector = (vector & ~OC_FV_ALGORITHMS) | bit;
	/* An absent vector says loss already (D-026); with another feature the algorithm must be said (D-027). */
	if (!is_peer && !(caps->has & OC_CAPS_HAS_VECTOR) && vector == OC_FV_LOSS)
		return 0;
	return is_peer ? vector | OC_FV_PEER_REPORT : vector;
}
