/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * End-to-end tests of client and server, directly connected.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dt_net.h"
#include "help_pair.h"
#include "help_pcap.h"

void test_dt_pair_suite(void);

static void test_dt_pair_counts_agree_over_ten_thousand_requests(void)
{
	struct help_pair pair;

	help_pair_init(&pair);
	pair.client.count = 10000;
	pair.client.template = "mix";
	pair.client.common.doic = true;
	pair.server.common.doic = true;
	help_pair_start_server(&pair);
	CU_ASSERT_EQUAL(help_pair_run_client(&pair), 0);
	CU_ASSERT_EQUAL(help_pair_stop_server(&pair), 0);
	const char *both[] = { pair.client_json, pair.server_json };
	for (int i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL(help_json_number(both[i], "requests"), 10000);
		CU_ASSERT_EQUAL(help_json_number(both[i], "answers"), 10000);
		CU_ASSERT_EQUAL(help_json_number(both[i], "unanswered"), 0);
		CU_ASSERT_EQUAL(help_json_number(both[i], "by_result/2001"), 10000);
		CU_ASSERT_EQUAL(help_json_number(both[i], "doic/requests_with_sf"), 10000);
		CU_ASSERT_EQUAL(help_json_number(both[i], "doic/answers_with_sf"), 10000);
		CU_ASSERT_EQUAL(help_json_number(both[i], "doic/answers_with_olr"), 0);
		CU_ASSERT_EQUAL(help_json_number(both[i], "malformed"), 0);
	}
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, "by_answering_host/s1.example.net/answers"),
			10000);
	help_pair_fini(&pair);
}

static void test_dt_pair_counters_have_their_format(void)
{
	struct help_pair pair;

	help_pair_init(&pair);
	pair.client.count = 500;
	pair.client.template = "gy";
	pair.client.sessions = 20;
	dt_mix_results("2001=1,5012=1", &pair.server.mix);
	help_pair_start_server(&pair);
	CU_ASSERT_EQUAL(help_pair_run_client(&pair), 0);
	CU_ASSERT_EQUAL(help_pair_stop_server(&pair), 0);
	json_t *root = json_load_file(pair.server_counters, 0, NULL);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(root, "schema")), "doic.counters/1");
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(root, "role")), "server");
	json_t *series = json_object_get(json_object_get(root, "series"), "requests");
	long long sum = 0;
	for (size_t i = 0; i < json_array_size(series); i++)
		sum += json_integer_value(json_array_get(series, i));
	CU_ASSERT_EQUAL(sum, 500);
	json_decref(root);
	long long useful = help_json_number(pair.server_counters, "apps/0/useful");
	CU_ASSERT(useful > 150 && useful < 350);
	CU_ASSERT_EQUAL(useful, help_json_number(pair.server_counters, "apps/0/by_result/2001"));
	CU_ASSERT_EQUAL(useful, help_json_number(pair.client_counters, "apps/0/by_result/2001"));
	CU_ASSERT_EQUAL(help_json_number(pair.client_counters, "apps/0/useful"), -1);
	CU_ASSERT_EQUAL(help_json_number(pair.client_counters, "apps/0/app_id"), 4);
	help_pair_fini(&pair);
}

/* Collects "kept" of the lines with @dir, keyed by end-to-end identifier. */
static json_t *kept_of(const char *path, const char *dir)
{
	json_t *all = json_object();
	FILE *file = fopen(path, "r");
	static char line[200000];

	while (file && fgets(line, sizeof(line), file)) {
		json_t *one = json_loads(line, 0, NULL);
		char key[32];
		snprintf(key, sizeof(key), "%lld",
			 (long long)json_integer_value(json_object_get(one, "e2e")));
		if (strcmp(json_string_value(json_object_get(one, "dir")), dir) == 0)
			json_object_set(all, key, json_object_get(one, "kept"));
		json_decref(one);
	}
	if (file)
		fclose(file);
	return all;
}

static void test_dt_pair_records_agree_octet_for_octet(void)
{
	const char *ways[2][2] = { { "tx", "rx" }, { "rx", "tx" } };
	struct help_pair pair;

	help_pair_init(&pair);
	pair.client.count = 300;
	pair.client.template = "mix";
	pair.client.common.record_path = pair.client_record;
	pair.server.common.record_path = pair.server_record;
	help_pair_start_server(&pair);
	CU_ASSERT_EQUAL(help_pair_run_client(&pair), 0);
	CU_ASSERT_EQUAL(help_pair_stop_server(&pair), 0);
	for (int i = 0; i < 2; i++) {
		json_t *client = kept_of(pair.client_record, ways[i][0]);
		json_t *server = kept_of(pair.server_record, ways[i][1]);
		CU_ASSERT_EQUAL(json_object_size(client), 300);
		CU_ASSERT_TRUE(json_equal(client, server));
		json_decref(client);
		json_decref(server);
	}
	help_pair_fini(&pair);
}

