/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of what-if: the same policy changes nothing, another one what it says, and the tables are what plain SQL counts.
 */
#include <CUnit/CUnit.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "evidence/conf/oev_conf.h"
#include "evidence/replay/oev_whatif.h"
#include "help_evidence.h"
#include "help_traffic.h"

void test_oev_whatif_suite(void);

#define START_NS 1000000000000ull
#define SECOND 1000000000ull

static char folder[HELP_FOLDER_MAX];
static struct help_traffic traffic;
static struct oev_whatif result;
static struct oc_policy policy, other;

static const char observing[] = "mode: observe\n"
				"trust:\n"
				"  peers:\n"
				"  - peer: \"*\"\n"
				"    send_reports: true\n"
				"    relay_reports: true\n"
				"    drmp: relayed\n";

static const struct oc_policy *parse(const char *text, struct oc_policy *out)
{
	char error[OEV_CONF_ERROR_MAX];

	CU_ASSERT_EQUAL_FATAL(oev_conf_policy_parse(text, strlen(text), "policy", out, error), OC_OK);
	return out;
}

static void try(const char *text, const char *against, const struct oev_lives_options *more)
{
	static const char *const inputs[] = { folder }; /* the result speaks of them */
	struct oev_whatif_options options = { .policy_name = "next.yaml",
					      .policy = parse(text, &policy),
					      .against_name = against ? "other.yaml" : NULL,
					      .against = against ? parse(against, &other) : NULL };

	oev_whatif_fini(&result);
	if (more)
		options.lives = *more;
	options.lives.inputs = inputs;
	options.lives.input_count = 1;
	options.lives.until_us = options.lives.until_us ? options.lives.until_us : UINT64_MAX;
	(void)oev_whatif_run(&result, &options);
	if (result.error[0])
		printf("\n  %s\n", result.error);
}

static void forget(void)
{
	oev_whatif_fini(&result);
	help_record_remove(folder);
}

/* Host loss, a rate, a peer report, loads. */
static void tell(void)
{
	help_record_folder(folder);
	help_traffic_begin(&traffic, folder, START_NS, help_policy);
	traffic.apps = 2;
	help_traffic_run(&traffic, 2000);
	help_traffic_loss(&traffic, 0, OC_REPORT_HOST, 40, 60);
	help_traffic_loss(&traffic, 1, OC_REPORT_PEER, 30, 60);
	help_traffic_run(&traffic, 10000);
	traffic.servers[2].has_load = true;
	traffic.servers[2].load = 10000;
	help_traffic_rate(&traffic, 3, 20, 60);
	help_traffic_run(&traffic, 13000);
	help_traffic_end(&traffic);
	CU_ASSERT_TRUE(traffic.refused > 1000);
}

static void test_oev_whatif_the_same_policy_changes_nothing(void)
{
	tell();
	try(help_policy, NULL, NULL);
	CU_ASSERT_EQUAL(result.outcome, OEV_WHATIF_SAME);
	CU_ASSERT_EQUAL(oev_whatif_exit(result.outcome), 0);
	CU_ASSERT_EQUAL(result.changed, 0);
	CU_ASSERT_EQUAL(result.total[0].decisions, 25000);
	CU_ASSERT_EQUAL(memcmp(&result.total[0], &result.total[1], sizeof(result.total[0])), 0);
	forget();
}

