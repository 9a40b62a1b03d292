/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Property tests: whatever rows a segment holds, the audit counts what a plain SQL query counts.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "evidence/audit/oev_audit.h"
#include "evidence/audit/oev_open.h"
#include "evidence/audit/oev_strand.h"
#include "help_audit.h"

#define SEEDS 6u
#define ROWS 700u
#define ROWS_MANY 4000u /* with their answers more kinds than strands have room for */
#define FLOWS 40u
#define WAYS 60u
#define ENDINGS 20u

void test_oev_audit_count_suite(void);

/* Decisions by those flows and ways, and most of their outcomes. */
static void tell_wild_requests(struct help_segment *segment, uint64_t *seed, unsigned rows)
{
	for (unsigned i = 1; i <= rows; i++) {
		uint64_t at_ns = i * (80000000000ull / rows) + help_chance(seed, 1000);
		help_segment_sql(segment,
				 "INSERT INTO decision VALUES (%u, %lld, 500, %u, %u, NULL, NULL, NULL, "
				 "nullif(%u, 0), 300000,"
				 " nullif(%u, 0), NULL, NULL, NULL, %u, nullif(%u, 0), NULL, NULL)",
				 i, at_ns, (unsigned)(1 + help_chance(seed, FLOWS)),
				 (unsigned)(1 + help_chance(seed, WAYS)), (unsigned)help_chance(seed, 2),
				 (unsigned)help_chance(seed, 3) * i, (unsigned)help_chance(seed, 5000),
				 (unsigned)help_chance(seed, 300));
		if (i > 50 && help_chance(seed, 10) != 0) /* the order of answers is not that of requests */
			help_segment_sql(segment,
					 "INSERT INTO outcome SELECT %u, %lld, %u WHERE NOT EXISTS"
					 " (SELECT 1 FROM outcome WHERE decision = %u)",
					 i - (unsigned)help_chance(seed, 50), help_chance(seed, 20000000000u),
					 (unsigned)(1 + help_chance(seed, ENDINGS)), i - 0u);
	}
}

/* One report of 30 % by s1 from 20 s to 50 s, ramp until 60 s; traffic for 80 s, as wild as chance makes it. */
static void tell_wild(struct help_segment *segment, uint64_t *seed, unsigned rows)
{
	const uint64_t from_us = 20000000, until_us = 50000000, normal_us = 60000000;

	CU_ASSERT_FATAL(help_segment_new(segment));
	CU_ASSERT_FATAL(help_segment_basics(segment, "ramp_ms: 10000 slack_requests: 0"));
	CU_ASSERT_FATAL(help_segment_report(segment, from_us, 30, 30));
	CU_ASSERT_FATAL(help_segment_sql(
		segment,
		"BEGIN; INSERT INTO ocs_change VALUES (1, %lld, %lld, 'expired', 0, 0, 0, 0),"
		" (1, %lld, %lld, 'recovered', 0, 0, 0, 0);"
		"INSERT INTO clock VALUES (%lld, %lld)",
		HELP_MONO_NS + until_us * 1000, HELP_WALL_US + until_us, HELP_MONO_NS + normal_us * 1000,
		HELP_WALL_US + normal_us, HELP_MONO_NS + 80000000000ull, HELP_WALL_US + 80000000));
	/* of answers: one with a report in it that travels on, one without */
	help_segment_sql(segment, "INSERT INTO profile VALUES (1, 2048, 0, NULL, NULL, NULL, 15, NULL, NULL),"
				  " (2, 0, 3, '0x1', NULL, NULL, 15, NULL, NULL)");
	for (unsigned i = 1; i <= FLOWS; i++)
		help_segment_sql(segment,
				 "INSERT INTO flow VALUES (%u, %u, 272, %u, %u, 6, nullif(%u, 5), %u, NULL, "
				 "NULL, NULL)",
				 i, help_chance(seed, 4) == 0 ? 4u : HELP_GX,
				 (unsigned)(5 + help_chance(seed, 2)), (unsigned)(10 + help_chance(seed, 6)),
				 (unsigned)(3 + help_chance(seed, 3)), (unsigned)(6 + help_chance(seed, 2)));
	for (unsigned i = 1; i <= WAYS; i++)
		help_segment_sql(segment,
				 "INSERT INTO way VALUES (%u, %u, %u, %u, %u, %u, NULL, nullif(%u, 2), "
				 "nullif(%u, 2), NULL)",
				 i, (unsigned)help_chance(seed, 3), (unsigned)help_chance(seed, 6),
				 (unsigned)help_chance(seed, 4), (unsigned)help_chance(seed, 5),
				 (unsigned)help_chance(seed, 0x800), (unsigned)(2 + help_chance(seed, 5)),
				 (unsigned)(2 + help_chance(seed, 5)));
	for (unsigned i = 1; i <= ENDINGS; i++)
		help_segment_sql(segment,
				 "INSERT INTO ending VALUES (%u, nullif(%u, 1000), %u, %u, 6, nullif(%u, 2), "
				 "%u, nullif(%u, 0))",
				 i, (unsigned)(1000 * (1 + help_chance(seed, 5)) + 4 * help_chance(seed, 2)),
				 (unsigned)help_chance(seed, 5), (unsigned)(2 + help_chance(seed, 5)),
				 (unsigned)(2 + help_chance(seed, 5)), (unsigned)help_chance(seed, 3),
				 (unsigned)help_chance(seed, 3));
	tell_wild_requests(segment, seed, rows);
	help_segment_sql(
		segment,
		"DELETE FROM outcome WHERE rowid NOT IN (SELECT min(rowid) FROM outcome GROUP BY decision);"
		"COMMIT");
}

