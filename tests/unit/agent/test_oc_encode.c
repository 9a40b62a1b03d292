/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the encoders against the byte vectors, their refusals, and the rewrite of received features.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/oc_err.h"
#include "agent/wire/oc_encode.h"
#include "help_wire.h"

#define AGENT "agent1.example.net"

void test_oc_encode_suite(void);

/* Whether @group framed with @code is the vector @hex to the octet. */
static bool is_vector(const struct oc_group *group, uint32_t code, const char *hex)
{
	struct help_wire want = { .len = 0 };
	uint8_t got[OC_ENCODE_MAX + 8];
	size_t len = 0;

	help_wire_hex(&want, hex);
	return oc_encode_group(group, code, got, sizeof(got), &len) == OC_OK && len == want.len &&
	       memcmp(got, want.data, len) == 0;
}

static bool is_inner(const struct oc_group *group, const struct help_wire *want)
{
	return group->len == want->len && memcmp(group->data, want->data, want->len) == 0;
}

static void test_oc_encode_caps_gives_tv1_to_tv4(void)
{
	struct oc_group group;

	CU_ASSERT_EQUAL(oc_encode_caps(&group, 0, NULL, 0), OC_OK);
	CU_ASSERT_TRUE(is_vector(&group, OC_AVP_SUPPORTED_FEATURES, help_wire_tv[0]));
	CU_ASSERT_EQUAL(oc_encode_caps(&group, OC_FV_LOSS, "", 0), OC_OK);
	CU_ASSERT_TRUE(is_vector(&group, OC_AVP_SUPPORTED_FEATURES, help_wire_tv[1]));
	CU_ASSERT_EQUAL(oc_encode_caps(&group, OC_FV_LOSS | OC_FV_PEER_REPORT, AGENT, 0), OC_OK);
	CU_ASSERT_TRUE(is_vector(&group, OC_AVP_SUPPORTED_FEATURES, help_wire_tv[2]));
	CU_ASSERT_EQUAL(oc_encode_caps(&group, OC_FV_LOSS | OC_FV_PEER_REPORT, AGENT, OC_FV_LOSS), OC_OK);
	CU_ASSERT_TRUE(is_vector(&group, OC_AVP_SUPPORTED_FEATURES, help_wire_tv[3]));
}

static void test_oc_encode_caps_never_writes_vector_zero(void)
{
	struct oc_group group;

	CU_ASSERT_EQUAL(oc_encode_caps(&group, 0, AGENT, 0), OC_OK);
	CU_ASSERT_EQUAL(group.len, 28); /* SourceID alone */
	CU_ASSERT_EQUAL(group.data[3], OC_AVP_SOURCE_ID & 0xffu);
}

static void test_oc_encode_caps_refuses_bad_values_and_leaves_output(void)
{
	struct oc_group group = { .len = 77 };
	char longest[OC_IDENT_MAX + 2];

	memset(longest, 'x', sizeof(longest));
	longest[OC_IDENT_MAX + 1] = '\0';
	CU_ASSERT_EQUAL(oc_encode_caps(&group, 1, AGENT, OC_FV_PEER_REPORT), OC_ERANGE);
	CU_ASSERT_EQUAL(oc_encode_caps(&group, 1, AGENT, OC_FV_ALGORITHMS), OC_ERANGE);
	CU_ASSERT_EQUAL(oc_encode_caps(&group, 1, AGENT, 2), OC_ERANGE);
	CU_ASSERT_EQUAL(oc_encode_caps(&group, 1, longest, 0), OC_ERANGE);
	CU_ASSERT_EQUAL(group.len, 77);
	longest[OC_IDENT_MAX] = '\0';
	CU_ASSERT_EQUAL(oc_encode_caps(&group, 1, longest, OC_FV_RATE), OC_OK);
	CU_ASSERT_EQUAL(group.len, 16 + 264 + 16);
}

