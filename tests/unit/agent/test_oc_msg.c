/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the scanner on messages that are as they should be: every value, the byte vectors, the limits.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/oc_err.h"
#include "help_wire_scan.h"

#define TV(n) (1u << ((n)-1)) /* for help_wire_cca() */

void test_oc_msg_suite(void);

static void test_oc_msg_reads_a_request(void)
{
	struct help_wire wire;
	struct help_scan got;

	help_wire_ccr(&wire);
	CU_ASSERT_EQUAL(wire.len, 412);
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.err, OC_OK);
	CU_ASSERT_TRUE(oc_msg_is_request(&got.msg));
	CU_ASSERT_EQUAL(got.msg.flags, OC_FLAG_REQUEST | OC_FLAG_PROXIABLE);
	CU_ASSERT_EQUAL(got.msg.length, wire.len);
	CU_ASSERT_EQUAL(got.msg.command, 272);
	CU_ASSERT_EQUAL(got.msg.end_to_end, 0x55667788u);
	CU_ASSERT_NOT_EQUAL(got.msg.session_hash, 0);
	CU_ASSERT_STRING_EQUAL(help_scan_text(&got, got.msg.origin_host), "client1.example.net");
	CU_ASSERT_STRING_EQUAL(help_scan_text(&got, got.msg.origin_realm), "example.net");
	CU_ASSERT_STRING_EQUAL(help_scan_text(&got, got.msg.dest_realm), "example.net");
	CU_ASSERT_STRING_EQUAL(help_scan_text(&got, got.msg.dest_host), "s1.example.net");
	CU_ASSERT_EQUAL(got.msg.cc_request_type, 2);
	CU_ASSERT_EQUAL(got.msg.drmp, OC_DRMP_NONE);
	CU_ASSERT_EQUAL(got.msg.result_code, 0);
	CU_ASSERT_EQUAL(got.msg.caps.has, OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR);
	CU_ASSERT_EQUAL(got.msg.caps.vector, OC_FV_LOSS);
	CU_ASSERT_EQUAL(got.msg.doic_avps, 1);
	CU_ASSERT_EQUAL(got.found.count, 3);
	oc_names_free(got.names);
}

static void test_oc_msg_new_names_are_told_once(void)
{
	struct help_wire wire;
	struct help_scan got;
	struct oc_msg again = { 0 };

	help_wire_cca(&wire, TV(4) | TV(8));
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.found.count, 3);
	for (uint32_t i = 0; i < got.found.count; i++)
		CU_ASSERT_EQUAL(got.found.id[i], i + 2);
	CU_ASSERT_EQUAL(got.msg.caps.source, got.msg.olr[0].source);
	oc_msg_scan(help_wire_bytes(&wire), got.names, &help_key, &again, &got.found);
	CU_ASSERT_EQUAL(got.found.count, 0);
	CU_ASSERT_EQUAL(memcmp(&again, &got.msg, sizeof(again)), 0);
	CU_ASSERT_EQUAL(oc_msg_scan(help_wire_bytes(&wire), got.names, &help_key, &again, NULL), OC_OK);
	oc_names_free(got.names);
}

static void test_oc_msg_session_hash_depends_on_key_and_octets(void)
{
	struct help_wire wire;
	struct help_scan got;
	static const struct oc_keyed_key other_key = { { 1 } };
	struct oc_msg other = { 0 };

	help_wire_ccr(&wire);
	help_scan(&got, &wire);
	oc_msg_scan(help_wire_bytes(&wire), got.names, &other_key, &other, NULL);
	CU_ASSERT_NOT_EQUAL(other.session_hash, 0);
	CU_ASSERT_NOT_EQUAL(other.session_hash, got.msg.session_hash);
	wire.data[28] ^= 0x20; /* Session-Id is compared octet by octet, unlike names */
	memset(&other, 0, sizeof(other));
	oc_msg_scan(help_wire_bytes(&wire), got.names, &help_key, &other, NULL);
	CU_ASSERT_NOT_EQUAL(other.session_hash, got.msg.session_hash);
	oc_names_free(got.names);
}

