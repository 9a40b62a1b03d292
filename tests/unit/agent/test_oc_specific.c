/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of 3GPP-OC-Specific-Reduction: what is read of a report, which request falls under what.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/doic/oc_specific.h"
#include "help_wire.h"

#define GENERAL 20u
#define NONE UINT32_MAX

void test_oc_specific_suite(void);

/* One 3GPP-OC-Specific-Reduction made of @inner. */
static void add_reduction(struct help_wire *olr, const struct help_wire *inner)
{
	help_wire_avp_of(olr, OC_VENDOR_3GPP, OC_AVP3_SPECIFIC_REDUCTION, inner->data, inner->len);
}

/* The same for one rating group, one request type and a percentage, each NONE to leave it out. */
static void add_simple(struct help_wire *olr, uint32_t group, uint32_t type, uint32_t pct)
{
	struct help_wire inner = { .len = 0 };

	if (group != NONE)
		help_wire_u32_of(&inner, OC_VENDOR_3GPP, OC_AVP3_OC_RATING_GROUP, group);
	if (type != NONE)
		help_wire_u32_of(&inner, OC_VENDOR_3GPP, OC_AVP3_OC_REQUEST_TYPE, type);
	if (pct != NONE)
		help_wire_u32(&inner, OC_AVP_REDUCTION_PERCENTAGE, pct);
	add_reduction(olr, &inner);
}

/* Reads a report made of @inner. */
static bool read_olr(const struct help_wire *inner, struct oc_specific *out)
{
	struct help_wire whole = { .len = 0 };

	help_wire_group(&whole, OC_AVP_OLR, inner);
	memset(out, 0xee, sizeof(*out));
	bool is_read = oc_specific_read(help_wire_bytes(&whole), GENERAL, out);
	CU_ASSERT_TRUE(is_read ? out->count > 0 : out->count == 0 && out->highest_pct == 0);
	return is_read;
}

static void test_oc_specific_reads_each_part(void)
{
	struct help_wire olr = { .len = 0 };
	struct help_wire inner = { .len = 0 };
	struct oc_specific got;

	help_wire_u64(&olr, OC_AVP_SEQUENCE_NUMBER, 1);
	add_simple(&olr, 7, 2, 60);
	for (uint32_t group = 1; group <= OC_SPECIFIC_GROUPS_MAX; group++)
		help_wire_u32_of(&inner, OC_VENDOR_3GPP, OC_AVP3_OC_RATING_GROUP, group);
	help_wire_u32_of(&inner, OC_VENDOR_3GPP, OC_AVP3_OC_REQUEST_TYPE, 1);
	help_wire_u32_of(&inner, OC_VENDOR_3GPP, OC_AVP3_OC_REQUEST_TYPE, 4);
	add_reduction(&olr, &inner);
	CU_ASSERT_TRUE_FATAL(read_olr(&olr, &got));
	CU_ASSERT_EQUAL(got.count, 2);
	CU_ASSERT_EQUAL(got.highest_pct, 60);
	CU_ASSERT_EQUAL(got.reduction[0].group_count, 1);
	CU_ASSERT_EQUAL(got.reduction[0].rating_group[0], 7);
	CU_ASSERT_EQUAL(got.reduction[0].request_types, 1u << 2);
	CU_ASSERT_EQUAL(got.reduction[0].reduction_pct, 60);
	CU_ASSERT_EQUAL(got.reduction[1].group_count, OC_SPECIFIC_GROUPS_MAX);
	CU_ASSERT_EQUAL(got.reduction[1].rating_group[OC_SPECIFIC_GROUPS_MAX - 1], OC_SPECIFIC_GROUPS_MAX);
	CU_ASSERT_EQUAL(got.reduction[1].request_types, 1u << 1 | 1u << 4);
	CU_ASSERT_EQUAL(got.reduction[1].reduction_pct, GENERAL);
}

/* TS 32.299 annex B.2 by hand, M set on all 3GPP AVPs: rating group 100, INITIAL_REQUEST, 80 %. */
static void test_oc_specific_takes_m_set(void)
{
	struct help_wire whole = { .len = 0 };
	struct oc_specific got;

	help_wire_hex(&whole, "0000026f00000050"		 /* OC-OLR */
			      "0000027000000010000000000000000b" /* sequence 11 */
			      "00000528c0000038000028af"	 /* 1320, V and M, 10415 */
			      "00000529c0000010000028af00000064" /* 1321 = 100 */
			      "0000052ac0000010000028af00000001" /* 1322 = 1 */
			      "000002730000000c00000050");	 /* 627 = 80 */
	CU_ASSERT_EQUAL(whole.len, 0x50);
	CU_ASSERT_TRUE_FATAL(oc_specific_read(help_wire_bytes(&whole), GENERAL, &got));
	CU_ASSERT_EQUAL(got.count, 1);
	CU_ASSERT_EQUAL(got.reduction[0].rating_group[0], 100);
	CU_ASSERT_EQUAL(got.reduction[0].request_types, 1u << 1);
	CU_ASSERT_EQUAL(got.reduction[0].reduction_pct, 80);
}

