/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the first screen's sentences: nobody asks, something ended and is held back still, this node itself asks.
 */
#include "evidence/oev_clock.h"
#include "help_web.h"
#include <CUnit/Basic.h>
#include <stdlib.h>
#include <string.h>

void test_oweb_sentences_suite(void);

static void when_nobody_asks_for_less_it_says_so(void)
{
	pthread_mutex_lock(&help_web.agent->lock);
	help_web.agent->states = 0;
	pthread_mutex_unlock(&help_web.agent->lock);
	struct help_reply reply = help_web_ask("GET", "/api/v1/status", NULL, NULL);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "sentences/0"),
			       "nobody asks for less; up for 2 h 10 m");
	help_reply_drop(&reply);
}

static void what_ended_is_held_back_for_a_while_and_counts_no_longer_as_held(void)
{
	uint64_t now_ns = oev_clock_mono_ns();

	pthread_mutex_lock(&help_web.agent->lock);
	struct oc_ocs_view *ocs = &help_web.agent->state[0];
	ocs->active = 0;
	ocs->share_ppm = 124000;
	ocs->expires_ns = now_ns - 20000000000ull;
	ocs->since_ns = now_ns - 27000000000ull;
	ocs->begun_ns = now_ns - 60000000000ull;
	pthread_mutex_unlock(&help_web.agent->lock);
	struct help_reply reply = help_web_ask("GET", "/api/v1/status", NULL, NULL);
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "sentences/0"),
			       "returning to full traffic: 12 % still held back (host, pcrf-2.example, Gx); "
			       "nobody asks for less any more");
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "states/41/state"), "ending");
	CU_ASSERT_PTR_NOT_NULL(strstr(reply.body, "\"held_seconds\":7,"));
	CU_ASSERT_PTR_NOT_NULL(strstr(reply.body, "\"condition_seconds\":40,"));
	CU_ASSERT_PTR_NOT_NULL(strstr(reply.body, "\"ended_seconds\":20"));
	help_reply_drop(&reply);
}

static void what_this_node_asks_for_itself_is_told_so(void)
{
	pthread_mutex_lock(&help_web.agent->lock);
	help_web.agent->state[0].is_own = 1;
	help_web.agent->order[0] =
		(struct oc_report_view){ .order = { .key = { .app_id = OC_APP_ANY, .type = OC_REPORT_PEER },
						    .has_reduction = true,
						    .reduction_pct = 20 },
					 .sent = 7 };
	help_web.agent->orders = 1;
	pthread_mutex_unlock(&help_web.agent->lock);
	struct help_reply reply = help_web_ask("GET", "/api/v1/status", NULL, NULL);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(help_reply_text(&reply, "sentences/0"),
		       "this node itself asks for 30 % less to pcrf-2.example (loss, host, Gx)"));
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "sentences/1"),
			       "this node itself asks its neighbours for 20 % less (peer, all applications), "
			       "told in 7 answers");
	help_reply_drop(&reply);
}

void test_oweb_sentences_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oweb_sentences", NULL, NULL, help_web_set_up,
							       help_web_tear_down);

	CU_add_test(suite, "when nobody asks for less it says so", when_nobody_asks_for_less_it_says_so);
	CU_add_test(suite, "what ended is held back for a while, and counts no longer as held",
		    what_ended_is_held_back_for_a_while_and_counts_no_longer_as_held);
	CU_add_test(suite, "what this node asks for itself is told so",
		    what_this_node_asks_for_itself_is_told_so);
}
