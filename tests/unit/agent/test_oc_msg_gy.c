/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the rating groups the scanner takes from Gy requests: all of them, or a mark that there are more.
 */
#include <CUnit/CUnit.h>

#include "agent/oc_err.h"
#include "help_wire_scan.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

void test_oc_msg_gy_suite(void);

/* Adds an MSCC with @count rating groups from @first on. */
static void add_mscc(struct help_wire *wire, uint32_t first, unsigned count)
{
	struct help_wire inner = { .len = 0 };

	help_wire_vendor_avp(&inner, OC_AVP_RATING_GROUP, "\0\0\0\11", 4);
	help_wire_avp(&inner, 437, NULL, 0); /* Requested-Service-Unit */
	for (unsigned i = 0; i < count; i++)
		help_wire_u32(&inner, OC_AVP_RATING_GROUP, first + i);
	help_wire_group(wire, OC_AVP_MSCC, &inner);
}

static void test_oc_msg_gy_rating_groups_are_kept(void)
{
	struct help_wire wire;
	struct help_scan got;

	help_wire_begin(&wire, OC_FLAG_REQUEST, OC_APP_GY);
	for (uint32_t i = 0; i < OC_MSG_RATING_GROUPS_MAX; i++)
		add_mscc(&wire, 100 + i, 1);
	help_wire_end(&wire);
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.msg.rating_group_count, OC_MSG_RATING_GROUPS_MAX);
	CU_ASSERT_FALSE(got.msg.has_more_rating_groups);
	for (uint32_t i = 0; i < OC_MSG_RATING_GROUPS_MAX; i++)
		CU_ASSERT_EQUAL(got.msg.rating_group[i], 100 + i);
	oc_names_free(got.names);
	add_mscc(&wire, 900, 1); /* one too many */
	help_wire_end(&wire);
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.msg.rating_group_count, OC_MSG_RATING_GROUPS_MAX);
	CU_ASSERT_TRUE(got.msg.has_more_rating_groups);
	oc_names_free(got.names);
}

static void test_oc_msg_gy_mscc_without_group_is_told(void)
{
	static const char *const odd[] = { "", "000001b00000000a00010000", "000001b00000000c000000", "00" };

	for (unsigned i = 0; i < COUNT(odd); i++) {
		struct help_wire wire;
		struct help_wire inner = { .len = 0 };
		struct help_scan got;
		help_wire_begin(&wire, OC_FLAG_REQUEST, OC_APP_GY);
		add_mscc(&wire, 1, 1);
		help_wire_hex(&inner, odd[i]);
		help_wire_group(&wire, OC_AVP_MSCC, &inner);
		help_wire_end(&wire);
		help_scan(&got, &wire);
		CU_ASSERT_EQUAL(got.err, OC_OK);
		CU_ASSERT_EQUAL(got.msg.rating_group_count, 1);
		CU_ASSERT_TRUE(got.msg.has_more_rating_groups);
		oc_names_free(got.names);
	}
}

static void test_oc_msg_gy_group_before_a_defect_is_not_all(void)
{
	struct help_wire wire;
	struct help_wire inner = { .len = 0 };
	struct help_scan got;

	help_wire_u32(&inner, OC_AVP_RATING_GROUP, 5);
	help_wire_hex(&inner, "000001b0");
	help_wire_begin(&wire, OC_FLAG_REQUEST, OC_APP_GY);
	help_wire_group(&wire, OC_AVP_MSCC, &inner);
	help_wire_end(&wire);
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.msg.rating_group_count, 1);
	CU_ASSERT_TRUE(got.msg.has_more_rating_groups);
	oc_names_free(got.names);
}

static void test_oc_msg_gy_rating_groups_of_no_other(void)
{
	static const struct {
		uint32_t app_id;
		uint8_t flags;
	} others[] = { { OC_APP_GX, OC_FLAG_REQUEST }, { OC_APP_GY, 0 } };

	for (unsigned i = 0; i < COUNT(others); i++) {
		struct help_wire wire;
		struct help_scan got;
		help_wire_begin(&wire, others[i].flags, others[i].app_id);
		add_mscc(&wire, 1, 1);
		add_mscc(&wire, 1, 0);
		help_wire_end(&wire);
		help_scan(&got, &wire);
		CU_ASSERT_EQUAL(got.msg.rating_group_count, 0);
		CU_ASSERT_FALSE(got.msg.has_more_rating_groups);
		oc_names_free(got.names);
	}
}

void test_oc_msg_gy_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_msg_gy", NULL, NULL);
	CU_add_test(suite, "C-13 rating_groups_are_kept", test_oc_msg_gy_rating_groups_are_kept);
	CU_add_test(suite, "mscc_without_group_is_told", test_oc_msg_gy_mscc_without_group_is_told);
	CU_add_test(suite, "group_before_a_defect_is_not_all",
		    test_oc_msg_gy_group_before_a_defect_is_not_all);
	CU_add_test(suite, "rating_groups_of_no_other", test_oc_msg_gy_rating_groups_of_no_other);
}
