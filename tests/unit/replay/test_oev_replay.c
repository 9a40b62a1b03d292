/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the replay of an evidence folder: what was recorded comes out the same, and what was altered is named.
 */
#include <CUnit/CUnit.h>
#include <jansson.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/replay/oev_replay.h"
#include "help_evidence.h"
#include "help_traffic.h"

void test_oev_replay_suite(void);

#define START_NS 1000000000000ull
#define SECOND 1000000000ull

static char folder[HELP_FOLDER_MAX];
static struct help_traffic traffic;
static struct oev_replay result;

static void again(const struct oev_replay_options *more)
{
	const char *const inputs[] = { folder };
	struct oev_replay_options options = more ? *more : (struct oev_replay_options){ 0 };

	oev_replay_fini(&result);
	options.lives.inputs = inputs;
	options.lives.input_count = 1;
	options.version = "0.1.0";
	options.lives.until_us = options.lives.until_us ? options.lives.until_us : UINT64_MAX;
	(void)oev_replay_run(&result, &options);
	if (result.error[0])
		printf("\n  %s\n", result.error);
}

static void forget(void)
{
	oev_replay_fini(&result);
	help_record_remove(folder);
}

static void assert_identical(uint64_t decisions)
{
	char line[512];

	oev_replay_verdict(&result, line, sizeof(line));
	CU_ASSERT_EQUAL(result.outcome, OEV_REPLAY_IDENTICAL);
	CU_ASSERT_EQUAL(result.total.decisions, decisions);
	CU_ASSERT_EQUAL(result.total.late + result.total.unknown + result.total.orphans, 0);
	if (result.outcome != OEV_REPLAY_IDENTICAL)
		printf("\n  %s\n", line);
}

/* A host report of 30 % and its end. */
static void tell_loss(void)
{
	help_record_folder(folder);
	help_traffic_begin(&traffic, folder, START_NS, help_policy);
	help_traffic_run(&traffic, 2000);
	help_traffic_loss(&traffic, 0, OC_REPORT_HOST, 30, 1);
	help_traffic_run(&traffic, 8000);
	help_traffic_quiet(&traffic, 0);
	help_traffic_run(&traffic, 20000);
}

static void test_oev_replay_loss_comes_out_the_same(void)
{
	tell_loss();
	help_traffic_end(&traffic);
	CU_ASSERT_TRUE(traffic.refused > 200);
	again(NULL);
	assert_identical(30000);
	CU_ASSERT_EQUAL(result.life_count, 1);
	CU_ASSERT_TRUE(result.lives[0].same_core);
	forget();
}

static void test_oev_replay_realm_and_peer_reports_come_out_the_same(void)
{
	help_record_folder(folder);
	help_traffic_begin(&traffic, folder, START_NS, help_policy);
	traffic.apps = 3;
	help_traffic_loss(&traffic, 1, OC_REPORT_REALM, 20, 30);
	help_traffic_run(&traffic, 3000);
	help_traffic_loss(&traffic, 2, OC_REPORT_PEER, 60, 30);
	help_traffic_run(&traffic, 5000);
	help_traffic_loss(&traffic, 3, OC_REPORT_HOST, 100, 1);
	help_traffic_run(&traffic, 20000);
	help_traffic_end(&traffic);
	CU_ASSERT_TRUE(traffic.diverted > 0);
	again(NULL);
	assert_identical(28000);
	forget();
}

static void test_oev_replay_rates_and_loads_come_out_the_same(void)
{
	help_record_folder(folder);
	help_traffic_begin(&traffic, folder, START_NS, help_policy);
	for (uint32_t i = 0; i < HELP_SERVERS; i++)
		traffic.servers[i].has_load = true;
	traffic.servers[1].load = OC_LOAD_IDLE;
	help_traffic_rate(&traffic, 0, 50, 60);
	help_traffic_run(&traffic, 5000);
	traffic.servers[2].load = 20000;
	help_traffic_rate(&traffic, 0, 20, 60);
	help_traffic_run(&traffic, 10000);
	help_traffic_end(&traffic);
	CU_ASSERT_TRUE(traffic.refused > 100);
	again(NULL);
	assert_identical(15000);
	forget();
}

