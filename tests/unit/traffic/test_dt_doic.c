/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * End-to-end tests of the overload AVPs a client sends and of what both ends count of them.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "dt_record.h"
#include "help_pair.h"

void test_dt_doic_suite(void);

/* Runs one client of @count requests against a server. */
static void run(struct help_pair *pair, uint64_t count)
{
	pair->client.count = count;
	help_pair_start_server(pair);
	CU_ASSERT_EQUAL(help_pair_run_client(pair), 0);
	CU_ASSERT_EQUAL(help_pair_stop_server(pair), 0);
}

static void test_dt_client_announces_peer_reports_with_its_own_identity_per_connection(void)
{
	struct help_pair pair;

	help_pair_init(&pair);
	pair.client.peer_reports = true;
	pair.client.common.vector = 5;
	pair.client.connections = 2;
	strcpy(pair.client.common.me.host, "c#.example.net");
	run(&pair, 100);
	const char *where = "doic/requests/sources/c1.example.net";
	CU_ASSERT_EQUAL(help_json_number(pair.server_json, "doic/requests/vectors/0x15"), 100);
	CU_ASSERT_EQUAL(help_json_number(pair.server_json, where), 50);
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, where), 50);
	CU_ASSERT_EQUAL(help_json_number(pair.server_json, "doic/requests/sources/c2.example.net"), 50);
	help_pair_fini(&pair);
}

static void test_dt_client_lies_about_its_source_when_told(void)
{
	struct help_pair pair;

	help_pair_init(&pair);
	pair.client.peer_reports = true;
	pair.client.common.source_id = "stranger.example.org";
	run(&pair, 10);
	CU_ASSERT_EQUAL(help_json_number(pair.server_json, "doic/requests/sources/stranger.example.org"), 10);
	help_pair_fini(&pair);
	help_pair_init(&pair);
	pair.client.peer_reports = true;
	pair.client.common.source_id = "none";
	run(&pair, 10);
	CU_ASSERT_EQUAL(help_json_number(pair.server_json, "doic/requests/vectors/0x11"), 10);
	CU_ASSERT_EQUAL(help_json_number(pair.server_json, "doic/requests/sources/c1.example.net"), -1);
	help_pair_fini(&pair);
}

static void test_dt_client_without_doic_counts_as_such(void)
{
	struct help_pair pair;

	help_pair_init(&pair);
	run(&pair, 10);
	CU_ASSERT_EQUAL(help_json_number(pair.server_json, "doic/requests/without_sf"), 10);
	CU_ASSERT_EQUAL(help_json_number(pair.server_json, "doic/requests/with_sf"), 0);
	CU_ASSERT_EQUAL(help_json_number(pair.server_json, "doic/requests/drmp/none"), 10);
	help_pair_fini(&pair);
}

static void test_dt_client_mixes_priorities_and_counts_each(void)
{
	struct help_pair pair;

	help_pair_init(&pair);
	CU_ASSERT_EQUAL(dt_mix_parse("2=50,12=50", 0, 15, &pair.client.drmp), OC_OK);
	dt_mix_results("2001=50,3004=50", &pair.server.mix);
	run(&pair, 4000);
	long long high = help_json_number(pair.server_json, "doic/requests/drmp/2");
	CU_ASSERT(high > 1800 && high < 2200);
	CU_ASSERT_EQUAL(help_json_number(pair.server_json, "doic/requests/drmp/12"), 4000 - high);
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, "by_drmp/2/requests"), high);
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, "by_drmp/2/answers"), high);
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, "by_drmp/2/success") +
				help_json_number(pair.client_json, "by_drmp/2/refused"),
			high);
	CU_ASSERT(help_json_number(pair.client_json, "by_drmp/12/refused") > 800);
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, "by_drmp/12/by_result/3004"),
			help_json_number(pair.server_json, "by_drmp/12/refused"));
	help_pair_fini(&pair);
	CU_ASSERT_EQUAL(dt_mix_parse("16", 0, 15, &pair.client.drmp), OC_EINVAL);
	CU_ASSERT_EQUAL(dt_mix_parse("0=1,15=2", 0, 15, &pair.client.drmp), OC_OK);
}

