/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of what the scanner takes from an application's own AVPs: hints, APN, rating groups, and from whom not.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/oc_err.h"
#include "help_wire_scan.h"

#define CC 272u
#define RE_AUTH 258u
#define AA 265u
#define USER_AUTHORIZATION 300u
#define SERVER_ASSIGNMENT 301u
#define UPDATE_LOCATION 316u
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

void test_oc_msg_hints_suite(void);

/* One AVP of a vendor in one message. */
struct row {
	uint32_t app_id;
	uint32_t command;
	uint32_t vendor;
	uint32_t code;
	const char *value;
	size_t len;
	uint16_t hints;
};

#define U32(octet) "\0\0\0" octet, 4
#define TEXT(text) text, sizeof(text) - 1

static const struct row rows[] = {
	{ OC_APP_RX, AA, 10415, 525, TEXT("sos"), OC_HINT_EMERGENCY },
	{ OC_APP_RX, AA, 10415, 525, TEXT("SoS.Fire"), OC_HINT_EMERGENCY },
	{ OC_APP_RX, AA, 10415, 525, TEXT("sos."), OC_HINT_EMERGENCY },
	{ OC_APP_RX, AA, 10415, 525, TEXT("sosial"), 0 },
	{ OC_APP_RX, AA, 10415, 525, TEXT("so"), 0 },
	{ OC_APP_RX, AA, 10415, 525, TEXT(""), 0 },
	{ OC_APP_RX, AA, 10415, 525, TEXT("xos"), 0 },
	{ OC_APP_RX, AA, 10415, 525, TEXT("sxs"), 0 },
	{ OC_APP_RX, AA, 10415, 525, TEXT("sox"), 0 },
	{ OC_APP_RX, AA, 10415, 528, TEXT("mps.example"), OC_HINT_MPS },
	{ OC_APP_RX, AA, 10415, 528, TEXT(""), OC_HINT_MPS },
	{ OC_APP_RX, AA, 10415, 533, U32("\0"), OC_HINT_RX_INITIAL },
	{ OC_APP_RX, AA, 10415, 533, U32("\1"), OC_HINT_RX_UPDATE },
	{ OC_APP_RX, AA, 10415, 533, U32("\2"), 0 },
	{ OC_APP_RX, AA, 10415, 533, "\0\0\1", 3, 0 },
	{ OC_APP_CX, USER_AUTHORIZATION, 10415, 637, U32("\1"), OC_HINT_EMERGENCY },
	{ OC_APP_CX, USER_AUTHORIZATION, 10415, 637, U32("\3"), OC_HINT_EMERGENCY },
	{ OC_APP_CX, USER_AUTHORIZATION, 10415, 637, U32("\2"), 0 },
	{ OC_APP_CX, SERVER_ASSIGNMENT, 10415, 614, U32("\4"), OC_HINT_DEREGISTERS },
	{ OC_APP_CX, SERVER_ASSIGNMENT, 10415, 614, U32("\5"), OC_HINT_DEREGISTERS },
	{ OC_APP_SWX, SERVER_ASSIGNMENT, 10415, 614, U32("\10"), OC_HINT_DEREGISTERS },
	{ OC_APP_CX, SERVER_ASSIGNMENT, 10415, 614, U32("\1"), 0 },
	{ OC_APP_CX, SERVER_ASSIGNMENT, 10415, 614, U32("\6"), 0 },
	{ OC_APP_CX, SERVER_ASSIGNMENT, 10415, 614, U32("\44"), 0 }, /* 36 = 32 + 4 */
	{ OC_APP_GX, RE_AUTH, 10415, 1045, U32("\0"), OC_HINT_RELEASES },
	{ OC_APP_GXX, RE_AUTH, 10415, 1045, U32("\2"), OC_HINT_RELEASES },
	{ OC_APP_S6A, UPDATE_LOCATION, 10415, 1405, U32("\40"), OC_HINT_INITIAL_ATTACH },
	{ OC_APP_S6A, UPDATE_LOCATION, 10415, 1405, U32("\337"), 0 }, /* all but bit 5 */
	{ OC_APP_S9, CC, 10415, 2201, "\0\0\10\233\200\0\0\20\0\0\50\257\0\0\0\1", 16,
	  OC_HINT_NEW_SUBSESSION },
	{ OC_APP_S9, CC, 10415, 2201, "\0\0\10\233\200\0\0\20\0\0\50\257\0\0\0\2", 16, 0 },
	{ OC_APP_S9, CC, 10415, 2201, "\0\0\10\233\200\0\0\20\0\0\50\257\0\0\0", 15, 0 },
	{ OC_APP_S9, CC, 10415, 2201, "\0\0\10\233\0\0\0\14\0\0\0\1", 12, 0 }, /* no vendor */
	{ OC_APP_S9, CC, 10415, 2201, NULL, 0, 0 },
	{ OC_APP_S9, CC, 10415, 2203, U32("\1"), 0 }, /* outside the group */
};

