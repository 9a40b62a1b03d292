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
	if (olr->type >= OC_REPORT_COUNT)
		return OC_REASON_TYPE_UNSUPPORTED;
	return OC_REASON_NONE;
}

uint32_t oc_olr_validity_s(const struct oc_olr *olr)
{
	if (!(olr->has & OC_OLR_HAS_VALIDITY) || olr->validity_s > OC_VALIDITY_MAX_S)
		return OC_VALIDITY_DEFAULT_S;
	return olr->validity_s;
}

/* @may_lack: the percentage may be missing. */
static enum oc_report_reason check_loss(const struct oc_olr *olr, bool may_lack)
{
	if (!(olr->has & OC_OLR_HAS_REDUCTION))
		return may_lack ? OC_REASON_NONE : OC_REASON_PERCENTAGE_MISSING;
	return olr->reduction_pct > 100 ? OC_REASON_PERCENTAGE_RANGE : OC_REASON_NONE;
}

static enum oc_report_reason check_rate(const struct oc_olr *olr, bool may_lack)
{
	return (olr->has & OC_OLR_HAS_RATE) || may_lack ? OC_REASON_NONE : OC_REASON_RATE_MISSING;
}

static enum oc_report_reason value_from(const struct oc_olr *olr, enum oc_algo algorithm, bool has_specific,
					struct oc_olr_value *value)
{
	uint32_t validity_s = oc_olr_validity_s(olr);
	bool is_end = validity_s == 0;
	bool is_loss = algorithm == OC_ALGO_LOSS;

	if (!is_loss && algorithm != OC_ALGO_RATE)
		return OC_REASON_ALGORITHM;
	enum oc_report_reason reason =
		is_loss ? check_loss(olr, is_end || has_specific) : check_rate(olr, is_end);
	if (reason != OC_REASON_NONE)
		return reason;
	value->sequence = olr->sequence;
	value->reduction_pct = is_loss && (olr->has & OC_OLR_HAS_REDUCTION) ? olr->reduction_pct : 0;
	value->rate_rps = !is_loss && (olr->has & OC_OLR_HAS_RATE) ? olr->rate_rps : 0;
	value->validity_s = validity_s;
	value->type = (uint8_t)olr->type;
	value->algorithm = (uint8_t)algorithm;
	return OC_REASON_NONE;
}

enum oc_report_reason oc_olr_value_from(const struct oc_olr *olr, enum oc_algo algorithm,
					struct oc_olr_value *value)
{
	return value_from(olr, algorithm, false, value);
}

enum oc_report_reason oc_olr_value_with_specific(const struct oc_olr *olr, enum oc_algo algorithm,
						 struct oc_olr_value *value)
{
	return value_from(olr, algorithm, true, value);
}

bool oc_olr_is_newer(uint64_t held, uint64_t sequence)
{
	if (sequence > held)
		return true;
	return held >= OC_SEQUENCE_TOP_PERCENT && sequence <= OC_SEQUENCE_BOTTOM_PERCENT;
}
