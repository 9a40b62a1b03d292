/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of what features select and announce.
 */
#include <CUnit/CUnit.h>

#include "agent/doic/oc_caps.h"

void test_oc_caps_suite(void);

static struct oc_caps vector(uint64_t bits)
{
	return (struct oc_caps){ .vector = bits, .has = OC_CAPS_PRESENT | OC_CAPS_HAS_VECTOR };
}

static void test_oc_caps_algorithm_follows_the_answer(void)
{
	static const struct {
		uint64_t bits;
		enum oc_algo with_pct;
		enum oc_algo without_pct;
		bool is_odd;
	} cases[] = {
		{ 0x1, OC_ALGO_LOSS, OC_ALGO_LOSS, false }, { 0x11, OC_ALGO_LOSS, OC_ALGO_LOSS, false },
		{ 0x4, OC_ALGO_RATE, OC_ALGO_RATE, false }, { 0x14, OC_ALGO_RATE, OC_ALGO_RATE, false },
		{ 0x5, OC_ALGO_LOSS, OC_ALGO_NONE, true },  { 0x10, OC_ALGO_LOSS, OC_ALGO_LOSS, true },
		{ 0x0, OC_ALGO_LOSS, OC_ALGO_LOSS, true },  { 0x15, OC_ALGO_LOSS, OC_ALGO_NONE, true },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct oc_caps caps = vector(cases[i].bits);
		struct oc_olr with = { .has = OC_OLR_HAS_REDUCTION };
		struct oc_olr without = { 0 };
		bool is_odd = false;
		CU_ASSERT_EQUAL(oc_caps_algorithm(&caps, &with, &is_odd), cases[i].with_pct);
		CU_ASSERT_EQUAL(oc_caps_algorithm(&caps, &without, &is_odd), cases[i].without_pct);
		CU_ASSERT_EQUAL(is_odd, cases[i].is_odd);
	}
}

static void test_oc_caps_no_vector_means_loss(void)
{
	struct oc_caps caps = { .has = OC_CAPS_PRESENT };
	struct oc_olr olr = { 0 };
	bool is_odd = false;

	CU_ASSERT_EQUAL(oc_caps_algorithm(&caps, &olr, &is_odd), OC_ALGO_LOSS);
	CU_ASSERT_FALSE(is_odd);
}

static void test_oc_caps_peer_reports_have_their_own_algorithm(void)
{
	static const struct {
		uint64_t bits; /* of OC-Peer-Algo, UINT64_MAX = absent */
		enum oc_algo with_pct;
		enum oc_algo without_pct;
		bool is_odd;
	} cases[] = {
		{ 0x1, OC_ALGO_LOSS, OC_ALGO_LOSS, false },	  { 0x4, OC_ALGO_RATE, OC_ALGO_RATE, false },
		{ UINT64_MAX, OC_ALGO_LOSS, OC_ALGO_NONE, true }, { 0x0, OC_ALGO_LOSS, OC_ALGO_NONE, true },
		{ 0x8, OC_ALGO_LOSS, OC_ALGO_NONE, true },	  { 0x5, OC_ALGO_LOSS, OC_ALGO_NONE, true },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct oc_caps caps = vector(0x14);
		struct oc_olr olr = { .type = OC_REPORT_PEER, .has = OC_OLR_HAS_TYPE };
		bool is_odd = false;
		caps.peer_algo = cases[i].bits;
		caps.has |= cases[i].bits == UINT64_MAX ? 0 : OC_CAPS_HAS_PEER_ALGO;
		CU_ASSERT_EQUAL(oc_caps_algorithm(&caps, &olr, &is_odd), cases[i].without_pct);
		olr.has |= OC_OLR_HAS_REDUCTION;
		CU_ASSERT_EQUAL(oc_caps_algorithm(&caps, &olr, &is_odd), cases[i].with_pct);
		CU_ASSERT_EQUAL(is_odd, cases[i].is_odd);
	}
}

static void test_oc_caps_reserved_and_broken_vectors_count_as_absent(void)
{
	struct oc_caps caps = vector(0);
	bool is_odd = false;

	CU_ASSERT_EQUAL(oc_caps_vector(&caps, &is_odd), 0);
	CU_ASSERT_TRUE(is_odd);
	is_odd = false;
	caps = vector(0x15);
	CU_ASSERT_EQUAL(oc_caps_vector(&caps, &is_odd), 0x15);
	CU_ASSERT_FALSE(is_odd);
	caps.has |= OC_CAPS_MALFORMED;
	CU_ASSERT_EQUAL(oc_caps_vector(&caps, &is_odd), 0);
	CU_ASSERT_TRUE(is_odd);
}

