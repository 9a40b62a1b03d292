/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of class and rank: every stage of spec section 3.3, and the order of decision of section 3.4.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/doic/oc_prio.h"
#include "help_core.h"

void test_oc_prio_suite(void);

#define NONE OC_DRMP_NONE
#define APP_SY 16777302u     /* the core has no rows for it */
#define APP_OLD_GX 16777224u /* Gx of release 6 */

static const struct oc_prio_session no_session = { 0 };

static struct oc_prio_policy policy_of_priorities(void)
{
	struct oc_policy policy;

	oc_policy_init(&policy);
	return policy.priorities;
}

static struct oc_msg request_of(uint32_t app_id, uint32_t command, uint8_t cc_request_type, uint16_t hints)
{
	return (struct oc_msg){ .app_id = app_id,
				.command = command,
				.flags = 0xc0,
				.drmp = NONE,
				.cc_request_type = cc_request_type,
				.hints = hints };
}

static struct oc_msg request_to_apn(uint32_t app_id, const char *apn)
{
	struct oc_msg msg = request_of(app_id, 272, 1, 0);

	msg.apn_len = (uint8_t)strlen(apn);
	memcpy(msg.apn, apn, msg.apn_len);
	return msg;
}

static void assert_prio(const struct oc_prio_policy *policy, const struct oc_msg *msg, uint8_t drmp,
			uint8_t klass, uint8_t rank)
{
	struct oc_prio prio = oc_prio_of(policy, msg, drmp, &no_session);

	CU_ASSERT_EQUAL(prio.klass, klass);
	CU_ASSERT_EQUAL(prio.rank, rank);
	CU_ASSERT_FALSE(prio.is_inherited);
}

/* Spec section 3.3, line by line, then Gxx and SWx by analogy and what is in no line. */
static const struct {
	uint32_t app_id;
	uint32_t command;
	uint8_t cc_request_type;
	uint16_t hints;
	bool is_known;
	enum oc_stage stage;
} lines[] = {
	{ OC_APP_GX, 272, 1, 0, false, OC_STAGE_BINDING },
	{ OC_APP_GX, 272, 2, 0, true, OC_STAGE_INSIDE },
	{ OC_APP_GX, 272, 2, 0, false, OC_STAGE_INSIDE },
	{ OC_APP_GX, 272, 3, 0, true, OC_STAGE_END },
	{ OC_APP_GX, 272, 0, 0, false, OC_STAGE_UNKNOWN },
	{ OC_APP_GX, 272, 4, 0, false, OC_STAGE_UNKNOWN },
	{ OC_APP_GX, 258, 0, 0, true, OC_STAGE_INSIDE },
	{ OC_APP_GX, 258, 0, OC_HINT_RELEASES, true, OC_STAGE_END },
	{ OC_APP_RX, 265, 0, 0, false, OC_STAGE_INITIAL },
	{ OC_APP_RX, 265, 0, OC_HINT_RX_INITIAL, true, OC_STAGE_INITIAL },
	{ OC_APP_RX, 265, 0, 0, true, OC_STAGE_INSIDE },
	{ OC_APP_RX, 265, 0, OC_HINT_RX_UPDATE, false, OC_STAGE_INSIDE },
	{ OC_APP_RX, 275, 0, 0, true, OC_STAGE_END },
	{ OC_APP_RX, 258, 0, 0, true, OC_STAGE_INSIDE },
	{ OC_APP_RX, 274, 0, 0, true, OC_STAGE_END },
	{ OC_APP_S9, 272, 1, 0, false, OC_STAGE_INITIAL },
	{ OC_APP_S9, 272, 2, 0, true, OC_STAGE_INSIDE },
	{ OC_APP_S9, 272, 2, OC_HINT_NEW_SUBSESSION, true, OC_STAGE_INITIAL },
	{ OC_APP_S9, 272, 3, 0, true, OC_STAGE_END },
	{ OC_APP_S9, 272, 3, OC_HINT_NEW_SUBSESSION, true, OC_STAGE_END },
	{ OC_APP_S9, 258, 0, 0, true, OC_STAGE_INSIDE },
	{ OC_APP_GY, 272, 1, 0, false, OC_STAGE_INITIAL },
	{ OC_APP_GY, 272, 2, 0, true, OC_STAGE_INSIDE },
	{ OC_APP_GY, 272, 3, 0, true, OC_STAGE_END },
	{ OC_APP_GY, 272, 4, 0, false, OC_STAGE_UNKNOWN },
	{ OC_APP_GY, 258, 0, 0, true, OC_STAGE_INSIDE },
	{ OC_APP_GY, 274, 0, 0, true, OC_STAGE_END },
	{ OC_APP_S6A, 318, 0, 0, false, OC_STAGE_INITIAL },
	{ OC_APP_S6A, 316, 0, OC_HINT_INITIAL_ATTACH, false, OC_STAGE_INITIAL },
	{ OC_APP_S6A, 316, 0, 0, false, OC_STAGE_INSIDE },
	{ OC_APP_S6A, 323, 0, 0, false, OC_STAGE_INSIDE },
	{ OC_APP_S6A, 321, 0, 0, false, OC_STAGE_END },
	{ OC_APP_CX, 300, 0, 0, false, OC_STAGE_INITIAL },
	{ OC_APP_CX, 302, 0, 0, false, OC_STAGE_INITIAL },
	{ OC_APP_CX, 303, 0, 0, false, OC_STAGE_INITIAL },
	{ OC_APP_CX, 301, 0, 0, false, OC_STAGE_INSIDE },
	{ OC_APP_CX, 301, 0, OC_HINT_DEREGISTERS, false, OC_STAGE_END },
	{ OC_APP_GXX, 272, 1, 0, false, OC_STAGE_BINDING },
	{ OC_APP_GXX, 272, 2, 0, false, OC_STAGE_INSIDE },
	{ OC_APP_GXX, 272, 3, 0, false, OC_STAGE_END },
	{ OC_APP_SWX, 303, 0, 0, false, OC_STAGE_INITIAL },
	{ OC_APP_SWX, 301, 0, 0, false, OC_STAGE_INSIDE },
	{ OC_APP_SWX, 301, 0, OC_HINT_DEREGISTERS, false, OC_STAGE_END },
	/* A command code alone says nothing. */
	{ OC_APP_GX, 275, 0, 0, true, OC_STAGE_UNKNOWN },
	{ OC_APP_S6A, 301, 0, 0, false, OC_STAGE_UNKNOWN },
	{ OC_APP_CX, 272, 1, 0, false, OC_STAGE_UNKNOWN },
	{ APP_SY, 275, 0, 0, true, OC_STAGE_UNKNOWN },
	{ APP_OLD_GX, 272, 1, 0, false, OC_STAGE_UNKNOWN },
	{ 0, 0, 0, 0, false, OC_STAGE_UNKNOWN },
};

