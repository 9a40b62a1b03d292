/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the scanner on whom a request is about.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/wire/oc_avp.h"
#include "help_wire_scan.h"

void test_oc_msg_subscriber_suite(void);

#define IMSI "001010000000001"
#define NUMBER "49151000001"

static void put(struct help_wire *wire, uint32_t type, const char *text)
{
	struct help_wire inner = { .len = 0 };

	help_wire_u32(&inner, OC_AVP_SUBSCRIPTION_ID_TYPE, type);
	help_wire_text(&inner, OC_AVP_SUBSCRIPTION_ID_DATA, text);
	help_wire_group(wire, OC_AVP_SUBSCRIPTION_ID, &inner);
}

static uint64_t pseudonym_of(const char *text)
{
	return oc_keyed_pseudonym(&help_key, (struct oc_bytes){ (const uint8_t *)text, strlen(text) });
}

/* Scans @wire and holds its subscriber against @text, NULL for none. */
static void expect(struct help_wire *wire, const char *text)
{
	struct help_scan got;

	help_wire_end(wire);
	help_scan(&got, wire);
	CU_ASSERT_EQUAL(got.msg.subscriber_hash, text ? pseudonym_of(text) : 0);
	CU_ASSERT_EQUAL(got.found.subscriber.len, text ? strlen(text) : 0);
	if (text && got.found.subscriber.len == strlen(text))
		CU_ASSERT_EQUAL(memcmp(got.found.subscriber.data, text, strlen(text)), 0);
	oc_names_free(got.names);
}

static void test_oc_msg_subscriber_is_the_imsi_wherever_it_stands(void)
{
	struct help_wire wire;

	help_wire_begin(&wire, OC_FLAG_REQUEST, OC_APP_GX);
	put(&wire, 0, NUMBER);
	put(&wire, 1, IMSI);
	expect(&wire, IMSI);
	help_wire_begin(&wire, OC_FLAG_REQUEST, OC_APP_GY);
	put(&wire, 1, IMSI);
	put(&wire, 0, NUMBER);
	expect(&wire, IMSI);
}

static void test_oc_msg_subscriber_without_imsi_is_the_next_best(void)
{
	static const char *const texts[] = { NUMBER, "u@example.net", "sip:u@example.net" };
	static const uint32_t types[] = { 0, 3, 2 };
	struct help_wire wire;

	for (unsigned first = 0; first < 3; first++) {
		help_wire_begin(&wire, OC_FLAG_REQUEST, OC_APP_RX);
		for (unsigned i = 3; i > first; i--)
			put(&wire, types[i - 1], texts[i - 1]);
		expect(&wire, texts[first]);
	}
	help_wire_begin(&wire, OC_FLAG_REQUEST, OC_APP_RX);
	put(&wire, 4, "private");
	put(&wire, 77, "unknown");
	expect(&wire, NULL);
}

static void test_oc_msg_subscriber_is_the_user_name_where_that_is_one(void)
{
	static const uint32_t apps[] = { OC_APP_S6A, OC_APP_CX, OC_APP_SWX, OC_APP_GX, OC_APP_RX };
	struct help_wire wire;

	for (unsigned i = 0; i < 5; i++) {
		help_wire_begin(&wire, OC_FLAG_REQUEST, apps[i]);
		help_wire_text(&wire, OC_AVP_USER_NAME, IMSI);
		expect(&wire, i < 3 ? IMSI : NULL);
	}
	help_wire_begin(&wire, OC_FLAG_REQUEST, OC_APP_S6A);
	help_wire_text(&wire, OC_AVP_USER_NAME, "other");
	put(&wire, 2, "sip:u@example.net");
	expect(&wire, "sip:u@example.net");
}

/* An answer is known by its request. */
static void test_oc_msg_subscriber_of_an_answer_is_none(void)
{
	struct help_wire wire;

	help_wire_begin(&wire, 0, OC_APP_GX);
	put(&wire, 1, IMSI);
	expect(&wire, NULL);
}

static void test_oc_msg_subscriber_of_broken_groups_is_none(void)
{
	struct help_wire inner = { .len = 0 };
	struct help_wire wire;

	help_wire_begin(&wire, OC_FLAG_REQUEST, OC_APP_GX);
	help_wire_text(&inner, OC_AVP_SUBSCRIPTION_ID_DATA, IMSI);
	help_wire_group(&wire, OC_AVP_SUBSCRIPTION_ID, &inner);
	help_wire_avp(&wire, OC_AVP_SUBSCRIPTION_ID, "\0\0\1", 3);
	help_wire_avp(&wire, OC_AVP_SUBSCRIPTION_ID, NULL, 0);
	put(&wire, 1, "");
	expect(&wire, NULL);
}

static void test_oc_msg_subscriber_needs_a_key(void)
{
	struct help_wire wire;
	struct oc_msg msg = { 0 };
	struct oc_names *names = oc_names_new(64, 1);

	help_wire_begin(&wire, OC_FLAG_REQUEST, OC_APP_GX);
	help_wire_text(&wire, OC_AVP_SESSION_ID, "s;1");
	put(&wire, 1, IMSI);
	help_wire_end(&wire);
	CU_ASSERT_EQUAL(oc_msg_scan(help_wire_bytes(&wire), names, NULL, &msg, NULL), 0);
	CU_ASSERT_EQUAL(msg.session_hash, 0);
	CU_ASSERT_EQUAL(msg.subscriber_hash, 0);
	oc_names_free(names);
}

void test_oc_msg_subscriber_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_msg_subscriber", NULL, NULL);

	CU_add_test(suite, "is_the_imsi_wherever_it_stands",
		    test_oc_msg_subscriber_is_the_imsi_wherever_it_stands);
	CU_add_test(suite, "without_imsi_is_the_next_best",
		    test_oc_msg_subscriber_without_imsi_is_the_next_best);
	CU_add_test(suite, "is_the_user_name_where_that_is_one",
		    test_oc_msg_subscriber_is_the_user_name_where_that_is_one);
	CU_add_test(suite, "of_an_answer_is_none", test_oc_msg_subscriber_of_an_answer_is_none);
	CU_add_test(suite, "of_broken_groups_is_none", test_oc_msg_subscriber_of_broken_groups_is_none);
	CU_add_test(suite, "needs_a_key", test_oc_msg_subscriber_needs_a_key);
}