#define DURING "mono_ns >= 5020000000000 AND mono_ns < 5050000000000"
#define RAMP "mono_ns >= 5050000000000 AND mono_ns < 5060000000000"
#define BEFORE "mono_ns < 5020000000000"
#define AFTER "mono_ns >= 5060000000000"
#define OFFERED "app_id = 16777238 AND coalesce(dest_host, first_choice, next_hop) = 3"
#define ADDRESSED "app_id = 16777238 AND dest_host = 3"
#define ARRIVED "app_id = 16777238 AND next_hop = 3"
#define ANSWERED                                                                                             \
	"w.app_id = 16777238 AND o.maker = 0 AND w.next_hop IS NOT NULL AND 3 IN (w.next_hop, "              \
	"o.answered_by, o.from_peer)"

static void agree(struct help_segment *segment, uint64_t counted, const char *sql)
{
	int64_t rows = help_segment_get(segment, sql);

	CU_ASSERT_EQUAL((int64_t)counted, rows);
	if ((int64_t)counted != rows)
		fprintf(stderr, "  audit %lld, SQL %lld: %s\n", (long long)counted, (long long)rows, sql);
}

static void agree_population(struct help_segment *segment, const struct oev_population *people)
{
	agree(segment, people->candidates, "SELECT count(*) FROM wide");
	agree(segment, people->matched_host, "SELECT count(*) FROM wide WHERE host_version IS NOT NULL");
	agree(segment, people->survivors,
	      "SELECT count(*) FROM wide WHERE host_version IS NOT NULL AND NOT (selected_by IN (1, 2) AND "
	      "flags & 8 = 0)");
	agree(segment, people->forwarded,
	      "SELECT count(*) FROM wide WHERE verdict = 0 AND next_hop IS NOT NULL");
	agree(segment, people->diverted, "SELECT count(*) FROM wide WHERE verdict = 1");
	agree(segment, people->refused, "SELECT count(*) FROM wide WHERE verdict = 2");
	agree(segment, people->refused_peer,
	      "SELECT count(*) FROM wide WHERE verdict = 2 AND why = 1 AND selected_by = 3");
	agree(segment, people->remembered, "SELECT count(*) FROM wide WHERE flags & 4");
	agree(segment, people->left_to_client, "SELECT count(*) FROM wide WHERE flags & 128 = 0");
	agree(segment, people->class[3].refused, "SELECT count(*) FROM wide WHERE class = 3 AND verdict = 2");
	agree(segment, people->without_outcome,
	      "SELECT count(*) FROM decision WHERE id NOT IN (SELECT decision FROM outcome)");
	agree(segment, people->retried_flag, "SELECT count(*) FROM wide WHERE flags & 32");
	agree(segment, people->retried_end_to_end,
	      "SELECT count(*) FROM wide b WHERE EXISTS (SELECT 1 FROM wide a WHERE a.id < b.id AND"
	      " a.origin_host = b.origin_host AND a.end_to_end = b.end_to_end AND b.wall_us - ("
	      "SELECT max(wall_us) FROM wide c WHERE c.id < b.id AND c.origin_host = b.origin_host AND"
	      " c.end_to_end = b.end_to_end) < 60000000)");
	agree(segment, people->retried_session,
	      "SELECT count(*) FROM wide b WHERE session IS NOT NULL AND (SELECT a.verdict = 2 AND b.wall_us "
	      "-"
	      " a.wall_us < 60000000 FROM wide a WHERE a.session = b.session AND a.id < b.id ORDER BY a.id "
	      "DESC LIMIT 1)");
}

