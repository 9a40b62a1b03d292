/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of proof bundles: each row is proven, and whatever is altered is found at the step where it breaks.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "help_log.h"
#include "help_proof.h"

void test_oev_bundle_suite(void);

static char folder[HELP_PATH_MAX];
static struct oev_key *key, *foreign;
static struct oev_public signer, stranger;
static struct help_log built;
static struct help_bundle parts;
static struct oev_trust trust;
static struct oev_verdict verdict;

static void set_up(void)
{
	oev_gcrypt_ready();
	help_folder_make(folder);
	key = help_key(folder, "key", HELP_NODE, &signer);
	foreign = help_key(folder, "foreign", HELP_NODE, &stranger);
	help_log_init(&built, 5);
	trust = (struct oev_trust){ .signer = &signer, .tables = help_tables, .table_count = 2 };
	help_log_parts(&built, 5, 13, HELP_BATCHES, key, &parts);
}

static void tear_down(void)
{
	help_log_fini(&built);
	oev_key_free(key);
	oev_key_free(foreign);
	help_folder_remove(folder);
}

static bool holds(const char *text)
{
	return oev_bundle_check(text, strlen(text), &trust, &verdict);
}

/* The step at which the bundle in @parts breaks. */
static enum oev_bundle_step step_of(void)
{
	char *text = oev_bundle_text(&parts.bundle);

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	CU_ASSERT_EQUAL(holds(text), verdict.step == OEV_BUNDLE_STEP_HOLDS);
	CU_ASSERT(verdict.why.text[0] != '\0');
	free(text);
	return verdict.step;
}

/* The same after a change in the text: @was becomes @is, once. */
static enum oev_bundle_step step_with(const char *was, const char *is)
{
	char *text = oev_bundle_text(&parts.bundle);
	char *at = strstr(text, was);

	CU_ASSERT_PTR_NOT_NULL_FATAL(at);
	char *changed = malloc(strlen(text) + strlen(is) + 1);
	sprintf(changed, "%.*s%s%s", (int)(at - text), text, is, at + strlen(was));
	holds(changed);
	free(changed);
	free(text);
	return verdict.step;
}

static void test_every_row_under_every_checkpoint(void)
{
	for (uint64_t size = 1; size <= HELP_BATCHES; size++)
		for (int64_t rowid = 1; rowid <= (int64_t)(size * HELP_ROWS); rowid++) {
			char *text = help_log_bundle(&built, 5, rowid, size, key);

			CU_ASSERT(holds(text));
			CU_ASSERT_EQUAL(verdict.step, OEV_BUNDLE_STEP_HOLDS);
			free(text);
		}
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict.why.text, "which is the trusted one"));
}

static void test_without_trust_the_fingerprint_is_to_be_compared(void)
{
	char *text = oev_bundle_text(&parts.bundle);

	CU_ASSERT(oev_bundle_check(text, strlen(text), NULL, &verdict));
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict.why.text, "compare this fingerprint"));
	free(text);
}

static void test_every_bit_of_the_file_counts(void)
{
	char *text = oev_bundle_text(&parts.bundle);
	size_t len = strlen(text);
	unsigned held = 0, steps[OEV_BUNDLE_STEP_COUNT] = { 0 };

	for (size_t bit = 0; bit < len * 8; bit++) {
		text[bit / 8] ^= (char)(1 << bit % 8);
		held += oev_bundle_check(text, len, &trust, &verdict);
		steps[verdict.step]++;
		text[bit / 8] ^= (char)(1 << bit % 8);
	}
	CU_ASSERT_EQUAL(held, 0);
	CU_ASSERT(steps[OEV_BUNDLE_STEP_FORM] > 0 && steps[OEV_BUNDLE_STEP_COLUMNS] > 0 &&
		  steps[OEV_BUNDLE_STEP_LEAF] > 0 && steps[OEV_BUNDLE_STEP_LOG] > 0 &&
		  steps[OEV_BUNDLE_STEP_SIGNATURE] > 0);
	for (size_t cut = 0; cut < len; cut++)
		held += oev_bundle_check(text, cut, &trust, &verdict);
	CU_ASSERT_EQUAL(held, 0);
	free(text);
}

