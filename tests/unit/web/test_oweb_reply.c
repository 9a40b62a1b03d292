/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of what every reply has: headers, ETag, gzip; of problems; of rows and CSV.
 */
#include <CUnit/Basic.h>
#include <stdlib.h>
#include <string.h>

#include "help_web.h"
#include "web/oweb_csv.h"

void test_oweb_reply_suite(void);

static void every_reply_has_the_security_headers(void)
{
	static const char *const targets[] = { "/livez", "/api/v1/status", "/nothing", "/metrics",
					       "/%2e%2e" };

	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
		struct help_reply reply = help_web_ask("GET", targets[i], NULL, NULL);
		CU_ASSERT(help_reply_has(&reply, "X-Content-Type-Options", "nosniff"));
		CU_ASSERT(help_reply_has(&reply, "Referrer-Policy", "no-referrer"));
		CU_ASSERT(help_reply_has(&reply, "Cache-Control", "no-store"));
		CU_ASSERT(help_reply_has(&reply, "Content-Security-Policy",
					 "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; "
					 "form-action 'none'"));
		CU_ASSERT_FALSE(help_reply_has(&reply, "Server", NULL));
		help_reply_drop(&reply);
	}
}

static void how_long_it_took_is_told_of_what_was_given_alone(void)
{
	struct help_reply reply = help_web_ask("GET", "/api/v1/status", NULL, NULL);
	char took[64] = "";

	help_reply_header(&reply, "Server-Timing", took, sizeof(took));
	CU_ASSERT_EQUAL(strncmp(took, "total;dur=", 10), 0);
	help_reply_drop(&reply);
	reply = help_web_ask("GET", "/nothing", NULL, NULL);
	CU_ASSERT_FALSE(help_reply_has(&reply, "Server-Timing", NULL));
	help_reply_drop(&reply);
}

static void json_is_said_to_be_json(void)
{
	struct help_reply reply = help_web_ask("GET", "/api/v1/peers", NULL, NULL);

	CU_ASSERT_EQUAL(reply.status, 200);
	CU_ASSERT(help_reply_has(&reply, "Content-Type", "application/json"));
	CU_ASSERT_PTR_NOT_NULL(reply.json);
	help_reply_drop(&reply);
}

static void what_the_client_has_is_not_sent_again(void)
{
	struct help_reply reply = help_web_ask("GET", "/api/v1/pools", NULL, NULL);
	char etag[128], header[200];

	help_reply_header(&reply, "ETag", etag, sizeof(etag));
	help_reply_drop(&reply);
	CU_ASSERT_FATAL(etag[0] == '"');
	snprintf(header, sizeof(header), "If-None-Match: \"other\", W/%s\r\n", etag);
	reply = help_web_ask("GET", "/api/v1/pools", header, NULL);
	CU_ASSERT_EQUAL(reply.status, 304);
	CU_ASSERT_EQUAL(reply.body_len, 0);
	CU_ASSERT(help_reply_has(&reply, "ETag", etag));
	help_reply_drop(&reply);
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/pools", "If-None-Match: \"other\"\r\n", NULL), 200);
}

static void a_large_reply_is_packed_for_who_takes_it(void)
{
	struct help_reply plain = help_web_ask("GET", "/api/openapi.yaml", NULL, NULL);
	struct help_reply packed =
		help_web_ask("GET", "/api/openapi.yaml", "Accept-Encoding: br, gzip\r\n", NULL);
	struct help_reply refused =
		help_web_ask("GET", "/api/openapi.yaml", "Accept-Encoding: gzip;q=0\r\n", NULL);
	char a[128], b[128];

	CU_ASSERT(help_reply_has(&packed, "Content-Encoding", "gzip"));
	CU_ASSERT(help_reply_has(&packed, "Vary", "Accept-Encoding"));
	CU_ASSERT(packed.body_len < plain.body_len);
	CU_ASSERT_FATAL(packed.body_len > 2);
	CU_ASSERT_EQUAL(memcmp(packed.body, "\x1f\x8b", 2), 0);
	help_reply_header(&plain, "ETag", a, sizeof(a));
	help_reply_header(&packed, "ETag", b, sizeof(b));
	CU_ASSERT_STRING_NOT_EQUAL(a, b);
	CU_ASSERT_FALSE(help_reply_has(&plain, "Content-Encoding", NULL));
	CU_ASSERT_FALSE(help_reply_has(&refused, "Content-Encoding", NULL));
	help_reply_drop(&plain);
	help_reply_drop(&packed);
	help_reply_drop(&refused);
}

