/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the names the server answers to.
 */
#include <CUnit/Basic.h>
#include <stdio.h>
#include <string.h>

#include "help_web.h"

void test_oweb_host_suite(void);

static void a_foreign_host_name_is_refused(void)
{
	static const struct {
		const char *host;
		int status;
	} hosts[] = { { "evil.example", 421 },
		      { "127.0.0.1.evil.example", 421 },
		      { "localhost", 200 },
		      { "LOCALHOST:80", 200 },
		      { "[::1]:8810", 200 },
		      { "127.0.0.53", 200 },
		      { "dra-01.example:1", 200 },
		      { "10.0.0.1", 421 },
		      { "ops.example", 421 },
		      { "localhost:x", 421 },
		      { "[::1", 421 },
		      { "a@localhost", 421 } };
	char request[256];

	for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
		snprintf(request, sizeof(request),
			 "GET /api/v1/peers HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n",
			 hosts[i].host);
		struct help_reply reply = help_web_raw(request);
		CU_ASSERT_EQUAL(reply.status, hosts[i].status);
		help_reply_drop(&reply);
	}
	struct help_reply reply = help_web_raw("GET /livez HTTP/1.0\r\n\r\n");
	CU_ASSERT_EQUAL(reply.status, 400);
	help_reply_drop(&reply);
}

static void a_configured_host_name_is_served(void)
{
	snprintf(help_web.conf.names, sizeof(help_web.conf.names), "dra.example ops.example");
	help_web_restart();
	struct help_reply reply =
		help_web_raw("GET /livez HTTP/1.1\r\nHost: ops.example:8810\r\nConnection: close\r\n\r\n");
	CU_ASSERT_EQUAL(reply.status, 200);
	help_reply_drop(&reply);
	reply = help_web_raw("GET /livez HTTP/1.1\r\nHost: ops\r\nConnection: close\r\n\r\n");
	CU_ASSERT_EQUAL(reply.status, 421);
	help_reply_drop(&reply);
}

void test_oweb_host_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oweb_host", NULL, NULL, help_web_set_up,
							       help_web_tear_down);

	CU_add_test(suite, "a foreign host name is refused", a_foreign_host_name_is_refused);
	CU_add_test(suite, "a configured host name is served", a_configured_host_name_is_served);
}
