/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the keyed hash, against the vectors its authors publish, and of pseudonyms.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/wire/oc_keyed.h"

void test_oc_keyed_suite(void);

/* Key 00 01 .. 0f, data 00 01 .. of each length. */
static const struct {
	size_t len;
	uint64_t hash;
} vectors[] = {
	{ 0, 0x726fdb47dd0e0e31ull },  { 1, 0x74f839c593dc67fdull },  { 2, 0x0d6c8009d9a94f5aull },
	{ 3, 0x85676696d7fb7e2dull },  { 4, 0xcf2794e0277187b7ull },  { 5, 0x18765564cd99a68dull },
	{ 6, 0xcbc9466e58fee3ceull },  { 7, 0xab0200f58b01d137ull },  { 8, 0x93f5f5799a932462ull },
	{ 15, 0xa129ca6149be45e5ull }, { 16, 0x3f2acc7f57c29bdbull }, { 33, 0xa7f32346f95978e3ull },
	{ 63, 0x958a324ceb064572ull },
};

static void test_oc_keyed_hash_is_the_published_one(void)
{
	struct oc_keyed_key key;
	uint8_t data[64];

	for (uint8_t i = 0; i < sizeof(key.octets); i++)
		key.octets[i] = i;
	for (uint8_t i = 0; i < sizeof(data); i++)
		data[i] = i;
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		struct oc_bytes octets = { .data = data, .len = vectors[i].len };
		CU_ASSERT_EQUAL(oc_keyed_hash(&key, octets), vectors[i].hash);
	}
}

static void test_oc_keyed_pseudonym_is_short_and_never_none(void)
{
	struct oc_keyed_key key = { { 1 } };
	uint64_t all = 0;

	for (uint32_t i = 0; i < 1000; i++) {
		struct oc_bytes octets = { .data = (const uint8_t *)&i, .len = sizeof(i) };
		uint64_t pseudonym = oc_keyed_pseudonym(&key, octets);
		CU_ASSERT(pseudonym != 0 && pseudonym >> OC_PSEUDONYM_BITS == 0);
		CU_ASSERT_EQUAL(pseudonym, oc_keyed_hash(&key, octets) & 0x7fffffffffffull);
		all |= pseudonym;
	}
	CU_ASSERT_EQUAL(all, 0x7fffffffffffull);
}

static void test_oc_keyed_every_octet_of_the_key_counts(void)
{
	static const uint8_t text[] = "001010000000001";
	struct oc_bytes identity = { .data = text, .len = sizeof(text) - 1 };
	struct oc_keyed_key key = { { 0 } };
	uint64_t before = oc_keyed_hash(&key, identity);

	for (size_t i = 0; i < sizeof(key.octets); i++) {
		key.octets[i] ^= 1;
		CU_ASSERT_NOT_EQUAL(oc_keyed_hash(&key, identity), before);
		key.octets[i] ^= 1;
	}
}

void test_oc_keyed_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_keyed", NULL, NULL);

	CU_add_test(suite, "hash_is_the_published_one", test_oc_keyed_hash_is_the_published_one);
	CU_add_test(suite, "pseudonym_is_short_and_never_none",
		    test_oc_keyed_pseudonym_is_short_and_never_none);
	CU_add_test(suite, "every_octet_of_the_key_counts", test_oc_keyed_every_octet_of_the_key_counts);
}
