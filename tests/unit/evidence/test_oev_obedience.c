/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of one rule for whoever asks whether a sender did as it was told: the same stories, told to the audit as a folder and to the watch as
 * events, come out alike.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "agent/oc_err.h"
#include "agent/wire/oc_msg.h"
#include "evidence/watch/oev_watch.h"
#include "help_audit.h"
#include "help_told.h"

void test_oev_obedience_suite(void);

#define BASE_US 1796047400000000ull /* begins a step of the watch */
#define ASKED_MS 5000u
#define OVER_MS 15000u
#define PASSES 1u /* number of answers with a report that travels on */

/* A client that sends 500 requests/s to s1 or its realm, which asks for less from 5 s to 15 s. */
struct story {
	const char *name;
	unsigned asked_pct; /* 0: a rate */
	unsigned rate_rps;
	unsigned begins_ms;		      /* it sends nothing before */
	unsigned keeps_pct;		      /* of its usual, while it is asked */
	unsigned told_from_ms, told_until_ms; /* s1's answers carry the report to it */
	unsigned recorded_from_ms;	      /* nothing tells of what was before */
	bool is_plain;			      /* it does not react by itself */
	bool names_no_host, is_realm;
	bool has_loss;
	enum oev_obedience expected;
};

#define TOLD .told_from_ms = ASKED_MS, .told_until_ms = OVER_MS

static const struct story stories[] = {
	{ "all of it", 30, .keeps_pct = 100, TOLD, .expected = OEV_WENT_ON },
	{ "nearly all", 30, .keeps_pct = 95, TOLD, .expected = OEV_WENT_ON },
	{ "more than half way back", 30, .keeps_pct = 87, TOLD, .expected = OEV_WENT_ON },
	{ "less than half way back", 30, .keeps_pct = 83, TOLD, .expected = OEV_PARTLY },
	{ "more than asked, by chance", 30, .keeps_pct = 73, TOLD, .expected = OEV_OBEYED },
	{ "as asked", 30, .keeps_pct = 70, TOLD, .expected = OEV_OBEYED },
	{ "less than asked", 30, .keeps_pct = 20, TOLD, .expected = OEV_OBEYED },
	{ "next to nothing", 30, .keeps_pct = 1, TOLD, .expected = OEV_OBEYED },
	{ "nothing, so nothing tells it", 30, .keeps_pct = 0, TOLD, .expected = OEV_NOT_TOLD },
	{ "one in ten, as uncertain as its usual", 10, .keeps_pct = 100, TOLD, .expected = OEV_TOO_FEW },
	{ "a rate obeyed", 0, 350, .keeps_pct = 70, TOLD, .expected = OEV_OBEYED },
	{ "a rate ignored", 0, 350, .keeps_pct = 100, TOLD, .expected = OEV_WENT_ON },
	{ "told half way", 30, .keeps_pct = 100, .told_from_ms = 10000, .told_until_ms = OVER_MS,
	  .expected = OEV_WENT_ON },
	{ "told half way, obeyed from then on", 40, .keeps_pct = 80, .told_from_ms = 10000,
	  .told_until_ms = OVER_MS, .expected = OEV_OBEYED },
	{ "told too late", 30, .keeps_pct = 100, .told_from_ms = 13000, .told_until_ms = OVER_MS,
	  .expected = OEV_TOO_FEW },
	{ "not told", 30, .keeps_pct = 100, .expected = OEV_NOT_TOLD },
	{ "told before it was asked", 30, .keeps_pct = 100, .told_from_ms = 0, .told_until_ms = 4990,
	  .expected = OEV_NOT_TOLD },
	{ "had just begun", 30, .begins_ms = 2500, .keeps_pct = 70, TOLD, .expected = OEV_OBEYED },
	{ "had just begun, goes on", 30, .begins_ms = 2500, .keeps_pct = 100, TOLD, .expected = OEV_WENT_ON },
	{ "began right before", 30, .begins_ms = 4500, .keeps_pct = 100, TOLD, .expected = OEV_TOO_FEW },
	{ "began while it was asked", 30, .begins_ms = 6000, .keeps_pct = 100, TOLD,
	  .expected = OEV_TOO_FEW },
	{ "does not react", 30, .keeps_pct = 100, .is_plain = true, .expected = OEV_HELD_HERE },
	{ "does not react, silent", 30, .keeps_pct = 0, .is_plain = true, .expected = OEV_HELD_HERE },
	{ "names no host", 30, .keeps_pct = 100, TOLD, .names_no_host = true, .expected = OEV_NOT_ADDRESSED },
	{ "names no host, does not react", 30, .keeps_pct = 100, .is_plain = true, .names_no_host = true,
	  .expected = OEV_HELD_HERE },
	{ "realm, all of it", 30, .keeps_pct = 100, TOLD, .names_no_host = true, .is_realm = true,
	  .expected = OEV_WENT_ON },
	{ "realm, as asked", 30, .keeps_pct = 70, TOLD, .names_no_host = true, .is_realm = true,
	  .expected = OEV_OBEYED },
	{ "realm, not told", 30, .keeps_pct = 100, .names_no_host = true, .is_realm = true,
	  .expected = OEV_NOT_TOLD },
	{ "events lost", 30, .keeps_pct = 70, TOLD, .has_loss = true, .expected = OEV_UNKNOWN },
	{ "nothing recorded before", 30, .recorded_from_ms = ASKED_MS, .keeps_pct = 100, TOLD,
	  .expected = OEV_UNKNOWN },
};

