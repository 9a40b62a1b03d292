/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of counters from outside: read strictly, located errors, never twice, never altered.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/audit/oev_samples.h"
#include "evidence/audit/oev_telemetry.h"
#include "help_audit.h"

void test_oev_audit_samples_suite(void);

#define CSV "time,node,application,requests,answers_2xxx,busy,useful\n"

struct fix {
	struct help_segment segment; /* a folder with a segment */
	struct oev_samples samples;
	unsigned files;
};

static void fix_init(struct fix *fix)
{
	*fix = (struct fix){ 0 };
	CU_ASSERT_FATAL(help_segment_new(&fix->segment));
}

static void fix_fini(struct fix *fix)
{
	oev_samples_fini(&fix->samples);
	help_segment_remove(&fix->segment);
}

static int read_text(struct fix *fix, const char *text)
{
	char name[40], path[700];

	snprintf(name, sizeof(name), "counters/in%u.txt", ++fix->files);
	CU_ASSERT_FATAL(help_segment_file(&fix->segment, name, text));
	snprintf(path, sizeof(path), "%s/%s", fix->segment.folder, name);
	return oev_samples_read(&fix->samples, path);
}

static int import(struct fix *fix, const char *text)
{
	oev_samples_fini(&fix->samples);
	int rc = read_text(fix, text);
	if (rc == OC_OK)
		rc = oev_samples_check(&fix->samples);
	if (rc == OC_OK)
		rc = oev_samples_compare(&fix->samples, fix->segment.folder);
	if (rc == OC_OK)
		rc = oev_samples_store(&fix->samples, fix->segment.folder, "doic test", "tester",
				       HELP_WALL_US);
	return rc;
}

static void refuse(const char *text, const char *place, const char *word)
{
	struct fix fix;

	fix_init(&fix);
	int rc = read_text(&fix, text);
	if (rc == OC_OK)
		rc = oev_samples_check(&fix.samples);
	CU_ASSERT_EQUAL(rc, OC_EMALFORMED);
	const char *at = strstr(fix.samples.error, "in1.txt");
	CU_ASSERT_PTR_NOT_NULL_FATAL(at);
	CU_ASSERT_EQUAL(strncmp(at + 7, place, strlen(place)), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(fix.samples.error, word));
	if (strncmp(at + 7, place, strlen(place)) != 0 || strstr(fix.samples.error, word) == NULL)
		fprintf(stderr, "  wanted %s %s, got: %s\n", place, word, fix.samples.error);
	fix_fini(&fix);
}

static void test_csv_is_read_with_all_its_units(void)
{
	struct fix fix;

	fix_init(&fix);
	CU_ASSERT_EQUAL(read_text(&fix, "\xef\xbb\xbf" CSV "1796000000,S1.Example.net,gx,100,90,4,80\r\n"
					"1796000001, s1.example.net ,16777238,101,\"91\",,81\n\n"),
			OC_OK);
	CU_ASSERT_EQUAL(read_text(&fix, "node,time,app,requests\ns2.example.net,1796000000000,gx,5\n"
					"s2.example.net,1796000000500,gx,6\n"),
			OC_OK);
	CU_ASSERT_EQUAL(
		read_text(&fix,
			  "node,time,app,requests,interval_s\ns3.example.net,2026-11-30T00:53:20Z,s6a,5,60\n"
			  "s3.example.net,2026-11-30T01:54:20+01:00,s6a,6,60\n"),
		OC_OK);
	CU_ASSERT_EQUAL(oev_samples_check(&fix.samples), OC_OK);
	CU_ASSERT_STRING_EQUAL(fix.samples.error, "");
	CU_ASSERT_EQUAL_FATAL(fix.samples.count, 6);
	const struct oev_sample *first = &fix.samples.items[0];
	CU_ASSERT_STRING_EQUAL(fix.samples.names[first->node - 1], "s1.example.net");
	CU_ASSERT_EQUAL(first->start_us, HELP_WALL_US);
	CU_ASSERT_EQUAL(first->span_us, 1000000);
	CU_ASSERT_EQUAL(first->answers, 94);
	CU_ASSERT_EQUAL(first->useful, 80);
	CU_ASSERT_EQUAL(fix.samples.items[1].by_class[OEV_ANSWER_BUSY], OEV_SAMPLE_UNKNOWN);
	CU_ASSERT_EQUAL(fix.samples.items[2].span_us, 500000);
	CU_ASSERT_EQUAL(fix.samples.items[5].start_us, HELP_WALL_US + 60000000);
	CU_ASSERT_EQUAL(fix.samples.sources[0].unit, OEV_UNIT_S);
	CU_ASSERT_EQUAL(fix.samples.sources[1].unit, OEV_UNIT_MS);
	CU_ASSERT_EQUAL(fix.samples.sources[2].unit, OEV_UNIT_TEXT);
	fix_fini(&fix);
}

