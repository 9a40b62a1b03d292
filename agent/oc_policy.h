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
#define OC_POLICY_ORDERS_MAX 16u
#define OC_POLICY_SHADOW_MAX 8u
#define OC_POLICY_APNS_MAX 8u
#define OC_POLICY_APN_MAX 64u

/* What a peer is trusted with (RFC 7683 section 10; spec rows D-280..D-287). */
enum oc_trust_flag {
	OC_TRUST_DOIC = 0x01,	       /* its OC-Supported-Features count; else all DOIC AVPs are stripped */
	OC_TRUST_SEND_REPORTS = 0x02,  /* reports about itself are obeyed and forwarded */
	OC_TRUST_RELAY_REPORTS = 0x04, /* reports about nodes behind it too (D-283) */
	OC_TRUST_RECEIVE_REPORTS = 0x08, /* reports may be sent and forwarded to it (D-285, D-286) */
	OC_TRUST_DRMP = 0x10, /* DRMP in messages it made itself counts (P-18); else it is stripped (P-19) */
	OC_TRUST_RELAY_DRMP = 0x20,    /* in those it passes on too */
	OC_TRUST_RECEIVE_DRMP = 0x40,  /* DRMP may be sent to it (P-20) */
	OC_TRUST_SEND_LOAD = 0x80,     /* what it says about its own load is used (L-25) */
	OC_TRUST_RELAY_LOAD = 0x100,   /* HOST load of nodes behind it too */
	OC_TRUST_RECEIVE_LOAD = 0x200, /* load, ours and of others, may be sent to it */
	OC_TRUST_BORDER = 0x400,       /* another operator's: nothing above unless the rule says so (D-292) */
	OC_TRUST_MAPS_DRMP = 0x800,    /* set by oc_trust_flags() for rules with a drmp_map */
	OC_TRUST_NO_EMERGENCY =
		0x1000 /* what its requests say of emergency or priority service counts for nothing */
};

/* One rule. @peer: a whole identity, "*.suffix" for every name below suffix, or "*". Lower case.
 * @realms: realms the peer may speak for, same patterns; empty = any realm. */
struct oc_trust_rule {
	char peer[OC_POLICY_PATTERN_MAX];
	char realms[OC_POLICY_REALMS_MAX][OC_POLICY_PATTERN_MAX];
	uint32_t realm_count;
	uint32_t flags; /* enum oc_trust_flag */
	bool has_drmp_map;
	uint8_t drmp_map
		[OC_RANKS]; /* what its DRMP values become here: priority plans end at borders (P-20) */
};

enum oc_mode {
	OC_MODE_ENFORCE = 0,
	OC_MODE_OBSERVE = 1 /* decide and record, but forward everything (dry run) */
};

enum oc_sampler_kind {
	OC_SAMPLER_EXACT = 0, /* |selected - expected| below 1 at every moment */
	OC_SAMPLER_RANDOM = 1 /* an independent draw per request (RFC 7683 section 6.3) */
};

/* What the policy says, as multiples of T in thousandths. */
struct oc_rate_policy {
	bool is_on;		   /* announce rate for clients without DOIC, obey rate reports */
	bool is_anti_resonant;	   /* R-34, RFC 8582 section 8.3.3 */
	uint32_t initial_permille; /* TAU0, at most the smallest threshold */
	uint32_t threshold_permille
		[OC_CLASSES]; /* TAU of each class, never rising from class 0 to class 4 */
};

/* How requests are told apart (oc_prio.h, oc_debt.h). */
struct oc_prio_policy {
	bool uses_drmp;	       /* P-3 */
	bool uses_application; /* false: no bias by command or application AVP (D-270) */
	uint8_t default_drmp;  /* rank of a request without usable DRMP and of no known stage (P-12..P-14) */
	uint8_t reservation_min; /* Reservation-Priority that counts as MPS, 0 = none does */
	uint8_t class_of_drmp[OC_RANKS];
	uint32_t slack; /* see oc_debt.h; 0 = priorities do not shift any reduction */
	uint32_t emergency_apn_count;
	char emergency_apns[OC_POLICY_APNS_MAX][OC_POLICY_APN_MAX]; /* network identifiers, lower case */
};

enum oc_load_send {
	OC_LOAD_SEND_OFF = 0,
	OC_LOAD_SEND_CHANGE = 1, /* to each peer once, and again after a meaningful change (L-9) */
	OC_LOAD_SEND_ALWAYS = 2	 /* in every answer */
};

