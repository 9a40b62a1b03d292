/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Validation and defaults of OC-OLR (RFC 7683 sections 5.2.1.3, 7.3 to 7.7).
 */
#include "oc_olr.h"

enum oc_report_reason oc_olr_check_form(const struct oc_olr *olr)
{
	if (olr->has & OC_OLR_MALFORMED)
		return OC_REASON_MALFORMED;
	if (!(olr->has & OC_OLR_HAS_SEQUENCE) || !(olr->has & OC_OLR_HAS_TYPE))
		return OC_REASON_INCOMPLETE;
	if (olr->type != OC_REPORT_HOST && olr->type != OC_REPORT_REALM)
		return OC_REASON_TYPE_UNSUPPORTED;
	return OC_REASON_NONE;
}

uint32_t oc_olr_validity_s(const struct oc_olr *olr)
{
	if (!(olr->has & OC_OLR_HAS_VALIDITY) || olr->validity_s > OC_VALIDITY_MAX_S)
		return OC_VALIDITY_DEFAULT_S;
	return olr->validity_s;
}

enum oc_report_reason oc_olr_value_from(const struct oc_olr *olr, enum oc_algo algorithm,
					struct oc_olr_value *value)
{
	bool has_percentage = (olr->has & OC_OLR_HAS_REDUCTION) != 0;
	uint32_t validity_s = oc_olr_validity_s(olr);

	if (algorithm != OC_ALGO_LOSS)
		return OC_REASON_ALGORITHM;
	if (has_percentage && olr->reduction_pct > 100)
		return OC_REASON_PERCENTAGE_RANGE;
	if (!has_percentage && validity_s != 0)
		return OC_REASON_PERCENTAGE_MISSING;
	value->sequence = olr->sequence;
	value->reduction_pct = has_percentage ? olr->reduction_pct : 0;
	value->validity_s = validity_s;
	value->type = (uint8_t)olr->type;
	value->algorithm = (uint8_t)algorithm;
	return OC_REASON_NONE;
}

bool oc_olr_is_newer(uint64_t held, uint64_t sequence)
{
	if (sequence > held)
		return true;
	return held >= OC_SEQUENCE_TOP_PERCENT && sequence <= OC_SEQUENCE_BOTTOM_PERCENT;
}