static void test_json_says_the_same(void)
{
	struct fix fix;

	fix_init(&fix);
	CU_ASSERT_EQUAL(
		read_text(
			&fix,
			"[ {\"time\": 1796000000.5, \"node\": \"S1.example.net\", \"application\": \"Gx\","
			" \"requests\": 100, \"success\": 90, \"useful\": null, \"interval_s\": 0.5},\n"
			" {\"time\": \"1796000001\", \"node\": \"s1.example.net\", \"application\": 16777238,"
			" \"requests\": 7, \"interval_s\": 1} ]\n"),
		OC_OK);
	CU_ASSERT_STRING_EQUAL(fix.samples.error, "");
	CU_ASSERT_EQUAL(oev_samples_check(&fix.samples), OC_OK);
	CU_ASSERT_EQUAL_FATAL(fix.samples.count, 2);
	CU_ASSERT_EQUAL(fix.samples.items[0].start_us, HELP_WALL_US + 500000);
	CU_ASSERT_EQUAL(fix.samples.items[0].useful, OEV_SAMPLE_UNKNOWN);
	CU_ASSERT_EQUAL(fix.samples.items[0].answers, 90);
	CU_ASSERT_EQUAL(fix.samples.items[1].line, 2);
	fix_fini(&fix);
	fix_init(&fix);
	CU_ASSERT_EQUAL(read_text(&fix, "{\"samples\": []}"), OC_OK);
	CU_ASSERT_EQUAL(fix.samples.count, 0);
	fix_fini(&fix);
}

static void test_errors_name_line_and_column(void)
{
	refuse("", ":1:1:", "name the columns");
	refuse("time,node,application\n", ":1:1:", "no column \"requests\"");
	refuse("time,node,application,request\n", ":1:23:", "\"request\"");
	refuse("time,node,application,requests,time\n", ":1:32:", "before");
	refuse(CSV "1796000000,s1,gx,100,90,4,80\n1796000001,s1,gx,1e3,90,4,80\n",
	       ":3:18:", "\"1e3\" is no count");
	refuse(CSV "1796000000,s1,gx,-1,90,4,80\n", ":2:18:", "no count");
	refuse(CSV "1796000000,s1,gx,99999999999999999999,90,4,80\n", ":2:18:", "no count");
	refuse(CSV "1796000000,s1,gx,1,90,4\n", ":2:24:", "6 values, the header names 7");
	refuse(CSV "1796000000,s1,gx,1,90,4,1,2\n", ":2:27:", "more values");
	refuse(CSV "1796000000,s1,gz,1,90,4,1\n", ":2:15:", "\"gz\" is no application");
	refuse(CSV "12345,s1,gx,1,90,4,1\n", ":2:1:", "\"12345\" is no time");
	refuse(CSV "2026-11-30T00:53:20,s1,gx,1,90,4,1\n", ":2:1:", "is no time"); /* of which zone? */
	refuse(CSV "2026-02-30T00:53:20Z,s1,gx,1,90,4,1\n", ":2:1:", "is no time");
	refuse(CSV "1796000000,\"s1,gx,1,90,4,1\n", ":2:12:", "not closed");
	refuse(CSV "1796000000,\"s1\"x,gx,1,90,4,1\n", ":2:16:", "after a quoted value");
	refuse(CSV "1796000000,s1,gx,,90,4,1\n", ":2:1:", "has no requests");
	refuse(CSV "1796000000,,gx,1,90,4,1\n", ":2:12:", "no Diameter identity");
	refuse(CSV "1796000000,s1,gx,1,1,1,1\n2026-11-30T00:53:21Z,s1,gx,1,1,1,1\n",
	       ":3:1:", "after seconds since 1970");
	refuse("time,node,app,requests,answers,success\n1796000000,s1,gx,9,5,6\n",
	       ":2:1:", "6 answers by class, but 5");
	refuse("[{\"time\": 1796000000,\n \"node\": \"s1\", \"application\": \"gx\",\n  \"requests\": "
	       "\"x\"}]",
	       ":3:15:", "no count");
	refuse("[{\"time\": 1796000000, \"node\": \"s1\", \"application\": \"gx\", \"requests\": 1.5}]",
	       ":1:70:", "whole number");
	refuse("[{\"time\": 1796000000, \"node\": \"s1\", \"application\": \"gx\", \"request\": 1}]",
	       ":1:69:", "no key is called");
	refuse("[{\"time\": 1796000000,\n \"node\": \"s1\" \"x\"}]", ":2:", "near");
	refuse("[{\"time\": 1, \"time\": 1}]", ":1:", "duplicate");
	refuse("[1]", ":1:2:", "expected near");
	refuse("[[]]", ":1:2:", "an object");
	refuse("[] x", ":1:4:", "nothing may follow");
	refuse("{\"schema\":\"doic.counters/1\"}", ":1:2:", "FOLDER/counters/");
}

