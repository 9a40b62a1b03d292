/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the samples in conf/, of whole documents and of reading files.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/conf/oev_conf_check.h"
#include "evidence/conf/oev_conf_walk.h"
#include "help_conf.h"

#define MIB (1024u * 1024u)
/* What a listed peer is trusted with unless its rule says otherwise. */
#define LISTED (OC_TRUST_DOIC | OC_TRUST_RECEIVE_DRMP | OC_TRUST_SEND_LOAD | OC_TRUST_RECEIVE_LOAD)

void test_oev_conf_files_suite(void);

static void expect_same(enum oev_conf_document document, const char *path, const union help_parsed *want)
{
	static union help_parsed out;
	char error[OEV_CONF_ERROR_MAX];
	size_t len;
	char *text = help_read(path, &len);

	if (text == NULL)
		return;
	CU_ASSERT_EQUAL(help_parse(document, text, len, &out, error), OC_OK);
	CU_ASSERT_STRING_EQUAL(error, "");
	CU_ASSERT(memcmp(&out, want, sizeof(out)) == 0);
	free(text);
}

static void test_oev_conf_files_samples_equal_the_defaults(void)
{
	static union help_parsed want;

	memset(&want, 0, sizeof(want));
	oev_conf_process_init(&want.process);
	expect_same(OEV_CONF_PROCESS, "conf/doic.yaml", &want);
	memset(&want, 0, sizeof(want));
	oc_policy_init(&want.policy);
	expect_same(OEV_CONF_POLICY, "conf/policy.yaml", &want);
}

/* A key of a list's entries has no default to show: the sample gives it in the commented example. */
static bool sample_has(const struct oev_conf_doc *doc, const struct oev_conf_key *key)
{
	char word[OEV_CONF_NAME_MAX];
	const char *last = strrchr(key->path, '.');

	const char *entry = strstr(key->path, "[]");

	if (entry == NULL)
		return oev_conf_doc_find(doc, key->path) != NULL;
	if (entry[2] == '\0') { /* of a list of plain values: shown by the list, or empty by default */
		snprintf(word, sizeof(word), "%.*s", (int)(entry - key->path), key->path);
		return oev_conf_doc_find(doc, word) != NULL;
	}
	snprintf(word, sizeof(word), " %.*s: ", (int)strcspn(last + 1, "["), last + 1);
	return strstr(strstr(doc->text, strstr(key->path, "orders") != NULL ? "#  - type:" : "#  - peer:"),
		      word) != NULL;
}

static void expect_every_key(enum oev_conf_document document, const char *path)
{
	char error[OEV_CONF_ERROR_MAX];
	size_t len;
	size_t count;
	char *text = help_read(path, &len);
	const struct oev_conf_key *keys = oev_conf_keys(&count);
	struct oev_conf_doc doc = {
		.kind = document, .file = path, .text = text, .len = len, .error = error
	};

	if (text == NULL)
		return;
	CU_ASSERT_EQUAL(oev_conf_walk(&doc), OC_OK);
	for (size_t i = 0; i < count; i++) {
		if (keys[i].document != document || sample_has(&doc, &keys[i]))
			continue;
		CU_FAIL("the sample lacks a key");
		fprintf(stderr, "%s lacks %s\n", path, keys[i].path);
	}
	oev_conf_doc_fini(&doc);
	free(text);
}

static void test_oev_conf_files_samples_show_every_key(void)
{
	expect_every_key(OEV_CONF_PROCESS, "conf/doic.yaml");
	expect_every_key(OEV_CONF_POLICY, "conf/policy.yaml");
}

static void test_oev_conf_files_lab_trusts_as_described(void)
{
	static union help_parsed want;

	memset(&want, 0, sizeof(want));
	oev_conf_process_init(&want.process);
	memset(want.process.evidence_folder, 0, sizeof(want.process.evidence_folder));
	snprintf(want.process.evidence_folder, sizeof(want.process.evidence_folder), "./evidence");
	expect_same(OEV_CONF_PROCESS, "conf/lab/doic.yaml", &want);
	memset(&want, 0, sizeof(want));
	oc_policy_init(&want.policy);
	want.policy.ramp_ms = 3000;
	want.policy.rule_count = 3;
	want.policy.rules[0] = (struct oc_trust_rule){ .peer = "s1.example.net",
						       .realms = { "example.net" },
						       .realm_count = 1,
						       .flags = LISTED | OC_TRUST_SEND_REPORTS };
	want.policy.rules[1] = want.policy.rules[0];
	want.policy.rules[1].peer[1] = '2';
	want.policy.rules[2] = (struct oc_trust_rule){ .peer = "c1.visited.example",
						       .flags = LISTED | OC_TRUST_RECEIVE_REPORTS };
	expect_same(OEV_CONF_POLICY, "conf/lab/policy.yaml", &want);
}