static void agree_phase(struct help_segment *segment, const struct oev_traffic *traffic, const char *when)
{
	static const char *const answers[] = { "2000 AND 2999", "3000 AND 3003", "3004 AND 3999",
					       "4000 AND 4999", "5000 AND 5999" };
	char sql[1000];

#define AGREE(field, condition)                                                                              \
	do {                                                                                                 \
		snprintf(sql, sizeof(sql), "SELECT count(*) FROM wide WHERE %s AND " condition, when);       \
		agree(segment, traffic->field, sql);                                                         \
	} while (0)
	AGREE(offered, OFFERED);
	AGREE(matched, OFFERED " AND host_version = 1");
	AGREE(selected, OFFERED " AND host_version = 1 AND selected_by = 2 AND flags & 8 = 0");
	AGREE(refused, OFFERED " AND verdict = 2");
	AGREE(diverted, OFFERED " AND verdict = 1");
#undef AGREE
	for (int i = 0; i < OEV_ANSWER_OTHER; i++) {
		snprintf(sql, sizeof(sql),
			 "SELECT count(*) FROM wide w JOIN wide_outcome o USING (id) WHERE %s AND " ANSWERED
			 " AND o.result_code BETWEEN %s",
			 when, answers[i]);
		agree(segment, traffic->answers[i], sql);
	}
	snprintf(sql, sizeof(sql),
		 "SELECT count(*) FROM wide w JOIN wide_outcome o USING (id) WHERE %s AND " ANSWERED
		 " AND o.result_code / 1000 = 2 AND o.took_ns < 10000001000",
		 when);
	agree(segment, traffic->useful, sql);
	snprintf(sql, sizeof(sql),
		 "SELECT (SELECT count(*) FROM wide WHERE %s AND " ARRIVED
		 ") + (SELECT count(*) FROM wide w JOIN wide_outcome o USING (id) WHERE %s AND " ANSWERED
		 " AND w.next_hop <> 3)",
		 when, when);
	agree(segment, traffic->arrived, sql);
	snprintf(sql, sizeof(sql),
		 "SELECT count(*) FROM wide w LEFT JOIN wide_outcome o USING (id) WHERE %s AND app_id = "
		 "16777238 AND"
		 " next_hop <> 3 AND NOT coalesce(maker = 0 AND (answered_by = 3 OR from_peer = 3), 0)",
		 when);
	agree(segment, traffic->alternatives, sql);
	snprintf(sql, sizeof(sql),
		 "SELECT count(*) FROM wide w JOIN wide_outcome o USING (id) WHERE %s AND app_id = 16777238 "
		 "AND"
		 " next_hop <> 3 AND maker = 0 AND answered_by <> 3 AND from_peer IS NOT 3 AND o.result_code "
		 "/ 1000 = 2"
		 " AND took_ns < 10000001000",
		 when);
	agree(segment, traffic->alternatives_useful, sql);
}

