/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the sentences of doic ctl status and doic top: they are the server's, whatever it says. What it says: unit-web oweb_sentences.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "evidence/cli/cli_story.h"

void test_cli_story_suite(void);

static json_t *story_of(const char *text)
{
	json_t *status = json_loads(text, 0, NULL);

	CU_ASSERT_PTR_NOT_NULL_FATAL(status);
	json_t *story = cli_story(status);
	CU_ASSERT_PTR_NOT_NULL_FATAL(story);
	json_decref(status);
	return story;
}

static void parts_are_joined_in_their_order(void)
{
	json_t *story = story_of(
		"{\"sentences\": [{\"kind\": \"warn\", \"brief\": \"s1 asks for 30 % less.\", \"parts\": "
		"[{\"text\": \"s1\", \"version\": 41}, {\"text\": \" asks for 30 % less (loss, host, "
		"Gx).\"}]},"
		" {\"kind\": \"ok\", \"parts\": [{\"text\": \"Nobody sends more than usual.\"}]}]}");

	CU_ASSERT_EQUAL(json_array_size(story), 2);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_array_get(story, 0)),
			       "s1 asks for 30 % less (loss, host, Gx).");
	CU_ASSERT_STRING_EQUAL(json_string_value(json_array_get(story, 1)), "Nobody sends more than usual.");
	json_decref(story);
}

/* What an agent tells may be nonsense. */
static void what_is_no_sentence_is_left_out(void)
{
	static const char *const nonsense[] = {
		"{}", "{\"sentences\": 7}",
		"{\"sentences\": [7, null, \"text\", {}, {\"parts\": []}, {\"parts\": {}}]}",
		"{\"sentences\": [{\"parts\": [{\"text\": 7}, 7, null, {\"text\": \"\"}]}]}"
	};

	for (size_t i = 0; i < sizeof(nonsense) / sizeof(nonsense[0]); i++) {
		json_t *story = story_of(nonsense[i]);
		CU_ASSERT_EQUAL(json_array_size(story), 0);
		json_decref(story);
	}
}

void test_cli_story_suite(void)
{
	CU_pSuite suite = CU_add_suite("cli_story", NULL, NULL);

	CU_add_test(suite, "parts are joined in their order", parts_are_joined_in_their_order);
	CU_add_test(suite, "what is no sentence is left out", what_is_no_sentence_is_left_out);
}
