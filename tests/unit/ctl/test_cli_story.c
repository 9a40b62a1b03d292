/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the sentences of doic ctl status and doic top: who asks for less, do we obey, does it help, who causes it.
 */
#include <CUnit/CUnit.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "evidence/cli/cli_story.h"

void test_cli_story_suite(void);

#define NODE "\"node\": {\"identity\": \"dra.example\", \"mode\": \"enforce\"}"
#define HOST_AND(more)                                                                                       \
	"{\"state\": \"active\", \"version\": 41, \"type\": \"host\", \"subject\": \"pcrf-2.example\", "     \
	"\"application\": \"Gx\", \"application_id\": 16777238, \"algorithm\": \"loss\", "                   \
	"\"reduction_ratio\": 0.3, \"share_ratio\": 0.3, \"matched\": 1000, \"selected\": 300, "             \
	"\"held_seconds\": 60" more "}"
#define HOST HOST_AND("")
#define OWN_HOST HOST_AND(", \"is_own\": true")
/* The same again a second ago, asked for since @for_s. */
#define RENEWED(for_s)                                                                                       \
	"{\"state\": \"active\", \"version\": 42, \"type\": \"host\", \"subject\": \"pcrf-2.example\", "     \
	"\"application\": \"Gx\", \"application_id\": 16777238, \"algorithm\": \"loss\", "                   \
	"\"reduction_ratio\": 0.3, \"share_ratio\": 0.3, \"matched\": 7, \"selected\": 1, "                  \
	"\"same_matched\": 1000, \"same_selected\": 300, \"held_seconds\": 1, \"condition_seconds\": " for_s \
	"}"
#define STATUS(states, reports)                                                                              \
	"{" NODE ", \"states\": {" states "}, \"reports\": {" reports "}, "                                  \
	"\"peers\": {\"pcrf-2.example\": {\"is\": \"up\", \"configured\": true}}, "                          \
	"\"sentences\": [\"nobody asks for less; up for 0 h 1 m\"]}"

/* What a server gets and answers in a second; what its client offers. */
struct second {
	unsigned sent, answers, useful, offered;
};

/* Ten minutes of one server and one client: a second before the last minute, and one since. */
static json_t *series_of_seconds(struct second before, struct second now)
{
	json_t *column[5], *nodes;

	for (size_t c = 0; c < 5; c++)
		column[c] = json_array();
	for (int second = 0; second < 600; second++) {
		bool is_now = second >= 540;
		const struct second *of = is_now ? &now : &before;
		json_array_append_new(column[0], json_integer(of->sent));
		json_array_append_new(column[1], json_integer(of->answers));
		json_array_append_new(column[2], json_integer(of->useful));
		json_array_append_new(column[3], json_integer(of->offered));
		json_array_append_new(column[4], json_integer(is_now ? 39 : 0));
	}
	nodes = json_pack("[{s:s, s:{s:o, s:o, s:o}}, {s:s, s:{s:o, s:o}}]", "node", "pcrf-2.example",
			  "server", "sent", column[0], "answers", column[1], "useful", column[2], "node",
			  "mme-4.example", "client", "requests", column[3], "refused", column[4]);
	return json_pack("{s:o}", "nodes", nodes);
}

/* All that is sent is answered usefully. */
static json_t *series_of(unsigned sent, unsigned sent_now, unsigned offered, unsigned offered_now)
{
	return series_of_seconds((struct second){ sent, sent, sent, offered },
				 (struct second){ sent_now, sent_now, sent_now, offered_now });
}

static void expect(const char *status_text, json_t *series, size_t place, const char *wanted)
{
	json_t *status = json_loads(status_text, 0, NULL), *story;
	const char *said;

	CU_ASSERT_PTR_NOT_NULL_FATAL(status);
	story = cli_story(status, series);
	said = json_string_value(json_array_get(story, place));
	CU_ASSERT_PTR_NOT_NULL(said);
	CU_ASSERT(said != NULL && strcmp(said, wanted) == 0);
	if (said == NULL || strcmp(said, wanted) != 0)
		fprintf(stderr, "  wanted: %s\n  got:    %s\n", wanted, said != NULL ? said : "nothing");
	json_decref(story);
	json_decref(status);
}

