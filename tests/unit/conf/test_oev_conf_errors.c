/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of finding all mistakes of a document, and of finding none that is not there.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "agent/oc_err.h"
#include "evidence/conf/oev_conf_errors.h"

void test_oev_conf_errors_suite(void);

static struct oev_conf_errors errors;
static struct oc_policy policy;

static int check(const char *text)
{
	return oev_conf_policy_check(text, strlen(text), "next.yaml", &policy, &errors);
}

static void expect(uint32_t place, uint32_t line, uint32_t column, const char *key, const char *words)
{
	CU_ASSERT_FATAL(place < errors.count);
	CU_ASSERT_EQUAL(errors.list[place].line, line);
	CU_ASSERT_EQUAL(errors.list[place].column, column);
	CU_ASSERT_STRING_EQUAL(errors.list[place].key, key);
	CU_ASSERT_PTR_NOT_NULL(strstr(errors.list[place].text, words));
}

static void test_every_mistake_has_its_place(void)
{
	CU_ASSERT_NOT_EQUAL(check("mode: maybe\n"
				  "outstanding_max: many\n"
				  "colour: {red: 1, blue: [1, 2, {a: b}]}\n"
				  "recovery:\n"
				  "  ramp_ms: 700000\n"
				  "  probe_interval_ms: 50\n"
				  "  probe_interval_ms: 60\n"
				  "  speed: 3\n"
				  "trust:\n"
				  "  peers:\n"
				  "    - peer: s1\n"
				  "      doic: perhaps\n"
				  "    - {peer: s2, friend: yes, load: some}\n"
				  "rate: 5\n"),
			    OC_OK);
	CU_ASSERT_EQUAL_FATAL(errors.all, 10);
	expect(0, 1, 7, "mode", "enforce, observe");
	expect(1, 2, 18, "outstanding_max", "0..1000000");
	expect(2, 3, 1, "colour", "unknown key");
	expect(3, 5, 12, "recovery.ramp_ms", "0..600000");
	expect(4, 7, 3, "recovery.probe_interval_ms", "");
	expect(5, 8, 3, "recovery.speed", "unknown key");
	expect(6, 12, 13, "trust.peers[0].doic", "true, false");
	expect(7, 13, 18, "trust.peers[1].friend", "unknown key");
	expect(8, 13, 37, "trust.peers[1].load", "none");
	expect(9, 14, 7, "rate", "keys");
}

static void test_parts_that_contradict_themselves_are_all_told(void)
{
	CU_ASSERT_NOT_EQUAL(check("shadow: [a, a]\n"
				  "priorities: {emergency_apns: [b, b]}\n"
				  "reports: {sole_path_to: [c, c]}\n"
				  "trust: {peers: [{peer: \"*\"}, {peer: d}]}\n"),
			    OC_OK);
	CU_ASSERT_EQUAL(errors.all, 4);
	expect(0, 1, 13, "shadow[1]", "already in the list");
	expect(3, 4, 37, "trust.peers[1].peer", "");
}

static void test_an_entry_without_a_required_key_is_told_among_others(void)
{
	CU_ASSERT_NOT_EQUAL(check("mode: maybe\n"
				  "trust:\n"
				  "  peers:\n"
				  "    - {doic: true}\n"
				  "    - {peer: [s1], doic: true}\n"
				  "    - {peer: s2}\n"
				  "reports:\n"
				  "  orders:\n"
				  "    - {subject: s3}\n"),
			    OC_OK);
	CU_ASSERT_EQUAL_FATAL(errors.all, 4);
	expect(0, 1, 7, "mode", "enforce");
	expect(1, 4, 7, "trust.peers[0]", "the key \"peer\" is missing (required)");
	expect(2, 5, 14, "trust.peers[1].peer", "");
	expect(3, 9, 7, "reports.orders[0]", "the key \"type\" is missing (required)");
	CU_ASSERT_NOT_EQUAL(check("trust: {peers: [{doic: true}, {doic: true}]}\n"), OC_OK);
	CU_ASSERT_EQUAL(errors.all, 2);
}

static void test_every_trust_rule_is_looked_at(void)
{
	CU_ASSERT_NOT_EQUAL(check("trust: {default: {doic: false, send_reports: true}, peers: [{peer: a}, "
				  "{peer: a}, {peer: b, doic: false, send_reports: true}, {peer: b}]}\n"),
			    OC_OK);
	CU_ASSERT_EQUAL_FATAL(errors.all, 4);
	expect(0, 1, 46, "trust.default.send_reports", "no effect");
	expect(1, 1, 79, "trust.peers[1].peer", "already rule trust.peers[0]");
	expect(2, 1, 120, "trust.peers[2].send_reports", "no effect");
	expect(3, 1, 134, "trust.peers[3].peer", "already rule trust.peers[2]");
}

static void test_of_the_process_document_every_mistake_is_told_too(void)
{
	static struct oev_process process;
	const char text[] =
		"evidence: {batch_max_ms: 0, folder: 5, colour: red}\nhttp: {bind: [1]}\npolicy: \"\"\n";

	CU_ASSERT_NOT_EQUAL(oev_conf_process_check(text, strlen(text), "next.yaml", &process, &errors),
			    OC_OK);
	CU_ASSERT_EQUAL_FATAL(errors.all, 4);
	expect(0, 1, 26, "evidence.batch_max_ms", "1..60000 ms");
	expect(1, 1, 40, "evidence.colour", "unknown key");
	expect(2, 2, 14, "http.bind", "");
	expect(3, 3, 9, "policy", "");
}

