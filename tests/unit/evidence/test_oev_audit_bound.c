/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of the bounds of rate versions and of shares that priorities moved: honest stories hold, bent ones do not.
 */
#include <CUnit/CUnit.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_event.h"
#include "evidence/audit/oev_audit.h"
#include "evidence/audit/oev_audit_bound.h"
#include "help_audit.h"
#include "help_segment.h"

#define RATE 100.0 /* of 500/s that name s1 */
#define FIRST 1001 /* first request naming s1 under the report, which lasts 10 s */
#define LAST 10999

void test_oev_audit_bound_suite(void);

static struct oev_audit *audit_of(const struct help_segment *segment)
{
	struct oev_audit *audit = calloc(1, sizeof(*audit));
	static const char *inputs[1]; /* the audit speaks of them */
	struct oev_audit_options options = { .inputs = inputs,
					     .input_count = 1,
					     .until_us = UINT64_MAX,
					     .parts = OEV_PART_ALL,
					     .required = OEV_STEP_SELECTED };

	inputs[0] = segment->folder;
	oev_audit_run(audit, &options);
	return audit;
}

static void drop(struct oev_audit *audit)
{
	oev_audit_fini(audit);
	free(audit);
}

static void expect(const struct help_segment *segment, enum oev_outcome outcome, const char *word)
{
	struct oev_audit *audit = audit_of(segment);
	char verdict[1024];

	oev_audit_verdict(audit, NULL, verdict, sizeof(verdict));
	CU_ASSERT_EQUAL(audit->outcome, outcome);
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict, word));
	if (audit->outcome != outcome || strstr(verdict, word) == NULL)
		fprintf(stderr, "  wanted \"%s\", got: %s (%s)\n", word, verdict, audit->error);
	drop(audit);
}

static sqlite3_stmt *prepare(struct help_segment *segment, const char *sql)
{
	sqlite3_stmt *stmt = NULL;

	CU_ASSERT_EQUAL_FATAL(sqlite3_prepare_v2(segment->db, sql, -1, &stmt, NULL), SQLITE_OK);
	return stmt;
}

/* s1 asks for 100/s; a bucket with a threshold of 10 T admits. Class 0 throughout. */
static void tell_rate(struct help_segment *segment)
{
	double content = 0, last_s = 1;
	unsigned nth = 0, refused = 0;

	CU_ASSERT_FATAL(help_segment_new(segment));
	CU_ASSERT_FATAL(help_segment_tell(segment, &(struct help_story){ .bare = true }, false));
	CU_ASSERT_FATAL(help_segment_sql(
		segment,
		"BEGIN; INSERT INTO report VALUES (1, %lld, %lld, 3, %u, 0, 3, 3, 6, '5', NULL, 10, 100, "
		"'rate',"
		" 'new', '', 1, x'0000026f0000003c00000270000000100000000000000005000002720000000c00000000"
		"0000029e0000000c00000064000002710000000c0000000a', 60);"
		"INSERT INTO ocs_version VALUES (1, 1, NULL, 'host', %u, 3, '5', 'rate', NULL, 100, 10, "
		"%lld, "
		"%lld, %lld, NULL)",
		HELP_MONO_NS + 1000000000ull, HELP_WALL_US + 1000000, HELP_GX, HELP_GX,
		HELP_MONO_NS + 1000000000ull, HELP_WALL_US + 1000000, HELP_MONO_NS + 11000000000ull));
	sqlite3_stmt *bend =
		prepare(segment, "UPDATE wide SET host_version = 1, host_share = ?1, host_nth = ?2,"
				 " verdict = ?3, why = ?4, selected_by = ?3, next_hop = ?5,"
				 " result_code = ?6 WHERE id = ?7");
	for (unsigned id = FIRST; id <= LAST; id += 2) {
		double now_s = id / 1e3, left = content - (now_s - last_s);
		bool admitted = left <= 10 / RATE;
		if (admitted) {
			content = (left > 0 ? left : 0) + 1 / RATE;
			last_s = now_s;
		}
		refused += !admitted;
		const int64_t row[] = {
			admitted ? 0 : 1000000, ++nth, admitted ? 0 : 2, !admitted, admitted ? 3 : -1,
			admitted ? -1 : 5012,	id
		};
		CU_ASSERT_FATAL(help_segment_step(bend, row, 7));
	}
	sqlite3_finalize(bend);
	CU_ASSERT_FATAL(help_segment_sql(
		segment,
		"INSERT INTO ocs_change VALUES (1, %lld, %lld, 'expired', %u, %u, %u000000, 0);"
		"INSERT INTO ocs_change VALUES (1, %lld, %lld, 'recovered', %u, %u, %u000000, 0); COMMIT",
		HELP_MONO_NS + 11000000000ull, HELP_WALL_US + 11000000, nth, refused, refused,
		HELP_MONO_NS + 11000000000ull, HELP_WALL_US + 11000000, nth, refused, refused));
}

