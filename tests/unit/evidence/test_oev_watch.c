/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the watch: seconds, nodes, populations, answer times, and what is unknown.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "agent/oc_err.h"
#include "evidence/watch/oev_watch.h"

void test_oev_watch_suite(void);

#define BASE_US 1796047407000000ull
#define OFFSET_US ((int64_t)(BASE_US - 1000000u)) /* monotonic 1 s is BASE_US */
#define SECOND (BASE_US / 1000000u)

static struct oc_names *names;
static struct oev_watch *watch;
static uint32_t client, server, other;

static uint32_t name(const char *text)
{
	return oc_names_id(names, (struct oc_bytes){ (const uint8_t *)text, strlen(text) }, NULL);
}

static void set_up(void)
{
	names = oc_names_new(64, 1);
	CU_ASSERT_FATAL(oev_watch_new(&watch, names) == OC_OK);
	client = name("mme-1.example");
	server = name("pcrf-1.example");
	other = name("pcrf-2.example");
}

static void tear_down(void)
{
	oev_watch_free(watch);
	oc_names_free(names);
}

static void take(const struct oc_event *event)
{
	oev_watch_take(watch, &event, 1, OFFSET_US);
}

/* @at_ms: from BASE_US on. */
static uint64_t mono(uint64_t at_ms)
{
	return 1000000000ull + at_ms * 1000000u;
}

static struct oc_event request(uint64_t id, uint64_t at_ms)
{
	return (struct oc_event){ .kind = OC_EVENT_DECISION,
				  .mono_ns = mono(at_ms),
				  .u.decision = { .id = id,
						  .at_ns = mono(at_ms),
						  .client_peer = client,
						  .first_choice = server,
						  .next_hop = server } };
}

static void answer(uint64_t id, uint64_t at_ms, uint64_t took_ms, uint32_t result_code, uint32_t from)
{
	struct oc_event event = { .kind = OC_EVENT_OUTCOME,
				  .mono_ns = mono(at_ms),
				  .u.outcome = { .id = id,
						 .took_ns = took_ms * 1000000u,
						 .result_code = result_code,
						 .from_peer = from,
						 .maker = from ? OC_MADE_UPSTREAM : OC_MADE_DEADLINE } };
	take(&event);
}

static struct oev_watch_second second_at(uint64_t second)
{
	struct oev_watch_second out;

	oev_watch_seconds(watch, second, 1, &out);
	return out;
}

static void test_a_second_is_told_when_it_is_over(void)
{
	set_up();
	struct oc_event event = request(1, 100);
	take(&event);
	CU_ASSERT_EQUAL(oev_watch_latest(watch), 0);
	oev_watch_reached(watch, BASE_US + 900000);
	CU_ASSERT_FALSE(second_at(SECOND).is_known);
	oev_watch_reached(watch, BASE_US + 1000000);
	CU_ASSERT_EQUAL(oev_watch_latest(watch), SECOND);
	CU_ASSERT(second_at(SECOND).is_known);
	CU_ASSERT_EQUAL(second_at(SECOND).count.requests, 1);
	CU_ASSERT_FALSE(second_at(SECOND - 1).is_known);
	tear_down();
}

static void test_requests_and_answers_are_counted_where_they_belong(void)
{
	struct oev_watch_count count, total;

	set_up();
	struct oc_event event = request(1, 100);
	take(&event);
	answer(1, 1200, 1100, 2001, server);
	event = request(2, 200);
	event.u.decision.verdict = OC_DIVERT;
	event.u.decision.next_hop = other;
	take(&event);
	answer(2, 300, 100, 3004, other);
	event = request(3, 300);
	take(&event);
	answer(3, 400, 100, 0, 0);
	oev_watch_reached(watch, BASE_US + 2000000);
	CU_ASSERT_EQUAL(second_at(SECOND).count.requests, 3);
	CU_ASSERT_EQUAL(second_at(SECOND).count.answers, 1);
	CU_ASSERT_EQUAL(second_at(SECOND).count.lost, 1);
	CU_ASSERT_EQUAL(second_at(SECOND + 1).count.useful, 1);
	oev_watch_node_seconds(watch, 0, OEV_WATCH_CLIENT, SECOND, 1, &count);
	CU_ASSERT_EQUAL(count.requests, 3);
	CU_ASSERT_EQUAL(count.diverted, 1);
	CU_ASSERT_EQUAL(count.answers, 1);
	oev_watch_node_total(watch, 1, OEV_WATCH_SERVER, &total);
	CU_ASSERT_EQUAL(total.sent, 2);
	CU_ASSERT_EQUAL(total.useful, 1);
	CU_ASSERT_EQUAL(total.lost, 1);
	oev_watch_node_total(watch, 2, OEV_WATCH_SERVER, &total);
	CU_ASSERT_EQUAL(total.sent, 1);
	CU_ASSERT_EQUAL(total.answers, 1);
	CU_ASSERT_EQUAL(total.useful, 0);
	tear_down();
}

