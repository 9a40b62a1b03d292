/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the journal: order, room, gaps, and many producers at once.
 */
#include <CUnit/CUnit.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "agent/oc_err.h"
#include "evidence/oev_clock.h"
#include "evidence/store/oev_journal.h"

void test_oev_journal_suite(void);

#define PRODUCERS 4u
#define PER_PRODUCER 30000u

static struct oc_event outcome(uint64_t id)
{
	struct oc_event event = { .kind = OC_EVENT_OUTCOME, .mono_ns = id };

	event.u.outcome.id = id;
	return event;
}

static int append(struct oev_journal *journal, uint64_t id)
{
	struct oc_event event = outcome(id);

	return oev_journal_append(journal, &event);
}

static void test_oev_journal_refuses_sizes_out_of_range(void)
{
	static const uint32_t wrong[] = { 0, 1, 32, 63, 65, 100, 33554432, UINT32_MAX };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		CU_ASSERT_PTR_NULL(oev_journal_new(wrong[i], OEV_FULL_GAP, 0));
	struct oev_journal *journal = oev_journal_new(64, OEV_FULL_GAP, 0);
	CU_ASSERT_EQUAL(oev_journal_records(journal), 64);
	oev_journal_free(journal);
	oev_journal_free(NULL);
}

static void test_oev_journal_gives_back_what_went_in_over_many_turns(void)
{
	struct oev_journal *journal = oev_journal_new(64, OEV_FULL_GAP, 0);
	uint64_t in = 0;
	uint64_t out = 0;

	CU_ASSERT_PTR_NULL(oev_journal_peek(journal));
	for (unsigned round = 1; round < 300; round++) {
		for (unsigned i = 0; i < round % 65; i++)
			CU_ASSERT_EQUAL(append(journal, ++in), OC_OK);
		CU_ASSERT_EQUAL(oev_journal_fill(journal), round % 65);
		while (oev_journal_peek(journal)) {
			CU_ASSERT_EQUAL(oev_journal_peek(journal)->u.outcome.id, ++out);
			oev_journal_pop(journal);
		}
	}
	CU_ASSERT_EQUAL(in, out);
	CU_ASSERT_EQUAL(oev_journal_fill(journal), 0);
	oev_journal_free(journal);
}

static void test_oev_journal_keeps_every_octet_of_an_event(void)
{
	struct oev_journal *journal = oev_journal_new(64, OEV_FULL_GAP, 0);
	struct oc_event event;

	memset(&event, 0xa5, sizeof(event));
	event.kind = OC_EVENT_NAME;
	CU_ASSERT_EQUAL(oev_journal_append(journal, &event), OC_OK);
	CU_ASSERT_EQUAL(memcmp(oev_journal_peek(journal), &event, oc_event_size(&event)), 0);
	oev_journal_free(journal);
}

static void test_oev_journal_full_ring_counts_gaps_and_keeps_the_old(void)
{
	struct oev_journal *journal = oev_journal_new(64, OEV_FULL_GAP, 0);

	for (uint64_t id = 1; id <= 64; id++)
		CU_ASSERT_EQUAL(append(journal, id), OC_OK);
	CU_ASSERT_EQUAL(append(journal, 65), OC_ENOSPC);
	CU_ASSERT_EQUAL(append(journal, 66), OC_ENOSPC);
	CU_ASSERT_EQUAL(oev_journal_take_gap(journal), 2);
	CU_ASSERT_EQUAL(oev_journal_take_gap(journal), 0);
	CU_ASSERT_EQUAL(oev_journal_peek(journal)->u.outcome.id, 1);
	oev_journal_pop(journal);
	CU_ASSERT_EQUAL(append(journal, 67), OC_OK);
	CU_ASSERT_EQUAL(oev_journal_peek_at(journal, 63)->u.outcome.id, 67);
	oev_journal_free(journal);
}

