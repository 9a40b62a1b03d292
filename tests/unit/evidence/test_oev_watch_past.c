/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the sums that outlive their process: what was told is told again, what is not known stays so, and no file does harm.
 */
#include <CUnit/CUnit.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/watch/oev_watch_past.h"

void test_oev_watch_past_suite(void);

#define BASE_US 1796047200000000ull /* where steps of each length begin */
#define SECOND (BASE_US / 1000000u)
#define TOLD 90u /* seconds of the first life */
#define LATER 200u

/* One process of a node. */
struct life {
	struct oc_names *names;
	struct oev_watch *watch;
	struct oev_watch_past *past;
	uint64_t requests;
	char error[OEV_WATCH_PAST_ERROR];
};

static char folder[64], path[128], aside[136];

static void set_up(void)
{
	snprintf(folder, sizeof(folder), "/tmp/doic-past-XXXXXX");
	if (mkdtemp(folder) == NULL)
		abort();
	snprintf(path, sizeof(path), "%s/" OEV_WATCH_PAST_FILE, folder);
	snprintf(aside, sizeof(aside), "%s.old", path);
}

static void tear_down(void)
{
	unlink(path);
	unlink(aside);
	rmdir(folder);
}

static struct life begin(const char *self, uint64_t second)
{
	struct life life = { .names = oc_names_new(64, 1) };

	CU_ASSERT_FATAL(oev_watch_new(&life.watch, life.names) == OC_OK);
	oev_watch_set_self(life.watch, self);
	CU_ASSERT_FATAL(oev_watch_past_start(&life.past, life.watch, folder, second * 1000000u, life.error) ==
			OC_OK);
	return life;
}

static void end(struct life *life)
{
	CU_ASSERT_TRUE(oev_watch_past_stop(life->past, life->error));
	oev_watch_free(life->watch);
	oc_names_free(life->names);
}

/* One request in each of @count seconds from @second on. */
static void live(struct life *life, uint64_t second, uint32_t count)
{
	uint32_t client = oc_names_id(life->names, (struct oc_bytes){ (const uint8_t *)"mme-1", 5 }, NULL);

	for (uint32_t i = 0; i < count; i++) {
		struct oc_event event = { .kind = OC_EVENT_DECISION, .mono_ns = (i + 1) * 1000000000ull };
		const struct oc_event *const events = &event;
		event.u.decision = (struct oc_decision){ .id = ++life->requests,
							 .at_ns = event.mono_ns,
							 .client_peer = client };
		oev_watch_take(life->watch, &events, 1, (int64_t)((second - 1) * 1000000u));
	}
	oev_watch_reached(life->watch, (second + count) * 1000000u);
}

static uint32_t known_of(struct life *life, uint64_t last, uint32_t count, bool of_nodes)
{
	struct oev_watch_second *second = calloc(count, sizeof(*second));
	uint32_t known = 0;

	if (second == NULL)
		abort();
	if (of_nodes)
		oev_watch_seconds_of_nodes(life->watch, last, count, second);
	else
		oev_watch_seconds(life->watch, last, count, second);
	for (uint32_t i = 0; i < count; i++) {
		known += second[i].is_known;
		CU_ASSERT_EQUAL(second[i].count.requests, second[i].is_known);
	}
	free(second);
	return known;
}

static void first_life(void)
{
	struct life life = begin("dra.example", SECOND);

	live(&life, SECOND, TOLD);
	end(&life);
}

static void test_what_was_told_is_told_again(void)
{
	struct oev_watch_step step[2];
	struct stat info;

	set_up();
	first_life();
	CU_ASSERT_EQUAL(stat(path, &info), 0);
	CU_ASSERT_EQUAL(info.st_mode & 0777, 0600);
	struct life life = begin("dra.example", SECOND + LATER);
	CU_ASSERT_STRING_EQUAL(life.error, "");
	CU_ASSERT_EQUAL(oev_watch_since(life.watch), SECOND);
	live(&life, SECOND + LATER, 10);
	CU_ASSERT_EQUAL(oev_watch_latest(life.watch), SECOND + LATER + 9);
	CU_ASSERT_EQUAL(known_of(&life, SECOND + LATER + 9, 300, false), TOLD + 10);
	CU_ASSERT_EQUAL(known_of(&life, SECOND + LATER - 1, LATER - TOLD, false), 0);
	CU_ASSERT_EQUAL(known_of(&life, SECOND + LATER + 9, 300, true), 10);
	CU_ASSERT_TRUE(oev_watch_step_read(life.watch, 60, SECOND + 60, 2, step));
	CU_ASSERT_EQUAL(step[0].sum.count.requests, 60);
	CU_ASSERT_EQUAL(step[1].known_s, TOLD - 60);
	CU_ASSERT_TRUE(oev_watch_step_read(life.watch, 600, SECOND, 1, step));
	CU_ASSERT_EQUAL(step[0].known_s, TOLD + 10);
	end(&life);
	tear_down();
}

