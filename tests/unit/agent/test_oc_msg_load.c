/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the scanner on Load: which reports an answer holds, as received, defects marked.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/oc_err.h"
#include "help_wire_scan.h"

#define WHOLE (OC_LOAD_HAS_TYPE | OC_LOAD_HAS_VALUE | OC_LOAD_HAS_SOURCE)
#define HOST "s1.example.net"
#define PEER "agent2.example.net"

void test_oc_msg_load_suite(void);

/* An answer that carries @inner, a run of whole AVPs. */
static void scan_answer(struct help_scan *got, const struct help_wire *inner)
{
	struct help_wire wire;

	help_wire_begin(&wire, OC_FLAG_PROXIABLE, OC_APP_GX);
	help_wire_u32(&wire, OC_AVP_RESULT_CODE, 2001);
	memcpy(wire.data + wire.len, inner->data, inner->len);
	wire.len += inner->len;
	help_wire_text(&wire, OC_AVP_ORIGIN_REALM, "example.net");
	help_wire_end(&wire);
	help_scan(got, &wire);
	CU_ASSERT_EQUAL(got->err, OC_OK);
	CU_ASSERT_EQUAL(got->msg.result_code, 2001);
	CU_ASSERT_STRING_EQUAL(help_scan_text(got, got->msg.origin_realm), "example.net");
}

static bool is_load(const struct help_scan *got, unsigned at, uint32_t type, uint64_t value,
		    const char *source)
{
	const struct oc_load_avp *load = &got->msg.load[at];

	return load->has == WHOLE && load->type == type && load->value == value &&
	       strcmp(help_scan_text(got, load->source), source) == 0;
}

static void test_oc_msg_load_four_ways(void)
{
	for (unsigned way = 0; way < 4; way++) {
		struct help_wire inner = { .len = 0 };
		struct help_scan got;
		unsigned at = 0;
		if ((way & 1) != 0)
			help_wire_load(&inner, OC_LOAD_HOST, 40000, HOST);
		if ((way & 2) != 0)
			help_wire_load(&inner, OC_LOAD_PEER, 0, PEER);
		scan_answer(&got, &inner);
		CU_ASSERT_EQUAL(got.msg.load_count, (way & 1) + (way >> 1));
		CU_ASSERT_EQUAL(got.msg.load_avps, got.msg.load_count);
		if ((way & 1) != 0)
			CU_ASSERT_TRUE(is_load(&got, at++, OC_LOAD_HOST, 40000, HOST));
		if ((way & 2) != 0)
			CU_ASSERT_TRUE(is_load(&got, at++, OC_LOAD_PEER, 0, PEER));
		CU_ASSERT_EQUAL(got.msg.doic_avps, 0);
		CU_ASSERT_EQUAL(got.msg.raw_len, 0);
		oc_names_free(got.names);
	}
}

static void test_oc_msg_load_of_a_request_is_not_read(void)
{
	struct help_wire wire;
	struct help_scan got;

	help_wire_begin(&wire, OC_FLAG_REQUEST, OC_APP_GX);
	help_wire_load(&wire, OC_LOAD_PEER, 65535, "evil.example.net");
	help_wire_end(&wire);
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.err, OC_OK);
	CU_ASSERT_EQUAL(got.msg.load_count, 0);
	CU_ASSERT_EQUAL(got.msg.load_avps, 1);
	CU_ASSERT_EQUAL(got.found.count, 0);
	oc_names_free(got.names);
}

/* Made by hand, and read by tshark 4.0 as: Load-Type PEER (1), Load-Value 32768, SourceID a2.example.net; M is set. */
static void test_oc_msg_load_by_hand(void)
{
	struct help_wire inner = { .len = 0 };
	struct help_scan got;

	help_wire_hex(&inner, "0000028a4000003c"				   /* 650, M */
			      "0000028b4000000c00000001"			   /* 651 PEER */
			      "0000028c400000100000000000008000"		   /* 652, Unsigned64 */
			      "000002894000001661322e6578616d706c652e6e65740000"); /* 649 a2.example.net */
	scan_answer(&got, &inner);
	CU_ASSERT_EQUAL(got.msg.load_count, 1);
	CU_ASSERT_TRUE(is_load(&got, 0, OC_LOAD_PEER, 32768, "a2.example.net"));
	oc_names_free(got.names);
}

static void test_oc_msg_load_is_kept_as_received(void)
{
	static const uint64_t values[] = { 0, 65535, 65536, UINT64_MAX - 1 };

	for (unsigned i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		struct help_wire inner = { .len = 0 };
		struct help_scan got;
		help_wire_load(&inner, 7, values[i], HOST);
		scan_answer(&got, &inner);
		CU_ASSERT_TRUE(is_load(&got, 0, 7, values[i], HOST));
		oc_names_free(got.names);
	}
}

