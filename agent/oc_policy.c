/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Defaults of the policy and the two questions asked of it by name.
 */
#include "oc_policy.h"

#include <string.h>

void oc_policy_init(struct oc_policy *policy)
{
	memset(policy, 0, sizeof(*policy));
	policy->version = 1;
	policy->mode = OC_MODE_ENFORCE;
	policy->sampler = OC_SAMPLER_EXACT;
	policy->ended_memory_ms = 30000;
	policy->ramp_ms = 30000;
	policy->probe_interval_ms = 1000;
	policy->outstanding_max = 512;
	policy->refusal_code_host = OC_RC_UNABLE_TO_COMPLY;
	policy->refusal_code_realm = OC_RC_UNABLE_TO_COMPLY;
	policy->refusal_code_outstanding = OC_RC_TOO_BUSY;
}

bool oc_policy_pattern_matches(const char *pattern, const char *name)
{
	if (pattern[0] != '*')
		return name[0] != '\0' && strcmp(pattern, name) == 0;
	if (pattern[1] == '\0')
		return name[0] != '\0';
	size_t suffix_len = strlen(pattern + 1);
	size_t name_len = strlen(name);
	return pattern[1] == '.' && name_len > suffix_len &&
	       memcmp(name + name_len - suffix_len, pattern + 1, suffix_len) == 0;
}

const struct oc_trust_rule *oc_policy_rule_for(const struct oc_policy *policy, const char *name)
{
	for (uint32_t i = 0; i < policy->rule_count && i < OC_POLICY_RULES_MAX; i++)
		if (oc_policy_pattern_matches(policy->rules[i].peer, name))
			return &policy->rules[i];
	return NULL;
}
