/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the watch while somebody asks for less: what is news, longer steps, and which senders do as they are told.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "agent/oc_err.h"
#include "agent/wire/oc_msg.h"
#include "evidence/watch/oev_watch.h"

void test_oev_watch_asked_suite(void);

#define BASE_US 1796047400000000ull
#define OFFSET_US ((int64_t)(BASE_US - 1000000u)) /* monotonic 1 s is BASE_US */
#define SECOND (BASE_US / 1000000u)
#define GX 16777238u
#define PASSES 1u /* number of answers with a report that travels on */

static struct oc_names *names;
static struct oev_watch *watch;
static uint32_t self, server, good, bad, plain;
static uint64_t next_id, next_report;
static uint32_t held; /* version in force */

static void take(struct oc_event event, uint64_t at_ms);

static uint32_t name(const char *text)
{
	return oc_names_id(names, (struct oc_bytes){ (const uint8_t *)text, strlen(text) }, NULL);
}

static void set_up(void)
{
	names = oc_names_new(64, 1);
	CU_ASSERT_FATAL(oev_watch_new(&watch, names) == OC_OK);
	self = name("dra.example");
	server = name("pcrf-1.example");
	good = name("good.visited.example");
	bad = name("bad.visited.example");
	plain = name("plain.visited.example");
	oev_watch_set_self(watch, "DRA.example");
	next_id = next_report = 0;
	held = 0;
	struct oc_event profile = { .kind = OC_EVENT_PROFILE };
	profile.u.profile.id = PASSES;
	profile.u.profile.profile.hints = OC_HINT_PASSES;
	take(profile, 0);
}

static void tear_down(void)
{
	oev_watch_free(watch);
	oc_names_free(names);
}

static uint64_t mono(uint64_t at_ms)
{
	return 1000000000ull + at_ms * 1000000u;
}

static void take(struct oc_event event, uint64_t at_ms)
{
	const struct oc_event *one = &event;

	event.mono_ns = mono(at_ms);
	oev_watch_take(watch, &one, 1, OFFSET_US);
}

/* A host report of @from that is accepted at @at_ms, as the core tells it: the end of what was held, the report, the new version. */
static void report(uint32_t from, uint64_t at_ms, uint32_t pct, uint32_t validity_s)
{
	if (held != 0)
		take((struct oc_event){ .kind = OC_EVENT_OCS_CHANGE,
					.u.ocs_change = { .version = held,
							  .how = validity_s == 0 ? OC_END_ENDED
										 : OC_END_REPLACED } },
		     at_ms);
	take((struct oc_event){ .kind = OC_EVENT_REPORT,
				.u.report = { .report = ++next_report,
					      .version = held + 1,
					      .peer = from,
					      .app_id = GX,
					      .subject = server,
					      .type = OC_REPORT_HOST,
					      .reduction_pct = pct,
					      .validity_s = validity_s,
					      .has = OC_OLR_HAS_REDUCTION,
					      .verdict = held ? OC_INTAKE_UPDATED : OC_INTAKE_NEW,
					      .algorithm = OC_ALGO_LOSS } },
	     at_ms);
	take((struct oc_event){ .kind = OC_EVENT_OCS_VERSION,
				.u.ocs_version = { .report = next_report,
						   .version = held + 1,
						   .replaces = held,
						   .app_id = GX,
						   .subject = server,
						   .type = OC_REPORT_HOST,
						   .reduction_pct = pct,
						   .validity_s = validity_s,
						   .expires_ns = mono(at_ms + validity_s * 1000),
						   .algorithm = OC_ALGO_LOSS } },
	     at_ms);
	held++;
}

static uint32_t changes(struct oev_watch_change out[static 32])
{
	return oev_watch_changes(watch, 0, out, 32);
}

static void test_a_renewal_of_the_same_is_no_news(void)
{
	struct oev_watch_change change[32];

	set_up();
	for (uint64_t s = 0; s < 100; s += 5) {
		oev_watch_reached(watch, BASE_US + s * 1000000);
		report(server, s * 1000, 30, 10);
	}
	oev_watch_reached(watch, BASE_US + 100000000);
	CU_ASSERT_EQUAL(changes(change), 2);
	CU_ASSERT_STRING_EQUAL(change[1].text,
			       "report 1 from pcrf-1.example accepted: host pcrf-1.example, Gx, 30 %");
	CU_ASSERT_STRING_EQUAL(change[0].text, "state #1 held: host pcrf-1.example, Gx, 30 % for 10 s");
	report(server, 100000, 40, 10);
	CU_ASSERT_EQUAL(changes(change), 4);
	CU_ASSERT_STRING_EQUAL(change[0].text, "state #21 held: host pcrf-1.example, Gx, 40 % for 10 s");
	report(server, 101000, 0, 0);
	CU_ASSERT_EQUAL(changes(change), 6);
	CU_ASSERT_STRING_EQUAL(change[1].text, "state #21 ended: 0 of 0 matched were selected");
	CU_ASSERT_STRING_EQUAL(change[0].text,
			       "report 22 from pcrf-1.example accepted: host pcrf-1.example, Gx, the end");
	struct oev_watch_second second;
	oev_watch_seconds(watch, SECOND + 99, 1, &second);
	CU_ASSERT_EQUAL(second.population.asked_pct, 30);
	tear_down();
}

