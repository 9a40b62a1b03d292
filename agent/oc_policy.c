/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Defaults of the policy and the two questions asked of it by name.
 */
#include "oc_policy.h"

#include <string.h>

static void init_rate(struct oc_rate_policy *rate)
{
	/* TAU0 = 0, TAU1 = TAU2 / 2, TAU2 = 10 T (RFC 8582 section 8.3.2), the classes between in even steps. */
	static const uint32_t thresholds[OC_CLASSES] = { 10000, 8750, 7500, 6250, 5000 };

	rate->is_on = true;
	memcpy(rate->threshold_permille, thresholds, sizeof(thresholds));
}

static void init_priorities(struct oc_prio_policy *prio)
{
	static const uint8_t classes[OC_RANKS] = { 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4, 4, 4 };

	prio->uses_drmp = true;
	prio->uses_application = true;
	prio->default_drmp = 10; /* RFC 7944 section 8 */
	prio->reservation_min = 8;
	prio->slack = 2;
	memcpy(prio->class_of_drmp, classes, sizeof(classes));
	prio->emergency_apn_count = 1;
	memcpy(prio->emergency_apns[0], "sos", sizeof("sos"));
}

static void init_load(struct oc_load_policy *load)
{
	load->balances = true;
	load->send = OC_LOAD_SEND_CHANGE;
	load->max_age_ms = 60000;
	load->neutral = 32768;
	load->slow_start_ms = 10000;
	load->change_min = 3277; /* 5 % */
}

static void init_reports(struct oc_report_policy *reports)
{
	reports->validity_s = 30;
	reports->fall_step_pct = 20;
	reports->fall_interval_ms = 5000;
	reports->target_idle_ms = 60000;
	reports->is_end_explicit = true;
	reports->prefers = OC_ALGO_LOSS;
}

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
	policy->refusal_code_peer = OC_RC_UNABLE_TO_COMPLY;
	policy->default_trust =
		OC_TRUST_RECEIVE_DRMP; /* a DRMP we trust may go anywhere but across a border (P-20) */
	init_rate(&policy->rate);
	init_priorities(&policy->priorities);
	init_load(&policy->load);
	init_reports(&policy->reports);
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

bool oc_policy_observes(const struct oc_policy *policy, const char *subject)
{
	if (policy->mode == OC_MODE_OBSERVE)
		return true;
	for (uint32_t i = 0; i < policy->shadow_count; i++)
		if (oc_policy_pattern_matches(policy->shadow[i], subject))
			return true;
	return false;
}

const struct oc_trust_rule *oc_policy_rule_for(const struct oc_policy *policy, const char *name)
{
	for (uint32_t i = 0; i < policy->rule_count && i < OC_POLICY_RULES_MAX; i++)
		if (oc_policy_pattern_matches(policy->rules[i].peer, name))
			return &policy->rules[i];
	return NULL;
}