static void test_intervals_must_fit_together(void)
{
	refuse(CSV "1796000000,s1,gx,1,1,1,1\n", ":2:1:", "stands alone");
	refuse(CSV "1796000000,s1,gx,1,1,1,1\n1796000002,s1,gx,1,1,1,1\n1796000003.5,s1,gx,1,1,1,1\n",
	       ":3:1:", "not on the step of 1.500 s");
	refuse("time,node,app,requests,interval_s\n1796000000,s1,gx,1,10\n1796000005,s1,gx,1,10\n",
	       ":3:1:", "overlaps");
	refuse("time,node,app,requests,interval_s\n1796000000,s1,gx,1,10\n1796000000,s1,gx,2,10\n",
	       ":3:1:", "came before");
}

static void test_repeats_are_left_out_and_counted(void)
{
	struct fix fix;

	fix_init(&fix);
	CU_ASSERT_EQUAL(
		import(&fix,
		       CSV "1796000000,s1,gx,1,1,0,1\n1796000001,s1,gx,2,2,0,2\n1796000000,S1,gx,1,1,0,1\n"),
		OC_OK);
	CU_ASSERT_EQUAL(fix.samples.count, 2);
	CU_ASSERT_EQUAL(fix.samples.sources[0].rows, 3);
	CU_ASSERT_EQUAL(fix.samples.sources[0].duplicates, 1);
	/* the same once more, and one more row: that row alone is new */
	CU_ASSERT_EQUAL(
		import(&fix,
		       CSV "1796000000,s1,gx,1,1,0,1\n1796000001,s1,gx,2,2,0,2\n1796000002,s1,gx,3,3,0,3\n"),
		OC_OK);
	CU_ASSERT_EQUAL(fix.samples.known, 2);
	CU_ASSERT_EQUAL(fix.samples.count, 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(fix.samples.stored, "telemetry-20261130T005320-2.db"));
	CU_ASSERT_EQUAL(import(&fix, CSV "1796000000,s1,gx,1,1,0,1\n1796000001,s1,gx,2,2,0,2\n"), OC_OK);
	CU_ASSERT_EQUAL(fix.samples.count, 0);
	CU_ASSERT_STRING_EQUAL(fix.samples.stored, "");
	fix_fini(&fix);
}