static void flip(void *octets, size_t bit)
{
	((uint8_t *)octets)[bit / 8] ^= (uint8_t)(1u << bit % 8);
}

/* Whoever forges writes the whole file anew, so that words and octets agree: the paths give it away. */
static void test_columns_that_were_never_recorded(void)
{
	char fresh[16] = "row 14";

	for (unsigned bit = 0; bit < 64; bit++) {
		parts.columns[4].value.integer ^= (int64_t)(UINT64_C(1) << bit);
		CU_ASSERT_EQUAL(step_of(), OEV_BUNDLE_STEP_LEAF);
		parts.columns[4].value.integer ^= (int64_t)(UINT64_C(1) << bit);
	}
	parts.columns[3].value.data = (const uint8_t *)fresh;
	CU_ASSERT_EQUAL(step_of(), OEV_BUNDLE_STEP_LEAF);
	parts.bundle.column_count--;
	trust.tables = NULL;
	trust.table_count = 0;
	CU_ASSERT_EQUAL(step_of(), OEV_BUNDLE_STEP_LEAF);
}

static void test_every_bit_of_the_row_s_octets_counts(void)
{
	char *text = oev_bundle_text(&parts.bundle);
	char *octets = strstr(strstr(text, "\"row\""), "\"octets\": \"") + 11;
	unsigned broken = 0, digits = 0;

	for (; octets[digits] != '"'; digits++)
		for (unsigned bit = 0; bit < 4; bit++) {
			const char *hex = "0123456789abcdef";
			char was = octets[digits];

			octets[digits] = hex[(size_t)(strchr(hex, was) - hex) ^ 1u << bit];
			broken += !holds(text) && verdict.step == OEV_BUNDLE_STEP_COLUMNS;
			octets[digits] = was;
		}
	CU_ASSERT_EQUAL(broken, digits * 4);
	CU_ASSERT(digits > 60);
	free(text);
}

static void test_every_bit_of_a_forged_batch_record_counts(void)
{
	uint8_t copy[512];
	unsigned unwritten = 0;

	CU_ASSERT_FATAL(parts.bundle.batch_len <= sizeof(copy));
	memcpy(copy, parts.bundle.batch, parts.bundle.batch_len);
	parts.bundle.batch = copy;
	for (size_t bit = 0; bit < parts.bundle.batch_len * 8; bit++) {
		flip(copy, bit);
		char *text = oev_bundle_text(&parts.bundle);
		if (text != NULL)
			CU_ASSERT_FALSE(holds(text));
		unwritten += text == NULL; /* no batch record at all */
		free(text);
		flip(copy, bit);
	}
	CU_ASSERT(unwritten < parts.bundle.batch_len * 4);
	CU_ASSERT_EQUAL(step_of(), OEV_BUNDLE_STEP_HOLDS);
}

static void test_every_bit_of_the_paths_counts(void)
{
	for (size_t bit = 0; bit < parts.bundle.leaf_path.count * OEV_HASH_OCTETS * 8; bit++) {
		flip(parts.bundle.leaf_path.hashes, bit);
		CU_ASSERT_EQUAL(step_of(), OEV_BUNDLE_STEP_LEAF);
		flip(parts.bundle.leaf_path.hashes, bit);
	}
	for (size_t bit = 0; bit < parts.bundle.batch_path.count * OEV_HASH_OCTETS * 8; bit++) {
		flip(parts.bundle.batch_path.hashes, bit);
		CU_ASSERT_EQUAL(step_of(), OEV_BUNDLE_STEP_LOG);
		flip(parts.bundle.batch_path.hashes, bit);
	}
	parts.bundle.leaf_path.count--;
	CU_ASSERT_EQUAL(step_of(), OEV_BUNDLE_STEP_LEAF);
}