static void test_oev_whatif_counts_what_sql_counts(void)
{
	uint64_t requests = 0, selected = 0;

	tell();
	try(help_policy, NULL, NULL);
	CU_ASSERT_EQUAL(result.total[0].refused,
			(uint64_t)help_evidence_get(
				folder, "SELECT count(*) FROM v_decision WHERE verdict = 'refused'"));
	CU_ASSERT_EQUAL(result.class[2][0].refused,
			(uint64_t)help_evidence_get(folder, "SELECT count(*) FROM v_decision WHERE verdict ="
							    " 'refused' AND class = 2"));
	for (size_t i = 0; i < result.server_count; i++) {
		const char *server = oev_names_text(&result.names, result.servers[i].name);
		char sql[512];
		requests += result.servers[i].side[0].requests;
		snprintf(sql, sizeof(sql),
			 "SELECT max(n) FROM (SELECT count(*) n FROM decision d JOIN way w ON w.id = d.way"
			 " JOIN name ON name.id = w.next_hop WHERE name.text = '%s' GROUP BY"
			 " (d.at_ns + d.out_ns + (SELECT value FROM meta WHERE key = 'base_ns')) / "
			 "1000000000)",
			 server);
		CU_ASSERT_EQUAL(result.servers[i].side[0].peak, (uint64_t)help_evidence_get(folder, sql));
		CU_ASSERT_EQUAL(result.servers[i].side[0].peak, result.servers[i].side[1].peak);
	}
	CU_ASSERT_EQUAL(requests, 25000 - result.total[0].refused);
	for (size_t i = 0; i < result.report_count; i++)
		selected += result.reports[i].side[0].selected;
	CU_ASSERT_EQUAL(selected, (uint64_t)help_evidence_get(
					  folder, "SELECT count(*) FROM decision d JOIN way w ON w.id = d.way"
						  " WHERE w.selected_by > 0 AND NOT w.flags & 4"));
	forget();
}

static void test_oev_whatif_nobody_trusted_refuses_nobody(void)
{
	uint64_t before = 0, after = 0;

	tell();
	try("{}", NULL, NULL);
	CU_ASSERT_EQUAL(result.outcome, OEV_WHATIF_CHANGES);
	CU_ASSERT_EQUAL(result.total[0].refused, traffic.refused);
	CU_ASSERT_EQUAL(result.total[1].refused, 0);
	CU_ASSERT_EQUAL(result.total[1].diverted, 0);
	CU_ASSERT_EQUAL(result.now_sent, traffic.refused);
	CU_ASSERT_EQUAL(result.now_refused, 0);
	for (size_t i = 0; i < result.server_count; i++) {
		before += result.servers[i].side[0].requests;
		after += result.servers[i].side[1].requests;
	}
	CU_ASSERT_EQUAL(before, 25000 - traffic.refused);
	CU_ASSERT_EQUAL(after, 25000);
	for (size_t i = 0; i < result.report_count; i++)
		CU_ASSERT_EQUAL(result.reports[i].side[1].versions, 0);
	forget();
}

static void test_oev_whatif_observing_selects_and_sends(void)
{
	uint64_t selected = 0;

	tell();
	try(observing, NULL, NULL);
	CU_ASSERT_EQUAL(result.total[1].refused, 0);
	for (size_t i = 0; i < result.report_count; i++)
		selected += result.reports[i].side[1].selected;
	CU_ASSERT_TRUE(selected > traffic.refused / 2);
	forget();
}

static void test_oev_whatif_two_policies_are_held_against_each_other(void)
{
	uint64_t from_record, refused;

	tell();
	try(observing, NULL, NULL);
	from_record = result.changed;
	refused = result.total[0].refused;
	try(observing, help_policy, NULL);
	CU_ASSERT_EQUAL(result.total[0].refused, refused);
	CU_ASSERT_EQUAL(result.total[1].refused, 0);
	CU_ASSERT_EQUAL(result.changed, from_record);
	CU_ASSERT_EQUAL(result.unpaired, 0);
	try(observing, observing, NULL);
	CU_ASSERT_EQUAL(result.outcome, OEV_WHATIF_SAME);
	CU_ASSERT_EQUAL(result.total[0].decisions, 25000);
	forget();
}

static void test_oev_whatif_room_is_modelled(void)
{
	char full[1024];

	tell();
	snprintf(full, sizeof(full), "outstanding_max: 3\n%s", help_policy);
	try(full, NULL, NULL);
	CU_ASSERT_EQUAL(result.full[0], 0);
	CU_ASSERT_TRUE(result.full[1] > 1000);
	CU_ASSERT_TRUE(result.now_refused > 1000);
	forget();
}

