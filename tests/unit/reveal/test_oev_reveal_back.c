/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of revelations: clear identities, and the way back from a pseudonym.
 */
#include <string.h>
#include <unistd.h>

#include "evidence/reveal/oev_pseudonym.h"
#include "help_life.h"

static struct help_life life;

static void set_up(void)
{
	help_life_make(&life);
}

static void tear_down(void)
{
	help_life_remove(&life);
}

static uint64_t wanted[2];

static void test_clear_identities_need_no_key(void)
{
	const char *const words[] = { help_imsis[0], HELP_SESSION_2, NULL };
	struct oev_reveal reveal;

	life.is_clear = true;
	help_life_record(&life);
	unlink(life.key_path);
	help_reveal(&life, words, NULL, &reveal);
	CU_ASSERT_EQUAL(reveal.outcome, OEV_REVEAL_FOUND);
	const struct oev_trace *trace = help_trace(&reveal, help_imsis[0], OC_IDENTITY_SUBSCRIBER);
	CU_ASSERT_PTR_NOT_NULL_FATAL(trace);
	CU_ASSERT_TRUE(trace->in_table);
	CU_ASSERT_EQUAL(trace->decisions, 3);
	CU_ASSERT_STRING_EQUAL(reveal.sessions.items[trace->sessions].text, HELP_SESSION_1);
	CU_ASSERT_EQUAL(help_trace(&reveal, HELP_SESSION_2, OC_IDENTITY_SESSION)->decisions, 1);
	oev_reveal_fini(&reveal);
}

static void test_a_table_that_contradicts_the_key_is_said(void)
{
	struct oev_reveal reveal;

	life.is_clear = true;
	help_life_record(&life);
	help_life_sql(&life, "UPDATE identity SET pseudonym = pseudonym + 1 WHERE text = '001019999999999'");
	help_reveal(&life, help_imsis, NULL, &reveal);
	CU_ASSERT_EQUAL(reveal.outcome, OEV_REVEAL_CANNOT_TELL);
	CU_ASSERT_STRING_EQUAL(reveal.error, "table identity has other pseudonyms than this key gives");
	oev_reveal_fini(&reveal);
}

static void back(struct oev_reveal_options *options)
{
	options->pseudonyms = wanted;
	options->pseudonym_count = 2;
}

static uint64_t pseudonym_of(unsigned kind, const char *text)
{
	struct oev_pseudonyms pseudonyms;

	oev_pseudonyms_init(&pseudonyms, life.key);
	return oev_pseudonym(&pseudonyms, (enum oc_identity_kind)kind, text, strlen(text));
}

static void test_a_pseudonym_is_led_back_to_its_candidate(void)
{
	const char *const words[] = { "001010000000000", HELP_SESSION_1, help_imsis[0], NULL };
	struct oev_reveal reveal;

	help_life_record(&life);
	wanted[0] = pseudonym_of(OC_IDENTITY_SUBSCRIBER, help_imsis[0]);
	wanted[1] = pseudonym_of(OC_IDENTITY_SESSION, HELP_SESSION_1);
	help_reveal(&life, words, back, &reveal);
	CU_ASSERT_EQUAL(reveal.outcome, OEV_REVEAL_FOUND);
	CU_ASSERT_EQUAL(reveal.candidates, 3);
	CU_ASSERT_STRING_EQUAL(reveal.answers[0].text, help_imsis[0]);
	CU_ASSERT_STRING_EQUAL(reveal.answers[1].text, HELP_SESSION_1);
	CU_ASSERT_EQUAL(reveal.answers[1].kind, OC_IDENTITY_SESSION);
	oev_reveal_fini(&reveal);
	help_reveal(&life, help_imsis, back, &reveal);
	CU_ASSERT_EQUAL(reveal.outcome, OEV_REVEAL_NOT_FOUND);
	CU_ASSERT_PTR_NULL(reveal.answers[1].text);
	oev_reveal_fini(&reveal);
}

static void back_with_other_key(struct oev_reveal_options *options)
{
	back(options);
	help_with_other_key(options);
}

static void test_another_key_leads_no_pseudonym_back(void)
{
	struct oev_reveal reveal;

	help_life_record(&life);
	wanted[0] = wanted[1] = pseudonym_of(OC_IDENTITY_SUBSCRIBER, help_imsis[0]);
	help_reveal(&life, help_imsis, back_with_other_key, &reveal);
	CU_ASSERT_EQUAL(reveal.outcome, OEV_REVEAL_CANNOT_TELL);
	CU_ASSERT_PTR_NULL(reveal.answers[0].text);
	oev_reveal_fini(&reveal);
}

static void test_a_pseudonym_in_clear_evidence_needs_no_candidates(void)
{
	struct oev_reveal reveal;

	life.is_clear = true;
	help_life_record(&life);
	wanted[0] = pseudonym_of(OC_IDENTITY_SUBSCRIBER, help_imsis[0]);
	wanted[1] = pseudonym_of(OC_IDENTITY_SESSION, HELP_SESSION_2);
	unlink(life.key_path);
	help_reveal(&life, NULL, back, &reveal);
	CU_ASSERT_EQUAL(reveal.outcome, OEV_REVEAL_FOUND);
	CU_ASSERT_STRING_EQUAL(reveal.answers[1].text, HELP_SESSION_2);
	CU_ASSERT_TRUE(reveal.answers[1].in_table);
	oev_reveal_fini(&reveal);
	wanted[0] = 12345;
	help_reveal(&life, NULL, back, &reveal);
	CU_ASSERT_EQUAL(reveal.outcome, OEV_REVEAL_CANNOT_TELL);
	oev_reveal_fini(&reveal);
}

void test_oev_reveal_back_suite(void);

void test_oev_reveal_back_suite(void)
{
	CU_pSuite suite =
		CU_add_suite_with_setup_and_teardown("oev_reveal_back", NULL, NULL, set_up, tear_down);

	CU_add_test(suite, "clear_identities_need_no_key", test_clear_identities_need_no_key);
	CU_add_test(suite, "a_table_that_contradicts_the_key_is_said",
		    test_a_table_that_contradicts_the_key_is_said);
	CU_add_test(suite, "a_pseudonym_is_led_back_to_its_candidate",
		    test_a_pseudonym_is_led_back_to_its_candidate);
	CU_add_test(suite, "another_key_leads_no_pseudonym_back", test_another_key_leads_no_pseudonym_back);
	CU_add_test(suite, "a_pseudonym_in_clear_evidence_needs_no_candidates",
		    test_a_pseudonym_in_clear_evidence_needs_no_candidates);
}