static void test_oev_journal_block_waits_its_time_then_counts(void)
{
	struct oev_journal *journal = oev_journal_new(64, OEV_FULL_BLOCK, 5);

	for (uint64_t id = 1; id <= 64; id++)
		append(journal, id);
	uint64_t before_ns = oev_clock_mono_ns();
	CU_ASSERT_EQUAL(append(journal, 65), OC_ENOSPC);
	CU_ASSERT(oev_clock_mono_ns() - before_ns >= 5000000u);
	CU_ASSERT_EQUAL(oev_journal_take_gap(journal), 1);
	oev_journal_free(journal);
}

static void test_oev_journal_block_waits_once_until_room_comes(void)
{
	struct oev_journal *journal = oev_journal_new(64, OEV_FULL_BLOCK, 200);

	for (uint64_t id = 1; id <= 65; id++)
		append(journal, id);
	uint64_t before_ns = oev_clock_mono_ns();
	for (uint64_t id = 66; id < 166; id++)
		CU_ASSERT_EQUAL(append(journal, id), OC_ENOSPC);
	CU_ASSERT(oev_clock_mono_ns() - before_ns < 200000000u);
	CU_ASSERT_EQUAL(oev_journal_take_gap(journal), 101);
	oev_journal_pop(journal);
	CU_ASSERT_EQUAL(append(journal, 166), OC_OK);
	before_ns = oev_clock_mono_ns();
	CU_ASSERT_EQUAL(append(journal, 167), OC_ENOSPC);
	CU_ASSERT(oev_clock_mono_ns() - before_ns >= 200000000u);
	oev_journal_free(journal);
}

struct waiter {
	struct oev_journal *journal;
	uint64_t took_ns;
};

static void *append_in_vain(void *ctx)
{
	struct waiter *w = ctx;

	uint64_t before_ns = oev_clock_mono_ns();
	append(w->journal, 65);
	w->took_ns = oev_clock_mono_ns() - before_ns;
	return NULL;
}

static void test_oev_journal_block_ends_for_all_when_it_ends_for_one(void)
{
	struct waiter first = { .journal = oev_journal_new(64, OEV_FULL_BLOCK, 1000) };
	struct waiter second = { .journal = first.journal };
	pthread_t threads[2];

	for (uint64_t id = 1; id <= 64; id++)
		append(first.journal, id);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[0], NULL, append_in_vain, &first), 0);
	oev_clock_sleep_us(600000);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[1], NULL, append_in_vain, &second), 0);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	CU_ASSERT(first.took_ns >= 1000000000u);
	CU_ASSERT(second.took_ns < 900000000u);
	CU_ASSERT_EQUAL(oev_journal_take_gap(first.journal), 2);
	oev_journal_free(first.journal);
}

static void *append_one(void *ctx)
{
	append(ctx, 65);
	return NULL;
}

static void test_oev_journal_block_goes_on_when_room_comes(void)
{
	struct oev_journal *journal = oev_journal_new(64, OEV_FULL_BLOCK, 60000);
	pthread_t producer;

	for (uint64_t id = 1; id <= 64; id++)
		append(journal, id);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&producer, NULL, append_one, journal), 0);
	oev_journal_pop_n(journal, 32);
	pthread_join(producer, NULL);
	CU_ASSERT_EQUAL(oev_journal_take_gap(journal), 0);
	CU_ASSERT_EQUAL(oev_journal_peek_at(journal, 32)->u.outcome.id, 65);
	oev_journal_free(journal);
}

struct pause {
	struct oev_journal *journal;
	uint32_t appended;
};

static void *append_on_and_on(void *ctx)
{
	struct pause *p = ctx;

	while (p->appended < 1000 && append(p->journal, p->appended + 1u) == OC_OK)
		p->appended++;
	return NULL;
}