static void test_oev_whatif_counts_the_window_alone(void)
{
	const struct oev_lives_options second = { .since_us = HELP_WALL_US + (START_NS + SECOND) / 1000,
						  .until_us = HELP_WALL_US + (START_NS + 2 * SECOND) / 1000 };

	tell();
	try("{}", NULL, &second);
	CU_ASSERT_TRUE(result.total[0].decisions > 9990 && result.total[0].decisions <= 10001);
	CU_ASSERT_EQUAL(result.total[1].decisions, result.total[0].decisions);
	forget();
}

static void test_oev_whatif_says_when_it_is_not_whole(void)
{
	tell();
	help_evidence_alter(folder, "DELETE FROM decision WHERE id = 500");
	try("{}", NULL, NULL);
	CU_ASSERT_EQUAL(result.outcome, OEV_WHATIF_UNSURE);
	CU_ASSERT_EQUAL(oev_whatif_exit(result.outcome), 3);
	CU_ASSERT_PTR_NOT_NULL(strstr(result.why, "1 decisions are not in it"));
	help_evidence_alter(folder, "UPDATE meta SET value = '3' WHERE key = 'part'");
	try("{}", NULL, NULL);
	CU_ASSERT_EQUAL(result.outcome, OEV_WHATIF_UNSURE);
	CU_ASSERT_EQUAL(result.skipped, 25000);
	forget();
}

static json_t *json_of(void)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	CU_ASSERT_EQUAL(oev_whatif_json(&result, "doic test", 1.5, out), 0);
	fclose(out);
	json_t *object = json_loads(text, 0, NULL);
	free(text);
	CU_ASSERT_PTR_NOT_NULL_FATAL(object);
	return object;
}

static void test_oev_whatif_json_has_the_same_keys_whatever_came_out(void)
{
	const char *key;
	json_t *value, *whole, *failed;

	tell();
	try("{}", NULL, NULL);
	whole = json_of();
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(whole, "schema")), "doic.whatif/1");
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(whole, "outcome")), "changes");
	CU_ASSERT_EQUAL(json_array_size(json_object_get(whole, "classes")), OC_CLASSES);
	CU_ASSERT_EQUAL(json_array_size(json_object_get(whole, "servers")), HELP_SERVERS);
	CU_ASSERT_EQUAL(json_array_size(json_object_get(whole, "clients")), HELP_CLIENTS);
	forget();
	snprintf(folder, sizeof(folder), "/nonexistent/evidence");
	try("{}", NULL, NULL);
	CU_ASSERT_EQUAL(result.outcome, OEV_WHATIF_UNUSABLE);
	failed = json_of();
	json_object_foreach(whole, key, value) CU_ASSERT_PTR_NOT_NULL(json_object_get(failed, key));
	CU_ASSERT_EQUAL(json_object_size(whole), json_object_size(failed));
	json_decref(whole);
	json_decref(failed);
	oev_whatif_fini(&result);
}

void test_oev_whatif_suite(void)
{
	CU_TestInfo tests[] = {
		{ "the_same_policy_changes_nothing", test_oev_whatif_the_same_policy_changes_nothing },
		{ "counts_what_sql_counts", test_oev_whatif_counts_what_sql_counts },
		{ "nobody_trusted_refuses_nobody", test_oev_whatif_nobody_trusted_refuses_nobody },
		{ "observing_selects_and_sends", test_oev_whatif_observing_selects_and_sends },
		{ "two_policies_are_held_against_each_other",
		  test_oev_whatif_two_policies_are_held_against_each_other },
		{ "room_is_modelled", test_oev_whatif_room_is_modelled },
		{ "counts_the_window_alone", test_oev_whatif_counts_the_window_alone },
		{ "says_when_it_is_not_whole", test_oev_whatif_says_when_it_is_not_whole },
		{ "json_has_the_same_keys_whatever_came_out",
		  test_oev_whatif_json_has_the_same_keys_whatever_came_out },
		CU_TEST_INFO_NULL,
	};
	CU_SuiteInfo suites[] = { { "oev_whatif", NULL, NULL, NULL, NULL, tests }, CU_SUITE_INFO_NULL };

	CU_register_suites(suites);
}
