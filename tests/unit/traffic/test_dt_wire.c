/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the traffic tool's own codec, against vectors of the specification.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "dt_answer.h"
#include "dt_wire.h"

void test_dt_wire_suite(void);

static bool is_hex(const uint8_t *data, size_t len, const char *hex)
{
	uint8_t wanted[256];
	size_t wanted_len;
	return dt_hex_decode(hex, wanted, sizeof(wanted), &wanted_len) == OC_OK && wanted_len == len &&
	       memcmp(data, wanted, len) == 0;
}

static void test_dt_wire_writes_supported_features_like_the_vector(void)
{
	uint8_t buffer[64];
	struct dt_out out;

	dt_out_init(&out, buffer, sizeof(buffer));
	dt_put_features(&out, 1, NULL, 0);
	CU_ASSERT(is_hex(out.data, out.len, "0000026d000000180000026e000000100000000000000001"));
	dt_out_init(&out, buffer, sizeof(buffer));
	dt_put_features(&out, 0, NULL, 0);
	CU_ASSERT(is_hex(out.data, out.len, "0000026d00000008"));
}

static void test_dt_wire_pads_with_zero_and_sets_v_and_m(void)
{
	uint8_t buffer[64];
	struct dt_out out;

	memset(buffer, 0xee, sizeof(buffer));
	dt_out_init(&out, buffer, sizeof(buffer));
	dt_put_text(&out, 1, 0, "abcde");
	dt_put_text(&out, 18 | DT_OPTIONAL, 10415, "x");
	CU_ASSERT(is_hex(out.data, out.len,
			 "000000014000000d6162636465000000"
			 "000000128000000d000028af78000000"));
}

static void test_dt_wire_reads_back_what_it_wrote(void)
{
	uint8_t buffer[256];
	struct dt_out out;
	struct dt_iter it, inside;
	struct dt_avp avp;

	dt_out_init(&out, buffer, sizeof(buffer));
	dt_msg_begin(&out, OC_FLAG_REQUEST, 272, 4);
	dt_put_text(&out, 263, 0, "sid");
	size_t group = dt_group_begin(&out, 443, 0);
	dt_put_u64(&out, 421, 0, 0x0102030405060708u);
	dt_put_u32(&out, 416, 0, 7);
	dt_group_end(&out, group);
	dt_msg_end(&out);
	CU_ASSERT_EQUAL(dt_msg_length(buffer), out.len);
	CU_ASSERT_EQUAL(dt_msg_command(buffer), 272);
	CU_ASSERT_EQUAL(dt_msg_app(buffer), 4);
	dt_iter_msg(&it, buffer, out.len);
	CU_ASSERT_EQUAL(dt_avp_next(&it, &avp), 1);
	CU_ASSERT(avp.code == 263 && avp.len == 3 && memcmp(avp.data, "sid", 3) == 0);
	CU_ASSERT_EQUAL(dt_avp_next(&it, &avp), 1);
	dt_iter_avps(&inside, avp.data, avp.len);
	CU_ASSERT_EQUAL(dt_avp_find(inside, 416, 0, &avp), OC_OK);
	CU_ASSERT_EQUAL(dt_get_u32(avp.data), 7);
	CU_ASSERT_EQUAL(dt_avp_find(inside, 416, 10415, &avp), OC_ENOENT);
	CU_ASSERT_EQUAL(dt_avp_next(&it, &avp), 0);
}

static void test_dt_wire_remembers_overflow_and_writes_nothing_beyond(void)
{
	uint8_t buffer[24];
	struct dt_out out;

	memset(buffer, 0xee, sizeof(buffer));
	dt_out_init(&out, buffer, 20);
	dt_put_text(&out, 1, 0, "abcd");
	CU_ASSERT_FALSE(out.overflow);
	dt_put_text(&out, 1, 0, "e");
	CU_ASSERT_TRUE(out.overflow);
	CU_ASSERT_EQUAL(out.len, 12);
	CU_ASSERT_EQUAL(buffer[20], 0xee);
}

static int walk(const char *hex)
{
	uint8_t data[64];
	size_t len;
	struct dt_iter it;
	struct dt_avp avp;
	int rc;

	CU_ASSERT_EQUAL_FATAL(dt_hex_decode(hex, data, sizeof(data), &len), OC_OK);
	dt_iter_avps(&it, data, len);
	while ((rc = dt_avp_next(&it, &avp)) == 1)
		;
	return rc;
}

