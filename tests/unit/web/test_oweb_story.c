/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of what the server says of numbers: does it help, who causes it, who was told and goes on. Claims stop where a receipt is missing.
 */
#include <CUnit/Basic.h>
#include <math.h>
#include <string.h>

#include "help_says.h"
#include "web/oweb_story.h"
#include "web/oweb_words.h"

void test_oweb_story_suite(void);

static void same(const char *said, const char *wanted)
{
	CU_ASSERT_STRING_EQUAL(said, wanted);
	if (strcmp(said, wanted) != 0)
		fprintf(stderr, "  wanted: %s\n  got:    %s\n", wanted, said);
}

/* What a server gets and answers in a second. */
struct second {
	double sent, answers, useful;
};

static struct oweb_effect effect_of(struct second before, struct second now)
{
	return (struct oweb_effect){ .is_recorded = true,
				     .for_s = 60,
				     .asked = 0.3,
				     .sent = { now.sent, before.sent },
				     .answers = { now.answers, before.answers },
				     .useful = { now.useful, before.useful } };
}

static void expect_effect(const struct oweb_effect *effect, const char *wanted)
{
	struct oweb_sentence sentence = { 0 };
	struct oweb_text text = { 0 };

	oweb_story_effect(&sentence, effect);
	json_t *object = oweb_sentence_end(&sentence, "warn");
	oweb_sentence_text(object, &text);
	same(text.data != NULL ? text.data : "", wanted);
	oweb_text_free(&text);
	json_decref(object);
}

static void expect(struct second before, struct second now, const char *wanted)
{
	const struct oweb_effect effect = effect_of(before, now);

	expect_effect(&effect, wanted);
}

static void only_what_changed_since_before_is_an_effect(void)
{
	const struct second good = { 602, 602, 602 }, bad = { 1000, 1000, 610 };

	expect(good, good,
	       "no change seen: what is sent there stayed the same, useful answers 602/s, 602/s before");
	expect(bad, bad,
	       "no change seen: what is sent there stayed the same, useful answers 610/s, 610/s before");
	expect(bad, (struct second){ 700, 700, 690 },
	       "it helps: what is sent there fell 30 %, useful answers 690/s, 610/s before");
	expect((struct second){ 1000, 500, 500 }, (struct second){ 1000, 900, 900 },
	       "it helps: what is sent there stayed the same, useful answers 900/s, 500/s before");
	expect(good, (struct second){ 602, 602, 400 },
	       "it does not help: what is sent there stayed the same, useful answers 400/s, 602/s before");
	expect(bad, (struct second){ 700, 700, 427 },
	       "it does not help: what is sent there fell 30 %, useful answers 427/s, 610/s before");
	expect(good, (struct second){ 1204, 1204, 1204 },
	       "it serves what it gets: what is sent there rose 100 %, useful answers 1,204/s, 602/s before");
	expect((struct second){ 1000, 1000, 1000 }, (struct second){ 700, 700, 700 },
	       "less arrives there: what is sent there fell 30 %, useful answers 700/s, 1,000/s before");
	expect((struct second){ 1000, 1000, 990 }, (struct second){ 930, 930, 925 },
	       "it serves what it gets: what is sent there fell 7 %, useful answers 925/s, 990/s before");
	expect((struct second){ 0, 0, 0 }, good,
	       "whether it helps is not known, nothing before to compare with: useful answers 602/s, 0/s "
	       "before");
}

static void without_a_receipt_nothing_is_claimed(void)
{
	struct oweb_effect effect =
		effect_of((struct second){ 602, 602, 602 }, (struct second){ 602, 602, 602 });

	effect.for_s = 2;
	expect_effect(&effect, "too early to tell whether it helps");
	effect.for_s = 60;
	effect.answers.now = 0;
	expect_effect(&effect, "it answers nothing, so nothing is claimed about the effect");
	effect.sent.now = 0;
	expect_effect(&effect, "no traffic to it is seen here, so nothing is claimed about the effect");
	effect.sent.now = effect.answers.now = NAN;
	expect_effect(&effect, "no traffic to it is seen here, so nothing is claimed about the effect");
	effect.is_recorded = false;
	expect_effect(&effect, "whether it helps is not known here: nothing tells of the last minutes");
}

