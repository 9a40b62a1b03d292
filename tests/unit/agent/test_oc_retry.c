/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the memory of refused session attempts.
 */
#include <CUnit/CUnit.h>

#include "agent/doic/oc_retry.h"

void test_oc_retry_suite(void);

static void test_oc_retry_knows_session_and_version(void)
{
	struct oc_retry *retry = oc_retry_new(64);

	CU_ASSERT_FALSE(oc_retry_knows(retry, 77, 1));
	oc_retry_remember(retry, 77, 1);
	CU_ASSERT_TRUE(oc_retry_knows(retry, 77, 1));
	CU_ASSERT_FALSE(oc_retry_knows(retry, 77, 2));
	CU_ASSERT_FALSE(oc_retry_knows(retry, 78, 1));
	oc_retry_remember(retry, 77, 2);
	CU_ASSERT_TRUE(oc_retry_knows(retry, 77, 2));
	oc_retry_free(retry);
	oc_retry_free(NULL);
}

static void test_oc_retry_overwrites_the_oldest(void)
{
	struct oc_retry *retry = oc_retry_new(2);

	for (uint64_t i = 1; i <= 100; i++) {
		oc_retry_remember(retry, i << 20, 9);
		CU_ASSERT_TRUE(oc_retry_knows(retry, i << 20, 9));
		CU_ASSERT_EQUAL(oc_retry_knows(retry, (i - 1) << 20, 9), i > 1);
		CU_ASSERT_FALSE(i > 2 && oc_retry_knows(retry, (i - 2) << 20, 9));
	}
	oc_retry_free(retry);
}

static void test_oc_retry_may_be_off(void)
{
	struct oc_retry *retry = oc_retry_new(0);

	oc_retry_remember(retry, 77, 1);
	CU_ASSERT_FALSE(oc_retry_knows(retry, 77, 1));
	oc_retry_free(retry);
	CU_ASSERT_PTR_NULL(oc_retry_new(3));
	CU_ASSERT_PTR_NULL(oc_retry_new(1u << 25));
}

static void test_oc_retry_applies_to_first_requests_of_sessions(void)
{
	struct oc_msg request = { .cc_request_type = 1, .session_hash = 5 };

	CU_ASSERT_TRUE(oc_retry_applies(&request));
	request.cc_request_type = 2;
	CU_ASSERT_FALSE(oc_retry_applies(&request));
	request = (struct oc_msg){ .cc_request_type = 1 };
	CU_ASSERT_FALSE(oc_retry_applies(&request));
}

void test_oc_retry_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_retry", NULL, NULL);
	CU_add_test(suite, "knows_session_and_version", test_oc_retry_knows_session_and_version);
	CU_add_test(suite, "overwrites_the_oldest", test_oc_retry_overwrites_the_oldest);
	CU_add_test(suite, "may_be_off", test_oc_retry_may_be_off);
	CU_add_test(suite, "applies_to_first_requests_of_sessions",
		    test_oc_retry_applies_to_first_requests_of_sessions);
}