static void test_oc_prio_every_line_of_the_table(void)
{
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct oc_msg msg = request_of(lines[i].app_id, lines[i].command, lines[i].cc_request_type,
					       lines[i].hints);
		CU_ASSERT_EQUAL(oc_prio_stage(&msg, lines[i].is_known), lines[i].stage);
	}
}

/* Ends least, then inside, then what begins, then what makes a binding. */
static void test_oc_prio_stage_gives_class_and_rank(void)
{
	static const uint8_t classes[] = { 3, 3, 4, 2, 1 };
	static const uint8_t ranks[] = { 10, 10, 12, 8, 5 };
	struct oc_prio_policy policy = policy_of_priorities();

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct oc_msg msg = request_of(lines[i].app_id, lines[i].command, lines[i].cc_request_type,
					       lines[i].hints);
		if (!lines[i].is_known || lines[i].app_id != OC_APP_RX)
			assert_prio(&policy, &msg, NONE, classes[lines[i].stage], ranks[lines[i].stage]);
	}
}

/* The first AAR and a later one differ by the session alone. */
static void test_oc_prio_a_known_session_makes_an_aar_an_update(void)
{
	struct oc_prio_policy policy = policy_of_priorities();
	struct oc_prio_session known = { .is_known = true, .klass = 3 };
	struct oc_msg aar = request_of(OC_APP_RX, 265, 0, 0);

	assert_prio(&policy, &aar, NONE, 3, 10);
	struct oc_prio prio = oc_prio_of(&policy, &aar, NONE, &known);
	CU_ASSERT_EQUAL(prio.klass, 2);
	CU_ASSERT_EQUAL(prio.rank, 8);
	CU_ASSERT_FALSE(prio.is_inherited);
}

static void test_oc_prio_drmp_is_class_and_rank_whatever_the_application(void)
{
	static const uint8_t classes[OC_RANKS] = { 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4, 4, 4 };
	struct oc_prio_policy policy = policy_of_priorities();
	struct oc_msg unknown = request_of(APP_SY, 8388635, 0, 0);
	struct oc_msg ends = request_of(OC_APP_GX, 272, 3, 0);
	struct oc_msg emergency = request_of(OC_APP_RX, 265, 0, OC_HINT_EMERGENCY);

	for (uint8_t drmp = 0; drmp < OC_RANKS; drmp++) {
		assert_prio(&policy, &unknown, drmp, classes[drmp], drmp);
		assert_prio(&policy, &ends, drmp, classes[drmp], drmp);
		assert_prio(&policy, &emergency, drmp, classes[drmp], drmp);
	}
}

