/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of what a batch takes from the journal.
 */
#include <CUnit/CUnit.h>

#include "agent/oc_err.h"
#include "evidence/store/oev_haul.h"
#include "help_trail.h"

void test_oev_haul_suite(void);

#define RECORDS 4096u

static struct oev_journal *journal; /* of the running test */
static struct oev_haul haul;

static void set_up(void)
{
	journal = oev_journal_new(RECORDS, OEV_FULL_GAP, 0);
	CU_ASSERT_EQUAL_FATAL(oev_haul_init(&haul, RECORDS), OC_OK);
}

static void tear_down(void)
{
	oev_haul_fini(&haul);
	oev_journal_free(journal);
}

static void append(uint64_t id, uint64_t mono_ns)
{
	struct oc_event event = help_decision(id, mono_ns);

	CU_ASSERT_EQUAL(oev_journal_append(journal, &event), OC_OK);
}

static void in_order(uint64_t count)
{
	oev_haul_take(&haul, journal);
	CU_ASSERT_EQUAL_FATAL(haul.decision_count, count);
	for (uint32_t i = 0; i < haul.decision_count; i++) {
		CU_ASSERT_EQUAL(haul.decisions[i].id, i + 1u);
		CU_ASSERT_EQUAL(haul.decisions[i].event->u.decision.id, i + 1u);
	}
}

static void test_oev_haul_sorts_what_is_nearly_in_order(void)
{
	for (uint64_t id = 1; id <= RECORDS; id += 2) {
		append(id + 1, 5);
		append(id, 5);
	}
	in_order(RECORDS);
}

static void test_oev_haul_sorts_what_came_backwards(void)
{
	for (uint64_t id = RECORDS; id > 0; id--)
		append(id, 5);
	in_order(RECORDS);
}

static void test_oev_haul_keeps_kinds_apart_and_knows_its_times(void)
{
	struct oc_event outcome = help_outcome(1, 70);
	struct oc_event name = { .kind = OC_EVENT_NAME, .mono_ns = 90 };

	append(2, 80);
	oev_journal_append(journal, &outcome);
	oev_journal_append(journal, &name);
	append(1, 60);
	oev_haul_take(&haul, journal);
	CU_ASSERT_EQUAL(haul.events, 4);
	CU_ASSERT_EQUAL(haul.decision_count, 2);
	CU_ASSERT_EQUAL(haul.outcome_count, 1);
	CU_ASSERT_EQUAL(haul.other_count, 1);
	CU_ASSERT_EQUAL(haul.outcomes[0]->kind, OC_EVENT_OUTCOME);
	CU_ASSERT_EQUAL(haul.others[0]->kind, OC_EVENT_NAME);
	CU_ASSERT_EQUAL(haul.first_ns, 60);
	CU_ASSERT_EQUAL(haul.last_ns, 90);
	CU_ASSERT_EQUAL(oev_journal_fill(journal), 4);
}

static void test_oev_haul_takes_no_more_than_its_share(void)
{
	struct oev_haul small;

	CU_ASSERT_EQUAL_FATAL(oev_haul_init(&small, 3), OC_OK);
	for (uint64_t id = 1; id <= 5; id++)
		append(id, id);
	oev_haul_take(&small, journal);
	CU_ASSERT_EQUAL(small.events, 3);
	oev_journal_pop_n(journal, small.events);
	oev_haul_take(&small, journal);
	CU_ASSERT_EQUAL(small.events, 2);
	oev_journal_pop_n(journal, small.events);
	oev_haul_take(&small, journal);
	CU_ASSERT_EQUAL(small.events, 0);
	CU_ASSERT_EQUAL(small.first_ns + small.last_ns, 0);
	oev_haul_fini(&small);
}

void test_oev_haul_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oev_haul", NULL, NULL, set_up, tear_down);

	CU_add_test(suite, "nearly_in_order", test_oev_haul_sorts_what_is_nearly_in_order);
	CU_add_test(suite, "backwards", test_oev_haul_sorts_what_came_backwards);
	CU_add_test(suite, "kinds_and_times", test_oev_haul_keeps_kinds_apart_and_knows_its_times);
	CU_add_test(suite, "no_more_than_max", test_oev_haul_takes_no_more_than_its_share);
}
