/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of report scripts and control lines.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dt_control.h"
#include "dt_report.h"

void test_dt_report_suite(void);

static bool encodes_as(const char *line, const char *hex)
{
	const struct dt_report_to all = { .is_everything = true, .host = "s1.example.net" };
	uint8_t wanted[256], made[256];
	size_t len;
	struct dt_reports reports = { 0 };
	struct dt_report report;
	struct dt_out out;
	const char *why;

	if (dt_report_parse(line, 1, &report, &why) != OC_OK ||
	    dt_hex_decode(hex, wanted, sizeof(wanted), &len) != OC_OK)
		return false;
	dt_reports_add(&reports, &report);
	dt_out_init(&out, made, sizeof(made));
	dt_reports_put(&reports, &all, &out);
	return len == out.len && memcmp(wanted, made, len) == 0;
}

static void test_dt_report_encodes_the_vectors_of_the_specification(void)
{
	CU_ASSERT(encodes_as(
		"type=host,seq=7,pct=25,validity=60",
		"0000026f0000003c00000270000000100000000000000007000002720000000c00000000000002730000000c"
		"00000019000002710000000c0000003c"));
	CU_ASSERT(encodes_as(
		"report type=realm seq=1 pct=100",
		"0000026f0000003000000270000000100000000000000001000002720000000c00000001000002730000000c"
		"00000064"));
	CU_ASSERT(encodes_as(
		"type=peer,seq=3,pct=10,validity=120,source=agent1.example.net",
		"0000026f0000005800000270000000100000000000000003000002720000000c00000002000002730000000c"
		"0000000a000002710000000c00000078000002890000001a6167656e74312e6578616d706c652e6e65740000"));
}

static void test_dt_report_encodes_rates_and_specific_reductions(void)
{
	CU_ASSERT(encodes_as("seq=none type=none rate=300", "0000026f000000140000029e0000000c0000012c"));
	CU_ASSERT(encodes_as("seq=none,type=none,specific=rg:10,20;type:1;pct:80",
			     "0000026f000000500000052880000048000028af"
			     "0000052980000010000028af0000000a0000052980000010000028af00000014"
			     "0000052a80000010000028af00000001000002730000000c00000050"));
	CU_ASSERT(encodes_as("specific=rg:1 seq=none,type=none specific=pct:2",
			     "0000026f0000003c000005288000001c000028af0000052980000010000028af00000001"
			     "0000052880000018000028af000002730000000c00000002"));
}

static void test_dt_report_of_the_peer_type_names_the_reporting_node(void)
{
	CU_ASSERT(encodes_as("type=peer,seq=none", "0000026f0000002c000002720000000c00000002"
						   "000002890000001673312e6578616d706c652e6e65740000"));
	CU_ASSERT(encodes_as("type=peer,seq=none,source=none", "0000026f00000014000002720000000c00000002"));
	CU_ASSERT(encodes_as("type=peer,seq=none,source=a", "0000026f00000020000002720000000c00000002"
							    "000002890000000961000000"));
}

static void test_dt_report_can_be_wrong_on_purpose(void)
{
	CU_ASSERT(encodes_as("seq=none type=none", "0000026f00000008"));
	CU_ASSERT(encodes_as("seq=5 order=swapped",
			     "0000026f00000024000002720000000c0000000000000270000000100000000000000005"));
	CU_ASSERT(encodes_as("seq=none type=9 pct=4294967295",
			     "0000026f00000020000002720000000c00000009000002730000000cffffffff"));
	CU_ASSERT(encodes_as("seq=none type=none extra=0001869f0000000c01020304",
			     "0000026f000000140001869f0000000c01020304"));
}

static void test_dt_report_refuses_what_it_does_not_understand(void)
{
	struct dt_report report;
	const char *why;
	const char *bad[] = {
		"pct",	     "pct=",	     "pct=x",	     "pct=4294967296",	  "seq=18446744073709551616",
		"color=red", "at=5h",	     "type=hosts",   "extra=0",		  "app=zz",
		"rate=1/x",  "rate=/origin", "specific=rg:", "specific=rg:1;x:2", "origin="
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CU_ASSERT_EQUAL(dt_report_parse(bad[i], 1, &report, &why), OC_EINVAL);
}

static void test_dt_report_is_in_force_from_at_for_its_time_and_application(void)
{
	struct dt_reports *reports = calloc(1, sizeof(*reports));
	struct dt_report report;
	const char *why;
	uint8_t buffer[256];
	const struct {
		uint64_t since_ns;
		uint32_t app_id;
		bool sent;
	} rows[] = { { 1999999999u, 4, false },
		     { 2000000000u, 4, true },
		     { 11999999999u, 4, true },
		     { 12000000000u, 4, false },
		     { 2000000000u, 5, false } };

	CU_ASSERT_EQUAL(dt_report_parse("at=2s,for=10s,seq=1,pct=30,app=gy", 1, &report, &why), OC_OK);
	CU_ASSERT_EQUAL(dt_reports_add(reports, &report), OC_OK);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct dt_out out;
		dt_out_init(&out, buffer, sizeof(buffer));
		const struct dt_report_to to = { .since_ns = rows[i].since_ns,
						 .app_id = rows[i].app_id,
						 .algorithm = DT_FEATURE_LOSS };
		dt_reports_put(reports, &to, &out);
		CU_ASSERT_EQUAL(out.len > 0, rows[i].sent);
	}
	free(reports);
}

