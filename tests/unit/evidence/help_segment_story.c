/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A little builder of evidence: what a correct node would have written.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_event.h"
#include "help_segment.h"

#define KINDS_MAX 16
#define KIND_VALUES 10

/* Contents that got a number already: flows, ways or endings. */
struct kinds {
	sqlite3_stmt *insert; /* number, then the values */
	int count, values;
	int64_t known[KINDS_MAX][KIND_VALUES];
};

struct teller {
	struct help_segment *segment;
	struct help_story story;
	sqlite3_stmt *decision, *outcome;
	struct kinds flows, ways, endings;
	uint64_t matched, selected, expected_ppm;		 /* of version 1 */
	uint64_t then_matched, then_selected, then_expected_ppm; /* when it expired */
	uint64_t sent[3];					 /* to s1, s2, and answers of the agent */
	uint64_t *series;
};

static uint64_t end_us(const struct help_story *story)
{
	return (uint64_t)story->requests * story->spacing_us + 1000;
}

static uint32_t share_at(const struct help_story *story, uint64_t at_us)
{
	uint64_t from_us = story->report_at_ms * 1000ull, until_us = from_us + story->validity_s * 1000000ull;
	uint64_t over_us = until_us + story->ramp_ms * 1000ull;

	if (story->bare || at_us < from_us || at_us >= over_us)
		return 0;
	if (at_us < until_us)
		return story->reduction_pct * 10000u;
	return (uint32_t)(story->reduction_pct * 10000ull * (over_us - at_us) / (over_us - until_us));
}

static void bind(sqlite3_stmt *stmt, const int64_t *values, int count)
{
	sqlite3_reset(stmt);
	for (int i = 0; i < count; i++) {
		if (values[i] < 0)
			sqlite3_bind_null(stmt, i + 1);
		else
			sqlite3_bind_int64(stmt, i + 1, values[i]);
	}
	sqlite3_step(stmt);
}

/* Number of the content @values, which is written when it is new. */
static int64_t number_of(struct kinds *kinds, const int64_t *values)
{
	int64_t row[KIND_VALUES + 1];
	size_t size = (size_t)kinds->values * sizeof(*values);

	for (int i = 0; i < kinds->count; i++)
		if (memcmp(kinds->known[i], values, size) == 0)
			return i + 1;
	memcpy(kinds->known[kinds->count++], values, size);
	row[0] = kinds->count;
	memcpy(row + 1, values, size);
	bind(kinds->insert, row, kinds->values + 1);
	return kinds->count;
}

static void tell_outcome(struct teller *teller, uint32_t id, uint64_t at_us, bool selected, int64_t server)
{
	const int64_t ending[] = { selected ? 5012 : 2001,
				   selected ? OC_MADE_AGENT : OC_MADE_UPSTREAM,
				   selected ? HELP_DRA : server,
				   HELP_REALM,
				   selected ? -1 : server,
				   selected ? 0 : 1,
				   -1 };

	if (teller->story.schema < 3) {
		const int64_t row[] = { id,	   (int64_t)(HELP_MONO_NS + at_us * 1000) + 500000,
					500000,	   ending[0],
					ending[1], ending[2],
					ending[4], ending[5] };
		bind(teller->outcome, row, 8);
	} else {
		const int64_t row[] = { id, 500000, number_of(&teller->endings, ending) };
		bind(teller->outcome, row, 3);
	}
}

/* @row is of schema 2. */
static void tell_decision(struct teller *teller, const int64_t *row)
{
	const int64_t flow[] = { row[3], row[4], row[5],  row[6],  HELP_REALM,
				 row[7], row[8], row[26], row[27], -1 };
	const int64_t way[] = { row[15], row[16], row[17], row[18], row[19], -1, row[20], row[21], row[22] };

	if (teller->story.schema < 3) {
		bind(teller->decision, row, 31);
		return;
	}
	const int64_t split[] = { row[0],
				  row[1] - (int64_t)HELP_MONO_NS,
				  1000,
				  number_of(&teller->flows, flow),
				  number_of(&teller->ways, way),
				  row[9],
				  row[10],
				  row[28],
				  row[11],
				  row[12],
				  row[29],
				  row[13],
				  row[14],
				  row[30],
				  row[23],
				  row[24],
				  -1,
				  -1 };
	bind(teller->decision, split, 18);
}

