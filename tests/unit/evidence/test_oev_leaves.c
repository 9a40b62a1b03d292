/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the leaves of a batch: their order, their root, their marks.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/oc_err.h"
#include "evidence/proof/oev_merkle.h"
#include "evidence/store/oev_leaves.h"

void test_oev_leaves_suite(void);

static struct oev_leaves leaves; /* of the running test */

static void set_up(void)
{
	oev_gcrypt_ready();
	oev_leaves_init(&leaves);
	oev_leaves_begin(&leaves);
}

static void tear_down(void)
{
	oev_leaves_fini(&leaves);
}

/* A row of @table that says its own number. */
static void add(enum oev_table table, int64_t row)
{
	oev_canon_begin(&leaves.canon, (uint8_t)table, row);
	oev_canon_int(&leaves.canon, row);
	oev_leaves_add(&leaves, table, row);
}

static void leaf_of(enum oev_table table, int64_t row, struct oev_hash *out)
{
	struct oev_canon canon;

	oev_canon_init(&canon);
	oev_canon_begin(&canon, (uint8_t)table, row);
	oev_canon_int(&canon, row);
	oev_canon_hash(&canon, OEV_MERKLE_TAG_LEAF, out);
	oev_canon_fini(&canon);
}

static void test_oev_leaves_are_in_the_order_of_tables_then_rows(void)
{
	struct oev_hash expected[5], root;
	struct oev_leaves_sum sum;

	add(OEV_TABLE_OUTCOME, 1);
	add(OEV_TABLE_NAME, 9);
	add(OEV_TABLE_NAME, 4);
	add(OEV_TABLE_DECISION, 7);
	add(OEV_TABLE_NAME, 5);
	CU_ASSERT_EQUAL(oev_leaves_count(&leaves), 5);
	CU_ASSERT_EQUAL_FATAL(oev_leaves_end(&leaves, &sum), OC_OK);
	CU_ASSERT_EQUAL(sum.count, 5);
	CU_ASSERT_EQUAL(sum.rows_len, strlen("name 4-5,9 decision 7 outcome 1"));
	CU_ASSERT_EQUAL(memcmp(sum.rows, "name 4-5,9 decision 7 outcome 1", sum.rows_len), 0);
	leaf_of(OEV_TABLE_NAME, 4, &expected[0]);
	leaf_of(OEV_TABLE_NAME, 5, &expected[1]);
	leaf_of(OEV_TABLE_NAME, 9, &expected[2]);
	leaf_of(OEV_TABLE_DECISION, 7, &expected[3]);
	leaf_of(OEV_TABLE_OUTCOME, 1, &expected[4]);
	for (size_t i = 0; i < 5; i++)
		CU_ASSERT_EQUAL(memcmp(&sum.marks[2 * i], expected[i].octets, 2), 0);
	oev_merkle_root(expected, 5, &root);
	CU_ASSERT(oev_hash_equal(&root, &sum.root));
}

static void test_oev_leaves_of_the_next_batch_are_its_own(void)
{
	struct oev_leaves_sum sum;

	add(OEV_TABLE_NAME, 1);
	CU_ASSERT_EQUAL(oev_leaves_end(&leaves, &sum), OC_OK);
	oev_leaves_begin(&leaves);
	CU_ASSERT_EQUAL(oev_leaves_count(&leaves), 0);
	add(OEV_TABLE_PEER, 3);
	CU_ASSERT_EQUAL_FATAL(oev_leaves_end(&leaves, &sum), OC_OK);
	CU_ASSERT_EQUAL(sum.count, 1);
	CU_ASSERT_EQUAL(memcmp(sum.rows, "peer 3", sum.rows_len), 0);
}

static void test_oev_leaves_row_twice_is_found(void)
{
	struct oev_leaves_sum sum;

	add(OEV_TABLE_NAME, 1);
	add(OEV_TABLE_NAME, 1);
	CU_ASSERT_EQUAL(oev_leaves_end(&leaves, &sum), OC_EINVAL);
}

static void test_oev_leaves_many_have_one_root(void)
{
	enum { MANY = 3000 };
	static struct oev_hash expected[MANY];
	struct oev_leaves_sum sum;
	struct oev_hash root;

	for (int64_t row = 1; row <= MANY; row++) {
		add(OEV_TABLE_DECISION, row);
		leaf_of(OEV_TABLE_DECISION, row, &expected[row - 1]);
	}
	CU_ASSERT_EQUAL_FATAL(oev_leaves_end(&leaves, &sum), OC_OK);
	CU_ASSERT_EQUAL(sum.count, MANY);
	oev_merkle_root(expected, MANY, &root);
	CU_ASSERT(oev_hash_equal(&root, &sum.root));
}

void test_oev_leaves_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oev_leaves", NULL, NULL, set_up, tear_down);

	CU_add_test(suite, "order", test_oev_leaves_are_in_the_order_of_tables_then_rows);
	CU_add_test(suite, "next_batch", test_oev_leaves_of_the_next_batch_are_its_own);
	CU_add_test(suite, "row_twice", test_oev_leaves_row_twice_is_found);
	CU_add_test(suite, "many", test_oev_leaves_many_have_one_root);
}