static void test_oev_conf_files_empty_documents_mean_defaults(void)
{
	static const char *const empty[] = { "",
					     "\n",
					     "# only a comment\n",
					     "---\n",
					     "--- # x\n...\n",
					     "{}\n",
					     "\xef\xbb\xbf# byte order mark\n",
					     "%YAML 1.1\n---\n" };

	for (size_t i = 0; i < sizeof(empty) / sizeof(empty[0]); i++) {
		static union help_parsed out;
		static union help_parsed want;
		char error[OEV_CONF_ERROR_MAX];

		memset(&want, 0, sizeof(want));
		oev_conf_process_init(&want.process);
		CU_ASSERT_EQUAL(help_parse(OEV_CONF_PROCESS, empty[i], strlen(empty[i]), &out, error), OC_OK);
		CU_ASSERT(memcmp(&out, &want, sizeof(out)) == 0);
		memset(&want, 0, sizeof(want));
		oc_policy_init(&want.policy);
		CU_ASSERT_EQUAL(help_parse(OEV_CONF_POLICY, empty[i], strlen(empty[i]), &out, error), OC_OK);
		CU_ASSERT(memcmp(&out, &want, sizeof(out)) == 0);
	}
}

static void test_oev_conf_files_full_trust_list_is_taken_in_order(void)
{
	static union help_parsed out;
	char error[OEV_CONF_ERROR_MAX];
	char text[8192] = "trust:\r\n  peers:\r\n";

	for (unsigned i = 0; i < OC_POLICY_RULES_MAX; i++) {
		size_t used = strlen(text);

		snprintf(text + used, sizeof(text) - used,
			 "    - {peer: \"S%u.Example.NET\", realms: [A,b,c,d,e,f,g,\"*.H\"]}\r\n", i);
	}
	CU_ASSERT_EQUAL(help_parse(OEV_CONF_POLICY, text, strlen(text), &out, error), OC_OK);
	CU_ASSERT_EQUAL(out.policy.rule_count, OC_POLICY_RULES_MAX);
	CU_ASSERT_STRING_EQUAL(out.policy.rules[63].peer, "s63.example.net");
	CU_ASSERT_EQUAL(out.policy.rules[63].realm_count, OC_POLICY_REALMS_MAX);
	CU_ASSERT_STRING_EQUAL(out.policy.rules[63].realms[0], "a");
	CU_ASSERT_STRING_EQUAL(out.policy.rules[63].realms[7], "*.h");
	strcat(text, "    - {peer: one.too.many}\r\n");
	CU_ASSERT_EQUAL(help_parse(OEV_CONF_POLICY, text, strlen(text), &out, error), OC_ERANGE);
	CU_ASSERT_STRING_EQUAL(error,
			       "t.yaml:67:7: trust.peers[64]: too many entries (allowed: 0..64 entries)");
}

static void test_oev_conf_files_texts_end_where_their_member_does(void)
{
	static union help_parsed out;
	char error[OEV_CONF_ERROR_MAX];
	char text[OEV_CONF_PATH_MAX + 16] = "policy: ";

	memset(text + 8, 'p', OEV_CONF_PATH_MAX - 1);
	CU_ASSERT_EQUAL(help_parse(OEV_CONF_PROCESS, text, strlen(text), &out, error), OC_OK);
	CU_ASSERT_STRING_EQUAL(out.process.policy_path, text + 8);
	strcat(text, "p");
	CU_ASSERT_EQUAL(help_parse(OEV_CONF_PROCESS, text, strlen(text), &out, error), OC_ERANGE);
	CU_ASSERT_PTR_NOT_NULL(strstr(error, "t.yaml:1:9: policy: \"pppp"));
	CU_ASSERT_PTR_NOT_NULL(strstr(error, "...\" is too long (allowed: 1..511 octets)"));
}

/* Whatever is cut off, the parser gives a result or a located error; a sanitizer watches the rest. */
static void test_oev_conf_files_every_prefix_of_a_sample_is_handled(void)
{
	static union help_parsed out;
	char error[OEV_CONF_ERROR_MAX];
	size_t len;
	char *text = help_read("conf/lab/policy.yaml", &len);

	if (text == NULL)
		return;
	for (size_t cut = 0; cut < len; cut++) {
		int err = help_parse(OEV_CONF_POLICY, text, cut, &out, error);

		CU_ASSERT(err == OC_OK || strncmp(error, "t.yaml:", 7) == 0);
	}
	free(text);
}

