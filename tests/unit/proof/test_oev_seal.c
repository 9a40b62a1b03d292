/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of seals: one text, every bit of it signed, and no other note passes for one.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/oc_err.h"
#include "evidence/proof/oev_seal.h"
#include "help_proof.h"

#define NODE "dra.example.net"

void test_oev_seal_suite(void);

static char folder[HELP_PATH_MAX];
static struct oev_key *key;
static struct oev_public signer;
static char note[OEV_NOTE_MAX];
static struct oev_why why;

static void set_up(void)
{
	oev_gcrypt_ready();
	help_folder_make(folder);
	key = help_key(folder, "key", NODE, &signer);
}

static void tear_down(void)
{
	oev_key_free(key);
	help_folder_remove(folder);
}

static struct oev_seal example(void)
{
	struct oev_seal seal = { .origin = NODE,
				 .segment = "seg-20261129T140000.db",
				 .bytes = 1073741824,
				 .first = 401,
				 .last = 812,
				 .wall_us = 1796047407114000u };

	help_leaf(1, &seal.sha256);
	help_leaf(2, &seal.root);
	return seal;
}

static void test_seal_comes_back_as_it_was(void)
{
	struct oev_seal seal = example(), read = { .bytes = 0 };

	CU_ASSERT_EQUAL(oev_seal_sign(&seal, key, note, sizeof(note), &why), OC_OK);
	CU_ASSERT_EQUAL(oev_seal_open(note, strlen(note), &signer, &read, &why), OC_OK);
	CU_ASSERT_STRING_EQUAL(read.origin, seal.origin);
	CU_ASSERT_STRING_EQUAL(read.segment, seal.segment);
	CU_ASSERT_EQUAL(read.bytes, seal.bytes);
	CU_ASSERT_EQUAL(read.first, seal.first);
	CU_ASSERT_EQUAL(read.last, seal.last);
	CU_ASSERT_EQUAL(read.wall_us, seal.wall_us);
	CU_ASSERT(oev_hash_equal(&read.sha256, &seal.sha256));
	CU_ASSERT(oev_hash_equal(&read.root, &seal.root));
}

static void test_seal_with_one_bit_changed_is_not_believed(void)
{
	struct oev_seal seal = example(), read;

	CU_ASSERT_EQUAL_FATAL(oev_seal_sign(&seal, key, note, sizeof(note), &why), OC_OK);
	size_t len = strlen(note);
	for (size_t bit = 0; bit < 8 * len; bit++) {
		note[bit / 8] ^= (char)(1 << bit % 8);
		CU_ASSERT_NOT_EQUAL(oev_seal_open(note, len, &signer, &read, &why), OC_OK);
		note[bit / 8] ^= (char)(1 << bit % 8);
	}
	CU_ASSERT_EQUAL(oev_seal_open(note, len, &signer, &read, &why), OC_OK);
}

static void test_seal_is_no_checkpoint(void)
{
	struct oev_checkpoint checkpoint = { .origin = NODE, .segment = "seg-1.db" };
	struct oev_seal seal = example();

	CU_ASSERT_EQUAL(oev_checkpoint_sign(&checkpoint, key, note, sizeof(note), &why), OC_OK);
	CU_ASSERT_EQUAL(oev_seal_open(note, strlen(note), &signer, &seal, &why), OC_EMALFORMED);
	CU_ASSERT_EQUAL(oev_seal_sign(&seal, key, note, sizeof(note), &why), OC_OK);
	CU_ASSERT_EQUAL(oev_checkpoint_open(note, strlen(note), &signer, &checkpoint, &why), OC_EMALFORMED);
}

static void test_seal_names_without_spaces_alone(void)
{
	struct oev_seal seal = example();

	strcpy(seal.segment, "seg 1.db");
	CU_ASSERT_EQUAL(oev_seal_sign(&seal, key, note, sizeof(note), &why), OC_EINVAL);
	seal = example();
	seal.origin[0] = '\0';
	CU_ASSERT_EQUAL(oev_seal_sign(&seal, key, note, sizeof(note), &why), OC_EINVAL);
}

void test_oev_seal_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oev_seal", NULL, NULL, set_up, tear_down);

	CU_add_test(suite, "comes_back", test_seal_comes_back_as_it_was);
	CU_add_test(suite, "one_bit", test_seal_with_one_bit_changed_is_not_believed);
	CU_add_test(suite, "no_checkpoint", test_seal_is_no_checkpoint);
	CU_add_test(suite, "names", test_seal_names_without_spaces_alone);
}
