/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of command lines: what each says, and that nothing else is taken for one.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "evidence/ctl/oev_ctl.h"

void test_oev_ctl_parse_suite(void);

static struct oev_ctl_command command;
static char error[OEV_CTL_ERROR_MAX];

/* Parses from a buffer of exactly that size, so that a sanitizer sees every octet read beyond it. */
static int parse_octets(const char *text, size_t len)
{
	char *exact = malloc(len > 0 ? len : 1);

	CU_ASSERT_PTR_NOT_NULL_FATAL(exact);
	memcpy(exact, text, len);
	error[0] = '\0';
	int rc = oev_ctl_parse(exact, len, &command, error);
	free(exact);
	return rc;
}

static void taken(const char *text)
{
	CU_ASSERT_EQUAL(parse_octets(text, strlen(text)), OC_OK);
	if (error[0] != '\0')
		fprintf(stderr, "  refused: %s: %s\n", text, error);
}

static void refused(const char *text, int rc, const char *why)
{
	int got = parse_octets(text, strlen(text));

	CU_ASSERT_EQUAL(got, rc);
	CU_ASSERT_PTR_NOT_NULL(strstr(error, why));
	if (got != rc || strstr(error, why) == NULL)
		fprintf(stderr, "  %s: wanted %d %s, got %d %s\n", text, rc, why, got, error);
}

static void test_every_command_is_understood(void)
{
	for (unsigned kind = 0; kind < OEV_CTL_KIND_COUNT; kind++) {
		const char *more = kind == OEV_CTL_REPORT_SET
					   ? ",\"type\":\"peer\",\"rate_rps\":0,\"reason\":\"r\""
				   : kind == OEV_CTL_REPORT_END	   ? ",\"type\":\"peer\",\"reason\":\"r\""
				   : kind == OEV_CTL_LOAD_SET	   ? ",\"value\":0"
				   : kind == OEV_CTL_POLICY_RELOAD ? ",\"reason\":\"r\""
								   : "";
		char text[128];

		snprintf(text, sizeof(text), "{\"do\":\"%s\"%s}\n", oev_ctl_kind_text(kind), more);
		taken(text);
		CU_ASSERT_EQUAL(command.kind, kind);
	}
	CU_ASSERT_STRING_EQUAL(oev_ctl_kind_text(OEV_CTL_KIND_COUNT), "?");
}

static void test_report_set_fills_every_field(void)
{
	taken("{\"do\":\"report.set\",\"type\":\"host\",\"subject\":\"S3.Example.net\",\"application\":"
	      "\"gx\","
	      "\"reduction_pct\":100,\"rate_rps\":4294967295,\"validity_s\":86400,\"for_s\":600,"
	      "\"reason\":\"r\"}");
	CU_ASSERT_EQUAL(command.type, OC_REPORT_HOST);
	CU_ASSERT_STRING_EQUAL(command.subject, "s3.example.net");
	CU_ASSERT_EQUAL(command.app_id, OC_APP_GX);
	CU_ASSERT(command.has_reduction && command.reduction_pct == 100);
	CU_ASSERT(command.has_rate && command.rate_rps == UINT32_MAX);
	CU_ASSERT(command.validity_s == 86400 && command.for_s == 600);
	taken("{\"do\":\"report.end\",\"type\":\"realm\",\"subject\":\"example.net\",\"application\":4,"
	      "\"reason\":\"r\"}");
	CU_ASSERT(command.type == OC_REPORT_REALM && command.app_id == OC_APP_GY && !command.has_reduction);
	taken("{\"do\":\"report.set\",\"type\":\"peer\",\"reduction_pct\":0,\"application\":\"all\","
	      "\"reason\":\"r\"}");
	CU_ASSERT(command.app_id == OC_APP_ANY && command.subject[0] == '\0' && !command.has_rate);
}

static void test_load_set_takes_a_value_or_auto(void)
{
	taken("{\"do\":\"load.set\",\"value\":65535}");
	CU_ASSERT(command.load_value == 65535 && !command.load_is_measured);
	taken("{\"do\":\"load.set\",\"value\":\"auto\"}");
	CU_ASSERT(command.load_is_measured);
	refused("{\"do\":\"load.set\",\"value\":65536}", OC_ERANGE,
		"value: 65536 is out of range (allowed: 0..65535)");
	refused("{\"do\":\"load.set\",\"value\":\"idle\"}", OC_EMALFORMED,
		"value: \"idle\" is neither 0..65535 nor auto");
	refused("{\"do\":\"load.set\"}", OC_EINVAL, "load.set needs the key \"value\"");
}