static void test_oc_msg_application_is_that_of_the_header(void)
{
	struct help_wire wire;
	struct help_scan got;

	help_wire_begin(&wire, 0, 16777251);
	help_wire_u32(&wire, 258, 4); /* Auth-Application-Id says something else */
	help_wire_end(&wire);
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.msg.app_id, 16777251);
	oc_names_free(got.names);
}

static void test_oc_msg_first_of_each_counts(void)
{
	struct help_wire wire;
	struct help_scan got;

	help_wire_begin(&wire, OC_FLAG_REQUEST, 4);
	help_wire_text(&wire, OC_AVP_ORIGIN_HOST, "first.example.net");
	help_wire_text(&wire, OC_AVP_ORIGIN_HOST, "second.example.net");
	help_wire_text(&wire, OC_AVP_DESTINATION_HOST, "");
	help_wire_text(&wire, OC_AVP_DESTINATION_HOST, "late.example.net");
	help_wire_u32(&wire, OC_AVP_RESULT_CODE, 3004);
	help_wire_u32(&wire, OC_AVP_RESULT_CODE, 2001);
	help_wire_u32(&wire, OC_AVP_DRMP, 3);
	help_wire_u32(&wire, OC_AVP_DRMP, 4);
	help_wire_end(&wire);
	help_scan(&got, &wire);
	CU_ASSERT_STRING_EQUAL(help_scan_text(&got, got.msg.origin_host), "first.example.net");
	CU_ASSERT_EQUAL(got.msg.dest_host, OC_NAME_NONE);
	CU_ASSERT_EQUAL(got.msg.result_code, 3004);
	CU_ASSERT_EQUAL(got.msg.drmp, 3);
	oc_names_free(got.names);
}

static void test_oc_msg_small_numbers_have_ranges(void)
{
	struct help_wire wire;
	struct help_scan got;

	help_wire_begin(&wire, OC_FLAG_REQUEST, 4);
	help_wire_u32(&wire, OC_AVP_DRMP, 16);
	help_wire_u32(&wire, OC_AVP_CC_REQUEST_TYPE, 5);
	help_wire_avp(&wire, OC_AVP_RESULT_CODE, "\0\0\7", 3);
	help_wire_end(&wire);
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.err, OC_OK);
	CU_ASSERT_EQUAL(got.msg.drmp, OC_DRMP_NONE);
	CU_ASSERT_EQUAL(got.msg.cc_request_type, 0);
	CU_ASSERT_EQUAL(got.msg.result_code, 0);
	oc_names_free(got.names);
}

/* An answer with Experimental-Result 5030 and, unless 0, @result_code after it. */
static uint32_t result_with_experimental(uint32_t result_code)
{
	struct help_wire wire;
	struct help_wire inner = { .len = 0 };
	struct help_scan got;

	help_wire_u32(&inner, 266, 10415);
	help_wire_vendor_avp(&inner, OC_AVP_EXPERIMENTAL_RESULT_CODE, "\0\0\0\1", 4);
	help_wire_u32(&inner, OC_AVP_EXPERIMENTAL_RESULT_CODE, 5030);
	help_wire_begin(&wire, 0, 4);
	help_wire_group(&wire, OC_AVP_EXPERIMENTAL_RESULT, &inner);
	if (result_code != 0)
		help_wire_u32(&wire, OC_AVP_RESULT_CODE, result_code);
	help_wire_end(&wire);
	help_scan(&got, &wire);
	oc_names_free(got.names);
	return got.msg.result_code;
}

static void test_oc_msg_result_code_wins_over_experimental(void)
{
	CU_ASSERT_EQUAL(result_with_experimental(0), 5030);
	CU_ASSERT_EQUAL(result_with_experimental(2001), 2001);
}