static void test_oc_specific_none_is_there(void)
{
	struct help_wire olr = { .len = 0 };
	struct help_wire tv = { .len = 0 };
	struct oc_specific got;

	CU_ASSERT_FALSE(read_olr(&olr, &got));
	help_wire_hex(&tv, help_wire_tv[4]);
	CU_ASSERT_FALSE(oc_specific_read(help_wire_bytes(&tv), GENERAL, &got));
	help_wire_u32(&olr, OC_AVP3_SPECIFIC_REDUCTION, OC_VENDOR_3GPP); /* base vendor: another AVP */
	help_wire_avp_of(&olr, OC_VENDOR_ETSI, OC_AVP3_SPECIFIC_REDUCTION, NULL, 0);
	CU_ASSERT_FALSE(read_olr(&olr, &got));
	add_simple(&olr, 1, 1, 1);
	CU_ASSERT_TRUE(read_olr(&olr, &got));
	tv.len = 0;
	help_wire_group(&tv, OC_AVP_SUPPORTED_FEATURES, &olr); /* not an OC-OLR */
	CU_ASSERT_FALSE(oc_specific_read(help_wire_bytes(&tv), GENERAL, &got));
	tv.len = 0;
	help_wire_vendor_avp(&tv, OC_AVP_OLR, olr.data, olr.len); /* User-Authorization-Type */
	CU_ASSERT_FALSE(oc_specific_read(help_wire_bytes(&tv), GENERAL, &got));
	CU_ASSERT_FALSE(oc_specific_read((struct oc_bytes){ .len = 0 }, GENERAL, &got));
}

/* Whether a report is read that has a good reduction first and then one made of @inner. */
static bool is_taken(const struct help_wire *inner)
{
	struct help_wire olr = { .len = 0 };
	struct oc_specific got;

	add_simple(&olr, 1, 1, 100);
	add_reduction(&olr, inner);
	return read_olr(&olr, &got);
}

static void test_oc_specific_one_defect_leaves_the_general_percentage(void)
{
	struct help_wire inner = { .len = 0 };

	CU_ASSERT_TRUE(is_taken(&inner));
	help_wire_u32(&inner, OC_AVP_REDUCTION_PERCENTAGE, 100);
	CU_ASSERT_TRUE(is_taken(&inner));
	inner.data[11] = 101;
	CU_ASSERT_FALSE(is_taken(&inner));
	inner.len = 0;
	help_wire_avp(&inner, OC_AVP_REDUCTION_PERCENTAGE, "\0\0\1", 3);
	CU_ASSERT_FALSE(is_taken(&inner));
	for (uint32_t code = OC_AVP3_OC_RATING_GROUP; code <= OC_AVP3_OC_REQUEST_TYPE; code++) {
		inner.len = 0;
		help_wire_vendor_avp(&inner, code, "\0\0\0\1\0", 5);
		CU_ASSERT_FALSE(is_taken(&inner));
	}
	for (uint32_t type = 0; type < 300; type++) {
		inner.len = 0;
		help_wire_u32_of(&inner, OC_VENDOR_3GPP, OC_AVP3_OC_REQUEST_TYPE, type);
		CU_ASSERT_EQUAL(is_taken(&inner), type >= 1 && type <= 4);
	}
	inner.len = 7;
	CU_ASSERT_FALSE(is_taken(&inner));
}

static void test_oc_specific_more_than_fit(void)
{
	struct help_wire olr = { .len = 0 };
	struct help_wire inner = { .len = 0 };
	struct oc_specific got;

	for (unsigned i = 0; i < OC_SPECIFIC_MAX; i++)
		add_simple(&olr, i, 1, i);
	CU_ASSERT_TRUE(read_olr(&olr, &got));
	CU_ASSERT_EQUAL(got.count, OC_SPECIFIC_MAX);
	CU_ASSERT_EQUAL(got.highest_pct, OC_SPECIFIC_MAX - 1);
	add_simple(&olr, 1, 1, 1);
	CU_ASSERT_FALSE(read_olr(&olr, &got));
	for (unsigned i = 0; i < OC_SPECIFIC_GROUPS_MAX; i++)
		help_wire_u32_of(&inner, OC_VENDOR_3GPP, OC_AVP3_OC_RATING_GROUP, i);
	CU_ASSERT_TRUE(is_taken(&inner));
	help_wire_u32_of(&inner, OC_VENDOR_3GPP, OC_AVP3_OC_RATING_GROUP, 1);
	CU_ASSERT_FALSE(is_taken(&inner));
}

static void test_oc_specific_unknown_parts_are_passed_over(void)
{
	struct help_wire inner = { .len = 0 };

	help_wire_avp(&inner, 99999, "abc", 3);
	help_wire_u32(&inner, OC_AVP3_OC_REQUEST_TYPE, 77);			    /* base vendor */
	help_wire_vendor_avp(&inner, OC_AVP_REDUCTION_PERCENTAGE, "\0\0\0\177", 4); /* another AVP */
	CU_ASSERT_TRUE(is_taken(&inner));
}