/* Scans a message with the AVP of @row and one base AVP after it. */
static void scan_row(struct help_scan *got, const struct row *row, uint8_t flags)
{
	struct help_wire wire;

	help_wire_begin_command(&wire, flags, row->command, row->app_id);
	if (row->vendor != 0)
		help_wire_avp_of(&wire, row->vendor, row->code, row->value, row->len);
	else
		help_wire_avp(&wire, row->code, row->value, row->len);
	help_wire_text(&wire, OC_AVP_ORIGIN_HOST, "af.example.net");
	help_wire_end(&wire);
	help_scan(got, &wire);
	CU_ASSERT_EQUAL(got->err, OC_OK);
	CU_ASSERT_STRING_EQUAL(help_scan_text(got, got->msg.origin_host), "af.example.net");
	oc_names_free(got->names);
}

static void test_oc_msg_hints_of_each_avp(void)
{
	for (unsigned i = 0; i < COUNT(rows); i++) {
		struct help_scan got;
		scan_row(&got, &rows[i], OC_FLAG_REQUEST);
		CU_ASSERT_EQUAL(got.msg.hints, rows[i].hints);
		CU_ASSERT_EQUAL(got.msg.reservation_priority, 0);
	}
}

static void test_oc_msg_hints_only_in_requests(void)
{
	for (unsigned i = 0; i < COUNT(rows); i++) {
		struct help_scan got;
		scan_row(&got, &rows[i], 0);
		CU_ASSERT_EQUAL(got.msg.hints, 0);
	}
}

static void test_oc_msg_hints_of_no_other_vendor(void)
{
	static const uint32_t vendors[] = { 0, 13019, 10414, 9 };

	for (unsigned i = 0; i < COUNT(rows); i++) {
		for (unsigned v = 0; v < COUNT(vendors); v++) {
			struct help_scan got;
			struct row row = rows[i];
			row.vendor = vendors[v];
			scan_row(&got, &row, OC_FLAG_REQUEST);
			CU_ASSERT_EQUAL(got.msg.hints, 0);
		}
	}
}

/* The AVP of one application's message means nothing in another's. */
static void test_oc_msg_hints_of_no_other_message(void)
{
	for (unsigned i = 0; i < COUNT(rows); i++) {
		for (unsigned j = 0; j < COUNT(rows); j++) {
			struct help_scan got;
			struct row row = rows[i];
			row.app_id = rows[j].app_id;
			row.command = rows[j].command;
			if (row.app_id == rows[i].app_id && row.command == rows[i].command)
				continue;
			if (row.code == 614 && row.command == SERVER_ASSIGNMENT) /* Cx and SWx */
				continue;
			if (row.code == 1045 && row.command == RE_AUTH) /* Gx and Gxx */
				continue;
			scan_row(&got, &row, OC_FLAG_REQUEST);
			CU_ASSERT_EQUAL(got.msg.hints, 0);
		}
	}
}

