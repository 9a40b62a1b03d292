/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * End-to-end tests of what a server tells: features, reports and load, and to whom.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "help_pair.h"

void test_dt_told_suite(void);

static void script(struct help_pair *pair, const char *line)
{
	struct dt_report report;
	const char *why;

	pair->server.common.doic = true;
	CU_ASSERT_EQUAL_FATAL(dt_report_parse(line, 1, &report, &why), OC_OK);
	CU_ASSERT_EQUAL(dt_reports_add(&pair->server.reports, &report), OC_OK);
}

/* Sends ten requests to a running server and leaves the client's results. */
static void ask(struct help_pair *pair)
{
	pair->client.count = 10;
	CU_ASSERT_EQUAL(help_pair_run_client(pair), 0);
}

static long long told(const struct help_pair *pair, const char *where)
{
	char path[128];
	snprintf(path, sizeof(path), "doic/answers/%s", where);
	return help_json_number(pair->client_json, path);
}

static void command(const struct help_pair *pair, const char *line)
{
	char reply[256];
	help_pair_control(pair, line, reply, sizeof(reply));
	CU_ASSERT_STRING_EQUAL(reply, "ok\n");
}

static void test_dt_server_selects_one_algorithm_of_those_asked_and_reports_by_it(void)
{
	struct help_pair pair;

	help_pair_init(&pair);
	script(&pair, "type=host,seq=3,rate=20,validity=10");
	script(&pair, "type=host,seq=5,pct=30,validity=10");
	help_pair_start_server(&pair);
	pair.client.common.doic = true;
	ask(&pair);
	CU_ASSERT_EQUAL(told(&pair, "vectors/0x1"), 10);
	CU_ASSERT_EQUAL(told(&pair, "olr/host/count"), 10);
	CU_ASSERT_EQUAL(told(&pair, "olr/host/reduction_pct"), 30);
	CU_ASSERT_EQUAL(told(&pair, "olr/host/sequence"), 5);
	pair.client.common.vector = 5;
	ask(&pair);
	CU_ASSERT_EQUAL(told(&pair, "vectors/0x4"), 10);
	CU_ASSERT_EQUAL(told(&pair, "olr/host/count"), 10);
	CU_ASSERT_EQUAL(told(&pair, "olr/host/rate_rps"), 20);
	CU_ASSERT_EQUAL(told(&pair, "olr/host/reduction_pct"), -1);
	pair.client.common.vector = 0;
	ask(&pair);
	CU_ASSERT_EQUAL(told(&pair, "vectors/0x1"), 10);
	CU_ASSERT_EQUAL(help_pair_stop_server(&pair), 0);
	help_pair_fini(&pair);
}

static void test_dt_server_stays_with_loss_without_a_rate_to_tell(void)
{
	struct help_pair pair;

	help_pair_init(&pair);
	script(&pair, "type=host,seq=5,pct=30,validity=10");
	pair.server.common.vector = 5;
	help_pair_start_server(&pair);
	pair.client.common.doic = true;
	pair.client.common.vector = 5;
	ask(&pair);
	CU_ASSERT_EQUAL(told(&pair, "vectors/0x1"), 10);
	CU_ASSERT_EQUAL(told(&pair, "olr/host/count"), 10);
	command(&pair, "report off");
	ask(&pair);
	CU_ASSERT_EQUAL(told(&pair, "vectors/0x4"),
			10); /* nothing scripted: the better of what both can do */
	CU_ASSERT_EQUAL(help_pair_stop_server(&pair), 0);
	help_pair_fini(&pair);
}

static void test_dt_server_tells_peer_reports_to_the_peer_that_asks_only(void)
{
	struct help_pair pair;

	help_pair_init(&pair);
	script(&pair, "type=peer,seq=4,pct=10,validity=10");
	help_pair_start_server(&pair);
	pair.client.common.doic = true;
	ask(&pair);
	CU_ASSERT_EQUAL(told(&pair, "vectors/0x1"), 10);
	CU_ASSERT_EQUAL(told(&pair, "olr/peer/count"), 0);
	CU_ASSERT_EQUAL(told(&pair, "sources/s1.example.net"), -1);
	pair.client.peer_reports = true;
	ask(&pair);
	CU_ASSERT_EQUAL(told(&pair, "vectors/0x11"), 10);
	CU_ASSERT_EQUAL(told(&pair, "sources/s1.example.net"), 10);
	CU_ASSERT_EQUAL(told(&pair, "peer_algos/0x1"), 10);
	CU_ASSERT_EQUAL(told(&pair, "olr/peer/count"), 10);
	CU_ASSERT_EQUAL(told(&pair, "olr/peer/sequence"), 4);
	pair.client.common.source_id = "stranger.example.net";
	ask(&pair);
	CU_ASSERT_EQUAL(told(&pair, "vectors/0x1"), 10);
	CU_ASSERT_EQUAL(told(&pair, "olr/peer/count"), 0);
	CU_ASSERT_EQUAL(help_pair_stop_server(&pair), 0);
	help_pair_fini(&pair);
}

