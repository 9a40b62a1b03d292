/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A received OC-OLR judged by its own contents: defaults, ranges, and which of two is newer.
 *
 * struct oc_olr holds what the wire said; struct oc_olr_value is what it means, and cannot be invalid.
 */
#pragma once

#include "../oc_event.h"
#include "../wire/oc_msg.h"

#define OC_VALIDITY_DEFAULT_S 30u /* RFC 7683 section 7.5 */
#define OC_VALIDITY_MAX_S 86400u

/* Bounds of the wrap rule of RFC 7683 section 5.2.1.3 for 64 bits, as integers: 2^64-1 is not exact in a double. */
#define OC_SEQUENCE_TOP_PERCENT 18262276632972456099ull
#define OC_SEQUENCE_BOTTOM_PERCENT 184467440737095516ull

struct oc_olr_value {
	uint64_t sequence;
	uint32_t reduction_pct; /* 0..100; 0 in an end report that gave none */
	uint32_t validity_s;	/* 0..86400; 0 = the condition is over */
	uint8_t type;		/* OC_REPORT_HOST or OC_REPORT_REALM */
	uint8_t algorithm;	/* enum oc_algo, always OC_ALGO_LOSS in this release */
};

/* Whether the group can be read at all and is of a type handled here. OC_REASON_NONE, or OC_REASON_MALFORMED,
 * _INCOMPLETE (D-262), _TYPE_UNSUPPORTED (D-072; peer reports too in this release). */
enum oc_report_reason oc_olr_check_form(const struct oc_olr *olr);

/* Turns @olr, whose form is good, into *@value under the algorithm its answer selected. OC_REASON_NONE, or
 * OC_REASON_ALGORITHM, _PERCENTAGE_RANGE (D-260), _PERCENTAGE_MISSING (D-261); then *@value is untouched. */
enum oc_report_reason oc_olr_value_from(const struct oc_olr *olr, enum oc_algo algorithm,
					struct oc_olr_value *value);

/* Whether @sequence supersedes @held (D-059..D-061). */
bool oc_olr_is_newer(uint64_t held, uint64_t sequence);

/* Absent 30 s, above 86400 s also 30 s, not a clamp (D-080, D-081). */
uint32_t oc_olr_validity_s(const struct oc_olr *olr);
