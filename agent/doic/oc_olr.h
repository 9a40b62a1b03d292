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
	uint32_t rate_rps;	/* of OC_ALGO_RATE; 0 = send nothing, or an end report that gave none */
	uint8_t type;		/* enum oc_report_type */
	uint8_t algorithm;	/* OC_ALGO_LOSS or OC_ALGO_RATE */
};

/* Whether the group can be read at all and is of a type handled here. OC_REASON_NONE, or OC_REASON_MALFORMED,
 * _INCOMPLETE (D-262), _TYPE_UNSUPPORTED (D-072). */
enum oc_report_reason oc_olr_check_form(const struct oc_olr *olr);

/* Turns @olr, whose form is good, into *@value under the algorithm its answer selected. OC_REASON_NONE, or
 * OC_REASON_ALGORITHM, _PERCENTAGE_RANGE (D-260), _PERCENTAGE_MISSING (D-261), _RATE_MISSING (spec section 2.1.1, point
 * 7); then *@value is untouched. The other algorithm's value beside the one that counts is ignored; olr->has shows it to
 * callers who count such oddities. Whether rates are obeyed at all is the policy's to say, not judged here. */
enum oc_report_reason oc_olr_value_from(const struct oc_olr *olr, enum oc_algo algorithm,
					struct oc_olr_value *value);

/* The same for a report on Gy with specific reductions (oc_specific.h): under loss it may go without a general
 * percentage, and then asks nothing of the requests that no reduction matches. */
enum oc_report_reason oc_olr_value_with_specific(const struct oc_olr *olr, enum oc_algo algorithm,
						 struct oc_olr_value *value);

/* Whether @sequence supersedes @held (D-059..D-061). */
bool oc_olr_is_newer(uint64_t held, uint64_t sequence);

/* Absent 30 s, above 86400 s also 30 s, not a clamp (D-080, D-081). */
uint32_t oc_olr_validity_s(const struct oc_olr *olr);
