/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the scanner on odd and broken messages: other vendors, any order, defects in and around groups.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/oc_err.h"
#include "help_wire_scan.h"

#define TV(n) (1u << ((n)-1)) /* for help_wire_cca() */

void test_oc_msg_odd_suite(void);

/* Scans an answer that carries one OC-OLR made of @inner. */
static void scan_olr(struct help_scan *got, const struct help_wire *inner)
{
	struct help_wire wire;

	help_wire_begin(&wire, 0, 4);
	help_wire_group(&wire, OC_AVP_OLR, inner);
	help_wire_u32(&wire, OC_AVP_RESULT_CODE, 2001);
	help_wire_end(&wire);
	help_scan(got, &wire);
}

static void test_oc_msg_odd_takes_no_avp_of_another_vendor(void)
{
	static const uint32_t codes[] = { 263, 264, 268, 283, 293, 296, 297, 301, 416, 621, 623 };
	struct help_wire wire;
	struct help_scan got;
	struct oc_msg want = { .drmp = OC_DRMP_NONE, .command = 272, .app_id = 4, .end_to_end = 0x55667788u };

	help_wire_begin(&wire, 0, 4);
	for (unsigned i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		help_wire_vendor_avp(&wire, codes[i], "\0\0\0\1", 4);
	help_wire_end(&wire);
	help_scan(&got, &wire);
	want.length = (uint32_t)wire.len;
	CU_ASSERT_EQUAL(got.err, OC_OK);
	CU_ASSERT_EQUAL(memcmp(&got.msg, &want, sizeof(want)), 0);
	oc_names_free(got.names);
}

static void test_oc_msg_odd_takes_no_sub_avp_of_another_vendor(void)
{
	struct help_wire inner = { .len = 0 };
	struct help_scan got;

	for (uint32_t code = 624; code <= 627; code++)
		help_wire_vendor_avp(&inner, code, "\0\0\0\0\0\0\0\1", code == 624 ? 8 : 4);
	help_wire_vendor_avp(&inner, OC_AVP_SOURCE_ID, "evil.example.net", 16);
	scan_olr(&got, &inner);
	CU_ASSERT_EQUAL(got.err, OC_OK);
	CU_ASSERT_EQUAL(got.msg.olr_count, 1);
	CU_ASSERT_EQUAL(got.msg.olr[0].has, 0);
	CU_ASSERT_EQUAL(got.found.count, 0);
	oc_names_free(got.names);
}

/* Sets the flags octet of the AVP at @offset of @wire. */
static void set_flags(struct help_wire *wire, size_t offset, uint8_t flags)
{
	wire->data[offset + 4] = flags;
}

static void test_oc_msg_odd_takes_any_order_unknown_ones_and_m(void)
{
	struct help_wire inner = { .len = 0 };
	struct help_scan got;

	help_wire_u32(&inner, OC_AVP_VALIDITY_DURATION, 60);
	set_flags(&inner, 0, 0x40);
	help_wire_avp(&inner, 99999, "abc", 3);
	help_wire_u32(&inner, OC_AVP_REDUCTION_PERCENTAGE, 25);
	help_wire_u32(&inner, OC_AVP_MAXIMUM_RATE, 500);
	help_wire_u32(&inner, OC_AVP_REPORT_TYPE, 1);
	size_t at = inner.len;
	help_wire_u64(&inner, OC_AVP_SEQUENCE_NUMBER, UINT64_MAX);
	set_flags(&inner, at, 0x60);
	scan_olr(&got, &inner);
	const struct oc_olr *olr = &got.msg.olr[0];
	CU_ASSERT_EQUAL(olr->has, OC_OLR_HAS_SEQUENCE | OC_OLR_HAS_TYPE | OC_OLR_HAS_REDUCTION |
					  OC_OLR_HAS_VALIDITY | OC_OLR_HAS_RATE);
	CU_ASSERT_EQUAL(olr->sequence, UINT64_MAX);
	CU_ASSERT_EQUAL(olr->rate_rps, 500);
	CU_ASSERT_EQUAL(olr->validity_s, 60);
	oc_names_free(got.names);
}

static void test_oc_msg_odd_absence_is_a_flag(void)
{
	struct help_wire wire;
	struct help_wire inner = { .len = 0 };
	struct help_scan got;

	help_wire_u64(&inner, OC_AVP_SEQUENCE_NUMBER, 5); /* no type: the next report must stand */
	help_wire_begin(&wire, 0, 4);
	help_wire_group(&wire, OC_AVP_OLR, &inner);
	help_wire_hex(&wire, help_wire_tv[6]);
	help_wire_end(&wire);
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.err, OC_OK);
	CU_ASSERT_EQUAL_FATAL(got.msg.olr_count, 2);
	CU_ASSERT_EQUAL(got.msg.olr[0].has, OC_OLR_HAS_SEQUENCE);
	CU_ASSERT_EQUAL(got.msg.olr[1].type, OC_REPORT_REALM);
	oc_names_free(got.names);
}