static void test_oc_msg_decodes_features_tv1_to_tv4(void)
{
	static const struct oc_caps want[] = {
		{ .has = OC_CAPS_PRESENT },
		{ .has = OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR, .vector = 0x1 },
		{ .has = OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR | OC_CAPS_HAS_SOURCE, .vector = 0x11 },
		{ .has = OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR | OC_CAPS_HAS_SOURCE | OC_CAPS_HAS_PEER_ALGO,
		  .vector = 0x11,
		  .peer_algo = 0x1 },
	};

	for (unsigned i = 0; i < 4; i++) {
		struct help_wire wire;
		struct help_wire tv = { .len = 0 };
		struct help_scan got;
		help_wire_cca(&wire, TV(1 + i));
		help_wire_hex(&tv, help_wire_tv[i]);
		help_scan(&got, &wire);
		CU_ASSERT_EQUAL(got.err, OC_OK);
		CU_ASSERT_EQUAL(got.msg.caps.has, want[i].has);
		CU_ASSERT_EQUAL(got.msg.caps.vector, want[i].vector);
		CU_ASSERT_EQUAL(got.msg.caps.peer_algo, want[i].peer_algo);
		CU_ASSERT_STRING_EQUAL(help_scan_text(&got, got.msg.caps.source),
				       i < 2 ? "" : "agent1.example.net");
		CU_ASSERT_EQUAL_FATAL(got.msg.caps.raw_len, tv.len);
		CU_ASSERT_EQUAL(memcmp(got.msg.raw + got.msg.caps.raw_at, tv.data, tv.len), 0);
		oc_names_free(got.names);
	}
}

static void test_oc_msg_decodes_reports_tv5_to_tv8(void)
{
	const uint8_t plain = OC_OLR_HAS_SEQUENCE | OC_OLR_HAS_TYPE | OC_OLR_HAS_REDUCTION;
	const uint8_t timed = plain | OC_OLR_HAS_VALIDITY;
	const struct oc_olr want[] = {
		{ .has = timed, .sequence = 7, .type = 0, .reduction_pct = 25, .validity_s = 60 },
		{ .has = timed, .sequence = 8, .type = 0, .reduction_pct = 0, .validity_s = 0 },
		{ .has = plain, .sequence = 1, .type = 1, .reduction_pct = 100 },
		{ .has = timed | OC_OLR_HAS_SOURCE,
		  .sequence = 3,
		  .type = 2,
		  .reduction_pct = 10,
		  .validity_s = 120 },
	};

	for (unsigned i = 0; i < 4; i++) {
		struct help_wire wire;
		struct help_wire tv = { .len = 0 };
		struct help_scan got;
		help_wire_cca(&wire, TV(5 + i));
		help_wire_hex(&tv, help_wire_tv[4 + i]);
		help_scan(&got, &wire);
		const struct oc_olr *olr = &got.msg.olr[0];
		CU_ASSERT_EQUAL_FATAL(got.msg.olr_count, 1);
		CU_ASSERT_EQUAL(olr->has, want[i].has);
		CU_ASSERT_EQUAL(olr->sequence, want[i].sequence);
		CU_ASSERT_EQUAL(olr->type, want[i].type);
		CU_ASSERT_EQUAL(olr->reduction_pct, want[i].reduction_pct);
		CU_ASSERT_EQUAL(olr->validity_s, want[i].validity_s);
		CU_ASSERT_STRING_EQUAL(help_scan_text(&got, olr->source), i < 3 ? "" : "agent1.example.net");
		CU_ASSERT_EQUAL_FATAL(olr->raw_len, tv.len);
		CU_ASSERT_EQUAL(memcmp(got.msg.raw + olr->raw_at, tv.data, tv.len), 0);
		oc_names_free(got.names);
	}
}

static void test_oc_msg_reads_three_reports_of_one_answer(void)
{
	struct help_wire wire;
	struct help_scan got;

	help_wire_cca(&wire, TV(4) | TV(5) | TV(7) | TV(8));
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.err, OC_OK);
	CU_ASSERT_EQUAL_FATAL(got.msg.olr_count, 3);
	CU_ASSERT_EQUAL(got.msg.olr[0].type, OC_REPORT_HOST);
	CU_ASSERT_EQUAL(got.msg.olr[1].type, OC_REPORT_REALM);
	CU_ASSERT_EQUAL(got.msg.olr[2].type, OC_REPORT_PEER);
	CU_ASSERT_EQUAL(got.msg.olr_excess, 0);
	CU_ASSERT_EQUAL(got.msg.doic_avps, 4);
	CU_ASSERT_EQUAL(got.msg.raw_len, 0x44 + 0x3c + 0x30 + 0x58);
	oc_names_free(got.names);
}

