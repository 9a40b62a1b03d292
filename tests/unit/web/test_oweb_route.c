/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the table of routes and of finding a row in it.
 */
#include <CUnit/Basic.h>
#include <string.h>

#include "help_web.h"
#include "web/oweb_route.h"

void test_oweb_route_suite(void);

static void a_pattern_takes_its_parts(void)
{
	struct oweb_part part[OWEB_PARTS_MAX];
	uint32_t count;
	const char *pattern = "/pools/{pool}/nodes/{node}:out";

	CU_ASSERT(oweb_route_fits(pattern, "/pools/a/nodes/b.example:out", part, &count));
	CU_ASSERT_EQUAL(count, 2);
	CU_ASSERT_STRING_EQUAL(part[0].name, "pool");
	CU_ASSERT_STRING_EQUAL(part[1].value, "b.example");
	CU_ASSERT_FALSE(oweb_route_fits(pattern, "/pools/a/nodes/b.example:in", part, &count));
	CU_ASSERT_FALSE(oweb_route_fits(pattern, "/pools/a/nodes/:out", part, &count));
	CU_ASSERT_FALSE(oweb_route_fits(pattern, "/pools/a/nodes/b:out/c", part, &count));
	CU_ASSERT_FALSE(oweb_route_fits("/pools/{pool}", "/pools/a:out", part, &count));
	CU_ASSERT_FALSE(oweb_route_fits("/pools/{pool}", "/pools", part, &count));
	CU_ASSERT_FALSE(oweb_route_fits("/pools", "/pools/a", part, &count));
}

/* Jobs only read, candidates are only looked at, and a session is one's own; whose job may be stopped is the handler's to know. Whatever
 * is added to the table belongs here or needs a role. */
static bool changes_nothing(const struct oweb_route *route)
{
	static const char *const rows[][2] = {
		{ "POST", "/api/v1/session" },	       { "DELETE", "/api/v1/session" },
		{ "POST", "/api/v1/policy/check" },    { "POST", "/api/v1/policy/whatif" },
		{ "POST", "/api/v1/evidence/verify" }, { "POST", "/api/v1/evidence/audit" },
		{ "DELETE", "/api/v1/jobs/{job}" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strcmp(rows[i][0], route->method) == 0 && strcmp(rows[i][1], route->pattern) == 0)
			return true;
	return false;
}

static void every_row_is_complete(void)
{
	for (const struct oweb_route *route = oweb_routes; route->method != NULL; route++) {
		CU_ASSERT(route->handler != NULL && route->summary != NULL && route->pattern[0] == '/');
		bool is_read = strcmp(route->method, "GET") == 0;
		bool has_body = route->flags & (OWEB_TAKES_JSON | OWEB_TAKES_YAML);
		CU_ASSERT_FALSE(is_read && has_body);
		bool is_known = is_read || route->role == OWEB_ROLE_ADMINISTRATOR || changes_nothing(route);
		CU_ASSERT(is_known);
		if (!is_known)
			printf("\n    %s %s\n", route->method, route->pattern);
	}
}

static void an_unknown_path_is_404(void)
{
	struct help_reply reply = help_web_ask("GET", "/api/v1/nothing", NULL, NULL);

	CU_ASSERT_EQUAL(reply.status, 404);
	CU_ASSERT(help_reply_has(&reply, "Content-Type", "application/problem+json"));
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "instance"), "/api/v1/nothing");
	CU_ASSERT(help_reply_text(&reply, "try")[0] != '\0');
	help_reply_drop(&reply);
}

static void a_known_path_with_another_method_is_405_and_says_which(void)
{
	struct help_reply reply = help_web_ask("DELETE", "/api/v1/policy", NULL, NULL);

	CU_ASSERT_EQUAL(reply.status, 405);
	CU_ASSERT(help_reply_has(&reply, "Allow", "GET, HEAD, PUT, OPTIONS"));
	help_reply_drop(&reply);
	CU_ASSERT_EQUAL(help_web_status("BREW", "/livez", NULL, NULL), 405);
}

/* The path of a row, its parts filled with something. */
static void path_of(const struct oweb_route *route, char *out, size_t size)
{
	size_t used = 0;

	for (const char *at = route->pattern; *at != '\0' && used + 16 < size; at++) {
		if (*at != '{') {
			out[used++] = *at;
			continue;
		}
		used += (size_t)snprintf(out + used, size - used, "x1");
		at = strchr(at, '}');
	}
	out[used] = '\0';
}