static void test_sums_are_kept_by_application_class_result_and_type(void)
{
	struct oev_watch_totals totals;
	struct oc_event report = { .kind = OC_EVENT_REPORT,
				   .mono_ns = mono(50),
				   .u.report = { .type = OC_REPORT_REALM, .verdict = OC_INTAKE_STALE } };
	unsigned gy = oev_app_place(OC_APP_GY), others = oev_app_place(12345);

	set_up();
	take(&report);
	for (uint64_t i = 1; i <= 4; i++) {
		struct oc_event event = request(i, 10 * i);
		event.u.decision.app_id = i < 4 ? OC_APP_GY : 12345;
		event.u.decision.klass = i == 2 ? 0 : 3;
		event.u.decision.verdict = i <= 2 ? OC_REFUSE : OC_FORWARD;
		take(&event);
	}
	answer(3, 100, 50, 3004, server);
	answer(4, 100, 50, 77, server);
	answer(99, 100, 50, 2001, server); /* of a request that is not remembered */
	oev_watch_totals(watch, &totals);
	CU_ASSERT_EQUAL(totals.app_verdict[gy][OC_REFUSE], 2);
	CU_ASSERT_EQUAL(totals.app_verdict[gy][OC_FORWARD], 1);
	CU_ASSERT_EQUAL(totals.app_verdict[others][OC_FORWARD], 1);
	CU_ASSERT_EQUAL(totals.refused_class[0], 1);
	CU_ASSERT_EQUAL(totals.refused_class[3], 1);
	CU_ASSERT_EQUAL(totals.app_result[gy][3], 1);
	CU_ASSERT_EQUAL(totals.app_result[others][0], 1);
	CU_ASSERT_EQUAL(totals.app_result[others][2], 1);
	CU_ASSERT_EQUAL(totals.reports[OC_REPORT_REALM][OC_INTAKE_STALE], 1);
	CU_ASSERT_STRING_EQUAL(oev_app_place_text(gy), "Gy");
	CU_ASSERT_STRING_EQUAL(oev_app_place_text(others), "other");
	tear_down();
}

static void test_populations_follow_the_funnel(void)
{
	set_up();
	for (uint64_t i = 1; i <= 10; i++) {
		struct oc_event event = request(i, i);
		struct oc_decision *d = &event.u.decision;
		d->host = (struct oc_look){ .version = 1, .share_ppm = 300000, .nth = (uint32_t)i };
		if (i <= 3) {
			d->verdict = OC_REFUSE;
			d->why = OC_WHY_REPORT;
			d->selected_by = OC_SCOPE_HOST;
			d->next_hop = 0;
		}
		take(&event);
	}
	oev_watch_reached(watch, BASE_US + 1000000);
	struct oev_watch_second s = second_at(SECOND);
	CU_ASSERT_EQUAL(s.population.matched, 10);
	CU_ASSERT_EQUAL(s.population.survivors, 7);
	CU_ASSERT_EQUAL(s.population.refused_by[OC_SCOPE_HOST], 3);
	CU_ASSERT_EQUAL(s.population.refused_why[OC_WHY_REPORT], 3);
	CU_ASSERT_EQUAL(s.population.drawn, 10);
	CU_ASSERT_EQUAL(s.population.selected, 3);
	CU_ASSERT_EQUAL(s.population.share_ppm, 3000000);
	CU_ASSERT_EQUAL(s.count.refused, 3);
	tear_down();
}

