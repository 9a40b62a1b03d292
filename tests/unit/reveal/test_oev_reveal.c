/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of revelations: recorded lives, the right key and wrong ones.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_err.h"
#include "evidence/proof/oev_public.h"
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

static void test_a_subscriber_is_found_with_counts_times_and_sessions(void)
{
	struct oev_reveal reveal;

	help_life_record(&life);
	help_reveal(&life, help_imsis, NULL, &reveal);
	CU_ASSERT_EQUAL(reveal.key, OEV_REVEAL_KEY_SAME);
	CU_ASSERT_EQUAL(reveal.decisions, 5);
	CU_ASSERT_EQUAL(reveal.segment_count, 2);
	const struct oev_trace *trace = help_trace(&reveal, help_imsis[0], OC_IDENTITY_SUBSCRIBER);
	CU_ASSERT_PTR_NOT_NULL_FATAL(trace);
	CU_ASSERT_EQUAL(trace->decisions, 3);
	CU_ASSERT_EQUAL(trace->diverted, 1);
	CU_ASSERT_EQUAL(trace->refused, 1);
	CU_ASSERT_EQUAL(trace->first.wall_us, HELP_WALL_US + 2000000);
	CU_ASSERT_EQUAL(trace->first.decision, 2);
	CU_ASSERT_EQUAL(trace->first.segment, 0);
	CU_ASSERT_EQUAL(trace->last.wall_us, HELP_WALL_US + 3601000000);
	CU_ASSERT_EQUAL(trace->last.decision, 1);
	CU_ASSERT_EQUAL(trace->last.segment, 1);
	CU_ASSERT_EQUAL(trace->session_count, 2);
	const struct oev_trace *session = &reveal.sessions.items[trace->sessions];
	CU_ASSERT_EQUAL(session->decisions, 2);
	CU_ASSERT_EQUAL(session->refused, 1);
	CU_ASSERT_EQUAL(reveal.sessions.items[session->next].diverted, 1);
	CU_ASSERT_EQUAL(reveal.sessions.items[session->next].next, OEV_TRACE_NONE);
	oev_reveal_fini(&reveal);
}

static void test_one_that_is_not_there_is_a_definite_no_beside_one_that_is(void)
{
	struct oev_reveal reveal;

	help_life_record(&life);
	help_reveal(&life, help_imsis, NULL, &reveal);
	CU_ASSERT_EQUAL(reveal.outcome, OEV_REVEAL_NOT_FOUND);
	CU_ASSERT_EQUAL(oev_reveal_exit(reveal.outcome), 1);
	CU_ASSERT_EQUAL(oev_reveal_of(&reveal, &reveal.asked.items[0]), OEV_REVEAL_FOUND);
	CU_ASSERT_EQUAL(oev_reveal_of(&reveal, &reveal.asked.items[1]), OEV_REVEAL_NOT_FOUND);
	oev_reveal_fini(&reveal);
}

static void test_a_session_is_found_and_names_itself_among_those_of_its_subscriber(void)
{
	const char *const words[] = { HELP_SESSION_1, help_imsis[0], NULL };
	struct oev_reveal reveal;

	help_life_record(&life);
	help_reveal(&life, words, NULL, &reveal);
	CU_ASSERT_EQUAL(reveal.outcome, OEV_REVEAL_FOUND);
	CU_ASSERT_EQUAL(oev_reveal_exit(reveal.outcome), 0);
	CU_ASSERT_EQUAL(help_trace(&reveal, HELP_SESSION_1, OC_IDENTITY_SESSION)->decisions, 2);
	const struct oev_trace *trace = help_trace(&reveal, help_imsis[0], OC_IDENTITY_SUBSCRIBER);
	CU_ASSERT_STRING_EQUAL(reveal.sessions.items[trace->sessions].text, HELP_SESSION_1);
	oev_reveal_fini(&reveal);
}

static void only_sessions(struct oev_reveal_options *options)
{
	options->kinds[OC_IDENTITY_SUBSCRIBER] = false;
}

static void test_a_kind_that_is_not_wanted_is_not_looked_for(void)
{
	struct oev_reveal reveal;

	help_life_record(&life);
	help_reveal(&life, help_imsis, only_sessions, &reveal);
	CU_ASSERT_EQUAL(reveal.outcome, OEV_REVEAL_NOT_FOUND);
	CU_ASSERT_PTR_NULL(help_trace(&reveal, help_imsis[0], OC_IDENTITY_SUBSCRIBER));
	oev_reveal_fini(&reveal);
}

