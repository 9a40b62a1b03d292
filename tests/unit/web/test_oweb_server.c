/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of starting, listening and stopping.
 */
#include <CUnit/Basic.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "help_web.h"
#include "web/oweb_listen.h"

static void it_answers_over_tcp_and_the_unix_socket(void)
{
	CU_ASSERT_EQUAL(help_web_status("GET", "/livez", NULL, NULL), 200);
	CU_ASSERT_EQUAL(help_web_status_local("GET", "/livez", NULL, NULL), 200);
}

static void only_its_owner_may_open_the_unix_socket(void)
{
	struct stat info;

	CU_ASSERT_EQUAL_FATAL(stat(help_web.conf.socket_path, &info), 0);
	CU_ASSERT(S_ISSOCK(info.st_mode));
	CU_ASSERT_EQUAL(info.st_mode & 0777, 0600);
}

static void addresses_are_read_with_brackets_for_ipv6(void)
{
	struct oweb_address address;
	char error[OWEB_ERROR_MAX];

	CU_ASSERT_EQUAL(oweb_bind_parse("[::1]:8810", &address, error), OC_OK);
	CU_ASSERT(address.is_loopback);
	CU_ASSERT_EQUAL(address.port, 8810);
	CU_ASSERT_EQUAL(oweb_bind_parse("0.0.0.0:0", &address, error), OC_OK);
	CU_ASSERT_FALSE(address.is_loopback);
	CU_ASSERT_EQUAL(oweb_bind_parse("localhost:1", &address, error), OC_OK);
	CU_ASSERT_EQUAL(oweb_bind_parse("::1:8810", &address, error), OC_EINVAL);
	CU_ASSERT_EQUAL(oweb_bind_parse("[::1]", &address, error), OC_EINVAL);
	CU_ASSERT_EQUAL(oweb_bind_parse("[:8810", &address, error), OC_EINVAL);
	CU_ASSERT_EQUAL(oweb_bind_parse("127.0.0.1:65536", &address, error), OC_EINVAL);
	CU_ASSERT_EQUAL(oweb_bind_parse("127.0.0.1", &address, error), OC_EINVAL);
	CU_ASSERT_EQUAL(oweb_bind_parse("example.org:80", &address, error), OC_EINVAL);
}

static int try_start(const struct oweb_conf *conf, char error[static OWEB_ERROR_MAX])
{
	struct oweb_server *server = NULL;
	int rc = oweb_server_start(&server, conf, &help_web.agent->node, NULL, NULL, NULL, error);

	oweb_server_stop(server);
	return rc;
}

static void a_taken_address_is_busy(void)
{
	struct oweb_conf conf = { 0 };
	char error[OWEB_ERROR_MAX] = "";

	snprintf(conf.bind, sizeof(conf.bind), "127.0.0.1:%u", help_web.port);
	CU_ASSERT_EQUAL(try_start(&conf, error), OC_EBUSY);
	CU_ASSERT(strlen(error) > 0);
}

static void a_socket_somebody_answers_at_is_not_replaced(void)
{
	struct oweb_conf conf = { 0 };
	char error[OWEB_ERROR_MAX] = "";

	snprintf(conf.socket_path, sizeof(conf.socket_path), "%s", help_web.conf.socket_path);
	CU_ASSERT_EQUAL(try_start(&conf, error), OC_EBUSY);
	CU_ASSERT_EQUAL(help_web_status_local("GET", "/livez", NULL, NULL), 200);
}