static void test_oc_msg_hints_need_their_command(void)
{
	for (unsigned i = 0; i < COUNT(rows); i++) {
		struct help_scan got;
		struct row row = rows[i];
		row.command = 999;
		scan_row(&got, &row, OC_FLAG_REQUEST);
		CU_ASSERT_EQUAL(got.msg.hints, 0);
	}
}

static void test_oc_msg_hints_first_of_each_counts(void)
{
	struct help_wire wire;
	struct help_scan got;

	help_wire_begin_command(&wire, OC_FLAG_REQUEST, AA, OC_APP_RX);
	help_wire_u32_of(&wire, OC_VENDOR_3GPP, OC_AVP3_RX_REQUEST_TYPE, 1);
	help_wire_u32_of(&wire, OC_VENDOR_3GPP, OC_AVP3_RX_REQUEST_TYPE, 0);
	help_wire_avp_of(&wire, OC_VENDOR_3GPP, OC_AVP3_SERVICE_URN, "counseling", 10);
	help_wire_avp_of(&wire, OC_VENDOR_3GPP, OC_AVP3_SERVICE_URN, "sos", 3);
	help_wire_u32_of(&wire, OC_VENDOR_ETSI, OC_AVPE_RESERVATION_PRIORITY, 7);
	help_wire_u32_of(&wire, OC_VENDOR_ETSI, OC_AVPE_RESERVATION_PRIORITY, 9);
	help_wire_end(&wire);
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.msg.hints, OC_HINT_RX_UPDATE);
	CU_ASSERT_EQUAL(got.msg.reservation_priority, 7);
	oc_names_free(got.names);
}

static void test_oc_msg_hints_one_new_subsession_is_enough(void)
{
	struct help_wire wire;
	struct help_wire update = { .len = 0 };
	struct help_wire establish = { .len = 0 };
	struct help_scan got;

	help_wire_u32_of(&update, OC_VENDOR_3GPP, 2202, 1);
	help_wire_u32_of(&update, OC_VENDOR_3GPP, OC_AVP3_SUBSESSION_OPERATION, 2);
	help_wire_u32_of(&establish, OC_VENDOR_3GPP, 2202, 2);
	help_wire_u32_of(&establish, OC_VENDOR_3GPP, OC_AVP3_SUBSESSION_OPERATION, 1);
	help_wire_begin(&wire, OC_FLAG_REQUEST, OC_APP_S9);
	help_wire_avp_of(&wire, OC_VENDOR_3GPP, OC_AVP3_SUBSESSION_INFO, update.data, update.len);
	help_wire_avp_of(&wire, OC_VENDOR_3GPP, OC_AVP3_SUBSESSION_INFO, establish.data, establish.len);
	help_wire_avp_of(&wire, OC_VENDOR_3GPP, OC_AVP3_SUBSESSION_INFO, update.data, update.len);
	help_wire_end(&wire);
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.msg.hints, OC_HINT_NEW_SUBSESSION);
	oc_names_free(got.names);
}

/* Priority of an AAR that carries 458 of @vendor. */
static uint8_t reservation(uint32_t vendor, uint32_t value)
{
	struct help_wire wire;
	struct help_scan got;

	help_wire_begin_command(&wire, OC_FLAG_REQUEST, AA, OC_APP_RX);
	help_wire_u32_of(&wire, vendor, OC_AVPE_RESERVATION_PRIORITY, value);
	help_wire_end(&wire);
	help_scan(&got, &wire);
	oc_names_free(got.names);
	return got.msg.reservation_priority;
}

static void test_oc_msg_hints_reservation_priority_is_of_etsi(void)
{
	CU_ASSERT_EQUAL(reservation(OC_VENDOR_ETSI, 15), 15);
	CU_ASSERT_EQUAL(reservation(OC_VENDOR_ETSI, 16), 0);
	CU_ASSERT_EQUAL(reservation(OC_VENDOR_3GPP, 15), 0);
	CU_ASSERT_EQUAL(reservation(0, 15), 0); /* V set, Vendor-Id 0 */
}

