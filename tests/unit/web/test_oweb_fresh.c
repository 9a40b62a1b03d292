/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the reply that is kept a moment.
 */
#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "help_web.h"
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

static void every_key_has_its_own_text_and_the_oldest_gives_way(void)
{
	struct oweb_fresh *fresh = oweb_fresh_new();
	char key[8], *text;
	size_t len = 0;

	CU_ASSERT_FATAL(fresh != NULL);
	for (unsigned i = 0; i <= OWEB_FRESH_SLOTS; i++) {
		snprintf(key, sizeof(key), "/%u", i);
		oweb_fresh_put(fresh, key, 1000 + i, key, strlen(key));
	}
	CU_ASSERT_PTR_NULL(oweb_fresh_get(fresh, "/0", 1010, &len));
	CU_ASSERT_PTR_NULL(oweb_fresh_get(fresh, "/none", 1010, &len));
	for (unsigned i = 1; i <= OWEB_FRESH_SLOTS; i++) {
		snprintf(key, sizeof(key), "/%u", i);
		text = oweb_fresh_get(fresh, key, 1010, &len);
		CU_ASSERT(text != NULL && strcmp(text, key) == 0);
		free(text);
	}
	oweb_fresh_put(fresh, "/3", 1020, "other", 5); /* in the place of its own */
	text = oweb_fresh_get(fresh, "/1", 1020, &len);
	CU_ASSERT_PTR_NOT_NULL(text);
	free(text);
	oweb_fresh_forget(fresh);
	CU_ASSERT_PTR_NULL(oweb_fresh_get(fresh, "/3", 1020, &len));
	oweb_fresh_free(fresh);
}

static const char *label_of(struct help_reply *reply)
{
	return help_reply_text(reply, "node/label");
}

/* A change is to be seen by whoever made it. */
static void a_write_forgets_what_is_kept(void)
{
	struct help_reply reply = help_web_ask("GET", "/api/v1/status", NULL, NULL);
	char before[64];

	snprintf(before, sizeof(before), "%s", label_of(&reply));
	help_reply_drop(&reply);
	pthread_mutex_lock(&help_web.agent->lock);
	help_web.agent->facts.label = "OTHER";
	pthread_mutex_unlock(&help_web.agent->lock);
	reply = help_web_ask("GET", "/api/v1/status", NULL, NULL);
	CU_ASSERT_STRING_EQUAL(label_of(&reply), before); /* of a moment ago */
	help_reply_drop(&reply);
	(void)help_web_status_local("POST", "/api/v1/policy/reload", "Content-Type: application/json\r\n",
				    "{\"reason\":\"x\"}");
	reply = help_web_ask("GET", "/api/v1/status", NULL, NULL);
	CU_ASSERT_STRING_EQUAL(label_of(&reply), "OTHER");
	help_reply_drop(&reply);
}

void test_oweb_fresh_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oweb_fresh", NULL, NULL, help_web_set_up,
							       help_web_tear_down);

	CU_add_test(suite, "it is given again while it is fresh", it_is_given_again_while_it_is_fresh);
	CU_add_test(suite, "every key has its own text, and the oldest gives way",
		    every_key_has_its_own_text_and_the_oldest_gives_way);
	CU_add_test(suite, "a write forgets what is kept", a_write_forgets_what_is_kept);
}
