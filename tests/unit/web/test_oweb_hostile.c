/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of clients that mean harm: what they send is refused, or their time runs out, and the server goes on.
 */
#include <CUnit/Basic.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "help_web.h"
#include "tests/unit/evidence/help_segment.h"
#include "web/oweb_route.h"

void test_oweb_hostile_suite(void);

#define HEAD "Host: 127.0.0.1\r\n"
#define JSON "Content-Type: application/json\r\n"

static void it_still_answers(void)
{
	CU_ASSERT_EQUAL(help_web_status("GET", "/livez", NULL, NULL), 200);
	CU_ASSERT_EQUAL(help_web_status_local("GET", "/livez", NULL, NULL), 200);
}

static void answers_again_within(unsigned tenths)
{
	while (tenths-- > 0 && help_web_status("GET", "/livez", NULL, NULL) != 200)
		usleep(100000);
	it_still_answers();
}

/* Status of raw octets; 0 when the connection was cut. */
static int raw_status(const char *octets)
{
	struct help_reply reply = help_web_raw(octets);
	int status = reply.status;

	help_reply_drop(&reply);
	return status;
}

static void path_traversal_is_refused(void)
{
	static const char *const targets[] = { "/../../etc/passwd",    "/%2e%2e/%2e%2e/etc/passwd",
					       "/api/v1/../v1/status", "/api%2fv1%2fstatus",
					       "/api/v1/status/",      "//api/v1/status",
					       "/api/v1/status%00",    "/api\\v1\\status",
					       "/api/v1/..%5c..",      "/%c0%ae%c0%ae/a" };

	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++)
		CU_ASSERT_EQUAL(help_web_status("GET", targets[i], NULL, NULL), 400);
	CU_ASSERT_EQUAL(help_web_status("GET", "http://evil.example/api/v1/status", NULL, NULL), 400);
}

static void two_answers_to_where_a_message_ends_are_refused(void)
{
	static const char *const bad[] = {
		"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /livez HTTP/1.1\r\n" HEAD
		"\r\n",
		"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
		"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
		"Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
		"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
		"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
		"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
		"Content-Length: -1\r\n\r\n",
		"Content-Length: 5 5\r\n\r\nhello",
		"Content-Length: 0x5\r\n\r\nhello",
		"Content-Length: 99999999999999999999999\r\n\r\n",
	};
	char request[512];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(request, sizeof(request), "POST /api/v1/session HTTP/1.1\r\n" HEAD JSON "%s",
			 bad[i]);
		struct help_reply reply = help_web_raw(request);
		CU_ASSERT(reply.status == 400 || reply.status == 413 || reply.status == 0);
		/* Nothing that follows is taken for another request. (The library says its own refusals' heads twice.) */
		CU_ASSERT_PTR_NULL(strstr(reply.text, "HTTP/1.1 200"));
		help_reply_drop(&reply);
	}
	CU_ASSERT_EQUAL(
		raw_status("GET /livez HTTP/1.1\r\n" HEAD "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n"),
		400);
	it_still_answers();
}

static void a_chunk_that_is_none_ends_the_connection(void)
{
	static const char *const bad[] = { "zz\r\nhello\r\n0\r\n\r\n", "5\r\nhelloworld\r\n0\r\n\r\n",
					   "ffffffffffffffffff\r\nx\r\n", "-5\r\nhello\r\n0\r\n\r\n" };
	char request[512];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(request, sizeof(request),
			 "POST /api/v1/session HTTP/1.1\r\n" HEAD JSON "Transfer-Encoding: chunked\r\n\r\n%s",
			 bad[i]);
		int status = raw_status(request);
		CU_ASSERT(status == 0 || status == 400 || status == 413);
	}
	it_still_answers();
}