/* Lets @count refused requests from @id on pass, counts of the node included: a lie told consistently. */
static void let_pass(struct help_segment *segment, unsigned id, unsigned count)
{
	CU_ASSERT_FATAL(help_segment_sql(
		segment,
		"UPDATE wide SET host_share = 0, verdict = 0, why = 0, selected_by = 0, next_hop = 3 "
		"WHERE id "
		"IN"
		" (SELECT id FROM wide WHERE id >= %u AND selected_by = 2 LIMIT %u);"
		"UPDATE ocs_change SET selected = selected - %u, expected_ppm = expected_ppm - %u000000",
		id, count, count, count));
}

static void test_honest_rate_holds(void)
{
	struct help_segment segment;

	tell_rate(&segment);
	struct oev_audit *audit = audit_of(&segment);
	CU_ASSERT_EQUAL(audit->outcome, OEV_HOLDS);
	CU_ASSERT_EQUAL_FATAL(audit->version_count, 1);
	struct oev_bound bound = oev_bound_rate(audit, &audit->versions[0]);
	CU_ASSERT_EQUAL(audit->versions[0].sampler.admitted, 1010); /* 10 s of it and the first burst */
	CU_ASSERT(bound.holds && bound.excess <= 0 && bound.excess >= -2);
	CU_ASSERT_EQUAL(bound.allowed, 10);
	CU_ASSERT_EQUAL(audit->claims[0].asked_rps_max, 100);
	drop(audit);
	expect(&segment, OEV_HOLDS, "s1.example.net asked for 100/s (rate, host, Gx) for 10 s");
	help_segment_remove(&segment);
}

/* Ten stamps may be late; an eleventh is not explained by that. Spread out, an excess shows in longer windows. */
static void test_rate_over_the_bound_is_refuted(void)
{
	struct help_segment segment;

	tell_rate(&segment);
	let_pass(&segment, 5001, 8);
	expect(&segment, OEV_HOLDS, "HOLDS");
	let_pass(&segment, 5031, 6);
	expect(&segment, OEV_CLAIM_REFUTED,
	       "requests more than 1 + floor((W + TAU) / T) at 100/s, allowed 10");
	help_segment_remove(&segment);
	tell_rate(&segment);
	for (unsigned i = 0; i < 20; i++)
		let_pass(&segment, 2001 + i * 400, 1);
	expect(&segment, OEV_CLAIM_REFUTED, "REFUTED at \"selected\"");
	help_segment_remove(&segment);
}