static void of_a_report_all_four_are_told(void)
{
	json_t *series = series_of(1000, 700, 1000, 2000);
	const char *status = STATUS("\"41\": " HOST, "");

	expect(status, series, 0,
	       "pcrf-2.example asks for 30 % less (loss, host, Gx), held for 1 m 0 s; we obey and selected "
	       "30.00 %; it helps: what is sent there fell 30 %, useful answers 700/s, 1,000/s before");
	expect(status, series, 1,
	       "100 % of the excess comes from mme-4.example: 2,000/s offered, 2.0 times its usual; it does "
	       "not slow down although 39/s are refused");
	json_decref(series);
}

static void a_report_by_our_own_order_is_ours(void)
{
	json_t *series = series_of(1000, 700, 1000, 1000);

	expect(STATUS("\"41\": " OWN_HOST,
		      "\"host/16777238/pcrf-2.example\": {\"state\": \"active\", \"type\": "
		      "\"host\", \"subject\": \"pcrf-2.example\", \"application_id\": "
		      "16777238}"),
	       series, 0,
	       "this node asks for 30 % less on behalf of pcrf-2.example, by its own order (loss, host, Gx), "
	       "held for 1 m 0 s; we obey and selected 30.00 %; it helps: what is sent there fell 30 %, "
	       "useful answers 700/s, 1,000/s before");
	expect(STATUS("\"41\": " OWN_HOST,
		      "\"host/16777238/pcrf-2.example\": {\"state\": \"active\", \"type\": "
		      "\"host\", \"subject\": \"pcrf-2.example\", \"application_id\": "
		      "16777238}"),
	       series, 1, "nobody sends more than usual");
	json_decref(series);
}

static void an_order_about_ourselves_is_told_though_no_state_holds_it(void)
{
	expect(STATUS("", "\"peer/4294967295/\": {\"state\": \"active\", \"type\": \"peer\", "
			  "\"ordered_reduction_ratio\": 0.2, \"sent\": 1204}"),
	       NULL, 0,
	       "this node asks all its neighbours for 20 % less, by its own order (peer, all); told in 1,204 "
	       "answers; we refuse it to those who cannot react");
}

/* What is said of the effect after @before became @now. */
static void expect_effect(struct second before, struct second now, const char *wanted)
{
	json_t *series = series_of_seconds(before, now);
	char text[CLI_STORY_TEXT];

	snprintf(
		text, sizeof(text),
		"pcrf-2.example asks for 30 %% less (loss, host, Gx), held for 1 m 0 s; we obey and selected "
		"30.00 %%; %s",
		wanted);
	expect(STATUS("\"41\": " HOST, ""), series, 0, text);
	json_decref(series);
}

static void only_what_changed_since_before_is_an_effect(void)
{
	const struct second good = { .sent = 602, .answers = 602, .useful = 602 };
	const struct second bad = { .sent = 1000, .answers = 1000, .useful = 610 };

	expect_effect(
		good, good,
		"no change seen: what is sent there stayed the same, useful answers 602/s, 602/s before");
	expect_effect(
		bad, bad,
		"no change seen: what is sent there stayed the same, useful answers 610/s, 610/s before");
	expect_effect(bad, (struct second){ .sent = 700, .answers = 700, .useful = 690 },
		      "it helps: what is sent there fell 30 %, useful answers 690/s, 610/s before");
	expect_effect((struct second){ .sent = 1000, .answers = 500, .useful = 500 },
		      (struct second){ .sent = 1000, .answers = 900, .useful = 900 },
		      "it helps: what is sent there stayed the same, useful answers 900/s, 500/s before");
	expect_effect(good, (struct second){ .sent = 602, .answers = 602, .useful = 400 },
		      "it does not help: what is sent there stayed the same, useful answers 400/s, 602/s "
		      "before");
	expect_effect(bad, (struct second){ .sent = 700, .answers = 700, .useful = 427 },
		      "it does not help: what is sent there fell 30 %, useful answers 427/s, 610/s before");
	expect_effect(
		good, (struct second){ .sent = 1204, .answers = 1204, .useful = 1204 },
		"it does not help: what is sent there rose 100 %, useful answers 1,204/s, 602/s before");
	expect_effect((struct second){ 0 }, good,
		      "whether it helps is not known, nothing before to compare with: useful answers 602/s, "
		      "0.0/s before");
}

