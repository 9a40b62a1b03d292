/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of running a program as a child.
 */
#include <CUnit/CUnit.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/capture/oev_child.h"

void test_oev_child_suite(void);

static int start(struct oev_child *child, const char *script, int extra)
{
	const char *const argv[] = { "sh", "-c", script, NULL };
	int none = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int rc = oev_child_start(
		child, &(struct oev_child_conf){ .argv = argv, .in = none, .out = -1, .extra = extra });

	close(none);
	return rc;
}

static void test_lines_come_whole_and_in_order(void)
{
	struct oev_child child;
	const char *line = NULL;
	size_t len = 0;

	CU_ASSERT_EQUAL_FATAL(start(&child, "printf 'one\\ntw'; sleep 0.1; printf 'o\\n\\nrest'; exit 3", -1),
			      OC_OK);
	CU_ASSERT_EQUAL(oev_child_line(&child, 5000, &line, &len), OC_OK);
	CU_ASSERT_TRUE(len == 3 && memcmp(line, "one", 3) == 0);
	CU_ASSERT_EQUAL(oev_child_line(&child, 5000, &line, &len), OC_OK);
	CU_ASSERT_TRUE(len == 3 && memcmp(line, "two", 3) == 0);
	CU_ASSERT_EQUAL(oev_child_line(&child, 5000, &line, &len), OC_OK);
	CU_ASSERT_EQUAL(len, 0);
	CU_ASSERT_EQUAL(oev_child_line(&child, 5000, &line, &len), OC_ENOENT); /* no newline, no line */
	CU_ASSERT_EQUAL(oev_child_end(&child, false), 3);
}

static void test_its_last_words_are_kept(void)
{
	struct oev_child child;
	const char *line = NULL;
	size_t len = 0;

	CU_ASSERT_EQUAL_FATAL(
		start(&child, "head -c 200000 /dev/zero >&2; printf 'cannot\\nread it' >&2; exit 2", -1),
		OC_OK);
	CU_ASSERT_EQUAL(oev_child_line(&child, 5000, &line, &len), OC_ENOENT);
	CU_ASSERT_EQUAL(oev_child_end(&child, false), 2);
	CU_ASSERT_PTR_NOT_NULL(strstr(child.said, "cannot read it"));
}

static void test_silence_is_told_and_an_end_can_be_made(void)
{
	struct oev_child child;
	const char *line = NULL;
	size_t len = 0;

	CU_ASSERT_EQUAL_FATAL(start(&child, "exec sleep 600", -1), OC_OK);
	CU_ASSERT_EQUAL(oev_child_line(&child, 50, &line, &len), OC_EBUSY);
	CU_ASSERT_EQUAL(oev_child_end(&child, true), 128 + 9);
}

static void test_a_program_that_is_not_there_is_said_so(void)
{
	const char *const argv[] = { "no-such-program-anywhere", NULL };
	struct oev_child child;
	int none = open("/dev/null", O_RDONLY | O_CLOEXEC);

	CU_ASSERT_EQUAL(
		oev_child_start(&child,
				&(struct oev_child_conf){ .argv = argv, .in = none, .out = -1, .extra = -1 }),
		OC_ENOENT);
	close(none);
}

static void test_words_are_never_given_to_a_shell(void)
{
	const char *const argv[] = { "printf", "%s\n", "$(echo bad); echo bad", NULL };
	struct oev_child child;
	const char *line = NULL;
	size_t len = 0;
	int none = open("/dev/null", O_RDONLY | O_CLOEXEC);

	CU_ASSERT_EQUAL_FATAL(
		oev_child_start(&child,
				&(struct oev_child_conf){ .argv = argv, .in = none, .out = -1, .extra = -1 }),
		OC_OK);
	close(none);
	CU_ASSERT_EQUAL(oev_child_line(&child, 5000, &line, &len), OC_OK);
	CU_ASSERT_TRUE(len == 21 && memcmp(line, "$(echo bad); echo bad", 21) == 0);
	oev_child_end(&child, false);
}

static void test_nobodys_settings_get_in(void)
{
	struct oev_child child;
	const char *line = NULL;
	size_t len = 0;

	setenv("WIRESHARK_CONFIG_DIR", "/tmp", 1);
	CU_ASSERT_EQUAL_FATAL(start(&child, "echo \"[$WIRESHARK_CONFIG_DIR][$HOME]\"", -1), OC_OK);
	unsetenv("WIRESHARK_CONFIG_DIR");
	CU_ASSERT_EQUAL(oev_child_line(&child, 5000, &line, &len), OC_OK);
	CU_ASSERT_TRUE(len == 16 && memcmp(line, "[][/nonexistent]", 16) == 0);
	oev_child_end(&child, false);
}

static void test_a_line_too_long_is_passed_over(void)
{
	struct oev_child child;
	const char *line = NULL;
	size_t len = 0;
	int rc, refused = 0;

	CU_ASSERT_EQUAL_FATAL(start(&child, "head -c 300000 /dev/zero | tr '\\0' x; echo; echo after", -1),
			      OC_OK);
	while ((rc = oev_child_line(&child, 5000, &line, &len)) != OC_ENOENT) {
		refused += rc == OC_EMALFORMED;
		if (rc == OC_OK && len == 5)
			CU_ASSERT_TRUE(memcmp(line, "after", 5) == 0);
	}
	CU_ASSERT_TRUE(refused > 0);
	CU_ASSERT_EQUAL(oev_child_end(&child, false), 0);
}

static void test_the_extra_descriptor_is_its_third(void)
{
	struct oev_child child;
	const char *line = NULL;
	size_t len = 0;
	FILE *kept = tmpfile();
	char text[8] = "";

	CU_ASSERT_EQUAL_FATAL(start(&child, "echo kept >/dev/fd/3", fileno(kept)), OC_OK);
	CU_ASSERT_EQUAL(oev_child_line(&child, 5000, &line, &len), OC_ENOENT);
	oev_child_end(&child, false);
	rewind(kept);
	CU_ASSERT_PTR_NOT_NULL(fgets(text, sizeof(text), kept));
	CU_ASSERT_STRING_EQUAL(text, "kept\n");
	fclose(kept);
}

void test_oev_child_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_child", NULL, NULL);

	CU_add_test(suite, "lines come whole and in order", test_lines_come_whole_and_in_order);
	CU_add_test(suite, "its last words are kept", test_its_last_words_are_kept);
	CU_add_test(suite, "silence is told and an end can be made",
		    test_silence_is_told_and_an_end_can_be_made);
	CU_add_test(suite, "a program that is not there is said so",
		    test_a_program_that_is_not_there_is_said_so);
	CU_add_test(suite, "words are never given to a shell", test_words_are_never_given_to_a_shell);
	CU_add_test(suite, "nobody's settings get in", test_nobodys_settings_get_in);
	CU_add_test(suite, "a line too long is passed over", test_a_line_too_long_is_passed_over);
	CU_add_test(suite, "the extra descriptor is its third", test_the_extra_descriptor_is_its_third);
}