static void test_mistakes_are_named(void)
{
	refused("{}", OC_EINVAL, "the key \"do\" is missing");
	refused("{\"do\":7}", OC_EINVAL, "the key \"do\" is missing, or not a word");
	refused("{\"do\":\"reload\"}", OC_EINVAL, "unknown command \"reload\"");
	refused("{\"do\":\"ping\",\"subject\":\"a\"}", OC_EINVAL, "ping takes no key \"subject\"");
	refused("{\"do\":\"report.set\",\"type\":\"peer\",\"reduction\":5}", OC_EINVAL,
		"report.set takes no key \"reduction\"");
	refused("{\"do\":\"report.set\",\"reduction_pct\":5}", OC_EINVAL,
		"report.set needs the key \"type\"");
	refused("{\"do\":\"report.set\",\"type\":\"peer\"}", OC_EINVAL,
		"needs reduction_pct, rate_rps or both");
	refused("{\"do\":\"report.end\",\"type\":\"host\"}", OC_EINVAL,
		"a report of type host needs the key \"subject\"");
	refused("{\"do\":\"report.end\",\"type\":\"node\"}", OC_EINVAL,
		"type: \"node\" is not one of the words");
	refused("{\"do\":\"report.end\",\"type\":\"peer\",\"application\":\"gq\"}", OC_EINVAL,
		"application: \"gq\" is unknown");
	refused("{\"do\":\"report.end\",\"type\":\"peer\",\"application\":4294967295}", OC_ERANGE,
		"application: 4294967295 is out of range");
	refused("{\"do\":\"report.set\",\"type\":\"peer\",\"reduction_pct\":101}", OC_ERANGE,
		"reduction_pct: 101 is out of range (allowed: 0..100)");
	refused("{\"do\":\"report.set\",\"type\":\"peer\",\"reduction_pct\":-1}", OC_ERANGE,
		"-1 is out of range");
	refused("{\"do\":\"report.set\",\"type\":\"peer\",\"reduction_pct\":20.0}", OC_EMALFORMED,
		"reduction_pct: not a whole number");
	refused("{\"do\":\"report.set\",\"type\":\"peer\",\"rate_rps\":4294967296}", OC_ERANGE, "rate_rps");
	refused("{\"do\":\"report.set\",\"type\":\"peer\",\"rate_rps\":\"5\"}", OC_EMALFORMED, "rate_rps");
	refused("{\"do\":\"report.set\",\"type\":\"peer\",\"rate_rps\":5,\"validity_s\":86401}", OC_ERANGE,
		"validity_s");
}

static void test_hostile_lines_are_refused(void)
{
	static const char *const texts[] = {
		"",
		"\n",
		"null",
		"[]",
		"\"ping\"",
		"ping",
		"{\"do\":\"ping\"",
		"{\"do\":\"ping\"}{\"do\":\"ping\"}",
		"{\"do\":\"ping\",\"do\":\"stats\"}",
		"{\"do\":\"ping\\u0000\"}",
		"{\"do\":\"p\xffing\"}",
		"{\"do\":\"report.end\",\"type\":\"host\",\"subject\":\"\"}",
		"{\"do\":\"report.end\",\"type\":\"host\",\"subject\":\"a b\"}",
		"{\"do\":\"report.end\",\"type\":\"host\",\"subject\":\"a\\u0000b\"}",
		"{\"do\":\"report.end\",\"type\":\"host\",\"subject\":\"a\\u00e9\"}",
		"{\"do\":\"report.end\",\"type\":\"host\",\"subject\":[\"a\"]}",
		"{\"do\":\"load.set\",\"value\":1e400}",
		"{\"do\":\"load.set\",\"value\":99999999999999999999}",
		"{\"do\":{\"do\":\"ping\"}}",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		CU_ASSERT_NOT_EQUAL(parse_octets(texts[i], strlen(texts[i])), OC_OK);
		CU_ASSERT(error[0] != '\0');
		for (const char *c = error; *c != '\0'; c++)
			CU_ASSERT((unsigned char)*c >= 0x20);
	}
	CU_ASSERT_NOT_EQUAL(parse_octets("{\"do\":\"ping\"}\0", 14), OC_OK);
}

