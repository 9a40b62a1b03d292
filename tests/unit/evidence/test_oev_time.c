/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of reading and writing points in time.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/oc_err.h"
#include "evidence/oev_time.h"

void test_oev_time_suite(void);

#define NOW_US 1796047407114000ull /* 2026-11-30T14:03:27.114Z */

static void same(const char *text, const char *expected)
{
	uint64_t us = 0;
	char back[OEV_TIME_TEXT_MAX] = "";

	CU_ASSERT_EQUAL(oev_time_parse(text, NOW_US, &us), OC_OK);
	oev_time_text(us, back);
	CU_ASSERT_STRING_EQUAL(back, expected);
}

static void refused(const char *text, int rc)
{
	uint64_t us = 42;

	CU_ASSERT_EQUAL(oev_time_parse(text, NOW_US, &us), rc);
	CU_ASSERT_EQUAL(us, 42); /* untouched on failure */
}

static void test_absolute_forms_are_utc(void)
{
	same("2026-11-29T14:03:27Z", "2026-11-29T14:03:27Z");
	same("2026-11-29T14:03:27.5Z", "2026-11-29T14:03:27.500Z");
	same("2026-11-29T14:03:27.000001Z", "2026-11-29T14:03:27.000001Z");
	same("2026-11-29T14:03:27+02:00", "2026-11-29T12:03:27Z");
	same("2026-11-29T23:30:00-01:00", "2026-11-30T00:30:00Z");
	same("2026-11-29T14:03", "2026-11-29T14:03:00Z");
	same("2026-11-29", "2026-11-29T00:00:00Z");
	same("1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z");
	same("2000-02-29", "2000-02-29T00:00:00Z");
	same("2024-02-29", "2024-02-29T00:00:00Z");
}

static void test_relative_forms_count_from_now(void)
{
	same("now", "2026-11-30T14:03:27.114Z");
	same("-10m", "2026-11-30T13:53:27.114Z");
	same("-90s", "2026-11-30T14:01:57.114Z");
	same("-2h", "2026-11-30T12:03:27.114Z");
	same("-1d", "2026-11-29T14:03:27.114Z");
	same("14:00", "2026-11-30T14:00:00Z");
	same("09:05:07", "2026-11-30T09:05:07Z");
}

static void test_nonsense_is_refused(void)
{
	refused("", OC_EMALFORMED);
	refused("yesterday", OC_EMALFORMED);
	refused("-10", OC_EMALFORMED);
	refused("-m", OC_EMALFORMED);
	refused("-10mm", OC_EMALFORMED);
	refused("25:00", OC_ERANGE);
	refused("14:60", OC_ERANGE);
	refused("2025-02-29", OC_ERANGE);
	refused("2026-13-01", OC_ERANGE);
	refused("2026-11-29T14:03:27Zx", OC_EMALFORMED);
	refused("2026-11-29T14:03:27.Z", OC_EMALFORMED);
	refused("1969-12-31", OC_ERANGE);
	refused("-9999999999d", OC_ERANGE);
}

void test_oev_time_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_time", NULL, NULL);

	CU_add_test(suite, "absolute_forms_are_utc", test_absolute_forms_are_utc);
	CU_add_test(suite, "relative_forms_count_from_now", test_relative_forms_count_from_now);
	CU_add_test(suite, "nonsense_is_refused", test_nonsense_is_refused);
}