static void a_chunked_body_is_read_whole(void)
{
	struct help_reply reply = help_web_raw("POST /api/v1/session HTTP/1.1\r\n" HEAD JSON
					       "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
					       "8\r\n{\"token\"\r\n8\r\n:\"a.b\"} \r\n0\r\n\r\n");

	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "type"), "/problems/bad-token");
	help_reply_drop(&reply);
}

static void lines_that_are_no_http_are_refused(void)
{
	static const char *const bad[] = { "\r\n\r\n\r\n",
					   "GET\r\n\r\n",
					   "GET \r\n\r\n",
					   "\x16\x03\x01\x02\x01\x01\x01\xfc\r\n\r\n",
					   "GET / HTTP/9.9\r\n" HEAD "\r\n",
					   "GET /livez HTTP/1.1\r\n" HEAD "No colon\r\n\r\n",
					   "GET /livez HTTP/1.1\r\n" HEAD HEAD "\r\n",
					   "GET /livez HTTP/1.1\r\n" HEAD
					   "X: a\r\n b\r\nAuthorization: a\r\nAuthorization: b\r\n\r\n" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		int fd = help_web_connect();
		CU_ASSERT(help_web_send(fd, bad[i], strlen(bad[i])));
		shutdown(fd, SHUT_WR);
		struct help_reply reply = help_web_read(fd, 5000);
		CU_ASSERT_NOT_EQUAL(reply.status, 200);
		help_reply_drop(&reply);
	}
	it_still_answers();
}

static void a_head_that_is_too_large_is_refused(void)
{
	static char request[80000];
	size_t used = (size_t)snprintf(request, sizeof(request), "GET /livez HTTP/1.1\r\n" HEAD "X-Long: ");

	memset(request + used, 'a', 60000);
	snprintf(request + used + 60000, sizeof(request) - used - 60000, "\r\n\r\n");
	int status = raw_status(request);
	CU_ASSERT(status == 431 || status == 413 || status == 414 || status == 0);
	it_still_answers();
}

/* The library takes a query apart into the connection's memory, if it is let. */
static void a_query_of_many_parameters_has_a_reply(void)
{
	static const char *const parts[] = { "a=1&", "&", "=&", "a&" };
	static char request[12000];

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		for (unsigned octets = 2000; octets <= 8000; octets += 6000) {
			size_t used = (size_t)snprintf(request, sizeof(request), "GET /livez?");
			for (unsigned at = 0; at < octets; at += (unsigned)strlen(parts[i]))
				used += (size_t)snprintf(request + used, sizeof(request) - used, "%s",
							 parts[i]);
			snprintf(request + used, sizeof(request) - used,
				 " HTTP/1.1\r\n" HEAD "Connection: close\r\n\r\n");
			int wanted = octets > OWEB_TARGET_MAX ? 414 : strcmp(parts[i], "&") == 0 ? 200 : 400;
			CU_ASSERT_EQUAL(raw_status(request), wanted);
		}
	it_still_answers();
}

static void a_body_that_is_too_large_is_413(void)
{
	char *body = malloc(3000);

	memset(body, ' ', 2999);
	body[2999] = '\0';
	CU_ASSERT_EQUAL(help_web_status("POST", "/api/v1/session", JSON, body), 413);
	free(body);
	/* Announced, and never sent. */
	struct help_reply reply = help_web_raw("POST /api/v1/session HTTP/1.1\r\n" HEAD JSON
					       "Expect: 100-continue\r\nContent-Length: 4000000000\r\n\r\n");
	CU_ASSERT_EQUAL(reply.status, 413);
	CU_ASSERT(help_reply_has(&reply, "Connection", "close"));
	help_reply_drop(&reply);
	it_still_answers();
}