static void test_oc_msg_counts_reports_beyond_the_table(void)
{
	struct help_wire wire;
	struct help_scan got;

	help_wire_begin(&wire, 0, 4);
	for (unsigned i = 0; i < OC_MSG_OLR_MAX + 2; i++)
		help_wire_hex(&wire, help_wire_tv[4]);
	help_wire_end(&wire);
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.err, OC_OK);
	CU_ASSERT_EQUAL(got.msg.olr_count, OC_MSG_OLR_MAX);
	CU_ASSERT_EQUAL(got.msg.olr_excess, 2);
	CU_ASSERT_EQUAL(got.msg.doic_avps, OC_MSG_OLR_MAX + 2);
	CU_ASSERT_EQUAL(got.msg.raw_len, OC_MSG_OLR_MAX * 0x3c);
	oc_names_free(got.names);
}

static void test_oc_msg_counters_stop_at_their_end(void)
{
	struct help_wire wire;
	struct help_scan got;

	help_wire_begin(&wire, 0, 4);
	for (unsigned i = 0; i < 400; i++)
		help_wire_avp(&wire, OC_AVP_OLR, NULL, 0);
	help_wire_end(&wire);
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.msg.olr_excess, 255);
	CU_ASSERT_EQUAL(got.msg.doic_avps, 255);
	oc_names_free(got.names);
}

static void test_oc_msg_keeps_what_fits_of_raw_octets(void)
{
	struct help_wire wire;
	struct help_wire inner = { .len = 0 };
	struct help_scan got;
	uint8_t filler[300];

	memset(filler, 0xaa, sizeof(filler));
	help_wire_u64(&inner, OC_AVP_SEQUENCE_NUMBER, 9);
	help_wire_avp(&inner, 99999, filler, sizeof(filler)); /* 332 octets with both headers and 624 */
	help_wire_begin(&wire, 0, 4);
	help_wire_group(&wire, OC_AVP_OLR, &inner);
	help_wire_group(&wire, OC_AVP_OLR, &inner);
	help_wire_group(&wire, OC_AVP_OLR, &inner);
	help_wire_end(&wire);
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.msg.raw_len, OC_MSG_RAW_MAX);
	CU_ASSERT_EQUAL(got.msg.olr[0].has, OC_OLR_HAS_SEQUENCE);
	CU_ASSERT_EQUAL(got.msg.olr[0].raw_len, 332);
	CU_ASSERT_EQUAL(got.msg.olr[1].has, OC_OLR_HAS_SEQUENCE | OC_OLR_RAW_CUT);
	CU_ASSERT_EQUAL(got.msg.olr[1].raw_len, OC_MSG_RAW_MAX - 332);
	CU_ASSERT_EQUAL(got.msg.olr[2].has, OC_OLR_HAS_SEQUENCE | OC_OLR_RAW_CUT);
	CU_ASSERT_EQUAL(got.msg.olr[2].raw_len, 0);
	CU_ASSERT_EQUAL(got.msg.olr[2].sequence, 9);
	oc_names_free(got.names);
}

/* Scans an answer with one OC-OLR of @len octets, header included; the flags it got. */
static uint8_t has_of_length(size_t len, uint16_t *raw_len)
{
	struct help_wire wire;
	struct help_wire inner = { .len = 0 };
	struct help_scan got;
	uint8_t filler[OC_MSG_RAW_MAX] = { 0 };

	help_wire_avp(&inner, 99999, filler, len - 16);
	inner.len = len - 8; /* the last padding may be missing */
	help_wire_begin(&wire, 0, 4);
	help_wire_group(&wire, OC_AVP_OLR, &inner);
	help_wire_end(&wire);
	help_scan(&got, &wire);
	oc_names_free(got.names);
	*raw_len = got.msg.olr[0].raw_len;
	return got.msg.olr[0].has;
}