static void test_oc_encode_olr_gives_tv5_to_tv8(void)
{
	const uint8_t plain = OC_OLR_HAS_SEQUENCE | OC_OLR_HAS_TYPE | OC_OLR_HAS_REDUCTION;
	const uint8_t timed = plain | OC_OLR_HAS_VALIDITY;
	const struct oc_olr reports[] = {
		{ .has = timed, .sequence = 7, .type = 0, .reduction_pct = 25, .validity_s = 60 },
		{ .has = timed, .sequence = 8, .type = 0, .reduction_pct = 0, .validity_s = 0 },
		{ .has = plain, .sequence = 1, .type = 1, .reduction_pct = 100, .validity_s = 5 },
		{ .has = timed | OC_OLR_HAS_SOURCE,
		  .sequence = 3,
		  .type = 2,
		  .reduction_pct = 10,
		  .validity_s = 120 },
	};

	for (unsigned i = 0; i < 4; i++) {
		struct oc_group group;
		CU_ASSERT_EQUAL(oc_encode_olr(&group, &reports[i], AGENT), OC_OK);
		CU_ASSERT_TRUE(is_vector(&group, OC_AVP_OLR, help_wire_tv[4 + i]));
	}
}

static void test_oc_encode_olr_rate_replaces_percentage(void)
{
	struct oc_group group;
	struct help_wire want = { .len = 0 };
	struct oc_olr olr = { .has = OC_OLR_HAS_SEQUENCE | OC_OLR_HAS_TYPE | OC_OLR_HAS_RATE,
			      .sequence = UINT64_MAX,
			      .rate_rps = 500 };

	help_wire_u64(&want, OC_AVP_SEQUENCE_NUMBER, UINT64_MAX);
	help_wire_u32(&want, OC_AVP_REPORT_TYPE, 0);
	help_wire_u32(&want, OC_AVP_MAXIMUM_RATE, 500);
	CU_ASSERT_EQUAL(oc_encode_olr(&group, &olr, NULL), OC_OK);
	CU_ASSERT_TRUE(is_inner(&group, &want));
}

static void test_oc_encode_olr_refuses_loss_without_percentage(void)
{
	struct oc_group group = { .len = 77 };
	struct oc_olr olr = { .has = OC_OLR_HAS_SEQUENCE | OC_OLR_HAS_TYPE, .sequence = 1 };

	CU_ASSERT_EQUAL(oc_encode_olr(&group, &olr, NULL), OC_EINVAL); /* absent validity is 30 s */
	olr.has |= OC_OLR_HAS_VALIDITY;
	olr.validity_s = 1;
	CU_ASSERT_EQUAL(oc_encode_olr(&group, &olr, NULL), OC_EINVAL);
	CU_ASSERT_EQUAL(group.len, 77);
	olr.validity_s = 0; /* end of overload needs none */
	CU_ASSERT_EQUAL(oc_encode_olr(&group, &olr, NULL), OC_OK);
}

static int encode_olr_error(struct oc_olr olr, const char *source)
{
	struct oc_group group = { .len = 77 };
	int err = oc_encode_olr(&group, &olr, source);

	CU_ASSERT_EQUAL(group.len, err == OC_OK ? group.len : 77);
	return err;
}

static void test_oc_encode_olr_refuses_bad_values(void)
{
	const struct oc_olr good = { .has = OC_OLR_HAS_SEQUENCE | OC_OLR_HAS_TYPE | OC_OLR_HAS_REDUCTION |
					    OC_OLR_HAS_VALIDITY | OC_OLR_HAS_SOURCE,
				     .reduction_pct = 100,
				     .validity_s = 86400,
				     .type = OC_REPORT_PEER };
	struct oc_olr bad = good;

	CU_ASSERT_EQUAL(encode_olr_error(good, AGENT), OC_OK);
	CU_ASSERT_EQUAL(encode_olr_error(good, NULL), OC_EINVAL);
	bad.reduction_pct = 101;
	CU_ASSERT_EQUAL(encode_olr_error(bad, AGENT), OC_ERANGE);
	bad = good;
	bad.validity_s = 86401;
	CU_ASSERT_EQUAL(encode_olr_error(bad, AGENT), OC_ERANGE);
	bad = good;
	bad.type = OC_REPORT_COUNT;
	CU_ASSERT_EQUAL(encode_olr_error(bad, AGENT), OC_ERANGE);
	bad = good;
	bad.has &= (uint8_t)~OC_OLR_HAS_SEQUENCE;
	CU_ASSERT_EQUAL(encode_olr_error(bad, AGENT), OC_EINVAL);
	bad = good;
	bad.has &= (uint8_t)~OC_OLR_HAS_TYPE;
	CU_ASSERT_EQUAL(encode_olr_error(bad, AGENT), OC_EINVAL);
}