static void test_what_is_asked_lasts_until_it_is_over(void)
{
	set_up();
	struct oc_event event = { .kind = OC_EVENT_OCS_VERSION,
				  .mono_ns = mono(0),
				  .u.ocs_version = { .version = 7,
						     .subject = server,
						     .reduction_pct = 30,
						     .validity_s = 3,
						     .expires_ns = mono(3000),
						     .algorithm = OC_ALGO_LOSS } };
	take(&event);
	oev_watch_reached(watch, BASE_US + 5000000);
	CU_ASSERT_EQUAL(second_at(SECOND).population.asked_pct, 30);
	CU_ASSERT_EQUAL(second_at(SECOND + 2).population.asked_pct, 30);
	CU_ASSERT_EQUAL(second_at(SECOND + 3).population.asked_pct, -1);
	tear_down();
}

static void test_what_comes_late_is_in_the_totals_all_the_same(void)
{
	struct oev_watch_totals totals;

	set_up();
	struct oc_event event = request(1, 2000000);
	take(&event);
	oev_watch_reached(watch, BASE_US + 2001000000ull);
	event = request(2, 100);
	event.u.decision.verdict = OC_REFUSE;
	event.u.decision.why = OC_WHY_OUTSTANDING;
	take(&event);
	answer(2, 200, 100, 2001, server);
	CU_ASSERT_EQUAL(second_at(SECOND).count.requests, 0);
	oev_watch_totals(watch, &totals);
	CU_ASSERT_EQUAL(totals.refused_why[OC_WHY_OUTSTANDING], 1);
	CU_ASSERT_EQUAL(totals.useful, 1);
	CU_ASSERT_EQUAL(totals.answers, 1);
	tear_down();
}

static void test_seconds_nobody_looked_at_are_not_known_unless_they_had_traffic(void)
{
	struct oev_listener listener;

	set_up();
	listener = oev_watch_listener(watch);
	struct oc_event event = request(1, 100);
	take(&event);
	listener.reached(listener.ctx, BASE_US + 1000000);
	event = request(2, 3100);
	take(&event);
	listener.reached(listener.ctx, BASE_US + 6000000);
	CU_ASSERT_TRUE(second_at(SECOND).is_known);
	CU_ASSERT_FALSE(second_at(SECOND + 1).is_known);
	CU_ASSERT_TRUE(second_at(SECOND + 3).is_known);
	CU_ASSERT_FALSE(second_at(SECOND + 5).is_known);
	listener.reached(listener.ctx, BASE_US + 8000000);
	CU_ASSERT_TRUE(second_at(SECOND + 7).is_known);
	tear_down();
}

/* @event is the one change, told so. */
static void expect_words(const struct oc_event *event, const char *text)
{
	struct oev_watch_change change[2];

	take(event);
	CU_ASSERT_EQUAL_FATAL(oev_watch_changes(watch, 0, change, 2), 1);
	CU_ASSERT_STRING_EQUAL(change[0].text, text);
}

static void test_reports_are_told_with_their_application(void)
{
	set_up();
	struct oc_event event = { .kind = OC_EVENT_OCS_VERSION,
				  .mono_ns = mono(10),
				  .u.ocs_version = { .version = 4,
						     .app_id = 16777238,
						     .subject = server,
						     .algorithm = OC_ALGO_LOSS,
						     .reduction_pct = 30,
						     .validity_s = 9 } };
	expect_words(&event, "state #4 held: host pcrf-1.example, Gx, 30 % for 9 s");
	tear_down();
}

static void test_acts_of_people_are_told_in_words(void)
{
	set_up();
	struct oc_event event = { .kind = OC_EVENT_ACT,
				  .mono_ns = mono(10),
				  .u.act = { .who = "ops",
					     .what = "want",
					     .object = "pcrf-1.example",
					     .before = "in",
					     .after = "out",
					     .reason = "CHG-1" } };
	expect_words(&event, "ops wants pcrf-1.example out, was in: CHG-1");
	tear_down();
}

static void test_what_is_too_old_is_forgotten_and_a_jump_leaves_a_hole(void)
{
	set_up();
	struct oc_event event = request(1, 100);
	take(&event);
	event = request(2, 5000000);
	take(&event);
	event = request(3, 200);
	take(&event);
	oev_watch_reached(watch, BASE_US + 5002000000ull);
	CU_ASSERT_FALSE(second_at(SECOND).is_known);
	CU_ASSERT_EQUAL(second_at(SECOND).count.requests, 0);
	CU_ASSERT(second_at(SECOND + 5000).is_known);
	CU_ASSERT_EQUAL(second_at(SECOND + 5000).count.requests, 1);
	CU_ASSERT(second_at(SECOND + 4500).is_known);
	tear_down();
}

