/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/wire/oc_avp.h"
#include "agent/wire/oc_msg.h"
#include "agent/wire/oc_names.h"

void test_oc_pseudonym_suite(void);

/* Vectors of the authors' reference code: key 00..0f, input 00, 01, 02... of the length that is the place in the table. */
static void siphash_of_the_reference_vectors(void)
{
	static const struct oc_siphash_key key = { { 0x0706050403020100u, 0x0f0e0d0c0b0a0908u } };
	static const uint64_t wanted[] = { 0x726fdb47dd0e0e31u, 0x74f839c593dc67fdu, 0x0d6c8009d9a94f5au,
					   0x85676696d7fb7e2du, 0xcf2794e0277187b7u, 0x18765564cd99a68du,
					   0xcbc9466e58fee3ceu, 0xab0200f58b01d137u, 0x93f5f5799a932462u,
					   0x9e0082df0ba9e4b0u, 0x7a5dbbc594ddb9f3u, 0xf4b32f46226bada7u,
					   0x751e8fbc860ee5fbu, 0x14ea5627c0843d90u, 0xf723ca908e7af2eeu,
					   0xa129ca6149be45e5u };
	uint8_t input[16];

	for (unsigned i = 0; i < 16; i++) {
		CU_ASSERT_EQUAL(oc_siphash(&key, input, i), wanted[i]);
		input[i] = (uint8_t)i;
	}
}

static void pseudonyms_differ_by_key_and_kind_and_fit_six_octets(void)
{
	struct oc_pseudonyms a, b;

	oc_pseudonyms_from(&a, (const uint8_t[16]){ 1 });
	oc_pseudonyms_from(&b, (const uint8_t[16]){ 2 });
	uint64_t of_a = oc_pseudonym(&a.subscriber, "001010123456789", 15);
	CU_ASSERT_EQUAL(of_a, oc_pseudonym(&a.subscriber, "001010123456789", 15));
	CU_ASSERT_NOT_EQUAL(of_a, oc_pseudonym(&b.subscriber, "001010123456789", 15));
	CU_ASSERT_NOT_EQUAL(of_a, oc_pseudonym(&a.session, "001010123456789", 15));
	CU_ASSERT_NOT_EQUAL(of_a, oc_pseudonym(&a.subscriber, "001010123456780", 15));
	CU_ASSERT_EQUAL(oc_pseudonym(&a.session, "", 0), 0);
	for (unsigned i = 0; i < 1000; i++) {
		uint64_t one = oc_pseudonym(&a.session, &i, sizeof(i));
		CU_ASSERT(one != 0 && one <= OC_PSEUDONYM_MAX);
	}
}

/* A whole message: header and AVPs, each put at the end. */
struct wire {
	uint8_t octets[512];
	size_t len;
};

static void put_u32(struct wire *w, uint32_t value)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		w->octets[w->len++] = (uint8_t)(value >> shift);
}

static void put_avp(struct wire *w, uint32_t code, const void *data, size_t len)
{
	put_u32(w, code);
	put_u32(w, 0x40000000u | (uint32_t)(8 + len));
	memcpy(w->octets + w->len, data, len);
	w->len += len;
	while (w->len % 4 != 0)
		w->octets[w->len++] = 0;
}

static void put_subscription(struct wire *w, uint8_t type, const char *data)
{
	struct wire inner = { .len = 0 };

	put_avp(&inner, OC_AVP_SUBSCRIPTION_ID_TYPE, (const uint8_t[4]){ 0, 0, 0, type }, 4);
	put_avp(&inner, OC_AVP_SUBSCRIPTION_ID_DATA, data, strlen(data));
	put_avp(w, OC_AVP_SUBSCRIPTION_ID, inner.octets, inner.len);
}

static struct wire begin(uint32_t app_id, uint8_t flags)
{
	struct wire w = { .len = 0 };

	put_u32(&w, 0x01000000u);
	put_u32(&w, (uint32_t)flags << 24 | 272u);
	put_u32(&w, app_id);
	put_u32(&w, 1);
	put_u32(&w, 2);
	return w;
}

static uint64_t subscriber_of(struct wire *w, const struct oc_pseudonyms *keys)
{
	struct oc_names *names = oc_names_new(64, 1);
	struct oc_msg msg = { 0 };

	w->octets[2] = (uint8_t)(w->len >> 8);
	w->octets[3] = (uint8_t)w->len;
	CU_ASSERT_EQUAL(oc_msg_scan((struct oc_bytes){ w->octets, w->len }, names, keys, &msg, NULL), 0);
	oc_names_free(names);
	return msg.subscriber_hash;
}

static void the_imsi_goes_before_other_identities_in_any_order(void)
{
	struct oc_pseudonyms keys;
	struct wire w = begin(OC_APP_GX, 0xc0);

	oc_pseudonyms_from(&keys, (const uint8_t[16]){ 9 });
	put_subscription(&w, 0, "491701234567");
	put_subscription(&w, 1, "001010123456789");
	put_subscription(&w, 3, "user@example.net");
	CU_ASSERT_EQUAL(subscriber_of(&w, &keys), oc_pseudonym(&keys.subscriber, "001010123456789", 15));
	w = begin(OC_APP_GX, 0xc0);
	put_subscription(&w, 3, "user@example.net");
	put_subscription(&w, 0, "491701234567");
	CU_ASSERT_EQUAL(subscriber_of(&w, &keys), oc_pseudonym(&keys.subscriber, "491701234567", 12));
}

static void the_user_name_counts_where_it_is_the_imsi_and_answers_name_nobody(void)
{
	struct oc_pseudonyms keys;

	oc_pseudonyms_from(&keys, (const uint8_t[16]){ 9 });
	struct wire w = begin(OC_APP_S6A, 0xc0);
	put_avp(&w, OC_AVP_USER_NAME, "001010123456789", 15);
	CU_ASSERT_EQUAL(subscriber_of(&w, &keys), oc_pseudonym(&keys.subscriber, "001010123456789", 15));
	w = begin(OC_APP_GX, 0xc0);
	put_avp(&w, OC_AVP_USER_NAME, "001010123456789", 15);
	CU_ASSERT_EQUAL(subscriber_of(&w, &keys), 0);
	w = begin(OC_APP_GX, 0x40);
	put_subscription(&w, 1, "001010123456789");
	CU_ASSERT_EQUAL(subscriber_of(&w, &keys), 0);
}

void test_oc_pseudonym_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_pseudonym", NULL, NULL);

	CU_add_test(suite, "siphash of the reference vectors", siphash_of_the_reference_vectors);
	CU_add_test(suite, "pseudonyms differ by key and kind and fit six octets",
		    pseudonyms_differ_by_key_and_kind_and_fit_six_octets);
	CU_add_test(suite, "the IMSI goes before other identities in any order",
		    the_imsi_goes_before_other_identities_in_any_order);
	CU_add_test(suite, "the User-Name counts where it is the IMSI, and answers name nobody",
		    the_user_name_counts_where_it_is_the_imsi_and_answers_name_nobody);
}
