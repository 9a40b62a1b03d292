/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of scope: which state a request is held against.
 */
#include <CUnit/CUnit.h>

#include "agent/doic/oc_match.h"

void test_oc_match_suite(void);

static void test_oc_match_realm_without_destination_host(void)
{
	struct oc_msg request = { .app_id = 5, .dest_realm = 10 };
	struct oc_ocs_key key;

	CU_ASSERT_TRUE(oc_match_on_arrival(&request, true, &key));
	CU_ASSERT_EQUAL(key.type, OC_REPORT_REALM);
	CU_ASSERT_EQUAL(key.subject, 10);
	CU_ASSERT_EQUAL(key.app_id, 5);
	CU_ASSERT_FALSE(oc_match_on_arrival(&request, false, &key));
	request.dest_realm = OC_NAME_NONE;
	CU_ASSERT_FALSE(oc_match_on_arrival(&request, true, &key));
}

static void test_oc_match_host_with_destination_host(void)
{
	struct oc_msg request = { .app_id = 5, .dest_realm = 10, .dest_host = 11 };
	struct oc_ocs_key key;

	CU_ASSERT_TRUE(oc_match_on_arrival(&request, true, &key));
	CU_ASSERT_EQUAL(key.type, OC_REPORT_HOST);
	CU_ASSERT_EQUAL(key.subject, 11);
	CU_ASSERT_FALSE(oc_match_on_arrival(&request, false, &key));
}

static void test_oc_match_pick_is_the_server_of_realm_routed_requests(void)
{
	struct oc_msg request = { .app_id = 5, .dest_realm = 10 };
	struct oc_ocs_key key;

	CU_ASSERT_TRUE(oc_match_on_pick(&request, 12, &key));
	CU_ASSERT_EQUAL(key.type, OC_REPORT_HOST);
	CU_ASSERT_EQUAL(key.subject, 12);
	CU_ASSERT_FALSE(oc_match_on_pick(&request, OC_NAME_NONE, &key));
	request.dest_host = 11;
	CU_ASSERT_FALSE(oc_match_on_pick(&request, 12, &key));
}

static void test_oc_match_never_the_base_protocol(void)
{
	struct oc_msg request = { .dest_realm = 10 };
	struct oc_ocs_key key;

	CU_ASSERT_FALSE(oc_match_on_arrival(&request, true, &key));
	CU_ASSERT_FALSE(oc_match_on_pick(&request, 12, &key));
}

static void test_oc_match_agent_reacts_when_nobody_else_can(void)
{
	CU_ASSERT_TRUE(oc_match_reacting(false, false));
	CU_ASSERT_TRUE(oc_match_reacting(false, true));
	CU_ASSERT_TRUE(oc_match_reacting(true, false));
	CU_ASSERT_FALSE(oc_match_reacting(true, true));
}

void test_oc_match_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_match", NULL, NULL);
	CU_add_test(suite, "D-122 realm_without_destination_host",
		    test_oc_match_realm_without_destination_host);
	CU_add_test(suite, "D-121 D-123 host_with_destination_host",
		    test_oc_match_host_with_destination_host);
	CU_add_test(suite, "D-041 D-124 pick_is_the_server_of_realm_routed_requests",
		    test_oc_match_pick_is_the_server_of_realm_routed_requests);
	CU_add_test(suite, "D-007 never_the_base_protocol", test_oc_match_never_the_base_protocol);
	CU_add_test(suite, "D-031 D-040 D-287 agent_reacts_when_nobody_else_can",
		    test_oc_match_agent_reacts_when_nobody_else_can);
}