/* --- as a folder --- */

static void bend(struct help_segment *segment, const struct story *story)
{
	CU_ASSERT(help_segment_sql(segment, "%s", HELP_LEFT_TO_CLIENT));
	CU_ASSERT(help_segment_sql(segment,
				   "UPDATE outcome SET ending = 50 WHERE decision %% 2 = 1 AND decision >= "
				   "%u AND decision < %u",
				   story->told_from_ms, story->told_until_ms));
	if (story->is_realm)
		CU_ASSERT(help_segment_sql(segment, "%s", HELP_OF_REALM));
	if (story->names_no_host)
		CU_ASSERT(help_segment_sql(segment, "UPDATE wide SET dest_host = NULL WHERE dest_host = 3"));
	if (story->is_plain)
		CU_ASSERT(help_segment_sql(segment, "UPDATE wide SET flags = 128"));
	if (story->rate_rps != 0)
		CU_ASSERT(help_segment_sql(segment,
					   "UPDATE ocs_version SET algorithm = 'rate', reduction_pct = NULL,"
					   " rate_rps = %u",
					   story->rate_rps));
	if (story->recorded_from_ms != 0)
		CU_ASSERT(help_segment_sql(segment, "UPDATE meta SET value = '%lld' WHERE key = 'started_us'",
					   HELP_WALL_US + story->recorded_from_ms * 1000ull));
	if (story->has_loss)
		CU_ASSERT(help_segment_sql(segment, "INSERT INTO gap VALUES (%lld, %lld, 5, 'ring full')",
					   HELP_MONO_NS + 8000000000ull, HELP_WALL_US + 8000000ull));
	CU_ASSERT(help_segment_sql(segment,
				   "DELETE FROM decision WHERE id %% 2 = 1 AND (id < %u OR id < %u OR (id >= "
				   "%u AND id < %u AND (id / 2) %% 100 >= %u))",
				   story->begins_ms, story->recorded_from_ms, ASKED_MS, OVER_MS,
				   story->keeps_pct));
	CU_ASSERT(help_segment_sql(segment,
				   "DELETE FROM outcome WHERE decision NOT IN (SELECT id FROM decision)"));
}

static enum oev_obedience as_the_audit_sees(const struct story *story)
{
	const struct help_story told = { .report_at_ms = ASKED_MS, .reduction_pct = story->asked_pct };
	struct help_segment segment;
	enum oev_obedience found = OEV_ABSENT;

