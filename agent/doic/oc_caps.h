/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * OC-Supported-Features: what an answer selected, what a client offers, and what a vector should say on this hop.
 */
#pragma once

#include "../oc_types.h"
#include "../wire/oc_msg.h"

/* Whether the message says anything usable about overload control. */
static inline bool oc_caps_usable(const struct oc_caps *caps)
{
	return (caps->has & OC_CAPS_PRESENT) && !(caps->has & OC_CAPS_MALFORMED);
}

/* The bit of @algorithm in OC-Feature-Vector and OC-Peer-Algo, 0 for none. */
static inline uint64_t oc_caps_bit(enum oc_algo algorithm)
{
	return algorithm == OC_ALGO_LOSS ? OC_FV_LOSS : algorithm == OC_ALGO_RATE ? OC_FV_RATE : 0;
}

/* Algorithm that governs @olr, a host or realm report, in an answer with @caps: OC-Feature-Vector's (D-023, D-026, D-028, D-029); a
 * peer report: OC-Peer-Algo's (D-211, D-221). OC_ALGO_NONE: ignore the report. *@odd is set when the answer broke a
 * rule and was understood all the same. */
enum oc_algo oc_caps_algorithm(const struct oc_caps *caps, const struct oc_olr *olr, bool *odd);

/* Algorithm the answer selected for host and realm reports, whether or not one is there. Several: OC_ALGO_NONE. */
enum oc_algo oc_caps_selected(const struct oc_caps *caps);

/* Algorithms a request with @caps offers, bit 1 << enum oc_algo; absent or reserved vectors offer loss (D-013, D-014). */
uint8_t oc_caps_offered(const struct oc_caps *caps);

/* The one of @offered to select: @prefers if it is there, else loss, which always is (D-025, D-150, D-195). */
enum oc_algo oc_caps_choose(uint8_t offered, enum oc_algo prefers);

/* OC-Feature-Vector of a request as it counts: 0 when it is absent, malformed or reserved (D-014; then *@odd is set). */
uint64_t oc_caps_vector(const struct oc_caps *caps, bool *odd);

/* Whether a request with @caps from the neighbour @peer shows support for peer reports: bit and SourceID (D-184). */
bool oc_caps_is_peer_capable(const struct oc_caps *caps, uint32_t peer);

/* OC-Feature-Vector of an answer relayed to a client: unknown features as they came, the algorithm @algorithm (OC_ALGO_NONE: as it
 * came), and peer reports for this hop only when @is_peer (D-188, D-191). 0: none, which means loss. */
uint64_t oc_caps_answer_vector(const struct oc_caps *caps, enum oc_algo algorithm, bool is_peer);
