/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of a log of which only the edge is known of what came before: the same proofs as of the whole one.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/oc_err.h"
#include "evidence/verify/oev_log.h"

#define LEAVES 41u

void test_oev_log_suite(void);

static struct oev_hash leaves[LEAVES];

/* The log of all leaves, the first @base of them known by their edge alone. */
static void make(struct oev_log *log, uint64_t base)
{
	struct oev_frontier frontier = { .size = 0 };

	oev_gcrypt_ready();
	for (unsigned i = 0; i < LEAVES; i++)
		oev_hash_of(&i, sizeof(i), &leaves[i]);
	for (uint64_t i = 0; i < base; i++)
		oev_frontier_append(&frontier, &leaves[i]);
	oev_log_init(log, &frontier);
	for (uint64_t i = base; i < LEAVES; i++)
		CU_ASSERT_EQUAL(oev_log_add(log, &leaves[i]), OC_OK);
}

static bool same_path(const struct oev_path *a, const struct oev_path *b)
{
	return a->count == b->count && memcmp(a->hashes, b->hashes, a->count * sizeof(a->hashes[0])) == 0;
}

static void test_roots_need_no_older_leaves(void)
{
	struct oev_hash whole, partial;

	for (uint64_t base = 0; base < LEAVES; base++) {
		struct oev_log log;
		make(&log, base);
		for (uint64_t size = base; size <= LEAVES; size++) {
			oev_merkle_root(leaves, size, &whole);
			CU_ASSERT_EQUAL(oev_log_root(&log, size, &partial), OC_OK);
			CU_ASSERT(oev_hash_equal(&whole, &partial));
		}
		if (base > 0)
			CU_ASSERT_EQUAL(oev_log_root(&log, base - 1, &partial), OC_ERANGE);
		CU_ASSERT_EQUAL(oev_log_root(&log, LEAVES + 1, &partial), OC_ERANGE);
		oev_log_fini(&log);
	}
}

static void test_paths_need_no_older_leaves(void)
{
	struct oev_path whole, partial;

	for (uint64_t base = 0; base < LEAVES; base++) {
		struct oev_log log;
		make(&log, base);
		for (uint64_t size = base + 1; size <= LEAVES; size++)
			for (uint64_t index = base; index < size; index++) {
				CU_ASSERT_EQUAL(oev_merkle_path(leaves, size, index, &whole), OC_OK);
				CU_ASSERT_EQUAL(oev_log_path(&log, size, index, &partial), OC_OK);
				CU_ASSERT(same_path(&whole, &partial));
			}
		if (base > 0)
			CU_ASSERT_EQUAL(oev_log_path(&log, LEAVES, base - 1, &partial), OC_ERANGE);
		CU_ASSERT_EQUAL(oev_log_path(&log, LEAVES, LEAVES, &partial), OC_ERANGE);
		oev_log_fini(&log);
	}
}

static void test_growth_needs_no_older_leaves(void)
{
	struct oev_path whole, partial;

	for (uint64_t base = 0; base < LEAVES; base++) {
		struct oev_log log;
		make(&log, base);
		for (uint64_t size = base > 0 ? base : 1; size <= LEAVES; size++)
			for (uint64_t old = base > 0 ? base : 1; old <= size; old++) {
				CU_ASSERT_EQUAL(oev_merkle_growth(leaves, size, old, &whole), OC_OK);
				CU_ASSERT_EQUAL(oev_log_growth(&log, size, old, &partial), OC_OK);
				CU_ASSERT(same_path(&whole, &partial));
			}
		CU_ASSERT_EQUAL(oev_log_growth(&log, LEAVES, 0, &partial), OC_ERANGE);
		if (base > 1)
			CU_ASSERT_EQUAL(oev_log_growth(&log, LEAVES, base - 1, &partial), OC_ERANGE);
		oev_log_fini(&log);
	}
}

void test_oev_log_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_log", NULL, NULL);

	CU_add_test(suite, "roots_need_no_older_leaves", test_roots_need_no_older_leaves);
	CU_add_test(suite, "paths_need_no_older_leaves", test_paths_need_no_older_leaves);
	CU_add_test(suite, "growth_needs_no_older_leaves", test_growth_needs_no_older_leaves);
}