static void test_oc_msg_load_absence_is_a_flag(void)
{
	struct help_wire inner = { .len = 0 };
	struct help_scan got;

	help_wire_load(&inner, HELP_ABSENT, HELP_ABSENT, NULL);
	help_wire_load(&inner, OC_LOAD_HOST, HELP_ABSENT, HOST);
	help_wire_load(&inner, OC_LOAD_PEER, 5, NULL);
	scan_answer(&got, &inner);
	CU_ASSERT_EQUAL(got.msg.load_count, 3);
	CU_ASSERT_EQUAL(got.msg.load[0].has, 0);
	CU_ASSERT_EQUAL(got.msg.load[1].has, OC_LOAD_HAS_TYPE | OC_LOAD_HAS_SOURCE);
	CU_ASSERT_EQUAL(got.msg.load[2].has, OC_LOAD_HAS_TYPE | OC_LOAD_HAS_VALUE);
	oc_names_free(got.names);
}

static void test_oc_msg_load_unknown_child_is_passed_over(void)
{
	struct help_wire parts = { .len = 0 };
	struct help_wire inner = { .len = 0 };
	struct help_scan got;

	help_wire_avp(&parts, 99999, "abc", 3);
	help_wire_u64(&parts, OC_AVP_LOAD_VALUE, 9);
	help_wire_vendor_avp(&parts, OC_AVP_LOAD_TYPE, "\0\0\0\1", 4); /* another AVP of that number */
	help_wire_text(&parts, OC_AVP_SOURCE_ID, HOST);
	help_wire_u32(&parts, OC_AVP_LOAD_TYPE, OC_LOAD_HOST);
	help_wire_u64(&parts, OC_AVP_LOAD_VALUE, 10); /* the first counts */
	help_wire_group(&inner, OC_AVP_LOAD, &parts);
	scan_answer(&got, &inner);
	CU_ASSERT_TRUE(is_load(&got, 0, OC_LOAD_HOST, 9, HOST));
	oc_names_free(got.names);
}

static void test_oc_msg_load_takes_nothing_of_3gpp(void)
{
	struct help_wire inner = { .len = 0 };
	struct help_scan got;

	help_wire_u32_of(&inner, OC_VENDOR_3GPP, 650, 0); /* Session-Priority */
	help_wire_avp_of(&inner, OC_VENDOR_3GPP, 651, NULL, 0);
	help_wire_u32_of(&inner, OC_VENDOR_3GPP, 652, 1);
	help_wire_u32_of(&inner, OC_VENDOR_ETSI, 650, 0);
	scan_answer(&got, &inner);
	CU_ASSERT_EQUAL(got.msg.load_avps, 0);
	CU_ASSERT_EQUAL(got.msg.load_count, 0);
	oc_names_free(got.names);
}

static uint8_t has_of(const struct help_wire *parts)
{
	struct help_wire inner = { .len = 0 };
	struct help_scan got;

	help_wire_group(&inner, OC_AVP_LOAD, parts);
	help_wire_load(&inner, OC_LOAD_HOST, 1, HOST); /* the next one must stand */
	scan_answer(&got, &inner);
	CU_ASSERT_EQUAL(got.msg.load_count, 2);
	CU_ASSERT_TRUE(is_load(&got, 1, OC_LOAD_HOST, 1, HOST));
	oc_names_free(got.names);
	return got.msg.load[0].has;
}

static void test_oc_msg_load_defects_mark_the_group_only(void)
{
	struct help_wire parts = { .len = 0 };

	help_wire_u32(&parts, OC_AVP_LOAD_VALUE, 9); /* Unsigned64 of four octets */
	help_wire_u32(&parts, OC_AVP_LOAD_TYPE, 1);
	CU_ASSERT_EQUAL(has_of(&parts), OC_LOAD_HAS_TYPE | OC_LOAD_MALFORMED);
	parts.len = 0;
	help_wire_text(&parts, OC_AVP_SOURCE_ID, "not a name");
	CU_ASSERT_EQUAL(has_of(&parts), OC_LOAD_MALFORMED);
	parts.len = 0;
	help_wire_u64(&parts, OC_AVP_LOAD_VALUE, 9);
	help_wire_u32(&parts, OC_AVP_LOAD_TYPE, 1);
	parts.data[16 + 7] = 13; /* ends beyond the group */
	CU_ASSERT_EQUAL(has_of(&parts), OC_LOAD_HAS_VALUE | OC_LOAD_MALFORMED);
	parts.len = 3;
	CU_ASSERT_EQUAL(has_of(&parts), OC_LOAD_MALFORMED);
}