static void test_a_clock_that_was_set_back_meanwhile_tells_no_future(void)
{
	struct oev_watch_step step;

	set_up();
	first_life();
	struct life life = begin("dra.example", SECOND + 30);
	live(&life, SECOND + 30, 5);
	CU_ASSERT_EQUAL(oev_watch_latest(life.watch), SECOND + 34);
	CU_ASSERT_EQUAL(known_of(&life, SECOND + TOLD, TOLD + 1, false), 35);
	CU_ASSERT_TRUE(oev_watch_step_read(life.watch, 60, SECOND + 60, 1, &step));
	CU_ASSERT_EQUAL(step.known_s, 0);
	CU_ASSERT_TRUE(oev_watch_step_read(life.watch, 600, SECOND, 1, &step));
	CU_ASSERT_EQUAL(step.known_s, 5); /* what was told before cannot be told from what is told again */
	end(&life);
	tear_down();
}

static void test_a_file_of_another_node_is_left_aside(void)
{
	set_up();
	first_life();
	struct life life = begin("other.example", SECOND + LATER);
	CU_ASSERT_PTR_NOT_NULL(strstr(life.error, "another node"));
	CU_ASSERT_EQUAL(oev_watch_since(life.watch), 0);
	CU_ASSERT_EQUAL(access(aside, F_OK), 0); /* and not written over */
	end(&life);
	tear_down();
}

/* Changes octet @at of the file, or cuts it there. */
static void damage(off_t at, bool is_cut)
{
	int fd = open(path, O_RDWR);
	unsigned char octet = 0;

	CU_ASSERT_FATAL(fd >= 0);
	if (is_cut) {
		CU_ASSERT_EQUAL(ftruncate(fd, at), 0);
	} else {
		CU_ASSERT_EQUAL(pread(fd, &octet, 1, at), 1);
		octet ^= 0x10;
		CU_ASSERT_EQUAL(pwrite(fd, &octet, 1, at), 1);
	}
	close(fd);
}

static void test_a_damaged_file_is_left_aside_and_replaced(void)
{
	static const struct {
		off_t at;
		bool is_cut;
	} damages[] = { { 0, false }, { 8, false }, { 20, false },  { 300, false },  { 100000, false },
			{ 0, true },  { 7, true },  { 1000, true }, { 200000, true } };

	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		set_up();
		first_life();
		damage(damages[i].at, damages[i].is_cut);
		struct life life = begin("dra.example", SECOND + LATER);
		CU_ASSERT_PTR_NOT_NULL(strstr(life.error, "it begins anew"));
		CU_ASSERT_EQUAL(oev_watch_since(life.watch), 0);
		end(&life);
		life = begin("dra.example", SECOND + LATER);
		CU_ASSERT_STRING_EQUAL(life.error, "");
		end(&life);
		tear_down();
	}
}

static void test_a_pipe_in_place_of_the_file_holds_nobody_up(void)
{
	set_up();
	CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
	struct life life = begin("dra.example", SECOND);
	CU_ASSERT_PTR_NOT_NULL(strstr(life.error, "not a regular file"));
	end(&life);
	tear_down();
}

void test_oev_watch_past_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_watch_past", NULL, NULL);

	CU_ADD_TEST(suite, test_what_was_told_is_told_again);
	CU_ADD_TEST(suite, test_a_clock_that_was_set_back_meanwhile_tells_no_future);
	CU_ADD_TEST(suite, test_a_file_of_another_node_is_left_aside);
	CU_ADD_TEST(suite, test_a_damaged_file_is_left_aside_and_replaced);
	CU_ADD_TEST(suite, test_a_pipe_in_place_of_the_file_holds_nobody_up);
}