static void agree_origins(struct help_segment *segment, const struct oev_audit *audit, uint64_t *told)
{
	char sql[800];

	agree(segment, audit->origin_count, "SELECT count(DISTINCT origin_host) FROM wide WHERE " OFFERED);
	for (size_t i = 0; i < audit->origin_count; i++) {
		const struct oev_origin *origin = &audit->origins[i];
		const char *name = oev_names_text(&audit->names, origin->name);
		snprintf(sql, sizeof(sql),
			 "SELECT count(*) FROM wide WHERE " ADDRESSED " AND " DURING
			 " AND origin_host = (SELECT id FROM name WHERE text = '%s')",
			 name);
		agree(segment, origin->during, sql);
		snprintf(sql, sizeof(sql),
			 "SELECT count(*) FROM wide WHERE " OFFERED " AND " DURING " AND dest_host IS NULL"
			 " AND origin_host = (SELECT id FROM name WHERE text = '%s')",
			 name);
		agree(segment, origin->unaddressed, sql);
		snprintf(sql, sizeof(sql),
			 "SELECT count(*) FROM wide w JOIN wide_outcome o USING (id) WHERE " OFFERED
			 " AND " DURING " AND o.result_code IS NOT NULL AND origin_host = (SELECT id FROM "
			 "name WHERE text = '%s')",
			 name);
		agree(segment, origin->answered, sql);
		snprintf(sql, sizeof(sql),
			 "SELECT count(*) FROM wide w JOIN wide_outcome o USING (id) WHERE " OFFERED
			 " AND o.result_code IS NOT NULL AND o.maker = 0 AND o.answered_by = 3"
			 " AND o.place IN (SELECT r.rowid FROM outcome r JOIN ending e ON e.id = r.ending "
			 "WHERE"
			 " e.profile = 1)"
			 " AND w.mono_ns + o.took_ns >= 5020000000000 AND w.mono_ns + o.took_ns < "
			 "5050000000000"
			 " AND origin_host = (SELECT id FROM name WHERE text = '%s')",
			 name);
		agree(segment, origin->told, sql);
		*told += origin->told;
	}
}

static void agree_alternatives(struct help_segment *segment, const struct oev_audit *audit,
			       const struct oev_effect *effect)
{
	char sql[600];

	CU_ASSERT_EQUAL(effect->alternatives_unlisted, 0);
	for (uint32_t i = 0; i < effect->alternative_count; i++) {
		snprintf(sql, sizeof(sql),
			 "SELECT count(*) FROM wide w LEFT JOIN wide_outcome o USING (id) WHERE " DURING
			 " AND app_id = 16777238 AND next_hop = (SELECT id FROM name WHERE text = '%s')"
			 " AND NOT coalesce(maker = 0 AND (answered_by = 3 OR from_peer = 3), 0)",
			 oev_names_text(&audit->names, effect->alternative[i].name));
		agree(segment, effect->alternative[i].sent[OEV_PHASE_DURING], sql);
	}
}

static void agree_series(struct help_segment *segment, const struct oev_series *series)
{
	char sql[700];
	uint64_t offered = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(series);
	CU_ASSERT_EQUAL(series->step_us, 1000000);
	for (uint32_t i = 0; i < series->count; i++) {
		const struct oev_series_point *point = &series->points[i];
		uint64_t from_us = series->start_us + i * series->step_us;
		snprintf(sql, sizeof(sql),
			 "SELECT count(*) FROM wide WHERE wall_us >= %llu AND wall_us < %llu AND " OFFERED,
			 (unsigned long long)from_us, (unsigned long long)(from_us + series->step_us));
		agree(segment, point->offered, sql);
		snprintf(sql, sizeof(sql),
			 "SELECT count(*) FROM wide WHERE wall_us >= %llu AND wall_us < %llu AND " OFFERED
			 " AND verdict = 2 AND why = 1 AND selected_by = 1",
			 (unsigned long long)from_us, (unsigned long long)(from_us + series->step_us));
		agree(segment, point->refused[1], sql);
		snprintf(sql, sizeof(sql),
			 "SELECT count(*) FROM wide w JOIN wide_outcome o USING (id) WHERE wall_us >= %llu "
			 "AND wall_us < %llu"
			 " AND " ANSWERED " AND o.result_code / 1000 = 2 AND o.took_ns < 10000001000",
			 (unsigned long long)from_us, (unsigned long long)(from_us + series->step_us));
		agree(segment, point->useful, sql);
		CU_ASSERT_EQUAL(point->counted, OEV_SERIES_UNKNOWN);
		offered += point->offered;
	}
	agree(segment, offered, "SELECT count(*) FROM wide WHERE " OFFERED);
}