/* Over all pairs: the smaller number never has the worse class or rank. */
static void test_oc_prio_smaller_drmp_is_more_important(void)
{
	struct oc_prio_policy policy = policy_of_priorities();
	struct oc_msg msg = request_of(APP_SY, 275, 0, 0);

	for (uint8_t a = 0; a < OC_RANKS; a++)
		for (uint8_t b = (uint8_t)(a + 1); b < OC_RANKS; b++) {
			struct oc_prio better = oc_prio_of(&policy, &msg, a, &no_session);
			struct oc_prio worse = oc_prio_of(&policy, &msg, b, &no_session);
			CU_ASSERT(better.rank < worse.rank);
			CU_ASSERT(better.klass <= worse.klass);
		}
}

static void test_oc_prio_no_drmp_equals_the_default(void)
{
	struct oc_prio_policy policy = policy_of_priorities();
	struct oc_msg msg = request_of(APP_SY, 275, 0, 0);

	for (uint8_t byte = 0; byte < OC_RANKS; byte++) {
		policy.default_drmp = byte;
		struct oc_prio none = oc_prio_of(&policy, &msg, NONE, &no_session);
		struct oc_prio same = oc_prio_of(&policy, &msg, byte, &no_session);
		CU_ASSERT_EQUAL(none.rank, same.rank);
		CU_ASSERT_EQUAL(none.klass, same.klass);
	}
	policy = policy_of_priorities();
	uint8_t rank = oc_prio_of(&policy, &msg, NONE, &no_session).rank;
	CU_ASSERT_EQUAL(rank, 10);
	CU_ASSERT(oc_prio_of(&policy, &msg, 9, &no_session).rank < rank);
	CU_ASSERT(oc_prio_of(&policy, &msg, 11, &no_session).rank > rank);
	/* Nothing is written into the request. */
	CU_ASSERT_EQUAL(msg.drmp, NONE);
}

/* What the message carries does not count, only what its sender is trusted with; nor does a number out of range. */
static void test_oc_prio_drmp_that_does_not_count_is_the_default(void)
{
	struct oc_prio_policy policy = policy_of_priorities();
	struct oc_msg msg = request_of(APP_SY, 275, 0, OC_HINT_DRMP);

	msg.drmp = 0;
	assert_prio(&policy, &msg, NONE, 3, 10);
	assert_prio(&policy, &msg, 16, 3, 10);
	assert_prio(&policy, &msg, 99, 3, 10);
	policy.uses_drmp = false;
	assert_prio(&policy, &msg, 0, 3, 10);
	policy.default_drmp = 6;
	assert_prio(&policy, &msg, 0, 1, 6);
}

static void test_oc_prio_default_moves_what_begins_a_session_within_bounds(void)
{
	static const uint8_t ranks[OC_RANKS] = { 8, 8, 8, 8, 8, 8, 8, 8, 8, 9, 10, 11, 12, 12, 12, 12 };
	static const uint8_t types[] = { 3, 2, 1 };
	struct oc_prio_policy policy = policy_of_priorities();
	struct oc_msg aar = request_of(OC_APP_RX, 265, 0, 0);

	for (policy.default_drmp = 0; policy.default_drmp < OC_RANKS; policy.default_drmp++) {
		assert_prio(&policy, &aar, NONE, 3, ranks[policy.default_drmp]);
		uint8_t rank = 0;
		for (uint32_t i = 0; i < 3; i++) {
			struct oc_msg ccr = request_of(OC_APP_GX, 272, types[i], 0);
			struct oc_prio prio = oc_prio_of(&policy, &ccr, NONE, &no_session);
			CU_ASSERT(prio.rank > rank);
			rank = prio.rank;
		}
		CU_ASSERT(rank >= ranks[policy.default_drmp]);
	}
}

static void test_oc_prio_both_switches_off_know_one_class(void)
{
	struct oc_prio_policy policy = policy_of_priorities();
	struct oc_prio_session known = { .is_known = true, .klass = 0 };

	policy.uses_drmp = policy.uses_application = false;
	policy.default_drmp = 2;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct oc_msg msg = request_of(lines[i].app_id, lines[i].command, lines[i].cc_request_type,
					       lines[i].hints | OC_HINT_EMERGENCY | OC_HINT_MPS);
		assert_prio(&policy, &msg, 0, OC_CLASS_DEFAULT, 2);
		struct oc_prio prio = oc_prio_of(&policy, &msg, 15, &known);
		CU_ASSERT_EQUAL(prio.klass, OC_CLASS_DEFAULT);
		CU_ASSERT_FALSE(prio.is_inherited);
	}
}

