/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of traces by pseudonym, of identities by text, and of lists of identities.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/reveal/oev_asked.h"
#include "evidence/reveal/oev_candidates.h"
#include "evidence/reveal/oev_traces.h"

#define MANY 5000u

static void test_every_trace_is_found_by_its_number(void)
{
	struct oev_traces traces;
	uint32_t head = OEV_TRACE_NONE, place;

	oev_traces_init(&traces, MANY);
	for (uint32_t i = 0; i < MANY; i++)
		CU_ASSERT_EQUAL(oev_traces_add(&traces, 7u + i * 65536u, i % 2, i, &head, &place), OC_OK);
	CU_ASSERT_EQUAL(oev_traces_add(&traces, 1, 0, 0, &head, &place), OC_ENOSPC);
	for (uint32_t i = 0; i < MANY; i++) {
		place = oev_traces_find(&traces, 7u + i * 65536u, i % 2, OEV_TRACE_NONE);
		CU_ASSERT_TRUE(place != OEV_TRACE_NONE && traces.items[place].owner == i);
	}
	CU_ASSERT_EQUAL(oev_traces_find(&traces, 7, 1, OEV_TRACE_NONE), OEV_TRACE_NONE);
	CU_ASSERT_EQUAL(oev_traces_find(&traces, 8, 0, OEV_TRACE_NONE), OEV_TRACE_NONE);
	oev_traces_fini(&traces);
	CU_ASSERT_EQUAL(oev_traces_find(&traces, 7, 0, OEV_TRACE_NONE), OEV_TRACE_NONE);
}

