/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of replies: one line each, every key present, numbers as the agent has them.
 */
#include <CUnit/CUnit.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evidence/ctl/oev_ctl.h"

#define SECOND_NS 1000000000ull

void test_oev_ctl_reply_suite(void);

static uint32_t name_of(struct oc_names *names, const char *text)
{
	return oc_names_id(names, (struct oc_bytes){ (const uint8_t *)text, strlen(text) }, NULL);
}

static void expect(char *line, const char *want)
{
	CU_ASSERT_PTR_NOT_NULL_FATAL(line);
	CU_ASSERT_STRING_EQUAL(line, want);
	if (strcmp(line, want) != 0)
		fprintf(stderr, "  wanted %s\n  got    %s\n", want, line);
	free(line);
}

static void test_short_replies(void)
{
	expect(oev_ctl_reply_ok(), "{\"schema\":\"doic.ctl/1\",\"ok\":true}");
	expect(oev_ctl_reply_error(OEV_CTL_NOT_FOUND, "no such\norder"),
	       "{\"schema\":\"doic.ctl/1\",\"ok\":false,\"error\":\"not_found\",\"message\":\"no "
	       "such\\norder\"}");
	expect(oev_ctl_reply_error(OEV_CTL_INVALID, "\xff"),
	       "{\"schema\":\"doic.ctl/1\",\"ok\":false,\"error\":\"invalid\",\"message\":\"(not UTF-8)\"}");
	expect(oev_ctl_reply_pong("0.1", "dra1.example.net", 3),
	       "{\"schema\":\"doic.ctl/1\",\"ok\":true,\"version\":\"0.1\",\"identity\":\"dra1.example.net\","
	       "\"policy_version\":3}");
	expect(oev_ctl_reply_policy(4, "t.yaml:1:1: trust"),
	       "{\"schema\":\"doic.ctl/1\",\"ok\":true,\"policy_version\":4,\"note\":\"t.yaml:1:1: trust\"}");
	expect(oev_ctl_reply_policy(4, ""), "{\"schema\":\"doic.ctl/1\",\"ok\":true,\"policy_version\":4}");
	CU_ASSERT_STRING_EQUAL(oev_ctl_refusal_text(OEV_CTL_REFUSAL_COUNT), "?");
}

static void test_reports_have_every_key(void)
{
	struct oc_names *names = oc_names_new(64, 1);
	struct oc_report_view views[2] = { 0 };

	views[0] = (struct oc_report_view){ .order = { .key = { .app_id = OC_APP_GX,
								.subject = name_of(names, "S3.example.net"),
								.type = OC_REPORT_HOST },
						       .has_reduction = true,
						       .reduction_pct = 40,
						       .until_ns = 15 * SECOND_NS },
					    .sequence = UINT64_MAX,
					    .told_until_ns = 12 * SECOND_NS,
					    .sent = 7,
					    .reduction_pct = 20,
					    .is_withdrawn = true };
	views[1] =
		(struct oc_report_view){ .order = { .key = { .app_id = OC_APP_ANY, .type = OC_REPORT_PEER },
						    .has_rate = true,
						    .rate_rps = 500,
						    .validity_s = 30 },
					 .targets = 3 };
	expect(oev_ctl_reply_reports(views, 2, names, 10 * SECOND_NS),
	       "{\"schema\":\"doic.ctl/1\",\"ok\":true,\"reports\":["
	       "{\"type\":\"host\",\"subject\":\"s3.example.net\",\"application\":16777238,\"reduction_pct\":"
	       "40,"
	       "\"rate_rps\":null,\"validity_s\":0,\"state\":\"falling\",\"told_reduction_pct\":20,"
	       "\"targets\":0,"
	       "\"sequence\":\"18446744073709551615\",\"sent\":7,\"told_until_s\":2.0,\"withdrawn_in_s\":5.0}"
	       ","
	       "{\"type\":\"peer\",\"subject\":null,\"application\":\"all\",\"reduction_pct\":null,\"rate_"
	       "rps\":500,"
	       "\"validity_s\":30,\"state\":\"in_force\",\"told_reduction_pct\":null,\"targets\":3,"
	       "\"sequence\":\"0\","
	       "\"sent\":0,\"told_until_s\":0.0,\"withdrawn_in_s\":null}]}");
	expect(oev_ctl_reply_reports(NULL, 0, names, 0),
	       "{\"schema\":\"doic.ctl/1\",\"ok\":true,\"reports\":[]}");
	oc_names_free(names);
}