static void test_oev_journal_block_outlasts_a_stopped_consumer(void)
{
	struct pause p = { .journal = oev_journal_new(64, OEV_FULL_BLOCK, 20000) };
	pthread_t thread;
	uint64_t out = 0;

	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, append_on_and_on, &p), 0);
	oev_clock_sleep_us(300000);
	CU_ASSERT_EQUAL(oev_journal_fill(p.journal), 64);
	while (out < 1000) {
		const struct oc_event *event = oev_journal_peek(p.journal);
		if (!event) {
			oev_clock_sleep_us(50);
			continue;
		}
		CU_ASSERT_EQUAL(event->u.outcome.id, ++out);
		oev_journal_pop(p.journal);
	}
	pthread_join(thread, NULL);
	CU_ASSERT_EQUAL(p.appended, 1000);
	CU_ASSERT_EQUAL(oev_journal_take_gap(p.journal), 0);
	oev_journal_free(p.journal);
}

static void test_oev_journal_peek_at_reads_ahead_and_takes_nothing(void)
{
	struct oev_journal *journal = oev_journal_new(64, OEV_FULL_GAP, 0);

	for (uint64_t id = 1; id <= 64; id++)
		append(journal, id);
	for (uint32_t n = 0; n < 64; n++)
		CU_ASSERT_EQUAL(oev_journal_peek_at(journal, n)->u.outcome.id, n + 1u);
	CU_ASSERT_PTR_NULL(oev_journal_peek_at(journal, 64));
	CU_ASSERT_PTR_NULL(oev_journal_peek_at(journal, 65));
	CU_ASSERT_EQUAL(oev_journal_fill(journal), 64);
	oev_journal_pop_n(journal, 60);
	CU_ASSERT_EQUAL(oev_journal_peek_at(journal, 3)->u.outcome.id, 64);
	CU_ASSERT_PTR_NULL(oev_journal_peek_at(journal, 4));
	oev_journal_pop_n(journal, 0);
	CU_ASSERT_EQUAL(oev_journal_fill(journal), 4);
	oev_journal_free(journal);
}

static void test_oev_journal_high_water_is_the_most_that_ever_waited(void)
{
	struct oev_journal *journal = oev_journal_new(64, OEV_FULL_GAP, 0);

	CU_ASSERT_EQUAL(oev_journal_high_water(journal), 0);
	for (uint64_t id = 1; id <= 10; id++)
		append(journal, id);
	CU_ASSERT_EQUAL(oev_journal_high_water(journal), 10);
	oev_journal_pop_n(journal, 10);
	append(journal, 11);
	CU_ASSERT_EQUAL(oev_journal_high_water(journal), 10);
	oev_journal_free(journal);
}

static void test_oev_journal_unknown_kind_is_counted_not_stored(void)
{
	struct oev_journal *journal = oev_journal_new(64, OEV_FULL_GAP, 0);
	struct oc_event event = { .kind = OC_EVENT_KIND_COUNT };

	CU_ASSERT_EQUAL(oev_journal_append(journal, &event), OC_EINVAL);
	oev_journal_emit(journal, &event);
	CU_ASSERT_EQUAL(oev_journal_take_gap(journal), 2);
	CU_ASSERT_PTR_NULL(oev_journal_peek(journal));
	oev_journal_free(journal);
}

struct producer {
	struct oev_journal *journal;
	uint32_t number;
	uint32_t refused;
};

static void *produce(void *ctx)
{
	struct producer *p = ctx;

	for (uint32_t i = 0; i < PER_PRODUCER; i++)
		if (append(p->journal, (uint64_t)p->number << 32 | i) != OC_OK)
			p->refused++;
	return NULL;
}

/* Takes @expected events in uneven portions; false as soon as one producer's events are out of order. */
static bool consume(struct oev_journal *journal, uint64_t expected)
{
	uint64_t last[PRODUCERS] = { 0 };
	uint64_t seen = 0;

	while (seen < expected) {
		const struct oc_event *event;
		uint32_t n = 0;
		while (n < 7 && (event = oev_journal_peek_at(journal, n)) != NULL) {
			uint64_t number = event->u.outcome.id >> 32;
			uint64_t at = (event->u.outcome.id & 0xffffffffu) + 1;
			if (number >= PRODUCERS || at != last[number] + 1 ||
			    event->mono_ns != event->u.outcome.id)
				return false;
			last[number] = at;
			n++;
		}
		oev_journal_pop_n(journal, n);
		seen += n;
		if (n == 0)
			oev_clock_sleep_us(10);
	}
	return true;
}