static void test_owners_of_one_pseudonym_are_found_one_after_the_other(void)
{
	struct oev_traces traces;
	uint32_t heads[3] = { OEV_TRACE_NONE, OEV_TRACE_NONE, OEV_TRACE_NONE }, place, at = OEV_TRACE_NONE;
	unsigned seen = 0;

	oev_traces_init(&traces, 100);
	for (uint32_t i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(oev_traces_add(&traces, 42, 0, i, &heads[i], &place), OC_OK);
	CU_ASSERT_EQUAL(oev_traces_add(&traces, 42, 1, 9, &heads[0], &place), OC_OK);
	while ((at = oev_traces_find(&traces, 42, 0, at)) != OEV_TRACE_NONE)
		seen |= 1u << traces.items[at].owner;
	CU_ASSERT_EQUAL(seen, 7);
	oev_traces_fini(&traces);
}

static void test_a_chain_turned_round_is_in_the_order_of_adding(void)
{
	struct oev_traces traces;
	uint32_t head = OEV_TRACE_NONE, place;

	oev_traces_init(&traces, 100);
	for (uint64_t i = 1; i <= 3; i++)
		oev_traces_add(&traces, i, 0, 0, &head, &place);
	CU_ASSERT_EQUAL(traces.items[head].pseudonym, 3);
	oev_traces_reverse(&traces, &head);
	for (uint64_t i = 1; i <= 3; i++, head = traces.items[head].next)
		CU_ASSERT_EQUAL(traces.items[head].pseudonym, i);
	CU_ASSERT_EQUAL(head, OEV_TRACE_NONE);
	oev_traces_reverse(&traces, &head);
	CU_ASSERT_EQUAL(head, OEV_TRACE_NONE);
	oev_traces_fini(&traces);
}

static void test_a_trace_knows_its_first_and_last_decision_in_time(void)
{
	struct oev_trace trace = { .pseudonym = 1 };
	const struct oev_spot spots[] = { { 50, 5, 0 }, { 20, 2, 1 }, { 80, 8, 1 }, { 60, 6, 2 } };
	const int64_t verdicts[] = { OC_FORWARD, OC_DIVERT, OC_REFUSE, OC_REFUSE };

	for (size_t i = 0; i < 4; i++)
		oev_trace_note(&trace, &spots[i], verdicts[i]);
	CU_ASSERT_EQUAL(trace.decisions, 4);
	CU_ASSERT_EQUAL(trace.diverted, 1);
	CU_ASSERT_EQUAL(trace.refused, 2);
	CU_ASSERT_EQUAL(trace.first.decision, 2);
	CU_ASSERT_EQUAL(trace.last.decision, 8);
}

static void test_an_identity_is_asked_for_once_octet_for_octet(void)
{
	struct oev_asked asked = { 0 };
	char text[32];

	CU_ASSERT_EQUAL(oev_asked_find(&asked, "a", 1), OEV_ASKED_NONE);
	for (uint32_t round = 0; round < 2; round++)
		for (uint32_t i = 0; i < MANY; i++) {
			int len = snprintf(text, sizeof(text), "00101%010u", i);
			CU_ASSERT_EQUAL(oev_asked_add(&asked, text, (size_t)len, MANY), OC_OK);
			CU_ASSERT_EQUAL(oev_asked_find(&asked, text, (size_t)len), i);
		}
	CU_ASSERT_EQUAL(asked.count, MANY);
	CU_ASSERT_EQUAL(oev_asked_find(&asked, "00101000000000", 14), OEV_ASKED_NONE);
	CU_ASSERT_EQUAL(oev_asked_add(&asked, "another", 7, MANY), OC_ENOSPC);
	oev_asked_fini(&asked);
}

/* Whatever a list of @content (of @size octets) gives, lines joined by '|', and what ended it. */
static int read_all(const char *content, size_t size, const char *const *words, size_t word_count, char *out,
		    char error[static 256])
{
	char path[] = "/tmp/doic-list-XXXXXX";
	struct oev_candidates list;
	const char *text;
	size_t len;
	int fd = mkstemp(path), rc;

	out[0] = '\0';
	CU_ASSERT_TRUE_FATAL(fd >= 0 && write(fd, content, size) == (ssize_t)size);
	close(fd);
	rc = oev_candidates_open(&list, words, word_count, path, error, 256);
	while (rc == OC_OK && (rc = oev_candidates_next(&list, &text, &len, error, 256)) == OC_OK) {
		strncat(out, text, len);
		strcat(out, "|");
	}
	oev_candidates_close(&list);
	unlink(path);
	return rc;
}

static void test_words_come_first_then_lines_without_their_ends(void)
{
	static const char content[] = "one\r\n\n two \nthree";
	const char *const words[] = { "a", "", "b" };
	char out[256], error[256] = "";

	CU_ASSERT_EQUAL(read_all(content, strlen(content), words, 3, out, error), OC_ENOENT);
	CU_ASSERT_STRING_EQUAL(out, "a|b|one| two |three|");
	CU_ASSERT_EQUAL(read_all("", 0, NULL, 0, out, error), OC_ENOENT);
	CU_ASSERT_STRING_EQUAL(out, "");
}

static void test_lines_too_long_or_binary_end_the_list_with_their_number(void)
{
	static char content[OEV_CANDIDATE_MAX + 8];
	char out[2 * OEV_CANDIDATE_MAX], error[256] = "";

	memset(content, 'x', sizeof(content));
	memcpy(content, "ok\n", 3);
	CU_ASSERT_EQUAL(read_all(content, sizeof(content), NULL, 0, out, error), OC_EMALFORMED);
	CU_ASSERT_STRING_EQUAL(out, "ok|");
	CU_ASSERT_PTR_NOT_NULL(strstr(error, "line 2 is no identity"));
	CU_ASSERT_EQUAL(read_all("a\nb\0c\n", 6, NULL, 0, out, error), OC_EMALFORMED);
	content[3 + OEV_CANDIDATE_MAX] = '\n';
	CU_ASSERT_EQUAL(read_all(content, 4 + OEV_CANDIDATE_MAX, NULL, 0, out, error), OC_ENOENT);
}

static void test_a_list_that_is_not_there_is_said(void)
{
	struct oev_candidates list;
	char error[256] = "";

	CU_ASSERT_EQUAL(oev_candidates_open(&list, NULL, 0, "/nowhere/list", error, sizeof(error)),
			OC_ENOENT);
	CU_ASSERT_STRING_EQUAL(error, "/nowhere/list: No such file or directory");
}

void test_oev_traces_suite(void);

void test_oev_traces_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_traces", NULL, NULL);

	CU_add_test(suite, "every_trace_is_found_by_its_number", test_every_trace_is_found_by_its_number);
	CU_add_test(suite, "owners_of_one_pseudonym_are_found_one_after_the_other",
		    test_owners_of_one_pseudonym_are_found_one_after_the_other);
	CU_add_test(suite, "a_chain_turned_round_is_in_the_order_of_adding",
		    test_a_chain_turned_round_is_in_the_order_of_adding);
	CU_add_test(suite, "a_trace_knows_its_first_and_last_decision_in_time",
		    test_a_trace_knows_its_first_and_last_decision_in_time);
	CU_add_test(suite, "an_identity_is_asked_for_once_octet_for_octet",
		    test_an_identity_is_asked_for_once_octet_for_octet);
	CU_add_test(suite, "words_come_first_then_lines_without_their_ends",
		    test_words_come_first_then_lines_without_their_ends);
	CU_add_test(suite, "lines_too_long_or_binary_end_the_list_with_their_number",
		    test_lines_too_long_or_binary_end_the_list_with_their_number);
	CU_add_test(suite, "a_list_that_is_not_there_is_said", test_a_list_that_is_not_there_is_said);
}