static void kind(const char *text, const char *file, enum oev_conf_document wanted)
{
	CU_ASSERT_EQUAL(oev_conf_kind(text, strlen(text), file), wanted);
}

static void test_a_document_is_known_by_its_keys(void)
{
	kind("mode: observe\ntrust: {peers: []}\n", "next.yaml", OEV_CONF_POLICY);
	kind("mode: maybe\nshadow: [a, a]\noutstanding_max: many\n", "doic.yaml", OEV_CONF_POLICY);
	kind("reports: {realms: [example.net]}\n", "next.yaml", OEV_CONF_POLICY);
	kind("reports: {state_file: seq}\n", "policy.yaml", OEV_CONF_PROCESS);
	kind("evidence: {batch_max_ms: 0}\n", "policy-of-dra.yaml", OEV_CONF_PROCESS);
	kind("", "next.yaml", OEV_CONF_PROCESS);
	kind("# nothing\n", "/etc/doic/policy.yaml", OEV_CONF_POLICY);
	kind("mode: [\n", "policy.yaml", OEV_CONF_POLICY);
}

static void test_a_policy_that_trusts_nobody_is_warned_of(void)
{
	CU_ASSERT_EQUAL(
		check("mode: enforce\ntrust:\n  peers:\n    - peer: s1\n      receive_reports: true\n"),
		OC_OK);
	CU_ASSERT_EQUAL_FATAL(errors.warned, 1);
	CU_ASSERT_EQUAL(errors.warning[0].line, 3);
	CU_ASSERT_STRING_EQUAL(errors.warning[0].key, "trust");
	CU_ASSERT_EQUAL(check("mode: enforce\n"), OC_OK);
	CU_ASSERT_EQUAL(errors.warned, 1);
	CU_ASSERT_EQUAL(check("trust: {peers: [{peer: s1, relay_reports: true}]}\n"), OC_OK);
	CU_ASSERT_EQUAL(errors.warned, 0);
	CU_ASSERT_EQUAL(check("trust: {default: {doic: true, send_reports: true}}\n"), OC_OK);
	CU_ASSERT_EQUAL(errors.warned, 0);
	CU_ASSERT_NOT_EQUAL(check("mode: maybe\n"), OC_OK);
	CU_ASSERT_EQUAL(errors.warned, 0);
}

static void test_a_right_document_has_none_and_is_the_same(void)
{
	static struct oc_policy parsed;
	char error[OEV_CONF_ERROR_MAX];
	const char text[] = "mode: observe\nshadow: [\"*.example\"]\nrecovery: {ramp_ms: 5}\n";

	CU_ASSERT_EQUAL(check(text), OC_OK);
	CU_ASSERT_EQUAL(errors.all, 0);
	CU_ASSERT_EQUAL(oev_conf_policy_parse(text, strlen(text), "next.yaml", &parsed, error), OC_OK);
	CU_ASSERT_EQUAL(memcmp(&parsed, &policy, sizeof(policy)), 0);
}

static void test_broken_yaml_ends_the_search(void)
{
	CU_ASSERT_NOT_EQUAL(check("mode: maybe\nrecovery: {ramp_ms: [\n"), OC_OK);
	CU_ASSERT(errors.all >= 2);
	expect(0, 1, 7, "mode", "enforce");
	CU_ASSERT_NOT_EQUAL(check("mode: observe\n---\nmode: observe\n"), OC_OK);
	CU_ASSERT_EQUAL(errors.all, 1);
	CU_ASSERT_NOT_EQUAL(check("- a\n- b\n"), OC_OK);
	CU_ASSERT_EQUAL(errors.all, 1);
	CU_ASSERT_NOT_EQUAL(check("? [a]\n: b\n"), OC_OK);
	CU_ASSERT(errors.all >= 1);
}

static void test_the_list_is_bounded(void)
{
	char text[80 * 16] = "";
	size_t at = 0;

	for (unsigned i = 0; i < 80; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "k%02u: 1\n", i);
	CU_ASSERT_NOT_EQUAL(check(text), OC_OK);
	CU_ASSERT_EQUAL(errors.all, 80);
	CU_ASSERT_EQUAL(errors.count, OEV_CONF_ERRORS_MAX);
}

void test_oev_conf_errors_suite(void)
{
	CU_Suite *suite = CU_add_suite("oev_conf_errors", NULL, NULL);

	CU_add_test(suite, "every_mistake_has_its_place", test_every_mistake_has_its_place);
	CU_add_test(suite, "parts_that_contradict_themselves_are_all_told",
		    test_parts_that_contradict_themselves_are_all_told);
	CU_add_test(suite, "an_entry_without_a_required_key_is_told_among_others",
		    test_an_entry_without_a_required_key_is_told_among_others);
	CU_add_test(suite, "every_trust_rule_is_looked_at", test_every_trust_rule_is_looked_at);
	CU_add_test(suite, "of_the_process_document_every_mistake_is_told_too",
		    test_of_the_process_document_every_mistake_is_told_too);
	CU_add_test(suite, "a_document_is_known_by_its_keys", test_a_document_is_known_by_its_keys);
	CU_add_test(suite, "a_policy_that_trusts_nobody_is_warned_of",
		    test_a_policy_that_trusts_nobody_is_warned_of);
	CU_add_test(suite, "a_right_document_has_none_and_is_the_same",
		    test_a_right_document_has_none_and_is_the_same);
	CU_add_test(suite, "broken_yaml_ends_the_search", test_broken_yaml_ends_the_search);
	CU_add_test(suite, "the_list_is_bounded", test_the_list_is_bounded);
}