static void tell_request(struct teller *teller, uint32_t id)
{
	const struct help_story *story = &teller->story;
	uint64_t at_us = (uint64_t)id * story->spacing_us, report_us = story->report_at_ms * 1000ull;
	bool s1 = id % 2 == 1, ended = at_us >= report_us + story->validity_s * 1000000ull;
	uint32_t share = s1 ? share_at(story, at_us) : 0;
	bool matched = share > 0, selected = false;

	if (matched) {
		teller->matched++;
		teller->expected_ppm += share;
		selected = teller->expected_ppm >= teller->selected * 1000000ull + 500000u;
		teller->selected += selected;
	}
	if (!ended) {
		teller->then_matched = teller->matched;
		teller->then_selected = teller->selected;
		teller->then_expected_ppm = teller->expected_ppm;
	}
	int64_t server = s1 ? HELP_S1 : HELP_S2;
	int64_t flags =
		(matched && ended ? OC_DEC_RECOVERING : 0) | (story->realm_routed ? OC_DEC_REALM_ROUTED : 0);
	const int64_t row[] = { id,
				(int64_t)(HELP_MONO_NS + at_us * 1000),
				(int64_t)(HELP_WALL_US + at_us),
				HELP_GX,
				272,
				HELP_C1,
				HELP_C1,
				story->realm_routed ? -1 : server,
				HELP_REALM,
				-1,
				-1,
				matched ? 1 : -1,
				matched ? (int64_t)share : -1,
				-1,
				-1,
				selected ? OC_REFUSE : OC_FORWARD,
				selected ? OC_WHY_REPORT : OC_WHY_NONE,
				selected ? OC_SCOPE_HOST : OC_SCOPE_NONE,
				0,
				flags,
				server,
				selected ? -1 : server,
				selected ? 5012 : -1,
				id,
				id * 7,
				0,
				-1,
				1,
				-1,
				matched ? (int64_t)teller->matched : -1,
				-1 };
	tell_decision(teller, row);
	tell_outcome(teller, id, at_us, selected, server);
	teller->sent[selected ? 2 : s1 ? 0 : 1]++;
	if (s1 && !selected)
		teller->series[at_us / 100000]++;
}

/* OC-OLR as on the wire: sequence 5, host, 30 %, validity. */
static bool tell_report(struct help_segment *segment, const struct help_story *story)
{
	uint64_t at_us = story->report_at_ms * 1000ull, at_ns = HELP_MONO_NS + at_us * 1000;
	uint64_t until_ns = at_ns + story->validity_s * 1000000000ull;

	return help_segment_sql(segment,
				"INSERT INTO report VALUES (1, %lld, %lld, 3, %u, 0, 3, 3, 6, '5', %u, %u, "
				"NULL, 'loss',"
				" 'new', '', 1, x'0000026f0000003c"
				"00000270000000100000000000000005"
				"000002720000000c00000000"
				"000002730000000c%08x"
				"000002710000000c%08x', 60)",
				at_ns, HELP_WALL_US + at_us, HELP_GX, story->reduction_pct, story->validity_s,
				story->reduction_pct, story->validity_s) &&
	       help_segment_sql(segment, "INSERT INTO report_repeat VALUES (1, %lld, %lld, 11)",
				at_ns + 1000000, at_ns + 900000000) &&
	       help_segment_sql(
		       segment,
		       "INSERT INTO ocs_version VALUES (1, 1, NULL, 'host', %u, 3, '5', 'loss', %u, NULL, %u,"
		       " %lld, %lld, %lld%s)",
		       HELP_GX, story->reduction_pct, story->validity_s, at_ns, HELP_WALL_US + at_us,
		       until_ns, story->schema > 1 ? ", NULL" : "");
}