/* A report that was kept in part only. */
static void test_oc_specific_cut_report_is_not_read(void)
{
	struct help_wire olr = { .len = 0 };
	struct help_wire whole = { .len = 0 };
	struct oc_specific got;

	add_simple(&olr, 7, 2, 60);
	help_wire_group(&whole, OC_AVP_OLR, &olr);
	for (size_t len = 0; len < whole.len; len++)
		CU_ASSERT_FALSE(oc_specific_read((struct oc_bytes){ whole.data, len }, GENERAL, &got));
	CU_ASSERT_TRUE(oc_specific_read(help_wire_bytes(&whole), GENERAL, &got));
}

static struct oc_specific reductions(void)
{
	struct help_wire olr = { .len = 0 };
	struct help_wire inner = { .len = 0 };
	struct oc_specific got;

	help_wire_u32_of(&inner, OC_VENDOR_3GPP, OC_AVP3_OC_RATING_GROUP, 1);
	help_wire_u32_of(&inner, OC_VENDOR_3GPP, OC_AVP3_OC_RATING_GROUP, 2);
	help_wire_u32_of(&inner, OC_VENDOR_3GPP, OC_AVP3_OC_REQUEST_TYPE, 1);
	help_wire_u32(&inner, OC_AVP_REDUCTION_PERCENTAGE, 90);
	help_wire_u32(&inner, OC_AVP_REDUCTION_PERCENTAGE, 40); /* the first counts */
	add_reduction(&olr, &inner);
	add_simple(&olr, 2, NONE, 50);
	add_simple(&olr, NONE, 4, 0);
	CU_ASSERT_TRUE(read_olr(&olr, &got));
	return got;
}

static void test_oc_specific_first_match_counts_else_the_general(void)
{
	static const struct {
		uint8_t type;
		uint8_t count;
		uint32_t groups[3];
		bool has_more;
		uint8_t want;
	} cases[] = {
		{ 1, 1, { 1 }, false, 90 },
		{ 1, 2, { 2, 1 }, false, 90 },
		{ 1, 3, { 1, 2, 3 }, false, GENERAL }, /* one group is not restricted */
		{ 1, 2, { 1, 2 }, true, GENERAL },     /* nor is one that was not read */
		{ 1, 0, { 0 }, false, GENERAL },
		{ 2, 1, { 1 }, false, GENERAL },
		{ 2, 1, { 2 }, false, 50 },
		{ 1, 1, { 2 }, false, 90 }, /* the second would match as well */
		{ 0, 1, { 2 }, false, 50 },
		{ 0, 1, { 1 }, false, GENERAL }, /* no CC-Request-Type: in no list */
		{ 4, 0, { 0 }, false, 0 },
		{ 4, 3, { 8, 9, 10 }, true, 0 },
		{ 4, 1, { 2 }, false, 50 },
		{ 3, 0, { 0 }, false, GENERAL },
	};
	struct oc_specific specific = reductions();

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct oc_msg request = { .app_id = OC_APP_GY,
					  .cc_request_type = cases[i].type,
					  .rating_group_count = cases[i].count,
					  .has_more_rating_groups = cases[i].has_more };
		memcpy(request.rating_group, cases[i].groups, sizeof(cases[i].groups));
		CU_ASSERT_EQUAL(oc_specific_pct(&specific, &request, GENERAL), cases[i].want);
	}
}

static void test_oc_specific_without_any_the_general_counts(void)
{
	struct oc_specific none = { .count = 0 };
	struct oc_msg request = { .cc_request_type = 1 };

	CU_ASSERT_EQUAL(oc_specific_pct(&none, &request, GENERAL), GENERAL);
}

void test_oc_specific_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_specific", NULL, NULL);
	CU_add_test(suite, "C-13 reads_each_part", test_oc_specific_reads_each_part);
	CU_add_test(suite, "takes_m_set", test_oc_specific_takes_m_set);
	CU_add_test(suite, "none_is_there", test_oc_specific_none_is_there);
	CU_add_test(suite, "C-13 one_defect_leaves_the_general_percentage",
		    test_oc_specific_one_defect_leaves_the_general_percentage);
	CU_add_test(suite, "more_than_fit", test_oc_specific_more_than_fit);
	CU_add_test(suite, "D-264 C-12 unknown_parts_are_passed_over",
		    test_oc_specific_unknown_parts_are_passed_over);
	CU_add_test(suite, "D-263 cut_report_is_not_read", test_oc_specific_cut_report_is_not_read);
	CU_add_test(suite, "C-13 first_match_counts_else_the_general",
		    test_oc_specific_first_match_counts_else_the_general);
	CU_add_test(suite, "C-13 without_any_the_general_counts",
		    test_oc_specific_without_any_the_general_counts);
}
