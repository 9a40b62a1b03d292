/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of rows that are made while they are sent, and of pages and assets, over routes of the test's own.
 */
#include <CUnit/Basic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "help_web.h"
#include "web/oweb_inner.h"
#include "web/oweb_route.h"

void test_oweb_rows_suite(void);

#define ROWS 20000

static const char *const columns[] = { "n", "name", NULL };
static atomic_int freed, made;

struct counter {
	int next, last, fail_at;
	const char *missing;
	bool is_endless; /* works on and on, and finds nothing */
};

static int next_row(void *ctx, json_t **row)
{
	struct counter *counter = ctx;

	atomic_fetch_add(&made, 1);
	if (counter->is_endless) {
		usleep(2000);
		return OWEB_ROWS_LATER;
	}
	if (counter->next == counter->fail_at)
		return -1;
	if (counter->next == counter->last)
		return 0;
	*row = json_pack("{s:i, s:s}", "n", ++counter->next, "name", "=1+1");
	return 1;
}

static const char *end(void *ctx, json_t *last)
{
	const struct counter *counter = ctx;

	json_object_set_new(last, "gaps", json_pack("[{s:i}]", "lost", 412));
	return counter->missing != NULL ? counter->missing : "";
}

static void done(void *ctx)
{
	atomic_fetch_add(&freed, 1);
	free(ctx);
}

static void reply_rows(struct oweb_request *request, const struct counter *how)
{
	struct counter *counter = calloc(1, sizeof(*counter));

	*counter = *how;
	oweb_reply_rows(request, &(struct oweb_rows){ .columns = columns,
						      .next = next_row,
						      .end = end,
						      .done = done,
						      .ctx = counter,
						      .is_csv = oweb_request_accepts(request, "text/csv") });
}

static void rows_get(struct oweb_request *request)
{
	reply_rows(request, &(struct counter){ .last = ROWS, .fail_at = -1 });
}

static void missing_get(struct oweb_request *request)
{
	reply_rows(request, &(struct counter){ .last = 3, .fail_at = -1, .missing = "seg-2.db: \"broken\"" });
}

static void endless_get(struct oweb_request *request)
{
	reply_rows(request, &(struct counter){ .last = 1, .fail_at = -1, .is_endless = true });
}

static void cut_get(struct oweb_request *request)
{
	reply_rows(request, &(struct counter){ .last = ROWS, .fail_at = 5 });
}

static void page_get(struct oweb_request *request)
{
	oweb_reply_constant(request, 200, "text/html; charset=utf-8", "<p>hi", 5);
	request->reply.is_page = true;
}

static void asset_get(struct oweb_request *request)
{
	oweb_reply_constant(request, 200, "text/javascript", "1", 1);
	request->reply.is_immutable = true;
}

static void forgets_get(struct oweb_request *request)
{
	(void)request;
}

static const struct oweb_route routes[] = {
	{ "GET", "/rows", OWEB_ROLE_NONE, rows_get, "", NULL, 0, 0 },
	{ "GET", "/cut", OWEB_ROLE_NONE, cut_get, "", NULL, 0, 0 },
	{ "GET", "/missing", OWEB_ROLE_NONE, missing_get, "", NULL, 0, 0 },
	{ "GET", "/endless", OWEB_ROLE_NONE, endless_get, "", NULL, 0, 0 },
	{ "GET", "/quick", OWEB_ROLE_NONE, asset_get, "", NULL, 0, 0 },
	{ "GET", "/page", OWEB_ROLE_NONE, page_get, "", NULL, 0, 0 },
	{ "GET", "/asset", OWEB_ROLE_NONE, asset_get, "", NULL, 0, 0 },
	{ "GET", "/forgets", OWEB_ROLE_NONE, forgets_get, "", NULL, 0, 0 },
	{ .method = NULL },
};

static void set_up(void)
{
	help_web_set_up();
	help_web.server->routes = routes;
	atomic_store(&freed, 0);
	atomic_store(&made, 0);
}

static const char *last_line(const struct help_reply *reply)
{
	const char *at = reply->body + reply->body_len;

	for (at -= at > reply->body; at > reply->body && at[-1] != '\n'; at--)
		;
	return at;
}

static void ndjson_says_that_it_is_whole(void)
{
	struct help_reply reply = help_web_ask("GET", "/rows", NULL, NULL);

	CU_ASSERT_EQUAL(reply.status, 200);
	CU_ASSERT(help_reply_has(&reply, "Content-Type", "application/x-ndjson"));
	CU_ASSERT_EQUAL(strncmp(reply.body, "{\"n\":1,\"name\":\"=1+1\"}\n", 22), 0);
	CU_ASSERT_STRING_EQUAL(last_line(&reply),
			       "{\"end\":true,\"rows\":20000,\"gaps\":[{\"lost\":412}]}\n");
	CU_ASSERT_EQUAL(atomic_load(&freed), 1);
	help_reply_drop(&reply);
}

static void ndjson_that_is_cut_says_so(void)
{
	struct help_reply reply = help_web_ask("GET", "/cut", NULL, NULL);

	CU_ASSERT_EQUAL(strncmp(last_line(&reply), "{\"end\":false,\"rows\":5,", 22), 0);
	help_reply_drop(&reply);
	reply = help_web_ask("GET", "/cut", "Accept: text/csv\r\n", NULL);
	CU_ASSERT_EQUAL(strncmp(last_line(&reply), "\"cut off", 8), 0);
	help_reply_drop(&reply);
	CU_ASSERT_EQUAL(atomic_load(&freed), 2);
}