static void test_oc_msg_odd_received_vector_zero_is_kept_as_it_is(void)
{
	struct help_wire wire;
	struct help_wire inner = { .len = 0 };
	struct help_scan got;

	help_wire_u64(&inner, OC_AVP_FEATURE_VECTOR, 0);
	help_wire_begin(&wire, OC_FLAG_REQUEST, 4);
	help_wire_group(&wire, OC_AVP_SUPPORTED_FEATURES, &inner);
	help_wire_end(&wire);
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.msg.caps.has, OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR);
	CU_ASSERT_EQUAL(got.msg.caps.vector, 0);
	oc_names_free(got.names);
}

static void test_oc_msg_odd_wrong_length_spoils_the_group_only(void)
{
	struct help_wire inner = { .len = 0 };
	struct help_scan got;

	help_wire_u32(&inner, OC_AVP_REPORT_TYPE, 1);
	help_wire_u32(&inner, OC_AVP_SEQUENCE_NUMBER, 7); /* Unsigned64 of four octets */
	help_wire_u32(&inner, OC_AVP_VALIDITY_DURATION, 60);
	scan_olr(&got, &inner);
	CU_ASSERT_EQUAL(got.err, OC_OK);
	CU_ASSERT_EQUAL(got.msg.result_code, 2001);
	CU_ASSERT_EQUAL(got.msg.olr[0].has, OC_OLR_HAS_TYPE | OC_OLR_HAS_VALIDITY | OC_OLR_MALFORMED);
	oc_names_free(got.names);
}

static void test_oc_msg_odd_bad_inner_framing_spoils_the_group_only(void)
{
	struct help_wire inner = { .len = 0 };
	struct help_scan got;

	help_wire_u64(&inner, OC_AVP_SEQUENCE_NUMBER, 7);
	help_wire_u32(&inner, OC_AVP_REPORT_TYPE, 1);
	inner.data[16 + 7] = 200; /* longer than the group */
	scan_olr(&got, &inner);
	CU_ASSERT_EQUAL(got.err, OC_OK);
	CU_ASSERT_EQUAL(got.msg.result_code, 2001);
	CU_ASSERT_EQUAL(got.msg.olr[0].has, OC_OLR_HAS_SEQUENCE | OC_OLR_MALFORMED);
	CU_ASSERT_EQUAL(got.msg.olr[0].raw_len, 8 + inner.len);
	oc_names_free(got.names);
}

static void test_oc_msg_odd_bad_features_are_marked(void)
{
	struct help_wire wire;
	struct help_wire inner = { .len = 0 };
	struct help_scan got;

	help_wire_text(&inner, OC_AVP_SOURCE_ID, "not a name");
	help_wire_u64(&inner, OC_AVP_PEER_ALGO, 1);
	help_wire_begin(&wire, OC_FLAG_REQUEST, 4);
	help_wire_group(&wire, OC_AVP_SUPPORTED_FEATURES, &inner);
	help_wire_avp(&wire, OC_AVP_OLR, "abc", 3); /* a group of three octets */
	help_wire_end(&wire);
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.err, OC_OK);
	CU_ASSERT_EQUAL(got.msg.caps.has, OC_CAPS_PRESENT | OC_CAPS_HAS_PEER_ALGO | OC_CAPS_MALFORMED);
	CU_ASSERT_EQUAL(got.msg.olr[0].has, OC_OLR_MALFORMED);
	oc_names_free(got.names);
}

static void test_oc_msg_odd_broken_top_level_keeps_what_was_read(void)
{
	struct help_wire wire;
	struct help_scan got;

	help_wire_cca(&wire, TV(2));
	help_wire_u32(&wire, OC_AVP_DRMP, 3);
	wire.data[wire.len - 5] = 7; /* shorter than its own header */
	help_wire_end(&wire);
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.err, OC_EMALFORMED);
	CU_ASSERT_EQUAL(got.msg.result_code, 2001);
	CU_ASSERT_EQUAL(got.msg.caps.vector, 1);
	CU_ASSERT_EQUAL(got.msg.drmp, OC_DRMP_NONE);
	oc_names_free(got.names);
}

