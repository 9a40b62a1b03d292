/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of Merkle trees: own vectors, and every tree up to 200 leaves against every proof about it.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "evidence/proof/oev_frontier.h"
#include "evidence/proof/oev_merkle.h"
#include "help_proof.h"

#define TREES 200u

void test_oev_merkle_suite(void);

static struct oev_hash leaves[TREES];
static struct oev_hash roots[TREES + 1];

static int set_up(void)
{
	oev_gcrypt_ready();
	for (uint64_t i = 0; i < TREES; i++)
		help_leaf(i, &leaves[i]);
	for (uint64_t n = 0; n <= TREES; n++)
		oev_merkle_root(leaves, n, &roots[n]);
	return 0;
}

static void test_roots_of_vectors(void)
{
	json_t *root = help_vectors("vectors_merkle.json");
	const json_t *list = json_object_get(root, "roots");
	uint8_t want[OEV_HASH_OCTETS];

	CU_ASSERT(json_array_size(list) > 10);
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *one = json_array_get(list, i);
		json_int_t size = json_integer_value(json_object_get(one, "size"));

		help_hex(json_object_get(one, "root"), want, sizeof(want));
		CU_ASSERT_EQUAL(memcmp(want, roots[size].octets, sizeof(want)), 0);
	}
	json_decref(root);
}

static void same_path(const struct oev_path *path, const json_t *list)
{
	struct oev_path want;

	help_path(list, &want);
	CU_ASSERT_EQUAL(path->count, want.count);
	for (unsigned i = 0; i < want.count && i < path->count; i++)
		CU_ASSERT(oev_hash_equal(&path->hashes[i], &want.hashes[i]));
}

static void test_proofs_of_vectors(void)
{
	json_t *root = help_vectors("vectors_merkle.json");
	const json_t *inclusion = json_object_get(root, "inclusion");
	const json_t *consistency = json_object_get(root, "consistency");
	struct oev_path path;

	CU_ASSERT(json_array_size(inclusion) > 10 && json_array_size(consistency) > 10);
	for (size_t i = 0; i < json_array_size(inclusion); i++) {
		const json_t *one = json_array_get(inclusion, i);
		uint64_t size = (uint64_t)json_integer_value(json_object_get(one, "size"));
		uint64_t index = (uint64_t)json_integer_value(json_object_get(one, "index"));

		CU_ASSERT_EQUAL(oev_merkle_path(leaves, size, index, &path), OC_OK);
		same_path(&path, json_object_get(one, "path"));
	}
	for (size_t i = 0; i < json_array_size(consistency); i++) {
		const json_t *one = json_array_get(consistency, i);
		uint64_t size = (uint64_t)json_integer_value(json_object_get(one, "size"));
		uint64_t old = (uint64_t)json_integer_value(json_object_get(one, "old"));

		CU_ASSERT_EQUAL(oev_merkle_growth(leaves, size, old, &path), OC_OK);
		same_path(&path, json_object_get(one, "path"));
	}
	json_decref(root);
}

static void test_both_ways_to_a_root_agree(void)
{
	struct oev_hash scratch[TREES], root;

	for (uint64_t n = 0; n <= TREES; n++) {
		memcpy(scratch, leaves, sizeof(scratch));
		oev_merkle_root_of(scratch, n, &root);
		CU_ASSERT(oev_hash_equal(&root, &roots[n]));
		for (uint64_t m = 0; m < n; m++)
			CU_ASSERT_FALSE(oev_hash_equal(&roots[m], &roots[n]));
	}
}

static void test_every_leaf_of_every_tree_is_in_it(void)
{
	struct oev_path path;
	unsigned wrong = 0;

	for (uint64_t n = 1; n <= TREES; n++)
		for (uint64_t i = 0; i < n; i++) {
			wrong += oev_merkle_path(leaves, n, i, &path) != OC_OK;
			wrong += oev_merkle_check_path(&leaves[i], i, n, &path, &roots[n]) != OC_OK;
			wrong += oev_merkle_check_path(&leaves[i], i, n, &path, &roots[n - 1]) == OC_OK;
			wrong += oev_merkle_check_path(&leaves[(i + 1) % TREES], i, n, &path, &roots[n]) ==
				 OC_OK;
		}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(oev_merkle_path(leaves, 7, 7, &path), OC_ERANGE);
	CU_ASSERT_EQUAL(oev_merkle_path(leaves, 0, 0, &path), OC_ERANGE);
}