static void test_dt_client_appends_the_octets_told(void)
{
	struct help_pair pair;
	uint8_t raw[64];
	size_t raw_len;

	help_pair_init(&pair);
	/* Service-URN "sos" of 3GPP, then Session-Priority 0: the first needs padding, which is told as well. */
	const char *hex = "0000020dc000000f000028af736f7300"
			  "0000028ac0000010000028af00000000";
	CU_ASSERT_EQUAL(dt_hex_decode(hex, raw, sizeof(raw), &raw_len), OC_OK);
	memcpy(pair.client.raw.data, raw, raw_len);
	pair.client.raw.len = raw_len;
	pair.server.common.record_path = pair.server_record;
	run(&pair, 1);
	CU_ASSERT_EQUAL(help_json_number(pair.server_json, "malformed"), 0);
	json_t *line = json_load_file(pair.server_record, JSON_DISABLE_EOF_CHECK, NULL);
	const char *kept = json_string_value(json_object_get(line, "kept"));
	CU_ASSERT(kept && strcmp(kept + strlen(kept) - strlen(hex), hex) == 0);
	json_decref(line);
	help_pair_fini(&pair);
}

static void test_dt_record_says_what_a_request_announced(void)
{
	struct help_pair pair;

	help_pair_init(&pair);
	pair.client.peer_reports = true;
	dt_mix_parse("3", 0, 15, &pair.client.drmp);
	pair.server.common.record_path = pair.server_record;
	run(&pair, 1);
	json_t *line = json_load_file(pair.server_record, JSON_DISABLE_EOF_CHECK, NULL);
	json_t *sf = json_object_get(line, "sf");
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(line, "drmp")), 3);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(line, "origin")), "c1.example.net");
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(sf, "vector")), 0x11);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(sf, "source")), "c1.example.net");
	json_decref(line);
	help_pair_fini(&pair);
}

static void test_dt_record_keeps_a_host_load_but_no_peer_load(void)
{
	uint8_t msg[256], kept[256];
	struct dt_out out, rest;

	dt_out_init(&out, msg, sizeof(msg));
	dt_msg_begin(&out, 0, DT_CMD_CC, 4);
	dt_put_load(&out, DT_LOAD_PEER, 1, "a1.example.net");
	size_t host_at = out.len;
	dt_put_load(&out, DT_LOAD_HOST, 2, "s1.example.net");
	dt_msg_end(&out);
	dt_out_init(&rest, kept, sizeof(kept));
	CU_ASSERT_EQUAL(dt_record_kept(msg, out.len, &rest), OC_OK);
	CU_ASSERT(rest.len == out.len - host_at && memcmp(kept, msg + host_at, rest.len) == 0);
}

static void test_dt_server_counts_each_origin_per_second(void)
{
	struct help_pair pair;
	long long sum = 0, seconds = 0;

	help_pair_init(&pair);
	pair.client.rate_rps = 500;
	pair.client.paced = true;
	pair.client.origins = 2;
	run(&pair, 600);
	for (int i = 0; i < 20; i++) {
		char where[96];
		snprintf(where, sizeof(where), "by_origin/c1-1.example.net/per_second/%d", i);
		long long got = help_json_number(pair.server_json, where);
		sum += got > 0 ? got : 0;
		seconds += got > 0;
	}
	CU_ASSERT_EQUAL(sum, help_json_number(pair.server_json, "by_origin/c1-1.example.net/requests"));
	CU_ASSERT_EQUAL(sum, 300);
	CU_ASSERT(seconds >= 2); /* 1.2 s of traffic touch at least two seconds */
	help_pair_fini(&pair);
}

void test_dt_doic_suite(void)
{
	CU_pSuite suite = CU_add_suite("dt_doic", NULL, NULL);
	CU_add_test(suite, "R-3 peer_reports",
		    test_dt_client_announces_peer_reports_with_its_own_identity_per_connection);
	CU_add_test(suite, "source_lie", test_dt_client_lies_about_its_source_when_told);
	CU_add_test(suite, "without_sf", test_dt_client_without_doic_counts_as_such);
	CU_add_test(suite, "P-3 drmp_mix", test_dt_client_mixes_priorities_and_counts_each);
	CU_add_test(suite, "avp", test_dt_client_appends_the_octets_told);
	CU_add_test(suite, "record", test_dt_record_says_what_a_request_announced);
	CU_add_test(suite, "L-16 L-17 record_load", test_dt_record_keeps_a_host_load_but_no_peer_load);
	CU_add_test(suite, "per_second", test_dt_server_counts_each_origin_per_second);
}
