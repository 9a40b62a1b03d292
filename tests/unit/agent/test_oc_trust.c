/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of trust: one refusal per condition.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/doic/oc_trust.h"

void test_oc_trust_suite(void);

static struct oc_trust_case good(void)
{
	return (struct oc_trust_case){ .flags = OC_TRUST_DOIC | OC_TRUST_SEND_REPORTS,
				       .is_answer_due = true,
				       .is_announced = true,
				       .has_features = true,
				       .is_from_origin = true,
				       .peer = "s1.example.net",
				       .realm = "example.net" };
}

static void test_oc_trust_way_has_four_conditions(void)
{
	struct oc_trust_case c = good();

	CU_ASSERT_EQUAL(oc_trust_check_way(&c), OC_REASON_NONE);
	c.is_answer_due = false;
	CU_ASSERT_EQUAL(oc_trust_check_way(&c), OC_REASON_UNSOLICITED);
	c = good();
	c.flags = OC_TRUST_SEND_REPORTS;
	CU_ASSERT_EQUAL(oc_trust_check_way(&c), OC_REASON_UNTRUSTED_PEER);
	c.flags = OC_TRUST_DOIC | OC_TRUST_RELAY_REPORTS | OC_TRUST_RECEIVE_REPORTS;
	CU_ASSERT_EQUAL(oc_trust_check_way(&c), OC_REASON_UNTRUSTED_PEER);
	c = good();
	c.is_announced = false;
	CU_ASSERT_EQUAL(oc_trust_check_way(&c), OC_REASON_NOT_ANNOUNCED);
	c = good();
	c.has_features = false;
	CU_ASSERT_EQUAL(oc_trust_check_way(&c), OC_REASON_NO_FEATURES);
}

static void test_oc_trust_scope_is_adjacency_and_realm(void)
{
	struct oc_policy policy;
	struct oc_trust_case c = good();

	oc_policy_init(&policy);
	policy.rule_count = 1;
	strcpy(policy.rules[0].peer, "s1.example.net");
	CU_ASSERT_EQUAL(oc_trust_check_scope(&policy, &c), OC_REASON_NONE);
	policy.rules[0].realm_count = 2;
	strcpy(policy.rules[0].realms[0], "example.org");
	strcpy(policy.rules[0].realms[1], "*.example.net");
	CU_ASSERT_EQUAL(oc_trust_check_scope(&policy, &c), OC_REASON_OUT_OF_SCOPE);
	c.realm = "ims.example.net";
	CU_ASSERT_EQUAL(oc_trust_check_scope(&policy, &c), OC_REASON_NONE);
	c.is_from_origin = false;
	CU_ASSERT_EQUAL(oc_trust_check_scope(&policy, &c), OC_REASON_NOT_ADJACENT);
	c.flags |= OC_TRUST_RELAY_REPORTS;
	CU_ASSERT_EQUAL(oc_trust_check_scope(&policy, &c), OC_REASON_NONE);
}

static void test_oc_trust_forwards_only_what_is_trusted_and_whole(void)
{
	unsigned passed = 0;

	for (unsigned reason = 0; reason < OC_REASON_COUNT; reason++)
		passed += oc_trust_may_forward((enum oc_report_reason)reason);
	CU_ASSERT_EQUAL(passed, 6);
	CU_ASSERT_FALSE(oc_trust_may_forward(OC_REASON_UNTRUSTED_PEER));
	CU_ASSERT_FALSE(oc_trust_may_forward(OC_REASON_NOT_ADJACENT));
	CU_ASSERT_FALSE(oc_trust_may_forward(OC_REASON_OUT_OF_SCOPE));
	CU_ASSERT_FALSE(oc_trust_may_forward(OC_REASON_TYPE_UNSUPPORTED));
	CU_ASSERT_FALSE(oc_trust_may_forward(OC_REASON_MALFORMED));
}

void test_oc_trust_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_trust", NULL, NULL);
	CU_add_test(suite, "D-280 D-290 way_has_four_conditions", test_oc_trust_way_has_four_conditions);
	CU_add_test(suite, "D-281 D-283 scope_is_adjacency_and_realm",
		    test_oc_trust_scope_is_adjacency_and_realm);
	CU_add_test(suite, "D-282 D-213 forwards_only_what_is_trusted_and_whole",
		    test_oc_trust_forwards_only_what_is_trusted_and_whole);
}