static void test_oc_msg_load_counts_beyond_the_table(void)
{
	struct help_wire inner = { .len = 0 };
	struct help_scan got;

	for (unsigned i = 0; i < OC_MSG_LOAD_MAX + 3; i++) {
		char name[] = "s0.example.net";
		name[1] = (char)('0' + i);
		help_wire_load(&inner, OC_LOAD_HOST, i, name);
	}
	scan_answer(&got, &inner);
	CU_ASSERT_EQUAL(got.msg.load_count, OC_MSG_LOAD_MAX);
	CU_ASSERT_EQUAL(got.msg.load_avps, OC_MSG_LOAD_MAX + 3);
	CU_ASSERT_EQUAL(got.msg.load[OC_MSG_LOAD_MAX - 1].value, OC_MSG_LOAD_MAX - 1);
	CU_ASSERT_EQUAL(got.found.count, OC_MSG_LOAD_MAX + 1); /* and the realm */
	oc_names_free(got.names);
}

/* As many different names as one message can bring. */
static void test_oc_msg_load_all_new_names_are_told(void)
{
	struct help_wire wire;
	struct help_wire caps = { .len = 0 };
	struct help_scan got;

	help_wire_begin(&wire, 0, OC_APP_GX);
	help_wire_text(&wire, OC_AVP_ORIGIN_HOST, "a.example.net");
	help_wire_text(&wire, OC_AVP_ORIGIN_REALM, "b.example.net");
	help_wire_text(&wire, OC_AVP_DESTINATION_HOST, "c.example.net");
	help_wire_text(&wire, OC_AVP_DESTINATION_REALM, "d.example.net");
	help_wire_text(&wire, OC_AVP_ORIGIN_HOST, "e.example.net"); /* comes again, brings nothing */
	help_wire_text(&caps, OC_AVP_SOURCE_ID, "caps.example.net");
	help_wire_group(&wire, OC_AVP_SUPPORTED_FEATURES, &caps);
	for (unsigned i = 0; i < OC_MSG_OLR_MAX + 2; i++) {
		struct help_wire olr = { .len = 0 };
		char source[] = "olr0.example.net";
		source[3] = (char)('0' + i);
		help_wire_text(&olr, OC_AVP_SOURCE_ID, source);
		help_wire_text(&olr, OC_AVP_SOURCE_ID, "again.example.net");
		help_wire_group(&wire, OC_AVP_OLR, &olr);
		source[0] = 'l';
		help_wire_load(&wire, OC_LOAD_PEER, 1, source);
	}
	help_wire_end(&wire);
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.err, OC_OK);
	CU_ASSERT_EQUAL(got.found.count, 4 + 1 + OC_MSG_OLR_MAX + OC_MSG_LOAD_MAX);
	oc_names_free(got.names);
}

static void test_oc_msg_load_counter_stops_at_its_end(void)
{
	struct help_wire wire;
	struct help_scan got;

	help_wire_begin(&wire, 0, OC_APP_GX);
	for (unsigned i = 0; i < 400; i++)
		help_wire_avp(&wire, OC_AVP_LOAD, NULL, 0);
	help_wire_end(&wire);
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.msg.load_avps, 255);
	CU_ASSERT_EQUAL(got.msg.load_count, OC_MSG_LOAD_MAX);
	oc_names_free(got.names);
}

void test_oc_msg_load_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_msg_load", NULL, NULL);
	CU_add_test(suite, "L-10 L-1 four_ways", test_oc_msg_load_four_ways);
	CU_add_test(suite, "L-2 of_a_request_is_not_read", test_oc_msg_load_of_a_request_is_not_read);
	CU_add_test(suite, "L-20 by_hand_with_m", test_oc_msg_load_by_hand);
	CU_add_test(suite, "L-20 kept_as_received", test_oc_msg_load_is_kept_as_received);
	CU_add_test(suite, "L-10 absence_is_a_flag", test_oc_msg_load_absence_is_a_flag);
	CU_add_test(suite, "L-21 unknown_child_is_passed_over",
		    test_oc_msg_load_unknown_child_is_passed_over);
	CU_add_test(suite, "L-2 C-11 takes_nothing_of_3gpp", test_oc_msg_load_takes_nothing_of_3gpp);
	CU_add_test(suite, "L-21 defects_mark_the_group_only", test_oc_msg_load_defects_mark_the_group_only);
	CU_add_test(suite, "L-10 counts_beyond_the_table", test_oc_msg_load_counts_beyond_the_table);
	CU_add_test(suite, "all_new_names_are_told", test_oc_msg_load_all_new_names_are_told);
	CU_add_test(suite, "counter_stops_at_its_end", test_oc_msg_load_counter_stops_at_its_end);
}
