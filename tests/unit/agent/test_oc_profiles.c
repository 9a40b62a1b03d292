/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the numbers of profiles and of candidate sets.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "agent/oc_candidate_sets.h"
#include "agent/oc_profiles.h"

void test_oc_profiles_suite(void);

static uint32_t number(struct oc_profiles *profiles, const struct oc_msg *msg, bool *is_fresh)
{
	const struct oc_profile *fresh;
	uint32_t id = oc_profiles_number(profiles, msg, msg->hints, &fresh);

	*is_fresh = fresh != NULL;
	return id;
}

static struct oc_msg with_apn(const char *apn)
{
	struct oc_msg msg = { .app_id = OC_APP_GX, .apn_len = (uint8_t)strlen(apn) };

	memcpy(msg.apn, apn, strlen(apn));
	return msg;
}

static void test_oc_profiles_most_messages_have_none(void)
{
	struct oc_profiles *profiles = oc_profiles_new();
	struct oc_msg msg = { .app_id = OC_APP_GX, .command = 272, .drmp = OC_DRMP_NONE };
	bool is_fresh;

	CU_ASSERT_EQUAL(number(profiles, &msg, &is_fresh), 0);
	CU_ASSERT_FALSE(is_fresh);
	/* Where no decision depends on it an APN is nothing. */
	msg = with_apn("internet");
	msg.app_id = OC_APP_GY;
	CU_ASSERT_EQUAL(number(profiles, &msg, &is_fresh), 0);
	oc_profiles_free(profiles);
}

/* Every field that a decision may depend on, alone. */
static void each(struct oc_msg out[10])
{
	for (unsigned i = 0; i < 10; i++)
		out[i] = (struct oc_msg){ .app_id = OC_APP_GX };
	out[0].hints = OC_HINT_EMERGENCY;
	out[1].caps.has = OC_CAPS_PRESENT;
	out[2].caps = (struct oc_caps){ .has = OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR, .vector = 1 };
	out[3].caps = (struct oc_caps){ .has = OC_CAPS_PRESENT | OC_CAPS_HAS_PEER_ALGO, .peer_algo = 1 };
	out[4].caps = (struct oc_caps){ .has = OC_CAPS_PRESENT | OC_CAPS_HAS_SOURCE, .source = 9 };
	out[5].reservation_priority = 8;
	out[6].rating_group_count = 1;
	out[7].rating_group_count = 1;
	out[7].rating_group[0] = 5;
	out[8].has_more_rating_groups = true;
	out[9] = with_apn("sos");
}

static void test_oc_profiles_every_field_counts_and_comes_back(void)
{
	struct oc_profiles *profiles = oc_profiles_new();
	struct oc_msg msgs[10];
	uint32_t ids[10];
	bool is_fresh;

	each(msgs);
	for (unsigned i = 0; i < 10; i++) {
		const struct oc_profile *fresh;
		struct oc_msg again = { .app_id = OC_APP_GX };
		ids[i] = oc_profiles_number(profiles, &msgs[i], msgs[i].hints, &fresh);
		CU_ASSERT_EQUAL(ids[i], i + 1);
		CU_ASSERT_PTR_NOT_NULL_FATAL(fresh);
		oc_profile_apply(fresh, &again);
		CU_ASSERT_EQUAL(memcmp(&again, &msgs[i], sizeof(again)), 0);
	}
	for (unsigned i = 0; i < 10; i++) {
		CU_ASSERT_EQUAL(number(profiles, &msgs[i], &is_fresh), ids[i]);
		CU_ASSERT_FALSE(is_fresh);
	}
	oc_profiles_free(profiles);
}

