/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of what a dead process leaves in the journal: found, drained once and in order, or moved aside.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "help_journal.h"

void test_oev_journal_left_suite(void);

static struct help_journal h;

static void set_up(void)
{
	help_journal_set_up(&h);
}

static void tear_down(void)
{
	help_journal_tear_down(&h);
}

static void test_oev_journal_left_tells_whose_it_was(void)
{
	CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, 64), OC_OK);
	help_journal_begin(&h);
	help_journal_append(&h, 1, 10);
	oev_journal_note_clock(h.journal, 777);
	CU_ASSERT_EQUAL(oev_journal_note_segment(h.journal, "seg-b.db"), OC_OK);
	help_journal_close(&h);
	CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, 64), OC_OK);
	CU_ASSERT(h.left.found);
	CU_ASSERT_EQUAL(h.left.run_id, HELP_RUN);
	CU_ASSERT_EQUAL(h.left.pid, (uint32_t)getpid());
	CU_ASSERT_EQUAL(h.left.started_us, 111);
	CU_ASSERT_EQUAL(h.left.offset_us, 777);
	CU_ASSERT_STRING_EQUAL(h.left.segment, "seg-b.db");
	CU_ASSERT_EQUAL(h.left.head, 0);
	CU_ASSERT_EQUAL(h.left.tail, 10);
	CU_ASSERT_EQUAL(h.left.waiting, 10);
	CU_ASSERT_EQUAL(h.left.torn, 0);
	CU_ASSERT_STRING_EQUAL(h.left.aside, "");
}

static void test_oev_journal_left_is_drained_once_in_order_over_many_deaths(void)
{
	help_journal_leave(&h, 64, 60, 0);
	for (uint64_t from = 1; from <= 60; from += 13) {
		CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, 64), OC_OK);
		CU_ASSERT_EQUAL(h.left.waiting, 61 - from);
		for (uint32_t n = 0; n < 13 && from + n <= 60; n++)
			CU_ASSERT_EQUAL(oev_journal_peek_at(h.journal, n)->u.outcome.id, from + n);
		oev_journal_pop_n(h.journal, from + 13 <= 60 ? 13 : (uint32_t)(61 - from));
		help_journal_close(&h);
	}
	CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, 64), OC_OK);
	CU_ASSERT(h.left.found);
	CU_ASSERT_EQUAL(h.left.waiting, 0);
	CU_ASSERT_PTR_NULL(oev_journal_peek(h.journal));
}

static void test_oev_journal_left_must_be_drained_before_the_next_begins(void)
{
	struct oev_journal_life life = { .run_id = 2 };

	help_journal_leave(&h, 64, 2, 0);
	CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, 64), OC_OK);
	CU_ASSERT_EQUAL(oev_journal_begin(h.journal, &life, h.error, sizeof(h.error)), OC_EBUSY);
	oev_journal_pop(h.journal);
	CU_ASSERT_EQUAL(oev_journal_begin(h.journal, &life, h.error, sizeof(h.error)), OC_EBUSY);
	oev_journal_pop(h.journal);
	CU_ASSERT_EQUAL(oev_journal_begin(h.journal, &life, h.error, sizeof(h.error)), OC_OK);
	CU_ASSERT_EQUAL(oev_journal_head(h.journal), 0);
	CU_ASSERT_PTR_NULL(oev_journal_peek(h.journal));
	help_journal_append(&h, 1, 64);
	CU_ASSERT(help_journal_drains(&h, 1, 64, 9));
}

static void test_oev_journal_left_goes_on_from_the_committed_position(void)
{
	help_journal_leave(&h, 64, 20, 5);
	CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, 64), OC_OK);
	CU_ASSERT_EQUAL(h.left.head, 5);
	CU_ASSERT_EQUAL(oev_journal_reach(h.journal, 3), 8);
	CU_ASSERT_EQUAL(oev_journal_skip_to(h.journal, 4), OC_ERANGE);
	CU_ASSERT_EQUAL(oev_journal_skip_to(h.journal, 21), OC_ERANGE);
	CU_ASSERT_EQUAL(oev_journal_fill(h.journal), 15);
	CU_ASSERT_EQUAL(oev_journal_skip_to(h.journal, 8), OC_OK);
	CU_ASSERT_EQUAL(oev_journal_fill(h.journal), 12);
	CU_ASSERT(help_journal_drains(&h, 9, 20, 5));
	CU_ASSERT_EQUAL(oev_journal_head(h.journal), 20);
}

