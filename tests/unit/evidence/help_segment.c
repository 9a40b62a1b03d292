/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * A little builder of evidence: what a correct node would have written.
 */
#include "help_segment.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/oc_event.h"

static char *read_all(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = calloc(1, 1 << 16);

	if (file == NULL || text == NULL || fread(text, 1, (1 << 16) - 1, file) == 0) {
		free(text);
		text = NULL;
	}
	if (file != NULL)
		fclose(file);
	return text;
}

static bool run_file(sqlite3 *db, const char *path)
{
	char *sql = read_all(path);
	bool done = sql != NULL && sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK;

	free(sql);
	return done;
}

bool help_segment_new(struct help_segment *segment)
{
	*segment = (struct help_segment){ .folder = "/tmp/doic-test-XXXXXX" };
	if (mkdtemp(segment->folder) == NULL)
		return false;
	snprintf(segment->path, sizeof(segment->path), "%s/seg-20261129T233320.db", segment->folder);
	return sqlite3_open(segment->path, &segment->db) == SQLITE_OK &&
	       help_segment_sql(segment, "PRAGMA synchronous=OFF") &&
	       run_file(segment->db, DOIC_SOURCE_DIR "/evidence/schema.sql") &&
	       run_file(segment->db, DOIC_SOURCE_DIR "/evidence/views.sql");
}

void help_segment_close(struct help_segment *segment)
{
	sqlite3_close(segment->db);
	segment->db = NULL;
}

static void remove_folder(const char *folder)
{
	char path[1024];
	DIR *dir = opendir(folder);
	const struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		unlink(path);
	}
	if (dir != NULL)
		closedir(dir);
	rmdir(folder);
}

void help_segment_remove(struct help_segment *segment)
{
	char counters[300];

	help_segment_close(segment);
	snprintf(counters, sizeof(counters), "%s/counters", segment->folder);
	remove_folder(counters);
	remove_folder(segment->folder);
}

bool help_segment_sql(struct help_segment *segment, const char *format, ...)
{
	char *error = NULL;
	va_list args;

	va_start(args, format);
	char *sql = sqlite3_vmprintf(format, args);
	va_end(args);
	int rc = sqlite3_exec(segment->db, sql, NULL, NULL, &error);
	if (rc != SQLITE_OK)
		fprintf(stderr, "help_segment: %s in: %s\n", error, sql);
	sqlite3_free(error);
	sqlite3_free(sql);
	return rc == SQLITE_OK;
}

int64_t help_segment_get(struct help_segment *segment, const char *sql)
{
	sqlite3_stmt *stmt = NULL;
	int64_t value = -1;

	if (sqlite3_prepare_v2(segment->db, sql, -1, &stmt, NULL) == SQLITE_OK &&
	    sqlite3_step(stmt) == SQLITE_ROW)
		value = sqlite3_column_int64(stmt, 0);
	else
		fprintf(stderr, "help_segment: %s in: %s\n", sqlite3_errmsg(segment->db), sql);
	sqlite3_finalize(stmt);
	return value;
}

bool help_segment_file(const struct help_segment *segment, const char *name, const char *text)
{
	char path[600];

	snprintf(path, sizeof(path), "%s/counters", segment->folder);
	mkdir(path, 0755);
	snprintf(path, sizeof(path), "%s/%s", segment->folder, name);
	FILE *file = fopen(path, "w");
	bool done = file != NULL && fputs(text, file) >= 0;
	return file != NULL && fclose(file) == 0 && done;
}

struct teller {
	struct help_segment *segment;
	struct help_story story;
	sqlite3_stmt *decision, *outcome;
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

static void tell_outcome(const struct teller *teller, uint32_t id, uint64_t at_us, bool selected,
			 int64_t server)
{
	const int64_t outcome[] = { id,
				    (int64_t)(HELP_MONO_NS + at_us * 1000) + 500000,
				    500000,
				    selected ? 5012 : 2001,
				    selected ? OC_MADE_AGENT : OC_MADE_UPSTREAM,
				    selected ? HELP_DRA : server,
				    selected ? -1 : server,
				    selected ? 0 : 1 };
	bind(teller->outcome, outcome, (int)(sizeof(outcome) / sizeof(outcome[0])));
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
	bind(teller->decision, row, (int)(sizeof(row) / sizeof(row[0])));
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
		       " %lld, %lld, %lld, NULL)",
		       HELP_GX, story->reduction_pct, story->validity_s, at_ns, HELP_WALL_US + at_us,
		       until_ns);
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
				"INSERT INTO meta VALUES ('schema', '2'), ('node', 'dra-01.example.net'),"
				" ('realm', 'example.net'), ('product', 'doic test'), ('started_us', '%lld')",
				HELP_WALL_US) &&
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
	return full;
}

bool help_segment_tell(struct help_segment *segment, const struct help_story *story, bool counters)
{
	struct teller teller = { .segment = segment, .story = with_defaults(story) };
	bool done = help_segment_sql(segment, "BEGIN") && tell_basics(segment, &teller.story) &&
		    (teller.story.bare || tell_report(segment, &teller.story));

	teller.series = calloc(end_us(&teller.story) / 100000 + 1, sizeof(*teller.series));
	sqlite3_prepare_v2(
		segment->db,
		"INSERT INTO decision VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
		-1, &teller.decision, NULL);
	sqlite3_prepare_v2(segment->db, "INSERT INTO outcome VALUES (?,?,?,?,?,?,?,?)", -1, &teller.outcome,
			   NULL);
	for (uint32_t id = 1; done && id <= teller.story.requests; id++)
		tell_request(&teller, id);
	sqlite3_finalize(teller.decision);
	sqlite3_finalize(teller.outcome);
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
