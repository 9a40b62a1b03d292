/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The policy as the core uses it: who is trusted with what, and how the agent reacts.
 *
 * A policy is a plain immutable value: made by the parser of policy.yaml (or by a test), copied into
 * the agent, replaced whole.
 */
#pragma once

#include "oc_types.h"

#define OC_POLICY_RULES_MAX 64u
#define OC_POLICY_REALMS_MAX 8u
#define OC_POLICY_PATTERN_MAX 128u

/* What a peer is trusted with (RFC 7683 section 10; spec rows D-280..D-287). */
enum oc_trust_flag {
	OC_TRUST_DOIC = 0x01,		/* its OC-Supported-Features count; else all DOIC AVPs are stripped */
	OC_TRUST_SEND_REPORTS = 0x02,	/* reports about itself are obeyed and forwarded */
	OC_TRUST_RELAY_REPORTS = 0x04,	/* reports about nodes behind it too (D-283) */
	OC_TRUST_RECEIVE_REPORTS = 0x08 /* reports may be forwarded to it (D-285, D-286) */
};

/* One rule. @peer: a whole identity, "*.suffix" for every name below suffix, or "*". Lower case.
 * @realms: realms the peer may speak for, same patterns; empty = any realm. */
struct oc_trust_rule {
	char peer[OC_POLICY_PATTERN_MAX];
	char realms[OC_POLICY_REALMS_MAX][OC_POLICY_PATTERN_MAX];
	uint32_t realm_count;
	uint32_t flags; /* enum oc_trust_flag */
};

enum oc_mode {
	OC_MODE_ENFORCE = 0,
	OC_MODE_OBSERVE = 1 /* decide and record, but forward everything (dry run) */
};

enum oc_sampler_kind {
	OC_SAMPLER_EXACT = 0, /* |selected - expected| below 1 at every moment */
	OC_SAMPLER_RANDOM = 1 /* an independent draw per request (RFC 7683 section 6.3) */
};

struct oc_policy {
	uint32_t version; /* counts up with every policy this agent has run, from 1 */
	enum oc_mode mode;
	enum oc_sampler_kind sampler;
	uint32_t ended_memory_ms;   /* G of spec row D-070 */
	uint32_t ramp_ms;	    /* spec row D-256, decision O-8; 0 = no ramp */
	uint32_t probe_interval_ms; /* after 100 % ran out: one probe per interval until an answer comes */
	uint32_t outstanding_max;   /* unanswered requests allowed per peer; 0 = no limit */
	uint32_t refusal_code_host; /* refusing for a host report: 5012 or 3004 (section M) */
	uint32_t refusal_code_realm;
	uint32_t refusal_code_outstanding;
	uint32_t default_trust; /* flags for peers that no rule names */
	uint32_t rule_count;	/* first rule whose pattern matches wins */
	struct oc_trust_rule rules[OC_POLICY_RULES_MAX];
};

/* The defaults of policy.yaml(5): enforce, exact, 30 s memory and ramp, 1 s probes, 512 outstanding,
 * 5012 for reports, 3004 for a full peer, trust nobody. */
void oc_policy_init(struct oc_policy *policy);

/* Whether @name (lower case) fits @pattern as described at struct oc_trust_rule. */
bool oc_policy_pattern_matches(const char *pattern, const char *name);

/* Rule for the peer called @name, or NULL when only default_trust applies. Borrowed from @policy. */
const struct oc_trust_rule *oc_policy_rule_for(const struct oc_policy *policy, const char *name);
