/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the keys for rate, priorities, load, reports of our own and borders: what they become, and what is refused.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "agent/oc_err.h"
#include "evidence/conf/oev_conf_check.h"
#include "help_conf.h"

#define PEERS "trust:\n  peers:\n"
#define SIXTEEN "[15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]"

void test_oev_conf_protocol_suite(void);

static const struct oc_policy *parsed(const char *text)
{
	static union help_parsed out;
	char error[OEV_CONF_ERROR_MAX];

	CU_ASSERT_EQUAL(help_parse(OEV_CONF_POLICY, text, strlen(text), &out, error), OC_OK);
	CU_ASSERT_STRING_EQUAL(error, "");
	return &out.policy;
}

/* @error: what follows "t.yaml:", its beginning. */
static void refused(const char *text, int err, const char *error)
{
	static union help_parsed out;
	char said[OEV_CONF_ERROR_MAX];

	CU_ASSERT_EQUAL(help_parse(OEV_CONF_POLICY, text, strlen(text), &out, said), err);
	CU_ASSERT_EQUAL(strncmp(said + 7, error, strlen(error)), 0);
	if (strncmp(said + 7, error, strlen(error)) != 0)
		fprintf(stderr, "wanted %s\ngot    %s\n", error, said + 7);
}

static void test_listed_peers_are_neighbours(void)
{
	const struct oc_policy *policy =
		parsed(PEERS "    - peer: a\n    - {peer: b, drmp: relayed, load: relayed}\n"
			     "    - {peer: c, drmp: own, load: none, receive_drmp: false,"
			     " receive_load: false}\n");

	CU_ASSERT_EQUAL(policy->rules[0].flags,
			OC_TRUST_DOIC | OC_TRUST_RECEIVE_DRMP | OC_TRUST_SEND_LOAD | OC_TRUST_RECEIVE_LOAD);
	CU_ASSERT_EQUAL(policy->rules[1].flags, OC_TRUST_DOIC | OC_TRUST_DRMP | OC_TRUST_RELAY_DRMP |
							OC_TRUST_RECEIVE_DRMP | OC_TRUST_SEND_LOAD |
							OC_TRUST_RELAY_LOAD | OC_TRUST_RECEIVE_LOAD);
	CU_ASSERT_EQUAL(policy->rules[2].flags, OC_TRUST_DOIC | OC_TRUST_DRMP);
	CU_ASSERT_EQUAL(policy->default_trust, OC_TRUST_RECEIVE_DRMP);
}

/* Default deny: whatever is not written is not given. */
static void test_border_denies_what_is_not_written(void)
{
	const struct oc_policy *policy = parsed(
		PEERS
		"    - {peer: a, border: true}\n"
		"    - {peer: b, border: true, doic: true, send_reports: true, drmp: own, receive_load: true,"
		" emergency: true, drmp_map: " SIXTEEN "}\n"
		"  default: {border: true}\n");

	CU_ASSERT_EQUAL(policy->rules[0].flags, OC_TRUST_BORDER | OC_TRUST_NO_EMERGENCY);
	CU_ASSERT_EQUAL(policy->rules[1].flags, OC_TRUST_BORDER | OC_TRUST_DOIC | OC_TRUST_SEND_REPORTS |
							OC_TRUST_DRMP | OC_TRUST_RECEIVE_LOAD);
	CU_ASSERT(policy->rules[1].has_drmp_map && !policy->rules[0].has_drmp_map);
	for (unsigned i = 0; i < OC_RANKS; i++)
		CU_ASSERT_EQUAL(policy->rules[1].drmp_map[i], 15 - i);
	CU_ASSERT_EQUAL(policy->default_trust, OC_TRUST_BORDER | OC_TRUST_NO_EMERGENCY);
	refused(PEERS "    - {peer: a, border: true, send_reports: true}\n", OC_EINVAL,
		"3:45: trust.peers[0].send_reports: true, but doic beside it is false");
	refused(PEERS "    - {peer: a, drmp_map: " SIXTEEN "}\n", OC_EINVAL,
		"3:27: trust.peers[0].drmp_map: given, but drmp beside it is none");
	refused(PEERS "    - {peer: a, drmp: own, drmp_map: [1, 2]}\n", OC_ERANGE,
		"3:38: trust.peers[0].drmp_map: 2 entries (allowed: 16, one for each DRMP priority, or "
		"none)");
	refused(PEERS "    - {peer: a, drmp: own, drmp_map: [16]}\n", OC_ERANGE,
		"3:39: trust.peers[0].drmp_map[0]: \"16\" is out of range (allowed: 0..15)");
	refused(PEERS "    - {peer: a, load: all}\n", OC_ERANGE,
		"3:23: trust.peers[0].load: \"all\" is not one of the words (allowed: none, own, relayed)");
}