/* Load as a hint (oc_load.h, oc_load_own.h). */
struct oc_load_policy {
	bool balances;		/* choose among equal next hops by load; false: fewest unanswered requests */
	enum oc_load_send send; /* own PEER load in answers */
	uint32_t max_age_ms;
	uint32_t neutral; /* weight of a node without a known value, 0..OC_LOAD_IDLE */
	uint32_t
		slow_start_ms; /* time in which the weight of a node that came up rises to its full value (L-22) */
	uint32_t capacity_rps; /* requests per second this agent is meant to carry; 0 = always idle */
	uint32_t change_min;   /* difference of two own values that is news */
};

/* A report this agent is told to make by the policy document; names as texts, lower case. */
struct oc_order_policy {
	uint8_t type;	 /* enum oc_report_type */
	uint32_t app_id; /* or OC_APP_ANY */
	char subject
		[OC_POLICY_PATTERN_MAX]; /* host, realm, or the neighbour that gets a PEER report; "" = every one */
	bool has_reduction;
	bool has_rate;
	uint32_t reduction_pct;
	uint32_t rate_rps;
	uint32_t validity_s; /* 0 = the one below */
};

/* Reports this agent makes (oc_report.h). */
struct oc_report_policy {
	uint32_t validity_s; /* OC-Validity-Duration of contents, 1..86400 */
	uint32_t
		fall_step_pct; /* a lower reduction is reached in steps of at most this, 0 = at once (D-110) */
	uint32_t fall_interval_ms; /* between two steps */
	uint32_t target_idle_ms;   /* a reacting node not heard of that long gives its rate back */
	bool is_end_explicit;	   /* tell the end with validity 0; false: leave it to expiry (D-106) */
	enum oc_algo prefers;	   /* algorithm to select in answers when the client offers it (D-024) */
	uint32_t sole_path_count;  /* hosts all of whose traffic passes here (D-035): "sole path" */
	char sole_paths[OC_POLICY_REALMS_MAX][OC_POLICY_PATTERN_MAX];
	uint32_t realm_count; /* realms this agent is the one reporting node of (D-113) */
	char realms[OC_POLICY_REALMS_MAX][OC_POLICY_PATTERN_MAX];
	uint32_t order_count;
	struct oc_order_policy orders[OC_POLICY_ORDERS_MAX];
};

struct oc_policy {
	uint32_t version; /* counts up with every policy this agent has run, from 1 */
	enum oc_mode mode;
	uint32_t shadow_count; /* subjects of reports, and next hops, for which the mode is observe */
	char shadow[OC_POLICY_SHADOW_MAX][OC_POLICY_PATTERN_MAX]; /* patterns as of struct oc_trust_rule */
	enum oc_sampler_kind sampler;
	uint32_t ended_memory_ms;   /* G of spec row D-070 */
	uint32_t ramp_ms;	    /* spec row D-256, decision O-8; 0 = no ramp */
	uint32_t probe_interval_ms; /* after 100 % ran out: one probe per interval until an answer comes */
	uint32_t outstanding_max;   /* unanswered requests allowed per peer; 0 = no limit */
	uint32_t refusal_code_host; /* refusing for a host report: 5012 or 3004 (section M) */
	uint32_t refusal_code_realm;
	uint32_t refusal_code_outstanding;
	uint32_t refusal_code_peer; /* for a report of the next hop, when no other may take it (D-165) */
	bool standby_takes_all;	    /* a next hop under a report is left to its standby whole (D-239) */
	struct oc_rate_policy rate;
	struct oc_prio_policy priorities;
	struct oc_load_policy load;
	struct oc_report_policy reports;
	uint32_t default_trust; /* flags for peers that no rule names */
	uint32_t rule_count;	/* first rule whose pattern matches wins */
	struct oc_trust_rule rules[OC_POLICY_RULES_MAX];
};

/* The defaults of policy.yaml(5): enforce, exact, 30 s memory and ramp, 1 s probes, 512 outstanding, 5012 for reports, 3004
 * for a full peer, trust nobody (DRMP may be sent to all); rate on with thresholds from 10 T (class 0) to 5 T (class 4), priorities on, load used and sent
 * on change, no reports of our own. */
void oc_policy_init(struct oc_policy *policy);

/* Whether what is decided about @subject (lower case: a host, realm or next hop) is recorded only, not done. */
bool oc_policy_observes(const struct oc_policy *policy, const char *subject);

/* Whether @name (lower case) fits @pattern as described at struct oc_trust_rule. */
bool oc_policy_pattern_matches(const char *pattern, const char *name);

/* Rule for the peer called @name, or NULL when only default_trust applies. Borrowed from @policy. */
const struct oc_trust_rule *oc_policy_rule_for(const struct oc_policy *policy, const char *name);