static void test_counts_agree_with_plain_sql(void)
{
	uint64_t told = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		uint64_t state = seed;
		struct help_segment segment;

		tell_wild(&segment, &state, seed == 1 ? ROWS_MANY : ROWS);
		struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ 0 });
		CU_ASSERT_EQUAL_FATAL(audit->claim_count, 1);
		CU_ASSERT_EQUAL_FATAL(audit->follow_count, 1);
		const struct oev_effect *effect = &audit->effects[0];
		agree_population(&segment, &audit->population);
		agree_phase(&segment, &effect->phase[OEV_PHASE_BEFORE], BEFORE);
		agree_phase(&segment, &effect->phase[OEV_PHASE_DURING], DURING);
		agree_phase(&segment, &effect->phase[OEV_PHASE_RAMP], RAMP);
		agree_phase(&segment, &effect->phase[OEV_PHASE_AFTER], AFTER);
		CU_ASSERT_EQUAL(effect->phase[OEV_PHASE_APART].offered, 0);
		CU_ASSERT_EQUAL(effect->phase[OEV_PHASE_DURING].span_us, 30000000);
		CU_ASSERT_EQUAL(effect->phase[OEV_PHASE_RAMP].span_us, 10000000);
		CU_ASSERT_EQUAL(effect->phase[OEV_PHASE_BEFORE].span_us,
				20000000); /* 30 s, but there are 20 */
		CU_ASSERT_EQUAL(effect->phase[OEV_PHASE_AFTER].span_us, 20000000);
		agree_origins(&segment, audit, &told);
		agree_alternatives(&segment, audit, effect);
		agree_series(&segment, oev_audit_series(audit, 0));
		help_audit_drop(audit);
		help_segment_remove(&segment);
	}
	CU_ASSERT(told > 0);
}

/* Every outcome far later than the window of memory reaches; one never; one twice; one of nobody. */
static void test_late_outcomes_are_matched_by_a_second_look(void)
{
	struct help_segment segment;
	unsigned rows = OEV_OPEN_ROWS + 5000;

	CU_ASSERT_FATAL(help_segment_new(&segment));
	CU_ASSERT_FATAL(help_segment_basics(&segment, ""));
	CU_ASSERT_FATAL(help_segment_sql(
		&segment,
		"INSERT INTO flow VALUES (1, %u, 272, 5, 5, 6, 3, 6, NULL, NULL, NULL);"
		"INSERT INTO way VALUES (1, 0, 0, 0, 0, 0, NULL, 3, 3, NULL);"
		"INSERT INTO ending VALUES (1, 2001, 0, 3, 6, 3, 1, NULL);"
		"WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < %u)"
		" INSERT INTO decision SELECT id, id * 1000, 1, 1, 1, NULL, NULL, NULL, NULL, NULL, NULL, "
		"NULL, NULL, NULL, id,"
		" NULL, NULL, NULL FROM n;"
		"INSERT INTO outcome SELECT id, 500, 1 FROM decision WHERE id > 4000 ORDER BY id;"
		"INSERT INTO outcome SELECT id, 500, 1 FROM decision WHERE id < 4000 ORDER BY id DESC;"
		"INSERT INTO outcome VALUES (77, 500, 1), (999999, 500, 1)",
		HELP_GX, rows));
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ 0 });
	CU_ASSERT_EQUAL(audit->population.candidates, rows);
	CU_ASSERT_EQUAL(audit->population.without_outcome, 1);
	CU_ASSERT_EQUAL(audit->population.loose[OEV_LOOSE_UNEXPLAINED], 1);
	CU_ASSERT_EQUAL(audit->population.without_decision[OEV_LOOSE_UNEXPLAINED], 1);
	CU_ASSERT_EQUAL_FATAL(audit->exception_count, 1);
	CU_ASSERT_EQUAL(audit->exceptions[0].kind, OEV_X_TWICE);
	CU_ASSERT_EQUAL(audit->exceptions[0].id, 77);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

static void test_rows_that_name_nothing_are_told(void)
{
	struct help_segment segment;

	CU_ASSERT_FATAL(help_segment_new(&segment));
	CU_ASSERT_FATAL(
		help_segment_tell(&segment, &(struct help_story){ .requests = 200, .bare = true }, false));
	CU_ASSERT_FATAL(help_segment_sql(&segment, "UPDATE decision SET flow = 9000000000 WHERE id = 7;"
						   "UPDATE decision SET way = -1 WHERE id = 8;"
						   "UPDATE outcome SET ending = 55 WHERE decision = 9"));
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ 0 });
	CU_ASSERT_EQUAL(audit->exception_count, 3);
	CU_ASSERT_EQUAL(audit->exceptions[0].kind, OEV_X_BROKEN);
	CU_ASSERT_EQUAL(audit->outcome, OEV_CLAIM_REFUTED);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

