/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of rate and Load against byte vectors made by hand: written to the octet, read back to the value.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/oc_err.h"
#include "agent/wire/oc_encode.h"
#include "help_wire_scan.h"

#define AGENT "agent1.example.net"
#define RATE_FLAGS (OC_OLR_HAS_SEQUENCE | OC_OLR_HAS_TYPE | OC_OLR_HAS_VALIDITY | OC_OLR_HAS_RATE)

void test_oc_vectors_suite(void);

/* Whether @group framed with @code is vector @number to the octet. */
static bool is_vector(const struct oc_group *group, uint32_t code, unsigned number)
{
	struct help_wire want = { .len = 0 };
	uint8_t got[OC_ENCODE_MAX + 8];
	size_t len = 0;

	help_wire_hex(&want, help_wire_rv[number - 1]);
	return oc_encode_group(group, code, got, sizeof(got), &len) == OC_OK && len == want.len &&
	       memcmp(got, want.data, len) == 0;
}

/* Scans an answer that carries vector @number alone. */
static void scan_vector(struct help_scan *got, unsigned number)
{
	struct help_wire wire;

	help_wire_begin(&wire, 0, OC_APP_GX);
	help_wire_hex(&wire, help_wire_rv[number - 1]);
	help_wire_end(&wire);
	help_scan(got, &wire);
	CU_ASSERT_EQUAL(got->err, OC_OK);
}

static void test_oc_vectors_rate_is_announced_by_a_bit(void)
{
	struct oc_group group;

	CU_ASSERT_EQUAL(oc_encode_caps(&group, OC_FV_ALGORITHMS, NULL, 0), OC_OK);
	CU_ASSERT_TRUE(is_vector(&group, OC_AVP_SUPPORTED_FEATURES, 1));
	CU_ASSERT_EQUAL(oc_encode_caps(&group, OC_FV_ALGORITHMS | OC_FV_PEER_REPORT, AGENT, OC_FV_RATE),
			OC_OK);
	CU_ASSERT_TRUE(is_vector(&group, OC_AVP_SUPPORTED_FEATURES, 2));
}

static void test_oc_vectors_rate_features_decode(void)
{
	struct help_scan got;

	scan_vector(&got, 1);
	CU_ASSERT_EQUAL(got.msg.caps.has, OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR);
	CU_ASSERT_EQUAL(got.msg.caps.vector, 0x5);
	oc_names_free(got.names);
	scan_vector(&got, 2);
	CU_ASSERT_EQUAL(got.msg.caps.has,
			OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR | OC_CAPS_HAS_SOURCE | OC_CAPS_HAS_PEER_ALGO);
	CU_ASSERT_EQUAL(got.msg.caps.vector, 0x15);
	CU_ASSERT_EQUAL(got.msg.caps.peer_algo, 0x4);
	CU_ASSERT_STRING_EQUAL(help_scan_text(&got, got.msg.caps.source), AGENT);
	oc_names_free(got.names);
}

static void test_oc_vectors_rate_reports_encode(void)
{
	const struct oc_olr host = { .has = RATE_FLAGS, .sequence = 9, .validity_s = 60, .rate_rps = 500 };
	const struct oc_olr peer = { .has = RATE_FLAGS | OC_OLR_HAS_SOURCE,
				     .sequence = 10,
				     .type = OC_REPORT_PEER,
				     .validity_s = 120,
				     .rate_rps = 0 };
	struct oc_group group;

	CU_ASSERT_EQUAL(oc_encode_olr(&group, &host, NULL), OC_OK);
	CU_ASSERT_TRUE(is_vector(&group, OC_AVP_OLR, 3));
	CU_ASSERT_EQUAL(oc_encode_olr(&group, &peer, AGENT), OC_OK);
	CU_ASSERT_TRUE(is_vector(&group, OC_AVP_OLR, 4));
}

static void test_oc_vectors_rate_reports_decode(void)
{
	struct help_scan got;

	scan_vector(&got, 3);
	CU_ASSERT_EQUAL(got.msg.olr[0].has, RATE_FLAGS);
	CU_ASSERT_EQUAL(got.msg.olr[0].sequence, 9);
	CU_ASSERT_EQUAL(got.msg.olr[0].validity_s, 60);
	CU_ASSERT_EQUAL(got.msg.olr[0].rate_rps, 500);
	oc_names_free(got.names);
	scan_vector(&got, 4);
	CU_ASSERT_EQUAL(got.msg.olr[0].has, RATE_FLAGS | OC_OLR_HAS_SOURCE);
	CU_ASSERT_EQUAL(got.msg.olr[0].type, OC_REPORT_PEER);
	CU_ASSERT_EQUAL(got.msg.olr[0].rate_rps, 0);
	CU_ASSERT_STRING_EQUAL(help_scan_text(&got, got.msg.olr[0].source), AGENT);
	oc_names_free(got.names);
}

