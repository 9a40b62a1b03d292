/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the table of keys: every key is consumed, its default is the real one, the manual repeats it.
 */
#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "help_conf.h"

#define TEXT_MAX 1024u
#define VALUE_MAX 64u

void test_oev_conf_keys_suite(void);

#define SIXTEEN "0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0"

/* What is not its default, where that does not follow from the type; documents that a key needs around it, with %s
 * for "key: value" (or the value alone, for entries of a list), and the value that stands for none. */
static const struct special {
	const char *path;
	const char *other;
	const char *document;
	const char *without;
} specials[] = {
	{ "shadow", "[r]", NULL, NULL },
	{ "shadow[]", NULL, "shadow: [%s]", "q" },
	{ "rate.initial", "2.5", NULL, NULL },
	{ "rate.thresholds", "[9, 8, 7, 6, 5.001]", NULL, NULL },
	{ "rate.thresholds[]", "12.5", "rate: {thresholds: [%s, 1, 1, 1, 1]}", "9" },
	{ "priorities.emergency_apns", "[r]", NULL, NULL },
	{ "priorities.emergency_apns[]", NULL, "priorities: {emergency_apns: [%s]}", "q" },
	{ "priorities.class_of_drmp", "[" SIXTEEN ", 3]", NULL, NULL },
	{ "priorities.class_of_drmp[]", NULL, "priorities: {class_of_drmp: [" SIXTEEN ", %s]}", "1" },
	{ "reports.sole_path_to", "[r]", NULL, NULL },
	{ "reports.sole_path_to[]", NULL, "reports: {sole_path_to: [%s]}", "q" },
	{ "reports.realms", "[r]", NULL, NULL },
	{ "reports.realms[]", NULL, "reports: {realms: [%s]}", "q" },
	{ "reports.orders", "[{type: peer, reduction_pct: 5}]", NULL, NULL },
	{ "reports.orders[].type", NULL,
	  "reports: {sole_path_to: [a], orders: [{%s, subject: a, rate_rps: 9}]}", "type: peer" },
	{ "reports.orders[].subject", NULL, "reports: {orders: [{type: peer, rate_rps: 9, %s}]}", "" },
	{ "reports.orders[].application", "rx", "reports: {orders: [{type: peer, rate_rps: 9, %s}]}", "" },
	{ "reports.orders[].reduction_pct", NULL, "reports: {orders: [{type: peer, rate_rps: 9, %s}]}", "" },
	{ "reports.orders[].rate_rps", NULL, "reports: {orders: [{type: peer, reduction_pct: 9, %s}]}", "" },
	{ "reports.orders[].validity_s", NULL, "reports: {orders: [{type: peer, rate_rps: 9, %s}]}", "" },
	{ "trust.peers", "[{peer: p}]", NULL, NULL },
	{ "trust.peers[].peer", NULL, "trust: {peers: [{%s}]}", "peer: p" },
	{ "trust.peers[].realms", "[r]", "trust: {peers: [{peer: p, %s}]}", "" },
	{ "trust.peers[].realms[]", NULL, "trust: {peers: [{peer: p, realms: [%s]}]}", "q" },
	{ "trust.peers[].drmp_map", "[" SIXTEEN ", 4]", "trust: {peers: [{peer: p, drmp: own, %s}]}", "" },
	{ "trust.peers[].drmp_map[]", NULL,
	  "trust: {peers: [{peer: p, drmp: own, drmp_map: [" SIXTEEN ", %s]}]}", "1" },
	{ "trust.default.doic", NULL, "trust: {default: {%s}}", "" },
};

static const struct special *special_of(const struct oev_conf_key *key)
{
	for (size_t i = 0; i < sizeof(specials) / sizeof(specials[0]); i++)
		if (strcmp(specials[i].path, key->path) == 0)
			return &specials[i];
	return NULL;
}

/* A valid value of @key that is not its default. */
static void other_value(const struct oev_conf_key *key, char out[static VALUE_MAX])
{
	const char *fallback = key->fallback != NULL ? key->fallback : "";
	const struct special *special = special_of(key);

	if (special != NULL && special->other != NULL) {
		snprintf(out, VALUE_MAX, "%s", special->other);
	} else if (key->type == OEV_KEY_UINT) {
		snprintf(out, VALUE_MAX, "%" PRIu64, key->max);
		if (strcmp(out, fallback) == 0)
			snprintf(out, VALUE_MAX, "%" PRIu64, key->min);
	} else if (key->type == OEV_KEY_BOOL) {
		snprintf(out, VALUE_MAX, "%s", strcmp(fallback, "true") == 0 ? "false" : "true");
	} else if (key->type == OEV_KEY_WORD) {
		size_t len = strcspn(key->words, "|");

		if (strlen(fallback) == len && memcmp(fallback, key->words, len) == 0)
			snprintf(out, VALUE_MAX, "%.*s", (int)strcspn(key->words + len + 1, "|"),
				 key->words + len + 1);
		else
			snprintf(out, VALUE_MAX, "%.*s", (int)len, key->words);
	} else {
		snprintf(out, VALUE_MAX, "other.example");
	}
}

