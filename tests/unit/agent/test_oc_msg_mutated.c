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

#include "agent/doic/oc_specific.h"
#include "agent/oc_err.h"
#include "agent/wire/oc_encode.h"
#include "agent/wire/oc_names.h"
#include "help_wire_kinds.h"

#define ROUNDS 15000u /* a thousand of each kind */
#define GENERAL_PCT 10u
#define HINTS_ALL 0x3ffu

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

/* What comes beside reports: within its bounds, and only in the messages that can bring it. */
static bool rest_is_true(const struct oc_msg *msg, const uint8_t *data)
{
	bool is_request = oc_msg_is_request(msg);
	bool ok = msg->load_count <= OC_MSG_LOAD_MAX && msg->load_count <= msg->load_avps &&
		  msg->rating_group_count <= OC_MSG_RATING_GROUPS_MAX && msg->apn_len <= OC_MSG_APN_MAX &&
		  msg->reservation_priority <= 15 && (msg->hints & ~HINTS_ALL) == 0;

	ok = ok && (is_request ? msg->load_count == 0
			       : (msg->hints & ~(OC_HINT_DRMP | OC_HINT_DRMP_ODD)) == 0 &&
					 msg->reservation_priority == 0);
	if (!is_request || msg->app_id != OC_APP_GY)
		ok = ok && msg->rating_group_count == 0 && !msg->has_more_rating_groups;
	return ok && occurs(data, msg->length, (const uint8_t *)msg->apn, msg->apn_len);
}

/* Whatever is read of specific reductions gives percentages, from the octets kept and no others. */
static bool specific_is_true(const struct oc_msg *msg)
{
	bool ok = true;

	for (unsigned i = 0; ok && i < msg->olr_count; i++) {
		struct oc_specific specific;
		uint8_t *block = malloc(msg->olr[i].raw_len + 1u);
		if (block == NULL)
			return false;
		memcpy(block + 1, msg->raw + msg->olr[i].raw_at, msg->olr[i].raw_len);
		struct oc_bytes whole = { block + 1, msg->olr[i].raw_len };
		bool is_read = oc_specific_read(whole, GENERAL_PCT, &specific);
		ok = specific.count <= OC_SPECIFIC_MAX && specific.highest_pct <= 100 &&
		     is_read == (specific.count != 0) && oc_specific_pct(&specific, msg, GENERAL_PCT) <= 100;
		free(block);
	}
	return ok;
}

/* Scans a copy of the first @len octets; also rewrites the features it kept. Returns whether all held. */
static bool holds(struct oc_names *names, const struct help_wire *wire, size_t len)
{
	uint8_t *block = malloc(len + 1);
	struct oc_msg msg = { 0 };
	struct oc_msg_found fresh;
	struct oc_group group;

	if (block == NULL)
		return false;
	uint8_t *data = block + 1; /* the block ends with the message, also when that is empty */
	memcpy(data, wire->data, len);
	int err = oc_msg_scan((struct oc_bytes){ data, len }, names, NULL, &msg, &fresh);
	bool ok = (err == OC_OK || err == OC_EMALFORMED) && is_true(&msg, data) && rest_is_true(&msg, data) &&
		  specific_is_true(&msg);
	struct oc_bytes caps = { msg.raw + msg.caps.raw_at, msg.caps.raw_len };
	err = oc_encode_caps_rewrite(&group, caps, 1, "a.example.net", 0);
	ok = ok && (err == OC_OK || err == OC_EMALFORMED || err == OC_ENOSPC);
	ok = ok && fresh.count <= sizeof(fresh.id) / sizeof(fresh.id[0]);
	free(block);
	return ok;
}

static void pick(struct help_wire *wire, unsigned which)
{
	help_wire_kind(wire, (enum help_wire_kind)(which % HELP_KIND_COUNT));
}

static void test_oc_msg_mutated_not_at_all(void)
{
	struct oc_names *names = oc_names_new(256, 1);

	for (unsigned which = 0; which < HELP_KIND_COUNT; which++) {
		struct help_wire wire;
		struct oc_msg msg = { 0 };
		pick(&wire, which);
		CU_ASSERT_EQUAL(oc_msg_scan(help_wire_bytes(&wire), names, NULL, &msg, NULL), OC_OK);
		CU_ASSERT_TRUE(holds(names, &wire, wire.len));
	}
	oc_names_free(names);
}

static void test_oc_msg_mutated_truncated_anywhere(void)
{
	struct oc_names *names = oc_names_new(256, 1);
	unsigned wrong = 0;

	for (unsigned which = 0; which < HELP_KIND_COUNT; which++) {
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
	CU_add_test(suite, "not_at_all", test_oc_msg_mutated_not_at_all);
	CU_add_test(suite, "D-263 truncated_anywhere", test_oc_msg_mutated_truncated_anywhere);
	CU_add_test(suite, "D-263 bit_flips", test_oc_msg_mutated_by_bit_flips);
	CU_add_test(suite, "D-263 random_octets", test_oc_msg_mutated_to_random_octets);
}