static void test_every_bit_of_the_checkpoint_counts(void)
{
	for (size_t bit = 0; bit < parts.bundle.checkpoint_len * 8; bit++) {
		flip(parts.note, bit);
		char *text = oev_bundle_text(&parts.bundle); /* NULL: no note at all */
		if (text != NULL)
			CU_ASSERT_FALSE(holds(text));
		free(text);
		flip(parts.note, bit);
	}
	CU_ASSERT_EQUAL(step_of(), OEV_BUNDLE_STEP_HOLDS);
}

static void test_row_of_another_place(void)
{
	parts.bundle.leaf = 1;
	CU_ASSERT_EQUAL(step_of(), OEV_BUNDLE_STEP_ROWS);
	parts.bundle.leaf = 2;
	parts.bundle.rowid = 14;
	CU_ASSERT_EQUAL(step_of(), OEV_BUNDLE_STEP_ROWS);
	parts.bundle.rowid = 33;
	CU_ASSERT_EQUAL(step_of(), OEV_BUNDLE_STEP_ROWS);
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict.why.text, "has no row 33 of decision"));
}

static void test_batch_of_another_log(void)
{
	struct help_log other;
	size_t len;

	help_log_init(&other, 6);
	help_log_parts(&other, 6, 13, HELP_BATCHES, key, &parts);
	CU_ASSERT_EQUAL(step_of(), OEV_BUNDLE_STEP_HOLDS);
	help_log_checkpoint(&built, HELP_BATCHES, key, parts.note);
	CU_ASSERT_EQUAL(step_of(), OEV_BUNDLE_STEP_LOG);
	help_log_parts(&built, 5, 13, HELP_BATCHES, key, &parts);
	parts.bundle.batch = oev_canon_octets(&other.batches[2], &len);
	CU_ASSERT_EQUAL(step_of(), OEV_BUNDLE_STEP_LEAF);
	help_log_fini(&other);
}

static void test_checkpoint_before_the_batch(void)
{
	help_log_checkpoint(&built, 2, key, parts.note);
	parts.bundle.checkpoint_len = strlen(parts.note);
	CU_ASSERT_EQUAL(step_of(), OEV_BUNDLE_STEP_LOG);
	help_log_checkpoint(&built, HELP_BATCHES, key, parts.note);
	parts.bundle.checkpoint_len = strlen(parts.note);
	CU_ASSERT_EQUAL(step_of(), OEV_BUNDLE_STEP_HOLDS);
}

static void test_chain_of_the_last_batch_is_held_too(void)
{
	built.chains[HELP_BATCHES - 1].octets[0] ^= 1;
	help_log_parts(&built, 5, HELP_BATCHES * HELP_ROWS, HELP_BATCHES, key, &parts);
	CU_ASSERT_EQUAL(step_of(), OEV_BUNDLE_STEP_LOG);
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict.why.text, "chain"));
}

static void test_signature_of_somebody_else(void)
{
	help_log_checkpoint(&built, HELP_BATCHES, foreign, parts.note);
	CU_ASSERT_EQUAL(step_of(), OEV_BUNDLE_STEP_SIGNATURE);
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict.why.text, "foreign key"));
}

/* A forger with a key of his own makes a bundle that holds, but not for those who know the node's key. */
static void test_foreign_key(void)
{
	help_log_parts(&built, 5, 13, HELP_BATCHES, foreign, &parts);
	CU_ASSERT_EQUAL(step_of(), OEV_BUNDLE_STEP_KEY);
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict.why.text, "foreign"));
	trust.signer = &stranger;
	CU_ASSERT_EQUAL(step_of(), OEV_BUNDLE_STEP_HOLDS);
	snprintf(stranger.node, sizeof(stranger.node), "else.example.net");
	CU_ASSERT_EQUAL(step_of(), OEV_BUNDLE_STEP_KEY);
}