static void test_oev_replay_own_reports_come_out_the_same(void)
{
	help_record_folder(folder);
	help_traffic_begin(&traffic, folder, START_NS, help_policy);
	help_traffic_run(&traffic, 1000);
	help_traffic_order(&traffic, 40);
	help_traffic_run(&traffic, 9000);
	help_traffic_pass(&traffic, 20 * SECOND);
	help_traffic_run(&traffic, 1000);
	help_traffic_withdraw(&traffic);
	help_traffic_run(&traffic, 5000);
	help_traffic_pass(&traffic, 20 * SECOND);
	help_traffic_run(&traffic, 1000);
	help_traffic_end(&traffic);
	CU_ASSERT_TRUE(traffic.refused > 100);
	again(NULL);
	assert_identical(17000);
	forget();
}

static void test_oev_replay_observation_comes_out_the_same(void)
{
	char policy[1024];

	help_record_folder(folder);
	snprintf(policy, sizeof(policy), "mode: observe\nsampler: random\noutstanding_max: 20\n%s",
		 help_policy);
	help_traffic_begin(&traffic, folder, START_NS, policy);
	help_traffic_loss(&traffic, 0, OC_REPORT_HOST, 50, 60);
	help_traffic_run(&traffic, 10000);
	help_traffic_end(&traffic);
	CU_ASSERT_EQUAL(traffic.refused, 0);
	again(NULL);
	assert_identical(10000);
	forget();
}

static void test_oev_replay_policies_take_turns(void)
{
	char policy[1024];

	help_record_folder(folder);
	help_traffic_begin(&traffic, folder, START_NS, help_policy);
	help_traffic_loss(&traffic, 0, OC_REPORT_HOST, 50, 60);
	help_traffic_run(&traffic, 5000);
	snprintf(policy, sizeof(policy), "sampler: random\n%s", help_policy);
	help_traffic_policy(&traffic, policy, 2);
	help_traffic_run(&traffic, 5000);
	help_traffic_policy(&traffic, "{}", 3);
	help_traffic_run(&traffic, 5000);
	help_traffic_end(&traffic);
	again(NULL);
	assert_identical(15000);
	CU_ASSERT_EQUAL(result.lives[0].policy_first, 1);
	CU_ASSERT_EQUAL(result.lives[0].policy_last, 3);
	forget();
}

static void test_oev_replay_full_peers_and_failover_come_out_the_same(void)
{
	char policy[1024];

	help_record_folder(folder);
	snprintf(policy, sizeof(policy), "outstanding_max: 12\n%s", help_policy);
	help_traffic_begin(&traffic, folder, START_NS, policy);
	help_traffic_loss(&traffic, 2, OC_REPORT_PEER, 40, 60);
	help_traffic_run(&traffic, 3000);
	help_traffic_peer(&traffic, 1, false);
	help_traffic_run(&traffic, 3000);
	help_traffic_peer(&traffic, 1, true);
	help_traffic_peer(&traffic, 0, false);
	help_traffic_run(&traffic, 3000);
	for (uint32_t i = 1; i < HELP_SERVERS; i++)
		help_traffic_peer(&traffic, i, false);
	help_traffic_run(&traffic, 100); /* nobody is there */
	help_traffic_end(&traffic);
	again(NULL);
	assert_identical(9100);
	forget();
}

static void test_oev_replay_every_life_begins_anew(void)
{
	tell_loss();
	help_traffic_end(&traffic);
	help_traffic_begin(&traffic, folder, START_NS + 10 * SECOND, help_policy);
	help_traffic_loss(&traffic, 1, OC_REPORT_HOST, 70, 60);
	help_traffic_run(&traffic, 5000);
	help_traffic_end(&traffic);
	again(NULL);
	assert_identical(35000);
	CU_ASSERT_EQUAL(result.life_count, 2);
	CU_ASSERT_TRUE(result.lives[0].started_us < result.lives[1].started_us);
	forget();
}

