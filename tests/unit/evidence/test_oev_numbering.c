/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the bounded dictionary.
 */
#include <CUnit/CUnit.h>

#include "agent/oc_err.h"
#include "evidence/store/oev_numbering.h"

void test_oev_numbering_suite(void);

static struct oev_numbering numbering; /* of the running test */

static void set_up(void)
{
	CU_ASSERT_EQUAL_FATAL(oev_numbering_init(&numbering, 1), OC_OK);
}

static void tear_down(void)
{
	oev_numbering_fini(&numbering);
}

static uint64_t number_of(uint32_t content, bool *is_new)
{
	const struct oev_numbering_key key = { { 7, content } };

	return oev_numbering_of(&numbering, &key, is_new);
}

static void test_oev_numbering_gives_one_number_to_one_content(void)
{
	bool is_new = false;

	CU_ASSERT_EQUAL(number_of(10, &is_new), 1);
	CU_ASSERT(is_new);
	CU_ASSERT_EQUAL(number_of(11, &is_new), 2);
	CU_ASSERT(is_new);
	CU_ASSERT_EQUAL(number_of(10, &is_new), 1);
	CU_ASSERT_FALSE(is_new);
}

/* Far more than there is room for: a number may be given up, never to another content. */
static void test_oev_numbering_never_gives_a_number_twice(void)
{
	static uint32_t owners[4 * 8 * OEV_NUMBERING_SETS];
	bool is_new;

	for (uint32_t round = 0; round < 2; round++) {
		for (uint32_t content = 1; content <= 8 * OEV_NUMBERING_SETS; content++) {
			uint64_t number = number_of(content, &is_new);
			CU_ASSERT_FATAL(number < sizeof(owners) / sizeof(owners[0]));
			CU_ASSERT_EQUAL(owners[number], is_new ? 0 : content);
			owners[number] = content;
		}
	}
	CU_ASSERT(numbering.next > 8u * OEV_NUMBERING_SETS);
}

static void test_oev_numbering_keeps_what_is_used_often(void)
{
	bool is_new;

	for (uint32_t content = 1; content <= 8 * OEV_NUMBERING_SETS; content++) {
		number_of(1, &is_new);
		CU_ASSERT_EQUAL(is_new, content == 1);
		number_of(1, &is_new);
		CU_ASSERT_FALSE(is_new);
		number_of(content, &is_new);
	}
}

static void test_oev_numbering_clear_forgets_contents_and_goes_on(void)
{
	bool is_new;

	number_of(1, &is_new);
	oev_numbering_clear(&numbering);
	CU_ASSERT_EQUAL(number_of(1, &is_new), 2);
	CU_ASSERT(is_new);
}

static void test_oev_numbering_undo_gives_numbers_again(void)
{
	bool is_new;

	number_of(1, &is_new);
	oev_numbering_keep(&numbering);
	oev_numbering_undo(&numbering);
	CU_ASSERT_EQUAL(number_of(1, &is_new), 1);
	CU_ASSERT_FALSE(is_new);
	number_of(2, &is_new);
	oev_numbering_undo(&numbering);
	CU_ASSERT_EQUAL(number_of(3, &is_new), 2);
	CU_ASSERT(is_new);
	CU_ASSERT_EQUAL(number_of(1, &is_new), 3);
	CU_ASSERT(is_new);
}

void test_oev_numbering_suite(void)
{
	CU_pSuite suite =
		CU_add_suite_with_setup_and_teardown("oev_numbering", NULL, NULL, set_up, tear_down);

	CU_add_test(suite, "one_number_per_content", test_oev_numbering_gives_one_number_to_one_content);
	CU_add_test(suite, "never_twice", test_oev_numbering_never_gives_a_number_twice);
	CU_add_test(suite, "keeps_busy_ones", test_oev_numbering_keeps_what_is_used_often);
	CU_add_test(suite, "clear", test_oev_numbering_clear_forgets_contents_and_goes_on);
	CU_add_test(suite, "undo", test_oev_numbering_undo_gives_numbers_again);
}
