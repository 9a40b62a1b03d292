/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the table of overload control states.
 */
#include <CUnit/CUnit.h>

#include "agent/doic/oc_decide.h"
#include "help_core.h"

void test_oc_ocs_suite(void);

static struct oc_ocs_key host_key(uint32_t subject)
{
	return (struct oc_ocs_key){ .app_id = 1, .subject = subject, .type = OC_REPORT_HOST };
}

static struct oc_olr_value value_of(uint64_t sequence, uint32_t pct, uint32_t validity_s)
{
	return (struct oc_olr_value){ .sequence = sequence,
				      .reduction_pct = pct,
				      .validity_s = validity_s,
				      .type = OC_REPORT_HOST,
				      .algorithm = OC_ALGO_LOSS };
}

static struct oc_ocs_entry *put(struct oc_ocs *ocs, const struct oc_policy *policy, uint32_t subject,
				uint64_t now_ns)
{
	struct oc_ocs_key key = host_key(subject);
	struct oc_olr_value value = value_of(1, 50, 60);
	struct oc_ocs_birth birth = { .policy = policy, .now_ns = now_ns, .version = subject };

	return oc_ocs_put(ocs, NULL, &key, &value, &birth);
}

static void test_oc_ocs_holds_up_to_its_capacity(void)
{
	struct oc_policy policy;
	oc_policy_init(&policy);
	struct oc_ocs *ocs = oc_ocs_new(100);

	for (uint32_t i = 2; i < 102; i++)
		CU_ASSERT_PTR_NOT_NULL(put(ocs, &policy, i, 0));
	CU_ASSERT_PTR_NULL(put(ocs, &policy, 102, 0));
	CU_ASSERT_EQUAL(oc_ocs_held(ocs), 100);
	CU_ASSERT_EQUAL(oc_ocs_active(ocs), 100);
	for (uint32_t i = 2; i < 102; i++) {
		struct oc_ocs_key key = host_key(i);
		struct oc_ocs_entry *entry = oc_ocs_get(ocs, &key);
		CU_ASSERT_PTR_NOT_NULL_FATAL(entry);
		CU_ASSERT_EQUAL(entry->version, i);
		if (i % 2)
			oc_ocs_forget(ocs, entry);
	}
	CU_ASSERT_EQUAL(oc_ocs_held(ocs), 50);
	for (uint32_t i = 2; i < 102; i++) {
		struct oc_ocs_key key = host_key(i);
		CU_ASSERT_EQUAL(oc_ocs_get(ocs, &key) != NULL, i % 2 == 0);
	}
	CU_ASSERT_PTR_NOT_NULL(put(ocs, &policy, 500, 0));
	oc_ocs_free(ocs);
}

/* A client with a name of its own for every request must not keep other reports out. */
static void test_oc_ocs_rates_of_one_origin_each_leave_room(void)
{
	struct oc_policy policy;
	oc_policy_init(&policy);
	struct oc_ocs *ocs = oc_ocs_new(100);
	struct oc_olr_value value = {
		.sequence = 1, .rate_rps = 9, .validity_s = 60, .algorithm = OC_ALGO_RATE
	};
	struct oc_ocs_birth birth = { .policy = &policy, .version = 1 };
	uint32_t held = 0;

	for (uint32_t i = 2; i < 202; i++) {
		struct oc_ocs_key key = host_key(7);
		key.origin = i;
		held += oc_ocs_put(ocs, NULL, &key, &value, &birth) != NULL;
	}
	CU_ASSERT_EQUAL(held, 75);
	for (uint32_t i = 2; i < 27; i++)
		CU_ASSERT_PTR_NOT_NULL(put(ocs, &policy, i, 0));
	CU_ASSERT_EQUAL(oc_ocs_held(ocs), 100);
	oc_ocs_free(ocs);
}

static void test_oc_ocs_refuses_sizes_and_names_out_of_range(void)
{
	struct oc_policy policy;
	oc_policy_init(&policy);
	struct oc_ocs *ocs = oc_ocs_new(1);

	CU_ASSERT_PTR_NULL(oc_ocs_new(0));
	CU_ASSERT_PTR_NULL(oc_ocs_new(1048575));
	CU_ASSERT_PTR_NULL(put(ocs, &policy, OC_NAME_NONE, 0));
	CU_ASSERT_PTR_NULL(put(ocs, &policy, OC_NAME_OVERFLOW, 0));
	CU_ASSERT_PTR_NOT_NULL(put(ocs, &policy, 2, 0));
	oc_ocs_free(ocs);
	oc_ocs_free(NULL);
}