/* Numbers with holes of any size find their rows all the same. */
static void test_numbers_with_holes_are_found(void)
{
	struct help_segment segment;

	CU_ASSERT_FATAL(help_segment_new(&segment));
	CU_ASSERT_FATAL(
		help_segment_tell(&segment, &(struct help_story){ .requests = 200, .bare = true }, false));
	CU_ASSERT_FATAL(help_segment_sql(
		&segment, "UPDATE flow SET id = id * 4000000000000000000;"
			  "UPDATE decision SET flow = flow * 4000000000000000000;"
			  "UPDATE way SET id = id * 1000000007; UPDATE decision SET way = way * 1000000007"));
	struct oev_audit *audit = help_audit(&segment, (struct oev_audit_options){ 0 });
	CU_ASSERT_EQUAL(audit->exception_count, 0);
	CU_ASSERT_EQUAL(audit->population.forwarded, 200);
	help_audit_drop(audit);
	help_segment_remove(&segment);
}

static void test_alike_rows_are_one_strand_until_there_is_no_room(void)
{
	struct oev_strands strands = { 0 };
	bool is_new = false;

	CU_ASSERT_EQUAL_FATAL(oev_strands_init(&strands), 0);
	for (unsigned round = 0; round < 3; round++)
		for (uint32_t i = 0; i < OEV_STRANDS; i++) {
			struct oev_strand *at = oev_strands_count(
				&strands, &(struct oev_strand_key){ .next_hop = i }, &is_new);
			CU_ASSERT_PTR_NOT_NULL_FATAL(at);
			CU_ASSERT(is_new == (round == 0) && at->count == round + 1);
		}
	CU_ASSERT_PTR_NULL(
		oev_strands_count(&strands, &(struct oev_strand_key){ .next_hop = OEV_STRANDS }, &is_new));
	oev_strands_clear(&strands);
	const struct oev_strand *again =
		oev_strands_count(&strands, &(struct oev_strand_key){ .next_hop = 1 }, &is_new);
	CU_ASSERT(again != NULL && is_new && again->count == 1 && strands.count == 1);
	oev_strands_fini(&strands);
}

static void test_edge_begins_a_stretch(void)
{
	struct oev_edges edges = { 0 };
	static const uint64_t at[] = { 50, 10, UINT64_MAX, 10, 20 };

	for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++)
		CU_ASSERT_EQUAL(oev_edges_add(&edges, at[i]), 0);
	oev_edges_sort(&edges);
	uint32_t before = oev_edges_stretch(&edges, 9), from = oev_edges_stretch(&edges, 10);
	CU_ASSERT_NOT_EQUAL(before, from);
	CU_ASSERT_EQUAL(from, oev_edges_stretch(&edges, 19));
	CU_ASSERT_NOT_EQUAL(from, oev_edges_stretch(&edges, 20));
	CU_ASSERT_EQUAL(oev_edges_stretch(&edges, 50), oev_edges_stretch(&edges, 1u << 30));
	CU_ASSERT_EQUAL(before, oev_edges_stretch(&edges, 0)); /* back again */
	oev_edges_fini(&edges);
}

void test_oev_audit_count_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_audit_count", NULL, NULL);

	CU_add_test(suite, "counts_agree_with_plain_sql", test_counts_agree_with_plain_sql);
	CU_add_test(suite, "late_outcomes_are_matched", test_late_outcomes_are_matched_by_a_second_look);
	CU_add_test(suite, "rows_that_name_nothing_are_told", test_rows_that_name_nothing_are_told);
	CU_add_test(suite, "numbers_with_holes_are_found", test_numbers_with_holes_are_found);
	CU_add_test(suite, "alike_rows_are_one_strand",
		    test_alike_rows_are_one_strand_until_there_is_no_room);
	CU_add_test(suite, "edge_begins_a_stretch", test_edge_begins_a_stretch);
}