static bool has_get(const char *pattern)
{
	for (const struct oweb_route *route = oweb_routes; route->method != NULL; route++)
		if (strcmp(route->method, "GET") == 0 && strcmp(route->pattern, pattern) == 0)
			return true;
	return false;
}

static void get_on_a_path_that_changes_is_405_and_changes_nothing(void)
{
	char path[256];
	int is_405 = 0;

	for (const struct oweb_route *route = oweb_routes; route->method != NULL; route++) {
		if (strcmp(route->method, "GET") == 0 || has_get(route->pattern))
			continue;
		path_of(route, path, sizeof(path));
		const char *bearer = help_web_bearer(help_web.administrator);
		/* where /evidence/{list} is read, GET of /evidence/verify asks for a list of that name */
		int got = help_web_status("GET", path, bearer, NULL);
		CU_ASSERT(got == 405 || got == 404 || got == 501);
		CU_ASSERT_EQUAL(help_web_status("HEAD", path, bearer, NULL), got);
		is_405 += got == 405;
	}
	CU_ASSERT(is_405 >= 6);
	CU_ASSERT_EQUAL(help_web.agent->writes, 0);
}

static void options_says_what_a_path_allows(void)
{
	struct help_reply reply = help_web_ask("OPTIONS", "/api/v1/session", NULL, NULL);

	CU_ASSERT_EQUAL(reply.status, 204);
	CU_ASSERT(help_reply_has(&reply, "Allow", "GET, HEAD, POST, DELETE, OPTIONS"));
	CU_ASSERT_FALSE(help_reply_has(&reply, "Access-Control-Allow-Origin", NULL));
	help_reply_drop(&reply);
	CU_ASSERT_EQUAL(help_web_status("OPTIONS", "*", NULL, NULL), 204);
	CU_ASSERT_EQUAL(help_web_status("OPTIONS", "/nothing", NULL, NULL), 404);
}

static void head_is_get_without_its_body(void)
{
	char path[256], type[128];

	for (const struct oweb_route *route = oweb_routes; route->method != NULL; route++) {
		if (strcmp(route->method, "GET") != 0 || strcmp(route->pattern, "/api/v1/events") == 0)
			continue;
		path_of(route, path, sizeof(path));
		struct help_reply got = help_web_ask("GET", path, NULL, NULL);
		struct help_reply head = help_web_ask("HEAD", path, NULL, NULL);
		CU_ASSERT_EQUAL(head.status, got.status);
		CU_ASSERT_EQUAL(head.body_len, 0);
		help_reply_header(&got, "Content-Type", type, sizeof(type));
		CU_ASSERT(help_reply_has(&head, "Content-Type", type));
		help_reply_drop(&got);
		help_reply_drop(&head);
	}
}

static void head_of_the_stream_ends_at_once(void)
{
	struct help_reply reply = help_web_ask("HEAD", "/api/v1/events", NULL, NULL);

	CU_ASSERT_EQUAL(reply.status, 200);
	CU_ASSERT(help_reply_has(&reply, "Content-Type", "text/event-stream; charset=utf-8"));
	CU_ASSERT_EQUAL(reply.body_len, 0);
	help_reply_drop(&reply);
}

void test_oweb_route_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oweb_route", NULL, NULL, help_web_set_up,
							       help_web_tear_down);

	CU_add_test(suite, "a pattern takes its parts", a_pattern_takes_its_parts);
	CU_add_test(suite, "every row is complete", every_row_is_complete);
	CU_add_test(suite, "an unknown path is 404", an_unknown_path_is_404);
	CU_add_test(suite, "a known path with another method is 405 and says which",
		    a_known_path_with_another_method_is_405_and_says_which);
	CU_add_test(suite, "GET on a path that changes something is 405 and changes nothing",
		    get_on_a_path_that_changes_is_405_and_changes_nothing);
	CU_add_test(suite, "OPTIONS says what a path allows", options_says_what_a_path_allows);
	CU_add_test(suite, "HEAD is GET without its body", head_is_get_without_its_body);
	CU_add_test(suite, "HEAD of the stream ends at once", head_of_the_stream_ends_at_once);
}