/* The requests a server received, by Session-Id: a string of their CC-Request-Types, or lengths modulo 10. */
static json_t *lives_of(const char *path)
{
	json_t *lives = json_object();
	FILE *file = fopen(path, "r");
	static char line[200000];

	while (file && fgets(line, sizeof(line), file)) {
		json_t *one = json_loads(line, 0, NULL);
		uint8_t msg[4096];
		struct dt_scan scan;
		size_t len = 0;
		char key[128], story[128];

		dt_hex_decode(json_string_value(json_object_get(one, "hex")), msg, sizeof(msg), &len);
		if (json_is_true(json_object_get(one, "request")) && dt_scan_msg(&scan, msg, len) == OC_OK) {
			snprintf(key, sizeof(key), "%.*s", (int)scan.session.len,
				 (const char *)scan.session.data);
			const char *before = json_string_value(json_object_get(lives, key));
			uint32_t what =
				scan.cc_type.code ? dt_get_u32(scan.cc_type.data) : (uint32_t)len % 10;
			snprintf(story, sizeof(story), "%s%u", before ? before : "", what);
			json_object_set_new(lives, key, json_string(story));
		}
		json_decref(one);
	}
	if (file)
		fclose(file);
	return lives;
}

static void test_dt_pair_sessions_live_whole_lives_in_order(void)
{
	struct help_pair pair;
	const char *key;
	json_t *story;

	help_pair_init(&pair);
	pair.client.count = 400;
	pair.client.sessions = 10;
	pair.server.common.record_path = pair.server_record;
	help_pair_start_server(&pair);
	CU_ASSERT_EQUAL(help_pair_run_client(&pair), 0);
	CU_ASSERT_EQUAL(help_pair_stop_server(&pair), 0);
	json_t *lives = lives_of(pair.server_record);
	CU_ASSERT_EQUAL(json_object_size(lives), 100);
	json_object_foreach(lives, key, story) CU_ASSERT_STRING_EQUAL(json_string_value(story), "1223");
	json_decref(lives);
	help_pair_fini(&pair);
}

static void test_dt_pair_replays_a_capture_once_and_in_order(void)
{
	const char *sessions[] = { "a", "b", "a", "c", "b", "a" };
	struct help_pcap capture;
	struct help_pair pair;
	uint8_t buffer[512];
	const char *key;
	json_t *story;
	size_t whole = 0;

	help_pcap_open(&capture);
	for (uint32_t i = 0; i < 6; i++) {
		size_t len = help_request(buffer, sizeof(buffer), sessions[i], 4 * i);
		help_pcap_sctp(&capture, i, 3, buffer, len);
	}
	help_pcap_close(&capture);
	help_pair_init(&pair);
	pair.client.capture_path = capture.path;
	pair.client.multiply = 2;
	pair.server.common.record_path = pair.server_record;
	help_pair_start_server(&pair);
	CU_ASSERT_EQUAL(help_pair_run_client(&pair), 0);
	CU_ASSERT_EQUAL(help_pair_stop_server(&pair), 0);
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, "requests"), 12);
	json_t *lives = lives_of(pair.server_record);
	CU_ASSERT_EQUAL(json_object_size(lives), 6);
	json_object_foreach(lives, key, story)
	{
		/* Lengths grow by 4 with the place in the capture: "a" is first, third and last. */
		const char *text = json_string_value(story);
		size_t count = strlen(text);
		for (size_t i = 1; i < count; i++)
			CU_ASSERT_EQUAL((10 + text[i] - text[i - 1]) % 10, count == 2 ? 2 : i == 1 ? 8 : 2);
		whole += count;
	}
	CU_ASSERT_EQUAL(whole, 12);
	json_decref(lives);
	unlink(capture.path);
	help_pair_fini(&pair);
}

static void test_dt_pair_reports_go_only_to_those_who_ask(void)
{
	struct help_pair pair;
	struct dt_report report;
	const char *why;
	char reply[4096];

	help_pair_init(&pair);
	pair.server.common.doic = true;
	CU_ASSERT_EQUAL(dt_report_parse("type=host,seq=7,pct=30,validity=10", 1, &report, &why), OC_OK);
	dt_reports_add(&pair.server.reports, &report);
	help_pair_start_server(&pair);
	pair.client.count = 100;
	CU_ASSERT_EQUAL(help_pair_run_client(&pair), 0);
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, "doic/answers_with_sf"), 0);
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, "doic/answers_with_olr"), 0);
	pair.client.common.doic = true;
	CU_ASSERT_EQUAL(help_pair_run_client(&pair), 0);
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, "doic/olr/host"), 100);
	help_pair_control(&pair, "report type=realm seq=1 pct=5", reply, sizeof(reply));
	CU_ASSERT_STRING_EQUAL(reply, "ok\n");
	CU_ASSERT_EQUAL(help_pair_run_client(&pair), 0);
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, "doic/olr/host"), 100);
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, "doic/olr/realm"), 100);
	help_pair_control(&pair, "report off", reply, sizeof(reply));
	CU_ASSERT_EQUAL(help_pair_run_client(&pair), 0);
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, "doic/answers_with_olr"), 0);
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, "doic/answers_with_sf"), 100);
	CU_ASSERT_EQUAL(help_pair_stop_server(&pair), 0);
	help_pair_fini(&pair);
}

