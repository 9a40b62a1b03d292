/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of what an operator is told about mistakes: place, key, reason and what is allowed, word for word.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "help_conf.h"

#define PROCESS OEV_CONF_PROCESS
#define POLICY OEV_CONF_POLICY
#define PEERS "trust:\n  peers:\n"

void test_oev_conf_mistakes_suite(void);

struct mistake {
	enum oev_conf_document document;
	const char *text;
	int err;
	const char *error; /* after "t.yaml:" */
};

/* A failed parse must leave the result alone: it is compared with a pattern. */
static void expect_mistake(const struct mistake *mistake)
{
	static union help_parsed before;
	static union help_parsed out;
	char want[OEV_CONF_ERROR_MAX];
	char error[OEV_CONF_ERROR_MAX] = "";
	size_t len = strlen(mistake->text);
	int err;

	memset(&before, 0xa5, sizeof(before));
	out = before;
	err = mistake->document == PROCESS
		      ? oev_conf_process_parse(mistake->text, len, "t.yaml", &out.process, error)
		      : oev_conf_policy_parse(mistake->text, len, "t.yaml", &out.policy, error);
	snprintf(want, sizeof(want), "t.yaml:%s", mistake->error);
	CU_ASSERT_EQUAL(err, mistake->err);
	CU_ASSERT_STRING_EQUAL(error, want);
	CU_ASSERT(memcmp(&before, &out, sizeof(out)) == 0);
	if (err != mistake->err || strcmp(error, want) != 0)
		fprintf(stderr, "wanted %d %s\ngot    %d %s\n", mistake->err, want, err, error);
}

static void expect_mistakes(const struct mistake *mistakes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		expect_mistake(&mistakes[i]);
}

static void test_oev_conf_mistakes_ten_typical_ones_are_explained(void)
{
	static const struct mistake typical[] = {
		{ PROCESS, "evidence:\n  batch_max_m: 5\n", OC_EMALFORMED,
		  "2:3: evidence.batch_max_m: unknown key; did you mean \"batch_max_ms\"?" },
		{ PROCESS, "evidence:\n  batch_max_ms: soon\n", OC_EMALFORMED,
		  "2:17: evidence.batch_max_ms: \"soon\" is not a whole decimal number (allowed: 1..60000 "
		  "ms)" },
		{ PROCESS, "# note\nevidence:\n  batch_max_ms: 60001\n", OC_ERANGE,
		  "3:17: evidence.batch_max_ms: \"60001\" is out of range (allowed: 1..60000 ms)" },
		{ PROCESS, "evidence:\n  enabled: true\n  folder: /x\n  enabled: true\n", OC_EMALFORMED,
		  "4:3: evidence.enabled: duplicate key, first given on line 2 (allowed: once)" },
		{ PROCESS, "evidence:\n\tenabled: true\n", OC_EMALFORMED,
		  "2:1: document: a tab indents this line (allowed: spaces)" },
		{ POLICY, "mode: enforce\nsampler exact\n", OC_EMALFORMED,
		  "2:1: document: a colon and a space are missing after the key" },
		{ POLICY, "mode: enforced\n", OC_ERANGE,
		  "1:7: mode: \"enforced\" is not one of the words (allowed: enforce, observe)" },
		{ POLICY, "mode: [enforce]\n", OC_EMALFORMED,
		  "1:7: mode: is a list, not a single value (allowed: enforce, observe)" },
		{ POLICY, "outstanding_max: -1\n", OC_ERANGE,
		  "1:18: outstanding_max: \"-1\" is negative (allowed: 0..1000000 requests)" },
		{ PROCESS, "evidence:\n  journal_records: 5000\n", OC_ERANGE,
		  "2:20: evidence.journal_records: \"5000\" is not a power of two "
		  "(allowed: a power of two, 1024..16777216 records)" },
	};

	expect_mistakes(typical, sizeof(typical) / sizeof(typical[0]));
}