static void test_names_are_those_of_the_table(void)
{
	const char *was = parts.columns[3].name;

	parts.columns[3].name = "why_not";
	CU_ASSERT_EQUAL(step_of(), OEV_BUNDLE_STEP_COLUMNS);
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict.why.text, "should be verdict"));
	parts.columns[3].name = was;
	parts.bundle.column_count = 5;
	CU_ASSERT_EQUAL(step_of(), OEV_BUNDLE_STEP_COLUMNS);
	parts.bundle.column_count = 6;
	parts.bundle.table = "outcome";
	CU_ASSERT_EQUAL(step_of(), OEV_BUNDLE_STEP_COLUMNS);
	parts.bundle.table = "decision";
	parts.bundle.table_number = 12;
	CU_ASSERT_EQUAL(step_of(), OEV_BUNDLE_STEP_COLUMNS);
	trust.table_count = 0; /* even then the batch's own text knows the table's name */
	parts.bundle.table_number = 11;
	parts.bundle.table = "outcome";
	CU_ASSERT_EQUAL(step_of(), OEV_BUNDLE_STEP_ROWS);
}

static void test_words_agree_with_octets(void)
{
	CU_ASSERT_EQUAL(step_with("\"leaves\": 6", "\"leaves\": 7"), OEV_BUNDLE_STEP_FORM);
	CU_ASSERT_EQUAL(step_with("\"segment\": \"doic-1", "\"segment\": \"doic-2"), OEV_BUNDLE_STEP_FORM);
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict.why.text, "batch.segment is \"doic-2"));
	CU_ASSERT_EQUAL(step_with("\"size\": 7", "\"size\": 8"), OEV_BUNDLE_STEP_FORM);
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict.why.text, "log.size is 8, and 7 by"));
	CU_ASSERT_EQUAL(step_with("\"size\": 7,", ""), OEV_BUNDLE_STEP_FORM);
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict.why.text, "log.size is missing"));
	CU_ASSERT_EQUAL(step_with("\"table\":", "\"comment\": \"all is well\", \"table\":"),
			OEV_BUNDLE_STEP_FORM);
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict.why.text, "row.comment follows from nothing"));
	CU_ASSERT_EQUAL(step_with("\"rowid\": 13", "\"rowid\": 13.0"), OEV_BUNDLE_STEP_FORM);
	CU_ASSERT_EQUAL(step_with("\"rowid\": 13", "\"rowid\": 99999999999999999999"), OEV_BUNDLE_STEP_FORM);
	CU_ASSERT_EQUAL(step_with("\"rowid\": 13", "\"rowid\": 13, \"rowid\": 13"), OEV_BUNDLE_STEP_FORM);
	CU_ASSERT_EQUAL(step_with("\"app_id\": 16777238", "\"app_id\": true"), OEV_BUNDLE_STEP_FORM);
	CU_ASSERT_EQUAL(step_with("\"app_id\": 16777238", "\"app_id\": {\"oct\": \"00\"}"),
			OEV_BUNDLE_STEP_FORM);
	CU_ASSERT_EQUAL(step_with("\"verdict\": \"row 13\"", "\"verdict\": {\"text_hex\": \"726f77203133\"}"),
			OEV_BUNDLE_STEP_FORM);
	CU_ASSERT_EQUAL(step_with("\"app_id\": 16777238", "\"app_id\": 16777239"), OEV_BUNDLE_STEP_COLUMNS);
	CU_ASSERT_EQUAL(step_with("doic.proof/1", "doic.proof/2"), OEV_BUNDLE_STEP_FORM);
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict.why.text, "doic.proof/2"));
}