/* Positions are torn where the word was never written; ids are positions + 1. */
static void tear(const uint64_t *positions, size_t count)
{
	size_t octets;
	struct oev_ring *ring = help_journal_map(&h, &octets);

	for (size_t i = 0; i < count; i++)
		atomic_store(&ring->slots[positions[i] % ring->kind.records].word, positions[i] / 2);
	help_journal_unmap(ring, octets);
}

static void test_oev_journal_left_torn_places_are_passed_over(void)
{
	static const uint64_t torn[] = { 0, 3, 4, 8, 9 };
	static const uint64_t whole[] = { 2, 3, 6, 7, 8 };

	help_journal_leave(&h, 64, 10, 0);
	tear(torn, 5);
	CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, 64), OC_OK);
	CU_ASSERT_EQUAL(h.left.torn, 5);
	CU_ASSERT_EQUAL(h.left.waiting, 5);
	CU_ASSERT_EQUAL(oev_journal_fill(h.journal), 5);
	for (uint32_t n = 0; n < 5; n++)
		CU_ASSERT_EQUAL(oev_journal_peek_at(h.journal, n)->u.outcome.id, whole[n]);
	CU_ASSERT_PTR_NULL(oev_journal_peek_at(h.journal, 5));
	CU_ASSERT_EQUAL(oev_journal_peek_at(h.journal, 1)->u.outcome.id, 3);
	CU_ASSERT_EQUAL(oev_journal_reach(h.journal, 3), 6);
	oev_journal_pop_n(h.journal, 3);
	CU_ASSERT_EQUAL(oev_journal_head(h.journal), 6);
	CU_ASSERT_EQUAL(oev_journal_peek(h.journal)->u.outcome.id, 7);
	oev_journal_pop_n(h.journal, 2);
	CU_ASSERT_EQUAL(oev_journal_fill(h.journal), 0);
	help_journal_begin(&h);
}

static void test_oev_journal_left_altered_events_are_not_handed_out(void)
{
	size_t octets;

	help_journal_leave(&h, 64, 10, 0);
	struct oev_ring *ring = help_journal_map(&h, &octets);
	ring->slots[4].event.u.outcome.took_ns ^= 1u << 20;
	ring->slots[5].event.kind = 0;
	ring->slots[6].event.kind = 9999;
	ring->slots[7].event = ring->slots[0].event; /* another event, whole, at the wrong place */
	ring->slots[7].sum = ring->slots[0].sum;
	help_journal_unmap(ring, octets);
	CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, 64), OC_OK);
	CU_ASSERT_EQUAL(h.left.damaged, 4);
	CU_ASSERT_EQUAL(h.left.waiting, 6);
	CU_ASSERT_EQUAL(oev_journal_peek_at(h.journal, 3)->u.outcome.id, 4);
	CU_ASSERT_EQUAL(oev_journal_peek_at(h.journal, 4)->u.outcome.id, 9);
}

static void test_oev_journal_left_text_without_end_is_not_handed_out(void)
{
	struct oc_event name = { .kind = OC_EVENT_NAME };

	CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, 64), OC_OK);
	help_journal_begin(&h);
	memset(name.u.name.text, 'x', sizeof(name.u.name.text));
	CU_ASSERT_EQUAL(oev_journal_append(h.journal, &name), OC_OK);
	help_journal_append(&h, 7, 7);
	help_journal_close(&h);
	CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, 64), OC_OK);
	CU_ASSERT_EQUAL(h.left.damaged, 1);
	CU_ASSERT(help_journal_drains(&h, 7, 7, 2));
}