	CU_ASSERT_FATAL(help_segment_new(&segment));
	CU_ASSERT_FATAL(help_segment_tell(&segment, &told, false));
	bend(&segment, story);
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ 0 });
	CU_ASSERT_EQUAL(audit->origin_count, 1);
	if (audit->origin_count == 1)
		found = audit->origins[0].obedience;
	help_audit_drop(audit);
	help_segment_remove(&segment);
	return found;
}

/* --- as events --- */

static struct oc_names *names;
static struct oev_watch *watch;
static uint32_t c1, s1, realm;

static uint32_t name(const char *text)
{
	return oc_names_id(names, (struct oc_bytes){ (const uint8_t *)text, strlen(text) }, NULL);
}

static uint64_t mono(uint64_t at_ms)
{
	return 1000000000ull + at_ms * 1000000u;
}

static void take(struct oc_event event, uint64_t at_ms)
{
	const struct oc_event *one = &event;

	event.mono_ns = mono(at_ms);
	oev_watch_take(watch, &one, 1, (int64_t)(BASE_US - 1000000u));
}

static void ask(const struct story *story)
{
	take((struct oc_event){ .kind = OC_EVENT_OCS_VERSION,
				.u.ocs_version = { .report = 1,
						   .version = 1,
						   .app_id = HELP_GX,
						   .subject = story->is_realm ? realm : s1,
						   .type = story->is_realm ? OC_REPORT_REALM : OC_REPORT_HOST,
						   .reduction_pct = story->asked_pct,
						   .rate_rps = story->rate_rps,
						   .validity_s = 10,
						   .expires_ns = mono(OVER_MS),
						   .algorithm = story->rate_rps != 0 ? OC_ALGO_RATE
										     : OC_ALGO_LOSS } },
	     ASKED_MS);
}

static void request(const struct story *story, uint32_t id)
{
	bool is_told = id >= story->told_from_ms && id < story->told_until_ms;

	take((struct oc_event){ .kind = OC_EVENT_DECISION,
				.u.decision = { .id = id,
						.at_ns = mono(id),
						.app_id = HELP_GX,
						.client_peer = c1,
						.origin_host = c1,
						.dest_host = story->names_no_host ? 0 : s1,
						.dest_realm = realm,
						.first_choice = s1,
						.next_hop = s1,
						.flags = story->is_plain ? OC_DEC_REACTING_FOR
									 : OC_DEC_DOIC_CLIENT } },
	     id);
	take((struct oc_event){ .kind = OC_EVENT_OUTCOME,
				.u.outcome = { .id = id,
					       .took_ns = 500000,
					       .result_code = 2001,
					       .answered_by = s1,
					       .answered_realm = realm,
					       .from_peer = s1,
					       .profile = is_told ? PASSES : 0 } },
	     id);
}

static void tell(const struct story *story)
{
	struct oc_event profile = { .kind = OC_EVENT_PROFILE };

	profile.u.profile.id = PASSES;
	profile.u.profile.profile.hints = OC_HINT_PASSES;
	take(profile, 0);
	for (uint32_t ms = story->recorded_from_ms; ms < OVER_MS; ms++) {
		bool is_asked = ms >= ASKED_MS;
		if (ms == ASKED_MS)
			ask(story);
		if (ms == 8000 && story->has_loss)
			oev_watch_gap(watch, BASE_US + 8000000, 5, "ring full");
		if (ms % 2 == 1 && ms >= story->begins_ms && (!is_asked || ms / 2 % 100 < story->keeps_pct))
			request(story, ms);
		if (ms % 1000 == 999)
			oev_watch_reached(watch, BASE_US + (ms + 1) * 1000ull);
	}
}

static enum oev_obedience as_the_watch_sees(const struct story *story)
{
	struct oev_watch_sender sender[2];
	uint64_t unlisted;