/* What was sent until a state is held, and in the minute since. */
static void tell(const struct help_traffic *before, const struct help_traffic *now)
{
	help_says_begin();
	help_says_traffic(before, 400, 60);
	help_says_held(60);
	help_says_traffic(now, 60, 0);
	help_says_reached(60);
}

/* mme-4 offers twice its usual once pcrf-2 asks for less, though it was told. */
static void of_a_state_all_four_are_told_and_who_goes_on(void)
{
	static const struct help_traffic before = { "mme-4.example", "pcrf-2.example", .sent = 100,
						    .useful = 100 };
	static const struct help_traffic now = { "mme-4.example", "pcrf-2.example", .sent = 70, .useful = 70,
						 .refused = 130 };

	tell(&before, &now);
	same(help_says(0),
	     "pcrf-2.example asks for 30 % less (loss, host, Gx), held for 1 m 0 s; we obey and "
	     "selected 30.00 %; less arrives there: what is sent there fell 30 %, useful answers 70/s, 100/s "
	     "before.");
	same(help_says(1),
	     "mme-4.example was told to send less to pcrf-2.example and goes on: 200/s where 70/s "
	     "would obey.");
	same(help_says(2),
	     "100 % of the excess comes from mme-4.example: 200/s offered, 2.0 times its usual; it "
	     "does not slow down although 130/s are refused.");
	same(help_says(3), "");
}

static void who_obeys_only_in_part_is_named(void)
{
	static const struct help_traffic before = { "mme-4.example", "pcrf-2.example", .sent = 100,
						    .useful = 100 };
	static const struct help_traffic now = { "mme-4.example", "pcrf-2.example", .sent = 82,
						 .useful = 82 };

	tell(&before, &now);
	same(help_says(1),
	     "mme-4.example was told to send less to pcrf-2.example and does so only in part: 82/s "
	     "where 70/s would obey.");
	same(help_says(2), "Nobody sends more than usual.");
}

static void of_a_realm_all_nodes_in_it_count(void)
{
	static const struct help_traffic one = { "mme-4.visited", "a.home", .sent = 60, .useful = 60 },
					 other = { "mme-4.visited", "b.home", .sent = 40, .useful = 40 },
					 less = { "mme-4.visited", "a.home", .sent = 30, .useful = 30 },
					 alien = { "mme-4.visited", "nohome", .sent = 50, .useful = 50 };

	help_says_begin();
	pthread_mutex_lock(&help_web.agent->lock);
	help_web.agent->state[0].type = OC_REPORT_REALM;
	help_web.agent->state[0].subject = help_web_name("home");
	pthread_mutex_unlock(&help_web.agent->lock);
	help_says_traffic(&one, 400, 60);
	help_says_traffic(&less, 60, 0);
	help_says_traffic(&other, 400, 0);
	help_says_traffic(&alien, 400, 0);
	help_says_reached(60);
	same(help_says(0),
	     "home asks for 30 % less (loss, realm, Gx), held for 1 m 0 s; we obey and selected "
	     "30.00 %; less arrives there: what is sent there fell 30 %, useful answers 70/s, 100/s before.");
}

static void where_nobody_sent_anything_before_nothing_is_an_excess(void)
{
	static const struct help_traffic now = { "a.example", "pcrf-2.example", .sent = 10, .useful = 10 };

	help_says_begin();
	help_says_traffic(&now, 60, 0);
	help_says_reached(60);
	same(help_says(1), "Who causes it is not known: nothing was recorded before.");
}

static void a_new_sender_among_old_ones_is_one(void)
{
	static const struct help_traffic old = { "a.example", "pcrf-2.example", .sent = 10, .useful = 10 },
					 new = { "b.example", "pcrf-2.example", .sent = 90, .useful = 90 };

	help_says_begin();
	help_says_traffic(&old, 400, 0);
	help_says_traffic(&new, 60, 0);
	help_says_reached(60);
	same(help_says(1),
	     "100 % of the excess comes from b.example: 90/s offered, which sent nothing before; it "
	     "does not slow down.");
}