static void test_earlier_imports_are_not_contradicted_silently(void)
{
	struct fix fix;

	fix_init(&fix);
	CU_ASSERT_EQUAL(import(&fix, CSV "1796000000,s1,gx,1,1,0,1\n1796000001,s1,gx,2,2,0,2\n"), OC_OK);
	CU_ASSERT_EQUAL(import(&fix, CSV "1796000000,s1,gx,1,1,0,1\n1796000001,s1,gx,7,2,0,2\n"),
			OC_EREFUSED);
	CU_ASSERT_PTR_NOT_NULL(strstr(fix.samples.error, "with other numbers: 2 requests there, 7 here"));
	CU_ASSERT_PTR_NOT_NULL(strstr(fix.samples.error, ":3:1:"));
	CU_ASSERT_EQUAL(import(&fix, "time,node,app,requests,interval_s\n1796000000,s1,gx,1,60\n"),
			OC_EREFUSED);
	CU_ASSERT_PTR_NOT_NULL(strstr(fix.samples.error, "overlaps an interval that is in"));
	fix_fini(&fix);
}

static int add_up(void *ctx, const struct oev_telemetry_row *row)
{
	uint64_t *sums = ctx;

	sums[0]++;
	sums[1] += row->requests;
	sums[2] += row->by_class[OEV_ANSWER_BUSY] == OEV_SAMPLE_UNKNOWN;
	return strcmp(row->node, "s1") == 0 && row->span_us == 1000000 ? OC_OK : OC_EMALFORMED;
}

static void test_what_is_stored_is_sealed_and_read_back(void)
{
	struct fix fix;
	struct stat info;
	uint64_t sums[3] = { 0 };
	char error[200] = "", path[4200];
	char **left = NULL;
	size_t count;

	fix_init(&fix);
	CU_ASSERT_EQUAL(
		import(&fix,
		       CSV "1796000000,s1,gx,10,1,0,1\n1796000001,s1,gx,20,2,,2\n1796000002,s1,gx,40,2,,2\n"),
		OC_OK);
	snprintf(path, sizeof(path), "%s", fix.samples.stored);
	CU_ASSERT_EQUAL_FATAL(stat(path, &info), 0);
	CU_ASSERT_EQUAL(info.st_mode & 0777, 0444);
	CU_ASSERT_EQUAL(oev_telemetry_each(path, 0, UINT64_MAX, add_up, sums, error, sizeof(error)), OC_OK);
	CU_ASSERT_EQUAL(sums[0], 3);
	CU_ASSERT_EQUAL(sums[1], 70);
	CU_ASSERT_EQUAL(sums[2], 2);
	sums[0] = 0;
	CU_ASSERT_EQUAL(oev_telemetry_each(path, HELP_WALL_US + 1, HELP_WALL_US + 2000000, add_up, sums,
					   error, sizeof(error)),
			OC_OK);
	CU_ASSERT_EQUAL(sums[0], 1); /* whole intervals inside only */
	CU_ASSERT_EQUAL(
		oev_telemetry_each(fix.segment.path, 0, UINT64_MAX, add_up, sums, error, sizeof(error)),
		OC_EMALFORMED);
	CU_ASSERT_EQUAL(oev_paths_list(fix.segment.folder, ".telemetry", "", &left, &count), OC_OK);
	CU_ASSERT_EQUAL(count, 0);
	oev_paths_free(left, count);
	fix_fini(&fix);
}

static void test_cut_and_bent_files_never_crash(void)
{
	static const char *const texts[] = {
		CSV "1796000000,s1.example.net,gx,100,90,4,80\n1796000001,\"s1\",gx,100,90,4,80\n",
		"[{\"time\": 1796000000, \"node\": \"s1\", \"application\": \"gx\", \"requests\": 1},\n "
		"{\"time\": 1796000001}]",
	};
	struct fix fix;
	char text[400];

	fix_init(&fix);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		for (uint64_t seed = 1; seed < 600; seed++) {
			uint64_t state = seed;
			size_t length = strlen(texts[i]), keep = help_chance(&state, length + 1);
			memcpy(text, texts[i], length + 1);
			text[keep] = '\0';
			for (unsigned bends = (unsigned)help_chance(&state, 4); keep > 0 && bends > 0;
			     bends--)
				text[help_chance(&state, keep)] =
					"\",{}[]:\n\r\t -+.x9\\"[help_chance(&state, 17)];
			oev_samples_fini(&fix.samples);
			fix.files = 0;
			int rc = read_text(&fix, text);
			if (rc == OC_OK)
				rc = oev_samples_check(&fix.samples);
			CU_ASSERT((rc == OC_OK) == (fix.samples.error[0] == '\0'));
		}
	fix_fini(&fix);
}