static bool tell_changes(struct teller *teller)
{
	const struct help_story *story = &teller->story;
	uint64_t at_us = story->report_at_ms * 1000ull + story->validity_s * 1000000ull;

	if (at_us >= end_us(story))
		return true;
	if (!help_segment_sql(teller->segment,
			      "INSERT INTO ocs_change VALUES (1, %lld, %lld, 'expired', %lld, %lld, %lld, 0)",
			      HELP_MONO_NS + at_us * 1000, HELP_WALL_US + at_us, teller->then_matched,
			      teller->then_selected, teller->then_expected_ppm))
		return false;
	at_us += story->ramp_ms * 1000ull;
	if (at_us >= end_us(story))
		return true;
	return help_segment_sql(
		teller->segment,
		"INSERT INTO ocs_change VALUES (1, %lld, %lld, 'recovered', %lld, %lld, %lld, 0)",
		HELP_MONO_NS + at_us * 1000, HELP_WALL_US + at_us, teller->matched, teller->selected,
		teller->expected_ppm);
}

static bool tell_basics(struct help_segment *segment, const struct help_story *story)
{
	static const char *const kinds[] = { "verdict", "why", "scope", "maker" };
	static const char *(*const texts[])(unsigned) = { oc_verdict_text, oc_why_text, oc_scope_text,
							  oc_maker_text };
	static const unsigned counts[] = { OC_VERDICT_COUNT, OC_WHY_COUNT, OC_SCOPE_COUNT, OC_MADE_COUNT };

	for (size_t kind = 0; kind < 4; kind++)
		for (unsigned i = 0; i < counts[kind]; i++)
			if (!help_segment_sql(segment, "INSERT INTO code VALUES (%Q, %u, %Q)", kinds[kind], i,
					      texts[kind](i)))
				return false;
	return help_segment_sql(segment,
				"INSERT INTO meta VALUES ('schema', '%u'), ('node', 'dra-01.example.net'),"
				" ('realm', 'example.net'), ('product', 'doic test'), ('started_us', '%lld'),"
				" ('base_ns', '%lld')",
				story->schema, HELP_WALL_US, HELP_MONO_NS) &&
	       help_segment_sql(segment,
				"INSERT INTO name VALUES (2, 'dra-01.example.net'), (3, 's1.example.net'),"
				" (4, 's2.example.net'), (5, 'c1.example.net'), (6, 'example.net')") &&
	       help_segment_sql(segment,
				"INSERT INTO policy VALUES (1, %lld, %lld, '00', 'ramp_ms: %u"
				" slack_requests: %u')",
				HELP_MONO_NS, HELP_WALL_US, story->ramp_ms, story->slack) &&
	       help_segment_sql(segment, "INSERT INTO clock VALUES (%lld, %lld), (%lld, %lld)", HELP_MONO_NS,
				HELP_WALL_US, HELP_MONO_NS + end_us(story) * 1000,
				HELP_WALL_US + end_us(story));
}

static bool tell_counter(const struct teller *teller, const char *node, const char *role, uint64_t requests,
			 const char *more)
{
	char name[64], text[1024];
	uint64_t until = HELP_WALL_US + end_us(&teller->story);

	snprintf(name, sizeof(name), "counters/%.2s.json", node);
	snprintf(text, sizeof(text),
		 "{\"schema\":\"doic.counters/1\",\"role\":\"%s\",\"node\":\"%s\",\"realm\":\"example.net\","
		 "\"started_us\":%llu,\"ended_us\":%llu,\"apps\":[{\"app_id\":%u,\"requests\":%llu,"
		 "\"answers\":%llu,"
		 "\"unanswered\":0%s,\"by_result\":{}}]}",
		 role, node, (unsigned long long)HELP_WALL_US, (unsigned long long)until, HELP_GX,
		 (unsigned long long)requests, (unsigned long long)requests, more);
	return help_segment_file(teller->segment, name, text);
}

static bool tell_series(const struct teller *teller)
{
	size_t buckets = end_us(&teller->story) / 100000 + 1, size = buckets * 22 + 1024, at;
	char *text = malloc(size);
	uint64_t until = HELP_WALL_US + end_us(&teller->story);

	at = (size_t)snprintf(
		text, size,
		"{\"schema\":\"doic.counters/1\",\"role\":\"server\",\"node\":\"S1.example.net\","
		"\"realm\":\"example.net\",\"started_us\":%llu,\"ended_us\":%llu,\"apps\":[{\"app_id\":%u,"
		"\"requests\":%llu,\"answers\":%llu,\"unanswered\":0}],\"series\":{\"start_us\":%llu,"
		"\"interval_us\":100000,\"requests\":[",
		(unsigned long long)HELP_WALL_US, (unsigned long long)until, HELP_GX,
		(unsigned long long)teller->sent[0], (unsigned long long)teller->sent[0],
		(unsigned long long)HELP_WALL_US);
	for (size_t i = 0; i < buckets; i++)
		at += (size_t)snprintf(text + at, size - at, "%s%llu", i > 0 ? "," : "",
				       (unsigned long long)teller->series[i]);
	snprintf(text + at, size - at, "]}}");
	bool done = help_segment_file(teller->segment, "counters/s1.json", text);
	free(text);
	return done;
}