static void a_body_without_end_is_cut(void)
{
	int fd = help_web_connect();
	static char chunk[4096];
	const char head[] =
		"POST /api/v1/session HTTP/1.1\r\n" HEAD JSON "Transfer-Encoding: chunked\r\n\r\n";
	bool goes_on = help_web_send(fd, head, sizeof(head) - 1);

	size_t len = (size_t)snprintf(chunk, sizeof(chunk), "fa0\r\n");
	memset(chunk + len, ' ', 4000);
	memcpy(chunk + len + 4000, "\r\n", 2);
	for (unsigned i = 0; i < 20000 && goes_on; i++) /* 80 MB */
		goes_on = help_web_send(fd, chunk, len + 4002);
	CU_ASSERT_FALSE(goes_on);
	close(fd);
	it_still_answers();
}

static void a_body_where_none_belongs_is_refused(void)
{
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/status", JSON, "{}"), 400);
	CU_ASSERT_EQUAL(help_web_status("DELETE", "/api/v1/session", NULL, "x"), 400);
}

static void json_that_is_none_is_400_and_says_where(void)
{
	static const char *const bad[] = { "{",
					   "[]",
					   "\"token\"",
					   "{\"token\":1}",
					   "{\"token\":\"a\",\"token\":\"b\"}",
					   "{\"token\":\"\\u0000\"}",
					   "{\"token\":\"a.b\",\"more\":1}",
					   "nul",
					   "{\"token\":\"\xff\"}" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CU_ASSERT_EQUAL(help_web_status("POST", "/api/v1/session", JSON, bad[i]), 400);
	char deep[1024];
	memset(deep, '[', 1000);
	deep[1000] = '\0';
	struct help_reply reply = help_web_ask("POST", "/api/v1/session", JSON, deep);
	CU_ASSERT_EQUAL(reply.status, 400);
	CU_ASSERT_PTR_NOT_NULL(strstr(help_reply_text(&reply, "detail"), "line 1"));
	help_reply_drop(&reply);
}

/* Seconds until the other side closes; @every_ms apart one octet is sent. */
static double seconds_until_cut(int fd, const char *octet, int every_ms)
{
	struct timespec began, now;
	char drop[4096];

	clock_gettime(CLOCK_MONOTONIC, &began);
	for (;;) {
		struct pollfd poller = { .fd = fd, .events = POLLIN };
		if (poll(&poller, 1, every_ms) > 0 && recv(fd, drop, sizeof(drop), 0) <= 0)
			break;
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (now.tv_sec - began.tv_sec > 30 || !help_web_send(fd, octet, strlen(octet)))
			break;
	}
	clock_gettime(CLOCK_MONOTONIC, &now);
	close(fd);
	return (double)(now.tv_sec - began.tv_sec) + (double)(now.tv_nsec - began.tv_nsec) / 1e9;
}

static void slow_clients_are_let_go(void)
{
	const char head[] = "GET /livez HTTP/1.1\r\n" HEAD "X: ";
	const char body[] = "POST /api/v1/session HTTP/1.1\r\n" HEAD JSON "Content-Length: 500\r\n\r\n";

	help_web.conf.timeout_s = 1;
	help_web_restart();
	int fd = help_web_connect();
	CU_ASSERT(help_web_send(fd, head, sizeof(head) - 1));
	CU_ASSERT(seconds_until_cut(fd, "a", 200) < 8);
	fd = help_web_connect();
	CU_ASSERT(help_web_send(fd, body, sizeof(body) - 1));
	CU_ASSERT(seconds_until_cut(fd, " ", 200) < 8);
	/* Nothing at all. */
	CU_ASSERT(seconds_until_cut(help_web_connect(), "", 200) < 8);
	it_still_answers();
}

static void one_address_cannot_take_all_connections(void)
{
	int fd[200];

	help_web.conf.connections_per_address = 16;
	help_web_restart();
	for (unsigned i = 0; i < 200; i++)
		fd[i] = help_web_connect();
	CU_ASSERT_EQUAL(help_web_status_local("GET", "/livez", NULL, NULL), 200);
	for (unsigned i = 0; i < 200; i++)
		if (fd[i] >= 0)
			close(fd[i]);
	answers_again_within(50);
}

static void a_script_in_a_name_comes_out_as_json_alone(void)
{
	const char *name = "<script>alert(1)</script>";

	pthread_mutex_lock(&help_web.agent->lock);
	help_web.agent->peer[1].name = help_web_name(name);
	pthread_mutex_unlock(&help_web.agent->lock);
	struct help_reply reply = help_web_ask("GET", "/api/v1/peers", NULL, NULL);
	CU_ASSERT(help_reply_has(&reply, "Content-Type", "application/json"));
	CU_ASSERT(help_reply_has(&reply, "X-Content-Type-Options", "nosniff"));
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "peers/1/peer"), name);
	help_reply_drop(&reply);
	reply = help_web_ask("GET", "/api/v1/pools/%3Cscript%3E", NULL, NULL);
	CU_ASSERT_EQUAL(reply.status, 404);
	CU_ASSERT(help_reply_has(&reply, "Content-Type", "application/problem+json"));
	help_reply_drop(&reply);
}