static void test_oc_ocs_keys_are_application_type_and_name(void)
{
	struct oc_policy policy;
	oc_policy_init(&policy);
	struct oc_ocs *ocs = oc_ocs_new(8);
	put(ocs, &policy, 7, 0);
	struct oc_ocs_key key = host_key(7);

	CU_ASSERT_PTR_NOT_NULL(oc_ocs_get(ocs, &key));
	key.app_id = 2;
	CU_ASSERT_PTR_NULL(oc_ocs_get(ocs, &key));
	key = host_key(7);
	key.type = OC_REPORT_REALM;
	CU_ASSERT_PTR_NULL(oc_ocs_get(ocs, &key));
	key = host_key(8);
	CU_ASSERT_PTR_NULL(oc_ocs_get(ocs, &key));
	oc_ocs_free(ocs);
}

static void test_oc_ocs_settles_every_change_at_its_own_time(void)
{
	struct oc_policy policy;
	oc_policy_init(&policy);
	struct oc_ocs *ocs = oc_ocs_new(8);
	struct oc_ocs_entry *entry = put(ocs, &policy, 7, 0);
	enum oc_ocs_end how;
	uint64_t at_ns;

	CU_ASSERT_FALSE(oc_ocs_settle(ocs, entry, &policy, 60 * SECOND - 1, &how, &at_ns));
	CU_ASSERT_TRUE(oc_ocs_settle(ocs, entry, &policy, 500 * SECOND, &how, &at_ns));
	CU_ASSERT_EQUAL(how, OC_END_EXPIRED);
	CU_ASSERT_EQUAL(at_ns, 60 * SECOND);
	CU_ASSERT_EQUAL(oc_ocs_active(ocs), 0);
	CU_ASSERT_TRUE(oc_ocs_settle(ocs, entry, &policy, 500 * SECOND, &how, &at_ns));
	CU_ASSERT_EQUAL(how, OC_END_RECOVERED);
	CU_ASSERT_EQUAL(at_ns, 90 * SECOND);
	CU_ASSERT_TRUE(oc_ocs_settle(ocs, entry, &policy, 500 * SECOND, &how, &at_ns));
	CU_ASSERT_EQUAL(how, OC_END_FORGOTTEN);
	CU_ASSERT_EQUAL(at_ns, 90 * SECOND);
	oc_ocs_free(ocs);
}

/* The same requests against a small and a large table: equal decisions. */
static void test_oc_ocs_layout_does_not_decide(void)
{
	struct oc_policy policy;
	oc_policy_init(&policy);
	struct oc_ocs *tables[2] = { oc_ocs_new(16), oc_ocs_new(65536) };
	struct oc_ask ask = { .rank = 10, .klass = OC_CLASS_DEFAULT };
	uint64_t chance = 1;
	uint32_t different = 0;

	for (uint32_t i = 2; i < 18; i++)
		for (uint32_t t = 0; t < 2; t++)
			put(tables[t], &policy, i, 0);
	for (uint32_t i = 0; i < 20000; i++) {
		struct oc_ocs_key key = host_key(2 + (uint32_t)(help_random(&chance) % 20));
		uint32_t random = (uint32_t)help_random(&chance);
		struct oc_draw draw[2] = { 0 };
		for (uint32_t t = 0; t < 2; t++) {
			struct oc_ocs_entry *entry = oc_ocs_get(tables[t], &key);
			if (entry)
				draw[t] = oc_decide_draw(tables[t], entry, &policy, &ask, i, random);
		}
		different += draw[0].is_selected != draw[1].is_selected ||
			     draw[0].look.version != draw[1].look.version;
	}
	CU_ASSERT_EQUAL(different, 0);
	oc_ocs_free(tables[0]);
	oc_ocs_free(tables[1]);
}

/* Takes a report in as the agent does: compares, and holds what is new. */
static enum oc_intake take(struct oc_ocs *ocs, const struct oc_policy *policy, const struct oc_ocs_key *key,
			   const struct oc_olr_value *value, uint64_t now_ns)
{
	static uint32_t version;
	struct oc_ocs_birth birth = { .policy = policy, .now_ns = now_ns, .version = ++version };
	struct oc_ocs_entry *old = oc_ocs_get(ocs, key);
	enum oc_ocs_end how;
	uint64_t at_ns;

	while (old && oc_ocs_settle(ocs, old, policy, now_ns, &how, &at_ns) && how != OC_END_FORGOTTEN)
		;
	enum oc_intake intake = oc_ocs_compare(ocs, key, value, now_ns, &old);
	if (intake == OC_INTAKE_NEW || intake == OC_INTAKE_UPDATED)
		CU_ASSERT_PTR_NOT_NULL_FATAL(oc_ocs_put(ocs, old, key, value, &birth));
	return intake;
}