static void test_answer_times_have_quantiles(void)
{
	uint32_t took[OEV_WATCH_TOOK];

	set_up();
	for (uint64_t i = 1; i <= 100; i++) {
		struct oc_event event = request(i, i);
		take(&event);
		answer(i, i + 1, i <= 98 ? 10 : 900, 2001, server);
	}
	oev_watch_node_took(watch, 1, took);
	uint64_t p50 = oev_watch_quantile_ns(took, 500), p99 = oev_watch_quantile_ns(took, 990);
	CU_ASSERT(p50 >= 10000000 && p50 < 15000001);
	CU_ASSERT(p99 >= 900000000 && p99 < 1350000001);
	memset(took, 0, sizeof(took));
	CU_ASSERT_EQUAL(oev_watch_quantile_ns(took, 500), 0);
	for (unsigned i = 1; i < OEV_WATCH_TOOK; i++)
		CU_ASSERT(oev_watch_took_floor_ns(i) > oev_watch_took_floor_ns(i - 1));
	tear_down();
}

static void test_changes_are_told_in_words_newest_first(void)
{
	struct oev_watch_change change[4];

	set_up();
	struct oc_event event = { .kind = OC_EVENT_PEER,
				  .mono_ns = mono(10),
				  .u.peer = { .peer = server, .up = 1 } };
	take(&event);
	oev_watch_gap(watch, BASE_US + 20000, 12, "journal full");
	CU_ASSERT_EQUAL(oev_watch_changes(watch, 0, change, 4), 2);
	CU_ASSERT_STRING_EQUAL(change[0].text, "evidence gap: 12 events lost: journal full");
	CU_ASSERT_STRING_EQUAL(change[1].text, "peer pcrf-1.example open");
	CU_ASSERT_EQUAL(oev_watch_changes(watch, 1, change, 4), 1);
	CU_ASSERT_EQUAL(change[0].number, 2);
	oev_watch_reached(watch, BASE_US + 1000000);
	CU_ASSERT(second_at(SECOND).is_gap);
	tear_down();
}

static void test_trouble_is_news_once_and_its_end_too(void)
{
	struct oev_watch_change change[4];
	char why[64];

	set_up();
	oev_watch_stuck(watch, BASE_US, "disk full");
	oev_watch_stuck(watch, BASE_US + 1, "disk full");
	CU_ASSERT_EQUAL(oev_watch_trouble(watch, why, sizeof(why)), BASE_US);
	CU_ASSERT_STRING_EQUAL(why, "disk full");
	oev_watch_stuck(watch, BASE_US + 2, "");
	CU_ASSERT_EQUAL(oev_watch_trouble(watch, why, sizeof(why)), 0);
	CU_ASSERT_EQUAL(oev_watch_changes(watch, 0, change, 4), 2);
	tear_down();
}

static void test_more_nodes_than_room_are_in_the_totals(void)
{
	char text[32];

	set_up();
	oev_watch_free(watch);
	oc_names_free(names);
	names = oc_names_new(4096, 1);
	CU_ASSERT_FATAL(oev_watch_new(&watch, names) == OC_OK);
	for (uint64_t i = 1; i <= OEV_WATCH_NODES_MAX + 10; i++) {
		struct oc_event event = request(i, 1);
		snprintf(text, sizeof(text), "n%u.example", (unsigned)i);
		event.u.decision.client_peer = name(text);
		event.u.decision.first_choice = event.u.decision.next_hop = 0;
		take(&event);
	}
	oev_watch_reached(watch, BASE_US + 1000000);
	CU_ASSERT_EQUAL(second_at(SECOND).count.requests, OEV_WATCH_NODES_MAX + 10);
	CU_ASSERT_EQUAL(oev_watch_nodes(watch, NULL, 0), OEV_WATCH_NODES_MAX);
	tear_down();
}

static void test_the_last_decisions_come_newest_first_with_their_outcome(void)
{
	struct oev_watch_decision last[OEV_WATCH_LAST];

	set_up();
	for (uint64_t i = 1; i <= OEV_WATCH_LAST + 5; i++) {
		struct oc_event event = request(i, i);
		take(&event);
	}
	answer(OEV_WATCH_LAST + 4, 90, 30, 2001, server);
	CU_ASSERT_EQUAL(oev_watch_last(watch, last, OEV_WATCH_LAST), OEV_WATCH_LAST);
	CU_ASSERT_EQUAL(last[0].decision.id, OEV_WATCH_LAST + 5);
	CU_ASSERT_EQUAL(last[0].took_ns, 0);
	CU_ASSERT_EQUAL(last[1].took_ns, 30000000);
	CU_ASSERT_EQUAL(last[OEV_WATCH_LAST - 1].decision.id, 6);
	tear_down();
}