static void a_quote_in_a_name_stays_in_its_label(void)
{
	pthread_mutex_lock(&help_web.agent->lock);
	help_web.agent->peer[1].name = help_web_name("a\"}1\\");
	pthread_mutex_unlock(&help_web.agent->lock);
	struct help_reply reply = help_web_ask("GET", "/metrics", NULL, NULL);
	CU_ASSERT_PTR_NOT_NULL(strstr(reply.body, "doic_node_state{peer=\"a\\\"}1\\\\\",state=\"up\"} 0\n"));
	help_reply_drop(&reply);
}

/* How many decisions a page of them has; -1 no page. */
static int decisions_told(const char *question)
{
	char target[512];

	snprintf(target, sizeof(target), "/api/v1/decisions%s", question);
	struct help_reply reply = help_web_ask("GET", target, NULL, NULL);
	int told = reply.status == 200 ? (int)json_array_size(json_object_get(reply.json, "decisions")) : -1;
	help_reply_drop(&reply);
	return told;
}

/* A statement in every parameter, and every part of a path. */
static void sql_in_every_parameter_is_only_text(void)
{
	static const char sql[] = "%27%3BDROP+TABLE+decisions%3B--";
	const struct help_story story = { .requests = 3000 };
	struct help_segment segment;
	char target[512];

	CU_ASSERT_TRUE_FATAL(help_segment_new(&segment));
	CU_ASSERT_TRUE(help_segment_tell(&segment, &story, false));
	help_segment_close(&segment);
	snprintf(help_web.conf.folder, sizeof(help_web.conf.folder), "%s", segment.folder);
	help_web_restart();
	CU_ASSERT_EQUAL(decisions_told(""), 100);
	for (const struct oweb_route *route = oweb_routes; route->method != NULL; route++) {
		if (strcmp(route->method, "GET") != 0 || strcmp(route->pattern, "/api/v1/events") == 0)
			continue;
		for (const struct oweb_param *param = route->params; param != NULL && param->name != NULL;
		     param++) {
			snprintf(target, sizeof(target), "%s?%s=%s", route->pattern, param->name, sql);
			struct help_reply reply = help_web_ask("GET", target, NULL, NULL);
			CU_ASSERT(reply.status >= 200 && reply.status < 500);
			CU_ASSERT_PTR_NULL(strstr(reply.body, "syntax"));
			help_reply_drop(&reply);
		}
		size_t used = 0;
		for (const char *at = route->pattern; *at != '\0' && used + sizeof(sql) < sizeof(target);
		     at++) {
			if (*at == '{') {
				used += (size_t)snprintf(target + used, sizeof(target) - used, "%s", sql);
				at = strchr(at, '}');
			} else
				target[used++] = *at;
		}
		target[used] = '\0';
		int status = help_web_status("GET", target, NULL, NULL);
		CU_ASSERT(status >= 200 && (status < 500 || status == 501));
	}
	/* names that are statements are names nobody has, and the tables stand */
	static const char *const names[] = { "origin_host", "origin_realm", "dest_host", "dest_realm",
					     "client",	    "next_hop",	    "run" };
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(target, sizeof(target), "?%s=%s", names[i], sql);
		CU_ASSERT_EQUAL(decisions_told(target), 0);
		snprintf(target, sizeof(target), "?%s=x%%27+OR+%%271%%27%%3D%%271", names[i]);
		CU_ASSERT_EQUAL(decisions_told(target), 0);
	}
	CU_ASSERT_EQUAL(decisions_told(""), 100);
	help_web_stop();
	help_segment_remove(&segment);
}