static void test_oev_conf_files_documents_over_one_mib_are_refused(void)
{
	static union help_parsed out;
	char error[OEV_CONF_ERROR_MAX];
	char *text = malloc(MIB + 1);

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	memset(text, '#', MIB + 1);
	CU_ASSERT_EQUAL(help_parse(OEV_CONF_POLICY, text, MIB, &out, error), OC_OK);
	CU_ASSERT_EQUAL(help_parse(OEV_CONF_POLICY, text, MIB + 1, &out, error), OC_ERANGE);
	CU_ASSERT_STRING_EQUAL(
		error, "t.yaml:1:1: document: 1048577 octets are too many (allowed: 0..1048576 octets)");
	memcpy(text, "mode: enforce\nsa\0", 17);
	CU_ASSERT_EQUAL(help_parse(OEV_CONF_POLICY, text, 17, &out, error), OC_EMALFORMED);
	CU_ASSERT_STRING_EQUAL(error, "t.yaml:2:3: document: NUL octet (allowed: text in UTF-8)");
	free(text);
}

static void write_file(const char *path, size_t len)
{
	FILE *file = fopen(path, "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	for (size_t i = 0; i < len; i++)
		fputc('#', file);
	fclose(file);
}

static void test_oev_conf_files_reading_is_bounded_and_explained(void)
{
	char folder[] = "/tmp/oev_conf_XXXXXX";
	char path[64];
	char error[OEV_CONF_ERROR_MAX];
	char *text = NULL;
	size_t len = 7;

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/x.yaml", folder);
	CU_ASSERT_EQUAL(oev_conf_read_file(path, &text, &len, error), OC_ENOENT);
	CU_ASSERT_PTR_NOT_NULL(strstr(error, "x.yaml: cannot open: No such file or directory"));
	CU_ASSERT_EQUAL(oev_conf_read_file(folder, &text, &len, error), OC_EIO);
	CU_ASSERT_PTR_NOT_NULL(strstr(error, "not a regular file"));
	CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
	CU_ASSERT_EQUAL(oev_conf_read_file(path, &text, &len, error), OC_EIO); /* and does not wait */
	unlink(path);
	write_file(path, MIB + 1);
	CU_ASSERT_EQUAL(oev_conf_read_file(path, &text, &len, error), OC_ERANGE);
	CU_ASSERT_PTR_NULL(text);
	CU_ASSERT_EQUAL(len, 7);
	write_file(path, MIB);
	CU_ASSERT_EQUAL(oev_conf_read_file(path, &text, &len, error), OC_OK);
	CU_ASSERT_EQUAL(len, MIB);
	CU_ASSERT(text != NULL && text[len] == '\0');
	free(text);
	unlink(path);
	rmdir(folder);
}

static void test_oev_conf_files_paths_start_at_the_file_that_names_them(void)
{
	char out[OEV_CONF_PATH_MAX];
	char name[OEV_CONF_PATH_MAX];

	CU_ASSERT_EQUAL(oev_conf_resolve("/etc/doic/doic.yaml", "policy.yaml", out), OC_OK);
	CU_ASSERT_STRING_EQUAL(out, "/etc/doic/policy.yaml");
	CU_ASSERT_EQUAL(oev_conf_resolve("/etc/doic/doic.yaml", "/x/p.yaml", out), OC_OK);
	CU_ASSERT_STRING_EQUAL(out, "/x/p.yaml");
	CU_ASSERT_EQUAL(oev_conf_resolve("doic.yaml", "p.yaml", out), OC_OK);
	CU_ASSERT_STRING_EQUAL(out, "p.yaml");
	CU_ASSERT_EQUAL(oev_conf_resolve("conf/doic.yaml", out, out), OC_OK);
	CU_ASSERT_STRING_EQUAL(out, "conf/p.yaml");
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	CU_ASSERT_EQUAL(oev_conf_resolve("/etc/doic.yaml", name, out), OC_ERANGE);
	CU_ASSERT_STRING_EQUAL(out, "conf/p.yaml");
	CU_ASSERT_EQUAL(oev_conf_resolve("doic.yaml", name, out), OC_OK);
}

void test_oev_conf_files_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_conf_files", NULL, NULL);
	CU_add_test(suite, "samples_equal_the_defaults", test_oev_conf_files_samples_equal_the_defaults);
	CU_add_test(suite, "samples_show_every_key", test_oev_conf_files_samples_show_every_key);
	CU_add_test(suite, "lab_trusts_as_described", test_oev_conf_files_lab_trusts_as_described);
	CU_add_test(suite, "empty_documents", test_oev_conf_files_empty_documents_mean_defaults);
	CU_add_test(suite, "full_trust_list", test_oev_conf_files_full_trust_list_is_taken_in_order);
	CU_add_test(suite, "longest_text", test_oev_conf_files_texts_end_where_their_member_does);
	CU_add_test(suite, "every_prefix", test_oev_conf_files_every_prefix_of_a_sample_is_handled);
	CU_add_test(suite, "one_mib", test_oev_conf_files_documents_over_one_mib_are_refused);
	CU_add_test(suite, "reading_is_bounded", test_oev_conf_files_reading_is_bounded_and_explained);
	CU_add_test(suite, "relative_paths", test_oev_conf_files_paths_start_at_the_file_that_names_them);
}