static void test_dt_reports_replace_takes_the_place_of_the_same_kind(void)
{
	struct dt_reports *reports = calloc(1, sizeof(*reports));
	struct dt_report report;
	const char *why;
	const char *lines[] = { "type=host,seq=1", "type=realm,seq=1", "type=host,seq=2",
				"type=host,seq=3,app=gx" };

	for (size_t i = 0; i < 4; i++) {
		CU_ASSERT_EQUAL(dt_report_parse(lines[i], 1, &report, &why), OC_OK);
		CU_ASSERT_EQUAL(dt_reports_replace(reports, &report), OC_OK);
	}
	CU_ASSERT_EQUAL(reports->count, 3);
	CU_ASSERT(reports->entry[0].type == 1 && reports->entry[1].sequence == 2 &&
		  reports->entry[2].sequence == 3);
	free(reports);
}

static void test_dt_reports_load_names_the_bad_line(void)
{
	char path[] = "/tmp/dt_reports_XXXXXX";
	struct dt_reports *reports = calloc(1, sizeof(*reports));
	const char *why;
	unsigned line = 0;
	FILE *file = fdopen(mkstemp(path), "w");

	fputs("# script\n\nat=1s,type=host,seq=1,pct=10 # first\nreport type=realm,pct=5\npct=oops\n", file);
	fclose(file);
	CU_ASSERT_EQUAL(dt_reports_load(reports, path, &why, &line), OC_EINVAL);
	CU_ASSERT_EQUAL(line, 5);
	CU_ASSERT_EQUAL(reports->count, 2);
	CU_ASSERT_EQUAL(reports->entry[1].sequence, 2); /* given by its place */
	unlink(path);
	CU_ASSERT_EQUAL(dt_reports_load(reports, path, &why, &line), OC_EIO);
	free(reports);
}

static void test_dt_control_reads_every_command(void)
{
	const struct {
		const char *line;
		enum dt_command_kind kind;
		uint64_t amount;
	} rows[] = {
		{ "", DT_COMMAND_NONE, 0 },
		{ "  \r", DT_COMMAND_NONE, 0 },
		{ "report type=host seq=8 pct=0 validity=0", DT_COMMAND_REPORT, 0 },
		{ "report off", DT_COMMAND_REPORT_OFF, 0 },
		{ "stall 5s", DT_COMMAND_STALL, 5000000000u },
		{ "mute 100", DT_COMMAND_MUTE_COUNT, 100 },
		{ "mute for=250ms\r", DT_COMMAND_MUTE_FOR, 250000000 },
		{ "mute off", DT_COMMAND_MUTE_COUNT, 0 },
		{ "capacity 500", DT_COMMAND_CAPACITY, 500 },
		{ "result 2001=1,3004=1", DT_COMMAND_RESULT, 0 },
		{ "load 12000", DT_COMMAND_LOAD, 12000 },
		{ "load off", DT_COMMAND_LOAD, 0 },
		{ "load-peer 7,a9.example.net", DT_COMMAND_LOAD_PEER, 7 },
		{ "stats", DT_COMMAND_STATS, 0 },
		{ "quit", DT_COMMAND_QUIT, 0 },
		{ "die", DT_COMMAND_DIE, 0 },
	};
	static struct dt_control control;
	const char *why;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CU_ASSERT_EQUAL(dt_control_parse(rows[i].line, &control, &why), OC_OK);
		CU_ASSERT_EQUAL(control.kind, rows[i].kind);
		CU_ASSERT_EQUAL(control.amount, rows[i].amount);
	}
	const char *bad[] = { "jump",	  "stall",	"stall x",    "mute",	     "mute -1",
			      "quit now", "report pct", "capacity x", "result",	     "averyveryverylongword",
			      "load",	  "load x",	"load 1,a",   "load-peer 1," };
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CU_ASSERT_EQUAL(dt_control_parse(bad[i], &control, &why), OC_EINVAL);
}

void test_dt_report_suite(void)
{
	CU_pSuite suite = CU_add_suite("dt_report", NULL, NULL);
	CU_add_test(suite, "vectors", test_dt_report_encodes_the_vectors_of_the_specification);
	CU_add_test(suite, "R-10 R-19 rate_specific", test_dt_report_encodes_rates_and_specific_reductions);
	CU_add_test(suite, "D-230 peer_source", test_dt_report_of_the_peer_type_names_the_reporting_node);
	CU_add_test(suite, "wrong_on_purpose", test_dt_report_can_be_wrong_on_purpose);
	CU_add_test(suite, "bad_lines", test_dt_report_refuses_what_it_does_not_understand);
	CU_add_test(suite, "in_force", test_dt_report_is_in_force_from_at_for_its_time_and_application);
	CU_add_test(suite, "replace", test_dt_reports_replace_takes_the_place_of_the_same_kind);
	CU_add_test(suite, "load", test_dt_reports_load_names_the_bad_line);
	CU_add_test(suite, "control", test_dt_control_reads_every_command);
}