/* Texts that are no UTF-8, and a NUL in the middle of one, come back as they were. */
static void test_odd_texts_are_proven_too(void)
{
	static const char *const odd[] = { "\xff\xfe", "a\0b", "\"\\/", "\xc3\xa9" };
	struct oev_bundle *loaded = NULL;
	struct oev_why why;

	for (size_t i = 0; i < 4; i++) {
		parts.columns[3].value.data = (const uint8_t *)odd[i];
		parts.columns[3].value.len = i == 1 ? 3 : strlen(odd[i]);
		char *text = oev_bundle_text(&parts.bundle);
		CU_ASSERT_FALSE(holds(text));
		CU_ASSERT_EQUAL(verdict.step, OEV_BUNDLE_STEP_LEAF); /* columns and form are right */
		CU_ASSERT_EQUAL_FATAL(oev_bundle_load(text, strlen(text), &loaded, &why), OC_OK);
		CU_ASSERT_EQUAL(loaded->column_count, 6);
		CU_ASSERT_EQUAL(loaded->columns[3].value.type, OEV_TEXT);
		CU_ASSERT_EQUAL(loaded->columns[3].value.len, parts.columns[3].value.len);
		CU_ASSERT_EQUAL(memcmp(loaded->columns[3].value.data, odd[i], loaded->columns[3].value.len),
				0);
		oev_bundle_free(loaded);
		free(text);
	}
}

static void test_hostile_files_are_no_bundles(void)
{
	static const char *const bad[] = { "",
					   "{",
					   "[]",
					   "null",
					   "{}",
					   "{\"schema\": 1}",
					   "{\"schema\": \"doic.proof/1\"}",
					   "{\"schema\": \"doic.proof/1\", \"row\": 1}",
					   "{\"schema\": \"doic.proof/1\", \"row\": {\"table\": \"a\"}}" };
	size_t len = OEV_BUNDLE_MAX + 1;
	char *large = malloc(len);

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		CU_ASSERT_FALSE(holds(bad[i]));
		CU_ASSERT_EQUAL(verdict.step, OEV_BUNDLE_STEP_FORM);
		CU_ASSERT(verdict.why.text[0] != '\0');
	}
	memset(large, '[', len);
	CU_ASSERT_FALSE(oev_bundle_check(large, len, &trust, &verdict));
	CU_ASSERT_FALSE(oev_bundle_check(large, len - 1, &trust, &verdict));
	free(large);
}

void test_oev_bundle_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oev_bundle", NULL, NULL, set_up, tear_down);

	CU_add_test(suite, "every_row_under_every_checkpoint", test_every_row_under_every_checkpoint);
	CU_add_test(suite, "without_trust_the_fingerprint_is_to_be_compared",
		    test_without_trust_the_fingerprint_is_to_be_compared);
	CU_add_test(suite, "every_bit_of_the_file_counts", test_every_bit_of_the_file_counts);
	CU_add_test(suite, "columns_that_were_never_recorded", test_columns_that_were_never_recorded);
	CU_add_test(suite, "every_bit_of_the_row_s_octets_counts", test_every_bit_of_the_row_s_octets_counts);
	CU_add_test(suite, "every_bit_of_a_forged_batch_record_counts",
		    test_every_bit_of_a_forged_batch_record_counts);
	CU_add_test(suite, "every_bit_of_the_paths_counts", test_every_bit_of_the_paths_counts);
	CU_add_test(suite, "every_bit_of_the_checkpoint_counts", test_every_bit_of_the_checkpoint_counts);
	CU_add_test(suite, "row_of_another_place", test_row_of_another_place);
	CU_add_test(suite, "batch_of_another_log", test_batch_of_another_log);
	CU_add_test(suite, "checkpoint_before_the_batch", test_checkpoint_before_the_batch);
	CU_add_test(suite, "chain_of_the_last_batch_is_held_too", test_chain_of_the_last_batch_is_held_too);
	CU_add_test(suite, "signature_of_somebody_else", test_signature_of_somebody_else);
	CU_add_test(suite, "foreign_key", test_foreign_key);
	CU_add_test(suite, "names_are_those_of_the_table", test_names_are_those_of_the_table);
	CU_add_test(suite, "words_agree_with_octets", test_words_agree_with_octets);
	CU_add_test(suite, "odd_texts_are_proven_too", test_odd_texts_are_proven_too);
	CU_add_test(suite, "hostile_files_are_no_bundles", test_hostile_files_are_no_bundles);
}
