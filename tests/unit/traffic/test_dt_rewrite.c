/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of replaying: what is changed in a captured request, and that nothing else is.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "dt_scan.h"
#include "dt_source.h"
#include "help_pcap.h"

void test_dt_rewrite_suite(void);

static const struct dt_rewrite plain = { .session_host = "c1.example.net", .session_high = 5 };

/* The message as sent for @subscriber, in @buffer. */
static size_t emit(const struct dt_cap_msg *msg, const struct dt_rewrite *how, uint64_t subscriber,
		   uint8_t *buffer)
{
	struct dt_tmpl tmpl;
	const struct dt_fill fill = {
		.hop = 0x11223344, .end_to_end = 0x55667788, .session = 42, .subscriber = subscriber
	};

	CU_ASSERT_EQUAL_FATAL(dt_rewrite_msg(msg, how, &tmpl), OC_OK);
	dt_tmpl_emit(&tmpl, buffer, &fill);
	size_t len = tmpl.len;
	dt_tmpl_fini(&tmpl);
	return len;
}

static void next(struct dt_iter *it, struct dt_avp *avp)
{
	CU_ASSERT_EQUAL_FATAL(dt_avp_next(it, avp), 1);
}

/* Every AVP but the first Session-Id is the same octets in the same order. */
static void check_only_session_differs(const struct dt_cap_msg *msg)
{
	uint8_t sent[DT_MSG_MAX];
	struct dt_iter before, after;
	struct dt_avp old, new;
	size_t len = emit(msg, &plain, 0, sent);
	int rc;

	CU_ASSERT_EQUAL(dt_msg_length(sent), len);
	CU_ASSERT(memcmp(sent + 4, msg->data + 4, 8) == 0); /* flags, command, application */
	dt_iter_msg(&before, msg->data, msg->len);
	dt_iter_msg(&after, sent, len);
	while ((rc = dt_avp_next(&before, &old)) == 1) {
		if (old.code == OC_AVP_ROUTE_RECORD && old.vendor == 0)
			continue;
		next(&after, &new);
		if (old.code == OC_AVP_SESSION_ID && old.vendor == 0) {
			CU_ASSERT(memcmp(new.data, "c1.example.net;0000000005;0000000042;dt", new.len) == 0);
			continue;
		}
		CU_ASSERT(old.whole_len == new.whole_len &&memcmp(old.whole, new.whole, old.whole_len) == 0);
	}
	CU_ASSERT_EQUAL(rc, 0);
	CU_ASSERT_EQUAL(dt_avp_next(&after, &new), 0);
}

static void test_dt_rewrite_keeps_all_octets_but_the_session_id(void)
{
	const char *names[] = { "magma_gx_gy_combined_04_210505_133027-1.pcapng", "o5gs_testattach.pcapng",
				"o5gs_ipsec_reg.pcapng", "o5gs_nonipsec_to_ipsec_call.pcapng",
				"ndpi_diameter.pcap" };
	uint8_t made[512];
	struct dt_cap_msg one = { made, (uint32_t)help_request(made, sizeof(made), "some;session", 101) };

	made[one.len - 1] = 0xaa; /* padding that is not zero stays as it is */
	check_only_session_differs(&one);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct dt_capture read = { 0 };
		char path[512], why[256];
		if (!help_capture_path(path, sizeof(path), names[i]))
			continue;
		CU_ASSERT_EQUAL_FATAL(dt_capture_load(&read, path, why, sizeof(why)), OC_OK);
		for (uint32_t j = 0; j < read.count; j++)
			check_only_session_differs(&read.msg[j]);
		dt_capture_fini(&read);
	}
}

static void put_subscriber(struct dt_out *out)
{
	dt_msg_begin(out, OC_FLAG_REQUEST, DT_CMD_CC, 4);
	dt_put_text(out, OC_AVP_SESSION_ID, 0, "x");
	dt_put_text(out, OC_AVP_ORIGIN_HOST, 0, "old.example.org");
	dt_put_text(out, OC_AVP_ORIGIN_REALM, 0, "example.org");
	dt_put_text(out, OC_AVP_DESTINATION_HOST, 0, "s9.example.org");
	dt_put_text(out, OC_AVP_DESTINATION_REALM, 0, "example.org");
	size_t group = dt_group_begin(out, DT_AVP_SUBSCRIPTION_ID, 0);
	dt_put_u32(out, DT_AVP_SUBSCRIPTION_ID_TYPE, 0, 1);
	dt_put_text(out, DT_AVP_SUBSCRIPTION_ID_DATA, 0, "001019999999995");
	dt_group_end(out, group);
	dt_put_text(out, OC_AVP_USER_NAME, 0, "001019999999995@ims.mnc001");
	dt_put_u32(out, DT_AVP_FRAMED_IP, 0, 0x0a00ff01);
	dt_msg_end(out);
}