static void test_oc_ocs_entries_of_two_applications_hosts_and_realms(void)
{
	struct oc_policy policy;
	oc_policy_init(&policy);
	struct oc_ocs *ocs = oc_ocs_new(8);
	static const struct oc_ocs_key keys[] = {
		{ .app_id = 1, .subject = 10, .type = OC_REPORT_HOST },
		{ .app_id = 2, .subject = 10, .type = OC_REPORT_HOST },
		{ .app_id = 1, .subject = 11, .type = OC_REPORT_HOST },
		{ .app_id = 1, .subject = 12, .type = OC_REPORT_REALM },
		{ .app_id = 1, .subject = 10, .type = OC_REPORT_PEER },
	};

	for (uint32_t i = 0; i < 5; i++) {
		/* Falling numbers: no entry is compared with another's. */
		struct oc_olr_value value = value_of(100 - i, 10 * i, 60);
		CU_ASSERT_EQUAL(take(ocs, &policy, &keys[i], &value, 0), OC_INTAKE_NEW);
	}
	CU_ASSERT_EQUAL(oc_ocs_held(ocs), 5);
	for (uint32_t i = 0; i < 5; i++) {
		struct oc_ocs_entry *entry = oc_ocs_get(ocs, &keys[i]);
		CU_ASSERT_PTR_NOT_NULL_FATAL(entry);
		CU_ASSERT_EQUAL(oc_ocs_record(ocs, entry)->value.reduction_pct, 10 * i);
	}
	CU_ASSERT_EQUAL(oc_ocs_of_type(ocs, OC_REPORT_HOST), 3);
	CU_ASSERT_EQUAL(oc_ocs_of_type(ocs, OC_REPORT_REALM), 1);
	CU_ASSERT_EQUAL(oc_ocs_of_type(ocs, OC_REPORT_PEER), 1);
	CU_ASSERT_EQUAL(oc_ocs_of_type(ocs, 3), 0);
	oc_ocs_forget(ocs, oc_ocs_get(ocs, &keys[4]));
	CU_ASSERT_EQUAL(oc_ocs_of_type(ocs, OC_REPORT_PEER), 0);
	oc_ocs_free(ocs);
}

static void test_oc_ocs_rates_are_kept_by_whom_they_were_allotted_to(void)
{
	struct oc_policy policy;
	oc_policy_init(&policy);
	struct oc_ocs *ocs = oc_ocs_new(64);
	struct oc_ocs_key key = host_key(7);
	struct oc_olr_value value = { .sequence = 1, .validity_s = 60, .algorithm = OC_ALGO_RATE };

	for (uint32_t type = OC_REPORT_HOST; type < OC_REPORT_COUNT; type++)
		for (uint32_t origin = 0; origin < 12; origin++) {
			if (origin == OC_NAME_OVERFLOW)
				continue;
			key.type = type & 0xff;
			key.origin = origin & 0xffffff;
			value.rate_rps = 100 * type + origin;
			CU_ASSERT_EQUAL(take(ocs, &policy, &key, &value, 0), OC_INTAKE_NEW);
		}
	CU_ASSERT_EQUAL(oc_ocs_held(ocs), 33);
	CU_ASSERT_EQUAL(oc_ocs_with_origin(ocs), 30);
	key = (struct oc_ocs_key){ .app_id = 1, .subject = 7, .origin = 5, .type = OC_REPORT_REALM };
	struct oc_ocs_entry *entry = oc_ocs_get(ocs, &key);
	CU_ASSERT_PTR_NOT_NULL_FATAL(entry);
	CU_ASSERT_EQUAL(oc_ocs_record(ocs, entry)->value.rate_rps, 105);
	CU_ASSERT_EQUAL(oc_ocs_record(ocs, entry)->value.algorithm, OC_ALGO_RATE);
	oc_ocs_forget(ocs, entry);
	CU_ASSERT_EQUAL(oc_ocs_with_origin(ocs), 29);
	CU_ASSERT_PTR_NULL(oc_ocs_get(ocs, &key));
	/* A client whose name did not fit is nobody's name. */
	struct oc_ocs_birth birth = { .policy = &policy, .version = 99 };
	key.origin = OC_NAME_OVERFLOW;
	CU_ASSERT_PTR_NULL(oc_ocs_put(ocs, NULL, &key, &value, &birth));
	key = (struct oc_ocs_key){ .app_id = 1, .subject = 7, .type = OC_REPORT_COUNT };
	CU_ASSERT_PTR_NULL(oc_ocs_put(ocs, NULL, &key, &value, &birth));
	CU_ASSERT_PTR_NULL(oc_ocs_get(ocs, &key));
	oc_ocs_free(ocs);
}