static void who_sends_less_than_a_moment_ago_slows_down(void)
{
	static const struct help_traffic usual = { "a.example", "pcrf-2.example", .sent = 10, .useful = 10 },
					 storm = { "a.example", "pcrf-2.example", .sent = 40, .useful = 40 },
					 eases = { "a.example", "pcrf-2.example", .sent = 20, .useful = 20 };

	help_says_begin();
	help_says_traffic(&usual, 400, 60);
	help_says_traffic(&storm, 60, 15);
	help_says_traffic(&eases, 15, 0);
	help_says_reached(60);
	same(help_says(1),
	     "100 % of the excess comes from a.example: 20/s offered, 2.0 times its usual; it slows "
	     "down.");
}

static void where_many_send_more_nobody_is_named(void)
{
	char name[6][16];

	help_says_begin();
	for (unsigned i = 0; i < 6; i++) {
		snprintf(name[i], sizeof(name[i]), "c%u.example", i);
		help_says_traffic(
			&(struct help_traffic){ name[i], "pcrf-2.example", .sent = 10, .useful = 10 }, 400,
			60);
		help_says_traffic(
			&(struct help_traffic){ name[i], "pcrf-2.example", .sent = 30, .useful = 30 }, 60, 0);
	}
	help_says_reached(60);
	same(help_says(1),
	     "The excess comes from many: 6 of 6 senders offer twice their usual or more; none of "
	     "them makes up a fifth of it.");
}

static void numbers_read_well(void)
{
	char buf[OWEB_WORDS_MAX];

	same(oweb_words_count(1234567, buf), "1,234,567");
	same(oweb_words_count(999.6, buf), "1,000");
	same(oweb_words_count(-3, buf), "0");
	same(oweb_words_rate(0, buf), "0/s");
	same(oweb_words_rate(0.5, buf), "0.5/s");
	same(oweb_words_rate(9.97, buf), "10/s");
	same(oweb_words_rate(7, buf), "7/s");
	same(oweb_words_rate(12410.2, buf), "12,410/s");
	same(oweb_words_rate(1e300, buf), "1,000,000,000,000,000/s");
	same(oweb_words_time(59, buf), "59 s");
	same(oweb_words_time(60, buf), "1 m 0 s");
	same(oweb_words_time(7830, buf), "2 h 10 m");
	same(oweb_words_time(270000, buf), "3 d 3 h");
	CU_ASSERT_TRUE(strlen(oweb_words_time(UINT64_MAX, buf)) > 0);
}

void test_oweb_story_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oweb_story", NULL, NULL, help_web_set_up,
							       help_web_tear_down);

	CU_add_test(suite, "only what changed since before is an effect",
		    only_what_changed_since_before_is_an_effect);
	CU_add_test(suite, "without a receipt nothing is claimed", without_a_receipt_nothing_is_claimed);
	CU_add_test(suite, "of a state all four are told, and who goes on",
		    of_a_state_all_four_are_told_and_who_goes_on);
	CU_add_test(suite, "who obeys only in part is named", who_obeys_only_in_part_is_named);
	CU_add_test(suite, "of a realm all nodes in it count", of_a_realm_all_nodes_in_it_count);
	CU_add_test(suite, "where nobody sent anything before, nothing is an excess",
		    where_nobody_sent_anything_before_nothing_is_an_excess);
	CU_add_test(suite, "a new sender among old ones is one", a_new_sender_among_old_ones_is_one);
	CU_add_test(suite, "who sends less than a moment ago slows down",
		    who_sends_less_than_a_moment_ago_slows_down);
	CU_add_test(suite, "where many send more, nobody is named", where_many_send_more_nobody_is_named);
	CU_add_test(suite, "numbers read well", numbers_read_well);
}
