/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the text that names rows, and of the batch record that holds it.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "evidence/proof/oev_batch.h"
#include "help_proof.h"

void test_oev_spans_suite(void);

static struct oev_spans spans;
static struct oev_why why;

static int set_up(void)
{
	oev_gcrypt_ready();
	oev_spans_init(&spans);
	return 0;
}

static int tear_down(void)
{
	oev_spans_fini(&spans);
	return 0;
}

static const char *text_of(void)
{
	static char copy[8192];
	const char *text;
	size_t len;

	CU_ASSERT_EQUAL(oev_spans_end(&spans, &text, &len), OC_OK);
	CU_ASSERT_EQUAL(strlen(text), len);
	CU_ASSERT_FATAL(len < sizeof(copy));
	memcpy(copy, text, len + 1);
	return copy;
}

static void test_rows_become_ranges(void)
{
	oev_spans_begin(&spans);
	oev_spans_table(&spans, "decision");
	for (int64_t row = 1; row <= 4096; row++)
		oev_spans_add(&spans, row);
	oev_spans_add(&spans, 4099);
	oev_spans_table(&spans, "peer"); /* no rows: no word */
	oev_spans_table(&spans, "report");
	oev_spans_add(&spans, 3);
	CU_ASSERT_EQUAL(spans.rows, 4098);
	CU_ASSERT_STRING_EQUAL(text_of(), "decision 1-4096,4099 report 3");
	oev_spans_begin(&spans);
	CU_ASSERT_STRING_EQUAL(text_of(), "");
	oev_spans_begin(&spans);
	oev_spans_table(&spans, "name");
	oev_spans_add(&spans, 0);
	oev_spans_add(&spans, 1);
	oev_spans_add_range(&spans, 2, 5);
	oev_spans_add_range(&spans, 7, INT64_MAX);
	CU_ASSERT_STRING_EQUAL(text_of(), "name 0-5,7-9223372036854775807");
}

static int writing(const char *table, int64_t first, int64_t second, const char *again)
{
	const char *text;
	size_t len;

	oev_spans_begin(&spans);
	if (table != NULL)
		oev_spans_table(&spans, table);
	oev_spans_add(&spans, first);
	oev_spans_add(&spans, second);
	if (again != NULL)
		oev_spans_table(&spans, again);
	return oev_spans_end(&spans, &text, &len);
}

static void test_misuse_is_told(void)
{
	CU_ASSERT_EQUAL(writing("a", 1, 2, "b"), OC_OK);
	CU_ASSERT_EQUAL(writing(NULL, 1, 2, NULL), OC_EINVAL);
	CU_ASSERT_EQUAL(writing("a", 2, 1, NULL), OC_EINVAL);
	CU_ASSERT_EQUAL(writing("a", 2, 2, NULL), OC_EINVAL);
	CU_ASSERT_EQUAL(writing("a", -1, 1, NULL), OC_EINVAL);
	CU_ASSERT_EQUAL(writing("a", 1, 2, "a"), OC_EINVAL);
	CU_ASSERT_EQUAL(writing("1a", 1, 2, NULL), OC_EINVAL);
	CU_ASSERT_EQUAL(writing("a b", 1, 2, NULL), OC_EINVAL);
	CU_ASSERT_EQUAL(writing("", 1, 2, NULL), OC_EINVAL);
	CU_ASSERT_EQUAL(writing("abcdefghijklmnopqrstuvwxyz12345", 1, 2, NULL), OC_OK);
	CU_ASSERT_EQUAL(writing("abcdefghijklmnopqrstuvwxyz123456", 1, 2, NULL), OC_EINVAL);
}

