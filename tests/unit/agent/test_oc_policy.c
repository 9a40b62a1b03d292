/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the policy's defaults and patterns.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/doic/oc_trust.h"
#include "agent/oc_policy.h"

void test_oc_policy_suite(void);

static void test_oc_policy_patterns_match_whole_names(void)
{
	CU_ASSERT_TRUE(oc_policy_pattern_matches("*", "anything"));
	CU_ASSERT_FALSE(oc_policy_pattern_matches("*", ""));
	CU_ASSERT_TRUE(oc_policy_pattern_matches("s1.example.net", "s1.example.net"));
	CU_ASSERT_FALSE(oc_policy_pattern_matches("s1.example.net", "s1.example.net.evil"));
	CU_ASSERT_FALSE(oc_policy_pattern_matches("s1.example.net", "xs1.example.net"));
	CU_ASSERT_TRUE(oc_policy_pattern_matches("*.example.net", "s1.example.net"));
	CU_ASSERT_TRUE(oc_policy_pattern_matches("*.example.net", "a.b.example.net"));
	CU_ASSERT_FALSE(oc_policy_pattern_matches("*.example.net", "example.net"));
	CU_ASSERT_FALSE(oc_policy_pattern_matches("*.example.net", ".example.net"));
	CU_ASSERT_FALSE(oc_policy_pattern_matches("*.example.net", "evilexample.net"));
	CU_ASSERT_FALSE(oc_policy_pattern_matches("*.example.net", "s1.example.net.evil"));
	CU_ASSERT_FALSE(oc_policy_pattern_matches("*x", "yx"));
	CU_ASSERT_FALSE(oc_policy_pattern_matches("", ""));
}

static void test_oc_policy_first_rule_wins(void)
{
	struct oc_policy policy;

	oc_policy_init(&policy);
	policy.default_trust = OC_TRUST_RECEIVE_REPORTS;
	policy.rule_count = 2;
	strcpy(policy.rules[0].peer, "s1.example.net");
	policy.rules[0].flags = OC_TRUST_DOIC;
	strcpy(policy.rules[1].peer, "*.example.net");
	policy.rules[1].flags = OC_TRUST_SEND_REPORTS;
	CU_ASSERT_EQUAL(oc_trust_flags(&policy, "s1.example.net"), OC_TRUST_DOIC);
	CU_ASSERT_EQUAL(oc_trust_flags(&policy, "s2.example.net"), OC_TRUST_SEND_REPORTS);
	CU_ASSERT_EQUAL(oc_trust_flags(&policy, "s2.example.org"), OC_TRUST_RECEIVE_REPORTS);
}

static void test_oc_policy_trusts_nobody_by_default(void)
{
	struct oc_policy policy;

	oc_policy_init(&policy);
	/* nothing it says counts; a DRMP that does may still be sent to it */
	CU_ASSERT_EQUAL(oc_trust_flags(&policy, "s1.example.net"), OC_TRUST_RECEIVE_DRMP);
	CU_ASSERT_EQUAL(policy.mode, OC_MODE_ENFORCE);
	CU_ASSERT_EQUAL(policy.ramp_ms, 30000);
	CU_ASSERT_EQUAL(policy.ended_memory_ms, 30000);
	CU_ASSERT_EQUAL(policy.probe_interval_ms, 1000);
	CU_ASSERT_EQUAL(policy.outstanding_max, 512);
	CU_ASSERT_EQUAL(policy.refusal_code_host, OC_RC_UNABLE_TO_COMPLY);
	CU_ASSERT_EQUAL(policy.refusal_code_realm, OC_RC_UNABLE_TO_COMPLY);
	CU_ASSERT_EQUAL(policy.refusal_code_outstanding, OC_RC_TOO_BUSY);
}

void test_oc_policy_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_policy", NULL, NULL);
	CU_add_test(suite, "D-129 patterns_match_whole_names", test_oc_policy_patterns_match_whole_names);
	CU_add_test(suite, "first_rule_wins", test_oc_policy_first_rule_wins);
	CU_add_test(suite, "D-291 D-292 trusts_nobody_by_default", test_oc_policy_trusts_nobody_by_default);
}
