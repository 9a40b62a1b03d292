/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the plain reacting node: which reports it takes in, and what they let pass.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "dt_bucket.h"
#include "dt_obey.h"
#include "dt_report.h"
#include "help_pair.h"

void test_dt_obey_suite(void);

#define S 1000000000ull
#define MS 1000000ull
#define GX 16777238u

/* What an answer of s1.example.net says. */
struct told {
	uint64_t vector; /* 0: no OC-Supported-Features */
	uint64_t peer_algo;
	const char *report; /* key=value pairs */
};

static void tell(struct dt_obey *obey, const struct told *told, uint64_t now_ns)
{
	const struct dt_report_to all = { .is_everything = true, .host = "s1.example.net" };
	struct dt_reports reports = { 0 };
	uint8_t msg[1024];
	struct dt_report report;
	struct dt_scan scan;
	struct dt_out out;
	const char *why;

	CU_ASSERT_EQUAL_FATAL(dt_report_parse(told->report, 1, &report, &why), OC_OK);
	dt_reports_add(&reports, &report);
	dt_out_init(&out, msg, sizeof(msg));
	dt_msg_begin(&out, 0, DT_CMD_CC, GX);
	dt_put_text(&out, OC_AVP_ORIGIN_HOST, 0, "s1.example.net");
	dt_put_text(&out, OC_AVP_ORIGIN_REALM, 0, "example.net");
	if (told->vector)
		dt_put_features(&out, told->vector, "a1.example.net", told->peer_algo);
	dt_reports_put(&reports, &all, &out);
	dt_msg_end(&out);
	CU_ASSERT_EQUAL(dt_scan_msg(&scan, msg, out.len), OC_OK);
	dt_obey_answer(obey, &scan, GX, "a1.example.net", now_ns);
}

/* How many of @count requests at one instant pass. */
static uint32_t pass(struct dt_obey *obey, uint32_t app_id, const char *host, uint32_t count, uint64_t now_ns)
{
	uint8_t msg[256];
	struct dt_scan scan;
	struct dt_out out;
	uint32_t passed = 0;

	dt_out_init(&out, msg, sizeof(msg));
	dt_msg_begin(&out, OC_FLAG_REQUEST, DT_CMD_CC, app_id);
	dt_put_text(&out, OC_AVP_DESTINATION_REALM, 0, "Example.net");
	if (host)
		dt_put_text(&out, OC_AVP_DESTINATION_HOST, 0, host);
	dt_msg_end(&out);
	dt_scan_msg(&scan, msg, out.len);
	for (uint32_t i = 0; i < count; i++)
		passed += dt_obey_allows(obey, &scan, app_id, "a1.example.net", now_ns);
	return passed;
}

static void test_dt_obey_host_report_matches_its_host_and_application_only(void)
{
	struct dt_obey *obey = dt_obey_new(1);

	tell(obey, &(struct told){ .vector = 1, .report = "type=host,seq=1,pct=100,validity=60" }, S);
	CU_ASSERT_EQUAL(pass(obey, GX, "S1.example.net", 10, 2 * S), 0);
	CU_ASSERT_EQUAL(pass(obey, GX, "s2.example.net", 10, 2 * S), 10);
	CU_ASSERT_EQUAL(pass(obey, 4, "s1.example.net", 10, 2 * S), 10);
	CU_ASSERT_EQUAL(pass(obey, GX, NULL, 10, 2 * S), 10);
	dt_obey_free(obey);
}

static void test_dt_obey_realm_report_spares_requests_to_a_host(void)
{
	struct dt_obey *obey = dt_obey_new(1);

	tell(obey, &(struct told){ .vector = 1, .report = "type=realm,seq=1,pct=100,validity=60" }, S);
	CU_ASSERT_EQUAL(pass(obey, GX, NULL, 10, 2 * S), 0);
	CU_ASSERT_EQUAL(pass(obey, GX, "s1.example.net", 10, 2 * S), 10);
	dt_obey_free(obey);
}