static void a_socket_left_behind_is_replaced(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(help_web.conf.socket_path, sizeof(help_web.conf.socket_path), "%s/left.sock",
		 help_web.folder);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", help_web.conf.socket_path);
	CU_ASSERT_EQUAL_FATAL(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	close(fd);
	help_web_restart();
	CU_ASSERT_EQUAL(help_web_status_local("GET", "/livez", NULL, NULL), 200);
}

static void a_file_in_the_way_stays(void)
{
	struct oweb_conf conf = { 0 };
	char error[OWEB_ERROR_MAX] = "";
	struct stat info;

	snprintf(conf.socket_path, sizeof(conf.socket_path), "%s/tokens", help_web.folder);
	CU_ASSERT_EQUAL(try_start(&conf, error), OC_EBUSY);
	CU_ASSERT_EQUAL(stat(conf.socket_path, &info), 0);
}

static void the_socket_is_gone_after_the_stop(void)
{
	struct stat info;

	help_web_stop();
	CU_ASSERT_NOT_EQUAL(stat(help_web.conf.socket_path, &info), 0);
}

static void others_reach_it_only_with_tls_or_tokens(void)
{
	struct oweb_conf conf = { .bind = "0.0.0.0:0" };
	char error[OWEB_ERROR_MAX] = "";

	CU_ASSERT_EQUAL(try_start(&conf, error), OC_EINVAL);
	CU_ASSERT_PTR_NOT_NULL(strstr(error, "TLS or tokens"));
	snprintf(help_web.conf.bind, sizeof(help_web.conf.bind), "0.0.0.0:0");
	help_web_restart();
	CU_ASSERT_PTR_NOT_NULL(strstr(help_web.log, "without TLS"));
	CU_ASSERT_EQUAL(help_web_status("GET", "/livez", NULL, NULL), 200);
}

static void half_a_key_pair_is_refused(void)
{
	struct oweb_conf conf = { .bind = "127.0.0.1:0", .tls_cert = "/nowhere/cert.pem" };
	char error[OWEB_ERROR_MAX] = "";

	CU_ASSERT_EQUAL(try_start(&conf, error), OC_EINVAL);
	snprintf(conf.tls_key, sizeof(conf.tls_key), "/nowhere/key.pem");
	CU_ASSERT_EQUAL(try_start(&conf, error), OC_EIO);
}

/* Whether a client that knows this version alone gets a reply. */
static bool speaks_version(const char *version)
{
	char command[600];

	snprintf(command, sizeof(command),
		 "printf 'GET /livez HTTP/1.1\\r\\nHost: 127.0.0.1:%u\\r\\nConnection: close\\r\\n\\r\\n' | "
		 "timeout 20 gnutls-cli --priority NORMAL:-VERS-ALL:+VERS-%s --x509cafile %s/cert.pem -p %u "
		 "127.0.0.1 "
		 "2>/dev/null | grep -q '200 OK'",
		 help_web.port, version, help_web.folder, help_web.port);
	return system(command) == 0;
}

static void it_speaks_tls_when_it_has_a_certificate(void)
{
	char command[1200];

	snprintf(command, sizeof(command),
		 "cd %s && { certtool --generate-privkey --key-type ed25519 --outfile key.pem && "
		 "echo 'cn = localhost\nip_address = 127.0.0.1\nexpiration_days = 1\ntls_www_server' >t && "
		 "certtool --generate-self-signed --load-privkey key.pem --template t --outfile cert.pem; } "
		 ">log 2>&1",
		 help_web.folder);
	CU_ASSERT_EQUAL_FATAL(system(command), 0); /* certtool is of package gnutls-bin */
	snprintf(help_web.conf.tls_cert, sizeof(help_web.conf.tls_cert), "%s/cert.pem", help_web.folder);
	snprintf(help_web.conf.tls_key, sizeof(help_web.conf.tls_key), "%s/key.pem", help_web.folder);
	help_web_restart();
	snprintf(command, sizeof(command),
		 "printf 'GET /livez HTTP/1.1\\r\\nHost: 127.0.0.1:%u\\r\\nConnection: close\\r\\n\\r\\n' | "
		 "timeout 20 gnutls-cli --x509cafile %s/cert.pem -p %u 127.0.0.1 2>/dev/null | grep -q '200 "
		 "OK'",
		 help_web.port, help_web.folder, help_web.port);
	CU_ASSERT_EQUAL(system(command), 0);
	CU_ASSERT_PTR_NULL(strstr(help_web.log, "key of the certificate"));
	CU_ASSERT_TRUE(speaks_version("TLS1.3"));
	CU_ASSERT_TRUE(speaks_version("TLS1.2"));
	CU_ASSERT_FALSE(speaks_version("TLS1.1"));
	CU_ASSERT_FALSE(speaks_version("TLS1.0"));
	/* The session's cookie is for TLS alone then. */
	snprintf(command, sizeof(command),
		 "B='{\"token\":\"%s\"}'; { printf 'POST /api/v1/session HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n"
		 "Connection: close\\r\\nContent-Type: application/json\\r\\nContent-Length: "
		 "%%d\\r\\n\\r\\n%%s' ${#B} \"$B\"; } | "
		 "timeout 20 gnutls-cli --x509cafile %s/cert.pem -p %u 127.0.0.1 2>/dev/null | "
		 "grep -q 'Set-Cookie: __Host-doic_session=.*; Path=/; HttpOnly; SameSite=Strict; Secure'",
		 help_web.observer, help_web.folder, help_web.port);
	CU_ASSERT_EQUAL(system(command), 0);
	struct help_reply reply = help_web_raw("GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
	CU_ASSERT_NOT_EQUAL(reply.status, 200);
	help_reply_drop(&reply);
	CU_ASSERT_EQUAL(chmod(help_web.conf.tls_key, 0644), 0);
	help_web_restart();
	CU_ASSERT_PTR_NOT_NULL(strstr(help_web.log, "key of the certificate"));
}

void test_oweb_server_suite(void);
static unsigned count_descriptors(void)
{
	unsigned count = 0;

	for (int fd = 0; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

static void a_key_of_another_certificate_is_refused_and_nothing_is_left_open(void)
{
	struct oweb_conf conf = { .bind = "127.0.0.1:0" };
	char error[OWEB_ERROR_MAX] = "";
	FILE *file;

	snprintf(conf.tls_cert, sizeof(conf.tls_cert), "%s/nonsense.pem", help_web.folder);
	snprintf(conf.tls_key, sizeof(conf.tls_key), "%s/nonsense.pem", help_web.folder);
	file = fopen(conf.tls_cert, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fputs("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", file);
	fclose(file);
	unsigned before = count_descriptors();
	CU_ASSERT_EQUAL(try_start(&conf, error), OC_EIO);
	CU_ASSERT_PTR_NOT_NULL(strstr(error, "certificate"));
	CU_ASSERT_EQUAL(count_descriptors(), before);
}

/* Counted when no client is there: the library closes a connection a moment after its client did. */
static void starting_and_stopping_leaves_nothing_open(void)
{
	help_web_restart();
	unsigned before = count_descriptors();

	for (unsigned i = 0; i < 5; i++) {
		CU_ASSERT_EQUAL(help_web_status("GET", "/livez", NULL, NULL), 200);
		help_web_restart();
	}
	CU_ASSERT_EQUAL(count_descriptors(), before);
}

void test_oweb_server_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oweb_server", NULL, NULL, help_web_set_up,
							       help_web_tear_down);

	CU_add_test(suite, "it answers over TCP and the UNIX socket",
		    it_answers_over_tcp_and_the_unix_socket);
	CU_add_test(suite, "only its owner may open the UNIX socket",
		    only_its_owner_may_open_the_unix_socket);
	CU_add_test(suite, "addresses are read, with brackets for IPv6",
		    addresses_are_read_with_brackets_for_ipv6);
	CU_add_test(suite, "a taken address is busy", a_taken_address_is_busy);
	CU_add_test(suite, "a socket somebody answers at is not replaced",
		    a_socket_somebody_answers_at_is_not_replaced);
	CU_add_test(suite, "a socket left behind is replaced", a_socket_left_behind_is_replaced);
	CU_add_test(suite, "a file in the way stays", a_file_in_the_way_stays);
	CU_add_test(suite, "the socket is gone after the stop", the_socket_is_gone_after_the_stop);
	CU_add_test(suite, "others reach it only with TLS or tokens",
		    others_reach_it_only_with_tls_or_tokens);
	CU_add_test(suite, "half a key pair is refused", half_a_key_pair_is_refused);
	CU_add_test(suite, "a key of another certificate is refused, and nothing is left open",
		    a_key_of_another_certificate_is_refused_and_nothing_is_left_open);
	CU_add_test(suite, "starting and stopping leaves nothing open",
		    starting_and_stopping_leaves_nothing_open);
	CU_add_test(suite, "it speaks TLS when it has a certificate",
		    it_speaks_tls_when_it_has_a_certificate);
}
