/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of canonical octets: as the document says, one for each row, read back strictly.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "evidence/proof/oev_canon.h"
#include "help_proof.h"

void test_oev_canon_suite(void);

static struct oev_canon canon;

static int set_up(void)
{
	oev_gcrypt_ready();
	oev_canon_init(&canon);
	return 0;
}

static int tear_down(void)
{
	oev_canon_fini(&canon);
	return 0;
}

static void put_json(const json_t *value)
{
	uint8_t blob[512];

	if (json_is_null(value))
		oev_canon_null(&canon);
	else if (json_is_integer(value))
		oev_canon_int(&canon, json_integer_value(value));
	else if (json_is_string(value))
		oev_canon_text(&canon, json_string_value(value), json_string_length(value));
	else
		oev_canon_blob(&canon, blob, help_hex(json_object_get(value, "hex"), blob, sizeof(blob)));
}

static void check_vector(const json_t *row)
{
	uint8_t want[2048], leaf[OEV_HASH_OCTETS];
	size_t len, want_len = help_hex(json_object_get(row, "octets"), want, sizeof(want));
	const json_t *values = json_object_get(row, "values");
	struct oev_hash hash, same;

	oev_canon_begin(&canon, (uint8_t)json_integer_value(json_object_get(row, "table")),
			json_integer_value(json_object_get(row, "rowid")));
	for (size_t i = 0; i < json_array_size(values); i++)
		put_json(json_array_get(values, i));
	CU_ASSERT_EQUAL_FATAL(canon.rc, OC_OK);
	const uint8_t *octets = oev_canon_octets(&canon, &len);
	CU_ASSERT_EQUAL_FATAL(len, want_len);
	CU_ASSERT_EQUAL(memcmp(octets, want, len), 0);
	oev_canon_hash(&canon, OEV_MERKLE_TAG_LEAF, &hash);
	oev_merkle_leaf(octets, len, &same);
	help_hex(json_object_get(row, "leaf"), leaf, sizeof(leaf));
	CU_ASSERT(oev_hash_equal(&hash, &same));
	CU_ASSERT_EQUAL(memcmp(leaf, hash.octets, sizeof(leaf)), 0);
}

static void test_vectors(void)
{
	json_t *root = help_vectors("vectors_canon.json");
	const json_t *rows = json_object_get(root, "rows");

	CU_ASSERT_EQUAL(json_array_size(rows), 7);
	for (size_t i = 0; i < json_array_size(rows); i++)
		check_vector(json_array_get(rows, i));
	json_decref(root);
}

/* Writes what was read and compares the octets. */
static int read_again(const uint8_t *octets, size_t len)
{
	struct oev_canon_reader reader;
	struct oev_value value;
	uint8_t table;
	int64_t rowid;
	size_t again_len;
	int rc = oev_canon_open(&reader, octets, len, &table, &rowid);

	if (rc != OC_OK)
		return rc;
	oev_canon_begin(&canon, table, rowid);
	while ((rc = oev_canon_next(&reader, &value)) == OC_OK)
		oev_canon_value(&canon, &value);
	if (rc != OC_ENOENT)
		return rc;
	const uint8_t *again = oev_canon_octets(&canon, &again_len);
	CU_ASSERT_EQUAL(again_len, len);
	CU_ASSERT(again_len == len && memcmp(again, octets, len) == 0);
	return OC_OK;
}

static void test_what_is_read_is_written_again(void)
{
	json_t *root = help_vectors("vectors_canon.json");
	const json_t *rows = json_object_get(root, "rows");
	uint8_t octets[2048];

	for (size_t i = 0; i < json_array_size(rows); i++) {
		size_t len =
			help_hex(json_object_get(json_array_get(rows, i), "octets"), octets, sizeof(octets));

		CU_ASSERT_EQUAL(read_again(octets, len), OC_OK);
	}
	json_decref(root);
}

/* Every string of up to 3 octets after a table's number: it is refused, or it is the one writing of its row. */
static void test_every_short_string_is_one_row_or_none(void)
{
	uint8_t octets[4] = { 9 };
	unsigned rows = 0;

	for (uint32_t n = 0; n < 1u << 24; n += 1 + (n >> 16) % 3) {
		octets[1] = (uint8_t)n;
		octets[2] = (uint8_t)(n >> 8);
		octets[3] = (uint8_t)(n >> 16);
		rows += read_again(octets, 1 + (n < 1u << 8 ? 1 : n < 1u << 16 ? 2 : 3)) == OC_OK;
	}
	CU_ASSERT(rows > 1000);
}