static void test_oc_encode_olr_percentage_and_rate_exclude_each_other(void)
{
	struct oc_olr olr = { .has = OC_OLR_HAS_SEQUENCE | OC_OLR_HAS_TYPE | OC_OLR_HAS_REDUCTION |
				     OC_OLR_HAS_RATE,
			      .rate_rps = 500 };

	CU_ASSERT_EQUAL(encode_olr_error(olr, NULL), OC_EINVAL);
	olr.has |= OC_OLR_HAS_VALIDITY; /* not even in the end of overload */
	CU_ASSERT_EQUAL(encode_olr_error(olr, NULL), OC_EINVAL);
	olr.has ^= OC_OLR_HAS_RATE;
	CU_ASSERT_EQUAL(encode_olr_error(olr, NULL), OC_OK);
	olr.has ^= OC_OLR_HAS_RATE | OC_OLR_HAS_REDUCTION;
	CU_ASSERT_EQUAL(encode_olr_error(olr, NULL), OC_OK);
}

static void test_oc_encode_olr_peer_needs_source(void)
{
	struct oc_olr olr = { .has = OC_OLR_HAS_SEQUENCE | OC_OLR_HAS_TYPE | OC_OLR_HAS_REDUCTION,
			      .type = OC_REPORT_PEER };

	CU_ASSERT_EQUAL(encode_olr_error(olr, AGENT), OC_EINVAL);
	olr.has |= OC_OLR_HAS_SOURCE;
	CU_ASSERT_EQUAL(encode_olr_error(olr, NULL), OC_EINVAL);
	CU_ASSERT_EQUAL(encode_olr_error(olr, ""), OC_EINVAL);
	CU_ASSERT_EQUAL(encode_olr_error(olr, AGENT), OC_OK);
	olr.has ^= OC_OLR_HAS_SOURCE;
	olr.type = OC_REPORT_REALM;
	CU_ASSERT_EQUAL(encode_olr_error(olr, NULL), OC_OK);
}

static void test_oc_encode_group_needs_room(void)
{
	struct oc_group group;
	uint8_t buf[24];
	size_t len = 5;

	oc_encode_caps(&group, 1, NULL, 0);
	CU_ASSERT_EQUAL(oc_encode_group(&group, 621, buf, 23, &len), OC_ENOSPC);
	CU_ASSERT_EQUAL(len, 5);
	CU_ASSERT_EQUAL(oc_encode_group(&group, 621, buf, 24, &len), OC_OK);
	CU_ASSERT_EQUAL(len, 24);
}

/* A received group with something unknown on every side, one of it with odd padding octets, one of
 * another vendor under a code of DOIC. @ours: also what the agent replaces. */
static void odd_features(struct help_wire *inner, bool ours)
{
	inner->len = 0;
	help_wire_avp(inner, 99999, "abcde", 5);
	memcpy(inner->data + inner->len - 3, "xyz", 3);
	if (ours)
		help_wire_u64(inner, OC_AVP_FEATURE_VECTOR, 0x100000001ull);
	help_wire_vendor_avp(inner, OC_AVP_SOURCE_ID, "kept", 4);
	if (ours)
		help_wire_text(inner, OC_AVP_SOURCE_ID, "c3.example.net");
	help_wire_avp(inner, 70000, NULL, 0);
	if (ours)
		help_wire_u64(inner, OC_AVP_PEER_ALGO, 1);
	help_wire_avp(inner, 99999, "z", 1);
}