static void test_dt_wire_refuses_lengths_that_do_not_fit(void)
{
	CU_ASSERT_EQUAL(walk(""), 0);
	CU_ASSERT_EQUAL(walk("0000000140000008"), 0);
	CU_ASSERT_EQUAL(walk("000000014000000961"), 0); /* last padding may be missing */
	CU_ASSERT_EQUAL(walk("00000001400000"), OC_EMALFORMED);
	CU_ASSERT_EQUAL(walk("0000000140000007"), OC_EMALFORMED);
	CU_ASSERT_EQUAL(walk("0000000140000009"), OC_EMALFORMED);
	CU_ASSERT_EQUAL(walk("00000001c0000008"), OC_EMALFORMED); /* V without room for Vendor-Id */
}

static void test_dt_wire_hex_is_exact(void)
{
	uint8_t data[4];
	size_t len = 99;
	CU_ASSERT(dt_hex_decode("00fFA9", data, sizeof(data), &len) == OC_OK && len == 3 && data[1] == 0xff);
	CU_ASSERT_EQUAL(dt_hex_decode("0", data, sizeof(data), &len), OC_EMALFORMED);
	CU_ASSERT_EQUAL(dt_hex_decode("0g", data, sizeof(data), &len), OC_EMALFORMED);
	CU_ASSERT_EQUAL(dt_hex_decode("0001020304", data, sizeof(data), &len), OC_ENOSPC);
}

static void test_dt_answer_echoes_and_orders_proxy_info(void)
{
	uint8_t request[512], answer[512];
	struct dt_identity me = { .host = "s1.example.net", .realm = "example.net" };
	const struct dt_octets raw = { .data = { 0xff }, .len = 1 };
	struct dt_answer spec = { .result = 3004, .with_sf = true, .vector = 1, .raw = &raw };
	struct dt_scan scan;
	struct dt_out out;

	dt_out_init(&out, request, sizeof(request));
	dt_msg_begin(&out, OC_FLAG_REQUEST | OC_FLAG_PROXIABLE | OC_FLAG_RETRANSMIT, 272, 4);
	dt_set_u32(request + 12, 77);
	dt_set_u32(request + 16, 88);
	dt_put_text(&out, 263, 0, "sid");
	dt_put_u32(&out, 416, 0, 2);
	dt_put_text(&out, DT_AVP_PROXY_INFO, 0, "one");
	dt_put_text(&out, DT_AVP_PROXY_INFO, 0, "two");
	dt_msg_end(&out);
	dt_scan_msg(&scan, request, out.len);
	dt_out_init(&out, answer, sizeof(answer));
	dt_answer_put(&out, &me, request, &scan, &spec);
	CU_ASSERT_EQUAL(answer[4], OC_FLAG_PROXIABLE | OC_FLAG_ERROR);
	CU_ASSERT(dt_msg_hop(answer) == 77 && dt_msg_end_to_end(answer) == 88);
	CU_ASSERT_EQUAL(dt_scan_msg(&scan, answer, out.len), OC_EMALFORMED); /* the raw octet is at the end */
	CU_ASSERT(scan.session.len == 3 && scan.result == 3004 && scan.sf.code &&
		  dt_get_u32(scan.cc_type.data) == 2);
	CU_ASSERT(scan.proxies == 2 && memcmp(scan.proxy[0].data, "one", 3) == 0 &&
		  memcmp(scan.proxy[1].data, "two", 3) == 0);
}

void test_dt_wire_suite(void)
{
	CU_pSuite suite = CU_add_suite("dt_wire", NULL, NULL);
	CU_add_test(suite, "supported_features_vector",
		    test_dt_wire_writes_supported_features_like_the_vector);
	CU_add_test(suite, "padding_and_flags", test_dt_wire_pads_with_zero_and_sets_v_and_m);
	CU_add_test(suite, "reads_back", test_dt_wire_reads_back_what_it_wrote);
	CU_add_test(suite, "overflow", test_dt_wire_remembers_overflow_and_writes_nothing_beyond);
	CU_add_test(suite, "bad_lengths", test_dt_wire_refuses_lengths_that_do_not_fit);
	CU_add_test(suite, "hex", test_dt_wire_hex_is_exact);
	CU_add_test(suite, "answer_echoes", test_dt_answer_echoes_and_orders_proxy_info);
}