static void test_dt_server_peer_algorithm_may_differ_from_the_vector(void)
{
	struct help_pair pair;

	help_pair_init(&pair);
	script(&pair, "type=peer,seq=1,rate=10");
	script(&pair, "type=host,seq=1,pct=10");
	help_pair_start_server(&pair);
	pair.client.peer_reports = true;
	pair.client.common.vector = 5;
	ask(&pair);
	CU_ASSERT_EQUAL(told(&pair, "vectors/0x11"), 10);
	CU_ASSERT_EQUAL(told(&pair, "peer_algos/0x4"), 10);
	CU_ASSERT_EQUAL(told(&pair, "olr/peer/rate_rps"), 10);
	CU_ASSERT_EQUAL(told(&pair, "olr/host/reduction_pct"), 10);
	CU_ASSERT_EQUAL(help_pair_stop_server(&pair), 0);
	help_pair_fini(&pair);
}

static void test_dt_server_says_exactly_what_it_is_told_to(void)
{
	struct help_pair pair;

	help_pair_init(&pair);
	pair.server.common.doic = true;
	pair.server.common.source_id = "liar.example.net";
	pair.server.has_answer_vector = pair.server.has_peer_algo = true;
	pair.server.answer_vector = 0x2005;
	pair.server.peer_algo = 0x8;
	help_pair_start_server(&pair);
	pair.client.peer_reports = true;
	ask(&pair);
	CU_ASSERT_EQUAL(told(&pair, "vectors/0x2005"), 10);
	CU_ASSERT_EQUAL(told(&pair, "peer_algos/0x8"), 10);
	CU_ASSERT_EQUAL(told(&pair, "sources/liar.example.net"), 10);
	CU_ASSERT_EQUAL(help_pair_stop_server(&pair), 0);
	help_pair_fini(&pair);
	help_pair_init(&pair);
	pair.server.common.doic = pair.server.no_peer_reports = true;
	help_pair_start_server(&pair);
	pair.client.peer_reports = true;
	ask(&pair);
	CU_ASSERT_EQUAL(told(&pair, "vectors/0x1"), 10);
	CU_ASSERT_EQUAL(told(&pair, "sources/s1.example.net"), -1);
	CU_ASSERT_EQUAL(help_pair_stop_server(&pair), 0);
	help_pair_fini(&pair);
}

static void test_dt_server_gives_each_origin_its_own_rate(void)
{
	struct help_pair pair;

	help_pair_init(&pair);
	script(&pair, "type=host,seq=100,rate=90/split,validity=10");
	help_pair_start_server(&pair);
	pair.client.common.doic = true;
	pair.client.common.vector = 5;
	ask(&pair);
	CU_ASSERT_EQUAL(told(&pair, "olr/host/rate_rps"), 90);
	CU_ASSERT_EQUAL(told(&pair, "olr/host/sequence"), 100);
	strcpy(pair.client.common.me.host, "c2.example.net");
	ask(&pair);
	CU_ASSERT_EQUAL(told(&pair, "olr/host/rate_rps"), 45);
	CU_ASSERT_EQUAL(told(&pair, "olr/host/sequence"), 101);
	command(&pair, "report type=host,seq=200,rate=10/origin");
	ask(&pair);
	CU_ASSERT_EQUAL(told(&pair, "olr/host/rate_rps"), 10);
	CU_ASSERT_EQUAL(told(&pair, "olr/host/sequence"), 201); /* second to arrive */
	command(&pair, "report type=host,seq=300,rate=7,origin=C2.example.net");
	command(&pair, "report type=realm,seq=300,rate=7,origin=c1.example.net");
	ask(&pair);
	CU_ASSERT_EQUAL(told(&pair, "olr/host/count"), 20); /* its own beside the one for all */
	CU_ASSERT_EQUAL(told(&pair, "olr/realm/count"), 0);
	CU_ASSERT_EQUAL(help_pair_stop_server(&pair), 0);
	help_pair_fini(&pair);
}