static void test_oev_conf_mistakes_unknown_keys_are_led_home(void)
{
	static const struct mistake unknown[] = {
		{ PROCESS, "batch_max_ms: 5\n", OC_EMALFORMED,
		  "1:1: batch_max_ms: unknown key here; it belongs at evidence.batch_max_ms, one level per "
		  "name" },
		{ PROCESS, "evidence.enabled: true\n", OC_EMALFORMED,
		  "1:1: evidence.enabled: unknown key here; it belongs at evidence.enabled, one level per "
		  "name" },
		{ PROCESS, "colour: red\n", OC_EMALFORMED,
		  "1:1: colour: unknown key (allowed: evidence, relay, limits, reports, control, http, "
		  "policy)" },
		{ PROCESS, "Policy: x\n", OC_EMALFORMED,
		  "1:1: Policy: unknown key; did you mean \"policy\"?" },
		{ PROCESS, "\"\": x\n", OC_EMALFORMED,
		  "1:1: document: unknown key (allowed: evidence, relay, limits, reports, control, http, "
		  "policy)" },
		{ POLICY, PEERS "    - peer: a\n      sends_reports: true\n", OC_EMALFORMED,
		  "4:7: trust.peers[0].sends_reports: unknown key; did you mean \"send_reports\"?" },
		{ POLICY, "\"trust.peers[]\": []\n", OC_EMALFORMED,
		  "1:1: trust.peers[]: unknown key (allowed: mode, shadow, sampler, recovery, "
		  "outstanding_max, "
		  "refusal, standby_takes_all, rate, priorities, load, reports, trust)" },
		{ POLICY, "[mode]: x\n", OC_EMALFORMED,
		  "1:1: document: a key must be a word, not a list or keys" },
		{ POLICY, "? {a: b}\n: x\n", OC_EMALFORMED,
		  "1:3: document: a key must be a word, not a list or keys" },
		{ POLICY,
		  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: 1\n",
		  OC_EMALFORMED,
		  "1:1: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...: unknown key (allowed: mode, shadow, "
		  "sampler, "
		  "recovery, outstanding_max, refusal, standby_takes_all, rate, priorities, load, reports, "
		  "trust)" },
	};

	expect_mistakes(unknown, sizeof(unknown) / sizeof(unknown[0]));
}

static void test_oev_conf_mistakes_values_keep_their_type(void)
{
	static const struct mistake values[] = {
		{ PROCESS, "evidence:\n  batch_max_ms: 10s\n", OC_EMALFORMED,
		  "2:17: evidence.batch_max_ms: \"10s\" is not a whole decimal number (allowed: 1..60000 "
		  "ms)" },
		{ PROCESS, "evidence: {batch_max_ms: 010}\n", OC_EMALFORMED,
		  "1:26: evidence.batch_max_ms: \"010\" is not a whole decimal number (allowed: 1..60000 "
		  "ms)" },
		{ PROCESS, "evidence: {batch_max_ms: 0x10}\n", OC_EMALFORMED,
		  "1:26: evidence.batch_max_ms: \"0x10\" is not a whole decimal number (allowed: 1..60000 "
		  "ms)" },
		{ PROCESS, "evidence: {batch_max_ms: 1.5}\n", OC_EMALFORMED,
		  "1:26: evidence.batch_max_ms: \"1.5\" is not a whole decimal number (allowed: 1..60000 "
		  "ms)" },
		{ PROCESS, "evidence: {batch_max_ms: \"10\"}\n", OC_EMALFORMED,
		  "1:26: evidence.batch_max_ms: \"10\" is quoted, not a number (allowed: 1..60000 ms)" },
		{ PROCESS, "evidence: {batch_max_ms: 99999999999999999999999}\n", OC_ERANGE,
		  "1:26: evidence.batch_max_ms: \"99999999999999999999999\" is out of range "
		  "(allowed: 1..60000 ms)" },
		{ PROCESS, "limits:\n  retry_memory: 1000\n", OC_ERANGE,
		  "2:17: limits.retry_memory: \"1000\" is not a power of two "
		  "(allowed: 0, or a power of two up to 1048576 entries)" },
		{ PROCESS, "evidence: {enabled: yes}\n", OC_EMALFORMED,
		  "1:21: evidence.enabled: \"yes\" is not a truth value (allowed: true, false)" },
		{ PROCESS, "evidence: {enabled: \"true\"}\n", OC_EMALFORMED,
		  "1:21: evidence.enabled: \"true\" is not a truth value (allowed: true, false)" },
		{ PROCESS, "policy:\n", OC_EMALFORMED, "1:8: policy: has no value (allowed: 1..511 octets)" },
		{ PROCESS, "policy: ~\n", OC_EMALFORMED,
		  "1:9: policy: has no value (allowed: 1..511 octets)" },
		{ PROCESS, "policy: ''\n", OC_ERANGE,
		  "1:9: policy: \"\" is too short (allowed: 1..511 octets)" },
		{ PROCESS, "policy: \"a\\0b\"\n", OC_EMALFORMED,
		  "1:9: policy: \"a?b\" contains a control character (allowed: 1..511 octets)" },
		{ PROCESS, "policy: {file: x}\n", OC_EMALFORMED,
		  "1:9: policy: is a group of keys, not a single value (allowed: 1..511 octets)" },
		{ POLICY, "mode: \"enforce\\0\"\n", OC_ERANGE,
		  "1:7: mode: \"enforce?\" is not one of the words (allowed: enforce, observe)" },
		{ POLICY, "mode: ''\n", OC_ERANGE,
		  "1:7: mode: \"\" is not one of the words (allowed: enforce, observe)" },
		{ POLICY, "refusal: {host_report_code: 2001}\n", OC_ERANGE,
		  "1:29: refusal.host_report_code: \"2001\" is not one of the words (allowed: 3004, 5012)" },
	};

	expect_mistakes(values, sizeof(values) / sizeof(values[0]));
}