/* Rows at random: what is read is what was added, and finding agrees with walking. */
static void test_what_was_added_is_read(void)
{
	static const char *const tables[] = { "decision", "outcome", "report" };
	int64_t rows[300];
	struct oev_spans_reader reader;
	struct oev_span span;
	uint64_t index, count, at = 0;
	unsigned seed = 4;

	oev_spans_begin(&spans);
	for (unsigned i = 0; i < 300; i++) {
		seed = seed * 1103515245u + 12345u;
		if (i % 100 == 0)
			oev_spans_table(&spans, tables[i / 100]);
		rows[i] = (i % 100 == 0 ? 0 : rows[i - 1]) + 1 + (seed >> 16) % 3 * ((seed >> 24) % 2);
		oev_spans_add(&spans, rows[i]);
	}
	const char *text = text_of();
	size_t len = strlen(text);
	CU_ASSERT_EQUAL(oev_spans_count(text, len, &count, &why), OC_OK);
	CU_ASSERT_EQUAL(count, 300);
	oev_spans_open(&reader, text, len);
	while (oev_spans_next(&reader, &span) == OC_OK)
		for (int64_t row = span.first; row <= span.last; row++, at++) {
			CU_ASSERT_FATAL(at < 300);
			CU_ASSERT_STRING_EQUAL(span.table, tables[at / 100]);
			CU_ASSERT_EQUAL(row, rows[at]);
			CU_ASSERT_EQUAL(oev_spans_find(text, len, span.table, row, &index), OC_OK);
			CU_ASSERT_EQUAL(index, at);
		}
	CU_ASSERT_EQUAL(at, 300);
	CU_ASSERT_EQUAL(oev_spans_find(text, len, "decision", 0, &index), OC_ENOENT);
	CU_ASSERT_EQUAL(oev_spans_find(text, len, "load", 1, &index), OC_ENOENT);
}

static int counting(const char *text)
{
	uint64_t rows;

	return oev_spans_count(text, strlen(text), &rows, &why);
}