/* c1's rate ends 4 s early. A loss for all that s1 asks for then is the reason; without one it is a hole. */
static void test_loss_for_all_ends_a_rate(void)
{
	struct help_segment segment;

	tell_rate(&segment);
	CU_ASSERT_FATAL(help_segment_sql(
		&segment,
		"UPDATE ocs_version SET origin = %d; DELETE FROM ocs_change WHERE how = 'recovered';"
		"UPDATE ocs_change SET how = 'replaced', mono_ns = %lld, wall_us = %lld",
		HELP_C1, HELP_MONO_NS + 7000000000ull, HELP_WALL_US + 7000000));
	struct oev_audit *audit = audit_of(&segment);
	CU_ASSERT_EQUAL_FATAL(audit->claim_count, 1);
	CU_ASSERT_EQUAL(audit->claims[0].step[OEV_STEP_HELD].status, OEV_REFUTED);
	CU_ASSERT_PTR_NOT_NULL(strstr(audit->claims[0].step[OEV_STEP_HELD].why, "hole"));
	drop(audit);
	CU_ASSERT_FATAL(help_segment_sql(&segment,
					 "INSERT INTO report VALUES (2, %lld, %lld, 3, %u, 0, 3, 3, 6, '6', "
					 "30, 0, NULL, 'loss', 'updated', "
					 "'', NULL, x'00', 1)",
					 HELP_MONO_NS + 7000000000ull, HELP_WALL_US + 7000000, HELP_GX));
	audit = audit_of(&segment);
	CU_ASSERT_EQUAL_FATAL(audit->claim_count, 2);
	for (size_t i = 0; i < 2; i++)
		if (audit->claims[i].version_count > 0)
			CU_ASSERT_EQUAL(audit->claims[i].step[OEV_STEP_HELD].status, OEV_OK);
	drop(audit);
	help_segment_remove(&segment);
}

/* Its version has no time in which something could be selected; that is no lack of receipts. */
static void test_end_of_nothing_holds(void)
{
	struct help_segment segment;

	CU_ASSERT_FATAL(help_segment_new(&segment));
	CU_ASSERT_FATAL(help_segment_tell(&segment, &(struct help_story){ .bare = true }, false));
	CU_ASSERT_FATAL(help_segment_report(&segment, 1000000, 0, 0));
	CU_ASSERT_FATAL(help_segment_sql(&segment,
					 "INSERT INTO ocs_change VALUES (1, %lld, %lld, 'ended', 0, 0, 0, 0)",
					 HELP_MONO_NS + 1000000000ull, HELP_WALL_US + 1000000));
	expect(&segment, OEV_HOLDS, "s1.example.net asked for an end (loss, host, Gx)");
	help_segment_remove(&segment);
}

static void test_policy_threshold_counts(void)
{
	struct help_segment segment;

	tell_rate(&segment);
	CU_ASSERT_FATAL(
		help_segment_sql(&segment, "UPDATE policy SET text = 'thresholds: [2.5, 1, 0, 0, 0]'"));
	struct oev_audit *audit = audit_of(&segment);
	CU_ASSERT_EQUAL(audit->lives[0].threshold_permille, 2500);
	CU_ASSERT_EQUAL(oev_bound_rate(audit, &audit->versions[0]).excess, 8); /* 7.5, rounded up */
	drop(audit);
	CU_ASSERT_FATAL(help_segment_sql(
		&segment, "UPDATE policy SET text = 'thresholds:\n    - 3\n    - 1\nanti_resonance: true'"));
	audit = audit_of(&segment);
	CU_ASSERT_EQUAL(audit->lives[0].threshold_permille, 3000);
	CU_ASSERT(audit->lives[0].anti_resonant);
	CU_ASSERT(oev_bound_rate(audit, &audit->versions[0]).allowed > 10);
	drop(audit);
	help_segment_remove(&segment);
}

static void test_rate_zero_admits_nobody(void)
{
	struct help_segment segment;

	tell_rate(&segment);
	CU_ASSERT_FATAL(help_segment_sql(&segment,
					 "UPDATE ocs_version SET rate_rps = 0;"
					 "UPDATE report SET rate_rps = 0, raw = x'0000026f0000003c0000027000"
					 "0000100000000000000005000002720000000c000000000000029e0000000c0000"
					 "0000000002710000000c0000000a'"));
	expect(&segment, OEV_CLAIM_REFUTED, "REFUTED at \"selected\"");
	help_segment_remove(&segment);
}