static void test_size_is_bounded(void)
{
	static const char head[] = "{\"do\":\"report.end\",\"type\":\"host\",\"reason\":\"r\",\"subject\":\"";
	char *text = malloc(OEV_CTL_LINE_MAX + 1);

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	memset(text, ' ', OEV_CTL_LINE_MAX + 1);
	memcpy(text, "{\"do\":\"ping\"}", 13);
	CU_ASSERT_EQUAL(parse_octets(text, OEV_CTL_LINE_MAX), OC_OK);
	CU_ASSERT_EQUAL(parse_octets(text, OEV_CTL_LINE_MAX + 1), OC_ERANGE);
	memset(text, '[', OEV_CTL_LINE_MAX);
	CU_ASSERT_NOT_EQUAL(parse_octets(text, OEV_CTL_LINE_MAX), OC_OK);
	memset(text, 'a', OEV_CTL_LINE_MAX);
	memcpy(text, head, sizeof(head) - 1);
	memcpy(text + sizeof(head) - 1 + OC_IDENT_MAX, "\"}", 2);
	CU_ASSERT_EQUAL(parse_octets(text, sizeof(head) - 1 + OC_IDENT_MAX + 2), OC_OK);
	CU_ASSERT_EQUAL(strlen(command.subject), OC_IDENT_MAX);
	memcpy(text + sizeof(head) - 1 + OC_IDENT_MAX, "a\"}", 3);
	CU_ASSERT_EQUAL(parse_octets(text, sizeof(head) - 1 + OC_IDENT_MAX + 3), OC_EMALFORMED);
	free(text);
}

static void test_a_reason_is_a_short_text(void)
{
	char text[256];
	char longest[OC_ORDER_TEXT_MAX];

	taken("{\"do\":\"report.set\",\"type\":\"peer\",\"rate_rps\":5,\"reason\":\"work on s3\"}");
	CU_ASSERT_STRING_EQUAL(command.reason, "work on s3");
	refused("{\"do\":\"report.end\",\"type\":\"peer\"}", OC_EINVAL,
		"report.end: give a reason; it is kept in the evidence");
	refused("{\"do\":\"report.set\",\"type\":\"peer\",\"rate_rps\":5}", OC_EINVAL,
		"report.set: give a reason");
	refused("{\"do\":\"policy.reload\"}", OC_EINVAL, "policy.reload: give a reason");
	memset(longest, 'x', sizeof(longest));
	longest[OC_ORDER_TEXT_MAX - 1] = '\0';
	snprintf(text, sizeof(text), "{\"do\":\"report.end\",\"type\":\"peer\",\"reason\":\"%s\"}", longest);
	taken(text);
	CU_ASSERT_STRING_EQUAL(command.reason, longest);
	snprintf(text, sizeof(text), "{\"do\":\"report.end\",\"type\":\"peer\",\"reason\":\"%sy\"}", longest);
	refused(text, OC_EMALFORMED, "reason: not a text");
	refused("{\"do\":\"report.end\",\"type\":\"peer\",\"reason\":\"\"}", OC_EMALFORMED, "not a text");
	refused("{\"do\":\"report.end\",\"type\":\"peer\",\"reason\":\"a\\nb\"}", OC_EMALFORMED,
		"control character");
	refused("{\"do\":\"stats\",\"reason\":\"x\"}", OC_EINVAL, "takes no key");
}

void test_oev_ctl_parse_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_ctl_parse", NULL, NULL);

	CU_add_test(suite, "a_reason_is_a_short_text", test_a_reason_is_a_short_text);
	CU_add_test(suite, "every_command_is_understood", test_every_command_is_understood);
	CU_add_test(suite, "report_set_fills_every_field", test_report_set_fills_every_field);
	CU_add_test(suite, "L-20 load_set_takes_a_value_or_auto", test_load_set_takes_a_value_or_auto);
	CU_add_test(suite, "mistakes_are_named", test_mistakes_are_named);
	CU_add_test(suite, "hostile_lines_are_refused", test_hostile_lines_are_refused);
	CU_add_test(suite, "size_is_bounded", test_size_is_bounded);
}