static void a_renewal_is_nothing_new_and_the_first_seconds_are_too_early(void)
{
	json_t *series = series_of(1000, 700, 1000, 1000);

	expect(STATUS("\"42\": " RENEWED("60"), ""), series, 0,
	       "pcrf-2.example asks for 30 % less (loss, host, Gx), held for 1 m 0 s; we obey and selected "
	       "30.00 %; it helps: what is sent there fell 30 %, useful answers 700/s, 1,000/s before");
	json_decref(series);
	series = series_of(0, 0, 1000, 1000);
	expect(STATUS("\"42\": " RENEWED("2"), ""), series, 0,
	       "pcrf-2.example asks for 30 % less (loss, host, Gx), held for 2 s; we obey and selected "
	       "30.00 %; too early to tell whether it helps");
	json_decref(series);
}

static void without_a_receipt_nothing_is_claimed(void)
{
	json_t *series = series_of(0, 0, 1000, 1000);
	const char *status = STATUS("\"41\": " HOST, "");

	expect(status, series, 0,
	       "pcrf-2.example asks for 30 % less (loss, host, Gx), held for 1 m 0 s; we obey and selected "
	       "30.00 %; no traffic to it is seen here, so nothing is claimed about the effect");
	expect(status, NULL, 0,
	       "pcrf-2.example asks for 30 % less (loss, host, Gx), held for 1 m 0 s; we obey and selected "
	       "30.00 %; whether it helps is not known here: nothing tells of the last minutes");
	expect(status, NULL, 1, "who causes it is not known here");
	json_decref(series);
}

static void a_quiet_node_and_a_finished_folder_say_so(void)
{
	expect(STATUS("", ""), NULL, 0, "nobody asks for less; up for 0 h 1 m");
	expect("{\"folder\": \"evidence\"}", NULL, 0,
	       "no agent runs here; what is shown is the end of a finished evidence folder");
	expect("{\"states\": {}, \"peers\": {\"s1\": {\"is\": \"down\", \"configured\": true}}}", NULL, 1,
	       "no Diameter peer is open; 1 is configured");
}

/* What an agent tells may be nonsense, which no number of seconds can be made of. */
static void absurd_times_are_told_all_the_same(void)
{
	static const char *const times[] = { "1e300", "-1e300", "9223372036854775807" };

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		char text[500];
		snprintf(text, sizeof(text),
			 "{" NODE ", \"states\": {\"41\": {\"state\": \"active\", \"type\": \"host\", "
			 "\"subject\": \"pcrf-2.example\", \"held_seconds\": %s}}}",
			 times[i]);
		json_t *status = json_loads(text, 0, NULL), *series = series_of(500, 300, 100, 100);
		json_t *story = cli_story(status, series);
		const char *said = json_string_value(json_array_get(story, 0));
		CU_ASSERT_PTR_NOT_NULL_FATAL(said);
		CU_ASSERT_PTR_NOT_NULL(strstr(said, ", held for "));
		json_decref(story);
		json_decref(series);
		json_decref(status);
	}
}

void test_cli_story_suite(void)
{
	CU_pSuite suite = CU_add_suite("cli_story", NULL, NULL);

	CU_add_test(suite, "of a report all four are told", of_a_report_all_four_are_told);
	CU_add_test(suite, "a report by our own order is ours", a_report_by_our_own_order_is_ours);
	CU_add_test(suite, "an order about ourselves is told, though no state holds it",
		    an_order_about_ourselves_is_told_though_no_state_holds_it);
	CU_add_test(suite, "only what changed since before is an effect",
		    only_what_changed_since_before_is_an_effect);
	CU_add_test(suite, "a renewal is nothing new, and the first seconds are too early",
		    a_renewal_is_nothing_new_and_the_first_seconds_are_too_early);
	CU_add_test(suite, "without a receipt nothing is claimed", without_a_receipt_nothing_is_claimed);
	CU_add_test(suite, "a quiet node and a finished folder say so",
		    a_quiet_node_and_a_finished_folder_say_so);
	CU_add_test(suite, "absurd times are told all the same", absurd_times_are_told_all_the_same);
}