/* The smallest document that gives @key the value @value (NULL: the same document without it). */
static void document_with(const struct oev_conf_key *key, const char *value, char out[static TEXT_MAX])
{
	char line[2 * VALUE_MAX] = "";
	const char *last = strrchr(key->path, '.');
	const char *name = last != NULL ? last + 1 : key->path;
	const struct special *special = special_of(key);
	const char *format = special != NULL ? special->document : NULL;

	if (value != NULL && strcmp(key->path + strlen(key->path) - 2, "[]") == 0)
		snprintf(line, sizeof(line), "%s", value);
	else if (value != NULL)
		snprintf(line, sizeof(line), "%s: %s", name, value);
	else if (format != NULL)
		snprintf(line, sizeof(line), "%s", special->without);
	if (format != NULL)
		snprintf(out, TEXT_MAX, "%.*s%s%s\n", (int)(strstr(format, "%s") - format), format, line,
			 strstr(format, "%s") + 2);
	else if (strncmp(key->path, "trust.peers[].", 14) == 0)
		snprintf(out, TEXT_MAX, "trust:\n  peers:\n    - peer: p\n      %s\n", line);
	else if (strncmp(key->path, "trust.default.", 14) == 0)
		snprintf(out, TEXT_MAX, "trust:\n  default:\n    doic: true\n    %s\n", line);
	else if (last != NULL)
		snprintf(out, TEXT_MAX, "%.*s: {%s}\n", (int)(last - key->path), key->path, line);
	else
		snprintf(out, TEXT_MAX, "%s\n", line);
}

static void parse_with(const struct oev_conf_key *key, const char *value, union help_parsed *out)
{
	char text[TEXT_MAX];
	char error[OEV_CONF_ERROR_MAX];

	document_with(key, value, text);
	if (help_parse(key->document, text, strlen(text), out, error) == OC_OK)
		return;
	CU_FAIL("a valid document was refused");
	fprintf(stderr, "%s\n%s", error, text);
}

static void test_oev_conf_keys_every_key_is_consumed(void)
{
	static union help_parsed without;
	static union help_parsed with;
	size_t count;
	const struct oev_conf_key *keys = oev_conf_keys(&count);

	for (size_t i = 0; i < count; i++) {
		char value[VALUE_MAX];

		other_value(&keys[i], value);
		parse_with(&keys[i], NULL, &without);
		parse_with(&keys[i], value, &with);
		if (memcmp(&without, &with, sizeof(with)) != 0)
			continue;
		CU_FAIL("a key changes nothing");
		fprintf(stderr, "nobody reads %s\n", keys[i].path);
	}
}

/* Two keys that end in the same member would each change something, but the same thing. */
static void test_oev_conf_keys_every_key_has_a_member_of_its_own(void)
{
	size_t count;
	const struct oev_conf_key *keys = oev_conf_keys(&count);
	union help_parsed *parsed = calloc(count, sizeof(*parsed));

	CU_ASSERT_PTR_NOT_NULL_FATAL(parsed);
	for (size_t i = 0; i < count; i++) {
		char value[VALUE_MAX];

		other_value(&keys[i], value);
		parse_with(&keys[i], value, &parsed[i]);
		for (size_t j = 0; j < i; j++) {
			if (memcmp(&parsed[i], &parsed[j], sizeof(parsed[i])) != 0)
				continue;
			CU_FAIL("two keys do the same");
			fprintf(stderr, "%s does what %s does\n", keys[i].path, keys[j].path);
		}
	}
	free(parsed);
}

static void test_oev_conf_keys_every_default_is_the_real_one(void)
{
	static union help_parsed without;
	static union help_parsed with;
	size_t count;
	const struct oev_conf_key *keys = oev_conf_keys(&count);

	for (size_t i = 0; i < count; i++) {
		if (keys[i].fallback == NULL || strcmp(keys[i].fallback, OEV_CONF_ABSENT) == 0)
			continue;
		parse_with(&keys[i], NULL, &without);
		parse_with(&keys[i], keys[i].fallback, &with);
		if (memcmp(&without, &with, sizeof(with)) == 0)
			continue;
		CU_FAIL("a default of the table is not what an absent key means");
		fprintf(stderr, "%s is not %s by default\n", keys[i].path, keys[i].fallback);
	}
}

/* @value for a numeric @key: accepted exactly when @want is OC_OK. */
static void expect_number(const struct oev_conf_key *key, uint64_t value, int want)
{
	static union help_parsed parsed;
	char text[TEXT_MAX];
	char number[VALUE_MAX];
	char error[OEV_CONF_ERROR_MAX];
	int err;

	snprintf(number, sizeof(number), "%" PRIu64, value);
	document_with(key, number, text);
	err = help_parse(key->document, text, strlen(text), &parsed, error);
	CU_ASSERT_EQUAL(err, want);
	if (err != want)
		fprintf(stderr, "%s: %s gave %d (%s)\n", key->path, number, err, error);
}

