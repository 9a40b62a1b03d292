/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of what a replay is asked for: a window, a node, JSON, an early end.
 */
#include <CUnit/CUnit.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "help_again.h"
#include "help_evidence.h"

void test_oev_replay_asked_suite(void);

static void test_oev_replay_asked_compares_the_window_alone(void)
{
	struct help_again *h = help_again_new();
	struct oev_replay_options options = {
		.lives = { .since_us = HELP_WALL_US + (START_NS + SECOND) / 1000,
			   .until_us = HELP_WALL_US + (START_NS + 2 * SECOND) / 1000 }
	};

	help_again_loss(h);
	help_traffic_end(&h->traffic);
	help_again_run(h, &options);
	CU_ASSERT_EQUAL(h->result.outcome, OEV_REPLAY_IDENTICAL);
	CU_ASSERT_TRUE(h->result.total.decisions > 9990 && h->result.total.decisions <= 10001);
	options = (struct oev_replay_options){ .lives.last_us = 500000 };
	help_again_run(h, &options);
	CU_ASSERT_TRUE(h->result.total.decisions > 4900 && h->result.total.decisions <= 5001);
	options = (struct oev_replay_options){ .lives.since_us = UINT64_MAX - 1 };
	help_again_run(h, &options);
	CU_ASSERT_EQUAL(h->result.outcome, OEV_REPLAY_UNSURE);
	help_again_free(h);
}

static void test_oev_replay_asked_looks_at_one_node(void)
{
	struct help_again *h = help_again_new();
	struct oev_replay_options options = { .lives.node = "AGENT.example.net" };

	help_again_loss(h);
	help_traffic_end(&h->traffic);
	help_again_run(h, &options);
	help_again_assert_identical(h, 30000);
	options.lives.node = "other.example.net";
	help_again_run(h, &options);
	CU_ASSERT_EQUAL(h->result.outcome, OEV_REPLAY_UNUSABLE);
	help_again_free(h);
}

/* The folder above those of an import: which of them to name is said. */
static void test_oev_replay_asked_for_the_folder_above_names_one(void)
{
	char above[] = "/tmp/doic-test-XXXXXX", node[64], path[80], hint[128];
	const char *inputs[] = { above };
	const struct oev_replay_options options = { .lives = { .inputs = inputs, .input_count = 1 } };
	struct oev_replay *result = calloc(1, sizeof(*result));

	CU_ASSERT_FATAL(result != NULL && mkdtemp(above) != NULL);
	snprintf(node, sizeof(node), "%s/dra-01", above);
	snprintf(path, sizeof(path), "%s/seg-1.db", node);
	CU_ASSERT_EQUAL_FATAL(mkdir(node, 0700), 0);
	fclose(fopen(path, "w"));
	(void)oev_replay_run(result, &options);
	CU_ASSERT_EQUAL(result->outcome, OEV_REPLAY_UNUSABLE);
	snprintf(hint, sizeof(hint), "; of an import, name the folder of one node: %s", node);
	CU_ASSERT_PTR_NOT_NULL(strstr(result->error, hint));
	oev_replay_fini(result);
	free(result);
	unlink(path);
	rmdir(node);
	rmdir(above);
}

static json_t *json_of(const struct help_again *h)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	CU_ASSERT_EQUAL(oev_replay_json(&h->result, "doic test", 1.5, out), 0);
	fclose(out);
	json_t *object = json_loads(text, 0, NULL);
	free(text);
	CU_ASSERT_PTR_NOT_NULL_FATAL(object);
	return object;
}

static void test_oev_replay_asked_json_has_the_same_keys_whatever_came_out(void)
{
	struct help_again *h = help_again_new();
	const char *key;
	json_t *value, *whole, *failed;

	help_again_loss(h);
	help_traffic_end(&h->traffic);
	help_evidence_alter(h->folder, "UPDATE decision SET host_share = 1 WHERE host_nth > 0");
	help_again_run(h, NULL);
	whole = json_of(h);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(whole, "schema")), "doic.replay/1");
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(whole, "outcome")), "differs");
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(whole, "exit")), 1);
	CU_ASSERT_EQUAL(json_array_size(json_object_get(whole, "differences")), OEV_DIFFERENCES_LISTED);
	help_record_remove(h->folder);
	snprintf(h->folder, sizeof(h->folder), "/nonexistent/evidence");
	help_again_run(h, NULL);
	failed = json_of(h);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(failed, "outcome")), "unusable");
	json_object_foreach(whole, key, value) CU_ASSERT_PTR_NOT_NULL(json_object_get(failed, key));
	CU_ASSERT_EQUAL(json_object_size(whole), json_object_size(failed));
	json_decref(whole);
	json_decref(failed);
	help_again_free(h);
}

static bool stop_at_once(void *ctx)
{
	(void)ctx;
	return true;
}

static void test_oev_replay_asked_stops_when_told(void)
{
	struct help_again *h = help_again_new();
	const struct oev_replay_options options = { .lives.stop = stop_at_once };

	help_again_loss(h);
	help_traffic_end(&h->traffic);
	help_again_run(h, &options);
	CU_ASSERT_EQUAL(h->result.outcome, OEV_REPLAY_INTERRUPTED);
	CU_ASSERT_EQUAL(oev_replay_exit(h->result.outcome), 130);
	help_again_free(h);
}

void test_oev_replay_asked_suite(void)
{
	CU_TestInfo tests[] = {
		{ "compares_the_window_alone", test_oev_replay_asked_compares_the_window_alone },
		{ "looks_at_one_node", test_oev_replay_asked_looks_at_one_node },
		{ "json_has_the_same_keys_whatever_came_out",
		  test_oev_replay_asked_json_has_the_same_keys_whatever_came_out },
		{ "folder_above_names_one", test_oev_replay_asked_for_the_folder_above_names_one },
		{ "stops_when_told", test_oev_replay_asked_stops_when_told },
		CU_TEST_INFO_NULL,
	};
	CU_SuiteInfo suites[] = { { "oev_replay_asked", NULL, NULL, NULL, NULL, tests }, CU_SUITE_INFO_NULL };

	CU_register_suites(suites);
}