static void test_oc_ocs_peer_entries_follow_the_same_sequence_rule(void)
{
	struct oc_policy policy;
	oc_policy_init(&policy);
	struct oc_ocs *ocs = oc_ocs_new(8);
	struct oc_ocs_key key = { .app_id = 1, .subject = 7, .type = OC_REPORT_PEER };
	struct oc_olr_value value = value_of(UINT64_MAX, 10, 60);

	CU_ASSERT_EQUAL(take(ocs, &policy, &key, &value, 0), OC_INTAKE_NEW);
	value = value_of(184467440737095517ull, 20, 60);
	CU_ASSERT_EQUAL(take(ocs, &policy, &key, &value, SECOND), OC_INTAKE_STALE);
	value = value_of(0, 20, 60);
	CU_ASSERT_EQUAL(take(ocs, &policy, &key, &value, SECOND), OC_INTAKE_UPDATED);
	value = value_of(0, 90, 60);
	CU_ASSERT_EQUAL(take(ocs, &policy, &key, &value, SECOND), OC_INTAKE_REPEATED);
	struct oc_ocs_entry *entry = oc_ocs_get(ocs, &key);
	CU_ASSERT_EQUAL(oc_ocs_record(ocs, entry)->value.reduction_pct, 20);
	CU_ASSERT_EQUAL(oc_ocs_record(ocs, entry)->expires_ns, 61 * SECOND);
	oc_ocs_free(ocs);
}

/* What runs out or is ended returns by the ramp, whatever its type and algorithm; a newer report in the middle counts at once. */
static void test_oc_ocs_every_end_is_controlled(void)
{
	struct oc_policy policy;
	oc_policy_init(&policy);

	for (uint32_t is_end = 0; is_end < 2; is_end++)
		for (uint32_t type = OC_REPORT_HOST; type < OC_REPORT_COUNT; type++) {
			struct oc_ocs_key key = { .app_id = 1, .subject = 7, .type = type & 0xff };
			struct oc_ocs *ocs = oc_ocs_new(8);
			struct oc_olr_value value = value_of(3, 60, 60);
			take(ocs, &policy, &key, &value, 0);
			if (is_end) {
				value = value_of(4, 0, 0);
				CU_ASSERT_EQUAL(take(ocs, &policy, &key, &value, 60 * SECOND),
						OC_INTAKE_UPDATED);
			}
			struct oc_ocs_entry *entry = oc_ocs_get(ocs, &key);
			CU_ASSERT_EQUAL(oc_recover_share_later(&entry->recover, &policy, 75 * SECOND),
					300000);
			value = value_of(9, 40, 60);
			CU_ASSERT_EQUAL(take(ocs, &policy, &key, &value, 75 * SECOND), OC_INTAKE_UPDATED);
			CU_ASSERT_EQUAL(oc_recover_share(&entry->recover, 75 * SECOND), 400000);
			CU_ASSERT_EQUAL(entry->recover.phase, OC_PHASE_ACTIVE);
			/* Full traffic by the end of the ramp, and no later. */
			CU_ASSERT(oc_recover_share_later(&entry->recover, &policy, 165 * SECOND - MS) > 0);
			CU_ASSERT_EQUAL(oc_recover_share_later(&entry->recover, &policy, 165 * SECOND), 0);
			CU_ASSERT_EQUAL(oc_ocs_active(ocs), 1);
			oc_ocs_free(ocs);
		}
}