static void test_dt_obey_peer_report_counts_only_from_the_peer_itself(void)
{
	struct dt_obey *obey = dt_obey_new(1);
	struct told told = { .vector = 0x11, .peer_algo = 1 };

	told.report = "type=peer,seq=1,pct=100,validity=60,source=a2.example.net";
	tell(obey, &told, S);
	CU_ASSERT_EQUAL(dt_obey_counts(obey)->foreign, 1);
	CU_ASSERT_EQUAL(pass(obey, GX, "s1.example.net", 10, 2 * S), 10);
	told.report = "type=peer,seq=1,pct=100,validity=60,source=A1.example.net";
	tell(obey, &told, S);
	CU_ASSERT_EQUAL(pass(obey, GX, "s1.example.net", 10, 2 * S), 0);
	CU_ASSERT_EQUAL(pass(obey, GX, NULL, 10, 2 * S), 0);
	dt_obey_free(obey);
}

static void test_dt_obey_loss_treats_its_share(void)
{
	struct dt_obey *obey = dt_obey_new(1);

	tell(obey, &(struct told){ .vector = 1, .report = "type=host,seq=1,pct=25,validity=60" }, S);
	uint32_t passed = pass(obey, GX, "s1.example.net", 10000, 2 * S);
	CU_ASSERT(passed > 7500 - 173 && passed < 7500 + 173);
	dt_obey_free(obey);
}