static void test_oev_conf_keys_ranges_end_where_the_table_says(void)
{
	size_t count;
	const struct oev_conf_key *keys = oev_conf_keys(&count);

	for (size_t i = 0; i < count; i++) {
		if (keys[i].type != OEV_KEY_UINT)
			continue;
		expect_number(&keys[i], keys[i].min, OC_OK);
		expect_number(&keys[i], keys[i].max, OC_OK);
		expect_number(&keys[i], keys[i].max + 1, OC_ERANGE);
		expect_number(&keys[i], UINT64_MAX, OC_ERANGE);
		expect_number(&keys[i], (1ull << 32) + keys[i].max, OC_ERANGE);
		if (keys[i].min > 0)
			expect_number(&keys[i], keys[i].min - 1, OC_ERANGE);
		if (keys[i].power_of_two)
			expect_number(&keys[i], keys[i].max - 1, OC_ERANGE);
	}
}

static void test_oev_conf_keys_rows_are_complete(void)
{
	size_t count;
	const struct oev_conf_key *keys = oev_conf_keys(&count);

	for (size_t i = 0; i < count; i++) {
		size_t len = strlen(keys[i].help);

		CU_ASSERT(len > 20 && keys[i].help[len - 1] == '.');
		CU_ASSERT_EQUAL(keys[i].words != NULL, keys[i].type == OEV_KEY_WORD);
		CU_ASSERT(keys[i].type == OEV_KEY_WORD || keys[i].type == OEV_KEY_LIST ||
			  keys[i].min < keys[i].max);
		for (size_t j = 0; j < i; j++)
			CU_ASSERT_STRING_NOT_EQUAL(keys[i].path, keys[j].path);
	}
}

/* scdoc's escapes are no part of the text. */
static void drop_backslashes(char *text)
{
	char *out = text;

	for (; *text != '\0'; text++)
		if (*text != '\\')
			*out++ = *text;
	*out = '\0';
}

static size_t count_of(const char *text, const char *part)
{
	size_t found = 0;

	for (text = strstr(text, part); text != NULL; text = strstr(text + 1, part))
		found++;
	return found;
}

static void expect_in_manual(const char *manual, const struct oev_conf_key *key)
{
	static const char *const types[] = { "number", "boolean", "word", "text", "decimal", "list" };
	char allowed[128];
	char entry[TEXT_MAX];

	oev_conf_key_allowed(key, allowed, sizeof(allowed));
	snprintf(entry, sizeof(entry), "\n*%s* (%s: %s; %s%s)\n\t%s\n", key->path, types[key->type], allowed,
		 key->fallback != NULL ? "default " : "required", key->fallback != NULL ? key->fallback : "",
		 key->help);
	if (strstr(manual, entry) != NULL)
		return;
	CU_FAIL("the manual does not repeat the table");
	fprintf(stderr, "missing in the manual:%s", entry);
}

static void expect_manual(enum oev_conf_document document, const char *path)
{
	size_t len;
	size_t count;
	size_t rows = 0;
	char *manual = help_read(path, &len);
	const struct oev_conf_key *keys = oev_conf_keys(&count);

	if (manual == NULL)
		return;
	drop_backslashes(manual);
	for (size_t i = 0; i < count; i++) {
		if (keys[i].document != document)
			continue;
		expect_in_manual(manual, &keys[i]);
		rows++;
	}
	/* And no key that does not exist. */
	CU_ASSERT_EQUAL(count_of(manual, "; default ") + count_of(manual, "; required)"), rows);
	free(manual);
}

static void test_oev_conf_keys_manuals_repeat_the_table(void)
{
	expect_manual(OEV_CONF_PROCESS, "docs/man/doic.yaml.5.scd");
	expect_manual(OEV_CONF_POLICY, "docs/man/policy.yaml.5.scd");
}

static void test_oev_conf_keys_allowed_phrase_is_cut_to_its_buffer(void)
{
	size_t count;
	const struct oev_conf_key *keys = oev_conf_keys(&count);

	for (size_t i = 0; i < count; i++) {
		char *out = malloc(4);

		CU_ASSERT_PTR_NOT_NULL_FATAL(out);
		oev_conf_key_allowed(&keys[i], out, 4);
		CU_ASSERT(strlen(out) < 4);
		oev_conf_key_allowed(&keys[i], out, 0);
		free(out);
	}
}

void test_oev_conf_keys_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_conf_keys", NULL, NULL);
	CU_add_test(suite, "every_key_is_consumed", test_oev_conf_keys_every_key_is_consumed);
	CU_add_test(suite, "every_key_has_a_member_of_its_own",
		    test_oev_conf_keys_every_key_has_a_member_of_its_own);
	CU_add_test(suite, "every_default_is_the_real_one", test_oev_conf_keys_every_default_is_the_real_one);
	CU_add_test(suite, "ranges_end_where_the_table_says",
		    test_oev_conf_keys_ranges_end_where_the_table_says);
	CU_add_test(suite, "rows_are_complete", test_oev_conf_keys_rows_are_complete);
	CU_add_test(suite, "manuals_repeat_the_table", test_oev_conf_keys_manuals_repeat_the_table);
	CU_add_test(suite, "allowed_phrase_is_cut", test_oev_conf_keys_allowed_phrase_is_cut_to_its_buffer);
}
