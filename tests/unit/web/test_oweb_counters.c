/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of counters from outside over HTTP: who may, what is refused and how it is said, what is written and told.
 */
#include <CUnit/Basic.h>
#include <stdio.h>
#include <string.h>

#include "evidence/audit/oev_telemetry.h"
#include "help_web.h"
#include "tests/unit/evidence/help_segment.h"

void test_oweb_counters_suite(void);

#define COUNTERS "/api/v1/evidence/counters"
#define CSV "Content-Type: text/csv\r\n"
#define JSON "Content-Type: application/json\r\n"
#define ROWS                                                                                                 \
	"time,node,application,requests,success,useful\n1796000000,s1,gx,10,9,8\n1796000001,s1,gx,11,9,8\n"

static struct help_segment evidence;

static void set_up(void)
{
	help_web_set_up();
	CU_ASSERT_TRUE_FATAL(help_segment_new(&evidence));
	help_segment_close(&evidence);
	snprintf(help_web.conf.folder, sizeof(help_web.conf.folder), "%s", evidence.folder);
	help_web_restart();
}

static void tear_down(void)
{
	help_web_tear_down();
	help_segment_remove(&evidence);
}

static struct help_reply post(const char *query, const char *type, const char *body)
{
	char target[256], headers[256];

	snprintf(target, sizeof(target), COUNTERS "%s", query);
	snprintf(headers, sizeof(headers), "%s%s", type, help_web_bearer(help_web.administrator));
	return help_web_ask("POST", target, headers, body);
}

static int status(const char *query, const char *type, const char *body)
{
	struct help_reply reply = post(query, type, body);
	int found = reply.status;

	help_reply_drop(&reply);
	return found;
}

static int count_row(void *ctx, const struct oev_telemetry_row *row)
{
	unsigned *count = ctx;

	*count += row->useful == 8;
	return 0;
}

static void what_was_counted_is_stored_and_told(void)
{
	struct help_reply reply = post("?source=pcrf.csv&reason=CHG-7", CSV, ROWS);
	char path[700], error[200] = "";
	unsigned rows = 0;

	CU_ASSERT_EQUAL(reply.status, 201);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "outcome"), "imported");
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(reply.json, "rows")), 2);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "source"), "pcrf.csv");
	const char *stored = help_reply_text(&reply, "stored");
	CU_ASSERT_EQUAL_FATAL(strncmp(stored, "telemetry-", 10), 0);
	snprintf(path, sizeof(path), "%s/%s", evidence.folder, stored);
	CU_ASSERT_EQUAL(oev_telemetry_each(path, 0, UINT64_MAX, count_row, &rows, error, sizeof(error)), 0);
	CU_ASSERT_EQUAL(rows, 2);
	CU_ASSERT_EQUAL(help_web.agent->acts, 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(help_web.agent->act, stored));
	CU_ASSERT_PTR_NOT_NULL(strstr(help_web.agent->act, "CHG-7"));
	help_reply_drop(&reply);

	reply = post("?source=again.csv&reason=CHG-7", CSV, ROWS);
	CU_ASSERT_EQUAL(reply.status, 200);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "outcome"), "nothing_new");
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(reply.json, "known")), 2);
	help_reply_drop(&reply);
	CU_ASSERT_EQUAL(help_web.agent->acts, 1);

	reply = post("?source=other.json&reason=CHG-7&interval=1", JSON,
		     "[{\"time\": 1796000000, \"node\": \"s1\", \"app\": \"gx\", \"requests\": 12}]");
	CU_ASSERT_EQUAL(reply.status, 409);
	CU_ASSERT_PTR_NOT_NULL(strstr(help_reply_text(&reply, "detail"), "other numbers"));
	CU_ASSERT_EQUAL(json_array_size(json_object_get(reply.json, "errors")), 1);
	help_reply_drop(&reply);
}

static void a_check_writes_nothing(void)
{
	struct help_reply reply = post("?source=pcrf.csv&check", CSV, ROWS);

	CU_ASSERT_EQUAL(reply.status, 200);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "outcome"), "importable");
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "stored"), "");
	help_reply_drop(&reply);
	CU_ASSERT_EQUAL(help_web.agent->acts, 0);
	CU_ASSERT_EQUAL(status("?source=pcrf.csv&reason=x", CSV, ROWS), 201); /* all of it is new still */
}

static void every_mistake_is_told_with_its_line(void)
{
	struct help_reply reply =
		post("?source=a.csv&reason=x", CSV,
		     "time,node,app,requests\nnever,s1,gx,1\n1796000000,s1,gx,1\n5,s1,\xff,1\n");

	CU_ASSERT_EQUAL(reply.status, 422);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "type"), "/problems/refused");
	CU_ASSERT_EQUAL(strncmp(help_reply_text(&reply, "detail"), "a.csv:2:1: ", 11), 0);
	json_t *errors = json_object_get(reply.json, "errors");
	CU_ASSERT_EQUAL_FATAL(json_array_size(errors), 3);
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(json_array_get(errors, 2), "line")), 4);
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(json_array_get(errors, 2), "column")), 6);
	help_reply_drop(&reply);
	CU_ASSERT_EQUAL(help_web.agent->acts, 0);
	CU_ASSERT_EQUAL(status("?source=a.csv&reason=x", CSV, "nonsense"), 422);
	CU_ASSERT_EQUAL(status("?source=a.json&reason=x", JSON, "{\"schema\": 1}"), 422);
	CU_ASSERT_EQUAL(status("?source=a.json&reason=x", JSON, "[[[["), 422);
}

static void who_and_how_is_held_against_the_route(void)
{
	char observers[256];

	snprintf(observers, sizeof(observers), CSV "%s", help_web_bearer(help_web.observer));
	CU_ASSERT_EQUAL(help_web_status("POST", COUNTERS "?source=a&reason=x", CSV, ROWS), 401);
	CU_ASSERT_EQUAL(help_web_status("POST", COUNTERS "?source=a&reason=x", observers, ROWS), 403);
	CU_ASSERT_EQUAL(status("?source=a", CSV, ROWS), 400);
	CU_ASSERT_EQUAL(status("?reason=x", CSV, ROWS), 400);
	CU_ASSERT_EQUAL(status("?source=&reason=x", CSV, ROWS), 400);
	CU_ASSERT_EQUAL(status("?source=a&reason=x%0ay", CSV, ROWS), 400);
	CU_ASSERT_EQUAL(status("?source=a&reason=x&interval=0", CSV, ROWS), 400);
	CU_ASSERT_EQUAL(status("?source=a&reason=x", "Content-Type: text/plain\r\n", ROWS), 415);
	CU_ASSERT_EQUAL(status("?source=a&reason=x", CSV, ""), 400);
	CU_ASSERT_EQUAL(help_web.agent->acts, 0);
}

void test_oweb_counters_suite(void)
{
	CU_pSuite suite =
		CU_add_suite_with_setup_and_teardown("oweb_counters", NULL, NULL, set_up, tear_down);

	CU_add_test(suite, "what was counted is stored, and told", what_was_counted_is_stored_and_told);
	CU_add_test(suite, "a check writes nothing", a_check_writes_nothing);
	CU_add_test(suite, "every mistake is told with its line", every_mistake_is_told_with_its_line);
	CU_add_test(suite, "who and how is held against the route", who_and_how_is_held_against_the_route);
}