static void test_oev_journal_left_gap_is_told_until_it_is_stored(void)
{
	help_journal_leave(&h, 64, 64, 0);
	CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, 64), OC_OK);
	CU_ASSERT(help_journal_drains(&h, 1, 64, 64));
	help_journal_begin(&h);
	help_journal_append(&h, 1, 64);
	struct oc_event event = { .kind = OC_EVENT_OUTCOME };
	for (unsigned i = 0; i < 5; i++)
		CU_ASSERT_EQUAL(oev_journal_append(h.journal, &event), OC_ENOSPC);
	CU_ASSERT_EQUAL(oev_journal_gap_total(h.journal), 5);
	oev_journal_gap_stored(h.journal, 3);
	help_journal_close(&h);
	CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, 64), OC_OK);
	CU_ASSERT_EQUAL(h.left.gap, 2);
	CU_ASSERT_EQUAL(oev_journal_gap_total(h.journal), 5);
	oev_journal_gap_stored(h.journal, 5);
	help_journal_close(&h);
	CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, 64), OC_OK);
	CU_ASSERT_EQUAL(h.left.gap, 0);
}

static void test_oev_journal_left_between_two_lives_is_empty(void)
{
	size_t octets;

	help_journal_leave(&h, 64, 10, 0);
	struct oev_ring *ring = help_journal_map(&h, &octets);
	atomic_store(&ring->state, OEV_RING_EMPTY);
	atomic_store(&ring->tail, 12345); /* the head is reset already */
	help_journal_unmap(ring, octets);
	CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, 64), OC_OK);
	CU_ASSERT_EQUAL(h.left.waiting, 0);
	CU_ASSERT_PTR_NULL(oev_journal_peek(h.journal));
	help_journal_begin(&h);
}

static void test_oev_journal_left_segment_is_a_name_and_no_path(void)
{
	static const char *const wrong[] = { "../x.db", "/etc/passwd", "a b", ".hidden", "x\n" };
	char longer[OEV_JOURNAL_SEGMENT_MAX + 1];
	size_t octets;

	CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, 64), OC_OK);
	help_journal_begin(&h);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		CU_ASSERT_EQUAL(oev_journal_note_segment(h.journal, wrong[i]), OC_ERANGE);
	memset(longer, 'a', sizeof(longer) - 1);
	longer[OEV_JOURNAL_SEGMENT_MAX] = '\0';
	CU_ASSERT_EQUAL(oev_journal_note_segment(h.journal, longer), OC_ERANGE);
	longer[OEV_JOURNAL_SEGMENT_MAX - 1] = '\0';
	CU_ASSERT_EQUAL(oev_journal_note_segment(h.journal, longer), OC_OK);
	help_journal_append(&h, 1, 1);
	help_journal_close(&h);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]) + 1; i++) {
		struct oev_ring *ring = help_journal_map(&h, &octets);
		memset(ring->segment, 'a', sizeof(ring->segment));
		if (i > 0)
			strcpy(ring->segment[atomic_load(&ring->segment_now)], wrong[i - 1]);
		help_journal_unmap(ring, octets);
		CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, 64), OC_OK);
		CU_ASSERT_STRING_EQUAL(h.left.segment, "");
		help_journal_close(&h);
	}
}

void test_oev_journal_left_suite(void)
{
	CU_pSuite suite =
		CU_add_suite_with_setup_and_teardown("oev_journal_left", NULL, NULL, set_up, tear_down);

	CU_add_test(suite, "tells_whose_it_was", test_oev_journal_left_tells_whose_it_was);
	CU_add_test(suite, "drained_once_in_order",
		    test_oev_journal_left_is_drained_once_in_order_over_many_deaths);
	CU_add_test(suite, "drained_before_begin",
		    test_oev_journal_left_must_be_drained_before_the_next_begins);
	CU_add_test(suite, "from_the_committed_position",
		    test_oev_journal_left_goes_on_from_the_committed_position);
	CU_add_test(suite, "torn_places_are_passed_over", test_oev_journal_left_torn_places_are_passed_over);
	CU_add_test(suite, "altered_events", test_oev_journal_left_altered_events_are_not_handed_out);
	CU_add_test(suite, "text_without_end", test_oev_journal_left_text_without_end_is_not_handed_out);
	CU_add_test(suite, "gap_until_stored", test_oev_journal_left_gap_is_told_until_it_is_stored);
	CU_add_test(suite, "between_two_lives", test_oev_journal_left_between_two_lives_is_empty);
	CU_add_test(suite, "segment_is_no_path", test_oev_journal_left_segment_is_a_name_and_no_path);
}
