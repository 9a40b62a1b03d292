/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Rules of trust, from the policy's list of peers.
 */
#include "oc_trust.h"

uint32_t oc_trust_flags(const struct oc_policy *policy, const char *name)
{
	const struct oc_trust_rule *rule = oc_policy_rule_for(policy, name);

	if (!rule)
		return policy->default_trust;
	return rule->flags | (rule->has_drmp_map ? OC_TRUST_MAPS_DRMP : 0u);
}

enum oc_report_reason oc_trust_check_way(const struct oc_trust_case *c)
{
	const uint32_t needed = OC_TRUST_DOIC | OC_TRUST_SEND_REPORTS;

	if (!c->is_answer_due)
		return OC_REASON_UNSOLICITED;
	if ((c->flags & needed) != needed)
		return OC_REASON_UNTRUSTED_PEER;
	if (!c->is_announced)
		return OC_REASON_NOT_ANNOUNCED;
	return c->has_features ? OC_REASON_NONE : OC_REASON_NO_FEATURES;
}

static bool speaks_for(const struct oc_trust_rule *rule, const char *realm)
{
	if (!rule || rule->realm_count == 0)
		return true;
	for (uint32_t i = 0; i < rule->realm_count && i < OC_POLICY_REALMS_MAX; i++)
		if (oc_policy_pattern_matches(rule->realms[i], realm))
			return true;
	return false;
}

enum oc_report_reason oc_trust_check_scope(const struct oc_policy *policy, const struct oc_trust_case *c)
{
	if (!c->is_from_origin && !(c->flags & OC_TRUST_RELAY_REPORTS))
		return OC_REASON_NOT_ADJACENT;
	if (!speaks_for(oc_policy_rule_for(policy, c->peer), c->realm))
		return OC_REASON_OUT_OF_SCOPE;
	return OC_REASON_NONE;
}

bool oc_trust_may_forward(enum oc_report_reason reason)
{
	switch (reason) {
	case OC_REASON_NONE:
	case OC_REASON_PERCENTAGE_RANGE:
	case OC_REASON_PERCENTAGE_MISSING:
	case OC_REASON_ALGORITHM:
	case OC_REASON_RATE_MISSING:
	case OC_REASON_TABLE_FULL:
		return true;
	default:
		return false;
	}
}
