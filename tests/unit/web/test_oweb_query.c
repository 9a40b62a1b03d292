/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of taking a target apart.
 */
#include <CUnit/Basic.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "help_web.h"

void test_oweb_query_suite(void);

static const struct oweb_param params[] = {
	{ .name = "limit", .kind = OWEB_NUMBER, .min = 1, .max = 100 },
	{ .name = "since", .kind = OWEB_TIME },
	{ .name = "verbose", .kind = OWEB_FLAG },
	{ .name = "order", .kind = OWEB_WORD, .words = "newest|oldest" },
	{ .name = "q", .kind = OWEB_TEXT, .max = 16 },
	{ .name = NULL },
};

static int read_query(const char *raw, struct oweb_query *query, struct oweb_query_error *error)
{
	return oweb_query_read(query, raw, params, 1764500000000000ull, error);
}

static void a_path_is_decoded_once(void)
{
	char out[OWEB_TARGET_MAX];

	CU_ASSERT_EQUAL(oweb_path_clean("/a%20b/%C3%A9", 13, out), OC_OK);
	CU_ASSERT_STRING_EQUAL(out, "/a b/\xc3\xa9");
	CU_ASSERT_EQUAL(oweb_path_clean("/%2561", 6, out), OC_OK);
	CU_ASSERT_STRING_EQUAL(out, "/%61");
	CU_ASSERT_EQUAL(oweb_path_clean("/", 1, out), OC_OK);
}

static void a_path_that_is_not_plain_is_refused(void)
{
	static const char *const bad[] = {
		"",	     "a",	  "//",	    "/a//b",  "/a/",	  "/../etc/passwd", "/a/..",
		"/./a",	     "/%2e%2e/a", "/a%2Fb", "/a%2fb", "/a%00b",	  "/a%5Cb",	    "/a\\b",
		"/a%0d%0ab", "/%",	  "/%4",    "/%zz",   "/%c0%ae/", "/%ed%a0%80",	    "/%f5%80%80%80",
		"http://a/b"
	};
	char out[OWEB_TARGET_MAX];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CU_ASSERT_EQUAL(oweb_path_clean(bad[i], strlen(bad[i]), out), OC_EMALFORMED);
}

static void parameters_are_read_by_their_kinds(void)
{
	struct oweb_query query;
	struct oweb_query_error error;

	CU_ASSERT_EQUAL(read_query("limit=42&since=-10m&verbose&order=oldest&q=a+b%2B%26", &query, &error),
			OC_OK);
	CU_ASSERT_EQUAL(oweb_query_number(&query, "limit", 0), 42);
	CU_ASSERT_EQUAL(oweb_query_number(&query, "since", 0), 1764500000000000ull - 600000000ull);
	CU_ASSERT_EQUAL(oweb_query_number(&query, "verbose", 0), 1);
	CU_ASSERT_STRING_EQUAL(oweb_query_text(&query, "order"), "oldest");
	CU_ASSERT_STRING_EQUAL(oweb_query_text(&query, "q"), "a b+&");
	CU_ASSERT_EQUAL(read_query(NULL, &query, &error), OC_OK);
	CU_ASSERT_PTR_NULL(oweb_query_text(&query, "q"));
	CU_ASSERT_EQUAL(oweb_query_number(&query, "limit", 7), 7);
}

static void bad_values_name_their_parameter(void)
{
	static const struct {
		const char *raw, *parameter;
	} bad[] = { { "limit=0", "limit" },
		    { "limit=101", "limit" },
		    { "limit=-1", "limit" },
		    { "limit=1e2", "limit" },
		    { "limit=", "limit" },
		    { "limit=+5", "limit" },
		    { "limit=99999999999999999999", "limit" },
		    { "since=soon", "since" },
		    { "verbose=maybe", "verbose" },
		    { "order=new", "order" },
		    { "order=newest|oldest", "order" },
		    { "q=12345678901234567", "q" },
		    { "q=%ff", "q" },
		    { "q=%00", "q" },
		    { "q=%0a", "q" } };
	struct oweb_query query;
	struct oweb_query_error error;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		CU_ASSERT_EQUAL(read_query(bad[i].raw, &query, &error), OC_EINVAL);
		CU_ASSERT_STRING_EQUAL(error.parameter, bad[i].parameter);
		CU_ASSERT_FALSE(error.is_unknown);
	}
}

static void a_parameter_given_twice_is_refused(void)
{
	struct oweb_query query;
	struct oweb_query_error error;

	CU_ASSERT_EQUAL(read_query("limit=1&limit=1", &query, &error), OC_EINVAL);
	CU_ASSERT_STRING_EQUAL(error.detail, "is given twice");
	CU_ASSERT_EQUAL(read_query("limit=1&%6Cimit=2", &query, &error), OC_EINVAL);
}

static void an_unknown_parameter_names_the_nearest(void)
{
	struct help_reply reply = help_web_ask("GET", "/api/v1/series?widnow=60", NULL, NULL);

	CU_ASSERT_EQUAL(reply.status, 400);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "type"), "/problems/unknown-parameter");
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "errors/0/parameter"), "widnow");
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "try"), "Did you mean window?");
	help_reply_drop(&reply);
	reply = help_web_ask("GET", "/api/v1/decisions?foo=1", NULL,
			     NULL); /* two of three letters from "from" */
	CU_ASSERT_EQUAL(reply.status, 400);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "type"), "/problems/unknown-parameter");
	CU_ASSERT_PTR_NULL(strstr(reply.body, "Did you mean"));
	help_reply_drop(&reply);
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/status?a=1", NULL, NULL), 400);
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/series?window=60&window=60", NULL, NULL), 400);
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/series?window=601", NULL, NULL), 400);
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/series?window=60", NULL, NULL), 200);
}

static void a_target_that_is_too_long_is_414(void)
{
	static char target[OWEB_TARGET_MAX + 64];

	memset(target, 'a', sizeof(target) - 1);
	memcpy(target, "/livez?q=", 9);
	CU_ASSERT_EQUAL(help_web_status("GET", target, NULL, NULL), 414);
}

void test_oweb_query_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oweb_query", NULL, NULL, help_web_set_up,
							       help_web_tear_down);

	CU_add_test(suite, "a path is decoded once", a_path_is_decoded_once);
	CU_add_test(suite, "a path that is not plain is refused", a_path_that_is_not_plain_is_refused);
	CU_add_test(suite, "parameters are read by their kinds", parameters_are_read_by_their_kinds);
	CU_add_test(suite, "bad values name their parameter", bad_values_name_their_parameter);
	CU_add_test(suite, "a parameter given twice is refused", a_parameter_given_twice_is_refused);
	CU_add_test(suite, "an unknown parameter names the nearest", an_unknown_parameter_names_the_nearest);
	CU_add_test(suite, "a target that is too long is 414", a_target_that_is_too_long_is_414);
}
