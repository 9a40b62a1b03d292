/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of retention: what is old, and what one wrong clock makes of it.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/store/oev_digest.h"
#include "evidence/store/oev_retain.h"
#include "evidence/store/oev_sealing.h"
#include "help_trail.h"

void test_oev_retain_suite(void);

#define DAY UINT64_C(86400000000)
#define START (20000 * DAY)

struct fixture {
	char folder[HELP_PATH_MAX];
	struct oev_key *key;
	struct oev_public self;
	struct oev_retained found;
	unsigned segments, files;
	long octets; /* of each; 0: a few */
};

static struct fixture fix; /* of the running test */
static uint64_t before_us;

static void set_up(void)
{
	char path[HELP_PATH_MAX + 16];
	struct oev_why why;
	bool made;

	oev_gcrypt_ready();
	before_us = UINT64_MAX;
	fix = (struct fixture){ .self = { .node = "dra1.example" } };
	help_folder_make(fix.folder);
	snprintf(path, sizeof(path), "%s/key", fix.folder);
	CU_ASSERT_EQUAL_FATAL(oev_key_open(path, &fix.key, &made, &why), OC_OK);
	memcpy(fix.self.key, oev_key_public(fix.key), sizeof(fix.self.key));
}

static void tear_down(void)
{
	free(fix.found.removals);
	oev_key_free(fix.key);
	help_folder_remove(fix.folder);
}

/* A segment of three octets, sealed on that day. */
static void seal_on(uint64_t day)
{
	const struct oev_signer signer = { .key = fix.key, .node = fix.self.node };
	struct oev_seal seal = { .first = ++fix.segments, .last = fix.segments };
	char path[HELP_PATH_MAX + 32], note[OEV_NOTE_MAX];
	struct oev_why why;

	snprintf(path, sizeof(path), "%s/seg-%u.db", fix.folder, ++fix.files);
	FILE *file = fopen(path, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fputs("abc", file);
	CU_ASSERT_EQUAL(fix.octets > 0 ? ftruncate(fileno(file), fix.octets) : 0, 0);
	fclose(file);
	CU_ASSERT_EQUAL(oev_sealing(path, &seal, &signer, START + day * DAY, note, &why), OC_OK);
}

/* How many go on that day, when they are kept for ten. */
static size_t gone_on(uint64_t day)
{
	const struct oev_retain_limits limits = { .keep_days = 10, .before_us = before_us };

	free(fix.found.removals);
	CU_ASSERT_EQUAL(oev_retain(fix.folder, &fix.self, &limits, START + day * DAY, &fix.found), OC_OK);
	return fix.found.count;
}

static void test_oev_retain_removes_what_is_old_while_segments_follow(void)
{
	for (uint64_t day = 0; day <= 20; day++)
		seal_on(day);
	CU_ASSERT_EQUAL(gone_on(20), 9);
	CU_ASSERT(fix.found.removals && fix.found.removals[0].is_by_age);
	CU_ASSERT_FALSE(fix.found.is_doubted);
}

static void test_oev_retain_clock_that_jumps_removes_nothing(void)
{
	for (uint64_t day = 0; day <= 5; day++)
		seal_on(day);
	CU_ASSERT_EQUAL(gone_on(3650), 0);
	CU_ASSERT(fix.found.is_doubted);
	seal_on(3650); /* the one that a start makes under that clock */
	CU_ASSERT_EQUAL(gone_on(3650), 0);
	CU_ASSERT_EQUAL(gone_on(6), 0); /* the clock is right again */
	CU_ASSERT_FALSE(fix.found.is_doubted);
	seal_on(6);
	CU_ASSERT_EQUAL(gone_on(6), 0);
}

static void test_oev_retain_time_that_passed_is_believed_after_two_seals(void)
{
	for (uint64_t day = 0; day <= 5; day++)
		seal_on(day);
	seal_on(100);
	CU_ASSERT_EQUAL(gone_on(101), 0);
	seal_on(101);
	CU_ASSERT_EQUAL(gone_on(101), 6);
}

/* Segments of one MiB each, of which three are kept. The clock was set back: what was sealed since has the lowest time, and is the newest. */
static void test_oev_retain_clock_that_is_set_back_removes_the_oldest(void)
{
	const struct oev_retain_limits limits = { .keep_mb = 3, .before_us = before_us };

	fix.octets = 1048576;
	for (uint64_t day = 100; day < 105; day++)
		seal_on(day);
	seal_on(3);
	seal_on(4);
	CU_ASSERT_EQUAL(oev_retain(fix.folder, &fix.self, &limits, START + 4 * DAY, &fix.found), OC_OK);
	CU_ASSERT_EQUAL_FATAL(fix.found.count, 4);
	for (size_t i = 0; i < 4; i++) {
		CU_ASSERT_EQUAL(fix.found.removals[i].seal.last, i + 1);
		CU_ASSERT_FALSE(fix.found.removals[i].is_by_age);
	}
	fix.segments = 0; /* another log began: its numbers are low, and its time is the newest */
	seal_on(200);
	free(fix.found.removals);
	CU_ASSERT_EQUAL(oev_retain(fix.folder, &fix.self, &limits, START + 200 * DAY, &fix.found), OC_OK);
	CU_ASSERT_EQUAL_FATAL(fix.found.count, 5);
	for (size_t i = 0; i < 5; i++) {
		CU_ASSERT_EQUAL(fix.found.removals[i].seal.last, i + 1);
		CU_ASSERT(fix.found.removals[i].seal.wall_us < START + 200 * DAY);
	}
}

static void test_oev_retain_clock_that_is_behind_removes_nothing(void)
{
	for (uint64_t day = 0; day <= 20; day++)
		seal_on(day);
	CU_ASSERT_EQUAL(gone_on(5), 0);
}

static void test_oev_retain_what_came_after_one_that_waits_stays(void)
{
	for (uint64_t day = 0; day <= 20; day++)
		seal_on(day);
	before_us = START + 4 * DAY;
	CU_ASSERT_EQUAL(gone_on(20), 4);
}

void test_oev_retain_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oev_retain", NULL, NULL, set_up, tear_down);

	CU_add_test(suite, "old", test_oev_retain_removes_what_is_old_while_segments_follow);
	CU_add_test(suite, "clock_jumps", test_oev_retain_clock_that_jumps_removes_nothing);
	CU_add_test(suite, "time_passed", test_oev_retain_time_that_passed_is_believed_after_two_seals);
	CU_add_test(suite, "after_one_that_waits", test_oev_retain_what_came_after_one_that_waits_stays);
	CU_add_test(suite, "clock_set_back", test_oev_retain_clock_that_is_set_back_removes_the_oldest);
	CU_add_test(suite, "clock_behind", test_oev_retain_clock_that_is_behind_removes_nothing);
}