static void test_oc_ocs_record_says_what_is_held(void)
{
	struct oc_policy policy;
	oc_policy_init(&policy);
	struct oc_ocs *ocs = oc_ocs_new(8);
	struct oc_ocs_key key = host_key(7);
	struct oc_olr_value value = value_of(7, 25, 60);

	take(ocs, &policy, &key, &value, 100 * SECOND);
	struct oc_ocs_record *record = oc_ocs_record(ocs, oc_ocs_get(ocs, &key));
	CU_ASSERT_EQUAL(record->value.sequence, 7);
	CU_ASSERT_EQUAL(record->expires_ns, 160 * SECOND);
	CU_ASSERT_EQUAL(record->value.algorithm, OC_ALGO_LOSS);
	CU_ASSERT_EQUAL(record->value.reduction_pct, 25);
	record->via = 42;
	value = (struct oc_olr_value){
		.sequence = 8, .validity_s = 30, .rate_rps = 500, .algorithm = OC_ALGO_RATE
	};
	take(ocs, &policy, &key, &value, 110 * SECOND);
	CU_ASSERT_EQUAL(record->value.sequence, 8);
	CU_ASSERT_EQUAL(record->expires_ns, 140 * SECOND);
	CU_ASSERT_EQUAL(record->value.algorithm, OC_ALGO_RATE);
	CU_ASSERT_EQUAL(record->value.rate_rps, 500);
	CU_ASSERT_EQUAL(record->via, 42); /* which way they go is not the report's to change */
	oc_ocs_free(ocs);
}

/* Renewals every few seconds are one condition, as long as nothing lies between; so is what comes while the ramp still runs. */
static void test_oc_ocs_renewals_are_one_condition(void)
{
	struct oc_policy policy;
	oc_policy_init(&policy);
	policy.ramp_ms = 0;
	struct oc_ocs *ocs = oc_ocs_new(8);
	struct oc_ocs_key key = host_key(7);
	static const struct {
		uint64_t at_s, begun_s;
	} steps[] = { { 100, 100 }, { 105, 100 }, { 115, 100 }, { 126, 100 }, { 139, 139 }, { 140, 139 } };

	for (uint64_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct oc_olr_value value = value_of(i + 1, 25, 10);
		take(ocs, &policy, &key, &value, steps[i].at_s * SECOND);
		oc_ocs_get(ocs, &key)->matched = 10;
		CU_ASSERT_EQUAL(oc_ocs_record(ocs, oc_ocs_get(ocs, &key))->earlier_matched,
				i < 4 ? 10 * i : 10 * (i - 4));
		CU_ASSERT_EQUAL(oc_ocs_record(ocs, oc_ocs_get(ocs, &key))->begun_ns,
				steps[i].begun_s * SECOND);
	}
	oc_ocs_free(ocs);
}

void test_oc_ocs_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_ocs", NULL, NULL);
	CU_add_test(suite, "Q-11 holds_up_to_its_capacity", test_oc_ocs_holds_up_to_its_capacity);
	CU_add_test(suite, "R-15 rates_of_one_origin_each_leave_room",
		    test_oc_ocs_rates_of_one_origin_each_leave_room);
	CU_add_test(suite, "refuses_sizes_and_names_out_of_range",
		    test_oc_ocs_refuses_sizes_and_names_out_of_range);
	CU_add_test(suite, "D-045 keys_are_application_type_and_name",
		    test_oc_ocs_keys_are_application_type_and_name);
	CU_add_test(suite, "D-070 settles_every_change_at_its_own_time",
		    test_oc_ocs_settles_every_change_at_its_own_time);
	CU_add_test(suite, "D-050 layout_does_not_decide", test_oc_ocs_layout_does_not_decide);
	CU_add_test(suite, "D-045 D-047 entries_of_two_applications_hosts_and_realms",
		    test_oc_ocs_entries_of_two_applications_hosts_and_realms);
	CU_add_test(suite, "R-1 R-9 R-13 rates_are_kept_by_whom_they_were_allotted_to",
		    test_oc_ocs_rates_are_kept_by_whom_they_were_allotted_to);
	CU_add_test(suite, "D-061 D-206 D-207 peer_entries_follow_the_same_sequence_rule",
		    test_oc_ocs_peer_entries_follow_the_same_sequence_rule);
	CU_add_test(suite, "D-209 D-254 D-255 D-256 every_end_is_controlled",
		    test_oc_ocs_every_end_is_controlled);
	CU_add_test(suite, "D-046 R-9 R-11 record_says_what_is_held", test_oc_ocs_record_says_what_is_held);
	CU_add_test(suite, "D-061 renewals_are_one_condition", test_oc_ocs_renewals_are_one_condition);
}
