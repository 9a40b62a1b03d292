/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the identity table: case, whole strings, limits, overflow and several threads at once.
 */
#include <CUnit/CUnit.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "agent/wire/oc_names.h"
#include "help_wire.h"

#define THREADS 4u
#define SHARED_NAMES 1000u

void test_oc_names_suite(void);

static uint32_t id_of(struct oc_names *names, const char *text)
{
	return oc_names_id(names, help_wire_name(text), NULL);
}

static void test_oc_names_same_name_same_number(void)
{
	struct oc_names *names = oc_names_new(16, 1);
	bool is_new = false;

	uint32_t id = oc_names_id(names, help_wire_name("s1.example.net"), &is_new);
	CU_ASSERT_TRUE(is_new);
	CU_ASSERT(id > OC_NAME_OVERFLOW);
	CU_ASSERT_EQUAL(oc_names_id(names, help_wire_name("s1.example.net"), &is_new), id);
	CU_ASSERT_FALSE(is_new);
	CU_ASSERT_EQUAL(oc_names_find(names, help_wire_name("s1.example.net")), id);
	CU_ASSERT_EQUAL(oc_names_find(names, help_wire_name("s2.example.net")), OC_NAME_NONE);
	CU_ASSERT_EQUAL(oc_names_count(names), 3);
	oc_names_free(names);
}

static void test_oc_names_compare_without_case_whole_string(void)
{
	struct oc_names *names = oc_names_new(16, 2);

	uint32_t id = id_of(names, "S1.Example.NET");
	CU_ASSERT_STRING_EQUAL(oc_names_text(names, id), "s1.example.net");
	CU_ASSERT_EQUAL(id_of(names, "s1.example.net"), id);
	CU_ASSERT_EQUAL(oc_names_find(names, help_wire_name("s1.EXAMPLE.net")), id);
	CU_ASSERT_NOT_EQUAL(id_of(names, "s1.example.net.evil"), id);
	CU_ASSERT_NOT_EQUAL(id_of(names, "s1.example.ne"), id);
	CU_ASSERT_NOT_EQUAL(id_of(names, "1.example.net"), id);
	oc_names_free(names);
}

/* Names alike in all that is looked at to guess, and a name in another case between them. */
static void test_oc_names_that_look_alike_stay_apart(void)
{
	static const char *const texts[] = { "a.b",
					     "c.d",
					     "A.B",
					     "node-0001-x.epc.mnc001.mcc001.example.net",
					     "node-0001-y.epc.mnc001.mcc001.example.net",
					     "Node-0001-X.epc.mnc001.mcc001.example.net" };
	struct oc_names *names = oc_names_new(16, 4);
	uint32_t first[6];

	for (uint32_t i = 0; i < 6; i++)
		first[i] = id_of(names, texts[i]);
	for (uint32_t turn = 0; turn < 3; turn++) {
		for (uint32_t i = 0; i < 6; i++) {
			CU_ASSERT_EQUAL(id_of(names, texts[i]), first[i]);
			CU_ASSERT_EQUAL(id_of(names, texts[i]), first[i]);
		}
	}
	CU_ASSERT_EQUAL(first[2], first[0]);
	CU_ASSERT_EQUAL(first[5], first[3]);
	CU_ASSERT_NOT_EQUAL(first[1], first[0]);
	CU_ASSERT_NOT_EQUAL(first[4], first[3]);
	CU_ASSERT_EQUAL(oc_names_count(names), 6);
	CU_ASSERT_EQUAL(id_of(names, "a\x01z"), OC_NAME_NONE);
	CU_ASSERT_EQUAL(id_of(names, "a.b"), first[0]);
	oc_names_free(names);
}

/* Only letters have a case: '[' must not become '{', nor '@' a back quote. */
static void test_oc_names_leaves_other_octets_alone(void)
{
	struct oc_names *names = oc_names_new(16, 3);

	CU_ASSERT_STRING_EQUAL(oc_names_text(names, id_of(names, "A@[Z`{-_0.9a")), "a@[z`{-_0.9a");
	CU_ASSERT_NOT_EQUAL(id_of(names, "a["), id_of(names, "a{"));
	oc_names_free(names);
}