static void test_states_and_loads_have_every_key(void)
{
	struct oc_names *names = oc_names_new(64, 1);
	struct oc_ocs_view state = { .sequence = 9,
				     .since_ns = 4 * SECOND_NS,
				     .expires_ns = 34 * SECOND_NS,
				     .matched = 100,
				     .selected = 30,
				     .version = 2,
				     .app_id = OC_APP_GY,
				     .subject = name_of(names, "s1"),
				     .reduction_pct = 30,
				     .share_ppm = 300000,
				     .type = OC_REPORT_HOST,
				     .algorithm = OC_ALGO_LOSS,
				     .active = 1 };
	const struct oc_load_view load = {
		.node = name_of(names, "s1"), .host_value = 0, .peer_value = -1, .weight = 7
	};
	const struct oev_ctl_own_load own = { .value = 65535, .is_set = true };

	expect(oev_ctl_reply_states(&state, 1, names, 14 * SECOND_NS),
	       "{\"schema\":\"doic.ctl/"
	       "1\",\"ok\":true,\"states\":[{\"version\":2,\"type\":\"host\",\"subject\":\"s1\","
	       "\"application\":4,\"algorithm\":\"loss\",\"reduction_pct\":30,\"rate_rps\":null,"
	       "\"origin\":null,\"share_ratio\":0.3,\"active\":true,"
	       "\"held_s\":10.0,\"left_s\":20.0,\"sequence\":\"9\",\"matched\":100,\"selected\":30}]}");
	state.algorithm = OC_ALGO_RATE;
	state.rate_rps = 50;
	state.origin = name_of(names, "c2");
	expect(oev_ctl_reply_states(&state, 1, names, 14 * SECOND_NS),
	       "{\"schema\":\"doic.ctl/"
	       "1\",\"ok\":true,\"states\":[{\"version\":2,\"type\":\"host\",\"subject\":\"s1\","
	       "\"application\":4,\"algorithm\":\"rate\",\"reduction_pct\":null,\"rate_rps\":50,"
	       "\"origin\":\"c2\",\"share_ratio\":0.3,\"active\":true,"
	       "\"held_s\":10.0,\"left_s\":20.0,\"sequence\":\"9\",\"matched\":100,\"selected\":30}]}");
	expect(oev_ctl_reply_loads(&own, &load, 1, names),
	       "{\"schema\":\"doic.ctl/1\",\"ok\":true,\"own_value\":65535,\"own_is_set\":true,\"loads\":["
	       "{\"node\":\"s1\",\"host_value\":0,\"peer_value\":null,\"weight\":7}]}");
	oc_names_free(names);
}

static void test_stats_tell_every_counter(void)
{
	struct oc_stats stats;

	for (unsigned i = 0; i < OC_STAT_COUNT; i++)
		stats.value[i] = i + 1;
	char *line = oev_ctl_reply_stats(&stats);
	json_t *root = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
	const json_t *object = json_object_get(root, "stats");
	CU_ASSERT_EQUAL(json_object_size(object), OC_STAT_COUNT);
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(object, "refused")), OC_STAT_REFUSED + 1);
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(object, "states_active")), OC_STAT_OCS_ACTIVE + 1);
	json_decref(root);
	free(line);
}

void test_oev_ctl_reply_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_ctl_reply", NULL, NULL);

	CU_add_test(suite, "short_replies", test_short_replies);
	CU_add_test(suite, "reports_have_every_key", test_reports_have_every_key);
	CU_add_test(suite, "states_and_loads_have_every_key", test_states_and_loads_have_every_key);
	CU_add_test(suite, "stats_tell_every_counter", test_stats_tell_every_counter);
}