static void test_oc_msg_odd_vendor_avp_without_room_for_vendor_is_broken(void)
{
	struct help_wire wire;
	struct help_scan got;

	help_wire_begin(&wire, 0, 4);
	help_wire_avp(&wire, 1, NULL, 0);
	set_flags(&wire, 20, 0x80);
	help_wire_u32(&wire, OC_AVP_RESULT_CODE, 2001);
	help_wire_end(&wire);
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.err, OC_EMALFORMED);
	CU_ASSERT_EQUAL(got.msg.result_code, 0);
	oc_names_free(got.names);
}

static int scan_error(const struct help_wire *wire)
{
	struct help_scan got;

	help_scan(&got, wire);
	oc_names_free(got.names);
	return got.err;
}

static void test_oc_msg_odd_header_must_be_true(void)
{
	struct help_wire good;
	struct help_wire wire;

	help_wire_cca(&good, TV(2));
	wire = good;
	wire.data[0] = 2;
	CU_ASSERT_EQUAL(scan_error(&wire), OC_EMALFORMED);
	wire = good;
	wire.data[3] = 19;
	wire.data[2] = 0;
	CU_ASSERT_EQUAL(scan_error(&wire), OC_EMALFORMED);
	wire = good;
	wire.data[1] = 1;
	CU_ASSERT_EQUAL(scan_error(&wire), OC_EMALFORMED);
	wire = good;
	wire.len += 4;
	CU_ASSERT_EQUAL(scan_error(&wire), OC_EMALFORMED);
	CU_ASSERT_EQUAL(scan_error(&good), OC_OK);
}

static void test_oc_msg_odd_missing_last_padding_is_tolerated(void)
{
	struct help_wire wire;
	struct help_scan got;

	help_wire_begin(&wire, 0, 4);
	help_wire_text(&wire, OC_AVP_ORIGIN_HOST, "s1.example.nl"); /* 13 octets: 3 of padding */
	wire.len -= 3;
	help_wire_end(&wire);
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.err, OC_OK);
	CU_ASSERT_STRING_EQUAL(help_scan_text(&got, got.msg.origin_host), "s1.example.nl");
	oc_names_free(got.names);
}

static void test_oc_msg_odd_full_name_table_says_overflow(void)
{
	struct help_wire wire;
	struct oc_msg msg = { 0 };
	struct oc_msg_found fresh;
	struct oc_names *names = oc_names_new(2, 1);

	help_wire_cca(&wire, TV(8));
	CU_ASSERT_EQUAL(oc_msg_scan(help_wire_bytes(&wire), names, &help_key, &msg, &fresh), OC_OK);
	CU_ASSERT_EQUAL(msg.origin_host, OC_NAME_OVERFLOW);
	CU_ASSERT_EQUAL(msg.olr[0].source, OC_NAME_OVERFLOW);
	CU_ASSERT_TRUE((msg.olr[0].has & OC_OLR_HAS_SOURCE) != 0);
	CU_ASSERT_EQUAL(fresh.count, 0);
	oc_names_free(names);
}

void test_oc_msg_odd_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_msg_odd", NULL, NULL);
	CU_add_test(suite, "C-11 other_vendor_top_level", test_oc_msg_odd_takes_no_avp_of_another_vendor);
	CU_add_test(suite, "C-11 other_vendor_in_group", test_oc_msg_odd_takes_no_sub_avp_of_another_vendor);
	CU_add_test(suite, "D-263 D-264 any_order_unknown_and_m",
		    test_oc_msg_odd_takes_any_order_unknown_ones_and_m);
	CU_add_test(suite, "D-262 absence_is_a_flag", test_oc_msg_odd_absence_is_a_flag);
	CU_add_test(suite, "D-263 wrong_length", test_oc_msg_odd_wrong_length_spoils_the_group_only);
	CU_add_test(suite, "D-263 inner_framing", test_oc_msg_odd_bad_inner_framing_spoils_the_group_only);
	CU_add_test(suite, "D-263 bad_features", test_oc_msg_odd_bad_features_are_marked);
	CU_add_test(suite, "broken_top_level", test_oc_msg_odd_broken_top_level_keeps_what_was_read);
	CU_add_test(suite, "vendor_without_room",
		    test_oc_msg_odd_vendor_avp_without_room_for_vendor_is_broken);
	CU_add_test(suite, "header_must_be_true", test_oc_msg_odd_header_must_be_true);
	CU_add_test(suite, "missing_last_padding", test_oc_msg_odd_missing_last_padding_is_tolerated);
	CU_add_test(suite, "full_name_table", test_oc_msg_odd_full_name_table_says_overflow);
	CU_add_test(suite, "D-014 received_zero_kept", test_oc_msg_odd_received_vector_zero_is_kept_as_it_is);
}
