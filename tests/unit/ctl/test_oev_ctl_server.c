/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the control socket with real clients, honest and otherwise.
 */
#include <CUnit/CUnit.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/ctl/oev_ctl_client.h"

#define PONG "{\"schema\":\"doic.ctl/1\",\"ok\":true}\n"
#define LARGE (4u << 20)

void test_oev_ctl_server_suite(void);

static char folder[64];
static char path[96];
static char error[256];
static struct oev_ctl_server *server;
static _Atomic uint32_t asked_by;

/* "stats" gives a reply that no socket buffer takes at once. */
static char *answer(void *ctx, const struct oev_ctl_command *command)
{
	(void)ctx;
	asked_by = command->user;
	if (command->kind != OEV_CTL_STATS)
		return oev_ctl_reply_ok();
	char *large = malloc(LARGE);
	memset(large, 'x', LARGE - 1);
	large[LARGE - 1] = '\0';
	return large;
}

static void set_up(void)
{
	snprintf(folder, sizeof(folder), "/tmp/doic-ctl-XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/sock", folder);
	server = NULL;
}

static void tear_down(void)
{
	oev_ctl_server_stop(server);
	unlink(path);
	rmdir(folder);
}

static int start(void)
{
	return oev_ctl_server_start(&server, path, answer, NULL, error, sizeof(error));
}

static int dial(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0)
		return fd;
	close(fd);
	return -1;
}

/* Reads until @size octets, the end, or two seconds of silence. */
static size_t hear(int fd, char *text, size_t size)
{
	size_t used = 0;

	while (used < size) {
		struct pollfd wait = { .fd = fd, .events = POLLIN };
		ssize_t got = poll(&wait, 1, 2000) == 1 ? recv(fd, text + used, size - used, 0) : -1;
		if (got <= 0)
			break;
		used += (size_t)got;
	}
	return used;
}

static void ask(int fd, const char *line, const char *want)
{
	char text[512] = "";
	size_t want_len = strlen(want);

	CU_ASSERT_EQUAL(send(fd, line, strlen(line), MSG_NOSIGNAL), (ssize_t)strlen(line));
	CU_ASSERT_EQUAL(hear(fd, text, want_len), want_len);
	CU_ASSERT_STRING_EQUAL(text, want);
}

static void test_lines_are_answered_in_order(void)
{
	struct stat info;

	CU_ASSERT_EQUAL_FATAL(start(), OC_OK);
	CU_ASSERT_EQUAL(stat(path, &info), 0);
	CU_ASSERT(S_ISSOCK(info.st_mode) && (info.st_mode & 0777) == 0600);
	int fd = dial();
	ask(fd, "{\"do\":\"ping\"}\n", PONG);
	ask(fd, "{\"do\":\"ping\"}\n{\"do\":\"ping\"}\n", PONG PONG);
	ask(fd, "{\"do\":", "");
	ask(fd, "\"ping\"}\n", PONG);
	ask(fd, "{}\n{\"do\":\"ping\"}\n",
	    "{\"schema\":\"doic.ctl/1\",\"ok\":false,\"error\":\"invalid\",\"message\":\"the key \\\"do\\\" "
	    "is missing, or "
	    "not a word\"}\n" PONG);
	close(fd);
}

static void test_long_lines_end_the_connection(void)
{
	char *line = malloc(OEV_CTL_LINE_MAX);
	char text[512] = "";

	CU_ASSERT_EQUAL_FATAL(start(), OC_OK);
	int fd = dial();
	memset(line, 'x', OEV_CTL_LINE_MAX);
	CU_ASSERT_EQUAL(send(fd, line, OEV_CTL_LINE_MAX, MSG_NOSIGNAL), (ssize_t)OEV_CTL_LINE_MAX);
	CU_ASSERT(hear(fd, text, sizeof(text) - 1) > 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "a line is longer than 65536 octets"));
	CU_ASSERT_EQUAL(recv(fd, text, 1, 0), 0);
	close(fd);
	memset(line, ' ', OEV_CTL_LINE_MAX - 1); /* the longest that is one */
	memcpy(line, "{\"do\":\"ping\"}", 13);
	line[OEV_CTL_LINE_MAX - 1] = '\n';
	fd = dial();
	CU_ASSERT_EQUAL(send(fd, line, OEV_CTL_LINE_MAX, MSG_NOSIGNAL), (ssize_t)OEV_CTL_LINE_MAX);
	ask(fd, "", PONG);
	close(fd);
	free(line);
}