static void test_every_tree_grows_into_every_larger_one(void)
{
	struct oev_path path;
	unsigned wrong = 0;

	for (uint64_t n = 1; n <= TREES; n++)
		for (uint64_t m = 1; m <= n; m++) {
			wrong += oev_merkle_growth(leaves, n, m, &path) != OC_OK;
			wrong += oev_merkle_check_growth(m, n, &path, &roots[m], &roots[n]) != OC_OK;
			wrong += oev_merkle_check_growth(m, n, &path, &roots[m - 1], &roots[n]) == OC_OK;
			wrong += oev_merkle_check_growth(m, n, &path, &roots[m], &roots[n - 1]) == OC_OK;
			wrong +=
				oev_merkle_check_growth(n, m, &path, &roots[n], &roots[m]) == OC_OK && m != n;
		}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(oev_merkle_growth(leaves, 7, 0, &path), OC_ERANGE);
	CU_ASSERT_EQUAL(oev_merkle_growth(leaves, 7, 8, &path), OC_ERANGE);
}

/* A proof with another number of hashes is none, whatever they are. */
static void test_length_of_a_proof_is_fixed(void)
{
	struct oev_path path;
	unsigned wrong = 0;

	for (uint64_t n = 1; n <= 70; n++)
		for (uint64_t i = 0; i < n; i++) {
			oev_merkle_path(leaves, n, i, &path);
			path.count++;
			wrong += oev_merkle_check_path(&leaves[i], i, n, &path, &roots[n]) != OC_EMALFORMED;
			path.count -= 2;
			wrong += n > 1 &&
				 oev_merkle_check_path(&leaves[i], i, n, &path, &roots[n]) != OC_EMALFORMED;
			oev_merkle_growth(leaves, n, i + 1, &path);
			path.count++;
			wrong += oev_merkle_check_growth(i + 1, n, &path, &roots[i + 1], &roots[n]) !=
				 OC_EMALFORMED;
			path.count -= 2;
			wrong += i + 1 < n && oev_merkle_check_growth(i + 1, n, &path, &roots[i + 1],
								      &roots[n]) != OC_EMALFORMED;
		}
	CU_ASSERT_EQUAL(wrong, 0);
}

static void test_every_bit_of_a_proof_counts(void)
{
	struct oev_path path, growth;
	unsigned held = 0;

	oev_merkle_path(leaves, 100, 70, &path);
	oev_merkle_growth(leaves, 100, 70, &growth);
	for (unsigned bit = 0; bit < path.count * 256; bit++) {
		path.hashes[bit / 256].octets[bit / 8 % 32] ^= (uint8_t)(1u << bit % 8);
		held += oev_merkle_check_path(&leaves[70], 70, 100, &path, &roots[100]) == OC_OK;
		path.hashes[bit / 256].octets[bit / 8 % 32] ^= (uint8_t)(1u << bit % 8);
	}
	for (unsigned bit = 0; bit < growth.count * 256; bit++) {
		growth.hashes[bit / 256].octets[bit / 8 % 32] ^= (uint8_t)(1u << bit % 8);
		held += oev_merkle_check_growth(70, 100, &growth, &roots[70], &roots[100]) == OC_OK;
		growth.hashes[bit / 256].octets[bit / 8 % 32] ^= (uint8_t)(1u << bit % 8);
	}
	CU_ASSERT_EQUAL(held, 0);
}

/* Sizes that only a hostile file has: no shift, sum or walk goes astray. */
static void test_largest_sizes_are_walked_safely(void)
{
	struct oev_path path = { .count = OEV_PATH_MAX };

	CU_ASSERT_EQUAL(oev_merkle_check_path(&leaves[0], UINT64_MAX - 1, UINT64_MAX, &path, &roots[1]),
			OC_EMALFORMED);
	CU_ASSERT_EQUAL(oev_merkle_check_path(&leaves[0], UINT64_MAX, UINT64_MAX, &path, &roots[1]),
			OC_ERANGE);
	CU_ASSERT_EQUAL(oev_merkle_check_path(&leaves[0], 0, 0, &path, &roots[1]), OC_ERANGE);
	CU_ASSERT_EQUAL(oev_merkle_check_growth(UINT64_MAX - 1, UINT64_MAX, &path, &roots[1], &roots[2]),
			OC_EMALFORMED);
	CU_ASSERT_EQUAL(oev_merkle_check_growth(UINT64_MAX, UINT64_MAX, &path, &roots[1], &roots[1]),
			OC_EMALFORMED);
	path.count = 64;
	CU_ASSERT_EQUAL(oev_merkle_check_path(&leaves[0], 0, UINT64_MAX, &path, &roots[1]), OC_EREFUSED);
	CU_ASSERT_EQUAL(oev_merkle_check_growth(1, UINT64_MAX, &path, &roots[1], &roots[2]), OC_EREFUSED);
	path.count = 65;
	CU_ASSERT_EQUAL(oev_merkle_check_growth(3, UINT64_MAX, &path, &roots[1], &roots[2]), OC_EREFUSED);
}

