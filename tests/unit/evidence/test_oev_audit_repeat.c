/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the command that comes to a verdict again.
 */
#include <CUnit/CUnit.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "help_audit.h"

void test_oev_audit_repeat_suite(void);

/* The audit as JSON, without what says how it was asked for. */
static json_t *whole(const struct oev_audit *audit)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	CU_ASSERT_EQUAL_FATAL(oev_audit_json(audit, "doic", out), 0);
	fclose(out);
	json_t *root = json_loads(text, 0, NULL);
	free(text);
	CU_ASSERT_PTR_NOT_NULL_FATAL(root);
	CU_ASSERT_TRUE(json_is_string(json_object_get(root, "repeat")));
	json_object_del(root, "repeat");
	json_object_del(root, "window");
	return root;
}

/* The default story bent by @sql, audited without a window and with the one that repeats it. */
static void expect_same(const char *sql)
{
	struct help_segment segment;
	uint64_t from_us, until_us;

	CU_ASSERT_FATAL(help_segment_new(&segment));
	CU_ASSERT_FATAL(help_segment_tell(&segment, &(struct help_story){ 0 }, true));
	CU_ASSERT_FATAL(help_segment_sql(&segment, "%s", sql));
	struct oev_audit *first = help_audit(&segment, (struct oev_audit_options){ 0 });
	oev_audit_repeat_window(first, &from_us, &until_us);
	CU_ASSERT_NOT_EQUAL(from_us, 0);
	CU_ASSERT_NOT_EQUAL(until_us, UINT64_MAX);
	struct oev_audit *again =
		help_audit(&segment, (struct oev_audit_options){ .from_us = from_us, .until_us = until_us });
	json_t *one = whole(first), *other = whole(again);
	CU_ASSERT_TRUE(json_equal(one, other));
	json_decref(one);
	json_decref(other);
	help_audit_drop(first);
	help_audit_drop(again);
	help_segment_remove(&segment);
}

static void test_repeated_window_tells_the_same(void)
{
	expect_same("SELECT 1");
}

static void test_window_that_ends_with_the_last_row_keeps_it(void)
{
	expect_same("DELETE FROM meta WHERE key IN ('closed_us', 'closed_how')");
}

static void test_window_begins_with_what_was_carried(void)
{
	expect_same("DELETE FROM outcome WHERE decision <= 3000; DELETE FROM decision WHERE id <= 3000;"
		    "UPDATE meta SET value = CAST(3000000 + CAST(value AS INTEGER) AS TEXT)"
		    " WHERE key = 'started_us'");
}

static void expect_command(struct oev_audit_options options, enum oev_outcome outcome, const char *command)
{
	struct oev_audit audit = { .options = options, .outcome = outcome };
	char *text = oev_audit_repeat(&audit);

	if (command == NULL) {
		CU_ASSERT_PTR_NULL(text);
	} else {
		CU_ASSERT_PTR_NOT_NULL_FATAL(text);
		CU_ASSERT_STRING_EQUAL(text, command);
	}
	free(text);
}

static void test_every_option_that_decides_is_repeated(void)
{
	const char *const inputs[] = { "a", "it's b" }, *const counters[] = { "c.json" };

	expect_command(
		(struct oev_audit_options){ .inputs = inputs,
					    .input_count = 2,
					    .counters = counters,
					    .counters_count = 1,
					    .host = "s1.example",
					    .realm = "example",
					    .node = "dra",
					    .has_app = true,
					    .app_id = 4,
					    .from_us = 1796000000000000u,
					    .until_us = 1796000001500000u,
					    .parts = OEV_PART_SCOPE,
					    .required = OEV_STEP_USEFUL,
					    .tolerance_ppm = 5,
					    .patience_us = 1500000,
					    .strict = true },
		OEV_HOLDS,
		"doic audit a 'it'\\''s b' --since 2026-11-30T00:53:20Z --until 2026-11-30T00:53:21.500Z"
		" --host s1.example --realm example --node dra --app 4 --claim scope --require useful"
		" --strict --counters c.json --tolerance 5 --patience 1.5 --no-verify");
}

static void test_what_has_its_default_is_not_repeated(void)
{
	const char *const inputs[] = { "folder" };
	struct oev_audit_options options = { .inputs = inputs,
					     .input_count = 1,
					     .until_us = UINT64_MAX,
					     .parts = OEV_PART_ALL,
					     .required = OEV_STEP_ARRIVED,
					     .verify = true };

	expect_command(options, OEV_UNUSABLE, "doic audit folder");
	expect_command(options, OEV_USAGE, NULL);
}

void test_oev_audit_repeat_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_audit_repeat", NULL, NULL);

	CU_add_test(suite, "repeated window tells the same", test_repeated_window_tells_the_same);
	CU_add_test(suite, "window that ends with the last row keeps it",
		    test_window_that_ends_with_the_last_row_keeps_it);
	CU_add_test(suite, "window begins with what was carried", test_window_begins_with_what_was_carried);
	CU_add_test(suite, "every option that decides is repeated",
		    test_every_option_that_decides_is_repeated);
	CU_add_test(suite, "what has its default is not repeated", test_what_has_its_default_is_not_repeated);
}
