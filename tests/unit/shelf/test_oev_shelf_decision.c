/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * Tests of one decision with everything: the same as the evidence says in SQL.
 */
#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/oc_err.h"
#include "help_shelf.h"

void test_oev_shelf_decision_suite(void);

static void hex(const uint8_t *raw, size_t len, char *out, size_t size)
{
	out[0] = '\0';
	for (size_t i = 0; i < len && 2 * i + 2 < size; i++)
		snprintf(out + 2 * i, 3, "%02X", raw[i]);
}

/* What the SQL of @segment says of the decision and what is in @text are the same. */
static void assert_text(const struct help_shelf *h, size_t segment, uint64_t id, const char *what,
			const char *text)
{
	char sql[400], want[2000];

	snprintf(sql, sizeof(sql),
		 "SELECT coalesce((SELECT %s FROM v_decision d WHERE d.id = %" PRIu64 "), '')", what, id);
	help_shelf_text(h, segment, sql, want, sizeof(want));
	CU_ASSERT_STRING_EQUAL(text, want);
}

static void test_oev_shelf_decision_tells_what_it_was_held_against(void)
{
	struct help_shelf *h = help_shelf_whole();
	struct oev_shelf_whole *whole = NULL;
	uint64_t id = (uint64_t)help_shelf_ask(
		h, 0,
		"SELECT min(id) FROM v_decision WHERE host_version IS NOT NULL AND verdict = 'refused'");
	char text[2000], want[2000], sql[200];

	CU_ASSERT_EQUAL_FATAL(oev_shelf_decision(h->shelf, h->runs[0], id, &whole, h->error), OC_OK);
	const struct oev_shelf_look *look = &whole->looks[OC_SCOPE_HOST];
	CU_ASSERT_EQUAL(whole->row.id, id);
	CU_ASSERT_EQUAL(whole->row.d.verdict, OC_REFUSE);
	assert_text(h, 0, id, "origin_host", whole->row.origin_host);
	assert_text(h, 0, id, "coalesce(dest_host, '')", whole->row.dest_host);
	assert_text(h, 0, id, "client", whole->row.client);
	snprintf(text, sizeof(text), "%" PRIu64, whole->row.wall_us);
	assert_text(h, 0, id, "wall_us", text);
	CU_ASSERT_TRUE(look->has_version_row);
	CU_ASSERT_TRUE(look->has_report_row);
	CU_ASSERT_STRING_EQUAL(look->type, "host");
	CU_ASSERT_STRING_EQUAL(look->algorithm, "loss");
	CU_ASSERT_EQUAL(look->reduction_pct, 30);
	hex(look->raw, look->raw_len, text, sizeof(text));
	snprintf(sql, sizeof(sql), "SELECT report FROM ocs_version WHERE version = %" PRIu32, look->version);
	CU_ASSERT_EQUAL((int64_t)look->report, help_shelf_ask(h, 0, sql));
	snprintf(sql, sizeof(sql), "SELECT raw_hex FROM v_report WHERE id = %" PRIu64, look->report);
	help_shelf_text(h, 0, sql, want, sizeof(want));
	CU_ASSERT_STRING_EQUAL(text, want);
	CU_ASSERT_EQUAL(look->raw_len, look->raw_total);
	CU_ASSERT_EQUAL(whole->looks[OC_SCOPE_PEER].version, 0);
	oev_shelf_whole_free(whole);
	help_shelf_free(h);
}

static void test_oev_shelf_decision_tells_policy_candidates_outcome_and_profile(void)
{
	struct help_shelf *h = help_shelf_whole();
	struct oev_shelf_whole *whole = NULL;
	uint64_t id = (uint64_t)help_shelf_ask(
		h, 0,
		"SELECT min(d.id) FROM decision d JOIN way w ON w.id = d.way JOIN flow f ON f.id = d.flow "
		"WHERE"
		" w.candidates IS NOT NULL AND f.profile IS NOT NULL AND w.next_hop IS NOT NULL");
	char sql[300];

	CU_ASSERT_EQUAL_FATAL(oev_shelf_decision(h->shelf, h->runs[0], id, &whole, h->error), OC_OK);
	CU_ASSERT_TRUE(whole->has_policy);
	CU_ASSERT_EQUAL(whole->policy.version, 1);
	CU_ASSERT_EQUAL(strlen(whole->policy.sha256), 64);
	CU_ASSERT_TRUE(whole->has_profile);
	CU_ASSERT_EQUAL(whole->candidate_count, HELP_SERVERS);
	bool is_found = false;
	for (uint32_t i = 0; i < whole->candidate_count; i++) {
		CU_ASSERT_TRUE(whole->candidates[i].score == 5 || whole->candidates[i].score == 9);
		is_found |= strcmp(whole->candidates[i].name, whole->row.next_hop) == 0;
	}
	CU_ASSERT_TRUE(is_found);
	CU_ASSERT_TRUE(whole->row.has_outcome);
	snprintf(sql, sizeof(sql), "SELECT took_ns FROM outcome WHERE decision = %" PRIu64, id);
	CU_ASSERT_EQUAL((int64_t)whole->row.took_ns, help_shelf_ask(h, 0, sql));
	snprintf(sql, sizeof(sql), "SELECT result_code FROM v_outcome WHERE id = %" PRIu64, id);
	CU_ASSERT_EQUAL(whole->row.result_code, help_shelf_ask(h, 0, sql));
	CU_ASSERT_STRING_EQUAL(whole->row.from_peer, whole->row.next_hop);
	CU_ASSERT_TRUE(whole->segment[0] != '\0');
	oev_shelf_whole_free(whole);
	help_shelf_free(h);
}