static void test_edge_follows_every_tree(void)
{
	struct oev_frontier frontier = { 0 }, again;
	char text[OEV_FRONTIER_TEXT_MAX];
	struct oev_hash root;

	for (uint64_t n = 0; n <= TREES; n++) {
		oev_frontier_root(&frontier, &root);
		CU_ASSERT(oev_hash_equal(&root, &roots[n]));
		oev_frontier_text(&frontier, text);
		again = (struct oev_frontier){ .size = 77 };
		CU_ASSERT_EQUAL(oev_frontier_parse(text, strlen(text), &again, NULL), OC_OK);
		oev_frontier_root(&again, &root);
		CU_ASSERT(again.size == n && oev_hash_equal(&root, &roots[n]));
		if (n < TREES)
			oev_frontier_append(&frontier, &leaves[n]);
		frontier.edge[63] = leaves[0]; /* beyond the edge nothing counts */
	}
}

static void test_edge_has_one_text(void)
{
	struct oev_frontier frontier = { 0 };
	char text[OEV_FRONTIER_TEXT_MAX], changed[OEV_FRONTIER_TEXT_MAX];
	struct oev_why why = { "" };
	size_t len;
	unsigned taken = 0;

	for (uint64_t n = 0; n < 5; n++)
		oev_frontier_append(&frontier, &leaves[n]);
	oev_frontier_text(&frontier, text);
	len = strlen(text);
	for (size_t bit = 0; bit < len * 8; bit++) {
		memcpy(changed, text, len + 1);
		changed[bit / 8] ^= (char)(1 << bit % 8);
		if (oev_frontier_parse(changed, len, &frontier, &why) != OC_OK)
			continue;
		taken++; /* another size with as many bits, another digit: then it is that edge's text */
		oev_frontier_text(&frontier, text);
		CU_ASSERT_EQUAL(memcmp(text, changed, len), 0);
		changed[bit / 8] ^= (char)(1 << bit % 8);
		memcpy(text, changed, len);
	}
	CU_ASSERT(taken > 100 && why.text[0] != '\0');
	CU_ASSERT_EQUAL(oev_frontier_parse("", 0, &frontier, &why), OC_EMALFORMED);
	CU_ASSERT_EQUAL(oev_frontier_parse("00", 2, &frontier, &why), OC_EMALFORMED);
	CU_ASSERT_EQUAL(oev_frontier_parse("0 ", 2, &frontier, &why), OC_EMALFORMED);
	CU_ASSERT_EQUAL(oev_frontier_parse("18446744073709551616", 20, &frontier, &why), OC_EMALFORMED);
	CU_ASSERT_EQUAL(oev_frontier_parse(text, len - 1, &frontier, &why), OC_EMALFORMED);
}

void test_oev_merkle_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_merkle", set_up, NULL);

	CU_add_test(suite, "roots_of_vectors", test_roots_of_vectors);
	CU_add_test(suite, "proofs_of_vectors", test_proofs_of_vectors);
	CU_add_test(suite, "both_ways_to_a_root_agree", test_both_ways_to_a_root_agree);
	CU_add_test(suite, "every_leaf_of_every_tree_is_in_it", test_every_leaf_of_every_tree_is_in_it);
	CU_add_test(suite, "every_tree_grows_into_every_larger_one",
		    test_every_tree_grows_into_every_larger_one);
	CU_add_test(suite, "length_of_a_proof_is_fixed", test_length_of_a_proof_is_fixed);
	CU_add_test(suite, "every_bit_of_a_proof_counts", test_every_bit_of_a_proof_counts);
	CU_add_test(suite, "largest_sizes_are_walked_safely", test_largest_sizes_are_walked_safely);
	CU_add_test(suite, "edge_follows_every_tree", test_edge_follows_every_tree);
	CU_add_test(suite, "edge_has_one_text", test_edge_has_one_text);
}