static void test_oc_msg_raw_is_cut_at_the_very_octet(void)
{
	uint16_t raw_len = 0;

	CU_ASSERT_EQUAL(has_of_length(OC_MSG_RAW_MAX, &raw_len), 0);
	CU_ASSERT_EQUAL(raw_len, OC_MSG_RAW_MAX);
	for (size_t excess = 1; excess <= 4; excess++) {
		CU_ASSERT_EQUAL(has_of_length(OC_MSG_RAW_MAX + excess, &raw_len), OC_OLR_RAW_CUT);
		CU_ASSERT_EQUAL(raw_len, OC_MSG_RAW_MAX);
	}
}

static void test_oc_msg_caps_are_cut_too(void)
{
	struct help_wire wire;
	struct help_scan got;
	uint8_t filler[600] = { 0 };
	struct help_wire inner = { .len = 0 };

	help_wire_avp(&inner, 99999, filler, sizeof(filler));
	help_wire_u64(&inner, OC_AVP_FEATURE_VECTOR, 1);
	help_wire_begin(&wire, 0, 4);
	help_wire_group(&wire, OC_AVP_SUPPORTED_FEATURES, &inner);
	help_wire_end(&wire);
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.msg.caps.has, OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR | OC_CAPS_RAW_CUT);
	CU_ASSERT_EQUAL(got.msg.caps.raw_len, OC_MSG_RAW_MAX);
	oc_names_free(got.names);
}

static void test_oc_msg_first_features_count_when_repeated(void)
{
	struct help_wire wire;
	struct help_scan got;

	help_wire_cca(&wire, TV(2) | TV(4));
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.msg.caps.has, OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR | OC_CAPS_REPEATED);
	CU_ASSERT_EQUAL(got.msg.caps.vector, 1);
	CU_ASSERT_EQUAL(got.msg.raw_len, 0x18);
	CU_ASSERT_EQUAL(got.msg.doic_avps, 2);
	oc_names_free(got.names);
}

void test_oc_msg_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_msg", NULL, NULL);
	CU_add_test(suite, "reads_a_request", test_oc_msg_reads_a_request);
	CU_add_test(suite, "new_names_are_told_once", test_oc_msg_new_names_are_told_once);
	CU_add_test(suite, "session_hash_is_keyed", test_oc_msg_session_hash_depends_on_key_and_octets);
	CU_add_test(suite, "D-004 application_of_the_header", test_oc_msg_application_is_that_of_the_header);
	CU_add_test(suite, "first_of_each_counts", test_oc_msg_first_of_each_counts);
	CU_add_test(suite, "small_numbers_have_ranges", test_oc_msg_small_numbers_have_ranges);
	CU_add_test(suite, "result_code_wins", test_oc_msg_result_code_wins_over_experimental);
	CU_add_test(suite, "D-013 TV1..TV4 decode", test_oc_msg_decodes_features_tv1_to_tv4);
	CU_add_test(suite, "TV5..TV8 decode", test_oc_msg_decodes_reports_tv5_to_tv8);
	CU_add_test(suite, "three_reports", test_oc_msg_reads_three_reports_of_one_answer);
	CU_add_test(suite, "reports_beyond_the_table", test_oc_msg_counts_reports_beyond_the_table);
	CU_add_test(suite, "counters_stop_at_their_end", test_oc_msg_counters_stop_at_their_end);
	CU_add_test(suite, "raw_is_cut", test_oc_msg_keeps_what_fits_of_raw_octets);
	CU_add_test(suite, "raw_is_cut_at_the_very_octet", test_oc_msg_raw_is_cut_at_the_very_octet);
	CU_add_test(suite, "raw_of_features_is_cut", test_oc_msg_caps_are_cut_too);
	CU_add_test(suite, "repeated_features", test_oc_msg_first_features_count_when_repeated);
}