static void test_oc_encode_rewrite_keeps_unknown_octet_for_octet(void)
{
	struct help_wire inner;
	struct help_wire kept;
	struct help_wire whole = { .len = 0 };
	struct help_wire want = { .len = 0 };
	struct oc_group group;

	odd_features(&inner, true);
	odd_features(&kept, false);
	help_wire_group(&whole, OC_AVP_SUPPORTED_FEATURES, &inner);
	help_wire_u64(&want, OC_AVP_FEATURE_VECTOR, 0x11);
	help_wire_text(&want, OC_AVP_SOURCE_ID, AGENT);
	help_wire_u64(&want, OC_AVP_PEER_ALGO, 1);
	memcpy(want.data + want.len, kept.data, kept.len);
	want.len += kept.len;
	CU_ASSERT_EQUAL(oc_encode_caps_rewrite(&group, help_wire_bytes(&whole), 0x11, AGENT, 1), OC_OK);
	CU_ASSERT_TRUE(is_inner(&group, &want));
	CU_ASSERT_EQUAL(oc_encode_caps_rewrite(&group, help_wire_bytes(&whole), 0, NULL, 0), OC_OK);
	CU_ASSERT_TRUE(is_inner(&group, &kept));
}

static void test_oc_encode_rewrite_replaces_source(void)
{
	struct help_wire tv = { .len = 0 };
	struct help_wire whole = { .len = 0 };
	struct help_wire inner = { .len = 0 };
	struct oc_group group;

	help_wire_u64(&inner, OC_AVP_FEATURE_VECTOR, 0x11);
	help_wire_text(&inner, OC_AVP_SOURCE_ID, "c3.example.net");
	help_wire_group(&whole, OC_AVP_SUPPORTED_FEATURES, &inner);
	CU_ASSERT_EQUAL(oc_encode_caps_rewrite(&group, help_wire_bytes(&whole), 0x11, AGENT, 0), OC_OK);
	CU_ASSERT_TRUE(is_vector(&group, OC_AVP_SUPPORTED_FEATURES, help_wire_tv[2]));
	help_wire_hex(&tv, help_wire_tv[3]);
	CU_ASSERT_EQUAL(oc_encode_caps_rewrite(&group, help_wire_bytes(&tv), 0x1, NULL, 0), OC_OK);
	CU_ASSERT_TRUE(is_vector(&group, OC_AVP_SUPPORTED_FEATURES, help_wire_tv[1]));
}

static void test_oc_encode_rewrite_makes_up_missing_padding(void)
{
	struct help_wire inner = { .len = 0 };
	struct help_wire whole = { .len = 0 };
	struct oc_group group;

	help_wire_avp(&inner, 99999, "abcde", 5);
	help_wire_avp(&whole, OC_AVP_SUPPORTED_FEATURES, inner.data, inner.len - 3);
	memset(&group, 0xee, sizeof(group));
	CU_ASSERT_EQUAL(oc_encode_caps_rewrite(&group, help_wire_bytes(&whole), 0, NULL, 0), OC_OK);
	CU_ASSERT_TRUE(is_inner(&group, &inner));
	whole.len -= 3; /* the AVP itself without its padding, as the scanner keeps it */
	CU_ASSERT_EQUAL(oc_encode_caps_rewrite(&group, help_wire_bytes(&whole), 0, NULL, 0), OC_OK);
	CU_ASSERT_TRUE(is_inner(&group, &inner));
}

static int rewrite_error(const uint8_t *data, size_t len)
{
	struct oc_group group = { .len = 77 };
	struct oc_bytes whole = { data, len };
	int err = oc_encode_caps_rewrite(&group, whole, 1, AGENT, 0);

	CU_ASSERT_EQUAL(group.len, err == OC_OK ? group.len : 77);
	return err;
}