static void headers_cannot_be_split_by_what_is_asked(void)
{
	struct help_reply reply =
		help_web_ask("GET", "/api/v1/ocs/%0d%0aSet-Cookie:%20a=b?names=%0d%0aX-Bad:%201", NULL, NULL);

	CU_ASSERT_EQUAL(reply.status, 400);
	CU_ASSERT_FALSE(help_reply_has(&reply, "Set-Cookie", NULL));
	CU_ASSERT_FALSE(help_reply_has(&reply, "X-Bad", NULL));
	help_reply_drop(&reply);
}

static void requests_in_a_row_are_answered_in_a_row(void)
{
	char request[1024];

	snprintf(request, sizeof(request),
		 "GET /livez HTTP/1.1\r\n" HEAD "\r\nGET /nothing HTTP/1.1\r\n" HEAD
		 "\r\nGET /livez HTTP/1.1\r\n" HEAD "Connection: close\r\n\r\n");
	struct help_reply reply = help_web_raw(request);
	unsigned replies = 0;
	for (const char *at = reply.text; (at = strstr(at, "HTTP/1.1 ")) != NULL; at++)
		replies++;
	CU_ASSERT_EQUAL(replies, 3);
	help_reply_drop(&reply);
}

void test_oweb_hostile_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oweb_hostile", NULL, NULL, help_web_set_up,
							       help_web_tear_down);

	CU_add_test(suite, "path traversal is refused", path_traversal_is_refused);
	CU_add_test(suite, "two answers to where a message ends are refused",
		    two_answers_to_where_a_message_ends_are_refused);
	CU_add_test(suite, "a chunk that is none ends the connection",
		    a_chunk_that_is_none_ends_the_connection);
	CU_add_test(suite, "a chunked body is read whole", a_chunked_body_is_read_whole);
	CU_add_test(suite, "lines that are no HTTP are refused", lines_that_are_no_http_are_refused);
	CU_add_test(suite, "a head that is too large is refused", a_head_that_is_too_large_is_refused);
	CU_add_test(suite, "a query of many parameters has a reply", a_query_of_many_parameters_has_a_reply);
	CU_add_test(suite, "a body that is too large is 413", a_body_that_is_too_large_is_413);
	CU_add_test(suite, "a body without end is cut", a_body_without_end_is_cut);
	CU_add_test(suite, "a body where none belongs is refused", a_body_where_none_belongs_is_refused);
	CU_add_test(suite, "JSON that is none is 400 and says where",
		    json_that_is_none_is_400_and_says_where);
	CU_add_test(suite, "slow clients are let go", slow_clients_are_let_go);
	CU_add_test(suite, "one address cannot take all connections",
		    one_address_cannot_take_all_connections);
	CU_add_test(suite, "a script in a name comes out as JSON alone",
		    a_script_in_a_name_comes_out_as_json_alone);
	CU_add_test(suite, "a quote in a name stays in its label", a_quote_in_a_name_stays_in_its_label);
	CU_add_test(suite, "SQL in every parameter is only text", sql_in_every_parameter_is_only_text);
	CU_add_test(suite, "headers cannot be split by what is asked",
		    headers_cannot_be_split_by_what_is_asked);
	CU_add_test(suite, "requests in a row are answered in a row",
		    requests_in_a_row_are_answered_in_a_row);
}