static void test_oev_conf_mistakes_shapes_are_insisted_on(void)
{
	static const struct mistake shapes[] = {
		{ PROCESS, "evidence\n", OC_EMALFORMED,
		  "1:1: document: is a single value; is a colon missing? (allowed: keys, as \"key: "
		  "value\")" },
		{ PROCESS, "evidence:\n", OC_EMALFORMED,
		  "1:10: evidence: has no keys (allowed: at least one key, or leave it out)" },
		{ PROCESS, "evidence: [enabled]\n", OC_EMALFORMED,
		  "1:11: evidence: is a list (allowed: keys of its own, as \"key: value\")" },
		{ PROCESS, "evidence:\n  enabled true\n  folder: /x\n", OC_EMALFORMED,
		  "2:3: evidence: is a single value; is a colon missing? (allowed: keys, as \"key: "
		  "value\")" },
		{ PROCESS, "- evidence\n", OC_EMALFORMED,
		  "1:1: document: is a list (allowed: keys of its own, as \"key: value\")" },
		{ POLICY, "mode: enforce\n  sampler: exact\n", OC_ERANGE,
		  "1:7: mode: \"enforce sampler\" is not one of the words (allowed: enforce, observe)" },
		{ POLICY, "mode: observe: x\n", OC_EMALFORMED,
		  "1:14: document: no key can stand here; is a colon or a quote missing before it? (allowed: "
		  "one key per line, indented like its neighbours)" },
		{ POLICY, "trust:\n  default: {doic: true}\n    peers: []\n", OC_EMALFORMED,
		  "3:5: document: this line is not indented like its neighbours (did not find expected key "
		  "while parsing a block mapping)" },
		{ POLICY, PEERS, OC_EMALFORMED, "2:9: trust.peers: has no value (allowed: 0..64 entries)" },
		{ POLICY, "trust: {peers: a}\n", OC_EMALFORMED,
		  "1:16: trust.peers: \"a\" is not a list (allowed: 0..64 entries)" },
		{ POLICY, "trust: {peers: {peer: a}}\n", OC_EMALFORMED,
		  "1:16: trust.peers: is not a list (allowed: 0..64 entries)" },
		{ POLICY, PEERS "    - s1.example.net\n", OC_EMALFORMED,
		  "3:7: trust.peers[0]: is a single value; is a colon missing? (allowed: keys, as "
		  "\"key: value\")" },
		{ POLICY, PEERS "    - [a]\n", OC_EMALFORMED,
		  "3:7: trust.peers[0]: is a list (allowed: keys of its own, as \"key: value\")" },
		{ POLICY, PEERS "    - peer: a\n      realms: [[b]]\n", OC_EMALFORMED,
		  "4:16: trust.peers[0].realms[0]: is a list, not a single value (allowed: 1..127 octets)" },
		{ POLICY, "[[[[[[[[[[[[[[[[", OC_EMALFORMED,
		  "1:1: document: is a list (allowed: keys of its own, as \"key: value\")" },
	};

	expect_mistakes(shapes, sizeof(shapes) / sizeof(shapes[0]));
}