static void test_oc_names_refuse_what_is_no_name(void)
{
	struct oc_names *names = oc_names_new(16, 4);
	char text[OC_IDENT_MAX + 2];
	bool is_new = true;

	memset(text, 'x', sizeof(text));
	struct oc_bytes longest = { (const uint8_t *)text, OC_IDENT_MAX };
	struct oc_bytes too_long = { (const uint8_t *)text, OC_IDENT_MAX + 1 };
	struct oc_bytes empty = { NULL, 0 };
	struct oc_bytes with_nul = { (const uint8_t *)"s1\0.evil", 8 };
	CU_ASSERT_EQUAL(oc_names_id(names, too_long, &is_new), OC_NAME_NONE);
	CU_ASSERT_FALSE(is_new);
	CU_ASSERT_EQUAL(oc_names_id(names, empty, NULL), OC_NAME_NONE);
	CU_ASSERT_EQUAL(oc_names_id(names, with_nul, NULL), OC_NAME_NONE);
	CU_ASSERT_EQUAL(id_of(names, "two words"), OC_NAME_NONE);
	CU_ASSERT_EQUAL(id_of(names, "caf\xc3\xa9"), OC_NAME_NONE);
	CU_ASSERT_EQUAL(oc_names_find(names, too_long), OC_NAME_NONE);
	CU_ASSERT_EQUAL(oc_names_count(names), 2);
	CU_ASSERT_EQUAL(strlen(oc_names_text(names, oc_names_id(names, longest, NULL))), OC_IDENT_MAX);
	oc_names_free(names);
}

static void test_oc_names_full_table_overflows_and_keeps_what_it_has(void)
{
	struct oc_names *names = oc_names_new(4, 5);

	uint32_t a = id_of(names, "a");
	uint32_t b = id_of(names, "b");
	CU_ASSERT_EQUAL(oc_names_capacity(names), 4);
	CU_ASSERT(a < 4 && b < 4);
	CU_ASSERT_EQUAL(oc_names_overflows(names), 0);
	CU_ASSERT_EQUAL(id_of(names, "c"), OC_NAME_OVERFLOW);
	CU_ASSERT_EQUAL(id_of(names, "d"), OC_NAME_OVERFLOW);
	CU_ASSERT_EQUAL(oc_names_overflows(names), 2);
	CU_ASSERT_EQUAL(oc_names_find(names, help_wire_name("c")), OC_NAME_NONE);
	CU_ASSERT_EQUAL(id_of(names, "A"), a);
	CU_ASSERT_EQUAL(oc_names_count(names), 4);
	oc_names_free(names);
}

/* A flood of names that messages bring leaves places for neighbours, and for what an operator names. */
static void test_oc_names_strangers_leave_places(void)
{
	struct oc_names *names = oc_names_new(256, 5);
	char text[] = "n000.example.net";
	bool is_new = false;

	for (unsigned i = 0; i < 1000; i++) {
		text[1] = (char)('0' + i / 100);
		text[2] = (char)('0' + i / 10 % 10);
		text[3] = (char)('0' + i % 10);
		(void)oc_names_id_of_stranger(names, help_wire_name(text), &is_new);
	}
	CU_ASSERT_FALSE(is_new);
	CU_ASSERT_EQUAL(oc_names_count(names), 248);
	CU_ASSERT_EQUAL(oc_names_id_of_stranger(names, help_wire_name("late"), NULL), OC_NAME_OVERFLOW);
	uint32_t late = oc_names_id(names, help_wire_name("late"), &is_new);
	CU_ASSERT_TRUE(late > OC_NAME_OVERFLOW && is_new);
	CU_ASSERT_EQUAL(oc_names_id_of_stranger(names, help_wire_name("late"), NULL), late);
	oc_names_free(names);
}

static void test_oc_names_text_is_never_null(void)
{
	struct oc_names *names = oc_names_new(8, 6);

	CU_ASSERT_STRING_EQUAL(oc_names_text(names, OC_NAME_NONE), "");
	CU_ASSERT_STRING_EQUAL(oc_names_text(names, OC_NAME_OVERFLOW), "(overflow)");
	CU_ASSERT_STRING_EQUAL(oc_names_text(names, 2), "(overflow)");
	CU_ASSERT_STRING_EQUAL(oc_names_text(names, UINT32_MAX), "(overflow)");
	oc_names_free(names);
}

static void test_oc_names_capacity_has_limits(void)
{
	CU_ASSERT_PTR_NULL(oc_names_new(0, 1));
	CU_ASSERT_PTR_NULL(oc_names_new(1, 1));
	CU_ASSERT_PTR_NULL(oc_names_new(1048577, 1));
	struct oc_names *names = oc_names_new(2, 1);
	CU_ASSERT_PTR_NOT_NULL_FATAL(names);
	CU_ASSERT_EQUAL(id_of(names, "a"), OC_NAME_OVERFLOW);
	oc_names_free(names);
	oc_names_free(NULL);
}

