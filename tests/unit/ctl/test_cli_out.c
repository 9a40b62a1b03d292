/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of texts made fit for a terminal.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "evidence/cli/cli.h"

void test_cli_out_suite(void);

static void test_cli_safe_leaves_no_control_characters_of_either_set(void)
{
	char text[] = "a\x1b[31m\x7f \xc2\x9b"
		      "31m\xc2\x80\xc2\x9f",
	     fine[] = "M\xc3\xbcnchen \xe2\x82\xac \xc2\xa0\xc3\x9b", cut[] = "a\xc2";

	CU_ASSERT_STRING_EQUAL(cli_safe(text), "a?[31m? ??31m????");
	CU_ASSERT_STRING_EQUAL(cli_safe(fine), "M\xc3\xbcnchen \xe2\x82\xac \xc2\xa0\xc3\x9b");
	CU_ASSERT_STRING_EQUAL(cli_safe(cut), "a\xc2");
}

void test_cli_out_suite(void)
{
	CU_pSuite suite = CU_add_suite("cli_out", NULL, NULL);

	CU_ADD_TEST(suite, test_cli_safe_leaves_no_control_characters_of_either_set);
}
