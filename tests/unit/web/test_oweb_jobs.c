/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of jobs: who may stop them, and what becomes of those that were.
 */
#include <CUnit/Basic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "help_web.h"
#include "tests/unit/evidence/help_segment.h"

void test_oweb_jobs_suite(void);

#define JSON "Content-Type: application/json\r\n"
#define JOBS 6

static struct help_segment evidence;

static void set_up(void)
{
	const struct help_story story = { .requests = 20000 };

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

/* "/api/v1/jobs/N" of an audit begun with @headers. */
static void begin(const char *headers, char location[static 128])
{
	struct help_reply reply = help_web_ask("POST", "/api/v1/evidence/audit", headers, "{}");

	CU_ASSERT_EQUAL(reply.status, 202);
	help_reply_header(&reply, "Location", location, 128);
	help_reply_drop(&reply);
}

static void wait_over(const char *location)
{
	for (unsigned i = 0; i < 500; i++) {
		struct help_reply reply = help_web_ask("GET", location, NULL, NULL);
		const char *state = help_reply_text(&reply, "state");
		bool is_over = strcmp(state, "done") == 0 || strcmp(state, "stopped") == 0;
		help_reply_drop(&reply);
		if (is_over)
			return;
		usleep(20000);
	}
	CU_FAIL("the job has no end");
}

static void a_job_is_stopped_by_who_began_it_or_an_administrator(void)
{
	char observers[256], location[128];
	static const char nobodys[] = JSON;

	snprintf(observers, sizeof(observers), JSON "%s", help_web_bearer(help_web.observer));
	begin(observers, location);
	struct help_reply reply = help_web_ask("DELETE", location, NULL, NULL);
	CU_ASSERT_EQUAL(reply.status, 403);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "type"), "/problems/needs-role");
	help_reply_drop(&reply);
	CU_ASSERT_EQUAL(help_web_status("DELETE", location, help_web_bearer(help_web.observer), NULL), 200);
	begin(observers, location);
	CU_ASSERT_EQUAL(help_web_status("DELETE", location, help_web_bearer(help_web.administrator), NULL),
			200);
	begin(nobodys, location); /* of nobody in particular */
	CU_ASSERT_EQUAL(help_web_status("DELETE", location, NULL, NULL), 200);
	CU_ASSERT_EQUAL(help_web_status("DELETE", "/api/v1/jobs/999", NULL, NULL), 404);
	wait_over(location);
}

static void a_job_stopped_before_it_began_was_not_done(void)
{
	char location[JOBS][128];

	for (unsigned i = 0; i < JOBS; i++)
		begin(JSON, location[i]);
	struct help_reply reply = help_web_ask("DELETE", location[JOBS - 1], NULL, NULL);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "state"), "stopped");
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "verdict"), "stopped before it began");
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(reply.json, "exit")), 130);
	help_reply_drop(&reply);
	wait_over(location[JOBS - 2]);
	reply = help_web_ask("GET", location[JOBS - 1], NULL, NULL);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "state"), "stopped");
	help_reply_drop(&reply);
}

/* A path may be of any octets. */
static void a_job_whose_command_is_not_utf8_is_shown(void)
{
	char location[128], folder[sizeof(help_web.conf.folder)];

	snprintf(folder, sizeof(folder), "%s-\xe9\xff", evidence.folder);
	CU_ASSERT_EQUAL(symlink(evidence.folder, folder), 0);
	snprintf(help_web.conf.folder, sizeof(help_web.conf.folder), "%s", folder);
	help_web_restart();
	begin(JSON, location);
	struct help_reply reply = help_web_ask("GET", location, NULL, NULL);
	CU_ASSERT_EQUAL(reply.status, 200);
	CU_ASSERT_PTR_NOT_NULL(strstr(help_reply_text(&reply, "command"), "-\xef\xbf\xbd\xef\xbf\xbd"));
	help_reply_drop(&reply);
	reply = help_web_ask("GET", "/api/v1/jobs", NULL, NULL);
	CU_ASSERT_EQUAL(json_array_size(json_object_get(reply.json, "jobs")), 1);
	help_reply_drop(&reply);
	wait_over(location);
	reply = help_web_ask("GET", location, NULL, NULL);
	CU_ASSERT_PTR_NOT_NULL(json_object_get(reply.json, "verdict"));
	CU_ASSERT_PTR_NOT_NULL(json_object_get(reply.json, "object"));
	help_reply_drop(&reply);
	unlink(folder);
}

/* An administrator copies the line from the page; the words in it were somebody else's. */
static void the_command_of_a_job_is_one_for_any_shell(void)
{
	struct help_reply reply = help_web_ask("POST", "/api/v1/evidence/audit", JSON,
					       "{\"host\":\"a'b; touch /tmp/x\",\"realm\":\"$(id) `id`\"}");
	const char *command = help_reply_text(&reply, "command");

	CU_ASSERT_EQUAL(reply.status, 202);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(command, " --host 'a'\\''b; touch /tmp/x' --realm '$(id) `id`' --require arrived"));
	help_reply_drop(&reply);
}

/* What the command line names can be had, under that name. */
static void the_candidate_of_a_whatif_can_be_had(void)
{
	static const char body[] = "{\"text\": \"mode: observe\\n# caf\\u00e9\\n\"}";
	char location[128], target[160], word[80];

	struct help_reply reply = help_web_ask("POST", "/api/v1/policy/whatif", JSON, body);
	CU_ASSERT_EQUAL(reply.status, 202);
	help_reply_header(&reply, "Location", location, sizeof(location));
	const char *number = strrchr(location, '/') + 1;
	snprintf(word, sizeof(word), " --policy candidate-%s.yaml", number);
	CU_ASSERT_PTR_NOT_NULL(strstr(help_reply_text(&reply, "command"), word));
	snprintf(target, sizeof(target), "%s/policy", location);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "policy"), target);
	help_reply_drop(&reply);
	reply = help_web_ask("GET", target, NULL, NULL);
	CU_ASSERT_EQUAL(reply.status, 200);
	CU_ASSERT_STRING_EQUAL(reply.body, "mode: observe\n# caf\xc3\xa9\n");
	snprintf(word, sizeof(word), "attachment; filename=\"candidate-%s.yaml\"", number);
	CU_ASSERT_TRUE(help_reply_has(&reply, "Content-Disposition", word));
	help_reply_drop(&reply);
	wait_over(location);
	CU_ASSERT_EQUAL(help_web_status("GET", target, NULL, NULL), 200);
	begin(JSON, location);
	reply = help_web_ask("GET", location, NULL, NULL);
	CU_ASSERT_PTR_NULL(json_object_get(reply.json, "policy"));
	help_reply_drop(&reply);
	snprintf(target, sizeof(target), "%s/policy", location);
	CU_ASSERT_EQUAL(help_web_status("GET", target, NULL, NULL), 404);
	wait_over(location);
}

void test_oweb_jobs_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oweb_jobs", NULL, NULL, set_up, tear_down);

	CU_add_test(suite, "a job is stopped by who began it, or an administrator",
		    a_job_is_stopped_by_who_began_it_or_an_administrator);
	CU_add_test(suite, "a job stopped before it began was not done",
		    a_job_stopped_before_it_began_was_not_done);
	CU_add_test(suite, "a job whose command is not UTF-8 is shown",
		    a_job_whose_command_is_not_utf8_is_shown);
	CU_add_test(suite, "the candidate of a what-if can be had", the_candidate_of_a_whatif_can_be_had);
	CU_add_test(suite, "the command of a job is one for any shell",
		    the_command_of_a_job_is_one_for_any_shell);
}