	names = oc_names_new(64, 1);
	CU_ASSERT_FATAL(oev_watch_new(&watch, names) == OC_OK);
	c1 = name("c1.example.net");
	s1 = name("s1.example.net");
	realm = name("example.net");
	tell(story);
	uint32_t count = oev_watch_senders(watch, sender, 2, &unlisted);
	CU_ASSERT_EQUAL(count, 1);
	oev_watch_free(watch);
	oc_names_free(names);
	return count == 1 ? sender[0].judgement.obedience : OEV_ABSENT;
}

static void test_audit_and_watch_judge_alike(void)
{
	for (size_t i = 0; i < sizeof(stories) / sizeof(stories[0]); i++) {
		enum oev_obedience audit = as_the_audit_sees(&stories[i]),
				   watched = as_the_watch_sees(&stories[i]);
		if (audit != stories[i].expected || watched != stories[i].expected)
			printf("\n%s: audit %s, watch %s", stories[i].name, oev_obedience_text(audit),
			       oev_obedience_text(watched));
		CU_ASSERT_EQUAL(audit, stories[i].expected);
		CU_ASSERT_EQUAL(watched, stories[i].expected);
	}
}

/* --- by itself --- */

/* 2,500 before, 10 s of 30 %. */
static struct oev_conduct conduct(uint64_t during)
{
	return (struct oev_conduct){ .knows_before = true,
				     .seen = 2500 + during,
				     .reacting = 2500 + during,
				     .before = 2500,
				     .during = during,
				     .told = 1,
				     .times_before = 2,
				     .asked = { .active_s = 10, .share_s = 3 } };
}

static enum oev_obedience judged(struct oev_conduct conduct)
{
	return oev_obedience_judge(&conduct).obedience;
}

static void test_numbers_decide(void)
{
	struct oev_conduct some = conduct(4150);
	struct oev_judgement judgement = oev_obedience_judge(&some);

	CU_ASSERT_DOUBLE_EQUAL(judgement.usual, 5000, 0.1);
	CU_ASSERT_DOUBLE_EQUAL(judgement.expected, 3500, 0.1);
	CU_ASSERT_EQUAL(judgement.obedience, OEV_PARTLY);
	CU_ASSERT_EQUAL(judged(conduct(4251)), OEV_WENT_ON);
	CU_ASSERT_EQUAL(judged(conduct(4250)), OEV_PARTLY);
	CU_ASSERT_EQUAL(judged(conduct(3800)), OEV_OBEYED);
	some.asked = (struct oev_demand){ .active_s = 10, .untold_s = 5, .allowed = 1750 };
	CU_ASSERT_DOUBLE_EQUAL(oev_obedience_judge(&some).expected, 4250, 0.1);
}

/* What stands against a comparison, in the order in which it is said. */
static void test_what_cannot_be_compared_is_not(void)
{
	struct oev_conduct some = conduct(5000);

	some.knows_before = false;
	CU_ASSERT_EQUAL(judged(some), OEV_UNKNOWN);
	some.told = 0;
	CU_ASSERT_EQUAL(judged(some), OEV_NOT_TOLD);
	some.has_loss = true;
	CU_ASSERT_EQUAL(judged(some), OEV_UNKNOWN);
	some.before = some.during = 0;
	some.unaddressed = 7500;
	CU_ASSERT_EQUAL(judged(some), OEV_NOT_ADDRESSED);
	some.reacting = 3749;
	CU_ASSERT_EQUAL(judged(some), OEV_HELD_HERE);
	some.seen = 0;
	CU_ASSERT_EQUAL(judged(some), OEV_ABSENT);
	some = conduct(5000);
	some.is_peer = true;
	CU_ASSERT_EQUAL(judged(some), OEV_HELD_HERE);
}

void test_oev_obedience_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_obedience", NULL, NULL);

	CU_add_test(suite, "audit_and_watch_judge_alike", test_audit_and_watch_judge_alike);
	CU_add_test(suite, "numbers_decide", test_numbers_decide);
	CU_add_test(suite, "what_cannot_be_compared", test_what_cannot_be_compared_is_not);
}