static void test_what_ran_out_is_news_when_it_comes_again(void)
{
	struct oev_watch_change change[32];

	set_up();
	report(server, 0, 30, 10);
	take((struct oc_event){ .kind = OC_EVENT_OCS_CHANGE,
				.u.ocs_change = { .version = 1, .how = OC_END_EXPIRED } },
	     10000);
	held = 0;
	report(server, 20000, 30, 10);
	CU_ASSERT_EQUAL(changes(change), 5);
	tear_down();
}

static void test_what_this_node_reports_is_told_as_its_own(void)
{
	struct oev_watch_change change[32];

	set_up();
	report(self, 0, 30, 10);
	report(self, 5000, 30, 10);
	report(self, 9000, 20, 10);
	CU_ASSERT_EQUAL(changes(change), 2);
	CU_ASSERT_STRING_EQUAL(change[1].text, "own state #1 held: host pcrf-1.example, Gx, 30 % for 10 s");
	CU_ASSERT_STRING_EQUAL(change[0].text, "own state #3 held: host pcrf-1.example, Gx, 20 % for 10 s");
	tear_down();
}

static void request(uint32_t origin, uint64_t at_ms, uint16_t flags)
{
	uint64_t id = ++next_id;

	take((struct oc_event){ .kind = OC_EVENT_DECISION,
				.u.decision = { .id = id,
						.at_ns = mono(at_ms),
						.app_id = GX,
						.client_peer = origin,
						.origin_host = origin,
						.dest_host = server,
						.first_choice = server,
						.next_hop = server,
						.flags = flags } },
	     at_ms);
	take((struct oc_event){ .kind = OC_EVENT_OUTCOME,
				.u.outcome = { .id = id,
					       .took_ns = 1000000,
					       .result_code = 2001,
					       .profile = PASSES,
					       .answered_by = server,
					       .from_peer = server } },
	     at_ms + 1);
}

/* @per_s requests of @origin in @second. */
static void offer(uint32_t origin, uint64_t second, uint32_t per_s, uint16_t flags)
{
	for (uint32_t i = 0; i < per_s; i++)
		request(origin, second * 1000 + i * 1000 / per_s, flags);
}

static const struct oev_watch_sender *sender(const struct oev_watch_sender *all, uint32_t count, uint32_t of)
{
	for (uint32_t i = 0; i < count; i++)
		if (all[i].name == of)
			return &all[i];
	CU_FAIL_FATAL("no such sender");
	return NULL;
}

/* @before_s seconds at the usual rate, then a state of 40 % is renewed every five seconds for a minute. */
static uint32_t story(uint64_t before_s, struct oev_watch_sender out[static 8])
{
	uint64_t unlisted;

	for (uint64_t s = 0; s < before_s + 60; s++) {
		bool is_held = s >= before_s;
		if (is_held && (s - before_s) % 5 == 0)
			report(server, s * 1000, 40, 10);
		offer(good, s, is_held ? 12 : 20, OC_DEC_DOIC_CLIENT);
		offer(bad, s, 20, OC_DEC_DOIC_CLIENT);
		offer(plain, s, 20, OC_DEC_REACTING_FOR);
		oev_watch_reached(watch, BASE_US + (s + 1) * 1000000);
	}
	uint32_t count = oev_watch_senders(watch, out, 8, &unlisted);
	CU_ASSERT_EQUAL(unlisted, 0);
	return count;
}

static void test_who_was_told_and_goes_on_is_found_through_all_renewals(void)
{
	struct oev_watch_sender all[8];

	set_up();
	uint32_t count = story(60, all);
	CU_ASSERT_EQUAL_FATAL(count, 3);
	CU_ASSERT_EQUAL(all[0].name, bad);
	CU_ASSERT_EQUAL(all[0].judgement.obedience, OEV_WENT_ON);
	CU_ASSERT_EQUAL(all[0].during, 1200);
	CU_ASSERT_DOUBLE_EQUAL(all[0].judgement.usual, 1200, 25);
	CU_ASSERT_DOUBLE_EQUAL(all[0].judgement.expected, 720, 15);
	CU_ASSERT_EQUAL(sender(all, count, good)->judgement.obedience, OEV_OBEYED);
	CU_ASSERT_EQUAL(sender(all, count, plain)->judgement.obedience, OEV_HELD_HERE);
	tear_down();
}

