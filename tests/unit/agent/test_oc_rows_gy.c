/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Reductions of a Gy report for some requests only, from the octets of an answer to the requests refused (TS 32.299 annex B.2).
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/oc_err.h"
#include "help_hop.h"
#include "help_wire.h"

void test_oc_rows_gy_suite(void);

#define C1 "c1.example.net"
#define C2 "c2.example.net"
#define OCS "ocs.example.net" /* an Online Charging System, not a control state */

static const char *const ocs[] = { OCS };

/* An answer of the OCS: 10 % in general, 60 % of what begins a session, 100 % of rating group 7 in updates. */
static struct oc_msg gy_answer(struct help_core *core)
{
	struct help_wire wire, begins = { .len = 0 }, group = { .len = 0 }, olr = { .len = 0 };
	struct help_wire features = { .len = 0 };
	struct oc_msg msg = { 0 };

	help_wire_u64(&olr, OC_AVP_SEQUENCE_NUMBER, 1);
	help_wire_u32(&olr, OC_AVP_REPORT_TYPE, OC_REPORT_HOST);
	help_wire_u32(&olr, OC_AVP_REDUCTION_PERCENTAGE, 10);
	help_wire_u32_of(&begins, OC_VENDOR_3GPP, OC_AVP3_OC_REQUEST_TYPE, 1);
	help_wire_u32(&begins, OC_AVP_REDUCTION_PERCENTAGE, 60);
	help_wire_avp_of(&olr, OC_VENDOR_3GPP, OC_AVP3_SPECIFIC_REDUCTION, begins.data, begins.len);
	help_wire_u32_of(&group, OC_VENDOR_3GPP, OC_AVP3_OC_RATING_GROUP, 7);
	help_wire_u32_of(&group, OC_VENDOR_3GPP, OC_AVP3_OC_REQUEST_TYPE, 2);
	help_wire_u32(&group, OC_AVP_REDUCTION_PERCENTAGE, 100);
	help_wire_avp_of(&olr, OC_VENDOR_3GPP, OC_AVP3_SPECIFIC_REDUCTION, group.data, group.len);
	help_wire_u64(&features, OC_AVP_FEATURE_VECTOR, OC_FV_LOSS);
	help_wire_begin(&wire, 0x40, OC_APP_GY);
	help_wire_text(&wire, OC_AVP_ORIGIN_HOST, OCS);
	help_wire_text(&wire, OC_AVP_ORIGIN_REALM, "example.net");
	help_wire_u32(&wire, OC_AVP_RESULT_CODE, OC_RC_SUCCESS);
	help_wire_group(&wire, OC_AVP_SUPPORTED_FEATURES, &features);
	help_wire_group(&wire, OC_AVP_OLR, &olr);
	help_wire_end(&wire);
	CU_ASSERT_EQUAL_FATAL(oc_msg_scan(help_wire_bytes(&wire), core->names, NULL, &msg, NULL), OC_OK);
	return msg;
}

/* A CCR for @group (0: none). */
static struct oc_msg ccr(struct help_core *core, uint8_t request_type, uint32_t group)
{
	struct oc_msg msg = help_request(core, OCS);

	msg.app_id = OC_APP_GY;
	msg.cc_request_type = request_type;
	msg.rating_group_count = group != 0;
	msg.rating_group[0] = group;
	return msg;
}

/* A client that reacts itself gets the report whole: neither stripped nor written anew. */
static void test_a_doic_client_gets_it_whole(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg request = ccr(core, 1, 0), answer = gy_answer(core);

	help_hop_say(core, &request, OC_FV_LOSS, NULL, 0);
	struct help_hop hop = help_hop_pair(core, &request, C1, OCS, &answer);
	CU_ASSERT_FALSE(hop.edit.strip_all_olr);
	CU_ASSERT_EQUAL(hop.edit.strip_olr & 1, 0);
	CU_ASSERT_EQUAL(hop.edit.own_count, 0);
	CU_ASSERT_EQUAL(help_hop_many(core, &request, C1, ocs, NULL, 1, 100).refused, 0);
	help_core_free(core);
}

/* For a plain one each request is treated by what was asked of its like. */
static void test_a_plain_clients_requests_go_by_their_kind(void)
{
	static const struct {
		uint8_t request_type;
		uint32_t group;
		uint32_t refused;
	} kinds[] = { { 1, 0, 600 }, { 1, 7, 600 }, { 2, 7, 1000 },
		      { 2, 8, 100 }, { 3, 7, 100 }, { 4, 0, 100 } };

	for (uint32_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct help_core *core = help_core_new();
		struct oc_msg first = ccr(core, 3, 0), answer = gy_answer(core);
		struct oc_msg request = ccr(core, kinds[i].request_type, kinds[i].group);
		help_hop_pair(core, &first, C2, OCS, &answer);
		struct help_hop_counts counts = help_hop_many(core, &request, C2, ocs, NULL, 1, 1000);
		CU_ASSERT_TRUE(counts.refused + 1 >= kinds[i].refused &&
			       counts.refused <= kinds[i].refused + 1);
		CU_ASSERT_EQUAL(counts.result_code, OC_RC_UNABLE_TO_COMPLY);
		help_core_free(core);
	}
}

/* The last usage report of a session goes when nothing else can. */
static void test_ends_of_sessions_go_last(void)
{
	struct help_core *core = help_core_new();
	struct oc_msg end = ccr(core, 3, 0), update = ccr(core, 2, 0), answer = help_answer(core, OCS);
	uint32_t ends = 0, updates = 0;

	answer.app_id = OC_APP_GY;
	help_olr(&answer, OC_REPORT_HOST, 1, 50, 600);
	help_hop_pair(core, &update, C2, OCS, &answer);
	for (uint32_t i = 0; i < 1000; i++) {
		ends += help_hop_many(core, &end, C2, ocs, NULL, 1, 1).refused;
		updates += help_hop_many(core, &update, C2, ocs, NULL, 1, 1).refused;
	}
	CU_ASSERT_TRUE(ends <= 10);
	CU_ASSERT_TRUE(ends + updates >= 990 && ends + updates <= 1001);
	help_core_free(core);
}

void test_oc_rows_gy_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_rows_gy", NULL, NULL);
	CU_add_test(suite, "C-12 a_doic_client_gets_it_whole", test_a_doic_client_gets_it_whole);
	CU_add_test(suite, "C-13 C-14 a_plain_clients_requests_go_by_their_kind",
		    test_a_plain_clients_requests_go_by_their_kind);
	CU_add_test(suite, "C-15 D-271 ends_of_sessions_go_last", test_ends_of_sessions_go_last);
}