static void test_dt_server_puts_load_in_every_answer_and_changes_it(void)
{
	struct help_pair pair;

	help_pair_init(&pair);
	pair.server.loads = (struct dt_loads){ .has_host = true, .host = 65535 };
	help_pair_start_server(&pair);
	ask(&pair); /* without DOIC: load needs no announcement */
	CU_ASSERT_EQUAL(told(&pair, "load/host/count"), 10);
	CU_ASSERT_EQUAL(told(&pair, "load/host/by_source/s1.example.net/value"), 65535);
	CU_ASSERT_EQUAL(told(&pair, "load/peer/count"), 0);
	CU_ASSERT_EQUAL(told(&pair, "with_sf"), 0);
	command(&pair, "load 12000");
	command(&pair, "load-peer 5,a9.example.net");
	ask(&pair);
	CU_ASSERT_EQUAL(told(&pair, "load/host/by_source/s1.example.net/value"), 12000);
	CU_ASSERT_EQUAL(told(&pair, "load/peer/by_source/a9.example.net/value"), 5);
	command(&pair, "load off");
	command(&pair, "load-peer off");
	ask(&pair);
	CU_ASSERT_EQUAL(told(&pair, "load/host/count") + told(&pair, "load/peer/count"), 0);
	CU_ASSERT_EQUAL(help_pair_stop_server(&pair), 0);
	help_pair_fini(&pair);
}

static void test_dt_pair_holds_a_rate_together(void)
{
	struct help_pair pair;

	help_pair_init(&pair);
	script(&pair, "type=realm,seq=1,rate=100,validity=60");
	help_pair_start_server(&pair);
	pair.client.obey = true;
	pair.client.common.vector = 5;
	pair.client.rate_rps = 2000;
	pair.client.count = 2000;
	CU_ASSERT_EQUAL(help_pair_run_client(&pair), 0);
	CU_ASSERT_EQUAL(help_pair_stop_server(&pair), 0);
	long long got = help_json_number(pair.server_json, "requests");
	/* A second at 100/s, the burst of five, and what was sent before the first answer came back. */
	CU_ASSERT(got >= 80 && got <= 160);
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, "throttled") +
				help_json_number(pair.client_json, "not_sent"),
			2000 - got);
	help_pair_fini(&pair);
}

static void test_dt_client_obeys_the_peer_report_of_its_own_peer(void)
{
	struct help_pair pair;

	help_pair_init(&pair);
	script(&pair, "type=peer,seq=1,pct=100,validity=60");
	help_pair_start_server(&pair);
	pair.client.obey = pair.client.peer_reports = true;
	pair.client.count = 1000;
	pair.client.window = 1;
	CU_ASSERT_EQUAL(help_pair_run_client(&pair), 0);
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, "requests"), 1);
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, "throttled"), 999);
	command(&pair, "report type=peer,seq=2,pct=100,source=s2.example.net");
	command(&pair, "report type=peer,seq=1,pct=0");
	CU_ASSERT_EQUAL(help_pair_run_client(&pair), 0);
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, "requests"), 1000);
	CU_ASSERT_EQUAL(help_json_number(pair.client_json, "obey/foreign"), 1000);
	CU_ASSERT_EQUAL(help_pair_stop_server(&pair), 0);
	help_pair_fini(&pair);
}

void test_dt_told_suite(void)
{
	CU_pSuite suite = CU_add_suite("dt_told", NULL, NULL);
	CU_add_test(suite, "D-023 D-025 D-048 R-17 selected",
		    test_dt_server_selects_one_algorithm_of_those_asked_and_reports_by_it);
	CU_add_test(suite, "D-024 loss_only", test_dt_server_stays_with_loss_without_a_rate_to_tell);
	CU_add_test(suite, "D-103 D-230 peer_asked",
		    test_dt_server_tells_peer_reports_to_the_peer_that_asks_only);
	CU_add_test(suite, "R-5 peer_algo", test_dt_server_peer_algorithm_may_differ_from_the_vector);
	CU_add_test(suite, "as_told", test_dt_server_says_exactly_what_it_is_told_to);
	CU_add_test(suite, "R-7 R-16 per_origin", test_dt_server_gives_each_origin_its_own_rate);
	CU_add_test(suite, "L-1 L-3 L-4 load", test_dt_server_puts_load_in_every_answer_and_changes_it);
	CU_add_test(suite, "R-20 rate_held", test_dt_pair_holds_a_rate_together);
	CU_add_test(suite, "D-201 D-214 peer_obeyed", test_dt_client_obeys_the_peer_report_of_its_own_peer);
}