static void test_dt_obey_takes_higher_sequence_numbers_only_and_wraps(void)
{
	const struct {
		const char *first, *second;
		uint32_t passed;
	} rows[] = {
		{ "seq=6,pct=100", "seq=7,pct=0", 10 },
		{ "seq=6,pct=100", "seq=6,pct=0", 0 },
		{ "seq=6,pct=100", "seq=5,pct=0,validity=0", 0 },
		{ "seq=18446744073709551615,pct=100", "seq=0,pct=0", 10 },
		{ "seq=18262276632972456099,pct=100", "seq=184467440737095516,pct=0", 10 },
		{ "seq=18262276632972456098,pct=100", "seq=0,pct=0", 0 },
		{ "seq=18446744073709551615,pct=100", "seq=184467440737095517,pct=0", 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct dt_obey *obey = dt_obey_new(1);
		tell(obey, &(struct told){ .vector = 1, .report = rows[i].first }, S);
		tell(obey, &(struct told){ .vector = 1, .report = rows[i].second }, 2 * S);
		CU_ASSERT_EQUAL(pass(obey, GX, "s1.example.net", 10, 3 * S), rows[i].passed);
		dt_obey_free(obey);
	}
}

static void test_dt_obey_validity_counts_from_the_first_reception(void)
{
	const struct {
		const char *report;
		uint64_t end_s;
	} rows[] = { { "seq=1,pct=100", 30 },
		     { "seq=1,pct=100,validity=5", 5 },
		     { "seq=1,pct=100,validity=86400", 86400 },
		     { "seq=1,pct=100,validity=86401", 30 },
		     { "seq=1,pct=100,validity=0", 0 } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct dt_obey *obey = dt_obey_new(1);
		const struct told told = { .vector = 1, .report = rows[i].report };
		tell(obey, &told, S);
		if (rows[i].end_s > 1) {
			tell(obey, &told, 2 * S); /* a repetition extends nothing */
			CU_ASSERT_EQUAL(pass(obey, GX, "s1.example.net", 10, S + rows[i].end_s * S - 1), 0);
		}
		CU_ASSERT_EQUAL(pass(obey, GX, "s1.example.net", 10, S + rows[i].end_s * S), 10);
		dt_obey_free(obey);
	}
}

static void test_dt_obey_ended_entry_refuses_old_numbers_for_a_while(void)
{
	struct dt_obey *obey = dt_obey_new(1);

	tell(obey, &(struct told){ .vector = 1, .report = "seq=9,validity=0" }, S);
	tell(obey, &(struct told){ .vector = 1, .report = "seq=8,pct=100" }, 2 * S);
	CU_ASSERT_EQUAL(pass(obey, GX, "s1.example.net", 10, 3 * S), 10);
	tell(obey, &(struct told){ .vector = 1, .report = "seq=8,pct=100" }, 31 * S);
	CU_ASSERT_EQUAL(pass(obey, GX, "s1.example.net", 10, 32 * S), 0);
	dt_obey_free(obey);
}

static void test_dt_obey_ignores_what_makes_no_sense(void)
{
	const struct told rows[] = {
		{ 0, 0, "seq=1,pct=100" },	     { 1, 0, "seq=1" },
		{ 1, 0, "seq=1,pct=101" },	     { 1, 0, "seq=none,pct=100" },
		{ 4, 0, "seq=1,pct=100" },	     { 1, 0, "seq=1,rate=0" },
		{ 1, 0, "seq=1,pct=100,type=none" }, { 1, 0, "seq=1,pct=100,type=7" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct dt_obey *obey = dt_obey_new(1);
		tell(obey, &rows[i], S);
		CU_ASSERT_EQUAL(dt_obey_counts(obey)->useless, 1);
		CU_ASSERT_EQUAL(pass(obey, GX, "s1.example.net", 10, 2 * S), 10);
		dt_obey_free(obey);
	}
}

static void test_dt_obey_rate_is_the_algorithm_selected_for_the_type(void)
{
	struct dt_obey *obey = dt_obey_new(1);

	tell(obey, &(struct told){ 0x11, 4, "type=peer,seq=1,rate=10,source=a1.example.net" }, S);
	CU_ASSERT_EQUAL(pass(obey, GX, NULL, 20, 10 * S), 5); /* 1 + TAU/T at once */
	tell(obey, &(struct told){ 0x11, 1, "type=peer,seq=2,pct=0,source=a1.example.net" }, 11 * S);
	CU_ASSERT_EQUAL(pass(obey, GX, NULL, 20, 11 * S), 20);
	tell(obey, &(struct told){ 0x15, 4, "type=peer,seq=3,rate=0,source=a1.example.net" }, 12 * S);
	CU_ASSERT_EQUAL(pass(obey, GX, NULL, 20, 13 * S), 0);
	dt_obey_free(obey);
}

static void test_dt_obey_new_rate_keeps_the_bucket_as_full_as_it_is(void)
{
	struct dt_obey *obey = dt_obey_new(1);

	tell(obey, &(struct told){ 4, 0, "type=realm,seq=1,rate=10,validity=5" }, S);
	CU_ASSERT_EQUAL(pass(obey, GX, NULL, 20, 2 * S), 5);
	tell(obey, &(struct told){ 4, 0, "type=realm,seq=2,rate=5,validity=5" }, 2 * S);
	CU_ASSERT_EQUAL(pass(obey, GX, NULL, 20, 2 * S), 2); /* 500 ms are in it, 800 ms still admit */
	tell(obey, &(struct told){ 4, 0, "type=realm,seq=3,rate=5,validity=5" }, 8 * S);
	CU_ASSERT_EQUAL(pass(obey, GX, NULL, 20, 8 * S), 5); /* the old one had expired: begun anew */
	dt_obey_free(obey);
}

static void test_dt_bucket_admits_as_the_vectors_say(void)
{
	struct dt_bucket bucket;
	uint64_t sum_ms = 0;
	uint32_t admitted = 0;

	dt_bucket_start(&bucket, 10, 0);
	for (uint64_t ms = 0; ms < 10000; ms += 10) {
		bool passed = dt_bucket_admit(&bucket, ms * MS);
		admitted += passed;
		sum_ms += passed && ms < 1000 ? ms : 0;
	}
	CU_ASSERT_EQUAL(admitted, 104);
	CU_ASSERT_EQUAL(sum_ms, 100 + 4500); /* 0, 10, 20, 30, 40, then 100, 200, ... 900 */
	dt_bucket_start(&bucket, 10, 0);
	for (uint64_t i = 1; i <= 100; i++)
		CU_ASSERT_TRUE(dt_bucket_admit(&bucket, i * 125 * MS));
	dt_bucket_start(&bucket, 1000, 0);
	while (dt_bucket_admit(&bucket, 0))
		;
	dt_bucket_change(&bucket, 100000); /* what 5 ms held is cut to what 100000/s can hold */
	CU_ASSERT_FALSE(dt_bucket_admit(&bucket, 1000));
	CU_ASSERT_TRUE(dt_bucket_admit(&bucket, 10000));
}

static void test_dt_client_obeys_and_counts_what_never_reaches_the_wire(void)
{
	struct help_pair pair;
	struct dt_report report;
	const char *why;

	help_pair_init(&pair);
	pair.server.common.doic = true;
	pair.client.obey = true;
	pair.client.count = 10000;
	pair.client.window = 10;
	CU_ASSERT_EQUAL(dt_report_parse("type=realm,seq=1,pct=40,validity=60", 1, &report, &why), OC_OK);
	dt_reports_add(&pair.server.reports, &report);
	help_pair_start_server(&pair);
	CU_ASSERT_EQUAL(help_pair_run_client(&pair), 0);
	CU_ASSERT_EQUAL(help_pair_stop_server(&pair), 0);
	long long throttled = help_json_number(pair.client_json, "throttled");
	CU_ASSERT(throttled > 4000 - 250 && throttled < 4000 + 250);
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, "requests"), 10000 - throttled);
	CU_ASSERT_EQUAL(help_json_number(pair.server_json, "requests"), 10000 - throttled);
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, "by_drmp/none/throttled"), throttled);
	CU_ASSERT_EQUAL(help_json_number(pair.client_counters, "apps/0/throttled"), throttled);
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, "obey/accepted"), 1);
	help_pair_fini(&pair);
}