static void test_oc_caps_choice_is_among_what_is_offered(void)
{
	struct oc_caps absent = { .has = OC_CAPS_PRESENT };
	struct oc_caps loss = vector(0x11);
	struct oc_caps both = vector(0x15);

	CU_ASSERT_EQUAL(oc_caps_choose(oc_caps_offered(&absent), OC_ALGO_RATE), OC_ALGO_LOSS);
	CU_ASSERT_EQUAL(oc_caps_choose(oc_caps_offered(&loss), OC_ALGO_RATE), OC_ALGO_LOSS);
	CU_ASSERT_EQUAL(oc_caps_choose(oc_caps_offered(&both), OC_ALGO_RATE), OC_ALGO_RATE);
	CU_ASSERT_EQUAL(oc_caps_choose(oc_caps_offered(&both), OC_ALGO_LOSS), OC_ALGO_LOSS);
}

static void test_oc_caps_peer_support_needs_bit_and_own_source(void)
{
	struct oc_caps caps = vector(0x11);

	caps.has |= OC_CAPS_HAS_SOURCE;
	caps.source = 7;
	CU_ASSERT_TRUE(oc_caps_is_peer_capable(&caps, 7));
	CU_ASSERT_FALSE(oc_caps_is_peer_capable(&caps, 8));
	caps.vector = 0x1;
	CU_ASSERT_FALSE(oc_caps_is_peer_capable(&caps, 7));
	caps.vector = 0x11;
	caps.has &= (uint8_t)~OC_CAPS_HAS_SOURCE;
	CU_ASSERT_FALSE(oc_caps_is_peer_capable(&caps, 7));
	caps.has |= OC_CAPS_HAS_SOURCE | OC_CAPS_MALFORMED;
	CU_ASSERT_FALSE(oc_caps_is_peer_capable(&caps, 7));
}

static void test_oc_caps_answers_speak_of_this_hop(void)
{
	struct oc_caps absent = { .has = OC_CAPS_PRESENT };
	struct oc_caps caps = vector(0x8000000000000011ull);

	CU_ASSERT_EQUAL(oc_caps_answer_vector(&caps, OC_ALGO_LOSS, false), 0x8000000000000001ull);
	CU_ASSERT_EQUAL(oc_caps_answer_vector(&caps, OC_ALGO_LOSS, true), 0x8000000000000011ull);
	CU_ASSERT_EQUAL(oc_caps_answer_vector(&caps, OC_ALGO_RATE, false), 0x8000000000000004ull);
	CU_ASSERT_EQUAL(oc_caps_answer_vector(&absent, OC_ALGO_LOSS, false), 0);
	CU_ASSERT_EQUAL(oc_caps_answer_vector(&absent, OC_ALGO_LOSS, true), 0x11);
	CU_ASSERT_EQUAL(oc_caps_answer_vector(&absent, OC_ALGO_RATE, false), 0x4);
}

void test_oc_caps_suite(void)
{
	CU_pSuite suite = CU_add_suite("oc_caps", NULL, NULL);
	CU_add_test(suite, "D-023 D-028 D-029 algorithm_follows_the_answer",
		    test_oc_caps_algorithm_follows_the_answer);
	CU_add_test(suite, "D-026 no_vector_means_loss", test_oc_caps_no_vector_means_loss);
	CU_add_test(suite, "D-211 D-221 R-5 peer_reports_have_their_own_algorithm",
		    test_oc_caps_peer_reports_have_their_own_algorithm);
	CU_add_test(suite, "D-014 reserved_and_broken_vectors_count_as_absent",
		    test_oc_caps_reserved_and_broken_vectors_count_as_absent);
	CU_add_test(suite, "D-013 D-024 D-025 D-150 D-195 choice_is_among_what_is_offered",
		    test_oc_caps_choice_is_among_what_is_offered);
	CU_add_test(suite, "D-184 peer_support_needs_bit_and_own_source",
		    test_oc_caps_peer_support_needs_bit_and_own_source);
	CU_add_test(suite, "D-026 D-027 D-188 D-191 R-5 answers_speak_of_this_hop",
		    test_oc_caps_answers_speak_of_this_hop);
}