static void test_oc_names_many_names_all_found_again(void)
{
	struct oc_names *names = oc_names_new(4098, 7);
	char text[32];
	unsigned wrong = 0;

	for (unsigned i = 0; i < 4096; i++) {
		snprintf(text, sizeof(text), "host%u.example.net", i);
		wrong += id_of(names, text) != i + 2;
	}
	for (unsigned i = 0; i < 4096; i++) {
		snprintf(text, sizeof(text), "HOST%u.example.net", i);
		wrong += oc_names_find(names, help_wire_name(text)) != i + 2;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(oc_names_overflows(names), 0);
	oc_names_free(names);
}

/* One thread's share of the race: what it was told about each name. */
struct racer {
	pthread_t thread;
	pthread_barrier_t *barrier; /* all ask for the same name at once */
	struct oc_names *names;
	unsigned news;	/* times it was told "new" */
	unsigned wrong; /* texts that did not match their number */
	uint32_t ids[SHARED_NAMES];
};

static void *race(void *arg)
{
	struct racer *racer = arg;
	char text[32];

	for (unsigned i = 0; i < SHARED_NAMES; i++) {
		bool is_new = false;
		snprintf(text, sizeof(text), "peer%u.example.net", i);
		pthread_barrier_wait(racer->barrier);
		racer->ids[i] = oc_names_id(racer->names, help_wire_name(text), &is_new);
		racer->news += is_new;
		racer->wrong += strcmp(oc_names_text(racer->names, racer->ids[i]), text) != 0;
		racer->wrong += oc_names_find(racer->names, help_wire_name(text)) != racer->ids[i];
	}
	return NULL;
}

static void test_oc_names_threads_agree_on_every_number(void)
{
	static struct racer racers[THREADS];
	struct oc_names *names = oc_names_new(SHARED_NAMES + 2, 8);
	pthread_barrier_t barrier;
	unsigned news = 0;
	unsigned wrong = 0;

	pthread_barrier_init(&barrier, NULL, THREADS);
	for (unsigned t = 0; t < THREADS; t++) {
		racers[t] = (struct racer){ .names = names, .barrier = &barrier };
		CU_ASSERT_EQUAL_FATAL(pthread_create(&racers[t].thread, NULL, race, &racers[t]), 0);
	}
	for (unsigned t = 0; t < THREADS; t++)
		pthread_join(racers[t].thread, NULL);
	pthread_barrier_destroy(&barrier);
	for (unsigned t = 0; t < THREADS; t++) {
		news += racers[t].news;
		wrong += racers[t].wrong;
		wrong += memcmp(racers[t].ids, racers[0].ids, sizeof(racers[0].ids)) != 0;
	}
	CU_ASSERT_EQUAL(news, SHARED_NAMES);
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(oc_names_count(names), SHARED_NAMES + 2);
	CU_ASSERT_EQUAL(oc_names_overflows(names), 0);
	oc_names_free(names);
}

void test_oc_names_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_names", NULL, NULL);
	CU_add_test(suite, "same_name_same_number", test_oc_names_same_name_same_number);
	CU_add_test(suite, "D-129 compare_without_case_whole_string",
		    test_oc_names_compare_without_case_whole_string);
	CU_add_test(suite, "D-129 leaves_other_octets_alone", test_oc_names_leaves_other_octets_alone);
	CU_add_test(suite, "refuse_what_is_no_name", test_oc_names_refuse_what_is_no_name);
	CU_add_test(suite, "that_look_alike_stay_apart", test_oc_names_that_look_alike_stay_apart);
	CU_add_test(suite, "full_table_overflows", test_oc_names_full_table_overflows_and_keeps_what_it_has);
	CU_add_test(suite, "strangers_leave_places", test_oc_names_strangers_leave_places);
	CU_add_test(suite, "text_is_never_null", test_oc_names_text_is_never_null);
	CU_add_test(suite, "capacity_has_limits", test_oc_names_capacity_has_limits);
	CU_add_test(suite, "many_names_all_found_again", test_oc_names_many_names_all_found_again);
	CU_add_test(suite, "threads_agree_on_every_number", test_oc_names_threads_agree_on_every_number);
}