/* All that is wrong, with its places, for who asks for all; CSV and JSON. */
static void test_every_mistake_is_told_to_who_asks(void)
{
	static const char csv[] = CSV "1796000000,s1,gx,1e3,90,4,80\n1796000001,s1,gx,5,90\n"
				      "1796000002,s1,gz,x,1,1,1\n\n1796000003,s1,gx,1,0,0,0\n";
	static const char json[] =
		"[{\"time\": 1796000000, \"node\": \"s1\", \"application\": \"gx\", \"requests\": -1},\n"
		" {\"time\": 1796000001, \"node\": \"s1\", \"app\": \"gx\", \"requests\": 1, \"nobody\": "
		"2},\n"
		" 7]";
	struct oev_sample_mistakes mistakes = { 0 };
	struct oev_samples samples = { .mistakes = &mistakes };

	CU_ASSERT_EQUAL(oev_samples_read_text(&samples, "a.csv", csv, strlen(csv)), OC_EMALFORMED);
	CU_ASSERT_EQUAL_FATAL(mistakes.count, 4);
	CU_ASSERT_EQUAL(mistakes.list[0].line, 2);
	CU_ASSERT_EQUAL(mistakes.list[0].column, 18);
	CU_ASSERT_EQUAL(mistakes.list[1].line, 3);
	CU_ASSERT_EQUAL(mistakes.list[2].line, 4);
	CU_ASSERT_EQUAL(mistakes.list[3].line, 4);
	CU_ASSERT_PTR_NOT_NULL(strstr(mistakes.list[3].what, "\"x\" is no count"));
	CU_ASSERT_EQUAL(strncmp(samples.error, "a.csv:2:18: ", 12), 0);
	oev_samples_fini(&samples);
	memset(&mistakes, 0, sizeof(mistakes));
	samples.mistakes = &mistakes;
	CU_ASSERT_EQUAL(oev_samples_read_text(&samples, "a.json", json, strlen(json)), OC_EMALFORMED);
	CU_ASSERT_EQUAL_FATAL(mistakes.count, 3);
	CU_ASSERT_EQUAL(mistakes.list[0].line, 1);
	CU_ASSERT_EQUAL(mistakes.list[1].line, 2);
	CU_ASSERT_EQUAL(mistakes.list[2].line, 3);
	oev_samples_fini(&samples);
}

static void test_what_contradicts_is_told_whole_too(void)
{
	static const char rows[] =
		"time,node,app,requests,interval_s\n1796000000,s1,gx,1,1\n1796000000,s1,gx,2,1\n"
		"1796000000,s2,gx,1,1\n1796000000,s2,gx,2,1\n";
	struct oev_sample_mistakes mistakes = { 0 };
	struct oev_samples samples = { .mistakes = &mistakes };
	struct fix fix;

	CU_ASSERT_EQUAL(oev_samples_read_text(&samples, "a.csv", rows, strlen(rows)), OC_OK);
	CU_ASSERT_EQUAL(oev_samples_check(&samples), OC_EMALFORMED);
	CU_ASSERT_EQUAL_FATAL(mistakes.count, 2);
	CU_ASSERT_EQUAL(mistakes.list[0].line, 3);
	CU_ASSERT_EQUAL(mistakes.list[1].line, 5);
	oev_samples_fini(&samples);
	fix_init(&fix);
	CU_ASSERT_EQUAL(
		import(&fix,
		       "time,node,app,requests,interval_s\n1796000000,s1,gx,1,1\n1796000007,s2,gx,1,1\n"),
		OC_OK);
	oev_samples_fini(&fix.samples);
	memset(&mistakes, 0, sizeof(mistakes));
	fix.samples.mistakes = &mistakes;
	CU_ASSERT_EQUAL(
		read_text(
			&fix,
			"time,node,app,requests,interval_s\n1796000000,s1,gx,2,1\n1796000006.5,s2,gx,1,1\n"),
		OC_OK);
	CU_ASSERT_EQUAL(oev_samples_check(&fix.samples), OC_OK);
	CU_ASSERT_EQUAL(oev_samples_compare(&fix.samples, fix.segment.folder), OC_EREFUSED);
	CU_ASSERT_EQUAL(mistakes.count, 2);
	fix_fini(&fix);
}