static void test_rate_shares_are_all_or_nothing(void)
{
	struct help_segment segment;

	tell_rate(&segment);
	CU_ASSERT_FATAL(help_segment_sql(&segment, "UPDATE wide SET host_share = 1 WHERE id = 5001"));
	expect(&segment, OEV_CLAIM_REFUTED, "REFUTED at \"selected\"");
	help_segment_remove(&segment);
}

/* RFC 8582 section 6.1: the same server allots rates to several clients; each is a claim, each binds its own client. */
static void test_rates_of_two_clients_are_two_claims(void)
{
	struct help_segment segment;

	tell_rate(&segment);
	CU_ASSERT_FATAL(help_segment_sql(
		&segment, "UPDATE ocs_version SET origin = 5; INSERT INTO name VALUES (7, 'c2.example.net');"
			  "INSERT INTO report SELECT 2, mono_ns + 1000000000, wall_us + 1000000, peer, "
			  "app_id, type, subject,"
			  " origin_host, origin_realm, sequence, reduction_pct, validity_s, rate_rps, "
			  "algorithm, verdict, reason,"
			  " 2, raw, raw_total FROM report;"
			  "INSERT INTO ocs_version SELECT 2, 2, NULL, type, app_id, subject, sequence, "
			  "algorithm, NULL, rate_rps,"
			  " validity_s, from_ns + 1000000000, from_us + 1000000, expires_ns + 1000000000, 7 "
			  "FROM ocs_version"));
	struct oev_audit *audit = audit_of(&segment);
	CU_ASSERT_EQUAL(audit->claim_count, 2);
	CU_ASSERT_EQUAL(audit->exception_count, 0); /* c1's requests need not be compared with c2's rate */
	CU_ASSERT(audit->outcome != OEV_CLAIM_REFUTED);
	drop(audit);
	CU_ASSERT_FATAL(help_segment_sql(&segment, "UPDATE wide SET origin_host = 7 WHERE id = 5003"));
	expect(&segment, OEV_CLAIM_REFUTED, "REFUTED");
	help_segment_remove(&segment);
}

/* Requests of class 0 (every third) let their share wait up to 30 requests, the others pay: with the exact sampler. */
static void tell_priorities(struct help_segment *segment, unsigned slack)
{
	int64_t owed = 0, error = 0,
		sums[2][2] = { { 0 } }; /* until expiry, whole life: selected, expected */

	CU_ASSERT_FATAL(help_segment_new(segment));
	CU_ASSERT_FATAL(help_segment_tell(segment, &(struct help_story){ .slack = slack }, false));
	help_segment_sql(segment, "BEGIN");
	sqlite3_stmt *bend = prepare(segment, "UPDATE wide SET class = ?1, host_version = 1, host_share = ?2,"
					      " host_nth = ?3, verdict = ?4, why = ?5, selected_by = ?4,"
					      " next_hop = ?6, result_code = ?7, flags = ?8 WHERE id = ?9");
	for (unsigned id = FIRST, n = 0; id <= 13999; id += 2, n++) {
		unsigned klass = n % 3 == 0 ? 0 : 4;
		int64_t share = id < 11000 ? 300000 : 300000 * (int64_t)(14000 - id) / 3000;
		int64_t drawn = klass == 0 && owed + share <= 30 * 1000000 ? 0 : owed + share;
		drawn = drawn > 1000000 ? 1000000 : drawn;
		owed += share - drawn;
		bool selected = error + drawn >= 500000;
		error += drawn - (selected ? 1000000 : 0);
		for (int i = id < 11000 ? 0 : 1; i < 2; i++) {
			sums[i][0] += selected;
			sums[i][1] += drawn;
		}
		const int64_t row[] = { klass,
					drawn,
					n + 1,
					selected ? 2 : 0,
					selected,
					selected ? -1 : 3,
					selected ? 5012 : -1,
					id < 11000 ? 0x100 : 0x140,
					id };
		CU_ASSERT_FATAL(help_segment_step(bend, row, 9));
	}
	sqlite3_finalize(bend);
	CU_ASSERT_FATAL(help_segment_sql(segment,
					 "UPDATE ocs_change SET matched = 5000, selected = %lld, "
					 "expected_ppm = %lld WHERE how = 'expired';"
					 "UPDATE ocs_change SET matched = 6500, selected = %lld, "
					 "expected_ppm = %lld WHERE how = 'recovered';"
					 "COMMIT",
					 (long long)sums[0][0], (long long)sums[0][1], (long long)sums[1][0],
					 (long long)sums[1][1]));
}

