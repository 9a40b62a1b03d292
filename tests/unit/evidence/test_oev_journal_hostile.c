/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A journal file whose content is anything at all: it is drained as far as it can be believed, or moved aside whole; it is
 * never believed blindly, never lost, and never the end of the process.
 */
#include <CUnit/CUnit.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "help_journal.h"

void test_oev_journal_hostile_suite(void);

#define ROUNDS 400u
#define RECORDS 64u

static struct help_journal h;
static uint64_t chance;

static void set_up(void)
{
	help_journal_set_up(&h);
	chance = 20261130;
}

static void tear_down(void)
{
	help_journal_tear_down(&h);
}

static uint64_t draw(void)
{
	chance = chance * 6364136223846793005u + 1442695040888963407u;
	return (chance >> 33) ^ (chance << 31);
}

/* The file is moved aside under a name of its own, with @octets in it, and an empty ring is there instead. */
static void expect_aside(off_t octets)
{
	struct stat found = { 0 };

	CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, RECORDS), OC_OK);
	CU_ASSERT_FALSE(h.left.found);
	CU_ASSERT_STRING_NOT_EQUAL(h.left.why, "");
	CU_ASSERT_PTR_NOT_NULL(strstr(h.left.aside, OEV_JOURNAL_FILE ".unreadable-"));
	CU_ASSERT_EQUAL(lstat(h.left.aside, &found), 0);
	CU_ASSERT(octets < 0 || found.st_size == octets);
	help_journal_begin(&h);
	help_journal_append(&h, 1, RECORDS);
	CU_ASSERT(help_journal_drains(&h, 1, RECORDS, 10));
	help_journal_close(&h);
}

static void test_oev_journal_hostile_heads_are_not_believed(void)
{
	static const struct {
		size_t at;
		uint64_t value;
	} wrong[] = {
		{ offsetof(struct oev_ring, kind.magic), 0x4142434445464748u },
		{ offsetof(struct oev_ring, kind.format), 1 },
		{ offsetof(struct oev_ring, kind.slot_octets), 320 + 64 },
		{ offsetof(struct oev_ring, kind.layout), 12345 },
		{ offsetof(struct oev_ring, kind.records), 128 },
		{ offsetof(struct oev_ring, kind.records), 63 },
		{ offsetof(struct oev_ring, kind.records), 0 },
		{ offsetof(struct oev_ring, kind.records), 0x80000000u },
		{ offsetof(struct oev_ring, state), 7 },
		{ offsetof(struct oev_ring, head), 11 },
		{ offsetof(struct oev_ring, head), UINT64_MAX },
		{ offsetof(struct oev_ring, tail), 65 },
		{ offsetof(struct oev_ring, tail), UINT64_MAX },
		{ offsetof(struct oev_ring, gap), UINT64_MAX },
		{ offsetof(struct oev_ring, gap_stored), 1 },
	};
	size_t octets;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		help_journal_leave(&h, RECORDS, 10, 0);
		struct oev_ring *ring = help_journal_map(&h, &octets);
		memcpy((char *)ring + wrong[i].at, &wrong[i].value, sizeof(uint64_t));
		help_journal_unmap(ring, octets);
		expect_aside((off_t)octets);
	}
	CU_ASSERT_EQUAL(help_journal_files(&h), sizeof(wrong) / sizeof(wrong[0]));
}

static void test_oev_journal_hostile_sizes_are_not_believed(void)
{
	static const off_t cuts[] = { 0, 1, 8, 31, 4095, 4096, 4097, 20000 };

	for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
		help_journal_leave(&h, RECORDS, 10, 0);
		CU_ASSERT_EQUAL(truncate(h.path, cuts[i]), 0);
		expect_aside(cuts[i]);
	}
	help_journal_leave(&h, RECORDS, 10, 0);
	CU_ASSERT_EQUAL(truncate(h.path, (off_t)oev_ring_octets(RECORDS) + 1), 0);
	expect_aside((off_t)oev_ring_octets(RECORDS) + 1);
}

static void test_oev_journal_hostile_other_things_under_the_name_are_moved(void)
{
	CU_ASSERT_EQUAL(symlink("/dev/zero", h.path), 0);
	expect_aside(-1);
	CU_ASSERT_EQUAL(mkfifo(h.path, 0600), 0);
	expect_aside(-1);
	CU_ASSERT_EQUAL(mkdir(h.path, 0700), 0);
	expect_aside(-1);
	CU_ASSERT_EQUAL(rmdir(h.left.aside), 0);
}