/* What is beyond the count of a list may be anything: the scan does not clear it. */
static void test_oc_profiles_only_what_is_used_is_compared(void)
{
	struct oc_profiles *profiles = oc_profiles_new();
	struct oc_msg msg = with_apn("internet");
	struct oc_msg other = msg;
	bool is_fresh;

	msg.rating_group[3] = 7;
	msg.apn[20] = 'x';
	uint32_t id = number(profiles, &msg, &is_fresh);
	CU_ASSERT_EQUAL(number(profiles, &other, &is_fresh), id);
	other = with_apn("ims");
	(void)number(profiles, &other, &is_fresh);
	other = with_apn("internet");
	CU_ASSERT_EQUAL(number(profiles, &other, &is_fresh), id);
	oc_profiles_free(profiles);
}

static void test_oc_profiles_a_number_never_changes_its_meaning(void)
{
	struct oc_profiles *profiles = oc_profiles_new();
	static char meanings[20001][16];
	uint32_t wrong = 0;
	uint32_t highest = 0;

	memset(meanings, 0, sizeof(meanings));
	for (uint32_t i = 0; i < 20000; i++) {
		char apn[16];
		bool is_fresh;
		snprintf(apn, sizeof(apn), "apn%u", i * 7919u % 5000u);
		struct oc_msg msg = with_apn(apn);
		uint32_t id = number(profiles, &msg, &is_fresh);
		wrong += is_fresh != (id > highest);
		highest = id > highest ? id : highest;
		if (is_fresh)
			memcpy(meanings[id], apn, sizeof(apn));
		wrong += strcmp(meanings[id], apn) != 0;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT(highest > OC_PROFILES_PLACES);
	oc_profiles_free(profiles);
}

static void test_oc_candidate_sets_are_as_they_were_given(void)
{
	struct oc_candidate_sets *sets = oc_candidate_sets_new();
	struct oc_candidate a[] = { { 5, 1 }, { 6, 1 } };
	struct oc_candidate b[] = { { 6, 1 }, { 5, 1 } };
	struct oc_candidate c[] = { { 5, 1 }, { 6, 2 } };
	struct oc_candidate many[OC_CANDIDATES_MAX + 1] = { { 5, 1 } };
	bool is_fresh;

	CU_ASSERT_EQUAL(oc_candidate_sets_number(sets, a, 2, &is_fresh), 1);
	CU_ASSERT_TRUE(is_fresh);
	CU_ASSERT_EQUAL(oc_candidate_sets_number(sets, b, 2, &is_fresh), 2);
	CU_ASSERT_EQUAL(oc_candidate_sets_number(sets, c, 2, &is_fresh), 3);
	CU_ASSERT_EQUAL(oc_candidate_sets_number(sets, a, 1, &is_fresh), 4);
	CU_ASSERT_EQUAL(oc_candidate_sets_number(sets, NULL, 0, &is_fresh), 5);
	CU_ASSERT_TRUE(is_fresh);
	CU_ASSERT_EQUAL(oc_candidate_sets_number(sets, a, 2, &is_fresh), 1);
	CU_ASSERT_FALSE(is_fresh);
	CU_ASSERT_EQUAL(oc_candidate_sets_number(sets, many, OC_CANDIDATES_MAX, &is_fresh), 6);
	CU_ASSERT_EQUAL(oc_candidate_sets_number(sets, many, OC_CANDIDATES_MAX + 1, &is_fresh), 0);
	CU_ASSERT_FALSE(is_fresh);
	oc_candidate_sets_free(sets);
}

void test_oc_profiles_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_profiles", NULL, NULL);

	CU_add_test(suite, "most_messages_have_none", test_oc_profiles_most_messages_have_none);
	CU_add_test(suite, "every_field_counts_and_comes_back",
		    test_oc_profiles_every_field_counts_and_comes_back);
	CU_add_test(suite, "only_what_is_used_is_compared", test_oc_profiles_only_what_is_used_is_compared);
	CU_add_test(suite, "a_number_never_changes_its_meaning",
		    test_oc_profiles_a_number_never_changes_its_meaning);
	CU_add_test(suite, "candidate_sets_are_as_they_were_given",
		    test_oc_candidate_sets_are_as_they_were_given);
}