static void test_oc_prio_drmp_alone_knows_no_application(void)
{
	struct oc_prio_policy policy = policy_of_priorities();
	struct oc_prio_session known = { .is_known = true, .klass = 0 };
	struct oc_msg sos = request_to_apn(OC_APP_GX, "sos");

	policy.uses_application = false;
	assert_prio(&policy, &sos, NONE, 3, 10);
	assert_prio(&policy, &sos, 12, 4, 12);
	CU_ASSERT_EQUAL(oc_prio_of(&policy, &sos, NONE, &known).klass, 3);
}

static void test_oc_prio_emergency_is_first(void)
{
	struct oc_prio_policy policy = policy_of_priorities();
	struct oc_msg aar = request_of(OC_APP_RX, 265, 0, OC_HINT_EMERGENCY);
	struct oc_msg uar = request_of(OC_APP_CX, 300, 0, OC_HINT_EMERGENCY);
	struct oc_msg gx = request_to_apn(OC_APP_GX, "sos");
	struct oc_msg gxx = request_to_apn(OC_APP_GXX, "SOS.mnc001.mcc001.gprs");
	struct oc_msg gy = request_to_apn(OC_APP_GY, "sos");
	struct oc_msg plain = request_to_apn(OC_APP_GX, "internet");

	assert_prio(&policy, &aar, NONE, 0, 0);
	assert_prio(&policy, &uar, NONE, 0, 0);
	assert_prio(&policy, &gx, NONE, 0, 0);
	assert_prio(&policy, &gxx, NONE, 0, 0);
	assert_prio(&policy, &gy, NONE, 3, 10);
	assert_prio(&policy, &plain, NONE, 4, 12);
}

static void test_oc_prio_mps_is_first(void)
{
	struct oc_prio_policy policy = policy_of_priorities();
	struct oc_msg mps = request_of(OC_APP_RX, 265, 0, OC_HINT_MPS);
	struct oc_msg reserved = request_of(OC_APP_RX, 265, 0, 0);

	assert_prio(&policy, &mps, NONE, 0, 0);
	for (reserved.reservation_priority = 0; reserved.reservation_priority < 16;
	     reserved.reservation_priority++) {
		bool is_mps = reserved.reservation_priority >= 8;
		assert_prio(&policy, &reserved, NONE, is_mps ? 0 : 3, is_mps ? 0 : 10);
	}
	policy.reservation_min = 0;
	assert_prio(&policy, &reserved, NONE, 3, 10);
}

static void test_oc_prio_a_session_hands_on_class_0_and_1(void)
{
	struct oc_prio_policy policy = policy_of_priorities();
	/* What a request of class 4, 2 or 1 gets in a session that began with each class. */
	static const uint8_t expected[3][OC_CLASSES] = { { 0, 1, 4, 4, 4 },
							 { 0, 1, 2, 2, 2 },
							 { 0, 1, 1, 1, 1 } };

	for (uint8_t type = 1; type <= 3; type++)
		for (uint8_t klass = 0; klass < OC_CLASSES; klass++) {
			struct oc_prio_session session = { .is_known = true, .klass = klass };
			struct oc_msg ccr = request_of(OC_APP_GX, 272, type, 0);
			uint8_t own = oc_prio_of(&policy, &ccr, NONE, &no_session).klass;
			struct oc_prio prio = oc_prio_of(&policy, &ccr, NONE, &session);
			CU_ASSERT_EQUAL(prio.klass, expected[type - 1][klass]);
			CU_ASSERT_EQUAL(prio.is_inherited, prio.klass != own);
			if (prio.is_inherited)
				CU_ASSERT_EQUAL(prio.rank, klass == 0 ? 0 : 5);
			/* A DRMP of its own comes first. */
			prio = oc_prio_of(&policy, &ccr, 15, &session);
			CU_ASSERT_EQUAL(prio.rank, 15);
			CU_ASSERT_FALSE(prio.is_inherited);
		}
	/* Not known: the class beside it means nothing. */
	struct oc_prio_session forgotten = { .is_known = false, .klass = 0 };
	struct oc_msg update = request_of(OC_APP_GX, 272, 2, 0);
	CU_ASSERT_EQUAL(oc_prio_of(&policy, &update, NONE, &forgotten).klass, 2);
}