static void test_dt_pair_control_mutes_counts_and_refuses_nonsense(void)
{
	struct help_pair pair;
	char reply[4096];

	help_pair_init(&pair);
	help_pair_start_server(&pair);
	help_pair_control(&pair, "mute 7", reply, sizeof(reply));
	CU_ASSERT_STRING_EQUAL(reply, "ok\n");
	pair.client.count = 100;
	pair.client.timeout_ns = 1000000000;
	CU_ASSERT_EQUAL(help_pair_run_client(&pair), 0);
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, "answers"), 93);
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, "timeouts"), 7);
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, "unanswered"), 7);
	help_pair_control(&pair, "jump", reply, sizeof(reply));
	CU_ASSERT_STRING_EQUAL(reply, "error: unknown command\n");
	help_pair_control(&pair, "stats", reply, sizeof(reply));
	json_t *stats = json_loads(reply, 0, NULL);
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(stats, "dropped")), 7);
	json_decref(stats);
	CU_ASSERT_EQUAL(help_pair_stop_server(&pair), 0);
	help_pair_fini(&pair);
}

static void test_dt_pair_stalls_and_goes_on(void)
{
	struct help_pair pair;
	char reply[64];

	help_pair_init(&pair);
	help_pair_start_server(&pair);
	pair.client.count = 200;
	CU_ASSERT_EQUAL(help_pair_run_client(&pair), 0);
	uint64_t began_ns = dt_now_ns();
	help_pair_control(&pair, "stall 300ms", reply, sizeof(reply));
	CU_ASSERT_EQUAL(help_pair_run_client(&pair), 0); /* its CER waits for the end of the stall */
	CU_ASSERT(dt_now_ns() - began_ns >= 300000000u);
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, "answers"), 200);
	CU_ASSERT_EQUAL(help_pair_stop_server(&pair), 0);
	help_pair_fini(&pair);
}

static void test_dt_pair_overload_is_answered_busy_at_the_capacity(void)
{
	struct help_pair pair;

	help_pair_init(&pair);
	pair.server.capacity_rps = 1000;
	pair.server.work.queue_max = 20;
	pair.client.rate_rps = 4000;
	pair.client.common.duration_ns = 500000000;
	help_pair_start_server(&pair);
	CU_ASSERT_EQUAL(help_pair_run_client(&pair), 0);
	CU_ASSERT_EQUAL(help_pair_stop_server(&pair), 0);
	long long good = help_json_number(pair.client_json, "by_result/2001");
	long long all = help_json_number(pair.client_json, "requests");
	CU_ASSERT(good > 50 && good < all / 2 &&
		  good < 800); /* 500 ms at 1000/s, on a machine that may be busy */
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, "by_result/3004"), all - good);
	help_pair_fini(&pair);
}

static void test_dt_pair_a_dead_server_fails_the_client(void)
{
	struct help_pair pair;
	char reply[64];

	help_pair_init(&pair);
	help_pair_start_server(&pair);
	help_pair_control(&pair, "die", reply, sizeof(reply));
	int status = -1;
	waitpid(pair.server_pid, &status, 0);
	CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	close(pair.server.listen_fd);
	pair.server.listen_fd = -1;
	pair.client.count = 1;
	CU_ASSERT_EQUAL(help_pair_run_client(&pair), 1);
	help_pair_fini(&pair);
}

void test_dt_pair_suite(void)
{
	CU_pSuite suite = CU_add_suite("dt_pair", NULL, NULL);
	CU_add_test(suite, "ten_thousand", test_dt_pair_counts_agree_over_ten_thousand_requests);
	CU_add_test(suite, "counters", test_dt_pair_counters_have_their_format);
	CU_add_test(suite, "records", test_dt_pair_records_agree_octet_for_octet);
	CU_add_test(suite, "sessions", test_dt_pair_sessions_live_whole_lives_in_order);
	CU_add_test(suite, "capture", test_dt_pair_replays_a_capture_once_and_in_order);
	CU_add_test(suite, "reports", test_dt_pair_reports_go_only_to_those_who_ask);
	CU_add_test(suite, "mute", test_dt_pair_control_mutes_counts_and_refuses_nonsense);
	CU_add_test(suite, "stall", test_dt_pair_stalls_and_goes_on);
	CU_add_test(suite, "busy", test_dt_pair_overload_is_answered_busy_at_the_capacity);
	CU_add_test(suite, "die", test_dt_pair_a_dead_server_fails_the_client);
}