static void test_large_replies_and_leaving_clients(void)
{
	char *text = malloc(LARGE);

	CU_ASSERT_EQUAL_FATAL(start(), OC_OK);
	int deaf = dial(), fd = dial();
	CU_ASSERT(send(deaf, "{\"do\":\"stats\"}\n", 15, 0) == 15); /* and never reads */
	CU_ASSERT(send(fd, "{\"do\":\"stats\"}\n", 15, 0) == 15);
	CU_ASSERT_EQUAL(hear(fd, text, LARGE), LARGE);
	CU_ASSERT_EQUAL(text[LARGE - 1], '\n');
	close(deaf); /* in the middle of its reply */
	ask(fd, "{\"do\":\"ping\"}\n", PONG);
	close(fd);
	free(text);
}

static void test_ninth_client_is_turned_away(void)
{
	int fds[OEV_CTL_CLIENTS_MAX + 1];
	char text[256] = "";

	CU_ASSERT_EQUAL_FATAL(start(), OC_OK);
	for (size_t i = 0; i < OEV_CTL_CLIENTS_MAX; i++) {
		fds[i] = dial();
		ask(fds[i], "{\"do\":\"ping\"}\n", PONG);
	}
	fds[OEV_CTL_CLIENTS_MAX] = dial();
	CU_ASSERT(hear(fds[OEV_CTL_CLIENTS_MAX], text, sizeof(text) - 1) > 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"error\":\"full\""));
	close(fds[0]);
	for (unsigned tries = 0; tries < 50; tries++) { /* its place is free as soon as the server looks */
		close(fds[OEV_CTL_CLIENTS_MAX]);
		fds[OEV_CTL_CLIENTS_MAX] = dial();
		memset(text, 0, sizeof(text));
		if (send(fds[OEV_CTL_CLIENTS_MAX], "{\"do\":\"ping\"}\n", 14, MSG_NOSIGNAL) == 14 &&
		    hear(fds[OEV_CTL_CLIENTS_MAX], text, sizeof(PONG) - 1) > 0 && strcmp(text, PONG) == 0)
			break;
	}
	CU_ASSERT_STRING_EQUAL(text, PONG);
	for (size_t i = 1; i <= OEV_CTL_CLIENTS_MAX; i++)
		close(fds[i]);
}

/* By the system's word, not the client's. */
static void test_who_commands_is_known(void)
{
	char text[64];

	asked_by = UINT32_MAX;
	CU_ASSERT_EQUAL_FATAL(start(), OC_OK);
	int fd = dial();
	CU_ASSERT_EQUAL(write(fd, "{\"do\":\"ping\"}\n", 14), 14);
	CU_ASSERT_EQUAL(hear(fd, text, sizeof(PONG) - 1), sizeof(PONG) - 1);
	CU_ASSERT_EQUAL(asked_by, (uint32_t)getuid());
	close(fd);
}

static void test_socket_left_behind_is_replaced(void)
{
	struct oev_ctl_server *second = NULL;
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int dead = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	CU_ASSERT_EQUAL(bind(dead, (struct sockaddr *)&address, sizeof(address)), 0);
	close(dead); /* as a killed daemon leaves it */
	CU_ASSERT_EQUAL_FATAL(start(), OC_OK);
	CU_ASSERT_EQUAL(oev_ctl_server_start(&second, path, answer, NULL, error, sizeof(error)), OC_EBUSY);
	CU_ASSERT_PTR_NOT_NULL(strstr(error, "another daemon answers there"));
	CU_ASSERT_PTR_NULL(second);
	int fd = dial(); /* the first one is unharmed */
	ask(fd, "{\"do\":\"ping\"}\n", PONG);
	close(fd);
	oev_ctl_server_stop(server);
	server = NULL;
	CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
}

/* /run is empty after each start of the machine. */
static void test_missing_folder_is_made(void)
{
	char parent[200], inner[220];

	snprintf(parent, sizeof(parent), "%s.d", path);
	snprintf(inner, sizeof(inner), "%s/sock", parent);
	CU_ASSERT_EQUAL_FATAL(oev_ctl_server_start(&server, inner, answer, NULL, error, sizeof(error)),
			      OC_OK);
	CU_ASSERT_EQUAL(access(inner, F_OK), 0);
	oev_ctl_server_stop(server);
	server = NULL;
	CU_ASSERT_EQUAL(rmdir(parent), 0);
}

