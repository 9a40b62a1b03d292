/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the ring of ticks: how many, and how many octets it keeps, and what a reader gets who is late.
 */
#include <CUnit/Basic.h>
#include <stdlib.h>
#include <string.h>

#include "web/oweb_ring.h"

void test_oweb_ring_suite(void);

static struct oweb_shared *text_of(size_t len)
{
	struct oweb_text text = { 0 };
	char *octets = malloc(len);

	memset(octets, 'x', len);
	oweb_text_add(&text, octets, len);
	free(octets);
	return oweb_shared_new(&text);
}

static void add(struct oweb_ring *ring, unsigned count, size_t len)
{
	for (unsigned i = 0; i < count; i++)
		oweb_ring_add(ring, text_of(len), text_of(8));
}

static bool has(const struct oweb_ring *ring, uint64_t number)
{
	struct oweb_shared *tick = oweb_ring_get(ring, number);

	oweb_shared_drop(tick);
	return tick != NULL;
}

static void it_keeps_so_many_ticks(void)
{
	struct oweb_ring ring = { 0 };

	add(&ring, 1, 100);
	CU_ASSERT(has(&ring, 1));
	add(&ring, OWEB_TICKS, 100);
	CU_ASSERT_EQUAL(ring.latest, OWEB_TICKS + 1);
	CU_ASSERT_FALSE(has(&ring, 0));
	CU_ASSERT_FALSE(has(&ring, 1));
	CU_ASSERT(has(&ring, 2));
	CU_ASSERT(has(&ring, OWEB_TICKS + 1));
	CU_ASSERT_FALSE(has(&ring, OWEB_TICKS + 2));
	CU_ASSERT_EQUAL(ring.octets, OWEB_TICKS * 100);
	oweb_ring_clear(&ring);
}

static void it_keeps_so_many_octets(void)
{
	struct oweb_ring ring = { 0 };
	const size_t large = OWEB_TICKS_OCTETS / 4;
	struct oweb_reader reader = { .wants = 2, .is_catching_up = true };
	struct oweb_shared *out = NULL;
	uint64_t lost;

	add(&ring, 6, large);
	CU_ASSERT(ring.octets <= OWEB_TICKS_OCTETS);
	CU_ASSERT_FALSE(has(&ring, 2));
	CU_ASSERT(has(&ring, 3));
	CU_ASSERT_EQUAL(oweb_ring_next(&ring, &reader, &out, &lost), OWEB_TURN_RESET);
	CU_ASSERT_EQUAL(lost, 5);
	CU_ASSERT_EQUAL(oweb_ring_next(&ring, &reader, &out, &lost), OWEB_TURN_TEXT);
	CU_ASSERT_EQUAL(out->len, 8);
	oweb_shared_drop(out);
	add(&ring, 1, 2 * OWEB_TICKS_OCTETS); /* alone */
	CU_ASSERT(has(&ring, 7));
	CU_ASSERT_FALSE(has(&ring, 6));
	oweb_ring_clear(&ring);
}

static void a_tick_that_could_not_be_made_is_none(void)
{
	struct oweb_ring ring = { 0 };

	add(&ring, 1, 10);
	oweb_ring_add(&ring, NULL, NULL);
	CU_ASSERT_FALSE(has(&ring, 2));
	add(&ring, OWEB_TICKS, 10);
	CU_ASSERT_EQUAL(ring.octets, OWEB_TICKS * 10);
	oweb_ring_clear(&ring);
	CU_ASSERT_EQUAL(ring.octets, 0);
}

void test_oweb_ring_suite(void)
{
	CU_pSuite suite = CU_add_suite("oweb_ring", NULL, NULL);

	CU_add_test(suite, "it keeps so many ticks", it_keeps_so_many_ticks);
	CU_add_test(suite, "it keeps so many octets", it_keeps_so_many_octets);
	CU_add_test(suite, "a tick that could not be made is none", a_tick_that_could_not_be_made_is_none);
}