/* Reads every octet an event's kind speaks of, as whoever stores it would. */
static uint64_t read_event(const struct oc_event *event)
{
	uint64_t sum = 0;
	size_t octets = oc_event_size(event);

	CU_ASSERT(octets > 0 && octets <= sizeof(*event));
	for (size_t i = 0; i < octets; i++)
		sum += ((const uint8_t *)event)[i];
	if (event->kind == OC_EVENT_NAME)
		CU_ASSERT(strlen(event->u.name.text) < sizeof(event->u.name.text));
	return sum;
}

/* Drains whatever there is, in portions; every event has to be readable. */
static void drain_anything(void)
{
	const struct oc_event *event;
	uint32_t before = oev_journal_fill(h.journal);
	uint32_t seen = 0;
	uint32_t n;

	do {
		uint32_t most = (uint32_t)(draw() % 9) + 1;
		for (n = 0; n < most && (event = oev_journal_peek_at(h.journal, n)) != NULL; n++)
			(void)read_event(event);
		oev_journal_pop_n(h.journal, n);
		seen += n;
	} while (n > 0);
	CU_ASSERT_EQUAL(seen, before);
	CU_ASSERT_EQUAL(seen, h.left.waiting);
	CU_ASSERT_EQUAL(oev_journal_fill(h.journal), 0);
}

/* Random octets over the file; with @knowing, the sums fit what then stands in the slots. */
static void scramble(bool knowing)
{
	size_t octets;
	struct oev_ring *ring = help_journal_map(&h, &octets);
	size_t from = draw() % 3 == 0 ? 0 : offsetof(struct oev_ring, slots);

	for (uint64_t i = draw() % 200; i > 0; i--)
		((uint8_t *)ring)[from + draw() % (octets - from)] ^= (uint8_t)draw();
	for (uint64_t i = 0; knowing && i < RECORDS; i++) {
		struct oc_event *event = &ring->slots[i].event;
		for (uint8_t *at = (uint8_t *)event; at < (uint8_t *)(event + 1); at++)
			*at = draw() % 4 ? (uint8_t)draw() : *at;
		event->kind = (uint16_t)(draw() % (OC_EVENT_KIND_COUNT + 1));
		atomic_store(&ring->slots[i].word, i + 1);
		ring->slots[i].sum = oev_slot_sum_at(oev_slot_sum(event, oc_event_size(event)), i);
	}
	help_journal_unmap(ring, octets);
}

static void run_rounds(bool knowing)
{
	unsigned found = 0;

	for (unsigned round = 0; round < ROUNDS; round++) {
		help_journal_leave(&h, RECORDS, RECORDS, (uint32_t)(draw() % 10));
		scramble(knowing);
		CU_ASSERT_EQUAL_FATAL(help_journal_open(&h, RECORDS), OC_OK);
		CU_ASSERT(h.left.found != (h.left.aside[0] != '\0'));
		found += h.left.found;
		drain_anything();
		help_journal_begin(&h);
		help_journal_append(&h, 1, RECORDS);
		CU_ASSERT(help_journal_drains(&h, 1, RECORDS, 64));
		help_journal_close(&h);
		if (h.left.aside[0])
			unlink(h.left.aside);
	}
	CU_ASSERT(found > ROUNDS / 4 && found <= ROUNDS);
}

static void test_oev_journal_hostile_octets_do_no_harm(void)
{
	run_rounds(false);
}

static void test_oev_journal_hostile_octets_with_right_sums_do_no_harm(void)
{
	run_rounds(true);
}

void test_oev_journal_hostile_suite(void)
{
	CU_pSuite suite =
		CU_add_suite_with_setup_and_teardown("oev_journal_hostile", NULL, NULL, set_up, tear_down);

	CU_add_test(suite, "heads_are_not_believed", test_oev_journal_hostile_heads_are_not_believed);
	CU_add_test(suite, "sizes_are_not_believed", test_oev_journal_hostile_sizes_are_not_believed);
	CU_add_test(suite, "other_things_are_moved",
		    test_oev_journal_hostile_other_things_under_the_name_are_moved);
	CU_add_test(suite, "octets_do_no_harm", test_oev_journal_hostile_octets_do_no_harm);
	CU_add_test(suite, "right_sums_do_no_harm",
		    test_oev_journal_hostile_octets_with_right_sums_do_no_harm);
}