static void test_other_files_stay(void)
{
	FILE *file = fopen(path, "w");

	fclose(file);
	CU_ASSERT_EQUAL(start(), OC_EBUSY);
	CU_ASSERT_EQUAL(access(path, F_OK), 0);
	unlink(path);
	CU_ASSERT_EQUAL(
		oev_ctl_server_start(&server, "/nowhere/deep/sock", answer, NULL, error, sizeof(error)),
		OC_EIO);
	CU_ASSERT_PTR_NOT_NULL(strstr(error, "No such file or directory"));
	char long_path[200];
	memset(long_path, 'p', sizeof(long_path) - 1);
	long_path[sizeof(long_path) - 1] = '\0';
	CU_ASSERT_EQUAL(oev_ctl_server_start(&server, long_path, answer, NULL, error, sizeof(error)), OC_EIO);
	CU_ASSERT_EQUAL(start(), OC_OK); /* a successor's socket is not ours to remove */
	unlink(path);
	file = fopen(path, "w");
	fclose(file);
	oev_ctl_server_stop(server);
	server = NULL;
	CU_ASSERT_EQUAL(access(path, F_OK), 0);
}

/* Without a descriptor for who knocks the server waits, and does not turn in circles; then it goes on. */
static void test_shortage_of_descriptors_is_waited_for(void)
{
	enum { FEW = 64 };
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct rlimit before, few;
	char line[64] = "";
	int spare[FEW], used = 0;

	CU_ASSERT_EQUAL_FATAL(start(), OC_OK);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	getrlimit(RLIMIT_NOFILE, &before);
	few = before;
	few.rlim_cur = FEW;
	setrlimit(RLIMIT_NOFILE, &few);
	while (used < FEW && (spare[used] = dup(fd)) >= 0)
		used++;
	CU_ASSERT_EQUAL(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	clock_t cpu = clock();
	(void)poll(NULL, 0, 500);
	CU_ASSERT(clock() - cpu < CLOCKS_PER_SEC / 50);
	while (used > 0)
		close(spare[--used]);
	setrlimit(RLIMIT_NOFILE, &before);
	CU_ASSERT(send(fd, "{\"do\":\"ping\"}\n", 14, 0) == 14);
	struct pollfd reply = { .fd = fd, .events = POLLIN };
	CU_ASSERT_EQUAL(poll(&reply, 1, 5000), 1);
	CU_ASSERT(recv(fd, line, sizeof(line) - 1, 0) > 0);
	CU_ASSERT_STRING_EQUAL(line, PONG);
	close(fd);
}

/* The clock is a parameter of a client, so nobody has to wait for it here. */
static void test_client_notes_its_last_progress(void)
{
	int ends[2];
	struct oev_ctl_client client = { .fd = -1 };

	CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	CU_ASSERT_EQUAL(oev_ctl_client_open(&client, ends[0], 1000), OC_OK);
	oev_ctl_client_serve(&client, answer, NULL, 2000); /* nothing came */
	CU_ASSERT_EQUAL(client.active_ms, 1000);
	CU_ASSERT(send(ends[1], "{\"do\":\"stats\"}\n", 15, 0) == 15);
	oev_ctl_client_serve(&client, answer, NULL, 3000);
	CU_ASSERT_EQUAL(client.active_ms, 3000);
	CU_ASSERT_EQUAL(oev_ctl_client_wants(&client), POLLOUT);
	oev_ctl_client_serve(&client, answer, NULL, 14000); /* the reply is stuck */
	CU_ASSERT(client.active_ms == 3000 && client.fd >= 0);
	close(ends[1]);
	oev_ctl_client_serve(&client, answer, NULL, 14000);
	CU_ASSERT_EQUAL(client.fd, -1);
	free(client.line);
}

void test_oev_ctl_server_suite(void)
{
	CU_pSuite suite =
		CU_add_suite_with_setup_and_teardown("oev_ctl_server", NULL, NULL, set_up, tear_down);

	CU_add_test(suite, "lines_are_answered_in_order", test_lines_are_answered_in_order);
	CU_add_test(suite, "long_lines_end_the_connection", test_long_lines_end_the_connection);
	CU_add_test(suite, "large_replies_and_leaving_clients", test_large_replies_and_leaving_clients);
	CU_add_test(suite, "ninth_client_is_turned_away", test_ninth_client_is_turned_away);
	CU_add_test(suite, "who_commands_is_known", test_who_commands_is_known);
	CU_add_test(suite, "socket_left_behind_is_replaced", test_socket_left_behind_is_replaced);
	CU_add_test(suite, "missing_folder_is_made", test_missing_folder_is_made);
	CU_add_test(suite, "other_files_stay", test_other_files_stay);
	CU_add_test(suite, "shortage_of_descriptors_is_waited_for",
		    test_shortage_of_descriptors_is_waited_for);
	CU_add_test(suite, "client_notes_its_last_progress", test_client_notes_its_last_progress);
}
