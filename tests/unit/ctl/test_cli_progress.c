/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of signs of life on standard error: lines where systemd reads them, a bar on a terminal.
 */
#include <CUnit/CUnit.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "evidence/cli/cli.h"

void test_cli_progress_suite(void);

static char said[2048];

/* All that comes out of @fd, until nothing does for a while: a terminal hands it on when it gets to it. */
static void listen_to(int fd)
{
	struct pollfd from = { .fd = fd, .events = POLLIN };
	size_t len = 0;
	ssize_t got = 1;

	while (got > 0 && len < sizeof(said) - 1 && poll(&from, 1, 200) == 1) {
		got = read(fd, said + len, sizeof(said) - 1 - len);
		len += got > 0 ? (size_t)got : 0;
	}
	said[len] = '\0';
}

/* What a scan says that reads for half a minute, with @fd as standard error; @reader: its other end. */
static enum cli_progress_kind scan(enum cli_progress_kind kind, int fd, int reader)
{
	struct cli_progress progress;
	int before = dup(STDERR_FILENO);

	fflush(stderr);
	dup2(fd, STDERR_FILENO);
	cli_progress_start(&progress, kind);
	enum cli_progress_kind found = progress.kind;
	for (uint64_t done = 1; done <= 3; done++) {
		progress.said_s -= 11; /* of a scan, so long ago */
		cli_progress_say(&progress, done * 1000000, 3000000);
	}
	cli_progress_stop(&progress);
	fflush(stderr);
	dup2(before, STDERR_FILENO);
	close(before);
	listen_to(reader);
	return found;
}

static unsigned count(char wanted)
{
	unsigned found = 0;

	for (const char *at = said; *at != '\0'; at++)
		found += *at == wanted;
	return found;
}

/* As systemd does it: a UNIX stream socket, named by device and inode in JOURNAL_STREAM. */
static void test_cli_progress_into_the_journal_is_plain_lines(void)
{
	int ends[2];
	struct stat info;
	char name[64];

	CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	CU_ASSERT_EQUAL_FATAL(fstat(ends[0], &info), 0);
	snprintf(name, sizeof(name), "%ju:%ju", (uintmax_t)info.st_dev, (uintmax_t)info.st_ino);
	setenv("JOURNAL_STREAM", name, 1);
	setenv("INVOCATION_ID", "0123456789abcdef0123456789abcdef", 1);
	CU_ASSERT_EQUAL(scan(CLI_PROGRESS_AUTO, ends[0], ends[1]), CLI_PROGRESS_PLAIN);
	unsetenv("JOURNAL_STREAM");
	unsetenv("INVOCATION_ID");
	CU_ASSERT_EQUAL(count('\n'), 3);
	CU_ASSERT_EQUAL(count('\r') + count('\033') + count('\b'), 0);
	CU_ASSERT_EQUAL(strncmp(said, "doic: 33 % read, ", 17), 0);
	CU_ASSERT_EQUAL(said[strlen(said) - 1], '\n');
	close(ends[0]);
	close(ends[1]);
}

static void test_cli_progress_on_a_terminal_is_a_bar_that_is_taken_away(void)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY);

	CU_ASSERT_TRUE_FATAL(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
	int end = open(ptsname(terminal), O_RDWR | O_NOCTTY);
	CU_ASSERT_TRUE_FATAL(end >= 0);
	setenv("JOURNAL_STREAM", "1:1", 1); /* of the session the terminal runs in */
	CU_ASSERT_EQUAL(scan(CLI_PROGRESS_AUTO, end, terminal), CLI_PROGRESS_BAR);
	unsetenv("JOURNAL_STREAM");
	CU_ASSERT_EQUAL(count('\n'), 0);
	CU_ASSERT_TRUE(count('\r') >= 4);
	CU_ASSERT_EQUAL(said[strlen(said) - 1], '\r');
	close(end);
	close(terminal);
}

static void test_cli_progress_none_says_nothing(void)
{
	int ends[2];

	CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
	CU_ASSERT_EQUAL(scan(CLI_PROGRESS_NONE, ends[1], ends[0]), CLI_PROGRESS_NONE);
	CU_ASSERT_STRING_EQUAL(said, "");
	close(ends[0]);
	close(ends[1]);
}

void test_cli_progress_suite(void)
{
	CU_pSuite suite = CU_add_suite("cli_progress", NULL, NULL);

	CU_ADD_TEST(suite, test_cli_progress_into_the_journal_is_plain_lines);
	CU_ADD_TEST(suite, test_cli_progress_on_a_terminal_is_a_bar_that_is_taken_away);
	CU_ADD_TEST(suite, test_cli_progress_none_says_nothing);
}