/* --- what was altered --- */

static void assert_named(const char *sql, uint64_t id, const char *field)
{
	tell_loss();
	help_traffic_end(&traffic);
	help_evidence_alter(folder, sql);
	again(NULL);
	CU_ASSERT_EQUAL(result.outcome, OEV_REPLAY_DIFFERS);
	CU_ASSERT_EQUAL(oev_replay_exit(result.outcome), 1);
	CU_ASSERT_FATAL(result.difference_count > 0);
	CU_ASSERT_EQUAL(result.differences[0].recorded.id, id);
	CU_ASSERT_STRING_EQUAL(result.differences[0].field, field);
	forget();
}

/* The first decision of the loss life that was drawn for a host and let through, or refused. */
static uint64_t drawn(const char *verdict)
{
	char sql[256];

	tell_loss();
	help_traffic_end(&traffic);
	snprintf(sql, sizeof(sql),
		 "SELECT d.id FROM decision d JOIN way w ON w.id = d.way WHERE d.host_nth > 10"
		 " AND d.random IS NOT NULL AND w.verdict = %s ORDER BY d.id LIMIT 1",
		 verdict);
	uint64_t id = (uint64_t)help_evidence_get(folder, sql);
	forget();
	return id;
}

static void test_oev_replay_names_an_altered_share(void)
{
	uint64_t id = drawn("0");
	char sql[128];

	snprintf(sql, sizeof(sql), "UPDATE decision SET host_share = host_share + 1 WHERE id = %llu",
		 (unsigned long long)id);
	assert_named(sql, id, "host");
}

static void test_oev_replay_names_an_altered_verdict(void)
{
	uint64_t id = drawn("2");
	char sql[256];

	snprintf(sql, sizeof(sql),
		 "UPDATE decision SET way = (SELECT way FROM decision WHERE id = 5) WHERE id = %llu",
		 (unsigned long long)id);
	assert_named(sql, id, "selected_by");
}

static void test_oev_replay_names_an_altered_chance(void)
{
	uint64_t id = drawn("2");
	char sql[128];

	tell_loss();
	help_traffic_end(&traffic);
	/* the highest chance selects as few as may be */
	snprintf(sql, sizeof(sql),
		 "UPDATE decision SET random = random | 4294967295 WHERE id BETWEEN %llu AND %llu",
		 (unsigned long long)id, (unsigned long long)id + 99);
	help_evidence_alter(folder, sql);
	again(NULL);
	CU_ASSERT_EQUAL(result.outcome, OEV_REPLAY_DIFFERS);
	CU_ASSERT_FATAL(result.difference_count > 0);
	CU_ASSERT_TRUE(result.differences[0].recorded.id >= id &&
		       result.differences[0].recorded.id < id + 100);
	CU_ASSERT_STRING_EQUAL(result.differences[0].field, "selected_by");
	forget();
}

static void test_oev_replay_says_what_went_into_a_difference(void)
{
	uint64_t id = drawn("0");
	char sql[128];
	const struct oev_difference *first;

	tell_loss();
	help_traffic_end(&traffic);
	snprintf(sql, sizeof(sql), "UPDATE decision SET host_share = 1 WHERE id >= %llu AND host_nth > 0",
		 (unsigned long long)id);
	help_evidence_alter(folder, sql);
	again(NULL);
	CU_ASSERT_TRUE(result.total.differing > OEV_DIFFERENCES_LISTED);
	CU_ASSERT_EQUAL_FATAL(result.difference_count, OEV_DIFFERENCES_LISTED);
	first = &result.differences[0];
	CU_ASSERT_EQUAL(first->recorded.id, id);
	CU_ASSERT_EQUAL(first->recorded.host.share_ppm, 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(first->states[OC_SCOPE_HOST].text, "host s1.example.net: loss 30 %"));
	CU_ASSERT_PTR_NOT_NULL(strstr(first->candidates, "s1.example.net (9)"));
	CU_ASSERT_STRING_EQUAL(first->dest_host, "s1.example.net");
	CU_ASSERT_STRING_EQUAL(first->origin_realm, "example.net");
	CU_ASSERT_EQUAL(first->wall_us, HELP_WALL_US + first->recorded.at_ns / 1000);
	forget();
}