/* Seconds that @watch told as known among the @count up to the last one. */
static unsigned known(unsigned count)
{
	struct oev_watch_second last[OEV_WATCH_SECONDS];
	unsigned found = 0;

	oev_watch_seconds(watch, oev_watch_latest(watch), count, last);
	for (unsigned i = 0; i < count; i++)
		found += last[i].is_known;
	return found;
}

static void test_a_clock_that_is_set_back_hides_nothing(void)
{
	static const uint64_t steps[] = { 30, 599, 600, 86400 };

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		set_up();
		struct oev_listener listener = oev_watch_listener(watch);
		for (uint64_t s = 0; s <= 60; s++) {
			struct oc_event event = request(s + 1, s * 1000);
			const struct oc_event *one = &event;
			listener.took(watch, &one, 1, OFFSET_US);
			listener.reached(watch, BASE_US + s * 1000000);
		}
		CU_ASSERT_EQUAL(oev_watch_latest(watch), SECOND + 59);
		uint64_t back_us = steps[i] * 1000000;
		for (uint64_t s = 61; s <= 70; s++) {
			struct oc_event event = request(s + 1, s * 1000);
			const struct oc_event *one = &event;
			listener.took(watch, &one, 1, OFFSET_US - (int64_t)back_us);
			listener.reached(watch, BASE_US + s * 1000000 - back_us);
		}
		CU_ASSERT_EQUAL(oev_watch_latest(watch), SECOND + 69 - steps[i]);
		CU_ASSERT_EQUAL(second_at(SECOND + 69 - steps[i]).count.requests, 1);
		CU_ASSERT(known(9) == 9);
		CU_ASSERT_FALSE(second_at(SECOND + 59).is_known && steps[i] > 30);
		tear_down();
	}
}

void test_oev_watch_suite(void)
{
	CU_Suite *suite = CU_add_suite("oev_watch", NULL, NULL);

	CU_add_test(suite, "a_second_is_told_when_it_is_over", test_a_second_is_told_when_it_is_over);
	CU_add_test(suite, "requests_and_answers_are_counted_where_they_belong",
		    test_requests_and_answers_are_counted_where_they_belong);
	CU_add_test(suite, "sums_are_kept_by_application_class_result_and_type",
		    test_sums_are_kept_by_application_class_result_and_type);
	CU_add_test(suite, "populations_follow_the_funnel", test_populations_follow_the_funnel);
	CU_add_test(suite, "what_is_asked_lasts_until_it_is_over", test_what_is_asked_lasts_until_it_is_over);
	CU_add_test(suite, "what_is_too_old_is_forgotten_and_a_jump_leaves_a_hole",
		    test_what_is_too_old_is_forgotten_and_a_jump_leaves_a_hole);
	CU_add_test(suite, "what_comes_late_is_in_the_totals_all_the_same",
		    test_what_comes_late_is_in_the_totals_all_the_same);
	CU_add_test(suite, "seconds_nobody_looked_at_are_not_known_unless_they_had_traffic",
		    test_seconds_nobody_looked_at_are_not_known_unless_they_had_traffic);
	CU_add_test(suite, "reports_are_told_with_their_application",
		    test_reports_are_told_with_their_application);
	CU_add_test(suite, "acts_of_people_are_told_in_words", test_acts_of_people_are_told_in_words);
	CU_add_test(suite, "answer_times_have_quantiles", test_answer_times_have_quantiles);
	CU_add_test(suite, "changes_are_told_in_words_newest_first",
		    test_changes_are_told_in_words_newest_first);
	CU_add_test(suite, "a_clock_that_is_set_back_hides_nothing",
		    test_a_clock_that_is_set_back_hides_nothing);
	CU_add_test(suite, "trouble_is_news_once_and_its_end_too", test_trouble_is_news_once_and_its_end_too);
	CU_add_test(suite, "more_nodes_than_room_are_in_the_totals",
		    test_more_nodes_than_room_are_in_the_totals);
	CU_add_test(suite, "the_last_decisions_come_newest_first_with_their_outcome",
		    test_the_last_decisions_come_newest_first_with_their_outcome);
}