static void test_other_writings_are_refused(void)
{
	static const char *const bad[] = {
		" ",
		"a",
		"a ",
		" a 1",
		"a 1 ",
		"a  1",
		"a 1,",
		"a ,1",
		"a 01",
		"a 1-1",
		"a 2-1",
		"a 1,2",
		"a 1-2,3",
		"a 2,1",
		"a 1-",
		"a -1",
		"a 1--2",
		"a 1 a 3",
		"a 1 b 1 a 3",
		"a 1 1",
		"A 1",
		"a 1\n",
		"a 1;2",
		"a 9223372036854775808",
		"a 1-9223372036854775808",
		"a 99999999999999999999",
		"1 1",
		"a b",
		"a 1b 2",
		"a 00",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CU_ASSERT_EQUAL(counting(bad[i]), OC_EMALFORMED);
	CU_ASSERT_EQUAL(counting(""), OC_OK);
	CU_ASSERT_EQUAL(counting("a 0"), OC_OK);
	CU_ASSERT_EQUAL(counting("a 0,2-3 b 9223372036854775807"), OC_OK);
	CU_ASSERT_EQUAL(counting("a 1-9223372036854775807"), OC_OK);
	CU_ASSERT_EQUAL(counting("a 0-9223372036854775807"), OC_ERANGE);
	CU_ASSERT_EQUAL(counting("a 1-9223372036854775807 b 1"), OC_ERANGE);
}

static void test_tables_of_a_text_are_bounded(void)
{
	char text[1024] = "", name[16];

	for (unsigned i = 0; i <= OEV_SPANS_TABLES; i++) {
		CU_ASSERT_EQUAL(counting(text), OC_OK);
		snprintf(name, sizeof(name), "%st%u 1", i > 0 ? " " : "", i);
		strcat(text, name);
	}
	CU_ASSERT_EQUAL(counting(text), OC_EMALFORMED);
}

static struct oev_batch example(void)
{
	struct oev_batch batch = { .number = 3,
				   .segment = "doic-1.sqlite",
				   .first_ns = 84211003321987u,
				   .last_ns = 84211013321987u,
				   .wall_us = 1796047407114000u,
				   .journal = UINT64_MAX,
				   .leaves = 4098,
				   .rows = "decision 1-4096,4099 report 3",
				   .rows_len = 29 };

	help_leaf(1, &batch.root);
	help_leaf(2, &batch.previous);
	return batch;
}

static void test_batch_record_comes_back_as_it_was(void)
{
	struct oev_batch batch = example(), read = { .number = 0 };
	struct oev_canon canon;
	struct oev_hash hash, same;
	size_t len;

	oev_canon_init(&canon);
	CU_ASSERT_EQUAL(oev_batch_octets(&batch, &canon), OC_OK);
	const uint8_t *octets = oev_canon_octets(&canon, &len);
	CU_ASSERT_EQUAL(oev_batch_parse(octets, len, &read, &why), OC_OK);
	CU_ASSERT_STRING_EQUAL(read.segment, batch.segment);
	CU_ASSERT(read.number == 3 && read.first_ns == batch.first_ns && read.last_ns == batch.last_ns);
	CU_ASSERT(read.wall_us == batch.wall_us && read.journal == batch.journal && read.leaves == 4098);
	CU_ASSERT(read.rows_len == 29 && memcmp(read.rows, batch.rows, 29) == 0);
	CU_ASSERT(oev_hash_equal(&read.root, &batch.root) && oev_hash_equal(&read.previous, &batch.previous));
	oev_batch_chain(octets, len, &hash);
	oev_canon_hash(&canon, OEV_BATCH_TAG_CHAIN, &same);
	CU_ASSERT(oev_hash_equal(&hash, &same));
	oev_batch_leaf(octets, len, &hash);
	oev_canon_hash(&canon, OEV_MERKLE_TAG_LEAF, &same);
	CU_ASSERT(oev_hash_equal(&hash, &same));
	oev_canon_fini(&canon);
}

static void test_batch_record_has_one_writing(void)
{
	struct oev_batch batch = example(), read;
	struct oev_canon canon, again;
	size_t len, again_len;
	unsigned taken = 0;

	oev_canon_init(&canon);
	oev_canon_init(&again);
	oev_batch_octets(&batch, &canon);
	uint8_t *octets = memcpy(malloc(canon.used), oev_canon_octets(&canon, &len), canon.used - 1);
	for (size_t bit = 0; bit < len * 8; bit++) {
		octets[bit / 8] ^= (uint8_t)(1u << bit % 8);
		if (oev_batch_parse(octets, len, &read, &why) == OC_OK) {
			taken++;
			CU_ASSERT_EQUAL(oev_batch_octets(&read, &again), OC_OK);
			const uint8_t *copy = oev_canon_octets(&again, &again_len);
			CU_ASSERT(again_len == len && memcmp(copy, octets, len) == 0);
		}
		octets[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	CU_ASSERT(taken > 500); /* hashes and times may be any */
	for (size_t cut = 0; cut < len; cut++)
		CU_ASSERT_EQUAL(oev_batch_parse(octets, cut, &read, &why), OC_EMALFORMED);
	free(octets);
	oev_canon_fini(&canon);
	oev_canon_fini(&again);
}

static void test_leaves_are_the_rows_named(void)
{
	struct oev_batch batch = example(), read;
	struct oev_canon canon;
	size_t len;

	oev_canon_init(&canon);
	batch.leaves++;
	CU_ASSERT_EQUAL(oev_batch_octets(&batch, &canon), OC_OK);
	const uint8_t *octets = oev_canon_octets(&canon, &len);
	CU_ASSERT_EQUAL(oev_batch_parse(octets, len, &read, &why), OC_EMALFORMED);
	CU_ASSERT_STRING_EQUAL(why.text, "batch 3 has 4099 leaves and names 4098 rows");
	batch = example();
	batch.number = 0;
	CU_ASSERT_EQUAL(oev_batch_octets(&batch, &canon), OC_EINVAL);
	batch = example();
	batch.segment[0] = ' ';
	CU_ASSERT_EQUAL(oev_batch_octets(&batch, &canon), OC_EINVAL);
	batch = example();
	batch.rows = NULL; /* a batch of nothing */
	batch.rows_len = 0;
	batch.leaves = 0;
	CU_ASSERT_EQUAL(oev_batch_octets(&batch, &canon), OC_OK);
	octets = oev_canon_octets(&canon, &len);
	CU_ASSERT_EQUAL(oev_batch_parse(octets, len, &read, &why), OC_OK);
	oev_canon_fini(&canon);
}

void test_oev_spans_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_spans", set_up, tear_down);

	CU_add_test(suite, "rows_become_ranges", test_rows_become_ranges);
	CU_add_test(suite, "misuse_is_told", test_misuse_is_told);
	CU_add_test(suite, "what_was_added_is_read", test_what_was_added_is_read);
	CU_add_test(suite, "other_writings_are_refused", test_other_writings_are_refused);
	CU_add_test(suite, "tables_of_a_text_are_bounded", test_tables_of_a_text_are_bounded);
	CU_add_test(suite, "batch_record_comes_back_as_it_was", test_batch_record_comes_back_as_it_was);
	CU_add_test(suite, "batch_record_has_one_writing", test_batch_record_has_one_writing);
	CU_add_test(suite, "leaves_are_the_rows_named", test_leaves_are_the_rows_named);
}
