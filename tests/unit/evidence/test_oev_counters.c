/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of counter files.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/audit/oev_counters.h"

void test_oev_counters_suite(void);

#define HEAD                                                                                                 \
	"{\"schema\":\"doic.counters/"                                                                       \
	"1\",\"role\":\"server\",\"node\":\"S1.Example.net\",\"started_us\":10,\"ended_us\":20,"

static int load(struct oev_counters *counters, const char *text)
{
	char path[] = "/tmp/doic-counters-XXXXXX", error[256];
	int fd = mkstemp(path);
	FILE *file = fdopen(fd, "w");

	fputs(text, file);
	fclose(file);
	*counters = (struct oev_counters){ 0 };
	int rc = oev_counters_load(counters, path, error, sizeof(error));
	unlink(path);
	return rc;
}

static void expect(const char *text, int rc)
{
	struct oev_counters counters;

	CU_ASSERT_EQUAL(load(&counters, text), rc);
	oev_counters_fini(&counters);
}

static void test_a_whole_file_is_read(void)
{
	struct oev_counters counters;

	CU_ASSERT_EQUAL(load(&counters,
			     HEAD "\"apps\":[{\"app_id\":4,\"requests\":7,\"answers\":6,\"useful\":5}],"
				  "\"series\":{\"start_us\":100,\"interval_us\":10,\"requests\":[1,2,3]}}"),
			OC_OK);
	CU_ASSERT_STRING_EQUAL(counters.node, "s1.example.net");
	CU_ASSERT_STRING_EQUAL(counters.realm, "");
	const struct oev_counter_app *app = oev_counters_app(&counters, 4);
	CU_ASSERT_PTR_NOT_NULL_FATAL(app);
	CU_ASSERT_EQUAL(app->requests, 7);
	CU_ASSERT_EQUAL(app->useful, 5);
	CU_ASSERT(app->has_useful);
	CU_ASSERT_PTR_NULL(oev_counters_app(&counters, 5));
	oev_counters_fini(&counters);
}

static void test_only_whole_buckets_count(void)
{
	struct oev_counters counters;
	struct oev_counter_span span = { 0 };

	CU_ASSERT_EQUAL(load(&counters, HEAD "\"apps\":[],\"series\":{\"start_us\":100,\"interval_us\":10,"
					     "\"requests\":[1,2,4,8]}}"),
			OC_OK);
	CU_ASSERT(oev_counters_between(&counters, 105, 135, &span));
	CU_ASSERT_EQUAL(span.first_us, 110);
	CU_ASSERT_EQUAL(span.last_us, 130);
	CU_ASSERT_EQUAL(span.sum, 6);
	CU_ASSERT(oev_counters_between(&counters, 0, 1000, &span));
	CU_ASSERT_EQUAL(span.sum, 15);
	CU_ASSERT_EQUAL(span.last_us, 140);
	CU_ASSERT(!oev_counters_between(&counters, 111, 119, &span));
	CU_ASSERT(!oev_counters_between(&counters, 140, 200, &span));
	CU_ASSERT(!oev_counters_between(&counters, 0, 100, &span));
	oev_counters_fini(&counters);
}

static void test_bad_files_are_refused(void)
{
	struct oev_counters counters = { 0 };
	char error[256];

	expect("", OC_EMALFORMED);
	expect("[]", OC_EMALFORMED);
	expect("{\"schema\":\"doic.counters/2\"}", OC_EVERSION);
	expect("{\"schema\":\"else\"}", OC_EMALFORMED);
	expect(HEAD "\"apps\":3}", OC_EMALFORMED);
	expect(HEAD "\"apps\":[{\"app_id\":4,\"requests\":-1,\"answers\":0}]}", OC_EMALFORMED);
	expect(HEAD "\"apps\":[{\"app_id\":4,\"requests\":1.5,\"answers\":0}]}", OC_EMALFORMED);
	expect(HEAD "\"apps\":[{\"app_id\":4,\"requests\":1,\"answers\":0},{\"app_id\":4,\"requests\":1,"
		    "\"answers\":0}]}",
	       OC_EMALFORMED); /* twice the same application */
	expect(HEAD "\"apps\":[],\"series\":{\"start_us\":1,\"interval_us\":0,\"requests\":[]}}",
	       OC_EMALFORMED);
	CU_ASSERT_EQUAL(oev_counters_load(&counters, "/nonexistent/x.json", error, sizeof(error)), OC_EIO);
	oev_counters_fini(&counters);
}

/* A pipe would wait for its writer, a device never end. */
static void test_only_regular_files_are_read(void)
{
	struct oev_counters counters = { 0 };
	char folder[] = "/tmp/doic-counters-XXXXXX", path[64], error[256] = "";

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/pipe.json", folder);
	CU_ASSERT_EQUAL_FATAL(mkfifo(path, 0600), 0);
	CU_ASSERT_EQUAL(oev_counters_load(&counters, path, error, sizeof(error)), OC_EIO);
	CU_ASSERT_PTR_NOT_NULL(strstr(error, "not a regular file"));
	oev_counters_fini(&counters);
	CU_ASSERT_EQUAL(oev_counters_load(&counters, "/dev/zero", error, sizeof(error)), OC_EIO);
	oev_counters_fini(&counters);
	unlink(path);
	rmdir(folder);
}

void test_oev_counters_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_counters", NULL, NULL);

	CU_add_test(suite, "a_whole_file_is_read", test_a_whole_file_is_read);
	CU_add_test(suite, "only_whole_buckets_count", test_only_whole_buckets_count);
	CU_add_test(suite, "only_regular_files_are_read", test_only_regular_files_are_read);
	CU_add_test(suite, "bad_files_are_refused", test_bad_files_are_refused);
}