static void test_dt_rewrite_varies_the_subscriber_consistently(void)
{
	uint8_t made[512], sent[DT_MSG_MAX];
	struct dt_out out;
	struct dt_iter it;
	struct dt_avp group, avp;

	dt_out_init(&out, made, sizeof(made));
	put_subscriber(&out);
	struct dt_cap_msg msg = { made, (uint32_t)out.len };
	size_t len = emit(&msg, &plain, 2, sent);
	dt_iter_msg(&it, sent, len);
	CU_ASSERT_EQUAL_FATAL(dt_avp_find(it, OC_AVP_USER_NAME, 0, &avp), OC_OK);
	/* 999999995 + 2 * 100000, modulo its nine digits */
	CU_ASSERT(memcmp(avp.data, "001019000199995@ims.mnc001", avp.len) == 0);
	CU_ASSERT_EQUAL_FATAL(dt_avp_find(it, DT_AVP_SUBSCRIPTION_ID, 0, &group), OC_OK);
	struct dt_avp name = avp;
	dt_iter_avps(&it, group.data, group.len);
	CU_ASSERT_EQUAL_FATAL(dt_avp_find(it, DT_AVP_SUBSCRIPTION_ID_DATA, 0, &avp), OC_OK);
	CU_ASSERT(memcmp(avp.data, name.data, 15) == 0);
	CU_ASSERT(memcmp(avp.data, "001019999999995", 15) != 0);
	dt_iter_msg(&it, sent, len);
	CU_ASSERT_EQUAL_FATAL(dt_avp_find(it, DT_AVP_FRAMED_IP, 0, &avp), OC_OK);
	CU_ASSERT_EQUAL(dt_get_u32(avp.data), 0x0a02ff01);
}

static void test_dt_rewrite_replaces_names_only_when_told(void)
{
	uint8_t made[512], sent[DT_MSG_MAX];
	struct dt_rewrite how = plain;
	struct dt_out out;
	struct dt_iter it;
	struct dt_avp avp;
	struct dt_scan scan;

	dt_out_init(&out, made, sizeof(made));
	put_subscriber(&out);
	struct dt_cap_msg msg = { made, (uint32_t)out.len };
	how.origin_host = "c1.example.net";
	how.origin_realm = "example.net";
	how.dest_host = "";
	how.dest_realm = "home";
	how.tail = (struct dt_tail){ .with_sf = true, .vector = 1 };
	size_t len = emit(&msg, &how, 0, sent);
	dt_iter_msg(&it, sent, len);
	CU_ASSERT_EQUAL(dt_avp_find(it, OC_AVP_DESTINATION_HOST, 0, &avp), OC_ENOENT);
	CU_ASSERT(dt_avp_find(it, OC_AVP_DESTINATION_REALM, 0, &avp) == OC_OK && avp.len == 4);
	CU_ASSERT(dt_avp_find(it, OC_AVP_ORIGIN_REALM, 0, &avp) == OC_OK &&
		  memcmp(avp.data, "example.net", 11) == 0);
	CU_ASSERT_EQUAL(dt_scan_msg(&scan, sent, len), OC_OK);
	CU_ASSERT(scan.sf.code && scan.origin.len == 14);
}

static void test_dt_source_keeps_the_lives_of_sessions_whole_and_in_order(void)
{
	struct dt_source source = { .subscribers = 1 };
	struct dt_capture capture = { 0 };
	const char *sessions[] = { "a", "b", "a", "c", "b", "a" };
	const uint32_t counts[] = { 3, 2, 1 };
	uint8_t buffer[512];

	for (size_t i = 0; i < 6; i++) {
		size_t len = help_request(buffer, sizeof(buffer), sessions[i], 4 * i);
		CU_ASSERT_EQUAL(dt_capture_take(&capture, buffer, len), OC_OK);
	}
	CU_ASSERT_EQUAL(dt_source_captured(&source, &capture, &plain), OC_OK);
	CU_ASSERT_EQUAL_FATAL(source.life_count, 3);
	for (uint32_t i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL(source.life[i].count, counts[i]);
		struct dt_source_place place = { .life = i };
		uint32_t last_len = 0;
		for (; place.step < source.life[i].count; place.step++) {
			const struct dt_tmpl *tmpl = dt_source_get(&source, &place);
			CU_ASSERT(tmpl->len > last_len);
			last_len = tmpl->len;
		}
	}
	dt_source_fini(&source);
	dt_capture_fini(&capture);
}

void test_dt_rewrite_suite(void)
{
	CU_pSuite suite = CU_add_suite("dt_rewrite", NULL, NULL);
	CU_add_test(suite, "other_octets", test_dt_rewrite_keeps_all_octets_but_the_session_id);
	CU_add_test(suite, "subscriber", test_dt_rewrite_varies_the_subscriber_consistently);
	CU_add_test(suite, "names", test_dt_rewrite_replaces_names_only_when_told);
	CU_add_test(suite, "lives", test_dt_source_keeps_the_lives_of_sessions_whole_and_in_order);
}
