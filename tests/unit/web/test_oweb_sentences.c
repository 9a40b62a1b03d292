/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of what the server says in sentences: who asks, do we obey, what this node itself asks, that nobody asks, that something ended and is
 * held back still. What it says of numbers: test_oweb_story.c.
 */
#include <CUnit/Basic.h>
#include <string.h>

#include "evidence/oev_clock.h"
#include "help_says.h"

void test_oweb_sentences_suite(void);

#define ASKS "pcrf-2.example asks for 30 % less (loss, host, Gx), held for "
#define UNKNOWN "; whether it helps is not known here: nothing tells of the last minutes."

static void has(const char *text, const char *part)
{
	CU_ASSERT_PTR_NOT_NULL(strstr(text, part));
	if (strstr(text, part) == NULL)
		fprintf(stderr, "  wanted: %s\n  in:     %s\n", part, text);
}

/* The agent, for changes until told(). */
static struct help_node *change(void)
{
	pthread_mutex_lock(&help_web.agent->lock);
	return help_web.agent;
}

static void told(void)
{
	pthread_mutex_unlock(&help_web.agent->lock);
}

static void when_nobody_asks_for_less_it_says_so(void)
{
	change()->states = 0;
	told();
	CU_ASSERT_STRING_EQUAL(help_says(0),
			       "Nobody has asked for less since start (2 h 10 m). That is normal.");
	CU_ASSERT_STRING_EQUAL(help_says(1), "");
	struct help_node *agent = change();
	agent->stats.value[OC_STAT_REPORTS_NEW] = 1200;
	agent->stats.value[OC_STAT_REPORTS_UPDATED] = 4;
	told();
	CU_ASSERT_STRING_EQUAL(help_says(0),
			       "Nobody asks for less now; 1,204 reports were obeyed since start (2 h 10 m).");
}

static void when_nobody_could_ask_it_says_so_first(void)
{
	struct help_node *agent = change();

	agent->states = 0;
	agent->peer[0].is_up = false;
	told();
	CU_ASSERT_STRING_EQUAL(help_says(0), "No Diameter peer is open; 2 are configured. See Pools.");
	has(help_says(1), "Nobody has asked for less");
	change()->peers = 1;
	told();
	has(help_says(0), "No Diameter peer is open; 1 is configured.");
}

static void of_a_state_it_says_who_asks_and_whether_we_obey(void)
{
	change()->state[0].begun_ns = oev_clock_mono_ns() - 60200000000ull;
	told();
	CU_ASSERT_STRING_EQUAL(help_says(0), ASKS "1 m 0 s; we obey and selected 30.00 %" UNKNOWN);
	CU_ASSERT_STRING_EQUAL(help_says(1), "Who causes it is not known here.");
	change()->state[0].same_matched = 0;
	told();
	CU_ASSERT_STRING_EQUAL(help_says(0), ASKS "1 m 0 s; no request has matched it yet" UNKNOWN);
	change()->state[0].is_observed = 1;
	told();
	CU_ASSERT_STRING_EQUAL(help_says(0),
			       ASKS "1 m 0 s; we only observe it (shadow), and forward everything" UNKNOWN);
	change()->facts.is_observing = true;
	told();
	CU_ASSERT_STRING_EQUAL(help_says(0), ASKS "1 m 0 s; we only observe, and forward everything" UNKNOWN);
	struct help_node *agent = change();
	agent->state[0].algorithm = OC_ALGO_RATE;
	agent->state[0].rate_rps = 1250;
	told();
	has(help_says(0),
	    "pcrf-2.example asks for at most 1,250 requests/s (rate, host, Gx), held for 1 m 0 s");
}

static void parts_lead_to_what_they_speak_of(void)
{
	json_t *all = help_says_all();
	const char *kind = "", *brief = "", *text = "";
	int version = 0;

	CU_ASSERT_EQUAL(json_unpack(json_array_get(all, 0), "{s:s, s:s, s:[{s:s, s:i}]}", "kind", &kind,
				    "brief", &brief, "parts", "text", &text, "version", &version),
			0);
	CU_ASSERT_STRING_EQUAL(kind, "warn");
	CU_ASSERT_STRING_EQUAL(brief, "pcrf-2.example asks for 30 % less.");
	CU_ASSERT_STRING_EQUAL(text, "pcrf-2.example");
	CU_ASSERT_EQUAL(version, 41);
	json_decref(all);
}

static void the_worst_three_are_told_and_how_many_more(void)
{
	struct help_node *agent = change();

	for (uint32_t i = 1; i < 4; i++) {
		agent->state[i] = agent->state[0];
		agent->state[i].version = 41 + i;
		agent->state[i].share_ppm = 300000 + i * 100000;
		agent->state[i].reduction_pct = 30 + i * 10;
	}
	agent->states = 4;
	told();
	has(help_says(0), "pcrf-2.example asks for 60 % less");
	has(help_says(2), "pcrf-2.example asks for 40 % less");
	CU_ASSERT_STRING_EQUAL(help_says(3), "And 1 more.");
}