static int next_of(const char *octets, size_t len, struct oev_value *out)
{
	struct oev_canon_reader reader = { .at = (const uint8_t *)octets,
					   .end = (const uint8_t *)octets + len };

	return oev_canon_next(&reader, out);
}

static void test_other_writings_are_refused(void)
{
	struct oev_value value;

	CU_ASSERT_EQUAL(next_of("", 0, &value), OC_ENOENT);
	CU_ASSERT_EQUAL(next_of("\x04", 1, &value), OC_EMALFORMED);	/* NULL with a number */
	CU_ASSERT_EQUAL(next_of("\xe1\x37", 2, &value), OC_EMALFORMED); /* 55 has a short form */
	CU_ASSERT_EQUAL(next_of("\xe1\x38", 2, &value), OC_OK);
	CU_ASSERT_EQUAL(value.integer, 28);
	CU_ASSERT_EQUAL(next_of("\xe5\x38\x00", 3, &value), OC_EMALFORMED); /* a leading zero */
	CU_ASSERT_EQUAL(next_of("\xe5\x38", 2, &value), OC_EMALFORMED);	    /* cut */
	CU_ASSERT_EQUAL(next_of("\x0a"
				"a",
				2, &value),
			OC_EMALFORMED); /* text longer than what is there */
	CU_ASSERT_EQUAL(next_of("\xfe\xff\xff\xff\xff\xff\xff\xff\xff", 9, &value), OC_EMALFORMED);
}

static void test_rows_begin_with_table_and_rowid(void)
{
	struct oev_canon_reader reader;
	uint8_t table;
	int64_t rowid;

	CU_ASSERT_EQUAL(oev_canon_open(&reader, (const uint8_t *)"", 0, &table, &rowid), OC_EMALFORMED);
	CU_ASSERT_EQUAL(oev_canon_open(&reader, (const uint8_t *)"\x01", 1, &table, &rowid), OC_EMALFORMED);
	CU_ASSERT_EQUAL(oev_canon_open(&reader, (const uint8_t *)"\x01\x00", 2, &table, &rowid),
			OC_EMALFORMED);
	CU_ASSERT_EQUAL(oev_canon_open(&reader, (const uint8_t *)"\x07\x09", 2, &table, &rowid), OC_OK);
	CU_ASSERT_EQUAL(table, 7);
	CU_ASSERT_EQUAL(rowid, 1);
}

static void test_buffer_grows_and_is_kept(void)
{
	size_t len = 3000000, used;
	char *text = malloc(len);

	memset(text, 'p', len);
	oev_canon_begin(&canon, 2, 1);
	oev_canon_text(&canon, text, len);
	oev_canon_int(&canon, -5);
	CU_ASSERT_EQUAL(canon.rc, OC_OK);
	CU_ASSERT_EQUAL(read_again(memcpy(text, oev_canon_octets(&canon, &used), 2), 2), OC_OK);
	const uint8_t *before = canon.buffer;
	oev_canon_begin(&canon, 2, 2);
	oev_canon_text(&canon, text, len);
	CU_ASSERT_PTR_EQUAL(canon.buffer, before);
	free(text);
}

static void test_row_without_memory_says_so(void)
{
	volatile size_t too_much = SIZE_MAX / 2; /* what the compiler may not know */

	oev_canon_begin(&canon, 2, 1);
	oev_canon_blob(&canon, "", too_much);
	CU_ASSERT_EQUAL(canon.rc, OC_ENOMEM);
	oev_canon_int(&canon, 1);
	CU_ASSERT_EQUAL(canon.rc, OC_ENOMEM);
	oev_canon_blob(&canon, "", 2 * too_much);
	CU_ASSERT_EQUAL(canon.rc, OC_ENOMEM);
	oev_canon_begin(&canon, 2, 1);
	CU_ASSERT_EQUAL(canon.rc, OC_OK);
}

void test_oev_canon_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_canon", set_up, tear_down);

	CU_add_test(suite, "vectors", test_vectors);
	CU_add_test(suite, "what_is_read_is_written_again", test_what_is_read_is_written_again);
	CU_add_test(suite, "every_short_string_is_one_row_or_none",
		    test_every_short_string_is_one_row_or_none);
	CU_add_test(suite, "other_writings_are_refused", test_other_writings_are_refused);
	CU_add_test(suite, "rows_begin_with_table_and_rowid", test_rows_begin_with_table_and_rowid);
	CU_add_test(suite, "buffer_grows_and_is_kept", test_buffer_grows_and_is_kept);
	CU_add_test(suite, "row_without_memory_says_so", test_row_without_memory_says_so);
}
