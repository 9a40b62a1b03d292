/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of hashes and of octets as text.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "evidence/proof/oev_armor.h"
#include "evidence/proof/oev_hash.h"

void test_oev_hash_suite(void);

static int set_up(void)
{
	oev_gcrypt_ready();
	oev_gcrypt_ready();
	return 0;
}

static void test_sha256_of_fips_180(void)
{
	static const char million[] = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
	struct oev_hash hash;
	char hex[OEV_HASH_HEX];
	char *text = malloc(1000000);

	oev_hash_of("abc", 3, &hash);
	oev_hash_hex(&hash, hex);
	CU_ASSERT_STRING_EQUAL(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	memset(text, 'a', 1000000);
	oev_hash_of(text, 1000000, &hash);
	oev_hash_hex(&hash, hex);
	CU_ASSERT_STRING_EQUAL(hex, million);
	free(text);
}

static void test_tag_goes_before_the_octets(void)
{
	uint8_t octets[1024];
	struct oev_hash tagged, whole;

	for (size_t i = 0; i < sizeof(octets); i++)
		octets[i] = (uint8_t)(i * 7);
	for (size_t len = 0; len < sizeof(octets); len++) {
		octets[0] = (uint8_t)len;
		oev_hash_tagged((uint8_t)len, octets + 1, len, &tagged);
		oev_hash_of(octets, len + 1, &whole);
		CU_ASSERT(oev_hash_equal(&tagged, &whole));
	}
}

static void test_hexadecimal_has_one_form(void)
{
	uint8_t octets[4] = { 0 };
	char text[9];

	CU_ASSERT_EQUAL(oev_armor_hex_parse("00ff10ab", 8, octets, 4), OC_OK);
	oev_armor_hex(octets, 4, text);
	CU_ASSERT_STRING_EQUAL(text, "00ff10ab");
	CU_ASSERT_EQUAL(oev_armor_hex_parse("00FF10ab", 8, octets, 4), OC_EMALFORMED);
	CU_ASSERT_EQUAL(oev_armor_hex_parse("00ff10a", 7, octets, 4), OC_EMALFORMED);
	CU_ASSERT_EQUAL(oev_armor_hex_parse("00ff10abc", 9, octets, 4), OC_EMALFORMED);
	CU_ASSERT_EQUAL(oev_armor_hex_parse("00ff10ab00", 10, octets, 4), OC_EMALFORMED);
	CU_ASSERT_EQUAL(oev_armor_hex_parse("00ff 0ab", 8, octets, 4), OC_EMALFORMED);
	CU_ASSERT_EQUAL(oev_armor_hex_parse("00ff1g00", 8, octets, 4), OC_EMALFORMED);
}

/* RFC 4648 section 10. */
static void test_base64_of_rfc_4648(void)
{
	static const char *const texts[] = { "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy" };
	char text[16];
	char octets[8];

	for (size_t len = 0; len < 7; len++) {
		oev_armor_base64("foobar", len, text);
		CU_ASSERT_STRING_EQUAL(text, texts[len]);
		CU_ASSERT_EQUAL(strlen(text), OEV_BASE64_LEN(len));
		memset(octets, 0, sizeof(octets));
		CU_ASSERT_EQUAL(oev_armor_base64_parse(text, strlen(text), octets, len), OC_OK);
		CU_ASSERT_EQUAL(memcmp(octets, "foobar", len), 0);
		CU_ASSERT_EQUAL(oev_armor_base64_parse(text, strlen(text), octets, len + 1), OC_EMALFORMED);
	}
}

static void test_base64_has_one_form(void)
{
	static const char *const bad[] = { "Zh==", "Zm9=", "Zm8",  "Zm8==", "Zg=a", "Z===",
					   "Zg=",  "Zm 8", "Zm-8", "Zm_8",  "====" };
	char octets[8];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		for (size_t want = 0; want < 5; want++)
			CU_ASSERT_EQUAL(oev_armor_base64_parse(bad[i], strlen(bad[i]), octets, want),
					OC_EMALFORMED);
}

void test_oev_hash_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_hash", set_up, NULL);

	CU_add_test(suite, "sha256_of_fips_180", test_sha256_of_fips_180);
	CU_add_test(suite, "tag_goes_before_the_octets", test_tag_goes_before_the_octets);
	CU_add_test(suite, "hexadecimal_has_one_form", test_hexadecimal_has_one_form);
	CU_add_test(suite, "base64_of_rfc_4648", test_base64_of_rfc_4648);
	CU_add_test(suite, "base64_has_one_form", test_base64_has_one_form);
}
