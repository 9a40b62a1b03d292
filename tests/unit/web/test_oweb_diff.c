/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the difference of two texts.
 */
#include <CUnit/CUnit.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "web/oweb_diff.h"

void test_oweb_diff_suite(void);

/* "-2:b +2:x " */
static void expect(const char *before, const char *after, const char *wanted)
{
	char got[512] = "";
	json_t *diff = oweb_diff(before, after), *line;
	size_t i;

	CU_ASSERT_PTR_NOT_NULL_FATAL(diff);
	json_array_foreach(diff, i, line)
	{
		bool is_new = json_is_integer(json_object_get(line, "new"));
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%c%d:%s ", is_new ? '+' : '-',
			 (int)json_integer_value(json_object_get(line, is_new ? "new" : "old")),
			 json_string_value(json_object_get(line, "text")));
	}
	CU_ASSERT_STRING_EQUAL(got, wanted);
	json_decref(diff);
}

static void test_few_lines(void)
{
	expect("a\nb\nc\n", "a\nb\nc\n", "");
	expect("a\nb\nc\n", "a\nx\nc\n", "-2:b +2:x ");
	expect("a\nb\nc\n", "a\nc\n", "-2:b ");
	expect("a\nc\n", "a\nb\nc\n", "+2:b ");
	expect("", "a\n", "+1:a ");
	expect("a", "", "-1:a ");
	expect("a\nb", "a\nb\n", "");
	expect("a\nb\nc\nd\ne\n", "b\nc\nx\ne\n", "-1:a -4:d +3:x ");
	expect("a\na\na\n", "a\na\n", "-3:a ");
}

static void test_very_many_lines_are_told_whole(void)
{
	size_t size = 3000 * 8;
	char *before = calloc(1, size), *after = calloc(1, size);

	for (unsigned i = 0; i < 2000; i++) {
		snprintf(before + strlen(before), size - strlen(before), "a%u\n", i);
		snprintf(after + strlen(after), size - strlen(after), "b%u\n", i);
	}
	json_t *diff = oweb_diff(before, after);
	CU_ASSERT_EQUAL(json_array_size(diff), 4000);
	json_decref(diff);
	free(before);
	free(after);
}

void test_oweb_diff_suite(void)
{
	CU_Suite *suite = CU_add_suite("oweb_diff", NULL, NULL);

	CU_add_test(suite, "few_lines", test_few_lines);
	CU_add_test(suite, "very_many_lines_are_told_whole", test_very_many_lines_are_told_whole);
}
