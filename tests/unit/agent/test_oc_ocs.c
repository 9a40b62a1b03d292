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

void test_oc_ocs_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_ocs", NULL, NULL);
	CU_add_test(suite, "Q-11 holds_up_to_its_capacity", test_oc_ocs_holds_up_to_its_capacity);
	CU_add_test(suite, "refuses_sizes_and_names_out_of_range",
		    test_oc_ocs_refuses_sizes_and_names_out_of_range);
	CU_add_test(suite, "D-045 keys_are_application_type_and_name",
		    test_oc_ocs_keys_are_application_type_and_name);
	CU_add_test(suite, "D-070 settles_every_change_at_its_own_time",
		    test_oc_ocs_settles_every_change_at_its_own_time);
	CU_add_test(suite, "D-050 layout_does_not_decide", test_oc_ocs_layout_does_not_decide);
}