static void test_shares_moved_by_priorities_hold(void)
{
	struct help_segment segment;

	tell_priorities(&segment, 2);
	struct oev_audit *audit = audit_of(&segment);
	CU_ASSERT_EQUAL(audit->outcome, OEV_HOLDS);
	CU_ASSERT_EQUAL_FATAL(audit->version_count, 1);
	const struct oev_version *version = &audit->versions[0];
	CU_ASSERT_EQUAL(version->asked_ppm, 1500000000);
	CU_ASSERT(version->asked_selected >= 1469 && version->asked_selected <= 1501);
	CU_ASSERT(version->moved > 3000);
	CU_ASSERT_EQUAL(audit->population.class[0].matched + audit->population.class[4].matched, 6500);
	CU_ASSERT_EQUAL(audit->population.class[0].refused, 0);
	CU_ASSERT_EQUAL(audit->population.class[4].refused, audit->population.refused_host);
	drop(audit);
	help_segment_remove(&segment);
}

static void test_shares_moved_without_priorities_are_refuted(void)
{
	struct help_segment segment;

	tell_priorities(&segment, 0);
	expect(&segment, OEV_CLAIM_REFUTED, "REFUTED at \"selected\"");
	help_segment_remove(&segment);
}

/* Whoever lets more wait than the debt may hold asks for less than the report; whoever takes it early, for more. */
static void test_debt_beyond_its_bound_is_refuted(void)
{
	struct help_segment segment;

	tell_priorities(&segment, 2);
	CU_ASSERT_FATAL(help_segment_sql(
		&segment,
		"UPDATE wide SET host_share = 0, verdict = 0, why = 0, selected_by = 0 WHERE class = 4"
		" AND id BETWEEN 3000 AND 3300 AND host_version = 1;"
		"UPDATE ocs_change SET (selected, expected_ppm) = (SELECT sum(selected_by = 2),"
		" sum(host_share) FROM wide WHERE host_version = 1 AND (how = 'recovered' OR id < "
		"11000))"));
	expect(&segment, OEV_CLAIM_REFUTED, "lag");
	help_segment_remove(&segment);
	tell_priorities(&segment, 2);
	CU_ASSERT_FATAL(help_segment_sql(&segment, "UPDATE wide SET host_share = 310000 WHERE id = 1001;"
						   "UPDATE ocs_change SET expected_ppm = (SELECT "
						   "sum(host_share) FROM wide WHERE host_version = 1 "
						   "AND (how = 'recovered' OR id < 11000))"));
	expect(&segment, OEV_CLAIM_REFUTED, "lead");
	help_segment_remove(&segment);
}

static void test_ramp_that_rises_is_refuted_with_priorities_too(void)
{
	struct help_segment segment;

	tell_priorities(&segment, 2);
	CU_ASSERT_FATAL(help_segment_sql(
		&segment,
		"UPDATE wide SET host_share = 1000000, verdict = 2, why = 1, selected_by = 2, next_hop = "
		"NULL"
		" WHERE id > 13000 AND host_version = 1;"
		"UPDATE ocs_change SET (selected, expected_ppm) = (SELECT sum(selected_by = 2),"
		" sum(host_share) FROM wide WHERE host_version = 1) WHERE how = 'recovered'"));
	expect(&segment, OEV_CLAIM_REFUTED, "after its end the share rose again to");
	help_segment_remove(&segment);
}