static void test_oev_replay_stops_at_the_first(void)
{
	const struct oev_replay_options options = { .stop_at_first = true };

	tell_loss();
	help_traffic_end(&traffic);
	help_evidence_alter(folder, "UPDATE decision SET host_share = 1 WHERE host_nth > 0");
	again(&options);
	CU_ASSERT_EQUAL(result.outcome, OEV_REPLAY_DIFFERS);
	forget();
}

/* --- what cannot be told --- */

static void assert_unsure(const char *why)
{
	CU_ASSERT_EQUAL(result.outcome, OEV_REPLAY_UNSURE);
	CU_ASSERT_EQUAL(oev_replay_exit(result.outcome), 3);
	CU_ASSERT_FATAL(result.life_count > 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(result.lives[0].why, why));
	if (!strstr(result.lives[0].why, why))
		printf("\n  %s\n", result.lives[0].why);
}

static void test_oev_replay_without_a_decision_cannot_tell(void)
{
	uint64_t id = drawn("0");
	char sql[128], why[64];

	tell_loss();
	help_traffic_end(&traffic);
	snprintf(sql, sizeof(sql), "DELETE FROM decision WHERE id = %llu", (unsigned long long)id);
	help_evidence_alter(folder, sql);
	again(NULL);
	snprintf(why, sizeof(why), "decision %llu is not in it", (unsigned long long)id);
	assert_unsure(why);
	CU_ASSERT_EQUAL(result.total.missing, 1);
	CU_ASSERT_EQUAL(result.total.unknown, 1);
	forget();
}

static void test_oev_replay_without_candidates_cannot_tell(void)
{
	tell_loss();
	help_traffic_end(&traffic);
	help_evidence_alter(folder, "UPDATE way SET candidates = NULL");
	again(NULL);
	assert_unsure("candidates of ");
	CU_ASSERT_TRUE(result.total.inexact > 20000);
	CU_ASSERT_EQUAL(result.total.differing, 0);
	forget();
}

static void test_oev_replay_without_the_first_part_cannot_tell(void)
{
	tell_loss();
	help_traffic_end(&traffic);
	help_evidence_alter(folder, "UPDATE meta SET value = '2' WHERE key = 'part'");
	again(NULL);
	assert_unsure("its first part is not there");
	CU_ASSERT_EQUAL(result.total.decisions, 0);
	CU_ASSERT_EQUAL(result.total.beyond, 30000);
	forget();
}

static void test_oev_replay_after_a_gap_cannot_tell(void)
{
	tell_loss();
	help_traffic_end(&traffic);
	help_evidence_alter(folder,
			    "INSERT INTO gap VALUES (1000500000000, 1796000000000000 + 1000500000, 7, 'x')");
	again(NULL);
	assert_unsure("7 events were lost");
	forget();
}

static void test_oev_replay_needs_to_know_how_the_agent_began(void)
{
	tell_loss();
	help_traffic_end(&traffic);
	help_evidence_alter(folder, "DELETE FROM meta WHERE key = 'core.ocs_max'");
	again(NULL);
	assert_unsure("meta core.*");
	forget();
}

static void test_oev_replay_of_a_killed_life_ends_where_it_ended(void)
{
	tell_loss();
	help_traffic_kill(&traffic);
	help_evidence_alter(folder, "UPDATE meta SET value = 'recovered' WHERE key = 'closed_how'");
	again(NULL);
	assert_identical(30000);
	forget();
}

/* --- what cannot be used --- */