static void a_problem_says_what_where_and_what_to_do(void)
{
	struct help_reply reply = help_web_ask("GET", "/api/v1/series?window=0", NULL, NULL);

	CU_ASSERT_EQUAL(reply.status, 400);
	CU_ASSERT(help_reply_has(&reply, "Content-Type", "application/problem+json"));
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "type"), "/problems/bad-parameter");
	CU_ASSERT(help_reply_text(&reply, "title")[0] != '\0');
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(reply.json, "status")), 400);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "instance"), "/api/v1/series");
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "errors/0/parameter"), "window");
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "errors/0/detail"),
			       "is a whole number from 1 to 2592000");
	CU_ASSERT(help_reply_text(&reply, "try")[0] != '\0');
	help_reply_drop(&reply);
}

static void the_type_of_a_problem_is_an_address_that_answers(void)
{
	struct help_reply reply = help_web_ask("GET", "/nothing", NULL, NULL);
	struct help_reply page = help_web_ask("GET", help_reply_text(&reply, "type"), NULL, NULL);

	CU_ASSERT_EQUAL(page.status, 200);
	CU_ASSERT_PTR_NOT_NULL(strstr(page.body, "status 404"));
	help_reply_drop(&reply);
	help_reply_drop(&page);
	CU_ASSERT_EQUAL(help_web_status("GET", "/problems/none", NULL, NULL), 404);
}

static void no_cell_of_csv_is_a_formula(void)
{
	static const char *const columns[] = { "a", "b", "c", "d", NULL };
	struct oweb_text text = { 0 };
	json_t *row =
		json_pack("{s:s, s:s, s:i}", "a", "=cmd|'/C calc'!A0", "b", "say \"hi\", twice", "c", -5);

	oweb_csv_head(&text, columns);
	oweb_csv_row(&text, columns, row);
	CU_ASSERT_STRING_EQUAL(text.data, "\"a\",\"b\",\"c\",\"d\"\r\n"
					  "\"'=cmd|'/C calc'!A0\",\"say \"\"hi\"\", twice\",-5,\r\n");
	json_decref(row);
	oweb_text_free(&text);
	for (const char *first = "=+-@\t\r"; *first != '\0'; first++) {
		char cell[3] = { *first, 'x', '\0' };
		row = json_pack("{s:s}", "a", cell);
		oweb_csv_row(&text, columns, row);
		CU_ASSERT_EQUAL(strncmp(text.data, "\"'", 2), 0);
		json_decref(row);
		oweb_text_free(&text);
	}
}

void test_oweb_reply_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oweb_reply", NULL, NULL, help_web_set_up,
							       help_web_tear_down);

	CU_add_test(suite, "every reply has the security headers", every_reply_has_the_security_headers);
	CU_add_test(suite, "how long it took is told of what was given alone",
		    how_long_it_took_is_told_of_what_was_given_alone);
	CU_add_test(suite, "JSON is said to be JSON", json_is_said_to_be_json);
	CU_add_test(suite, "what the client has is not sent again", what_the_client_has_is_not_sent_again);
	CU_add_test(suite, "a large reply is packed for who takes it",
		    a_large_reply_is_packed_for_who_takes_it);
	CU_add_test(suite, "a problem says what, where, and what to do",
		    a_problem_says_what_where_and_what_to_do);
	CU_add_test(suite, "the type of a problem is an address that answers",
		    the_type_of_a_problem_is_an_address_that_answers);
	CU_add_test(suite, "no cell of CSV is a formula", no_cell_of_csv_is_a_formula);
}
