/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the session memory: what began stays known with its class until it ends or gives way.
 */
#include <CUnit/CUnit.h>

#include "agent/doic/oc_sessions.h"
#include "help_core.h"

void test_oc_sessions_suite(void);

#define UNTOUCHED 99u

/* Class of @hash, or UNTOUCHED when it is not known. */
static uint8_t class_of(struct oc_sessions *sessions, uint64_t hash)
{
	uint8_t klass = UNTOUCHED;
	bool is_known = oc_sessions_knows(sessions, hash, &klass);

	CU_ASSERT_EQUAL(is_known, klass != UNTOUCHED);
	return klass;
}

static void test_oc_sessions_keep_the_class_they_began_with(void)
{
	struct oc_sessions *sessions = oc_sessions_new(64);

	for (uint8_t klass = 0; klass < OC_CLASSES; klass++) {
		CU_ASSERT_EQUAL(class_of(sessions, klass + 1u), UNTOUCHED);
		oc_sessions_begin(sessions, klass + 1u, klass);
	}
	for (uint8_t klass = 0; klass < OC_CLASSES; klass++) {
		oc_sessions_begin(sessions, klass + 1u, (uint8_t)(OC_CLASSES - 1 - klass));
		CU_ASSERT_EQUAL(class_of(sessions, klass + 1u), klass);
	}
	oc_sessions_free(sessions);
}

static void test_oc_sessions_end(void)
{
	struct oc_sessions *sessions = oc_sessions_new(4);

	for (uint64_t hash = 1; hash <= 4; hash++)
		oc_sessions_begin(sessions, hash, (uint8_t)hash);
	oc_sessions_end(sessions, 3);
	oc_sessions_end(sessions, 77);
	CU_ASSERT_EQUAL(class_of(sessions, 3), UNTOUCHED);
	CU_ASSERT_EQUAL(class_of(sessions, 1), 1);
	CU_ASSERT_EQUAL(class_of(sessions, 2), 2);
	CU_ASSERT_EQUAL(class_of(sessions, 4), 4);
	/* Its place is free again, and it may begin anew with another class. */
	oc_sessions_begin(sessions, 3, 0);
	for (uint64_t hash = 1; hash <= 4; hash++)
		CU_ASSERT_EQUAL(class_of(sessions, hash), hash == 3 ? 0 : hash);
	oc_sessions_free(sessions);
}

static void test_oc_sessions_unused_longest_gives_way(void)
{
	struct oc_sessions *sessions = oc_sessions_new(4);

	for (uint64_t hash = 1; hash <= 4; hash++)
		oc_sessions_begin(sessions, hash, 0);
	CU_ASSERT_EQUAL(class_of(sessions, 1), 0);
	oc_sessions_begin(sessions, 5, 2);
	CU_ASSERT_EQUAL(class_of(sessions, 2), UNTOUCHED);
	CU_ASSERT_EQUAL(class_of(sessions, 1), 0);
	CU_ASSERT_EQUAL(class_of(sessions, 3), 0);
	CU_ASSERT_EQUAL(class_of(sessions, 4), 0);
	CU_ASSERT_EQUAL(class_of(sessions, 5), 2);
	oc_sessions_free(sessions);
}

static void test_oc_sessions_sizes(void)
{
	static const uint32_t wrong[] = { 1, 2, 3, 5, 6, 12, 1000, (1u << 24) + 1, 1u << 25, UINT32_MAX };
	struct oc_sessions *none = oc_sessions_new(0);

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		CU_ASSERT_PTR_NULL(oc_sessions_new(wrong[i]));
	CU_ASSERT_PTR_NOT_NULL_FATAL(none);
	oc_sessions_begin(none, 1, 0);
	CU_ASSERT_EQUAL(class_of(none, 1), UNTOUCHED);
	oc_sessions_end(none, 1);
	oc_sessions_free(none);
	oc_sessions_free(NULL);
}

static void test_oc_sessions_no_session_and_no_class(void)
{
	struct oc_sessions *sessions = oc_sessions_new(4);

	oc_sessions_begin(sessions, 0, 0);
	CU_ASSERT_EQUAL(class_of(sessions, 0), UNTOUCHED);
	oc_sessions_end(sessions, 0);
	oc_sessions_begin(sessions, 1, OC_CLASSES);
	oc_sessions_begin(sessions, 1, 0xff);
	CU_ASSERT_EQUAL(class_of(sessions, 1), UNTOUCHED);
	oc_sessions_free(sessions);
}

/* Half as many as fit, begun and ended at random: a few sets overflow and forget, nobody ever gets a foreign class, and what
 * ended is not known. */
static void test_oc_sessions_never_mix_up(void)
{
	enum { SIZE = 4096, SESSIONS = SIZE / 2, STEPS = 200000 };
	static uint8_t model[SESSIONS];
	struct oc_sessions *sessions = oc_sessions_new(SIZE);
	uint64_t chance = 34;
	uint32_t wrong = 0;
	uint32_t lost = 0;
	uint32_t asked = 0;

	for (uint32_t i = 0; i < SESSIONS; i++)
		model[i] = UNTOUCHED;
	for (uint32_t step = 0; step < STEPS; step++) {
		uint64_t r = help_random(&chance);
		uint32_t i = (uint32_t)(r >> 8) % SESSIONS;
		uint64_t seed = i;
		uint64_t hash = help_random(&seed);
		uint8_t klass = UNTOUCHED;
		bool is_known = oc_sessions_knows(sessions, hash, &klass);
		asked += model[i] != UNTOUCHED;
		lost += model[i] != UNTOUCHED && !is_known;
		wrong += is_known && klass != model[i];
		if (r % 4 == 0) {
			oc_sessions_end(sessions, hash);
			model[i] = UNTOUCHED;
		} else if (!is_known) {
			model[i] = (uint8_t)(r % OC_CLASSES);
			oc_sessions_begin(sessions, hash, model[i]);
		}
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT(lost * 20 < asked);
	oc_sessions_free(sessions);
}

void test_oc_sessions_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_sessions", NULL, NULL);
	CU_add_test(suite, "C-10 keep_the_class_they_began_with",
		    test_oc_sessions_keep_the_class_they_began_with);
	CU_add_test(suite, "end", test_oc_sessions_end);
	CU_add_test(suite, "unused_longest_gives_way", test_oc_sessions_unused_longest_gives_way);
	CU_add_test(suite, "sizes", test_oc_sessions_sizes);
	CU_add_test(suite, "no_session_and_no_class", test_oc_sessions_no_session_and_no_class);
	CU_add_test(suite, "never_mix_up", test_oc_sessions_never_mix_up);
}
