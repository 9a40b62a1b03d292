/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of streams of rows over real evidence: how many come, and whether the last line says that there were more.
 */
#include <CUnit/Basic.h>
#include <stdio.h>
#include <string.h>

#include "help_web.h"
#include "tests/unit/evidence/help_segment.h"

void test_oweb_stream_suite(void);

#define ROWS 700u /* more than one page of a stream */

static struct help_segment evidence;

static void set_up(void)
{
	const struct help_story story = { .requests = ROWS };

	help_web_set_up();
	CU_ASSERT_TRUE_FATAL(help_segment_new(&evidence));
	CU_ASSERT_TRUE(help_segment_tell(&evidence, &story, false));
	help_segment_close(&evidence);
	snprintf(help_web.conf.folder, sizeof(help_web.conf.folder), "%s", evidence.folder);
	help_web_restart();
}

static void tear_down(void)
{
	help_web_tear_down();
	help_segment_remove(&evidence);
}

/* Asks for at most @limit rows, of those that @more lets pass: there come @rows, and the last line says @is_limited. */
static void asks(unsigned limit, const char *more, unsigned rows, bool is_limited)
{
	char target[160], last[64];
	unsigned lines = 0;

	snprintf(target, sizeof(target), "/api/v1/decisions?format=ndjson&limit=%u%s", limit, more);
	struct help_reply reply = help_web_ask("GET", target, NULL, NULL);
	CU_ASSERT_EQUAL(reply.status, 200);
	for (const char *at = strstr(reply.text, "{\"id\""); at != NULL; at = strstr(at + 1, "{\"id\""))
		lines++;
	CU_ASSERT_EQUAL(lines, rows);
	snprintf(last, sizeof(last), "\"rows\":%u", rows);
	CU_ASSERT_PTR_NOT_NULL(strstr(reply.text, last));
	CU_ASSERT_EQUAL(strstr(reply.text, "\"is_limited\":true") != NULL, is_limited);
	if (lines != rows)
		fprintf(stderr, "  %s: %u lines\n", target, lines);
	help_reply_drop(&reply);
}

static void a_limit_that_nothing_exceeds_ended_nothing(void)
{
	asks(ROWS - 1, "", ROWS - 1, true);
	asks(ROWS, "", ROWS, false);
	asks(ROWS + 1, "", ROWS, false);
	asks(1, "", 1, true);
}

static void rows_that_do_not_pass_are_no_more_rows(void)
{
	struct help_reply reply = help_web_ask("GET", "/api/v1/decisions?limit=1&order=oldest", NULL, NULL);
	char more[100];

	snprintf(more, sizeof(more), "&until=%s", help_reply_text(&reply, "decisions/0/time"));
	help_reply_drop(&reply);
	asks(1, more, 0, false); /* nothing is before the first */
}

void test_oweb_stream_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oweb_stream", NULL, NULL, set_up, tear_down);

	CU_add_test(suite, "a limit that nothing exceeds ended nothing",
		    a_limit_that_nothing_exceeds_ended_nothing);
	CU_add_test(suite, "rows that do not pass are no more rows", rows_that_do_not_pass_are_no_more_rows);
}
