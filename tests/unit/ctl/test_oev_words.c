/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of words that are cut, and of words that are like others.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "evidence/app/oev_cut.h"
#include "evidence/app/oev_nearest.h"

void test_oev_words_suite(void);

static void test_oev_cut_ends_where_a_character_ends(void)
{
	static const char text[] = "M\xc3\xbcnchen\xe2\x82\xac\xf0\x9f\x98\x80z"; /* 1 2 1 1 1 1 1 3 4 1 */
	static const int wanted[] = { 0, 1, 1, 3, 4, 5, 6, 7, 8, 8, 8, 11, 11, 11, 11, 15, 16, 16, 16 };

	for (size_t most = 0; most < sizeof(wanted) / sizeof(wanted[0]); most++)
		CU_ASSERT_EQUAL(oev_cut(text, most), wanted[most]);
	CU_ASSERT_EQUAL(oev_cut("", 0), 0);
	CU_ASSERT_EQUAL(oev_cut("", 5), 0);
}

static void test_oev_cut_takes_what_is_no_utf8_as_it_is(void)
{
	CU_ASSERT_EQUAL(oev_cut("\x80\x80\x80\x80\x80\x80", 5), 5);
	CU_ASSERT_EQUAL(oev_cut("a\x80\x80", 2), 2);
	CU_ASSERT_EQUAL(oev_cut("\xff\xff\xff", 2), 2);
	CU_ASSERT_EQUAL(oev_cut("\x80z", 1), 1);
}

static size_t likeness(const char *a, const char *b)
{
	return oev_likeness(a, strlen(a), b, strlen(b));
}

static void test_oev_likeness_is_two_letters_and_less_than_half(void)
{
	char longer[80];

	CU_ASSERT_EQUAL(likeness("verify", "verify"), 0);
	CU_ASSERT_EQUAL(likeness("verfiy", "verify"), 1); /* swapped */
	CU_ASSERT_EQUAL(likeness("vrifi", "verify"), 2);
	CU_ASSERT_EQUAL(likeness("vrif", "verily"), OEV_UNLIKE);
	CU_ASSERT_EQUAL(likeness("ab", "abcd"), OEV_UNLIKE); /* half of it */
	CU_ASSERT_EQUAL(likeness("abc", "abcde"), 2);
	CU_ASSERT_EQUAL(oev_likeness("modes", 4, "mode.x", 4), 0);
	memset(longer, 'a', sizeof(longer));
	CU_ASSERT_EQUAL(oev_likeness(longer, 64, longer, 64), 0);
	CU_ASSERT_EQUAL(oev_likeness(longer, 65, longer, 65), OEV_UNLIKE);
}

static void test_oev_nearest_is_the_first_of_the_nearest(void)
{
	static const char *const words[] = { "stats", "states", "status", NULL };

	CU_ASSERT_STRING_EQUAL(oev_nearest("stat", words), "stats");
	CU_ASSERT_STRING_EQUAL(oev_nearest("sttaus", words), "status");
	CU_ASSERT_PTR_NULL(oev_nearest("ping", words));
}

void test_oev_words_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_words", NULL, NULL);

	CU_ADD_TEST(suite, test_oev_cut_ends_where_a_character_ends);
	CU_ADD_TEST(suite, test_oev_cut_takes_what_is_no_utf8_as_it_is);
	CU_ADD_TEST(suite, test_oev_likeness_is_two_letters_and_less_than_half);
	CU_ADD_TEST(suite, test_oev_nearest_is_the_first_of_the_nearest);
}