static void test_rate_thresholds_are_thousandths(void)
{
	const struct oc_policy *policy = parsed("rate:\n  initial: 0.125\n  anti_resonance: true\n"
						"  thresholds: [1000, 3.5, 3.5, 0.5, 0.125]\n");

	CU_ASSERT_EQUAL(policy->rate.initial_permille, 125);
	CU_ASSERT_EQUAL(policy->rate.threshold_permille[0], 1000000);
	CU_ASSERT_EQUAL(policy->rate.threshold_permille[1], 3500);
	CU_ASSERT_EQUAL(policy->rate.threshold_permille[4], 125);
	CU_ASSERT(policy->rate.is_on && policy->rate.is_anti_resonant);
	CU_ASSERT_EQUAL(parsed("rate: {initial: 5}")->rate.initial_permille, 5000);
	CU_ASSERT_EQUAL(parsed("rate: {thresholds: [0, 0, 0, 0, 0]}")->rate.threshold_permille[0], 0);
}

static void test_rate_mistakes(void)
{
	refused("rate: {thresholds: [10, 9, 9.001, 8, 7]}", OC_EINVAL,
		"1:28: rate.thresholds[2]: 9.001 is above the 9 of the more important class before it");
	refused("rate: {thresholds: [10, 9]}", OC_ERANGE,
		"1:20: rate.thresholds: 2 entries (allowed: exactly 5)");
	refused("rate: {thresholds: []}", OC_ERANGE, "1:20: rate.thresholds: 0 entries (allowed: exactly 5)");
	refused("rate: {thresholds: [1, 1, 1, 1, 1, 1]}", OC_ERANGE,
		"1:36: rate.thresholds[5]: too many entries");
	refused("rate: {initial: 5.001}", OC_EINVAL,
		"1:17: rate.initial: 5.001 is above the smallest threshold 5.000 (allowed: at most that)");
	refused("rate: {initial: 1, thresholds: [4, 3, 2, 1, 0.999]}", OC_EINVAL,
		"1:17: rate.initial: 1 is above the smallest threshold 0.999");
	refused("rate: {thresholds: [1000.001, 1, 1, 1, 1]}", OC_ERANGE,
		"1:21: rate.thresholds[0]: \"1000.001\" is out of range (allowed: 0..1000 T, up to three "
		"decimals)");
	refused("rate: {initial: \"1\"}", OC_EMALFORMED, "1:17: rate.initial: \"1\" is quoted, not a number");
}

static void test_decimals_have_one_form(void)
{
	static const char *const bad[] = {
		"",   ".",	".5",  "5.",	"-1",  "+1",  "1e3", "0x1",
		"01", "1.2345", "1,5", "1.2.3", "inf", "nan", "1 2", "1234567890"
	};
	static const struct {
		const char *text;
		uint64_t value;
	} good[] = { { "0", 0 },	{ "0.0", 0 },	  { "0.001", 1 },
		     { "10.5", 10500 }, { "8.75", 8750 }, { "999999999.999", 999999999999 } };
	uint64_t value;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		CU_ASSERT(!oev_conf_decimal(bad[i], strlen(bad[i]), &value));
		if (oev_conf_decimal(bad[i], strlen(bad[i]), &value))
			fprintf(stderr, "taken: %s\n", bad[i]);
	}
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		CU_ASSERT(oev_conf_decimal(good[i].text, strlen(good[i].text), &value));
		CU_ASSERT_EQUAL(value, good[i].value);
	}
}