static void test_oc_encode_rewrite_refuses_what_is_not_one_group(void)
{
	struct help_wire tv = { .len = 0 };

	help_wire_hex(&tv, help_wire_tv[2]);
	CU_ASSERT_EQUAL(rewrite_error(tv.data, tv.len), OC_OK);
	for (size_t len = 0; len < tv.len; len++)
		CU_ASSERT_EQUAL(rewrite_error(tv.data, len), OC_EMALFORMED);
	CU_ASSERT_EQUAL(rewrite_error(tv.data, tv.len + 8), OC_EMALFORMED);
	tv.data[15] = 15; /* the vector's length, which now ends inside it */
	CU_ASSERT_EQUAL(rewrite_error(tv.data, tv.len), OC_OK);
	tv.data[15] = 3;
	CU_ASSERT_EQUAL(rewrite_error(tv.data, tv.len), OC_EMALFORMED);
	tv.data[15] = 16;
	tv.data[4] = 0x80; /* another vendor's 621 */
	CU_ASSERT_EQUAL(rewrite_error(tv.data, tv.len), OC_EMALFORMED);
	tv.data[4] = 0x40;
	CU_ASSERT_EQUAL(rewrite_error(tv.data, tv.len), OC_OK);
	tv.data[3] = OC_AVP_OLR & 0xffu;
	CU_ASSERT_EQUAL(rewrite_error(tv.data, tv.len), OC_EMALFORMED);
}

static void test_oc_encode_rewrite_needs_room(void)
{
	struct help_wire inner = { .len = 0 };
	struct help_wire whole = { .len = 0 };
	uint8_t filler[OC_ENCODE_MAX - 16 - 28 - 8] = { 0 };

	help_wire_avp(&inner, 99999, filler, sizeof(filler));
	help_wire_group(&whole, OC_AVP_SUPPORTED_FEATURES, &inner);
	CU_ASSERT_EQUAL(rewrite_error(whole.data, whole.len), OC_OK);
	help_wire_avp(&inner, 99999, NULL, 0);
	whole.len = 0;
	help_wire_group(&whole, OC_AVP_SUPPORTED_FEATURES, &inner);
	CU_ASSERT_EQUAL(rewrite_error(whole.data, whole.len), OC_ENOSPC);
}

void test_oc_encode_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_encode", NULL, NULL);
	CU_add_test(suite, "D-011 D-012 TV1..TV4 encode", test_oc_encode_caps_gives_tv1_to_tv4);
	CU_add_test(suite, "D-014 never_writes_vector_zero", test_oc_encode_caps_never_writes_vector_zero);
	CU_add_test(suite, "caps_refuses_bad_values",
		    test_oc_encode_caps_refuses_bad_values_and_leaves_output);
	CU_add_test(suite, "TV5..TV8 encode", test_oc_encode_olr_gives_tv5_to_tv8);
	CU_add_test(suite, "rate_replaces_percentage", test_oc_encode_olr_rate_replaces_percentage);
	CU_add_test(suite, "D-104 refuses_loss_without_percentage",
		    test_oc_encode_olr_refuses_loss_without_percentage);
	CU_add_test(suite, "olr_refuses_bad_values", test_oc_encode_olr_refuses_bad_values);
	CU_add_test(suite, "R-19 percentage_and_rate_exclude_each_other",
		    test_oc_encode_olr_percentage_and_rate_exclude_each_other);
	CU_add_test(suite, "D-231 peer_needs_source", test_oc_encode_olr_peer_needs_source);
	CU_add_test(suite, "group_needs_room", test_oc_encode_group_needs_room);
	CU_add_test(suite, "D-037 D-264 Q-32 rewrite_keeps_unknown",
		    test_oc_encode_rewrite_keeps_unknown_octet_for_octet);
	CU_add_test(suite, "D-182 rewrite_replaces_source", test_oc_encode_rewrite_replaces_source);
	CU_add_test(suite, "rewrite_makes_up_missing_padding",
		    test_oc_encode_rewrite_makes_up_missing_padding);
	CU_add_test(suite, "D-263 rewrite_refuses_what_is_not_one_group",
		    test_oc_encode_rewrite_refuses_what_is_not_one_group);
	CU_add_test(suite, "rewrite_needs_room", test_oc_encode_rewrite_needs_room);
}