static void test_nobody_looks_for_mistakes_without_end(void)
{
	struct oev_sample_mistakes mistakes = { 0 };
	struct oev_samples samples = { .mistakes = &mistakes };
	char text[8000] = "time,node,app,requests\n";
	size_t length = strlen(text);

	for (unsigned i = 0; i < 1000; i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length, "x,,,\n");
	CU_ASSERT_EQUAL(oev_samples_read_text(&samples, "a.csv", text, length), OC_EMALFORMED);
	CU_ASSERT_EQUAL(mistakes.count, OEV_MISTAKES_MAX);
	oev_samples_fini(&samples);
}

static void test_many_names_are_told_apart(void)
{
	struct oev_samples samples = { 0 };
	char name[32];

	for (unsigned i = 0; i < 5000; i++) {
		snprintf(name, sizeof(name), "node%u.example", i);
		CU_ASSERT_EQUAL(oev_samples_name(&samples, name), 0);
		CU_ASSERT_EQUAL(oev_samples_name_add(&samples, name), i + 1);
	}
	CU_ASSERT_EQUAL(oev_samples_name_add(&samples, "node7.example"), 8);
	CU_ASSERT_EQUAL(oev_samples_name(&samples, "node4999.example"), 5000);
	CU_ASSERT_STRING_EQUAL(samples.names[7], "node7.example");
	oev_samples_fini(&samples);
}

/* A file of sysfs says that it is a page long, and ends before that, as one that is cut while it is read. */
static void test_a_file_that_ends_early_is_refused(void)
{
	static const char *const path = "/sys/devices/system/cpu/online";
	struct oev_samples samples = { 0 };
	struct stat info;

	if (stat(path, &info) != 0 || info.st_size < 4096)
		return;
	CU_ASSERT_EQUAL(oev_samples_read(&samples, path), OC_EIO);
	CU_ASSERT_PTR_NOT_NULL(strstr(samples.error, "shorter"));
	oev_samples_fini(&samples);
}

void test_oev_audit_samples_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_audit_samples", NULL, NULL);

	CU_add_test(suite, "csv_is_read_with_all_its_units", test_csv_is_read_with_all_its_units);
	CU_add_test(suite, "json_says_the_same", test_json_says_the_same);
	CU_add_test(suite, "errors_name_line_and_column", test_errors_name_line_and_column);
	CU_add_test(suite, "intervals_must_fit_together", test_intervals_must_fit_together);
	CU_add_test(suite, "repeats_are_left_out_and_counted", test_repeats_are_left_out_and_counted);
	CU_add_test(suite, "earlier_imports_are_not_contradicted",
		    test_earlier_imports_are_not_contradicted_silently);
	CU_add_test(suite, "stored_is_sealed_and_read_back", test_what_is_stored_is_sealed_and_read_back);
	CU_add_test(suite, "every_mistake_is_told_to_who_asks", test_every_mistake_is_told_to_who_asks);
	CU_add_test(suite, "what_contradicts_is_told_whole_too", test_what_contradicts_is_told_whole_too);
	CU_add_test(suite, "nobody_looks_for_mistakes_without_end",
		    test_nobody_looks_for_mistakes_without_end);
	CU_add_test(suite, "many_names_are_told_apart", test_many_names_are_told_apart);
	CU_add_test(suite, "a_file_that_ends_early_is_refused", test_a_file_that_ends_early_is_refused);
	CU_add_test(suite, "cut_and_bent_files_never_crash", test_cut_and_bent_files_never_crash);
}