static void rows_that_are_missing_are_told(void)
{
	struct help_reply reply = help_web_ask("GET", "/missing", NULL, NULL);

	CU_ASSERT_STRING_EQUAL(last_line(&reply),
			       "{\"end\":false,\"rows\":3,\"gaps\":[{\"lost\":412}],\"error\":"
			       "\"seg-2.db: \\\"broken\\\"\"}\n");
	help_reply_drop(&reply);
	reply = help_web_ask("GET", "/missing", "Accept: text/csv\r\n", NULL);
	CU_ASSERT_STRING_EQUAL(last_line(&reply), "\"cut off: seg-2.db: 'broken'\"");
	help_reply_drop(&reply);
}

/* More of them than the server has threads. */
static void who_searches_long_keeps_nobody_waiting(void)
{
	const char request[] = "GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n";
	int fds[4];

	for (unsigned i = 0; i < 4; i++) {
		fds[i] = help_web_connect();
		CU_ASSERT(help_web_send(fds[i], request, sizeof(request) - 1));
	}
	usleep(50000);
	int before = atomic_load(&made);
	for (unsigned i = 0; i < 20; i++)
		CU_ASSERT_EQUAL(help_web_status("GET", "/quick", NULL, NULL), 200);
	usleep(50000);
	CU_ASSERT(atomic_load(&made) > before + 4); /* and gets on meanwhile */
	for (unsigned i = 0; i < 4; i++)
		close(fds[i]);
	for (unsigned i = 0; i < 250 && atomic_load(&freed) < 4; i++)
		usleep(20000);
	CU_ASSERT_EQUAL(atomic_load(&freed), 4);
}

static void csv_begins_with_its_columns(void)
{
	struct help_reply reply = help_web_ask("GET", "/rows", "Accept: text/csv\r\n", NULL);

	CU_ASSERT(help_reply_has(&reply, "Content-Type", "text/csv; charset=utf-8"));
	CU_ASSERT_EQUAL(strncmp(reply.body, "\"n\",\"name\"\r\n1,\"'=1+1\"\r\n", 23), 0);
	CU_ASSERT_EQUAL(strncmp(last_line(&reply), "20000,", 6), 0);
	help_reply_drop(&reply);
}

static void who_goes_away_ends_the_making_of_rows(void)
{
	int fd = help_web_connect();
	const char request[] = "GET /rows HTTP/1.1\r\nHost: localhost\r\n\r\n";

	CU_ASSERT(help_web_send(fd, request, sizeof(request) - 1));
	usleep(50000);
	close(fd);
	for (unsigned i = 0; i < 100 && atomic_load(&freed) == 0; i++)
		usleep(20000);
	CU_ASSERT_EQUAL(atomic_load(&freed), 1);
}

static void head_makes_no_rows(void)
{
	CU_ASSERT_EQUAL(help_web_status("HEAD", "/rows", NULL, NULL), 200);
	for (unsigned i = 0; i < 100 && atomic_load(&freed) == 0; i++)
		usleep(20000);
	CU_ASSERT_EQUAL(atomic_load(&made), 0);
	CU_ASSERT_EQUAL(atomic_load(&freed), 1);
}

static void a_page_may_use_its_own_parts_and_nothing_else(void)
{
	struct help_reply reply = help_web_ask("GET", "/page", NULL, NULL);
	char policy[512];

	help_reply_header(&reply, "Content-Security-Policy", policy, sizeof(policy));
	CU_ASSERT_PTR_NOT_NULL(strstr(
		policy, "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:"));
	CU_ASSERT_PTR_NOT_NULL(strstr(policy, "connect-src 'self'"));
	CU_ASSERT_PTR_NOT_NULL(strstr(policy, "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"));
	CU_ASSERT_PTR_NULL(strstr(policy, "unsafe"));
	CU_ASSERT(help_reply_has(&reply, "Cache-Control", "no-cache"));
	help_reply_drop(&reply);
	reply = help_web_ask("GET", "/asset", NULL, NULL);
	CU_ASSERT(help_reply_has(&reply, "Cache-Control", "public, max-age=31536000, immutable"));
	help_reply_drop(&reply);
}

static void a_resource_that_says_nothing_is_500(void)
{
	CU_ASSERT_EQUAL(help_web_status("GET", "/forgets", NULL, NULL), 500);
}

void test_oweb_rows_suite(void)
{
	CU_pSuite suite =
		CU_add_suite_with_setup_and_teardown("oweb_rows", NULL, NULL, set_up, help_web_tear_down);

	CU_add_test(suite, "NDJSON says that it is whole", ndjson_says_that_it_is_whole);
	CU_add_test(suite, "NDJSON that is cut says so", ndjson_that_is_cut_says_so);
	CU_add_test(suite, "rows that are missing are told", rows_that_are_missing_are_told);
	CU_add_test(suite, "who searches long keeps nobody waiting", who_searches_long_keeps_nobody_waiting);
	CU_add_test(suite, "CSV begins with its columns", csv_begins_with_its_columns);
	CU_add_test(suite, "who goes away ends the making of rows", who_goes_away_ends_the_making_of_rows);
	CU_add_test(suite, "HEAD makes no rows", head_makes_no_rows);
	CU_add_test(suite, "a page may use its own parts and nothing else",
		    a_page_may_use_its_own_parts_and_nothing_else);
	CU_add_test(suite, "a resource that says nothing is 500", a_resource_that_says_nothing_is_500);
}