static void test_dt_client_survives_a_report_that_forbids_all(void)
{
	struct help_pair pair;
	struct dt_report report;
	const char *why;

	help_pair_init(&pair);
	pair.server.common.doic = true;
	pair.client.obey = true;
	pair.client.common.duration_ns = 200 * MS;
	pair.client.window = 10;
	CU_ASSERT_EQUAL(dt_report_parse("type=realm,seq=1,pct=100,validity=60", 1, &report, &why), OC_OK);
	dt_reports_add(&pair.server.reports, &report);
	help_pair_start_server(&pair);
	CU_ASSERT_EQUAL(help_pair_run_client(&pair), 0);
	CU_ASSERT_EQUAL(help_pair_stop_server(&pair), 0);
	long long throttled = help_json_number(pair.client_json, "throttled");
	CU_ASSERT(throttled > 10 && throttled <= 2000); /* a window per millisecond at most */
	CU_ASSERT_EQUAL(help_json_number(pair.server_json, "requests"), 10);
	help_pair_fini(&pair);
}

void test_dt_obey_suite(void)
{
	CU_pSuite suite = CU_add_suite("dt_obey", NULL, NULL);
	CU_add_test(suite, "D-121 D-129 host",
		    test_dt_obey_host_report_matches_its_host_and_application_only);
	CU_add_test(suite, "D-122 D-123 realm", test_dt_obey_realm_report_spares_requests_to_a_host);
	CU_add_test(suite, "D-201 peer", test_dt_obey_peer_report_counts_only_from_the_peer_itself);
	CU_add_test(suite, "D-152 loss", test_dt_obey_loss_treats_its_share);
	CU_add_test(suite, "D-059 D-060 D-061 D-067 sequence",
		    test_dt_obey_takes_higher_sequence_numbers_only_and_wraps);
	CU_add_test(suite, "D-063 D-080 D-081 D-082 validity",
		    test_dt_obey_validity_counts_from_the_first_reception);
	CU_add_test(suite, "D-068 D-070 memory", test_dt_obey_ended_entry_refuses_old_numbers_for_a_while);
	CU_add_test(suite, "D-072 D-074 nonsense", test_dt_obey_ignores_what_makes_no_sense);
	CU_add_test(suite, "R-5 R-12 R-28 rate", test_dt_obey_rate_is_the_algorithm_selected_for_the_type);
	CU_add_test(suite, "R-13 rate_changes", test_dt_obey_new_rate_keeps_the_bucket_as_full_as_it_is);
	CU_add_test(suite, "R-20 R-29 bucket", test_dt_bucket_admits_as_the_vectors_say);
	CU_add_test(suite, "D-142 throttled", test_dt_client_obeys_and_counts_what_never_reaches_the_wire);
	CU_add_test(suite, "forbids_all", test_dt_client_survives_a_report_that_forbids_all);
}
