/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of remembered events and of counts by version.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "agent/oc_err.h"
#include "evidence/store/oev_recall.h"
#include "evidence/store/oev_tally.h"
#include "help_trail.h"

void test_oev_recall_suite(void);

static struct oc_event a_name(uint32_t id, const char *text)
{
	struct oc_event event = { .kind = OC_EVENT_NAME };

	event.u.name.id = id;
	strcpy(event.u.name.text, text);
	return event;
}

static void test_oev_recall_has_the_newest_of_each_key_in_order(void)
{
	struct oc_event one = a_name(1, "one"), two = a_name(2, "two"), again = a_name(1, "one again");
	struct oev_recall recall;

	CU_ASSERT_EQUAL_FATAL(oev_recall_init(&recall), OC_OK);
	CU_ASSERT_PTR_NOT_NULL(oev_recall_put(&recall, 3, 1, &one, 7));
	CU_ASSERT_PTR_NOT_NULL(oev_recall_put(&recall, 3, 2, &two, 7));
	CU_ASSERT_PTR_NOT_NULL(oev_recall_put(&recall, 3, 1, &again, 8));
	CU_ASSERT_PTR_NOT_NULL(oev_recall_put(&recall, 4, 1, &one, 7));
	CU_ASSERT_EQUAL(recall.lists[3].count, 2);
	CU_ASSERT_EQUAL(recall.lists[3].first->key, 2);
	CU_ASSERT_STRING_EQUAL(recall.lists[3].last->event.u.name.text, "one again");
	CU_ASSERT_EQUAL(oev_recall_get(&recall, 3, 1)->offset_us, 8);
	oev_recall_move(&recall, oev_recall_get(&recall, 3, 2), 4);
	CU_ASSERT_PTR_NULL(oev_recall_get(&recall, 3, 2));
	CU_ASSERT_EQUAL(recall.lists[4].last->key, 2);
	oev_recall_drop(&recall, oev_recall_get(&recall, 4, 1));
	oev_recall_drop(&recall, oev_recall_get(&recall, 4, 1));
	CU_ASSERT_EQUAL(recall.lists[4].count, 1);
	oev_recall_fini(&recall);
}

static void test_oev_recall_finds_each_of_many(void)
{
	enum { MANY = 10000 };
	struct oc_event event = a_name(0, "x");
	struct oev_recall recall;

	CU_ASSERT_EQUAL_FATAL(oev_recall_init(&recall), OC_OK);
	for (uint32_t key = 0; key < MANY; key++) {
		event.u.name.id = key;
		oev_recall_put(&recall, 0, key, &event, 0);
	}
	for (uint32_t key = 0; key < MANY; key += 2)
		oev_recall_drop(&recall, oev_recall_get(&recall, 0, key));
	for (uint32_t key = 0; key < MANY; key++) {
		const struct oev_recall_item *item = oev_recall_get(&recall, 0, key);
		CU_ASSERT_EQUAL(item != NULL, key % 2 == 1);
		CU_ASSERT(item == NULL || item->event.u.name.id == key);
	}
	CU_ASSERT_EQUAL(recall.lists[0].count, MANY / 2);
	oev_recall_fini(&recall);
}

static void count(struct oev_tally *tally, uint32_t version, uint32_t nth, bool hit)
{
	struct oc_event event = help_decision(1, 1);

	event.u.decision.host = (struct oc_look){ .version = version, .share_ppm = 300000, .nth = nth };
	event.u.decision.selected_by = hit ? OC_SCOPE_HOST : OC_SCOPE_NONE;
	event.u.decision.flags = nth == 0 ? OC_DEC_REMEMBERED : 0;
	oev_tally_add(tally, &event.u.decision);
}

static void test_oev_tally_counts_what_was_kept(void)
{
	struct oev_tally tally;
	struct oev_tally_counts counts;

	CU_ASSERT_EQUAL_FATAL(oev_tally_init(&tally), OC_OK);
	count(&tally, 5, 1, true);
	count(&tally, 5, 2, false);
	count(&tally, 5, 0, true);
	count(&tally, 5, 0, false); /* a probe that was let through */
	oev_tally_get(&tally, 5, &counts);
	CU_ASSERT_EQUAL(counts.matched, 0);
	oev_tally_keep(&tally);
	count(&tally, 5, 3, true);
	oev_tally_undo(&tally);
	count(&tally, 5, 3, true);
	oev_tally_keep(&tally);
	oev_tally_get(&tally, 5, &counts);
	CU_ASSERT_EQUAL(counts.matched, 3);
	CU_ASSERT_EQUAL(counts.selected, 2);
	CU_ASSERT_EQUAL(counts.expected_ppm, 900000);
	CU_ASSERT_EQUAL(counts.remembered, 1);
	oev_tally_get(&tally, 6, &counts);
	CU_ASSERT_EQUAL(counts.matched + counts.selected + counts.expected_ppm + counts.remembered, 0);
	oev_tally_fini(&tally);
}

static void test_oev_tally_drops_one_of_many_and_finds_the_rest(void)
{
	enum { MANY = 3000 };
	struct oev_tally tally;
	struct oev_tally_counts counts;

	CU_ASSERT_EQUAL_FATAL(oev_tally_init(&tally), OC_OK);
	for (uint32_t version = 1; version <= MANY; version++)
		for (uint32_t nth = 1; nth <= version % 3 + 1; nth++)
			count(&tally, version, nth, false);
	oev_tally_keep(&tally);
	for (uint32_t version = 1; version <= MANY; version += 2)
		oev_tally_drop(&tally, version);
	oev_tally_drop(&tally, MANY + 1);
	for (uint32_t version = 1; version <= MANY; version++) {
		oev_tally_get(&tally, version, &counts);
		CU_ASSERT_EQUAL(counts.matched, version % 2 == 1 ? 0 : version % 3 + 1);
	}
	CU_ASSERT_EQUAL(tally.used, MANY / 2);
	CU_ASSERT_EQUAL(tally.rc, OC_OK);
	oev_tally_fini(&tally);
}

void test_oev_recall_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_recall", NULL, NULL);

	CU_add_test(suite, "newest_in_order", test_oev_recall_has_the_newest_of_each_key_in_order);
	CU_add_test(suite, "many", test_oev_recall_finds_each_of_many);
	CU_add_test(suite, "tally_kept", test_oev_tally_counts_what_was_kept);
	CU_add_test(suite, "tally_many", test_oev_tally_drops_one_of_many_and_finds_the_rest);
}