static void test_another_key_reveals_nothing_and_says_whose_it_is_not(void)
{
	struct oev_reveal reveal;

	help_life_record(&life);
	help_reveal(&life, help_imsis, help_with_other_key, &reveal);
	CU_ASSERT_EQUAL(reveal.outcome, OEV_REVEAL_CANNOT_TELL);
	CU_ASSERT_EQUAL(oev_reveal_exit(reveal.outcome), 3);
	CU_ASSERT_EQUAL(reveal.key, OEV_REVEAL_KEY_FOREIGN);
	CU_ASSERT_EQUAL(reveal.traces.count, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(reveal.error, "is not the one of this folder"));
	CU_ASSERT_PTR_NOT_NULL(strstr(reveal.error, reveal.folder_print));
	oev_reveal_fini(&reveal);
}

/* Were the folder's public key exchanged too, the numbers still would not fit. */
static void test_another_key_finds_nothing_even_where_its_public_half_lies(void)
{
	struct oev_reveal reveal;
	struct oev_public mine = { .node = "dra1.example.net" };
	struct oev_key *other;
	struct oev_why why;
	char path[256];

	help_life_record(&life);
	CU_ASSERT_EQUAL_FATAL(oev_key_read(life.other_path, &other, &why), OC_OK);
	memcpy(mine.key, oev_key_public(other), sizeof(mine.key));
	oev_key_free(other);
	snprintf(path, sizeof(path), "%s/" OEV_PUBLIC_FILE, life.folder);
	unlink(path);
	CU_ASSERT_EQUAL(oev_public_write(life.folder, &mine, &why), OC_OK);
	help_reveal(&life, help_imsis, help_with_other_key, &reveal);
	CU_ASSERT_EQUAL(reveal.key, OEV_REVEAL_KEY_SAME);
	CU_ASSERT_EQUAL(reveal.outcome, OEV_REVEAL_NOT_FOUND);
	oev_reveal_fini(&reveal);
}

static void test_without_a_public_key_a_find_is_one_and_a_miss_is_none(void)
{
	struct oev_reveal reveal;
	const char *const words[] = { help_imsis[0], NULL };
	char path[256];

	help_life_record(&life);
	snprintf(path, sizeof(path), "%s/" OEV_PUBLIC_FILE, life.folder);
	unlink(path);
	help_reveal(&life, words, NULL, &reveal);
	CU_ASSERT_EQUAL(reveal.key, OEV_REVEAL_KEY_UNKNOWN);
	CU_ASSERT_EQUAL(reveal.outcome, OEV_REVEAL_FOUND);
	CU_ASSERT_STRING_EQUAL(reveal.error, "");
	oev_reveal_fini(&reveal);
	help_reveal(&life, help_imsis, NULL, &reveal);
	CU_ASSERT_EQUAL(reveal.outcome, OEV_REVEAL_CANNOT_TELL);
	oev_reveal_fini(&reveal);
}

static void test_a_key_others_may_read_is_refused(void)
{
	struct oev_reveal reveal;

	help_life_record(&life);
	chmod(life.key_path, 0640);
	help_reveal(&life, help_imsis, NULL, &reveal);
	CU_ASSERT_EQUAL(reveal.outcome, OEV_REVEAL_UNUSABLE);
	CU_ASSERT_EQUAL(oev_reveal_exit(reveal.outcome), 4);
	CU_ASSERT_PTR_NOT_NULL(strstr(reveal.error, "0640"));
	oev_reveal_fini(&reveal);
}

static void with_key_that_is_not_there(struct oev_reveal_options *options)
{
	options->key_path = "/nowhere/doic.key";
}

static void test_no_key_cannot_tell_and_a_named_one_must_be_there(void)
{
	struct oev_reveal reveal;

	help_life_record(&life);
	unlink(life.key_path);
	help_reveal(&life, help_imsis, NULL, &reveal);
	CU_ASSERT_EQUAL(reveal.outcome, OEV_REVEAL_CANNOT_TELL);
	CU_ASSERT_PTR_NOT_NULL(strstr(reveal.error, "there is no key"));
	oev_reveal_fini(&reveal);
	help_reveal(&life, help_imsis, with_key_that_is_not_there, &reveal);
	CU_ASSERT_EQUAL(reveal.outcome, OEV_REVEAL_UNUSABLE);
	oev_reveal_fini(&reveal);
}

static void test_a_key_beside_the_folder_above_will_do(void)
{
	const char *const words[] = { help_imsis[0], NULL };
	struct oev_reveal reveal;
	char above[256];

	help_life_record(&life);
	snprintf(above, sizeof(above), "%s.key", life.base);
	CU_ASSERT_EQUAL(rename(life.key_path, above), 0);
	help_reveal(&life, words, NULL, &reveal);
	CU_ASSERT_EQUAL(reveal.outcome, OEV_REVEAL_FOUND);
	CU_ASSERT_STRING_EQUAL(reveal.key_path, above);
	oev_reveal_fini(&reveal);
	unlink(above);
}

