/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the reply that is kept a moment.
 */
#include <CUnit/Basic.h>
#include <stdlib.h>
#include <string.h>

#include "web/oweb_fresh.h"

void test_oweb_fresh_suite(void);

static void it_is_given_again_while_it_is_fresh(void)
{
	struct oweb_fresh *fresh = oweb_fresh_new();
	size_t len = 0;

	CU_ASSERT_FATAL(fresh != NULL);
	CU_ASSERT_PTR_NULL(oweb_fresh_get(fresh, "/a", 1000, &len));
	oweb_fresh_put(fresh, "/a", 1000, "text", 4);
	char *text = oweb_fresh_get(fresh, "/a", 1000 + OWEB_FRESH_NS - 1, &len);
	CU_ASSERT_FATAL(text != NULL);
	CU_ASSERT_STRING_EQUAL(text, "text");
	CU_ASSERT_EQUAL(len, 4);
	free(text);
	CU_ASSERT_PTR_NULL(oweb_fresh_get(fresh, "/a", 1000 + OWEB_FRESH_NS, &len));
	oweb_fresh_free(fresh);
}

static void another_key_gets_nothing(void)
{
	struct oweb_fresh *fresh = oweb_fresh_new();
	size_t len = 0;

	CU_ASSERT_FATAL(fresh != NULL);
	oweb_fresh_put(fresh, "/a", 1000, "text", 4);
	CU_ASSERT_PTR_NULL(oweb_fresh_get(fresh, "/b", 1000, &len));
	oweb_fresh_put(fresh, "/b", 1000, "other", 5);
	CU_ASSERT_PTR_NULL(oweb_fresh_get(fresh, "/a", 1000, &len));
	oweb_fresh_free(fresh);
}

void test_oweb_fresh_suite(void)
{
	CU_pSuite suite = CU_add_suite("oweb_fresh", NULL, NULL);

	CU_add_test(suite, "it is given again while it is fresh", it_is_given_again_while_it_is_fresh);
	CU_add_test(suite, "another key gets nothing", another_key_gets_nothing);
}