static void test_oev_conf_mistakes_hostile_yaml_is_refused(void)
{
	static const struct mistake hostile[] = {
		{ POLICY, "mode: &a enforce\n", OC_EMALFORMED,
		  "1:7: mode: anchors (&name) are not supported; write the value out" },
		{ POLICY, "trust: {peers: &a []}\n", OC_EMALFORMED,
		  "1:16: trust.peers: anchors (&name) are not supported; write the value out" },
		{ POLICY, "trust: &a {peers: []}\n", OC_EMALFORMED,
		  "1:8: trust: anchors (&name) are not supported; write the value out" },
		{ POLICY, "mode: *a\n", OC_EMALFORMED,
		  "1:7: mode: aliases (*name) are not supported; quote a text that starts with *" },
		{ POLICY, PEERS "    - peer: *.example.net\n", OC_EMALFORMED,
		  "3:14: document: a text that starts with * must be quoted, as \"*.example.net\"" },
		{ POLICY, "mode: !!str enforce\n", OC_EMALFORMED,
		  "1:7: mode: tags (!name) are not supported; write the plain value" },
		{ POLICY, "mode: enforce\n---\nmode: observe\n", OC_EMALFORMED,
		  "2:1: document: a second document begins (allowed: one document)" },
		{ POLICY, "mode: \xff\n", OC_EMALFORMED,
		  "1:7: document: not UTF-8: invalid leading UTF-8 octet (allowed: text in UTF-8)" },
		{ POLICY, "mode: enforce\nsampler: \x01\n", OC_EMALFORMED,
		  "2:10: document: control character 0x01 (allowed: text in UTF-8)" },
		{ POLICY, "mode: \"enforce\n", OC_EMALFORMED,
		  "2:1: document: not YAML: found unexpected end of stream while scanning a quoted scalar" },
		{ POLICY, "mode: @x\n", OC_EMALFORMED,
		  "1:7: document: not YAML: found character that cannot start any token while scanning for "
		  "the next token" },
	};

	expect_mistakes(hostile, sizeof(hostile) / sizeof(hostile[0]));
}

static void test_oev_conf_mistakes_trust_contradictions_are_found(void)
{
	static const struct mistake trust[] = {
		{ POLICY, PEERS "    - peer: \"*\"\n    - peer: a.b\n", OC_EINVAL,
		  "4:13: trust.peers[1].peer: \"a.b\" can never be used: trust.peers[0] \"*\" before it "
		  "covers "
		  "it (put the narrower one first)" },
		{ POLICY, PEERS "    - peer: \"*.b\"\n    - peer: x\n    - peer: \"*.a.B\"\n", OC_EINVAL,
		  "5:13: trust.peers[2].peer: \"*.a.b\" can never be used: trust.peers[0] \"*.b\" before it "
		  "covers it (put the narrower one first)" },
		{ POLICY, PEERS "    - peer: A.b\n    - peer: a.b\n", OC_EINVAL,
		  "4:13: trust.peers[1].peer: \"a.b\" is already rule trust.peers[0] (allowed: once)" },
		{ POLICY, PEERS "    - doic: true\n", OC_EMALFORMED,
		  "3:7: trust.peers[0]: the key \"peer\" is missing (required)" },
		{ POLICY, PEERS "    - peer: a\n      doic: false\n      relay_reports: true\n", OC_EINVAL,
		  "5:22: trust.peers[0].relay_reports: true, but doic beside it is false, so it could have "
		  "no "
		  "effect (allowed: false, or doic: true)" },
		{ POLICY, "trust:\n  default:\n    receive_reports: true\n", OC_EINVAL,
		  "3:22: trust.default.receive_reports: true, but doic beside it is false, so it could have "
		  "no effect (allowed: false, or doic: true)" },
		{ POLICY, "trust:\n  default: {send_reports: true, doic: false}\n", OC_EINVAL,
		  "2:27: trust.default.send_reports: true, but doic beside it is false, so it could have no "
		  "effect (allowed: false, or doic: true)" },
		{ POLICY, PEERS "    - peer: a\n      realms: [a,a,a,a,a,a,a,a,a]\n", OC_ERANGE,
		  "4:32: trust.peers[0].realms[8]: too many entries (allowed: 0..8 entries)" },
		{ POLICY, PEERS "    - peer: a\n      realms: [a.b, b c]\n", OC_EMALFORMED,
		  "4:21: trust.peers[0].realms[1]: \"b c\" is not a pattern (allowed: a name of letters, "
		  "digits, - and _ between dots, \"*.\" before it, or \"*\")" },
	};

	expect_mistakes(trust, sizeof(trust) / sizeof(trust[0]));
}

