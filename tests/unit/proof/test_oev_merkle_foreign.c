/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Merkle proofs against the vectors of others, those of the transparency-dev project, when DOIC_SHARED has them.
 *
 * Proofs about subtrees (leaves start..end - 1 of a tree) are not something this product makes. Inclusion
 * in a subtree is inclusion in a tree of end - start leaves, and consistency of one that starts at 0 is
 * plain consistency: those are checked too.
 */
#include <CUnit/CUnit.h>
#include <ftw.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/proof/oev_armor.h"
#include "evidence/proof/oev_merkle.h"

void test_oev_merkle_foreign_suite(void);

struct tally {
	unsigned held; /* judged as the vector says */
	unsigned wrong;
	unsigned positive; /* of those held, proofs that are right */
	unsigned apart;	   /* about something this product has not */
};

enum verdict { IS_REFUSED, IS_TAKEN, IS_APART };

static enum verdict (*judge)(const json_t *vector);
static struct tally tally;

/* Numbers are read as reals, since some lie beyond 2^63; none that matters is rounded. */
static uint64_t number(const json_t *vector, const char *key)
{
	double value = json_number_value(json_object_get(vector, key));

	return value >= 18446744073709551615.0 ? UINT64_MAX : (uint64_t)value;
}

/* False when the text is no base64 of 32 octets. */
static bool take_hash(const json_t *text, struct oev_hash *out)
{
	return json_is_string(text) &&
	       oev_armor_base64_parse(json_string_value(text), json_string_length(text), out->octets,
				      OEV_HASH_OCTETS) == OC_OK;
}

static bool take_proof(const json_t *vector, struct oev_path *out)
{
	const json_t *list = json_object_get(vector, "proof");

	if (json_array_size(list) > OEV_PATH_MAX)
		return false;
	out->count = (unsigned)json_array_size(list);
	for (unsigned i = 0; i < out->count; i++)
		if (!take_hash(json_array_get(list, i), &out->hashes[i]))
			return false;
	return true;
}

static enum verdict judge_path(const json_t *vector, uint64_t index, uint64_t size)
{
	struct oev_hash leaf, root;
	struct oev_path path;

	if (!take_hash(json_object_get(vector, "leafHash"), &leaf) ||
	    !take_hash(json_object_get(vector, "root"), &root) || !take_proof(vector, &path))
		return IS_REFUSED;
	return oev_merkle_check_path(&leaf, index, size, &path, &root) == OC_OK ? IS_TAKEN : IS_REFUSED;
}

static enum verdict judge_inclusion(const json_t *vector)
{
	return judge_path(vector, number(vector, "leafIdx"), number(vector, "treeSize"));
}

static enum verdict judge_subtree_inclusion(const json_t *vector)
{
	uint64_t index = number(vector, "leafIdx"), start = number(vector, "start"),
		 end = number(vector, "end");
	uint64_t room = 1;

	if (start >= end || index < start || index >= end)
		return IS_REFUSED;
	while (room < end - start && room < UINT64_C(1) << 62)
		room *= 2;
	if (start % room != 0)
		return IS_REFUSED; /* no subtree of any tree */
	return judge_path(vector, index - start, end - start);
}

static enum verdict judge_growth(const json_t *vector, uint64_t old, uint64_t size)
{
	struct oev_hash old_root, root;
	struct oev_path path;

	if (!take_proof(vector, &path))
		return IS_REFUSED;
	if (!take_hash(json_object_get(vector, "root1"), &old_root) ||
	    !take_hash(json_object_get(vector, "root2"), &root)) /* one vector takes words for roots */
		return json_is_true(json_object_get(vector, "wantErr")) ? IS_REFUSED : IS_APART;
	return oev_merkle_check_growth(old, size, &path, &old_root, &root) == OC_OK ? IS_TAKEN : IS_REFUSED;
}

static enum verdict judge_consistency(const json_t *vector)
{
	return judge_growth(vector, number(vector, "size1"), number(vector, "size2"));
}

static enum verdict judge_subtree_consistency(const json_t *vector)
{
	if (number(vector, "start") != 0 || number(vector, "end") == 0)
		return IS_APART; /* nor is the empty tree anything to grow from */
	return judge_growth(vector, number(vector, "end"), number(vector, "size"));
}

static int judge_file(const char *path, const struct stat *info, int kind, struct FTW *where)
{
	(void)info;
	(void)where;
	if (kind != FTW_F)
		return 0;
	json_t *vector = json_load_file(path, JSON_DECODE_INT_AS_REAL, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(vector);
	enum verdict verdict = judge(vector),
		     want = json_is_true(json_object_get(vector, "wantErr")) ? IS_REFUSED : IS_TAKEN;
	json_decref(vector);
	if (verdict != want && verdict != IS_APART)
		printf("\n    judged wrongly: %s\n", path);
	tally.apart += verdict == IS_APART;
	tally.held += verdict == want;
	tally.wrong += verdict != want && verdict != IS_APART;
	tally.positive += verdict == want && want == IS_TAKEN;
	return 0;
}

static void judge_folder(const char *name, enum verdict (*by)(const json_t *vector), unsigned at_least)
{
	const char *shared = getenv("DOIC_SHARED");
	char path[1024];

	snprintf(path, sizeof(path), "%s%s/vectors/merkle/testdata/%s", shared ? shared : DOIC_SOURCE_DIR,
		 shared ? "" : "/../shared", name);
	if (access(path, R_OK) != 0) {
		printf("\n    skipped: %s is absent (set DOIC_SHARED)\n", path);
		return;
	}
	tally = (struct tally){ 0 };
	judge = by;
	CU_ASSERT_EQUAL(nftw(path, judge_file, 8, FTW_PHYS), 0);
	printf("\n    %s: %u as they should be (%u proofs that are right), %u wrong, %u of another kind\n   ",
	       name, tally.held, tally.positive, tally.wrong, tally.apart);
	CU_ASSERT_EQUAL(tally.wrong, 0);
	CU_ASSERT(tally.held >= at_least && tally.positive >= 5);
}

static void test_inclusion(void)
{
	judge_folder("inclusion", judge_inclusion, 98);
}

static void test_consistency(void)
{
	judge_folder("consistency", judge_consistency, 97);
}

static void test_inclusion_in_subtrees(void)
{
	judge_folder("subtreeinclusion", judge_subtree_inclusion, 204);
}

static void test_consistency_of_subtrees_from_the_start(void)
{
	judge_folder("subtreeconsistency", judge_subtree_consistency, 20);
}

void test_oev_merkle_foreign_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_merkle_foreign", NULL, NULL);

	oev_gcrypt_ready();
	CU_add_test(suite, "inclusion", test_inclusion);
	CU_add_test(suite, "consistency", test_consistency);
	CU_add_test(suite, "inclusion_in_subtrees", test_inclusion_in_subtrees);
	CU_add_test(suite, "consistency_of_subtrees_from_the_start",
		    test_consistency_of_subtrees_from_the_start);
}