static void test_priorities_are_read(void)
{
	const struct oc_policy *policy =
		parsed("priorities:\n  emergency_apns: [SOS.ims, ecall]\n  slack_requests: 0\n  drmp: false\n"
		       "  class_of_drmp: [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 4]\n");

	CU_ASSERT_EQUAL(policy->priorities.emergency_apn_count, 2);
	CU_ASSERT_STRING_EQUAL(policy->priorities.emergency_apns[0], "sos.ims");
	CU_ASSERT_EQUAL(policy->priorities.class_of_drmp[15], 4);
	CU_ASSERT(!policy->priorities.uses_drmp && policy->priorities.slack == 0);
	policy = parsed("priorities: {emergency_apns: []}");
	CU_ASSERT_EQUAL(policy->priorities.emergency_apn_count, 0);
	CU_ASSERT_STRING_EQUAL(policy->priorities.emergency_apns[0], "");
	refused("priorities: {class_of_drmp: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}", OC_EINVAL,
		"1:33: priorities.class_of_drmp[1]: 0 is below the 1 of the more important priority before "
		"it");
	refused("priorities: {class_of_drmp: [0, 0]}", OC_ERANGE,
		"1:29: priorities.class_of_drmp: 2 entries (allowed: exactly 16)");
	refused("priorities: {emergency_apns: [a, A]}", OC_EINVAL,
		"1:34: priorities.emergency_apns[1]: \"a\" is already in the list");
	refused("priorities: {emergency_apns: [\"*\"]}", OC_EMALFORMED,
		"1:31: priorities.emergency_apns[0]: \"*\" is not a name");
	refused("priorities: {default_drmp: 16}", OC_ERANGE,
		"1:28: priorities.default_drmp: \"16\" is out of range (allowed: 0..15)");
}

static void test_orders_are_read(void)
{
	const struct oc_policy *policy = parsed(
		"reports:\n"
		"  sole_path_to: [S3.example.net]\n"
		"  realms: [example.net]\n"
		"  orders:\n"
		"    - {type: host, subject: s3.Example.net, application: gx, reduction_pct: 0}\n"
		"    - {type: host, subject: s3.example.net, reduction_pct: 20, rate_rps: 0}\n"
		"    - {type: realm, subject: example.net, application: 4, rate_rps: 4294967295, validity_s: "
		"9}\n"
		"    - {type: peer, rate_rps: 5, application: all}\n"
		"    - {type: peer, subject: c1.visited.example, reduction_pct: 100, application: SWx}\n");
	const struct oc_order_policy *orders = policy->reports.orders;

	CU_ASSERT_EQUAL_FATAL(policy->reports.order_count, 5);
	CU_ASSERT_EQUAL(policy->reports.sole_path_count, 1);
	CU_ASSERT_STRING_EQUAL(policy->reports.sole_paths[0], "s3.example.net");
	CU_ASSERT_STRING_EQUAL(orders[0].subject, "s3.example.net");
	CU_ASSERT(orders[0].type == OC_REPORT_HOST && orders[0].app_id == OC_APP_GX);
	CU_ASSERT(orders[0].has_reduction && orders[0].reduction_pct == 0 && !orders[0].has_rate);
	CU_ASSERT(orders[1].app_id == OC_APP_ANY && orders[1].has_reduction && orders[1].has_rate);
	CU_ASSERT(orders[2].app_id == OC_APP_GY && orders[2].rate_rps == UINT32_MAX &&
		  orders[2].validity_s == 9);
	CU_ASSERT(orders[3].type == OC_REPORT_PEER && orders[3].app_id == OC_APP_ANY &&
		  orders[3].subject[0] == '\0');
	CU_ASSERT(orders[4].app_id == OC_APP_SWX && orders[4].reduction_pct == 100);
}

static void test_orders_without_right_are_refused(void)
{
	refused("reports: {orders: [{type: host, subject: a.b, reduction_pct: 1}]}", OC_EINVAL,
		"1:42: reports.orders[0].subject: \"a.b\" is not in reports.sole_path_to: an agent may "
		"report for a "
		"host only when all its traffic passes here");
	refused("reports: {realms: [a.b], orders: [{type: host, subject: a.b, reduction_pct: 1}]}", OC_EINVAL,
		"1:57: reports.orders[0].subject: \"a.b\" is not in reports.sole_path_to");
	refused("reports: {sole_path_to: [a.b], orders: [{type: realm, subject: a.b, rate_rps: 1}]}",
		OC_EINVAL,
		"1:64: reports.orders[0].subject: \"a.b\" is not in reports.realms: an agent may report for "
		"a realm only "
		"when it is its one reporting node");
	refused("reports: {orders: [{type: realm, rate_rps: 1}]}", OC_EMALFORMED,
		"1:20: reports.orders[0]: the key \"subject\" is missing (required for type realm)");
	refused("reports: {sole_path_to: [\"*.b\"]}", OC_EMALFORMED,
		"1:26: reports.sole_path_to[0]: \"*.b\" is not a name");
	refused("reports: {realms: [a, b, A]}", OC_EINVAL,
		"1:26: reports.realms[2]: \"a\" is already in the list");
}