static void what_ended_is_held_back_for_a_while_and_counts_no_longer_as_held(void)
{
	uint64_t now_ns = oev_clock_mono_ns();

	struct oc_ocs_view *ocs = &change()->state[0];
	ocs->active = 0;
	ocs->share_ppm = 124000;
	ocs->expires_ns = now_ns - 20000000000ull;
	ocs->since_ns = now_ns - 27000000000ull;
	ocs->begun_ns = now_ns - 60000000000ull;
	told();
	struct help_reply reply = help_web_ask("GET", "/api/v1/status", NULL, NULL);
	CU_ASSERT_STRING_EQUAL(help_says(0),
			       "Returning to full traffic: 12 % still held back (host, pcrf-2.example, Gx); "
			       "nobody asks for less any more.");
	CU_ASSERT_STRING_EQUAL(help_reply_text(&reply, "states/41/state"), "ending");
	CU_ASSERT_PTR_NOT_NULL(strstr(reply.body, "\"held_seconds\":7,"));
	CU_ASSERT_PTR_NOT_NULL(strstr(reply.body, "\"condition_seconds\":40,"));
	CU_ASSERT_PTR_NOT_NULL(strstr(reply.body, "\"ended_seconds\":20"));
	help_reply_drop(&reply);
	change()->facts.is_observing = true;
	told();
	has(help_says(0), "Nobody has asked for less");
	change()->facts.is_observing = false;
	ocs->share_ppm = 0;
	told();
	has(help_says(0), "Nobody has asked for less");
}

static void what_this_node_asks_for_itself_is_told_so(void)
{
	struct help_node *agent = change();

	agent->state[0].is_own = 1;
	agent->order[0] =
		(struct oc_report_view){ .order = { .key = { .app_id = OC_APP_ANY, .type = OC_REPORT_PEER },
						    .has_reduction = true,
						    .reduction_pct = 20 },
					 .reduction_pct = 20,
					 .sent = 1204 };
	agent->orders = 1;
	told();
	has(help_says(0),
	    "This node itself asks for 30 % less to pcrf-2.example (its own order, loss, host, Gx)");
	CU_ASSERT_STRING_EQUAL(
		help_says(1),
		"This node itself asks all its neighbours for 20 % less (its own order, peer, all "
		"applications), told in 1,204 answers; we refuse it to those who cannot react.");
	change()->order[0].reduction_pct = 10; /* on the way down */
	told();
	has(help_says(1), "for 20 % less, now 10 % (its own order");
}

/* One that its clients are told is told apart from one that a state here stands for. */
static void an_order_that_a_state_stands_for_is_told_once(void)
{
	uint32_t subject = help_web_name("pcrf-2.example");
	struct help_node *agent = change();

	agent->state[0].is_own = 1;
	agent->order[0] = (struct oc_report_view){
		.order = { .key = { .app_id = OC_APP_GX, .type = OC_REPORT_HOST, .subject = subject },
			   .has_rate = true,
			   .rate_rps = 250,
			   .has_reduction = true,
			   .reduction_pct = 30 },
		.reduction_pct = 30
	};
	agent->orders = 1;
	told();
	has(help_says(1), "Who causes it");
	change()->state[0].is_own = 0;
	told();
	CU_ASSERT_STRING_EQUAL(help_says(1),
			       "This node itself asks its clients for at most 250 requests/s or 30 % less to "
			       "pcrf-2.example (its own order, host, Gx), told in 0 answers.");
}

static void a_finished_folder_says_so(void)
{
	help_web_restart_without_agent();
	struct help_reply reply = help_web_ask("GET", "/api/v1/status", NULL, NULL);
	has(help_reply_text(&reply, "sentences/0/parts/0/text"),
	    "No agent runs here: what is shown is the end of a finished evidence folder.");
	help_reply_drop(&reply);
}

void test_oweb_sentences_suite(void)
{
	CU_pSuite suite = CU_add_suite_with_setup_and_teardown("oweb_sentences", NULL, NULL, help_web_set_up,
							       help_web_tear_down);

	CU_add_test(suite, "when nobody asks for less it says so", when_nobody_asks_for_less_it_says_so);
	CU_add_test(suite, "when nobody could ask it says so first", when_nobody_could_ask_it_says_so_first);
	CU_add_test(suite, "of a state it says who asks, and whether we obey",
		    of_a_state_it_says_who_asks_and_whether_we_obey);
	CU_add_test(suite, "parts lead to what they speak of", parts_lead_to_what_they_speak_of);
	CU_add_test(suite, "the worst three are told, and how many more",
		    the_worst_three_are_told_and_how_many_more);
	CU_add_test(suite, "what ended is held back for a while, and counts no longer as held",
		    what_ended_is_held_back_for_a_while_and_counts_no_longer_as_held);
	CU_add_test(suite, "what this node asks for itself is told so",
		    what_this_node_asks_for_itself_is_told_so);
	CU_add_test(suite, "an order that a state stands for is told once",
		    an_order_that_a_state_stands_for_is_told_once);
	CU_add_test(suite, "a finished folder says so", a_finished_folder_says_so);
}