/* Hints of a request, or drmp, that carries DRMP values @value of @len octets. */
static struct oc_msg with_drmp(uint8_t flags, const char *value, size_t len)
{
	struct help_wire wire;
	struct help_scan got;

	help_wire_begin(&wire, flags, OC_APP_GX);
	help_wire_avp(&wire, OC_AVP_DRMP, value, len);
	help_wire_u32(&wire, OC_AVP_DRMP, 3); /* a second one never counts */
	help_wire_end(&wire);
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.err, OC_OK);
	oc_names_free(got.names);
	return got.msg;
}

static void test_oc_msg_hints_odd_drmp_counts_as_absent(void)
{
	struct oc_msg msg = with_drmp(OC_FLAG_REQUEST, U32("\143")); /* 99 */
	CU_ASSERT_EQUAL(msg.drmp, OC_DRMP_NONE);
	CU_ASSERT_EQUAL(msg.hints, OC_HINT_DRMP | OC_HINT_DRMP_ODD);
	msg = with_drmp(OC_FLAG_REQUEST, U32("\20"));
	CU_ASSERT_EQUAL(msg.hints, OC_HINT_DRMP | OC_HINT_DRMP_ODD);
	msg = with_drmp(OC_FLAG_REQUEST, U32("\377"));
	CU_ASSERT_EQUAL(msg.hints, OC_HINT_DRMP | OC_HINT_DRMP_ODD);
	msg = with_drmp(OC_FLAG_REQUEST, "\0\0\1", 3);
	CU_ASSERT_EQUAL(msg.drmp, OC_DRMP_NONE);
	CU_ASSERT_EQUAL(msg.hints, OC_HINT_DRMP | OC_HINT_DRMP_ODD);
	msg = with_drmp(OC_FLAG_REQUEST, U32("\17"));
	CU_ASSERT_EQUAL(msg.drmp, 15);
	CU_ASSERT_EQUAL(msg.hints, OC_HINT_DRMP);
	msg = with_drmp(0, U32("\1"));
	CU_ASSERT_EQUAL(msg.drmp, 1);
	CU_ASSERT_EQUAL(msg.hints,
			OC_HINT_DRMP); /* an answer's DRMP is stripped or passed like a request's (P-19) */
}

static void test_oc_msg_hints_drmp_is_of_the_base_vendor(void)
{
	struct help_wire wire;
	struct help_scan got;

	help_wire_begin(&wire, OC_FLAG_REQUEST, OC_APP_GX);
	help_wire_hex(&wire, "0000012d4000000c00000005"); /* 301, M set, PRIORITY_5 */
	help_wire_end(&wire);
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.msg.drmp, 5);
	oc_names_free(got.names);
	help_wire_begin(&wire, OC_FLAG_REQUEST, OC_APP_CX);
	help_wire_u32_of(&wire, OC_VENDOR_3GPP, 301, 5); /* Authentication-Information-SIM */
	help_wire_u32_of(&wire, OC_VENDOR_ETSI, 301, 5); /* Address-Realm */
	help_wire_end(&wire);
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.msg.drmp, OC_DRMP_NONE);
	CU_ASSERT_EQUAL(got.msg.hints, 0);
	oc_names_free(got.names);
}

/* APN of a request whose first Called-Station-Id has @len octets. */
static uint8_t apn_len(size_t len)
{
	struct help_wire wire;
	struct help_scan got;
	char text[OC_MSG_APN_MAX + 2];

	memset(text, 'a', sizeof(text));
	help_wire_begin(&wire, OC_FLAG_REQUEST, OC_APP_GX);
	help_wire_vendor_avp(&wire, OC_AVP_CALLED_STATION_ID, "other", 5);
	help_wire_avp(&wire, OC_AVP_CALLED_STATION_ID, text, len);
	help_wire_text(&wire, OC_AVP_CALLED_STATION_ID, "sos");
	help_wire_end(&wire);
	help_scan(&got, &wire);
	oc_names_free(got.names);
	CU_ASSERT_EQUAL(memcmp(got.msg.apn, text, got.msg.apn_len), 0);
	return got.msg.apn_len;
}