static void test_oev_conf_mistakes_bad_patterns_are_refused(void)
{
	static const char *const bad[] = { "a..b", ".a",      "a.",	   "*.",  "**",	 "*a",
					   "a.*",  "a.*.b",   "*.*",	   "a b", "a/b", "a:b",
					   "a,b",  "aaa://a", "a\xc3\xa9", "." };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		static union help_parsed out;
		char text[128];
		char error[OEV_CONF_ERROR_MAX];

		snprintf(text, sizeof(text), PEERS "    - peer: \"%s\"\n", bad[i]);
		CU_ASSERT_EQUAL(help_parse(POLICY, text, strlen(text), &out, error), OC_EMALFORMED);
		CU_ASSERT_PTR_NOT_NULL(strstr(error, "t.yaml:3:13: trust.peers[0].peer: "));
		CU_ASSERT_PTR_NOT_NULL(strstr(error, "is not a pattern"));
	}
}

static void test_oev_conf_mistakes_message_stays_one_line_in_its_buffer(void)
{
	static union help_parsed out;
	char file[2 * OEV_CONF_ERROR_MAX];
	char error[OEV_CONF_ERROR_MAX];
	const char *text = "mode: \"a\\nb\\tc\"\n";

	CU_ASSERT_EQUAL(help_parse(POLICY, text, strlen(text), &out, error), OC_ERANGE);
	CU_ASSERT_PTR_NULL(strchr(error, '\n'));
	memset(file, 'f', sizeof(file) - 1);
	file[sizeof(file) - 1] = '\0';
	CU_ASSERT_EQUAL(oev_conf_policy_parse(text, strlen(text), file, &out.policy, error), OC_ERANGE);
	CU_ASSERT_EQUAL(strlen(error), OEV_CONF_ERROR_MAX - 1);
}

void test_oev_conf_mistakes_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_conf_mistakes", NULL, NULL);
	CU_add_test(suite, "ten_typical_ones", test_oev_conf_mistakes_ten_typical_ones_are_explained);
	CU_add_test(suite, "unknown_keys_are_led_home", test_oev_conf_mistakes_unknown_keys_are_led_home);
	CU_add_test(suite, "values_keep_their_type", test_oev_conf_mistakes_values_keep_their_type);
	CU_add_test(suite, "shapes_are_insisted_on", test_oev_conf_mistakes_shapes_are_insisted_on);
	CU_add_test(suite, "hostile_yaml_is_refused", test_oev_conf_mistakes_hostile_yaml_is_refused);
	CU_add_test(suite, "trust_contradictions", test_oev_conf_mistakes_trust_contradictions_are_found);
	CU_add_test(suite, "bad_patterns", test_oev_conf_mistakes_bad_patterns_are_refused);
	CU_add_test(suite, "one_line", test_oev_conf_mistakes_message_stays_one_line_in_its_buffer);
}