static void test_one_segment_is_read_alone(void)
{
	const char *const words[] = { help_imsis[0], NULL };
	struct oev_reveal reveal, alone;

	help_life_record(&life);
	help_reveal(&life, words, NULL, &reveal);
	const struct oev_reveal_options options = {
		.path = reveal.segments[1].path, .words = words, .word_count = 1, .kinds = { true, true }
	};
	oev_reveal_run(&alone, &options);
	CU_ASSERT_EQUAL(alone.key, OEV_REVEAL_KEY_SAME);
	CU_ASSERT_EQUAL(help_trace(&alone, help_imsis[0], OC_IDENTITY_SUBSCRIBER)->decisions, 1);
	oev_reveal_fini(&alone);
	oev_reveal_fini(&reveal);
}

/* Whatever is said, in whatever form, the secrets of the key file are not in it. */
static void test_the_key_is_never_said(void)
{
	struct oev_reveal reveal;
	char *text = NULL, secret[256] = "";
	size_t size;
	FILE *out = open_memstream(&text, &size), *file = fopen(life.key_path, "r");

	help_life_record(&life);
	help_reveal(&life, help_imsis, NULL, &reveal);
	CU_ASSERT_EQUAL(oev_reveal_json(&reveal, "doic test", out), OC_OK);
	CU_ASSERT_EQUAL(oev_reveal_ndjson(&reveal, "doic test", out), OC_OK);
	fclose(out);
	unsigned seen = 0;
	while (file != NULL && fscanf(file, "%255s", secret) == 1) {
		if (strlen(secret) < 40) /* a word, not 32 octets in base64 */
			continue;
		CU_ASSERT_PTR_NULL(strstr(text, secret));
		seen++;
	}
	CU_ASSERT_EQUAL(seen, 2);
	fclose(file);
	free(text);
	oev_reveal_fini(&reveal);
}

static void test_json_says_the_same_for_every_outcome(void)
{
	static const char *const keys[] = { "schema",	  "tool",	    "outcome",	  "exit",
					    "error",	  "path",	    "key",	  "segments",
					    "candidates", "decisions_read", "identities", "pseudonyms",
					    "lost_events" };
	struct oev_reveal reveal;
	char *text;
	size_t size;

	for (int round = 0; round < 3; round++) {
		FILE *out = open_memstream(&text, &size);
		if (round == 1)
			help_life_record(&life);
		help_reveal(&life, help_imsis, round == 2 ? help_with_other_key : NULL, &reveal);
		CU_ASSERT_EQUAL(oev_reveal_json(&reveal, "doic test", out), OC_OK);
		fclose(out);
		json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
		CU_ASSERT_EQUAL(json_object_size(root), sizeof(keys) / sizeof(keys[0]));
		for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
			CU_ASSERT_PTR_NOT_NULL(json_object_get(root, keys[i]));
		CU_ASSERT_EQUAL(json_integer_value(json_object_get(root, "exit")),
				oev_reveal_exit(reveal.outcome));
		json_decref(root);
		free(text);
		oev_reveal_fini(&reveal);
	}
}

void test_oev_reveal_suite(void);

void test_oev_reveal_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oev_reveal", NULL, NULL, set_up, tear_down);

	CU_add_test(suite, "a_subscriber_is_found_with_counts_times_and_sessions",
		    test_a_subscriber_is_found_with_counts_times_and_sessions);
	CU_add_test(suite, "one_that_is_not_there_is_a_definite_no_beside_one_that_is",
		    test_one_that_is_not_there_is_a_definite_no_beside_one_that_is);
	CU_add_test(suite, "a_session_is_found_and_names_itself_among_those_of_its_subscriber",
		    test_a_session_is_found_and_names_itself_among_those_of_its_subscriber);
	CU_add_test(suite, "a_kind_that_is_not_wanted_is_not_looked_for",
		    test_a_kind_that_is_not_wanted_is_not_looked_for);
	CU_add_test(suite, "another_key_reveals_nothing_and_says_whose_it_is_not",
		    test_another_key_reveals_nothing_and_says_whose_it_is_not);
	CU_add_test(suite, "another_key_finds_nothing_even_where_its_public_half_lies",
		    test_another_key_finds_nothing_even_where_its_public_half_lies);
	CU_add_test(suite, "without_a_public_key_a_find_is_one_and_a_miss_is_none",
		    test_without_a_public_key_a_find_is_one_and_a_miss_is_none);
	CU_add_test(suite, "a_key_others_may_read_is_refused", test_a_key_others_may_read_is_refused);
	CU_add_test(suite, "no_key_cannot_tell_and_a_named_one_must_be_there",
		    test_no_key_cannot_tell_and_a_named_one_must_be_there);
	CU_add_test(suite, "a_key_beside_the_folder_above_will_do",
		    test_a_key_beside_the_folder_above_will_do);
	CU_add_test(suite, "one_segment_is_read_alone", test_one_segment_is_read_alone);
	CU_add_test(suite, "the_key_is_never_said", test_the_key_is_never_said);
	CU_add_test(suite, "json_says_the_same_for_every_outcome", test_json_says_the_same_for_every_outcome);
}