static struct help_story with_defaults(const struct help_story *story)
{
	struct help_story full = *story;

	full.requests = full.requests != 0 ? full.requests : 20000;
	full.spacing_us = full.spacing_us != 0 ? full.spacing_us : 1000;
	full.report_at_ms = full.report_at_ms != 0 ? full.report_at_ms : 1000;
	full.validity_s = full.validity_s != 0 ? full.validity_s : 10;
	full.reduction_pct = full.reduction_pct != 0 ? full.reduction_pct : 30;
	full.ramp_ms = full.ramp_ms != 0 ? full.ramp_ms : 3000;
	full.schema = full.schema != 0 ? full.schema : 3;
	return full;
}

static void prepare_insert(struct help_segment *segment, const char *table, int values, sqlite3_stmt **stmt)
{
	char sql[200];
	int at = snprintf(sql, sizeof(sql), "INSERT INTO %s VALUES (?", table);

	while (--values > 0)
		at += snprintf(sql + at, sizeof(sql) - (size_t)at, ",?");
	snprintf(sql + at, sizeof(sql) - (size_t)at, ")");
	if (sqlite3_prepare_v2(segment->db, sql, -1, stmt, NULL) != SQLITE_OK)
		fprintf(stderr, "help_segment: %s in: %s\n", sqlite3_errmsg(segment->db), sql);
}

static void prepare(struct teller *teller)
{
	bool split = teller->story.schema >= 3;

	prepare_insert(teller->segment, "decision", split ? 18 : 31, &teller->decision);
	prepare_insert(teller->segment, "outcome", split ? 3 : 8, &teller->outcome);
	teller->flows.values = 10;
	teller->ways.values = 9;
	teller->endings.values = 7;
	if (!split)
		return;
	prepare_insert(teller->segment, "flow", 11, &teller->flows.insert);
	prepare_insert(teller->segment, "way", 10, &teller->ways.insert);
	prepare_insert(teller->segment, "ending", 8, &teller->endings.insert);
}

static void release(struct teller *teller)
{
	sqlite3_finalize(teller->decision);
	sqlite3_finalize(teller->outcome);
	sqlite3_finalize(teller->flows.insert);
	sqlite3_finalize(teller->ways.insert);
	sqlite3_finalize(teller->endings.insert);
}

bool help_segment_tell(struct help_segment *segment, const struct help_story *story, bool counters)
{
	struct teller teller = { .segment = segment, .story = with_defaults(story) };
	bool done = (teller.story.schema >= 3 || help_segment_age(segment, teller.story.schema)) &&
		    help_segment_sql(segment, "BEGIN") && tell_basics(segment, &teller.story) &&
		    (teller.story.bare || tell_report(segment, &teller.story));

	teller.series = calloc(end_us(&teller.story) / 100000 + 1, sizeof(*teller.series));
	prepare(&teller);
	for (uint32_t id = 1; done && id <= teller.story.requests; id++)
		tell_request(&teller, id);
	release(&teller);
	done = done && (teller.story.bare || tell_changes(&teller));
	if (done && !teller.story.open)
		done = help_segment_sql(segment, "INSERT INTO meta VALUES ('closed_us', '%lld')",
					HELP_WALL_US + end_us(&teller.story));
	done = help_segment_sql(segment, "COMMIT") && done;
	if (done && counters)
		done = tell_series(&teller) &&
		       tell_counter(&teller, "s2.example.net", "server", teller.sent[1], "") &&
		       tell_counter(&teller, "c1.example.net", "client", teller.story.requests, "");
	free(teller.series);
	return done;
}
