/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Property test of the scanner: whatever is done to a message, it reads only what is there and says so.
 *
 * Each message lies at the very end of its own heap block, so that the address sanitizer sees one octet
 * too many. The generator is seeded: a failure can be run again.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "agent/wire/oc_encode.h"
#include "agent/wire/oc_names.h"
#include "help_wire.h"

#define ROUNDS 6000u

void test_oc_msg_mutated_suite(void);

/* xorshift64*; good enough to hit odd places, same on every machine. */
static uint64_t next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dull;
}

static bool occurs(const uint8_t *hay, size_t hay_len, const uint8_t *needle, size_t len)
{
	for (size_t at = 0; at + len <= hay_len; at++) {
		if (len == 0 || (hay[at] == needle[0] && memcmp(hay + at, needle, len) == 0))
			return true;
	}
	return false;
}

/* Kept octets lie inside raw[] and are octets of the message. */
static bool kept_is_true(const struct oc_msg *msg, uint16_t at, uint16_t len, const uint8_t *data)
{
	return at + len <= msg->raw_len && occurs(data, msg->length, msg->raw + at, len);
}

static bool is_true(const struct oc_msg *msg, const uint8_t *data)
{
	bool ok = msg->raw_len <= OC_MSG_RAW_MAX && msg->olr_count <= OC_MSG_OLR_MAX &&
		  kept_is_true(msg, msg->caps.raw_at, msg->caps.raw_len, data);

	for (unsigned i = 0; ok && i < msg->olr_count; i++)
		ok = kept_is_true(msg, msg->olr[i].raw_at, msg->olr[i].raw_len, data);
	return ok;
}

/* Scans a copy of the first @len octets; also rewrites the features it kept. Returns whether all held. */
static bool holds(struct oc_names *names, const struct help_wire *wire, size_t len)
{
	uint8_t *block = malloc(len + 1);
	struct oc_msg msg = { 0 };
	struct oc_msg_new_names fresh;
	struct oc_group group;

	if (block == NULL)
		return false;
	uint8_t *data = block + 1; /* the block ends with the message, also when that is empty */
	memcpy(data, wire->data, len);
	int err = oc_msg_scan((struct oc_bytes){ data, len }, names, 1, &msg, &fresh);
	bool ok = (err == OC_OK || err == OC_EMALFORMED) && is_true(&msg, data);
	struct oc_bytes caps = { msg.raw + msg.caps.raw_at, msg.caps.raw_len };
	err = oc_encode_caps_rewrite(&group, caps, 1, "a.example.net", 0);
	ok = ok && (err == OC_OK || err == OC_EMALFORMED || err == OC_ENOSPC);
	ok = ok && fresh.count <= sizeof(fresh.id) / sizeof(fresh.id[0]);
	free(block);
	return ok;
}

static void pick(struct help_wire *wire, unsigned which)
{
	if (which % 3 == 0)
		help_wire_ccr(wire);
	else
		help_wire_cca(wire, which % 3 == 1 ? 0xf8 : 0xf7);
}

static void test_oc_msg_mutated_truncated_anywhere(void)
{
	struct oc_names *names = oc_names_new(256, 1);
	unsigned wrong = 0;

	for (unsigned which = 0; which < 3; which++) {
		struct help_wire wire;
		pick(&wire, which);
		for (size_t len = 0; len <= wire.len; len++) {
			struct help_wire cut = wire;
			wrong += !holds(names, &wire, len);
			cut.len = len;
			if (len >= 20) /* and once more with a header that agrees */
				help_wire_end(&cut);
			wrong += !holds(names, &cut, len);
		}
	}
	CU_ASSERT_EQUAL(wrong, 0);
	oc_names_free(names);
}

static void test_oc_msg_mutated_by_bit_flips(void)
{
	struct oc_names *names = oc_names_new(256, 1);
	uint64_t state = 0x9e3779b97f4a7c15ull;
	unsigned wrong = 0;

	for (unsigned round = 0; round < ROUNDS; round++) {
		struct help_wire wire;
		pick(&wire, round);
		for (unsigned flips = 1 + (unsigned)(next(&state) % 8); flips > 0; flips--) {
			uint64_t chance = next(&state);
			wire.data[(chance >> 8) % wire.len] ^= (uint8_t)(1u << (chance & 7));
		}
		wrong += !holds(names, &wire, wire.len);
	}
	CU_ASSERT_EQUAL(wrong, 0);
	oc_names_free(names);
}

static void test_oc_msg_mutated_to_random_octets(void)
{
	struct oc_names *names = oc_names_new(256, 1);
	uint64_t state = 0xd1b54a32d192ed03ull;
	unsigned wrong = 0;

	for (unsigned round = 0; round < ROUNDS; round++) {
		struct help_wire wire;
		pick(&wire, round);
		size_t from = next(&state) % wire.len;
		size_t count = next(&state) % 64;
		for (size_t i = from; i < wire.len && i < from + count; i++)
			wire.data[i] = (uint8_t)(next(&state) >> 56);
		wrong += !holds(names, &wire, wire.len);
	}
	CU_ASSERT_EQUAL(wrong, 0);
	oc_names_free(names);
}

void test_oc_msg_mutated_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_msg_mutated", NULL, NULL);
	CU_add_test(suite, "D-263 truncated_anywhere", test_oc_msg_mutated_truncated_anywhere);
	CU_add_test(suite, "D-263 bit_flips", test_oc_msg_mutated_by_bit_flips);
	CU_add_test(suite, "D-263 random_octets", test_oc_msg_mutated_to_random_octets);
}