static void test_oev_journal_four_producers_lose_nothing_and_keep_their_order(void)
{
	struct oev_journal *journal = oev_journal_new(256, OEV_FULL_BLOCK, 60000);
	struct producer producers[PRODUCERS];
	pthread_t threads[PRODUCERS];

	for (uint32_t i = 0; i < PRODUCERS; i++) {
		producers[i] = (struct producer){ .journal = journal, .number = i };
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, produce, &producers[i]), 0);
	}
	CU_ASSERT(consume(journal, (uint64_t)PRODUCERS * PER_PRODUCER));
	for (uint32_t i = 0; i < PRODUCERS; i++) {
		pthread_join(threads[i], NULL);
		CU_ASSERT_EQUAL(producers[i].refused, 0);
	}
	CU_ASSERT_PTR_NULL(oev_journal_peek(journal));
	CU_ASSERT_EQUAL(oev_journal_take_gap(journal), 0);
	CU_ASSERT(oev_journal_high_water(journal) <= 256);
	oev_journal_free(journal);
}

static void test_oev_journal_four_producers_gaps_plus_events_are_all(void)
{
	struct oev_journal *journal = oev_journal_new(64, OEV_FULL_GAP, 0);
	struct producer producers[PRODUCERS];
	pthread_t threads[PRODUCERS];
	uint64_t kept = 0;
	uint64_t refused = 0;

	for (uint32_t i = 0; i < PRODUCERS; i++) {
		producers[i] = (struct producer){ .journal = journal, .number = i };
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, produce, &producers[i]), 0);
	}
	for (uint32_t i = 0; i < 1000; i++)
		for (; oev_journal_peek(journal); kept++)
			oev_journal_pop(journal);
	for (uint32_t i = 0; i < PRODUCERS; i++) {
		pthread_join(threads[i], NULL);
		refused += producers[i].refused;
	}
	for (; oev_journal_peek(journal); kept++)
		oev_journal_pop(journal);
	CU_ASSERT_EQUAL(kept + refused, (uint64_t)PRODUCERS * PER_PRODUCER);
	CU_ASSERT_EQUAL(oev_journal_take_gap(journal), refused);
	oev_journal_free(journal);
}

void test_oev_journal_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_journal", NULL, NULL);

	CU_add_test(suite, "refuses_sizes_out_of_range", test_oev_journal_refuses_sizes_out_of_range);
	CU_add_test(suite, "many_turns", test_oev_journal_gives_back_what_went_in_over_many_turns);
	CU_add_test(suite, "every_octet", test_oev_journal_keeps_every_octet_of_an_event);
	CU_add_test(suite, "full_ring_counts_gaps", test_oev_journal_full_ring_counts_gaps_and_keeps_the_old);
	CU_add_test(suite, "block_waits_then_counts", test_oev_journal_block_waits_its_time_then_counts);
	CU_add_test(suite, "block_waits_once", test_oev_journal_block_waits_once_until_room_comes);
	CU_add_test(suite, "block_ends_for_all", test_oev_journal_block_ends_for_all_when_it_ends_for_one);
	CU_add_test(suite, "block_goes_on", test_oev_journal_block_goes_on_when_room_comes);
	CU_add_test(suite, "block_outlasts_a_stopped_consumer",
		    test_oev_journal_block_outlasts_a_stopped_consumer);
	CU_add_test(suite, "peek_at_takes_nothing", test_oev_journal_peek_at_reads_ahead_and_takes_nothing);
	CU_add_test(suite, "high_water", test_oev_journal_high_water_is_the_most_that_ever_waited);
	CU_add_test(suite, "unknown_kind", test_oev_journal_unknown_kind_is_counted_not_stored);
	CU_add_test(suite, "four_producers_order",
		    test_oev_journal_four_producers_lose_nothing_and_keep_their_order);
	CU_add_test(suite, "four_producers_gaps", test_oev_journal_four_producers_gaps_plus_events_are_all);
}