static void test_populations_of_classes_add_up_to_the_version(void)
{
	struct help_segment segment;

	tell_priorities(&segment, 2);
	CU_ASSERT_EQUAL(help_segment_get(&segment, "SELECT count(*) FROM v_population"), 2);
	CU_ASSERT_EQUAL(help_segment_get(
				&segment,
				"SELECT sum(p.matched) = max(o.matched) AND sum(p.selected) = max(o.selected)"
				" AND abs(sum(p.expected) - max(o.expected)) < 1e-6"
				" FROM v_population p JOIN v_ocs o USING (version)"),
			1);
	help_segment_remove(&segment);
}

static void test_older_schemas_are_read(void)
{
	for (uint32_t schema = 1; schema <= 2; schema++) {
		struct help_segment segment;

		CU_ASSERT_FATAL(help_segment_new(&segment));
		CU_ASSERT_FATAL(help_segment_tell(&segment, &(struct help_story){ .schema = schema }, false));
		expect(&segment, OEV_HOLDS, "HOLDS up to \"arrived\"");
		help_segment_remove(&segment);
	}
}

static void test_json_tells_bounds_and_classes(void)
{
	struct help_segment segment;
	char *text = NULL;
	size_t size = 0;

	tell_rate(&segment);
	struct oev_audit *audit = audit_of(&segment);
	FILE *out = open_memstream(&text, &size);
	CU_ASSERT_EQUAL(oev_audit_json(audit, "doic test", out), 0);
	fclose(out);
	json_t *root = json_loads(text, 0, NULL);
	const char *kind = NULL;
	int holds = 0, admitted = 0;
	json_t *classes = json_object_get(json_object_get(root, "population"), "classes");
	json_t *claim = json_array_get(json_object_get(root, "claims"), 0);
	json_t *version = json_array_get(json_object_get(claim, "versions"), 0);
	CU_ASSERT_EQUAL(json_unpack(json_object_get(version, "bound"), "{s:s, s:b, s:i}", "kind", &kind,
				    "holds", &holds, "admitted", &admitted),
			0);
	CU_ASSERT(kind != NULL && strcmp(kind, "window") == 0 && holds && admitted == 1010);
	CU_ASSERT_EQUAL(json_array_size(classes), OEV_CLASSES);
	json_decref(root);
	free(text);
	drop(audit);
	help_segment_remove(&segment);
}

void test_oev_audit_bound_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_audit_bound", NULL, NULL);

	CU_add_test(suite, "R-20 honest_rate_holds", test_honest_rate_holds);
	CU_add_test(suite, "R-20 rate_over_the_bound_is_refuted", test_rate_over_the_bound_is_refuted);
	CU_add_test(suite, "loss_for_all_ends_a_rate", test_loss_for_all_ends_a_rate);
	CU_add_test(suite, "end_of_nothing_holds", test_end_of_nothing_holds);
	CU_add_test(suite, "policy_threshold_counts", test_policy_threshold_counts);
	CU_add_test(suite, "R-22 rate_zero_admits_nobody", test_rate_zero_admits_nobody);
	CU_add_test(suite, "rate_shares_are_all_or_nothing", test_rate_shares_are_all_or_nothing);
	CU_add_test(suite, "R-15 rates_of_two_clients", test_rates_of_two_clients_are_two_claims);
	CU_add_test(suite, "D-272 shares_moved_by_priorities_hold", test_shares_moved_by_priorities_hold);
	CU_add_test(suite, "D-270 shares_moved_without_priorities",
		    test_shares_moved_without_priorities_are_refuted);
	CU_add_test(suite, "D-272 debt_beyond_its_bound_is_refuted", test_debt_beyond_its_bound_is_refuted);
	CU_add_test(suite, "D-256 ramp_that_rises_with_priorities",
		    test_ramp_that_rises_is_refuted_with_priorities_too);
	CU_add_test(suite, "populations_of_classes_add_up",
		    test_populations_of_classes_add_up_to_the_version);
	CU_add_test(suite, "older_schemas_are_read", test_older_schemas_are_read);
	CU_add_test(suite, "json_tells_bounds_and_classes", test_json_tells_bounds_and_classes);
}