static void test_oc_prio_emergency_apns(void)
{
	static const struct {
		const char *apn;
		bool is_emergency;
	} apns[] = {
		{ "sos", true },
		{ "SoS", true },
		{ "sos.mnc015.mcc234.gprs", true },
		{ "SOS.MNC015.MCC234.GPRS", true },
		{ "sos.mnc15.mcc234.gprs", false }, /* an MNC has three digits here */
		{ "sos.mncabc.mcc234.gprs", false },
		{ "sos.mnc015.mcc234.gprs.", false },
		{ "sos.corp", false },
		{ "so", false },
		{ "soss", false },
		{ "xsos", false },
		{ "", false },
		{ ".mnc015.mcc234.gprs", false },
		{ "ims.112", true },
		{ "IMS.112.mnc015.mcc234.gprs", true },
		{ "internet", false },
	};
	struct oc_prio_policy policy = policy_of_priorities();

	strcpy(policy.emergency_apns[policy.emergency_apn_count++], "ims.112");
	for (size_t i = 0; i < sizeof(apns) / sizeof(apns[0]); i++)
		CU_ASSERT_EQUAL(oc_prio_is_emergency_apn(&policy, apns[i].apn, (uint32_t)strlen(apns[i].apn)),
				apns[i].is_emergency);
	CU_ASSERT_FALSE(oc_prio_is_emergency_apn(&policy, NULL, 0));
	/* Octets of any kind: a NUL is no end. */
	CU_ASSERT_FALSE(oc_prio_is_emergency_apn(&policy, "sos\0s", 5));
	CU_ASSERT_FALSE(oc_prio_is_emergency_apn(&policy, "sos\0", 4));
	policy.emergency_apn_count = 0;
	CU_ASSERT_FALSE(oc_prio_is_emergency_apn(&policy, "sos", 3));
	/* The longest of both. */
	policy.emergency_apn_count = 1;
	memset(policy.emergency_apns[0], 'a', OC_POLICY_APN_MAX - 1);
	policy.emergency_apns[0][OC_POLICY_APN_MAX - 1] = '\0';
	char apn[OC_MSG_APN_MAX];
	memset(apn, 'A', sizeof(apn));
	CU_ASSERT_TRUE(oc_prio_is_emergency_apn(&policy, apn, OC_POLICY_APN_MAX - 1));
	CU_ASSERT_FALSE(oc_prio_is_emergency_apn(&policy, apn, OC_MSG_APN_MAX));
}

void test_oc_prio_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_prio", NULL, NULL);
	CU_add_test(suite, "D-271 C-1 C-2 C-3 C-4 C-5 C-6 every_line_of_the_table",
		    test_oc_prio_every_line_of_the_table);
	CU_add_test(suite, "D-271 C-15 Q-25 stage_gives_class_and_rank",
		    test_oc_prio_stage_gives_class_and_rank);
	CU_add_test(suite, "D-271 C-2 a_known_session_makes_an_aar_an_update",
		    test_oc_prio_a_known_session_makes_an_aar_an_update);
	CU_add_test(suite, "P-2 D-273 C-7 Q-2 drmp_is_class_and_rank_whatever_the_application",
		    test_oc_prio_drmp_is_class_and_rank_whatever_the_application);
	CU_add_test(suite, "P-16 smaller_drmp_is_more_important",
		    test_oc_prio_smaller_drmp_is_more_important);
	CU_add_test(suite, "P-12 P-13 P-14 P-15 no_drmp_equals_the_default",
		    test_oc_prio_no_drmp_equals_the_default);
	CU_add_test(suite, "P-15 drmp_that_does_not_count_is_the_default",
		    test_oc_prio_drmp_that_does_not_count_is_the_default);
	CU_add_test(suite, "P-14 default_moves_what_begins_a_session_within_bounds",
		    test_oc_prio_default_moves_what_begins_a_session_within_bounds);
	CU_add_test(suite, "D-270 Q-26 both_switches_off_know_one_class",
		    test_oc_prio_both_switches_off_know_one_class);
	CU_add_test(suite, "D-270 drmp_alone_knows_no_application",
		    test_oc_prio_drmp_alone_knows_no_application);
	CU_add_test(suite, "D-275 C-7 C-8 emergency_is_first", test_oc_prio_emergency_is_first);
	CU_add_test(suite, "D-275 C-7 C-9 mps_is_first", test_oc_prio_mps_is_first);
	CU_add_test(suite, "D-275 C-7 C-10 a_session_hands_on_class_0_and_1",
		    test_oc_prio_a_session_hands_on_class_0_and_1);
	CU_add_test(suite, "D-275 C-8 emergency_apns", test_oc_prio_emergency_apns);
}