static void test_order_mistakes(void)
{
	refused("reports: {orders: [{type: peer}]}", OC_EINVAL,
		"1:20: reports.orders[0]: neither reduction_pct nor rate_rps is given (allowed: one or "
		"both)");
	refused("reports: {orders: [{reduction_pct: 1}]}", OC_EMALFORMED,
		"1:20: reports.orders[0]: the key \"type\" is missing (required)");
	refused("reports: {orders: [{type: peer, reduction_pct: 101}]}", OC_ERANGE,
		"1:48: reports.orders[0].reduction_pct: \"101\" is out of range (allowed: 0..100 %)");
	refused("reports: {orders: [{type: peer, rate_rps: 4294967296}]}", OC_ERANGE,
		"1:43: reports.orders[0].rate_rps: \"4294967296\" is out of range");
	refused("reports: {orders: [{type: peer, rate_rps: 1, application: gq}]}", OC_EMALFORMED,
		"1:59: reports.orders[0].application: \"gq\" is no application");
	refused("reports:\n  orders:\n    - {type: peer, application: gx, rate_rps: 1}\n"
		"    - {type: peer, application: 16777238, reduction_pct: 9}\n",
		OC_EINVAL,
		"4:7: reports.orders[1]: same type, subject and application as reports.orders[0] (allowed: "
		"once)");
	refused("rate: {enabled: false}\nreports: {orders: [{type: peer, rate_rps: 1}]}", OC_EINVAL,
		"2:43: reports.orders[0].rate_rps: given, but rate.enabled is false");
	refused("rate: {enabled: false}\nreports: {prefer: rate}", OC_EINVAL,
		"2:19: reports.prefer: rate, but rate.enabled is false");
}

static void test_load_and_process_keys(void)
{
	static union help_parsed out;
	char error[OEV_CONF_ERROR_MAX];
	const struct oc_policy *policy =
		parsed("load: {send: always, balance: false, capacity_rps: 9000}\n"
		       "standby_takes_all: true\nrefusal: {peer_report_code: 3004}\n");
	const char *text = "limits: {session_memory: 0, load_nodes: 1}\nreports: {state_file: /x/seq}\n"
			   "control: {socket: /run/doic/ctl.sock}\n";
	char long_path[160] = "control: {socket: /";

	CU_ASSERT(policy->load.send == OC_LOAD_SEND_ALWAYS && !policy->load.balances);
	CU_ASSERT(policy->load.capacity_rps == 9000 && policy->standby_takes_all);
	CU_ASSERT_EQUAL(policy->refusal_code_peer, OC_RC_TOO_BUSY);
	CU_ASSERT_EQUAL(help_parse(OEV_CONF_PROCESS, text, strlen(text), &out, error), OC_OK);
	CU_ASSERT(out.process.session_memory == 0 && out.process.load_nodes == 1);
	CU_ASSERT_STRING_EQUAL(out.process.sequence_path, "/x/seq");
	CU_ASSERT_STRING_EQUAL(out.process.control_path, "/run/doic/ctl.sock");
	memset(long_path + strlen(long_path), 'p', OEV_CONF_SOCKET_MAX - 1);
	strcat(long_path, "}");
	CU_ASSERT_EQUAL(help_parse(OEV_CONF_PROCESS, long_path, strlen(long_path), &out, error), OC_ERANGE);
	CU_ASSERT_PTR_NOT_NULL(strstr(error, "is too long (allowed: 0..107 octets)"));
}

void test_oev_conf_protocol_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_conf_protocol", NULL, NULL);

	CU_add_test(suite, "L-25 P-18 listed_peers_are_neighbours", test_listed_peers_are_neighbours);
	CU_add_test(suite, "D-292 L-25 P-20 border_denies_what_is_not_written",
		    test_border_denies_what_is_not_written);
	CU_add_test(suite, "R-30 rate_thresholds_are_thousandths", test_rate_thresholds_are_thousandths);
	CU_add_test(suite, "R-29 R-30 R-32 rate_mistakes", test_rate_mistakes);
	CU_add_test(suite, "decimals_have_one_form", test_decimals_have_one_form);
	CU_add_test(suite, "P-14 priorities_are_read", test_priorities_are_read);
	CU_add_test(suite, "orders_are_read", test_orders_are_read);
	CU_add_test(suite, "D-035 D-113 orders_without_right_are_refused",
		    test_orders_without_right_are_refused);
	CU_add_test(suite, "order_mistakes", test_order_mistakes);
	CU_add_test(suite, "load_and_process_keys", test_load_and_process_keys);
}