static void test_where_nothing_is_known_of_before_it_cannot_be_told(void)
{
	struct oev_watch_sender all[8];

	set_up();
	uint32_t count = story(0, all);
	CU_ASSERT_EQUAL(sender(all, count, bad)->judgement.obedience, OEV_UNKNOWN);
	CU_ASSERT_EQUAL(sender(all, count, good)->judgement.obedience, OEV_UNKNOWN);
	tear_down();
	set_up();
	count = story(60, all);
	oev_watch_gap(watch, BASE_US + 100000000, 12, "journal full");
	uint64_t unlisted;
	count = oev_watch_senders(watch, all, 8, &unlisted);
	CU_ASSERT_EQUAL(sender(all, count, bad)->judgement.obedience, OEV_UNKNOWN);
	report(server, 121000, 0, 0);
	CU_ASSERT_EQUAL(oev_watch_senders(watch, all, 8, &unlisted), 0);
	tear_down();
}

static void test_requests_for_others_are_not_in_its_scope(void)
{
	struct oev_watch_sender all[8];
	uint64_t unlisted;

	set_up();
	report(server, 0, 40, 100);
	take(
		(struct oc_event){
			.kind = OC_EVENT_DECISION,
			.u.decision = { .id = 1, .app_id = GX, .origin_host = bad, .dest_host = good } },
		1000);
	take(
		(struct oc_event){
			.kind = OC_EVENT_DECISION,
			.u.decision = { .id = 2, .app_id = 4, .origin_host = bad, .dest_host = server } },
		1000);
	CU_ASSERT_EQUAL(oev_watch_senders(watch, all, 8, &unlisted), 0);
	tear_down();
}

static void test_longer_steps_are_sums_of_seconds(void)
{
	struct oev_watch_step step[3];

	set_up();
	for (uint64_t s = 0; s < 1300; s++) {
		if (s < 1000 || s >= 1205)
			offer(plain, s, s < 600 ? 2 : 4, 0);
		oev_watch_reached(watch, BASE_US + (s + 1) * 1000000);
	}
	CU_ASSERT_EQUAL(oev_watch_since(watch), SECOND);
	CU_ASSERT_TRUE(oev_watch_step_read(watch, 600, oev_watch_latest(watch), 3, step));
	CU_ASSERT_EQUAL(step[0].sum.second, (SECOND + 1299) / 600 * 600 - 1200);
	uint64_t requests = 0, seconds = 0;
	for (unsigned i = 0; i < 3; i++) {
		requests += step[i].sum.count.requests;
		seconds += step[i].known_s;
	}
	CU_ASSERT_EQUAL(seconds, 1300);
	CU_ASSERT_EQUAL(requests, 600 * 2 + 400 * 4 + 95 * 4);
	CU_ASSERT_TRUE(oev_watch_step_read(watch, 10, SECOND + 5, 2, step));
	CU_ASSERT_EQUAL(step[0].known_s, 0);
	CU_ASSERT_EQUAL(step[1].known_s, 10);
	CU_ASSERT_EQUAL(step[1].sum.count.requests, 20);
	CU_ASSERT_FALSE(oev_watch_step_read(watch, 7, SECOND, 1, step));
	tear_down();
}

static void test_a_clock_set_back_counts_no_second_twice(void)
{
	struct oev_watch_step step;

	set_up();
	struct oev_listener listener = oev_watch_listener(watch);
	for (uint64_t s = 0; s < 60; s++) {
		uint64_t back_us = s < 30 ? 0 : 20000000;
		struct oc_event event = {
			.kind = OC_EVENT_DECISION,
			.mono_ns = mono(s * 1000),
			.u.decision = { .id = s + 1, .at_ns = mono(s * 1000), .client_peer = plain }
		};
		const struct oc_event *one = &event;
		listener.took(watch, &one, 1, OFFSET_US - (int64_t)back_us);
		listener.reached(watch, BASE_US + (s + 1) * 1000000 - back_us);
	}
	CU_ASSERT_TRUE(oev_watch_step_read(watch, 10, SECOND + 20, 1, &step));
	CU_ASSERT_EQUAL(step.known_s, 10);
	CU_ASSERT_EQUAL(step.sum.count.requests, 10);
	tear_down();
}

void test_oev_watch_asked_suite(void)
{
	CU_Suite *suite = CU_add_suite("oev_watch_asked", NULL, NULL);

	CU_add_test(suite, "a_renewal_of_the_same_is_no_news", test_a_renewal_of_the_same_is_no_news);
	CU_add_test(suite, "what_ran_out_is_news_when_it_comes_again",
		    test_what_ran_out_is_news_when_it_comes_again);
	CU_add_test(suite, "what_this_node_reports_is_told_as_its_own",
		    test_what_this_node_reports_is_told_as_its_own);
	CU_add_test(suite, "who_was_told_and_goes_on_is_found_through_all_renewals",
		    test_who_was_told_and_goes_on_is_found_through_all_renewals);
	CU_add_test(suite, "where_nothing_is_known_of_before_it_cannot_be_told",
		    test_where_nothing_is_known_of_before_it_cannot_be_told);
	CU_add_test(suite, "requests_for_others_are_not_in_its_scope",
		    test_requests_for_others_are_not_in_its_scope);
	CU_add_test(suite, "longer_steps_are_sums_of_seconds", test_longer_steps_are_sums_of_seconds);
	CU_add_test(suite, "a_clock_set_back_counts_no_second_twice",
		    test_a_clock_set_back_counts_no_second_twice);
}
