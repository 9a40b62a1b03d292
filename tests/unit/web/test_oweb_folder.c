/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the server of a finished folder, where no agent runs.
 */
#include <CUnit/Basic.h>
#include <string.h>

#include "evidence/oev_clock.h"
#include "help_web.h"
#include "web/oweb_route.h"

void test_oweb_folder_suite(void);

#define JSON "Content-Type: application/json\r\n"

static void set_up(void)
{
	help_web_set_up();
	help_web_restart_without_agent();
}

static void it_shows_what_was_and_claims_nothing_else(void)
{
	struct help_reply reply = help_web_ask("GET", "/api/v1/status", NULL, NULL);

	CU_ASSERT_EQUAL(reply.status, 200);
	CU_ASSERT_PTR_NOT_NULL(json_object_get(reply.json, "nodes"));
	CU_ASSERT_PTR_NULL(json_object_get(reply.json, "peers"));
	CU_ASSERT_PTR_NULL(json_object_get(reply.json, "totals"));
	help_reply_drop(&reply);
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/series?window=5", NULL, NULL), 200);
	reply = help_web_ask("GET", "/metrics", NULL, NULL);
	CU_ASSERT_EQUAL(reply.status, 200);
	CU_ASSERT_PTR_NULL(strstr(reply.body, "doic_requests_total"));
	CU_ASSERT_PTR_NULL(strstr(reply.body, "doic_policy_version"));
	help_reply_drop(&reply);
}

static void what_only_an_agent_knows_is_501(void)
{
	static const char *const targets[] = { "/api/v1/ocs",	  "/api/v1/ocs/41",
					       "/api/v1/reports", "/api/v1/peers",
					       "/api/v1/pools",	  "/api/v1/pools/neighbours",
					       "/api/v1/policy",  "/api/v1/pools/neighbours/nodes/a" };

	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
		struct help_reply reply = help_web_ask("GET", targets[i], NULL, NULL);
		CU_ASSERT_EQUAL(reply.status, 501);
		CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "type"), "/problems/not-served");
		help_reply_drop(&reply);
	}
}

static void nothing_can_be_changed(void)
{
	CU_ASSERT_EQUAL(help_web_status_local("POST", "/api/v1/policy/reload", NULL, NULL), 501);
	CU_ASSERT_EQUAL(help_web_status_local("PUT", "/api/v1/policy", JSON "If-Match: *\r\n",
					      "{\"text\":\"\",\"reason\":\"x\"}"),
			501);
	CU_ASSERT_EQUAL(help_web_status_local("POST", "/api/v1/pools/neighbours/nodes/a:out", JSON,
					      "{\"reason\":\"x\"}"),
			501);
	struct help_reply reply =
		help_web_ask_local("POST", "/api/v1/evidence/counters?source=a.csv&reason=x",
				   "Content-Type: text/csv\r\n", "time,node,app,requests\n");
	CU_ASSERT_EQUAL(reply.status, 501);
	CU_ASSERT_PTR_NOT_NULL(strstr(help_reply_text(&reply, "try"), "doic import-counters"));
	help_reply_drop(&reply);
	CU_ASSERT_EQUAL(help_web_status("GET", "/api/v1/status", help_web_bearer("a.b"), NULL), 401);
	CU_ASSERT_EQUAL(help_web.agent->writes + help_web.agent->acts, 0);
}

static void it_is_ready(void)
{
	struct help_reply reply = help_web_ask("GET", "/readyz?verbose", NULL, NULL);

	CU_ASSERT_EQUAL(reply.status, 200);
	CU_ASSERT_PTR_NOT_NULL(strstr(reply.body, "no agent runs"));
	help_reply_drop(&reply);
}

static void its_page_says_that_no_agent_runs(void)
{
	struct help_reply reply = help_web_ask("GET", "/", NULL, NULL);

	CU_ASSERT_EQUAL(reply.status, 200);
	CU_ASSERT_PTR_NOT_NULL(strstr(reply.body, "<p>No agent runs here"));
	help_reply_drop(&reply);
}

void test_oweb_folder_suite(void)
{
	CU_pSuite suite =
		CU_add_suite_with_setup_and_teardown("oweb_folder", NULL, NULL, set_up, help_web_tear_down);

	CU_add_test(suite, "it shows what was, and claims nothing else",
		    it_shows_what_was_and_claims_nothing_else);
	CU_add_test(suite, "what only an agent knows is 501", what_only_an_agent_knows_is_501);
	CU_add_test(suite, "nothing can be changed", nothing_can_be_changed);
	CU_add_test(suite, "it is ready", it_is_ready);
	CU_add_test(suite, "its page says that no agent runs", its_page_says_that_no_agent_runs);
}