static void test_oev_replay_refuses_what_is_no_evidence(void)
{
	help_record_folder(folder);
	again(NULL);
	CU_ASSERT_EQUAL(result.outcome, OEV_REPLAY_UNUSABLE);
	CU_ASSERT_EQUAL(oev_replay_exit(result.outcome), 4);
	forget();
	snprintf(folder, sizeof(folder), "/nonexistent/evidence");
	again(NULL);
	CU_ASSERT_EQUAL(result.outcome, OEV_REPLAY_UNUSABLE);
	oev_replay_fini(&result);
}

static void test_oev_replay_refuses_numbers_that_lead_nowhere(void)
{
	tell_loss();
	help_traffic_end(&traffic);
	help_evidence_alter(folder, "UPDATE decision SET flow = 999999999 WHERE id = 77");
	again(NULL);
	CU_ASSERT_EQUAL(result.outcome, OEV_REPLAY_UNUSABLE);
	CU_ASSERT_PTR_NOT_NULL(strstr(result.error, "decision 77 "));
	help_evidence_alter(folder, "UPDATE decision SET flow = 1 WHERE id = 77;"
				    "UPDATE name SET text = 'c2.example.net' WHERE text = 'c1.example.net'");
	again(NULL);
	CU_ASSERT_EQUAL(result.outcome, OEV_REPLAY_UNUSABLE);
	help_evidence_alter(folder, "UPDATE name SET text = 'c1.example.net' WHERE id ="
				    " (SELECT min(id) FROM name WHERE text = 'c2.example.net');"
				    "UPDATE policy SET text = 'no: policy'");
	again(NULL);
	CU_ASSERT_EQUAL(result.outcome, OEV_REPLAY_UNUSABLE);
	CU_ASSERT_PTR_NOT_NULL(strstr(result.error, "policy v1:1:1"));
	forget();
}

/* --- windows and nodes --- */

static void test_oev_replay_compares_the_window_alone(void)
{
	struct oev_replay_options options = {
		.lives = { .since_us = HELP_WALL_US + (START_NS + SECOND) / 1000,
			   .until_us = HELP_WALL_US + (START_NS + 2 * SECOND) / 1000 }
	};

	tell_loss();
	help_traffic_end(&traffic);
	again(&options);
	CU_ASSERT_EQUAL(result.outcome, OEV_REPLAY_IDENTICAL);
	CU_ASSERT_TRUE(result.total.decisions > 9990 && result.total.decisions <= 10001);
	options = (struct oev_replay_options){ .lives.last_us = 500000 };
	again(&options);
	CU_ASSERT_TRUE(result.total.decisions > 4900 && result.total.decisions <= 5001);
	options = (struct oev_replay_options){ .lives.since_us = UINT64_MAX - 1 };
	again(&options);
	CU_ASSERT_EQUAL(result.outcome, OEV_REPLAY_UNSURE);
	forget();
}

static void test_oev_replay_looks_at_one_node(void)
{
	struct oev_replay_options options = { .lives.node = "AGENT.example.net" };

	tell_loss();
	help_traffic_end(&traffic);
	again(&options);
	assert_identical(30000);
	options.lives.node = "other.example.net";
	again(&options);
	CU_ASSERT_EQUAL(result.outcome, OEV_REPLAY_UNUSABLE);
	forget();
}

static json_t *json_of(void)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	CU_ASSERT_EQUAL(oev_replay_json(&result, "doic test", 1.5, out), 0);
	fclose(out);
	json_t *object = json_loads(text, 0, NULL);
	free(text);
	CU_ASSERT_PTR_NOT_NULL_FATAL(object);
	return object;
}