static void test_oc_vectors_no_vendor_in_any_header(void)
{
	for (unsigned i = 0; i < HELP_RV_COUNT; i++) {
		struct help_wire whole = { .len = 0 };
		help_wire_hex(&whole, help_wire_rv[i]);
		CU_ASSERT_EQUAL(whole.data[4], 0);
		for (size_t at = 8; at < whole.len; at += (whole.data[at + 7] + 3u) & ~3u)
			CU_ASSERT_EQUAL(whole.data[at + 4], 0);
	}
}

static void test_oc_vectors_load_encodes(void)
{
	struct oc_group group;

	CU_ASSERT_EQUAL(oc_encode_load(&group, "s1.example.net", OC_LOAD_HOST, OC_LOAD_IDLE), OC_OK);
	CU_ASSERT_TRUE(is_vector(&group, OC_AVP_LOAD, 5));
	CU_ASSERT_EQUAL(oc_encode_load(&group, AGENT, OC_LOAD_PEER, 0), OC_OK);
	CU_ASSERT_TRUE(is_vector(&group, OC_AVP_LOAD, 6));
}

static void test_oc_vectors_load_decodes(void)
{
	const uint8_t whole = OC_LOAD_HAS_TYPE | OC_LOAD_HAS_VALUE | OC_LOAD_HAS_SOURCE;
	struct help_scan got;

	scan_vector(&got, 5);
	CU_ASSERT_EQUAL(got.msg.load[0].has, whole);
	CU_ASSERT_EQUAL(got.msg.load[0].type, OC_LOAD_HOST);
	CU_ASSERT_EQUAL(got.msg.load[0].value, OC_LOAD_IDLE);
	CU_ASSERT_STRING_EQUAL(help_scan_text(&got, got.msg.load[0].source), "s1.example.net");
	oc_names_free(got.names);
	scan_vector(&got, 6);
	CU_ASSERT_EQUAL(got.msg.load[0].has, whole);
	CU_ASSERT_EQUAL(got.msg.load[0].type, OC_LOAD_PEER);
	CU_ASSERT_EQUAL(got.msg.load[0].value, 0);
	CU_ASSERT_STRING_EQUAL(help_scan_text(&got, got.msg.load[0].source), AGENT);
	oc_names_free(got.names);
}

static void test_oc_vectors_load_refuses_bad_values(void)
{
	struct oc_group group = { .len = 77 };
	char longest[OC_IDENT_MAX + 2];

	memset(longest, 'x', sizeof(longest));
	longest[OC_IDENT_MAX + 1] = '\0';
	CU_ASSERT_EQUAL(oc_encode_load(&group, NULL, OC_LOAD_HOST, 1), OC_EINVAL);
	CU_ASSERT_EQUAL(oc_encode_load(&group, "", OC_LOAD_HOST, 1), OC_EINVAL);
	CU_ASSERT_EQUAL(oc_encode_load(&group, AGENT, OC_LOAD_HOST, OC_LOAD_IDLE + 1), OC_ERANGE);
	CU_ASSERT_EQUAL(oc_encode_load(&group, AGENT, OC_LOAD_TYPE_COUNT, 1), OC_ERANGE);
	CU_ASSERT_EQUAL(oc_encode_load(&group, longest, OC_LOAD_PEER, 1), OC_ERANGE);
	CU_ASSERT_EQUAL(group.len, 77);
	longest[OC_IDENT_MAX] = '\0';
	CU_ASSERT_EQUAL(oc_encode_load(&group, longest, OC_LOAD_PEER, OC_LOAD_IDLE), OC_OK);
	CU_ASSERT_EQUAL(group.len, 12 + 16 + 264);
}

void test_oc_vectors_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_vectors", NULL, NULL);
	CU_add_test(suite, "R-2 rate_is_announced_by_a_bit", test_oc_vectors_rate_is_announced_by_a_bit);
	CU_add_test(suite, "R-2 rate_features_decode", test_oc_vectors_rate_features_decode);
	CU_add_test(suite, "R-1 R-19 rate_reports_encode", test_oc_vectors_rate_reports_encode);
	CU_add_test(suite, "R-1 R-22 rate_reports_decode", test_oc_vectors_rate_reports_decode);
	CU_add_test(suite, "R-22 no_vendor_in_any_header", test_oc_vectors_no_vendor_in_any_header);
	CU_add_test(suite, "L-4 L-8 load_encodes", test_oc_vectors_load_encodes);
	CU_add_test(suite, "L-4 L-8 load_decodes", test_oc_vectors_load_decodes);
	CU_add_test(suite, "L-20 load_refuses_bad_values", test_oc_vectors_load_refuses_bad_values);
}
