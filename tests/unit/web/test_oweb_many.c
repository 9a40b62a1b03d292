/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Test of far more connections than the server takes: 2,000, or as many as DOIC_WEB_CONNECTIONS says (tests/integration/web_many_test.sh).
 */
#include <CUnit/Basic.h>
#include <arpa/inet.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "evidence/oev_clock.h"
#include "help_web.h"
#include "web/oweb_inner.h"

void test_oweb_many_suite(void);

/* A connection that is begun, and not waited for. */
static int begin_connection(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)help_web.port) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd >= 0)
		(void)!connect(fd, (struct sockaddr *)&address, sizeof(address));
	return fd;
}

/* DOIC_WEB_CONNECTIONS: how many; 2,000 when it is not set. */
static void many_connections_do_no_harm(void)
{
	const char *wanted = getenv("DOIC_WEB_CONNECTIONS");
	unsigned many = wanted == NULL ? 2000 : (unsigned)strtoul(wanted, NULL, 10), begun = 0;
	int *fd = calloc(many, sizeof(*fd));
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	help_web.conf.connections_per_address = 100000;
	help_web.conf.timeout_s = 2;
	help_web_restart();
	for (unsigned i = 0; i < many; i++) {
		fd[i] = begin_connection();
		begun += fd[i] >= 0;
	}
	CU_ASSERT_EQUAL(begun, many);
	CU_ASSERT(oweb_links_count(help_web.server->links) <= 256 + 64);
	/* Those beyond the limit wait in the system's queue; who has the UNIX socket is not among them. */
	for (unsigned i = 0; i < 20; i++) {
		uint64_t began_ns = oev_clock_mono_ns();
		CU_ASSERT_EQUAL(help_web_status_local("GET", "/api/v1/status", NULL, NULL), 200);
		CU_ASSERT(oev_clock_mono_ns() - began_ns < 1000000000ull);
	}
	for (unsigned i = 0; i < many; i++)
		if (fd[i] >= 0)
			close(fd[i]);
	free(fd);
	for (unsigned i = 0; i < 200 && help_web_status("GET", "/livez", NULL, NULL) != 200; i++)
		usleep(100000);
	CU_ASSERT_EQUAL(help_web_status("GET", "/livez", NULL, NULL), 200);
}

void test_oweb_many_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oweb_many", NULL, NULL, help_web_set_up,
							       help_web_tear_down);

	CU_add_test(suite, "many connections do no harm", many_connections_do_no_harm);
}