static void test_oev_replay_json_has_the_same_keys_whatever_came_out(void)
{
	const char *key;
	json_t *value, *whole, *failed;

	tell_loss();
	help_traffic_end(&traffic);
	help_evidence_alter(folder, "UPDATE decision SET host_share = 1 WHERE host_nth > 0");
	again(NULL);
	whole = json_of();
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(whole, "schema")), "doic.replay/1");
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(whole, "outcome")), "differs");
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(whole, "exit")), 1);
	CU_ASSERT_EQUAL(json_array_size(json_object_get(whole, "differences")), OEV_DIFFERENCES_LISTED);
	forget();
	snprintf(folder, sizeof(folder), "/nonexistent/evidence");
	again(NULL);
	failed = json_of();
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(failed, "outcome")), "unusable");
	json_object_foreach(whole, key, value) CU_ASSERT_PTR_NOT_NULL(json_object_get(failed, key));
	CU_ASSERT_EQUAL(json_object_size(whole), json_object_size(failed));
	json_decref(whole);
	json_decref(failed);
	oev_replay_fini(&result);
}

static bool stop_at_once(void *ctx)
{
	(void)ctx;
	return true;
}

static void test_oev_replay_stops_when_told(void)
{
	const struct oev_replay_options options = { .lives.stop = stop_at_once };

	tell_loss();
	help_traffic_end(&traffic);
	again(&options);
	CU_ASSERT_EQUAL(result.outcome, OEV_REPLAY_INTERRUPTED);
	CU_ASSERT_EQUAL(oev_replay_exit(result.outcome), 130);
	forget();
}

void test_oev_replay_suite(void)
{
	CU_TestInfo tests[] = {
		{ "loss_comes_out_the_same", test_oev_replay_loss_comes_out_the_same },
		{ "realm_and_peer_reports_come_out_the_same",
		  test_oev_replay_realm_and_peer_reports_come_out_the_same },
		{ "rates_and_loads_come_out_the_same", test_oev_replay_rates_and_loads_come_out_the_same },
		{ "own_reports_come_out_the_same", test_oev_replay_own_reports_come_out_the_same },
		{ "observation_comes_out_the_same", test_oev_replay_observation_comes_out_the_same },
		{ "policies_take_turns", test_oev_replay_policies_take_turns },
		{ "full_peers_and_failover_come_out_the_same",
		  test_oev_replay_full_peers_and_failover_come_out_the_same },
		{ "every_life_begins_anew", test_oev_replay_every_life_begins_anew },
		{ "names_an_altered_share", test_oev_replay_names_an_altered_share },
		{ "names_an_altered_verdict", test_oev_replay_names_an_altered_verdict },
		{ "names_an_altered_chance", test_oev_replay_names_an_altered_chance },
		{ "says_what_went_into_a_difference", test_oev_replay_says_what_went_into_a_difference },
		{ "stops_at_the_first", test_oev_replay_stops_at_the_first },
		{ "without_a_decision_cannot_tell", test_oev_replay_without_a_decision_cannot_tell },
		{ "without_candidates_cannot_tell", test_oev_replay_without_candidates_cannot_tell },
		{ "without_the_first_part_cannot_tell", test_oev_replay_without_the_first_part_cannot_tell },
		{ "after_a_gap_cannot_tell", test_oev_replay_after_a_gap_cannot_tell },
		{ "needs_to_know_how_the_agent_began", test_oev_replay_needs_to_know_how_the_agent_began },
		{ "of_a_killed_life_ends_where_it_ended",
		  test_oev_replay_of_a_killed_life_ends_where_it_ended },
		{ "refuses_what_is_no_evidence", test_oev_replay_refuses_what_is_no_evidence },
		{ "refuses_numbers_that_lead_nowhere", test_oev_replay_refuses_numbers_that_lead_nowhere },
		{ "compares_the_window_alone", test_oev_replay_compares_the_window_alone },
		{ "looks_at_one_node", test_oev_replay_looks_at_one_node },
		{ "json_has_the_same_keys_whatever_came_out",
		  test_oev_replay_json_has_the_same_keys_whatever_came_out },
		{ "stops_when_told", test_oev_replay_stops_when_told },
		CU_TEST_INFO_NULL,
	};
	CU_SuiteInfo suites[] = { { "oev_replay", NULL, NULL, NULL, NULL, tests }, CU_SUITE_INFO_NULL };

	CU_register_suites(suites);
}