static void test_oev_shelf_decision_tells_the_others_of_its_session_in_every_life(void)
{
	struct help_shelf *h = help_shelf_whole();
	struct oev_shelf_whole *whole = NULL;
	char sql[300];

	CU_ASSERT_EQUAL_FATAL(oev_shelf_decision(h->shelf, h->runs[0], 20000, &whole, h->error), OC_OK);
	snprintf(sql, sizeof(sql), "SELECT count(*) FROM decision WHERE session = %" PRIu64,
		 whole->row.d.session_hash);
	int64_t all = help_shelf_sum(h, sql);
	CU_ASSERT_TRUE(all > 10);
	if (all - 1 <= OEV_SHELF_RETRIES_MAX) {
		CU_ASSERT_TRUE(whole->is_retries_whole);
		CU_ASSERT_EQUAL(whole->retry_count, all - 1);
	}
	for (uint32_t i = 1; i < whole->retry_count; i++)
		CU_ASSERT_TRUE(whole->retries[i].wall_us >= whole->retries[i - 1].wall_us ||
			       whole->retries[i].id > whole->retries[i - 1].id);
	oev_shelf_whole_free(whole);
	help_shelf_free(h);
}

static void test_oev_shelf_decision_needs_its_life_when_several_have_it(void)
{
	struct help_shelf *h = help_shelf_whole();
	struct oev_shelf_whole *whole = NULL;

	CU_ASSERT_EQUAL(oev_shelf_decision(h->shelf, "", 10, &whole, h->error), OC_EINVAL);
	CU_ASSERT_PTR_NULL(whole);
	CU_ASSERT_EQUAL(oev_shelf_decision(h->shelf, "", HELP_FIRST_LIFE, &whole, h->error), OC_OK);
	oev_shelf_whole_free(whole);
	CU_ASSERT_EQUAL(oev_shelf_decision(h->shelf, h->runs[0], HELP_FIRST_LIFE + 1, &whole, h->error),
			OC_ENOENT);
	CU_ASSERT_EQUAL(oev_shelf_decision(h->shelf, "nobody", 1, &whole, h->error), OC_ENOENT);
	CU_ASSERT_EQUAL(oev_shelf_decision(h->shelf, h->runs[1], UINT64_MAX, &whole, h->error), OC_ENOENT);
	oev_shelf_whole_free(NULL);
	help_shelf_free(h);
}

static void test_oev_shelf_names_of_decisions_are_life_and_number(void)
{
	static const char *const bad[] = { "",	    "-",     "abc-",
					   "abc-x", "abc-0", "abc-1234567890123456789",
					   "-0",    "-1",    "+1",
					   " 1",    "1 ",    "0123456789012345678901234567890123456789-1" };
	char run[OEV_SHELF_RUN_MAX];
	uint64_t id;

	CU_ASSERT_EQUAL(oev_shelf_id_parse("8664c638d93d66e7-40000", run, &id), OC_OK);
	CU_ASSERT_STRING_EQUAL(run, "8664c638d93d66e7");
	CU_ASSERT_EQUAL(id, 40000);
	CU_ASSERT_EQUAL(oev_shelf_id_parse("12", run, &id), OC_OK);
	CU_ASSERT_STRING_EQUAL(run, "");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CU_ASSERT_EQUAL(oev_shelf_id_parse(bad[i], run, &id), OC_EINVAL);
}

void test_oev_shelf_decision_suite(void)
{
	CU_pSuite suite = CU_add_suite("oev_shelf_decision", NULL, NULL);

	CU_ADD_TEST(suite, test_oev_shelf_decision_tells_what_it_was_held_against);
	CU_ADD_TEST(suite, test_oev_shelf_decision_tells_policy_candidates_outcome_and_profile);
	CU_ADD_TEST(suite, test_oev_shelf_decision_tells_the_others_of_its_session_in_every_life);
	CU_ADD_TEST(suite, test_oev_shelf_decision_needs_its_life_when_several_have_it);
	CU_ADD_TEST(suite, test_oev_shelf_names_of_decisions_are_life_and_number);
}