static void test_oc_msg_hints_apn_fits_or_is_left_out(void)
{
	CU_ASSERT_EQUAL(apn_len(0), 0);
	CU_ASSERT_EQUAL(apn_len(1), 1);
	CU_ASSERT_EQUAL(apn_len(OC_MSG_APN_MAX), OC_MSG_APN_MAX);
	CU_ASSERT_EQUAL(apn_len(OC_MSG_APN_MAX + 1), 0);
}

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

static void test_oc_msg_hints_rating_groups_of_gy(void)
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

static void test_oc_msg_hints_mscc_without_group_is_told(void)
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

static void test_oc_msg_hints_rating_groups_of_no_other(void)
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

static void test_oc_msg_hints_wanted_vendor_avp_may_be_broken(void)
{
	struct help_wire wire;
	struct help_scan got;

	help_wire_begin_command(&wire, OC_FLAG_REQUEST, AA, OC_APP_RX);
	help_wire_u32_of(&wire, OC_VENDOR_3GPP, OC_AVP3_RX_REQUEST_TYPE, 1);
	size_t at = wire.len;
	help_wire_avp(&wire, OC_AVP3_MPS_IDENTIFIER, NULL, 0);
	wire.data[at + 4] = 0x80; /* a vendor is announced and not there */
	help_wire_end(&wire);
	help_scan(&got, &wire);
	CU_ASSERT_EQUAL(got.err, OC_EMALFORMED);
	CU_ASSERT_EQUAL(got.msg.hints, OC_HINT_RX_UPDATE);
	oc_names_free(got.names);
}

void test_oc_msg_hints_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_msg_hints", NULL, NULL);
	CU_add_test(suite, "C-8 C-9 each_avp", test_oc_msg_hints_of_each_avp);
	CU_add_test(suite, "only_in_requests", test_oc_msg_hints_only_in_requests);
	CU_add_test(suite, "C-11 of_no_other_vendor", test_oc_msg_hints_of_no_other_vendor);
	CU_add_test(suite, "of_no_other_message", test_oc_msg_hints_of_no_other_message);
	CU_add_test(suite, "need_their_command", test_oc_msg_hints_need_their_command);
	CU_add_test(suite, "first_of_each_counts", test_oc_msg_hints_first_of_each_counts);
	CU_add_test(suite, "C-3 one_new_subsession_is_enough",
		    test_oc_msg_hints_one_new_subsession_is_enough);
	CU_add_test(suite, "C-9 C-11 reservation_priority_is_of_etsi",
		    test_oc_msg_hints_reservation_priority_is_of_etsi);
	CU_add_test(suite, "P-23 odd_drmp_counts_as_absent", test_oc_msg_hints_odd_drmp_counts_as_absent);
	CU_add_test(suite, "P-17 drmp_is_of_the_base_vendor", test_oc_msg_hints_drmp_is_of_the_base_vendor);
	CU_add_test(suite, "apn_fits_or_is_left_out", test_oc_msg_hints_apn_fits_or_is_left_out);
	CU_add_test(suite, "rating_groups_of_gy", test_oc_msg_hints_rating_groups_of_gy);
	CU_add_test(suite, "mscc_without_group_is_told", test_oc_msg_hints_mscc_without_group_is_told);
	CU_add_test(suite, "rating_groups_of_no_other", test_oc_msg_hints_rating_groups_of_no_other);
	CU_add_test(suite, "wanted_vendor_avp_may_be_broken",
		    test_oc_msg_hints_wanted_vendor_avp_may_be_broken);
}
